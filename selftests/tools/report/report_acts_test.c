// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls, ends of threads, inherited priorities, throttled cgroups, interrupts between CPUs,
 * run queues and loads in fxt report: time in which several CPUs throttle a cgroup counts once;
 * values of CPUs are weighted by time; only selected threads and CPUs count.
 */
#include "event_story.h"
#include "report_fixture.h"

enum { GROUP = 4711 };	/* id of a cgroup */

/* On cpu 0, 11 runs from 10 to 20 ms; on cpu 1, 12 runs from 10 ms on. */
static void begin(FIXTURE_DATA(report) *self)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_syscall_name(&self->s, EVENT_READ, "read");
	STORY(&self->s, "name 11 server; name 12 other");
	event_cgroup(&self->s, GROUP, 0, "/build");
	event_cgroup(&self->s, GROUP, 1, "/build");
	STORY(&self->s, "1@10ms 0>12; 0@10ms 0>11");
}

static void end(FIXTURE_DATA(report) *self)
{
	story_wake(&self->s, 110 * MS, 0, 11, fxt_sched_waker(12, FXT_SCHED_IRQ_HARD));
	story_end(&self->s, 110 * MS);
}

static int end_and_report(FIXTURE_DATA(report) *self)
{
	end(self);
	return report(self);
}

#define EXPECT_CALL(call_, count_, errors_, total_, longest_, time_)		\
	do {									\
		const struct report_call *c_ = (call_);				\
										\
		EXPECT_EQ((uint64_t)(count_), c_->count);			\
		EXPECT_EQ((uint64_t)(errors_), c_->errors);			\
		EXPECT_EQ((uint64_t)(total_), c_->total);			\
		EXPECT_EQ((uint64_t)(longest_), c_->longest);			\
		EXPECT_EQ((uint64_t)(time_), c_->longest_time);			\
	} while (0)

static void tell_calls(FIXTURE_DATA(report) *self)
{
	begin(self);
	STORY(&self->s, "11ms-12ms 11/11 calls % = 100; 13ms-16ms 11/11 calls % = %; "
			"16ms-22ms 11/11 calls 9999 = 0; 23ms-24ms 12/12 calls % = 0; "
			"25ms-28ms 12/12 calls % = %", EVENT_READ, EVENT_READ, -EAGAIN, EVENT_READ,
			EVENT_READ, -4096);
	end(self);
}

TEST_F(report, system_calls_by_name_and_thread)
{
	const struct report_thread *t;
	const struct report_origin *all;

	tell_calls(self);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	all = origin(self, "read");
	EXPECT_EQ(4U, all->count);
	EXPECT_EQ(1U, all->errors);
	EXPECT_EQ(8 * MS, all->total);
	EXPECT_EQ(3 * MS, all->longest);
	EXPECT_EQ(16 * MS, all->longest_time);
	EXPECT_EQ(0, all->longest_cpu);
	EXPECT_EQ(1U, origin(self, "syscall 9999")->count);
	t = thread(self, 11);
	EXPECT_EQ(3U, t->n.calls);
	EXPECT_EQ(1U, t->n.failed_calls);
	EXPECT_EQ(10 * MS, t->n.in_calls);
	/* Calls with most time come first. */
	ASSERT_EQ(2U, t->calls.count);
	EXPECT_STREQ("syscall 9999", t->calls.list[0].of->name);
	EXPECT_CALL(&t->calls.list[0], 1, 0, 6 * MS, 6 * MS, 22 * MS);
	EXPECT_CALL(&t->calls.list[1], 2, 1, 4 * MS, 3 * MS, 16 * MS);
	ASSERT_EQ(1U, thread(self, 12)->calls.count);
	EXPECT_CALL(&thread(self, 12)->calls.list[0], 2, 0, 4 * MS, 3 * MS, 28 * MS);
}

