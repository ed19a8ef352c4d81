// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * placement.c - the tables of how many CPUs were busy at once, and of where threads were put. Only
 * recordings that say which CPUs share a core, a cache or a node have them.
 */
#include "tables.h"

OF_REPORT(bool, has_placement, r->placement.concurrency_count)

COLUMN_VALUE(label, struct report_concurrency, c, value_text(c->label))
COLUMN_VALUE(mean, struct report_concurrency, c, value_fraction((double)c->waits / c->ns))

TABLE_ROWS(concurrency_rows, ROWS(r->placement.concurrency, r->placement.concurrency_count))

#define FIELD(field)	COLUMN_FIELD(struct report_concurrency, field)

static const struct column concurrency_columns[] = {
	{ "busy_cpus", &column_count, FIELD(busy) },
	{ "busy_cpus_to", &column_count, FIELD(busy_to), .about = "64: or more" },
	{ "busy", &column_text, .get = label, .text = { PART_1, 1, 9, 0, "busy CPUs" },
	  .page = "busy CPUs", .about = "both, as text" },
	{ "ns", &column_of_window, FIELD(ns), .text = { PART_1, 2, 8, 0, "time" }, .page = "time" },
	{ "waiting_ns", &column_of_window, FIELD(waiting),
	  .text = { PART_1, 3, 14, 0, "someone waited" }, .page = "someone waited",
	  .about = "of ns, in which threads waited for a CPU" },
	{ "waits_ns", &column_time, FIELD(waits), .about = "of all these threads together" },
	{ NULL, &column_average, .get = mean, .text = { PART_1, 4, 8, 0, "waiters" },
	  .page = "waiters" },
	{ "starved_ns", &column_of_window, FIELD(starved),
	  .text = { PART_1, 5, 20, 0, "while a CPU was idle" }, .page = "while a CPU was idle",
	  .about = "of ns, in which a thread waited for a busy CPU although another one was idle" },
	COLUMNS_END
};

const struct table table_concurrency = {
	.key = "concurrency", .title = "Busy CPUs, and threads that waited for one",
	.page = "Busy CPUs",
	.hint = "For how long each number of CPUs was busy, and how many threads waited for a CPU "
		"meanwhile.",
	.is_whole = true,
	.is_in = has_placement,
	.rows = concurrency_rows,
	.columns = concurrency_columns,
};

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_placed, field)

TABLE_ROWS(placement_rows, ROWS(r->placement.places, r->placement.place_count))

static const struct column placement_columns[] = {
	{ "count", &column_count, FIELD(count), .text = { PART_1, 1, 9, 0, "times" },
	  .page = "times" },
	{ "waited_ns", &column_time, FIELD(ns), .text = { PART_1, 2, 8, 0, "waited" },
	  .page = "waited", .about = "that the threads waited then" },
	{ "what", &column_text, FIELD(what), .text = { PART_1, 3, 40, 0, "threads were" },
	  .page = "threads were" },
	COLUMNS_END
};

const struct table table_placement = {
	.key = "placement", .title = "Where threads were put", .page = "Placement",
	.hint = "Threads that may not run on all CPUs do not count, except their moves.",
	.is_whole = true,
	.is_in = has_placement,
	.rows = placement_rows,
	.columns = placement_columns,
};
