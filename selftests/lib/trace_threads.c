// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rules for each thread, across all streams. Each thread is led through the states that its
 * events give it, by time; an event that does not fit the state is a violation.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_mark.h>

#include "trace.h"

/*
 * Events of one thread in streams of different CPUs may have times that are out of order
 * by as much as the kernel's fast clocks can step back at a tick, after NTP has changed
 * their rate. Among events that are so close, the consistent order counts. This cannot hide a
 * missing or extra wakeup.
 */
#define CLOCK_STEP_NS	500

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

bool hidden_has(const struct hidden *h, uint64_t tid)
{
	return h->on && bsearch(&tid, h->tids, h->count, sizeof(tid), compare_u64);
}

static bool has(const uint64_t *sorted, size_t count, uint64_t tid)
{
	return bsearch(&tid, sorted, count, sizeof(tid), compare_u64);
}

/*
 * The threads on one side of all switches, sorted, each once. A mark that shows a thread on a CPU
 * counts as a switch to it. The last switch of a thread does not count: a dead thread belongs to no
 * process, so it is not hidden.
 */
static size_t side_of(const struct trace *t, bool in, uint64_t **tids)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	size_t count = 0, n = 0, i;

	for (i = 0; i < t->stream_count; i++)
		count += t->streams[i].event_count;
	*tids = calloc(count + t->edge_count + 1, sizeof(**tids));
	if (!*tids)
		abort();
	trace_for_each_event(t, s, e)
		if (!e->is_wakeup && (in || e->sw.state < FXT_THREAD_DYING))
			(*tids)[n++] = in ? e->sw.in : e->sw.out;
	for (i = 0; in && i < t->edge_count; i++)
		if (fxt_mark_is_begin(t->edges[i].sw.unknown))
			(*tids)[n++] = t->edges[i].sw.in;
	qsort(*tids, n, sizeof(**tids), compare_u64);
	for (i = 0, count = 0; i < n; i++)
		if (!i || (*tids)[i] != (*tids)[i - 1])
			(*tids)[count++] = (*tids)[i];
	return count;
}

/* A thread of process 1, or one without a name, is hidden as well. */
static bool may_be_hidden(const struct trace *t, uint64_t tid)
{
	const struct trace_name *name = trace_find_name(t, FXT_OBJECT_THREAD, tid);

	return tid && (!name || name->process == 1);
}

void hidden_find(struct hidden *h, const struct trace *t)
{
	const char *told = getenv("FXT_HIDDEN_PID1");
	size_t i, in_count, out_count;
	uint64_t *in_tids, *out_tids;

	memset(h, 0, sizeof(*h));
	if (told ? !strcmp(told, "0") : !!getenv("FXT_GUEST"))
		return;
	in_count = side_of(t, true, &in_tids);
	out_count = side_of(t, false, &out_tids);
	h->on = true;
	h->tids = in_tids;
	for (i = 0; i < in_count; i++) {
		if (!may_be_hidden(t, in_tids[i]))
			continue;
		if (!has(out_tids, out_count, in_tids[i]))
			h->tids[h->count++] = in_tids[i];
		else if (!told && trace_find_name(t, FXT_OBJECT_THREAD, in_tids[i]))
			h->on = false;
	}
	free(out_tids);
}

struct span {
	uint64_t from;
	uint64_t to;
};

struct spans {
	struct span *list;
	size_t count;
};

static const struct trace_event *switch_before(const struct trace *t, const struct trace_event *e)
{
	const struct trace_stream *s = trace_stream(t, e->stream);

	while (e-- > s->events)
		if (!e->is_wakeup)
			return e;
	return NULL;
}

/* Only the first switch shows which thread was on the CPU as the recording began. */
static bool behind_hidden(const struct trace *t, const struct hidden *h,
			  const struct trace_event *e)
{
	const struct trace_event *before = switch_before(t, e);

	return !before || hidden_has(h, before->sw.in);
}

