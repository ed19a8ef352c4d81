// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - finds which thread has a CPU where consecutive switches do not show it.
 *
 * In, in the order of time: switches that switch out a thread other than the one switched in;
 * beginnings and ends of streams (streams.c); switches and wakeups that hide something
 * (<fxt/fxt_unknown.h>); closing ledgers of a recording, if the archive has others that end later.
 * Out: the thread that each CPU runs or ran; threads and CPUs whose state is unknown; misfits; the
 * end of all open spans where a recording ends. What its threads do after it, and did before it, is
 * unknown.
 * Must hold: a recording ends when it was stopped, as in an archive of its own, so that a merge
 * does not change its numbers.
 *
 * Threads keep their states where a recording ends, for anomalies.c.
 */
#include "data.h"
#include "anomalies.h"
#include "queue.h"
#include "threads.h"

/* --- switches that contradict one another ------------------------------------------------ */

void sched_leave_unknown(struct sched_model *m, struct sched_cpu *cpu, bool is_refuted)
{
	struct sched_thread *t = cpu->current;

	if (m->spans && !t->koid && !is_refuted)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	if (t->koid && t->state == SCHED_RUNNING && t->cpu == cpu->number) {
		if (m->spans && !is_refuted)
			sched_span_next(m, t, SCHED_UNKNOWN, SCHED_UNKNOWN, SCHED_NO_CPU);
		t->is_refuted = is_refuted;
		t->state = SCHED_UNKNOWN;
	}
	cpu->current = NULL;
}

struct sched_thread *sched_break_chain(struct sched_model *m, struct sched_cpu *cpu,
				       const struct sched_event *e)
{
	struct sched_thread *out = sched_thread_get(&m->threads, e->a), *before = cpu->current;

	if (e->kind == SCHED_EVENT_SWITCH && e->a && e->a == e->b && !out->before)
		sched_report_itself(m, e);
	if (sched_reuse_out(out, before, e))
		out = out->before;
	sched_find_coming(m, e);
	out->is_ended = false;
	if (before == out && cpu->koid == SCHED_NOBODY) {
		cpu->koid = e->a;
		m->hidden_until = e->time;
		return out;
	}
	if (before) {
		sched_misfit(m, SCHED_CHAIN, e, out, before);
		sched_leave_unknown(m, cpu, true);
		return out;
	}
	if (out->koid && out->state != SCHED_UNKNOWN)
		sched_misfit(m, SCHED_CHAIN, e, out, NULL);
	m->hidden_until = e->time;
	return out;
}

/* --- beginnings and ends ----------------------------------------------------------------- */

static void report_edge(struct sched_model *m, const struct sched_event *e, struct sched_thread *t,
			bool is_late)
{
	struct sched_edge edge = {
		.time = e->time, .thread = t, .cpu = e->cpu,
		.is_begin = e->kind == SCHED_EVENT_BEGIN,
		.is_online = e->mark == FXT_STR_ONLINE || e->mark == FXT_STR_OFFLINE,
		.is_late = is_late,
	};

	sched_report(m, edge, &edge);
}

/* May the thread have got the CPU before the recording began? */
static bool may_begin(const struct sched_thread *t)
{
	return !t->koid || t->state == SCHED_UNKNOWN || sched_is_runnable(t->state);
}

/* Report a thread that is known to be on another CPU or asleep. */
static void check_begin(struct sched_model *m, const struct sched_event *e,
			struct sched_cpu *cpu, struct sched_thread *t)
{
	if (cpu->current) {
		sched_misfit(m, SCHED_CHAIN, e, t, cpu->current);
		sched_leave_unknown(m, cpu, false);
	} else if (!may_begin(t)) {
		sched_misfit(m, t->state == SCHED_RUNNING ? SCHED_TWO_CPUS : SCHED_NOT_WOKEN, e,
			     t, NULL);
	}
}

static void begin_cpu(struct sched_model *m, const struct sched_event *e, struct sched_cpu *cpu,
		      struct sched_thread *t, bool is_late)
{
	/* The CPU is already known: another part of the recording ended here. */
	if (cpu->current && cpu->koid == e->a)
		return;
	if (e->mark == FXT_STR_ONLINE)
		sched_find_coming(m, e);
	/* If anything known of the thread contradicts this, it is judged with the switch. */
	if (!e->mark && (is_late || cpu->current || (t->koid && t->state != SCHED_UNKNOWN)))
		return;
	if (!is_late)
		check_begin(m, e, cpu, t);
	report_edge(m, e, t, is_late);
	if (t->last_event <= e->time || !t->koid) {
		if (e->mark) {
			t->had_cpu |= !t->last_offset;
			sched_touch(t, e);
		}
		if (m->spans && t->koid)
			sched_span_next(m, t, SCHED_UNKNOWN, SCHED_RUNNING, e->cpu);
		t->by_mark = true;
		t->state = t->on_state;
		t->at_end = false;
		t->cpu = t->queue = e->cpu;
		t->weight = e->weight;
		t->has_weight = e->has_weight;
	}
	cpu->current = t;
	cpu->koid = e->mark ? e->a : SCHED_NOBODY;
	cpu->since = cpu->covered = e->time;
	cpu->offset = e->mark ? e->offset : 0;
	cpu->shown = m->now;
	cpu->by_mark = true;
	cpu->has_ended = false;
}

