// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - finds slices that overlap a part of an archive. See cut.h.
 *
 * In: events that begin and end slices of a thread or an operation, in the order of the archive,
 * which is in order of time for each of them.
 * Out: the numbers of the records outside the range that belong to a slice that overlaps
 * it. A slice without an end lasts until the end of the archive.
 *
 * Of flows, only the records in the range are kept, because an arrow needs its slices.
 */
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "cut.h"
#include "walk/nest.h"
#include "walk/slices.h"

/** struct begun - a slice that has begun */
struct begun {
	struct slice slice;
	struct fxt_thread_id thread;	/* in which it begins */
	uint64_t number;		/* of the record */
	bool is_judged;			/* its end was seen */
};

/** struct opener - a thread's open slices */
struct opener {
	struct map_node node;
	uint32_t provider;
	struct fxt_thread_id thread;
	struct slice *top;		/* at least one */
};

static uint64_t hash_of(uint32_t provider, const struct fxt_thread_id *id)
{
	return map_hash(map_hash(id->process, id->thread), provider);
}

static bool is_same(const struct opener *o, uint32_t provider, const struct fxt_thread_id *id)
{
	return o->provider == provider && o->thread.process == id->process &&
	       o->thread.thread == id->thread;
}

static void keep_record(struct slices *s, uint64_t number)
{
	array_more(s->kept, s->kept_count);
	s->kept[s->kept_count++] = number;
}

static struct slice *new_begun(const struct fxt_record *rec, const struct fxt_content *content,
			       uint64_t ns)
{
	struct begun *b = must(malloc(sizeof(*b)));

	*b = (struct begun){
		.slice = { .begin = ns, .end = SLICE_OPEN },
		.thread = content->thread,
		.number = rec->number,
	};
	return &b->slice;
}

/* Keep the begin of a slice that overlaps the part. Return: does it? */
static bool keep_begin(struct cut *c, const struct slice *slice, uint64_t end)
{
	const struct begun *b = (const struct begun *)slice;
	bool reaches = slice->begin <= c->to && end >= c->from;

	if (reaches && slice->begin < c->from) {
		keep_record(&c->slices, b->number);
		cut_occurs(c, b->thread.process, b->thread.thread, UINT64_MAX);
	}
	return reaches;
}

/* A slice ends with a record. Return: does it overlap the part? */
static bool match_end(struct cut *c, const struct slice *slice, const struct fxt_record *rec,
		      uint64_t ns)
{
	bool reaches = keep_begin(c, slice, ns);

	if (reaches && ns > c->to)
		keep_record(&c->slices, rec->number);
	return reaches;
}

static bool end_of_thread(struct cut *c, const struct fxt_record *rec,
			  const struct fxt_content *content, uint64_t ns)
{
	const struct fxt_thread_id *id = &content->thread;
	uint32_t provider = rec->provider->id;
	struct slice *ended;
	struct opener *o;
	bool reaches;

	if (!map_find(&c->slices.open, hash_of(provider, id), o, is_same(o, provider, id)))
		return false;
	ended = slice_remove(&o->top);
	if (!o->top) {
		map_remove(&c->slices.open, &o->node);
		free(o);
	}
	reaches = match_end(c, ended, rec, ns);
	free(ended);
	return reaches;
}

static void begin_of_thread(struct cut *c, const struct fxt_record *rec,
			    const struct fxt_content *content, uint64_t ns)
{
	const struct fxt_thread_id *id = &content->thread;
	uint32_t provider = rec->provider->id;
	struct opener *o;

	if (map_get(&c->slices.open, hash_of(provider, id), o, is_same(o, provider, id))) {
		o->provider = provider;
		o->thread = *id;
	}
	slice_push(&o->top, new_begun(rec, content, ns));
}

/* An operation leaves its track. Without a record of its end, it may have ended with another one. */
static void drop_operation(void *cut, struct slice *slice)
{
	if (!((struct begun *)slice)->is_judged)
		keep_begin(cut, slice, slice->end);
	free(slice);
}

static bool note_operation(struct cut *c, const struct fxt_record *rec,
			   const struct fxt_content *content, uint64_t ns)
{
	const struct nest_user *user = &c->slices.operation_user;
	struct operation_track *track = operations_track(&c->slices.operations, content->kind,
							 content->id, content->name.bytes,
							 content->name.length);
	uint64_t name = operation_hash(&content->category, &content->name);
	struct slice *s;
	bool reaches;

	if (!track)
		return false;
	if (content->kind != FXT_KIND_ASYNC_END) {
		s = new_begun(rec, content, ns);
		s->name = name;
		s->end = content->kind == FXT_KIND_ASYNC_BEGIN ? SLICE_OPEN : ns;
		/* A slice that is not drawn is in the part by its begin only. */
		if (nest_begin(&track->nest, s, user))
			free(s);
		return false;
	}
	s = nest_end(&track->nest, ns, name, user);
	if (!s)
		return false;
	reaches = match_end(c, s, rec, ns);
	((struct begun *)s)->is_judged = true;
	nest_drop_ended(&track->nest, s, user);
	return reaches;
}

bool cut_slices_note(struct cut *c, const struct fxt_record *rec,
		     const struct fxt_content *content)
{
	uint64_t rate = rec->provider->ticks_per_second;
	uint64_t ns = fxt_ticks_to_ns(content->time, rate);

	switch (content->kind) {
	case FXT_KIND_DURATION_BEGIN:
		begin_of_thread(c, rec, content, ns);
		return false;
	case FXT_KIND_DURATION_END:
		return end_of_thread(c, rec, content, ns);
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		/* A part has only the records inside it of requests of block devices. */
		return !kernel_event_is_track(content->thread.process) &&
		       note_operation(c, rec, content, ns);
	case FXT_KIND_DURATION_COMPLETE:
		return ns <= c->to && fxt_ticks_to_ns(content->end, rate) >= c->from;
	default:
		return false;
	}
}

void cut_slices_begin(struct cut *c)
{
	c->slices.operation_user = (struct nest_user){ drop_operation, c };
	c->slices.operations.user = &c->slices.operation_user;
}

static int by_number(const void *a, const void *b)
{
	return array_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

void cut_slices_finish(struct cut *c)
{
	struct slices *s = &c->slices;
	const struct slice *slice;
	const struct opener *o;

	map_each(&s->open, o)
		for (slice = o->top; slice; slice = slice->outer)
			keep_begin(c, slice, SLICE_OPEN);
	operations_free(&s->operations);
	if (s->kept_count)
		qsort(s->kept, s->kept_count, sizeof(*s->kept), by_number);
}

bool cut_slices_keep(struct slices *s, uint64_t number)
{
	while (s->next < s->kept_count && s->kept[s->next] < number)
		s->next++;
	return s->next < s->kept_count && s->kept[s->next] == number;
}

void cut_slices_free(struct slices *s)
{
	struct opener *o;

	operations_free(&s->operations);
	map_drain(&s->open, o) {
		while (o->top)
			free(slice_remove(&o->top));
		free(o);
	}
	free(s->kept);
	memset(s, 0, sizeof(*s));
}
