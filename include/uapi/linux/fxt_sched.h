/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * fxt_sched.h - the interface of the module fxt_sched. This file is its documentation; the
 * manual page fxt_sched(4) and fxt_sched.rst refer to it.
 *
 * Opening FXT_SCHED_DEVICE creates a session: a recording with its own buffers, clock,
 * filter, trigger and counters. Sessions are independent of each other. Opening requires
 * CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace, else -EPERM, also under
 * lockdown=confidentiality; -EBUSY if there are max_sessions sessions. Nothing else requires
 * a capability: an open descriptor, of the device or of a stream, can be passed on. Closing the
 * device ends the session. Requests to one session wait for one another; a process that waits can
 * be killed.
 *
 * The requests, in the order of their use:
 *
 *   FXT_SCHED_IOC_EVENTS     Stores to the __u64 at its argument the FXT_SCHED_EVENTS_* that the
 *                            module knows and for which this kernel has tracepoints.
 *   FXT_SCHED_IOC_CONFIGURE  Allocates the buffers. Once: -EBUSY if the session is
 *                            configured. All requests below fail with -EINVAL before that.
 *   FXT_SCHED_IOC_STREAM     Returns a descriptor of a stream, see below: read-only and
 *                            close-on-exec. -ENOENT if the stream does not exist, because its
 *                            CPU was never online; -ENOMEM if the limits allowed no buffer when
 *                            its CPU came online (then its records are counted as lost), if
 *                            there is no memory for the names of all tasks, or if max_memory
 *                            allows no more.
 *   FXT_SCHED_IOC_START      Begins to record. The kernel patches its code for each tracepoint.
 *                            After STOP it first waits for grace periods of RCU and SRCU, until
 *                            the last probes are gone: mostly some ms, but as long as a real-time
 *                            thread owns a CPU that they need. -EBUSY if the session is started
 *                            or frozen; -ENOMEM if there is no memory for the probes or for new
 *                            threads, or max_memory allows no more; -EOPNOTSUPP if the kernel
 *                            does not rely on the time-stamp counter any more.
 *   FXT_SCHED_IOC_STOP       Ends the recording and completes the open sub-buffers of all streams.
 *                            The buffers stay readable, in overwrite mode until the session
 *                            starts again. Does nothing if the session is not started.
 *   FXT_SCHED_IOC_FREEZE     In overwrite mode: pauses the recording and makes the streams of
 *                            CPUs readable. -EINVAL if not in overwrite mode; -EBUSY if the
 *                            session is not started, or frozen.
 *   FXT_SCHED_IOC_THAW       Drops unread records, arms the trigger again and resumes the
 *                            recording. But if the session was stopped meanwhile, everything
 *                            stays readable. -EBUSY if the session is not frozen.
 *   FXT_SCHED_IOC_FLUSH      Completes the open sub-buffers of all streams that can be read.
 *                            Afterwards all events from before the request can be read.
 *   FXT_SCHED_IOC_MARK       Returns struct fxt_sched_mark: which thread has a CPU. -ENXIO if
 *                            the CPU is offline; -ENODATA if the filter keeps nothing of the
 *                            CPU or of the thread; -EINVAL if there is a filter by thread, and
 *                            the session is not started, or if @reserved is not 0.
 *   FXT_SCHED_IOC_LIMITS     Replaces the limits of users, struct fxt_sched_limits: their threads
 *                            must wait longer than others to fire the trigger. -EINVAL if one of
 *                            them is not valid.
 *   FXT_SCHED_IOC_STATUS     Returns struct fxt_sched_status.
 *   FXT_SCHED_IOC_COUNTERS   Returns struct fxt_sched_counters of one stream. -ENOENT if its CPU
 *                            was never online.
 *
 * FREEZE differs from STOP: the probes of a frozen session stay registered, so that it misses no
 * name of a thread, knows which threads sleep when it resumes, and resumes in microseconds. STOP
 * also ends the recording of names, so that the counters are exact, and unregisters the probes.
 *
 * An unknown request fails with -ENOTTY. There are no versions: structures grow at their ends,
 * and a request's number includes the size of its structure, at least that of the first
 * version (FXT_SCHED_*_SIZE_VER0), else -EINVAL. Fields that the caller does not know count as
 * zero, which always means the behaviour without the field. Fields that the module does not
 * know must be zero, else -E2BIG; in structures that it returns it sets them to zero.
 *
 * The module returns ids of threads and processes, in records and in structures, as the initial
 * pid namespace numbers them. It takes ids as the caller's pid namespace numbers them. Times are
 * those of the initial time namespace.
 *
 * poll(2) of the device reports POLLIN if a complete sub-buffer waits in any stream, POLLPRI
 * if the trigger has fired since the recording began, POLLERR before the session is
 * configured. poll(2) of a stream reports POLLIN if a complete sub-buffer waits in it, POLLHUP once
 * the session has ended.
 *
 * The streams:
 *
 *   FXT_SCHED_STREAM_CPU      The records of a CPU. A read returns bytes of one complete
 *                             sub-buffer, the oldest. If there is none, the read completes the
 *                             open one and returns bytes of that: it interrupts the CPU, also an
 *                             isolated one. A process that reads only after POLLIN causes no
 *                             interrupts.
 *                             No read waits for records: -EAGAIN if there are none yet, whatever
 *                             O_NONBLOCK says; 0 if the session has ended and all was read.
 *                             -EINTR if the process is killed; -ENOMEM; -EFAULT.
 *   FXT_SCHED_STREAM_NAMES    The names of tasks that were recorded on a CPU, read in the same
 *                             way. Records of an event have its time, so that the reader can
 *                             merge the CPUs' streams into one.
 *   FXT_SCHED_STREAM_RUNDOWN  The kernel object records of all tasks, as they are at the
 *                             request. It belongs to no CPU. Read it to its end. While the session
 *                             is recording, the records say what each task is doing that has no
 *                             CPU: fxt_sched_add_sight(). They mark those that are in another
 *                             cgroup than their process: fxt_sched_add_apart().
 *
 * Streams that are open when their session ends can be read to their end. Several descriptors
 * of a stream share its position.
 *
 * In overwrite mode the newest sub-buffer of a CPU replaces the oldest one, whose records do not
 * count as lost. Reads of the CPU's stream fail with -EAGAIN while the session is recording.
 * While it is frozen or stopped, they return all sub-buffers, without a gap and oldest first. Names
 * are never overwritten; they can be read at any time, and are lost if there is no room.
 *
 * These requests interrupt CPUs, also isolated ones: START and STOP all that are online, because
 * the kernel patches its code for probes; STOP, FREEZE and FLUSH each of them once, to wait for
 * probes; MARK its CPU, unless @filter_cpus excludes it; a read, FLUSH, FREEZE, STOP and the
 * closing of the device a CPU whose open sub-buffer they complete. A CPU on which nothing was
 * recorded since the last such request has no open sub-buffer.
 *
 * Events that the filter rejects are neither written nor counted, and cannot be lost.
 */
