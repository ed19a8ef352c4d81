// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locked.c - findings: threads wait for a lock, and no other finding is about these waits.
 *
 * In: waits for locks and the locks of the report, if locks were recorded; the other findings.
 * Out: for each lock, the threads of one name that lost most to it, and the others.
 */
#include <stdlib.h>

#include "judge.h"

#define LOCK_SHARE	0.20	/* of their time, threads wait for the lock */
#define LOCKS		64	/* that are looked at: those with most waiting time */

/* Return: ns of the wait in the selected time */
static uint64_t add_wait(const struct judge *j, struct finding_sum *s,
			 const struct history_lock *wait)
{
	uint64_t from = later(wait->from, j->e->from), to = earlier(wait->to, j->e->to);

	if (to <= from)
		return 0;
	s->count++;
	if (to - from > s->longest) {
		s->longest = to - from;
		s->longest_from = from;
	}
	return to - from;
}

struct lock_wait {
	const struct history_lock *wait;
	uint32_t lock;			/* id of the origin that stands for all of this lock */
};

ARRAY_COMPARE(by_lock, struct lock_wait, x, y, array_order(x->lock, y->lock))

static void add_thread(struct judge *j, struct map *sums, const struct report_thread *t)
{
	const struct loss_group *g = losses_group(&j->l, t->sched->id);
	size_t count = t->account.lock_count, i, first;
	struct lock_wait *all = must(calloc(count, sizeof(*all)));
	struct why_window life = finding_life(j, t);
	struct finding_sum *s;
	uint64_t ns;

	for (i = 0; i < count; i++)
		all[i] = (struct lock_wait){
			.wait = &t->account.locks[i],
			.lock = history_origin(j->l.h, t->account.locks[i].origin)->id,
		};
	array_sort(all, count, by_lock);
	for (first = 0; first < count; first = i) {
		s = finding_sum_of(sums, g, all[first].lock);
		for (i = first, ns = 0; i < count && all[i].lock == all[first].lock; i++)
			ns += add_wait(j, s, all[i].wait);
		if (ns)
			finding_sum_add(s, t, ns, &life);
	}
	free(all);
}

static const struct report_lock *lock_of(const struct judge *j, uint32_t id)
{
	const struct report_kernel *k = &j->r->kernel;
	size_t i;

	for (i = 0; i < k->lock_count && i < LOCKS; i++)
		if (k->locks[i].of->id == id && !k->locks[i].of->is_others)
			return &k->locks[i];
	return NULL;
}

/* ns of a group's sleeps that another finding is about; UINT64_MAX: all for this lock. */
static uint64_t known(const struct judge *j, const struct loss_group *g,
		      const struct report_lock *lock)
{
	const struct report_finding *f;
	unsigned int cause;
	uint64_t ns = 0;
	size_t i, k;

	for (cause = 0; cause < LOSS_RUN; cause++)
		ns += g->total[cause].ns - g->total[cause].direct;
	for (i = 0; i < j->count; i++) {
		f = &j->all[i].f;
		if (f->kind == REPORT_FINDING_CONVOY && f->lock == lock)
			return UINT64_MAX;
		if (f->kind == REPORT_FINDING_CONVOY &&
		    f->victim.thread->process == g->thread->process)
			ns += g->total[LOSS_RUN].ns;
		for (k = 0; f->kind == REPORT_FINDING_LIMIT && k < REPORT_PARTIES; k++)
			ns += f->sleepers[k].thread == g->thread ? f->sleepers[k].ns : 0;
		if (j->all[i].group == g &&
		    (f->kind == REPORT_FINDING_SLEPT || f->kind == REPORT_FINDING_REQUEST))
			ns += f->victim.ns - f->direct;
	}
	return ns;
}

static bool is_loss(const struct judge *j, const struct finding_sum *s, uint64_t ns)
{
	return is_notable(j, ns) && ns >= LOCK_SHARE * s->victim.of;
}

static void judge(struct judge *j, const struct finding_sum *s)
{
	const struct report_lock *lock = lock_of(j, s->origin);
	struct candidate *c;
	uint64_t ns, others;

	/* Few sums are so large that all findings must be searched. */
	if (!lock || !s->group->is_victim || !is_loss(j, s, s->victim.ns))
		return;
	others = known(j, s->group, lock);
	ns = s->victim.ns > others ? s->victim.ns - others : 0;
	if (!is_loss(j, s, ns))
		return;
	c = finding_add_sum(j, REPORT_FINDING_LOCK, s);
	c->f.direct = s->victim.ns;
	c->f.lock = lock;
	c->by = s->origin;
	c->rank = ratio(ns, s->victim.of);
}

void finding_locks(struct judge *j)
{
	const struct report_thread *t;
	struct map sums = { 0 };
	struct finding_sum *s;
	size_t i;

	for (i = 0; i < j->r->thread_count && j->r->kernel.lock_count; i++) {
		t = j->r->threads[i];
		if (t->account.lock_count && !t->is_idle && !t->sched->same)
			add_thread(j, &sums, t);
	}
	map_each(&sums, s)
		judge(j, s);
	map_free_all(&sums, struct finding_sum);
}
