// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sums.c - sums up, selects and sorts threads at the end of the archive.
 *
 * Out: processes, and one sum for each name of threads and each cgroup: a build is hundreds of
 * short-lived processes, and only their sum shows where its time goes.
 * Must hold: each thread is in one process, one name and one cgroup, whether shown or not. The
 * totals and sums cover all threads, shown or not; only latencies are summed over the threads
 * shown.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* --- sums ----------------------------------------------------------------------------- */

/* Interrupts come by kind, before all threads. */
static int by_irq(const struct report_waker *x, const struct report_waker *y)
{
	return array_order(!y->thread, !x->thread) ?: array_order(x->irq, y->irq);
}

/* The waker with the most certain wakeups first. */
static int waker_order(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;
	int order = array_order(y->count - y->over, x->count - x->over);

	if (order || !x->thread || !y->thread)
		return order ?: by_irq(x, y);
	return array_order(x->thread->sched->koid, y->thread->sched->koid) ?:
	       array_order(x->thread->sched->id, y->thread->sched->id);
}

typedef int (*order_fn)(const void *a, const void *b);

static int by_waker(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;

	if (!x->thread || !y->thread)
		return by_irq(x, y);
	return array_order(x->thread, y->thread);
}

static int by_waker_name(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;

	if (!x->thread || !y->thread)
		return by_irq(x, y);
	return strcmp(report_name(x->thread), report_name(y->thread));
}

/* Keep the most frequent wakers of all threads; wakers equal by @order are one entry. */
static void add_wakers(struct report_engine *e, struct report_sum *sum,
		       struct report_thread *const *threads, order_fn order)
{
	struct report_waker *all;
	size_t n = 0, used = 0, i;

	for (i = 0; i < sum->threads; i++)
		n += threads[i]->waker_count;
	all = must(calloc(n + 1, sizeof(*all)));
	for (i = 0, n = 0; i < sum->threads; n += threads[i++]->waker_count)
		if (threads[i]->waker_count)
			memcpy(all + n, threads[i]->wakers,
			       threads[i]->waker_count * sizeof(*all));
	array_sort(all, n, order);
	for (i = 0; i < n; i++) {
		if (used && !order(&all[used - 1], &all[i])) {
			all[used - 1].count += all[i].count;
			all[used - 1].over += all[i].over;
		} else {
			all[used++] = all[i];
		}
	}
	array_sort(all, used, waker_order);
	sum->waker_count = used < REPORT_WAKERS ? used : REPORT_WAKERS;
	sum->wakers = arena_array(&e->arena, struct report_waker, sum->waker_count);
	memcpy(sum->wakers, all, sum->waker_count * sizeof(*all));
	free(all);
}

/* Put the threads that are shown first. Return: their number */
static size_t shown_first(struct report_thread **threads, size_t count)
{
	struct report_thread *t;
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		if (!threads[i]->is_shown)
			continue;
		t = threads[n];
		threads[n++] = threads[i];
		threads[i] = t;
	}
	return n;
}

static void add_up(struct report_engine *e, struct report_sum *sum,
		   struct report_thread *const *threads, size_t count, order_fn order)
{
	const struct report_thread *t = threads[0];
	size_t i;

	sum->threads = count;
	for (i = 0; i < count; i++) {
		sum->is_shown |= threads[i]->is_shown;
		report_counts_add(&sum->n, &threads[i]->n);
		report_calls_add(&e->arena, &sum->calls, &threads[i]->calls);
	}
	report_calls_sort(&sum->calls);
	/* Borrow from the only thread, as in most processes: a copy takes some KB. */
	if (count == 1) {
		sum->only = t;
		memcpy(sum->waits, t->waits, sizeof(sum->waits));
		memcpy(sum->sleeps, t->sleeps, sizeof(sum->sleeps));
	}
	for (i = 0; i < count && count > 1; i++) {
		report_waits_merge(e, sum->waits, threads[i]->waits);
		report_sleeps_merge(e, sum->sleeps, threads[i]->sleeps);
	}
	if (count == 1 && order == by_waker) {
		sum->wakers = t->wakers;
		sum->waker_count = t->waker_count;
	} else {
		add_wakers(e, sum, threads, order);
	}
}

/* --- processes ------------------------------------------------------------------------ */

/* Which of the processes that had the same koid one after the other. */
static uint32_t process_number(const struct sched_thread *t)
{
	return t->owner ? t->owner->nth : 0;
}

static int by_process_only(const struct sched_thread *x, const struct sched_thread *y)
{
	return array_order(x->process, y->process) ?:
	       array_order(process_number(x), process_number(y));
}

