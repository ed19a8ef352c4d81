// SPDX-License-Identifier: GPL-2.0-or-later
/* waits.c - as text: the longest waits, that of the trigger, and how long threads waited. */
#include <inttypes.h>
#include <string.h>

#include <fxt/fxt_catalogue.h>
#include <linux/fxt_sched.h>

#include "account/classes.h"
#include "sections.h"

#define WORST		19	/* columns of a thread */
#define SOURCE		24	/* columns of an interrupt */
#define NOTABLE_WAIT	10	/* interrupts are named if they took 1/10 of a wait */

#define NOTABLE_RT_NS	100000	/* shorter waits of a real-time thread are normal */

/* Begins each line below that of a wait. */
#define STACK_INDENT	10
#define WAIT_LINE	"\n          "

static void print_class(const struct text *t, int32_t weight, const char *before, const char *after)
{
	struct report_class class = report_class(weight);

	if (*class.text)
		out_printf(t->o, "%s%s%s", before, class.text, after);
}

static void print_occupant(const struct text *t, const struct report_wait *w,
			   const struct report_occupant *o)
{
	out_str(t->o, WAIT_LINE);
	if (o->thread->is_idle) {
		out_str(t->o, "CPU idle");
	} else if (o->threads > 1) {
		text_name(t, report_name(o->thread), text_width(t, WORST, 1));
		out_printf(t->o, ", %s threads,", count_label(o->threads).text);
	} else {
		text_thread(t, o->thread->sched, text_width(t, WORST, 1));
		print_class(t, o->weight, " (", ")");
	}
	out_printf(t->o, "%s %s (%.0f%%)", o->thread->is_idle ? "" : " ran",
		   time_label(o->ns).text,
		   percent_of(o->ns, w->latency));
}

/* Which part of a wait has no name, and why. */
static void print_rest(const struct text *t, const struct report_wait *w, uint64_t ns,
		       const char *why)
{
	if (ns && ns >= w->latency / NOTABLE_WAIT)
		out_printf(t->o, WAIT_LINE "%s %s (%.0f%%)", why, time_label(ns).text,
			   percent_of(ns, w->latency));
}

static void print_occupants(const struct text *t, const struct report_wait *w)
{
	unsigned int i;

	if (w->limited)
		out_printf(t->o, WAIT_LINE "kept from running by %s: %s (%.0f%%)",
			   account_limit_name(w->limit), time_label(w->limited).text,
			   percent_of(w->limited, w->latency));
	if (report_is_shared(w)) {
		out_printf(t->o, WAIT_LINE "shared by %s threads; longest, %.0f%% of it: ",
			   count_label(w->sharers).text,
			   percent_of(w->most_ns, w->latency));
		text_thread(t, w->most->sched, text_width(t, WORST, 1));
	}
	for (i = 0; i < w->occupant_count; i++)
		print_occupant(t, w, &w->occupants[i]);
	print_rest(t, w, w->others, "other threads, too many to list, ran");
	print_rest(t, w, w->unplaced, "moved to another CPU, without a record of when:");
	print_rest(t, w, w->unknown, "unknown who ran for");
}

static void print_thief(const struct text *t, const struct report_wait *w)
{
	if (!w->thief || w->stolen < w->latency / NOTABLE_WAIT)
		return;
	out_printf(t->o, WAIT_LINE "interrupts took %s of it (%.0f%%), most of that ",
		   time_label(w->stolen).text,
		   percent_of(w->stolen, w->latency));
	table_print_origin(t, w->thief, SOURCE);
}

/* What kept a thread from running on an idle CPU. */
static void print_hold(const struct text *t, const struct report_wait *w)
{
	const struct report_quota *quota = report_quota_of(text_report(t), w->thread);
	const struct sched_totals *archive = text_report(t)->totals.archive;

	if (w->throttled) {
		out_str(t->o, WAIT_LINE "its cgroup was throttled: ");
		text_name(t, report_origin_name(w->cgroup), text_width(t, 40, 1));
		out_printf(t->o, " (%.0f%%)", percent_of(w->throttled, w->latency));
	} else if (w->kind != REPORT_HELD || w->limited > w->latency / 2) {
		return;
	} else if (quota && !text_report(t)->kernel.has[KERNEL_THROTTLE]) {
		out_str(t->o, WAIT_LINE "probably throttled: its cgroup used up its quota: ");
		text_name(t, quota->path, text_width(t, 40, 1));
	} else if (archive->has_throttle || archive->lacks_quotas ||
		   text_report(t)->kernel.has[KERNEL_THROTTLE]) {
		out_str(t->o, WAIT_LINE "held off");
	} else {
		out_str(t->o, WAIT_LINE "held off, perhaps throttled: record with -e throttle");
	}
}

