// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - nested slices, on tracks.
 *
 * In: instant, duration and async events in the order of time.
 * Out: rows of slice, with depth and parent, and their tracks. Each thread with events has a track.
 * Tracks of asynchronous operations, and slices on them, are Perfetto's (walk/operations.h).
 *
 * Each track has a stack of open slices. Complete events stay on it until they end.
 * Must hold: no stack exceeds TABLE_MAX_DEPTH, all together do not exceed TABLE_MAX_OPEN. Slices
 * beyond that are counted, and the ends of those of threads do not end other slices.
 */
#include <inttypes.h>
#include <stdio.h>

#include "table.h"
#include "walk/nest.h"
#include "walk/slices.h"

/* A slice on a stack. On a thread's stack, the row of a complete slice has been written. */
struct table_slice {
	struct slice slice;
	int64_t id;
	struct table_name *category;
	struct table_name *name;
	int64_t args;			/* arg_set_id, 0: none yet */
	/* Of operations, at the begin: */
	int64_t track;
	int64_t parent;			/* id, or 0 */
	uint32_t depth;
};

/* The track of a thread, on which slices nest. */
struct table_track {
	int64_t id;
	struct slice *top;
	uint32_t depth;			/* number of slices */
	uint64_t left_out;		/* begins that did not fit a full stack */
	bool has_instant;		/* no slice has begun or ended since @instant */
	struct flow_place instant;
};

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

static void put_row(struct tables *t, const struct table_slice *s, int64_t track, uint32_t depth,
		    int64_t parent, int64_t dur)
{
	TABLE_ROW(t, TABLE_SLICE, cell_int(s->id), cell_int(table_time(t, s->slice.begin)),
		  cell_int(dur), cell_int(track), cell_name(s->category), cell_name(s->name),
		  cell_int(depth), cell_id(parent), cell_id(s->args));
}

/* @depth: slices around it */
static void slice_row(struct tables *t, const struct table_track *track, uint32_t depth,
		      const struct table_slice *s, int64_t dur)
{
	const struct table_slice *parent = table_slice(s->slice.outer);

	put_row(t, s, track->id, depth, parent ? parent->id : 0, dur);
}

static int64_t duration(struct tables *t, const struct slice *s)
{
	return table_time(t, s->end) - table_time(t, s->begin);
}

static void fill_slice(struct tables *t, struct table_slice *s, const struct table_event *e)
{
	s->id = table_id(t, TABLE_SLICE);
	s->category = table_name_ref(e->category);
	s->name = table_name_ref(e->name);
	s->args = table_args(t, e->args, e->arg_count, 0);
	t->open++;
}

static void free_slice(struct tables *t, struct table_slice *s)
{
	table_name_put(t, s->category);
	table_name_put(t, s->name);
	free(s);
	t->open--;
}

static void drop(struct tables *t, struct table_track *track, struct slice **at)
{
	free_slice(t, table_slice(slice_remove(at)));
	track->depth--;
}

/* Remove complete slices from the top that ended before @ns, or if @closed, at @ns. */
static void drop_over(struct tables *t, struct table_track *track, uint64_t ns,
		      bool closed)
{
	while (track->top && (track->top->end < ns || (track->top->end == ns && closed)))
		drop(t, track, &track->top);
}

/* @depth: slices on the stack */
static bool has_room(struct tables *t, uint32_t depth)
{
	if (depth >= TABLE_MAX_DEPTH)
		t->stats[STAT_SLICE_DEPTH]++;
	else if (t->open >= TABLE_MAX_OPEN)
		t->stats[STAT_SLICE_OPEN]++;
	else
		return true;
	return false;
}

/* Slices do not end before they begin. */
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
	if (!has_room(t, track->depth)) {
		track->left_out += !complete;
		return;
	}
	s = new_zero(struct table_slice);
	s->slice.begin = e->time;
	s->slice.end = complete ? end_of(t, e->time, e->word) : SLICE_OPEN;
	fill_slice(t, s, e);
	slice_push(&track->top, &s->slice);
	if (complete) {
			/* Perfetto drops overlapping slices; that would hide them. */
		if (s->slice.outer && s->slice.outer->end < s->slice.end)
			t->stats[STAT_SLICE_OVERLAP]++;
		slice_row(t, track, track->depth, s, duration(t, &s->slice));
	}
	track->depth++;
}

/* The name does not matter: the innermost slice ends. */
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
	ended = *slice_innermost(at);
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

/* --- asynchronous operations --------------------------------------------------------------- */

/* The event's track, which will have rows. Returns NULL if there is no room. */
static struct operation_track *operation_track(struct tables *t, const struct table_event *e)
{
	const struct table_process *process = e->thread->process;
	struct table_cell id, name, type = cell_str("fuchsia_async");
	struct operation_track *track;

	track = operations_track(&t->operations, e->kind, e->word, e->name ? e->name->bytes : "",
				 e->name ? e->name->length : 0);
	if (!track || track->user)
		return track;
	track->user = table_id(t, TABLE_TRACK);
	id = cell_int(track->user);
	name = cell_name(e->name);
	TABLE_ROW(t, TABLE_TRACK, id, name, type, cell_null());
	TABLE_ROW(t, TABLE_PROCESS_TRACK, id, name, type, cell_null(),
		  process ? cell_int(process->upid) : cell_null());
	return track;
}

