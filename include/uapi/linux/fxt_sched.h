/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched.h - the interface between the module fxt_sched and its collector.
 *
 * All files are below debugfs, in the directory FXT_SCHED_DIR, and read-only:
 *
 *   session   Opening it takes the session (-EBUSY if it is taken), with buffers, filter
 *             and trigger by the present values of the module's parameters. Closing it
 *             ends tracing and frees everything. Reading it returns the lines described
 *             below. Opening it fails with -EINVAL if the parameters contradict each
 *             other, -ENOMEM if there is no memory for the buffers, the error of the
 *             lookup (-ENOENT) if there is no such cgroup; the kernel log says which.
 *   tracing   Opening it, while there is a session, starts tracing; closing it stops
 *             tracing. The buffers stay readable, in overwrite mode until tracing starts
 *             again. -ENODEV if there is no session, -EBUSY if it is being traced.
 *   freeze    In overwrite mode: opening it, while there is tracing, stops the recording
 *             and lets cpuN be read; closing it drops what was not read, arms the trigger
 *             again and resumes the recording. But if tracing has been stopped meanwhile,
 *             everything stays readable. -ENODEV if nothing is traced, -EINVAL if not in
 *             overwrite mode, -EBUSY if it is open.
 *   rundown   Reading it returns the kernel object records of all tasks.
 *   cpuN      The stream of CPU N. A read returns bytes of one whole sub-buffer: of the
 *             oldest complete one, else of the open one, which is closed by that; 0 if
 *             there is nothing. poll(2) reports a complete sub-buffer.
 *   namesN    The names of tasks that were recorded on CPU N, read in the same way.
 *             Records of an event have its time, so that the reader can merge the CPUs'
 *             streams into one.
 *
 * cpuN and namesN exist as long as the session. Open ones can be read to their end after
 * that.
 *
 * In overwrite mode the newest sub-buffer of a CPU replaces its oldest, which does not count
 * as lost. Reading cpuN returns 0 while the CPUs are recorded. While they are not (frozen,
 * or no longer tracing) reads return all sub-buffers, without a gap and oldest first. Names
 * are never overwritten; they can be read at any time, and are lost if there is no room.
 *
 * "session" reads as lines of words, each a name and its value:
 *
 *   abi 3
 *   clock boot
 *   weight prio
 *   ticks_per_second 1000000000
 *   subbuf_size 262144
 *   subbuf_count 16
 *   tracing 1
 *   now 6789
 *   cpu 0 switches 10 wakeups 5 lost 0 bytes 1234 subbufs 1 last 5678 waiting 0
 *   names 0 records 2 folded 0 lost 0 bytes 96 subbufs 1 last 4567 waiting 0
 *   overwrite 1
 *   trigger_latency 5000000
 *   trigger_after 0
 *   trigger_comm pipewire*
 *   trigger_pid 0
 *   filter_cpus 0-3
 *   filter_pids 12,34
 *   filter_comm
 *   filter_cgroup /system.slice
 *   frozen 0
 *   trigger time 0 latency 0 thread 0 cpu 0
 *   longest time 5544 latency 321 thread 77 cpu 0
 *
 * with lines "cpu" and "names" for each CPU that has a buffer.
 *  - "now" is in ticks.
 *  - "switches", "wakeups" and "records" count records written or lost; "lost" those that
 *    found no room; "folded" renames that became no record (fxt_rename.h).
 *  - "bytes" counts bytes in sub-buffers, including ledgers; "subbufs" the sub-buffers begun.
 *  - "last" is the time in ticks of the last record stored.
 *  - "waiting" counts the complete sub-buffers not yet read; it is 0 for a CPU that is being
 *    recorded in overwrite mode.
 *  - Lines named like parameters have the session's values. The value is the rest of the
 *    line after one blank, and may be empty.
 *  - "trigger" is the wait that made the trigger fire since tracing or recording began: the
 *    time of the switch-in and the latency in ticks, the thread and its CPU; zeros if it has
 *    not fired.
 *  - "longest" is, in the same form, the longest wait since the session was opened that
 *    counts for the trigger, whether it made it fire or not. It is exact while nothing is
 *    recorded.
 * Values may be added at the ends of lines, and lines at the end.
 *
 * Events that the filter rejects are neither written nor counted, and cannot be lost.
 */
