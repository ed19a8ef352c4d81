// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read_bundle.c - the events of a bundle of Perfetto. See trace.h.
 *
 * A bundle has what ftrace recorded on one CPU: messages FtraceEvent, and switches and wakeups in
 * the compact form, one list per field. The compact form omits the thread that leaves the CPU and
 * the one that wakes: it is the thread that was switched in last.
 */
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>

#include "formats/import/import.h"
#include "libperfetto/wire.h"
#include "terminal/memory.h"
#include "perfetto.h"
#include "trace.h"

#define UNKNOWN_NAME	"<...>"

/* --- messages FtraceEvent ---------------------------------------------------------------- */

enum form {
	FORM_NUMBER,	/* its low 32 bits */
	FORM_NAME,
	FORM_FILE,	/* the last part of a path */
	FORM_STATE,
	FORM_CLONE,	/* is CLONE_THREAD among the flags? */
	FORM_FUNCTION,	/* the name of a kernel function */
	FORM_CALLER,	/* such a function as the only frame */
	FORM_MARK,	/* the text of a program */
};

/* A field of an event, and its place in struct trace_event. */
struct part {
	uint8_t field;
	uint8_t form;
	uint16_t to;
};

#define PARTS	7U

#define NUMBER(field, member)	{ field, FORM_NUMBER, offsetof(struct trace_event, member) }
#define NAME(field, member)	{ field, FORM_NAME, offsetof(struct trace_event, member) }
#define WAKEUP	{ NAME(1, name), NUMBER(2, thread), NUMBER(3, prio), NUMBER(5, value) }
#define FUNCTION	{ 2, FORM_FUNCTION, offsetof(struct trace_event, name) }
#define STATE	{ NUMBER(1, value), NUMBER(2, from) }

/* Events that become records, by their field in FtraceEvent. */
static const struct kind {
	uint16_t field;
	uint8_t what;
	struct part parts[PARTS];
} kinds[] = {
	{ PERFETTO_SWITCH, TRACE_SWITCH, {
		NAME(1, name), NUMBER(2, thread), NUMBER(3, prio),
		{ 4, FORM_STATE, offsetof(struct trace_event, state) },
		NAME(5, other_name), NUMBER(6, other), NUMBER(7, other_prio),
	} },
	{ PERFETTO_WAKING, TRACE_WAKING, WAKEUP },
	{ PERFETTO_WAKEUP, TRACE_WAKEUP, WAKEUP },
	{ PERFETTO_WAKEUP_NEW, TRACE_WAKEUP_NEW, WAKEUP },
	{ PERFETTO_FORK, TRACE_FORK, { NAME(3, name), NUMBER(4, thread) } },
	{ PERFETTO_NEWTASK, TRACE_NEWTASK, {
		NUMBER(1, thread), NAME(2, name),
		{ 3, FORM_CLONE, offsetof(struct trace_event, value) },
	} },
	{ PERFETTO_EXEC, TRACE_EXEC, {
		{ 1, FORM_FILE, offsetof(struct trace_event, name) }, NUMBER(2, thread),
	} },
	{ PERFETTO_EXIT, TRACE_EXIT, { NAME(1, name), NUMBER(2, thread) } },
	{ PERFETTO_RENAME, TRACE_RENAME, {
		NUMBER(1, thread), NAME(2, other_name), NAME(3, name),
	} },
	{ PERFETTO_MIGRATE, TRACE_MIGRATE, {
		NAME(1, name), NUMBER(2, thread), NUMBER(4, from), NUMBER(5, value),
	} },
	{ PERFETTO_IRQ_ENTRY, TRACE_IRQ_ENTRY, { NUMBER(1, value), NAME(2, name) } },
	{ PERFETTO_IRQ_EXIT, TRACE_IRQ_EXIT, { NUMBER(1, value) } },
	{ PERFETTO_SOFTIRQ_ENTRY, TRACE_SOFTIRQ_ENTRY, { NUMBER(1, value) } },
	{ PERFETTO_SOFTIRQ_EXIT, TRACE_SOFTIRQ_EXIT, { NUMBER(1, value) } },
	{ PERFETTO_IDLE, TRACE_IDLE, STATE },
	{ PERFETTO_FREQUENCY, TRACE_FREQUENCY, STATE },
	{ PERFETTO_LIMITS, TRACE_LIMITS, {
		NUMBER(1, value), NUMBER(2, most), NUMBER(3, from),
	} },
	{ PERFETTO_PRIORITY, TRACE_PRIORITY, {
		NAME(1, name), NUMBER(2, other_prio), NUMBER(3, prio), NUMBER(4, thread),
	} },
	{ PERFETTO_BLOCKED, TRACE_BLOCKED, {
		NUMBER(1, thread), { 2, FORM_CALLER, 0 }, NUMBER(3, value),
	} },
	{ PERFETTO_WORK_BEGIN, TRACE_WORK_BEGIN, { FUNCTION } },
	{ PERFETTO_WORK_END, TRACE_WORK_END, { { 0 } } },
	{ PERFETTO_PRINT, TRACE_MARK, { { 2, FORM_MARK, 0 } } },
};

