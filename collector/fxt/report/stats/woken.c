// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * woken.c - adds up what ended the sleeps that threads were in, by call stack.
 *
 * In: sleeps whose stack is known, with what woke the thread. Out: for each stack the threads and
 * interrupts that woke those that slept there, and the stacks that they did it from.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct entry {
	struct map_node node;
	const struct report_thread *thread;
	struct report_waking of;
};

/* --- during the walk ----------------------------------------------------------------------- */

static bool is_same(const struct entry *entry, const struct report_thread *t,
		    const struct sched_stack *stack)
{
	return entry->thread == t && entry->of.stack == stack && entry->of.by == t->off.by &&
	       entry->of.irq == t->off.irq && entry->of.from == t->off.from;
}

int engine_take_waking(struct report_engine *e, const struct report_thread *t,
		       const struct sched_stack *stack)
{
	uint64_t hash = map_hash(map_hash((uintptr_t)t, (uintptr_t)t->off.by),
				 map_hash((uintptr_t)stack, (uintptr_t)t->off.from));
	struct entry *entry = NULL;
	struct map_node *n;

	for (n = map_first(&e->wakings, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct entry, node);
		if (is_same(entry, t, stack))
			break;
	}
	if (!n) {
		entry = calloc(1, sizeof(*entry));
		if (!entry || map_reserve(&e->wakings)) {
			free(entry);
			return -ENOMEM;
		}
		entry->thread = t;
		entry->of = (struct report_waking){
			.stack = stack, .from = t->off.from, .by = t->off.by, .irq = t->off.irq,
		};
		map_add(&e->wakings, &entry->node, hash);
	}
	entry->of.ns += t->off.ns;
	entry->of.count++;
	if (t->off.ns > entry->of.longest)
		entry->of.longest = t->off.ns;
	return 0;
}

/* --- at the end ------------------------------------------------------------------------------ */

static int by_id(const struct sched_stack *x, const struct sched_stack *y)
{
	uint32_t a = x ? x->id + 1 : 0, b = y ? y->id + 1 : 0;

	return a < b ? -1 : a > b;
}

/* Threads of one name are one: a pool of workers is. */
static int by_waker(const void *a, const void *b)
{
	const struct report_waking *x = a, *y = b;
	int order = by_id(x->stack, y->stack);

	if (!order)
		order = (int)x->irq - y->irq;
	if (!order && (!x->by || !y->by))
		order = !!x->by - !!y->by;
	else if (!order)
		order = strcmp(x->by->sched->name, y->by->sched->name);
	return order ? order : by_id(x->from, y->from);
}

static int by_time(const void *a, const void *b)
{
	const struct report_waking *x = a, *y = b;
	int order = by_id(x->stack, y->stack);

	if (order)
		return order;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return by_waker(a, b);
}

static void merge(struct report_stacks *r)
{
	size_t i, count = 0;

	if (!r->waking_count)
		return;
	qsort(r->wakings, r->waking_count, sizeof(*r->wakings), by_waker);
	for (i = 0; i < r->waking_count; i++) {
		const struct report_waking *w = &r->wakings[i];
		struct report_waking *last = count ? &r->wakings[count - 1] : NULL;

		if (!last || by_waker(last, w)) {
			r->wakings[count++] = *w;
			continue;
		}
		last->ns += w->ns;
		last->count += w->count;
		last->longest = w->longest > last->longest ? w->longest : last->longest;
	}
	r->waking_count = count;
	qsort(r->wakings, count, sizeof(*r->wakings), by_time);
}

static int add_entry(struct report_engine *e, const struct entry *entry)
{
	struct report_waking *w = &e->report.stacks.wakings[e->report.stacks.waking_count];

	if (!entry->thread->is_shown)
		return 0;
	*w = entry->of;
	w->stack = engine_stack_functions(e, w->stack, false);
	if (w->from)
		w->from = engine_stack_functions(e, w->from, true);
	if (!w->stack || (entry->of.from && !w->from))
		return -ENOMEM;
	e->report.stacks.waking_count++;
	return 0;
}

int engine_wakings_finish(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	const struct map_node *n;
	int ret = 0;

	r->wakings = calloc(e->wakings.count + 1, sizeof(*r->wakings));
	if (!r->wakings)
		return -ENOMEM;
	for (n = e->wakings.oldest; n && !ret; n = n->newer)
		ret = add_entry(e, map_entry(n, struct entry, node));
	merge(r);
	return ret;
}

void engine_wakings_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->wakings, &from)))
		free(map_entry(n, struct entry, node));
	map_free(&e->wakings);
	free(e->report.stacks.wakings);
}

const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct sched_stack *stack, size_t *count)
{
	size_t low = 0, high = s->waking_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->wakings[middle].stack->id < stack->id)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < s->waking_count; ++*count)
		if (s->wakings[low + *count].stack != stack)
			break;
	return s->wakings + low;
}
