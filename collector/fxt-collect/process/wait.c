// SPDX-License-Identifier: GPL-2.0-or-later
/* wait.c - see wait.h. */
#include <errno.h>
#include <poll.h>

#include "wait.h"

int wait_ready(int fd, short events, int end)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = events },
		{ .fd = end, .events = POLLIN },
	};
	int n, patience = -1;

	for (;;) {
		n = poll(fds, patience < 0 ? 2 : 1, patience);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n)
			return -ECANCELED;
		if (n < 0)
			continue;
		if (fds[0].revents)
			return 0;
		patience = WAIT_PATIENCE_MS;
	}
}