TEST_F(report, system_calls_of_a_process_are_those_of_its_threads)
{
	const struct report_process *p;

	STORY(&self->s, "names@1; name 13/11 helper");
	begin(self);
	STORY(&self->s, "11ms-12ms 11/11 calls % = 100; 13ms-18ms 13/11 calls % = %; "
			"18ms-19ms 13/11 calls 9999 = 0", EVENT_READ, EVENT_READ, -EAGAIN);
	ASSERT_EQ(0, end_and_report(self));
	p = thread(self, 11)->process;
	EXPECT_EQ(3U, p->sum.n.calls);
	EXPECT_EQ(1U, p->sum.n.failed_calls);
	ASSERT_EQ(2U, p->sum.calls.count);
	EXPECT_STREQ("read", p->sum.calls.list[0].of->name);
	EXPECT_CALL(&p->sum.calls.list[0], 2, 1, 6 * MS, 5 * MS, 18 * MS);
	EXPECT_CALL(&p->sum.calls.list[1], 1, 0, 1 * MS, 1 * MS, 19 * MS);
}

TEST_F(report, system_calls_are_those_of_the_threads_shown)
{
	tell_calls(self);
	ASSERT_EQ(NULL, filter_add_ids(&self->o.filter.pids, "12"));
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(2U, origin(self, "read")->count);
	EXPECT_EQ(4 * MS, origin(self, "read")->total);
	EXPECT_EQ(28 * MS, origin(self, "read")->longest_time);
	EXPECT_EQ(0U, origin(self, "syscall 9999")->count);
}

/* A call counts where it returns; its time is clipped. */
TEST_F(report, system_calls_of_the_selected_time)
{
	tell_calls(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 15 * MS };
	self->o.filter.to = (struct filter_limit){ .set = true, .ns = 26 * MS };
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(2U, origin(self, "read")->count);
	EXPECT_EQ(1U, origin(self, "read")->errors);
	EXPECT_EQ(3 * MS, origin(self, "read")->total);
	EXPECT_EQ(3 * MS, origin(self, "read")->longest);
}

/*
 * The cgroup is throttled from 20 to 40 ms (cpu 0: 20-30, cpu 1: 25-40) and from 50 to 60 ms (cpu
 * 0, and cpu 1 within that: 52-58).
 */
TEST_F(report, time_on_several_cpus_counts_once)
{
	const struct report_origin *s;

	begin(self);
	STORY(&self->s, "20ms-30ms throttle % on 0; 50ms-60ms throttle % on 0; "
			"1@40ms; 25ms-40ms throttle %; 52ms-58ms throttle %", GROUP, GROUP, GROUP,
			GROUP);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	s = origin(self, "/build");
	EXPECT_EQ(4U, s->count);
	EXPECT_EQ(41 * MS, s->total);
	EXPECT_EQ(15 * MS, s->longest);
	ASSERT_NE(NULL, s->throttled);
	EXPECT_EQ(2U, s->throttled->periods);
	EXPECT_EQ(30 * MS, s->throttled->ns);
}

/* The last slice began before the two that ended before it. */
TEST_F(report, slice_around_others_is_one_period)
{
	const struct report_origin *s;

	begin(self);
	STORY(&self->s, "20ms-30ms throttle % on 0; 50ms-60ms throttle % on 0; "
			"1@61ms; 15ms-61ms throttle %", GROUP, GROUP, GROUP);
	ASSERT_EQ(0, end_and_report(self));
	s = origin(self, "/build");
	ASSERT_NE(NULL, s->throttled);
	EXPECT_EQ(1U, s->throttled->periods);
	EXPECT_EQ(46 * MS, s->throttled->ns);
}

TEST_F(report, many_periods)
{
	const struct report_origin *s;

	begin(self);
	for (uint64_t at = 20 * MS; at < 100 * MS; at += MS)
		event_throttle(&self->s, at, at + MS / 2, GROUP, 0);
	end(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 30 * MS + MS / 4 };
	ASSERT_EQ(0, report(self));
	s = origin(self, "/build");
	ASSERT_NE(NULL, s->throttled);
	EXPECT_EQ(70U, s->throttled->periods);
	EXPECT_EQ(35 * MS - MS / 4, s->throttled->ns);
}

