// SPDX-License-Identifier: GPL-2.0-or-later
/* threads.c - data of the report for each thread of the model, and which threads are shown. */
#include <stdlib.h>

#include "internal.h"

#define SLAB_THREADS	64
#define MAX_ANCESTORS	64	/* limit, because reused ids may make a process its own ancestor */

struct report_slab {
	struct report_slab *next;
	char pad[64 - sizeof(struct report_slab *)];
	struct report_thread threads[SLAB_THREADS];
};

struct report_thread *engine_thread_slow(struct report_engine *e, struct sched_thread *s)
{
	struct report_slab *slab = e->slabs;
	struct report_thread *t;

	if (!slab || e->slab_used == SLAB_THREADS) {
		slab = aligned_alloc(64, sizeof(*slab));
		if (!slab)
			return NULL;
		slab->next = e->slabs;
		e->slabs = slab;
		e->slab_used = 0;
	}
	t = &slab->threads[e->slab_used++];
	*t = (struct report_thread){
		.sched = s, .account.sched = s, .is_idle = !s->koid, .last_cpu = REPORT_NO_CPU,
	};
	s->user = (uintptr_t)t;
	return t;
}

static void free_thread(struct report_thread *t)
{
	report_waits_free(t->waits);
	report_sleeps_free(t->sleeps);
	free(t->wakers);
	report_calls_free(&t->calls);
	if (t->worst)
		free(t->worst->heap);
	free(t->worst);
	free(t->past);
	free(t->inherited);
}

void engine_threads_free(struct report_engine *e)
{
	size_t i, used = e->slab_used;
	struct report_slab *slab;

	for (; (slab = e->slabs); used = SLAB_THREADS) {
		for (i = 0; i < used; i++)
			free_thread(&slab->threads[i]);
		e->slabs = slab->next;
		free(slab);
	}
}

/* --- selection --------------------------------------------------------------------------- */

/* A short-lived process, whose cgroup nobody read, has that of its parent. */
const char *engine_cgroup(const struct report_thread *t)
{
	const struct sched_process *p = t->sched->owner;
	unsigned int i;

	for (i = 0; p && !p->cgroup && i < MAX_ANCESTORS; i++)
		p = p->parent;
	return p && p->cgroup ? p->cgroup : "";
}

static bool is_of_command(const struct report_engine *e, const struct report_thread *t)
{
	return sched_is_started_by(t->sched->owner, e->report.totals.archive->command);
}

void engine_choose_command(struct report_engine *e)
{
	const struct sched_totals *a = e->report.totals.archive;
	struct sched_thread *const *threads;
	const struct sched_thread *leader;
	const struct report_thread *t;
	uint64_t run = 0, number = 0;
	size_t count, i;

	e->report.is_part = report_selects_threads(e->options);
	if (!a->command || e->options->is_all || e->report.is_part)
		return;
	threads = sched_model_threads(e->model, &count);
	for (i = 0; i < count; i++) {
		t = (const struct report_thread *)(uintptr_t)threads[i]->user;
		if (!t || !t->n.switches || !is_of_command(e, t))
			continue;
		number++;
		run += t->n.run;
	}
	e->report.is_timed = sched_is_timer(number, run, a->last - a->first);
	if (!number || e->report.is_timed)
		return;
	leader = sched_model_thread(e->model, a->command);
	e->report.command = a->command;
	e->report.command_name = leader && *leader->name ? leader->name : "?";
	e->report.is_part = true;
}

bool engine_selects(const struct report_engine *e, const struct report_thread *t)
{
	const struct filter_ids *pids = &e->options->filter.pids;

	return (!e->report.command || is_of_command(e, t)) &&
	       (!pids->count || filter_has_id(pids, t->sched->process)) &&
	       (!e->options->cgroup || sched_is_in_cgroup(engine_cgroup(t), e->options->cgroup)) &&
	       (!e->options->comm || fxt_glob_match(&e->comm, t->sched->name));
}
