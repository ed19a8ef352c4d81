// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched_model_test.c - threads and CPUs over time, from made-up recordings.
 *
 * What flows in: short stories of a few threads, sound or wrong in one place. What
 * must hold: a sound one gives no finding, each wrong one exactly the finding that
 * names its rule, at the byte of the record that shows it; spans and totals are
 * those of the story.
 */
#include <errno.h>

#include "sched_fixture.h"

/*
 * Three threads on two CPUs; the second CPU's chunk, which is earlier, stands
 * behind. 11 runs on CPU 0 and is preempted by 12; 12 wakes 13 onto CPU 1, sleeps
 * in D; 13 wakes 12, and is still running in the end.
 */
static void tell_story(struct story *s)
{
	name_threads(s);
	story_chunk(s, 0, 1000);
	story_switch(s, 1000, 0, 11, FXT_THREAD_NEW);
	story_wake(s, 2000, 0, 12, 11);
	story_switch(s, 3000, 11, 12, FXT_THREAD_NEW);
	story_wake(s, 4000, 1, 13, 12);
	story_state(s, 5000, 0, 12, 11, (struct fxt_sched_state){ FXT_THREAD_BLOCKED,
		    FXT_STR_STATE_D });
	story_switch(s, 8000, 11, 12, FXT_THREAD_BLOCKED);
	story_switch(s, 9000, 12, 0, FXT_THREAD_DEAD);
	story_chunk(s, 1, 500);
	story_switch(s, 500, 13, 0, FXT_THREAD_BLOCKED);
	story_switch(s, 4500, 0, 13, FXT_THREAD_NEW);
	story_wake(s, 6000, 0, 12, 13);
	story_wake(s, 8500, 1, 11, 13);
	story_end(s, 10000);
}

TEST_F(model, clean)
{
	const struct sched_totals *t;
	const struct sched_thread *thread;
	size_t count;

	self->without_spans = true;
	tell_story(&self->s);
	EXPECT_CLEAN();
	t = sched_model_totals(self->m);
	EXPECT_EQ(500U, t->first);
	EXPECT_EQ(9000U, t->last);
	EXPECT_EQ(7U, t->switches);
	EXPECT_EQ(4U, t->wakeups);
	EXPECT_EQ(15U, t->written);
	EXPECT_EQ(15U, t->stored);
	EXPECT_EQ(0U, t->lost);
	EXPECT_EQ(6U, t->ledgers);
	EXPECT_EQ(0U, t->late);
	EXPECT_EQ(2U, t->cpus);

	thread = sched_model_thread(self->m, 11);
	ASSERT_NE(NULL, thread);
	EXPECT_STREQ("eleven", thread->name);
	EXPECT_EQ(11U, thread->process);
	EXPECT_EQ(2U, thread->switches);
	EXPECT_EQ(2U, sched_model_thread(self->m, 0)->switches);
	EXPECT_EQ(NULL, sched_model_thread(self->m, 99));
	EXPECT_EQ(NULL, sched_model_thread(self->m, 1ULL << 40));

	sched_model_threads(self->m, &count);
	EXPECT_EQ(4U, count);
	EXPECT_EQ(11U, sched_model_processes(self->m, &count)[0]->koid);
	EXPECT_EQ(1U, count);
	EXPECT_STREQ("eleven", sched_model_processes(self->m, &count)[0]->name);
}

TEST_F(model, times_of_threads)
{
	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(2000U + 3000, ran(self, 11));
	EXPECT_EQ(1U, times_in(self, 11, SCHED_RUNNING, '+'));
	EXPECT_EQ(1U, times_in(self, 11, 'R', 0));
	EXPECT_EQ(2000U + 1000, ran(self, 12));
	EXPECT_EQ(2U, times_in(self, 12, 'R', 0));
	EXPECT_EQ(4000U, ran(self, 0));
}

