// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interrupts.c - the tables of interrupts, idle states, work items, and interrupts between CPUs.
 *
 *  interrupts, idle_states, work_items: list of kind ("irq", "vector", "softirq", "idle" or
 *    "work"), name, number (null of work items), count, total_ns, longest_ns, longest_time_ns,
 *    longest_cpu; of interrupts, most_tid, most_nth, most_name and most_ns (the thread that
 *    lost most; null if unknown); cpus, but not of work items: list of cpu, count and total_ns
 *  ipis: list of name (what the interrupted CPU has to call), from_cpu, to_cpu (null: beyond
 *    the first 64), count
 */
#include "tables.h"

static const struct report_origin *of(const void *row)
{
	return row;
}

/* --- what all slices of the kernel have ------------------------------------------------------ */

struct rows table_origins(const struct report *r, enum kernel_event_what first,
			  enum kernel_event_what last)
{
	struct report_origin *const *origins = r->kernel.origins;
	size_t from = 0, to;

	/* The list is sorted by kind. */
	while (from < r->kernel.origin_count &&
	       (origins[from]->of->what < first || origins[from]->of->what > last))
		from++;
	for (to = from; to < r->kernel.origin_count; to++)
		if (origins[to]->of->what < first || origins[to]->of->what > last)
			break;
	return ROWS_OF_POINTERS(origins + from, to - from);
}

COLUMN_VALUE(kind, struct report_origin, s, value_text(kernel_event_name(s->of->what)))

static struct value name(const struct report *r, const void *row)
{
	(void)r;
	return value_text(report_origin_name(row));
}

static struct value number(const struct report *r, const void *row)
{
	const struct sched_origin *s = of(row)->of;

	(void)r;
	return s->what == KERNEL_WORK || s->number == KERNEL_EVENT_NO_NUMBER ?
		value_unknown() : value_of(s->number);
}

static const void *next_cpu(const struct report *r, const void *row, size_t *at)
{
	while (*at < r->kernel.share_count) {
		const struct report_share *share = &r->kernel.shares[(*at)++];

		if (share->origin == row)
			return share;
	}
	return NULL;
}

#define FIELD(field)	COLUMN_FIELD(struct report_origin, field)

const struct column columns_origin_name[] = {
	{ "kind", COLUMN_EVENT, .get = kind },
	{ "name", COLUMN_NAME, .get = name, .page = "name" },
	{ "number", COLUMN_ID, .get = number },
	COLUMNS_END
};

const struct column columns_longest[] = {
	{ "longest_ns", COLUMN_TIME, FIELD(longest), .page = "longest" },
	{ "longest_time_ns", COLUMN_SECONDS, FIELD(longest_time) },
	{ "longest_cpu", COLUMN_COUNT, FIELD(longest_cpu) },
	COLUMNS_END
};

static const struct column columns_origin_cpu[] = {
	{ "cpu", COLUMN_COUNT, COLUMN_FIELD(struct report_share, cpu) },
	{ "count", COLUMN_COUNT, COLUMN_FIELD(struct report_share, count) },
	{ "total_ns", COLUMN_TIME, COLUMN_FIELD(struct report_share, total) },
	COLUMNS_END
};

const struct column columns_origin_cpus[] = {
	{ "cpus", COLUMN_LIST, .of = columns_origin_cpu, .next = next_cpu },
	COLUMNS_END
};

TABLE_ROWS(idle_rows, table_origins(r, KERNEL_IDLE, KERNEL_IDLE))

static const struct column columns_idle[] = {
	{ .type = COLUMN_SAME, .of = columns_origin_name },
	{ "count", COLUMN_COUNT, FIELD(count), .page = "count" },
	{ "total_ns", COLUMN_TIME, FIELD(total), .page = "time" },
	{ .type = COLUMN_SAME, .of = columns_longest },
	{ .type = COLUMN_SAME, .of = columns_origin_cpus },
	COLUMNS_END
};

const struct table table_idle_states = {
	.key = "idle_states", .page = "Idle states",
	.hint = "The time includes interrupts meanwhile.",
	.is_in = has_idle_states,
	.rows = idle_rows,
	.columns = columns_idle,
};

/* --- interrupts ------------------------------------------------------------------------------ */

static struct value short_kind(const struct report *r, const void *row)
{
	(void)r;
	switch (of(row)->of->what) {
	case KERNEL_IRQ:
		return value_text("irq");
	case KERNEL_VECTOR:
		return value_text("cpu");
	default:
		return value_text("soft");
	}
}

