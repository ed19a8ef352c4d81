// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window.c - see window.h.
 *
 * Lines are nearly always in order, so their events go through a ring. Only those that are late are
 * sorted.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "window.h"

static bool is_before(const struct ftrace_window *w, uint32_t a, uint32_t b)
{
	const struct ftrace_window_event *x = &w->all[a], *y = &w->all[b];

	return x->e.ns != y->e.ns ? x->e.ns < y->e.ns : x->number < y->number;
}

static void push_late(struct ftrace_window *w, uint32_t place)
{
	uint32_t i = w->heap_count++;

	for (; i && is_before(w, place, w->heap[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap[i] = w->heap[(i - 1) / 2];
	w->heap[i] = place;
}

static uint32_t pop_late(struct ftrace_window *w)
{
	uint32_t first = w->heap[0], last = w->heap[--w->heap_count], i = 0, child;

	for (; (child = 2 * i + 1) < w->heap_count; i = child) {
		if (child + 1 < w->heap_count && is_before(w, w->heap[child + 1], w->heap[child]))
			child++;
		if (!is_before(w, w->heap[child], last))
			break;
		w->heap[i] = w->heap[child];
	}
	w->heap[i] = last;
	return first;
}

static uint32_t pop_ring(struct ftrace_window *w)
{
	uint32_t first = w->ring[w->ring_first];

	w->ring_first = (w->ring_first + 1) % FTRACE_WINDOW;
	w->ring_count--;
	return first;
}

static uint32_t held(const struct ftrace_window *w)
{
	return w->ring_count + w->heap_count;
}

/* The oldest event. */
static int take_one(struct ftrace_window *w)
{
	bool is_late = w->heap_count &&
		       (!w->ring_count || is_before(w, w->heap[0], w->ring[w->ring_first]));
	uint32_t place = is_late ? pop_late(w) : pop_ring(w);

	w->unused[FTRACE_WINDOW - 1 - held(w)] = place;
	w->taken = w->all[place].e.ns;
	return w->take(w->arg, &w->all[place].e);
}

static int open_window(struct ftrace_window *w)
{
	uint32_t i;

	w->all = malloc(FTRACE_WINDOW * sizeof(*w->all));
	w->unused = malloc(FTRACE_WINDOW * sizeof(*w->unused));
	w->ring = malloc(FTRACE_WINDOW * sizeof(*w->ring));
	w->heap = malloc(FTRACE_WINDOW * sizeof(*w->heap));
	if (!w->all || !w->unused || !w->ring || !w->heap)
		return -ENOMEM;
	for (i = 0; i < FTRACE_WINDOW; i++)
		w->unused[i] = FTRACE_WINDOW - 1 - i;
	return 0;
}

int ftrace_window_add(struct ftrace_window *w, const struct trace_event *e)
{
	int ret = w->heap ? 0 : open_window(w);
	uint32_t place;

	if (!ret && held(w) == FTRACE_WINDOW)
		ret = take_one(w);
	if (ret)
		return ret;
	w->disordered += e->ns < w->newest;
	if (e->ns < w->taken)
		return w->late(w->arg, e);
	place = w->unused[FTRACE_WINDOW - 1 - held(w)];
	w->all[place].number = w->number++;
	w->all[place].e = *e;
	if (e->ns < w->newest) {
		push_late(w, place);
		return 0;
	}
	w->newest = e->ns;
	w->ring[(w->ring_first + w->ring_count++) % FTRACE_WINDOW] = place;
	return 0;
}

int ftrace_window_finish(struct ftrace_window *w)
{
	int ret = 0;

	while (!ret && held(w))
		ret = take_one(w);
	return ret;
}

void ftrace_window_close(struct ftrace_window *w)
{
	free(w->all);
	free(w->unused);
	free(w->ring);
	free(w->heap);
}
