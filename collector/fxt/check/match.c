// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match.c - do slices, asynchronous events and flows begin, end and nest?
 *
 * In: events, in the order of the file.
 * Out: anomalies of the class format: violations where the specification says "must", else notes;
 * and of the class perfetto: slices and parts of flows that Perfetto drops. All are notes where
 * something explains a missing part: losses, a part of an archive, skipped records.
 *
 * Events are judged in the order of time. For that, EVENTS of them wait; one that is even further
 * out of order is judged at its place in the file. Memory also grows with threads that have slices,
 * with open slices and ids, and with anomalies. Events beyond the limits are only counted.
 *
 * Threads, ids of asynchronous events and ids of flows are groups. The group of a thread has a
 * stack of slices, the group of an id has its open begins. A complete slice stays on its stack
 * until the next event of its thread shows that it has ended.
 *
 * Perfetto, too, has a stack of slices for each thread and each track of asynchronous operations:
 * see walk/nest.h. A part of a flow belongs to the topmost slice, ended or not.
 */
#include <inttypes.h>
#include <stdio.h>

#include <fxt/fxt_sched.h>

#include "check.h"
#include "terminal/memory.h"
#include "walk/ids.h"
#include "walk/nest.h"
#include "walk/operations.h"
#include "walk/order.h"
#include "sched/session_text.h"

#define EVENTS		(256UL << 10)	/* 20 MiB */
#define OPEN_MOST	(1UL << 21)	/* 192 MiB; slices count twice */
#define ANOMALIES	(1UL << 18)	/* 10 MiB */
#define NO_STAT		STAT_COUNT

/* Slices and parts of flows that Perfetto drops, and why; continues enum check_format_kind. */
enum dropped_kind {
	PERFETTO_OVERLAP = CHECK_FORMAT_COUNT,
	PERFETTO_DEPTH,
	PERFETTO_OTHER_NAME,
	PERFETTO_NO_SLICE,
	PERFETTO_NO_BEGIN,
	PERFETTO_AMBIGUOUS,
	PERFETTO_TWICE,
	ALL_KINDS
};

struct match_event {
	struct order_key key;
	uint64_t offset;
	uint64_t record;
	uint64_t process;
	union {
		uint64_t thread;
		uint64_t own_name;	/* of asynchronous events: hash of the name */
	};
	uint64_t name;		/* hash of category and name */
	union {
		uint64_t end;	/* ns, of slices and instants; or SLICE_OPEN */
		uint64_t id;	/* of asynchronous events and flows */
	};
	uint8_t kind;		/* enum fxt_kind */
	bool is_unnamed;	/* it has neither category nor name */
	bool is_dropped;	/* Perfetto drops the record */
};

enum group_kind {
	GROUP_THREAD,		/* process, thread */
	GROUP_ASYNC,		/* id */
	GROUP_FLOW,		/* id, by the format */
};

struct match_open {
	struct slice slice;
	uint64_t offset;
	uint64_t record;
};

/* Everything open with the same key. */
struct match_group {
	struct map_node node;
	uint64_t a;
	uint64_t b;
	struct slice *top;
	struct nest drawn;	/* of threads: slices and instants by Perfetto's rules */
	uint64_t ended;			/* of threads: ns, end of the slice that ended last */
	uint8_t kind;
	bool is_uncertain;		/* of threads: which slices have ended */
};

struct match_anomaly {
	uint64_t offset;
	uint64_t record;
	uint64_t time;
	uint8_t kind;		/* enum check_format_kind or dropped_kind */
};

struct check_match {
	struct check_perfetto *perfetto;	/* counts what Perfetto drops */
	struct order waiting;
	struct match_event *moment;		/* events of one time, which are being judged */
	size_t moment_room;
	uint64_t judged;			/* ns, of the latest judged event */
	bool is_late;				/* an event came after later ones had been judged */
	struct map groups;			/* threads and ids with something open */
	size_t open;				/* begins without an end */
	struct ids flows;			/* by Perfetto's rules, like @operations */
	struct operations operations;
	struct nest_user drawn;			/* of what Perfetto draws */
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

static struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
				      uint64_t b)
{
	struct match_group *g;

	return map_find(&m->groups, hash_of(kind, a, b), g,
			g->kind == kind && g->a == a && g->b == b);
}

