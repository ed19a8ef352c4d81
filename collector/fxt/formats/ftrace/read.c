// SPDX-License-Identifier: GPL-2.0-or-later
/* read.c - see format.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libfxt/stream.h"
#include "formats/import/trace.h"
#include "terminal/exit_status.h"
#include "terminal/message.h"
#include "cursor.h"
#include "format.h"
#include "line.h"
#include "window.h"

#define BUFFER_BYTES	(512U << 10)	/* the limit of a line, too */
#define FIT_LINES	8		/* without an event: not this format */

/**
 * struct import - a text that is being converted
 * @line: number of the line, from 1; @offset: of its first byte
 * @overwritten: events that were older than the buffer
 * @wrong: lines not understood; @first_wrong: the first one
 * @is_page: the text is a part of a page; @is_inside: the line is in it
 * @before: ns, of the event in the line before
 * @used: bytes in the buffer
 * @irq_flag: for ftrace_line()
 */
struct import {
	const char *path;
	bool strict;
	bool is_page;
	bool is_inside;
	bool is_long;		/* a line longer than the buffer is being skipped */
	uint64_t line;
	uint64_t offset;
	uint64_t overwritten;
	uint64_t wrong;
	uint64_t first_wrong;
	uint64_t first_offset;
	uint64_t before;
	size_t used;
	unsigned int irq_flag;
	struct fxt_stream *stream;
	struct trace_event event;
	struct ftrace_window window;
	struct trace trace;
	char buffer[BUFFER_BYTES];
};

static int line_wrong(struct import *m)
{
	if (!m->wrong++) {
		m->first_wrong = m->line;
		m->first_offset = m->offset;
	}
	return m->strict ? -EBADMSG : 0;
}

static bool is_closing_tag(const char *line, size_t length)
{
	size_t blanks = 0;

	while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	return length - blanks >= 2 && !memcmp(line + blanks, "</", 2);
}

/* In a page of systrace, all before the text and after it is for browsers. */
static bool is_outside(struct import *m, const char *line, size_t length)
{
	if (!m->is_page)
		return false;
	if (length >= 9 && !memcmp(line, "# tracer:", 9))
		m->is_inside = true;
	else if (is_closing_tag(line, length))
		m->is_inside = false;
	return !m->is_inside;
}

/*
 * "#    || / _---=> hardirq/softirq": a bar for each flag before, but one. Kernels differ in how
 * many there are: those with PREEMPT_LAZY have another flag.
 */
static void take_legend(struct import *m, const char *line, size_t length)
{
	unsigned int bars = 0;
	size_t i;

	if (!memmem(line, length, "=> hardirq/softirq", sizeof("=> hardirq/softirq") - 1))
		return;
	for (i = 0; i < length; i++)
		bars += line[i] == '|';
	m->irq_flag = bars + 1;
}

/* "# entries-in-buffer/entries-written: 140080/250280   #P:4" */
static void take_comment(struct import *m, const char *line, size_t length)
{
	struct cursor c = { line, line + length };
	uint64_t kept, written;

	if (cursor_skip(&c, "# entries-in-buffer/entries-written: ") && cursor_u64(&c, &kept) &&
	    cursor_skip(&c, "/") && cursor_u64(&c, &written) && written > kept)
		m->overwritten += written - kept;
	take_legend(m, line, length);
}

static int take_event(void *arg, const struct trace_event *e)
{
	struct import *m = arg;

	return e->what == TRACE_LOST ? trace_lost(&m->trace, e->cpu, e->value) :
				       trace_take(&m->trace, e);
}

static int take_late(void *arg, const struct trace_event *e)
{
	struct import *m = arg;
	int ret = e->what == TRACE_LOST ? take_event(arg, e) : trace_late(&m->trace, e->cpu);

	return !ret && m->strict && m->trace.late ? -EBADMSG : ret;
}

static int take_possible(struct import *m, const struct trace_event *e)
{
	int ret = trace_thread_later(&m->trace.threads, e->on, e->tgid);

	return ret ? ret : ftrace_window_add(&m->window, e);
}

static int take_line(struct import *m, const char *line, size_t length)
{
	struct trace_event *e = &m->event;

	m->line++;
	if (length && line[length - 1] == '\r')
		length--;
	if (m->line == 1 && length && *line == '<')
		m->is_page = !memchr(line, '-', length) || !memchr(line, '[', length);
	if (is_outside(m, line, length))
		return 0;
	switch (ftrace_line(line, length, m->irq_flag, e)) {
	case FTRACE_LINE_LOST:
		/* Printed before the next event of the CPU; it has no time. */
		e->ns = m->before;
		e->what = TRACE_LOST;
		return e->cpu < TRACE_CPUS ? ftrace_window_add(&m->window, e) : line_wrong(m);
	case FTRACE_LINE_EVENT:
		m->before = e->ns;
		return trace_is_possible(e) ? take_possible(m, e) : line_wrong(m);
	case FTRACE_LINE_EMPTY:
		take_comment(m, line, length);
		return 0;
	default:
		return line_wrong(m);
	}
}

/* Read until the buffer is full. Return: bytes that came in, 0 at the end, or an error. */
static ssize_t fill(struct import *m)
{
	size_t before = m->used;
	ssize_t n;

	while (m->used < BUFFER_BYTES) {
		n = fxt_stream_read(m->stream, m->buffer + m->used, BUFFER_BYTES - m->used);
		if (n < 0)
			return n;
		if (!n)
			break;
		m->used += n;
	}
	return m->used - before;
}

