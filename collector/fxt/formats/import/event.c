// SPDX-License-Identifier: GPL-2.0-or-later
/* event.c - the states of threads in sched_switch, and the names of events. See event.h. */
#include <stdbool.h>
#include <stddef.h>

#include <fxt/fxt_unknown.h>

#include "libperfetto/perfetto.h"
#include "event.h"

#define NO_LOAD		'N'	/* never alone: D|N is today's I */

const struct trace_states trace_states_any = {
	.all = {
		{ 0x1, 'S' }, { 0x2, 'D' }, { 0x4, 'T' }, { 0x8, 't' }, { 0x10, 'X' },
		{ 0x20, 'Z' }, { 0x40, '?' }, { 0x80, 'I' }, { 0x200, 'P' }, { 0x400, NO_LOAD },
	},
	.count = 10,
	.preempted = 0x100 | 0x400 | 0x800 | 0x1000,
};

char trace_state_letter(const struct trace_states *s, uint64_t number)
{
	uint64_t known = s->preempted;
	bool has_no_load = false;
	char first = 0;
	unsigned int i;

	for (i = 0; i < s->count; i++) {
		known |= s->all[i].bits;
		if (!(number & s->all[i].bits))
			continue;
		if (s->all[i].letter == NO_LOAD)
			has_no_load = true;
		else if (!first)
			first = s->all[i].letter;
	}
	if (first)
		return first == 'D' && has_no_load ? 'I' : first;
	return number & ~known ? '?' : 'R';
}

struct fxt_sched_state trace_state_of(char letter)
{
	static const struct {
		char letter;
		struct fxt_sched_state state;
	} known[] = {
		{ 'S', { FXT_THREAD_BLOCKED, 0 } },
		{ 'R', { FXT_THREAD_NEW, 0 } },
		{ 'D', { FXT_THREAD_BLOCKED, FXT_STR_STATE_D } },
		{ 'I', { FXT_THREAD_BLOCKED, FXT_STR_STATE_I } },
		{ 'T', { FXT_THREAD_SUSPENDED, 0 } },
		{ 't', { FXT_THREAD_SUSPENDED, FXT_STR_STATE_T } },
		{ 'P', { FXT_THREAD_SUSPENDED, FXT_STR_STATE_P } },
		{ 'Z', { FXT_THREAD_DYING, 0 } },
		{ 'X', { FXT_THREAD_DEAD, 0 } },
		{ 'x', { FXT_THREAD_DEAD, 0 } },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].letter == letter)
			return known[i].state;
	return (struct fxt_sched_state){ FXT_SCHED_STATE_UNKNOWN, 0 };
}

#define FIELD(name, number, form, member) \
	{ name, number, TRACE_FORM_##form, offsetof(struct trace_event, member) }
#define NUMBER(name, number, member)	FIELD(name, number, NUMBER, member)
#define NAME(name, number, member)	FIELD(name, number, NAME, member)

#define WAKEUP {								\
	NAME("comm", 1, name), NUMBER("pid", 2, thread), NUMBER("prio", 3, prio),	\
	NUMBER("target_cpu", 5, value),						\
}
#define VECTOR	{ FIELD("vector", 0, VECTOR, value) }
#define STATE	{ NUMBER("state", 1, value), NUMBER("cpu_id", 2, from) }

