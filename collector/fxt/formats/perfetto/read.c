// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - reads scheduling from a trace of Perfetto.
 *
 * In: a file of packets: bundles of ftrace's events, process trees, clocks, the kernel's version.
 * Out: an archive.
 *
 * The bundles of one CPU are in order, those of different CPUs are not. So all bundles are found
 * first and then merged by time; only overlapping ones are in memory.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "formats/import/import.h"
#include "libfxt/fxt_writer.h"
#include "libperfetto/perfetto.h"
#include "libperfetto/wire.h"
#include "terminal/exit_status.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "walk/import.h"
#include "walk/order.h"
#include "formats/formats.h"
#include "trace.h"

/* Fields of Trace and TracePacket. */
enum packet_field {
	TRACE_PACKET		= 1,
	PACKET_FTRACE		= 1,
	PACKET_TREE		= 2,
	PACKET_CLOCKS		= 6,
	PACKET_TIME		= 8,
	PACKET_STATS		= 9,
	PACKET_SEQUENCE		= 10,
	PACKET_INTERNED		= 12,
	PACKET_FTRACE_STATS	= 34,
	PACKET_DROPPED		= 42,
	PACKET_SYSTEM		= 45,
	PACKET_CLOCK		= 58,
	PACKET_MACHINE		= 98,
};

/* Packets of other data, which are counted. Unlisted ones mostly describe the recording. */
static const struct {
	uint16_t field;
	const char *name;
} others[] = {
	{ 4, "inode_file_map" }, { 5, "chrome_events" }, { 7, "sys_stats" }, { 11, "track_event" },
	{ 37, "profile_packet" }, { 38, "battery" }, { 39, "android_log" }, { 40, "power_rails" },
	{ 46, "trigger" }, { 52, "gpu_counter_event" }, { 53, "gpu_render_stage_event" },
	{ 54, "streaming_profile_packet" }, { 57, "graphics_frame_event" },
	{ 62, "vulkan_memory_event" }, { 63, "gpu_log" }, { 65, "vulkan_api_event" },
	{ 66, "perf_sample" }, { 68, "smaps_packet" }, { 71, "gpu_mem_total_event" },
	{ 73, "memory_tracker_snapshot" }, { 74, "streaming_allocation" }, { 75, "streaming_free" },
	{ 76, "frame_timeline_event" },
	{ 77, "android_energy_estimation_breakdown" }, { 56, "heap_graph" }, { 84, "statsd_atom" },
	{ 86, "android_system_property" }, { 88, "network_packet" }, { 91, "entity_state_residency" },
	{ 92, "network_packet_bundle" }, { 93, "surfaceflinger_layers_snapshot" },
	{ 94, "surfaceflinger_transactions" }, { 95, "etw_events" }, { 96, "shell_transition" },
	{ 99, "v8_js_code" }, { 100, "v8_internal_code" }, { 101, "v8_wasm_code" },
	{ 102, "v8_reg_exp_code" }, { 103, "v8_code_move" }, { 104, "protolog_message" },
	{ 110, "pixel_modem_events" }, { 112, "winscope_extensions" },
	{ 114, "bluetooth_trace_event" }, { 115, "kernel_wakelock_data" },
	{ 116, "app_wakelock_bundle" }, { 119, "cpu_per_uid_data" }, { 121, "evdev_event" },
	{ 117, "generic_kernel_task_state_event" }, { 118, "generic_kernel_cpu_freq_event" },
	{ 120, "generic_kernel_task_rename_event" }, { 122, "generic_kernel_process_tree" },
	{ 129, "generic_gpu_frequency_event" }, { 132, "journald_event" }, { 135, "stack_sample" },
};

struct part {
	uint64_t ns;		/* of its first event; by its own clock until that is known */
	struct wire message;
	uint64_t previous;	/* end of the bundle before, by its own clock; or 0 */
	uint32_t number;	/* in the file */
	uint32_t sequence;
	uint32_t gaps;		/* in packets with bundles so far */
	uint32_t clock;
	uint8_t field;		/* PACKET_FTRACE, PACKET_TREE or PACKET_STATS */
	bool lost;		/* events of the CPU were lost before it */
};