static void leave_cpu(struct sched_model *m, const struct sched_event *e, struct sched_cpu *cpu,
		      bool is_late)
{
	struct sched_thread *t = cpu->current;

	if (!t || cpu->koid != e->a)
		t = sched_break_chain(m, cpu, e);
	else if (e->mark == FXT_STR_OFFLINE && sched_is_stopper(t, e->cpu))
		sched_find_going(m, cpu);
	sched_touch(t, e);
	report_edge(m, e, t, is_late);
	if (m->spans && t->koid)
		sched_span_end(m, t);
	else if (m->spans && cpu->current)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	if (sched_runs_on(t, e->cpu)) {
		t->state = SCHED_UNKNOWN;
		t->at_end = true;
	}
	cpu->current = NULL;
	cpu->has_ended = true;
}

static bool is_continued(const struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e)
{
	const struct sched_block *block = s->head;
	const struct sched_event *next = sched_queue_after(m, s, &block, e);

	return next && next->kind == SCHED_EVENT_BEGIN && next->has_b && next->a == e->a &&
	       next->time == e->time;
}

/*
 * A thread had a CPU before a part. Reports of waits need this. If the CPU still has a thread of
 * that id where the part begins, it is this one, not one that was born meanwhile.
 */
static void apply_run_before(struct sched_model *m, const struct sched_event *e,
			     struct sched_cpu *cpu, bool is_late)
{
	struct sched_thread *t = sched_thread_get(&m->threads, e->a);

	report_edge(m, e, t, is_late);
	cpu->before = e->kind == SCHED_EVENT_BEGIN ? t : NULL;
	if (!cpu->before || !t->koid)
		return;
	t->had_cpu |= !t->last_offset;
	sched_touch(t, e);
}

void sched_apply_edge(struct sched_model *m, struct sched_stream *s,
		      const struct sched_event *e, bool is_late)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *t;

	if (unlikely(e->time < m->begins)) {
		apply_run_before(m, e, cpu, is_late);
		return;
	}
	if (!e->has_b) {
		s->first_run = NULL;
		return;
	}
	t = cpu->before && cpu->before->koid == e->a && e->kind == SCHED_EVENT_BEGIN ?
	    sched_life_stays(m, cpu->before) : sched_thread_get(&m->threads, e->a);
	cpu->before = NULL;
	if (e->kind == SCHED_EVENT_BEGIN)
		begin_cpu(m, e, cpu, t, is_late);
	else if (!cpu->current || cpu->current != t || !is_continued(m, s, e))
		leave_cpu(m, e, cpu, is_late);
}

/* --- recordings that end before others --------------------------------------------------- */

static void end_cpu(struct sched_model *m, const struct sched_stream *s)
{
	struct sched_end end = { m->now, s->id };
	struct sched_cpu *cpu = m->cpus[s->id];

	if (!cpu)
		return;
	if (m->spans && cpu->current && !cpu->current->koid && !cpu->has_ended)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	cpu->has_ended = true;
	sched_report(m, end, &end);
}

/* End the threads that were last on a CPU of the recording; no other recording has these CPUs. */
static void end_threads(struct sched_model *m, uint64_t end)
{
	struct sched_thread *t;
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		t = m->threads.list[i];
		if (t->is_open && m->streams[t->cpu] && m->streams[t->cpu]->recording_end == end)
			sched_span_end(m, t);
	}
}

void sched_end_recordings(struct sched_model *m, uint64_t time)
{
	struct sched_stream *s;
	uint64_t end, next;
	size_t i;

	while ((end = m->next_end) < time) {
		m->now = end > m->now ? end : m->now;
		next = UINT64_MAX;
		for (i = 0; i < m->stream_count; i++) {
			s = m->stream_list[i];
			if (s->recording_end == end)
				end_cpu(m, s);
			else if (s->recording_end > end && s->recording_end < next)
				next = s->recording_end;
		}
		if (m->spans)
			end_threads(m, end);
		m->next_end = next;
	}
}

/* --- what a record hides ----------------------------------------------------------------- */

void sched_apply_leave(struct sched_model *m, const struct sched_event *e, bool is_late)
{
	struct sched_cpu *cpu = m->cpus[e->cpu];
	struct sched_thread *out = cpu->current;
	struct sched_step step = {
		.time = e->time, .out_weight = e->has_out_weight ? e->out_weight : 0,
		.cpu = e->cpu, .state = e->state, .is_late = is_late,
	};

	if (!out || cpu->koid != e->a)
		out = sched_break_chain(m, cpu, e);
	/* A thread that the kernel hides is also not seen leaving. */
	if (e->time >= m->begins || e->state != SCHED_UNKNOWN)
		out->switches++;
	step.out = out;
	sched_report(m, step, &step);
	if (!e->a && cpu->current && m->spans)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	cpu->current = NULL;
	if (!e->a || (is_late && out->last_event > e->time))
		return;
	sched_touch(out, e);
	if (e->has_out_weight) {
		out->weight = e->out_weight;
		out->has_weight = true;
	}
	if (m->spans)
		sched_span_next(m, out, e->state, e->state, e->cpu);
	out->state = e->state;
	if (sched_is_dead(e->state))
		sched_life_left(m, out);
}

void sched_wake_unknown(struct sched_model *m, struct sched_thread *t)
{
	if (t->state == SCHED_RUNNING)
		return;
	if (m->spans && t->state != SCHED_UNKNOWN)
		sched_span_next(m, t, SCHED_UNKNOWN, SCHED_UNKNOWN, SCHED_NO_CPU);
	t->state = SCHED_UNKNOWN;
	t->is_woken = true;
}
