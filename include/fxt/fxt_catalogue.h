/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_catalogue.h - tables of all events of the kernel except switches and wakeups, and of the
 * causes of a trigger.
 *
 * There are lists of the groups that a user can choose, of the events of each group, and of the
 * records that an event can have. Each is a macro that expands another macro for each row, so a
 * program takes from a row what it needs; the rest costs nothing. The module and the BPF programs
 * need none of it.
 *
 * The lists yield the masks and names of groups, the texts of fxt-collect about them, and how
 * readers recognize and convert the records. Builders of the records (fxt_sched_event.h,
 * fxt_sched_block.h, fxt_sched_memory.h, fxt_sched_timer.h, fxt_sched_net.h, fxt_sched_load.h) and
 * the probes are written by hand.
 */
#ifndef FXT_FXT_CATALOGUE_H
#define FXT_FXT_CATALOGUE_H

#include "fxt_trigger.h"

/* Not in the module's interface: always on, or for BPF only. */
#define FXT_SCHED_EVENTS_SCHED		(1ULL << 0)	/* switches, wakeups, moves, names */
#define FXT_SCHED_EVENTS_THROTTLE	(1ULL << 9)	/* cgroups that used up their quota */
#define FXT_SCHED_EVENTS_LOAD		(1ULL << 10)	/* lengths of run queues, PELT */

/* Who can record a group. */
#define FXT_BY_MODULE	1
#define FXT_BY_BPF	2
#define FXT_BY_BOTH	(FXT_BY_MODULE | FXT_BY_BPF)

/*
 * GROUP(bit, name, who, since, what, bytes, instructions), in the order of help texts
 *
 * @bit: FXT_SCHED_EVENTS_*, without that prefix
 * @who: FXT_BY_*
 * @since: the first kernel that has it; NULL: all supported kernels have it
 * @what: what is recorded
 * @bytes: size of the records
 * @instructions: of the kernel for each event, with the module / with BPF, as
 * scripts/bench/instructions.sh counts them (x86-64, Linux 6.1); NULL: not counted
 */
#define FXT_GROUPS(GROUP)									\
	GROUP(SCHED, "sched", FXT_BY_BOTH, NULL,						\
	      "context switches, wakeups, moves of runnable threads to another CPU, names of "	\
	      "threads", "always on: 48 bytes each",	\
	      "a switch 75 / 258, a wakeup 122 / 385")						\
	GROUP(IRQ, "irq", FXT_BY_BOTH, NULL,							\
	      "interrupts of devices, soft interrupts; on x86 and arm64 also those of the "	\
	      "CPU itself",									\
	      "40 bytes each, 56 to 80 if of a device", "203 to 286 / 319 to 347")		\
	GROUP(MIGRATE, "migrate", FXT_BY_BOTH, NULL,						\
	      "also moves of threads that are being woken", "48 bytes each", NULL)		\
	GROUP(IDLE, "idle", FXT_BY_BOTH, NULL,							\
	      "idle states of CPUs, and whether they fitted", "48 bytes each", "200 / 501")	\
	GROUP(FREQ, "freq", FXT_BY_BOTH, NULL,							\
	      "changes of frequencies and of their limits", "48 to 56 bytes each", NULL)	\
	GROUP(WORK, "work", FXT_BY_BOTH, NULL,							\
	      "work items of kernel workers, by function", "48 to 72 bytes each", "308 / 1679")	\
	GROUP(TASK, "task", FXT_BY_BOTH, NULL,							\
	      "threads that create others, end, inherit priorities", "48 bytes each", NULL)	\
	GROUP(SIGNAL, "signal", FXT_BY_BOTH, NULL,						\
	      "signals: who sends which to whom, and what becomes of it",			\
	      "56 to 72 bytes each", NULL)							\
	GROUP(BLOCK, "block", FXT_BY_BOTH, NULL,						\
	      "requests of block devices: queued, issued, completed",				\
	      "160 to 224 bytes a request", "a request that was not queued 879 / 1462")	\
	GROUP(TIMER, "timer", FXT_BY_BOTH, NULL,						\
	      "timers that expire, by function, but for the tick", "40 to 80 bytes each",	\
	      "697 / 853")									\
	GROUP(NET, "net", FXT_BY_BOTH, NULL,							\
	      "data of sockets that threads or epoll sets wait for; "				\
	      "before Linux 6.3 only of TCP connections",					\
	      "72 bytes each", "191 / 704")								\
	GROUP(MEMORY, "memory", FXT_BY_BOTH, NULL,						\
	      "reclaim and compaction of memory, mostly by threads that need some",		\
	      "40 to 56 bytes each", "245 / 706")							\
	GROUP(SYSCALL, "syscall", FXT_BY_BOTH, NULL,						\
	      "system calls by name, and what they return", "56 bytes each", "265 / 779")	\
	GROUP(LOCK, "lock", FXT_BY_BOTH, "5.19",						\
	      "waits for locks of the kernel and of programs, and who holds them",		\
	      "64 to 96 bytes each", "616 to 822 / 1225 to 1811")		\
	GROUP(IPI, "ipi", FXT_BY_BOTH, "6.4",							\
	      "interrupts that CPUs send to others, and for which function",			\
	      "40 to 88 bytes each", NULL)							\
	GROUP(LOAD, "load", FXT_BY_BPF, "5.12",							\
	      "lengths of run queues, load averages (PELT)", "48 to 64 bytes each", "- / 822")	\
	GROUP(STEAL, "steal", FXT_BY_BOTH, NULL,						\
	      "in a virtual machine: time in which its host ran something else on a CPU",	\
	      "56 bytes each switch before which it grew", "a switch before which it did not 68 / 385") \
	GROUP(THROTTLE, "throttle", FXT_BY_BOTH, NULL,						\
	      "cgroups whose quota of CPU time is used up; with the module only counters",	\
	      "64 bytes each; cpu.stat of each cgroup with a quota is read every second", NULL)

