/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * config.h - what the BPF programs and source_bpf share beside the rings.
 *
 * In:  what to record. User space sets it before it loads the programs, and the verifier removes
 * the code that they do not need.
 * Out: what the programs report.
 */
#ifndef BPF_CONFIG_H
#define BPF_CONFIG_H

#include <linux/types.h>

#include "fxt/fxt_glob.h"
#include "fxt/fxt_sched_custom.h"
#include "fxt/fxt_trigger.h"

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
	/*
	 * the last word of a sub-buffer at which an event's record can begin so that there is room
	 * for another record after it; 0 with a filter or a trigger
	 */
	FXT_BPF_MARK_FAST,
	/* address of the only element of "subbufs", if one element has all sub-buffers */
	FXT_BPF_MARK_SUBBUF,
	FXT_BPF_MARK_SUBBUF_BYTES,	/* size of a sub-buffer */
	/* sub-buffers in that element; 0: each has its own element */
	FXT_BPF_MARK_SUBBUFS,
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

/* --- filter and trigger ------------------------------------------------------------- */

#define FXT_BPF_CPUS	8192		/* the kernel's largest NR_CPUS */
#define FXT_BPF_PIDS	64

/** struct fxt_bpf_filter - which switches and wakeups are recorded */
struct fxt_bpf_filter {
	__u32 on;		/* any filter below is set; 0: all events are recorded */
	__u32 threads;		/* by_pid, by_comm or by_cgroup is set */
	__u32 by_cpu;		/* only those on CPUs of @has_cpu */
	__u32 by_pid;		/* only those of threads of @pids, and of their future children */
	__u32 by_comm;		/* only those of threads whose name matches @comm */
	__u32 by_cgroup;	/* only those of threads in the cgroup @cgroup_id, or below it */
	__u32 cgroup_level;	/* depth of that cgroup in the hierarchy */
	__u32 pid_count;
	__u64 cgroup_id;	/* the kernel's id of the cgroup */
	__u32 pids[FXT_BPF_PIDS];
	__u8 has_cpu[FXT_BPF_CPUS];	/* for each CPU, 0 or 1 */
	struct fxt_glob comm;
};

/** struct fxt_bpf_trigger - conditions under which the programs end the recording */
struct fxt_bpf_trigger {
	/*
	 * for each FXT_SCHED_CAUSE_*, the value that must be exceeded, 0: never fire: ns of a wait
	 * from wakeup to switch-in, of a sleep, of a wait for a lock, or of an interrupt; or number
	 * of threads on a run queue, including the running one
	 */
	__u64 limit[FXT_SCHED_CAUSES];
	__u64 after;		/* ns to record after the trigger has fired */
	__u32 pid;		/* only threads of this process, 0 for all */
	__u32 by_comm;		/* only threads whose name matches @comm */
	__u32 on;
	struct fxt_glob comm;
};

/** struct fxt_bpf_hit - the event that fired the trigger */
struct fxt_bpf_hit {
	/*
	 * ticks of the record of the switch-in, wakeup, wait for a lock or interrupt, or of the
	 * change of the run queue
	 */
	__u64 time;
	__u64 value;	/* ns of the wait, sleep or interrupt, or threads on the run queue */
	__u32 thread;	/* id of the thread that waited, was interrupted, or ran */
	/*
	 * the CPU that the thread waited for, or on which it was woken or got the lock; the one
	 * that has the interrupt or the run queue
	 */
	__u32 cpu;
	__u32 cause;	/* enum fxt_sched_cause */
	__u32 goes_on;	/* the wait was not over at @time, so no record has that time */
	__u32 user;	/* the user whose thread waited; FXT_BPF_NO_USER for other causes */
};

#define FXT_BPF_NO_USER		(~0U)
#define FXT_BPF_RAISED		FXT_SCHED_LIMITS_MAX

/** struct fxt_bpf_raised - users' own limit of a cause, above that of the trigger */
struct fxt_bpf_raised {
	__u32 cause;
	__u32 user;		/* the first one's id, to @last_user */
	__u32 last_user;
	__u32 padding;
	__u64 limit;		/* in the unit of the cause's limit; 0: this entry is free */
};

/*
 * --- tracepoints that the user chooses ---
 *
 * Before user space loads the programs, it computes from the kernel's types where each field is.
 */

