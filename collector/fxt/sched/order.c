// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * order.c - the events of all streams, merged by time.
 *
 * What flows in: events, stream by stream, in the order of the archive. What
 * flows out: all of them in the order of time, to sched_apply(). Within a stream
 * they stand in order, so that always the earliest of the streams' first events
 * is next. It may go as soon as each stream that is not closed has delivered
 * something later.
 *
 * What waits lies in blocks, of which there are only so many. When a stream or
 * all together have used theirs up, the earliest event goes in any case. Until
 * that has happened once, all events wait, because nobody knows how many streams
 * there are: the first chunk of a quiet CPU may stand far behind those of others.
 */
#include <errno.h>
#include <stdlib.h>

#include "data.h"

#define DRAIN_EVENTS	2048	/* that must have come in before it is worth it */
#define INSERT_STEPS	256
#define FEW_STREAMS	8	/* that need no heap */

/* --- blocks ------------------------------------------------------------------ */

static bool has_room(const struct sched_model *m, const struct sched_stream *s)
{
	return s->blocks < m->blocks_per_stream && m->blocks_used < m->blocks_total;
}

/* So much that it will last for a while: each beginning looks at all streams. */
static bool has_much_room(const struct sched_model *m, const struct sched_stream *s)
{
	return has_room(m, s) &&
	       s->blocks <= m->blocks_per_stream - m->blocks_per_stream / 8 &&
	       m->blocks_used <= m->blocks_total - m->blocks_total / 8;
}

static void free_block(struct sched_model *m, struct sched_stream *s)
{
	struct sched_block *block = s->head;

	s->head = block->next;
	s->first = 0;
	s->blocks--;
	m->blocks_used--;
	if (s->head)
		s->head->previous = NULL;
	else
		s->tail = NULL;
	block->next = m->free_blocks;
	m->free_blocks = block;
}

static int add_block(struct sched_model *m, struct sched_stream *s)
{
	struct sched_block *block = m->free_blocks;

	if (block) {
		m->free_blocks = block->next;
	} else {
		block = malloc(sizeof(*block) + m->block_events * sizeof(block->events[0]));
		if (!block)
			return -ENOMEM;
	}
	block->next = NULL;
	block->previous = s->tail;
	if (s->tail)
		s->tail->next = block;
	else
		s->head = block;
	s->tail = block;
	s->end = 0;
	s->blocks++;
	m->blocks_used++;
	return 0;
}

/* The first event of a stream has gone. Return: the next one, NULL if it has none. */
static inline const struct sched_event *advance(struct sched_model *m, struct sched_stream *s)
{
	s->first++;
	if (likely(s->first != (s->head == s->tail ? s->end : m->block_events)))
		return &s->head->events[s->first];
	if (unlikely(m->mark_count))
		sched_marks_look(m, s->head, s->first);
	s->has_gone = true;
	free_block(m, s);
	return sched_order_head(s);
}

const struct sched_event *sched_order_after(const struct sched_model *m,
					    const struct sched_stream *s,
					    const struct sched_block **block,
					    const struct sched_event *e)
{
	uint32_t i = e - (*block)->events + 1;

	if (*block == s->tail)
		return i < s->end ? e + 1 : NULL;
	if (i < m->block_events)
		return e + 1;
	*block = (*block)->next;
	return (*block)->events;
}

void sched_order_insert(struct sched_model *m, struct sched_stream *s, uint64_t time)
{
	struct sched_block *block = s->tail, *to_block = block;
	uint32_t i = s->end, to = i, steps;
	struct sched_event e = block->events[i];

	s->end++;
	for (steps = 0; steps < INSERT_STEPS; steps++) {
		if (block == s->head && i == s->first)
			break;
		if (!i) {
			block = block->previous;
			i = m->block_events;
		}
		i--;
		if (block->events[i].time <= time)
			break;
		to_block->events[to] = block->events[i];
		to_block = block;
		to = i;
	}
	to_block->events[to] = e;
	if (time > s->tail_ns)
		s->tail_ns = time;
}

/* --- streams by the time of their first event ---------------------------------- */

static bool before(const struct sched_heap_entry *a, const struct sched_heap_entry *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->stream->id < b->stream->id;
}

static void sift_down(struct sched_model *m, size_t i)
{
	struct sched_heap_entry *h = m->heap, entry = h[i];
	size_t child;

	while ((child = 2 * i + 1) < m->heap_count) {
		if (child + 1 < m->heap_count && before(&h[child + 1], &h[child]))
			child++;
		if (!before(&h[child], &entry))
			break;
		h[i] = h[child];
		i = child;
	}
	h[i] = entry;
}

static int build_heap(struct sched_model *m)
{
	struct sched_heap_entry *bigger;
	size_t i;

	if (m->heap_room < m->stream_count) {
		bigger = realloc(m->heap, m->stream_room * sizeof(*m->heap));
		if (!bigger)
			return -ENOMEM;
		m->heap = bigger;
		m->heap_room = m->stream_room;
	}
	m->heap_count = 0;
	for (i = 0; i < m->stream_count; i++) {
		const struct sched_event *e = sched_order_head(m->stream_list[i]);

		if (e)
			m->heap[m->heap_count++] = (struct sched_heap_entry){
				e->time, m->stream_list[i],
			};
	}
	for (i = m->heap_count / 2; i--; )
		sift_down(m, i);
	m->is_reordered = false;
	return 0;
}

