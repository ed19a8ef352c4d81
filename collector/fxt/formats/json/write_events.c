// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write_events.c - records of events on threads.
 *
 * In: event, log, profiler and large blob records.
 * Out: one event each.
 * Must hold: times are exact to the nanosecond.
 *
 * Flows bind alike in both formats, except for their end: in the JSON it binds to the next
 * slice unless "bp" is "e", in FXT to the slice that encloses it.
 */
#include <errno.h>
#include <stdio.h>

#include "json.h"

static void add_args(struct json *j, bool numbers_only)
{
	if (!j->content.arg_count && !numbers_only)
		return;
	out_str(j->o, ",\"args\":");
	json_args(j, &j->content, numbers_only);
}

static void open_event(struct json *j, char phase, uint64_t ns)
{
	const struct fxt_content *c = &j->content;
	struct json_place place = { c->thread.process, c->thread.thread };

	json_open(j, phase, &place, ns);
	json_name(j, &c->category, &c->name);
}

/*
 * In our own archives a thread's states are on its track. Work items and system calls overlap
 * them, so they have a track beside it. A thread has one or the other: kernel workers do not
 * call.
 */
static int move_slice(struct json *j)
{
	struct fxt_content *c = &j->content;
	struct json_place place = { c->thread.process, c->thread.thread + JSON_STATES_TID };
	bool is_call = c->category.known == FXT_STR_SYSCALL;
	const struct sched_thread *t;
	char name[SCHED_NAME_BYTES + 16];

	if (!j->ours || !j->m || (c->category.known != FXT_STR_WORK && !is_call) ||
	    c->thread.thread >= JSON_STATES_TID)
		return 0;
	if (!koids_get(&j->moved_named, c->thread.thread, NULL)) {
		if (koids_set(&j->moved_named, c->thread.thread, 0))
			return -ENOMEM;
		t = sched_model_thread(j->m, c->thread.thread);
		snprintf(name, sizeof(name), "%s (%s)", t && *t->name ? t->name : "?",
			 is_call ? "system calls" : "work");
		json_track(j, "thread", &place, name, c->thread.thread);
	}
	c->thread.thread = place.tid;
	return 0;
}

static int complete(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	uint64_t end = fxt_ticks_to_ns(j->content.end, ticks_per_second);
	uint64_t thread = j->content.thread.thread;
	int ret = move_slice(j);

	open_event(j, 'X', ns);
	out_str(j->o, ",\"dur\":");
	out_micros(j->o, end > ns ? end - ns : 0);
	add_args(j, false);
	json_end(j);
	j->content.thread.thread = thread;
	return ret;
}

static void plain(struct json *j, char phase, uint64_t ns)
{
	open_event(j, phase, ns);
	if (phase == 'i')
		out_str(j->o, ",\"s\":\"t\"");
	add_args(j, false);
	json_end(j);
}

static void counter(struct json *j, uint64_t ns)
{
	open_event(j, 'C', ns);
	json_id(j, j->content.id);
	add_args(j, true);
	json_end(j);
}

/* Write a part of a flow or of an asynchronous operation. */
static int part(struct json *j, char phase, uint64_t ns)
{
	const struct fxt_content *c = &j->content;
	struct json_place place = { c->thread.process, c->thread.thread };
	int ret;

	json_open(j, phase, &place, ns);
	ret = json_flow_part(j);
	if (phase == 'f')
		out_str(j->o, ",\"bp\":\"e\"");
	add_args(j, false);
	json_end(j);
	return ret;
}

/* Write an instant whose category names the kind of the record. */
static void open_instant(struct json *j, uint64_t ns, const char *name)
{
	struct json_place place = { j->content.thread.process, j->content.thread.thread };

	json_open(j, 'i', &place, ns);
	out_str(j->o, ",\"s\":\"t\",\"cat\":\"");
	out_str(j->o, fxt_kind_name(j->content.kind));
	out_str(j->o, "\",\"name\":\"");
	out_str(j->o, name);
	out_str(j->o, "\",\"args\":{");
}

