/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rings.h - chunks out of the memory that the BPF programs write: the rings of bpf/ring.h, and the
 * ring buffer of names, which are ordered by time over all CPUs. bpf.c creates the memory.
 */
#ifndef FXT_COLLECT_SOURCE_BPF_RINGS_H
#define FXT_COLLECT_SOURCE_BPF_RINGS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "source/cpus.h"
#include "source/source.h"

struct rings_config {
	int rings_fd;			/* the map "rings", a struct for each CPU */
	int subbufs_fd;			/* the map "subbufs" of all CPUs in @present */
	int doorbell_fd;		/* the map "doorbell" */
	int names_fd;			/* the map "names" */
	const __u64 *names_lost;	/* the programs' counter, in shared memory */
	int deferred_fd;		/* the map "deferred", all levels of each CPU; -1: none */
	unsigned int cpu_count;		/* possible CPUs */
	const struct cpus *present;	/* CPUs with sub-buffers; records of others are lost */
	size_t subbuf_size;		/* bytes */
	unsigned int subbuf_count;	/* per CPU */
	bool bare;			/* switches have no weights, but those of idle threads */
	bool overwrite;			/* producers do not wait for sub-buffers to be given back */
};

struct rings;

/** rings_map() - map the memory of a BPF map, to read and write it. Return: NULL on error */
void *rings_map(int fd, size_t bytes);

/**
 * rings_open() - map everything; no program may be attached yet
 * @c: copied; what it points to must stay
 *
 * Return: NULL with errno set on error.
 */
struct rings *rings_open(const struct rings_config *c);

/* NULL is ignored. */
void rings_close(struct rings *r);

/* Readable while a complete sub-buffer waits. */
int rings_poll_fd(const struct rings *r);

/*
 * Implements source_ops.next(). In overwrite mode only the stream of names, until rings_freeze().
 */
bool rings_next(struct rings *r, struct chunk *c, bool partial);

/*
 * Wait until no program writes with interrupts on, at most a second. Call it after owners_fence():
 * programs that began before have marked their CPU. They cannot be preempted, but soft interrupts
 * interrupt them.
 */
void rings_wait(const struct rings *r);

/* Count deferred records as lost; the producers are stopped. */
void rings_lose_rest(struct rings *r);

/**
 * rings_freeze() - overwrite mode: the producers are stopped and their records complete
 *
 * If the rings are frozen already, nothing is handed out twice.
 */
void rings_freeze(struct rings *r);

/**
 * rings_thaw() - overwrite mode: begin new sub-buffers before the producers run again
 *
 * Records that were not fetched are dropped.
 */
void rings_thaw(struct rings *r);

void rings_cpu_stats(const struct rings *r, unsigned int cpu, struct stream_stats *stats);

/* The longest wait on all CPUs that matched the trigger, if any. */
bool rings_longest(const struct rings *r, struct trigger_hit *hit);

/* Without the programs' counters, which are not known here. */
void rings_names_stats(const struct rings *r, struct stream_stats *stats);

#endif /* FXT_COLLECT_SOURCE_BPF_RINGS_H */
