// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - nested slices, on tracks.
 *
 * In: instant, duration and async events in the order of time.
 * Out: rows of slice, with depth and parent, and of their tracks: one for each thread that
 * has events, and one for each async operation while it is open, with all that begins and
 * happens in it under its id (ids.h), whatever its name; a later operation with the same id
 * gets another track.
 *
 * Each track has a stack of open slices. Complete events stay on it until their time is
 * over.
 * Must hold: no stack is deeper than TABLE_MAX_DEPTH, and all together hold no more than
 * TABLE_MAX_OPEN; slices beyond that are counted, and their ends are not mistaken for those
 * of others.
 */
#include "table.h"

#define STACK_KEPT	16U	/* slices that an empty stack may have room for */

static void slice_row(struct tables *t, const struct table_track *track, uint32_t depth,
		      const struct table_slice *s, int64_t dur)
{
	const struct table_slice *parent = depth ? &track->stack[depth - 1] : NULL;

	TABLE_ROW(t, TABLE_SLICE, cell_int(s->id), cell_int(table_time(t, s->from)),
		  cell_int(dur), cell_int(track->id), cell_name(s->category),
		  cell_name(s->name), cell_int(depth),
		  parent ? cell_int(parent->id) : cell_null(), cell_id(s->args));
}

/* Remove the top slice, whose row is output already. */
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
 * Remove complete slices from the top that were over at @ns; those that end at @ns itself only
 * if @closed.
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

/* Room for one more slice on the stack; NULL if it must be omitted. */
static struct table_slice *room(struct tables *t, struct table_track *track)
{
	struct table_slice *stack;
	uint32_t wanted;

	if (track->depth >= TABLE_MAX_DEPTH) {
		t->stats[STAT_SLICE_DEPTH]++;
		return NULL;
	}
	if (t->open >= TABLE_MAX_OPEN) {
		t->stats[STAT_SLICE_OPEN]++;
		return NULL;
	}
	if (track->depth == track->room) {
		wanted = track->room ? track->room * 2 : 4;
		stack = realloc(track->stack, wanted * sizeof(*stack));
		if (!stack) {
			t->error = -ENOMEM;
			return NULL;
		}
		track->stack = stack;
		track->room = wanted;
	}
	return &track->stack[track->depth];
}

static void begin(struct tables *t, struct table_track *track,
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
 * Which slice of the stack does @e end? The newest one that is not complete, whatever its name;
 * but if operations of one id overlap, the newest of that name, if any. Return: its place from 1
 * on, or 0.
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

/* Remove a slice from below others; its row is output already. */
static void drop_below(struct tables *t, struct table_track *track, uint32_t i)
{
	struct table_slice *s = &track->stack[i], ended = *s;

	memmove(s, s + 1, (track->depth - i - 1) * sizeof(*s));
	track->stack[track->depth - 1] = ended;
	drop(t, track);
}

static void end(struct tables *t, struct table_track *track, const struct table_event *e)
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
		thread->track = table_alloc(t, sizeof(*thread->track));
		if (!thread->track)
			return NULL;
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
	struct table_track *track = table_alloc(t, sizeof(*track));

	if (!track)
		return NULL;
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

/* The operation of an event, which begins if it must. NULL: none, or too many, or no memory */
static struct ids_one *operation_of(struct tables *t, const struct table_event *e)
{
	struct table_process *process = e->thread->process;
	uint64_t upid = process ? process->upid : 0;
	struct ids_one *one = NULL;
	int ret;

	if (e->kind != FXT_KIND_ASYNC_BEGIN)
		one = ids_find(&t->operations, upid, e->word, NULL);
	if (one || e->kind == FXT_KIND_ASYNC_END) {
		t->stats[STAT_SLICE_END] += !one;
		return one;
	}
	ret = ids_begin(&t->operations, upid, e->word, &one);
	if (ret == -ENOSPC)
		t->stats[STAT_SLICE_OPEN]++;
	else if (ret)
		t->error = ret;
	else if (!one->data)
		one->data = operation_track(t, process, e);
	return !ret && one->data ? one : NULL;
}

/* An instant that happens in no operation is a point of its own. */
static void async_event(struct tables *t, const struct table_event *e)
{
	struct ids_one *one = operation_of(t, e);
	struct table_track *track = one ? one->data : NULL;

	if (!track)
		return;
	if (e->kind == FXT_KIND_ASYNC_BEGIN)
		begin(t, track, e);
	else if (e->kind == FXT_KIND_ASYNC_END)
		end(t, track, e);
	else
		instant(t, track, e);
	if (!track->depth && !track->left_out) {
		track_free(t, track);
		ids_end(&t->operations, one);
	}
}

void table_slice_event(struct tables *t, const struct table_event *e)
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
	if (!track)
		return;
	if (e->kind == FXT_KIND_INSTANT)
		instant(t, track, e);
	else if (e->kind == FXT_KIND_DURATION_END)
		end(t, track, e);
	else
		begin(t, track, e);
}

const struct table_slice *table_slice_at(struct tables *t, struct table_thread *thread,
					 uint64_t ns)
{
	struct table_track *track = thread ? thread->track : NULL;

	if (!track)
		return NULL;
	drop_over(t, track, ns, false);
	return track->depth ? &track->stack[track->depth - 1] : NULL;
}

static void finish(struct tables *t, const struct table_track *track)
{
	uint32_t i;

	for (i = 0; i < track->depth; i++)
		if (!track->stack[i].complete)
			slice_row(t, track, i, &track->stack[i], -1);
}

static void finish_operation(void *track, void *tables)
{
	struct tables *t = tables;

	finish(t, track);
	track_free(t, track);
}

void table_slices_finish(struct tables *t)
{
	struct table_thread *thread;

	for (thread = t->thread_list; thread; thread = thread->next)
		if (thread->track)
			finish(t, thread->track);
	ids_free(&t->operations, finish_operation, t);
}

static void free_operation(void *track, void *tables)
{
	track_free(tables, track);
}

void table_slices_free(struct tables *t)
{
	struct table_thread *thread;

	for (thread = t->thread_list; thread; thread = thread->next) {
		track_free(t, thread->track);
		thread->track = NULL;
	}
	ids_free(&t->operations, free_operation, t);
}
