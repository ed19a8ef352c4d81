// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - the report of an archive without scheduling, as text. */
#include <inttypes.h>

#include "labels.h"
#include "sections.h"

#define NAME_AT		52	/* the column of names of slices */
#define TRACK_AT	38
#define COUNTER_AT	56

static unsigned int room(const struct text *t, unsigned int at)
{
	return t->style->columns - at;
}

static void print_head(const struct text *t, const struct slices *s)
{
	text_shade(t, SHADE_BAD);
	out_str(t->o, "NO SCHEDULING: no context switch and no wakeup, so nobody's run time and no wait is known\n");
	text_shade(t, SHADE_NONE);
	out_printf(t->o, "%.6f s from ", (s->last - s->first) / 1e9);
	out_seconds(t->o, s->first);
	out_printf(t->o, ": %" PRIu64 " slices of %zu thread%s, %" PRIu64 " async slices,\n"
		   "%zu counters, %" PRIu64 " instants, %" PRIu64 " records of flows\n",
		   s->slices, s->track_count, s->track_count == 1 ? "" : "s", s->async, s->counter_count, s->instants, s->flows);
	if (s->unended)
		out_printf(t->o, "%" PRIu64 " slices have no end, and are not counted\n",
			   s->unended);
	if (s->unbegun)
		out_printf(t->o, "%" PRIu64 " ends have no begin\n", s->unbegun);
	if (s->unkept)
		out_printf(t->o, "self times lack %" PRIu64 " slices: there are too many\n",
			   s->unkept);
}

static void print_names(const struct text *t, const struct slices *s, bool is_async)
{
	size_t i, shown = 0, count = 0;

	for (i = 0; i < s->name_count; i++)
		count += s->names[i]->is_async == is_async;
	if (!count)
		return;
	text_title(t, is_async ? "Async slices by name" : "Slices by name", count);
	text_heading(t, "   count  total   self longest at                  name");
	for (i = 0; i < s->name_count && shown < t->style->top; i++) {
		const struct slices_name *n = s->names[i];

		if (n->is_async != is_async)
			continue;
		shown++;
		out_printf(t->o, "%8s %6s %6s %7s ", count_label(n->count).text,
			   time_label(n->total).text,
			   is_async ? "" : time_label(n->self).text,
			   time_label(n->longest).text);
		out_seconds(t->o, n->longest_at);
		out_str(t->o, "  ");
		out_safe_fit(t->o, n->name, n->length, room(t, NAME_AT));
		out_char(t->o, '\n');
	}
}

static void print_object(const struct text *t, const struct fxt_object *o, unsigned int width)
{
	if (o)
		out_safe_fit(t->o, o->name, o->length, width);
	else
		out_char(t->o, '?');
}

static void print_tracks(const struct text *t, const struct slices *s)
{
	size_t i;

	if (!s->track_count)
		return;
	text_title(t, "Threads that have slices", s->track_count);
	text_heading(t, "     pid      tid   slices in slices  name");
	for (i = 0; i < s->track_count && i < t->style->top; i++) {
		const struct slices_track *n = s->tracks[i];

		out_printf(t->o, "%8s %8s %8s %9s  ", id_label(n->process).text,
			   id_label(n->thread).text, count_label(n->slices).text,
			   time_label(n->covered).text);
		print_object(t, slices_object(s, FXT_CLASS_THREAD, n->thread), room(t, TRACK_AT) / 2);
		out_str(t->o, " of ");
		print_object(t, slices_object(s, FXT_CLASS_PROCESS, n->process),
			     room(t, TRACK_AT) / 2 - 4);
		out_char(t->o, '\n');
	}
}

static void print_counters(const struct text *t, const struct slices *s)
{
	size_t i;

	if (!s->counter_count)
		return;
	text_title(t, "Counters", s->counter_count);
	text_heading(t, "     pid   values        least        most        last  name");
	for (i = 0; i < s->counter_count && i < t->style->top; i++) {
		const struct slices_counter *n = s->counters[i];

		out_printf(t->o, "%8s %8s %12.6g %11.6g %11.6g  ", id_label(n->process).text,
			   count_label(n->values).text, n->min, n->max, n->last);
		out_safe_fit(t->o, n->name, n->length, room(t, COUNTER_AT));
		out_char(t->o, '\n');
	}
}

void text_slices(const struct text *t)
{
	const struct slices *s = t->r->slices;

	print_head(t, s);
	print_names(t, s, false);
	print_names(t, s, true);
	print_tracks(t, s);
	print_counters(t, s);
}
