/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate.h - archives that are made up, for tests and benchmarks.
 *
 * What flows in: what is wanted. What flows out: an archive, the same bytes for
 * the same wishes on every machine of one byte order. All of it is sound in the
 * strictest reading of the specification.
 */
#ifndef SELFTESTS_GENERATE_H
#define SELFTESTS_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

enum generate_flags {
	GENERATE_SWAPPED	= 1 << 0,	/* in the byte order of other machines */
	GENERATE_NO_LARGE	= 1 << 1,	/* no large records: Perfetto knows none */
	GENERATE_SMALL		= 1 << 2,	/* nothing long, and fewer events: to be fuzzed */
};

/**
 * generate_all() - every kind of record, every type of argument
 * @fd: where to
 * @flags: bits of enum generate_flags
 *
 * Two providers with string tables, thread tables and clocks of their own take
 * turns. Strings and threads are inline, by index, replaced, and empty.
 *
 * Return: 0 or a negative errno.
 */
int generate_all(int fd, unsigned int flags);

/**
 * generate_sched() - a recording such as fxt-collect makes, of any length
 * @fd: where to
 * @records: context switches and wakeups, together
 * @cpus: 1 to 1024
 *
 * Threads are born, wake each other, wait, are preempted, move between CPUs and
 * die. Sub-buffers of the CPUs and of the names stand in the file in the order
 * in which they became full; no record is lost.
 *
 * Return: 0; -EINVAL for a number of CPUs that cannot be; else a negative errno.
 */
int generate_sched(int fd, uint64_t records, unsigned int cpus);

/**
 * struct generate_wishes - the same, but not all of it
 * @records: context switches and wakeups that happen, from @before on
 * @cpus: 1 to 1024
 * @before: records that are older than the archive, and not in it
 * @snapshot: the archive is one of a flight recorder: streams begin with the first
 *	sub-buffer after that, and it is marked; else it is a segment: streams go on
 *	wherever they are
 * @only_cpus: the first so many CPUs are recorded, 0 for all
 * @only_processes: the first so many processes are recorded, 0 for all
 */
struct generate_wishes {
	uint64_t records;
	unsigned int cpus;
	uint64_t before;
	bool snapshot;
	unsigned int only_cpus;
	unsigned int only_processes;
};

/** generate_part() - generate_sched() with more wishes; returns what that does */
int generate_part(int fd, const struct generate_wishes *wishes);

/**
 * generate_page() - what a page of fxt report has to show: generate_page.c tells it
 * @fd: where to
 * @is_triggered: it is a snapshot that a wait has made
 *
 * Return: 0 or a negative errno.
 */
int generate_page(int fd, bool is_triggered);

#endif /* SELFTESTS_GENERATE_H */
