// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules within each stream. */
#include <inttypes.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "trace.h"

/* The largest weight of the fair class: nice -20. */
#define FAIR_WEIGHT_MAX	88761

enum weights { LOADS, PRIORITIES, NONE };

static enum weights weights_of(const struct trace *t)
{
	if (strstr(t->session, "\nweight none\n"))
		return NONE;
	return strstr(t->session, "\nweight prio\n") ? PRIORITIES : LOADS;
}

static bool weight_is_sane(uint64_t tid, bool has_weight, int32_t weight, enum weights weights)
{
	if (!tid || (has_weight && weight == FXT_SCHED_WEIGHT_IDLE))
		return has_weight && !tid && weight == FXT_SCHED_WEIGHT_IDLE;
	if (!has_weight || weights == NONE)
		return !has_weight && weights == NONE;
	if (weights == PRIORITIES)
		return weight >= -1 && weight < 140;
	return (weight >= 2 && weight <= FAIR_WEIGHT_MAX) ||
	       (weight >= FXT_SCHED_WEIGHT_RT && weight <= FXT_SCHED_WEIGHT_RT + 99) ||
	       weight == FXT_SCHED_WEIGHT_DL;
}

static bool state_is_sane(const struct fxt_switch *sw)
{
	switch (sw->state) {
	case FXT_THREAD_NEW:
	case FXT_THREAD_DYING:
	case FXT_THREAD_DEAD:
		return !sw->letter;
	case FXT_THREAD_BLOCKED:
		return !sw->letter || strchr("DI", sw->letter);
	case FXT_THREAD_SUSPENDED:
		return !sw->letter || strchr("tP", sw->letter);
	}
	return false;
}

/* Check what a filter hides: the outgoing thread's state, or the incoming thread as well. */
static const char *fault_of_hiding(const struct fxt_switch *sw)
{
	bool hides_state = sw->state == FXT_SCHED_STATE_UNKNOWN;

	if (sw->unknown != FXT_STR_FILTERED || (!hides_state && !fxt_switch_hides_in(sw)))
		return "hides something that no filter does";
	if (sw->letter || (sw->out ? sw->state < FXT_THREAD_DYING : hides_state))
		return "has a state beside what it hides";
	return NULL;
}

static const char *fault_of_switch(const struct fxt_switch *sw, uint32_t stream,
				   enum weights weights)
{
	if (sw->cpu != stream)
		return "is in the stream of another CPU";
	if (!sw->out && !sw->in && !fxt_switch_hides_in(sw))
		return "has the idle thread on both sides";
	if (!weight_is_sane(sw->out, sw->has_out_weight, sw->out_weight, weights))
		return "has an outgoing weight that cannot be";
	if (!weight_is_sane(sw->in, sw->has_in_weight, sw->in_weight, weights))
		return "has an incoming weight that cannot be";
	if (sw->unknown)
		return fault_of_hiding(sw);
	if (!state_is_sane(sw))
		return "has a state that cannot be";
	if (!sw->out && sw->state != FXT_THREAD_NEW)
		return "lets the idle thread sleep";
	return NULL;
}

static const char *fault_of_wakeup(const struct fxt_wakeup *w, enum weights weights)
{
	if (!w->thread)
		return "wakes the idle thread";
	if (w->unknown ? w->weight != FXT_SCHED_WEIGHT_IDLE :
			 !weight_is_sane(w->thread, w->has_weight, w->weight, weights))
		return "has a weight that cannot be";
	/* No thread woke it: an interrupt did, or the idle thread. */
	if (w->has_waker ? !w->waker || w->has_irq || w->has_interrupted :
			   w->has_interrupted && (!w->has_irq || !w->interrupted))
		return "has a waker that cannot be";
	if (w->has_irq && !w->irq)
		return "has an interrupt that cannot be";
	return NULL;
}

int trace_check_records(const struct trace *t, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	enum weights weights = weights_of(t);
	const char *fault;

	trace_for_each_event(t, s, e) {
		fault = e->is_wakeup ? fault_of_wakeup(&e->wakeup, weights) :
				       fault_of_switch(&e->sw, s->id, weights);
		if (fault)
			return complain(why, "byte %" PRIu64 ": %s of %" PRIu64 " on CPU %u %s",
					e->offset, e->is_wakeup ? "wakeup" : "switch",
					e->is_wakeup ? e->wakeup.thread : e->sw.out, s->id, fault);
		if (e > s->events && e->time < e[-1].time)
			return complain(why, "byte %" PRIu64 ": CPU %u: time goes back by %" PRIu64,
					e->offset, s->id, e[-1].time - e->time);
	}
	for (s = t->streams; s < t->streams + t->stream_count; s++)
		if (s->backwards)
			return complain(why, "byte %" PRIu64 ": CPU %u: time goes back",
					s->backwards, s->id);
	return trace_check_extras(t, why);
}

