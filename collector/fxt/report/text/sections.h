/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - sections of the report as text. Each prints nothing if the report has nothing of it.
 * Also a finding in words.
 */
#ifndef FXT_REPORT_TEXT_SECTIONS_H
#define FXT_REPORT_TEXT_SECTIONS_H

#include "labels.h"
#include "report/tables/tables.h"

/** text_findings() - what is wrong: a title and a sentence for each */
void text_findings(const struct text *t);

/** text_trigger() - what triggered the recording */
void text_trigger(const struct text *t);

/** text_worst() - the longest waits */
void text_worst(const struct text *t);

/** text_short_waits() - the same, a line each */
void text_short_waits(const struct text *t);

/** text_time() - where the time of the threads that are shown went: @top names */
void text_time(const struct text *t, size_t top);

/** text_sleeps() - sleeps of the threads that are shown: by state, and the longest */
void text_sleeps(const struct text *t);

/** text_unknown_sleeps() - sleeps that text_sleeps() does not count */
void text_unknown_sleeps(const struct text *t);

/** text_slices() - the report of an archive without scheduling: slices */
void text_slices(const struct text *t);

/**
 * text_functions() - print functions, innermost first, in as many lines as they need
 * @column: where the first line begins
 * @indent: where the others begin
 */
void text_functions(const struct text *t, const struct fxt_call_stack *stack, unsigned int column,
		    int indent);

/** text_stacks() - where threads blocked, and what woke them; nothing without stacks */
void text_stacks(const struct text *t);

/** text_large_hists() - histograms of all threads shown; also the legend of the small ones */
void text_large_hists(const struct text *t);

/** text_held_off() - the waits that no other thread caused */
void text_held_off(const struct text *t);

/** struct report_sentence - without a full stop; names of the archive are not escaped in it */
struct report_sentence {
	char text[640];
	size_t used;
};

/** report_sentence() - what a finding says */
struct report_sentence report_sentence(const struct report *r, const struct report_finding *f);

#endif /* FXT_REPORT_TEXT_SECTIONS_H */
