// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * findings.c - where threads lost time, and to whom: the first thing that a report shows.
 *
 * In: the sums of all threads, and the history, from which losses.c sums up those that matter.
 * Out: findings: the largest avoidable parts of the threads' time, relative to it.
 * Must hold: what one finding explains is not reported by a second one. Idle threads, timers and
 * threads that others join lose no time.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/fxt_sched.h>

#include "account/classes.h"
#include "internal.h"
#include "why/words.h"

/* Steps of all walks, and those for each turn in the history. */
#define STEPS_LEAST	(1U << 18)
#define STEPS_TURNS	8	/* turns */

/* Less than any of these is not reported. */
#define NOTABLE_NS	20000000	/* the kernel needs some ms to balance */
#define NOTABLE_PART	0.01	/* of the selected time */
#define NOTABLE_SHARE	0.05	/* of the victim's time */
#define NOTABLE_CULPRIT	0.10	/* of the victim's loss; smaller ones are not named */

#define LIMIT_SHARE	0.20	/* of its time, a thread sleeps until the one that limits it */
#define LIMIT_ACTIVE	0.85	/* of its time, that one runs, or waits for a CPU */
#define SLEPT_SHARE	0.30	/* of its time, a thread sleeps until one that waits for a device */

/* The threads of a process take turns if all of this holds. */
#define CONVOY_THREADS	3	/* two are a dialogue, such as a client and a server */
#define CONVOY_SHARE	0.10	/* of its time, each sleeps while others run */
#define CONVOY_ALONE	0.90	/* of the time in which any runs, only one does */
#define CONVOY_ACTIVE	0.30	/* of its time some thread runs: the process is not just idle */

/* One of several threads is slow if all of this holds. */
#define SLOW_THREADS	3
#define SLOW_SHARE	0.10	/* of its time, it sleeps until interrupts */
#define SLOW_TIMES	4	/* times longer than any other one */

/* A wait is a spike if it is both long and unusual. */
#define SPIKE_NS	5000000	/* shorter waits are normal: another thread's slice and a tick */
#define SPIKE_RT_NS	1000000	/* less urgent threads should not delay a real-time thread */
#define SPIKE_TURN_NS	100000000	/* a preempted thread waits for some slices of others */
#define SPIKE_TIMES	10	/* times the usual wait: beyond the spread of most histograms */
#define SPIKE_WAITS	8	/* a thread with fewer waits has no usual one */

#define NOTABLE_SERIAL	0.50	/* a program has serial phases, but most should be parallel */
#define SERIAL_PART	0.25	/* of the serial time; others do not make it serial */
#define SERIAL_MOST	0.75	/* of the time of all threads of its name: it is named alone */

/** struct candidate - a finding, with what decides about it */
struct candidate {
	struct report_finding f;
	double rank;			/* those with more come first */
	const struct loss_group *group;	/* of the victim */
	const struct loss_group *by_group;	/* its group, NULL if it is no thread */
	uint32_t by;			/* culprit of most of it, as in struct loss */
};

struct judge {
	struct report_engine *e;
	struct report *r;
	struct losses l;
	struct candidate *all;
	size_t count;
};

static double more(double a, double b)
{
	return a > b ? a : b;
}

static double part(uint64_t ns, uint64_t of)
{
	return of ? (double)ns / of : 0;
}

static bool is_notable(const struct judge *j, uint64_t ns)
{
	return ns >= NOTABLE_NS && ns >= NOTABLE_PART * report_window(j->r);
}

static struct candidate *add_candidate(struct judge *j, enum report_finding_kind kind)
{
	array_more(j->all, j->count);
	j->all[j->count] = (struct candidate){ .f = { .kind = kind, .cpu = REPORT_NO_CPU } };
	return &j->all[j->count++];
}

/* --- who is looked at ------------------------------------------------------------------------ */

static uint64_t waited(const struct report_thread *t)
{
	uint64_t ns = 0;
	unsigned int kind;

	for (kind = 0; kind < REPORT_WAITS; kind++)
		ns += t->waits[kind] ? t->waits[kind]->hist.sum : 0;
	return ns;
}

/* ns that it slept until threads that are shown woke it, or until interrupts did. */
static uint64_t slept(const struct report_thread *t, bool by_irq)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < t->waker_count; i++)
		if (by_irq ? t->wakers[i].irq : t->wakers[i].thread && t->wakers[i].thread->is_shown)
			ns += t->wakers[i].slept;
	return ns;
}

