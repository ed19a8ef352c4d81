// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What ran while a thread was late: samples count that lie where a thread of the chain ran, or
 * where another had the CPU that it wanted; others do not.
 */
#include "harness.h"

#include <fxt/fxt_sched.h>

#include "event_story.h"
#include "fxt/terminal/exit_status.h"
#include "tool.h"

#include <sys/mman.h>
#include <unistd.h>

#define MS	1000000ULL

#define WORK_A	0xffffffff81000011
#define BURN_B	0xffffffff81001011
#define INNER_B	0xffffffff81002011
#define BURN_C	0xffffffff81003011
#define HOG	0xffffffff81004011
#define AFTER_B	0xffffffff81005011

FIXTURE(why_ran)
{
	struct story s;
	struct tool t;
	char path[32];
};

FIXTURE_SETUP(why_ran)
{
	snprintf(self->path, sizeof(self->path), "/proc/%d/fd/%d", getpid(),
		 memfd_create("why_ran", MFD_CLOEXEC));
	story_begin(&self->s);
}

FIXTURE_TEARDOWN(why_ran)
{
	tool_free(&self->t);
	story_restart(&self->s);
	build_free(&self->s.b);
}

static void sample(struct story *s, uint64_t time, uint32_t tid, uint64_t function, uint64_t caller)
{
	const uint64_t frames[] = { function, caller };

	event_sample(s, time, tid, tid, frames, 1 + !!caller);
}

static void name_functions(struct story *s)
{
	event_symbols(s,
		"k ffffffff81000000 ffffffff81001000 work_a\n"
		"k ffffffff81001000 ffffffff81002000 burn_b\n"
		"k ffffffff81002000 ffffffff81003000 inner_b\n"
		"k ffffffff81003000 ffffffff81004000 burn_c\n"
		"k ffffffff81004000 ffffffff81005000 burn_hog\n"
		"k ffffffff81005000 ffffffff81006000 after_b\n");
}

/*
 * 11 sleeps until 12 wakes it, on cpu 0. 12 burns on cpu 1, where 14 has the CPU meanwhile. 13
 * burns on cpu 2. @count: samples of 12 in burn_b
 */
static void tell(struct story *s, unsigned int count)
{
	STORY(s, "names@1; name 11 waiter; name 12 worker; name 13 beside; name 14 hog; "
		 "0@500us 0>11");
	sample(s, 900000, 11, WORK_A, 0);
	STORY(s, "1ms 11>0 S; 9500us 0>11");
	sample(s, 9600000, 11, WORK_A, 0);
	STORY(s, "10ms 11>0 S; 1@1ms 0>12");
	for (unsigned int i = 0; i < count; i++)
		sample(s, 1500000 + i * MS / 1000, 12, BURN_B, 0);
	STORY(s, "5ms 12>14");
	sample(s, 5500000, 14, HOG, 0);
	sample(s, 6500000, 14, HOG, 0);
	STORY(s, "7ms 14>12 S");
	sample(s, 8 * MS, 12, INNER_B, BURN_B);
	STORY(s, "9ms wake 11 by 12 on 0");
	sample(s, 9500000, 12, AFTER_B, 0);
	STORY(s, "10ms 12>0 S; 2@1ms 0>13");
	for (unsigned int i = 0; i < 7; i++)
		sample(s, (2 + i) * MS, 13, BURN_C, 0);
	STORY(s, "10ms 13>0 S; end 11ms");
	name_functions(s);
}