struct seen {
	uint64_t end;		/* of the newest one, by its own clock */
	uint32_t sequence;
	uint32_t gaps;
	bool has_bundle;
	bool lost;		/* events before a bundle without events */
};

struct import {
	const char *path;
	int fd;			/* for the archive */
	bool strict;
	bool is_unpacked;	/* @all is not the file itself */
	struct read_unpacked unpacked;
	struct wire all;
	const char *wrong;	/* after -EBADMSG */
	size_t wrong_at;
	uint64_t damaged;	/* packets and events */
	size_t first_damaged;
	uint64_t unrelated;	/* events whose clock is not related to the others */
	uint64_t foreign;	/* packets of other machines */
	uint64_t early_losses;	/* CPUs that lost events before the first one */
	int64_t overruns;	/* events that ftrace counted as lost */
	uint64_t bundles;
	uint32_t sequence;	/* of the bundles */
	uint32_t gaps;
	uint32_t clock;		/* of the first bundle */
	struct wire system;	/* packet with the kernel's version; empty without one */
	struct read_kernel kernel;
	struct read_clocks clocks;
	struct part *parts;
	size_t part_count;
	size_t part_room;
	struct seen seen[TRACE_CPUS];
	struct read_cpu cpus[TRACE_CPUS];
	struct order open;
	struct trace_event event;
	struct trace trace;
};

struct open_bundle {
	struct order_key key;
	struct read_bundle *bundle;
	const struct part *part;
};

static int wrong(struct import *m, const uint8_t *at, const char *what)
{
	m->wrong = what;
	m->wrong_at = at - m->all.at;
	return -EBADMSG;
}

static int damaged(struct import *m, const uint8_t *at, uint64_t count)
{
	if (!count)
		return 0;
	if (!m->damaged)
		m->first_damaged = at - m->all.at;
	m->damaged += count;
	return m->strict ? wrong(m, at, "the packet is damaged") : 0;
}

/* --- first walk: what packets there are -------------------------------------------------- */

/* The fields of a packet. @message is its data. */
struct packet {
	struct wire all;
	struct wire message;
	struct wire interned;
	uint64_t time;
	uint32_t field;
	uint32_t clock;
	uint32_t sequence;
	uint32_t machine;
	bool dropped;		/* earlier packets of the sequence were lost */
};

static const char *other_name(uint32_t field)
{
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].field == field)
			return others[i].name;
	return NULL;
}

static bool is_read(uint32_t field)
{
	return field == PACKET_FTRACE || field == PACKET_TREE || field == PACKET_CLOCKS ||
	       field == PACKET_STATS || field == PACKET_FTRACE_STATS || field == PACKET_SYSTEM;
}

/* Returns false if it is damaged. */
static bool parse_packet(struct wire m, struct packet *p)
{
	struct wire_field f;

	*p = (struct packet){ .all = m, .clock = PERFETTO_CLOCK_BOOT };
	while (wire_next(&m, &f)) {
		if (f.type == WIRE_BYTES && (is_read(f.number) || other_name(f.number))) {
			p->field = f.number;
			p->message = f.bytes;
		}
		if (f.number == PACKET_INTERNED && f.type == WIRE_BYTES)
			p->interned = f.bytes;
		else if (f.number == PACKET_TIME)
			p->time = f.value;
		else if (f.number == PACKET_CLOCK)
			p->clock = f.value;
		else if (f.number == PACKET_SEQUENCE)
			p->sequence = f.value;
		else if (f.number == PACKET_MACHINE)
			p->machine = f.value;
		else if (f.number == PACKET_DROPPED)
			p->dropped = f.value;
	}
	return !wire_bytes(&m);
}

static struct part *add_part(struct import *m, const struct packet *p)
{
	struct part *part;

	array_hold(m->parts, m->part_room, m->part_count + 1);
	part = &m->parts[m->part_count];
	*part = (struct part){
		.ns = p->time, .message = p->message, .number = m->part_count,
		.sequence = p->sequence, .gaps = m->gaps, .clock = p->clock, .field = p->field,
	};
	m->part_count++;
	return part;
}

