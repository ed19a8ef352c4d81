// SPDX-License-Identifier: GPL-2.0-or-later
/* stitch.c - see stitch.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>
#include <fxt/fxt_sched_load.h>
#include <fxt/fxt_unknown.h>

#include "libfxt/writer/losses.h"
#include "stitch.h"
#include "tracks.h"

/* --- which thread has a CPU ------------------------------------------------------------- */

/*
 * Find which thread has a CPU where its part of an archive begins and ends, from the switches of
 * its chunks, the marks that a source gives, and its counts.
 *
 * A thread that a mark has shown on a CPU has the CPU until its next switch. So the count of
 * switches, lost ones included, shows whether a mark still holds: equal counts before the mark and
 * now prove that there was no switch since.
 */

static const struct fxt_owner unknown;

struct noted_mark {
	uint64_t time;			/* ticks */
	uint64_t switches;	/* the producer's count before it; later switches are not in it */
	struct fxt_owner owner;
	uint64_t steal;		/* 1 + ns, as of struct source_mark; 0: not recorded */
};

/* Progress of a stream. */
struct stream {
	struct fxt_progress p; /* before the next chunk; @p.has is by the chunks and their losses */
	uint64_t base;			/* records at the beginning of this archive */
	struct noted_mark first; /* after recording began or continued, until an archive ends */
	struct noted_mark newest;
	uint64_t base_steal; /* likewise, where this archive begins; 0: unknown */
	uint64_t switches;		/* newest count of the producer, lost ones included */
	uint64_t lost;			/* likewise, of lost records */
	struct chunks held; /* the first of this archive, until they show who had the CPU before */
	bool is_open;	/* this archive has chunks of it, or knows which thread has the CPU */
	bool is_offline;		/* its CPU is offline, as far as is known */
};

static bool is_names(const struct stream *s)
{
	return s->p.stream == FXT_LEDGER_STREAM_NAMES;
}

/* --- switches in chunks ------------------------------------------------------------------ */

static bool is_weight(uint64_t arg, uint16_t name)
{
	return (arg & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, name, 0);
}

/* Do producers write this argument into switches? */
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

/* Do the records from here on end exactly at @end? */
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

static int32_t weight_of(const uint64_t *rec, uint16_t name)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]), i;

	for (i = FXT_SWITCH_BASE_WORDS; i < size; i++)
		if (is_weight(rec[i], name))
			return (int32_t)fxt_get(FXT_ARG_VALUE_32, rec[i]);
	return FXT_SCHED_WEIGHT_NONE;
}

static struct fxt_owner outgoing(const uint64_t *rec)
{
	return (struct fxt_owner){ rec[2], weight_of(rec, FXT_STR_OUTGOING_WEIGHT), true };
}

static struct fxt_owner incoming(const uint64_t *rec)
{
	return hides(rec) && !rec[3] ? unknown :
	       (struct fxt_owner){ rec[3], weight_of(rec, FXT_STR_INCOMING_WEIGHT), true };
}

static const uint64_t *begin_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + FXT_LEDGER_WORDS;
}

static const uint64_t *end_of(const struct chunk *c)
{
	return (const uint64_t *)c->data + c->bytes / FXT_WORD;
}

static const uint64_t *first_switch(uint32_t cpu, const struct chunk *c)
{
	const uint64_t *rec = begin_of(c), *end = end_of(c), *next;

	for (; rec < end && (next = chunk_after(rec, end)); rec = next)
		if (is_switch(rec, end - rec, cpu))
			return rec;
	return NULL;
}

/* The last switch shows it. A search backwards needs little of the chunk. */
static void find_owner(struct stream *s, const struct chunk *c)
{
	const uint64_t *begin = begin_of(c), *end = end_of(c), *rec;

	for (rec = end - FXT_SWITCH_BASE_WORDS; rec >= begin; rec--) {
		if (!is_switch(rec, end - rec, s->p.stream) || !leads_to(rec, end))
			continue;
		s->p.has = incoming(rec);
		return;
	}
}

/* Ticks of the last record; 0 if there is none. */
static uint64_t last_time(const struct chunk *c)
{
	const uint64_t *rec = begin_of(c), *end = end_of(c), *last = NULL, *next;

	for (; rec < end && (next = chunk_after(rec, end)); rec = next)
		last = rec;
	return last ? chunk_record_time(last) : 0;
}

/* --- marks ------------------------------------------------------------------------------- */

/* Recording begins or continues: nothing is known. */
static void forget_owners(struct stream *s)
{
	s->p.has = s->first.owner = s->newest.owner = unknown;
	s->base_steal = 0;
}

