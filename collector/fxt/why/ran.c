// SPDX-License-Identifier: GPL-2.0-or-later
/* ran.c - see ran.h. */
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "ran.h"
#include "sched/functions.h"
#include "terminal/arena.h"

/* Samples of one thread in one stack of functions. */
struct ran_entry {
	struct map_node node;
	uint32_t number;
	uint32_t thread;
	const struct fxt_call_stack *stack;
	/* Of the sum: */
	uint64_t count[WHY_RAN_KINDS];
	uint64_t ns[WHY_RAN_KINDS];
};

/* The places of a CPU's samples, which are sorted by time. */
struct ran_cpu {
	uint32_t begin;
	uint32_t end;
	uint32_t low;		/* added parts begin and end between these two */
	uint32_t high;
	uint32_t found;		/* by the last search */
};

/* Samples of a thread whose innermost function is that of a row. */
struct ran_leaf {
	struct map_node node;
	uint32_t thread;
	const struct why_ran_row *row;
	uint64_t count;
};

struct ran_thread {
	struct map_node node;
	uint32_t thread;
	enum why_ran_kind kind;
	struct why_ran_top top;
};

struct why_ran {
	const struct history *h;
	bool only_awaited;
	struct sched_symbols *symbols;
	struct fxt_call_stacks functions;
	struct map entry_map;
	struct ran_entry **entries;
	size_t entry_count;
	struct ran_cpu *cpus;
	size_t cpu_count;
	/*
	 * By place: the sample, its entry, and how many more parts include it than the one before.
	 */
	uint32_t *samples;
	uint32_t *entry_of;
	int32_t *more[WHY_RAN_KINDS];
	/* The sum: */
	struct arena arena;
	struct map row_map;
	struct map leaves;
	struct map threads;
	struct why_ran_list lists[WHY_RAN_KINDS];
};

static const struct history_sample *sample_at(const struct why_ran *r, uint32_t place)
{
	return tape_at(&r->h->samples, r->samples[place]);
}

/* --- the samples of the archive ---------------------------------------------------------- */

/* @functions: known ones, by the ids of recorded stacks */
static struct ran_entry *find_entry(struct why_ran *r, const struct history_sample *s,
				    const struct fxt_call_stack **functions)
{
	const struct fxt_call_stack *recorded = r->h->stacks[s->stack], *stack;
	struct ran_entry *e;

	if (!functions[s->stack])
		functions[s->stack] = sched_functions(&r->functions, r->symbols, recorded, 0,
						      recorded->count);
	stack = functions[s->stack];
	if (!map_get(&r->entry_map, map_hash(s->thread, stack->id), e,
		     e->thread == s->thread && e->stack == stack))
		return e;
	e->number = r->entry_count;
	e->thread = s->thread;
	e->stack = stack;
	array_more(r->entries, r->entry_count);
	r->entries[r->entry_count++] = e;
	return e;
}

static void count_cpus(struct why_ran *r, uint32_t count)
{
	const struct history_sample *s;
	uint32_t i, begin = 0;

	for (i = 0; i < count; i++) {
		s = tape_at(&r->h->samples, i);
		while (r->cpu_count <= s->cpu) {
			array_more(r->cpus, r->cpu_count);
			r->cpus[r->cpu_count++] = (struct ran_cpu){ 0 };
		}
		r->cpus[s->cpu].end++;
	}
	for (i = 0; i < r->cpu_count; i++) {
		begin += r->cpus[i].end;
		r->cpus[i].begin = r->cpus[i].high = begin - r->cpus[i].end;
		r->cpus[i].low = r->cpus[i].end = begin;
		r->cpus[i].found = begin;
	}
}

struct why_ran *why_ran_open(const struct history *h, bool only_awaited)
{
	uint32_t count = h->samples.count < UINT32_MAX ? h->samples.count : UINT32_MAX, i, *next;
	const struct fxt_call_stack **functions;
	const struct history_sample *s;
	struct why_ran *r;

	if (!count)
		return NULL;
	r = new_zero(struct why_ran);
	r->h = h;
	r->only_awaited = only_awaited;
	r->symbols = sched_model_symbols(h->model);
	r->samples = must(calloc(count, sizeof(*r->samples)));
	r->entry_of = must(calloc(count, sizeof(*r->entry_of)));
	for (i = 0; i < WHY_RAN_KINDS; i++)
		r->more[i] = must(calloc(count, sizeof(*r->more[i])));
	count_cpus(r, count);
	next = must(calloc(r->cpu_count, sizeof(*next)));
	functions = must(calloc(h->stack_count, sizeof(const struct fxt_call_stack *)));
	for (i = 0; i < count; i++) {
		s = tape_at(&h->samples, i);
		r->samples[r->cpus[s->cpu].begin + next[s->cpu]] = i;
		r->entry_of[r->cpus[s->cpu].begin + next[s->cpu]++] =
			find_entry(r, s, functions)->number;
	}
	free(next);
	free(functions);
	return r;
}

