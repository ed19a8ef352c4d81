// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stories on four CPUs, of which two are a core, two cores have a cache, and all are a node. Each
 * instant has its number of busy CPUs; a thread that waits for a busy CPU while a CPU near it is
 * idle is reported; without a description of the CPUs nothing is.
 */
#include "report_fixture.h"

#define TOPOLOGY "cores 0-1 2,3\ncaches 0-1 2-3\nnodes 0-3\n"

/* 11 runs on CPU 0; CPUs 1 to 3 are idle from the first instant. */
static void begin(struct story *s, const char *topology)
{
	story_session(s, topology);
	STORY(s, "names@1; name 11 eleven; name 12 twelve");
	for (unsigned int cpu = 0; cpu < 4; cpu++) {
		story_ledger(s, cpu, FXT_LEDGER_OPENING, 0, 1000);
		story_mark(s, 1000, cpu, FXT_STR_BEGIN, cpu ? 0 : 11);
		s->streams[cpu].sequence = 1;
	}
}

static uint64_t count_of(const struct report *r, const char *what, uint64_t *ns)
{
	for (size_t i = 0; i < r->placement.place_count; i++) {
		if (strcmp(r->placement.places[i].what, what))
			continue;
		*ns = r->placement.places[i].ns;
		return r->placement.places[i].count;
	}
	return 0;
}

/* 12 is woken onto the CPU of 11 at 2000 and switched in at 5000, although three CPUs are idle. */
TEST_F(report, woken_on_a_busy_cpu)
{
	const struct report_concurrency *c;
	uint64_t ns = 0;

	begin(&self->s, TOPOLOGY);
	REPORT_STORY("0@2000 wake 12 by 11; 5000 11>12 S; 6000 12>0 S; end 7000");
	ASSERT_EQ(2U, self->r->placement.concurrency_count);
	c = self->r->placement.concurrency;
	EXPECT_EQ(0U, c[0].busy);
	EXPECT_EQ(1000U, c[0].ns);
	EXPECT_EQ(0U, c[0].waiting);
	EXPECT_EQ(1U, c[1].busy);
	EXPECT_EQ(1U, c[1].busy_to);
	EXPECT_STREQ("1", c[1].label);
	EXPECT_EQ(5000U, c[1].ns);
	EXPECT_EQ(3000U, c[1].waiting);
	EXPECT_EQ(3000U, c[1].waits);
	EXPECT_EQ(3000U, c[1].starved);
	EXPECT_EQ(1U, count_of(self->r, "woken on a busy CPU, another was idle", &ns));
	EXPECT_EQ(3000U, ns);
}

/* CPU 1 is idle, but its core is busy; the core of CPUs 2 and 3 is idle. */
TEST_F(report, woken_beside_a_busy_sibling)
{
	uint64_t ns = 0;

	begin(&self->s, TOPOLOGY);
	REPORT_STORY("1@2000 wake 12 by 11; 2100 0>12; 6000 12>0 S; end 7000");
	EXPECT_EQ(1U, count_of(self->r, "woken on a busy core, another was idle", &ns));
	EXPECT_EQ(100U, ns);
	EXPECT_EQ(0U, count_of(self->r, "woken on a busy CPU, another was idle", &ns));
	/* The thread waits for an idle CPU that is about to run it. */
	EXPECT_EQ(0U, self->r->placement.concurrency[0].starved);
}

/* The core of CPU 2 is idle, so there is nothing to report. */
TEST_F(report, woken_on_an_idle_core)
{
	begin(&self->s, TOPOLOGY);
	REPORT_STORY("2@2000 wake 12 by 11; 2100 0>12; 6000 12>0 S; end 7000");
	EXPECT_EQ(0U, self->r->placement.place_count);
}

TEST_F(report, moved_across_caches)
{
	struct story *s = &self->s;
	uint64_t ns = 0;

	begin(s, TOPOLOGY);
	STORY(s, "1@2000 wake 12 by 11; 2100 0>12; 3000 12>0; 2@3500 0>12; 6000 12>0 S; end 7000");
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, count_of(self->r, "moved to another cache, same node", &ns));
	EXPECT_EQ(500U, ns);
	EXPECT_EQ(0U, count_of(self->r, "moved to another node", &ns));
}

/* Without a topology, or with those of two machines, nothing is known. */
TEST_F(report, unknown_topology)
{
	for (int pass = 0; pass < 2; pass++) {
		story_restart(&self->s);
		begin(&self->s, pass ? TOPOLOGY TOPOLOGY : "kernel Linux\n");
		REPORT_STORY("0@2000 wake 12 by 11; 5000 11>12 S; end 7000");
		EXPECT_EQ(0U, self->r->placement.concurrency_count);
		EXPECT_EQ(0U, self->r->placement.place_count);
	}
}

/* A topology that no kernel writes does no harm. */
TEST_F(report, odd_topology)
{
	begin(&self->s, "cores 3-1 99999 0- ,, 1 x\ncaches -\nnodes 70000-80000 0-4095 0-99999\n");
	REPORT_STORY("0@2000 wake 12 by 11; 5000 11>12 S; end 7000");
	EXPECT_LT(0U, self->r->placement.concurrency_count);
}