TEST_F(model, spans)
{
	const struct spanned expected[] = {
		span(11, 1000, 3000, 'O', '+', 0, -1, NONE),
		span(11, 3000, 5000, '+', '?', 0, -1, NONE),
		span(11, 5000, 8000, 'O', 'S', 0, -1, NONE),
		span(11, 8000, 8500, 'S', '?', NONE, -1, NONE),
		span(11, 8500, 9000, 'R', '?', 1, 13, 1),
		span(12, 2000, 3000, 'R', '?', 0, 11, 0),
		span(12, 3000, 5000, 'O', 'D', 0, -1, NONE),
		span(12, 5000, 6000, 'D', '?', NONE, -1, NONE),
		span(12, 6000, 8000, 'R', '?', 0, 13, 1),
		span(12, 8000, 9000, 'O', 'X', 0, -1, NONE),
		span(12, 9000, 9000, 'X', '?', NONE, -1, NONE),
		span(13, 500, 4000, 'S', '?', NONE, -1, NONE),
		span(13, 4000, 4500, 'R', '?', 1, 12, 0),
		span(13, 4500, 9000, 'O', '?', 1, -1, NONE),
		span(0, 500, 4500, 'O', '+', 1, -1, NONE),
		span(0, 9000, 9000, 'O', '?', 0, -1, NONE),
	};
	uint64_t before = 0;
	size_t i;

	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(ARRAY_SIZE(expected), self->span_count);
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		EXPECT_TRUE(has_span(self, &expected[i])) {
			TH_LOG("no span %zu", i);
		}
	for (i = 0; i < self->span_count; i++) {
		EXPECT_LE(before, self->spans[i].to);
		EXPECT_LE(self->spans[i].from, self->spans[i].to);
		before = self->spans[i].to;
	}
}

TEST_F(model, span_ends_the_walk)
{
	self->span_error = -EPIPE;
	tell_story(&self->s);
	EXPECT_EQ(-EPIPE, run(self));
}

/* Of the other byte order, and by another clock. */
TEST_F(model, swapped)
{
	build_free(&self->s.b);
	self->s.b.swapped = true;
	story_begin(&self->s);
	BUILD(&self->s.b, fxt_initialization(), 500000000);
	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(1000U, sched_model_totals(self->m)->first);
	EXPECT_EQ(18000U, sched_model_totals(self->m)->last);
	EXPECT_EQ(10000U, ran(self, 11));
	EXPECT_EQ(15U, sched_model_totals(self->m)->stored);
}

/* --- what cannot be ---------------------------------------------------------------- */

TEST_F(model, chain)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 0, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 11, 12, FXT_THREAD_NEW);
	offset = story_switch(&self->s, 3000, 13, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 4000, 11, 12, FXT_THREAD_NEW);
	story_switch(&self->s, 5000, 12, 0, FXT_THREAD_NEW);
	story_end(&self->s, 6000);
	EXPECT_ONLY(SCHED_CHAIN, offset, 0);
	/* What a thread ran is not known when nobody saw it go. */
	EXPECT_EQ(1000U, ran(self, 12));
}

/* It went to sleep elsewhere, and its coming in was never seen. */
TEST_F(model, chain_begins)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 0, FXT_THREAD_BLOCKED);
	story_chunk(&self->s, 1, 2000);
	offset = story_switch(&self->s, 2000, 11, 0, FXT_THREAD_BLOCKED);
	story_end(&self->s, 6000);
	EXPECT_ONLY(SCHED_CHAIN, offset, 0);
}

TEST_F(model, two_cpus)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 0, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 11, 0, FXT_THREAD_NEW);
	story_switch(&self->s, 3000, 0, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 9000, 11, 0, FXT_THREAD_NEW);
	story_chunk(&self->s, 1, 4000);
	offset = story_switch(&self->s, 4000, 0, 11, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_TWO_CPUS, offset, 0);
}

TEST_F(model, woken_running)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 0, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 11, 12, FXT_THREAD_NEW);
	offset = story_wake(&self->s, 3000, 0, 12, 11);
	story_switch(&self->s, 4000, 12, 0, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	/* It goes out later, so it is not hidden. */
	EXPECT_ONLY(SCHED_WOKEN_RUNNING, offset, 0);
}

TEST_F(model, woken_runnable)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 12, FXT_THREAD_NEW);
	offset = story_wake(&self->s, 3000, 0, 11, 12);
	story_switch(&self->s, 4000, 12, 11, FXT_THREAD_BLOCKED);
	story_wake(&self->s, 5000, 0, 12, 11);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WOKEN_RUNNABLE, offset, 0);
}

TEST_F(model, not_woken)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 12, FXT_THREAD_BLOCKED);
	offset = story_switch(&self->s, 4000, 12, 11, FXT_THREAD_BLOCKED);
	story_wake(&self->s, 5000, 0, 12, 11);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_NOT_WOKEN, offset, 0);
}

