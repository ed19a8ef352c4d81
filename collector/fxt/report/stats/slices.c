// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - see report_slices.h. A trace may have the outer slice before or after the inner ones,
 * so all are sorted first.
 */
#include <math.h>
#include <stdio.h>

#include "terminal/memory.h"
#include "report_slices.h"

#define SLICES_KEPT	(4U << 20)
#define SLICES_END	UINT32_MAX	/* instead of a name */

/* A slice that is not over. */
struct slices_open {
	uint64_t begin;
	uint32_t name;
};

/*
 * A begin or an end that is out of order: some writers find out later when a slice began. Perfetto
 * sorts all events by time, and the report sorts these at the end.
 */
struct slices_late {
	uint64_t ns;
	uint32_t track;		/* number */
	uint32_t name;		/* or SLICES_END */
	uint32_t order;
};

/* --- which slice contains which ---------------------------------------------------------- */

static void keep_piece(struct slices *s, const struct slices_track *track, uint32_t name,
		       uint64_t begin, uint64_t end)
{
	if (s->piece_count == SLICES_KEPT) {
		s->unkept++;
		return;
	}
	array_more(s->pieces, s->piece_count);
	s->pieces[s->piece_count++] = (struct slices_piece){ begin, end, track->number, name };
}

/* By track, then by begin, the outer slice first. */
ARRAY_COMPARE(piece_order, struct slices_piece, a, b,
	      array_order(a->track, b->track) ?: array_order(a->begin, b->begin) ?:
	      array_order(b->end, a->end))

/*
 * Subtract a piece's time from the self time of the innermost piece around it. Pieces of one thread
 * should nest; of those that overlap otherwise, only the common part is subtracted.
 */
static void subtract_from_outer(struct slices *s, const struct slices_piece *outer,
				const struct slices_piece *p)
{
	uint64_t end = p->end < outer->end ? p->end : outer->end;

	s->names[outer->name]->self -= end - p->begin;
}

/* @open: room for a stack of the pieces around, each of which ends no later than the one below. */
static void nest_pieces(struct slices *s, const struct slices_piece **open)
{
	const struct slices_piece *p = s->pieces, *end = p + s->piece_count;
	uint64_t covered = 0;
	size_t depth = 0;

	for (; p < end; p++) {
		if (p == s->pieces || p->track != p[-1].track)
			depth = covered = 0;
		while (depth && open[depth - 1]->end <= p->begin)
			depth--;
		s->names[p->name]->self += p->end - p->begin;
		if (depth)
			subtract_from_outer(s, open[depth - 1], p);
		if (p->end > covered) {
			s->tracks[p->track]->covered += p->end -
				(covered > p->begin ? covered : p->begin);
			covered = p->end;
		}
		open[depth++] = p;
	}
}

static void slices_nest(struct slices *s)
{
	const struct slices_piece **open;

	if (!s->piece_count)
		return;
	open = must(calloc(s->piece_count, sizeof(*open)));
	array_sort(s->pieces, s->piece_count, piece_order);
	nest_pieces(s, open);
	free(open);
}

/* --- what is drawn ----------------------------------------------------------------------- */

static void keep_drawn(struct slices *s, const struct slices_drawn *drawn)
{
	if (!s->is_drawn)
		return;
	if (s->drawn_count == SLICES_KEPT) {
		s->undrawn++;
		return;
	}
	array_more(s->drawn, s->drawn_count);
	s->drawn[s->drawn_count++] = *drawn;
}

/* Inner slices end first. */
ARRAY_COMPARE(pieces_by_end, struct slices_piece, a, b,
	      array_order(a->end, b->end) ?: array_order(b->begin, a->begin))

ARRAY_COMPARE(drawn_by_end, struct slices_drawn, a, b,
	      array_order(a->end, b->end) ?: array_order(b->begin, a->begin))

static void sort_drawn(struct slices *s)
{
	if (s->is_drawn && s->piece_count)
		array_sort(s->pieces, s->piece_count, pieces_by_end);
	array_sort(s->drawn, s->drawn_count, drawn_by_end);
}

/* --- records ----------------------------------------------------------------------------- */

#define NAME_BYTES	512	/* of a series: the counter's name and the series' name */

static struct slices_name *find_name(struct slices *s, const struct fxt_text *text, bool is_async)
{
	uint64_t hash = fxt_hash_bytes(text->bytes, text->length) + is_async;
	struct slices_name *name;

	if (map_find(&s->name_map, hash, name,
		     name->is_async == is_async && name->length == text->length &&
		     !memcmp(name->name, text->bytes, text->length)))
		return name;
	name = must(calloc(1, sizeof(*name) + text->length + 1));
	name->name = (char *)(name + 1);
	name->length = text->length;
	if (text->length)
		memcpy(name->name, text->bytes, text->length);
	name->is_async = is_async;
	name->number = s->name_count;
	map_put(&s->name_map, &name->node, hash);
	array_more(s->names, s->name_count);
	s->names[s->name_count++] = name;
	return name;
}

