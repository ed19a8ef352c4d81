/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names_stream.h - collect the stream of names into chunks of a minimum size, so that the birth of
 * a thread does not cause a write to the file. The caller adds tasks in the order of their times.
 */
#ifndef FXT_COLLECT_SOURCE_NAMES_STREAM_H
#define FXT_COLLECT_SOURCE_NAMES_STREAM_H

#include <linux/types.h>
#include <stdbool.h>

#include "source.h"

/* Initialize with zeros. */
struct names_stream {
	__u64 *buf;		/* the chunk being filled */
	__u32 words;		/* in use in it */
	bool held;		/* it was handed out; the next call begins a new one */
	__u32 sequence;		/* chunks begun */
	__u64 last;		/* ticks of the last record */
	__u64 kept;		/* records taken */
	__u64 lost;		/* records lost before the next chunk */
};

/* Return: 0 or -ENOMEM */
int names_stream_open(struct names_stream *n);

void names_stream_close(struct names_stream *n);

/** names_stream_drop() - the chunk that was handed out is no longer in use */
void names_stream_drop(struct names_stream *n);

/* Is there room for another task? */
bool names_stream_has_room(const struct names_stream *n);

/**
 * names_stream_at() - where to write the next task, if there is room; then names_stream_add()
 * @time: ticks of the event
 *
 * Return: room for FXT_SCHED_ATTACH_WORDS words.
 */
__u64 *names_stream_at(struct names_stream *n, __u64 time);

/** names_stream_add() - add what was written to names_stream_at(), of the same @time */
void names_stream_add(struct names_stream *n, __u64 time, __u32 words, __u32 records);

/**
 * names_stream_fetch() - hand out the chunk if it is half full, or with @partial not empty
 *
 * Return: true if a chunk was handed out.
 */
bool names_stream_fetch(struct names_stream *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_NAMES_STREAM_H */