static int by_process(const void *a, const void *b)
{
	const struct sched_thread *x = (*(struct report_thread *const *)a)->sched;
	const struct sched_thread *y = (*(struct report_thread *const *)b)->sched;

	return by_process_only(x, y) ?: array_order(x->koid, y->koid) ?:
	       array_order(x->id, y->id);
}

ARRAY_COMPARE_POINTERS(by_koid, struct sched_process, x, y, array_order(x->koid, y->koid))

/* By koid. */
struct names {
	const struct sched_process **list;
	size_t count;
};

static void open_names(struct report_engine *e, struct names *names)
{
	struct sched_process *const *list;
	size_t count, i;

	list = sched_model_processes(e->model, &count);
	names->count = 0;
	names->list = arena_array(&e->arena, const struct sched_process *, count);
	/* Of a reused koid, only threads know the later processes. */
	for (i = 0; i < count; i++)
		if (!list[i]->nth)
			names->list[names->count++] = list[i];
	array_sort(names->list, names->count, by_koid);
}

/* Return: NULL if the archive has no kernel object of the process */
static const struct sched_process *process_of(const struct names *names,
					      const struct sched_thread *t)
{
	const struct sched_process key = { .koid = t->process }, *at = &key, **found;

	if (t->owner && t->owner->nth)
		return t->owner;
	found = bsearch(&at, names->list, names->count, sizeof(*names->list), by_koid);
	return found ? *found : NULL;
}

/* The process's own name, or else that of its first thread. */
static const char *name_of(const struct report_engine *e, const struct sched_process *p,
			   uint64_t koid)
{
	const struct sched_thread *leader;

	if (p && *p->name)
		return p->name;
	leader = p && p->leader ? p->leader : sched_model_thread(e->model, koid);
	return leader ? leader->name : "";
}

static void add_process(struct report_engine *e, const struct names *names,
			struct report_thread *const *threads, size_t count)
{
	struct report_process *p = arena_new(&e->arena, struct report_process);
	struct report *r = &e->report;
	size_t i;

	r->processes[r->totals.processes++] = p;
	p->koid = threads[0]->sched->process;
	p->nth = process_number(threads[0]->sched);
	p->is_known = p->koid;
	p->sched = p->is_known ? process_of(names, threads[0]->sched) : NULL;
	p->name = p->is_known ? name_of(e, p->sched, p->koid) : "";
	if (p->sched && p->sched->parent)
		p->parent_name = name_of(e, p->sched->parent, p->sched->parent_koid);
	for (i = 0; i < count; i++) {
		threads[i]->process = p;
		p->team = p->is_known && threads[i]->team ? threads[i]->team : p->team;
	}
	add_up(e, &p->sum, threads, count, by_waker);
}

/* @threads may be in any order. */
static void add_processes(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct names names;
	size_t i, j;

	open_names(e, &names);
	e->report.processes = arena_array(&e->arena, struct report_process *, count);
	array_sort(threads, count, by_process);
	for (i = 0; i < count; i = j) {
		for (j = i + 1; j < count; j++)
			if (by_process_only(threads[j]->sched, threads[i]->sched))
				break;
		add_process(e, &names, threads + i, j - i);
	}
}

/* --- names and cgroups ---------------------------------------------------------------- */

typedef const char *(*key_fn)(const struct report_thread *t);

static const char *name_key(const struct report_thread *t)
{
	return t->sched->name;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(name_key(*(struct report_thread *const *)a),
		      name_key(*(struct report_thread *const *)b)) ?: by_process(a, b);
}

static int by_cgroup(const void *a, const void *b)
{
	return strcmp(engine_cgroup(*(struct report_thread *const *)a),
		      engine_cgroup(*(struct report_thread *const *)b)) ?: by_process(a, b);
}

/* Wakers are summed by name, too: each short-lived thread has another waker. */
static struct report_comm *add_comm(struct report_engine *e, struct report_thread *const *threads,
				    size_t count)
{
	struct report_comm *c = arena_new(&e->arena, struct report_comm);
	size_t i;

	for (i = 0; i < count; i++)
		c->processes += !i || threads[i]->process != threads[i - 1]->process;
	add_up(e, &c->sum, threads, count, by_waker_name);
	return c;
}

/* @threads are sorted by @key; those with equal keys are one entry. */
static void add_comms(struct report_engine *e, struct report_comm ***list, size_t *entries,
		      struct report_thread *const *threads, size_t count, key_fn key)
{
	size_t i, j;

