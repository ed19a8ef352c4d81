// SPDX-License-Identifier: GPL-2.0-or-later
/* stitch.c - see stitch.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>
#include <fxt/fxt_unknown.h>

#include "libfxt/writer/losses.h"
#include "stitch.h"
#include "tracks.h"

/* --- which thread has a CPU ------------------------------------------------------------- */

/*
 * Find which thread has a CPU where its part of an archive begins and ends.
 *
 * In: the switches of a CPU's chunks; the marks that a source gives, and its counts.
 * Out: the thread, or that it is unknown.
 *
 * A thread that a mark has shown on a CPU has the CPU until its next switch. So the count of
 * switches, lost ones included, shows whether a mark still holds: equal counts before the mark and
 * now prove that there was no switch since.
 */

/** struct edge_owner - the thread that has a CPU */
struct edge_owner {
	uint32_t thread;		/* its id; 0 is the idle thread */
	int32_t weight;			/* its weight */
	bool is_known;			/* else the other fields are 0 */
};

/** struct edge_mark - a mark of the source */
struct edge_mark {
	uint64_t time;			/* ticks */
	uint64_t switches;	/* the producer's count before it; later switches are not in it */
	struct edge_owner owner;	/* the thread */
};

/** struct edge - one CPU; initialized with zeros */
struct edge {
	struct edge_owner has;		/* the thread according to the chunks and their losses */
	struct edge_mark first;	/* mark after recording began or continued, until an archive ends */
	struct edge_mark newest;	/* newest mark */
	uint64_t switches;		/* newest count of the producer, lost ones included */
	uint64_t lost;			/* likewise, of lost records */
};

static const struct edge_owner unknown;

/* --- switches in chunks ------------------------------------------------------------------ */

static bool is_weight(uint64_t arg, uint16_t name)
{
	return (arg & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, name, 0);
}

/* Is it an argument that producers write into switches? */
static bool is_argument(uint64_t arg)
{
	const uint64_t named = arg & ~FXT_ARG_VALUE_STRING;

	return is_weight(arg, FXT_STR_OUTGOING_WEIGHT) ||
	       is_weight(arg, FXT_STR_INCOMING_WEIGHT) ||
	       named == fxt_arg_string(1, FXT_STR_STATE, 0) ||
	       named == fxt_arg_string(1, FXT_STR_UNKNOWN, 0);
}

/* Are these the words of a switch on this CPU, if a record begins here? */
static bool is_switch(const uint64_t *rec, uint64_t left, uint32_t cpu)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]), i;

	if (size < FXT_SWITCH_BASE_WORDS || size > left || size > FXT_SCHED_SWITCH_WORDS ||
	    (rec[0] & ~FXT_SWITCH_STATE) !=
	    fxt_context_switch(size, size - FXT_SWITCH_BASE_WORDS, cpu, 0))
		return false;
	for (i = FXT_SWITCH_BASE_WORDS; i < size; i++)
		if (!is_argument(rec[i]))
			return false;
	return true;
}

/* Do records that follow each other from here on end at @end? */
static bool leads_to(const uint64_t *rec, const uint64_t *end)
{
	uint64_t size;

	for (; rec < end; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (!size || size > (uint64_t)(end - rec))
			return false;
	}
	return true;
}

static bool hides(const uint64_t *rec)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]);

	return size > FXT_SWITCH_BASE_WORDS &&
	       rec[size - 1] == fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_FILTERED);
}

/* @name: FXT_STR_OUTGOING_WEIGHT or FXT_STR_INCOMING_WEIGHT */
static int32_t weight_of(const uint64_t *rec, uint16_t name)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]), i;

	for (i = FXT_SWITCH_BASE_WORDS; i < size; i++)
		if (is_weight(rec[i], name))
			return (int32_t)fxt_get(FXT_ARG_VALUE_32, rec[i]);
	return FXT_SCHED_WEIGHT_NONE;
}

static struct edge_owner outgoing(const uint64_t *rec)
{
	return (struct edge_owner){ rec[2], weight_of(rec, FXT_STR_OUTGOING_WEIGHT), true };
}

