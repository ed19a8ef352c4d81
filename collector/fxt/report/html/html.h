/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - struct report, and the time line it is of, as one page for browsers.
 *
 * In: states of threads and losses, as they pass, then the report.
 * Out: one HTML file that needs nothing else, no network either. Memory grows with
 * threads; all else waits in temporary files.
 */
#ifndef FXT_REPORT_HTML_H
#define FXT_REPORT_HTML_H

#include "write/out.h"
#include "report/stats/report.h"

struct report_html;

/**
 * report_html_open() - begin
 * @h: set to it; report_html_close() is due even after an error
 *
 * Return: 0; a negative errno of tmpfile(3); -ENOMEM.
 */
int report_html_open(struct report_html **h);
void report_html_close(struct report_html *h);

/** report_html_watch() - what the report's options need to have; valid until the end */
const struct report_watch *report_html_watch(struct report_html *h);

/**
 * report_html_end() - the archive has ended
 *
 * Return: 0, or what went wrong with the temporary files (negative errno).
 */
int report_html_end(struct report_html *h);

/**
 * report_html_print() - the whole page
 * @h: after report_html_end()
 * @o: where to
 * @path: of the archive, only told
 * @r: the report
 * @options: that it was made with
 * @top: the most of each list, as that of report_print_json()
 *
 * Return: 0 or a negative errno of reading the temporary files.
 */
int report_html_print(struct report_html *h, struct out *o, const char *path,
		      const struct report *r, const struct report_options *options,
		      size_t top);

#endif /* FXT_REPORT_HTML_H */
