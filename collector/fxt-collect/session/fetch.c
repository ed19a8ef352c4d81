// SPDX-License-Identifier: GPL-2.0-or-later
/* fetch.c - see fetch.h. */
#include <errno.h>

#include <fxt/fxt_sched.h>

#include "archive/stitch.h"
#include "fetch.h"
#include "names/names.h"
#include "part.h"
#include "signals.h"

/* --- chunks that wait for files --------------------------------------------------------- */

/*
 * A process can make reading a file that it has mapped slow. Meanwhile the buffers are emptied, and
 * their chunks are kept here in order, within limits of time and memory.
 */

/* Takes a chunk that is complete. Return: 0 or a negative errno */
typedef int (*pending_write)(struct session *s, const struct chunk *c);

#define PATIENCE_NS	(3 * NS_PER_SECOND)
#define LATE_BYTES	(16U << 20)

/* Take the chunks that are complete or, with @is_last, all. */
static int write_some(struct session *s, bool is_last, pending_write take)
{
	struct chunks *waiting = &s->pending.chunks;
	size_t at = 0, taken = 0;
	struct chunk c;
	int ret = 0;

	while (!ret && chunks_next(waiting, &at, &c)) {
		ret = symbols_complete(&s->symbols, &c, is_last);
		if (ret)
			break;
		ret = take(s, &c);
		taken = at;
	}
	chunks_drop(waiting, taken);
	return ret < 0 ? ret : 0;
}

/*
 * Take a chunk of a CPU, with copies of stacks, now or later, in order; a copy is kept if it has to
 * wait.
 */
static int pending_put(struct session *s, const struct chunk *c, pending_write take)
{
	struct pending *l = &s->pending;
	struct chunk complete = *c;
	int ret;

	if (pending_is_empty(s)) {
		ret = symbols_complete(&s->symbols, &complete, false);
		if (ret <= 0)
			return ret ? ret : take(s, &complete);
		l->since = session_now();
	}
	ret = chunks_add(&l->chunks, c);
	return ret || l->chunks.used < LATE_BYTES ? ret : write_some(s, true, take);
}

/*
 * Wait until all chunks are complete, or until @until (ns, as session_now()). A chunk that has
 * waited for too long is taken as it is, and its stacks count as incomplete.
 */
static int pending_wait(struct session *s, uint64_t until, pending_write take)
{
	uint64_t now = session_now();
	int ret = 0;

	while (!ret && (!pending_is_empty(s) || s->symbols.walk) && now < until) {
		if (s->symbols.walk) {
			/* This has a limit of its own. Chunks wait for files only afterwards. */
			ret = symbols_walk(&s->symbols);
			now = session_now();
			s->pending.since = now;
			continue;
		}
		if (now > s->pending.since + PATIENCE_NS)
			return write_some(s, true, take);
		if (symbols_wait(&s->symbols, (until - now + NS_PER_MS - 1) / NS_PER_MS))
			ret = write_some(s, false, take);
		now = session_now();
	}
	return ret;
}

/* Likewise, but no chunk waits after @until. */
static int pending_end(struct session *s, uint64_t until, pending_write take)
{
	int ret = pending_wait(s, until, take);

	return ret ? ret : write_some(s, true, take);
}

/* --- records ---------------------------------------------------------------------------- */

/* Bytes between two boundaries; an archive that fills its disk is cut back to one. */
#define BOUNDARY_BYTES	(512 << 10)

static bool is_of_names(const struct chunk *c)
{
	struct fxt_ledger ledger;

	return c->bytes >= FXT_LEDGER_WORDS * FXT_WORD &&
	       fxt_sched_get_ledger(c->data, &ledger) &&
	       ledger.stream == FXT_LEDGER_STREAM_NAMES;
}

static int write_chunk(struct session *s, const struct chunk *c, bool has_names)
{
	int ret = 0;

	if (has_names)
		ret = names_noted_in_archive(s->names, c->data, c->bytes);
	else if (s->counters)
		ret = counters_chunk(s->counters, c);
	if (!ret && !has_names)
		ret = symbols_chunk(&s->symbols, c);
	ret = ret ? ret : stitch_chunk(s->stitch, c);
	if (!ret && s->quotas && s->source->throttle_hook && !has_names)
		ret = quotas_name(s->quotas, s->w, c);
	if (!ret && has_names)
		ret = instants_write(&s->instants, s->w, 0);
	if (!ret && has_names)
		ret = reuses_write(&s->reuses, s->w, s->source->ticks_per_second);
	s->unsafe += c->bytes;
	return ret;
}

/* A chunk of a CPU, with complete stacks. */
static int write_complete(struct session *s, const struct chunk *c)
{
	int ret = write_chunk(s, c, false);

	return ret || s->unsafe < BOUNDARY_BYTES ? ret : part_flush(s);
}

/* A flight recorder's archive has the current names instead of the stream of names. */
int session_chunk(struct session *s, const struct chunk *c)
{
	int ret;

	if (!is_of_names(c))
		return pending_put(s, c, write_complete);
	if (s->o->config.overwrite)
		return names_note(s->names, c->data, c->bytes);
	ret = write_chunk(s, c, true);
	return ret || s->unsafe < BOUNDARY_BYTES ? ret : part_flush(s);
}

int session_walk_on(struct session *s)
{
	int ret = symbols_walk_on(&s->symbols);

	s->pending.since = session_now();
	return ret ? session_write_failed(s, ret) : 0;
}

