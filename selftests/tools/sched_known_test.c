// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched_known_test.c - inconsistencies with a known reason.
 *
 * In:  stories of CPUs that go offline and come online, of threads that become the leaders
 *      of their processes, and of ids that are reused early.
 * Must hold: such an inconsistency is a note; one that only resembles it is a violation.
 */
#include "sched_fixture.h"

/* 21 runs last on CPU 1, whose next switch switches out @first. */
static uint64_t tell_offline(struct story *s, const char *name, uint32_t first)
{
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, name);
	story_name(s, 11, 11, "some thread");
	story_name(s, 12, 12, "another");
	story_chunk(s, 1, 1000);
	story_switch(s, 1000, 11, 21, FXT_THREAD_BLOCKED);
	offset = story_switch(s, 5000, first, 12, FXT_THREAD_NEW);
	story_wake(s, 6000, 1, 21, 12);
	story_switch(s, 7000, 12, 21, FXT_THREAD_NEW);
	/* The kernel does not hide this thread. */
	story_switch(s, 7500, 21, 12, FXT_THREAD_BLOCKED);
	story_end(s, 8000);
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
	struct story *s = &self->s;
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, "migration/1");
	story_name(s, 11, 11, "some thread");
	story_chunk(s, 0, 2000);
	story_wake(s, 2000, 1, 21, 11);
	story_chunk(s, 1, 500);
	story_switch(s, 500, 21, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 21, FXT_THREAD_BLOCKED);
	offset = story_switch(s, 3000, 0, 21, FXT_THREAD_NEW);
	story_end(s, 8000);
	EXPECT_NOTE(SCHED_OFFLINE, offset);
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
	story_name(s, 11, 11, "some thread");
	story_name(s, 12, 12, "another");
	story_chunk(s, 1, 900);
	story_switch(s, 900, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 21, FXT_THREAD_NEW);
	story_chunk(s, 0, asleep);
	story_switch(s, asleep, 12, 0, FXT_THREAD_BLOCKED);
	offset = story_switch(s, asleep + 5000, 0, 12, FXT_THREAD_NEW);
	if (back) {
		story_chunk(s, 1, asleep + 9000);
		story_switch(s, asleep + 9000, 0, 11, FXT_THREAD_NEW);
	}
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

TEST_F(model, not_woken_by_thread)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN, tell_leaving(&self->s, "some", 800, false), 0);
}

/* It does not wake threads that go to sleep long after that. */
TEST_F(model, not_woken_by_gone)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_leaving(&self->s, "migration/1", 3000000000ULL, false), 0);
}

/* A CPU that stays online wakes nobody unseen: its stopper is switched out like any thread. */
TEST_F(model, not_woken_by_staying)
{
	struct story *s = &self->s;
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, "migration/1");
	story_name(s, 11, 11, "some thread");
	story_name(s, 12, 12, "another");
	story_chunk(s, 1, 900);
	story_switch(s, 900, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 21, FXT_THREAD_BLOCKED);
	story_switch(s, 7000, 21, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 800);
	story_switch(s, 800, 12, 0, FXT_THREAD_BLOCKED);
	offset = story_switch(s, 5800, 0, 12, FXT_THREAD_NEW);
	story_end(s, 10000);
	EXPECT_ONLY(SCHED_NOT_WOKEN, offset, 0);
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
	story_name(s, 26, 26, "migration/1");
	story_name(s, 11, 11, "some thread");
	story_name(s, 12, 12, "another");
	if (others)
		others(s);
	story_chunk(s, 0, 2900000000ULL);
	story_switch(s, 2900000000ULL, 21, 0, FXT_THREAD_BLOCKED);
	offset = story_switch(s, 3000000000ULL, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 3000001000ULL, 21, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 1, comes);
	story_switch(s, comes, first, 12, FXT_THREAD_NEW);
	story_switch(s, comes + 1000, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 10000000000ULL);
	return offset;
}

static void tell_gone(struct story *s)
{
	story_chunk(s, 1, 900);
	story_switch(s, 900, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 26, FXT_THREAD_NEW);
}

static void tell_here(struct story *s)
{
	story_chunk(s, 1, 900);
	story_switch(s, 900, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 0, FXT_THREAD_BLOCKED);
}

/* A CPU that comes online wakes the stoppers of the others, and these wakeups are not recorded. */
TEST_F(model, stopper_woken_by_new)
{
	EXPECT_NOTE(SCHED_OFFLINE,
		    tell_coming(&self->s, "migration/0", NULL, 3000002000ULL, 0));
}