static void print_wait(const struct text *t, const struct report_wait *w)
{
	struct label cpu = report_cpus_label(w->from_cpu, w->cpu);

	out_printf(t->o, "%8s  %-9s cpu %-8s at ", time_label(w->latency).text,
		   report_wait_name(w->kind), cpu.text);
	out_seconds(t->o, w->time);
	out_str(t->o, " s  ");
	text_thread(t, w->thread->sched, text_width(t, WORST, 1));
	print_class(t, w->weight, WAIT_LINE "its class: ", "");
	if (w->kind == REPORT_EARLY)
		out_printf(t->o, WAIT_LINE "since before the recording%s: lasted at least this long",
			   w->is_open ? ", not over at the end" : "");
	else if (w->is_open)
		out_str(t->o, WAIT_LINE "not over at the end: lasted at least this long");
	print_occupants(t, w);
	print_thief(t, w);
	if (w->idle_ns)
		out_printf(t->o, WAIT_LINE "another CPU was idle meanwhile: cpu %u for %s (%.0f%%)",
			   w->idle_cpu, time_label(w->idle_ns).text, w->idle_ns * 100.0 / w->latency);
	print_hold(t, w);
	if (report_lacks_irqs(text_report(t), w) && w->latency >= NOTABLE_RT_NS)
		out_str(t->o, WAIT_LINE "perhaps interrupts or non-preemptible code: record with "
			"-e irq");
	text_woken_by(t, w, WAIT_LINE, text_width(t, WORST, 1));
	out_char(t->o, '\n');
}

void text_worst(const struct text *t)
{
	size_t i;

	if (!text_report(t)->worst_count)
		return;
	text_title(t, "The longest waits, and who had the CPU meanwhile", 0);
	for (i = 0; i < text_report(t)->worst_count; i++)
		print_wait(t, &text_report(t)->worst[i]);
}

static void print_victim(const struct text *t)
{
	if (text_report(t)->trigger.thread)
		text_thread(t, text_report(t)->trigger.thread->sched, text_width(t, WORST, 1));
	else
		out_str(t->o, "an unknown thread");
}

static void print_stack(const struct text *t, const char *what, const struct fxt_call_stack *stack)
{
	if (!stack)
		return;
	out_printf(t->o, "%*s%s ", STACK_INDENT, "", what);
	text_functions(t, stack, STACK_INDENT + strlen(what) + 1, STACK_INDENT + 2);
}

/* Who held the lock at the time of the trigger. */
static void print_holder(const struct text *t)
{
	const struct report_trigger_lock *lock = &text_report(t)->trigger_lock;
	const char *state = text_report(t)->trigger_stacks.holder_state;
	const bool *has = text_report(t)->kernel.has;

	if (!lock->of)
		return;
	out_printf(t->o, "%*s", STACK_INDENT, "");
	if (lock->holder) {
		out_str(t->o, "held by ");
		text_thread(t, lock->holder->sched, 0);
		if (state)
			out_printf(t->o, ", which %s then%s", state,
				   has[KERNEL_STACK] || has[KERNEL_ASLEEP] ? ", so it has no stack" : "");
	} else {
		out_str(t->o, "the holder is not known");
	}
	out_char(t->o, '\n');
}

/* A sleep, or a wait for a lock. */
static void print_sleep(const struct text *t)
{
	const struct report_trigger_stacks *stacks = &text_report(t)->trigger_stacks;
	const struct report_wait *w = &text_report(t)->trigger;
	const struct sched_origin *lock = text_report(t)->trigger_lock.of;

	out_printf(t->o, "%8s  %s%s", time_label(w->latency).text,
		   sched_cause_sleeps(text_report(t)->cause) ? "asleep" : "waiting",
		   sched_cause_how(text_report(t)->cause));
	if (lock) {
		out_str(t->o, " (");
		out_safe_text(t->o, lock->name);
		out_printf(t->o, " 0x%" PRIx64 ")", lock->number);
	}
	out_str(t->o, w->is_open ? ", and still so at " : " until ");
	out_seconds(t->o, w->time);
	out_str(t->o, " s  ");
	print_victim(t);
	out_char(t->o, '\n');
	print_stack(t, "slept in", stacks->slept);
	print_stack(t, "woken from", stacks->woken);
	print_holder(t);
	print_stack(t, "the holder slept in", stacks->held);
}