static struct edge_owner incoming(const uint64_t *rec)
{
	return hides(rec) && !rec[3] ? unknown :
	       (struct edge_owner){ rec[3], weight_of(rec, FXT_STR_INCOMING_WEIGHT), true };
}

static const uint64_t *begin_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + FXT_LEDGER_WORDS;
}

static const uint64_t *end_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + c->bytes / FXT_WORD;
}

/* Return: NULL if there is none. */
static const uint64_t *first_switch(uint32_t cpu, const struct chunk *c)
{
	const uint64_t *rec = begin_of(c), *end = end_of(c), *next;

	for (; rec < end && (next = chunk_after(rec, end)); rec = next)
		if (is_switch(rec, end - rec, cpu))
			return rec;
	return NULL;
}

/* Does the chunk have a switch on this CPU? */
static bool edge_has_switch(uint32_t cpu, const struct chunk *c)
{
	return first_switch(cpu, c);
}

/*
 * Find the thread that has the CPU at the end of a chunk. Searching backwards needs only a small
 * part of the chunk.
 */
static void edge_chunk(struct edge *e, uint32_t cpu, const struct chunk *c)
{
	const uint64_t *begin = begin_of(c), *end = end_of(c), *rec;

	for (rec = end - FXT_SWITCH_BASE_WORDS; rec >= begin; rec--) {
		if (!is_switch(rec, end - rec, cpu) || !leads_to(rec, end))
			continue;
		e->has = incoming(rec);
		return;
	}
}

/* Return: ticks of the last record; 0 if there is none. */
static uint64_t last_time(const struct chunk *c)
{
	const uint64_t *rec = begin_of(c), *end = end_of(c), *last = NULL, *next;

	for (; rec < end && (next = chunk_after(rec, end)); rec = next)
		last = rec;
	return last ? chunk_record_time(last) : 0;
}

/* --- marks ------------------------------------------------------------------------------- */

/* Recording begins or continues: nothing is known. */
static void edge_start(struct edge *e)
{
	e->has = unknown;
	e->first.owner = unknown;
	e->newest.owner = unknown;
}

/* Note the producer's counts. */
static void edge_count(struct edge *e, const struct stream_stats *stats)
{
	e->switches = stats->switches;
	e->lost = stats->lost;
}

/**
 * edge_mark() - note a mark that was made after edge_count()
 * @is_first: recording has just begun or gone on
 */
static void edge_mark(struct edge *e, const struct source_mark *mark, bool is_first)
{
	e->newest = (struct edge_mark){
		.time = mark->time,
		.switches = e->switches,
		.owner = { mark->thread, mark->weight, true },
	};
	if (is_first)
		e->first = e->newest;
}

/*
 * Is the mark before all switches of the part? @c has all records of the CPU from the beginning,
 * and also all until the mark if it is not a whole sub-buffer that the producer has counted.
 */
static bool precedes(const struct edge_mark *m, const struct chunk *c, const uint64_t *sw)
{
	if (!m->owner.is_known)
		return false;
	if (sw)
		return m->time <= sw[1];
	return !c->kept || m->time <= last_time(c);
}

/**
 * edge_at_begin() - the thread that has the CPU where its part of the archive begins
 * @c: the first chunk of the part, before which nothing was lost; NULL if there is none, or if
 *	something was lost
 * @hides: a filter hides threads
 */
static struct edge_owner edge_at_begin(const struct edge *e, uint32_t cpu, const struct chunk *c,
				       bool hides_threads)
{
	const uint64_t *sw;

	if (e->has.is_known || !c)
		return e->has;
	sw = first_switch(cpu, c);
	if (precedes(&e->first, c, sw))
		return e->first.owner;
	/* With a filter, hidden threads may have come and gone before. */
	return sw && !hides_threads && !hides(sw) ? outgoing(sw) : unknown;
}

/**
 * edge_holder() - the thread of the newest mark, if it has had the CPU since
 * @e: the CPU, after edge_count()
 * @last: ticks of the last record before @time; none was lost
 * @time: ticks; newer marks are ignored
 *
 * The producer may have counted a switch after @time already.
 */
static struct edge_owner edge_holder(const struct edge *e, uint64_t last, uint64_t time)
{
	const struct edge_mark *m = &e->newest;

