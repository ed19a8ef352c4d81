// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - struct report as text: tables of 80 columns or more.
 *
 * In: the report.
 * Out: lines. Findings, a trigger, losses and the longest waits come first, then CPUs, then the tables
 * of threads. Names are truncated to their columns, which share the width of a terminal
 * beyond 80, and come last where possible; large numbers are written with fewer digits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "acts.h"
#include "findings.h"
#include "hist.h"
#include "kernel.h"
#include "label.h"
#include "name.h"
#include "priorities.h"
#include "sleeps.h"
#include "slices.h"
#include "stacks.h"
#include "text.h"
#include "waits.h"

#define NAME_ACTIVITY	15	/* columns of names in the tables */
#define NAME_WAITS	15
#define NAME_WAKERS	15
#define WAKER		20
#define WORST		19

/* --- the overview ------------------------------------------------------------------ */

/* Faults of the archive come before all numbers: they limit what the numbers mean. */
static void print_faults(const struct text *t)
{
	const struct report_totals *n = &t->r->totals;
	const struct fxt_reader_totals *read = n->reader;
	bool is_whole = !n->archive->unclosed && !n->filtered && !n->archive->lost &&
			!read->skipped && !read->skipped_bytes;

	if (is_whole)
		return;
	text_shade(t, SHADE_BAD);
	if (n->archive->unclosed)
		out_str(t->o, "TRUNCATED: the recording went on, the rest is missing\n");
	if (read->skipped || read->skipped_bytes)
		out_printf(t->o, "DAMAGED: %" PRIu64 " records and %" PRIu64 " bytes cannot be read, see fxt check\n",
			   read->skipped, read->skipped_bytes);
	if (n->filtered) {
		out_str(t->o, "FILTERED: ");
		text_name(t, n->filtered, TEXT_COLUMNS - 10);
		out_char(t->o, '\n');
	}
	if (n->archive->lost)
		out_printf(t->o, "LOST %" PRIu64 " of %" PRIu64 " records\n", n->archive->lost,
			   n->archive->written);
	text_shade(t, SHADE_NONE);
}

static void print_head(const struct text *t, const char *path)
{
	const struct report_totals *n = &t->r->totals;
	const struct sched_totals *a = n->archive;
	const struct filter *f = &t->options->filter;
	double all = report_window(t->r) * (double)n->cpus;

	text_shade(t, SHADE_HEADING);
	text_name(t, path, t->style->columns);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	print_faults(t);
	if (t->r->slices)
		return;
	out_printf(t->o, "%.3f s on %u CPU%s, %" PRIu64 " switches, %" PRIu64 " wakeups, ",
		   (a->last - a->first) / 1e9, a->cpus, a->cpus == 1 ? "" : "s", a->switches,
		   a->wakeups);
	if (a->lost)
		text_shade(t, SHADE_BAD);
	out_printf(t->o, "%" PRIu64 " records lost", a->lost);
	if (a->lost)
		text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	if (f->from.set || f->to.set || f->by_cpu) {
		out_printf(t->o, "of these %.3f s on %u CPU%s, from ", report_window(t->r) / 1e9,
			   n->cpus, n->cpus == 1 ? "" : "s");
		out_seconds(t->o, n->from);
		out_printf(t->o, ": %" PRIu64 " switches\n", n->switches);
	}
	out_printf(t->o, "%zu threads of %zu processes, CPUs busy %s, idle %s", n->threads,
		   n->processes, report_share_label(all > 0 ? n->busy / all : 0).text,
		   report_share_label(all > 0 ? n->idle / all : 0).text);
	if (n->offline)
		out_printf(t->o, ", offline %s",
			   report_share_label(all > 0 ? n->offline / all : 0).text);
	out_printf(t->o, ", unknown %s\n",
		   report_share_label(all > 0 ? report_unknown(t->r) / all : 0).text);
}

static void print_cpu(const struct text *t, const struct report_cpu *cpu)
{
	double window = report_window(t->r);
	double known = (double)cpu->busy + cpu->idle + cpu->offline;

	out_printf(t->o, "%8u %7s %7s", cpu->number,
		   report_share_label(window > 0 ? cpu->busy / window : 0).text,
		   report_share_label(window > 0 ? cpu->idle / window : 0).text);
	if (t->r->totals.offline)
		out_printf(t->o, " %7s",
			   report_share_label(window > 0 ? cpu->offline / window : 0).text);
	out_printf(t->o, " %9s %8s %10.1f",
		   report_share_label(window > known ? 1 - known / window : 0).text,
		   report_count_label(cpu->switches).text,
		   window > 0 ? cpu->switches / window * 1e9 : 0.0);
	if (cpu->longest_thread) {
		out_printf(t->o, " %7s  ", report_time_label(cpu->longest).text);
		text_thread(t, cpu->longest_thread, text_width(t, WORST - 3, 1));
	}
	out_char(t->o, '\n');
}

