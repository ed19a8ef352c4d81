// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - reads ftrace's text.
 *
 * In: the text of /sys/kernel/tracing/trace or trace_pipe, or the output of `trace-cmd report` or
 * `fxt convert --to ftrace`.
 * Out: an archive.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/fxt_sched_stack.h>
#include <fxt/fxt_vectors.h>

#include "formats/import/event.h"
#include "formats/import/import.h"
#include "libfxt/digits.h"
#include "libfxt/stream.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/format.h"
#include "walk/import.h"
#include "formats/formats.h"

/* --------------------------------------------------------------------
 * Reads texts and numbers from a piece of a line.
 *
 * All functions return whether they found what they look for; if so, the cursor moves behind it.
 */

struct cursor {
	const char *at;
	const char *end;
};

static inline bool cursor_is_digit(const struct cursor *c)
{
	return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static inline void cursor_spaces(struct cursor *c)
{
	while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
		c->at++;
}

/* @text: a literal */
static inline bool cursor_skip_bytes(struct cursor *c, const char *text, size_t length)
{
	if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length))
		return false;
	c->at += length;
	return true;
}
#define cursor_skip(c, text)	cursor_skip_bytes(c, text, sizeof(text) - 1)

/* Go behind the next occurrence of a literal. It is near, so memmem() would cost more to set up. */
static inline bool cursor_seek_bytes(struct cursor *c, const char *text, size_t length)
{
	const char *at = c->at;

	for (; (at = memchr(at, *text, c->end - at)); at++) {
		if ((size_t)(c->end - at) < length)
			return false;
		if (memcmp(at, text, length))
			continue;
		c->at = at + length;
		return true;
	}
	return false;
}
#define cursor_seek(c, text)	cursor_seek_bytes(c, text, sizeof(text) - 1)

/* Decimal digits; false if there are none, or if the number exceeds 64 bits. */
static inline bool cursor_u64(struct cursor *c, uint64_t *n)
{
	unsigned int digits = digits_read(c->at, c->end, DIGITS_SAFE, n);

	if (!digits)
		return false;
	c->at += digits;
	for (; __builtin_expect(cursor_is_digit(c), 0); c->at++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*c->at - '0'), n))
			return false;
	return true;
}

static inline bool cursor_u32(struct cursor *c, uint32_t *n)
{
	uint64_t wide;

	if (!cursor_u64(c, &wide) || wide > UINT32_MAX)
		return false;
	*n = wide;
	return true;
}

static inline bool cursor_i32(struct cursor *c, int32_t *n)
{
	bool is_negative = c->at < c->end && *c->at == '-';
	uint64_t wide;

	c->at += is_negative;
	if (!cursor_u64(c, &wide) || wide > INT32_MAX)
		return false;
	*n = is_negative ? -(int32_t)wide : (int32_t)wide;
	return true;
}

/* Hexadecimal digits, perhaps after 0x; false as in cursor_u64(). */
static inline bool cursor_hex(struct cursor *c, uint64_t *n)
{
	const char *begin;

	cursor_skip(c, "0x");
	begin = c->at;
	for (*n = 0; c->at < c->end && isxdigit((unsigned char)*c->at); c->at++) {
		if (*n >> 60)
			return false;
		*n = *n << 4 | (*c->at <= '9' ? *c->at - '0' : (*c->at | 0x20) - 'a' + 10);
	}
	return c->at > begin;
}

/* --------------------------------------------------------------------
 * The fields of an event in a line of ftrace's text.
 */

/* Parse a name up to a text, and go behind that. */
static bool name_until(struct cursor *c, struct trace_name *name, const char *text)
{
	const char *begin = c->at;

	if (!cursor_seek_bytes(c, text, strlen(text)))
		return false;
	trace_name_set(name, begin, c->at - strlen(text) - begin);
	return true;
}

/*
 * Parse a name, @key, a number, and @next (NULL: nothing has to follow), and go behind @next. It is
 * inline, so that the compiler knows the texts.
 */