	return (m->switches == e->switches || m->time > last) && m->time <= time ? m->owner :
										   unknown;
}

/**
 * edge_at_end() - the thread that has the CPU now, after edge_count()
 * @e: the CPU, of which all chunks are known
 * @lost: records lost before the last chunk; if more were, the rest of the stream is a gap, and
 *	the thread is unknown from now on
 * @last: ticks of the last record of these chunks
 * @time: ticks; newer marks are ignored
 */
static struct edge_owner edge_at_end(struct edge *e, uint64_t lost, uint64_t last, uint64_t time)
{
	struct edge_owner holder = edge_holder(e, last, time);

	if (e->lost > lost) {
		e->has = unknown;
		return unknown;
	}
	/* The kernel may have hidden a switch from the source; then @has is out of date. */
	return holder.is_known ? holder : e->has;
}

/* --- streams ---------------------------------------------------------------------------- */

/* The progress of the streams that archives are assembled from. */

#define STREAMS		(FXT_LEDGER_STREAM_NAMES + 1)
#define NOTES		8192	/* chunks that can be undone */

/** struct stream - progress of a stream */
struct stream {
	uint64_t written;		/* records before the next chunk, including lost ones */
	uint64_t lost;			/* how many of them were lost */
	uint64_t last;			/* ticks of the last record, 0 if there was none */
	uint64_t base;			/* @written at the beginning of this archive */
	uint64_t begun;			/* ticks from which this archive has it */
	uint32_t next;			/* sequence number of the next sub-buffer */
	struct edge edge;		/* which thread has the CPU */
	/* First chunks of this archive, until they show which thread had the CPU before. */
	struct chunks held;
	bool is_open;	/* this archive has chunks of it, or knows which thread has the CPU */
	bool is_offline;		/* its CPU is offline, as far as is known */
};

/* State before a chunk, to undo it. */
struct note {
	uint64_t end;		/* bytes of the archive including the chunk */
	uint32_t stream;
	struct stream before;
	struct stitch_totals totals;
};

struct stitch {
	struct fxt_writer *w;
	const struct tracks *tracks;	/* NULL without events of groups */
	uint32_t record_words;		/* words of the largest record */
	uint64_t start;		/* ticks */
	bool is_part;
	bool has_marks;		/* the source knows which thread has each CPU */
	bool holds;		/* chunks without a switch are held back */
	bool hides_threads;	/* the source's filter hides threads */
	struct fxt_loss_names names;	/* in this archive */
	struct stitch_totals totals;
	struct stream streams[STREAMS];
	struct note notes[NOTES];
	uint64_t noted;		/* chunks of this archive */
};

/* --- losses ----------------------------------------------------------------------------- */

/*
 * Report a loss, if there is one: after a record at @from, 0 without one, and before one at @to, or
 * the end. @lost: records lost so far
 */
static int write_loss(struct stitch *st, uint32_t stream, uint64_t from, uint64_t to,
		      uint64_t lost)
{
	struct stream *s = &st->streams[stream];
	struct edge_owner *has = &s->edge.has;
	bool has_run = from && from >= s->begun;
	struct fxt_loss loss = {
		.stream = stream,
		.provider = FXT_SCHED_PROVIDER_ID,
		.records = lost - s->lost,
		.last = from,
		.begin = st->start,
		.end = to,
		.thread = has_run ? has->thread : 0,
		.weight = has->weight,
	};
	uint64_t *worst = stream == FXT_LEDGER_STREAM_NAMES ?
			  &st->totals.worst_names_gap : &st->totals.worst_gap;

	if (!loss.records)
		return 0;
	s->lost = lost;
	st->totals.lost += loss.records;
	if (loss.records > *worst)
		*worst = loss.records;
	*has = (struct edge_owner){ 0 };
	return fxt_loss_write(st->w, &loss, &st->names);
}

/* --- archives --------------------------------------------------------------------------- */

int stitch_open(struct stitch **st)
{
	*st = calloc(1, sizeof(**st));
	if (!*st)
		return -ENOMEM;
	(*st)->record_words = FXT_SCHED_RECORD_WORDS;
	return 0;
}

