// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters and order of fxt report: rows, counts, sort keys. */
#include "report_fixture.h"

#define NOBODY	UINT64_MAX

static void add_pids(struct report_options *o, const char *list)
{
	if (filter_add_ids(&o->filter.pids, list))
		abort();
}

static void expect_totals(struct __test_metadata *_metadata, FIXTURE_DATA(report) *self)
{
	EXPECT_COUNTS(&self->r->totals.n, 30700, 6, 2, 1, 3, 2);
	EXPECT_EQ(9U, self->r->totals.switches);
	EXPECT_EQ(4U, self->r->totals.threads);
	EXPECT_EQ(2U, self->r->totals.processes);
	EXPECT_EQ(9500U, self->r->cpus[0]->busy);
	EXPECT_EQ(21200U, self->r->cpus[1]->busy);
}

TEST_F(report, of_a_process)
{
	story_of_report(&self->s, 1, true);
	add_pids(&self->o, "11,99");
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(3U, self->r->thread_count);
	ASSERT_EQ(1U, self->r->process_count);
	EXPECT_EQ(11U, self->r->processes[0]->koid);
	EXPECT_EQ(7500 / 60000.0, report_share(self->r, thread(self, 11)->n.run));
	EXPECT_HIST(&self->r->totals.waits[REPORT_WOKEN]->hist, 2, 4000, 3000);
	ASSERT_EQ(3U, self->r->worst_count);
	EXPECT_WAIT(0, 12, REPORT_WOKEN, 3000, 5000, 0, 11, 11, 3000);
	EXPECT_WAIT(1, 11, REPORT_PREEMPTED, 1000, 6000, 0, NOBODY, 12, 1000);
	EXPECT_WAIT(2, 12, REPORT_WOKEN, 1000, 21000, 1, NOBODY, 21, 1000);
	EXPECT_IRQ(2, HARD, 1);
	expect_totals(_metadata, self);
}

TEST_F(report, of_two_processes)
{
	story_of_report(&self->s, 1, false);
	add_pids(&self->o, "21");
	add_pids(&self->o, "11");
	self->o.worst = 2;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(4U, self->r->thread_count);
	ASSERT_EQ(2U, self->r->worst_count);
	EXPECT_WAIT(0, 21, REPORT_PREEMPTED, 4000, 25000, 1, NOBODY, 12, 4000);
	EXPECT_WAIT(1, 12, REPORT_WOKEN, 3000, 5000, 0, 11, 11, 3000);
	expect_totals(_metadata, self);
}

TEST_F(report, of_a_name)
{
	story_of_report(&self->s, 1, true);
	filter_set_comm(&self->o.filter, "t*");
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, self->r->thread_count);
	EXPECT_EQ(12U, koid_of(self->r->threads[0]));
	EXPECT_EQ(13U, koid_of(self->r->threads[1]));
	ASSERT_EQ(1U, self->r->process_count);
	/* A process is the sum of all of its threads. */
	EXPECT_EQ(13500U, self->r->processes[0]->sum.n.run);
	EXPECT_EQ(2U, self->r->worst_count);
	expect_totals(_metadata, self);
}

/* A process is shown if one of its threads matches. */
TEST_F(report, of_one_thread)
{
	static const char *const names[] = { "eleven", "twelve", "thirteen" };

	story_of_report(&self->s, 1, true);
	for (size_t i = 0; i < 3; i++) {
		filter_set_comm(&self->o.filter, names[i]);
		ASSERT_EQ(0, report(self));
		EXPECT_EQ(1U, self->r->thread_count);
		EXPECT_EQ(1U, self->r->process_count);
	}
}

TEST_F(report, of_a_name_and_process)
{
	story_of_report(&self->s, 1, false);
	filter_set_comm(&self->o.filter, "t*");
	add_pids(&self->o, "21");
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->thread_count);
	EXPECT_EQ(0U, self->r->process_count);
	EXPECT_EQ(0U, self->r->worst_count);
	EXPECT_EQ(NULL, self->r->totals.waits[REPORT_WOKEN]);
	expect_totals(_metadata, self);
}

