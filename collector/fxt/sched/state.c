// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * state.c - applies events to CPUs and threads.
 *
 * In: events in the order of time.
 * Out: run times and counts in the threads, spans, and misfits. The rules: on each CPU the thread
 * that is switched out is the one that was switched in; a thread is switched in only when it is
 * runnable, on one CPU; it is woken only when it is not runnable.
 */
#include "data.h"
#include "anomalies.h"
#include "queue.h"
#include "threads.h"

#define MAX_DEPTH	3	/* depth of events that wait for others */
#define LOOK_STREAMS	64	/* streams searched for a matching event, and events in each */
#define LOOK_EVENTS	64

static const bool is_ready[256] = {
	['R'] = true, ['+'] = true, [SCHED_UNKNOWN] = true,
};

static const bool is_away[256] = {
	['S'] = true, ['D'] = true, ['I'] = true, ['T'] = true, ['t'] = true,
	['P'] = true, ['Z'] = true, ['X'] = true, [SCHED_UNKNOWN] = true,
};

static bool thread_is_ready(const struct sched_thread *t)
{
	return is_ready[(unsigned char)t->state];
}

static bool thread_is_away(const struct sched_thread *t)
{
	return is_away[(unsigned char)t->state];
}

/* --- events of other streams within a clock step ------------------------------- */

static bool event_names(const struct sched_event *e, uint64_t koid)
{
	return e->kind != SCHED_EVENT_GAP && e->kind != SCHED_EVENT_KERNEL &&
	       (e->a == koid || (e->kind == SCHED_EVENT_SWITCH && e->b == koid));
}

static bool event_helps(const struct sched_event *e, const struct sched_thread *t)
{
	if (e->kind == SCHED_EVENT_WAKEUP)
		return thread_is_away(t);
	if (t->state == SCHED_RUNNING)
		return e->a == t->koid && e->cpu == t->cpu;
	return e->b == t->koid && thread_is_ready(t);
}

/* How many events of a stream must be applied for the thread's event to fit; 0: none helps. */
static unsigned int events_that_help(const struct sched_model *m, const struct sched_stream *s,
				     const struct sched_thread *t, uint64_t until)
{
	const struct sched_event *e = sched_queue_head(s);
	const struct sched_block *block = s->head;
	unsigned int n;

	for (n = 1; e && e->time <= until && n <= LOOK_EVENTS; n++) {
		if (event_names(e, t->koid))
			return event_helps(e, t) ? n : 0;
		e = sched_queue_after(m, s, &block, e);
	}
	return 0;
}

/* Apply the first event of a stream, regardless of its time. */
static void apply_first(struct sched_model *m, struct sched_stream *s)
{
	m->is_reordered = true;
	sched_apply(m, s, sched_queue_head(s));
	sched_queue_advance(m, s);
}

/* @e does not fit the state of @t: is there an event that must come before it? */
static bool bring_forward(struct sched_model *m, struct sched_stream *s,
			  const struct sched_event *e, const struct sched_thread *t)
{
	uint64_t until = e->time + SCHED_CLOCK_STEP;
	struct sched_stream *other;
	unsigned int n = 0, looks = 0;
	size_t i;

	if (m->depth == MAX_DEPTH || until < e->time)
		return false;
	for (i = 0; i < m->heap_count && looks < LOOK_STREAMS && !n; i++) {
		other = m->heap[i].stream;
		if (other == s || other->is_busy || m->heap[i].time > until)
			continue;
		n = events_that_help(m, other, t, until);
		looks++;
	}
	if (!n)
		return false;
	m->depth++;
	s->is_busy = true;
	while (n-- && !m->error)
		apply_first(m, other);
	s->is_busy = false;
	m->depth--;
	return true;
}

/* --- threads ------------------------------------------------------------------- */

static struct sched_thread *get_thread(struct sched_model *m, uint64_t koid)
{
	return sched_thread_get(&m->threads, koid);
}

/* Returns the thread that is switched in. */
static __attribute__((cold, noinline)) struct sched_thread *
switch_in_unready(struct sched_model *m, struct sched_stream *s,
		  const struct sched_event *e, struct sched_thread *t)
{
	/* An event applied early may have given the id to another thread. */
	while (!thread_is_ready(t) && bring_forward(m, s, e, t))
		t = get_thread(m, e->b);
	if (thread_is_ready(t) || (sched_is_dead(t->state) && sched_reused(m, t, t->cpu)))
		return t;
	if (e->a == e->b && t->cpu == e->cpu)
		return sched_follow_itself(m, e, t);
	if (t->state == SCHED_RUNNING) {
		sched_misfit(m, SCHED_TWO_CPUS, e, t, NULL);
		return t;
	}
	sched_misfit(m, SCHED_NOT_WOKEN, e, t, NULL);
	if (sched_is_dead(t->state))
		t = sched_life_again(m, t);
	t->is_missed = true;
	return t;
}

