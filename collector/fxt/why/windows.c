// SPDX-License-Identifier: GPL-2.0-or-later
/* windows.c - see windows.h. */
#include <stdlib.h>

#include <fxt/fxt_trigger.h>

#include "terminal/memory.h"
#include "windows.h"

/* --- the longest waits and sleeps --------------------------------------------------------- */

/* Sorted by length, longest first, at most @most windows between @from and @to. */
struct longest {
	struct why_window *list;
	size_t count;
	size_t most;
	uint64_t from;
	uint64_t to;
};

static uint64_t length_of(const struct why_window *w)
{
	return w->to - w->from;
}

static bool is_longer(const struct why_window *a, const struct why_window *b)
{
	if (length_of(a) != length_of(b))
		return length_of(a) > length_of(b);
	return a->from != b->from ? a->from < b->from : a->thread < b->thread;
}

static void keep(struct longest *l, struct why_window w)
{
	size_t at = l->count;

	if (w.to <= w.from || w.from < l->from || w.to > l->to)
		return;
	if (l->count == l->most && !is_longer(&w, &l->list[at - 1]))
		return;
	if (l->count < l->most) {
		array_more(l->list, l->count);
		l->count++;
	} else {
		at--;
	}
	for (; at && is_longer(&w, &l->list[at - 1]); at--)
		l->list[at] = l->list[at - 1];
	l->list[at] = w;
}

static bool is_known(const struct history *h, uint64_t from, uint64_t to)
{
	const struct history_time *gap = history_gap_before(h, to);

	return !gap || gap->to <= from;
}

/* Since when was the thread runnable without a break and without a CPU? */
static uint64_t waited_since(const struct history *h, const struct history_turn *t)
{
	while (t->begin == HISTORY_MOVED && t->before)
		t = history_turn(h, t->before);
	return t->ready;
}

static void keep_wait(const struct history *h, uint32_t number, struct longest *l)
{
	const struct history_turn *t = history_turn(h, number);
	uint64_t until = t->has_run ? t->from : history_turn_end(h, t), since;

	/* The thread was moved: the next turn ends the wait, and the walk begins there. */
	if (t->begin == HISTORY_UNSEEN || (!t->has_run && t->is_over))
		return;
	since = waited_since(h, t);
	if (since >= until || !is_known(h, since, until))
		return;
	keep(l, (struct why_window){
		.thread = t->thread, .turn = number, .from = since, .to = until,
		.is_open = !t->has_run,
	});
}

static void keep_sleep(const struct history *h, uint32_t number, struct longest *l)
{
	const struct history_turn *t = history_turn(h, number);
	const struct history_turn *before = t->before ? history_turn(h, t->before) : NULL;

	if (t->begin != HISTORY_WOKEN || !before || (before->state != 'S' && before->state != 'D') ||
	    !is_known(h, before->to, t->ready))
		return;
	keep(l, (struct why_window){
		.thread = t->thread, .turn = number, .from = before->to, .to = t->ready,
	});
}

static void find_longest(const struct history *h, const struct why_choice *c, struct longest *l,
			 void (*keep_turn)(const struct history *h, uint32_t turn, struct longest *l))
{
	uint64_t i;

	for (i = 1; i <= h->turns.count; i++) {
		if (history_is_in(h, &c->scope, history_turn(h, i)->thread))
			keep_turn(h, i, l);
		if (tape_passed(i - 1, i))
			tape_leave(&h->turns, i - 1);
	}
}

/* --- whole threads ------------------------------------------------------------------------ */

static uint64_t begin_of(const struct history *h, const struct history_thread *t)
{
	const struct history_turn *turn = history_turn(h, t->last);

	if (!t->sched->is_forked)
		return h->first;
	while (turn->before)
		turn = history_turn(h, turn->before);
	return turn->ready;
}

static uint64_t end_of(const struct history *h, const struct history_thread *t)
{
	const struct history_turn *turn = history_turn(h, t->last);

	if (turn->state == 'X' || turn->state == 'Z')
		return turn->to;
	return t->end ? t->end : h->last;
}

void why_find_lives(const struct history *h, const struct why_choice *c, struct why_windows *w)
{
	const struct history_thread *t;
	uint64_t from, to;
	size_t i;

	for (i = 0; i < h->thread_count; i++) {
		t = h->threads[i];
		if (!t->last || !history_is_in(h, &c->scope, i))
			continue;
		from = later(begin_of(h, t), c->from);
		to = earlier(end_of(h, t), c->to);
		if (from >= to)
			continue;
		array_more(w->list, w->count);
		w->list[w->count++] = (struct why_window){ .thread = i, .from = from, .to = to };
	}
}

/* --- the choice --------------------------------------------------------------------------- */

static void find_trigger(const struct history *h, struct why_windows *w)
{
	struct sched_thread *thread;
	struct sched_trigger t;

	if (!sched_model_trigger(h->model, &t) || !fxt_cause_has_thread(t.cause))
		return;
	thread = sched_model_thread_at(h->model, t.thread, t.time);
	if (!thread || !t.value || t.value > t.time)
		return;
	array_more(w->list, w->count);
	w->list[w->count++] = (struct why_window){
		.thread = thread->id, .from = t.time - t.value, .to = t.time, .is_open = t.goes_on,
	};
	w->kind = sched_cause_sleeps(t.cause) ? WHY_TRIGGER_SLEEP : WHY_TRIGGER;
}

static void find_worst(const struct history *h, const struct why_choice *c, struct why_windows *w)
{
	struct longest l = { .most = c->worst ? c->worst : 1, .from = c->from, .to = c->to };

	find_longest(h, c, &l, keep_wait);
	w->kind = l.count ? WHY_WAIT : WHY_SLEEP;
	if (!l.count)
		find_longest(h, c, &l, keep_sleep);
	w->list = l.list;
	w->count = l.count;
}

void why_choose(const struct history *h, struct why_choice *c, struct why_windows *w)
{
	bool is_asked = scope_is_asked(&c->scope);
	size_t i;

	*w = (struct why_windows){ .kind = c->has_time ? WHY_TIME : WHY_LIFE };
	history_find_scope(h, &c->scope);
	for (i = 0; i < h->thread_count; i++)
		w->threads += h->threads[i]->last && history_is_in(h, &c->scope, i);
	if (!c->worst && (is_asked || c->has_time))
		why_find_lives(h, c, w);
	if (!is_asked && !c->has_time && !c->worst)
		find_trigger(h, w);
	if (!w->count && (c->worst || (!is_asked && !c->has_time)))
		find_worst(h, c, w);
}
