// SPDX-License-Identifier: GPL-2.0-or-later
/* fields.c - see fields.h. */
#include <sched.h>

#include "formats/import/states.h"
#include "fields.h"

static void set_name(struct trace_name *name, const char *from, size_t length)
{
	length = length < sizeof(name->bytes) ? length : sizeof(name->bytes) - 1;
	memcpy(name->bytes, from, length);
	name->bytes[length] = '\0';
}

/*
 * A name, @key, a number, and @next (NULL: nothing has to follow). The cursor is then behind
 * @next.
 */
static bool name_and_id(struct cursor *c, struct trace_name *name, const char *key,
			uint32_t *id, const char *next)
{
	const char *begin = c->at;
	struct cursor try = *c;

	while (cursor_seek_bytes(&try, key, strlen(key))) {
		size_t length = try.at - strlen(key) - begin;

		*c = try;
		if (cursor_u32(c, id) && (!next || cursor_skip_bytes(c, next, strlen(next)))) {
			set_name(name, begin, length);
			return true;
		}
	}
	return false;
}

/* As name_and_id(), and a priority after @key if there is one. */
static bool name_id_and_prio(struct cursor *c, struct trace_name *name, const char *id_key,
			     uint32_t *id, const char *key, int32_t *prio)
{
	struct cursor all = *c;

	if (name_and_id(&all, name, id_key, id, key)) {
		*c = all;
		return cursor_i32(c, prio);
	}
	*prio = TRACE_PRIO_UNKNOWN;
	return name_and_id(c, name, id_key, id, NULL);
}

/* Letters as the kernel prints them, or the number of an unknown kernel. */
static bool take_state_of_thread(struct cursor *c, char *state)
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
static bool take_switch(struct cursor *c, struct trace_event *e)
{
	if (!name_id_and_prio(c, &e->name, " prev_pid=", &e->thread, " prev_prio=", &e->prio))
		return false;
	e->state = '?';
	if (cursor_skip(c, " prev_state=") && !take_state_of_thread(c, &e->state))
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
static bool take_plugin_switch(struct cursor *c, struct trace_event *e)
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

static bool take_wakeup(struct cursor *c, struct trace_event *e)
{
	if (!name_id_and_prio(c, &e->name, " pid=", &e->thread, " prio=", &e->prio))
		return false;
	e->value = e->cpu;
	return !cursor_seek(c, "target_cpu=") || cursor_u32(c, &e->value);
}

/* "bash:12 [120] CPU:001" */
static bool take_plugin_wakeup(struct cursor *c, struct trace_event *e)
{
	return name_and_id(c, &e->name, ":", &e->thread, " [") && cursor_i32(c, &e->prio) &&
	       cursor_seek(c, "CPU:") && cursor_u32(c, &e->value);
}

static bool take_fork(struct cursor *c, struct trace_event *e)
{
	struct trace_name parent;
	uint32_t id;

	if (cursor_skip(c, "parent_comm=") ?
	    !name_and_id(c, &parent, " parent_pid=", &id, " child_comm=") :
	    !cursor_skip(c, "comm=") || !name_and_id(c, &parent, " pid=", &id, " child_comm="))
		return false;
	return name_and_id(c, &e->name, " child_pid=", &e->thread, NULL);
}

static bool take_newtask(struct cursor *c, struct trace_event *e)
{
	const char *begin;
	uint64_t flags;

	if (!cursor_skip(c, "pid=") || !cursor_u32(c, &e->thread) || !cursor_skip(c, " comm="))
		return false;
	begin = c->at;
	if (!cursor_seek(c, " clone_flags="))
		return false;
	set_name(&e->name, begin, c->at - sizeof(" clone_flags=") + 1 - begin);
	if (!cursor_hex(c, &flags))
		return false;
	e->value = !!(flags & CLONE_THREAD);
	return true;
}

/* The kernel names the thread after the file. */
static bool take_exec(struct cursor *c, struct trace_event *e)
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
	set_name(&e->name, begin, next.end - begin);
	return cursor_u32(c, &e->thread);
}

static bool take_rename(struct cursor *c, struct trace_event *e)
{
	const char *begin;

	if (!cursor_skip(c, "pid=") || !cursor_u32(c, &e->thread) || !cursor_skip(c, " oldcomm="))
		return false;
	begin = c->at;
	if (!cursor_seek(c, " newcomm="))
		return false;
	set_name(&e->other_name, begin, c->at - sizeof(" newcomm=") + 1 - begin);
	begin = c->at;
	if (!cursor_seek(c, " oom_score_adj="))
		return false;
	set_name(&e->name, begin, c->at - sizeof(" oom_score_adj=") + 1 - begin);
	return true;
}

static bool take_exit(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "comm=") &&
	       name_id_and_prio(c, &e->name, " pid=", &e->thread, " prio=", &e->prio);
}

static bool take_migration(struct cursor *c, struct trace_event *e)
{
	return take_exit(c, e) && cursor_seek(c, "orig_cpu=") && cursor_u32(c, &e->from) &&
	       cursor_seek(c, "dest_cpu=") && cursor_u32(c, &e->value);
}

static bool take_irq(struct cursor *c, struct trace_event *e)
{
	if (!cursor_skip(c, "irq=") || !cursor_u32(c, &e->value))
		return false;
	if (e->what == TRACE_IRQ_EXIT)
		return true;
	if (!cursor_skip(c, " name="))
		return false;
	set_name(&e->name, c->at, c->end - c->at);
	return true;
}

static bool take_state(struct cursor *c, struct trace_event *e)
{
	return cursor_skip(c, "state=") && cursor_u32(c, &e->value) && cursor_skip(c, " cpu_id=") &&
	       cursor_u32(c, &e->from);
}

bool ftrace_fields(struct cursor *c, struct trace_event *e)
{
	switch (e->what) {
	case TRACE_SWITCH:
		return cursor_skip(c, "prev_comm=") ? take_switch(c, e) : take_plugin_switch(c, e);
	case TRACE_WAKING:
	case TRACE_WAKEUP:
	case TRACE_WAKEUP_NEW:
		return cursor_skip(c, "comm=") ? take_wakeup(c, e) : take_plugin_wakeup(c, e);
	case TRACE_FORK:
		return take_fork(c, e);
	case TRACE_NEWTASK:
		return take_newtask(c, e);
	case TRACE_EXEC:
		return take_exec(c, e);
	case TRACE_EXIT:
		return take_exit(c, e);
	case TRACE_RENAME:
		return take_rename(c, e);
	case TRACE_MIGRATE:
		return take_migration(c, e);
	case TRACE_IRQ_ENTRY:
	case TRACE_IRQ_EXIT:
		return take_irq(c, e);
	case TRACE_SOFTIRQ_ENTRY:
	case TRACE_SOFTIRQ_EXIT:
		return cursor_skip(c, "vec=") && cursor_u32(c, &e->value);
	case TRACE_IDLE:
	case TRACE_FREQUENCY:
		return take_state(c, e);
	default:
		return true;
	}
}
