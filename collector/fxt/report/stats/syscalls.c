// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscalls.c - adds up system calls by thread and name.
 *
 * In: system calls, as the model reports them.
 * Must hold: memory grows with threads and the names that each of them calls.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "libfxt/array.h"

/* --- of a thread, or of several ---------------------------------------------------------- */

/* Find or add the entry of a name. Return: NULL: no memory. */
static struct report_call *call_of(struct report_calls *c, struct sched_origin *of)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (c->list[i].of == of)
			return &c->list[i];
	if (array_grow(c->list, c->count))
		return NULL;
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

int report_calls_add(struct report_calls *to, const struct report_calls *from)
{
	const struct report_call *call;
	struct report_call *sum;
	size_t i;

	for (i = 0; i < from->count; i++) {
		call = &from->list[i];
		sum = call_of(to, call->of);
		if (!sum)
			return -ENOMEM;
		if (is_longer(call, sum)) {
			sum->longest = call->longest;
			sum->longest_time = call->longest_time;
			sum->longest_cpu = call->longest_cpu;
		}
		sum->count += call->count;
		sum->errors += call->errors;
		sum->total += call->total;
	}
	return 0;
}

static int call_by_time(const void *a, const void *b)
{
	const struct report_call *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->of->id < y->of->id ? -1 : 1;
}

void report_calls_sort(struct report_calls *c)
{
	if (c->count)
		qsort(c->list, c->count, sizeof(*c->list), call_by_time);
}

/* --- from the model ---------------------------------------------------------------------- */

int engine_take_call(void *arg, const struct sched_slice *s)
{
	struct report_engine *e = arg;
	struct report_thread *t = engine_thread(e, s->thread);
	struct report_call now = { .of = s->origin };
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
	return report_calls_add(&t->calls, &(struct report_calls){ &now, 1 });
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

int engine_calls_finish(struct report_engine *e)
{
	struct sched_thread *const *threads;
	struct report_calls all = { NULL };
	struct report_origin *origin;
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
		origin = engine_origin(all.list[i].of);
		if (origin)
			set_origin(origin, &all.list[i]);
		else
			ret = -ENOMEM;
	}
	report_calls_free(&all);
	return ret;
}