/* ftrace's clocks: 0 is CLOCK_BOOTTIME, 4 CLOCK_MONOTONIC_RAW, which is 5 in Perfetto. */
static uint32_t clock_of(uint64_t ftrace_clock)
{
	return !ftrace_clock ? PERFETTO_CLOCK_BOOT :
	       ftrace_clock == 4 ? 5 :
	       READ_CLOCK_FTRACE + (ftrace_clock < READ_CLOCKS - READ_CLOCK_FTRACE ? ftrace_clock : 1);
}

static void find_bundle(struct import *m, const struct packet *p)
{
	struct part *part = add_part(m, p);
	uint64_t n[BUNDLE_PREVIOUS_END + 1] = { 0 };

	wire_numbers(p->message, n, BUNDLE_PREVIOUS_END + 1);
	part->lost = n[BUNDLE_LOST];
	part->clock = clock_of(n[BUNDLE_CLOCK]);
	part->previous = n[BUNDLE_PREVIOUS_END];
	if (n[BUNDLE_FTRACE_TIME] && n[BUNDLE_BOOT_TIME])
		read_clocks_add(&m->clocks, part->clock, n[BUNDLE_FTRACE_TIME], n[BUNDLE_BOOT_TIME]);
	if (!m->bundles++)
		m->clock = part->clock;
	m->sequence = p->sequence;
}

/* Fields of FtraceStats and FtraceCpuStats. */
#define STATS_PHASE	1
#define STATS_CPUS	2
#define CPU_OVERRUN	3
#define CPU_DROPPED	8

/* Returns the number of damaged messages. */
static unsigned int count_overruns(struct import *m, struct wire stats)
{
	unsigned int bad = 0;
	struct wire_field f, g;
	bool at_end = false;
	int64_t lost = 0;

	while (wire_next(&stats, &f)) {
		if (f.number == STATS_PHASE)
			at_end = f.value == 2;
		while (f.number == STATS_CPUS && f.type == WIRE_BYTES && wire_next(&f.bytes, &g))
			if (g.number == CPU_OVERRUN || g.number == CPU_DROPPED)
				lost += g.value & INT32_MAX;
		bad += f.number == STATS_CPUS && wire_bytes(&f.bytes);
	}
	m->overruns += at_end ? lost : -lost;
	return bad + (wire_bytes(&stats) > 0);
}

/* Fields of InternedData and InternedString. */
#define INTERNED_FUNCTIONS	26
#define STRING_NUMBER		1
#define STRING_BYTES		2

/* Take the names of kernel functions, numbered from 1. Returns the number of damaged messages. */
static unsigned int find_functions(struct import *m, uint32_t sequence, struct wire interned)
{
	struct read_function *function;
	unsigned int bad = 0;
	struct wire_field f, g;
	struct wire name;
	uint64_t number;

	while (wire_next(&interned, &f)) {
		if (f.number != INTERNED_FUNCTIONS || f.type != WIRE_BYTES)
			continue;
		number = 0;
		name = (struct wire){ 0 };
		while (wire_next(&f.bytes, &g)) {
			if (g.number == STRING_NUMBER)
				number = g.value;
			else if (g.number == STRING_BYTES)
				name = g.bytes;
		}
		bad += wire_bytes(&f.bytes) > 0;
		if (!number)
			continue;
		map_get(&m->kernel.functions, read_function_hash(sequence, number), function,
			function->sequence == sequence && function->number == number);
		function->sequence = sequence;
		function->number = number;
		function->name = name;
	}
	return bad + (wire_bytes(&interned) > 0);
}

