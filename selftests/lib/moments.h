/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - the records of one thread in an archive with call stacks.
 * In:  an archive in arrays.
 * Out: the switches, wakeups and stacks of the thread, by time.
 */
#ifndef SELFTESTS_MOMENTS_H
#define SELFTESTS_MOMENTS_H

#include "trace.h"

enum moment_what { WAKER_STACK, WAKEUP, IN, IN_STACK, OUT };

/** struct moment - a record */
struct moment {
	uint64_t time;
	uint64_t offset;
	enum moment_what what;
	bool sleeps;	/* for OUT: the thread goes to sleep */
	uint32_t frames;	/* for stacks: number of frames */
};

struct moments {
	struct moment *all;
	size_t count;
};

/** moments_of() - collect the moments of a thread; the caller frees @all */
struct moments moments_of(const struct trace *t, uint64_t tid);

#endif /* SELFTESTS_MOMENTS_H */
