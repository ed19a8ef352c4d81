// SPDX-License-Identifier: GPL-2.0-or-later
/* order.c - see order.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

#define FIRST_ROOM	4096

static int by_time(const void *a, const void *b)
{
	const struct perf_order_event *x = a, *y = b;

	if (x->e.ns != y->e.ns)
		return x->e.ns < y->e.ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* All up to @limit, but no more than @most. */
static int emit(struct perf_order *o, uint64_t limit, size_t most)
{
	size_t i;
	int ret = 0;

	if (!o->count)
		return 0;
	qsort(o->events, o->count, sizeof(*o->events), by_time);
	for (i = 0; i < o->count && i < most && o->events[i].e.ns <= limit && !ret; i++) {
		ret = o->take(o->arg, &o->events[i].e);
		free((void *)o->events[i].e.frames);
	}
	o->count -= i;
	memmove(o->events, o->events + i, o->count * sizeof(*o->events));
	return ret;
}

int perf_order_add(struct perf_order *o, const struct trace_event *e)
{
	size_t room = o->room ? o->room * 2 : FIRST_ROOM;
	struct perf_order_event *more;
	int ret;

	if (o->count == PERF_ORDER_EVENTS) {
		ret = emit(o, UINT64_MAX, PERF_ORDER_EVENTS / 2);
		if (ret)
			return ret;
	}
	if (o->count == o->room) {
		more = realloc(o->events, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		o->events = more;
		o->room = room;
	}
	o->events[o->count++] = (struct perf_order_event){ o->number++, *e };
	o->newest = e->ns > o->newest ? e->ns : o->newest;
	return 0;
}

int perf_order_round(struct perf_order *o)
{
	int ret = emit(o, o->limit, SIZE_MAX);

	o->limit = o->newest;
	return ret;
}

int perf_order_finish(struct perf_order *o)
{
	return emit(o, UINT64_MAX, SIZE_MAX);
}

void perf_order_close(struct perf_order *o)
{
	size_t i;

	for (i = 0; i < o->count; i++)
		free((void *)o->events[i].e.frames);
	free(o->events);
}