/* Other events that phones often record. */
static const struct {
	uint16_t field;
	const char *name;
} others[] = {
	{ 14, "clock_enable" },
	{ 15, "clock_disable" }, { 16, "clock_set_rate" }, { 19, "sched_cpu_hotplug" }, { 21, "ipi_entry" }, { 22, "ipi_exit" }, { 23, "ipi_raise" },
	{ 26, "softirq_raise" }, { 50, "binder_transaction" },
	{ 51, "binder_transaction_received" }, { 56, "workqueue_activate_work" },
	{ 59, "workqueue_queue_work" }, { 113, "suspend_resume" }, { 240, "sched_process_free" },
	{ 241, "sched_process_hang" }, { 242, "sched_process_wait" }, { 313, "rss_stat" },
	{ 328, "mm_event_record" }, { 327, "generic" }, { 335, "ion_stat" }, { 343, "cpuhp_exit" },
	{ 344, "cpuhp_multi_enter" }, { 345, "cpuhp_enter" }, { 346, "cpuhp_latency" },
	{ 352, "cpuhp_pause" }, { 359, "rss_stat_throttled" },
	{ 414, "dma_fence_init" }, { 415, "dma_fence_emit" }, { 416, "dma_fence_signaled" },
	{ 417, "dma_fence_wait_start" }, { 418, "dma_fence_wait_end" },
};

static const struct kind *kind_of(uint32_t field)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].field == field)
			return &kinds[i];
	return NULL;
}

static void set_other(uint32_t field, struct trace_event *e)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].field == field)
			break;
	if (i < sizeof(others) / sizeof(*others))
		snprintf(e->name.bytes, sizeof(e->name.bytes), "%s", others[i].name);
	else
		snprintf(e->name.bytes, sizeof(e->name.bytes), "FtraceEvent.%u", field);
}

/* A forked child without a name has its parent's. */
static void set_names(struct trace_event *e)
{
	bool is_empty = e->what == TRACE_FORK || e->what == TRACE_NEWTASK ||
			e->what == TRACE_WORK_BEGIN;

	trace_name_set(&e->name, UNKNOWN_NAME, is_empty ? 0 : strlen(UNKNOWN_NAME));
	trace_name_set(&e->other_name, UNKNOWN_NAME, strlen(UNKNOWN_NAME));
	e->on_name.bytes[0] = '\0';
}

static void set_name(struct trace_name *name, struct wire text, bool is_file)
{
	const uint8_t *slash = is_file ? memrchr(text.at, '/', wire_bytes(&text)) : NULL;

	text.at = slash ? slash + 1 : text.at;
	if (wire_bytes(&text))
		trace_name_set(name, (const char *)text.at, strnlen((const char *)text.at, wire_bytes(&text)));
}

/*
 * A number identifies a kernel function in the table of its sequence of packets; others are
 * addresses. Returns the name, which may be empty.
 */
static struct wire function_of(const struct read_kernel *kernel, uint64_t number)
{
	const struct read_function *f;

	map_find(&kernel->functions, read_function_hash(kernel->sequence, number), f,
		 f->sequence == kernel->sequence && f->number == number);
	return f ? f->name : (struct wire){ 0 };
}