static void print_cpus(const struct text *t)
{
	size_t i;

	text_title(t, "CPUs", t->r->cpu_count);
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "     cpu    busy    idle%s   unknown switches switches/s "
		   "longest uninterrupted run", t->r->totals.offline ? " offline" : "");
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	for (i = 0; i < t->r->cpu_count && i < t->style->top; i++)
		print_cpu(t, t->r->cpus[i]);
}

/* --- threads and processes ------------------------------------------------------------- */

/* What all rows have in common, so that one table can show any of them. */
struct row {
	const struct report_counts *n;
	struct report_waits *const *waits;
	struct report_sleeps *const *sleeps;
	const struct report_waker *wakers;
	unsigned int waker_count;
	const struct report_calls *calls;
	const char *name;
	struct report_label ids[2];	/* pid and number of threads, or the like */
	struct report_label id;		/* its own id; for a name, its number of threads */
	bool is_name;			/* the row is a name, and so are its wakers */
};

static struct report_label pid_label(const struct report_process *p)
{
	return p->is_known ? report_id_label(p->koid) : (struct report_label){ "?" };
}

static struct row process_row(const struct report *r, size_t i)
{
	const struct report_process *p = r->processes[i];

	return (struct row){
		.n = &p->sum.n, .waits = p->sum.waits, .sleeps = p->sum.sleeps, .wakers = p->sum.wakers,
		.waker_count = p->sum.waker_count, .calls = &p->sum.calls, .name = report_process_name(p),
		.ids = { pid_label(p), report_count_label(p->sum.threads) },
		.id = pid_label(p),
	};
}

static struct row sum_row(const struct report_comm *c)
{
	struct report_label threads = report_count_label(c->sum.threads);

	return (struct row){
		.n = &c->sum.n, .waits = c->sum.waits, .sleeps = c->sum.sleeps, .wakers = c->sum.wakers,
		.waker_count = c->sum.waker_count, .calls = &c->sum.calls, .name = report_comm_name(c),
		.ids = { report_count_label(c->processes), threads }, .id = threads,
		.is_name = true,
	};
}

static struct row comm_row(const struct report *r, size_t i)
{
	return sum_row(r->comms[i]);
}

static struct row cgroup_row(const struct report *r, size_t i)
{
	return sum_row(r->cgroups[i]);
}

static struct row thread_row(const struct report *r, size_t i)
{
	const struct report_thread *t = r->threads[i];
	struct report_label id = report_id_label(t->sched->koid);

	return (struct row){
		.n = &t->n, .waits = t->waits, .sleeps = t->sleeps, .wakers = t->wakers,
		.waker_count = t->waker_count, .calls = &t->calls, .name = report_name(t),
		.ids = { pid_label(t->process), id }, .id = id,
	};
}

/**
 * struct table - tables of names, of cgroups, of processes or of threads
 * @row: makes its rows
 */
struct table {
	const char *what;
	const char *ids;
	const char *id;
	struct row (*row)(const struct report *r, size_t i);
	size_t count;
};

/* For a CPU, whatever for. */
static uint64_t waited(struct report_waits *const *waits)
{
	uint64_t sum = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++)
		sum += waits[kind] ? waits[kind]->hist.sum : 0;
	return sum;
}

static void print_activity(const struct text *t, const struct table *table)
{
	struct row row;
	size_t i;

	text_title(t, table->what, table->count);
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "%17s    run  share waited switches preempt  migr.  name",
		   table->ids);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		out_printf(t->o, "%8s %8s %6s %6s %6s %8s %7s %6s  ", row.ids[0].text,
			   row.ids[1].text, report_time_label(row.n->run).text,
			   report_share_label(report_share(t->r, row.n->run)).text,
			   report_time_label(waited(row.waits)).text,
			   report_count_label(row.n->switches).text,
			   report_count_label(row.n->preempted).text,
			   report_count_label(row.n->migrations).text);
		text_row_name(t, row.name, text_width(t, NAME_ACTIVITY, 1));
		out_char(t->o, '\n');
	}
}

