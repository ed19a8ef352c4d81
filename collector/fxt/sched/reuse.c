// SPDX-License-Identifier: GPL-2.0-or-later
/* reuse.c - see reuse.h. */
#include "findings.h"
#include "lives.h"
#include "queue.h"
#include "reuse.h"
#include "threads.h"

#define AHEAD_EVENTS	4096	/* of a CPU, that are looked at */

static bool waits(const struct sched_thread *t)
{
	return t->state == 'R' || t->state == '+';
}

/*
 * Is it the earlier one that @e switches in, if both wait on this CPU? Read ahead to the first
 * death, while each is followed by the other. The earlier one needs the CPU only to die.
 */
static bool is_earlier(const struct sched_model *m, const struct sched_stream *s,
		       const struct sched_event *e)
{
	const struct sched_block *block = s->head;
	const struct sched_event *next = e;
	uint64_t since = e->time, ran[2] = { 0 };
	unsigned int n, other = 0;

	for (n = 0; n < AHEAD_EVENTS; n++) {
		next = sched_queue_after(m, s, &block, next);
		if (!next)
			break;
		if (next->kind != SCHED_EVENT_SWITCH && next->kind != SCHED_EVENT_LEAVE)
			continue;
		if (next->a != e->b)
			break;
		if (sched_is_dead(next->state))
			return !other;
		ran[other] += next->time - since;
		since = next->time;
		if (next->kind != SCHED_EVENT_SWITCH || next->b != e->b)
			break;
		other = !other;
	}
	return ran[0] < ran[1];
}

struct sched_thread *sched_reuse_in(const struct sched_model *m, const struct sched_stream *s,
				    const struct sched_event *e, struct sched_thread *t)
{
	struct sched_thread *before = t->before;

	if (!waits(before))
		return t;
	if (!waits(t) && t->state != SCHED_UNKNOWN)
		return before;
	if (t->queue != before->queue)
		return before->queue == e->cpu ? before : t;
	return is_earlier(m, s, e) ? before : t;
}

/*
 * In a part of a recording, its last switch may be the first thing that is known of the earlier
 * one. But what the successor does is known.
 */
bool sched_reuse_out(const struct sched_thread *t, const struct sched_thread *current,
		     const struct sched_event *e)
{
	if (!sched_is_dead(e->state) || sched_runs_on(t, e->cpu))
		return false;
	return t->overlaps || (!current && t->before && t->state != SCHED_UNKNOWN &&
			       t->before->state == SCHED_UNKNOWN);
}

struct sched_thread *sched_reuse_dies(struct sched_thread *t)
{
	struct sched_thread *before = t->before;

	if (!waits(before))
		return t;
	before->state = t->state;
	t->state = 'R';
	return before;
}

void sched_tell_itself(struct sched_model *m, const struct sched_event *e)
{
	sched_tell(m, SCHED_RECORD, true, 1, e->offset, e->time,
		   "cpu %u: the same thread is switched out and in", e->cpu);
}

/* If the next owner of a dying thread's id is not known, the record of its fork was lost. */
struct sched_thread *sched_follow_itself(struct sched_model *m, const struct sched_event *e,
					 struct sched_thread *t)
{
	if (sched_is_dead(e->state))
		return sched_life_again(m, t);
	sched_tell_itself(m, e);
	return t;
}
