// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A claim only holds or fails if missing records cannot change that; the exit status is 0, 1 or 4
 * accordingly; an error in an expression is reported with its column.
 */
#include "report_print_fixture.h"

REPORT_FIXTURE(claims);

enum { HOLDS = 0, FAILS = 1, WRONG = 2, UNREADABLE = 3, UNKNOWN = 4 };

#define ASSERT_OF(expression, ...)	FXT("assert", expression, ##__VA_ARGS__, self->path)

#define EXPECT_VERDICT(status, expression, ...)					\
	EXPECT_EQ(status, ASSERT_OF(expression, ##__VA_ARGS__))			\
		TH_LOG("%s\n%s%s", expression, self->t.out, self->t.err)

#define EXPECT_ERROR(text)							\
	EXPECT_NE(NULL, strstr(self->t.err, text)) TH_LOG("%s\n%s", text, self->t.err)

#define SECOND	1000000000ULL
#define MS	1000000ULL
#define BEATS	100

/*
 * Once in 10 ms, clock/11 wakes beat/12, which runs for 2 ms on cpu 0: in the last beat @late ns
 * after its wakeup, in the others 1 ms after it. hog/13 runs during these waits and while beat
 * sleeps. All threads are known from before the first beat.
 */
static void tell_beats(struct story *s, uint64_t late)
{
	uint64_t at = SECOND, wait;

	STORY(s, "names@1; name 11 clock; name 12 beat; name 13 hog; 1@% 0>11", at);
	for (unsigned int i = 0; i < BEATS; i++)
		story_wake(s, at + i * 10 * MS + MS, 0, 12, 11);
	STORY(s, "% 11>0 S; 0@% 12>13 S", at + SECOND, at);
	for (unsigned int i = 0; i < BEATS; i++, at += 10 * MS) {
		wait = i == BEATS - 1 ? late : MS;
		STORY(s, "% 13>12; % 12>13 S", at + MS + wait, at + MS + wait + 2 * MS);
	}
	story_switch(s, SECOND + SECOND, 13, 0, FXT_THREAD_BLOCKED);
}

static void tell_all(struct story *s, uint64_t late)
{
	tell_beats(s, late);
	story_end(s, 2 * SECOND);
}

TEST_F(claims, values)
{
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) == 3ms");
	EXPECT_HAS("holds: max(wait, comm=beat) == 3ms: 3.00ms (100 waits of 1 thread) in 1 s on 2 CPUs, nothing lost\n");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 3ms");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) <= 3000us");
	EXPECT_VERDICT(HOLDS, "sum(wakeup, tid=12) == 102ms");
	EXPECT_VERDICT(HOLDS, "mean(wait, pid=12) > 1.01ms and mean(wait, pid=12) < 1.03ms");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=be*) == 100");
	EXPECT_VERDICT(HOLDS, "rate(wait, comm=beat) == 100/s");
	/* It is unknown how long hog waited before the archive begins. */
	EXPECT_VERDICT(HOLDS, "count(wait, comm=hog) == 101");
	EXPECT_VERDICT(HOLDS, "sum(preempted, comm=hog) >= 200ms");
	EXPECT_VERDICT(UNKNOWN, "sum(preempted, comm=hog) == 200ms");
	EXPECT_VERDICT(HOLDS, "count(held, comm=beat) == 0");
	EXPECT_VERDICT(HOLDS, "sum(run, comm=beat) == 200ms");
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat) == 10%");
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat, cpu=0) == 20%");
	EXPECT_VERDICT(HOLDS, "count(switches, comm=beat) == 101");
	EXPECT_VERDICT(HOLDS, "count(preemptions, comm=hog) == 100");
	EXPECT_VERDICT(HOLDS, "count(migrations) == 0");
	EXPECT_VERDICT(HOLDS, "count(wakeups, comm=beat) == 100");
	EXPECT_VERDICT(HOLDS, "count(sleep, comm=beat) == 101");
	EXPECT_VERDICT(HOLDS, "count(losses) == 0");
	EXPECT_VERDICT(HOLDS, "rate(losses) != 1");
}