/* A function without a name is called as in the other formats. */
static void set_function(struct trace_name *to, const struct read_kernel *kernel, uint64_t number)
{
	struct wire name = function_of(kernel, number);

	if (wire_bytes(&name))
		set_name(to, name, false);
	else if (number)
		snprintf(to->bytes, sizeof(to->bytes), "0x%" PRIx64, number);
}

static void set_caller(const struct read_kernel *kernel, uint64_t number, struct trace_event *e)
{
	struct wire name = function_of(kernel, number);
	uint64_t *frame;

	if (!wire_bytes(&name) && !fxt_sched_is_kernel(number))
		return;
	frame = must(malloc(sizeof(*frame)));
	*frame = wire_bytes(&name) ? trace_symbol(kernel->symbols, 0, (const char *)name.at,
						  wire_bytes(&name)) : number + 1;
	trace_event_free(e);
	e->frames = frame;
	e->frame_count = !!*frame;
}

/* Anything but a mark is an event of a kind that fxt does not convert. */
static void set_mark(struct wire text, struct trace_event *e)
{
	const char *at = (const char *)text.at;
	size_t length = strnlen(at, wire_bytes(&text));
	struct trace_mark mark;

	if (!trace_mark_parse(at, length, &mark)) {
		e->what = TRACE_NOTHING;
		strcpy(e->name.bytes, "print");
		return;
	}
	if (trace_mark_is_of_thread(&mark))
		e->tgid = mark.process;
	trace_event_free(e);
	e->text = must(strndup(at, length < TRACE_MARK_BYTES ? length : TRACE_MARK_BYTES));
}

static void set_part(const struct part *p, const struct wire_field *f,
		     const struct read_kernel *kernel, struct trace_event *e)
{
	uint32_t value = p->form == FORM_CLONE ? !!(f->value & CLONE_THREAD) : f->value;
	void *to = (char *)e + p->to;

	switch (p->form) {
	case FORM_STATE:
		e->state = trace_state_letter(kernel->states, f->value);
		break;
	case FORM_NAME:
	case FORM_FILE:
		set_name(to, f->bytes, p->form == FORM_FILE);
		break;
	case FORM_FUNCTION:
		set_function(to, kernel, f->value);
		break;
	case FORM_CALLER:
		set_caller(kernel, f->value, e);
		break;
	case FORM_MARK:
		set_mark(f->bytes, e);
		break;
	default:
		memcpy(to, &value, sizeof(value));
	}
}

/* Returns false if it is damaged. */
static bool read_parts(const struct kind *k, struct wire m, const struct read_kernel *kernel,
		       struct trace_event *e)
{
	struct wire_field f;
	unsigned int i;
	bool is_text;

	while (wire_next(&m, &f)) {
		for (i = 0; i < PARTS && k->parts[i].field && k->parts[i].field != f.number; i++)
			;
		if (i == PARTS || !k->parts[i].field)
			continue;
		is_text = k->parts[i].form == FORM_NAME || k->parts[i].form == FORM_FILE ||
			  k->parts[i].form == FORM_MARK;
		if (f.type != (is_text ? WIRE_BYTES : WIRE_VARINT))
			return false;
		set_part(&k->parts[i], &f, kernel, e);
	}
	return !wire_bytes(&m);
}

/* Find the event itself: all other fields of FtraceEvent are numbers. */
static bool find_body(struct wire m, struct wire_field *body)
{
	while (wire_next(&m, body))
		if (body->type == WIRE_BYTES)
			return true;
	return false;
}

static bool read_event(struct wire m, const struct read_kernel *kernel, struct trace_event *e)
{
	struct wire_field f, body;
	const struct kind *k;

	if (!find_body(m, &body)) {
		e->what = TRACE_NOTHING;
		return false;
	}
	k = kind_of(body.number);
	e->what = k ? k->what : TRACE_NOTHING;
	set_names(e);
	while (wire_next(&m, &f)) {
		if (f.number == PERFETTO_EVENT_PID)
			e->on = f.value;
		else if (f.number == PERFETTO_EVENT_FLAGS)
			e->irq = trace_irq_of(f.value);
	}
	if (!k)
		set_other(body.number, e);
	else if (!read_parts(k, body.bytes, kernel, e) || (e->what == TRACE_MARK && !e->text))
		return false;
	/* fxt convert writes such a switch for a CPU that was idle before its first switch. */
	e->hides_thread = e->what == TRACE_SWITCH && !e->thread && !e->other;
	return true;
}

