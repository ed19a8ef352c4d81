// SPDX-License-Identifier: GPL-2.0-or-later
/* victims.c - which threads may have lost time, those that may have lost most first. */
#include <stdlib.h>

#include "judge.h"

/* The threads of a process take turns if all of this holds. */
#define CONVOY_ALONE	0.90	/* of the time in which any runs, only one does */
#define CONVOY_ACTIVE	0.30	/* of its time some thread runs: the process is not just idle */

/* ns that a thread slept until other threads that are shown. */
static uint64_t slept_until_shown(const struct report_thread *t)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < t->waker_count; i++)
		if (t->wakers[i].thread && t->wakers[i].thread->is_shown)
			ns += t->wakers[i].slept;
	return ns;
}

/* ns that it slept in D, if that may have been for requests of block devices. */
static uint64_t blocked(const struct judge *j, const struct report_thread *t)
{
	const struct report_sleeps *s = t->sleeps[REPORT_UNINTERRUPTIBLE];

	return s && j->l.h->has[KERNEL_REQUEST] ? s->ns + s->cut_ns : 0;
}

struct why_window finding_life(const struct judge *j, const struct report_thread *t)
{
	const struct sched_thread *s = t->sched;
	struct why_window w = { .thread = s->id, .from = j->r->totals.from, .to = j->r->totals.to };

	if (s->is_forked && s->begin > w.from)
		w.from = s->begin;
	if ((s->state == 'X' || s->state == 'Z') && s->last_event < w.to)
		w.to = s->last_event;
	w.to = w.to > w.from ? w.to : w.from;
	return w;
}

bool finding_takes_turns(const struct judge *j, const struct report_process *p)
{
	const struct report_team *team = p ? p->team : NULL;
	uint64_t first, last, any;

	if (!team || p->sum.threads < CONVOY_THREADS)
		return false;
	first = team->running.first > j->e->from ? team->running.first : j->e->from;
	last = team->running.last < j->e->to ? team->running.last : j->e->to;
	any = team->running.ns[METER_ONE] + team->running.ns[METER_MORE];
	/* Its other threads may have run in unknown time. */
	return first < last && is_notable(j, last - first) &&
	       report_unknown(j->r) <= (1 - CONVOY_ALONE) * (last - first) &&
	       any >= CONVOY_ACTIVE * (last - first) &&
	       team->running.ns[METER_ONE] >= CONVOY_ALONE * any;
}

void finding_victims(struct judge *j)
{
	const struct report *r = j->r;
	struct why_window w;
	struct loss_group *g;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		const struct report_thread *t = r->threads[i];

		if (t->is_idle || t->sched->same)
			continue;
		g = losses_group(&j->l, t->sched->id);
		w = finding_life(j, t);
		g->is_victim = !g->is_recorder;
		g->life += w.to - w.from;
		g->run += t->n.run;
		g->waited += report_waited_ns(t->waits);
		g->open += report_waited_ns(t->waits) + t->n.stolen;
		g->takes_turns = finding_takes_turns(j, t->process);
		g->slept += r->is_part || g->takes_turns ? slept_until_shown(t) : 0;
		g->slept += blocked(j, t);
		g->crowd += t->crowd_ns;
		g->crowd_cpu = t->crowd_ns ? t->crowd_cpu : g->crowd_cpu;
	}
}

/* A thread to look at, the largest shares of its group first. */
struct victim {
	double share;
	double slept;
	uint32_t group;
	const struct report_thread *thread;
};

ARRAY_COMPARE(by_share, struct victim, x, y,
	      array_order(y->share, x->share) ?: array_order(y->slept, x->slept) ?:
	      array_order(x->group, y->group) ?:
	      array_order(x->thread->sched->id, y->thread->sched->id))

/* Look at those first that may have lost the largest part of their time. */
void finding_look(struct judge *j)
{
	struct victim *all = must(calloc(j->r->thread_count + 1, sizeof(*all)));
	struct why_window w;
	size_t i, count = 0;

	for (i = 0; i < j->r->thread_count; i++) {
		const struct report_thread *t = j->r->threads[i];
		const struct loss_group *g;

		if (t->is_idle || t->sched->same)
			continue;
		g = losses_group(&j->l, t->sched->id);
		if (g->is_victim && is_notable(j, g->open + g->slept) &&
		    ratio(g->open + g->slept, g->life) >= NOTABLE_SHARE)
			all[count++] = (struct victim){
				ratio(g->open, g->life), ratio(g->slept, g->life), g->number, t,
			};
	}
	array_sort(all, count, by_share);
	for (i = 0; i < count && !j->l.beyond; i++) {
		w = finding_life(j, all[i].thread);
		if (w.from < w.to)
			losses_add(&j->l, &w);
	}
	j->r->unlooked = count - i;
	losses_sort(&j->l);
	free(all);
}