int session_wait_for_files(struct session *s, uint64_t until, bool is_last)
{
	int ret = is_last ? pending_end(s, until, write_complete) :
			    pending_wait(s, until, write_complete);

	return ret && !s->write_error ? session_write_failed(s, ret) : ret;
}

int session_fetch(struct session *s, bool partial, unsigned int most)
{
	struct chunk c;
	int ret = symbols_update(&s->symbols), err;

	err = s->source->ops->follow ? s->source->ops->follow(s->source) : 0;
	if (err)
		s->sampling_error = err;
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

int session_fetch_all(struct session *s)
{
	int ret;

	while ((ret = session_fetch(s, true, CHUNKS_AT_ONCE)) > 0)
		;
	return ret;
}

void session_count(struct session *s, uint64_t until)
{
	if (s->counters)
		counters_write(s->counters, s->w, until);
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

void session_write_quotas(struct session *s, uint64_t from)
{
	if (s->quotas)
		quotas_write(s->quotas, s->w, from);
}

/* --- edges ------------------------------------------------------------------------------ */

static void note_count(void *arg, const struct stream_stats *stats)
{
	stitch_count(arg, stats);
}

int session_recount(struct session *s)
{
	return s->source->ops->stats(s->source, note_count, s->stitch, s->e);
}

static void add_first_mark(void *arg, const struct source_mark *mark)
{
	stitch_mark(arg, mark, true);
}

static void add_mark(void *arg, const struct source_mark *mark)
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
	return ret ? ret : ops->marks(s->source, is_first ? add_first_mark : add_mark,
				      s->stitch, s->e);
}

static void note_last(void *arg, const struct stream_stats *stats)
{
	struct session *s = arg;

	if (stats->stream != FXT_LEDGER_STREAM_NAMES && stats->last > s->stopped)
		s->stopped = stats->last;
}

int session_note_stop(struct session *s, uint64_t asked)
{
	s->stopped = asked;
	return s->source->ops->stats(s->source, note_last, s, s->e);
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
	ret = ret ? ret : summary_add(&s->summary, stats);
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

/* --- chunks while a segment ends -------------------------------------------------------- */

#define ASIDE_BYTES	(256U << 20)

/* Fetch complete chunks, and keep them in memory. */
static void set_aside(void *session)
{
	struct session *s = session;
	struct aside *a = &s->aside;
	struct chunk c;

	while (!a->error && a->chunks.used < ASIDE_BYTES) {
		int ret = s->source->ops->next(s->source, &c, false, s->e);

		if (ret <= 0) {
			a->error = ret;
			return;
		}
		a->error = chunks_add(&a->chunks, &c);
	}
}

int session_end_part(struct session *s)
{
	struct resolution *user = &s->symbols.user;
	struct texts *texts = &s->symbols.texts;
	int ret;

	user->idle = texts->idle = set_aside;
	user->arg = texts->arg = s;
	ret = part_end(s);
	user->idle = texts->idle = NULL;
	return ret;
}

void session_drop_aside(struct session *s)
{
	struct aside *a = &s->aside;

	chunks_free(&a->chunks);
	a->error = 0;
}

int session_write_aside(struct session *s)
{
	struct aside *a = &s->aside;
	int ret = a->error;
	struct chunk c;
	size_t at = 0;

	while (!ret && chunks_next(&a->chunks, &at, &c))
		ret = session_chunk(s, &c);
	session_drop_aside(s);
	return ret;
}

/* --- names of all tasks ----------------------------------------------------------------- */

int session_rundown(struct session *s)
{
	const struct source_ops *ops = s->source->ops;
	int ret;

	s->e->text[0] = '\0';
	ret = ops->rundown(s->source, names_note, s->names, s->e);
	if (ret == -ENODATA)
		ret = names_ask_proc(s->names);
	return ret && !s->e->text[0] ? session_write_failed(s, ret) : ret;
}

static void add_missed(void *arg, const struct stream_stats *stats)
{
	struct missed_names *m = arg;

	m->folded += stats->folded;
	if (stats->stream == FXT_LEDGER_STREAM_NAMES)
		m->lost += stats->lost;
}

int session_catch_up(struct session *s)
{
	struct missed_names m = { 0 };
	int ret = s->source->ops->stats(s->source, add_missed, &m, s->e);

	if (ret || (m.folded == s->missed.folded && m.lost == s->missed.lost))
		return ret;
	s->missed = m;
	names_catch_up(s->names, s->source->ops->now(s->source));
	ret = session_rundown(s);
	names_catch_up(s->names, 0);
	/* Records of forks of the tasks just found may still come. */
	names_found(s->names, s->source->ops->now(s->source));
	return ret;
}

/* --- CPUs that go offline --------------------------------------------------------------- */

/*
 * No source reports that a CPU goes offline: its stream just ends. So the recorder looks a few
 * times a second, whenever it fetches all chunks. A shorter offline time is not noticed; the stream
 * then shows the CPU as idle.
 */

void online_look(struct online *o, struct session *s)
{
	o->time = s->source->ops->now(s->source);
	cpus_read("online", &o->cpus);
}

int online_note(const struct online *o, struct session *s)
{
	const struct source_filter *filter = s->o->config.filter;
	struct cpus present;
	uint32_t cpu;
	int ret = 0;

	if (!o->cpus.count)
		return 0;
	cpus_read("present", &present);
	for (cpu = 0; cpu < present.end && !ret; cpu++)
		if (present.has[cpu] && !o->cpus.has[cpu] &&
		    (!filter || !filter->cpus || filter->has_cpu[cpu]))
			ret = stitch_offline(s->stitch, cpu, o->time);
	return ret ? session_write_failed(s, ret) : 0;
}
