/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - sections of the report as text that are no tables. Each prints nothing if the
 * report has nothing of it.
 */
#ifndef FXT_REPORT_TEXT_SECTIONS_H
#define FXT_REPORT_TEXT_SECTIONS_H

#include "style.h"

/** text_findings() - what is wrong: a title and a sentence for each */
void text_findings(const struct text *t);

/** text_trigger() - what triggered the recording */
void text_trigger(const struct text *t);

/** text_worst() - the longest waits */
void text_worst(const struct text *t);

/** text_sleeps() - of the threads that are shown: by state, and the longest */
void text_sleeps(const struct text *t);

/** text_unknown_sleeps() - those that are in no number of text_sleeps() */
void text_unknown_sleeps(const struct text *t);

/** text_slices() - what an archive without scheduling has: @t->r->slices */
void text_slices(const struct text *t);

#endif /* FXT_REPORT_TEXT_SECTIONS_H */
