// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - struct report as text: tables of 80 columns or more.
 *
 * Findings, the trigger, losses and the longest waits come first, then CPUs, then the tables of
 * threads. Names come last where possible and are truncated to their columns, which share the
 * columns of a terminal beyond 80. Large numbers are written with fewer digits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/tables/tables.h"
#include "sections.h"
#include "terminal/memory.h"
#include "text.h"
#include "write/folded.h"

#define NAMES	8	/* rows of names by default */

/* --- the overview ------------------------------------------------------------------ */

/* fxt-collect writes how many records there are into ledgers; other archives have more records. */
static void print_lost(const struct text *t)
{
	const struct sched_totals *a = text_report(t)->totals.archive;

	out_printf(t->o, "%" PRIu64, a->lost);
	if (a->written >= a->switches)
		out_printf(t->o, " of %" PRIu64, a->written);
	out_str(t->o, " records\n");
}

/* Faults of the archive come before all numbers: they limit what the numbers mean. */
static void print_faults(const struct text *t)
{
	const struct report_totals *n = &text_report(t)->totals;
	const struct fxt_reader_totals *read = n->reader;
	bool is_whole = !n->archive->unclosed && !n->filtered && !n->archive->lost &&
			!report_is_damaged(text_report(t));

	if (is_whole)
		return;
	text_shade(t, SHADE_BAD);
	if (report_is_damaged(text_report(t)))
		out_printf(t->o, "DAMAGED: deviations from the format: %" PRIu64 ", contradictions: %" PRIu64 "\n"
			   "  %" PRIu64 " records and %" PRIu64 " bytes cannot be read; run fxt check for details\n"
			   "  all below may be wrong, so there are no findings\n",
			   read->deviations, report_contradictions(text_report(t)), read->skipped,
			   read->skipped_bytes);
	if (n->archive->unclosed)
		out_str(t->o, "TRUNCATED: the recording continued, but the rest is missing\n");
	if (n->filtered) {
		out_str(t->o, "FILTERED: ");
		text_name(t, n->filtered, TEXT_COLUMNS - 10);
		out_char(t->o, '\n');
	}
	if (n->archive->lost) {
		out_str(t->o, "LOST ");
		print_lost(t);
	}
	text_shade(t, SHADE_NONE);
}

static void print_head(const struct text *t, const char *path, const struct filter *f)
{
	const struct report_totals *n = &text_report(t)->totals;
	const struct sched_totals *a = n->archive;
	double all = report_window(text_report(t)) * (double)n->cpus;

	text_shade(t, SHADE_HEADING);
	text_name(t, path, t->columns);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
	print_faults(t);
	if (text_report(t)->slices)
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
		out_printf(t->o, "of these %.3f s on %u CPU%s, from ", report_window(text_report(t)) / 1e9,
			   n->cpus, n->cpus == 1 ? "" : "s");
		out_seconds(t->o, n->from);
		out_printf(t->o, ": %" PRIu64 " switches\n", n->switches);
	}
	out_printf(t->o, "%zu thread%s of %zu process%s, CPUs busy %s, idle %s", n->threads,
		   n->threads == 1 ? "" : "s", n->processes, n->processes == 1 ? "" : "es",
		   share_label(all > 0 ? n->busy / all : 0).text,
		   share_label(all > 0 ? n->idle / all : 0).text);
	if (n->offline)
		out_printf(t->o, ", offline %s",
			   share_label(all > 0 ? n->offline / all : 0).text);
	out_printf(t->o, ", unknown %s\n",
		   share_label(all > 0 ? report_unknown(text_report(t)) / all : 0).text);
	scope_print(t->o, &text_report(t)->scope, text_report(t)->thread_count);
}

/* --- names, processes and threads ------------------------------------------------------------- */

/* Would the tables of processes repeat those of threads? */
static bool is_same_rows(const struct text *t)
{
	const struct report *r = text_report(t);
	size_t i;

	for (i = 0; i < r->process_count && i < t->top; i++)
		if (i >= r->thread_count || r->threads[i]->process != r->processes[i] ||
		    !r->processes[i]->is_known || r->processes[i]->sum.threads != 1 ||
		    strcmp(report_name(r->threads[i]), report_process_name(r->processes[i])))
			return false;
	return i;
}

/* --- losses ------------------------------------------------------------------------------- */

/* Of a CPU with no record stored, the archive has no time. */
static void print_loss(const struct text *t, const struct report_cpu *cpu)
{
	out_printf(t->o, "  cpu %u: %" PRIu64, cpu->number, cpu->lost);
	if (cpu->gap)
		out_printf(t->o, ", within %s\n", time_label(cpu->gap).text);
	else
		out_str(t->o, ", at times that are not known\n");
}

