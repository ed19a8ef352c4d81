// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters and instants, compared with the records that they come from. At each instant of the grid
 * of counters, the last value of each CPU is the number of threads whose last record before it left
 * them waiting for that CPU, and 100 times the switches up to the next instant; and there is an
 * instant for each exec and rename of a name, and no other instant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define PER_SECOND	100
#define CPUS		8192
#define TIDS		(1 << 22)

struct recount {
	const struct trace_event **events;	/* by time */
	size_t count;
	size_t at;
	bool is_segment;			/* it does not know the earlier waits */
	int32_t *place;			/* by thread: the CPU that it waits for, plus 1 */
	int64_t waiting[CPUS];
	int64_t rate[CPUS];
	const struct trace_counter *said[CPUS];
};

static int by_time(const void *a, const void *b)
{
	const struct trace_event *x = *(void * const *)a, *y = *(void * const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
}

static int sort_events(struct recount *r, const struct trace *t, uint64_t from)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e)
		r->count += e->time >= from;
	r->events = calloc(r->count + 1, sizeof(*r->events));
	r->place = calloc(TIDS, sizeof(*r->place));
	if (!r->events || !r->place)
		return -1;
	r->count = 0;
	trace_for_each_event(t, s, e)
		if (e->time >= from)
			r->events[r->count++] = e;
	qsort(r->events, r->count, sizeof(*r->events), by_time);
	return 0;
}

static void move(struct recount *r, uint64_t tid, int32_t place)
{
	if (!tid || tid >= TIDS)
		return;
	if (r->place[tid])
		r->waiting[r->place[tid] - 1]--;
	if (place)
		r->waiting[place - 1]++;
	r->place[tid] = place;
}

static void pass(struct recount *r, uint64_t to)
{
	const struct trace_event *e;

	for (; r->at < r->count && r->events[r->at]->time < to; r->at++) {
		e = r->events[r->at];
		if (e->is_wakeup) {
			move(r, e->wakeup.thread, e->wakeup.cpu + 1);
			continue;
		}
		r->rate[e->stream] += PER_SECOND;
		move(r, e->sw.out, e->sw.state == FXT_THREAD_NEW ? (int32_t)e->stream + 1 : 0);
		move(r, e->sw.in, 0);
	}
}

/*
 * Check the counters of all CPUs at @time. @r->said has their values; the events up to the next
 * instant have been applied to @r.
 */
static int check_slot(struct recount *r, const struct trace *t, uint64_t time,
		      const int64_t *waiting, struct why *why)
{
	const struct trace_counter *c;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++) {
		if (s->id == FXT_LEDGER_STREAM_NAMES || !s->event_count)
			continue;
		c = r->said[s->id];
		if (!c && !waiting[s->id] && !r->rate[s->id])
			continue;
		if (!c || c->rate != r->rate[s->id] ||
		    (!r->is_segment && c->runnable != waiting[s->id]))
			return complain(why, "at %ju cpu %u has %jd threads waiting and %jd switches/s, but its counter at %ju says %jd and %jd",
					(uintmax_t)time, s->id, (intmax_t)waiting[s->id],
					(intmax_t)r->rate[s->id], (uintmax_t)(c ? c->time : 0),
					(intmax_t)(c ? c->runnable : -1),
					(intmax_t)(c ? c->rate : -1));
	}
	return 0;
}

/* The archive is complete up to the stop, whose time is in its closing ledgers. */
static uint64_t end_of(const struct trace *t)
{
	uint64_t end = 0;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++)
		if (s->ledger_count && s->ledgers[s->ledger_count - 1].l.time > end)
			end = s->ledgers[s->ledger_count - 1].l.time;
	return end;
}

static int recount(struct recount *r, const struct trace *t, struct why *why)
{
	uint64_t slot = t->ticks_per_second / PER_SECOND, end = end_of(t), time, last = 0;
	static int64_t waiting[CPUS];
	size_t at = 0;

	for (time = t->counters[0].time; time + slot <= end; time += slot) {
		for (; at < t->counter_count && t->counters[at].time == time; at++)
			r->said[t->counters[at].cpu] = &t->counters[at];
		memset(r->rate, 0, sizeof(r->rate));
		pass(r, time);
		memset(r->rate, 0, sizeof(r->rate));
		memcpy(waiting, r->waiting, sizeof(waiting));
		pass(r, time + slot);
		/* A segment may have only the end of its first slot. */
		if ((!r->is_segment || time > t->counters[0].time) &&
		    check_slot(r, t, time, waiting, why))
			return -1;
		last = time;
	}
	if (at < t->counter_count)
		return complain(why, "the counter at %ju is off the grid, or follows the last at %ju, or goes back",
				(uintmax_t)t->counters[at].time, (uintmax_t)last);
	return 0;
}

/* From this time on it is known which threads wait; earlier waits are unknown. */
static uint64_t known_from(const struct trace *t)
{
	const struct trace_mark *m = trace_find_mark(t, FXT_STR_COMPLETE);

	return m ? m->time : 0;
}

