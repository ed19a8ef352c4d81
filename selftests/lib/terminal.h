/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program on a terminal, as people see it. */
#ifndef SELFTESTS_TERMINAL_H
#define SELFTESTS_TERMINAL_H

#include "tool.h"

struct terminal {
	const char *program;	/* NULL for fxt */
	const char * const *args;	/* as for tool_run() */
	/* environment: "KEY=VALUE", or "KEY" to remove it; NULL at the end, or NULL */
	const char * const *settings;
	unsigned short columns;	/* width of the terminal; 0: unknown */
	const char *output;	/* a file for standard output, or NULL for the terminal */
	const char *until;	/* a text after which the program gets @signal, or NULL */
	int signal;	/* the signal */
};

/*
 * Run a program to its end, on a terminal of type xterm. @t->out is the text that the terminal
 * received, with line ends. The environment's own pager and colours are ignored unless @how sets
 * them. Return: its exit status, 128 + n for signals, -1 if it cannot be run.
 */
int terminal_run(struct tool *t, const struct terminal *how);

#endif /* SELFTESTS_TERMINAL_H */
