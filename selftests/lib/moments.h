/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - what an archive with call stacks says of one thread.
 *
 * In: an archive in arrays. Out: the switches, wakeups and stacks of the thread, by time.
 */
#ifndef SELFTESTS_MOMENTS_H
#define SELFTESTS_MOMENTS_H

#include "trace.h"

enum moment_what { WAKER_STACK, WAKEUP, IN, IN_STACK, OUT };

/**
 * struct moment - a record
 * @sleeps: of OUT: it goes to sleep
 * @frames: of stacks, how many
 */
struct moment {
	uint64_t time;
	uint64_t offset;
	enum moment_what what;
	bool sleeps;
	uint32_t frames;
};

struct moments {
	struct moment *all;
	size_t count;
};

/** moments_of() - those of a thread, of which the caller frees @all */
struct moments moments_of(const struct trace *t, uint64_t tid);

#endif /* SELFTESTS_MOMENTS_H */
