// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups.c - throttled cgroups, their names, and the kernel's counters of them.
 *
 * In: slices in which a cgroup was throttled on a CPU, by their ends; names of their tracks;
 * counters that the collector has read from cpu.stat, which belong to no stream.
 * Out: names; values of the counters for the caller; anomalies: a cgroup is throttled twice; a
 * counter lacks a value, or decreases.
 * Must hold: slices of a cgroup on a CPU do not overlap. Cgroups may share a track, so they are
 * distinguished by their complete ids.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"
#include "threads.h"

/* --- throttled --------------------------------------------------------------------------- */

/* The last slice of a cgroup on a CPU. */
struct throttled {
	struct map_node node;
	uint64_t cgroup;
	uint16_t cpu;
	uint64_t until;		/* ns */
	uint64_t offset;
};

static struct throttled *throttled_of(struct sched_model *m, uint64_t cgroup, uint16_t cpu)
{
	uint64_t hash = map_hash(cgroup, cpu);
	struct throttled *t;
	struct map_node *n;

	for (n = map_first(&m->throttled, hash); n; n = map_next(n, hash)) {
		t = map_entry(n, struct throttled, node);
		if (t->cgroup == cgroup && t->cpu == cpu)
			return t;
	}
	t = calloc(1, sizeof(*t));
	if (!t || map_reserve(&m->throttled)) {
		free(t);
		m->error = -ENOMEM;
		return NULL;
	}
	t->cgroup = cgroup;
	t->cpu = cpu;
	map_add(&m->throttled, &t->node, hash);
	return t;
}

void sched_check_throttle(struct sched_model *m, const struct sched_event *e)
{
	const struct sched_origin *origin = m->origins.list[e->origin];
	struct throttled *t = throttled_of(m, origin->number, e->cpu);

	if (!t)
		return;
	if (t->until > e->begin + SCHED_CLOCK_STEP && origin->track)
		sched_tell(m, SCHED_NESTING, true, 1, e->offset, e->time,
			   "cpu %u: %s is throttled from %" PRIu64 " ns on, but was until %" PRIu64 " (byte %" PRIu64 ")",
			   e->cpu, origin->name, e->begin, t->until, t->offset);
	if (e->time < t->until)
		return;
	t->until = e->time;
	t->offset = e->offset;
}

/* Remove the CPU from "PATH cpu 3" and from "PATH cpu 3 [host]". */
static void remove_cpu(char *name)
{
	char *cpu = NULL, *next = name, *after;

	while ((next = strstr(next, " cpu ")))
		cpu = next++;
	if (!cpu)
		return;
	after = cpu + strlen(" cpu ");
	after += strspn(after, "0123456789");
	if (!*after || *after == ' ')
		memmove(cpu, after, strlen(after) + 1);
}

/* The path of a cgroup, by the koid of one of its tracks. */
struct cgroup {
	struct map_node node;
	uint64_t track;
	char *path;
};

static struct cgroup *cgroup_of(const struct sched_model *m, uint64_t track)
{
	uint64_t hash = map_hash(track, 0);
	struct cgroup *c;
	struct map_node *n;

	for (n = map_first(&m->cgroups, hash); n; n = map_next(n, hash)) {
		c = map_entry(n, struct cgroup, node);
		if (c->track == track)
			return c;
	}
	return NULL;
}

int sched_take_cgroup(struct sched_model *m, const struct fxt_content *object)
{
	struct cgroup *c = cgroup_of(m, object->object);
	char *path = strndup(object->name.bytes, object->name.length);

	if (!path)
		return -ENOMEM;
	remove_cpu(path);
	if (!c) {
		c = map_reserve(&m->cgroups) ? NULL : calloc(1, sizeof(*c));
		if (!c) {
			free(path);
			return -ENOMEM;
		}
		c->track = object->object;
		map_add(&m->cgroups, &c->node, map_hash(c->track, 0));
	}
	free(c->path);
	c->path = path;
	return 0;
}

void sched_name_cgroups(struct sched_model *m)
{
	struct fxt_text text;
	struct sched_origin *origin;
	const struct cgroup *c;
	size_t i;

	for (i = 0; i < m->origins.count; i++) {
		origin = m->origins.list[i];
		c = origin->track ? cgroup_of(m, origin->track) : NULL;
		if (!c || !*c->path)
			continue;
		origin->path = c->path;
		text = (struct fxt_text){ .bytes = c->path, .length = strlen(c->path) };
		sched_set_name(origin->name, sizeof(origin->name), &text);
	}
}

static void free_cgroups(struct sched_model *m)
{
	struct cgroup *c;
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&m->cgroups, &from))) {
		c = map_entry(n, struct cgroup, node);
		free(c->path);
		free(c);
	}
	map_free(&m->cgroups);
}

void sched_throttle_close(struct sched_model *m)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&m->throttled, &from)))
		free(map_entry(n, struct throttled, node));
	map_free(&m->throttled);
	free_cgroups(m);
}

/* --- counters ---------------------------------------------------------------------------- */

/* A cgroup, and its newest value. */
struct counted {
	struct map_node node;
	struct sched_quota quota;
	char *path;
	uint64_t offset;
};

static struct counted *counter_of(const struct sched_model *m, uint64_t cgroup)
{
	uint64_t hash = map_hash(cgroup, 0);
	struct map_node *n = map_first(&m->quotas, hash);

	for (; n; n = map_next(n, hash))
		if (map_entry(n, struct counted, node)->quota.cgroup == cgroup)
			return map_entry(n, struct counted, node);
	return NULL;
}

static struct counted *add_counted(struct sched_model *m, const struct fxt_content *c)
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
	n = counter_of(m, c->id);
	if (!n)
		n = add_counted(m, c);
	else if (time < n->quota.time)
		return m->error;
	if (!n)
		return m->error = -ENOMEM;
	if (goes_back(&n->quota, c))
		sched_tell(m, SCHED_EVENT, true, 1, rec->offset, time,
			   "the counter of %s decreases (byte %" PRIu64 ")", n->path, n->offset);
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

/* --- paths -------------------------------------------------------------------------------- */

/* Return: the " [host]" in "/path [host]" of merged archives; else the end of the path. */
static const char *host_of(const char *path)
{
	const char *end = path + strlen(path), *host = NULL, *next = path;

	while ((next = strstr(next, " [")))
		host = next++;
	return host && end[-1] == ']' ? host : end;
}

bool sched_is_in_cgroup(const char *cgroup, const char *path)
{
	const char *host = host_of(cgroup), *of = host_of(path);
	size_t bytes = host - cgroup, length = of - path;

	length -= length && path[length - 1] == '/';
	return bytes && (!*of || !strcmp(host, of)) && bytes >= length &&
	       !memcmp(cgroup, path, length) && (bytes == length || cgroup[length] == '/');
}

const char *sched_cgroup_at(const struct sched_process *p, uint64_t time)
{
	size_t i = p->cgroup_count;

	while (i && p->cgroups[i - 1].from > time)
		i--;
	return i ? p->cgroups[i - 1].path : NULL;
}

bool sched_was_in_cgroup(const struct sched_process *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->cgroup_count; i++)
		if (p->cgroups[i].path && sched_is_in_cgroup(p->cgroups[i].path, path))
			return true;
	return false;
}

bool sched_was_elsewhere(const struct sched_process *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->cgroup_count; i++)
		if (!p->cgroups[i].path || !sched_is_in_cgroup(p->cgroups[i].path, path))
			return true;
	return false;
}
