// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interrupts.c - adds up interrupts, idle states, work items and throttled cgroups.
 *
 * In: pieces of interrupts, slices and migrations, and interrupts that CPUs send to others, as
 * the model reports them.
 * Out: what interrupts took from threads and CPUs, and each origin's share.
 * Must hold: memory grows with origins, CPUs and threads, with pairs of CPUs and functions, not
 * with events.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

/** struct kernel_cpu - ns that interrupts and idle states took on a CPU */
struct kernel_cpu {
	uint64_t hard;
	uint64_t soft;
	uint64_t idle;
};

/* Time of an origin on one CPU, either in total (@thread is NULL) or taken from one thread. */
struct cell {
	struct map_node node;
	struct report_origin *origin;
	const struct report_thread *thread;
	uint16_t cpu;
	bool is_lost;		/* time that a thread lost; @thread is NULL if unknown */
	uint64_t count;
	uint64_t ns;
	const struct report_thread *most;	/* at the end: the one that lost most */
	uint64_t most_ns;
};

struct kernel_stats {
	struct map cells;
	size_t share_count;
	struct kernel_cpu *cpus[REPORT_CPUS];
};

static struct kernel_cpu *cpu_of(struct report_engine *e, uint16_t number)
{
	struct kernel_cpu **cpu = &e->kernel->cpus[number];

	if (!*cpu) {
		*cpu = calloc(1, sizeof(**cpu));
		engine_cpu_seen(e, number);
	}
	return *cpu;
}

struct report_origin *engine_origin(struct sched_origin *s)
{
	struct report_origin *origin = (struct report_origin *)(uintptr_t)s->user;

	if (!origin) {
		origin = calloc(1, sizeof(*origin));
		if (origin)
			origin->of = s;
		s->user = (uintptr_t)origin;
	}
	return origin;
}

static struct cell *cell_of(struct report_engine *e, const struct cell *key)
{
	struct map *cells = &e->kernel->cells;
	uint64_t hash = map_hash(map_hash(key->origin->of->id, key->cpu + ((uint64_t)key->is_lost << 16)),
				 (uintptr_t)key->thread);
	struct map_node *n;
	struct cell *cell;

	for (n = map_first(cells, hash); n; n = map_next(n, hash)) {
		cell = map_entry(n, struct cell, node);
		if (cell->origin == key->origin && cell->thread == key->thread &&
		    cell->cpu == key->cpu && cell->is_lost == key->is_lost)
			return cell;
	}
	cell = malloc(sizeof(*cell));
	if (!cell || map_reserve(cells)) {
		free(cell);
		return NULL;
	}
	*cell = *key;
	map_add(cells, &cell->node, hash);
	e->kernel->share_count += !key->is_lost;
	return cell;
}

/* --- interrupts ----------------------------------------------------------------------- */

static int add_lost(struct report_engine *e, struct report_origin *origin, uint16_t cpu,
		    struct report_thread *thread, uint64_t ns)
{
	struct cell key = { .origin = origin, .cpu = cpu, .thread = thread, .is_lost = true };
	struct cell *here = cell_of(e, &key), *anywhere;

	key.cpu = REPORT_NO_CPU;
	anywhere = cell_of(e, &key);
	if (!here || !anywhere)
		return -ENOMEM;
	here->ns += ns;
	anywhere->ns += ns;
	if (thread)
		thread->n.stolen += ns;
	return 0;
}

int engine_take_piece(void *arg, const struct sched_piece *p)
{
	struct report_engine *e = arg;
	const struct sched_slice *s = p->slice;
	struct kernel_cpu *cpu = cpu_of(e, s->cpu);
	struct report_origin *origin = engine_origin(s->origin);
	struct report_thread *thread = NULL;
	uint64_t from = p->from, to = p->to;
	struct cell *share;

	if (!cpu || !origin)
		return -ENOMEM;
	if (s->thread) {
		thread = engine_thread(e, s->thread);
		if (!thread)
			return -ENOMEM;
	}
	if (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to))
		return 0;
	share = cell_of(e, &(struct cell){ .origin = origin, .cpu = s->cpu });
	if (!share)
		return -ENOMEM;
	share->ns += to - from;
	origin->total += to - from;
	if (s->origin->what == KERNEL_SOFTIRQ)
		cpu->soft += to - from;
	else
		cpu->hard += to - from;
	return add_lost(e, origin, s->cpu, thread, to - from);
}

