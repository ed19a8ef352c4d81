// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine with thirty threads, recorded several times, with changes that are known: the change is
 * listed first, with its numbers; noise is not listed; names are text, in lines and in the page.
 */
#include "harness.h"

#include <math.h>

#include "fxt/diff/rank.h"
#include "event_story.h"
#include "json_get.h"
#include "tool.h"

#define THREADS		30
#define PERIODS		50		/* in a recording, by default */
#define PERIOD		10000000ULL	/* ns */
#define START		1000000000ULL
#define CHANGED		7		/* number of the thread that differs in B */
#define RUNS		20

struct machine {
	uint64_t seed;	/* seed of the noise */
	double noise;	/* largest noise of a single run, relative to its length */
	double drift;	/* the same for all runs of a thread in this recording */
	double run;	/* factor of the changed thread's runs */
	double outlier;	/* the same of the last of several recordings instead of @run; 0: none */
	/* ms for which the last thread runs in a period; 0: as long as the others */
	double last;
	unsigned int wakes;	/* wakeups of the changed thread in a period; 0: one */
	bool all_wake;	/* all threads are woken as often */
	const char *name;	/* name of the changed thread, or NULL */
	unsigned int periods;	/* number of periods; 0: PERIODS */
	const char *session;	/* lines of the session, or NULL */
	unsigned int lost;	/* lost records of CPU 0 */
};

FIXTURE(diff)
{
	char dir[64];
	char paths[2 * RUNS][96];
	struct tool t;
	struct json_object *j;
};

FIXTURE_SETUP(diff)
{
	strcpy(self->dir, "/tmp/fxt-diff.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	for (unsigned int i = 0; i < 2 * RUNS; i++)
		snprintf(self->paths[i], sizeof(self->paths[i]), "%s/%u.fxt", self->dir, i);
}

FIXTURE_TEARDOWN(diff)
{
	char command[96];

	snprintf(command, sizeof(command), "rm -r %s", self->dir);
	EXPECT_EQ(0, system(command));
}

/* --- the machine --------------------------------------------------------------------------- */

static double draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 11) * 0x1p-52 - 1;
}

/* Set how long each thread runs in a period of this recording, without the noise of single runs. */
static void set_runs(const struct machine *m, double runs[THREADS], uint64_t *state)
{
	for (unsigned int i = 0; i < 100; i++)
		draw(state);
	for (unsigned int i = 0; i < THREADS; i++) {
		runs[i] = (200 + 10 * i) * 1000;
		runs[i] *= 1 + m->drift * draw(state);
		runs[i] *= i == CHANGED && m->run > 0 ? m->run : 1;
	}
	if (m->last > 0)
		runs[THREADS - 1] = m->last * 1e6;
}

