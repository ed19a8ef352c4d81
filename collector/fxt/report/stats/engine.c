// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * engine.c - makes run times, counts and latencies from the events of the model.
 *
 * Must hold: the running thread is known from a switch to the next one on that CPU, provided that
 * the next one switches the same thread out. After a switch whose incoming thread was filtered out,
 * it is unknown. A wait is known if all records of all CPUs from its beginning to its end are
 * there, because the thread may have run on any of them.
 */
#include <stdlib.h>

#include "internal.h"

/* --- waits ------------------------------------------------------------------------ */

static struct report_worst *worst_of(struct report_engine *e, struct report_thread *t)
{
	if (likely(!e->by_thread))
		return &e->worst;
	if (!t->worst)
		t->worst = arena_new(&e->arena, struct report_worst);
	return t->worst;
}

static __attribute__((noinline)) void add_worst(struct report_engine *e,
						struct report_worst *worst, uint16_t cpu,
						struct report_thread *t, uint64_t time,
						enum report_wait_kind kind, bool is_open)
{
	struct report_wait wait = {
		.time = time,
		.latency = time > t->since ? time - t->since : 0,
		.thread = t,
		.waker = t->wait - 1 == REPORT_WOKEN ? t->woken_by : NULL,
		.cpu = cpu,
		.irq = t->wait - 1 == REPORT_WOKEN ? t->irq : FXT_SCHED_IRQ_NONE,
		.irq_cpu = t->irq_cpu,
		.by_idle = t->wait - 1 == REPORT_WOKEN && t->by_idle,
		.from_cpu = t->wait_cpu,
		.kind = kind,
		.is_open = is_open,
		.turn = t->account.last,
	};

	engine_worst_keep(e, worst, &wait);
}

/*
 * Did the thread wait although its CPU was idle for most of the time? This is known only if it ran
 * on that CPU in the end; otherwise it may have been moved at once, without a record.
 */
static __attribute__((noinline)) bool is_held(const struct report_engine *e,
					      const struct report_thread *t, uint16_t cpu,
					      uint64_t time)
{
	uint64_t idle = engine_idle_until(e->cpus[cpu], time);

	if (cpu != t->wait_cpu || idle < t->idle_before + REPORT_HELD_MIN)
		return false;
	return idle - t->idle_before > (time - t->since) / 2;
}

/*
 * Count a wait for one CPU while another was idle. Short waits do not count, because the kernel
 * needs some time to notice an idle CPU. The CPU with most of these waits is kept.
 */
static __attribute__((noinline)) void note_crowd(struct report_engine *e,
						 struct report_thread *t, uint16_t cpu,
						 uint64_t time)
{
	uint64_t own = engine_idle_until(e->cpus[cpu], time) - t->idle_before;
	uint64_t ns = engine_free(e, time) - t->free_before;

	if (cpu != t->wait_cpu || ns <= own)
		return;
	ns -= own;
	if (t->crowd_cpu == cpu) {
		t->crowd_ns += ns;
	} else if (t->crowd_ns >= ns) {
		t->crowd_ns -= ns;
	} else {
		t->crowd_cpu = cpu;
		t->crowd_ns = ns - t->crowd_ns;
	}
}

/* Buckets are rarely in the first cache: prefetch them, and count a few waits later. */
static inline void add_latency(struct report_engine *e, struct report_hist *h, uint64_t latency)
{
	struct engine_latency *l = &e->latencies[e->next_latency++ % ENGINE_LATENCIES];

	report_hist_sum(h, latency);
	report_hist_prefetch(h, latency);
	if (likely(l->hist))
		report_hist_count(l->hist, l->ns);
	*l = (struct engine_latency){ h, latency };
}

static void count_latencies(struct report_engine *e)
{
	const struct engine_latency *l;

	for (l = e->latencies; l < e->latencies + ENGINE_LATENCIES; l++)
		if (l->hist)
			report_hist_count(l->hist, l->ns);
}

