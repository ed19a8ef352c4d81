// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * assert_test.c - fxt assert says of a claim that it holds, fails, or cannot be known.
 *
 * In:  stories of which each number is known, complete or with losses, filters and edges.
 * Must hold: a claim holds or fails only if it does so whatever the archive lacks; the exit status
 * is 0, 1 or 4 accordingly; what is wrong in an expression is named with its column.
 */
#include "report_print_fixture.h"

REPORT_FIXTURE(claims);

enum { HOLDS = 0, FAILS = 1, WRONG = 2, UNREADABLE = 3, UNKNOWN = 4 };

#define ASSERT_OF(expression, ...)						\
	(tool_free(&self->t),							\
	 tool_run(&self->t, (const char *[]){ "assert", expression, ##__VA_ARGS__,	\
					      self->path, NULL }))

#define EXPECT_VERDICT(status, expression, ...)					\
	EXPECT_EQ(status, ASSERT_OF(expression, ##__VA_ARGS__))			\
		TH_LOG("%s\n%s%s", expression, self->t.out, self->t.err)

#define EXPECT_ERROR(text)							\
	EXPECT_NE(NULL, strstr(self->t.err, text)) TH_LOG("%s\n%s", text, self->t.err)

#define SECOND	1000000000ULL
#define MS	1000000ULL
#define BEATS	100

/*
 * beat/12 is woken by clock/11 once in 10 ms and runs for 2 ms on cpu 0, @late ns after its wakeup
 * in the last beat and 1 ms in the others; meanwhile hog/13 runs, and while beat sleeps. All of
 * them are known from before the first beat on.
 */
static void tell_beats(struct story *s, uint64_t late)
{
	uint64_t at = SECOND, wait;
	unsigned int i;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "clock");
	story_name(s, 12, 12, "beat");
	story_name(s, 13, 13, "hog");
	story_chunk(s, 1, at);
	story_switch(s, at, 0, 11, FXT_THREAD_NEW);
	for (i = 0; i < BEATS; i++)
		story_wake(s, at + i * 10 * MS + MS, 0, 12, 11);
	story_switch(s, at + SECOND, 11, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, at);
	story_switch(s, at, 12, 13, FXT_THREAD_BLOCKED);
	for (i = 0; i < BEATS; i++, at += 10 * MS) {
		wait = i == BEATS - 1 ? late : MS;
		story_switch(s, at + MS + wait, 13, 12, FXT_THREAD_NEW);
		story_switch(s, at + MS + wait + 2 * MS, 12, 13, FXT_THREAD_BLOCKED);
	}
	story_switch(s, SECOND + SECOND, 13, 0, FXT_THREAD_BLOCKED);
}

static void tell_all(struct story *s, uint64_t late)
{
	tell_beats(s, late);
	story_end(s, 2 * SECOND);
}

/* Each function and quantity of a complete archive, at both sides of its value. */
TEST_F(claims, values)
{
	tell_all(&self->s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) == 3ms");
	EXPECT_HAS("holds: max(wait, comm=beat) == 3ms: 3.00ms (100 waits of 1 thread) in 1 s on 2 CPUs, nothing lost\n");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 3ms");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) <= 3000us");
	EXPECT_VERDICT(HOLDS, "sum(wakeup, tid=12) == 102ms");
	EXPECT_VERDICT(HOLDS, "mean(wait, pid=12) > 1.01ms and mean(wait, pid=12) < 1.03ms");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=be*) == 100");
	EXPECT_VERDICT(HOLDS, "rate(wait, comm=beat) == 100/s");
	/* How long hog had waited before the archive is unknown. */
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

