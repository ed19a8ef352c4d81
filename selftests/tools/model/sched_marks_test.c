// SPDX-License-Identifier: GPL-2.0-or-later
/* A mark of a snapshot is right unless the archive shows that it is not. */
#include "sched_part.h"

enum { NO_THREAD = 1, NO_CPU = 2, NO_LATENCY = 4, ELSEWHERE = 8 };

static uint64_t tell_trigger(struct story *s, uint64_t time, uint64_t thread,
			     uint32_t cpu, unsigned int missing)
{
	uint64_t offset = built_bytes(&s->b);
	uint16_t other = FXT_STR_RECORDS;

	BUILD(&s->b, fxt_event(9, FXT_EVENT_INSTANT, 3, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_TRIGGER), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS + !!(missing & ELSEWHERE),
	      fxt_arg_koid(2, missing & NO_THREAD ? other : FXT_STR_THREAD), thread,
	      fxt_arg_uint32(1, missing & NO_CPU ? other : FXT_STR_CPU, cpu),
	      fxt_arg_uint64(2, missing & NO_LATENCY ? other : FXT_STR_LATENCY), 5000000);
	return offset;
}

static uint64_t tell_complete(struct story *s, uint64_t time)
{
	uint64_t offset = built_bytes(&s->b);

	BUILD(&s->b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_COMPLETE), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS);
	return offset;
}

static void tell_one_cpu(struct story *s, unsigned int end)
{
	tell_begin(s);
	story_chunk(s, 0, 1000);
	for (uint64_t time = 1000; time <= end; time += 1000)
		STORY(s, "% 11>12; % 12>11", time, time + 500);
}

/* At the end 12 wakes 13; another CPU has no records. */
static void tell_snapshot(struct story *s, unsigned int end)
{
	tell_one_cpu(s, end);
	story_wake(s, end + 700, 0, 13, 12);
	tell_opening(s, 1, 5, 50, 0, 800, 950);
	story_end(s, end + 1000000);
}

TEST_F(model, trigger)
{
	tell_snapshot(&self->s, 9000);
	tell_trigger(&self->s, 4000, 12, 0, 0);
	tell_complete(&self->s, 950);
	EXPECT_CLEAN();
	/* A mark may also come before the wait that it reports. */
	again(self);
	tell_trigger(&self->s, 4500, 11, 0, 0);
	tell_complete(&self->s, 951);
	tell_snapshot(&self->s, 9000);
	EXPECT_CLEAN();
}

TEST_F(model, trigger_of_nothing)
{
	static const struct {
		uint64_t time;
		uint64_t thread;
		uint32_t cpu;
		unsigned int missing;
	} wrong[] = {
		{ 4001, 12, 0, 0 }, { 3999, 12, 0, 0 }, { 4000, 11, 0, 0 },
		{ 4000, 12, 1, 0 }, { 4000, 12, 2, 0 }, { 4000, 12, 65535, 0 },
		{ 4000, 12, 1U << 16, 0 }, { 99999, 12, 0, 0 }, { 9700, 12, 0, 0 },
		{ 9700, 13, 0, 0 }, { 4000, 12, 0, NO_THREAD },
		{ 4000, 12, 0, NO_CPU }, { 4000, 12, 0, NO_LATENCY },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(wrong); i++) {
		uint64_t offset = 0;

		again(self);
		if (i % 2)
			offset = tell_trigger(&self->s, wrong[i / 2].time, wrong[i / 2].thread,
					      wrong[i / 2].cpu, wrong[i / 2].missing);
		tell_snapshot(&self->s, 9000);
		if (!(i % 2))
			offset = tell_trigger(&self->s, wrong[i / 2].time, wrong[i / 2].thread,
					      wrong[i / 2].cpu, wrong[i / 2].missing);
		EXPECT_ONLY(SCHED_MARK, offset, 0);
	}
	/* On another track, this is not a mark. */
	again(self);
	tell_snapshot(&self->s, 9000);
	tell_trigger(&self->s, 4001, 12, 0, ELSEWHERE);
	EXPECT_CLEAN();
}

/* The end of an interrupt needs no switch, and a run queue may grow at any time. */
TEST_F(model, trigger_of_interrupts)
{
	tell_snapshot(&self->s, 9000);
	story_trigger_of(&self->s, FXT_STR_IRQ, 4001, 12, 0, 1000);
	story_trigger_of(&self->s, FXT_STR_SOFTIRQ, 99999, 77, 1, 1000);
	story_trigger_of(&self->s, FXT_STR_RUNNABLE, 4001, 12, 1, 9);
	EXPECT_CLEAN();
}

/* 12 sleeps from 2000 to 5000, and from 7000 on. */
static void tell_sleeps(struct story *s)
{
	tell_begin(s);
	story_chunk(s, 0, 1000);
	STORY(s, "1000 11>12; 2000 12>11 S; 5000 wake 12 by 11; 6000 11>12; 7000 12>11 S; end 900000");
}