#ifndef _UAPI_LINUX_FXT_SCHED_H
#define _UAPI_LINUX_FXT_SCHED_H

#define FXT_SCHED_MODULE		"fxt_sched"
#define FXT_SCHED_ABI			3

#define FXT_SCHED_DIR			"fxt_sched"
#define FXT_SCHED_FILE_SESSION		"session"
#define FXT_SCHED_FILE_TRACING		"tracing"
#define FXT_SCHED_FILE_FREEZE		"freeze"
#define FXT_SCHED_FILE_RUNDOWN		"rundown"
#define FXT_SCHED_FILE_CPU		"cpu"		/* + number */
#define FXT_SCHED_FILE_NAMES		"names"		/* + number */

/*
 * Module parameters, writable in sysfs; they apply to the next session. An empty line
 * written to one of those below "overwrite" removes it.
 *
 * A thread counts for the trigger if it meets both trigger_comm and trigger_pid. It matches
 * the filter if it meets each of filter_pids, filter_comm and filter_cgroup that is set. A
 * switch is kept if one of its two threads matches, a wakeup if the woken or the waking
 * thread does. The idle threads never match. Future children of filter_pids match as well.
 * filter_cpus applies to the CPU of the switch, and to the CPU that a thread is woken on.
 */
#define FXT_SCHED_PARAM_SUBBUF_SIZE	"subbuf_size"	/* bytes, a multiple of the page size */
#define FXT_SCHED_PARAM_SUBBUF_COUNT	"subbuf_count"	/* sub-buffers per CPU */
#define FXT_SCHED_PARAM_CLOCK		"clock"		/* boot, mono or tsc */
#define FXT_SCHED_PARAM_WEIGHT		"weight"	/* weight or prio */
#define FXT_SCHED_PARAM_OVERWRITE	"overwrite"	/* 1: overwrite mode */
#define FXT_SCHED_PARAM_TRIGGER_LATENCY	"trigger_latency" /* ns; only with overwrite; 0: none */
#define FXT_SCHED_PARAM_TRIGGER_AFTER	"trigger_after"	/* ns to record after it */
#define FXT_SCHED_PARAM_TRIGGER_COMM	"trigger_comm"	/* pattern, see fxt_glob.h */
#define FXT_SCHED_PARAM_TRIGGER_PID	"trigger_pid"	/* process id */
#define FXT_SCHED_PARAM_FILTER_CPUS	"filter_cpus"	/* list, e.g. 0-3,8 */
#define FXT_SCHED_PARAM_FILTER_PIDS	"filter_pids"	/* process ids, e.g. 12,34 */
#define FXT_SCHED_PARAM_FILTER_COMM	"filter_comm"	/* pattern, see fxt_glob.h */
#define FXT_SCHED_PARAM_FILTER_CGROUP	"filter_cgroup"	/* path below v2's root: /a/b */

#define FXT_SCHED_BUFFER_SIZE_MAX	(1U << 31)	/* bytes per CPU, relay's own limit */
#define FXT_SCHED_SUBBUF_SIZE_MAX	(16U << 20)	/* bytes */
#define FXT_SCHED_SUBBUF_SIZE_DEFAULT	(256U << 10)	/* bytes */
#define FXT_SCHED_SUBBUF_COUNT_MIN	2U
#define FXT_SCHED_SUBBUF_COUNT_MAX	4096U
#define FXT_SCHED_SUBBUF_COUNT_DEFAULT	16U
#define FXT_SCHED_NAMES_SUBBUFS		8U	/* sub-buffers of names per CPU */
#define FXT_SCHED_NAMES_SHARE		8U	/* names get 1/8 of a CPU's buffer size, */
#define FXT_SCHED_NAMES_SIZE_MIN	(64U << 10)	/* bytes; at least this, */
#define FXT_SCHED_NAMES_SIZE_MAX	(4U << 20)	/* bytes; and at most this */
#define FXT_SCHED_TRIGGER_NS_MAX	86400000000000ULL /* a day */
#define FXT_SCHED_PATTERN_SIZE		64	/* bytes, including the terminating 0 */
#define FXT_SCHED_FILTER_PIDS_MAX	64
#define FXT_SCHED_CGROUP_SIZE		1024	/* bytes, including the terminating 0 */

#endif /* _UAPI_LINUX_FXT_SCHED_H */
