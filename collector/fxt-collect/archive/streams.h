/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams.h - the progress of the streams that archives are assembled from.
 *
 * Shared by stitch.c and losses.c.
 */
#ifndef FXT_COLLECT_ARCHIVE_STREAMS_H
#define FXT_COLLECT_ARCHIVE_STREAMS_H

#include <fxt/fxt_sched.h>

#include "edges.h"
#include "chunks.h"
#include "totals.h"

#define STREAMS		(FXT_LEDGER_STREAM_NAMES + 1)
#define NOTES		8192	/* chunks that can be taken back */

/**
 * struct stream - progress of a stream
 * @written: records before the next chunk, including lost ones
 * @lost: how many of them were lost
 * @last: ticks of the last record, 0 if there was none
 * @next: sequence number of the next sub-buffer
 * @base: @written at the beginning of this archive
 * @edge: which thread has the CPU
 * @held: first chunks of this archive, until they tell which thread had the CPU before
 * @begun: ticks from which this archive has it
 * @is_open: this archive has chunks of it, or knows which thread has the CPU
 * @is_offline: its CPU is, as far as is known
 * @loss_named: this archive has a name for its track of losses
 */
struct stream {
	uint64_t written;
	uint64_t lost;
	uint64_t last;
	uint64_t base;
	uint64_t begun;
	uint32_t next;
	struct edge edge;
	struct chunks held;
	bool is_open;
	bool is_offline;
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
	bool has_marks;		/* the source tells which thread has each CPU */
	bool holds;		/* chunks without a switch are held back */
	bool hides_threads;	/* the source's filter does */
	bool loss_named;	/* the process of the loss tracks has a name */
	struct stitch_totals totals;
	struct stream streams[STREAMS];
	struct note notes[NOTES];
	uint64_t noted;		/* chunks of this archive */
};

#endif /* FXT_COLLECT_ARCHIVE_STREAMS_H */
