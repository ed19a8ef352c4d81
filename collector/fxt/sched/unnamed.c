// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unnamed.c - threads without a name, and possible reasons.
 *
 * In: all threads, at the end.
 * Out: findings.
 */
#include <inttypes.h>

#include "findings.h"
#include "unnamed.h"

#define UNNAMED_TOLD	100

/* Threads without a name for one reason: their number, and the first of them. */
struct unnamed {
	uint64_t count;
	const struct sched_thread *first;
};

static void tell_unnamed(struct sched_model *m, const struct unnamed *u, bool violation,
			 const char *more, const char *why)
{
	if (u->count)
		sched_tell(m, SCHED_UNNAMED, violation, u->count, u->first->first_offset, 0,
			   "%sthreads have no kernel object record (%" PRIu64 ")%s",
			   more, u->count, why);
}

/*
 * May the thread be about to end? The kernel removes a thread from its lists before its end: a
 * thread that is preempted on its last steps cannot be queried any more, and may not reach its
 * last switch while the recording runs. It has almost nothing left to sleep for, so a thread
 * that sleeps or was woken is not excused. A thread whose last switch came when wakeups were
 * recorded already, but switches not yet, cannot be queried either. A filter hides whether a
 * thread is preempted.
 */
static bool may_be_ending(const struct sched_model *m, const struct sched_thread *t)
{
	if (t->state == SCHED_UNKNOWN)
		return (t->woke_early && !t->last_event) || (t->at_end && !t->is_woken) ||
		       (m->filter.threads && !t->is_woken);
	return (t->state == SCHED_RUNNING || t->state == '+') && !t->is_woken;
}

/*
 * The names of existing threads are read after the recording has begun, so a thread that ends
 * at that moment has none. A thread that is created later always has a name.
 */
void sched_tell_unnamed(struct sched_model *m)
{
	bool violation = m->totals.ledgers && !m->lost_names && !m->has_others && !m->lacks_names;
	struct unnamed ending = { 0 }, later = { 0 }, rest = { 0 }, *u;
	unsigned int told = 0;
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		const struct sched_thread *t = m->threads.list[i];

		if (t->named || !t->koid || !t->last_offset)
			continue;
		u = sched_is_dead(t->state) || (violation && may_be_ending(m, t)) ? &ending : &rest;
		if (t->before)
			u = &later;
		if (u == &rest && violation && told < UNNAMED_TOLD) {
			sched_tell(m, SCHED_UNNAMED, true, 1, t->first_offset, 0,
				   "thread %" PRIu64 " has no kernel object record",
				   t->koid);
			told++;
			continue;
		}
		if (!u->count++)
			u->first = t;
	}
	tell_unnamed(m, &ending, false, "",
		     ": they ended, or were about to, before they could be named");
	tell_unnamed(m, &later, false, "", ": no fork is told that gave them their ids");
	tell_unnamed(m, &rest, violation, violation ? "more " : "",
		     violation ? "" : m->lost_names ? ": names were lost" :
		     m->lacks_names ? ": they are outside the pid namespace of the recorder" :
		     ", so neither name nor process");
}
