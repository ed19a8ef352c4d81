// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - nested slices, on tracks.
 *
 * In: instant, duration and async events in the order of time.
 * Out: rows of slice, with depth and parent, and of their tracks. Each thread with events has a
 * track. Each async operation has one while it is open, which has all slices and instants with its
 * id (walk/ids.h), whatever their names; a later operation with the same id gets another track.
 *
 * Each track has a stack of open slices. Complete events stay on it until they end.
 * Must hold: no stack is deeper than TABLE_MAX_DEPTH, and all together hold no more than
 * TABLE_MAX_OPEN; slices beyond that are counted, and their ends are not mistaken for those
 * of others.
 */
#include <inttypes.h>
#include <stdio.h>

#include "table.h"
#include "walk/order.h"
#include "walk/slices.h"

/** struct table_slice - a slice on a stack; the row of one with an end has been written */
struct table_slice {
	struct slice slice;		/* its name: that of @name */
	int64_t id;
	struct table_name *category;
	struct table_name *name;
	int64_t args;			/* arg_set_id, 0 if there is none yet */
};

/** struct table_track - a track, on which slices nest */
struct table_track {
	int64_t id;
	struct slice *top;
	uint32_t depth;			/* number of slices */
	uint64_t left_out;		/* begins that a full stack had no room for */
	bool has_instant;		/* no slice began or ended after this: */
	struct flow_place instant;
};

/** struct table_event - an event that waits for its turn */
struct table_event {
	uint64_t time;			/* ns */
	uint64_t word;			/* the end in ns, or the id */
	struct table_thread *thread;
	struct table_name *category;
	struct table_name *name;
	enum fxt_kind kind;
	unsigned int arg_count;
	struct table_arg args[];
};

static struct table_slice *table_slice(struct slice *s)
{
	return (struct table_slice *)s;
}

/* @depth: slices around it */
static void slice_row(struct tables *t, const struct table_track *track, uint32_t depth,
		      const struct table_slice *s, int64_t dur)
{
	const struct table_slice *parent = table_slice(s->slice.outer);

	TABLE_ROW(t, TABLE_SLICE, cell_int(s->id), cell_int(table_time(t, s->slice.begin)),
		  cell_int(dur), cell_int(track->id), cell_name(s->category),
		  cell_name(s->name), cell_int(depth),
		  parent ? cell_int(parent->id) : cell_null(), cell_id(s->args));
}

static int64_t duration(struct tables *t, const struct slice *s)
{
	return table_time(t, s->end) - table_time(t, s->begin);
}

/* Remove a slice, whose row has been written. */
static void drop(struct tables *t, struct table_track *track, struct slice **at)
{
	struct table_slice *s = table_slice(slice_remove(at));

	table_name_put(t, s->category);
	table_name_put(t, s->name);
	free(s);
	track->depth--;
	t->open--;
}

/*
 * Remove complete slices from the top that ended before @ns, and if @closed, those that end at
 * @ns.
 */
static void drop_over(struct tables *t, struct table_track *track, uint64_t ns,
		      bool closed)
{
	while (track->top && (track->top->end < ns || (track->top->end == ns && closed)))
		drop(t, track, &track->top);
}

static bool has_room(struct tables *t, const struct table_track *track)
{
	if (track->depth >= TABLE_MAX_DEPTH)
		t->stats[STAT_SLICE_DEPTH]++;
	else if (t->open >= TABLE_MAX_OPEN)
		t->stats[STAT_SLICE_OPEN]++;
	else
		return true;
	return false;
}

/* The end of a slice, which is not before its begin. */
static uint64_t end_of(struct tables *t, uint64_t begin, uint64_t end)
{
	t->stats[STAT_SLICE_NEGATIVE] += end < begin;
	end -= end == SLICE_OPEN;
	return end < begin ? begin : end;
}

static void begin_slice(struct tables *t, struct table_track *track,
			const struct table_event *e)
{
	bool complete = e->kind == FXT_KIND_DURATION_COMPLETE;
	struct table_slice *s;

	drop_over(t, track, e->time, true);
	track->has_instant = false;
	if (!has_room(t, track)) {
		track->left_out += !complete;
		return;
	}
	s = must(malloc(sizeof(*s)));
	*s = (struct table_slice){
		.slice = {
			.begin = e->time,
			.end = complete ? end_of(t, e->time, e->word) : SLICE_OPEN,
			.name = (uintptr_t)e->name,
		},
		.id = table_id(t, TABLE_SLICE),
		.category = table_name_ref(e->category),
		.name = table_name_ref(e->name),
		.args = table_args(t, e->args, e->arg_count, 0),
	};
	slice_push(&track->top, &s->slice);
	if (complete) {
		/* Perfetto drops these, but then nobody would see them. */
		if (s->slice.outer && s->slice.outer->end < s->slice.end)
			t->stats[STAT_SLICE_OVERLAP]++;
		slice_row(t, track, track->depth, s, duration(t, &s->slice));
	}
	track->depth++;
	t->open++;
}