void stitch_track(struct stitch *st, const struct tracks *tracks, uint32_t record_words)
{
	st->tracks = tracks;
	st->record_words = record_words;
}

void stitch_edges(struct stitch *st, bool holds, bool hides_threads)
{
	st->holds = holds;
	st->hides_threads = hides_threads;
}

void stitch_close(struct stitch *st)
{
	size_t i;

	for (i = 0; st && i < STREAMS; i++)
		chunks_free(&st->streams[i].held);
	free(st);
}

/* --- which thread has a CPU ------------------------------------------------------- */

void stitch_start(struct stitch *st)
{
	size_t i;

	st->has_marks = true;
	for (i = 0; i < STREAMS; i++) {
		edge_start(&st->streams[i].edge);
		st->streams[i].is_offline = false;
	}
}

void stitch_count(struct stitch *st, const struct stream_stats *stats)
{
	edge_count(&st->streams[stats->stream].edge, stats);
}

void stitch_mark(struct stitch *st, const struct source_mark *mark, bool is_first)
{
	edge_mark(&st->streams[mark->cpu].edge, mark, is_first);
}

static int write_mark(struct stitch *st, uint32_t cpu, uint32_t kind, uint64_t time,
		      const struct edge_owner *owner)
{
	if (!st->has_marks || !owner->is_known)
		return 0;
	return fxt_mark_write(st->w, time, cpu, kind, owner->thread, owner->weight);
}

const struct stitch_totals *stitch_totals(const struct stitch *st)
{
	return &st->totals;
}

uint64_t stitch_bytes(const struct stitch *st)
{
	return st->w ? fxt_writer_bytes(st->w) : 0;
}

