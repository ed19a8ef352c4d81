/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pairs.h - call stacks that belong to no switch and no wakeup.
 *
 * In: stacks that belong to no switch, wakeups. Out: notes.
 */
#ifndef FXT_SCHED_PAIRS_H
#define FXT_SCHED_PAIRS_H

#include "data.h"

/** sched_pair_stack() - the stack of what wakes @t, which the next wakeup of it has to follow */
void sched_pair_stack(struct sched_model *m, const struct sched_event *e,
		      struct sched_thread *t);

/** sched_pair_wakeup() - @t is woken; @t->has_stack */
void sched_pair_wakeup(struct sched_model *m, struct sched_thread *t);

/** sched_pairs_finish() - report the stacks that still wait, at the end of the archive */
void sched_pairs_finish(struct sched_model *m);

#endif /* FXT_SCHED_PAIRS_H */
