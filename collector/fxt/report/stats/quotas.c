// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quotas.c - what the kernel counted of cgroups with a quota of CPU time. See sources.h.
 *
 * In: counters of cgroups, as the collector read them: about every second, and of each cgroup
 * its values since it exists.
 * Out: how much they grew in the selected time. Growth between a value before that time and
 * one within belongs to it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Their index, from 1 on, is kept at the model's. */
static struct report_quota *quota_of(struct report_engine *e, struct sched_quota *q)
{
	struct report_kernel *k = &e->report.kernel;
	size_t room = e->quota_room ? 2 * e->quota_room : 16;
	struct report_quota *more;

	if (q->user)
		return &k->quotas[q->user - 1];
	if (k->quota_count == e->quota_room) {
		more = realloc(k->quotas, room * sizeof(*more));
		if (!more)
			return NULL;
		k->quotas = more;
		e->quota_room = room;
	}
	more = &k->quotas[k->quota_count++];
	q->user = k->quota_count;
	*more = (struct report_quota){ .cgroup = q->cgroup, .path = q->path };
	memcpy(more->base, q->counts, sizeof(more->base));
	memcpy(more->counts, q->counts, sizeof(more->counts));
	return more;
}

int engine_take_quota(void *arg, struct sched_quota *q)
{
	struct report_engine *e = arg;
	struct report_quota *quota;

	if (q->time > e->to)
		return 0;
	quota = quota_of(e, q);
	if (!quota)
		return -ENOMEM;
	if (q->time <= e->from)
		memcpy(quota->base, q->counts, sizeof(quota->base));
	memcpy(quota->counts, q->counts, sizeof(quota->counts));
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct report_quota *x = a, *y = b;
	unsigned int i;

	/* The time, then how often, then how often it ran at all. */
	for (i = SCHED_QUOTA_COUNTS; i--; )
		if (x->counts[i] != y->counts[i])
			return x->counts[i] > y->counts[i] ? -1 : 1;
	return x->cgroup < y->cgroup ? -1 : 1;
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
	if (k->quota_count)
		qsort(k->quotas, k->quota_count, sizeof(*k->quotas), by_time);
}
