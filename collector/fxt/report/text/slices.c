// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - the report of an archive without scheduling, as text. */
#include <inttypes.h>

#include "sections.h"

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_head(const struct text *t, const struct slices *s)
{
	text_shade(t, SHADE_BAD);
	out_str(t->o, "NO SCHEDULING: no context switches and no wakeups, so run times and waits are unknown\n");
	text_shade(t, SHADE_NONE);
	out_printf(t->o, "%.6f s from ", (s->last - s->first) / 1e9);
	out_seconds(t->o, s->first);
	out_printf(t->o, ": %" PRIu64 " slice%s of %zu thread%s, %" PRIu64 " async slice%s,\n"
		   "%zu counter%s, %" PRIu64 " instant%s, %" PRIu64 " record%s of flows\n",
		   s->slices, plural(s->slices), s->track_count, plural(s->track_count), s->async,
		   plural(s->async), s->counter_count, plural(s->counter_count), s->instants,
		   plural(s->instants), s->flows, plural(s->flows));
	if (s->unended)
		out_printf(t->o, "%" PRIu64 " slice%s no end, and %s not counted\n", s->unended,
			   s->unended == 1 ? " has" : "s have", s->unended == 1 ? "is" : "are");
	if (s->unbegun)
		out_printf(t->o, "%" PRIu64 " end%s no beginning\n", s->unbegun,
			   s->unbegun == 1 ? " has" : "s have");
	if (s->refused)
		out_printf(t->o, "%" PRIu64 " async slice%s not counted: too many at once\n",
			   s->refused, s->refused == 1 ? " is" : "s are");
	if (s->unkept)
		out_printf(t->o, "self times omit %" PRIu64 " slices: there are too many\n",
			   s->unkept);
}

void text_slices(const struct text *t)
{
	const struct table *const *table;

	print_head(t, text_report(t)->slices);
	for (table = tables_of_slices_in_text; *table; table++)
		text_table(t, *table);
}
