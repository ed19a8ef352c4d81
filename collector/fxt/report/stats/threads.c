// SPDX-License-Identifier: GPL-2.0-or-later
/* threads.c - data of the report for each thread of the model, and which threads are shown. */
#include <stdlib.h>

#include "internal.h"
#include "report_threads.h"

#define LINE	_Alignof(struct report_thread)

void *engine_lines(struct report_engine *e, size_t size)
{
	uintptr_t at = (uintptr_t)arena_zero(&e->arena, size + LINE);

	return (void *)((at + LINE - 1) & ~(LINE - 1));
}

struct report_thread *engine_thread_slow(struct report_engine *e, struct sched_thread *s)
{
	struct report_thread *t = engine_lines(e, sizeof(*t));

	t->sched = s;
	t->account = (struct history_thread){ .sched = s, .id = s->id };
	t->is_idle = !s->koid;
	t->last_cpu = REPORT_NO_CPU;
	s->user = (uintptr_t)t;
	return t;
}

struct report_thread *engine_next_thread(const struct report_engine *e, size_t *i)
{
	struct sched_thread *const *threads;
	struct report_thread *t = NULL;
	size_t count;

	threads = sched_model_threads(e->model, &count);
	while (!t && *i < count)
		t = (struct report_thread *)(uintptr_t)threads[(*i)++]->user;
	return t;
}

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

void engine_find_scope(struct report_engine *e, const struct filter *asked)
{
	e->report.scope.asked = asked;
	report_find_scope(&e->report, e->model, &e->report.scope);
	e->report.is_part = scope_is_part(&e->report.scope);
}

bool engine_selects(const struct report_engine *e, const struct report_thread *t)
{
	return scope_has(&e->report.scope, t->sched);
}