	*list = arena_array(&e->arena, struct report_comm *, count);
	for (i = 0; i < count; i = j) {
		for (j = i + 1; j < count; j++)
			if (strcmp(key(threads[j]), key(threads[i])))
				break;
		(*list)[*entries] = add_comm(e, threads + i, j - i);
		(*list)[(*entries)++]->name = key(threads[i]);
	}
}

/* --- threads ------------------------------------------------------------------------ */

static bool is_active(const struct report_thread *t)
{
	const struct report_counts *n = &t->n;

	/* A thread that never wakes up is suspicious only if its sleep is uninterruptible. */
	if (t->sleeps[REPORT_UNINTERRUPTIBLE])
		return true;
	return n->run || n->switches || n->wakeups || n->migrations || n->unknown ||
	       n->calls || n->forks || n->ipis || t->waits[REPORT_WOKEN] || t->waits[REPORT_PREEMPTED] || t->waits[REPORT_HELD];
}

/* The threads that took part, without idle ones. */
static struct report_thread **collect_threads(struct report_engine *e, size_t *count)
{
	struct report_thread **list, *t;
	size_t n, i = 0;

	sched_model_threads(e->model, &n);
	list = arena_array(&e->arena, struct report_thread *, n);
	*count = 0;
	while ((t = engine_next_thread(e, &i))) {
		if (!t->sched->koid || !is_active(t))
			continue;
		t->is_shown = engine_selects(e, t);
		report_counts_add(&e->report.totals.n, &t->n);
		list[(*count)++] = t;
	}
	e->report.totals.threads = *count;
	return list;
}

/* --- order ---------------------------------------------------------------------------- */

/* Threads, processes and names are sorted by @key, then @run (both largest first), @koid, @id. */
struct item {
	uint64_t key;
	const char *name;
	uint64_t run;
	uint64_t koid;
	uint32_t id;
	void *what;
};

ARRAY_COMPARE(by_item, struct item, x, y,
	      (x->name ? strcmp(x->name, y->name) : 0) ?: array_order(y->key, x->key) ?:
	      array_order(y->run, x->run) ?: array_order(x->koid, y->koid) ?:
	      array_order(x->id, y->id))

/* Of both kinds of waits the larger value; for REPORT_SORT_WAIT the sum. */
static uint64_t wait_key(enum report_sort sort, struct report_waits *const *waits)
{
	uint64_t key = 0, value;
	size_t kind;

	for (kind = 0; kind < REPORT_WAITS; kind++) {
		if (!waits[kind])
			continue;
		value = sort == REPORT_SORT_MAX ? waits[kind]->hist.max :
			report_hist_percentile(&waits[kind]->hist, 990);
		if (sort == REPORT_SORT_WAIT)
			key += waits[kind]->hist.sum;
		else
			key = value > key ? value : key;
	}
	return key;
}

static uint64_t sleep_key(const struct report_sleeps *s)
{
	return s ? s->ns + s->cut_ns : 0;
}

static void set_key(struct item *item, enum report_sort sort, const struct report_counts *n,
		    struct report_waits *const *waits, struct report_sleeps *const *sleeps,
		    const char *name, uint64_t process)
{
	item->run = n->run;
	switch (sort) {
	case REPORT_SORT_SWITCHES:
		item->key = n->switches;
		break;
	case REPORT_SORT_PREEMPTIONS:
		item->key = n->preempted;
		break;
	case REPORT_SORT_MIGRATIONS:
		item->key = n->migrations;
		break;
	case REPORT_SORT_WAKEUPS:
		item->key = n->wakeups;
		break;
	case REPORT_SORT_WAIT:
	case REPORT_SORT_P99:
	case REPORT_SORT_MAX:
		item->key = wait_key(sort, waits);
		break;
	case REPORT_SORT_SLEEP:
		item->key = sleep_key(sleeps[REPORT_SLEEP]);
		break;
	case REPORT_SORT_UNINTERRUPTIBLE:
		item->key = sleep_key(sleeps[REPORT_UNINTERRUPTIBLE]);
		break;
	case REPORT_SORT_NAME:
		item->name = name;
		break;
	case REPORT_SORT_PID:
		item->key = ~process;
		item->run = 0;
		break;
	default:
		item->key = n->run;
	}
}

/* Sort items, and put what they are of into a list. */
static void sort_items(struct item *items, size_t count, void *list)
{
	char *to = list;
	size_t i;

	array_sort(items, count, by_item);
	for (i = 0; i < count; i++, to += sizeof(items->what))
		memcpy(to, &items[i].what, sizeof(items->what));
}

