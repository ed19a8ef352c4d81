/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edge_apply.h - applies the beginnings and ends that edge.h takes.
 */
#ifndef FXT_SCHED_EDGE_APPLY_H
#define FXT_SCHED_EDGE_APPLY_H

#include "data.h"

static inline bool sched_is_edge(const struct sched_event *e)
{
	return e->kind == SCHED_EVENT_BEGIN || e->kind == SCHED_EVENT_END;
}

/** sched_apply_edge() - apply a SCHED_EVENT_BEGIN or SCHED_EVENT_END */
void sched_apply_edge(struct sched_model *m, struct sched_stream *s,
		      const struct sched_event *e, bool is_late) __attribute__((cold));

#endif /* FXT_SCHED_EDGE_APPLY_H */