/* A percentile is known to 1/32; max is exact. */
TEST_F(claims, precision)
{
	tell_all(&self->s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(HOLDS, "p99(wait, comm=beat) < 1.1ms");
	EXPECT_VERDICT(FAILS, "p99(wait, comm=beat) < 0.9ms");
	EXPECT_VERDICT(HOLDS, "p999(wait, comm=beat) > 2.9ms");
	EXPECT_VERDICT(UNKNOWN, "p99(wait, comm=beat) < 1ms");
	EXPECT_HAS("a percentile is known to 1/32");
	EXPECT_VERDICT(HOLDS, "p999(wait, comm=beat) <= 3ms");
	EXPECT_VERDICT(HOLDS, "min(wait, comm=beat) < 1.02ms");
	EXPECT_VERDICT(FAILS, "min(wait, comm=beat) > 1.02ms");
	EXPECT_VERDICT(UNKNOWN, "min(wait, comm=beat) > 1.01ms");
}

/* A failure names the worst case: which thread, when, where, and who had the CPU. */
TEST_F(claims, worst_case)
{
	tell_all(&self->s, 5 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(FAILS, "p999(wait, comm=beat) < 4ms");
	EXPECT_HAS("\n  beat/12 was runnable for 5.00ms on cpu 0 until 1.996000000 s\n"
		   "  meanwhile there: hog/13 for 5.00ms\n"
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

	tell_beats(s, 3 * MS);
	story_name(s, 14, 14, "late");
	for (i = 0, at = 2 * SECOND; i < 150; i++, at += 20 * MS) {
		story_chunk(s, 0, at);
		story_wake(s, at, 0, 14, 11);
		story_switch(s, at, 0, 13, FXT_THREAD_NEW);
		story_switch(s, at + 10 * MS, 13, 14, FXT_THREAD_BLOCKED);
		story_switch(s, at + 11 * MS, 14, 0, FXT_THREAD_BLOCKED);
		story_wake(s, at + 12 * MS, 0, 13, 11);
	}
	story_end(s, at);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("\n  meanwhile there: hog/13 for 3.00ms\n");
}

/* A record that is lost may have been anything; what was seen is enough to fail. */
TEST_F(claims, losses)
{
	struct story *s = &self->s;

	tell_beats(s, 3 * MS);
	story_lose(s, 1, 2, 2 * SECOND + MS);
	story_switch(s, 2 * SECOND + MS, 0, 11, FXT_THREAD_NEW);
	story_end(s, 2 * SECOND + 2 * MS);
	ASSERT_EQ(0, store(self));
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
	/* A lost switch hides two migrations at most. */
	EXPECT_VERDICT(HOLDS, "count(migrations) <= 4");
	EXPECT_VERDICT(UNKNOWN, "count(migrations) == 0");
	/* Unknown time of a CPU may have been anybody's. */
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat) < 10.1%");
	EXPECT_VERDICT(UNKNOWN, "share(run, comm=beat) < 10%");
	EXPECT_HAS("; unknown time of CPUs: ");
}

/* Names were lost: any thread may have been renamed. */
TEST_F(claims, lost_names)
{
	struct story *s = &self->s;

	tell_beats(s, 3 * MS);
	story_tell_loss(s, STORY_NAMES, 1, 2, 1, STORY_EVENT | STORY_SLICE);
	s->streams[STORY_NAMES].written++;
	s->streams[STORY_NAMES].lost++;
	story_end(s, 2 * SECOND);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; records of names lost: 1");
}

/* A thread without a name may be meant. */
TEST_F(claims, thread_without_a_name)
{
	struct story *s = &self->s;

	tell_beats(s, 3 * MS);
	story_chunk(s, 0, 2 * SECOND);
	story_switch(s, 2 * SECOND, 0, 99, FXT_THREAD_NEW);
	story_switch(s, 2 * SECOND + MS, 99, 0, FXT_THREAD_NEW);
	story_end(s, 2 * SECOND + 9 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; threads that may be meant or not: 1");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
	EXPECT_VERDICT(UNKNOWN, "max(wait, cgroup=/batch) < 4ms");
	EXPECT_HAS("no such thread took part");
	EXPECT_VERDICT(UNKNOWN, "count(migrations, comm=nobody) == 0");
	EXPECT_HAS("no such thread took part");
}

/* A wait that is not over at the end is at least so long; one that began before has any length. */
TEST_F(claims, cut_off)
{
	struct story *s = &self->s;

	tell_beats(s, 3 * MS);
	story_wake(s, 2 * SECOND, 0, 12, fxt_sched_waker(13, FXT_SCHED_IRQ_HARD));
	story_chunk(s, 1, 2 * SECOND + 2 * MS);
	story_wake(s, 2 * SECOND + 2 * MS, 1, 11, fxt_sched_waker(11, FXT_SCHED_IRQ_HARD));
	story_end(s, 2 * SECOND + 2 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("; not over at its end: 1");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 1.5ms");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=beat) == 101");
	EXPECT_VERDICT(UNKNOWN, "p999(wait, comm=beat) < 4ms");
	EXPECT_VERDICT(HOLDS, "p90(wait, comm=beat) < 1.1ms");
}

TEST_F(claims, unknown_beginning)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, store(self));
	/* thirteen was switched in once, without a wakeup. */
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=thirteen) < 1s");
	EXPECT_VERDICT(UNKNOWN, "p50(wait, comm=thirteen) < 1s");
	EXPECT_HAS("there is no wait to judge");
	EXPECT_VERDICT(HOLDS, "count(wait, comm=thirteen) == 1");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=twelve) == 3us");
}

