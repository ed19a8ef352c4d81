// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edge.c - see edge.h.
 *
 * In: marks (<fxt/fxt_mark.h>), the first and the closing ledger of each stream, and its first
 * switch.
 * Out: which thread has a CPU from the beginning of its stream, and until its end, as events
 * that edge_apply.c applies.
 * Must hold: a mark of the beginning precedes all records of its stream, a mark of the end
 * follows all but slices that end later; no ledger counts a mark; the thread is that of the
 * switch next to it.
 *
 * Without a mark, the first switch names the thread that had the CPU since the stream began,
 * unless records were lost or filtered out. So an event for that waits at the head of the
 * stream. It has no thread until that switch comes, and none if that does not come in time.
 */
#include <errno.h>
#include <inttypes.h>

#include "edge.h"
#include "findings.h"
#include "order.h"
#include "stream.h"

/* --- streams ------------------------------------------------------------------------ */

/* Return: NULL without memory. */
static struct sched_event *queue(struct sched_model *m, struct sched_stream *s,
				 enum sched_event_kind kind, uint64_t offset, uint64_t ns)
{
	struct sched_event *e = sched_order_room(m, s);

	if (!e)
		return NULL;
	*e = (struct sched_event){
		.time = ns > s->tail_ns ? ns : s->tail_ns, .offset = offset, .cpu = s->id,
		.kind = kind, .state = SCHED_UNKNOWN,
	};
	sched_queue_added(s, e->time);
	return e;
}

void sched_stream_begins(struct sched_model *m, struct sched_stream *s, uint64_t ns,
			 uint32_t kind)
{
	if (s->id == FXT_LEDGER_STREAM_NAMES || m->filter.threads || s->tail_ns)
		return;
	if (kind == FXT_LEDGER_OPENING)
		ns = s->opened;
	else if (kind != FXT_LEDGER_HEAD)
		return;
	s->first_run = queue(m, s, SCHED_EVENT_BEGIN, s->ledger_offset, ns);
}

void sched_first_run(struct sched_stream *s, uint64_t ns, const struct fxt_switch *sw)
{
	struct sched_event *e = s->first_run;

	s->first_run = NULL;
	if (e->time >= ns || sw->cpu != s->id)
		return;
	e->a = sw->out;
	e->weight = sw->out_weight;
	e->has_weight = sw->has_out_weight;
	e->has_b = true;
}

void sched_stream_ends(struct sched_model *m, struct sched_stream *s, uint64_t ns)
{
	if (fxt_mark_is_end(s->mark) && s->in != SCHED_NOBODY)
		sched_tell(m, SCHED_MARK, true, 1, s->ledger_offset, ns,
			   "cpu %u: switches follow the mark of its end", s->id);
	if (s->id != FXT_LEDGER_STREAM_NAMES)
		queue(m, s, SCHED_EVENT_END, s->ledger_offset, ns);
}

/* --- marks in --------------------------------------------------------------------------- */

/* What no producer can have written. */
static const char *fault_of_record(const struct fxt_switch *sw)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	uint8_t state = is_begin || !sw->out ? FXT_THREAD_NEW : FXT_SCHED_STATE_UNKNOWN;

	if (is_begin ? sw->out : sw->in)
		return "a mark names two threads";
	if (!sched_weight_is_sane(sw->out, sw->out_weight) || !sw->has_out_weight)
		return "the outgoing weight cannot be";
	if (!sched_weight_is_sane(sw->in, sw->in_weight) || !sw->has_in_weight)
		return "the incoming weight cannot be";
	return sw->state != state || sw->letter ? "the outgoing state of a mark cannot be" : NULL;
}

/* A mark that begins the stream, or goes on where another part of the recording ended. */
static const char *fault_of_place(const struct sched_stream *s, uint8_t kind)
{
	bool follows = fxt_mark_is_end(s->mark) && s->mark_stored == s->stored;

	if (!s->has_ledger || s->is_closed)
		return "a mark is outside its stream";
	if (kind == FXT_STR_BEGIN && !follows && (s->mark || s->stored != s->base))
		return "records precede the mark of its beginning";
	if (fxt_mark_is_end(kind) && follows)
		return "two marks of its end follow each other";
	return NULL;
}

static void check(struct sched_model *m, const struct fxt_record *rec,
		  const struct fxt_switch *sw, const struct sched_stream *s, uint64_t ns)
{
	const char *fault = fault_of_record(sw);

	if (fault)
		sched_tell(m, SCHED_RECORD, true, 1, rec->offset, ns, "cpu %u: %s", sw->cpu, fault);
	fault = fault_of_place(s, sw->unknown);
	if (fault)
		sched_tell(m, SCHED_MARK, true, 1, rec->offset, ns, "cpu %u: %s", sw->cpu, fault);
	if (sw->time < s->last_ticks)
		sched_tell(m, SCHED_TIME_BACK, true, 1, rec->offset, ns,
			   "cpu %u: time goes back by %" PRIu64 " ns, to a mark", sw->cpu,
			   fxt_ticks_to_ns(s->last_ticks - sw->time,
					   rec->provider->ticks_per_second));
}

int sched_take_edge(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_switch *sw)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	uint64_t ns = fxt_ticks_to_ns(sw->time, rec->provider->ticks_per_second);
	struct sched_stream *s = sched_stream_get(m, sw->cpu);
	struct sched_event *e;

	if (!s)
		return -ENOMEM;
	if (!m->cpus[sw->cpu])
		sched_cpu_add(m, sw->cpu);
	check(m, rec, sw, s, ns);
	if (is_begin && !s->mark && ns > m->marked)
		m->marked = ns;
	if (is_begin)
		s->first_run = NULL;
	else if (s->first_run)
		sched_first_run(s, ns, sw);
	s->before_mark = s->mark && s->stored == s->mark_stored ? s->before_mark : s->last_ticks;
	s->last_ticks = sw->time > s->last_ticks ? sw->time : s->last_ticks;
	s->mark_stored = s->stored;
	s->mark = sw->unknown;
	s->in = is_begin ? s->in : SCHED_NOBODY;
	e = m->error ? NULL : queue(m, s, is_begin ? SCHED_EVENT_BEGIN : SCHED_EVENT_END,
				    rec->offset, ns);
	if (!e)
		return m->error;
	e->a = is_begin ? sw->in : sw->out;
	e->weight = is_begin ? sw->in_weight : sw->out_weight;
	e->has_weight = is_begin ? sw->has_in_weight : sw->has_out_weight;
	e->mark = sw->unknown;
	e->has_b = true;
	return 0;
}
