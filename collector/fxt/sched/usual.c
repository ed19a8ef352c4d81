// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usual.c - the fast path into the model.
 *
 * In: the common switches and wakeups: valid ones, in the right stream, in the order of
 * time.
 * Out: the same events as from model.c. All others are left to model.c.
 */
#include "ledger.h"
#include "model.h"
#include "queue.h"

/* Select one of two values by a number that is 0 or 1, without a branch. */
static inline uint64_t pick(uint8_t which, uint64_t if_1, uint64_t if_0)
{
	uint64_t mask = -(uint64_t)which;

	return (if_1 & mask) | (if_0 & ~mask);
}

/*
 * Would model.c find no fault? Both kinds use the same instructions. The outgoing weight was
 * checked when its thread was switched in.
 */
static inline bool is_sane(const struct sched_stream *s, const struct fxt_usual *u)
{
	uint64_t gets_on = pick(u->is_wakeup, u->thread, u->other);
	bool sane = sched_weight_is_sane(gets_on, u->weight);

	sane &= u->is_wakeup | ((u->thread == s->in) & (u->out_weight == s->in_weight));
	/* The same thread twice; the idle thread, woken, waking or asleep. */
	sane &= u->thread != pick(u->is_wakeup, 0, u->other);
	sane &= !u->is_wakeup | !!u->other;
	sane &= !!u->thread | !u->state;
	return sane & (u->state != FXT_THREAD_RUNNING);
}

static inline bool is_in_place(const struct sched_model *m, const struct sched_stream *s,
			       const struct fxt_usual *u)
{
	return s && s->id != FXT_LEDGER_STREAM_NAMES &&
	       (u->is_wakeup | (s->id == u->cpu)) &&
	       (m->cpus[u->cpu] || (u->is_wakeup && m->filter.cpus)) &&
	       sched_time_fits(s, u->time) && u->time >= s->tail_ns;
}

bool sched_model_usual(struct sched_model *m, const struct fxt_usual *u)
{
	struct sched_stream *s = m->stream;
	struct sched_event *e;

	if (unlikely(!is_in_place(m, s, u) || !is_sane(s, u) ||
		     !sched_queue_has_room(m, s) || m->error))
		return false;
	e = &s->tail->events[s->end];
	e->time = u->time;
	e->offset = u->offset;
	e->a = u->thread;
	e->b = u->other;
	e->weight = u->weight;
	e->out_weight = u->out_weight;
	e->cpu = u->cpu;
	e->kind = u->is_wakeup;
	e->state = sched_state_letter(u->state);
	e->irq = FXT_SCHED_IRQ_NONE;
	e->has_weight = true;
	e->has_out_weight = !u->is_wakeup;
	e->has_b = true;
	s->in = pick(u->is_wakeup, s->in, u->other);
	s->in_weight = pick(u->is_wakeup, s->in_weight, u->weight);
	s->last_ticks = u->time;
	s->stored++;
	m->totals.stored++;
	m->totals.wakeups += u->is_wakeup;
	m->totals.switches += !u->is_wakeup;
	sched_queue_added(s, u->time);
	return true;
}

int sched_model_next(struct sched_model *m, struct fxt_reader *r, struct fxt_record *rec)
{
	struct fxt_usual u;

	while (fxt_reader_next_usual(r, &u)) {
		if (sched_model_usual(m, &u))
			continue;
		fxt_reader_usual_record(r, rec);
		return 1;
	}
	return fxt_reader_next(r, rec);
}