/* Returns the thread that is woken. */
static __attribute__((cold, noinline)) struct sched_thread *
wake_unfit(struct sched_model *m, struct sched_stream *s,
	   const struct sched_event *e, struct sched_thread *t)
{
	/* If records of the thread may be lost, these explain it. */
	while (!thread_is_away(t) && t->last_event > m->gap_to && bring_forward(m, s, e, t))
		t = get_thread(m, e->a);
	if (!thread_is_away(t))
		sched_misfit(m, t->state == SCHED_RUNNING ? SCHED_WOKEN_RUNNING :
							    SCHED_WOKEN_RUNNABLE,
			     e, t, NULL);
	return t;
}

/* --- callbacks for each event ----------------------------------------------------- */

static inline void report_step(struct sched_model *m, const struct sched_event *e,
			       struct sched_thread *out, struct sched_thread *in,
			       bool is_late)
{
	struct sched_step step = {
		.time = e->time,
		.out = out,
		.in = in,
		.out_weight = e->has_out_weight ? e->out_weight : 0,
		.cpu = e->cpu,
		.state = e->state,
		.is_late = is_late,
	};

	sched_report(m, step, &step);
}

static struct sched_thread *interrupted_thread(struct sched_model *m, const struct sched_event *e)
{
	return e->irq && e->b ? sched_thread_find(&m->threads, e->b) : NULL;
}

/*
 * The CPU of the interrupt is the one that runs the interrupted thread. If a CPU was idle, it is
 * unknown, because the wakeup may have been handed to another CPU, which recorded it.
 */
static uint16_t interrupted_cpu(struct sched_model *m, const struct sched_event *e,
				const struct sched_thread *t)
{
	/* Before a part, the thread that ran there is not always known. */
	if (unlikely(e->time < m->begins))
		return e->irq_cpu - 1;
	return t && t->state == SCHED_RUNNING ? t->cpu : SCHED_NO_CPU;
}

static inline void report_waking(struct sched_model *m, const struct sched_event *e,
				 struct sched_thread *t, struct sched_thread *waker,
				 bool fits)
{
	struct sched_thread *interrupted = interrupted_thread(m, e);
	struct sched_waking waking = {
		.time = e->time,
		.thread = t,
		.waker = waker,
		.interrupted = interrupted,
		.weight = e->has_weight ? e->weight : 0,
		.cpu = e->cpu,
		.irq = e->irq,
		.irq_cpu = e->irq ? interrupted_cpu(m, e, interrupted) : SCHED_NO_CPU,
		.by_idle = e->by_idle,
		.fits = fits,
	};

	sched_report(m, waking, &waking);
}

/* --- switches ------------------------------------------------------------------- */

static void switch_spans(struct sched_model *m, struct sched_cpu *cpu,
			 const struct sched_event *e, struct sched_thread *out,
			 struct sched_thread *in)
{
	if (e->a)
		sched_span_next(m, out, e->state, e->state, e->cpu);
	else if (cpu->current)
		sched_span_idle(m, cpu, e->state);
	if (e->b)
		sched_span_next(m, in, SCHED_UNKNOWN, SCHED_RUNNING, e->cpu);
	cpu->shown = m->now;
	cpu->by_mark = false;
	cpu->has_ended = false;
}

/* Set the weights after ending the states, which had the earlier weights. */
static inline void set_weights(const struct sched_event *e, struct sched_thread *out,
			       struct sched_thread *in)
{
	if (likely(e->has_out_weight)) {
		out->weight = e->out_weight;
		out->has_weight = true;
	}
	in->weight = e->weight;
	in->has_weight = e->has_weight;
}