/* A slice ends, whatever its name; of operations, preferably one with the name of the event. */
static void end_slice(struct tables *t, struct table_track *track, const struct table_event *e)
{
	struct slice **at = &track->top, *ended;
	struct table_slice *s;
	uint32_t depth;

	track->has_instant = false;
	if (track->left_out) {
		track->left_out--;
		return;
	}
	ended = e->kind == FXT_KIND_ASYNC_END ? *slice_named(at, (uintptr_t)e->name) :
						*slice_innermost(at);
	if (!ended) {
		t->stats[STAT_SLICE_END]++;
		return;
	}
	while (track->top->end != SLICE_OPEN)
		drop(t, track, &track->top);
	for (depth = track->depth; *at != ended; at = &(*at)->outer)
		depth--;
	s = table_slice(ended);
	s->args = table_args(t, e->args, e->arg_count, s->args);
	ended->end = end_of(t, ended->begin, e->time);
	slice_row(t, track, depth - 1, s, duration(t, ended));
	drop(t, track, at);
}

static void instant(struct tables *t, struct table_track *track,
		    const struct table_event *e)
{
	struct table_slice s = {
		.slice.begin = e->time,
		.id = table_id(t, TABLE_SLICE),
		.category = e->category,
		.name = e->name,
		.args = table_args(t, e->args, e->arg_count, 0),
	};

	drop_over(t, track, e->time, true);
	s.slice.outer = track->top;
	slice_row(t, track, track->depth, &s, 0);
	track->has_instant = true;
	track->instant = (struct flow_place){ s.id, e->time };
}

/* --- tracks -------------------------------------------------------------------- */

static struct table_track *thread_track(struct tables *t, struct table_thread *thread)
{
	struct table_cell id, type = cell_str("thread_execution");

	if (!thread->track) {
		thread->track = new_zero(struct table_track);
		thread->track->id = table_id(t, TABLE_TRACK);
		id = cell_int(thread->track->id);
		TABLE_ROW(t, TABLE_TRACK, id, cell_null(), type, cell_null());
		TABLE_ROW(t, TABLE_THREAD_TRACK, id, cell_null(), type, cell_null(),
			  cell_int(thread->utid));
	}
	return thread->track;
}

static struct table_track *operation_track(struct tables *t, struct table_process *process,
					   const struct table_event *e)
{
	struct table_cell id, name = cell_name(e->name), type = cell_str("fuchsia_async");
	struct table_track *track = new_zero(struct table_track);

	track->id = table_id(t, TABLE_TRACK);
	id = cell_int(track->id);
	TABLE_ROW(t, TABLE_TRACK, id, name, type, cell_null());
	TABLE_ROW(t, TABLE_PROCESS_TRACK, id, name, type, cell_null(),
		  process ? cell_int(process->upid) : cell_null());
	return track;
}

static void track_free(struct tables *t, struct table_track *track)
{
	while (track->top)
		drop(t, track, &track->top);
	free(track);
}

/*
 * Find or begin the operation of an event; an instant outside of operations gets a track of its
 * own. Return: NULL if there is none, or no room
 */
static struct ids_one *operation_of(struct tables *t, const struct table_event *e)
{
	struct table_process *process = e->thread->process;
	uint64_t upid = process ? process->upid : 0;
	struct ids_one *one = NULL;

	if (e->kind != FXT_KIND_ASYNC_BEGIN)
		one = ids_find(&t->operations, upid, e->word, NULL);
	if (one || e->kind == FXT_KIND_ASYNC_END) {
		t->stats[STAT_SLICE_END] += !one;
		return one;
	}
	one = ids_begin(&t->operations, upid, e->word);
	if (!one)
		t->stats[STAT_SLICE_OPEN]++;
	else if (!one->data)
		one->data = operation_track(t, process, e);
	return one;
}

/* Take the next instant, duration or async event, in the order of time. */
static void slice_event(struct tables *t, const struct table_event *e)
{
	bool is_async = e->kind >= FXT_KIND_ASYNC_BEGIN && e->kind <= FXT_KIND_ASYNC_END;
	struct ids_one *one = e->thread && is_async ? operation_of(t, e) : NULL;
	struct table_track *track;

	if (!e->thread || (is_async && !one))
		return;
	track = one ? one->data : thread_track(t, e->thread);
	switch (e->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_ASYNC_INSTANT:
		instant(t, track, e);
		break;
	case FXT_KIND_DURATION_END:
	case FXT_KIND_ASYNC_END:
		end_slice(t, track, e);
		break;
	default:
		begin_slice(t, track, e);
	}
	if (one && !track->depth && !track->left_out) {
		track_free(t, track);
		ids_end(&t->operations, one);
	}
}

