// SPDX-License-Identifier: GPL-2.0-or-later
/* grace.c - see grace.h. */
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "grace.h"

void grace_wait(void)
{
	const struct timespec wait = { .tv_nsec = 100000000 };

	if (syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		nanosleep(&wait, NULL);
}
