// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inconsistencies with a known reason are notes: CPUs go offline and come online, threads become
 * the leaders of their processes, ids are reused early. One that only resembles them is a
 * violation.
 */
#include "sched_fixture.h"

/* 21 runs last on CPU 1, whose next switch switches out @first. */
static uint64_t tell_offline(struct story *s, const char *name, uint32_t first)
{
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, name);
	offset = STORY(s, "name 11 some thread; name 12 another; 1@1000 11>21 S; !5000 %>12; "
			  "6000 wake 21 by 12; 7000 12>21", first);
	/* The kernel does not hide this thread. */
	STORY(s, "7500 21>12 S; end 8000");
	return offset;
}

TEST_F(model, offline)
{
	EXPECT_NOTE(SCHED_OFFLINE, tell_offline(&self->s, "migration/1", 0));
}

TEST_F(model, offline_of_another_cpu)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_offline(&self->s, "migration/0", 0), 0);
}

TEST_F(model, offline_of_another_thread)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_offline(&self->s, "migration/11", 0), 0);
}

/* The wakeup comes before the CPU's first switch. */
TEST_F(model, offline_and_woken)
{
	STORY_NOTE(SCHED_OFFLINE, "names@0; name 21 migration/1; name 11 some thread; "
				  "0@2000 wake 21 by 11 on 1; 1@500 21>11; 1000 11>21 S; "
				  "!3000 0>21; end 8000");
}

/* A CPU that comes back online runs the idle thread. */
TEST_F(model, offline_without_idle)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_offline(&self->s, "migration/1", 11), 0);
}

/*
 * The stopper of CPU 1 runs last, from 1000 ns on. 12 sleeps on CPU 0 from @asleep on and is
 * switched in there without a wakeup.
 */
static uint64_t tell_leaving(struct story *s, const char *name, uint64_t asleep, bool back)
{
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, name);
	offset = STORY(s, "name 11 some thread; name 12 another; 1@900 0>11; 1000 11>21; "
			  "0@% 12>0 S; % 0>12", asleep, asleep + 5000);
	if (back)
		STORY(s, "1@% 0>11", asleep + 9000);
	story_end(s, asleep + 10000);
	return offset;
}

/* A CPU that goes offline may still wake threads, and these wakeups are not recorded. */
TEST_F(model, woken_by_leaving)
{
	EXPECT_NOTE(SCHED_OFFLINE, tell_leaving(&self->s, "migration/1", 800, false));
}

TEST_F(model, woken_by_one_that_came_back)
{
	EXPECT_NOTE(SCHED_OFFLINE, tell_leaving(&self->s, "migration/1", 800, true));
}

/* The collector has marked that the CPU went offline, before the misfit or after it. */
TEST_F(model, woken_by_marked_one)
{
	STORY_NOTE(SCHED_OFFLINE, "names@0; name 21 migration/1; name 11 some; name 12 another; "
				  "1@900 0>11; 1000 11>21; 1000 offline 21; 0@800 12>0 S; "
				  "!5800 0>12; end 10000");
}

TEST_F(model, woken_by_one_marked_later)
{
	STORY_NOTE(SCHED_OFFLINE, "names@0; name 21 migration/1; name 11 some; name 12 another; "
				  "1@900 0>11; 1000 11>21; 7000 offline 21; 0@800 12>0 S; "
				  "!5800 0>12; end 10000");
}

TEST_F(model, not_woken_by_thread)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN, tell_leaving(&self->s, "some", 800, false), 0);
}

TEST_F(model, not_woken_by_gone)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_leaving(&self->s, "migration/1", 3000000000ULL, false), 0);
}

/* A CPU that stays online wakes nobody unseen: its stopper is switched out like any thread. */
TEST_F(model, not_woken_by_staying)
{
	STORY_ONLY(SCHED_NOT_WOKEN, "names@0; name 21 migration/1; name 11 some thread; "
				    "name 12 another; 1@900 0>11; 1000 11>21 S; 7000 21>0 S; "
				    "0@800 12>0 S; !5800 0>12; end 10000");
}

/*
 * 21 sleeps on CPU 0, and is switched in there at 3 s without a wakeup. @others adds what CPU 1 did
 * before. At @comes ns, CPU 1 switches out @first.
 */
static uint64_t tell_coming(struct story *s, const char *name, void (*others)(struct story *s),
			    uint64_t comes, uint32_t first)
{
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, name);
	STORY(s, "name 26 migration/1; name 11 some thread; name 12 another");
	if (others)
		others(s);
	offset = STORY(s, "0@2900000000 21>0 S; !3000000000 0>21; 3000001000 21>0 S; "
			  "1@% %>12; % 12>0 S; end 10000000000", comes, first, comes + 1000);
	return offset;
}

static void tell_gone(struct story *s)
{
	STORY(s, "1@900 0>11; 1000 11>26");
}

static void tell_here(struct story *s)
{
	STORY(s, "1@900 0>11; 1000 11>0 S");
}

