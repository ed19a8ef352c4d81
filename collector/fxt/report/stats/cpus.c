// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - what each CPU does, from its beginning to its end, and its frequency, queue and load.
 *
 * Must hold: busy, idle, offline and unknown time of each CPU are the selected time. A CPU whose
 * thread is unknown counts as busy, so that no finding relies on what is unknown. A level holds
 * until the next one; after a loss it is unknown. Memory grows with processes.
 */
#include <stdlib.h>

#include "internal.h"
#include "report_cpus.h"

/* --- busy CPUs --------------------------------------------------------------------------- */

void engine_team(struct report_engine *e, struct report_thread *t)
{
	struct sched_process *p = t->sched->owner;

	if (t->team || !p)
		return;
	if (!p->user)
		p->user = (uintptr_t)arena_new(&e->arena, struct report_team);
	t->team = (struct report_team *)(uintptr_t)p->user;
}

static void load_offline(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	if (e->is_narrow && !engine_has_cpu(e, cpu->c.number))
		return;
	if (e->placement)
		engine_placement_load(e, cpu->c.number, cpu->load, CPU_UNSEEN, time);
	if (cpu->load == CPU_BUSY)
		meter_change(e, &e->busy, time, -1);
	cpu->load = CPU_UNSEEN;
}

/* --- levels ------------------------------------------------------------------------------ */

static struct report_levels *levels_of(struct report_engine *e, uint16_t cpu)
{
	if (!e->levels[cpu]) {
		e->levels[cpu] = arena_new(&e->arena, struct report_levels);
		engine_cpu_seen(e, cpu);
	}
	return e->levels[cpu];
}

/* Count the current value up to @until. */
static void level_advance(struct report_engine *e, uint16_t cpu, struct report_level *l, uint64_t until)
{
	uint64_t from = l->since, to = until;

	if (!l->is_known || from >= to || (e->is_narrow && !engine_narrow(e, cpu, &from, &to)))
		return;
	l->least = !l->known || l->now < l->least ? l->now : l->least;
	l->most = l->now > l->most ? l->now : l->most;
	l->sum += (double)l->now * (to - from);
	l->above += l->now > 1 ? to - from : 0;
	l->known += to - from;
}

static void level_set(struct report_engine *e, uint16_t cpu, struct report_level *l, uint64_t time,
		      bool is_known, uint32_t value)
{
	level_advance(e, cpu, l, time);
	l->now = value;
	l->is_known = is_known;
	l->since = time > l->since ? time : l->since;
}

void engine_note_frequency(struct report_engine *e, const struct sched_frequency *f)
{
	level_set(e, f->cpu, &levels_of(e, f->cpu)->khz, f->time, f->khz, f->khz);
}

void engine_note_load(struct report_engine *e, const struct sched_moment *m)
{
	struct report_levels *levels = levels_of(e, m->cpu);

	if (m->what == KERNEL_PELT)
		level_set(e, m->cpu, &levels->util, m->time, true, m->args.pelt.util);
	else
		level_set(e, m->cpu, &levels->queue, m->time, true, m->args.run_queue.threads);
}

/* The count has grown at most by the time since the previous one, as far as that is selected. */
void engine_note_steal(struct report_engine *e, const struct sched_moment *m, bool counts)
{
	struct engine_cpu *cpu = engine_cpu(e, m->cpu, m->time);
	uint64_t grown = m->args.steal.grown;
	uint64_t since = cpu->steal_time > e->from ? cpu->steal_time : e->from;
	uint64_t most = m->time > since ? m->time - since : 0;

	grown = grown < most ? grown : most;
	cpu->steal_time = m->time;
	if (!counts)
		return;
	cpu->c.host += grown;
	if (cpu->usage.thread)
		engine_thread(e, cpu->usage.thread)->host += grown;
}

static void levels_unknown(struct report_engine *e, uint16_t cpu, uint64_t time)
{
	struct report_levels *levels = e->levels[cpu];

	if (!levels)
		return;
	level_set(e, cpu, &levels->queue, time, false, 0);
	level_set(e, cpu, &levels->util, time, false, 0);
}

void engine_levels_finish(struct report_engine *e, uint64_t last)
{
	struct report_levels *levels;
	size_t i;

	for (i = 0; i < e->cpu_end; i++) {
		levels = e->levels[i];
		if (!levels)
			continue;
		level_advance(e, i, &levels->khz, last);
		level_advance(e, i, &levels->queue, last);
		level_advance(e, i, &levels->util, last);
		if (e->cpus[i])
			e->cpus[i]->c.levels = *levels;
	}
}

