// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report at the edges of a recording: all time of each CPU is busy, idle, offline or unknown.
 * Unknown time never counts as idle, and a thread is never blamed for what another CPU did.
 */
#include "report_print_fixture.h"

#define MS	1000000ULL

REPORT_FIXTURE(edges);

static const char *vector(const char *name)
{
	static char path[4096];
	char file[128];

	snprintf(file, sizeof(file), "vectors/%s", name);
	built_path(path, sizeof(path), file);
	return path;
}

#define REPORT_VECTOR(name, ...)						\
	FXT("report", "--tables", ##__VA_ARGS__, vector(name))

/* 12 owns CPU 1 from the first instant to the last. 13 is woken onto it, and runs on CPU 0. */
static void tell_hog(struct story *s, bool has_marks)
{
	STORY(s, "names@1; name 11 eleven; name 12 hog; name 13 thirteen; opening 0 @10ms");
	if (has_marks)
		story_mark(s, 10 * MS, 0, FXT_STR_BEGIN, 11);
	STORY(s, "0@20ms wake 13 by 11 on 1; 40ms 11>13 S; 60ms 13>0 S");
	if (has_marks)
		story_mark(s, 110 * MS, 0, FXT_STR_END, 0);
	story_ledger(s, 1, FXT_LEDGER_OPENING, 0, 10 * MS);
	if (has_marks)
		STORY(s, "10ms begin 12 on 1; 110ms end 12 on 1");
	STORY(s, "closing 0 #1 @110ms; closing 1 @110ms");
	story_ledger(s, STORY_NAMES, FXT_LEDGER_CLOSING, 1, 110 * MS);
}

TEST_F(edges, hog_with_marks)
{
	tell_hog(&self->s, true);
	ASSERT_EQ(0, REPORT());
	EXPECT_LINE("0.100 s on 2 CPUs, 2 switches, 1 wakeups, 0 records lost");
	GOLDEN("CPUs");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("{\"cpu\":1,\"busy_ns\":100000000,\"idle_ns\":0,\"offline_ns\":0,"
		   "\"unknown_ns\":0,\"switches\":0,");
}

/* It is unknown who had CPU 1, so eleven cannot be blamed for the wait of thirteen. */
TEST_F(edges, hog_without_marks)
{
	tell_hog(&self->s, false);
	ASSERT_EQ(0, REPORT());
	EXPECT_LINE("0.100 s on 2 CPUs, 2 switches, 1 wakeups, 0 records lost");
	EXPECT_LINE("       1   0.00%   0.00%      100%        0        0.0");
	EXPECT_HAS("thirteen/13\n          moved to another CPU, without a record of when: 20.0ms (100%)\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("{\"cpu\":1,\"busy_ns\":0,\"idle_ns\":0,\"offline_ns\":0,"
		   "\"unknown_ns\":100000000,\"switches\":0,");
}

/* A range of the recording has the same shares. */
TEST_F(edges, hog_in_a_range)
{
	tell_hog(&self->s, true);
	ASSERT_EQ(0, REPORT("--from", "0.070", "--to", "0.090"));
	GOLDEN("CPUs");
}

TEST_F(edges, offline)
{
	struct story *s = &self->s;

	STORY(s, "names@1; name 11 eleven; 0@10ms 0>11; 110ms 11>0 S; opening 1 @10ms; "
		 "10ms begin 0; 30ms offline 0; 70ms online 0; 110ms end 0; closing 1 @110ms");
	/* CPU 2 is offline from the beginning. */
	STORY(s, "opening 2 @60ms; 60ms online 0; 110ms end 0; closing 2 @110ms; end 110ms");
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("CPUs busy 33.33%, idle 36.67%, offline 30.00%, unknown 0.00%\n");
	GOLDEN("CPUs");
}

/* 13 is woken at 20 ms and never gets the CPU from 11. */
static void tell_open(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 13 victim; 0@10ms 0>11; 20ms wake 13 by 11; "
		 "end 420ms");
}

TEST_F(edges, open_wait)
{
	tell_open(&self->s);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	GOLDEN("How long threads waited for a CPU");
	GOLDEN("Threads");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"woken\":{\"count\":1,\"sum_ns\":400000000,");
	EXPECT_HAS("\"max_is_open\":true,\"open\":1,");
	EXPECT_HAS("\"unknown_ns\":0,\"limited_ns\":0,\"limit\":null,\"idle_cpu\":null,\"idle_ns\":0,\"open\":true");
}

