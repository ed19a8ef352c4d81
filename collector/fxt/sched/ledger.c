// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ledger.c - the streams of records, and their losses.
 *
 * In: ledgers, the slices and provider events that report losses, and the time of each
 * record.
 * Out: findings, and a gap in the order of events for each loss.
 * Must hold: within each stream, sequence numbers have no gap; at each ledger written =
 * stored + lost; times do not go back; a provider event and a slice report each loss before
 * the ledger that shows it; and the archive ends with one closing ledger per stream. In a
 * part of a recording, each stream begins with an opening ledger, and all this holds from
 * there on.
 */
#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edge.h"
#include "end.h"
#include "findings.h"
#include "ledger.h"
#include "order.h"
#include "stream.h"

struct label {
	char text[16];
};

/* The name of a stream in findings. */
static struct label label(const struct sched_stream *s)
{
	struct label l = { "names" };

	if (s->id != FXT_LEDGER_STREAM_NAMES)
		snprintf(l.text, sizeof(l.text), "cpu %u", s->id);
	return l;
}

/* A ledger, with what findings need. */
struct entry {
	struct sched_model *m;
	struct sched_stream *s;
	struct fxt_ledger l;
	uint64_t offset;
	uint64_t rate;		/* ticks per second */
};

static uint64_t ns_of(const struct entry *e, uint64_t ticks)
{
	return fxt_ticks_to_ns(ticks, e->rate);
}

