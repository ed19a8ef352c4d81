/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - the terminal that a verb writes to, and the pager in between.
 *
 * In: what the environment says.
 * Out: width and colours; standard output and standard error go to the pager from
 * terminal_page() on, whatever writes them, and the process waits for it at its end.
 */
#ifndef FXT_TERMINAL_H
#define FXT_TERMINAL_H

#include <stdbool.h>

#define TERMINAL_COLUMNS	80	/* if unknown, and at least */

/** terminal_columns() - of standard output: $COLUMNS, the width of the terminal, or 80 */
unsigned int terminal_columns(void);

/** terminal_has_colours() - is it one that knows colours, and wants them (no-color.org)? */
bool terminal_has_colours(void);

/** terminal_no_pager() - terminal_page() is to do nothing */
void terminal_no_pager(void);

/**
 * terminal_page() - let a pager show what is written from now on
 *
 * It is $PAGER, else less(1) where there is one; none if $PAGER is empty or "cat", or
 * if standard output is no terminal. Without $LESS, less ends itself if all fits the
 * screen, and lets colours through. Ask for columns and colours before.
 */
void terminal_page(void);

#endif /* FXT_TERMINAL_H */
