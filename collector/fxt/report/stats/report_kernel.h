/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_kernel.h - what the kernel did: interrupts and other origins, system calls. */
#ifndef FXT_REPORT_KERNEL_H
#define FXT_REPORT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist.h"
#include "sched/kernel_types.h"
#include "sched/model.h"

struct report_thread;

/* Priorities that a thread inherited. */
struct report_inherited {
	const struct report_thread *thread;
	uint64_t count;	/* raises of its own or an inherited priority */
	int32_t own;	/* its least urgent priority before a raise */
	int32_t best;	/* the most urgent one that it inherited */
};

#define REPORT_PERIODS	16	/* remembered */

/* A time in which at least one CPU throttled a cgroup. */
struct report_period {
	uint64_t from;
	uint64_t to;
};

/* The time in which a cgroup was throttled. */
struct report_throttled {
	uint64_t ns;		/* on at least one CPU; without those in @recent */
	uint64_t periods;	/* how often this began */
	uint64_t until;		/* ns, end of the last period that is no longer in @recent */
	unsigned int count;
	struct report_period recent[REPORT_PERIODS];
};

/*
 * All slices of one interrupt, idle state or function of work items, all system calls of one name
 * by the threads that are shown, all slices of one throttled cgroup, or all ends of threads of one
 * name with one code or signal. The rest is private to the engine.
 */
struct report_origin {
	const struct sched_origin *of;
	uint64_t count;		/* slices that ended in the selected time */
	uint64_t total;		/* ns in the selected time */
	uint64_t longest;	/* ns, of the (first) longest slice */
	uint64_t longest_time;	/* ns, when it ended */
	uint16_t longest_cpu;
	uint64_t errors;	/* system calls that failed */
	struct report_throttled *throttled;	/* of a cgroup: when CPUs throttled it, else NULL */
	const struct report_thread *most;	/* who lost most to it, or NULL */
	uint64_t most_ns;	/* ns that @most lost */
	uint64_t mark;		/* number of the search that @marked belongs to */
	uint64_t marked;
};

/* An origin on one CPU; as in struct report_origin. */
struct report_share {
	const struct report_origin *origin;
	uint16_t cpu;
	uint64_t count;
	uint64_t total;
	const struct report_thread *most;
	uint64_t most_ns;
};

/* Interrupts that one CPU sent to another. */
struct report_ipi {
	const struct sched_origin *of;	/* the function that the other CPU had to call */
	uint16_t from;			/* the CPU that interrupted */
	uint16_t to;			/* REPORT_NO_CPU: any beyond the first 64 */
	uint64_t count;
};

/* A lock, and the waits of the threads shown for it in the selected time. */
struct report_lock {
	const struct sched_origin *of;
	char name[SCHED_SOURCE_BYTES + 36];	/* its kind; of a futex its process, "+1" */
	char address[SCHED_SOURCE_BYTES];	/* hexadecimal, or "(others)" */
	uint64_t count;				/* waits that ended */
	uint64_t waiters;			/* threads */
	uint64_t total;				/* ns, of all waiters */
	uint64_t longest;			/* ns */
	uint64_t longest_time;			/* ns, when it ended */
	const struct report_thread *longest_waiter;
	const struct report_thread *longest_holder;	/* NULL if unknown */
	/* Whom waiters saw last for more of @total than others and than @unknown; NULL: nobody */
	const struct report_thread *most;
	uint64_t most_ns;			/* ns of @total in which they saw @most last */
	uint64_t unknown;			/* ns of @total in which the holder is unknown */
	/*
	 * Who woke waiters for most of the part of @total that the holder that they had seen ended,
	 * or a thread through the futex; NULL: nobody is known.
	 */
	const struct report_thread *waker;
	uint64_t waker_ns;
	const char *waited_in;			/* function, of the largest part of @total; NULL: unknown */
	uint64_t waited_in_ns;
	const char *woken_from;			/* likewise */
	uint64_t woken_from_ns;
	/* ns, the longest sleep until the holder that the thread had seen woke it; 0: unknown */
	uint64_t longest_hold;
	uint64_t longest_hold_time;		/* ns, when it ended */
	const struct report_thread *longest_hold_of;
};

/* A signal that a thread sent to another one, or to itself. */
struct report_signal {
	const struct report_thread *sender;	/* NULL if an interrupt sent it, as for a timer */
	const struct report_thread *target;	/* of a signal for a process, one of its threads */
	uint32_t number;	/* of the signal */
	uint8_t result;		/* code of what became of it, as in fxt_sched_put_signal() */
	uint64_t count;		/* how often, in the selected time */
};