static int add_period(struct report_origin *origin, uint64_t from, uint64_t to)
{
	if (!origin->throttled)
		origin->throttled = calloc(1, sizeof(*origin->throttled));
	if (!origin->throttled)
		return -ENOMEM;
	report_throttled_add(origin->throttled, from, to);
	return 0;
}

/* The time of interrupts was added up piece by piece already. */
static int add_time(struct report_engine *e, const struct sched_slice *s,
		    struct report_origin *origin, struct cell *share)
{
	uint64_t from = s->from, to = s->to;
	struct kernel_cpu *cpu;

	if (kernel_event_is_irq(s->origin->what) ||
	    (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to)))
		return 0;
	origin->total += to - from;
	share->ns += to - from;
	if (s->origin->what == KERNEL_THROTTLE)
		return add_period(origin, from, to);
	if (s->origin->what != KERNEL_IDLE)
		return 0;
	cpu = cpu_of(e, s->cpu);
	if (!cpu)
		return -ENOMEM;
	cpu->idle += to - from;
	return 0;
}

int engine_take_slice(void *arg, const struct sched_slice *s)
{
	struct report_engine *e = arg;
	struct report_origin *origin = engine_origin(s->origin);
	struct cell *share;

	if (!origin)
		return -ENOMEM;
	share = cell_of(e, &(struct cell){ .origin = origin, .cpu = s->cpu });
	if (!share || add_time(e, s, origin, share))
		return -ENOMEM;
	if (!engine_counts(e, s->to, s->cpu))
		return 0;
	origin->count++;
	share->count++;
	if (s->own > origin->longest || origin->count == 1) {
		origin->longest = s->own;
		origin->longest_time = s->to;
		origin->longest_cpu = s->cpu;
	}
	return 0;
}

/* --- migrations ------------------------------------------------------------------------ */

int engine_take_move(void *arg, const struct sched_move *m)
{
	struct report_engine *e = arg;
	struct report_thread *t = engine_thread(e, m->thread);

	if (!t)
		return -ENOMEM;
	t->n.moves += m->from != m->to && engine_counts(e, m->time, m->to);
	return 0;
}

/* --- the end -------------------------------------------------------------------------------- */

/* Interrupts of all kinds are one group. */
static int group_of(const struct report_origin *s)
{
	return kernel_event_is_irq(s->of->what) ? KERNEL_IRQ : s->of->what;
}

static int by_origin(const void *a, const void *b)
{
	const struct report_origin *x = *(struct report_origin *const *)a;
	const struct report_origin *y = *(struct report_origin *const *)b;

	if (group_of(x) != group_of(y))
		return group_of(x) < group_of(y) ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->of->id < y->of->id ? -1 : 1;
}

static int by_share(const void *a, const void *b)
{
	const struct report_share *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->origin->of->id < y->origin->of->id ? -1 : 1;
}

static bool is_more(uint64_t ns, const struct report_thread *t, uint64_t most_ns,
		    const struct report_thread *most)
{
	if (!most || ns != most_ns)
		return !most || ns > most_ns;
	return t->sched->id < most->sched->id;
}

static void note_most(struct report_engine *e, const struct cell *lost)
{
	struct report_origin *origin = lost->origin;
	struct cell *share;

	if (!lost->is_lost || !lost->thread)
		return;
	if (lost->cpu == REPORT_NO_CPU) {
		if (is_more(lost->ns, lost->thread, origin->most_ns, origin->most)) {
			origin->most = lost->thread;
			origin->most_ns = lost->ns;
		}
		return;
	}
	share = cell_of(e, &(struct cell){ .origin = origin, .cpu = lost->cpu });
	if (share && is_more(lost->ns, lost->thread, share->most_ns, share->most)) {
		share->most = lost->thread;
		share->most_ns = lost->ns;
	}
}

