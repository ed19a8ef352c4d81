// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt cut of interrupts and other events of the kernel: the part has the events that overlap it and
 * are selected; its ledgers count them.
 */
#include "cut_fixture.h"
#include "event_story.h"

/* Process 11 runs on cpu 0 from 1 to 3 ms and from 8 ms on, process 21 on cpu 1 from 4 to 5 ms. */
static void tell(FIXTURE_DATA(cut) *self)
{
	struct story *s = &self->s;

	story_session(s, "host here\nclock boot\n");
	STORY(s, "names@1; name 11 eleven; name 21 twenty-one");
	event_tracks(s, 0);
	event_tracks(s, 1);
	STORY(s, "0@1ms 0>11");
	event_frequency(s, 1 * MS, 0, 1000000, 0);
	event_quota(s, 1 * MS, 0, "/one", 5, 4, 3000);
	STORY(s, "1000001-2ms softirq %; 2ms-2000005 irq 17 eth0; 2ms-2000009 11/11 works flush",
		 EVENT_NET_RX);
	event_custom(s, 2 * MS + 10, 11, 11, "sys_enter");
	STORY(s, "3ms 11>0 S; 3000001-3000005 irq 18 disk; 1@4ms 0>21; 4000001-4000005 softirq %",
		 EVENT_TIMER);
	event_custom(s, 4 * MS + 6, 21, 21, "sys_enter");
	STORY(s, "5ms 21>0 S; 0@7ms; 3000005-7ms idle 2; 7ms wake 11; 8ms 0>11; "
		 "8000001 31/31 moves 1>0");
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
	/* This value holds when the part begins. */
	EXPECT_TRUE(HAS(COUNTER, 1500000, "frequency"));
	EXPECT_FALSE(HAS(COUNTER, 8 * MS + 1, "frequency"));
	EXPECT_TRUE(HAS(COUNTER, 1500000, "/one"));
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
	/* This counter's id is not that of a CPU. */
	EXPECT_TRUE(HAS(COUNTER, 1 * MS, "/one"));
	EXPECT_FALSE(HAS(COUNTER, 1 * MS, "frequency"));
}

/* No switch of cpu 1 is left, so its stack is dropped as well. */
TEST_F(cut, stacks_stay_with_their_switches)
{
	static const uint64_t frames[] = { 0xffffffff81000010 };

	STORY(&self->s, "names@1; name 11 eleven; name 21 twenty-one; 0@1ms 0>11");
	event_stack(&self->s, 1 * MS, 11, 11, frames, 1);
	STORY(&self->s, "1@2ms 0>21");
	event_stack(&self->s, 2 * MS, 21, 21, frames, 1);
	story_end(&self->s, 10 * MS);
	ASSERT_CUT("--cpu", "0");
	EXPECT_TRUE(HAS(BACKTRACE, 1 * MS, NULL));
	EXPECT_FALSE(HAS(BACKTRACE, 2 * MS, NULL));
	ASSERT_CUT("--pid", "21");
	EXPECT_FALSE(HAS(BACKTRACE, 1 * MS, NULL));
	EXPECT_TRUE(HAS(BACKTRACE, 2 * MS, NULL));
	ASSERT_CUT("--from", "0.0015", "--to", "0.009");
	EXPECT_FALSE(HAS(BACKTRACE, 1 * MS, NULL));
	EXPECT_TRUE(HAS(BACKTRACE, 2 * MS, NULL));
}

/*
 * Wakeups by 11 and their stacks stay with 11. Functions of the kernel stay with any stack, files
 * of a process with the process. Perfetto's packets, which are of the whole recording, are not in a
 * part.
 */
