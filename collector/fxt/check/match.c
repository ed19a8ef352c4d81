// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match.c - do slices, asynchronous events and flows begin, end and nest?
 *
 * In: events, in the order of the file.
 * Out: anomalies of the class format, violations where the specification says "must", else notes;
 * of the class perfetto, slices and parts of flows that Perfetto drops. All of them are notes where
 * something explains that a part is missing: losses, a part of an archive, skipped records.
 *
 * Events are judged in the order of time. For that, EVENTS of them are kept; an event that is even
 * further out of order is judged at its place in the file. Memory also grows with threads that have
 * slices, with slices and ids that are open at the same time, and with anomalies. What exceeds the
 * limits is only counted.
 *
 * Threads, ids of asynchronous events and ids of flows are groups. The group of a thread holds a
 * stack of slices, the group of an id what has begun and not ended. A complete slice stays on its
 * stack until the next event of its thread shows that it has ended.
 *
 * Which slices and parts of flows does Perfetto draw? It also has a stack of slices for each
 * thread, with these differences: instants are slices without duration; an ended slice stays until
 * the next slice or instant, and also if it is not the topmost one; the stack has at most 512
 * slices. A part of a flow belongs to the topmost slice, ended or not.
 */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "terminal/memory.h"
#include "walk/ids.h"

#define EVENTS		(256UL << 10)	/* 20 MiB */
#define OPEN_MOST	(1UL << 21)	/* 192 MiB; slices count twice */
#define ANOMALIES	(1UL << 18)	/* 10 MiB */
#define NOT_ENDED	UINT64_MAX

/* Slices and parts of flows that Perfetto drops, and why; in addition to enum check_format_kind. */
enum dropped_kind {
	PERFETTO_OVERLAP = CHECK_FORMAT_COUNT,
	PERFETTO_DEPTH,
	PERFETTO_NO_SLICE,
	PERFETTO_NO_BEGIN,
	PERFETTO_AMBIGUOUS,
	PERFETTO_TWICE,
	ALL_KINDS
};

/* A waiting event. */
struct match_event {
	uint64_t time;
	uint64_t offset;
	uint64_t record;
	uint64_t process;
	uint64_t thread;
	uint64_t name;		/* hash of category and name */
	union {
		uint64_t end;	/* ns, of complete slices */
		uint64_t id;	/* of asynchronous events and flows */
	};
	uint32_t number;	/* order in the file */
	uint8_t kind;		/* enum fxt_kind */
	bool is_dropped;	/* Perfetto drops the record */
};

enum group_kind {
	GROUP_THREAD,		/* process, thread */
	GROUP_ASYNC,		/* id */
	GROUP_FLOW,		/* id, by the format */
};

/* Something open; the newest of a thread comes first. */
struct match_open {
	struct match_open *below;
	uint64_t begin;		/* ns */
	uint64_t end;		/* ns, or NOT_ENDED */
	uint64_t name;
	uint64_t offset;
	uint64_t record;
};

/* Everything open with the same key. */
struct match_group {
	struct map_node node;
	uint64_t a;
	uint64_t b;
	struct match_open *top;
	struct match_open *drawn;	/* of threads: slices and instants as Perfetto has them */
	unsigned int drawn_depth;
	uint64_t ended;			/* of threads: ns, end of the slice that ended last */
	uint8_t kind;
};

struct match_anomaly {
	uint64_t offset;
	uint64_t record;
	uint64_t time;
	uint8_t kind;		/* enum check_format_kind or dropped_kind */
};

struct check_match {
	struct check_perfetto *perfetto;	/* counts what Perfetto drops */
	struct match_event *events;		/* waiting */
	size_t count;
	uint64_t judged;			/* ns, time of the latest event that was judged */
	bool is_late;				/* an event came after later ones had been judged */
	struct map groups;			/* threads and ids with something open */
	size_t open;				/* what has begun and not ended */
	struct ids flows;			/* as Perfetto has them; depth 1: a slice began it */
	bool is_part;				/* the archive is marked as a part of another */
	struct match_anomaly *anomalies;	/* kept, because later records may explain them */
	size_t anomaly_count;
	struct check_sum more[ALL_KINDS];	/* beyond ANOMALIES */
	struct check_sum not_judged;		/* events beyond the other limits */
	uint64_t last_not_judged;		/* record of the last one */
};

/* --- groups --------------------------------------------------------------------- */

