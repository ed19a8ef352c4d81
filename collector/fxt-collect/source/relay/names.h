/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - merges the module's streams of names, one per CPU, into one that is ordered by time. So
 * the last name of a thread in an archive is its newest one, on whatever CPUs it was renamed.
 */
#ifndef FXT_COLLECT_SOURCE_RELAY_NAMES_H
#define FXT_COLLECT_SOURCE_RELAY_NAMES_H

#include <stddef.h>
#include <linux/types.h>

#include "source/names_stream.h"

struct relay_names_cpu;

/* Initialize with zeros. */
struct relay_names {
	struct names_stream stream;	/* the merged one */
	struct relay_names_cpu *cpus;	/* queues of records not handed out */
	size_t cpu_count;
	__u64 until;			/* ticks; all CPUs' older records have been read */
};

/* Return: 0 or -ENOMEM */
int relay_names_open(struct relay_names *n, size_t cpus);

void relay_names_close(struct relay_names *n);

/**
 * relay_names_add() - add a sub-buffer, which begins with a ledger
 *
 * Return: 0, -ENOMEM, or -EPROTO if it is malformed.
 */
int relay_names_add(struct relay_names *n, size_t cpu, const __u64 *words, size_t bytes);

/* Hand out a chunk, with @partial also a small one. Return: is there one? */
bool relay_names_next(struct relay_names *n, struct chunk *c, bool partial);

#endif /* FXT_COLLECT_SOURCE_RELAY_NAMES_H */