static struct slices_track *find_track(struct slices *s, uint32_t provider,
				       const struct fxt_thread_id *id)
{
	struct slices_track *track;

	if (!map_get(&s->track_map, map_hash(map_hash(id->process, id->thread), provider), track,
		     track->process == id->process && track->thread == id->thread &&
		     track->provider == provider))
		return track;
	track->process = id->process;
	track->thread = id->thread;
	track->provider = provider;
	track->number = s->track_count;
	array_more(s->tracks, s->track_count);
	s->tracks[s->track_count++] = track;
	return track;
}

/* --- slices ------------------------------------------------------------------------------ */

static bool is_selected(const struct slices *s, uint64_t process, uint64_t ns)
{
	const struct filter *f = s->filter;

	return !f || ((!f->from.set || ns >= f->from.ns) && (!f->to.set || ns <= f->to.ns) &&
		      (!f->pids.count || filter_has_id(&f->pids, process)));
}

static void add_to_name(struct slices_name *name, uint64_t begin, uint64_t end)
{
	name->count++;
	name->total += end - begin;
	if (name->count == 1 || end - begin > name->longest) {
		name->longest = end - begin;
		name->longest_at = begin;
	}
}

static void add_slice(struct slices *s, struct slices_track *track, uint32_t name,
		      uint64_t begin, uint64_t end)
{
	if (!is_selected(s, track->process, begin))
		return;
	end = end < begin ? begin : end;
	s->slices++;
	track->slices++;
	add_to_name(s->names[name], begin, end);
	keep_piece(s, track, name, begin, end);
}

static void keep_late(struct slices *s, const struct slices_track *track, uint32_t name,
		      uint64_t ns)
{
	size_t n = s->late_count;

	array_more(s->late, n);
	s->late[s->late_count++] = (struct slices_late){ ns, track->number, name, n };
}

static void begin_slice(struct slices_track *track, uint32_t name, uint64_t ns)
{
	array_more(track->stack, track->depth);
	track->stack[track->depth++] = (struct slices_open){ ns, name };
}

static void end_slice(struct slices *s, struct slices_track *track, uint64_t ns)
{
	struct slices_open open = track->stack[--track->depth];

	add_slice(s, track, open.name, open.begin, ns);
}

static void add_duration(struct slices *s, const struct fxt_content *c, uint32_t provider,
			 uint64_t ns, uint64_t end)
{
	struct slices_track *track = find_track(s, provider, &c->thread);
	bool is_end = c->kind == FXT_KIND_DURATION_END, is_late = ns < track->last;
	uint32_t name = is_end ? SLICES_END : find_name(s, &c->name, false)->number;

	if (c->kind == FXT_KIND_DURATION_COMPLETE) {
		add_slice(s, track, name, ns, end);
		return;
	}
	if (!is_late)
		track->last = ns;
	if (is_end && track->depth)
		end_slice(s, track, ns);
	else if (is_end || is_late)
		keep_late(s, track, name, ns);
	else
		begin_slice(track, name, ns);
}

ARRAY_COMPARE(by_time, struct slices_late, a, b,
	      array_order(a->ns, b->ns) ?: array_order(a->order, b->order))

/* Begins that are left on the stacks come before late ones. */
static void apply_late(struct slices *s)
{
	size_t i;

	array_sort(s->late, s->late_count, by_time);
	for (i = 0; i < s->late_count; i++) {
		const struct slices_late *late = &s->late[i];
		struct slices_track *track = s->tracks[late->track];

		if (late->name != SLICES_END)
			begin_slice(track, late->name, late->ns);
		else if (track->depth && track->stack[track->depth - 1].begin <= late->ns)
			end_slice(s, track, late->ns);
		else
			s->unbegun += is_selected(s, track->process, late->ns);
	}
}

/* --- asynchronous operations --------------------------------------------------------------- */

#define OPERATIONS_WAIT	(1U << 16)	/* events that are put in the order of time */

/* A slice or an instant of an operation. */
struct slices_operation {
	struct slice slice;
	uint64_t process;
	uint32_t name;
	bool is_instant;
};

/* An event that waits for its turn. */
struct slices_waiting {
	struct order_key key;
	uint64_t id;
	uint64_t process;
	uint64_t category;	/* hash */
	uint32_t name;
	enum fxt_kind kind;
};