static inline void count_wait(struct report_engine *e, uint16_t cpu, struct report_thread *t,
			      uint64_t time, enum report_wait_kind kind, bool is_open)
{
	uint64_t latency = time > t->since ? time - t->since : 0;
	struct report_worst *worst = worst_of(e, t);
	struct report_waits *w;

	w = likely(t->waits[kind]) ? t->waits[kind] : engine_waits(e, &t->waits[kind]);
	if (unlikely(latency > w->hist.max || !w->hist.count)) {
		w->max_time = time;
		w->max_cpu = cpu;
		w->max_is_open = is_open;
	}
	if (unlikely(is_open))
		w->open++;
	add_latency(e, &w->hist, latency);
	if (unlikely(engine_is_worst(worst, latency)))
		add_worst(e, worst, cpu, t, time, kind, is_open);
}

static inline void end_wait(struct report_engine *e, uint16_t cpu, struct report_thread *t,
			    uint64_t time, bool is_open)
{
	enum report_wait_kind kind = t->wait - 1;

	if (unlikely(kind == REPORT_EARLY)) {
		t->n.unknown++;
	} else if (unlikely(time > t->since && time - t->since >= REPORT_HELD_MIN)) {
		if (is_held(e, t, cpu, time))
			kind = REPORT_HELD;
		else
			note_crowd(e, t, cpu, time);
	}
	count_wait(e, cpu, t, time, kind, is_open);
}

static __attribute__((noinline)) struct report_waker *add_waker(struct report_engine *e,
								struct report_thread *t)
{
	struct report_waker *w, *least;

	if (t->waker_count < REPORT_WAKERS) {
		arena_more(&e->arena, t->wakers, t->waker_count);
		return &t->wakers[t->waker_count++];
	}
	for (least = w = t->wakers; w < t->wakers + REPORT_WAKERS; w++)
		least = w->count < least->count ? w : least;
	least->over = least->count;
	return least;
}

/*
 * A new waker takes over the counter of the least frequent one ("space saving"). So a waker of more
 * than one in REPORT_WAKERS of the wakeups is certain to have a counter.
 */
static inline void note_waker(struct report_engine *e, struct report_thread *t,
			      const struct report_thread *waker, uint8_t irq, uint64_t slept)
{
	struct report_waker *w = t->wakers;
	unsigned int i;

	for (i = 0; i < t->waker_count; i++) {
		if (w[i].thread != waker || w[i].irq != irq)
			continue;
		w[i].count++;
		w[i].slept += slept;
		return;
	}
	w = add_waker(e, t);
	w->thread = waker;
	w->irq = irq;
	w->count++;
	w->slept = slept;
}

/* --- events ----------------------------------------------------------------------- */

/* The thread is on the run queue of @cpu from now on. */
static inline void begin_wait(struct report_engine *e, struct report_thread *t,
			      enum report_wait_kind kind, uint64_t time, uint16_t cpu)
{
	t->wait = kind + 1;
	t->since = time;
	t->wait_cpu = cpu;
	t->idle_before = engine_idle_until(e->cpus[cpu], time);
	t->free_before = engine_free(e, time);
	if (e->placement)
		engine_placement_begin(e, t, time, kind == REPORT_WOKEN);
}

/* Does the archive have all records of all CPUs since the thread began to wait? */
static inline bool is_known(const struct report_engine *e, const struct report_thread *t)
{
	return t->wait && t->since >= e->gap_to &&
	       t->since >= e->report.totals.archive->complete;
}

/* Nobody saw when the thread got its CPU. It waited at least until it was moved. */
static __attribute__((cold, noinline)) void end_unseen(struct report_engine *e,
						       struct report_thread *t)
{
	/* end_selection() has counted those that were not over then. */
	if (!e->has_ended && t->moved > t->since && t->wait - 1 != REPORT_EARLY && is_known(e, t) &&
	    engine_counts(e, t->moved, t->wait_cpu))
		count_wait(e, t->wait_cpu, t, t->moved, t->wait - 1, false);
}

