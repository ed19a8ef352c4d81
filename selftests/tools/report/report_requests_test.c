// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report: requests of block devices. Records of one id are one request, in whatever order
 * requests end; an id that is used again is another request; requests whose beginning or end is not
 * in the selected time are not counted as completed.
 */
#include "event_story.h"
#include "report_fixture.h"

enum { ONE = 0x1000, TWO = 0x2000 };	/* ids */

#define READ	FXT_LINUX_OP_READ
#define WRITE	FXT_LINUX_OP_WRITE

static void begin(FIXTURE_DATA(report) *self)
{
	STORY(&self->s, "names@1; name 11 writer; name 12 worker; 0@10ms 0>11");
}

static const struct report_requests *requests(FIXTURE_DATA(report) *self, const char *device,
					      uint64_t op)
{
	static const struct report_requests none;
	const struct report_kernel *k = &self->r->kernel;

	for (size_t i = 0; i < k->request_count; i++)
		if (!strcmp(k->requests[i].origin->name, device) &&
		    k->requests[i].origin->number == op)
			return &k->requests[i];
	return &none;
}

/* 11 queues a write of 128 KiB, which 12 issues 2 ms later, and reads meanwhile. */
static void tell_two(FIXTURE_DATA(report) *self)
{
	begin(self);
	event_queued(&self->s, 11 * MS, 11, ONE);
	event_request(&self->s, 12 * MS, 11, TWO, "vda", READ, 4096);
	event_request(&self->s, 13 * MS, 12, ONE, "vda", WRITE, 128 << 10);
	event_completion(&self->s, 15 * MS, ONE, "vda", 0);
	event_completion(&self->s, 18 * MS, TWO, "vda", 10);
	story_end(&self->s, 30 * MS);
}

TEST_F(report, requests_that_end_in_the_other_order)
{
	const struct report_requests *write, *read;

	tell_two(self);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	ASSERT_EQ(2U, self->r->kernel.request_count);
	write = requests(self, "vda", WRITE);
	EXPECT_HIST(&write->hist, 1, 4 * MS, 4 * MS);
	EXPECT_EQ(2 * MS, write->queued);
	EXPECT_EQ(128U << 10, write->bytes);
	EXPECT_EQ(0U, write->errors);
	EXPECT_EQ(2U, write->depth);
	/* Who queued it, and not who issued it. */
	EXPECT_EQ(11U, koid_of(write->longest_thread));
	EXPECT_EQ(15 * MS, write->longest_time);
	read = requests(self, "vda", READ);
	EXPECT_HIST(&read->hist, 1, 6 * MS, 6 * MS);
	EXPECT_EQ(0U, read->queued);
	EXPECT_EQ(1U, read->errors);
	EXPECT_EQ(1U, read->depth);
}

TEST_F(report, request_that_is_requeued)
{
	begin(self);
	event_request(&self->s, 11 * MS, 11, ONE, "vda", WRITE, 4096);
	event_completion(&self->s, 12 * MS, ONE, "vda", FXT_BLOCK_REQUEUED);
	event_queued(&self->s, 14 * MS, 12, ONE);
	event_request(&self->s, 16 * MS, 12, ONE, "vda", WRITE, 512);
	event_completion(&self->s, 17 * MS, ONE, "vda", 0);
	REPORT_STORY("end 30ms");
	EXPECT_HIST(&requests(self, "vda", WRITE)->hist, 1, 6 * MS, 6 * MS);
	EXPECT_EQ(5 * MS, requests(self, "vda", WRITE)->queued);
	EXPECT_EQ(4096U, requests(self, "vda", WRITE)->bytes);
	EXPECT_EQ(1U, requests(self, "vda", WRITE)->depth);
	EXPECT_EQ(11U, koid_of(requests(self, "vda", WRITE)->longest_thread));
}

