// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each rule of the scheduler, broken once: the model finds exactly the violation that names the
 * rule, at the byte of the record that shows it.
 */
#include "sched_fixture.h"

TEST_F(model, chain)
{
	STORY_ONLY(SCHED_CHAIN, "threads; 0@1000 0>11; 2000 11>12; !3000 13>11; 4000 11>12; "
				"5000 12>0; end 6000");
	/* A thread's run time is unknown if its switch-out was not seen. */
	EXPECT_EQ(1000U, ran(self, 12));
}

/* The thread went to sleep on another CPU, where its switch-in was not seen. */
TEST_F(model, chain_begins)
{
	STORY_ONLY(SCHED_CHAIN, "threads; 0@1000 11>0 S; 1@2000; !2000 11>0 S; end 6000");
}

TEST_F(model, two_cpus)
{
	STORY_ONLY(SCHED_TWO_CPUS, "threads; 0@1000 0>11; 2000 11>0; 3000 0>11; 9000 11>0; 1@4000; "
				   "!4000 0>11; end 9500");
}

TEST_F(model, woken_running)
{
	self->at = STORY(&self->s, "threads; 0@1000 0>11; 2000 11>12; !3000 wake 12 by 11; "
				   "4000 12>0; end 9500");
	/* The thread is switched out later, so it is not hidden. */
	EXPECT_ONLY(SCHED_WOKEN_RUNNING, self->at, 0);
}

TEST_F(model, woken_runnable)
{
	STORY_ONLY(SCHED_WOKEN_RUNNABLE, "threads; 0@1000 11>12; !3000 wake 11 by 12; "
					 "4000 12>11 S; 5000 wake 12 by 11; end 9500");
}

TEST_F(model, not_woken)
{
	STORY_ONLY(SCHED_NOT_WOKEN, "threads; 0@1000 11>12 S; !4000 12>11 S; 5000 wake 12 by 11; "
				    "end 9500");
}

TEST_F(model, time_back)
{
	STORY_ONLY(SCHED_TIME_BACK, "threads; 0@1000 11>12; !100 12>11; 2000 11>12; end 9500");
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
}

TEST_F(model, wrong_stream)
{
	STORY(&self->s, "threads; 0@1000");
	self->at = story_state(&self->s, 1000, 2, 11, 12, (struct fxt_sched_state){ 0, 0 });
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WRONG_STREAM, self->at, 0);
}

TEST_F(model, object_in_a_cpus_stream)
{
	self->at = STORY(&self->s, "threads; 0@1000 11>12; name 14/11 stray");
	self->s.now->written--;
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WRONG_STREAM, self->at, 0);
}

TEST_F(model, outside_all_streams)
{
	self->at = STORY(&self->s, "threads; 0@1000 11>12; end 9500; 2000 wake 11 by 12 on 0");
	self->found_count = 0;
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_WRONG_STREAM, true, self->at)) log_found(_metadata, self);
}

static void tell_odd(struct __test_metadata *_metadata, FIXTURE_DATA(model) *self,
		     uint32_t out, uint32_t in, int32_t out_weight, int32_t in_weight,
		     struct fxt_sched_state state, bool is_odd)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint64_t offset;
	uint32_t words;

	again(self);
	STORY(&self->s, "threads; 0@1000");
	words = fxt_sched_put_switch(rec, 1000, 0, out, in, out_weight, in_weight, state);
	offset = story_words(&self->s, rec, words);
	self->s.now->written++;
	self->s.now->last = 1000;
	story_end(&self->s, 9500);
	if (is_odd)
		EXPECT_ONLY(SCHED_RECORD, offset, 0);
	else
		EXPECT_CLEAN();
}

TEST_F(model, records_that_cannot_be)
{
	const int32_t idle = FXT_SCHED_WEIGHT_IDLE;
	const struct fxt_sched_state ready = { FXT_THREAD_NEW, 0 };
	const struct fxt_sched_state asleep = { FXT_THREAD_BLOCKED, 0 };

#define ODD(...)	tell_odd(_metadata, self, __VA_ARGS__, true)
#define FINE(...)	tell_odd(_metadata, self, __VA_ARGS__, false)
	FINE(11, 12, 2, 88761, ready);
	FINE(11, 12, FXT_SCHED_WEIGHT_RT + 1, FXT_SCHED_WEIGHT_DL, asleep);
	FINE(11, 12, -1, 139, asleep);
	FINE(0, 12, idle, 1024, ready);
	FINE(12, 0, 1024, idle, asleep);
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_BLOCKED, FXT_STR_STATE_I }));
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_T }));
	FINE(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_P }));
	ODD(11, 11, 3, 3, ready);
	ODD(0, 0, idle, idle, ready);
	ODD(0, 12, 0, 1024, ready);
	ODD(12, 0, 1024, 120, ready);
	ODD(11, 12, idle, 1024, ready);
	ODD(11, 12, -2, 1024, ready);
	ODD(11, 12, 1024, 88762, ready);
	ODD(11, 12, FXT_SCHED_WEIGHT_RT + 100, 1024, ready);
	ODD(0, 12, idle, 1024, asleep);
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_RUNNING, 0 }));
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_NEW, FXT_STR_STATE_D }));
	ODD(11, 12, 3, 3, ((struct fxt_sched_state){ FXT_THREAD_SUSPENDED, FXT_STR_STATE_D }));
#undef ODD
#undef FINE
}

TEST_F(model, idle_is_woken)
{
	STORY_ONLY(SCHED_RECORD, "threads; 0@1000; !1000 wake 0 by 11; end 9500");
}
