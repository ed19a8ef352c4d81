/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the module's streams of names, merged to one.
 *
 * In: sub-buffers of each CPU's names, as they come. Out: chunks of one stream of names,
 * in the order of time, so that the last name of a thread in an archive is its newest
 * one, on whatever CPUs it got its names.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_NAMES_H
#define FXT_COLLECT_SOURCE_RELAY_NAMES_H

#include <stddef.h>
#include <linux/types.h>

#include "source/names_stream.h"

struct relay_names_cpu;

/**
 * struct relay_names - the streams; begins as zeros
 * @stream: what they become
 * @cpus: what was not given yet, @cpu_count of them
 * @until: ticks: what is older has been read on all CPUs, and may be given
 */
struct relay_names {
	struct names_stream stream;
	struct relay_names_cpu *cpus;
	size_t cpu_count;
	__u64 until;
};

/** relay_names_open() - 0 or -ENOMEM */
int relay_names_open(struct relay_names *n, size_t cpus);

/** relay_names_close() - free what relay_names_open() made */
void relay_names_close(struct relay_names *n);

/**
 * relay_names_add() - take a sub-buffer
 * @n: the streams
 * @cpu: its CPU
 * @words: it begins with a ledger
 * @bytes: its length
 *
 * Return: 0, -ENOMEM, or -EPROTO if it is not as sub-buffers are.
 */
int relay_names_add(struct relay_names *n, size_t cpu, const __u64 *words, size_t bytes);

/**
 * relay_names_next() - give a chunk
 * @n: the streams
 * @c: set to it
 * @partial: however small it is
 *
 * Return: is there one?
 */
bool relay_names_next(struct relay_names *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_RELAY_NAMES_H */
