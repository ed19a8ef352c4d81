// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sums.c - sums up, selects and sorts threads at the end of the archive.
 *
 * In: threads and CPUs with their numbers, and their names and processes from any record.
 * Out: struct report: processes, and one sum for each name of threads and each cgroup: a build is
 * hundreds of short-lived processes, and only their sum shows where its time goes.
 * Must hold: each thread is in one process, one name and one cgroup, whether shown or not. The
 * totals and sums cover all threads, shown or not; only latencies are summed over the threads
 * shown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* --- sums ----------------------------------------------------------------------------- */

/* Sort interrupts by kind, before all threads. */
static int by_irq(const struct report_waker *x, const struct report_waker *y)
{
	if (!x->thread != !y->thread)
		return x->thread ? 1 : -1;
	return x->irq - y->irq;
}

/* For qsort(): the waker with the most certain wakeups first. */
static int waker_order(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;

	if (x->count - x->over != y->count - y->over)
		return x->count - x->over > y->count - y->over ? -1 : 1;
	if (!x->thread || !y->thread)
		return by_irq(x, y);
	if (x->thread->sched->koid != y->thread->sched->koid)
		return x->thread->sched->koid < y->thread->sched->koid ? -1 : 1;
	return x->thread->sched->id < y->thread->sched->id ? -1 :
	       x->thread->sched->id > y->thread->sched->id;
}

typedef int (*order_fn)(const void *a, const void *b);

