// SPDX-License-Identifier: GPL-2.0-or-later
/* wakers.c - see wakers.h. */
#include "wakers.h"

#define TURNS_SEARCH	256	/* limit of turns of a waker without a CPU */

/*
 * The waker's turn in which it woke @t, or HISTORY_NONE. A wakeup for another CPU is recorded by
 * that CPU, perhaps after the waker has left its own, at @left (ns).
 */
static uint32_t waking_turn(struct account *a, const struct history_turn *t, uint64_t *left)
{
	const struct history_time *gap = history_gap_before(a->h, t->ready);
	uint32_t number = t->waker_turn, tries = 0;
	const struct history_turn *turn;
	bool has_run, ran_then;

	*left = t->ready;
	for (; number && tries < TURNS_SEARCH; number = turn->before, tries++) {
		steps_charge(&a->steps, 1);
		turn = history_turn(a->h, number);
		has_run = turn->has_run;
		ran_then = has_run && turn->from <= t->ready;
		if (has_run && !ran_then)
			continue;
		if (turn->ran_unseen || (ran_then && history_turn_end(a->h, turn) >= t->ready))
			return number;
		if (!has_run)
			continue;
		if (turn->state == SCHED_UNKNOWN || turn->cpu == t->ready_cpu ||
		    (gap && gap->to > turn->to))
			break;
		*left = turn->to;
		return number;
	}
	return HISTORY_NONE;
}

/* Did the thread that the soft interrupt hit raise it, in its turn @number? */
static bool is_own(const struct account *a, struct history_raised *raised,
		   const struct history_turn *t, uint32_t number, uint64_t left)
{
	const struct history_turn *turn = number ? history_turn(a->h, number) : NULL;
	const struct history_time *gap = history_gap_before(a->h, left);

	return t->irq == FXT_SCHED_IRQ_SOFT && turn && !turn->ran_unseen &&
	       !(gap && gap->to > turn->from) && history_raised_by(raised, turn, left);
}

struct account_waker account_waker(struct account *a, struct history_raised *raised,
				   const struct history_turn *t)
{
	struct account_waker w = { .by = ENDED_BY_UNKNOWN };

	struct history_ended ended;

	if (a->lacks_cpus)
		return w;
	ended = history_ended_by(a->h, t);
	/* Whichever thread served it, the sleep was to end then. */
	if (ended.is_own) {
		w.by = ENDED_BY_INTERRUPT;
		return w;
	}
	if (t->waker)
		w.turn = waking_turn(a, t, &w.left);
	if (w.turn && (!t->irq || (!ended.timer && is_own(a, raised, t, w.turn, w.left))))
		w.by = ENDED_BY_THREAD;
	else if (t->irq || (t->by_idle && !t->waker))
		w.by = ENDED_BY_INTERRUPT;
	return w;
}