COLUMN_VALUE(share, struct report_origin, s, value_fraction(report_share(r, s->total)))

TABLE_ROWS(interrupt_rows, table_origins(r, KERNEL_IRQ, KERNEL_SOFTIRQ))

static const struct column columns_interrupt[] = {
	{ NULL, COLUMN_EVENT, .get = short_kind, .text = { PART_1, 1, 6, 0, "kind" } },
	{ "kind", COLUMN_EVENT, .get = kind, .page = "kind" },
	{ "name", COLUMN_NAME, .get = name, .page = "name" },
	{ "number", COLUMN_ID, .get = number, .page = "number" },
	{ "count", COLUMN_COUNT, FIELD(count), .text = { PART_1, 2, 8, 0, "count" },
	  .page = "count" },
	{ "total_ns", COLUMN_TIME, FIELD(total), .text = { PART_1, 3, 6, 0, "took" },
	  .page = "took" },
	{ NULL, COLUMN_SHARE, .get = share, .text = { PART_1, 4, 6, 0, "share" } },
	{ NULL, COLUMN_TIME, FIELD(longest), .text = { PART_1, 5, 6, 0, "longest" } },
	{ NULL, COLUMN_SOURCE, .text = { PART_1, 6, 24, 0, "name" } },
	{ .type = COLUMN_SAME, .of = columns_longest },
	{ "most_", COLUMN_THREAD_NTH, FIELD(most), .page = "took most from" },
	{ "most_ns", COLUMN_TIME, FIELD(most_ns), .page = "how much" },
	{ NULL, COLUMN_VICTIM, .text = { PART_1, 7, 16, 1, "took most from" } },
	{ .type = COLUMN_SAME, .of = columns_origin_cpus },
	COLUMNS_END
};

const struct table table_interrupts = {
	.key = "interrupts", .title = "Interrupts", .page = "Interrupts",
	.hint = "Times exclude other interrupts: an interrupt inside another one counts only for "
		"itself.",
	.is_in = has_interrupts,
	.rows = interrupt_rows,
	.columns = columns_interrupt,
};

/* --- work items ------------------------------------------------------------------------------ */

TABLE_ROWS(work_rows, table_origins(r, KERNEL_WORK, KERNEL_WORK))

static const struct column columns_work[] = {
	{ "kind", COLUMN_EVENT, .get = kind },
	{ "name", COLUMN_NAME, .get = name, .text = { PART_1, 4, 50, 1, "function" },
	  .page = "function" },
	{ "number", COLUMN_ID, .get = number },
	{ "count", COLUMN_COUNT, FIELD(count), .text = { PART_1, 1, 8, 0, "count" },
	  .page = "count" },
	{ "total_ns", COLUMN_TIME, FIELD(total), .text = { PART_1, 2, 6, 0, "took" },
	  .page = "took" },
	{ NULL, COLUMN_TIME, FIELD(longest), .text = { PART_1, 3, 7, 0, "longest" } },
	{ .type = COLUMN_SAME, .of = columns_longest },
	COLUMNS_END
};

const struct table table_work_items = {
	.key = "work_items", .title = "Work items", .page = "Work items",
	.is_in = has_work_items,
	.rows = work_rows,
	.columns = columns_work,
};

/* --- between CPUs ------------------------------------------------------------------------------ */

COLUMN_VALUE(called, struct report_ipi, ipi, value_text(ipi->of->name))

TABLE_ROWS(ipi_rows, ROWS(r->kernel.ipis, r->kernel.ipi_count))

static const struct column columns_ipi[] = {
	{ "name", COLUMN_NAME, .get = called, .text = { PART_1, 4, 50, 1, "function" },
	  .page = "function" },
	{ "from_cpu", COLUMN_COUNT, COLUMN_FIELD(struct report_ipi, from),
	  .text = { PART_1, 2, 6, 0, "from" }, .page = "from CPU" },
	{ "to_cpu", COLUMN_CPU, COLUMN_FIELD(struct report_ipi, to),
	  .text = { PART_1, 3, 6, 0, "to" }, .page = "to CPU" },
	{ "count", COLUMN_COUNT, COLUMN_FIELD(struct report_ipi, count),
	  .text = { PART_1, 1, 8, 0, "count" }, .page = "count" },
	COLUMNS_END
};

const struct table table_ipis = {
	.key = "ipis", .title = "Interrupts that CPUs sent to others",
	.page = "Interrupts that CPUs sent to others",
	.is_in = has_ipis,
	.rows = ipi_rows,
	.columns = columns_ipi,
};
