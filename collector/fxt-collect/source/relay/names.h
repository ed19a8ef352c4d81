/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - merge the module's streams of names into one.
 *
 * In: sub-buffers of each CPU's names, in order of arrival. Out: chunks of one stream of
 * names, ordered by time, so that the last name of a thread in an archive is its newest
 * one, on whatever CPUs it was renamed.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_NAMES_H
#define FXT_COLLECT_SOURCE_RELAY_NAMES_H

#include <stddef.h>
#include <linux/types.h>

#include "source/names_stream.h"

struct relay_names_cpu;

/**
 * struct relay_names - the streams; initialized with zeros
 * @stream: the merged stream
 * @cpus: queues of records not handed out, @cpu_count of them
 * @until: ticks; older records have been read on all CPUs and may be handed out
 */
struct relay_names {
	struct names_stream stream;
	struct relay_names_cpu *cpus;
	size_t cpu_count;
	__u64 until;
};

/** relay_names_open() - allocate the streams; 0 or -ENOMEM */
int relay_names_open(struct relay_names *n, size_t cpus);

/** relay_names_close() - free the streams */
void relay_names_close(struct relay_names *n);

/**
 * relay_names_add() - add a sub-buffer
 * @n: the streams
 * @cpu: its CPU
 * @words: its contents, beginning with a ledger
 * @bytes: its length
 *
 * Return: 0, -ENOMEM, or -EPROTO if it is malformed.
 */
int relay_names_add(struct relay_names *n, size_t cpu, const __u64 *words, size_t bytes);

/**
 * relay_names_next() - hand out a chunk
 * @n: the streams
 * @c: set to the chunk
 * @partial: also a small one
 *
 * Return: is there one?
 */
bool relay_names_next(struct relay_names *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_RELAY_NAMES_H */
