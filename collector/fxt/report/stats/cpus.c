// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - what each CPU does, from its beginning to its end.
 *
 * In: marks and losses.
 * Out: run times, and the time in which CPUs were offline.
 * Must hold: busy, idle, offline and unknown time of each CPU are the selected time. What is
 * not known to be idle is never idle.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"

/* Its thread is unknown so far. */
static struct engine_cpu *add_cpu(struct report_engine *e, uint16_t number, uint64_t time)
{
	struct engine_cpu *cpu = calloc(1, sizeof(*cpu));

	e->cpus[number] = cpu;
	if (!cpu)
		return NULL;
	cpu->c.number = number;
	engine_load(e, cpu, NULL, time);	/* fails with a thread only */
	return cpu;
}

struct engine_cpu *engine_cpu(struct report_engine *e, uint16_t number, uint64_t time)
{
	unsigned int i;

	if (e->has_cpus) {
		e->blind = engine_alone(e, time);
		return add_cpu(e, number, time);
	}
	e->has_cpus = true;
	for (i = 0; i < REPORT_CPUS; i++)
		if (sched_model_has_cpu(e->model, i) && !add_cpu(e, i, time))
			return NULL;
	return e->cpus[number];
}

static void add_offline(struct report_engine *e, struct engine_cpu *cpu, uint64_t from,
			uint64_t to)
{
	if (e->is_narrow && !engine_narrow(e, cpu->c.number, &from, &to))
		return;
	cpu->c.offline += to > from ? to - from : 0;
}

void engine_cpu_online(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	add_offline(e, cpu, cpu->since, time);
	cpu->is_offline = false;
}

int engine_cpu_leave(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	if (cpu->current) {
		engine_run(e, cpu, cpu->current, cpu->since, time);
		cpu->idle = engine_idle_until(cpu, time);
	}
	if (engine_load(e, cpu, NULL, time))
		return -ENOMEM;
	cpu->current = NULL;
	engine_run_add(cpu, time, NULL);
	engine_levels_unknown(e, cpu->c.number, time);
	return 0;
}

/* A part may only say again which thread has it, or says first that another one left it. */
static void add_begin(struct engine_cpu *cpu, struct report_thread *t, uint64_t time)
{
	struct report_run *last = &cpu->runs[(cpu->run_count - 1) % SCHED_RUNS];

	if (cpu->current == t)
		return;
	if (cpu->run_count && !last->thread && last->from == time)
		last->thread = t;
	else
		engine_run_add(cpu, time, t);
}

static int begin(struct report_engine *e, struct engine_cpu *cpu, const struct sched_edge *edge)
{
	struct report_thread *t = engine_thread(e, edge->thread);

	if (!t || engine_load(e, cpu, t, edge->time))
		return -ENOMEM;
	if (cpu->is_offline)
		engine_cpu_online(e, cpu, edge->time);
	else if (edge->is_online && !cpu->is_seen)
		cpu->offline_until = edge->time;
	/* So it is before a part, of which not all switches are known. */
	if (cpu->current) {
		engine_run(e, cpu, cpu->current, cpu->since, edge->time);
		cpu->idle = engine_idle_until(cpu, edge->time);
	}
	add_begin(cpu, t, edge->time);
	cpu->is_seen = true;
	cpu->current = t;
	cpu->since = edge->time;
	if (t->is_idle)
		return 0;
	t->is_seen = true;
	t->wait = 0;
	t->sleep = 0;
	t->last_cpu = edge->cpu;
	return 0;
}

int engine_take_edge(void *arg, const struct sched_edge *edge)
{
	struct report_engine *e = arg;
	struct engine_cpu *cpu = e->cpus[edge->cpu];

	if (!cpu && !(cpu = engine_cpu(e, edge->cpu, edge->time)))
		return -ENOMEM;
	if (edge->is_begin)
		return begin(e, cpu, edge);
	/* Another thread was switched in, as in a switch. */
	if (cpu->current && cpu->current->sched != edge->thread) {
		cpu->runs[(cpu->run_count - 1) % SCHED_RUNS].thread = NULL;
		cpu->current = NULL;
	}
	if (engine_cpu_leave(e, cpu, edge->time))
		return -ENOMEM;
	if (!edge->is_online)
		return 0;
	engine_load_offline(e, cpu, edge->time);
	cpu->is_offline = true;
	cpu->since = edge->time;
	return 0;
}

int engine_take_gap(void *arg, const struct sched_gap *gap)
{
	struct report_engine *e = arg;
	struct engine_cpu *cpu = e->cpus[gap->cpu];

	if (!cpu && !(cpu = engine_cpu(e, gap->cpu, gap->from)))
		return -ENOMEM;
	e->gap_to = gap->to > e->gap_to ? gap->to : e->gap_to;
	cpu->c.lost += gap->records;
	cpu->c.gap += gap->to > gap->from ? gap->to - gap->from : 0;
	return engine_cpu_leave(e, cpu, gap->from);
}

/* A CPU that goes offline is not seen leaving its stopper thread (sched/online.c). */
static bool is_stopper(const struct engine_cpu *cpu)
{
	char name[24];

	snprintf(name, sizeof(name), "migration/%u", cpu->c.number);
	return !strcmp(cpu->current->sched->name, name);
}

/* All run times are known: no CPU runs anything any more. */
int engine_cpus_finish(struct report_engine *e, uint64_t last)
{
	uint64_t first = sched_model_totals(e->model)->first;
	struct engine_cpu *cpu;
	size_t i;

	for (i = 0; i < REPORT_CPUS; i++) {
		cpu = e->cpus[i];
		if (!cpu && sched_model_has_cpu(e->model, i) &&
		    !(cpu = engine_cpu(e, i, last)))
			return -ENOMEM;
		if (!cpu)
			continue;
		if (cpu->current && !is_stopper(cpu))
			engine_run(e, cpu, cpu->current, cpu->since, last);
		if (cpu->is_offline)
			engine_cpu_online(e, cpu, last);
		if (cpu->offline_until)
			add_offline(e, cpu, first, cpu->offline_until);
	}
	for (i = 0; i < REPORT_CPUS; i++)
		if (e->cpus[i] && engine_load(e, e->cpus[i], NULL, last))
			return -ENOMEM;
	return 0;
}
