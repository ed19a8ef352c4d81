/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpus.h - what each CPU does, from its beginning to its end.
 */
#ifndef FXT_REPORT_STATS_CPUS_H
#define FXT_REPORT_STATS_CPUS_H

#include "internal.h"

/* @t, which may be the idle thread, had a CPU in this time. */
static inline void engine_run(struct report_engine *e, struct engine_cpu *cpu,
			      struct report_thread *t, uint64_t from, uint64_t to)
{
	if (unlikely(e->is_narrow && !engine_narrow(e, cpu->c.number, &from, &to)))
		return;
	if (unlikely(from >= to))
		return;
	t->n.run += to - from;
	if (t->is_idle) {
		cpu->c.idle += to - from;
		return;
	}
	cpu->c.busy += to - from;
	t->n.alone += engine_alone(e, to) - cpu->alone_before;
	if (unlikely(to - from > cpu->c.longest)) {
		cpu->c.longest = to - from;
		cpu->c.longest_thread = t;
		cpu->c.longest_from = from;
	}
}

/** engine_idle_until() - ns that a CPU was known to be idle until @time */
static inline uint64_t engine_idle_until(const struct engine_cpu *cpu, uint64_t time)
{
	if (!cpu)
		return 0;
	if (cpu->usage.thread && !cpu->usage.thread->koid && time > cpu->usage.since)
		return cpu->idle + (time - cpu->usage.since);
	return cpu->idle;
}

void engine_add_offline(struct report_engine *e, struct engine_cpu *cpu,
			const struct sched_spell *spell) __attribute__((cold));

/** engine_spell() - count what a CPU did; engine_load() has not counted what it does next */
static inline void engine_spell(struct report_engine *e, struct engine_cpu *cpu,
				const struct sched_spell *spell)
{
	if (unlikely(spell->is_refuted))
		cpu->runs[(cpu->run_count - 1) % SCHED_RUNS].thread = NULL;
	if (unlikely(spell->from >= spell->to))
		return;
	if (unlikely(!spell->thread)) {
		engine_add_offline(e, cpu, spell);
		return;
	}
	if (!spell->thread->koid)
		cpu->idle += spell->to - spell->from;
	/* It has data since it was switched in. */
	engine_run(e, cpu, (struct report_thread *)(uintptr_t)spell->thread->user, spell->from,
		   spell->to);
}

/** engine_run_add() - remember that @t has a CPU since @from, NULL: unknown */
static inline void engine_run_add(struct engine_cpu *cpu, uint64_t from,
				  struct report_thread *t)
{
	cpu->runs[cpu->run_count++ % SCHED_RUNS] = (struct report_run){ from, t };
}

/** engine_cpu() - add a CPU that does something at @time. Return: NULL without memory */
struct engine_cpu *engine_cpu(struct report_engine *e, uint16_t number, uint64_t time)
	__attribute__((cold));

/** engine_cpu_leave() - what a CPU does is unknown from @time on. Return: 0 or -ENOMEM */
int engine_cpu_leave(struct report_engine *e, struct engine_cpu *cpu, uint64_t time);

/* Callbacks of the model; @arg is the engine. */
int engine_take_edge(void *arg, const struct sched_edge *edge);
int engine_take_gap(void *arg, const struct sched_gap *gap);

/** engine_cpus_finish() - add CPUs that did nothing, and the last runs. Return: 0 or -ENOMEM */
int engine_cpus_finish(struct report_engine *e, uint64_t last);

#endif /* FXT_REPORT_STATS_CPUS_H */
