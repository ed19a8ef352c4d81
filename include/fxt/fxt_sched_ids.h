/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched_ids.h - the numbers that all archives of fxt-sched share: string indices, the provider,
 * synthetic koids.
 */
#ifndef FXT_FXT_SCHED_IDS_H
#define FXT_FXT_SCHED_IDS_H

#include <linux/types.h>
#include <linux/stddef.h>

/*
 * FXT_SCHED_STRINGS(X) - expands X(index, text) for each string that producers refer to by index
 *
 * Each archive registers all of them, except where noted, before its first record that is not
 * metadata; readers recognize their texts.
 *
 * Indices count in the order of two lists: FXT_SCHED_STRINGS_FIRST from 1, FXT_SCHED_STRINGS_MORE
 * from FXT_STR_MORE. New strings go to the end of the second.
 */
#define FXT_SCHED_STRINGS(X)	FXT_SCHED_STRINGS_FIRST(X) FXT_SCHED_STRINGS_MORE(X)

#define FXT_SCHED_STRINGS_FIRST(X)						\
	X(FXT_STR_INCOMING_WEIGHT,	"incoming_weight")			\
	X(FXT_STR_OUTGOING_WEIGHT,	"outgoing_weight")			\
	X(FXT_STR_WEIGHT,		"weight")				\
	X(FXT_STR_WAKER,		"waker")				\
	X(FXT_STR_PROCESS,		"process")				\
	X(FXT_STR_STATE,		"state")				\
	X(FXT_STR_STATE_D,		"D")					\
	X(FXT_STR_STATE_I,		"I")					\
	X(FXT_STR_STATE_T,		"t")					\
	X(FXT_STR_STATE_P,		"P")					\
	X(FXT_STR_LEDGER,		"fxt_sched.ledger")			\
	X(FXT_STR_SESSION,		"fxt_sched.session")			\
	X(FXT_STR_CATEGORY,		"fxt_sched")				\
	X(FXT_STR_LOST,			"lost")					\
	X(FXT_STR_RECORDS,		"records")				\
	X(FXT_STR_CGROUP,		"cgroup")				\
	X(FXT_STR_TRIGGER,		"trigger")				\
	X(FXT_STR_COMPLETE,		"complete on all CPUs from here")	\
	X(FXT_STR_THREAD,		"thread")				\
	X(FXT_STR_CPU,			"cpu")					\
	X(FXT_STR_LATENCY,		"latency_ns")				\
	X(FXT_STR_EXEC,			"exec")					\
	X(FXT_STR_RENAME,		"rename")				\
	X(FXT_STR_COMM,			"comm")					\
	X(FXT_STR_OLDCOMM,		"oldcomm")				\
	X(FXT_STR_NEWCOMM,		"newcomm")				\
	X(FXT_STR_RUNNABLE,		"runnable")				\
	X(FXT_STR_SWITCHES,		"switches/s")				\
	X(FXT_STR_FORK,			"fork")					\
	X(FXT_STR_UNKNOWN,		"unknown")				\
	X(FXT_STR_FILTERED,		"filtered")				\
	X(FXT_STR_IRQ,			"irq")					\
	X(FXT_STR_INTERRUPTED,		"interrupted")				\
	X(FXT_STR_HARD,			"hard")					\
	X(FXT_STR_SOFT,			"soft")					\
	X(FXT_STR_NMI,			"nmi")					\
	X(FXT_STR_FOLDED,		"folded")				\
	/* Events: fxt_sched_event.h, fxt_sched_load.h. Categories, names and arguments. */ \
	X(FXT_STR_SOFTIRQ,		"softirq")				\
	X(FXT_STR_IDLE,			"idle")					\
	X(FXT_STR_IDLE_MISS,		"idle miss")				\
	X(FXT_STR_BELOW,		"below")				\
	X(FXT_STR_MIGRATE,		"migrate")				\
	X(FXT_STR_FROM,			"from")					\
	X(FXT_STR_TO,			"to")					\
	X(FXT_STR_FREQUENCY,		"frequency")				\
	X(FXT_STR_FREQUENCY_LIMITS,	"frequency limits")			\
	X(FXT_STR_KHZ,			"kHz")					\
	X(FXT_STR_MIN_KHZ,		"min_kHz")				\
	X(FXT_STR_MAX_KHZ,		"max_kHz")				\
	X(FXT_STR_WORK,			"work")					\
	/* Soft interrupts, in the kernel's order. */				\
	X(FXT_STR_SOFTIRQ_FIRST,	"HI")					\
	X(FXT_STR_SOFTIRQ_TIMER,	"TIMER")				\
	X(FXT_STR_SOFTIRQ_NET_TX,	"NET_TX")				\
	X(FXT_STR_SOFTIRQ_NET_RX,	"NET_RX")				\
	X(FXT_STR_SOFTIRQ_BLOCK,	"BLOCK")				\
	X(FXT_STR_SOFTIRQ_IRQ_POLL,	"IRQ_POLL")				\
	X(FXT_STR_SOFTIRQ_TASKLET,	"TASKLET")				\
	X(FXT_STR_SOFTIRQ_SCHED,	"SCHED")				\
	X(FXT_STR_SOFTIRQ_HRTIMER,	"HRTIMER")				\
	X(FXT_STR_SOFTIRQ_LAST,		"RCU")					\
	/* Interrupts of the CPU itself. */					\
	X(FXT_STR_VECTOR_LOCAL_TIMER,	"local timer")				\
	X(FXT_STR_VECTOR_RESCHEDULE,	"reschedule")				\
	X(FXT_STR_VECTOR_CALL,		"function call")			\
	X(FXT_STR_VECTOR_CALL_SINGLE,	"single function call")			\
	X(FXT_STR_VECTOR_IRQ_WORK,	"irq work")				\
	X(FXT_STR_VECTOR_X86_PLATFORM,	"platform IPI")				\
	X(FXT_STR_VECTOR_THERMAL,	"thermal")				\
	X(FXT_STR_VECTOR_ERROR,		"APIC error")				\
	X(FXT_STR_VECTOR_SPURIOUS,	"spurious")				\
	X(FXT_STR_VECTOR_THRESHOLD,	"threshold")				\
	X(FXT_STR_VECTOR_DEFERRED,	"deferred error")			\
	/* Idle states, by number. A recording registers the names of the machine's states. */ \
	X(FXT_STR_IDLE_FIRST,		"state 0")				\
	X(FXT_STR_IDLE_1,		"state 1")				\
	X(FXT_STR_IDLE_2,		"state 2")				\
	X(FXT_STR_IDLE_3,		"state 3")				\
	X(FXT_STR_IDLE_4,		"state 4")				\
	X(FXT_STR_IDLE_5,		"state 5")				\
	X(FXT_STR_IDLE_6,		"state 6")				\
	X(FXT_STR_IDLE_7,		"state 7")				\
	X(FXT_STR_IDLE_8,		"state 8")				\
	X(FXT_STR_IDLE_LAST,		"state 9")				\
	/* More events. */							\
	X(FXT_STR_EXIT,			"exit")					\
	X(FXT_STR_CODE,			"code")					\
	X(FXT_STR_SIGNAL,		"signal")				\
	X(FXT_STR_PARENT,		"parent")				\
	X(FXT_STR_PRIORITY,		"priority")				\
	X(FXT_STR_OLDPRIO,		"oldprio")				\
	X(FXT_STR_NEWPRIO,		"newprio")				\
	X(FXT_STR_CPUS,			"cpus")					\
	X(FXT_STR_THROTTLED,		"throttled")				\
	X(FXT_STR_IPI,			"ipi")					\
	X(FXT_STR_TARGETS,		"targets")				\
	X(FXT_STR_MASK,			"mask")					\
	X(FXT_STR_SYSCALL,		"syscall")				\
	X(FXT_STR_RET,			"ret")					\
	X(FXT_STR_NR,			"nr")					\
	X(FXT_STR_RUN_QUEUE,		"run queue")				\
	X(FXT_STR_PELT,			"pelt")					\
	X(FXT_STR_UTIL,			"util")					\
	X(FXT_STR_LOAD,			"load")					\
	/* Counters in cpu.stat of a cgroup. */					\
	X(FXT_STR_NR_PERIODS,		"nr_periods")				\
	X(FXT_STR_NR_THROTTLED,		"nr_throttled")				\
	X(FXT_STR_THROTTLED_USEC,	"throttled_usec")			\
	/* fxt_sched_stack.h */							\
	X(FXT_STR_SYMBOLS,		"fxt_sched.symbols")			\
	X(FXT_STR_SAMPLES,		"fxt_sched.samples")			\
	/* fxt_mark.h */							\
	X(FXT_STR_BEGIN,		"begin")				\
	X(FXT_STR_END,			"end")					\
	X(FXT_STR_ONLINE,		"online")				\
	X(FXT_STR_OFFLINE,		"offline")				\
	/* Signals: fxt_sched_event.h */					\
	X(FXT_STR_DELIVERED,		"signal delivered")			\
	X(FXT_STR_RESULT,		"result")				\
	X(FXT_STR_HANDLED,		"handled")				\
	/* fxt_sched_name.h */							\
	X(FXT_STR_SEEN,			"seen")					\
	X(FXT_STR_ATTACH,		"attach")				\
	/* fxt_lock.h */							\
	X(FXT_STR_LOCK,			"lock")					\
	X(FXT_STR_HOLDER,		"holder")				\
	/* Requests of block devices: fxt_sched_block.h */			\
	X(FXT_STR_BLOCK,		"block")				\
	X(FXT_STR_QUEUED,		"queued")				\
	X(FXT_STR_REQUEST,		"request")				\
	X(FXT_STR_OPERATION,		"operation")				\
	X(FXT_STR_SECTOR,		"sector")				\
	X(FXT_STR_BYTES,		"bytes")