static inline __attribute__((always_inline)) bool
name_and_id(struct cursor *c, struct trace_name *name, const char *key, uint32_t *id,
	    const char *next)
{
	const char *begin = c->at;
	struct cursor try = *c;

	while (cursor_seek_bytes(&try, key, strlen(key))) {
		size_t length = try.at - strlen(key) - begin;

		*c = try;
		if (cursor_u32(c, id) && (!next || cursor_skip_bytes(c, next, strlen(next)))) {
			trace_name_set(name, begin, length);
			return true;
		}
	}
	return false;
}

/* As name_and_id(), but also parse a priority after @key if there is one. */
static inline __attribute__((always_inline)) bool
name_id_and_prio(struct cursor *c, struct trace_name *name, const char *id_key, uint32_t *id,
		 const char *key, int32_t *prio)
{
	struct cursor all = *c;

	if (name_and_id(&all, name, id_key, id, key)) {
		*c = all;
		return cursor_i32(c, prio);
	}
	*prio = TRACE_PRIO_UNKNOWN;
	return name_and_id(c, name, id_key, id, NULL);
}

/* Letters as the kernel prints them, or a number whose meaning depends on the unknown kernel. */
static bool parse_thread_state(struct cursor *c, char *state)
{
	struct cursor letters = *c;
	uint64_t n;

	if (cursor_is_digit(c)) {
		struct cursor hex = *c;

		if (cursor_skip(&hex, "0x") ? !cursor_hex(c, &n) : !cursor_u64(c, &n))
			return false;
		*state = trace_state_letter(&trace_states_any, n);
		return true;
	}
	*state = c->at < c->end ? *c->at : '?';
	if (cursor_skip(&letters, "D|N"))
		*state = 'I';
	return true;
}

static void set_other(struct trace_event *e)
{
	e->hides_other = !e->other && !strcmp(e->other_name.bytes, "<...>");
}

/* The texts of `trace-cmd report -R` have no arrow; those of other systems may lack fields. */
static bool parse_switch(struct cursor *c, struct trace_event *e)
{
	if (!name_id_and_prio(c, &e->name, " prev_pid=", &e->thread, " prev_prio=", &e->prio))
		return false;
	e->state = '?';
	if (cursor_skip(c, " prev_state=") && !parse_thread_state(c, &e->state))
		return false;
	if (!cursor_seek(c, " next_comm=") ||
	    !name_id_and_prio(c, &e->other_name, " next_pid=", &e->other, " next_prio=",
			      &e->other_prio))
		return false;
	set_other(e);
	return true;
}

/*
 * libtraceevent has letters of its own for the bits of a state. They are those of kernels
 * before 4.14; since then the bits mean something else, and x is not a dead thread but a parked one.
 */
static char plugin_letter(char letter)
{
	switch (letter) {
	case 'Z':
		return 'X';
	case 'X':
		return 'Z';
	case 'x':
		return '?';
	case 'W':
		return 'I';
	default:
		return letter;
	}
}

/* trace-cmd's own form: "bash:12 [120] S ==> swapper/0:0 [120]" */
static bool parse_plugin(struct cursor *c, struct trace_event *e)
{
	if (!name_and_id(c, &e->name, ":", &e->thread, " [") || !cursor_i32(c, &e->prio) ||
	    !cursor_skip(c, "] "))
		return false;
	e->state = plugin_letter(c->at < c->end ? *c->at : '?');
	if (!cursor_seek(c, " ==> ") || !name_and_id(c, &e->other_name, ":", &e->other, " ["))
		return false;
	set_other(e);
	return cursor_i32(c, &e->other_prio) && cursor_skip(c, "]");
}

static bool parse_wakeup(struct cursor *c, struct trace_event *e)
{
	if (!name_id_and_prio(c, &e->name, " pid=", &e->thread, " prio=", &e->prio))
		return false;
	e->value = e->cpu;
	return !cursor_seek(c, "target_cpu=") || cursor_u32(c, &e->value);
}

