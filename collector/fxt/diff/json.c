// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - a comparison for programs: one object on one line. */
#include <math.h>
#include <string.h>

#include "diff.h"
#include "liboutput/json.h"
#include "report/tables/tables.h"
#include "table/json.h"

/* --- the schema ---------------------------------------------------------------------------- */

/* Keys of a recording's description; diff_sessions_key() lists them. */
static const struct schema session[] = {
	MEMBER("host", IS_TEXT | OR_NULL),
	MEMBER("cpus", IS_TEXT | OR_NULL),
	MEMBER("kernel", IS_TEXT | OR_NULL),
	MEMBER("source", IS_TEXT | OR_NULL),
	MEMBER("clock", IS_TEXT | OR_NULL),
	MEMBER("events", IS_TEXT | OR_NULL),
	MEMBER("stacks", IS_TEXT | OR_NULL),
	MEMBER("stacks_min_ns", IS_TEXT | OR_NULL),
	MEMBER("stacks_hz", IS_TEXT | OR_NULL),
	MEMBER("filter", IS_TEXT | OR_NULL),
	{ 0 }
};

static const struct schema run[] = {
	MEMBER("file", IS_TEXT),
	{ .is = IS_HERE, .of = schema_command },
	MEMBER("from_ns", IS_TIME),
	MEMBER("to_ns", IS_TIME),
	MEMBER("cpus_counted", IS_NUMBER),
	MEMBER("lost", IS_NUMBER, .about = "records"),
	MEMBER("written", IS_NUMBER),
	MEMBER("told", IS_FLAG, .about = "the archive knows its losses"),
	MEMBER("truncated", IS_FLAG),
	MEMBER("skipped", IS_FLAG, .about = "malformed records were skipped"),
	MEMBER("violations", IS_NUMBER),
	MEMBER("units", IS_FRACTION | OR_NULL, .about = "of work"),
	{ .is = IS_HERE, .of = session },
	{ 0 }
};

static const struct schema number[] = { { .is = IS_FRACTION }, { 0 } };
static const struct schema text[] = { { .is = IS_TEXT }, { 0 } };

static const struct schema metric[] = {
	MEMBER("metric", IS_TEXT),
	MEMBER("unit", IS_WORD, .about = "of a, b and the values of runs", .words = "ns|number"),
	MEMBER("a", IS_FRACTION, .about = "the median of the runs"),
	MEMBER("b", IS_FRACTION),
	MEMBER("change", IS_FRACTION | OR_NULL, .about = "of 1; null if A has none"),
	MEMBER("effect", IS_FRACTION, .about = "the weight by which changes are sorted: fxt-diff(1)"),
	MEMBER("listed", IS_FLAG, .about = "the text has it"),
	MEMBER("a_runs", IS_LIST, .about = "the value of each run", .of = number),
	MEMBER("b_runs", IS_LIST, .of = number),
	MEMBER("p", IS_FRACTION | OR_ABSENT, .about = "if it was tested"),
	MEMBER("q", IS_FRACTION | OR_ABSENT),
	MEMBER("low", IS_FRACTION | OR_ABSENT,
	       .about = "a limit of change, if there are enough runs"),
	MEMBER("high", IS_FRACTION | OR_ABSENT),
	MEMBER("confidence", IS_FRACTION | OR_ABSENT,
	       .about = "that the change is between low and high"),
	{ 0 }
};

static const struct schema waits[] = {
	MEMBER("count", IS_NUMBER),
	MEMBER("p50_ns", IS_NS),
	MEMBER("p99_ns", IS_NS),
	MEMBER("max_ns", IS_NS),
	MEMBER("max_open", IS_FLAG, .about = "the longest was not over at the end"),
	MEMBER("open", IS_NUMBER, .about = "waits that were not"),
	MEMBER("unknown", IS_NUMBER, .about = "waits of unknown length"),
	{ .is = IS_HERE, .of = schema_histogram },
	{ 0 }
};

