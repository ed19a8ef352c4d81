// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - a comparison for people: the largest change first. See diff.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"
#include "write/labels.h"

#define CHANGES_MOST	5	/* changes printed per row, the most important ones */

/* --- what differs between the recordings --------------------------------------------------- */

static void print_session(struct out *o, const struct diff *d, const char *key)
{
	char a[256], b[256];

	diff_session(&d->runs[0], key, a);
	diff_session(&d->runs[d->counts[0]], key, b);
	out_printf(o, "differs: %s: ", key);
	if (strcmp(a, b)) {
		out_safe_text(o, *a ? a : "none");
		out_str(o, " -> ");
		out_safe_text(o, *b ? b : "none");
	} else {
		out_str(o, "between runs of one side");
	}
	out_char(o, '\n');
}

static void print_run_faults(struct out *o, const struct diff_run *run)
{
	if (run->lost)
		out_printf(o, "lost: %" PRIu64 " of %" PRIu64 " records of %c, ", run->lost,
			   run->written, 'A' + run->side);
	else if (!run->is_told)
		out_printf(o, "lost: unknown, another program recorded %c, ", 'A' + run->side);
	else if (run->is_truncated)
		out_printf(o, "lost: %c has no end, ", 'A' + run->side);
	else if (run->skipped || run->violations)
		out_printf(o, "invalid: run fxt check on %c, ", 'A' + run->side);
	else
		return;
	out_safe_text(o, run->path);
	out_char(o, '\n');
}

static void print_differences(struct out *o, const struct diff *d)
{
	const struct diff_run *run;
	const char *key;
	size_t i;

	for (i = 0; i < 2; i++) {
		run = &d->runs[i ? d->counts[0] : 0];
		out_printf(o, "%c: ", (int)('A' + i));
		scope_print(o, &run->scope, run->threads);
	}
	for (i = 0; (key = diff_sessions_key(i)); i++)
		if (diff_session_differs(d, key))
			print_session(o, d, key);
	if (d->runs[0].cpus != d->runs[d->counts[0]].cpus)
		out_printf(o, "differs: CPUs: %u -> %u\n", d->runs[0].cpus,
			   d->runs[d->counts[0]].cpus);
	for (i = 0; i < diff_run_count(d); i++)
		print_run_faults(o, &d->runs[i]);
}

/* --- changes ------------------------------------------------------------------------------- */

/* "+20%", "x4", "-75%" */
static void print_factor(struct out *o, const struct diff_change *c)
{
	if (c->a <= 0 || c->b <= 0)
		out_str(o, c->a > 0 ? "now none" : "was none");
	else if (c->b >= 1.95 * c->a)
		out_printf(o, "x%.*f", c->b < 9.95 * c->a && fabs(remainder(c->b / c->a, 1)) >= 0.05,
			   c->b / c->a);
	else
		out_printf(o, "%+.0f%%", (c->b / c->a - 1) * 100);
}

static void print_value(struct out *o, const struct diff_metric_info *m, double value)
{
	uint64_t whole = value < 1e18 ? (uint64_t)llround(value) : UINT64_MAX;

	if (!m->is_time && value < 10 && fabs(remainder(value, 1)) > 0.001)
		out_printf(o, "%.2g", value);
	else
		out_str(o, m->is_time ? time_label(whole).text :
					count_label(whole).text);
}

static void print_percentile(struct out *o, const char *name, uint64_t a, uint64_t b,
			     bool a_is_open, bool b_is_open)
{
	out_printf(o, ", %s %s%s -> %s%s", name, a_is_open ? "at least " : "",
		   time_label(a).text, b_is_open ? "at least " : "",
		   time_label(b).text);
}

/* Mark a value from a wait that was not over: it is a lower bound. */
static void print_waits(struct out *o, const struct diff_row *row)
{
	const struct diff_waits *a = &row->waits[0], *b = &row->waits[1];

	if (!a->hist.count || !b->hist.count)
		return;
	print_percentile(o, "p50", report_hist_percentile(&a->hist, 500),
			 report_hist_percentile(&b->hist, 500), false, false);
	print_percentile(o, "p99", report_hist_percentile(&a->hist, 990),
			 report_hist_percentile(&b->hist, 990), false, false);
	print_percentile(o, "max", a->hist.max, b->hist.max, a->max_is_open, b->max_is_open);
}

/* @is_judged: by the rank test */
static void print_change(struct out *o, const struct diff_row *row, enum diff_metric metric,
			 bool is_judged)
{
	const struct diff_metric_info *m = &diff_metrics[metric];
	const struct diff_change *c = &row->changes[metric];

	out_str(o, m->before);
	if (!row->is_in[0] || !row->is_in[1]) {
		print_value(o, m, row->is_in[0] ? c->a : c->b);
		out_str(o, m->after);
		return;
	}
	print_value(o, m, c->a);
	out_str(o, " -> ");
	print_value(o, m, c->b);
	out_printf(o, "%s (", m->after);
	print_factor(o, c);
	if (c->has_shift)
		out_printf(o, ", %+.0f%% to %+.0f%%", c->shift.low * 100, c->shift.high * 100);
	if (c->is_tested && is_judged)
		out_printf(o, ", q %.2g", c->q);
	if (metric == DIFF_WAIT)
		print_waits(o, row);
	out_char(o, ')');
}

/* Find the most important change that is not printed yet. */
static enum diff_metric next_metric(const struct diff_row *row, unsigned int printed)
{
	unsigned int metric, best = DIFF_METRIC_COUNT;

	for (metric = 0; metric < DIFF_METRIC_COUNT; metric++)
		if (row->changes[metric].is_listed && !(printed & 1U << metric) &&
		    (best == DIFF_METRIC_COUNT ||
		     row->changes[metric].effect > row->changes[best].effect))
			best = metric;
	return best;
}

