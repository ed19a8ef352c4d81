// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory.c - adds up reclaim and compaction of memory by thread and kind, and finds threads that
 * spent much of their time so. Memory grows with threads, not with slices.
 */
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static struct report_memory *memory_of(struct report_engine *e, struct report_thread *t,
				       const struct sched_origin *of)
{
	struct report_memory *m;

	for (m = t->memory; m; m = m->next)
		if (m->of == of)
			return m;
	m = arena_new(&e->arena, struct report_memory);
	m->of = of;
	m->thread = t;
	m->next = t->memory;
	t->memory = m;
	return m;
}

void engine_count_memory(struct report_engine *e, const struct sched_slice *s)
{
	struct report_memory *m = memory_of(e, engine_thread(e, s->thread), s->origin);
	uint64_t from = s->from, to = s->to;

	if (e->is_narrow && !engine_narrow(e, s->cpu, &from, &to))
		return;
	m->total += to - from;
	if (!engine_counts(e, s->to, s->cpu))
		return;
	m->count++;
	m->pages += s->pages;
	if (s->to - s->from > m->longest || m->count == 1) {
		m->longest = s->to - s->from;
		m->longest_time = s->to;
		m->longest_cpu = s->cpu;
	}
}

ARRAY_COMPARE_POINTERS(by_time, struct report_memory, x, y,
		       array_order(y->total, x->total) ?: array_order(y->count, x->count) ?:
		       array_order(x->thread->sched->id, y->thread->sched->id) ?:
		       array_order(x->of->id, y->of->id))

void engine_memory_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct report_memory *m;
	struct report_thread *t;
	size_t i = 0;

	k->memory = NULL;
	k->memory_count = 0;
	while ((t = engine_next_thread(e, &i))) {
		for (m = engine_selects(e, t) ? t->memory : NULL; m; m = m->next) {
			if (!m->count && !m->total)
				continue;
			arena_more(&e->arena, k->memory, k->memory_count);
			k->memory[k->memory_count++] = m;
		}
	}
	array_sort(k->memory, k->memory_count, by_time);
}

/* These threads compact memory for others. */
static bool is_kcompactd(const struct report_thread *t)
{
	return !strncmp(t->sched->name, "kcompactd", strlen("kcompactd"));
}

static void add(struct judge *j, struct map *sums, const struct report_memory *m)
{
	const struct loss_group *g = losses_group(&j->l, m->thread->sched->id);
	struct finding_sum *s = finding_sum_of(sums, g, m->of->id);
	struct why_window life = finding_life(j, m->thread);

	finding_sum_add(s, m->thread, m->total, &life);
	s->count += m->count;
	if (m->longest > s->longest) {
		s->longest = m->longest;
		s->longest_from = m->longest_time - m->longest;
	}
}

static void judge(struct judge *j, const struct finding_sum *s)
{
	struct candidate *c;

	if (!is_notable(j, s->victim.ns) || s->victim.ns < NOTABLE_SHARE * s->victim.of)
		return;
	c = finding_add_sum(j, REPORT_FINDING_MEMORY, s);
	c->f.origin = history_origin(j->l.h, s->origin);
	/* Else the known cgroup may be that of another controller. */
	if (j->r->totals.archive->has_v2)
		c->f.cgroup = finding_cgroup(s->victim.thread);
	c->rank = ratio(s->victim.ns, s->victim.of);
}

void finding_memory(struct judge *j)
{
	const struct report_kernel *k = &j->r->kernel;
	struct map sums = { 0 };
	struct finding_sum *s;
	size_t i;

	for (i = 0; i < k->memory_count; i++)
		if (!is_kcompactd(k->memory[i]->thread))
			add(j, &sums, k->memory[i]);
	map_each(&sums, s)
		judge(j, s);
	map_free_all(&sums, struct finding_sum);
}
