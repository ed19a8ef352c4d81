// SPDX-License-Identifier: GPL-2.0-or-later
/* calls.c - see calls.h. */
#include <errno.h>
#include <stdlib.h>

#include "calls.h"

struct report_call *report_call_of(struct report_calls *c, struct sched_source *of)
{
	unsigned int room = c->room ? 2 * c->room : 8, i;
	struct report_call *more;

	for (i = 0; i < c->count; i++)
		if (c->list[i].of == of)
			return &c->list[i];
	if (c->count == c->room) {
		more = reallocarray(c->list, room, sizeof(*more));
		if (!more)
			return NULL;
		c->list = more;
		c->room = room;
	}
	c->list[c->count] = (struct report_call){ .of = of };
	return &c->list[c->count++];
}

static bool is_longer(const struct report_call *call, const struct report_call *than)
{
	if (!call->count || !than->count)
		return call->count;
	if (call->longest != than->longest)
		return call->longest > than->longest;
	return call->longest_time < than->longest_time;
}

int report_calls_add(struct report_calls *to, const struct report_calls *from)
{
	const struct report_call *call;
	struct report_call *sum;
	size_t i;

	for (i = 0; i < from->count; i++) {
		call = &from->list[i];
		sum = report_call_of(to, call->of);
		if (!sum)
			return -ENOMEM;
		if (is_longer(call, sum)) {
			sum->longest = call->longest;
			sum->longest_time = call->longest_time;
			sum->longest_cpu = call->longest_cpu;
		}
		sum->count += call->count;
		sum->errors += call->errors;
		sum->total += call->total;
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct report_call *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->of->id < y->of->id ? -1 : 1;
}

void report_calls_sort(struct report_calls *c)
{
	if (c->count)
		qsort(c->list, c->count, sizeof(*c->list), by_time);
}

void report_calls_free(struct report_calls *c)
{
	free(c->list);
}
