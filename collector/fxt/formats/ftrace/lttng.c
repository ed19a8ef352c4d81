// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lttng.c - one line of LTTng's events, as babeltrace2 prints them. See parse.h.
 *
 * Events and fields are named as in LTTng-modules, include/instrumentation/events; for the form of
 * a line, see babeltrace2-sink.text.pretty(7).
 */
#include <time.h>

#include <fxt/fxt_vectors.h>

#include "libfxt/clock.h"
#include "cursor.h"
#include "parse.h"

#define DAY_NS		(86400 * NS_PER_SECOND)
#define RT_PRIOS	100	/* LTTng's priorities are the kernel's minus this */

/* The time in brackets: time of day, perhaps after a date, or seconds. */
static bool parse_brackets(struct cursor *c, struct trace_event *e)
{
	uint32_t year, month, day, hours, minutes;
	uint64_t before = 0;
	struct cursor try;
	struct tm tm;

	if (!cursor_skip(c, "["))
		return false;
	try = *c;
	if (cursor_u32(&try, &year) && cursor_skip(&try, "-")) {
		if (!cursor_u32(&try, &month) || !cursor_skip(&try, "-") || !cursor_u32(&try, &day) ||
		    !cursor_skip(&try, " ") || year - 1970 > 500 || month - 1 > 11 || day - 1 > 30)
			return false;
		tm = (struct tm){ .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };
		before = timegm(&tm) * NS_PER_SECOND;
		*c = try;
	}
	try = *c;
	if (cursor_u32(&try, &hours) && cursor_skip(&try, ":")) {
		if (!cursor_u32(&try, &minutes) || !cursor_skip(&try, ":") || hours > 23 || minutes > 59)
			return false;
		before += (hours * 60 + minutes) * 60 * NS_PER_SECOND;
		*c = try;
	}
	return cursor_time(c, &e->ns, &e->has_ticks) && cursor_skip(c, "] ") &&
	       !__builtin_add_overflow(e->ns, before, &e->ns);
}

/* Set @piece to the text up to the next comma outside of quotes and brackets, and go behind it. */
static bool next_piece(struct cursor *c, struct cursor *piece)
{
	bool is_quoted = false;
	int depth = 0;

	cursor_spaces(c);
	*piece = *c;
	for (; c->at < c->end && (*c->at != ',' || is_quoted || depth); c->at++) {
		if (is_quoted && *c->at == '\\' && c->at + 1 < c->end)
			c->at++;
		else if (*c->at == '"')
			is_quoted = !is_quoted;
		else if (!is_quoted)
			depth += !!memchr("{[(", *c->at, 3) - !!memchr("}])", *c->at, 3);
	}
	piece->end = c->at;
	while (piece->end > piece->at && piece->end[-1] == ' ')
		piece->end--;
	c->at += c->at < c->end;
	return piece->at < piece->end;
}

/* A number, or the number of an enumeration: ( "TIMER" : container = 1 ) */
static bool parse_number(struct cursor c, int64_t *n)
{
	struct cursor hex;
	bool is_negative;
	uint64_t wide;

	if (c.at < c.end && *c.at == '(' && !cursor_seek(&c, " : container = "))
		return false;
	is_negative = cursor_skip(&c, "-");
	hex = c;
	if (!(cursor_skip(&hex, "0x") ? cursor_hex(&hex, &wide) : cursor_u64(&c, &wide)) ||
	    wide > INT64_MAX)
		return false;
	*n = is_negative ? -(int64_t)wide : (int64_t)wide;
	return true;
}

/*
 * A text in quotes; of a file, the last part of its path. Backslashes escape quotes, backslashes
 * and control characters, which become question marks.
 */
static bool parse_text(struct cursor c, bool is_file, struct trace_name *name)
{
	const char *slash;
	size_t n = 0;

	if (!cursor_skip(&c, "\"") || c.at == c.end || *--c.end != '"')
		return false;
	slash = is_file ? memrchr(c.at, '/', c.end - c.at) : NULL;
	for (c.at = slash ? slash + 1 : c.at; c.at < c.end && n < sizeof(name->bytes) - 1; c.at++) {
		name->bytes[n] = *c.at;
		if (*c.at == '\\' && ++c.at < c.end)
			name->bytes[n] = memchr("\\\"'?", *c.at, 4) ? *c.at : '?';
		n++;
	}
	name->bytes[n] = '\0';
	return true;
}

/* LTTng calls the kernel's pids "tid"; its "pid" is a process. */
static bool is_named(const struct cursor *key, const char *name)
{
	size_t length = strlen(name), stem = length;

	if (length >= 3 && !strcmp(name + length - 3, "pid"))
		stem -= 3;
	return (size_t)(key->end - key->at) == length && !memcmp(key->at, name, stem) &&
	       (stem == length || !memcmp(key->at + stem, "tid", 3));
}

static bool set_field(const struct trace_field *f, const struct cursor *value, struct trace_event *e)
{
	int64_t n, base = strstr(f->name, "prio") ? RT_PRIOS : 0;
	char *to = (char *)e + f->to;
	uint32_t number;

	if (f->form == TRACE_FORM_NAME || f->form == TRACE_FORM_FILE)
		return parse_text(*value, f->form == TRACE_FORM_FILE, (void *)to);
	if (!parse_number(*value, &n) || n < -base || n > UINT32_MAX - base)
		return false;
	number = f->form == TRACE_FORM_VECTOR ? fxt_vector_name(n) : n + base;
	if (f->form == TRACE_FORM_STATE)
		e->state = trace_state_letter(&trace_states_any, n);
	else
		memcpy(to, &number, sizeof(number));
	return true;
}