/*
 * Is the mark before all switches of the part? @c has all records of the CPU from the beginning,
 * and also all until the mark if it is not a whole sub-buffer that the producer has counted.
 */
static bool precedes(const struct noted_mark *m, const struct chunk *c, const uint64_t *sw)
{
	if (!m->owner.is_known)
		return false;
	if (sw)
		return m->time <= sw[1];
	return !c->kept || m->time <= last_time(c);
}

/*
 * The thread that has the CPU where its part of the archive begins. @c: the first chunk of the
 * part; NULL if something was lost before it. @hides_threads: hidden ones may have come and gone
 */
static struct fxt_owner owner_at_begin(const struct stream *s, const struct chunk *c,
				       bool hides_threads)
{
	const uint64_t *sw;

	if (s->p.has.is_known || !c)
		return s->p.has;
	sw = first_switch(s->p.stream, c);
	if (precedes(&s->first, c, sw))
		return s->first.owner;
	return sw && !hides_threads && !hides(sw) ? outgoing(sw) : unknown;
}

/*
 * The thread of the newest mark up to @time, if it has had the CPU since, and no record was lost.
 * The producer may have counted a switch after @time already.
 */
static struct fxt_owner owner_of_mark(const struct stream *s, uint64_t time)
{
	const struct noted_mark *m = &s->newest;

	return (m->switches == s->switches || m->time > s->p.last) && m->time <= time ? m->owner :
											 unknown;
}

/*
 * The thread that has the CPU now, of which all chunks are known. If more than @lost records were
 * lost, the rest of the stream is a gap. The kernel may have hidden a switch from the source; then
 * only the mark is up to date.
 */
static struct fxt_owner owner_at_end(const struct stream *s, uint64_t lost, uint64_t time)
{
	struct fxt_owner owner = owner_of_mark(s, time);

	return s->lost > lost ? unknown : owner.is_known ? owner : s->p.has;
}

/* --- archives --------------------------------------------------------------------------- */

#define STREAMS		(FXT_LEDGER_STREAM_NAMES + 1)
#define NOTES		8192	/* chunks that can be undone */

/* State before a chunk, to undo it. */
struct note {
	uint64_t end;		/* bytes of the archive including the chunk */
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
		forget_owners(&st->streams[i]);
		st->streams[i].is_offline = false;
	}
}

void stitch_count(struct stitch *st, const struct stream_stats *stats)
{
	st->streams[stats->stream].switches = stats->switches;
	st->streams[stats->stream].lost = stats->lost;
}

void stitch_mark(struct stitch *st, const struct source_mark *mark, bool is_first)
{
	struct stream *s = &st->streams[mark->cpu];
	bool has_steal = st->tracks && st->tracks->groups & FXT_SCHED_EVENTS_STEAL;

	s->newest = (struct noted_mark){
		mark->time, s->switches, { mark->thread, mark->weight, true },
		has_steal ? mark->steal + 1 : 0,
	};
	if (is_first) {
		s->first = s->newest;
		s->base_steal = s->newest.steal;
	}
}

static int write_mark(struct stitch *st, struct stream *s, uint32_t kind, uint64_t time,
		      const struct fxt_owner *owner)
{
	if (!st->has_marks || !owner->is_known)
		return 0;
	return fxt_mark_write(st->w, s->p.stream, kind, time, owner);
}

/* 1 + the counter of the newest mark; 0 if none is known, or if that was after @time. */
static uint64_t steal_until(const struct stream *s, uint64_t time)
{
	return s->newest.owner.is_known && s->newest.time <= time ? s->newest.steal : 0;
}

/*
 * The counter outside of the stream: the first and the last part of its growth. A filter by threads
 * keeps none of it. @steal: 1 + ns; 0: unknown
 */