#ifndef _UAPI_LINUX_FXT_SCHED_H
#define _UAPI_LINUX_FXT_SCHED_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FXT_SCHED_MODULE		"fxt_sched"
#define FXT_SCHED_DEVICE		"fxt_sched"	/* in /dev */

#define FXT_SCHED_BUFFER_SIZE_MAX	(1U << 31)	/* bytes per CPU */
#define FXT_SCHED_SUBBUF_SIZE_MAX	(16U << 20)	/* bytes */
#define FXT_SCHED_SUBBUF_COUNT_MIN	2U
#define FXT_SCHED_SUBBUF_COUNT_MAX	4096U
#define FXT_SCHED_NAMES_SUBBUFS		8U	/* sub-buffers of names per CPU */
#define FXT_SCHED_NAMES_SHARE		8U	/* names get 1/8 of a CPU's buffer size, */
#define FXT_SCHED_NAMES_SIZE_MIN	(64U << 10)	/* bytes; at least this, */
#define FXT_SCHED_NAMES_SIZE_MAX	(4U << 20)	/* bytes; and at most this */
#define FXT_SCHED_TRIGGER_NS_MAX	86400000000000ULL /* a day */
#define FXT_SCHED_STACKS_DEPTH_MAX	64U	/* frames of the kernel; also of a program */
#define FXT_SCHED_STACKS_HZ_MIN		10U
#define FXT_SCHED_STACKS_HZ_MAX		10000U
#define FXT_SCHED_STACKS_NS_MAX		86400000000000ULL /* a day */
#define FXT_SCHED_PATTERN_SIZE		64	/* bytes, including the terminating 0 */
#define FXT_SCHED_FILTER_PIDS_MAX	64
#define FXT_SCHED_FILTER_CPU_WORDS_MAX	1024U

