// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hist.c - latencies at a glance: histograms as text.
 *
 * In: the waits of the report.
 * Out: bars side by side, or one character for each class of latencies.
 */
#include <inttypes.h>

#include "hist.h"
#include "label.h"

#define BAR		22
#define COMPARED	2	/* kinds of waits side by side: woken, preempted */

/* Print one character for a count, with a height relative to the largest. */
static void print_level(const struct text *t, uint64_t count, uint64_t most)
{
	static const char *const blocks[] = {
		" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587",
		"\u2588",
	};
	unsigned int level = count ? 1 + (unsigned int)(7.0 * count / most) : 0;

	if (t->style->utf8)
		out_str(t->o, blocks[level]);
	else
		out_char(t->o, " .:-=+*#@"[level]);
}

void text_small_hist(const struct text *t, const struct report_hist *h)
{
	uint64_t counts[REPORT_CLASSES], most = 1;
	unsigned int i;

	report_classes(h, counts);
	for (i = 0; i < REPORT_CLASSES; i++)
		most = counts[i] > most ? counts[i] : most;
	text_shade(t, SHADE_BAR);
	for (i = 0; i < REPORT_CLASSES; i++)
		print_level(t, counts[i], most);
	text_shade(t, SHADE_NONE);
}

static void print_bar(const struct text *t, uint64_t count, uint64_t most)
{
	unsigned int length = count ? 1 + (unsigned int)((BAR - 1.0) * count / most) : 0, i;

	text_shade(t, SHADE_BAR);
	for (i = 0; i < BAR; i++)
		out_str(t->o, i >= length ? " " : t->style->utf8 ? "\u2588" : "#");
	text_shade(t, SHADE_NONE);
	out_printf(t->o, " %6s", report_count_label(count).text);
}

/* Print the sums of the columns above: the time waited, in addition to the number of waits. */
static void print_sums(const struct text *t)
{
	const struct report_waits *w;
	unsigned int kind;

	out_str(t->o, "  in sum   ");
	for (kind = 0; kind < COMPARED; kind++) {
		w = t->r->totals.waits[kind];
		out_printf(t->o, " %-*s %6s%s", BAR,
			   report_time_label(w ? w->hist.sum : 0).text,
			   report_count_label(w ? w->hist.count : 0).text,
			   kind == REPORT_WOKEN ? "  " : "\n");
	}
}

/* Also of those that were held off. */
static void print_open(const struct text *t)
{
	uint64_t open = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++)
		open += t->r->totals.waits[kind] ? t->r->totals.waits[kind]->open : 0;
	if (open)
		out_printf(t->o, "  still waiting at the end: %s of them, which are at least so long\n",
			   report_count_label(open).text);
}

void text_large_hists(const struct text *t)
{
	static const struct report_hist none;
	uint64_t counts[COMPARED][REPORT_CLASSES], most[COMPARED] = { 1, 1 };
	unsigned int kind, i, first = REPORT_CLASSES, last = 0;

	for (kind = 0; kind < COMPARED; kind++) {
		const struct report_waits *w = t->r->totals.waits[kind];

		report_classes(w ? &w->hist : &none, counts[kind]);
		for (i = 0; i < REPORT_CLASSES; i++) {
			most[kind] = counts[kind][i] > most[kind] ? counts[kind][i] : most[kind];
			last = counts[kind][i] && i > last ? i : last;
			first = counts[kind][i] && i < first ? i : first;
		}
	}
	if (first > last)
		return;
	text_title(t, "How long threads waited for a CPU", 0);
	text_heading(t, "            after a wakeup                  after a preemption");
	for (i = first; i <= last; i++) {
		if (i < REPORT_CLASSES - 1)
			out_printf(t->o, "  < %6s  ",
				   report_time_label(report_class_limit(i)).text);
		else
			out_printf(t->o, "  longer    ");
		print_bar(t, counts[REPORT_WOKEN][i], most[REPORT_WOKEN]);
		out_str(t->o, "   ");
		print_bar(t, counts[REPORT_PREEMPTED][i], most[REPORT_PREEMPTED]);
		out_char(t->o, '\n');
	}
	print_sums(t);
	print_open(t);
}

void text_held_off(const struct text *t)
{
	const struct report_waits *w = t->r->totals.waits[REPORT_HELD];

	if (!w)
		return;
	out_printf(t->o, "  held off: %s waits, %s in all, while the CPU was idle: throttled by a cgroup,\n"
		   "            or held off by something else\n",
		   report_count_label(w->hist.count).text, report_time_label(w->hist.sum).text);
}
