// SPDX-License-Identifier: GPL-2.0-or-later
/* The engine of fxt report: the numbers of report_story.h. */
#include "event_story.h"
#include "report_fixture.h"

#define NOBODY	UINT64_MAX

static void expect_story(struct __test_metadata *_metadata, FIXTURE_DATA(report) *self)
{
	const struct report_totals *n = &self->r->totals;

	ASSERT_EQ(4U, self->r->thread_count);
	EXPECT_COUNTS(&thread(self, 11)->n, 7500, 2, 1, 0, 0, 1);
	EXPECT_COUNTS(&thread(self, 12)->n, 5000, 2, 0, 1, 2, 0);
	EXPECT_COUNTS(&thread(self, 13)->n, 1000, 0, 0, 0, 0, 1);
	EXPECT_COUNTS(&thread(self, 21)->n, 17200, 2, 1, 0, 1, 0);
	EXPECT_COUNTS(&n->n, 30700, 6, 2, 1, 3, 2);
	EXPECT_HIST(hist(thread(self, 11), REPORT_WOKEN), 0, 0, 0);
	EXPECT_HIST(hist(thread(self, 11), REPORT_PREEMPTED), 1, 1000, 1000);
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 2, 4000, 3000);
	EXPECT_HIST(hist(thread(self, 12), REPORT_PREEMPTED), 0, 0, 0);
	EXPECT_HIST(hist(thread(self, 21), REPORT_WOKEN), 1, 800, 800);
	EXPECT_HIST(hist(thread(self, 21), REPORT_PREEMPTED), 1, 4000, 4000);
	EXPECT_EQ(5000U, thread(self, 12)->waits[REPORT_WOKEN]->max_time);
	EXPECT_EQ(0U, thread(self, 12)->waits[REPORT_WOKEN]->max_cpu);
	EXPECT_EQ(1U, thread(self, 21)->waits[REPORT_WOKEN]->max_cpu);
	EXPECT_HIST(&n->waits[REPORT_WOKEN]->hist, 3, 4800, 3000);
	EXPECT_HIST(&n->waits[REPORT_PREEMPTED]->hist, 2, 5000, 4000);
	EXPECT_EQ(4000U, report_hist_percentile(&n->waits[REPORT_PREEMPTED]->hist, 900));
	EXPECT_EQ(0U, n->violations);
	EXPECT_EQ(4U, n->threads);
	EXPECT_EQ(2U, n->processes);
	EXPECT_EQ(9U, n->switches);
	EXPECT_EQ(1000U, n->from);
	EXPECT_EQ(31000U, n->to);
}

TEST_F(report, threads)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, report(self));
	expect_story(_metadata, self);
	EXPECT_EQ(21U, koid_of(self->r->threads[0]));
	EXPECT_EQ(11U, koid_of(self->r->threads[1]));
	EXPECT_EQ(12U, koid_of(self->r->threads[2]));
	EXPECT_EQ(13U, koid_of(self->r->threads[3]));
	EXPECT_EQ(17200 / 60000.0, report_share(self->r, thread(self, 21)->n.run));
	EXPECT_STREQ("other", report_name(thread(self, 21)));
}

TEST_F(report, names_at_the_end)
{
	story_of_report(&self->s, 1, true);
	ASSERT_EQ(0, report(self));
	expect_story(_metadata, self);
	EXPECT_STREQ("eleven", report_name(thread(self, 11)));
	EXPECT_EQ(11U, thread(self, 13)->process->koid);
}

/* Two ticks of the clock are one ns. */
TEST_F(report, ticks)
{
	BUILD(&self->s.b, fxt_initialization(), 2000000000);
	story_of_report(&self->s, 2, false);
	ASSERT_EQ(0, report(self));
	expect_story(_metadata, self);
	EXPECT_WAIT(0, 21, REPORT_PREEMPTED, 4000, 25000, 1, NOBODY, 12, 4000);
}

TEST_F(report, processes)
{
	const struct report_process *p;

	story_of_report(&self->s, 1, true);
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->process_count);
	p = self->r->processes[0];
	EXPECT_EQ(21U, p->koid);
	EXPECT_EQ(1U, p->sum.threads);
	p = self->r->processes[1];
	EXPECT_EQ(11U, p->koid);
	EXPECT_TRUE(p->is_known);
	EXPECT_EQ(3U, p->sum.threads);
	EXPECT_STREQ("eleven", report_process_name(p));
	EXPECT_COUNTS(&p->sum.n, 13500, 4, 1, 1, 2, 2);
	EXPECT_HIST(&p->sum.waits[REPORT_WOKEN]->hist, 2, 4000, 3000);
	EXPECT_HIST(&p->sum.waits[REPORT_PREEMPTED]->hist, 1, 1000, 1000);
	EXPECT_EQ(5000U, p->sum.waits[REPORT_WOKEN]->max_time);
	/* It was woken once by 11 and once by an interrupt. Interrupts are listed first. */
	ASSERT_EQ(2U, p->sum.waker_count);
	EXPECT_EQ(NOBODY, koid_of(p->sum.wakers[0].thread));
	EXPECT_EQ(FXT_SCHED_IRQ_HARD, p->sum.wakers[0].irq);
	EXPECT_EQ(11U, koid_of(p->sum.wakers[1].thread));
	EXPECT_EQ(1U, p->sum.wakers[1].count);
}

