// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - adds up counts, latencies and sleeps of several threads.
 *
 * Must hold: of equally long waits the earliest is kept, whatever the order of additions.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

void report_counts_add(struct report_counts *to, const struct report_counts *n)
{
	to->run += n->run;
	to->switches += n->switches;
	to->preempted += n->preempted;
	to->migrations += n->migrations;
	to->wakeups += n->wakeups;
	to->unknown += n->unknown;
	to->stolen += n->stolen;
	to->moves += n->moves;
	to->alone += n->alone;
	to->calls += n->calls;
	to->failed_calls += n->failed_calls;
	to->in_calls += n->in_calls;
	to->forks += n->forks;
	to->ipis += n->ipis;
	to->unknown_sleeps += n->unknown_sleeps;
	to->early_sleeps += n->early_sleeps;
}

void report_waits_free(struct report_waits **waits)
{
	size_t kind;

	for (kind = 0; kind < REPORT_KINDS; kind++) {
		if (waits[kind])
			report_hist_free(&waits[kind]->hist);
		free(waits[kind]);
		waits[kind] = NULL;
	}
}

static bool is_longer(const struct report_waits *a, const struct report_waits *b)
{
	if (!b->hist.count || a->hist.max != b->hist.max)
		return !b->hist.count || a->hist.max > b->hist.max;
	return a->max_time < b->max_time;
}

int report_waits_merge(struct report_waits **waits, struct report_waits *const *other)
{
	size_t kind;

	for (kind = 0; kind < REPORT_KINDS; kind++) {
		if (!other[kind])
			continue;
		if (!waits[kind])
			waits[kind] = calloc(1, sizeof(*waits[kind]));
		if (!waits[kind])
			return -ENOMEM;
		if (is_longer(other[kind], waits[kind])) {
			waits[kind]->max_time = other[kind]->max_time;
			waits[kind]->max_cpu = other[kind]->max_cpu;
			waits[kind]->max_is_open = other[kind]->max_is_open;
		}
		waits[kind]->open += other[kind]->open;
		if (report_hist_merge(&waits[kind]->hist, &other[kind]->hist))
			return -ENOMEM;
	}
	return 0;
}

/* --- sleeps --------------------------------------------------------------------------- */

static struct report_sleeps *sleeps_of(struct report_sleeps **of)
{
	if (!*of)
		*of = calloc(1, sizeof(**of));
	return *of;
}

static bool is_longer_sleep(const struct report_wait *a, const struct report_sleeps *than)
{
	const struct report_wait *b = &than->longest;

	if (!than->count || a->latency != b->latency)
		return !than->count || a->latency > b->latency;
	return a->time < b->time;
}

int report_sleeps_add(struct report_sleeps **sleeps, const struct report_wait *s, bool is_cut)
{
	struct report_sleeps *to = sleeps_of(&sleeps[s->kind]);

	if (!to)
		return -ENOMEM;
	if (is_cut) {
		to->cut_count++;
		to->cut_ns += s->latency;
		return 0;
	}
	if (is_longer_sleep(s, to))
		to->longest = *s;
	to->count++;
	to->ns += s->latency;
	return 0;
}

int report_sleeps_merge(struct report_sleeps **sleeps, struct report_sleeps *const *other)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		const struct report_sleeps *more = other[kind];
		struct report_sleeps *to;

		if (!more)
			continue;
		to = sleeps_of(&sleeps[kind]);
		if (!to)
			return -ENOMEM;
		if (more->count && is_longer_sleep(&more->longest, to))
			to->longest = more->longest;
		to->count += more->count;
		to->ns += more->ns;
		to->cut_count += more->cut_count;
		to->cut_ns += more->cut_ns;
	}
	return 0;
}

void report_sleeps_free(struct report_sleeps **sleeps)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		if (sleeps[kind] && sleeps[kind]->worst)
			free(sleeps[kind]->worst->heap);
		if (sleeps[kind])
			free(sleeps[kind]->worst);
		free(sleeps[kind]);
		sleeps[kind] = NULL;
	}
}
