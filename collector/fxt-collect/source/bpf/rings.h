/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - chunks out of the memory that the BPF programs write.
 *
 * Used by bpf.c only, which creates the memory.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_RINGS_H
#define FXT_COLLECT_SOURCE_BPF_RINGS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "source/cpus.h"
#include "source/source.h"

/** struct rings_config - the arguments of rings_open() */
struct rings_config {
	int rings_fd;			/* the map "rings", a struct for each of @cpu_count CPUs */
	int subbufs_fd;	/* the map "subbufs", @subbuf_count elements for each CPU in @present */
	int doorbell_fd;		/* the map "doorbell" */
	int names_fd;			/* the map "names" */
	const __u64 *names_lost;	/* the programs' counter, in shared memory */
	int deferred_fd;		/* the map "deferred", of all levels of each CPU; -1 if
					 * nothing is deferred */
	unsigned int cpu_count;		/* number of possible CPUs */
	const struct cpus *present;	/* CPUs with sub-buffers; records of others are lost and
					 * counted */
	size_t subbuf_size;		/* bytes */
	unsigned int subbuf_count;	/* sub-buffers per CPU */
	bool bare;			/* switches have no weights, but those of idle threads */
	bool overwrite;	/* the producers do not wait for sub-buffers to be given back */
};

struct rings;

/**
 * rings_open() - map everything; no program may be attached yet
 * @c: copied, except what @names_lost points to, which must stay
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
 * Implements source_ops.next(), cannot fail: true, or false if there is no chunk. In
 * overwrite mode only the stream of names, until rings_freeze().
 */
bool rings_next(struct rings *r, struct chunk *c, bool partial);

/*
 * Wait until no program writes with interrupts on. Called after owners_fence(): programs that began
 * before have marked their CPU. They cannot be preempted, but soft interrupts go on before them.
 * Gives up after a second.
 */
void rings_wait(const struct rings *r);

/* Count as lost what is still deferred; the producers are stopped. */
void rings_lose_rest(struct rings *r);

/**
 * rings_freeze() - overwrite mode: the producers are stopped and their records complete
 * @r: the rings; if already frozen, nothing is handed out twice
 */
void rings_freeze(struct rings *r);

/**
 * rings_thaw() - overwrite mode: begin new sub-buffers before the producers run again
 * @r: the rings, frozen; records not fetched are dropped
 */
void rings_thaw(struct rings *r);

/**
 * rings_cpu_stats() - the statistics of a CPU's stream
 * @r: the rings
 * @cpu: its number
 * @stats: filled in
 */
void rings_cpu_stats(const struct rings *r, unsigned int cpu, struct stream_stats *stats);

/** rings_longest() - the longest wait on all CPUs that matched the trigger, if any */
bool rings_longest(const struct rings *r, struct trigger_hit *hit);

/*
 * The statistics of the stream of names, as far as known here: without the programs'
 * counters.
 */
void rings_names_stats(const struct rings *r, struct stream_stats *stats);

#endif /* FXT_COLLECT_SOURCE_BPF_RINGS_H */