static void print_waits(const struct text *t, const struct table *table,
			enum report_wait_kind kind)
{
	static const unsigned int points[] = { 500, 900, 990, 999 };
	static const char *const headings[] = { " woken", "preem.", "  held" };
	size_t i, j, shown = 0;
	struct row row;

	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		if (!row.waits[kind])
			continue;
		if (!shown++) {
			text_shade(t, SHADE_HEADING);
			out_printf(t->o, "%8s %s    p50    p90    p99  p99.9    max  "
				   "histogram    name", table->id, headings[kind]);
			text_shade(t, SHADE_NONE);
			out_char(t->o, '\n');
		}
		out_printf(t->o, "%8s %6s", row.id.text,
			   report_count_label(row.waits[kind]->hist.count).text);
		for (j = 0; j < sizeof(points) / sizeof(points[0]); j++)
			out_printf(t->o, " %6s", report_time_label(report_hist_percentile(
					   &row.waits[kind]->hist, points[j])).text);
		out_printf(t->o, "%c%6s  ", row.waits[kind]->max_is_open ? '>' : ' ',
			   report_time_label(row.waits[kind]->hist.max).text);
		text_small_hist(t, &row.waits[kind]->hist);
		out_str(t->o, "  ");
		text_name(t, row.name, text_width(t, NAME_WAITS, 1));
		out_char(t->o, '\n');
	}
}

static unsigned int print_waker(const struct text *t, const struct row *row,
				const struct report_waker *w)
{
	unsigned int wide = text_width(t, WAKER, 3);

	if (!w->thread)
		return text_name(t, text_irq_name(w->irq), wide);
	return row->is_name ? text_name(t, report_name(w->thread), wide) :
			      text_thread(t, w->thread, wide);
}

/*
 * What is its own of a thread's run time, how often it was moved, created threads, and
 * interrupted CPUs.
 */
static void print_own(const struct text *t, const struct table *table)
{
	bool has_irqs = report_has_irqs(&t->r->kernel);
	bool has_moves = t->r->kernel.has[KERNEL_MIGRATE];
	bool has_forks = t->r->kernel.has[KERNEL_FORK], has_ipis = t->r->kernel.has[KERNEL_IPI];
	struct row row;
	size_t i;

	if (!has_irqs && !has_moves && !has_forks && !has_ipis)
		return;
	text_shade(t, SHADE_HEADING);
	out_printf(t->o, "%8s %s%s%s%s  name", table->id,
		   has_irqs ? "   run    own interrupts  share" : "",
		   has_moves ? "   moved" : "", has_forks ? "  forks" : "",
		   has_ipis ? "   ipis" : "");
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		out_printf(t->o, "%8s ", row.id.text);
		if (has_irqs)
			out_printf(t->o, "%6s %6s     %6s %6s",
				   report_time_label(row.n->run).text,
				   report_time_label(row.n->run > row.n->stolen ?
						     row.n->run - row.n->stolen : 0).text,
				   report_time_label(row.n->stolen).text,
				   report_share_label(row.n->run ? (double)row.n->stolen /
								   row.n->run : 0).text);
		if (has_moves)
			out_printf(t->o, "%8s", report_count_label(row.n->moves).text);
		if (has_forks)
			out_printf(t->o, "%7s", report_count_label(row.n->forks).text);
		if (has_ipis)
			out_printf(t->o, "%7s", report_count_label(row.n->ipis).text);
		out_str(t->o, "  ");
		text_name(t, row.name, text_width(t, NAME_ACTIVITY, 1));
		out_char(t->o, '\n');
	}
}

static void print_calls(const struct text *t, const struct table *table)
{
	size_t i, shown = 0;
	struct row row;

	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		if (!row.n->calls && !row.n->in_calls)
			continue;
		if (!shown++)
			text_calls_heading(t, table->id);
		text_calls(t, row.id.text, row.name, row.n, row.calls);
	}
}

static void print_sleeps(const struct text *t, const struct table *table)
{
	size_t i, shown = 0;
	struct row row;

	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		if (!text_has_sleeps(row.sleeps))
			continue;
		if (!shown++)
			text_row_sleeps_heading(t, table->id);
		text_row_sleeps(t, row.id.text, row.name, row.sleeps);
	}
}

static void print_row_wakers(const struct text *t, const struct row *row)
{
	unsigned int wide = text_width(t, WAKER, 3), i, taken;

	out_printf(t->o, "%8s  ", row->id.text);
	text_pad(t, text_name(t, row->name, text_width(t, NAME_WAKERS, 3)), text_width(t, NAME_WAKERS, 3));
	for (i = 0; i < row->waker_count && i < 2; i++) {
		const struct report_waker *w = &row->wakers[i];

		/* Omit wakers that mainly took over the counters of others. */
		if (i && (w->count - w->over) * 100 < row->n->wakeups)
			break;
		if (i)
			text_pad(t, taken, wide);
		out_printf(t->o, " %c%3.0f%% ", w->over ? '>' : ' ',
			   (w->count - w->over) * 100.0 / row->n->wakeups);
		taken = print_waker(t, row, w);
	}
	out_char(t->o, '\n');
}

