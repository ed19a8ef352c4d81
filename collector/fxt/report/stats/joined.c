// SPDX-License-Identifier: GPL-2.0-or-later
/* joined.c - makes one finding of those about victims of one culprit, or of each other. */
#include <string.h>

#include "judge.h"

static bool is_one(const struct candidate *a, const struct candidate *b)
{
	if (a->f.kind != b->f.kind || a->by != b->by)
		return false;
	if (a->f.kind == REPORT_FINDING_REQUEST)
		return a->by_group == b->by_group && a->f.is_own == b->f.is_own;
	return a->f.kind == REPORT_FINDING_BEHIND || a->f.kind == REPORT_FINDING_INTERRUPT ||
	       a->f.kind == REPORT_FINDING_THROTTLED || a->f.kind == REPORT_FINDING_LIMITED || a->f.kind == REPORT_FINDING_RECORDER ||
	       (a->f.kind == REPORT_FINDING_HELD && (a->f.is_near ||
		(a->f.cgroup && b->f.cgroup && !strcmp(a->f.cgroup, b->f.cgroup)))) ||
	       a->f.kind == REPORT_FINDING_UNKNOWN || a->f.kind == REPORT_FINDING_LOCK;
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

double finding_share(const struct candidate *c)
{
	return ratio(c->f.victim.ns, c->f.victim.of);
}

/* Which of two is reported? */
static bool leads(const struct candidate *a, const struct candidate *b)
{
	bool direct = a->f.direct >= a->f.victim.ns / 2;

	if (a->f.is_inversion != b->f.is_inversion)
		return a->f.is_inversion;
	if (direct != (b->f.direct >= b->f.victim.ns / 2))
		return direct;
	if (finding_share(a) != finding_share(b))
		return finding_share(a) > finding_share(b);
	return a->group->run < b->group->run;
}

/* Keep those with the largest shares. */
void finding_add_party(struct report_party *to, size_t *count, const struct report_party *p)
{
	size_t at = (*count)++, i = at < REPORT_PARTIES ? at : REPORT_PARTIES;

	for (; i && ratio(p->ns, p->of) > ratio(to[i - 1].ns, to[i - 1].of); i--)
		if (i < REPORT_PARTIES)
			to[i] = to[i - 1];
	if (i < REPORT_PARTIES)
		to[i] = *p;
}

/* If the lead did not sleep itself, the others may have slept until it. */
static void add_other(struct report_finding *f, const struct candidate *c)
{
	if (f->direct >= f->victim.ns / 2 && c->f.direct < c->f.victim.ns / 2)
		finding_add_party(f->sleepers, &f->sleeper_count, &c->f.victim);
	else
		finding_add_party(f->others, &f->other_count, &c->f.victim);
}

static void drop(struct judge *j, size_t at)
{
	j->all[at] = j->all[--j->count];
}

void finding_join(struct judge *j)
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
		j->all[first] = j->all[i];
		for (k = i + 1; k < j->count; k++) {
			if (!is_one(&lead, &j->all[k]))
				continue;
			add_other(&lead.f, &j->all[k]);
			lead.rank = more(lead.rank, j->all[k].rank);
			drop(j, k--);
		}
		j->all[i] = lead;
	}
}

/* Of two that wait for each other's CPU, keep the one that needs it less. */
void finding_join_mutual(struct judge *j)
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
