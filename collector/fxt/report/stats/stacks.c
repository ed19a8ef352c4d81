// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - sums up, by call stack and by function, how long threads were off CPU and what woke
 * them.
 *
 * In: switches, wakeups and stacks, as the model reports them: the stack of a waker comes before
 * the wakeup, that of a thread just after its switch-in. The symbols of the archive.
 * Out: stacks whose frames are beginnings of functions, without those of the tracer; functions by
 * name, because addresses differ between processes (a function that is in a stack several times
 * counts once); for each stack the threads and interrupts that woke the threads that slept there,
 * and the wakers' stacks.
 * Must hold: memory grows with threads and their different stacks. A function may call others from
 * several addresses, so stacks are equal if their functions are; symbols are known only at the end
 * of the archive.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "internal.h"
#include "libfxt/array.h"

/* --- the functions that stacks are in ---------------------------------------------------- */

/* Functions between the tracepoint and the program that took the stack. */
static const char * const of_tracer[] = {
	"bpf_prog_", "bpf_trace_run", "__bpf_trace_", "__traceiter_", "bpf_trampoline_", NULL
};

/* Functions that interrupts enter the kernel by: x86; arm64 until Linux 5.10; arm64 since then. */
static const char * const of_interrupts[] = {
	"asm_sysvec_", "asm_common_interrupt", "el1_irq", "el0_irq", "el1h_64_irq", "el0t_64_irq",
	"el0t_32_irq", NULL
};

static bool begins_with(const struct sched_symbol *symbol, const char * const *begins)
{
	for (; symbol && *begins; begins++)
		if (!strncmp(symbol->name, *begins, strlen(*begins)))
			return true;
	return false;
}

static const struct sched_symbol *symbol_of(const struct report_stacks *s,
					    const struct fxt_call_stack *stack, uint32_t i)
{
	return sched_symbol_find(s->symbols, stack->provider, stack->process,
				 fxt_sched_frame_address(stack->frames[i]));
}

void report_stack_range(const struct report_stacks *s, const struct fxt_call_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end)
{
	const struct sched_symbol *symbol;
	uint32_t i;

	*begin = 0;
	*end = stack->count;
	for (i = 0; i < *end; i++) {
		symbol = symbol_of(s, stack, i);
		if (begins_with(symbol, of_tracer))
			*begin = i + 1;
		else if (is_waker && begins_with(symbol, of_interrupts))
			*end = i + 1;
	}
}

/* Make the stack of the beginnings of the functions of a recorded stack. */
static const struct fxt_call_stack *stack_functions(struct report_engine *e,
						 const struct fxt_call_stack *stack, bool is_waker)
{
	const struct report_stacks *s = &e->report.stacks;
	const struct sched_symbol *symbol;
	uint64_t frames[FXT_MAX_FRAMES];
	bool is_of_process = false;
	uint32_t i, end, count = 0;

	report_stack_range(s, stack, is_waker, &i, &end);
	for (; i < end; i++) {
		/* A zero may end a stack walked by frame pointers. */
		if (!stack->frames[i])
			continue;
		symbol = symbol_of(s, stack, i);
		/* Another process may have another function at the same address. */
		is_of_process |= !symbol && !fxt_sched_is_kernel(stack->frames[i]);
		frames[count++] = symbol ? symbol->place : stack->frames[i];
	}
	return fxt_call_stack_get(&e->functions, stack->provider, is_of_process ? stack->process : 0,
			       frames, count);
}

static const char *name_of(const struct sched_symbol *symbol, uint64_t frame, char text[20])
{
	if (symbol)
		return symbol->name;
	snprintf(text, 20, "0x%" PRIx64, frame);
	return text;
}

const char *report_frame_name(const struct report_stacks *s, const struct fxt_call_stack *stack,
			      uint32_t i, char text[20])
{
	return name_of(sched_symbol_find(s->symbols, stack->provider, stack->process,
					 stack->frames[i]),
		       stack->frames[i], text);
}

const char *report_recorded_name(const struct report_stacks *s, const struct fxt_call_stack *stack,
				 uint32_t i, char text[20])
{
	return name_of(symbol_of(s, stack, i), stack->frames[i], text);
}

/* --- by function ------------------------------------------------------------------------- */

struct function_entry {
	struct map_node node;
	size_t number;		/* in the list */
	uint32_t last;		/* 1 + number of the last stack that it was counted in */
	char name[];
};

struct sums {
	struct map map;
	struct report_function_list *list;
};

static struct function_entry *add_function_entry(struct sums *s, const char *name, uint64_t hash)
{
	struct report_function_list *l = s->list;
	size_t bytes = strlen(name) + 1;
	struct function_entry *entry = calloc(1, sizeof(*entry) + bytes);

	if (!entry || array_grow(l->all, l->count) || map_reserve(&s->map)) {
		free(entry);
		return NULL;
	}
	memcpy(entry->name, name, bytes);
	entry->number = l->count;
	l->all[l->count] = (struct report_function){ .name = strdup(name) };
	l->count++;
	map_add(&s->map, &entry->node, hash);
	return l->all[entry->number].name ? entry : NULL;
}

