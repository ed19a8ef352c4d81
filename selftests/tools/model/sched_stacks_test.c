// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call stacks in the model: a stack with the time and thread of the switch-in before it belongs to
 * that, any other stack to the waker; equal stacks are stored once.
 */
#include "event_story.h"
#include "sched_fixture.h"

#define US	1000ULL

static const uint64_t in_read[] = { 0xffffffff81000010, 0xffffffff81000020 };
static const uint64_t in_wake[] = { 0xffffffff81000030 };

/* On cpu 0, 12 sleeps from 10 us on, 11 wakes it at 20 us, and it runs from 30 us on. */
static void begin(FIXTURE_DATA(model) *self)
{
	STORY(&self->s, "threads; 0@1us 0>12; 10us 12>11 S");
}

static void end(FIXTURE_DATA(model) *self)
{
	story_end(&self->s, 1000 * US);
}

TEST_F(model, ledgers_count_stacks)
{
	begin(self);
	event_stack(&self->s, 19 * US, 12, 11, in_wake, 1);
	STORY(&self->s, "20us wake 12 by 11 on 0; 30us 11>12");
	event_stack(&self->s, 30 * US, 12, 11, in_read, 2);
	story_switch(&self->s, 31 * US, 12, 11, FXT_THREAD_NEW);
	event_stack(&self->s, 31 * US, 11, 11, in_read, 0);
	end(self);
	EXPECT_CLEAN();
	EXPECT_EQ(3U, sched_model_totals(self->m)->events[KERNEL_STACK]);
	ASSERT_EQ(3U, self->stack_count);
	EXPECT_FALSE(self->stacks[0].is_in);
	EXPECT_EQ(12U, self->stacks[0].koid);
	EXPECT_EQ(in_wake[0], self->stacks[0].first);
	EXPECT_TRUE(self->stacks[1].is_in);
	EXPECT_EQ(12U, self->stacks[1].koid);
	EXPECT_EQ(30 * US, self->stacks[1].time);
	EXPECT_EQ(2U, self->stacks[1].count);
	EXPECT_TRUE(self->stacks[2].is_in);
	EXPECT_EQ(0U, self->stacks[2].count);
}

TEST_F(model, same_stack_is_kept_once)
{
	begin(self);
	event_stack(&self->s, 11 * US, 12, 11, in_wake, 1);
	event_stack(&self->s, 12 * US, 13, 11, in_wake, 1);
	event_stack(&self->s, 13 * US, 14, 11, in_read, 2);
	end(self);
	EXPECT_CLEAN();
	ASSERT_EQ(3U, self->stack_count);
	EXPECT_EQ(self->stacks[0].stack, self->stacks[1].stack);
	EXPECT_NE(self->stacks[0].stack, self->stacks[2].stack);
}

/* The stack is at the time of the switch, but not of the thread that is switched in. */
TEST_F(model, stack_of_another_thread_is_of_its_waker)
{
	begin(self);
	event_stack(&self->s, 10 * US, 12, 11, in_wake, 1);
	end(self);
	EXPECT_CLEAN();
	ASSERT_EQ(1U, self->stack_count);
	EXPECT_FALSE(self->stacks[0].is_in);
}

TEST_F(model, stack_of_the_idle_thread_is_a_violation)
{
	begin(self);
	self->at = event_stack(&self->s, 11 * US, 0, 0, in_read, 2);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

/* Other producers write backtraces of their own, outside the streams. */
TEST_F(model, stacks_outside_streams_are_left_alone)
{
	begin(self);
	end(self);
	event_stack(&self->s, 11 * US, 12, 11, in_read, 2);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, self->stack_count);
}

/* It runs on cpu 0 from 30 us on. */
TEST_F(model, sample_is_of_the_thread_that_runs)
{
	begin(self);
	STORY(&self->s, "20us wake 12 by 11 on 0; 30us 11>12");
	event_sample(&self->s, 31 * US, 12, 11, in_read, 2);
	end(self);
	EXPECT_CLEAN();
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_SAMPLE]);
	EXPECT_EQ(0U, sched_model_totals(self->m)->events[KERNEL_STACK]);
}

TEST_F(model, sample_of_another_thread)
{
	begin(self);
	STORY(&self->s, "20us wake 12 by 11 on 0; 30us 11>12; 40us 12>11");
	self->at = event_sample(&self->s, 41 * US, 12, 11, in_read, 2);
	end(self);
	EXPECT_NOTE(SCHED_STACK, self->at);
}