#define FXT_SCHED_STRINGS_MORE(X)						\
	X(FXT_STR_STEAL,		"steal")				\
	/* fxt_sched_timer.h */							\
	X(FXT_STR_TIMER,		"timer")				\
	X(FXT_STR_NS,			"ns")					\
	X(FXT_STR_BLOCKED,		"blocked")				\
	X(FXT_STR_SLEEP,		"sleep")				\
	/* fxt_sched_memory.h */						\
	X(FXT_STR_MEMORY,		"memory")				\
	X(FXT_STR_DIRECT_RECLAIM,	"direct reclaim")			\
	X(FXT_STR_CGROUP_RECLAIM,	"cgroup reclaim")			\
	X(FXT_STR_COMPACTION,		"compaction")				\
	X(FXT_STR_PAGES,		"pages")				\
	/* fxt_sched_net.h */							\
	X(FXT_STR_NET,			"net")					\
	X(FXT_STR_TCP_DATA,		"TCP data")				\
	X(FXT_STR_TCP_CONNECTION,	"TCP connection")			\
	X(FXT_STR_UDP_DATA,		"UDP data")				\
	X(FXT_STR_SOCKET_DATA,		"socket data")				\
	X(FXT_STR_PROTOCOL,		"protocol")				\
	X(FXT_STR_FAMILY,		"family")				\
	X(FXT_STR_LOCAL_PORT,		"local_port")				\
	X(FXT_STR_REMOTE_PORT,		"remote_port")				\
	/* fxt_sched_block.h */							\
	X(FXT_STR_DEVICE,		"device")				\
	/* fxt_lock.h */							\
	X(FXT_STR_WAKER_LOCK,		"waker_lock")				\
	/* The lock of a trigger's mark. */					\
	X(FXT_STR_LOCK_KIND,		"lock_kind")				\
	X(FXT_STR_LOCK_ADDRESS,		"lock_address")

