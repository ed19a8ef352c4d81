/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parse.h - one line of ftrace's text (line.c), and the fields of its event (fields.c).
 *
 * In: a line of /sys/kernel/tracing/trace, trace_pipe, `trace-cmd report` or `fxt convert`.
 * Out: an event.
 *
 * A line is TASK-PID, perhaps (TGID), [CPU], perhaps flags, a time and a colon, the event's name
 * and a colon, and its fields. In the latency format, the CPU has no brackets. TASK may contain
 * anything, so it ends at the first place that all of these follow.
 */
#ifndef FXT_FORMATS_FTRACE_PARSE_H
#define FXT_FORMATS_FTRACE_PARSE_H

#include "formats/import/import.h"
#include "cursor.h"

enum ftrace_line_kind {
	FTRACE_LINE_WRONG,	/* invalid */
	FTRACE_LINE_EMPTY,	/* a comment, a header or an empty line */
	FTRACE_LINE_EVENT,
	FTRACE_LINE_LTTNG,	/* an event of LTTng, see lttng_follow() */
	FTRACE_LINE_FIELDS,	/* an event with invalid fields */
	FTRACE_LINE_FRAME,	/* a function of a call chain */
	FTRACE_LINE_LOST,	/* @value events were lost on @cpu */
};

#define FTRACE_IRQ_FLAG	2	/* after irqs-off and need-resched */

/* A function of a call chain; all texts may be empty. */
struct frame {
	uint64_t address;	/* 0: unknown */
	struct cursor name;
	struct cursor file;	/* of a program's function */
	bool is_of_perf;
};

/*
 * @irq_flag: index of the flag that shows interrupts, e.g. FTRACE_IRQ_FLAG
 * @line: @length bytes without the newline
 * @rest: set to the text of a program's mark, to the name of a function or the text of a frame;
 *	valid as long as @line
 */
enum ftrace_line_kind ftrace_line(unsigned int irq_flag, const char *line, size_t length,
				  struct trace_event *e, struct cursor *rest);

/* What earlier lines of LTTng imply for later ones; initialize with zeros. */
struct lttng {
	uint64_t before;	/* ns, of the line before */
	uint64_t days;		/* ns, of midnights so far, if lines have no date */
	struct lttng_cpu {
		uint32_t on;	/* id of the current thread; 0: idle, or unknown */
		bool in[3];	/* in an interrupt, a soft interrupt, a vector */
	} cpus[TRACE_CPUS];
};

/*
 * Parse an event of LTTng as babeltrace2 prints it:
 *
 * "[14:35:10.123456789] (+0.000001234) HOST sched_wakeup: { cpu_id = 0 }, { comm = "a", ... }"
 *
 * Returns FTRACE_LINE_LTTNG; FTRACE_LINE_FIELDS; FTRACE_LINE_WRONG if it is another line. An event
 * without a CPU has TRACE_CPUS.
 */
enum ftrace_line_kind lttng_line(const char *line, size_t length, struct trace_event *e);

/* Add the day, the current thread and interrupt to an event, as the lines before it show. */
void lttng_follow(struct lttng *l, struct trace_event *e);

/*
 * A function of a call chain: ftrace's "=> schedule", or perf's address, name, perhaps offset, and
 * file: "ffffffff81 schedule+0x1 (vmlinux)"
 */
bool ftrace_frame(struct cursor c, struct frame *f);

/*
 * A function of a program, as ftrace writes it: "=> /usr/lib/libc.so.6[+0x1234]
 * <00007f0012345678>", or either the file or the address
 */
bool ftrace_user_frame(struct cursor c, struct frame *f);

/*
 * A function of the kernel:
 * "schedule", "schedule+0x1/0x2", "schedule <ffffffff81>", "schedule (ffffffff81)", "<ffffffff81>"
 */
bool ftrace_kernel_frame(struct cursor c, struct frame *f);

/*
 * @c: behind the event's name, colon and spaces
 * @e: @what and the current thread are already set
 *
 * Names may contain anything, even text like the next field. A name ends at the first place that
 * all other fields follow. Returns: were all fields found that archives need?
 */
bool ftrace_fields(struct cursor *c, struct trace_event *e);

/*
 * The rest of a line of a latency tracer: a switch "1:120:S ==> [000] 2: 94:R name" or a wakeup
 * "1:120:R   + [000] 2: 94:R name"
 */
enum trace_what ftrace_entry(struct cursor c, struct trace_event *e);

#endif /* FXT_FORMATS_FTRACE_PARSE_H */
