// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cpus.c - what each CPU did, for struct info.
 *
 * In:  switches, edges, losses and ends of CPUs, as the scheduling model reports them.
 * Out: busy, idle and offline time. The rest of the recorded time is unknown.
 */
#include "info.h"
#include "sched/model.h"

/* Of a part, only what happens inside it counts. */
static void add_spell(struct info *info, uint16_t number, const struct sched_spell *spell)
{
	uint64_t begins = sched_model_totals(info->model)->begins;
	uint64_t from = spell->from < begins ? begins : spell->from;
	struct info_cpu *cpu = &info->cpus[number];

	from = from > cpu->counted ? from : cpu->counted;
	if (from >= spell->to)
		return;
	cpu->counted = spell->to;
	if (!spell->thread)
		cpu->offline += spell->to - from;
	else if (!spell->thread->koid)
		cpu->idle += spell->to - from;
	else
		cpu->busy += spell->to - from;
}

static int note_step(void *arg, const struct sched_step *step)
{
	struct info *info = arg;
	struct sched_spell spell = sched_usage_switch(&info->cpus[step->cpu].usage, step);

	add_spell(info, step->cpu, &spell);
	return 0;
}

static int note_run(void *arg, const struct sched_run *run)
{
	struct info *info = arg;
	struct info_cpu *cpu = &info->cpus[run->cpu];
	struct sched_spell spell = sched_usage_end(&cpu->usage, run->time, run->out);

	add_spell(info, run->cpu, &spell);
	if (run->time >= cpu->counted) {
		cpu->busy += run->busy;
		cpu->idle += run->until - run->time - run->busy;
		cpu->counted = run->until;
	}
	cpu->usage.thread = run->in;
	cpu->usage.since = run->until;
	cpu->usage.is_seen = true;
	return 0;
}

static int note_edge(void *arg, const struct sched_edge *edge)
{
	struct info *info = arg;
	struct sched_spell spell = sched_usage_edge(&info->cpus[edge->cpu].usage, edge);

	add_spell(info, edge->cpu, &spell);
	return 0;
}

static void leave(struct info *info, uint16_t cpu, uint64_t time)
{
	struct sched_spell spell = sched_usage_leave(&info->cpus[cpu].usage, time);

	add_spell(info, cpu, &spell);
}

static int note_gap(void *arg, const struct sched_gap *gap)
{
	leave(arg, gap->cpu, gap->from);
	return 0;
}

static int note_end(void *arg, const struct sched_end *end)
{
	leave(arg, end->cpu, end->time);
	return 0;
}

const struct sched_ops info_cpus_ops = {
	.step = note_step,
	.run = note_run,
	.edge = note_edge,
	.gap = note_gap,
	.end = note_end,
};

void info_cpus_finish(struct info *info)
{
	const struct sched_totals *t = sched_model_totals(info->model);
	struct sched_spell last, coming;
	unsigned int i;

	info->cpu_end = t->cpu_end;
	for (i = 0; i < t->cpu_end; i++) {
		if (!sched_model_has_cpu(info->model, i))
			continue;
		last = sched_usage_finish(&info->cpus[i].usage, i, t->first, t->last, &coming);
		add_spell(info, i, &last);
		add_spell(info, i, &coming);
		info->cpus[i].is_there = true;
	}
	info->window = t->last > t->first ? t->last - t->first : 0;
	if (t->begins > t->first)
		info->window = t->last > t->begins ? t->last - t->begins : 0;
}
