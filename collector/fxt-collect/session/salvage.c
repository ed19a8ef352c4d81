// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * salvage.c - end an archive that cannot be continued, because the disk is full or a
 * limit was reached, at a record boundary.
 *
 * In: a session whose last write failed. Out: the file, truncated to fit its trailer,
 * with closing ledgers that count the missing records. They are shown as a loss up to the
 * time at which tracing was stopped.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/address.h"
#include "libfxt/fxt_writer.h"
#include "archive/stitch.h"
#include "fetch.h"
#include "output/output.h"
#include "salvage.h"
#include "signals.h"

/* Space for a slice, an event, names and a ledger per stream; file systems round up. */
#define END_BYTES	(256 << 10)
#define STREAM_BYTES	512

/* Records still in the buffers are dropped; their producers have counted them. */
static int stop(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	struct error e;
	int ret = ops->stop(s->source, &e);

	s->tracing = false;
	s->stopped = ops->now(s->source);
	s->summary.duration = session_now() - s->began;
	return ret;
}

/* Use the same writer: it has registered the strings that the trailer refers to. */
static int write_end(struct session *s, uint64_t kept)
{
	int ret = fxt_writer_cut(s->w, kept);

	if (!ret && !kept)
		ret = -ENODATA;
	if (!ret)
		ret = stitch_back(s->stitch, kept);
	if (!ret)
		ret = session_end_streams(s, true);
	if (!ret)
		ret = fxt_writer_flush(s->w);
	return ret ? ret : output_boundary(s->out);
}

static bool is_lack_of_room(int err)
{
	return err == -ENOSPC || err == -EDQUOT || err == -EFBIG;
}

/* What a receiver did. */
static const char *why_not_sent(int err)
{
	switch (err) {
	case -EPIPE:
	case -ECONNRESET:
		return "the receiver has closed the connection";
	case -ETIMEDOUT:
		return "the receiver takes nothing, or its machine cannot be reached";
	case -ECANCELED:
		return "the receiver has stopped reading";
	}
	return strerror(-err);
}

/* The error text of other failures is already complete. */
static void describe(struct session *s, bool is_valid)
{
	const char *path = strcmp(s->path, "-") ? s->path : "standard output";
	double after = s->summary.duration / 1e9;

	if (fxt_address_is(s->path))
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: %s; recording ended after %.3f s; the receiver has the archive up to there at most",
		     path, why_not_sent(s->write_error), after);
	else if (s->write_error == -EPIPE)
		fail(s->e, EXIT_INCOMPLETE, -EPIPE,
		     "%s: the reader has closed the pipe; recording ended after %.3f s", path, after);
	else if (s->write_error == -ECANCELED)
		fail(s->e, EXIT_INCOMPLETE, -ECANCELED,
		     "%s: the reader has stopped reading; recording ended after %.3f s; the archive is truncated in the middle of a record",
		     path, after);
	else if (is_lack_of_room(s->write_error) && is_valid)
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: no space left; recording ended after %.3f s; the archive is valid up to there, without the last %" PRIu64 " records; free some space, or use --compress, --max-size or --rotate with --keep",
		     path, after, stitch_totals(s->stitch)->lost);
	else if (is_lack_of_room(s->write_error))
		fail(s->e, EXIT_INCOMPLETE, s->write_error,
		     "%s: no space left; recording ended after %.3f s; the archive is truncated in the middle of a record, fxt check shows where; free some space",
		     path, after);
}

void salvage(struct session *s)
{
	uint64_t safe, room, kept;
	bool is_valid = false;

	if (s->tracing && stop(s))
		return;
	if (s->out && s->w && s->write_error != -EPIPE) {
		safe = output_safe(s->out);
		room = END_BYTES + STREAM_BYTES * (stitch_totals(s->stitch)->streams + 2);
		is_valid = !output_cut(s->out, safe > room ? safe - room : 0, &kept) &&
			   !write_end(s, kept);
	}
	describe(s, is_valid);
	if (!s->out)
		return;
	fxt_writer_close(s->w);
	s->w = NULL;
	s->summary.bytes += output_bytes(s->out);
	output_close(s->out, true);
	s->out = NULL;
}
