// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - the table of signals that threads and interrupts sent. */
#include "tables.h"

COLUMN_VALUE(by_irq, struct report_signal, s, value_of(!s->sender))
COLUMN_VALUE(name, struct report_signal, s, table_signal_name(s->number) ?
	     value_text(table_signal_name(s->number)) : value_absent())
COLUMN_VALUE(result, struct report_signal, s, value_text(report_signal_result(s->result)))

TABLE_ROWS(rows, ROWS(r->kernel.signals, r->kernel.signal_count))

#define FIELD(field)	COLUMN_FIELD(struct report_signal, field)

static const struct column columns[] = {
	{ "sender_", &column_report_thread_nth, FIELD(sender) },
	{ "by_irq", &column_flag, .get = by_irq, .about = "an interrupt sent it" },
	{ "", &column_report_sender, .text = { PART_1, 5, 18, 2, "from" }, .page = "from" },
	{ "target_", &column_report_thread_nth, FIELD(target), .text = { PART_1, 6, 18, 2, "to" },
	  .page = "to", .about = "of a signal for a process, one of its threads" },
	{ "signal", &column_count, FIELD(number), .text = { PART_1, 2, 6, 0, "signal" },
	  .page = "signal" },
	{ "signal_name", &column_text, .get = name, .text = { PART_1, 3, 6, 0, "" },
	  .page = "its name", .about = "without SIG" },
	{ "result", &column_text, .get = result, .text = { PART_1, 4, 15, 0, "result" },
	  .page = "result",
	  .about = "sent, ignored, already pending, queue full; info lost: it was sent without" },
	{ "count", &column_count, FIELD(count), .text = { PART_1, 1, 8, 0, "count" },
	  .page = "count" },
	COLUMNS_END
};

const struct table table_signals = {
	.key = "signals", .title = "Signals", .page = "Signals",
	.title_of_part = "Signals of the threads shown",
	.hint = "Who sent which signal to whom, and what became of it.",
	.is_in = has_signals,
	.about = "that threads shown sent or got",
	.rows = rows,
	.columns = columns,
};
