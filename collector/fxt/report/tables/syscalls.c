// SPDX-License-Identifier: GPL-2.0-or-later
/* syscalls.c - the table of system calls of the threads shown, by name. */
#include "tables.h"

COLUMN_VALUE(name, struct report_origin, s, value_text(s->of->name))
COLUMN_VALUE(mean, struct report_origin, s, value_of(s->count ? s->total / s->count : 0))

TABLE_ROWS(rows, table_origins(r, KERNEL_SYSCALL, KERNEL_SYSCALL))

#define FIELD(field)	COLUMN_FIELD(struct report_origin, field)

static const struct column columns[] = {
	{ NULL, &column_name, .get = name, TEXT_NAME(6, 42, 1, "name") },
	{ .type = &column_same, .of = columns_origin_name },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	{ "errors", &column_count, FIELD(errors), SHOWN(2, 6, "errors") },
	{ "total_ns", &column_time, FIELD(total), SHOWN(3, 6, "time") },
	{ "", &column_mean, .get = mean, SHOWN(4, 6, "mean") },
	{ NULL, &column_time, FIELD(longest), TEXT(5, 7, "longest") },
	{ .type = &column_same, .of = columns_longest },
	COLUMNS_END
};

const struct table table_system_calls = {
	.key = "system_calls", .section = "syscalls", .title = "System calls",
	.title_of_part = "System calls of the threads shown",
	.hint = "Of the threads shown; their time includes waits.",
	.is_in = has_system_calls,
	.about = "of the threads shown; times include waits",
	.rows = rows, .columns = columns,
};