/* A claim is about the recorded command, unless that has no such thread. */
TEST_F(claims, of_the_command)
{
	story_session(&self->s, "command_pid 13\n");
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) == 3ms");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 0");
	EXPECT_HAS("(1 thread of command hog) in 1 s");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 100", "--all");
	EXPECT_HAS("(3 threads) in 1 s");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 100", "--comm", "beat");
	EXPECT_VERDICT(HOLDS, "share(run) == 20%", "--cpu", "0", "--comm", "beat");
}

/* A percentile is known to 1/32; max is exact. */
TEST_F(claims, precision)
{
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "p99(wait, comm=beat) < 1.1ms");
	EXPECT_VERDICT(FAILS, "p99(wait, comm=beat) < 0.9ms");
	EXPECT_VERDICT(HOLDS, "p999(wait, comm=beat) > 2.9ms");
	EXPECT_VERDICT(UNKNOWN, "p99(wait, comm=beat) < 1ms");
	EXPECT_HAS("percentiles are accurate to 1/32");
	EXPECT_VERDICT(HOLDS, "p999(wait, comm=beat) <= 3ms");
	EXPECT_VERDICT(HOLDS, "min(wait, comm=beat) < 1.02ms");
	EXPECT_VERDICT(FAILS, "min(wait, comm=beat) > 1.02ms");
	EXPECT_VERDICT(UNKNOWN, "min(wait, comm=beat) > 1.01ms");
}

TEST_F(claims, worst_case)
{
	tell_all(&self->s, 5 * MS);
	EXPECT_VERDICT(FAILS, "p999(wait, comm=beat) < 4ms");
	EXPECT_HAS("\n  beat/12 was runnable for 5.00ms on cpu 0 until 1.996000000 s\n"
		   "  on that CPU meanwhile: hog/13 for 5.00ms\n"
		   "  see fxt why --thread 12 --from 1.991000000 --to 1.996000000 ");
	EXPECT_VERDICT(FAILS, "count(preemptions) == 0");
	EXPECT_HAS("\n  most: hog/13, 100\n");
}

/* More waits are longer than the first walk keeps: a second one finds who had the CPU. */
TEST_F(claims, worst_case_among_many)
{
	struct story *s = &self->s;
	unsigned int i;
	uint64_t at;

	STORY(s, "names@1; name 14 late");
	tell_beats(s, 3 * MS);
	for (i = 0, at = 2 * SECOND; i < 150; i++, at += 20 * MS) {
		story_chunk(s, 0, at);
		if (!i)
			story_wake(s, at, 0, 13, 11);
		STORY(s, "% wake 14 by 11 on 0; % 0>13; % 13>14 S; % 14>0 S; % wake 13 by 11 on 0",
			 at, at, at + 10 * MS, at + 11 * MS, at + 12 * MS);
	}
	story_end(s, at);
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("\n  on that CPU meanwhile: hog/13 for 3.00ms\n");
}

/* A lost record may be any record, but the records that are there can suffice to fail. */
TEST_F(claims, losses)
{
	tell_beats(&self->s, 3 * MS);
	STORY(&self->s, "lose 1 2 @%; % 0>11; end %", 2 * SECOND + MS, 2 * SECOND + MS,
			2 * SECOND + 2 * MS);
	EXPECT_VERDICT(FAILS, "count(losses) == 0");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("at least 3.00ms (100 waits of 1 thread)");
	EXPECT_HAS("; records lost: 2");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
	/* Two more waits of any length do not move the median, but the 99th percentile. */
	EXPECT_VERDICT(HOLDS, "p50(wait, comm=beat) < 1.1ms");
	EXPECT_VERDICT(UNKNOWN, "p99(wait, comm=beat) < 4ms");
	EXPECT_VERDICT(UNKNOWN, "count(wait, comm=beat) == 100");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=beat) <= 102");
	EXPECT_VERDICT(FAILS, "count(wait, comm=beat) < 100");
	/* A lost switch hides at most two migrations. */
	EXPECT_VERDICT(HOLDS, "count(migrations) <= 4");
	EXPECT_VERDICT(UNKNOWN, "count(migrations) == 0");
	/* Any thread may have run in the unknown time of a CPU. */
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat) < 10.1%");
	EXPECT_VERDICT(UNKNOWN, "share(run, comm=beat) < 10%");
	EXPECT_HAS("; unknown time of CPUs: ");
}

