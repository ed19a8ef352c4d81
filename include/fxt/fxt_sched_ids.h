/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched_ids.h - the numbers that all archives of fxt-sched share: string indices, the
 * provider, synthetic koids.
 */
#ifndef FXT_FXT_SCHED_IDS_H
#define FXT_FXT_SCHED_IDS_H

#include <linux/types.h>
#include <linux/stddef.h>

/*
 * The strings that producers refer to by index. Each archive registers all of them, except
 * where noted, before its first record that is not metadata. User space defines their texts.
 */
enum fxt_sched_string {
	FXT_STR_INCOMING_WEIGHT	= 1,
	FXT_STR_OUTGOING_WEIGHT	= 2,
	FXT_STR_WEIGHT		= 3,
	FXT_STR_WAKER		= 4,
	FXT_STR_PROCESS		= 5,
	FXT_STR_STATE		= 6,
	FXT_STR_STATE_D		= 7,
	FXT_STR_STATE_I		= 8,
	FXT_STR_STATE_T		= 9,
	FXT_STR_STATE_P		= 10,
	FXT_STR_LEDGER		= 11,
	FXT_STR_SESSION		= 12,
	FXT_STR_CATEGORY	= 13,
	FXT_STR_LOST		= 14,
	FXT_STR_RECORDS		= 15,
	FXT_STR_CGROUP		= 16,
	FXT_STR_TRIGGER		= 17,
	FXT_STR_COMPLETE	= 18,
	FXT_STR_THREAD		= 19,
	FXT_STR_CPU		= 20,
	FXT_STR_LATENCY		= 21,
	FXT_STR_EXEC		= 22,
	FXT_STR_RENAME		= 23,
	FXT_STR_COMM		= 24,
	FXT_STR_OLDCOMM		= 25,
	FXT_STR_NEWCOMM		= 26,
	FXT_STR_RUNNABLE	= 27,
	FXT_STR_SWITCHES	= 28,
	FXT_STR_FORK		= 29,
	FXT_STR_UNKNOWN		= 30,
	FXT_STR_FILTERED	= 31,
	FXT_STR_IRQ		= 32,
	FXT_STR_INTERRUPTED	= 33,
	FXT_STR_HARD		= 34,
	FXT_STR_SOFT		= 35,
	FXT_STR_NMI		= 36,
	FXT_STR_FOLDED		= 37,

	/* Events: fxt_sched_event.h, fxt_sched_load.h. Categories, names and arguments. */
	FXT_STR_SOFTIRQ		= 38,
	FXT_STR_IDLE		= 39,
	FXT_STR_IDLE_MISS	= 40,
	FXT_STR_BELOW		= 41,
	FXT_STR_MIGRATE		= 42,
	FXT_STR_FROM		= 43,
	FXT_STR_TO		= 44,
	FXT_STR_FREQUENCY	= 45,
	FXT_STR_FREQUENCY_LIMITS = 46,
	FXT_STR_KHZ		= 47,
	FXT_STR_MIN_KHZ		= 48,
	FXT_STR_MAX_KHZ		= 49,
	FXT_STR_WORK		= 50,
	/* Soft interrupts, in the kernel's order. */
	FXT_STR_SOFTIRQ_FIRST	= 51,
	FXT_STR_SOFTIRQ_LAST	= 60,
	/* Interrupts of the CPU itself. */
	FXT_STR_VECTOR_LOCAL_TIMER = 61,
	FXT_STR_VECTOR_RESCHEDULE = 62,
	FXT_STR_VECTOR_CALL	= 63,
	FXT_STR_VECTOR_CALL_SINGLE = 64,
	FXT_STR_VECTOR_IRQ_WORK = 65,
	FXT_STR_VECTOR_X86_PLATFORM = 66,
	FXT_STR_VECTOR_THERMAL	= 67,
	FXT_STR_VECTOR_ERROR	= 68,
	FXT_STR_VECTOR_SPURIOUS = 69,
	FXT_STR_VECTOR_THRESHOLD = 70,
	FXT_STR_VECTOR_DEFERRED = 71,
	/* Idle states, by number. A recording registers the names of the machine's states. */
	FXT_STR_IDLE_FIRST	= 72,
	FXT_STR_IDLE_LAST	= 81,
	FXT_STR_EXIT		= 82,
	FXT_STR_CODE		= 83,
	FXT_STR_SIGNAL		= 84,
	FXT_STR_PARENT		= 85,
	FXT_STR_PRIORITY	= 86,
	FXT_STR_OLDPRIO		= 87,
	FXT_STR_NEWPRIO		= 88,
	FXT_STR_CPUS		= 89,
	FXT_STR_THROTTLED	= 90,
	FXT_STR_IPI		= 91,
	FXT_STR_TARGETS		= 92,
	FXT_STR_MASK		= 93,
	FXT_STR_SYSCALL		= 94,
	FXT_STR_RET		= 95,
	FXT_STR_NR		= 96,
	FXT_STR_RUN_QUEUE	= 97,
	FXT_STR_PELT		= 98,
	FXT_STR_UTIL		= 99,
	FXT_STR_LOAD		= 100,
	/* Counters in cpu.stat of a cgroup. */
	FXT_STR_NR_PERIODS	= 101,
	FXT_STR_NR_THROTTLED	= 102,
	FXT_STR_THROTTLED_USEC	= 103,
	/* fxt_sched_stack.h */
	FXT_STR_SYMBOLS		= 104,
	FXT_STR_SAMPLES		= 105,

