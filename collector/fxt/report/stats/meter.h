/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter.h - how many CPUs and threads of a process were busy at once.
 *
 * In: each change of a CPU, in the order of time.
 * Out: the time in which one CPU was busy alone, in which some CPU was idle, and in which one
 * thread or several threads of each process ran.
 */
#ifndef FXT_REPORT_STATS_METER_H
#define FXT_REPORT_STATS_METER_H

#include <stdint.h>

/**
 * struct report_meter - how long one of several was busy, or more at once
 * @busy: how many are, since @at (ns)
 * @one: ns, in which exactly one was
 * @more: ns, in which more were
 * @first: ns, when the first became busy; 0: none was
 * @last: ns, of the last change
 */
struct report_meter {
	unsigned int busy;
	uint64_t at;
	uint64_t one;
	uint64_t more;
	uint64_t first;
	uint64_t last;
};

/**
 * struct report_team - the threads of one process, as they run
 * @running: of its threads
 * @inner: wakeups of its threads by its threads
 */
struct report_team {
	struct report_meter running;
	uint64_t inner;
};

/** meter_go_on() - up to @time nothing has changed; only the time from @from to @to counts */
static inline void meter_go_on(struct report_meter *m, uint64_t time, uint64_t from, uint64_t to)
{
	uint64_t begin = m->at > from ? m->at : from, end = time < to ? time : to;

	if (time <= m->at)
		return;
	m->at = time;
	if (begin >= end)
		return;
	m->one += m->busy == 1 ? end - begin : 0;
	m->more += m->busy > 1 ? end - begin : 0;
}

/** meter_change() - @by more are busy from @time on */
static inline void meter_change(struct report_meter *m, uint64_t time, int by, uint64_t from,
				uint64_t to)
{
	meter_go_on(m, time, from, to);
	m->busy += by;
	m->first = m->first ? m->first : time;
	m->last = time;
}

#endif /* FXT_REPORT_STATS_METER_H */