#define FXT_BPF_CUSTOM_STEPS	4	/* the most pointers on the way to a field */
#define FXT_BPF_CUSTOM_ARGS	12	/* arguments of the kernel's largest tracepoint */

enum fxt_bpf_field_kind {
	FXT_BPF_FIELD_NONE,		/* no field: the end */
	FXT_BPF_FIELD_SIGNED,
	FXT_BPF_FIELD_UNSIGNED,
	FXT_BPF_FIELD_BOOL,
	FXT_BPF_FIELD_POINTER,
	FXT_BPF_FIELD_STRING,
};

/** struct fxt_bpf_field - where a field is */
struct fxt_bpf_field {
	__u32 kind;	/* enum fxt_bpf_field_kind */
	__u32 arg;	/* the tracepoint's argument that leads to the field */
	__u32 steps;	/* number of pointers to follow */
	/*
	 * offset of each pointer in the struct that the pointer before it, or the argument, refers
	 * to
	 */
	__u32 at[FXT_BPF_CUSTOM_STEPS];
	/* the field is in memory, at @offset from the last pointer; else it is the argument */
	__u32 memory;
	__u32 offset;	/* in bytes */
	__u32 size;	/* size of the memory to read, 1 to 8 bytes */
	__u32 shift;	/* number of bits below the field in that memory */
	__u32 bits;	/* number of bits of the field */
};

/** struct fxt_bpf_custom - the record of a tracepoint */
struct fxt_bpf_custom {
	__u32 counter;			/* it is a counter, not an instant */
	__u32 has_id;			/* its first field is the counter's id */
	/* the fields; with @has_id the first one does not become an argument */
	struct fxt_bpf_field fields[FXT_SCHED_CUSTOM_FIELDS];
};

/* --- call stacks -------------------------------------------------------------------- */

/* The most threads whose programs' stacks can be stored while the threads are off the CPU. */
#define FXT_BPF_USER_STACKS	32768

/** struct fxt_bpf_stacks - stacks to record */
struct fxt_bpf_stacks {
	__u32 on;	/* any of the following three */
	__u32 blocked;	/* stacks of threads that slept, when they are switched in */
	__u32 preempted;	/* stacks of threads that were preempted, likewise */
	__u32 wakers;	/* stacks of the thread or interrupt that wakes a thread that slept */
	__u32 kernel;	/* bytes for frames of the kernel; 0: none are recorded */
	__u32 user;	/* bytes for frames of programs; 0: none are recorded */
	__u32 has_registers;	/* the kernel has bpf_task_pt_regs() */
	__u32 walks;	/* the programs may walk stacks of the kernel without its unwinder */
	/* let the kernel unwind each stack that was walked, too, and count differences */
	__u32 check;
	__u32 period;	/* ns between the samples of a CPU; 0: none are recorded */
	__u64 min;	/* ns that the thread must have been off the CPU */
};

/** struct fxt_bpf_stack_checks - comparisons of walked stacks with what the kernel unwound */
struct fxt_bpf_stack_checks {
	__u64 stacks;
	__u64 wrong;	/* number of stacks that differed */
};

/* --- what the programs report ------------------------------------------------------- */

/**
 * struct fxt_bpf_wait - a thread that was woken or sleeps; elements have the same order as the
 * tables of threads
 */
struct fxt_bpf_wait {
	__u64 since;	/* as fxt_trigger.h has it; 0 once it has been switched in */
	__u64 task;	/* address of its task_struct; valid as long as @since stays the same */
};

#define FXT_BPF_WAIT_GROUPS	64	/* groups in an element of the map "wait_groups" */

/** struct fxt_bpf_wait_groups - FXT_WAITS_* for groups of FXT_WAITS_GROUP threads each */
struct fxt_bpf_wait_groups {
	__u8 state[FXT_BPF_WAIT_GROUPS];
};

/** struct fxt_bpf_owner - the thread that has a CPU */
struct fxt_bpf_owner {
	__u64 time;	/* ticks */
	__u32 thread;	/* 0: the idle thread */
	__s32 weight;	/* the thread's weight, as in records of switches */
	__u64 steal;	/* ns in which the hypervisor ran something else on the CPU; 0: unknown */
};

#endif /* BPF_CONFIG_H */
