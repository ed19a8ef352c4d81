/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * counts.h - what is counted of a CPU's stream.
 */
#ifndef BPF_COUNTS_H
#define BPF_COUNTS_H

/* A power of two in number, so that a mask bounds an index. The first are written or lost. */
enum fxt_ring_count {
	FXT_RING_SWITCHES,
	FXT_RING_WAKEUPS,
	FXT_RING_EVENTS,
	FXT_RING_LOST,		/* records among those that found no room */
	FXT_RING_COUNTS,
};

#endif /* BPF_COUNTS_H */