#define FAULT(e, format, ...)							\
	sched_tell((e)->m, SCHED_LEDGER, true, 1, (e)->offset,			\
		   ns_of(e, (e)->l.time), "%s: " format, label((e)->s).text,	\
		   ## __VA_ARGS__)

static void check_sequence(struct entry *e)
{
	struct sched_stream *s = e->s;
	uint32_t expected = s->next_sequence;

	switch (e->l.kind) {
	case FXT_LEDGER_HEAD:
		break;
	case FXT_LEDGER_CONTINUED:
		expected--;
		break;
	case FXT_LEDGER_CLOSING:
		break;
	default:
		FAULT(e, "ledger of kind %u, which is not defined", e->l.kind);
		return;
	}
	if (e->l.kind == FXT_LEDGER_CONTINUED && !s->next_sequence)
		FAULT(e, "a sub-buffer is continued that has not begun");
	else if (e->l.sequence != expected)
		FAULT(e, "sub-buffer %u instead of %u", e->l.sequence, expected);
	s->next_sequence = e->l.sequence + (e->l.kind != FXT_LEDGER_CLOSING);
}

/* A continuing ledger repeats the counts of the head; the others continue the counts. */
static void check_continued(struct entry *e)
{
	struct sched_stream *s = e->s;

	if (!s->is_opened) {
		if (e->l.written != s->head_written || e->l.lost != s->head_lost)
			FAULT(e, "a continued sub-buffer has other counts than at its beginning");
	} else if (e->l.written > s->ledger.written || e->l.lost > s->ledger.lost) {
		FAULT(e, "a continued sub-buffer began with more (%" PRIu64 ", %" PRIu64
		      " lost) than there was before (%" PRIu64 ", %" PRIu64 " lost)",
		      (uint64_t)e->l.written, (uint64_t)e->l.lost,
		      (uint64_t)s->ledger.written, (uint64_t)s->ledger.lost);
	}
}

static void check_counts(struct entry *e)
{
	struct sched_stream *s = e->s;
	uint64_t there = s->stored + e->l.lost, written = e->l.written;

	if (e->l.kind == FXT_LEDGER_CONTINUED) {
		check_continued(e);
		return;
	}
	if (written != there) {
		FAULT(e, "written %" PRIu64 " is not stored %" PRIu64 " + lost %" PRIu64
		      ": %" PRIu64 " %s", written, s->stored,
		      (uint64_t)e->l.lost, written > there ? written - there : there - written,
		      written > there ? "are missing" : "too many");
		/* Compare the next ledgers with what is really stored. */
		s->stored = written - e->l.lost;
	}
	if (e->l.lost < s->ledger.lost)
		FAULT(e, "the number of lost records falls: %" PRIu64 " after %" PRIu64,
		      (uint64_t)e->l.lost, (uint64_t)s->ledger.lost);
}

/* Ticks of the last record that the producer wrote: a mark is none. */
static uint64_t last_record(const struct sched_stream *s)
{
	return s->mark && s->stored == s->mark_stored ? s->before_mark : s->last_ticks;
}

static void check_times(struct entry *e)
{
	struct sched_stream *s = e->s;

	if (s->id == FXT_LEDGER_STREAM_NAMES)
		return;
	if (s->check_next && e->l.kind != FXT_LEDGER_CONTINUED)
		FAULT(e, "sub-buffer %u is empty, but its ledger has the time of a record",
		      s->ledger.sequence);
	if (e->l.kind != FXT_LEDGER_CONTINUED && e->l.last != last_record(s))
		FAULT(e, "the last record before it was at %" PRIu64 " ns, not at %" PRIu64,
		      ns_of(e, last_record(s)), ns_of(e, e->l.last));
	if (e->l.kind == FXT_LEDGER_CLOSING && e->l.time < s->last_ticks)
		FAULT(e, "the recording stopped at %" PRIu64 " ns, before its last record",
		      ns_of(e, e->l.time));
	s->check_next = e->l.kind == FXT_LEDGER_HEAD ||
			(e->l.kind == FXT_LEDGER_CONTINUED && s->check_next);
}

/* Losses since the last ledger must be reported just before this one. */
static void check_told(struct entry *e, uint64_t lost)
{
	struct sched_stream *s = e->s;
	uint64_t said = lost > UINT32_MAX ? UINT32_MAX : lost;

	if (!e->m->told_events)
		sched_tell(e->m, SCHED_LOSS_UNTOLD, true, 1, e->offset, ns_of(e, e->l.time),
			   "%s: %" PRIu64 " records are lost, and no provider event reports it",
			   label(s).text, lost);
	else
		e->m->told_events--;
	if (!s->is_told)
		sched_tell(e->m, SCHED_LOSS_UNTOLD, true, 1, e->offset, ns_of(e, e->l.time),
			   "%s: %" PRIu64 " records are lost, and no slice reports it",
			   label(s).text, lost);
	else if (s->slice.records != said || s->slice.to != e->l.time ||
		 s->slice.from > s->slice.to ||
		 (e->l.last && s->slice.from != e->l.last))
		sched_tell(e->m, SCHED_LOSS_UNTOLD, true, 1, s->slice.offset,
			   ns_of(e, e->l.time),
			   "%s: %" PRIu64 " records are lost, but the slice reports %" PRIu64
			   ", or another time", label(s).text, lost, s->slice.records);
	s->is_told = false;
}

/* What a CPU did in the gap is unknown. */
static void add_gap(struct entry *e, uint64_t lost)
{
	uint64_t from = ns_of(e, e->l.last ? e->l.last : e->s->last_ticks);
	struct sched_event *gap;

	if (e->s->id == FXT_LEDGER_STREAM_NAMES)
		return;
	e->s->first_run = NULL;		/* another thread may have had the CPU first */
	gap = sched_order_room(e->m, e->s);
	if (!gap)
		return;
	*gap = (struct sched_event){
		.time = from > e->s->tail_ns ? from : e->s->tail_ns,
		.offset = e->offset,
		.a = ns_of(e, e->l.time),
		.b = lost,
		.cpu = e->s->id,
		.kind = SCHED_EVENT_GAP,
	};
	sched_queue_added(e->s, gap->time);
}

static void take_loss(struct entry *e)
{
	struct sched_totals *t = &e->m->totals;
	uint64_t lost;

	if (e->l.kind == FXT_LEDGER_CONTINUED || e->l.lost <= e->s->ledger.lost)
		return;
	lost = e->l.lost - e->s->ledger.lost;
	t->lost += lost;
	if (e->s->id == FXT_LEDGER_STREAM_NAMES)
		e->m->lost_names += lost;
	check_told(e, lost);
	sched_tell(e->m, SCHED_LOSS, false, 1, e->offset, ns_of(e, e->l.time),
		   "%s: %" PRIu64 " records are lost, between %" PRIu64 " and %" PRIu64 " ns",
		   label(e->s).text, lost, ns_of(e, e->l.last), ns_of(e, e->l.time));
	add_gap(e, lost);
}

/*
 * A part of a recording begins for this stream: its earlier records are in another part,
 * perhaps including the beginning of the sub-buffer.
 */
static void open_stream(struct entry *e)
{
	struct sched_model *m = e->m;
	struct sched_stream *s = e->s;

	if (e->l.lost > e->l.written)
		FAULT(e, "more was lost (%" PRIu64 ") than written (%" PRIu64 ")",
		      (uint64_t)e->l.lost, (uint64_t)e->l.written);
	if (s->id != FXT_LEDGER_STREAM_NAMES && e->l.time < e->l.last)
		FAULT(e, "all is said to be there from %" PRIu64 " ns on, but a record before it was at %" PRIu64,
		      ns_of(e, e->l.time), ns_of(e, e->l.last));
	s->next_sequence = e->l.sequence;
	s->stored = s->base = e->l.written - e->l.lost;
	s->last_ticks = e->l.last;
	s->opened = ns_of(e, e->l.time > e->l.last ? e->l.time : e->l.last);
	s->is_opened = true;
	s->ledger = e->l;
	m->totals.before += e->l.written;
	/* A part with the events before it is as complete as the whole. */
	if (s->id != FXT_LEDGER_STREAM_NAMES && s->opened > m->totals.complete && !m->begins)
		m->totals.complete = s->opened;
}

/* Handle all ledgers but opening ones. */
static void go_on(struct entry *e)
{
	struct sched_stream *s = e->s;

	check_sequence(e);
	check_counts(e);
	check_times(e);
	take_loss(e);
	if (e->l.kind != FXT_LEDGER_CONTINUED) {
		e->m->totals.written += e->l.written - s->ledger.written;
		s->ledger = e->l;
	}
	if (e->l.kind != FXT_LEDGER_CONTINUED || s->is_opened) {
		s->head_written = e->l.written;
		s->head_lost = e->l.lost;
	}
	s->is_opened = false;
	s->is_closed = e->l.kind == FXT_LEDGER_CLOSING;
}

/* Read the payload's words in the byte order of the archive. */
static bool get_ledger(const struct fxt_record *rec, const struct fxt_content *c,
		       struct fxt_ledger *l)
{
	uint64_t header = rec->words[0];
	bool swapped = fxt_get(FXT_TYPE, header) != FXT_RECORD_BLOB ||
		       fxt_get(FXT_SIZE, header) != rec->size;
	__u64 words[FXT_LEDGER_WORDS] = { FXT_LEDGER_HEADER };
	size_t i;

	if (c->blob.bytes != FXT_LEDGER_BYTES || c->blob_type != FXT_BLOB_DATA)
		return false;
	memcpy(words + 1, c->blob.data, FXT_LEDGER_BYTES);
	for (i = 1; swapped && i < FXT_LEDGER_WORDS; i++)
		words[i] = bswap_64(words[i]);
	return fxt_sched_get_ledger(words, l);
}

int sched_take_ledger(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	struct entry e = {
		.m = m,
		.offset = rec->offset,
		.rate = rec->provider->ticks_per_second,
	};

	if (!get_ledger(rec, c, &e.l)) {
		sched_tell(m, SCHED_LEDGER, true, 1, rec->offset, 0,
			   "a record is named as ledgers are, and is none of a known version");
		return 0;
	}
	e.s = sched_stream_get(m, e.l.stream);
	if (!e.s)
		return -ENOMEM;
	m->totals.ledgers++;
	if (e.s->id != FXT_LEDGER_STREAM_NAMES && !m->cpus[e.s->id] && !m->filter.cpus)
		sched_cpu_add(m, e.s->id);
	if (e.s->is_closed)
		FAULT(&e, "a ledger after the closing one");
	else if (e.s->has_ledger && e.l.kind == FXT_LEDGER_OPENING)
		FAULT(&e, "an opening ledger after another one");
	if (e.l.kind != FXT_LEDGER_OPENING)
		go_on(&e);
	else if (!e.s->has_ledger)
		open_stream(&e);
	e.s->provider = rec->provider->id;
	e.s->ledger_offset = e.offset;
	if (!e.s->has_ledger)
		sched_stream_begins(m, e.s, ns_of(&e, e.l.time), e.l.kind);
	e.s->has_ledger = true;
	if (e.s->is_closed)
		sched_stream_ends(m, e.s, ns_of(&e, e.l.time));
	if (e.s->is_closed)
		sched_find_end(m, e.s->provider);
	m->stream = e.l.kind == FXT_LEDGER_CLOSING || e.l.kind == FXT_LEDGER_OPENING ?
		    NULL : e.s;
	sched_order_drain(m);
	return m->error;
}

void sched_take_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	uint64_t stream = c->thread.thread - fxt_sched_loss_koid(0);
	struct sched_stream *s;
	unsigned int i;

	if (c->thread.process != FXT_SCHED_KOID_LOSS ||
	    c->category.known != FXT_STR_CATEGORY || c->name.known != FXT_STR_LOST ||
	    stream > FXT_LEDGER_STREAM_NAMES)
		return;
	s = sched_stream_get(m, stream);
	if (!s) {
		m->error = -ENOMEM;
		return;
	}
	if (s->is_told)
		sched_tell(m, SCHED_LOSS_UNTOLD, true, 1, s->slice.offset,
			   fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second),
			   "%s: a slice tells a loss that no ledger shows", label(s).text);
	s->is_told = true;
	s->slice.from = c->time;
	s->slice.to = c->end;
	s->slice.offset = rec->offset;
	s->slice.records = 0;
	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].name.known == FXT_STR_RECORDS &&
		    c->args[i].type == FXT_ARG_UINT32)
			s->slice.records = c->args[i].u64;
}

