/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stitch.h - assemble archives from the chunks of all streams.
 *
 * Out: archives, one after the other: preamble, unmodified chunks in order of arrival, records of
 * losses where they happened, and a closing ledger for each stream.
 *
 * The progress of each stream is kept from archive to archive. An archive that does not begin with
 * the recording has an opening ledger before each stream. So does a stream whose thread on the CPU
 * at its beginning is known; a mark records it, and another mark the thread at its end.
 *
 * Functions of type int return 0 or a negative errno, unless they say otherwise.
 */
#ifndef FXT_COLLECT_ARCHIVE_STITCH_H
#define FXT_COLLECT_ARCHIVE_STITCH_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "chunks.h"
#include "source/source.h"

struct fxt_writer;
struct stitch;
struct tracks;

/* --- totals ----------------------------------------------------------------------------- */

/* Sums over an archive. */
struct stitch_totals {
	uint64_t written;		/* records written or lost */
	uint64_t lost;			/* records */
	uint64_t before;		/* records of its streams that are older than the archive */
	uint64_t worst_gap;	/* largest number of records lost between two records of a CPU */
	uint64_t worst_names_gap;	/* the same for the stream of names */
	unsigned int streams;		/* CPUs in it */
	uint64_t complete;		/* ticks from which on all streams are complete */
};

/* --- archives --------------------------------------------------------------------------- */

/* Start a recording. */
int stitch_open(struct stitch **st);

/**
 * stitch_track() - set what is recorded in addition to switches and wakeups
 * @tracks: each archive names them; must stay
 * @record_words: words of the largest record in a CPU's stream
 */
void stitch_track(struct stitch *st, const struct tracks *tracks, uint32_t record_words);

/**
 * stitch_edges() - set how archives show which thread has a CPU where they begin and end
 * @holds: chunks of the beginning are held back until one has a switch; only if archives have a
 *	limited size
 * @hides_threads: a filter of threads hides switches
 */
void stitch_edges(struct stitch *st, bool holds, bool hides_threads);

/*
 * Recording has begun or continues after a pause; call it before stitch_begin(). Without it,
 * archives have no marks (<fxt/fxt_mark.h>).
 */
void stitch_start(struct stitch *st);

/* Note the counts of a producer before marks are made, or before stitch_cut(). */
void stitch_count(struct stitch *st, const struct stream_stats *stats);

/* Note which thread has a CPU, after stitch_count(). @is_first: the first after stitch_start() */
void stitch_mark(struct stitch *st, const struct source_mark *mark, bool is_first);

/**
 * stitch_offline() - note that a CPU is offline; all its chunks have been added
 * @time: ticks, before it was seen offline
 *
 * The next chunk of its stream, with later records, shows that it is online.
 */
int stitch_offline(struct stitch *st, uint32_t cpu, uint64_t time);

/* Does not free an archive. */
void stitch_close(struct stitch *st);

/**
 * stitch_begin() - begin an archive: write its preamble
 * @w: still empty
 * @ticks_per_second: of the session's clock
 * @session: lines "key value" that describe the recording
 * @start: ticks when recording started, or continued after the last archive
 * @is_part: streams may have begun earlier
 */
int stitch_begin(struct stitch *st, struct fxt_writer *w, uint64_t ticks_per_second,
		 const char *session, uint64_t start, bool is_part);

/* Add a chunk. Return: also -EPROTO for a malformed chunk */
int stitch_chunk(struct stitch *st, const struct chunk *c);

/**
 * stitch_stream_end() - end a stream: write its last loss and its closing ledger
 * @stats: final counts of the producer
 * @now: ticks of the stop
 */
int stitch_stream_end(struct stitch *st, const struct stream_stats *stats, uint64_t now);

/* Likewise, if the archive cannot take the rest: records that it does not have count as lost. */
int stitch_stream_break(struct stitch *st, const struct stream_stats *stats, uint64_t now);

/**
 * stitch_cut() - end the archive between two chunks; the recording continues
 *
 * Writes the closing ledgers of all streams with the counts of their chunks. The next archive
 * begins at @now (ticks), with the same threads.
 */
int stitch_cut(struct stitch *st, uint64_t now);

/*
 * Undo the chunks that were cut off the archive and its writer; @kept bytes remain. Return: 0, or
 * -ERANGE if that is before the oldest chunk remembered
 */
int stitch_back(struct stitch *st, uint64_t kept);

uint64_t stitch_bytes(const struct stitch *st);

/* Complete when all streams have ended. */
const struct stitch_totals *stitch_totals(const struct stitch *st);

#endif /* FXT_COLLECT_ARCHIVE_STITCH_H */