static int list_shares(struct report_engine *e, struct report_kernel *k)
{
	const struct map *cells = &e->kernel->cells;
	const struct map_node *n;
	const struct cell *cell;

	k->shares = calloc(e->kernel->share_count + 1, sizeof(*k->shares));
	if (!k->shares)
		return -ENOMEM;
	for (n = cells->oldest; n; n = n->newer)
		note_most(e, map_entry(n, struct cell, node));
	for (n = cells->oldest; n; n = n->newer) {
		cell = map_entry(n, struct cell, node);
		if (cell->is_lost || (!cell->count && !cell->ns))
			continue;
		k->shares[k->share_count++] = (struct report_share){
			cell->origin, cell->cpu, cell->count, cell->ns,
			cell->most, cell->most_ns,
		};
	}
	qsort(k->shares, k->share_count, sizeof(*k->shares), by_share);
	return 0;
}

static int list_origins(struct report_engine *e, struct report_kernel *k)
{
	struct sched_origin *const *origins;
	struct report_origin *origin;
	size_t count, i;

	origins = sched_model_origins(e->model, &count);
	k->origins = calloc(count + 1, sizeof(*k->origins));
	if (!k->origins)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		origin = (struct report_origin *)(uintptr_t)origins[i]->user;
		if (!origin || (!origin->count && !origin->total))
			continue;
		if (origin->throttled)
			report_throttled_end(origin->throttled);
		k->origins[k->origin_count++] = origin;
	}
	qsort(k->origins, k->origin_count, sizeof(*k->origins), by_origin);
	return 0;
}

int engine_kernel_finish(struct report_engine *e)
{
	const struct sched_totals *totals = e->report.totals.archive;
	struct report_kernel *k = &e->report.kernel;
	struct kernel_cpu *cpu;
	size_t i;
	int ret;

	for (i = 0; i < KERNEL_EVENTS; i++)
		k->has[i] = totals->events[i];
	for (i = 0; i < e->cpu_end; i++) {
		cpu = e->kernel->cpus[i];
		if (cpu && e->cpus[i])
			e->cpus[i]->c.kernel = (struct report_cpu_kernel){
				cpu->hard, cpu->soft, cpu->idle,
			};
	}
	ret = list_origins(e, k);
	return ret ? ret : list_shares(e, k);
}

int engine_kernel_open(struct report_engine *e)
{
	e->kernel = calloc(1, sizeof(*e->kernel));
	return e->kernel ? 0 : -ENOMEM;
}

void engine_kernel_close(struct report_engine *e)
{
	struct sched_origin *const *origins;
	struct report_origin *origin;
	struct map_node *n;
	size_t count, i, from = 0;

	if (!e->kernel)
		return;
	if (!e->model) {
		free(e->kernel);
		return;
	}
	origins = sched_model_origins(e->model, &count);
	for (i = 0; i < count; i++) {
		origin = (struct report_origin *)(uintptr_t)origins[i]->user;
		if (origin)
			free(origin->throttled);
		free(origin);
	}
	while ((n = map_take(&e->kernel->cells, &from)))
		free(map_entry(n, struct cell, node));
	map_free(&e->kernel->cells);
	for (i = 0; i < e->cpu_end; i++)
		free(e->kernel->cpus[i]);
	free(e->kernel);
	free(e->report.kernel.origins);
	free(e->report.kernel.shares);
}

/* --- CPUs that interrupt others ---------------------------------------------------------- */

#define MASK_CPUS	64	/* CPUs that the mask can name */

struct pair {
	struct map_node node;
	struct report_ipi ipi;
};

static struct pair *pair_of(struct report_engine *e, const struct sched_origin *of,
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
	struct pair *pair = pair_of(e, m->origin, m->cpu, to);

	if (!pair)
		return -ENOMEM;
	pair->ipi.count += count;
	return 0;
}

/* CPUs that the mask cannot name are counted together, as unknown. */
int engine_take_ipi(struct report_engine *e, const struct sched_moment *m)
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

static int ipi_by_count(const void *a, const void *b)
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

int engine_ipis_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	const struct map_node *n;
	size_t count = 0;

	k->ipis = calloc(k->ipi_count + 1, sizeof(*k->ipis));
	if (!k->ipis)
		return -ENOMEM;
	for (n = e->pairs.oldest; n; n = n->newer)
		k->ipis[count++] = map_entry(n, struct pair, node)->ipi;
	qsort(k->ipis, count, sizeof(*k->ipis), ipi_by_count);
	return 0;
}

void engine_ipis_free(struct report_engine *e)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&e->pairs, &from)))
		free(map_entry(n, struct pair, node));
	map_free(&e->pairs);
	free(e->report.kernel.ipis);
}
