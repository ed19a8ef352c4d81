/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * path.h - why a thread was late: walks back from a window of its time to the causes.
 *
 * In: a history, a thread and a window.
 * Out: parts, from the last one to the first. They partition the window, and each has one cause.
 * While the thread sleeps, a part is about the thread that woke it in the end, or about the one
 * that woke that one, and so on.
 *
 * A chain ends at a thread that ran or was runnable, at an interrupt, or where the archive does not
 * show what happened: such time is unknown, and not attributed to any thread.
 *
 * Each instant is looked at once, and each turn of a thread once for it: a walk takes time that is
 * linear in the turns of the window. The chain of threads is on a tape, not on the stack.
 *
 * Many windows may cover the same turns. All walks together take a limited number of steps per turn
 * of the history: enough if no more than ACCOUNT_QUEUE threads wait for a CPU on average. Time
 * beyond the limit goes to WHY_OTHERS or WHY_BEYOND, so that the times still add up.
 */
#ifndef FXT_WHY_PATH_H
#define FXT_WHY_PATH_H

#include "account/waits.h"

#define WHY_NEAR	16	/* links */

/* A thread in the chain, for the time of a sleep that it ended. */
struct why_link {
	uint32_t parent;	/* number of the link of the thread that it woke; 0: none */
	uint32_t thread;
	uint32_t turn;		/* of the thread that it woke */
	uint32_t depth;		/* links above it */
	uint32_t via;		/* number of the link of depth 1 above it, or its own */
	uint32_t near;		/* its number, or that of the link of depth WHY_NEAR above it */
	uint32_t next;		/* private to the walk: the turn at which the parent continues */
	uint64_t from;		/* ns; earlier time does not belong to this link */
	uint64_t slept;		/* private to the walk: when the parent fell asleep */
};

/* A part of the window, ns. */
struct why_part {
	uint64_t from;
	uint64_t to;
	uint32_t link;		/* number of its link, from 1 */
	uint32_t thread;	/* of the link */
	uint32_t turn;		/* that contains it, or HISTORY_NONE */
	uint16_t cpu;		/* that the thread had or waited for, or HISTORY_NO_CPU */
	uint8_t cause;
	uint8_t detail;
	uint64_t stolen;	/* as in struct account_part */
	struct history_memory memory;	/* of the thread, in this part */
};

/* The time of a thread to explain, ns. */
struct why_window {
	uint32_t thread;
	uint32_t turn;		/* at its end; HISTORY_NONE: search for it */
	uint64_t from;
	uint64_t to;
	bool is_open;		/* it is a wait or sleep that was not over */
};

struct why_walk;

/*
 * @w: for why_link(); @by: who had the CPU (sorted as why_open() says), what ended a sleep, or the
 * cgroup
 */
typedef void why_part_fn(void *arg, const struct why_walk *w, const struct why_part *p,
			 const struct why_by *by, size_t count);

/*
 * Prepare walks through @windows windows. @sorts: those who had a CPU are sorted by time; else only
 * the first one is the one with most
 */
struct why_walk *why_open(const struct history *h, uint64_t windows, bool sorts);
void why_close(struct why_walk *w);

/* Walk back through a window. Links stay valid until the next walk begins. */
void why_go(struct why_walk *w, const struct why_window *window, why_part_fn *part, void *arg);

/* A link by its number. */
const struct why_link *why_link(const struct why_walk *w, uint32_t number);

/* All walks together take so many steps of a few ns, instead of ACCOUNT_QUEUE for a turn. */
void why_limit(struct why_walk *w, uint64_t steps);

/* A part_fn has taken steps of its own. */
void why_charge(struct why_walk *w, uint64_t steps);

const struct history *why_history(const struct why_walk *w);

#endif /* FXT_WHY_PATH_H */
