/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch.h - fetch records from the source and write them into the archive. Functions of type int
 * return 0 or an error, unless they say otherwise.
 */
#ifndef FXT_COLLECT_SESSION_FETCH_H
#define FXT_COLLECT_SESSION_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "source/cpus.h"
#include "state.h"

/* --- chunks that wait for files --------------------------------------------------------- */

static inline bool pending_is_empty(const struct session *s)
{
	return chunks_are_none(&s->pending.chunks);
}

/* --- records ---------------------------------------------------------------------------- */

#define CHUNKS_AT_ONCE	64	/* fetched between two looks at signals and the clock */

/* Write a chunk into the archive, now or later, and its names into the registry. */
int session_chunk(struct session *s, const struct chunk *c);

/* Fetch up to @most chunks. Return: also 1: there may be more */
int session_fetch(struct session *s, bool partial, unsigned int most);

/* Fetch at least everything written until now. */
int session_fetch_all(struct session *s);

/* Read the mappings of processes whose turn has not come. Waiting chunks then wait for files. */
int session_walk_on(struct session *s);

/**
 * session_wait_for_files() - wait while stacks of fetched chunks lack frames
 * @until: ns, as session_now(): no longer than this
 * @is_last: all chunks are in the archive afterwards; otherwise some may still wait
 */
int session_wait_for_files(struct session *s, uint64_t until, bool is_last);

/*
 * Write the counters of CPUs up to @until (ticks); all earlier records have been fetched.
 * part_flush() reports an error of writing.
 */
void session_count(struct session *s, uint64_t until);

/**
 * session_read_quotas() - read the kernel's counts of cgroups with a quota
 * @last: tracing is about to be stopped or frozen, which can take a second; otherwise read only if
 *	the last reading is a second old
 */
int session_read_quotas(struct session *s, bool last);

/* Write the counts, likewise; the archive begins at @from (ticks). */
void session_write_quotas(struct session *s, uint64_t from);

/**
 * session_mark() - ask which thread has each CPU, while records are written
 * @is_first: recording has just begun or continued; otherwise it or an archive is about to end
 */
int session_mark(struct session *s, bool is_first);

/* Read the counts of the producers, for stitch_cut(). */
int session_recount(struct session *s);

/**
 * session_note_stop() - set @s->stopped to when recording stopped, or was frozen
 * @asked: ticks, read just before: until then all CPUs were recorded; the last record may be later
 */
int session_note_stop(struct session *s, uint64_t asked);

/* Write closing ledgers; tracing is stopped or frozen. @breaks: the archive lacks some chunks. */
int session_end_streams(struct session *s, bool breaks);

/* --- chunks while a segment ends -------------------------------------------------------- */

/*
 * As part_end(), while recording continues: complete chunks are fetched and kept in memory, while
 * others read the files of programs. The memory is limited; further chunks stay in the buffers.
 */
int session_end_part(struct session *s);

/* Drop the chunks that were set aside. */
void session_drop_aside(struct session *s);

/* Add them to the current archive. */
int session_write_aside(struct session *s);

/* --- names of all tasks ----------------------------------------------------------------- */

/* Read the names of all tasks from the source. */
int session_rundown(struct session *s);

/* Name the threads whose newest name no record has; all name records have been fetched. */
int session_catch_up(struct session *s);

/* --- CPUs that go offline --------------------------------------------------------------- */

/* Which CPUs are online. */
struct online {
	uint64_t time;		/* ticks, just before */
	struct cpus cpus;	/* none if that is unknown */
};

/* Call it before their chunks are fetched. */
void online_look(struct online *o, struct session *s);

/* Mark CPUs that are offline, after all chunks were fetched. */
int online_note(const struct online *o, struct session *s);

#endif /* FXT_COLLECT_SESSION_FETCH_H */