static int find_packet(struct import *m, const struct packet *p)
{
	struct trace_event other = { .what = TRACE_NOTHING };
	unsigned int bad = find_functions(m, p->sequence, p->interned);

	if (p->dropped && m->bundles && p->sequence == m->sequence)
		m->gaps++;
	switch (p->field) {
	case PACKET_FTRACE:
		find_bundle(m, p);
		break;
	case PACKET_TREE:
	case PACKET_STATS:
		add_part(m, p);
		break;
	case PACKET_CLOCKS:
		bad += !read_clocks_snapshot(&m->clocks, p->message);
		break;
	case PACKET_FTRACE_STATS:
		bad += count_overruns(m, p->message);
		break;
	case PACKET_SYSTEM:
		m->system = p->all;
		break;
	case 0:
		break;
	default:
		snprintf(other.name.bytes, sizeof(other.name.bytes), "%s", other_name(p->field));
		trace_add(&m->trace, &other);
	}
	return damaged(m, p->all.at, bad);
}

static int find_packets(struct import *m)
{
	struct wire rest = m->all;
	struct wire_field f;
	struct packet p;
	int ret = 0;

	while (!ret && wire_next(&rest, &f)) {
		if (f.number != TRACE_PACKET || f.type != WIRE_BYTES || !parse_packet(f.bytes, &p))
			ret = damaged(m, f.type == WIRE_BYTES ? f.bytes.at : rest.at, 1);
		else if (p.machine)
			m->foreign++;
		else
			ret = find_packet(m, &p);
	}
	if (!ret && wire_bytes(&rest))
		ret = wrong(m, rest.at, "the packet is truncated or damaged");
	return ret;
}

/* --- second walk: when they begin -------------------------------------------------------- */

static bool has_loss(const struct part *part, const struct seen *s)
{
	return part->lost || s->lost ||
	       (part->previous ? part->sequence == s->sequence && part->previous > s->end :
				 part->gaps != s->gaps);
}

static void note_loss(struct import *m, struct part *part, const struct read_bundle *b)
{
	struct seen *s = &m->seen[b->cpu];
	bool lost = has_loss(part, s);

	if (b->count) {
		m->early_losses += lost && !s->has_bundle;
		part->lost = lost && s->has_bundle;
		s->has_bundle = true;
		s->lost = false;
	} else {
		s->lost = lost;
	}
	s->end = b->newest ? b->newest : s->end;
	s->sequence = part->sequence;
	s->gaps = part->gaps;
}

static int begin_bundle(struct import *m, struct part *part)
{
	struct read_bundle b = { .count = 0 };
	uint64_t bad;

	read_bundle_open(&b, part->message, part->clock, &m->clocks);
	bad = b.damaged;
	m->unrelated += b.unrelated;
	m->trace.wakeups.has_events |= b.has_wakeups;
	part->ns = b.count ? b.items[0].ns : UINT64_MAX;
	if (b.cpu < TRACE_CPUS) {
		note_loss(m, part, &b);
	} else {
		bad += b.count;
		part->ns = UINT64_MAX;
	}
	read_bundle_free(&b);
	return damaged(m, part->message.at, bad);
}

static int compare(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return array_order(x->ns, y->ns) ?: array_order(x->number, y->number);
}

/* Process trees with an unknown clock get the time of the bundle before. */
static int begin_parts(struct import *m)
{
	uint64_t last = 0;
	size_t i;
	int ret = 0;

	for (i = 0; i < m->part_count && !ret; i++) {
		struct part *part = &m->parts[i];

		if (part->field == PACKET_FTRACE)
			ret = begin_bundle(m, part);
		else if (!read_clocks_ns(&m->clocks, part->clock, part->ns, &part->ns))
			part->ns = last;
		last = part->ns < UINT64_MAX ? part->ns : last;
	}
	if (m->part_count)
		qsort(m->parts, m->part_count, sizeof(*m->parts), compare);
	return ret;
}

/* --- third walk: process trees ----------------------------------------------------------- */

/* Fields of ProcessTree, ProcessStats and their parts. */
enum tree_field {
	TREE_PROCESS		= 1,
	TREE_THREAD		= 2,
	PROCESS_PID		= 1,
	PROCESS_PARENT		= 2,
	PROCESS_COMMAND		= 3,
	THREAD_TID		= 1,
	THREAD_NAME		= 2,
	THREAD_PROCESS		= 3,
	STATS_PROCESS		= 1,
	STATS_PID		= 1,
	STATS_THREAD		= 11,
};