static inline void apply_switch(struct sched_model *m, struct sched_stream *s,
				const struct sched_event *e)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *in = get_thread(m, e->b), *out;

	if (unlikely(in->overlaps))
		in = sched_reuse_in(m, s, e, in);
	out = cpu->current;
	if (unlikely(!out || cpu->koid != e->a))
		out = sched_break_chain(m, cpu, e);
	if (unlikely(!thread_is_ready(in)))
		in = switch_in_unready(m, s, e, in);
	out->switches++;
	sched_touch(out, e);
	sched_touch(in, e);
	if (unlikely(s->nest) && cpu->current)
		sched_nest_left(s, cpu->current, cpu->since, e->time);
	if (m->ops->step)
		report_step(m, e, out, in, false);
	if (unlikely(m->spans))
		switch_spans(m, cpu, e, out, in);
	set_weights(e, out, in);
	if (likely(!sched_is_dead(e->state)) || sched_runs_on(out, e->cpu) ||
	    !sched_reused(m, out, e->cpu))
		out->state = e->state;
	if (unlikely(sched_is_dead(e->state)))
		sched_life_left(m, out->overlaps ? sched_reuse_dies(out) : out);
	in->state = in->on_state;
	in->cpu = e->cpu;
	in->queue = e->cpu;
	cpu->current = in;
	cpu->koid = e->b;
	cpu->since = e->time;
	cpu->offset = e->offset;
}

static __attribute__((noinline)) void apply_run(struct sched_model *m, const struct sched_event *e)
{
	struct sched_run run = {
		.time = e->time, .until = e->until, .busy = e->busy, .cpu = e->cpu,
		.in = get_thread(m, e->in),
	};
	struct sched_cpu *cpu = m->cpus[e->cpu];

	run.out = cpu->current;
	if (!run.out || cpu->koid != e->a)
		run.out = sched_break_chain(m, cpu, e);
	sched_report(m, run, &run);
	cpu->current = run.in;
	cpu->koid = e->in;
	cpu->since = e->until;
}

/* Change only threads without later events. */
static __attribute__((cold, noinline)) void
apply_late_switch(struct sched_model *m, const struct sched_event *e)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *in = sched_life_at(get_thread(m, e->b), e->time);
	struct sched_thread *out = sched_life_at(get_thread(m, e->a), e->time);

	if (cpu->current && cpu->current != out)
		sched_misfit(m, SCHED_CHAIN, e, out, cpu->current);
	out->switches++;
	report_step(m, e, out, in, true);
	if (m->spans && cpu->current && !cpu->current->koid)
		sched_span_idle(m, cpu, out->koid ? SCHED_UNKNOWN : e->state);
	cpu->shown = m->now;
	cpu->by_mark = false;
	if (e->a && out->last_event <= e->time) {
		sched_touch(out, e);
		if (m->spans)
			sched_span_next(m, out, e->state, e->state, e->cpu);
		out->state = e->state;
	}
	if (e->b && in->last_event <= e->time) {
		sched_touch(in, e);
		if (m->spans)
			sched_span_next(m, in, SCHED_UNKNOWN, SCHED_RUNNING, e->cpu);
		in->state = SCHED_RUNNING;
		in->cpu = e->cpu;
	}
	cpu->current = in;
	cpu->koid = e->b;
	cpu->since = e->time;
	cpu->offset = e->offset;
}

/* --- wakeups -------------------------------------------------------------------- */

/* Is it known since when the thread has its CPU, if it has one? */
static bool is_since_known(const struct sched_model *m, const struct sched_thread *t)
{
	const struct sched_cpu *cpu = m->cpus[t->cpu];

	return t->state != SCHED_RUNNING || !cpu || cpu->since != cpu->covered;
}

static void wake_span(struct sched_model *m, const struct sched_event *e,
		      struct sched_thread *t, struct sched_thread *waker)
{
	struct sched_thread *hit = interrupted_thread(m, e);

	sched_span_next(m, t, SCHED_UNKNOWN, 'R', e->cpu);
	t->irq = e->irq;
	t->by_idle = e->by_idle;
	if (e->irq) {
		t->waker = hit && is_since_known(m, hit) ? hit : NULL;
		t->waker_cpu = interrupted_cpu(m, e, hit);
		return;
	}
	t->waker = waker;
	t->waker_cpu = waker && waker->state == SCHED_RUNNING ? waker->cpu : SCHED_NO_CPU;
}

/* The CPU may have no switch or no stream so far. */
static __attribute__((cold, noinline)) void
wake_unknown(struct sched_model *m, const struct sched_stream *s,
	     const struct sched_event *e, struct sched_thread *waker)
{
	const struct sched_cpu *cpu = NULL;

	if (s->id < sizeof(m->cpus) / sizeof(m->cpus[0]))
		cpu = m->cpus[s->id];
	waker->first_offset = waker->last_offset = e->offset;
	waker->begin = waker->is_forked ? waker->begin : e->time;
	waker->woke_early = !cpu || !cpu->offset;
}

