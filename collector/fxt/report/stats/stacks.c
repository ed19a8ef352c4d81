// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.c - sums up, by call stack and by function, how long threads were off CPU, what woke them,
 * and what they ran.
 *
 * In: the stack of a waker comes before the wakeup, that of a thread just after its switch-in.
 * Out: stacks whose frames are beginnings of functions, without those of the tracer; functions by
 * name, because addresses differ between processes (a function that is in a stack several times
 * counts once); for each stack the threads and interrupts that woke the threads that slept there,
 * and the wakers' stacks.
 * Must hold: memory grows with threads and their different stacks. A function may call others from
 * several addresses, so stacks are equal if their functions are; symbols are known only at the end
 * of the archive.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sched/functions.h"

/* --- the functions that stacks are in ---------------------------------------------------- */

/* Functions that interrupts enter the kernel by: x86; arm64 until Linux 5.10; arm64 since then. */
static const char * const of_interrupts[] = {
	"asm_sysvec_", "asm_common_interrupt", "el1_irq", "el0_irq", "el1h_64_irq", "el0t_64_irq",
	"el0t_32_irq", NULL
};

static bool is_of_interrupt(const char *name)
{
	const char * const *begin;

	for (begin = of_interrupts; *begin; begin++)
		if (!strncmp(name, *begin, strlen(*begin)))
			return true;
	return false;
}

void report_stack_range(const struct report_stacks *s, const struct fxt_call_stack *stack,
			bool is_waker, uint32_t *begin, uint32_t *end)
{
	const struct sched_symbol *symbol;
	uint32_t i;

	*begin = 0;
	*end = stack->count;
	for (i = 0; i < *end; i++) {
		symbol = sched_frame_symbol(s->symbols, stack, i);
		if (symbol && sched_symbol_is_of_tracer(symbol->name))
			*begin = i + 1;
		else if (is_waker && symbol && is_of_interrupt(symbol->name))
			*end = i + 1;
	}
}

/* The stack of the functions of a recorded stack, or NULL. BPF programs in samples are what ran. */
static const struct fxt_call_stack *stack_functions(struct report_engine *e,
						    const struct fxt_call_stack *stack,
						    enum report_stack_kind kind)
{
	const struct report_stacks *s = &e->report.stacks;
	uint32_t begin = 0, end = stack ? stack->count : 0;

	if (!stack)
		return NULL;
	if (kind != REPORT_STACK_RAN)
		report_stack_range(s, stack, kind == REPORT_STACK_WAKER, &begin, &end);
	return sched_functions(&e->functions, s->symbols, stack, begin, end);
}

/* --- by function ------------------------------------------------------------------------- */

struct function_entry {
	struct map_node node;
	struct report_function of;
	uint32_t last;		/* 1 + number of the last stack that it was counted in */
};

static void add_times(struct report_times *to, const struct report_times *more)
{
	if (more->longest > to->longest || !to->count) {
		to->longest = more->longest;
		to->longest_time = more->longest_time;
		to->longest_thread = more->longest_thread;
	}
	to->ns += more->ns;
	to->count += more->count;
}

static void add_stack_functions(struct report_engine *e, struct map *map,
				const struct report_stack *s, uint32_t number)
{
	struct function_entry *f;
	const char *name;
	char text[SCHED_ADDRESS_BYTES];
	uint32_t i;

	for (i = 0; i < s->stack->count; i++) {
		name = sched_function_name(e->report.stacks.symbols, s->stack, i, text);
		if (map_get(map, fxt_hash_bytes(name, strlen(name)), f, !strcmp(f->of.name, name)))
			f->of.name = arena_text(&e->arena, name);
		if (!i) {
			f->of.self_ns += s->sum.ns;
			f->of.self_count += s->sum.count;
		}
		if (f->last != number)
			add_times(&f->of.sum, &s->sum);
		f->last = number;
	}
}

ARRAY_COMPARE(by_self, struct report_function, x, y,
	      array_order(y->self_ns, x->self_ns) ?: array_order(y->sum.ns, x->sum.ns) ?:
	      strcmp(x->name, y->name))

/* The innermost function of wakeups is always the same, so sort by time including callees. */
ARRAY_COMPARE(by_total, struct report_function, x, y,
	      array_order(y->sum.ns, x->sum.ns) ?: strcmp(x->name, y->name))