/* fxt_sched_config.flags */
#define FXT_SCHED_OVERWRITE		(1U << 0)	/* the newest records replace the oldest */
#define FXT_SCHED_FILTER_CGROUP		(1U << 1)	/* @filter_cgroup is set */
#define FXT_SCHED_PRIORITIES		(1U << 2)	/* weights are the kernel's priorities */
#define FXT_SCHED_NO_WEIGHTS		(1U << 3)	/* only weights of idle threads */
#define FXT_SCHED_WAKING		(1U << 4)	/* wakeups are those of sched_waking */
#define FXT_SCHED_TSC			(1U << 5)	/* the clock is the time-stamp counter */

/* fxt_sched_config.events, besides switches, wakeups and names. Bits 0, 9 and 10 are reserved. */
#define FXT_SCHED_EVENTS_IRQ		(1ULL << 1)	/* hard and soft interrupts, vectors */
#define FXT_SCHED_EVENTS_MIGRATE	(1ULL << 2)	/* all moves of threads to other CPUs */
#define FXT_SCHED_EVENTS_IDLE		(1ULL << 3)	/* idle states, misses */
#define FXT_SCHED_EVENTS_FREQ		(1ULL << 4)	/* frequencies and their limits */
#define FXT_SCHED_EVENTS_WORK		(1ULL << 5)	/* work items */
#define FXT_SCHED_EVENTS_TASK		(1ULL << 6)	/* forks, exits, inherited priorities */
#define FXT_SCHED_EVENTS_SYSCALL	(1ULL << 7)	/* system calls */
#define FXT_SCHED_EVENTS_IPI		(1ULL << 8)	/* who interrupts other CPUs */
#define FXT_SCHED_EVENTS_SIGNAL		(1ULL << 11)	/* signals: sent, delivered */
#define FXT_SCHED_EVENTS_MOVES		(1ULL << 12)	/* moves of runnable threads only */
#define FXT_SCHED_EVENTS_LOCK		(1ULL << 13)	/* waits for locks */
#define FXT_SCHED_EVENTS_BLOCK		(1ULL << 14)	/* requests of block devices */
#define FXT_SCHED_EVENTS_STEAL		(1ULL << 15)	/* time of the hypervisor */
#define FXT_SCHED_EVENTS_MEMORY		(1ULL << 16)	/* reclaim and compaction */
#define FXT_SCHED_EVENTS_TIMER		(1ULL << 17)	/* timers that expire, except the tick */
#define FXT_SCHED_EVENTS_NET		(1ULL << 18)	/* data of sockets */