/* A process may have another name than its first thread, or none. */
TEST_F(report, names_of_processes)
{
	story_names_of_report(&self->s);
	story_object(&self->s, FXT_OBJECT_PROCESS, 11, 0, "a process");
	story_object(&self->s, FXT_OBJECT_PROCESS, 21, 0, "");
	REPORT_STORY("0@1000 0>11; 3000 11>21; end 4000");
	ASSERT_EQ(2U, self->r->process_count);
	EXPECT_STREQ("a process", report_process_name(self->r->processes[0]));
	EXPECT_STREQ("other", report_process_name(self->r->processes[1]));
	EXPECT_STREQ("eleven", report_name(thread(self, 11)));
}

/* Expect a CPU's times, and the longest slice of a thread there. */
#define EXPECT_CPU(nth_, busy_, idle_, switches_, longest_, from_, tid_)	\
	do {									\
		const struct report_cpu *cpu = self->r->cpus[nth_];		\
										\
		EXPECT_EQ(nth_, cpu->number);					\
		EXPECT_EQ((uint64_t)(busy_), cpu->busy);			\
		EXPECT_EQ((uint64_t)(idle_), cpu->idle);			\
		EXPECT_EQ((uint64_t)(switches_), cpu->switches);		\
		EXPECT_EQ((uint64_t)(longest_), cpu->longest);			\
		EXPECT_EQ((uint64_t)(from_), cpu->longest_from);		\
		EXPECT_EQ((uint64_t)(tid_), koid_of(cpu->longest_thread));	\
	} while (0)

TEST_F(report, cpus)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->cpu_count);
	EXPECT_CPU(0, 9500, 20500, 5, 4000, 1000, 11);
	EXPECT_CPU(1, 21200, 0, 4, 11200, 9800, 21);
	EXPECT_EQ(30700U, self->r->totals.busy);
	EXPECT_EQ(20500U, self->r->totals.idle);
}

TEST_F(report, worst)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(5U, self->r->worst_count);
	EXPECT_WAIT(0, 21, REPORT_PREEMPTED, 4000, 25000, 1, NOBODY, 12, 4000);
	EXPECT_WAIT(1, 12, REPORT_WOKEN, 3000, 5000, 0, 11, 11, 3000);
	EXPECT_WAIT(2, 11, REPORT_PREEMPTED, 1000, 6000, 0, NOBODY, 12, 1000);
	EXPECT_WAIT(3, 12, REPORT_WOKEN, 1000, 21000, 1, NOBODY, 21, 1000);
	EXPECT_IRQ(3, HARD, 1);
	EXPECT_WAIT(4, 21, REPORT_WOKEN, 800, 9800, 1, 11, NOBODY, 0);
	EXPECT_IRQ(4, NONE, REPORT_NO_CPU);
}

/* Only this number of waits is reported: of equal ones, the first. */
TEST_F(report, few_worst)
{
	story_of_report(&self->s, 1, false);
	self->o.worst = 3;
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(3U, self->r->worst_count);
	EXPECT_WAIT(0, 21, REPORT_PREEMPTED, 4000, 25000, 1, NOBODY, 12, 4000);
	EXPECT_WAIT(2, 11, REPORT_PREEMPTED, 1000, 6000, 0, NOBODY, 12, 1000);
}

/* 11 wakes 12 @count times, and @waits[i] later it is switched out for 12. */
static void tell_many(struct story *s, const uint64_t *waits, uint32_t count)
{
	uint64_t time = 1000;

	story_names_of_report(s);
	story_chunk(s, 0, time);
	for (uint32_t i = 0; i < count; i++, time += 2000) {
		STORY(s, "% 0>11; % wake 12 by 11 on 0; % 11>12 S; % 12>0 S", time, time + 1,
			 time + 1 + waits[i], time + 1990);
	}
	story_end(s, time);
}

static int longer_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

