// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroups.c - throttled cgroups, their names, and the kernel's counters of them.
 *
 * In: slices in which a cgroup was throttled on a CPU, by their ends; names of their tracks;
 * counters that the collector read from cpu.stat, which belong to no stream.
 * Out: names; values of the counters; anomalies: a cgroup is throttled twice; a counter lacks a
 * value, or decreases.
 * Must hold: slices of a cgroup on a CPU do not overlap. Cgroups may share a track, so their
 * complete ids distinguish them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "anomalies.h"
#include "threads.h"

/* --- throttled --------------------------------------------------------------------------- */

struct throttled {
	struct map_node node;
	uint64_t cgroup;
	uint16_t cpu;
	uint64_t until;		/* ns */
	uint64_t offset;
};

static struct throttled *throttled_of(struct sched_model *m, uint64_t cgroup, uint16_t cpu)
{
	struct throttled *t;

	if (map_get(&m->throttled, map_hash(cgroup, cpu), t,
		    t->cgroup == cgroup && t->cpu == cpu)) {
		t->cgroup = cgroup;
		t->cpu = cpu;
	}
	return t;
}

void sched_check_throttle(struct sched_model *m, const struct sched_event *e)
{
	const struct sched_origin *origin = m->origins.list[e->origin];
	struct throttled *t = throttled_of(m, origin->number, e->cpu);

	if (t->until > e->begin + SCHED_CLOCK_STEP && origin->track)
		sched_fault(m, SCHED_NESTING, e->offset, e->time,
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

struct cgroup {
	struct map_node node;
	uint64_t track;
	char *path;
};

void sched_set_cgroup(struct sched_model *m, const struct fxt_content *object)
{
	char *path = must(strndup(object->name.bytes, object->name.length));
	struct cgroup *c;

	remove_cpu(path);
	map_get(&m->cgroups, map_hash(object->object, 0), c, c->track == object->object);
	c->track = object->object;
	free(c->path);
	c->path = path;
}

void sched_name_cgroups(struct sched_model *m)
{
	struct fxt_text text;
	struct sched_origin *origin;
	const struct cgroup *c = NULL;
	size_t i;

	for (i = 0; i < m->origins.count; i++) {
		origin = m->origins.list[i];
		if (!origin->track || !map_find(&m->cgroups, map_hash(origin->track, 0), c,
						c->track == origin->track) || !*c->path)
			continue;
		origin->path = c->path;
		text = (struct fxt_text){ .bytes = c->path, .length = strlen(c->path) };
		sched_set_name(origin->name, sizeof(origin->name), &text);
	}
}

/* --- counters ---------------------------------------------------------------------------- */

struct counted {
	struct map_node node;
	struct sched_quota quota;
	char *path;
	uint64_t offset;
};

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

static struct counted *counter_of(struct sched_model *m, const struct fxt_content *c)
{
	struct counted *n;

	if (map_get(&m->quotas, map_hash(c->id, 0), n, n->quota.cgroup == c->id)) {
		n->quota.path = n->path = must(strndup(c->name.bytes, c->name.length));
		n->quota.cgroup = c->id;
	}
	return n;
}

void sched_set_quota(struct sched_model *m, const struct fxt_record *rec,
		     const struct fxt_content *c)
{
	uint64_t time = sched_ns_of(rec, c->time);
	const char *fault = fault_of(c);
	struct counted *n;
	unsigned int i;

	if (fault) {
		sched_fault(m, SCHED_EVENT, rec->offset, time, "%s", fault);
		return;
	}
	n = counter_of(m, c);
	if (time < n->quota.time)
		return;
	if (goes_back(&n->quota, c))
		sched_fault(m, SCHED_EVENT, rec->offset, time,
			    "the counter of %s decreases (byte %" PRIu64 ")", n->path, n->offset);
	n->quota.time = time;
	n->offset = rec->offset;
	for (i = 0; i < SCHED_QUOTA_COUNTS; i++)
		n->quota.counts[i] = c->args[i].u64;
	sched_report(m, quota, &n->quota);
}

void sched_cgroups_close(struct sched_model *m)
{
	struct counted *n;
	struct cgroup *c;

	map_free_all(&m->throttled, struct throttled);
	map_drain(&m->cgroups, c) {
		free(c->path);
		free(c);
	}
	map_drain(&m->quotas, n) {
		free(n->path);
		free(n);
	}
}

/* --- paths -------------------------------------------------------------------------------- */

/* The " [host]" in "/path [host]" of merged archives; else the end of the path. */
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

/* The number of entries up to @time. */
static size_t up_to(const struct sched_cgroups *c, uint64_t time)
{
	return array_front(c->count, i, c->list[i].from <= time);
}

/* Entries until then apply to the thread, even if its main thread moved alone. */
static uint64_t shares_until(const struct sched_process *p, const struct sched_thread *t)
{
	if (!t || t == p->leader)
		return UINT64_MAX;
	return t->is_forked ? t->begin : 0;
}

/* The number of entries of its process that apply to a thread, up to @time. */
static size_t shared_at(const struct sched_process *p, const struct sched_thread *t, uint64_t time)
{
	uint64_t until = shares_until(p, t);
	size_t n = up_to(&p->cgroups, time), own;

	if (!n || !p->cgroups.list[n - 1].is_alone)
		return n;
	own = until ? up_to(&p->cgroups, until < time ? until : time) : 0;
	return own > p->cgroups.list[n - 1].together ? own : p->cgroups.list[n - 1].together;
}

/* The last entry of a thread of a process by a time. NULL: it is where it began. */
static const struct sched_in_cgroup *place_at(const struct sched_process *p,
					      const struct sched_thread *t, uint64_t time)
{
	size_t n = p ? shared_at(p, t, time) : 0, m = t && t->apart ? up_to(t->apart, time) : 0;
	const struct sched_in_cgroup *in = n ? &p->cgroups.list[n - 1] : NULL;
	const struct sched_in_cgroup *own = m ? &t->apart->list[m - 1] : NULL;

	return own && (!in || own->from >= in->from) ? own : in;
}

const char *sched_cgroup_at(const struct sched_thread *t, uint64_t time)
{
	const struct sched_process *p = t->owner;
	const struct sched_in_cgroup *in = place_at(p, t, time);
	unsigned int i;

	for (i = 0; p && !in && i < SCHED_GENERATIONS; i++) {
		if (p->leader && p->leader->is_forked && p->leader->begin < time)
			time = p->leader->begin;
		p = p->parent;
		in = place_at(p, NULL, time);
	}
	return in ? in->path : NULL;
}

static unsigned int match(const char *cgroup, const char *path)
{
	if (!cgroup)
		return SCHED_CGROUP_UNKNOWN;
	return sched_is_in_cgroup(cgroup, path) ? SCHED_CGROUP_IN : SCHED_CGROUP_OUT;
}

/*
 * Match all entries against @path, once for all threads. Of entries of the same time, each replaces
 * the one before, but a thread was in all known ones.
 */
static void ask(struct sched_cgroups *c, const char *path)
{
	unsigned int all = 0, others = 0, same = 0, own;
	struct sched_in_cgroup *in;
	bool is_last;
	size_t i;

	if (c->asked && !strcmp(c->asked, path))
		return;
	free(c->asked);
	c->asked = must(strdup(path));
	for (i = c->count; i--; in->all = all, in->others = others, in->same = same) {
		in = &c->list[i];
		is_last = i + 1 == c->count || in[1].from != in->from;
		own = in->path || is_last ? match(in->path, path) : 0;
		same = is_last ? own : same | own;
		all |= own;
		others |= in->is_alone ? 0 : own;
	}
}

/* The entries of a list that a thread was in, from @begin on. */
static unsigned int match_list(struct sched_cgroups *c, const struct sched_thread *t,
			       uint64_t begin, const char *path)
{
	const struct sched_in_cgroup *held = place_at(t->owner, t, begin);
	bool is_its = held && c->count && held >= c->list && held < c->list + c->count;
	bool is_main = c == t->apart || t == t->owner->leader;
	size_t later = up_to(c, begin), first = later;
	unsigned int found = 0;

	if (is_its)
		first = array_front(c->count, i, c->list[i].from < held->from);
	ask(c, path);
	if (first < later)
		found = is_main || t->is_forked ? c->list[first].same : c->list[first].others;
	if (later < c->count)
		found |= is_main ? c->list[later].all : c->list[later].others;
	return found;
}

unsigned int sched_cgroup_match(const struct sched_thread *t, const char *path)
{
	/* It may have existed before its first event. */
	uint64_t begin = t->is_forked ? t->begin : 0;
	unsigned int all = match(sched_cgroup_at(t, begin), path);

	if (t->owner)
		all |= match_list(&t->owner->cgroups, t, begin, path);
	return t->apart ? all | match_list(t->apart, t, begin, path) : all;
}
