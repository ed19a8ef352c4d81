// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * before.c - what threads did last before the range, for reports of the part. See cut.h.
 *
 * In: all records of the second walk, and the events before the range that they contain, in order.
 * Out: BLOBs (<fxt/fxt_before.h>) with the last events of each thread that has no CPU when the
 * range begins.
 * Must hold: what losses before the range hide is unknown in the part, too.
 */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "sched/model.h"
#include "terminal/memory.h"
#include "cut.h"

#define RUNS	32768U	/* before the range, that are kept of each CPU */
#define EVENTS	800	/* bytes of a BLOB */

/*
 * The last events of a thread: @left is 0 if there are none, @woken if it was not woken since.
 * Where kernels hide switches, it may have been switched in and never out: then its state is
 * unknown.
 */
struct last {
	uint64_t koid;
	uint64_t left;		/* ns */
	uint64_t woken;		/* ns */
	uint64_t waker;
	uint16_t left_cpu;
	uint16_t woken_cpu;
	char state;
	uint16_t irq_cpu;	/* plus 1 */
	uint8_t irq;
	bool by_idle;
};

/* A thread got a CPU; with @is_end, it left the CPU to an unknown thread. */
struct run {
	uint64_t koid;
	uint64_t ns : 63;
	uint64_t is_end : 1;
};

struct runs {
	uint64_t count;		/* ever */
	struct run ring[RUNS];
};

/* The last wakeup with a stack of a thread. */
struct waker {
	uint64_t ns;
	uint64_t stack;		/* number of the stack's record */
	uint64_t process;	/* koid of the thread whose stack it is */
};

struct cut_before {
	struct sched_model *model;
	struct runs *runs[1 << 16];	/* by CPU */
	uint64_t from;		/* ns */
	uint64_t gap_to;	/* ns, end of the latest loss before the range */
	struct last *all;
	size_t count;
	struct koids stacks;	/* by thread: place in @wakers */
	struct waker *wakers;
	size_t waker_count;
};

static struct last *last_of(struct cut_before *b, struct sched_thread *t)
{
	if (!t->user) {
		array_more(b->all, b->count);
		b->all[b->count] = (struct last){ .koid = t->koid };
		t->user = ++b->count;
	}
	return &b->all[t->user - 1];
}

/* @thread gets the CPU; with @is_end, it leaves the CPU to an unknown thread. */
static void add_run(struct cut_before *b, uint16_t cpu, const struct sched_thread *thread,
		    uint64_t ns, bool is_end)
{
	struct runs *r = b->runs[cpu];

	if (!r)
		r = b->runs[cpu] = new_zero(struct runs);
	r->ring[r->count++ % RUNS] = (struct run){ thread->koid, ns, is_end };
}

/* The thread that leaves is not the one that was switched in, so it is unknown who had the CPU. */
static void break_run(struct cut_before *b, const struct sched_step *s)
{
	struct runs *r = b->runs[s->cpu];
	struct run *last = r && r->count ? &r->ring[(r->count - 1) % RUNS] : NULL;

	if (!last || last->is_end || last->koid == s->out->koid)
		return;
	last->is_end = true;
	last->koid = r->count > 1 ? r->ring[(r->count - 2) % RUNS].koid : 0;
}

/* Note the last event of a thread; idle threads have none. */
static void set_last(struct cut_before *b, struct sched_thread *t, uint64_t ns, uint16_t cpu,
		     char state)
{
	struct last *l = t && t->koid ? last_of(b, t) : NULL;

	if (l)
		*l = (struct last){ .koid = t->koid, .left = ns, .left_cpu = cpu, .state = state };
}

static int note_step(void *arg, const struct sched_step *s)
{
	struct cut_before *b = arg;

	if (s->time >= b->from || s->is_late)
		return 0;
	break_run(b, s);
	add_run(b, s->cpu, s->in ? s->in : s->out, s->time, !s->in);
	set_last(b, s->out, s->time, s->cpu, s->state);
	set_last(b, s->in, s->time, s->cpu, SCHED_UNKNOWN);
	return 0;
}

static int note_waking(void *arg, const struct sched_waking *w)
{
	struct cut_before *b = arg;
	struct last *l;

	if (w->time >= b->from || !w->fits)
		return 0;
	l = last_of(b, w->thread);
	l->woken = w->time;
	l->woken_cpu = w->cpu;
	l->waker = w->waker ? w->waker->koid : 0;
	l->irq = w->irq;
	l->irq_cpu = w->irq_cpu + 1;
	l->by_idle = w->by_idle;
	return 0;
}

static int note_edge(void *arg, const struct sched_edge *edge)
{
	struct cut_before *b = arg;

	if (edge->time >= b->from)
		return 0;
	add_run(b, edge->cpu, edge->thread, edge->time, !edge->is_begin);
	set_last(b, edge->thread, edge->time, edge->cpu, SCHED_UNKNOWN);
	return 0;
}