/* Counters can begin at this time. */
static uint64_t begin_of(const struct trace *t)
{
	uint64_t begin = UINT64_MAX;

	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++)
		if (s->event_count && s->events[0].time < begin)
			begin = s->events[0].time;
	return begin > known_from(t) ? begin : known_from(t);
}

static int check_counters(const struct trace *t, bool is_segment, struct why *why)
{
	struct recount *r = calloc(1, sizeof(*r));
	int ret = 0;

	if (r)
		r->is_segment = is_segment;

	if (!r || sort_events(r, t, known_from(t)))
		ret = complain(why, "no memory");
	else
		ret = recount(r, t, why);
	if (r) {
		free(r->events);
		free(r->place);
	}
	free(r);
	return ret;
}

static int by_thread(const void *a, const void *b)
{
	const struct trace_name *x = *(void * const *)a, *y = *(void * const *)b;

	if (x->koid != y->koid)
		return x->koid < y->koid ? -1 : 1;
	return x->offset < y->offset ? -1 : 1;
}

static int by_offset(const void *a, const void *b)
{
	const struct trace_instant *x = a, *y = b;

	return x->offset < y->offset ? -1 : 1;
}

static size_t expect_instants(const struct trace *t, const struct trace_name **names,
			      struct trace_instant *expected)
{
	const struct trace_name *n, *before;
	size_t count = 0, found = 0, i;

	for (i = 0; i < t->name_count; i++)
		if (t->names[i].type == FXT_OBJECT_THREAD)
			names[count++] = &t->names[i];
	qsort(names, count, sizeof(*names), by_thread);
	for (i = 0; i < count; i++) {
		n = names[i];
		before = i && names[i - 1]->koid == n->koid ? names[i - 1] : NULL;
		if (!n->event || n->event == FXT_STR_FORK || n->event == FXT_STR_FOLDED ||
		    (n->event == FXT_STR_RENAME && before && !strcmp(before->text, n->text)))
			continue;
		expected[found] = (struct trace_instant){
			.offset = n->offset, .what = n->event, .time = n->event_time,
			.thread = n->koid, .process = n->process,
		};
		snprintf(expected[found].after, TRACE_NAME_SIZE, "%s", n->text);
		if (before && n->event == FXT_STR_RENAME)
			snprintf(expected[found].before, TRACE_NAME_SIZE, "%s", before->text);
		found++;
	}
	qsort(expected, found, sizeof(*expected), by_offset);
	return found;
}

static int compare_instants(const struct trace *t, const struct trace_instant *expected,
			    size_t count, struct why *why)
{
	const struct trace_instant *x, *y;

	for (size_t i = 0; i < count && i < t->instant_count; i++) {
		x = &expected[i];
		y = &t->instants[i];
		if (x->what != y->what || x->time != y->time || x->thread != y->thread ||
		    x->process != y->process || strcmp(x->before, y->before) ||
		    strcmp(x->after, y->after))
			return complain(why, "byte %ju: an instant says that thread %ju became %s at %ju, where its names say that %ju became %s at %ju",
					(uintmax_t)y->offset, (uintmax_t)y->thread, y->after,
					(uintmax_t)y->time, (uintmax_t)x->thread, x->after,
					(uintmax_t)x->time);
	}
	if (count != t->instant_count)
		return complain(why, "%zu instants of execs and renames, but %zu names tell of one",
				t->instant_count, count);
	return 0;
}

static int check_instants(const struct trace *t, struct why *why)
{
	const struct trace_name **names = calloc(t->name_count + 1, sizeof(*names));
	struct trace_instant *expected = calloc(t->name_count + 1, sizeof(*expected));
	int ret = -1;

	if (names && expected)
		ret = compare_instants(t, expected, expect_instants(t, names, expected), why);
	else
		complain(why, "no memory");
	free(names);
	free(expected);
	return ret;
}

/* Was the collector killed before it could write the counters and instants of the last records? */
static bool is_cut_off(const struct trace *t)
{
	for (const struct trace_stream *s = t->streams; s < t->streams + t->stream_count; s++)
		if (!s->closed)
			return true;
	return t->torn;
}

int trace_check_extras(const struct trace *t, struct why *why)
{
	bool is_snapshot = trace_find_mark(t, FXT_STR_COMPLETE), is_segment = false;
	const struct trace_stream *s;

	if (is_cut_off(t) || trace_lost(t) || strstr(t->session, "\nwithout "))
		return 0;
	for (s = t->streams; s < t->streams + t->stream_count && !is_snapshot; s++)
		is_segment |= s->opening.kind == FXT_LEDGER_OPENING;
	/* Snapshots and segments lack the names from before they begin. */
	if (!is_snapshot && !is_segment && check_instants(t, why))
		return -1;
	if (t->counter_count)
		return check_counters(t, is_segment, why);
	if (!strstr(t->session, "\nfilter ") &&
	    end_of(t) > begin_of(t) && end_of(t) - begin_of(t) > t->ticks_per_second)
		return complain(why, "no counter in an archive of more than a second");
	return 0;
}
