// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report: a sleep counts for the service of the data that ended it, and for the thread; other
 * sleeps do not.
 */
#include "event_story.h"
#include "report_fixture.h"

static struct fxt_sched_socket tcp(uint32_t local, uint32_t remote)
{
	return (struct fxt_sched_socket){
		.family = FXT_LINUX_AF_INET, .type = FXT_LINUX_SOCK_STREAM,
		.protocol = FXT_LINUX_TCP, .state = 1, .local_port = local, .remote_port = remote,
		.bytes = 10,
	};
}

/* 11 runs on cpu 0 until @at ms, sleeps for 2 ms until data, and runs again. */
static void sleep_until_data(FIXTURE_DATA(report) *self, uint64_t at, uint32_t local, uint32_t remote)
{
	const struct fxt_sched_socket of = tcp(local, remote);
	const uint64_t woken = (at + 2) * MS;

	STORY(&self->s, "% 11>0 S", at * MS);
	event_data(&self->s, woken - 1000, &of);
	STORY(&self->s, "% wake 11 by softirq; %-% softirq %; % 0>11", woken, woken - 5000, woken + 5000,
	      EVENT_NET_RX, woken + MS);
}

static void tell(FIXTURE_DATA(report) *self)
{
	STORY(&self->s, "names@1; name 11 server; name 12 other; 0@10ms 0>11");
	/* Two clients of one service, and one service of which this is a client. */
	sleep_until_data(self, 11, 5432, 40000);
	sleep_until_data(self, 15, 5432, 50000);
	sleep_until_data(self, 20, 40001, 80);
	/* Something else of the network. */
	STORY(&self->s, "25ms 11>0 S; 27ms wake 11 by softirq; 26995us-27005us softirq %; "
			"28ms 0>11; end 30ms", EVENT_NET_RX);
}

static const struct report_data *data(FIXTURE_DATA(report) *self, const char *name)
{
	static const struct report_data none;
	const struct report_kernel *k = &self->r->kernel;

	for (size_t i = 0; i < k->data_count; i++)
		if (!strcmp(k->data[i].origin->name, name))
			return &k->data[i];
	return &none;
}

TEST_F(report, sleeps_until_data)
{
	tell(self);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	ASSERT_EQ(2U, self->r->kernel.data_count);
	EXPECT_EQ(2U, data(self, "TCP data to :5432")->count);
	EXPECT_EQ(4 * MS, data(self, "TCP data to :5432")->slept);
	EXPECT_EQ(2 * MS, data(self, "TCP data to :5432")->longest);
	EXPECT_EQ(1U, data(self, "TCP data from :80")->count);
	EXPECT_EQ(2 * MS, data(self, "TCP data from :80")->slept);
	EXPECT_EQ(11U, data(self, "TCP data from :80")->thread->sched->koid);
}

/* A sleep counts if it ends in the selected time, with the part of it that is inside. */
TEST_F(report, sleeps_until_data_in_a_time)
{
	tell(self);
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = 16 * MS };
	self->o.filter.to = (struct filter_limit){ .set = true, .ns = 21 * MS };
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, self->r->kernel.data_count);
	EXPECT_EQ(1U, data(self, "TCP data to :5432")->count);
	EXPECT_EQ(1 * MS, data(self, "TCP data to :5432")->slept);
}