/* @is_later: the thread itself comes later; only note its process */
static void add_thread(struct import *m, uint64_t ns, uint32_t tid, uint32_t tgid, bool is_later)
{
	struct trace_event *e = &m->event;

	if (is_later) {
		if (tid < TRACE_PIDS && tgid < TRACE_PIDS)
			trace_thread_later(&m->trace, tid, tgid);
		return;
	}
	e->ns = ns;
	e->what = TRACE_FOUND;
	e->thread = e->on = tid;
	e->tgid = tgid;
	trace_add(&m->trace, e);
}

static void clear_event(struct import *m)
{
	memset(&m->event, 0, sizeof(m->event));
}

/* The program of a command line, as the kernel names a thread. */
static void set_command(struct trace_name *name, struct wire text)
{
	const uint8_t *slash = wire_bytes(&text) && (*text.at == '/' || *text.at == '.') ?
			       memrchr(text.at, '/', wire_bytes(&text)) : NULL;
	size_t bytes;

	text.at = slash ? slash + 1 : text.at;
	bytes = strnlen((const char *)text.at, wire_bytes(&text));
	trace_name_set(name, (const char *)text.at,
		       bytes < FXT_SCHED_COMM_SIZE ? bytes : FXT_SCHED_COMM_SIZE - 1);
}

/* Returns: is it damaged? */
static bool add_process(struct import *m, uint64_t ns, struct wire process, bool is_later)
{
	struct wire_field f;
	uint32_t pid = 0;

	clear_event(m);
	while (wire_next(&process, &f)) {
		if (f.number == PROCESS_PID)
			pid = f.value;
		else if (f.number == PROCESS_PARENT)
			m->event.other = f.value;
		else if (f.number == PROCESS_COMMAND && f.type == WIRE_BYTES && !*m->event.on_name.bytes)
			set_command(&m->event.on_name, f.bytes);
	}
	add_thread(m, ns, pid, pid, is_later);
	return wire_bytes(&process);
}

static bool add_tree_thread(struct import *m, uint64_t ns, struct wire thread, bool is_later)
{
	uint32_t tid = 0, tgid = 0;
	struct wire_field f;

	clear_event(m);
	while (wire_next(&thread, &f)) {
		if (f.number == THREAD_TID)
			tid = f.value;
		else if (f.number == THREAD_PROCESS)
			tgid = f.value;
		else if (f.number == THREAD_NAME && f.type == WIRE_BYTES)
			trace_name_set(&m->event.name, (const char *)f.bytes.at,
				       strnlen((const char *)f.bytes.at, wire_bytes(&f.bytes)));
	}
	add_thread(m, ns, tid, tgid, is_later);
	return wire_bytes(&thread);
}

static int add_tree(struct import *m, const struct part *part, bool is_later)
{
	uint64_t bad = 0, misplaced = m->trace.misplaced;
	struct wire rest = part->message;
	struct wire_field f;

	while (wire_next(&rest, &f)) {
		if (f.type == WIRE_BYTES && f.number == TREE_PROCESS)
			bad += add_process(m, part->ns, f.bytes, is_later);
		else if (f.type == WIRE_BYTES && f.number == TREE_THREAD)
			bad += add_tree_thread(m, part->ns, f.bytes, is_later);
	}
	bad += (wire_bytes(&rest) > 0) + m->trace.misplaced - misplaced;
	return is_later ? 0 : damaged(m, part->message.at, bad);
}

static bool add_stats_thread(struct import *m, uint64_t ns, uint32_t pid, struct wire thread)
{
	uint64_t numbers[THREAD_TID + 1] = { 0 };
	bool is_valid = wire_numbers(thread, numbers, THREAD_TID + 1);

	clear_event(m);
	add_thread(m, ns, numbers[THREAD_TID], pid, false);
	return !is_valid;
}

