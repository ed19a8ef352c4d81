// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * placement.c - how many CPUs were busy at once, and where threads were put meanwhile.
 *
 * Out: the time for each number of busy CPUs, with the threads that waited; wakeups on busy CPUs
 * and cores although others were idle, and what the threads waited then; moves, by what the two
 * CPUs share.
 * Must hold: a CPU whose thread is unknown is not idle. A thread with an affinity perhaps could not
 * have used an idle CPU, so it never counts as badly placed. Neither does a thread whose wakeup
 * says which CPU it ran on, not where it is placed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

#define SINGLE_ROWS	16	/* with more CPUs, a row stands for several numbers of busy ones */

/* Bits of report_thread.placed. */
enum { WAITS = 1, QUEUES = 2, ON_BUSY = 4, ON_SIBLING = 8 };

struct engine_placement {
	const struct sched_topology *topology;
	uint64_t at;		/* ns; time is counted up to here */
	uint32_t waiting;	/* threads that wait */
	uint32_t queued;	/* those of them that wait for a busy CPU and may run on all CPUs */
	uint32_t idle_cores;	/* cores without a busy CPU */
	uint16_t busy[SCHED_TOPOLOGY_CPUS + 1];	/* by core: its busy CPUs */
	uint16_t cpus[SCHED_TOPOLOGY_CPUS + 1];	/* by core: its known CPUs */
	struct report_concurrency concurrency[REPORT_CONCURRENCY];
	uint64_t counts[REPORT_PLACES];
	uint64_t ns[REPORT_PLACES];
};

void engine_placement_open(struct report_engine *e)
{
	const struct sched_topology *topology = sched_model_topology(e->model);

	if (!topology)
		return;
	e->placement = arena_new(&e->arena, struct engine_placement);
	e->placement->topology = topology;
}

static uint16_t group_of(const struct engine_placement *p, enum sched_share share, uint16_t cpu)
{
	return cpu < SCHED_TOPOLOGY_CPUS ? p->topology->groups[share][cpu] : SCHED_SHARE_UNKNOWN;
}

/* Count the time up to @time, in which nothing has changed. */
static void advance(struct report_engine *e, uint64_t time)
{
	struct engine_placement *p = e->placement;
	uint64_t from = p->at > e->from ? p->at : e->from, to = time < e->to ? time : e->to, ns;
	unsigned int busy = e->busy.busy;
	struct report_concurrency *c;

	if (time <= p->at)
		return;
	if (p->at && from < to) {
		ns = to - from;
		c = &p->concurrency[busy < REPORT_CONCURRENCY ? busy : REPORT_CONCURRENCY - 1];
		c->ns += ns;
		c->waiting += p->waiting ? ns : 0;
		c->waits += ns * p->waiting;
		c->starved += p->queued && e->free.busy ? ns : 0;
	}
	p->at = time;
}

void engine_placement_load(struct report_engine *e, uint16_t cpu, enum engine_cpu_load was,
			   enum engine_cpu_load is, uint64_t time)
{
	struct engine_placement *p = e->placement;
	uint16_t core = group_of(p, SCHED_CORE, cpu);

	advance(e, time);
	if (core == SCHED_SHARE_UNKNOWN || core > SCHED_TOPOLOGY_CPUS)
		return;
	p->idle_cores -= p->cpus[core] && !p->busy[core];
	p->cpus[core] += (is != CPU_UNSEEN) - (was != CPU_UNSEEN);
	p->busy[core] += (is == CPU_BUSY) - (was == CPU_BUSY);
	p->idle_cores += p->cpus[core] && !p->busy[core];
}

/* Was a thread woken on a busy CPU or core although another one was idle? */
static uint8_t judge(const struct report_engine *e, uint16_t number)
{
	const struct engine_placement *p = e->placement;
	const struct engine_cpu *cpu = e->cpus[number];
	uint16_t core = group_of(p, SCHED_CORE, number);

	if (!cpu || !e->free.busy)
		return 0;
	if (cpu->load == CPU_BUSY)
		return ON_BUSY;
	if (cpu->load == CPU_IDLE && core && core <= SCHED_TOPOLOGY_CPUS && p->busy[core] &&
	    p->idle_cores)
		return ON_SIBLING;
	return 0;
}

