// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * line.c - see line.h.
 *
 * A line is TASK-PID, perhaps (TGID), [CPU], perhaps flags, a time and a colon, the event's
 * name and a colon, and its fields. In the latency format, the CPU has no brackets. TASK may
 * contain anything: it stops at the first place that all of these follow.
 */
#include "formats/import/trace.h"
#include "cursor.h"
#include "fields.h"
#include "line.h"

/* Backwards over digits. Return: were there any? */
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

/* "(TGID)" or "(-----)" before @at, if it is there. */
static bool take_tgid(const char *begin, const char **at, struct trace_event *e)
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

/* TASK-PID (TGID) before @bracket. */
static bool take_task(const char *begin, const char *bracket, struct trace_event *e)
{
	const char *at = bracket;
	struct cursor pid;
	size_t length;

	back_over_spaces(begin, &at);
	if (!take_tgid(begin, &at, e))
		return false;
	pid.end = at;
	if (!back_over_digits(begin, &at) || at == begin || at[-1] != '-')
		return false;
	pid.at = at--;
	if (!cursor_u32(&pid, &e->on))
		return false;
	while (begin < at && *begin == ' ')
		begin++;
	length = at - begin;
	length = length < sizeof(e->on_name.bytes) ? length : sizeof(e->on_name.bytes) - 1;
	memcpy(e->on_name.bytes, begin, length);
	e->on_name.bytes[length] = '\0';
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

/* Seconds with any number of decimals, or ns without a point. */
static bool take_time(struct cursor *c, uint64_t *ns)
{
	uint64_t unit = 1000000000;

	if (!cursor_u64(c, ns))
		return false;
	if (cursor_skip(c, ".")) {
		if (__builtin_mul_overflow(*ns, unit, ns))
			return false;
		for (; cursor_is_digit(c); c->at++) {
			unit /= 10;
			if (__builtin_add_overflow(*ns, (*c->at - '0') * unit, ns))
				return false;
		}
	}
	return cursor_skip(c, ":");
}

static void take_flags(struct cursor *c, unsigned int irq_flag, struct trace_event *e)
{
	const char *flags = c->at;

	while (c->at < c->end && *c->at != ' ')
		c->at++;
	if (c->at - flags > irq_flag)
		e->irq = irq_of(flags[irq_flag]);
	cursor_spaces(c);
}

/* The time, the event and its fields. */
static bool take_rest(struct cursor *c, struct trace_event *e)
{
	const char *name;

	if (!take_time(c, &e->ns))
		return false;
	cursor_spaces(c);
	name = c->at;
	while (c->at < c->end && *c->at != ':' && *c->at != ' ')
		c->at++;
	e->what = c->at < c->end && *c->at == ':' ? trace_known(name, c->at - name) : TRACE_NOTHING;
	if (e->what == TRACE_NOTHING)
		return true;
	c->at++;
	cursor_spaces(c);
	return true;
}

/* TASK-PID (TGID) [CPU] FLAGS, the usual form. */
static bool take_usual(struct cursor *c, unsigned int irq_flag, struct trace_event *e)
{
	const char *line = c->at, *end = c->end, *bracket = line;

	for (; (bracket = memchr(bracket, '[', end - bracket)); bracket++) {
		*c = (struct cursor){ bracket + 1, end };
		if (!cursor_u32(c, &e->cpu) || !cursor_skip(c, "]") ||
		    !take_task(line, bracket, e))
			continue;
		cursor_spaces(c);
		e->irq = FXT_SCHED_IRQ_NONE;
		if (!cursor_is_digit(c))
			take_flags(c, irq_flag, e);
		if (take_rest(c, e))
			return true;
	}
	return false;
}

/* TASK-PID CPU and FLAGS in one word: `trace-cmd report -l`. */
static bool take_latency(struct cursor *c, unsigned int irq_flag, struct trace_event *e)
{
	const char *line = c->at, *end = c->end, *dash = line;

	for (; (dash = memchr(dash, '-', end - dash)); dash++) {
		*c = (struct cursor){ dash + 1, end };
		if (!cursor_u32(c, &e->on) || !take_task(line, c->at, e))
			continue;
		cursor_spaces(c);
		if (!cursor_u32(c, &e->cpu))
			continue;
		take_flags(c, irq_flag, e);
		if (take_rest(c, e))
			return true;
	}
	return false;
}

/* "CPU:3 [LOST 12 EVENTS]", as trace-cmd "CPU:3 [12 EVENTS DROPPED]"; or without the number. */
static enum ftrace_line_kind take_lost(struct cursor c, struct trace_event *e)
{
	if (!cursor_skip(&c, "CPU:") || !cursor_u32(&c, &e->cpu) || !cursor_skip(&c, " ["))
		return FTRACE_LINE_WRONG;
	cursor_skip(&c, "LOST ");
	e->value = 1;
	if (cursor_is_digit(&c) && (!cursor_u32(&c, &e->value) || !cursor_skip(&c, " ")))
		return FTRACE_LINE_WRONG;
	return cursor_skip(&c, "EVENTS") ? FTRACE_LINE_LOST : FTRACE_LINE_WRONG;
}

/* What is before the events, and between the buffers of trace-cmd. */
static bool is_header(struct cursor c)
{
	uint32_t n;

	return cursor_skip(&c, "cpus=") || cursor_skip(&c, "version = ") ||
	       (cursor_skip(&c, "CPU ") && cursor_u32(&c, &n) && cursor_skip(&c, " is empty")) ||
	       (cursor_skip(&c, "##### CPU "));
}

enum ftrace_line_kind ftrace_line(const char *line, size_t length, unsigned int irq_flag,
				  struct trace_event *e)
{
	const struct cursor all = { line, line + length };
	struct cursor c = all;

	cursor_spaces(&c);
	if (c.at == c.end || *line == '#')
		return FTRACE_LINE_EMPTY;
	c = all;
	if (!take_usual(&c, irq_flag, e)) {
		c = all;
		if (!take_latency(&c, irq_flag, e)) {
			c = all;
			cursor_spaces(&c);
			return is_header(c) ? FTRACE_LINE_EMPTY : take_lost(c, e);
		}
	}
	e->hides_other = false;
	e->other = 0;
	e->from = 0;
	e->thread = 0;
	return ftrace_fields(&c, e) ? FTRACE_LINE_EVENT : FTRACE_LINE_FIELDS;
}
