// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * findings.c - what is wrong and who causes it: the first thing that a report shows.
 *
 * In: the complete report.
 * Out: its findings.
 * Must hold: what one finding explains is not reported by a second one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define NOTABLE_NS	20000000	/* the kernel needs some ms to balance */

/* Limits, as parts of the selected time. */
#define NOTABLE_QUOTA	0.05	/* a cgroup throttled for this long is noticed */
#define NOTABLE_HELD	0.05	/* a thread held off for this long is noticed */
#define NOTABLE_CROWD	0.10	/* more waiting than the kernel's delay in balancing explains */
#define CROWD_WAITS	4	/* fewer long waits than this are spikes */
#define NOTABLE_FLOOD	0.05	/* of a CPU; ticks and the like take less than 1 % */
#define NOTABLE_SERIAL	0.50	/* a program has serial phases, but most should be parallel */
#define NOTABLE_CONVOY	0.10	/* a process that was active for less matters little */

/* A wait is a spike if it is both long and unusual. */
#define SPIKE_NS	5000000	/* shorter waits are normal: another thread's slice and a tick */
#define SPIKE_RT_NS	1000000	/* less urgent threads should not delay a real-time thread */
#define SPIKE_TURN_NS	100000000	/* a preempted thread waits for some slices of others */
#define SPIKE_TIMES	10	/* times the usual wait: beyond the spread of most histograms */
#define SPIKE_WAITS	8	/* a thread with fewer waits has no usual one */

/* The threads of a process take turns if all of this holds. */
#define CONVOY_THREADS	3	/* two are a dialogue, such as a client and a server */
#define CONVOY_WORK	0.05	/* part of the run time that each of these has at least */
#define CONVOY_MOST	0.60	/* no thread exceeds this part: else one works, and others help */
#define CONVOY_ALONE	0.90	/* of the time in which any runs, only one does */
#define CONVOY_ACTIVE	0.50	/* of its time some thread runs: the process is not just idle */
#define CONVOY_WAITED	0.50	/* of its run time: threads that wait longer lack CPUs instead */
#define CONVOY_INNER	0.25	/* of its wakeups; timers and devices may end the other sleeps */
#define CONVOY_TURNS	10	/* of each thread, by such wakeups */

#define SERIAL_PART	0.25	/* of the serial time; others do not make it serial */

/* Time in which a CPU was idle for a reason that an earlier finding has. */
static uint64_t explained_ns(const struct report *r)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < r->finding_count && r->findings[i].kind <= REPORT_FINDING_CONVOY; i++)
		ns += r->findings[i].ns;
	return ns;
}

/* Add a thread to a finding. */
static void add_thread(struct report_finding *f, const struct report_thread *t)
{
	if (!f->threads++)
		f->thread = t;
	else if (f->thread && strcmp(f->thread->sched->name, t->sched->name))
		f->thread = NULL;
}

static bool is_notable(const struct report *r, uint64_t ns, double part)
{
	double window = report_window(r);

	return window > 0 && ns >= part * window;
}

/* --- cgroups that use up their quotas -------------------------------------------------------- */

static uint64_t held_ns(const struct report_thread *t)
{
	const struct report_waits *w = t->waits[REPORT_HELD];

	return w ? w->hist.sum : 0;
}

static uint64_t less_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How long its threads waited while their CPU was idle. */
static void add_victims(const struct report *r, struct report_finding *f,
			const struct report_origin *s)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		const struct report_thread *t = r->threads[i];
		uint64_t ns = less_of(held_ns(t), s->throttled->ns);

		if (!ns || report_throttled_of(r, t) != s)
			continue;
		add_thread(f, t);
		f->part_ns += ns;
	}
}

/*
 * May the cgroup have held off a thread that is shown? If its path is unknown, so are its threads.
 */
static bool concerns(const struct report *r, const struct report_origin *s)
{
	const char *cgroup;
	size_t i;

	if (!r->is_part || !s->of->path)
		return true;
	for (i = 0; i < r->thread_count; i++) {
		cgroup = r->threads[i]->sched->owner ? r->threads[i]->sched->owner->cgroup : NULL;
		if (cgroup && sched_is_in_cgroup(cgroup, s->of->path))
			return true;
	}
	return false;
}

