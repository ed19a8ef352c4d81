// SPDX-License-Identifier: GPL-2.0-or-later
/* priorities.c - the table of threads that inherited priorities. */
#include "tables.h"

TABLE_HAS(priorities, PRIORITY)

TABLE_ROWS(rows, ROWS_OF_POINTERS(r->kernel.inherited, r->kernel.inherited_count))

#define FIELD(field)	COLUMN_FIELD(struct report_inherited, field)

static const struct column columns[] = {
	{ "", &column_report_thread_nth, FIELD(thread), TEXT_NAME(4, 40, 1, "name"),
	  .page = "thread" },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	{ "own_prio", &column_priority, FIELD(own), TEXT(2, 7, "prio"), .page = "priority",
	  .about = "the least urgent one that it was raised from" },
	{ "best_prio", &column_priority, FIELD(best), SHOWN(3, 10, "raised to"),
	  .about = "the most urgent one that it inherited" },
	COLUMNS_END
};

const struct table table_inherited_priorities = {
	.key = "inherited_priorities", .section = "priorities",
	.title = "Threads that inherited priorities",
	.hint = "Priorities are the kernel's: a lower one is more urgent.",
	.is_in = has_priorities,
	.rows = rows, .columns = columns,
};
