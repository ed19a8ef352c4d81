// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeps.c - see sleeps.h.
 *
 * A thread can be switched out on one CPU and in on another one, whose chunk may have come long
 * before or may come at the very end. So switch-outs and stacks are marks, which are sorted by
 * thread and time when the archive ends: a stack belongs to the mark before it, if that is a
 * switch-out. Most switch-outs are forgotten soon, because the thread comes back to the same CPU
 * without a stack, too early to have had one elsewhere.
 *
 * Without room for more, those switch-outs are forgotten that have another one after them. A
 * stack between the two that comes later has no switch-out then, but never a wrong one, because
 * all marks before it are either gone or stacks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/fxt_reader.h"
#include "sleeps.h"
#include "source/source.h"

#define RECENT		256	/* threads of a CPU; a power of two */
#define MOST_GAPS	1024

/* @thread 0: free, and @time is the next one, as in struct sleeps. @stack NULL: a switch-out. */
struct sleep_mark {
	uint64_t time;
	const struct sched_stack *stack;
	uint32_t thread;
	uint32_t process;
};

struct sleep_gap {
	uint64_t from;
	uint64_t to;
};

/* What a CPU has recorded last. */
struct sleep_stream {
	uint64_t lost;
	bool has_begun;		/* it has records in this archive */
	uint32_t in;		/* the thread that was switched in last, until its stack; or 0 */
	uint64_t in_time;
	struct {
		uint32_t thread;
		uint32_t mark;
	} out[RECENT];		/* by thread id: switch-outs */
};

void sleeps_open(struct sleeps *s, const struct source_config *c, uint64_t ticks_per_second)
{
	*s = (struct sleeps){
		.is_on = c->stacks.what & (STACKS_OFFCPU | STACKS_PREEMPT) &&
			 !(c->filter && c->filter->cpus),
		.preempted = c->stacks.what & STACKS_PREEMPT,
		.overwrites = c->overwrite,
		.min = c->stacks.min,
		.ticks_per_second = ticks_per_second,
		.most = SLEEPS_MARKS,
		.stacks.most = SLEEPS_STACKS,
	};
}

/* --- marks ----------------------------------------------------------------------------- */

static int by_thread(const void *a, const void *b)
{
	const struct sleep_mark *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	/* Switched in and out again within one tick. */
	return (x->stack == NULL) - (y->stack == NULL);
}

/* Remove free marks, and sort the others. */
static void sort_marks(struct sleeps *s)
{
	size_t i, count = 0;

	for (i = 0; i < s->count; i++)
		if (s->marks[i].thread)
			s->marks[count++] = s->marks[i];
	s->count = count;
	s->free = 0;
	if (count)
		qsort(s->marks, count, sizeof(*s->marks), by_thread);
}

static void forget_outs(struct sleeps *s)
{
	size_t i, count = 0;

	sort_marks(s);
	for (i = 0; i < s->count; i++)
		if (s->marks[i].stack || i + 1 == s->count || s->marks[i + 1].stack ||
		    s->marks[i + 1].thread != s->marks[i].thread)
			s->marks[count++] = s->marks[i];
	s->count = count;
	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i])
			memset(s->streams[i]->out, 0, sizeof(s->streams[i]->out));
}

static int make_room(struct sleeps *s)
{
	size_t room = s->room ? 2 * s->room : 1024;
	struct sleep_mark *more;

	if (s->free || s->count < s->room)
		return 0;
	if (s->room == s->most) {
		/* Not for every few marks: sorting takes long. */
		if (!s->is_full)
			forget_outs(s);
		s->is_full = s->count > s->most / 4 * 3;
		return 0;
	}
	if (room > s->most)
		room = s->most;
	more = reallocarray(s->marks, room, sizeof(*more));
	if (!more)
		return -ENOMEM;
	s->marks = more;
	s->room = room;
	return 0;
}

/* Return: index of a new mark, or a negative errno; -ENOSPC if there is no room. */
static int64_t add_mark(struct sleeps *s, const struct sleep_mark *mark)
{
	size_t at = s->count;
	int ret = make_room(s);

	if (ret)
		return ret;
	if (s->free) {
		at = s->free - 1;
		s->free = s->marks[at].time;
	} else if (s->count < s->room) {
		at = s->count++;
	} else {
		s->dropped++;
		return -ENOSPC;
	}
	s->marks[at] = *mark;
	return at;
}

