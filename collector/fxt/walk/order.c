// SPDX-License-Identifier: GPL-2.0-or-later
/* order.c - see order.h. */
#include <stdlib.h>
#include <string.h>

#include "libfxt/heap.h"
#include "libfxt/huge.h"
#include "terminal/memory.h"
#include "order.h"

static struct order_key *at(const struct order *q, uint32_t place)
{
	return (struct order_key *)(void *)(q->events + (place - 1) * q->size);
}

static inline bool is_before(const struct order *q, uint32_t x, uint32_t y)
{
	const struct order_key *a = at(q, x), *b = at(q, y);

	if (a->ns != b->ns)
		return a->ns < b->ns;
	return a->rank != b->rank ? a->rank < b->rank : a->number < b->number;
}

/* Unused memory costs nothing, but growing splits huge pages. So all is taken at once. */
static void *new_pages(size_t count, size_t size)
{
	void *pages = must(reallocarray(NULL, count, size));

	huge_advise(pages, count * size);
	return pages;
}

static uint32_t new_place(struct order *q)
{
	uint32_t place = q->free;

	if (place) {
		q->free = q->next[place - 1];
		return place;
	}
	if (!q->used) {
		q->events = new_pages(q->room, q->size);
		q->next = new_pages(q->room, sizeof(*q->next));
	}
	return ++q->used;
}

/*
 * Put @place, the last one of a run that grew, in front of @recent. It replaces @recent[@i]: the
 * former last place of the run, or the one used least recently.
 */
static void is_recent(struct order *q, unsigned int i, uint32_t place)
{
	for (; i; i--)
		q->recent[i] = q->recent[i - 1];
	q->recent[0] = place;
}

static bool add_to_run(struct order *q, uint32_t place)
{
	unsigned int i;
	uint32_t last;

	for (i = 0; i < ORDER_RUNS; i++) {
		last = q->recent[i];
		if (!last || is_before(q, place, last))
			continue;
		q->next[last - 1] = place;
		is_recent(q, i, place);
		return true;
	}
	return false;
}

void order_add(struct order *q, const void *event, uint64_t rank)
{
	uint32_t place = new_place(q);

	memcpy(at(q, place), event, q->size);
	at(q, place)->rank = rank;
	at(q, place)->number = q->number++;
	q->next[place - 1] = 0;
	q->count++;
	if (add_to_run(q, place))
		return;
	array_hold(q->heap, q->run_room, q->runs + 1);
	heap_push(q->heap, q->runs, place, is_before, q);
	is_recent(q, ORDER_RUNS - 1, place);
}

void *order_first(const struct order *q)
{
	return q->count ? at(q, q->heap[0]) : NULL;
}

void *order_pop(struct order *q)
{
	uint32_t place, next, i;

	if (!q->count)
		return NULL;
	place = q->heap[0];
	next = q->next[place - 1];
	for (i = 0; !next && i < ORDER_RUNS; i++)
		if (q->recent[i] == place)
			q->recent[i] = 0;
	if (next)
		heap_set_top(q->heap, q->runs, next, is_before, q);
	else
		heap_pop(q->heap, q->runs, is_before, q);
	q->next[place - 1] = q->free;
	q->free = place;
	q->count--;
	return at(q, place);
}

void order_free(struct order *q)
{
	free(q->events);
	free(q->next);
	free(q->heap);
}
