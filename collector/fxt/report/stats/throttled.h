/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throttled.h - the time in which a cgroup was throttled, on any CPU.
 *
 * In: slices of one cgroup on all CPUs, in the order of their ends.
 * Out: how often, and how long, at least one CPU kept the cgroup's threads from running.
 * Must hold: memory does not grow with slices. Slices overlap only the last few periods: a
 * slice that begins before these is truncated.
 */
#ifndef FXT_REPORT_STATS_THROTTLED_H
#define FXT_REPORT_STATS_THROTTLED_H

#include <stdint.h>

#define REPORT_PERIODS	16	/* that are remembered */

/** struct report_period - one time in which some CPU throttled it */
struct report_period {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
};

/**
 * struct report_throttled - of one cgroup
 * @ns: in which at least one CPU throttled it; without those in @recent, like @periods
 * @periods: times that this began
 * @until: ns, end of the last one that is no longer in @recent
 */
struct report_throttled {
	uint64_t ns;
	uint64_t periods;
	uint64_t until;
	unsigned int count;
	struct report_period recent[REPORT_PERIODS];
};

void report_throttled_add(struct report_throttled *t, uint64_t from, uint64_t to);

/** report_throttled_end() - count @recent, too */
void report_throttled_end(struct report_throttled *t);

#endif /* FXT_REPORT_STATS_THROTTLED_H */