/* --- the compact form -------------------------------------------------------------------- */

/* Fields of CompactSched. */
enum compact_field {
	SWITCH_TIME	= 1,	/* ns since the one before */
	SWITCH_STATE	= 2,
	SWITCH_PID	= 3,
	SWITCH_PRIO	= 4,
	COMPACT_NAMES	= 5,
	SWITCH_NAME	= 6,	/* index in the names */
	WAKING_TIME	= 7,
	WAKING_PID	= 8,
	WAKING_CPU	= 9,
	WAKING_PRIO	= 10,
	WAKING_NAME	= 11,
	WAKING_FLAGS	= 12,
	COMPACT_FIELDS,
};

struct compact {
	struct wire lists[COMPACT_FIELDS];
	uint64_t now[COMPACT_FIELDS];
	size_t first_name;	/* index of the first name in @names of the bundle */
};

/* If the later moment comes first, the difference wraps. */
static void add_item(struct read_bundle *b, struct read_item *item, uint64_t own, uint32_t clock,
		     const struct read_clocks *clocks)
{
	if (own > INT64_MAX) {
		b->damaged++;
		return;
	}
	b->newest = own > b->newest ? own : b->newest;
	if (!read_clocks_ns(clocks, clock, own, &item->ns)) {
		b->unrelated++;
		return;
	}
	array_hold(b->items, b->room, b->count + 1);
	item->number = b->count;
	b->items[b->count++] = *item;
}

/* Read an element of the lists from @first to @last. Returns false if a list has ended. */
static bool next_compact(struct compact *c, unsigned int first, unsigned int last)
{
	unsigned int i;

	for (i = first; i <= last; i++)
		if (i != COMPACT_NAMES && !wire_varint(&c->lists[i], &c->now[i]))
			return false;
	return true;
}

static bool has_rest(const struct compact *c, unsigned int first, unsigned int last)
{
	unsigned int i;

	for (i = first; i <= last; i++)
		if (i != COMPACT_NAMES && wire_bytes(&c->lists[i]))
			return true;
	return false;
}

static void read_switches(struct read_bundle *b, struct compact *c, uint32_t clock,
			  const struct read_clocks *clocks)
{
	struct read_item item = { .what = TRACE_SWITCH };
	uint64_t own = 0;
	bool bad = false;

	while (next_compact(c, SWITCH_TIME, SWITCH_NAME)) {
		bad = c->now[SWITCH_NAME] >= b->name_count - c->first_name;
		if (bad)
			break;
		own += c->now[SWITCH_TIME];
		item.state = c->now[SWITCH_STATE];
		item.pid = c->now[SWITCH_PID];
		item.prio = c->now[SWITCH_PRIO];
		item.name = c->first_name + c->now[SWITCH_NAME];
		add_item(b, &item, own, clock, clocks);
	}
	b->damaged += bad || has_rest(c, SWITCH_TIME, SWITCH_NAME);
}

static void read_wakings(struct read_bundle *b, struct compact *c, uint32_t clock,
			 const struct read_clocks *clocks)
{
	struct read_item item = { .what = TRACE_WAKING };
	uint64_t own = 0;
	bool bad = false;

	while (next_compact(c, WAKING_TIME, WAKING_NAME)) {
		bad = c->now[WAKING_NAME] >= b->name_count - c->first_name;
		if (bad)
			break;
		/* Old versions of Perfetto omit the flags. */
		if (!wire_varint(&c->lists[WAKING_FLAGS], &c->now[WAKING_FLAGS]))
			c->now[WAKING_FLAGS] = 0;
		own += c->now[WAKING_TIME];
		item.pid = c->now[WAKING_PID];
		item.cpu = c->now[WAKING_CPU] < TRACE_CPUS ? c->now[WAKING_CPU] : TRACE_CPUS;
		item.prio = c->now[WAKING_PRIO];
		item.name = c->first_name + c->now[WAKING_NAME];
		item.flags = c->now[WAKING_FLAGS];
		add_item(b, &item, own, clock, clocks);
	}
	b->damaged += bad || has_rest(c, WAKING_TIME, WAKING_NAME);
}

