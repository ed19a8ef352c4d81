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

#include "libfxt/heap.h"
#include "table.h"

/** struct table_slice - a slice on a stack */
struct table_slice {
	int64_t id;
	uint64_t from;			/* ns */
	uint64_t to;			/* ns; of complete ones */
	bool complete;			/* its row has been written */
	struct table_name *category;
	struct table_name *name;
	int64_t args;			/* arg_set_id, 0 if there is none yet */
};

/** struct table_track - a track, on which slices nest */
struct table_track {
	int64_t id;
	struct table_slice *stack;
	uint32_t depth;
	uint32_t room;
	uint64_t left_out;		/* begins that a full stack had no room for */
};

/** struct table_event - an event that waits for its turn */
struct table_event {
	uint64_t time;			/* ns */
	uint64_t sequence;
	uint64_t word;			/* the end in ns, or the id */
	struct table_thread *thread;
	struct table_name *category;
	struct table_name *name;
	enum fxt_kind kind;
	unsigned int arg_count;
	struct table_arg args[];
};

#define STACK_KEPT	16U	/* an empty stack keeps room for this many slices */

static void slice_row(struct tables *t, const struct table_track *track, uint32_t depth,
		      const struct table_slice *s, int64_t dur)
{
	const struct table_slice *parent = depth ? &track->stack[depth - 1] : NULL;

	TABLE_ROW(t, TABLE_SLICE, cell_int(s->id), cell_int(table_time(t, s->from)),
		  cell_int(dur), cell_int(track->id), cell_name(s->category),
		  cell_name(s->name), cell_int(depth),
		  parent ? cell_int(parent->id) : cell_null(), cell_id(s->args));
}

/* Remove the top slice, whose row has been written. */
static void drop(struct tables *t, struct table_track *track)
{
	struct table_slice *s = &track->stack[--track->depth];

	table_name_put(t, s->category);
	table_name_put(t, s->name);
	t->open--;
	if (!track->depth && track->room > STACK_KEPT) {
		free(track->stack);
		track->stack = NULL;
		track->room = 0;
	}
}

/*
 * Remove complete slices from the top that ended before @ns, and if @closed, those that end at
 * @ns.
 */
static void drop_over(struct tables *t, struct table_track *track, uint64_t ns,
		      bool closed)
{
	while (track->depth) {
		const struct table_slice *s = &track->stack[track->depth - 1];

		if (!s->complete || s->to > ns || (s->to == ns && !closed))
			return;
		drop(t, track);
	}
}

/* Make room for one more slice on the stack. Return: NULL if the slice must be omitted */
static struct table_slice *room(struct tables *t, struct table_track *track)
{
	if (track->depth >= TABLE_MAX_DEPTH) {
		t->stats[STAT_SLICE_DEPTH]++;
		return NULL;
	}
	if (t->open >= TABLE_MAX_OPEN) {
		t->stats[STAT_SLICE_OPEN]++;
		return NULL;
	}
	array_hold(track->stack, track->room, track->depth + 1);
	return &track->stack[track->depth];
}

static void begin_slice(struct tables *t, struct table_track *track,
			const struct table_event *e)
{
	bool complete = e->kind == FXT_KIND_DURATION_COMPLETE;
	struct table_slice *s;

	drop_over(t, track, e->time, true);
	s = room(t, track);
	if (!s) {
		track->left_out += !complete;
		return;
	}
	*s = (struct table_slice){
		.id = table_id(t, TABLE_SLICE),
		.from = e->time,
		.to = complete && e->word > e->time ? e->word : e->time,
		.complete = complete,
		.category = table_name_ref(e->category),
		.name = table_name_ref(e->name),
		.args = table_args(t, e->args, e->arg_count, 0),
	};
	if (complete) {
		if (e->word < e->time)
			t->stats[STAT_SLICE_NEGATIVE]++;
		if (track->depth && s[-1].complete && s[-1].to < s->to)
			t->stats[STAT_SLICE_OVERLAP]++;
		slice_row(t, track, track->depth, s,
			  table_time(t, s->to) - table_time(t, s->from));
	}
	track->depth++;
	t->open++;
}

/*
 * Find the slice of the stack that @e ends: the newest one that is not complete, whatever its name.
 * An end of an async operation prefers the newest one with its name. Return: its place from 1 on,
 * or 0.
 */
static uint32_t ended_by(const struct table_track *track, const struct table_event *e)
{
	uint32_t i = track->depth, named;

	while (i && track->stack[i - 1].complete)
		i--;
	if (e->kind != FXT_KIND_ASYNC_END)
		return i;
	for (named = i; named && track->stack[named - 1].name != e->name; named--)
		;
	return named ? named : i;
}

