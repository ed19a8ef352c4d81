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
#include "trace.h"

#define UNKNOWN_NAME	"<...>"

/* --- messages FtraceEvent ---------------------------------------------------------------- */

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

static enum trace_what what_of(uint32_t field)
{
	unsigned int i = 1;

	while (i < TRACE_KINDS && trace_kinds[i].number != field)
		i++;
	return i < TRACE_KINDS ? i : TRACE_NOTHING;
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

static void set_field(const struct trace_field *p, const struct wire_field *f,
		     const struct read_kernel *kernel, struct trace_event *e)
{
	uint32_t value = p->form == TRACE_FORM_CLONE ? !!(f->value & CLONE_THREAD) : f->value;
	void *to = (char *)e + p->to;

	switch (p->form) {
	case TRACE_FORM_STATE:
		e->state = trace_state_letter(kernel->states, f->value);
		break;
	case TRACE_FORM_NAME:
	case TRACE_FORM_FILE:
		set_name(to, f->bytes, p->form == TRACE_FORM_FILE);
		break;
	case TRACE_FORM_FUNCTION:
		set_function(to, kernel, f->value);
		break;
	case TRACE_FORM_CALLER:
		set_caller(kernel, f->value, e);
		break;
	case TRACE_FORM_TEXT:
		trace_event_mark(e, (const char *)f->bytes.at,
				 strnlen((const char *)f->bytes.at, wire_bytes(&f->bytes)));
		break;
	default:
		memcpy(to, &value, sizeof(value));
	}
}

/* Returns false if it is damaged. */
static bool read_fields(const struct trace_field *fields, struct wire m,
			const struct read_kernel *kernel, struct trace_event *e)
{
	struct wire_field f;
	unsigned int i;
	bool is_text;

	while (wire_next(&m, &f)) {
		for (i = 0; i < TRACE_FIELDS && fields[i].name && fields[i].number != f.number; i++)
			;
		if (i == TRACE_FIELDS || !fields[i].name)
			continue;
		is_text = fields[i].form == TRACE_FORM_NAME || fields[i].form == TRACE_FORM_FILE ||
			  fields[i].form == TRACE_FORM_TEXT;
		if (f.type != (is_text ? WIRE_BYTES : WIRE_VARINT))
			return false;
		set_field(&fields[i], &f, kernel, e);
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
	uint64_t numbers[PERFETTO_EVENT_FLAGS + 1] = { 0 };
	struct wire_field body;

	if (!find_body(m, &body)) {
		e->what = TRACE_NOTHING;
		return false;
	}
	e->what = what_of(body.number);
	set_names(e);
	wire_numbers(m, numbers, PERFETTO_EVENT_FLAGS + 1);
	e->on = numbers[PERFETTO_EVENT_PID];
	e->irq = trace_irq_of(numbers[PERFETTO_EVENT_FLAGS]);
	if (e->what == TRACE_NOTHING)
		set_other(body.number, e);
	else if (!read_fields(trace_kinds[e->what].fields, body.bytes, kernel, e) ||
		 (e->what == TRACE_MARK && !e->text))
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

	return array_order(a->ns, b->ns) ?: array_order(a->number, b->number);
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