static void functions_sum(struct report_engine *e, enum report_stack_kind kind)
{
	struct report_stacks *r = &e->report.stacks;
	const struct report_stack_list *stacks = &r->together[kind];
	struct report_function_list *l = &r->functions[kind];
	struct function_entry *f;
	struct map map = { 0 };
	size_t i;

	for (i = 0; i < stacks->count; i++)
		add_stack_functions(e, &map, &stacks->all[i], i + 1);
	l->all = arena_array(&e->arena, struct report_function, map.count);
	map_each(&map, f)
		l->all[l->count++] = f->of;
	map_free_all(&map, struct function_entry);
	array_sort(l->all, l->count, kind == REPORT_STACK_WAKER ? by_total : by_self);
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

/* ns that it was off its CPU, once it has been switched in; less what it waited after a wakeup. */
static uint64_t off_ns(const struct report_off *off)
{
	uint64_t end = off->woken ? off->woken : off->until;

	return end > off->since ? end - off->since : 0;
}

/* Is it known, and selected? */
static bool off_counts(const struct report_engine *e, const struct report_off *off, uint16_t cpu)
{
	return off->has_ended && off->since >= e->gap_to &&
	       off->since >= e->report.totals.archive->complete &&
	       engine_counts(e, off->until, cpu);
}

static bool is_same(const struct waking_entry *entry, const struct report_thread *t,
		    const struct fxt_call_stack *stack)
{
	return entry->thread == t && entry->of.stack == stack && entry->of.by == woken_by(t) &&
	       entry->of.irq == woken_by_irq(t) && entry->of.from == t->off.from;
}

static void add_waking(struct report_engine *e, const struct report_thread *t,
		       const struct fxt_call_stack *stack)
{
	uint64_t hash = map_hash(map_hash((uintptr_t)t, (uintptr_t)woken_by(t)),
				 map_hash((uintptr_t)stack, (uintptr_t)t->off.from));
	uint64_t ns = off_ns(&t->off);
	struct waking_entry *w;

	if (map_get(&e->wakings, hash, w, is_same(w, t, stack))) {
		w->thread = t;
		w->of = (struct report_waking){
			.stack = stack, .from = t->off.from, .by = woken_by(t),
			.irq = woken_by_irq(t),
		};
	}
	w->of.ns += ns;
	w->of.count++;
	if (ns > w->of.longest)
		w->of.longest = ns;
}

/* --- at the end ------------------------------------------------------------------------------ */

static int by_id(const struct fxt_call_stack *x, const struct fxt_call_stack *y)
{
	return array_order(x ? x->id + 1 : 0, y ? y->id + 1 : 0);
}

/* All threads of one name count together, e.g. a pool of workers. */
ARRAY_COMPARE(by_waker, struct report_waking, x, y,
	      by_id(x->stack, y->stack) ?: array_order(x->irq, y->irq) ?:
	      array_order(!!x->by, !!y->by) ?:
	      (x->by ? strcmp(x->by->sched->name, y->by->sched->name) : 0) ?:
	      by_id(x->from, y->from))

ARRAY_COMPARE(waking_by_time, struct report_waking, x, y,
	      by_id(x->stack, y->stack) ?: array_order(y->ns, x->ns) ?: by_waker(x, y))

static void merge_wakings(struct report_stacks *r)
{
	size_t i, count = 0;

	if (!r->waking_count)
		return;
	array_sort(r->wakings, r->waking_count, by_waker);
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
	array_sort(r->wakings, count, waking_by_time);
}

static void wakings_finish(struct report_engine *e)
{
	struct report_stacks *r = &e->report.stacks;
	struct waking_entry *entry;
	struct report_waking *w;

	r->wakings = arena_array(&e->arena, struct report_waking, e->wakings.count);
	map_each(&e->wakings, entry) {
		if (!entry->thread->is_shown)
			continue;
		w = &r->wakings[r->waking_count++];
		*w = entry->of;
		w->stack = stack_functions(e, w->stack, REPORT_STACK_SLEPT);
		if (w->from)
			w->from = stack_functions(e, w->from, REPORT_STACK_WAKER);
	}
	merge_wakings(r);
}

const struct report_waking *report_wakings_of(const struct report_stacks *s,
					      const struct fxt_call_stack *stack, size_t *count)
{
	size_t low = array_front(s->waking_count, i, s->wakings[i].stack->id < stack->id);

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

static void add_one(struct report_engine *e, enum report_stack_kind kind,
		    const struct report_thread *t, const struct fxt_call_stack *stack, uint64_t ns,
		    uint64_t time)
{
	uint64_t hash = map_hash((uintptr_t)t, (uint64_t)stack->id << 8 | kind);
	struct stack_entry *s;

	if (map_get(&e->stacks, hash, s, s->kind == kind && s->of.thread == t &&
		    s->of.stack == stack)) {
		s->kind = kind;
		s->of.thread = t;
		s->of.stack = stack;
	}
	add_times(&s->of.sum, &(struct report_times){ ns, 1, ns, time, t });
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

void engine_off_woken(struct report_engine *e, struct report_thread *t, uint16_t cpu)
{
	const struct fxt_call_stack *waker = t->off.waker;
	struct report_off *off = &t->off;

	off->waker = NULL;
	off->from = off->woken ? waker : NULL;
	if (off_counts(e, off, cpu) && kind_of(off->left) == REPORT_STACK_SLEPT)
		add_one(e, REPORT_STACK_WAKER, t, waker, off_ns(off), off->until);
}

void engine_add_stack(struct report_engine *e, const struct sched_moment *m)
{
	struct report_thread *t = engine_thread(e, m->thread);
	enum report_stack_kind kind = kind_of(t->off.left);

	e->report.stacks.has = true;
	if (!m->is_in) {
		t->off.waker = m->stack;
		return;
	}
	e->report.stacks.has_sleeps |= kind == REPORT_STACK_SLEPT;
	if (!off_counts(e, &t->off, t->last_cpu))
		return;
	t->off.has_ended = false;
	add_one(e, kind, t, m->stack, off_ns(&t->off), m->time);
	if (kind == REPORT_STACK_SLEPT)
		add_waking(e, t, m->stack);
}

void engine_add_sample(struct report_engine *e, const struct sched_moment *m)
{
	e->report.stacks.has = true;
	e->report.stacks.has_samples = true;
	if (engine_counts(e, m->time, m->cpu))
		add_one(e, REPORT_STACK_RAN, engine_thread(e, m->thread), m->stack,
			m->args.sample.ns, m->time);
}

/* --- at the end ------------------------------------------------------------------------------ */

ARRAY_COMPARE(by_thread, struct report_stack, x, y,
	      array_order(x->stack->id, y->stack->id) ?:
	      (x->thread ? array_order(x->thread->sched->id, y->thread->sched->id) : 0))

ARRAY_COMPARE(stack_by_time, struct report_stack, x, y,
	      array_order(y->sum.ns, x->sum.ns) ?: by_thread(x, y))

/* Merge equal stacks. */
static void merge_stacks(struct report_stack_list *l)
{
	size_t i, count = 0;

	if (!l->count)
		return;
	array_sort(l->all, l->count, by_thread);
	for (i = 0; i < l->count; i++) {
		const struct report_stack *s = &l->all[i];

		if (count && !by_thread(&l->all[count - 1], s))
			add_times(&l->all[count - 1].sum, &s->sum);
		else
			l->all[count++] = *s;
	}
	l->count = count;
	array_sort(l->all, l->count, stack_by_time);
}

static void append(struct report_engine *e, struct report_stack_list *l,
		   const struct report_stack *s)
{
	arena_more(&e->arena, l->all, l->count);
	l->all[l->count++] = *s;
}

static void add_stack_entry(struct report_engine *e, const struct stack_entry *entry)
{
	struct report_stacks *r = &e->report.stacks;
	struct report_stack s = entry->of;

	if (!s.thread->is_shown)
		return;
	s.stack = stack_functions(e, s.stack, entry->kind);
	append(e, &r->of_threads[entry->kind], &s);
	s.thread = NULL;
	append(e, &r->together[entry->kind], &s);
}

void engine_stacks_finish(struct report_engine *e)
{
	struct report_trigger_stacks *trigger = &e->report.trigger_stacks;
	struct report_stacks *r = &e->report.stacks;
	struct stack_entry *s;
	unsigned int kind;

	r->symbols = sched_model_symbols(e->model);
	map_each(&e->stacks, s)
		add_stack_entry(e, s);
	for (kind = 0; kind < REPORT_STACK_KINDS; kind++) {
		merge_stacks(&r->of_threads[kind]);
		merge_stacks(&r->together[kind]);
		functions_sum(e, kind);
	}
	wakings_finish(e);
	trigger->slept = stack_functions(e, trigger->slept, REPORT_STACK_SLEPT);
	trigger->woken = stack_functions(e, trigger->woken, REPORT_STACK_WAKER);
	trigger->held = stack_functions(e, trigger->held, REPORT_STACK_SLEPT);
}

void engine_stacks_free(struct report_engine *e)
{
	map_free_all(&e->stacks, struct stack_entry);
	map_free_all(&e->wakings, struct waking_entry);
	fxt_call_stacks_free(&e->functions);
}
