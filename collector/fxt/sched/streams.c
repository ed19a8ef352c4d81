// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * streams.c - streams of records: their edges, ledgers, losses and events.
 *
 * In: ledgers, slices and provider events that report losses, marks (<fxt/fxt_mark.h>), the time of
 * each record, events of the kernel, and the last events before a part.
 * Out: events at the ends of their streams; a gap in their order for each loss; which thread has a
 * CPU from the beginning of its stream and until its end (applied by cpus.c); and anomalies.
 * Must hold: within each stream, sequence numbers have no gap; at each ledger written = stored +
 * lost; times do not go back; a provider event and a slice report each loss before the ledger that
 * shows it; and the archive ends with one closing ledger per stream. In a part of a recording, each
 * stream begins with an opening ledger, and all this holds after it. A mark of the beginning
 * precedes all records of its stream, a mark of the end follows all but slices that end later; no
 * ledger counts a mark; the thread is that of the switch next to it.
 *
 * Without a mark, the first switch names the thread that had the CPU since the stream began, unless
 * records were lost or filtered out. So an event for that waits at the head of the stream. It has
 * no thread until that switch comes, and none if that does not come in time.
 *
 * What threads did last before a part (<fxt/fxt_before.h>) precedes all records of the part. These
 * events are not counted, and spans begin where the part does.
 */
#include <byteswap.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "data.h"
#include "anomalies.h"
#include "queue.h"

/* --- streams and CPUs -------------------------------------------------------------------- */

static struct sched_stream *stream_get(struct sched_model *m, uint32_t id)
{
	struct sched_stream *s = m->streams[id];

	if (s)
		return s;
	array_more(m->stream_list, m->stream_count);
	s = new_zero(struct sched_stream);
	s->id = id;
	s->in = SCHED_NOBODY;
	m->streams[id] = s;
	m->stream_list[m->stream_count++] = s;
	return s;
}

void sched_cpu_add(struct sched_model *m, uint16_t number)
{
	struct sched_cpu *cpu = new_zero(struct sched_cpu);

	cpu->number = number;
	cpu->next = m->cpu_list;
	m->cpu_list = cpu;
	m->cpus[number] = cpu;
	m->totals.cpus++;
	if (number >= m->totals.cpu_end)
		m->totals.cpu_end = number + 1;
}

/* --- the edges of a stream --------------------------------------------------------------- */

static struct sched_event *queue_edge(struct sched_model *m, struct sched_stream *s,
				      enum sched_event_kind kind, uint64_t offset, uint64_t ns)
{
	struct sched_event *e = sched_order_room(m, s);

	*e = (struct sched_event){
		.time = ns > s->tail_ns ? ns : s->tail_ns, .offset = offset, .cpu = s->id,
		.kind = kind, .state = SCHED_UNKNOWN,
	};
	sched_queue_added(s, e->time);
	return e;
}

