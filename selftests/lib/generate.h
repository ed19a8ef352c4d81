/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthetic archives for tests and benchmarks, valid in the strictest reading of the specification.
 * The same parameters give the same bytes on all machines with the same byte order. Functions
 * return 0, -EINVAL for parameters out of range, or a negative errno.
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

/*
 * Every kind of record and type of argument. Two providers alternate, each with its own string
 * table, thread table and clock. There are strings and threads that are inline, refer to an index,
 * replace others, and are empty. @flags: bits of enum generate_flags.
 */
int generate_all(int fd, unsigned int flags);

/*
 * A recording like those of fxt-collect, of any length, on 1 to 1024 CPUs. @records: context
 * switches and wakeups, together. Threads are created, wake each other, wait, are preempted, move
 * between CPUs and exit. The sub-buffers of the CPUs and of the names are in the order in which
 * they became full. No record is lost.
 */
int generate_sched(int fd, uint64_t records, unsigned int cpus);

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

int generate_part(int fd, const struct generate_wishes *wishes);

/*
 * Everything that a page of fxt report shows. @has_events: with interrupts, system calls and the
 * like
 */
int generate_page(int fd, bool is_triggered, bool has_events);

/* Wakeups that come late. */
int generate_late(int fd);

/* Wakeups by soft interrupts. */
int generate_raised(int fd);

/* Waits for several CPUs, and throttled ones. */
int generate_moved(int fd);

/* The same; process 22 is the recorded command. */
int generate_commanded(int fd);

/* Requests of block devices. */
int generate_requests(int fd);

/*
 * A segment of one of many machines: @host 0 to 99, @day 0 or 1. @cycles: number of cycles of 10
 * ms, a multiple of 10; generate_fleet.c describes a cycle.
 */
int generate_fleet(int fd, unsigned int host, unsigned int day, unsigned int cycles);

/* A short recording with call stacks. */
int generate_stacks(int fd);

#endif /* SELFTESTS_GENERATE_H */
