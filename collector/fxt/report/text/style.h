/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * style.h - what the parts of the report for people share.
 *
 * text.c writes all but the histograms, which text_hist.c draws.
 */
#ifndef FXT_REPORT_TEXT_STYLE_H
#define FXT_REPORT_TEXT_STYLE_H

#include "text.h"

enum shade { SHADE_NONE, SHADE_HEADING, SHADE_BAR, SHADE_BAD };

/** struct text - where to, what of, and how */
struct text {
	struct out *o;
	const struct report *r;
	const struct report_style *style;
	const struct report_options *options;
};

/** text_shade() - what follows looks so, where there are colours */
void text_shade(const struct text *t, enum shade shade);

/** text_heading() - a line above columns */
void text_heading(const struct text *t, const char *text);

/** text_title() - of the tables that follow: an empty line, a title, and how much of it */
void text_title(const struct text *t, const char *what, size_t count);

/** text_small_hist() - a character for each class of latencies */
void text_small_hist(const struct text *t, const struct report_hist *h);

/** text_large_hists() - of all threads that are shown; a legend for the small ones */
void text_large_hists(const struct text *t);

/** text_held_off() - the waits that no other thread is to blame for */
void text_held_off(const struct text *t);

#endif /* FXT_REPORT_TEXT_STYLE_H */