/* fxt_sched_config.stacks: at least one of the first three or ONCPU, and one of KERNEL and USER */
#define FXT_SCHED_STACKS_OFFCPU		(1U << 0)	/* of threads that slept */
#define FXT_SCHED_STACKS_PREEMPT	(1U << 1)	/* of threads that were preempted */
#define FXT_SCHED_STACKS_WAKE		(1U << 2)	/* of what wakes threads that slept */
#define FXT_SCHED_STACKS_KERNEL		(1U << 3)	/* their frames in the kernel */
#define FXT_SCHED_STACKS_USER		(1U << 4)	/* their frames in programs */
#define FXT_SCHED_STACKS_ONCPU		(1U << 5)	/* of threads that run, by a timer */

/**
 * struct fxt_sched_config - what to record: FXT_SCHED_IOC_CONFIGURE
 * @flags: FXT_SCHED_OVERWRITE, FXT_SCHED_FILTER_CGROUP, FXT_SCHED_PRIORITIES or
 *	FXT_SCHED_NO_WEIGHTS, FXT_SCHED_WAKING, FXT_SCHED_TSC
 * @clockid: clock of the time stamps: CLOCK_BOOTTIME or CLOCK_MONOTONIC; 0 with FXT_SCHED_TSC:
 *	ticks of the time-stamp counter since boot, where it is reliable, else -EOPNOTSUPP
 * @events: FXT_SCHED_EVENTS_*, or 0; FXT_SCHED_EVENTS_MIGRATE includes FXT_SCHED_EVENTS_MOVES
 * @subbuf_size: bytes, a multiple of the page size
 * @subbuf_count: sub-buffers per CPU
 * @trigger_latency: with FXT_SCHED_OVERWRITE: a longer wait from a thread's wakeup to its
 *	switch-in ends the recording, ns; 0: no trigger. A wait that goes on ends it too, late by
 *	at most a quarter of this, or 10 ms if that is more; later if some thousands wait
 * @trigger_irq: with FXT_SCHED_OVERWRITE and FXT_SCHED_EVENTS_IRQ: a hard interrupt that takes
 *	longer ends the recording, ns; 0: none does
 * @trigger_softirq: the same for soft interrupts
 * @trigger_blocked: with FXT_SCHED_OVERWRITE: an uninterruptible sleep (D) that takes longer, from
 *	the thread's switch-out to its wakeup, ends the recording, ns; 0: none does. A sleep that
 *	goes on ends it too, as late as with @trigger_latency
 * @trigger_sleep: the same for any sleep; requires @trigger_pid or @trigger_comm
 * @trigger_lock: with FXT_SCHED_OVERWRITE and FXT_SCHED_EVENTS_LOCK: a wait for a lock that takes
 *	longer ends the recording, ns; 0: none does. A wait that goes on ends it too, as late as
 *	with @trigger_latency, once the thread sleeps. A futex counts if the thread that has it is
 *	known
 * @trigger_after: ns to record after the trigger has fired
 * @trigger_pid: process whose threads count for the trigger; 0: all. An id in the caller's pid
 *	namespace, as in @filter_pids
 * @filter_pid_count: number of @filter_pids; 0: all processes
 * @filter_pids: address of __u32: the ids of the processes to record, with their future
 *	children
 * @filter_cpus: address of __u32: a mask of the CPUs to record; bit N % 32 of word N / 32
 *	is CPU N
 * @filter_cpu_words: words of @filter_cpus; 0: all CPUs
 * @filter_cgroup: with FXT_SCHED_FILTER_CGROUP: descriptor of the directory of the cgroup (v2)
 *	whose threads to record; may be closed afterwards
 * @trigger_comm: pattern of the names of threads that count for the trigger; empty: all
 * @filter_comm: pattern of the names of the threads to record; empty: all
 * @stacks: call stacks to record, FXT_SCHED_STACKS_*; 0: none
 * @stacks_depth: with @stacks: the most frames of the kernel, and also of the program: from 1 to
 *	FXT_SCHED_STACKS_DEPTH_MAX
 * @stacks_min: ns that a thread must have been off the CPU for its stack, or the stack of its
 *	waker, to be recorded
 * @message: address of a buffer for a line of text; 0: none. If the request fails, the line
 *	says why, or is empty if the error code is clear enough. On success, and with -E2BIG and
 *	-EBUSY, the buffer is not changed
 * @message_size: size of that buffer, in bytes
 * @stacks_hz: with FXT_SCHED_STACKS_ONCPU: samples per second of each CPU that is not idle, from
 *	FXT_SCHED_STACKS_HZ_MIN to FXT_SCHED_STACKS_HZ_MAX; without it, 0. The timer interrupts, and
 *	wakes, idle CPUs as often, but none that the filter hides
 *
 * In a pattern, * stands for any bytes, ? for any one byte, [a-z] for one of these, [!a-z] for one
 * other than these, and a backslash quotes the next character. The whole name must match.
 *
 * Processes are found at CONFIGURE, and known by their ids from then on. If one ends, and another
 * gets its id before a START, that START takes the other process for it.
 *
 * A thread's wait or sleep counts for the trigger if the thread matches both @trigger_comm and
 * @trigger_pid; an interrupt counts if the filter keeps it.
 *
 * A thread matches the filter if it matches each of @filter_pids, @filter_comm and @filter_cgroup
 * that is set. The idle threads never match. A switch is kept if one of its two threads matches, a
 * wakeup if the woken or the waking thread does. @filter_cpus applies to the CPU of the switch, and
 * to the CPU that a thread is woken on.
 *
 * With FXT_SCHED_WAKING, a wakeup record has the time of sched_waking, when the waker begins to
 * wake the thread, and the CPU that the thread ran on last. Without it, the record has the time of
 * sched_wakeup, when the thread is in a run queue, and the CPU of that queue. Wakeups of new
 * threads are always those of sched_wakeup_new. If another CPU wakes a thread that is still going
 * to sleep, the wakeup has the time of the switch. For @trigger_latency, a wait begins at the time
 * in the wakeup record.
 *
 * For each other event, one thread must match: the interrupted thread, the thread that migrates,
 * the kworker of a work item, the thread whose life an event is about, the thread that makes a
 * system call, or the thread from which a CPU interrupts other CPUs. A filter by thread keeps no
 * idle states, frequencies and steal, because these belong to no thread; of timers and of requests
 * of block devices, it keeps those of all threads. @filter_cpus applies to the CPU
 * that an event is about; for a migration one of the two CPUs suffices.
 *
 * A stack is kept if the thread that is switched in matches, and a sample if the thread that runs
 * does; the stack of a waker is kept if the woken or the waking thread does. Stacks contain
 * addresses of the kernel and of all programs, and with FXT_SCHED_STACKS_USER also up to 512 bytes
 * of each program's stack. Opening the device requires the capability for that, as
 * perf_event_open(2) does.
 *
 * On PREEMPT_RT, a session has memory for each thread id that there can be: 32 MiB; 64 MiB with one
 * of @trigger_latency, @trigger_blocked, @trigger_sleep or @trigger_lock; of @stacks; and of the
 * events work or syscall; 128 MiB with more of them, or with the event lock; 256 MiB with that and
 * another one.
 *
 * The request fails, and changes nothing, with -E2BIG for unknown fields; -EINVAL for unknown flags
 * and events, invalid values, and fields that are not 0 but would be ignored; -EOPNOTSUPP for
 * events that the kernel does not have, for stacks that it does not let modules take, and for
 * FXT_SCHED_TSC where the counter is not reliable; -ESRCH if a process does not exist in the
 * caller's pid namespace; -EBADF if @filter_cgroup is not a cgroup of v2; -ENOMEM if there is no
 * memory for the buffers, or they would exceed a limit; -EFAULT.
 */