/* The selected time in which the thread existed. */
static struct why_window life_of(const struct judge *j, const struct report_thread *t)
{
	const struct sched_thread *s = t->sched;
	struct why_window w = { .thread = s->id, .from = j->r->totals.from, .to = j->r->totals.to };

	if (s->is_forked && s->begin > w.from)
		w.from = s->begin;
	if ((s->state == 'X' || s->state == 'Z') && s->last_event < w.to)
		w.to = s->last_event;
	w.to = w.to > w.from ? w.to : w.from;
	return w;
}

/* Do the threads of a process run one at a time? */
static bool takes_turns(const struct judge *j, const struct report_process *p)
{
	const struct report_team *team = p ? p->team : NULL;
	uint64_t first, last, any;

	if (!team || p->sum.threads < CONVOY_THREADS)
		return false;
	first = team->running.first > j->e->from ? team->running.first : j->e->from;
	last = team->running.last < j->e->to ? team->running.last : j->e->to;
	any = team->running.ns[METER_ONE] + team->running.ns[METER_MORE];
	/* Its other threads may have run in unknown time. */
	return first < last && is_notable(j, last - first) &&
	       report_unknown(j->r) <= (1 - CONVOY_ALONE) * (last - first) &&
	       any >= CONVOY_ACTIVE * (last - first) &&
	       team->running.ns[METER_ONE] >= CONVOY_ALONE * any;
}

static void find_victims(struct judge *j)
{
	const struct report *r = j->r;
	struct why_window w;
	struct loss_group *g;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		const struct report_thread *t = r->threads[i];

		if (t->is_idle || t->sched->same)
			continue;
		g = losses_group(&j->l, t->sched->id);
		w = life_of(j, t);
		g->is_victim = !g->is_recorder;
		g->life += w.to - w.from;
		g->run += t->n.run;
		g->waited += waited(t);
		g->open += waited(t) + t->n.stolen;
		g->takes_turns = takes_turns(j, t->process);
		g->slept += r->is_part || g->takes_turns ? slept(t, false) : 0;
		g->crowd += t->crowd_ns;
		g->crowd_cpu = t->crowd_ns ? t->crowd_cpu : g->crowd_cpu;
	}
}

/** struct victim - a thread to look at, in this order: the largest shares of its group first */
struct victim {
	double share;
	double slept;
	uint32_t group;
	const struct report_thread *thread;
};

static int by_share(const void *a, const void *b)
{
	const struct victim *x = a, *y = b;

	if (x->share != y->share)
		return x->share < y->share ? 1 : -1;
	if (x->slept != y->slept)
		return x->slept < y->slept ? 1 : -1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->thread->sched->id < y->thread->sched->id ? -1 : 1;
}

/* Look at those first that may have lost the largest part of their time. */
static void look(struct judge *j)
{
	struct victim *all = must(calloc(j->r->thread_count + 1, sizeof(*all)));
	struct why_window w;
	size_t i, count = 0;

	for (i = 0; i < j->r->thread_count; i++) {
		const struct report_thread *t = j->r->threads[i];
		const struct loss_group *g;

		if (t->is_idle || t->sched->same)
			continue;
		g = losses_group(&j->l, t->sched->id);
		if (g->is_victim && is_notable(j, g->open + g->slept) &&
		    part(g->open + g->slept, g->life) >= NOTABLE_SHARE)
			all[count++] = (struct victim){
				part(g->open, g->life), part(g->slept, g->life), g->number, t,
			};
	}
	qsort(all, count, sizeof(*all), by_share);
	for (i = 0; i < count && !j->l.beyond; i++) {
		w = life_of(j, all[i].thread);
		if (w.from < w.to)
			losses_add(&j->l, &w);
	}
	j->r->unlooked = count - i;
	losses_sort(&j->l);
	free(all);
}

/* --- what a victim lost ---------------------------------------------------------------------- */

static struct report_party party_of(const struct loss_group *g, uint64_t ns, uint64_t of)
{
	return (struct report_party){ g->thread, g->threads, ns, of };
}

/* Losses of a victim by a cause: the first one, and their number. */
static struct loss **losses_of(const struct judge *j, uint32_t victim, enum loss_cause cause,
			       size_t *count)
{
	struct loss **all = j->l.losses;
	size_t low = 0, high = j->l.loss_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (all[middle]->victim < victim ||
		    (all[middle]->victim == victim && all[middle]->cause < cause))
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < j->l.loss_count && all[high]->victim == victim &&
	     all[high]->cause == cause; high++)
		;
	*count = high - low;
	return all + low;
}

