// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record.c - record everything, into one archive or into segments.
 *
 * Chunks are fetched as they become complete; a few times a second, the contents of unfinished
 * sub-buffers. A segment ends at one instant on all CPUs, where the next one begins, so that
 * nothing is lost between them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_writer.h"
#include "archive/stitch.h"
#include "fetch.h"
#include "names/names.h"
#include "output/output.h"
#include "part.h"
#include "process/priority.h"
#include "signals.h"
#include "state.h"
#include "status.h"

/* Maximum age of a record in an unfinished sub-buffer before it is fetched. */
#define HAND_OVER_NS	(200 * NS_PER_MS)

/*
 * Upper limit of a CPU's record rate, in bytes per microsecond: a record has at most 56 bytes, and
 * its event takes some hundred ns.
 */
#define FASTEST		250
#define REST_SHARE	4	/* a rest ends before this part of a CPU's buffer is full */
#define LONGEST_REST	(10 * NS_PER_MS)	/* a longer rest saves little */
/* ns to wait for files of programs: while the buffers fill, and after the last record. */
#define SEGMENT_WAIT_NS	(50 * NS_PER_MS)
#define END_WAIT_NS	(2 * NS_PER_SECOND)

struct record {
	struct session *s;
	uint64_t end;		/* ns: end of --duration */
	uint64_t hand_over;	/* ns: next fetch of unfinished sub-buffers */
	uint64_t rotate;	/* ns: beginning of the next segment */
};

static bool is_full(const struct session *s)
{
	return s->o->max_size && output_bytes(s->out) >= s->o->max_size;
}

static bool rotation_is_due(const struct record *r, uint64_t now)
{
	const struct options *o = r->s->o;

	return now >= r->rotate ||
	       (o->rotate_size && output_bytes(r->s->out) >= o->rotate_size);
}

static int fetch_all(struct session *s)
{
	int ret = session_fetch_all(s);

	return ret ? ret : part_flush(s);
}

/* Also the chunks that wait, at most @most ns, for the files that they need. */
static int fetch_all_for_good(struct session *s, uint64_t most)
{
	int ret = fetch_all(s);

	return ret ? ret : session_wait_for_files(s, session_now() + most, true);
}

static int write_held_back(void *arg, const struct chunk *c)
{
	return session_chunk(arg, c);
}

/* With --start-at, segments of many machines begin together. */
static uint64_t next_rotation(const struct session *s, uint64_t now)
{
	uint64_t time = s->o->rotate_time, from = s->start_at.at ? s->counted_from : now;

	return from + ((now - from) / time + 1) * time;
}

static int next_segment(struct record *r, uint64_t now)
{
	struct session *s = r->s;
	uint64_t cut;
	int ret = session_mark(s, false);

	if (ret)
		return ret;
	cut = s->source->ops->now(s->source);
	s->source->ops->flush(s->source);
	cut_begin(&s->cut, cut);
	ret = fetch_all_for_good(s, SEGMENT_WAIT_NS);
	if (!ret)
		session_count(s, cut);
	ret = ret ? ret : session_catch_up(s);
	ret = ret ? ret : session_recount(s);
	if (ret)
		return ret;
	ret = stitch_cut(s->stitch, cut);
	if (ret)
		return session_write_failed(s, ret);
	ret = session_end_part(s);
	if (ret)
		return ret;
	names_forget(s->names);
	if (s->o->rotate_time)
		r->rotate = next_rotation(s, now);
	s->start = cut;
	ret = part_begin(s);
	if (ret)
		return ret;
	ret = cut_end(&s->cut, write_held_back, s);
	ret = ret ? ret : session_write_aside(s);
	return ret && !s->write_error ? session_write_failed(s, ret) : ret;
}

static uint64_t ticks_of(const struct session *s, uint64_t ns)
{
	return ns / 1000 * s->source->ticks_per_second / (NS_PER_SECOND / 1000);
}

static int hand_over(struct record *r, uint64_t now)
{
	uint64_t known = r->s->source->ops->now(r->s->source) - ticks_of(r->s, LATEST_NS);
	struct online online;
	int ret;

	online_look(&online, r->s);
	ret = fetch_all(r->s);
	/* Counters cover everything that was fetched, so they wait while some of that waits. */
	if (!ret && pending_is_empty(r->s))
		ret = online_note(&online, r->s);
	if (!ret && pending_is_empty(r->s))
		session_count(r->s, known);
	ret = ret ? ret : session_read_quotas(r->s, false);
	if (!ret)
		session_write_quotas(r->s, r->s->start);
	if (!ret && rotation_is_due(r, now))
		ret = next_segment(r, now);
	r->hand_over = session_now() + HAND_OVER_NS;
	return ret;
}

