// SPDX-License-Identifier: GPL-2.0-or-later
/* line.c - one line of ftrace's text. See parse.h. */
#include "formats/import/import.h"
#include "cursor.h"
#include "parse.h"

/* Move @at backwards over digits. Returns false if there are none. */
static bool back_over_digits(const char *begin, const char **at)
{
	const char *end = *at;

	while (*at > begin && (*at)[-1] >= '0' && (*at)[-1] <= '9')
		--*at;
	return *at < end;
}

static void back_over_spaces(const char *begin, const char **at)
{
	while (*at > begin && (*at)[-1] == ' ')
		--*at;
}

/* "(TGID)" or "(-----)" before @at, if present. */
static bool parse_tgid(const char *begin, const char **at, struct trace_event *e)
{
	const char *close = *at;
	struct cursor c;

	e->tgid = 0;
	if (close == begin || close[-1] != ')')
		return true;
	while (*at > begin && (*at)[-1] != '(')
		--*at;
	if (*at == begin)
		return false;
	c = (struct cursor){ *at, close - 1 };
	cursor_spaces(&c);
	--*at;
	back_over_spaces(begin, at);
	return (c.at < c.end && *c.at == '-') || (cursor_u32(&c, &e->tgid) && c.at == c.end);
}

static bool parse_task(const char *begin, const char *bracket, struct trace_event *e)
{
	const char *at = bracket;
	struct cursor pid;

	back_over_spaces(begin, &at);
	if (!parse_tgid(begin, &at, e))
		return false;
	pid.end = at;
	if (!back_over_digits(begin, &at) || at == begin)
		return false;
	pid.at = at--;
	if (!cursor_u32(&pid, &e->on))
		return false;
	/* perf script writes "PID/TID", or either of them. */
	if (*at == '/') {
		pid.end = at;
		back_over_digits(begin, &at);
		pid.at = at--;
		if (at < begin || !cursor_u32(&pid, &e->tgid))
			return false;
	}
	if (*at == ' ')
		back_over_spaces(begin, &at);
	else if (*at != '-')
		return false;
	while (begin < at && *begin == ' ')
		begin++;
	trace_name_set(&e->on_name, begin, at - begin);
	return true;
}

static uint8_t irq_of(char flag)
{
	switch (flag) {
	case 'h':
	case 'H':
		return FXT_SCHED_IRQ_HARD;
	case 's':
		return FXT_SCHED_IRQ_SOFT;
	case 'z':
	case 'Z':
		return FXT_SCHED_IRQ_NMI;
	default:
		return FXT_SCHED_IRQ_NONE;
	}
}

static void parse_flags(struct cursor *c, unsigned int irq_flag, struct trace_event *e)
{
	const char *flags = c->at;

	while (c->at < c->end && *c->at != ' ')
		c->at++;
	if (c->at - flags > irq_flag)
		e->irq = irq_of(flags[irq_flag]);
	cursor_spaces(c);
}

static struct trace_name kind_name(const char *at, const char *end)
{
	struct trace_name name = { "" };
	size_t i;

	for (i = 0; i < sizeof(name.bytes) - 1 && at + i < end; i++)
		name.bytes[i] = (unsigned char)at[i] >= ' ' && at[i] < 0x7f ? at[i] : '?';
	return name;
}

static bool is_word(const char *at, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(at, word, length);
}

static bool ends_with(const char *at, size_t length, const char *end)
{
	size_t bytes = strlen(end);

	return length > bytes && !memcmp(at + length - bytes, end, bytes);
}

/*
 * The kind of an event by its name and fields. A uprobe may have the name of an event, but then
 * starts with its place in parentheses.
 */
static enum trace_what known(const char *at, size_t length, struct cursor fields)
{
	if (is_word(at, length, "ipi_entry"))
		return TRACE_VECTOR_ENTRY;
	if (is_word(at, length, "ipi_exit"))
		return TRACE_VECTOR_EXIT;
	if (fields.at < fields.end && *fields.at == '(')
		return TRACE_NOTHING;
	/* The kernel's function for marks; old kernels write 0 for it. */
	if (is_word(at, length, "tracing_mark_write") || is_word(at, length, "0"))
		return TRACE_MARK;
	if (cursor_skip(&fields, "vector="))
		return ends_with(at, length, "_entry") ? TRACE_VECTOR_ENTRY :
		       ends_with(at, length, "_exit") ? TRACE_VECTOR_EXIT : TRACE_NOTHING;
	return TRACE_NOTHING;
}

