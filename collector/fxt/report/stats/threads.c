// SPDX-License-Identifier: GPL-2.0-or-later
/* threads.c - data of the report for each thread of the model, and which threads are shown. */
#include <stdlib.h>

#include "internal.h"

#define SLAB_THREADS	64

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

const char *engine_cgroup(const struct report_thread *t)
{
	return scope_cgroup(t->sched);
}

static uint64_t run_of(const void *arg, const struct sched_thread *s, uint64_t span)
{
	const struct report_thread *t = (const struct report_thread *)(uintptr_t)s->user;

	(void)arg;
	(void)span;
	return t ? t->n.run : 0;
}

void report_find_scope(const struct report *r, struct sched_model *m, struct scope *s)
{
	const struct sched_totals *a = r->totals.archive;

	scope_find(s, m, a->last - a->first, run_of, NULL);
}

void engine_find_scope(struct report_engine *e)
{
	e->report.scope.asked = &e->options->filter;
	report_find_scope(&e->report, e->model, &e->report.scope);
	e->report.is_part = scope_is_part(&e->report.scope);
}

bool engine_selects(const struct report_engine *e, const struct report_thread *t)
{
	return scope_has(&e->report.scope, t->sched);
}
