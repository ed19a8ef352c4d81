// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interrupts.c - adds up interrupts, idle states, work items and throttled cgroups: what they took
 * from threads and CPUs, and each origin's share.
 *
 * Must hold: memory grows with origins, CPUs and threads, with pairs of CPUs and functions, not
 * with events.
 */
#include <stdlib.h>

#include "internal.h"

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

struct pair {
	struct map_node node;
	struct report_ipi ipi;
};

struct kernel_stats {
	struct map cells;
	size_t share_count;
	struct report_cpu_kernel *cpus[REPORT_CPUS];
};

static struct report_cpu_kernel *cpu_of(struct report_engine *e, uint16_t number)
{
	struct report_cpu_kernel **cpu = &e->kernel->cpus[number];

	if (!*cpu) {
		*cpu = arena_new(&e->arena, struct report_cpu_kernel);
		engine_cpu_seen(e, number);
	}
	return *cpu;
}

struct report_origin *engine_origin(struct report_engine *e, struct sched_origin *s)
{
	struct report_origin *origin = (struct report_origin *)(uintptr_t)s->user;

	if (!origin) {
		origin = arena_new(&e->arena, struct report_origin);
		origin->of = s;
		s->user = (uintptr_t)origin;
	}
	return origin;
}

static struct cell *cell_of(struct report_engine *e, const struct cell *key)
{
	uint64_t hash = map_hash(map_hash(key->origin->of->id, key->cpu + ((uint64_t)key->is_lost << 16)),
				 (uintptr_t)key->thread);
	struct cell *c;

	if (map_get(&e->kernel->cells, hash, c, c->origin == key->origin &&
		    c->thread == key->thread && c->cpu == key->cpu && c->is_lost == key->is_lost)) {
		c->origin = key->origin;
		c->thread = key->thread;
		c->cpu = key->cpu;
		c->is_lost = key->is_lost;
		e->kernel->share_count += !key->is_lost;
	}
	return c;
}

static struct cell *share_of(struct report_engine *e, struct report_origin *origin, uint16_t cpu)
{
	return cell_of(e, &(struct cell){ .origin = origin, .cpu = cpu });
}

/* --- interrupts ----------------------------------------------------------------------- */

static void add_lost(struct report_engine *e, struct report_origin *origin, uint16_t cpu,
		     struct report_thread *thread, uint64_t ns)
{
	struct cell key = { .origin = origin, .cpu = cpu, .thread = thread, .is_lost = true };

	cell_of(e, &key)->ns += ns;
	key.cpu = REPORT_NO_CPU;
	cell_of(e, &key)->ns += ns;
	if (thread)
		thread->n.stolen += ns;
}

void engine_count_piece(struct report_engine *e, const struct sched_piece *p)
{
	const struct sched_slice *s = p->slice;
	struct report_cpu_kernel *cpu = cpu_of(e, s->cpu);
	struct report_origin *origin = engine_origin(e, s->origin);
	struct report_thread *thread = s->thread ? engine_thread(e, s->thread) : NULL;
	uint64_t from = p->from, to = p->to;

	if (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to))
		return;
	share_of(e, origin, s->cpu)->ns += to - from;
	origin->total += to - from;
	if (s->origin->what == KERNEL_SOFTIRQ)
		cpu->soft += to - from;
	else
		cpu->hard += to - from;
	add_lost(e, origin, s->cpu, thread, to - from);
}

/* The time of interrupts was added up piece by piece already. */
static void add_time(struct report_engine *e, const struct sched_slice *s,
		     struct report_origin *origin, struct cell *share)
{
	uint64_t from = s->from, to = s->to;

	if (kernel_event_is_irq(s->origin->what) ||
	    (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to)))
		return;
	origin->total += to - from;
	share->ns += to - from;
	if (s->origin->what == KERNEL_IDLE)
		cpu_of(e, s->cpu)->idle += to - from;
	if (s->origin->what != KERNEL_THROTTLE)
		return;
	if (!origin->throttled)
		origin->throttled = arena_new(&e->arena, struct report_throttled);
	report_throttled_add(origin->throttled, from, to);
}

void engine_count_slice(struct report_engine *e, const struct sched_slice *s)
{
	struct report_origin *origin = engine_origin(e, s->origin);
	struct cell *share = share_of(e, origin, s->cpu);

	add_time(e, s, origin, share);
	if (!engine_counts(e, s->to, s->cpu))
		return;
	origin->count++;
	share->count++;
	if (s->own > origin->longest || origin->count == 1) {
		origin->longest = s->own;
		origin->longest_time = s->to;
		origin->longest_cpu = s->cpu;
	}
}

/* --- migrations ------------------------------------------------------------------------ */

void engine_count_move(struct report_engine *e, const struct sched_move *m)
{
	struct report_thread *t = engine_thread(e, m->thread);

	t->moved = t->wait && m->time > t->since ? m->time : t->moved;
	t->n.moves += m->from != m->to && engine_counts(e, m->time, m->to);
}

/* --- the end -------------------------------------------------------------------------------- */

static int group_of(const struct report_origin *s)
{
	return kernel_event_is_irq(s->of->what) ? KERNEL_IRQ : s->of->what;
}

