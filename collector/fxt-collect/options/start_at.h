/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start_at.h - when a recording starts, by the wall clock: --start-at.
 *
 * In: "/10s": at the next multiple of ten seconds since 1970, which is the same moment on
 * all machines with a synchronized clock; "@1767225600": at that second since 1970.
 * Out: ns of CLOCK_REALTIME.
 */
#ifndef FXT_COLLECT_OPTIONS_START_AT_H
#define FXT_COLLECT_OPTIONS_START_AT_H

#include <stdint.h>

#include "process/error.h"

/**
 * struct start_at - the time
 * @every: ns; of "/TIME", else 0
 * @at: ns since 1970 at which to start; 0: at once
 */
struct start_at {
	uint64_t every;
	uint64_t at;
};

/**
 * start_at_parse() - read the value of the option
 * @s: filled in
 * @value: as above
 * @now: ns since 1970
 * @e: filled in on error
 *
 * Return: 0; -EINVAL if it is invalid, or in the past.
 */
int start_at_parse(struct start_at *s, const char *value, uint64_t now, struct error *e);

/**
 * start_at_missed() - the time has passed before everything was prepared
 * @s: with "/TIME", set to the next multiple after @now; else unchanged
 * @now: ns since 1970
 */
void start_at_missed(struct start_at *s, uint64_t now);

#endif /* FXT_COLLECT_OPTIONS_START_AT_H */