#define FXT_SCHED_STRING_INDEX(index, text)	index,

enum fxt_sched_string {
	FXT_STR_NONE,
	FXT_SCHED_STRINGS_FIRST(FXT_SCHED_STRING_INDEX)

	/*
	 * System calls, by number in the machine's own architecture. Only a recording of system
	 * calls registers them.
	 */
	FXT_STR_SYSCALL_FIRST	= 128,
	FXT_STR_SYSCALL_LAST	= 639,

	/*
	 * Tracepoints that the user chooses: their category, names and names of fields
	 * (fxt_sched_custom.h). Only a recording of such tracepoints registers them.
	 */
	FXT_STR_CUSTOM		= 640,
	FXT_STR_CUSTOM_FIRST	= 641,

	FXT_STR_MORE		= 704,	/* behind those of all tracepoints */
	FXT_STR_BEFORE_MORE	= FXT_STR_MORE - 1,
	FXT_SCHED_STRINGS_MORE(FXT_SCHED_STRING_INDEX)
	FXT_STR_BEHIND_LAST,
	FXT_STR_LAST = FXT_STR_BEHIND_LAST - 1,
};

#define FXT_SCHED_PROVIDER_ID	1
#define FXT_SCHED_PROVIDER_NAME	"fxt_sched"

/* Prefix of keys in the description of a recording that the user has chosen. */
#define FXT_SCHED_META		"meta."