TEST_F(claims, lost_names)
{
	tell_beats(&self->s, 3 * MS);
	story_lose(&self->s, STORY_NAMES, 1, 2 * SECOND);
	story_end(&self->s, 2 * SECOND);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; records of names lost: 1");
}

/* A claim may be about the thread without a name. */
TEST_F(claims, thread_without_a_name)
{
	tell_beats(&self->s, 3 * MS);
	STORY(&self->s, "0@2000ms 0>99; % 99>0; end %", 2 * SECOND + MS, 2 * SECOND + 9 * MS);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; threads that may or may not be selected: 1");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
	EXPECT_VERDICT(UNKNOWN, "max(wait, cgroup=/batch) < 4ms");
	EXPECT_HAS("no such thread took part");
	EXPECT_VERDICT(UNKNOWN, "count(migrations, comm=nobody) == 0");
	EXPECT_HAS("no such thread took part");
}

/* A wait that is open at the end has a lower bound; one from before the archive has any length. */
TEST_F(claims, cut_off)
{
	tell_beats(&self->s, 3 * MS);
	STORY(&self->s, "2000ms wake 12 by % on 0; 1@% wake 11 by %; end %",
			fxt_sched_waker(13, FXT_SCHED_IRQ_HARD), 2 * SECOND + 2 * MS,
			fxt_sched_waker(11, FXT_SCHED_IRQ_HARD), 2 * SECOND + 2 * MS);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; not over at the end of the archive: 1");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 1.5ms");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=beat) == 101");
	EXPECT_VERDICT(UNKNOWN, "p999(wait, comm=beat) < 4ms");
	EXPECT_VERDICT(HOLDS, "p90(wait, comm=beat) < 1.1ms");
}

TEST_F(claims, unknown_beginning)
{
	story_of_report(&self->s, 1, false);
	/* thirteen was switched in once, without a wakeup. */
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=thirteen) < 1s");
	EXPECT_VERDICT(UNKNOWN, "p50(wait, comm=thirteen) < 1s");
	EXPECT_HAS("no wait, sleep or run to judge");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=thirteen) == 1");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=twelve) == 3us");
}

/* The filter excludes what hog did, but nothing of beat. */
TEST_F(claims, filtered)
{
	story_session(&self->s, "filter comm beat\n");
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(HOLDS, "count(switches, comm=beat) == 101");
	EXPECT_VERDICT(UNKNOWN, "count(switches, tid=12) == 101");
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat*) < 4ms");
	EXPECT_HAS("the recording was filtered");
	EXPECT_HAS("\n  to know it: record without a filter, or with the selection of the claim as its filter\n");
	/* Whether its CPU was idle is not known. */
	EXPECT_VERDICT(UNKNOWN, "max(wakeup, comm=beat) < 4ms");
}

TEST_F(claims, filtered_by_process)
{
	story_session(&self->s, "filter pids 12,99\n");
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, pid=12) < 4ms and max(wait, pid=12, comm=beat) < 4ms");
	EXPECT_VERDICT(UNKNOWN, "max(wait, pid=12,13) < 4ms");
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
}

TEST_F(claims, filtered_by_cpu)
{
	story_session(&self->s, "filter cpus 0-1\n");
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "count(switches, cpu=0, comm=beat) == 101");
	EXPECT_VERDICT(UNKNOWN, "count(switches, comm=beat) == 101");
	EXPECT_VERDICT(UNKNOWN, "max(wait, cpu=0, comm=beat) < 4ms");
}

/*
 * hog has most of the time; in the other half beat runs, and nothing says what cpu 0 did meanwhile.
 * Beat's waits and sleeps are known, and it had no CPU in these.
 */
