// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * priority.c - see priority.h.
 *
 * A real-time policy would delay all other threads while the collector compresses or writes; a nice
 * value shares the CPU.
 */
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "priority.h"

#define NICE_BEST	(-20)
#define NICE_LIMIT_0	20	/* RLIMIT_NICE counts down from here */

static bool is_raised;
static int own;

static int permitted(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NICE, &limit) || limit.rlim_cur > NICE_LIMIT_0 - NICE_BEST)
		return NICE_BEST;
	return NICE_LIMIT_0 - (int)limit.rlim_cur;
}

void priority_raise(void)
{
	own = getpriority(PRIO_PROCESS, 0);
	if (own > 0 || sched_getscheduler(0) != SCHED_OTHER)
		return;
	is_raised = !setpriority(PRIO_PROCESS, 0, NICE_BEST) ||
		    (permitted() < own && !setpriority(PRIO_PROCESS, 0, permitted()));
}

void priority_restore(void)
{
	if (is_raised)
		setpriority(PRIO_PROCESS, 0, own);
}
