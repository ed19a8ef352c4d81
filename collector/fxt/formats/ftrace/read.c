// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - reads ftrace's text.
 *
 * In: the text of /sys/kernel/tracing/trace or trace_pipe, or the output of `trace-cmd report`,
 * `perf script`, `fxt convert --to ftrace` or, of LTTng's events, babeltrace2.
 * Out: an archive.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched_stack.h>

#include "formats/import/import.h"
#include "libfxt/stream.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/format.h"
#include "walk/import.h"
#include "formats/formats.h"
#include "parse.h"

#define BUFFER_BYTES	(512U << 10)	/* also the limit of a line */
#define UTF8_MARK	"\xef\xbb\xbf"	/* byte order mark */
#define CHAIN_NAME	"<stack trace>"	/* perhaps with a space before the > */
#define USER_CHAIN_NAME	"<user stack trace>"
#define USER_CHAIN	"<user stack tra"	/* the begin of the name; trace-cmd: */
#define USER_CHAIN_EVENT	"user_stack"
#define FIT_LINES	8		/* that must contain an event */
#define WAITING		65536U	/* events in memory, with texts and frames: lines may come late */
#define COPY_MOST	(64U << 20)	/* of a temporary file, plus RATIO_MOST times the input */
#define RATIO_MOST	64U

struct chain {
	bool is_open;
	bool is_of_ftrace;	/* after "<stack trace>"; else perf's, after its event */
	bool is_of_user;	/* functions of the program follow, in ftrace's form */
	struct trace_event event;	/* its place and time */
	unsigned int of[2];	/* frames of the program, of the kernel */
	uint64_t frames[2 * FXT_SCHED_STACK_FRAMES];
};