static void switch_out(struct report_engine *e, struct report_thread *t,
		       const struct sched_step *s, bool is_counted)
{
	bool is_preempted = s->state == '+', is_dead = s->state == 'X' || s->state == 'Z';

	t->is_seen = true;
	t->n.preempted += is_counted & is_preempted;
	if (unlikely(t->placed))
		engine_placement_end(e, t, s->time, REPORT_NO_CPU);
	if (unlikely(t->wait && !s->is_late))
		end_unseen(e, t);
	t->wait = 0;
	t->sleep = 0;
	if (!is_preempted & !is_dead)
		engine_sleep_begin(t, s);
	if (is_preempted & !s->is_late)
		begin_wait(e, t, REPORT_PREEMPTED, s->time, s->cpu);
	engine_off_begin(t, s);
	/* The thread that gets this id next has no CPU yet. */
	t->last_cpu = is_dead ? REPORT_NO_CPU : s->cpu;
}

static void switch_in(struct report_engine *e, struct report_thread *t, const struct sched_step *s,
		      bool is_counted)
{
	t->is_seen = true;
	if (unlikely(t->sleep))
		engine_sleep_lost(e, t, s);
	if (is_counted) {
		t->n.migrations += t->last_cpu != s->cpu && t->last_cpu != REPORT_NO_CPU;
		if (is_known(e, t) && !s->is_late)
			end_wait(e, s->cpu, t, s->time, false);
		else
			t->n.unknown++;
	}
	if (e->placement)
		engine_placement_end(e, t, s->time, s->cpu);
	t->wait = 0;
	t->last_cpu = s->cpu;
	if (t->off.state)
		engine_off_end(e, t, s);
}

/* Count the waits, for @cpu or (REPORT_NO_CPU) for any, that are not over at @time (ns). */
static void waits_open(struct report_engine *e, uint16_t cpu, uint64_t time)
{
	struct report_thread *t;
	size_t i = 0;

	while ((t = engine_next_thread(e, &i))) {
		if (!t->wait || t->since >= time || !engine_counts(e, time, t->wait_cpu) ||
		    (cpu != REPORT_NO_CPU && t->wait_cpu != cpu))
			continue;
		if (is_known(e, t))
			end_wait(e, t->wait_cpu, t, time, true);
		else
			t->n.unknown++;
		if (cpu != REPORT_NO_CPU)
			t->wait = 0;
	}
}

/* At the first event after the selected time, count open waits and sleeps before it ends them. */
static __attribute__((cold, noinline)) void end_selection(struct report_engine *e)
{
	e->has_ended = true;
	waits_open(e, REPORT_NO_CPU, e->to);
	engine_sleep_cut(e, REPORT_NO_CPU, e->to);
}

static inline void advance(struct report_engine *e, uint64_t time)
{
	if (unlikely(time > e->to && !e->has_ended))
		end_selection(e);
}

/* Get the last turn of a thread into the cache, for the account. */
static inline void prefetch_turn(const struct report_engine *e, const struct report_thread *t)
{
	if (likely(e->history && t && t->account.last))
		__builtin_prefetch(history_turn(e->history, t->account.last), 1);
}

static void note_step(struct report_engine *e, const struct sched_step *s)
{
	bool is_counted = engine_counts(e, s->time, s->cpu);
	struct report_thread *in, *out;
	struct sched_spell spell;
	struct engine_cpu *cpu;

	advance(e, s->time);
	cpu = engine_cpu(e, s->cpu, s->time);
	in = likely(s->in) ? engine_thread(e, s->in) : NULL;
	out = engine_thread(e, s->out);
	if (in && in->wait)
		__builtin_prefetch(in->waits[in->wait - 1], 1);
	prefetch_turn(e, in);
	spell = sched_usage_switch(&cpu->usage, s);
	engine_spell(e, cpu, &spell);
	cpu->c.switches += is_counted;
	out->n.switches += is_counted;
	engine_load(e, cpu, in, s->time);
	if (!out->is_idle)
		switch_out(e, out, s, is_counted);
	if (likely(in) && !in->is_idle)
		switch_in(e, in, s, is_counted);
}

/* ns of the selected time that the thread has slept, if that is known. */
static inline uint64_t slept_until(const struct report_engine *e, const struct report_thread *t,
				   uint64_t time)
{
	uint64_t from = t->since > e->from ? t->since : e->from;

	return t->sleep && t->since >= e->gap_to && from < time ? time - from : 0;
}