/* The CPU, and the current thread from `lttng add-context`, which is a fork's parent. */
static void set_context(const struct cursor *key, const struct cursor *value, struct trace_event *e)
{
	int64_t n;

	if (is_named(key, "procname")) {
		parse_text(*value, false, &e->on_name);
	} else if (!parse_number(*value, &n) || n < 0 || n > UINT32_MAX) {
		return;
	} else if (is_named(key, "cpu_id")) {
		e->cpu = n;
	} else if (is_named(key, "pid") || is_named(key, "parent_pid")) {
		e->on = n;
		e->has_on = true;
	} else if (key->end - key->at == 3 && !memcmp(key->at, "pid", 3)) {
		e->tgid = n;
	}
}

/* "{ KEY = VALUE, ... }". Returns: were all fields found that archives need? */
static bool parse_block(struct cursor block, bool is_context, struct trace_event *e)
{
	const struct trace_field *fields = trace_kinds[e->what].fields;
	unsigned int i, found = 0, needed = 0;
	struct cursor key, value;

	if (!cursor_skip(&block, "{") || *--block.end != '}')
		return false;
	for (i = 0; i < TRACE_FIELDS && fields[i].name; i++)
		needed |= 1U << i;
	while (next_piece(&block, &value)) {
		key = value;
		if (!cursor_seek(&value, " = "))
			continue;
		key.end = value.at - strlen(" = ");
		if (is_context || is_named(&key, "parent_pid"))
			set_context(&key, &value, e);
		for (i = 0; !is_context && i < TRACE_FIELDS && fields[i].name; i++)
			if (is_named(&key, fields[i].name) && set_field(&fields[i], &value, e))
				found |= 1U << i;
	}
	return is_context || found == needed;
}

/* LTTng puts the subsystem before some names. Work items and calls have only addresses. */
static enum trace_what kind_of(struct cursor name)
{
	enum trace_what what;

	if (cursor_skip(&name, "x86_irq_vectors_"))
		return name.end[-1] == 'y' ? TRACE_VECTOR_ENTRY : TRACE_VECTOR_EXIT;
	what = trace_known(name.at, name.end - name.at);
	if (what == TRACE_NOTHING && (cursor_skip(&name, "irq_") || cursor_skip(&name, "power_")))
		what = trace_known(name.at, name.end - name.at);
	return what == TRACE_NEWTASK || what == TRACE_BLOCKED || what == TRACE_IPI ||
	       what == TRACE_IPI_MASK || what > TRACE_LIMITS ? TRACE_NOTHING : what;
}

enum ftrace_line_kind lttng_line(const char *line, size_t length, struct trace_event *e)
{
	struct cursor c = { line, line + length }, name, block;
	bool is_complete = true, is_first = true, is_context = true;
	const char *space;

	memset(e, 0, sizeof(*e));
	e->cpu = TRACE_CPUS;
	if (!parse_brackets(&c, e))
		return FTRACE_LINE_WRONG;
	name.at = c.at;
	if (!cursor_seek(&c, ": {"))
		return FTRACE_LINE_WRONG;
	name.end = c.at-- - strlen(": {");
	space = memrchr(name.at, ' ', name.end - name.at);
	name.at = space ? space + 1 : name.at;
	e->what = kind_of(name);
	if (e->what == TRACE_NOTHING)
		trace_name_set(&e->name, name.at, name.end - name.at);
	/* The last block has the fields. */
	for (; is_complete && next_piece(&c, &block); is_first = false) {
		is_context = is_first || c.at < c.end;
		is_complete = parse_block(block, is_context, e);
	}
	is_complete &= !is_context || !trace_kinds[e->what].fields[0].name;
	return is_complete ? FTRACE_LINE_LTTNG : FTRACE_LINE_FIELDS;
}

void lttng_follow(struct lttng *l, struct trace_event *e)
{
	struct lttng_cpu *cpu;

	if (e->ns < DAY_NS && e->ns + l->days + DAY_NS / 2 < l->before)
		l->days += DAY_NS;
	e->ns += e->ns < DAY_NS ? l->days : 0;
	l->before = e->ns;
	cpu = &l->cpus[e->cpu];
	cpu->on = e->what == TRACE_SWITCH ? e->thread : e->has_on ? e->on : cpu->on;
	e->on = cpu->on;
	e->irq = cpu->in[0] || cpu->in[2] ? FXT_SCHED_IRQ_HARD : cpu->in[1] ? FXT_SCHED_IRQ_SOFT :
		 FXT_SCHED_IRQ_NONE;
	if (e->what == TRACE_SWITCH)
		*cpu = (struct lttng_cpu){ .on = e->other };
	if (e->what >= TRACE_IRQ_ENTRY && e->what <= TRACE_VECTOR_EXIT)
		cpu->in[(e->what - TRACE_IRQ_ENTRY) / 2] = !((e->what - TRACE_IRQ_ENTRY) % 2);
}
