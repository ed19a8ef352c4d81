/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stitch.h - make archives out of the chunks of all streams.
 *
 * What flows in: chunks of a source, each begun by a ledger. What flows out: one
 * archive after the other: preamble, chunks as they come, losses told where they
 * happened, and a closing ledger for each stream. Chunks are passed on untouched.
 *
 * How far each stream has come is kept from archive to archive. An archive that does
 * not begin where the recording does has an opening ledger before each stream.
 */
#ifndef FXT_COLLECT_ARCHIVE_STITCH_H
#define FXT_COLLECT_ARCHIVE_STITCH_H

#include "source/source.h"

struct fxt_writer;
struct stitch;

/**
 * struct stitch_totals - what an archive adds up to
 * @written: records written or lost
 * @lost: records lost
 * @before: records of its streams that are older than it, and not in it
 * @worst_gap: most records lost between two records of a CPU
 * @worst_names_gap: the same of the stream of names
 * @streams: how many CPUs it has
 * @complete: ticks from which on it has all of all streams
 */
struct stitch_totals {
	uint64_t written;
	uint64_t lost;
	uint64_t before;
	uint64_t worst_gap;
	uint64_t worst_names_gap;
	unsigned int streams;
	uint64_t complete;
};

/**
 * stitch_open() - begin a recording
 * @st: set to the new stitcher
 *
 * Return: 0 or -ENOMEM.
 */
int stitch_open(struct stitch **st);

/** stitch_close() - free the stitcher, no archive; NULL is ignored */
void stitch_close(struct stitch *st);

/**
 * stitch_begin() - begin an archive: write its preamble
 * @st: the stitcher
 * @w: the archive, still empty
 * @ticks_per_second: of the session's clock
 * @session: lines "key value" that tell how this was recorded
 * @start: ticks; the recording, or since the last archive recording again, began then
 * @is_part: streams may have begun before
 *
 * Return: 0 or a negative errno.
 */
int stitch_begin(struct stitch *st, struct fxt_writer *w, uint64_t ticks_per_second,
		 const char *session, uint64_t start, bool is_part);

/**
 * stitch_chunk() - add a chunk
 * @st: the stitcher
 * @c: the chunk
 *
 * Return: 0; a negative errno of writing; -EPROTO if it is not as chunks are.
 */
int stitch_chunk(struct stitch *st, const struct chunk *c);

/**
 * stitch_stream_end() - end a stream: tell its last loss, write its closing ledger
 * @st: the stitcher
 * @stats: what the stream's producer counted, exact
 * @now: ticks of the stop
 *
 * Return: 0 or a negative errno of writing.
 */
int stitch_stream_end(struct stitch *st, const struct stream_stats *stats,
		      uint64_t now);

/**
 * stitch_stream_break() - the same, where the archive cannot take the rest
 *
 * All that its chunks have not brought into the archive counts as lost.
 */
int stitch_stream_break(struct stitch *st, const struct stream_stats *stats,
			uint64_t now);

/**
 * stitch_cut() - end the archive between two chunks; the recording goes on
 * @st: the stitcher
 * @now: ticks
 *
 * Writes the closing ledgers of all streams as far as their chunks have told.
 *
 * Return: 0 or a negative errno of writing.
 */
int stitch_cut(struct stitch *st, uint64_t now);

/**
 * stitch_back() - the archive and its writer were cut back: forget the chunks that are gone
 * @st: the stitcher
 * @kept: bytes of the archive that are left
 *
 * Return: 0, or -ERANGE if that is longer ago than is remembered.
 */
int stitch_back(struct stitch *st, uint64_t kept);

/** stitch_bytes() - of the archive */
uint64_t stitch_bytes(const struct stitch *st);

/** stitch_totals() - of the archive; complete when all its streams have ended */
const struct stitch_totals *stitch_totals(const struct stitch *st);

#endif /* FXT_COLLECT_ARCHIVE_STITCH_H */