static int by_waker(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;

	if (!x->thread || !y->thread)
		return by_irq(x, y);
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static int by_waker_name(const void *a, const void *b)
{
	const struct report_waker *x = a, *y = b;

	if (!x->thread || !y->thread)
		return by_irq(x, y);
	return strcmp(report_name(x->thread), report_name(y->thread));
}

/*
 * Sum up the wakers of all threads, and keep the most frequent; wakers equal by @order are one
 * entry.
 */
static int add_wakers(struct report_sum *sum, struct report_thread *const *threads,
		      order_fn order)
{
	struct report_waker *all;
	size_t n = 0, used = 0, i;

	for (i = 0; i < sum->threads; i++)
		n += threads[i]->waker_count;
	all = calloc(n + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0, n = 0; i < sum->threads; n += threads[i++]->waker_count)
		if (threads[i]->waker_count)
			memcpy(all + n, threads[i]->wakers,
			       threads[i]->waker_count * sizeof(*all));
	qsort(all, n, sizeof(*all), order);
	for (i = 0; i < n; i++) {
		if (used && !order(&all[used - 1], &all[i])) {
			all[used - 1].count += all[i].count;
			all[used - 1].over += all[i].over;
		} else {
			all[used++] = all[i];
		}
	}
	qsort(all, used, sizeof(*all), waker_order);
	sum->waker_count = used < REPORT_WAKERS ? used : REPORT_WAKERS;
	sum->wakers = calloc(sum->waker_count + 1, sizeof(*all));
	if (sum->wakers)
		memcpy(sum->wakers, all, sum->waker_count * sizeof(*all));
	free(all);
	return sum->wakers ? 0 : -ENOMEM;
}

/*
 * Borrow from the thread if there is only one, as in most processes: a copy of its histograms takes
 * some KB.
 */
static void borrow(struct report_sum *sum, const struct report_thread *t, order_fn order)
{
	sum->only = t;
	memcpy(sum->waits, t->waits, sizeof(sum->waits));
	memcpy(sum->sleeps, t->sleeps, sizeof(sum->sleeps));
	if (order != by_waker)
		return;
	sum->wakers = t->wakers;
	sum->waker_count = t->waker_count;
	sum->borrows_wakers = true;
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

static int add_up(struct report_sum *sum, struct report_thread *const *threads, size_t count,
		  order_fn order)
{
	size_t i;
	int ret = 0;

	sum->threads = count;
	for (i = 0; i < count && !ret; i++) {
		sum->is_shown |= threads[i]->is_shown;
		report_counts_add(&sum->n, &threads[i]->n);
		if (count == 1)
			borrow(sum, threads[i], order);
		else
			ret = report_waits_merge(sum->waits, threads[i]->waits);
		if (!ret && count > 1)
			ret = report_sleeps_merge(sum->sleeps, threads[i]->sleeps);
		if (!ret)
			ret = report_calls_add(&sum->calls, &threads[i]->calls);
	}
	report_calls_sort(&sum->calls);
	return ret || sum->borrows_wakers ? ret : add_wakers(sum, threads, order);
}

/* Free what it contains. */
static void sum_free(struct report_sum *sum)
{
	/* The sum of a single thread borrowed them. */
	if (!sum->only) {
		report_waits_free(sum->waits);
		report_sleeps_free(sum->sleeps);
	}
	if (!sum->borrows_wakers)
		free(sum->wakers);
	report_calls_free(&sum->calls);
}

/* --- processes ------------------------------------------------------------------------ */

/* Find one of the processes that had the same koid one after the other. */
static uint32_t process_number(const struct sched_thread *t)
{
	return t->owner ? t->owner->nth : 0;
}

static int by_process_only(const struct sched_thread *x, const struct sched_thread *y)
{
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (process_number(x) != process_number(y))
		return process_number(x) < process_number(y) ? -1 : 1;
	return 0;
}

static int by_process(const void *a, const void *b)
{
	const struct sched_thread *x = (*(struct report_thread *const *)a)->sched;
	const struct sched_thread *y = (*(struct report_thread *const *)b)->sched;
	int order = by_process_only(x, y);

	if (order)
		return order;
	if (x->koid != y->koid)
		return x->koid < y->koid ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_koid(const void *a, const void *b)
{
	const struct sched_process *x = *(struct sched_process *const *)a;
	const struct sched_process *y = *(struct sched_process *const *)b;

	return x->koid < y->koid ? -1 : x->koid > y->koid;
}

/* Names of processes, by koid. */
struct names {
	const struct sched_process **list;
	size_t count;
};

static int open_names(const struct report_engine *e, struct names *names)
{
	struct sched_process *const *list;
	size_t count, i;

	list = sched_model_processes(e->model, &count);
	names->count = 0;
	names->list = calloc(count + 1, sizeof(*names->list));
	if (!names->list)
		return -ENOMEM;
	/* Of a reused koid, only threads know the later processes. */
	for (i = 0; i < count; i++)
		if (!list[i]->nth)
			names->list[names->count++] = list[i];
	qsort(names->list, names->count, sizeof(*names->list), by_koid);
	return 0;
}

/* Return: NULL if the archive has no kernel object of the process. */
static const struct sched_process *process_of(const struct names *names,
					      const struct sched_thread *t)
{
	const struct sched_process key = { .koid = t->process }, *at = &key, **found;

	if (t->owner && t->owner->nth)
		return t->owner;
	found = bsearch(&at, names->list, names->count, sizeof(*names->list), by_koid);
	return found ? *found : NULL;
}

/* Return: the process's own name, or else that of its first thread. */
static const char *name_of(const struct report_engine *e, const struct sched_process *p,
			   uint64_t koid)
{
	const struct sched_thread *leader;

	if (p && *p->name)
		return p->name;
	leader = p && p->leader ? p->leader : sched_model_thread(e->model, koid);
	return leader ? leader->name : "";
}

static int add_process(struct report_engine *e, const struct names *names,
		       struct report_thread *const *threads, size_t count)
{
	struct report_process *p = calloc(1, sizeof(*p));
	struct report *r = &e->report;
	size_t i;

	if (!p)
		return -ENOMEM;
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
	return add_up(&p->sum, threads, count, by_waker);
}

/* Make the sums of all processes; threads are in any order. Return: 0 or -ENOMEM. */
static int add_processes(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct names names;
	size_t i, j;
	int ret = open_names(e, &names);

	e->report.processes = calloc(count + 1, sizeof(*e->report.processes));
	if (!ret && !e->report.processes)
		ret = -ENOMEM;
	qsort(threads, count, sizeof(*threads), by_process);
	for (i = 0; i < count && !ret; i = j) {
		for (j = i + 1; j < count; j++)
			if (by_process_only(threads[j]->sched, threads[i]->sched))
				break;
		ret = add_process(e, &names, threads + i, j - i);
	}
	free(names.list);
	return ret;
}

/* --- names and cgroups ---------------------------------------------------------------- */

typedef const char *(*key_fn)(const struct report_thread *t);

static const char *name_key(const struct report_thread *t)
{
	return t->sched->name;
}

static int by_name(const void *a, const void *b)
{
	int order = strcmp(name_key(*(struct report_thread *const *)a),
			   name_key(*(struct report_thread *const *)b));

	return order ? order : by_process(a, b);
}

static int by_cgroup(const void *a, const void *b)
{
	int order = strcmp(engine_cgroup(*(struct report_thread *const *)a),
			   engine_cgroup(*(struct report_thread *const *)b));

	return order ? order : by_process(a, b);
}

/* Wakers are summed by name, too: each short-lived thread has another waker. */
static struct report_comm *add_comm(struct report_thread *const *threads, size_t count)
{
	struct report_comm *c = calloc(1, sizeof(*c));
	size_t i;

	if (!c)
		return NULL;
	for (i = 0; i < count; i++)
		c->processes += !i || threads[i]->process != threads[i - 1]->process;
	if (!add_up(&c->sum, threads, count, by_waker_name))
		return c;
	sum_free(&c->sum);
	free(c);
	return NULL;
}

/* Add threads sorted by @key: those with equal keys are one entry. */
static int add_comms(struct report_comm ***list, size_t *entries,
		     struct report_thread *const *threads, size_t count, key_fn key)
{
	size_t i, j;

	*list = calloc(count + 1, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (i = 0; i < count; i = j) {
		for (j = i + 1; j < count; j++)
			if (strcmp(key(threads[j]), key(threads[i])))
				break;
		(*list)[*entries] = add_comm(threads + i, j - i);
		if (!(*list)[*entries])
			return -ENOMEM;
		(*list)[(*entries)++]->name = key(threads[i]);
	}
	return 0;
}

/* Sum up threads by name, after the processes. */
static int add_comms_by_name(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct report *r = &e->report;

	qsort(threads, count, sizeof(*threads), by_name);
	return add_comms(&r->comms, &r->comm_count, threads, count, name_key);
}

/* Sum up threads by cgroup, if the archive has cgroups. */
static int add_comms_by_cgroup(struct report_engine *e, struct report_thread **threads,
			       size_t count)
{
	struct report *r = &e->report;

	qsort(threads, count, sizeof(*threads), by_cgroup);
	/* Sorted: if any thread has a cgroup, the last one has. */
	if (!count || !*engine_cgroup(threads[count - 1]))
		return 0;
	return add_comms(&r->cgroups, &r->cgroup_count, threads, count, engine_cgroup);
}

/* --- selection, order and totals --------------------------------------------------------- */

/* --- threads ------------------------------------------------------------------------ */

static bool takes_part(const struct report_thread *t)
{
	const struct report_counts *n = &t->n;

	/* A thread that never wakes up is suspicious only if its sleep is uninterruptible. */
	if (t->sleeps[REPORT_UNINTERRUPTIBLE])
		return true;
	return n->run || n->switches || n->wakeups || n->migrations || n->unknown ||
	       n->calls || n->forks || n->ipis || t->waits[REPORT_WOKEN] || t->waits[REPORT_PREEMPTED] || t->waits[REPORT_HELD];
}

/* Collect the threads that took part, without idle ones; the shown ones come first. */
static int collect_threads(struct report_engine *e, struct report_thread ***list, size_t *count)
{
	struct sched_thread *const *threads;
	struct report_thread *t;
	size_t n, i;

	threads = sched_model_threads(e->model, &n);
	*count = 0;
	*list = calloc(n + 1, sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		t = (struct report_thread *)(uintptr_t)threads[i]->user;
		if (!t || !threads[i]->koid || !takes_part(t))
			continue;
		t->is_shown = engine_selects(e, t);
		report_counts_add(&e->report.totals.n, &t->n);
		(*list)[(*count)++] = t;
	}
	e->report.totals.threads = *count;
	return 0;
}

/* --- order ---------------------------------------------------------------------------- */

/*
 * The sort order of threads, processes and names: by @key, then @run (both largest first), @koid,
 * @id.
 */
struct item {
	uint64_t key;
	const char *name;
	uint64_t run;
	uint64_t koid;
	uint32_t id;
	void *what;
};

static int by_item(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = x->name ? strcmp(x->name, y->name) : 0;

	if (order)
		return order;
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	if (x->run != y->run)
		return x->run > y->run ? -1 : 1;
	if (x->koid != y->koid)
		return x->koid < y->koid ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

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

static void comm_free(struct report_comm *c)
{
	sum_free(&c->sum);
	free(c);
}

static int sort_processes(struct report_engine *e)
{
	struct report *r = &e->report;
	struct item *items = calloc(r->totals.processes + 1, sizeof(*items));
	size_t i, n = 0;

	if (!items)
		return -ENOMEM;
	for (i = 0; i < r->totals.processes; i++) {
		struct report_process *p = r->processes[i];

		items[i] = (struct item){ .koid = p->koid, .id = p->nth, .what = p };
		set_key(&items[i], e->options->sort, &p->sum.n, p->sum.waits,
			p->sum.sleeps, report_process_name(p), p->koid);
	}
	qsort(items, i, sizeof(*items), by_item);
	/* The processes not shown stay at the end, to be freed. */
	for (i = 0; i < r->totals.processes; i++)
		if (((struct report_process *)items[i].what)->sum.is_shown)
			r->processes[n++] = items[i].what;
	r->process_count = n;
	for (i = 0; i < r->totals.processes; i++)
		if (!((struct report_process *)items[i].what)->sum.is_shown)
			r->processes[n++] = items[i].what;
	free(items);
	return 0;
}

/*
 * The list is sorted by name, which stays the order of entries that are otherwise equal.
 */
static int sort_comms(const struct report_engine *e, struct report_comm **list, size_t count)
{
	struct item *items = calloc(count + 1, sizeof(*items));
	size_t i;

	if (!items)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct report_comm *c = list[i];

		items[i] = (struct item){ .koid = i, .what = c };
		set_key(&items[i], e->options->sort, &c->sum.n, c->sum.waits,
			c->sum.sleeps, report_comm_name(c), 0);
	}
	qsort(items, count, sizeof(*items), by_item);
	for (i = 0; i < count; i++)
		list[i] = items[i].what;
	free(items);
	return 0;
}

static int sort_threads(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct report *r = &e->report;
	struct item *items = calloc(count + 1, sizeof(*items));
	size_t i, n = 0;

	if (!items)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct report_thread *t = threads[i];

		if (t->waker_count)
			qsort(t->wakers, t->waker_count, sizeof(*t->wakers), waker_order);
		if (!t->is_shown)
			continue;
		items[n] = (struct item){ .koid = t->sched->koid, .id = t->sched->id, .what = t };
		set_key(&items[n++], e->options->sort, &t->n, t->waits, t->sleeps,
			report_name(t), t->sched->process);
	}
	qsort(items, n, sizeof(*items), by_item);
	for (i = 0; i < n; i++)
		threads[i] = items[i].what;
	r->threads = threads;
	r->thread_count = n;
	free(items);
	return 0;
}

/* --- CPUs, totals ---------------------------------------------------------------------- */

static int add_cpus(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i, count = 0;

	for (i = 0; i < e->cpu_end; i++)
		count += !!e->cpus[i];
	r->cpus = calloc(count + 1, sizeof(*r->cpus));
	if (!r->cpus)
		return -ENOMEM;
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
	return 0;
}

static void set_totals(struct report_engine *e)
{
	struct report_totals *t = &e->report.totals;

	t->filtered = sched_model_filter(e->model);
	t->lost_names = t->archive->lost;
	t->from = t->archive->first > e->from ? t->archive->first : e->from;
	t->to = t->archive->last < e->to ? t->archive->last : e->to;
}

static int add_shown(struct report_totals *to, const struct report_thread *t)
{
	int ret = report_waits_merge(to->waits, t->waits);

	report_counts_add(&to->shown, &t->n);
	return ret ? ret : report_sleeps_merge(to->sleeps, t->sleeps);
}

int engine_sum(struct report_engine *e)
{
	struct report_thread **threads;
	struct report *r = &e->report;
	size_t count, shown, i;
	int ret;

	set_totals(e);
	ret = add_cpus(e);
	if (!ret)
		ret = collect_threads(e, &threads, &count);
	if (ret)
		return ret;
	/* The report owns them now, and frees them. */
	r->threads = threads;
	ret = add_processes(e, threads, count);
	shown = shown_first(threads, count);
	if (!ret)
		ret = add_comms_by_name(e, threads, shown);
	if (!ret)
		ret = add_comms_by_cgroup(e, threads, shown);
	if (!ret)
		ret = sort_processes(e);
	if (!ret)
		ret = sort_comms(e, r->comms, r->comm_count);
	if (!ret)
		ret = sort_comms(e, r->cgroups, r->cgroup_count);
	if (!ret)
		ret = sort_threads(e, threads, count);
	for (i = 0; i < r->thread_count && !ret; i++)
		ret = add_shown(&r->totals, r->threads[i]);
	if (!ret)
		ret = engine_worst_finish(e);
	if (!ret)
		ret = engine_sleep_lists(e);
	return ret || report_is_damaged(&e->report) ? ret : engine_findings(e);
}

void engine_sum_free(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i;

	for (i = 0; i < r->totals.processes; i++) {
		sum_free(&r->processes[i]->sum);
		free(r->processes[i]);
	}
	for (i = 0; i < r->comm_count; i++)
		comm_free(r->comms[i]);
	free(r->comms);
	for (i = 0; i < r->cgroup_count; i++)
		comm_free(r->cgroups[i]);
	free(r->cgroups);
	free(r->processes);
	free(r->threads);
	free(r->cpus);
	report_waits_free(r->totals.waits);
	report_sleeps_free(r->totals.sleeps);
}
