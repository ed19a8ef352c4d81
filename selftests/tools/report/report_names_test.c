// SPDX-License-Identifier: GPL-2.0-or-later
/* fxt report by name: each name has the sums of its threads, and processes are unchanged. */
#include "report_fixture.h"

/* The story of report_story.h, in which 12 and 13 of process 11 and 21 are compilers. */
static void story_of_names(struct story *s)
{
	STORY(s, "names@1; name 11 make; name 12/11 cc1; name 13/11 cc1; name 21 cc1");
	story_events_of_report(s, 1);
	story_end(s, 31000);
}

TEST_F(report, names)
{
	const struct report_comm *c;

	story_of_names(&self->s);
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->comm_count);
	c = self->r->comms[0];
	EXPECT_STREQ("cc1", report_comm_name(c));
	EXPECT_EQ(2U, c->processes);
	EXPECT_EQ(3U, c->sum.threads);
	EXPECT_COUNTS(&c->sum.n, 23200, 4, 1, 1, 3, 1);
	EXPECT_HIST(&c->sum.waits[REPORT_WOKEN]->hist, 3, 4800, 3000);
	EXPECT_HIST(&c->sum.waits[REPORT_PREEMPTED]->hist, 1, 4000, 4000);
	EXPECT_EQ(5000U, c->sum.waits[REPORT_WOKEN]->max_time);
	ASSERT_EQ(2U, c->sum.waker_count);
	EXPECT_EQ(11U, koid_of(c->sum.wakers[0].thread));
	EXPECT_EQ(2U, c->sum.wakers[0].count);
	EXPECT_EQ(UINT64_MAX, koid_of(c->sum.wakers[1].thread));
	EXPECT_EQ(FXT_SCHED_IRQ_HARD, c->sum.wakers[1].irq);
	c = self->r->comms[1];
	EXPECT_STREQ("make", report_comm_name(c));
	EXPECT_EQ(1U, c->processes);
	EXPECT_EQ(1U, c->sum.threads);
	EXPECT_COUNTS(&c->sum.n, 7500, 2, 1, 0, 0, 1);
	EXPECT_EQ(0U, c->sum.waker_count);
	ASSERT_EQ(2U, self->r->process_count);
	EXPECT_EQ(1U, self->r->processes[0]->sum.threads);
	EXPECT_EQ(3U, self->r->processes[1]->sum.threads);
}

/* Each thread wakes the next one. Threads of one name are a single waker. */
TEST_F(report, wakers_by_name)
{
	struct story *s = &self->s;
	const struct report_comm *c;

	STORY(s, "names@1; name 11 sh; name 12 sh; name 13 sh; name 21 cc1; "
		 "0@1000 0>11; 2000 wake 12 by 11; 3000 11>12 S; 4000 wake 13 by 12; "
		 "5000 12>13 S; 6000 wake 21 by 13; 7000 13>21 S; 8000 wake 11 by 21; end 9000");
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->comm_count);
	c = self->r->comms[0];
	EXPECT_STREQ("sh", c->name);
	ASSERT_EQ(2U, c->sum.waker_count);
	EXPECT_STREQ("sh", report_name(c->sum.wakers[0].thread));
	EXPECT_EQ(2U, c->sum.wakers[0].count);
	EXPECT_STREQ("cc1", report_name(c->sum.wakers[1].thread));
	EXPECT_EQ(1U, c->sum.wakers[1].count);
}

/* Threads without a name are one row, of one unknown process. */
TEST_F(report, no_names)
{
	REPORT_STORY("names@1; name 11 eleven; 0@1000 11>12; 2000 12>13; 3000 13>11; end 4000");
	ASSERT_EQ(2U, self->r->comm_count);
	EXPECT_STREQ("", self->r->comms[0]->name);
	EXPECT_STREQ("?", report_comm_name(self->r->comms[0]));
	EXPECT_EQ(2U, self->r->comms[0]->sum.threads);
	EXPECT_EQ(1U, self->r->comms[0]->processes);
	EXPECT_EQ(2000U, self->r->comms[0]->sum.n.run);
}

/* A name counts the threads that are shown. */
TEST_F(report, names_shown)
{
	story_of_names(&self->s);
	ASSERT_EQ(NULL, filter_add_ids(&self->o.filter.pids, "21"));
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->comm_count);
	EXPECT_STREQ("cc1", self->r->comms[0]->name);
	EXPECT_EQ(1U, self->r->comms[0]->sum.threads);
	EXPECT_EQ(17200U, self->r->comms[0]->sum.n.run);
	EXPECT_EQ(1U, self->r->thread_count);
}

static const char *first_by(FIXTURE_DATA(report) *self, enum report_sort sort)
{
	self->o.sort = sort;
	return report(self) || self->r->comm_count != 2 ? "?" : self->r->comms[0]->name;
}

/*
 * The same story, except that make and its first child have one name, whose waits are the longest.
 */
TEST_F(report, orders_of_names)
{
	STORY(&self->s, "names@1; name 11 b; name 12/11 b; name 13/11 a; name 21 a");
	story_events_of_report(&self->s, 1);
	story_end(&self->s, 31000);
	EXPECT_STREQ("a", first_by(self, REPORT_SORT_RUN));
	EXPECT_STREQ("a", first_by(self, REPORT_SORT_SHARE));
	EXPECT_STREQ("b", first_by(self, REPORT_SORT_SWITCHES));
	EXPECT_STREQ("b", first_by(self, REPORT_SORT_MIGRATIONS));
	EXPECT_STREQ("b", first_by(self, REPORT_SORT_WAKEUPS));
	EXPECT_STREQ("b", first_by(self, REPORT_SORT_WAIT));
	EXPECT_STREQ("a", first_by(self, REPORT_SORT_MAX));
	EXPECT_STREQ("a", first_by(self, REPORT_SORT_NAME));
	EXPECT_STREQ("a", first_by(self, REPORT_SORT_PID));
}