static void drop_operation(void *slices, struct slice *slice)
{
	const struct slices_operation *o = (struct slices_operation *)slice;
	struct slices *s = slices;

	if (slice->end == SLICE_OPEN) {
		s->unended++;
	} else if (!o->is_instant && is_selected(s, o->process, slice->begin)) {
		s->async++;
		add_to_name(s->names[o->name], slice->begin, slice->end);
		keep_drawn(s, &(struct slices_drawn){
			   slice->begin, slice->end, o->process, 0, o->name, false });
	}
	free(slice);
}

/* @n: NULL if there are too many tracks */
static void begin_operation(struct slices *s, struct nest *n, const struct slices_waiting *w,
			    uint64_t name)
{
	struct slices_operation *o = must(malloc(sizeof(*o)));
	bool is_instant = w->kind == FXT_KIND_ASYNC_INSTANT;

	*o = (struct slices_operation){
		.slice = { NULL, w->key.ns, is_instant ? w->key.ns : SLICE_OPEN, name },
		.process = w->process,
		.name = w->name,
		.is_instant = is_instant,
	};
	if (n && !nest_begin(n, &o->slice, &s->operation_user))
		return;
	s->refused += !is_instant && is_selected(s, w->process, w->key.ns);
	free(o);
}

static void take_operation(struct slices *s, const struct slices_waiting *w)
{
	const struct slices_name *name = s->names[w->name];
	uint64_t hash = map_hash(w->category, w->name);
	struct operation_track *track;
	struct slice *ended;

	track = operations_track(&s->operations, w->kind, w->id, name->name, name->length);
	if (w->kind != FXT_KIND_ASYNC_END) {
		begin_operation(s, track ? &track->nest : NULL, w, hash);
		return;
	}
	ended = track ? nest_end(&track->nest, w->key.ns, hash, &s->operation_user) : NULL;
	if (ended)
		nest_drop_ended(&track->nest, ended, &s->operation_user);
	else
		s->unbegun += is_selected(s, w->process, w->key.ns);
}

static void add_async(struct slices *s, const struct fxt_content *c, uint64_t ns)
{
	struct slices_waiting w = {
		.key.ns = ns,
		.id = c->id,
		.process = c->thread.process,
		.category = fxt_hash_bytes(c->category.bytes, c->category.length),
		.name = find_name(s, &c->name, true)->number,
		.kind = c->kind,
	};

	s->waiting.size = sizeof(w);
	s->waiting.room = OPERATIONS_WAIT;
	if (order_is_full(&s->waiting))
		take_operation(s, order_pop(&s->waiting));
	order_add(&s->waiting, &w, 0);
}

static void finish_operations(struct slices *s)
{
	const struct slices_waiting *w;

	while ((w = order_pop(&s->waiting)))
		take_operation(s, w);
	operations_free(&s->operations);
}

void slices_begin(struct slices *s, const struct filter *filter)
{
	s->filter = filter;
	s->operation_user = (struct nest_user){ drop_operation, s };
	s->operations.user = &s->operation_user;
}

/* --- counters ----------------------------------------------------------------------------- */

static bool value_of(const struct fxt_arg *a, double *value)
{
	switch (a->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_INT64:
		*value = a->i64;
		return true;
	case FXT_ARG_UINT32:
	case FXT_ARG_UINT64:
		*value = a->u64;
		return true;
	case FXT_ARG_DOUBLE:
		*value = a->f64;
		return true;
	default:
		return false;
	}
}

static struct slices_counter *find_counter(struct slices *s, const struct fxt_content *c,
					   const char *name, size_t length)
{
	uint64_t hash = map_hash(map_hash(c->thread.process, c->id), fxt_hash_bytes(name, length));
	struct slices_counter *counter;

	if (map_find(&s->counter_map, hash, counter,
		     counter->process == c->thread.process && counter->id == c->id &&
		     counter->length == length && !memcmp(counter->name, name, length)))
		return counter;
	counter = must(calloc(1, sizeof(*counter) + length + 1));
	counter->name = (char *)(counter + 1);
	memcpy(counter->name, name, length);
	counter->length = length;
	counter->process = c->thread.process;
	counter->id = c->id;
	counter->number = s->counter_count;
	map_put(&s->counter_map, &counter->node, hash);
	array_more(s->counters, s->counter_count);
	s->counters[s->counter_count++] = counter;
	return counter;
}

static void add_counter(struct slices *s, const struct fxt_content *c, uint64_t ns)
{
	struct slices_counter *counter;
	char name[NAME_BYTES];
	double value;
	unsigned int i;
	int length;

	for (i = 0; i < c->arg_count; i++) {
		if (!value_of(&c->args[i], &value))
			continue;
		length = snprintf(name, sizeof(name), "%.*s %.*s", (int)c->name.length,
				  c->name.bytes, (int)c->args[i].name.length,
				  c->args[i].name.bytes);
		counter = find_counter(s, c, name, length < NAME_BYTES ? length : NAME_BYTES - 1);
		/* These ignore NaN, if they can. */
		counter->min = counter->values ? fmin(counter->min, value) : value;
		counter->max = counter->values ? fmax(counter->max, value) : value;
		counter->last = value;
		counter->values++;
		keep_drawn(s, &(struct slices_drawn){
			   ns, ns, c->thread.process, value, counter->number, true });
	}
}

