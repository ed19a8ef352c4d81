// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timelines.c - the timelines of both sides, in a page: the page of fxt report of each side's first
 * recording, in a frame.
 *
 * Must hold: a page is the value of an attribute, which none of its bytes ends.
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

/* Print an attribute's value in quotes; @arg is a struct out. */
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

/* Returns 0, or a negative errno of the temporary files. */
static int print_read(struct out *o, struct report_html *h, const char *path, struct report_engine *e,
		      const struct report_options *options)
{
	static struct out value;
	int end, ret = report_html_end(h, report_of(e));

	if (ret)
		return ret;
	out_open_sink(&value, print_value, o);
	ret = report_html_print(h, &value, path, e, options, SIZE_MAX);
	end = out_close(&value);
	return ret ? ret : end;
}

/*
 * Returns 0, or a negative errno of the temporary files. @read: set to the result of report_walk()
 */
static int print_page(struct out *o, struct archive *a, struct report_options *options, int *read)
{
	struct report_engine *e = NULL;
	struct report_html *h;
	int ret = report_html_open(&h, 0, REPORT_HTML_SLICES);

	options->watch = report_html_watch(h);
	*read = ret ? 0 : report_walk(&e, options, a, NULL, NULL);
	if (!ret && report_walk_is_done(*read))
		ret = print_read(o, h, a->path, e, options);
	report_close(e);
	report_html_close(h);
	return ret;
}

static int print_side(struct out *o, const struct diff_run *run, const struct diff_source *from)
{
	struct report_options options = { .filter = *from->filter, .worst = WORST };
	struct archive a = *from->how;
	const char *path = run->path;
	int ret, read, status = earliest_limits("diff", &a, &path, &options.filter);

	status = status ? status : archive_open(&a, path);
	if (status)
		return status;
	out_printf(o, "<p>%c: ", 'A' + run->side);
	html_text(o, run->path, strlen(run->path));
	out_printf(o, "</p>\n<iframe title=\"Timeline of %c\" srcdoc=\"", 'A' + run->side);
	ret = print_page(o, &a, &options, &read);
	out_str(o, "\"></iframe>\n");
	/* Skipped records were reported when the archive was read for the tables. */
	if (!report_walk_is_done(read))
		return archive_close(&a, read);
	archive_drop(&a);
	if (!ret)
		return VERB_DONE;
	message("fxt: cannot write the timeline of %s to a temporary file: %s; check the free space in /tmp\n",
		run->path, strerror(-ret));
	return VERB_UNWRITABLE;
}

/* The contents of a pipe are gone. */
static bool can_be_read_again(const struct diff_run *run)
{
	struct stat st;

	return strcmp(run->path, "-") && !stat(run->path, &st) && S_ISREG(st.st_mode);
}

bool diff_has_timelines(const struct diff *d)
{
	return can_be_read_again(&d->runs[0]) && can_be_read_again(&d->runs[d->counts[0]]);
}

int diff_print_timelines(struct out *o, const struct diff *d, const struct diff_source *from)
{
	int status;

	out_str(o, "<h2>Timelines</h2>\n");
	if (!diff_has_timelines(d)) {
		out_str(o, "<p>None: an archive came from a pipe. Name files to get timelines.</p>\n");
		return VERB_DONE;
	}
	out_str(o, "<p><label><input id=\"together\" type=\"checkbox\" checked> Both show the same "
		"time since their begin</label></p>\n");
	status = print_side(o, &d->runs[0], from);
	return status ? status : print_side(o, &d->runs[d->counts[0]], from);
}