/* Wake all threads of a CPU together, and let them run one after the other. */
static uint64_t tell_round(struct story *s, const struct machine *m, unsigned int cpu, uint64_t at,
			   unsigned int round, const double *runs, uint64_t *state)
{
	uint32_t before = 0;

	if (round && !m->all_wake && cpu != CHANGED % STORY_CPUS)
		return at;
	for (unsigned int i = cpu; i < THREADS; i += STORY_CPUS)
		if (!round || m->all_wake || i == CHANGED)
			story_wake(s, at, cpu, 100 + i, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	at += 2000;
	for (unsigned int i = cpu; i < THREADS; i += STORY_CPUS) {
		unsigned int parts = i == CHANGED && m->wakes && !m->all_wake ? m->wakes : 1;

		if (round && !m->all_wake && i != CHANGED)
			continue;
		story_switch(s, at, before, 100 + i, before ? FXT_THREAD_BLOCKED : FXT_THREAD_NEW);
		before = 100 + i;
		at += runs[i] / parts * (1 + m->noise * draw(state));
	}
	story_switch(s, at, before, 0, FXT_THREAD_BLOCKED);
	return at + 1000;
}

static void tell_cpu(struct story *s, const struct machine *m, unsigned int cpu, const double *runs,
		     uint64_t *state)
{
	unsigned int periods = m->periods ? m->periods : PERIODS, i, round;
	uint64_t at;

	story_chunk(s, cpu, START);
	story_wake(s, START, cpu, 100 + cpu, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	STORY(s, "% 0>%; % %>0 S", START + 1000, 100 + cpu, START + 2000, 100 + cpu);
	for (i = 0; i < periods; i++) {
		at = START + (i + 1) * PERIOD;
		for (round = 0; !round || round < m->wakes; round++)
			at = tell_round(s, m, cpu, at, round, runs, state);
	}
	if (!cpu && m->lost)
		story_lose(s, 0, m->lost, START + (periods + 1) * PERIOD - 1000);
}

static void record(const struct machine *m, const char *path)
{
	unsigned int periods = m->periods ? m->periods : PERIODS, i;
	uint64_t state = m->seed * 2654435761u + 88172645463325252ULL;
	double runs[THREADS];
	struct story s = { 0 };
	char name[16];

	set_runs(m, runs, &state);
	story_begin(&s);
	if (m->session)
		story_session(&s, m->session);
	story_chunk(&s, STORY_NAMES, 1);
	for (i = 0; i < THREADS; i++) {
		snprintf(name, sizeof(name), "t%02u", i);
		story_name(&s, 100 + i, 100 + i, i == CHANGED && m->name ? m->name : name);
	}
	for (i = 0; i < STORY_CPUS; i++)
		tell_cpu(&s, m, i, runs, &state);
	story_end(&s, START + (periods + 1) * PERIOD);
	save_file(path, s.b.words, built_bytes(&s.b));
}

/* --- comparisons --------------------------------------------------------------------------- */

#define DIFF(...)	tool_run(&self->t, ARGS("diff", ##__VA_ARGS__))

#define EXPECT_HAS(text)							\
	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

/* What follows the scope of each side. */
static const char *below_scope(const char *out)
{
	while ((*out == 'A' || *out == 'B') && !strncmp(out + 1, ": scope: ", 9) && strchr(out, '\n'))
		out = strchr(out, '\n') + 1;
	return out;
}

#define EXPECT_FIRST(text)							\
	EXPECT_EQ(0, strncmp(below_scope(self->t.out), text, strlen(text)))	\
		TH_LOG("%s\n%s", text, self->t.out)

#define NOTHING	"no change of 4% or more"

#define COMPARE(first, second, ...)						\
	do {									\
		record(&(first), self->paths[0]);				\
		record(&(second), self->paths[1]);				\
		ASSERT_EQ(0, DIFF(__VA_ARGS__ __VA_OPT__(,) self->paths[0], self->paths[1]))	\
			TH_LOG("%s", self->t.err);				\
	} while (0)

/* Compare @count recordings of A with as many of B. The seeds count from that of A. */
static int compare_runs(FIXTURE_DATA(diff) *self, const struct machine *a, const struct machine *b,
			unsigned int count)
{
	const char *args[2 * RUNS + 4] = { "diff" };
	unsigned int i, n = 1;

	for (i = 0; i < 2 * count; i++) {
		struct machine m = i < count ? *a : *b;

		m.seed = a->seed + 1000 + i;
		if (m.outlier > 0 && (i + 1) % count == 0)
			m.run = m.outlier;
		record(&m, self->paths[i]);
		if (i == count)
			args[n++] = "--";
		args[n++] = self->paths[i];
	}
	return tool_run(&self->t, args);
}

TEST_F(diff, same_archive)
{
	struct machine a = { .seed = 1, .noise = 0.1 };

	record(&a, self->paths[0]);
	ASSERT_EQ(0, DIFF(self->paths[0], self->paths[0]));
	EXPECT_FIRST(NOTHING);
	EXPECT_HAS("One run per side: it is unknown how much numbers differ from run to run.");
}

TEST_F(diff, longer_runs)
{
	struct machine a = { .seed = 1 }, b = { .seed = 2, .run = 1.2 };

	COMPARE(a, b);
	EXPECT_FIRST("t07: run 13.5ms -> 16.2ms (+20%)");
	b.run = 1.05;
	COMPARE(a, b);
	EXPECT_FIRST("t07: run 13.5ms -> 14.2ms (+5%)");
	b.run = 0.5;
	COMPARE(a, b);
	EXPECT_FIRST("t07: run 13.5ms -> 6.75ms (-50%)");
	a.noise = b.noise = 0.05;
	b.run = 1.2;
	COMPARE(a, b);
	EXPECT_FIRST("t07: run 1");
	COMPARE(a, b, "--least", "150");
	EXPECT_FIRST("no change of 150% or more");
}

/* The recorded command counts, unless all threads are asked for. */
TEST_F(diff, of_the_command)
{
	struct machine a = { .seed = 1, .session = "command_pid 101\n" }, b = a;

	b.run = 1.2;
	COMPARE(a, b);
	EXPECT_FIRST(NOTHING);
	EXPECT_EQ(0, strncmp(self->t.out, "A: scope: command t01/101 and ", 30));
	COMPARE(a, b, "--all");
	EXPECT_FIRST("t07: run 13.5ms -> 16.2ms (+20%)");
	COMPARE(a, b, "--comm", "t07");
	EXPECT_FIRST("t07: run 13.5ms -> 16.2ms (+20%)");
}

/* A small part of much time is more time, but matters less than a large part of little time. */
TEST_F(diff, factor_counts)
{
	struct machine a = { .seed = 1, .last = 3 }, b = { .seed = 2, .run = 1.2, .last = 3.14 };

	COMPARE(a, b);
	EXPECT_FIRST("t07: run 13.5ms -> 16.2ms (+20%)");
	EXPECT_HAS("\nt29: run 150ms -> 157ms (+5%)");
	b.last = 4;
	COMPARE(a, b);
	EXPECT_FIRST("t29: run 150ms -> 200ms (+33%)");
}

TEST_F(diff, more_wakeups)
{
	struct machine a = { .seed = 1 }, b = { .seed = 2, .wakes = 4 };

	COMPARE(a, b);
	EXPECT_FIRST("t07: ");
	EXPECT_HAS("woken 50 -> 200 times (x4)");
	EXPECT_EQ(0U, times_in_text(below_scope(self->t.out), "\nt0"));
}

TEST_F(diff, renamed)
{
	struct machine a = { .seed = 1 }, b = { .seed = 2, .name = "seven" };

	COMPARE(a, b);
	EXPECT_FIRST("t07: only in A, may be called seven in B: run 13.5ms -> 13.5ms\n");
	/* If it also does more, it is another thread. */
	b.run = 1.5;
	COMPARE(a, b);
	EXPECT_FIRST("seven: only in B: run 20.2ms");
	EXPECT_HAS("\nt07: only in A: run 13.5ms");
}

/* Numbers are per second of wall time, scaled to the length of A. */
TEST_F(diff, lengths)
{
	struct machine a = { .seed = 1, .noise = 0.05 }, b = { .seed = 2, .noise = 0.05, .periods = 150 };

	COMPARE(a, b);
	EXPECT_FIRST(NOTHING);
	b.run = 1.2;
	COMPARE(a, b);
	EXPECT_FIRST("t07: run 1");
	EXPECT_HAS("All numbers are per 0.5");
}

/* Twice as much work takes twice the time, but not more per unit of work. */
TEST_F(diff, unit_of_work)
{
	struct machine a = { .seed = 1 }, b = { .seed = 2, .wakes = 2, .all_wake = true };

	COMPARE(a, b);
	EXPECT_HAS("(x2)");
	COMPARE(a, b, "--per", "switches-of:t00");
	EXPECT_FIRST(NOTHING);
	EXPECT_HAS("All numbers are per switch.");
	EXPECT_EQ(1, DIFF("--per", "syscall:write", self->paths[0], self->paths[1]));
	EXPECT_IN(self->t.err, "it has no syscall:write to compare by");
}

/* --- several runs -------------------------------------------------------------------------- */

/* The machine is the same in all recordings; each number differs by up to a half between them. */
TEST_F(diff, noise_is_no_change)
{
	struct machine a = { .noise = 0.1, .drift = 0.3 };

	ASSERT_EQ(0, compare_runs(self, &a, &a, RUNS / 2));
	EXPECT_FIRST(NOTHING);
	EXPECT_HAS("Mann-Whitney U");
	/* With one recording per side, the noise is unknown, and diff says so. */
	a.drift = 0;
	for (unsigned int i = 0; i < RUNS; i++) {
		struct machine m = a;

		m.seed = i;
		record(&m, self->paths[i]);
		ASSERT_EQ(0, DIFF(self->paths[0], self->paths[i]));
		EXPECT_FIRST(NOTHING);
	}
}

/*
 * Both sides have the same recordings, twenty times others. However these differ, nothing changed.
 */
TEST_F(diff, same_recordings_twenty_times)
{
	struct machine a = { .noise = 0.1, .drift = 0.3 };
	const char *one = self->paths[0], *two = self->paths[1], *three = self->paths[2];

	for (unsigned int i = 0; i < RUNS; i++) {
		for (unsigned int k = 0; k < 3; k++) {
			a.seed = 100 * i + k;
			record(&a, self->paths[k]);
		}
		ASSERT_EQ(0, DIFF(one, one));
		EXPECT_FIRST(NOTHING);
		ASSERT_EQ(0, DIFF("--least", "1", one, two, three, "--", three, one, two));
		EXPECT_FIRST("no change of 1% or more");
	}
}

/*
 * Ten recordings of a machine against ten others of it, twenty times. At a false discovery rate of
 * 5%, one comparison in twenty may list a change; two are bad luck.
 */
TEST_F(diff, noise_is_no_change_twenty_times)
{
	struct machine a = { .noise = 0.1, .drift = 0.3 };
	unsigned int listed = 0;

	for (a.seed = 0; a.seed < 20 * 2 * RUNS; a.seed += 2 * RUNS) {
		ASSERT_EQ(0, compare_runs(self, &a, &a, RUNS / 2));
		listed += strncmp(below_scope(self->t.out), NOTHING, strlen(NOTHING)) ||
			  strstr(self->t.out, ", q 0.0");
	}
	EXPECT_GE(2U, listed);
}

TEST_F(diff, change_beyond_noise)
{
	struct machine a = { .noise = 0.1, .drift = 0.05 }, b = a;

	b.run = 1.2;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 10));
	EXPECT_FIRST("t07: run ");
	EXPECT_HAS(", q 0.0");
	EXPECT_EQ(0U, times_in_text(below_scope(self->t.out), "\nt0"));
	b.run = 1;
	b.wakes = 2;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 10));
	EXPECT_FIRST("t07: ");
	EXPECT_HAS("woken 50 -> 100 times (x2");
}