static const struct schema change[] = {
	MEMBER("kind", IS_TEXT),
	MEMBER("name", IS_TEXT),
	MEMBER("in", IS_WORD, .about = "which side has it", .words = "both|a|b"),
	MEMBER("other_name", IS_TEXT | OR_NULL, .about = "may be called so in the other side"),
	MEMBER("effect", IS_FRACTION, .about = "of all listed metrics"),
	MEMBER("metrics", IS_LIST, .of = metric),
	MEMBER("a_waits", IS_OBJECT | OR_ABSENT, .of = waits),
	MEMBER("b_waits", IS_OBJECT | OR_ABSENT, .of = waits),
	{ 0 }
};

static const struct schema judge[] = {
	MEMBER("judged", IS_WORD, .words = "one run|apart|tested"),
	MEMBER("tests", IS_NUMBER),
	{ 0 }
};

static const struct schema chance[] = {
	MEMBER("test", IS_TEXT),
	MEMBER("correction", IS_TEXT),
	MEMBER("runs_needed", IS_NUMBER,
	       .about = "a side, to tell a single change of a name apart"),
	MEMBER("kinds", IS_MAP, .about = "by kind of changes", .of = judge),
	{ 0 }
};

const struct schema diff_schema[] = {
	MEMBER("a", IS_LIST, .about = "the recordings", .of = run),
	MEMBER("b", IS_LIST, .of = run),
	MEMBER("differs", IS_LIST, .about = "of what describes the recordings", .of = text),
	MEMBER("unit", IS_TEXT | OR_NULL, .about = "of work"),
	MEMBER("per", IS_WORD, .words = "second|switch|syscall"),
	MEMBER("basis_s", IS_FRACTION,
	       .about = "values are for this many seconds; 0: for a unit of work"),
	MEMBER("least", IS_FRACTION),
	MEMBER("chance", IS_OBJECT, .of = chance),
	MEMBER("changes", IS_LIST, .about = "by kind and effect", .of = change),
	{ 0 }
};

/* --- the recordings ------------------------------------------------------------------------ */

static void print_run(struct json *j, const struct diff *d, const struct diff_run *run)
{
	char value[256];
	const char *key;
	size_t i;

	json_object(j, NULL);
	json_string(j, "file", run->path);
	scope_print_json(j, &run->scope, run->threads);
	json_number(j, "from_ns", run->from);
	json_number(j, "to_ns", run->to);
	json_number(j, "cpus_counted", run->cpus);
	json_number(j, "lost", run->lost);
	json_number(j, "written", run->written);
	json_boolean(j, "told", run->is_told);
	json_boolean(j, "truncated", run->is_truncated);
	json_boolean(j, "skipped", run->skipped);
	json_number(j, "violations", run->violations);
	if (d->unit)
		json_double(j, "units", run->divisor);
	else
		json_null(j, "units");
	for (i = 0; (key = diff_sessions_key(i)); i++) {
		diff_session(run, key, value);
		json_text(j, key, value);
	}
	json_end(j, '}');
}

static void print_side(struct json *j, const struct diff *d, unsigned int side)
{
	size_t i;

	json_array(j, side ? "b" : "a");
	for (i = 0; i < diff_run_count(d); i++)
		if (d->runs[i].side == side)
			print_run(j, d, &d->runs[i]);
	json_end(j, ']');
}

static void print_differs(struct json *j, const struct diff *d)
{
	const char *key;
	size_t i;

	json_array(j, "differs");
	for (i = 0; (key = diff_sessions_key(i)); i++)
		if (diff_session_differs(d, key))
			json_string(j, NULL, key);
	json_end(j, ']');
}

/* --- chance -------------------------------------------------------------------------------- */

static void print_judges(struct json *j, const struct diff *d)
{
	static const char *const names[] = { "one run", "apart", "tested" };
	unsigned int kind;

	json_object(j, "chance");
	json_string(j, "test", "Mann-Whitney U");
	json_string(j, "correction", "Benjamini-Hochberg");
	json_number(j, "runs_needed", d->needed);
	json_object(j, "kinds");
	for (kind = 0; kind < DIFF_KIND_COUNT; kind++) {
		json_object(j, diff_kinds[kind].name);
		json_string(j, "judged", names[d->judges[kind]]);
		json_number(j, "tests", d->tests[kind]);
		json_end(j, '}');
	}
	json_end(j, '}');
	json_end(j, '}');
}

