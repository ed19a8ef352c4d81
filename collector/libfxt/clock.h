/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - the time of a clock in ns. */
#ifndef LIBFXT_CLOCK_H
#define LIBFXT_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

#endif /* LIBFXT_CLOCK_H */
