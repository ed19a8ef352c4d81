/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - sections of the report as text. Each prints nothing if the report has nothing of it.
 */
#ifndef FXT_REPORT_TEXT_SECTIONS_H
#define FXT_REPORT_TEXT_SECTIONS_H

#include "labels.h"
#include "report/tables/tables.h"

/** text_table() - a title, and each part with a heading and its rows; nothing without rows */
void text_table(const struct text *t, const struct table *table);

/** text_origin() - an interrupt, as "eth0 (irq 17)"; returns how many columns it took */
unsigned int text_origin(const struct text *t, const struct report_origin *s, unsigned int width);

/** text_findings() - what is wrong: a title and a sentence for each */
void text_findings(const struct text *t);

/** text_trigger() - what triggered the recording */
void text_trigger(const struct text *t);

/** text_worst() - the longest waits */
void text_worst(const struct text *t);

/** text_short_waits() - the same, a line each */
void text_short_waits(const struct text *t);

/** text_time() - where the time of the threads that are shown went */
void text_time(const struct text *t);

/** text_sleeps() - sleeps of the threads that are shown: by state, and the longest */
void text_sleeps(const struct text *t);

/** text_unknown_sleeps() - sleeps that text_sleeps() does not count */
void text_unknown_sleeps(const struct text *t);

/** text_slices() - the report of an archive without scheduling: @t->r->slices */
void text_slices(const struct text *t);

/** text_stacks() - where threads blocked, and what woke them; nothing without stacks */
void text_stacks(const struct text *t);

/** text_large_hists() - histograms of all threads shown; also the legend of the small ones */
void text_large_hists(const struct text *t);

/** text_held_off() - the waits that no other thread caused */
void text_held_off(const struct text *t);

#endif /* FXT_REPORT_TEXT_SECTIONS_H */
