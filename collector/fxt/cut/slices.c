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

#include "libfxt/array.h"
#include "cut.h"

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
 * @node: in the map of all
 * @newest: of its open slices, at least one
 */
struct opener {
	struct map_node node;
	bool is_async;
	uint32_t provider;
	uint64_t process;
	uint64_t id;		/* the thread's koid, or the event's id */
	struct slice *newest;
};

static uint64_t hash_of(const struct opener *o)
{
	return map_hash(map_hash(o->process, o->id), (uint64_t)o->provider << 1 | o->is_async);
}

static bool is_same(const struct opener *a, const struct opener *b)
{
	return a->is_async == b->is_async && a->provider == b->provider &&
	       a->process == b->process && a->id == b->id;
}

static struct opener *find_opener(const struct slices *s, const struct opener *key,
				  uint64_t hash)
{
	struct map_node *n;

	for (n = map_first(&s->open, hash); n; n = map_next(n, hash))
		if (is_same(map_entry(n, struct opener, node), key))
			return map_entry(n, struct opener, node);
	return NULL;
}

static struct opener *find_or_add_opener(struct slices *s, const struct opener *key)
{
	uint64_t hash = hash_of(key);
	struct opener *o = find_opener(s, key, hash);

	if (o || map_reserve(&s->open))
		return o;
	o = malloc(sizeof(*o));
	if (!o)
		return NULL;
	*o = *key;
	map_add(&s->open, &o->node, hash);
	return o;
}

static int keep_record(struct slices *s, uint64_t number)
{
	if (array_grow(s->kept, s->kept_count))
		return -ENOMEM;
	s->kept[s->kept_count++] = number;
	return 0;
}

static int take_begin(struct slices *s, const struct opener *key, const struct slice *begun)
{
	struct slice *slice = malloc(sizeof(*slice));
	struct opener *o = slice ? find_or_add_opener(s, key) : NULL;

	if (!o) {
		free(slice);
		return -ENOMEM;
	}
	*slice = *begun;
	slice->next = o->newest;
	o->newest = slice;
	return 0;
}

/* Remove the newest slice, which ends; NULL if none is open. */
static struct slice *close_newest(struct slices *s, const struct opener *key)
{
	struct opener *o = find_opener(s, key, hash_of(key));
	struct slice *begun;

	if (!o)
		return NULL;
	begun = o->newest;
	o->newest = begun->next;
	if (!o->newest) {
		map_remove(&s->open, &o->node);
		free(o);
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
		ret = keep_record(s, begun->number);
	if (!ret && reaches && end->ns > c->to)
		ret = keep_record(s, end->number);
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
		ret = keep_record(&c->slices, slice->number);
		if (!ret)
			ret = cut_occurs(c, o->process, slice->thread, UINT64_MAX);
	}
	return ret;
}

int cut_slices_finish(struct cut *c)
{
	struct slices *s = &c->slices;
	struct map_node *n;
	int ret = 0;

	for (n = s->open.oldest; n && !ret; n = n->newer)
		ret = finish_open(c, map_entry(n, struct opener, node));
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
	struct map_node *n;
	struct slice *slice;
	struct opener *o;
	size_t from = 0;

	while ((n = map_take(&s->open, &from))) {
		o = map_entry(n, struct opener, node);
		while ((slice = o->newest)) {
			o->newest = slice->next;
			free(slice);
		}
		free(o);
	}
	map_free(&s->open);
	free(s->kept);
	memset(s, 0, sizeof(*s));
}
