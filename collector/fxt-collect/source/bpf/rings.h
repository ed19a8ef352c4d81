/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - chunks out of the memory that the BPF programs write.
 *
 * Only bpf.c includes it, which brings the memory into being.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_RINGS_H
#define FXT_COLLECT_SOURCE_BPF_RINGS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "source/source.h"

/**
 * struct cpus - a set of CPUs
 * @has: whether it has that CPU
 * @count: how many
 * @end: the largest number, plus 1
 */
struct cpus {
	bool has[MAX_CPUS];
	unsigned int count;
	unsigned int end;
};

/**
 * struct rings_config - what rings_open() takes
 * @rings_fd: the map "rings", an element for each of @cpu_count CPUs
 * @subbufs_fd: the map "subbufs", @subbuf_count elements for each CPU in @present
 * @doorbell_fd: the map "doorbell"
 * @names_fd: the map "names"
 * @names_lost: the programs' counter, shared with them
 * @cpu_count: CPUs that may ever be
 * @present: CPUs that get sub-buffers; what others write is lost, and counted
 * @subbuf_size: bytes
 * @subbuf_count: sub-buffers per CPU
 * @overwrite: the producers do not wait for what is given to be given back
 */
struct rings_config {
	int rings_fd;
	int subbufs_fd;
	int doorbell_fd;
	int names_fd;
	const __u64 *names_lost;
	unsigned int cpu_count;
	const struct cpus *present;
	size_t subbuf_size;
	unsigned int subbuf_count;
	bool overwrite;
};

struct rings;

/**
 * rings_open() - map everything; no program may be attached yet
 * @c: copied, but for @names_lost, which must stay
 *
 * Return: to be closed with rings_close(), or NULL with errno set.
 */
struct rings *rings_open(const struct rings_config *c);

/**
 * rings_close() - unmap everything
 * @r: NULL is ignored
 */
void rings_close(struct rings *r);

/* A file descriptor that is readable while a complete sub-buffer waits. */
int rings_poll_fd(const struct rings *r);

/*
 * source_ops.next(), which cannot fail here: true, or false if there is none. In
 * overwrite mode that of names only, until rings_freeze().
 */
bool rings_next(struct rings *r, struct chunk *c, bool partial);

/**
 * rings_freeze() - overwrite mode: no producer runs any more: what is there, is whole
 * @r: the rings; if they are frozen already, nothing is given twice
 */
void rings_freeze(struct rings *r);

/**
 * rings_thaw() - overwrite mode: producers will run again: begin new sub-buffers
 * @r: the rings; frozen. What was not fetched is dropped
 */
void rings_thaw(struct rings *r);

/**
 * rings_cpu_stats() - the statistics of a CPU's stream
 * @r: the rings
 * @cpu: its number
 * @stats: filled in
 */
void rings_cpu_stats(const struct rings *r, unsigned int cpu, struct stream_stats *stats);

/** rings_longest() - the longest wait of all CPUs that counts for the trigger, if any */
bool rings_longest(const struct rings *r, struct trigger_hit *hit);

/* That of the stream of names, as far as it is known here: all but what is counted. */
void rings_names_stats(const struct rings *r, struct stream_stats *stats);

#endif /* FXT_COLLECT_SOURCE_BPF_RINGS_H */
