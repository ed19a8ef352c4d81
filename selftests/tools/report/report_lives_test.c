// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report on programs that run under one id: 20 is prog-aaa, with a thread 21, for 3000 ns; then
 * it is prog-bbb for 1000 ns, and 21 is a thread of 11.
 */
#include "report_fixture.h"

static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 parent; name 20 prog-aaa; name 21/20 thread-aaa; "
		 "10000 20/20 begins parent");
	story_event(s, 20, 20, "prog-bbb", FXT_STR_EXEC, 10100);
	STORY(s, "12000 21/11 begins thread-ccc; 0@1000 0>20; 3000 20>21 X; 4000 21>11 Z; "
		 "10200 wake 20 by 11; 10300 11>20 S; 11300 20>0 X; 12100 wake 21 by 11; "
		 "12200 0>21; 12700 21>0 S; end 13000");
}

static const struct report_thread *named(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_thread none;

	for (size_t i = 0; i < self->r->thread_count; i++)
		if (!strcmp(report_name(self->r->threads[i]), name))
			return self->r->threads[i];
	return &none;
}

static const struct report_process *process(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_process none;

	for (size_t i = 0; i < self->r->process_count; i++)
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
	ASSERT_EQ(NULL, filter_add_ids(&self->o.filter.pids, "11"));
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->thread_count);
	EXPECT_EQ(500U, thread(self, 21)->n.run);
	EXPECT_EQ(1U, self->r->process_count);
}
