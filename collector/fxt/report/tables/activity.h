/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * activity.h - a row of the tables of names, cgroups, processes and threads, and the columns that
 * the four have in common; also what all threads did together.
 */
#ifndef FXT_REPORT_TABLES_ACTIVITY_H
#define FXT_REPORT_TABLES_ACTIVITY_H

#include "table.h"

/**
 * struct activity - what a thread did, or several of them together
 * @threads: how many these are, of @processes
 * @name: of a cgroup its path; NULL or "" if the archive has none
 * @process: of a process or of a thread, else NULL
 * @thread: of a thread, else NULL
 */
struct activity {
	const struct report_counts *n;
	struct report_waits *const *waits;
	struct report_sleeps *const *sleeps;
	const struct report_waker *wakers;
	unsigned int waker_count;
	const struct report_calls *calls;
	uint64_t threads;
	uint64_t processes;
	const char *name;
	const struct report_process *process;
	const struct report_thread *thread;
};

/** columns_waits - of struct report_waits */
extern const struct column columns_waits[];

/** columns_total_waits, columns_sleeps - of struct activity: latencies and sleeps by kind */
extern const struct column columns_total_waits[];
extern const struct column columns_sleeps[];

/* Parts of the text of these tables. */
enum {
	PART_ACTIVITY = 1, PART_SLEEPS = 2, PART_OWN = 4, PART_CALLS = 8, PART_WOKEN = 16,
	PART_PREEMPTED = 32, PART_HELD = 64, PART_WAKERS = 128, PARTS_ALL = 255,
};

#endif /* FXT_REPORT_TABLES_ACTIVITY_H */
