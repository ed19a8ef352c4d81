// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report if records are missing, inconsistent, late or hidden invents nothing: what the records
 * do not show is unknown.
 */
#include "report_fixture.h"

#define NOBODY	UINT64_MAX

/* CPU 0 loses records from 3000 to @to. Threads that wait in that time may have run. */
static void tell_loss(struct story *s, uint64_t to)
{
	story_names_of_report(s);
	STORY(s, "0@1000 0>11; 2500 wake 21 by 11 on 1; 3000 wake 12 by 11; lose 0 5 @%; % 11>12; "
		 "% 12>11 S; 1@2000 0>13; 3500 13>21; 9500 21>13 S; end %", to, to, to + 1000,
		 to + 1000);
}

TEST_F(report, loss)
{
	const struct report_cpu *cpu;

	tell_loss(&self->s, 9000);
	ASSERT_EQ(0, report(self));
	/* 11 ran until the last record before the loss, and waited again after the loss. */
	EXPECT_COUNTS(&thread(self, 11)->n, 2000, 1, 1, 0, 0, 1);
	EXPECT_HIST(hist(thread(self, 11), REPORT_PREEMPTED), 1, 1000, 1000);
	/* Waits that began before the loss or in it, on either CPU, are unknown. */
	EXPECT_EQ(0U, hist(thread(self, 12), REPORT_WOKEN)->count);
	EXPECT_EQ(1U, thread(self, 12)->n.unknown);
	EXPECT_EQ(0U, hist(thread(self, 21), REPORT_WOKEN)->count);
	EXPECT_EQ(1U, thread(self, 21)->n.unknown);
	EXPECT_EQ(0U, hist(thread(self, 13), REPORT_PREEMPTED)->count);
	EXPECT_EQ(2U, thread(self, 13)->n.unknown);
	cpu = self->r->cpus[0];
	EXPECT_EQ(5U, cpu->lost);
	EXPECT_EQ(6000U, cpu->gap);
	EXPECT_EQ(3000U, cpu->busy);
	EXPECT_EQ(0U, self->r->cpus[1]->lost);
	EXPECT_EQ(5U, self->r->totals.archive->lost);
	EXPECT_EQ(0U, self->r->totals.lost_names);
	/* The thread that had the CPU during the loss is unknown. */
	EXPECT_EQ(1U, self->r->worst_count);
	EXPECT_WAIT(0, 11, REPORT_PREEMPTED, 1000, 10000, 0, NOBODY, 12, 1000);
}

/* A wait that began before the loss and ended in it is unknown, though CPU 1 lost nothing. */
TEST_F(report, short_loss)
{
	tell_loss(&self->s, 3400);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, hist(thread(self, 21), REPORT_WOKEN)->count);
	/* This thread began to wait after the loss. */
	EXPECT_HIST(hist(thread(self, 13), REPORT_PREEMPTED), 1, 6000, 6000);
}

/* After a loss, the wait is known, but the running thread is unknown until the next switch. */
TEST_F(report, instead_behind_a_loss)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; lose 0 5 @5000; 5000 wake 12 by 13; 6000 13>12; end 12000");
	EXPECT_WAIT(1, 12, REPORT_WOKEN, 1000, 6000, 0, 13, NOBODY, 0);
	EXPECT_EQ(0U, thread(self, 13)->n.run);
}

/* A part of a recording: CPU 0 has records from 900 on, CPU 1 from 5000 on. */
static void open_stream(struct story *s, unsigned int stream, uint64_t time)
{
	s->streams[stream] = (struct story_stream){ time, 100, 0, 7 };
	story_ledger(s, stream, FXT_LEDGER_OPENING, 7, time);
	s->now = NULL;
}

TEST_F(report, part)
{
	open_stream(&self->s, STORY_NAMES, 900);
	open_stream(&self->s, 0, 900);
	open_stream(&self->s, 1, 5000);
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 2000 wake 12 by 11; 2500 wake 21 by 11; 3000 11>12 S; "
		     "6000 12>21 S; 7000 wake 11 by 21; 7500 21>11 S; 1@5500 0>13; end 9000");
	/* Before its first record, CPU 1 may have run them. */
	EXPECT_EQ(0U, hist(thread(self, 12), REPORT_WOKEN)->count);
	EXPECT_EQ(0U, hist(thread(self, 21), REPORT_WOKEN)->count);
	EXPECT_EQ(1U, thread(self, 21)->n.unknown);
	EXPECT_HIST(hist(thread(self, 11), REPORT_WOKEN), 1, 500, 500);
}

TEST_F(report, lost_names)
{
	story_names_of_report(&self->s);
	story_lose(&self->s, STORY_NAMES, 3, 1);
	REPORT_STORY("0@1000 0>11; 2000 wake 12 by 11; 3000 11>12; end 4000");
	EXPECT_EQ(3U, self->r->totals.lost_names);
	EXPECT_EQ(3U, self->r->totals.archive->lost);
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 1, 1000, 1000);
}