/*
 * The slice, or instant, that a part of a flow of a thread belongs to. Like Perfetto's, it is the
 * topmost one, even if it has ended, until another one begins or ends. Return: is there one?
 */
static bool flow_place(const struct table_thread *thread, struct flow_place *at)
{
	const struct table_track *track = thread ? thread->track : NULL;
	const struct table_slice *s = track ? table_slice(track->top) : NULL;

	if (track && track->has_instant)
		*at = track->instant;
	else if (s)
		*at = (struct flow_place){ s->id, s->slice.begin };
	return s || (track && track->has_instant);
}

/* Output rows of slices that are still open, the outer ones first. @depth: slices around @s */
static void finish_slices(struct tables *t, const struct table_track *track, struct slice *s,
			  uint32_t depth)
{
	if (s->outer)
		finish_slices(t, track, s->outer, depth - 1);
	if (s->end == SLICE_OPEN)
		slice_row(t, track, depth, table_slice(s), -1);
}

static void end_track(void *data, void *tables)
{
	struct table_track *track = data;

	if (track->top)
		finish_slices(tables, track, track->top, track->depth - 1);
	track_free(tables, track);
}

static void end_tracks(struct tables *t)
{
	struct table_thread *thread;

	for (thread = t->thread_list; thread; thread = thread->next)
		if (thread->track)
			end_track(thread->track, t);
	ids_free(&t->operations, end_track, t);
}

/* --- counters, and flows from slice to slice --------------------------------------------- */

/** struct series - a series of a counter, which has a track */
struct series {
	struct map_node node;
	struct table_process *process;
	struct table_name *name;	/* of the event */
	struct table_name *key;		/* of the argument */
	uint64_t id;
	int64_t track;
};

/* "NAME:ARGUMENT:ID", as in Perfetto. */
static struct table_name *series_name(struct tables *t, const struct series *s)
{
	struct table_name *n;
	char *text;
	int bytes;

	bytes = asprintf(&text, "%.*s:%.*s:%" PRIu64, s->name ? (int)s->name->length : 0,
			 s->name ? s->name->bytes : "", s->key ? (int)s->key->length : 0,
			 s->key ? s->key->bytes : "", s->id);
	if (bytes < 0)
		memory_ran_out();
	n = table_name(t, text, bytes);
	free(text);
	return n;
}

static void series_rows(struct tables *t, const struct series *s)
{
	struct table_name *n = series_name(t, s);
	struct table_cell id = cell_int(s->track), name = cell_name(n),
			  type = cell_str("process_counter");

	TABLE_ROW(t, TABLE_TRACK, id, name, type, cell_null());
	TABLE_ROW(t, TABLE_COUNTER_TRACK, id, name, type, cell_null(), cell_null());
	TABLE_ROW(t, TABLE_PROCESS_COUNTER_TRACK, id, name, type, cell_null(), cell_null(),
		  s->process ? cell_int(s->process->upid) : cell_null());
	table_name_put(t, n);
}

static struct series *series_of(struct tables *t, const struct table_event *e,
				struct table_name *key)
{
	struct table_process *process = e->thread->process;
	uint64_t hash = map_hash(map_hash((uintptr_t)e->name, e->word),
				 map_hash((uintptr_t)key, (uintptr_t)process));
	struct series *s;

	if (map_find(&t->counters, hash, s, s->process == process && s->name == e->name &&
		     s->key == key && s->id == e->word) ||
	    !table_has_room(t, t->counters.count, STAT_COUNTER_LEFT_OUT))
		return s;
	must(map_new(&t->counters, hash, s));
	s->process = process;
	s->name = table_name_ref(e->name);
	s->key = table_name_ref(key);
	s->id = e->word;
	s->track = table_id(t, TABLE_TRACK);
	series_rows(t, s);
	return s;
}

static void counter_event(struct tables *t, const struct table_event *e)
{
	struct series *s;
	unsigned int i;

	if (!e->thread)
		return;
	for (i = 0; i < e->arg_count; i++) {
		if (!e->args[i].numeric) {
			t->stats[STAT_COUNTER_TYPE]++;
			continue;
		}
		s = series_of(t, e, e->args[i].key);
		if (s)
			TABLE_ROW(t, TABLE_COUNTER, cell_int(table_id(t, TABLE_COUNTER)),
				  cell_int(table_time(t, e->time)), cell_int(s->track),
				  cell_real(e->args[i].number), cell_null());
	}
}

/*
 * Write the arrow of a step or end, from the slice of the begin or of the last step. Like
 * Perfetto's, it points from the slice that began earlier.
 */
