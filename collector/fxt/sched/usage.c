// SPDX-License-Identifier: GPL-2.0-or-later
/* usage.c - see usage.h. */
#include "anomalies.h"
#include "usage.h"

struct sched_spell sched_usage_edge(struct sched_usage *u, const struct sched_edge *edge)
{
	struct sched_spell spell = { 0 };

	if (edge->is_begin) {
		if (edge->is_online && !u->is_seen && !u->is_offline)
			u->came = edge->time;
		/* Before a part, not all switches are known, so the CPU may have another thread. */
		spell = sched_usage_end(u, edge->time, u->thread);
		u->thread = edge->thread;
		u->since = edge->time;
		u->is_seen = true;
		return spell;
	}
	if (u->thread)
		spell = sched_usage_end(u, edge->time, edge->thread);
	if (edge->is_online) {
		u->is_offline = true;
		u->since = edge->time;
	}
	return spell;
}

struct sched_spell sched_usage_leave(struct sched_usage *u, uint64_t time)
{
	return u->thread ? sched_usage_end(u, time, u->thread) : (struct sched_spell){ 0 };
}

struct sched_spell sched_usage_finish(struct sched_usage *u, uint16_t cpu, uint64_t first,
				      uint64_t last, struct sched_spell *coming)
{
	*coming = (struct sched_spell){ NULL, first, u->came ? u->came : first, false };
	/* When a CPU goes offline, the switch from its stopper is not recorded (anomalies.c). */
	if (u->thread && sched_is_stopper(u->thread, cpu))
		u->thread = NULL;
	return sched_usage_end(u, last, u->thread);
}
