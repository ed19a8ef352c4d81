// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * levels.c - frequencies, run queues and loads of CPUs over time. See level.h.
 *
 * In: counters, as the model reports them.
 * Must hold: a value holds until the next one; after a loss it is unknown.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

static struct report_levels *levels_of(struct report_engine *e, uint16_t cpu)
{
	if (!e->levels[cpu])
		e->levels[cpu] = calloc(1, sizeof(*e->levels[cpu]));
	return e->levels[cpu];
}

/* The value stays what it is until @until. */
static void go_on(struct report_engine *e, uint16_t cpu, struct report_level *l, uint64_t until)
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

static void set(struct report_engine *e, uint16_t cpu, struct report_level *l, uint64_t time,
		bool is_known, uint32_t value)
{
	go_on(e, cpu, l, time);
	l->now = value;
	l->is_known = is_known;
	l->since = time > l->since ? time : l->since;
}

int engine_take_frequency(void *arg, const struct sched_frequency *f)
{
	struct report_engine *e = arg;
	struct report_levels *levels = levels_of(e, f->cpu);

	if (!levels)
		return -ENOMEM;
	set(e, f->cpu, &levels->khz, f->time, f->khz, f->khz);
	return 0;
}

int engine_take_load(struct report_engine *e, const struct sched_moment *m)
{
	struct report_levels *levels = levels_of(e, m->cpu);

	if (!levels)
		return -ENOMEM;
	if (m->what == KERNEL_PELT)
		set(e, m->cpu, &levels->util, m->time, true, m->args.pelt.util);
	else
		set(e, m->cpu, &levels->queue, m->time, true, m->args.run_queue.threads);
	return 0;
}

void engine_levels_unknown(struct report_engine *e, uint16_t cpu, uint64_t time)
{
	struct report_levels *levels = e->levels[cpu];

	if (!levels)
		return;
	set(e, cpu, &levels->queue, time, false, 0);
	set(e, cpu, &levels->util, time, false, 0);
}

void engine_levels_finish(struct report_engine *e, uint64_t last)
{
	struct report_levels *levels;
	size_t i;

	for (i = 0; i < REPORT_CPUS; i++) {
		levels = e->levels[i];
		if (!levels)
			continue;
		go_on(e, i, &levels->khz, last);
		go_on(e, i, &levels->queue, last);
		go_on(e, i, &levels->util, last);
		if (e->cpus[i])
			e->cpus[i]->c.levels = *levels;
	}
}

void engine_levels_free(struct report_engine *e)
{
	size_t i;

	for (i = 0; i < REPORT_CPUS; i++)
		free(e->levels[i]);
}
