/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span.h - spans: the time that a thread spent in one state. Only if ops->span is set.
 */
#ifndef FXT_SCHED_SPAN_H
#define FXT_SCHED_SPAN_H

#include "data.h"

/** sched_span_end() - a thread's last state ends now */
void sched_span_end(struct sched_model *m, struct sched_thread *t);

/**
 * sched_span_next() - a thread's state ends now, another begins
 * @end: of a running thread, the state it left its CPU for
 */
void sched_span_next(struct sched_model *m, struct sched_thread *t, char end,
		     char state, uint16_t cpu);

/** sched_span_idle() - the same for the idle thread that ran on a CPU until now */
void sched_span_idle(struct sched_model *m, const struct sched_cpu *cpu, char end);

void sched_spans_finish(struct sched_model *m);

#endif /* FXT_SCHED_SPAN_H */