static struct report_party culprit_of(const struct judge *j, const struct loss *loss)
{
	const struct loss_group *g = j->l.groups[loss->by];
	const struct report_thread *t = losses_thread(&j->l, loss->thread);

	return (struct report_party){ t, loss->is_several ? g->threads : 1, loss->ns, 0 };
}

/* Those threads until which the victim slept meanwhile, the one with most time first. */
static void set_through(const struct judge *j, struct report_finding *f, const struct loss *total)
{
	bool is_taken[LOSS_LASTS] = { false };
	size_t i, k, most;

	for (i = 0; i < REPORT_PARTIES; i++) {
		for (k = 0, most = LOSS_LASTS; k < LOSS_LASTS; k++)
			if (!is_taken[k] && total->lasts[k].ns &&
			    total->lasts[k].ns >= NOTABLE_CULPRIT * (total->ns - total->direct) &&
			    (most == LOSS_LASTS || total->lasts[k].ns > total->lasts[most].ns))
				most = k;
		if (most == LOSS_LASTS)
			return;
		is_taken[most] = true;
		f->through[i] = party_of(j->l.groups[total->lasts[most].group],
					 total->lasts[most].ns, 0);
	}
}

static void set_culprits(const struct judge *j, struct candidate *c, struct loss *const *of,
			 size_t count, bool are_threads)
{
	struct report_finding *f = &c->f;

	for (; f->culprit_count < count && of[f->culprit_count]->ns >= NOTABLE_CULPRIT * f->victim.ns;
	     f->culprit_count++)
		if (f->culprit_count < REPORT_PARTIES)
			f->culprits[f->culprit_count] = are_threads ?
				culprit_of(j, of[f->culprit_count]) :
				(struct report_party){ .ns = of[f->culprit_count]->ns };
	c->by = count ? of[0]->by : 0;
	c->by_group = count && are_threads ? j->l.groups[c->by] : NULL;
}

