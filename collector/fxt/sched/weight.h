/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weight.h - the load weights of the fair class, and the kernel's priorities.
 */
#ifndef FXT_SCHED_WEIGHT_H
#define FXT_SCHED_WEIGHT_H

#include <stdint.h>

#define SCHED_NICE_0_PRIO	120
#define SCHED_FAIR_MIN_PRIO	100	/* nice -20 */
#define SCHED_MAX_PRIO		140

/* Nice -20 to 19; each is 1.25 of the next. */
extern const int32_t sched_nice_weights[SCHED_MAX_PRIO - SCHED_FAIR_MIN_PRIO];

/**
 * sched_weight_of_prio() - the weight that an archive has for a thread
 * @tid: 0: an idle task
 * @prio: the kernel's priority (task_struct.prio)
 */
int32_t sched_weight_of_prio(uint32_t tid, int32_t prio);

#endif /* FXT_SCHED_WEIGHT_H */
