// SPDX-License-Identifier: GPL-2.0-or-later
/* throttled.c - see throttled.h. */
#include <string.h>

#include "throttled.h"

static void forget_first(struct report_throttled *t)
{
	t->ns += t->recent[0].to - t->recent[0].from;
	t->until = t->recent[0].to;
	t->periods++;
	t->count--;
	memmove(t->recent, t->recent + 1, t->count * sizeof(*t->recent));
}

void report_throttled_add(struct report_throttled *t, uint64_t from, uint64_t to)
{
	const struct report_period *last;

	from = from < t->until ? t->until : from;
	if (from >= to)
		return;
	for (; t->count; t->count--) {
		last = &t->recent[t->count - 1];
		if (last->to < from)
			break;
		from = last->from < from ? last->from : from;
		to = last->to > to ? last->to : to;
	}
	if (t->count == REPORT_PERIODS)
		forget_first(t);
	t->recent[t->count++] = (struct report_period){ from, to };
}

void report_throttled_end(struct report_throttled *t)
{
	while (t->count)
		forget_first(t);
}
