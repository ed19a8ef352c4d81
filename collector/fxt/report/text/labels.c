// SPDX-License-Identifier: GPL-2.0-or-later
/* labels.c - see labels.h. */
#include <stdio.h>

#include "labels.h"
#include "report/tables/tables.h"

struct label report_cpus_label(uint16_t from, uint16_t to)
{
	struct label l;

	if (from == to)
		snprintf(l.text, sizeof(l.text), "%u", to);
	else
		snprintf(l.text, sizeof(l.text), "%u -> %u", from, to);
	return l;
}

void text_woken_by(const struct text *t, const struct report_wait *w, const char *line,
		   unsigned int width)
{
	if (w->irq)
		out_printf(t->o, "%swoken by %s", line, table_irq_name(w->irq));
	if (w->irq && w->irq_cpu != REPORT_NO_CPU)
		out_printf(t->o, " (cpu %u)", w->irq_cpu);
	if (w->by_idle)
		out_printf(t->o, "%swoken by an idle CPU", line);
	if (w->waker) {
		out_printf(t->o, "%swoken by ", line);
		text_thread(t, w->waker->sched, width);
	}
}
