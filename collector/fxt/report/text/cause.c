// SPDX-License-Identifier: GPL-2.0-or-later
/* cause.c - see cause.h. */
#include <inttypes.h>

#include <linux/fxt_sched.h>

#include "cause.h"
#include "label.h"
#include "name.h"

static void print_thread(const struct text *t, unsigned int least)
{
	if (t->r->trigger.thread)
		text_thread(t, t->r->trigger.thread, text_width(t, least, 1));
	else
		out_str(t->o, "an unknown thread");
}

void text_cause(const struct text *t, const char *line, unsigned int least)
{
	const struct report_wait *w = &t->r->trigger;
	bool is_queue = t->r->cause == FXT_SCHED_CAUSE_RUNNABLE;

	if (is_queue)
		out_printf(t->o, "%8" PRIu64 "  threads were runnable on cpu %u at ",
			   t->r->runnable, w->cpu);
	else
		out_printf(t->o, "%8s  %s interrupt on cpu %u until ",
			   report_time_label(w->latency).text,
			   t->r->cause == FXT_SCHED_CAUSE_IRQ ? "hard" : "soft", w->cpu);
	out_seconds(t->o, w->time);
	out_printf(t->o, " s%s%s", line, is_queue ? "while " : "interrupted ");
	print_thread(t, least);
	out_str(t->o, is_queue ? " ran\n" : "\n");
}