static struct function_entry *function_entry_of(struct sums *s, const char *name)
{
	uint64_t hash = fxt_hash_bytes(name, strlen(name));
	struct map_node *n;
	struct function_entry *entry;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct function_entry, node);
		if (!strcmp(entry->name, name))
			return entry;
	}
	return add_function_entry(s, name, hash);
}

static void add_function(struct report_function *f, const struct report_stack *s)
{
	if (s->longest > f->longest || !f->count) {
		f->longest = s->longest;
		f->longest_time = s->longest_time;
		f->longest_thread = s->longest_thread;
	}
	f->ns += s->ns;
	f->count += s->count;
}

static int add_stack_functions(struct sums *sums, const struct report_stacks *r,
			       const struct report_stack *s, uint32_t number)
{
	struct report_function *f;
	struct function_entry *entry;
	char text[20];
	uint32_t i;

	for (i = 0; i < s->stack->count; i++) {
		entry = function_entry_of(sums, report_frame_name(r, s->stack, i, text));
		if (!entry)
			return -ENOMEM;
		f = &sums->list->all[entry->number];
		if (!i) {
			f->self_ns += s->ns;
			f->self_count += s->count;
		}
		if (entry->last != number)
			add_function(f, s);
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

/* The innermost function of wakeups is always the same, so sort by time including callees. */
static int by_total(const void *a, const void *b)
{
	const struct report_function *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Add up the stacks of a kind. Return: 0 or -ENOMEM. */
static int functions_sum(struct report_stacks *r, enum report_stack_kind kind)
{
	const struct report_stack_list *stacks = &r->together[kind];
	struct sums sums = { .list = &r->functions[kind] };
	struct map_node *n;
	size_t i, from = 0;
	int ret = 0;

	for (i = 0; i < stacks->count && !ret; i++)
		ret = add_stack_functions(&sums, r, &stacks->all[i], i + 1);
	while ((n = map_take(&sums.map, &from)))
		free(map_entry(n, struct function_entry, node));
	map_free(&sums.map);
	if (sums.list->count)
		qsort(sums.list->all, sums.list->count, sizeof(*sums.list->all),
		      kind == REPORT_STACK_WAKER ? by_total : by_self);
	return ret;
}

static void functions_free(struct report_stacks *r)
{
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		for (i = 0; i < r->functions[kind].count; i++)
			free(r->functions[kind].all[i].name);
		free(r->functions[kind].all);
	}
}

/* --- what ended sleeps ------------------------------------------------------------------- */

struct waking_entry {
	struct map_node node;
	const struct report_thread *thread;
	struct report_waking of;
};

/* --- during the walk ----------------------------------------------------------------------- */

/* Which thread ended the sleep; NULL: unknown, or none did. */
static const struct report_thread *woken_by(const struct report_thread *t)
{
	return t->off.woken ? t->woken_by : NULL;
}

static uint8_t woken_by_irq(const struct report_thread *t)
{
	return t->off.woken ? t->irq : FXT_SCHED_IRQ_NONE;
}

static bool is_same(const struct waking_entry *entry, const struct report_thread *t,
		    const struct fxt_call_stack *stack)
{
	return entry->thread == t && entry->of.stack == stack && entry->of.by == woken_by(t) &&
	       entry->of.irq == woken_by_irq(t) && entry->of.from == t->off.from;
}

/* Add what woke a thread whose sleep has ended. Return: 0 or -ENOMEM. */
static int take_waking(struct report_engine *e, const struct report_thread *t,
		       const struct fxt_call_stack *stack)
{
	uint64_t hash = map_hash(map_hash((uintptr_t)t, (uintptr_t)woken_by(t)),
				 map_hash((uintptr_t)stack, (uintptr_t)t->off.from));
	struct waking_entry *entry = NULL;
	struct map_node *n;

	for (n = map_first(&e->wakings, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct waking_entry, node);
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
			.stack = stack, .from = t->off.from, .by = woken_by(t),
			.irq = woken_by_irq(t),
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

static int by_id(const struct fxt_call_stack *x, const struct fxt_call_stack *y)
{
	uint32_t a = x ? x->id + 1 : 0, b = y ? y->id + 1 : 0;

	return a < b ? -1 : a > b;
}

/* Count all threads of one name together, e.g. a pool of workers. */
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

static int waking_by_time(const void *a, const void *b)
{
	const struct report_waking *x = a, *y = b;
	int order = by_id(x->stack, y->stack);

	if (order)
		return order;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return by_waker(a, b);
}

static void merge_wakings(struct report_stacks *r)
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
	qsort(r->wakings, count, sizeof(*r->wakings), waking_by_time);
}

static int add_waking_entry(struct report_engine *e, const struct waking_entry *entry)
{
	struct report_waking *w = &e->report.stacks.wakings[e->report.stacks.waking_count];

	if (!entry->thread->is_shown)
		return 0;
	*w = entry->of;
	w->stack = stack_functions(e, w->stack, false);
	if (w->from)
		w->from = stack_functions(e, w->from, true);
	if (!w->stack || (entry->of.from && !w->from))
		return -ENOMEM;
	e->report.stacks.waking_count++;
	return 0;
}

/* List those of the threads shown. Return: 0 or -ENOMEM. */
static int wakings_finish(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	const struct map_node *n;
	int ret = 0;

	r->wakings = calloc(e->wakings.count + 1, sizeof(*r->wakings));
	if (!r->wakings)
		return -ENOMEM;
	for (n = e->wakings.oldest; n && !ret; n = n->newer)
		ret = add_waking_entry(e, map_entry(n, struct waking_entry, node));
	merge_wakings(r);
	return ret;
}

static void wakings_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->wakings, &from)))
		free(map_entry(n, struct waking_entry, node));
	map_free(&e->wakings);
	free(e->report.stacks.wakings);
}

