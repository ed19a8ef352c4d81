// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hog_test.c - a CPU that one thread owns, and CPUs that never rest, from before the recording
 * until after it.
 *
 * In: a busy thread of the highest priority on the last CPU; pairs of threads that wake each other on each CPU.
 * Must hold: the archive, and each segment and snapshot, covers that CPU from its first instant
 * to its last, with that thread; a filter shows it, and nobody else; a recording neither
 * waits for the load to end nor misses a part of it.
 */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fxt/fxt_mark.h>

#include "source_fixture.h"

SOURCE_FIXTURE(hog);

#define NAME	"hog"

static void pin_to_last(uint32_t *cpu)
{
	int cpus[MAX_CPUS];

	*cpu = cpus[allowed_cpus(cpus) - 1];
	pin(*cpu);
}

/*
 * Return: the process of one busy thread, or -1. @cpu: set to the CPU that it owns. Other runs of
 * this test wait until it has ended.
 */
static pid_t start_hog(uint32_t *cpu)
{
	int lock = open("/tmp/fxt-selftest-hog.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			0600);
	int cpus[MAX_CPUS], ready[2];
	pid_t pid;
	char byte;

	*cpu = cpus[allowed_cpus(cpus) - 1];
	if (lock < 0 || flock(lock, LOCK_EX) || pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, NAME);
		pin_to_last(cpu);
		setpriority(PRIO_PROCESS, 0, -20);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			;
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		pid = -1;
	close(ready[0]);
	/* The child holds the lock as well, for as long as it runs. */
	close(lock);
	return pid;
}

static void end_hog(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#define NEEDS_CPUS() do {							\
	int cpus_[MAX_CPUS];							\
										\
	if (allowed_cpus(cpus_) < 2)						\
		SKIP(return, "%s: a second CPU is needed, to record from", self->source); \
} while (0)

/*
 * The CPU's stream has marks at both ends, and the hog between. Others may have the CPU for most of
 * the time, on a busy machine.
 */
static int check_owned(const struct trace *t, uint32_t cpu, uint64_t hog, struct why *why)
{
	const struct trace_stream *s = trace_stream(t, cpu);
	uint64_t since, in, owned = 0;
	const struct trace_event *e;

	if (!s || !s->begin.unknown || !s->end.unknown)
		return complain(why, "CPU %u has no marks", cpu);
	if (trace_check_edges(t, why))
		return -1;
	in = s->begin.in;
	since = s->begin.time;
	for (e = s->events; e < s->events + s->event_count; e++) {
		if (e->is_wakeup)
			continue;
		owned += in == hog ? e->time - since : 0;
		in = e->sw.in;
		since = e->time;
	}
	owned += in == hog ? s->end.time - since : 0;
	return owned ? 0 : complain(why, "CPU %u: the hog never has it", cpu);
}

TEST_F_TIMEOUT(hog, all_along, TEST_SECONDS)
{
	const char * const args[] = { "-q", "-s", self->source, "-d", "300ms", NULL };
	uint32_t cpu;
	pid_t pid;

	NEEDS_SOURCE();
	NEEDS_CPUS();
	pid = start_hog(&cpu);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	end_hog(pid);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_FINE(check_owned(&self->t, cpu, pid, &self->why));
}

/* Only the thread that matches is in a mark, wherever it is. */
TEST_F_TIMEOUT(hog, of_a_filter, TEST_SECONDS)
{
	const char * const args[] = {
		"-q", "-s", self->source, "-d", "300ms", "--comm", NAME, NULL
	};
	const struct trace_stream *s;
	uint32_t cpu;
	pid_t pid;

	NEEDS_SOURCE();
	NEEDS_CPUS();
	pid = start_hog(&cpu);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	end_hog(pid);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(trace_check_edges(&self->t, &self->why));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++) {
		if (s->begin.unknown)
			EXPECT_EQ((uint64_t)pid, s->begin.in);
		if (s->end.unknown && !s->event_count)
			EXPECT_EQ((uint64_t)pid, s->end.out);
	}
	s = trace_stream(&self->t, cpu);
	ASSERT_NE(NULL, s);
	/* If others have the CPU at that moment, there is no mark. */
	EXPECT_TRUE(s->begin.unknown || s->end.unknown || s->event_count);
}

