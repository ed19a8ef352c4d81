// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timelines.c - the timelines of both sides, in a page: the page of fxt report of the first
 * recording of each side, in a frame.
 *
 * Must hold: all of a page is the value of an attribute, which no byte of it ends.
 */
#include <string.h>
#include <sys/stat.h>

#include "diff.h"
#include "escape.h"
#include "report/html/html.h"
#include "report/walk.h"
#include "terminal/message.h"
#include "walk/io.h"

#define WORST	10	/* waits in a list, as in fxt report */

/* As an attribute's value in quotes; @arg is a struct out. */
static int print_value(void *arg, const void *data, size_t bytes)
{
	const char *at = data, *end = at + bytes, *next;

	for (; at < end; at = next) {
		for (next = at; next < end && *next != '"' && *next != '&'; next++)
			;
		out_bytes(arg, at, next - at);
		if (next < end)
			out_str(arg, *next++ == '&' ? "&amp;" : "&quot;");
	}
	return 0;
}

/* Return: 0; a negative errno of the reader or of the temporary files. */
static int print_page(struct out *o, struct archive *a, struct report_options *options)
{
	struct report_engine *e = NULL;
	struct report_html *h;
	static struct out value;
	int ret = report_html_open(&h, 0, REPORT_HTML_SLICES);

	options->watch = report_html_watch(h);
	ret = ret ? ret : report_walk(&e, options, a, NULL, NULL);
	if (report_walk_is_done(ret))
		ret = report_html_end(h, report_of(e)->history);
	if (!ret) {
		out_open_sink(&value, print_value, o);
		ret = report_html_print(h, &value, a->path, e, options, SIZE_MAX);
		out_close(&value);
	}
	report_close(e);
	report_html_close(h);
	return ret;
}

/* Return: enum verb_exit */
static int print_side(struct out *o, const struct diff_run *run, const struct diff_source *from)
{
	struct report_options options = { .filter = *from->filter, .worst = WORST };
	struct archive a = *from->how;
	const char *path = run->path;
	int ret, status = earliest_limits("diff", &a, &path, &options.filter);

	status = status ? status : archive_open(&a, path);
	if (status)
		return status;
	out_printf(o, "<p>%c: ", 'A' + run->side);
	html_text(o, run->path, strlen(run->path));
	out_printf(o, "</p>\n<iframe title=\"Timeline of %c\" srcdoc=\"", 'A' + run->side);
	ret = print_page(o, &a, &options);
	out_str(o, "\"></iframe>\n");
	archive_drop(&a);
	if (!ret)
		return VERB_DONE;
	message("fxt: cannot write the timeline of %s: %s; check the free space in /tmp\n", run->path,
		strerror(-ret));
	return VERB_UNWRITABLE;
}

/* What came from a pipe is gone. */
static bool can_be_read_again(const struct diff_run *run)
{
	struct stat st;

	return !stat(run->path, &st) && S_ISREG(st.st_mode);
}

int diff_print_timelines(struct out *o, const struct diff *d, const struct diff_source *from)
{
	const struct diff_run *a = &d->runs[0], *b = &d->runs[d->counts[0]];
	int status;

	out_str(o, "<h2>Timelines</h2>\n");
	if (!can_be_read_again(a) || !can_be_read_again(b)) {
		out_str(o, "<p>None: an archive came from a pipe. Name files to get timelines.</p>\n");
		return VERB_DONE;
	}
	out_str(o, "<p><label><input id=\"together\" type=\"checkbox\" checked> Both show the same "
		"time since their begin</label></p>\n");
	status = print_side(o, a, from);
	return status ? status : print_side(o, b, from);
}