const struct trace_kind trace_kinds[TRACE_KINDS] = {
	[TRACE_SWITCH] = { "sched_switch", PERFETTO_SWITCH, {
		NAME("prev_comm", 1, name), NUMBER("prev_pid", 2, thread),
		NUMBER("prev_prio", 3, prio), FIELD("prev_state", 4, STATE, state),
		NAME("next_comm", 5, other_name), NUMBER("next_pid", 6, other),
		NUMBER("next_prio", 7, other_prio),
	} },
	[TRACE_WAKING] = { "sched_waking", PERFETTO_WAKING, WAKEUP },
	[TRACE_WAKEUP] = { "sched_wakeup", PERFETTO_WAKEUP, WAKEUP },
	[TRACE_WAKEUP_NEW] = { "sched_wakeup_new", PERFETTO_WAKEUP_NEW, WAKEUP },
	[TRACE_FORK] = { "sched_process_fork", PERFETTO_FORK, {
		NAME("child_comm", 3, name), NUMBER("child_pid", 4, thread),
	} },
	[TRACE_NEWTASK] = { "task_newtask", PERFETTO_NEWTASK, {
		NAME("comm", 2, name), NUMBER("pid", 1, thread),
		FIELD("clone_flags", 3, CLONE, value),
	} },
	[TRACE_EXEC] = { "sched_process_exec", PERFETTO_EXEC, {
		FIELD("filename", 1, FILE, name), NUMBER("pid", 2, thread),
	} },
	[TRACE_EXIT] = { "sched_process_exit", PERFETTO_EXIT, {
		NAME("comm", 1, name), NUMBER("pid", 2, thread),
	} },
	[TRACE_RENAME] = { "task_rename", PERFETTO_RENAME, {
		NUMBER("pid", 1, thread), NAME("oldcomm", 2, other_name), NAME("newcomm", 3, name),
	} },
	[TRACE_MIGRATE] = { "sched_migrate_task", PERFETTO_MIGRATE, {
		NAME("comm", 1, name), NUMBER("pid", 2, thread), NUMBER("orig_cpu", 4, from),
		NUMBER("dest_cpu", 5, value),
	} },
	[TRACE_PRIORITY] = { "sched_pi_setprio", PERFETTO_PRIORITY, {
		NAME("comm", 1, name), NUMBER("pid", 4, thread), NUMBER("oldprio", 3, prio),
		NUMBER("newprio", 2, other_prio),
	} },
	[TRACE_BLOCKED] = { "sched_blocked_reason", PERFETTO_BLOCKED, {
		NUMBER("pid", 1, thread), NUMBER("io_wait", 3, value),
		FIELD("caller", 2, CALLER, frames),
	} },
	[TRACE_IRQ_ENTRY] = { "irq_handler_entry", PERFETTO_IRQ_ENTRY, {
		NUMBER("irq", 1, value), NAME("name", 2, name),
	} },
	[TRACE_IRQ_EXIT] = { "irq_handler_exit", PERFETTO_IRQ_EXIT, { NUMBER("irq", 1, value) } },
	[TRACE_SOFTIRQ_ENTRY] = { "softirq_entry", PERFETTO_SOFTIRQ_ENTRY, { NUMBER("vec", 1, value) } },
	[TRACE_SOFTIRQ_EXIT] = { "softirq_exit", PERFETTO_SOFTIRQ_EXIT, { NUMBER("vec", 1, value) } },
	[TRACE_VECTOR_ENTRY] = { NULL, 0, VECTOR },
	[TRACE_VECTOR_EXIT] = { NULL, 0, VECTOR },
	[TRACE_IPI] = { "ipi_send_cpu", 0, {
		NUMBER("cpu", 0, value), FIELD("callback", 0, FUNCTION, name),
	} },
	[TRACE_IPI_MASK] = { "ipi_send_cpumask", 0, {
		FIELD("cpumask", 0, MASK, mask), FIELD("callback", 0, FUNCTION, name),
	} },
	[TRACE_IDLE] = { "cpu_idle", PERFETTO_IDLE, STATE },
	[TRACE_IDLE_MISS] = { "cpu_idle_miss", 0, {
		NUMBER("cpu_id", 0, from), NUMBER("state", 0, most), NUMBER("below", 0, value),
	} },
	[TRACE_FREQUENCY] = { "cpu_frequency", PERFETTO_FREQUENCY, STATE },
	[TRACE_LIMITS] = { "cpu_frequency_limits", PERFETTO_LIMITS, {
		NUMBER("min_freq", 1, value), NUMBER("max_freq", 2, most), NUMBER("cpu_id", 3, from),
	} },
	[TRACE_WORK_BEGIN] = { "workqueue_execute_start", PERFETTO_WORK_BEGIN, {
		FIELD("function", 2, FUNCTION, name),
	} },
	[TRACE_WORK_END] = { "workqueue_execute_end", PERFETTO_WORK_END, { { NULL } } },
	[TRACE_MARK] = { "print", PERFETTO_PRINT, { FIELD("buf", 2, TEXT, text) } },
	[TRACE_STACK] = { "kernel_stack", 0, { FIELD("caller", 0, FRAMES, frames) } },
};

enum trace_what trace_known(const char *name, size_t length)
{
	unsigned int i;

	for (i = 1; i < TRACE_KINDS; i++)
		if (trace_kinds[i].name && strlen(trace_kinds[i].name) == length &&
		    !memcmp(trace_kinds[i].name, name, length))
			return i;
	return TRACE_NOTHING;
}