	/* fxt_mark.h */
	FXT_STR_BEGIN		= 106,
	FXT_STR_END		= 107,
	FXT_STR_ONLINE		= 108,
	FXT_STR_OFFLINE		= 109,

	/* Signals: fxt_sched_event.h */
	FXT_STR_DELIVERED	= 110,
	FXT_STR_RESULT		= 111,
	FXT_STR_HANDLED		= 112,

	FXT_STR_LAST = FXT_STR_HANDLED,

	/*
	 * System calls, by their numbers in the machine's own architecture. Only a recording of
	 * system calls registers them.
	 */
	FXT_STR_SYSCALL_FIRST	= 128,
	FXT_STR_SYSCALL_LAST	= 639,

	/*
	 * Tracepoints that the user chooses: their category, their names and the names of their
	 * fields (fxt_sched_custom.h). Only a recording of such tracepoints registers them.
	 */
	FXT_STR_CUSTOM		= 640,
	FXT_STR_CUSTOM_FIRST	= 641,
};

#define FXT_SCHED_PROVIDER_ID	1
#define FXT_SCHED_PROVIDER_NAME	"fxt_sched"

/* In the description of a recording: the prefix of keys that the user has chosen. */
#define FXT_SCHED_META		"meta."

/* The archive that the programs write and read by default. */
#define FXT_SCHED_ARCHIVE	"sched.fxt"

/*
 * Synthetic koids are beyond the Linux ids (pid_max is at most 2^22) but fit 32 bits. This
 * one is a process with one thread per stream, whose track shows the losses of that stream.
 * The main thread of the process, which has the same koid, has
 *  - the marks of a snapshot: an instant FXT_STR_TRIGGER with the arguments FXT_STR_THREAD,
 *    FXT_STR_CPU and the cause, and an instant FXT_STR_COMPLETE. The cause is
 *    FXT_STR_LATENCY: ns that the thread waited for the CPU; FXT_STR_IRQ or FXT_STR_SOFTIRQ:
 *    ns that an interrupt kept the CPU from the thread; or FXT_STR_RUNNABLE: number of
 *    runnable threads on the CPU, where the thread ran. If the wait was not over, there is
 *    also FXT_STR_UNKNOWN = FXT_STR_END;
 *  - the counters of the CPUs: FXT_STR_CPU with the arguments FXT_STR_RUNNABLE and
 *    FXT_STR_SWITCHES, whose id is the CPU's number.
 */
#define FXT_SCHED_KOID_LOSS	0x7fff0000ULL

/*
 * Synthetic processes for events: one for each kind, with one thread per CPU,
 * fxt_sched_cpu_track(). The main threads of FXT_SCHED_KOID_FREQUENCY and
 * FXT_SCHED_KOID_LOAD have the counters. The process for throttling has a thread for each
 * cgroup on each CPU, fxt_sched_throttle_track(). Its main thread has counters of the
 * category FXT_STR_THROTTLED, whose name is the cgroup's path, whose id is the cgroup's id,
 * and whose arguments are the counters in its cpu.stat.
 */
#define FXT_SCHED_KOID_IRQ	0x7ffe0000ULL
#define FXT_SCHED_KOID_SOFTIRQ	0x7ffd0000ULL
#define FXT_SCHED_KOID_IDLE	0x7ffc0000ULL
#define FXT_SCHED_KOID_FREQUENCY 0x7ffb0000ULL
#define FXT_SCHED_KOID_LOAD	0x7ffa0000ULL
#define FXT_SCHED_KOID_THROTTLE	0x7ff90000ULL
#define FXT_SCHED_KOID_CUSTOM	0x7ff80000ULL	/* counters of tracepoints */
#define FXT_SCHED_KOID_CGROUPS	0x60000000ULL	/* + 2^28: tracks of cgroups on CPUs */

#define FXT_SCHED_TID_END	0x400000U	/* the kernel's PID_MAX_LIMIT */

static __always_inline __u64 fxt_sched_loss_koid(__u32 stream)
{
	return FXT_SCHED_KOID_LOSS + 1 + stream;
}

/** fxt_mark_is_begin() - is @kind a mark whose incoming thread is known? */
static __always_inline int fxt_mark_is_begin(__u32 kind)
{
	return kind == FXT_STR_BEGIN || kind == FXT_STR_ONLINE;
}

/** fxt_mark_is_end() - is @kind a mark whose outgoing thread is known? */
static __always_inline int fxt_mark_is_end(__u32 kind)
{
	return kind == FXT_STR_END || kind == FXT_STR_OFFLINE;
}

/** fxt_is_mark() - is a value of FXT_STR_UNKNOWN the kind of a mark, and not a reason? */
static __always_inline int fxt_is_mark(__u32 kind)
{
	return fxt_mark_is_begin(kind) || fxt_mark_is_end(kind);
}

#endif /* FXT_FXT_SCHED_IDS_H */
