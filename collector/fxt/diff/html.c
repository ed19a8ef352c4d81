// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html.c - a comparison as a page for browsers: tables, with overlaid histograms of each row's
 * waits on both sides; then the stacks (flame.c) and the timelines (timelines.c).
 *
 * Must hold: the page loads nothing, and a name in it is text.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "diff.h"
#include "escape.h"
#include "report/stats/hist.h"
#include "write/embedded.h"
#include "write/labels.h"

#define BAR	36		/* width of a class of waits */
#define HEIGHT	60

EMBED_FILE(diff_css, "collector/fxt/diff/page/diff.css")
EMBED_FILE(diff_js, "collector/fxt/diff/page/diff.js")

static void print_text(struct out *o, const char *text)
{
	html_text(o, text, strlen(text));
}

/* --- histograms ---------------------------------------------------------------------------- */

/* Waits by class, in the printed unit. Returns the largest. */
static double scale(const struct diff *d, const struct diff_row *row, unsigned int side,
		    double waits[REPORT_CLASSES])
{
	uint64_t counts[REPORT_CLASSES];
	double divisor = 0, most = 0;
	size_t i;

	for (i = 0; i < diff_run_count(d); i++)
		divisor += d->runs[i].side == side ? d->runs[i].divisor : 0;
	report_classes(&row->waits[side].hist, counts);
	for (i = 0; i < REPORT_CLASSES; i++) {
		waits[i] = counts[i] / divisor * d->basis;
		most = fmax(most, waits[i]);
	}
	return most;
}

static void print_bars(struct out *o, const double waits[REPORT_CLASSES], double most, char class)
{
	unsigned int i;
	double height;

	for (i = 0; i < REPORT_CLASSES; i++) {
		height = waits[i] / most * HEIGHT;
		if (height > 0)
			out_printf(o, "<rect class=\"%c\" x=\"%u\" y=\"%.2f\" width=\"%u\" height=\"%.2f\"/>",
				   class, i * BAR, HEIGHT - height, BAR - 2, height);
	}
}

static void print_histograms(struct out *o, const struct diff *d, const struct diff_row *row)
{
	double a[REPORT_CLASSES], b[REPORT_CLASSES];
	double most = fmax(scale(d, row, 0, a), scale(d, row, 1, b));
	unsigned int i;

	if (most <= 0)
		return;
	out_printf(o, "<svg width=\"%u\" height=\"%u\" role=\"img\" aria-label=\"waits\">",
		   REPORT_CLASSES * BAR, HEIGHT + 12);
	print_bars(o, a, most, 'a');
	print_bars(o, b, most, 'b');
	for (i = 0; i + 1 < REPORT_CLASSES; i++)
		out_printf(o, "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\">%s</text>",
			   (i + 1) * BAR, HEIGHT + 10,
			   time_label(report_class_limit(i)).text);
	out_str(o, "</svg>");
}

/* --- the page ------------------------------------------------------------------------------ */

/* A name that the timelines can search for is a button. */
static void print_name(struct out *o, const struct diff *d, const struct diff_row *row)
{
	if (row->kind != DIFF_NAME || !diff_has_timelines(d)) {
		print_text(o, row->name);
		return;
	}
	out_str(o, "<button type=\"button\" data-search=\"");
	html_value(o, row->name, strlen(row->name));
	out_str(o, "\">");
	print_text(o, row->name);
	out_str(o, "</button>");
}

static void print_row(struct out *o, const struct diff *d, const struct diff_row *row)
{
	out_str(o, "<tr><td>");
	print_name(o, d, row);
	if (!row->is_in[0] || !row->is_in[1])
		out_printf(o, "<br>only in %c", row->is_in[0] ? 'A' : 'B');
	if (row->other) {
		out_str(o, ", may be called ");
		print_text(o, row->other->name);
	}
	out_str(o, "</td><td>");
	diff_print_changes(o, d, row);
	out_str(o, "</td><td>");
	print_histograms(o, d, row);
	out_str(o, "</td></tr>\n");
}

static void print_kind(struct out *o, const struct diff *d, enum diff_kind kind, size_t top)
{
	size_t i, count = 0;

	for (i = 0; i < d->row_count && count < top; i++) {
		if (d->rows[i]->kind != kind || d->rows[i]->effect <= 0)
			continue;
		if (!count++)
			out_printf(o, "<h2>%s</h2>\n<table>\n", diff_kinds[kind].title);
		print_row(o, d, d->rows[i]);
	}
	if (count)
		out_str(o, "</table>\n");
}

static void print_differences(struct out *o, const struct diff *d)
{
	char value[256];
	const char *key;
	size_t i, k;

	for (i = 0; i < diff_run_count(d); i++) {
		const struct diff_run *run = &d->runs[i];

		out_printf(o, "<p><svg width=\"12\" height=\"12\"><rect class=\"%c\" width=\"12\" height=\"12\"/></svg> "
			   "%c: ", 'a' + run->side, 'A' + run->side);
		print_text(o, run->path);
		out_printf(o, ", %.4g s on %u CPU%s, %" PRIu64 " records lost", (run->to - run->from) / 1e9,
			   run->cpus, run->cpus == 1 ? "" : "s", run->lost);
		for (k = 0; (key = diff_sessions_key(k)); k++) {
			if (!diff_session_differs(d, key))
				continue;
			diff_session(run, key, value);
			out_printf(o, "; %s: ", key);
			print_text(o, *value ? value : "none");
		}
		out_str(o, "</p>\n");
	}
}

static void print_head(struct out *o)
{
	out_str(o, "<!DOCTYPE html>\n"
		"<!-- Made by fxt diff --html. All of it is in this file; it loads nothing. -->\n"
		"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		/* The frames of the timelines inherit this policy. */
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
		"form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<title>fxt diff</title>\n<style>\n");
	out_code(o, &diff_css);
	out_str(o, "</style>\n</head>\n<body>\n<h1>fxt diff</h1>\n");
}

int diff_print_html(struct out *o, const struct diff *d, size_t top, const struct diff_source *from)
{
	unsigned int kind;
	int status;

	print_head(o);
	print_differences(o, d);
	for (kind = 0; kind < DIFF_KIND_COUNT; kind++)
		print_kind(o, d, kind, top);
	diff_print_flames(o, d);
	out_str(o, "<p>");
	diff_print_reading(o, d);
	out_str(o, "</p>\n");
	status = diff_print_timelines(o, d, from);
	out_str(o, "<script>\n");
	out_code(o, &diff_js);
	out_str(o, "</script>\n</body>\n</html>\n");
	return status;
}
