// SPDX-License-Identifier: GPL-2.0-or-later
/* lists.c - in which order each renderer shows the tables of a report. */
#include "tables.h"

#define TABLE_ADDRESS(name)	&table_##name,

const struct table *const tables_in_json[] = {
	&table_longest_sleeps,
	&table_longest_uninterruptible,
	&table_idle_states,
	TABLES_OF_EVENTS(TABLE_ADDRESS)
	&table_concurrency,
	&table_placement,
	NULL
};

const struct table *const tables_of_slices_in_text[] = {
	&table_thread_slices,
	&table_async_slices,
	&table_slice_threads,
	&table_counters,
	NULL
};

const struct table *const tables_of_slices_in_json[] = {
	&table_slice_names,
	&table_slice_threads,
	&table_counters,
	NULL
};

const struct table *const tables_in_page[] = {
	&table_names,
	&table_threads,
	&table_processes,
	&table_cgroups,
	&table_cpus,
	&table_concurrency,
	&table_placement,
	&table_idle_states,
	TABLES_OF_EVENTS(TABLE_ADDRESS)
	&table_worst,
	&table_sleeps,
	&table_longest_sleeps,
	&table_longest_uninterruptible,
	&table_functions[REPORT_STACK_SLEPT],
	&table_functions[REPORT_STACK_PREEMPTED],
	&table_functions[REPORT_STACK_WAKER],
	&table_functions[REPORT_STACK_RAN],
	&table_slice_names,
	&table_slice_threads,
	&table_counters,
	&table_latencies,
	NULL
};
