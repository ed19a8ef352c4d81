// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits.c - adds up counts, latencies and sleeps of several threads. Of equally long waits the
 * earliest is kept, whatever the order of additions.
 */
#include <stdlib.h>

#include "internal.h"

void report_counts_add(struct report_counts *to, const struct report_counts *n)
{
	const uint64_t *more = (const uint64_t *)n;
	uint64_t *sum = (uint64_t *)to;
	size_t i;

	for (i = 0; i < sizeof(*n) / sizeof(*more); i++)
		sum[i] += more[i];
}

static bool is_longer(const struct report_waits *a, const struct report_waits *b)
{
	if (!b->hist.count || a->hist.max != b->hist.max)
		return !b->hist.count || a->hist.max > b->hist.max;
	return a->max_time < b->max_time;
}

struct report_waits *engine_waits(struct report_engine *e, struct report_waits **of)
{
	if (!*of) {
		*of = engine_lines(e, sizeof(**of));
		(*of)->older = e->waits;
		e->waits = *of;
	}
	return *of;
}

void engine_waits_free(struct report_engine *e)
{
	struct report_waits *w;

	for (w = e->waits; w; w = w->older)
		report_hist_free(&w->hist);
}

void report_waits_merge(struct report_engine *e, struct report_waits **waits,
			struct report_waits *const *other)
{
	struct report_waits *to;
	size_t kind;

	for (kind = 0; kind < REPORT_KINDS; kind++) {
		if (!other[kind])
			continue;
		to = engine_waits(e, &waits[kind]);
		if (is_longer(other[kind], to)) {
			to->max_time = other[kind]->max_time;
			to->max_cpu = other[kind]->max_cpu;
			to->max_is_open = other[kind]->max_is_open;
		}
		to->open += other[kind]->open;
		report_hist_merge(&to->hist, &other[kind]->hist);
	}
}

static struct report_sleeps *sleeps_of(struct report_engine *e, struct report_sleeps **of)
{
	if (!*of)
		*of = engine_lines(e, sizeof(**of));
	return *of;
}

static bool is_longer_sleep(const struct report_wait *a, const struct report_sleeps *than)
{
	const struct report_wait *b = &than->longest;

	if (!than->count || a->latency != b->latency)
		return !than->count || a->latency > b->latency;
	return a->time < b->time;
}

void report_sleeps_add(struct report_engine *e, struct report_sleeps **sleeps,
		       const struct report_wait *s, bool is_cut)
{
	struct report_sleeps *to = sleeps_of(e, &sleeps[s->kind]);

	if (is_cut) {
		to->cut_count++;
		to->cut_ns += s->latency;
		return;
	}
	if (is_longer_sleep(s, to))
		to->longest = *s;
	to->count++;
	to->ns += s->latency;
}

void report_sleeps_merge(struct report_engine *e, struct report_sleeps **sleeps,
			 struct report_sleeps *const *other)
{
	unsigned int kind;

	for (kind = 0; kind < REPORT_SLEEPS; kind++) {
		const struct report_sleeps *more = other[kind];
		struct report_sleeps *to;

		if (!more)
			continue;
		to = sleeps_of(e, &sleeps[kind]);
		if (more->count && is_longer_sleep(&more->longest, to))
			to->longest = more->longest;
		to->count += more->count;
		to->ns += more->ns;
		to->cut_count += more->cut_count;
		to->cut_ns += more->cut_ns;
	}
}
