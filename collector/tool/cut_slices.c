// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cut_slices.c - slices that reach into a part of an archive.
 *
 * What flows in: events that begin and end slices, of a thread or by an id, in the
 * order of the archive, which for each of them is that of time. What flows out: the
 * numbers of those records that stand outside of the range and yet belong to a slice
 * that does not. A slice that has not ended reaches to the end.
 *
 * Of flows only what stands in the range is kept: an arrow needs its slices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"

#define FIRST_ROOM	256

/**
 * struct slice - one that has begun
 * @next: another one of the same list; of the same thread, the newer one comes first
 */
struct slice {
	struct slice *next;
	bool is_async;
	uint32_t provider;
	uint64_t process;
	uint64_t id;		/* the thread's koid, or the event's id */
	uint64_t thread;	/* koid, that it begins in */
	uint64_t number;	/* of the record */
	uint64_t ns;
};

static size_t bucket_of(const struct slice *s, size_t room)
{
	uint64_t mixed = (s->process * 31 + s->id) * 2 + s->is_async + s->provider;

	return (mixed * 0x9e3779b97f4a7c15ULL) >> 32 & (room - 1);
}

static bool is_same(const struct slice *a, const struct slice *b)
{
	return a->is_async == b->is_async && a->provider == b->provider &&
	       a->process == b->process && a->id == b->id;
}

/* Behind all that are there: lists are moved from their beginnings on. */
static void append(struct slice **list, struct slice *s)
{
	while (*list)
		list = &(*list)->next;
	s->next = NULL;
	*list = s;
}

static int grow(struct slices *s)
{
	size_t room = s->room ? 2 * s->room : FIRST_ROOM, i;
	struct slice **more = calloc(room, sizeof(*more)), *slice, *next;

	if (!more)
		return -ENOMEM;
	for (i = 0; i < s->room; i++) {
		for (slice = s->open[i]; slice; slice = next) {
			next = slice->next;
			append(&more[bucket_of(slice, room)], slice);
		}
	}
	free(s->open);
	s->open = more;
	s->room = room;
	return 0;
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

static int take_begin(struct slices *s, const struct slice *key)
{
	struct slice *slice = malloc(sizeof(*slice));
	size_t i;

	if (!slice || (s->open_count >= s->room && grow(s))) {
		free(slice);
		return -ENOMEM;
	}
	i = bucket_of(key, s->room);
	*slice = *key;
	slice->next = s->open[i];
	s->open[i] = slice;
	s->open_count++;
	return 0;
}

static int take_end(struct cut *c, const struct slice *key)
{
	struct slices *s = &c->slices;
	struct slice **at, *begun;
	bool reaches;
	int ret = 0;

	if (!s->room)
		return 0;
	for (at = &s->open[bucket_of(key, s->room)]; *at; at = &(*at)->next)
		if (is_same(*at, key))
			break;
	begun = *at;
	if (!begun)
		return 0;
	*at = begun->next;
	s->open_count--;
	reaches = begun->ns <= c->to && key->ns >= c->from;
	if (reaches && begun->ns < c->from)
		ret = keep(s, begun->number);
	if (!ret && reaches && key->ns > c->to)
		ret = keep(s, key->number);
	free(begun);
	return ret ? ret : reaches;
}

int cut_slices_take(struct cut *c, const struct fxt_record *rec,
		    const struct fxt_content *content)
{
	bool is_async = content->kind == FXT_KIND_ASYNC_BEGIN ||
			content->kind == FXT_KIND_ASYNC_END;
	struct slice key = {
		.is_async = is_async,
		.provider = rec->provider->id,
		.process = content->thread.process,
		.id = is_async ? content->id : content->thread.thread,
		.thread = content->thread.thread,
		.number = rec->number,
		.ns = fxt_ticks_to_ns(content->time, rec->provider->ticks_per_second),
	};

	switch (content->kind) {
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_ASYNC_BEGIN:
		return take_begin(&c->slices, &key);
	case FXT_KIND_DURATION_END:
	case FXT_KIND_ASYNC_END:
		return take_end(c, &key);
	case FXT_KIND_DURATION_COMPLETE:
		return key.ns <= c->to &&
		       fxt_ticks_to_ns(content->end,
				       rec->provider->ticks_per_second) >= c->from;
	default:
		return 0;
	}
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

int cut_slices_finish(struct cut *c)
{
	struct slices *s = &c->slices;
	struct slice *slice;
	int ret = 0;
	size_t i;

	for (i = 0; i < s->room; i++)
		for (slice = s->open[i]; slice && !ret; slice = slice->next) {
			if (slice->ns >= c->from)
				continue;
			ret = keep(s, slice->number);
			if (!ret)
				ret = cut_occurs(c, slice->process, slice->thread, UINT64_MAX);
		}
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
	size_t i;

	for (i = 0; i < s->room; i++) {
		while ((slice = s->open[i])) {
			s->open[i] = slice->next;
			free(slice);
		}
	}
	free(s->open);
	free(s->kept);
	memset(s, 0, sizeof(*s));
}