struct fxt_sched_config {
	__u32 flags;
	__s32 clockid;
	__u64 events;
	__u32 subbuf_size;
	__u32 subbuf_count;
	__u64 trigger_latency;
	__u64 trigger_irq;
	__u64 trigger_softirq;
	__u64 trigger_blocked;
	__u64 trigger_sleep;
	__u64 trigger_lock;
	__u64 trigger_after;
	__u32 trigger_pid;
	__u32 filter_pid_count;
	__u64 filter_pids;
	__u64 filter_cpus;
	__u32 filter_cpu_words;
	__s32 filter_cgroup;
	char trigger_comm[FXT_SCHED_PATTERN_SIZE];
	char filter_comm[FXT_SCHED_PATTERN_SIZE];
	__u32 stacks;
	__u32 stacks_depth;
	__u64 stacks_min;
	__u64 message;
	__u32 message_size;
	__u32 stacks_hz;
};

#define FXT_SCHED_CONFIG_SIZE_VER0	272

/* fxt_sched_wait.cause. 3 is reserved. */
enum fxt_sched_cause {
	FXT_SCHED_CAUSE_LATENCY,	/* a thread waited for a CPU */
	FXT_SCHED_CAUSE_IRQ,		/* a hard interrupt kept a CPU */
	FXT_SCHED_CAUSE_SOFTIRQ,	/* a soft interrupt kept a CPU */
	FXT_SCHED_CAUSE_BLOCKED = 4,	/* a thread slept uninterruptibly */
	FXT_SCHED_CAUSE_SLEEP,		/* a thread slept */
	FXT_SCHED_CAUSE_LOCK,		/* a thread waited for a lock */
};

