// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The waker of a thread: a thread, an interrupt, or unknown. The model accepts each form that the
 * producers of fxt-sched write, and reports contradictory records.
 */
#include "sched_fixture.h"

TEST_F(model, wakers)
{
	STORY(&self->s, "threads; 0@1000 wake 12 by irq; 2000 0>12; 3000 wake 11 by %; "
			"4000 wake 13 by 0; 5000 12>11 S; 6000 wake 12 by 11; end 9500",
			fxt_sched_waker(12, FXT_SCHED_IRQ_SOFT));
	EXPECT_CLEAN();
}

/* The interrupted thread is not the waker, but its CPU is known. */
TEST_F(model, interrupts_in_spans)
{
	const struct spanned hard = span(12, 3000, 4000, 'R', SCHED_UNKNOWN, 1, UINT64_MAX, 0);
	const struct spanned soft = span(13, 5000, 6000, 'R', SCHED_UNKNOWN, 0, UINT64_MAX, NONE);
	const struct spanned thread = span(11, 7000, 8000, 'R', SCHED_UNKNOWN, 0, 13, 0);

	STORY(&self->s, "threads; 0@1000 0>11; 3000 wake 12 by % on 1; 4500 11>0 S; "
			"5000 wake 13 by softirq; 6000 0>13; 7000 wake 11 by 13; 8000 13>11 S; "
			"1@4000 0>12; end 9500", fxt_sched_waker(11, FXT_SCHED_IRQ_HARD));
	EXPECT_CLEAN();
	EXPECT_TRUE(has_span(self, &hard));
	EXPECT_TRUE(has_span(self, &soft));
	EXPECT_TRUE(has_span(self, &thread));
}

static void tell_odd(struct __test_metadata *_metadata, FIXTURE_DATA(model) *self,
		     uint32_t args, const __u64 *words, uint32_t count)
{
	__u64 rec[FXT_WAKEUP_BASE_WORDS + 8] = {
		fxt_thread_wakeup(FXT_WAKEUP_BASE_WORDS + 1 + count, args + 1, 0), 1000, 11,
		fxt_arg_int32(1, FXT_STR_WEIGHT, STORY_WEIGHT),
	};
	uint64_t offset;

	again(self);
	STORY(&self->s, "threads; 0@1000");
	memcpy(rec + FXT_WAKEUP_BASE_WORDS + 1, words, count * sizeof(*rec));
	offset = story_words(&self->s, rec, FXT_WAKEUP_BASE_WORDS + 1 + count);
	self->s.now->written++;
	self->s.now->last = 1000;
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_RECORD, offset, 0);
}

#define ODD(args, ...)	\
	tell_odd(_metadata, self, args, (const __u64[]){ __VA_ARGS__ },	\
		 sizeof((const __u64[]){ __VA_ARGS__ }) / sizeof(__u64))

#define WAKER		fxt_arg_koid(2, FXT_STR_WAKER)
#define IRQ		fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_HARD)
#define INTERRUPTED	fxt_arg_koid(2, FXT_STR_INTERRUPTED)

TEST_F(model, wakers_that_cannot_be)
{
	ODD(1, WAKER, 0);
	ODD(2, WAKER, 12, IRQ);
	ODD(3, WAKER, 12, IRQ, INTERRUPTED, 12);
	ODD(2, WAKER, 12, INTERRUPTED, 13);
	ODD(1, INTERRUPTED, 12);
	ODD(2, IRQ, INTERRUPTED, 0);
	ODD(1, fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_STATE_D));
	ODD(1, fxt_arg_int32(1, FXT_STR_IRQ, 1));
	ODD(2, IRQ, fxt_arg_uint64(2, FXT_STR_INTERRUPTED), 12);
	ODD(1, fxt_arg_uint64(2, FXT_STR_WAKER), 12);
}