static int add_stats(struct import *m, const struct part *part)
{
	uint64_t bad = 0, misplaced = m->trace.misplaced;
	struct wire rest = part->message, process;
	struct wire_field f, g;
	uint32_t pid;

	while (wire_next(&rest, &f)) {
		if (f.type != WIRE_BYTES || f.number != STATS_PROCESS)
			continue;
		pid = 0;
		process = f.bytes;
		while (wire_next(&process, &g)) {
			if (g.number == STATS_PID)
				pid = g.value;
			else if (g.number == STATS_THREAD && g.type == WIRE_BYTES)
				bad += add_stats_thread(m, part->ns, pid, g.bytes);
		}
		bad += wire_bytes(&process) > 0;
	}
	bad += (wire_bytes(&rest) > 0) + m->trace.misplaced - misplaced;
	return damaged(m, part->message.at, bad);
}

/* --- third walk: bundles ------------------------------------------------------------------ */

static void wait_for_next(struct import *m, struct read_bundle *b, const struct part *part)
{
	struct open_bundle o = { { .ns = b->items[b->next].ns }, b, part };

	order_add(&m->open, &o, part->number);
}

static int open_part(struct import *m, const struct part *part)
{
	struct read_bundle *b;

	if (part->field != PACKET_FTRACE)
		return part->field == PACKET_TREE ? add_tree(m, part, false) : add_stats(m, part);
	if (part->ns == UINT64_MAX)
		return 0;
	b = new_zero(struct read_bundle);
	read_bundle_open(b, part->message, part->clock, &m->clocks);
	if (part->lost) {
		m->trace.loses_more = true;
		trace_lost(&m->trace, b->cpu, 1);
		m->cpus[b->cpu] = (struct read_cpu){ 0 };
	}
	wait_for_next(m, b, part);
	return 0;
}

static void close_bundle(struct read_bundle *b)
{
	read_bundle_free(b);
	free(b);
}

static int take_event(struct import *m)
{
	struct open_bundle o = *(struct open_bundle *)order_pop(&m->open);
	const struct read_item *item = &o.bundle->items[o.bundle->next];
	const uint8_t *at = item->what == TRACE_NOTHING ? item->event : o.part->message.at;
	uint64_t misplaced = m->trace.misplaced;
	bool is_valid;

	m->kernel.sequence = o.part->sequence;
	is_valid = read_bundle_take(o.bundle, &m->kernel, &m->cpus[o.bundle->cpu], &m->event);
	if (is_valid)
		trace_add(&m->trace, &m->event);
	trace_event_free(&m->event);
	if (o.bundle->next < o.bundle->count)
		wait_for_next(m, o.bundle, o.part);
	else
		close_bundle(o.bundle);
	if (!is_valid || m->trace.misplaced != misplaced)
		return damaged(m, at, 1);
	return m->trace.a.error;
}

/* Returns 0; a writer's error; -EBADMSG at a damaged event, if strict. */
static int merge_parts(struct import *m)
{
	const struct open_bundle *first;
	size_t i = 0;
	int ret = 0;

	for (i = 0; i < m->part_count; i++)
		if (m->parts[i].field == PACKET_TREE)
			add_tree(m, &m->parts[i], true);
	m->open.size = sizeof(struct open_bundle);
	m->open.room = m->part_count < UINT32_MAX ? m->part_count + 1 : UINT32_MAX;
	for (i = 0; !ret && (i < m->part_count || m->open.count);) {
		first = order_first(&m->open);
		if (i < m->part_count && (!first || m->parts[i].ns <= first->key.ns))
			ret = open_part(m, &m->parts[i++]);
		else
			ret = take_event(m);
	}
	while ((first = order_pop(&m->open)))
		close_bundle(first->bundle);
	order_free(&m->open);
	return ret;
}

/* --- the whole ---------------------------------------------------------------------------- */

/* State bits since Linux 4.14. */
static const struct trace_states states_recent = {
	.all = {
		{ 0x1, 'S' }, { 0x2, 'D' }, { 0x4, 'T' }, { 0x8, 't' }, { 0x10, 'X' },
		{ 0x20, 'Z' }, { 0x40, 'P' }, { 0x80, 'I' },
	},
	.count = 8,
	.preempted = 0x100,
};

/* Fields of SystemInfo and Utsname. */
#define SYSTEM_NAMES	1
#define NAMES_RELEASE	3