static void tell_filtered_beats(struct story *s)
{
	uint64_t at = SECOND;

	story_session(s, "filter comm beat\n");
	STORY(s, "names@1; name 12 beat; name 13 hog; 0@% wake 12 by irq", at);
	for (unsigned int i = 0; i < BEATS; i++, at += 10 * MS) {
		STORY(s, "% 0>12; % 12>13 S; % 13>0 hidden; % wake 12 by irq on 0", at + MS,
			 at + 3 * MS, at + 5 * MS, at + 10 * MS);
	}
	story_end(s, at + MS);
}

/* One thread runs no longer than it neither waits nor sleeps, or at most the whole time. */
TEST_F(claims, bounds_of_one_thread)
{
	struct story *s = &self->s;

	tell_filtered_beats(s);
	EXPECT_VERDICT(HOLDS, "sum(run, comm=beat) <= 202ms and sum(run, comm=beat) >= 200ms");
	EXPECT_VERDICT(HOLDS, "sum(run, tid=12) <= 202ms");
	EXPECT_VERDICT(HOLDS, "sum(wait, tid=12) >= 100ms and sum(wait, tid=12) < 110ms");
	EXPECT_VERDICT(UNKNOWN, "sum(run, comm=be*) <= 250ms");
	EXPECT_HAS("(1 thread, and those that the filter hid)");
	story_restart(s);
	tell_beats(s, 3 * MS);
	STORY(s, "lose 1 2 @4000ms; 4000ms 0>11; lose 0 2 @4000ms; 4000ms 13>0 S; end 4000ms");
	/* Two CPUs are unknown for 2 s, but there are only 3 s of this thread. */
	EXPECT_VERDICT(HOLDS, "sum(run, tid=12) <= 3s");
	EXPECT_VERDICT(UNKNOWN, "sum(run, comm=beat) <= 3s");
	EXPECT_HAS("\n  to know it: record all threads and CPUs, from before the load on\n");
}

/* The name that the filter asks for is not the first one of this thread. */
TEST_F(claims, filtered_by_a_later_name)
{
	story_session(&self->s, "filter comm beat\n");
	story_chunk(&self->s, STORY_NAMES, 1);
	story_event(&self->s, 12, 12, "start", FXT_STR_FORK, SECOND);
	story_event(&self->s, 12, 12, "beat", FXT_STR_RENAME, SECOND + MS);
	STORY(&self->s, "0@% 12>0 S; % wake 12 by irq; % 0>12; end %", SECOND + MS, SECOND + 2 * MS,
			SECOND + 4 * MS, SECOND + 9 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) == 2ms");
	EXPECT_HAS("; time under an earlier name, which the filter excludes: 1.00ms\n");
	EXPECT_VERDICT(UNKNOWN, "count(wait, comm=beat) == 1");
	EXPECT_VERDICT(UNKNOWN, "sum(wait, comm=beat) == 2ms");
	EXPECT_VERDICT(HOLDS, "sum(wait, comm=beat) <= 3ms");
}

static void flip(FIXTURE_DATA(claims) *self, size_t at, unsigned char bits)
{
	((unsigned char *)self->s.b.words)[at] ^= bits;
}

/*
 * A damaged archive decides nothing, in either direction: a reserved bit that is set, a time that
 * goes back, a record that cannot be read.
 */
TEST_F(claims, damaged)
{
	uint64_t at;

	tell_beats(&self->s, 3 * MS);
	at = STORY(&self->s, "0@% wake 13 by 11; !% 0>13; % 13>0 S; end %", 2 * SECOND + MS,
			     2 * SECOND + MS, 2 * SECOND + 2 * MS, 2 * SECOND + 3 * MS);
	EXPECT_VERDICT(HOLDS, "count(wait, comm=beat) == 100");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	flip(self, at + 5, 0x80);
	EXPECT_VERDICT(UNKNOWN, "count(wait, comm=beat) == 100", "--assume-complete");
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(UNKNOWN, "count(losses) == 0");
	EXPECT_HAS("; the archive is damaged");
	EXPECT_HAS("\n  to know it: record again; fxt check lists what is wrong\n");
	EXPECT_NO("nothing lost");
	flip(self, at + 5, 0x80);
	flip(self, at + 12, 0x40);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("; the archive contradicts itself");
	flip(self, at + 12, 0x40);
	flip(self, at, 0x10);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("; records could not be read");
}