/* A CPU that comes online wakes the stoppers of the others, and these wakeups are not recorded. */
TEST_F(model, stopper_woken_by_new)
{
	EXPECT_NOTE(SCHED_OFFLINE, tell_coming(&self->s, "migration/0", NULL, 3000002000ULL, 0));
}

TEST_F(model, stopper_woken_by_one_that_came_back)
{
	EXPECT_NOTE(SCHED_OFFLINE,
		    tell_coming(&self->s, "migration/0", tell_gone, 3000002000ULL, 0));
}

/* The mark of the CPU that comes online is read before the misfit, and must not excuse it. */
TEST_F(model, stopper_woken_by_marked_one)
{
	STORY_NOTE(SCHED_OFFLINE, "names@0; name 21 migration/0; name 12 another; opening 0 @1000; "
				  "1000 begin 0; opening 1 @1000; 9000 online 0; 1@9500 0>12; "
				  "0@5000 0>21; 6000 21>0 S; !8000 0>21; 8500 21>0 S; end 10000");
}

/* Each of many CPUs wakes the stoppers of all online CPUs: more wakeups than the model keeps. */
TEST_F(model, stoppers_woken_by_many)
{
	uint64_t time = 1000, offset = 0, at;

	STORY(&self->s, "names@0; name 21 migration/0; name 12 another");
	for (unsigned int cpu = 1; cpu <= 3; cpu++) {
		story_chunk(&self->s, 0, time);
		for (unsigned int i = 0; i < 400; i++, time += 2000) {
			at = STORY(&self->s, "!% 0>21; % 21>0 S", time, time + 1000);
			if (i == 1 && !offset)
				offset = at;
		}
		STORY(&self->s, "%@% 0>12; % 12>0", cpu, time, time + 1000);
		time += 2000;
	}
	story_end(&self->s, time);
	EXPECT_NOTE(SCHED_OFFLINE, offset);
}

/* A CPU that comes online wakes no other thread. */
TEST_F(model, thread_not_woken_by_new)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN, tell_coming(&self->s, "some", NULL, 3000002000ULL, 0), 0);
}

TEST_F(model, stopper_not_woken_by_late)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", NULL, 5000000000ULL, 0), 0);
}

TEST_F(model, stopper_not_woken_by_earlier)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", NULL, 2900002000ULL, 0), 0);
}

TEST_F(model, stopper_not_woken_by_staying)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", tell_here, 3000002000ULL, 0), 0);
}

/* A CPU whose first switch is away from a thread does not: a CPU comes online idle. */
TEST_F(model, stopper_not_woken_by_busy)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", NULL, 3000002000ULL, 11), 0);
}

/* 31 is switched in, and then 30, the leader of its process, is switched out in its place. */
static uint64_t tell_exec(struct story *s, uint32_t process, uint32_t state)
{
	uint64_t offset;

	STORY(s, "names@0; name 30 leader; name 31/% thread; name 11 some thread; "
		 "name %/% process; 0@800 31>11; 1000 11>30 S", process, process, process);
	story_switch(s, 2000, 30, 31, state);
	offset = STORY(s, "!3000 30>0 S; end 4000");
	return offset;
}

TEST_F(model, exec)
{
	EXPECT_NOTE(SCHED_EXEC, tell_exec(&self->s, 30, FXT_THREAD_DYING));
}

TEST_F(model, exec_of_another_process)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_exec(&self->s, 11, FXT_THREAD_DYING), 0);
}

TEST_F(model, exec_of_a_leader_that_lives)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_exec(&self->s, 30, FXT_THREAD_BLOCKED), 0);
}

/* 30, the leader, is preempted while it exits. 31 gets its id, and 30 ends with the id 31. */
static uint64_t tell_exec_of_preempted(struct story *s, uint64_t exec_time)
{
	uint64_t offset;

	STORY(s, "names@0; name 30 leader; name 31/30 thread");
	if (exec_time)
		story_event(s, 30, 30, "new", FXT_STR_EXEC, exec_time);
	offset = STORY(s, "0@800 31>30 S; 1900 wake 31 by 30; 2000 30>31; !3000 30>31 S; "
			  "3500 31>0 Z; end 4000");
	return offset;
}

TEST_F(model, exec_of_a_preempted_leader)
{
	EXPECT_NOTE(SCHED_EXEC, tell_exec_of_preempted(&self->s, 2500));
}

/* If there was no exec since 31 was switched in, a switch is missing. */
TEST_F(model, no_exec_of_a_preempted_leader)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_exec_of_preempted(&self->s, 0), 0);
}

/*
 * 31 becomes the leader while 30 exits. Neither its fork nor its exec is recorded: @lost names
 * are lost.
 */
