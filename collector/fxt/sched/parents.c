// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parents.c - parents of processes.
 *
 * In: koids of parents, from kernel object records.
 * Out: the process that had the koid when its child was forked; of a process without a fork,
 * the first one that had it.
 */
#include "lives.h"
#include "parents.h"
#include "threads.h"

static struct sched_process *parent_of(struct sched_model *m, const struct sched_process *p)
{
	const struct sched_thread *leader = p->leader, *of;

	of = sched_life_find(m, p->parent_koid,
			     leader && leader->is_forked ? leader->begin : 0);
	if (of && of->owner && of->owner->koid == p->parent_koid)
		return of->owner;
	return sched_process_find(&m->threads, p->parent_koid);
}

void sched_parents_finish(struct sched_model *m)
{
	struct sched_process *p, *parent;
	size_t i;

	for (i = 0; i < m->threads.process_count; i++) {
		p = m->threads.processes[i];
		parent = p->parent_koid ? parent_of(m, p) : NULL;
		p->parent = parent == p ? NULL : parent;
	}
}