/* What was lost is said even if it cannot matter, and where the archive is trusted. */
TEST_F(claims, nothing_lost)
{
	tell_beats(&self->s, 3 * MS);
	STORY(&self->s, "lose 1 2 @%; % 0>11; end %", 2 * SECOND + MS, 2 * SECOND + MS,
			2 * SECOND + 2 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
	EXPECT_HAS(", assumed to be complete\n");
	EXPECT_NO("nothing lost");
	EXPECT_VERDICT(HOLDS, "sum(run, comm=beat, cpu=0) == 200ms", "--to", "+1s");
	EXPECT_HAS(" in 1 s on 1 CPU, records lost: 2\n");
	EXPECT_VERDICT(FAILS, "count(losses) == 0");
	EXPECT_HAS(", records lost: 2\n");
	story_restart(&self->s);
	tell_beats(&self->s, 3 * MS);
	story_lose(&self->s, STORY_NAMES, 1, 2 * SECOND);
	STORY(&self->s, "name 14 late; end %", 2 * SECOND + 2 * MS);
	EXPECT_VERDICT(FAILS, "count(losses) == 0");
	EXPECT_HAS(", records lost: 1\n");
}

/*
 * Another program recorded the events: ledgers count what was read of its trace, not what it lost.
 */
TEST_F(claims, imported)
{
	story_session(&self->s, "tool fxt 0.1.0\nsource ftrace text\n");
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("another program recorded it, and does not report its losses");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
}

TEST_F(claims, truncated)
{
	tell_beats(&self->s, 3 * MS);
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("the archive is truncated");
	EXPECT_VERDICT(UNKNOWN, "count(losses) == 0");
}

TEST_F(claims, limits_and_several)
{
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 2ms", "--to", "+900ms");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 10", "--from", "+500ms", "--to", "+600ms");
	EXPECT_VERDICT(FAILS, "-e", "count(losses) == 0", "-e", "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("holds: count(losses) == 0: 0 in 1 s on 2 CPUs, nothing lost\n");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", self->path);
	EXPECT_EQ(2U, times_in_text(self->t.out, ": fails: "));
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", "/nowhere.fxt");
	EXPECT_VERDICT(UNREADABLE, "max(wait, comm=beat) < 4ms", "/nowhere.fxt");
}

/* An unknown part decides nothing: "and" fails if a part fails, "or" holds if a part holds. */
TEST_F(claims, connectives)
{
#define F	"max(wait, comm=beat) < 2ms"
#define H	"max(wait, comm=beat) < 4ms"
#define U	"max(wait, comm=nobody) < 2ms"
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(FAILS, F " and " U);
	EXPECT_VERDICT(UNKNOWN, H " and " U);
	EXPECT_VERDICT(HOLDS, H " or " U);
	EXPECT_VERDICT(UNKNOWN, F " or " U);
	EXPECT_VERDICT(HOLDS, F " and " U " or " H);
	EXPECT_VERDICT(FAILS, F " and (" U " or " H ")");
	EXPECT_HAS("\nfails: " F " and (" U " or " H ")\n");
#undef F
#undef H
#undef U
}

TEST_F(claims, json)
{
	struct json_object *claim, *first, *worst;

	tell_all(&self->s, 5 * MS);
	EXPECT_VERDICT(FAILS, "--json", "max(wait, comm=beat) < 4ms and count(losses) == 0");
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_STREQ("fails", json_object_get_string(json_object_object_get(self->j, "verdict")));
	claim = json_object_array_get_idx(json_object_object_get(self->j, "expressions"), 0);
	first = json_object_object_get(claim, "comparisons");
	ASSERT_EQ(2U, json_object_array_length(first));
	first = json_object_array_get_idx(first, 0);
	EXPECT_EQ(5e6, json_object_get_double(json_object_object_get(first, "low")));
	EXPECT_EQ(5e6, json_object_get_double(json_object_object_get(first, "high")));
	EXPECT_EQ(4e6, json_object_get_double(json_object_object_get(first, "limit")));
	worst = json_object_object_get(first, "worst");
	EXPECT_EQ(12, json_object_get_int(json_object_object_get(worst, "tid")));
	EXPECT_EQ(1991000000, json_object_get_int64(json_object_object_get(worst, "from_ns")));
	worst = json_object_array_get_idx(json_object_object_get(worst, "by"), 0);
	EXPECT_STREQ("hog", json_object_get_string(json_object_object_get(worst, "name")));
}

