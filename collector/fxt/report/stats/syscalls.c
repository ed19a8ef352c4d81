// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscalls.c - adds up system calls by thread and name. Memory grows with threads and the names
 * that each of them calls.
 */
#include <stdlib.h>

#include "internal.h"

static struct report_call *call_of(struct arena *arena, struct report_calls *c,
				   struct sched_origin *of)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->list[i].of == of)
			return &c->list[i];
	arena_more(arena, c->list, c->count);
	c->list[c->count] = (struct report_call){ .of = of };
	return &c->list[c->count++];
}

static bool is_longer(const struct report_call *call, const struct report_call *than)
{
	if (!call->count || !than->count)
		return call->count;
	if (call->longest != than->longest)
		return call->longest > than->longest;
	return call->longest_time < than->longest_time;
}

void report_calls_add(struct arena *arena, struct report_calls *to, const struct report_calls *from)
{
	const struct report_call *call;
	struct report_call *sum;
	size_t i;

	for (i = 0; i < from->count; i++) {
		call = &from->list[i];
		sum = call_of(arena, to, call->of);
		if (is_longer(call, sum)) {
			sum->longest = call->longest;
			sum->longest_time = call->longest_time;
			sum->longest_cpu = call->longest_cpu;
		}
		sum->count += call->count;
		sum->errors += call->errors;
		sum->total += call->total;
	}
}

ARRAY_COMPARE(call_by_time, struct report_call, x, y,
	      array_order(y->total, x->total) ?: array_order(y->count, x->count) ?:
	      array_order(x->of->id, y->of->id))

void report_calls_sort(struct report_calls *c)
{
	array_sort(c->list, c->count, call_by_time);
}

void engine_count_call(struct report_engine *e, const struct sched_slice *s)
{
	struct report_thread *t = engine_thread(e, s->thread);
	struct report_call now = { .of = s->origin };
	uint64_t from = s->from, to = s->to;

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
		return;
	t->n.calls += now.count;
	t->n.failed_calls += now.errors;
	t->n.in_calls += now.total;
	report_calls_add(&e->arena, &t->calls, &(struct report_calls){ &now, 1 });
}

static void set_origin(struct report_origin *origin, const struct report_call *call)
{
	origin->count = call->count;
	origin->errors = call->errors;
	origin->total = call->total;
	origin->longest = call->longest;
	origin->longest_time = call->longest_time;
	origin->longest_cpu = call->longest_cpu;
}

void engine_calls_finish(struct report_engine *e)
{
	struct report_calls all = { NULL };
	struct sched_origin *const *origins;
	struct report_thread *t;
	size_t i, count;

	/* Clear those of another selection of threads. */
	origins = sched_model_origins(e->model, &count);
	for (i = 0; i < count; i++)
		if (origins[i]->what == KERNEL_SYSCALL)
			set_origin(engine_origin(e, origins[i]), &(struct report_call){ 0 });
	i = 0;
	while ((t = engine_next_thread(e, &i))) {
		report_calls_sort(&t->calls);
		if (engine_selects(e, t))
			report_calls_add(&e->arena, &all, &t->calls);
	}
	for (i = 0; i < all.count; i++)
		set_origin(engine_origin(e, all.list[i].of), &all.list[i]);
}