TEST_F(report, worst_of_many)
{
	uint64_t waits[500];

	for (uint32_t i = 0; i < 500; i++)
		waits[i] = 1 + i * 7919 % 997;
	tell_many(&self->s, waits, 500);
	self->o.worst = 37;
	ASSERT_EQ(0, report(self));
	qsort(waits, 500, sizeof(*waits), longer_first);
	ASSERT_EQ(37U, self->r->worst_count);
	for (uint32_t i = 0; i < 37; i++)
		EXPECT_EQ(waits[i], self->r->worst[i].latency);
}

TEST_F(report, worst_of_equal)
{
	const uint64_t waits[10] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };

	tell_many(&self->s, waits, 10);
	self->o.worst = 4;
	ASSERT_EQ(0, report(self));
	for (uint32_t i = 0; i < 4; i++)
		EXPECT_EQ(1008U + 2000 * i, self->r->worst[i].time);
}

/* Of two longest waits, the first is reported. */
TEST_F(report, equal_waits)
{
	uint64_t time = 1000;

	story_names_of_report(&self->s);
	story_chunk(&self->s, 0, time);
	for (uint32_t i = 0; i < 3; i++, time += 3000) {
		story_switch(&self->s, time, 0, 11, FXT_THREAD_NEW);
		STORY(&self->s, "% wake % by 11 on 0; % 11>% S; % %>0 S", time + 500, 12 + i % 2,
				time + 1000, 12 + i % 2, time + 1500, 12 + i % 2);
	}
	story_end(&self->s, time);
	ASSERT_EQ(0, report(self));
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 2, 1000, 500);
	EXPECT_EQ(2000U, thread(self, 12)->waits[REPORT_WOKEN]->max_time);
	EXPECT_EQ(5000U, thread(self, 13)->waits[REPORT_WOKEN]->max_time);
	EXPECT_EQ(2000U, thread(self, 12)->process->sum.waits[REPORT_WOKEN]->max_time);
	EXPECT_EQ(1000U, self->r->cpus[0]->longest);
	EXPECT_EQ(1000U, self->r->cpus[0]->longest_from);
}

/* 11 waits while 12 runs twice and 13 once, for longer than each run of 12. */
TEST_F(report, instead_is_a_sum)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>13; 2000 wake 12 by 13; 2100 wake 11 by 13; 2200 13>12; 4200 12>13; "
		     "7200 13>12; 9200 12>11; end 10000");
	EXPECT_WAIT(0, 11, REPORT_WOKEN, 7100, 9200, 0, 13, 12, 4000);
}

/* A thread that runs when a wait begins only counts from then on. */
TEST_F(report, idle_instead)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 11>0 S; 8000 wake 11; 9000 0>11; end 10000");
	EXPECT_WAIT(0, 11, REPORT_WOKEN, 1000, 9000, 0, NOBODY, 0, 1000);
	EXPECT_STREQ("(idle)", report_name(self->r->worst[0].occupants[0].thread));
}

/* Many switches during a wait: all of them count. */
TEST_F(report, instead_of_many)
{
	uint32_t i, out = 12, in = 13;

	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>12; 1001 wake 11 by 12");
	for (i = 0; i < 40000; i++) {
		story_switch(&self->s, 2000 + 10 * i, out, in, FXT_THREAD_NEW);
		out = in;
		in = 25 - in;
	}
	REPORT_STORY("% %>11; end %", 2000 + 10 * i, out, 3000 + 10 * i);
	EXPECT_EQ(11U, koid_of(self->r->worst[0].thread));
	EXPECT_EQ(400999U, self->r->worst[0].latency);
	EXPECT_EQ(0U, self->r->worst[0].others);
	EXPECT_OCCUPANT(0, 0, 12, 200999);
	EXPECT_OCCUPANT(0, 1, 13, 200000);
}

static void tell_pulled(struct story *s, bool is_recorded)
{
	story_names_of_report(s);
	STORY(s, "0@1000 13>0 S");
	if (is_recorded)
		event_migrate(s, 7000, 11, 11, 1, 0);
	STORY(s, "9000 0>11; 1@1000 0>11; 4000 11>12; 5000 12>21 S; 9500 21>0 S; end 10000");
}

/* Occupants are those of the CPU on whose run queue it waited at the time. */
TEST_F(report, pulled_to_another_cpu)
{
	tell_pulled(&self->s, true);
	ASSERT_EQ(0, report(self));
	EXPECT_WAIT(0, 11, REPORT_PREEMPTED, 5000, 9000, 0, NOBODY, 0, 2000);
	EXPECT_EQ(1, self->r->worst[0].from_cpu);
	ASSERT_EQ(3, self->r->worst[0].occupant_count);
	EXPECT_OCCUPANT(0, 1, 21, 2000);
	EXPECT_OCCUPANT(0, 2, 12, 1000);
}

