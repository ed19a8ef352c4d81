// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls, forks, exits, priorities, interrupted CPUs, throttled cgroups and load in the
 * model. Each broken rule is a violation at its record, unless execve(), a new thread with an old
 * id, another cgroup or a loss explains it. Times are us in the stories, so that no clock step
 * hides anything.
 */
#include "event_story.h"
#include "sched/origins.h"
#include "sched_fixture.h"

#define US	1000ULL

static void begin(FIXTURE_DATA(model) *self)
{
	event_syscall_name(&self->s, EVENT_READ, "read");
	event_syscall_name(&self->s, 59, "execve");
	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; 0@1us 11>0 S; "
			"5us wake 12 by irq; 10us 0>12");
}

static void end(FIXTURE_DATA(model) *self)
{
	story_end(&self->s, 1000 * US);
}

static void die(FIXTURE_DATA(model) *self)
{
	STORY(&self->s, "20us 12/11 exits 0; 30us 12>0 Z");
}

TEST_F(model, ledgers_count_them)
{
	begin(self);
	STORY(&self->s, "11us-13us 12/11 calls % = %; 13us-14us 12/11 calls 1000 = 5; "
			"15us 12/11 forks 13", EVENT_READ, -11);
	event_priority(&self->s, 16 * US, 11, 11, 120, 49);
	event_ipi(&self->s, 17 * US, 12, 11, 3, "flush_tlb_func");
	event_ipi_mask(&self->s, 18 * US, 12, 11, 2, 6, NULL);
	event_ipi(&self->s, 18 * US, 0, 0, 3, NULL);
	STORY(&self->s, "12us-19us throttle % on 2; 20us queue 17 on 3", 0x100000007);
	event_pelt_cpu(&self->s, 21 * US, 3, 512);
	event_pelt_thread(&self->s, 22 * US, 12, 11, 512);
	STORY(&self->s, "23us 12/11 exits %; 30us 12>0 Z; end 1ms", 0x100);
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
	begin(self);
	STORY_ONLY(SCHED_NESTING, "11us-15us 12/11 calls % = 1; 12us-16us 11/11 calls % = 1; "
				  "!13us-17us 12/11 calls % = 1; end 1ms", EVENT_READ, EVENT_READ,
				  EVENT_READ);
}

/* The execve() begins as a call of another thread, and ends as one of the leader. */
TEST_F(model, execve_overlaps_the_calls_of_the_old_leader)
{
	begin(self);
	STORY(&self->s, "12us-15us 11/11 calls % = 1; 11us-20us 11/11 calls 59 = 0; end 1ms",
			EVENT_READ);
	EXPECT_CLEAN();
}

TEST_F(model, system_call_after_the_exit_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_AFTER_EXIT, "20us 12/11 exits 0; 12us-24us 12/11 calls % = 1; "
				     "!25us-26us 12/11 calls % = 1; end 1ms", EVENT_READ,
				     EVENT_READ);
}

/* The CPU is the thread's own, and the only one, so no other thread can have created a new one. */
TEST_F(model, exit_after_it_ran_again_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_AFTER_EXIT, "12us 12>0; 13us 0>12; 20us 12/11 exits 0; 22us 12>0; "
				     "24us 0>12; !26us 12/11 exits 0; end 1ms");
}

TEST_F(model, second_exit_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_AFTER_EXIT, "20us 12/11 exits 0; !21us 12/11 exits 0; end 1ms");
}

/* After its exit, a thread may still run, and even sleep. */
TEST_F(model, thread_that_has_ended_may_sleep_and_run)
{
	begin(self);
	STORY(&self->s, "20us 12/11 exits 9; 22us 12>0 S; 24us wake 12 by irq on 0; 26us 0>12; "
			"30us 12>0 Z; end 1ms");
	EXPECT_CLEAN();
}