static void drop_sum(struct why_ran *r)
{
	size_t i;
	int kind;

	map_free(&r->row_map);
	map_free(&r->leaves);
	map_free(&r->threads);
	arena_free(&r->arena);
	r->arena = (struct arena){ 0 };
	for (kind = 0; kind < WHY_RAN_KINDS; kind++) {
		free(r->lists[kind].rows);
		r->lists[kind] = (struct why_ran_list){ 0 };
	}
	for (i = 0; i < r->entry_count; i++)
		for (kind = 0; kind < WHY_RAN_KINDS; kind++)
			r->entries[i]->count[kind] = r->entries[i]->ns[kind] = 0;
}

void why_ran_close(struct why_ran *r)
{
	int kind;

	if (!r)
		return;
	drop_sum(r);
	map_free_all(&r->entry_map, struct ran_entry);
	fxt_call_stacks_free(&r->functions);
	for (kind = 0; kind < WHY_RAN_KINDS; kind++)
		free(r->more[kind]);
	free(r->entries);
	free(r->entry_of);
	free(r->samples);
	free(r->cpus);
	free(r);
}

/* --- parts ------------------------------------------------------------------------------- */

/* The kind of samples in a part; WHY_RAN_KINDS: none. @count: how many had the CPU */
static enum why_ran_kind kind_of(const struct why_ran *r, const struct why_part *p, size_t count)
{
	switch (p->cause) {
	case WHY_RUNNING:
	case WHY_INTERRUPT:
		return r->only_awaited && p->link == 1 ? WHY_RAN_KINDS : WHY_RAN_CHAIN;
	case WHY_RUNNABLE:
		return count ? WHY_RAN_CPU : WHY_RAN_KINDS;
	default:
		return WHY_RAN_KINDS;
	}
}

/* The place of a CPU's first sample at or after a time (ns). Walks go back in small steps. */
static uint32_t find_place(const struct why_ran *r, struct ran_cpu *c, uint64_t time)
{
	uint32_t at = c->found;

	if ((at == c->begin || sample_at(r, at - 1)->time < time) &&
	    (at == c->end || sample_at(r, at)->time >= time))
		return at;
	c->found = c->begin + array_front(c->end - c->begin, i,
					  sample_at(r, c->begin + i)->time < time);
	return c->found;
}

void why_ran_add(struct why_ran *r, const struct why_part *p, size_t count)
{
	enum why_ran_kind kind = r ? kind_of(r, p, count) : WHY_RAN_KINDS;
	struct ran_cpu *c;
	uint32_t from, to;

	if (kind == WHY_RAN_KINDS || p->cpu == HISTORY_NO_CPU || p->cpu >= r->cpu_count)
		return;
	c = &r->cpus[p->cpu];
	to = find_place(r, c, p->to);
	from = find_place(r, c, p->from);
	if (from >= to)
		return;
	r->more[kind][from]++;
	if (to < c->end)
		r->more[kind][to]--;
	c->low = from < c->low ? from : c->low;
	c->high = to > c->high ? to : c->high;
}

/* --- sums -------------------------------------------------------------------------------- */

/* Move the parts of a CPU to the entries. */
static void sum_cpu(struct why_ran *r, struct ran_cpu *c, enum why_ran_kind kind)
{
	int32_t *more = r->more[kind];
	struct ran_entry *e;
	uint64_t parts = 0;
	uint32_t i;

	for (i = c->low; i < c->high || (i == c->high && i < c->end); i++) {
		parts += more[i];
		more[i] = 0;
		if (!parts)
			continue;
		e = r->entries[r->entry_of[i]];
		e->count[kind] += parts;
		e->ns[kind] += parts * sample_at(r, i)->ns;
	}
}

/* Functions of threads of one name are one row. */
static struct why_ran_row *find_row(struct why_ran *r, enum why_ran_kind kind, const char *thread,
				    const char *function)
{
	uint64_t hash = map_hash(map_hash(kind, fxt_hash_bytes(thread, strlen(thread))),
				 fxt_hash_bytes(function, strlen(function)));
	struct why_ran_list *l = &r->lists[kind];
	struct why_ran_row *row;

	if (map_find(&r->row_map, hash, row, row->kind == kind && !strcmp(row->thread, thread) &&
		     !strcmp(row->function, function)))
		return row;
	row = arena_new(&r->arena, struct why_ran_row);
	row->kind = kind;
	row->thread = thread;
	row->function = arena_text(&r->arena, function);
	map_put(&r->row_map, &row->node, hash);
	array_more(l->rows, l->row_count);
	l->rows[l->row_count++] = row;
	return row;
}

static struct ran_thread *find_thread(struct why_ran *r, uint32_t thread, enum why_ran_kind kind)
{
	uint64_t hash = map_hash(thread, kind);
	struct ran_thread *t;

