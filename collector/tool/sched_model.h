/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_model.h - threads and CPUs over time, from the records of an archive.
 *
 * What flows in: scheduling and kernel object records in file order. What flows
 * out: for each thread what it did in all. Within a stream records are in the
 * order of time, and a CPU's run times come from that CPU's switches alone, so
 * no sorting is needed.
 */
#ifndef FXT_TOOL_SCHED_MODEL_H
#define FXT_TOOL_SCHED_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "../lib/fxt_reader.h"

/**
 * struct model_thread - one thread
 * @koid: its id; 0 is the idle threads of all CPUs together
 * @process: koid of its process, 0 if no record told it
 * @name: as the last record had it, terminated; empty if none did
 * @run: ticks that it ran
 * @switches: times that it was switched out
 * @preempted: how many of those it would rather have gone on
 * @wakeups: times that it was woken
 */
struct model_thread {
	uint64_t koid;
	uint64_t process;
	char name[64];
	uint64_t run;
	uint64_t switches;
	uint64_t preempted;
	uint64_t wakeups;
};

/**
 * struct model - all of an archive
 * @threads: sorted by koid
 * @count: of @threads
 * @cpus: that have switched at all
 * @first: ticks of the first scheduling record by time
 * @last: ticks of the last one
 * @switches: in the archive
 * @wakeups: in the archive
 * @lost: records lost, as the closing ledgers say
 */
struct model {
	struct model_thread *threads;
	size_t count;
	unsigned int cpus;
	uint64_t first;
	uint64_t last;
	uint64_t switches;
	uint64_t wakeups;
	uint64_t lost;
};

/**
 * model_read() - read an archive to its end
 * @m: set to what it tells; to be freed by model_free()
 * @r: the archive, just opened
 *
 * Return: 0, -ENOMEM, or -EBADMSG, and then @m holds what came before the
 * record that fxt_reader_error() speaks of.
 */
int model_read(struct model *m, struct fxt_reader *r);

/** model_free() - free what model_read() allocated */
void model_free(struct model *m);

#endif /* FXT_TOOL_SCHED_MODEL_H */
