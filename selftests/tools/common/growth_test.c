// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time and memory of each verb grow with the archive, whatever is in it: many threads that wait
 * for each other, move, or have one id, many operations and interrupts. An archive of four times
 * the size takes less than eight times as much CPU time, unless it takes little, and no verb needs
 * 250 MB. What is left out for that is named, and the parts still add up.
 */
#include "harness.h"

#include <math.h>
#include <sys/resource.h>

#include "collector.h"
#include "event_story.h"
#include "tool.h"

#define FIRST	100		/* thread */
#define US	1000ULL
#define LITTLE	0.125		/* s of CPU time */
#define MOST	(250L << 10)	/* KiB */
#define TRIES	3		/* under load, a run may take more CPU time than another */

static void name_threads(struct story *s, uint32_t count)
{
	char name[16];

	story_chunk(s, STORY_NAMES, 1);
	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		story_name(s, FIRST + i, FIRST + i, name);
	}
	STORY(s, "0@1ms 0>%", FIRST - 1);
}

/* All are woken, then each runs once. */
static uint64_t tell_queue(struct story *s, uint32_t count)
{
	uint64_t t = MS;

	for (uint32_t i = 0; i < count; i++)
		story_wake(s, t += US, 0, FIRST + i, FIRST - 1);
	for (uint32_t i = 0; i < count; i++)
		story_switch(s, t += US, FIRST + i - 1, FIRST + i, FXT_THREAD_BLOCKED);
	return t;
}

/* A third of them preempt each other all the time. */
static uint64_t tell_rounds(struct story *s, uint32_t count)
{
	uint64_t t = MS;
	uint32_t i, threads = count / 3;

	story_switch(s, t += US, FIRST - 1, FIRST, FXT_THREAD_BLOCKED);
	for (i = 0; i < count; i++)
		story_switch(s, t += US, FIRST + i % threads, FIRST + (i + 1) % threads, FXT_THREAD_NEW);
	return t;
}

/* All sleep; then each one wakes the next. */
static uint64_t tell_chain(struct story *s, uint32_t count)
{
	uint64_t t = MS;
	uint32_t i;

	for (i = 0; i < count; i++)
		story_switch(s, t += US, FIRST + i - 1, FIRST + i, FXT_THREAD_BLOCKED);
	story_switch(s, t += US, FIRST + i - 1, 0, FXT_THREAD_BLOCKED);
	story_wake(s, t += US, 0, FIRST, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, t += US, 0, FIRST, FXT_THREAD_NEW);
	for (i = 1; i < count; i++) {
		story_wake(s, t += US, 0, FIRST + i, FIRST + i - 1);
		story_switch(s, t += US, FIRST + i - 1, FIRST + i, FXT_THREAD_BLOCKED);
	}
	return t;
}

/* Each is woken, runs once and ends. */
static uint64_t tell_lives(struct story *s, uint32_t count)
{
	uint64_t t = MS;

	for (uint32_t i = 0; i < count; i++) {
		story_wake(s, t += US, 0, FIRST + i, FIRST + i - 1);
		story_switch(s, t += US, FIRST + i - 1, FIRST + i, FXT_THREAD_DEAD);
	}
	return t;
}

/* Two take turns, while others begin to wait behind them, until all of those run once. */
static uint64_t tell_turns(struct story *s, uint32_t count)
{
	uint64_t t = MS;
	uint32_t i;

	story_switch(s, t += US, FIRST - 1, FIRST, FXT_THREAD_BLOCKED);
	for (i = 2; i < count; i++) {
		story_wake(s, t += US, 0, FIRST + i, FIRST + i % 2);
		story_switch(s, t += US, FIRST + i % 2, FIRST + (i + 1) % 2, FXT_THREAD_NEW);
	}
	story_switch(s, t += US, FIRST + i % 2, FIRST + 2, FXT_THREAD_NEW);
	for (i = 3; i < count; i++)
		story_switch(s, t += US, FIRST + i - 1, FIRST + i, FXT_THREAD_BLOCKED);
	return t;
}