TEST_F(report, of_a_cpu)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(NULL, filter_add_cpus(&self->o.filter, "1"));
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->cpu_count);
	EXPECT_EQ(1U, self->r->cpus[0]->number);
	EXPECT_EQ(21200U, self->r->totals.busy);
	EXPECT_EQ(4U, self->r->totals.switches);
	ASSERT_EQ(2U, self->r->thread_count);
	EXPECT_COUNTS(&thread(self, 12)->n, 4000, 1, 0, 1, 1, 0);
	EXPECT_COUNTS(&thread(self, 21)->n, 17200, 2, 1, 0, 1, 0);
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 1, 1000, 1000);
	ASSERT_EQ(3U, self->r->worst_count);
	EXPECT_EQ(17200 / 30000.0, report_share(self->r, thread(self, 21)->n.run));
	/* The totals of the archive do not change. */
	EXPECT_EQ(9U, self->r->totals.archive->switches);
}

/* The range includes both ends; run times are clipped to it, a wait counts where it ends. */
TEST_F(report, of_a_time)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.from, "0.000005"));
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.to, "0.000021"));
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(5000U, self->r->totals.from);
	EXPECT_EQ(21000U, self->r->totals.to);
	EXPECT_COUNTS(&thread(self, 11)->n, 3500, 2, 1, 0, 0, 0);
	EXPECT_COUNTS(&thread(self, 12)->n, 1000, 1, 0, 1, 1, 0);
	EXPECT_COUNTS(&thread(self, 21)->n, 11200, 1, 1, 0, 1, 0);
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 2, 4000, 3000);
	EXPECT_EQ(0U, thread(self, 13)->n.run);
	EXPECT_EQ(4500U, self->r->cpus[0]->busy);
	EXPECT_EQ(11500U, self->r->cpus[0]->idle);
	EXPECT_EQ(11200U, self->r->cpus[1]->busy);
	EXPECT_EQ(3500U, self->r->cpus[0]->longest);
	EXPECT_EQ(6000U, self->r->cpus[0]->longest_from);
	EXPECT_EQ(3U, self->r->cpus[0]->switches);
	EXPECT_EQ(4U, self->r->worst_count);
	EXPECT_EQ(9U, self->r->totals.archive->switches);
}

/* The range is one ns shorter at each end. */
TEST_F(report, of_less_time)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.from, "0.000005001"));
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.to, "0.000020999"));
	ASSERT_EQ(0, report(self));
	EXPECT_COUNTS(&thread(self, 11)->n, 3500, 1, 0, 0, 0, 0);
	EXPECT_COUNTS(&thread(self, 12)->n, 999, 1, 0, 0, 1, 0);
	EXPECT_COUNTS(&thread(self, 21)->n, 11199, 0, 0, 0, 1, 0);
	/* At the end of the range, the thread still waits. */
	EXPECT_HIST(hist(thread(self, 12), REPORT_WOKEN), 1, 999, 999);
	EXPECT_TRUE(thread(self, 12)->waits[REPORT_WOKEN]->max_is_open);
	EXPECT_EQ(3U, self->r->worst_count);
}

/* Times count from the earliest time stamp, 1000; what is open at the end is clipped. */
TEST_F(report, of_a_relative_time)
{
	story_of_report(&self->s, 1, true);
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.from, "+0.000029500"));
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.to, "+29800ns"));
	filter_begin(&self->o.filter, 1000);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(30500U, self->r->totals.from);
	EXPECT_EQ(30800U, self->r->totals.to);
	EXPECT_EQ(300U, thread(self, 13)->n.run);
	EXPECT_EQ(300U, thread(self, 21)->n.run);
	EXPECT_EQ(2U, self->r->thread_count);
	EXPECT_EQ(0U, self->r->totals.switches);
	EXPECT_EQ(1.0, report_share(self->r, 600));
}