/* fxt_sched_wait.flags */
#define FXT_SCHED_WAIT_GOES_ON		(1U << 0)	/* the wait is not over at @time */

/**
 * struct fxt_sched_wait - how long a thread had to wait: from its wakeup to its switch-in, while
 * an interrupt had its CPU, while it slept, or for a lock
 * @time: ticks of the switch-in, of the end of the interrupt, of the wakeup, or of the end of the
 *	wait for a lock; with FXT_SCHED_WAIT_GOES_ON, ticks of the check that found the wait; 0:
 *	there was no wait
 * @latency: ticks until @time
 * @thread: thread id
 * @cpu: CPU of the switch-in, of the interrupt, of the end of the wait for a lock, or the one that
 *	the thread waits for; the one on which a thread is woken, or on which it went to sleep
 * @cause: enum fxt_sched_cause
 * @flags: FXT_SCHED_WAIT_GOES_ON
 */
struct fxt_sched_wait {
	__u64 time;
	__u64 latency;
	__u32 thread;
	__u32 cpu;
	__u32 cause;
	__u32 flags;
};

/* fxt_sched_status.state */
#define FXT_SCHED_STARTED		(1U << 0)	/* and not stopped, also while frozen */
#define FXT_SCHED_FROZEN		(1U << 1)

/* fxt_sched_status.lock_kind: locks for which threads sleep */
enum fxt_sched_lock_kind {
	FXT_SCHED_LOCK_MUTEX,
	FXT_SCHED_LOCK_RWSEM_READ,
	FXT_SCHED_LOCK_RWSEM_WRITE,
	FXT_SCHED_LOCK_SEMAPHORE,
	FXT_SCHED_LOCK_RT_MUTEX,
	FXT_SCHED_LOCK_RT_READ,		/* rwlock or rwsem with PREEMPT_RT */
	FXT_SCHED_LOCK_RT_WRITE,
	FXT_SCHED_LOCK_PERCPU_READ,	/* percpu_rw_semaphore */
	FXT_SCHED_LOCK_PERCPU_WRITE,
	FXT_SCHED_LOCK_FUTEX,
	FXT_SCHED_LOCK_PI_FUTEX,	/* FUTEX_LOCK_PI */
};

