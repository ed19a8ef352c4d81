// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * worst.c - the worst latencies, and the threads that had the CPU meanwhile.
 *
 * In: each latency, when it ends.
 * Out: the longest latencies, the first of equal ones, each with the threads that had the
 * CPU for the largest parts of it. They are searched for in the CPU's last switches, and only for
 * waits that enter the list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include <fxt/fxt_catalogue.h>

#include "internal.h"
#include "libfxt/array.h"

/*
 * Each wait that enters the list may look at so many runs, besides those that all may look at. Waits of
 * which each is longer than those before it need more.
 */
#define LOOKS_FIRST	(1U << 23)
#define LOOKS_WAIT	32
#define LOOKS_SORT	16	/* for a thread whose name is compared with others */

/* Does @a come before @b in the list? */
static bool is_worse(const struct report_wait *a, const struct report_wait *b)
{
	if (a->latency != b->latency)
		return a->latency > b->latency;
	if (a->time != b->time)
		return a->time < b->time;
	return a->thread->sched->koid < b->thread->sched->koid;
}

/* Restore the order of the heap (smallest on top) after its first element has grown. */
static void sift_down(struct report_wait *heap, size_t count)
{
	struct report_wait w = heap[0];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count && is_worse(&heap[child], &heap[child + 1]))
			child++;
		if (!is_worse(&w, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = w;
}

static void sift_up(struct report_wait *heap, size_t i)
{
	struct report_wait w = heap[i];

	for (; i && is_worse(&heap[(i - 1) / 2], &w); i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = w;
}

/* The weight as in the archive; 0: unknown. Archives of other tools may have any number. */
static int32_t weight_of(const struct report_engine *e, const struct report_thread *t)
{
	const struct sched_totals *a = e->report.totals.archive;
	const struct sched_thread *s = t->sched;

	if (!s->has_weight || t->is_idle || (!a->ledgers && !a->is_imported))
		return 0;
	if (a->has_priorities)
		return sched_weight_of_prio(1, s->weight);
	return s->weight;
}

/* Insert @o, whose time has grown, if it is among those that ran longest. */
static void rank(struct report_wait *w, const struct report_occupant *of)
{
	struct report_occupant *o = w->occupants, *end = o + w->occupant_count, swapped;

	while (o < end && o->thread != of->thread)
		o++;
	if (o == end) {
		if (w->occupant_count < REPORT_OCCUPANTS)
			w->occupant_count++;
		else if ((--o)->ns >= of->ns)
			return;
	}
	*o = *of;
	for (; o > w->occupants && o[-1].ns < o->ns; o--) {
		swapped = o[-1];
		o[-1] = *o;
		*o = swapped;
	}
}

static int by_name(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;
	int order = strcmp(report_name(x), report_name(y));

	if (order)
		return order;
	return x->marked != y->marked ? (x->marked < y->marked ? 1 : -1) :
	       x->sched->id < y->sched->id ? -1 : x->sched->id > y->sched->id;
}

static void take_looks(struct report_engine *e, uint64_t count)
{
	e->looks -= count < e->looks ? count : e->looks;
}

/* Too many threads ran for a single one to matter, so sum up by name. */
static void rank_names(struct report_engine *e, struct report_wait *w)
{
	size_t count = w->sharers < ENGINE_SHARERS ? w->sharers : ENGINE_SHARERS, i, next;
	struct report_thread **sharers = e->sharers;
	struct report_occupant o;

	take_looks(e, count * LOOKS_SORT);
	qsort(sharers, count, sizeof(*sharers), by_name);
	w->occupant_count = 0;
	for (i = 0; i < count; i = next) {
		o = (struct report_occupant){
			.thread = sharers[i], .weight = weight_of(e, sharers[i]),
		};
		for (next = i; next < count && !strcmp(report_name(sharers[next]),
						       report_name(sharers[i])); next++) {
			o.ns += sharers[next]->marked;
			o.threads++;
		}
		rank(w, &o);
	}
}

/*
 * Find the threads that ran longest on a CPU during the wait.
 *
 * Return: ns in which the running thread is unknown.
 */
static uint64_t find_occupants(struct report_engine *e, const struct engine_cpu *cpu,
			       struct report_wait *w)
{
	uint64_t held = cpu->run_count < SCHED_RUNS ? cpu->run_count : SCHED_RUNS;
	uint64_t begin = w->time - w->latency, to = w->time, known = 0, i, from;
	uint64_t left = held < e->looks ? held : e->looks, least = cpu->run_count - left;
	const struct report_run *run;
	struct report_thread *t;

	e->mark++;
	w->sharers = 0;
	for (i = cpu->run_count; i > least && to > begin; to = from) {
		run = &cpu->runs[--i % SCHED_RUNS];
		from = run->from < to ? run->from : to;
		t = run->thread;
		if (!t || from == to)
			continue;
		if (t->mark != e->mark) {
			t->mark = e->mark;
			t->marked = 0;
			if (w->sharers < ENGINE_SHARERS)
				e->sharers[w->sharers] = t;
			w->sharers++;
		}
		t->marked += to - (from > begin ? from : begin);
		known += to - (from > begin ? from : begin);
		rank(w, &(struct report_occupant){ t, 1, weight_of(e, t), t->marked });
	}
	take_looks(e, cpu->run_count - i);
	if (w->occupant_count) {
		w->most = w->occupants[0].thread;
		w->most_ns = w->occupants[0].ns;
	}
	if (report_is_shared(w))
		rank_names(e, w);
	w->is_part = to > begin && least;
	engine_kernel_during(e, cpu->c.number, w);
	return w->latency - known;
}

/*
 * No record shows when a waiting thread was moved. Assume that it waited for the CPU on which its
 * wait began, unless that CPU was idle: then it had been moved. Unknown time is not attributed to
 * any thread.
 */
static void find_instead(struct report_engine *e, struct report_wait *w)
{
	const struct engine_cpu *from = e->cpus[w->from_cpu];
	uint64_t unknown = from ? find_occupants(e, from, w) : w->latency;

	w->weight = w->thread ? weight_of(e, w->thread) : 0;
	if (w->cpu == w->from_cpu || !w->occupant_count || !w->occupants[0].thread->is_idle ||
	    w->occupants[0].ns <= unknown)
		return;
	w->occupant_count = 0;
	find_occupants(e, e->cpus[w->cpu], w);
}

int engine_worst_keep(struct report_engine *e, struct report_worst *worst,
		      const struct report_wait *wait)
{
	if (worst->count < e->options->worst) {
		if (array_grow(worst->heap, worst->count))
			return -ENOMEM;
		worst->heap[worst->count] = *wait;
		sift_up(worst->heap, worst->count++);
		return 0;
	}
	if (!is_worse(wait, &worst->heap[0]))
		return 0;
	worst->heap[0] = *wait;
	sift_down(worst->heap, worst->count);
	return 0;
}

int engine_worst(struct report_engine *e, struct report_worst *worst,
		 const struct report_wait *wait)
{
	struct report_wait w = *wait;

	e->looks += e->mark ? LOOKS_WAIT : LOOKS_FIRST;
	find_instead(e, &w);
	return engine_worst_keep(e, worst, &w);
}

/* Does a CPU still have its runs since @time? */
static bool has_runs_since(const struct engine_cpu *cpu, uint64_t time)
{
	return cpu && cpu->run_count &&
	       (cpu->run_count <= SCHED_RUNS || cpu->runs[cpu->run_count % SCHED_RUNS].from <= time);
}

/* Of the waits that are in the list in the end, look at all runs that there still are. */
static void complete(struct report_engine *e)
{
	struct report_wait *w, whole;
	uint64_t begin;
	size_t i;

	for (i = 0; i < e->report.worst_count; i++) {
		w = &e->worst.heap[i];
		begin = w->time - w->latency;
		if (!w->is_part || !has_runs_since(e->cpus[w->cpu], begin) ||
		    !has_runs_since(e->cpus[w->from_cpu], begin))
			continue;
		whole = *w;
		whole.occupant_count = 0;
		e->looks += 2 * (SCHED_RUNS + LOOKS_SORT * ENGINE_SHARERS);
		find_instead(e, &whole);
		whole.weight = w->weight;
		whole.stolen = w->stolen;
		whole.thief = w->thief;
		whole.thief_ns = w->thief_ns;
		*w = whole;
	}
}

static int by_badness(const void *a, const void *b)
{
	return is_worse(a, b) ? -1 : is_worse(b, a);
}

void engine_worst_sort(struct report_worst *worst)
{
	if (worst->count)
		qsort(worst->heap, worst->count, sizeof(*worst->heap), by_badness);
}

void engine_worst_drop_hidden(struct report_worst *worst)
{
	size_t i, count = worst->count;

	worst->count = 0;
	for (i = 0; i < count; i++)
		if (worst->heap[i].thread->is_shown)
			worst->heap[worst->count++] = worst->heap[i];
}

/* Join the lists of the threads shown, and the list from before each thread had its own. */
static int gather(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i, j, count;
	struct report_wait *all;

	engine_worst_drop_hidden(&e->worst);
	count = e->worst.count;
	for (i = 0; i < r->thread_count; i++)
		count += r->threads[i]->worst ? r->threads[i]->worst->count : 0;
	all = reallocarray(e->worst.heap, count + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	e->worst.heap = all;
	for (i = 0; i < r->thread_count; i++) {
		const struct report_worst *w = r->threads[i]->worst;

		for (j = 0; w && j < w->count; j++)
			e->worst.heap[e->worst.count++] = w->heap[j];
	}
	return 0;
}

/*
 * The record of the trigger comes at the end of the archive. If its wait is not among the worst,
 * search now for the threads that had the CPU.
 */
static int find_trigger(struct report_engine *e)
{
	struct report_wait *w = &e->report.trigger, *found;
	struct sched_thread *thread;
	struct sched_trigger t;

	if (!sched_model_trigger(e->model, &t))
		return 0;
	thread = sched_model_thread_at(e->model, t.thread, t.time);
	if (!thread && t.cause == FXT_SCHED_CAUSE_LATENCY)
		return 0;
	*w = (struct report_wait){
		.time = t.time, .kind = REPORT_WOKEN,
		.cpu = t.cpu, .from_cpu = t.cpu, .irq_cpu = REPORT_NO_CPU,
		.thread = thread ? engine_thread(e, thread) : NULL,
		.is_open = t.goes_on,
	};
	if (thread && !w->thread)
		return -ENOMEM;
	e->report.has_trigger = true;
	e->report.cause = t.cause;
	if (t.cause == FXT_SCHED_CAUSE_RUNNABLE)
		e->report.runnable = t.value;
	else
		w->latency = t.value;
	if (t.cause != FXT_SCHED_CAUSE_LATENCY)
		return 0;
	for (found = e->worst.heap; found < e->worst.heap + e->worst.count; found++) {
		if (found->time == w->time && found->thread == w->thread && !w->is_open) {
			*w = *found;
			return 0;
		}
	}
	if (e->cpus[t.cpu])
		find_instead(e, w);
	return 0;
}

int engine_worst_finish(struct report_engine *e)
{
	struct report *r = &e->report;

	if (e->by_thread && gather(e))
		return -ENOMEM;
	engine_worst_sort(&e->worst);
	r->worst = e->worst.heap;
	r->worst_count = e->worst.count < e->options->worst ? e->worst.count :
							      e->options->worst;
	complete(e);
	return find_trigger(e);
}