TEST_F(model, id_of_a_thread_that_has_ended_may_be_forked_again)
{
	begin(self);
	die(self);
	STORY(&self->s, "1@39us wake 11 by irq; 40us 0>11; 41us 11/11 forks 12; "
			"42us wake 12 by 11; 43us 11>12; 44us-45us 12/12 calls % = 1; "
			"46us 12/12 exits 0; 47us 12>0 Z; end 1ms", EVENT_READ);
	EXPECT_NO_VIOLATION();
}

/* The new leader was switched in under another id. */
TEST_F(model, execve_gives_the_id_of_the_leader_away)
{
	begin(self);
	STORY(&self->s, "10us 12>0; 11us 0>12; 1@10us wake 11 by irq; 11us 0>11; "
			"12us 11/11 exits 9; 13us 11>0 X; 0@14us; 15us-16us 11/11 calls % = 1; "
			"17us 11>0; 19us 0>11; 20us 11/11 exits 0; end 1ms", EVENT_READ);
	EXPECT_EQ(0, run(self));
	for (size_t i = 0; i < self->found_count; i++)
		EXPECT_NE((enum sched_anomaly_kind)SCHED_AFTER_EXIT, self->found[i].kind)
			log_found(_metadata, self);
}

TEST_F(model, exit_before_a_loss_proves_nothing)
{
	begin(self);
	STORY(&self->s, "20us 12/11 exits 0; 22us 12>0; lose 0 3 @40us; 40us 0>12; "
			"41us-42us 12/12 calls % = 1; end 1ms", EVENT_READ);
	EXPECT_NO_VIOLATION();
}

TEST_F(model, cgroup_that_is_throttled_twice_is_a_violation)
{
	begin(self);
	event_throttle(&self->s, 11 * US, 20 * US, 7, 0);
	/* These slices are on another CPU, and of another cgroup on the same track. */
	STORY_ONLY(SCHED_NESTING, "12us-21us throttle 7 on 1; 12us-22us throttle % on 0; "
				  "20us-23us throttle 7 on 0; !22us-24us throttle 7 on 0; end 1ms",
				  0x10007);
}

