/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labels.h - short forms for the text report. */
#ifndef FXT_REPORT_TEXT_LABELS_H
#define FXT_REPORT_TEXT_LABELS_H

#include "report/stats/report.h"
#include "table/text.h"

static inline const struct report *text_report(const struct text *t)
{
	return t->all;
}

/* A wait's CPU, or as "1 -> 0" where it began and ended. */
struct label report_cpus_label(uint16_t from, uint16_t to);

/*
 * Who woke a thread, in @width columns, after @line, which begins a line; nothing if that is not
 * known.
 */
void text_woken_by(const struct text *t, const struct report_wait *w, const char *line,
		   unsigned int width);

#endif /* FXT_REPORT_TEXT_LABELS_H */
