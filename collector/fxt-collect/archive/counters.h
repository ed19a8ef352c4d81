/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters.h - how many threads wait for each CPU, and how often each switches.
 *
 * What flows in: chunks of the CPUs' streams, in any order among CPUs. What flows out:
 * counter events, at instants COUNTERS_NS apart: of each CPU the threads that wait for
 * it right then (runnable, not running), and the switches per second up to the next
 * instant. What stays as it is is not repeated.
 *
 * A wakeup may arrive after the switch that ended its wait, for they stand in streams
 * of different CPUs. So what counts at an instant is, of each thread, the last that
 * happened to it before: changes are collected until all CPUs have told of the time
 * up to the instant.
 *
 * Only of a recording of everything: with a filter nobody knows who waits.
 */
#ifndef FXT_COLLECT_ARCHIVE_COUNTERS_H
#define FXT_COLLECT_ARCHIVE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

struct counters;
struct fxt_writer;

#define COUNTERS_NS	10000000ULL	/* between two instants */

/**
 * counters_open() - begin to count
 * @c: set to the new counters
 * @ticks_per_second: of the session's clock
 *
 * Return: 0 or -ENOMEM.
 */
int counters_open(struct counters **c, uint64_t ticks_per_second);

/** counters_close() - free them; NULL is ignored */
void counters_close(struct counters *c);

/**
 * counters_restart() - recording begins, or goes on after a pause
 * @c: the counters
 * @start: ticks; instants count from here, and nothing was before. Nobody is known to
 *	wait.
 */
void counters_restart(struct counters *c, uint64_t start);

/** counters_begin() - another archive begins: it knows no values yet */
void counters_begin(struct counters *c);

/**
 * counters_since() - not all that was before is known: begin here
 * @c: the counters, which have got what there is
 * @since: ticks
 *
 * Nobody is known to wait then, and nothing is written of what was before.
 */
void counters_since(struct counters *c, uint64_t since);

/**
 * counters_chunk() - take note of what a chunk says
 * @c: the counters
 * @chunk: of any stream, as stitch_chunk() takes it
 *
 * Should it be more than can be kept until counters_write(), nothing is written of the
 * time up to there.
 *
 * Return: 0, -ENOMEM, or -EPROTO if it is not as chunks are.
 */
int counters_chunk(struct counters *c, const struct chunk *chunk);

/**
 * counters_write() - write the values of all instants that are over
 * @c: the counters
 * @w: the archive; the strings of fxt_sched.h are registered
 * @until: ticks; what happened before has been given to counters_chunk()
 *
 * "Counter event".
 *
 * Return: 0 or a negative errno.
 */
int counters_write(struct counters *c, struct fxt_writer *w, uint64_t until);

#endif /* FXT_COLLECT_ARCHIVE_COUNTERS_H */