TEST_F(model, time_back)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 12, FXT_THREAD_NEW);
	offset = story_switch(&self->s, 100, 12, 11, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 11, 12, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_TIME_BACK, offset, 0);
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
}

TEST_F(model, wrong_stream)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_state(&self->s, 1000, 2, 11, 12, (struct fxt_sched_state){ 0, 0 });
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WRONG_STREAM, offset, 0);
}

TEST_F(model, object_in_a_cpus_stream)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 12, FXT_THREAD_NEW);
	offset = story_name(&self->s, 14, 11, "stray");
	self->s.now->written--;
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WRONG_STREAM, offset, 0);
}

TEST_F(model, outside_all_streams)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 11, 12, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	offset = story_wake(&self->s, 2000, 0, 11, 12);
	self->found_count = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_WRONG_STREAM, true, offset))
		log_found(_metadata, self);
}

static void tell_odd(struct __test_metadata *_metadata, FIXTURE_DATA(model) *self,
		     uint32_t out, uint32_t in, int32_t out_weight, int32_t in_weight,
		     struct fxt_sched_state state, bool is_odd)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint64_t offset;
	uint32_t words;

	sched_model_close(self->m);
	build_free(&self->s.b);
	memset(&self->s, 0, sizeof(self->s));
	self->found_count = 0;
	story_begin(&self->s);
	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	words = fxt_sched_put_switch(rec, 1000, 0, out, in, out_weight, in_weight, state);
	offset = story_words(&self->s, rec, words);
	self->s.now->written++;
	self->s.now->last = 1000;
	story_end(&self->s, 9500);
	if (is_odd)
		EXPECT_ONLY(SCHED_RECORD, offset, 0);
	else
		EXPECT_CLEAN();
}

TEST_F(model, records_that_cannot_be)
{
	const int32_t idle = FXT_SCHED_WEIGHT_IDLE;
	const struct fxt_sched_state ready = { FXT_THREAD_NEW, 0 };
	const struct fxt_sched_state asleep = { FXT_THREAD_BLOCKED, 0 };

#define ODD(...)	tell_odd(_metadata, self, __VA_ARGS__, true)
#define FINE(...)	tell_odd(_metadata, self, __VA_ARGS__, false)
	FINE(11, 12, 2, 88761, ready);
	FINE(11, 12, FXT_SCHED_WEIGHT_RT + 1, FXT_SCHED_WEIGHT_DL, asleep);
	FINE(11, 12, -1, 139, asleep);
	FINE(0, 12, idle, 1024, ready);
	FINE(12, 0, 1024, idle, asleep);
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_BLOCKED, FXT_STR_STATE_I }));
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_T }));
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_P }));
	ODD(11, 11, 3, 3, ready);
	ODD(0, 12, 0, 1024, ready);
	ODD(12, 0, 1024, 120, ready);
	ODD(11, 12, idle, 1024, ready);
	ODD(11, 12, -2, 1024, ready);
	ODD(11, 12, 1024, 88762, ready);
	ODD(11, 12, FXT_SCHED_WEIGHT_RT + 100, 1024, ready);
	ODD(0, 12, idle, 1024, asleep);
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_RUNNING, 0 }));
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_NEW, FXT_STR_STATE_D }));
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_D }));
#undef ODD
#undef FINE
}

TEST_F(model, idle_is_woken)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 0, 11);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_RECORD, offset, 0);
}

TEST_F(model, unnamed)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 0, 12, FXT_THREAD_NEW);
	offset = story_wake(&self->s, 2000, 0, 11, 14);
	story_switch(&self->s, 3000, 12, 11, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_UNNAMED, offset, 0);
	EXPECT_NE(NULL, strstr(self->found[0].text, "thread 14 "));
}

/* It woke its parent and was gone before the first switch that was recorded. */
TEST_F(model, unnamed_and_gone_at_once)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 11, 14);
	story_switch(&self->s, 2000, 0, 11, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_NOTE(SCHED_UNNAMED, offset);
}

/* It was seen again, so it was there to be named. */
TEST_F(model, unnamed_and_back)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 11, 14);
	story_switch(&self->s, 2000, 0, 11, FXT_THREAD_NEW);
	story_wake(&self->s, 3000, 0, 14, 11);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_UNNAMED, offset, 0);
}

