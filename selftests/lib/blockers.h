/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that block in known functions of the kernel and of this program. */
#ifndef SELFTESTS_BLOCKERS_H
#define SELFTESTS_BLOCKERS_H

#include <stdint.h>

#define BLOCKERS	4
#define BLOCKER_ROUNDS	50	/* how often each of them blocks */

struct blocker {
	const char *name;	/* name of the thread */
	/* a part of the name of the function in which it blocked, the same on all kernels */
	const char *function;
	/* the function of the program in its stacks, if libc has no frame pointers */
	const char *caller;
	const char *direct;	/* the function that @caller calls, and which calls libc */
	int tid;	/* its id */
	uint64_t from;	/* CLOCK_BOOTTIME in ns, when it began to block; @to: when it ended */
	uint64_t to;
};

/* Let each thread block BLOCKER_ROUNDS times, for some ms. */
int blockers_run(struct blocker blockers[BLOCKERS]);

#endif /* SELFTESTS_BLOCKERS_H */
