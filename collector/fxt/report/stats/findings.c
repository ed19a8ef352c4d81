// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * findings.c - where threads lost time, and to whom: the first thing that a report shows.
 *
 * Findings are the largest avoidable parts of the threads' time, relative to it, of the candidates
 * that other files make (judge.h).
 * Must hold: two findings do not report the same loss. Idle threads, timers and threads that others
 * join lose no time.
 */
#include <stdlib.h>

#include "judge.h"

#define STEPS_TURNS	8	/* turns */

/* From REPORT_FINDING_SPIKE on, kinds are sorted. */
static unsigned int order_of(const struct candidate *c)
{
	return c->f.kind == REPORT_FINDING_TRIGGER ? 0 :
	       c->f.kind < REPORT_FINDING_SPIKE ? 1 : c->f.kind;
}

ARRAY_COMPARE(by_rank, struct candidate, x, y,
	      array_order(order_of(x), order_of(y)) ?: array_order(y->rank, x->rank) ?:
	      array_order(x->f.kind, y->f.kind) ?:
	      array_order(x->f.victim.thread->sched->id, y->f.victim.thread->sched->id))

static void judge(struct judge *j)
{
	size_t i;

	finding_victims(j);
	finding_look(j);
	for (i = 0; i < j->l.group_count; i++)
		if (j->l.groups[i]->is_victim)
			finding_group(j, j->l.groups[i]);
	finding_requests(j);
	finding_sleepers(j);
	finding_locks(j);
	finding_join(j);
	finding_join_mutual(j);
	finding_trigger(j);
	finding_memory(j);
	finding_spike(j);
	finding_serial(j);
	finding_steal(j);
}

void engine_findings(struct report_engine *e)
{
	struct judge j = { .e = e, .r = &e->report };
	size_t i;

	if (!e->history)
		return;
	losses_open(&j.l, e, STEPS_LEAST + e->history->turns.count / STEPS_TURNS);
	judge(&j);
	array_sort(j.all, j.count, by_rank);
	for (i = 0; i < j.count && e->report.finding_count < REPORT_FINDINGS; i++)
		e->report.findings[e->report.finding_count++] = j.all[i].f;
	free(j.all);
	losses_close(&j.l);
}