ARRAY_COMPARE_POINTERS(by_origin, struct report_origin, x, y,
		       array_order(group_of(x), group_of(y)) ?: array_order(y->total, x->total) ?:
		       array_order(y->count, x->count) ?: array_order(x->of->id, y->of->id))

ARRAY_COMPARE(by_share, struct report_share, x, y,
	      array_order(x->origin->of->id, y->origin->of->id) ?:
	      array_order(y->total, x->total) ?: array_order(x->cpu, y->cpu))

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

	if (lost->cpu == REPORT_NO_CPU) {
		if (is_more(lost->ns, lost->thread, origin->most_ns, origin->most)) {
			origin->most = lost->thread;
			origin->most_ns = lost->ns;
		}
		return;
	}
	share = share_of(e, origin, lost->cpu);
	if (is_more(lost->ns, lost->thread, share->most_ns, share->most)) {
		share->most = lost->thread;
		share->most_ns = lost->ns;
	}
}

static void list_shares(struct report_engine *e, struct report_kernel *k)
{
	struct cell *c;

	map_each(&e->kernel->cells, c)
		if (c->is_lost && c->thread)
			note_most(e, c);
	k->shares = arena_array(&e->arena, struct report_share, e->kernel->share_count);
	map_each(&e->kernel->cells, c)
		if (!c->is_lost && (c->count || c->ns))
			k->shares[k->share_count++] = (struct report_share){
				c->origin, c->cpu, c->count, c->ns, c->most, c->most_ns,
			};
	array_sort(k->shares, k->share_count, by_share);
}

static void list_origins(struct report_engine *e, struct report_kernel *k)
{
	struct sched_origin *const *origins;
	struct report_origin *origin;
	size_t count, i;

	origins = sched_model_origins(e->model, &count);
	k->origins = arena_array(&e->arena, struct report_origin *, count);
	for (i = 0; i < count; i++) {
		origin = (struct report_origin *)(uintptr_t)origins[i]->user;
		if (!origin || (!origin->count && !origin->total))
			continue;
		if (origin->throttled)
			report_throttled_end(origin->throttled);
		k->origins[k->origin_count++] = origin;
	}
	array_sort(k->origins, k->origin_count, by_origin);
}

void engine_kernel_finish(struct report_engine *e)
{
	const struct sched_totals *totals = e->report.totals.archive;
	struct report_kernel *k = &e->report.kernel;
	size_t i;

	for (i = 0; i < KERNEL_EVENTS; i++)
		k->has[i] = totals->events[i];
	for (i = 0; i < e->cpu_end; i++)
		if (e->kernel->cpus[i] && e->cpus[i])
			e->cpus[i]->c.kernel = *e->kernel->cpus[i];
	list_origins(e, k);
	list_shares(e, k);
}

void engine_kernel_open(struct report_engine *e)
{
	e->kernel = arena_new(&e->arena, struct kernel_stats);
}

void engine_kernel_close(struct report_engine *e)
{
	map_free_all(&e->kernel->cells, struct cell);
	map_free_all(&e->pairs, struct pair);
}

/* --- CPUs that interrupt others ---------------------------------------------------------- */

#define MASK_CPUS	64	/* CPUs that the mask can name */

static void add_ipi(struct report_engine *e, const struct sched_moment *m, uint16_t to,
		    uint64_t count)
{
	uint64_t hash = map_hash(m->origin->id, (uint64_t)m->cpu << 16 | to);
	struct pair *p;

	if (map_get(&e->pairs, hash, p, p->ipi.of == m->origin && p->ipi.from == m->cpu &&
		    p->ipi.to == to))
		p->ipi = (struct report_ipi){ .of = m->origin, .from = m->cpu, .to = to };
	p->ipi.count += count;
}

/* CPUs that the mask cannot name are counted together, as unknown. */
void engine_count_ipi(struct report_engine *e, const struct sched_moment *m)
{
	uint64_t mask = m->args.ipi.mask, rest = m->args.ipi.count;
	unsigned int cpu;

	engine_thread(e, m->thread)->n.ipis += rest;
	if (m->args.ipi.cpu != KERNEL_EVENT_NO_CPU) {
		add_ipi(e, m, m->args.ipi.cpu, 1);
		return;
	}
	for (cpu = 0; cpu < MASK_CPUS && rest; cpu++) {
		if (!(mask >> cpu & 1))
			continue;
		add_ipi(e, m, cpu, 1);
		rest--;
	}
	if (rest)
		add_ipi(e, m, REPORT_NO_CPU, rest);
}

ARRAY_COMPARE(ipi_by_count, struct report_ipi, x, y,
	      array_order(y->count, x->count) ?: array_order(x->from, y->from) ?:
	      array_order(x->to, y->to) ?: array_order(x->of->id, y->of->id))

void engine_ipis_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct pair *p;

	k->ipis = arena_array(&e->arena, struct report_ipi, e->pairs.count);
	map_each(&e->pairs, p)
		k->ipis[k->ipi_count++] = p->ipi;
	array_sort(k->ipis, k->ipi_count, ipi_by_count);
}
