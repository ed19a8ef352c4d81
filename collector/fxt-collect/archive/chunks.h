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

/* --- chunks that are cut at an instant -------------------------------------------------- */

/*
 * End an archive at one instant on all CPUs, by dividing the chunks fetched when the next archive
 * is due.
 *
 * Streams are fetched one after the other. If each were cut at its current end, a wakeup could be
 * in one archive and the switch-in that it caused, on a CPU fetched later, in the previous one.
 */

/* Records held back for the next archive; initialize with zeros. */
struct cut {
	bool is_on;			/* chunks are being cut */
	uint64_t at;			/* the instant, in ticks */
	struct chunks held;
};

/* Hold back records after @at, in ticks. */
void cut_begin(struct cut *cut, uint64_t at);

/**
 * cut_chunk() - shorten a chunk to the part for this archive, possibly to 0 bytes; hold back the
 * rest
 *
 * The stream of names is not divided, because its records have no time.
 *
 * Return: 0, -ENOMEM, or -EPROTO for a malformed chunk.
 */
int cut_chunk(struct cut *cut, struct chunk *c);

/*
 * Hand out the chunks held back, in order, and stop holding back. An error of @take ends the call
 * and is returned.
 */
int cut_end(struct cut *cut, int (*take)(void *arg, const struct chunk *c), void *arg);

void cut_free(struct cut *cut);

#endif /* FXT_COLLECT_ARCHIVE_CHUNKS_H */
