// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - nested slices, on tracks.
 *
 * In: instant, duration and async events in the order of time.
 * Out: rows of slice, with depth and parent, and of their tracks: one for each thread that
 * has events, and one for each async operation while it is open; a later operation with the
 * same id gets another track.
 *
 * Each track has a stack of open slices. Complete events stay on it until their time is
 * over.
 * Must hold: no stack is deeper than TABLE_MAX_DEPTH, and all together hold no more than
 * TABLE_MAX_OPEN; slices beyond that are counted, and their ends are not mistaken for those
 * of others.
 */
#include "table.h"

#define STACK_KEPT	16U	/* slices that an empty stack may have room for */

/** struct async - an open async operation */
struct async {
	struct map_node node;
	struct table_process *process;
	struct table_name *name;
	uint64_t id;
	struct table_track track;
};

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

/* End the newest slice that is not complete, whatever its name. */
static void end(struct tables *t, struct table_track *track, const struct table_event *e)
{
	uint32_t i = track->depth;
	struct table_slice *s;

	if (track->left_out) {
		track->left_out--;
		return;
	}
	while (i && track->stack[i - 1].complete)
		i--;
	if (!i) {
		t->stats[STAT_SLICE_END]++;
		return;
	}
	while (track->depth > i)
		drop(t, track);
	s = &track->stack[i - 1];
	s->args = table_args(t, e->args, e->arg_count, s->args);
	if (e->time < s->from)
		t->stats[STAT_SLICE_NEGATIVE]++;
	s->to = e->time > s->from ? e->time : s->from;
	slice_row(t, track, i - 1, s, table_time(t, s->to) - table_time(t, s->from));
	drop(t, track);
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

static struct async *async_add(struct tables *t, struct table_process *process,
			       const struct table_event *e, uint64_t hash)
{
	struct table_cell id, name = cell_name(e->name), type = cell_str("fuchsia_async");
	struct async *a;

	if (t->asyncs.count >= TABLE_MAX_OPEN) {
		t->stats[STAT_SLICE_OPEN]++;
		return NULL;
	}
	a = table_alloc(t, sizeof(*a));
	if (!a || map_reserve(&t->asyncs)) {
		t->error = -ENOMEM;
		free(a);
		return NULL;
	}
	a->process = process;
	a->name = table_name_ref(e->name);
	a->id = e->word;
	a->track.id = table_id(t, TABLE_TRACK);
	map_add(&t->asyncs, &a->node, hash);
	id = cell_int(a->track.id);
	TABLE_ROW(t, TABLE_TRACK, id, name, type, cell_null());
	TABLE_ROW(t, TABLE_PROCESS_TRACK, id, name, type, cell_null(),
		  process ? cell_int(process->upid) : cell_null());
	return a;
}

static void async_free(struct tables *t, struct async *a)
{
	while (a->track.depth)
		drop(t, &a->track);
	free(a->track.stack);
	table_name_put(t, a->name);
	free(a);
}

/* An operation that has neither begun nor ends here is a point of its own. */
static void async_event(struct tables *t, const struct table_event *e)
{
	struct table_process *process = e->thread->process;
	uint64_t hash = map_hash(map_hash(process ? process->upid : 0,
					  e->name ? e->name->node.hash : 0), e->word);
	struct map_node *node;
	struct async *a = NULL;

	for (node = map_first(&t->asyncs, hash); node; node = map_next(node, hash)) {
		a = map_entry(node, struct async, node);
		if (a->process == process && a->name == e->name && a->id == e->word)
			break;
	}
	if (!node) {
		if (e->kind == FXT_KIND_ASYNC_END) {
			t->stats[STAT_SLICE_END]++;
			return;
		}
		a = async_add(t, process, e, hash);
		if (!a)
			return;
	}
	if (e->kind == FXT_KIND_ASYNC_BEGIN)
		begin(t, &a->track, e);
	else if (e->kind == FXT_KIND_ASYNC_END)
		end(t, &a->track, e);
	else
		instant(t, &a->track, e);
	if (!a->track.depth && !a->track.left_out) {
		map_remove(&t->asyncs, &a->node);
		async_free(t, a);
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

int64_t table_slice_at(struct tables *t, struct table_thread *thread, uint64_t ns)
{
	struct table_track *track = thread ? thread->track : NULL;

	if (!track)
		return 0;
	drop_over(t, track, ns, false);
	return track->depth ? track->stack[track->depth - 1].id : 0;
}

static void finish(struct tables *t, const struct table_track *track)
{
	uint32_t i;

	for (i = 0; i < track->depth; i++)
		if (!track->stack[i].complete)
			slice_row(t, track, i, &track->stack[i], -1);
}

void table_slices_finish(struct tables *t)
{
	struct table_thread *thread;
	struct map_node *node;
	struct async *a;

	for (thread = t->thread_list; thread; thread = thread->next)
		if (thread->track)
			finish(t, thread->track);
	while ((node = t->asyncs.oldest)) {
		a = map_entry(node, struct async, node);
		finish(t, &a->track);
		map_remove(&t->asyncs, node);
		async_free(t, a);
	}
}

static void track_free(struct tables *t, struct table_track *track)
{
	while (track && track->depth)
		drop(t, track);
	if (track)
		free(track->stack);
	free(track);
}

void table_slices_free(struct tables *t)
{
	struct table_thread *thread;
	struct map_node *node;
	size_t from = 0;

	for (thread = t->thread_list; thread; thread = thread->next) {
		track_free(t, thread->track);
		thread->track = NULL;
	}
	while ((node = map_take(&t->asyncs, &from)))
		async_free(t, map_entry(node, struct async, node));
	map_free(&t->asyncs);
}
