/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * occupants.h - who had a CPU in some time: threads, interrupts, nobody.
 *
 * In: a history, a CPU and times, each of which ends no later than the one before.
 * Out: threads and interrupts with their times, which add up to the time asked for.
 *
 * Each turn is looked at once for each time that contains it. Many times may contain the same turns,
 * so all searches together take a limited number of steps for each turn of the history. That is
 * enough if not more than ACCOUNT_QUEUE threads wait for a CPU on average. What is not looked at for
 * that reason is had by threads that are not told apart (WHY_OTHERS): the times still add up.
 */
#ifndef FXT_ACCOUNT_OCCUPANTS_H
#define FXT_ACCOUNT_OCCUPANTS_H

#include "causes.h"
#include "history.h"

#define ACCOUNT_QUEUE	128	/* threads */

/** struct steps - how much may still be looked at */
struct steps {
	int64_t left;
	int64_t window;		/* each adds so many; those before it may leave some, or owe some */
};

/** steps_open() - prepare the steps for a number of windows of a history */
void steps_open(struct steps *s, const struct history *h, uint64_t windows);

/** steps_spend() - Return: false if there are none left */
static inline bool steps_spend(struct steps *s)
{
	if (__builtin_expect(s->left <= 0, 0))
		return false;
	s->left--;
	return true;
}

/** steps_charge() - something has taken steps that were not asked for */
static inline void steps_charge(struct steps *s, uint64_t count)
{
	s->left -= (int64_t)count;
}

/** struct occupants_at - where a CPU's turns and pieces have been left; 0 in both: nothing is left */
struct occupants_at {
	uint32_t turn;
	uint32_t piece;
	uint64_t round;		/* that in which it was left; of no use in another one */
};

/** struct occupants_slot - @place in the list of those who had the CPU, if @mark is the current one */
struct occupants_slot {
	uint32_t mark;
	uint32_t place;
};

/** struct occupants - private, but for @by and @count */
struct occupants {
	const struct history *h;
	struct steps *steps;
	bool sorts;
	uint64_t round;			/* number of the last occupants_rewind(), to @time (ns) */
	uint64_t time;
	struct occupants_at *at;
	struct occupants_slot *slots;	/* of each thread and then each origin */
	uint32_t mark;
	size_t origins;
	struct why_by *by;		/* who had the CPU */
	size_t room;
	size_t count;
};

/**
 * occupants_open() - prepare searches
 * @h: the history, which is complete
 * @steps: what the searches take
 * @sorts: those who had a CPU are sorted by time; else only the first one has most
 */
void occupants_open(struct occupants *o, const struct history *h, struct steps *steps, bool sorts);
void occupants_close(struct occupants *o);

/** occupants_rewind() - the next time asked for ends at @time (ns) or earlier */
void occupants_rewind(struct occupants *o, uint64_t time);

/**
 * occupants_start() - the times asked for of the CPU of @t, which has had it, end before it got it
 *
 * Without this call, the place in the CPU's turns is searched for.
 */
void occupants_start(struct occupants *o, const struct history_turn *t);

/** occupants_find() - set @by and @count: who had a CPU */
void occupants_find(struct occupants *o, uint16_t cpu, uint64_t from, uint64_t to);

/** occupants_turn() - number of the last turn on a CPU that may be in the next time asked for */
uint32_t occupants_turn(struct occupants *o, uint16_t cpu);

/** occupants_piece() - the last piece of an interrupt on a CPU in a time, or NULL */
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