/*
 * Chunks come in series, and each wakeup of the collector costs time and disturbs the traced
 * system. So after a chunk was found, sleep for a rest that is too short to fill a buffer.
 */
static int rest_or_wait(const struct record *r, uint64_t now, bool found)
{
	const struct source_config *c = &r->s->o->config;
	uint64_t rest = c->subbuf_size * c->subbuf_count * 1000 / (FASTEST * REST_SHARE);
	uint64_t until = r->hand_over < r->end ? r->hand_over : r->end;

	if (r->rotate < until)
		until = r->rotate;
	if (rest > LONGEST_REST)
		rest = LONGEST_REST;
	if (!pending_is_empty(r->s) || r->s->symbols.walk)
		return session_wait_for_files(r->s, now + rest < until ? now + rest : until, false);
	if (!found)
		return session_wait(r->s, until, true);
	return session_wait(r->s, now + rest < until ? now + rest : until, false);
}

static int record_until_end(struct record *r)
{
	struct session *s = r->s;
	uint64_t now, before;
	int ret;

	for (;;) {
		before = stitch_bytes(s->stitch);
		ret = session_fetch(s, false, CHUNKS_AT_ONCE);
		if (ret < 0)
			return ret;
		now = session_now();
		if (session_ends(s) || now >= r->end)
			return 0;
		if (is_full(s)) {
			if (s->o->verbose)
				status_print("%s has reached --max-size", s->path);
			return 0;
		}
		live_update(s->live, s);
		if (now >= r->hand_over || rotation_is_due(r, now))
			ret = hand_over(r, now);
		else if (!ret)
			ret = rest_or_wait(r, now, stitch_bytes(s->stitch) > before);
		if (ret < 0)
			return ret;
	}
}

/* The archive gets the numbers of losses that no stream counts. */
static int write_uncounted(struct session *s)
{
	const struct source_ops *ops = s->source->ops;

	if (symbols_update(&s->symbols))
		return session_write_failed(s, -ENOMEM);
	s->summary.skipped = ops->skipped ? ops->skipped(s->source) : 0;
	if (ops->stacks_checked)
		s->summary.stack_checks = ops->stacks_checked(s->source);
	part_count(s, "skipped", s->summary.skipped);
	part_count(s, "user_stacks_dropped", ops->user_stacks_dropped(s->source));
	part_count(s, "stacks_checked", s->summary.stack_checks.stacks);
	part_count(s, "stacks_wrong", s->summary.stack_checks.wrong);
	part_count(s, "mappings_lost", symbols_lost(&s->symbols));
	part_count(s, "stacks_incomplete", s->symbols.callers.counts.lacking);
	part_count(s, "unwind_rules_refused", s->symbols.callers.refused);
	part_count(s, "processes_unread", symbols_unread(&s->symbols));
	return 0;
}

static int finish_recording(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret = session_read_quotas(s, true);
	struct online online;
	uint64_t asked;

	ret = ret ? ret : session_mark(s, false);
	if (ret)
		return ret;
	asked = ops->now(s->source);
	ret = ops->stop(s->source, s->e);
	if (ret)
		return ret;
	s->tracing = false;
	/* Nothing can get lost any more, and naming functions takes a while. */
	priority_restore();
	ret = session_note_stop(s, asked);
	if (ret)
		return ret;
	s->summary.duration = session_now() - s->began;
	s->summary.quotas = quotas_lacking(s->quotas);
	online_look(&online, s);
	ret = session_walk_on(s);
	ret = ret ? ret : fetch_all_for_good(s, END_WAIT_NS);
	ret = ret ? ret : online_note(&online, s);
	if (ret)
		return ret;
	session_count(s, s->stopped);
	session_write_quotas(s, s->start);
	ret = session_end_streams(s, false);
	ret = ret ? ret : write_uncounted(s);
	ret = ret ? ret : session_catch_up(s);
	if (!ret && ops->names_have_gaps)
		ret = names_fill_gaps(s->names);
	return ret ? ret : part_end(s);
}

int record_run(struct session *s)
{
	struct record r = {
		.s = s,
		.end = s->o->duration ? s->counted_from + s->o->duration : UINT64_MAX,
		.hand_over = s->began + HAND_OVER_NS,
		.rotate = s->o->rotate_time ? s->counted_from + s->o->rotate_time : UINT64_MAX,
	};
	int ret = record_until_end(&r);

	return ret ? ret : finish_recording(s);
}
