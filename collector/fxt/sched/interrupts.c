// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interrupts.c - nested interrupts and idle states of a CPU.
 *
 * In: interrupts and idle states of a CPU, each when it ends, so that inner ones come first; which
 * thread the CPU runs.
 * Out: pieces of interrupts (kernel_types.h); anomalies: a switch inside a hard interrupt, an idle
 * state while a thread runs.
 * Must hold: on each CPU, two slices are either nested or apart.
 *
 * The newest outer slices are kept. When a slice ends, it replaces those that began after it, which
 * are inside it. On PREEMPT_RT a soft interrupt may be preempted, so the last runs of threads are
 * kept, too, from the first interrupt of the CPU on. Both lists are bounded: the own time of an
 * interrupt with more interrupts or switches inside is not exact.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"

#define KEPT	512U
#define RUNS	32U

struct kept {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	uint64_t offset;
	uint32_t origin;
};

struct run {
	uint64_t from;		/* ns */
	uint64_t to;		/* ns */
	const struct sched_thread *thread;
};

/* Both are rings. The counts are of all entries ever added, less those removed again. */
struct sched_nest {
	struct kept kept[KEPT];
	uint64_t kept_count;
	uint64_t kept_least;	/* earlier ones are overwritten */
	struct run runs[RUNS];
	uint64_t run_count;
	uint64_t run_least;
};

/* Larger levels are inside of smaller ones. */
static int level_of(const struct sched_origin *origin)
{
	switch (origin->what) {
	case KERNEL_IDLE:
		return 0;
	case KERNEL_SOFTIRQ:
		return 1;
	default:
		return 2;
	}
}

static const char *kind_of(const struct sched_origin *origin)
{
	static const char * const names[] = {
		"idle state", "soft interrupt", "interrupt",
	};

	return names[level_of(origin)];
}

/* --- pieces ------------------------------------------------------------------------ */

static void report_piece(struct sched_model *m, struct sched_slice *slice, uint64_t from,
			 uint64_t to)
{
	struct sched_piece piece = { slice, from, to };

	if (from >= to)
		return;
	slice->own += to - from;
	sched_report(m, piece, &piece);
}

/*
 * Report a part of an interrupt without other interrupts, except the time in which other threads
 * ran. @since: ns, of the last switch
 */
static void add_pieces(struct sched_model *m, const struct sched_stream *s,
		       struct sched_slice *slice, uint64_t since, uint64_t from, uint64_t to)
{
	const struct sched_nest *nest = s->nest;
	uint64_t i, begin;

	report_piece(m, slice, from > since ? from : since, to);
	for (i = nest->run_count; from < since && i > nest->run_least; i--) {
		const struct run *run = &nest->runs[(i - 1) % RUNS];
		uint64_t end = run->to < to ? run->to : to;

		if (run->to <= from)
			break;
		begin = run->from > from ? run->from : from;
		if (run->thread == slice->thread)
			report_piece(m, slice, begin, end);
	}
}

/* --- what is inside what ------------------------------------------------------------ */

static void report_overlap(struct sched_model *m, const struct sched_stream *s,
			   const struct sched_event *e, const struct sched_slice *slice,
			   const struct kept *k, const char *how)
{
	const struct sched_origin *other = m->origins.list[k->origin];

	sched_fault(m, SCHED_NESTING, e->offset, e->time,
		    "cpu %u: %s %s (%" PRIu64 " to %" PRIu64 " ns) %s %s %s (byte %" PRIu64 ", %" PRIu64 " to %" PRIu64 " ns)",
		    s->id, kind_of(slice->origin), slice->origin->name, slice->from, slice->to,
		    how, kind_of(other), other->name, k->offset, k->from, k->to);
}

static void check_inside(struct sched_model *m, const struct sched_stream *s,
			 const struct sched_event *e, const struct sched_slice *slice,
			 const struct kept *k)
{
	int outer = level_of(slice->origin), inner = level_of(m->origins.list[k->origin]);

	if (slice->origin->what == KERNEL_SOFTIRQ && !inner)
		sched_idle_inside(m, e);
	else if (inner < outer || (inner == outer && inner < 2))
		report_overlap(m, s, e, slice, k, "has inside it");
}