void engine_placement_begin(struct report_engine *e, struct report_thread *t, uint64_t time,
			    bool is_woken)
{
	struct engine_placement *p = e->placement;
	const struct engine_cpu *cpu = e->cpus[t->wait_cpu];

	engine_placement_end(e, t, time, REPORT_NO_CPU);
	advance(e, time);
	t->placed = WAITS;
	p->waiting++;
	if (t->sched->cpus || !engine_counts(e, time, t->wait_cpu))
		return;
	if (cpu && cpu->load == CPU_BUSY)
		t->placed |= QUEUES;
	p->queued += cpu && cpu->load == CPU_BUSY;
	if (is_woken && !e->report.totals.archive->has_wakings)
		t->placed |= judge(e, t->wait_cpu);
	p->counts[REPORT_PLACE_BUSY] += !!(t->placed & ON_BUSY);
	p->counts[REPORT_PLACE_SIBLING] += !!(t->placed & ON_SIBLING);
}

static enum report_place move_of(const struct engine_placement *p, uint16_t from, uint16_t to)
{
	if (group_of(p, SCHED_NODE, from) != group_of(p, SCHED_NODE, to))
		return REPORT_PLACE_NODE;
	if (group_of(p, SCHED_CACHE, from) != group_of(p, SCHED_CACHE, to))
		return REPORT_PLACE_CACHE;
	if (group_of(p, SCHED_CORE, from) != group_of(p, SCHED_CORE, to))
		return REPORT_PLACE_CORE;
	return REPORT_PLACES;
}

void engine_placement_end(struct report_engine *e, struct report_thread *t, uint64_t time,
			  uint16_t cpu)
{
	struct engine_placement *p = e->placement;
	uint64_t ns = time > t->since ? time - t->since : 0;
	enum report_place place = REPORT_PLACES;

	if (t->placed & WAITS) {
		advance(e, time);
		p->waiting--;
		p->queued -= !!(t->placed & QUEUES);
		p->ns[REPORT_PLACE_BUSY] += t->placed & ON_BUSY ? ns : 0;
		p->ns[REPORT_PLACE_SIBLING] += t->placed & ON_SIBLING ? ns : 0;
	}
	if (cpu != REPORT_NO_CPU && t->last_cpu != REPORT_NO_CPU && cpu != t->last_cpu &&
	    engine_counts(e, time, cpu))
		place = move_of(p, t->last_cpu, cpu);
	if (place < REPORT_PLACES) {
		p->counts[place]++;
		p->ns[place] += t->placed & WAITS ? ns : 0;
	}
	t->placed = 0;
}

static void add_up(struct report_concurrency *to, const struct report_concurrency *c)
{
	to->ns += c->ns;
	to->waiting += c->waiting;
	to->waits += c->waits;
	to->starved += c->starved;
}

/* A row for each number of busy CPUs or, if many were busy at once, for 1, 2-3, 4-7 and so on. */
static void list_concurrency(struct report_placement *r, const struct engine_placement *p)
{
	unsigned int most = REPORT_CONCURRENCY - 1, i, to;
	struct report_concurrency *row;

	while (most && !p->concurrency[most].ns)
		most--;
	for (i = 0; i <= most; i = to + 1) {
		to = most > SINGLE_ROWS && i > 1 ? 2 * i - 1 : i;
		to = to > most ? most : to;
		row = &r->concurrency[r->concurrency_count];
		*row = (struct report_concurrency){ .busy = i, .busy_to = to };
		snprintf(row->label, sizeof(row->label), i < to ? "%u-%u" : "%u", i, to);
		for (; i <= to; i++)
			add_up(row, &p->concurrency[i]);
		r->concurrency_count += row->ns > 0;
	}
}

void engine_placement_finish(struct report_engine *e, uint64_t last)
{
	static const char *const what[REPORT_PLACES] = {
		[REPORT_PLACE_BUSY] = "woken on a busy CPU, another was idle",
		[REPORT_PLACE_SIBLING] = "woken on a busy core, another was idle",
		[REPORT_PLACE_CORE] = "moved to another core, same cache",
		[REPORT_PLACE_CACHE] = "moved to another cache, same node",
		[REPORT_PLACE_NODE] = "moved to another node",
	};
	struct report_placement *r = &e->report.placement;
	const struct engine_placement *p = e->placement;
	unsigned int i;

	if (!p)
		return;
	advance(e, last);
	list_concurrency(r, p);
	for (i = 0; i < REPORT_PLACES; i++)
		if (p->counts[i])
			r->places[r->place_count++] = (struct report_placed){
				what[i], p->counts[i], p->ns[i],
			};
}
