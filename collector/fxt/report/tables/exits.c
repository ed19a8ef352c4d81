// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exits.c - the table of threads that ended with a code or by a signal.
 *
 *  exits: count (threads that ended), failed: list of name (of the threads), code, signal (0:
 *    none), signal_name (null if unknown), count
 */
#include "tables.h"

COLUMN_VALUE(name, struct report_origin, s, value_text(s->of->name))
COLUMN_VALUE(code, struct report_origin, s, value_of(sched_exit_code(s->of->number)))
COLUMN_VALUE(signal, struct report_origin, s, value_of(sched_exit_signal(s->of->number)))
COLUMN_VALUE(signal_name, struct report_origin, s,
	     value_text(table_signal_name(sched_exit_signal(s->of->number))))

static uint64_t total(const struct report *r)
{
	return r->kernel.exits;
}

static uint64_t succeeded(const struct report *r)
{
	return r->kernel.exits - r->kernel.failed_exits;
}

TABLE_ROWS(rows, table_origins(r, KERNEL_EXIT, KERNEL_EXIT))

static const struct column columns[] = {
	{ "name", COLUMN_NAME, .get = name, .text = { PART_1, 3, 50, 1, "name" }, .page = "name" },
	{ NULL, COLUMN_ENDING, .text = { PART_1, 2, 18, 0, "with" } },
	{ "code", COLUMN_COUNT, .get = code },
	{ "signal", COLUMN_COUNT, .get = signal },
	{ "signal_name", COLUMN_TEXT, .get = signal_name },
	{ "count", COLUMN_COUNT, COLUMN_FIELD(struct report_origin, count),
	  .text = { PART_1, 1, 8, 0, "count" }, .page = "count" },
	{ "", COLUMN_ENDING, .page = "ended with" },
	COLUMNS_END
};

const struct table table_exits = {
	.key = "exits", .list = "failed", .total = total, .rest = succeeded, .rest_title = "code 0",
	.title = "Threads that ended", .page = "Failed threads",
	.hint = "They ended with a code other than 0, or by a signal.",
	.is_in = has_exits,
	.rows = rows,
	.columns = columns,
};
