/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - puts events in the order of time.
 *
 * In: events that are nearly in order: streams of CPUs one after the other, or lines of which some
 * are late.
 * Out: the earliest of the events in memory. All come in order if none follows @room or more events
 * after one of a later time.
 */
#ifndef FXT_WALK_ORDER_H
#define FXT_WALK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of each event; order_add() sets all but the time. */
struct order_key {
	uint64_t ns;
	uint64_t rank;
	uint64_t number;
};

#define ORDER_RUNS	8	/* runs that events can be added to */

/*
 * The events in memory; initialize with zeros, except @size and @room. Each event stays at its
 * place; places are numbered from 1. A run is a list of events in order. There are few runs, so
 * most events take one comparison when they come, and a few when they go.
 */
struct order {
	size_t size;		/* bytes of an event */
	uint32_t room;		/* limit of events */
	uint32_t count;
	uint64_t number;	/* of the next event */
	char *events;
	uint32_t *next;		/* of each place: in its run, or of the free places; 0: none */
	uint32_t free;		/* the first free place */
	uint32_t used;		/* places that were ever used */
	uint32_t *heap;		/* the first events of runs, the earliest at the top */
	uint32_t runs;
	size_t run_room;
	uint32_t recent[ORDER_RUNS];	/* last events of the runs that grew, the latest first */
};

static inline bool order_is_full(const struct order *q)
{
	return q->count == q->room;
}

/*
 * Add a copy of an event; the order must not be full. Events of the same time are sorted by rank,
 * those of the same rank in the order of adding.
 */
void order_add(struct order *q, const void *event, uint64_t rank);

/* The earliest event, or NULL. */
void *order_first(const struct order *q);

/* Remove the earliest event. Returns it, valid until the next call; or NULL. */
void *order_pop(struct order *q);

void order_free(struct order *q);

#endif /* FXT_WALK_ORDER_H */
