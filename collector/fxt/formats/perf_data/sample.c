// SPDX-License-Identifier: GPL-2.0-or-later
/* sample.c - see sample.h. */
#include <errno.h>
#include <stdlib.h>

#include <fxt/fxt_sched_stack.h>
#include <linux/perf_event.h>

#include "sample.h"

#define FORMAT_LOST	(1U << 4)	/* PERF_FORMAT_LOST, of Linux 6.0 */

/* Bits of the fields before the raw data that are one word each and of no interest. */
#define READS		(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/* Goes through the words of a record. */
struct walk {
	struct perf_bytes b;
	size_t at;
	bool wrong;
};

static uint64_t next(struct walk *w)
{
	uint64_t n = 0;

	w->wrong |= !perf_bytes_u64(w->b, w->at, &n);
	w->at += 8;
	return n;
}

static void skip(struct walk *w, uint64_t words)
{
	if (words > (w->b.size - (w->at < w->b.size ? w->at : w->b.size)) / 8)
		w->wrong = true;
	else
		w->at += words * 8;
}

/* The values of a counter, or of a group of them. */
static void skip_read(struct walk *w, uint64_t format)
{
	unsigned int times = __builtin_popcountll(format & READS);
	unsigned int each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t count = next(w);

		skip(w, times);
		if (count > w->b.size)
			w->wrong = true;
		else
			skip(w, count * each);
	} else {
		skip(w, times + each);
	}
}

static void take_tid(struct walk *w, struct perf_sample *s)
{
	uint64_t word = next(w);

	/* A thread that has ended has no process: -1. */
	s->pid = (uint32_t)word == UINT32_MAX ? 0 : (uint32_t)word;
	s->tid = word >> 32 == UINT32_MAX ? 0 : word >> 32;
}

static void take_chain(struct walk *w, struct perf_sample *s)
{
	uint64_t words = next(w);
	size_t at = w->at;

	skip(w, words);
	if (!w->wrong)
		perf_bytes_part(w->b, at, words * 8, &s->chain);
}

int perf_frames(const struct perf_sample *s, struct trace_event *e)
{
	uint64_t context = PERF_CONTEXT_KERNEL, word, *frames;
	unsigned int of[2] = { 0, 0 };	/* the program, the kernel */
	size_t at;

	if (!s->chain.size)
		return 0;
	frames = malloc(2 * FXT_SCHED_STACK_FRAMES * sizeof(*frames));
	if (!frames)
		return -ENOMEM;
	for (at = 0; perf_bytes_u64(s->chain, at, &word); at += 8) {
		bool is_kernel = context == (uint64_t)PERF_CONTEXT_KERNEL;

		if (word >= (uint64_t)PERF_CONTEXT_MAX) {
			context = word;
			continue;
		}
		if ((!is_kernel && context != (uint64_t)PERF_CONTEXT_USER) ||
		    is_kernel != fxt_sched_is_kernel(word) || (is_kernel && of[0]) ||
		    of[is_kernel] == FXT_SCHED_STACK_FRAMES)
			continue;
		frames[of[0] + of[1]] = word;
		of[is_kernel]++;
	}
	e->frames = frames;
	e->frame_count = of[0] + of[1];
	return 0;
}

static const struct perf_attr *attr_of(const struct perf_file *f, uint64_t id)
{
	const struct perf_attr *a = perf_file_of(f, id);

	return a ? a : f->attrs;
}

static bool is_identified(const struct perf_file *f)
{
	return f->attrs[0].sample & PERF_SAMPLE_IDENTIFIER;
}

bool perf_sample(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s)
{
	struct walk w = { .b = body };
	const struct perf_attr *a;
	uint32_t size = 0;

	*s = (struct perf_sample){ .cpu = PERF_NO_CPU };
	if (!f->attr_count)
		return false;
	a = attr_of(f, is_identified(f) ? next(&w) : 0);
	if (a->sample & PERF_SAMPLE_IP)
		skip(&w, 1);
	if (a->sample & PERF_SAMPLE_TID)
		take_tid(&w, s);
	if (a->sample & PERF_SAMPLE_TIME)
		s->time = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_ADDR) + !!(a->sample & PERF_SAMPLE_ID) +
		 !!(a->sample & PERF_SAMPLE_STREAM_ID));
	if (a->sample & PERF_SAMPLE_CPU)
		s->cpu = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_PERIOD));
	if (a->sample & PERF_SAMPLE_READ)
		skip_read(&w, a->read);
	if (a->sample & PERF_SAMPLE_CALLCHAIN)
		take_chain(&w, s);
	if (a->type != PERF_TYPE_TRACEPOINT || !(a->sample & PERF_SAMPLE_RAW))
		return !w.wrong;
	return !w.wrong && perf_bytes_u32(body, w.at, &size) &&
	       perf_bytes_part(body, w.at + 4, size, &s->raw);
}

bool perf_trailer(const struct perf_file *f, struct perf_bytes body, struct perf_sample *s)
{
	const struct perf_attr *a = f->attrs;
	struct walk w = { .b = body };
	uint64_t id = 0;
	size_t words;

	*s = (struct perf_sample){ .cpu = PERF_NO_CPU };
	if (!f->attr_count || !a->has_trailer)
		return true;
	if (is_identified(f)) {
		if (body.size < 8 || !perf_bytes_u64(body, body.size - 8, &id))
			return false;
		a = attr_of(f, id);
	}
	words = __builtin_popcountll(a->sample & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
						  PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
						  PERF_SAMPLE_IDENTIFIER));
	if (words * 8 > body.size)
		return false;
	w.at = body.size - words * 8;
	if (a->sample & PERF_SAMPLE_TID)
		take_tid(&w, s);
	if (a->sample & PERF_SAMPLE_TIME)
		s->time = next(&w);
	skip(&w, !!(a->sample & PERF_SAMPLE_ID) + !!(a->sample & PERF_SAMPLE_STREAM_ID));
	if (a->sample & PERF_SAMPLE_CPU)
		s->cpu = next(&w);
	return !w.wrong;
}