static inline void apply_wakeup(struct sched_model *m, struct sched_stream *s,
				const struct sched_event *e, bool is_late)
{
	struct sched_thread *t = get_thread(m, e->a), *waker = NULL;

	if (unlikely(is_late))
		t = sched_life_at(t, e->time);
	if (e->has_b) {
		waker = get_thread(m, e->b);
		if (unlikely(waker->overlaps) && waker->state != SCHED_RUNNING &&
		    waker->before->state == SCHED_RUNNING)
			waker = waker->before;
		if (unlikely(!waker->last_offset))
			wake_unknown(m, s, e, waker);
	}
	if (unlikely(!t->koid || (is_late && t->last_event > e->time))) {
		report_waking(m, e, t, waker, false);
		return;
	}
	if (unlikely(!thread_is_away(t)) && !is_late)
		t = wake_unfit(m, s, e, t);
	if (unlikely(sched_is_dead(t->state)) && !is_late)
		t = sched_life_again(m, t);
	t->is_ended = false;
	sched_touch(t, e);
	if (unlikely(t->has_stack))
		sched_pair_wakeup(m, t);
	if (unlikely(e->state == SCHED_UNKNOWN)) {
		report_waking(m, e, t, waker, false);
		sched_wake_unknown(m, t);
		return;
	}
	/* A thread that is never switched out is hidden when it goes to sleep. */
	if (unlikely(!thread_is_away(t)) && !(t->state == SCHED_RUNNING && !t->switches)) {
		report_waking(m, e, t, waker, false);
		return;
	}
	report_waking(m, e, t, waker, !is_late && thread_is_away(t));
	if (unlikely(m->spans))
		wake_span(m, e, t, waker);
	t->weight = e->weight;
	t->has_weight = e->has_weight;
	t->state = 'R';
	/* The record of sched_waking has the CPU where the thread ran last. */
	t->queue = m->totals.has_wakings && !m->totals.has_all_moves ? SCHED_NO_CPU : e->cpu;
	t->is_woken = true;
	t->is_missed = false;
}

/* --- gaps ----------------------------------------------------------------------- */

static __attribute__((cold, noinline)) void
apply_gap(struct sched_model *m, const struct sched_event *e)
{
	const struct sched_gap gap = { e->time, e->a, e->b, e->cpu };
	struct sched_cpu *cpu = m->cpus[e->cpu];

	sched_report(m, gap, &gap);
	if (e->a > m->gap_to)
		m->gap_to = e->a;
	if (cpu && cpu->current)
		sched_leave_unknown(m, cpu, false);
	sched_requests_forget(m);
}

void sched_apply(struct sched_model *m, struct sched_stream *s,
		 const struct sched_event *e)
{
	bool is_late = false;

	if (unlikely(e->time > m->next_end))
		sched_end_recordings(m, e->time);
	/* A thread that has a CPU at an edge was born before. */
	if (unlikely(e->time >= m->name_due))
		sched_names_due(m, e->time - (sched_is_edge(e) && e->time));
	if (unlikely(e->time < m->now)) {
		if (e->kind == SCHED_EVENT_GAP) {
			apply_gap(m, e);
			return;
		}
		is_late = m->now - e->time > SCHED_CLOCK_STEP;
		if (is_late && !sched_is_edge(e))
			sched_late(m, e);
	} else {
		m->now = e->time;
	}
	if (unlikely(e->time < m->totals.first) && e->kind != SCHED_EVENT_GAP &&
	    e->time >= m->begins)
		m->totals.first = e->time;
	if (e->kind == SCHED_EVENT_SWITCH) {
		if (unlikely(is_late))
			apply_late_switch(m, e);
		else
			apply_switch(m, s, e);
	} else if (e->kind == SCHED_EVENT_WAKEUP) {
		apply_wakeup(m, s, e, is_late);
	} else if (e->kind == SCHED_EVENT_RUN) {
		apply_run(m, e);
	} else if (e->kind == SCHED_EVENT_LEAVE) {
		sched_apply_leave(m, e, is_late);
	} else if (e->kind == SCHED_EVENT_KERNEL) {
		sched_apply_event(m, s, e, is_late);
	} else if (sched_is_edge(e)) {
		sched_apply_edge(m, s, e, is_late);
	} else {
		apply_gap(m, e);
	}
}