/* "bash:12 [120] CPU:001" */
/* PID:PRIO:STATE, as a tracer of latencies writes it. */
static bool parse_end(struct cursor *c, uint32_t *id, int32_t *prio, char *state)
{
	cursor_spaces(c);
	if (!cursor_u32(c, id) || !cursor_skip(c, ":"))
		return false;
	cursor_spaces(c);
	if (!cursor_i32(c, prio) || !cursor_skip(c, ":") || c->at == c->end)
		return false;
	*state = *c->at++;
	return true;
}

/*
 * A switch "1:120:S ==> [000] 2: 94:R name" or a wakeup "1:120:R   + [000] 2: 94:R name" of a
 * tracer of latencies, as the rest of a line.
 */
static enum trace_what parse_entry(struct cursor c, struct trace_event *e)
{
	struct cursor line = c;
	bool is_switch;
	int32_t prio;
	uint32_t id;
	char state;

	if (!parse_end(&c, &e->thread, &e->prio, &e->state))
		return TRACE_NOTHING;
	cursor_spaces(&c);
	is_switch = cursor_skip(&c, "==> [");
	if ((!is_switch && !cursor_skip(&c, "+ [")) || !cursor_u32(&c, &e->value) ||
	    !cursor_skip(&c, "]") || !parse_end(&c, &id, &prio, &state) || !cursor_skip(&c, " "))
		return TRACE_NOTHING;
	line.at = c.at;
	if (is_switch) {
		e->name = e->on_name;
		e->other = id;
		e->other_prio = prio;
		trace_name_set(&e->other_name, line.at, line.end - line.at);
		set_other(e);
		return TRACE_SWITCH;
	}
	e->thread = id;
	e->prio = prio;
	trace_name_set(&e->name, line.at, line.end - line.at);
	return TRACE_WAKEUP;
}

static bool parse_plugin_wakeup(struct cursor *c, struct trace_event *e)
{
	return name_and_id(c, &e->name, ":", &e->thread, " [") && cursor_i32(c, &e->prio) &&
	       cursor_seek(c, "CPU:") && cursor_u32(c, &e->value);
}

static bool parse_fork(struct cursor *c, struct trace_event *e)
{
	struct trace_name parent;
	uint32_t id;

	if (cursor_skip(c, "parent_comm=") ?
	    !name_and_id(c, &parent, " parent_pid=", &id, " child_comm=") :
	    !cursor_skip(c, "comm=") || !name_and_id(c, &parent, " pid=", &id, " child_comm="))
		return false;
	return name_and_id(c, &e->name, " child_pid=", &e->thread, NULL);
}

static bool parse_newtask(struct cursor *c, struct trace_event *e)
{
	uint64_t flags;

	if (!cursor_skip(c, "pid=") || !cursor_u32(c, &e->thread) || !cursor_skip(c, " comm="))
		return false;
	if (!name_until(c, &e->name, " clone_flags=") || !cursor_hex(c, &flags))
		return false;
	e->value = !!(flags & CLONE_THREAD);
	return true;
}

/* An exec names the thread after the file. */
static bool parse_exec(struct cursor *c, struct trace_event *e)
{
	const char *begin, *slash;
	struct cursor next;

	if (!cursor_skip(c, "filename="))
		return false;
	begin = c->at;
	for (next = *c; cursor_seek(&next, " pid="); )
		*c = next;
	if (c->at == begin)
		return false;
	next.end = c->at - sizeof(" pid=") + 1;
	slash = memrchr(begin, '/', next.end - begin);
	begin = slash ? slash + 1 : begin;
	trace_name_set(&e->name, begin, next.end - begin);
	return cursor_u32(c, &e->thread);
}

static bool parse_rename(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "pid=") && cursor_u32(c, &e->thread) &&
	       cursor_skip(c, " oldcomm=") && name_until(c, &e->other_name, " newcomm=") &&
	       name_until(c, &e->name, " oom_score_adj=");
}

static bool parse_exit(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "comm=") &&
	       name_id_and_prio(c, &e->name, " pid=", &e->thread, " prio=", &e->prio);
}

static bool parse_migration(struct cursor *c, struct trace_event *e)
{
	return parse_exit(c, e) && cursor_seek(c, "orig_cpu=") && cursor_u32(c, &e->from) &&
	       cursor_seek(c, "dest_cpu=") && cursor_u32(c, &e->value);
}