/* --- all records --------------------------------------------------------------------------- */

static bool is_wanted(enum fxt_kind kind)
{
	return kind == FXT_KIND_KERNEL_OBJECT ||
	       (kind >= FXT_KIND_INSTANT && kind <= FXT_KIND_FLOW_END);
}

static void add_event(struct slices *s, const struct fxt_content *c, uint32_t provider,
		      uint64_t ns, uint64_t end)
{
	bool is_wanted_here = is_selected(s, c->thread.process, ns);

	switch (c->kind) {
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_END:
	case FXT_KIND_DURATION_COMPLETE:
		add_duration(s, c, provider, ns, end);
		break;
	case FXT_KIND_ASYNC_BEGIN:
	case FXT_KIND_ASYNC_END:
		add_async(s, c, ns);
		break;
	case FXT_KIND_COUNTER:
		if (is_wanted_here)
			add_counter(s, c, ns);
		break;
	case FXT_KIND_ASYNC_INSTANT:
		add_async(s, c, ns);
		s->instants += is_wanted_here;
		break;
	case FXT_KIND_INSTANT:
		s->instants += is_wanted_here;
		break;
	default:
		s->flows += is_wanted_here;
	}
}

void slices_record(struct slices *s, struct fxt_reader *r, const struct fxt_record *rec)
{
	uint64_t rate = rec->provider->ticks_per_second, ns, end;
	struct fxt_content c;

	if (!is_wanted(rec->kind) || fxt_reader_content(r, rec, &c))
		return;
	if (c.kind == FXT_KIND_KERNEL_OBJECT) {
		must_fit(fxt_objects_learn(&s->objects, &c, false));
		return;
	}
	ns = fxt_ticks_to_ns(c.time, rate);
	end = c.kind == FXT_KIND_DURATION_COMPLETE ? fxt_ticks_to_ns(c.end, rate) : ns;
	if (is_selected(s, c.thread.process, ns)) {
		if (!s->last || ns < s->first)
			s->first = ns;
		if (end > s->last)
			s->last = end;
	}
	add_event(s, &c, rec->provider->id, ns, end);
}

ARRAY_COMPARE_POINTERS(by_total, struct slices_name, a, b,
		       array_order(b->total, a->total) ?: array_order(b->count, a->count) ?:
		       array_order(a->number, b->number))

ARRAY_COMPARE_POINTERS(by_slices, struct slices_track, a, b,
		       array_order(b->slices, a->slices) ?: array_order(a->number, b->number))

ARRAY_COMPARE_POINTERS(by_values, struct slices_counter, a, b,
		       array_order(b->values, a->values) ?: strcmp(a->name, b->name))

static void free_track(struct slices_track *track)
{
	free(track->stack);
	free(track);
}

void slices_finish(struct slices *s)
{
	size_t i;

	apply_late(s);
	finish_operations(s);
	for (i = 0; i < s->track_count; i++)
		s->unended += s->tracks[i]->depth;
	slices_nest(s);
	sort_drawn(s);
	array_sort(s->names, s->name_count, by_total);
	/* Names and tracks without a complete slice come last. */
	while (s->name_count && !s->names[s->name_count - 1]->count)
		free(s->names[--s->name_count]);
	array_sort(s->tracks, s->track_count, by_slices);
	while (s->track_count && !s->tracks[s->track_count - 1]->slices)
		free_track(s->tracks[--s->track_count]);
	array_sort(s->counters, s->counter_count, by_values);
}

void slices_free(struct slices *s)
{
	size_t i;

	/* Slices that are open have names. */
	operations_free(&s->operations);
	for (i = 0; i < s->name_count; i++)
		free(s->names[i]);
	for (i = 0; i < s->track_count; i++)
		free_track(s->tracks[i]);
	for (i = 0; i < s->counter_count; i++)
		free(s->counters[i]);
	order_free(&s->waiting);
	map_free(&s->name_map);
	map_free(&s->track_map);
	map_free(&s->counter_map);
	free(s->names);
	free(s->tracks);
	free(s->counters);
	free(s->pieces);
	free(s->drawn);
	free(s->late);
	fxt_objects_free(&s->objects);
	memset(s, 0, sizeof(*s));
}

const struct fxt_object *slices_object(const struct slices *s, enum fxt_object_class class,
				       uint64_t koid)
{
	const struct fxt_object *o = fxt_objects_find(&s->objects, class, 0, koid);

	return o && o->length ? o : NULL;
}