/* Returns NULL if there are too many. */
static struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
				     uint64_t b)
{
	struct match_group *g = match_find(m, kind, a, b);

	if (g || m->groups.count + m->open >= OPEN_MOST)
		return g;
	must(map_new(&m->groups, hash_of(kind, a, b), g));
	g->kind = kind;
	g->a = a;
	g->b = b;
	return g;
}

static struct match_group *thread_of(struct check_match *m, const struct match_event *e)
{
	return match_find(m, GROUP_THREAD, e->process, e->thread);
}

static void match_not_judged(struct check_match *m, const struct match_event *e)
{
	/* The rules of the format and those of Perfetto have a stack each. */
	if (m->not_judged.count && m->last_not_judged == e->record)
		return;
	m->last_not_judged = e->record;
	check_sum_add(&m->not_judged, e->offset, e->record);
}

/* Returns false if the begin is not judged: @to is NULL, or too much is open. */
static bool match_push(struct check_match *m, struct slice **to, const struct match_event *e,
		       uint64_t end)
{
	struct match_open *o;

	if (!to || m->groups.count + m->open >= OPEN_MOST) {
		match_not_judged(m, e);
		return false;
	}
	o = must(malloc(sizeof(*o)));
	*o = (struct match_open){ { NULL, e->key.ns, end, e->name }, e->offset, e->record };
	slice_push(to, &o->slice);
	m->open++;
	return true;
}

