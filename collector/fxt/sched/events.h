/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - interrupts, idle states, migrations, frequencies and work items.
 */
#ifndef FXT_SCHED_EVENTS_H
#define FXT_SCHED_EVENTS_H

#include "data.h"

/** sched_apply_event() - an event of the kernel, whose turn has come */
void sched_apply_event(struct sched_model *m, struct sched_stream *s,
		       const struct sched_event *e, bool is_late) __attribute__((cold));

#endif /* FXT_SCHED_EVENTS_H */