/* Is the victim's only CPU the one? */
static bool is_bound(const struct report_thread *t, uint16_t cpu)
{
	char *end;
	unsigned long only = t->sched->cpus ? strtoul(t->sched->cpus, &end, 10) : 0;

	return t->sched->cpus && end != t->sched->cpus && !*end && only == cpu;
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

/* The CPU that was idle most, other than the one where threads waited while another was idle. */
static void set_idle(const struct judge *j, struct report_finding *f, const struct loss_group *g)
{
	size_t i;

	if (f->cpu == REPORT_NO_CPU || g->crowd_cpu != f->cpu || g->crowd < f->victim.ns / 2 ||
	    is_of_cpu(g->thread->sched->name, f->cpu))
		return;
	f->is_bound = is_bound(g->thread, f->cpu);
	for (i = 0; i < j->r->cpu_count; i++) {
		const struct report_cpu *cpu = j->r->cpus[i];

		if (cpu->number == f->cpu || cpu->idle <= f->idle_ns)
			continue;
		f->idle_cpu = cpu->number;
		f->idle_ns = cpu->idle;
	}
}

/* Name a thread's cgroup unless it is the root, which has no quota. */
static const char *cgroup_of(const struct report_thread *t)
{
	const char *cgroup = t->sched->owner ? t->sched->owner->cgroup : NULL;

	return cgroup && *cgroup && strcmp(cgroup, "/") ? cgroup : NULL;
}

static const char *origin_name(const struct sched_origin *o)
{
	return o->path ? o->path : o->name;
}

static void set_cgroup(const struct judge *j, struct report_finding *f, struct loss *const *of)
{
	const struct loss *most = of[0];

	if (most->cause == LOSS_THROTTLED) {
		f->cgroup = origin_name(history_origin(j->l.h, most->by));
	} else if (most->by) {
		f->cgroup = origin_name(history_origin(j->l.h, most->by - 1));
		f->is_near = true;
	} else {
		f->cgroup = cgroup_of(f->victim.thread);
	}
}

/* Everything about one cause of a victim. */
static struct candidate *add_loss(struct judge *j, const struct loss_group *g, enum loss_cause cause,
				  enum report_finding_kind kind)
{
	const struct loss *total = &g->total[cause];
	struct candidate *c = add_candidate(j, kind);
	struct loss **of;
	size_t count;

	of = losses_of(j, g->number, cause, &count);
	c->group = g;
	c->f.victim = party_of(g, total->ns, g->life);
	c->f.count = total->count;
	c->f.longest = total->longest;
	c->f.longest_from = total->longest_from;
	c->f.direct = total->direct;
	c->f.is_part = j->l.beyond;
	c->f.is_open = total->is_open;
	c->f.cpu = total->elsewhere < NOTABLE_CULPRIT * total->ns ? total->cpu : REPORT_NO_CPU;
	set_culprits(j, c, of, count, cause <= LOSS_RECORDER || cause >= LOSS_RUN);
	set_through(j, &c->f, total);
	if (cause == LOSS_INTERRUPT && count)
		c->f.origin = history_origin(j->l.h, of[0]->by);
	if (cause == LOSS_LIMITED)
		c->f.limit = account_limit_name(of[0]->by);
	if (cause == LOSS_THROTTLED || cause == LOSS_IDLE)
		set_cgroup(j, &c->f, of);
	if (cause <= LOSS_TURN)
		set_idle(j, &c->f, g);
	return c;
}

/*
 * If threads of a process take turns because each sleeps until others have run, and not only for lack
 * of CPUs: ns that those of a group slept while others ran.
 */
static uint64_t turns_of(const struct judge *j, const struct loss_group *g, uint64_t *count)
{
	uint64_t ns = 0, back = 0;
	size_t i;

	if (!g->takes_turns)
		return 0;
	for (i = 0; i < j->l.loss_count; i++) {
		const struct loss *loss = j->l.losses[i];

		if (loss->cause != LOSS_RUN ||
		    j->l.groups[loss->by]->thread->process != g->thread->process)
			continue;
		if (j->l.groups[loss->victim]->thread->process == g->thread->process &&
		    loss->by == g->number)
			back += loss->ns;
		if (loss->victim != g->number)
			continue;
		ns += loss->ns;
		*count += loss->count;
	}
	return back >= ns / 8 && ns >= CONVOY_SHARE * g->life ? ns : 0;
}

static void judge_group(struct judge *j, const struct loss_group *g)
{
	static const enum report_finding_kind kinds[LOSS_CAUSES] = {
		[LOSS_BEHIND] = REPORT_FINDING_BEHIND,
		[LOSS_TURN] = REPORT_FINDING_BEHIND,
		[LOSS_RECORDER] = REPORT_FINDING_RECORDER,
		[LOSS_INTERRUPT] = REPORT_FINDING_INTERRUPT,
		[LOSS_THROTTLED] = REPORT_FINDING_THROTTLED,
		[LOSS_LIMITED] = REPORT_FINDING_LIMITED,
		[LOSS_IDLE] = REPORT_FINDING_HELD,
		[LOSS_UNKNOWN] = REPORT_FINDING_UNKNOWN,
	};
	struct candidate *c;
	unsigned int cause;

	for (cause = 0; cause < LOSS_RUN; cause++) {
		uint64_t ns = g->total[cause].ns;

		if (!is_notable(j, ns) || ns < NOTABLE_SHARE * g->life ||
		    (cause == LOSS_TURN && turns_of(j, g, &(uint64_t){ 0 })))
			continue;
		c = add_loss(j, g, cause, kinds[cause]);
		c->f.is_own = c->by_group == g;
		/* They only divide what CPUs there are among themselves. */
		if (c->f.kind != REPORT_FINDING_BEHIND || !c->f.is_own || c->f.idle_ns)
			continue;
		c->f.kind = REPORT_FINDING_CROWD;
		j->count -= j->e->options->filter.by_cpu;
	}
}

/* --- victims of the same culprit are one finding --------------------------------------------- */

static bool is_one(const struct candidate *a, const struct candidate *b)
{
	if (a->f.kind != b->f.kind || a->by != b->by)
		return false;
	return a->f.kind == REPORT_FINDING_BEHIND || a->f.kind == REPORT_FINDING_INTERRUPT ||
	       a->f.kind == REPORT_FINDING_THROTTLED || a->f.kind == REPORT_FINDING_LIMITED || a->f.kind == REPORT_FINDING_RECORDER ||
	       (a->f.kind == REPORT_FINDING_HELD && (a->f.is_near ||
		(a->f.cgroup && b->f.cgroup && !strcmp(a->f.cgroup, b->f.cgroup)))) ||
	       a->f.kind == REPORT_FINDING_UNKNOWN;
}

/* Does it sleep until a thread that the culprit keeps from running, although it is more urgent? */
static bool is_inversion(const struct candidate *c)
{
	const struct report_party *last = &c->f.through[0], *by = &c->f.culprits[0];

	return c->f.kind == REPORT_FINDING_BEHIND && c->f.direct < c->f.victim.ns / 2 &&
	       report_is_real_time(c->group->thread->sched->weight) && last->thread &&
	       by->thread && by->thread->sched->weight < c->group->thread->sched->weight &&
	       last->thread->sched->weight <= by->thread->sched->weight;
}

static double share_of(const struct candidate *c)
{
	return part(c->f.victim.ns, c->f.victim.of);
}

/* Which of two is the one to tell about? */
static bool leads(const struct candidate *a, const struct candidate *b)
{
	bool direct = a->f.direct >= a->f.victim.ns / 2;

	if (a->f.is_inversion != b->f.is_inversion)
		return a->f.is_inversion;
	if (direct != (b->f.direct >= b->f.victim.ns / 2))
		return direct;
	if (share_of(a) != share_of(b))
		return share_of(a) > share_of(b);
	return a->group->run < b->group->run;
}

/* Keep those with the largest shares. */
static void add_party(struct report_party *to, size_t *count, const struct report_party *p)
{
	size_t at = (*count)++, i = at < REPORT_PARTIES ? at : REPORT_PARTIES;

	for (; i && part(p->ns, p->of) > part(to[i - 1].ns, to[i - 1].of); i--)
		if (i < REPORT_PARTIES)
			to[i] = to[i - 1];
	if (i < REPORT_PARTIES)
		to[i] = *p;
}

/* Of a lead that did not sleep itself, the others may have slept until it. */
static void add_other(struct report_finding *f, const struct candidate *c)
{
	if (f->direct >= f->victim.ns / 2 && c->f.direct < c->f.victim.ns / 2)
		add_party(f->sleepers, &f->sleeper_count, &c->f.victim);
	else
		add_party(f->others, &f->other_count, &c->f.victim);
}

static void drop(struct judge *j, size_t at)
{
	j->all[at] = j->all[--j->count];
}

/* Join those of one culprit. */
static void join(struct judge *j)
{
	struct candidate lead;
	size_t i, k, first;

	for (i = 0; i < j->count; i++)
		j->all[i].f.is_inversion = is_inversion(&j->all[i]);
	for (i = 0; i < j->count; i++) {
		for (k = i + 1, first = i; k < j->count; k++)
			if (is_one(&j->all[i], &j->all[k]) && leads(&j->all[k], &j->all[first]))
				first = k;
		lead = j->all[first];
		lead.rank = share_of(&lead);
		j->all[first] = j->all[i];
		for (k = i + 1; k < j->count; k++) {
			if (!is_one(&lead, &j->all[k]))
				continue;
			add_other(&lead.f, &j->all[k]);
			lead.rank = more(lead.rank, share_of(&j->all[k]));
			drop(j, k--);
		}
		j->all[i] = lead;
	}
}

/* Of two that wait for each other's CPU, tell about the one that needs it less. */
static void join_mutual(struct judge *j)
{
	struct candidate *a, *b, kept;
	size_t i, k;

	for (i = 0; i < j->count; i++) {
		for (k = i + 1; k < j->count; k++) {
			a = &j->all[i];
			b = &j->all[k];
			if (a->f.kind != REPORT_FINDING_BEHIND || b->f.kind != a->f.kind ||
			    a->by_group != b->group || b->by_group != a->group)
				continue;
			kept = a->group->run <= b->group->run ? *a : *b;
			kept.f.back = a->group->run <= b->group->run ? b->f.victim : a->f.victim;
			kept.rank = more(a->rank, b->rank);
			*a = kept;
			drop(j, k--);
		}
	}
}

/* --- threads that sleep until others --------------------------------------------------------- */

/* The finding that a group limits others. */
static struct candidate *limit_of(struct judge *j, const struct loss_group *g)
{
	struct candidate *c;
	size_t i;

	for (i = 0; i < j->count; i++)
		if (j->all[i].f.kind == REPORT_FINDING_LIMIT && j->all[i].group == g)
			return &j->all[i];
	c = add_candidate(j, REPORT_FINDING_LIMIT);
	c->group = g;
	c->f.victim = party_of(g, g->run + g->waited, g->life);
	c->f.is_part = j->l.beyond;
	return c;
}

/* Did others sleep while a group ran, which always ran, or waited for a CPU? */
static void find_limits(struct judge *j)
{
	struct candidate *c;
	struct report_party p;
	size_t i;

	for (i = 0; i < j->l.loss_count; i++) {
		const struct loss *loss = j->l.losses[i];
		const struct loss_group *of = j->l.groups[loss->victim], *by;

		if (loss->cause != LOSS_RUN)
			continue;
		by = j->l.groups[loss->by];
		if (by == of || !by->is_victim || !of->is_victim ||
		    by->run + by->waited < LIMIT_ACTIVE * by->life ||
		    loss->ns < LIMIT_SHARE * of->life || !is_notable(j, loss->ns))
			continue;
		c = limit_of(j, by);
		p = party_of(of, loss->ns, of->life);
		add_party(c->f.sleepers, &c->f.sleeper_count, &p);
		c->f.count += loss->count;
		c->rank = more(c->rank, part(loss->ns, of->life));
	}
}

static void find_convoy(struct judge *j, const struct report_process *p)
{
	struct report_finding f = {
		.kind = REPORT_FINDING_CONVOY, .cpu = REPORT_NO_CPU, .is_part = j->l.beyond,
	};
	uint64_t ns, count, most = 0;
	const struct loss_group *g;
	struct candidate *c;
	size_t i;

	if (!takes_turns(j, p))
		return;
	for (i = 0; i < j->l.group_count; i++) {
		g = j->l.groups[i];
		count = 0;
		ns = g->is_victim && g->thread->process == p ? turns_of(j, g, &count) : 0;
		if (!ns)
			continue;
		if (g->run >= most)
			f.victim.thread = g->thread;
		most = g->run > most ? g->run : most;
		f.victim.threads += g->threads;
		f.victim.ns += ns + g->total[LOSS_TURN].ns;
		f.victim.of += g->life;
		f.count += count + g->total[LOSS_TURN].count;
		f.longest = more(f.longest, more(g->total[LOSS_RUN].longest,
						       g->total[LOSS_TURN].longest));
	}
	if (f.victim.threads < CONVOY_THREADS)
		return;
	c = add_candidate(j, REPORT_FINDING_CONVOY);
	c->f = f;
	c->rank = part(f.victim.ns, f.victim.of);
}

static void find_slept(struct judge *j, const struct loss_group *g)
{
	const struct loss *total = &g->total[LOSS_IO];
	struct candidate *c;

	if (!g->is_victim || !is_notable(j, total->ns) || total->ns < SLEPT_SHARE * g->life)
		return;
	c = add_loss(j, g, LOSS_IO, REPORT_FINDING_SLEPT);
	c->f.function = why_function(j->l.h, total->turn, true);
	c->rank = share_of(c);
}

/* Length of a name without the number at its end. */
static size_t stem(const char *name)
{
	size_t length = strlen(name);

	while (length && strchr("0123456789-_/:.#", name[length - 1]))
		length--;
	return length;
}

static int by_pool(const void *a, const void *b)
{
	const struct report_thread *x = *(struct report_thread *const *)a;
	const struct report_thread *y = *(struct report_thread *const *)b;
	size_t length = stem(x->sched->name);

	if (x->process != y->process)
		return x->process->koid < y->process->koid ||
		       (x->process->koid == y->process->koid && x->process->nth < y->process->nth) ? -1 : 1;
	if (length != stem(y->sched->name))
		return length < stem(y->sched->name) ? -1 : 1;
	return strncmp(x->sched->name, y->sched->name, length);
}

/* One of these threads may sleep until interrupts while the others hardly do. */
static void find_slow(struct judge *j, struct report_thread *const *pool, size_t count)
{
	const struct report_thread *most = NULL;
	uint64_t ns = 0, next = 0, times = 0, own;
	struct candidate *c;
	struct why_window life;
	size_t i;

	for (i = 0; i < count; i++) {
		own = slept(pool[i], true);
		next = own > ns ? ns : own > next ? own : next;
		most = own > ns ? pool[i] : most;
		ns = own > ns ? own : ns;
	}
	if (count < SLOW_THREADS || !is_notable(j, ns) || ns < SLOW_TIMES * next)
		return;
	life = life_of(j, most);
	for (i = 0; i < most->waker_count; i++)
		times += most->wakers[i].irq ? most->wakers[i].count : 0;
	if (ns < SLOW_SHARE * (life.to - life.from) || !times)
		return;
	c = add_candidate(j, REPORT_FINDING_SLOW);
	c->f.victim = (struct report_party){ most, 1, ns, life.to - life.from };
	c->f.count = times;
	c->f.longest = ns / times;
	add_party(c->f.others, &c->f.other_count,
		  &(struct report_party){ pool[0] == most ? pool[1] : pool[0], count - 1, next, 0 });
	c->rank = share_of(c);
}

static void find_pools(struct judge *j)
{
	struct report_thread **all = must(calloc(j->r->thread_count + 1, sizeof(*all)));
	size_t count = 0, i, next;

	for (i = 0; i < j->r->thread_count; i++)
		if (j->r->threads[i]->process &&
		    j->r->threads[i]->process->sum.threads >= SLOW_THREADS)
			all[count++] = j->r->threads[i];
	qsort(all, count, sizeof(*all), by_pool);
	for (i = 0; i < count; i = next) {
		for (next = i + 1; next < count && !by_pool(&all[i], &all[next]); next++)
			;
		find_slow(j, all + i, next - i);
	}
	free(all);
}

static void find_sleepers(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->r->process_count; i++)
		find_convoy(j, j->r->processes[i]);
	if (!j->r->is_part)
		return;
	find_limits(j);
	for (i = 0; i < j->l.group_count; i++)
		find_slept(j, j->l.groups[i]);
	find_pools(j);
}

