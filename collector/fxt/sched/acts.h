/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acts.h - what threads do: system calls, forks, exits; and events that are no slices.
 */
#ifndef FXT_SCHED_ACTS_H
#define FXT_SCHED_ACTS_H

#include "data.h"

/** sched_check_syscall() - may the thread have been in this call? Reports it if not */
void sched_check_syscall(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, struct sched_thread *t);

/** sched_apply_moment() - an event that is no slice, migration or frequency */
void sched_apply_moment(struct sched_model *m, const struct sched_stream *s,
			const struct sched_event *e, bool is_late);

#endif /* FXT_SCHED_ACTS_H */