static int note_gap(void *arg, const struct sched_gap *gap)
{
	struct cut_before *b = arg;

	if (gap->from < b->from && gap->to > b->gap_to)
		b->gap_to = gap->to;
	return 0;
}

static const struct sched_ops ops = {
	.step = note_step, .waking = note_waking, .edge = note_edge, .gap = note_gap,
};

/* --- the second walk ------------------------------------------------------------------- */

void cut_before_open(struct cut *c)
{
	if (!c->has_ledgers || c->from <= c->begun || c->from > c->last)
		return;
	c->before = new_zero(struct cut_before);
	c->before->from = c->from;
	c->before->model = sched_model_open(&ops, c->before, 0);
}

int cut_before_note(struct cut *c, struct fxt_reader *r, const struct fxt_record *rec)
{
	return c->before ? sched_model_record(c->before->model, r, rec) : 0;
}

size_t cut_before_hot(struct cut *c, const struct fxt_hot_run *run)
{
	return c->before ? sched_model_hot(c->before->model, run) : run->count;
}

/* Find or add the waker of a thread. */
static struct waker *waker_of(struct cut_before *b, uint64_t thread)
{
	uint64_t place = b->waker_count;

	if (!koids_get(&b->stacks, thread, &place)) {
		array_more(b->wakers, b->waker_count);
		koids_set(&b->stacks, thread, place);
		b->wakers[b->waker_count++] = (struct waker){ 0 };
	}
	return &b->wakers[place];
}

void cut_before_waking(struct cut *c, const struct fxt_record *rec,
		       const struct fxt_content *content)
{
	uint64_t ns = fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second);
	struct waker *waker;

	if (!c->before || ns >= c->from || !c->woken || content->wakeup.thread != c->woken)
		return;
	waker = waker_of(c->before, c->woken);
	/* The chunk of another CPU may come first. */
	if (ns >= waker->ns)
		*waker = (struct waker){ ns, c->woken_stack, c->woken_process };
}

/* If the thread still waits, its waker's stack is in the part. */
static void carry_stack(struct cut *c, const struct last *l)
{
	const struct cut_before *b = c->before;
	const struct waker *waker;
	uint64_t place;

	if (!l->woken || !koids_get(&b->stacks, l->koid, &place) ||
	    b->wakers[place].ns != l->woken)
		return;
	waker = &b->wakers[place];
	koids_set(&c->carried, waker->stack, 0);
	koids_set(&c->mapped, waker->process, 0);
	cut_occurs(c, waker->process, l->koid, UINT64_MAX);
}

static bool is_of_part(struct cut *c, const struct last *l)
{
	const struct filter *f = &c->filter;

	if (!l->left && !l->woken)
		return false;
	if (l->state == SCHED_UNKNOWN && !l->woken && c->runs_of[l->left_cpu].begin.kind &&
	    c->runs_of[l->left_cpu].begin.owner.thread == l->koid)
		return false;
	if (f->by_cpu && !filter_has_cpu(f, l->left ? l->left_cpu : l->woken_cpu))
		return false;
	return !f->pids.count || filter_thread_is_of(f, l->koid, UINT64_MAX);
}

int cut_before_finish(struct cut *c)
{
	struct cut_before *b = c->before;
	size_t i, count = 0;
	int ret;

	if (!b)
		return 0;
	ret = sched_model_finish(b->model);
	for (i = 0; i < b->count && !ret; i++) {
		if (!is_of_part(c, &b->all[i]))
			continue;
		b->all[count++] = b->all[i];
		cut_occurs(c, 0, b->all[i].koid, UINT64_MAX);
		if (b->all[i].waker)
			cut_occurs(c, 0, b->all[i].waker, UINT64_MAX);
		carry_stack(c, &b->all[i]);
	}
	b->count = count;
	return ret;
}

/* --- the part ---------------------------------------------------------------------------- */

struct event {
	uint64_t ns;
	uint64_t words[FXT_BEFORE_WORDS - 2];
	size_t number;		/* keeps the order of events at the same time */
};

struct events {
	struct event *all;
	size_t count;
};

static void add_event(struct events *e, uint64_t ns, uint64_t koid, uint64_t waker, uint64_t word)
{
	array_more(e->all, e->count);
	e->all[e->count] = (struct event){ ns, { koid, waker, word }, e->count };
	e->count++;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return array_order(x->ns, y->ns) ?: array_order(x->number, y->number);
}

/* Return: ns, the earliest begin of a wait that lasts into the part; else the begin of the part. */
static uint64_t add_threads(const struct cut_before *b, struct events *e)
{
	uint64_t since = b->from, waits;
	const struct last *l;

	for (l = b->all; l < b->all + b->count; l++) {
		waits = l->woken ? l->woken : l->state == '+' ? l->left : b->from;
		since = waits < since ? waits : since;
		if (l->left && l->state != SCHED_UNKNOWN)
			add_event(e, l->left, l->koid, 0,
				  fxt_before_word(l->left_cpu, l->state, 0, 0));
		if (l->woken)
			add_event(e, l->woken, l->koid, l->waker,
				  fxt_before_word(l->woken_cpu, 0, l->irq, l->by_idle) |
				  fxt_put(FXT_BEFORE_IRQ_CPU, l->irq_cpu));
	}
	return since;
}

