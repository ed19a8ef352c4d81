// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched_unnamed_test.c - threads that the archive does not name.
 *
 * In:  stories in which thread 14 has no name.
 * Must hold: the missing name is a violation if the thread could have been named, and a note
 *      if it had ended before its name could be read.
 */
#include "sched_fixture.h"

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

/* The recorder could list the tasks of its own pid namespace only. */
TEST_F(model, unnamed_outside_a_pid_namespace)
{
	uint64_t offset;

	story_session(&self->s, "source bpf\npid_namespace other\n");
	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_wake(&self->s, 1000, 0, 14, 0);
	story_switch(&self->s, 2000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 3000, 14, 0, FXT_THREAD_BLOCKED);
	story_end(&self->s, 3000);
	EXPECT_NOTE(SCHED_UNNAMED, offset);
	EXPECT_NE(NULL, strstr(self->found[0].text, "outside the pid namespace"));
}

/* It woke its parent and exited before the first recorded switch. */
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

/* It was seen again, so it lived when names were read. */
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

/* It was forked before the recording, and exited before names were read. */
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

/* It was preempted while it exited, when its name could not be read any more. */
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

/* A thread that slept could have been named. */
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

/* It may have ended while records were lost, before its name could be read. */
TEST_F(model, unnamed_and_lost)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_switch(&self->s, 1000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 14, 0, FXT_THREAD_BLOCKED);
	story_lose(&self->s, 0, 5, 6000);
	story_switch(&self->s, 6000, 0, 11, FXT_THREAD_NEW);
	story_end(&self->s, 9500);
	run(self);
	EXPECT_TRUE(has(self, SCHED_UNNAMED, false, offset)) log_found(_metadata, self);
	EXPECT_FALSE(has(self, SCHED_UNNAMED, true, offset));
}

/* It was seen again after that. */
TEST_F(model, unnamed_after_a_loss)
{
	uint64_t offset;

	name_threads(&self->s);
	story_chunk(&self->s, 0, 1000);
	offset = story_switch(&self->s, 1000, 0, 14, FXT_THREAD_NEW);
	story_switch(&self->s, 2000, 14, 0, FXT_THREAD_BLOCKED);
	story_lose(&self->s, 0, 5, 6000);
	story_switch(&self->s, 6000, 0, 11, FXT_THREAD_NEW);
	story_wake(&self->s, 2000000, 0, 14, 11);
	story_end(&self->s, 9500000);
	run(self);
	EXPECT_TRUE(has(self, SCHED_UNNAMED, true, offset)) log_found(_metadata, self);
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

TEST_HARNESS_MAIN
