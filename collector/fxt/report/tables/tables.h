/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - all tables of a report, and the columns and functions that several of them share.
 */
#ifndef FXT_REPORT_TABLES_TABLES_H
#define FXT_REPORT_TABLES_TABLES_H

#include "table.h"

extern const struct table table_cpus, table_losses, table_latencies, table_names, table_cgroups,
	table_processes, table_threads, table_worst, table_sleeps, table_longest_sleeps,
	table_longest_uninterruptible, table_interrupts, table_idle_states, table_work_items,
	table_system_calls, table_throttled_cgroups, table_cgroup_quotas, table_ipis,
	table_exits, table_inherited_priorities, table_signals, table_concurrency,
	table_placement, table_slice_names, table_thread_slices, table_async_slices,
	table_slice_threads, table_counters;

/** table_stacks, table_functions - tables of stacks, and of functions, by enum report_stack_kind */
extern const struct table table_stacks[], table_functions[];

/** table_origins() - list the origins of some kinds: slices of the kernel, or failed threads */
struct rows table_origins(const struct report *r, enum kernel_event_what first,
			  enum kernel_event_what last);

/** table_signal_name() - the name of a signal without SIG, e.g. "KILL"; NULL if unknown */
const char *table_signal_name(uint32_t signal);

/* Columns of struct report_origin and of struct report_wait for several tables. */
extern const struct column columns_origin_name[], columns_longest[], columns_origin_cpus[],
	columns_wait[], columns_woken_by[];

/* --- names, cgroups, processes and threads ----------------------------------------------- */

/**
 * struct activity - what one or several threads did
 * @threads: number of threads; @processes: number of their processes
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

/** columns_waits - columns of struct report_waits */
extern const struct column columns_waits[];

/**
 * columns_total_waits, columns_sleeps - columns of struct activity: latencies and sleeps by kind
 */
extern const struct column columns_total_waits[];
extern const struct column columns_sleeps[];

/* Parts of the text of these tables. */
enum {
	PART_ACTIVITY = 1, PART_SLEEPS = 2, PART_OWN = 4, PART_CALLS = 8, PART_WOKEN = 16,
	PART_PREEMPTED = 32, PART_HELD = 64, PART_WAKERS = 128, PARTS_ALL = 255,
};

/* --- the order in which renderers show tables -------------------------------------------- */

/*
 * Lists of tables in their order, each ended by NULL: of JSON
 * between the longest waits and the stacks, of an archive without scheduling, of the page.
 */
extern const struct table *const tables_in_json[], *const tables_of_slices_in_text[], *const tables_of_slices_in_json[],
	*const tables_in_page[];

#endif /* FXT_REPORT_TABLES_TABLES_H */