static uint64_t tell_exec_without_names(struct story *s, unsigned int lost)
{
	uint64_t offset;

	STORY(s, "names@0; name 30 leader; name 11 some thread");
	if (!lost)
		story_name(s, 31, 11, "thread of 11");
	else
		story_lose(s, STORY_NAMES, lost, 1);
	offset = STORY(s, "0@800 31>30 S; 1900 wake 31 by 30; 2000 30>31; !3000 30>11 S; "
			  "3200 11>31 S; 3500 31>0 Z; end 4000");
	return offset;
}

TEST_F(model, exec_without_names)
{
	EXPECT_NOTE(SCHED_EXEC, tell_exec_without_names(&self->s, 2));
}

TEST_F(model, no_exec_without_a_loss)
{
	uint64_t offset = tell_exec_without_names(&self->s, 0);

	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_CHAIN, true, offset)) log_found(_metadata, self);
}

TEST_F(model, exec_before_a_leader_was_preempted)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_exec_of_preempted(&self->s, 1000), 0);
}

/* The old leader is switched in as 31 on another CPU before the new one is switched out. */
TEST_F(model, exec_and_a_leader_that_comes_in_elsewhere)
{
	STORY(&self->s, "names@0; name 30 leader; name 31/30 thread");
	story_event(&self->s, 30, 30, "new", FXT_STR_EXEC, 2500);
	STORY(&self->s, "0@800 31>30 S; 1900 wake 31 by 30; 2000 30>31; 3000 30>0 S; "
			"1@2600 0>31; 2700 31>0 Z; end 4000");
	EXPECT_NO_VIOLATION();
}

/* The old leader is preempted once more, as 31. */
TEST_F(model, exec_and_a_leader_that_is_preempted_after_it)
{
	STORY(&self->s, "names@0; name 30 leader; name 31/30 thread; name 11 some thread");
	story_event(&self->s, 30, 30, "new", FXT_STR_EXEC, 2500);
	STORY(&self->s, "0@800 11>30; 2600 31>11; 2700 11>31 S; 2800 31>0 Z; "
			"1@900 0>31; 3000 30>0 S; end 4000");
	EXPECT_NO_VIOLATION();
}

#define EXECS	1010	/* more than the model keeps */

/* The model only keeps the number of so many execs. */
TEST_F(model, many_execs)
{
	struct story *s = &self->s;
	uint64_t count = 0;
	uint32_t tid;

	story_chunk(s, STORY_NAMES, 0);
	for (tid = 100; tid < 100 + 2 * EXECS; tid += 2) {
		STORY(s, "name % leader; name %/% thread", tid, tid + 1, tid);
		story_event(s, tid, tid, "new", FXT_STR_EXEC, tid * 1000ULL + 300);
	}
	story_chunk(s, 0, 100000);
	for (tid = 100; tid < 100 + 2 * EXECS; tid += 2) {
		story_switch(s, tid * 1000ULL, 0, tid, FXT_THREAD_NEW);
		story_switch(s, tid * 1000ULL + 100, tid, tid + 1, FXT_THREAD_NEW);
		story_switch(s, tid * 1000ULL + 400, tid, tid + 1, FXT_THREAD_DEAD);
		story_switch(s, tid * 1000ULL + 500, tid + 1, 0, FXT_THREAD_DEAD);
	}
	story_end(s, tid * 1000ULL);
	self->without_spans = true;
	EXPECT_NO_VIOLATION();
	for (size_t i = 0; i < self->found_count; i++)
		count += self->found[i].kind == SCHED_EXEC ? self->found[i].count : 0;
	EXPECT_EQ((uint64_t)EXECS, count);
}

/*
 * 12 leaves CPU 0 in the state @left while another 12 is forked and switched in on CPU 1; @first
 * selects which of the two is recorded first.
 */
static uint64_t tell_reuse(struct story *s, uint8_t left, bool leaves_first)
{
	uint64_t offset;

	STORY(s, "names@0; name 11 some thread; name 12 another; 0@900 12>11; 1000 11>12 S");
	story_switch(s, leaves_first ? 4700 : 9000, 12, 0, left);
	offset = STORY(s, "1@4000; !4000 wake 12 by 11; 5000 0>12; 9500 12>0 S; "
			  "9700 wake 12 by 11; end 10000");
	return offset;
}

TEST_F(model, pid_reused)
{
	EXPECT_NOTE(SCHED_PID_REUSE, tell_reuse(&self->s, FXT_THREAD_DEAD, false));
}

TEST_F(model, pid_reused_by_one_that_comes_in_later)
{
	EXPECT_NOTE(SCHED_PID_REUSE, tell_reuse(&self->s, FXT_THREAD_DEAD, true));
}

/* A thread that does not die keeps its id. */
TEST_F(model, pid_not_reused)
{
	uint64_t offset = tell_reuse(&self->s, FXT_THREAD_NEW, false);

	EXPECT_EQ(0, run(self));
	EXPECT_EQ(2U, count_of(self, true)) log_found(_metadata, self);
	EXPECT_TRUE(has(self, SCHED_WOKEN_RUNNING, true, offset));
}
