// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idle.c - the CPU that was idle longest while a thread waited for another one, if it was idle for
 * at least half of the wait and the thread may use it, as far as its affinity is known.
 */
#include <stdlib.h>

#include "internal.h"

#define NOTABLE_NS	4000000		/* the scheduler may need a tick to move a thread */

/* May the thread use the CPU? Its affinity is a list like "0-3,8"; without one, it may. */
static bool may_use(const struct sched_thread *t, unsigned long cpu)
{
	unsigned long from, to;
	const char *at = t->cpus;
	char *end;

	if (!at)
		return true;
	for (;; at = end + 1) {
		from = to = strtoul(at, &end, 10);
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (cpu >= from && cpu <= to)
			return true;
		if (*end != ',')
			return false;
	}
}

static uint64_t idle_ns(const struct occupants *o)
{
	size_t i;

	for (i = 0; i < o->count; i++)
		if (o->by[i].who == WHY_IDLE)
			return o->by[i].ns;
	return 0;
}

void engine_idle_meanwhile(struct report_engine *e, struct report_wait *w)
{
	struct occupants *o = &e->account.occupants;
	uint64_t from = w->time - w->latency, least = w->latency / 2;
	unsigned int cpu;

	if (w->latency < NOTABLE_NS || w->throttled + w->limited + w->unplaced >= least ||
	    w->kind == REPORT_HELD)
		return;
	for (cpu = 0; cpu < HISTORY_NO_CPU; cpu++) {
		if (!e->history->cpus[cpu] || cpu == w->cpu || cpu == w->from_cpu ||
		    !may_use(w->thread->sched, cpu))
			continue;
		occupants_find(o, cpu, from, w->time);
		if (idle_ns(o) < least || idle_ns(o) <= w->idle_ns)
			continue;
		w->idle_ns = idle_ns(o);
		w->idle_cpu = cpu;
	}
}
