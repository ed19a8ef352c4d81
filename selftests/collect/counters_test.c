// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads waiting for each CPU, in handwritten scenarios; invalid chunks are refused. */
#include "counters_fixture.h"

/* --- what is counted ---------------------------------------------------------------- */

TEST_F(counters, story)
{
	TELL("0@1; 1 0>11 S; 2 wake 12 on 0; 3 wake 13 on 1; 12 11>12; 25 12>11 S; 1@4; 4 0>13 S; "
	     "5 wake 14 on 1; 35 13>14 Z");
	EXPECT_WRITTEN(50, NAMES "+0 cpu 0: 0 wait, 100/s\n"
		       "+0 cpu 1: 0 wait, 100/s\n"
		       "+10 cpu 0: 1 wait, 100/s\n"
		       "+10 cpu 1: 1 wait, 0/s\n"
		       "+30 cpu 0: 0 wait, 0/s\n"
		       "+30 cpu 1: 1 wait, 100/s\n"
		       "+40 cpu 1: 0 wait, 0/s\n");
}

/* An instant is over when all records up to the next one are known. */
TEST_F(counters, until)
{
	TELL("0@1; 9 0>11 S; 10 wake 12 on 0; 20 11>12 S");
	EXPECT_STREQ("", written(self, START - 1));
	EXPECT_STREQ("", written(self, 0));
	EXPECT_STREQ("", written(self, AT(10) - 1));
	EXPECT_WRITTEN(10, NAMES "+0 cpu 0: 0 wait, 100/s\n");
	EXPECT_WRITTEN(10, "");
	EXPECT_WRITTEN(5, "");
	EXPECT_STREQ("+10 cpu 0: 0 wait, 0/s\n", written(self, AT(30) - 1));
	EXPECT_WRITTEN(40, "+20 cpu 0: 1 wait, 100/s\n+30 cpu 0: 0 wait, 0/s\n");
	EXPECT_WRITTEN(90, "");
}

/* A thread migrated while it waits runs elsewhere; a thread woken twice waits once. */
TEST_F(counters, moved)
{
	TELL("2@1; 1 11>0; 2 wake 12 on 1; 11 wake 12 on 3; 0@12; 12 0>11 S");
	EXPECT_WRITTEN(30, NAMES "+0 cpu 0: 0 wait, 0/s\n"
		       "+0 cpu 2: 0 wait, 100/s\n"
		       "+10 cpu 0: 0 wait, 100/s\n"
		       "+10 cpu 1: 1 wait, 0/s\n"
		       "+10 cpu 2: 1 wait, 0/s\n"
		       "+20 cpu 0: 0 wait, 0/s\n"
		       "+20 cpu 1: 0 wait, 0/s\n"
		       "+20 cpu 2: 0 wait, 0/s\n"
		       "+20 cpu 3: 1 wait, 0/s\n");
}

/* Only the last change of a thread in a slot counts, in any order of arrival. */
TEST_F(counters, order_of_chunks)
{
	TELL("0@4; 4 0>12 S; 14 12>0 S; 1@3; 3 wake 12 on 0; 13 wake 12 on 0; 15 wake 12 on 0");
	EXPECT_WRITTEN(30, NAMES "+0 cpu 0: 0 wait, 100/s\n"
		       "+0 cpu 1: 0 wait, 0/s\n"
		       "+20 cpu 0: 1 wait, 0/s\n");
}

/* Of changes at the same time, the later one in the stream counts. */
TEST_F(counters, at_once)
{
	TELL("0@1; 1 wake 11 on 0; 1 0>11 S; 2 11>0 S; 2 wake 11 on 0; 3 wake 12 on 1; 3 0>12 S");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 300/s\n+10 cpu 0: 1 wait, 0/s\n");
}

