// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Ledgers, losses, and inconsistencies that the archive explains: threads are hidden, become others
 * or are seen by clocks that differ. Each wrong ledger gives one violation at its byte; an
 * explained inconsistency is a note.
 */
#include "sched_fixture.h"

/* CPU 0 has two sub-buffers, the second one in two parts. The caller selects the fault. */
struct ledgers {
	uint64_t head[2];
	uint64_t continued;
	uint64_t closing;
};

static struct ledgers tell_ledgers(struct story *s, unsigned int fault)
{
	struct ledgers l;

	STORY(s, "threads");
	l.head[0] = story_chunk(s, 0, fault == 1 ? 1001 : 1000);
	STORY(s, "1000 11>12; 2000 12>11");
	if (fault == 2)
		s->streams[0].written++;
	if (fault == 3)
		s->streams[0].sequence++;
	if (fault == 4)
		s->streams[0].last++;
	if (fault == 11)
		s->streams[0].last--;
	l.head[1] = story_chunk(s, 0, 3000);
	story_switch(s, 3000, 11, 12, FXT_THREAD_NEW);
	s->streams[0].written--;
	s->streams[0].last = 2000;
	if (fault == 5)
		s->streams[0].written++;
	l.continued = story_ledger(s, 0, FXT_LEDGER_CONTINUED,
				   s->streams[0].sequence - (fault == 6 ? 2 : 1), 3000);
	story_switch(s, 4000, 12, 11, FXT_THREAD_NEW);
	s->streams[0].written += fault != 5;
	l.closing = fault == 8 ? 0 :
		    story_ledger(s, 0, fault == 7 ? 9 : FXT_LEDGER_CLOSING,
				 s->streams[0].sequence, fault == 9 ? 3999 : 5000);
	if (fault == 10)
		l.closing = story_ledger(s, 0, FXT_LEDGER_CLOSING, s->streams[0].sequence, 5000);
	story_ledger(s, STORY_NAMES, FXT_LEDGER_CLOSING, 1, 5000);
	return l;
}

TEST_F(model, ledgers_are_right)
{
	tell_ledgers(&self->s, 0);
	EXPECT_CLEAN();
	EXPECT_EQ(8U, sched_model_totals(self->m)->stored);
	EXPECT_EQ(8U, sched_model_totals(self->m)->written);
}

TEST_F(model, ledger_time_of_the_next)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 1).head[0], 0);
}

TEST_F(model, ledger_counts)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 2).head[1], 0);
	EXPECT_IN(self->found[0].text, "written 3 is not stored 2 + lost 0");
}

TEST_F(model, ledger_sequence)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 3).head[1], 0);
}

TEST_F(model, ledger_time_of_the_last)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 4).head[1], 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 11).head[1], 0);
}

TEST_F(model, ledger_goes_on_otherwise)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 5).continued, 0);
}

TEST_F(model, ledger_goes_on_with_another)
{
	EXPECT_EQ(0, ({ tell_ledgers(&self->s, 6); run(self); }));
	EXPECT_LT(0U, count_of(self, true));
	EXPECT_TRUE(self->found[0].kind == SCHED_LEDGER);
}

TEST_F(model, ledger_of_unknown_kind)
{
	uint64_t offset = tell_ledgers(&self->s, 7).closing;

	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_LEDGER, true, offset)) log_found(_metadata, self);
}

/* A truncated archive is reported at the last ledger of each stream. */
TEST_F(model, ledger_not_closed)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 8).continued, 0);
}

TEST_F(model, ledger_stops_too_early)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 9).closing, 0);
}

TEST_F(model, ledger_after_the_closing)
{
	EXPECT_ONLY(SCHED_LEDGER, tell_ledgers(&self->s, 10).closing, 0);
}

/* Thread 12 was switched in, slept and moved to CPU 1 while CPU 0 lost records. */
static uint64_t tell_loss(struct story *s)
{
	uint64_t offset;

	offset = STORY(s, "threads; 0@1000 0>11; 2000 11>12 S; !lose 0 5 @6000; 6000 11>0; "
			  "1@5000 0>12; end 9500");
	return offset;
}

