/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch.h - fetch records from the source and write them into the archive.
 */
#ifndef FXT_COLLECT_SESSION_FETCH_H
#define FXT_COLLECT_SESSION_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* Chunks fetched between two looks at signals and the clock. */
#define CHUNKS_AT_ONCE	64

/** session_chunk() - write a chunk into the archive, now or later, and its names into the registry */
int session_chunk(struct session *s, const struct chunk *c);

/** session_fetch() - fetch up to @most chunks; 0: none is left, 1: there may be more */
int session_fetch(struct session *s, bool partial, unsigned int most);

/**
 * session_wait_for_files() - while stacks of fetched chunks lack frames, see late.h
 * @s: the session
 * @until: ns, as session_now(): no longer than this
 * @is_last: all chunks are in the archive then; else some may still wait
 *
 * Return: 0 or an error.
 */
int session_wait_for_files(struct session *s, uint64_t until, bool is_last);

/**
 * session_count() - write the counters of CPUs
 * @s: the session
 * @until: ticks; all earlier records have been fetched
 */
int session_count(struct session *s, uint64_t until);

/**
 * session_read_quotas() - read what the kernel counts of cgroups with a quota
 * @s: the session
 * @last: tracing is about to be stopped or frozen, which can take a second; else only if the
 *	last time was a second ago
 */
int session_read_quotas(struct session *s, bool last);

/** session_write_quotas() - write what was read; the archive begins at @from, in ticks */
int session_write_quotas(struct session *s, uint64_t from);

/**
 * session_mark() - ask which thread has each CPU, while records are written
 * @s: the session
 * @is_first: recording has just begun or gone on; else it is about to end, or an archive is
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
 * @s: the session
 * @breaks: some chunks are missing from the archive
 */
int session_end_streams(struct session *s, bool breaks);

#endif /* FXT_COLLECT_SESSION_FETCH_H */