static void find_throttled(struct report *r)
{
	size_t i;

	for (i = 0; i < r->kernel.origin_count; i++) {
		const struct report_origin *s = r->kernel.origins[i];
		struct report_finding f = {
			.kind = REPORT_FINDING_THROTTLED, .cpu = REPORT_NO_CPU,
			.of = report_window(r),
		};

		if (!s->throttled || s->throttled->ns < NOTABLE_NS ||
		    !is_notable(r, s->throttled->ns, NOTABLE_QUOTA) || !concerns(r, s))
			continue;
		f.cgroup = report_origin_name(s);
		f.ns = s->throttled->ns;
		f.count = s->throttled->periods;
		add_victims(r, &f, s);
		report_add_finding(r, &f);
	}
}

/* --- threads that wait for a CPU although one is idle ---------------------------------------- */

typedef bool (*add_fn)(const struct report *r, struct report_finding *f,
		       const struct report_thread *t);
typedef int (*order_fn)(const void *a, const void *b);

/* Name a thread's cgroup unless it is the root, which has no quota. */
static const char *cgroup_of(const struct report_thread *t)
{
	const char *cgroup = t->sched->owner ? t->sched->owner->cgroup : NULL;

	return cgroup && *cgroup && strcmp(cgroup, "/") ? cgroup : NULL;
}

static int by_name(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;

	return strcmp(x->sched->name, y->sched->name);
}

/* A quota holds off all threads of its cgroup, whatever their names. */
static int by_cgroup(const void *a, const void *b)
{
	const char *x = cgroup_of(*(struct report_thread *const *)a);
	const char *y = cgroup_of(*(struct report_thread *const *)b);
	int order = strcmp(x ? x : "", y ? y : "");

	return order || x ? order : by_name(a, b);
}

static int by_cgroup_and_name(const void *a, const void *b)
{
	int order = by_cgroup(a, b);

	return order ? order : by_name(a, b);
}

static int by_crowd(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;
	int order = x->crowd_cpu - y->crowd_cpu;

	return order ? order : by_name(a, b);
}

/* Skip waits that throttling of the thread's cgroup may explain. */
static bool add_held(const struct report *r, struct report_finding *f,
		     const struct report_thread *t)
{
	const struct report_waits *w = t->waits[REPORT_HELD];
	uint64_t ns = held_ns(t), known = report_throttled_ns(r, t, REPORT_NO_CPU);

	if (ns <= known)
		return false;
	f->cgroup = cgroup_of(t);
	f->ns += ns - known;
	f->count += w->hist.count;
	return true;
}

/* Threads of a CPU, such as ksoftirqd/3 and kworker/3:1, are bound to it: that is no mistake. */
static bool is_of_cpu(const char *name, uint16_t cpu)
{
	const char *number = strchr(name, '/');
	char *end;

	if (!number || number[1] < '0' || number[1] > '9')
		return false;
	return strtoul(number + 1, &end, 10) == cpu && (!*end || *end == ':');
}

static bool add_crowded(const struct report *r, struct report_finding *f,
			const struct report_thread *t)
{
	uint64_t known = report_throttled_ns(r, t, t->crowd_cpu);

	if (t->crowd_ns <= known || is_of_cpu(t->sched->name, t->crowd_cpu))
		return false;
	f->cpu = t->crowd_cpu;
	f->ns += t->crowd_ns - known;
	f->count += t->crowd_count;
	return true;
}

/* Find the CPU that was idle most, other than the one where threads wait. */
static bool find_idle(const struct report *r, struct report_finding *f)
{
	size_t i;

	f->idle_ns = 0;
	for (i = 0; i < r->cpu_count; i++) {
		const struct report_cpu *cpu = r->cpus[i];

		if (cpu->number == f->cpu || cpu->idle <= f->idle_ns)
			continue;
		f->idle_cpu = cpu->number;
		f->idle_ns = cpu->idle;
	}
	return f->idle_ns;
}

static bool is_crowd(const struct report *r, struct report_finding *f)
{
	return f->count >= CROWD_WAITS && find_idle(r, f);
}

/* Add one finding for all threads that are equal by @order. */
static int find_waiting(struct report *r, enum report_finding_kind kind, double notable,
			add_fn take, order_fn order)
{
	struct report_thread **threads = calloc(r->thread_count + 1, sizeof(*threads));
	struct report_finding f, none = { .kind = kind, .cpu = REPORT_NO_CPU };
	size_t i, count = 0;

	if (!threads)
		return -ENOMEM;
	for (i = 0; i < r->thread_count; i++) {
		f = none;
		if (take(r, &f, r->threads[i]))
			threads[count++] = r->threads[i];
	}
	qsort(threads, count, sizeof(*threads), order);
	none.of = report_window(r);
	f = none;
	for (i = 0; i < count; i++) {
		take(r, &f, threads[i]);
		add_thread(&f, threads[i]);
		if (i + 1 < count && !order(&threads[i], &threads[i + 1]))
			continue;
		if (f.ns >= NOTABLE_NS && is_notable(r, f.ns, notable) &&
		    (kind != REPORT_FINDING_CROWD || is_crowd(r, &f)))
			report_add_finding(r, &f);
		f = none;
	}
	free(threads);
	return 0;
}

