/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report_story.h - a recording for which every number in the report is known.
 * Out: the story of two CPUs below, with the names before or after it. Times are ns; 11, 12 and 13
 *      are threads of process 11, 21 is process 21. "in" means that the thread is switched in.
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
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; name 13/11 thirteen; name 21 other");
}

/* @unit: ticks for each ns above. */
static inline void story_events_of_report(struct story *s, uint64_t unit)
{
	STORY(s, "0@% 0>11; % wake 12 by 11; % 11>12; % 12>11 S; % wake 21 by 11 on 1; % 11>0 S; "
		 "% wake 12 by % on 1; % 0>13; 1@% 0>21; % 21>12; % 12>21 S; % 21>0 S", 1000 * unit,
		 2000 * unit, 5000 * unit, 6000 * unit, 9000 * unit, 9500 * unit, 20000 * unit,
		 fxt_sched_waker(21, FXT_SCHED_IRQ_HARD), 30000 * unit, 9800 * unit, 21000 * unit,
		 25000 * unit, 31000 * unit);
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
