/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - one line of ftrace's text.
 *
 * In: a line of /sys/kernel/tracing/trace, trace_pipe, `trace-cmd report` or `fxt convert`.
 * Out: an event.
 */
#ifndef FXT_FORMATS_FTRACE_LINE_H
#define FXT_FORMATS_FTRACE_LINE_H

#include <stddef.h>

#include "formats/import/event.h"

enum ftrace_line_kind {
	FTRACE_LINE_WRONG,	/* not understood */
	FTRACE_LINE_EMPTY,	/* a comment, a header, nothing */
	FTRACE_LINE_EVENT,
	FTRACE_LINE_FIELDS,	/* an event whose fields are not understood */
	FTRACE_LINE_LOST,	/* events were lost: their number is @value, @cpu is where */
};

#define FTRACE_IRQ_FLAG	2	/* after irqs-off and need-resched */

/**
 * ftrace_line() - parse a line
 * @line: without its end; need not be terminated
 * @length: of it in bytes
 * @irq_flag: which of its flags says whether it happened in an interrupt, from 0
 * @e: set to the event
 *
 * Return: enum ftrace_line_kind.
 */
enum ftrace_line_kind ftrace_line(const char *line, size_t length, unsigned int irq_flag,
				  struct trace_event *e);

#endif /* FXT_FORMATS_FTRACE_LINE_H */