/* Users of FXT_GROUPS_ALL must include <linux/fxt_sched.h>. */
#define FXT_GROUP_BIT(bit, ...)	| FXT_SCHED_EVENTS_##bit
#define FXT_GROUPS_ALL		(0ULL FXT_GROUPS(FXT_GROUP_BIT))

/* Formats with an event of their own for it. */
#define FXT_AS_FTRACE	1	/* a line in ftrace's text format */
#define FXT_AS_PERFETTO	2	/* a ftrace event, from which Perfetto makes states and counters */
#define FXT_AS_BOTH	(FXT_AS_FTRACE | FXT_AS_PERFETTO)

/* Instead of the koid of a process: the event is on the track of its thread. */
#define FXT_ON_THREAD		0
#define FXT_ON_ANY_THREAD	1	/* an idle thread, too */
#define FXT_BETWEEN_THREADS	2	/* likewise; a filter keeps it if it keeps either thread */

/*
 * EVENT(what, name, group, type, track, as): interrupts first, then the other slices
 *
 * @name: in reports
 * @type: enum fxt_event_type
 * @track: koid of the process that has its tracks (fxt_sched_ids.h), or FXT_ON_*,
 * FXT_BETWEEN_THREADS
 * @as: FXT_AS_*
 */
#define FXT_EVENTS(EVENT)									\
	EVENT(IRQ, "irq", IRQ, FXT_EVENT_DURATION_COMPLETE, FXT_SCHED_KOID_IRQ, FXT_AS_BOTH)	\
	EVENT(VECTOR, "vector", IRQ, FXT_EVENT_DURATION_COMPLETE, FXT_SCHED_KOID_IRQ,		\
	      FXT_AS_BOTH)									\
	EVENT(SOFTIRQ, "softirq", IRQ, FXT_EVENT_DURATION_COMPLETE, FXT_SCHED_KOID_SOFTIRQ,	\
	      FXT_AS_BOTH)									\
	EVENT(IDLE, "idle", IDLE, FXT_EVENT_DURATION_COMPLETE, FXT_SCHED_KOID_IDLE, FXT_AS_BOTH) \
	EVENT(WORK, "work", WORK, FXT_EVENT_DURATION_COMPLETE, FXT_ON_THREAD, FXT_AS_FTRACE)	\
	EVENT(SYSCALL, "syscall", SYSCALL, FXT_EVENT_DURATION_COMPLETE, FXT_ON_THREAD,		\
	      FXT_AS_FTRACE)									\
	EVENT(LOCK, "lock", LOCK, FXT_EVENT_DURATION_COMPLETE, FXT_ON_THREAD, 0)		\
	EVENT(MEMORY, "memory", MEMORY, FXT_EVENT_DURATION_COMPLETE, FXT_ON_THREAD, 0)		\
	EVENT(THROTTLE, "throttled", THROTTLE, FXT_EVENT_DURATION_COMPLETE,			\
	      FXT_SCHED_KOID_THROTTLE, 0)							\
	EVENT(IDLE_MISS, "idle miss", IDLE, FXT_EVENT_INSTANT, FXT_SCHED_KOID_IDLE,		\
	      FXT_AS_FTRACE)									\
	EVENT(MIGRATE, "migrate", MIGRATE, FXT_EVENT_INSTANT, FXT_ON_THREAD, FXT_AS_FTRACE)	\
	EVENT(FORK, "fork", TASK, FXT_EVENT_INSTANT, FXT_ON_THREAD, FXT_AS_FTRACE)		\
	EVENT(EXIT, "exit", TASK, FXT_EVENT_INSTANT, FXT_ON_THREAD, FXT_AS_FTRACE)		\
	EVENT(PRIORITY, "priority", TASK, FXT_EVENT_INSTANT, FXT_ON_THREAD, FXT_AS_FTRACE)	\
	EVENT(IPI, "ipi", IPI, FXT_EVENT_INSTANT, FXT_ON_ANY_THREAD, FXT_AS_FTRACE)		\
	EVENT(SIGNAL, "signal", SIGNAL, FXT_EVENT_INSTANT, FXT_BETWEEN_THREADS, FXT_AS_FTRACE)	\
	EVENT(DELIVERY, "signal delivered", SIGNAL, FXT_EVENT_INSTANT, FXT_ON_THREAD,		\
	      FXT_AS_FTRACE)									\
	EVENT(QUEUED, "request queued", BLOCK, FXT_EVENT_INSTANT, FXT_ON_ANY_THREAD, 0)		\
	EVENT(REQUEST, "request", BLOCK, FXT_EVENT_ASYNC_BEGIN, FXT_SCHED_KOID_BLOCK, 0)	\
	EVENT(COMPLETION, "request completed", BLOCK, FXT_EVENT_ASYNC_END,			\
	      FXT_SCHED_KOID_BLOCK, 0)								\
	EVENT(TIMER, "timer", TIMER, FXT_EVENT_INSTANT, FXT_SCHED_KOID_TIMER, 0)		\
	EVENT(DATA, "data", NET, FXT_EVENT_INSTANT, FXT_SCHED_KOID_NET, 0)			\
	EVENT(FREQUENCY, "frequency", FREQ, FXT_EVENT_COUNTER, FXT_SCHED_KOID_FREQUENCY,	\
	      FXT_AS_BOTH)									\
	EVENT(LIMITS, "frequency limits", FREQ, FXT_EVENT_COUNTER, FXT_SCHED_KOID_FREQUENCY,	\
	      FXT_AS_BOTH)									\
	EVENT(RUN_QUEUE, "run queue", LOAD, FXT_EVENT_COUNTER, FXT_SCHED_KOID_LOAD, 0)		\
	EVENT(PELT, "pelt", LOAD, FXT_EVENT_COUNTER, FXT_SCHED_KOID_LOAD, 0)			\
	EVENT(STEAL, "steal", STEAL, FXT_EVENT_COUNTER, FXT_SCHED_KOID_STEAL, 0)

