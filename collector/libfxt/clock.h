/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - times in ns, and the time of a clock. */
#ifndef LIBFXT_CLOCK_H
#define LIBFXT_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS	1000000ULL
#define NS_PER_SECOND	1000000000ULL

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

#endif /* LIBFXT_CLOCK_H */