/* Enter the first field of this number. Returns false if there is none. */
static bool enter(struct wire *m, uint32_t number)
{
	struct wire_field f;

	while (wire_next(m, &f)) {
		if (f.number != number || f.type != WIRE_BYTES)
			continue;
		*m = f.bytes;
		return true;
	}
	return false;
}

static const struct trace_states *states_of(const struct import *m)
{
	unsigned int major, minor;
	struct wire names = m->system;
	char release[32];

	if (!wire_bytes(&names) || !enter(&names, PACKET_SYSTEM) || !enter(&names, SYSTEM_NAMES) ||
	    !enter(&names, NAMES_RELEASE))
		return &trace_states_any;
	snprintf(release, sizeof(release), "%.*s", (int)wire_bytes(&names), (const char *)names.at);
	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return &trace_states_any;
	return major > 4 || (major == 4 && minor >= 14) ? &states_recent : &trace_states_any;
}

/* An unrelated clock is taken for CLOCK_BOOTTIME if it is the only one. */
static void choose_clock(struct import *m)
{
	read_clocks_sort(&m->clocks);
	if (!m->bundles || read_clocks_has(&m->clocks, m->clock))
		m->trace.a.clock = "boot";
	else
		m->clocks.same = m->clock;
}

/* An archive's host packet has at most 32000 bytes. */
static void write_host(struct import *m)
{
	uint8_t packet[FXT_MAX_STRING_FIELD];
	uint64_t bytes = wire_bytes(&m->system), left;
	size_t n = 1;

	if (!bytes || bytes > sizeof(packet) - 8)
		return;
	packet[0] = TRACE_PACKET << 3 | WIRE_BYTES;
	for (left = bytes; left > 0x7f; left >>= 7)
		packet[n++] = left | 0x80;
	packet[n++] = left;
	memcpy(packet + n, m->system.at, bytes);
	fxt_writer_perfetto(m->trace.a.w, FXT_STR_CATEGORY, packet, n + bytes);
}

static int convert(struct import *m)
{
	int ret = find_packets(m), closed;

	if (ret && ret != -EBADMSG)
		return ret;
	if (!m->bundles || (ret && m->strict))
		return ret;
	choose_clock(m);
	m->kernel.states = states_of(m);
	m->kernel.symbols = &m->trace.symbols;
	closed = begin_parts(m);
	trace_open(&m->trace, m->fd, "Perfetto");
	write_host(m);
	if (!closed || !m->strict)
		closed = merge_parts(m);
	ret = ret ? ret : closed;
	closed = trace_close(&m->trace);
	return closed ? closed : ret;
}

static void report_losses(const struct import *m)
{
	if (m->early_losses)
		message("fxt: %s: %" PRIu64 " CPUs lost events before their first one\n", m->path,
			m->early_losses);
	if (m->overruns > 0 && (uint64_t)m->overruns > m->trace.a.lost)
		message("fxt: %s: ftrace counted %" PRId64 " lost events while it recorded\n",
			m->path, m->overruns);
	if (m->unrelated)
		message("fxt: %s: %" PRIu64 " events are left out: the trace does not relate their clock to the others\n",
			m->path, m->unrelated);
	if (m->foreign)
		message("fxt: %s: %" PRIu64 " packets of other machines are left out\n", m->path,
			m->foreign);
}

static int report_result(const struct import *m, int ret)
{
	const char *of = m->is_unpacked ? " of the unpacked trace" : "";

	trace_report(&m->trace, m->path);
	report_losses(m);
	if (m->unpacked.damaged)
		message("fxt: %s: %" PRIu64 " compressed packets are left out, because they are damaged or unpack to too much, first at byte %zu\n",
			m->path, m->unpacked.damaged, m->unpacked.first);
	if (m->damaged)
		message("fxt: %s: %" PRIu64 " damaged packets or events are left out, first at byte %zu%s\n",
			m->path, m->damaged, m->first_damaged, of);
	if (m->wrong)
		message("fxt: %s: byte %zu%s: %s\n", m->path, m->wrong_at, of, m->wrong);
	if (ret && ret != -EBADMSG) {
		message("fxt: cannot write a temporary file: %s\n", strerror(-ret));
		return VERB_UNWRITABLE;
	}
	if (!m->bundles && !m->wrong) {
		message("fxt: cannot read %s: this trace of Perfetto has no events of ftrace; record sched/sched_switch and sched/sched_waking with its data source linux.ftrace\n",
			m->path);
		return VERB_UNREADABLE;
	}
	if (!m->bundles)
		return VERB_UNREADABLE;
	return ret || m->damaged || m->unpacked.damaged || m->unrelated || m->foreign ? VERB_DEVIATES :
		VERB_DONE;
}

