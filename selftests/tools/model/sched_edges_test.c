// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model at the edges of a recording, with marks, or with ledgers that prove who had a CPU
 * before its first switch. A mark is not a switch, and the ledger does not count it, but it says
 * which thread runs from the beginning, or until the end. A contradiction is a violation, also by
 * the separate rules in the tests of recordings.
 */
#include "sched_fixture.h"
#include "trace.h"

static bool is_fine(const FIXTURE_DATA(model) *self)
{
	char path[] = "/tmp/sched_edges_XXXXXX";
	int fd = mkstemp(path), ret;
	size_t bytes = built_bytes(&self->s.b);
	struct trace t;
	struct why why;

	if (fd < 0 || write(fd, self->s.b.words, bytes) != (ssize_t)bytes)
		abort();
	close(fd);
	ret = trace_load(&t, path, true, &why);
	unlink(path);
	ret = ret ? ret : trace_check_edges(&t, &why);
	return !ret;
}

/* 12 owns CPU 1 from the first instant to the last; CPU 0 switches. */
static void tell_hog(struct story *s)
{
	STORY(s, "threads; opening 0 @1000; 1000 begin 11; 0@3000 11>13 S; 4000 13>0 S; "
		 "opening 1 @1010; 1010 begin 12; 9000 end 0 on 0; closing 0 #1 @9000; "
		 "9010 end 12 on 1; closing 1 @9010");
	story_ledger(s, STORY_NAMES, FXT_LEDGER_CLOSING, 1, 9010);
	s->now = NULL;
}

TEST_F(model, marks_are_clean)
{
	tell_hog(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(2U, sched_model_totals(self->m)->switches);
	EXPECT_EQ(2U, sched_model_totals(self->m)->cpus);
	EXPECT_EQ(2U, self->step_count);
	EXPECT_EQ(0U, sched_model_thread(self->m, 12)->switches);
	EXPECT_EQ(1000U, sched_model_totals(self->m)->first);
	EXPECT_EQ(9010U, sched_model_totals(self->m)->last);
	EXPECT_TRUE(is_fine(self));
}

TEST_F(model, marks_open_and_close_spans)
{
	const struct spanned spans[] = {
		span(11, 1000, 3000, SCHED_RUNNING, 'S', 0, UINT64_MAX, NONE),
		span(0, 4000, 9000, SCHED_RUNNING, SCHED_UNKNOWN, 0, UINT64_MAX, NONE),
		span(12, 1010, 9010, SCHED_RUNNING, SCHED_UNKNOWN, 1, UINT64_MAX, NONE),
	};

	tell_hog(&self->s);
	EXPECT_EQ(0, run(self));
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++)
		EXPECT_TRUE(has_span(self, &spans[i]));
	EXPECT_EQ(1U, times_in(self, 12, SCHED_RUNNING, 0));
}

/* One part begins where the previous one ends, so 12 has a single run. */
TEST_F(model, seam_is_continuous)
{
	const struct spanned whole = span(12, 1000, 9000, SCHED_RUNNING, 'S', 0, UINT64_MAX, NONE);

	STORY(&self->s, "threads; opening 0 @1000; 1000 begin 12; 5000 end 12; 5000 begin 12; "
			"0@9000 12>0 S; 9500 end 0; end 9500");
	EXPECT_CLEAN();
	EXPECT_TRUE(has_span(self, &whole));
	EXPECT_TRUE(is_fine(self));
}

/* A CPU goes offline and comes online. In between, its idle thread does not run. */
TEST_F(model, offline_and_online)
{
	const struct spanned before = span(0, 2000, 3000, SCHED_RUNNING, SCHED_UNKNOWN, 0,
					   UINT64_MAX, NONE);
	const struct spanned after = span(0, 7000, 8000, SCHED_RUNNING, '+', 0, UINT64_MAX, NONE);

	STORY(&self->s, "threads; 0@1000 0>12; 2000 12>0 S; 3000 offline 0; 7000 online 0; "
			"0@8000 0>11; end 9500");
	EXPECT_CLEAN();
	EXPECT_TRUE(has_span(self, &before));
	EXPECT_TRUE(has_span(self, &after));
	EXPECT_EQ(2U, times_in(self, 0, SCHED_RUNNING, 0));
	EXPECT_TRUE(is_fine(self));
}

/*
 * CPU 0 begins with 12, and its first switch switches out @out. Return: the offset of the switch.
 */
static uint64_t tell_begin(struct story *s, uint32_t out)
{
	uint64_t offset;

	offset = STORY(s, "threads; opening 0 @1000; 1000 begin 12; 0@2000; !2000 %>11; "
			  "2500 11>12; 2700 12>11; 9000 end 11; end 9000", out);
	return offset;
}

