// SPDX-License-Identifier: GPL-2.0-or-later
/* lost.c - findings: what a victim lost, by cause, and to whom. */
#include <stdlib.h>
#include <string.h>

#include "account/classes.h"
#include "judge.h"

#define NOTABLE_CULPRIT	0.10	/* of the victim's loss; smaller ones are not named */
#define CONVOY_SHARE	0.10	/* of its time, each sleeps while others run */

struct report_party finding_party(const struct loss_group *g, uint64_t ns, uint64_t of)
{
	return (struct report_party){ .thread = g->thread, .threads = g->threads, .ns = ns, .of = of };
}

void finding_relate(struct report_party *p, const struct loss_group *g,
		    const struct loss_group *victim)
{
	p->is_own = g == victim;
	p->is_other = g != victim && !strcmp(report_name(g->thread), report_name(victim->thread));
}

/* The first loss of a victim by a cause, and their number. */
static struct loss **losses_of(const struct judge *j, uint32_t victim, enum loss_cause cause,
			       size_t *count)
{
	struct loss **all = j->l.losses;
	size_t low = array_front(j->l.loss_count, i, all[i]->victim < victim ||
				 (all[i]->victim == victim && all[i]->cause < cause)), high;

	for (high = low; high < j->l.loss_count && all[high]->victim == victim &&
	     all[high]->cause == cause; high++)
		;
	*count = high - low;
	return all + low;
}

static struct report_party culprit_of(const struct judge *j, const struct loss *loss)
{
	const struct loss_group *g = j->l.groups[loss->by];
	struct report_party p = {
		.thread = losses_thread(&j->l, loss->thread),
		.threads = loss->is_several ? g->threads : 1,
		.ns = loss->ns,
	};

	finding_relate(&p, g, j->l.groups[loss->victim]);
	return p;
}

/* The threads until which the victim slept meanwhile, the one with most time first. */
static void set_through(const struct judge *j, struct report_finding *f, const struct loss_group *g,
			const struct loss *total)
{
	bool is_taken[LOSS_LASTS] = { false };
	const struct loss_group *by;
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
		by = j->l.groups[total->lasts[most].group];
		f->through[i] = finding_party(by, total->lasts[most].ns, 0);
		finding_relate(&f->through[i], by, g);
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

/* Is it the victim's only CPU? */
static bool is_bound(const struct report_thread *t, uint16_t cpu)
{
	char *end;
	unsigned long only = t->sched->cpus ? strtoul(t->sched->cpus, &end, 10) : 0;

	return t->sched->cpus && end != t->sched->cpus && !*end && only == cpu;
}

/* Threads of a CPU, such as ksoftirqd/3 and kworker/3:1, are bound to it on purpose. */
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

const char *finding_cgroup(const struct report_thread *t)
{
	const char *cgroup = scope_cgroup(t->sched);

	return *cgroup && strcmp(cgroup, "/") ? cgroup : NULL;
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
		f->cgroup = finding_cgroup(f->victim.thread);
	}
}

/* The requests for which it slept most, and those that were ahead of them. */
static void set_requests(const struct judge *j, struct candidate *c, const struct loss *most)
{
	struct loss **ahead;
	size_t count;

	ahead = losses_of(j, c->group->number, LOSS_AHEAD, &count);
	set_culprits(j, c, ahead, count, true);
	c->by = most->by;
	c->f.is_own = c->by_group == c->group && c->f.culprits[0].ns >= c->f.victim.ns / 2;
	c->f.origin = history_origin(j->l.h, most->by);
	c->f.of_origin = most->ns;
	c->f.queued = c->group->total[LOSS_REQUEST].queued;
}

struct candidate *finding_loss(struct judge *j, const struct loss_group *g, enum loss_cause cause,
				  enum report_finding_kind kind)
{
	const struct loss *total = &g->total[cause];
	struct candidate *c = finding_add(j, kind);
	struct loss **of;
	size_t count;

	of = losses_of(j, g->number, cause, &count);
	c->group = g;
	c->f.victim = finding_party(g, total->ns, g->life);
	c->f.count = total->count;
	c->f.longest = total->longest;
	c->f.longest_from = total->longest_from;
	c->f.direct = total->direct;
	c->f.host = total->host;
	c->f.is_part = j->l.beyond;
	c->f.is_open = total->is_open;
	c->f.cpu = total->elsewhere < NOTABLE_CULPRIT * total->ns ? total->cpu : REPORT_NO_CPU;
	if (cause == LOSS_REQUEST)
		set_requests(j, c, of[0]);
	else
		set_culprits(j, c, of, count, cause <= LOSS_RECORDER || cause >= LOSS_RUN);
	set_through(j, &c->f, g, total);
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
 * If threads of a process take turns because each sleeps until others have run, and not only for
 * lack of CPUs: ns that those of a group slept while others ran.
 */
uint64_t finding_turns(const struct judge *j, const struct loss_group *g, uint64_t *count)
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

void finding_group(struct judge *j, const struct loss_group *g)
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
		    (cause == LOSS_TURN && finding_turns(j, g, &(uint64_t){ 0 })))
			continue;
		c = finding_loss(j, g, cause, kinds[cause]);
		c->rank = finding_share(c);
		c->f.is_own = c->by_group == g;
		/* They only divide the CPUs among themselves. */
		if (c->f.kind != REPORT_FINDING_BEHIND || !c->f.is_own || c->f.idle_ns)
			continue;
		c->f.kind = REPORT_FINDING_CROWD;
		j->count -= j->e->options->filter.by_cpu;
	}
}
