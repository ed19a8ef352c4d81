// SPDX-License-Identifier: GPL-2.0-or-later
/* acts.c - see acts.h. */
#include <stdio.h>
#include <string.h>

#include "acts.h"
#include "label.h"
#include "name.h"
#include "signal_name.h"

#define NAME		15
#define CALLS		31	/* columns of a row's system calls */
#define PERCENT		5	/* columns */
#define NOTABLE_CALL	0.01	/* of a thread's time in calls: less is not named in its row */

static size_t count_of(const struct report_kernel *k, enum kernel_event_what what)
{
	size_t i, n = 0;

	for (i = 0; i < k->source_count; i++)
		n += k->sources[i]->of->what == what;
	return n;
}

/* The next source of a kind, from *@at on; NULL: no more, or enough. */
static const struct report_source *next_of(const struct text *t, enum kernel_event_what what,
					   size_t *at, size_t *shown)
{
	const struct report_kernel *k = &t->r->kernel;

	while (*at < k->source_count && *shown < t->style->top) {
		const struct report_source *s = k->sources[(*at)++];

		if (s->of->what != what)
			continue;
		(*shown)++;
		return s;
	}
	return NULL;
}

static double of_window(const struct text *t, uint64_t ns)
{
	double window = report_window(t->r);

	return window > 0 ? ns / window : 0;
}

/* --- CPUs ------------------------------------------------------------------------------------ */

static void print_queue(const struct text *t, const struct report_level *queue)
{
	if (queue->known)
		out_printf(t->o, " %8.2f %8u %8s", report_level_average(queue), queue->most,
			   report_share_label((double)queue->above / queue->known).text);
	else
		out_printf(t->o, " %8s %8s %8s", "?", "?", "?");
}

static void print_util(const struct text *t, const struct report_level *util)
{
	if (util->known)
		out_printf(t->o, " %8s %8s",
			   report_share_label(report_level_average(util) / REPORT_UTIL_MAX).text,
			   report_share_label(util->most / REPORT_UTIL_MAX).text);
	else
		out_printf(t->o, " %8s %8s", "?", "?");
}

void text_run_queues(const struct text *t)
{
	bool has_queues = t->r->kernel.has[KERNEL_RUN_QUEUE], has_util = t->r->kernel.has[KERNEL_PELT];
	size_t i;

	if (!has_queues && !has_util)
		return;
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "     cpu%s%s", has_queues ? " runnable  longest  above 1" : "",
		   has_util ? "     util     max." : "");
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	for (i = 0; i < t->r->cpu_count && i < t->style->top; i++) {
		const struct report_cpu *cpu = t->r->cpus[i];

		out_printf(t->o, "%8u", cpu->number);
		if (has_queues)
			print_queue(t, &cpu->levels.queue);
		if (has_util)
			print_util(t, &cpu->levels.util);
		out_char(t->o, '\n');
	}
}

void text_ipis(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t i;

	if (!k->ipi_count)
		return;
	text_title(t, "Interrupts that CPUs sent to others", k->ipi_count);
	text_heading(t, "   count   from     to  function");
	for (i = 0; i < k->ipi_count && i < t->style->top; i++) {
		const struct report_ipi *ipi = &k->ipis[i];

		out_printf(t->o, "%8s %6u ", report_count_label(ipi->count).text, ipi->from);
		if (ipi->to == REPORT_NO_CPU)
			out_str(t->o, "     ?  ");
		else
			out_printf(t->o, "%6u  ", ipi->to);
		text_name(t, ipi->of->name, text_width(t, 50, 1));
		out_char(t->o, '\n');
	}
}

/* --- cgroups --------------------------------------------------------------------------------- */

void text_throttled(const struct text *t)
{
	size_t count = count_of(&t->r->kernel, KERNEL_THROTTLE), at = 0, shown = 0;
	const struct report_source *s;

	if (!count)
		return;
	text_title(t, "Throttled cgroups", count);
	text_heading(t, " periods    time  share longest on CPUs  cgroup");
	while ((s = next_of(t, KERNEL_THROTTLE, &at, &shown))) {
		const struct report_throttled *any = s->throttled;

		out_printf(t->o, "%8s %7s %6s %7s %7s  ",
			   report_count_label(any ? any->periods : 0).text,
			   report_time_label(any ? any->ns : 0).text,
			   report_share_label(of_window(t, any ? any->ns : 0)).text,
			   report_time_label(s->longest).text, report_time_label(s->total).text);
		text_name(t, report_source_name(s), text_width(t, 38, 1));
		out_char(t->o, '\n');
	}
}