/* The number of wakeups explains the number of switches, so print only one of the two. */
static unsigned int redundant(const struct diff_row *row)
{
	return row->changes[DIFF_WOKEN].is_listed ? 1U << DIFF_RUNS : 0;
}

void diff_print_changes(struct out *o, const struct diff *d, const struct diff_row *row)
{
	unsigned int printed = redundant(row);
	const char *between = "";
	enum diff_metric metric;
	unsigned int i;

	for (i = 0; i < CHANGES_MOST; i++) {
		metric = next_metric(row, printed);
		if (metric == DIFF_METRIC_COUNT)
			break;
		out_str(o, between);
		print_change(o, row, metric, d->judges[row->kind] == DIFF_TESTED);
		printed |= 1U << metric;
		between = ", ";
	}
}

static void print_row(struct out *o, const struct diff *d, const struct diff_row *row)
{
	out_safe_text(o, row->name);
	if (row->other) {
		out_str(o, ": only in A, may be called ");
		out_safe_text(o, row->other->name);
		out_printf(o, " in B: run %s -> %s\n",
			   time_label(llround(row->changes[DIFF_RUN].a)).text,
			   time_label(llround(row->other->changes[DIFF_RUN].b)).text);
		return;
	}
	if (!row->is_in[0] || !row->is_in[1])
		out_printf(o, ": only in %c", row->is_in[0] ? 'A' : 'B');
	out_str(o, ": ");
	diff_print_changes(o, d, row);
	out_char(o, '\n');
}

/* If two rows may be the same under different names, print the one of A. */
static bool is_printed(const struct diff_row *row)
{
	return row->effect > 0 && !(row->other && !row->is_in[0]);
}

/* Skip a process whose threads have its name: it would repeat them. */
static bool is_repetition(const struct diff *d, const struct diff_row *row)
{
	const struct diff_row *name;

	name = row->kind == DIFF_PROCESS ? diff_find(d, DIFF_NAME, row->name) : NULL;
	return name && name->changes[DIFF_RUN].a == row->changes[DIFF_RUN].a &&
	       name->changes[DIFF_RUN].b == row->changes[DIFF_RUN].b;
}

/* Returns the number of rows with changes. */
static size_t print_kind(struct out *o, const struct diff *d, enum diff_kind kind, size_t top)
{
	size_t i, count = 0;

	for (i = 0; i < d->row_count; i++) {
		const struct diff_row *row = d->rows[i];

		if (row->kind != kind || !is_printed(row) || is_repetition(d, row))
			continue;
		if (!count && kind)
			out_printf(o, "\n%s\n", diff_kinds[kind].title);
		if (count < top)
			print_row(o, d, row);
		count++;
	}
	if (count > top)
		out_printf(o, "and %zu more; see --top\n", count - top);
	return count;
}

/* --- how to read it ------------------------------------------------------------------------ */

static void print_sides(struct out *o, const struct diff *d)
{
	unsigned int side;

	for (side = 0; side < 2; side++) {
		const struct diff_run *run = &d->runs[side ? d->counts[0] : 0];

		out_printf(o, "%c: %.4g s on %u CPU%s, ", 'A' + side, (run->to - run->from) / 1e9,
			   run->cpus, run->cpus == 1 ? "" : "s");
		out_safe_text(o, run->path);
		if (d->counts[side] > 1)
			out_printf(o, ", and %zu more", d->counts[side] - 1);
		out_char(o, '\n');
	}
}

/* Names only the kind of unit: the user chose its name. */
static void print_basis(struct out *o, const struct diff *d)
{
	if (d->unit)
		out_printf(o, "All numbers are per %s.\n", d->is_call ? "system call" : "switch");
	else
		out_printf(o, "All numbers are per %.4g s, the length of A.\n", d->basis);
}

void diff_print_reading(struct out *o, const struct diff *d)
{
	print_basis(o, d);
	switch (d->judges[DIFF_NAME]) {
	case DIFF_ONE_RUN:
		out_str(o, "One run per side: it is unknown how much numbers differ from run to "
			"run. Record several\n"
			"and compare them: fxt diff A1 A2 A3 -- B1 B2 B3\n");
		break;
	case DIFF_APART:
		out_printf(o, "%zu and %zu runs are too few for the rank test of %zu numbers: "
			   "changes are\nlisted if they exceed the differences between runs of "
			   "a side. %zu runs per side suffice.\n",
			   d->counts[0], d->counts[1], d->tests[DIFF_NAME], d->needed);
		if (d->counts[0] > 1 && d->counts[1] > 1)
			out_printf(o, "Limits have %.0f%% confidence.\n",
				   100 * fmin(0.95, 1 - rank_least(d->counts[0], d->counts[1])));
		break;
	default:
		out_printf(o, "Changes are listed if the Mann-Whitney U test finds them "
			   "significant, of %zu numbers, at\na false discovery rate q of 5%% "
			   "(Benjamini and Hochberg), or if they exceed the differences\nbetween runs of "
			   "a side, but for one outlier of eight. Limits have 95%% confidence.\n",
			   d->tests[DIFF_NAME]);
	}
}

void diff_print_text(struct out *o, const struct diff *d, size_t top)
{
	unsigned int kind;
	size_t changes = 0;

	print_differences(o, d);
	for (kind = 0; kind < DIFF_KIND_COUNT; kind++)
		changes += print_kind(o, d, kind, top);
	if (!changes)
		out_printf(o, "no change of %.3g%% or more that is also 0.5ms, or one event, per "
			"second or more\n",
			   d->least * 100);
	out_char(o, '\n');
	print_sides(o, d);
	diff_print_reading(o, d);
}
