// SPDX-License-Identifier: GPL-2.0-or-later
/* stitch.c - see stitch.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_unknown.h>

#include "libfxt/fxt_strings.h"
#include "libfxt/fxt_writer.h"
#include "stitch.h"
#include "tracks.h"
#include "when.h"

#define STREAMS		(FXT_LEDGER_STREAM_NAMES + 1)
#define NOTES		8192	/* chunks that can be taken back */

/**
 * struct stream - progress of a stream
 * @written: records before the next chunk, including lost ones
 * @lost: how many of them were lost
 * @last: ticks of the last record, 0 if there was none
 * @next: sequence number of the next sub-buffer
 * @base: @written at the beginning of this archive
 * @in: id of the thread switched in last in this archive; 0 for the idle thread, or if
 *	unknown
 * @in_weight: weight of that thread
 * @is_open: this archive has chunks of it
 * @loss_named: this archive has a name for its track of losses
 */
struct stream {
	uint64_t written;
	uint64_t lost;
	uint64_t last;
	uint64_t base;
	uint32_t next;
	uint32_t in;
	int32_t in_weight;
	bool is_open;
	bool loss_named;
};

/* State before a chunk, to take it back. */
struct note {
	uint64_t end;		/* bytes of the archive including the chunk */
	uint32_t stream;
	struct stream before;
	struct stitch_totals totals;
};

