// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * group.c - threads summed up: by process, by name, and by cgroup.
 *
 * In: the threads that took part, with their numbers.
 * Out: processes, and one sum for each name of threads: a build is hundreds of short-lived
 * processes, and only their sum shows where its time goes.
 * Must hold: each thread is in one process, one name and one cgroup, whether shown or not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define MAX_ANCESTORS	64	/* reused ids may make a process its own ancestor */

/* --- sums ----------------------------------------------------------------------------- */

/* Sort interrupts by kind, before all threads. */
static int by_irq(const struct report_waker *x, const struct report_waker *y)
{
	if (!x->thread != !y->thread)
		return x->thread ? 1 : -1;
	return x->irq - y->irq;
}

int report_waker_order(const void *a, const void *b)
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
 * Sum up the wakers of all threads, and keep the most frequent; wakers equal by @order are
 * one.
 */
static int add_wakers(struct report_sum *sum, struct report_thread *const *threads,
		      order_fn order)
{
	struct report_waker *all = calloc(sum->threads, REPORT_WAKERS * sizeof(*all));
	size_t n = 0, used = 0, i;

	if (!all)
		return -ENOMEM;
	for (i = 0; i < sum->threads; n += threads[i++]->waker_count)
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
	qsort(all, used, sizeof(*all), report_waker_order);
	sum->waker_count = used < REPORT_WAKERS ? used : REPORT_WAKERS;
	sum->wakers = calloc(sum->waker_count + 1, sizeof(*all));
	if (sum->wakers)
		memcpy(sum->wakers, all, sum->waker_count * sizeof(*all));
	free(all);
	return sum->wakers ? 0 : -ENOMEM;
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
		ret = report_waits_merge(sum->waits, threads[i]->waits);
		if (!ret)
			ret = report_sleeps_merge(sum->sleeps, threads[i]->sleeps);
		if (!ret)
			ret = report_calls_add(&sum->calls, &threads[i]->calls);
	}
	report_calls_sort(&sum->calls);
	return ret ? ret : add_wakers(sum, threads, order);
}

void report_sum_free(struct report_sum *sum)
{
	report_waits_free(sum->waits);
	report_sleeps_free(sum->sleeps);
	free(sum->wakers);
	report_calls_free(&sum->calls);
}

/* --- processes ------------------------------------------------------------------------ */

/* Of the processes that had one koid one after the other. */
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
	/* Threads know the later processes with a reused koid. */
	for (i = 0; i < count; i++)
		if (!list[i]->nth)
			names->list[names->count++] = list[i];
	qsort(names->list, names->count, sizeof(*names->list), by_koid);
	return 0;
}

/* NULL if the archive has no kernel object of it. */
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

int engine_add_processes(struct report_engine *e, struct report_thread **threads, size_t count)
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

/* A process that came and went has the cgroup that it inherited. */
const char *engine_cgroup(const struct report_thread *t)
{
	const struct sched_process *p = t->sched->owner;
	unsigned int i;

	for (i = 0; p && !p->cgroup && i < MAX_ANCESTORS; i++)
		p = p->parent;
	return p && p->cgroup ? p->cgroup : "";
}

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
	report_sum_free(&c->sum);
	free(c);
	return NULL;
}

/* Add threads that are in the order of @key: those with the same one are one entry. */
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

int engine_add_comms(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct report *r = &e->report;

	qsort(threads, count, sizeof(*threads), by_name);
	return add_comms(&r->comms, &r->comm_count, threads, count, name_key);
}

int engine_add_cgroups(struct report_engine *e, struct report_thread **threads, size_t count)
{
	struct report *r = &e->report;

	qsort(threads, count, sizeof(*threads), by_cgroup);
	/* The last one has a cgroup if any has. */
	if (!count || !*engine_cgroup(threads[count - 1]))
		return 0;
	return add_comms(&r->cgroups, &r->cgroup_count, threads, count, engine_cgroup);
}