static bool parse_irq(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "irq=") || !cursor_u32(c, &e->value))
		return false;
	if (e->what == TRACE_IRQ_EXIT)
		return true;
	if (!cursor_skip(c, " name="))
		return false;
	trace_name_set(&e->name, c->at, c->end - c->at);
	return true;
}

/* A mask of CPUs: hexadecimal words of 32 bits, the highest first. */
static bool parse_mask(struct cursor *c, struct trace_event *e)
{
	uint64_t word;

	e->mask = 0;
	e->value = 0;
	do {
		if (!cursor_hex(c, &word) || word > UINT32_MAX)
			return false;
		e->mask = e->mask << 32 | word;
		e->value += __builtin_popcountll(word);
	} while (cursor_skip(c, ","));
	return true;
}

/* "callback=nohz_full_kick_func+0x0/0x10": the function that other CPUs call; 0x0: none */
static bool parse_callback(struct cursor *c, struct trace_event *e)
{
	struct cursor none;
	const char *end;

	if (!cursor_seek(c, " callback="))
		return false;
	none = *c;
	if (cursor_skip(&none, "0x0")) {
		e->name.bytes[0] = '\0';
		return true;
	}
	end = memchr(c->at, '+', c->end - c->at);
	trace_name_set(&e->name, c->at, (end ? end : c->end) - c->at);
	return true;
}

static bool parse_ipi(struct cursor *c, struct trace_event *e)
{
	return e->what == TRACE_IPI ?
	       cursor_skip(c, "cpu=") && cursor_u32(c, &e->value) && parse_callback(c, e) :
	       cursor_skip(c, "cpumask=") && parse_mask(c, e) && parse_callback(c, e);
}

/* "(Rescheduling interrupts)": of arm64 */
static bool parse_reason(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "(") || c->at == c->end)
		return false;
	e->value = fxt_ipi_name(*c->at);
	return true;
}

/* "vector=236": of x86 */
static bool parse_vector(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "vector="))
		return parse_reason(c, e);
	if (!cursor_u32(c, &e->value))
		return false;
	e->value = fxt_vector_name(e->value);
	return true;
}

static bool parse_idle_miss(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "cpu_id=") || !cursor_u32(c, &e->from) || !cursor_skip(c, " state=") ||
	    !cursor_u32(c, &e->most) || !cursor_skip(c, " type="))
		return false;
	e->value = cursor_skip(c, "below");
	return true;
}

static bool parse_limits(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "min=") && cursor_u32(c, &e->value) && cursor_skip(c, " max=") &&
	       cursor_u32(c, &e->most) && cursor_skip(c, " cpu_id=") && cursor_u32(c, &e->from);
}

/* The end may lack the function. */
static bool parse_work(struct cursor *c, struct trace_event *e)
{
	const char *end;

	if (!cursor_skip(c, "work struct ") || (!cursor_seek(c, ": function ") && e->what == TRACE_WORK_BEGIN))
		return false;
	end = memchr(c->at, ' ', c->end - c->at);
	trace_name_set(&e->name, c->at, (end ? end : c->end) - c->at);
	return true;
}

static bool parse_priority(struct cursor *c, struct trace_event *e)
{
	struct trace_name name;

	if (!cursor_skip(c, "comm=") || !name_and_id(c, &name, " pid=", &e->thread, " oldprio="))
		return false;
	e->name = name;
	return cursor_i32(c, &e->prio) && cursor_skip(c, " newprio=") && cursor_i32(c, &e->other_prio);
}

/* "pid=50 iowait=1 caller=folio_wait_bit+0x1/0x2" */
static bool parse_blocked(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "pid=") && cursor_u32(c, &e->thread) && cursor_skip(c, " iowait=") &&
	       cursor_u32(c, &e->value) && cursor_skip(c, " caller=");
}

static bool parse_state(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "state=") && cursor_u32(c, &e->value) && cursor_skip(c, " cpu_id=") &&
	       cursor_u32(c, &e->from);
}

