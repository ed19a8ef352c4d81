// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts, idle states, migrations, frequencies and work items in the model: each broken rule is
 * a violation at its record; there are no violations while it is unknown what ran; the pieces of
 * interrupts never overlap. Times are us in the stories, so that no clock step hides anything.
 */
#include "event_story.h"
#include "sched_fixture.h"

#define US	1000ULL

/* On cpu 0, 11 runs from 10 us on. */
static void begin(FIXTURE_DATA(model) *self)
{
	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve");
	event_tracks(&self->s, 0);
	STORY(&self->s, "0@1us 11>0 S; 5us wake 11 by irq; 10us 0>11");
}

static void end(FIXTURE_DATA(model) *self)
{
	story_end(&self->s, 1000 * US);
}

#define EXPECT_PIECE(list, i, name_, from_, to_, own_, koid_)			\
	do {									\
		const struct pieced *p_ = &self->list##s[i];			\
										\
		ASSERT_LT((size_t)(i), self->list##_count);			\
		EXPECT_STREQ(name_, p_->name);					\
		EXPECT_EQ((from_) * US, p_->from);				\
		EXPECT_EQ((to_) * US, p_->to);					\
		EXPECT_EQ((own_) * US, p_->own);				\
		EXPECT_EQ((uint64_t)(koid_), p_->koid);				\
	} while (0)

TEST_F(model, ledgers_count_events_at_their_ends)
{
	begin(self);
	event_softirq(&self->s, 11 * US, 15 * US, EVENT_NET_RX);
	event_frequency(&self->s, 16 * US, 3, 2000000, 0);
	event_frequency(&self->s, 16 * US, 3, 1000000, 3000000);
	event_work(&self->s, 17 * US, 19 * US, 11, 11, "flush");
	event_custom(&self->s, 19 * US, 11, 11, "signal_generate");
	/* The time of the ledger is the end of the first record. */
	STORY(&self->s, "0@25us; 20us-25us irq 17 eth0; 26us 12/11 moves 1>0; 30us 11>0 S");
	event_idle_miss(&self->s, 31 * US, 1, true);
	STORY(&self->s, "31us-40us idle 1; 32us-40us timer; end 1ms");
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1U, self->found_count) log_found(_metadata, self);
	/* Only the vector is wrong that ends with the idle state, but is not inside it. */
	EXPECT_EQ((enum sched_anomaly_kind)SCHED_NESTING, self->found[0].kind);
	EXPECT_EQ(14U, sched_model_totals(self->m)->written - 3);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_IRQ]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_VECTOR]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_SOFTIRQ]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_IDLE]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_IDLE_MISS]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_WORK]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_MIGRATE]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_FREQUENCY]);
	EXPECT_EQ(1U, sched_model_totals(self->m)->events[KERNEL_LIMITS]);
}

TEST_F(model, event_that_is_missing_breaks_the_ledger)
{
	begin(self);
	event_softirq(&self->s, 11 * US, 15 * US, EVENT_NET_RX);
	self->s.streams[0].written++;
	self->at = story_end(&self->s, 100 * US) - FXT_LEDGER_WORDS * 8;
	EXPECT_ONLY(SCHED_LEDGER, self->at, 0);
}

TEST_F(model, slice_counts_at_its_end_only)
{
	begin(self);
	event_softirq(&self->s, 11 * US, 15 * US, EVENT_NET_RX);
	self->s.streams[0].last = 11 * US;	/* its beginning */
	self->at = story_end(&self->s, 100 * US) - FXT_LEDGER_WORDS * 8;
	EXPECT_ONLY(SCHED_LEDGER, self->at, 0);
}

TEST_F(model, records_of_the_collector_and_of_others_are_no_events)
{
	struct story *s = &self->s;

	begin(self);
	story_counter(s, 11 * US, 0, 1, 1);
	story_instant(s, 12 * US, 11, 11, FXT_STR_RENAME);
	story_switch(s, 20 * US, 11, 0, FXT_THREAD_BLOCKED);
	end(self);
	/* Another provider's slice of the same category and track. */
	BUILD(&s->b, fxt_provider_info(7, 1), 'x', fxt_string(1, 3), 0x717269 /* irq */);
	BUILD(&s->b, fxt_event(5, FXT_EVENT_DURATION_COMPLETE, 0, FXT_THREAD_REF_INLINE, 1, 1),
	      5, FXT_SCHED_KOID_IRQ, FXT_SCHED_KOID_IRQ + 1, 6);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->events[KERNEL_VECTOR]);
}