struct import {
	const char *path;
	bool strict;
	bool is_page;		/* the text is a part of a page */
	bool is_inside;		/* the current line is in the text */
	bool is_long;		/* skipping a line longer than the buffer */
	uint64_t line;		/* number, from 1 */
	uint64_t offset;	/* of the line's first byte */
	uint64_t overwritten;	/* events that ftrace's buffer lost before the first one */
	bool has_times;		/* an event was read */
	bool has_ticks;		/* times are in ticks */
	uint64_t wrong;		/* invalid lines */
	uint64_t first_wrong;
	uint64_t first_offset;
	uint64_t end_line;	/* where reading ended, because the rate is unknown */
	uint64_t end_offset;
	uint64_t before;	/* ns, of the event in the previous line */
	uint64_t newest;	/* ns, of all events so far */
	uint64_t taken;		/* ns, of the last event that left memory */
	uint64_t disordered;	/* events that are older than one before them */
	size_t used;		/* bytes in the buffer */
	unsigned int irq_flag;	/* index of the flag that shows interrupts */
	struct fxt_stream *stream;
	FILE *packed;		/* what @stream reads after atrace's line; NULL: the input */
	bool copy_failed;	/* @packed could not be written */
	struct trace_event event;
	struct chain chain;
	struct lttng lttng;
	struct order waiting;		/* frees nothing: see trace_event_free() */
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

static int ends_at(struct import *m)
{
	m->end_line = m->line;
	m->end_offset = m->offset;
	return -EBADMSG;
}

/* Is the clock's rate needed to read anything? */
static bool needs_rate(const struct import *m)
{
	return m->has_ticks && !foreign_is_timed();
}

/* Convert an event's time. Returns false if it is not of this text's kind. */
static bool set_time(struct import *m, struct trace_event *e)
{
	if (!m->has_times)
		m->has_ticks = e->has_ticks;
	m->has_times = true;
	return e->has_ticks == m->has_ticks && (!e->has_ticks || foreign_ticks_to_ns(&e->ns));
}

static bool is_closing_tag(const char *line, size_t length)
{
	size_t blanks = 0;

	while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
		blanks++;
	return length - blanks >= 2 && !memcmp(line + blanks, "</", 2);
}

/* In a page of systrace, all before and after the text is for browsers. */
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
 * "#    || / _---=> hardirq/softirq": the number of bars is one less than the number of flags
 * before this one. Kernels with PREEMPT_LAZY have one more flag.
 */
static void parse_legend(struct import *m, const char *line, size_t length)
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
static void parse_comment(struct import *m, const char *line, size_t length)
{
	struct cursor c = { line, line + length };
	uint64_t kept, written;

	if (cursor_skip(&c, "# entries-in-buffer/entries-written: ") && cursor_u64(&c, &kept) &&
	    cursor_skip(&c, "/") && cursor_u64(&c, &written) && written > kept)
		m->overwritten += written - kept;
	parse_legend(m, line, length);
}

static void write_event(struct import *m, const struct trace_event *e)
{
	m->taken = e->ns;
	if (e->what == TRACE_LOST)
		trace_lost(&m->trace, e->cpu, e->value);
	else
		trace_add(&m->trace, e);
	trace_event_free(e);
}

/* Older events may follow. A call chain is not counted as an event. */
static int add_event(struct import *m, const struct trace_event *e)
{
	bool is_chain = e->what == TRACE_STACK;

	if (order_is_full(&m->waiting))
		write_event(m, order_pop(&m->waiting));
	m->disordered += !is_chain && e->ns < m->newest;
	m->newest = e->ns > m->newest ? e->ns : m->newest;
	if (e->ns >= m->taken) {
		order_add(&m->waiting, e, 0);
	} else {
		if (e->what == TRACE_LOST)
			trace_lost(&m->trace, e->cpu, e->value);
		else if (!is_chain)
			trace_late(&m->trace, e->cpu);
		trace_event_free(e);
	}
	return m->strict && m->trace.late ? -EBADMSG : m->trace.a.error;
}

/* --- call chains ----------------------------------------------------------------------- */

static void begin_chain(struct import *m, const struct trace_event *e, bool is_of_ftrace)
{
	struct chain *c = &m->chain;

	c->is_open = true;
	c->is_of_ftrace = is_of_ftrace;
	c->is_of_user = false;
	c->event.ns = e->ns;
	c->event.cpu = e->cpu;
	c->event.on = e->on;
	c->event.tgid = e->tgid;
	c->event.irq = e->irq;
	c->of[0] = c->of[1] = 0;
}

/* A function without a name remains an address. */
static uint64_t frame_of(struct import *m, const struct frame *f, bool is_kernel)
{
	static const char unknown[] = "[unknown]";
	uint32_t on = m->chain.event.on, process = is_kernel ? 0 :
		      trace_thread_process(&m->trace, on);
	size_t length = f->name.end - f->name.at, slash;
	char name[TRACE_FUNCTION_BYTES];

	if (!length || (length == strlen(unknown) && !memcmp(f->name.at, unknown, length)))
		return f->address;
	for (slash = f->file.end - f->file.at; slash && f->file.at[slash - 1] != '/'; slash--)
		;
	snprintf(name, sizeof(name), is_kernel ? "%.*s" : "%.*s [%.*s]", (int)length, f->name.at,
		 (int)(f->file.end - f->file.at - slash), f->file.at ? f->file.at + slash : "");
	return trace_symbol(&m->trace.symbols, process, name, strlen(name));
}

static void add_frame(struct import *m, struct cursor line)
{
	struct chain *c = &m->chain;
	bool is_kernel;
	struct frame f;

	if (!c->is_open || !(c->is_of_user ? ftrace_user_frame : ftrace_frame)(line, &f) ||
	    f.is_of_perf == c->is_of_ftrace)
		return;
	is_kernel = c->is_of_ftrace ? !c->is_of_user : fxt_sched_is_kernel(f.address);
	if (c->of[is_kernel] == FXT_SCHED_STACK_FRAMES || (is_kernel && c->of[0]))
		return;
	c->frames[c->of[0] + c->of[1]] = frame_of(m, &f, is_kernel);
	c->of[is_kernel]++;
}

/* A complete chain is an event after its own. */
static int end_chain(struct import *m)
{
	struct chain *c = &m->chain;
	size_t count = c->of[0] + c->of[1];
	const char *name;

	c->is_open = false;
	if (!count)
		return 0;
	m->trace.wakeups.has_stacks = true;
	c->event.what = TRACE_STACK;
	c->event.frame_count = count;
	c->event.frames = must(malloc(count * sizeof(*c->frames)));
	memcpy((void *)c->event.frames, c->frames, count * sizeof(*c->frames));
	name = c->is_of_user && !c->of[1] ? USER_CHAIN_NAME : CHAIN_NAME;
	trace_name_set(&c->event.name, name, strlen(name));
	return add_event(m, &c->event);
}

/* --- lines ------------------------------------------------------------------------------- */

/* Keep the part of the line that the record of a mark, or of a sleep's function, needs. */
static void take_text(struct import *m, struct trace_event *e, struct cursor text)
{
	size_t length = text.end - text.at;
	uint64_t *caller;
	struct frame f;

	if (e->what == TRACE_MARK) {
		e->text = must(strndup(text.at, length < TRACE_MARK_BYTES ? length : TRACE_MARK_BYTES));
	} else {
		f = (struct frame){ 0 };
		ftrace_kernel_frame(text, &f);
		caller = must(malloc(sizeof(*caller)));
		*caller = trace_symbol(&m->trace.symbols, 0, f.name.at, f.name.end - f.name.at);
		e->frames = caller;
		e->frame_count = !!*caller;
	}
}

static bool is_chain(const struct trace_event *e)
{
	return e->what == TRACE_STACK ||
	       (e->what == TRACE_NOTHING && !strncmp(e->name.bytes, CHAIN_NAME, strlen(CHAIN_NAME) - 1));
}

/* Does the line begin the program's part of a chain? It follows the kernel's, if any. */
static bool is_user_chain(const struct trace_event *e)
{
	return e->what == TRACE_NOTHING && (!strncmp(e->name.bytes, USER_CHAIN, strlen(USER_CHAIN)) ||
					    !strcmp(e->name.bytes, USER_CHAIN_EVENT));
}

static int take_event(struct import *m, struct trace_event *e, struct cursor rest, bool is_of_lttng)
{
	if (!set_time(m, e))
		return needs_rate(m) ? ends_at(m) : line_wrong(m);
	if (!trace_is_possible(e))
		return line_wrong(m);
	if (is_of_lttng)
		lttng_follow(&m->lttng, e);
	m->before = e->ns;
	trace_thread_later(&m->trace, e->on, e->tgid);
	if (is_chain(e) || is_user_chain(e)) {
		begin_chain(m, e, true);
		m->chain.is_of_user = is_user_chain(e);
		return 0;
	}
	if (e->what >= TRACE_SWITCH && e->what <= TRACE_WAKEUP_NEW)
		begin_chain(m, e, false);
	e->frames = NULL;
	e->frame_count = 0;
	if (e->what == TRACE_MARK || e->what == TRACE_BLOCKED)
		take_text(m, e, rest);
	return add_event(m, e);
}

/* A loss has no time. It precedes the next event of the CPU. */
static int take_loss(struct import *m, struct trace_event *e)
{
	e->ns = m->before;
	e->what = TRACE_LOST;
	e->frames = NULL;
	return e->cpu < TRACE_CPUS ? add_event(m, e) : line_wrong(m);
}

static enum ftrace_line_kind any_line(unsigned int irq_flag, const char *line, size_t length,
				      struct trace_event *e, struct cursor *rest)
{
	enum ftrace_line_kind kind = length && *line == '[' ? lttng_line(line, length, e) :
				     FTRACE_LINE_WRONG;

