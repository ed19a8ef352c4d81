// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quota.c - see quota.h.
 *
 * In: counters that the collector has read from cpu.stat; they are of no stream.
 * Out: their values for the caller, and findings: a counter that lacks a value, or that goes
 * back.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "quota.h"

/* A cgroup, and its newest value. */
struct counted {
	struct map_node node;
	struct sched_quota quota;
	char *path;
	uint64_t offset;
};

static struct counted *find(const struct sched_model *m, uint64_t cgroup)
{
	uint64_t hash = map_hash(cgroup, 0);
	struct map_node *n = map_first(&m->quotas, hash);

	for (; n; n = map_next(n, hash))
		if (map_entry(n, struct counted, node)->quota.cgroup == cgroup)
			return map_entry(n, struct counted, node);
	return NULL;
}

static struct counted *add(struct sched_model *m, const struct fxt_content *c)
{
	struct counted *n = map_reserve(&m->quotas) ? NULL : calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->path = strndup(c->name.bytes, c->name.length);
	if (!n->path) {
		free(n);
		return NULL;
	}
	n->quota.cgroup = c->id;
	n->quota.path = n->path;
	map_add(&m->quotas, &n->node, map_hash(c->id, 0));
	return n;
}

static const char *fault_of(const struct fxt_content *c)
{
	unsigned int i;

	if (c->thread.thread != FXT_SCHED_KOID_THROTTLE)
		return "an event is not on a track of its kind";
	if (c->arg_count != SCHED_QUOTA_COUNTS)
		return "a cgroup's counter without its values";
	for (i = 0; i < SCHED_QUOTA_COUNTS; i++)
		if (c->args[i].type != FXT_ARG_UINT64 ||
		    c->args[i].name.known != FXT_STR_NR_PERIODS + i)
			return "a cgroup's counter without its values";
	return NULL;
}

static bool goes_back(const struct sched_quota *q, const struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < SCHED_QUOTA_COUNTS; i++)
		if (c->args[i].u64 < q->counts[i])
			return true;
	return false;
}

int sched_take_quota(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	uint64_t time = fxt_ticks_to_ns(c->time, rec->provider->ticks_per_second);
	const char *fault = fault_of(c);
	struct counted *n;
	unsigned int i;

	if (fault) {
		sched_tell(m, SCHED_EVENT, true, 1, rec->offset, time, "%s", fault);
		return m->error;
	}
	n = find(m, c->id);
	if (!n)
		n = add(m, c);
	else if (time < n->quota.time)
		return m->error;
	if (!n)
		return m->error = -ENOMEM;
	if (goes_back(&n->quota, c))
		sched_tell(m, SCHED_EVENT, true, 1, rec->offset, time,
			   "the counter of %s goes back (byte %" PRIu64 ")", n->path, n->offset);
	n->quota.time = time;
	n->offset = rec->offset;
	for (i = 0; i < SCHED_QUOTA_COUNTS; i++)
		n->quota.counts[i] = c->args[i].u64;
	m->error = m->ops->quota ? m->ops->quota(m->arg, &n->quota) : 0;
	return m->error;
}

void sched_quotas_close(struct sched_model *m)
{
	struct counted *c;
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&m->quotas, &from))) {
		c = map_entry(n, struct counted, node);
		free(c->path);
		free(c);
	}
	map_free(&m->quotas);
}