/* Each record counts at its own time, whatever its ledger says. */
TEST_F(counters, time_goes_back)
{
	TELL("0@35; 24 0>11 S; 14 wake 12 on 0; 4 11>12 S");
	EXPECT_WRITTEN(40, NAMES "+0 cpu 0: 0 wait, 100/s\n"
		       "+10 cpu 0: 0 wait, 0/s\n"
		       "+20 cpu 0: 1 wait, 100/s\n"
		       "+30 cpu 0: 1 wait, 0/s\n");
}

TEST_F(counters, before_the_start)
{
	TELL("0@-7; -7 0>11 S; -6 wake 12 on 0; 1 11>0 S");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 200/s\n+10 cpu 0: 1 wait, 0/s\n");
}

TEST_F(counters, other_ticks)
{
	ASSERT_EQ(0, reopen(self, 100, 1000));
	chunk_of(self, (struct fxt_ledger){ .stream = 0, .time = 100 });
	add_switch(self, 109, 0, 11, FXT_THREAD_BLOCKED);
	add_wakeup(self, 110, 12, 0);
	HAND_OVER();
	ASSERT_EQ(0, counters_write(self->c, self->w, 130));
	ASSERT_NE(NULL, counters_text(self));
	ASSERT_EQ(3U, self->count);
	EXPECT_EQ(100U, self->counted[0].time);
	EXPECT_EQ(100U, self->counted[0].rate);
	EXPECT_EQ(110U, self->counted[1].time);
	EXPECT_EQ(0U, self->counted[1].waiting);
	EXPECT_EQ(120U, self->counted[2].time);
	EXPECT_EQ(1U, self->counted[2].waiting);
}

/* A clock too coarse for instants every 10 ms. */
TEST(coarse_clock)
{
	struct counters *c;

	EXPECT_GT(0, counters_open(&c, 99));
	EXPECT_EQ(NULL, c);
	ASSERT_EQ(0, counters_open(&c, 100));
	counters_close(c);
	counters_close(NULL);
}

/* --- what is late, lost, forgotten ---------------------------------------------------- */

TEST_F(counters, late)
{
	TELL("0@1; 1 0>11 S");
	EXPECT_WRITTEN(50, NAMES "+0 cpu 0: 0 wait, 100/s\n+10 cpu 0: 0 wait, 0/s\n");
	TELL("1@12; 12 wake 14 on 0; 13 0>15 S; 13 wake 16 on 0; 58 15>16 S");
	EXPECT_WRITTEN(80, "+50 cpu 1: 0 wait, 200/s\n"
		       "+60 cpu 0: 1 wait, 0/s\n"
		       "+60 cpu 1: 0 wait, 0/s\n");
	/* Later than everything written, but not the last change. */
	TELL("0@120; 120 11>0 S; 1@88; 88 16>14 S; 121 14>0");
	EXPECT_WRITTEN(140, "+80 cpu 1: 0 wait, 100/s\n"
		       "+90 cpu 0: 0 wait, 0/s\n"
		       "+90 cpu 1: 0 wait, 0/s\n"
		       "+120 cpu 0: 0 wait, 100/s\n"
		       "+120 cpu 1: 0 wait, 100/s\n"
		       "+130 cpu 0: 0 wait, 0/s\n"
		       "+130 cpu 1: 1 wait, 0/s\n");
}

/* Written changes are gone; others still wait to be written. */
TEST_F(counters, rest_waits)
{
	TELL("0@1; 1 wake 11 on 0; 12 wake 12 on 0; 23 0>13 S");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n+10 cpu 0: 1 wait, 0/s\n");
	TELL("0@24 continued; 24 13>11 S; 25 11>12");
	EXPECT_WRITTEN(40, "+20 cpu 0: 2 wait, 300/s\n+30 cpu 0: 1 wait, 0/s\n");
}