/* Remove a slice that has others above it; its row has been written. */
static void drop_below(struct tables *t, struct table_track *track, uint32_t i)
{
	struct table_slice *s = &track->stack[i], ended = *s;

	memmove(s, s + 1, (track->depth - i - 1) * sizeof(*s));
	track->stack[track->depth - 1] = ended;
	drop(t, track);
}

static void end_slice(struct tables *t, struct table_track *track, const struct table_event *e)
{
	struct table_slice *s;
	uint32_t i;

	if (track->left_out) {
		track->left_out--;
		return;
	}
	i = ended_by(track, e);
	if (!i) {
		t->stats[STAT_SLICE_END]++;
		return;
	}
	while (track->depth > i && track->stack[track->depth - 1].complete)
		drop(t, track);
	s = &track->stack[i - 1];
	s->args = table_args(t, e->args, e->arg_count, s->args);
	if (e->time < s->from)
		t->stats[STAT_SLICE_NEGATIVE]++;
	s->to = e->time > s->from ? e->time : s->from;
	slice_row(t, track, i - 1, s, table_time(t, s->to) - table_time(t, s->from));
	drop_below(t, track, i - 1);
}

static void instant(struct tables *t, struct table_track *track,
		    const struct table_event *e)
{
	struct table_slice s = {
		.id = table_id(t, TABLE_SLICE),
		.from = e->time,
		.category = e->category,
		.name = e->name,
		.args = table_args(t, e->args, e->arg_count, 0),
	};

	drop_over(t, track, e->time, true);
	slice_row(t, track, track->depth, &s, 0);
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
	while (track && track->depth)
		drop(t, track);
	if (track)
		free(track->stack);
	free(track);
}

/* Find or begin the operation of an event. Return: NULL if there is none, or no room */
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

/* An instant outside of operations gets a track of its own. */
static void async_event(struct tables *t, const struct table_event *e)
{
	struct ids_one *one = operation_of(t, e);
	struct table_track *track = one ? one->data : NULL;

	if (!track)
		return;
	if (e->kind == FXT_KIND_ASYNC_BEGIN)
		begin_slice(t, track, e);
	else if (e->kind == FXT_KIND_ASYNC_END)
		end_slice(t, track, e);
	else
		instant(t, track, e);
	if (!track->depth && !track->left_out) {
		track_free(t, track);
		ids_end(&t->operations, one);
	}
}

/* Take the next instant, duration or async event, in the order of time. */
static void slice_event(struct tables *t, const struct table_event *e)
{
	struct table_track *track;

	if (!e->thread)
		return;
	if (e->kind == FXT_KIND_ASYNC_BEGIN || e->kind == FXT_KIND_ASYNC_INSTANT ||
	    e->kind == FXT_KIND_ASYNC_END) {
		async_event(t, e);
		return;
	}
	track = thread_track(t, e->thread);
	if (e->kind == FXT_KIND_INSTANT)
		instant(t, track, e);
	else if (e->kind == FXT_KIND_DURATION_END)
		end_slice(t, track, e);
	else
		begin_slice(t, track, e);
}

/* The open slice of a thread at @ns or NULL, valid until the next event. */
static const struct table_slice *slice_at(struct tables *t, struct table_thread *thread,
					  uint64_t ns)
{
	struct table_track *track = thread ? thread->track : NULL;

	if (!track)
		return NULL;
	drop_over(t, track, ns, false);
	return track->depth ? &track->stack[track->depth - 1] : NULL;
}

static void finish_track(struct tables *t, const struct table_track *track)
{
	uint32_t i;

	for (i = 0; i < track->depth; i++)
		if (!track->stack[i].complete)
			slice_row(t, track, i, &track->stack[i], -1);
}

/* Output rows of slices that are still open, and free a track. */
static void end_track(void *track, void *tables)
{
	struct tables *t = tables;

	finish_track(t, track);
	track_free(t, track);
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

/** struct flow - the slice that an open flow comes from */
struct flow {
	int64_t slice;			/* id */
	uint64_t from;			/* ns */
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
	uint64_t hash = map_hash(e->name ? e->name->node.hash : 0, e->word);
	struct map_node *node;
	struct series *s;

	hash = map_hash(map_hash(hash, key ? key->node.hash : 0),
			process ? process->upid : 0);
	for (node = map_first(&t->counters, hash); node; node = map_next(node, hash)) {
		s = map_entry(node, struct series, node);
		if (s->process == process && s->name == e->name && s->key == key &&
		    s->id == e->word)
			return s;
	}
	if (t->counters.count >= TABLE_MAX_KEYS)
		return NULL;
	s = new_zero(struct series);
	s->process = process;
	s->name = table_name_ref(e->name);
	s->key = table_name_ref(key);
	s->id = e->word;
	s->track = table_id(t, TABLE_TRACK);
	map_put(&t->counters, &s->node, hash);
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
		if (!s) {
			t->stats[STAT_COUNTER_LEFT_OUT]++;
			continue;
		}
		TABLE_ROW(t, TABLE_COUNTER, cell_int(table_id(t, TABLE_COUNTER)),
			  cell_int(table_time(t, e->time)), cell_int(s->track),
			  cell_real(e->args[i].number), cell_null());
	}
}

