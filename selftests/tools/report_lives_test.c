// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_lives_test.c - fxt report on programs that run under one id, one after the other.
 *
 * In:  a story: 20 is prog-aaa, with a thread 21, for 3000 ns; then it is prog-bbb for
 *      1000 ns, and 21 is a thread of 11.
 */
#include "report_fixture.h"

static void tell(struct story *s)
{
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "parent");
	story_name(s, 20, 20, "prog-aaa");
	story_name(s, 21, 20, "thread-aaa");
	story_fork(s, 20, 20, "parent", 10000);
	story_event(s, 20, 20, "prog-bbb", FXT_STR_EXEC, 10100);
	story_fork(s, 21, 11, "thread-ccc", 12000);
	story_chunk(s, 0, 1000);
	story_switch(s, 1000, 0, 20, FXT_THREAD_NEW);
	story_switch(s, 3000, 20, 21, FXT_THREAD_DYING);
	story_switch(s, 4000, 21, 11, FXT_THREAD_DEAD);
	story_wake(s, 10200, 0, 20, 11);
	story_switch(s, 10300, 11, 20, FXT_THREAD_BLOCKED);
	story_switch(s, 11300, 20, 0, FXT_THREAD_DYING);
	story_wake(s, 12100, 0, 21, 11);
	story_switch(s, 12200, 0, 21, FXT_THREAD_NEW);
	story_switch(s, 12700, 21, 0, FXT_THREAD_BLOCKED);
	story_end(s, 13000);
}

static const struct report_thread *named(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_thread none;
	size_t i;

	for (i = 0; i < self->r->thread_count; i++)
		if (!strcmp(report_name(self->r->threads[i]), name))
			return self->r->threads[i];
	return &none;
}

static const struct report_process *process(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_process none;
	size_t i;

	for (i = 0; i < self->r->process_count; i++)
		if (!strcmp(report_process_name(self->r->processes[i]), name))
			return self->r->processes[i];
	return &none;
}

TEST_F(report, each_life_has_its_time)
{
	tell(&self->s);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	ASSERT_EQ(5U, self->r->thread_count);
	EXPECT_EQ(2000U, named(self, "prog-aaa")->n.run);
	EXPECT_EQ(1000U, named(self, "thread-aaa")->n.run);
	EXPECT_EQ(1000U, named(self, "prog-bbb")->n.run);
	EXPECT_EQ(500U, named(self, "thread-ccc")->n.run);
	EXPECT_HIST(hist(named(self, "prog-bbb"), REPORT_WOKEN), 1, 100, 100);
	EXPECT_EQ(0U, hist(named(self, "prog-aaa"), REPORT_WOKEN)->count);
}

TEST_F(report, each_life_has_its_process)
{
	const struct report_process *p;

	tell(&self->s);
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(3U, self->r->process_count);
	p = process(self, "prog-aaa");
	EXPECT_EQ(20U, p->koid);
	EXPECT_EQ(0U, p->nth);
	EXPECT_EQ(2U, p->sum.threads);
	EXPECT_EQ(3000U, p->sum.n.run);
	p = process(self, "prog-bbb");
	EXPECT_EQ(20U, p->koid);
	EXPECT_EQ(1U, p->nth);
	EXPECT_EQ(1U, p->sum.threads);
	EXPECT_EQ(1000U, p->sum.n.run);
	p = process(self, "parent");
	EXPECT_EQ(2U, p->sum.threads);
}

/* --comm selects one of the lives; --pid selects the threads that belonged to that process. */
TEST_F(report, lives_are_chosen)
{
	tell(&self->s);
	filter_set_comm(&self->o.filter, "prog-b*");
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->thread_count);
	EXPECT_EQ(1000U, self->r->threads[0]->n.run);
	self->o.filter.by_comm = false;
	ASSERT_EQ(0, filter_add_ids(&self->o.filter.pids, "11"));
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->thread_count);
	EXPECT_EQ(500U, thread(self, 21)->n.run);
	EXPECT_EQ(1U, self->r->process_count);
}

TEST_HARNESS_MAIN
