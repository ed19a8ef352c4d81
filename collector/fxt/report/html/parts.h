/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts.h - the page that fxt report --html writes, without its data.
 *
 * The files are those of collector/fxt/report/html/page/, included in the program unchanged.
 */
#ifndef FXT_REPORT_HTML_PARTS_H
#define FXT_REPORT_HTML_PARTS_H

#include <stddef.h>

/* In the order of the page. */
#define HTML_SCRIPTS(X)								\
	X(format) X(data) X(tracks) X(draw) X(event_tracks) X(events)		\
	X(timeline) X(input) X(charts) X(tables) X(family)	\
	X(stacks) X(flame)							\
	X(main)

/** struct html_part - one file */
struct html_part {
	const char *begin;
	const char *end;
};

#define HTML_PART_DECLARE(name) extern const struct html_part html_##name##_js;
HTML_SCRIPTS(HTML_PART_DECLARE)
#undef HTML_PART_DECLARE
extern const struct html_part html_report_html;
extern const struct html_part html_report_css;

#endif /* FXT_REPORT_HTML_PARTS_H */
