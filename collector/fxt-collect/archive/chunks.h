/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.h - copies of chunks until they can be written (of streams whose first switch has not come
 * yet, of the next archive, of stacks that wait for files, of a segment's end); times of records.
 */
#ifndef FXT_COLLECT_ARCHIVE_CHUNKS_H
#define FXT_COLLECT_ARCHIVE_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "source/source.h"

/* The oldest first; initialize with zeros. */
struct chunks {
	unsigned char *bytes;		/* of each, struct chunk and its records */
	size_t used;			/* bytes in use */
	size_t room;			/* bytes allocated */
};

/* Keep a copy. Return: 0 or -ENOMEM */
int chunks_add(struct chunks *all, const struct chunk *c);

/*
 * Keep a chunk whose @data is not used. Return: where to write its records before the next call;
 * NULL without memory
 */
void *chunks_add_room(struct chunks *all, const struct chunk *c);

/**
 * chunks_next() - the chunks, oldest first. Return: false after the last one
 * @at: 0 before the first call
 * @c: valid until one is added or chunks_free()
 */
bool chunks_next(const struct chunks *all, size_t *at, struct chunk *c);

/* Drop the first @bytes, up to where chunks_next() has come. */
void chunks_drop(struct chunks *all, size_t bytes);

void chunks_free(struct chunks *all);

static inline bool chunks_are_none(const struct chunks *all)
{
	return !all->used;
}

/* The record after @rec; NULL if @rec does not end before @end, or has no time. */
static inline const uint64_t *chunk_after(const uint64_t *rec, const uint64_t *end)
{
	uint64_t size = fxt_get(FXT_SIZE, rec[0]);

	return size < 2 || size > (uint64_t)(end - rec) ? NULL : rec + size;
}

/*
 * The time of a record of a CPU's stream, in ticks; it never decreases. Slices are written when
 * they end.
 */
static inline uint64_t chunk_record_time(const uint64_t *rec)
{
	if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_EVENT &&
	    fxt_get(FXT_EVENT_TYPE, rec[0]) == FXT_EVENT_DURATION_COMPLETE)
		return rec[fxt_get(FXT_SIZE, rec[0]) - 1];
	return rec[1];
}

#endif /* FXT_COLLECT_ARCHIVE_CHUNKS_H */
