// SPDX-License-Identifier: GPL-2.0-or-later
/* drawn.c - see drawn.h. */
#include "drawn.h"

#define DEPTH_MOST	512

static void drop(struct check_match *m, const struct match_event *e, enum check_match_kind why,
		 int stat)
{
	match_found(m, why, e);
	if (stat >= 0)
		m->perfetto->stats[stat]++;
}

/* --- slices ------------------------------------------------------------------------- */

static bool is_over(const struct match_open *o, uint64_t begin, uint64_t end)
{
	/* An instant at the time of another one is within it. */
	return o->end < begin || (o->end == begin && !(o->begin == o->end && begin == end));
}

/* Remove slices from the top, until @depth of @g are left. */
static void shorten(struct check_match *m, struct match_group *g, unsigned int depth)
{
	for (; g->drawn_depth > depth && g->drawn; g->drawn_depth--)
		match_pop(m, &g->drawn);
}

/*
 * Remove what is over when a slice begins, or another ends (@end: NOT_ENDED): for each that is
 * over, the topmost, which it usually is itself. What is open in a slice that is over goes with
 * it. Return: false if the slice begins in one that ends before it.
 */
static bool close_slices(struct check_match *m, struct match_group *g, uint64_t begin, uint64_t end)
{
	unsigned int depth = g->drawn_depth, at = depth;
	const struct match_open *o;
	bool is_in_open = false, fits = true;

	for (o = g->drawn; o && at-- && fits; o = o->below) {
		if (o->end == NOT_ENDED) {
			is_in_open = true;
		} else if (is_in_open) {
			if (begin <= o->end)
				continue;
			depth = depth > at + 1 ? at : depth - !!depth;
			is_in_open = false;
		} else if (is_over(o, begin, end)) {
			depth -= !!depth;
		} else {
			fits = end == NOT_ENDED || begin >= o->end || end <= o->end;
		}
	}
	shorten(m, g, depth);
	return fits;
}

static void begin_slice(struct check_match *m, const struct match_event *e, uint64_t end)
{
	struct match_group *g = match_get(m, GROUP_THREAD, e->process, e->thread);
	size_t open;

	if (g && !close_slices(m, g, e->time, end)) {
		drop(m, e, MATCH_PERFETTO_OVERLAP, STAT_SLICE_OVERLAP);
	} else if (g && g->drawn_depth >= DEPTH_MOST) {
		drop(m, e, MATCH_PERFETTO_DEPTH, STAT_SLICE_DEPTH);
	} else {
		open = m->open;
		match_push(m, g ? &g->drawn : NULL, e, end);
		if (g)
			g->drawn_depth += m->open > open;
	}
}

static void end_slice(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = match_find(m, GROUP_THREAD, e->process, e->thread);
	struct match_open *o;

	if (!g)
		return;
	close_slices(m, g, e->time, NOT_ENDED);
	for (o = g->drawn; o && o->end != NOT_ENDED; o = o->below)
		;
	if (!o)
		return;
	o->end = e->time;
	if (o == g->drawn)
		shorten(m, g, g->drawn_depth - 1);
}

/* --- flows: the depth of one is 1 if a slice began it; Perfetto cuts koids ---------------- */

static void begin_flow(struct check_match *m, const struct match_event *e, bool has_slice)
{
	struct ids_one *flow;

	if (ids_begin(&m->flows, (uint32_t)e->process, e->id, &flow)) {
		match_not_judged(m, e);
		return;
	}
	if (!has_slice)
		drop(m, e, MATCH_PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (flow->depth)
		drop(m, e, MATCH_PERFETTO_TWICE, STAT_FLOW_TWICE);
	else
		flow->depth = 1;
}

static void go_on(struct check_match *m, const struct match_event *e, bool has_slice)
{
	bool is_end = e->kind == FXT_KIND_FLOW_END, is_ambiguous;
	struct ids_one *flow = ids_find(&m->flows, (uint32_t)e->process, e->id, &is_ambiguous);

	if (!flow)
		drop(m, e, is_ambiguous ? MATCH_PERFETTO_AMBIGUOUS : MATCH_PERFETTO_NO_BEGIN, -1);
	else if (!has_slice)
		drop(m, e, MATCH_PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (!flow->depth)
		drop(m, e, MATCH_PERFETTO_NO_BEGIN, is_end ? STAT_FLOW_END : STAT_FLOW_STEP);
	if (flow && is_end)
		ids_end(&m->flows, flow);
}

static void take_part(struct check_match *m, const struct match_event *e)
{
	const struct match_group *g = match_find(m, GROUP_THREAD, e->process, e->thread);
	bool has_slice = g && g->drawn;

	if (e->kind == FXT_KIND_FLOW_BEGIN)
		begin_flow(m, e, has_slice);
	else
		go_on(m, e, has_slice);
}

void drawn_take(struct check_match *m, const struct match_event *e)
{
	switch (e->kind) {
	case FXT_KIND_INSTANT:
		begin_slice(m, e, e->time);
		break;
	case FXT_KIND_DURATION_BEGIN:
		begin_slice(m, e, NOT_ENDED);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		begin_slice(m, e, e->end);
		break;
	case FXT_KIND_DURATION_END:
		end_slice(m, e);
		break;
	case FXT_KIND_FLOW_BEGIN ... FXT_KIND_FLOW_END:
		take_part(m, e);
		break;
	default:
		break;
	}
}