/* CPUs that are not recorded have no marks. */
TEST_F_TIMEOUT(hog, of_a_filter_of_cpus, TEST_SECONDS)
{
	char list[16];
	const char * const args[] = {
		"-q", "-s", self->source, "-d", "300ms", "--cpus", list, NULL
	};
	const struct trace_stream *s;
	uint32_t cpu;
	pid_t pid;

	NEEDS_SOURCE();
	NEEDS_CPUS();
	pid = start_hog(&cpu);
	ASSERT_LT(0, pid);
	snprintf(list, sizeof(list), "%u", cpu);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	end_hog(pid);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	EXPECT_FINE(check_owned(&self->t, cpu, pid, &self->why));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++)
		if (s->id != cpu)
			EXPECT_FALSE(s->begin.unknown || s->end.unknown);
}

/* Each segment, or snapshot, in a folder; @most is the room in @all. Return: how many. */
static size_t load_all(struct trace *all, size_t most, const char *dir, struct why *why)
{
	char pattern[RECORD_PATH + 16];
	size_t i, count;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/sched-*.fxt", dir);
	if (glob(pattern, 0, NULL, &g))
		return 0;
	count = g.gl_pathc < most ? g.gl_pathc : most;
	for (i = 0; i < count; i++)
		if (trace_load(&all[i], g.gl_pathv[i], false, why) ||
		    trace_check_records(&all[i], why) || trace_check_ledgers(&all[i], why))
			count = 0;
	globfree(&g);
	return count;
}

#define SEGMENTS	16

/* At each seam, both segments have the same time and thread, on each CPU. */
static int check_seams(const struct trace *all, size_t count, struct why *why)
{
	const struct trace_stream *s, *next;
	size_t i, k, seams = 0;

	for (i = 0; i < count; i++)
		for (s = all[i].streams; s < all[i].streams + all[i].stream_count; s++)
			for (k = 0; k < count; k++) {
				next = trace_stream(&all[k], s->id);
				if (!next || !s->end.unknown || k == i ||
				    next->begin.time != s->end.time)
					continue;
				seams++;
				if (next->begin.in != s->end.out)
					return complain(why, "CPU %u: %ju ends a segment, %ju begins the next one",
							s->id, (uintmax_t)s->end.out,
							(uintmax_t)next->begin.in);
			}
	return seams ? 0 : complain(why, "no segment begins where another one ends");
}

TEST_F_TIMEOUT(hog, of_segments, TEST_SECONDS)
{
	const char * const args[] = {
		"-q", "-s", self->source, "-d", "500ms", "--rotate", "time=150ms", NULL
	};
	struct trace all[SEGMENTS] = { 0 };
	size_t count, i;
	uint32_t cpu;
	pid_t pid;

	NEEDS_SOURCE();
	NEEDS_CPUS();
	pid = start_hog(&cpu);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
	end_hog(pid);
	count = load_all(all, SEGMENTS, self->dir, &self->why);
	EXPECT_LT(1UL, count) TH_LOG("%s", self->why.text);
	for (i = 0; i < count; i++)
		EXPECT_FINE(trace_check_edges(&all[i], &self->why));
	/* A short one may be what others leave. */
	if (count)
		EXPECT_FINE(check_owned(&all[0], cpu, pid, &self->why));
	EXPECT_FINE(check_seams(all, count, &self->why));
	for (i = 0; i < SEGMENTS; i++)
		trace_free(&all[i]);
}