TEST_F(counters, losses)
{
	TELL("0@1; 1 wake 11 on 0; 2 wake 12 on 1; 1@3; 3 wake 13 on 1");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n+0 cpu 1: 0 wait, 0/s\n"
		       "+10 cpu 0: 1 wait, 0/s\n+10 cpu 1: 2 wait, 0/s\n");
	/* Losses did not grow; a continued chunk does not report them. */
	TELL("0@21 #1 lost 0; 0@22 continued #1 lost 7");
	EXPECT_WRITTEN(40, "");
	/* A thread woken after the gap waits, also at its very end. */
	TELL("1@45 #1; 44 wake 14 on 0; 45 wake 15 on 0; 46 wake 16 on 1; 0@45 #2 lost 7; "
	     "47 wake 11 on 1; 48 wake 17 on 1");
	EXPECT_WRITTEN(60, "+50 cpu 1: 3 wait, 0/s\n");
	TELL("0@61 #3 lost 7");
	EXPECT_WRITTEN(80, "");
	TELL("0@82 #4 lost 8");
	EXPECT_WRITTEN(100, "+90 cpu 0: 0 wait, 0/s\n+90 cpu 1: 0 wait, 0/s\n");
	/* Forgotten threads do not reduce the count. */
	TELL("1@101 #2; 101 0>15 S; 102 15>16 S");
	EXPECT_WRITTEN(120, "+100 cpu 1: 0 wait, 200/s\n+110 cpu 1: 0 wait, 0/s\n");
}

/* Losses of a CPU before its first chunk have no effect. */
TEST_F(counters, lost_before)
{
	TELL("0@1; 1 wake 11 on 0; 1@5 lost 100");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n+0 cpu 1: 0 wait, 0/s\n"
		       "+10 cpu 0: 1 wait, 0/s\n");
}

TEST_F(counters, from_the_middle_on)
{
	/* First deliver the chunks of all CPUs, one CPU after the other. */
	TELL("1@22; 22 wake 15 on 2; 31 wake 15 on 2; 0@1; 1 wake 11 on 0; 2 0>14 S; "
	     "15 wake 12 on 0; 17 wake 13 on 1; 18 14>13 S; 21 13>12 S");
	counters_since(self->c, AT(15));
	EXPECT_WRITTEN(40, NAMES "+20 cpu 0: 1 wait, 100/s\n"
		       "+20 cpu 1: 0 wait, 0/s\n"
		       "+30 cpu 0: 0 wait, 0/s\n"
		       "+30 cpu 2: 1 wait, 0/s\n");
	/* Written values are forgotten, too. */
	TELL("0@41 #1; 41 wake 12 on 0; 52 wake 13 on 0");
	EXPECT_WRITTEN(60, "+50 cpu 0: 1 wait, 0/s\n");
	counters_since(self->c, AT(61));
	EXPECT_WRITTEN(80, "+70 cpu 0: 0 wait, 0/s\n+70 cpu 2: 0 wait, 0/s\n");
}

/* After the wrap, values of an old epoch would be taken for current ones. */
TEST_F(counters, many_epochs)
{
	TELL("0@1; 1 wake 11 on 0");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n+10 cpu 0: 1 wait, 0/s\n");
	for (uint32_t i = 0; i < 1U << 16; i++)
		counters_since(self->c, AT(15));
	TELL("0@11 #1; 1100000 wake 12 on 0; 1200000 0>11 S");
	EXPECT_STRNE("", written(self, AT(1210000)));
	EXPECT_EQ(1U, self->counted[self->count - 1].waiting);
}

TEST_F(counters, begun_again)
{
	TELL("0@1; 1 wake 11 on 0; 12 0>13 S; 22 wake 12 on 0");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n+10 cpu 0: 1 wait, 100/s\n");
	counters_restart(self->c, AT(100));
	TELL("0@101 #1; 103 wake 14 on 0; 104 13>11 S; 105 wake 12 on 1");
	/* Nothing pending is left 22 ms after another start. */
	EXPECT_WRITTEN(150, "+100 cpu 0: 0 wait, 100/s\n+110 cpu 0: 1 wait, 0/s\n"
		       "+110 cpu 1: 1 wait, 0/s\n");
	/* Also for earlier times. */
	counters_restart(self->c, AT(50));
	EXPECT_WRITTEN(60, "+50 cpu 0: 0 wait, 0/s\n+50 cpu 1: 0 wait, 0/s\n");
}

