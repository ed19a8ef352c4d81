/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tool.h - fxt as a child process, as people run it.
 * In:  arguments.
 * Out: the exit status and the output.
 */
#ifndef SELFTESTS_TOOL_H
#define SELFTESTS_TOOL_H

#include <stddef.h>

/* The arguments of a program, as a list. */
#define ARGS(...)	((const char * const []){ __VA_ARGS__, NULL })

/** tool_path() - $FXT_TOOL, else the fxt that was built beside the tests */
const char *tool_path(void);

/** built_path() - a program of collector/, or data of a test, relative to the test's folder */
const char *built_path(char *path, size_t room, const char *name);

/** struct tool - an ended fxt */
struct tool {
	int status;	/* its exit status; 128 + n for signals */
	char *out;	/* its standard output, terminated, of @out_bytes */
	size_t out_bytes;
	char *err;	/* the same for standard error */
	size_t err_bytes;
	/* the most memory that it had, or that the test had when the program began */
	long peak_kib;
};

/**
 * tool_run() - run fxt to its end
 * @t: filled in; tool_free() frees it
 * @args: its arguments, NULL at the end
 *
 * Return: its exit status, -1 if it cannot be run.
 */
int tool_run(struct tool *t, const char * const *args);

/** program_run() - the same for another program */
int program_run(struct tool *t, const char *program, const char * const *args);

/** tool_run_from() - the same, with a descriptor as its standard input */
int tool_run_from(struct tool *t, const char * const *args, int input);

void tool_free(struct tool *t);

/** save_file() - write a file for the tool to read; ends the test program if that fails */
void save_file(const char *path, const void *data, size_t bytes);

/** times_in_text() - how often a text contains another */
unsigned int times_in_text(const char *text, const char *what);

#endif /* SELFTESTS_TOOL_H */
