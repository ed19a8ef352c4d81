/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - all tables of a report, and what several of them share.
 */
#ifndef FXT_REPORT_TABLES_TABLES_H
#define FXT_REPORT_TABLES_TABLES_H

#include "table.h"

extern const struct table table_cpus, table_names, table_cgroups, table_processes, table_threads,
	table_worst, table_sleeps, table_longest_sleeps, table_longest_uninterruptible,
	table_interrupts, table_idle_states, table_work_items, table_system_calls,
	table_throttled_cgroups, table_cgroup_quotas, table_ipis, table_exits,
	table_inherited_priorities;

/** table_sources() - slices of the kernel, or failed threads: those of some kinds */
struct rows table_sources(const struct report *r, enum kernel_event_what first,
			  enum kernel_event_what last);

/** table_signal_name() - "KILL", without SIG; NULL of an unknown one */
const char *table_signal_name(uint32_t signal);

/* Columns of struct report_source and of struct report_wait that several tables have. */
extern const struct column columns_source_name[], columns_longest[], columns_source_cpus[],
	columns_wait[], columns_woken_by[];

#endif /* FXT_REPORT_TABLES_TABLES_H */
