// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edge_apply.c - see edge_apply.h.
 *
 * In: beginnings and ends of streams, in the order of time (edge.c).
 * Out: the thread that each CPU runs from there or ran until there, and misfits.
 */
#include <errno.h>

#include "chain.h"
#include "edge_apply.h"
#include "misfit.h"
#include "queue.h"
#include "span.h"
#include "threads.h"

static void tell(struct sched_model *m, const struct sched_event *e, struct sched_thread *t,
		 bool is_late)
{
	struct sched_edge edge = {
		.time = e->time, .thread = t, .cpu = e->cpu,
		.is_begin = e->kind == SCHED_EVENT_BEGIN,
		.is_online = e->mark == FXT_STR_ONLINE || e->mark == FXT_STR_OFFLINE,
		.is_late = is_late,
	};
	int ret = m->ops->edge && !m->error ? m->ops->edge(m->arg, &edge) : 0;

	if (ret)
		m->error = ret;
}

/* May it have got the CPU before it was recorded? */
static bool may_begin(const struct sched_thread *t)
{
	return !t->koid || t->state == SCHED_UNKNOWN || t->state == 'R' || t->state == '+';
}

/* Is the thread known to be elsewhere, or asleep? */
static void check_begin(struct sched_model *m, const struct sched_event *e,
			struct sched_cpu *cpu, struct sched_thread *t)
{
	if (cpu->current) {
		sched_misfit(m, SCHED_CHAIN, e, t, cpu->current);
		sched_leave_unknown(m, cpu);
	} else if (!may_begin(t)) {
		sched_misfit(m, t->state == SCHED_RUNNING ? SCHED_TWO_CPUS : SCHED_NOT_WOKEN, e,
			     t, NULL);
	}
}

static void begin(struct sched_model *m, const struct sched_event *e, struct sched_cpu *cpu,
		  struct sched_thread *t, bool is_late)
{
	/* The CPU is covered already: another part of the recording ended here. */
	if (cpu->current && cpu->koid == e->a)
		return;
	/* Anything that is known of the thread contradicts this: it is judged with the switch. */
	if (!e->mark && (is_late || cpu->current || (t->koid && t->state != SCHED_UNKNOWN)))
		return;
	if (!is_late)
		check_begin(m, e, cpu, t);
	tell(m, e, t, is_late);
	if (t->last_event <= e->time || !t->koid) {
		if (e->mark)
			sched_touch(t, e);
		if (m->spans && t->koid)
			sched_span_next(m, t, SCHED_UNKNOWN, SCHED_RUNNING, e->cpu);
		t->state = t->on_state;
		t->at_end = false;
		t->cpu = t->queue = e->cpu;
		t->weight = e->weight;
		t->has_weight = e->has_weight;
	}
	cpu->current = t;
	cpu->koid = e->mark ? e->a : SCHED_NOBODY;
	cpu->since = cpu->covered = e->time;
	cpu->offset = e->mark ? e->offset : 0;
	cpu->shown = m->now;
	cpu->has_ended = false;
}

static void end(struct sched_model *m, const struct sched_event *e, struct sched_cpu *cpu,
		bool is_late)
{
	struct sched_thread *t = cpu->current;

	if (!t || cpu->koid != e->a)
		t = sched_break_chain(m, cpu, e);
	if (!t)
		return;
	sched_touch(t, e);
	tell(m, e, t, is_late);
	if (m->spans && t->koid)
		sched_span_end(m, t);
	else if (m->spans && cpu->current)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	if (sched_runs_on(t, e->cpu)) {
		t->state = SCHED_UNKNOWN;
		t->at_end = true;
	}
	cpu->current = NULL;
	cpu->has_ended = true;
}

/* Does another part of the recording go on here, with the same thread? */
static bool goes_on(const struct sched_model *m, const struct sched_stream *s,
		    const struct sched_event *e)
{
	const struct sched_block *block = s->head;
	const struct sched_event *next = sched_queue_after(m, s, &block, e);

	return next && next->kind == SCHED_EVENT_BEGIN && next->has_b && next->a == e->a &&
	       next->time == e->time;
}

void sched_apply_edge(struct sched_model *m, struct sched_stream *s,
		      const struct sched_event *e, bool is_late)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *t;

	/* Before a part, only reports of waits need to know. */
	if (unlikely(e->time < m->begins)) {
		t = sched_thread_get(&m->threads, e->a);
		if (t)
			tell(m, e, t, is_late);
		else
			m->error = -ENOMEM;
		return;
	}

	if (!e->has_b) {
		s->first_run = NULL;
		return;
	}
	t = sched_thread_get(&m->threads, e->a);
	if (!t)
		m->error = -ENOMEM;
	else if (e->kind == SCHED_EVENT_BEGIN)
		begin(m, e, cpu, t, is_late);
	else if (!cpu->current || cpu->current != t || !goes_on(m, s, e))
		end(m, e, cpu, is_late);
}