/* --- one wait -------------------------------------------------------------------------------- */

/* Who kept the thread from running in this wait? Return: NULL if nobody counts */
static struct candidate *judge_wait(struct judge *j, const struct why_window *w,
				    enum report_finding_kind kind)
{
	struct judge of = { .e = j->e, .r = j->r };
	struct candidate *c = NULL;
	const struct loss_group *g;
	unsigned int cause, most = 0;

	losses_open(&of.l, j->e, STEPS_LEAST);
	losses_add(&of.l, w);
	losses_sort(&of.l);
	g = losses_group(&of.l, w->thread);
	for (cause = 0; cause < LOSS_RUN; cause++)
		most = g->total[cause].ns > g->total[most].ns ? cause : most;
	if (kind == REPORT_FINDING_TRIGGER ||
	    (most != LOSS_RECORDER && most < LOSS_IDLE && g->total[most].ns)) {
		c = add_candidate(j, kind);
		c->f = add_loss(&of, g, most, kind)->f;
		c->f.victim.of = w->to - w->from;
		c->f.victim.threads = 1;
		c->f.victim.thread = losses_thread(&j->l, w->thread);
		c->f.is_open = w->is_open;
		c->rank = 1;
	}
	free(of.all);
	losses_close(&of.l);
	return c;
}

