// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksoftirqd.c - finds the CPUs' ksoftirqd threads by name. If two threads have the name, it is
 * unknown which it is, because a program may call itself ksoftirqd.
 */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_waker.h>

#include "data.h"
#include "model.h"

#define CPUS		(1 << 16)
#define SEVERAL		UINT32_MAX

static bool begins_with(const struct sched_thread *t, const char *prefix)
{
	return !strncmp(t->name, prefix, strlen(prefix));
}

bool sched_model_is_rt(const struct sched_model *m)
{
	return m->threads.is_rt;
}

/* The CPU of a ksoftirqd thread; CPUS of other threads. */
static unsigned long cpu_of(const struct sched_thread *t)
{
	const char *number = t->name + strlen(FXT_SCHED_KSOFTIRQD);
	unsigned long cpu;
	char *end;

	if (!begins_with(t, FXT_SCHED_KSOFTIRQD))
		return CPUS;
	cpu = strtoul(number, &end, 10);
	return end != number && !*end && cpu < CPUS ? cpu : CPUS;
}

const uint32_t *sched_model_ksoftirqd(struct sched_model *m)
{
	const struct sched_totals *t = &m->totals;
	const struct sched_thread *of;
	unsigned long cpu;
	size_t i;

	if (m->ksoftirqd || t->lacks_cpus || t->lacks_threads ||
	    (!t->events[KERNEL_IRQ] && !t->events[KERNEL_VECTOR]))
		return m->ksoftirqd;
	m->ksoftirqd = must(calloc(CPUS, sizeof(*m->ksoftirqd)));
	for (i = 0; i < m->threads.count; i++) {
		of = m->threads.list[i];
		cpu = cpu_of(of);
		if (cpu < CPUS)
			m->ksoftirqd[cpu] = m->ksoftirqd[cpu] ? SEVERAL : of->id + 1;
	}
	for (cpu = 0; cpu < CPUS; cpu++)
		if (m->ksoftirqd[cpu] == SEVERAL)
			m->ksoftirqd[cpu] = 0;
	return m->ksoftirqd;
}
