/* SPDX-License-Identifier: GPL-2.0-or-later */
/* losses.h - what threads lost, and to whom: sums of the parts of their time. */
#ifndef FXT_REPORT_STATS_LOSSES_H
#define FXT_REPORT_STATS_LOSSES_H

#include "internal.h"
#include "why/path.h"

/* Why a thread could not use its time; of a thread that slept, why the one that woke it could not. */
enum loss_cause {
	LOSS_BEHIND,	/* other threads had its CPU */
	LOSS_TURN,	/* others of its process had it, whose threads run one at a time */
	LOSS_RECORDER,	/* the recorder had it */
	LOSS_INTERRUPT,	/* an interrupt had it, perhaps while the thread ran */
	LOSS_THROTTLED,	/* the quota of its cgroup was used up */
	LOSS_LIMITED,	/* its scheduling class might not run */
	LOSS_IDLE,	/* its CPU was idle */
	LOSS_UNKNOWN,	/* who had its CPU is not known */
	LOSS_RUN,	/* it slept while another thread ran, which did not end then */
	LOSS_IO,	/* it slept while another thread slept until an interrupt, in state D */
	LOSS_REQUEST,	/* it slept until a request of a block device was completed */
	LOSS_AHEAD,	/* of that, until a request behind those of another thread was */
	LOSS_CAUSES
};

#define LOSS_LASTS	4	/* threads that a victim slept for, at least those with most time */

/* ns that a victim slept until a thread of this group woke it in the end. */
struct loss_last {
	uint32_t group;
	uint64_t ns;
};

/* Time that a victim lost to a culprit. */
struct loss {
	struct map_node node;
	uint32_t victim;	/* number of its group */
	enum loss_cause cause;
	/*
	 * Of threads, number of the culprit's group; id of an interrupt, request or cgroup; enum
	 * why_limit; LOSS_IDLE: 1 + id of a cgroup whose quota was used up on that CPU meanwhile,
	 * or 0.
	 */
	uint32_t by;
	uint32_t thread;	/* id of one of the culprits */
	bool is_several;	/* it is not the only one */
	uint64_t ns;
	uint64_t direct;	/* part of @ns in which it did not sleep */
	uint64_t host;		/* as struct why_by has it stolen */
	uint64_t queued;	/* likewise, of LOSS_REQUEST */
	uint64_t count;		/* waits, or sleeps */
	uint64_t longest;	/* ns, which began at @longest_from */
	uint64_t longest_from;
	bool is_open;		/* the longest wait was not over at the end */
	uint32_t turn;		/* that ended it */
	uint16_t cpu;		/* where the first part of it was */
	uint64_t elsewhere;	/* ns on other CPUs */
	struct loss_last lasts[LOSS_LASTS];
	uint64_t current;	/* ns, of the wait that goes on at @from, in this @window and @sleep */
	uint64_t from;
	uint64_t window;
	uint32_t sleep;
	bool goes_on;
};

/* Threads of one name in processes of one name, either shown or not. */
struct loss_group {
	struct map_node node;
	uint32_t number;
	const struct report_thread *thread;	/* one of them */
	uint64_t threads;		/* number of those seen */
	bool is_recorder;
	bool is_victim;			/* they are shown */
	bool takes_turns;		/* the threads of its process run one at a time */
	/* The next ones are ns of those that are victims. */
	uint64_t life;
	uint64_t run;
	uint64_t waited;		/* for a CPU */
	uint64_t open;			/* in which they waited, or interrupts took the CPU */
	uint64_t slept;	/* until shown threads woke them, and, if requests were recorded, in D */
	uint64_t crowd;	/* in which they waited for @crowd_cpu while another CPU was idle */
	uint16_t crowd_cpu;
	struct loss total[LOSS_CAUSES];	/* by cause */
};

struct losses {
	struct report_engine *e;
	const struct history *h;
	struct why_walk *walk;
	struct map group_map;
	struct loss_group **groups;
	size_t group_count;
	uint32_t *group_of;
	struct map loss_map;
	struct loss **losses;
	size_t loss_count;
	struct loss_group *victim;
	uint64_t windows;
	uint64_t beyond;		/* ns that were not looked at */
};

/* Call losses_close() in all cases. */
void losses_open(struct losses *l, struct report_engine *e, uint64_t steps);
void losses_close(struct losses *l);

/* The thread with an id of the history. */
const struct report_thread *losses_thread(const struct losses *l, uint32_t thread);

struct loss_group *losses_group(struct losses *l, uint32_t thread);

/* Add what a thread lost in a window. */
void losses_add(struct losses *l, const struct why_window *w);

/* By victim, cause and time, longest first. */
void losses_sort(struct losses *l);

#endif /* FXT_REPORT_STATS_LOSSES_H */
