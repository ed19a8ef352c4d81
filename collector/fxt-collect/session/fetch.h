/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch.h - fetch records from the source and write them into the archive.
 */
#ifndef FXT_COLLECT_SESSION_FETCH_H
#define FXT_COLLECT_SESSION_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "source/cpus.h"
#include "state.h"

/* --- chunks that wait for files --------------------------------------------------------- */

/** pending_is_empty() - does no chunk wait? */
static inline bool pending_is_empty(const struct session *s)
{
	return chunks_are_none(&s->pending.chunks);
}

/* --- records ---------------------------------------------------------------------------- */

/* Chunks fetched between two looks at signals and the clock. */
#define CHUNKS_AT_ONCE	64

/** session_chunk() - write a chunk into the archive, now or later, and its names into the registry */
int session_chunk(struct session *s, const struct chunk *c);

/** session_fetch() - fetch up to @most chunks; 0: none is left, 1: there may be more */
int session_fetch(struct session *s, bool partial, unsigned int most);

/**
 * session_walk_on() - read the mappings of all processes whose turn has not come
 *
 * Waiting chunks then wait for files. Return: 0 or an error.
 */
int session_walk_on(struct session *s);

/**
 * session_wait_for_files() - wait while stacks of fetched chunks lack frames
 * @until: ns, as session_now(): no longer than this
 * @is_last: all chunks are in the archive afterwards; otherwise some may still wait
 *
 * Return: 0 or an error.
 */
int session_wait_for_files(struct session *s, uint64_t until, bool is_last);

/**
 * session_count() - write the counters of CPUs
 * @until: ticks; all earlier records have been fetched
 */
int session_count(struct session *s, uint64_t until);

/**
 * session_read_quotas() - read the kernel's counts of cgroups with a quota
 * @last: tracing is about to be stopped or frozen, which can take a second; otherwise read only if
 *	the last reading is a second old
 */
int session_read_quotas(struct session *s, bool last);

/** session_write_quotas() - write the counts; the archive begins at @from (ticks) */
int session_write_quotas(struct session *s, uint64_t from);

/**
 * session_mark() - ask which thread has each CPU, while records are written
 * @is_first: recording has just begun or continued; otherwise it or an archive is about to end
 */
int session_mark(struct session *s, bool is_first);

/** session_recount() - read the counts of the producers, for stitch_cut() */
int session_recount(struct session *s);

/**
 * session_note_stop() - find out when recording stopped, or was frozen
 * @s: the session, whose @stopped is set
 * @asked: ticks, read just before: until then all CPUs were recorded
 *
 * It is the time of the last record, if that is later.
 */
int session_note_stop(struct session *s, uint64_t asked);

/**
 * session_end_streams() - write closing ledgers; tracing is stopped or frozen
 * @breaks: some chunks are missing from the archive
 */
int session_end_streams(struct session *s, bool breaks);

/* --- chunks while a segment ends -------------------------------------------------------- */

/**
 * session_end_part() - as part_end(), while recording continues
 *
 * Complete chunks are fetched meanwhile, and kept in memory, while others read the files of
 * programs. The memory is limited; further chunks stay in the buffers.
 */
int session_end_part(struct session *s);

/** session_drop_aside() - drop the chunks that were set aside */
void session_drop_aside(struct session *s);

/** session_write_aside() - add them to the current archive. Return: 0 or a negative errno */
int session_write_aside(struct session *s);

/* --- names of all tasks ----------------------------------------------------------------- */

/** session_rundown() - read the names of all tasks from the source */
int session_rundown(struct session *s);

/**
 * session_catch_up() - name the threads whose newest name no record has
 * @s: the session; all name records have been fetched
 */
int session_catch_up(struct session *s);

/* --- CPUs that go offline --------------------------------------------------------------- */

/** struct online - which CPUs are online */
struct online {
	uint64_t time;		/* ticks, just before */
	struct cpus cpus;	/* the CPUs; none if that is unknown */
};

/** online_look() - find out which CPUs are online, before their chunks are fetched */
void online_look(struct online *o, struct session *s);

/** online_note() - mark CPUs that are offline, after all chunks were fetched; 0 or an error */
int online_note(const struct online *o, struct session *s);

#endif /* FXT_COLLECT_SESSION_FETCH_H */
