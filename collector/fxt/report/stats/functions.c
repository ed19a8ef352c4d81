// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * functions.c - adds up call stacks by the functions that are in them.
 *
 * In: the stacks of a report. Out: functions, by name, because the same one has other addresses
 * in other processes; a function that is in a stack several times counts once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct entry {
	struct map_node node;
	size_t number;		/* in the list */
	uint32_t last;		/* 1 + number of the stack that it was counted in last */
	char name[];
};

struct sums {
	struct map map;
	struct report_function_list *list;
};

static struct entry *add_entry(struct sums *s, const char *name, uint64_t hash)
{
	struct report_function_list *l = s->list;
	struct report_function *more = l->all;
	size_t bytes = strlen(name) + 1;
	struct entry *entry = calloc(1, sizeof(*entry) + bytes);

	/* Room doubles with each power of two. */
	if (entry && !(l->count & (l->count - 1)))
		more = reallocarray(l->all, l->count ? 2 * l->count : 1, sizeof(*more));
	if (!entry || !more || map_reserve(&s->map)) {
		l->all = more ? more : l->all;
		free(entry);
		return NULL;
	}
	memcpy(entry->name, name, bytes);
	entry->number = l->count;
	l->all = more;
	l->all[l->count] = (struct report_function){ .name = strdup(name) };
	l->count++;
	map_add(&s->map, &entry->node, hash);
	return l->all[entry->number].name ? entry : NULL;
}

static struct entry *entry_of(struct sums *s, const char *name)
{
	uint64_t hash = fxt_hash_bytes(name, strlen(name));
	struct map_node *n;
	struct entry *entry;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct entry, node);
		if (!strcmp(entry->name, name))
			return entry;
	}
	return add_entry(s, name, hash);
}

static void add(struct report_function *f, const struct report_stack *s)
{
	if (s->longest > f->longest || !f->count) {
		f->longest = s->longest;
		f->longest_time = s->longest_time;
		f->longest_thread = s->longest_thread;
	}
	f->ns += s->ns;
	f->count += s->count;
}

static int add_stack(struct sums *sums, const struct report_stacks *r,
		     const struct report_stack *s, uint32_t number)
{
	struct report_function *f;
	struct entry *entry;
	char text[20];
	uint32_t i;

	for (i = 0; i < s->stack->count; i++) {
		entry = entry_of(sums, report_frame_name(r, s->stack, i, text));
		if (!entry)
			return -ENOMEM;
		f = &sums->list->all[entry->number];
		if (!i) {
			f->self_ns += s->ns;
			f->self_count += s->count;
		}
		if (entry->last != number)
			add(f, s);
		entry->last = number;
	}
	return 0;
}

static int by_self(const void *a, const void *b)
{
	const struct report_function *x = a, *y = b;

	if (x->self_ns != y->self_ns)
		return x->self_ns > y->self_ns ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* What wakes is always the same function, so its callers matter. */
static int by_total(const void *a, const void *b)
{
	const struct report_function *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

int engine_functions_sum(struct report_stacks *r, enum report_stack_kind kind)
{
	const struct report_stack_list *stacks = &r->together[kind];
	struct sums sums = { .list = &r->functions[kind] };
	struct map_node *n;
	size_t i, from = 0;
	int ret = 0;

	for (i = 0; i < stacks->count && !ret; i++)
		ret = add_stack(&sums, r, &stacks->all[i], i + 1);
	while ((n = map_take(&sums.map, &from)))
		free(map_entry(n, struct entry, node));
	map_free(&sums.map);
	if (sums.list->count)
		qsort(sums.list->all, sums.list->count, sizeof(*sums.list->all),
		      kind == REPORT_STACK_WAKER ? by_total : by_self);
	return ret;
}

void engine_functions_free(struct report_stacks *r)
{
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		for (i = 0; i < r->functions[kind].count; i++)
			free(r->functions[kind].all[i].name);
		free(r->functions[kind].all);
	}
}
