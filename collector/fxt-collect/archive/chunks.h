/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.h - copies of chunks, kept until they can be written; and the times of their records.
 *
 * The only container of kept chunks: of streams whose first switch has not come yet, of records
 * that belong to the next archive, of stacks that wait for files, and of what is fetched while a
 * segment ends.
 */
#ifndef FXT_COLLECT_ARCHIVE_CHUNKS_H
#define FXT_COLLECT_ARCHIVE_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "source/source.h"

/** struct chunks - copies of chunks, oldest first; initialized with zeros */
struct chunks {
	unsigned char *bytes;		/* of each, struct chunk and its records */
	size_t used;			/* bytes in use */
	size_t room;			/* bytes allocated */
};

/** chunks_add() - keep a copy of a chunk; 0 or -ENOMEM */
int chunks_add(struct chunks *all, const struct chunk *c);

/**
 * chunks_add_room() - keep a chunk whose records the caller writes
 * @c: the chunk; its @data is not used
 *
 * Return: where to write @c->bytes bytes, before the next call; NULL without memory.
 */
void *chunks_add_room(struct chunks *all, const struct chunk *c);

/**
 * chunks_next() - the chunks, oldest first
 * @at: 0 before the first call
 * @c: set to the chunk, valid until one is added or chunks_free()
 *
 * Return: false after the last one.
 */
bool chunks_next(const struct chunks *all, size_t *at, struct chunk *c);

/** chunks_drop() - drop the first @bytes, up to where chunks_next() has come */
void chunks_drop(struct chunks *all, size_t bytes);

/** chunks_free() - drop all */
void chunks_free(struct chunks *all);

/** chunks_are_none() - is no chunk kept? */
static inline bool chunks_are_none(const struct chunks *all)
{
	return !all->used;
}

/** chunk_after() - the record after @rec; NULL if @rec does not end before @end, or has no time */
static inline const uint64_t *chunk_after(const uint64_t *rec, const uint64_t *end)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]);

	return size < 2 || size > (uint64_t)(end - rec) ? NULL : rec + size;
}

/**
 * chunk_record_time() - the time of a record of a CPU's stream. Times of a stream never decrease.
 * Slices are written when they end. Return: ticks.
 */
static inline uint64_t chunk_record_time(const uint64_t *rec)
{
	if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_EVENT &&
	    fxt_get(FXT_EVENT_TYPE, rec[0]) == FXT_EVENT_DURATION_COMPLETE)
		return rec[fxt_get(FXT_SIZE, rec[0]) - 1];
	return rec[1];
}

#endif /* FXT_COLLECT_ARCHIVE_CHUNKS_H */
