// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * online.c - CPUs that go offline and come online.
 *
 * Tracepoints fire only on CPUs that are marked online. A CPU that goes offline runs on
 * for a while after it is unmarked, and one that comes online runs before it is marked.
 * No tracer sees what it does then.
 *
 * In: events that do not fit.
 * Out: whether such a CPU explains them.
 */
#include <stdio.h>
#include <string.h>

#include "findings.h"
#include "online.h"

#define CHANGING_NS	1000000000ULL	/* more than a CPU takes to go or to come */

bool sched_is_stopper(const struct sched_thread *t, uint16_t cpu)
{
	unsigned int number;
	int length = 0;

	if (sscanf(t->name, "migration/%u%n", &number, &length) != 1)
		return false;
	/* In a merged archive, CPUs have other numbers, and names end in that of the machine. */
	return t->name[length] ? !strncmp(t->name + length, " [", 2) : number == cpu;
}

/*
 * When a CPU that goes offline no longer counts as online, it switches from its last thread,
 * the stopper, to the idle thread.
 */
bool sched_is_offline(const struct sched_misfit *f)
{
	return f->before && !f->thread->koid && sched_is_stopper(f->before, f->cpu);
}

/* The stopper is woken again when the CPU comes back, before the CPU has switched once. */
bool sched_is_back_online(const struct sched_misfit *f)
{
	return f->kind == SCHED_WOKEN_RUNNING && sched_is_stopper(f->thread, f->state_cpu);
}

/*
 * Before the CPU is gone it can still wake threads, which is not recorded either: any thread
 * that was asleep by then. The CPU's last record switches its stopper in.
 */
void sched_find_leaving(const struct sched_model *m, struct sched_misfit *f)
{
	const struct sched_cpu *cpu = m->cpu_list;
	unsigned int n;

	for (n = 0; cpu && n < SCHED_LOOK_CPUS; n++, cpu = cpu->next) {
		if (cpu->gone && f->last_event <= cpu->gone + CHANGING_NS)
			f->going = true;
		else if (cpu->current && sched_is_stopper(cpu->current, cpu->number) &&
			 f->last_event <= cpu->since + CHANGING_NS)
			f->leaving = cpu->offset;
	}
}

/* Was the switch at this byte the last one of a CPU before it went offline? */
static bool has_left(const struct sched_model *m, uint64_t offset)
{
	const struct sched_cpu *cpu;
	size_t i;

	if (!offset)
		return false;
	for (i = 0; i < m->misfit_count[SCHED_CHAIN]; i++)
		if (m->misfits[SCHED_CHAIN][i].last_offset == offset &&
		    sched_is_offline(&m->misfits[SCHED_CHAIN][i]))
			return true;
	for (cpu = m->cpu_list; cpu; cpu = cpu->next)
		if (cpu->current && cpu->offset == offset)
			return true;
	return false;
}

bool sched_woken_by_leaving(const struct sched_model *m, const struct sched_misfit *f)
{
	return f->going || has_left(m, f->leaving);
}

/*
 * A CPU that comes online makes all others wait while it sets up its memory types to match
 * theirs: it wakes their stoppers. Only then it counts as online, and its first record
 * switches its idle thread out. On machines with many CPUs these misfits are many, so they are
 * not kept.
 */
void sched_find_coming(struct sched_model *m, const struct sched_event *e)
{
	struct sched_misfit *list = m->misfits[SCHED_NOT_WOKEN];
	size_t count = m->misfit_count[SCHED_NOT_WOKEN], first = count, i;

	/* Where threads are filtered out, a chain breaks wherever they ran. */
	if (e->a || m->filter.threads)
		return;
	while (first && list[first - 1].time + CHANGING_NS >= e->time)
		first--;
	m->misfit_count[SCHED_NOT_WOKEN] = first;
	for (i = first; i < count; i++)
		if (sched_is_stopper(list[i].thread, list[i].cpu))
			sched_add(&m->coming, 1, list[i].offset, list[i].time);
		else
			list[m->misfit_count[SCHED_NOT_WOKEN]++] = list[i];
}
