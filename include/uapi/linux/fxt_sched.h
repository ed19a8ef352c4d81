/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched.h - what the module fxt_sched and its collector agree on.
 *
 * Below debugfs, in the directory FXT_SCHED_DIR, all files are read-only:
 *
 *   session   Opening it takes the session (-EBUSY if it is taken), with
 *             buffers, filter and trigger as the module's parameters say at
 *             that moment. Closing it ends tracing and frees everything.
 *             Reading it gives the lines described below. -EINVAL if the
 *             parameters do not go together, -ENOMEM if there is no room for
 *             the buffers, what the search gave (-ENOENT) if there is no such
 *             cgroup; the kernel log says which.
 *   tracing   Opening it, while there is a session, starts tracing; closing it
 *             stops tracing. What is in the buffers stays readable; in
 *             overwrite mode until tracing starts again. -ENODEV if there is no
 *             session, -EBUSY if it is being traced.
 *   freeze    In overwrite mode: opening it, while there is tracing, stops the
 *             recording and lets cpuN be read; closing it drops what was not
 *             read, lets the trigger fire again and records on, unless tracing
 *             has been stopped meanwhile: then all stays readable. -ENODEV if
 *             nothing is tracing, -EINVAL if not in overwrite mode, -EBUSY if
 *             it is open.
 *   rundown   Reading it gives the kernel object records of all tasks.
 *   cpuN      The stream of CPU N. A read gives bytes of one whole sub-buffer:
 *             the oldest complete one, else what the one being filled holds by
 *             now, which is closed thereby; 0 if there is nothing. poll(2)
 *             tells when a complete sub-buffer waits.
 *   namesN    The names of tasks that CPU N made known, read in the same way. The
 *             records that tell an event have its time, so that the reader can
 *             merge the CPUs' streams to one.
 *
 * cpuN and namesN come with the session and go with it; those that are open
 * then can still be read to their end.
 *
 * In overwrite mode the newest sub-buffer of a CPU takes the place of its
 * oldest, and nothing is lost by that: reading cpuN gives 0 while the CPUs are
 * recorded, and while they are not (frozen, or no longer tracing) all that is
 * there, without a gap and oldest first. Names are never
 * overwritten; they can be read all the time, and what finds no room is lost.
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
 * with lines "cpu" and "names" for each CPU that has a buffer. "now" is in ticks.
 * "switches", "wakeups" and "records" count what was written or lost, "folded" the
 * renames that became no record (fxt_rename.h), "lost" what found no room, "bytes" what was written into sub-buffers, ledgers
 * included, "subbufs" the sub-buffers begun; "last" is the time in ticks of the
 * last record kept; "waiting" the complete sub-buffers not yet read, 0 of a CPU
 * that is being recorded in overwrite mode. The lines that are called like
 * parameters say what the session got of them; the value is all up to the
 * line's end, behind one blank, and may be empty. "trigger" says who made the
 * trigger fire since tracing or recording began: the time of the switch-in and
 * the latency in ticks, the thread that came in, the CPU; zeros if none did.
 * "longest" says the same of the longest wait that counts for the trigger, whether it
 * made that fire or not, since the session was opened; it is exact while nothing is
 * recorded.
 * Values may be added at the ends of lines, and lines at the end.
 *
 * Of records that the filter does not keep none is written, counted or lost.
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
 * Module parameters, writable in sysfs; they hold for the next session. An
 * empty line written to one of those below "overwrite" means none.
 *
 * A thread counts for the trigger if it meets both trigger_comm and trigger_pid.
 * It matches the filter if it meets each of filter_pids, filter_comm and
 * filter_cgroup that is given; a switch is kept if one of its two threads
 * matches, a wakeup if the woken or the waking one does. The idle threads match
 * none. Future children of filter_pids match as well. filter_cpus asks for the CPU
 * of the switch, and for the one that a thread is woken on.
 */
#define FXT_SCHED_PARAM_SUBBUF_SIZE	"subbuf_size"	/* bytes, a multiple of the page size */
#define FXT_SCHED_PARAM_SUBBUF_COUNT	"subbuf_count"	/* sub-buffers per CPU */
#define FXT_SCHED_PARAM_CLOCK		"clock"		/* boot, mono or tsc */
#define FXT_SCHED_PARAM_WEIGHT		"weight"	/* weight or prio */
#define FXT_SCHED_PARAM_OVERWRITE	"overwrite"	/* 1: overwrite mode */
#define FXT_SCHED_PARAM_TRIGGER_LATENCY	"trigger_latency" /* ns; only with overwrite; 0: none */
#define FXT_SCHED_PARAM_TRIGGER_AFTER	"trigger_after"	/* ns that are recorded after it */
#define FXT_SCHED_PARAM_TRIGGER_COMM	"trigger_comm"	/* pattern, see fxt_glob.h */
#define FXT_SCHED_PARAM_TRIGGER_PID	"trigger_pid"	/* process id */
#define FXT_SCHED_PARAM_FILTER_CPUS	"filter_cpus"	/* list as in 0-3,8 */
#define FXT_SCHED_PARAM_FILTER_PIDS	"filter_pids"	/* process ids, as in 12,34 */
#define FXT_SCHED_PARAM_FILTER_COMM	"filter_comm"	/* pattern, see fxt_glob.h */
#define FXT_SCHED_PARAM_FILTER_CGROUP	"filter_cgroup"	/* path below v2's root: /a/b */

#define FXT_SCHED_BUFFER_SIZE_MAX	(1U << 31)	/* bytes per CPU, relay's own limit */
#define FXT_SCHED_SUBBUF_SIZE_MAX	(16U << 20)	/* bytes */
#define FXT_SCHED_SUBBUF_SIZE_DEFAULT	(256U << 10)	/* bytes */
#define FXT_SCHED_SUBBUF_COUNT_MIN	2U
#define FXT_SCHED_SUBBUF_COUNT_MAX	4096U
#define FXT_SCHED_SUBBUF_COUNT_DEFAULT	16U
#define FXT_SCHED_NAMES_SUBBUFS	8U	/* sub-buffers of names, of each CPU */
#define FXT_SCHED_NAMES_SHARE		8U	/* a CPU's names get that part of its buffer, */
#define FXT_SCHED_NAMES_SIZE_MIN	(64U << 10)	/* bytes; but no less than that, */
#define FXT_SCHED_NAMES_SIZE_MAX	(4U << 20)	/* bytes; and no more */
#define FXT_SCHED_TRIGGER_NS_MAX	86400000000000ULL /* a day */
#define FXT_SCHED_PATTERN_SIZE		64	/* bytes, the 0 at its end included */
#define FXT_SCHED_FILTER_PIDS_MAX	64
#define FXT_SCHED_CGROUP_SIZE		1024	/* bytes, the 0 at its end included */

#endif /* _UAPI_LINUX_FXT_SCHED_H */
