// SPDX-License-Identifier: GPL-2.0-or-later
/* stitch.c - see stitch.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "../lib/fxt_writer.h"
#include "names.h"
#include "stitch.h"

/**
 * struct stream - what the archive says of one stream so far
 * @lost: records lost before its newest sub-buffer
 * @loss_named: its track of losses has a name
 */
struct stream {
	uint64_t lost;
	bool loss_named;
};

struct stitch {
	struct fxt_writer *w;
	struct names *names;
	uint64_t start;		/* ticks */
	bool loss_named;	/* the process that losses are drawn under has a name */
	struct stitch_totals totals;
	struct stream streams[FXT_LEDGER_STREAM_NAMES + 1];
};

static int write_preamble(struct fxt_writer *w, struct source *s,
			  const char *session)
{
	fxt_writer_magic(w);
	fxt_writer_provider(w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(w, s->ticks_per_second);
#define WRITE_STRING(index, name, text) fxt_writer_string(w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	fxt_writer_blob(w, FXT_STR_SESSION, session, strlen(session));
	return fxt_writer_flush(w);
}

int stitch_open(struct stitch **st, struct fxt_writer *w, struct names *names,
		struct source *s, const char *session)
{
	*st = calloc(1, sizeof(**st));
	if (!*st)
		return -ENOMEM;
	(*st)->w = w;
	(*st)->names = names;
	(*st)->start = s->ops->now(s);
	return write_preamble(w, s, session);
}

void stitch_close(struct stitch *st)
{
	free(st);
}

const struct stitch_totals *stitch_totals(const struct stitch *st)
{
	return &st->totals;
}

static int name_loss_track(struct stitch *st, uint32_t stream)
{
	char name[32];

	if (!st->loss_named)
		fxt_writer_process(st->w, FXT_SCHED_KOID_LOSS, FXT_SCHED_PROVIDER_NAME);
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
 * Tell a loss in both ways: as the specification has it, and as a slice on a
 * track of its own, from the last record before the gap to the first after it.
 */
static int tell_loss(struct stitch *st, uint32_t stream, uint64_t from,
		     uint64_t to, uint64_t lost)
{
	uint64_t records = lost - st->streams[stream].lost;
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

	if (!records)
		return 0;
	st->streams[stream].lost = lost;
	if (records > st->totals.worst_gap)
		st->totals.worst_gap = records;
	if (!st->streams[stream].loss_named)
		name_loss_track(st, stream);
	fxt_writer_provider_event(st->w, FXT_SCHED_PROVIDER_ID);
	return fxt_writer_slice(st->w, &slice);
}

int stitch_chunk(struct stitch *st, const struct chunk *c)
{
	struct fxt_ledger ledger;
	int ret = 0;

	if (c->bytes < FXT_LEDGER_BYTES + FXT_WORD ||
	    !fxt_sched_get_ledger(c->data, &ledger))
		return -EPROTO;
	if (ledger.kind == FXT_LEDGER_HEAD)
		ret = tell_loss(st, ledger.stream, ledger.last, ledger.time,
				ledger.lost);
	if (!ret && ledger.stream == FXT_LEDGER_STREAM_NAMES)
		ret = names_note(st->names, c->data, c->bytes);
	return ret ? ret : fxt_writer_put(st->w, c->data, c->bytes);
}

int stitch_stream_end(struct stitch *st, const struct stream_stats *stats,
		      uint64_t now)
{
	__u64 rec[FXT_LEDGER_WORDS];
	struct fxt_ledger ledger = {
		.stream = stats->stream,
		.kind = FXT_LEDGER_CLOSING,
		.sequence = stats->subbufs,
		.time = now,
		.last = stats->last,
		.written = stats->switches + stats->wakeups + stats->names,
		.lost = stats->lost,
	};

	st->totals.switches += stats->switches;
	st->totals.wakeups += stats->wakeups;
	st->totals.lost += stats->lost;
	tell_loss(st, stats->stream, stats->last, now, stats->lost);
	fxt_sched_put_ledger(rec, &ledger);
	return fxt_writer_put(st->w, rec, sizeof(rec));
}