TEST_F(model, loss)
{
	const struct spanned unknown = span(12, 2000, 5000, '?', '?', NONE, -1, NONE);
	const struct spanned cut = span(12, 2000, 2000, 'O', '?', 0, -1, NONE);
	uint64_t offset = tell_loss(&self->s);

	EXPECT_NOTE(SCHED_LOSS, offset);
	EXPECT_EQ(5U, sched_model_totals(self->m)->lost);
	EXPECT_EQ(sched_model_totals(self->m)->written, sched_model_totals(self->m)->stored + 5);
	/* 11 sleeps at its last record, but is switched out after the gap. */
	EXPECT_TRUE(self->found[self->found_count - 1].kind == SCHED_AFTER_LOSS);
	EXPECT_TRUE(has_span(self, &cut));
	EXPECT_TRUE(has_span(self, &unknown));
	EXPECT_EQ(0U, ran(self, 12));
}

/* The loss is the same, but no ledger shows it. */
TEST_F(model, loss_in_silence)
{
	STORY(&self->s, "threads; 0@1000 0>11; 2000 11>12 S; 6000 11>12; 7000 12>0; 1@5000 0>12; "
			"end 9500");
	EXPECT_EQ(0, run(self));
	EXPECT_LT(1U, count_of(self, true));
}

static void tell_loss_in(struct story *s, unsigned int ways, uint32_t records, uint64_t *offset)
{
	STORY(s, "threads; 0@1000 0>11");
	story_tell_loss(s, 0, 1000, 3000, records, ways);
	s->now->written += 5;
	s->now->lost += 5;
	*offset = story_chunk(s, 0, 3000);
	STORY(s, "3000 12>0; end 9500");
}

TEST_F(model, loss_without_event)
{
	tell_loss_in(&self->s, STORY_SLICE, 5, &self->at);
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, self->at, 1);
}

TEST_F(model, loss_without_slice)
{
	tell_loss_in(&self->s, STORY_EVENT, 5, &self->at);
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, self->at, 1);
}

TEST_F(model, loss_of_another_size)
{
	tell_loss_in(&self->s, STORY_EVENT | STORY_SLICE, 4, &self->at);
	/* The violation is at the slice, six words before the ledger. */
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, self->at - 6 * FXT_WORD, 1);
}

TEST_F(model, loss_that_is_none)
{
	STORY(&self->s, "threads; 0@1000 0>11");
	self->at = built_bytes(&self->s.b);
	story_tell_loss(&self->s, 0, 1000, 3000, 5, STORY_SLICE);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_LOSS_UNTOLD, self->at, 0);
}

TEST_F(model, loss_at_the_end)
{
	STORY(&self->s, "threads; 0@1000 0>11");
	story_tell_loss(&self->s, 0, 1000, 9500, 7, STORY_EVENT | STORY_SLICE);
	self->s.now->written += 7;
	self->s.now->lost += 7;
	story_end(&self->s, 9500);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(1U, count_of(self, false));
	EXPECT_EQ(7U, sched_model_totals(self->m)->lost);
}

/* Where names were lost, a thread may have none. */
TEST_F(model, loss_of_names)
{
	self->at = STORY(&self->s, "threads; 0@1000 wake 14 by 11");
	story_lose(&self->s, STORY_NAMES, 3, 2000);
	story_end(&self->s, 9500);
	EXPECT_NOTE(SCHED_UNNAMED, self->at);
}

/* Thread 1 is switched in and never out; the kernel hides its events. */
TEST_F(model, hidden)
{
	STORY(&self->s, "threads; name 1 init; 0@1000 11>12 S; 2000 12>1 S");
	/* 1 wakes 11 and 12, and leaves the CPU to 11. */
	STORY_NOTE(SCHED_HIDDEN, "!4000 11>12; 5000 wake 1 by 12 on 0; 6000 12>1; "
				 "7000 wake 1 on 0; 8000 12>11; 8500 11>1; end 9500");
	EXPECT_EQ(2U, self->found[0].count);
	EXPECT_EQ(2U, count_of(self, false)) log_found(_metadata, self);
}