/* One of eight recordings is far off: the change is listed, and no limit is below nothing. */
TEST_F(diff, one_outlier)
{
	struct machine a = { .noise = 0.03, .drift = 0.01, .outlier = 3 }, b = a;

	b.run = 1.3;
	b.outlier = 0.3;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 8));
	EXPECT_FIRST("t07: run ");
	b.run = 1;
	b.outlier = 0.1;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 8));
	EXPECT_FIRST(NOTHING);
	a.outlier = 1.6;
	b.outlier = 0;
	b.run = 0.3;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 3));
	EXPECT_FIRST("t07: run ");
	EXPECT_HAS("t07: run 13.7ms -> 4.05ms (-70%, -81% to -70%)");
}

/* Three recordings per side are too few for the rank test, but sides that do not overlap count. */
TEST_F(diff, few_runs)
{
	struct machine a = { .noise = 0.05, .drift = 0.02 }, b = a, loud = { .drift = 0.3 };

	ASSERT_EQ(0, compare_runs(self, &loud, &loud, 3));
	EXPECT_FIRST(NOTHING);
	EXPECT_HAS("3 and 3 runs are too few for the rank test");
	b.run = 1.2;
	ASSERT_EQ(0, compare_runs(self, &a, &b, 3));
	EXPECT_FIRST("t07: run ");
	EXPECT_EQ(0U, times_in_text(below_scope(self->t.out), "\nt0"));
}

