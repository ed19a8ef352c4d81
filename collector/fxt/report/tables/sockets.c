// SPDX-License-Identifier: GPL-2.0-or-later
/* sockets.c - the table of sleeps that data of sockets ended, by service and thread. */
#include "tables.h"

TABLE_HAS(data, DATA)

COLUMN_VALUE(data, struct report_data, s, value_text(s->origin->name))

TABLE_ROWS(rows, ROWS(r->kernel.data, r->kernel.data_count))

#define FIELD(field)	COLUMN_FIELD(struct report_data, field)

static const struct column columns[] = {
	{ "data", &column_name, .get = data, SHOWN_NAME(4, 24, 2, "data"),
	  .about = "to a port of this machine, or from one of the peer: the smaller one" },
	{ "", &column_report_thread_nth, FIELD(thread), SHOWN_NAME(5, 18, 2, "thread"),
	  .about = "that slept" },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count"),
	  .about = "of sleeps that ended in the selected time" },
	{ "slept_ns", &column_time, FIELD(slept), SHOWN(2, 6, "slept"),
	  .about = "in the selected time" },
	{ "max_ns", &column_time, FIELD(longest), SHOWN(3, 6, "max") },
	COLUMNS_END
};

const struct table table_sockets = {
	.key = "sockets", .title = "Sleeps until data of sockets",
	.title_of_part = "Sleeps of the threads shown until data of sockets",
	.hint = "Which data ended how many sleeps of which thread.",
	.is_in = has_data,
	.about = "sleeps of threads shown until data of sockets; requires recorded interrupts",
	.rows = rows, .columns = columns,
};