static void match_pop(struct check_match *m, struct slice **at)
{
	m->open--;
	free(slice_remove(at));
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

static void match_found(struct check_match *m, uint8_t kind, const struct match_event *e)
{
	match_add(m, kind, e->offset, e->record, e->key.ns);
}

/* --- what Perfetto draws ----------------------------------------------------------------- */

/* @stat: enum check_stat_number, or NO_STAT */
static void drop(struct check_match *m, const struct match_event *e, enum dropped_kind why,
		 int stat)
{
	match_found(m, why, e);
	if (stat != NO_STAT)
		check_perfetto_count(m->perfetto, stat);
}

static void drop_drawn(void *match, struct slice *s)
{
	struct check_match *m = match;

	m->open--;
	free(s);
}

/* An ended slice has taken others with it, which end earlier than the trace has it. */
static void count_misplaced(struct check_match *m, struct nest *n)
{
	for (; n->misplaced; n->misplaced--)
		check_perfetto_count(m->perfetto, STAT_MISPLACED_END);
}

/* Begin a slice or an instant on a stack. @n: NULL if there are too many groups */
static void draw_slice(struct check_match *m, struct nest *n, const struct match_event *e,
		       uint64_t end)
{
	enum nest_fate fate;
	struct slice *s;

	if (!n || m->groups.count + m->open >= OPEN_MOST) {
		match_not_judged(m, e);
		return;
	}
	s = must(malloc(sizeof(*s)));
	*s = (struct slice){ .begin = e->key.ns, .end = end, .name = e->name };
	m->open++;
	fate = nest_begin(n, s, &m->drawn);
	count_misplaced(m, n);
	switch (fate) {
	case NEST_DRAWN:
		return;
	case NEST_OVERLAP:
		drop(m, e, PERFETTO_OVERLAP, STAT_SLICE_OVERLAP);
		break;
	case NEST_DEEP:
		drop(m, e, PERFETTO_DEPTH, STAT_SLICE_DEPTH);
	}
	drop_drawn(m, s);
}

static void draw_end(struct check_match *m, struct nest *n, const struct match_event *e,
		     uint64_t name)
{
	const struct slice *s;

	if (!n)
		return;
	s = nest_end(n, e->key.ns, name, &m->drawn);
	count_misplaced(m, n);
	if (s)
		nest_drop_ended(n, s, &m->drawn);
	else if (*slice_innermost(&n->top))
		drop(m, e, PERFETTO_OTHER_NAME, NO_STAT);
}

static void draw_operation(struct check_match *m, const struct match_event *e)
{
	struct operation_track *track;

	track = operations_track(&m->operations, e->kind, e->id, (const char *)&e->own_name,
				 sizeof(e->own_name));
	if (!track)
		match_not_judged(m, e);
	else if (e->kind == FXT_KIND_ASYNC_END)
		draw_end(m, &track->nest, e, e->name);
	else
		draw_slice(m, &track->nest, e,
			   e->kind == FXT_KIND_ASYNC_BEGIN ? SLICE_OPEN : e->key.ns);
}

static void draw_flow(struct check_match *m, const struct match_event *e)
{
	static const struct {
		enum dropped_kind why;
		int stat;
	} dropped[] = {
		[FLOW_TWICE] = { PERFETTO_TWICE, STAT_FLOW_TWICE },
		[FLOW_NO_SLICE] = { PERFETTO_NO_SLICE, STAT_FLOW_NO_SLICE },
		[FLOW_AMBIGUOUS] = { PERFETTO_AMBIGUOUS, NO_STAT },
		[FLOW_UNKNOWN] = { PERFETTO_NO_BEGIN, NO_STAT },
		[FLOW_UNBOUND] = { PERFETTO_NO_BEGIN, STAT_FLOW_STEP },
	};
	const struct match_group *g = thread_of(m, e);
	enum flow_fate fate;
	int stat;

	/* Perfetto truncates koids. */
	fate = ids_flow(&m->flows, e->kind, (uint32_t)e->process, e->id,
			g && g->drawn.top ? &(struct flow_place){ 0 } : NULL).fate;
	if (fate == FLOW_FULL)
		match_not_judged(m, e);
	if (fate == FLOW_FULL || fate == FLOW_DRAWN)
		return;
	stat = dropped[fate].stat;
	if (stat == STAT_FLOW_STEP && e->kind == FXT_KIND_FLOW_END)
		stat = STAT_FLOW_END;
	drop(m, e, dropped[fate].why, stat);
}

static void draw(struct check_match *m, const struct match_event *e)
{
	struct match_group *g;

	switch (e->kind) {
	case FXT_KIND_INSTANT:
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_COMPLETE:
		g = match_get(m, GROUP_THREAD, e->process, e->thread);
		draw_slice(m, g ? &g->drawn : NULL, e, e->end);
		break;
	case FXT_KIND_DURATION_END:
		g = thread_of(m, e);
		draw_end(m, g ? &g->drawn : NULL, e, NEST_ANY_NAME);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		draw_operation(m, e);
		break;
	case FXT_KIND_FLOW_BEGIN ... FXT_KIND_FLOW_END:
		draw_flow(m, e);
		break;
	default:
		break;
	}
}

/* --- slices, by the format ------------------------------------------------------------ */

/* Remove ended slices, unless an open one lies above them. */
static void end_slices(struct check_match *m, struct match_group *g, uint64_t time)
{
	while (g->top && g->top->end <= time) {
		g->ended = g->top->end > g->ended ? g->top->end : g->ended;
		match_pop(m, &g->top);
	}
}

/*
 * Does a slice begin in one that ends before it? One that begins with it is within it. If too many
 * do, it is not judged.
 */
static bool overlaps(struct check_match *m, const struct match_group *g,
		     const struct match_event *e)
{
	const struct slice *s;
	unsigned int n;

	for (s = g->top, n = 0; s && s->end < e->end && n < SLICE_SEARCH; s = s->outer, n++)
		if (s->begin < e->key.ns)
			return true;
	if (n == SLICE_SEARCH)
		match_not_judged(m, e);
	return false;
}

static void push_slice(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = match_get(m, GROUP_THREAD, e->process, e->thread);

	if (g)
		end_slices(m, g, e->key.ns);
	if (g && e->end != SLICE_OPEN && overlaps(m, g, e))
		match_found(m, MATCH_NESTING, e);
	match_push(m, g ? &g->top : NULL, e, e->end);
}

static void pop_slice(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = thread_of(m, e);
	struct slice **at = g ? &g->top : NULL;
	unsigned int n;

	if (g)
		end_slices(m, g, e->key.ns);
	for (n = 0; at && *at && (*at)->end != SLICE_OPEN && n < SLICE_SEARCH; n++)
		at = &(*at)->outer;
	if (g && (n == SLICE_SEARCH || g->is_uncertain)) {
		g->is_uncertain = true;
		match_not_judged(m, e);
		return;
	}
	if (!at || !*at) {
		match_found(m, MATCH_END, e);
		return;
	}
	/* A producer may know only that the innermost slice ends. */
	if ((*at)->name != e->name && !e->is_unnamed)
		match_found(m, MATCH_END_NAME, e);
	/* A complete slice is still open, or ended while this one was open. */
	if (at != &g->top || ((*at)->outer && (*at)->outer->end < e->key.ns))
		match_found(m, MATCH_NESTING, e);
	g->ended = e->key.ns > g->ended ? e->key.ns : g->ended;
	match_pop(m, at);
}

/* --- asynchronous events and flows, by the format --------------------------------------- */

/* Take a part of an operation or flow: a begin, an end, or another one. */
static void match_part(struct check_match *m, const struct match_event *e, enum group_kind kind,
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
		match_push(m, g ? &g->top : NULL, e, SLICE_OPEN);
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
	if (!g->top) {
		map_remove(&m->groups, &g->node);
		free(g);
	}
}

static bool is_enclosed(const struct match_group *thread, uint64_t time)
{
	return thread && (thread->top || thread->ended == time);
}

static void match_flow(struct check_match *m, const struct match_event *e)
{
	struct match_group *g = thread_of(m, e);

	if (g)
		end_slices(m, g, e->key.ns);
	if (!is_enclosed(g, e->key.ns))
		match_found(m, MATCH_NO_SLICE, e);
	match_part(m, e, GROUP_FLOW, e->kind == FXT_KIND_FLOW_BEGIN, e->kind == FXT_KIND_FLOW_END);
}

/* --- in the order of time --------------------------------------------------------- */

static void judge(struct check_match *m, const struct match_event *e)
{
	switch (e->kind) {
	case FXT_KIND_INSTANT:
		break;
	case FXT_KIND_DURATION_BEGIN:
	case FXT_KIND_DURATION_COMPLETE:
		push_slice(m, e);
		break;
	case FXT_KIND_DURATION_END:
		pop_slice(m, e);
		break;
	case FXT_KIND_ASYNC_BEGIN ... FXT_KIND_ASYNC_END:
		match_part(m, e, GROUP_ASYNC, e->kind == FXT_KIND_ASYNC_BEGIN,
			   e->kind == FXT_KIND_ASYNC_END);
		break;
	default:
		match_flow(m, e);
		break;
	}
}

#define RANKS	4

/*
 * Unsynchronized threads may write simultaneous events in any order. So of events of one time, a
 * slice begins before its contents, and an id before its parts.
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
 * Judge the waiting events of the earliest time: by the format's rules in the order of ranks, by
 * Perfetto's in file order. Returns false if none waits.
 */
static bool judge_moment(struct check_match *m)
{
	const struct match_event *e;
	unsigned int rank;
	size_t count = 0, i;

	while ((e = order_first(&m->waiting)) && (!count || e->key.ns == m->moment->key.ns)) {
		array_hold(m->moment, m->moment_room, count + 1);
		m->moment[count++] = *(struct match_event *)order_pop(&m->waiting);
	}
	if (!count)
		return false;
	m->is_late |= m->moment->key.ns < m->judged;
	m->judged = m->moment->key.ns > m->judged ? m->moment->key.ns : m->judged;
	for (rank = 0; rank < RANKS; rank++)
		for (i = 0; i < count; i++)
			if (rank_of(m->moment[i].kind) == rank)
				judge(m, &m->moment[i]);
	for (i = 0; i < count; i++)
		if (!m->moment[i].is_dropped)
			draw(m, &m->moment[i]);
	return true;
}

/*
 * Do the lines of fxt cut or fxt-collect mark the archive as a part? Or is it of another tracer,
 * which began and ended while programs ran?
 */
static bool says_part(const struct fxt_bytes *session)
{
	size_t length;

	return session_value(session->data, session->bytes, "cut of", &length) ||
	       session_value(session->data, session->bytes, "tool", &length);
}

struct check_match *check_match_open(struct check_perfetto *perfetto)
{
	struct check_match *m = new_zero(struct check_match);

	m->perfetto = perfetto;
	m->flows.most = OPEN_MOST;
	m->drawn = (struct nest_user){ drop_drawn, m };
	m->operations.user = &m->drawn;
	m->waiting = (struct order){ .size = sizeof(struct match_event), .room = EVENTS };
	return m;
}

/* The last word of an event, in ns if it is a time. */
static uint64_t word_of(const struct fxt_content *c, uint64_t rate)
{
	switch (c->kind) {
	case FXT_KIND_INSTANT:
		return fxt_ticks_to_ns(c->time, rate);
	case FXT_KIND_DURATION_BEGIN:
		return SLICE_OPEN;
	case FXT_KIND_DURATION_COMPLETE:
		return fxt_ticks_to_ns(c->end, rate);
	default:
		return c->id;
	}
}

void check_match_content(struct check_match *m, const struct fxt_record *rec,
			 const struct fxt_content *c)
{
	bool is_async = c->kind >= FXT_KIND_ASYNC_BEGIN && c->kind <= FXT_KIND_ASYNC_END;
	uint64_t rate = rec->provider->ticks_per_second;

	if (c->kind == FXT_KIND_BLOB && c->name.known == FXT_STR_SESSION)
		m->is_part |= says_part(&c->blob);
	if (c->kind < FXT_KIND_INSTANT || c->kind > FXT_KIND_FLOW_END ||
	    c->kind == FXT_KIND_COUNTER)
		return;
	/* The kernel's operations are open when a recording begins and ends. */
	if (c->kind >= FXT_KIND_ASYNC_BEGIN && c->kind <= FXT_KIND_ASYNC_END &&
	    kernel_event_is_track(c->thread.process) &&
	    fxt_text_is(&rec->provider->name, FXT_SCHED_PROVIDER_NAME))
		return;
	if (order_is_full(&m->waiting))
		judge_moment(m);
	order_add(&m->waiting, &(struct match_event){
		.key.ns = fxt_ticks_to_ns(c->time, rate),
		.offset = rec->offset,
		.record = rec->number,
		.process = c->thread.process,
		.thread = is_async ? fxt_hash_bytes(c->name.bytes, c->name.length) :
				     c->thread.thread,
		.name = operation_hash(&c->category, &c->name),
		.end = word_of(c, rate),
		.kind = c->kind,
		.is_unnamed = !c->category.length && !c->name.length,
		.is_dropped = check_perfetto_drops(m->perfetto),
	}, 0);
}

/* --- the end ----------------------------------------------------------------------- */

static void end_groups(struct check_match *m)
{
	static const uint8_t kinds[] = {
		[GROUP_THREAD] = MATCH_BEGIN,
		[GROUP_ASYNC] = MATCH_ASYNC_BEGIN,
		[GROUP_FLOW] = MATCH_FLOW_BEGIN,
	};
	const struct match_open *o;
	struct match_group *g;

	map_drain(&m->groups, g) {
		for (; g->top; match_pop(m, &g->top)) {
			o = (const struct match_open *)g->top;
			if (o->slice.end == SLICE_OPEN && !g->is_uncertain)
				match_add(m, kinds[g->kind], o->offset, o->record, o->slice.begin);
		}
		nest_drop_all(&g->drawn, &m->drawn);
		free(g);
	}
	ids_free(&m->flows, NULL, NULL);
	operations_free(&m->operations);
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
	[PERFETTO_OTHER_NAME] = "an asynchronous operation ends with another category or name "
		"than those that are open, so it goes on",
	[PERFETTO_NO_SLICE] = "a part of a flow is outside of all slices of its thread; it is "
		"dropped",
	[PERFETTO_NO_BEGIN] = "a flow continues or ends, but did not begin in a slice; the "
		"part is dropped",
	[PERFETTO_AMBIGUOUS] = "several processes began flows of this id, so a part in another "
		"process is dropped",
	[PERFETTO_TWICE] = "a flow of this id has begun already in this process, so the begin is "
		"dropped",
};

static void report_found(const struct match_anomaly *f, uint64_t count, struct check_report *report,
			 const bool *only, bool is_excused)
{
	static const char * const names[] = {
#define MATCH_NAME(kind, name) [kind] = name,
		CHECK_FORMAT_KINDS(MATCH_NAME)
#undef MATCH_NAME
	};
	bool is_perfetto = f->kind >= CHECK_FORMAT_COUNT;
	/* exec() renames threads in system calls, which causes such slices in any recording. */
	bool is_slice = is_perfetto && f->kind <= PERFETTO_OTHER_NAME;
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
		check_report_addf(report, anomaly, "%s", texts[f->kind]);
}

static void report_not_judged(const struct check_match *m, struct check_report *report)
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

	while (judge_moment(m))
		;
	end_groups(m);
	is_excused |= m->is_part || m->is_late || m->not_judged.count;
	if (m->anomaly_count)
		qsort(m->anomalies, m->anomaly_count, sizeof(*m->anomalies), by_offset);
	for (i = 0; i < m->anomaly_count; i++)
		report_found(&m->anomalies[i], 1, report, only, is_excused);
	for (i = 0; i < ALL_KINDS; i++) {
		const struct check_sum *more = &m->more[i];
		struct match_anomaly first = { more->offset, more->record, CHECK_NO_NUMBER, i };

		if (more->count)
			report_found(&first, more->count, report, only, is_excused);
	}
	if (m->not_judged.count && only[CHECK_FORMAT])
		report_not_judged(m, report);
	free(m->anomalies);
	order_free(&m->waiting);
	free(m->moment);
	free(m);
}
