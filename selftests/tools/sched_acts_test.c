// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched_acts_test.c - system calls, forks, exits, priorities, interrupted CPUs, throttled
 * cgroups and load in the model.
 *
 * In:  stories with such events.
 * Must hold: the ledgers count them; each broken rule is a violation at its record, unless
 * execve(), a new thread with an old id, another cgroup or a loss explains it.
 *
 * Times are us in the stories, so that no clock step hides anything.
 */
#include "event_story.h"
#include "sched_fixture.h"

#define US	1000ULL

/* On cpu 0, 12 runs from 10 us on. */
static void begin(FIXTURE_DATA(model) *self)
{
	struct story *s = &self->s;

	event_syscall_name(s, EVENT_READ, "read");
	event_syscall_name(s, 59, "execve");
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	story_chunk(s, 0, 1 * US);
	story_switch(s, 1 * US, 11, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 5 * US, 0, 12, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, 10 * US, 0, 12, FXT_THREAD_NEW);
}

static void end(FIXTURE_DATA(model) *self)
{
	story_end(&self->s, 1000 * US);
}

/* 12 exits at 20 us and leaves its CPU at 30 us. */
static void die(FIXTURE_DATA(model) *self)
{
	event_exit(&self->s, 20 * US, 12, 11, 0);
	story_switch(&self->s, 30 * US, 12, 0, FXT_THREAD_DEAD);
}

TEST_F(model, ledgers_count_them)
{
	struct story *s = &self->s;

	begin(self);
	event_syscall(s, 11 * US, 13 * US, 12, 11, EVENT_READ, -11);
	event_syscall(s, 13 * US, 14 * US, 12, 11, 1000, 5);
	event_fork(s, 15 * US, 12, 11, 13);
	event_priority(s, 16 * US, 11, 11, 120, 49);
	event_ipi(s, 17 * US, 12, 11, 3, "flush_tlb_func");
	event_ipi_mask(s, 18 * US, 12, 11, 2, 6, NULL);
	event_ipi(s, 18 * US, 0, 0, 3, NULL);
	event_throttle(s, 12 * US, 19 * US, 0x100000007, 2);
	event_run_queue(s, 20 * US, 3, 17);
	event_pelt_cpu(s, 21 * US, 3, 512);
	event_pelt_thread(s, 22 * US, 12, 11, 512);
	event_exit(s, 23 * US, 12, 11, 0x100);
	story_switch(s, 30 * US, 12, 0, FXT_THREAD_DEAD);
	end(self);
	EXPECT_CLEAN();
	EXPECT_EQ(2U, sched_model_totals(self->m)->events[KERNEL_SYSCALL]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_FORK]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_PRIORITY]);
	EXPECT_EQ(3U, sched_model_totals(self->m)->events[KERNEL_IPI]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_THROTTLE]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_RUN_QUEUE]);
	EXPECT_EQ(2U, sched_model_totals(self->m)->events[KERNEL_PELT]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_EXIT]);
	ASSERT_EQ(3U, self->slice_count);
	EXPECT_STREQ("read", self->slices[0].name);
	EXPECT_EQ(12U, self->slices[0].koid);
	EXPECT_STREQ("syscall 1000", self->slices[1].name);
	EXPECT_STREQ("cgroup 4294967303", self->slices[2].name);
	EXPECT_EQ(2U, self->slices[2].cpu);
}

TEST_F(model, two_system_calls_at_once_are_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	event_syscall(s, 11 * US, 15 * US, 12, 11, EVENT_READ, 1);
	event_syscall(s, 12 * US, 16 * US, 11, 11, EVENT_READ, 1);
	where = event_syscall(s, 13 * US, 17 * US, 12, 11, EVENT_READ, 1);
	end(self);
	EXPECT_ONLY(SCHED_NESTING, where, 0);
}