TEST_F(cut, what_stacks_need)
{
	static const uint64_t frames[] = { 0xffffffff81000010 };
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; name 21 twenty-one; name 31 thirty-one; 0@1ms 0>11");
	event_stack(s, 2 * MS, 21, 21, frames, 1);
	STORY(s, "2000001 wake 21 by 11 on 1; 3ms 11>31");
	event_stack(s, 4 * MS, 21, 21, frames, 1);
	story_end(s, 10 * MS);
	event_module(s, 1, 0, 1, "[kernel.kallsyms]", 0xffffffff81000000, 4096);
	event_module(s, 2, 11, 1, "/bin/eleven", 0x1000, 4096);
	event_module(s, 3, 21, 1, "/bin/other", 0x1000, 4096);
	event_symbols(s, "k ffffffff81000000 ffffffff81000100 pipe_read\n");
	event_samples(s);
	ASSERT_CUT("--pid", "11");
	EXPECT_TRUE(HAS(BACKTRACE, 2 * MS, NULL));
	EXPECT_FALSE(HAS(BACKTRACE, 4 * MS, NULL));
	EXPECT_TRUE(HAS(MODULE, 1, "[kernel.kallsyms]"));
	EXPECT_TRUE(HAS(MMAP, 1, NULL));
	EXPECT_TRUE(HAS(MODULE, 2, "/bin/eleven"));
	EXPECT_FALSE(HAS(MODULE, 3, NULL));
	EXPECT_EQ(1U, self->g.symbol_blobs);
	EXPECT_EQ(0U, self->g.sample_blobs);
	ASSERT_EQ(0, cut(self, "--from", "0.0015", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(HAS(MODULE, 1, "[kernel.kallsyms]"));
	EXPECT_TRUE(HAS(MODULE, 3, "/bin/other"));
	EXPECT_EQ(0U, self->g.sample_blobs);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(1U, self->g.sample_blobs);
}

static void tell_names(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 21 twenty-one; name 31 thirty-one; "
		 "name 41 forty-one");
}

/*
 * While 11 runs on cpu 0, it wakes 21 on another CPU, an interrupt wakes 31, and 11 wakes 41 with a
 * stack that has no frame of the program. 21 wakes 11.
 */
static void tell_wakers(struct story *s)
{
	static const uint64_t kernel[] = { 0xffffffff81000010 };
	static const uint64_t program[] = { 0xffffffff81000010, 0x1010 };

	tell_names(s);
	STORY(s, "0@1ms 0>11");
	event_stack(s, 2 * MS, 21, 11, program, 2);
	event_stack(s, 3 * MS, 31, 31, kernel, 1);
	story_wake(s, 3 * MS + 1, 0, 31, fxt_sched_waker(11, FXT_SCHED_IRQ_HARD));
	event_stack(s, 4 * MS, 41, 41, kernel, 1);
	STORY(s, "4000001 41/41 moves 1>0; 4000002 wake 41 by 11 on 0; 5ms 11>31 S; "
		 "1@2000001 wake 21 by 11; 2000002 0>21");
	event_stack(s, 6 * MS, 11, 21, program, 2);
	STORY(s, "6000001 wake 11 by 21 on 1; end 10ms");
	event_module(s, 2, 11, 1, "/bin/eleven", 0x1000, 4096);
	event_module(s, 3, 21, 1, "/bin/twenty-one", 0x1000, 4096);
	event_module(s, 4, 31, 1, "/bin/thirty-one", 0x1000, 4096);
}

TEST_F(cut, stacks_stay_with_their_wakeups)
{
	tell_wakers(&self->s);
	ASSERT_CUT("--pid", "11");
	EXPECT_TRUE(HAS(BACKTRACE, 2 * MS, NULL));
	EXPECT_FALSE(HAS(BACKTRACE, 3 * MS, NULL));
	EXPECT_TRUE(HAS(BACKTRACE, 4 * MS, NULL));
	EXPECT_TRUE(HAS(BACKTRACE, 6 * MS, NULL));
	ASSERT_EQ(0, cut(self, "--pid", "31", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_FALSE(HAS(BACKTRACE, 2 * MS, NULL));
	EXPECT_TRUE(HAS(BACKTRACE, 3 * MS, NULL));
	EXPECT_FALSE(HAS(BACKTRACE, 4 * MS, NULL));
}

/* A waker's frames are in the mappings of its process. */
TEST_F(cut, mappings_stay_with_wakers)
{
	tell_wakers(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(HAS(MODULE, 2, "/bin/eleven"));
	EXPECT_TRUE(HAS(MODULE, 3, "/bin/twenty-one"));
	EXPECT_FALSE(HAS(MODULE, 4, NULL));
}

/* Events of threads belong to the CPU in whose stream they are. */
TEST_F(cut, migrations_are_of_the_cpu_that_saw_them)
{
	tell(self);
	ASSERT_EQ(0, cut(self, "--cpu", "0", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_TRUE(HAS(INSTANT, 8 * MS + 1, "migrate"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS, "flush"));
}

/* Process 11 runs on cpu 0, process 21 on cpu 1. Each has events of every kind. */
static void tell_acts(FIXTURE_DATA(cut) *self)
{
	struct story *s = &self->s;

	story_session(s, "host here\nclock boot\n");
	event_syscall_name(s, EVENT_READ, "read");
	STORY(s, "names@1; name 11 eleven; name 21 twenty-one; name 12/11 child");
	event_cgroup(s, 7, 0, "/seven");
	event_cgroup(s, 7, 1, "/seven");
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		uint64_t at = (2 + 10 * cpu) * MS;
		uint32_t tid = cpu ? 21 : 11;

		STORY(s, "%@%; % queue %", cpu, at, at, 4 + cpu);
		event_pelt_cpu(s, at, cpu, 100 + cpu);
		event_pelt_thread(s, at, tid, tid, 200 + cpu);
		story_switch(s, at + 1, 0, tid, FXT_THREAD_NEW);
		event_syscall(s, at + 2, at + MS, tid, tid, EVENT_READ, 1);
		event_throttle(s, at + 3, at + MS + 1, 7, cpu);
		event_fork(s, at + MS + 2, tid, tid, tid + 1);
		event_ipi(s, at + MS + 3, tid, tid, 3, "one_cpu");
		event_priority(s, at + MS + 4, tid, tid, 120, 90);
		event_exit(s, at + MS + 5, tid, tid, 0);
		story_switch(s, at + 2 * MS, tid, 0, FXT_THREAD_DEAD);
	}
	story_end(s, 20 * MS);
	save(self);
}

#define EXPECT_ACTS(expected_, at_)						\
	do {									\
		EXPECT_EQ(expected_, HAS(DURATION_COMPLETE, (at_) + 2, "read"));	\
		EXPECT_EQ(expected_, HAS(INSTANT, (at_) + MS + 2, "fork"));	\
		EXPECT_EQ(expected_, HAS(INSTANT, (at_) + MS + 3, "one_cpu"));	\
		EXPECT_EQ(expected_, HAS(INSTANT, (at_) + MS + 4, "priority"));	\
		EXPECT_EQ(expected_, HAS(INSTANT, (at_) + MS + 5, "exit"));	\
	} while (0)

#define SEVEN(cpu)	TRACK(fxt_sched_throttle_track(7, cpu))

TEST_F(cut, acts_stay_that_overlap_the_time)
{
	tell_acts(self);
	ASSERT_EQ(0, cut(self, "--from", "0.0025", "--to", "0.0045")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_ACTS(true, 2 * MS);
	EXPECT_ACTS(false, 12 * MS);
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 2 * MS + 3, "throttled"));
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 12 * MS + 3, "throttled"));
	EXPECT_STREQ("/seven cpu 0", SEVEN(0));
	EXPECT_STREQ("(none)", SEVEN(1));
	EXPECT_STREQ("child", TRACK(12));
	/* The part begins with the values that CPUs have then, but not with those of threads. */
	EXPECT_TRUE(HAS(COUNTER, 2500000, "run queue"));
	EXPECT_TRUE(HAS(COUNTER, 2500000, "pelt"));
	for (size_t i = 0; i < self->g.event_count; i++)
		if (self->g.events[i].kind == FXT_KIND_COUNTER)
			EXPECT_EQ(FXT_SCHED_KOID_LOAD, self->g.events[i].thread);
}

TEST_F(cut, acts_stay_of_a_selected_process)
{
	tell_acts(self);
	ASSERT_EQ(0, cut(self, "--pid", "21", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_ACTS(false, 2 * MS);
	EXPECT_ACTS(true, 12 * MS);
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 12 * MS + 3, "throttled"));
	EXPECT_FALSE(HAS(COUNTER, 12 * MS, "run queue"));
	/* Only the counter of the selected thread is left. */
	EXPECT_EQ(1U, gathered_events(&self->g, FXT_KIND_COUNTER));
}

TEST_F(cut, acts_stay_of_a_selected_cpu)
{
	tell_acts(self);
	ASSERT_EQ(0, cut(self, "--cpu", "1", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_ACTS(false, 2 * MS);
	EXPECT_ACTS(true, 12 * MS);
	EXPECT_FALSE(HAS(DURATION_COMPLETE, 2 * MS + 3, "throttled"));
	EXPECT_TRUE(HAS(DURATION_COMPLETE, 12 * MS + 3, "throttled"));
	EXPECT_FALSE(HAS(COUNTER, 2 * MS, "run queue"));
	EXPECT_TRUE(HAS(COUNTER, 12 * MS, "run queue"));
	EXPECT_EQ(3U, gathered_events(&self->g, FXT_KIND_COUNTER));
}

/* The recorder writes the host's time at marks outside of streams: no ledger counts these. */
TEST_F(cut, time_of_the_host_stays)
{
	struct story *s = &self->s;

	story_session(s, "host here\nclock boot\n");
	STORY(s, "names@1; name 11 eleven; opening 0 @1ms");
	event_steal_mark(s, 1 * MS, 0, 5000);
	STORY(s, "0@1ms 0>11");
	event_steal(s, 3 * MS, 0, 6000);
	STORY(s, "3ms 11>0 S; 5ms 0>11; end 10ms");
	event_steal_mark(s, 10 * MS, 0, 7000);
	ASSERT_CUT("--from", "0.002", "--to", "0.004");
	EXPECT_TRUE(HAS(COUNTER, 2 * MS, "steal"));
	EXPECT_TRUE(HAS(COUNTER, 3 * MS, "steal"));
	EXPECT_EQ(2U, gathered_events(&self->g, FXT_KIND_COUNTER));
	ASSERT_CUT("--from", "0.004");
	EXPECT_TRUE(HAS(COUNTER, 4 * MS, "steal"));
	EXPECT_TRUE(HAS(COUNTER, 10 * MS, "steal"));
	/* In a part, such a record is between those of the stream. */
	ASSERT_EQ(0, rename(self->out, self->in));
	ASSERT_EQ(0, cut(self, "--cpu", "0", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, gathered_events(&self->g, FXT_KIND_COUNTER));
}

/* 11 sends a signal to 21 and to 41, takes one, and creates 31. */
TEST_F(cut, signals_of_either_thread)
{
	story_session(&self->s, "host here\nclock boot\n");
	tell_names(&self->s);
	STORY(&self->s, "0@1ms 0>11");
	event_signal(&self->s, 2 * MS, 11, 11, 15, 21, 0, false);
	event_signal(&self->s, 3 * MS, 11, 11, 15, 41, 0, false);
	event_delivery(&self->s, 4 * MS, 11, 11, 10, true);
	STORY(&self->s, "5ms 11/11 forks 31; 6ms 11>31 S; end 10ms");
	ASSERT_CUT("--pid", "11");
	EXPECT_EQ(4U, gathered_events(&self->g, FXT_KIND_INSTANT));
	ASSERT_CUT("--pid", "21");
	EXPECT_TRUE(HAS(INSTANT, 2 * MS, "signal"));
	EXPECT_EQ(1U, gathered_events(&self->g, FXT_KIND_INSTANT));
	/* A filter keeps a fork only by the thread that forks. */
	ASSERT_CUT("--pid", "31");
	EXPECT_EQ(0U, gathered_events(&self->g, FXT_KIND_INSTANT));
}
