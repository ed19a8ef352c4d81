// SPDX-License-Identifier: GPL-2.0-or-later
/* priorities.c - see priorities.h. */
#include <inttypes.h>

#include "label.h"
#include "name.h"
#include "priorities.h"

#define NAME	40

void text_priorities(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t i;

	if (!k->inherited_count)
		return;
	text_title(t, "Threads that inherited priorities", k->inherited_count);
	text_heading(t, "   count    prio  raised to  name");
	for (i = 0; i < k->inherited_count && i < t->style->top; i++) {
		const struct report_inherited *in = k->inherited[i];

		out_printf(t->o, "%8s %7" PRId32 " %10" PRId32 "  ",
			   report_count_label(in->count).text, in->own, in->best);
		text_thread(t, in->thread, text_width(t, NAME, 1));
		out_char(t->o, '\n');
	}
}