static void sort_processes(struct report_engine *e)
{
	struct report *r = &e->report;
	struct item *items = arena_array(&e->arena, struct item, r->totals.processes);
	size_t i;

	for (i = 0; i < r->totals.processes; i++) {
		struct report_process *p = r->processes[i];

		if (!p->sum.is_shown)
			continue;
		items[r->process_count] = (struct item){ .koid = p->koid, .id = p->nth, .what = p };
		set_key(&items[r->process_count++], e->options->sort, &p->sum.n, p->sum.waits,
			p->sum.sleeps, report_process_name(p), p->koid);
	}
	sort_items(items, r->process_count, r->processes);
}

/* The list is sorted by name, which stays the order of entries that are otherwise equal. */
static void sort_comms(struct report_engine *e, struct report_comm **list, size_t count)
{
	struct item *items = arena_array(&e->arena, struct item, count);
	size_t i;

	for (i = 0; i < count; i++) {
		struct report_comm *c = list[i];

		items[i] = (struct item){ .koid = i, .what = c };
		set_key(&items[i], e->options->sort, &c->sum.n, c->sum.waits,
			c->sum.sleeps, report_comm_name(c), 0);
	}
	sort_items(items, count, list);
}

static void sort_threads(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct report *r = &e->report;
	struct item *items = arena_array(&e->arena, struct item, count);
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		struct report_thread *t = threads[i];

		array_sort(t->wakers, t->waker_count, waker_order);
		if (!t->is_shown)
			continue;
		items[n] = (struct item){ .koid = t->sched->koid, .id = t->sched->id, .what = t };
		set_key(&items[n++], e->options->sort, &t->n, t->waits, t->sleeps,
			report_name(t), t->sched->process);
	}
	sort_items(items, n, threads);
	r->threads = threads;
	r->thread_count = n;
}

/* --- CPUs, totals ---------------------------------------------------------------------- */

static void add_cpus(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i, count = 0;

	for (i = 0; i < e->cpu_end; i++)
		count += !!e->cpus[i];
	r->cpus = arena_array(&e->arena, struct report_cpu *, count);
	for (i = 0; i < e->cpu_end; i++) {
		struct report_cpu *cpu = e->cpus[i] ? &e->cpus[i]->c : NULL;

		if (!cpu)
			continue;
		cpu->is_shown = !e->options->filter.by_cpu ||
				filter_has_cpu(&e->options->filter, i);
		r->totals.lost_names -= cpu->lost;
		if (!cpu->is_shown)
			continue;
		r->cpus[r->cpu_count++] = cpu;
		r->totals.switches += cpu->switches;
		r->totals.busy += cpu->busy;
		r->totals.idle += cpu->idle;
		r->totals.offline += cpu->offline;
	}
	r->totals.cpus = r->cpu_count;
}

static void set_totals(struct report_engine *e)
{
	struct report_totals *t = &e->report.totals;

	t->filtered = sched_model_filter(e->model);
	t->lost_names = t->archive->lost;
	t->from = t->archive->first > e->from ? t->archive->first : e->from;
	t->to = t->archive->last < e->to ? t->archive->last : e->to;
}

void engine_sum(struct report_engine *e)
{
	struct report *r = &e->report;
	struct report_totals *n = &r->totals;
	struct report_thread **threads;
	size_t count, shown, i;

	set_totals(e);
	add_cpus(e);
	threads = collect_threads(e, &count);
	add_processes(e, threads, count);
	shown = shown_first(threads, count);
	array_sort(threads, shown, by_name);
	add_comms(e, &r->comms, &r->comm_count, threads, shown, name_key);
	array_sort(threads, shown, by_cgroup);
	/* Sorted: if any thread has a cgroup, the last one has. */
	if (shown && *engine_cgroup(threads[shown - 1]))
		add_comms(e, &r->cgroups, &r->cgroup_count, threads, shown, engine_cgroup);
	sort_processes(e);
	sort_comms(e, r->comms, r->comm_count);
	sort_comms(e, r->cgroups, r->cgroup_count);
	sort_threads(e, threads, count);
	for (i = 0; i < r->thread_count; i++) {
		report_counts_add(&n->shown, &r->threads[i]->n);
		report_waits_merge(e, n->waits, r->threads[i]->waits);
		report_sleeps_merge(e, n->sleeps, r->threads[i]->sleeps);
	}
	engine_worst_finish(e);
	engine_sleep_lists(e);
	engine_sockets_finish(e);
	if (!report_is_damaged(r))
		engine_findings(e);
}
