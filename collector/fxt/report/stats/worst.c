// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * worst.c - the worst latencies, the first of equal ones, each with what the account says of it:
 * the threads that had the CPU for the largest parts of it, interrupts, throttling, unknown time.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include <fxt/fxt_catalogue.h>

#include "internal.h"
#include "libfxt/heap.h"

/* Does @a come before @b in the list? The heap has the last one on top. */
static bool is_worse(const struct report_wait *a, const struct report_wait *b)
{
	if (a->latency != b->latency)
		return a->latency > b->latency;
	if (a->time != b->time)
		return a->time < b->time;
	return a->thread->sched->koid < b->thread->sched->koid;
}

#define IS_BETTER(arg, a, b)	is_worse(&(b), &(a))

/* The weight as in the archive; 0: unknown. Archives of other tools may have any number. */
static int32_t weight_of(const struct report_engine *e, int32_t weight)
{
	const struct sched_totals *a = e->report.totals.archive;

	if (!weight || (!a->ledgers && !a->is_imported))
		return 0;
	return a->has_priorities ? sched_weight_of_prio(1, weight) : weight;
}

/* Insert @of, if it is among those that ran longest. */
static void rank(struct report_wait *w, const struct report_occupant *of)
{
	struct report_occupant *o = w->occupants, *end = o + w->occupant_count, swapped;

	while (o < end && o->thread != of->thread)
		o++;
	if (o == end) {
		if (w->occupant_count < REPORT_OCCUPANTS)
			w->occupant_count++;
		else if ((--o)->ns >= of->ns)
			return;
	}
	*o = *of;
	for (; o > w->occupants && o[-1].ns < o->ns; o--) {
		swapped = o[-1];
		o[-1] = *o;
		*o = swapped;
	}
}

/* For what happened during a wait. */
struct search {
	struct report_engine *e;
	struct report_wait *w;
	struct report_occupant *sharers;	/* threads that had the CPU */
	size_t count;
};

static void add_sharer(struct search *s, const struct why_by *by)
{
	struct report_engine *e = s->e;
	struct report_thread *t = engine_thread(e, e->history->threads[by->id]->sched);

	if (t->mark != e->mark) {
		array_more(s->sharers, s->count);
		t->mark = e->mark;
		t->marked = s->count;
		s->sharers[s->count++] = (struct report_occupant){
			.thread = t, .threads = 1, .weight = weight_of(e, by->weight),
		};
	}
	s->sharers[t->marked].ns += by->ns;
}

static void add_origin(struct search *s, const struct account_part *part, const struct why_by *by)
{
	size_t count;
	struct sched_origin *of = sched_model_origins(s->e->model, &count)[by->id];
	struct report_origin *origin = engine_origin(s->e, of);
	struct report_wait *w = s->w;

	if (part->cause == WHY_THROTTLED) {
		w->throttled += by->ns;
		w->cgroup = origin;
		return;
	}
	w->stolen += by->ns;
	origin->marked = origin->mark == s->e->mark ? origin->marked + by->ns : by->ns;
	origin->mark = s->e->mark;
	if (origin->marked > w->thief_ns) {
		w->thief = origin;
		w->thief_ns = origin->marked;
	}
}

/* Several limits in one wait are rare; the first one is named. */
static void add_limit(struct report_wait *w, const struct why_by *by)
{
	w->limited += by->ns;
	w->limit = by->id;
}

static void add_part(void *arg, const struct account_part *part, const struct why_by *by,
		    size_t count)
{
	struct search *s = arg;
	size_t i;

	if (!count)
		s->w->unknown += part->to - part->from;
	for (i = 0; i < count; i++) {
		if (by[i].who == WHY_THREAD || by[i].who == WHY_IDLE)
			add_sharer(s, &by[i]);
		else if (by[i].who == WHY_ORIGIN)
			add_origin(s, part, &by[i]);
		else if (by[i].who == WHY_LIMIT)
			add_limit(s->w, &by[i]);
		else if (by[i].who == WHY_OTHERS)
			s->w->others += by[i].ns;
		else if (part->cpu == HISTORY_NO_CPU)
			s->w->unplaced += by[i].ns;
		else
			s->w->unknown += by[i].ns;
	}
}

ARRAY_COMPARE(by_name, struct report_occupant, x, y,
	      strcmp(report_name(x->thread), report_name(y->thread)) ?: array_order(y->ns, x->ns) ?:
	      array_order(x->thread->sched->id, y->thread->sched->id))

/* Too many threads ran for a single one to matter, so sum up by name. */
static void rank_names(struct search *s)
{
	struct report_occupant o;
	size_t i, next;

	array_sort(s->sharers, s->count, by_name);
	s->w->occupant_count = 0;
	for (i = 0; i < s->count; i = next) {
		o = s->sharers[i];
		for (next = i + 1; next < s->count && !strcmp(report_name(s->sharers[next].thread),
							      report_name(o.thread)); next++) {
			o.ns += s->sharers[next].ns;
			o.threads++;
		}
		rank(s->w, &o);
	}
}

