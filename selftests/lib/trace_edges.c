// SPDX-License-Identifier: GPL-2.0-or-later
/* The marks at the beginning and the end of each stream. */
#include <inttypes.h>
#include <string.h>

#include "trace.h"

void trace_add_edge(struct trace *t, struct trace_edge *e, uint64_t offset,
		    const struct fxt_switch *sw)
{
	struct trace_stream *s = (void *)trace_stream(t, sw->cpu);

	*e = (struct trace_edge){ .offset = offset, .sw = *sw };
	if (!s)
		return;
	if (sw->unknown == FXT_STR_BEGIN)
		s->begin = s->begin.unknown ? s->begin : *sw;
	else if (sw->unknown == FXT_STR_END)
		s->end = *sw;
	else
		s->is_torn = true;
	e->ledgers = s->ledger_count;
	e->stored = s->stored;
	e->events = s->event_count;
	e->last = s->last;
}

static const char *fault_of_record(const struct trace_edge *e)
{
	const struct fxt_switch *sw = &e->sw;
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	uint64_t thread = is_begin ? sw->in : sw->out, other = is_begin ? sw->out : sw->in;
	int32_t weight = is_begin ? sw->in_weight : sw->out_weight;
	int32_t no_weight = is_begin ? sw->out_weight : sw->in_weight;
	uint32_t state = is_begin || !thread ? FXT_THREAD_NEW : FXT_SCHED_STATE_UNKNOWN;

	if (other || no_weight != FXT_SCHED_WEIGHT_IDLE)
		return "names two threads";
	if (thread ? weight == FXT_SCHED_WEIGHT_IDLE : weight != FXT_SCHED_WEIGHT_IDLE)
		return "has a weight that cannot be";
	return sw->state != state || sw->letter ? "has a state that cannot be" : NULL;
}

/* @before: the mark before it in its stream, NULL if there is none; @after likewise */
static const char *fault_of_place(const struct trace_stream *s, const struct trace_edge *e,
				  const struct trace_edge *before, const struct trace_edge *after)
{
	bool ends = fxt_mark_is_end(e->sw.unknown);
	bool follows = before && fxt_mark_is_end(before->sw.unknown);
	uint64_t until = after ? after->stored : s ? s->stored : 0;

	if (!s || !e->ledgers || (s->closed && e->ledgers >= s->ledger_count))
		return "is outside its stream";
	if (e->sw.time < e->last || (before && e->sw.time < before->sw.time))
		return "goes back in time";
	if (e->sw.unknown == FXT_STR_BEGIN && !follows && (before || e->stored))
		return "begins a stream in its midst";
	if (e->sw.unknown == FXT_STR_END && until != e->stored)
		return "ends a stream in its midst";
	if (ends && follows)
		return "ends what has ended";
	return NULL;
}

/* The switch next to the mark; NULL if there is none or records were lost in between. */
static const struct trace_event *beside(const struct trace_stream *s, const struct trace_edge *e)
{
	bool is_begin = fxt_mark_is_begin(e->sw.unknown);
	size_t i = e->events;

	while (is_begin ? i < s->event_count : i) {
		const struct trace_event *at = &s->events[is_begin ? i++ : --i];

		if (is_begin && at->after_loss)
			return NULL;
		if (!at->is_wakeup)
			return at;
		if (at->after_loss)
			return NULL;
	}
	return NULL;
}

static bool has_lost(const struct trace_stream *s)
{
	return s->closed && s->ledgers[s->ledger_count - 1].l.lost > s->opening.lost;
}

/*
 * The thread of the mark must be the one that the next switch switches out, or that the last one
 * switched in.
 */
static bool fits(const struct trace_stream *s, const struct trace_edge *e, const struct hidden *h)
{
	const struct trace_event *sw = beside(s, e);

	if (!sw || has_lost(s))
		return true;
	if (fxt_mark_is_begin(e->sw.unknown))
		return sw->sw.out == e->sw.in || hidden_has(h, e->sw.in);
	return sw->sw.in == e->sw.out || fxt_switch_hides_in(&sw->sw) || hidden_has(h, sw->sw.in);
}

static int check(const struct trace *t, size_t i, const struct hidden *h, struct why *why)
{
	const struct trace_edge *e = &t->edges[i], *before = NULL, *after = NULL;
	const struct trace_stream *s = trace_stream(t, e->sw.cpu);
	const char *fault = fault_of_record(e);

	for (size_t j = i; j-- && !before; )
		if (t->edges[j].sw.cpu == e->sw.cpu)
			before = &t->edges[j];
	for (size_t j = i + 1; j < t->edge_count && !after; j++)
		if (t->edges[j].sw.cpu == e->sw.cpu)
			after = &t->edges[j];
	fault = fault ? fault : fault_of_place(s, e, before, after);
	if (!fault && !fits(s, e, h))
		return complain(why, "byte %ju: the mark of CPU %u from %ju to %ju at %ju is of another thread than the switch beside it, from %ju to %ju at %ju",
				(uintmax_t)e->offset, e->sw.cpu, (uintmax_t)e->sw.out,
				(uintmax_t)e->sw.in, (uintmax_t)e->sw.time,
				(uintmax_t)beside(s, e)->sw.out, (uintmax_t)beside(s, e)->sw.in,
				(uintmax_t)beside(s, e)->sw.time);
	return fault ? complain(why, "byte %" PRIu64 ": the mark of CPU %u %s", e->offset,
				e->sw.cpu, fault) : 0;
}

/*
 * Check the marks of a whole stream. @has_all: no filter, loss or snapshot explains a missing mark
 */
static const char *fault_of_stream(const struct trace_stream *s, const struct hidden *h,
				   bool has_all)
{
	const struct fxt_switch *begin = &s->begin, *end = &s->end;

	if (begin->unknown && (s->opening.kind != FXT_LEDGER_OPENING ||
			       begin->time != s->opening.time))
		return "does not begin at the time of its opening ledger";
	if (end->unknown && s->closed && end->time != s->ledgers[s->ledger_count - 1].l.time)
		return "does not end at the time of its closing ledger";
	if (s->is_torn || has_lost(s))
		return NULL;
	if (!s->event_count && begin->unknown && end->unknown && begin->in != end->out &&
	    !hidden_has(h, begin->in))
		return "has no switch, but another thread at the end";
	if (has_all && !begin->unknown)
		return "lacks the mark at its begin";
	return has_all && !end->unknown ? "lacks the mark at its end" : NULL;
}

/* With a filter, a thread may be hidden; a snapshot may lack what happened before it. */
static bool shows_all(const struct trace *t)
{
	return !trace_lost(t) && !strstr(t->session, "\nfilter ") &&
	       !strstr(t->session, "\nsnapshot ");
}

int trace_check_edges(const struct trace *t, struct why *why)
{
	bool has_all = t->edge_count && shows_all(t);
	const struct trace_stream *s = t->streams;
	const char *fault = NULL;
	struct hidden h;
	int ret = 0;

	hidden_find(&h, t);
	for (size_t i = 0; i < t->edge_count && !ret; i++)
		ret = check(t, i, &h, why);
	for (; !ret && s < t->streams + t->stream_count; s++) {
		fault = s->id == FXT_LEDGER_STREAM_NAMES ? NULL : fault_of_stream(s, &h, has_all);
		if (fault)
			ret = complain(why, "the stream of CPU %u %s", s->id, fault);
	}
	return ret;
}
