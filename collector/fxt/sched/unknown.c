// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unknown.c - records after which something is unknown.
 *
 * In: switches and wakeups that hide something (<fxt/fxt_unknown.h>).
 * Out: CPUs whose current thread is unknown, threads whose state is unknown, and the
 * faults of such records.
 */
#include <errno.h>

#include "chain.h"
#include "findings.h"
#include "lives.h"
#include "span.h"
#include "threads.h"
#include "unknown.h"

const char *sched_unknown_fault(const struct fxt_switch *sw)
{
	bool hides_state = sw->state == FXT_SCHED_STATE_UNKNOWN;

	if (sw->unknown != FXT_STR_FILTERED)
		return "it hides something that no filter does";
	if (!hides_state && !fxt_switch_hides_in(sw))
		return "it says that something is unknown, and hides nothing";
	if (!sched_weight_is_sane(sw->out, sw->out_weight) || !sw->has_out_weight)
		return "the outgoing weight cannot be";
	if (!sched_weight_is_sane(sw->in, sw->in_weight) || !sw->has_in_weight)
		return "the incoming weight cannot be";
	if (!sw->out && sw->state != FXT_THREAD_NEW)
		return "the idle thread goes to sleep";
	if (sw->out && !hides_state && sw->state < FXT_THREAD_DYING)
		return "the outgoing state is one that a filter hides";
	return NULL;
}

/*
 * The ledger after it shows the loss, which becomes a gap. So this only checks whether a slice
 * reports a loss here, and whether the thread is the one that was switched in.
 */
int sched_take_stand_in(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_switch *sw)
{
	const struct sched_stream *s = m->streams[sw->cpu];
	uint64_t ns = fxt_ticks_to_ns(sw->time, rec->provider->ticks_per_second);

	if (!s || !s->is_told || s->slice.from != sw->time)
		sched_tell(m, SCHED_LOSS_UNTOLD, true, 1, rec->offset, ns,
			   "cpu %u: a switch stands for a loss that no slice tells", sw->cpu);
	else if (!fxt_switch_hides_in(sw) || !sw->out ||
		 (s->in != SCHED_NOBODY && s->in != sw->out))
		sched_tell(m, SCHED_LOSS_UNTOLD, true, 1, rec->offset, ns,
			   "cpu %u: a switch stands for a loss, but not of the thread that was switched in",
			   sw->cpu);
	return m->error;
}

void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *out = cpu->current;
	struct sched_step step = { .time = e->time, .cpu = e->cpu, .state = e->state,
				   .is_late = is_late };

	if (!out || cpu->koid != e->a)
		out = sched_break_chain(m, cpu, e);
	if (!out)
		return;
	/* A thread that kernels hide is not seen leaving, either. */
	if (e->time >= m->begins || e->state != SCHED_UNKNOWN)
		out->switches++;
	step.out = out;
	if (m->ops->step && !m->error)
		m->error = m->ops->step(m->arg, &step);
	if (!e->a && cpu->current && m->spans)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	cpu->current = NULL;
	if (!e->a || (is_late && out->last_event > e->time))
		return;
	sched_touch(out, e);
	if (m->spans)
		sched_span_next(m, out, e->state, e->state, e->cpu);
	out->state = e->state;
	if (sched_is_dead(e->state))
		sched_life_left(m, out);
}

void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
{
	if (t->state == SCHED_RUNNING)
		return;
	if (m->spans && t->state != SCHED_UNKNOWN)
		sched_span_next(m, t, SCHED_UNKNOWN, SCHED_UNKNOWN, SCHED_NO_CPU);
	t->state = SCHED_UNKNOWN;
	t->is_woken = true;
}
