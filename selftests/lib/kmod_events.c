// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_catalogue.h>
#include <fxt/fxt_sched_net.h>
#include <linux/fxt_sched.h>

#include "kmod_events.h"

enum what {
#define EVENT(what, ...) WHAT_##what,
	FXT_EVENTS(EVENT)
#undef EVENT
	WHATS
};

/* The common properties of all records of an event: its group, type, and track. */
static const struct event {
	uint64_t kind;
	uint32_t type;
	uint64_t process;
} events_of[WHATS] = {
#define EVENT(what, name, group, type, track, ...)	\
	[WHAT_##what] = { FXT_SCHED_EVENTS_##group, type, track },
	FXT_EVENTS(EVENT)
};

/* A record: see FXT_RECORDS(). An argument without a name ends @args. */
static const struct shape {
	enum what what;
	uint32_t category;
	uint32_t first;
	uint32_t last;
	struct {
		uint32_t name;
		uint32_t type;
		uint64_t max;
	} args[FXT_ARGS_MAX];
} shapes[] = {
#define ARG(name, type, max, member) { name, type, max }
#define RECORD(what, category, first, last, ...) \
	{ WHAT_##what, category, first, last, { __VA_ARGS__ } },
	FXT_RECORDS(RECORD, ARG)
};

static uint32_t args_of(const struct shape *shape)
{
	uint32_t n = 0;

	while (n < FXT_ARGS_MAX && shape->args[n].name)
		n++;
	return n;
}

static bool has_shape(const struct shape *shape, const uint64_t *rec)
{
	uint32_t name = fxt_get(FXT_EVENT_NAME, rec[0]);
	bool is_inline = name & 0x8000;

	return shape->category == fxt_get(FXT_EVENT_CATEGORY, rec[0]) &&
	       events_of[shape->what].type == fxt_get(FXT_EVENT_TYPE, rec[0]) &&
	       args_of(shape) == fxt_get(FXT_EVENT_ARGS, rec[0]) &&
	       !fxt_get(FXT_EVENT_THREAD, rec[0]) && is_inline == !shape->first &&
	       (is_inline || (name >= shape->first && name <= shape->last));
}

static const struct shape *shape_of(const uint64_t *rec)
{
	const struct shape *shape;

	for (shape = shapes; shape < shapes + sizeof(shapes) / sizeof(*shapes); shape++)
		if (has_shape(shape, rec))
			return shape;
	return NULL;
}

static bool track_fits(const struct shape *shape, const struct kmod_event *e, uint64_t process)
{
	const struct event *event = &events_of[shape->what];

	if (event->process != FXT_ON_THREAD && event->process <= FXT_BETWEEN_THREADS && !process)
		return !e->thread;
	if (event->process <= FXT_BETWEEN_THREADS)
		return process && e->thread && e->thread < FXT_SCHED_TID_END;
	if (process != event->process)
		return false;
	return e->thread == (event->type == FXT_EVENT_COUNTER ? process :
			     fxt_sched_cpu_track(process, e->stream));
}

/* Take the inline name at @rec[4]; returns the words of it, 0 if it is invalid. */
static size_t take_label(struct kmod_event *e, const uint64_t *rec)
{
	size_t bytes = fxt_get(FXT_EVENT_NAME, rec[0]) & 0x7fff;
	const unsigned char *text = (const unsigned char *)(rec + FXT_SCHED_EVENT_HEAD);
	size_t words = fxt_stream_words(bytes), i;

	if (!bytes || bytes > FXT_SCHED_LABEL_BYTES)
		return 0;
	for (i = 0; i < words * FXT_WORD; i++)
		if (i < bytes ? !text[i] || text[i] >= 0x80 : text[i])
			return 0;
	memcpy(e->label, text, bytes);
	return words;
}

/* Take the argument with the number @n, of 32 or 64 bits. Return: its words; 0: another one. */
static size_t take_argument(uint64_t *value, const struct shape *shape, size_t n,
			    const uint64_t *arg)
{
	size_t words = fxt_get(FXT_ARG_SIZE, arg[0]);

	if (fxt_get(FXT_ARG_NAME, arg[0]) != shape->args[n].name ||
	    fxt_get(FXT_ARG_TYPE, arg[0]) != shape->args[n].type)
		return 0;
	*value = words == 2 ? arg[1] : fxt_get(FXT_ARG_VALUE_32, arg[0]);
	if (shape->args[n].max && *value > shape->args[n].max)
		return 0;
	return words;
}

static int take(struct kmod_event *e, const uint64_t *rec, uint32_t stream, struct why *why)
{
	const struct shape *shape = shape_of(rec);
	size_t size = fxt_get(FXT_SIZE, rec[0]), at = FXT_SCHED_EVENT_HEAD, words, i;
	const struct event *event;

	if (!shape)
		return complain(why, "cpu%u: an event with the header %#jx is of no group",
				stream, (uintmax_t)rec[0]);
	event = &events_of[shape->what];
	*e = (struct kmod_event) {
		.kind = event->kind, .stream = stream, .begin = rec[1], .thread = rec[3],
		.is_slice = event->type == FXT_EVENT_DURATION_COMPLETE,
		.name = fxt_get(FXT_EVENT_NAME, rec[0]),
	};
	if (!shape->first) {
		e->name = shape->category;
		words = take_label(e, rec);
		if (!words)
			return complain(why, "cpu%u: an event's inline name is invalid", stream);
		at += words;
	}
	for (i = 0; i < args_of(shape) && at < size; i++) {
		words = take_argument(&e->args[i], shape, i, rec + at);
		if (!words)
			return complain(why, "cpu%u: argument %zu of an event with the header %#jx is %#jx",
					stream, i, (uintmax_t)rec[0], (uintmax_t)rec[at]);
		at += words;
	}
	e->end = kmod_record_time(rec);
	/* Arguments that are only shown. */
	while (event->type == FXT_EVENT_ASYNC_BEGIN && at + 1 < size && fxt_get(FXT_ARG_SIZE, rec[at]))
		at += fxt_get(FXT_ARG_SIZE, rec[at]);
	at += event->type != FXT_EVENT_INSTANT;
	if (at != size || e->end < e->begin || !track_fits(shape, e, rec[2]))
		return complain(why, "cpu%u: an event of %zu words, %zu expected, from %ju to %ju on %#jx/%#jx",
				stream, size, at, (uintmax_t)e->begin, (uintmax_t)e->end,
				(uintmax_t)rec[2], (uintmax_t)e->thread);
	return 0;
}

int kmod_events_take(struct kmod_events *events, const struct kmod_streams *streams,
		     struct why *why)
{
	const uint64_t *rec;
	size_t room = 0, at;

	*events = (struct kmod_events){ 0 };
	for (const struct kmod_stream *s = streams->cpus; s < streams->cpus + streams->count; s++)
		room += s->records;
	events->all = calloc(room + 1, sizeof(*events->all));
	if (!events->all)
		abort();
	for (const struct kmod_stream *s = streams->cpus; s < streams->cpus + streams->count; s++)
		for (at = 0; (rec = kmod_stream_next(s, &at));)
			if (kmod_record_is_event(rec) &&
			    take(&events->all[events->count++], rec, s->cpu, why))
				return -1;
	return 0;
}

void kmod_events_free(struct kmod_events *events)
{
	free(events->all);
	*events = (struct kmod_events){ 0 };
}

uint64_t kmod_events_count(const struct kmod_events *events, uint32_t cpu, uint32_t first,
			   uint32_t last)
{
	const struct kmod_event *e;
	uint64_t n = 0;

	kmod_for_each_event(events, e)
		n += e->stream == cpu && e->name >= first && e->name <= last;
	return n;
}

unsigned int kmod_events_count_kind(const struct kmod_events *events, uint64_t kinds)
{
	const struct kmod_event *e;
	unsigned int n = 0;

	kmod_for_each_event(events, e)
		n += !!(e->kind & kinds);
	return n;
}

static bool is_of_thread(const struct kmod_event *e)
{
	return e->kind & (FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_SYSCALL | FXT_SCHED_EVENTS_LOCK |
			  FXT_SCHED_EVENTS_MEMORY);
}

int kmod_events_check_nesting(const struct kmod_events *events, struct why *why)
{
	const struct kmod_event *e, *before;

	kmod_for_each_event(events, e) {
		if (!e->is_slice || is_of_thread(e))
			continue;
		for (before = e; before-- > events->all && before->stream == e->stream;) {
			if (!before->is_slice || is_of_thread(before))
				continue;
			if (before->end < e->begin)
				break;
			if (before->begin < e->begin && before->end > e->begin)
				return complain(why, "cpu%u: a slice from %ju to %ju overlaps one from %ju to %ju",
						e->stream, (uintmax_t)before->begin,
						(uintmax_t)before->end, (uintmax_t)e->begin,
						(uintmax_t)e->end);
		}
	}
	return 0;
}