/**
 * ftrace_fields() - parse the fields of an event
 * @c: behind the event's name, colon and spaces
 * @e: the event; its @what and the current thread are set already
 *
 * Names may contain anything, even what looks like the next field. A name ends at the first
 * place after which all other fields follow.
 *
 * Return: were all fields that archives need found?
 */
static bool ftrace_fields(struct cursor *c, struct trace_event *e)
{
	switch (e->what) {
	case TRACE_SWITCH:
		return cursor_skip(c, "prev_comm=") ? parse_switch(c, e) : parse_plugin(c, e);
	case TRACE_WAKING:
	case TRACE_WAKEUP:
	case TRACE_WAKEUP_NEW:
		return cursor_skip(c, "comm=") ? parse_wakeup(c, e) : parse_plugin_wakeup(c, e);
	case TRACE_FORK:
		return parse_fork(c, e);
	case TRACE_NEWTASK:
		return parse_newtask(c, e);
	case TRACE_EXEC:
		return parse_exec(c, e);
	case TRACE_EXIT:
		return parse_exit(c, e);
	case TRACE_RENAME:
		return parse_rename(c, e);
	case TRACE_MIGRATE:
		return parse_migration(c, e);
	case TRACE_IRQ_ENTRY:
	case TRACE_IRQ_EXIT:
		return parse_irq(c, e);
	case TRACE_SOFTIRQ_ENTRY:
	case TRACE_SOFTIRQ_EXIT:
		return cursor_skip(c, "vec=") && cursor_u32(c, &e->value);
	case TRACE_VECTOR_ENTRY:
	case TRACE_VECTOR_EXIT:
		return parse_vector(c, e);
	case TRACE_IPI:
	case TRACE_IPI_MASK:
		return parse_ipi(c, e);
	case TRACE_IDLE:
	case TRACE_FREQUENCY:
		return parse_state(c, e);
	case TRACE_IDLE_MISS:
		return parse_idle_miss(c, e);
	case TRACE_LIMITS:
		return parse_limits(c, e);
	case TRACE_WORK_BEGIN:
	case TRACE_WORK_END:
		return parse_work(c, e);
	case TRACE_PRIORITY:
		return parse_priority(c, e);
	case TRACE_BLOCKED:
		return parse_blocked(c, e);
	default:
		return true;
	}
}

/* --------------------------------------------------------------------
 * One line of ftrace's text.
 *
 * In: a line of /sys/kernel/tracing/trace, trace_pipe, `trace-cmd report` or `fxt convert`.
 * Out: an event.
 *
 * A line is TASK-PID, perhaps (TGID), [CPU], perhaps flags, a time and a colon, the event's
 * name and a colon, and its fields. In the latency format, the CPU has no brackets. TASK may
 * contain anything: it stops at the first place that all of these follow.
 */

enum ftrace_line_kind {
	FTRACE_LINE_WRONG,	/* not understood */
	FTRACE_LINE_EMPTY,	/* a comment, a header or an empty line */
	FTRACE_LINE_EVENT,
	FTRACE_LINE_FIELDS,	/* an event whose fields are not understood */
	FTRACE_LINE_FRAME,	/* a function of a call chain */
	FTRACE_LINE_LOST,	/* @value events were lost on @cpu */
};

#define FTRACE_IRQ_FLAG	2	/* after irqs-off and need-resched */

/* Move @at backwards over digits. Return: false if there are none */
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
	/* perf script writes "PID/TID", or the one without the other. */
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

/*
 * Seconds with any number of decimals, of which nine count, or us where it says so. Others are
 * @ticks: ftrace prints times without a point if its clock does not count ns.
 */