static void print_wakers(const struct text *t, const struct table *table)
{
	size_t i, shown = 0;
	struct row row;

	for (i = 0; i < table->count && i < t->style->top; i++) {
		row = table->row(t->r, i);
		if (!row.waker_count)
			continue;
		if (!shown++) {
			text_shade(t, SHADE_HEADING);
			out_printf(t->o, "%8s  %-*s  woken most often by", table->id,
				   (int)text_width(t, NAME_WAKERS, 3), "name");
			text_shade(t, SHADE_NONE);
			out_char(t->o, '\n');
		}
		print_row_wakers(t, &row);
	}
}

static void print_table(const struct text *t, const struct table *table)
{
	print_activity(t, table);
	print_sleeps(t, table);
	print_own(t, table);
	print_calls(t, table);
	print_waits(t, table, REPORT_WOKEN);
	print_waits(t, table, REPORT_PREEMPTED);
	print_waits(t, table, REPORT_HELD);
	print_wakers(t, table);
}

/* Would the tables of processes repeat those of threads? */
static bool is_same_rows(const struct text *t)
{
	const struct report *r = t->r;
	size_t i;

	for (i = 0; i < r->process_count && i < t->style->top; i++)
		if (i >= r->thread_count || r->threads[i]->process != r->processes[i] ||
		    !r->processes[i]->is_known || r->processes[i]->sum.threads != 1 ||
		    strcmp(report_name(r->threads[i]), report_process_name(r->processes[i])))
			return false;
	return i;
}

/* Of cgroups only what their threads did in total: the rest is that of names and threads. */
static void print_cgroups(const struct text *t)
{
	const struct table table = { "Cgroups", "procs  threads", "threads", cgroup_row,
				     t->r->cgroup_count };

	if (t->r->cgroup_count < 2)
		return;
	print_activity(t, &table);
	print_sleeps(t, &table);
}

/* Print the table of names only if some threads share one. */
static void print_tables(const struct text *t)
{
	const struct report *r = t->r;

	if (r->comm_count < r->thread_count)
		print_table(t, &(struct table){ "Names", "procs  threads", "threads",
						comm_row, r->comm_count });
	print_cgroups(t);
	if (!is_same_rows(t))
		print_table(t, &(struct table){ "Processes", "pid  threads", "pid",
						process_row, r->process_count });
	print_table(t, &(struct table){ "Threads", "pid      tid", "tid", thread_row,
					r->thread_count });
}

/* --- losses ------------------------------------------------------------------------------- */

static void print_losses(const struct text *t)
{
	const struct report_totals *n = &t->r->totals;
	size_t i;

	text_title(t, "Unknown / lost", 0);
	if (n->archive->ledgers)
		out_printf(t->o, "lost: %" PRIu64 " of %" PRIu64 " records\n", n->archive->lost,
			   n->archive->written);
	else
		out_printf(t->o, "lost: not told; buffers were full %" PRIu64 " times\n",
			   n->buffer_full);
	for (i = 0; i < t->r->cpu_count; i++)
		if (t->r->cpus[i]->lost)
			out_printf(t->o, "  cpu %u: %" PRIu64 ", within %s\n",
				   t->r->cpus[i]->number, t->r->cpus[i]->lost,
				   report_time_label(t->r->cpus[i]->gap).text);
	if (n->lost_names)
		out_printf(t->o, "  names: %" PRIu64 "\n", n->lost_names);
	out_printf(t->o, "waits with an unknown start, counted nowhere: "
		   "%" PRIu64 "\n",
		   n->n.unknown);
	if (n->archive->switches && !n->archive->wakeups)
		out_str(t->o, "no wakeups were recorded: waits are known after preemption only\n");
	text_unknown_sleeps(t);
	if (n->filtered) {
		out_str(t->o, "the recording was filtered (");
		text_name(t, n->filtered, 50);
		out_str(t->o, ")\n  what was left out is in no number\n");
	}
	if (n->violations)
		out_printf(t->o, "what cannot be: %" PRIu64 " times, see fxt check\n",
			   n->violations);
}

void report_print_text(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options,
		       const struct report_style *style)
{
	const struct text t = { o, r, style, options };

	print_head(&t, path);
	if (r->slices) {
		text_slices(&t);
		return;
	}
	text_findings(&t);
	text_trigger(&t);
	print_losses(&t);
	text_worst(&t);
	text_sleeps(&t);
	print_cpus(&t);
	text_cpu_kernel(&t);
	text_run_queues(&t);
	text_throttled(&t);
	text_quotas(&t);
	text_interrupts(&t);
	text_ipis(&t);
	text_work_items(&t);
	text_system_calls(&t);
	text_ends(&t);
	text_priorities(&t);
	text_stacks(&t);
	text_large_hists(&t);
	text_held_off(&t);
	print_tables(&t);
}