/* Without a record of the move, nobody is to blame. */
TEST_F(report, pulled_at_an_unknown_time)
{
	tell_pulled(&self->s, false);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(11U, koid_of(self->r->worst[0].thread));
	EXPECT_EQ(0, self->r->worst[0].occupant_count);
	EXPECT_EQ(5000U, self->r->worst[0].unplaced);
}

/* Four threads run on the CPU in turn; the three that ran longest are reported, in order. */
TEST_F(report, three_occupants)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 2000 11>12; 3000 12>13 S; 7000 13>21 S; 9000 21>31 S; "
		     "12000 31>11 S; end 13000");
	EXPECT_WAIT(0, 11, REPORT_PREEMPTED, 10000, 12000, 0, NOBODY, 13, 4000);
	ASSERT_EQ(3, self->r->worst[0].occupant_count);
	EXPECT_OCCUPANT(0, 1, 31, 3000);
	EXPECT_OCCUPANT(0, 2, 21, 2000);
}

/*
 * 11 is preempted, 12 runs for a moment, and then the CPU is idle until 11 runs again, as with a
 * throttled cgroup. 13 waits longer, but for a busy CPU. 21 waits only as long as an idle CPU may
 * need to wake up.
 */
TEST_F(report, held_off_beside_an_idle_cpu)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 2000 11>12; 1002000 12>0 S; 9002000 0>11; "
		     "9003000 wake 13 by 11; 19003000 11>13 S; 19004000 13>0 S; 19005000 wake 21; "
		     "20004000 0>21; end 30000000");
	EXPECT_EQ(NULL, thread(self, 11)->waits[REPORT_PREEMPTED]);
	EXPECT_HIST(hist(thread(self, 11), REPORT_HELD), 1, 9000000, 9000000);
	EXPECT_HIST(hist(thread(self, 13), REPORT_WOKEN), 1, 10000000, 10000000);
	EXPECT_EQ(NULL, thread(self, 13)->waits[REPORT_HELD]);
	EXPECT_HIST(hist(thread(self, 21), REPORT_WOKEN), 1, 999000, 999000);
	EXPECT_WAIT(1, 11, REPORT_HELD, 9000000, 9002000, 0, NOBODY, 0, 8000000);
}

/* --- wakers ---------------------------------------------------------------------- */

/* @count other threads wake 11, once each, and 21 wakes it twice in between. */
static void tell_wakers(struct story *s, uint32_t count)
{
	uint64_t time = 1000;
	uint32_t i, waker;

	story_names_of_report(s);
	story_chunk(s, 0, time);
	for (i = 0; i < 3 * count; i++, time += 100) {
		waker = i % 3 ? 21 : 100 + i / 3;
		STORY(s, "% 11>% S; % wake 11 by % on 0; % %>11", time, waker, time + 20, waker,
			 time + 50, waker);
	}
	story_end(s, time);
}

TEST_F(report, few_wakers)
{
	const struct report_thread *t;

	tell_wakers(&self->s, REPORT_WAKERS - 1);
	ASSERT_EQ(0, report(self));
	t = thread(self, 11);
	ASSERT_EQ(REPORT_WAKERS, t->waker_count);
	EXPECT_WAKER(t, 0, 21, 2U * (REPORT_WAKERS - 1), 0);
	EXPECT_WAKER(t, 1, 100, 1U, 0);
}

/*
 * With more wakers than counters, frequent wakers are exact, and others have a bound of the error.
 */
TEST_F(report, many_wakers)
{
	const struct report_thread *t;

	tell_wakers(&self->s, 100);
	ASSERT_EQ(0, report(self));
	t = thread(self, 11);
	EXPECT_EQ(300U, t->n.wakeups);
	ASSERT_EQ(REPORT_WAKERS, t->waker_count);
	EXPECT_WAKER(t, 0, 21, 200U, 0);
	for (unsigned int i = 1; i < REPORT_WAKERS; i++)
		EXPECT_EQ(1U, t->wakers[i].count - t->wakers[i].over);
}

/* --- migrations -------------------------------------------------------------------- */

/* 11 ends on CPU 0 in @state, and another thread with its id begins on CPU 1. */
static void tell_rebirth(struct story *s, uint32_t state)
{
	story_names_of_report(s);
	STORY(s, "0@1000 0>11");
	story_switch(s, 2000, 11, 12, state);
	STORY(s, "3000 wake 11 by 12 on 1; 1@4000 0>11; end 5000");
}

TEST_F(report, migration)
{
	tell_rebirth(&self->s, FXT_THREAD_BLOCKED);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, thread(self, 11)->n.migrations);
}

TEST_F(report, another_thread_of_that_id)
{
	tell_rebirth(&self->s, FXT_THREAD_DEAD);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, thread(self, 11)->n.migrations);
}
