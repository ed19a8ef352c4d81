// SPDX-License-Identifier: GPL-2.0-or-later
/* exits.c - the table of threads that ended with a code or by a signal. */
#include <stdio.h>
#include <string.h>

#include "table/text.h"
#include "tables.h"

TABLE_HAS(exits, EXIT)

COLUMN_VALUE(name, struct report_origin, s, value_text(s->of->name))
COLUMN_VALUE(code, struct report_origin, s, value_of(sched_exit_code(s->of->number)))
COLUMN_VALUE(signal, struct report_origin, s, value_of(sched_exit_signal(s->of->number)))
COLUMN_VALUE(signal_name, struct report_origin, s,
	     value_text(table_signal_name(sched_exit_signal(s->of->number))))

OF_REPORT(uint64_t, total, r->kernel.exits)

OF_REPORT(uint64_t, succeeded, r->kernel.exits - r->kernel.failed_exits)

TABLE_ROWS(rows, table_origins(r, KERNEL_EXIT, KERNEL_EXIT))

static unsigned int print_ending(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_origin *s = v->pointer;
	uint32_t signal = sched_exit_signal(s->of->number);
	const char *name = table_signal_name(signal);
	char text[32];

	(void)width;
	if (signal)
		snprintf(text, sizeof(text), "signal %u%s%s%s", signal, name ? " (" : "",
			 name ? name : "", name ? ")" : "");
	else
		snprintf(text, sizeof(text), "code %u", sched_exit_code(s->of->number));
	out_str(t->o, text);
	return strlen(text);
}

static const struct column_type type_ending = { .page = "ending", .print = print_ending };

static const struct column columns[] = {
	{ "name", &column_name, .get = name, SHOWN_NAME(3, 50, 1, "name"),
	  .about = "of the threads" },
	{ NULL, &type_ending, TEXT(2, 18, "with") },
	{ "code", &column_count, .get = code },
	{ "signal", &column_count, .get = signal, .about = "0: none" },
	{ "signal_name", &column_text, .get = signal_name, .about = "without SIG" },
	{ "count", &column_count, COLUMN_FIELD(struct report_origin, count), SHOWN(1, 8, "count") },
	{ "", &type_ending, .page = "ended with" },
	COLUMNS_END
};

const struct table table_exits = {
	.key = "exits", .list = "failed", .total = total, .rest = succeeded, .rest_title = "code 0",
	.title = "Threads that ended", .page = "Failed threads",
	.hint = "They ended with a code other than 0, or by a signal.",
	.is_in = has_exits,
	.about = "threads that ended",
	.rows = rows, .columns = columns,
};