/* It was there before the recording, and gone before anybody asked for names. */
TEST_F(model, unnamed_and_ended)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 14, 0);
	story_switch(&self->s, 2000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 4000, 14, 0, FXT_THREAD_DEAD);
	story_end(&self->s, 9500);
	EXPECT_NOTE(SCHED_UNNAMED, offset);
}

/* It was preempted on its last steps, when nobody could ask for its name any more. */
TEST_F(model, unnamed_and_ending)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_switch(&self->s, 1000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 14, 0, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_NOTE(SCHED_UNNAMED, offset);
}

TEST_F(model, unnamed_and_running)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_switch(&self->s, 1000, 0, 14, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_NOTE(SCHED_UNNAMED, offset);
}

/* Who has slept was there to be named. */
TEST_F(model, unnamed_and_woken)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 14, 0);
	story_switch(&self->s, 2000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 4000, 14, 0, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_UNNAMED, offset, 0);
}

TEST_F(model, unnamed_and_asleep)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_switch(&self->s, 1000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 14, 0, FXT_THREAD_BLOCKED);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_UNNAMED, offset, 0);
}

TEST_F(model, many_unnamed)
{
	uint64_t count = 0;
	uint32_t tid;
	size_t i;

	story_chunk(&self->s, 0, 1000);
	for (tid = 1; tid <= 1000; tid++)
		story_wake(&self->s, 1000 + tid, 0, tid, 0);
	story_end(&self->s, 9500);
	EXPECT_EQ(0, run(self));
	for (i = 0; i < self->found_count; i++)
		count += self->found[i].kind == SCHED_UNNAMED ? self->found[i].count : 0;
	EXPECT_EQ(1000U, count);
	EXPECT_LT(self->found_count, 200U);
}

/* --- order -------------------------------------------------------------------------- */

/* CPU 1 has been quiet; its early chunk stands behind many of CPU 0. */
static uint64_t tell_late(struct story *s, unsigned int switches)
{
	uint64_t offset;
	unsigned int i;

	name_threads(s);
	story_chunk(s, 0, 1000);
	for (i = 0; i < switches; i++)
		story_switch(s, 1000 + i * 1000, i & 1 ? 11 : 0, i & 1 ? 0 : 11,
			     FXT_THREAD_NEW);
	story_wake(s, 1000 + i * 1000, 0, 12, 0);
	story_chunk(s, 1, 1500);
	offset = story_switch(s, 1500, 12, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 1700, 1, 12, 11);
	story_switch(s, 1800, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 2500, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 1000000);
	return offset;
}

TEST_F(model, in_time)
{
	tell_late(&self->s, 100);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	EXPECT_EQ(700U, ran(self, 12));
}

TEST_F(model, late)
{
	uint64_t offset, before = 0;
	size_t i;

	self->stream_events = 8;
	offset = tell_late(&self->s, 100);
	EXPECT_NOTE(SCHED_LATE, offset);
	EXPECT_EQ(4U, sched_model_totals(self->m)->late);
	EXPECT_EQ(1500U, sched_model_totals(self->m)->first + 500);
	/* What is known of it later counts. */
	EXPECT_EQ('R', sched_model_thread(self->m, 12)->state);
	/* The CPU's own order is still good for this. */
	EXPECT_EQ(700U, ran(self, 12));
	for (i = 0; i < self->span_count; i++) {
		EXPECT_LE(self->spans[i].from, self->spans[i].to);
		EXPECT_LE(before, self->spans[i].to);
		before = self->spans[i].to;
	}
}

/* 12 went on to CPU 1, which is told too late, and is woken from its sleep there. */
TEST_F(model, late_excuses)
{
	unsigned int i;

	self->stream_events = 8;
	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	story_switch(&self->s, 1000, 12, 0, FXT_THREAD_NEW);
	for (i = 1; i < 100; i++)
		story_switch(&self->s, 1000 + i * 1000, i & 1 ? 0 : 11, i & 1 ? 11 : 0,
			     FXT_THREAD_NEW);
	story_wake(&self->s, 200000, 0, 12, 0);
	for (i = 0; i < 100; i++)
		story_wake(&self->s, 300000 + i, 0, 13 + i, 0);
	story_chunk(&self->s, 1, 1500);
	story_switch(&self->s, 1500, 0, 12, FXT_THREAD_NEW);
	story_switch(&self->s, 1800, 12, 0, FXT_THREAD_BLOCKED);
	story_chunk(&self->s, STORY_NAMES, 2);
	self->s.streams[STORY_NAMES].last = 0;
	for (i = 0; i < 100; i++)
		story_name(&self->s, 13 + i, 11, "many");
	story_end(&self->s, 1000000);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
	EXPECT_EQ(2U, sched_model_totals(self->m)->late);
	ASSERT_EQ(1U, self->found_count);
	EXPECT_NE(NULL, strstr(self->found[0].text, "others do not fit (1)"));
	EXPECT_EQ('+', sched_model_thread(self->m, 12)->state);
}

