/* SPDX-License-Identifier: GPL-2.0-or-later */
/* causes.h - what a thread did at some time, or what kept it from running. */
#ifndef FXT_ACCOUNT_CAUSES_H
#define FXT_ACCOUNT_CAUSES_H

#include <stdint.h>

enum why_cause {
	WHY_RUNNING,	/* the thread had a CPU */
	WHY_RUNNABLE,	/* it waited for a CPU that others had */
	WHY_ASLEEP,	/* it slept until an interrupt, was being woken, or the sleep is not over */
	WHY_INTERRUPT,	/* an interrupt had its CPU */
	WHY_THROTTLED,	/* it was runnable, and its cgroup was throttled */
	WHY_LIMITED,	/* it was runnable, but its scheduling class might not run */
	WHY_UNKNOWN,
	WHY_CAUSES
};

/* Why a part is unknown, or how a sleep ended. */
enum why_detail {
	WHY_PLAIN,
	WHY_OPEN,		/* the sleep is not over at the end of the recording */
	WHY_OWN,		/* the thread's own timer ended the sleep */
	WHY_WAKING,		/* the waker had left its CPU, and the wakeup was not recorded yet */
	WHY_LOST,		/* records were lost */
	WHY_UNSHOWN,		/* the archive does not show it, although no record was lost */
	WHY_EARLY,		/* before the first event of the thread */
	WHY_UNWOKEN,		/* it is unknown what ended the sleep */
	WHY_UNSEEN,		/* it is not recorded what the waker did before */
	WHY_FILTERED,		/* only some CPUs were recorded */
	WHY_BEYOND,		/* the walk ended, because it took too long */
	WHY_DETAILS
};

enum why_who {
	WHY_THREAD,	/* @id: of a thread */
	WHY_ORIGIN,	/* @id: of an interrupt, or of a throttled cgroup */
	WHY_IRQ,	/* @id: enum fxt_sched_irq, of an interrupt that was not recorded */
	WHY_IDLE,	/* no thread: the CPU was idle */
	WHY_LIMIT,	/* @id: enum why_limit */
	WHY_OTHERS,	/* threads and interrupts beyond the limit */
	WHY_NOBODY,	/* unknown */
};

/* Why a scheduling class might not run, although the CPU had nothing of a higher class to run. */
enum why_limit {
	WHY_BUDGET,		/* a deadline thread has used up its runtime */
	WHY_RT_THROTTLED,	/* real-time threads have used up sched_rt_runtime_us, or their cgroup */
	WHY_FAIR_SERVER,	/* the fair server ran threads of the fair class */
	WHY_RT_LIMIT,		/* one of these two */
	WHY_LIMITS
};

struct why_by {
	uint8_t who;
	uint32_t id;
	uint64_t ns;
	int32_t weight;		/* of a thread that had the CPU last; 0: unknown */
	uint64_t stolen;	/* the most of @ns that the hypervisor took: history_stolen() */
	uint64_t queued;	/* of @ns: the request that ended the sleep was in queues */
};

#endif /* FXT_ACCOUNT_CAUSES_H */