TEST_F(model, stopper_woken_by_one_that_came_back)
{
	EXPECT_NOTE(SCHED_OFFLINE,
		    tell_coming(&self->s, "migration/0", tell_gone, 3000002000ULL, 0));
}

/* The mark of the CPU that comes online is read before the misfit, and must not excuse it. */
TEST_F(model, stopper_woken_by_marked_one)
{
	struct story *s = &self->s;
	uint64_t offset;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, "migration/0");
	story_name(s, 12, 12, "another");
	story_ledger(s, 0, FXT_LEDGER_OPENING, 0, 1000);
	story_mark(s, 1000, 0, FXT_STR_BEGIN, 0);
	story_ledger(s, 1, FXT_LEDGER_OPENING, 0, 1000);
	story_mark(s, 9000, 1, FXT_STR_ONLINE, 0);
	story_chunk(s, 1, 9500);
	story_switch(s, 9500, 0, 12, FXT_THREAD_NEW);
	story_chunk(s, 0, 5000);
	story_switch(s, 5000, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 6000, 21, 0, FXT_THREAD_BLOCKED);
	offset = story_switch(s, 8000, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 8500, 21, 0, FXT_THREAD_BLOCKED);
	story_end(s, 10000);
	EXPECT_NOTE(SCHED_OFFLINE, offset);
}

/* Each of many CPUs wakes the stoppers of all online CPUs: more wakeups than the model keeps. */
TEST_F(model, stoppers_woken_by_many)
{
	uint64_t time = 1000, offset = 0, at;
	struct story *s = &self->s;
	unsigned int cpu, i;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 21, 21, "migration/0");
	story_name(s, 12, 12, "another");
	for (cpu = 1; cpu <= 3; cpu++) {
		story_chunk(s, 0, time);
		for (i = 0; i < 400; i++, time += 2000) {
			at = story_switch(s, time, 0, 21, FXT_THREAD_NEW);
			story_switch(s, time + 1000, 21, 0, FXT_THREAD_BLOCKED);
			if (i == 1 && !offset)
				offset = at;
		}
		story_chunk(s, cpu, time);
		story_switch(s, time, 0, 12, FXT_THREAD_NEW);
		story_switch(s, time + 1000, 12, 0, FXT_THREAD_NEW);
		time += 2000;
	}
	story_end(s, time);
	EXPECT_NOTE(SCHED_OFFLINE, offset);
}

/* A CPU that comes online wakes no other thread. */
TEST_F(model, thread_not_woken_by_new)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "some", NULL, 3000002000ULL, 0), 0);
}

/* A CPU that comes online much later does not wake them. */
TEST_F(model, stopper_not_woken_by_late)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", NULL, 5000000000ULL, 0), 0);
}

/* A CPU that came online before does not wake them. */
TEST_F(model, stopper_not_woken_by_earlier)
{
	EXPECT_ONLY(SCHED_NOT_WOKEN,
		    tell_coming(&self->s, "migration/0", NULL, 2900002000ULL, 0), 0);
}

/* A CPU that was not offline does not wake them. */
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

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 30, 30, "leader");
	story_name(s, 31, process, "thread");
	story_name(s, 11, 11, "some thread");
	story_name(s, process, process, "process");
	story_chunk(s, 0, 800);
	story_switch(s, 800, 31, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 30, FXT_THREAD_BLOCKED);
	story_switch(s, 2000, 30, 31, state);
	offset = story_switch(s, 3000, 30, 0, FXT_THREAD_BLOCKED);
	story_end(s, 4000);
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

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 30, 30, "leader");
	story_name(s, 31, 30, "thread");
	if (exec_time)
		story_event(s, 30, 30, "new", FXT_STR_EXEC, exec_time);
	story_chunk(s, 0, 800);
	story_switch(s, 800, 31, 30, FXT_THREAD_BLOCKED);
	story_wake(s, 1900, 0, 31, 30);
	story_switch(s, 2000, 30, 31, FXT_THREAD_NEW);
	offset = story_switch(s, 3000, 30, 31, FXT_THREAD_BLOCKED);
	story_switch(s, 3500, 31, 0, FXT_THREAD_DEAD);
	story_end(s, 4000);
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

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 30, 30, "leader");
	story_name(s, 11, 11, "some thread");
	if (!lost)
		story_name(s, 31, 11, "thread of 11");
	else
		story_lose(s, STORY_NAMES, lost, 1);
	story_chunk(s, 0, 800);
	story_switch(s, 800, 31, 30, FXT_THREAD_BLOCKED);
	story_wake(s, 1900, 0, 31, 30);
	story_switch(s, 2000, 30, 31, FXT_THREAD_NEW);
	offset = story_switch(s, 3000, 30, 11, FXT_THREAD_BLOCKED);
	story_switch(s, 3200, 11, 31, FXT_THREAD_BLOCKED);
	story_switch(s, 3500, 31, 0, FXT_THREAD_DEAD);
	story_end(s, 4000);
	return offset;
}