/* --- beginnings and ends ----------------------------------------------------------------- */

/* The thread on a new CPU is unknown at first. */
static struct engine_cpu *add_cpu(struct report_engine *e, uint16_t number, uint64_t time)
{
	struct engine_cpu *cpu = arena_new(&e->arena, struct engine_cpu);

	e->cpus[number] = cpu;
	engine_cpu_seen(e, number);
	cpu->c.number = number;
	engine_load(e, cpu, NULL, time);
	return cpu;
}

struct engine_cpu *engine_cpu_new(struct report_engine *e, uint16_t number, uint64_t time)
{
	unsigned int i, end;

	if (e->has_cpus) {
		e->blind = engine_alone(e, time);
		return add_cpu(e, number, time);
	}
	e->has_cpus = true;
	engine_placement_open(e);
	end = sched_model_totals(e->model)->cpu_end;
	for (i = 0; i < end; i++)
		if (sched_model_has_cpu(e->model, i))
			add_cpu(e, i, time);
	return e->cpus[number];
}

/* From @time on, it is unknown what the CPU does. */
static void end_spell(struct report_engine *e, struct engine_cpu *cpu,
		      const struct sched_spell *spell, uint64_t time)
{
	engine_spell(e, cpu, spell);
	engine_load(e, cpu, NULL, time);
	levels_unknown(e, cpu->c.number, time);
}

void engine_add_offline(struct report_engine *e, struct engine_cpu *cpu,
			const struct sched_spell *spell)
{
	uint64_t from = spell->from, to = spell->to;

	if (e->is_narrow && !engine_narrow(e, cpu->c.number, &from, &to))
		return;
	cpu->c.offline += to - from;
}

void engine_cpu_leave(struct report_engine *e, struct engine_cpu *cpu, uint64_t time)
{
	struct sched_spell spell = sched_usage_leave(&cpu->usage, time);

	end_spell(e, cpu, &spell, time);
}

static void begin_cpu(struct report_engine *e, struct engine_cpu *cpu,
		      const struct sched_edge *edge)
{
	struct report_thread *t = engine_thread(e, edge->thread);
	struct sched_spell spell = sched_usage_edge(&cpu->usage, edge);

	engine_spell(e, cpu, &spell);
	engine_load(e, cpu, t, edge->time);
	if (t->is_idle)
		return;
	t->is_seen = true;
	if (unlikely(t->placed))
		engine_placement_end(e, t, edge->time, REPORT_NO_CPU);
	t->wait = 0;
	t->sleep = 0;
	t->last_cpu = edge->cpu;
}

void engine_note_edge(struct report_engine *e, const struct sched_edge *edge)
{
	struct engine_cpu *cpu = engine_cpu(e, edge->cpu, edge->time);
	struct sched_spell spell;

	if (edge->is_begin) {
		begin_cpu(e, cpu, edge);
		return;
	}
	spell = sched_usage_edge(&cpu->usage, edge);
	end_spell(e, cpu, &spell, edge->time);
	if (edge->is_online)
		load_offline(e, cpu, edge->time);
}

void engine_count_gap(struct report_engine *e, const struct sched_gap *gap)
{
	struct engine_cpu *cpu = engine_cpu(e, gap->cpu, gap->from);

	e->gap_to = later(gap->to, e->gap_to);
	cpu->c.lost += gap->records;
	cpu->c.gap += gap->to > gap->from ? gap->to - gap->from : 0;
	engine_cpu_leave(e, cpu, gap->from);
}

/* Complete the last run of each CPU; all run times are known then. */
void engine_cpus_finish(struct report_engine *e, uint64_t last)
{
	const struct sched_totals *t = sched_model_totals(e->model);
	struct sched_spell spell, coming;
	struct engine_cpu *cpu;
	size_t i;

	for (i = 0; i < t->cpu_end || i < e->cpu_end; i++) {
		if (!e->cpus[i] && !sched_model_has_cpu(e->model, i))
			continue;
		cpu = engine_cpu(e, i, last);
		/* A stream that has nothing lost its records since time 0. */
		if (cpu->c.gap > last - t->first)
			cpu->c.gap = last - t->first;
		spell = sched_usage_finish(&cpu->usage, i, t->first, last, &coming);
		engine_spell(e, cpu, &spell);
		engine_spell(e, cpu, &coming);
	}
	for (i = 0; i < e->cpu_end; i++)
		if (e->cpus[i])
			engine_load(e, e->cpus[i], NULL, last);
}