static int write_steal(struct stitch *st, const struct stream *s, uint64_t time, uint64_t steal)
{
	__u64 words[FXT_SCHED_STEAL_WORDS];

	if (!st->has_marks || st->hides_threads || !steal)
		return 0;
	fxt_sched_put_steal(words, time, s->p.stream, steal - 1, FXT_STR_STEAL);
	return fxt_writer_put(st->w, words, sizeof(words));
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

	st->w = w;
	st->start = start;
	st->is_part = is_part;
	st->names = (struct fxt_loss_names){ 0 };
	st->noted = 0;
	st->totals = (struct stitch_totals){ .complete = start };
	for (i = 0; i < STREAMS; i++) {
		st->streams[i].is_open = false;
		st->streams[i].p.stream = i;
		st->streams[i].p.provider = FXT_SCHED_PROVIDER_ID;
	}
	fxt_writer_magic(w);
	fxt_writer_provider(w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(w, ticks_per_second);
#define WRITE_STRING(index, text) \
	fxt_writer_string(w, index, tracks_string(st->tracks, index, text));
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	fxt_writer_blob(w, FXT_STR_SESSION, session, strlen(session));
	tracks_write(st->tracks, w);
	return fxt_writer_flush(w);
}

/* --- how streams begin and end ----------------------------------------------------- */

/* Report that @lost records are lost in all, if more are than before, before a record at @to. */
static int write_loss(struct stitch *st, struct stream *s, uint64_t to, uint64_t lost)
{
	uint64_t *worst = is_names(s) ? &st->totals.worst_names_gap : &st->totals.worst_gap;
	uint64_t records = lost - s->p.lost;

	st->totals.lost += records;
	if (records > *worst)
		*worst = records;
	return fxt_loss_write(st->w, &s->p, records, to, &st->names);
}

/*
 * The archive has the complete stream since @time, when @owner has the CPU. For a stream that is
 * not a part, the opening ledger has the time since when @owner has had it.
 */
static int open_stream(struct stitch *st, struct stream *s, uint64_t time,
		       const struct fxt_owner *owner)
{
	bool is_marked = st->has_marks && owner->is_known;
	int ret;

	s->is_open = true;
	s->base = s->p.written;
	s->p.begun = time;
	s->p.has = is_marked ? *owner : unknown;
	st->totals.before += s->base;
	if (!is_names(s)) {
		st->totals.streams++;
		if (time > st->totals.complete)
			st->totals.complete = time;
	}
	if (!st->is_part && !is_marked && !s->is_offline)
		return 0;
	ret = fxt_ledger_write(st->w, &s->p, FXT_LEDGER_OPENING, time);
	ret = ret ? ret : write_mark(st, s, FXT_STR_BEGIN, time, owner);
	return ret ? ret : write_steal(st, s, time, s->base_steal ? : steal_until(s, time));
}

static int close_stream(struct stitch *st, struct stream *s, uint64_t now,
			const struct fxt_owner *owner)
{
	int ret = write_mark(st, s, FXT_STR_END, now, owner);

	st->totals.written += s->p.written - s->base;
	ret = ret ? ret : fxt_ledger_write(st->w, &s->p, FXT_LEDGER_CLOSING, now);
	return ret ? ret : write_steal(st, s, now, steal_until(s, now));
}

/* For a stream without a gap: complete since recording started or continued. */
static uint64_t has_all_from(const struct stitch *st, const struct stream *s)
{
	return s->p.last > st->start ? s->p.last : st->start;
}

/*
 * When a stream begins in this archive, whose first chunk is @c. If sub-buffers were overwritten
 * since the last chunk, it begins with @c. The time of the start was read just after the start.
 */
static uint64_t begin_by_chunk(const struct stitch *st, struct stream *s,
			       const struct fxt_ledger *l, const struct chunk *c)
{
	uint64_t time = has_all_from(st, s), first = time;

	if (l->kind == FXT_LEDGER_HEAD && l->sequence != s->p.next) {
		s->p.written = l->written;
		s->p.lost = l->lost;
		s->p.last = l->last;
		s->p.next = l->sequence;
		s->first.owner.is_known = false;
		s->base_steal = 0;
		return l->time;
	}
	if (!is_names(s) && c->bytes > FXT_LEDGER_WORDS * FXT_WORD)
		first = chunk_record_time(begin_of(c));
	return first < time ? first : time;
}

/* Were records lost before the chunk with this ledger? */
static bool is_after_loss(const struct stream *s, const struct fxt_ledger *l)
{
	return l->kind == FXT_LEDGER_HEAD && l->lost > s->p.lost;
}

/*
 * Open a stream with its first chunk, whose ledger is @l. @c: the first chunk with a switch, or
 * NULL if @owner has had the CPU all the time.
 */
static int open_by_chunk(struct stitch *st, struct stream *s, const struct fxt_ledger *l,
			 const struct chunk *first, const struct chunk *c,
			 const struct fxt_owner *owner)
{
	uint64_t time = begin_by_chunk(st, s, l, first);
	bool is_lost = is_after_loss(s, l);
	struct fxt_owner found = unknown;

	if (is_names(s) || s->is_offline)
		;
	else if (c)
		found = owner_at_begin(s, is_lost ? NULL : c, st->hides_threads);
	else if (!is_lost)
		found = *owner;
	return open_stream(st, s, time, &found);
}

/* --- chunks -------------------------------------------------------------------------- */

/* The producer has counted the records; the count is wrong only if the producer has a bug. */
static int apply_count(const struct stitch *st, struct stream *s, const struct chunk *c)
{
	uint64_t most = st->record_words;
	uint64_t words = c->bytes / FXT_WORD - FXT_LEDGER_WORDS;
	uint64_t records = c->kept - (s->p.written - s->p.lost);

	if (records > words || records * most < words)
		return -EPROTO;
	s->p.written += records;
	s->p.last = c->last;
	return 0;
}

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
	s->p.written += records;
	if (last && fxt_get(FXT_TYPE, last[0]) != FXT_RECORD_KERNEL_OBJECT)
		s->p.last = chunk_record_time(last);
	return 0;
}

