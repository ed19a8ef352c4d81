/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.h - ledgers for a selection of the records of our producers.
 *
 * In: the ledgers of an archive, and which of the records after them are kept.
 * Out: ledgers with the invariant of the producers' own: from the opening one to the
 * closing one, written = stored + lost. Records that are omitted on purpose count in
 * neither. Losses in the range stay losses: one event and one slice report each, and a
 * switch ends the run of the thread that was switched in before it.
 *
 * Of the stream of names only its losses are kept: names come before all ledgers.
 * Streams are distinguished by their numbers alone, whatever their provider.
 */
#ifndef FXT_REWRITE_STREAMS_H
#define FXT_REWRITE_STREAMS_H

#include "providers.h"

#define STREAMS	FXT_LEDGER_STREAM_NAMES

struct stream;

/** struct streams_range - ticks, from the first to the last that counts */
struct streams_range {
	uint64_t from;
	uint64_t to;
};

/** struct streams - begins as zeros but for @p, ends with streams_free() */
struct streams {
	struct providers *p;
	struct stream *now;		/* that records belong to in the result */
	bool loss_named;		/* the process that losses are drawn under */
	struct stream *names;		/* one per provider */
	struct stream *streams[STREAMS];
};

/**
 * streams_ledger() - a ledger was read
 * @st: the streams
 * @l: what it says
 * @provider: id of its provider in the result; introduced already
 * @range: the part of time that the result is of
 * @stream: set to the stream that the records behind it belong to, or NULL
 *
 * An opening ledger of a known stream continues it: its counts must be those that the
 * stream has reached.
 *
 * Return: 0, -ENOMEM, or -ECANCELED if the result could not be written.
 */
int streams_ledger(struct streams *st, const struct fxt_ledger *l, uint32_t provider,
		   const struct streams_range *range, struct stream **stream);

/**
 * streams_record() - a switch or a wakeup was read
 * @st: the streams
 * @stream: that it belongs to
 * @c: what it says
 * @stays: it is in the range, and is to be written right after this call
 */
int streams_record(struct streams *st, struct stream *stream, const struct fxt_content *c,
		   bool stays);

/**
 * streams_end() - nothing comes any more for these streams: their closing ledgers
 * @st: the streams
 * @first: number of the first
 * @count: of numbers; those that are of no stream are passed over
 */
int streams_end(struct streams *st, uint32_t first, uint32_t count);

/** streams_finish() - the last losses, and the closing ledgers of all that go on */
int streams_finish(struct streams *st);

void streams_free(struct streams *st);

/** streams_is_loss() - does it report a loss, so that the result needs its own record? */
bool streams_is_loss(const struct fxt_content *c);

#endif /* FXT_REWRITE_STREAMS_H */