static void note_waking(struct report_engine *e, const struct sched_waking *w)
{
	struct report_thread *t = engine_thread(e, w->thread), *waker = NULL;

	if (t->sleep)
		__builtin_prefetch(t->sleeps[t->sleep - 1], 1);
	prefetch_turn(e, t);
	advance(e, w->time);
	if (w->waker)
		waker = engine_thread(e, w->waker);
	if (engine_counts(e, w->time, w->cpu)) {
		t->n.wakeups++;
		if (waker || w->irq)
			note_waker(e, t, waker, w->irq, slept_until(e, t, w->time));
		if (waker && waker->team) {
			if (unlikely(!t->team))
				engine_team(e, t);
			waker->team->inner += waker->team == t->team;
		}
	}
	if (waker)
		waker->is_seen = true;
	if (!likely(w->fits))
		return;
	engine_sleep_end(e, t, w, waker);
	begin_wait(e, t, REPORT_WOKEN, w->time, w->cpu);
	t->woken_by = waker;
	t->irq = w->irq;
	t->irq_cpu = w->irq_cpu;
	t->by_idle = w->by_idle;
	t->off.woken = w->time;
}

/* Like a gap without an end; other CPUs stay known. */
static void note_end(struct report_engine *e, const struct sched_end *end)
{
	struct engine_cpu *cpu = e->cpus[end->cpu];

	advance(e, end->time);
	if (!cpu)
		return;
	if (!e->has_ended)
		waits_open(e, end->cpu, end->time);
	engine_cpu_leave(e, cpu, end->time);
	engine_sleep_cut(e, end->cpu, end->time);
}

static void count_gap(struct report_engine *e, const struct sched_gap *gap)
{
	advance(e, gap->from);
	engine_count_gap(e, gap);
}

static void note_edge(struct report_engine *e, const struct sched_edge *edge)
{
	struct report_thread *t = edge->is_begin ? engine_thread(e, edge->thread) : NULL;

	advance(e, edge->time);
	if (t && t->wait && !edge->is_late)
		end_unseen(e, t);
	engine_note_edge(e, edge);
}

static void count_slice(struct report_engine *e, const struct sched_slice *slice)
{
	if (slice->origin->what == KERNEL_SYSCALL)
		engine_count_call(e, slice);
	else if (slice->origin->what == KERNEL_LOCK)
		engine_count_lock(e, slice);
	else if (slice->origin->what == KERNEL_MEMORY)
		engine_count_memory(e, slice);
	else
		engine_count_slice(e, slice);
}

/* --- other events ------------------------------------------------- */

static void count_exit(struct report_engine *e, const struct sched_moment *m)
{
	e->report.kernel.exits++;
	if (!m->origin)
		return;
	e->report.kernel.failed_exits++;
	engine_origin(e, m->origin)->count++;
}

static void note_moment(struct report_engine *e, const struct sched_moment *m)
{
	if (m->what == KERNEL_RUN_QUEUE || m->what == KERNEL_PELT)
		engine_note_load(e, m);
	else if (m->what == KERNEL_STACK)
		engine_add_stack(e, m);
	else if (m->what == KERNEL_STEAL)
		engine_note_steal(e, m, engine_counts(e, m->time, m->cpu));
	else if (m->what == KERNEL_SAMPLE)
		engine_add_sample(e, m);
	else if (!engine_counts(e, m->time, m->cpu))
		return;
	else if (m->what == KERNEL_IPI)
		engine_count_ipi(e, m);
	else if (m->what == KERNEL_EXIT)
		count_exit(e, m);
	else if (m->what == KERNEL_PRIORITY)
		engine_note_priority(e, m);
	else if (m->what == KERNEL_SIGNAL)
		engine_count_signal(e, m);
	else if (m->what == KERNEL_FORK)
		engine_thread(e, m->thread)->n.forks++;
}

static int note_quota(void *arg, struct sched_quota *quota)
{
	engine_note_quota(arg, quota);
	return 0;
}

static void count_anomaly(void *arg, const struct sched_anomaly *f)
{
	struct report_engine *e = arg;

	if (!f->violation)
		return;
	e->report.totals.violations += f->count;
	if (f->kind != SCHED_UNNAMED)
		e->report.totals.contradictions += f->count;
}

/* --- the account, and an observer ------------------------------------------------------- */