TEST_F(model, mark_of_the_thread_that_goes_out)
{
	tell_begin(&self->s, 12);
	EXPECT_CLEAN();
	EXPECT_TRUE(is_fine(self));
}

TEST_F(model, mark_of_another_thread)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_begin(&self->s, 13), 0);
	EXPECT_FALSE(is_fine(self));
}

TEST_F(model, mark_of_the_end_of_another_thread)
{
	STORY_ONLY(SCHED_CHAIN, "threads; 0@1000 11>12; 2000 12>13; 3000 13>12; !4000 end 11; "
				"end 4000");
	EXPECT_FALSE(is_fine(self));
}

TEST_F(model, mark_of_the_beginning_after_records)
{
	STORY_ONLY(SCHED_MARK, "threads; 0@1000 11>12; !1000 begin 12; end 4000");
	EXPECT_FALSE(is_fine(self));
}

TEST_F(model, records_after_the_mark_of_the_end)
{
	STORY_ONLY(SCHED_MARK, "threads; 0@1000 11>12; 2000 end 12; 3000 12>11; closing % #1 @4000; "
			       "closing 0 #1 @4000", STORY_NAMES);
	EXPECT_FALSE(is_fine(self));
}

TEST_F(model, record_before_the_time_of_the_mark)
{
	STORY_ONLY(SCHED_TIME_BACK, "threads; opening 0 @500; 1000 begin 12; 0@900; !900 12>11; "
				    "end 4000");
}

TEST_F(model, mark_outside_its_stream)
{
	STORY_ONLY(SCHED_MARK, "threads; !1000 begin 12 on 0; 0@1500 12>11; end 4000");
	EXPECT_FALSE(is_fine(self));
}

TEST_F(model, mark_with_a_state_that_cannot_be)
{
	STORY(&self->s, "threads; opening 0 @1000");
	self->at = story_unknown(&self->s, 1000, 0, 0, 12, FXT_THREAD_BLOCKED, FXT_STR_BEGIN);
	STORY(&self->s, "closing 0 @4000; end 4000");
	EXPECT_ONLY(SCHED_RECORD, self->at, 0);
	EXPECT_FALSE(is_fine(self));
}

/* A thread without a name on a CPU at the end must have been about to end. */
TEST_F(model, mark_of_a_thread_without_a_name)
{
	STORY_NOTE(SCHED_UNNAMED, "threads; opening 0 @1000; !1000 begin 14; 3000 end 14; "
				  "closing 0 @4000; end 4000");
}

/* The stream begins with a wakeup, while 11 runs. */
static void tell_first_run(struct story *s, uint64_t lost)
{
	STORY(s, "threads; 0@1000 wake 12 by 11");
	if (lost)
		story_lose(s, 0, lost, 3000);
	STORY(s, "4000 11>12; end 5000");
}

TEST_F(model, first_run_begins_with_the_stream)
{
	const struct spanned first = span(11, 1000, 4000, SCHED_RUNNING, '+', 0, UINT64_MAX, NONE);

	tell_first_run(&self->s, 0);
	EXPECT_CLEAN();
	EXPECT_TRUE(has_span(self, &first));
}

/* Nothing happened until the recording was stopped. */
TEST_F(model, last_run_ends_with_the_stream)
{
	const struct spanned last = span(12, 4000, 5000, SCHED_RUNNING, SCHED_UNKNOWN, 0,
					 UINT64_MAX, NONE);

	tell_first_run(&self->s, 0);
	EXPECT_CLEAN();
	EXPECT_TRUE(has_span(self, &last));
	EXPECT_EQ(5000U, sched_model_totals(self->m)->last);
}

/* Another thread may have run before the loss. */
TEST_F(model, first_run_after_a_loss_is_unknown)
{
	tell_first_run(&self->s, 5);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, times_in(self, 11, SCHED_RUNNING, 0));
}

TEST_F(model, first_run_with_a_filter_is_unknown)
{
	story_session(&self->s, "filter pids 11\n");
	tell_first_run(&self->s, 0);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, times_in(self, 11, SCHED_RUNNING, 0));
}

/* The thread was woken on another CPU, so it did not run from the beginning. */
TEST_F(model, first_run_that_cannot_be)
{
	uint64_t offset;
	struct story *s = &self->s;

	offset = STORY(s, "threads; 1@900 wake 11 by 13 on 0; 0@1000 wake 12; !4000 11>12; "
			  "end 5000");
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_CHAIN, true, offset)) log_found(_metadata, self);
	EXPECT_EQ(0U, times_in(self, 11, SCHED_RUNNING, 0));
}
