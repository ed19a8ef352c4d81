// SPDX-License-Identifier: GPL-2.0-or-later
/* locks.c - the table of locks that the threads shown waited for. */
#include "tables.h"

COLUMN_VALUE(name, struct report_lock, l, value_text(l->name))
COLUMN_VALUE(kind, struct report_lock, l, value_text(l->of->name))
COLUMN_VALUE(process, struct report_lock, l,
	     l->of->process ? value_of(l->of->process) : value_unknown())
COLUMN_VALUE(address, struct report_lock, l, value_text(l->address))

TABLE_ROWS(rows, ROWS(r->kernel.locks, r->kernel.lock_count))

#define FIELD(field)	COLUMN_FIELD(struct report_lock, field)

static const struct column columns[] = {
	{ "kind", &column_event, .get = kind, .page = "kind",
	  .about = "as fxt-collect(1) names them" },
	{ NULL, &column_event, .get = name, .text = { PART_1, 5, 12, 0, "kind" } },
	{ "process", &column_count, .get = process, .page = "of process",
	  .about = "of a futex; null of locks of the kernel" },
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
	  .page = "held by", .about = "who had it when the waiters last looked, for most of total_ns; null: unknown" },
	{ "holder_ns", &column_time, FIELD(most_ns), .about = "waits that last saw that one" },
	{ "unknown_holder_ns", &column_time, FIELD(unknown),
	  .about = "waits that saw none" },
	COLUMNS_END
};

const struct table table_locks = {
	.key = "locks", .title = "Locks", .page = "Locks",
	.title_of_part = "Locks that the threads shown waited for",
	.hint = "Waits that ended; \"held by\" is who had the lock when the waiters last looked, for most "
		"of that time.",
	.is_in = has_locks,
	.about = "that threads shown waited for",
	.rows = rows,
	.columns = columns,
};
