/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * style.h - colours and headings of a report as text.
 */
#ifndef FXT_REPORT_TEXT_STYLE_H
#define FXT_REPORT_TEXT_STYLE_H

#include "report/stats/report.h"
#include "write/out.h"

/**
 * struct report_style - how text looks
 * @colour: with the escape sequences of a terminal
 * @utf8: bars are drawn with block characters, else in ASCII
 * @columns: width of lines, 80 or more
 * @top: rows of each table
 */
struct report_style {
	bool colour;
	bool utf8;
	unsigned int columns;
	size_t top;
};

enum shade { SHADE_NONE, SHADE_HEADING, SHADE_BAR, SHADE_BAD };

/** struct text - the report @r and its options, the output and its style */
struct text {
	struct out *o;
	const struct report *r;
	const struct report_style *style;
	const struct report_options *options;
};

/** text_shade() - set the look of the following text, with colours only */
void text_shade(const struct text *t, enum shade shade);

/** text_heading() - a line above columns */
void text_heading(const struct text *t, const char *text);

/** text_title() - of the tables that follow: an empty line, a title, and how much of it */
void text_title(const struct text *t, const char *what, size_t count);

#endif /* FXT_REPORT_TEXT_STYLE_H */
