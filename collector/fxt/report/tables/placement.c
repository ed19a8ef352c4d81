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
	{ "busy", &column_text, .get = label, SHOWN(1, 9, "busy CPUs"), .about = "both, as text" },
	{ "ns", &column_of_window, FIELD(ns), SHOWN(2, 8, "time") },
	{ "waiting_ns", &column_of_window, FIELD(waiting), SHOWN(3, 14, "someone waited"),
	  .about = "of ns, in which threads waited for a CPU" },
	{ "waits_ns", &column_time, FIELD(waits), .about = "of all these threads together" },
	{ NULL, &column_average, .get = mean, SHOWN(4, 8, "waiters") },
	{ "starved_ns", &column_of_window, FIELD(starved), SHOWN(5, 20, "while a CPU was idle"),
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
	.rows = concurrency_rows, .columns = concurrency_columns,
};

#undef FIELD
#define FIELD(field)	COLUMN_FIELD(struct report_placed, field)

TABLE_ROWS(placement_rows, ROWS(r->placement.places, r->placement.place_count))

static const struct column placement_columns[] = {
	{ "count", &column_count, FIELD(count), SHOWN(1, 9, "times") },
	{ "waited_ns", &column_time, FIELD(ns), SHOWN(2, 8, "waited"),
	  .about = "that the threads waited then" },
	{ "what", &column_text, FIELD(what), SHOWN(3, 40, "threads were") },
	COLUMNS_END
};

const struct table table_placement = {
	.key = "placement", .title = "Where threads were put", .page = "Placement",
	.hint = "Threads that may not run on all CPUs do not count, except their moves.",
	.is_whole = true,
	.is_in = has_placement,
	.rows = placement_rows, .columns = placement_columns,
};