TEST_F(model, interrupt_inside_another_is_not_counted_twice)
{
	begin(self);
	STORY(&self->s, "20us-22us irq 17 eth0; 34us-35us timer");
	event_vector(&self->s, 37 * US, 39 * US, FXT_STR_VECTOR_RESCHEDULE);
	STORY(&self->s, "30us-40us softirq %; 40us-41us softirq %; 50us 11>0 S; end 1ms",
			EVENT_NET_RX, EVENT_TIMER);
	EXPECT_CLEAN();
	ASSERT_EQ(7U, self->piece_count);
	EXPECT_PIECE(piece, 0, "eth0", 20, 22, 2, 11);
	EXPECT_PIECE(piece, 1, "local timer", 34, 35, 1, 11);
	EXPECT_PIECE(piece, 2, "reschedule", 37, 39, 2, 11);
	EXPECT_PIECE(piece, 3, "NET_RX", 39, 40, 1, 11);
	EXPECT_PIECE(piece, 4, "NET_RX", 35, 37, 3, 11);
	EXPECT_PIECE(piece, 5, "NET_RX", 30, 34, 7, 11);
	EXPECT_PIECE(slice, 3, "NET_RX", 30, 40, 7, 11);
	EXPECT_PIECE(piece, 6, "TIMER", 40, 41, 1, 11);
}

/* In a real-time kernel, threads can preempt soft interrupts. */
TEST_F(model, soft_interrupt_that_is_preempted_has_only_its_threads_time)
{
	begin(self);
	STORY(&self->s, "12us-13us irq 17 eth0; 23us wake 12 by 11 on 0; 24us 11>12; 27us 12>11 S; "
			"20us-30us softirq %; 50us 11>0 S; end 1ms", EVENT_NET_RX);
	EXPECT_CLEAN();
	ASSERT_EQ(3U, self->piece_count);
	EXPECT_PIECE(piece, 1, "NET_RX", 27, 30, 3, 11);
	EXPECT_PIECE(piece, 2, "NET_RX", 20, 24, 7, 11);
	EXPECT_PIECE(slice, 1, "NET_RX", 20, 30, 7, 11);
}

TEST_F(model, interrupt_after_a_loss_hits_an_unknown_thread)
{
	begin(self);
	STORY(&self->s, "lose 0 3 @30us; 25us-30us softirq %; 30us-40us idle 1; end 1ms",
			EVENT_NET_RX);
	EXPECT_NO_VIOLATION();
	EXPECT_PIECE(piece, 0, "NET_RX", 25, 30, 5, UINT64_MAX);
}

TEST_F(model, overlap_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_NESTING, "20us-30us softirq %; !25us-35us irq 17 eth0; end 1ms",
				  EVENT_NET_RX);
}

TEST_F(model, soft_interrupt_inside_an_interrupt_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_NESTING, "22us-25us softirq %; !20us-30us irq 17 eth0; end 1ms",
				  EVENT_NET_RX);
}

TEST_F(model, soft_interrupt_inside_a_soft_interrupt_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_NESTING, "22us-25us softirq %; !20us-30us softirq %; end 1ms",
				  EVENT_NET_RX, EVENT_TIMER);
}

/* The thread that serves the soft interrupt sleeps meanwhile. */
static void tell_sleep_inside(FIXTURE_DATA(model) *self, const char *later)
{
	begin(self);
	self->at = STORY(&self->s, "22us 11>0 S; 23us-25us idle 1; 26us wake 11 by irq; 27us 0>11; "
			 "!20us-30us softirq %; 40us 11>0 S", EVENT_TIMER);
	STORY(&self->s, later);
	end(self);
}

TEST_F(model, idle_state_inside_a_soft_interrupt_is_a_violation)
{
	tell_sleep_inside(self, "");
	EXPECT_ONLY(SCHED_NESTING, self->at, 0);
}

TEST_F(model, idle_state_inside_a_soft_interrupt_of_preempt_rt)
{
	STORY(&self->s, "names@1; name 17 ktimers/0");
	tell_sleep_inside(self, "");
	EXPECT_NO_VIOLATION();
}

TEST_F(model, idle_state_inside_a_soft_interrupt_of_preempt_rt_that_is_named_later)
{
	STORY(&self->s, "names@1; 55us 17/2 begins ktimers/0");
	tell_sleep_inside(self, "56us wake 17 by irq; 60us 0>17; 70us 17>0 S");
	EXPECT_NO_VIOLATION();
}