static uint64_t hash_of(enum group_kind kind, uint64_t a, uint64_t b)
{
	return map_hash(map_hash(a, b), kind);
}

/* Return: the group, or NULL if there is none. */
static struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
				      uint64_t b)
{
	uint64_t hash = hash_of(kind, a, b);
	struct match_group *g;
	struct map_node *n;

	for (n = map_first(&m->groups, hash); n; n = map_next(n, hash)) {
		g = map_entry(n, struct match_group, node);
		if (g->kind == kind && g->a == a && g->b == b)
			return g;
	}
	return NULL;
}

/* Return: the group, or NULL if there are too many. */
static struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
				     uint64_t b)
{
	struct match_group *g = match_find(m, kind, a, b);

	if (g || m->groups.count + m->open >= OPEN_MOST)
		return g;
	g = new_zero(struct match_group);
	*g = (struct match_group){ .a = a, .b = b, .kind = kind };
	map_put(&m->groups, &g->node, hash_of(kind, a, b));
	return g;
}

/* Remove a group in which nothing is open any more. */
static void match_drop(struct check_match *m, struct match_group *g)
{
	map_remove(&m->groups, &g->node);
	free(g);
}

/* Count an event beyond the limits. */
static void match_not_judged(struct check_match *m, const struct match_event *e)
{
	/* The rules of the format and those of Perfetto have a stack each. */
	if (m->not_judged.count && m->last_not_judged == e->record)
		return;
	m->last_not_judged = e->record;
	check_sum_add(&m->not_judged, e->offset, e->record);
}

/* Something begins. Return: false if it is not judged: @to is NULL, or too much is open */
static bool match_push(struct check_match *m, struct match_open **to, const struct match_event *e,
		       uint64_t end)
{
	struct match_open *o;

	if (!to || m->groups.count + m->open >= OPEN_MOST) {
		match_not_judged(m, e);
		return false;
	}
	o = must(malloc(sizeof(*o)));
	*o = (struct match_open){ *to, e->time, end, e->name, e->offset, e->record };
	*to = o;
	m->open++;
	return true;
}

/* Something ends; @at: the pointer to it, in its group or in the entry above. */
static void match_pop(struct check_match *m, struct match_open **at)
{
	struct match_open *o = *at;

	*at = o->below;
	m->open--;
	free(o);
}

/* --- anomalies ------------------------------------------------------------------- */

static void match_add(struct check_match *m, uint8_t kind, uint64_t offset, uint64_t record,
		      uint64_t time)
{
	if (m->anomaly_count == ANOMALIES) {
		check_sum_add(&m->more[kind], offset, record);
		return;
	}
	array_more(m->anomalies, m->anomaly_count);
	m->anomalies[m->anomaly_count++] = (struct match_anomaly){ offset, record, time, kind };
}

/* There is an anomaly at this event. */
static void match_found(struct check_match *m, uint8_t kind, const struct match_event *e)
{
	match_add(m, kind, e->offset, e->record, e->time);
}

/* --- what Perfetto draws ----------------------------------------------------------------- */

#define DEPTH_MOST	512

static void drop(struct check_match *m, const struct match_event *e, enum dropped_kind why,
		 int stat)
{
	match_found(m, why, e);
	if (stat >= 0)
		check_perfetto_count(m->perfetto, stat);
}

/* --- slices ------------------------------------------------------------------------- */

static bool is_over(const struct match_open *o, uint64_t begin, uint64_t end)
{
	/* An instant at the same time as another one is inside it. */
	return o->end < begin || (o->end == begin && !(o->begin == o->end && begin == end));
}

/* Remove slices from the top, until @depth of @g are left. */
static void shorten(struct check_match *m, struct match_group *g, unsigned int depth)
{
	for (; g->drawn_depth > depth && g->drawn; g->drawn_depth--)
		match_pop(m, &g->drawn);
}

