/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * misfit.h - events that do not fit what is known of a thread.
 */
#ifndef FXT_SCHED_MISFIT_H
#define FXT_SCHED_MISFIT_H

#include "data.h"

/**
 * sched_misfit() - an event does not fit what is known of a thread
 * @m: the model
 * @kind: which rule
 * @e: the event
 * @t: the thread, in the state that it does not fit
 * @before: SCHED_CHAIN: the thread that had come in, NULL if that is not known
 */
void sched_misfit(struct sched_model *m, enum sched_finding_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before) __attribute__((cold));

/**
 * sched_reused() - had a thread's id been given away before it left a CPU?
 * @m: the model
 * @t: the thread, which went off the CPU dead
 * @cpu: that CPU
 *
 * The kernel gives an id away when the parent has been told of the end, and not when
 * the thread has left its CPU for the last time. Until then, who has got the id does
 * what no thread can do that runs. Such misfits become a note by this.
 */
bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
	__attribute__((cold));

/** sched_is_early() - was a thread last seen, at @last, before all CPUs were covered? */
bool sched_is_early(const struct sched_model *m, uint64_t last);

#endif /* FXT_SCHED_MISFIT_H */
