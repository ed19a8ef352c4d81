// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * end.c - end of a recording while others in the same archive continue.
 *
 * In: closing ledgers, after which their streams have no more records.
 * Out: the end of all spans that are open there, and of the activity of each CPU. Later
 * activity of the threads is unknown, as is what they did before the recording began.
 * Must hold: a recording ends when it was stopped, as it does in an archive of its own, so that
 * a merge does not change its numbers.
 *
 * The threads themselves remain unchanged, for judge.c.
 */
#include "end.h"
#include "span.h"

void sched_find_end(struct sched_model *m, uint32_t provider)
{
	struct sched_stream *s;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (!s->has_ledger || s->provider != provider || s->id == FXT_LEDGER_STREAM_NAMES)
			continue;
		if (!s->is_closed)
			return;
		end = s->tail_ns > end ? s->tail_ns : end;
	}
	if (!end)
		return;
	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->has_ledger && s->provider == provider && s->id != FXT_LEDGER_STREAM_NAMES)
			s->recording_end = end;
	}
	m->next_end = end < m->next_end ? end : m->next_end;
}

static void end_cpu(struct sched_model *m, const struct sched_stream *s)
{
	struct sched_end end = { m->now, s->id };
	struct sched_cpu *cpu = m->cpus[s->id];
	int ret;

	if (!cpu)
		return;
	if (m->spans && cpu->current && !cpu->current->koid && !cpu->has_ended)
		sched_span_idle(m, cpu, SCHED_UNKNOWN);
	cpu->has_ended = true;
	ret = m->ops->end && !m->error ? m->ops->end(m->arg, &end) : 0;
	if (ret)
		m->error = ret;
}

/* End the threads that were last on one of its CPUs; no other recording has the same CPUs. */
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
