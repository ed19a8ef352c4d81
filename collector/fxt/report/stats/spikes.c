// SPDX-License-Identifier: GPL-2.0-or-later
/* spikes.c - findings: single waits: that of the trigger, and an unusually long one. */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_trigger.h>

#include "judge.h"

/* A wait is a spike if it is both long and unusual. */
#define SPIKE_NS	5000000	/* shorter waits are normal: another thread's slice and a tick */
#define SPIKE_RT_NS	1000000	/* less urgent threads should not delay a real-time thread */
#define SPIKE_TURN_NS	100000000	/* a preempted thread waits for some slices of others */
#define SPIKE_TIMES	10	/* times the usual wait: beyond the spread of most histograms */
#define SPIKE_WAITS	8	/* a thread with fewer waits has no usual one */

/*
 * ns: a trigger has the time at its end and its length, both rounded, so their difference may be
 * one too many or too few.
 */
#define ROUNDED		1

/* Who kept the thread from running in this wait? Return: NULL if nobody counts */
static struct candidate *judge_wait(struct judge *j, const struct why_window *w,
				    enum report_finding_kind kind)
{
	struct judge of = { .e = j->e, .r = j->r };
	struct candidate *c = NULL;
	const struct loss_group *g;
	unsigned int cause, most = 0;

	losses_open(&of.l, j->e, STEPS_LEAST);
	losses_add(&of.l, w);
	losses_sort(&of.l);
	g = losses_group(&of.l, w->thread);
	for (cause = 0; cause < LOSS_RUN; cause++)
		most = g->total[cause].ns > g->total[most].ns ? cause : most;
	if (kind == REPORT_FINDING_TRIGGER ||
	    (most != LOSS_RECORDER && most < LOSS_IDLE && g->total[most].ns)) {
		c = finding_add(j, kind);
		c->f = finding_loss(&of, g, most, kind)->f;
		c->f.victim.of = w->to - w->from;
		c->f.victim.threads = 1;
		c->f.victim.thread = losses_thread(&j->l, w->thread);
		c->f.is_open = w->is_open;
		c->rank = 1;
	}
	free(of.all);
	losses_close(&of.l);
	return c;
}

/* The wait for a CPU may have gone on after it fired the trigger. */
static void follow_wait(const struct history *h, struct why_window *w)
{
	const struct history_turn *turn;
	uint32_t number;
	uint64_t end;

	for (number = h->threads[w->thread]->last; number && w->is_open; number = turn->before) {
		turn = history_turn(h, number);
		if (turn->ready > w->to)
			continue;
		end = turn->has_run ? turn->from : history_turn_end(h, turn);
		w->is_open = !turn->has_run;
		w->to = end > w->to ? end : w->to;
		break;
	}
}

/* Was a thread runnable, or did it run, at any time after @time? */
static bool is_awake_after(const struct history *h, uint32_t thread, uint64_t time)
{
	const struct history_thread *t = h->threads[thread];
	const struct history_turn *last = t->last ? history_turn(h, t->last) : NULL;

	return last && (!last->is_over || history_turn_end(h, last) > time);
}

/* Likewise, but a turn without a CPU does not count. */
static bool has_run_after(const struct history *h, uint32_t thread, uint64_t time)
{
	uint32_t number = h->threads[thread]->last;
	const struct history_turn *t;

	while (number && !history_turn(h, number)->has_run)
		number = history_turn(h, number)->before;
	t = number ? history_turn(h, number) : NULL;
	return t && (!t->is_over || history_turn_end(h, t) > time);
}

/* So may a sleep. Return: the turn whose wakeup ended it, or HISTORY_NONE if that is unknown */
static uint32_t follow_sleep(const struct history *h, struct why_window *w)
{
	uint32_t number, ended = HISTORY_NONE;

	for (number = h->threads[w->thread]->last;
	     number && history_turn(h, number)->ready >= w->to;
	     number = history_turn(h, number)->before)
		ended = number;
	if (!ended || history_turn(h, ended)->begin != HISTORY_WOKEN ||
	    (!w->is_open && history_turn(h, ended)->ready != w->to)) {
		w->is_open &= !is_awake_after(h, w->thread, w->from + ROUNDED);
		return HISTORY_NONE;
	}
	w->to = history_turn(h, ended)->ready;
	w->is_open = false;
	return ended;
}

