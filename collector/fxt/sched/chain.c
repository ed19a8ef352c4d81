// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chain.c - see chain.h.
 *
 * In: switches that switch out another thread than was switched in on that CPU.
 * Out: the thread that is switched out; the state of the other one is unknown.
 */
#include <errno.h>

#include "chain.h"
#include "misfit.h"
#include "online.h"
#include "reuse.h"
#include "span.h"
#include "threads.h"

void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu)
{
	struct sched_thread *t = cpu->current;

	if (m->spans && !t->koid)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	if (t->koid && t->state == SCHED_RUNNING && t->cpu == cpu->number) {
		if (m->spans)
			sched_span_next(m, t, SCHED_UNKNOWN, SCHED_UNKNOWN, SCHED_NO_CPU);
		t->state = SCHED_UNKNOWN;
	}
	cpu->current = NULL;
}

struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
{
	struct sched_thread *out = sched_thread_get(&m->threads, e->a), *before = cpu->current;

	if (!out) {
		m->error = -ENOMEM;
		return NULL;
	}
	if (e->kind == SCHED_EVENT_SWITCH && e->a && e->a == e->b && !out->before)
		sched_tell_itself(m, e);
	if (sched_reuse_out(out, before, e))
		out = out->before;
	sched_find_coming(m, e);
	out->is_ended = false;
	if (before == out && cpu->koid == SCHED_NOBODY) {
		cpu->koid = e->a;
		m->hidden_until = e->time;
		return out;
	}
	if (before) {
		sched_misfit(m, SCHED_CHAIN, e, out, before);
		sched_leave_unknown(m, cpu);
		return out;
	}
	if (out->koid && out->state != SCHED_UNKNOWN)
		sched_misfit(m, SCHED_CHAIN, e, out, NULL);
	m->hidden_until = e->time;
	return out;
}
