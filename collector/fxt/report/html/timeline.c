// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline.c - see timeline.h.
 */
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

void html_begin_at(struct report_html *h, uint64_t time)
{
	size_t i;

	if (h->has_origin)
		return;
	h->has_origin = true;
	h->origin = h->end = h->loss = h->slice = h->moment = h->counter = h->stack = time;
	for (i = 0; i < HTML_CPUS; i++)
		h->idle_end[i] = time;
}

struct html_thread *html_thread_of(struct report_html *h, const struct sched_thread *t)
{
	size_t room = h->room ? h->room : 256;
	struct html_thread *more;

	while (room <= t->id)
		room *= 2;
	if (room > h->room) {
		more = reallocarray(h->threads, room, sizeof(*more));
		if (!more)
			return NULL;
		memset(more + h->room, 0, (room - h->room) * sizeof(*more));
		h->threads = more;
		h->room = room;
	}
	if (!h->threads[t->id].sched)
		h->threads[t->id] = (struct html_thread){ .sched = t, .end = h->origin };
	return &h->threads[t->id];
}