TEST_F(claims, wrong_expressions)
{
	static const char *const wrong[][2] = {
		{ "", "column 1: unknown function; use p50, p90" },
		{ "p98(wait) < 1ms", "column 1: unknown function (did you mean p90?)" },
		{ "p99(wiat) < 1ms", "column 5: unknown quantity (did you mean wait?)" },
		{ "p99(run) < 1ms", "column 1: run has no p99" },
		{ "p99 wait < 1ms", "column 5: expected ( here" },
		{ "p99(wait < 1ms", "column 10: expected ) here" },
		{ "p99(wait, com=x) < 1ms", "column 11: unknown selector (did you mean comm?)" },
		{ "p99(wait, comm=[) < 1ms", "column 16: invalid pattern; thread names" },
		{ "p99(wait, comm='x) < 1ms", "column 16: this quote is never closed" },
		{ "p99(wait, cgroup=x) < 1ms", "column 18: not a path of a cgroup" },
		{ "p99(wait, pid=x) < 1ms", "column 15: invalid list of ids" },
		{ "p99(wait, cpu=x) < 1ms", "column 15: invalid list of CPUs" },
		{ "p99(wait, pid=1, pid=2) < 1ms", "column 21: this selector is given twice" },
		{ "count(losses, comm=x) == 0", "column 20: losses takes no selectors" },
		{ "p99(wait) = 1ms", "column 11: expected <, <=, >, >=, == or != here" },
		{ "p99(wait) < x", "column 13: expected a number here" },
		{ "p99(wait) < 2", "column 14: this is compared with a time" },
		{ "p99(wait) < 2%", "column 14: this is compared with a time" },
		{ "share(run) < 2", "column 15: this is compared with a percentage" },
		{ "count(wait) < 2ms", "column 16: this is compared with a number without a unit" },
		{ "rate(wait) < 2/m", "column 15: this is compared with a number per second" },
		{ "p99(wait) < 2ms or", "column 19: unknown function" },
		{ "p99(wait) < 2ms, x", "column 16: expected and, or, or the end here" },
		{ "(p99(wait) < 2ms", "column 17: expected ) here" },
	};
	char deep[200];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_VERDICT(WRONG, wrong[i][0]);
		EXPECT_ERROR(wrong[i][1]);
	}
	EXPECT_ERROR("\n  (p99(wait) < 2ms\n                  ^\n");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	EXPECT_VERDICT(WRONG, deep);
	EXPECT_ERROR("column 66: more than 64 nested parentheses");
	EXPECT_EQ(2, FXT("assert", "max(wait) < 1s"));
	EXPECT_ERROR("no archive given");
}

/* Zero needs no unit; blanks, quotes and lists are taken. */
TEST_F(claims, forms)
{
	tell_all(&self->s, 3 * MS);
	EXPECT_VERDICT(HOLDS, "max( wait , comm = 'beat' )>0");
	EXPECT_VERDICT(HOLDS, "count(wait,pid=12,13,comm=\"*\")==201");
	EXPECT_VERDICT(HOLDS, "count(wait,cpu=0,1)<=202 and count(wait,cpu=0-1,comm=beat)==100");
	EXPECT_VERDICT(UNKNOWN, "count(wait,cpu=0,5)==200");
	EXPECT_HAS("the archive lacks one of these CPUs");
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat) < 10.5%");
}

/* --- the truth is within the bounds ---------------------------------------------------------- */

#define SIM_CPUS	2
#define SIM_THREADS	6
#define SIM_STEPS	400
#define SIM_FIRST	640	/* with seed 643, a wait may have ended on another CPU */
#define SIM_SEEDS	60