/* A quiet CPU's first chunk may stand behind many of another. */
TEST_F(model, quiet_cpu)
{
	unsigned int chunk, i;
	uint64_t time = 1000;

	self->without_spans = true;
	name_threads(&self->s);
	for (chunk = 0; chunk < 4; chunk++) {
		story_chunk(&self->s, 0, time);
		for (i = 0; i < 2000; i++, time += 1000)
			story_switch(&self->s, time, i & 1 ? 11 : 0, i & 1 ? 0 : 11,
				     FXT_THREAD_NEW);
	}
	story_chunk(&self->s, 1, 5000);
	story_switch(&self->s, 5000, 0, 12, FXT_THREAD_NEW);
	story_switch(&self->s, 5500, 12, 0, FXT_THREAD_NEW);
	story_end(&self->s, time);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
}

/* Small buffers do for chunks that stand in order. */
TEST_F(model, small_buffers)
{
	unsigned int i;

	self->stream_events = 8;
	name_threads(&self->s);
	for (i = 0; i < 1000; i++) {
		story_chunk(&self->s, i & 1, 1000 + i * 1000);
		story_wake(&self->s, 1000 + i * 1000, i & 1, 11, 0);
		story_switch(&self->s, 1100 + i * 1000, 0, 11, FXT_THREAD_NEW);
		story_switch(&self->s, 1200 + i * 1000, 11, 0, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, 10000000);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	EXPECT_EQ(100000U, ran(self, 11));
}

/* More streams than are few. */
TEST_F(model, many_streams)
{
	unsigned int i, cpu, cpus = 40;
	uint64_t before = 0;
	size_t n;

	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < 20; i++)
			story_state(&self->s, 1000 + i * 100 + cpu * 7 % 100, cpu,
				    i & 1 ? cpu + 1 : 0, i & 1 ? 0 : cpu + 1,
				    (struct fxt_sched_state){ 0, 0 });
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
	EXPECT_EQ(cpus, sched_model_totals(self->m)->cpus);
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	for (n = 0; n < self->span_count; n++) {
		EXPECT_LE(before, self->spans[n].to);
		before = self->spans[n].to;
	}
	for (cpu = 1; cpu <= cpus; cpu++)
		EXPECT_EQ(1000U, ran(self, cpu));
}

/* --- archives of others ------------------------------------------------------------- */

TEST_F(model, without_ledgers)
{
	story_state(&self->s, 1000, 0, 0, 11, (struct fxt_sched_state){ 0, 0 });
	story_state(&self->s, 3000, 0, 11, 0, (struct fxt_sched_state){ 3, 0 });
	story_wake(&self->s, 4000, 0, 11, 0);
	story_state(&self->s, 5000, 1, 0, 11, (struct fxt_sched_state){ 0, 0 });
	/* Out of order within the CPU. */
	story_state(&self->s, 2500, 0, 12, 11, (struct fxt_sched_state){ 0, 0 });
	story_state(&self->s, 2000, 0, 11, 12, (struct fxt_sched_state){ 0, 0 });
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
	ASSERT_EQ(1U, self->found_count);
	EXPECT_TRUE(self->found[0].kind == SCHED_UNNAMED);
	EXPECT_EQ(2U, self->found[0].count);
	EXPECT_EQ(1500U, ran(self, 11));
	EXPECT_EQ(500U, ran(self, 12));
	EXPECT_EQ(0U, sched_model_totals(self->m)->ledgers);
}

