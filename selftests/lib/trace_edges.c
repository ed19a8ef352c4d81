// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace_edges.c - see trace.h: the marks at the beginning and the end of each stream.
 */
#include <inttypes.h>

#include "trace.h"

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
	if (!thread != (weight == FXT_SCHED_WEIGHT_IDLE))
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

/* The switch that comes next to the mark; NULL: none does, or records were lost between. */
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

/* The next switch must go out from the thread, or the last one have come to it. */
static bool fits(const struct trace_stream *s, const struct trace_edge *e, const struct hidden *h)
{
	const struct trace_event *sw = beside(s, e);

	if (!sw)
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
	size_t j;

	for (j = i; j-- && !before; )
		if (t->edges[j].sw.cpu == e->sw.cpu)
			before = &t->edges[j];
	for (j = i + 1; j < t->edge_count && !after; j++)
		if (t->edges[j].sw.cpu == e->sw.cpu)
			after = &t->edges[j];
	fault = fault ? fault : fault_of_place(s, e, before, after);
	if (!fault && !fits(s, e, h))
		fault = "is of another thread than the switch beside it";
	return fault ? complain(why, "byte %" PRIu64 ": the mark of CPU %u %s", e->offset,
				e->sw.cpu, fault) : 0;
}

int trace_check_edges(const struct trace *t, struct why *why)
{
	struct hidden h;
	int ret = 0;
	size_t i;

	hidden_find(&h, t);
	for (i = 0; i < t->edge_count && !ret; i++)
		ret = check(t, i, &h, why);
	hidden_free(&h);
	return ret;
}
