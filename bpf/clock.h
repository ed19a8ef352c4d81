/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * clock.h - what the BPF programs and source_bpf share about the clock.
 */
#ifndef BPF_CLOCK_H
#define BPF_CLOCK_H

/* Constant while the programs are loaded. */
enum fxt_bpf_clock {
	FXT_BPF_CLOCK_BOOT,
	FXT_BPF_CLOCK_MONO,
};

/* The number of a helper that does not exist. User space replaces it by that of the clock. */
#define FXT_BPF_CLOCK_MARK	0x66787474

#endif /* BPF_CLOCK_H */
