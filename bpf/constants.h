/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * constants.h - constants of the BPF programs that source_bpf chooses before it loads them.
 */
#ifndef BPF_CONSTANTS_H
#define BPF_CONSTANTS_H

/*
 * Marks in instructions, which user space replaces: by numbers, helpers, functions of the kernel,
 * or addresses. A number in an instruction costs nothing. Loading it from memory would take two
 * instructions, which stay even if the verifier removes the branches that depend on it. libbpf
 * could find the kernel's variable and functions, but would read all types of the kernel for that
 * (types.h), and kernels refuse programs that refer to a variable without an address, even if it is
 * weak.
 *
 * The marks are in programs only: libbpf adds the functions that they call when it loads them.
 */
enum fxt_bpf_mark {
	FXT_BPF_MARK_FIRST = 0x66787400,
	FXT_BPF_MARK_RINGS = FXT_BPF_MARK_FIRST, /* address of the only element of "rings" */
	FXT_BPF_MARK_CPUS,		/* mask for CPU numbers */
	FXT_BPF_MARK_FAST,		/* the last word of a sub-buffer at which an event's record
					 * can begin so that there is room for another record after
					 * it; 0 with a filter or a trigger */
	FXT_BPF_MARK_SUBBUF,		/* address of the only element of "subbufs", if one element
					 * has all sub-buffers */
	FXT_BPF_MARK_SUBBUF_BYTES,	/* size of a sub-buffer */
	FXT_BPF_MARK_SUBBUFS,		/* sub-buffers in that element; 0: each has its own element */
	FXT_BPF_MARK_NESTING,		/* can programs that write be interrupted? */
	FXT_BPF_MARK_THREADS,		/* address of the only element of "threads" */
	FXT_BPF_MARK_NEAR,		/* number of threads in it, a power of two */
	FXT_BPF_MARK_PLACES,		/* mask for the offset of a thread in it, in bytes */
	FXT_BPF_MARK_CLOCK,		/* helper that reads the clock */
	FXT_BPF_MARK_WEIGHT,		/* enum fxt_bpf_weight */
	FXT_BPF_MARK_PREV_STATE,	/* does sched_switch have prev_state? */
	FXT_BPF_MARK_CONTEXT,		/* enum fxt_bpf_context */
	FXT_BPF_MARK_PREEMPT_COUNT,	/* address of the variable, for FXT_BPF_CONTEXT_VARIABLE */
	FXT_BPF_MARK_IRQ_SAVE,		/* bpf_local_irq_save(), if the kernel has it */
	FXT_BPF_MARK_IRQ_RESTORE,	/* likewise bpf_local_irq_restore() */
	FXT_BPF_MARK_END,
};

#define FXT_BPF_MARKS	(FXT_BPF_MARK_END - FXT_BPF_MARK_FIRST)

enum fxt_bpf_clock {
	FXT_BPF_CLOCK_BOOT,
	FXT_BPF_CLOCK_MONO,
};

enum fxt_bpf_weight {
	FXT_BPF_WEIGHT_LOAD,		/* fxt_sched_weight() */
	FXT_BPF_WEIGHT_PRIO,		/* fxt_sched_prio() */
	FXT_BPF_WEIGHT_NONE,		/* fxt_sched_no_weight() */
};

/* Place of the preempt count, which shows the kind of interrupt that a CPU serves. */
enum fxt_bpf_context {
	FXT_BPF_CONTEXT_NONE,		/* unknown: interrupts appear as threads */
	FXT_BPF_CONTEXT_VARIABLE,	/* a per-CPU variable that programs may refer to */
	FXT_BPF_CONTEXT_RUNQUEUE,	/* the same, found by its distance to the run queue */
	FXT_BPF_CONTEXT_THREAD,		/* the current thread's thread_info */
};

#define FXT_BPF_CPUS_MOST	(1U << 16)

/* The verifier lets programs add up to half a GiB to an address. */
#define FXT_BPF_SUBBUFS_BYTES	(1U << 28)

#define FXT_BPF_THREAD_BYTES	8	/* size of struct thread */

/* Before Linux 5.17, an element of a map has at most 4 MiB. */
#define FXT_BPF_NEAR_THREADS	(1U << 19)

/* Threads in an element of the map "renames": elements have at least 8 bytes. */
#define FXT_RENAMES_PER_ELEMENT	4

#endif /* BPF_CONSTANTS_H */
