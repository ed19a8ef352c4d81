// SPDX-License-Identifier: GPL-2.0-or-later
/* sleeps.c - how long threads slept, and who woke them, as text. */
#include <inttypes.h>
#include <stdio.h>

#include "sections.h"

#define THREAD		19
#define SLEEP_LINE	"\n          "	/* the waker is on the line below its sleep */

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

static void print_sleep(const struct text *t, const struct report_wait *s)
{
	uint16_t cpu = s->cpu == REPORT_NO_CPU ? s->from_cpu : s->cpu;

	out_printf(t->o, "%8s  cpu %-8s until ", time_label(s->latency).text,
		   report_cpus_label(s->from_cpu, cpu).text);
	out_seconds(t->o, s->time);
	out_str(t->o, " s  ");
	text_thread(t, s->thread->sched, text_width(t, THREAD, 1));
	if (s->is_open)
		out_str(t->o, SLEEP_LINE "not woken until the end");
	else if (!s->waker && !s->irq && !s->by_idle)
		out_str(t->o, SLEEP_LINE "woken by an unknown thread");
	else
		text_woken_by(t, s, SLEEP_LINE, text_width(t, THREAD, 1));
	out_char(t->o, '\n');
}

static void print_longest(const struct text *t, enum report_sleep_kind kind, const char *title)
{
	const struct report_longest *longest = &text_report(t)->longest_sleeps[kind];
	size_t i;

	if (!longest->count)
		return;
	text_title(t, title, 0);
	for (i = 0; i < longest->count; i++)
		print_sleep(t, &longest->list[i]);
}

void text_sleeps(const struct text *t)
{
	text_table(t, &table_sleeps);
	print_longest(t, REPORT_UNINTERRUPTIBLE,
		      "The longest uninterruptible sleeps, and who woke the threads");
	print_longest(t, REPORT_SLEEP, "The longest sleeps, and who woke the threads");
}

void text_unknown_sleeps(const struct text *t)
{
	const struct report_counts *n = &text_report(t)->totals.shown;

	if (n->early_sleeps)
		out_printf(t->o, "sleeps that began before the archive, not counted: %" PRIu64 "\n",
			   n->early_sleeps);
	if (n->unknown_sleeps)
		out_printf(t->o, "sleeps of unknown length, not counted: %" PRIu64 "%s\n",
			   n->unknown_sleeps,
			   text_report(t)->totals.archive->lacks_cpus ? "; not all CPUs were recorded" : "");
}
