/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names_stream.h - collect the stream of names into chunks.
 *
 * In: from a source, the records of one task after the other, ordered by time over all
 * CPUs. Out: chunks of a minimum size, because the birth of a single thread should not
 * cause a write to the file.
 */
#ifndef FXT_COLLECT_SOURCE_NAMES_STREAM_H
#define FXT_COLLECT_SOURCE_NAMES_STREAM_H

#include <linux/types.h>
#include <stdbool.h>

#include "source.h"

/** struct names_stream - the stream; initialized with zeros */
struct names_stream {
	__u64 *buf;		/* the chunk being filled */
	__u32 words;		/* words in use in it */
	bool held;		/* it was handed out; the next call begins a new one */
	__u32 sequence;		/* number of chunks begun */
	__u64 last;		/* ticks of the last record */
	__u64 kept;		/* number of records taken */
	__u64 lost;		/* records lost before the next chunk */
};

/** names_stream_open() - allocate the stream; 0 or -ENOMEM */
int names_stream_open(struct names_stream *n);

/** names_stream_close() - free the stream */
void names_stream_close(struct names_stream *n);

/** names_stream_drop() - the chunk handed out, if any, is no longer in use */
void names_stream_drop(struct names_stream *n);

/** names_stream_has_room() - is there room for another task? */
bool names_stream_has_room(const struct names_stream *n);

/**
 * names_stream_at() - where to write the records of the next task
 * @n: the stream; it has room
 * @time: ticks of the event
 *
 * Return: FXT_SCHED_ATTACH_WORDS words, to be passed to names_stream_add().
 */
__u64 *names_stream_at(struct names_stream *n, __u64 time);

/**
 * names_stream_add() - add the records written to names_stream_at()
 * @time: as there
 * @words: number of words written
 * @records: number of records
 */
void names_stream_add(struct names_stream *n, __u64 time, __u32 words, __u32 records);

/**
 * names_stream_fetch() - hand out the chunk if it is large enough
 * @c: set to the chunk
 * @partial: any chunk that is not empty; else it must be half full
 *
 * Return: true if a chunk was handed out.
 */
bool names_stream_fetch(struct names_stream *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_NAMES_STREAM_H */