/* @before: the state that stitch_back() restores */
static int add_chunk(struct stitch *st, struct stream *s, const struct chunk *c,
		     const struct fxt_ledger *l, struct note *before)
{
	int ret = 0;

	if (l->kind == FXT_LEDGER_HEAD) {
		s->p.written = l->written;
		s->p.last = l->last;
		s->p.next = l->sequence + 1;
		ret = write_loss(st, s, l->time, l->lost);
	}
	if (!ret)
		ret = c->kept ? apply_count(st, s, c) : count_records(s, c);
	if (!ret && !is_names(s))
		find_owner(s, c);
	ret = ret ? ret : fxt_writer_put(st->w, c->data, c->bytes);
	before->end = stitch_bytes(st);
	st->notes[st->noted++ % NOTES] = *before;
	return ret;
}

/* @c: the first chunk with a switch, or NULL if @owner has the CPU in all chunks held back. */
static int write_held(struct stitch *st, struct stream *s, const struct chunk *c,
		      const struct fxt_owner *owner)
{
	struct note before = { .before = *s, .totals = st->totals };
	struct fxt_ledger l = { 0 };
	struct chunk held;
	size_t at = 0;
	int ret = 0;

	while (!ret && chunks_next(&s->held, &at, &held)) {
		fxt_sched_get_ledger(held.data, &l);
		if (!s->is_open)
			ret = open_by_chunk(st, s, &l, &held, c, owner);
		ret = ret ? ret : add_chunk(st, s, &held, &l, &before);
	}
	chunks_free(&s->held);
	return ret;
}

/* A chunk without a switch is held back: a later one may show who had the CPU before. */
static bool is_to_hold(const struct stitch *st, const struct stream *s, const struct chunk *c)
{
	return st->holds && st->has_marks && !is_names(s) && !s->is_open && !s->is_offline &&
	       !first_switch(s->p.stream, c);
}

/* The CPU was offline, and has records again. */
static int come_online(struct stitch *st, struct stream *s, const struct chunk *c,
		       const struct fxt_ledger *l)
{
	struct fxt_owner owner = owner_at_begin(s, is_after_loss(s, l) ? NULL : c,
						st->hides_threads);

	if (c->bytes == FXT_LEDGER_WORDS * FXT_WORD)
		return 0;
	s->is_offline = false;
	return write_mark(st, s, FXT_STR_ONLINE, chunk_record_time(begin_of(c)), &owner);
}

int stitch_chunk(struct stitch *st, const struct chunk *c)
{
	struct fxt_ledger ledger;
	struct note before;
	struct stream *s;
	int ret = 0;

	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD || !fxt_sched_get_ledger(c->data, &ledger))
		return -EPROTO;
	s = &st->streams[ledger.stream];
	if (is_to_hold(st, s, c))
		return chunks_add(&s->held, c);
	before = (struct note){ .before = *s, .totals = st->totals };
	if (!chunks_are_none(&s->held))
		ret = write_held(st, s, c, NULL);
	else if (!s->is_open)
		ret = open_by_chunk(st, s, &ledger, c, c, NULL);
	if (!ret && s->is_offline)
		ret = come_online(st, s, c, &ledger);
	return ret ? ret : add_chunk(st, s, c, &ledger, &before);
}

int stitch_offline(struct stitch *st, uint32_t cpu, uint64_t time)
{
	struct stream *s = &st->streams[cpu];
	struct fxt_owner owner = s->p.has;
	int ret = 0;

	if (!st->has_marks || s->is_offline || s->p.last > time)
		return 0;
	if (!chunks_are_none(&s->held))
		ret = write_held(st, s, NULL, &unknown);
	if (!owner.is_known)
		owner = (struct fxt_owner){ 0, FXT_SCHED_WEIGHT_IDLE, true };
	s->is_offline = true;
	forget_owners(s);
	if (ret || !s->is_open)
		return ret;
	return write_mark(st, s, FXT_STR_OFFLINE, s->p.last > s->p.begun ? s->p.last : s->p.begun,
			  &owner);
}

