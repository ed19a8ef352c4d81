// SPDX-License-Identifier: GPL-2.0-or-later
/* cpus.c - the tables of CPUs: what each did, its frequency, run queue and load; what it lost. */
#include "tables.h"

TABLE_HAS(frequencies, FREQUENCY)
TABLE_HAS(steal, STEAL)
TABLE_HAS(run_queues, RUN_QUEUE)
TABLE_HAS(utilization, PELT)

enum { PART_KERNEL = PART_2, PART_LEVELS = PART_3 };

OF_REPORT(bool, was_offline, r->totals.offline)

static uint64_t unknown_ns(const struct report *r, const struct report_cpu *cpu)
{
	uint64_t window = report_window(r), known = cpu->busy + cpu->idle + cpu->offline;

	return window > known ? window - known : 0;
}

static double per_ns(const struct report *r, uint64_t number)
{
	double window = report_window(r);

	return window > 0 ? number / window : 0.0;
}

REPORT_VALUE(unknown, struct report_cpu, cpu, value_of(unknown_ns(r, cpu)))
REPORT_VALUE(unknown_share, struct report_cpu, cpu,
	     value_fraction(per_ns(r, unknown_ns(r, cpu))))
REPORT_VALUE(rate, struct report_cpu, cpu, value_fraction(per_ns(r, cpu->switches) * 1e9))

/* The next columns are unknown if nothing ran. */
COLUMN_VALUE(from, struct report_cpu, cpu,
	     cpu->longest_thread ? value_of(cpu->longest_from) : value_unknown())
COLUMN_VALUE(longest, struct report_cpu, cpu,
	     cpu->longest_thread ? value_of(cpu->longest) : value_absent())
COLUMN_VALUE(runner, struct report_cpu, cpu,
	     cpu->longest_thread ? value_pointer(cpu->longest_thread->sched) : value_absent())

static struct value level(const struct report_level *l)
{
	return l->known ? value_pointer(l) : value_unknown();
}

COLUMN_VALUE(frequency, struct report_cpu, cpu, level(&cpu->levels.khz))
COLUMN_VALUE(queue, struct report_cpu, cpu, level(&cpu->levels.queue))
COLUMN_VALUE(utilization, struct report_cpu, cpu, level(&cpu->levels.util))

COLUMN_VALUE(average, struct report_level, l, value_fraction(report_level_average(l)))
COLUMN_VALUE(above, struct report_level, l, value_fraction((double)l->above / l->known))

COLUMN_VALUE(average_util, struct report_level, l,
	     value_fraction(report_level_average(l) / REPORT_UTIL_MAX))
COLUMN_VALUE(most_util, struct report_level, l, value_fraction(l->most / REPORT_UTIL_MAX))

#define FIELD(field)	COLUMN_FIELD(struct report_level, field)

/* In the page, of table_losses. */
static const struct column_type type_lost = { .page = "lost" };
static const struct column_type type_lost_time = { .page = "lost time" };

static const struct column columns_frequency[] = {
	{ "min_khz", &column_khz, FIELD(least), SHOWN_IN(PART_KERNEL, 1, 8, 0, "min MHz") },
	{ "average_khz", &column_khz, .get = average, .text = { PART_KERNEL, 2, 8, 0, "avg." },
	  .page = "average MHz" },
	{ "max_khz", &column_khz, FIELD(most), .text = { PART_KERNEL, 3, 8, 0, "max." },
	  .page = "max MHz" },
	COLUMNS_END
};

static const struct column columns_queue[] = {
	{ "average", &column_average, .get = average, .text = { PART_LEVELS, 1, 8, 0, "runnable" },
	  .page = "average queue" },
	{ "longest", &column_count, FIELD(most), .text = { PART_LEVELS, 2, 8, 0, "longest" },
	  .page = "longest queue" },
	{ NULL, &column_share, .get = above, .text = { PART_LEVELS, 3, 8, 0, "above 1" } },
	{ "above_one_ns", &column_time, FIELD(above), .page = "queue above 1",
	  .about = "in which it was longer than 1" },
	{ "known_ns", &column_time, FIELD(known) },
	COLUMNS_END
};

static const struct column columns_utilization[] = {
	{ "average", &column_share, .get = average_util, .text = { PART_LEVELS, 1, 8, 0, "util" },
	  .page = "utilization (PELT)", .about = "of 1" },
	{ "max", &column_share, .get = most_util, .text = { PART_LEVELS, 2, 8, 0, "max." },
	  .page = "max utilization (PELT)", .about = "of 1" },
	COLUMNS_END
};

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_cpu, field)

