// SPDX-License-Identifier: GPL-2.0-or-later
/* order.c - events in the order of time. The API is in ftrace.h. */
#include <errno.h>
#include <stdlib.h>

#include "ftrace.h"

#define FIRST_ROOM	1024

static bool is_before(const struct ftrace_event *a, const struct ftrace_event *b)
{
	if (a->ns != b->ns)
		return a->ns < b->ns;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->rank == FTRACE_BEGINS ? a->number > b->number : a->number < b->number;
}

static struct ftrace_event *at(const struct ftrace_order *q, uint32_t place)
{
	return &q->events[place - 1];
}

/* --- places -------------------------------------------------------------------- */

static int add_places(struct ftrace_order *q)
{
	uint32_t room = q->room ? q->room * 2 : FIRST_ROOM;
	struct ftrace_event *events = realloc(q->events, room * sizeof(*events));
	uint32_t *next;

	if (!events)
		return -ENOMEM;
	q->events = events;
	next = realloc(q->next, room * sizeof(*next));
	if (!next)
		return -ENOMEM;
	q->next = next;
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

/* @place is the last one of a run that grew: that of @recent[@i], or of none of them. */
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
		if (!last || is_before(at(q, place), at(q, last)))
			continue;
		q->next[last - 1] = place;
		is_recent(q, i, place);
		return true;
	}
	return false;
}

static int add_run(struct ftrace_order *q, uint32_t place)
{
	uint32_t room = q->run_room ? q->run_room * 2 : FIRST_ROOM, i, parent, *heap;

	if (q->runs == q->run_room) {
		heap = realloc(q->heap, room * sizeof(*heap));
		if (!heap)
			return -ENOMEM;
		q->heap = heap;
		q->run_room = room;
	}
	for (i = q->runs++; i; i = parent) {
		parent = (i - 1) / 2;
		if (!is_before(at(q, place), at(q, q->heap[parent])))
			break;
		q->heap[i] = q->heap[parent];
	}
	q->heap[i] = place;
	is_recent(q, FTRACE_ORDER_RUNS - 1, place);
	return 0;
}

/* The run at the top begins at @place now. */
static void set_top(struct ftrace_order *q, uint32_t place)
{
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < q->runs) {
		if (child + 1 < q->runs &&
		    is_before(at(q, q->heap[child + 1]), at(q, q->heap[child])))
			child++;
		if (!is_before(at(q, q->heap[child]), at(q, place)))
			break;
		q->heap[i] = q->heap[child];
		i = child;
	}
	q->heap[i] = place;
}

/* Its last event, at @place, is gone. */
static void remove_top(struct ftrace_order *q, uint32_t place)
{
	unsigned int i;

	for (i = 0; i < FTRACE_ORDER_RUNS; i++)
		if (q->recent[i] == place)
			q->recent[i] = 0;
	if (--q->runs)
		set_top(q, q->heap[q->runs]);
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
		set_top(q, next);
	else
		remove_top(q, place);
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
