// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - the table of CPUs: what each of them did, its interrupts, frequency, run queue and load.
 *
 *  cpus: list of cpu, busy_ns, idle_ns, offline_ns, unknown_ns, switches, longest_ns,
 *    longest_from_ns, longest_tid and longest_name (null if nothing ran); only if the archive has
 *    such events: hard_irq_ns, soft_irq_ns, idle_state_ns; frequency: min_khz, average_khz,
 *    max_khz, or null; run_queue: average, longest, above_one_ns and known_ns, or null;
 *    utilization: average and max (0 to 1), or null
 *
 *  streams, in the losses: list of cpu, lost (records), gap_ns (the time in which they were lost),
 *    of the CPUs that lost some
 */
#include "tables.h"

enum { PART_KERNEL = PART_2, PART_LEVELS = PART_3 };

static const struct report_cpu *of(const void *row)
{
	return row;
}

/* --- what it did ---------------------------------------------------------------------------- */

static uint64_t known(const struct report_cpu *cpu)
{
	return cpu->busy + cpu->idle + cpu->offline;
}

static bool was_offline(const struct report *r)
{
	return r->totals.offline;
}

static struct value unknown(const struct report *r, const void *row)
{
	uint64_t window = report_window(r);

	return value_of(window > known(of(row)) ? window - known(of(row)) : 0);
}

static struct value unknown_share(const struct report *r, const void *row)
{
	double window = report_window(r), is_known = known(of(row));

	return value_fraction(window > is_known ? 1 - is_known / window : 0);
}

static struct value rate(const struct report *r, const void *row)
{
	double window = report_window(r);

	return value_fraction(window > 0 ? of(row)->switches / window * 1e9 : 0.0);
}

/* The next columns are unknown if nothing ran. */
COLUMN_VALUE(from, struct report_cpu, cpu,
	     cpu->longest_thread ? value_of(cpu->longest_from) : value_unknown())
COLUMN_VALUE(longest, struct report_cpu, cpu,
	     cpu->longest_thread ? value_of(cpu->longest) : value_absent())
COLUMN_VALUE(runner, struct report_cpu, cpu,
	     cpu->longest_thread ? value_pointer(cpu->longest_thread) : value_absent())

/* --- its values ------------------------------------------------------------------------------ */

static struct value level(const struct report_level *l)
{
	return l->known ? value_pointer(l) : value_unknown();
}

COLUMN_VALUE(frequency, struct report_cpu, cpu, level(&cpu->levels.khz))
COLUMN_VALUE(queue, struct report_cpu, cpu, level(&cpu->levels.queue))
COLUMN_VALUE(utilization, struct report_cpu, cpu, level(&cpu->levels.util))

static struct value average(const struct report *r, const void *row)
{
	(void)r;
	return value_fraction(report_level_average(row));
}

static struct value average_khz(const struct report *r, const void *row)
{
	(void)r;
	return value_fraction(report_level_average(row));
}

COLUMN_VALUE(above, struct report_level, l, value_fraction((double)l->above / l->known))

static struct value average_util(const struct report *r, const void *row)
{
	(void)r;
	return value_fraction(report_level_average(row) / REPORT_UTIL_MAX);
}

COLUMN_VALUE(most_util, struct report_level, l, value_fraction(l->most / REPORT_UTIL_MAX))

#define FIELD(field)	COLUMN_FIELD(struct report_level, field)

static const struct column columns_frequency[] = {
	{ "min_khz", COLUMN_KHZ, FIELD(least), .text = { PART_KERNEL, 1, 8, 0, "min MHz" },
	  .page = "min MHz" },
	{ "average_khz", COLUMN_KHZ, .get = average_khz,
	  .text = { PART_KERNEL, 2, 8, 0, "avg." }, .page = "average MHz" },
	{ "max_khz", COLUMN_KHZ, FIELD(most), .text = { PART_KERNEL, 3, 8, 0, "max." },
	  .page = "max MHz" },
	COLUMNS_END
};

static const struct column columns_queue[] = {
	{ "average", COLUMN_AVERAGE, .get = average,
	  .text = { PART_LEVELS, 1, 8, 0, "runnable" }, .page = "average queue" },
	{ "longest", COLUMN_COUNT, FIELD(most), .text = { PART_LEVELS, 2, 8, 0, "longest" },
	  .page = "longest queue" },
	{ NULL, COLUMN_SHARE, .get = above, .text = { PART_LEVELS, 3, 8, 0, "above 1" } },
	{ "above_one_ns", COLUMN_TIME, FIELD(above), .page = "queue above 1" },
	{ "known_ns", COLUMN_TIME, FIELD(known) },
	COLUMNS_END
};

static const struct column columns_utilization[] = {
	{ "average", COLUMN_SHARE, .get = average_util,
	  .text = { PART_LEVELS, 1, 8, 0, "util" }, .page = "utilization" },
	{ "max", COLUMN_SHARE, .get = most_util, .text = { PART_LEVELS, 2, 8, 0, "max." },
	  .page = "max utilization" },
	COLUMNS_END
};

