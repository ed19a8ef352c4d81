/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeps.h - time off CPU of the threads that have stacks.
 *
 * In:  chunks of CPUs with switches and stacks; those of different CPUs come in any order.
 * Out: at the end of the archive, each stack of a thread that slept or was preempted, with the
 * time since the thread's switch-out.
 */
#ifndef FXT_COLLECT_SYMBOLS_SLEEPS_H
#define FXT_COLLECT_SYMBOLS_SLEEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libfxt/stacks.h"

struct chunk;
struct sleep_gap;
struct sleep_mark;
struct sleep_stream;
struct source_config;

/* 24 MiB of marks, and at most 18 MiB of stacks. */
#define SLEEPS_MARKS	(1U << 20)
#define SLEEPS_STACKS	(1U << 15)

/**
 * struct sleeps - of the current archive
 * @is_on: sleeps are collected
 * @preempted: so are preemptions
 * @overwrites: old records may be gone
 * @min: ns of the shortest sleep that has a stack
 * @ticks_per_second: of all times
 * @most: marks at most: SLEEPS_MARKS
 * @marks: switch-outs, and switch-ins with a stack; @count of them, @room for more
 * @is_full: there is no room for more, and nothing to forget
 * @free: index + 1 of the first mark that is free, 0 for none
 * @stacks: each once
 * @streams: of CPUs, @stream_count of them; NULL for a CPU without records
 * @gaps: times whose records are gone, @gap_count of them
 * @dropped: switch-outs and stacks for which there was no room
 */
struct sleeps {
	bool is_on;
	bool preempted;
	bool overwrites;
	uint64_t min;
	uint64_t ticks_per_second;
	size_t most;
	struct sleep_mark *marks;
	size_t count;
	size_t room;
	bool is_full;
	size_t free;
	struct sched_stacks stacks;
	struct sleep_stream **streams;
	size_t stream_count;
	struct sleep_gap *gaps;
	size_t gap_count;
	uint64_t dropped;
};

/**
 * struct sleep - one that has ended
 * @time: ticks of the switch-in
 * @ns: since the switch-out
 * @thread: its id
 * @process: of the thread
 * @stack: where it slept
 */
struct sleep {
	uint64_t time;
	uint64_t ns;
	uint32_t thread;
	uint32_t process;
	const struct sched_stack *stack;
};

/**
 * sleeps_open() - begin
 * @s: the sleeps
 * @c: what is recorded: with stacks of threads that were off their CPUs, @is_on is set. Not if
 *	a filter excludes CPUs, on which threads may have run meanwhile
 * @ticks_per_second: of the times of records
 */
void sleeps_open(struct sleeps *s, const struct source_config *c,
		 uint64_t ticks_per_second);

/** sleeps_chunk() - take a chunk of a CPU, which begins with a ledger. Return: 0 or -ENOMEM */
int sleeps_chunk(struct sleeps *s, const struct chunk *c);

/** sleeps_finish() - all chunks of the archive have been taken; next is sleeps_next() */
void sleeps_finish(struct sleeps *s);

/**
 * sleeps_next() - the next sleep, by thread and time
 * @s: the sleeps
 * @at: where to go on; 0 at the beginning
 * @sleep: filled in
 *
 * A sleep during which records were lost is left out, because the thread may have run
 * meanwhile; so is one since before the archive.
 *
 * Return: false if there is none.
 */
bool sleeps_next(struct sleeps *s, size_t *at, struct sleep *sleep);

/** sleeps_restart() - forget all; another archive begins. @dropped stays */
void sleeps_restart(struct sleeps *s);

/** sleeps_close() - free all */
void sleeps_close(struct sleeps *s);

#endif /* FXT_COLLECT_SYMBOLS_SLEEPS_H */