/*
 * Write the arrow of a step or end, from the slice of the begin or of the last step. Like
 * Perfetto's, it points from the slice that began earlier.
 */
static void flow_row(struct tables *t, const struct flow *f, const struct table_slice *s)
{
	bool is_reversed = f->from > s->from;

	TABLE_ROW(t, TABLE_FLOW, cell_int(table_id(t, TABLE_FLOW)),
		  cell_int(is_reversed ? s->id : f->slice),
		  cell_int(is_reversed ? f->slice : s->id));
}

/* Let the flow continue from a slice. */
static void flow_bind(struct ids_one *one, const struct table_slice *s)
{
	struct flow *f = one->data;

	if (!f)
		one->data = f = new_zero(struct flow);
	*f = (struct flow){ .slice = s->id, .from = s->from };
}

static void flow_begin(struct tables *t, const struct table_event *e, uint64_t process,
		       const struct table_slice *s)
{
	struct ids_one *one = ids_begin(&t->flows, process, e->word);

	if (!one)
		t->stats[STAT_FLOW_LEFT_OUT]++;
	else if (!s)
		t->stats[STAT_FLOW_SLICE]++;
	else if (one->data)
		t->stats[STAT_FLOW_DUPLICATE]++;
	else
		flow_bind(one, s);
}

static void flow_event(struct tables *t, const struct table_event *e)
{
	const struct table_slice *s = slice_at(t, e->thread, e->time);
	uint64_t process = e->thread && e->thread->process ? e->thread->process->upid : 0;
	bool is_end = e->kind == FXT_KIND_FLOW_END, is_ambiguous;
	struct ids_one *one;

	if (e->kind == FXT_KIND_FLOW_BEGIN) {
		flow_begin(t, e, process, s);
		return;
	}
	one = ids_find(&t->flows, process, e->word, &is_ambiguous);
	if (is_ambiguous) {
		t->stats[STAT_FLOW_AMBIGUOUS]++;
	} else if (!s) {
		t->stats[STAT_FLOW_SLICE]++;
	} else if (!one || !one->data) {
		t->stats[is_end ? STAT_FLOW_END : STAT_FLOW_STEP]++;
	} else {
		flow_row(t, one->data, s);
		flow_bind(one, s);
	}
	if (is_end && one) {
		free(one->data);
		ids_end(&t->flows, one);
	}
}

static void flow_free(void *flow, void *arg)
{
	(void)arg;
	free(flow);
}

/* --- events in the order of time --------------------------------------------------------- */

/*
 * An archive has duration complete events where they end, and buffers of several threads chunk by
 * chunk. So events wait in a window, a binary heap; one that comes too late for it is counted and
 * handled at once.
 */

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
static inline bool is_before(const void *arg, const struct table_event *a,
			     const struct table_event *b)
{
	bool a_complete = a->kind == FXT_KIND_DURATION_COMPLETE;
	bool b_complete = b->kind == FXT_KIND_DURATION_COMPLETE;

	(void)arg;
	if (a->time != b->time)
		return a->time < b->time;
	if (a_complete != b_complete)
		return a_complete;
	if (a_complete && a->word != b->word)
		return a->word > b->word;
	return a->sequence < b->sequence;
}

static struct table_event *first_of(struct table_window *w)
{
	struct table_event *first = heap_pop(w->heap, w->count, is_before, NULL);

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
	struct table_event *e = first_of(t->window);

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

	if (!t->window)
		t->window = new_zero(struct table_window);
	e = must(calloc(1, sizeof(*e) + c->arg_count * sizeof(e->args[0])));
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
	t->window->bytes += event_bytes(e);
	heap_push(t->window->heap, t->window->count, e, is_before, NULL);
}

void table_events_finish(struct tables *t)
{
	while (t->window && t->window->count)
		take_first(t);
	end_tracks(t);
	table_map_free(&t->counters, offsetof(struct series, node));
	ids_free(&t->flows, flow_free, NULL);
	free(t->window);
}
