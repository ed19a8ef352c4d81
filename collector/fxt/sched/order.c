// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * order.c - merges the events of all streams by time.
 *
 * In: events, stream by stream, in the order of the archive.
 * Out: all of them in the order of time, to sched_apply(). Each stream is in order, so the earliest
 * of the streams' first events is next; of those of the same time outside all ledgers, the first
 * one in the archive. It can be applied as soon as each open stream has delivered a later event.
 *
 * When a stream, or all together, may have no more blocks (queue.c), the earliest event is applied
 * in any case. Until that has happened once, all events wait, because the number of streams is
 * unknown: the first chunk of a quiet CPU may come long after those of others.
 */
#include <stdlib.h>

#include "libfxt/heap.h"
#include "data.h"
#include "queue.h"

#define DRAIN_EVENTS	2048	/* new events before the next drain */
#define FEW_STREAMS	8	/* up to this number, no heap is needed */

/* Make room for many events, because each start looks at all streams. */
static bool has_much_room(const struct sched_model *m, const struct sched_stream *s)
{
	return sched_queue_can_grow(m, s) &&
	       s->blocks <= m->blocks_per_stream - m->blocks_per_stream / 8 &&
	       m->blocks_used <= m->blocks_total - m->blocks_total / 8;
}

/* --- streams by the time of their first event ---------------------------------- */

static struct sched_heap_entry entry_of(struct sched_stream *s, const struct sched_event *e)
{
	return (struct sched_heap_entry){ e->time, s->has_ledger ? 0 : e->offset, s };
}

static bool is_before(const struct sched_heap_entry *a, const struct sched_heap_entry *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->place != b->place)
		return a->place < b->place;
	return a->stream->id < b->stream->id;
}

#define BEFORE(arg, a, b)	is_before(&(a), &(b))

static void build_heap(struct sched_model *m)
{
	size_t i;

	array_hold(m->heap, m->heap_room, m->stream_count);
	m->heap_count = 0;
	for (i = 0; i < m->stream_count; i++) {
		const struct sched_event *e = sched_queue_head(m->stream_list[i]);

		if (e)
			m->heap[m->heap_count++] = entry_of(m->stream_list[i], e);
	}
	heap_make(m->heap, m->heap_count, BEFORE, m);
	m->is_reordered = false;
}

/* Restore the heap after the first event of the root, and perhaps of other streams, was removed. */
static void next_root(struct sched_model *m)
{
	const struct sched_event *e;

	if (m->is_reordered) {
		build_heap(m);
		return;
	}
	e = sched_queue_head(m->heap[0].stream);
	if (e)
		heap_set_top(m->heap, m->heap_count, entry_of(m->heap[0].stream, e), BEFORE, m);
	else
		heap_pop(m->heap, m->heap_count, BEFORE, m);
}

/* The earliest time of all streams but the root. */
static uint64_t second_time(const struct sched_model *m)
{
	uint64_t time = m->heap_count > 1 ? m->heap[1].time : UINT64_MAX;

	if (m->heap_count > 2 && m->heap[2].time < time)
		time = m->heap[2].time;
	return time;
}

/* Emit from one stream, as long as its events are the earliest. */
static void emit_run(struct sched_model *m, struct sched_stream *s, uint64_t last,
		     const struct sched_stream *full)
{
	const struct sched_event *e = sched_queue_head(s);

	do {
		sched_apply(m, s, e);
		e = sched_queue_advance(m, s);
	} while (e && e->time <= last && (e->time < last || s->has_ledger) &&
		 !m->is_reordered && !m->error &&
		 !(full && has_much_room(m, full)));
}

static __attribute__((noinline)) struct sched_heap_entry *
earliest_of_equal(const struct sched_model *m)
{
	struct sched_heap_entry *h = m->heap, *end = h + m->heap_count, *first = h;

	while (++h < end)
		if (h->time < first->time || (h->time == first->time && h->place < first->place))
			first = h;
	return first;
}

/*
 * The earliest of a few streams. Their events alternate at random, so scanning all without branches
 * is faster than keeping an order. Equal times are rare.
 */
static inline struct sched_heap_entry *earliest(const struct sched_model *m)
{
	struct sched_heap_entry *h = m->heap, *end = h + m->heap_count;
	uintptr_t first = (uintptr_t)h, less;
	uint64_t time = h->time;
	bool are_equal = false;

	while (++h < end) {
		are_equal |= h->time == time;
		less = -(uintptr_t)(h->time < time);
		first ^= (first ^ (uintptr_t)h) & less;
		time = h->time < time ? h->time : time;
	}
	return likely(!are_equal) ? (struct sched_heap_entry *)first : earliest_of_equal(m);
}