static void put_hex(struct json *j, const char *key, uint64_t value)
{
	out_str(j->o, key);
	out_char(j->o, '"');
	out_hex(j->o, value);
	out_char(j->o, '"');
}

static void log_message(struct json *j, uint64_t ns)
{
	open_instant(j, ns, "log");
	out_str(j->o, "\"message\":");
	out_json_text(j->o, &j->content.name);
	out_char(j->o, '}');
	json_end(j);
}

static void module(struct json *j, uint64_t ns)
{
	const unsigned char *id = j->content.build_id.data;
	uint64_t i;

	open_instant(j, ns, "module");
	out_str(j->o, "\"module_id\":");
	out_u64(j->o, j->content.module_id);
	out_str(j->o, ",\"name\":");
	out_json_text(j->o, &j->content.name);
	out_str(j->o, ",\"build_id\":\"");
	for (i = 0; i < j->content.build_id.bytes; i++)
		out_printf(j->o, "%02x", id[i]);
	out_str(j->o, "\"}");
	json_end(j);
}

static void mmap_record(struct json *j, uint64_t ns)
{
	open_instant(j, ns, "mmap");
	out_str(j->o, "\"module_id\":");
	out_u64(j->o, j->content.module_id);
	put_hex(j, ",\"start\":", j->content.start);
	put_hex(j, ",\"range\":", j->content.range);
	put_hex(j, ",\"vaddr\":", j->content.vaddr);
	out_str(j->o, ",\"flags\":");
	out_u64(j->o, j->content.flags);
	out_char(j->o, '}');
	json_end(j);
}

static int backtrace(struct json *j, uint64_t ns)
{
	unsigned int i;
	int ret;

	open_instant(j, ns, "backtrace");
	out_str(j->o, "\"frames\":[");
	for (i = 0; i < j->content.frame_count; i++)
		put_hex(j, i ? "," : "", j->content.frames[i]);
	out_str(j->o, "]}");
	ret = json_stack(j);
	json_end(j);
	return ret;
}

int json_event(struct json *j, uint64_t ns, uint64_t ticks_per_second)
{
	static const char phases[FXT_KIND_COUNT] = {
		[FXT_KIND_INSTANT]		= 'i',
		[FXT_KIND_DURATION_BEGIN]	= 'B',
		[FXT_KIND_DURATION_END]		= 'E',
		[FXT_KIND_COUNTER]		= 'C',
		[FXT_KIND_ASYNC_BEGIN]		= 'b',
		[FXT_KIND_ASYNC_INSTANT]	= 'n',
		[FXT_KIND_ASYNC_END]		= 'e',
		[FXT_KIND_FLOW_BEGIN]		= 's',
		[FXT_KIND_FLOW_STEP]		= 't',
		[FXT_KIND_FLOW_END]		= 'f',
	};
	enum fxt_kind kind = j->content.kind;

	if (j->restores && kind >= FXT_KIND_INSTANT && kind <= FXT_KIND_FLOW_END) {
		json_restore(j, ns, fxt_ticks_to_ns(j->content.end, ticks_per_second));
		return 0;
	}
	switch (kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
		plain(j, phases[kind], ns);
		return 0;
	case FXT_KIND_DURATION_COMPLETE:
		return complete(j, ns, ticks_per_second);
	case FXT_KIND_COUNTER:
		counter(j, ns);
		return 0;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_FLOW_END:
		return part(j, phases[kind], ns);
	case FXT_KIND_LOG:
		log_message(j, ns);
		return 0;
	case FXT_KIND_MODULE:
		module(j, ns);
		return 0;
	case FXT_KIND_MMAP:
		mmap_record(j, ns);
		return 0;
	case FXT_KIND_BACKTRACE:
		return backtrace(j, ns);
	default:
		return -ENODATA;
	}
}