/* The execve() begins as a call of another thread, and ends as one of the leader. */
TEST_F(model, execve_overlaps_the_calls_of_the_old_leader)
{
	struct story *s = &self->s;

	begin(self);
	event_syscall(s, 12 * US, 15 * US, 11, 11, EVENT_READ, 1);
	event_syscall(s, 11 * US, 20 * US, 11, 11, 59, 0);
	end(self);
	EXPECT_CLEAN();
}

TEST_F(model, system_call_after_the_exit_is_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	event_exit(s, 20 * US, 12, 11, 0);
	event_syscall(s, 12 * US, 24 * US, 12, 11, EVENT_READ, 1);
	where = event_syscall(s, 25 * US, 26 * US, 12, 11, EVENT_READ, 1);
	end(self);
	EXPECT_ONLY(SCHED_AFTER_EXIT, where, 0);
}

/* The CPU is the thread's own, and the only one, so no other thread can have created a new one. */
TEST_F(model, exit_after_it_ran_again_is_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	story_switch(s, 12 * US, 12, 0, FXT_THREAD_NEW);
	story_switch(s, 13 * US, 0, 12, FXT_THREAD_NEW);
	event_exit(s, 20 * US, 12, 11, 0);
	story_switch(s, 22 * US, 12, 0, FXT_THREAD_NEW);
	story_switch(s, 24 * US, 0, 12, FXT_THREAD_NEW);
	where = event_exit(s, 26 * US, 12, 11, 0);
	end(self);
	EXPECT_ONLY(SCHED_AFTER_EXIT, where, 0);
}

TEST_F(model, second_exit_is_a_violation)
{
	uint64_t where;

	begin(self);
	event_exit(&self->s, 20 * US, 12, 11, 0);
	where = event_exit(&self->s, 21 * US, 12, 11, 0);
	end(self);
	EXPECT_ONLY(SCHED_AFTER_EXIT, where, 0);
}

/* After its exit, a thread may still run, and even sleep. */
TEST_F(model, thread_that_has_ended_may_sleep_and_run)
{
	struct story *s = &self->s;

	begin(self);
	event_exit(s, 20 * US, 12, 11, 9);
	story_switch(s, 22 * US, 12, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 24 * US, 0, 12, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, 26 * US, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 30 * US, 12, 0, FXT_THREAD_DEAD);
	end(self);
	EXPECT_CLEAN();
}

TEST_F(model, id_of_a_thread_that_has_ended_may_be_forked_again)
{
	struct story *s = &self->s;

	begin(self);
	die(self);
	story_chunk(s, 1, 39 * US);
	story_wake(s, 39 * US, 1, 11, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, 40 * US, 0, 11, FXT_THREAD_NEW);
	event_fork(s, 41 * US, 11, 11, 12);
	story_wake(s, 42 * US, 1, 12, 11);
	story_switch(s, 43 * US, 11, 12, FXT_THREAD_NEW);
	event_syscall(s, 44 * US, 45 * US, 12, 12, EVENT_READ, 1);
	event_exit(s, 46 * US, 12, 12, 0);
	story_switch(s, 47 * US, 12, 0, FXT_THREAD_DEAD);
	end(self);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
}

/* The new leader was switched in under another id. */
TEST_F(model, execve_gives_the_id_of_the_leader_away)
{
	struct story *s = &self->s;
	size_t i;

	begin(self);
	story_switch(s, 10 * US, 12, 0, FXT_THREAD_NEW);
	story_switch(s, 11 * US, 0, 12, FXT_THREAD_NEW);
	story_chunk(s, 1, 10 * US);
	story_wake(s, 10 * US, 1, 11, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, 11 * US, 0, 11, FXT_THREAD_NEW);
	event_exit(s, 12 * US, 11, 11, 9);
	story_switch(s, 13 * US, 11, 0, FXT_THREAD_DYING);
	story_chunk(s, 0, 14 * US);
	event_syscall(s, 15 * US, 16 * US, 11, 11, EVENT_READ, 1);
	story_switch(s, 17 * US, 11, 0, FXT_THREAD_NEW);
	story_switch(s, 19 * US, 0, 11, FXT_THREAD_NEW);
	event_exit(s, 20 * US, 11, 11, 0);
	end(self);
	EXPECT_EQ(0, run(self));
	for (i = 0; i < self->found_count; i++)
		EXPECT_NE((enum sched_anomaly_kind)SCHED_AFTER_EXIT, self->found[i].kind)
			log_found(_metadata, self);
}

