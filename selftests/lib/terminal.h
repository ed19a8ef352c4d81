/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal.h - a program on a terminal, as people see it.
 *
 * In:  arguments, settings of the environment.
 * Out: all that the terminal was sent, with its ends of line.
 */
#ifndef SELFTESTS_TERMINAL_H
#define SELFTESTS_TERMINAL_H

#include "tool.h"

/**
 * struct terminal - how a program is run on one
 * @program: NULL for fxt
 * @args: as of tool_run()
 * @settings: "KEY=VALUE", or "KEY" to take it away; NULL at the end, or NULL
 * @columns: of the terminal; 0: it does not know
 * @output: a file that standard output goes to instead, or NULL
 * @until: a text after which @signal is sent, or NULL
 * @signal: to the program
 */
struct terminal {
	const char *program;
	const char * const *args;
	const char * const *settings;
	unsigned short columns;
	const char *output;
	const char *until;
	int signal;
};

/**
 * terminal_run() - run it to its end, on a terminal that is called xterm
 * @t: filled in: @t->out is what the terminal got; tool_free() frees it
 *
 * Nobody's pager and colours of the environment count unless @how sets them.
 *
 * Return: its exit status, 128 + n for signals, -1 if it cannot be run.
 */
int terminal_run(struct tool *t, const struct terminal *how);

#endif /* SELFTESTS_TERMINAL_H */