static void read_compact(struct read_bundle *b, struct wire m, uint32_t clock,
			 const struct read_clocks *clocks)
{
	struct compact c = { .first_name = b->name_count };
	struct wire_field f;

	while (wire_next(&m, &f)) {
		if (f.type != WIRE_BYTES || f.number >= COMPACT_FIELDS)
			continue;
		if (f.number != COMPACT_NAMES) {
			c.lists[f.number] = f.bytes;
			continue;
		}
		array_hold(b->names, b->name_room, b->name_count + 1);
		b->names[b->name_count++] = f.bytes;
	}
	b->damaged += wire_bytes(&m) > 0;
	read_switches(b, &c, clock, clocks);
	read_wakings(b, &c, clock, clocks);
}

static void take_compact(struct read_bundle *b, const struct read_item *item,
			 const struct read_kernel *kernel, const struct read_cpu *cpu,
			 struct trace_event *e)
{
	e->what = item->what;
	e->on = cpu->runs;
	set_names(e);
	if (item->what == TRACE_WAKING) {
		e->irq = trace_irq_of(item->flags);
		e->thread = item->pid;
		e->prio = item->prio;
		e->value = item->cpu;
		set_name(&e->name, b->names[item->name], false);
		return;
	}
	e->hides_thread = !cpu->is_known;
	e->thread = cpu->runs;
	e->prio = cpu->prio;
	e->state = trace_state_letter(kernel->states, item->state);
	e->other = item->pid;
	e->other_prio = item->prio;
	set_name(&e->other_name, b->names[item->name], false);
}

/* --- the bundle -------------------------------------------------------------------------- */

static void open_event(struct read_bundle *b, struct wire m, uint32_t clock,
		       const struct read_clocks *clocks)
{
	struct read_item item = { .event = m.at, .bytes = wire_bytes(&m), .what = TRACE_NOTHING };
	struct wire_field f;
	bool has_time = false;
	uint64_t own = 0;

	while (wire_next(&m, &f)) {
		if (f.number == PERFETTO_EVENT_TIME && f.type == WIRE_VARINT) {
			own = f.value;
			has_time = true;
		}
		b->has_wakeups |= f.number == PERFETTO_WAKEUP;
	}
	if (wire_bytes(&m) || !has_time)
		b->damaged++;
	else
		add_item(b, &item, own, clock, clocks);
}

static int compare(const void *x, const void *y)
{
	const struct read_item *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool is_sorted(const struct read_bundle *b)
{
	size_t i;

	for (i = 1; i < b->count; i++)
		if (b->items[i].ns < b->items[i - 1].ns)
			return false;
	return true;
}

void read_bundle_open(struct read_bundle *b, struct wire m, uint32_t clock,
		      const struct read_clocks *clocks)
{
	struct wire_field f;

	while (wire_next(&m, &f)) {
		if (f.number == BUNDLE_EVENT && f.type == WIRE_BYTES)
			open_event(b, f.bytes, clock, clocks);
		else if (f.number == BUNDLE_COMPACT && f.type == WIRE_BYTES)
			read_compact(b, f.bytes, clock, clocks);
		else if (f.number == BUNDLE_CPU)
			b->cpu = f.value < UINT32_MAX ? f.value : UINT32_MAX;
	}
	b->damaged += wire_bytes(&m) > 0;
	if (!is_sorted(b))
		qsort(b->items, b->count, sizeof(*b->items), compare);
}

bool read_bundle_take(struct read_bundle *b, const struct read_kernel *kernel,
		      struct read_cpu *cpu, struct trace_event *e)
{
	const struct read_item *item = &b->items[b->next++];
	bool is_valid = true;

	memset(e, 0, offsetof(struct trace_event, name));
	if (item->what == TRACE_NOTHING)
		is_valid = read_event((struct wire){ item->event, item->event + item->bytes }, kernel,
				      e);
	else
		take_compact(b, item, kernel, cpu, e);
	e->ns = item->ns;
	e->cpu = b->cpu;
	if (is_valid && e->what == TRACE_SWITCH)
		*cpu = (struct read_cpu){ e->other, e->other_prio, true };
	return is_valid;
}

void read_bundle_free(struct read_bundle *b)
{
	free(b->items);
	free(b->names);
}