static void free_mark(struct sleeps *s, uint32_t at)
{
	s->marks[at] = (struct sleep_mark){ .time = s->free };
	s->free = at + 1;
}

/* --- records ----------------------------------------------------------------------------- */

static bool wants_state(const struct sleeps *s, uint64_t state)
{
	return state == FXT_THREAD_BLOCKED || state == FXT_THREAD_SUSPENDED ||
	       (state == FXT_THREAD_NEW && s->preempted);
}

/* The thread that was switched in last has no stack. */
static void end_in(struct sleeps *s, struct sleep_stream *stream)
{
	const uint32_t thread = stream->in, slot = thread % RECENT;
	const uint32_t mark = stream->out[slot].mark;
	uint64_t ticks;

	stream->in = 0;
	if (!thread || stream->out[slot].thread != thread)
		return;
	stream->out[slot].thread = 0;
	ticks = stream->in_time - s->marks[mark].time;
	if (fxt_ticks_to_ns(ticks, s->ticks_per_second) < s->min)
		free_mark(s, mark);
}

static int take_switch(struct sleeps *s, struct sleep_stream *stream, const uint64_t *rec)
{
	const struct sleep_mark out = { .time = rec[1], .thread = rec[2] };
	const uint32_t slot = out.thread % RECENT;
	int64_t mark;

	end_in(s, stream);
	stream->in = rec[3];
	stream->in_time = rec[1];
	if (!out.thread || !wants_state(s, fxt_get(FXT_SWITCH_STATE, rec[0])))
		return 0;
	mark = add_mark(s, &out);
	if (mark < 0)
		return mark == -ENOSPC ? 0 : mark;
	stream->out[slot].thread = out.thread;
	stream->out[slot].mark = mark;
	return 0;
}

static int take_stack(struct sleeps *s, struct sleep_stream *stream, const uint64_t *rec,
		      uint64_t words)
{
	const uint64_t *frames = rec + FXT_SCHED_STACK_HEAD;
	uint32_t count = fxt_get(FXT_BACKTRACE_FRAMES, rec[0]);
	struct sleep_mark mark = { .time = rec[1], .process = rec[2], .thread = rec[3] };
	int64_t at;

	if (words < FXT_SCHED_STACK_HEAD || count > words - FXT_SCHED_STACK_HEAD)
		return 0;
	if (!stream->in || mark.thread != stream->in || mark.time != stream->in_time)
		return 0;
	stream->in = 0;
	/* Its switch-out is needed; later ones of this CPU are not before it. */
	stream->out[mark.thread % RECENT].thread = 0;
	mark.stack = sched_stack_get(&s->stacks, 0, mark.process, frames, count);
	if (!mark.stack)
		return -ENOMEM;
	at = add_mark(s, &mark);
	return at >= 0 || at == -ENOSPC ? 0 : at;
}

/* --- streams ----------------------------------------------------------------------------- */

static struct sleep_stream *stream_of(struct sleeps *s, uint32_t number)
{
	struct sleep_stream **more;
	size_t count = number + 1;

	if (count > s->stream_count) {
		more = reallocarray(s->streams, count, sizeof(struct sleep_stream *));
		if (!more)
			return NULL;
		memset(more + s->stream_count, 0,
		       (count - s->stream_count) * sizeof(struct sleep_stream *));
		s->streams = more;
		s->stream_count = count;
	}
	if (!s->streams[number])
		s->streams[number] = calloc(1, sizeof(struct sleep_stream));
	return s->streams[number];
}

static int add_gap(struct sleeps *s, uint64_t from, uint64_t to)
{
	struct sleep_gap *last;

	if (!s->gaps)
		s->gaps = calloc(MOST_GAPS, sizeof(*s->gaps));
	if (!s->gaps)
		return -ENOMEM;
	if (s->gap_count < MOST_GAPS) {
		s->gaps[s->gap_count++] = (struct sleep_gap){ from, to };
		return 0;
	}
	last = &s->gaps[MOST_GAPS - 1];
	last->from = from < last->from ? from : last->from;
	last->to = to > last->to ? to : last->to;
	return 0;
}