static bool parse_time(struct cursor *c, uint64_t *ns, bool *ticks)
{
	static const uint64_t units[] = {
		1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1,
	};
	unsigned int digits;
	uint64_t decimals;

	*ticks = false;
	if (!cursor_u64(c, ns))
		return false;
	if (cursor_skip(c, ".")) {
		digits = digits_read_many(c->at, c->end, 9, &decimals);
		c->at += digits;
		if (__builtin_mul_overflow(*ns, units[0], ns) ||
		    __builtin_add_overflow(*ns, decimals * units[digits], ns))
			return false;
		while (cursor_is_digit(c))
			c->at++;
	} else if (cursor_skip(c, "us")) {
		cursor_skip(c, " ");
		if (__builtin_mul_overflow(*ns, 1000, ns))
			return false;
	} else {
		*ticks = true;
	}
	return cursor_skip(c, ":");
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
 * The kind of an event by its name and fields. Probes of users may have the name of an event, but
 * have their place in parentheses.
 */
static enum trace_what known(const char *at, size_t length, struct cursor fields)
{
	if (is_word(at, length, "ipi_entry"))
		return TRACE_VECTOR_ENTRY;
	if (is_word(at, length, "ipi_exit"))
		return TRACE_VECTOR_EXIT;
	if (fields.at < fields.end && *fields.at == '(')
		return TRACE_NOTHING;
	/* The function that a program's write calls; old kernels have 0 for it. */
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

/* "0xffffffff8117: B|1|x" or "tracing_mark_write: B|1|x": the text that a program has written. */
static void seek_text(struct cursor *c)
{
	const char *colon = memchr(c->at, ':', c->end - c->at);
	const char *bar = memchr(c->at, '|', c->end - c->at);

	if (!colon || (bar && bar < colon))
		return;
	c->at = colon + 1;
	cursor_spaces(c);
}

/* The kind of an event, whose name is before @colon, and its fields. */
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

/* The time, the event and its fields. */
static bool parse_rest(struct cursor *c, struct trace_event *e)
{
	struct cursor fields = { c->end, c->end };
	const char *colon, *next;

	if (!parse_time(c, &e->ns, &e->has_ticks))
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

/* TASK-PID (TGID) [CPU] FLAGS, the usual form. */
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

/* TASK-PID CPU and FLAGS in one word: `trace-cmd report -l`. */
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

/* "CPU:3 [LOST 12 EVENTS]", as trace-cmd "CPU:3 [12 EVENTS DROPPED]"; or without the number. */
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

/* A function of a call chain; all pieces may be empty. */
struct frame {
	uint64_t address;	/* 0: unknown */
	struct cursor name;
	struct cursor file;	/* of a program's function */
	bool is_of_perf;
};

/* "schedule", "schedule+0x1/0x2", "schedule <ffffffff81>", "schedule (ffffffff81)", "<ffffffff81>" */
static bool parse_kernel_frame(struct cursor c, struct frame *f)
{
	f->name = c;
	for (; c.at < c.end && *c.at != '+' && *c.at != ' ' && *c.at != '<'; c.at++)
		;
	f->name.end = c.at;
	if (cursor_seek(&c, "<") || cursor_seek(&c, "("))
		cursor_hex(&c, &f->address);
	return true;
}

/*
 * A function of a call chain: "=> schedule" of ftrace; of perf, an address, a name, perhaps an offset,
 * and a file, "ffffffff81 schedule+0x1 (vmlinux)".
 */
static bool parse_frame(struct cursor c, struct frame *f)
{
	static const char deleted[] = " (deleted)";
	const char *file;

	*f = (struct frame){ 0 };
	if (cursor_skip(&c, "=>")) {
		cursor_spaces(&c);
		return parse_kernel_frame(c, f);
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

/*
 * Parse a line, which is without its end, and set @e to its event. @rest: set to the text of a mark
 * of a program, or to the name of a function; valid as long as @line
 */
static enum ftrace_line_kind ftrace_line(unsigned int irq_flag, const char *line, size_t length,
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
			       parse_frame(c, &frame) ? FTRACE_LINE_FRAME : parse_lost(c, e);
		}
	}
	e->hides_other = false;
	e->other = 0;
	e->from = 0;
	e->thread = 0;
	if (e->what == TRACE_NOTHING && cursor_is_digit(&c)) {
		e->what = parse_entry(c, e);
		return FTRACE_LINE_EVENT;
	}
	if (!ftrace_fields(&c, e))
		return FTRACE_LINE_FIELDS;
	*rest = c;
	return FTRACE_LINE_EVENT;
}

/* --------------------------------------------------------------------
 * The whole text, as an archive.
 */

#define BUFFER_BYTES	(512U << 10)	/* also the limit of a line */
#define UTF8_MARK	"\xef\xbb\xbf"	/* byte order mark */
#define CHAIN_NAME	"<stack trace>"	/* perhaps with a space before the > */
#define FIT_LINES	8		/* to find an event in; without one, it is another format */
#define WAITING		65536U	/* events in memory, with texts and frames: lines may come late */
#define COPY_MOST	(64U << 20)	/* bytes of a temporary file, and so many times the input's */
#define RATIO_MOST	64U

/** struct chain - the call chain in the lines after an event */
struct chain {
	bool is_open;
	bool is_of_ftrace;	/* after "<stack trace>"; else of perf, after its event */
	struct trace_event event;	/* its place and time */
	unsigned int of[2];	/* frames of the program, of the kernel */
	uint64_t frames[2 * FXT_SCHED_STACK_FRAMES];
};

/** struct import - a text that is being converted */
struct import {
	const char *path;
	bool strict;
	bool is_page;		/* the text is a part of a page */
	bool is_inside;		/* the current line is in the text */
	bool is_long;		/* a line longer than the buffer is being skipped */
	uint64_t line;		/* its number, from 1 */
	uint64_t offset;	/* of its first byte */
	uint64_t overwritten;	/* events that ftrace's buffer lost before the first one */
	bool has_times;		/* an event was read */
	bool has_ticks;		/* and its time is in ticks, as are all others */
	uint64_t wrong;		/* lines not understood */
	uint64_t first_wrong;
	uint64_t first_offset;
	uint64_t end_line;	/* at which reading ended, because the rate is unknown */
	uint64_t end_offset;
	uint64_t before;	/* ns, of the event in the previous line */
	uint64_t newest;	/* ns, of all events so far */
	uint64_t taken;		/* ns, of the last event that left memory */
	uint64_t disordered;	/* events that are older than one before them */
	size_t used;		/* bytes in the buffer */
	unsigned int irq_flag;	/* index of the flag that shows interrupts */
	struct fxt_stream *stream;
	FILE *packed;		/* that it reads, after the line of atrace; NULL: the input */
	bool copy_failed;	/* it could not be written */
	struct trace_event event;
	struct chain chain;
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

/* Reading ends at this line. */
static int ends_at(struct import *m)
{
	m->end_line = m->line;
	m->end_offset = m->offset;
	return -EBADMSG;
}

/* Can nothing be read without the rate of the clock? */
static bool needs_rate(const struct import *m)
{
	return m->has_ticks && !foreign_is_timed();
}

/* Convert the time of an event. Return: false if it cannot be one of this text */
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

/* In a page of systrace, everything before and after the text is for browsers. */
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
 * "#    || / _---=> hardirq/softirq": the line has one bar less than flags come before this one.
 * Kernels differ in the number of flags: those with PREEMPT_LAZY have one more.
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

/* Let the event wait for others that are older. A call chain is no event of its own to count. */
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
	c->event.ns = e->ns;
	c->event.cpu = e->cpu;
	c->event.on = e->on;
	c->event.tgid = e->tgid;
	c->event.irq = e->irq;
	c->of[0] = c->of[1] = 0;
}

/* A function without a name stays an address. */
static uint64_t frame_of(struct import *m, const struct frame *f, bool is_kernel)
{
	static const char unknown[] = "[unknown]";
	uint32_t on = m->chain.event.on, process = is_kernel ? 0 :
		      trace_thread_process(&m->trace.threads, on);
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

	if (!c->is_open || !parse_frame(line, &f) || f.is_of_perf == c->is_of_ftrace)
		return;
	is_kernel = c->is_of_ftrace || fxt_sched_is_kernel(f.address);
	if (c->of[is_kernel] == FXT_SCHED_STACK_FRAMES || (is_kernel && c->of[0]))
		return;
	c->frames[c->of[0] + c->of[1]] = frame_of(m, &f, is_kernel);
	c->of[is_kernel]++;
}

/* The chain is complete: it is an event that follows its own. */
static int end_chain(struct import *m)
{
	struct chain *c = &m->chain;
	size_t count = c->of[0] + c->of[1];

	c->is_open = false;
	if (!count)
		return 0;
	m->trace.wakeups.has_stacks = true;
	c->event.what = TRACE_STACK;
	c->event.frame_count = count;
	c->event.frames = must(malloc(count * sizeof(*c->frames)));
	memcpy((void *)c->event.frames, c->frames, count * sizeof(*c->frames));
	trace_name_set(&c->event.name, CHAIN_NAME, strlen(CHAIN_NAME));
	return add_event(m, &c->event);
}

/* --- lines ------------------------------------------------------------------------------- */

/* Copy what the record of a mark, or of where a thread sleeps, needs of its line. */
static void take_text(struct import *m, struct trace_event *e, struct cursor text)
{
	size_t length = text.end - text.at;
	uint64_t *caller;
	struct frame f;

	if (e->what == TRACE_MARK) {
		e->text = must(strndup(text.at, length < TRACE_MARK_BYTES ? length : TRACE_MARK_BYTES));
	} else {
		f = (struct frame){ 0 };
		parse_kernel_frame(text, &f);
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

static int take_event(struct import *m, struct trace_event *e, struct cursor rest)
{
	if (!set_time(m, e))
		return needs_rate(m) ? ends_at(m) : line_wrong(m);
	m->before = e->ns;
	if (!trace_is_possible(e))
		return line_wrong(m);
	trace_thread_later(&m->trace.threads, e->on, e->tgid);
	if (is_chain(e)) {
		begin_chain(m, e, true);
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

/* The line of a loss has no time. It precedes the next event of the CPU. */
static int take_loss(struct import *m, struct trace_event *e)
{
	e->ns = m->before;
	e->what = TRACE_LOST;
	e->frames = NULL;
	return e->cpu < TRACE_CPUS ? add_event(m, e) : line_wrong(m);
}

static int take_line(struct import *m, const char *line, size_t length)
{
	struct trace_event *e = &m->event;
	struct cursor rest = { line, line };
	enum ftrace_line_kind kind = ftrace_line(m->irq_flag, line, length, e, &rest);
	int ret = 0;

	if (kind == FTRACE_LINE_FRAME) {
		add_frame(m, rest);
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
		return take_event(m, e, rest);
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

/* Read until the buffer is full. Return: bytes that were read, 0 at the end, or an error. */
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

/* Take all complete lines of the buffer; at the end of the text, also the rest. */
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

#define PREAMBLE	4096U	/* bytes in which atrace's first line is looked for */

/*
 * After the line "TRACE:", `atrace -z` writes the text compressed by zlib. Return: its offset; 0 if
 * there is none, because no text is compressed without that line.
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

/* Copy the rest of the stream, which may be compressed itself. Return: 0 or a negative errno */
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

/* Read what follows as a stream of its own. Return: as fill() */
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

static int text(struct import *m)
{
	const struct trace_event *e;
	ssize_t n = fill(m);
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
	int ret, closed;

	m->irq_flag = FTRACE_IRQ_FLAG;
	m->path = path;
	m->strict = strict;
	m->trace.a.is_part = is_part;
	m->waiting.size = sizeof(struct trace_event);
	m->waiting.room = WAITING;
	ret = fxt_stream_open(&m->stream, from, NULL, 0);
	trace_open(&m->trace, fd, "ftrace text");
	if (!ret)
		ret = text(m);
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
		/* A line that does not fit has no mark. */
		if (used - begin == sizeof(buffer))
			begin = used;
		used -= begin;
		memmove(buffer, buffer + begin, used);
	}
	fxt_stream_close(stream);
	lseek(from, 0, SEEK_SET);
}

/* Is there an event in the first @lines? Those before it must be headers and comments. */
static bool has_event(const char *at, const char *end, uint64_t lines)
{
	const char *newline;
	struct trace_event e;
	struct cursor rest;

	for (; lines && at < end; lines--, at = newline + 1) {
		newline = memchr(at, '\n', end - at);
		newline = newline ? newline : end;
		switch (ftrace_line(FTRACE_IRQ_FLAG, at, newline - at, &e, &rest)) {
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