TEST_F(report, of_no_time)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(NULL, filter_set_limit(&self->o.filter.from, "+5"));
	filter_begin(&self->o.filter, 1000);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->thread_count);
	EXPECT_EQ(0U, report_window(self->r));
	EXPECT_EQ(0.0, report_share(self->r, 100));
}

/* The report of a filtered recording contains the filter. */
TEST_F(report, of_a_filtered_recording)
{
	static const char session[] = "filter pid 11\nhost somewhere\n";

	BUILD(&self->s.b, fxt_blob(1 + fxt_stream_words(strlen(session)), FXT_STR_SESSION,
			      strlen(session), FXT_BLOB_DATA));
	BUILD_TEXT(&self->s.b, session);
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, report(self));
	ASSERT_NE(NULL, self->r->totals.filtered);
	EXPECT_STREQ("pid 11", self->r->totals.filtered);
}

/* Only 11 matches. Other threads, like 12 and 13, are only known next to it. */
TEST_F(report, of_who_does_not_match)
{
	story_session(&self->s, "filter pids 11\n");
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; name 13 thirteen; "
			"0@1000 12>11 hidden; 2000 11>12; 3000 12>0 hidden; 9000 13>11 hidden");
	story_wake_hidden(&self->s, 9500, 0, 12, 11);
	REPORT_STORY("10000 11>12 S; 10500 12>11 hidden; 11000 11>0 S; 13000 0>0 hidden; "
		     "end 20000");
	/* 11 is known completely: it waited once, preempted, and once its wakeup was unseen. */
	EXPECT_COUNTS(&thread(self, 11)->n, 2500, 3, 1, 0, 0, 2);
	EXPECT_HIST(&thread(self, 11)->waits[REPORT_PREEMPTED]->hist, 1, 7000, 7000);
	/* Only two runs of 12 are known; it was woken, and its switch-in after that is unknown. */
	EXPECT_COUNTS(&thread(self, 12)->n, 1500, 3, 0, 0, 1, 2);
	EXPECT_COUNTS(&thread(self, 13)->n, 0, 1, 0, 0, 0, 0);
	EXPECT_EQ(NULL, thread(self, 12)->waits[REPORT_WOKEN]);
	EXPECT_EQ(NULL, thread(self, 12)->waits[REPORT_PREEMPTED]);
	EXPECT_EQ(4000U, self->r->cpus[0]->busy);
	EXPECT_EQ(2000U, self->r->cpus[0]->idle);
	/* For most of that wait, the thread on the CPU is unknown; 12 had it for a part. */
	ASSERT_EQ(1U, self->r->worst_count);
	EXPECT_WAIT(0, 11, REPORT_PREEMPTED, 7000, 9000, 0, NOBODY, 12, 1000);
}

static const char *order_of(FIXTURE_DATA(report) *self, enum report_sort sort)
{
	static char text[64];
	size_t i, n = 0;

	self->o.sort = sort;
	if (report(self))
		return "failed";
	text[0] = '\0';
	for (i = 0; i < self->r->thread_count; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%ju", n ? " " : "",
			      (uintmax_t)self->r->threads[i]->sched->koid);
	return text;
}

