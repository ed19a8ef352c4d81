/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * generate.h - synthetic archives for tests and benchmarks.
 * In:  parameters.
 * Out: an archive, which is valid in the strictest reading of the specification. The same
 *      parameters give the same bytes on all machines with the same byte order.
 */
#ifndef SELFTESTS_GENERATE_H
#define SELFTESTS_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

enum generate_flags {
	GENERATE_SWAPPED	= 1 << 0,	/* in the other byte order */
	GENERATE_NO_LARGE	= 1 << 1,	/* no large records, which Perfetto lacks */
	GENERATE_SMALL		= 1 << 2,	/* no long records, and fewer events; for fuzzing */
};

/**
 * generate_all() - write an archive with every kind of record and type of argument
 * @fd: the file
 * @flags: bits of enum generate_flags
 *
 * Two providers alternate, each with its own string table, thread table and clock. There are
 * strings and threads that are inline, refer to an index, replace others, and are empty.
 *
 * Return: 0 or a negative errno.
 */
int generate_all(int fd, unsigned int flags);

/**
 * generate_sched() - write a recording like those of fxt-collect, of any length
 * @fd: the file
 * @records: context switches and wakeups, together
 * @cpus: 1 to 1024
 *
 * Threads are created, wake each other, wait, are preempted, move between CPUs and exit.
 * The sub-buffers of the CPUs and of the names are in the order in which they became full.
 * No record is lost.
 *
 * Return: 0; -EINVAL for an invalid number of CPUs; else a negative errno.
 */
int generate_sched(int fd, uint64_t records, unsigned int cpus);

/** struct generate_wishes - the part of a recording to write */
struct generate_wishes {
	uint64_t records;	/* context switches and wakeups that happen after @before */
	unsigned int cpus;	/* 1 to 1024 */
	/* number of records that are older than the archive, and not in it */
	uint64_t before;
	/*
	 * the archive is a snapshot of a flight recorder, with its marks: streams begin with their
	 * first sub-buffer after @before. Else it is a segment: streams begin at @before, even in
	 * the middle of a sub-buffer
	 */
	bool snapshot;
	bool is_marked;	/* a mark begins the stream of each CPU; only without @before */
	unsigned int only_cpus;	/* number of CPUs that are recorded, from the first; 0 for all */
	/* number of processes that are recorded, from the first; 0 for all */
	unsigned int only_processes;
	/* record only the weights of idle threads, and wakeups at sched_waking */
	bool like_for_like;
};

/**
 * generate_part() - write part of a recording
 * @fd: the file
 * @wishes: the part
 *
 * Return: as generate_sched().
 */
int generate_part(int fd, const struct generate_wishes *wishes);

/**
 * generate_page() - write a recording with everything that a page of fxt report shows
 * @fd: the file
 * @is_triggered: the recording is a snapshot after a trigger
 * @has_events: it has interrupts, system calls and the like
 *
 * Return: 0 or a negative errno.
 */
int generate_page(int fd, bool is_triggered, bool has_events);

/** generate_late() - write wakeups that come late. Return: 0 or a negative errno */
int generate_late(int fd);

/** generate_raised() - write wakeups by soft interrupts. Return: likewise */
int generate_raised(int fd);

/** generate_moved() - write waits for several CPUs, and throttled ones. Return: likewise */
int generate_moved(int fd);

/** generate_commanded() - likewise; the process 22 is the recorded command. Return: likewise */
int generate_commanded(int fd);

/**
 * generate_fleet() - write a segment of one machine of many
 * @fd: the file
 * @host: 0 to 99
 * @day: 0 or 1
 * @cycles: number of cycles of 10 ms, a multiple of 10; generate_fleet.c describes a cycle
 *
 * Return: 0; -EINVAL for values out of range; else a negative errno.
 */
int generate_fleet(int fd, unsigned int host, unsigned int day, unsigned int cycles);

/** generate_stacks() - write a short recording with call stacks. Return: likewise */
int generate_stacks(int fd);

#endif /* SELFTESTS_GENERATE_H */