/**
 * struct fxt_sched_status - a session's state: FXT_SCHED_IOC_STATUS
 * @state: FXT_SCHED_STARTED, FXT_SCHED_FROZEN
 * @reserved: 0
 * @ticks_per_second: of the clock
 * @now: the time in ticks
 * @trigger: the wait that made the trigger fire since the recording began
 * @longest: the longest wait for a CPU since the session was configured that counts for the
 *	trigger, whether the trigger fired or not; exact while nothing is recorded
 * @user_stacks_dropped: stacks that lack the frames of the program, because there was no room to
 *	store these while the thread was off the CPU
 * @trigger_user: whose thread waited in @trigger, as in struct fxt_sched_limit
 * @reserved2: 0
 * @sleep_stacks_dropped: sleeps that fired the trigger and went on, or of the holder of the lock of
 *	such a sleep, of which no stack could be recorded, because the sleep or the recording was
 *	over before
 * @lock: address of the lock that the thread of @trigger waited for; 0: it waited for none
 * @lock_kind: if @lock is not 0: enum fxt_sched_lock_kind
 * @lock_holder: thread id of who had @lock, at the check with FXT_SCHED_WAIT_GOES_ON and a lock of
 *	the kernel, else when the thread last looked; 0: unknown
 */
struct fxt_sched_status {
	__u32 state;
	__u32 reserved;
	__u64 ticks_per_second;
	__u64 now;
	struct fxt_sched_wait trigger;
	struct fxt_sched_wait longest;
	__u64 user_stacks_dropped;
	__u32 trigger_user;
	__u32 reserved2;
	__u64 sleep_stacks_dropped;
	__u64 lock;
	__u32 lock_kind;
	__u32 lock_holder;
};

#define FXT_SCHED_STATUS_SIZE_VER0	128

/* fxt_sched_stream.kind, fxt_sched_counters.kind */
enum fxt_sched_stream_kind {
	FXT_SCHED_STREAM_CPU,
	FXT_SCHED_STREAM_NAMES,
	FXT_SCHED_STREAM_RUNDOWN,	/* has no counters */
};

/**
 * struct fxt_sched_stream - which stream to open: FXT_SCHED_IOC_STREAM
 * @cpu: number of the CPU; 0 for FXT_SCHED_STREAM_RUNDOWN
 * @kind: enum fxt_sched_stream_kind; else -EINVAL
 */
struct fxt_sched_stream {
	__u32 cpu;
	__u32 kind;
};

#define FXT_SCHED_STREAM_SIZE_VER0	8

/**
 * struct fxt_sched_counters - a stream's counters: FXT_SCHED_IOC_COUNTERS
 * @cpu: number of the CPU, set by the caller
 * @kind: FXT_SCHED_STREAM_CPU or FXT_SCHED_STREAM_NAMES, set by the caller; else -EINVAL
 * @switches: context switch records written or lost
 * @wakeups: wakeup records written or lost
 * @events: event records, stacks among them, written or lost
 * @names: kernel object records written or lost
 * @folded: renames that were not recorded, because they were too frequent
 * @lost: records of all kinds for which there was no room
 * @bytes: bytes in sub-buffers, including ledgers
 * @last: ticks of the last record stored; 0: none
 * @subbufs: sub-buffers begun
 * @waiting: complete sub-buffers not yet read; 0 for a CPU that is being recorded in
 *	overwrite mode
 *
 * The counters are approximate while the session is recording, and exact otherwise.
 */
struct fxt_sched_counters {
	__u32 cpu;
	__u32 kind;
	__u64 switches;
	__u64 wakeups;
	__u64 events;
	__u64 names;
	__u64 folded;
	__u64 lost;
	__u64 bytes;
	__u64 last;
	__u32 subbufs;
	__u32 waiting;
};

#define FXT_SCHED_COUNTERS_SIZE_VER0	80

/**
 * struct fxt_sched_mark - which thread has a CPU: FXT_SCHED_IOC_MARK
 * @cpu: number of the CPU, set by the caller
 * @thread: thread id; 0 is the idle thread
 * @time: ticks; not before the last record that was stored on the CPU
 * @weight: of the thread, as in context switch records; with FXT_SCHED_NO_WEIGHTS, only the idle
 *	thread's
 * @reserved: 0
 * @steal: with FXT_SCHED_EVENTS_STEAL: ns since boot in which the hypervisor ran something else on
 *	the CPU, as in records; else 0
 *
 * The module reads these values in an interrupt on that CPU, so that no thread is switched in or
 * out meanwhile. It writes no record.
 */