TEST_F(report, orders)
{
	static const struct {
		enum report_sort sort;
		const char *name;
		const char *order;
	} orders[] = {
		{ REPORT_SORT_RUN, "run", "21 11 12 13" },
		{ REPORT_SORT_SHARE, "share", "21 11 12 13" },
		/* Equal ones are sorted by run time. */
		{ REPORT_SORT_SWITCHES, "switches", "21 11 12 13" },
		{ REPORT_SORT_PREEMPTIONS, "preempted", "21 11 12 13" },
		{ REPORT_SORT_MIGRATIONS, "migrations", "12 21 11 13" },
		{ REPORT_SORT_WAKEUPS, "wakeups", "12 21 11 13" },
		{ REPORT_SORT_WAIT, "wait", "21 12 11 13" },
		{ REPORT_SORT_P99, "p99", "21 12 11 13" },
		{ REPORT_SORT_MAX, "max", "21 12 11 13" },
		{ REPORT_SORT_SLEEP, "sleep", "11 12 21 13" },
		/* No thread has such sleeps. */
		{ REPORT_SORT_UNINTERRUPTIBLE, "uninterruptible", "21 11 12 13" },
		{ REPORT_SORT_NAME, "name", "11 21 13 12" },
		{ REPORT_SORT_PID, "pid", "11 12 13 21" },
	};

	ASSERT_EQ((size_t)REPORT_SORT_COUNT, ARRAY_SIZE(orders));
	story_of_report(&self->s, 1, true);
	for (size_t i = 0; i < REPORT_SORT_COUNT; i++) {
		EXPECT_STREQ(orders[i].order, order_of(self, orders[i].sort))
			TH_LOG("by %s", orders[i].name);
		EXPECT_STREQ(orders[i].name, report_sort_name(orders[i].sort));
	}
}

/* 11 waits long once, 12 always briefly, 13 in between, so that the orders differ. */
static void tell_waits(struct story *s)
{
	static const uint64_t waits[3][3] = { { 10, 10, 900 }, { 400, 400, 400 }, { 1, 1, 600 } };
	uint64_t time = 1000;

	story_names_of_report(s);
	story_chunk(s, 0, time);
	for (uint32_t i = 0; i < 3; i++)
		for (uint32_t j = 0; j < 3 * (i == 0 ? 40 : 1); j++) {
			uint64_t wait = i || j < 3 ? waits[i][j % 3] : 1;

			story_switch(s, time, 0, 21, FXT_THREAD_NEW);
			story_wake(s, time + 10, 0, 11 + i, 21);
			STORY(s, "% 21>% S; % %>0 S; % wake 21 on 0", time + 10 + wait, 11 + i,
				 time + 1000 + 10 * i, 11 + i, time + 1100);
			time += 2000;
		}
	story_end(s, time);
}

/* Of 120 waits of 11, one is long, and p99 ignores it. */
TEST_F(report, orders_of_waits)
{
	tell_waits(&self->s);
	filter_set_comm(&self->o.filter, "[et][lwh]*");
	EXPECT_STREQ("12 11 13", order_of(self, REPORT_SORT_WAIT));
	EXPECT_STREQ("13 12 11", order_of(self, REPORT_SORT_P99));
	EXPECT_STREQ("11 13 12", order_of(self, REPORT_SORT_MAX));
	EXPECT_STREQ("11 13 12", order_of(self, REPORT_SORT_RUN));
	EXPECT_STREQ("11 12 13", order_of(self, REPORT_SORT_PID));
}

/* 12 waits 3000 for its wakeup and 10 after a preemption, 11 waits 1000 after one. */
TEST_F(report, orders_of_both_kinds)
{
	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>11; 2000 wake 12 by 11; 5000 11>12; 5990 12>13; 6000 13>12 S; "
			"6000 12>11 S; end 7000");
	EXPECT_STREQ("12 11 13", order_of(self, REPORT_SORT_MAX));
	EXPECT_STREQ("12 11 13", order_of(self, REPORT_SORT_P99));
	EXPECT_STREQ("12 11 13", order_of(self, REPORT_SORT_WAIT));
}

TEST_F(report, orders_of_processes)
{
	story_of_report(&self->s, 1, false);
	self->o.sort = REPORT_SORT_WAKEUPS;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(11U, self->r->processes[0]->koid);
	self->o.sort = REPORT_SORT_NAME;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(11U, self->r->processes[0]->koid);
	self->o.sort = REPORT_SORT_MAX;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(21U, self->r->processes[0]->koid);
}