TEST_F(counters, another_archive)
{
	TELL("0@1; 1 wake 11 on 0; 1 wake 12 on 2");
	EXPECT_WRITTEN(20, NAMES "+0 cpu 0: 0 wait, 0/s\n"
		       "+10 cpu 0: 1 wait, 0/s\n+10 cpu 2: 1 wait, 0/s\n");
	EXPECT_WRITTEN(30, "");
	counters_begin(self->c);
	EXPECT_WRITTEN(30, "");
	EXPECT_WRITTEN(50, NAMES "+30 cpu 0: 1 wait, 0/s\n+30 cpu 2: 1 wait, 0/s\n");
	EXPECT_WRITTEN(90, "");
}

/* --- how much -------------------------------------------------------------------------- */

/* Centuries without events are skipped at once. */
TEST_F(counters, quiet)
{
	const uint64_t far = START + (1ULL << 62);

	TELL("0@1; 1 0>11 S; 2 wake 12 on 0");
	chunk_of(self, (struct fxt_ledger){ .stream = 0, .time = far });
	add_switch(self, far, 11, 12, FXT_THREAD_BLOCKED);
	HAND_OVER();
	ASSERT_EQ(0, counters_write(self->c, self->w, far / 2));
	ASSERT_EQ(0, counters_write(self->c, self->w, far + 30 * MS));
	ASSERT_NE(NULL, counters_text(self));
	ASSERT_EQ(4U, self->count);
	EXPECT_EQ(START, self->counted[0].time);
	EXPECT_EQ(AT(10), self->counted[1].time);
	EXPECT_EQ(1U, self->counted[1].waiting);
	EXPECT_EQ(far - (far - START) % (10 * MS), self->counted[2].time);
	EXPECT_EQ(1U, self->counted[2].waiting);
	EXPECT_EQ(100U, self->counted[2].rate);
	EXPECT_EQ(self->counted[2].time + 10 * MS, self->counted[3].time);
	EXPECT_EQ(0U, self->counted[3].waiting);
	EXPECT_EQ(0U, self->counted[3].rate);
}

/* The same as in counters.c. */
#define MOST_CHANGES	(1U << 19)
#define THREADS		100000U

static int wake_all(FIXTURE_DATA(counters) *self, uint32_t slot, uint32_t count)
{
	int ret = 0;

	for (uint32_t tid = 1; tid <= count; tid++) {
		if (tid % 5000 == 1)
			CHUNK(0, 10 * slot);
		WAKE(10 * slot + 1, tid, tid % 3);
		if (tid % 5000 == 0 || tid == count)
			ret |= hand_over(self);
	}
	return ret;
}

/* Wakeups of @count threads, in slots from 1 on. Return: the time after the last one. */
static int wake_many(FIXTURE_DATA(counters) *self, uint32_t count)
{
	uint32_t slot;
	int ret = 0;

	for (slot = 1; count > THREADS; slot++, count -= THREADS)
		ret |= wake_all(self, slot, THREADS);
	return ret | wake_all(self, slot, count);
}

#define LAST_SLOT	(1 + MOST_CHANGES / THREADS)

/* The last @count counters. */
static uint64_t sum_waiting(const FIXTURE_DATA(counters) *self, size_t count)
{
	uint64_t waiting = 0;

	while (count--)
		waiting += self->counted[self->count - 1 - count].waiting;
	return waiting;
}