/* The wait may have gone on after it fired the trigger. */
static void find_trigger(struct judge *j)
{
	const struct report_wait *t = &j->r->trigger;
	const struct history_turn *turn;
	struct why_window w;
	uint32_t number;

	if (!j->r->has_trigger || j->r->cause != FXT_SCHED_CAUSE_LATENCY || !t->thread || !t->latency)
		return;
	w = (struct why_window){
		.thread = t->thread->sched->id, .from = t->time - t->latency, .to = t->time,
		.is_open = t->is_open,
	};
	for (number = j->l.h->threads[w.thread]->last; number && t->is_open; number = turn->before) {
		turn = history_turn(j->l.h, number);
		if (turn->ready > t->time)
			continue;
		w.to = turn->has_run ? turn->from : history_turn_end(j->l.h, turn);
		w.is_open = !turn->has_run;
		w.to = w.to > t->time ? w.to : t->time;
		break;
	}
	judge_wait(j, &w, REPORT_FINDING_TRIGGER);
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
static bool is_unusual(const struct report_wait *w, uint64_t usual)
{
	if (w->latency >= SPIKE_TURN_NS && ((w->is_open && !usual) || report_is_starved(w)))
		return true;
	return usual && w->latency / SPIKE_TIMES >= usual &&
	       (w->kind != REPORT_PREEMPTED || w->latency >= SPIKE_TURN_NS);
}

/* Does another finding explain this wait already? */
static bool is_told(struct judge *j, const struct report_wait *w)
{
	const struct loss_group *g = losses_group(&j->l, w->thread->sched->id);
	unsigned int cause;
	size_t i;

	for (cause = 0; cause < LOSS_RUN; cause++)
		if (is_notable(j, g->total[cause].ns) && g->total[cause].ns >= NOTABLE_SHARE * g->life)
			return true;
	for (i = 0; i < j->count; i++)
		if (j->all[i].f.kind == REPORT_FINDING_TRIGGER && j->all[i].f.victim.thread == w->thread)
			return true;
	return g->is_recorder;
}

/* Report the longest spike only: the others mostly have the same cause. */
static void find_spike(struct judge *j)
{
	struct candidate *c = NULL;
	struct why_window w;
	size_t i;

	for (i = 0; i < j->r->worst_count && !c; i++) {
		const struct report_wait *of = &j->r->worst[i];
		uint64_t usual = usual_wait(j->r, of);

		if (of->kind == REPORT_HELD || !is_unusual(of, usual) || is_told(j, of) ||
		    of->latency < (report_is_real_time(of->weight) ? SPIKE_RT_NS : SPIKE_NS))
			continue;
		w = (struct why_window){
			.thread = of->thread->sched->id, .from = of->time - of->latency,
			.to = of->time, .is_open = of->is_open,
		};
		c = judge_wait(j, &w, REPORT_FINDING_SPIKE);
		if (c)
			c->f.usual = is_often_long(of) ? 0 : usual;
	}
}

/* --- one CPU is busy, and the others are idle ------------------------------------------------ */

/* Time in which a CPU was idle for a reason that an earlier finding has. */
static uint64_t explained_ns(const struct judge *j)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < j->count; i++) {
		const struct report_finding *f = &j->all[i].f;

		if (f->kind == REPORT_FINDING_CONVOY)
			return UINT64_MAX;
		if (f->kind == REPORT_FINDING_THROTTLED || f->kind == REPORT_FINDING_HELD ||
		    f->kind == REPORT_FINDING_LIMITED || f->idle_ns)
			ns += f->victim.ns + f->back.ns;
	}
	return ns;
}