static uint64_t first_switch(const struct trace_stream *s)
{
	for (const struct trace_event *e = s->events; e < s->events + s->event_count; e++)
		if (!e->is_wakeup)
			return e->time;
	return UINT64_MAX;
}

static void find_spans(struct spans *spans, const struct trace *t, const struct hidden *h)
{
	const struct trace_stream *s;
	const struct trace_event *e, *end;
	size_t count = t->stream_count;

	*spans = (struct spans){ 0 };
	trace_for_each_event(t, s, e)
		count += !e->is_wakeup && hidden_has(h, e->sw.in);
	spans->list = calloc(count + 1, sizeof(*spans->list));
	if (!spans->list)
		abort();
	for (s = t->streams; s < t->streams + t->stream_count; s++)
		spans->list[spans->count++] = (struct span) { 0, first_switch(s) };
	trace_for_each_event(t, s, e) {
		if (e->is_wakeup || !hidden_has(h, e->sw.in))
			continue;
		for (end = e + 1; end < s->events + s->event_count; end++)
			if (!end->is_wakeup)
				break;
		spans->list[spans->count++] = (struct span) {
			e->time,
			end < s->events + s->event_count ? end->time : UINT64_MAX,
		};
	}
}

static bool spans_touch(const struct spans *spans, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < spans->count; i++)
		if (spans->list[i].from <= to && spans->list[i].to >= from)
			return true;
	return false;
}

enum life {
	UNKNOWN,
	RUNNING,
	RUNNABLE,
	BLOCKED,
	DEAD,
};

static const char * const life_names[] = {
	"unknown", "running", "runnable", "blocked", "dead",
};

struct ref {
	uint64_t tid;
	const struct trace_event *e;
	bool in;
};

struct walk {
	const struct trace *t;
	struct hidden hidden;
	struct spans spans;
	struct ref *refs;
	size_t count;
};

struct thread {
	enum life life;
	uint32_t cpu;			/* CPU that it runs on */
	const struct trace_event *last;
	bool missed;			/* one of its wakeups was hidden */
};

static int compare_refs(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->e->time != y->e->time)
		return x->e->time < y->e->time ? -1 : 1;
	if (x->e->stream != y->e->stream)
		return x->e->stream < y->e->stream ? -1 : 1;
	return x->e < y->e ? -1 : x->e > y->e;
}

static void gather(struct walk *w)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	size_t i, count = 0;

	for (i = 0; i < w->t->stream_count; i++)
		count += 2 * w->t->streams[i].event_count;
	w->refs = calloc(count + 1, sizeof(*w->refs));
	if (!w->refs)
		abort();
	trace_for_each_event(w->t, s, e) {
		if (e->is_wakeup) {
			w->refs[w->count++] = (struct ref){ e->wakeup.thread, e, false };
			continue;
		}
		if (e->sw.out)
			w->refs[w->count++] = (struct ref){ e->sw.out, e, false };
		if (e->sw.in)
			w->refs[w->count++] = (struct ref){ e->sw.in, e, true };
	}
	qsort(w->refs, w->count, sizeof(*w->refs), compare_refs);
}

static bool fits(const struct thread *thread, const struct ref *r)
{
	bool out = !r->e->is_wakeup && !r->in;

	switch (thread->life) {
	case UNKNOWN:
		return true;
	case RUNNING:
		return out && r->e->stream == thread->cpu;
	case RUNNABLE:
		return r->in;
	case BLOCKED:
	case DEAD:		/* a new thread that got the same id */
		return r->e->is_wakeup;
	}
	return false;
}