#define FXT_CPU_MAX	0xfffeU		/* the largest CPU number in a record */

/*
 * RECORD(what, category, first, last, ...)
 *
 * @category: FXT_STR_*
 * @first, @last: range of its names, FXT_STR_*; 0: an inline name, which only the kernel knows
 * ...: the arguments in their order, up to FXT_ARGS_MAX, or FXT_NO_ARGS(). Further arguments of a
 * record are only shown:
 *
 * ARG(name, type, max, member)
 *
 * @name: FXT_STR_*
 * @type: enum fxt_arg_type; FXT_ARG_KOID: the other thread of the event
 * @max: the largest valid value; 0: any
 * @member: of union kernel_args (collector/fxt), which gets the value
 */
#define FXT_ARGS_MAX	4
#define FXT_NO_ARGS(ARG)	ARG(0, FXT_ARG_NULL, 0, irq.number)
#define FXT_RECORDS(RECORD, ARG)								\
	RECORD(IRQ, FXT_STR_IRQ, 0, 0, ARG(FXT_STR_IRQ, FXT_ARG_UINT32, 0, irq.number))		\
	RECORD(VECTOR, FXT_STR_IRQ, FXT_STR_VECTOR_LOCAL_TIMER, FXT_STR_VECTOR_DEFERRED,	\
	       FXT_NO_ARGS(ARG))								\
	RECORD(SOFTIRQ, FXT_STR_SOFTIRQ, FXT_STR_SOFTIRQ_FIRST, FXT_STR_SOFTIRQ_LAST,		\
	       FXT_NO_ARGS(ARG))								\
	RECORD(IDLE, FXT_STR_IDLE, FXT_STR_IDLE_FIRST, FXT_STR_IDLE_LAST,			\
	       ARG(FXT_STR_STATE, FXT_ARG_UINT32, 0, idle.state))				\
	RECORD(IDLE, FXT_STR_IDLE, FXT_STR_IDLE, FXT_STR_IDLE,					\
	       ARG(FXT_STR_STATE, FXT_ARG_UINT32, 0, idle.state))				\
	RECORD(IDLE_MISS, FXT_STR_IDLE, FXT_STR_IDLE_MISS, FXT_STR_IDLE_MISS,			\
	       ARG(FXT_STR_STATE, FXT_ARG_UINT32, 0, idle_miss.state),				\
	       ARG(FXT_STR_BELOW, FXT_ARG_BOOL, 1, idle_miss.is_below))				\
	RECORD(MIGRATE, FXT_STR_CATEGORY, FXT_STR_MIGRATE, FXT_STR_MIGRATE,			\
	       ARG(FXT_STR_FROM, FXT_ARG_UINT32, FXT_CPU_MAX, migrate.from_cpu),		\
	       ARG(FXT_STR_TO, FXT_ARG_UINT32, FXT_CPU_MAX, migrate.to_cpu))			\
	RECORD(FREQUENCY, FXT_STR_CATEGORY, FXT_STR_FREQUENCY, FXT_STR_FREQUENCY,		\
	       ARG(FXT_STR_KHZ, FXT_ARG_UINT32, 0, frequency.khz))				\
	RECORD(LIMITS, FXT_STR_CATEGORY, FXT_STR_FREQUENCY_LIMITS, FXT_STR_FREQUENCY_LIMITS,	\
	       ARG(FXT_STR_MIN_KHZ, FXT_ARG_UINT32, 0, limits.min_khz),				\
	       ARG(FXT_STR_MAX_KHZ, FXT_ARG_UINT32, 0, limits.max_khz))				\
	RECORD(WORK, FXT_STR_WORK, 0, 0, FXT_NO_ARGS(ARG))					\
	RECORD(FORK, FXT_STR_CATEGORY, FXT_STR_FORK, FXT_STR_FORK,				\
	       ARG(FXT_STR_THREAD, FXT_ARG_KOID, 0, fork.child))				\
	RECORD(EXIT, FXT_STR_CATEGORY, FXT_STR_EXIT, FXT_STR_EXIT,				\
	       ARG(FXT_STR_CODE, FXT_ARG_UINT32, 0xff, exit.code),				\
	       ARG(FXT_STR_SIGNAL, FXT_ARG_UINT32, 0x7f, exit.signal))				\
	RECORD(PRIORITY, FXT_STR_CATEGORY, FXT_STR_PRIORITY, FXT_STR_PRIORITY,			\
	       ARG(FXT_STR_OLDPRIO, FXT_ARG_INT32, 0, priority.before),				\
	       ARG(FXT_STR_NEWPRIO, FXT_ARG_INT32, 0, priority.after))				\
	RECORD(SYSCALL, FXT_STR_SYSCALL, FXT_STR_SYSCALL_FIRST, FXT_STR_SYSCALL_LAST,		\
	       ARG(FXT_STR_RET, FXT_ARG_INT64, 0, syscall.ret))					\
	RECORD(SYSCALL, FXT_STR_SYSCALL, FXT_STR_SYSCALL, FXT_STR_SYSCALL,			\
	       ARG(FXT_STR_RET, FXT_ARG_INT64, 0, syscall.ret),					\
	       ARG(FXT_STR_NR, FXT_ARG_UINT32, 0, syscall.number))				\
	RECORD(LOCK, FXT_STR_LOCK, 0, 0,							\
	       ARG(FXT_STR_HOLDER, FXT_ARG_KOID, 0, lock.holder),				\
	       ARG(FXT_STR_LOCK, FXT_ARG_UINT64, 0, lock.address))				\
	RECORD(LOCK, FXT_STR_LOCK, 0, 0, ARG(FXT_STR_LOCK, FXT_ARG_UINT64, 0, lock.address))	\
	RECORD(MEMORY, FXT_STR_MEMORY, FXT_STR_DIRECT_RECLAIM, FXT_STR_CGROUP_RECLAIM,		\
	       ARG(FXT_STR_PAGES, FXT_ARG_UINT64, 0, memory.pages))				\
	RECORD(MEMORY, FXT_STR_MEMORY, FXT_STR_COMPACTION, FXT_STR_COMPACTION,			\
	       FXT_NO_ARGS(ARG))								\
	RECORD(IPI, FXT_STR_IPI, FXT_STR_IPI, FXT_STR_IPI,					\
	       ARG(FXT_STR_CPU, FXT_ARG_UINT32, FXT_CPU_MAX, ipi.cpu))				\
	RECORD(IPI, FXT_STR_IPI, FXT_STR_IPI, FXT_STR_IPI,					\
	       ARG(FXT_STR_TARGETS, FXT_ARG_UINT32, 0, ipi.count),				\
	       ARG(FXT_STR_MASK, FXT_ARG_UINT64, 0, ipi.mask))					\
	RECORD(IPI, FXT_STR_IPI, 0, 0, ARG(FXT_STR_CPU, FXT_ARG_UINT32, FXT_CPU_MAX, ipi.cpu))	\
	RECORD(IPI, FXT_STR_IPI, 0, 0,								\
	       ARG(FXT_STR_TARGETS, FXT_ARG_UINT32, 0, ipi.count),				\
	       ARG(FXT_STR_MASK, FXT_ARG_UINT64, 0, ipi.mask))					\
	RECORD(SIGNAL, FXT_STR_CATEGORY, FXT_STR_SIGNAL, FXT_STR_SIGNAL,			\
	       ARG(FXT_STR_SIGNAL, FXT_ARG_UINT32, 0x7f, signal.number),			\
	       ARG(FXT_STR_THREAD, FXT_ARG_KOID, 0, signal.target),				\
	       ARG(FXT_STR_RESULT, FXT_ARG_UINT32, 0xff, signal.result),			\
	       ARG(FXT_STR_IRQ, FXT_ARG_BOOL, 1, signal.is_by_irq))				\
	RECORD(DELIVERY, FXT_STR_CATEGORY, FXT_STR_DELIVERED, FXT_STR_DELIVERED,		\
	       ARG(FXT_STR_SIGNAL, FXT_ARG_UINT32, 0x7f, delivery.number),			\
	       ARG(FXT_STR_CODE, FXT_ARG_INT32, 0, delivery.code),				\
	       ARG(FXT_STR_HANDLED, FXT_ARG_BOOL, 1, delivery.is_handled))			\
	RECORD(QUEUED, FXT_STR_BLOCK, FXT_STR_QUEUED, FXT_STR_QUEUED,				\
	       ARG(FXT_STR_REQUEST, FXT_ARG_UINT64, 0, queued.request))				\
	RECORD(REQUEST, FXT_STR_BLOCK, 0, 0,							\
	       ARG(FXT_STR_THREAD, FXT_ARG_KOID, 0, request.thread),				\
	       ARG(FXT_STR_BYTES, FXT_ARG_UINT32, 0, request.bytes),				\
	       ARG(FXT_STR_OPERATION, FXT_ARG_UINT32, FXT_BLOCK_OPERATION, request.operation))	\
	RECORD(COMPLETION, FXT_STR_BLOCK, 0, 0,							\
	       ARG(FXT_STR_RESULT, FXT_ARG_UINT32, FXT_BLOCK_REQUEUED, completion.result))	\
	RECORD(TIMER, FXT_STR_TIMER, 0, 0, ARG(FXT_STR_THREAD, FXT_ARG_KOID, 0, timer.thread))	\
	RECORD(TIMER, FXT_STR_TIMER, 0, 0, FXT_NO_ARGS(ARG))					\
	RECORD(DATA, FXT_STR_NET, FXT_STR_TCP_DATA, FXT_STR_SOCKET_DATA,			\
	       ARG(FXT_STR_PROTOCOL, FXT_ARG_UINT32, 0, data.protocol),				\
	       ARG(FXT_STR_LOCAL_PORT, FXT_ARG_UINT32, FXT_PORT_MAX, data.local_port),		\
	       ARG(FXT_STR_REMOTE_PORT, FXT_ARG_UINT32, FXT_PORT_MAX, data.remote_port),	\
	       ARG(FXT_STR_BYTES, FXT_ARG_UINT32, 0, data.bytes))				\
	RECORD(RUN_QUEUE, FXT_STR_CATEGORY, FXT_STR_RUN_QUEUE, FXT_STR_RUN_QUEUE,		\
	       ARG(FXT_STR_RUNNABLE, FXT_ARG_UINT32, 0, run_queue.threads))			\
	RECORD(PELT, FXT_STR_CATEGORY, FXT_STR_PELT, FXT_STR_PELT,				\
	       ARG(FXT_STR_UTIL, FXT_ARG_UINT32, 0, pelt.util),					\
	       ARG(FXT_STR_LOAD, FXT_ARG_UINT32, 0, pelt.load),					\
	       ARG(FXT_STR_RUNNABLE, FXT_ARG_UINT32, 0, pelt.runnable))				\
	RECORD(STEAL, FXT_STR_CATEGORY, FXT_STR_STEAL, FXT_STR_STEAL,				\
	       ARG(FXT_STR_NS, FXT_ARG_UINT64, 0, steal.ns))					\
	RECORD(STEAL, FXT_STR_STEAL, FXT_STR_STEAL, FXT_STR_STEAL,				\
	       ARG(FXT_STR_NS, FXT_ARG_UINT64, 0, steal.ns))					\
	RECORD(THROTTLE, FXT_STR_CATEGORY, FXT_STR_THROTTLED, FXT_STR_THROTTLED,		\
	       ARG(FXT_STR_CGROUP, FXT_ARG_UINT64, 0, throttle.cgroup),				\
	       ARG(FXT_STR_CPU, FXT_ARG_UINT32, FXT_CPU_MAX, throttle.cpu))

