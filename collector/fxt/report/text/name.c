// SPDX-License-Identifier: GPL-2.0-or-later
/* name.c - see name.h. */
#include <string.h>

#include <linux/fxt_sched.h>

#include "label.h"
#include "name.h"

unsigned int text_name(const struct text *t, const char *name, unsigned int width)
{
	return out_safe_fit(t->o, name, strlen(name), width);
}

unsigned int text_row_name(const struct text *t, const char *name, unsigned int width)
{
	const char *last = *name == '/' && strlen(name) > width ? strrchr(name, '/') + 1 : name;

	return text_name(t, *last ? last : name, width);
}

unsigned int text_thread(const struct text *t, const struct report_thread *thread,
			 unsigned int width)
{
	struct report_label id = report_id_label(thread->sched->koid);
	unsigned int taken = strlen(id.text) + 1;

	if (!thread->sched->koid)
		return text_name(t, report_name(thread), width);
	taken += text_name(t, report_name(thread), width - taken);
	out_printf(t->o, "/%s", id.text);
	return taken;
}

const char *text_irq_name(uint8_t irq)
{
	switch (irq) {
	case FXT_SCHED_IRQ_SOFT:
		return "a soft interrupt";
	case FXT_SCHED_IRQ_NMI:
		return "an NMI";
	}
	return "an interrupt";
}

void text_woken_by(const struct text *t, const struct report_wait *w, const char *line,
		   unsigned int width)
{
	if (w->irq)
		out_printf(t->o, "%swoken by %s", line, text_irq_name(w->irq));
	if (w->irq && w->irq_cpu != REPORT_NO_CPU)
		out_printf(t->o, " (cpu %u)", w->irq_cpu);
	if (w->by_idle)
		out_printf(t->o, "%swoken by an idle CPU", line);
	if (w->waker) {
		out_printf(t->o, "%swoken by ", line);
		text_thread(t, w->waker, width);
	}
}

void text_pad(const struct text *t, unsigned int taken, unsigned int width)
{
	out_printf(t->o, "%*s", taken < width ? (int)(width - taken) : 0, "");
}
