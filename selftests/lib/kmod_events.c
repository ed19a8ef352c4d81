// SPDX-License-Identifier: GPL-2.0-or-later
/* kmod_events.c - see kmod_events.h. */
#include <stdlib.h>
#include <string.h>

#include "kmod_events.h"

/**
 * struct shape - what the records of a group look like
 * @kind: FXT_SCHED_EVENTS_*
 * @category: index of the category's string
 * @type: enum fxt_event_type
 * @first: index of the first name; 0: the name is inline
 * @last: index of the last name
 * @args: number of arguments
 * @process: koid of the track's process; 0: a thread of the machine
 */
static const struct shape {
	uint64_t kind;
	uint32_t category;
	uint32_t type;
	uint32_t first;
	uint32_t last;
	uint32_t args;
	uint64_t process;
} shapes[] = {
	{ FXT_SCHED_EVENTS_IRQ, FXT_STR_IRQ, FXT_EVENT_DURATION_COMPLETE, 0, 0, 1,
	  FXT_SCHED_KOID_IRQ },
	{ FXT_SCHED_EVENTS_IRQ, FXT_STR_IRQ, FXT_EVENT_DURATION_COMPLETE,
	  FXT_STR_VECTOR_LOCAL_TIMER, FXT_STR_VECTOR_DEFERRED, 0, FXT_SCHED_KOID_IRQ },
	{ FXT_SCHED_EVENTS_IRQ, FXT_STR_SOFTIRQ, FXT_EVENT_DURATION_COMPLETE,
	  FXT_STR_SOFTIRQ_FIRST, FXT_STR_SOFTIRQ_LAST, 0, FXT_SCHED_KOID_SOFTIRQ },
	{ FXT_SCHED_EVENTS_MIGRATE, FXT_STR_CATEGORY, FXT_EVENT_INSTANT,
	  FXT_STR_MIGRATE, FXT_STR_MIGRATE, 2, 0 },
	{ FXT_SCHED_EVENTS_IDLE, FXT_STR_IDLE, FXT_EVENT_DURATION_COMPLETE,
	  FXT_STR_IDLE_FIRST, FXT_STR_IDLE_LAST, 1, FXT_SCHED_KOID_IDLE },
	{ FXT_SCHED_EVENTS_IDLE, FXT_STR_IDLE, FXT_EVENT_INSTANT, FXT_STR_IDLE_MISS,
	  FXT_STR_IDLE_MISS, 2, FXT_SCHED_KOID_IDLE },
	{ FXT_SCHED_EVENTS_FREQ, FXT_STR_CATEGORY, FXT_EVENT_COUNTER, FXT_STR_FREQUENCY,
	  FXT_STR_FREQUENCY, 1, FXT_SCHED_KOID_FREQUENCY },
	{ FXT_SCHED_EVENTS_FREQ, FXT_STR_CATEGORY, FXT_EVENT_COUNTER,
	  FXT_STR_FREQUENCY_LIMITS, FXT_STR_FREQUENCY_LIMITS, 2, FXT_SCHED_KOID_FREQUENCY },
	{ FXT_SCHED_EVENTS_WORK, FXT_STR_WORK, FXT_EVENT_DURATION_COMPLETE, 0, 0, 0, 0 },
	{ FXT_SCHED_EVENTS_TASK, FXT_STR_CATEGORY, FXT_EVENT_INSTANT, FXT_STR_FORK,
	  FXT_STR_FORK, 1, 0 },
	{ FXT_SCHED_EVENTS_TASK, FXT_STR_CATEGORY, FXT_EVENT_INSTANT, FXT_STR_EXIT,
	  FXT_STR_EXIT, 2, 0 },
	{ FXT_SCHED_EVENTS_TASK, FXT_STR_CATEGORY, FXT_EVENT_INSTANT, FXT_STR_PRIORITY,
	  FXT_STR_PRIORITY, 2, 0 },
	{ FXT_SCHED_EVENTS_SYSCALL, FXT_STR_SYSCALL, FXT_EVENT_DURATION_COMPLETE,
	  FXT_STR_SYSCALL_FIRST, FXT_STR_SYSCALL_LAST, 1, 0 },
	{ FXT_SCHED_EVENTS_SYSCALL, FXT_STR_SYSCALL, FXT_EVENT_DURATION_COMPLETE,
	  FXT_STR_SYSCALL, FXT_STR_SYSCALL, 2, 0 },
	{ FXT_SCHED_EVENTS_IPI, FXT_STR_IPI, FXT_EVENT_INSTANT, FXT_STR_IPI, FXT_STR_IPI, 1, 0 },
	{ FXT_SCHED_EVENTS_IPI, FXT_STR_IPI, FXT_EVENT_INSTANT, FXT_STR_IPI, FXT_STR_IPI, 2, 0 },
	{ FXT_SCHED_EVENTS_IPI, FXT_STR_IPI, FXT_EVENT_INSTANT, 0, 0, 1, 0 },
	{ FXT_SCHED_EVENTS_IPI, FXT_STR_IPI, FXT_EVENT_INSTANT, 0, 0, 2, 0 },
};

