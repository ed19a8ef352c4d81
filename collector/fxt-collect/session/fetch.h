/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetch.h - records on their way from the source into the archive.
 */
#ifndef FXT_COLLECT_SESSION_FETCH_H
#define FXT_COLLECT_SESSION_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/* Chunks fetched before signals and the clock are looked at again. */
#define CHUNKS_AT_ONCE	64

/** session_chunk() - a chunk on its way into the archive, or to the names */
int session_chunk(struct session *s, const struct chunk *c);

/** session_fetch() - @most chunks at most: 0 if there are no more, 1 if there may be */
int session_fetch(struct session *s, bool partial, unsigned int most);

/**
 * session_count() - write what is to be counted of CPUs
 * @s: the session
 * @until: ticks; all that happened before has been fetched
 */
int session_count(struct session *s, uint64_t until);

/**
 * session_end_streams() - statistics, closing ledgers; tracing is stopped or frozen
 * @s: the session
 * @breaks: not all chunks are in the archive
 */
int session_end_streams(struct session *s, bool breaks);

#endif /* FXT_COLLECT_SESSION_FETCH_H */