/* Take the first ledger of a stream, of enum fxt_ledger_kind @kind, before its first event. */
static __attribute__((cold)) void stream_begins(struct sched_model *m, struct sched_stream *s,
						uint64_t ns, uint32_t kind)
{
	if (s->id == FXT_LEDGER_STREAM_NAMES || m->filter.threads || s->tail_ns)
		return;
	if (kind == FXT_LEDGER_OPENING)
		ns = s->opened;
	else if (kind != FXT_LEDGER_HEAD)
		return;
	s->first_run = queue_edge(m, s, SCHED_EVENT_BEGIN, s->ledger_offset, ns);
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

/* Take the closing ledger of a stream; nothing else happened until then. */
static __attribute__((cold)) void stream_ends(struct sched_model *m, struct sched_stream *s,
					      uint64_t ns)
{
	if (fxt_mark_is_end(s->mark) && s->in != SCHED_NOBODY)
		sched_fault(m, SCHED_MARK, s->ledger_offset, ns,
			    "cpu %u: switches follow the mark of its end", s->id);
	if (s->id != FXT_LEDGER_STREAM_NAMES)
		queue_edge(m, s, SCHED_EVENT_END, s->ledger_offset, ns);
}

/* --- marks in --------------------------------------------------------------------------- */

const char *sched_weights_fault(const struct sched_model *m, const struct fxt_switch *sw)
{
	if (!sched_weight_fits(m, sw->out, sw->out_weight, sw->has_out_weight, sw->bad_weight))
		return "invalid outgoing weight";
	if (!sched_weight_fits(m, sw->in, sw->in_weight, sw->has_in_weight, sw->bad_weight))
		return "invalid incoming weight";
	return NULL;
}

/* Why no producer can have written it, or NULL. */
static const char *fault_of_record(const struct sched_model *m, const struct fxt_switch *sw)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	uint8_t state = is_begin || !sw->out ? FXT_THREAD_NEW : FXT_SCHED_STATE_UNKNOWN;
	const char *fault;

	if (is_begin ? sw->out : sw->in)
		return "a mark names two threads";
	fault = sched_weights_fault(m, sw);
	if (fault)
		return fault;
	return sw->state != state || sw->letter ? "invalid outgoing state of a mark" : NULL;
}

/* A mark begins the stream, or continues where another part of the recording ended. */
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

static void check_mark(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_switch *sw, const struct sched_stream *s, uint64_t ns)
{
	const char *fault = fault_of_record(m, sw);

	if (fault)
		sched_fault(m, SCHED_RECORD, rec->offset, ns, "cpu %u: %s", sw->cpu, fault);
	fault = fault_of_place(s, sw->unknown);
	if (fault)
		sched_fault(m, SCHED_MARK, rec->offset, ns, "cpu %u: %s", sw->cpu, fault);
	if (sw->time < s->last_ticks)
		sched_fault(m, SCHED_TIME_BACK, rec->offset, ns,
			    "cpu %u: time goes back by %" PRIu64 " ns, to a mark", sw->cpu,
			    sched_ns_of(rec, s->last_ticks - sw->time));
}

void sched_add_edge(struct sched_model *m, const struct fxt_record *rec,
		    const struct fxt_switch *sw)
{
	bool is_begin = fxt_mark_is_begin(sw->unknown);
	uint64_t ns = sched_ns_of(rec, sw->time);
	struct sched_stream *s = stream_get(m, sw->cpu);
	struct sched_event *e;

	if (!m->cpus[sw->cpu])
		sched_cpu_add(m, sw->cpu);
	check_mark(m, rec, sw, s, ns);
	/* Before a CPU came online, nothing is missing. */
	if (is_begin && sw->unknown != FXT_STR_ONLINE && !s->mark && ns > m->marked)
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
	e = queue_edge(m, s, is_begin ? SCHED_EVENT_BEGIN : SCHED_EVENT_END, rec->offset, ns);
	e->a = is_begin ? sw->in : sw->out;
	e->weight = is_begin ? sw->in_weight : sw->out_weight;
	e->has_weight = is_begin ? sw->has_in_weight : sw->has_out_weight;
	e->mark = sw->unknown;
	e->has_b = true;
}

const char *sched_unknown_fault(const struct sched_model *m, const struct fxt_switch *sw)
{
	bool hides_state = sw->state == FXT_SCHED_STATE_UNKNOWN;
	const char *fault;

	if (sw->unknown != FXT_STR_FILTERED)
		return "it hides a field that no filter hides";
	if (!hides_state && !fxt_switch_hides_in(sw))
		return "it is marked as incomplete, but hides nothing";
	fault = sched_weights_fault(m, sw);
	if (fault)
		return fault;
	if (!sw->out && sw->state != FXT_THREAD_NEW)
		return "the idle thread goes to sleep";
	if (sw->out && !hides_state && sw->state < FXT_THREAD_DYING)
		return "the outgoing state is one that a filter hides";
	return NULL;
}

/* --- ledgers and losses ------------------------------------------------------------------ */

/* Find the end of the recording, after a stream of @provider was closed. */
static void find_end(struct sched_model *m, uint32_t provider)
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