/* Two snapshots: after the start, and after it went on. */
TEST_F_TIMEOUT(hog, of_snapshots, TEST_SECONDS)
{
	const char * const args[] = { "-s", self->source, "-F", "--snapshots", "2", NULL };
	struct trace all[2] = { 0 };
	char first[RECORD_PATH + 32];
	size_t count, i;
	uint32_t cpu;
	pid_t pid;

	NEEDS_SOURCE();
	NEEDS_CPUS();
	pid = start_hog(&cpu);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, collector_spawn(&self->c, self->dir, args, -1));
	while (!strstr(self->c.text, "recording with")) {
		sleep_ms(20);
		collector_read(&self->c);
	}
	sleep_ms(300);
	snprintf(first, sizeof(first), "%s/sched-0001.fxt", self->dir);
	EXPECT_EQ(0, kill(self->c.pid, SIGUSR1));
	for (i = 0; i < PATIENCE_MS / 20 && access(first, F_OK); i++)
		sleep_ms(20);
	sleep_ms(300);
	EXPECT_EQ(0, kill(self->c.pid, SIGUSR1));
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	end_hog(pid);
	count = load_all(all, 2, self->dir, &self->why);
	EXPECT_EQ(2UL, count) TH_LOG("%s", self->why.text);
	for (i = 0; i < count; i++)
		EXPECT_FINE(check_owned(&all[i], cpu, pid, &self->why));
	for (i = 0; i < 2; i++)
		trace_free(&all[i]);
}

/* --- CPUs that never rest -------------------------------------------------------------- */

#define PAIRS_PER_CPU	2

/* In a child: two pairs on each CPU, until it is killed. */
static void never_rest(int ready)
{
	struct pair pairs[PAIRS_PER_CPU * MAX_CPUS] = { 0 };
	int cpus[MAX_CPUS];
	unsigned int i, count = allowed_cpus(cpus) * PAIRS_PER_CPU;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < count; i++) {
		pairs[i].rounds = UINT32_MAX;
		pairs[i].ends[0].cpu = pairs[i].ends[1].cpu = cpus[i / PAIRS_PER_CPU];
		if (pair_start(&pairs[i]))
			_exit(1);
	}
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static pid_t start_pairs(void)
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid)
		never_rest(ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

/* Run fxt-collect beside them. Return: 0, or -1 if it takes longer than anybody waits. */
static int record_beside(FIXTURE_DATA(hog) *self, const char * const *args)
{
	uint64_t until = boottime_ns() + PATIENCE_MS * 1000000ULL;
	pid_t load = start_pairs();
	bool ended = false;

	if (load < 0)
		return complain(&self->why, "cannot start the load");
	/* An emulated machine takes minutes for it otherwise. */
	if (in_guest())
		setpriority(PRIO_PROCESS, 0, -19);
	if (collector_spawn(&self->c, self->dir, args, -1))
		return complain(&self->why, "cannot start fxt-collect");
	while (!ended && boottime_ns() < until) {
		sleep_ms(20);
		ended = waitpid(self->c.pid, &self->c.status, WNOHANG) == self->c.pid;
	}
	end_hog(load);
	if (!ended)
		return complain(&self->why, "it waits for the load to end");
	self->c.pid = 0;
	return self->c.status ? complain(&self->why, "it failed") : 0;
}

/*
 * Such a load starves what waits for each CPU to rest: a recording that does would begin, or end,
 * when the load has ended. This one goes on for as long as the test has patience.
 */
TEST_F_TIMEOUT(hog, of_cpus_that_never_rest, TEST_SECONDS)
{
	const char * const args[] = { "-q", "-s", self->source, "-d", "300ms", NULL };
	const struct trace_stream *s;

	NEEDS_SOURCE();
	ASSERT_FINE(record_beside(self, args));
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++)
		if (s->id != FXT_LEDGER_STREAM_NAMES)
			EXPECT_LT(100UL, s->event_count) TH_LOG("CPU %u", s->id);
}

TEST_F_TIMEOUT(hog, of_cpus_that_never_rest_in_segments, TEST_SECONDS)
{
	const char * const args[] = {
		"-q", "-s", self->source, "-d", "300ms", "--rotate", "time=100ms", NULL
	};

	NEEDS_SOURCE();
	EXPECT_FINE(record_beside(self, args));
}

TEST_F_TIMEOUT(hog, of_cpus_that_never_rest_in_a_snapshot, TEST_SECONDS)
{
	const char * const args[] = { "-q", "-s", self->source, "-d", "300ms", "-F", NULL };

	NEEDS_SOURCE();
	EXPECT_FINE(record_beside(self, args));
}

TEST_HARNESS_MAIN
