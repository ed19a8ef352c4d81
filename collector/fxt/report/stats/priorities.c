// SPDX-License-Identifier: GPL-2.0-or-later
/* priorities.c - lists threads that inherited priorities. */
#include <stdlib.h>

#include "internal.h"

void engine_note_priority(struct report_engine *e, const struct sched_moment *m)
{
	int32_t from = m->args.priority.before, to = m->args.priority.after;
	struct report_inherited *in;
	struct report_thread *t;

	/* The thread gives an inherited priority back. */
	if (to >= from)
		return;
	t = engine_thread(e, m->thread);
	in = t->inherited;
	if (!in) {
		in = t->inherited = arena_new(&e->arena, struct report_inherited);
		*in = (struct report_inherited){ .thread = t, .own = from, .best = to };
	}
	in->count++;
	in->own = from > in->own ? from : in->own;
	in->best = to < in->best ? to : in->best;
}

ARRAY_COMPARE_POINTERS(by_count, struct report_inherited, x, y,
		       array_order(y->count, x->count) ?: array_order(x->best, y->best) ?:
		       array_order(x->thread->sched->koid, y->thread->sched->koid))

void engine_priorities_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct report *r = &e->report;
	size_t i;

	k->inherited = arena_array(&e->arena, struct report_inherited *, r->thread_count);
	for (i = 0; i < r->thread_count; i++)
		if (r->threads[i]->inherited)
			k->inherited[k->inherited_count++] = r->threads[i]->inherited;
	array_sort(k->inherited, k->inherited_count, by_count);
}