/* --- recordings that differ ---------------------------------------------------------------- */

TEST_F(diff, recordings)
{
	struct machine a = { .seed = 1, .session = "kernel Linux 6.1\nclock boot\nhost x\n" };
	struct machine b = { .seed = 2, .session = "kernel Linux 6.12\nclock boot\nhost x\n",
			     .run = 1.2, .lost = 3 };

	COMPARE(a, b);
	EXPECT_FIRST("differs: kernel: Linux 6.1 -> Linux 6.12\nlost: 3 of ");
	EXPECT_HAS(" records of B, ");
	EXPECT_HAS("\nt07: run 13.5ms -> 16.2ms (+20%)");
	EXPECT_EQ(0U, times_in_text(self->t.out, "differs: clock"));
}

TEST_F(diff, wrong_usage)
{
	struct machine a = { .seed = 1 };
	const char *one = self->paths[0];

	record(&a, one);
	EXPECT_EQ(2, DIFF(one));
	EXPECT_EQ(2, DIFF(one, one, one));
	EXPECT_IN(self->t.err, "separate A and B by --");
	EXPECT_EQ(2, DIFF(one, "--"));
	EXPECT_EQ(2, DIFF("--per", "switches", one, one));
	EXPECT_EQ(2, DIFF("--per", "syscall:", one, one));
	EXPECT_EQ(2, DIFF("--least", "x", one, one));
	EXPECT_EQ(2, DIFF("--html", one, one, one));
	EXPECT_EQ(3, DIFF(one, "/nowhere.fxt"));
	EXPECT_EQ(0, DIFF(one, "--", one, one));
}