static void print_losses(const struct text *t)
{
	const struct report_totals *n = &text_report(t)->totals;
	size_t i;

	text_title(t, "Unknown / lost", 0);
	if (n->archive->ledgers) {
		out_str(t->o, "lost: ");
		print_lost(t);
	} else {
		out_printf(t->o, "lost: not reported; buffers were full %" PRIu64 " times\n",
			   n->buffer_full);
	}
	for (i = 0; i < text_report(t)->cpu_count; i++)
		if (text_report(t)->cpus[i]->lost)
			print_loss(t, text_report(t)->cpus[i]);
	if (n->lost_names)
		out_printf(t->o, "  names: %" PRIu64 "\n", n->lost_names);
	out_printf(t->o, "waits with an unknown start, not counted: %" PRIu64, n->shown.unknown);
	if (n->waits[REPORT_EARLY])
		out_printf(t->o, "; %" PRIu64 " of them lasted at least %s together",
			   n->waits[REPORT_EARLY]->hist.count,
			   time_label(n->waits[REPORT_EARLY]->hist.sum).text);
	out_char(t->o, '\n');
	/* A part without wakeups may be cut from a recording with some, which @begins shows. */
	if (n->archive->switches && !n->archive->wakeups && !n->archive->begins)
		out_str(t->o, "no wakeups were recorded: only waits after a preemption are "
			"known\n");
	if (n->archive->has_wakings)
		out_str(t->o, "waits begin at sched_waking, on the CPU that ran the thread "
			"last\n");
	text_unknown_sleeps(t);
	if (n->filtered) {
		out_str(t->o, "the recording was filtered (");
		text_name(t, n->filtered, 50);
		out_str(t->o, ")\n  what was filtered out is not counted\n");
	}
}

/* --- all of it ---------------------------------------------------------------------------- */

static void print_hists(const struct text *t)
{
	text_large_hists(t);
	text_held_off(t);
}

static bool has_own_names(const struct text *t)
{
	return text_report(t)->comm_count >= text_report(t)->thread_count;
}

static void print_cgroups(const struct text *t)
{
	if (text_report(t)->cgroup_count > 1)
		text_table(t, &table_cgroups);
}

static const struct {
	const char *name;	/* NULL: that of @table */
	void (*print)(const struct text *t);
	const struct table *table;
	bool (*is_repeated)(const struct text *t);	/* by other tables: only alone */
} sections[] = {
	{ "waits", .print = text_worst },
	{ "sleeps", .print = text_sleeps },
	{ .table = &table_cpus },
	{ .table = &table_concurrency },
	{ .table = &table_placement },
#define SECTION(name)	{ .table = &table_##name },
	TABLES_OF_EVENTS(SECTION)
#undef SECTION
	{ "stacks", .print = text_stacks },
	{ "histograms", .print = print_hists },
	{ .table = &table_names, .is_repeated = has_own_names },
	{ "cgroups", .print = print_cgroups },
	{ .table = &table_processes, .is_repeated = is_same_rows },
	{ .table = &table_threads },
};

#define SECTIONS	(sizeof(sections) / sizeof(sections[0]))

bool report_section(unsigned int i, struct option_word *w)
{
	const struct table *table = i < SECTIONS ? sections[i].table : NULL;

	w->name = i < SECTIONS ? sections[i].name : NULL;
	if (!w->name && table)
		w->name = table->section ? table->section : table->key;
	return w->name;
}

static void print_sections(const struct text *t, uint64_t tables)
{
	size_t i;

	for (i = 0; i < SECTIONS; i++) {
		if (!(tables >> i & 1) || (tables == REPORT_ALL_SECTIONS &&
		    sections[i].is_repeated && sections[i].is_repeated(t)))
			continue;
		if (sections[i].print)
			sections[i].print(t);
		else
			text_table(t, sections[i].table);
	}
}

void report_print_text(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options,
		       const struct report_style *style)
{
	const struct text t = {
		.o = o, .all = r, .window = report_window(r), .is_part = r->is_part,
		.has_colours = style->colour, .has_utf8 = style->utf8, .columns = style->columns,
		.top = style->top,
	};

	print_head(&t, path, &options->filter);
	if (r->slices) {
		text_slices(&t);
		return;
	}
	if (style->tables && style->tables != REPORT_ALL_SECTIONS) {
		print_sections(&t, style->tables);
		return;
	}
	print_losses(&t);
	text_findings(&t);
	text_trigger(&t);
	if (style->tables) {
		print_sections(&t, style->tables);
		return;
	}
	text_time(&t, style->is_limited ? style->top : NAMES);
	text_short_waits(&t);
	out_str(o, "\nfxt why explains the longest wait; fxt report --tables prints all tables\n");
}

/* --- folded ------------------------------------------------------------------------------ */

ARRAY_COMPARE_POINTERS(by_name, struct report_stack, x, y,
		       strcmp(x->thread->sched->name, y->thread->sched->name) ?:
		       array_order(x->stack->id, y->stack->id))

void report_print_folded(struct out *o, const struct report *r, enum report_stack_kind kind)
{
	const struct report_stack_list *l = &r->stacks.of_threads[kind];
	const struct report_stack **sorted = must(calloc(l->count + 1, sizeof(*sorted)));
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < l->count; i++)
		sorted[i] = &l->all[i];
	array_sort(sorted, l->count, by_name);
	for (i = 0; i < l->count; i++) {
		ns += sorted[i]->sum.ns;
		if (i + 1 < l->count && !by_name(&sorted[i], &sorted[i + 1]))
			continue;
		folded_line(o, sorted[i]->thread->sched->name, r->stacks.symbols, sorted[i]->stack, ns);
		ns = 0;
	}
	free(sorted);
}