static void rank_all(struct search *s)
{
	struct report_wait *w = s->w;
	size_t i;

	for (i = 0; i < s->count; i++)
		rank(w, &s->sharers[i]);
	w->sharers = s->count;
	if (w->occupant_count) {
		w->most = w->occupants[0].thread;
		w->most_ns = w->occupants[0].ns;
	}
	if (report_is_shared(w))
		rank_names(s);
}

/* The turn that a wait until @time belongs to, or HISTORY_NONE. */
static uint32_t turn_at(const struct report_engine *e, const struct report_thread *t, uint64_t time)
{
	uint32_t number = t->account.last;

	while (number && history_turn(e->history, number)->ready >= time)
		number = history_turn(e->history, number)->before;
	return number;
}

void report_explain(struct report_engine *e, struct report_wait *w)
{
	uint64_t from = w->time - w->latency;
	struct search s = { .e = e, .w = w };

	if (!w->turn)
		w->turn = turn_at(e, w->thread, w->time);
	e->mark++;
	account_rewind(&e->account, w->time);
	if (w->turn) {
		w->weight = weight_of(e, history_turn(e->history, w->turn)->weight);
		account_wait(&e->account, w->turn, from, w->time, add_part, &s);
	}
	rank_all(&s);
	engine_idle_meanwhile(e, w);
	free(s.sharers);
}

void engine_worst_keep(struct report_engine *e, struct report_worst *worst,
		       const struct report_wait *wait)
{
	if (worst->count < e->options->worst) {
		arena_more(&e->arena, worst->heap, worst->count);
		heap_push(worst->heap, worst->count, *wait, IS_BETTER, NULL);
	} else if (worst->count && is_worse(wait, &worst->heap[0])) {
		heap_set_top(worst->heap, worst->count, *wait, IS_BETTER, NULL);
	}
	if (worst->count < e->options->worst)
		return;
	worst->enough = worst->count ? worst->heap[0].latency : UINT64_MAX;
	worst->enough += worst->enough != UINT64_MAX;
}

static int by_badness(const void *a, const void *b)
{
	return is_worse(a, b) ? -1 : is_worse(b, a);
}

static void gather_shown(struct report_engine *e, struct report_worst *to,
			 const struct report_worst *from)
{
	size_t i;

	for (i = 0; from && i < from->count; i++)
		if (from->heap[i].thread->is_shown)
			engine_worst_keep(e, to, &from->heap[i]);
}

struct report_longest engine_worst_shown(struct report_engine *e, const struct report_worst *list,
					 enum report_sleep_kind kind)
{
	struct report_worst worst = e->by_thread ? (struct report_worst){ 0 } : *list;
	struct report_thread *t;
	size_t i;

	if (e->by_thread)
		gather_shown(e, &worst, list);
	for (i = 0; e->by_thread && i < e->report.thread_count; i++) {
		t = e->report.threads[i];
		gather_shown(e, &worst, kind == REPORT_SLEEPS ? t->worst :
					t->sleeps[kind] ? t->sleeps[kind]->worst : NULL);
	}
	array_sort(worst.heap, worst.count, by_badness);
	return (struct report_longest){ worst.heap, worst.count };
}

/* The record of the trigger comes at the end of the archive. */
static void find_trigger(struct report_engine *e)
{
	struct report_wait *w = &e->report.trigger, *found;
	struct sched_thread *thread;
	struct sched_trigger t;

	if (!sched_model_trigger(e->model, &t))
		return;
	thread = sched_model_thread_at(e->model, t.thread, t.time);
	if (!thread && fxt_cause_has_thread(t.cause))
		return;
	*w = (struct report_wait){
		.time = t.time, .kind = REPORT_WOKEN,
		.cpu = t.cpu, .from_cpu = t.cpu, .irq_cpu = REPORT_NO_CPU,
		.thread = thread ? engine_thread(e, thread) : NULL,
		.is_open = t.goes_on,
	};
	e->report.trigger_lock.of = t.lock;
	thread = t.holder ? sched_model_thread_at(e->model, t.holder, t.time) : NULL;
	e->report.trigger_lock.holder = thread ? engine_thread(e, thread) : NULL;
	e->report.has_trigger = true;
	e->report.cause = t.cause;
	if (t.cause == FXT_SCHED_CAUSE_RUNNABLE)
		e->report.runnable = t.value;
	else
		w->latency = t.value;
	if (t.cause != FXT_SCHED_CAUSE_LATENCY || !e->history)
		return;
	for (found = e->report.worst; found < e->report.worst + e->report.worst_count; found++) {
		if (found->time == w->time && found->thread == w->thread && !w->is_open) {
			*w = *found;
			return;
		}
	}
	report_explain(e, w);
}

void engine_worst_finish(struct report_engine *e)
{
	struct report_longest worst = engine_worst_shown(e, &e->worst, REPORT_SLEEPS);
	struct report *r = &e->report;
	size_t i;

	r->worst = worst.list;
	r->worst_count = worst.count;
	for (i = 0; i < r->worst_count && e->history; i++)
		report_explain(e, &r->worst[i]);
	find_trigger(e);
}