static void flow_row(struct tables *t, const struct flow_place *from, const struct flow_place *to)
{
	bool is_reversed = from->begin > to->begin;

	TABLE_ROW(t, TABLE_FLOW, cell_int(table_id(t, TABLE_FLOW)),
		  cell_int(is_reversed ? to->slice : from->slice),
		  cell_int(is_reversed ? from->slice : to->slice));
}

static void flow_event(struct tables *t, const struct table_event *e)
{
	static const enum table_stat stats[] = {
		[FLOW_FULL] = STAT_FLOW_LEFT_OUT, [FLOW_TWICE] = STAT_FLOW_DUPLICATE,
		[FLOW_NO_SLICE] = STAT_FLOW_SLICE, [FLOW_AMBIGUOUS] = STAT_FLOW_AMBIGUOUS,
	};
	uint64_t process = e->thread && e->thread->process ? e->thread->process->upid : 0;
	struct flow_place at;
	bool has_slice = flow_place(e->thread, &at);
	struct flow_part part = ids_flow(&t->flows, e->kind, process, e->word,
					 has_slice ? &at : NULL);

	if (part.fate == FLOW_UNKNOWN || part.fate == FLOW_UNBOUND)
		t->stats[e->kind == FXT_KIND_FLOW_END ? STAT_FLOW_END : STAT_FLOW_STEP]++;
	else if (part.fate != FLOW_DRAWN)
		t->stats[stats[part.fate]]++;
	else if (e->kind != FXT_KIND_FLOW_BEGIN)
		flow_row(t, &part.from, &at);
}

/* --- events in the order of time --------------------------------------------------------- */

/*
 * An archive has duration complete events where they end, and buffers of several threads chunk by
 * chunk. So events wait in a window; one that comes too late for it is counted and handled at once.
 */

struct table_window {
	struct order order;
	uint64_t past;			/* ns, of the last event that left */
	size_t bytes;
};

struct waiting {
	struct order_key key;
	struct table_event *event;
};

static size_t event_bytes(const struct table_event *e)
{
	return sizeof(*e) + e->arg_count * sizeof(e->args[0]);
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

static void pop_first(struct tables *t)
{
	struct table_event *e = ((struct waiting *)order_pop(&t->window->order))->event;

	t->window->bytes -= event_bytes(e);
	if (e->time < t->window->past)
		t->stats[STAT_EVENT_LATE]++;
	else
		t->window->past = e->time;
	switch (e->kind) {
	case FXT_KIND_COUNTER:
		counter_event(t, e);
		break;
	case FXT_KIND_FLOW_BEGIN:
	case FXT_KIND_FLOW_STEP:
	case FXT_KIND_FLOW_END:
		flow_event(t, e);
		break;
	default:
		slice_event(t, e);
	}
	event_free(t, e);
}

void table_event(struct tables *t, const struct fxt_record *rec,
		 const struct fxt_content *c)
{
	struct table_event *e;
	unsigned int i;

	if (!t->window) {
		t->window = new_zero(struct table_window);
		t->window->order.size = sizeof(struct waiting);
		t->window->order.room = TABLE_WINDOW_EVENTS;
	}
	e = must(calloc(1, sizeof(*e) + c->arg_count * sizeof(e->args[0])));
	e->kind = c->kind;
	e->time = table_record_time(t, rec, c->time);
	if (c->kind == FXT_KIND_DURATION_COMPLETE) {
		e->word = fxt_ticks_to_ns(c->end, rec->provider->ticks_per_second);
		table_see(t, e->word);
	} else {
		e->word = c->id;
	}
	e->thread = table_thread_event(t, e->time, &c->thread);
	e->category = table_name_text(t, &c->category);
	e->name = table_name_text(t, &c->name);
	e->arg_count = c->arg_count;
	for (i = 0; i < c->arg_count; i++)
		table_arg_set(t, &e->args[i], &c->args[i], c->thread.process);
	while (order_is_full(&t->window->order) || t->window->bytes > TABLE_WINDOW_BYTES)
		pop_first(t);
	t->window->bytes += event_bytes(e);
	/*
	 * Of complete events that begin at the same time, the longest comes first, and before all
	 * other events, because it encloses them.
	 */
	order_add(&t->window->order, &(struct waiting){ { .ns = e->time }, e },
		  e->kind == FXT_KIND_DURATION_COMPLETE ? ~e->word : UINT64_MAX);
}

void table_events_finish(struct tables *t)
{
	while (t->window && t->window->order.count)
		pop_first(t);
	if (t->window)
		order_free(&t->window->order);
	end_tracks(t);
	map_free_all(&t->counters, struct series);
	ids_free(&t->flows, NULL, NULL);
	free(t->window);
}