TEST_F(model, counter_that_goes_back_is_a_violation)
{
	begin(self);
	event_quota(&self->s, 11 * US, 7, "/one", 5, 4, 3000);
	event_quota(&self->s, 11 * US, 8, "/two", 1, 1, 1);
	event_quota(&self->s, 12 * US, 7, "/one", 5, 4, 3001);
	self->at = event_quota(&self->s, 13 * US, 7, "/one", 6, 3, 3001);
	event_quota(&self->s, 14 * US, 7, "/one", 6, 4, 3002);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

TEST_F(model, counter_of_a_cgroup_on_another_track_is_a_violation)
{
	begin(self);
	self->at = event_quota(&self->s, 11 * US, 7, "/one", 5, 4, 3000);
	self->s.b.words[self->at / FXT_WORD + 3] = fxt_sched_throttle_track(7, 0);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

TEST_F(model, cgroup_has_the_name_of_its_track)
{
	struct sched_origin *const *origins;
	size_t count;

	begin(self);
	event_cgroup(&self->s, 7, 1, "/my cpu 3 group");
	event_throttle(&self->s, 11 * US, 20 * US, 7, 1);
	end(self);
	EXPECT_CLEAN();
	origins = sched_model_origins(self->m, &count);
	ASSERT_EQ(1U, count);
	EXPECT_STREQ("/my cpu 3 group", origins[0]->name);
	EXPECT_EQ(7U, origins[0]->number);
}

TEST_F(model, waits_for_locks)
{
	begin(self);
	event_lock(&self->s, 11 * US, 15 * US, 12, 11, FXT_LOCK_MUTEX, 0xffff800000000001, 13);
	event_lock(&self->s, 15 * US, 16 * US, 12, 11, FXT_LOCK_PERCPU_WRITE, 2, 0);
	event_lock(&self->s, 14 * US, 17 * US, 13, 13, FXT_LOCK_MUTEX, 0xffff800000000001, 12);
	end(self);
	EXPECT_CLEAN();
	ASSERT_EQ(3U, self->slice_count);
	EXPECT_STREQ("mutex", self->slices[0].name);
	EXPECT_STREQ("percpu write", self->slices[1].name);
	EXPECT_EQ(13U, self->slices[2].koid);
}

/*
 * A futex is a lock if who seems to hold it also wakes a thread through it, or if only the former
 * is known. Three others: nobody holds it, another one wakes, and one of another process seems to.
 */
TEST_F(model, futexes_that_are_locks)
{
	static const bool are_locks[] = { true, true, false, false, false, true };
	struct sched_origin *const *origins;
	size_t count, i;

	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; name 13/11 thirteen; "
			"0@1us 11>0 S; 5us wake 12 by irq; 10us 0>12");
	event_futex(&self->s, 11 * US, 12 * US, 11, 11, 0x1000, 12, 13);
	event_futex(&self->s, 12 * US, 13 * US, 11, 11, 0x1000, 12, 12);
	event_futex(&self->s, 13 * US, 14 * US, 11, 11, 0x2000, 12, 0);
	event_futex(&self->s, 14 * US, 15 * US, 11, 11, 0x3000, 0, 12);
	event_futex(&self->s, 15 * US, 16 * US, 11, 11, 0x4000, 12, 13);
	event_futex(&self->s, 16 * US, 17 * US, 11, 11, 0x5000, 4711, 4711);
	event_lock(&self->s, 17 * US, 18 * US, 11, 11, FXT_LOCK_PI_FUTEX, 0x6000, 0);
	end(self);
	EXPECT_CLEAN();
	origins = sched_model_origins(self->m, &count);
	ASSERT_EQ(6U, count);
	for (i = 0; i < count; i++)
		EXPECT_EQ(are_locks[i], sched_origin_is_lock(origins[i])) TH_LOG("%zu", i);
}

/* Thread @waker of another process ends a sleep for @futex, which it has at @its. */
static void wake_through(struct story *s, uint64_t end, uint64_t futex, uint32_t waker, uint64_t its)
{
	struct fxt_lock_wait w = {
		.lock = futex, .kind = FXT_LOCK_FUTEX, .holder = waker, .waker = waker,
		.waker_lock = its,
	};
	__u64 rec[FXT_SCHED_EVENT_WORDS];

	event_add(s, rec, fxt_sched_put_lock(rec, end - US, end, 11, 11, &w), end);
}

/*
 * Thread 12 of process 30 wakes eleven. Then process 40 gets that thread id, and has another futex
 * at the same address; if @wakes, its thread wakes eleven, too.
 */
static void reuse_waker(FIXTURE_DATA(model) *self, bool wakes)
{
	STORY(&self->s, "names@1; name 11 eleven; name 30 first; name 12/30 waker; name 40 second; "
			"0@1us 11>0 S; 5us wake 12 by irq; 10us 0>12");
	wake_through(&self->s, 12 * US, 0x1000, 12, 0x5000);
	event_futex(&self->s, 13 * US, 14 * US, 30, 30, 0x5000, 0, 0);
	STORY(&self->s, "20us 12/30 exits 0; 30us 12>0 Z; 1@39us wake 40 by irq; 40us 0>40; "
			"41us 40/40 forks 12; 42us wake 12 by 40; 43us 40>12");
	if (wakes)
		wake_through(&self->s, 45 * US, 0x1000, 12, 0x5000);
	event_futex(&self->s, 46 * US, 47 * US, 12, 40, 0x5000, 0, 0);
	STORY(&self->s, "names@48us; name 12/40 later; 1@48us; 49us 12>0 Z");
}

/* The number of places that are taken for the same futex as that of a process at an address. */
static unsigned int places_of(FIXTURE_DATA(model) *self, uint64_t process, uint64_t address)
{
	struct sched_origin *const *origins;
	size_t count, i;

	origins = sched_model_origins(self->m, &count);
	for (i = 0; i < count; i++)
		if (origins[i]->process == process && origins[i]->number == address)
			return sched_origin_first(origins[i])->places;
	return 0;
}

TEST_F(model, futex_of_a_thread_whose_id_another_process_gets)
{
	reuse_waker(self, false);
	story_end(&self->s, MS);
	ASSERT_EQ(0, run(self));
	EXPECT_EQ(2U, places_of(self, 11, 0x1000));
	EXPECT_EQ(2U, places_of(self, 30, 0x5000));
	EXPECT_EQ(1U, places_of(self, 40, 0x5000));
}

TEST_F(model, futex_of_two_threads_with_one_id)
{
	reuse_waker(self, true);
	story_end(&self->s, MS);
	ASSERT_EQ(0, run(self));
	EXPECT_EQ(3U, places_of(self, 11, 0x1000));
	EXPECT_EQ(3U, places_of(self, 30, 0x5000));
	EXPECT_EQ(3U, places_of(self, 40, 0x5000));
}

/* A third process gets the thread id, too, and its thread also wakes eleven. */
TEST_F(model, futex_of_three_threads_with_one_id)
{
	reuse_waker(self, true);
	STORY(&self->s, "1@59us wake 50 by irq; 60us 0>50; 61us 50/50 forks 12; 62us wake 12 by 50; "
			"63us 50>12");
	wake_through(&self->s, 65 * US, 0x1000, 12, 0x5000);
	STORY(&self->s, "names@68us; name 12/50 last; 1@68us; 69us 12>0 Z; end 2ms");
	ASSERT_EQ(0, run(self));
	EXPECT_EQ(4U, places_of(self, 11, 0x1000));
	EXPECT_EQ(4U, places_of(self, 40, 0x5000));
	EXPECT_EQ(4U, places_of(self, 50, 0x5000));
}

/* Thread 12 of process 30 waits for a futex when the trigger fires. Process 40 then gets its id. */
TEST_F(model, futex_of_a_trigger_whose_thread_id_another_process_gets)
{
	struct sched_trigger t;

	reuse_waker(self, false);
	story_end(&self->s, MS);
	story_trigger_lock(&self->s, 16 * US, 12, US, "futex", 0x5000, 11);
	ASSERT_EQ(0, run(self));
	ASSERT_TRUE(sched_model_trigger(self->m, &t));
	ASSERT_NE(NULL, t.lock);
	EXPECT_EQ(30U, t.lock->process);
	EXPECT_EQ(0x5000U, t.lock->number);
}

/* Futexes are not counted with locks of the kernel, and leave room for origins of other kinds. */
TEST(origins_beyond_the_limit)
{
	const struct fxt_text futex = { .bytes = "futex", .length = 5 };
	const struct fxt_text mutex = { .bytes = "mutex", .length = 5 };
	struct sched_origin *origin = NULL, *lock;
	struct sched_origins s = { 0 };
	uint64_t i;

	for (i = 0; i < SCHED_ORIGINS; i++)
		origin = sched_origin_get_futex(&s, 11, i, &futex);
	lock = sched_origin_get(&s, KERNEL_LOCK, i, &mutex);
	EXPECT_STREQ("(others)", origin->name);
	EXPECT_STREQ("(others)", lock->name);
	EXPECT_TRUE(origin->is_futex);
	EXPECT_FALSE(lock->is_futex);
	origin = sched_origin_get(&s, KERNEL_WORK, 0, &mutex);
	EXPECT_STREQ("mutex", origin->name);
	sched_origins_free(&s);
}

TEST_F(model, two_waits_for_locks_at_once_are_a_violation)
{
	begin(self);
	event_lock(&self->s, 11 * US, 15 * US, 12, 11, FXT_LOCK_MUTEX, 1, 0);
	self->at = event_lock(&self->s, 13 * US, 16 * US, 12, 11, FXT_LOCK_MUTEX, 2, 0);
	end(self);
	EXPECT_ONLY(SCHED_NESTING, self->at, 0);
}

TEST_F(model, reclaim_inside_reclaim_is_a_violation)
{
	begin(self);
	event_memory(&self->s, 11 * US, 15 * US, 12, 11, FXT_STR_CGROUP_RECLAIM, 32);
	event_memory(&self->s, 13 * US, 16 * US, 13, 11, FXT_STR_DIRECT_RECLAIM, 0);
	self->at = event_memory(&self->s, 14 * US, 17 * US, 12, 11, FXT_STR_COMPACTION, 0);
	end(self);
	EXPECT_ONLY(SCHED_NESTING, self->at, 0);
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
		BAD("lock without address", HEAD(5, FXT_EVENT_DURATION_COMPLETE, 0, FXT_STR_LOCK,
			FXT_STR_CATEGORY, 11, 12), 20 * US),
		BAD("lock of no kind", HEAD(7, FXT_EVENT_DURATION_COMPLETE, 1, FXT_STR_LOCK,
			0, 11, 12), fxt_arg_uint64(2, FXT_STR_LOCK), 1, 20 * US),
		BAD("lock that the thread holds", HEAD(9, FXT_EVENT_DURATION_COMPLETE, 2,
			FXT_STR_LOCK, FXT_STR_CATEGORY, 11, 12), fxt_arg_uint64(2, FXT_STR_LOCK), 1,
			fxt_arg_koid(2, FXT_STR_HOLDER), 12, 20 * US),
		BAD("lock of no waker", HEAD(10, FXT_EVENT_DURATION_COMPLETE, 2,
			FXT_STR_LOCK, fxt_string_ref_inline(5), 11, 12),
			0x7865747566, fxt_arg_uint64(2, FXT_STR_LOCK), 1,
			fxt_arg_koid(2, FXT_STR_WAKER), FXT_SCHED_KOID_IRQ, 20 * US),
		BAD("lock of no holder", HEAD(9, FXT_EVENT_DURATION_COMPLETE, 2,
			FXT_STR_LOCK, FXT_STR_CATEGORY, 11, 12), fxt_arg_uint64(2, FXT_STR_LOCK), 1,
			fxt_arg_koid(2, FXT_STR_HOLDER), FXT_SCHED_KOID_IRQ, 20 * US),
		BAD("reclaim without its pages", HEAD(5, FXT_EVENT_DURATION_COMPLETE, 0,
			FXT_STR_MEMORY, FXT_STR_CGROUP_RECLAIM, 11, 12), 20 * US),
		BAD("memory of no kind", HEAD(7, FXT_EVENT_DURATION_COMPLETE, 1, FXT_STR_MEMORY,
			FXT_STR_PAGES, 11, 12), fxt_arg_uint64(2, FXT_STR_PAGES), 1, 20 * US),
		BAD("compaction that is an instant", HEAD(4, FXT_EVENT_INSTANT, 0, FXT_STR_MEMORY,
			FXT_STR_COMPACTION, 11, 12)),
		BAD("compaction by an idle thread", HEAD(5, FXT_EVENT_DURATION_COMPLETE, 0,
			FXT_STR_MEMORY, FXT_STR_COMPACTION, 0, 0), 20 * US),
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
		BAD("steal without its value", HEAD(5, FXT_EVENT_COUNTER, 0, FXT_STR_CATEGORY,
			FXT_STR_STEAL, FXT_SCHED_KOID_STEAL, FXT_SCHED_KOID_STEAL), 0),
		BAD("steal of a thread", HEAD(7, FXT_EVENT_COUNTER, 1, FXT_STR_CATEGORY,
			FXT_STR_STEAL, 11, 12), fxt_arg_uint64(2, FXT_STR_NS), 1, 0),
		BAD("timer that is a slice", HEAD(5, FXT_EVENT_DURATION_COMPLETE, 0, FXT_STR_TIMER,
			FXT_STR_CATEGORY, 11, 12), 20 * US),
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