/* Changes that do not fit are dropped with their whole slots; later values are right. */
TEST_F(counters, too_much)
{
	/* A thread that already has a change. */
	TELL("0@1; 1 wake 3000001 on 5");
	EXPECT_WRITTEN(10, NAMES "+0 cpu 0: 0 wait, 0/s\n");
	ASSERT_EQ(0, wake_many(self, MOST_CHANGES - 2));
	/* This record does not fit, because it could be a switch; its whole slot is dropped. */
	CHUNK(0, 10 * LAST_SLOT + 2);
	WAKE(10 * LAST_SLOT + 2, 3000000, 4);
	HAND_OVER();
	EXPECT_WRITTEN(10 * LAST_SLOT, "");
	CHUNK(0, 10 * LAST_SLOT + 3);
	SWITCH(10 * LAST_SLOT + 3, 0, 3000002, BLOCKED);
	WAKE(10 * LAST_SLOT + 9, 3000002, 4);
	HAND_OVER();
	TELL("1@10; 10 wake 3000003 on 4; 11 0>3000002 S");
	EXPECT_WRITTEN(10 * LAST_SLOT + 10, "");
	CHUNK(1, 10 * LAST_SLOT + 10, .sequence = 1);
	WAKE(10 * LAST_SLOT + 10, 3000003, 1);
	HAND_OVER();
	ASSERT_EQ(0, counters_write(self->c, self->w, AT(10 * LAST_SLOT + 30)));
	ASSERT_NE(NULL, counters_text(self));
	EXPECT_STREQ("+70 cpu 1: 0 wait, 0/s\n+80 cpu 1: 1 wait, 0/s\n", self->text + self->told);
	ASSERT_EQ(0, wake_all(self, LAST_SLOT + 3, THREADS));
	ASSERT_EQ(0, counters_write(self->c, self->w, AT(10 * LAST_SLOT + 50)));
	ASSERT_NE(NULL, counters_text(self));
	EXPECT_EQ(THREADS + 1, sum_waiting(self, 3));
}

/* Recording restarts, which ends the dropped period. */
TEST_F(counters, too_much_and_again)
{
	ASSERT_EQ(0, wake_all(self, 0, MOST_CHANGES + 1));
	EXPECT_WRITTEN(10, "");
	counters_restart(self->c, AT(1000));
	TELL("0@1001 #1; 1001 wake 11 on 0");
	EXPECT_WRITTEN(1020, NAMES "+1000 cpu 0: 0 wait, 0/s\n+1010 cpu 0: 1 wait, 0/s\n");
}

TEST_F(counters, all_that_fits)
{
	ASSERT_EQ(0, wake_many(self, MOST_CHANGES - 2));
	ASSERT_EQ(0, counters_write(self->c, self->w, AT(10 * LAST_SLOT + 20)));
	ASSERT_NE(NULL, counters_text(self));
	ASSERT_LT(3U, self->count);
	EXPECT_EQ(THREADS, sum_waiting(self, 3));
}

/* --- what is no chunk of a CPU ----------------------------------------------------------- */

TEST_F(counters, malformed)
{
	/* Headers of records that are truncated or too short. */
	const __u64 wrong[] = {
		0, fxt_thread_wakeup(FXT_SCHED_USUAL_WAKEUP_WORDS + 1, 2, 0),
		fxt_thread_wakeup(FXT_WAKEUP_BASE_WORDS - 1, 0, 0),
		fxt_context_switch(FXT_SWITCH_BASE_WORDS - 1, 0, 0, 0),
		fxt_string(1, 0),
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CHUNK(0, 1);
		WAKE(1, 11, 0);
		WAKE(2, 12, 0);
		self->words[FXT_LEDGER_WORDS + FXT_SCHED_USUAL_WAKEUP_WORDS] = wrong[i];
		EXPECT_EQ(-EPROTO, hand_over(self)) TH_LOG("%zu", i);
	}
	/* A switch record without its incoming thread. */
	CHUNK(0, 1);
	WAKE(1, 11, 0);
	self->words[FXT_LEDGER_WORDS] = fxt_context_switch(FXT_SWITCH_BASE_WORDS - 1, 0, 0, 0);
	self->word_count = FXT_LEDGER_WORDS + FXT_SWITCH_BASE_WORDS - 1;
	EXPECT_EQ(-EPROTO, hand_over(self));
	CHUNK(0, 1);
	self->word_count--;
	EXPECT_EQ(-EPROTO, hand_over(self));
	self->word_count = 0;
	EXPECT_EQ(-EPROTO, hand_over(self));
	CHUNK(0, 1);
	self->words[0]++;
	EXPECT_EQ(-EPROTO, hand_over(self));
	CHUNK(0, 1);
	self->words[1] ^= 1ULL << 16;
	EXPECT_EQ(-EPROTO, hand_over(self));
}

