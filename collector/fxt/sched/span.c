// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * span.c - reports the time that each thread spent in one state.
 *
 * In: the moments at which states change, in order.
 * Out: the span that ends there. A span ends at the time of the latest event so far, so
 * that late events, and events reordered within a step of the clocks, do not make spans
 * overlap.
 */
#include "span.h"

/* What is known from before a part is not of it. */
static void tell(struct sched_model *m, struct sched_span span)
{
	int ret = 0;

	if (unlikely(span.from < m->begins)) {
		if (span.to <= m->begins)
			return;
		span.from = m->begins;
	}
	if (!m->error)
		ret = m->ops->span(m->arg, &span);
	if (ret)
		m->error = ret;
}

static void tell_thread(struct sched_model *m, struct sched_thread *t, char end)
{
	bool on_cpu = t->state == SCHED_RUNNING || t->state == 'R' || t->state == '+';

	tell(m, (struct sched_span){
		.thread = t,
		.from = t->since,
		.to = m->now,
		.state = t->state,
		.end_state = t->state == SCHED_RUNNING ? end : SCHED_UNKNOWN,
		.is_open = m->has_ended,
		.has_weight = t->has_weight,
		.weight = t->weight,
		.cpu = on_cpu ? t->cpu : SCHED_NO_CPU,
		.waker = t->state == 'R' ? t->waker : NULL,
		.waker_cpu = t->state == 'R' ? t->waker_cpu : SCHED_NO_CPU,
		.irq = t->state == 'R' ? t->irq : FXT_SCHED_IRQ_NONE,
	});
}

void sched_span_end(struct sched_model *m, struct sched_thread *t)
{
	if (t->is_open)
		tell_thread(m, t, SCHED_UNKNOWN);
	t->is_open = false;
}

void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu)
{
	if (t->is_open)
		tell_thread(m, t, end);
	t->is_open = true;
	t->state = state;
	t->since = m->now;
	t->cpu = cpu;
}

void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end)
{
	tell(m, (struct sched_span){
		.thread = cpu->current,
		.from = cpu->shown,
		.to = m->now,
		.state = SCHED_RUNNING,
		.end_state = end,
		.is_open = m->has_ended,
		.has_weight = cpu->current->has_weight,
		.weight = cpu->current->weight,
		.cpu = cpu->number,
		.waker_cpu = SCHED_NO_CPU,
	});
}

void sched_spans_finish(struct sched_model *m)
{
	struct sched_cpu *cpu;
	size_t i;

	m->has_ended = true;
	for (cpu = m->cpu_list; cpu; cpu = cpu->next)
		if (cpu->current && !cpu->current->koid && !cpu->has_ended)
			sched_span_idle(m, cpu, SCHED_UNKNOWN);
	for (i = 0; i < m->threads.count; i++)
		if (m->threads.list[i]->is_open)
			tell_thread(m, m->threads.list[i], SCHED_UNKNOWN);
}