static struct cursor fields_after(const char *colon, const char *end)
{
	struct cursor fields = { colon + 1, end };

	cursor_spaces(&fields);
	return fields;
}

/* "0xffffffff8117: B|1|x" or "tracing_mark_write: B|1|x": the text that a program wrote. */
static void seek_text(struct cursor *c)
{
	const char *colon = memchr(c->at, ':', c->end - c->at);
	const char *bar = memchr(c->at, '|', c->end - c->at);

	if (!colon || (bar && bar < colon))
		return;
	c->at = colon + 1;
	cursor_spaces(c);
}

/* @colon: after the event's name */
static void parse_kind(const struct cursor *c, const char *colon, struct cursor *fields,
		       struct trace_event *e)
{
	size_t length = colon - c->at;
	struct trace_mark mark;

	e->what = trace_known(c->at, length);
	if (e->what == TRACE_NOTHING || (fields->at < fields->end && *fields->at == '('))
		e->what = known(c->at, length, *fields);
	if (e->what != TRACE_MARK)
		return;
	if (length == sizeof("print") - 1)
		seek_text(fields);
	if (!trace_mark_parse(fields->at, fields->end - fields->at, &mark))
		e->what = TRACE_NOTHING;
	else if (trace_mark_is_of_thread(&mark) && !e->tgid)
		e->tgid = mark.process;
}

static bool parse_rest(struct cursor *c, struct trace_event *e)
{
	struct cursor fields = { c->end, c->end };
	const char *colon, *next;

	if (!cursor_time(c, &e->ns, &e->has_ticks) || !cursor_skip(c, ":"))
		return false;
	cursor_spaces(c);
	colon = memchr(c->at, ':', c->end - c->at);
	/* perf script writes the system first: "sched:sched_switch:". */
	next = colon && colon + 1 < c->end && colon[1] != ' ' ?
	       memchr(colon + 1, ':', c->end - colon - 1) : NULL;
	if (next && (trace_known(colon + 1, next - colon - 1) != TRACE_NOTHING ||
		     known(colon + 1, next - colon - 1, fields_after(next, c->end)) != TRACE_NOTHING)) {
		c->at = colon + 1;
		colon = next;
	}
	e->what = TRACE_NOTHING;
	if (colon) {
		fields = fields_after(colon, c->end);
		parse_kind(c, colon, &fields, e);
	}
	if (e->what == TRACE_NOTHING)
		e->name = kind_name(c->at, colon ? colon : c->end);
	else
		*c = fields;
	return true;
}

/* TASK-PID (TGID) [CPU] FLAGS, the usual form */
static bool parse_usual(unsigned int irq_flag, struct cursor *c, struct trace_event *e)
{
	const char *line = c->at, *end = c->end, *bracket = line;

	for (; (bracket = memchr(bracket, '[', end - bracket)); bracket++) {
		*c = (struct cursor){ bracket + 1, end };
		if (!cursor_u32(c, &e->cpu) || !cursor_skip(c, "]") ||
		    !parse_task(line, bracket, e))
			continue;
		cursor_spaces(c);
		e->irq = FXT_SCHED_IRQ_NONE;
		if (!cursor_is_digit(c))
			parse_flags(c, irq_flag, e);
		if (parse_rest(c, e))
			return true;
	}
	return false;
}

/* TASK-PID CPU and FLAGS in one word, from `trace-cmd report -l` */
static bool parse_latency(unsigned int irq_flag, struct cursor *c, struct trace_event *e)
{
	const char *line = c->at, *end = c->end, *dash = line;

	for (; (dash = memchr(dash, '-', end - dash)); dash++) {
		*c = (struct cursor){ dash + 1, end };
		if (!cursor_u32(c, &e->on) || !parse_task(line, c->at, e))
			continue;
		cursor_spaces(c);
		if (!cursor_u32(c, &e->cpu))
			continue;
		parse_flags(c, irq_flag, e);
		if (parse_rest(c, e))
			return true;
	}
	return false;
}