#define WHY(want, ...) do {							\
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));	\
	tool_free(&self->t);							\
	EXPECT_EQ(want, tool_run(&self->t, ARGS("why", "-q", ##__VA_ARGS__, self->path)))	\
		TH_LOG("%s", self->t.err);					\
} while (0)

/* 12 had 3 samples in burn_b and 1 in inner_b; 13 and what ran before and after do not count. */
TEST_F(why_ran, functions_of_a_window)
{
	tell(&self->s, 3);
	WHY(0, "--thread", "11", "--from", "0.001", "--to", "0.010");
	EXPECT_IN(self->t.out, "asleep until worker/12 (it was running, mostly in burn_b for 6.00ms, runnable behind "
		  "hog/14 on cpu 1, mostly in burn_hog for 2.00ms)");
	EXPECT_IN(self->t.out, "  ran, in burn_b in 75% of its 4 samples in this window\n");
	EXPECT_IN(self->t.out, "  runnable behind hog/14 on cpu 1, in burn_hog in 100% of its 2 samples in this window\n");
	EXPECT_IN(self->t.out, "\nWhat ran meanwhile, by function (5 samples)\n"
		  "  itself            total  samples  function, thread\n"
		  "  3.00ms  60.0%   4.00ms        4  burn_b, worker\n"
		  "  1.00ms  20.0%   1.00ms        1  inner_b, worker\n"
		  "  1.00ms  20.0%   1.00ms        1  work_a, waiter\n"
		  "\nWhat had the CPU instead, by function (2 samples)\n"
		  "  itself            total  samples  function, thread\n"
		  "  2.00ms 100.0%   2.00ms        2  burn_hog, hog\n");
	EXPECT_EQ(NULL, strstr(self->t.out, "burn_c"));
	EXPECT_EQ(NULL, strstr(self->t.out, "after_b"));
}

TEST_F(why_ran, functions_as_json)
{
	tell(&self->s, 1);
	WHY(0, "--thread", "11", "--from", "0.001", "--to", "0.009", "--json");
	EXPECT_IN(self->t.out, "\"ran\":["
		  "{\"name\":\"burn_b\",\"thread\":\"worker\",\"cause\":\"running\",\"self_ns\":1000000,"
		  "\"self_count\":1,\"total_ns\":2000000,\"count\":2},"
		  "{\"name\":\"inner_b\",\"thread\":\"worker\",\"cause\":\"running\",\"self_ns\":1000000,"
		  "\"self_count\":1,\"total_ns\":1000000,\"count\":1},"
		  "{\"name\":\"burn_hog\",\"thread\":\"hog\",\"cause\":\"runnable\",\"self_ns\":2000000,"
		  "\"self_count\":2,\"total_ns\":2000000,\"count\":2}],\"causes\":");
}

TEST_F(why_ran, flame_graph)
{
	tell(&self->s, 3);
	WHY(0, "--thread", "11", "--from", "0.001", "--to", "0.009", "--folded");
	EXPECT_STREQ("worker;burn_b 3000000\nworker;burn_b;inner_b 1000000\n"
		     "(had the CPU instead);hog;burn_hog 2000000\n", self->t.out);
}

/*
 * All that 12 and 14 ran meanwhile counts for 11, and what 14 ran also for 12; what 13 ran for
 * nobody.
 */
TEST_F(why_ran, functions_of_a_program)
{
	tell(&self->s, 3);
	WHY(0, "--program", "waiter", "--folded");
	EXPECT_STREQ("worker;burn_b 3000000\nworker;burn_b;inner_b 1000000\n"
		     "(had the CPU instead);hog;burn_hog 2000000\n", self->t.out);
	WHY(0, "--program", "waiter");
	EXPECT_IN(self->t.out, "\nWhat ran while others waited for it, by function (4 samples; each counts for each "
		  "thread that waited)\n");
	EXPECT_EQ(NULL, strstr(self->t.out, "work_a"));
	WHY(0, "--program", "waiter", "--json");
	EXPECT_IN(self->t.out, "\"ran\":[{\"name\":\"burn_b\",\"thread\":\"worker\",\"cause\":\"running\","
		  "\"self_ns\":3000000,");
}

/* Several windows have one sum; the tables of each of several waits are its own. */
TEST_F(why_ran, windows_are_apart)
{
	tell(&self->s, 3);
	WHY(0, "--worst", "2", "--all");
	EXPECT_EQ(1U, times_in_text(self->t.out, "What had the CPU instead"));
	EXPECT_EQ(0U, times_in_text(self->t.out, "What ran meanwhile"));
	WHY(0, "--thread", "w*");
	EXPECT_EQ(1U, times_in_text(self->t.out, "What ran meanwhile, by function (11 samples)"))
		TH_LOG("%s", self->t.out);
}

TEST_F(why_ran, nothing_was_sampled)
{
	STORY(&self->s, "names@1; name 11 waiter; 0@1ms 0>11; 2ms 11>0 S; 3ms wake 11 by irq; "
			"3500us 0>11; 4ms 11>0 S; end 5ms");
	WHY(0, "--thread", "11", "--json");
	EXPECT_EQ(NULL, strstr(self->t.out, "\"ran\""));
	WHY(VERB_NOTHING, "--thread", "11", "--folded");
	EXPECT_STREQ("", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.err, "it has no samples of threads that run for --folded; "
			       "fxt-collect --stacks oncpu records them")) TH_LOG("%s", self->t.err);
}
