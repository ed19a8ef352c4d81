/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeps.h - how long threads slept, and who woke them, as text.
 */
#ifndef FXT_REPORT_TEXT_SLEEPS_H
#define FXT_REPORT_TEXT_SLEEPS_H

#include "style.h"

/** text_sleeps() - of the threads that are shown: by state, and the longest */
void text_sleeps(const struct text *t);

/** text_unknown_sleeps() - those that are counted nowhere else; nothing without any */
void text_unknown_sleeps(const struct text *t);

/** text_has_sleeps() - has a thread, or several together, slept at all? */
bool text_has_sleeps(struct report_sleeps *const *sleeps);

/** text_row_sleeps_heading() - above text_row_sleeps(); @id: what rows are */
void text_row_sleeps_heading(const struct text *t, const char *id);

/** text_row_sleeps() - a row: the sleeps of one thread, or of several together */
void text_row_sleeps(const struct text *t, const char *id, const char *name,
		     struct report_sleeps *const *sleeps);

#endif /* FXT_REPORT_TEXT_SLEEPS_H */