static void *map(int fd, size_t *bytes)
{
	void *all = MAP_FAILED;
	struct stat st;

	*bytes = 0;
	if (fstat(fd, &st))
		return NULL;
	*bytes = st.st_size;
	if (st.st_size > 0)
		all = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	return all == MAP_FAILED ? NULL : all;
}

/* @unpacked: for the contents of compressed packets */
static int read_all(const char *path, int from, bool strict, FILE *unpacked, int fd)
{
	struct import *m = new_zero(struct import);
	size_t bytes, plain_bytes = 0;
	void *all = map(from, &bytes), *plain = NULL;
	int ret;

	if (!all) {
		message("fxt: cannot read %s: %s\n", path, bytes ? strerror(errno) : "it is empty");
		free(m);
		return VERB_UNREADABLE;
	}
	m->path = path;
	m->fd = fd;
	m->strict = strict;
	m->all = (struct wire){ all, (uint8_t *)all + bytes };
	ret = read_unpack(m->all, fileno(unpacked), &m->unpacked);
	if (strict && m->unpacked.damaged)
		ret = wrong(m, (uint8_t *)all + m->unpacked.first, "the packet cannot be unpacked");
	if (ret > 0) {
		plain = map(fileno(unpacked), &plain_bytes);
		if (!plain && plain_bytes)
			memory_ran_out();
		m->is_unpacked = true;
		m->all = (struct wire){ plain, (uint8_t *)plain + plain_bytes };
	}
	ret = report_result(m, ret < 0 ? ret : convert(m));
	if (plain)
		munmap(plain, plain_bytes);
	munmap(all, bytes);
	read_clocks_free(&m->clocks);
	free(m->parts);
	map_free_all(&m->kernel.functions, struct read_function);
	free(m);
	return ret;
}

int perfetto_read(const char *path, int from, bool strict, int fd)
{
	FILE *unpacked = import_file();
	int ret = unpacked ? read_all(path, from, strict, unpacked, fd) : import_unwritable();

	import_file_close(unpacked);
	return ret;
}

/* Is it the beginning of a valid message? @head may lack the end. */
static bool is_message(struct wire head, uint64_t bytes)
{
	bool is_cut = bytes > wire_bytes(&head);
	struct wire_field f;
	unsigned int fields = 0;
	struct wire m = head;

	m.end = is_cut ? m.end : m.at + bytes;
	while (wire_next(&m, &f))
		fields++;
	if (!is_cut)
		return fields && !wire_bytes(&m);
	/* A long packet is one long field. */
	return wire_varint(&m, &bytes) && (bytes & 7) == WIRE_BYTES && wire_varint(&m, &bytes) &&
	       bytes > wire_bytes(&m);
}

bool perfetto_detect(const char *head, size_t bytes)
{
	struct wire m = { (const uint8_t *)head, (const uint8_t *)head + bytes };
	unsigned int packets = 0;
	uint64_t key, length;

	/* If the first two packets are valid, the file is hardly anything else. */
	while (wire_bytes(&m) && packets < 2) {
		if (!wire_varint(&m, &key) || key != (TRACE_PACKET << 3 | WIRE_BYTES))
			return false;
		/* @head may end anywhere in the second packet. */
		if (!wire_varint(&m, &length) || (packets && length > wire_bytes(&m)))
			return packets;
		if (!length || !is_message(m, length))
			return false;
		packets++;
		m.at = length < wire_bytes(&m) ? m.at + length : m.end;
	}
	return packets;
}
