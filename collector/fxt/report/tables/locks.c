// SPDX-License-Identifier: GPL-2.0-or-later
/* locks.c - the tables of locks and of other futexes that the threads shown waited for. */
#include "tables.h"

COLUMN_VALUE(name, struct report_lock, l, value_text(l->name))
COLUMN_VALUE(kind, struct report_lock, l, value_text(l->of->name))
COLUMN_VALUE(process, struct report_lock, l,
	     l->of->process ? value_of(l->of->process) : value_unknown())
COLUMN_VALUE(places, struct report_lock, l,
	     l->of->process ? value_of(l->of->places) : value_unknown())
COLUMN_VALUE(address, struct report_lock, l, value_text(l->address))
COLUMN_VALUE(waited_in, struct report_lock, l, value_text(l->waited_in))
COLUMN_VALUE(woken_from, struct report_lock, l, value_text(l->woken_from))
COLUMN_VALUE(longest_hold, struct report_lock, l,
	     l->longest_hold ? value_of(l->longest_hold) : value_unknown())

TABLE_ROWS(rows, ROWS(r->kernel.locks, r->kernel.lock_count))
TABLE_ROWS(futex_rows, ROWS(r->kernel.futexes, r->kernel.futex_count))
OF_REPORT(bool, has_stacks, r->kernel.has[KERNEL_STACK])

#define FIELD(field)	COLUMN_FIELD(struct report_lock, field)
#define ABOUT_ADDRESS	"hexadecimal; \"(others)\": all that are not distinguished"

/* Columns of both tables. */
#define COLUMN_OF_PLACES								\
	{ "places", &column_count, .get = places,					\
	  .about = "addresses in processes that are known to be of one futex, as threads woke " \
		   "others through it; process and address are the first; null of locks of the kernel" }
#define COLUMNS_OF_WAITS								\
	{ "count", &column_count, FIELD(count), .text = { PART_1, 1, 8, 0, "waits" },	\
	  .page = "waits", .about = "waits that ended" },				\
	{ "waiters", &column_count, FIELD(waiters), .text = { PART_1, 2, 7, 0, "waiters" }, \
	  .page = "waiters", .about = "threads" },					\
	{ "total_ns", &column_time, FIELD(total), .text = { PART_1, 3, 6, 0, "time" },	\
	  .page = "time", .about = "of all waiters" },					\
	{ "longest_ns", &column_time, FIELD(longest), .text = { PART_1, 4, 7, 0, "longest" }, \
	  .page = "longest" },								\
	{ "longest_time_ns", &column_seconds, FIELD(longest_time) },			\
	{ "longest_waiter_", &column_report_thread_nth, FIELD(longest_waiter) }

/* Likewise; the functions have a part of the text of their own. */
#define COLUMNS_OF_CALLS								\
	{ "waker_ns", &column_time, FIELD(waker_ns) },					\
	{ "waited_in", &column_text, .get = waited_in,					\
	  .text = { PART_2, 9, 24, 1, "waited in" }, .page = "waited in",		\
	  .about = "function, of the largest part of total_ns; null: unknown" },			\
	{ "woken_from", &column_text, .get = woken_from,				\
	  .text = { PART_2, 10, 24, 1, "woken from" }, .page = "woken from",		\
	  .about = "likewise, of the wakers that are known" }

static const struct part parts[] = {
	{ .bit = PART_1 }, { .bit = PART_2, .is_in = has_stacks }, { 0 }
};

static const struct column columns[] = {
	{ "kind", &column_event, .get = kind, .page = "kind",
	  .about = "as fxt-collect(1) names them" },
	{ NULL, &column_event, .get = name, TEXT(5, 12, "kind") },
	{ "process", &column_count, .get = process, .page = "of process",
	  .about = "of a futex; null of locks of the kernel" },
	{ "address", &column_text, .get = address, SHOWN_IN(PART_1 | PART_2, 6, 18, 0, "lock"),
	  .about = ABOUT_ADDRESS },
	COLUMN_OF_PLACES,
	COLUMNS_OF_WAITS,
	{ "longest_holder_", &column_report_thread_nth, FIELD(longest_holder) },
	{ "holder_", &column_report_thread_nth, FIELD(most), .text = { PART_1, 7, 18, 1, "held by" },
	  .page = "held by", .about = "who had it when the waiters last looked, for the largest part of total_ns; null: unknown" },
	{ "holder_ns", &column_time, FIELD(most_ns), .about = "waits that last saw that one" },
	{ "unknown_holder_ns", &column_time, FIELD(unknown), .about = "waits that saw none" },
	{ "waker_", &column_report_thread_nth, FIELD(waker), .page = "given by",
	  .about = "who woke waiters that had seen it have the lock, after most of such time; null: "
		   "unknown" },
	COLUMNS_OF_CALLS,
	{ "longest_hold_ns", &column_time, .get = longest_hold,
	  .text = { PART_2, 5, 7, 0, "held" }, .page = "longest hold",
	  .about = "the longest sleep until the holder that the waiter had seen woke it, which may have "
		   "given the lock to others meanwhile; null: unknown" },
	{ "longest_hold_time_ns", &column_seconds, FIELD(longest_hold_time) },
	{ "longest_hold_", &column_report_thread_nth, FIELD(longest_hold_of) },
	COLUMNS_END
};

static const struct column columns_futex[] = {
	{ "process", &column_count, .get = process,
	  SHOWN_IN(PART_1 | PART_2, 5, 10, 0, "of process") },
	{ "address", &column_text, .get = address, SHOWN_IN(PART_1 | PART_2, 6, 14, 0, "futex"),
	  .about = ABOUT_ADDRESS },
	COLUMN_OF_PLACES,
	COLUMNS_OF_WAITS,
	{ "waker_", &column_report_thread_nth, FIELD(waker), SHOWN_NAME(7, 18, 1, "woken by"),
	  .about = "after the largest part of total_ns; null: unknown" },
	COLUMNS_OF_CALLS,
	COLUMNS_END
};

const struct table table_locks = {
	.key = "locks", .title = "Locks",
	.title_of_part = "Locks that the threads shown waited for",
	.hint = "Waits that ended; \"held by\" is who had the lock when the waiters last looked, for the "
		"largest part of that time.",
	.is_in = has_locks,
	.about = "that threads shown waited for",
	.rows = rows, .columns = columns, .parts = parts,
};

const struct table table_futexes = {
	.key = "futexes", .title = "Futexes that are not known to be locks", .page = "Futexes",
	.title_of_part = "Futexes for which the threads shown slept, not known to be locks",
	.hint = "Condition variables, and locks without an owner such as those of Rust and musl; "
		"\"woken by\" is who ended the largest part of that time through the futex.",
	.is_in = has_locks,
	.about = "through which threads woke others, and which are not known to be locks",
	.rows = futex_rows, .columns = columns_futex, .parts = parts,
};
