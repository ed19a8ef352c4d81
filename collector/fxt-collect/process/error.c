// SPDX-License-Identifier: GPL-2.0-or-later
/* error.c - see error.h. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "error.h"

int fail(struct error *e, enum exit_code code, int err, const char *format, ...)
{
	va_list args;

	e->code = code;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return err;
}

/* --- waits ------------------------------------------------------------------------------ */

int wait_ready_for(int fd, short events, int end, int limit)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = events },
		{ .fd = end, .events = POLLIN },
	};
	bool ends = false;
	int n;

	for (;;) {
		n = poll(fds, ends ? 1 : 2, ends ? WAIT_PATIENCE_MS : limit);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n)
			return ends ? -ECANCELED : -ETIMEDOUT;
		if (n < 0)
			continue;
		if (fds[0].revents)
			return 0;
		ends = true;
	}
}

int wait_ready(int fd, short events, int end)
{
	return wait_ready_for(fd, events, end, -1);
}
