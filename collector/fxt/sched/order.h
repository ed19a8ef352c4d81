/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - the events of all streams, merged by time.
 */
#ifndef FXT_SCHED_ORDER_H
#define FXT_SCHED_ORDER_H

#include "queue.h"

struct sched_event *sched_order_slow(struct sched_model *m, struct sched_stream *s);

/** sched_order_room() - room for one more event at a stream's end; NULL: m->error */
static inline struct sched_event *sched_order_room(struct sched_model *m,
						   struct sched_stream *s)
{
	if (unlikely(!sched_queue_has_room(m, s)))
		return sched_order_slow(m, s);
	return &s->tail->events[s->end];
}

/** sched_order_drain() - emit all events before which no stream can deliver another */
void sched_order_drain(struct sched_model *m);

/** sched_order_finish() - emit all */
void sched_order_finish(struct sched_model *m);


/** sched_order_close() - free the memory of the order */
void sched_order_close(struct sched_model *m);

#endif /* FXT_SCHED_ORDER_H */