TEST_F(report, quota_counts_from_the_first_value_on)
{
	const struct report_quota *q;

	begin(self);
	event_quota(&self->s, 11 * MS, 7, "/one", 100, 50, 9000);
	event_quota(&self->s, 11 * MS, 8, "/two", 5, 0, 0);
	event_quota(&self->s, 30 * MS, 7, "/one", 110, 53, 9500);
	event_quota(&self->s, 40 * MS, 8, "/two", 9, 2, 700);
	event_quota(&self->s, 60 * MS, 7, "/one", 112, 55, 9600);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	ASSERT_EQ(2U, self->r->kernel.quota_count);
	q = self->r->kernel.quotas;
	EXPECT_STREQ("/two", q[0].path);
	EXPECT_EQ(8U, q[0].cgroup);
	EXPECT_EQ(4U, q[0].counts[0]);
	EXPECT_EQ(2U, q[0].counts[1]);
	EXPECT_EQ(700U, q[0].counts[2]);
	EXPECT_STREQ("/one", q[1].path);
	EXPECT_EQ(12U, q[1].counts[0]);
	EXPECT_EQ(5U, q[1].counts[1]);
	EXPECT_EQ(600U, q[1].counts[2]);
}

TEST_F(report, quota_counts_in_the_selected_time)
{
	const struct report_quota *q;

	begin(self);
	event_quota(&self->s, 11 * MS, 7, "/one", 100, 50, 9000);
	event_quota(&self->s, 30 * MS, 7, "/one", 110, 53, 9500);
	event_quota(&self->s, 50 * MS, 7, "/one", 111, 54, 9510);
	event_quota(&self->s, 60 * MS, 7, "/one", 112, 55, 9600);
	end(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 30 * MS + 1 };
	self->o.filter.to = (struct filter_limit){ .set = true, .ns = 50 * MS };
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->kernel.quota_count);
	q = self->r->kernel.quotas;
	EXPECT_EQ(1U, q->counts[0]);
	EXPECT_EQ(1U, q->counts[1]);
	EXPECT_EQ(10U, q->counts[2]);
}

#define EXPECT_IPI(i_, name_, from_, to_, count_)				\
	do {									\
		const struct report_ipi *ipi_ = &self->r->kernel.ipis[i_];	\
										\
		ASSERT_LT((size_t)(i_), self->r->kernel.ipi_count);		\
		EXPECT_STREQ(name_, ipi_->of->name);				\
		EXPECT_EQ(from_, ipi_->from);					\
		EXPECT_EQ(to_, ipi_->to);					\
		EXPECT_EQ((uint64_t)(count_), ipi_->count);			\
	} while (0)

TEST_F(report, interrupted_cpus)
{
	begin(self);
	event_ipi(&self->s, 11 * MS, 11, 11, 1, NULL);
	event_ipi(&self->s, 12 * MS, 11, 11, 1, NULL);
	event_ipi(&self->s, 13 * MS, 11, 11, 1, NULL);
	event_ipi(&self->s, 14 * MS, 11, 11, 1, "flush");
	/* This interrupts cpus 1 and 3, and three cpus from 64 on. */
	event_ipi_mask(&self->s, 15 * MS, 11, 11, 5, 0xa, "flush");
	story_chunk(&self->s, 1, 16 * MS);
	event_ipi(&self->s, 16 * MS, 12, 12, 0, NULL);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	ASSERT_EQ(5U, self->r->kernel.ipi_count);
	EXPECT_IPI(0, "(reschedule, irq work)", 0, 1, 3);
	EXPECT_IPI(1, "flush", 0, REPORT_NO_CPU, 3);
	EXPECT_IPI(2, "flush", 0, 1, 2);
	EXPECT_IPI(3, "flush", 0, 3, 1);
	EXPECT_IPI(4, "(reschedule, irq work)", 1, 0, 1);
	EXPECT_EQ(9U, thread(self, 11)->n.ipis);
	EXPECT_EQ(1U, thread(self, 12)->n.ipis);
	ASSERT_EQ(NULL, filter_add_cpus(&self->o.filter, "1"));
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->kernel.ipi_count);
	EXPECT_IPI(0, "(reschedule, irq work)", 1, 0, 1);
}

