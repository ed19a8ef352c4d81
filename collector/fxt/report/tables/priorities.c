// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * priorities.c - the table of threads that inherited priorities.
 *
 *  inherited_priorities: of threads shown: list of tid, nth, name, count, own_prio (the least
 *    urgent one that it was raised from), best_prio (the most urgent one that it inherited)
 */
#include "tables.h"

static const struct report_inherited *of(const void *row)
{
	return row;
}

static struct value own(const struct report *r, const void *row)
{
	(void)r;
	return (struct value){ .signed_number = of(row)->own };
}

static struct value best(const struct report *r, const void *row)
{
	(void)r;
	return (struct value){ .signed_number = of(row)->best };
}

TABLE_ROWS(rows, ROWS_OF_POINTERS(r->kernel.inherited, r->kernel.inherited_count))

#define FIELD(field)	COLUMN_FIELD(struct report_inherited, field)

static const struct column columns[] = {
	{ "", COLUMN_THREAD_NTH, FIELD(thread), .text = { PART_1, 4, 40, 1, "name" },
	  .page = "thread" },
	{ "count", COLUMN_COUNT, FIELD(count), .text = { PART_1, 1, 8, 0, "count" },
	  .page = "count" },
	{ "own_prio", COLUMN_PRIORITY, .get = own, .text = { PART_1, 2, 7, 0, "prio" },
	  .page = "priority" },
	{ "best_prio", COLUMN_PRIORITY, .get = best, .text = { PART_1, 3, 10, 0, "raised to" },
	  .page = "raised to" },
	COLUMNS_END
};

const struct table table_inherited_priorities = {
	.key = "inherited_priorities", .title = "Threads that inherited priorities",
	.page = "Threads that inherited priorities",
	.hint = "Priorities are the kernel's: a lower one is more urgent.",
	.is_in = has_priorities,
	.rows = rows,
	.columns = columns,
};
