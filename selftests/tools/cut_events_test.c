// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cut_events_test.c - fxt cut: interrupts, idle states, migrations, frequencies, work items.
 *
 * In:  a recording of two CPUs with such events.
 * Must hold: the part has the events that overlap it and are selected; its ledgers count them.
 */
#include "cut_fixture.h"
#include "event_story.h"

/*
 * Process 11 runs on cpu 0 from 1 to 3 ms and from 8 ms on, process 21 on cpu 1 from 4 to 5 ms.
 */
static void tell(FIXTURE_DATA(cut) *self)
{
	struct story *s = &self->s;

	story_session(s, "host here\nclock boot\n");
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 21, 21, "twenty-one");
	event_tracks(s, 0);
	event_tracks(s, 1);
	story_chunk(s, 0, 1 * MS);
	story_switch(s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	event_frequency(s, 1 * MS, 0, 1000000, 0);
	event_softirq(s, 1 * MS + 1, 2 * MS, EVENT_NET_RX);
	event_irq(s, 2 * MS, 2 * MS + 5, 17, "eth0");
	event_work(s, 2 * MS, 2 * MS + 9, 11, 11, "flush");
	event_custom(s, 2 * MS + 10, 11, 11, "sys_enter");
	story_switch(s, 3 * MS, 11, 0, FXT_THREAD_BLOCKED);
	event_irq(s, 3 * MS + 1, 3 * MS + 5, 18, "disk");
	story_chunk(s, 1, 4 * MS);
	story_switch(s, 4 * MS, 0, 21, FXT_THREAD_NEW);
	event_softirq(s, 4 * MS + 1, 4 * MS + 5, EVENT_TIMER);
	event_custom(s, 4 * MS + 6, 21, 21, "sys_enter");
	story_switch(s, 5 * MS, 21, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 7 * MS);
	event_idle(s, 3 * MS + 5, 7 * MS, 2);
	story_wake(s, 7 * MS, 0, 11, 0);
	story_switch(s, 8 * MS, 0, 11, FXT_THREAD_NEW);
	event_migrate(s, 8 * MS + 1, 31, 31, 1, 0);
	event_frequency(s, 8 * MS + 1, 0, 2000000, 0);
	story_end(s, 10 * MS);
	save(self);
}

#define HAS(kind, time, name)	gathered_has(&self->g, FXT_KIND_##kind, time, name)

#define TRACK(koid)	gathered_text(&self->g, FXT_OBJECT_THREAD, koid)

TEST_F(cut, slices_that_overlap_the_time_stay)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--from", "0.0015", "--to", "0.004")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 1 * MS + 1, "NET_RX"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "eth0"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "flush"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 3 * MS + 5, "state 2"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 4 * MS + 1, "TIMER"));
	EXPECT_FALSE(HAS(INSTANT, 8 * MS + 1, "migrate"));
	/* The value that the frequency has when the part begins. */
	EXPECT_TRUE(HAS(COUNTER, 1500000, "frequency"));
	EXPECT_FALSE(HAS(COUNTER, 8 * MS + 1, "frequency"));
	EXPECT_STREQ("irq cpu 0", TRACK(FXT_SCHED_KOID_IRQ + 1));
	EXPECT_STREQ("(none)", TRACK(FXT_SCHED_KOID_IRQ + 2));
}

TEST_F(cut, interrupts_stay_that_hit_a_selected_process)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_TRUE(HAS(INSTANT, 2 * MS + 10, "sys_enter"));
	EXPECT_FALSE(HAS(INSTANT, 4 * MS + 6, "sys_enter"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 1 * MS + 1, "NET_RX"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "eth0"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "flush"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 3 * MS + 1, "disk"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 4 * MS + 1, "TIMER"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 3 * MS + 5, "state 2"));
	EXPECT_FALSE(HAS(COUNTER, 1 * MS, "frequency"));
	EXPECT_FALSE(HAS(INSTANT, 8 * MS + 1, "migrate"));
}

TEST_F(cut, events_of_selected_cpus_stay)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--cpu", "1", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_FALSE(HAS(INSTANT, 2 * MS + 10, "sys_enter"));
	EXPECT_TRUE(HAS(INSTANT, 4 * MS + 6, "sys_enter"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 4 * MS + 1, "TIMER"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 2 * MS, "eth0"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 2 * MS, "flush"));
	EXPECT_FALSE(HAS(COUNTER, 1 * MS, "frequency"));
}

/* Events of threads are of the CPU in whose stream they are. */
TEST_F(cut, migrations_are_of_the_cpu_that_saw_them)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--cpu", "0", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_TRUE(HAS(INSTANT, 8 * MS + 1, "migrate"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "flush"));
}

TEST_HARNESS_MAIN