const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct fxt_call_stack *stack, size_t *count)
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

/* --- by stack ---------------------------------------------------------------------------- */

struct stack_entry {
	struct map_node node;
	enum report_stack_kind kind;
	struct report_stack of;
};

/* --- during the walk ----------------------------------------------------------------------- */

static struct report_stack *stack_entry_of(struct report_engine *e, enum report_stack_kind kind,
					   const struct report_thread *t,
					   const struct fxt_call_stack *stack)
{
	uint64_t hash = map_hash((uintptr_t)t, (uint64_t)stack->id << 8 | kind);
	struct map_node *n;
	struct stack_entry *entry;

	for (n = map_first(&e->stacks, hash); n; n = map_next(n, hash)) {
		entry = map_entry(n, struct stack_entry, node);
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

static void add_time_off(struct report_stack *to, uint64_t ns, uint64_t count, uint64_t longest,
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
		   const struct report_thread *t, const struct fxt_call_stack *stack, uint64_t ns,
		   uint64_t time)
{
	struct report_stack *to = stack_entry_of(e, kind, t, stack);

	if (!to)
		return -ENOMEM;
	add_time_off(to, ns, 1, ns, time, t);
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

int engine_off_woken(struct report_engine *e, struct report_thread *t,
		     const struct fxt_call_stack *waker, uint64_t time)
{
	if (kind_of(t->off.left) != REPORT_STACK_SLEPT)
		return 0;
	return add_one(e, REPORT_STACK_WAKER, t, waker, t->off.ns, time);
}

int engine_take_stack(struct report_engine *e, const struct sched_moment *m)
{
	struct report_thread *t = engine_thread(e, m->thread);
	enum report_stack_kind kind;
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
	kind = kind_of(t->off.left);
	ret = add_one(e, kind, t, m->stack, t->off.ns, m->time);
	if (ret || kind != REPORT_STACK_SLEPT)
		return ret;
	return take_waking(e, t, m->stack);
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

static int stack_by_time(const void *a, const void *b)
{
	const struct report_stack *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return by_thread(a, b);
}

/* Merge equal neighbours of the sorted list. */
static void merge_stacks(struct report_stack_list *l)
{
	size_t i, count = 0;

	if (!l->count)
		return;
	qsort(l->all, l->count, sizeof(*l->all), by_thread);
	for (i = 0; i < l->count; i++) {
		const struct report_stack *s = &l->all[i];

		if (count && !by_thread(&l->all[count - 1], s))
			add_time_off(&l->all[count - 1], s->ns, s->count, s->longest, s->longest_time,
				     s->longest_thread);
		else
			l->all[count++] = *s;
	}
	l->count = count;
	qsort(l->all, l->count, sizeof(*l->all), stack_by_time);
}

static int append(struct report_stack_list *l, const struct report_stack *s)
{
	if (array_grow(l->all, l->count))
		return -ENOMEM;
	l->all[l->count++] = *s;
	return 0;
}

static int add_stack_entry(struct report_engine *e, const struct stack_entry *entry)
{
	struct report_stacks *r = &e->report.stacks;
	struct report_stack s = entry->of;
	int ret;

	if (!s.thread->is_shown)
		return 0;
	s.stack = stack_functions(e, s.stack, entry->kind == REPORT_STACK_WAKER);
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
		ret = add_stack_entry(e, map_entry(n, struct stack_entry, node));
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		merge_stacks(&r->of_threads[kind]);
		merge_stacks(&r->together[kind]);
		if (!ret)
			ret = functions_sum(r, kind);
	}
	return ret ? ret : wakings_finish(e);
}

void engine_stacks_free(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	struct map_node *n;
	unsigned int kind;
	size_t from = 0;

	while ((n = map_take(&e->stacks, &from)))
		free(map_entry(n, struct stack_entry, node));
	map_free(&e->stacks);
	wakings_free(e);
	functions_free(r);
	fxt_call_stacks_free(&e->functions);
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		free(r->of_threads[kind].all);
		free(r->together[kind].all);
	}
}
