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
#include <stdlib.h>

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

/* What a CPU does is unknown from @time on. */
static int end_spell(struct report_engine *e, struct engine_cpu *cpu,
		     const struct sched_spell *spell, uint64_t time)
{
	engine_spell(e, cpu, spell);
	if (engine_load(e, cpu, NULL, time))
		return -ENOMEM;
	engine_run_add(cpu, time, NULL);
	engine_levels_unknown(e, cpu->c.number, time);
	return 0;
}

void engine_add_offline(struct report_engine *e, struct engine_cpu *cpu,
			const struct sched_spell *spell)
{
	uint64_t from = spell->from, to = spell->to;

	if (e->is_narrow && !engine_narrow(e, cpu->c.number, &from, &to))
		return;
	cpu->c.offline += to - from;
}

int engine_cpu_leave(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	struct sched_spell spell = sched_usage_leave(&cpu->usage, time);

	return end_spell(e, cpu, &spell, time);
}

/* A part may only say again which thread has it, or says first that another one left it. */
static void add_begin(struct engine_cpu *cpu, struct report_thread *t, uint64_t time)
{
	struct report_run *last = &cpu->runs[(cpu->run_count - 1) % SCHED_RUNS];

	if (cpu->run_count && !last->thread && last->from == time)
		last->thread = t;
	else
		engine_run_add(cpu, time, t);
}

static int begin(struct report_engine *e, struct engine_cpu *cpu, const struct sched_edge *edge)
{
	struct report_thread *t = engine_thread(e, edge->thread);
	bool is_same = cpu->usage.thread == edge->thread;
	struct sched_spell spell;

	if (!t)
		return -ENOMEM;
	spell = sched_usage_edge(&cpu->usage, edge);
	engine_spell(e, cpu, &spell);
	if (engine_load(e, cpu, t, edge->time))
		return -ENOMEM;
	if (!is_same)
		add_begin(cpu, t, edge->time);
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
	struct sched_spell spell;

	if (!cpu && !(cpu = engine_cpu(e, edge->cpu, edge->time)))
		return -ENOMEM;
	if (edge->is_begin)
		return begin(e, cpu, edge);
	spell = sched_usage_edge(&cpu->usage, edge);
	if (end_spell(e, cpu, &spell, edge->time))
		return -ENOMEM;
	if (edge->is_online)
		engine_load_offline(e, cpu, edge->time);
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

/* All run times are known: no CPU runs anything any more. */
int engine_cpus_finish(struct report_engine *e, uint64_t last)
{
	uint64_t first = sched_model_totals(e->model)->first;
	struct sched_spell spell, coming;
	struct engine_cpu *cpu;
	size_t i;

	for (i = 0; i < REPORT_CPUS; i++) {
		cpu = e->cpus[i];
		if (!cpu && sched_model_has_cpu(e->model, i) &&
		    !(cpu = engine_cpu(e, i, last)))
			return -ENOMEM;
		if (!cpu)
			continue;
		spell = sched_usage_finish(&cpu->usage, i, first, last, &coming);
		engine_spell(e, cpu, &spell);
		engine_spell(e, cpu, &coming);
	}
	for (i = 0; i < REPORT_CPUS; i++)
		if (e->cpus[i] && engine_load(e, e->cpus[i], NULL, last))
			return -ENOMEM;
	return 0;
}
