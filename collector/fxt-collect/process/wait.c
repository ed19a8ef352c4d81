// SPDX-License-Identifier: GPL-2.0-or-later
/* wait.c - see wait.h. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>

#include "wait.h"

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