static uint64_t hash_of(const struct table_event *e)
{
	return map_hash((uintptr_t)e->category, (uintptr_t)e->name);
}

static void begin_operation(struct tables *t, struct nest *n, const struct table_event *e,
			    int64_t track)
{
	struct table_slice *s;

	if (!has_room(t, 0))
		return;
	s = new_zero(struct table_slice);
	s->slice.begin = e->time;
	s->slice.end = e->kind == FXT_KIND_ASYNC_BEGIN ? SLICE_OPEN : e->time;
	s->slice.name = hash_of(e);
	if (nest_begin(n, &s->slice, t->operations.user)) {
		t->stats[STAT_SLICE_DEPTH]++;
		free(s);
		return;
	}
	fill_slice(t, s, e);
	s->track = track;
	s->parent = s->slice.outer ? table_slice(s->slice.outer)->id : 0;
	s->depth = n->depth - 1;
}

static void end_operation(struct tables *t, struct nest *n, const struct table_event *e)
{
	struct slice *ended = nest_end(n, e->time, hash_of(e), t->operations.user);
	struct table_slice *s = table_slice(ended);

	if (!ended) {
		t->stats[STAT_SLICE_END]++;
		return;
	}
	s->args = table_args(t, e->args, e->arg_count, s->args);
	nest_drop_ended(n, ended, t->operations.user);
}

static void operation_event(struct tables *t, const struct table_event *e)
{
	struct operation_track *track = operation_track(t, e);

	if (!track)
		t->stats[STAT_SLICE_OPEN]++;
	else if (e->kind == FXT_KIND_ASYNC_END)
		end_operation(t, &track->nest, e);
	else
		begin_operation(t, &track->nest, e, track->user);
}

/* Write the row of a slice that leaves its track. */
static void drop_operation(void *tables, struct slice *slice)
{
	struct table_slice *s = table_slice(slice);

	put_row(tables, s, s->track, s->depth, s->parent,
		slice->end == SLICE_OPEN ? -1 : duration(tables, slice));
	free_slice(tables, s);
}

/* --- events of threads and of operations ------------------------------------------------- */

static void slice_event(struct tables *t, const struct table_event *e)
{
	if (!e->thread)
		return;
	switch (e->kind) {
	case FXT_KIND_INSTANT:
		instant(t, thread_track(t, e->thread), e);
		break;
	case FXT_KIND_DURATION_END:
		end_slice(t, thread_track(t, e->thread), e);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		operation_event(t, e);
		break;
	default:
		begin_slice(t, thread_track(t, e->thread), e);
	}
}

/*
 * The slice or instant that a part of a thread's flow belongs to. As in Perfetto, it is the topmost
 * slice, even an ended one, until another slice begins or ends. Returns false if there is none.
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

/* Output rows of open slices, outer ones first. @depth: slices around @s */
static void finish_slices(struct tables *t, const struct table_track *track, struct slice *s,
			  uint32_t depth)
{
	if (s->outer)
		finish_slices(t, track, s->outer, depth - 1);
	if (s->end == SLICE_OPEN)
		slice_row(t, track, depth, table_slice(s), -1);
}

static void end_track(struct tables *t, struct table_track *track)
{
	if (track->top)
		finish_slices(t, track, track->top, track->depth - 1);
	while (track->top)
		drop(t, track, &track->top);
	free(track);
}

static void end_tracks(struct tables *t)
{
	struct table_thread *thread;

	map_each(&t->threads, thread)
		if (thread->track)
			end_track(t, thread->track);
	operations_free(&t->operations);
}

/* --- counters, and flows from slice to slice --------------------------------------------- */

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
 * The arrow of a step or end, from the slice of the begin or the last step. As in Perfetto, it
 * points from the slice that began earlier.
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
 * An archive has complete events where they end, and each buffer of several threads chunk by chunk.
 * So events wait in a window; one that is too late for it is counted and handled at once.
 */

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
	struct table_event *e = ((struct waiting *)order_pop(&t->window.order))->event;

	t->window.bytes -= event_bytes(e);
	if (e->time < t->window.past)
		t->stats[STAT_EVENT_LATE]++;
	else
		t->window.past = e->time;
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

void table_events_begin(struct tables *t)
{
	t->operation_user = (struct nest_user){ drop_operation, t };
	t->operations.user = &t->operation_user;
	t->flows.most = TABLE_MAX_KEYS;
	t->window.order.size = sizeof(struct waiting);
	t->window.order.room = TABLE_WINDOW_EVENTS;
}

void table_event(struct tables *t, const struct fxt_record *rec, const struct fxt_content *c)
{
	struct table_event *e;
	unsigned int i;

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
	while (order_is_full(&t->window.order) || t->window.bytes > TABLE_WINDOW_BYTES)
		pop_first(t);
	t->window.bytes += event_bytes(e);
	/*
	 * A complete event encloses events of the same begin, so it comes before them, and the
	 * longest first.
	 */
	order_add(&t->window.order, &(struct waiting){ { .ns = e->time }, e },
		  e->kind == FXT_KIND_DURATION_COMPLETE ? ~e->word : UINT64_MAX);
}

void table_events_finish(struct tables *t)
{
	while (t->window.order.count)
		pop_first(t);
	order_free(&t->window.order);
	end_tracks(t);
	map_free_all(&t->counters, struct series);
	ids_free(&t->flows, NULL, NULL);
}