struct fxt_sched_mark {
	__u32 cpu;
	__u32 thread;
	__u64 time;
	__s32 weight;
	__u32 reserved;
	__u64 steal;
};

#define FXT_SCHED_MARK_SIZE_VER0	24

/**
 * struct fxt_sched_limit - what must be exceeded to fire the trigger
 * @cause: enum fxt_sched_cause
 * @user: first id of the users whose threads wait, in the initial user namespace; FXT_SCHED_NO_USER
 *	for interrupts
 * @last_user: last id of these users; @user for one, and for interrupts. People may own a range of
 *	ids (subuid(5))
 * @reserved: 0
 * @limit: ns; a limit of years is as good as any longer one
 */
struct fxt_sched_limit {
	__u32 cause;
	__u32 user;
	__u32 last_user;
	__u32 reserved;
	__u64 limit;
};

#define FXT_SCHED_NO_USER		0xffffffffU
#define FXT_SCHED_LIMITS_MAX		16

/**
 * struct fxt_sched_limits - limits of users: FXT_SCHED_IOC_LIMITS
 * @count: how many of @limits there are, at most FXT_SCHED_LIMITS_MAX
 * @reserved: 0
 * @ignored: set to the number of waits that did not fire the trigger, because of such limits,
 *	since the session was configured
 * @limits: they replace those of the request before; the first one with a user holds
 *
 * Any user can make threads wait. A recorder that takes ever fewer snapshots for one user is not
 * frozen by waits that it would ignore. Probes that run meanwhile may see a mix of the old limits
 * and the new ones.
 */
struct fxt_sched_limits {
	__u32 count;
	__u32 reserved;
	__u64 ignored;
	struct fxt_sched_limit limits[FXT_SCHED_LIMITS_MAX];
};

#define FXT_SCHED_LIMITS_SIZE_VER0	400

/* Not in Documentation/userspace-api/ioctl/ioctl-number.rst. */
#define FXT_SCHED_IOC			0xD6

#define FXT_SCHED_IOC_EVENTS		_IOR(FXT_SCHED_IOC, 0x00, __u64)
#define FXT_SCHED_IOC_CONFIGURE		_IOW(FXT_SCHED_IOC, 0x01, struct fxt_sched_config)
#define FXT_SCHED_IOC_STREAM		_IOW(FXT_SCHED_IOC, 0x02, struct fxt_sched_stream)
#define FXT_SCHED_IOC_START		_IO(FXT_SCHED_IOC, 0x03)
#define FXT_SCHED_IOC_STOP		_IO(FXT_SCHED_IOC, 0x04)
#define FXT_SCHED_IOC_FREEZE		_IO(FXT_SCHED_IOC, 0x05)
#define FXT_SCHED_IOC_THAW		_IO(FXT_SCHED_IOC, 0x06)
#define FXT_SCHED_IOC_FLUSH		_IO(FXT_SCHED_IOC, 0x07)
#define FXT_SCHED_IOC_MARK		_IOWR(FXT_SCHED_IOC, 0x08, struct fxt_sched_mark)
#define FXT_SCHED_IOC_STATUS		_IOR(FXT_SCHED_IOC, 0x09, struct fxt_sched_status)
#define FXT_SCHED_IOC_COUNTERS		_IOWR(FXT_SCHED_IOC, 0x0a, struct fxt_sched_counters)
#define FXT_SCHED_IOC_LIMITS		_IOWR(FXT_SCHED_IOC, 0x0b, struct fxt_sched_limits)

#endif /* _UAPI_LINUX_FXT_SCHED_H */
