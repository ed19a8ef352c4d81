// SPDX-License-Identifier: GPL-2.0-or-later
/* syscalls.c - the table of system calls of the threads shown, by name. */
#include "tables.h"

COLUMN_VALUE(name, struct report_origin, s, value_text(s->of->name))
COLUMN_VALUE(mean, struct report_origin, s, value_of(s->count ? s->total / s->count : 0))

TABLE_ROWS(rows, table_origins(r, KERNEL_SYSCALL, KERNEL_SYSCALL))

#define FIELD(field)	COLUMN_FIELD(struct report_origin, field)

static const struct column columns[] = {
	{ NULL, &column_name, .get = name, .text = { PART_1, 6, 42, 1, "name" } },
	{ .type = &column_same, .of = columns_origin_name },
	{ "count", &column_count, FIELD(count), .text = { PART_1, 1, 8, 0, "count" },
	  .page = "count" },
	{ "errors", &column_count, FIELD(errors), .text = { PART_1, 2, 6, 0, "errors" },
	  .page = "errors" },
	{ "total_ns", &column_time, FIELD(total), .text = { PART_1, 3, 6, 0, "time" },
	  .page = "time" },
	{ "", &column_mean, .get = mean, .text = { PART_1, 4, 6, 0, "mean" }, .page = "mean" },
	{ NULL, &column_time, FIELD(longest), .text = { PART_1, 5, 7, 0, "longest" } },
	{ .type = &column_same, .of = columns_longest },
	COLUMNS_END
};

const struct table table_system_calls = {
	.key = "system_calls", .title = "System calls", .page = "System calls",
	.title_of_part = "System calls of the threads shown",
	.hint = "Of the threads shown; their time includes waits.",
	.is_in = has_system_calls,
	.about = "of the threads shown; times include waits",
	.rows = rows,
	.columns = columns,
};
