// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * events.c - events in the order of time.
 *
 * In: events in the order of the archive: duration complete events at their end, and buffers
 * of several threads chunk by chunk.
 * Out: the same events in the order of time, so that slices nest as they did; each goes to
 * the file that makes rows of its kind.
 * Must hold: no more than a window of events waits (TABLE_WINDOW_*); an event that comes too
 * late for it is counted and handled at once.
 *
 * The window is a binary heap.
 */
#include "table.h"

struct table_window {
	uint64_t sequence;
	uint64_t past;			/* ns, of the last event that left */
	size_t bytes;
	uint32_t count;
	struct table_event *heap[TABLE_WINDOW_EVENTS];
};

static size_t event_bytes(const struct table_event *e)
{
	return sizeof(*e) + e->arg_count * sizeof(e->args[0]);
}

/*
 * Of complete events that begin at the same time, the longest comes first, and before all
 * other events, because it encloses them.
 */
static bool before(const struct table_event *a, const struct table_event *b)
{
	bool a_complete = a->kind == FXT_KIND_DURATION_COMPLETE;
	bool b_complete = b->kind == FXT_KIND_DURATION_COMPLETE;

	if (a->time != b->time)
		return a->time < b->time;
	if (a_complete != b_complete)
		return a_complete;
	if (a_complete && a->word != b->word)
		return a->word > b->word;
	return a->sequence < b->sequence;
}

static void push(struct table_window *w, struct table_event *e)
{
	uint32_t i = w->count++, up;

	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!before(e, w->heap[up]))
			break;
		w->heap[i] = w->heap[up];
	}
	w->heap[i] = e;
	w->bytes += event_bytes(e);
}

static struct table_event *pop(struct table_window *w)
{
	struct table_event *first = w->heap[0], *last = w->heap[--w->count];
	uint32_t i = 0, down;

	for (;; i = down) {
		down = 2 * i + 1;
		if (down >= w->count)
			break;
		if (down + 1 < w->count && before(w->heap[down + 1], w->heap[down]))
			down++;
		if (!before(w->heap[down], last))
			break;
		w->heap[i] = w->heap[down];
	}
	w->heap[i] = last;
	w->bytes -= event_bytes(first);
	return first;
}

static void event_free(struct tables *t, struct table_event *e)
{
	unsigned int i;

	for (i = 0; i < e->arg_count; i++)
		table_arg_put(t, &e->args[i]);
	table_name_put(t, e->category);
	table_name_put(t, e->name);
	free(e);
}

static void take_first(struct tables *t)
{
	struct table_event *e = pop(t->window);

	if (e->time < t->window->past)
		t->stats[STAT_EVENT_LATE]++;
	else
		t->window->past = e->time;
	switch (e->kind) {
	case FXT_KIND_COUNTER:
		table_counter_event(t, e);
		break;
	case FXT_KIND_FLOW_BEGIN:
	case FXT_KIND_FLOW_STEP:
	case FXT_KIND_FLOW_END:
		table_flow_event(t, e);
		break;
	default:
		table_slice_event(t, e);
	}
	event_free(t, e);
}

void table_event(struct tables *t, const struct fxt_record *rec,
		 const struct fxt_content *c)
{
	struct table_event *e;
	unsigned int i;

	if (!t->window)
		t->window = table_alloc(t, sizeof(*t->window));
	e = table_alloc(t, sizeof(*e) + c->arg_count * sizeof(e->args[0]));
	if (!t->window || !e) {
		free(e);
		return;
	}
	e->kind = c->kind;
	e->time = table_record_time(t, rec, c->time);
	if (c->kind == FXT_KIND_DURATION_COMPLETE) {
		e->word = fxt_ticks_to_ns(c->end, rec->provider->ticks_per_second);
		table_see(t, e->word);
	} else {
		e->word = c->id;
	}
	e->sequence = t->window->sequence++;
	e->thread = table_thread_event(t, e->time, &c->thread);
	e->category = table_name_text(t, &c->category);
	e->name = table_name_text(t, &c->name);
	e->arg_count = c->arg_count;
	for (i = 0; i < c->arg_count; i++)
		table_arg_take(t, &e->args[i], &c->args[i], c->thread.process);
	while (t->window->count == TABLE_WINDOW_EVENTS ||
	       (t->window->count && t->window->bytes > TABLE_WINDOW_BYTES))
		take_first(t);
	push(t->window, e);
}

void table_events_finish(struct tables *t)
{
	while (t->window && t->window->count && !t->error)
		take_first(t);
}

void table_events_free(struct tables *t)
{
	while (t->window && t->window->count)
		event_free(t, pop(t->window));
	free(t->window);
	t->window = NULL;
}