/* A full disk took all records of CPU 1: the loss is no longer than the archive. */
TEST_F(report, loss_of_all)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000000 0>11; 1003000 11>12; lose 1 3 @1004000; end 1004000");
	ASSERT_EQ(2U, self->r->cpu_count);
	EXPECT_EQ(3U, self->r->cpus[1]->lost);
	EXPECT_EQ(4000U, self->r->cpus[1]->gap);
}

/* CPU 1 is so late in the file that the events of its time have left memory. */
TEST_F(report, late)
{
	uint32_t i, out = 12, in = 13;

	story_names_of_report(&self->s);
	story_chunk(&self->s, 0, 10000);
	for (i = 0; i < 300000; i++) {
		story_switch(&self->s, 10000 + 10 * i, out, in, FXT_THREAD_NEW);
		out = in;
		in = 25 - in;
	}
	STORY(&self->s, "1@2000 0>11; 2500 wake 21 by 11; 3000 11>21; 4000 21>11 S; "
			"4500 wake 31 by 11; 5000 11>0 S");
	/* This switch is in time again. */
	REPORT_STORY("% 0>31; end %", 10000 + 10 * i, 20000 + 10 * i);
	EXPECT_EQ(6U, self->r->totals.archive->late);
	EXPECT_EQ(1U, thread(self, 31)->n.unknown);
	EXPECT_EQ(0U, hist(thread(self, 31), REPORT_WOKEN)->count);
	EXPECT_COUNTS(&thread(self, 11)->n, 2000, 2, 1, 0, 0, 2);
	EXPECT_COUNTS(&thread(self, 21)->n, 1000, 1, 0, 0, 1, 1);
	EXPECT_EQ(0U, hist(thread(self, 21), REPORT_WOKEN)->count);
	EXPECT_EQ(0U, hist(thread(self, 11), REPORT_PREEMPTED)->count);
}

/* The outgoing thread is not the one that was switched in. */
TEST_F(report, broken_chain)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 1500 wake 21 by 11; 5000 12>21; 6000 21>11 S; 6500 11>0 S; "
		     "end 7000");
	EXPECT_EQ(500U, thread(self, 11)->n.run);
	EXPECT_EQ(1000U, thread(self, 21)->n.run);
	EXPECT_EQ(1500U, self->r->cpus[0]->busy);
	EXPECT_LT(0U, self->r->totals.violations);
	EXPECT_WAIT(0, 21, REPORT_WOKEN, 3500, 5000, 0, 11, NOBODY, 0);
}

/*
 * The thread is switched in twice. Its switch-out is missing, so its wakeup does not count again.
 */
TEST_F(report, comes_in_twice)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 1500 wake 21 by 11; 2000 11>21 S; 5000 12>13; 6000 13>21; "
		     "7000 21>0 S; end 8000");
	EXPECT_HIST(hist(thread(self, 21), REPORT_WOKEN), 1, 500, 500);
	EXPECT_EQ(1U, thread(self, 21)->n.unknown);
	EXPECT_EQ(1000U, thread(self, 21)->n.run);
}

/* A wakeup of a thread that waits already does not make its wait shorter. */
TEST_F(report, woken_twice)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 2000 wake 12 by 11; 4000 wake 12 by 11; 5000 11>12; end 7000");
	EXPECT_EQ(2U, thread(self, 12)->n.wakeups);
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 1, 3000, 3000);
}

/* CPU 0 switches to 31 last. If 31 is the stopper of that CPU, it has not run since then. */
static void tell_stopper(struct story *s, const char *name)
{
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 31, 31, name);
	STORY(s, "0@1000 0>31; 1@1000 0>11; 9000 11>0 S; end 9000");
}

TEST_F(report, offline)
{
	tell_stopper(&self->s, "migration/0");
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, thread(self, 31)->n.run);
	EXPECT_EQ(0U, self->r->cpus[0]->busy);
}

TEST_F(report, runs_to_the_end)
{
	tell_stopper(&self->s, "migration/1");
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(8000U, thread(self, 31)->n.run);
	EXPECT_EQ(8000U, self->r->cpus[0]->busy);
}

TEST_F(report, nothing)
{
	REPORT_STORY("end 1000");
	EXPECT_EQ(0U, self->r->thread_count);
	EXPECT_EQ(0U, self->r->process_count);
	EXPECT_EQ(0U, self->r->cpu_count);
	EXPECT_EQ(0U, self->r->worst_count);
	EXPECT_EQ(0U, report_window(self->r));
}

/* No record has the process of this thread. */
TEST_F(report, no_process)
{
	REPORT_STORY("0@1000 0>11; 2000 11>12 S; end 2000");
	ASSERT_EQ(1U, self->r->process_count);
	EXPECT_FALSE(self->r->processes[0]->is_known);
	EXPECT_EQ(2U, self->r->processes[0]->sum.threads);
	EXPECT_EQ(1000U, self->r->processes[0]->sum.n.run);
	EXPECT_STREQ("?", report_process_name(self->r->processes[0]));
	EXPECT_STREQ("?", report_name(thread(self, 11)));
}