TEST_F(model, two_work_items_of_a_thread_at_once_are_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_NESTING, "22us-25us 11/11 works inner; !20us-30us 11/11 works outer; "
				  "end 1ms");
}

TEST_F(model, switch_inside_a_hard_interrupt_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_SWITCH_IN_IRQ, "20us wake 12 by 11 on 0; !24us 11>12; "
					"22us-30us irq 17 eth0; end 1ms");
}

/* The thread of a mark had the CPU before the recording. */
TEST_F(model, recording_may_begin_inside_an_interrupt)
{
	story_begin(&self->s);
	STORY(&self->s, "threads; opening 0 @10us; 10us begin 11; 0@12us; 8us-12us irq 17 eth0; "
			"end 1ms");
	EXPECT_CLEAN();
}

TEST_F(model, idle_state_while_a_thread_runs_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_BUSY_IDLE, "15us 11>0; 17us 0>11; !18us-20us idle 0; end 1ms");
}

TEST_F(model, idle_state_that_began_before_the_idle_thread_ran_is_a_violation)
{
	begin(self);
	STORY_ONLY(SCHED_BUSY_IDLE, "15us 11>0 S; !13us-20us idle 0; end 1ms");
}

TEST_F(model, idle_state_may_end_with_the_switch)
{
	begin(self);
	STORY(&self->s, "15us 11>0 S; 15us-20us idle 0; 20us wake 11 by irq on 0; 20us 0>11; "
			"end 1ms");
	EXPECT_CLEAN();
	EXPECT_PIECE(slice, 0, "state 0", 15, 20, 5, UINT64_MAX);
}

/* 12 runs on cpu 1, so that the threads of both CPUs are known. */
static void begin_on_two(FIXTURE_DATA(model) *self)
{
	begin(self);
	STORY(&self->s, "15us 11>0 S; 1@2us 12>0 S; 20us wake 11 by irq");
}

TEST_F(model, migration_from_another_cpu_is_a_violation)
{
	begin_on_two(self);
	STORY_ONLY(SCHED_WRONG_MOVE, "30us 11/11 moves 1>0; !40us 11/11 moves 1>0; end 1ms");
}

TEST_F(model, migration_from_the_cpu_of_the_wakeup_is_sound)
{
	begin_on_two(self);
	STORY(&self->s, "30us 11/11 moves 1>0; 40us 11/11 moves 0>2; 50us 11/11 moves 2>2; "
			"end 1ms");
	EXPECT_CLEAN();
}

TEST_F(model, migration_starts_where_the_thread_ran)
{
	struct story *s = &self->s;

	begin_on_two(self);
	STORY(s, "30us wake 12 by irq on 1; 0@40us");
	/* It is switched in on cpu 0 without a migration, as if these were not recorded. */
	STORY_ONLY(SCHED_WRONG_MOVE, "40us 0>12; 50us 12>0; 60us 12/11 moves 0>1; "
				     "!70us 12/11 moves 0>1; end 1ms");
}

TEST_F(model, migration_in_a_filtered_recording_proves_nothing)
{
	story_session(&self->s, "filter cpus 0-1\n");
	begin_on_two(self);
	event_migrate(&self->s, 40 * US, 11, 11, 3, 0);
	end(self);
	EXPECT_NO_VIOLATION();
}

TEST_F(model, event_of_unknown_name_is_a_violation)
{
	begin(self);
	self->at = event_softirq(&self->s, 20 * US, 21 * US, 12);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

TEST_F(model, event_without_its_number_is_a_violation)
{
	begin(self);
	self->at = event_vector(&self->s, 20 * US, 21 * US, FXT_STR_WORK);
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

TEST_F(model, slice_that_ends_before_it_begins_is_a_violation)
{
	begin(self);
	self->at = event_irq(&self->s, 30 * US, 21 * US, 17, "eth0");
	end(self);
	EXPECT_ONLY(SCHED_EVENT, self->at, 0);
}

TEST_F(model, event_in_the_stream_of_another_cpu_is_a_violation)
{
	__u64 rec[FXT_SCHED_EVENT_WORDS];
	uint64_t where;
	uint32_t words = fxt_sched_put_cpu_slice(rec, 20 * US, 21 * US, FXT_SCHED_KOID_SOFTIRQ, 2,
						 FXT_STR_SOFTIRQ, FXT_STR_SOFTIRQ_FIRST);

	begin(self);
	where = event_add(&self->s, rec, words, 21 * US);
	end(self);
	EXPECT_ONLY(SCHED_WRONG_STREAM, where, 0);
}