static bool has_shape(const struct shape *shape, const uint64_t *rec)
{
	uint32_t name = fxt_get(FXT_EVENT_NAME, rec[0]);
	bool is_inline = name & 0x8000;

	return shape->category == fxt_get(FXT_EVENT_CATEGORY, rec[0]) &&
	       shape->type == fxt_get(FXT_EVENT_TYPE, rec[0]) &&
	       shape->args == fxt_get(FXT_EVENT_ARGS, rec[0]) &&
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

/* Is the thread right for an event of that CPU? */
static bool track_fits(const struct shape *shape, const struct kmod_event *e,
		       uint64_t process)
{
	/* An idle thread sends interrupts, too. */
	if (shape->kind == FXT_SCHED_EVENTS_IPI && !process)
		return !e->thread;
	if (!shape->process)
		return process && e->thread && e->thread < FXT_SCHED_TID_END;
	if (process != shape->process)
		return false;
	return e->thread == (shape->kind == FXT_SCHED_EVENTS_FREQ ? process :
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

/* Take an argument of 32 or 64 bits; returns its words. */
static size_t take_argument(uint64_t *value, const uint64_t *arg)
{
	size_t words = fxt_get(FXT_ARG_SIZE, arg[0]);

	*value = words == 2 ? arg[1] : fxt_get(FXT_ARG_VALUE_32, arg[0]);
	return words;
}

static int take(struct kmod_event *e, const uint64_t *rec, uint32_t stream, struct why *why)
{
	const struct shape *shape = shape_of(rec);
	size_t size = fxt_get(FXT_SIZE, rec[0]), at = FXT_SCHED_EVENT_HEAD, words, i;

	if (!shape)
		return complain(why, "cpu%u: an event with the header %#jx is of no group",
				stream, (uintmax_t)rec[0]);
	*e = (struct kmod_event) {
		.kind = shape->kind, .stream = stream, .begin = rec[1], .thread = rec[3],
		.is_slice = shape->type == FXT_EVENT_DURATION_COMPLETE,
		.name = fxt_get(FXT_EVENT_NAME, rec[0]),
	};
	if (!shape->first) {
		e->name = shape->category;
		words = take_label(e, rec);
		if (!words)
			return complain(why, "cpu%u: an event's inline name is invalid",
					stream);
		at += words;
	}
	for (i = 0; i < shape->args && at < size; i++)
		at += take_argument(&e->args[i], rec + at);
	e->end = kmod_record_time(rec);
	at += shape->type != FXT_EVENT_INSTANT;
	if (at != size || e->end < e->begin || !track_fits(shape, e, rec[2]))
		return complain(why, "cpu%u: an event of %zu words, %zu expected, from %ju to %ju on %#jx/%#jx",
				stream, size, at, (uintmax_t)e->begin, (uintmax_t)e->end,
				(uintmax_t)rec[2], (uintmax_t)e->thread);
	return 0;
}

int kmod_events_take(struct kmod_events *events, const struct kmod_streams *streams,
		     struct why *why)
{
	const struct kmod_stream *s;
	const uint64_t *rec;
	size_t room = 0, at;

	*events = (struct kmod_events){ 0 };
	for (s = streams->cpus; s < streams->cpus + streams->count; s++)
		room += s->records;
	events->all = calloc(room + 1, sizeof(*events->all));
	if (!events->all)
		abort();
	for (s = streams->cpus; s < streams->cpus + streams->count; s++)
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

/* Slices of threads, which sleep. */
static bool is_of_thread(const struct kmod_event *e)
{
	return e->kind & (FXT_SCHED_EVENTS_WORK | FXT_SCHED_EVENTS_SYSCALL);
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