/* The first end is lost; the second request was merged into another one. */
TEST_F(report, id_that_is_used_again)
{
	begin(self);
	event_request(&self->s, 11 * MS, 11, ONE, "vda", WRITE, 4096);
	event_queued(&self->s, 12 * MS, 11, ONE);
	event_queued(&self->s, 14 * MS, 12, ONE);
	event_request(&self->s, 15 * MS, 12, ONE, "sda", READ, 512);
	event_completion(&self->s, 16 * MS, ONE, "sda", 0);
	event_completion(&self->s, 17 * MS, ONE, "sda", 0);
	REPORT_STORY("end 30ms");
	EXPECT_EQ(0U, self->r->totals.violations);
	EXPECT_EQ(1U, self->r->kernel.request_count);
	EXPECT_HIST(&requests(self, "sda", READ)->hist, 1, 2 * MS, 2 * MS);
	EXPECT_EQ(1U, requests(self, "sda", READ)->depth);
	EXPECT_EQ(12U, koid_of(requests(self, "sda", READ)->longest_thread));
}

/* The end of the first request and the beginning of the second one are lost. */
TEST_F(report, id_that_is_used_again_in_a_loss)
{
	begin(self);
	event_request(&self->s, 11 * MS, 11, ONE, "vda", WRITE, 4096);
	STORY(&self->s, "lose 0 2 @13ms");
	event_completion(&self->s, 14 * MS, ONE, "vda", 0);
	event_request(&self->s, 15 * MS, 11, TWO, "vda", WRITE, 4096);
	event_completion(&self->s, 16 * MS, TWO, "vda", 0);
	REPORT_STORY("end 30ms");
	EXPECT_HIST(&requests(self, "vda", WRITE)->hist, 1, 1 * MS, 1 * MS);
	EXPECT_EQ(0U, requests(self, "vda", WRITE)->open);
	EXPECT_EQ(1U, requests(self, "vda", WRITE)->depth);
}

/* The driver got the first request, but that is not recorded; then the end is of another device. */
TEST_F(report, ends_of_other_requests)
{
	begin(self);
	event_queued(&self->s, 11 * MS, 12, ONE);
	event_completion(&self->s, 12 * MS, ONE, "vda", 0);
	event_request(&self->s, 14 * MS, 11, ONE, "vda", WRITE, 4096);
	event_completion(&self->s, 15 * MS, ONE, "vda", 0);
	event_request(&self->s, 16 * MS, 11, TWO, "vda", READ, 4096);
	event_completion(&self->s, 17 * MS, TWO, "sda", 0);
	REPORT_STORY("end 30ms");
	EXPECT_EQ(1U, self->r->kernel.request_count);
	EXPECT_HIST(&requests(self, "vda", WRITE)->hist, 1, 1 * MS, 1 * MS);
	EXPECT_EQ(11U, koid_of(requests(self, "vda", WRITE)->longest_thread));
}

/* What other CPUs recorded of these requests is not known. */
TEST_F(report, requests_of_some_cpus)
{
	story_session(&self->s, "filter cpus 0-1\n");
	tell_two(self);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->kernel.request_count);
}

TEST_F(report, requests_that_have_not_ended)
{
	begin(self);
	event_completion(&self->s, 11 * MS, TWO, "vda", 0);
	event_request(&self->s, 12 * MS, 11, ONE, "vda", WRITE, 4096);
	REPORT_STORY("end 30ms");
	EXPECT_EQ(0U, self->r->totals.violations);
	EXPECT_EQ(1U, self->r->kernel.request_count);
	EXPECT_EQ(0U, requests(self, "vda", WRITE)->hist.count);
	EXPECT_EQ(1U, requests(self, "vda", WRITE)->open);
}

static void select_time(FIXTURE_DATA(report) *self, uint64_t from, uint64_t to)
{
	self->o.filter.from = (struct filter_limit){ .set = true, .ns = from };
	self->o.filter.to = (struct filter_limit){ .set = true, .ns = to };
}

/* As a part of the archive has only the records inside it. */
TEST_F(report, requests_of_a_selected_time)
{
	tell_two(self);
	select_time(self, 12 * MS + MS / 2, 20 * MS);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, self->r->kernel.request_count);
	EXPECT_HIST(&requests(self, "vda", WRITE)->hist, 1, 2 * MS, 2 * MS);
	EXPECT_EQ(0U, requests(self, "vda", WRITE)->queued);
	select_time(self, 10 * MS, 16 * MS);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(2U, self->r->kernel.request_count);
	EXPECT_HIST(&requests(self, "vda", WRITE)->hist, 1, 4 * MS, 4 * MS);
	EXPECT_EQ(1U, requests(self, "vda", READ)->open);
}
