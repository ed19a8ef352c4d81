/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fxt_sched.h - what the module fxt_sched and its collector agree on.
 *
 * Below debugfs, in the directory FXT_SCHED_DIR, all files are read-only:
 *
 *   session   Opening it takes the session (-EBUSY if it is taken), with
 *             buffers as the module's parameters say at that moment. Closing
 *             it ends tracing and frees everything. Reading it gives the lines
 *             described below.
 *   tracing   Opening it, while there is a session, starts tracing; closing it
 *             stops tracing. What is in the buffers stays readable.
 *   rundown   Reading it gives the kernel object records of all tasks.
 *   cpuN      The stream of CPU N. A read gives bytes of one whole sub-buffer:
 *             the oldest complete one, else what the one being filled holds by
 *             now, which is closed thereby; 0 if there is nothing. poll(2)
 *             tells when a complete sub-buffer waits.
 *   names     The stream of names, read in the same way.
 *
 * cpuN and names come with the session and go with it; those that are open
 * then can still be read to their end.
 *
 * "session" reads as lines of words, each a name and its value:
 *
 *   abi 1
 *   clock boot
 *   weight weight
 *   ticks_per_second 1000000000
 *   subbuf_size 262144
 *   subbuf_count 16
 *   tracing 1
 *   now 6789
 *   cpu 0 switches 10 wakeups 5 lost 0 bytes 1234 subbufs 1 last 5678
 *   names records 2 lost 0 bytes 96 subbufs 1 last 4567
 *
 * with one line "cpu" for each CPU that has a buffer. "now" is in ticks.
 * "switches", "wakeups" and "records" count what was written or lost, "lost"
 * what found no room, "bytes" what was written into sub-buffers, ledgers
 * included, "subbufs" the sub-buffers begun; "last" is the time in ticks of the
 * last record kept.
 * Values may be added at the ends of lines, and lines at the end.
 */
#ifndef _UAPI_LINUX_FXT_SCHED_H
#define _UAPI_LINUX_FXT_SCHED_H

#define FXT_SCHED_MODULE		"fxt_sched"
#define FXT_SCHED_ABI			1

#define FXT_SCHED_DIR			"fxt_sched"
#define FXT_SCHED_FILE_SESSION		"session"
#define FXT_SCHED_FILE_TRACING		"tracing"
#define FXT_SCHED_FILE_RUNDOWN		"rundown"
#define FXT_SCHED_FILE_CPU		"cpu"		/* + number */
#define FXT_SCHED_FILE_NAMES		"names"

/* Module parameters, writable in sysfs; they hold for the next session. */
#define FXT_SCHED_PARAM_SUBBUF_SIZE	"subbuf_size"	/* bytes, a multiple of the page size */
#define FXT_SCHED_PARAM_SUBBUF_COUNT	"subbuf_count"	/* sub-buffers per CPU */
#define FXT_SCHED_PARAM_CLOCK		"clock"		/* boot, mono or tsc */
#define FXT_SCHED_PARAM_WEIGHT		"weight"	/* weight or prio */

#define FXT_SCHED_BUFFER_SIZE_MAX	(1U << 31)	/* bytes per CPU, relay's own limit */
#define FXT_SCHED_SUBBUF_SIZE_MAX	(16U << 20)	/* bytes */
#define FXT_SCHED_SUBBUF_SIZE_DEFAULT	(256U << 10)	/* bytes */
#define FXT_SCHED_SUBBUF_COUNT_MIN	2U
#define FXT_SCHED_SUBBUF_COUNT_MAX	4096U
#define FXT_SCHED_SUBBUF_COUNT_DEFAULT	16U

#endif /* _UAPI_LINUX_FXT_SCHED_H */
