// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - slices that overlap a part of an archive.
 *
 * In: events that begin and end slices, of a thread or by an id, in the order of the
 * archive, which for each of them is that of time.
 * Out: the numbers of the records outside the range that belong to a slice that overlaps
 * it. A slice without an end lasts until the end of the archive.
 *
 * Of flows, only the records in the range are kept: an arrow needs its slices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"

#define FIRST_ROOM	256

/**
 * struct slice - an open slice
 * @next: an older one of the same thread or id
 */
struct slice {
	struct slice *next;
	uint64_t thread;	/* koid of the thread that it begins in */
	uint64_t number;	/* of the record */
	uint64_t ns;
};

/**
 * struct opener - a thread, or an id of async events, with its open slices
 * @next: another one of the same list
 * @newest: of its open slices, at least one
 */
struct opener {
	struct opener *next;
	bool is_async;
	uint32_t provider;
	uint64_t process;
	uint64_t id;		/* the thread's koid, or the event's id */
	struct slice *newest;
};

static size_t bucket_of(const struct opener *o, size_t room)
{
	uint64_t mixed = (o->process * 31 + o->id) * 2 + o->is_async + o->provider;

	return (mixed * 0x9e3779b97f4a7c15ULL) >> 32 & (room - 1);
}

static bool is_same(const struct opener *a, const struct opener *b)
{
	return a->is_async == b->is_async && a->provider == b->provider &&
	       a->process == b->process && a->id == b->id;
}

static int grow(struct slices *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM, i, to;
	struct opener **more = calloc(room, sizeof(*more)), *o;

	if (!more)
		return -ENOMEM;
	for (i = 0; i < s->room; i++) {
		while ((o = s->open[i])) {
			s->open[i] = o->next;
			to = bucket_of(o, room);
			o->next = more[to];
			more[to] = o;
		}
	}
	free(s->open);
	s->open = more;
	s->room = room;
	return 0;
}

/* The link to the opener equal to @key, or to the NULL at the end of its list. */
static struct opener **find(struct slices *s, const struct opener *key)
{
	struct opener **at = &s->open[bucket_of(key, s->room)];

	while (*at && !is_same(*at, key))
		at = &(*at)->next;
	return at;
}

static int keep(struct slices *s, uint64_t number)
{
	size_t room = s->kept_room ? 2 * s->kept_room : FIRST_ROOM;
	uint64_t *more;

	if (s->kept_count == s->kept_room) {
		more = reallocarray(s->kept, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->kept = more;
		s->kept_room = room;
	}
	s->kept[s->kept_count++] = number;
	return 0;
}

static int take_begin(struct slices *s, const struct opener *key, const struct slice *begun)
{
	struct slice *slice = malloc(sizeof(*slice));
	struct opener **at;

	if (!slice || (s->open_count >= s->room && grow(s)))
		goto out_of_memory;
	at = find(s, key);
	if (!*at) {
		*at = malloc(sizeof(**at));
		if (!*at)
			goto out_of_memory;
		**at = *key;
		s->open_count++;
	}
	*slice = *begun;
	slice->next = (*at)->newest;
	(*at)->newest = slice;
	return 0;
out_of_memory:
	free(slice);
	return -ENOMEM;
}

/* Remove the newest slice, which ends; NULL if none is open. */
static struct slice *close_newest(struct slices *s, const struct opener *key)
{
	struct opener **at = s->room ? find(s, key) : NULL, *o = at ? *at : NULL;
	struct slice *begun;

	if (!o)
		return NULL;
	begun = o->newest;
	o->newest = begun->next;
	if (!o->newest) {
		*at = o->next;
		free(o);
		s->open_count--;
	}
	return begun;
}

static int take_end(struct cut *c, const struct opener *key, const struct slice *end)
{
	struct slices *s = &c->slices;
	struct slice *begun = close_newest(s, key);
	bool reaches;
	int ret = 0;

	if (!begun)
		return 0;
	reaches = begun->ns <= c->to && end->ns >= c->from;
	if (reaches && begun->ns < c->from)
		ret = keep(s, begun->number);
	if (!ret && reaches && end->ns > c->to)
		ret = keep(s, end->number);
	free(begun);
	return ret ? ret : reaches;
}

int cut_slices_take(struct cut *c, const struct fxt_record *rec,
		    const struct fxt_content *content)
{
	uint64_t rate = rec->provider->ticks_per_second;
	bool is_async = content->kind == FXT_KIND_ASYNC_BEGIN ||
			content->kind == FXT_KIND_ASYNC_END;
	struct opener key = {
		.is_async = is_async,
		.provider = rec->provider->id,
		.process = content->thread.process,
		.id = is_async ? content->id : content->thread.thread,
	};
	struct slice here = {
		.thread = content->thread.thread,
		.number = rec->number,
		.ns = fxt_ticks_to_ns(content->time, rate),
	};

	switch (content->kind) {
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_ASYNC_BEGIN:
		return take_begin(&c->slices, &key, &here);
	case FXT_KIND_DURATION_END:
	case FXT_KIND_ASYNC_END:
		return take_end(c, &key, &here);
	case FXT_KIND_DURATION_COMPLETE:
		return here.ns <= c->to && fxt_ticks_to_ns(content->end, rate) >= c->from;
	default:
		return 0;
	}
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The open slices of one thread or id. */
static int finish_open(struct cut *c, const struct opener *o)
{
	struct slice *slice;
	int ret = 0;

	for (slice = o->newest; slice && !ret; slice = slice->next) {
		if (slice->ns >= c->from)
			continue;
		ret = keep(&c->slices, slice->number);
		if (!ret)
			ret = cut_occurs(c, o->process, slice->thread, UINT64_MAX);
	}
	return ret;
}

int cut_slices_finish(struct cut *c)
{
	struct slices *s = &c->slices;
	struct opener *o;
	int ret = 0;
	size_t i;

	for (i = 0; i < s->room; i++)
		for (o = s->open[i]; o && !ret; o = o->next)
			ret = finish_open(c, o);
	if (s->kept_count)
		qsort(s->kept, s->kept_count, sizeof(*s->kept), by_number);
	return ret;
}

bool cut_slices_keep(struct slices *s, uint64_t number)
{
	while (s->next < s->kept_count && s->kept[s->next] < number)
		s->next++;
	return s->next < s->kept_count && s->kept[s->next] == number;
}

void cut_slices_free(struct slices *s)
{
	struct slice *slice;
	struct opener *o;
	size_t i;

	for (i = 0; i < s->room; i++) {
		while ((o = s->open[i])) {
			s->open[i] = o->next;
			while ((slice = o->newest)) {
				o->newest = slice->next;
				free(slice);
			}
			free(o);
		}
	}
	free(s->open);
	free(s->kept);
	memset(s, 0, sizeof(*s));
}
