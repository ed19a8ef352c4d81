/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * occupants.h - who had a CPU in some time: threads, interrupts, nobody.
 *
 * In: a history, a CPU and times, each of which ends no later than the one before.
 * Out: threads and interrupts with their times, which add up to the time asked for.
 *
 * Each turn is looked at once for each time that contains it. Many times may contain the same turns,
 * so all searches together take a limited number of steps per turn of the history: enough if no
 * more than ACCOUNT_QUEUE threads wait for a CPU on average. Time beyond the limit goes to
 * WHY_OTHERS, so that the times still add up.
 */
#ifndef FXT_ACCOUNT_OCCUPANTS_H
#define FXT_ACCOUNT_OCCUPANTS_H

#include "causes.h"
#include "history.h"

#define ACCOUNT_QUEUE	128	/* threads */

struct steps {
	int64_t left;
	int64_t window;		/* for each window; earlier ones may leave some, or owe some */
};

/* Prepare the steps for a number of windows of a history. */
void steps_open(struct steps *s, const struct history *h, uint64_t windows);

/* Returns false if there are none left. */
static inline bool steps_spend(struct steps *s)
{
	if (__builtin_expect(s->left <= 0, 0))
		return false;
	s->left--;
	return true;
}

/* Something has taken steps without asking. */
static inline void steps_charge(struct steps *s, uint64_t count)
{
	s->left -= (int64_t)count;
}

/* The place where a CPU's turns and pieces were left; 0 in both: none are left. */
struct occupants_at {
	uint32_t turn;
	uint32_t piece;
	uint64_t round;		/* in which it was left; it is not valid in another one */
};

/* @place in the list of those who had the CPU, if @mark is the current one. */
struct occupants_slot {
	uint32_t mark;
	uint32_t place;
};

/* Private, except for @by and @count. */
struct occupants {
	const struct history *h;
	struct steps *steps;
	bool sorts;
	uint64_t round;			/* number of the last occupants_rewind(), to @time (ns) */
	uint64_t time;
	struct occupants_at *at;
	struct occupants_slot *slots;	/* of each thread, then of each origin */
	uint32_t mark;
	size_t origins;
	struct why_by *by;		/* who had the CPU */
	size_t room;
	size_t count;
};

/*
 * Prepare searches in a complete history. @sorts: those who had a CPU are sorted by time; else only
 * the first one is the one with most
 */
void occupants_open(struct occupants *o, const struct history *h, struct steps *steps, bool sorts);
void occupants_close(struct occupants *o);

/* The next time asked for ends at @time (ns) or earlier. */
void occupants_rewind(struct occupants *o, uint64_t time);

/*
 * The times asked for of the CPU of @t, which has had it, end before it got it. Without this call,
 * the place in the CPU's turns is searched for.
 */
void occupants_start(struct occupants *o, const struct history_turn *t);

/* Set @by and @count. */
void occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to);

/* The last turn on a CPU that may be in the next time asked for. */
uint32_t occupants_turn(struct occupants *o, uint16_t cpu);

/* The last piece of an interrupt on a CPU in a time, or NULL. */
const struct history_piece *occupants_piece(struct occupants *o, uint16_t cpu, uint64_t from,
					    uint64_t to);

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

#endif /* FXT_ACCOUNT_OCCUPANTS_H */
