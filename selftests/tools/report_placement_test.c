// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_placement_test.c - how many CPUs were busy at once, and where threads were put.
 *
 * In:  stories on four CPUs, of which two are a core, two cores have a cache, and all are a node.
 * Must hold: each instant has its number of busy CPUs; a thread that waits for a busy CPU while a
 *	CPU near it is idle is reported; without a description of the CPUs nothing is.
 */
#include "report_fixture.h"

#define TOPOLOGY "cores 0-1 2,3\ncaches 0-1 2-3\nnodes 0-3\n"

/* 11 runs on CPU 0; CPUs 1 to 3 are idle from the first instant. */
static void begin(struct story *s, const char *topology)
{
	unsigned int cpu;

	story_session(s, topology);
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 12, "twelve");
	for (cpu = 0; cpu < 4; cpu++) {
		story_ledger(s, cpu, FXT_LEDGER_OPENING, 0, 1000);
		story_mark(s, 1000, cpu, FXT_STR_BEGIN, cpu ? 0 : 11);
		s->streams[cpu].sequence = 1;
	}
}

static uint64_t count_of(const struct report *r, const char *what, uint64_t *ns)
{
	size_t i;

	for (i = 0; i < r->placement.place_count; i++) {
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
	struct story *s = &self->s;
	uint64_t ns = 0;

	begin(s, TOPOLOGY);
	story_chunk(s, 0, 2000);
	story_wake(s, 2000, 0, 12, 11);
	story_switch(s, 5000, 11, 12, FXT_THREAD_BLOCKED);
	story_switch(s, 6000, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 7000);
	ASSERT_EQ(0, report(self));
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
	struct story *s = &self->s;
	uint64_t ns = 0;

	begin(s, TOPOLOGY);
	story_chunk(s, 1, 2000);
	story_wake(s, 2000, 1, 12, 11);
	story_switch(s, 2100, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 6000, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 7000);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, count_of(self->r, "woken on a busy core, another was idle", &ns));
	EXPECT_EQ(100U, ns);
	EXPECT_EQ(0U, count_of(self->r, "woken on a busy CPU, another was idle", &ns));
	/* The thread waits for an idle CPU that is about to run it. */
	EXPECT_EQ(0U, self->r->placement.concurrency[0].starved);
}

/* The core of CPU 2 is idle, so there is nothing to report. */
TEST_F(report, woken_on_an_idle_core)
{
	struct story *s = &self->s;

	begin(s, TOPOLOGY);
	story_chunk(s, 2, 2000);
	story_wake(s, 2000, 2, 12, 11);
	story_switch(s, 2100, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 6000, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 7000);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->placement.place_count);
}

/* The thread moves to another core, with another cache. */
TEST_F(report, moved_across_caches)
{
	struct story *s = &self->s;
	uint64_t ns = 0;

	begin(s, TOPOLOGY);
	story_chunk(s, 1, 2000);
	story_wake(s, 2000, 1, 12, 11);
	story_switch(s, 2100, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 3000, 12, 0, FXT_THREAD_NEW);
	story_chunk(s, 2, 3500);
	story_switch(s, 3500, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 6000, 12, 0, FXT_THREAD_BLOCKED);
	story_end(s, 7000);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, count_of(self->r, "moved to another cache, same node", &ns));
	EXPECT_EQ(500U, ns);
	EXPECT_EQ(0U, count_of(self->r, "moved to another node", &ns));
}

/* Without a topology, or with those of two machines, nothing is known. */
TEST_F(report, unknown_topology)
{
	struct story *s = &self->s;
	int pass;

	for (pass = 0; pass < 2; pass++) {
		story_restart(s);
		begin(s, pass ? TOPOLOGY TOPOLOGY : "kernel Linux\n");
		story_chunk(s, 0, 2000);
		story_wake(s, 2000, 0, 12, 11);
		story_switch(s, 5000, 11, 12, FXT_THREAD_BLOCKED);
		story_end(s, 7000);
		ASSERT_EQ(0, report(self));
		EXPECT_EQ(0U, self->r->placement.concurrency_count);
		EXPECT_EQ(0U, self->r->placement.place_count);
	}
}

/* A topology that no kernel writes does no harm. */
TEST_F(report, odd_topology)
{
	struct story *s = &self->s;

	begin(s, "cores 3-1 99999 0- ,, 1 x\ncaches -\nnodes 70000-80000 0-4095 0-99999\n");
	story_chunk(s, 0, 2000);
	story_wake(s, 2000, 0, 12, 11);
	story_switch(s, 5000, 11, 12, FXT_THREAD_BLOCKED);
	story_end(s, 7000);
	ASSERT_EQ(0, report(self));
	EXPECT_LT(0U, self->r->placement.concurrency_count);
}

TEST_HARNESS_MAIN
