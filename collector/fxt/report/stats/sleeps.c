// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeps.c - the time in which threads were neither on a CPU nor runnable: number and sum of sleeps
 * by kind, and the longest of them with who ended it.
 *
 * Must hold: a sleep is known if all records of all CPUs from its beginning to its end are there,
 * because the thread may have been woken, and have run, on any of them.
 */
#include <stdlib.h>

#include "internal.h"

const uint8_t engine_sleep_kinds[256] = {
	['S'] = REPORT_SLEEP + 1, ['D'] = REPORT_UNINTERRUPTIBLE + 1, ['I'] = REPORT_IDLE + 1,
	['T'] = REPORT_STOPPED + 1, ['t'] = REPORT_TRACED + 1, ['P'] = REPORT_PARKED + 1,
};

/* If perhaps not all threads are shown, each has its own list. */
static struct report_worst *list_of(struct report_engine *e, struct report_sleeps *sleeps,
				    enum report_sleep_kind kind)
{
	if (!e->by_thread)
		return &e->longest_sleeps[kind];
	if (!sleeps->worst)
		sleeps->worst = arena_new(&e->arena, struct report_worst);
	return sleeps->worst;
}

/* @s is limited to the selected time; @is_cut: the sleep goes beyond that. */
static void add_sleep(struct report_engine *e, struct report_thread *t,
		      const struct report_wait *s, bool is_cut)
{
	struct report_worst *list;

	report_sleeps_add(e, t->sleeps, s, is_cut);
	if (s->kind >= REPORT_LISTED_SLEEPS || (is_cut && s->kind != REPORT_UNINTERRUPTIBLE))
		return;
	list = list_of(e, t->sleeps[s->kind], s->kind);
	if (engine_is_worst(list, s->latency))
		engine_worst_keep(e, list, s);
}

/* Not over at the end of the selected time, so what ended it is not selected. */
static void forget_end(struct report_wait *s)
{
	s->is_open = true;
	s->cpu = s->irq_cpu = REPORT_NO_CPU;
	s->waker = NULL;
	s->irq = FXT_SCHED_IRQ_NONE;
	s->by_idle = false;
}

/* @s: its end, and what ended it. */
static void end_sleep(struct report_engine *e, struct report_thread *t, struct report_wait *s)
{
	const struct sched_totals *archive = e->report.totals.archive;
	uint64_t from = t->since, to = s->time > from ? s->time : from;
	bool is_cut = s->is_open;

	s->kind = t->sleep - 1;
	t->sleep = 0;
	s->thread = t;
	s->from_cpu = t->last_cpu;
	if (from < e->gap_to || from < archive->complete || archive->lacks_cpus) {
		t->n.unknown_sleeps += engine_counts(e, to, s->from_cpu);
		return;
	}
	if (e->is_narrow) {
		if (!engine_narrow(e, s->from_cpu, &from, &to))
			return;
		if (to < s->time)
			forget_end(s);
		is_cut = s->is_open || from > t->since;
	}
	s->time = to;
	s->latency = to - from;
	add_sleep(e, t, s, is_cut);
}

/* The fast path for a sleep that is known and not among the longest. */
static bool count_sleep(struct report_engine *e, struct report_thread *t, uint64_t time)
{
	const struct sched_totals *archive = e->report.totals.archive;
	enum report_sleep_kind kind = t->sleep - 1;
	struct report_sleeps *to = t->sleeps[kind];
	uint64_t ns = time > t->since ? time - t->since : 0;

	if (unlikely(e->is_narrow || e->by_thread || t->since < e->gap_to ||
		     t->since < archive->complete || archive->lacks_cpus))
		return false;
	if (unlikely(!to || !to->count || ns >= to->longest.latency))
		return false;
	if (kind < REPORT_LISTED_SLEEPS && engine_is_worst(&e->longest_sleeps[kind], ns))
		return false;
	to->count++;
	to->ns += ns;
	t->sleep = 0;
	return true;
}

void engine_sleep_end(struct report_engine *e, struct report_thread *t,
		      const struct sched_waking *w, const struct report_thread *waker)
{
	/* A new thread is woken, too, and its wakeup may come before its fork. */
	if (!t->is_seen)
		t->n.early_sleeps = engine_counts(e, w->time, w->cpu);
	t->is_seen = true;
	if (!t->sleep || likely(count_sleep(e, t, w->time)))
		return;
	end_sleep(e, t, &(struct report_wait){
		.time = w->time, .cpu = w->cpu, .waker = waker, .irq = w->irq,
		.irq_cpu = w->irq_cpu, .by_idle = w->by_idle,
	});
}

void engine_sleep_lost(struct report_engine *e, struct report_thread *t,
		       const struct sched_step *s)
{
	t->sleep = 0;
	t->n.unknown_sleeps += engine_counts(e, s->time, s->cpu);
}

void engine_sleep_cut(struct report_engine *e, uint16_t cpu, uint64_t time)
{
	struct report_thread *t;
	size_t i = 0;

	while ((t = engine_next_thread(e, &i)))
		if (t->sleep && (cpu == REPORT_NO_CPU || t->last_cpu == cpu))
			end_sleep(e, t, &(struct report_wait){
				.time = time, .cpu = REPORT_NO_CPU, .irq_cpu = REPORT_NO_CPU,
				.is_open = true,
			});
}

void engine_sleep_finish(struct report_engine *e, uint64_t last)
{
	struct report_thread *t;
	size_t i = 0;

	while ((t = engine_next_thread(e, &i)))
		if (t->sched->is_forked)
			t->n.early_sleeps = 0;
	engine_sleep_cut(e, REPORT_NO_CPU, last);
}

void engine_sleep_lists(struct report_engine *e)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_LISTED_SLEEPS; kind++)
		e->report.longest_sleeps[kind] =
			engine_worst_shown(e, &e->longest_sleeps[kind], kind);
}
