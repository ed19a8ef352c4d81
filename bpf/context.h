/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * context.h - what the BPF programs and source_bpf share about interrupts.
 */
#ifndef BPF_CONTEXT_H
#define BPF_CONTEXT_H

/* Place of the preempt count, which shows the kind of interrupt that a CPU serves. */
enum fxt_bpf_context {
	FXT_BPF_CONTEXT_NONE,		/* unknown: interrupts appear as threads */
	FXT_BPF_CONTEXT_VARIABLE,	/* a per-CPU variable that programs may refer to */
	FXT_BPF_CONTEXT_RUNQUEUE,	/* the same, found by its distance to the run queue */
	FXT_BPF_CONTEXT_THREAD,		/* the current thread's thread_info */
};

/*
 * A constant in the programs that user space replaces by the address of the variable. The
 * programs load it only with FXT_BPF_CONTEXT_VARIABLE.
 */
#define FXT_BPF_CONTEXT_MARK	0x6678745f63747874

/* Another constant that user space replaces: enum fxt_bpf_context. */
#define FXT_BPF_CONTEXT_KIND_MARK	0x6678746b

#endif /* BPF_CONTEXT_H */