/*
 * The next ledger shows the loss, which becomes a gap. So only check that a slice reports a loss
 * here, and that the thread is the one that was switched in.
 */
void sched_check_stand_in(struct sched_model *m, const struct fxt_record *rec,
			  const struct fxt_switch *sw)
{
	const struct sched_stream *s = m->streams[sw->cpu];
	uint64_t ns = sched_ns_of(rec, sw->time);

	if (!s || !s->is_told || s->slice.from != sw->time)
		sched_fault(m, SCHED_LOSS_UNTOLD, rec->offset, ns,
			    "cpu %u: a switch represents a loss that no slice reports", sw->cpu);
	else if (!fxt_switch_hides_in(sw) || !sw->out ||
		 (s->in != SCHED_NOBODY && s->in != sw->out))
		sched_fault(m, SCHED_LOSS_UNTOLD, rec->offset, ns,
			    "cpu %u: a switch represents a loss, but does not name the thread that "
			    "was switched in",
			    sw->cpu);
}

struct label {
	char text[16];
};

/* The name of a stream in anomalies. */
static struct label label(const struct sched_stream *s)
{
	struct label l = { "names" };

	if (s->id != FXT_LEDGER_STREAM_NAMES)
		snprintf(l.text, sizeof(l.text), "cpu %u", s->id);
	return l;
}

/* A ledger, with data for anomalies. */
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
	sched_fault((e)->m, SCHED_LEDGER, (e)->offset,			\
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
		FAULT(e, "a ledger continues a sub-buffer that has not begun");
	else if (e->l.sequence != expected)
		FAULT(e, "sub-buffer %u instead of %u", e->l.sequence, expected);
	s->next_sequence = e->l.sequence + (e->l.kind != FXT_LEDGER_CLOSING);
}

