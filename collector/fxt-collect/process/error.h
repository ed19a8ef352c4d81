/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - one line that says what was tried, on what, why it failed and what
 * to do next, carried up to the one place that prints it.
 */
#ifndef FXT_COLLECT_PROCESS_ERROR_H
#define FXT_COLLECT_PROCESS_ERROR_H

/* Exit codes of fxt-collect, as --help and fxt-collect(1) list them. */
enum exit_code {
	EXIT_DONE		= 0,
	EXIT_FAILED		= 1,	/* while recording or writing */
	EXIT_USAGE		= 2,	/* an option or its value */
	EXIT_NO_SOURCE		= 3,	/* nothing to record with */
	EXIT_PERMISSION		= 4,	/* not allowed to record */
	EXIT_BUSY		= 5,	/* another session holds the module */
	EXIT_INCOMPLETE		= 6,	/* no room or no reader for the rest of the archive */
	EXIT_NOT_EXECUTABLE	= 126,	/* COMMAND found, but not run */
	EXIT_NOT_FOUND		= 127,	/* COMMAND not found */
};

/**
 * struct error - what went wrong
 * @code: the exit code that it leads to
 * @text: one line without a line end
 */
struct error {
	enum exit_code code;
	char text[512];
};

/**
 * fail() - fill in an error
 * @e: the error
 * @code: the exit code that it leads to
 * @err: a negative errno, which is also returned; its text is not appended
 * @format: printf format of the line
 *
 * Return: @err, so that a caller can write "return fail(...)".
 */
int fail(struct error *e, enum exit_code code, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* FXT_COLLECT_PROCESS_ERROR_H */
