// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel.c - see kernel.h. */
#include <string.h>

#include "kernel.h"
#include "label.h"
#include "name.h"

#define NOTABLE_WAIT	10	/* one part in so many of a wait */
#define NAME		24
#define VICTIM		20

static const char *kind_text(const struct report_source *s)
{
	switch (s->of->what) {
	case KERNEL_IRQ:
		return "irq";
	case KERNEL_VECTOR:
		return "cpu";
	default:
		return "soft";
	}
}

/* "eth0 (irq 17)", but "NET_RX". */
static unsigned int print_source(const struct text *t, const struct report_source *s,
				 unsigned int width)
{
	struct report_label number = report_count_label(s->of->number);
	unsigned int room = width > 16 ? width - 12 : width;

	if (s->of->what != KERNEL_IRQ)
		return text_name(t, s->of->name, width);
	room = text_name(t, s->of->name, room);
	out_printf(t->o, " (irq %s)", number.text);
	return room + 7 + strlen(number.text);
}

/* --- interrupts ---------------------------------------------------------------------------- */

static void print_interrupt(const struct text *t, const struct report_source *s)
{
	out_printf(t->o, "%6s %8s %6s %6s %6s  ", kind_text(s),
		   report_count_label(s->count).text, report_time_label(s->total).text,
		   report_share_label(report_share(t->r, s->total)).text,
		   report_time_label(s->longest).text);
	text_pad(t, print_source(t, s, NAME), NAME);
	if (s->most) {
		out_str(t->o, "  ");
		text_thread(t, s->most, text_width(t, VICTIM - 4, 1));
		out_printf(t->o, " %s", report_time_label(s->most_ns).text);
	}
	out_char(t->o, '\n');
}

static size_t count_of(const struct report_kernel *k, enum kernel_event_what first,
		       enum kernel_event_what last)
{
	size_t i, n = 0;

	for (i = 0; i < k->source_count; i++)
		n += k->sources[i]->of->what >= first && k->sources[i]->of->what <= last;
	return n;
}

void text_interrupts(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t i, count = count_of(k, KERNEL_IRQ, KERNEL_SOFTIRQ);

	if (!count)
		return;
	text_title(t, "Interrupts", count);
	text_heading(t, "  kind    count   took  share longest name                      took most from");
	/* They come first. */
	for (i = 0; i < count && i < t->style->top; i++)
		print_interrupt(t, k->sources[i]);
}

/* --- CPUs ----------------------------------------------------------------------------------- */

static void print_share(const struct text *t, uint64_t ns)
{
	double window = report_window(t->r);

	out_printf(t->o, " %8s", report_share_label(window > 0 ? ns / window : 0).text);
}

static void print_mhz(const struct text *t, const struct report_level *khz)
{
	if (khz->known)
		out_printf(t->o, " %8.0f %8.0f %8.0f", khz->least / 1e3,
			   report_level_average(khz) / 1e3, khz->most / 1e3);
	else
		out_printf(t->o, " %8s %8s %8s", "?", "?", "?");
}

void text_cpu_kernel(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	bool has_irqs = report_has_irqs(k), has_idle = k->has[KERNEL_IDLE];
	bool has_frequency = k->has[KERNEL_FREQUENCY];
	size_t i;

	if (!has_irqs && !has_idle && !has_frequency)
		return;
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "     cpu%s%s%s", has_irqs ? " hard irq soft irq" : "",
		   has_idle ? " idle st." : "", has_frequency ? "  min MHz     avg.     max." : "");
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	for (i = 0; i < t->r->cpu_count && i < t->style->top; i++) {
		const struct report_cpu *cpu = t->r->cpus[i];

		out_printf(t->o, "%8u", cpu->number);
		if (has_irqs) {
			print_share(t, cpu->kernel.hard);
			print_share(t, cpu->kernel.soft);
		}
		if (has_idle)
			print_share(t, cpu->kernel.idle);
		if (has_frequency)
			print_mhz(t, &cpu->levels.khz);
		out_char(t->o, '\n');
	}
}

/* --- work items, waits ------------------------------------------------------------------------ */

void text_work_items(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t i, count = count_of(k, KERNEL_WORK, KERNEL_WORK), shown = 0;

	if (!count)
		return;
	text_title(t, "Work items", count);
	text_heading(t, "   count   took longest  function");
	for (i = 0; i < k->source_count && shown < t->style->top; i++) {
		const struct report_source *s = k->sources[i];

		if (s->of->what != KERNEL_WORK)
			continue;
		shown++;
		out_printf(t->o, "%8s %6s  %6s  ", report_count_label(s->count).text,
			   report_time_label(s->total).text, report_time_label(s->longest).text);
		text_name(t, s->of->name, text_width(t, 50, 1));
		out_char(t->o, '\n');
	}
}

void text_wait_kernel(const struct text *t, const struct report_wait *w, const char *line)
{
	if (!w->thief || w->stolen < w->latency / NOTABLE_WAIT)
		return;
	out_printf(t->o, "%sinterrupts took %s of it (%.0f%%), most of that ", line,
		   report_time_label(w->stolen).text,
		   w->latency ? w->stolen * 100.0 / w->latency : 0.0);
	print_source(t, w->thief, NAME);
}