/* A continuing ledger repeats the counts of the head; others continue the counts. */
static void check_continued(struct entry *e)
{
	struct sched_stream *s = e->s;

	if (!s->is_opened) {
		if (e->l.written != s->head_written || e->l.lost != s->head_lost)
			FAULT(e, "the counts of a continued sub-buffer differ from those at its "
				"beginning");
	} else if (e->l.written > s->ledger.written || e->l.lost > s->ledger.lost) {
		FAULT(e, "the counts at the beginning of a continued sub-buffer (%" PRIu64 ", "
			"%" PRIu64
		      " lost) exceed those before it (%" PRIu64 ", %" PRIu64 " lost)",
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
		/* Compare the next ledgers with what is actually stored. */
		s->stored = written - e->l.lost;
	}
	if (e->l.lost < s->ledger.lost)
		FAULT(e, "the number of lost records decreases: %" PRIu64 " after %" PRIu64,
		      (uint64_t)e->l.lost, (uint64_t)s->ledger.lost);
}

/* Ticks of the last record that the producer wrote, other than marks. */
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

/* Losses since the last ledger must have been reported just before this one. */
static void check_told(struct entry *e, uint64_t lost)
{
	struct sched_stream *s = e->s;
	uint64_t said = lost > UINT32_MAX ? UINT32_MAX : lost;

	if (!e->m->told_events)
		sched_fault(e->m, SCHED_LOSS_UNTOLD, e->offset, ns_of(e, e->l.time),
			    "%s: %" PRIu64 " records are lost, and no provider event reports it",
			    label(s).text, lost);
	else
		e->m->told_events--;
	if (!s->is_told)
		sched_fault(e->m, SCHED_LOSS_UNTOLD, e->offset, ns_of(e, e->l.time),
			    "%s: %" PRIu64 " records are lost, and no slice reports it",
			    label(s).text, lost);
	else if (s->slice.records != said || s->slice.to != e->l.time ||
		 s->slice.from > s->slice.to ||
		 (e->l.last && s->slice.from != e->l.last))
		sched_fault(e->m, SCHED_LOSS_UNTOLD, s->slice.offset,
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
	e->s->first_run = NULL;		/* a different thread may have had the CPU first */
	gap = sched_order_room(e->m, e->s);
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

static void add_loss(struct entry *e)
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
	sched_found(e->m, SCHED_LOSS, false, 1, e->offset, ns_of(e, e->l.time),
		    "%s: %" PRIu64 " records are lost, between %" PRIu64 " and %" PRIu64 " ns",
		    label(e->s).text, lost, ns_of(e, e->l.last), ns_of(e, e->l.time));
	add_gap(e, lost);
}

/*
 * The stream begins as a part of a recording: its earlier records are in another part, perhaps
 * including the beginning of the sub-buffer.
 */
static void open_stream(struct entry *e)
{
	struct sched_model *m = e->m;
	struct sched_stream *s = e->s;

	if (e->l.lost > e->l.written)
		FAULT(e, "more records were lost (%" PRIu64 ") than written (%" PRIu64 ")",
		      (uint64_t)e->l.lost, (uint64_t)e->l.written);
	if (s->id != FXT_LEDGER_STREAM_NAMES && e->l.time < e->l.last)
		FAULT(e, "the stream is said to be complete from %" PRIu64 " ns on, but a record "
			"before it was at %" PRIu64,
		      ns_of(e, e->l.time), ns_of(e, e->l.last));
	s->next_sequence = e->l.sequence;
	s->stored = s->base = e->l.written - e->l.lost;
	s->last_ticks = e->l.last;
	s->opened = ns_of(e, e->l.time > e->l.last ? e->l.time : e->l.last);
	s->is_opened = true;
	s->ledger = e->l;
	m->totals.before += e->l.written;
	/* A part that has the events before it is as complete as the whole recording. */
	if (s->id != FXT_LEDGER_STREAM_NAMES && s->opened > m->totals.complete && !m->begins)
		m->totals.complete = s->opened;
}

/* Any ledger but an opening one. */
static void continue_stream(struct entry *e)
{
	struct sched_stream *s = e->s;

	check_sequence(e);
	check_counts(e);
	check_times(e);
	add_loss(e);
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

void sched_apply_ledger(struct sched_model *m, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	struct entry e = {
		.m = m,
		.offset = rec->offset,
		.rate = rec->provider->ticks_per_second,
	};

	if (!get_ledger(rec, c, &e.l)) {
		sched_fault(m, SCHED_LEDGER, rec->offset, 0,
			    "a ledger has an unknown version");
		return;
	}
	e.s = stream_get(m, e.l.stream);
	m->totals.ledgers++;
	if (e.s->id != FXT_LEDGER_STREAM_NAMES && !m->cpus[e.s->id] && !m->filter.cpus)
		sched_cpu_add(m, e.s->id);
	if (e.s->is_closed)
		FAULT(&e, "a ledger after the closing one");
	else if (e.s->has_ledger && e.l.kind == FXT_LEDGER_OPENING)
		FAULT(&e, "an opening ledger after another one");
	if (e.l.kind != FXT_LEDGER_OPENING)
		continue_stream(&e);
	else if (!e.s->has_ledger)
		open_stream(&e);
	e.s->provider = rec->provider->id;
	e.s->ledger_offset = e.offset;
	if (!e.s->has_ledger)
		stream_begins(m, e.s, ns_of(&e, e.l.time), e.l.kind);
	e.s->has_ledger = true;
	if (e.s->is_closed) {
		stream_ends(m, e.s, ns_of(&e, e.l.time));
		find_end(m, e.s->provider);
	}
	m->stream = e.l.kind == FXT_LEDGER_CLOSING || e.l.kind == FXT_LEDGER_OPENING ?
		    NULL : e.s;
	sched_order_drain(m);
}

void sched_note_slice(struct sched_model *m, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	uint64_t stream = c->thread.thread - fxt_sched_loss_koid(0);
	struct sched_stream *s;
	unsigned int i;

	if (c->thread.process != FXT_SCHED_KOID_LOSS ||
	    c->category.known != FXT_STR_CATEGORY || c->name.known != FXT_STR_LOST ||
	    stream > FXT_LEDGER_STREAM_NAMES)
		return;
	s = stream_get(m, stream);
	if (s->is_told)
		sched_fault(m, SCHED_LOSS_UNTOLD, s->slice.offset,
			    sched_ns_of(rec, c->time),
			    "%s: a slice reports a loss that no ledger shows", label(s).text);
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
		sched_fault(m, SCHED_LEDGER, s->ledger_offset, ns,
			    "%s: the first record after it is at %" PRIu64 " ns, not at %" PRIu64,
			    label(s).text, ns, fxt_ticks_to_ns(s->ledger.time, rate));
	s->check_next = false;
	if (ticks < s->last_ticks)
		sched_fault(m, SCHED_TIME_BACK, rec->offset, ns,
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
			sched_fault(m, SCHED_LEDGER, s->ledger_offset, 0,
				    "%s: no closing ledger: the archive is truncated",
				    label(s).text);
		}
		if (s->is_told)
			sched_fault(m, SCHED_LOSS_UNTOLD, s->slice.offset, 0,
				    "%s: a slice reports a loss that no ledger shows",
				    label(s).text);
	}
	if (m->totals.ledgers && m->stray)
		sched_found(m, SCHED_WRONG_STREAM, true, m->stray, m->stray_offset, 0,
			    "%" PRIu64 " switches and wakeups are outside of the streams of CPUs",
			    m->stray);
}

/* --- before a part ----------------------------------------------------------------------- */

static enum sched_event_kind kind_before(uint64_t word)
{
	switch (fxt_get(FXT_BEFORE_RUN, word)) {
	case FXT_BEFORE_RUN_BEGIN:
		return SCHED_EVENT_BEGIN;
	case FXT_BEFORE_RUN_END:
		return SCHED_EVENT_END;
	default:
		return fxt_get(FXT_BEFORE_STATE, word) ? SCHED_EVENT_LEAVE : SCHED_EVENT_WAKEUP;
	}
}

static void add_before(struct sched_model *m, const struct fxt_record *rec, const uint64_t *w)
{
	uint32_t cpu = fxt_get(FXT_BEFORE_CPU, w[3]);
	char state = fxt_get(FXT_BEFORE_STATE, w[3]);
	struct sched_stream *s = stream_get(m, cpu);
	struct sched_event *e = sched_order_room(m, s);
	uint64_t ns = sched_ns_of(rec, w[0]);

	if (!m->cpus[cpu])
		sched_cpu_add(m, cpu);
	*e = (struct sched_event){
		.time = ns > s->tail_ns ? ns : s->tail_ns, .offset = rec->offset, .a = w[1],
		.b = w[2], .cpu = cpu, .state = state,
		.kind = kind_before(w[3]),
	};
	e->has_weight = fxt_get(FXT_BEFORE_HAS_WEIGHT, w[4]);
	e->weight = (int32_t)fxt_get(FXT_BEFORE_WEIGHT, w[4]);
	if (e->kind == SCHED_EVENT_LEAVE) {
		e->has_out_weight = e->has_weight;
		e->out_weight = e->weight;
	}
	if (e->kind == SCHED_EVENT_WAKEUP) {
		e->irq = fxt_get(FXT_BEFORE_IRQ, w[3]);
		e->by_idle = fxt_get(FXT_BEFORE_BY_IDLE, w[3]);
		e->has_b = w[2] && !e->irq;
		e->irq_cpu = fxt_get(FXT_BEFORE_IRQ_CPU, w[3]);
	}
	sched_queue_added(s, e->time);
}

void sched_read_before(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c)
{
	uint64_t head[FXT_BEFORE_HEAD_WORDS], w[FXT_BEFORE_WORDS] = { 0 };
	size_t bytes = sizeof(w);
	uint64_t rate = rec->provider->ticks_per_second;
	const char *at = c->blob.data, *end = at + c->blob.bytes;

	/* Words in the other byte order are not read. */
	if (c->blob.bytes < sizeof(head) || m->totals.ledgers)
		return;
	memcpy(head, at, sizeof(head));
	if (!head[0] || head[0] > FXT_BEFORE_VERSION)
		return;
	if (head[0] == 1)
		bytes -= FXT_WORD;
	m->begins = fxt_ticks_to_ns(head[1], rate);
	m->totals.begins = m->begins;
	m->totals.complete = fxt_ticks_to_ns(head[2], rate);
	for (at += sizeof(head); end - at >= (ptrdiff_t)bytes && !m->error; at += bytes) {
		memcpy(w, at, bytes);
		if ((!w[1] && !fxt_get(FXT_BEFORE_RUN, w[3])) ||
		    fxt_ticks_to_ns(w[0], rate) >= m->begins)
			continue;
		/* This holds even if the stream begins within a loss. */
		m->totals.first = m->begins;
		add_before(m, rec, w);
	}
}

/* --- events of the kernel ---------------------------------------------------------------- */

struct sched_stream *sched_stray_stream(struct sched_model *m, const struct fxt_record *rec,
					uint32_t id)
{
	struct sched_stream *s = stream_get(m, id);

	/* Foreign archives have no ledgers, even when merged with ours. */
	if (!fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		m->has_others = true;
	else if (!m->stray++)
		m->stray_offset = rec->offset;
	return s;
}

/* --- origins of events --------------------------------------------------------------- */

/*
 * All data of one service have one origin. The smaller port is the service's: clients get large
 * ones from the kernel.
 */
static void name_data(const struct kernel_event *e, const struct fxt_text *name, char *text, size_t room)
{
	uint16_t local = e->args.data.local_port, remote = e->args.data.remote_port;
	bool is_to = local && (!remote || local <= remote);

	if (local || remote)
		snprintf(text, room, "%.*s %s :%u", (int)name->length, name->bytes,
			 is_to ? "to" : "from", is_to ? local : remote);
	else
		snprintf(text, room, "%.*s", (int)name->length, name->bytes);
}

/* A name for an origin without one in the archive. */
static struct fxt_text name_of(const struct kernel_event *e, const struct fxt_content *c,
			       char *text, size_t room)
{
	const struct fxt_text *name = &c->name;

	if (e->what == KERNEL_SYSCALL && name->known == FXT_STR_SYSCALL)
		snprintf(text, room, "syscall %" PRIu64, e->args.syscall.number);
	else if (e->what == KERNEL_THROTTLE)
		snprintf(text, room, "cgroup %" PRIu64, e->args.throttle.cgroup);
	else if (e->what == KERNEL_IPI && name->known == FXT_STR_IPI)
		snprintf(text, room, "(reschedule, irq work)");
	else if (e->what == KERNEL_DATA)
		name_data(e, name, text, room);
	else
		return *name;
	return (struct fxt_text){ .bytes = text, .length = strlen(text) };
}

static struct sched_origin *origin_of(struct sched_model *m, const struct kernel_event *e,
				      const struct fxt_content *c)
{
	char text[SCHED_SOURCE_BYTES];
	struct fxt_text its = name_of(e, c, text, sizeof(text));
	uint64_t number = kernel_event_number(e);
	struct sched_origin *origin = kernel_event_is_futex(e, c) ?
		sched_origin_get_futex(&m->origins, c->thread.process, number, &its) :
		sched_origin_get(&m->origins, e->what, number, &its);

	if (e->what == KERNEL_THROTTLE && origin->number == number)
		origin->track = fxt_sched_throttle_track(number, e->cpu);
	return origin;
}

/* --- queue ----------------------------------------------------------------------------- */

/* The waker of a sleep for a futex has it in another process. */
static void set_alias(struct sched_model *m, struct sched_event *event,
		      const struct kernel_event *e, struct sched_origin *futex)
{
	const struct sched_alias *a = sched_origin_alias(&m->origins, futex, e->waker,
							 e->waker_lock, event->time);

	event->has_alias = a;
	event->waker = a ? a->id : e->waker;
}

/* @begin, @end: ns */
static void queue_event(struct sched_model *m, struct sched_stream *s,
			const struct fxt_record *rec, uint64_t begin, uint64_t end,
			const struct kernel_event *e, const struct fxt_content *c)
{
	struct sched_origin *origin = kernel_event_has_origin(e->what) ?
				      origin_of(m, e, c) : NULL;
	struct sched_event *event = sched_order_room(m, s);

	m->kernel_events++;
	*event = (struct sched_event){
		.time = end,
		.offset = rec->offset,
		.a = e->what == KERNEL_REQUEST ? c->id : e->thread,
		.args = e->args,
		.cpu = e->cpu,
		.origin = origin ? origin->id : 0,
		.kind = SCHED_EVENT_KERNEL,
		.what = e->what,
	};
	if (kernel_event_is_slice(e->what)) {
		event->begin = begin;
		event->error = e->what == KERNEL_SYSCALL ? kernel_event_errno(e->args.syscall.ret) :
			       e->what == KERNEL_LOCK ? e->args.lock.holder :
			       e->what == KERNEL_MEMORY ? kernel_event_pages(e) : 0;
		event->waker = e->waker;
		if (e->what == KERNEL_LOCK && e->waker_lock && origin->is_futex)
			set_alias(m, event, e, origin);
	} else if (kernel_event_is_stack(e->what) && m->ops->moment) {
		event->sample_ns = e->args.sample.ns;
		event->stack = fxt_call_stack_get(&m->stacks, rec->provider->id,
						  c->thread.process, c->frames, c->frame_count);
		if (!event->stack)
			memory_ran_out();
	}
	/* Only records outside of the stream that is read can be out of order there. */
	if (end < s->tail_ns)
		sched_queue_insert(m, s, end);
	else
		sched_queue_put(m, s, end);
}

/*
 * Only runs are needed. They are as short as if the event were queued, because a damaged archive
 * may have records of the CPU in another stream.
 */
static void skip_event(struct sched_model *m, struct sched_stream *s, uint64_t time)
{
	sched_take_unqueued(m, s, time);
	s->ends_run = true;
}

/* A slice is in its stream where it ended, because it was written then. */
void sched_queue_event(struct sched_model *m, const struct fxt_record *rec,
		       const struct fxt_content *c, const struct kernel_event *e)
{
	bool is_outside = kernel_event_is_outside(c) && !e->fault;
	struct sched_stream *s = is_outside ? stream_get(m, e->cpu) : m->stream;
	uint64_t begin = sched_ns_of(rec, e->begin), end;

	if (!is_outside && !sched_is_of_cpu(s))
		s = sched_stray_stream(m, rec, e->cpu == SCHED_NO_CPU ? SCHED_STREAM_WAKEUPS :
				       e->cpu);
	end = s == m->stream && !is_outside ? sched_count_in_order(m, s, rec, e->end) : sched_ns_of(rec, e->end);
	m->totals.events[e->what]++;
	if (e->fault)
		sched_fault(m, SCHED_EVENT, rec->offset, end, "%s", e->fault);
	/* Skip these frequent events, on which nothing depends. */
	else if (e->what == KERNEL_LIMITS ||
		 (kernel_event_is_stack(e->what) && !m->ops->moment && !m->ops->anomaly) ||
		 (e->what == KERNEL_PELT && (!m->ops->moment || e->cpu == SCHED_NO_CPU)))
		return;
	else if (s == m->stream && e->what <= KERNEL_IDLE && e->cpu != s->id)
		sched_fault(m, SCHED_WRONG_STREAM, rec->offset, end,
			    "cpu %u: an event is in the stream of cpu %u", e->cpu, s->id);
	else if (s == m->stream && !is_outside && sched_accepts_runs(m, s))
		skip_event(m, s, end);
	else
		queue_event(m, s, rec, begin, end, e, c);
}
