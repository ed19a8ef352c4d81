/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stories whose beginning is in another archive. */
#ifndef SELFTESTS_SCHED_PART_H
#define SELFTESTS_SCHED_PART_H

#include "sched_fixture.h"

/* Open a stream whose sub-buffers before @sequence, and their counts, are in another archive. */
static inline uint64_t tell_opening(struct story *s, unsigned int stream, uint32_t sequence,
				    uint64_t written, uint64_t lost, uint64_t last, uint64_t time)
{
	uint64_t offset;

	s->streams[stream] = (struct story_stream){ last, written, lost, sequence };
	offset = story_ledger(s, stream, FXT_LEDGER_OPENING, sequence, time);
	s->now = NULL;
	return offset;
}

/* Continue a sub-buffer whose head, with these counts, is in another archive. */
static inline uint64_t tell_rest(struct story *s, unsigned int stream, uint32_t sequence,
				 uint64_t written, uint64_t lost)
{
	struct story_stream *of = &s->streams[stream], kept = *of;
	uint64_t offset;

	of->written = written;
	of->lost = lost;
	of->last = 100;
	offset = story_ledger(s, stream, FXT_LEDGER_CONTINUED, sequence, 200);
	*of = kept;
	return offset;
}

/* Open the stream of names, and CPU 0 in the middle of its sub-buffer 6. */
static inline uint64_t tell_begin(struct story *s)
{
	tell_opening(s, STORY_NAMES, 1, 4, 1, 100, 100);
	STORY(s, "threads");
	return tell_opening(s, 0, 7, 100, 10, 900, 900);
}

static inline void tell_switches(struct story *s)
{
	STORY(s, "1000 11>12; 2000 12>11");
}

#endif /* SELFTESTS_SCHED_PART_H */
