/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - one line that says what was tried, on what, why it failed and what to do next; passed
 * up to the one place that prints it.
 */
#ifndef FXT_COLLECT_PROCESS_ERROR_H
#define FXT_COLLECT_PROCESS_ERROR_H

/* Exit codes of fxt-collect, as --help and fxt-collect(1) list them. */
enum exit_code {
	EXIT_DONE		= 0,
	EXIT_FAILED		= 1,	/* while recording or writing */
	EXIT_USAGE		= 2,	/* an option or its value */
	EXIT_NO_SOURCE		= 3,	/* no source to record with */
	EXIT_PERMISSION		= 4,	/* not permitted to record */
	EXIT_BUSY		= 5,	/* the module has reached its limit of sessions */
	EXIT_INCOMPLETE		= 6,	/* no space or no reader for the rest of the archive */
	EXIT_LOST		= 7,	/* --fail-on-loss, and data is missing */
	EXIT_NOT_EXECUTABLE	= 126,	/* COMMAND found, but not executable */
	EXIT_NOT_FOUND		= 127,	/* COMMAND not found */
};

struct error {
	enum exit_code code;
	char text[512];		/* one line without a newline */
};

/*
 * Fill in an error. Return: @err, a negative errno, so that a caller can write "return fail(...)";
 * its text is not appended
 */
int fail(struct error *e, enum exit_code code, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* --- waits ------------------------------------------------------------------------------ */

/* Maximum wait for the other side once the recording has to end, or has ended. */
#define WAIT_PATIENCE_MS	5000

/**
 * wait_ready() - wait until a descriptor can be read or written, without limit until the recording
 *	has to end, and from then on for WAIT_PATIENCE_MS
 * @events: POLLIN or POLLOUT
 * @end: becomes readable, and stays so, when the recording has to end; -1 for never
 *
 * Return: 0, -ECANCELED on timeout, or another negative errno.
 */
int wait_ready(int fd, short events, int end);

/*
 * The same, but at most @limit ms until the recording has to end, -1 for no limit. Return: also
 * -ETIMEDOUT
 */
int wait_ready_for(int fd, short events, int end, int limit);

#endif /* FXT_COLLECT_PROCESS_ERROR_H */