TEST_F(counters, out_of_range)
{
	CHUNK(FXT_LEDGER_STREAM_NAMES, 1);
	WAKE(1, 11, 0);
	HAND_OVER();
	CHUNK(MAX_CPUS, 1);
	WAKE(1, 11, 0);
	SWITCH(1, 0, 11, BLOCKED);
	HAND_OVER();
	EXPECT_WRITTEN(20, "");
	TELL("0@21");
	CHUNK(1, 21);
	WAKE(21, 0, 0);
	WAKE(21, FXT_SCHED_TID_END, 1);
	WAKE(21, (1ULL << 32) + 11, 0);
	WAKE(21, 11, MAX_CPUS);
	WAKE(21, 12, 60000);
	SWITCH(22, 0, 0, NEW);
	HAND_OVER();
	EXPECT_WRITTEN(40, NAMES "+20 cpu 0: 0 wait, 0/s\n+20 cpu 1: 0 wait, 100/s\n"
		       "+30 cpu 1: 0 wait, 0/s\n");
	/* The largest values that are valid. */
	CHUNK(1, 41);
	WAKE(41, FXT_SCHED_TID_END - 1, 0);
	WAKE(41, 1, MAX_CPUS - 1);
	HAND_OVER();
	EXPECT_WRITTEN(60, "+50 cpu 0: 1 wait, 0/s\n+50 cpu 8191: 1 wait, 0/s\n");
	CHUNK(MAX_CPUS - 1, 62);
	SWITCH(62, 12, 0, NEW);
	HAND_OVER();
	EXPECT_WRITTEN(80, "+60 cpu 8191: 1 wait, 100/s\n+70 cpu 8191: 2 wait, 0/s\n");
}

/* A CPU without records, and records of other kinds. */
TEST_F(counters, nothing_happens)
{
	TELL("2@1");
	CHUNK(2, 2, .kind = FXT_LEDGER_CONTINUED);
	self->words[self->word_count++] = fxt_event(4, FXT_EVENT_INSTANT, 0, 0,
						    FXT_STR_CATEGORY, FXT_STR_LOST);
	self->words[self->word_count++] = AT(3);
	self->words[self->word_count++] = 11;
	self->words[self->word_count++] = 12;
	HAND_OVER();
	EXPECT_WRITTEN(20, NAMES "+0 cpu 2: 0 wait, 0/s\n");
}

static int refuse(void *arg, const void *data, size_t bytes)
{
	return -ENOSPC;
}

TEST_F(counters, errors_of_writing)
{
	struct fxt_writer *w;
	uint32_t slot;

	ASSERT_EQ(0, fxt_writer_open_sink(&w, refuse, NULL));
	ASSERT_EQ(0, fxt_writer_string(w, FXT_STR_PROCESS, "process"));
	CHUNK(0, 1);
	for (slot = 0; slot < 5000; slot++)
		SWITCH(20 * slot, 0, 11, BLOCKED);
	HAND_OVER();
	/* An archive that is as long as a writer's buffer, and a longer one. */
	CHUNK(0, 20 * slot);
	for (; slot < 10000; slot++)
		SWITCH(20 * slot, 0, 11, BLOCKED);
	HAND_OVER();
	EXPECT_EQ(-ENOSPC, counters_write(self->c, w, AT(20 * slot)));
	EXPECT_EQ(-ENOSPC, fxt_writer_close(w));
}
