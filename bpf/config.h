/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * config.h - what the BPF programs and source_bpf share besides the rings.
 *
 * In:  what to record. User space sets it before it loads the programs, and the verifier removes
 *      the code that they do not need.
 * Out: what the programs report.
 */
#ifndef BPF_CONFIG_H
#define BPF_CONFIG_H

#include <linux/types.h>

#include "fxt/fxt_glob.h"
#include "fxt/fxt_sched_custom.h"
#include "fxt/fxt_trigger.h"

/*
 * Marks in instructions, which user space replaces by numbers, helpers, functions of the kernel, or
 * addresses. A number in an instruction costs nothing. Loading it would take two instructions,
 * which stay even if the verifier removes the branches that depend on it. libbpf could find the
 * kernel's variable and functions, but would read all types of the kernel for that (types.h); and
 * kernels refuse programs that refer to a variable without an address, even a weak one.
 *
 * Only programs contain marks: libbpf adds the functions that they call when it loads them.
 */
enum fxt_bpf_mark {
	FXT_BPF_MARK_FIRST = 0x66787400,
	FXT_BPF_MARK_RINGS = FXT_BPF_MARK_FIRST, /* address of the only element of "rings" */
	FXT_BPF_MARK_CPUS,		/* mask for CPU numbers */
	/*
	 * last word of a sub-buffer at which an event's record can begin and leave room for another
	 * record; 0 with a filter or a trigger
	 */
	FXT_BPF_MARK_FAST,
	/* address of the only element of "subbufs", if it has all sub-buffers */
	FXT_BPF_MARK_SUBBUF,
	FXT_BPF_MARK_SUBBUF_BYTES,	/* of a sub-buffer */
	/* sub-buffers in that element; 0: each has its own element */
	FXT_BPF_MARK_SUBBUFS,
	FXT_BPF_MARK_NESTING,		/* can programs that write be interrupted? */
	FXT_BPF_MARK_THREADS,		/* address of the only element of "threads" */
	FXT_BPF_MARK_NEAR,		/* threads in it, a power of two */
	FXT_BPF_MARK_PLACES,		/* mask for the offset in bytes of a thread in it */
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

/* Where the preempt count is, which shows the interrupt that a CPU serves. */
enum fxt_bpf_context {
	FXT_BPF_CONTEXT_NONE,		/* unknown: interrupts appear as threads */
	FXT_BPF_CONTEXT_VARIABLE,	/* a per-CPU variable that programs may refer to */
	FXT_BPF_CONTEXT_RUNQUEUE,	/* the same, found by its distance to the run queue */
	FXT_BPF_CONTEXT_THREAD,		/* the current thread's thread_info */
};

#define FXT_BPF_CPUS_MOST	(1U << 16)

/* The verifier lets programs add up to half a GiB to an address. */
#define FXT_BPF_SUBBUFS_BYTES	(1U << 28)

#define FXT_BPF_THREAD_BYTES	8	/* of struct thread */

/* Before Linux 5.17, an element of a map has at most 4 MiB. */
#define FXT_BPF_NEAR_THREADS	(1U << 19)

/* In an element of the map "renames", which has at least 8 bytes. */
#define FXT_RENAMES_PER_ELEMENT	4

/* --- filter and trigger ------------------------------------------------------------- */

#define FXT_BPF_CPUS	8192		/* the kernel's largest NR_CPUS */
#define FXT_BPF_PIDS	64

struct fxt_bpf_filter {
	__u32 on;		/* any filter below is set */
	__u32 threads;		/* by_pid, by_comm or by_cgroup is set */
	__u32 by_cpu;		/* only CPUs of @has_cpu */
	__u32 by_pid;		/* only threads of @pids, and of their future children */
	__u32 by_comm;		/* only threads whose name matches @comm */
	__u32 by_cgroup;	/* only threads in or below @cgroup_id */
	__u32 cgroup_level;	/* its depth in the hierarchy */
	__u32 pid_count;
	__u64 cgroup_id;	/* the kernel's id */
	__u32 pids[FXT_BPF_PIDS];
	__u8 has_cpu[FXT_BPF_CPUS];	/* 0 or 1 */
	struct fxt_glob comm;
};

struct fxt_bpf_trigger {
	/*
	 * by FXT_SCHED_CAUSE_*, what must be exceeded, 0: this cause does not fire it. ns of a wait
	 * from wakeup to switch-in, a sleep, a wait for a lock or an interrupt; threads on a run
	 * queue, including the running one
	 */
	__u64 limit[FXT_SCHED_CAUSES];
	__u64 after;		/* ns to record after firing */
	__u32 pid;		/* only threads of this process; 0: all */
	__u32 by_comm;		/* only threads whose name matches @comm */
	__u32 on;
	struct fxt_glob comm;
};

/* The event that fired the trigger. */
struct fxt_bpf_hit {
	__u64 time;	/* ticks of its record, or of the run queue's change */
	__u64 value;	/* ns of the wait, sleep or interrupt; threads on the run queue */
	__u32 thread;	/* that waited, was interrupted, or ran */
	/*
	 * the thread waited for it, was woken or got the lock on it; it has the interrupt or the
	 * run queue
	 */
	__u32 cpu;
	__u32 cause;	/* enum fxt_sched_cause */
	__u32 goes_on;	/* the wait was not over at @time, so no record has that time */
	__u32 user;	/* of @thread if it waited; FXT_BPF_NO_USER for other causes */
	__u32 lock_kind;	/* of @lock, enum fxt_lock_kind */
	__u64 lock;	/* address of the lock that it waited for; 0: none */
	__u32 holder;	/* thread id of who had @lock; 0: unknown */
	__u32 holder_sleeps;	/* at @time */
};

#define FXT_BPF_NO_USER		(~0U)
#define FXT_BPF_RAISED		FXT_SCHED_LIMITS_MAX

/* Limits of users above that of the trigger. */
struct fxt_bpf_raised {
	__u32 cause;
	__u32 user;		/* first id */
	__u32 last_user;
	__u32 padding;
	__u64 limit;		/* as fxt_bpf_trigger.limit; 0: this entry is free */
};

/*
 * --- tracepoints that the user chooses ---
 *
 * User space finds the fields in the kernel's types before it loads the programs.
 */

#define FXT_BPF_CUSTOM_STEPS	4	/* pointers on the way to a field, at most */
#define FXT_BPF_CUSTOM_ARGS	12	/* of the kernel's largest tracepoint */

enum fxt_bpf_field_kind {
	FXT_BPF_FIELD_NONE,		/* end of the fields */
	FXT_BPF_FIELD_SIGNED,
	FXT_BPF_FIELD_UNSIGNED,
	FXT_BPF_FIELD_BOOL,
	FXT_BPF_FIELD_POINTER,
	FXT_BPF_FIELD_STRING,
};

struct fxt_bpf_field {
	__u32 kind;	/* enum fxt_bpf_field_kind */
	__u32 arg;	/* argument of the tracepoint that leads to the field */
	__u32 steps;	/* pointers to follow */
	/* offset of each pointer from the one before it, or from the argument */
	__u32 at[FXT_BPF_CUSTOM_STEPS];
	/* the field is in memory, @offset bytes from the last pointer; else it is the argument */
	__u32 memory;
	__u32 offset;
	__u32 size;	/* bytes of memory to read, 1 to 8 */
	__u32 shift;	/* bits below the field in that memory */
	__u32 bits;	/* of the field */
};

struct fxt_bpf_custom {
	__u32 counter;			/* else an instant */
	__u32 has_id;			/* the first field is the counter's id */
	/* with @has_id the first one does not become an argument */
	struct fxt_bpf_field fields[FXT_SCHED_CUSTOM_FIELDS];
};

/* --- call stacks -------------------------------------------------------------------- */

/* Threads off the CPU whose programs' stacks can be stored. */
#define FXT_BPF_USER_STACKS	32768

struct fxt_bpf_stacks {
	__u32 on;	/* any of the next three */
	__u32 blocked;	/* of threads that slept, at their switch-in */
	__u32 preempted;	/* of threads that were preempted, at their switch-in */
	__u32 wakers;	/* of what wakes a thread that slept */
	__u32 kernel;	/* bytes for frames of the kernel; 0: none */
	__u32 user;	/* bytes for frames of programs; 0: none */
	__u32 has_registers;	/* the kernel has bpf_task_pt_regs() */
	__u32 walks;	/* programs may walk kernel stacks without the unwinder */
	/* let the kernel also unwind each walked stack, and count differences */
	__u32 check;
	__u32 period;	/* ns between the samples of a CPU; 0: none */
	__u64 min;	/* ns that the thread must be off the CPU */
};

/* Walked stacks compared with what the kernel unwound. */
struct fxt_bpf_stack_checks {
	__u64 stacks;
	__u64 wrong;	/* stacks that differed */
};

/* --- what the programs report ------------------------------------------------------- */

/* A thread that was woken or sleeps. Elements are in the order of the tables of threads. */
struct fxt_bpf_wait {
	__u64 since;	/* see fxt_trigger.h; 0 after the switch-in */
	/*
	 * address of its task_struct; valid while @since is the same. With a limit for locks also
	 * that of the newest thread with this id, which may have ended
	 */
	__u64 task;
};

#define FXT_BPF_WAIT_GROUPS	64	/* in an element of the map "wait_groups" */

struct fxt_bpf_wait_groups {	/* FXT_WAITS_*, each of FXT_WAITS_GROUP threads */
	__u8 state[FXT_BPF_WAIT_GROUPS];
};

struct fxt_bpf_owner {
	__u64 time;	/* ticks */
	__u32 thread;	/* 0: the idle thread */
	__s32 weight;	/* as in records of switches */
	__u64 steal;	/* ns that the hypervisor took from the CPU; 0: unknown */
};

#endif /* BPF_CONFIG_H */