static int check_sequence(const struct trace_stream *s,
			  const struct trace_ledger *l, uint32_t *next, struct why *why)
{
	uint32_t expected = *next;

	switch (l->l.kind) {
	case FXT_LEDGER_OPENING:
		*next = l->l.sequence;
		return 0;
	case FXT_LEDGER_HEAD:
		(*next)++;
		break;
	case FXT_LEDGER_CONTINUED:
		expected = *next - 1;
		break;
	case FXT_LEDGER_CLOSING:
		break;
	default:
		return complain(why, "byte %" PRIu64 ": stream %u: ledger of kind %u",
				l->offset, s->id, l->l.kind);
	}
	if (l->l.sequence == expected)
		return 0;
	return complain(why, "byte %" PRIu64 ": stream %u: ledger of kind %u has sequence %u, not %u",
			l->offset, s->id, l->l.kind, l->l.sequence, expected);
}

/* The record before a ledger and the one after it, by their offsets. */
static int check_ledger_times(const struct trace_stream *s,
			      const struct trace_ledger *l, struct why *why)
{
	uint64_t last = l->before ? l->before : s->opening.last;

	if (s->id == FXT_LEDGER_STREAM_NAMES)
		return 0;
	if (l->l.kind != FXT_LEDGER_CONTINUED && l->l.last != last)
		return complain(why, "byte %" PRIu64 ": CPU %u: the ledger says that the last record was at %" PRIu64 ", it was at %" PRIu64,
				l->offset, s->id, (uint64_t)l->l.last, last);
	if (l->l.kind == FXT_LEDGER_HEAD && l->l.time != l->after)
		return complain(why, "byte %" PRIu64 ": CPU %u: the ledger says that the next record is at %" PRIu64 ", it is at %" PRIu64,
				l->offset, s->id, (uint64_t)l->l.time, l->after);
	if (l->l.kind == FXT_LEDGER_CLOSING && l->l.time < last)
		return complain(why, "byte %" PRIu64 ": CPU %u: the recording stopped before its last record",
				l->offset, s->id);
	return 0;
}

static int check_ledger(const struct trace_stream *s, const struct trace_ledger *l, struct why *why)
{
	/* A ledger that continues a sub-buffer repeats the counts of the head. */
	const struct trace_ledger *head = l;
	uint64_t before = s->opening.written - s->opening.lost;

	while (head > s->ledgers && head->l.kind == FXT_LEDGER_CONTINUED)
		head--;
	/* Its head may be in the archive before this one. */
	if (head->l.kind != FXT_LEDGER_OPENING &&
	    (l->l.written != head->l.written || l->l.lost != head->l.lost))
		return complain(why, "byte %" PRIu64 ": stream %u: a ledger that continues says other than its head",
				l->offset, s->id);
	if (head == l && l->l.written != before + l->stored + l->l.lost)
		return complain(why, "byte %" PRIu64 ": stream %u: written %" PRIu64 " is not stored %" PRIu64 " + lost %" PRIu64,
				l->offset, s->id, (uint64_t)l->l.written, before + l->stored,
				(uint64_t)l->l.lost);
	if (l > s->ledgers && l->l.lost < l[-1].l.lost)
		return complain(why, "byte %" PRIu64 ": stream %u: what was lost becomes less",
				l->offset, s->id);
	return check_ledger_times(s, l, why);
}

/* Each growth of @lost has one slice with the number of lost records, and the times around them. */
static int check_losses(const struct trace *t, const struct trace_stream *s,
			uint64_t *slices, struct why *why)
{
	const struct trace_loss *loss = t->losses, *end = loss + t->loss_count;
	uint64_t lost = s->opening.lost;

	for (const struct trace_ledger *l = s->ledgers; l < s->ledgers + s->ledger_count; l++) {
		if (l->l.lost == lost)
			continue;
		while (loss < end && loss->stream != s->id)
			loss++;
		if (loss == end)
			return complain(why, "byte %" PRIu64 ": stream %u: the loss of %" PRIu64 " records before this has no slice",
					l->offset, s->id, (uint64_t)l->l.lost - lost);
		if (loss->records != l->l.lost - lost || loss->to != l->l.time ||
		    (l->l.last && loss->from != l->l.last) || loss->from > loss->to)
			return complain(why, "byte %" PRIu64 ": stream %u: lost %" PRIu64 " from %" PRIu64 " to %" PRIu64 ", the slice says %" PRIu64 " from %" PRIu64 " to %" PRIu64,
					l->offset, s->id, (uint64_t)l->l.lost - lost,
					(uint64_t)l->l.last, (uint64_t)l->l.time,
					loss->records, loss->from, loss->to);
		lost = l->l.lost;
		loss++;
		(*slices)++;
	}
	return 0;
}

/* Were records lost, and no switch or wakeup recorded between that and this ledger? */
static bool is_first_after_loss(const struct trace_stream *s, const struct trace_ledger *l)
{
	const struct trace_ledger *p = l;

	while (p-- > s->ledgers && p->events == l->events)
		if (p->l.lost > (p > s->ledgers ? p[-1].l.lost : s->opening.lost))
			return true;
	return false;
}

/*
 * The thread that runs at the last record before a loss; 0 if it is unknown, which it is at the
 * edge of a part of a recording.
 */
