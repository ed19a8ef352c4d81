/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * weight.h - what the BPF programs and source_bpf share about the weights of threads.
 */
#ifndef BPF_WEIGHT_H
#define BPF_WEIGHT_H

enum fxt_bpf_weight {
	FXT_BPF_WEIGHT_LOAD,		/* fxt_sched_weight() */
	FXT_BPF_WEIGHT_PRIO,		/* fxt_sched_prio() */
	FXT_BPF_WEIGHT_NONE,		/* fxt_sched_no_weight() */
};

/* Constants in the programs that user space replaces: enum fxt_bpf_weight, and has_prev_state. */
#define FXT_BPF_WEIGHT_MARK	0x66787477
#define FXT_BPF_PREV_STATE_MARK	0x66787473

#endif /* BPF_WEIGHT_H */
