// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - counts and latencies of several threads, added up.
 *
 * Must hold: of equally long waits the earliest is kept, whatever the order in which they
 * are added.
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
}

void report_waits_free(struct report_waits **waits)
{
	size_t kind;

	for (kind = 0; kind < REPORT_WAITS; kind++) {
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

	for (kind = 0; kind < REPORT_WAITS; kind++) {
		if (!other[kind])
			continue;
		if (!waits[kind])
			waits[kind] = calloc(1, sizeof(*waits[kind]));
		if (!waits[kind])
			return -ENOMEM;
		if (is_longer(other[kind], waits[kind])) {
			waits[kind]->max_time = other[kind]->max_time;
			waits[kind]->max_cpu = other[kind]->max_cpu;
		}
		if (report_hist_merge(&waits[kind]->hist, &other[kind]->hist))
			return -ENOMEM;
	}
	return 0;
}
