// SPDX-License-Identifier: GPL-2.0-or-later
/* memory.c - the table of reclaim and compaction of memory, by the threads shown. */
#include "tables.h"

TABLE_HAS(memory, MEMORY)

COLUMN_VALUE(name, struct report_memory, m, value_text(m->of->name))
COLUMN_VALUE(pages, struct report_memory, m,
	     m->of->number == FXT_STR_COMPACTION ? value_unknown() : value_of(m->pages))

TABLE_ROWS(rows, ROWS_OF_POINTERS(r->kernel.memory, r->kernel.memory_count))

#define FIELD(field)	COLUMN_FIELD(struct report_memory, field)

static const struct column columns[] = {
	{ "name", &column_name, .get = name, SHOWN_NAME(5, 14, 1, "what") },
	{ "thread_", &column_report_thread_nth, FIELD(thread), SHOWN_NAME(6, 24, 1, "thread") },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	{ "total_ns", &column_time, FIELD(total), SHOWN(2, 6, "time"),
	  .about = "in which the thread may have slept" },
	{ "longest_ns", &column_time, FIELD(longest), SHOWN(3, 7, "longest") },
	{ "longest_time_ns", &column_seconds, FIELD(longest_time) },
	{ "longest_cpu", &column_count, FIELD(longest_cpu) },
	{ "pages", &column_count, .get = pages, SHOWN(4, 8, "pages"),
	  .about = "that were reclaimed; null of compaction" },
	COLUMNS_END
};

const struct table table_memory = {
	.key = "memory", .title = "Reclaim and compaction of memory",
	.title_of_part = "Reclaim and compaction of memory by the threads shown",
	.hint = "By threads shown, mostly because they needed memory; times include sleeps.",
	.is_in = has_memory,
	.about = "by threads shown; times include sleeps",
	.rows = rows, .columns = columns,
};