int stitch_begin(struct stitch *st, struct fxt_writer *w, uint64_t ticks_per_second,
		 const char *session, uint64_t start, bool is_part)
{
	size_t i;
	int ret;

	st->w = w;
	st->start = start;
	st->is_part = is_part;
	st->names = (struct fxt_loss_names){ 0 };
	st->noted = 0;
	st->totals = (struct stitch_totals){ .complete = start };
	for (i = 0; i < STREAMS; i++)
		st->streams[i].is_open = false;
	fxt_writer_magic(w);
	fxt_writer_provider(w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(w, ticks_per_second);
#define WRITE_STRING(index, text) \
	fxt_writer_string(w, index, tracks_string(st->tracks, index, text));
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	fxt_writer_blob(w, FXT_STR_SESSION, session, strlen(session));
	ret = tracks_write(st->tracks, w);
	return ret ? ret : fxt_writer_flush(w);
}

/* --- how streams begin and end ----------------------------------------------------- */

static int write_ledger(struct stitch *st, uint32_t stream, enum fxt_ledger_kind kind,
			uint64_t time)
{
	const struct stream *s = &st->streams[stream];
	struct fxt_ledger ledger = {
		.stream = stream,
		.kind = kind,
		.sequence = s->next,
		.time = time,
		.last = s->last,
		.written = s->written,
		.lost = s->lost,
	};

	return fxt_ledger_write(st->w, &ledger);
}

/*
 * @time: the archive has the complete stream since then. @owner: the thread that has the CPU then.
 *	For a stream that is not a part, the opening ledger has the time since when @owner has had
 *	it.
 */
static int open_stream(struct stitch *st, uint32_t stream, uint64_t time,
		       const struct edge_owner *owner)
{
	struct stream *s = &st->streams[stream];
	bool is_marked = st->has_marks && owner->is_known;
	int ret;

	s->is_open = true;
	s->base = s->written;
	s->begun = time;
	s->edge.has = is_marked ? *owner : (struct edge_owner){ 0 };
	st->totals.before += s->base;
	if (stream != FXT_LEDGER_STREAM_NAMES) {
		st->totals.streams++;
		if (time > st->totals.complete)
			st->totals.complete = time;
	}
	if (!st->is_part && !is_marked && !s->is_offline)
		return 0;
	ret = write_ledger(st, stream, FXT_LEDGER_OPENING, time);
	return ret ? ret : write_mark(st, stream, FXT_STR_BEGIN, time, owner);
}

static int close_stream(struct stitch *st, uint32_t stream, uint64_t now,
			const struct edge_owner *owner)
{
	int ret = write_mark(st, stream, FXT_STR_END, now, owner);

	st->totals.written += st->streams[stream].written - st->streams[stream].base;
	return ret ? ret : write_ledger(st, stream, FXT_LEDGER_CLOSING, now);
}

/* For a stream without a gap: complete since recording started or continued. */
static uint64_t has_all_from(const struct stitch *st, const struct stream *s)
{
	return s->last > st->start ? s->last : st->start;
}

/*
 * Return: when a stream begins in this archive, whose first chunk is @c. If sub-buffers were
 * overwritten since the last chunk, it begins with @c. The time of the start was read just after
 * the start.
 */
static uint64_t begin_by_chunk(struct stitch *st, const struct fxt_ledger *l,
			       const struct chunk *c)
{
	struct stream *s = &st->streams[l->stream];
	uint64_t time = has_all_from(st, s), first = time;

	if (l->kind == FXT_LEDGER_HEAD && l->sequence != s->next) {
		s->written = l->written;
		s->lost = l->lost;
		s->last = l->last;
		s->next = l->sequence;
		s->edge.first.owner.is_known = false;
		return l->time;
	}
	if (l->stream != FXT_LEDGER_STREAM_NAMES && c->bytes > FXT_LEDGER_WORDS * FXT_WORD)
		first = chunk_record_time((const uint64_t *)c->data + FXT_LEDGER_WORDS);
	return first < time ? first : time;
}

/*
 * Open a stream with its first chunk, whose ledger is @first. @c: the first chunk with a switch, or
 * NULL if @owner has had the CPU all the time.
 */
static int open_by_chunk(struct stitch *st, const struct chunk *first, const struct chunk *c,
			 const struct edge_owner *owner)
{
	struct edge_owner found = { 0 };
	struct fxt_ledger l;
	struct stream *s;
	uint64_t time;
	bool is_lost;

	if (!fxt_sched_get_ledger(first->data, &l))
		return -EPROTO;
	s = &st->streams[l.stream];
	time = begin_by_chunk(st, &l, first);
	is_lost = l.kind == FXT_LEDGER_HEAD && l.lost > s->lost;
	if (l.stream == FXT_LEDGER_STREAM_NAMES || s->is_offline)
		;
	else if (c)
		found = edge_at_begin(&s->edge, l.stream, is_lost ? NULL : c, st->hides_threads);
	else if (!is_lost)
		found = *owner;
	return open_stream(st, l.stream, time, &found);
}

/* --- chunks -------------------------------------------------------------------------- */

static void take_note(struct stitch *st, uint32_t stream, const struct stream *before,
		      const struct stitch_totals *totals)
{
	st->notes[st->noted++ % NOTES] = (struct note){
		stitch_bytes(st), stream, *before, *totals,
	};
}

/* The producer has counted the records; the count is wrong only if the producer has a bug. */
static int take_count(const struct stitch *st, struct stream *s, const struct chunk *c)
{
	uint64_t most = st->record_words;
	uint64_t words = c->bytes / FXT_WORD - FXT_LEDGER_WORDS;
	uint64_t records = c->kept - (s->written - s->lost);

	if (records > words || records * most < words)
		return -EPROTO;
	s->written += records;
	s->last = c->last;
	return 0;
}

/* Count the records after the ledger. */
static int count_records(struct stream *s, const struct chunk *c)
{
	const uint64_t *rec = begin_of(c), *end = end_of(c), *last = NULL;
	uint64_t records;

	for (records = 0; rec && rec < end; records++) {
		last = rec;
		rec = chunk_after(rec, end);
	}
	if (!rec)
		return -EPROTO;
	s->written += records;
	if (last && fxt_get(FXT_TYPE, last[0]) != FXT_RECORD_KERNEL_OBJECT)
		s->last = chunk_record_time(last);
	return 0;
}

static int add_chunk(struct stitch *st, const struct chunk *c, const struct fxt_ledger *l,
		     const struct stream *before, const struct stitch_totals *totals)
{
	struct stream *s = &st->streams[l->stream];
	int ret = 0;

	if (l->kind == FXT_LEDGER_HEAD) {
		ret = write_loss(st, l->stream, l->last, l->time, l->lost);
		s->written = l->written;
		s->last = l->last;
		s->next = l->sequence + 1;
	}
	if (!ret)
		ret = c->kept ? take_count(st, s, c) : count_records(s, c);
	if (!ret && l->stream != FXT_LEDGER_STREAM_NAMES)
		edge_chunk(&s->edge, l->stream, c);
	if (!ret)
		ret = fxt_writer_put(st->w, c->data, c->bytes);
	take_note(st, l->stream, before, totals);
	return ret;
}

/*
 * Write the chunks that were held back. @c: the first chunk with a switch, or NULL if @owner has
 * the CPU in all of them.
 */
static int write_held(struct stitch *st, struct stream *s, const struct chunk *c,
		      const struct edge_owner *owner)
{
	struct stitch_totals totals = st->totals;
	struct stream before = *s;
	struct fxt_ledger l;
	struct chunk held;
	size_t at = 0;
	int ret = 0;

	while (!ret && chunks_next(&s->held, &at, &held)) {
		if (!s->is_open)
			ret = open_by_chunk(st, &held, c, owner);
		fxt_sched_get_ledger(held.data, &l);
		if (!ret)
			ret = add_chunk(st, &held, &l, &before, &totals);
	}
	chunks_free(&s->held);
	return ret;
}

/* Hold back a chunk without a switch: a later one may show which thread has had the CPU before. */
static bool is_to_hold(const struct stitch *st, const struct chunk *c, uint32_t stream)
{
	const struct stream *s = &st->streams[stream];

	return st->holds && st->has_marks && stream != FXT_LEDGER_STREAM_NAMES &&
	       !s->is_open && !s->is_offline && !edge_has_switch(stream, c);
}

/* The CPU was offline, and has records again. */
static int come_online(struct stitch *st, struct stream *s, const struct chunk *c,
		       const struct fxt_ledger *l)
{
	bool is_lost = l->kind == FXT_LEDGER_HEAD && l->lost > s->lost;
	struct edge_owner owner = edge_at_begin(&s->edge, l->stream, is_lost ? NULL : c,
						st->hides_threads);

	if (c->bytes == FXT_LEDGER_WORDS * FXT_WORD)
		return 0;
	s->is_offline = false;
	return write_mark(st, l->stream, FXT_STR_ONLINE,
			  chunk_record_time((const uint64_t *)c->data + FXT_LEDGER_WORDS), &owner);
}

int stitch_chunk(struct stitch *st, const struct chunk *c)
{
	struct stitch_totals totals = st->totals;
	struct fxt_ledger ledger;
	struct stream before, *s;
	int ret = 0;

	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD || !fxt_sched_get_ledger(c->data, &ledger))
		return -EPROTO;
	s = &st->streams[ledger.stream];
	if (is_to_hold(st, c, ledger.stream))
		return chunks_add(&s->held, c);
	before = *s;
	if (!chunks_are_none(&s->held))
		ret = write_held(st, s, c, NULL);
	else if (!s->is_open)
		ret = open_by_chunk(st, c, c, NULL);
	if (!ret && s->is_offline)
		ret = come_online(st, s, c, &ledger);
	return ret ? ret : add_chunk(st, c, &ledger, &before, &totals);
}