/* A trigger that is not of a thread. */
static void print_cause(const struct text *t)
{
	const struct report_wait *w = &text_report(t)->trigger;
	bool is_queue = text_report(t)->cause == FXT_SCHED_CAUSE_RUNNABLE;

	if (is_queue)
		out_printf(t->o, "%8" PRIu64 "  threads were runnable on cpu %u at ",
			   text_report(t)->runnable, w->cpu);
	else
		out_printf(t->o, "%8s  %s interrupt on cpu %u until ",
			   time_label(w->latency).text,
			   sched_cause_interrupt(text_report(t)->cause), w->cpu);
	out_seconds(t->o, w->time);
	out_printf(t->o, " s" WAIT_LINE "%s", is_queue ? "while " : "interrupted ");
	print_victim(t);
	out_str(t->o, is_queue ? " ran\n" : "\n");
}

void text_trigger(const struct text *t)
{
	if (!text_report(t)->has_trigger)
		return;
	text_title(t, !text_report(t)->trigger.is_open ? "Trigger" :
		   sched_cause_sleeps(text_report(t)->cause) ? "Trigger: a sleep that was not over" :
		   "Trigger: a wait that was not over", 0);
	if (text_report(t)->cause == FXT_SCHED_CAUSE_LATENCY)
		print_wait(t, &text_report(t)->trigger);
	else if (fxt_cause_has_thread(text_report(t)->cause))
		print_sleep(t);
	else
		print_cause(t);
}

#define BAR		22
#define COMPARED	2	/* kinds of waits side by side: woken, preempted */

static void print_bar(const struct text *t, uint64_t count, uint64_t most)
{
	unsigned int length = count ? 1 + (unsigned int)((BAR - 1.0) * count / most) : 0, i;

	text_shade(t, SHADE_BAR);
	for (i = 0; i < BAR; i++)
		out_str(t->o, i >= length ? " " : t->has_utf8 ? "\u2588" : "#");
	text_shade(t, SHADE_NONE);
	out_printf(t->o, " %6s", count_label(count).text);
}

/* Below both columns: the number of waits and the time that they took. */
static void print_hist_sums(const struct text *t)
{
	const struct report_waits *w;
	unsigned int kind;

	out_str(t->o, "  total    ");
	for (kind = 0; kind < COMPARED; kind++) {
		w = text_report(t)->totals.waits[kind];
		out_printf(t->o, " %-*s %6s%s", BAR,
			   time_label(w ? w->hist.sum : 0).text,
			   count_label(w ? w->hist.count : 0).text,
			   kind == REPORT_WOKEN ? "  " : "\n");
	}
}

/* Of all kinds, held off included. */
static void print_open_waits(const struct text *t)
{
	uint64_t open = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++)
		open += text_report(t)->totals.waits[kind] ? text_report(t)->totals.waits[kind]->open : 0;
	if (open)
		out_printf(t->o, "  still waiting at the end: %s of them (they lasted at least as "
			"long as counted)\n",
			   count_label(open).text);
}

void text_large_hists(const struct text *t)
{
	static const struct report_hist none;
	uint64_t counts[COMPARED][REPORT_CLASSES], most[COMPARED] = { 1, 1 };
	unsigned int kind, i, first = REPORT_CLASSES, last = 0;

	for (kind = 0; kind < COMPARED; kind++) {
		const struct report_waits *w = text_report(t)->totals.waits[kind];

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
				   time_label(report_class_limit(i)).text);
		else
			out_printf(t->o, "  longer    ");
		print_bar(t, counts[REPORT_WOKEN][i], most[REPORT_WOKEN]);
		out_str(t->o, "   ");
		print_bar(t, counts[REPORT_PREEMPTED][i], most[REPORT_PREEMPTED]);
		out_char(t->o, '\n');
	}
	print_hist_sums(t);
	print_open_waits(t);
}

void text_held_off(const struct text *t)
{
	const struct report_waits *w = text_report(t)->totals.waits[REPORT_HELD];

	if (!w)
		return;
	out_printf(t->o, "  held off: %s waits, %s in total, while the CPU was idle: throttled by "
		"a cgroup,\n"
		   "            or held off by something else\n",
		   count_label(w->hist.count).text, time_label(w->hist.sum).text);
}