/*
 * Key and value in the description of a recording: all hierarchies of cgroups are one, that of
 * version 2. So each path in the archive is in it, and its files have the limits of memory and of
 * CPU time. Without the line, a path may be that of another controller.
 */
#define FXT_SCHED_CGROUPS	"cgroups"
#define FXT_SCHED_CGROUPS_V2	"v2"

/* The archive that the programs write and read by default. */
#define FXT_SCHED_ARCHIVE	"sched.fxt"

/*
 * Synthetic koids are beyond the Linux ids (pid_max is at most 2^22) but fit 32 bits. This process
 * has one thread per stream, whose track shows the losses of that stream. Its main thread, with the
 * same koid, has
 *  - the marks of a snapshot: an instant FXT_STR_TRIGGER with the arguments FXT_STR_THREAD,
 *    FXT_STR_CPU and the cause, and an instant FXT_STR_COMPLETE. The cause is
 *    FXT_STR_LATENCY: ns that the thread waited for the CPU; FXT_STR_IRQ or FXT_STR_SOFTIRQ:
 *    ns that an interrupt kept the CPU from the thread; FXT_STR_RUNNABLE: number of
 *    runnable threads on the CPU, where the thread ran; FXT_STR_BLOCKED or FXT_STR_SLEEP: ns
 *    from the switch-out of the thread to its wakeup on the CPU; or FXT_STR_LOCK: ns that the
 *    thread waited for a lock. If the wait or the sleep was not over, there is also
 *    FXT_STR_UNKNOWN = FXT_STR_END;
 *  - the counters of the CPUs: FXT_STR_CPU with the arguments FXT_STR_RUNNABLE and
 *    FXT_STR_SWITCHES, whose id is the CPU's number.
 */
#define FXT_SCHED_KOID_LOSS	0x7fff0000ULL

/*
 * Synthetic processes for events: one for each kind, with one thread per CPU,
 * fxt_sched_cpu_track(). The main threads of FXT_SCHED_KOID_FREQUENCY, FXT_SCHED_KOID_LOAD
 * and FXT_SCHED_KOID_STEAL have the counters. The process for throttling has a thread for each
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
#define FXT_SCHED_KOID_BLOCK	0x7ff70000ULL
#define FXT_SCHED_KOID_TIMER	0x7ff60000ULL
#define FXT_SCHED_KOID_STEAL	0x7ff50000ULL
#define FXT_SCHED_KOID_NET	0x7ff40000ULL
#define FXT_SCHED_KOID_CGROUPS	0x60000000ULL	/* + 2^28: tracks of cgroups on CPUs */

#define FXT_SCHED_TID_END	0x400000U	/* the kernel's PID_MAX_LIMIT */

static __always_inline __u64 fxt_sched_loss_koid(__u32 stream)
{
	return FXT_SCHED_KOID_LOSS + 1 + stream;
}

/* Is @kind a mark whose incoming thread is known? */
static __always_inline int fxt_mark_is_begin(__u32 kind)
{
	return kind == FXT_STR_BEGIN || kind == FXT_STR_ONLINE;
}

/* Is @kind a mark whose outgoing thread is known? */
static __always_inline int fxt_mark_is_end(__u32 kind)
{
	return kind == FXT_STR_END || kind == FXT_STR_OFFLINE;
}

/* Is a value of FXT_STR_UNKNOWN the kind of a mark, and not a reason? */
static __always_inline int fxt_is_mark(__u32 kind)
{
	return fxt_mark_is_begin(kind) || fxt_mark_is_end(kind);
}

#endif /* FXT_FXT_SCHED_IDS_H */