/* Add the threads that had the CPU from @since on. */
static void add_runs(const struct runs *r, uint16_t cpu, uint64_t since, struct events *e)
{
	uint64_t i = r->count, first = r->count > RUNS ? r->count - RUNS : 0;

	while (i > first && (i == r->count || r->ring[i % RUNS].ns > since))
		i--;
	for (; i < r->count; i++) {
		const struct run *run = &r->ring[i % RUNS];

		add_event(e, run->ns, run->koid, 0, fxt_before_word(cpu, 0, 0, 0) |
			  fxt_put(FXT_BEFORE_RUN, run->is_end ? FXT_BEFORE_RUN_END :
								FXT_BEFORE_RUN_BEGIN));
	}
}

static void put_event(const struct cut_before *b, uint64_t *w, const struct event *e, uint64_t rate)
{
	const struct sched_thread *t = sched_model_thread(b->model, e->words[0]);

	w[0] = (unsigned __int128)e->ns * rate / 1000000000;
	memcpy(w + 1, e->words, sizeof(e->words));
	w[FXT_BEFORE_WORDS - 1] = t && t->koid && t->has_weight ? fxt_before_weight(t->weight) : 0;
}

static void write_blob(struct cut *c, const struct event *e, size_t count, uint64_t rate)
{
	uint64_t words[FXT_BEFORE_HEAD_WORDS + EVENTS * FXT_BEFORE_WORDS];
	uint64_t complete = sched_model_totals(c->before->model)->complete;
	struct fxt_content blob = {
		.kind = FXT_KIND_BLOB,
		.name = { .bytes = FXT_SCHED_BEFORE, .length = strlen(FXT_SCHED_BEFORE) },
		.blob_type = FXT_BLOB_DATA,
	};
	size_t i;

	complete = complete > c->before->gap_to ? complete : c->before->gap_to;
	words[0] = FXT_BEFORE_VERSION;
	words[1] = cut_ticks(c->from, rate);
	words[2] = complete < c->from ? cut_ticks(complete, rate) : words[1];
	for (i = 0; i < count; i++)
		put_event(c->before, words + FXT_BEFORE_HEAD_WORDS + i * FXT_BEFORE_WORDS, &e[i], rate);
	blob.blob = (struct fxt_bytes){
		words, (FXT_BEFORE_HEAD_WORDS + count * FXT_BEFORE_WORDS) * FXT_WORD,
	};
	blob.blob_held = blob.blob.bytes;
	rewrite_written(&c->f, fxt_writer_record(c->f.w, &blob));
}

/* If only some threads are kept, hide the others that had the CPU. */
static bool shows_cpu(const struct cut *c, uint16_t cpu)
{
	return !c->filter.pids.count && (!c->filter.by_cpu || filter_has_cpu(&c->filter, cpu));
}

/* These come after the runs of CPUs that have the same time. */
static void add_hidden(const struct cut_before *b, struct events *e)
{
	const struct last *l;

	for (l = b->all; l < b->all + b->count; l++)
		if (l->left && l->state == SCHED_UNKNOWN)
			add_event(e, l->left, l->koid, 0,
				  fxt_before_word(l->left_cpu, l->state, 0, 0));
}

/* Was another thread with its id born while the last thread of a CPU had it? */
static bool has_successor(const struct cut_before *b, const struct runs *r)
{
	const struct run *last = r->count ? &r->ring[(r->count - 1) % RUNS] : NULL;
	const struct sched_thread *t;

	if (!last || last->is_end || !last->koid)
		return false;
	t = sched_model_thread_at(b->model, last->koid, b->from);
	return t && t->before && t->begin > last->ns;
}

void cut_before_write(struct cut *c)
{
	const struct cut_before *b = c->before;
	uint64_t rate = c->first_provider.ticks_per_second, since;
	struct events e = { 0 };
	size_t i, n;

	if (!b || !rate)
		return;
	since = add_threads(b, &e);
	for (i = 0; i < 1 << 16; i++)
		if (b->runs[i] && shows_cpu(c, i) &&
		    (since < b->from || has_successor(b, b->runs[i])))
			add_runs(b->runs[i], i, since, &e);
	add_hidden(b, &e);
	if (e.count)
		qsort(e.all, e.count, sizeof(*e.all), by_time);
	i = 0;
	do {
		n = e.count - i < EVENTS ? e.count - i : EVENTS;
		write_blob(c, n ? e.all + i : NULL, n, rate);
		i += n;
	} while (i < e.count);
	free(e.all);
}

void cut_before_close(struct cut *c)
{
	size_t i;

	if (!c->before)
		return;
	for (i = 0; i < 1 << 16; i++)
		free(c->before->runs[i]);
	sched_model_close(c->before->model);
	koids_free(&c->before->stacks);
	free(c->before->wakers);
	free(c->before->all);
	free(c->before);
}