/* The thread that an event changes, if it exists. */
static inline const struct sched_thread *peek(const struct sched_model *m,
					      const struct sched_event *e)
{
	uint64_t koid = e->kind == SCHED_EVENT_SWITCH ? e->b : e->a;
	struct sched_thread *const *page = koid >> 22 ? NULL : m->threads.pages[koid >> 10];

	return page ? page[koid & 1023] : NULL;
}

/* Prefetch the thread of the stream's next event, and the caller's data of it. */
static inline void prefetch(const struct sched_model *m, const struct sched_stream *s,
			    const struct sched_event *e)
{
	const struct sched_thread *t = peek(m, e);

	if (likely(t))
		__builtin_prefetch((const void *)(uintptr_t)t->user, 1);
	if (likely(s->first + 1 < (s->head == s->tail ? s->end : m->block_events)))
		__builtin_prefetch(peek(m, e + 1), 1);
}

/*
 * Replaces the heap for a few streams. The entries stay as build_heap() made them until a stream is
 * empty.
 */
static __attribute__((noinline)) void emit_few(struct sched_model *m, uint64_t limit,
					       const struct sched_stream *full)
{
	struct sched_heap_entry *h;
	const struct sched_event *e;
	struct sched_stream *s;

	while (!m->is_reordered && !m->error && !(full && has_much_room(m, full))) {
		h = earliest(m);
		if (h->time > limit)
			return;
		s = h->stream;
		sched_apply(m, s, &s->head->events[s->first]);
		e = sched_queue_advance(m, s);
		if (unlikely(!e)) {
			build_heap(m);
			return;
		}
		prefetch(m, s, e);
		h->time = e->time;
		h->place = s->has_ledger ? 0 : e->offset;
	}
	if (m->is_reordered)
		build_heap(m);
}

static void emit_many(struct sched_model *m, uint64_t limit, const struct sched_stream *full)
{
	uint64_t last = second_time(m);

	emit_run(m, m->heap[0].stream, last < limit ? last : limit, full);
	next_root(m);
}

static bool is_due(const struct sched_model *m, uint64_t limit)
{
	size_t i;

	if (m->heap_count > FEW_STREAMS)
		return m->heap[0].time <= limit;
	for (i = 0; i < m->heap_count; i++)
		if (m->heap[i].time <= limit)
			return true;
	return false;
}

/* Events so far, applied or waiting. */
static uint64_t events_taken(const struct sched_model *m)
{
	return m->totals.switches + m->totals.wakeups + m->kernel_events;
}

/* Emit events up to @limit, in order; with @full, stop when that stream has enough room. */
static void emit_until(struct sched_model *m, uint64_t limit, const struct sched_stream *full)
{
	build_heap(m);
	while (!m->error && is_due(m, limit) && !(full && has_much_room(m, full)))
		if (m->heap_count > FEW_STREAMS)
			emit_many(m, limit, full);
		else
			emit_few(m, limit, full);
	m->drained = events_taken(m);
}

/* The time up to which no stream can deliver more. */
static uint64_t horizon(const struct sched_model *m)
{
	uint64_t time = UINT64_MAX;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		const struct sched_stream *s = m->stream_list[i];

		if (!s->is_closed && s->id != FXT_LEDGER_STREAM_NAMES && s->tail_ns < time)
			time = s->tail_ns;
	}
	/*
	 * Stay a clock step behind: an event that belongs before another one may have a later time,
	 * so the other one must still be in memory.
	 */
	return time > SCHED_CLOCK_STEP ? time - SCHED_CLOCK_STEP : 0;
}

void sched_order_drain(struct sched_model *m)
{
	uint64_t queued = events_taken(m) - m->drained;

	if (m->is_moving && queued >= DRAIN_EVENTS + m->stream_count)
		emit_until(m, horizon(m), NULL);
}

struct sched_event *sched_order_slow(struct sched_model *m, struct sched_stream *s)
{
	if (!sched_queue_can_grow(m, s)) {
		m->is_moving = true;
		emit_until(m, horizon(m), NULL);
		if (!sched_queue_can_grow(m, s))
			emit_until(m, UINT64_MAX, s);
	}
	sched_queue_grow(m, s);
	return s->tail->events;
}

void sched_order_finish(struct sched_model *m)
{
	m->is_moving = true;
	emit_until(m, UINT64_MAX, NULL);
}
