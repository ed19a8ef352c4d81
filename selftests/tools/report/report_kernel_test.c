// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report: interrupts, idle states, frequencies, migrations and work items. No moment is counted
 * twice, and the time of interrupts is subtracted from that of the interrupted thread.
 */
#include "event_story.h"
#include "report_fixture.h"

/* Thread 11 runs on cpu 0 from 10 to 20 ms; cpu 1 is idle from 5 ms on. */
static void begin(FIXTURE_DATA(report) *self)
{
	STORY(&self->s, "names@1; name 11 ping; name 12 other; 1@5ms 12>0 S; 0@10ms 0>11");
}

static void end(FIXTURE_DATA(report) *self)
{
	STORY(&self->s, "20ms 11>0 S; end 25ms");
}

static int end_and_report(FIXTURE_DATA(report) *self)
{
	end(self);
	return report(self);
}

#define EXPECT_SOURCE(name_, count_, total_, longest_, most_, most_ns_)		\
	do {									\
		const struct report_origin *origin_ = origin(self, name_);	\
										\
		EXPECT_EQ((uint64_t)(count_), origin_->count);			\
		EXPECT_EQ((uint64_t)(total_), origin_->total);			\
		EXPECT_EQ((uint64_t)(longest_), origin_->longest);		\
		EXPECT_EQ((uint64_t)(most_), koid_of(origin_->most));		\
		EXPECT_EQ((uint64_t)(most_ns_), origin_->most_ns);		\
	} while (0)

TEST_F(report, run_time_is_split)
{
	struct story *s = &self->s;
	const struct report_thread *t;

	begin(self);
	STORY(s, "11ms-12ms irq 17 eth0; 12ms-13ms softirq %; 15ms-16ms timer", EVENT_NET_RX);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	t = thread(self, 11);
	EXPECT_EQ(10 * MS, t->n.run);
	EXPECT_EQ(3 * MS, t->n.stolen);
	EXPECT_EQ(2 * MS, self->r->cpus[0]->kernel.hard);
	EXPECT_EQ(1 * MS, self->r->cpus[0]->kernel.soft);
	EXPECT_SOURCE("eth0", 1, MS, MS, 11, MS);
	EXPECT_SOURCE("NET_RX", 1, MS, MS, 11, MS);
	EXPECT_SOURCE("local timer", 1, MS, MS, 11, MS);
	EXPECT_EQ(3 * MS, t->process->sum.n.stolen);
}

TEST_F(report, interrupt_inside_another_is_counted_once)
{
	begin(self);
	STORY(&self->s, "12ms-13ms irq 17 eth0; 11ms-16ms softirq %", EVENT_NET_RX);
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(5 * MS, thread(self, 11)->n.stolen);
	EXPECT_EQ(1 * MS, self->r->cpus[0]->kernel.hard);
	EXPECT_EQ(4 * MS, self->r->cpus[0]->kernel.soft);
	EXPECT_SOURCE("NET_RX", 1, 4 * MS, 4 * MS, 11, 4 * MS);
}

/* Only what is in the selected time counts; a slice counts where it ends. */
TEST_F(report, slice_that_crosses_the_selected_time_is_clipped)
{
	begin(self);
	STORY(&self->s, "11ms-14ms softirq %; 16ms-19ms softirq %", EVENT_NET_RX, EVENT_NET_RX);
	end(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 13 * MS };
	self->o.filter.to = (struct filter_limit){ .set = true, .ns = 17 * MS };
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(4 * MS, thread(self, 11)->n.run);
	EXPECT_EQ(2 * MS, thread(self, 11)->n.stolen);
	EXPECT_SOURCE("NET_RX", 1, 2 * MS, 3 * MS, 11, 2 * MS);
}

TEST_F(report, interrupts_of_other_cpus_do_not_count)
{
	begin(self);
	event_softirq(&self->s, 11 * MS, 14 * MS, EVENT_NET_RX);
	end(self);
	EXPECT_EQ(NULL, filter_add_cpus(&self->o.filter, "1"));
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->kernel.origin_count);
	EXPECT_TRUE(report_has_irqs(&self->r->kernel));
}

TEST_F(report, interrupt_of_an_idle_cpu_takes_nothing_from_a_thread)
{
	begin(self);
	end(self);
	story_restart(&self->s);
	begin(self);
	REPORT_STORY("14ms 11>0 S; 15ms-18ms softirq %; end 25ms", EVENT_NET_RX);
	EXPECT_EQ(0U, thread(self, 11)->n.stolen);
	EXPECT_SOURCE("NET_RX", 1, 3 * MS, 3 * MS, 0, 3 * MS);
}

TEST_F(report, idle_states_frequencies_and_work_items)
{
	const struct report_level *khz;

	begin(self);
	event_frequency(&self->s, 12 * MS, 0, 1000000, 0);
	STORY(&self->s, "13ms-14ms 11/11 works flush; 14ms-17ms 11/11 works flush");
	event_frequency(&self->s, 18 * MS, 0, 3000000, 0);
	event_frequency(&self->s, 18 * MS, 0, 500000, 4000000);
	REPORT_STORY("20ms 11>0 S; 20ms-22ms idle 1; end 22ms");
	EXPECT_EQ(0U, self->r->totals.violations);
	khz = &self->r->cpus[0]->levels.khz;
	/* The frequency is 1 GHz for 6 ms, then 3 GHz for 4 ms. */
	EXPECT_EQ(1000000U, khz->least);
	EXPECT_EQ(3000000U, khz->most);
	EXPECT_EQ(1800000.0, report_level_average(khz));
	EXPECT_EQ(2 * MS, self->r->cpus[0]->kernel.idle);
	EXPECT_SOURCE("state 1", 1, 2 * MS, 2 * MS, UINT64_MAX, 0);
	EXPECT_SOURCE("flush", 2, 4 * MS, 3 * MS, UINT64_MAX, 0);
	EXPECT_EQ(0U, self->r->cpus[1]->levels.khz.known);
}

TEST_F(report, migrations_are_counted_by_their_events)
{
	begin(self);
	STORY(&self->s, "12ms 12/12 moves 1>0; 13ms 12/12 moves 0>2; 14ms 12/12 moves 2>2");
	ASSERT_EQ(0, end_and_report(self));
	EXPECT_EQ(2U, thread(self, 12)->n.moves);
	EXPECT_EQ(0U, thread(self, 12)->n.migrations);
}

TEST_F(report, longest_wait_names_the_interrupt)
{
	const struct report_wait *w;

	begin(self);
	REPORT_STORY("11ms wake 12 by 11 on 0; %-13ms softirq %; 14ms-15ms irq 17 eth0; "
		     "20ms 11>12 S; end 25ms", 10 * MS + MS / 2, EVENT_NET_RX);
	ASSERT_EQ(1U, self->r->worst_count);
	w = &self->r->worst[0];
	EXPECT_EQ(9 * MS, w->latency);
	EXPECT_EQ(3 * MS, w->stolen);
	ASSERT_NE(NULL, w->thief);
	EXPECT_STREQ("NET_RX", w->thief->of->name);
	EXPECT_EQ(2 * MS, w->thief_ns);
}

TEST_F(report, old_archives_have_nothing_of_it)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, report(self));
	EXPECT_FALSE(report_has_irqs(&self->r->kernel));
	EXPECT_EQ(0U, self->r->kernel.origin_count);
	EXPECT_EQ(0U, self->r->kernel.share_count);
}