/* --- ends -------------------------------------------------------------------------------- */

/* Take over the counts of the producer, all of whose chunks are known. */
static void set_counts(struct stream *s, const struct stream_stats *stats)
{
	s->p.written = stream_written(stats);
	s->p.last = stats->last;
	s->p.next = stats->subbufs;
}

/* Open a stream at the end of this archive, which has no switch of it; @breaks: it lacks some. */
static int open_late(struct stitch *st, struct stream *s, const struct stream_stats *stats,
		     uint64_t now, bool breaks)
{
	struct fxt_owner owner = unknown;

	if (stats->lost == s->p.lost || !chunks_are_none(&s->held))
		owner = owner_of_mark(s, now);
	if (!chunks_are_none(&s->held))
		return write_held(st, s, NULL, &owner);
	if (!owner.is_known && stats->lost == s->p.lost)
		owner = s->p.has;
	/* All records are older than this archive. */
	if (st->is_part && !breaks) {
		set_counts(s, stats);
		s->p.lost = stats->lost;
	}
	return open_stream(st, s, has_all_from(st, s), &owner);
}

static int end_stream(struct stitch *st, const struct stream_stats *stats, uint64_t now,
		      bool breaks)
{
	struct stream *s = &st->streams[stats->stream];
	struct fxt_owner owner = unknown;
	int ret = 0;

	/* Names are recorded a little longer. */
	if (is_names(s) && stats->last > now)
		now = stats->last;
	stitch_count(st, stats);
	if (!s->is_open)
		ret = open_late(st, s, stats, now, breaks);
	if (!is_names(s))
		owner = owner_at_end(s, s->p.lost, now);
	set_counts(s, stats);
	ret = ret ? ret : write_loss(st, s, now, stats->lost);
	return ret ? ret : close_stream(st, s, now, &owner);
}

int stitch_stream_end(struct stitch *st, const struct stream_stats *stats, uint64_t now)
{
	return end_stream(st, stats, now, false);
}

int stitch_stream_break(struct stitch *st, const struct stream_stats *stats, uint64_t now)
{
	struct stream *s = &st->streams[stats->stream];
	struct stream_stats all = *stats;

	/* There may be no space for chunks that were held back. */
	chunks_free(&s->held);
	all.lost = stream_written(stats) - (s->p.written - s->p.lost);
	all.last = s->p.last;
	all.subbufs = s->p.next;
	return end_stream(st, &all, now, true);
}

static int cut_cpu(struct stitch *st, struct stream *s, uint64_t now)
{
	struct fxt_owner before = s->p.has, owner;
	bool is_lost = s->lost > s->p.lost;
	int ret = 0;

	owner = st->has_marks ? owner_at_end(s, s->p.lost, now) : before;
	if (!s->is_open && st->has_marks && owner.is_known)
		ret = open_stream(st, s, has_all_from(st, s),
				  before.is_known || is_lost ? &before : &owner);
	if (!ret && s->is_open)
		ret = close_stream(st, s, now, &owner);
	/* The next archive begins here. */
	s->p.has = st->has_marks ? owner : unknown;
	s->first.owner.is_known = false;
	s->base_steal = steal_until(s, now);
	return ret;
}

int stitch_cut(struct stitch *st, uint64_t now)
{
	struct stream *names = &st->streams[FXT_LEDGER_STREAM_NAMES];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < FXT_LEDGER_STREAM_NAMES && !ret; i++)
		ret = cut_cpu(st, &st->streams[i], now);
	/* The stream of names is not divided: everything fetched is in this archive. */
	if (!ret && names->is_open)
		ret = close_stream(st, names, names->p.last > now ? names->p.last : now, &unknown);
	return ret;
}

int stitch_back(struct stitch *st, uint64_t kept)
{
	uint64_t least = st->noted > NOTES ? st->noted - NOTES : 0;

	while (st->noted > least && st->notes[(st->noted - 1) % NOTES].end > kept) {
		const struct note *n = &st->notes[--st->noted % NOTES];

		st->streams[n->before.p.stream] = n->before;
		/* write_held() has freed them. */
		st->streams[n->before.p.stream].held = (struct chunks){ 0 };
		st->totals = n->totals;
	}
	/* Names may have been removed with the chunks; writing them twice is harmless. */
	st->names = (struct fxt_loss_names){ 0 };
	return st->noted > least || !least ? 0 : -ERANGE;
}