/* --- threads that take turns ----------------------------------------------------------------- */

static uint64_t waited(const struct report_sum *sum)
{
	const struct report_waits *w;
	uint64_t ns = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++) {
		w = sum->waits[kind];
		ns += w ? w->hist.sum : 0;
	}
	return ns;
}

/* The threads that have a notable part of the run time; 0 if one has most of it. */
static uint64_t count_equals(const struct report *r, const struct report_process *p,
			     const struct report_thread **one)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		const struct report_thread *t = r->threads[i];

		if (t->process != p || t->n.run < CONVOY_WORK * p->sum.n.run)
			continue;
		if (t->n.run > CONVOY_MOST * p->sum.n.run)
			return 0;
		*one = t;
		count++;
	}
	return count;
}

static void find_convoy(const struct report_engine *e, struct report *r,
			const struct report_process *p)
{
	const struct report_team *team = p->team;
	struct report_finding f = {
		.kind = REPORT_FINDING_CONVOY, .process = p, .cpu = REPORT_NO_CPU,
	};
	uint64_t first, last, any;

	if (!team || p->sum.threads < CONVOY_THREADS)
		return;
	first = team->running.first > e->from ? team->running.first : e->from;
	last = team->running.last < e->to ? team->running.last : e->to;
	any = team->running.ns[METER_ONE] + team->running.ns[METER_MORE];
	if (first >= last || team->running.ns[METER_MORE] > last - first)
		return;
	/* Its other threads may have run in unknown time. */
	if (report_unknown(r) > (1 - CONVOY_ALONE) * (last - first))
		return;
	f.of = last - first;
	f.ns = f.of - team->running.ns[METER_MORE];
	f.count = team->inner;
	if (f.of < NOTABLE_NS || !is_notable(r, f.of, NOTABLE_CONVOY) || any < CONVOY_ACTIVE * f.of ||
	    team->running.ns[METER_ONE] < CONVOY_ALONE * any || waited(&p->sum) > CONVOY_WAITED * any ||
	    team->inner < CONVOY_INNER * p->sum.n.wakeups)
		return;
	f.threads = count_equals(r, p, &f.thread);
	if (f.threads >= CONVOY_THREADS && f.count >= CONVOY_TURNS * f.threads)
		report_add_finding(r, &f);
}

/* --- interrupts, one wait, one CPU ----------------------------------------------------------- */

/* Did interrupts take a notable part from the threads that are shown? */
static bool has_victims(const struct report *r)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < r->thread_count && r->is_part; i++)
		ns += r->threads[i]->n.stolen;
	return !r->is_part || is_notable(r, ns, NOTABLE_FLOOD);
}

/* Shares are sorted by size, so the first one of an interrupt is its largest. */
static void find_floods(struct report *r)
{
	const struct report_kernel *k = &r->kernel;
	bool has_any = has_victims(r);
	size_t i, j;

	for (i = 0; i < k->share_count; i++) {
		const struct report_share *s = &k->shares[i];

		if (!is_notable(r, s->total, NOTABLE_FLOOD))
			return;
		for (j = 0; j < i && k->shares[j].origin != s->origin; j++)
			;
		if (j < i || !kernel_event_is_irq(s->origin->of->what))
			continue;
		if (!has_any && !(s->most && s->most->is_shown))
			continue;
		report_add_finding(r, &(struct report_finding){
				   .kind = REPORT_FINDING_FLOOD, .thread = s->most, .threads = !!s->most,
				   .ns = s->total, .of = report_window(r), .count = s->count,
				   .part_ns = s->most_ns, .cpu = s->cpu, .share = s,
		});
	}
}

/* How long such a wait usually takes (ns): of this thread, if it has waited often, else of all. */
static uint64_t usual_wait(const struct report *r, const struct report_wait *w)
{
	const struct report_waits *own = w->thread->waits[w->kind], *all = r->totals.waits[w->kind];

	if (own && own->hist.count >= SPIKE_WAITS)
		return report_hist_percentile(&own->hist, 500);
	return all && all->hist.count >= SPIKE_WAITS ? report_hist_percentile(&all->hist, 500) : 0;
}

