// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Thread 14 has no name. That is a violation if the thread could have been named, and a note if it
 * had ended before its name could be read.
 */
#include "sched_fixture.h"

TEST_F(model, unnamed)
{
	STORY_ONLY(SCHED_UNNAMED, "threads; 0@1000 0>12; !2000 wake 11 by 14; 3000 12>11; "
				  "end 9500");
	EXPECT_IN(self->found[0].text, "thread 14 ");
}

/* The recorder could list the tasks of its own pid namespace only. */
TEST_F(model, unnamed_outside_a_pid_namespace)
{
	story_session(&self->s, "source bpf\npid_namespace other\n");
	STORY_NOTE(SCHED_UNNAMED, "threads; 0@1000; !1000 wake 14; 2000 0>14; 3000 14>0 S; "
				  "end 3000");
	EXPECT_IN(self->found[0].text, "outside the pid namespace");
}

/* It woke its parent and exited before the first recorded switch. */
TEST_F(model, unnamed_and_gone_at_once)
{
	STORY_NOTE(SCHED_UNNAMED, "threads; 0@1000; !1000 wake 11 by 14; 2000 0>11; end 9500");
}

/* It was seen again, so it lived when names were read. */
TEST_F(model, unnamed_and_back)
{
	STORY_ONLY(SCHED_UNNAMED, "threads; 0@1000; !1000 wake 11 by 14; 2000 0>11; "
				  "3000 wake 14 by 11; end 9500");
}

/* It was forked before the recording, and exited before names were read. */
TEST_F(model, unnamed_and_ended)
{
	STORY_NOTE(SCHED_UNNAMED, "threads; 0@1000; !1000 wake 14; 2000 0>14; 4000 14>0 Z; "
				  "end 9500");
}

/* It was preempted while it exited, when its name could not be read any more. */
TEST_F(model, unnamed_and_ending)
{
	STORY_NOTE(SCHED_UNNAMED, "threads; 0@1000; !1000 0>14; 2000 14>0; end 9500");
}

TEST_F(model, unnamed_and_running)
{
	STORY_NOTE(SCHED_UNNAMED, "threads; 0@1000; !1000 0>14; end 9500");
}

/* A thread that slept could have been named. */
TEST_F(model, unnamed_and_woken)
{
	STORY_ONLY(SCHED_UNNAMED, "threads; 0@1000; !1000 wake 14; 2000 0>14; 4000 14>0; end 9500");
}

TEST_F(model, unnamed_and_asleep)
{
	STORY_ONLY(SCHED_UNNAMED, "threads; 0@1000; !1000 0>14; 2000 14>0 S; end 9500");
}

/* It may have ended while records were lost, before its name could be read. */
TEST_F(model, unnamed_and_lost)
{
	self->at = STORY(&self->s, "threads; 0@1000; !1000 0>14; 2000 14>0 S; lose 0 5 @6000; "
				   "6000 0>11; end 9500");
	run(self);
	EXPECT_TRUE(has(self, SCHED_UNNAMED, false, self->at)) log_found(_metadata, self);
	EXPECT_FALSE(has(self, SCHED_UNNAMED, true, self->at));
}

/* It was seen again after that. */
TEST_F(model, unnamed_after_a_loss)
{
	self->at = STORY(&self->s, "threads; 0@1000; !1000 0>14; 2000 14>0 S; lose 0 5 @6000; "
				   "6000 0>11; 2000000 wake 14 by 11; end 9500000");
	run(self);
	EXPECT_TRUE(has(self, SCHED_UNNAMED, true, self->at)) log_found(_metadata, self);
}

TEST_F(model, many_unnamed)
{
	uint64_t count = 0;

	story_chunk(&self->s, 0, 1000);
	for (uint32_t tid = 1; tid <= 1000; tid++)
		story_wake(&self->s, 1000 + tid, 0, tid, 0);
	story_end(&self->s, 9500);
	EXPECT_EQ(0, run(self));
	for (size_t i = 0; i < self->found_count; i++)
		count += self->found[i].kind == SCHED_UNNAMED ? self->found[i].count : 0;
	EXPECT_EQ(1000U, count);
	EXPECT_LT(self->found_count, 200U);
}
