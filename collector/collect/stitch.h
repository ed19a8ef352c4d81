/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stitch.h - make one archive out of the chunks of all streams.
 *
 * What flows in: chunks of a source, each begun by a ledger. What flows out:
 * the archive: preamble, chunks as they come, losses told where they happened,
 * and a closing ledger for each stream. Chunks are passed on untouched.
 */
#ifndef FXT_COLLECT_STITCH_H
#define FXT_COLLECT_STITCH_H

#include "source.h"

struct fxt_writer;
struct names;
struct stitch;

/**
 * struct stitch_totals - what the closing ledgers add up to
 * @switches: context switch records written or lost
 * @wakeups: wakeup records written or lost
 * @lost: records lost, of all streams
 * @worst_gap: most records lost between two records of one stream
 */
struct stitch_totals {
	uint64_t switches;
	uint64_t wakeups;
	uint64_t lost;
	uint64_t worst_gap;
};

/**
 * stitch_open() - begin an archive: write its preamble
 * @st: set to the new stitcher
 * @w: the archive, still empty
 * @names: told of the records in the stream of names
 * @s: the source, opened
 * @session: lines "key value" that tell how this was recorded
 *
 * Return: 0 or a negative errno.
 */
int stitch_open(struct stitch **st, struct fxt_writer *w, struct names *names,
		struct source *s, const char *session);

/**
 * stitch_chunk() - add a chunk
 * @st: the stitcher
 * @c: the chunk
 *
 * Return: 0; a negative errno of writing; -EPROTO if it begins with no ledger.
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

/** stitch_totals() - what has been added up by stitch_stream_end() so far */
const struct stitch_totals *stitch_totals(const struct stitch *st);

/** stitch_close() - free the stitcher, not the archive; NULL is ignored */
void stitch_close(struct stitch *st);

#endif /* FXT_COLLECT_STITCH_H */
