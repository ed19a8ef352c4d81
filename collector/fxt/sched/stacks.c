// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - notes call stacks that belong to no switch and no wakeup, and samples of threads that
 * do not have the CPU.
 *
 * The stack of a waker is taken at sched_waking, before the wakeup, while the woken thread sleeps.
 * So the thread must not run in between, except that its CPU may still be about to switch it out. A
 * recording may end before the wakeup.
 */
#include <inttypes.h>

#include "data.h"
#include "anomalies.h"

/* Does the archive explain why something is missing? The kernel may hide the thread. */
static bool is_excused(const struct sched_model *m, const struct sched_thread *t)
{
	return !t->switches || m->filter.cpus || m->late.count || t->stack_time <= m->begins ||
	       (m->gap_to && m->gap_to + SCHED_CLOCK_STEP >= t->stack_time) ||
	       sched_is_early(m, t->stack_time);
}

static void report_stack(struct sched_model *m, struct sched_thread *t)
{
	t->has_stack = false;
	if (!is_excused(m, t))
		sched_found(m, SCHED_STACK, false, 1, t->stack_offset, t->stack_time,
			    "thread %" PRIu64 ": a stack belongs to neither a switch nor a wakeup",
			    t->koid);
}

static bool ran_since(const struct sched_thread *t)
{
	return t->switches > t->stack_switches;
}

void sched_pair_stack(struct sched_model *m, const struct sched_event *e,
		      struct sched_thread *t)
{
	if (t->has_stack)
		report_stack(m, t);
	t->has_stack = true;
	t->stack_offset = e->offset;
	t->stack_time = e->time;
	t->stack_switches = t->switches + (t->state == SCHED_RUNNING);
	if (sched_is_runnable(t->state))
		report_stack(m, t);
}

void sched_pair_wakeup(struct sched_model *m, struct sched_thread *t)
{
	if (ran_since(t))
		report_stack(m, t);
	t->has_stack = false;
}

void sched_pairs_finish(struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->threads.count; i++)
		if (m->threads.list[i]->has_stack && ran_since(m->threads.list[i]))
			report_stack(m, m->threads.list[i]);
}

/* An exec takes the id of another thread, and the kernel may hide the threads of a switch. */
void sched_match_sample(struct sched_model *m, const struct sched_stream *s,
			const struct sched_event *e, struct sched_thread *t)
{
	const struct sched_cpu *cpu = s->id <= UINT16_MAX ? m->cpus[s->id] : NULL;

	if (!cpu || !cpu->current || cpu->current == t || m->late.count ||
	    sched_is_early(m, e->time) || sched_is_unseen(m, cpu->current))
		return;
	sched_found(m, SCHED_STACK, false, 1, e->offset, e->time,
		    "a sample of thread %" PRIu64 " on cpu %u, which thread %" PRIu64 " has",
		    t->koid, cpu->number, cpu->current->koid);
}

bool sched_stack_came_in(const struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, const struct sched_thread *t)
{
	const struct sched_cpu *cpu = s->id <= UINT16_MAX ? m->cpus[s->id] : NULL;

	return cpu && cpu->current == t && cpu->since == e->time;
}
