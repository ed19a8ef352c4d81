// SPDX-License-Identifier: GPL-2.0-or-later
/* slices.c - the report of an archive without scheduling, as text. */
#include <inttypes.h>

#include "labels.h"
#include "sections.h"

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

void text_slices(const struct text *t)
{
	const struct table *const *table;

	print_head(t, t->r->slices);
	for (table = tables_of_slices_in_text; *table; table++)
		text_table(t, *table);
}
