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

#endif /* SELFTESTS_GENERATE_H */