/*
 * CAUSE(cause, group, argument, word, what, interrupt) - what fires a trigger
 *
 * @cause: FXT_SCHED_CAUSE_*, without that prefix
 * @group: FXT_SCHED_EVENTS_*, without that prefix: the trigger sees only recorded events
 * @argument: FXT_STR_*: name of the value in the mark FXT_STR_TRIGGER
 * @word: its name in options and in JSON
 * @what: when it fires
 * @interrupt: kind of the interrupt that kept a CPU; NULL for other causes
 */
#define FXT_CAUSES(CAUSE)								\
	CAUSE(LATENCY, SCHED, FXT_STR_LATENCY, "latency",				\
	      "a thread waits longer for a CPU after its wakeup", NULL)			\
	CAUSE(IRQ, IRQ, FXT_STR_IRQ, "irq", "a hard interrupt takes longer", "hard")	\
	CAUSE(SOFTIRQ, IRQ, FXT_STR_SOFTIRQ, "softirq", "a soft interrupt takes longer", "soft") \
	CAUSE(RUNNABLE, SCHED, FXT_STR_RUNNABLE, "runnable",				\
	      "a CPU has more runnable threads", NULL)					\
	CAUSE(BLOCKED, SCHED, FXT_STR_BLOCKED, "blocked",				\
	      "a thread sleeps uninterruptibly (D) for longer", NULL)			\
	CAUSE(SLEEP, SCHED, FXT_STR_SLEEP, "sleep",					\
	      "a thread that comm= or pid= selects sleeps longer", NULL)		\
	CAUSE(LOCK, LOCK, FXT_STR_LOCK, "lock", "a thread waits longer for a lock", NULL)

/* Their words, separated by "|". */
#define FXT_CAUSE_WORD(cause, group, argument, word, ...)	"|" word
#define FXT_CAUSE_WORDS		(&FXT_CAUSES(FXT_CAUSE_WORD)[1])

#endif /* FXT_FXT_CATALOGUE_H */