/* Are many waits of the thread that long? Then its median says little. */
static bool is_often_long(const struct report_wait *w)
{
	const struct report_waits *own = w->thread->waits[w->kind];

	return own && own->hist.count > 1 &&
	       report_hist_percentile(&own->hist, 750) > w->latency / SPIKE_TIMES;
}

/*
 * A thread that still waits may have no other wait to compare with. A wait for several turns of
 * other threads, or behind a real-time thread, is unusual anyway.
 */
static bool is_unusual(const struct report_wait *w, uint64_t ns, uint64_t usual)
{
	if (ns >= SPIKE_TURN_NS && ((w->is_open && !usual) || report_is_starved(w)))
		return true;
	return usual && ns / SPIKE_TIMES >= usual &&
	       (w->kind != REPORT_PREEMPTED || ns >= SPIKE_TURN_NS);
}

/* Does another finding explain this wait already? */
static bool is_told(const struct report *r, const struct report_wait *w)
{
	const struct report_finding *f;

	for (f = r->findings; f < r->findings + r->finding_count; f++)
		if (f->kind == REPORT_FINDING_HOLD && f->thread == w->thread && w->occupant_count &&
		    f->parties[2].thread == w->occupants[0].thread)
			return true;
	return false;
}

/* Report the longest spike only: the others mostly have the same cause. */
static void find_spike(struct report *r)
{
	size_t i;

	for (i = 0; i < r->worst_count; i++) {
		const struct report_wait *w = &r->worst[i];
		uint64_t usual = usual_wait(r, w);
		uint64_t known = report_throttled_ns(r, w->thread, w->from_cpu);
		uint64_t ns = w->latency - less_of(w->latency, known);

		/* A wait that throttling may explain is not a spike. */
		if (w->kind == REPORT_HELD || !is_unusual(w, ns, usual) || is_told(r, w) ||
		    ns < (report_lacks_irqs(r, w) ? SPIKE_RT_NS : SPIKE_NS))
			continue;
		report_add_finding(r, &(struct report_finding){
				   .kind = REPORT_FINDING_SPIKE, .thread = w->thread, .threads = 1,
				   .ns = w->latency, .of = is_often_long(w) ? 0 : usual,
				   .cpu = w->from_cpu, .wait = w,
		});
		return;
	}
}

static const struct report_thread *thread_named(const struct report *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->thread_count; i++)
		if (!strcmp(r->threads[i]->sched->name, name))
			return r->threads[i];
	return NULL;
}

static void find_serial(const struct report_engine *e, struct report *r)
{
	uint64_t alone = r->totals.n.alone;	/* which CPU is the busy one is known */
	struct report_finding f = {
		.kind = REPORT_FINDING_SERIAL, .of = report_window(r), .cpu = REPORT_NO_CPU,
		.ns = less_of(alone, e->busy.ns[METER_ONE]) - less_of(alone, e->blind),
	};
	uint64_t known = explained_ns(r);
	const char *name = "";
	size_t i;

	if (r->totals.cpus < 2 || f.ns < NOTABLE_NS || f.ns < known ||
	    !is_notable(r, f.ns - known, NOTABLE_SERIAL))
		return;
	for (i = 0; i < r->comm_count; i++) {
		const struct report_comm *c = r->comms[i];

		if (c->sum.n.alone <= f.part_ns)
			continue;
		f.part_ns = c->sum.n.alone;
		f.threads = c->sum.threads;
		name = c->name;
	}
	if (f.part_ns < SERIAL_PART * f.ns)
		return;
	/* Includes time that was counted before another CPU became known. */
	f.part_ns = f.part_ns < f.ns ? f.part_ns : f.ns;
	f.thread = thread_named(r, name);
	if (f.thread)
		report_add_finding(r, &f);
}

int engine_findings(struct report_engine *e)
{
	struct report *r = &e->report;
	size_t i;

	find_throttled(r);
	if (find_waiting(r, REPORT_FINDING_HELD, NOTABLE_HELD, add_held,
			 r->kernel.has[KERNEL_THROTTLE] ? by_cgroup_and_name : by_cgroup) ||
	    find_waiting(r, REPORT_FINDING_CROWD, NOTABLE_CROWD, add_crowded, by_crowd))
		return -ENOMEM;
	for (i = 0; i < r->process_count; i++)
		find_convoy(e, r, r->processes[i]);
	find_floods(r);
	if (engine_program_findings(e))
		return -ENOMEM;
	find_spike(r);
	find_serial(e, r);
	if (r->finding_count > REPORT_FINDINGS)
		r->finding_count = REPORT_FINDINGS;
	return 0;
}
