// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscalls.c - adds up system calls by thread and name. See calls.h.
 *
 * In: system calls, as the model reports them.
 * Must hold: memory grows with threads and the names that each of them calls.
 */
#include <errno.h>

#include "internal.h"

int engine_take_call(void *arg, const struct sched_slice *s)
{
	struct report_engine *e = arg;
	struct report_thread *t = engine_thread(e, s->thread);
	struct report_call now = { .of = s->source };
	uint64_t from = s->from, to = s->to;

	if (!t)
		return -ENOMEM;
	if (!e->is_narrow || engine_narrow(e, s->cpu, &from, &to))
		now.total = to - from;
	if (engine_counts(e, s->to, s->cpu)) {
		now.count = 1;
		now.errors = !!s->error;
		now.longest = s->to - s->from;
		now.longest_time = s->to;
		now.longest_cpu = s->cpu;
	}
	if (!now.count && !now.total)
		return 0;
	t->n.calls += now.count;
	t->n.failed_calls += now.errors;
	t->n.in_calls += now.total;
	return report_calls_add(&t->calls, &(struct report_calls){ &now, 1, 1 });
}

static void set_source(struct report_source *source, const struct report_call *call)
{
	source->count = call->count;
	source->errors = call->errors;
	source->total = call->total;
	source->longest = call->longest;
	source->longest_time = call->longest_time;
	source->longest_cpu = call->longest_cpu;
}

int engine_calls_finish(struct report_engine *e)
{
	struct sched_thread *const *threads;
	struct report_calls all = { NULL };
	struct report_source *source;
	struct report_thread *t;
	size_t count, i;
	int ret = 0;

	threads = sched_model_threads(e->model, &count);
	for (i = 0; i < count && !ret; i++) {
		t = (struct report_thread *)(uintptr_t)threads[i]->user;
		if (!t)
			continue;
		report_calls_sort(&t->calls);
		if (engine_selects(e, t))
			ret = report_calls_add(&all, &t->calls);
	}
	for (i = 0; i < all.count && !ret; i++) {
		source = engine_source(all.list[i].of);
		if (source)
			set_source(source, &all.list[i]);
		else
			ret = -ENOMEM;
	}
	report_calls_free(&all);
	return ret;
}