/* The root's first event has gone; others may have, too. */
static int next_root(struct sched_model *m)
{
	const struct sched_event *e;

	if (m->is_reordered)
		return build_heap(m);
	e = sched_order_head(m->heap[0].stream);
	if (e)
		m->heap[0].time = e->time;
	else
		m->heap[0] = m->heap[--m->heap_count];
	if (m->heap_count)
		sift_down(m, 0);
	return 0;
}

/* The earliest time of all streams but the root. */
static uint64_t second(const struct sched_model *m)
{
	uint64_t time = m->heap_count > 1 ? m->heap[1].time : UINT64_MAX;

	if (m->heap_count > 2 && m->heap[2].time < time)
		time = m->heap[2].time;
	return time;
}

/* From one stream, as long as its events are the earliest. */
static void emit_run(struct sched_model *m, struct sched_stream *s, uint64_t last,
		     const struct sched_stream *full)
{
	const struct sched_event *e = sched_order_head(s);

	do {
		sched_apply(m, s, e);
		e = advance(m, s);
	} while (e && e->time <= last && !m->is_reordered && !m->error &&
		 !(full && has_much_room(m, full)));
}

/*
 * The same as the heap does, for a few streams: their turns alternate at random,
 * so that looking at all of them without a branch is quicker than any order. The
 * entries stay as build_heap() made them until a stream has no event left.
 */
static int emit_few(struct sched_model *m, uint64_t limit,
		    const struct sched_stream *full)
{
	size_t n = m->heap_count, i, min;
	const struct sched_event *e;
	struct sched_stream *s;
	uint64_t time;

	while (n == m->heap_count && !m->is_reordered && !m->error &&
	       !(full && has_much_room(m, full))) {
		for (i = 1, min = 0, time = m->heap[0].time; i < n; i++) {
			bool less = m->heap[i].time < time;

			min = less ? i : min;
			time = less ? m->heap[i].time : time;
		}
		if (time > limit)
			return 0;
		s = m->heap[min].stream;
		sched_apply(m, s, sched_order_head(s));
		e = advance(m, s);
		if (unlikely(!e))
			return build_heap(m);
		m->heap[min].time = e->time;
	}
	return m->is_reordered ? build_heap(m) : 0;
}

static int emit_many(struct sched_model *m, uint64_t limit,
		     const struct sched_stream *full)
{
	uint64_t last = second(m);

	emit_run(m, m->heap[0].stream, last < limit ? last : limit, full);
	return next_root(m);
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

/*
 * Emit all events up to @limit, in order; with @full no more than make much room
 * for that stream.
 */
static void emit(struct sched_model *m, uint64_t limit, const struct sched_stream *full)
{
	int ret = build_heap(m);

	while (!ret && !m->error && is_due(m, limit) && !(full && has_much_room(m, full)))
		ret = m->heap_count > FEW_STREAMS ? emit_many(m, limit, full) :
						    emit_few(m, limit, full);
	if (ret && !m->error)
		m->error = ret;
	m->drained = m->totals.switches + m->totals.wakeups;
}

/* Up to here nothing can come any more. */
static uint64_t horizon(const struct sched_model *m)
{
	uint64_t time = UINT64_MAX;
	size_t i;

	for (i = 0; i < m->stream_count; i++) {
		const struct sched_stream *s = m->stream_list[i];

		if (!s->is_closed && s->id != FXT_LEDGER_STREAM_NAMES && s->tail_ns < time)
			time = s->tail_ns;
	}
	/* So that partners which the clocks have put after an event are at hand. */
	return time > SCHED_CLOCK_STEP ? time - SCHED_CLOCK_STEP : 0;
}

void sched_order_drain(struct sched_model *m)
{
	uint64_t queued = m->totals.switches + m->totals.wakeups - m->drained;

	if (m->is_moving && queued >= DRAIN_EVENTS + m->stream_count)
		emit(m, horizon(m), NULL);
}

struct sched_event *sched_order_slow(struct sched_model *m, struct sched_stream *s)
{
	if (!has_room(m, s)) {
		m->is_moving = true;
		emit(m, horizon(m), NULL);
		if (!has_room(m, s))
			emit(m, UINT64_MAX, s);
	}
	if (!m->error)
		m->error = add_block(m, s);
	return m->error ? NULL : s->tail->events;
}

void sched_order_finish(struct sched_model *m)
{
	m->is_moving = true;
	emit(m, UINT64_MAX, NULL);
}

void sched_order_step(struct sched_model *m, struct sched_stream *s)
{
	m->is_reordered = true;
	sched_apply(m, s, sched_order_head(s));
	advance(m, s);
}

void sched_order_close(struct sched_model *m)
{
	struct sched_block *block;
	size_t i;

	for (i = 0; i < m->stream_count; i++)
		while (m->stream_list[i]->head)
			free_block(m, m->stream_list[i]);
	while ((block = m->free_blocks)) {
		m->free_blocks = block->next;
		free(block);
	}
	free(m->heap);
}