/* The threads of a process wait, while it moves between cgroups. */
static uint64_t tell_moves(struct story *s, uint32_t count)
{
	char path[16];
	uint32_t i;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 1; i < count; i++)
		story_name(s, FIRST + i, FIRST, "moved");
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/%u", i % 100);
		event_attach(s, FIRST, path, MS + i * US);
	}
	story_chunk(s, 0, MS);
	return tell_queue(s, count);
}

/* One after the other has the same id; the names of all are known before. */
static uint64_t tell_reuse(struct story *s, uint32_t count)
{
	uint64_t t = MS;
	char name[16];
	uint32_t i;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		story_fork(s, FIRST, FIRST, name, MS + 4 * i * US);
	}
	story_chunk(s, 0, MS);
	for (i = 0; i < count; i++, t += US) {
		story_wake(s, t += US, 0, FIRST, FIRST - 1);
		story_switch(s, t += US, FIRST - 1, FIRST, FXT_THREAD_NEW);
		story_switch(s, t += US, FIRST, FIRST - 1, FXT_THREAD_DEAD);
	}
	return t;
}

/* An event with a name of its own; @word: its id, or its end. */
static void add_event(struct story *s, uint32_t type, uint64_t time, uint32_t number, uint64_t word)
{
	char name[9];

	snprintf(name, sizeof(name), "e%07u", number);
	BUILD(&s->b, fxt_event(6, type, 0, FXT_THREAD_REF_INLINE, FXT_STRING_REF_EMPTY,
			       fxt_string_ref_inline(8)), time, FIRST, FIRST);
	BUILD_TEXT(&s->b, name);
	BUILD(&s->b, word);
}

/* Operations with one id, slices that begin at one time, and interrupts, all with other names. */
static uint64_t tell_names(struct story *s, uint32_t count)
{
	uint64_t t = tell_queue(s, 2);
	uint32_t i;

	for (i = 0; i < count; i++)
		add_event(s, FXT_EVENT_ASYNC_BEGIN, t += US, i, 7);
	for (i = 0; i < count; i++)
		add_event(s, FXT_EVENT_ASYNC_END, t += US, i, 7);
	for (i = 0; i < count; i++)
		add_event(s, FXT_EVENT_DURATION_COMPLETE, MS, i, MS + i * US);
	for (i = 0; i < count; i++, t += US)
		event_irq(s, MS + 2 * i * US, MS + (2 * i + 1) * US, i, "irq");
	return t;
}

FIXTURE(growth)
{
	char path[64];
	char large[64];
	char dir[32];
};

FIXTURE_VARIANT(growth)
{
	uint64_t (*tell)(struct story *s, uint32_t count);
	uint32_t count;
};

FIXTURE_VARIANT_ADD(growth, queue) { tell_queue, 2500 };
FIXTURE_VARIANT_ADD(growth, rounds) { tell_rounds, 6000 };
FIXTURE_VARIANT_ADD(growth, chain) { tell_chain, 750 };
FIXTURE_VARIANT_ADD(growth, lives) { tell_lives, 2500 };
FIXTURE_VARIANT_ADD(growth, turns) { tell_turns, 1250 };
FIXTURE_VARIANT_ADD(growth, moves) { tell_moves, 2500 };
FIXTURE_VARIANT_ADD(growth, reuse) { tell_reuse, 2500 };
FIXTURE_VARIANT_ADD(growth, names) { tell_names, 3750 };