TEST_F(model, legacy)
{
	struct built *b = &self->s.b;

	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_NEW, 0, 0, 0, 5), 1000, 0, 0, 70, 71);
	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_SUSPENDED, 0, 0, 5, 6), 3000,
	      70, 71, 80, 1ULL << 40);
	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_DYING, 0, 0, 6, 0), 7000,
	      80, 1ULL << 40, 0, 0);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
	EXPECT_EQ(3U, sched_model_totals(self->m)->switches);
	ASSERT_NE(NULL, sched_model_thread(self->m, 71));
	EXPECT_EQ(2000U, ran(self, 71));
	EXPECT_EQ(70U, sched_model_thread(self->m, 71)->process);
	ASSERT_NE(NULL, sched_model_thread(self->m, 1ULL << 40));
	EXPECT_EQ(4000U, ran(self, 1ULL << 40));
	EXPECT_EQ('T', sched_model_thread(self->m, 71)->state);
	EXPECT_EQ('Z', sched_model_thread(self->m, 1ULL << 40)->state);
}

/* --- threads, names, states ----------------------------------------------------------- */

/* Koids below and above 2^22, more than any table begins with. */
TEST_F(model, many_threads)
{
	struct sched_thread * const *list;
	size_t count, i;
	uint64_t koid;

	for (i = 0; i < 3000; i++) {
		koid = i % 2 ? i * 1000 : i << 40 | 5;
		BUILD(&self->s.b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 0, 0), koid);
		BUILD(&self->s.b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, 0, 0), koid);
	}
	EXPECT_CLEAN();
	list = sched_model_threads(self->m, &count);
	ASSERT_EQ(3000U, count);
	for (i = 0; i < count; i++) {
		koid = i % 2 ? i * 1000 : i << 40 | 5;
		EXPECT_EQ(koid, list[i]->koid);
		EXPECT_EQ(i, list[i]->id);
		EXPECT_EQ(list[i], sched_model_thread(self->m, koid));
	}
	sched_model_processes(self->m, &count);
	EXPECT_EQ(3000U, count);
}

TEST_F(model, long_names)
{
	/* 62 bytes, then a character of three. */
	static const char name[] =
		"0123456789012345678901234567890123456789012345678901234567890\xe2\x82\xac!";
	struct built *b = &self->s.b;

	BUILD(b, fxt_kernel_object(2 + fxt_stream_words(strlen(name)), FXT_OBJECT_THREAD,
				   fxt_string_ref_inline(strlen(name)), 0), 7);
	BUILD_TEXT(b, name);
	EXPECT_CLEAN();
	ASSERT_NE(NULL, sched_model_thread(self->m, 7));
	EXPECT_STREQ("0123456789012345678901234567890123456789012345678901234567890",
		     sched_model_thread(self->m, 7)->name);
}

TEST(states)
{
	EXPECT_EQ('+', sched_out_state(FXT_THREAD_NEW, 0));
	EXPECT_EQ('+', sched_out_state(FXT_THREAD_RUNNING, 0));
	EXPECT_EQ('T', sched_out_state(FXT_THREAD_SUSPENDED, 0));
	EXPECT_EQ('t', sched_out_state(FXT_THREAD_SUSPENDED, 't'));
	EXPECT_EQ('P', sched_out_state(FXT_THREAD_SUSPENDED, 'P'));
	EXPECT_EQ('T', sched_out_state(FXT_THREAD_SUSPENDED, 'D'));
	EXPECT_EQ('S', sched_out_state(FXT_THREAD_BLOCKED, 0));
	EXPECT_EQ('D', sched_out_state(FXT_THREAD_BLOCKED, 'D'));
	EXPECT_EQ('I', sched_out_state(FXT_THREAD_BLOCKED, 'I'));
	EXPECT_EQ('S', sched_out_state(FXT_THREAD_BLOCKED, 'P'));
	EXPECT_EQ('Z', sched_out_state(FXT_THREAD_DYING, 0));
	EXPECT_EQ('X', sched_out_state(FXT_THREAD_DEAD, 0));
	EXPECT_EQ(SCHED_UNKNOWN, sched_out_state(6, 0));
	EXPECT_EQ(SCHED_UNKNOWN, sched_out_state(255, 0));
	EXPECT_STREQ("Running", sched_state_name('O'));
	EXPECT_STREQ("R+", sched_state_name('+'));
	EXPECT_STREQ("D", sched_state_name('D'));
	EXPECT_STREQ("Unknown", sched_state_name('?'));
	EXPECT_STREQ("chain", sched_finding_name(SCHED_CHAIN));
	EXPECT_STREQ("late", sched_finding_name(SCHED_LATE));
}

TEST_HARNESS_MAIN