/* "CPU:3 [LOST 12 EVENTS]", trace-cmd's "CPU:3 [12 EVENTS DROPPED]"; or without the number */
static enum ftrace_line_kind parse_lost(struct cursor c, struct trace_event *e)
{
	if (!cursor_skip(&c, "CPU:") || !cursor_u32(&c, &e->cpu) || !cursor_skip(&c, " ["))
		return FTRACE_LINE_WRONG;
	cursor_skip(&c, "LOST ");
	e->value = 1;
	if (cursor_is_digit(&c) && (!cursor_u32(&c, &e->value) || !cursor_skip(&c, " ")))
		return FTRACE_LINE_WRONG;
	return cursor_skip(&c, "EVENTS") ? FTRACE_LINE_LOST : FTRACE_LINE_WRONG;
}

/* Is it a line before the events, or between the buffers of trace-cmd? */
static bool is_header(struct cursor c)
{
	uint32_t n;

	return cursor_skip(&c, "cpus=") || cursor_skip(&c, "version = ") ||
	       (cursor_skip(&c, "CPU ") && cursor_u32(&c, &n) && cursor_skip(&c, " is empty")) ||
	       (cursor_skip(&c, "##### CPU "));
}

bool ftrace_kernel_frame(struct cursor c, struct frame *f)
{
	f->name = c;
	for (; c.at < c.end && *c.at != '+' && *c.at != ' ' && *c.at != '<'; c.at++)
		;
	f->name.end = c.at;
	if (cursor_seek(&c, "<") || cursor_seek(&c, "("))
		cursor_hex(&c, &f->address);
	return true;
}

bool ftrace_user_frame(struct cursor c, struct frame *f)
{
	struct cursor file;

	*f = (struct frame){ 0 };
	if (!cursor_skip(&c, "=>"))
		return false;
	cursor_spaces(&c);
	file = c;
	if (cursor_seek(&c, "[+0x")) {
		f->file = (struct cursor){ file.at, c.at - strlen("[+0x") };
		f->name.at = c.at - strlen("+0x");
		f->name.end = memchr(c.at, ']', c.end - c.at) ?: c.end;
	}
	if (cursor_seek(&c, "<"))
		cursor_hex(&c, &f->address);
	return f->name.at || f->address;
}

bool ftrace_frame(struct cursor c, struct frame *f)
{
	static const char deleted[] = " (deleted)";
	const char *file;

	*f = (struct frame){ 0 };
	if (cursor_skip(&c, "=>")) {
		cursor_spaces(&c);
		return ftrace_kernel_frame(c, f);
	}
	if (!cursor_hex(&c, &f->address) || !cursor_skip(&c, " ") || c.end[-1] != ')')
		return false;
	f->is_of_perf = true;
	f->name = c;
	c.end--;
	if (ends_with(c.at, c.end - c.at, deleted))
		c.end -= strlen(deleted);
	file = memrchr(c.at, '(', c.end - c.at);
	if (!file)
		return false;
	f->file = (struct cursor){ file + 1, c.end };
	f->name.end = file > c.at ? file - 1 : file;
	if (cursor_seek(&c, "+0x") && c.at < f->name.end)
		f->name.end = c.at - strlen("+0x");
	return true;
}

enum ftrace_line_kind ftrace_line(unsigned int irq_flag, const char *line, size_t length,
				  struct trace_event *e, struct cursor *rest)
{
	struct frame frame;
	const struct cursor all = { line, line + length };
	struct cursor c = all;

	cursor_spaces(&c);
	/* atrace writes "TRACE:" first. */
	if (c.at == c.end || *line == '#' ||
	    (length == 6 && !memcmp(line, "TRACE:", 6)))
		return FTRACE_LINE_EMPTY;
	c = all;
	if (!parse_usual(irq_flag, &c, e)) {
		c = all;
		if (!parse_latency(irq_flag, &c, e)) {
			c = all;
			cursor_spaces(&c);
			*rest = c;
			return is_header(c) ? FTRACE_LINE_EMPTY :
			       ftrace_frame(c, &frame) ? FTRACE_LINE_FRAME : parse_lost(c, e);
		}
	}
	e->hides_other = false;
	e->other = 0;
	e->from = 0;
	e->thread = 0;
	if (e->what == TRACE_NOTHING && cursor_is_digit(&c)) {
		e->what = ftrace_entry(c, e);
		return FTRACE_LINE_EVENT;
	}
	if (!ftrace_fields(&c, e))
		return FTRACE_LINE_FIELDS;
	*rest = c;
	return FTRACE_LINE_EVENT;
}
