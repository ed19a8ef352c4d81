// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sum.c - at the end of the archive: selection, sums and order.
 *
 * In: threads and CPUs with their numbers, and their names and processes from any record.
 * Out: struct report.
 * Must hold: the totals, like the sums of group.c, cover all threads, shown or not; only
 * latencies are summed over the threads shown.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* --- threads ------------------------------------------------------------------------ */

static bool takes_part(const struct report_thread *t)
{
	const struct report_counts *n = &t->n;

	/* A thread that does not wake up at all stands out only if its sleep is uninterruptible. */
	if (t->sleeps[REPORT_UNINTERRUPTIBLE])
		return true;
	return n->run || n->switches || n->wakeups || n->migrations || n->unknown ||
	       n->calls || n->forks || n->ipis || t->waits[REPORT_WOKEN] || t->waits[REPORT_PREEMPTED] || t->waits[REPORT_HELD];
}

bool engine_selects(const struct report_engine *e, const struct report_thread *t)
{
	const struct filter_ids *pids = &e->options->filter.pids;

	return (!pids->count || filter_has_id(pids, t->sched->process)) &&
	       (!e->options->cgroup || report_is_in(engine_cgroup(t), e->options->cgroup)) &&
	       (!e->options->comm || fxt_glob_match(&e->comm, t->sched->name));
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

/* The sort order of threads, processes and names: larger @key first, then @run, @koid, @id. */
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

/* The larger of both kinds; for REPORT_SORT_WAIT their sum. */
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
	report_sum_free(&c->sum);
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
 * The list is in the order of the names. It keeps that order where all else is equal, as
 * processes keep that of pids.
 */
static int sort_comms(const struct report_engine *e, struct report_comm **list, size_t *shown)
{
	size_t i, count = *shown;
	struct item *items = calloc(count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct report_comm *c = list[i];

		items[i] = (struct item){ .koid = i, .what = c };
		set_key(&items[i], e->options->sort, &c->sum.n, c->sum.waits,
			c->sum.sleeps, report_comm_name(c), 0);
	}
	qsort(items, count, sizeof(*items), by_item);
	*shown = 0;
	for (i = 0; i < count; i++) {
		struct report_comm *c = items[i].what;

		if (c->sum.is_shown)
			list[(*shown)++] = c;
		else
			comm_free(c);
	}
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
			qsort(t->wakers, t->waker_count, sizeof(*t->wakers), report_waker_order);
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

	for (i = 0; i < REPORT_CPUS; i++)
		count += !!e->cpus[i];
	r->cpus = calloc(count + 1, sizeof(*r->cpus));
	if (!r->cpus)
		return -ENOMEM;
	for (i = 0; i < REPORT_CPUS; i++) {
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

	return ret ? ret : report_sleeps_merge(to->sleeps, t->sleeps);
}

int engine_sum(struct report_engine *e)
{
	struct report_thread **threads;
	struct report *r = &e->report;
	size_t count, i;
	int ret;

	set_totals(e);
	ret = add_cpus(e);
	if (!ret)
		ret = collect_threads(e, &threads, &count);
	if (ret)
		return ret;
	/* The report owns them now, and frees them. */
	r->threads = threads;
	ret = engine_add_processes(e, threads, count);
	if (!ret)
		ret = engine_add_comms(e, threads, count);
	if (!ret)
		ret = engine_add_cgroups(e, threads, count);
	if (!ret)
		ret = sort_processes(e);
	if (!ret)
		ret = sort_comms(e, r->comms, &r->comm_count);
	if (!ret)
		ret = sort_comms(e, r->cgroups, &r->cgroup_count);
	if (!ret)
		ret = sort_threads(e, threads, count);
	for (i = 0; i < r->thread_count && !ret; i++)
		ret = add_shown(&r->totals, r->threads[i]);
	if (!ret)
		ret = engine_worst_finish(e);
	if (!ret)
		ret = engine_sleep_lists(e);
	return ret ? ret : engine_findings(e);
}

void engine_sum_free(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i;

	for (i = 0; i < r->totals.processes; i++) {
		report_sum_free(&r->processes[i]->sum);
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
