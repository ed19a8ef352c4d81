/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - sections of the report as text, which print nothing if the report has nothing of
 * them; and a finding in words.
 */
#ifndef FXT_REPORT_TEXT_SECTIONS_H
#define FXT_REPORT_TEXT_SECTIONS_H

#include "report/tables/tables.h"
#include "table/text.h"

static inline const struct report *text_report(const struct text *t)
{
	return t->all;
}

/* A wait's CPU, or as "1 -> 0" where it began and ended. */
struct label report_cpus_label(uint16_t from, uint16_t to);

/* Who woke a thread, in @width columns, after @line; nothing if that is not known. */
void text_woken_by(const struct text *t, const struct report_wait *w, const char *line,
		   unsigned int width);

void text_findings(const struct text *t);
void text_trigger(const struct text *t);
void text_worst(const struct text *t);

/* The longest waits, a line each. */
void text_short_waits(const struct text *t);

/* Where the time of the threads that are shown went: @top names. */
void text_time(const struct text *t, size_t top);

/* By state, and the longest. */
void text_sleeps(const struct text *t);

/* Sleeps that text_sleeps() does not count. */
void text_unknown_sleeps(const struct text *t);

/* The report of an archive without scheduling. */
void text_slices(const struct text *t);

/*
 * Functions, innermost first, in as many lines as they need. The first line begins at @column, the
 * others at @indent.
 */
void text_functions(const struct text *t, const struct fxt_call_stack *stack, unsigned int column,
		    int indent);

/* Where threads blocked, and what woke them. */
void text_stacks(const struct text *t);

/* Histograms of all threads shown; also the legend of the small ones. */
void text_large_hists(const struct text *t);

/* The waits that no other thread caused. */
void text_held_off(const struct text *t);

/* A finding without a full stop; names of the archive are not escaped. */
struct report_sentence {
	char text[640];
	size_t used;
	const struct report *r;	/* private to findings.c */
};

struct report_sentence report_sentence(const struct report *r, const struct report_finding *f);

#endif /* FXT_REPORT_TEXT_SECTIONS_H */
