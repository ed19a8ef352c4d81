/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blockers.h - threads that block in known functions of the kernel and of this program.
 */
#ifndef SELFTESTS_BLOCKERS_H
#define SELFTESTS_BLOCKERS_H

#include <stdint.h>

#define BLOCKERS	4
#define BLOCKER_ROUNDS	50	/* times that each blocks */

/**
 * struct blocker - a thread, after blockers_run()
 * @name: of the thread
 * @function: a part of the name of the function that it blocked in, on all kernels
 * @caller: the function of the program that its stacks have, if libc has no frame pointers
 * @direct: the function that @caller calls, which calls libc
 * @tid: its id
 * @from: CLOCK_BOOTTIME in ns, when it began with that; @to: when it ended
 */
struct blocker {
	const char *name;
	const char *function;
	const char *caller;
	const char *direct;
	int tid;
	uint64_t from;
	uint64_t to;
};

/** blockers_run() - have each block BLOCKER_ROUNDS times, some ms each; 0 or -1 */
int blockers_run(struct blocker blockers[BLOCKERS]);

#endif /* SELFTESTS_BLOCKERS_H */
