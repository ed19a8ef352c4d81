// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * short.c - what the report as text has by default, below the findings: where the time of the threads
 * that are shown went, and their longest waits, a line each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "labels.h"
#include "sections.h"
#include "why/answer.h"

#define NAMES	8	/* rows of names by default */
#define THREAD	20	/* columns of a thread */

/* --- where the time went ----------------------------------------------------------------- */

static uint64_t waited(const struct report_sum *s)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < REPORT_WAITS; i++)
		ns += s->waits[i] ? s->waits[i]->hist.sum : 0;
	return ns;
}

static uint64_t slept(const struct report_sum *s)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < REPORT_SLEEPS; i++)
		ns += s->sleeps[i] ? s->sleeps[i]->ns + s->sleeps[i]->cut_ns : 0;
	return ns;
}

/* The answer of fxt why --program. Return: 0 or a negative errno */
static int print_program(const struct text *t, size_t top)
{
	const struct report *r = t->r;
	const struct why_choice choice = {
		.scope = r->scope, .from = r->totals.from, .to = r->totals.to,
	};
	const struct why_print p = { .o = t->o, .h = r->history, .top = top };
	struct why_windows windows = { .kind = WHY_LIFE };
	struct program program = { 0 };
	int ret = why_find_lives(r->history, &choice, &windows);

	if (!ret)
		ret = program_find(&program, r->history, windows.list, windows.count);
	if (!ret && windows.count) {
		text_title(t, "Where the time of the command went (fxt why --program has more)", 0);
		ret = why_text_shares(&p, &program);
	}
	program_free(&program);
	free(windows.list);
	return ret;
}

void text_time(const struct text *t)
{
	size_t top = t->style->is_limited ? t->style->top : NAMES, i;
	const struct report *r = t->r;

	if (!r->comm_count || (r->scope.command && r->history && !print_program(t, top)))
		return;
	text_title(t, "Where the time of these threads went, by name", 0);
	text_heading(t, "     run of CPUs runnable   asleep  threads  name");
	for (i = 0; i < r->comm_count && i < top; i++) {
		const struct report_comm *c = r->comms[i];

		out_printf(t->o, "%8s %7s %8s %8s %8" PRIu64 "  ", time_label(c->sum.n.run).text,
			   share_label(report_share(r, c->sum.n.run)).text,
			   time_label(waited(&c->sum)).text, time_label(slept(&c->sum)).text,
			   c->sum.threads);
		text_name(t, report_comm_name(c), text_width(t, 30, 1));
		out_char(t->o, '\n');
	}
	if (i < r->comm_count)
		out_printf(t->o, "and %zu more names: --tables\n", r->comm_count - i);
}

/* --- the longest waits ------------------------------------------------------------------- */

/* Who had the CPU for most of a wait. */
static void print_culprit(const struct text *t, const struct report_wait *w)
{
	const struct report_occupant *o = w->occupants;

	if (!w->occupant_count) {
		out_str(t->o, "unknown");
		return;
	}
	if (o->thread->is_idle)
		out_str(t->o, "nobody: CPU idle");
	else if (o->threads > 1)
		text_name(t, report_name(o->thread), THREAD - 4);
	else
		text_thread(t, o->thread, THREAD - 4);
	if (o->threads > 1)
		out_printf(t->o, ", %s threads", count_label(o->threads).text);
	out_printf(t->o, " %.0f%%", w->latency ? o->ns * 100.0 / w->latency : 0.0);
}

static void print_wait(const struct text *t, const struct report_wait *w)
{
	struct label cpu = report_cpus_label(w->from_cpu, w->cpu);
	unsigned int taken;

	out_str(t->o, w->is_open || w->kind == REPORT_EARLY ? ">" : " ");
	out_printf(t->o, "%8s %-8s %6" PRIu64 ".%09" PRIu64 "  ", time_label(w->latency).text,
		   cpu.text, w->time / 1000000000, w->time % 1000000000);
	taken = text_thread(t, w->thread, text_width(t, THREAD, 2));
	text_pad(t, taken, text_width(t, THREAD, 2) + 2);
	print_culprit(t, w);
	out_char(t->o, '\n');
}

void text_short_waits(const struct text *t)
{
	size_t i;

	if (!t->r->worst_count)
		return;
	text_title(t, "The longest waits for a CPU, and who had it for most of the time", 0);
	text_heading(t, " runnable cpu             until (s)  thread                CPU had by");
	for (i = 0; i < t->r->worst_count; i++)
		print_wait(t, &t->r->worst[i]);
}
