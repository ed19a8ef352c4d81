/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminal.h - the terminal that a verb writes to, and the pager. */
#ifndef FXT_TERMINAL_H
#define FXT_TERMINAL_H

#include <stdbool.h>

#define TERMINAL_COLUMNS	80	/* minimum, and default if unknown */

/* The width of standard output: $COLUMNS, the terminal's width, or 80. */
unsigned int terminal_columns(void);

/* Does it support colours, and does the user want them (no-color.org)? */
bool terminal_has_colours(void);

/* terminal_page() will do nothing. */
void terminal_no_pager(void);

/*
 * Show all standard output and standard error in a pager from now on; the process waits for it when
 * it exits. The pager is $PAGER, or else less(1) if available; none if $PAGER is empty or "cat", or
 * if standard output is not a terminal. Without $LESS, less exits if everything fits the screen,
 * and passes colours through. Under sudo it runs as the invoking user, and with LESSSECURE=1. Get
 * columns and colours before.
 */
void terminal_page(void);

#endif /* FXT_TERMINAL_H */