/* --- the table ------------------------------------------------------------------------------- */

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_cpu, field)

static const struct column columns[] = {
	{ "cpu", COLUMN_CPU, FIELD(number),
	  .text = { PART_1 | PART_KERNEL | PART_LEVELS, 1, 8, 0, "cpu" }, .page = "CPU" },
	{ "busy_ns", COLUMN_OF_WINDOW, FIELD(busy), .text = { PART_1, 2, 7, 0, "busy" },
	  .page = "busy" },
	{ "idle_ns", COLUMN_OF_WINDOW, FIELD(idle), .text = { PART_1, 3, 7, 0, "idle" },
	  .page = "idle" },
	{ "offline_ns", COLUMN_OF_WINDOW, FIELD(offline), .is_shown = was_offline,
	  .text = { PART_1, 4, 7, 0, "offline" }, .page = "offline" },
	{ "unknown_ns", COLUMN_TIME, .get = unknown, .page = "unknown" },
	{ NULL, COLUMN_SHARE, .get = unknown_share, .text = { PART_1, 5, 9, 0, "unknown" } },
	{ "switches", COLUMN_COUNT, FIELD(switches), .text = { PART_1, 6, 8, 0, "switches" },
	  .page = "switches" },
	{ NULL, COLUMN_RATE, .get = rate, .text = { PART_1, 7, 10, 0, "switches/s" } },
	{ "longest_ns", COLUMN_TIME, FIELD(longest), .page = "longest run" },
	{ NULL, COLUMN_TIME, .get = longest,
	  .text = { PART_1, 8, 7, 0, "longest uninterrupted run" } },
	{ "longest_from_ns", COLUMN_SECONDS, .get = from, .page = "from" },
	{ "longest_", COLUMN_THREAD, .get = runner, .text = { PART_1, 9, 16, 1, "" },
	  .page = "of" },
	{ "hard_irq_ns", COLUMN_OF_WINDOW, FIELD(kernel.hard), .is_in = has_interrupts,
	  .text = { PART_KERNEL, 2, 8, 0, "hard irq" }, .page = "interrupts" },
	{ "soft_irq_ns", COLUMN_OF_WINDOW, FIELD(kernel.soft), .is_in = has_interrupts,
	  .text = { PART_KERNEL, 3, 8, 0, "soft irq" }, .page = "soft interrupts" },
	{ "idle_state_ns", COLUMN_OF_WINDOW, FIELD(kernel.idle), .is_in = has_idle_states,
	  .text = { PART_KERNEL, 4, 8, 0, "idle st." }, .page = "idle states" },
	{ "frequency", COLUMN_OBJECT, .get = frequency, .of = columns_frequency,
	  .is_in = has_frequencies, .text = { PART_KERNEL, 5, 0, 0, NULL }, .page = "" },
	{ "run_queue", COLUMN_OBJECT, .get = queue, .of = columns_queue,
	  .is_in = has_run_queues, .text = { PART_LEVELS, 2, 0, 0, NULL }, .page = "" },
	{ "utilization", COLUMN_OBJECT, .get = utilization, .of = columns_utilization,
	  .is_in = has_utilization, .text = { PART_LEVELS, 3, 0, 0, NULL }, .page = "" },
	{ "lost", COLUMN_LOST, .page = "records lost" },
	{ "gap_ns", COLUMN_LOST_TIME, .page = "within" },
	COLUMNS_END
};

static bool has_kernel(const struct report *r)
{
	return has_interrupts(r) || has_idle_states(r) || has_frequencies(r);
}

static bool has_levels(const struct report *r)
{
	return has_run_queues(r) || has_utilization(r);
}

static const struct part parts[] = {
	{ .bit = PART_1 }, { .bit = PART_KERNEL, .is_in = has_kernel }, { .bit = PART_LEVELS, .is_in = has_levels },
	{ .bit = 0 }
};

TABLE_ROWS(rows, ROWS_OF_POINTERS(r->cpus, r->cpu_count))

const struct table table_cpus = {
	.key = "cpus", .title = "CPUs", .page = "CPUs",
	.is_always = true,
	.rows = rows,
	.columns = columns,
	.parts = parts,
};

/* --- losses ---------------------------------------------------------------------------------- */

static const struct column columns_losses[] = {
	{ "cpu", COLUMN_CPU, FIELD(number) },
	{ "lost", COLUMN_COUNT, FIELD(lost) },
	{ "gap_ns", COLUMN_TIME, FIELD(gap) },
	COLUMNS_END
};

static const void *lossy(const struct report *r, const void *element, struct activity *room)
{
	(void)r;
	(void)room;
	return of(element)->lost ? element : NULL;
}

const struct table table_losses = {
	.within = "losses", .key = "streams",
	.rows = rows,
	.row = lossy,
	.columns = columns_losses,
};
