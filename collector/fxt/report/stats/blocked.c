// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blocked.c - adds up how long threads were off their CPUs, by call stack.
 *
 * In: switches, wakeups and stacks, as the model reports them: the stack of a waker comes before
 * the wakeup, that of a thread just after its switch-in.
 * Must hold: memory grows with threads and their different stacks. The same function can be left
 * at several addresses, so stacks are the same if they are in the same functions; symbols are
 * known only when the archive has ended.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

struct entry {
	struct map_node node;
	enum report_stack_kind kind;
	struct report_stack of;
};

/* --- during the walk ----------------------------------------------------------------------- */

static struct report_stack *entry_of(struct report_engine *e, enum report_stack_kind kind,
				     const struct report_thread *t,
				     const struct sched_stack *stack)
{
	uint64_t hash = map_hash((uintptr_t)t, (uint64_t)stack->id << 8 | kind);
	struct map_node *n;
	struct entry *entry;

	for (n = map_first(&e->stacks, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct entry, node);
		if (entry->kind == kind && entry->of.thread == t && entry->of.stack == stack)
			return &entry->of;
	}
	entry = calloc(1, sizeof(*entry));
	if (!entry || map_reserve(&e->stacks)) {
		free(entry);
		return NULL;
	}
	entry->kind = kind;
	entry->of.thread = t;
	entry->of.stack = stack;
	map_add(&e->stacks, &entry->node, hash);
	return &entry->of;
}

static void add(struct report_stack *to, uint64_t ns, uint64_t count, uint64_t longest,
		uint64_t time, const struct report_thread *t)
{
	if (longest > to->longest || !to->count) {
		to->longest = longest;
		to->longest_time = time;
		to->longest_thread = t;
	}
	to->ns += ns;
	to->count += count;
}

static int add_one(struct report_engine *e, enum report_stack_kind kind,
		   const struct report_thread *t, const struct sched_stack *stack, uint64_t ns,
		   uint64_t time)
{
	struct report_stack *to = entry_of(e, kind, t, stack);

	if (!to)
		return -ENOMEM;
	add(to, ns, 1, ns, time, t);
	return 0;
}

static enum report_stack_kind kind_of(char state)
{
	switch (state) {
	case '+':
		return REPORT_STACK_PREEMPTED;
	case 'I':
		return REPORT_STACK_IDLE;
	default:
		return REPORT_STACK_SLEPT;
	}
}

int engine_off_end(struct report_engine *e, struct report_thread *t, const struct sched_step *s)
{
	const struct sched_stack *waker = t->off.waker;
	struct report_off *off = &t->off;
	uint64_t end = off->woken ? off->woken : s->time;
	bool is_known = off->state && !s->is_late && off->since >= e->gap_to &&
			off->since >= e->report.totals.archive->complete &&
			engine_counts(e, s->time, s->cpu);

	off->kind = kind_of(off->state);
	off->ns = end > off->since ? end - off->since : 0;
	off->has_ended = is_known;
	off->state = 0;
	off->waker = NULL;
	off->from = off->woken ? waker : NULL;
	off->by = off->woken ? t->woken_by : NULL;
	off->irq = off->woken ? t->irq : 0;
	if (!is_known || !waker || off->kind != REPORT_STACK_SLEPT)
		return 0;
	return add_one(e, REPORT_STACK_WAKER, t, waker, off->ns, s->time);
}

int engine_take_stack(struct report_engine *e, const struct sched_moment *m)
{
	struct report_thread *t = engine_thread(e, m->thread);
	int ret;

	if (!t)
		return -ENOMEM;
	e->report.stacks.has = true;
	if (!m->is_in) {
		t->off.waker = m->stack;
		return 0;
	}
	if (!t->off.has_ended)
		return 0;
	t->off.has_ended = false;
	ret = add_one(e, t->off.kind, t, m->stack, t->off.ns, m->time);
	if (ret || t->off.kind != REPORT_STACK_SLEPT)
		return ret;
	return engine_take_waking(e, t, m->stack);
}

/* --- at the end ------------------------------------------------------------------------------ */

static int by_thread(const void *a, const void *b)
{
	const struct report_stack *x = a, *y = b;

	if (x->stack->id != y->stack->id)
		return x->stack->id < y->stack->id ? -1 : 1;
	if (x->thread && x->thread->sched->id != y->thread->sched->id)
		return x->thread->sched->id < y->thread->sched->id ? -1 : 1;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct report_stack *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return by_thread(a, b);
}

/* Add up neighbours that are the same. */
static void merge(struct report_stack_list *l)
{
	size_t i, count = 0;

	if (!l->count)
		return;
	qsort(l->all, l->count, sizeof(*l->all), by_thread);
	for (i = 0; i < l->count; i++) {
		const struct report_stack *s = &l->all[i];

		if (count && !by_thread(&l->all[count - 1], s))
			add(&l->all[count - 1], s->ns, s->count, s->longest, s->longest_time,
			    s->longest_thread);
		else
			l->all[count++] = *s;
	}
	l->count = count;
	qsort(l->all, l->count, sizeof(*l->all), by_time);
}

static int append(struct report_stack_list *l, const struct report_stack *s)
{
	struct report_stack *more = l->all;

	/* Room doubles with each power of two. */
	if (!(l->count & (l->count - 1)))
		more = reallocarray(l->all, l->count ? 2 * l->count : 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	l->all = more;
	l->all[l->count++] = *s;
	return 0;
}

static int add_entry(struct report_engine *e, const struct entry *entry)
{
	struct report_stacks *r = &e->report.stacks;
	struct report_stack s = entry->of;
	int ret;

	if (!s.thread->is_shown)
		return 0;
	s.stack = engine_stack_functions(e, s.stack, entry->kind == REPORT_STACK_WAKER);
	if (!s.stack)
		return -ENOMEM;
	ret = append(&r->of_threads[entry->kind], &s);
	s.thread = NULL;
	return ret ? ret : append(&r->together[entry->kind], &s);
}

int engine_stacks_finish(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	const struct map_node *n;
	unsigned int kind;
	int ret = 0;

	r->symbols = sched_model_symbols(e->model);
	for (n = e->stacks.oldest; n && !ret; n = n->newer)
		ret = add_entry(e, map_entry(n, struct entry, node));
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		merge(&r->of_threads[kind]);
		merge(&r->together[kind]);
		if (!ret)
			ret = engine_functions_sum(r, kind);
	}
	return ret ? ret : engine_wakings_finish(e);
}

void engine_stacks_free(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	struct map_node *n;
	unsigned int kind;
	size_t from = 0;

	while ((n = map_take(&e->stacks, &from)))
		free(map_entry(n, struct entry, node));
	map_free(&e->stacks);
	engine_wakings_free(e);
	engine_functions_free(r);
	sched_stacks_free(&e->functions);
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		free(r->of_threads[kind].all);
		free(r->together[kind].all);
	}
}