static const struct column columns[] = {
	{ "cpu", &column_cpu, FIELD(number),
	  .text = { PART_1 | PART_KERNEL | PART_LEVELS, 1, 8, 0, "cpu" }, .page = "CPU" },
	{ "busy_ns", &column_of_window, FIELD(busy), SHOWN(2, 7, "busy") },
	{ "idle_ns", &column_of_window, FIELD(idle), SHOWN(3, 7, "idle") },
	{ "offline_ns", &column_of_window, FIELD(offline), .is_shown = was_offline,
	  SHOWN(4, 7, "offline") },
	{ "unknown_ns", &column_time, .get = unknown, .page = "unknown" },
	{ NULL, &column_share, .get = unknown_share, TEXT(5, 9, "unknown") },
	{ "switches", &column_count, FIELD(switches), SHOWN(6, 8, "switches") },
	{ NULL, &column_rate, .get = rate, TEXT(7, 10, "switches/s") },
	{ "longest_ns", &column_time, FIELD(longest), .page = "longest run",
	  .about = "the longest uninterrupted run" },
	{ NULL, &column_time, .get = longest, TEXT(8, 7, "longest uninterrupted run") },
	{ "longest_from_ns", &column_seconds, .get = from, .page = "from",
	  .about = "null if nothing ran" },
	{ "longest_", &column_thread, .get = runner, TEXT_NAME(9, 16, 1, ""), .page = "of" },
	{ "hard_irq_ns", &column_of_window, FIELD(kernel.hard), .is_in = has_interrupts,
	  .text = { PART_KERNEL, 2, 8, 0, "hard irq" }, .page = "interrupts" },
	{ "soft_irq_ns", &column_of_window, FIELD(kernel.soft), .is_in = has_interrupts,
	  .text = { PART_KERNEL, 3, 8, 0, "soft irq" }, .page = "soft interrupts" },
	{ "idle_state_ns", &column_of_window, FIELD(kernel.idle), .is_in = has_idle_states,
	  .text = { PART_KERNEL, 4, 8, 0, "idle st." }, .page = "idle states" },
	{ "host_ns", &column_of_window, FIELD(host), .is_in = has_steal,
	  SHOWN_IN(PART_KERNEL, 5, 7, 0, "host"),
	  .about = "in which the host of the virtual machine ran something else" },
	{ "frequency", &column_object, .get = frequency, .of = columns_frequency,
	  .is_in = has_frequencies, .text = { PART_KERNEL, 6, 0, 0, NULL }, .page = "" },
	{ "run_queue", &column_object, .get = queue, .of = columns_queue, .is_in = has_run_queues,
	  .text = { PART_LEVELS, 2, 0, 0, NULL }, .page = "" },
	{ "utilization", &column_object, .get = utilization, .of = columns_utilization,
	  .is_in = has_utilization, .text = { PART_LEVELS, 3, 0, 0, NULL }, .page = "" },
	{ "lost", &type_lost, .page = "records lost" },
	{ "gap_ns", &type_lost_time, .page = "within" },
	COLUMNS_END
};

OF_REPORT(bool, has_kernel, has_interrupts(r) || has_idle_states(r) || has_frequencies(r) ||
	  has_steal(r))

OF_REPORT(bool, has_levels, has_run_queues(r) || has_utilization(r))

static const struct part parts[] = {
	{ .bit = PART_1 }, { .bit = PART_KERNEL, .is_in = has_kernel }, { .bit = PART_LEVELS, .is_in = has_levels },
	{ .bit = 0 }
};

TABLE_ROWS(rows, ROWS_OF_POINTERS(r->cpus, r->cpu_count))

const struct table table_cpus = {
	.key = "cpus", .title = "CPUs",
	.is_always = true,
	.rows = rows, .columns = columns, .parts = parts,
};

static const struct column columns_losses[] = {
	{ "cpu", &column_cpu, FIELD(number) },
	{ "lost", &column_count, FIELD(lost), .about = "records" },
	{ "gap_ns", &column_time, FIELD(gap), .about = "in which they were lost" },
	COLUMNS_END
};

static const void *lossy(const void *all, const void *element, union row_room *room)
{
	(void)all;
	(void)room;
	return ((const struct report_cpu *)element)->lost ? element : NULL;
}

const struct table table_losses = {
	.within = "losses", .key = "streams",
	.about = "of the CPUs that lost records",
	.rows = rows, .row = lossy, .columns = columns_losses,
};
