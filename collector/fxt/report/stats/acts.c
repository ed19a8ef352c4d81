// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acts.c - adds up forks, ends of threads, and interrupts that CPUs send to others.
 *
 * In: moments, as the model reports them.
 * Must hold: memory grows with threads, and with pairs of CPUs and functions.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define MASK_CPUS	64	/* the first ones, which a mask names */

struct pair {
	struct map_node node;
	struct report_ipi ipi;
};

static struct pair *pair_of(struct report_engine *e, const struct sched_source *of,
			    uint16_t from, uint16_t to)
{
	uint64_t hash = map_hash(of->id, (uint64_t)from << 16 | to);
	struct map_node *n;
	struct pair *pair;

	for (n = map_first(&e->pairs, hash); n; n = map_next(n, hash)) {
		pair = map_entry(n, struct pair, node);
		if (pair->ipi.of == of && pair->ipi.from == from && pair->ipi.to == to)
			return pair;
	}
	pair = calloc(1, sizeof(*pair));
	if (!pair || map_reserve(&e->pairs)) {
		free(pair);
		return NULL;
	}
	pair->ipi = (struct report_ipi){ .of = of, .from = from, .to = to };
	map_add(&e->pairs, &pair->node, hash);
	e->report.kernel.ipi_count++;
	return pair;
}

static int add_ipi(struct report_engine *e, const struct sched_moment *m, uint16_t to,
		   uint64_t count)
{
	struct pair *pair = pair_of(e, m->source, m->cpu, to);

	if (!pair)
		return -ENOMEM;
	pair->ipi.count += count;
	return 0;
}

/* CPUs that the mask does not name are one, which is unknown. */
static int take_ipi(struct report_engine *e, const struct sched_moment *m)
{
	uint64_t mask = m->args.ipi.mask, rest = m->args.ipi.count;
	struct report_thread *t = engine_thread(e, m->thread);
	unsigned int cpu;
	int ret = 0;

	if (!t)
		return -ENOMEM;
	t->n.ipis += m->args.ipi.count;
	if (m->args.ipi.cpu != KERNEL_EVENT_NO_CPU)
		return add_ipi(e, m, m->args.ipi.cpu, 1);
	for (cpu = 0; cpu < MASK_CPUS && rest && !ret; cpu++) {
		if (!(mask >> cpu & 1))
			continue;
		ret = add_ipi(e, m, cpu, 1);
		rest--;
	}
	return ret || !rest ? ret : add_ipi(e, m, REPORT_NO_CPU, rest);
}

static int take_exit(struct report_engine *e, const struct sched_moment *m)
{
	struct report_source *source;

	e->report.kernel.exits++;
	if (!m->source)
		return 0;
	e->report.kernel.failed_exits++;
	source = engine_source(m->source);
	if (!source)
		return -ENOMEM;
	source->count++;
	return 0;
}

int engine_take_moment(void *arg, const struct sched_moment *m)
{
	struct report_engine *e = arg;
	struct report_thread *t;

	if (m->what == KERNEL_RUN_QUEUE || m->what == KERNEL_PELT)
		return engine_take_load(e, m);
	if (m->what == KERNEL_STACK)
		return engine_take_stack(e, m);
	if (!engine_counts(e, m->time, m->cpu))
		return 0;
	if (m->what == KERNEL_IPI)
		return take_ipi(e, m);
	if (m->what == KERNEL_EXIT)
		return take_exit(e, m);
	if (m->what == KERNEL_PRIORITY)
		return engine_take_priority(e, m);
	if (m->what != KERNEL_FORK)
		return 0;
	t = engine_thread(e, m->thread);
	if (!t)
		return -ENOMEM;
	t->n.forks++;
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct report_ipi *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->of->id < y->of->id ? -1 : 1;
}

int engine_acts_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	const struct map_node *n;
	size_t count = 0;

	k->ipis = calloc(k->ipi_count + 1, sizeof(*k->ipis));
	if (!k->ipis)
		return -ENOMEM;
	for (n = e->pairs.oldest; n; n = n->newer)
		k->ipis[count++] = map_entry(n, struct pair, node)->ipi;
	qsort(k->ipis, count, sizeof(*k->ipis), by_count);
	return 0;
}

void engine_acts_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->pairs, &from)))
		free(map_entry(n, struct pair, node));
	map_free(&e->pairs);
	free(e->report.kernel.ipis);
}