static int take_ledger(struct sleeps *s, struct sleep_stream *stream,
		       const struct fxt_ledger *ledger)
{
	bool has_lost = ledger->lost != stream->lost, has_begun = stream->has_begun;

	stream->lost = ledger->lost;
	stream->has_begun = true;
	if (!has_begun && s->overwrites && ledger->sequence)
		return add_gap(s, 0, ledger->time);
	return has_lost ? add_gap(s, ledger->last, ledger->time) : 0;
}

int sleeps_chunk(struct sleeps *s, const struct chunk *c)
{
	const uint64_t *rec = c->data, *end = rec + c->bytes / FXT_WORD;
	struct sleep_stream *stream;
	struct fxt_ledger ledger;
	uint64_t words;
	int ret;

	if (!s->is_on)
		return 0;
	if (c->bytes < FXT_LEDGER_WORDS * FXT_WORD || !fxt_sched_get_ledger(c->data, &ledger))
		return 0;
	if (ledger.stream >= MAX_CPUS)
		return 0;
	stream = stream_of(s, ledger.stream);
	if (!stream)
		return -ENOMEM;
	ret = take_ledger(s, stream, &ledger);
	for (rec += FXT_LEDGER_WORDS; rec < end && !ret; rec += words) {
		words = fxt_get(FXT_SIZE, rec[0]);
		if (!words || words > (uint64_t)(end - rec))
			break;
		if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_PROFILER)
			ret = take_stack(s, stream, rec, words);
		else if (fxt_get(FXT_TYPE, rec[0]) == FXT_RECORD_SCHEDULING &&
			 fxt_get(FXT_SCHEDULING_TYPE, rec[0]) == FXT_SCHEDULING_CONTEXT_SWITCH &&
			 words >= FXT_SWITCH_BASE_WORDS)
			ret = take_switch(s, stream, rec);
	}
	return ret;
}

/* --- the end of an archive ------------------------------------------------------------------ */

static int by_begin(const void *a, const void *b)
{
	const struct sleep_gap *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Make the gaps of all CPUs one list without overlaps. */
static void join_gaps(struct sleeps *s)
{
	size_t i, last = 0;

	if (!s->gap_count)
		return;
	qsort(s->gaps, s->gap_count, sizeof(*s->gaps), by_begin);
	for (i = 1; i < s->gap_count; i++) {
		if (s->gaps[i].from > s->gaps[last].to)
			s->gaps[++last] = s->gaps[i];
		else if (s->gaps[i].to > s->gaps[last].to)
			s->gaps[last].to = s->gaps[i].to;
	}
	s->gap_count = last + 1;
}

static bool is_in_gap(const struct sleeps *s, uint64_t from, uint64_t to)
{
	size_t low = 0, high = s->gap_count, middle;

	/* The first one that ends after @from. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (s->gaps[middle].to <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->gap_count && s->gaps[low].from < to;
}

void sleeps_finish(struct sleeps *s)
{
	sort_marks(s);
	join_gaps(s);
}

bool sleeps_next(struct sleeps *s, size_t *at, struct sleep *sleep)
{
	for (; *at < s->count; ++*at) {
		const struct sleep_mark *mark = &s->marks[*at], *out = mark - !!*at;

		if (!mark->stack)
			continue;
		if (out == mark || out->stack || out->thread != mark->thread ||
		    is_in_gap(s, out->time, mark->time))
			continue;
		*sleep = (struct sleep){
			.time = mark->time,
			.ns = fxt_ticks_to_ns(mark->time - out->time, s->ticks_per_second),
			.thread = mark->thread,
			.process = mark->process,
			.stack = mark->stack,
		};
		++*at;
		return true;
	}
	return false;
}

void sleeps_restart(struct sleeps *s)
{
	size_t i;

	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i])
			*s->streams[i] = (struct sleep_stream){ .lost = s->streams[i]->lost };
	free(s->marks);
	free(s->gaps);
	sched_stacks_free(&s->stacks);
	s->marks = NULL;
	s->gaps = NULL;
	s->count = s->room = s->free = s->gap_count = 0;
	s->is_full = false;
	s->stacks = (struct sched_stacks){ .most = s->stacks.most };
}

void sleeps_close(struct sleeps *s)
{
	size_t i;

	sleeps_restart(s);
	for (i = 0; i < s->stream_count; i++)
		free(s->streams[i]);
	free(s->streams);
	*s = (struct sleeps){ 0 };
}