	if (map_find(&r->threads, hash, t, t->thread == thread && t->kind == kind))
		return t;
	t = arena_new(&r->arena, struct ran_thread);
	t->thread = thread;
	t->kind = kind;
	map_put(&r->threads, &t->node, hash);
	return t;
}

static void add_leaf(struct why_ran *r, uint32_t thread, const struct why_ran_row *row, uint64_t count)
{
	struct why_ran_top *top = &find_thread(r, thread, row->kind)->top;
	uint64_t hash = map_hash(thread, (uintptr_t)row);
	struct ran_leaf *leaf;

	if (!map_find(&r->leaves, hash, leaf, leaf->thread == thread && leaf->row == row)) {
		leaf = arena_new(&r->arena, struct ran_leaf);
		leaf->thread = thread;
		leaf->row = row;
		map_put(&r->leaves, &leaf->node, hash);
	}
	leaf->count += count;
	top->all += count;
	if (leaf->count > top->count) {
		top->count = leaf->count;
		top->function = row->function;
	}
}

/* A function that is in a stack several times counts once. */
static void add_entry(struct why_ran *r, const struct ran_entry *e, enum why_ran_kind kind)
{
	const char *name = history_name(r->h, e->thread);
	char text[SCHED_ADDRESS_BYTES];
	struct why_ran_row *row;
	uint32_t i;

	for (i = 0; i < e->stack->count; i++) {
		row = find_row(r, kind, name, sched_function_name(r->symbols, e->stack, i, text));
		if (!i) {
			row->self_ns += e->ns[kind];
			row->self_count += e->count[kind];
			add_leaf(r, e->thread, row, e->count[kind]);
		}
		if (row->stack == e->number + 1)
			continue;
		row->stack = e->number + 1;
		row->ns += e->ns[kind];
		row->count += e->count[kind];
	}
	r->lists[kind].count += e->count[kind];
	r->lists[kind].ns += e->ns[kind];
}

static int by_self(const void *a, const void *b)
{
	const struct why_ran_row *x = *(struct why_ran_row *const *)a;
	const struct why_ran_row *y = *(struct why_ran_row *const *)b;

	return array_order(y->self_ns, x->self_ns) ?: array_order(y->ns, x->ns) ?:
	       strcmp(x->function, y->function) ?: strcmp(x->thread, y->thread);
}

void why_ran_sum(struct why_ran *r)
{
	struct ran_cpu *c;
	int kind;
	size_t i;

	if (!r)
		return;
	drop_sum(r);
	for (c = r->cpus; c < r->cpus + r->cpu_count; c++) {
		for (kind = 0; kind < WHY_RAN_KINDS; kind++)
			sum_cpu(r, c, kind);
		c->low = c->end;
		c->high = c->begin;
	}
	for (kind = 0; kind < WHY_RAN_KINDS; kind++) {
		for (i = 0; i < r->entry_count; i++)
			if (r->entries[i]->count[kind])
				add_entry(r, r->entries[i], kind);
		if (r->lists[kind].row_count)
			qsort(r->lists[kind].rows, r->lists[kind].row_count,
			      sizeof(struct why_ran_row *), by_self);
	}
}

struct why_ran_list why_ran_list(const struct why_ran *r, enum why_ran_kind kind)
{
	return r ? r->lists[kind] : (struct why_ran_list){ 0 };
}

bool why_ran_top(const struct why_ran *r, uint32_t thread, enum why_ran_kind kind,
		 struct why_ran_top *top)
{
	uint64_t hash = map_hash(thread, kind);
	struct ran_thread *t;

	if (!r || !map_find(&r->threads, hash, t, t->thread == thread && t->kind == kind))
		return false;
	*top = t->top;
	return true;
}

/* --- stacks ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
	const struct why_ran_stack *x = a, *y = b;

	return strcmp(x->thread, y->thread) ?: array_order(x->stack->id, y->stack->id);
}

struct why_ran_stack *why_ran_stacks(const struct why_ran *r, enum why_ran_kind kind, size_t *count)
{
	struct why_ran_stack *list = must(calloc(r ? r->entry_count : 1, sizeof(*list)));
	const struct ran_entry *e;
	size_t i, found = 0, kept = 0;

	for (i = 0; r && i < r->entry_count; i++) {
		e = r->entries[i];
		if (e->count[kind])
			list[found++] = (struct why_ran_stack){
				history_name(r->h, e->thread), e->stack, e->ns[kind],
			};
	}
	if (found)
		qsort(list, found, sizeof(*list), by_name);
	for (i = 0; i < found; i++) {
		if (kept && !by_name(&list[kept - 1], &list[i]))
			list[kept - 1].ns += list[i].ns;
		else
			list[kept++] = list[i];
	}
	*count = kept;
	return list;
}
