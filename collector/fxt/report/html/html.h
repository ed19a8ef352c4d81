/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - struct report, with its timeline, as one HTML file that needs nothing else, not even a
 * network. Memory grows with threads; all other data waits in temporary files.
 */
#ifndef FXT_REPORT_HTML_HTML_H
#define FXT_REPORT_HTML_HTML_H

#include "liboutput/out.h"
#include "report/stats/report.h"

#define REPORT_HTML_SLICES	20000000	/* by default: about 5 million switches */

struct report_html;

/**
 * report_html_open() - begin; call report_html_close() even after an error
 * @begin: ns; the timeline begins there, and not before the report does
 * @most: maximum number of slices and events; the timeline ends when it is reached
 *
 * Return: 0; a negative errno of tmpfile(3).
 */
int report_html_open(struct report_html **h, uint64_t begin, uint64_t most);
void report_html_close(struct report_html *h);

/* For the options of the report; valid until the end. */
const struct report_watch *report_html_watch(struct report_html *h);

/*
 * The archive has ended; @r is complete, and stays valid until the page is printed. Return: 0; a
 * negative errno of the temporary files
 */
int report_html_end(struct report_html *h, const struct report *r);

/**
 * report_html_print() - the whole page, after report_html_end()
 * @path: of the archive, only printed
 * @e: after report_finish(); if its report is of some threads, it becomes that of all
 * @top: maximum length of each list, as in report_print_json()
 *
 * Return: 0 or a negative errno of the temporary files.
 */
int report_html_print(struct report_html *h, struct out *o, const char *path,
		      struct report_engine *e, const struct report_options *options, size_t top);

#endif /* FXT_REPORT_HTML_HTML_H */