/* The thread that ran alone longest, or all of its name if others of it did, too. */
static struct report_party find_alone(struct judge *j)
{
	const struct report *r = j->r;
	struct report_party p = { NULL, 1, 0, 0 };
	const struct loss_group *g;
	size_t i;

	for (i = 0; i < r->thread_count; i++) {
		if (r->threads[i]->n.alone <= p.ns || r->threads[i]->sched->same)
			continue;
		g = losses_group(&j->l, r->threads[i]->sched->id);
		if (!g->is_recorder)
			p = (struct report_party){ r->threads[i], 1, r->threads[i]->n.alone, 0 };
	}
	for (i = 0; i < r->comm_count && p.thread; i++) {
		const struct report_comm *c = r->comms[i];

		if (strcmp(c->name, p.thread->sched->name) || p.ns >= SERIAL_MOST * c->sum.n.alone)
			continue;
		p.threads = c->sum.threads;
		p.ns = c->sum.n.alone;
	}
	return p;
}

static void find_serial(struct judge *j)
{
	const struct report *r = j->r;
	uint64_t alone = r->totals.n.alone;	/* which CPU is the busy one is known */
	uint64_t ns = earlier(alone, j->e->busy.ns[METER_ONE]) - earlier(alone, j->e->blind);
	uint64_t known = explained_ns(j);
	struct report_party p;
	struct candidate *c;

	if (r->totals.cpus < 2 || ns < known || !is_notable(j, ns - known) ||
	    ns - known < NOTABLE_SERIAL * report_window(r))
		return;
	p = find_alone(j);
	if (!p.thread || p.ns < SERIAL_PART * ns)
		return;
	/* Includes time that was counted before another CPU became known. */
	p.ns = earlier(p.ns, ns);
	p.of = ns;
	c = add_candidate(j, REPORT_FINDING_SERIAL);
	c->f.victim = p;
	c->rank = 1;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* From spike on, kinds are sorted. */
static unsigned int order_of(const struct candidate *c)
{
	return c->f.kind == REPORT_FINDING_TRIGGER ? 0 :
	       c->f.kind < REPORT_FINDING_SPIKE ? 1 : c->f.kind;
}

static int by_rank(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (order_of(x) != order_of(y))
		return order_of(x) < order_of(y) ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return x->f.kind != y->f.kind ? (int)x->f.kind - (int)y->f.kind :
	       x->f.victim.thread->sched->id < y->f.victim.thread->sched->id ? -1 : 1;
}

static void judge(struct judge *j)
{
	size_t i;

	find_victims(j);
	look(j);
	for (i = 0; i < j->l.group_count; i++)
		if (j->l.groups[i]->is_victim)
			judge_group(j, j->l.groups[i]);
	join(j);
	join_mutual(j);
	find_sleepers(j);
	find_trigger(j);
	find_spike(j);
	find_serial(j);
}

void engine_findings(struct report_engine *e)
{
	struct judge j = { .e = e, .r = &e->report };
	size_t i;

	if (!e->history)
		return;
	losses_open(&j.l, e, STEPS_LEAST + e->history->turns.count / STEPS_TURNS);
	judge(&j);
	if (j.count)
		qsort(j.all, j.count, sizeof(*j.all), by_rank);
	for (i = 0; i < j.count && e->report.finding_count < REPORT_FINDINGS; i++)
		e->report.findings[e->report.finding_count++] = j.all[i].f;
	free(j.all);
	losses_close(&j.l);
}