/* All complete lines of the buffer; at the end of the text, all. */
static int take_lines(struct import *m, bool is_end)
{
	const char *at = m->buffer, *end = m->buffer + m->used, *newline;
	int ret = 0;

	while (at < end && !ret) {
		newline = memchr(at, '\n', end - at);
		if (!newline && !is_end)
			break;
		newline = newline ? newline : end;
		if (!m->is_long)
			ret = take_line(m, at, newline - at);
		m->is_long = false;
		m->offset += newline - at + (newline < end);
		at = newline < end ? newline + 1 : end;
	}
	m->used = end - at;
	if (ret || m->used < BUFFER_BYTES) {
		memmove(m->buffer, at, m->used);
		return ret;
	}
	if (!m->is_long) {
		m->line++;
		ret = line_wrong(m);
	}
	m->is_long = true;
	m->offset += m->used;
	m->used = 0;
	return ret;
}

static int text(struct import *m)
{
	ssize_t n = fill(m);
	int ret, finished;

	m->trace.wakeups.has_events = n > 0 && memmem(m->buffer, m->used, " sched_wakeup:", 14);
	for (;;) {
		ret = take_lines(m, n <= 0);
		if (ret || n <= 0)
			break;
		n = fill(m);
	}
	finished = ftrace_window_finish(&m->window);
	return ret ? ret : n ? n : finished;
}

static int report(const struct import *m, int ret, bool writing_failed)
{
	if (m->wrong)
		message("fxt: %s: %" PRIu64 " lines not understood, first at line %" PRIu64 ", byte %" PRIu64 "\n",
			m->path, m->wrong, m->first_wrong, m->first_offset);
	if (m->overwritten)
		message("fxt: %s: %" PRIu64 " events before the first one were overwritten in ftrace's buffer\n",
			m->path, m->overwritten);
	if (m->window.disordered)
		message("fxt: %s: %" PRIu64 " lines were out of order\n", m->path,
			m->window.disordered);
	if (m->trace.late)
		message("fxt: %s: %" PRIu64 " lines are left out, because they came more than %u events too late; sort the text by time\n",
			m->path, m->trace.late, FTRACE_WINDOW);
	trace_report(&m->trace, m->path);
	if (writing_failed) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	if (ret && !(ret == -EBADMSG && m->wrong + m->trace.late)) {
		message("fxt: cannot read %s: %s\n", m->path,
			ret == -EBADMSG ? fxt_stream_error(m->stream) : strerror(-ret));
		return m->trace.taken && ret == -EBADMSG ? VERB_DEVIATES : VERB_UNREADABLE;
	}
	if (!m->trace.taken && !m->trace.other && m->wrong) {
		message("fxt: cannot read %s: no line is one of ftrace's text\n", m->path);
		return VERB_UNREADABLE;
	}
	return m->wrong + m->trace.late ? VERB_DEVIATES : VERB_DONE;
}

static int import(const char *path, int from, bool strict, int fd, bool is_part)
{
	struct import *m = calloc(1, sizeof(*m));
	bool writing_failed = false;
	int ret = m ? 0 : -ENOMEM, closed;

	if (ret) {
		message("fxt: cannot read %s: %s\n", path, strerror(ENOMEM));
		return VERB_UNREADABLE;
	}
	m->irq_flag = FTRACE_IRQ_FLAG;
	m->path = path;
	m->strict = strict;
	m->trace.a.is_part = is_part;
	m->window.take = take_event;
	m->window.late = take_late;
	m->window.arg = m;
	ret = fxt_stream_open(&m->stream, from, NULL, 0);
	if (!ret)
		ret = trace_open(&m->trace, fd, "ftrace text");
	if (!ret)
		ret = text(m);
	closed = trace_close(&m->trace);
	if (closed && closed != -ENOMEM) {
		writing_failed = true;
		ret = closed;
	}
	ret = report(m, ret, writing_failed);
	ftrace_window_close(&m->window);
	fxt_stream_close(m->stream);
	free(m);
	return ret;
}

int ftrace_read(const char *path, int from, bool strict, int fd)
{
	return import(path, from, strict, fd, false);
}

int ftrace_read_part(const char *path, int from, bool strict, int fd)
{
	return import(path, from, strict, fd, true);
}

/* Is there an event in the first @lines? Those before it must be headers and comments. */
static bool has_event(const char *at, const char *end, uint64_t lines)
{
	const char *newline;
	struct trace_event e;

	for (; lines && at < end; lines--, at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		newline = newline ? newline : end;
		switch (ftrace_line(at, newline - at, FTRACE_IRQ_FLAG, &e)) {
		case FTRACE_LINE_EVENT:
		case FTRACE_LINE_FIELDS:
			return true;
		case FTRACE_LINE_WRONG:
			return false;
		default:
			break;
		}
	}
	return false;
}

bool ftrace_detect(const char *head, size_t bytes)
{
	return (bytes >= 9 && !memcmp(head, "# tracer:", 9)) ||
	       has_event(head, head + bytes, FIT_LINES);
}

bool ftrace_has_event(const char *text, size_t bytes)
{
	return has_event(text, text + bytes, UINT64_MAX);
}