TEST_F(claims, filtered)
{
	struct story *s = &self->s;

	story_session(s, "filter comm=beat\n");
	tell_all(s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("the recording was filtered");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
}

/* Another program recorded it: the ledgers count what was read of its trace. */
TEST_F(claims, imported)
{
	struct story *s = &self->s;

	story_session(s, "tool fxt 0.1.0\nsource ftrace text\n");
	tell_all(s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("another program recorded it, and does not say what it lost");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms");
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 4ms", "--assume-complete");
}

TEST_F(claims, truncated)
{
	struct story *s = &self->s;

	tell_beats(s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(UNKNOWN, "max(wait, comm=beat) < 4ms");
	EXPECT_HAS("the archive has no end: it is truncated");
	EXPECT_VERDICT(UNKNOWN, "count(losses) == 0");
}

TEST_F(claims, limits_and_several)
{
	tell_all(&self->s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(HOLDS, "max(wait, comm=beat) < 2ms", "--to", "+900ms");
	EXPECT_VERDICT(HOLDS, "count(wakeups) == 10", "--from", "+500ms", "--to", "+600ms");
	EXPECT_VERDICT(FAILS, "-e", "count(losses) == 0", "-e", "max(wait, comm=beat) < 2ms");
	EXPECT_HAS("holds: count(losses) == 0: 0 in 1 s on 2 CPUs, nothing lost\n");
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", self->path);
	EXPECT_EQ(2U, times_in_text(self->t.out, ": fails: "));
	EXPECT_VERDICT(FAILS, "max(wait, comm=beat) < 2ms", "/nowhere.fxt");
	EXPECT_VERDICT(UNREADABLE, "max(wait, comm=beat) < 4ms", "/nowhere.fxt");
}

/* What fails decides "and", what holds decides "or", whatever cannot be known. */
TEST_F(claims, connectives)
{
#define F	"max(wait, comm=beat) < 2ms"
#define H	"max(wait, comm=beat) < 4ms"
#define U	"max(wait, comm=nobody) < 2ms"
	tell_all(&self->s, 3 * MS);
	ASSERT_EQ(0, store(self));
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
	ASSERT_EQ(0, store(self));
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
		{ "p99(wait, comm=[) < 1ms", "column 16: no pattern of a thread's name" },
		{ "p99(wait, comm='x) < 1ms", "column 16: this quote is never closed" },
		{ "p99(wait, cgroup=x) < 1ms", "column 18: not a path of a cgroup" },
		{ "p99(wait, pid=x) < 1ms", "column 15: invalid list of process ids" },
		{ "p99(wait, cpu=x) < 1ms", "column 15: invalid list of CPUs" },
		{ "p99(wait, pid=1, pid=2) < 1ms", "column 21: one such selector is enough" },
		{ "count(losses, comm=x) == 0", "column 20: nobody knows of which thread" },
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
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_VERDICT(WRONG, wrong[i][0]);
		EXPECT_ERROR(wrong[i][1]);
	}
	EXPECT_ERROR("\n  (p99(wait) < 2ms\n                  ^\n");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	EXPECT_VERDICT(WRONG, deep);
	EXPECT_ERROR("column 66: more than 64 parentheses are open");
	EXPECT_EQ(2, tool_run(&self->t, (const char *[]){ "assert", "max(wait) < 1s", NULL }));
	EXPECT_ERROR("no archive given");
}

/* Zero needs no unit; blanks, quotes and lists are taken. */
TEST_F(claims, forms)
{
	tell_all(&self->s, 3 * MS);
	ASSERT_EQ(0, store(self));
	EXPECT_VERDICT(HOLDS, "max( wait , comm = 'beat' )>0");
	EXPECT_VERDICT(HOLDS, "count(wait,pid=12,13,comm=\"*\")==201");
	EXPECT_VERDICT(HOLDS, "count(wait,cpu=0,1)==202 and count(wait,cpu=0-1,comm=beat)==100");
	EXPECT_VERDICT(UNKNOWN, "count(wait,cpu=0,5)==200");
	EXPECT_HAS("the archive lacks one of these CPUs");
	EXPECT_VERDICT(HOLDS, "share(run, comm=beat) < 10.5%");
}

TEST_HARNESS_MAIN
