/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * name.h - names of threads, and of what woke them, in columns of text.
 */
#ifndef FXT_REPORT_TEXT_NAME_H
#define FXT_REPORT_TEXT_NAME_H

#include "style.h"

#define TEXT_COLUMNS	80	/* of a line at least */

/** text_width() - the columns of a name if @names of them share a line */
static inline unsigned int text_width(const struct text *t, unsigned int least,
				      unsigned int names)
{
	return least + (t->style->columns - TEXT_COLUMNS) / names;
}

/** text_name() - a name, truncated to @width columns; returns how many it took */
unsigned int text_name(const struct text *t, const char *name, unsigned int width);

/** text_row_name() - likewise, but of the path of a cgroup that is too long, the last part */
unsigned int text_row_name(const struct text *t, const char *name, unsigned int width);

/** text_thread() - name/id of a thread; only the name is truncated */
unsigned int text_thread(const struct text *t, const struct report_thread *thread,
			 unsigned int width);

/** text_irq_name() - an interrupt that woke a thread, in words */
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

#endif /* FXT_REPORT_TEXT_NAME_H */
