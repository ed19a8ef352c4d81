// SPDX-License-Identifier: GPL-2.0-or-later
/* signals.c - the table of signals that threads and interrupts sent. */
#include "table/text.h"
#include "tables.h"

TABLE_HAS(signals, SIGNAL)

COLUMN_VALUE(by_irq, struct report_signal, s, value_of(!s->sender))
COLUMN_VALUE(name, struct report_signal, s, table_signal_name(s->number) ?
	     value_text(table_signal_name(s->number)) : value_absent())
COLUMN_VALUE(result, struct report_signal, s, value_text(report_signal_result(s->result)))

TABLE_ROWS(rows, ROWS(r->kernel.signals, r->kernel.signal_count))

static unsigned int print_sender(const struct text *t, const struct value *v, unsigned int width)
{
	const struct report_signal *s = v->pointer;

	if (s->sender)
		return text_thread(t, s->sender->sched, width);
	return text_name(t, table_irq_name(FXT_SCHED_IRQ_HARD), width);
}

static const struct column_type type_sender = { .page = "sender", .print = print_sender };

#define FIELD(field)	COLUMN_FIELD(struct report_signal, field)

static const struct column columns[] = {
	{ "sender_", &column_report_thread_nth, FIELD(sender) },
	{ "by_irq", &column_flag, .get = by_irq, .about = "an interrupt sent it" },
	{ "", &type_sender, SHOWN_NAME(5, 18, 2, "from") },
	{ "target_", &column_report_thread_nth, FIELD(target), SHOWN_NAME(6, 18, 2, "to"),
	  .about = "of a signal for a process, one of its threads" },
	{ "signal", &column_count, FIELD(number), SHOWN(2, 6, "signal") },
	{ "signal_name", &column_text, .get = name, TEXT(3, 6, ""), .page = "its name",
	  .about = "without SIG" },
	{ "result", &column_text, .get = result, SHOWN(4, 15, "result"),
	  .about = "sent, ignored, already pending, queue full; info lost: it was sent without" },
	{ "count", &column_count, FIELD(count), SHOWN(1, 8, "count") },
	COLUMNS_END
};

const struct table table_signals = {
	.key = "signals", .title = "Signals",
	.title_of_part = "Signals of the threads shown",
	.hint = "Who sent which signal to whom, and what became of it.",
	.is_in = has_signals,
	.about = "that threads shown sent or got",
	.rows = rows, .columns = columns,
};
