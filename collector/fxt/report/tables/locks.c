// SPDX-License-Identifier: GPL-2.0-or-later
/* locks.c - the table of locks that the threads shown waited for. */
#include "tables.h"

COLUMN_VALUE(kind, struct report_lock, l, value_text(l->of->name))
COLUMN_VALUE(address, struct report_lock, l, value_text(l->address))

TABLE_ROWS(rows, ROWS(r->kernel.locks, r->kernel.lock_count))

#define FIELD(field)	COLUMN_FIELD(struct report_lock, field)

static const struct column columns[] = {
	{ "kind", &column_event, .get = kind, .text = { PART_1, 5, 12, 0, "kind" }, .page = "kind",
	  .about = "as fxt-collect(1) names them" },
	{ "address", &column_text, .get = address, .text = { PART_1, 6, 18, 0, "lock" },
	  .page = "lock", .about = "hexadecimal" },
	{ "count", &column_count, FIELD(count), .text = { PART_1, 1, 8, 0, "waits" },
	  .page = "waits", .about = "waits that ended" },
	{ "waiters", &column_count, FIELD(waiters), .text = { PART_1, 2, 7, 0, "waiters" },
	  .page = "waiters", .about = "threads" },
	{ "total_ns", &column_time, FIELD(total), .text = { PART_1, 3, 6, 0, "time" },
	  .page = "time", .about = "of all waiters" },
	{ "longest_ns", &column_time, FIELD(longest), .text = { PART_1, 4, 7, 0, "longest" },
	  .page = "longest" },
	{ "longest_time_ns", &column_seconds, FIELD(longest_time) },
	{ "longest_waiter_", &column_report_thread_nth, FIELD(longest_waiter) },
	{ "longest_holder_", &column_report_thread_nth, FIELD(longest_holder) },
	{ "holder_", &column_report_thread_nth, FIELD(most), .text = { PART_1, 7, 18, 1, "held by" },
	  .page = "held by", .about = "who held it for most of total_ns" },
	{ "holder_ns", &column_time, FIELD(most_ns), .about = "in which that one held it" },
	{ "unknown_holder_ns", &column_time, FIELD(unknown),
	  .about = "in which the holder is unknown" },
	COLUMNS_END
};

const struct table table_locks = {
	.key = "locks", .title = "Locks", .page = "Locks",
	.title_of_part = "Locks that the threads shown waited for",
	.hint = "Waits in the kernel; \"held by\" is who held the lock for most of that time.",
	.is_in = has_locks,
	.about = "that threads shown waited for",
	.rows = rows,
	.columns = columns,
};
