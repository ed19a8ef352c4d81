// SPDX-License-Identifier: GPL-2.0-or-later
/* order.c - see order.h. */
#include <errno.h>
#include <stdlib.h>

#include "order.h"

#define FIRST_ROOM	1024

static bool is_before(const struct ftrace_event *a, const struct ftrace_event *b)
{
	if (a->ns != b->ns)
		return a->ns < b->ns;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->rank == FTRACE_BEGINS ? a->number > b->number : a->number < b->number;
}

int ftrace_order_add(struct ftrace_order *q, const struct ftrace_event *e)
{
	size_t i, parent, room = q->room ? q->room * 2 : FIRST_ROOM;
	struct ftrace_event *more;

	if (q->count == q->room) {
		more = realloc(q->events, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		q->events = more;
		q->room = room;
	}
	for (i = q->count++; i; i = parent) {
		parent = (i - 1) / 2;
		if (!is_before(e, &q->events[parent]))
			break;
		q->events[i] = q->events[parent];
	}
	q->events[i] = *e;
	return 0;
}

bool ftrace_order_take(struct ftrace_order *q, struct ftrace_event *e)
{
	const struct ftrace_event *last;
	size_t i = 0, child;

	if (!q->count)
		return false;
	*e = q->events[0];
	last = &q->events[--q->count];
	while ((child = 2 * i + 1) < q->count) {
		if (child + 1 < q->count &&
		    is_before(&q->events[child + 1], &q->events[child]))
			child++;
		if (!is_before(&q->events[child], last))
			break;
		q->events[i] = q->events[child];
		i = child;
	}
	q->events[i] = *last;
	return true;
}