TEST_F(report, forks_and_ends)
{
	const struct report_origin *failed;

	begin(self);
	STORY(&self->s, "11ms 11/11 forks 13; 12ms 11/11 forks 14; 13ms 11/11 exits 0; "
			"1@14ms 12/12 exits %", 3 << 8);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(2U, thread(self, 11)->n.forks);
	EXPECT_EQ(2U, self->r->kernel.exits);
	EXPECT_EQ(1U, self->r->kernel.failed_exits);
	failed = origin(self, "other");
	EXPECT_EQ(1U, failed->count);
	ASSERT_NE(NULL, failed->of);
	EXPECT_EQ(3U, sched_exit_code(failed->of->number));
	EXPECT_EQ(0U, sched_exit_signal(failed->of->number));
}

TEST_F(report, priorities_that_threads_inherited)
{
	const struct report_kernel *k;

	begin(self);
	event_priority(&self->s, 11 * MS, 12, 12, 120, 90);
	event_priority(&self->s, 12 * MS, 12, 12, 90, 120);
	event_priority(&self->s, 13 * MS, 11, 11, 120, 98);
	event_priority(&self->s, 14 * MS, 11, 11, 98, -1);
	event_priority(&self->s, 15 * MS, 11, 11, -1, 120);
	ASSERT_EQ(0, end_and_report(self));
	k = &self->r->kernel;
	ASSERT_EQ(2U, k->inherited_count);
	EXPECT_EQ(thread(self, 11), k->inherited[0]->thread);
	EXPECT_EQ(2U, k->inherited[0]->count);
	EXPECT_EQ(120, k->inherited[0]->own);
	EXPECT_EQ(-1, k->inherited[0]->best);
	EXPECT_EQ(thread(self, 12), k->inherited[1]->thread);
	EXPECT_EQ(1U, k->inherited[1]->count);
	EXPECT_EQ(120, k->inherited[1]->own);
	EXPECT_EQ(90, k->inherited[1]->best);
}

TEST_F(report, priorities_of_the_selected_time)
{
	begin(self);
	event_priority(&self->s, 11 * MS, 11, 11, 120, 98);
	event_priority(&self->s, 15 * MS, 11, 11, 98, 120);
	end(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 12 * MS };
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->kernel.inherited_count);
}

TEST_F(report, run_queues_by_time)
{
	const struct report_level *queue, *util;

	begin(self);
	STORY(&self->s, "10ms queue 1 on 0; 60ms queue 3 on 0");
	event_pelt_cpu(&self->s, 60 * MS, 0, 1024);
	event_run_queue(&self->s, 80 * MS, 0, 0);
	event_pelt_cpu(&self->s, 85 * MS, 0, 512);
	event_pelt_thread(&self->s, 90 * MS, 11, 11, 77);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	/* The queue has 1 thread for 50 ms, 3 for 20 ms, and none for 30 ms. */
	queue = &self->r->cpus[0]->levels.queue;
	EXPECT_EQ(100 * MS, queue->known);
	EXPECT_EQ(1.1, report_level_average(queue));
	EXPECT_EQ(3U, queue->most);
	EXPECT_EQ(20 * MS, queue->above);
	util = &self->r->cpus[0]->levels.util;
	EXPECT_EQ(50 * MS, util->known);
	EXPECT_EQ(768.0, report_level_average(util));
	EXPECT_EQ(0U, self->r->cpus[1]->levels.queue.known);
}

TEST_F(report, run_queue_is_unknown_after_a_loss)
{
	begin(self);
	STORY(&self->s, "10ms queue 2 on 0; 20ms queue 2 on 0; lose 0 7 @60ms; 100ms queue 1");
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(20 * MS, self->r->cpus[0]->levels.queue.known);
	EXPECT_EQ(10 * MS, self->r->cpus[0]->levels.queue.above);
}