/* --- what is no thread ---------------------------------------------------------------------- */

/*
 * In 1 s, batch/12 preempts db/11 @preempted times for 2 ms, and a device interrupts db as often.
 * db calls read() @calls times for 100 us each, and waits at the end.
 */
static void record_device(const char *path, unsigned int preempted, unsigned int calls)
{
	struct story s = { 0 };
	uint64_t at = START;

	story_begin(&s);
	event_syscall_name(&s, 0, "read");
	event_tracks(&s, 0);
	STORY(&s, "names@1; name 11 db; name 12 batch; 0@% 0>11", at);
	for (unsigned int i = 0; i < calls; i++)
		event_syscall(&s, at + MS + i * 100000, at + MS + (i + 1) * 100000, 11, 11, 0, i);
	at += 200 * MS;
	for (unsigned int i = 0; i < preempted; i++, at += 10 * MS) {
		STORY(&s, "%-% irq 7 disk; % wake 12 by % on 0; % 11>12; % 12>11 S", at, at + MS,
			  at + MS, fxt_sched_waker(11, FXT_SCHED_IRQ_HARD), at + MS, at + 3 * MS);
	}
	story_wake(&s, START + (1000 - preempted) * MS, 0, 12, fxt_sched_waker(11, FXT_SCHED_IRQ_HARD));
	story_end(&s, START + 1000 * MS);
	save_file(path, s.b.words, built_bytes(&s.b));
}

TEST_F(diff, preemptions_interrupts_and_calls)
{
	record_device(self->paths[0], 5, 100);
	record_device(self->paths[1], 50, 400);
	ASSERT_EQ(0, DIFF(self->paths[0], self->paths[1])) TH_LOG("%s", self->t.err);
	EXPECT_HAS("\nPreemptions\ndb by batch: 5 -> 50 times (x10)\n");
	EXPECT_HAS("\nInterrupts\ndisk: took 5.00ms -> 50.0ms (x10), 5 -> 50 times (x10)\n");
	EXPECT_HAS("\nSystem calls\nread: took 10.0ms -> 40.0ms (x4), 100 -> 400 times (x4)\n");
	/* A wait that is open at the end of the archive has a lower bound. */
	EXPECT_HAS("max at least 5.00ms -> at least 50.0ms)");
	/* Random events may differ by this number. */
	record_device(self->paths[2], 9, 100);
	ASSERT_EQ(0, DIFF(self->paths[0], self->paths[2]));
	EXPECT_NOT_IN(self->t.out, "db by batch");
	ASSERT_EQ(0, DIFF("--per", "syscall:read", self->paths[0], self->paths[1]));
	EXPECT_NOT_IN(self->t.out, "read: ");
	EXPECT_HAS("\nInterrupts\ndisk: took 50.0us -> 125us (x2.5)");
}

/* --- for programs and browsers ------------------------------------------------------------- */

TEST_F(diff, json)
{
	struct machine a = { .seed = 1 }, b = { .seed = 2, .run = 1.2 };
	struct json_object *row, *metric;

	COMPARE(a, b, "--json");
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_EQ(1U, json_object_array_length(member(self->j, "a")));
	row = json_object_array_get_idx(member(self->j, "changes"), 0);
	EXPECT_STREQ("name", json_object_get_string(member(row, "kind")));
	EXPECT_STREQ("t07", json_object_get_string(member(row, "name")));
	metric = json_object_array_get_idx(member(row, "metrics"), 0);
	EXPECT_STREQ("run", json_object_get_string(member(metric, "metric")));
	EXPECT_TRUE(fabs(json_object_get_double(member(metric, "change")) - 0.2) < 0.001);
	EXPECT_TRUE(json_object_get_boolean(member(metric, "listed")));
	EXPECT_EQ(50, json_object_get_int(member(member(row, "b_waits"), "count")));
}

