// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match.c - see match.h.
 *
 * Must hold: an event is judged after all earlier ones that are within MATCH_EVENTS of it
 * in the archive.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "match_groups.h"
#include "match.h"

/* --- slices ----------------------------------------------------------------------- */

/* Remove slices that have ended, unless one that is still open lies above them. */
static void end_slices(struct check_match *m, struct match_group *g, uint64_t time)
{
	while (g->top && g->top->end <= time) {
		g->ended = g->top->end > g->ended ? g->top->end : g->ended;
		match_pop(m, &g->top);
	}
}

/* Does a slice begin in one that ends before @end? One that begins at the same time is within it. */
static bool overlaps(const struct match_group *g, const struct match_event *e, uint64_t end)
{
	const struct match_open *o;

	for (o = g->top; o && o->end < end; o = o->below)
		if (o->begin < e->time)
			return true;
	return false;
}

/* Perfetto takes slices in the order of their begin, then of the file, and wants the outer first. */
static bool perfetto_drops(const struct match_group *g, const struct match_event *e, uint64_t end)
{
	const struct match_open *o = g->top;

	while (o && (o->is_dropped || o->end <= e->time))
		o = o->below;
	return o && o->end < end;
}

static void drop_part(struct check_match *m, const struct match_event *e,
		      enum check_match_kind why, int stat)
{
	match_found(m, why, e);
	if (stat >= 0)
		m->perfetto->stats[stat]++;
}

static void take_slice(struct check_match *m, const struct match_event *e, uint64_t end)
{
	struct match_group *g = match_get(m, GROUP_THREAD, e->process, e->thread);
	bool is_dropped = false;

	if (g)
		end_slices(m, g, e->time);
	if (g && end != NOT_ENDED) {
		if (overlaps(g, e, end))
			match_found(m, MATCH_NESTING, e);
		is_dropped = !e->is_dropped && perfetto_drops(g, e, end);
	}
	if (is_dropped)
		drop_part(m, e, MATCH_PERFETTO_OVERLAP, STAT_SLICE_OVERLAP);
	match_push(m, g, e, end);
	if ((is_dropped || e->is_dropped) && g && g->top && g->top->record == e->record)
		g->top->is_dropped = true;
}

static void take_end(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = match_find(m, GROUP_THREAD, e->process, e->thread);
	struct match_open **at;

	if (g)
		end_slices(m, g, e->time);
	for (at = g ? &g->top : NULL; at && *at && (*at)->end != NOT_ENDED; )
		at = &(*at)->below;
	if (!at || !*at) {
		match_found(m, MATCH_END, e);
		return;
	}
	if ((*at)->name != e->name)
		match_found(m, MATCH_END_NAME, e);
	/* A complete slice is still open, or ended while this one was open. */
	if (at != &g->top || ((*at)->below && (*at)->below->end < e->time))
		match_found(m, MATCH_NESTING, e);
	g->ended = e->time > g->ended ? e->time : g->ended;
	match_pop(m, at);
}

/* --- asynchronous events ---------------------------------------------------------- */

static void take_async(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = e->kind == FXT_KIND_ASYNC_BEGIN ? match_get(m, GROUP_ASYNC, e->id, 0) :
								 match_find(m, GROUP_ASYNC, e->id, 0);

	switch (e->kind) {
	case FXT_KIND_ASYNC_BEGIN:
		match_push(m, g, e, NOT_ENDED);
		return;
	case FXT_KIND_ASYNC_INSTANT:
		if (!g)
			match_found(m, MATCH_ASYNC_INSTANT, e);
		return;
	default:
		break;
	}
	if (!g || !g->top) {
		match_found(m, MATCH_ASYNC_END, e);
		return;
	}
	if (g->top->name != e->name)
		match_found(m, MATCH_ASYNC_NAME, e);
	match_pop(m, &g->top);
	if (!g->top)
		match_drop(m, g);
}

/* --- flows ------------------------------------------------------------------------ */

static bool is_enclosed(const struct match_group *thread, uint64_t time)
{
	const struct match_open *o = thread ? thread->top : NULL;

	while (o && o->end < time)
		o = o->below;
	return o || (thread && thread->ended == time);
}

