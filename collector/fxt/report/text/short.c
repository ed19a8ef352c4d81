// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * short.c - the default report as text, below the findings: where the time of the threads that are
 * shown went, and their longest waits, a line each.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "account/classes.h"
#include "sections.h"
#include "why/program.h"
#include "why/windows.h"

#define THREAD	20	/* columns of a thread */

static void print_sum(const struct text *t, const struct report_sum *s)
{
	out_printf(t->o, "%8s %8s %8s %8" PRIu64 "  ", time_label(s->n.run).text,
		   time_label(report_waited_ns(s->waits)).text,
		   time_label(report_slept_ns(s->sleeps)).text, s->threads);
}

static void print_party(const struct text *t, const struct program *p,
			const struct program_party *of)
{
	const struct report *r = text_report(t);
	size_t i;

	for (i = 0; i < r->comm_count && strcmp(report_comm_name(r->comms[i]), of->name); i++)
		;
	out_printf(t->o, "%8s %6.1f%% %8s ", time_label(of->share).text,
		   p->active ? 100.0 * of->share / p->active : 0, time_label(of->alone).text);
	if (i < r->comm_count)
		print_sum(t, &r->comms[i]->sum);
	text_name(t, of->name, text_width(t, 16, 1));
	out_char(t->o, '\n');
}

/* As fxt why --program has it. */
static void print_parties(const struct text *t, const struct program *p, size_t top)
{
	struct program_party **parties = program_by_share(p);
	size_t i;

	text_title(t, "Where the time of the command went (fxt why --program has more)", 0);
	out_printf(t->o, "for %s of %s, at least one thread ran; divided among those that ran then:\n",
		   time_label(p->active).text, time_label(p->to - p->from).text);
	text_heading(t, " divided            alone      run runnable   asleep  threads  name");
	for (i = 0; i < p->party_count && i < top; i++)
		print_party(t, p, parties[i]);
	free(parties);
	if (i < p->party_count)
		out_printf(t->o, "and %zu more names: --tables\n", p->party_count - i);
}

/* Return: false if the window has no thread */
static bool print_program(const struct text *t, size_t top)
{
	const struct report *r = text_report(t);
	const struct why_choice choice = {
		.scope = r->scope, .from = r->totals.from, .to = r->totals.to,
	};
	struct why_windows windows = { .kind = WHY_LIFE };
	struct program program = { 0 };

	why_find_lives(r->history, &choice, &windows);
	if (windows.count) {
		program_share(&program, r->history, windows.list, windows.count);
		print_parties(t, &program, top);
	}
	program_free(&program);
	free(windows.list);
	return windows.count;
}

void text_time(const struct text *t, size_t top)
{
	const struct report *r = text_report(t);
	size_t i;

	if (!r->comm_count || (r->scope.command && r->history && print_program(t, top)))
		return;
	text_title(t, "Where the time of these threads went, by name", 0);
	text_heading(t, "of CPUs      run runnable   asleep  threads  name");
	for (i = 0; i < r->comm_count && i < top; i++) {
		const struct report_comm *c = r->comms[i];

		out_printf(t->o, "%7s ", share_label(report_share(r, c->sum.n.run)).text);
		print_sum(t, &c->sum);
		text_name(t, report_comm_name(c), text_width(t, 30, 1));
		out_char(t->o, '\n');
	}
	if (i < r->comm_count)
		out_printf(t->o, "and %zu more names: --tables\n", r->comm_count - i);
}

/* Who had the CPU for most of a wait, or what else kept the thread from running. */
static void print_culprit(const struct text *t, const struct report_wait *w)
{
	const struct report_occupant *o = w->occupants;

	if (w->limited > w->latency / 2 || w->throttled > w->latency / 2) {
		if (w->limited > w->throttled)
			out_printf(t->o, "not allowed: %s", account_limit_name(w->limit));
		else
			out_str(t->o, "not allowed: quota of its cgroup");
		out_printf(t->o, " %.0f%%",
			   percent_of(later(w->limited, w->throttled), w->latency));
		return;
	}
	if (!w->occupant_count) {
		out_str(t->o, "unknown");
		return;
	}
	if (o->thread->is_idle)
		out_str(t->o, "nobody: CPU idle");
	else if (o->threads > 1)
		text_name(t, report_name(o->thread), THREAD - 4);
	else
		text_thread(t, o->thread->sched, THREAD - 4);
	if (o->threads > 1)
		out_printf(t->o, ", %s threads", count_label(o->threads).text);
	out_printf(t->o, " %.0f%%", percent_of(o->ns, w->latency));
	if (w->idle_ns)
		out_printf(t->o, "; cpu %u was idle %.0f%%", w->idle_cpu,
			   percent_of(w->idle_ns, w->latency));
}

static void print_wait(const struct text *t, const struct report_wait *w)
{
	struct label cpu = report_cpus_label(w->from_cpu, w->cpu);
	unsigned int taken;

	out_str(t->o, w->is_open || w->kind == REPORT_EARLY ? ">" : " ");
	out_printf(t->o, "%8s %-8s %6" PRIu64 ".%09" PRIu64 "  ", time_label(w->latency).text,
		   cpu.text, w->time / 1000000000, w->time % 1000000000);
	taken = text_thread(t, w->thread->sched, text_width(t, THREAD, 2));
	text_pad(t, taken, text_width(t, THREAD, 2) + 2);
	print_culprit(t, w);
	out_char(t->o, '\n');
}

void text_short_waits(const struct text *t)
{
	size_t i;

	if (!text_report(t)->worst_count)
		return;
	text_title(t, "The longest waits for a CPU, and who had it for most of the time", 0);
	text_heading(t, " runnable cpu             until (s)  thread                CPU had by");
	for (i = 0; i < text_report(t)->worst_count; i++)
		print_wait(t, &text_report(t)->worst[i]);
}