int stitch_offline(struct stitch *st, uint32_t cpu, uint64_t time)
{
	struct stream *s = &st->streams[cpu];
	struct edge_owner owner = s->edge.has;
	int ret = 0;

	if (!st->has_marks || s->is_offline || s->last > time)
		return 0;
	if (!chunks_are_none(&s->held))
		ret = write_held(st, s, NULL, &(struct edge_owner){ 0 });
	if (!owner.is_known)
		owner = (struct edge_owner){ 0, FXT_SCHED_WEIGHT_IDLE, true };
	s->is_offline = true;
	edge_start(&s->edge);
	if (ret || !s->is_open)
		return ret;
	return write_mark(st, cpu, FXT_STR_OFFLINE, s->last > s->begun ? s->last : s->begun,
			  &owner);
}

/* --- ends -------------------------------------------------------------------------------- */

/* Open a stream at the end of this archive, which has no switch of it. */
static int open_late(struct stitch *st, const struct stream_stats *stats, uint64_t now)
{
	struct stream *s = &st->streams[stats->stream];
	struct edge_owner owner = { 0 };

	if (stats->lost == s->lost || !chunks_are_none(&s->held))
		owner = edge_holder(&s->edge, s->last, now);
	if (!chunks_are_none(&s->held))
		return write_held(st, s, NULL, &owner);
	if (!owner.is_known && stats->lost == s->lost)
		owner = s->edge.has;
	/* All records are older than this archive. */
	if (st->is_part) {
		s->written = stream_written(stats);
		s->lost = stats->lost;
		s->last = stats->last;
		s->next = stats->subbufs;
	}
	return open_stream(st, stats->stream, has_all_from(st, s), &owner);
}