/* At the end of a range, an open wait is as long as up to then. */
TEST_F(edges, open_wait_in_a_range)
{
	tell_open(&self->s);
	ASSERT_EQ(0, REPORT("--to", "0.120"));
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	ASSERT_EQ(0, REPORT("--to", "0.015"));
	EXPECT_NO("not over");
}

/* A wait that ends after the range is open in the range, and not counted twice. */
TEST_F(edges, wait_that_ends_after_the_range)
{
	STORY(&self->s, "names@1; name 11 eleven; name 13 victim; 0@10ms 0>11; "
			"20ms wake 13 by 11; 50ms 11>13; end 60ms");
	ASSERT_EQ(0, REPORT("--json", "--to", "0.040"));
	EXPECT_HAS("\"woken\":{\"count\":1,\"sum_ns\":20000000,");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"woken\":{\"count\":1,\"sum_ns\":30000000,");
}

/* Records were lost during the wait, so the thread may have had the CPU. */
TEST_F(edges, open_wait_across_a_loss)
{
	STORY(&self->s, "names@1; name 11 eleven; name 13 victim; 0@10ms 0>11; "
			"20ms wake 13 by 11; lose 0 5 @50ms; 50ms 11>0; end 420ms");
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("victim/13");
}

TEST_F(edges, recorded_hog)
{
	ASSERT_EQ(0, REPORT_VECTOR("hog_all_along.fxt.zst"));
	EXPECT_HAS("s on 2 CPUs, 78 switches, 18 wakeups, 0 records lost\n");
	GOLDEN("CPUs");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	GOLDEN("Findings");
	EXPECT_NO("while the other was idle");
}

/* A compressed file that was not copied to its end. */
TEST_F(edges, half_a_file)
{
	const char *out = "/tmp/fxt-half.fxt.zst";
	uint32_t i, last = 11;
	struct stat st;

	story_chunk(&self->s, 0, 1000);
	for (i = 0; i < 20000; i++, last = 23 - last)
		story_switch(&self->s, 1000 + i * i, last, 23 - last, FXT_THREAD_RUNNING);
	story_end(&self->s, 1000000000);
	ASSERT_EQ(0, FXT("cut", "--to", "+10", "-o", out, self->path)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, stat(out, &st));
	ASSERT_EQ(0, truncate(out, st.st_size / 2));
	EXPECT_EQ(1, FXT("report", out));
	EXPECT_IN(self->t.err, "the file ends within its compressed data, so the rest of the archive is missing: byte ");
	unlink(out);
}

/* The hog ran from the beginning of CPU 1's stream to the first switch. */
TEST_F(edges, recorded_end_of_a_hog)
{
	ASSERT_EQ(0, REPORT_VECTOR("hogend.fxt.zst"));
	EXPECT_HAS("   405ms  hog/7271\n");
	ASSERT_EQ(0, REPORT_VECTOR("hogend.fxt.zst", "--json"));
	EXPECT_HAS("\"longest_ns\":405149163,\"longest_from_ns\":1948508006264,\"longest_tid\":7271,");
}

TEST_F(edges, cpu_without_a_switch_as_text)
{
	ASSERT_EQ(0, REPORT_VECTOR("cpu_without_switch.txt"));
	EXPECT_HAS("0.200 s on 2 CPUs, 5 switches, 2 wakeups");
	GOLDEN("CPUs");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	GOLDEN("Findings");
}

TEST_F(edges, open_wait_as_text)
{
	ASSERT_EQ(0, REPORT_VECTOR("wait_open_at_end.txt"));
	GOLDEN("Findings");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	GOLDEN("Threads");
}

/* A trace without wakeups is valid: it gives one note, and no inconsistency. */
TEST_F(edges, no_wakeups)
{
	ASSERT_EQ(0, REPORT_VECTOR("switches_only.txt"));
	EXPECT_LINE("no wakeups were recorded: only waits after a preemption are known");
	EXPECT_NO("fxt check");
	ASSERT_EQ(0, FXT("check", vector("switches_only.txt"))) TH_LOG("%s", self->t.out);
	EXPECT_HAS("no wakeups were recorded: only waits after a preemption are known [sched not-woken]\n");
	EXPECT_HAS(": clean: ");
}

/* CPU 0 is known from its first event on. */
TEST_F(edges, unknown_is_not_idle)
{
	ASSERT_EQ(0, REPORT_VECTOR("unknown_is_not_idle.txt"));
	EXPECT_LINE("       0   0.60%   0.00%    99.40%        2        0.2  65.0ms  bar/272");
	EXPECT_NO("Findings");
	EXPECT_NO("was idle");
}