/* 12 sleeps from 2000 to 5000, runs from 30000 to 50000, and sleeps on. */
static void tell_longer_sleeps(struct story *s)
{
	tell_begin(s);
	story_chunk(s, 0, 1000);
	STORY(s, "1000 11>12; 2000 12>11 S; 5000 wake 12 by 11; 30000 11>12; 50000 12>11 S; end 900000");
}

/* A sleep has a wakeup at its end; one that is open has a switch-out and no wakeup. */
TEST_F(model, trigger_of_sleeps)
{
	tell_sleeps(&self->s);
	story_trigger_of(&self->s, FXT_STR_SLEEP, 5000, 12, 0, 3000);
	story_trigger_open_of(&self->s, FXT_STR_BLOCKED, 800000, 12, 0, 793000);
	story_trigger_of(&self->s, FXT_STR_LOCK, 4000, 12, 0, 1000);
	EXPECT_CLEAN();
}

enum { NO_KIND = 1, NO_ADDRESS = 2, IS_OVER = 4, IS_SLEEP = 8 };

/* A wait of thread 12 for a lock, which goes on at @time. */
static uint64_t tell_lock(struct story *s, uint64_t time, uint64_t holder, unsigned int wrong)
{
	uint64_t offset = built_bytes(&s->b);
	uint16_t other = FXT_STR_RECORDS;

	BUILD(&s->b, fxt_event(16, FXT_EVENT_INSTANT, 7, FXT_THREAD_REF_INLINE,
			       FXT_STR_CATEGORY, FXT_STR_TRIGGER), time,
	      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS,
	      fxt_arg_koid(2, FXT_STR_THREAD), 12, fxt_arg_uint32(1, FXT_STR_CPU, 0),
	      fxt_arg_uint64(2, wrong & IS_SLEEP ? FXT_STR_SLEEP : FXT_STR_LOCK), 1000,
	      fxt_arg_string(1, wrong & IS_OVER ? other : FXT_STR_UNKNOWN, FXT_STR_END),
	      fxt_arg_string(2, wrong & NO_KIND ? other : FXT_STR_LOCK_KIND,
			     fxt_string_ref_inline(5)), 0x786574756dULL /* "mutex" */,
	      fxt_arg_uint64(2, wrong & NO_ADDRESS ? other : FXT_STR_LOCK_ADDRESS), 0xffff888012345678,
	      fxt_arg_koid(2, FXT_STR_HOLDER), holder);
	return offset;
}

TEST_F(model, trigger_of_a_lock)
{
	static const struct {
		uint64_t time, holder;
		unsigned int wrong;
	} wrong[] = {
		{ 100000, 12, 0 }, { 100000, FXT_SCHED_TID_END, 0 }, { 100000, 11, NO_KIND },
		{ 100000, 11, NO_ADDRESS }, { 5000, 11, IS_SLEEP | IS_OVER },
		/* It ran from 30000 on. */
		{ 45000, 11, 0 },
	};
	size_t i;

	tell_longer_sleeps(&self->s);
	tell_lock(&self->s, 100000, 11, 0);
	EXPECT_CLEAN();
	/* At the end of a wait it runs. */
	again(self);
	tell_longer_sleeps(&self->s);
	tell_lock(&self->s, 45000, 11, IS_OVER);
	EXPECT_CLEAN();
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		uint64_t offset;

		again(self);
		tell_longer_sleeps(&self->s);
		offset = tell_lock(&self->s, wrong[i].time, wrong[i].holder, wrong[i].wrong);
		EXPECT_ONLY(SCHED_MARK, offset, 0);
	}
}