static void keep_slice(struct sched_nest *nest, const struct kept *k)
{
	nest->kept[nest->kept_count++ % KEPT] = *k;
	if (nest->kept_count - nest->kept_least > KEPT)
		nest->kept_least = nest->kept_count - KEPT;
}

void sched_nest_add(struct sched_model *m, struct sched_stream *s, const struct sched_event *e,
		    struct sched_slice *slice)
{
	const struct sched_cpu *cpu = m->cpus[s->id];
	uint64_t since = cpu && cpu->current ? cpu->since : 0;
	bool is_irq = kernel_event_is_irq(e->what);
	struct kept now = { slice->from, slice->to, e->offset, e->origin };
	uint64_t from = slice->from, to = slice->to;
	struct sched_nest *nest;
	const struct kept *k;

	s->nest = nest = s->nest ? s->nest : new_zero(struct sched_nest);
	while (nest->kept_count > nest->kept_least) {
		k = &nest->kept[(nest->kept_count - 1) % KEPT];
		if (k->to <= from)
			break;
		if (is_irq && k->to < to)
			add_pieces(m, s, slice, since, k->to, to);
		to = k->from < to ? k->from : to;
		if (k->from < from) {
			if (k->to - from > SCHED_CLOCK_STEP && from - k->from > SCHED_CLOCK_STEP)
				report_overlap(m, s, e, slice, k, "overlaps");
			now.from = k->to < now.to ? k->to : now.to;
			to = from;
			break;
		}
		check_inside(m, s, e, slice, k);
		nest->kept_count--;
	}
	if (is_irq && to > from)
		add_pieces(m, s, slice, since, from, to);
	keep_slice(nest, &now);
}

void sched_nest_left(struct sched_stream *s, const struct sched_thread *t, uint64_t since,
		     uint64_t until)
{
	struct sched_nest *nest = s->nest;

	nest->runs[nest->run_count++ % RUNS] = (struct run){ since, until, t };
	if (nest->run_count - nest->run_least > RUNS)
		nest->run_least = nest->run_count - RUNS;
}

/* --- which thread runs meanwhile --------------------------------------------------------- */

/* The kernel may hide this thread's switches, or what happens while it runs. */
static bool may_be_gone(const struct sched_thread *t)
{
	return (t->koid && !t->switches) || !strncmp(t->name, "migration/", 10);
}

/* Was the CPU's thread switched in after @ns, by more than clocks of CPUs differ? */
static bool came_after(const struct sched_cpu *cpu, uint64_t ns)
{
	return cpu->since > ns + SCHED_CLOCK_STEP && cpu->since != cpu->covered;
}

void sched_check_idle(struct sched_model *m, const struct sched_cpu *cpu,
		      const struct sched_event *e)
{
	const struct sched_thread *t = cpu ? cpu->current : NULL;

	if (!t || may_be_gone(t))
		return;
	if (t->koid)
		sched_fault(m, SCHED_BUSY_IDLE, e->offset, e->time,
			    "cpu %u: idle state %s, but thread %" PRIu64 " was switched in (byte %" PRIu64 ")",
			    e->cpu, m->origins.list[e->origin]->name, t->koid, cpu->offset);
	else if (came_after(cpu, e->begin))
		sched_fault(m, SCHED_BUSY_IDLE, e->offset, e->time,
			    "cpu %u: idle state %s began at %" PRIu64 " ns, but the idle thread was switched in at %" PRIu64 " (byte %" PRIu64 ")",
			    e->cpu, m->origins.list[e->origin]->name, e->begin, cpu->since,
			    cpu->offset);
}

void sched_check_irq(struct sched_model *m, const struct sched_cpu *cpu,
		     const struct sched_event *e)
{
	if (e->what == KERNEL_SOFTIRQ || !cpu || !cpu->current)
		return;
	if (came_after(cpu, e->begin) && cpu->since + SCHED_CLOCK_STEP < e->time)
		sched_fault(m, SCHED_SWITCH_IN_IRQ, cpu->offset, cpu->since,
			    "cpu %u: thread %" PRIu64 " is switched in inside the interrupt %s (byte %" PRIu64 ", %" PRIu64 " to %" PRIu64 " ns)",
			    e->cpu, cpu->current->koid, m->origins.list[e->origin]->name,
			    e->offset, e->begin, e->time);
}