/*
 * Events go to the account after they are counted: there, a wait ends when it is counted here. An
 * observer sees those that overlap the selected time.
 */
#define TAKE(kind, take)							\
	static int on_##kind(void *arg, const struct sched_##kind *event)	\
	{									\
		struct report_engine *e = arg;					\
										\
		take(e, event);							\
		return e->history ? history_ops.kind(e->history, event) : 0;	\
	}
#define SHOW(kind, take, from_, to_)						\
	static int on_##kind(void *arg, const struct sched_##kind *event)	\
	{									\
		const struct report_watch *watch;				\
		struct report_engine *e = arg;					\
		int ret = 0;							\
										\
		take(e, event);							\
		watch = e->options->watch;					\
		if (watch && watch->kind && event->to_ >= e->from && event->from_ <= e->to)	\
			ret = watch->kind(watch->arg, event);			\
		return ret || !e->history ? ret : history_ops.kind(e->history, event);	\
	}
TAKE(piece, engine_count_piece)
TAKE(waking, note_waking)
TAKE(edge, note_edge)
TAKE(end, note_end)
SHOW(slice, count_slice, from, to)
SHOW(move, engine_count_move, time, time)
SHOW(moment, note_moment, time, time)
SHOW(gap, count_gap, from, to)
SHOW(request, engine_count_request, issued, to)

/* The incoming thread is rarely unknown. */
static int on_step(void *arg, const struct sched_step *s)
{
	struct report_engine *e = arg;
	const struct report_watch *watch = e->options->watch;

	note_step(e, s);
	if (unlikely(!s->in) && watch && watch->hidden && engine_counts(e, s->time, s->cpu))
		watch->hidden(watch->arg, s);
	return e->history ? history_ops.step(e->history, s) : 0;
}

static int on_frequency(void *arg, const struct sched_frequency *f)
{
	struct report_engine *e = arg;
	const struct report_watch *watch = e->options->watch;

	engine_note_frequency(e, f);
	return watch && watch->frequency && f->time >= e->from && f->time <= e->to ?
	       watch->frequency(watch->arg, f) : 0;
}

static int show_span(void *arg, const struct sched_span *span)
{
	struct report_engine *e = arg;

	if (span->to < e->from || span->from > e->to)
		return 0;
	return e->options->watch->span(e->options->watch->arg, span);
}

/* A thread that was runnable before its first event waits at least since its recording began. */
static int note_sight(void *arg, const struct sched_sight *s)
{
	struct report_engine *e = arg;
	const struct report_watch *watch = e->options->watch;
	struct report_thread *t = engine_thread(e, s->thread);
	struct sched_sight since = *s;
	const struct history_turn *turn;
	int ret;

	if (!e->history || t->account.last)
		return 0;
	ret = history_ops.sight(e->history, s);
	if (ret || !t->account.last)
		return ret;
	turn = history_turn(e->history, t->account.last);
	if (turn->begin == HISTORY_SEEN && s->cpu != REPORT_NO_CPU) {
		t->is_seen = true;
		begin_wait(e, t, REPORT_EARLY, turn->ready, s->cpu);
	}
	since.time = turn->begin == HISTORY_SEEN ? turn->ready : turn->to;
	return watch && watch->sight ? watch->sight(watch->arg, &since) : 0;
}

static void make_thread(void *arg, struct sched_thread *sched)
{
	engine_thread(arg, sched);
}

static void open_account(struct report_engine *e)
{
	if (!e->options->only_sums)
		e->history = history_attach(e->model, make_thread, e,
					    offsetof(struct report_thread, account));
}

static void finish_account(struct report_engine *e)
{
	e->report.history = e->history;
	if (!e->history)
		return;
	history_complete(e->history);
	account_open(&e->account, e->history, e->options->worst, true);
}

static void close_account(struct report_engine *e)
{
	account_close(&e->account);
	history_close(e->history);
}

/* --- the archive ------------------------------------------------------------------ */

static const struct sched_ops ops = {
	.slice = on_slice,
	.piece = on_piece,
	.move = on_move,
	.frequency = on_frequency,
	.moment = on_moment,
	.request = on_request,
	.quota = note_quota,
	.step = on_step,
	.waking = on_waking,
	.sight = note_sight,
	.edge = on_edge,
	.gap = on_gap,
	.end = on_end,
	.anomaly = count_anomaly,
};