TEST_F(model, exit_before_a_loss_proves_nothing)
{
	struct story *s = &self->s;

	begin(self);
	event_exit(s, 20 * US, 12, 11, 0);
	story_switch(s, 22 * US, 12, 0, FXT_THREAD_NEW);
	story_lose(s, 0, 3, 40 * US);
	story_switch(s, 40 * US, 0, 12, FXT_THREAD_NEW);
	event_syscall(s, 41 * US, 42 * US, 12, 12, EVENT_READ, 1);
	end(self);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(0U, count_of(self, true))
		log_found(_metadata, self);
}

TEST_F(model, cgroup_that_is_throttled_twice_is_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	event_throttle(s, 11 * US, 20 * US, 7, 0);
	/* These slices are on another CPU, and of another cgroup on the same track. */
	event_throttle(s, 12 * US, 21 * US, 7, 1);
	event_throttle(s, 12 * US, 22 * US, 0x10007, 0);
	event_throttle(s, 20 * US, 23 * US, 7, 0);
	where = event_throttle(s, 22 * US, 24 * US, 7, 0);
	end(self);
	EXPECT_ONLY(SCHED_NESTING, where, 0);
}

TEST_F(model, counter_that_goes_back_is_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	event_quota(s, 11 * US, 7, "/one", 5, 4, 3000);
	event_quota(s, 11 * US, 8, "/two", 1, 1, 1);
	event_quota(s, 12 * US, 7, "/one", 5, 4, 3001);
	where = event_quota(s, 13 * US, 7, "/one", 6, 3, 3001);
	event_quota(s, 14 * US, 7, "/one", 6, 4, 3002);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, where, 0);
}

TEST_F(model, counter_of_a_cgroup_on_another_track_is_a_violation)
{
	struct story *s = &self->s;
	uint64_t where;

	begin(self);
	where = event_quota(s, 11 * US, 7, "/one", 5, 4, 3000);
	s->b.words[where / FXT_WORD + 3] = fxt_sched_throttle_track(7, 0);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, where, 0);
}

TEST_F(model, cgroup_has_the_name_of_its_track)
{
	struct story *s = &self->s;
	struct sched_origin *const *origins;
	size_t count;

	begin(self);
	event_cgroup(s, 7, 1, "/my cpu 3 group");
	event_throttle(s, 11 * US, 20 * US, 7, 1);
	end(self);
	EXPECT_CLEAN();
	origins = sched_model_origins(self->m, &count);
	ASSERT_EQ(1U, count);
	EXPECT_STREQ("/my cpu 3 group", origins[0]->name);
	EXPECT_EQ(7U, origins[0]->number);
}