/* The turn with which the longest sleep of a thread in a window ended, or HISTORY_NONE. */
static uint32_t longest_sleep(const struct history *h, uint32_t thread, const struct why_window *w)
{
	uint32_t number, found = HISTORY_NONE;
	const struct history_turn *turn;
	uint64_t from, longest = 0;

	for (number = h->threads[thread]->last; number; number = turn->before) {
		turn = history_turn(h, number);
		if (turn->ready <= w->from)
			break;
		if (turn->begin != HISTORY_WOKEN || !turn->before)
			continue;
		from = later(history_turn_end(h, history_turn(h, turn->before)), w->from);
		if (from < w->to && earlier(turn->ready, w->to) - from > longest) {
			longest = earlier(turn->ready, w->to) - from;
			found = number;
		}
	}
	return found;
}

/* What a thread did at that time, other than to sleep. Return: NULL if it slept, or if unknown. */
static const char *awake_state(const struct history *h, uint32_t thread, uint64_t time)
{
	const struct history_turn *t;
	uint32_t number = h->threads[thread]->last;

	while (number && history_turn(h, number)->ready > time)
		number = history_turn(h, number)->before;
	t = number ? history_turn(h, number) : NULL;
	if (!t || t->begin == HISTORY_UNSEEN || history_turn_end(h, t) <= time)
		return NULL;
	return t->has_run && t->from <= time ? "ran" : "was runnable";
}

/* Where the @holder (1 + id) of the lock was when the trigger fired, or while the thread waited. */
static void set_holder(struct judge *j, const struct why_window *w, uint32_t holder)
{
	struct report_trigger_stacks *s = &j->r->trigger_stacks;
	const struct history *h = j->l.h;
	uint32_t slept = longest_sleep(h, holder - 1, w);

	if (j->r->trigger.is_open) {
		s->holder_state = awake_state(h, holder - 1, j->r->trigger.time);
		s->held = history_asleep_stack(h, holder - 1);
	}
	if (!s->held && !s->holder_state && slept)
		s->held = history_stack(h, slept, false);
}

/* Where the thread, and the @holder (1 + id; 0: unknown) of its lock, slept, and what woke it. */
static void set_stacks(struct judge *j, const struct why_window *w, uint32_t holder)
{
	struct report_trigger_stacks *s = &j->r->trigger_stacks;
	const struct history *h = j->l.h;
	uint32_t own = longest_sleep(h, w->thread, w);

	s->slept = own ? history_stack(h, own, false) : NULL;
	if (!s->slept)
		s->slept = history_asleep_stack(h, w->thread);
	s->woken = own ? history_stack(h, own, true) : NULL;
	if (holder)
		set_holder(j, w, holder);
}

static bool is_wait_of(const struct history_lock *wait, const struct why_window *w)
{
	return wait->from <= w->from + ROUNDED && w->from <= wait->from + ROUNDED &&
	       (w->is_open ? wait->to >= w->to : wait->to == w->to);
}

/*
 * The thread may have got the lock by the end. A wait without a record goes on only if the thread
 * has not run since. Return: 1 + id of who held the lock; 0: unknown
 */
static uint32_t follow_lock(const struct judge *j, struct why_window *w)
{
	const struct report_thread *holder = j->r->trigger_lock.holder;
	const struct history_thread *t = j->l.h->threads[w->thread];
	size_t i;

	for (i = 0; i < t->lock_count; i++) {
		if (!is_wait_of(&t->locks[i], w))
			continue;
		w->to = t->locks[i].to;
		w->is_open = false;
		return holder ? holder->sched->id + 1 : t->locks[i].holder;
	}
	w->is_open &= !has_run_after(j->l.h, w->thread, w->to);
	return holder ? holder->sched->id + 1 : 0;
}

/* Who ended the sleep of the trigger, or held its lock. Return: 1 + id of the thread; 0: unknown */
static uint32_t other_side(struct judge *j, struct why_window *w)
{
	const struct history_turn *turn;
	uint32_t number;

	if (j->r->cause == FXT_SCHED_CAUSE_LATENCY)
		follow_wait(j->l.h, w);
	if (j->r->cause == FXT_SCHED_CAUSE_LOCK)
		return follow_lock(j, w);
	if (!sched_cause_sleeps(j->r->cause))
		return 0;
	number = follow_sleep(j->l.h, w);
	turn = number ? history_turn(j->l.h, number) : NULL;
	return turn && turn->begin == HISTORY_WOKEN && !turn->irq ? turn->waker : 0;
}