/*
 * When a slice begins or another one ends (@end: NOT_ENDED), remove the topmost slice for each
 * slice that is over; usually that is the same one. Slices open inside a slice that is over are
 * removed with it. Return: false if the new slice begins in one that ends before it.
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

	if (g && !close_slices(m, g, e->time, end))
		drop(m, e, PERFETTO_OVERLAP, STAT_SLICE_OVERLAP);
	else if (g && g->drawn_depth >= DEPTH_MOST)
		drop(m, e, PERFETTO_DEPTH, STAT_SLICE_DEPTH);
	else if (match_push(m, g ? &g->drawn : NULL, e, end))
		g->drawn_depth++;
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
	struct ids_one *flow = ids_begin(&m->flows, (uint32_t)e->process, e->id);

	if (!flow)
		match_not_judged(m, e);
	else if (!has_slice)
		drop(m, e, PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (flow->depth)
		drop(m, e, PERFETTO_TWICE, STAT_FLOW_TWICE);
	else
		flow->depth = 1;
}

static void go_on(struct check_match *m, const struct match_event *e, bool has_slice)
{
	bool is_end = e->kind == FXT_KIND_FLOW_END, is_ambiguous;
	struct ids_one *flow = ids_find(&m->flows, (uint32_t)e->process, e->id, &is_ambiguous);

	if (!flow)
		drop(m, e, is_ambiguous ? PERFETTO_AMBIGUOUS : PERFETTO_NO_BEGIN, -1);
	else if (!has_slice)
		drop(m, e, PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE);
	else if (!flow->depth)
		drop(m, e, PERFETTO_NO_BEGIN, is_end ? STAT_FLOW_END : STAT_FLOW_STEP);
	if (flow && is_end)
		ids_end(&m->flows, flow);
}

static void draw_flow(struct check_match *m, const struct match_event *e)
{
	const struct match_group *g = match_find(m, GROUP_THREAD, e->process, e->thread);
	bool has_slice = g && g->drawn;

	if (e->kind == FXT_KIND_FLOW_BEGIN)
		begin_flow(m, e, has_slice);
	else
		go_on(m, e, has_slice);
}

/* Take an event; kinds other than those above are ignored. */
static void drawn_take(struct check_match *m, const struct match_event *e)
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
		draw_flow(m, e);
		break;
	default:
		break;
	}
}

/* --- events, by time --------------------------------------------------------------------- */

#define RANKS	4		/* see rank_of() */

/* --- slices ----------------------------------------------------------------------- */

/* Remove slices that have ended, unless one that is still open lies above them. */
static void end_slices(struct check_match *m, struct match_group *g, uint64_t time)
{
	while (g->top && g->top->end <= time) {
		g->ended = g->top->end > g->ended ? g->top->end : g->ended;
		match_pop(m, &g->top);
	}
}

/* Does a slice begin in one that ends before @end? One that begins with it is within it. */
static bool overlaps(const struct match_group *g, const struct match_event *e, uint64_t end)
{
	const struct match_open *o;

	for (o = g->top; o && o->end < end; o = o->below)
		if (o->begin < e->time)
			return true;
	return false;
}

