/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - the terminal that a verb writes to, and the pager in between.
 *
 * In: the environment.
 * Out: width and colours. From terminal_page() on, standard output and standard error go to
 * the pager, whatever writes them, and the process waits for the pager at its end.
 */
#ifndef FXT_TERMINAL_H
#define FXT_TERMINAL_H

#include <stdbool.h>

#define TERMINAL_COLUMNS	80	/* if unknown, and at least */

/** terminal_columns() - the width of standard output: $COLUMNS, that of the terminal, or 80 */
unsigned int terminal_columns(void);

/** terminal_has_colours() - does it support colours, and does the user want them (no-color.org)? */
bool terminal_has_colours(void);

/** terminal_no_pager() - make terminal_page() do nothing */
void terminal_no_pager(void);

/**
 * terminal_page() - let a pager show the output from now on
 *
 * The pager is $PAGER, or else less(1) if available; none if $PAGER is empty or "cat", or
 * if standard output is not a terminal. Without $LESS, less exits if all fits the screen,
 * and passes colours through. Under sudo it runs as the invoking user, and with LESSSECURE=1.
 * Query columns and colours before.
 */
void terminal_page(void);

#endif /* FXT_TERMINAL_H */
