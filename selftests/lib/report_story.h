/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_story.h - a recording for which every number in the report is known.
 *
 * Out: the story of two CPUs below, with the names before or after it. Times are ns; 11,
 *      12 and 13 are threads of process 11, 21 is process 21. "in" means that the thread is
 *      switched in.
 *
 *  cpu 0   1000 11 in; the start of its wait is unknown
 *          2000 11 wakes 12
 *          5000 12 in, 3000 after its wakeup, while 11 ran; 11 is preempted
 *          6000 11 in, 1000 after that, while 12 ran; 12 sleeps
 *          9000 11 wakes 21 onto cpu 1
 *          9500 11 sleeps, the CPU is idle
 *         20000 the idle thread wakes 12 onto cpu 1
 *         30000 13 in, without a wakeup; it keeps running
 *  cpu 1   9800 21 in, 800 after its wakeup, while an unknown thread ran
 *         21000 12 in, 1000 after its wakeup, on another CPU than last time,
 *               while 21 ran; 21 is preempted
 *         25000 21 in, 4000 after that, while 12 ran; 12 sleeps
 *         31000 21 sleeps, the CPU is idle
 */
#ifndef SELFTESTS_REPORT_STORY_H
#define SELFTESTS_REPORT_STORY_H

#include "sched_story.h"

static inline void story_names_of_report(struct story *s)
{
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	story_name(s, 13, 11, "thirteen");
	story_name(s, 21, 21, "other");
}

/* @unit: ticks for each ns above. */
static inline void story_events_of_report(struct story *s, uint64_t unit)
{
	story_chunk(s, 0, 1000 * unit);
	story_switch(s, 1000 * unit, 0, 11, FXT_THREAD_NEW);
	story_wake(s, 2000 * unit, 0, 12, 11);
	story_switch(s, 5000 * unit, 11, 12, FXT_THREAD_NEW);
	story_switch(s, 6000 * unit, 12, 11, FXT_THREAD_BLOCKED);
	story_wake(s, 9000 * unit, 1, 21, 11);
	story_switch(s, 9500 * unit, 11, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 20000 * unit, 1, 12, fxt_sched_waker(21, FXT_SCHED_IRQ_HARD));
	story_switch(s, 30000 * unit, 0, 13, FXT_THREAD_NEW);
	story_chunk(s, 1, 9800 * unit);
	story_switch(s, 9800 * unit, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 21000 * unit, 21, 12, FXT_THREAD_NEW);
	story_switch(s, 25000 * unit, 12, 21, FXT_THREAD_BLOCKED);
	story_switch(s, 31000 * unit, 21, 0, FXT_THREAD_BLOCKED);
}

/* @names_last: write the names at the end. */
static inline void story_of_report(struct story *s, uint64_t unit, bool names_last)
{
	if (!names_last)
		story_names_of_report(s);
	story_events_of_report(s, unit);
	if (names_last)
		story_names_of_report(s);
	story_end(s, 31000 * unit);
}

#endif /* SELFTESTS_REPORT_STORY_H */
