// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices.c - the slices and counters of an archive without scheduling, in the page. It has a thread
 * for each that has slices; then one for each process, with its asynchronous slices and its
 * counters.
 */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "terminal/memory.h"

static int by_number(const void *one, const void *other)
{
	return array_order(*(const uint64_t *)one, *(const uint64_t *)other);
}

/* Sorted, each once. */
static void find_processes(struct report_html *h)
{
	const struct slices *s = h->slices;
	size_t i, n = 0, all = s->track_count + s->drawn_count;

	h->pids = all ? must(calloc(all, sizeof(*h->pids))) : NULL;
	for (i = 0; i < all; i++)
		h->pids[i] = i < s->track_count ? s->tracks[i]->process :
						  s->drawn[i - s->track_count].process;
	array_sort(h->pids, all, by_number);
	for (i = 0; i < all; i++)
		if (!n || h->pids[i] != h->pids[n - 1])
			h->pids[n++] = h->pids[i];
	h->pid_count = n;
}

static size_t process_of(const struct report_html *h, uint64_t koid)
{
	return (uint64_t *)bsearch(&koid, h->pids, h->pid_count, sizeof(koid), by_number) - h->pids;
}

/* 1 + the highest number of a list. */
#define NUMBERS(list, count) ({							\
	size_t most_ = 0, i_;							\
										\
	for (i_ = 0; i_ < (count); i_++)					\
		most_ = (list)[i_]->number >= most_ ? (list)[i_]->number + 1 : most_;	\
	most_;									\
})

static void add_piece(struct report_html *h, const struct slices_piece *p)
{
	html_put_event(h, &(struct html_event){
		       .from = p->begin, .to = p->end, .track = p->track + 1,
		       .source = HTML_FIRST_ORIGIN + h->origin_room + p->name,
	});
}

static void add_drawn(struct report_html *h, const struct slices_drawn *d, size_t tracks, size_t names)
{
	struct html_event e = {
		.from = d->begin, .to = d->end, .track = tracks + process_of(h, d->process) + 1,
		.source = HTML_FIRST_ORIGIN + h->origin_room + d->of,
	};
	uint64_t bits;

	if (d->is_value) {
		memcpy(&bits, &d->value, sizeof(bits));
		e.source += names;
		e.first = (int32_t)(bits >> 32);
		e.second = (int32_t)bits;
	}
	html_put_event(h, &e);
}

void html_add_slices(struct report_html *h)
{
	const struct slices *s = h->slices;
	size_t tracks = NUMBERS(s->tracks, s->track_count);
	size_t names = NUMBERS(s->names, s->name_count);
	const struct slices_piece *p = s->pieces, *pieces_end = p + s->piece_count;
	const struct slices_drawn *d = s->drawn, *drawn_end = d + s->drawn_count;

	find_processes(h);
	while (p < pieces_end || d < drawn_end) {
		if (d == drawn_end || (p < pieces_end && p->end <= d->end)) {
			if (html_has_room(h, p->end))
				add_piece(h, p);
			p++;
		} else {
			if (html_has_room(h, d->end))
				add_drawn(h, d, tracks, names);
			d++;
		}
	}
}

/* Call @put for each element of a list, by number; for NULL where a number is not used. */
#define IN_ORDER(j, list, count, put) do {					\
	size_t all_ = NUMBERS(list, count), i_;					\
	const void **by_ = all_ ? must(calloc(all_, sizeof(*by_))) : NULL;	\
										\
	for (i_ = 0; i_ < (count); i_++)					\
		by_[(list)[i_]->number] = (list)[i_];				\
	for (i_ = 0; i_ < all_; i_++) {						\
		if (by_[i_])							\
			put(j, h, by_[i_]);					\
		else								\
			json_null(j, NULL);					\
	}									\
	free(by_);								\
} while (0)

static void put_name(struct json *j, const struct report_html *h, const struct slices_name *n)
{
	(void)h;
	html_put_source(j, n->is_async ? "async" : "slice", n->name, n->length, 0);
}

static void put_counter(struct json *j, const struct report_html *h, const struct slices_counter *c)
{
	(void)h;
	html_put_source(j, "counter", c->name, c->length, 0);
}

void html_put_slice_sources(const struct report_html *h, struct json *j)
{
	IN_ORDER(j, h->slices->names, h->slices->name_count, put_name);
	IN_ORDER(j, h->slices->counters, h->slices->counter_count, put_counter);
}

static void put_object(struct json *j, const struct report_html *h, enum fxt_object_class class,
		       uint64_t koid)
{
	const struct fxt_object *o = slices_object(h->slices, class, koid);

	if (o)
		json_string_of(j, "name", o->name, o->length);
	else
		json_null(j, "name");
}

/* @of: "thread" or "process" */
static void put_thread(struct json *j, const struct report_html *h, const char *of, uint64_t koid,
		       uint64_t process)
{
	json_object(j, NULL);
	json_number(j, "tid", koid);
	json_number(j, "nth", 0);
	put_object(j, h, *of == 't' ? FXT_CLASS_THREAD : FXT_CLASS_PROCESS, koid);
	json_number(j, "pid", process);
	json_number(j, "process_nth", 0);
	json_number(j, "owner", process_of(h, process));
	json_boolean(j, "isOfReport", true);
	json_string(j, "of", of);
	json_end(j, '}');
}

static void put_track(struct json *j, const struct report_html *h, const struct slices_track *t)
{
	put_thread(j, h, "thread", t->thread, t->process);
}

void html_put_tracks(const struct report_html *h, struct json *j)
{
	size_t i;

	json_number(j, "undrawn", h->slices->unkept + h->slices->undrawn);
	json_array(j, "threads");
	IN_ORDER(j, h->slices->tracks, h->slices->track_count, put_track);
	for (i = 0; i < h->pid_count; i++)
		put_thread(j, h, "process", h->pids[i], h->pids[i]);
	json_end(j, ']');
	json_array(j, "processes");
	for (i = 0; i < h->pid_count; i++) {
		json_object(j, NULL);
		json_number(j, "pid", h->pids[i]);
		put_object(j, h, FXT_CLASS_PROCESS, h->pids[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}
