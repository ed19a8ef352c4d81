/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The switches, wakeups and stacks of one thread in an archive, by time. */
#ifndef SELFTESTS_MOMENTS_H
#define SELFTESTS_MOMENTS_H

#include "trace.h"

enum moment_what { WAKER_STACK, WAKEUP, IN, IN_STACK, OUT };

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

/* The caller frees @all. */
struct moments moments_of(const struct trace *t, uint64_t tid);

#endif /* SELFTESTS_MOMENTS_H */