int stitch_stream_end(struct stitch *st, const struct stream_stats *stats, uint64_t now)
{
	struct stream *s = &st->streams[stats->stream];
	struct edge_owner owner = { 0 };
	uint64_t lost;
	int ret = 0;

	/* Names are recorded a little longer. */
	if (stats->stream == FXT_LEDGER_STREAM_NAMES && stats->last > now)
		now = stats->last;
	edge_count(&s->edge, stats);
	if (!s->is_open)
		ret = open_late(st, stats, now);
	lost = s->lost;
	if (!ret)
		ret = write_loss(st, stats->stream, stats->last, now, stats->lost);
	if (!ret && stats->stream != FXT_LEDGER_STREAM_NAMES)
		owner = edge_at_end(&s->edge, lost, s->last, now);
	s->written = stream_written(stats);
	s->last = stats->last;
	s->next = stats->subbufs;
	return ret ? ret : close_stream(st, stats->stream, now, &owner);
}

int stitch_stream_break(struct stitch *st, const struct stream_stats *stats, uint64_t now)
{
	const struct stream *s = &st->streams[stats->stream];
	struct stream_stats all = *stats;

	all.lost = stream_written(stats) - (s->written - s->lost);
	all.last = s->last;
	all.subbufs = s->next;
	return stitch_stream_end(st, &all, now);
}

static int cut_cpu(struct stitch *st, uint32_t cpu, uint64_t now)
{
	struct stream *s = &st->streams[cpu];
	struct edge_owner before = s->edge.has, owner;
	bool is_lost = s->edge.lost > s->lost;
	int ret = 0;

	owner = st->has_marks ? edge_at_end(&s->edge, s->lost, s->last, now) : before;
	if (!s->is_open && st->has_marks && owner.is_known)
		ret = open_stream(st, cpu, has_all_from(st, s),
				  before.is_known || is_lost ? &before : &owner);
	if (!ret && s->is_open)
		ret = close_stream(st, cpu, now, &owner);
	/* The next archive begins here. */
	s->edge.has = st->has_marks ? owner : (struct edge_owner){ 0 };
	s->edge.first.owner.is_known = false;
	return ret;
}

int stitch_cut(struct stitch *st, uint64_t now)
{
	static const struct edge_owner nobody;
	const struct stream *names = &st->streams[FXT_LEDGER_STREAM_NAMES];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < FXT_LEDGER_STREAM_NAMES && !ret; i++)
		ret = cut_cpu(st, i, now);
	/* The stream of names is not divided: everything fetched is in this archive. */
	if (!ret && names->is_open)
		ret = close_stream(st, FXT_LEDGER_STREAM_NAMES, names->last > now ? names->last : now,
				   &nobody);
	return ret;
}

int stitch_back(struct stitch *st, uint64_t kept)
{
	uint64_t least = st->noted > NOTES ? st->noted - NOTES : 0;

	while (st->noted > least && st->notes[(st->noted - 1) % NOTES].end > kept) {
		const struct note *n = &st->notes[--st->noted % NOTES];

		st->streams[n->stream] = n->before;
		st->totals = n->totals;
	}
	/* Names may have been removed with the chunks; writing them twice is harmless. */
	st->names = (struct fxt_loss_names){ 0 };
	return st->noted > least || !least ? 0 : -ERANGE;
}
