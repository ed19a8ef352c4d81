/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.h - the waiting events of each stream, and the order of all streams. */
#ifndef FXT_SCHED_QUEUE_H
#define FXT_SCHED_QUEUE_H

#include "data.h"

bool sched_queue_can_grow(const struct sched_model *m, const struct sched_stream *s);

void sched_queue_grow(struct sched_model *m, struct sched_stream *s);

static inline bool sched_queue_has_room(const struct sched_model *m,
					const struct sched_stream *s)
{
	return s->tail && s->end != m->block_events;
}

/* Add the event after the last one, which is filled in and not earlier than the one before. */
static inline void sched_queue_added(struct sched_stream *s, uint64_t time)
{
	s->end++;
	s->tail_ns = time;
}

/* Likewise for streams that are out of order. */
void sched_queue_insert(struct sched_model *m, struct sched_stream *s, uint64_t time);

/* Only the stream that is read is known to be in order. */
static inline void sched_queue_put(struct sched_model *m, struct sched_stream *s, uint64_t time)
{
	if (unlikely(s != m->stream))
		sched_queue_insert(m, s, time);
	else
		sched_queue_added(s, time);
}

static inline const struct sched_event *sched_queue_head(const struct sched_stream *s)
{
	return s->head ? &s->head->events[s->first] : NULL;
}

/* The event after @e, and its block; NULL after the last one. */
const struct sched_event *sched_queue_after(const struct sched_model *m,
					    const struct sched_stream *s,
					    const struct sched_block **block,
					    const struct sched_event *e);

/* Free a stream's first block, whose events were all removed. */
const struct sched_event *sched_queue_next_block(struct sched_model *m,
						 struct sched_stream *s)
	__attribute__((cold));

/* Remove the first event of a stream. Returns the next one, or NULL. */
static inline const struct sched_event *sched_queue_advance(struct sched_model *m,
							    struct sched_stream *s)
{
	s->first++;
	if (likely(s->first != (s->head == s->tail ? s->end : m->block_events)))
		return &s->head->events[s->first];
	return sched_queue_next_block(m, s);
}

void sched_queue_close(struct sched_model *m);

/* --- all streams, merged by time --------------------------------------------------------- */

struct sched_event *sched_order_slow(struct sched_model *m, struct sched_stream *s);

static inline struct sched_event *sched_order_room(struct sched_model *m,
						   struct sched_stream *s)
{
	if (unlikely(!sched_queue_has_room(m, s)))
		return sched_order_slow(m, s);
	return &s->tail->events[s->end];
}

/* Emit all events that no later one of another stream can precede. */
void sched_order_drain(struct sched_model *m);

void sched_order_finish(struct sched_model *m);

#endif /* FXT_SCHED_QUEUE_H */
