/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * counts.h - the counters of a CPU's stream.
 */
#ifndef BPF_COUNTS_H
#define BPF_COUNTS_H

/*
 * The number of counters is a power of two, so that a mask bounds an index. Those before
 * FXT_RING_LOST count records that were written or lost.
 */
enum fxt_ring_count {
	FXT_RING_SWITCHES,
	FXT_RING_WAKEUPS,
	FXT_RING_EVENTS,
	FXT_RING_LOST,		/* records among those for which there was no room */
	FXT_RING_COUNTS,
};

#endif /* BPF_COUNTS_H */