TEST_F(model, exec_without_names)
{
	EXPECT_NOTE(SCHED_EXEC, tell_exec_without_names(&self->s, 2));
}

TEST_F(model, no_exec_without_a_loss)
{
	struct story *s = &self->s;
	uint64_t offset = tell_exec_without_names(s, 0);

	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_CHAIN, true, offset))
		log_found(_metadata, self);
}

TEST_F(model, exec_before_a_leader_was_preempted)
{
	EXPECT_ONLY(SCHED_CHAIN, tell_exec_of_preempted(&self->s, 1000), 0);
}

/* The old leader is switched in as 31 on another CPU before the new one is switched out. */
TEST_F(model, exec_and_a_leader_that_comes_in_elsewhere)
{
	struct story *s = &self->s;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 30, 30, "leader");
	story_name(s, 31, 30, "thread");
	story_event(s, 30, 30, "new", FXT_STR_EXEC, 2500);
	story_chunk(s, 0, 800);
	story_switch(s, 800, 31, 30, FXT_THREAD_BLOCKED);
	story_wake(s, 1900, 0, 31, 30);
	story_switch(s, 2000, 30, 31, FXT_THREAD_NEW);
	story_switch(s, 3000, 30, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 1, 2600);
	story_switch(s, 2600, 0, 31, FXT_THREAD_NEW);
	story_switch(s, 2700, 31, 0, FXT_THREAD_DEAD);
	story_end(s, 4000);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
}

/* The old leader is preempted once more, as 31. */
TEST_F(model, exec_and_a_leader_that_is_preempted_after_it)
{
	struct story *s = &self->s;

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 30, 30, "leader");
	story_name(s, 31, 30, "thread");
	story_name(s, 11, 11, "some thread");
	story_event(s, 30, 30, "new", FXT_STR_EXEC, 2500);
	story_chunk(s, 0, 800);
	story_switch(s, 800, 11, 30, FXT_THREAD_NEW);
	story_switch(s, 2600, 31, 11, FXT_THREAD_NEW);
	story_switch(s, 2700, 11, 31, FXT_THREAD_BLOCKED);
	story_switch(s, 2800, 31, 0, FXT_THREAD_DEAD);
	story_chunk(s, 1, 900);
	story_switch(s, 900, 0, 31, FXT_THREAD_NEW);
	story_switch(s, 3000, 30, 0, FXT_THREAD_BLOCKED);
	story_end(s, 4000);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
}

#define EXECS	1010	/* more than the model keeps */

/* The model only keeps the number of so many execs. */
TEST_F(model, many_execs)
{
	struct story *s = &self->s;
	uint64_t count = 0;
	uint32_t tid;
	size_t i;

	story_chunk(s, STORY_NAMES, 0);
	for (tid = 100; tid < 100 + 2 * EXECS; tid += 2) {
		story_name(s, tid, tid, "leader");
		story_name(s, tid + 1, tid, "thread");
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
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
	for (i = 0; i < self->found_count; i++)
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

	story_chunk(s, STORY_NAMES, 0);
	story_name(s, 11, 11, "some thread");
	story_name(s, 12, 12, "another");
	story_chunk(s, 0, 900);
	story_switch(s, 900, 12, 11, FXT_THREAD_NEW);
	story_switch(s, 1000, 11, 12, FXT_THREAD_BLOCKED);
	story_switch(s, leaves_first ? 4700 : 9000, 12, 0, left);
	story_chunk(s, 1, 4000);
	offset = story_wake(s, 4000, 1, 12, 11);
	story_switch(s, 5000, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 9500, 12, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 9700, 1, 12, 11);
	story_end(s, 10000);
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

TEST_HARNESS_MAIN
