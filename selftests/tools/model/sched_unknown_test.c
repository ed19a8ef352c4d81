// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filtered recordings and losses, in which CPUs switch to an unknown thread: recorded threads ran
 * exactly at the recorded times, and the model reports everything else as unknown: without a
 * record, no CPU is idle, and no thread waits or sleeps. A record that only resembles these records
 * is a violation.
 */
#include "sched_fixture.h"

/* Only 11 matches. It shares CPU 0 with 12, 13 and the idle thread. */
static void tell_filtered(struct story *s)
{
	story_session(s, "filter pids 11\n");
	STORY(s, "threads; 0@1000 12>11 hidden; 2000 11>12 S; 3000 12>0 hidden; "
		 "8500 wake 11 by 13; 9000 13>11 hidden");
	story_wake_hidden(s, 9500, 0, 12, 11);
	STORY(s, "10000 11>0 S; 11000 0>0 hidden; 19000 wake 11 by 13 on 0; 19500 0>11; end 19500");
}

TEST_F(model, filtered_is_clean)
{
	size_t offset;

	tell_filtered(&self->s);
	EXPECT_EQ(0, run(self));
	offset = self->found[0].offset;
	EXPECT_EQ(1U, self->found_count) log_found(_metadata, self);
	EXPECT_TRUE(has(self, SCHED_FILTERED, false, offset));
	EXPECT_NOT_IN(self->found[0].text, "not in the state");
	EXPECT_EQ(7U, sched_model_totals(self->m)->switches);
	EXPECT_EQ(3U, sched_model_totals(self->m)->wakeups);
}

TEST_F(model, filtered_spans)
{
	const struct spanned spans[] = {
		span(11, 1000, 2000, SCHED_RUNNING, 'S', 0, UINT64_MAX, NONE),
		span(12, 1000, 2000, SCHED_UNKNOWN, SCHED_UNKNOWN, NONE, UINT64_MAX, NONE),
		span(12, 2000, 3000, SCHED_RUNNING, SCHED_UNKNOWN, 0, UINT64_MAX, NONE),
		span(12, 3000, 19500, SCHED_UNKNOWN, SCHED_UNKNOWN, NONE, UINT64_MAX, NONE),
		span(11, 2000, 8500, 'S', SCHED_UNKNOWN, NONE, UINT64_MAX, NONE),
		span(11, 8500, 9000, 'R', SCHED_UNKNOWN, 0, 13, NONE),
		span(13, 9000, 19500, SCHED_UNKNOWN, SCHED_UNKNOWN, NONE, UINT64_MAX, NONE),
		span(0, 10000, 11000, SCHED_RUNNING, SCHED_UNKNOWN, 0, UINT64_MAX, NONE),
	};

	tell_filtered(&self->s);
	EXPECT_EQ(0, run(self));
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		EXPECT_TRUE(has_span(self, &spans[i]));
	/* 12 and 13 have no other spans, although they may have waited or slept. */
	for (size_t i = 12; i <= 13; i++) {
		EXPECT_EQ(0U, times_in(self, i, 'R', 0));
		EXPECT_EQ(0U, times_in(self, i, '+', 0));
		EXPECT_EQ(0U, times_in(self, i, 'S', 0));
	}
	EXPECT_EQ(1U, times_in(self, 12, SCHED_RUNNING, 0));
	EXPECT_EQ(0U, times_in(self, 13, SCHED_RUNNING, 0));
	EXPECT_EQ(1U, times_in(self, 0, SCHED_RUNNING, 0));
}

/* That the thread has ended stays known. */
TEST_F(model, filtered_and_dead)
{
	story_session(&self->s, "filter pids 11\n");
	STORY(&self->s, "threads; 0@1000 11>12 S");
	self->s.now->written++;
	self->s.now->last = 2000;
	story_unknown(&self->s, 2000, 0, 12, 0, FXT_THREAD_DEAD, FXT_STR_FILTERED);
	story_end(&self->s, 9000);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(1U, times_in(self, 12, SCHED_RUNNING, 'X'));
}

static uint64_t tell_unknown(struct story *s, uint32_t out, uint32_t in, uint32_t state,
			     uint32_t why)
{
	uint64_t offset;

	STORY(s, "threads; 0@1000");
	offset = story_unknown(s, 1000, 0, out, in, state, why);
	s->now->written++;
	s->now->last = 1000;
	story_end(s, 2000);
	return offset;
}

TEST_F(model, unknown_hides_nothing)
{
	EXPECT_ONLY(SCHED_RECORD,
		    tell_unknown(&self->s, 12, 11, FXT_THREAD_DEAD, FXT_STR_FILTERED), 0);
}

TEST_F(model, unknown_with_a_state_of_its_own)
{
	EXPECT_ONLY(SCHED_RECORD,
		    tell_unknown(&self->s, 12, 0, FXT_THREAD_BLOCKED, FXT_STR_FILTERED), 0);
}

TEST_F(model, unknown_state_of_the_idle_thread)
{
	EXPECT_ONLY(SCHED_RECORD,
		    tell_unknown(&self->s, 0, 0, FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED), 0);
}

/* @out: the thread that runs at the loss, according to the record; in fact it was 12 */
static uint64_t tell_stand_in(struct story *s, uint32_t out, uint64_t time)
{
	struct story_stream *of = &s->streams[0];
	uint64_t offset;

	STORY(s, "threads; 0@1000 0>12");
	story_tell_loss(s, 0, 1000, 5000, 3, STORY_EVENT | STORY_SLICE);
	offset = story_unknown(s, time, 0, out, 0, FXT_SCHED_STATE_UNKNOWN, FXT_STR_LOST);
	of->written += 3;
	of->lost += 3;
	STORY(s, "0@5000 13>12 S; end 6000");
	return offset;
}

/* The record is not counted, and the thread has no known run time. */
TEST_F(model, loss_stand_in)
{
	const struct spanned ran = span(12, 1000, 1000, SCHED_RUNNING, SCHED_UNKNOWN, 0,
					UINT64_MAX, NONE);

	tell_stand_in(&self->s, 12, 1000);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(2U, sched_model_totals(self->m)->switches);
	EXPECT_EQ(2U + 4U, sched_model_totals(self->m)->stored);	/* and names */
	EXPECT_EQ(3U, sched_model_totals(self->m)->lost);
	EXPECT_TRUE(has_span(self, &ran));
	EXPECT_EQ(2U, times_in(self, 12, SCHED_RUNNING, 0));
}

TEST_F(model, loss_stand_in_of_another_thread)
{
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, tell_stand_in(&self->s, 13, 1000), 1);
}

TEST_F(model, loss_stand_in_at_another_time)
{
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, tell_stand_in(&self->s, 12, 900), 1);
}

TEST_F(model, loss_stand_in_without_a_loss)
{
	STORY(&self->s, "threads; 0@1000 0>12");
	self->at = story_unknown(&self->s, 1000, 0, 12, 0, FXT_SCHED_STATE_UNKNOWN, FXT_STR_LOST);
	story_end(&self->s, 2000);
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, self->at, 0);
}