/** struct sim_event - @in is switched in after @out, or, if @is_wakeup, @in is woken onto @cpu */
struct sim_event {
	uint64_t time;
	uint32_t out;
	uint32_t in;
	uint32_t cpu;
	bool is_wakeup;
	bool is_preempted;
};

/** struct sim - a machine: what its CPUs run (0: idle), who waits for which CPU, events by CPU */
struct sim {
	uint64_t random;
	uint64_t time;
	uint32_t on[SIM_CPUS];
	uint32_t waits_for[SIM_THREADS];	/* CPU + 1 */
	bool runs[SIM_THREADS];
	struct sim_event events[SIM_CPUS][SIM_STEPS];
	unsigned int count[SIM_CPUS];
};

static unsigned int sim_draw(struct sim *s, unsigned int below)
{
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	return (s->random >> 33) % below;
}

/* A random thread that waits for a CPU, or with @cpu SIM_CPUS, that sleeps; 0: none. */
static uint32_t sim_pick(struct sim *s, unsigned int cpu)
{
	unsigned int first = sim_draw(s, SIM_THREADS), i, k;

	for (i = 0; i < SIM_THREADS; i++) {
		k = (first + i) % SIM_THREADS;
		if (cpu == SIM_CPUS ? !s->waits_for[k] && !s->runs[k] : s->waits_for[k] == cpu + 1)
			return 11 + k;
	}
	return 0;
}

static void sim_step(struct sim *s)
{
	unsigned int cpu = sim_draw(s, SIM_CPUS);
	struct sim_event e = { .cpu = cpu, .out = s->on[cpu], .in = sim_pick(s, cpu) };

	s->time += 1000 + sim_draw(s, 50000);
	e.time = s->time;
	e.is_wakeup = sim_draw(s, 2) && (e.in = sim_pick(s, SIM_CPUS));
	if (e.is_wakeup) {
		e.cpu = sim_draw(s, SIM_CPUS);
		s->waits_for[e.in - 11] = e.cpu + 1;
		s->events[cpu][s->count[cpu]++] = e;
		return;
	}
	e.in = sim_pick(s, cpu);
	if (e.in == e.out)
		return;
	e.is_preempted = !e.out || (e.in && sim_draw(s, 2));
	if (e.out) {
		s->runs[e.out - 11] = false;
		/* A preempted thread may be moved at once. */
		s->waits_for[e.out - 11] = e.is_preempted ? 1 + sim_draw(s, SIM_CPUS) : 0;
	}
	if (e.in) {
		s->runs[e.in - 11] = true;
		s->waits_for[e.in - 11] = 0;
	}
	s->on[cpu] = e.in;
	s->events[cpu][s->count[cpu]++] = e;
}

static void sim_write(struct story *s, const struct sim_event *e, uint32_t on)
{
	if (e->is_wakeup)
		story_wake(s, e->time, e->cpu, e->in, fxt_sched_waker(on, FXT_SCHED_IRQ_HARD));
	else
		story_switch(s, e->time, e->out, e->in,
			     e->is_preempted ? FXT_THREAD_NEW : FXT_THREAD_BLOCKED);
}

/* CPU 0 loses its events from number @from on, @lost of them. */
static void sim_tell(struct story *s, const struct sim *sim, unsigned int from, unsigned int lost)
{
	char name[2] = "a";

	story_chunk(s, STORY_NAMES, 1);
	for (unsigned int i = 0; i < SIM_THREADS; i++, name[0]++)
		story_name(s, 11 + i, 11 + i, name);
	for (unsigned int cpu = 0; cpu < SIM_CPUS; cpu++) {
		uint32_t on = 0;

		story_chunk(s, cpu, sim->events[cpu][0].time);
		for (unsigned int i = 0; i < sim->count[cpu]; i++) {
			const struct sim_event *e = &sim->events[cpu][i];

			if (!cpu && lost && i == from + lost)
				story_lose(s, cpu, lost, e->time);
			if (cpu || i < from || i >= from + lost)
				sim_write(s, e, on);
			on = e->is_wakeup ? on : e->in;
		}
	}
	story_end(s, sim->time + 1000);
}