void finding_trigger(struct judge *j)
{
	const struct report_wait *t = &j->r->trigger;
	struct candidate *c;
	struct why_window w;
	uint32_t other;

	if (!j->r->has_trigger || !fxt_cause_has_thread(j->r->cause) || !t->thread || !t->latency ||
	    t->latency > t->time)
		return;
	w = (struct why_window){
		.thread = t->thread->sched->id, .from = t->time - t->latency, .to = t->time,
		.is_open = t->is_open,
	};
	other = other_side(j, &w);
	c = judge_wait(j, &w, REPORT_FINDING_TRIGGER);
	/* Those of a wait for a CPU are others that waited. */
	if (j->r->cause != FXT_SCHED_CAUSE_LATENCY) {
		memset(c->f.through, 0, sizeof(c->f.through));
		set_stacks(j, &w, j->r->cause == FXT_SCHED_CAUSE_LOCK ? other : 0);
	}
	if (other)
		c->f.through[0] = (struct report_party){
			.thread = losses_thread(&j->l, other - 1), .threads = 1,
		};
}

/* How long such a wait usually takes (ns): of this thread, if it has waited often, else of all. */
static uint64_t usual_wait(const struct report *r, const struct report_wait *w)
{
	const struct report_waits *own = w->thread->waits[w->kind], *all = r->totals.waits[w->kind];

	if (own && own->hist.count >= SPIKE_WAITS)
		return report_hist_percentile(&own->hist, 500);
	return all && all->hist.count >= SPIKE_WAITS ? report_hist_percentile(&all->hist, 500) : 0;
}

/* Are many waits of the thread that long? Then its median says little. */
static bool is_often_long(const struct report_wait *w)
{
	const struct report_waits *own = w->thread->waits[w->kind];

	return own && own->hist.count > 1 &&
	       report_hist_percentile(&own->hist, 750) > w->latency / SPIKE_TIMES;
}

/*
 * A thread that still waits may have no other wait to compare with. A wait for several turns of
 * other threads, or behind a real-time thread, is unusual anyway.
 */
static bool is_unusual(const struct report_wait *w, uint64_t usual)
{
	if (w->latency >= SPIKE_TURN_NS && ((w->is_open && !usual) || report_is_starved(w)))
		return true;
	return usual && w->latency / SPIKE_TIMES >= usual &&
	       (w->kind != REPORT_PREEMPTED || w->latency >= SPIKE_TURN_NS);
}

/* Does another finding explain this wait already? */
static bool is_told(struct judge *j, const struct report_wait *w)
{
	const struct loss_group *g = losses_group(&j->l, w->thread->sched->id);
	unsigned int cause;
	size_t i;

	for (cause = 0; cause < LOSS_RUN; cause++)
		if (is_notable(j, g->total[cause].ns) && g->total[cause].ns >= NOTABLE_SHARE * g->life)
			return true;
	for (i = 0; i < j->count; i++)
		if (j->all[i].f.kind == REPORT_FINDING_TRIGGER && j->all[i].f.victim.thread == w->thread)
			return true;
	return g->is_recorder;
}

/* Report the longest spike only: the others mostly have the same cause. */
void finding_spike(struct judge *j)
{
	struct candidate *c = NULL;
	struct why_window w;
	size_t i;

	for (i = 0; i < j->r->worst_count && !c; i++) {
		const struct report_wait *of = &j->r->worst[i];
		uint64_t usual = usual_wait(j->r, of);

		if (of->kind == REPORT_HELD || !is_unusual(of, usual) || is_told(j, of) ||
		    of->latency < (report_is_real_time(of->weight) ? SPIKE_RT_NS : SPIKE_NS))
			continue;
		w = (struct why_window){
			.thread = of->thread->sched->id, .from = of->time - of->latency,
			.to = of->time, .is_open = of->is_open,
		};
		c = judge_wait(j, &w, REPORT_FINDING_SPIKE);
		if (c)
			c->f.usual = is_often_long(of) ? 0 : usual;
	}
}
