// SPDX-License-Identifier: GPL-2.0-or-later
/* fields.c - see fields.h. */
#include <stddef.h>

#include "fields.h"

#define NUMBER(name, member)	{ name, TRACE_FORM_NUMBER, offsetof(struct trace_event, member) }
#define NAME(name, member)	{ name, TRACE_FORM_NAME, offsetof(struct trace_event, member) }

#define FUNCTION(name_)	{ name_, TRACE_FORM_FUNCTION, offsetof(struct trace_event, name) }
#define VECTOR	{ "vector", TRACE_FORM_VECTOR, offsetof(struct trace_event, value) }

#define WAKEUP {							\
	NAME("comm", name), NUMBER("pid", thread), NUMBER("prio", prio),	\
	NUMBER("target_cpu", value),					\
}

const struct trace_field trace_fields[TRACE_KINDS][TRACE_FIELDS] = {
	[TRACE_SWITCH] = {
		NAME("prev_comm", name), NUMBER("prev_pid", thread), NUMBER("prev_prio", prio),
		{ "prev_state", TRACE_FORM_STATE, offsetof(struct trace_event, state) },
		NAME("next_comm", other_name), NUMBER("next_pid", other),
		NUMBER("next_prio", other_prio),
	},
	[TRACE_WAKING] = WAKEUP,
	[TRACE_WAKEUP] = WAKEUP,
	[TRACE_WAKEUP_NEW] = WAKEUP,
	[TRACE_FORK] = { NAME("child_comm", name), NUMBER("child_pid", thread) },
	[TRACE_NEWTASK] = {
		NAME("comm", name), NUMBER("pid", thread),
		{ "clone_flags", TRACE_FORM_CLONE, offsetof(struct trace_event, value) },
	},
	[TRACE_EXEC] = {
		{ "filename", TRACE_FORM_FILE, offsetof(struct trace_event, name) },
		NUMBER("pid", thread),
	},
	[TRACE_EXIT] = { NAME("comm", name), NUMBER("pid", thread) },
	[TRACE_RENAME] = {
		NUMBER("pid", thread), NAME("oldcomm", other_name), NAME("newcomm", name),
	},
	[TRACE_MIGRATE] = {
		NAME("comm", name), NUMBER("pid", thread), NUMBER("orig_cpu", from),
		NUMBER("dest_cpu", value),
	},
	[TRACE_PRIORITY] = {
		NAME("comm", name), NUMBER("pid", thread), NUMBER("oldprio", prio),
		NUMBER("newprio", other_prio),
	},
	[TRACE_BLOCKED] = {
		NUMBER("pid", thread), NUMBER("io_wait", value), { "caller", TRACE_FORM_CALLER, 0 },
	},
	[TRACE_IRQ_ENTRY] = { NUMBER("irq", value), NAME("name", name) },
	[TRACE_IRQ_EXIT] = { NUMBER("irq", value) },
	[TRACE_SOFTIRQ_ENTRY] = { NUMBER("vec", value) },
	[TRACE_SOFTIRQ_EXIT] = { NUMBER("vec", value) },
	[TRACE_IDLE] = { NUMBER("state", value), NUMBER("cpu_id", from) },
	[TRACE_VECTOR_ENTRY] = { VECTOR },
	[TRACE_VECTOR_EXIT] = { VECTOR },
	[TRACE_IPI] = { NUMBER("cpu", value), FUNCTION("callback") },
	[TRACE_IPI_MASK] = { { "cpumask", TRACE_FORM_MASK, 0 }, FUNCTION("callback") },
	[TRACE_IDLE_MISS] = {
		NUMBER("cpu_id", from), NUMBER("state", most), NUMBER("below", value),
	},
	[TRACE_FREQUENCY] = { NUMBER("state", value), NUMBER("cpu_id", from) },
	[TRACE_LIMITS] = {
		NUMBER("min_freq", value), NUMBER("max_freq", most), NUMBER("cpu_id", from),
	},
	[TRACE_WORK_BEGIN] = { FUNCTION("function") },
	[TRACE_MARK] = { { "buf", TRACE_FORM_TEXT, 0 } },
	[TRACE_STACK] = { { "caller", TRACE_FORM_FRAMES, 0 } },
};