#define SIM_CLAIMS								\
	"max(wait, comm=a) >= 0 and p50(wait, comm=a) >= 0 and p90(wait, comm=b) >= 0 and "	\
	"p99(wait) >= 0 and min(wait, comm=c) >= 0 and mean(wait, comm=d) >= 0 and "	\
	"sum(wait, comm=e) >= 0 and max(wakeup, comm=a) >= 0 and max(preempted) >= 0 and "	\
	"count(wait, comm=a) >= 0 and count(wakeup) >= 0 and count(preempted, comm=b) >= 0 and "	\
	"count(switches, comm=a) >= 0 and count(preemptions) >= 0 and "		\
	"count(migrations, comm=b) >= 0 and count(migrations) >= 0 and "	\
	"count(wakeups, comm=c) >= 0 and count(sleep, comm=a) >= 0 and "	\
	"sum(run, comm=a) >= 0 and share(run, comm=b) >= 0 and "		\
	"share(run, comm=c, cpu=0) >= 0 and max(sleep, comm=d) >= 0 and "	\
	"sum(sleep, comm=d) >= 0 and count(wait, cpu=1) >= 0"

static double bound_of(struct json_object *comparison, const char *name)
{
	struct json_object *value = json_object_object_get(comparison, name);

	return value ? json_object_get_double(value) : 1e300;
}

static struct json_object *bounds(FIXTURE_DATA(claims) *self)
{
	struct json_object *expressions;

	ASSERT_OF("--json", SIM_CLAIMS);
	self->j = json_tokener_parse(self->t.out);
	expressions = json_object_object_get(self->j, "expressions");
	return json_object_get(json_object_object_get(json_object_array_get_idx(expressions, 0),
						      "comparisons"));
}

/* The bounds from some records contain the values from all records, as far as those are known. */
TEST_F(claims, truth_is_within_bounds)
{
	struct json_object *truth, *seen;
	static struct sim sim;
	unsigned int seed, lost, from;
	size_t i;

	for (seed = SIM_FIRST; seed < SIM_FIRST + SIM_SEEDS; seed++) {
		sim = (struct sim){ .random = seed * 0x9e3779b97f4a7c15ULL, .time = SECOND };
		for (i = 0; i < SIM_STEPS; i++)
			sim_step(&sim);
		lost = 1 + sim_draw(&sim, 6);
		from = 2 + sim_draw(&sim, sim.count[0] - lost - 3);
		story_restart(&self->s);
		sim_tell(&self->s, &sim, 0, 0);
		truth = bounds(self);
		ASSERT_NE(NULL, truth) TH_LOG("%s", self->t.err);
		story_restart(&self->s);
		sim_tell(&self->s, &sim, from, lost);
		seen = bounds(self);
		ASSERT_NE(NULL, seen);
		ASSERT_EQ(24U, json_object_array_length(truth));
		/*
		 * The number of a thread's switches is exact, and has bounds if records were lost.
		 */
		i = 12;
		EXPECT_EQ(bound_of(json_object_array_get_idx(truth, i), "low"),
			  bound_of(json_object_array_get_idx(truth, i), "high"));
		EXPECT_EQ(bound_of(json_object_array_get_idx(seen, i), "low") + lost,
			  bound_of(json_object_array_get_idx(seen, i), "high"));
		for (i = 0; i < json_object_array_length(truth); i++) {
			struct json_object *x = json_object_array_get_idx(truth, i);
			struct json_object *y = json_object_array_get_idx(seen, i);

			EXPECT_TRUE(bound_of(y, "low") <= bound_of(x, "high") &&
				    bound_of(y, "high") >= bound_of(x, "low"))
				TH_LOG("seed %u, %u lost from %u: %s: %g to %g, not %g to %g", seed, lost,
				       from, json_object_get_string(json_object_object_get(x, "text")),
				       bound_of(y, "low"), bound_of(y, "high"),
				       bound_of(x, "low"), bound_of(x, "high"));
		}
	}
}