TEST_F(model, trigger_of_no_sleep)
{
	static const struct {
		uint64_t time, thread, length;
		bool is_open;
		const char *said;
	} wrong[] = {
		/* The switch-in is not the end. */
		{ 5001, 12, 3000, false, "not woken at 5001 ns" },
		{ 6000, 12, 4000, false, "not woken at 6000 ns" },
		{ 5000, 11, 3000, false, "not woken at 5000 ns" },
		{ 800000, 12, 793002, true, "not switched out at 6998 ns" },
		{ 800000, 11, 793000, true, "not switched out at 7000 ns" },
		{ 100000, 12, 98000, true, "sleeps at 100000 ns, but it is woken before" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		uint64_t offset;

		again(self);
		tell_sleeps(&self->s);
		if (wrong[i].is_open)
			offset = story_trigger_open_of(&self->s, FXT_STR_BLOCKED, wrong[i].time,
						       wrong[i].thread, 0, wrong[i].length);
		else
			offset = story_trigger_of(&self->s, FXT_STR_SLEEP, wrong[i].time,
						  wrong[i].thread, 0, wrong[i].length);
		EXPECT_ONLY(SCHED_MARK, offset, 0);
		EXPECT_IN(self->found[0].text, wrong[i].said);
	}
}

/* A wait that is open has a wakeup but no switch: 13 is woken at 9700. */
TEST_F(model, trigger_that_goes_on)
{
	tell_snapshot(&self->s, 9000);
	story_trigger_open(&self->s, 99700, 13, 0, 90000);
	EXPECT_CLEAN();
	/* A mark may come first, and the wait can end later. */
	again(self);
	story_trigger_open(&self->s, 50700, 13, 0, 41000);
	tell_one_cpu(&self->s, 9000);
	STORY(&self->s, "9700 wake 13 by 12 on 0; 60000 11>13; end 70000");
	EXPECT_CLEAN();
	/* The wakeup is older than the records. */
	again(self);
	tell_snapshot(&self->s, 9000);
	story_trigger_open(&self->s, 9900, 14, 0, 9100);
	EXPECT_CLEAN();
}

TEST_F(model, trigger_that_does_not_go_on)
{
	static const struct {
		uint64_t time, thread, latency;
	} wrong[] = {
		{ 99700, 13, 90002 }, { 99700, 13, 89998 }, { 99700, 14, 90000 },
		/* It is switched in at 1000000. */
		{ 2009700, 13, 2000000 },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(wrong); i++) {
		uint64_t offset = 0;

		again(self);
		if (i % 2)
			offset = story_trigger_open(&self->s, wrong[i / 2].time,
						    wrong[i / 2].thread, 0, wrong[i / 2].latency);
		tell_one_cpu(&self->s, 9000);
		STORY(&self->s, "9700 wake 13 by 12 on 0; 1000000 11>13; end 3000000");
		if (!(i % 2))
			offset = story_trigger_open(&self->s, wrong[i / 2].time,
						    wrong[i / 2].thread, 0, wrong[i / 2].latency);
		EXPECT_ONLY(SCHED_MARK, offset, 0);
	}
}

/* Events that have left memory before the mark is read cannot be checked. */
TEST_F(model, trigger_long_ago)
{
	self->stream_events = 8;
	tell_snapshot(&self->s, 900000);
	tell_trigger(&self->s, 4001, 12, 0, 0);
	EXPECT_CLEAN();
	/* But events in memory, and the last one of each CPU, can be checked. */
	again(self);
	tell_snapshot(&self->s, 900000);
	tell_trigger(&self->s, 900000, 12, 0, 0);
	EXPECT_CLEAN();
	again(self);
	tell_snapshot(&self->s, 900000);
	self->at = tell_trigger(&self->s, 900001, 12, 0, 0);
	EXPECT_ONLY(SCHED_MARK, self->at, 0);
	again(self);
	tell_snapshot(&self->s, 900000);
	self->at = tell_trigger(&self->s, 900501, 11, 0, 0);
	EXPECT_ONLY(SCHED_MARK, self->at, 0);
	/* A mark that comes first is checked against all events. */
	again(self);
	tell_trigger(&self->s, 4000, 12, 0, 0);
	self->at = tell_trigger(&self->s, 4001, 12, 0, 0);
	tell_snapshot(&self->s, 900000);
	EXPECT_ONLY(SCHED_MARK, self->at, 0);
}

/* All events have left memory, so any of them may have been the wait, unless the mark is later. */
TEST_F(model, trigger_too_late)
{
	const uint64_t last = 20000500;

	self->without_spans = true;
	self->stream_events = 32768;
	for (unsigned int late = 0; late < 2; late++) {
		uint64_t offset;

		again(self);
		tell_one_cpu(&self->s, last);
		story_end(&self->s, last + 1000);
		offset = tell_trigger(&self->s, last - 10 + 11 * late, 11, 0, 0);
		if (late)
			EXPECT_ONLY(SCHED_MARK, offset, 0);
		else
			EXPECT_CLEAN();
	}
}

TEST_F(model, trigger_that_is_missing)
{
	/* The wait is older than the records of the CPU. */
	tell_snapshot(&self->s, 9000);
	tell_trigger(&self->s, 899, 12, 0, 0);
	EXPECT_CLEAN();
	/* The wait is lost. */
	again(self);
	tell_begin(&self->s);
	story_chunk(&self->s, 0, 1000);
	tell_switches(&self->s);
	STORY(&self->s, "lose 0 5 @3000; 3000 11>12; end 9500");
	tell_trigger(&self->s, 2500, 12, 0, 0);
	EXPECT_NO_VIOLATION();
}

TEST_F(model, complete_too_early)
{
	tell_snapshot(&self->s, 9000);
	self->at = tell_complete(&self->s, 949);
	EXPECT_ONLY(SCHED_MARK, self->at, 0);
	/* The time from which names are recorded does not matter. */
	again(self);
	tell_opening(&self->s, STORY_NAMES, 1, 4, 1, 100, 9000);
	STORY(&self->s, "threads");
	tell_opening(&self->s, 0, 7, 100, 10, 900, 900);
	story_end(&self->s, 9500);
	tell_complete(&self->s, 900);
	EXPECT_CLEAN();
}
