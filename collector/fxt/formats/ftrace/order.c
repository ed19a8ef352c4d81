// SPDX-License-Identifier: GPL-2.0-or-later
/* order.c - events in the order of time. The API is in ftrace.h. */
#include <errno.h>
#include <stdlib.h>

#include "libfxt/array.h"
#include "libfxt/heap.h"
#include "libfxt/huge.h"
#include "ftrace.h"

static struct ftrace_event *at(const struct ftrace_order *q, uint32_t place)
{
	return &q->events[place - 1];
}

static inline bool is_before(const struct ftrace_order *q, uint32_t x, uint32_t y)
{
	const struct ftrace_event *a = at(q, x), *b = at(q, y);

	if (a->ns != b->ns)
		return a->ns < b->ns;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->rank == FTRACE_BEGINS ? a->number > b->number : a->number < b->number;
}

/* --- places -------------------------------------------------------------------- */

/* Memory that is not used costs nothing, but to move huge pages splits them. So it is not grown. */
static int add_places(struct ftrace_order *q)
{
	uint32_t room = q->room, next_room = q->room;
	uint32_t need = room ? room + 1 : FTRACE_ORDER_EVENTS;

	if (array_reserve(q->events, room, need) || array_reserve(q->next, next_room, need))
		return -ENOMEM;
	huge_advise(q->events, room * sizeof(*q->events));
	huge_advise(q->next, room * sizeof(*q->next));
	q->room = room;
	return 0;
}

/* Return: 0 if there is no memory. */
static uint32_t take_place(struct ftrace_order *q)
{
	uint32_t place = q->free;

	if (place) {
		q->free = q->next[place - 1];
		return place;
	}
	if (q->used == q->room && add_places(q))
		return 0;
	return ++q->used;
}

static void give_place(struct ftrace_order *q, uint32_t place)
{
	q->next[place - 1] = q->free;
	q->free = place;
}

/* --- runs ---------------------------------------------------------------------- */

/*
 * Put @place, the last one of a run that grew, in front of @recent. It replaces @recent[@i]: the
 * former last place of the run, or the one used least recently.
 */
static void is_recent(struct ftrace_order *q, unsigned int i, uint32_t place)
{
	for (; i; i--)
		q->recent[i] = q->recent[i - 1];
	q->recent[0] = place;
}

static bool add_to_run(struct ftrace_order *q, uint32_t place)
{
	unsigned int i;
	uint32_t last;

	for (i = 0; i < FTRACE_ORDER_RUNS; i++) {
		last = q->recent[i];
		if (!last || is_before(q, place, last))
			continue;
		q->next[last - 1] = place;
		is_recent(q, i, place);
		return true;
	}
	return false;
}

static int add_run(struct ftrace_order *q, uint32_t place)
{
	if (array_reserve(q->heap, q->run_room, q->runs + 1))
		return -ENOMEM;
	heap_push(q->heap, q->runs, place, is_before, q);
	is_recent(q, FTRACE_ORDER_RUNS - 1, place);
	return 0;
}

/* Remove the run at the top, whose last event, at @place, has been taken. */
static void remove_run(struct ftrace_order *q, uint32_t place)
{
	unsigned int i;

	for (i = 0; i < FTRACE_ORDER_RUNS; i++)
		if (q->recent[i] == place)
			q->recent[i] = 0;
	heap_pop(q->heap, q->runs, is_before, q);
}

/* --- events -------------------------------------------------------------------- */

int ftrace_order_add(struct ftrace_order *q, const struct ftrace_event *e)
{
	uint32_t place = take_place(q);

	if (!place)
		return -ENOMEM;
	*at(q, place) = *e;
	q->next[place - 1] = 0;
	if (!add_to_run(q, place) && add_run(q, place)) {
		give_place(q, place);
		return -ENOMEM;
	}
	q->count++;
	return 0;
}

bool ftrace_order_take(struct ftrace_order *q, struct ftrace_event *e)
{
	uint32_t place, next;

	if (!q->count)
		return false;
	place = q->heap[0];
	next = q->next[place - 1];
	*e = *at(q, place);
	if (next)
		heap_set_top(q->heap, q->runs, next, is_before, q);
	else
		remove_run(q, place);
	give_place(q, place);
	q->count--;
	return true;
}

void ftrace_order_free(struct ftrace_order *q)
{
	free(q->events);
	free(q->next);
	free(q->heap);
}