/* What became of a signal, in words; NULL if the code is unknown. */
const char *report_signal_result(uint8_t result);

#define REPORT_SIGNAL_RESULTS	5	/* codes that have words */

/* Requests of a block device of one kind that ended in the selected time. */
struct report_requests {
	const struct sched_origin *origin;	/* the device; its number is the operation */
	struct report_hist hist;	/* ns, from the first queue to the completion */
	uint64_t queued;		/* ns, of these in queues */
	uint64_t bytes;
	uint64_t errors;		/* that failed */
	uint64_t open;			/* that did not end in the selected time; they are not in @hist */
	uint64_t longest_time;		/* ns, when the (first) longest one ended */
	uint64_t longest_queued;	/* ns, of that one in queues */
	uint32_t longest_bytes;
	uint32_t depth;			/* the most that the driver had of the device, of any kind */
	const struct report_thread *longest_thread;	/* that submitted that one; NULL: unknown */
};

/* Sleeps of a thread that data of a service ended in the selected time. */
struct report_data {
	const struct sched_origin *origin;
	const struct report_thread *thread;
	uint64_t count;
	uint64_t slept;			/* ns, in the selected time */
	uint64_t longest;		/* ns, of that */
};

/* What the kernel counted of a cgroup in the selected time, on all CPUs. */
struct report_quota {
	uint64_t cgroup;
	const char *path;
	uint64_t base[SCHED_QUOTA_COUNTS];	/* when the selected time begins, or the first */
	uint64_t counts[SCHED_QUOTA_COUNTS];	/* as in struct sched_quota, less @base */
};

/* Reclaim or compaction of memory by a thread, of one kind. */
struct report_memory {
	const struct sched_origin *of;		/* its kind */
	const struct report_thread *thread;
	uint64_t count;		/* those that ended in the selected time */
	uint64_t total;		/* ns in the selected time, sleeps included */
	uint64_t pages;		/* that were reclaimed; 0 of compaction */
	uint64_t longest;	/* ns, of the (first) longest one */
	uint64_t longest_time;	/* ns, when it ended */
	uint16_t longest_cpu;
	struct report_memory *next;	/* of the thread; private to memory.c */
};

/* Events of the kernel, complete after report_finish(). */
struct report_kernel {
	bool has[KERNEL_EVENTS];	/* the archive has such, selected or not */
	struct report_origin **origins;	/* by group of kinds; those with most time first */
	size_t origin_count;
	struct report_share *shares;	/* of CPUs, but not of system calls: by origin, the largest first */
	size_t share_count;
	struct report_ipi *ipis;	/* the most frequent first */
	size_t ipi_count;
	struct report_lock *locks;	/* those with most waiting time first */
	size_t lock_count;
	struct report_memory **memory;	/* of threads shown: those with most time first */
	size_t memory_count;
	struct report_lock *futexes;	/* likewise, through which threads woke others; no locks */
	size_t futex_count;
	struct report_quota *quotas;	/* of cgroups: those throttled longest first */
	size_t quota_count;
	struct report_inherited **inherited;	/* of threads shown: the largest count first */
	size_t inherited_count;
	struct report_signal *signals;	/* of threads shown: the largest count first */
	size_t signal_count;
	struct report_requests *requests;	/* those with most time first */
	size_t request_count;
	struct report_data *data;	/* of threads shown: the largest count first */
	size_t data_count;
	uint64_t exits;			/* ends of threads */
	uint64_t failed_exits;
};

/* Does the archive have interrupts, hard or soft? */
static inline bool report_has_irqs(const struct report_kernel *k)
{
	return k->has[KERNEL_IRQ] || k->has[KERNEL_VECTOR] || k->has[KERNEL_SOFTIRQ];
}

/* All calls of one name. */
struct report_call {
	struct sched_origin *of;
	uint64_t count;			/* calls that returned in the selected time */
	uint64_t errors;		/* how many of these failed */
	uint64_t total;			/* ns in the selected time, waits included */
	uint64_t longest;		/* ns, of the (first) longest call */
	uint64_t longest_time;		/* ns, when it returned */
	uint16_t longest_cpu;
};

/* System calls by name; finally sorted by time, longest first. */
struct report_calls {
	struct report_call *list;
	unsigned int count;
};

#endif /* FXT_REPORT_KERNEL_H */
