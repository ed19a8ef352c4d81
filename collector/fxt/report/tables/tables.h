/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.h - all tables of a report, and the columns and functions that several of them share. */
#ifndef FXT_REPORT_TABLES_TABLES_H
#define FXT_REPORT_TABLES_TABLES_H

#include "report/stats/report.h"
#include "table/schema.h"

/* Define a function of a report. */
#define OF_REPORT(type, name, result)						\
	static inline type name(const void *any)				\
	{									\
		const struct report *r = any;					\
										\
		return result;							\
	}
#define TABLE_ROWS(name, result)	OF_REPORT(struct rows, name, result)
#define REPORT_VALUE(name, type, row, result)					\
	COLUMN_VALUE_OF(name, struct report, r, type, row, result)

/* Does the archive have such events? Most files of tables say so of theirs. */
#define TABLE_HAS(name, event)	OF_REPORT(bool, has_##name, r->kernel.has[KERNEL_##event])
TABLE_HAS(idle_states, IDLE)
TABLE_HAS(system_calls, SYSCALL)
TABLE_HAS(throttling, THROTTLE)
TABLE_HAS(locks, LOCK)
TABLE_HAS(ipis, IPI)
OF_REPORT(bool, has_interrupts, report_has_irqs(&r->kernel))

/* Types of columns whose values are made of several members of a row. */
extern const struct column_type
	column_report_thread,		/* a field that is a struct report_thread */
	column_report_thread_nth,
	column_report_histogram,	/* a field that is a struct report_hist */
	column_report_cpus;		/* where a wait or a sleep began and ended; only in the page */

extern const struct table table_cpus, table_losses, table_latencies, table_names, table_cgroups,
	table_processes, table_threads, table_worst, table_sleeps, table_longest_sleeps,
	table_longest_uninterruptible, table_concurrency, table_placement, table_slice_names,
	table_thread_slices, table_async_slices, table_slice_threads, table_counters,
	table_idle_states;

/* Tables of events of the kernel, in the order of text, of JSON and of the page. */
#define TABLES_OF_EVENTS(TABLE)							\
	TABLE(throttled_cgroups) TABLE(cgroup_quotas) TABLE(interrupts)		\
	TABLE(ipis) TABLE(work_items) TABLE(memory) TABLE(system_calls)		\
	TABLE(locks) TABLE(futexes) TABLE(exits) TABLE(inherited_priorities)	\
	TABLE(signals) TABLE(requests) TABLE(sockets)
#define TABLE_EXTERN(name)	extern const struct table table_##name;
TABLES_OF_EVENTS(TABLE_EXTERN)
#undef TABLE_EXTERN

/* By enum report_stack_kind. */
extern const struct table table_stacks[], table_functions[];

/* The origins of some kinds: slices of the kernel, or failed threads. */
struct rows table_origins(const struct report *r, enum kernel_event_what first,
			  enum kernel_event_what last);

/* Without SIG, e.g. "KILL"; NULL if unknown. */
const char *table_signal_name(uint32_t signal);

/* The kind of interrupt that woke a thread, in words. */
const char *table_irq_name(uint8_t irq);

/* An interrupt, as "eth0 (irq 17)". Return: the columns that it took */
unsigned int table_print_origin(const struct text *t, const struct report_origin *s,
				unsigned int width);

/* A list of [low, high, count]. */
extern const struct schema schema_histogram[];
void json_histogram(struct json *j, const char *key, const struct report_hist *h);

/* Columns of struct report_origin and of struct report_wait for several tables. */
extern const struct column columns_origin_name[], columns_longest[], columns_origin_cpus[],
	columns_wait[], columns_woken_by[];

/* --- names, cgroups, processes and threads ----------------------------------------------- */

/* What one or several threads did. */
struct activity {
	const struct report_counts *n;
	struct report_waits *const *waits;
	struct report_sleeps *const *sleeps;
	const struct report_waker *wakers;
	unsigned int waker_count;
	const struct report_calls *calls;
	uint64_t threads;
	uint64_t processes;	/* of @threads */
	const char *name;	/* of a cgroup its path; NULL or "" if the archive has none */
	const struct report_process *process;	/* of a process or of a thread, else NULL */
	const struct report_thread *thread;	/* of a thread, else NULL */
};

extern const struct column columns_trigger_stacks[];	/* of struct report_trigger_stacks */
extern const struct column columns_waits[];		/* of struct report_waits */

/* Of struct activity: latencies and sleeps by kind. */
extern const struct column columns_total_waits[];
extern const struct column columns_sleeps[];

/* Parts of the text of these tables. */
enum {
	PART_ACTIVITY = 1, PART_SLEEPS = 2, PART_OWN = 4, PART_CALLS = 8, PART_WOKEN = 16,
	PART_PREEMPTED = 32, PART_HELD = 64, PART_WAKERS = 128, PARTS_ALL = 255,
};

/* --- the order in which renderers show tables -------------------------------------------- */

/* Ended by NULL; the last ones of JSON and of the page are of an archive with scheduling. */
extern const struct table *const tables_in_json[], *const tables_of_slices_in_text[],
	*const tables_of_slices_in_json[], *const tables_in_page[];

#endif /* FXT_REPORT_TABLES_TABLES_H */
