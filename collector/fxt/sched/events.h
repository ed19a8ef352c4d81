/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - interrupts, idle states, migrations, frequencies and work items.
 */
#ifndef FXT_SCHED_EVENTS_H
#define FXT_SCHED_EVENTS_H

#include "data.h"

/** sched_event_queue() - an event of the kernel waits for its turn in its stream */
int sched_event_queue(struct sched_model *m, struct sched_stream *s, uint64_t offset,
		      uint64_t begin, uint64_t end, const struct kernel_event *e,
		      const struct fxt_text *name);

/** sched_apply_event() - its turn has come */
void sched_apply_event(struct sched_model *m, struct sched_stream *s,
		       const struct sched_event *e, bool is_late) __attribute__((cold));

#endif /* FXT_SCHED_EVENTS_H */