/* --- changes ------------------------------------------------------------------------------- */

static void print_values(struct json *j, const struct diff *d, const struct diff_row *row,
			 enum diff_metric metric, unsigned int side)
{
	size_t i;

	json_array(j, side ? "b_runs" : "a_runs");
	for (i = 0; i < diff_run_count(d); i++)
		if (d->runs[i].side == side)
			json_double(j, NULL, diff_value(d, row, i, metric));
	json_end(j, ']');
}

static void print_change(struct json *j, const struct diff *d, const struct diff_row *row,
			 enum diff_metric metric)
{
	const struct diff_change *c = &row->changes[metric];

	json_object(j, NULL);
	json_string(j, "metric", diff_metrics[metric].name);
	json_string(j, "unit", diff_metrics[metric].is_time ? "ns" : "number");
	json_double(j, "a", c->a);
	json_double(j, "b", c->b);
	if (c->a > 0)
		json_double(j, "change", c->b / c->a - 1);
	else
		json_null(j, "change");
	json_double(j, "effect", c->effect);
	json_boolean(j, "listed", c->is_listed);
	print_values(j, d, row, metric, 0);
	print_values(j, d, row, metric, 1);
	if (c->is_tested) {
		json_double(j, "p", c->p);
		json_double(j, "q", c->q);
	}
	if (c->has_shift) {
		json_double(j, "low", c->shift.low);
		json_double(j, "high", c->shift.high);
		json_double(j, "confidence", c->shift.level);
	}
	json_end(j, '}');
}

static void print_waits(struct json *j, const struct diff_waits *w, const char *name)
{
	json_object(j, name);
	json_number(j, "count", w->hist.count);
	json_number(j, "p50_ns", report_hist_percentile(&w->hist, 500));
	json_number(j, "p99_ns", report_hist_percentile(&w->hist, 990));
	json_number(j, "max_ns", w->hist.max);
	json_boolean(j, "max_open", w->max_is_open);
	json_number(j, "open", w->open);
	json_number(j, "unknown", w->unknown);
	json_histogram(j, "histogram", &w->hist);
	json_end(j, '}');
}

static void print_row(struct json *j, const struct diff *d, const struct diff_row *row)
{
	unsigned int metric;

	json_object(j, NULL);
	json_string(j, "kind", diff_kinds[row->kind].name);
	json_string(j, "name", row->name);
	json_string(j, "in", !row->is_in[0] ? "b" : !row->is_in[1] ? "a" : "both");
	json_text(j, "other_name", row->other ? row->other->name : NULL);
	json_double(j, "effect", row->effect);
	json_array(j, "metrics");
	for (metric = 0; metric < DIFF_METRIC_COUNT; metric++)
		if (row->changes[metric].a > 0 || row->changes[metric].b > 0)
			print_change(j, d, row, metric);
	json_end(j, ']');
	if (row->waits[0].hist.count || row->waits[1].hist.count) {
		print_waits(j, &row->waits[0], "a_waits");
		print_waits(j, &row->waits[1], "b_waits");
	}
	json_end(j, '}');
}

void diff_print_json(struct out *o, const struct diff *d, size_t top)
{
	struct json j = { .o = o };
	size_t i, of_kind = 0;

	json_begin(&j, '{');
	print_side(&j, d, 0);
	print_side(&j, d, 1);
	print_differs(&j, d);
	json_text(&j, "unit", d->unit);
	json_string(&j, "per", !d->unit ? "second" : d->is_call ? "syscall" : "switch");
	json_double(&j, "basis_s", d->unit ? 0 : d->basis);
	json_double(&j, "least", d->least);
	print_judges(&j, d);
	json_array(&j, "changes");
	for (i = 0; i < d->row_count; i++) {
		of_kind = i && d->rows[i]->kind == d->rows[i - 1]->kind ? of_kind + 1 : 0;
		if (d->rows[i]->effect > 0 && of_kind < top)
			print_row(&j, d, d->rows[i]);
	}
	json_end(&j, ']');
	json_end(&j, '}');
	out_char(o, '\n');
}
