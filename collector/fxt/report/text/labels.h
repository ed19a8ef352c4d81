/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.h - short forms for the text report: numbers, latencies by class, names of threads and
 * wakers; colours and headings.
 */
#ifndef FXT_REPORT_TEXT_LABELS_H
#define FXT_REPORT_TEXT_LABELS_H

#include "report/stats/hist.h"
#include "report/stats/report.h"
#include "write/labels.h"
#include "liboutput/out.h"

/**
 * struct report_style - how text looks
 * @colour: with the escape sequences of a terminal
 * @utf8: bars are drawn with block characters, else in ASCII
 * @columns: width of lines, 80 or more
 * @top: rows of each table; @is_limited: the user said so
 * @tables: bits by report_section(): print these; 0: a short report
 */
struct report_style {
	bool colour;
	bool utf8;
	unsigned int columns;
	size_t top;
	bool is_limited;
	uint64_t tables;
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

/** text_title() - begin a section: an empty line, a title, and how many rows of how many follow */
void text_title(const struct text *t, const char *what, size_t count);

/** report_cpus_label() - a wait's CPU, or as "1 -> 0" where it began and ended */
struct label report_cpus_label(uint16_t from, uint16_t to);

#define TEXT_COLUMNS	80	/* of a line at least */

/** text_width() - the columns of a name if @names of them share a line */
static inline unsigned int text_width(const struct text *t, unsigned int least,
				      unsigned int names)
{
	return least + (t->style->columns - TEXT_COLUMNS) / names;
}

/** text_name() - a name, truncated to @width columns; returns how many it took */
unsigned int text_name(const struct text *t, const char *name, unsigned int width);

/** text_row_name() - likewise, but of a path of a cgroup that is too long keeps its end */
unsigned int text_row_name(const struct text *t, const char *name, unsigned int width);

/** text_thread() - name/id of a thread; only the name is truncated */
unsigned int text_thread(const struct text *t, const struct report_thread *thread,
			 unsigned int width);

/** text_irq_name() - the kind of interrupt that woke a thread, in words */
const char *text_irq_name(uint8_t irq);

/**
 * text_woken_by() - who woke a thread; nothing if that is not known
 * @line: what begins a line of it
 * @width: columns of the waker
 */
void text_woken_by(const struct text *t, const struct report_wait *w, const char *line,
		   unsigned int width);

/** text_pad() - go on at column @width, after @taken columns */
void text_pad(const struct text *t, unsigned int taken, unsigned int width);

#endif /* FXT_REPORT_TEXT_LABELS_H */