/* Perfetto cuts koids of processes. */
static void perfetto_begin(struct check_match *m, const struct match_event *e, bool has_slice)
{
	struct ids_one *flow;

	if (ids_begin(&m->flows, (uint32_t)e->process, e->id, &flow)) {
		match_not_judged(m, e);
		return;
	}
	if (!has_slice)
		drop_part(m, e, MATCH_PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (flow->depth)
		drop_part(m, e, MATCH_PERFETTO_TWICE, STAT_FLOW_TWICE);
	else
		flow->depth = 1;
}

static void perfetto_go_on(struct check_match *m, const struct match_event *e, bool has_slice)
{
	bool is_end = e->kind == FXT_KIND_FLOW_END, is_ambiguous;
	struct ids_one *flow = ids_find(&m->flows, (uint32_t)e->process, e->id, &is_ambiguous);

	if (!flow)
		drop_part(m, e, is_ambiguous ? MATCH_PERFETTO_AMBIGUOUS : MATCH_PERFETTO_NO_BEGIN, -1);
	else if (!has_slice)
		drop_part(m, e, MATCH_PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (!flow->depth)
		drop_part(m, e, MATCH_PERFETTO_NO_BEGIN,
			  is_end ? STAT_FLOW_END : STAT_FLOW_STEP);
	if (flow && is_end)
		ids_end(&m->flows, flow);
}

/* Has Perfetto a slice for a part? */
static bool has_slice_of(const struct match_group *thread)
{
	const struct match_open *o = thread ? thread->top : NULL;

	while (o && o->is_dropped)
		o = o->below;
	return o;
}

static void take_flow(struct check_match *m, const struct match_event *e)
{
	const struct match_group *thread = match_find(m, GROUP_THREAD, e->process, e->thread);
	bool is_begin = e->kind == FXT_KIND_FLOW_BEGIN, has_slice = has_slice_of(thread);
	struct match_group *g = is_begin ? match_get(m, GROUP_FLOW, e->id, 0) :
					   match_find(m, GROUP_FLOW, e->id, 0);

	if (!is_enclosed(thread, e->time))
		match_found(m, MATCH_NO_SLICE, e);
	if (is_begin) {
		match_push(m, g, e, NOT_ENDED);
		if (!e->is_dropped)
			perfetto_begin(m, e, has_slice);
		return;
	}
	if (!e->is_dropped)
		perfetto_go_on(m, e, has_slice);
	if (!g || !g->top) {
		match_found(m, MATCH_FLOW, e);
	} else if (e->kind == FXT_KIND_FLOW_END) {
		match_pop(m, &g->top);
		if (!g->top)
			match_drop(m, g);
	}
}

/* --- in the order of time --------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct match_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void judge(struct check_match *m, const struct match_event *e)
{
	if (e->time < m->judged)
		m->late++;
	else
		m->judged = e->time;
	switch (e->kind) {
	case FXT_KIND_DURATION_BEGIN:
		take_slice(m, e, NOT_ENDED);
		break;
	case FXT_KIND_DURATION_COMPLETE:
		take_slice(m, e, e->end);
		break;
	case FXT_KIND_DURATION_END:
		take_end(m, e);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		take_async(m, e);
		break;
	default:
		take_flow(m, e);
		break;
	}
}

/* Judge the earliest @count of the waiting events. */
static void judge_some(struct check_match *m, size_t count)
{
	size_t i;

	if (!m->count)
		return;
	qsort(m->events, m->count, sizeof(*m->events), by_time);
	for (i = 0; i < count; i++)
		judge(m, &m->events[i]);
	m->count -= count;
	memmove(m->events, m->events + count, m->count * sizeof(*m->events));
	for (i = 0; i < m->count; i++)
		m->events[i].number = i;
}

static uint64_t hash_text(uint64_t hash, const struct fxt_text *text)
{
	uint16_t i;

	for (i = 0; i < text->length; i++)
		hash = (hash ^ (unsigned char)text->bytes[i]) * 0x100000001b3ULL;
	return hash * 31 + text->length;
}

/*
 * Threads that are not synchronized may write simultaneous events in any order. So, of events
 * at one time, a slice begins before its contents, and an id before its parts.
 */
static uint8_t rank_of(enum fxt_kind kind)
{
	switch (kind) {
	case FXT_KIND_ASYNC_BEGIN:
	case FXT_KIND_FLOW_BEGIN:
		return 1;
	case FXT_KIND_ASYNC_INSTANT:
	case FXT_KIND_FLOW_STEP:
		return 2;
	case FXT_KIND_ASYNC_END:
	case FXT_KIND_FLOW_END:
		return 3;
	default:
		return 0;
	}
}

/* Do the lines written by fxt cut or fxt-collect mark the archive as a part? */
static bool says_part(const struct fxt_bytes *session)
{
	static const char cut[] = "cut of ";
	const char *text = session->data;

	return session->bytes >= sizeof(cut) - 1 &&
	       (!memcmp(text, cut, sizeof(cut) - 1) ||
		memmem(text, session->bytes, "\ncut of ", sizeof(cut)));
}

void check_match_begin(struct check_match *m, struct check_perfetto *perfetto)
{
	*m = (struct check_match){ .perfetto = perfetto, .flows.most = MATCH_OPEN };
}

int check_match_content(struct check_match *m, const struct fxt_record *rec,
			const struct fxt_content *c)
{
	uint64_t rate = rec->provider->ticks_per_second;
	struct match_event *e;

	if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SESSION)
		m->is_part |= says_part(&c->blob);
	if (c->kind < FXT_KIND_DURATION_BEGIN || c->kind > FXT_KIND_FLOW_END)
		return 0;
	if (!m->events && !(m->events = malloc(MATCH_EVENTS * sizeof(*m->events))))
		return -ENOMEM;
	if (m->count == MATCH_EVENTS)
		judge_some(m, MATCH_EVENTS / 2);
	e = &m->events[m->count];
	*e = (struct match_event){
		.time = fxt_ticks_to_ns(c->time, rate),
		.offset = rec->offset,
		.record = rec->number,
		.process = c->thread.process,
		.thread = c->thread.thread,
		.name = hash_text(hash_text(0xcbf29ce484222325ULL, &c->category), &c->name),
		.id = c->id,
		.number = m->count,
		.kind = c->kind,
		.rank = rank_of(c->kind),
		.is_dropped = m->perfetto->is_dropped,
	};
	if (c->kind == FXT_KIND_DURATION_COMPLETE)
		e->end = fxt_ticks_to_ns(c->end, rate);
	m->count++;
	return 0;
}

/* --- the end ----------------------------------------------------------------------- */

static void end_groups(struct check_match *m)
{
	static const uint8_t kinds[] = {
		[GROUP_THREAD] = MATCH_BEGIN,
		[GROUP_ASYNC] = MATCH_ASYNC_BEGIN,
		[GROUP_FLOW] = MATCH_FLOW_BEGIN,
	};
	struct match_group *g;
	size_t i;

	for (i = 0; i < m->room; i++) {
		while ((g = m->groups[i])) {
			while (g->top) {
				if (g->top->end == NOT_ENDED)
					match_add(m, kinds[g->kind], g->top->offset, g->top->record,
					    g->top->begin);
				match_pop(m, &g->top);
			}
			match_drop(m, g);
		}
	}
	free(m->groups);
	m->groups = NULL;
	ids_free(&m->flows, NULL, NULL);
}

static const char * const texts[] = {
	[MATCH_BEGIN] = "a slice begins and never ends",
	[MATCH_ASYNC_BEGIN] = "an asynchronous operation begins and never ends",
	[MATCH_FLOW_BEGIN] = "a flow begins and never ends",
	[MATCH_ASYNC_INSTANT] = "an asynchronous instant is not between a begin and an end of its id",
	[MATCH_END] = "a slice ends that has not begun",
	[MATCH_ASYNC_END] = "an asynchronous operation ends that has not begun",
	[MATCH_FLOW] = "a flow goes on or ends that has not begun",
	[MATCH_END_NAME] = "a slice ends with another category or name than it began with",
	[MATCH_ASYNC_NAME] = "an asynchronous operation ends with another category or name than it began with",
	[MATCH_NESTING] = "a slice overlaps another one of its thread, and neither is within the other",
	[MATCH_NO_SLICE] = "no slice of its thread encloses a part of a flow",
	[MATCH_PERFETTO_OVERLAP] = "a slice begins in another one of its thread, or with it, and ends after it, so it is dropped",
	[MATCH_PERFETTO_NO_SLICE] = "no slice of its thread encloses a part of a flow, so it is dropped",
	[MATCH_PERFETTO_NO_BEGIN] = "a flow goes on or ends that has not begun in a slice, so the part is dropped",
	[MATCH_PERFETTO_AMBIGUOUS] = "several processes began flows of this id, so a part in another process is dropped",
	[MATCH_PERFETTO_TWICE] = "a flow of this id has begun already in this process, so the begin is dropped",
};

static void tell(const struct match_finding *f, uint64_t count, struct check_report *report,
		 const bool *only, bool is_excused)
{
	static const char * const names[] = {
#define MATCH_NAME(kind, name) [kind] = name,
		CHECK_MATCH_KINDS(MATCH_NAME)
#undef MATCH_NAME
	};
	bool is_perfetto = f->kind >= MATCH_KINDS;
	int kind = f->kind == MATCH_PERFETTO_OVERLAP ? PERFETTO_SLICE : PERFETTO_FLOW;
	char text[200];

	if (!only[is_perfetto ? CHECK_PERFETTO : CHECK_FORMAT])
		return;
	snprintf(text, sizeof(text), "byte %" PRIu64 ": record %" PRIu64 ": %s", f->offset,
		 f->record, texts[f->kind]);
	check_report_add(report, &(struct check_finding){
		.class = is_perfetto ? CHECK_PERFETTO : CHECK_FORMAT,
		.number = is_perfetto ? kind : FXT_DEV_COUNT + f->kind,
		.kind = is_perfetto ? check_perfetto_kind_name(kind) : names[f->kind],
		/* A thread that exec() renames in a system call has such slices, in any recording. */
		.violation = !is_excused && f->kind != MATCH_PERFETTO_OVERLAP &&
			     (is_perfetto || f->kind <= MATCH_ASYNC_INSTANT),
		.count = count,
		.offset = f->offset,
		.record = f->record,
		.time = f->time,
		.text = text,
	});
}

static void tell_not_judged(const struct check_match *m, struct check_report *report)
{
	char text[200];

	snprintf(text, sizeof(text), "byte %" PRIu64 ": so much is open that of %" PRIu64
		 " events it is not known whether they match", m->not_judged.offset,
		 m->not_judged.count);
	check_report_add(report, &(struct check_finding){
		.class = CHECK_FORMAT,
		.number = FXT_DEV_COUNT + MATCH_NOT_JUDGED,
		.kind = "not-judged",
		.count = m->not_judged.count,
		.offset = m->not_judged.offset,
		.record = m->not_judged.record,
		.time = CHECK_NO_NUMBER,
		.text = text,
	});
}

static int by_offset(const void *a, const void *b)
{
	const struct match_finding *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused)
{
	size_t i;

	judge_some(m, m->count);
	end_groups(m);
	is_excused |= m->is_part || m->late || m->not_judged.count;
	if (m->finding_count)
		qsort(m->findings, m->finding_count, sizeof(*m->findings), by_offset);
	for (i = 0; i < m->finding_count; i++)
		tell(&m->findings[i], 1, report, only, is_excused);
	for (i = 0; i < MATCH_ALL_KINDS; i++) {
		const struct check_sum *more = &m->more[i];
		struct match_finding first = { more->offset, more->record, CHECK_NO_NUMBER, i };

		if (more->count)
			tell(&first, more->count, report, only, is_excused);
	}
	if (m->not_judged.count && only[CHECK_FORMAT])
		tell_not_judged(m, report);
	free(m->findings);
	free(m->events);
}