	return kind == FTRACE_LINE_WRONG ? ftrace_line(irq_flag, line, length, e, rest) : kind;
}

static int take_line(struct import *m, const char *line, size_t length)
{
	struct trace_event *e = &m->event;
	struct cursor rest = { line, line };
	enum ftrace_line_kind kind = any_line(m->irq_flag, line, length, e, &rest);
	int ret = 0;

	if (kind == FTRACE_LINE_FRAME) {
		add_frame(m, rest);
		return 0;
	}
	if (m->chain.is_open && kind == FTRACE_LINE_EVENT && m->chain.is_of_ftrace &&
	    !m->chain.is_of_user && is_user_chain(e) && e->cpu == m->chain.event.cpu &&
	    e->on == m->chain.event.on) {
		m->chain.is_of_user = true;
		return 0;
	}
	if (m->chain.is_open)
		ret = end_chain(m);
	if (ret)
		return ret;
	switch (kind) {
	case FTRACE_LINE_LOST:
		return take_loss(m, e);
	case FTRACE_LINE_EVENT:
	case FTRACE_LINE_LTTNG:
		return take_event(m, e, rest, kind == FTRACE_LINE_LTTNG);
	case FTRACE_LINE_EMPTY:
		parse_comment(m, line, length);
		return 0;
	default:
		return line_wrong(m);
	}
}

static int parse_line(struct import *m, const char *line, size_t length)
{
	m->line++;
	if (length && line[length - 1] == '\r')
		length--;
	if (m->line == 1 && length >= 3 && !memcmp(line, UTF8_MARK, 3)) {
		line += 3;
		length -= 3;
	}
	if (m->line == 1 && length && *line == '<')
		m->is_page = !memchr(line, '-', length) || !memchr(line, '[', length);
	return is_outside(m, line, length) ? 0 : take_line(m, line, length);
}

/* Read until the buffer is full. Returns the bytes read, 0 at the end, or an error. */
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

/* At the end of the text, an incomplete line counts. */
static int parse_lines(struct import *m, bool is_end)
{
	const char *at = m->buffer, *end = m->buffer + m->used, *newline;
	int ret = 0;

	while (at < end && !ret) {
		newline = memchr(at, '\n', end - at);
		if (!newline && !is_end)
			break;
		newline = newline ? newline : end;
		if (!m->is_long)
			ret = parse_line(m, at, newline - at);
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

/* --- atrace -z --------------------------------------------------------------------------- */

#define PREAMBLE	4096U	/* bytes in which to look for atrace's first line */

/*
 * After the line "TRACE:", `atrace -z` writes text compressed by zlib. Returns its offset; 0 if the
 * text is not compressed.
 */
static size_t packed_after(const char *head, size_t bytes)
{
	static const char line[] = "TRACE:\n";
	const char *at = memmem(head, bytes < PREAMBLE ? bytes : PREAMBLE, line, strlen(line));
	size_t offset = at ? at + strlen(line) - head : 0;

	return at && fxt_compression_of(head + offset, bytes - offset) == FXT_ZLIB ? offset : 0;
}

static int copy_fails(struct import *m)
{
	m->copy_failed = true;
	return -errno;
}

/* Copy the rest of the stream, which may itself be compressed. Returns 0 or a negative errno. */
static int copy_rest(struct import *m, size_t from, FILE *to)
{
	ssize_t n = m->used - from;
	char *at = m->buffer + from;
	uint64_t copied = 0, size;

	m->used = 0;
	do {
		if (fwrite(at, 1, n, to) != (size_t)n)
			return copy_fails(m);
		copied += n;
		if (copied > COPY_MOST + RATIO_MOST * fxt_stream_source(m->stream, &size))
			return -EFBIG;
		at = m->buffer;
		n = fxt_stream_read(m->stream, m->buffer, BUFFER_BYTES);
	} while (n > 0);
	return n ? n : fflush(to) ? copy_fails(m) : 0;
}

/* Read the rest as a stream of its own. Returns like fill(). */
static ssize_t unpack_after(struct import *m, size_t offset)
{
	int ret;

	m->packed = import_file();
	if (!m->packed) {
		m->used = 0;
		return copy_fails(m);
	}
	ret = copy_rest(m, offset, m->packed);
	if (ret)
		return ret;
	rewind(m->packed);
	fxt_stream_close(m->stream);
	ret = fxt_stream_open(&m->stream, fileno(m->packed), NULL, 0);
	return ret ? ret : fill(m);
}

static const char *kind_of_text(struct import *m)
{
	const char *newline = memchr(m->buffer, '\n', m->used);
	struct cursor rest;

	return newline && any_line(0, m->buffer, newline - m->buffer, &m->event, &rest) ==
	       FTRACE_LINE_LTTNG ? "LTTng text" : "ftrace text";
}

/* @n: bytes in the buffer, or an error */
static int text(struct import *m, ssize_t n)
{
	const struct trace_event *e;
	size_t packed = n > 0 ? packed_after(m->buffer, m->used) : 0;
	int ret;

	if (packed)
		n = unpack_after(m, packed);
	m->trace.wakeups.has_events = n > 0 && memmem(m->buffer, m->used, " sched_wakeup:", 14);
	for (;;) {
		ret = parse_lines(m, n <= 0);
		if (ret || n <= 0)
			break;
		n = fill(m);
	}
	if (!ret && m->chain.is_open)
		ret = end_chain(m);
	while (!m->trace.a.error && (e = order_pop(&m->waiting)))
		write_event(m, e);
	return ret ? ret : n;
}

static int report_result(const struct import *m, int ret, bool writing_failed)
{
	if (m->wrong)
		message("fxt: %s: %" PRIu64 " lines not understood, first at line %" PRIu64 ", byte %" PRIu64 "\n",
			m->path, m->wrong, m->first_wrong, m->first_offset);
	if (m->overwritten)
		message("fxt: %s: %" PRIu64 " events before the first one were overwritten in ftrace's buffer\n",
			m->path, m->overwritten);
	if (m->disordered)
		message("fxt: %s: %" PRIu64 " lines were out of order\n", m->path, m->disordered);
	if (m->trace.late)
		message("fxt: %s: %" PRIu64 " lines are left out, because they came more than %u events too late; sort the text by time\n",
			m->path, m->trace.late, WAITING);
	trace_report(&m->trace, m->path);
	if (needs_rate(m)) {
		message("fxt: cannot read %s: line %" PRIu64 ", byte %" PRIu64 ": a time without decimals counts ticks of a clock (x86-tsc, counter), and " FOREIGN_TICKS "\n",
			m->path, m->end_line, m->end_offset);
		return VERB_UNREADABLE;
	}
	if (writing_failed) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	if (ret && (ret != -EBADMSG || fxt_stream_error(m->stream) || !(m->wrong + m->trace.late))) {
		message("fxt: cannot read %s: %s\n", m->path,
			ret == -EBADMSG ? fxt_stream_error(m->stream) : strerror(-ret));
		return m->trace.taken && ret == -EBADMSG ? VERB_DEVIATES : VERB_UNREADABLE;
	}
	if (!m->trace.taken && !m->trace.others.count && m->wrong) {
		message("fxt: cannot read %s: no line is in the format of ftrace's text\n",
			m->path);
		return VERB_UNREADABLE;
	}
	return m->wrong + m->trace.late ? VERB_DEVIATES : VERB_DONE;
}

static void free_import(struct import *m)
{
	const struct trace_event *e;

	while ((e = order_pop(&m->waiting)))
		trace_event_free(e);
	order_free(&m->waiting);
	fxt_stream_close(m->stream);
	import_file_close(m->packed);
	free(m);
}

static int import(const char *path, int from, bool strict, int fd, bool is_part)
{
	struct import *m = new_zero(struct import);
	ssize_t n = 0;
	int ret, closed;

	m->irq_flag = FTRACE_IRQ_FLAG;
	m->path = path;
	m->strict = strict;
	m->trace.a.is_part = is_part;
	m->waiting.size = sizeof(struct trace_event);
	m->waiting.room = WAITING;
	ret = fxt_stream_open(&m->stream, from, NULL, 0);
	if (!ret)
		n = fill(m);
	trace_open(&m->trace, fd, kind_of_text(m));
	if (!ret)
		ret = text(m, n);
	closed = trace_close(&m->trace);
	ret = report_result(m, closed ? closed : ret, closed || m->copy_failed);
	free_import(m);
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

static void find_mark(const char *line, size_t length, struct clock_marks *marks)
{
	static const char key[] = "trace_event_clock_sync: name=";
	struct clock_mark *mark = &marks->list[marks->count];
	const char *id = memmem(line, length, key, strlen(key));
	struct trace_event e;
	struct cursor rest;
	size_t n;

	if (!id || ftrace_line(FTRACE_IRQ_FLAG, line, length, &e, &rest) != FTRACE_LINE_EVENT ||
	    (e.has_ticks && !foreign_ticks_to_ns(&e.ns)))
		return;
	id += strlen(key);
	for (n = 0; id + n < line + length && n < sizeof(mark->id) - 1 && id[n] > ' '; n++)
		mark->id[n] = id[n];
	mark->id[n] = '\0';
	mark->ns = e.ns;
	marks->count += n > 0;
}

void ftrace_find_marks(int from, struct clock_marks *marks)
{
	struct fxt_stream *stream;
	size_t used = 0, begin;
	char buffer[16384];
	char *newline;
	ssize_t n;

	if (fxt_stream_open(&stream, from, NULL, 0))
		return;
	while (marks->count < CLOCK_MARKS &&
	       (n = fxt_stream_read(stream, buffer + used, sizeof(buffer) - used)) > 0) {
		used += n;
		for (begin = 0; marks->count < CLOCK_MARKS &&
		     (newline = memchr(buffer + begin, '\n', used - begin));
		     begin = newline + 1 - buffer)
			find_mark(buffer + begin, newline - buffer - begin, marks);
		/* A line longer than the buffer has no mark. */
		if (used - begin == sizeof(buffer))
			begin = used;
		used -= begin;
		memmove(buffer, buffer + begin, used);
	}
	fxt_stream_close(stream);
	lseek(from, 0, SEEK_SET);
}

/* Is there an event in the first @lines? Only headers and comments may precede it. */
static bool has_event(const char *at, const char *end, uint64_t lines)
{
	const char *newline;
	struct trace_event e;
	struct cursor rest;

	for (; lines && at < end; lines--, at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		newline = newline ? newline : end;
		switch (any_line(FTRACE_IRQ_FLAG, at, newline - at, &e, &rest)) {
		case FTRACE_LINE_EVENT:
		case FTRACE_LINE_LTTNG:
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
	if (bytes >= 3 && !memcmp(head, UTF8_MARK, 3)) {
		head += 3;
		bytes -= 3;
	}
	return (bytes >= 9 && !memcmp(head, "# tracer:", 9)) || packed_after(head, bytes) ||
	       has_event(head, head + bytes, FIT_LINES);
}

bool ftrace_has_event(const char *text, size_t bytes)
{
	return has_event(text, text + bytes, UINT64_MAX);
}