TEST_F(diff, page)
{
	struct machine a = { .seed = 1, .name = "<b>&\"\x1b\xe2\x80\xae" }, b = a;
	static char text[1 << 20];
	char out[128], fifo[128], command[512];
	size_t n;
	FILE *f;

	b.run = 1.2;
	snprintf(out, sizeof(out), "%s/out.html", self->dir);
	COMPARE(a, b, "--html", out);
	f = fopen(out, "r");
	ASSERT_NE(NULL, f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	EXPECT_IN(text, ">&lt;b&gt;&amp;&quot;\\x1b\\xe2\\x80\\xae</button></td><td>run 13.5ms -> 16.2ms (+20%)");
	EXPECT_NOT_IN(text, "<b>");
	EXPECT_IN(text, "<rect class=\"b\"");
	EXPECT_IN(text, "default-src 'none'; img-src data:; ");
	/* A frame has all of a page as text of its attribute. */
	EXPECT_IN(text, "<iframe title=\"Timeline of B\" srcdoc=\"<!DOCTYPE html>");
	EXPECT_IN(text, "<html lang=&quot;en&quot;>");
	/* What a pipe gave cannot be read again. */
	snprintf(fifo, sizeof(fifo), "%s/fifo", self->dir);
	snprintf(command, sizeof(command), "mkfifo %s; cat %s >%s &", fifo, self->paths[1], fifo);
	ASSERT_EQ(0, system(command));
	ASSERT_EQ(0, DIFF("--html", out, self->paths[0], fifo)) TH_LOG("%s", self->t.err);
	f = fopen(out, "r");
	ASSERT_NE(NULL, f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	EXPECT_IN(text, "None: an archive came from a pipe.");
	EXPECT_NOT_IN(text, "data-search=");
	EXPECT_NOT_IN(text, "<iframe");
	/* In text, a name cannot control a terminal. */
	COMPARE(a, b);
	EXPECT_FIRST("<b>&\"\\x1b\\xe2\\x80\\xae: run 13.5ms");
}

/* --- statistics ---------------------------------------------------------------------------- */

#define EXPECT_P(expected, a, b)						\
	do {									\
		double p_ = rank_test(a, sizeof(a) / sizeof(*(a)), b,		\
				      sizeof(b) / sizeof(*(b)));		\
										\
		EXPECT_TRUE(fabs(p_ - (expected)) < 1e-4) TH_LOG("%f", p_);	\
	} while (0)

/* Values from published tables and from counting by hand. */
TEST(rank)
{
	static const double three[] = { 1, 2, 3 }, more[] = { 4, 5, 6 }, same[] = { 2, 2, 2 };
	static const double mixed[] = { 1, 3, 5, 7 }, other[] = { 2, 4, 6, 8 };
	static const double tied[] = { 1, 2, 2 }, with[] = { 2, 3, 4 };
	static const double many[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
	static const double high[] = { 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22 };
	double p[] = { 0.001, 0.008, 0.039, 0.041, 0.9 };
	struct rank_shift s;

	EXPECT_P(0.1, three, more);
	EXPECT_P(0.1, more, three);
	EXPECT_P(1, same, same);
	EXPECT_P(0.6857, mixed, other);	/* U is 6: 24 of 70 on each side */
	EXPECT_P(0.3, tied, with);
	EXPECT_P(7.98e-5, many, high);
	EXPECT_TRUE(fabs(rank_least(4, 4) - 2 / 70.0) < 1e-9);
	s = rank_shift(three, 3, more, 3);
	EXPECT_EQ(3, s.value);
	EXPECT_EQ(1, s.low);
	EXPECT_EQ(5, s.high);
	EXPECT_TRUE(fabs(s.level - 0.9) < 1e-9);
	s = rank_shift(many, 11, high, 11);
	EXPECT_EQ(11, s.value);
	EXPECT_LT(s.low, 11);
	EXPECT_GT(s.low, 1);
	EXPECT_LT(0.95, s.level + 0.01);
	rank_correct(p, 5);
	EXPECT_TRUE(fabs(p[0] - 0.005) < 1e-9);
	EXPECT_TRUE(fabs(p[2] - 0.05125) < 1e-9);
	EXPECT_TRUE(fabs(p[3] - 0.05125) < 1e-9);
	EXPECT_TRUE(fabs(p[4] - 0.9) < 1e-9);
}
