// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * misfit.c - see misfit.h.
 *
 * In: events that do not fit the state of a thread or CPU.
 * Out: the same events, kept for judge.c, which knows what explains them. A
 * limited number of each kind is kept, as many as people will read; the others are counted.
 */
#include <stdlib.h>

#include "exec.h"
#include "findings.h"
#include "misfit.h"
#include "online.h"

/* Has a gap been open since the thread was seen last? */
static bool in_gap(const struct sched_model *m, const struct sched_thread *t)
{
	return m->gap_to && (t->last_event <= m->gap_to ||
			     t->last_event - m->gap_to <= SCHED_CLOCK_STEP);
}

bool sched_is_early(const struct sched_model *m, uint64_t last)
{
	uint64_t complete = sched_complete(m);

	return complete && (last <= complete || last - complete <= SCHED_CLOCK_STEP);
}

/* True if it was only switched in so far, never out. */
static bool may_hide(const struct sched_thread *t)
{
	return t->koid && !t->switches;
}

/*
 * Has a thread that may be hidden run since this one was last seen? A thread that was on a CPU
 * when the recording began may be hidden, too: no record shows when it was switched in.
 */
static bool hidden_ran(const struct sched_model *m, const struct sched_thread *t)
{
	const struct sched_cpu *cpu = m->cpu_list;
	unsigned int n;

	if (t->is_missed || (m->hidden_until && m->hidden_until >= t->last_event))
		return true;
	for (n = 0; cpu && n < SCHED_LOOK_CPUS; n++, cpu = cpu->next)
		if (!cpu->current || may_hide(cpu->current))
			return true;
	return false;
}

bool sched_is_unseen(const struct sched_model *m, const struct sched_thread *t)
{
	return in_gap(m, t) || hidden_ran(m, t);
}

/* Are there so many that only their number is still kept? */
static bool is_full(const struct sched_model *m, enum sched_finding_kind kind)
{
	return m->misfit_count[kind] == SCHED_MISFITS_PER_KIND && m->misfit_more[kind];
}

/* A CPU's own order is complete from the beginning. */
static void count_more(struct sched_model *m, const struct sched_misfit *f)
{
	uint64_t *last = &m->last_more[f->kind];
	uint64_t this = f->before ? UINT64_MAX : f->last_event;

	*last = this > *last ? this : *last;
	m->misfit_more[f->kind]++;
}

static void keep(struct sched_model *m, const struct sched_misfit *f)
{
	struct sched_misfit **list = &m->misfits[f->kind];

	if (!*list)
		*list = calloc(SCHED_MISFITS_PER_KIND, sizeof(**list));
	if (*list && m->misfit_count[f->kind] < SCHED_MISFITS_PER_KIND) {
		(*list)[m->misfit_count[f->kind]++] = *f;
		return;
	}
	if (!m->misfit_more[f->kind])
		m->first_more[f->kind] = *f;
	count_more(m, f);
}

void sched_misfit(struct sched_model *m, enum sched_finding_kind kind,
		  const struct sched_event *e, struct sched_thread *t,
		  struct sched_thread *before)
{
	struct sched_misfit f = {
		.kind = kind,
		.cpu = e->cpu,
		.state = t->state,
		.state_cpu = t->cpu,
		.out_state = e->state,
		.offset = e->offset,
		.time = e->time,
		.last_offset = before ? m->cpus[e->cpu]->offset : t->last_offset,
		.last_event = t->last_event,
		.since = before ? m->cpus[e->cpu]->since : 0,
		.thread = t,
		.before = before,
		.self = may_hide(before ? before : t),
	};

	if (!before && in_gap(m, t)) {
		sched_add(&m->after_loss, 1, e->offset, e->time);
		return;
	}
	if (!before && sched_is_early(m, t->last_event)) {
		sched_add(&m->early, 1, e->offset, e->time);
		return;
	}
	if (before && f.self) {
		m->hidden_until = e->time;
		if (!before->breaks++) {
			before->break_offset = e->offset;
			before->break_time = e->time;
		}
		if (before->breaks > SCHED_BREAKS_KEPT)
			return;
	}
	if (kind == SCHED_CHAIN && m->misfit_count[kind] == SCHED_MISFITS_PER_KIND &&
	    !m->misfit_more[kind])
		sched_fold_execs(m);
	if (is_full(m, kind)) {
		count_more(m, &f);
		return;
	}
	/* A thread switched out after an unknown one may have followed a hidden one. */
	f.others = !before && (kind == SCHED_CHAIN || hidden_ran(m, t));
	if (kind == SCHED_NOT_WOKEN)
		sched_find_leaving(m, &f);
	if (before && sched_is_offline(&f))
		m->cpus[e->cpu]->gone = m->cpus[e->cpu]->since;
	keep(m, &f);
}

bool sched_reused(struct sched_model *m, const struct sched_thread *t, uint16_t cpu)
{
	static const enum sched_finding_kind kinds[] = { SCHED_TWO_CPUS, SCHED_WOKEN_RUNNING };
	struct sched_misfit *f;
	bool found = false;
	size_t i, k;

	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		for (i = 0; i < m->misfit_count[kinds[k]]; i++) {
			f = &m->misfits[kinds[k]][i];
			if (f->thread != t || f->state_cpu != cpu)
				continue;
			f->reused = true;
			found = true;
		}
	return found;
}
