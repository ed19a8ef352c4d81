/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state.h - applies events to CPUs and threads.
 */
#ifndef FXT_SCHED_STATE_H
#define FXT_SCHED_STATE_H

#include "data.h"

/** sched_apply() - apply an event whose turn has come */
void sched_apply(struct sched_model *m, struct sched_stream *s,
		 const struct sched_event *e);

#endif /* FXT_SCHED_STATE_H */