FIXTURE_SETUP(growth)
{
	strcpy(self->dir, "/tmp/growth_test_XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
	snprintf(self->large, sizeof(self->large), "%s/large.fxt", self->dir);
}

FIXTURE_TEARDOWN(growth)
{
	dir_remove(self->dir);
}

static void write_story(const char *path, const FIXTURE_VARIANT(growth) *variant, uint32_t count)
{
	struct story s = { 0 };
	uint64_t end;

	story_begin(&s);
	name_threads(&s, count);
	end = variant->tell(&s, count);
	story_end(&s, end + US);
	save_file(path, s.b.words, built_bytes(&s.b));
}

/* Of programs that have ended, in user space and in the kernel. */
static double cpu_seconds(void)
{
	struct rusage r;

	getrusage(RUSAGE_CHILDREN, &r);
	return r.ru_utime.tv_sec + r.ru_stime.tv_sec +
	       (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

#define IN	"@"		/* the archive */
#define OUT	"-o", "%"	/* a new file */

static const char *const commands[][8] = {
	{ "blame", IN }, { "blame", "--by", "process", IN }, { "blame", "--by", "cgroup", IN },
	{ "report", "--cgroup", "/none", IN }, { "why", IN },
	{ "why", "--worst", "100", "--json", IN }, { "why", "--program", "n*", "--json", IN },
	{ "why", "--thread", "102", "--json", IN }, { "report", IN },
	{ "report", "--html", "/dev/null", IN }, { "assert", "max(wait) < 1000s", IN },
	{ "check", IN }, { "info", IN }, { "dump", IN }, { "diff", IN, "--", IN },
	{ "cut", "--to", "+1s", OUT, IN }, { "merge", OUT, IN }, { "symbolize", OUT, IN },
	{ "convert", "--to", "json", OUT, IN }, { "convert", "--to", "ftrace", OUT, IN },
	{ "convert", "--to", "perfetto", OUT, IN }, { "convert", "--to", "csv", OUT, IN },
	{ "convert", "--to", "parquet", OUT, IN }, { "convert", "--to", "sqlite", OUT, IN },
	{ "convert", "--to", "firefox", OUT, IN }, { "convert", "--to", "fxt", OUT, IN },
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

/* Runs a command on an archive. Return: its CPU time in seconds. */
static double run(struct __test_metadata *_metadata, const char *archive,
		  const char *const *command)
{
	const double before = cpu_seconds();
	const char *args[9] = { 0 };
	char out[80];
	struct tool t;
	int status;

	snprintf(out, sizeof(out), "%s.out", archive);
	for (size_t k = 0; k < 8; k++)
		args[k] = !command[k] ? NULL : !strcmp(command[k], IN) ? archive :
			  !strcmp(command[k], "%") ? out : command[k];
	status = tool_run(&t, args);
	/* The archives do not say how long those waited that still wait at the end. */
	EXPECT_TRUE(status < 2 || (status == 4 && !strcmp(args[0], "assert")))
		TH_LOG("%s %s: %s", args[0], args[1], t.err);
	EXPECT_GT(MOST, t.peak_kib) TH_LOG("%s %s: %ld KiB", args[0], args[1], t.peak_kib);
	tool_free(&t);
	dir_remove(out);
	return cpu_seconds() - before;
}

/* What takes little with the large archive need not be compared. */
static void expect_linear(struct __test_metadata *_metadata, FIXTURE_DATA(growth) *self,
			  const char *const *command)
{
	double small, large = run(_metadata, self->large, command);

	if (large < LITTLE)
		return;
	small = run(_metadata, self->path, command);
	for (int n = 1; n < TRIES && large >= 8 * small; n++)
		large = fmin(large, run(_metadata, self->large, command));
	EXPECT_GT(8 * small, large)
		TH_LOG("%s %s %s: %.2f s, then %.2f s", command[0], command[1],
		       command[2] ? command[2] : "", small, large);
}

TEST_F_TIMEOUT(growth, is_linear, 300)
{
	write_story(self->path, variant, variant->count);
	write_story(self->large, variant, 4 * variant->count);
	for (size_t i = 0; i < COMMANDS; i++)
		expect_linear(_metadata, self, commands[i]);
}

/* The pairs of fxt blame have all the time that threads waited, also if some are not told apart. */
TEST_F(growth, adds_up)
{
	unsigned long long all = 0, sum = 0, others = 0;
	struct tool t;
	char *at;

	write_story(self->path, variant, 2 * variant->count);
	ASSERT_EQ(0, tool_run(&t, ARGS("blame", "--json", self->path))) TH_LOG("%s", t.err);
	at = strstr(t.out, "\"waited_ns\":");
	ASSERT_NE(NULL, at);
	sscanf(at, "\"waited_ns\":%llu,\"others_ns\":%llu", &all, &others);
	for (at = t.out; (at = strstr(at, ",\"ns\":")); at += 6)
		sum += strtoull(at + 6, NULL, 10);
	EXPECT_EQ(all, sum);
	EXPECT_GE(all, others);
	if (variant->tell == tell_queue)
		EXPECT_LT(0U, others);
}