struct report_engine *report_open(const struct report_options *options)
{
	struct report_engine *e = new_zero(struct report_engine);
	const struct filter *f = &options->filter;

	e->options = options;
	e->ops = ops;
	e->ops.span = options->watch && options->watch->span ? show_span : NULL;
	e->from = f->from.set ? f->from.ns : 0;
	e->to = f->to.set ? f->to.ns : UINT64_MAX;
	e->is_narrow = f->from.set || f->to.set || f->by_cpu;
	slices_begin(&e->slices, f);
	e->slices.is_drawn = options->watch;
	e->by_thread = filter_selects_threads(f);
	engine_kernel_open(e);
	e->model = sched_model_open(&e->ops, e, 0);
	open_account(e);
	e->report.totals.archive = sched_model_totals(e->model);
	return e;
}

void report_close(struct report_engine *e)
{
	if (!e)
		return;
	engine_kernel_close(e);
	engine_signals_free(e);
	engine_locks_free(e);
	engine_requests_free(e);
	engine_stacks_free(e);
	engine_waits_free(e);
	close_account(e);
	slices_free(&e->slices);
	sched_model_close(e->model);
	arena_free(&e->arena);
	free(e);
}

int report_next(struct report_engine *e, struct fxt_reader *r, struct fxt_record *rec)
{
	e->report.totals.reader = fxt_reader_totals(r);
	return sched_model_next(e->model, r, rec);
}

/* An archive of our producers has ledgers even if it has no switch. */
static bool has_scheduling(const struct report_engine *e)
{
	const struct sched_totals *a = e->report.totals.archive;

	return a->switches || a->wakeups || a->ledgers;
}

int report_record(struct report_engine *e, struct fxt_reader *r,
		  const struct fxt_record *rec)
{
	struct fxt_content content;
	int ret;

	if (!has_scheduling(e))
		slices_record(&e->slices, r, rec);
	if (rec->kind == FXT_KIND_PROVIDER_EVENT && !fxt_reader_content(r, rec, &content))
		e->report.totals.buffer_full += content.event == FXT_PROVIDER_EVENT_BUFFER_FULL;
	ret = sched_model_record(e->model, r, rec);
	if (unlikely(e->report.totals.archive->command && !e->options->filter.is_all))
		e->by_thread = true;
	/* Of a part, only what happens inside it counts. */
	if (unlikely(e->report.totals.archive->begins > e->from)) {
		e->from = e->report.totals.archive->begins;
		e->is_narrow = true;
	}
	return ret;
}

/* Depends on which threads are shown. */
static void finish_scope(struct report_engine *e, const struct filter *asked)
{
	engine_find_scope(e, asked);
	engine_calls_finish(e);
	engine_kernel_finish(e);
	engine_signals_finish(e);
	engine_locks_finish(e);
	engine_memory_finish(e);
	engine_sum(e);
	engine_priorities_finish(e);
	engine_stacks_finish(e);
}

int report_finish(struct report_engine *e)
{
	int ret = sched_model_finish(e->model);
	uint64_t last = sched_model_totals(e->model)->last;

	if (ret)
		return ret;
	if (!e->has_ended)
		waits_open(e, REPORT_NO_CPU, earlier(last, e->to));
	count_latencies(e);
	engine_cpus_finish(e, last);
	e->report.topology = sched_model_topology(e->model);
	engine_levels_finish(e, last);
	engine_placement_finish(e, last);
	engine_quotas_finish(e);
	finish_account(e);
	engine_sleep_finish(e, last);
	engine_ipis_finish(e);
	engine_requests_finish(e);
	if (!has_scheduling(e)) {
		e->report.slices = &e->slices;
		slices_finish(&e->slices);
	}
	e->unscoped = e->report;
	finish_scope(e, &e->options->filter);
	return 0;
}

void report_widen(struct report_engine *e)
{
	static const struct filter everyone = { .is_all = true };

	e->report = e->unscoped;
	finish_scope(e, &everyone);
}

const struct report *report_of(const struct report_engine *e)
{
	return &e->report;
}
