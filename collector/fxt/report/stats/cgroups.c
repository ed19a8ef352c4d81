// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups.c - the time in which cgroups were throttled, and what the kernel counted of them.
 *
 * Slices of a cgroup on all CPUs come in the order of their ends: they show how often, and how
 * long, at least one CPU kept its threads from running. The collector has read the counters about
 * every second; they count from a cgroup's creation. Their growth from the last value before the
 * selected time to the first one within it counts, too.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void forget_first(struct report_throttled *t)
{
	t->ns += t->recent[0].to - t->recent[0].from;
	t->until = t->recent[0].to;
	t->periods++;
	t->count--;
	memmove(t->recent, t->recent + 1, t->count * sizeof(*t->recent));
}

void report_throttled_add(struct report_throttled *t, uint64_t from, uint64_t to)
{
	const struct report_period *last;

	from = from < t->until ? t->until : from;
	if (from >= to)
		return;
	for (; t->count; t->count--) {
		last = &t->recent[t->count - 1];
		if (last->to < from)
			break;
		from = last->from < from ? last->from : from;
		to = last->to > to ? last->to : to;
	}
	if (t->count == REPORT_PERIODS)
		forget_first(t);
	t->recent[t->count++] = (struct report_period){ from, to };
}

void report_throttled_end(struct report_throttled *t)
{
	while (t->count)
		forget_first(t);
}

/* The model's cgroup keeps the index of its entry here, from 1 on. */
static struct report_quota *quota_of(struct report_engine *e, struct sched_quota *q)
{
	struct report_kernel *k = &e->report.kernel;
	struct report_quota *quota;

	if (q->user)
		return &k->quotas[q->user - 1];
	arena_more(&e->arena, k->quotas, k->quota_count);
	quota = &k->quotas[k->quota_count++];
	q->user = k->quota_count;
	*quota = (struct report_quota){ .cgroup = q->cgroup, .path = q->path };
	memcpy(quota->base, q->counts, sizeof(quota->base));
	memcpy(quota->counts, q->counts, sizeof(quota->counts));
	return quota;
}

void engine_note_quota(struct report_engine *e, struct sched_quota *q)
{
	struct report_quota *quota;

	if (q->time > e->to)
		return;
	quota = quota_of(e, q);
	if (q->time <= e->from)
		memcpy(quota->base, q->counts, sizeof(quota->base));
	memcpy(quota->counts, q->counts, sizeof(quota->counts));
}

static int quota_by_time(const void *a, const void *b)
{
	const struct report_quota *x = a, *y = b;
	unsigned int i;

	/* By time, then by throttled periods, then by all periods. */
	for (i = SCHED_QUOTA_COUNTS; i--; )
		if (x->counts[i] != y->counts[i])
			return array_order(y->counts[i], x->counts[i]);
	return array_order(x->cgroup, y->cgroup);
}

void engine_quotas_finish(struct report_engine *e)
{
	struct report_kernel *k = &e->report.kernel;
	struct report_quota *q;
	unsigned int i;
	size_t n;

	for (n = 0; n < k->quota_count; n++) {
		q = &k->quotas[n];
		for (i = 0; i < SCHED_QUOTA_COUNTS; i++)
			q->counts[i] -= q->counts[i] < q->base[i] ? q->counts[i] : q->base[i];
	}
	array_sort(k->quotas, k->quota_count, quota_by_time);
}
