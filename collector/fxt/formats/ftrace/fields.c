// SPDX-License-Identifier: GPL-2.0-or-later
/* fields.c - the fields of an event in a line of ftrace's text. See parse.h. */
#include <sched.h>

#include <fxt/fxt_vectors.h>

#include "cursor.h"
#include "parse.h"

/* Parse a name up to @text and go behind that. */
static bool name_until(struct cursor *c, struct trace_name *name, const char *text)
{
	const char *begin = c->at;

	if (!cursor_seek_bytes(c, text, strlen(text)))
		return false;
	trace_name_set(name, begin, c->at - strlen(text) - begin);
	return true;
}

/*
 * Parse a name, @key, a number, and @next (NULL: anything may follow). Inline, so that the compiler
 * knows the texts.
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

/* As name_and_id(), then perhaps a priority after @key. */
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

/* Letters, or a number whose meaning depends on the unknown kernel. */
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

/* `trace-cmd report -R` writes no arrow; other systems may omit fields. */
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
 * libtraceevent has its own letters for the bits of a state, from kernels before 4.14. In later
 * kernels x is not a dead thread but a parked one.
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

/* PID:PRIO:STATE, as a latency tracer writes it. */
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

enum trace_what ftrace_entry(struct cursor c, struct trace_event *e)
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

/* "(Rescheduling interrupts)", on arm64 */
static bool parse_reason(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "(") || c->at == c->end)
		return false;
	e->value = fxt_ipi_name(*c->at);
	return true;
}

/* "vector=236", on x86 */
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

bool ftrace_fields(struct cursor *c, struct trace_event *e)
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
		return cursor_skip(c, "state=") && cursor_u32(c, &e->value) &&
		       cursor_skip(c, " cpu_id=") && cursor_u32(c, &e->from);
	case TRACE_IDLE_MISS:
		return parse_idle_miss(c, e);
	case TRACE_LIMITS:
		return cursor_skip(c, "min=") && cursor_u32(c, &e->value) &&
		       cursor_skip(c, " max=") && cursor_u32(c, &e->most) &&
		       cursor_skip(c, " cpu_id=") && cursor_u32(c, &e->from);
	case TRACE_WORK_BEGIN:
	case TRACE_WORK_END:
		return parse_work(c, e);
	case TRACE_PRIORITY:
		return parse_priority(c, e);
	case TRACE_BLOCKED:
		return cursor_skip(c, "pid=") && cursor_u32(c, &e->thread) &&
		       cursor_skip(c, " iowait=") && cursor_u32(c, &e->value) &&
		       cursor_skip(c, " caller=");
	default:
		return true;
	}
}
