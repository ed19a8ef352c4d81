// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fetch.c - see fetch.h.
 *
 * In: chunks and statistics of the source. Out: chunks in the archive, names in the
 * registry, a closing ledger for each stream.
 */
#include <fxt/fxt_sched.h>

#include "archive/stitch.h"
#include "fetch.h"
#include "file.h"
#include "late.h"
#include "names/names.h"
#include "part.h"

/* Bytes between two boundaries; an archive that fills its disk is cut back to one. */
#define BOUNDARY_BYTES	(512 << 10)

static bool is_of_names(const struct chunk *c)
{
	struct fxt_ledger ledger;

	return c->bytes >= FXT_LEDGER_WORDS * FXT_WORD &&
	       fxt_sched_get_ledger(c->data, &ledger) &&
	       ledger.stream == FXT_LEDGER_STREAM_NAMES;
}

static int take_chunk(struct session *s, const struct chunk *c, bool has_names)
{
	int ret = 0;

	if (has_names)
		ret = names_noted_in_archive(s->names, c->data, c->bytes);
	else if (s->counters)
		ret = counters_chunk(s->counters, c);
	if (!ret && !has_names)
		ret = symbols_chunk(&s->symbols, c);
	if (!ret)
		ret = stitch_chunk(s->stitch, c);
	if (!ret && s->quotas && s->source->throttle_hook && !has_names)
		ret = quotas_name(s->quotas, s->w, c);
	if (!ret && has_names)
		ret = instants_write(&s->instants, s->w, 0);
	if (!ret && has_names)
		ret = lives_write(&s->lives, s->w, s->source->ticks_per_second);
	s->unsafe += c->bytes;
	return ret;
}

/* A chunk of a CPU, with complete stacks. */
static int take_complete(struct session *s, const struct chunk *c)
{
	int ret = take_chunk(s, c, false);

	return ret || s->unsafe < BOUNDARY_BYTES ? ret : part_flush(s);
}

/* A flight recorder's archive has the current names, not their stream. */
int session_chunk(struct session *s, const struct chunk *c)
{
	int ret;

	if (!is_of_names(c))
		return late_put(s, c, take_complete);
	if (s->o->config.overwrite)
		return names_note(s->names, c->data, c->bytes);
	ret = take_chunk(s, c, true);
	return ret || s->unsafe < BOUNDARY_BYTES ? ret : part_flush(s);
}

int session_wait_for_files(struct session *s, uint64_t until, bool is_last)
{
	int ret = is_last ? late_end(s, until, take_complete) : late_wait(s, until, take_complete);

	return ret && !s->write_error ? session_write_failed(s, ret) : ret;
}

int session_fetch(struct session *s, bool partial, unsigned int most)
{
	struct chunk c;
	int ret = symbols_update(&s->symbols);

	if (ret)
		return session_write_failed(s, ret);
	while (most--) {
		ret = s->source->ops->next(s->source, &c, partial, s->e);
		if (ret <= 0)
			return ret;
		ret = s->cut.is_on ? cut_chunk(&s->cut, &c) : 0;
		if (!ret && c.bytes)
			ret = session_chunk(s, &c);
		if (ret)
			return s->write_error ? ret : session_write_failed(s, ret);
	}
	return 1;
}

int session_count(struct session *s, uint64_t until)
{
	int ret = s->counters ? counters_write(s->counters, s->w, until) : 0;

	return ret ? session_write_failed(s, ret) : 0;
}

int session_read_quotas(struct session *s, bool last)
{
	uint64_t now;
	int ret;

	if (!s->quotas)
		return 0;
	now = s->source->ops->now(s->source);
	ret = last ? quotas_read(s->quotas, now) :
		     quotas_update(s->quotas, now, s->source->ticks_per_second);
	return ret ? session_write_failed(s, ret) : 0;
}

int session_write_quotas(struct session *s, uint64_t from)
{
	int ret = s->quotas ? quotas_write(s->quotas, s->w, from) : 0;

	return ret ? session_write_failed(s, ret) : 0;
}

/* --- edges ------------------------------------------------------------------------------ */

static void take_count(void *arg, const struct stream_stats *stats)
{
	stitch_count(arg, stats);
}

int session_recount(struct session *s)
{
	return s->source->ops->stats(s->source, take_count, s->stitch, s->e);
}

static void take_first_mark(void *arg, const struct source_mark *mark)
{
	stitch_mark(arg, mark, true);
}

static void take_mark(void *arg, const struct source_mark *mark)
{
	stitch_mark(arg, mark, false);
}

int session_mark(struct session *s, bool is_first)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	if (!ops->marks)
		return 0;
	if (is_first)
		stitch_start(s->stitch);
	ret = session_recount(s);
	return ret ? ret : ops->marks(s->source, is_first ? take_first_mark : take_mark,
				      s->stitch, s->e);
}

static void take_last(void *arg, const struct stream_stats *stats)
{
	struct session *s = arg;

	if (stats->stream != FXT_LEDGER_STREAM_NAMES && stats->last > s->stopped)
		s->stopped = stats->last;
}

int session_note_stop(struct session *s, uint64_t asked)
{
	s->stopped = asked;
	return s->source->ops->stats(s->source, take_last, s, s->e);
}

struct ending {
	struct session *s;
	bool breaks;
	int ret;
};

static void end_stream(void *arg, const struct stream_stats *stats)
{
	struct ending *end = arg;
	struct session *s = end->s;
	bool has_names = stats->stream == FXT_LEDGER_STREAM_NAMES;
	int ret = 0;

	if (end->breaks)
		ret = stitch_stream_break(s->stitch, stats, s->stopped);
	else if (!has_names || !s->o->config.overwrite)
		ret = stitch_stream_end(s->stitch, stats, s->stopped);
	if (!ret)
		ret = summary_add(&s->summary, stats);
	if (!end->ret)
		end->ret = ret;
}

int session_end_streams(struct session *s, bool breaks)
{
	struct ending end = { s, breaks, 0 };
	int ret;

	s->summary.stream_count = 0;
	ret = s->source->ops->stats(s->source, end_stream, &end, s->e);
	if (ret)
		return ret;
	return end.ret ? session_write_failed(s, end.ret) : 0;
}
