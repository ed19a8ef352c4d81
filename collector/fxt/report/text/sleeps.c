// SPDX-License-Identifier: GPL-2.0-or-later
/* sleeps.c - see sleeps.h. */
#include <inttypes.h>

#include "label.h"
#include "name.h"
#include "sleeps.h"

#define NAME		14
#define THREAD		19
#define SLEEP_LINE	"\n          "	/* who woke the thread is below its sleep */

static const char *state_text(enum report_sleep_kind kind)
{
	static const char *const texts[] = {
		[REPORT_SLEEP] = "sleeping (S)",
		[REPORT_UNINTERRUPTIBLE] = "uninterruptible (D)",
		[REPORT_IDLE] = "idle kernel threads (I)",
		[REPORT_STOPPED] = "stopped by a signal (T)",
		[REPORT_TRACED] = "stopped by a debugger (t)",
		[REPORT_PARKED] = "parked kernel threads (P)",
	};

	return texts[kind];
}

bool text_has_sleeps(struct report_sleeps *const *sleeps)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++)
		if (sleeps[kind])
			return true;
	return false;
}

static void print_states(const struct text *t)
{
	struct report_sleeps *const *sleeps = t->r->totals.sleeps;
	unsigned int kind;

	if (!text_has_sleeps(sleeps))
		return;
	text_title(t, "Sleeps by state", 0);
	text_heading(t, "   count   time longest    cut   time  state");
	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		const struct report_sleeps *s = sleeps[kind];

		if (s)
			out_printf(t->o, "%8s %6s  %6s %6s %6s  %s\n",
				   report_count_label(s->count).text,
				   report_time_label(s->ns).text,
				   report_time_label(s->longest.latency).text,
				   report_count_label(s->cut_count).text,
				   report_time_label(s->cut_ns).text, state_text(kind));
	}
}

static void print_sleep(const struct text *t, const struct report_wait *s)
{
	uint16_t cpu = s->cpu == REPORT_NO_CPU ? s->from_cpu : s->cpu;

	out_printf(t->o, "%8s  cpu %-8s until ", report_time_label(s->latency).text,
		   report_cpus_label(s->from_cpu, cpu).text);
	out_seconds(t->o, s->time);
	out_str(t->o, " s  ");
	text_thread(t, s->thread, text_width(t, THREAD, 1));
	if (s->is_open)
		out_str(t->o, SLEEP_LINE "not woken by then");
	else if (!s->waker && !s->irq && !s->by_idle)
		out_str(t->o, SLEEP_LINE "woken, unknown by whom");
	else
		text_woken_by(t, s, SLEEP_LINE, text_width(t, THREAD, 1));
	out_char(t->o, '\n');
}

static void print_longest(const struct text *t, enum report_sleep_kind kind, const char *title)
{
	const struct report_longest *longest = &t->r->longest_sleeps[kind];
	size_t i;

	if (!longest->count)
		return;
	text_title(t, title, 0);
	for (i = 0; i < longest->count; i++)
		print_sleep(t, &longest->list[i]);
}

void text_sleeps(const struct text *t)
{
	print_states(t);
	print_longest(t, REPORT_UNINTERRUPTIBLE,
		      "The longest uninterruptible sleeps, and who woke the threads");
	print_longest(t, REPORT_SLEEP, "The longest sleeps, and who woke the threads");
}

void text_unknown_sleeps(const struct text *t)
{
	const struct report_counts *n = &t->r->totals.n;

	if (n->early_sleeps)
		out_printf(t->o, "sleeps from before the archive, counted nowhere: %" PRIu64 "\n",
			   n->early_sleeps);
	if (n->unknown_sleeps)
		out_printf(t->o, "sleeps of unknown length, counted nowhere: %" PRIu64 "%s\n",
			   n->unknown_sleeps,
			   t->r->totals.archive->lacks_cpus ? "; not all CPUs were recorded" : "");
}

void text_row_sleeps_heading(const struct text *t, const char *id)
{
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "%8s sleeps   time   max. unint.   time   max.  other    cut  name", id);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
}

static void print_kind(const struct text *t, const struct report_sleeps *s)
{
	out_printf(t->o, " %6s %6s %6s", report_count_label(s ? s->count : 0).text,
		   report_time_label(s ? s->ns : 0).text,
		   report_time_label(s ? s->longest.latency : 0).text);
}

void text_row_sleeps(const struct text *t, const char *id, const char *name,
		     struct report_sleeps *const *sleeps)
{
	uint64_t other = 0, cut = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		if (!sleeps[kind])
			continue;
		cut += sleeps[kind]->cut_ns;
		if (kind != REPORT_SLEEP && kind != REPORT_UNINTERRUPTIBLE)
			other += sleeps[kind]->ns;
	}
	out_printf(t->o, "%8s", id);
	print_kind(t, sleeps[REPORT_SLEEP]);
	print_kind(t, sleeps[REPORT_UNINTERRUPTIBLE]);
	out_printf(t->o, " %6s %6s  ", report_time_label(other).text,
		   report_time_label(cut).text);
	text_row_name(t, name, text_width(t, NAME, 1));
	out_char(t->o, '\n');
}