static void step(struct thread *thread, const struct ref *r)
{
	thread->last = r->e;
	if (r->in) {
		thread->life = RUNNING;
		thread->cpu = r->e->stream;
	} else if (r->e->is_wakeup) {
		thread->life = r->e->wakeup.unknown ? UNKNOWN : RUNNABLE;
		thread->missed = false;
	} else if (r->e->sw.state == FXT_SCHED_STATE_UNKNOWN) {
		thread->life = UNKNOWN;
	} else if (r->e->sw.state == FXT_THREAD_NEW) {
		thread->life = RUNNABLE;
	} else {
		thread->life = r->e->sw.state >= FXT_THREAD_DYING ? DEAD : BLOCKED;
		thread->missed = false;
	}
}

/* Bring forward, among events at nearly the same time, the first that fits. */
static void choose(struct walk *w, const struct thread *thread, size_t at)
{
	struct ref *r = w->refs + at, *other, *earlier, chosen;

	for (other = r; other < w->refs + w->count && other->tid == r->tid &&
	     other->e->time <= r->e->time + CLOCK_STEP_NS; other++) {
		if (!fits(thread, other))
			continue;
		for (earlier = r; earlier < other; earlier++)
			if (earlier->e->stream == other->e->stream)
				break;
		if (earlier < other)
			continue;
		chosen = *other;
		memmove(r + 1, r, (other - r) * sizeof(*r));
		*r = chosen;
		return;
	}
}

/*
 * The kernel frees a tid a moment before its thread leaves the CPU for the last time. For the
 * next owner, that switch counts as earlier.
 */
static void choose_death(struct walk *w, const struct thread *thread, size_t at)
{
	struct ref *r = w->refs + at, *other = r, death;

	while (other < w->refs + w->count && other->tid == r->tid &&
	       other->e->stream != thread->cpu)
		other++;
	if (other == r || other == w->refs + w->count || other->tid != r->tid ||
	    other->in || other->e->is_wakeup || other->e->sw.state < FXT_THREAD_DYING)
		return;
	death = *other;
	memmove(r + 1, r, (other - r) * sizeof(*r));
	*r = death;
}

/* Can hidden threads explain the event that does not fit? */
static bool excused(struct walk *w, struct thread *thread, const struct ref *r)
{
	if (!w->hidden.on)
		return false;
	if (r->e->is_wakeup)
		return thread->missed;
	if (!r->in)
		return thread->life != RUNNING && behind_hidden(w->t, &w->hidden, r->e);
	if (thread->life != BLOCKED || !spans_touch(&w->spans, thread->last->time, r->e->time))
		return false;
	thread->missed = true;
	return true;
}

static const char *what(const struct ref *r)
{
	return r->e->is_wakeup ? "is woken" : r->in ? "goes in" : "goes out";
}

static int walk_threads(struct walk *w, struct why *why)
{
	struct thread thread = { .life = UNKNOWN };
	const struct ref *r;

	for (size_t i = 0; i < w->count; i++) {
		r = &w->refs[i];
		if (!i || r->tid != r[-1].tid)
			thread = (struct thread){ .life = UNKNOWN };
		if (hidden_has(&w->hidden, r->tid))
			continue;
		choose(w, &thread, i);
		if (thread.life == RUNNING && !fits(&thread, r))
			choose_death(w, &thread, i);
		if (!fits(&thread, r) && !excused(w, &thread, r))
			return complain(why, "byte %" PRIu64 ": thread %" PRIu64 " %s on CPU %u at %" PRIu64 ", but is %s since %" PRIu64 " (byte %" PRIu64 ", CPU %u)",
					r->e->offset, r->tid, what(r), r->e->stream,
					r->e->time, life_names[thread.life],
					thread.last->time, thread.last->offset,
					thread.last->stream);
		step(&thread, r);
	}
	return 0;
}

int trace_check_threads(const struct trace *t, struct why *why)
{
	struct walk w = { .t = t };
	int ret;

	hidden_find(&w.hidden, t);
	find_spans(&w.spans, t, &w.hidden);
	gather(&w);
	ret = walk_threads(&w, why);
	free(w.refs);
	free(w.spans.list);
	return ret;
}
