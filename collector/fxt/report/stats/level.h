/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * level.h - a value of a CPU over time: its frequency, the length of its run queue, its load.
 *
 * In: each change, in the order of time. Out: the value's average by time, its limits, and how
 * long it was above 1.
 */
#ifndef FXT_REPORT_STATS_LEVEL_H
#define FXT_REPORT_STATS_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#define REPORT_UTIL_MAX	1024.0	/* the kernel's SCHED_CAPACITY_SCALE */

/**
 * struct report_level - a value, in the selected time
 * @known: ns, in which it was known; 0: the rest says nothing
 * @sum: value times ns
 * @above: ns, in which it was greater than 1
 * @now: the value since @since (ns), if @is_known
 */
struct report_level {
	uint64_t known;
	double sum;
	uint64_t above;
	uint32_t least;
	uint32_t most;
	uint32_t now;
	bool is_known;
	uint64_t since;
};

/** report_level_average() - by time; 0 if it was never known */
static inline double report_level_average(const struct report_level *l)
{
	return l->known ? l->sum / l->known : 0;
}

#endif /* FXT_REPORT_STATS_LEVEL_H */
