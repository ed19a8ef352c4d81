/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names_stream.h - the stream of names, gathered to chunks.
 *
 * In: from a source, the records of one task after the other, in the order of time over
 * all CPUs. Out: chunks of some size, for a thread's birth is no reason to write to a
 * file.
 */
#ifndef FXT_COLLECT_SOURCE_NAMES_STREAM_H
#define FXT_COLLECT_SOURCE_NAMES_STREAM_H

#include <linux/types.h>
#include <stdbool.h>

#include "source.h"

/**
 * struct names_stream - the stream; begins as zeros
 * @buf: the chunk that is being filled
 * @words: in use in it
 * @held: it was given away, the next call begins a new one
 * @sequence: chunks begun
 * @last: ticks of the last record
 * @kept: records taken
 * @lost: records lost before the chunk that is begun next
 */
struct names_stream {
	__u64 *buf;
	__u32 words;
	bool held;
	__u32 sequence;
	__u64 last;
	__u64 kept;
	__u64 lost;
};

/** names_stream_open() - 0 or -ENOMEM */
int names_stream_open(struct names_stream *n);

/** names_stream_close() - free what names_stream_open() made */
void names_stream_close(struct names_stream *n);

/** names_stream_go_on() - the chunk that was given away, if one was, is used no more */
void names_stream_go_on(struct names_stream *n);

/** names_stream_has_room() - for another task? */
bool names_stream_has_room(const struct names_stream *n);

/**
 * names_stream_at() - where the records of the next task go
 * @n: the stream; it has room
 * @time: ticks of the event
 *
 * Return: FXT_SCHED_TASK_WORDS, for names_stream_add().
 */
__u64 *names_stream_at(struct names_stream *n, __u64 time);

/**
 * names_stream_add() - take what was written to names_stream_at()
 * @n: the stream
 * @time: as there
 * @words: how much it was
 * @records: how many records
 */
void names_stream_add(struct names_stream *n, __u64 time, __u32 words, __u32 records);

/**
 * names_stream_take() - give the chunk away, if it is worth that
 * @n: the stream
 * @c: set to it
 * @partial: it is if it holds anything; else it must be half full
 *
 * Return: was it?
 */
bool names_stream_take(struct names_stream *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_NAMES_STREAM_H */