void text_quotas(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t i;

	if (!k->quota_count)
		return;
	text_title(t, "Quotas of cgroups", k->quota_count);
	text_heading(t, " periods throttled  share on CPUs  cgroup");
	for (i = 0; i < k->quota_count && i < t->style->top; i++) {
		const struct report_quota *q = &k->quotas[i];
		double share = q->counts[0] ? (double)q->counts[1] / q->counts[0] : 0;

		out_printf(t->o, "%8s %9s %6s %7s  ", report_count_label(q->counts[0]).text,
			   report_count_label(q->counts[1]).text,
			   report_share_label(share).text,
			   report_time_label(q->counts[2] * 1000).text);
		text_name(t, q->path, text_width(t, 34, 1));
		out_char(t->o, '\n');
	}
}

/* --- threads --------------------------------------------------------------------------------- */

void text_system_calls(const struct text *t)
{
	size_t count = count_of(&t->r->kernel, KERNEL_SYSCALL), at = 0, shown = 0;
	bool is_part = report_selects_threads(t->options);
	const struct report_source *s;

	if (!count)
		return;
	text_title(t, is_part ? "System calls of the threads shown" : "System calls", count);
	text_heading(t, "   count errors   time   mean longest  name");
	while ((s = next_of(t, KERNEL_SYSCALL, &at, &shown))) {
		out_printf(t->o, "%8s %6s %6s %6s %7s  ", report_count_label(s->count).text,
			   report_count_label(s->errors).text, report_time_label(s->total).text,
			   report_time_label(s->count ? s->total / s->count : 0).text,
			   report_time_label(s->longest).text);
		text_name(t, s->of->name, text_width(t, 42, 1));
		out_char(t->o, '\n');
	}
}

void text_calls_heading(const struct text *t, const char *id)
{
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "%8s   calls errors   time  %-*s  most of that time in", id,
		   (int)text_width(t, NAME, 2), "name");
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
}

void text_calls(const struct text *t, const char *id, const char *name,
		const struct report_counts *n, const struct report_calls *calls)
{
	unsigned int wide = text_width(t, NAME, 2), room = text_width(t, CALLS, 2);
	unsigned int taken = 0, i;

	out_printf(t->o, "%8s %7s %6s %6s  ", id, report_count_label(n->calls).text,
		   report_count_label(n->failed_calls).text, report_time_label(n->in_calls).text);
	text_pad(t, text_name(t, name, wide), wide);
	out_char(t->o, ' ');
	for (i = 0; i < calls->count; i++) {
		const struct report_call *call = &calls->list[i];
		size_t length = strlen(call->of->name);

		if (i && (taken + 2 + length + PERCENT > room ||
			  call->total < NOTABLE_CALL * n->in_calls))
			break;
		out_str(t->o, i ? ", " : " ");
		taken += 2 + PERCENT + text_name(t, call->of->name, room - PERCENT);
		out_printf(t->o, " %.0f%%", n->in_calls ? call->total * 100.0 / n->in_calls : 0.0);
	}
	out_char(t->o, '\n');
}

static void print_end(const struct text *t, const struct report_source *s)
{
	uint32_t signal = sched_exit_signal(s->of->number);
	const char *name = report_signal_name(signal);
	char how[32];

	if (signal)
		snprintf(how, sizeof(how), "signal %u%s%s%s", signal, name ? " (" : "",
			 name ? name : "", name ? ")" : "");
	else
		snprintf(how, sizeof(how), "code %u", sched_exit_code(s->of->number));
	out_printf(t->o, "%8s  %-18s  ", report_count_label(s->count).text, how);
	text_name(t, *s->of->name ? s->of->name : "?", text_width(t, 50, 1));
	out_char(t->o, '\n');
}

void text_ends(const struct text *t)
{
	const struct report_kernel *k = &t->r->kernel;
	size_t at = 0, shown = 0;
	const struct report_source *s;

	if (!k->exits)
		return;
	text_title(t, "Threads that ended", count_of(k, KERNEL_EXIT));
	text_heading(t, "   count  with                name");
	out_printf(t->o, "%8s  code 0\n", report_count_label(k->exits - k->failed_exits).text);
	while ((s = next_of(t, KERNEL_EXIT, &at, &shown)))
		print_end(t, s);
}