struct stitch {
	struct fxt_writer *w;
	const struct tracks *tracks;	/* NULL without events of groups */
	uint32_t record_words;		/* of the largest record */
	uint64_t start;		/* ticks */
	bool is_part;
	bool loss_named;	/* the process of the loss tracks has a name */
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

void stitch_close(struct stitch *st)
{
	free(st);
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
	st->loss_named = false;
	st->noted = 0;
	st->totals = (struct stitch_totals){ .complete = start };
	for (i = 0; i < STREAMS; i++) {
		st->streams[i].is_open = false;
		st->streams[i].loss_named = false;
	}
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

/* --- losses --------------------------------------------------------------------- */

static int name_loss_track(struct stitch *st, uint32_t stream)
{
	char name[32];
	int ret = 0;

	if (st->streams[stream].loss_named)
		return 0;
	if (!st->loss_named)
		ret = fxt_writer_process(st->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
	if (ret)
		return ret;
	st->loss_named = true;
	if (stream == FXT_LEDGER_STREAM_NAMES)
		snprintf(name, sizeof(name), "lost names");
	else
		snprintf(name, sizeof(name), "lost on cpu %u", stream);
	st->streams[stream].loss_named = true;
	return fxt_writer_thread(st->w, fxt_sched_loss_koid(stream),
				 FXT_SCHED_KOID_LOSS, FXT_STR_PROCESS, name);
}

/*
 * The thread that ran before the gap may have been switched out at any time since.
 * Readers that ignore losses would show it running until the next switch. So write a
 * switch that ends its run at the last known moment.
 */
static int end_run(struct stitch *st, uint32_t cpu, uint64_t time)
{
	struct stream *s = &st->streams[cpu];
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words;

	if (!s->in || !time)
		return 0;
	words = fxt_sched_put_unknown_switch(rec, time, cpu, s->in, 0, s->in_weight,
					     FXT_SCHED_WEIGHT_IDLE, FXT_SCHED_STATE_UNKNOWN,
					     FXT_STR_LOST);
	s->in = 0;
	return fxt_writer_put(st->w, rec, words * FXT_WORD);
}

/*
 * Report a loss in both ways: as a provider event, as the specification defines, and as a
 * slice on a track of its own, from the last record before the gap to the first one after
 * it.
 */
static int write_loss(struct stitch *st, uint32_t stream, uint64_t from,
		     uint64_t to, uint64_t lost)
{
	uint64_t records = lost - st->streams[stream].lost;
	uint64_t *worst = stream == FXT_LEDGER_STREAM_NAMES ?
			  &st->totals.worst_names_gap : &st->totals.worst_gap;
	struct fxt_slice slice = {
		.start = from ? from : st->start,
		.end = to,
		.process = FXT_SCHED_KOID_LOSS,
		.thread = fxt_sched_loss_koid(stream),
		.category = FXT_STR_CATEGORY,
		.name = FXT_STR_LOST,
		.arg_name = FXT_STR_RECORDS,
		.arg = records > UINT32_MAX ? UINT32_MAX : records,
	};
	int ret;

	if (!records)
		return 0;
	st->streams[stream].lost = lost;
	st->totals.lost += records;
	if (records > *worst)
		*worst = records;
	ret = name_loss_track(st, stream);
	if (!ret)
		ret = fxt_writer_provider_event(st->w, FXT_SCHED_PROVIDER_ID);
	if (!ret)
		ret = fxt_writer_slice(st->w, &slice);
	return ret ? ret : end_run(st, stream, from);
}

/* --- how streams begin and end ----------------------------------------------------- */

static int write_ledger(struct stitch *st, uint32_t stream, enum fxt_ledger_kind kind,
			uint64_t time)
{
	const struct stream *s = &st->streams[stream];
	__u64 rec[FXT_LEDGER_WORDS];
	struct fxt_ledger ledger = {
		.stream = stream,
		.kind = kind,
		.sequence = s->next,
		.time = time,
		.last = s->last,
		.written = s->written,
		.lost = s->lost,
	};

	fxt_sched_put_ledger(rec, &ledger);
	return fxt_writer_put(st->w, rec, sizeof(rec));
}

/* @time: the archive has the complete stream from then on. */
static int open_stream(struct stitch *st, uint32_t stream, uint64_t time)
{
	struct stream *s = &st->streams[stream];

	s->is_open = true;
	s->base = s->written;
	s->in = 0;
	st->totals.before += s->base;
	if (stream != FXT_LEDGER_STREAM_NAMES) {
		st->totals.streams++;
		if (time > st->totals.complete)
			st->totals.complete = time;
	}
	return st->is_part ? write_ledger(st, stream, FXT_LEDGER_OPENING, time) : 0;
}

static int close_stream(struct stitch *st, uint32_t stream, uint64_t now)
{
	st->totals.written += st->streams[stream].written - st->streams[stream].base;
	return write_ledger(st, stream, FXT_LEDGER_CLOSING, now);
}

/* For a stream without a gap: complete since recording started or continued. */
static uint64_t has_all_from(const struct stitch *st, const struct stream *s)
{
	return s->last > st->start ? s->last : st->start;
}

/*
 * Handle the first chunk of a stream in this archive. If sub-buffers were overwritten
 * since the last chunk, the stream begins with this one.
 */
static int open_by_chunk(struct stitch *st, const struct fxt_ledger *l)
{
	struct stream *s = &st->streams[l->stream];

	if (l->kind != FXT_LEDGER_HEAD || l->sequence == s->next)
		return open_stream(st, l->stream, has_all_from(st, s));
	s->written = l->written;
	s->lost = l->lost;
	s->last = l->last;
	s->next = l->sequence;
	return open_stream(st, l->stream, l->time);
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
	const uint64_t *rec = c->data, *end = rec + c->bytes / FXT_WORD, *last = NULL;
	uint64_t size, records = 0;

	for (rec += FXT_LEDGER_WORDS; rec < end; rec += size) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (size < 2 || size > (uint64_t)(end - rec))
			return -EPROTO;
		last = rec;
		records++;
	}
	s->written += records;
	if (last && fxt_get(FXT_TYPE, last[0]) != FXT_RECORD_KERNEL_OBJECT)
		s->last = when(last);
	return 0;
}

/* Are these the words of a switch on this CPU? No other words in a chunk match. */
static bool is_switch(const uint64_t *rec, uint64_t left, uint32_t cpu)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]);

	return size >= FXT_SCHED_USUAL_SWITCH_WORDS && size <= left &&
	       (rec[0] & ~FXT_SWITCH_STATE) ==
	       fxt_context_switch(size, size - FXT_SWITCH_BASE_WORDS, cpu, 0) &&
	       (rec[4] & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, 0) &&
	       (rec[5] & ~FXT_ARG_VALUE_32) == fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, 0);
}