static uint64_t runs_before(const struct trace_stream *s, const struct trace_ledger *l,
			    uint64_t lost)
{
	const struct trace_event *e = s->events + l->events;
	uint64_t in = s->begin.unknown && l->before ? s->begin.in : 0;

	if (l->l.lost <= lost || l->l.kind == FXT_LEDGER_OPENING ||
	    l->l.kind == FXT_LEDGER_CONTINUED || is_first_after_loss(s, l))
		return 0;
	while (e-- > s->events) {
		if (!e->is_wakeup) {
			in = e->sw.in;
			break;
		}
		if (e->after_loss) {
			in = 0;
			break;
		}
	}
	return in;
}

/*
 * Each loss has one unknown switch, which ends the run of the last incoming thread; there are no
 * others.
 */
static int check_ends(const struct trace *t, struct why *why)
{
	const struct trace_ledger *l;
	size_t due = 0, i;
	uint64_t lost, in;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++) {
		lost = s->opening.lost;
		for (l = s->ledgers; l < s->ledgers + s->ledger_count; l++) {
			in = s->id == FXT_LEDGER_STREAM_NAMES ? 0 : runs_before(s, l, lost);
			lost = l->l.kind == FXT_LEDGER_CONTINUED ? lost : l->l.lost;
			if (!in)
				continue;
			for (i = 0; i < t->end_count; i++)
				if (t->ends[i].cpu == s->id && t->ends[i].out == in &&
				    t->ends[i].time == l->l.last)
					break;
			if (i == t->end_count)
				return complain(why, "byte %" PRIu64 ": CPU %u: %" PRIu64 " had come in before the loss, and nothing ends its run",
						l->offset, s->id, in);
			due++;
		}
	}
	if (t->end_count != due)
		return complain(why, "%zu switches stand for losses, %zu are due", t->end_count,
				due);
	return 0;
}

int trace_check_ledgers(const struct trace *t, struct why *why)
{
	uint64_t slices = 0;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++) {
		uint32_t next = 0;

		if (!s->closed)
			return complain(why, "stream %u has no closing ledger", s->id);
		for (size_t i = 0; i < s->ledger_count; i++)
			if (check_sequence(s, &s->ledgers[i], &next, why) ||
			    check_ledger(s, &s->ledgers[i], why))
				return -1;
		if (check_losses(t, s, &slices, why))
			return -1;
	}
	/* Parts of recordings have names, perhaps without any record of their stream. */
	if ((!trace_stream(t, FXT_LEDGER_STREAM_NAMES) && !strstr(t->session, "\nsnapshot ") &&
	     !strstr(t->session, "\nsegment ")) || t->stream_count < 1)
		return complain(why, "%zu streams, at least one of a CPU and that of the names are due",
				t->stream_count);
	if (check_ends(t, why))
		return -1;
	if (t->loss_count != slices || t->provider_events != slices)
		return complain(why, "%" PRIu64 " gaps, %zu slices and %" PRIu64 " provider events of them",
				slices, t->loss_count, t->provider_events);
	return 0;
}

/* A CPU that goes offline switches away from its stopper, unseen; see fxt's model. */
static bool was_offline(const struct trace *t, uint32_t cpu, const struct trace_event *before,
			const struct trace_event *e)
{
	const struct trace_name *n = trace_find_name(t, FXT_OBJECT_THREAD, before->sw.in);
	char stopper[24];

	snprintf(stopper, sizeof(stopper), "migration/%u", cpu);
	return !e->sw.out && n && !strcmp(n->text, stopper);
}

static int check_chain_of(const struct trace *t, const struct trace_stream *s,
			  const struct hidden *h, struct why *why)
{
	const struct trace_event *e, *before = NULL;
	bool gap = true;

	for (e = s->events; e < s->events + s->event_count; e++) {
		gap |= e->after_loss;
		if (e->is_wakeup)
			continue;
		if (!gap && before->sw.in != e->sw.out && !hidden_has(h, before->sw.in) &&
		    !was_offline(t, s->id, before, e))
			return complain(why, "byte %" PRIu64 ": CPU %u at %" PRIu64 ": %" PRIu64 " goes out, but %" PRIu64 " came in at %" PRIu64,
					e->offset, s->id, e->time, e->sw.out,
					before->sw.in, before->time);
		gap = fxt_switch_hides_in(&e->sw);
		before = e;
	}
	return 0;
}

int trace_check_chain(const struct trace *t, struct why *why)
{
	struct hidden h;
	int ret = 0;

	hidden_find(&h, t);
	for (size_t i = 0; i < t->stream_count && !ret; i++)
		ret = check_chain_of(t, &t->streams[i], &h, why);
	return ret;
}

int trace_check_kept(const struct trace *t, struct why *why)
{
	if (trace_check_records(t, why) || trace_check_ledgers(t, why) ||
	    trace_check_edges(t, why) || trace_check_chain(t, why))
		return -1;
	return trace_lost(t) ? 0 : trace_check_threads(t, why);
}

int trace_check_all(const struct trace *t, struct why *why)
{
	if (trace_lost(t))
		return complain(why, "%" PRIu64 " records were lost", trace_lost(t));
	return trace_check_kept(t, why);
}
