// SPDX-License-Identifier: GPL-2.0-or-later
/* labels.c - see labels.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include "labels.h"

/* --- colours and headings ---------------------------------------------------------------- */

void text_shade(const struct text *t, enum shade shade)
{
	static const char *const codes[] = {
		[SHADE_NONE] = "\033[0m",
		[SHADE_HEADING] = "\033[1m",
		[SHADE_BAR] = "\033[36m",
		[SHADE_BAD] = "\033[31m",
	};

	if (t->style->colour)
		out_str(t->o, codes[shade]);
}

void text_heading(const struct text *t, const char *text)
{
	text_shade(t, SHADE_HEADING);
	out_str(t->o, text);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
}

void text_title(const struct text *t, const char *what, size_t count)
{
	size_t top = t->style->top;

	out_char(t->o, '\n');
	text_shade(t, SHADE_HEADING);
	out_str(t->o, what);
	text_shade(t, SHADE_NONE);
	if (count > top)
		out_printf(t->o, ": the first %zu of %zu", top, count);
	out_char(t->o, '\n');
}

/* --- numbers ----------------------------------------------------------------------------- */

struct label report_cpus_label(uint16_t from, uint16_t to)
{
	struct label l;

	if (from == to)
		snprintf(l.text, sizeof(l.text), "%u", to);
	else
		snprintf(l.text, sizeof(l.text), "%u -> %u", from, to);
	return l;
}

/* --- names ------------------------------------------------------------------------------- */

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
	struct label id = id_label(thread->sched->koid);
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