void sched_time_misfit(struct sched_model *m, struct sched_stream *s,
		       const struct fxt_record *rec, uint64_t ticks)
{
	uint64_t rate = rec->provider->ticks_per_second;
	uint64_t ns = fxt_ticks_to_ns(ticks, rate);

	if (s->check_next && ticks != s->ledger.time)
		sched_tell(m, SCHED_LEDGER, true, 1, s->ledger_offset, ns,
			   "%s: the first record after it is at %" PRIu64 " ns, not at %" PRIu64,
			   label(s).text, ns, fxt_ticks_to_ns(s->ledger.time, rate));
	s->check_next = false;
	if (ticks < s->last_ticks)
		sched_tell(m, SCHED_TIME_BACK, true, 1, rec->offset, ns,
			   "%s: time goes back by %" PRIu64 " ns", label(s).text,
			   fxt_ticks_to_ns(s->last_ticks - ticks, rate));
}

void sched_ledgers_finish(struct sched_model *m)
{
	struct sched_stream *s;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		s = m->stream_list[i];
		if (s->has_ledger && !s->is_closed) {
			m->totals.unclosed++;
			sched_tell(m, SCHED_LEDGER, true, 1, s->ledger_offset, 0,
				   "%s: no closing ledger: the archive was cut off",
				   label(s).text);
		}
		if (s->is_told)
			sched_tell(m, SCHED_LOSS_UNTOLD, true, 1, s->slice.offset, 0,
				   "%s: a slice tells a loss that no ledger shows",
				   label(s).text);
	}
	if (m->totals.ledgers && m->stray)
		sched_tell(m, SCHED_WRONG_STREAM, true, m->stray, m->stray_offset, 0,
			   "%" PRIu64 " switches and wakeups stand in no stream of a CPU",
			   m->stray);
}
