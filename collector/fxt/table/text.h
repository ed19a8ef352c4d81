/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - tables and names as text, of 80 columns or more.
 *
 * Numbers are aligned right, one blank apart; names left, two blanks apart. A heading longer than
 * its column moves the next heading, as far as there is room. Names share the columns of a terminal
 * beyond 80.
 */
#ifndef FXT_TABLE_TEXT_H
#define FXT_TABLE_TEXT_H

#include "liboutput/out.h"
#include "table.h"

#define TEXT_COLUMNS	80	/* minimum of a line */

/* An output, how it looks, and what is printed. */
struct text {
	struct out *o;
	const void *all;	/* the object of all rows */
	double window;		/* ns, of which column_of_window shows shares */
	bool is_part;		/* only some threads are shown */
	bool has_colours;
	bool has_utf8;		/* draw bars with block characters, else in ASCII */
	unsigned int columns;	/* width of lines, TEXT_COLUMNS or more */
	size_t top;		/* rows of each table */
};

/* A title, and each part with a heading and its rows; nothing without rows. */
void text_table(const struct text *t, const struct table *table);

enum shade { SHADE_NONE, SHADE_HEADING, SHADE_BAR, SHADE_BAD };

/* Set the look of the following text, with colours only. */
void text_shade(const struct text *t, enum shade shade);

void text_heading(const struct text *t, const char *text);

/* Begin a section: an empty line, a title, and how many rows of how many follow. */
void text_title(const struct text *t, const char *what, size_t count);

/* The columns of a name if @names of them share a line. */
static inline unsigned int text_width(const struct text *t, unsigned int least,
				      unsigned int names)
{
	return least + (t->columns - TEXT_COLUMNS) / names;
}

/* Print a name, truncated to @width columns. Returns how many it took. */

unsigned int text_name(const struct text *t, const char *name, unsigned int width);

/* Keeps the end of a cgroup's path that is too long. */
unsigned int text_row_name(const struct text *t, const char *name, unsigned int width);

/* name/id of a thread; only the name is truncated */
unsigned int text_thread(const struct text *t, const struct sched_thread *thread,
			 unsigned int width);

/* Continue at column @width, after @taken columns. */
void text_pad(const struct text *t, unsigned int taken, unsigned int width);

#endif /* FXT_TABLE_TEXT_H */