TEST_F(model, records_that_no_producer_writes_are_violations)
{
	const struct {
		const char *what;
		__u64 rec[FXT_SCHED_EVENT_WORDS];
		uint32_t words;
	} bad[] = {
#define BAD(what, ...)								\
	{ what, { __VA_ARGS__ }, sizeof((__u64[]){ __VA_ARGS__ }) / sizeof(__u64) }
#define HEAD(words, type, args, category, name, process, thread)		\
	fxt_event(words, type, args, FXT_THREAD_REF_INLINE, category, name), 20 * US, process, thread
		BAD("syscall without ret", HEAD(5, FXT_EVENT_DURATION_COMPLETE, 0, FXT_STR_SYSCALL,
			FXT_STR_SYSCALL_FIRST + EVENT_READ, 11, 12), 20 * US),
		BAD("syscall without nr", HEAD(7, FXT_EVENT_DURATION_COMPLETE, 1, FXT_STR_SYSCALL,
			FXT_STR_SYSCALL, 11, 12), fxt_arg_int64(2, FXT_STR_RET), 0, 20 * US),
		BAD("syscall instant", HEAD(4, FXT_EVENT_INSTANT, 0, FXT_STR_SYSCALL,
			FXT_STR_SYSCALL_FIRST + EVENT_READ, 11, 12)),
		BAD("fork without child", HEAD(4, FXT_EVENT_INSTANT, 0, FXT_STR_CATEGORY,
			FXT_STR_FORK, 11, 12)),
		BAD("fork of itself", HEAD(6, FXT_EVENT_INSTANT, 1, FXT_STR_CATEGORY,
			FXT_STR_FORK, 11, 12), fxt_arg_koid(2, FXT_STR_THREAD), 12),
		BAD("exit without signal", HEAD(5, FXT_EVENT_INSTANT, 1, FXT_STR_CATEGORY,
			FXT_STR_EXIT, 11, 12), fxt_arg_uint32(1, FXT_STR_CODE, 0)),
		BAD("exit of the idle thread", HEAD(6, FXT_EVENT_INSTANT, 2, FXT_STR_CATEGORY,
			FXT_STR_EXIT, 0, 0), fxt_arg_uint32(1, FXT_STR_CODE, 0),
			fxt_arg_uint32(1, FXT_STR_SIGNAL, 0)),
		BAD("priority without value", HEAD(5, FXT_EVENT_INSTANT, 1, FXT_STR_CATEGORY,
			FXT_STR_PRIORITY, 11, 12), fxt_arg_int32(1, FXT_STR_OLDPRIO, 1)),
		BAD("ipi without targets", HEAD(4, FXT_EVENT_INSTANT, 0, FXT_STR_IPI,
			FXT_STR_IPI, 11, 12)),
		BAD("ipi with too large a mask", HEAD(7, FXT_EVENT_INSTANT, 2, FXT_STR_IPI,
			FXT_STR_IPI, 11, 12), fxt_arg_uint32(1, FXT_STR_TARGETS, 1),
			fxt_arg_uint64(2, FXT_STR_MASK), 3),
		BAD("throttle on another track", HEAD(8, FXT_EVENT_DURATION_COMPLETE, 2,
			FXT_STR_CATEGORY, FXT_STR_THROTTLED, FXT_SCHED_KOID_THROTTLE,
			fxt_sched_throttle_track(7, 1)), fxt_arg_uint64(2, FXT_STR_CGROUP), 7,
			fxt_arg_uint32(1, FXT_STR_CPU, 2), 20 * US),
		BAD("run queue of too many", HEAD(6, FXT_EVENT_COUNTER, 1, FXT_STR_CATEGORY,
			FXT_STR_RUN_QUEUE, FXT_SCHED_KOID_LOAD, FXT_SCHED_KOID_LOAD),
			fxt_arg_uint32(1, FXT_STR_RUNNABLE, (uint32_t)-1), 0),
		BAD("load without values", HEAD(6, FXT_EVENT_COUNTER, 1, FXT_STR_CATEGORY,
			FXT_STR_PELT, 11, 12), fxt_arg_uint32(1, FXT_STR_RUNNABLE, 1), 0),
	};
	uint64_t where;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		again(self);
		begin(self);
		where = event_add(&self->s, bad[i].rec, bad[i].words, 20 * US);
		end(self);
		EXPECT_ONLY(SCHED_EVENT, where, 0);
		if (!has(self, SCHED_EVENT, true, where))
			TH_LOG("%s", bad[i].what);
	}
}

TEST_HARNESS_MAIN
