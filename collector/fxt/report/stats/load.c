// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.c - measure how many CPUs and threads of a process are busy at once; see meter.h.
 *
 * Must hold: a CPU whose thread is unknown counts as busy, so that nothing is reported that
 * what is unknown may refute. Memory grows with processes.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

int engine_team(struct report_thread *t)
{
	struct sched_process *p = t->sched->owner;

	if (t->team || !p)
		return 0;
	if (!p->user)
		p->user = (uintptr_t)calloc(1, sizeof(*t->team));
	t->team = (struct report_team *)(uintptr_t)p->user;
	return t->team ? 0 : -ENOMEM;
}

int engine_load(struct report_engine *e, struct engine_cpu *cpu, struct report_thread *in,
		uint64_t time)
{
	enum engine_cpu_load was = cpu->load, is = in && in->is_idle ? CPU_IDLE : CPU_BUSY;
	struct report_team *team = NULL;

	if (unlikely(e->is_narrow && !engine_has_cpu(e, cpu->c.number)))
		return 0;
	if (in && is == CPU_BUSY && unlikely(!in->team) && engine_team(in))
		return -ENOMEM;
	if (in && is == CPU_BUSY)
		team = in->team;
	if (was != is) {
		meter_change(&e->busy, time, (is == CPU_BUSY) - (was == CPU_BUSY), e->from, e->to);
		meter_change(&e->free, time, (is == CPU_IDLE) - (was == CPU_IDLE), e->from, e->to);
		cpu->load = is;
	}
	cpu->alone_before = engine_alone(e, time);
	if (team == cpu->team)
		return 0;
	if (cpu->team)
		meter_change(&cpu->team->running, time, -1, e->from, e->to);
	if (team)
		meter_change(&team->running, time, 1, e->from, e->to);
	cpu->team = team;
	return 0;
}

void engine_load_offline(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	if (e->is_narrow && !engine_has_cpu(e, cpu->c.number))
		return;
	if (cpu->load == CPU_BUSY)
		meter_change(&e->busy, time, -1, e->from, e->to);
	cpu->load = CPU_UNSEEN;
}

void engine_load_free(struct report_engine *e)
{
	struct sched_process *const *processes;
	size_t count, i;

	if (!e->model)
		return;
	processes = sched_model_processes(e->model, &count);
	for (i = 0; i < count; i++)
		free((void *)(uintptr_t)processes[i]->user);
}
