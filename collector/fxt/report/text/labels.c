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

#define FIRST_CLASS_BITS	12	/* 4096 ns */

/* Three digits of a number that is less than 1000 once it is rounded to them. */
static void three_digits(struct report_label *l, double value, const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(l->text, sizeof(l->text), "%.*f%s", decimals, value, unit);
}

struct report_label report_time_label(uint64_t ns)
{
	static const struct {
		double ns;
		double most;	/* of this unit */
		const char *name;
	} units[] = {
		{ 1e3, 999.5, "us" }, { 1e6, 999.5, "ms" }, { 1e9, 99999.5, "s" },
		{ 3600e9, 99999.5, "h" }, { 8766 * 3600e9, 1e9, "y" },
	};
	struct report_label l;
	size_t i;

	if (ns < 1000) {
		snprintf(l.text, sizeof(l.text), "%uns", (unsigned int)ns);
		return l;
	}
	for (i = 0; ns / units[i].ns >= units[i].most; i++)
		;
	three_digits(&l, ns / units[i].ns, units[i].name);
	return l;
}

struct report_label report_count_label(uint64_t count)
{
	static const char *const units[] = { "M", "G", "T", "P", "E" };
	double value = count / 1e6;
	struct report_label l;
	size_t i;

	if (count < 1000000) {
		snprintf(l.text, sizeof(l.text), "%" PRIu64, count);
		return l;
	}
	for (i = 0; value >= 999.5; i++)
		value /= 1000;
	three_digits(&l, value, units[i]);
	return l;
}

struct report_label report_share_label(double share)
{
	struct report_label l;

	snprintf(l.text, sizeof(l.text), "%.*f%%", share < 0.99995 ? 2 : 0, share * 100);
	return l;
}

struct report_label report_id_label(uint64_t koid)
{
	struct report_label l;

	if (koid < 100000000)
		snprintf(l.text, sizeof(l.text), "%" PRIu64, koid);
	else
		snprintf(l.text, sizeof(l.text), "~%07u", (unsigned int)(koid % 10000000));
	return l;
}

struct report_label report_cpus_label(uint16_t from, uint16_t to)
{
	struct report_label l;

	if (from == to)
		snprintf(l.text, sizeof(l.text), "%u", to);
	else
		snprintf(l.text, sizeof(l.text), "%u -> %u", from, to);
	return l;
}

uint64_t report_class_limit(unsigned int class)
{
	return 1ULL << (FIRST_CLASS_BITS + 2 * class);
}

void report_classes(const struct report_hist *h, uint64_t counts[REPORT_CLASSES])
{
	struct report_bucket b;
	unsigned int at = 0, class = 0, i;

	for (i = 0; i < REPORT_CLASSES; i++)
		counts[i] = 0;
	while (report_hist_next(h, &at, &b)) {
		while (class < REPORT_CLASSES - 1 && b.low >= report_class_limit(class))
			class++;
		counts[class] += b.count;
	}
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
