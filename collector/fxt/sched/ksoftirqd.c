// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ksoftirqd.c - the threads that run soft interrupts which others have raised, by their names.
 *
 * A program may call itself ksoftirqd, so it is unknown which of two threads of that name it is.
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

static void note_ksoftirqd(uint32_t *ksoftirqd, const struct sched_thread *t)
{
	const char *number = t->name + strlen(FXT_SCHED_KSOFTIRQD);
	char *end;
	unsigned long cpu = strtoul(number, &end, 10);

	if (end != number && !*end && cpu < CPUS)
		ksoftirqd[cpu] = ksoftirqd[cpu] ? SEVERAL : t->id + 1;
}

bool sched_model_is_rt(const struct sched_model *m)
{
	size_t i;

	for (i = 0; i < m->threads.count; i++)
		if (begins_with(m->threads.list[i], FXT_SCHED_KTIMERS))
			return true;
	return false;
}

static void find_all(const struct sched_model *m, uint32_t *ksoftirqd)
{
	size_t i;

	for (i = 0; i < m->threads.count; i++) {
		if (begins_with(m->threads.list[i], FXT_SCHED_KSOFTIRQD))
			note_ksoftirqd(ksoftirqd, m->threads.list[i]);
	}
	for (i = 0; i < CPUS; i++)
		if (ksoftirqd[i] == SEVERAL)
			ksoftirqd[i] = 0;
}

const uint32_t *sched_model_ksoftirqd(struct sched_model *m)
{
	const struct sched_totals *t = &m->totals;

	if (m->ksoftirqd || t->lacks_cpus || t->lacks_threads ||
	    (!t->events[KERNEL_IRQ] && !t->events[KERNEL_VECTOR]))
		return m->ksoftirqd;
	m->ksoftirqd = calloc(CPUS, sizeof(*m->ksoftirqd));
	if (m->ksoftirqd)
		find_all(m, m->ksoftirqd);
	return m->ksoftirqd;
}