static void take_slice(struct check_match *m, const struct match_event *e, uint64_t end)
{
	struct match_group *g = match_get(m, GROUP_THREAD, e->process, e->thread);

	if (g)
		end_slices(m, g, e->time);
	if (g && end != NOT_ENDED && overlaps(g, e, end))
		match_found(m, MATCH_NESTING, e);
	match_push(m, g ? &g->top : NULL, e, end);
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

/* --- asynchronous events and flows ------------------------------------------------ */

/* Take a part of an operation or flow; of these, begins, ends and others have one meaning. */
static void take_part(struct check_match *m, const struct match_event *e, enum group_kind kind,
		      bool is_begin, bool is_end)
{
	static const struct {
		uint8_t part, end;
	} unbegun[] = {
		[GROUP_ASYNC] = { MATCH_ASYNC_INSTANT, MATCH_ASYNC_END },
		[GROUP_FLOW] = { MATCH_FLOW, MATCH_FLOW },
	};
	struct match_group *g = is_begin ? match_get(m, kind, e->id, 0) :
					   match_find(m, kind, e->id, 0);

	if (is_begin) {
		match_push(m, g ? &g->top : NULL, e, NOT_ENDED);
		return;
	}
	if (!g || (!g->top && (is_end || kind == GROUP_FLOW))) {
		match_found(m, is_end ? unbegun[kind].end : unbegun[kind].part, e);
		return;
	}
	if (!is_end)
		return;
	if (kind == GROUP_ASYNC && g->top->name != e->name)
		match_found(m, MATCH_ASYNC_NAME, e);
	match_pop(m, &g->top);
	if (!g->top)
		match_drop(m, g);
}

static bool is_enclosed(const struct match_group *thread, uint64_t time)
{
	const struct match_open *o = thread ? thread->top : NULL;

	while (o && o->end < time)
		o = o->below;
	return o || (thread && thread->ended == time);
}

static void take_flow(struct check_match *m, const struct match_event *e)
{
	if (!is_enclosed(match_find(m, GROUP_THREAD, e->process, e->thread), e->time))
		match_found(m, MATCH_NO_SLICE, e);
	take_part(m, e, GROUP_FLOW, e->kind == FXT_KIND_FLOW_BEGIN, e->kind == FXT_KIND_FLOW_END);
}

/* --- in the order of time --------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct match_event *x = a, *y = b;

	return array_order(x->time, y->time) ?: array_order(x->number, y->number);
}

static void judge(struct check_match *m, const struct match_event *e)
{
	switch (e->kind) {
	case FXT_KIND_INSTANT:
		break;
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
		take_part(m, e, GROUP_ASYNC, e->kind == FXT_KIND_ASYNC_BEGIN,
			  e->kind == FXT_KIND_ASYNC_END);
		break;
	default:
		take_flow(m, e);
		break;
	}
}

/*
 * Unsynchronized threads may write simultaneous events in any order. So of events at the same time,
 * a slice begins before its contents, and an id before its parts.
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

/*
 * Judge events of the same time: in the order of ranks by the format's rules, in file order by
 * Perfetto's.
 */
static void judge_moment(struct check_match *m, const struct match_event *e, size_t count)
{
	unsigned int rank;
	size_t i;

	if (e->time < m->judged)
		m->is_late = true;
	else
		m->judged = e->time;
	for (rank = 0; rank < RANKS; rank++)
		for (i = 0; i < count; i++)
			if (rank_of(e[i].kind) == rank)
				judge(m, &e[i]);
	for (i = 0; i < count; i++)
		if (!e[i].is_dropped)
			drawn_take(m, &e[i]);
}

/*
 * Judge the earliest @count waiting events, and all others that have the time of the last of these.
 */
static void judge_some(struct check_match *m, size_t count)
{
	size_t i, next;

	if (!m->count)
		return;
	qsort(m->events, m->count, sizeof(*m->events), by_time);
	for (i = 0; i < count; i = next) {
		for (next = i + 1; next < m->count && m->events[next].time == m->events[i].time; next++)
			;
		judge_moment(m, &m->events[i], next - i);
	}
	m->count -= i;
	memmove(m->events, m->events + i, m->count * sizeof(*m->events));
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

/* Do the lines written by fxt cut or fxt-collect mark the archive as a part? */
static bool says_part(const struct fxt_bytes *session)
{
	static const char cut[] = "cut of ";
	const char *text = session->data;

	return session->bytes >= sizeof(cut) - 1 &&
	       (!memcmp(text, cut, sizeof(cut) - 1) ||
		memmem(text, session->bytes, "\ncut of ", sizeof(cut)));
}

struct check_match *check_match_open(struct check_perfetto *perfetto)
{
	struct check_match *m = new_zero(struct check_match);

	m->perfetto = perfetto;
	m->flows.most = OPEN_MOST;
	return m;
}

void check_match_content(struct check_match *m, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	uint64_t rate = rec->provider->ticks_per_second;
	struct match_event *e;

	if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SESSION)
		m->is_part |= says_part(&c->blob);
	if (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_FLOW_END ||
	    c->kind == FXT_KIND_COUNTER)
		return;
	if (!m->events)
		m->events = must(malloc(EVENTS * sizeof(*m->events)));
	if (m->count == EVENTS)
		judge_some(m, EVENTS / 2);
	e = &m->events[m->count];
	*e = (struct match_event){
		.time = fxt_ticks_to_ns(c->time, rate),
		.offset = rec->offset,
		.record = rec->number,
		.process = c->thread.process,
		.thread = c->thread.thread,
		.name = hash_text(hash_text(0xcbf29ce484222325ULL, &c->category), &c->name),
		.id = c->id,
		.number = m->count++,
		.kind = c->kind,
		.is_dropped = check_perfetto_drops(m->perfetto),
	};
	if (c->kind == FXT_KIND_DURATION_COMPLETE)
		e->end = fxt_ticks_to_ns(c->end, rate);
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

	while (m->groups.oldest) {
		g = map_entry(m->groups.oldest, struct match_group, node);
		while (g->top) {
			if (g->top->end == NOT_ENDED)
				match_add(m, kinds[g->kind], g->top->offset, g->top->record,
					  g->top->begin);
			match_pop(m, &g->top);
		}
		while (g->drawn)
			match_pop(m, &g->drawn);
		match_drop(m, g);
	}
	map_free(&m->groups);
	ids_free(&m->flows, NULL, NULL);
}

static const char * const texts[] = {
	[MATCH_BEGIN] = "a slice begins and never ends",
	[MATCH_ASYNC_BEGIN] = "an asynchronous operation begins and never ends",
	[MATCH_FLOW_BEGIN] = "a flow begins and never ends",
	[MATCH_ASYNC_INSTANT] = "an asynchronous instant is outside of any operation of its id",
	[MATCH_END] = "a slice ends without having begun",
	[MATCH_ASYNC_END] = "an asynchronous operation ends without having begun",
	[MATCH_FLOW] = "a flow continues or ends without having begun",
	[MATCH_END_NAME] = "a slice ends with another category or name than it began with",
	[MATCH_ASYNC_NAME] = "an asynchronous operation ends with another category or name than "
		"it began with",
	[MATCH_NESTING] = "two slices of a thread overlap, and neither contains the other",
	[MATCH_NO_SLICE] = "a part of a flow is outside of all slices of its thread",
	[PERFETTO_OVERLAP] = "a slice begins in or with another slice of its thread and ends "
		"after it, so it is dropped",
	[PERFETTO_DEPTH] = "a slice is nested in 512 others, so it is dropped",
	[PERFETTO_NO_SLICE] = "a part of a flow is outside of all slices of its thread; it is "
		"dropped",
	[PERFETTO_NO_BEGIN] = "a flow continues or ends, but did not begin in a slice; the "
		"part is dropped",
	[PERFETTO_AMBIGUOUS] = "several processes began flows of this id, so a part in another "
		"process is dropped",
	[PERFETTO_TWICE] = "a flow of this id has begun already in this process, so the begin is "
		"dropped",
};

static void tell(const struct match_anomaly *f, uint64_t count, struct check_report *report,
		 const bool *only, bool is_excused)
{
	static const char * const names[] = {
#define MATCH_NAME(kind, name) [kind] = name,
		CHECK_FORMAT_KINDS(MATCH_NAME)
#undef MATCH_NAME
	};
	bool is_perfetto = f->kind >= CHECK_FORMAT_COUNT;
	/* exec() renames threads in system calls, which causes such slices in any recording. */
	bool is_slice = f->kind == PERFETTO_OVERLAP || f->kind == PERFETTO_DEPTH;
	struct check_anomaly anomaly = {
		.class = is_perfetto ? CHECK_PERFETTO : CHECK_FORMAT,
		.number = is_slice ? PERFETTO_SLICE : is_perfetto ? PERFETTO_FLOW :
			  (unsigned int)FXT_DEV_COUNT + f->kind,
		.kind = is_slice ? "slice" : is_perfetto ? "flow" : names[f->kind],
		.violation = !is_excused && !is_slice &&
			     (is_perfetto || f->kind <= MATCH_ASYNC_INSTANT),
		.count = count,
		.offset = f->offset,
		.record = f->record,
		.time = f->time,
	};

	if (only[anomaly.class])
		check_report_tell(report, anomaly, "%s", texts[f->kind]);
}

static void tell_not_judged(const struct check_match *m, struct check_report *report)
{
	char text[200];

	snprintf(text, sizeof(text), "byte %" PRIu64 ": too much is open to check: of %" PRIu64
		 " events it is unknown whether they match", m->not_judged.offset,
		 m->not_judged.count);
	check_report_add(report, &(struct check_anomaly){
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
	const struct match_anomaly *x = a, *y = b;

	return array_order(x->offset, y->offset) ?: array_order(x->kind, y->kind);
}

void check_match_end(struct check_match *m, struct check_report *report, const bool *only,
		     bool is_excused)
{
	size_t i;

	judge_some(m, m->count);
	end_groups(m);
	is_excused |= m->is_part || m->is_late || m->not_judged.count;
	if (m->anomaly_count)
		qsort(m->anomalies, m->anomaly_count, sizeof(*m->anomalies), by_offset);
	for (i = 0; i < m->anomaly_count; i++)
		tell(&m->anomalies[i], 1, report, only, is_excused);
	for (i = 0; i < ALL_KINDS; i++) {
		const struct check_sum *more = &m->more[i];
		struct match_anomaly first = { more->offset, more->record, CHECK_NO_NUMBER, i };

		if (more->count)
			tell(&first, more->count, report, only, is_excused);
	}
	if (m->not_judged.count && only[CHECK_FORMAT])
		tell_not_judged(m, report);
	free(m->anomalies);
	free(m->events);
	free(m);
}