/*
 * A thread of process 1 is on CPU 0 as the recording begins, wakes 11 and 12, and leaves the CPU
 * to 12, which CPU 1 has woken already. It does not appear again, unless @seen: then it is
 * switched out once.
 */
static uint64_t tell_of_init(struct story *s, bool seen)
{
	uint64_t first;

	first = STORY(s, "threads; name 1 init; 1@1000 wake 12; 1500 11>13 S; 2500 13>11; "
			 "0@3000 12>13");
	if (seen)
		STORY(s, "3500 wake 1 by 13 on 0; 4000 13>1; 5000 1>13 S");
	story_end(s, 9500);
	return first;
}

TEST_F(model, hidden_at_the_beginning)
{
	tell_of_init(&self->s, false);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(1U, count_of(self, false));
	EXPECT_TRUE(self->found[0].kind == SCHED_HIDDEN && self->found[0].count == 2);
}

TEST_F(model, hidden_at_no_beginning)
{
	uint64_t first = tell_of_init(&self->s, true);

	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_CHAIN, true, first)) log_found(_metadata, self);
	EXPECT_EQ(2U, count_of(self, true));
}

/* The thread is switched out later, so it was not hidden. */
TEST_F(model, hidden_and_yet_seen)
{
	STORY_ONLY(SCHED_CHAIN, "threads; 0@1000 11>12; !2000 11>12; 3000 12>0; end 9500");
}

/* One thread causes many breaks: all are counted, but few are printed. */
TEST_F(model, hidden_many)
{
	unsigned int i, breaks = 1000;
	uint64_t count = 0;

	STORY(&self->s, "threads; 0@1000 11>12");
	for (i = 0; i < breaks; i++)
		story_switch(&self->s, 2000 + i, 11, 12, FXT_THREAD_NEW);
	STORY(&self->s, "8000 12>11; end 9500");
	EXPECT_EQ(0, run(self));
	for (i = 0; i < self->found_count; i++) {
		EXPECT_TRUE(self->found[i].violation);
		count += self->found[i].count;
	}
	EXPECT_EQ(breaks, count);
	EXPECT_LT(self->found_count, 10U);
}

TEST_F(model, exec)
{
	STORY_NOTE(SCHED_EXEC, "threads; 0@1000 11>12 Z; !2000 11>0 S; 3000 wake 11; 4000 0>11; "
			       "end 9500");
	EXPECT_EQ(1U, self->found_count) log_found(_metadata, self);
}

/* The old leader still exits, under the other thread's id. */
TEST_F(model, exec_while_the_leader_dies)
{
	STORY_NOTE(SCHED_EXEC, "threads; 0@1000 0>12; !3000 11>0 S; 1@500 0>11; 3500 12>0 X; "
			       "end 9500");
	EXPECT_EQ(2U, self->found_count) log_found(_metadata, self);
}

/* Two CPUs' clocks differ by less than the tolerance: the consistent order counts. */
TEST_F(model, clock_step)
{
	STORY(&self->s, "threads; 0@1000 0>11; 3000 11>0 S; 1@2700 wake 11; 2800 0>11; end 9500");
	EXPECT_CLEAN();
}

/* The same for a thread that is preempted and switched in on another CPU. */
TEST_F(model, clock_step_of_a_preempted_thread)
{
	STORY(&self->s, "threads; 0@1000 0>11; 3000 11>0; 1@2800 0>11; end 9500");
	EXPECT_CLEAN();
	EXPECT_EQ(2000U, ran(self, 11));
}

TEST_F(model, more_than_a_clock_step)
{
	STORY_ONLY(SCHED_TWO_CPUS, "threads; 0@1000 0>11; 3300 11>0; 1@2700; !2700 0>11; end 9500");
}
