/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - counts the threads that wait for each CPU, and the switches of each CPU.
 *
 * In: chunks of the CPUs' streams, in any order among CPUs.
 * Out: counter events at intervals of COUNTERS_NS: for each CPU the number of threads that wait for
 * it at that instant (runnable, not running), and the switches per second up to the next instant.
 * Unchanged values are not repeated.
 *
 * A wakeup may arrive after the switch that ended its wait, because they are in streams of
 * different CPUs. So changes are collected until all CPUs have delivered their records up to an
 * instant. Then the last earlier change of each thread counts.
 *
 * Only for unfiltered recordings: with a filter, waiting threads are unknown. Functions of type int
 * return 0 or a negative errno.
 */
#ifndef FXT_COLLECT_ARCHIVE_COUNTERS_H
#define FXT_COLLECT_ARCHIVE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

struct counters;
struct fxt_writer;

#define COUNTERS_NS	10000000ULL	/* between two instants */

int counters_open(struct counters **c, uint64_t ticks_per_second);

void counters_close(struct counters *c);

/* Recording starts, or continues after a pause, at @start (ticks). No thread is known to wait. */
void counters_restart(struct counters *c, uint64_t start);

/* Start a new archive, which has no values yet. */
void counters_begin(struct counters *c);

/**
 * counters_since() - discard everything before @since, which is incomplete
 *
 * All chunks have been received. No thread is known to wait at @since, and no earlier instant is
 * written.
 */
void counters_since(struct counters *c, uint64_t since);

/**
 * counters_chunk() - count the records of a chunk of any stream, as stitch_chunk() takes it
 *
 * If it has more changes than can be kept until counters_write(), no instant up to its end is
 * written.
 *
 * Return: 0, -ENOMEM, or -EPROTO for a malformed chunk.
 */
int counters_chunk(struct counters *c, const struct chunk *chunk);

/**
 * counters_write() - write the values of all past instants
 * @w: has the strings of fxt_sched.h
 * @until: ticks; counters_chunk() has got all earlier records
 */
int counters_write(struct counters *c, struct fxt_writer *w, uint64_t until);

#endif /* FXT_COLLECT_ARCHIVE_COUNTERS_H */