/*
 * Find the thread running at the end of the chunk from its last switch. The search runs
 * backwards, and so reads very little of the chunk.
 */
static void note_incoming(struct stream *s, uint32_t cpu, const struct chunk *c)
{
	const uint64_t *begin = (const uint64_t *)c->data + FXT_LEDGER_WORDS, *rec;
	const uint64_t *end = begin + c->bytes / FXT_WORD - FXT_LEDGER_WORDS;

	for (rec = end - FXT_SCHED_USUAL_SWITCH_WORDS; rec >= begin; rec--) {
		if (!is_switch(rec, end - rec, cpu))
			continue;
		s->in = rec[3];
		s->in_weight = (int32_t)fxt_get(FXT_ARG_VALUE_32, rec[5]);
		return;
	}
}

int stitch_chunk(struct stitch *st, const struct chunk *c)
{
	struct stitch_totals totals = st->totals;
	struct fxt_ledger ledger;
	struct stream before, *s;
	int ret = 0;

	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD ||
	    !fxt_sched_get_ledger(c->data, &ledger))
		return -EPROTO;
	s = &st->streams[ledger.stream];
	before = *s;
	if (!s->is_open)
		ret = open_by_chunk(st, &ledger);
	if (!ret && ledger.kind == FXT_LEDGER_HEAD) {
		ret = write_loss(st, ledger.stream, ledger.last, ledger.time, ledger.lost);
		s->written = ledger.written;
		s->last = ledger.last;
		s->next = ledger.sequence + 1;
	}
	if (!ret)
		ret = c->kept ? take_count(st, s, c) : count_records(s, c);
	if (!ret && ledger.stream != FXT_LEDGER_STREAM_NAMES)
		note_incoming(s, ledger.stream, c);
	if (!ret)
		ret = fxt_writer_put(st->w, c->data, c->bytes);
	take_note(st, ledger.stream, &before, &totals);
	return ret;
}

int stitch_stream_end(struct stitch *st, const struct stream_stats *stats,
		      uint64_t now)
{
	struct stream *s = &st->streams[stats->stream];
	int ret = 0;

	if (!s->is_open) {
		/* All records are older than this archive. */
		if (st->is_part) {
			s->written = stream_written(stats);
			s->lost = stats->lost;
			s->last = stats->last;
			s->next = stats->subbufs;
		}
		ret = open_stream(st, stats->stream, has_all_from(st, s));
	}
	if (!ret)
		ret = write_loss(st, stats->stream, stats->last, now, stats->lost);
	s->written = stream_written(stats);
	s->last = stats->last;
	s->next = stats->subbufs;
	return ret ? ret : close_stream(st, stats->stream, now);
}

int stitch_stream_break(struct stitch *st, const struct stream_stats *stats,
			uint64_t now)
{
	const struct stream *s = &st->streams[stats->stream];
	struct stream_stats all = *stats;

	all.lost = stream_written(stats) - (s->written - s->lost);
	all.last = s->last;
	all.subbufs = s->next;
	return stitch_stream_end(st, &all, now);
}

int stitch_cut(struct stitch *st, uint64_t now)
{
	const struct stream *s;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < STREAMS && !ret; i++) {
		s = &st->streams[i];
		/*
		 * The stream of names is not divided: everything fetched is in this
		 * archive.
		 */
		if (s->is_open)
			ret = close_stream(st, i, s->last > now ? s->last : now);
	}
	return ret;
}

int stitch_back(struct stitch *st, uint64_t kept)
{
	uint64_t least = st->noted > NOTES ? st->noted - NOTES : 0;
	size_t i;

	while (st->noted > least && st->notes[(st->noted - 1) % NOTES].end > kept) {
		const struct note *n = &st->notes[--st->noted % NOTES];

		st->streams[n->stream] = n->before;
		st->totals = n->totals;
	}
	/* Names may have been removed with the chunks; writing them twice is harmless. */
	st->loss_named = false;
	for (i = 0; i < STREAMS; i++)
		st->streams[i].loss_named = false;
	return st->noted > least || !least ? 0 : -ERANGE;
}
