/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fxt as a child process, as people run it. */
#ifndef SELFTESTS_TOOL_H
#define SELFTESTS_TOOL_H

#include <stddef.h>

#define ARGS(...)	((const char * const []){ __VA_ARGS__, NULL })

/* $FXT_TOOL, else the fxt that was built beside the tests */
const char *tool_path(void);

/* a program of collector/, or data of a test, relative to the test's folder */
const char *built_path(char *path, size_t room, const char *name);

struct tool {
	int status;	/* its exit status; 128 + n for signals */
	char *out;	/* its standard output, terminated, of @out_bytes */
	size_t out_bytes;
	char *err;	/* the same for standard error */
	size_t err_bytes;
	/* the most memory that it had, or that the test had when the program began */
	long peak_kib;
};

/* @args: NULL at the end. Return: its exit status, -1 if it cannot be run; tool_free() frees @t. */
int tool_run(struct tool *t, const char * const *args);

/* the same for another program */
int program_run(struct tool *t, const char *program, const char * const *args);

/* with a descriptor as its standard input */
int tool_run_from(struct tool *t, const char * const *args, int input);

void tool_free(struct tool *t);

/* Ends the test program if it cannot be written. */
void save_file(const char *path, const void *data, size_t bytes);

/* how often a text contains another */
unsigned int times_in_text(const char *text, const char *what);

#endif /* SELFTESTS_TOOL_H */
