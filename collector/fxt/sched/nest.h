/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest.h - interrupts and idle states of a CPU, one inside the other.
 */
#ifndef FXT_SCHED_NEST_H
#define FXT_SCHED_NEST_H

#include "data.h"

/** sched_nest_take() - an interrupt or idle state ends; reports its pieces, sets its own time */
void sched_nest_take(struct sched_model *m, struct sched_stream *s, const struct sched_event *e,
		     struct sched_slice *slice);

/** sched_nest_left() - the CPU's current thread is switched out; its run began at @since */
void sched_nest_left(struct sched_stream *s, const struct sched_thread *t, uint64_t since,
		     uint64_t until) __attribute__((cold));

#endif /* FXT_SCHED_NEST_H */
