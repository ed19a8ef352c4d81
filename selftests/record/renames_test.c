// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Children that rename themselves as fast as they can do not harm others: each rename is in the
 * archive or counted as left out; the archive has no more of them than the rate allows; it has the
 * last name of every thread. No test requires speed: limits are compared with the time that passed.
 */
#include <grp.h>

#include <fxt/fxt_rename.h>

#include "source_fixture.h"

#define FIRST_USER	40000
#define LAST_NAME	"last name"
#define CROWD_PER_CPU	16	/* their renames take more than the buffer of names of a CPU */

SOURCE_FIXTURE(renames);

static void become(uid_t user)
{
	if (getuid())
		return;
	if (setgroups(0, NULL) || setresgid(user, user, user) || setresuid(user, user, user))
		_exit(1);
}

/* Runs in the child, as a user of its own without any privilege. */
static void rename_and_wait(uid_t user, int cpu, unsigned int count, int done)
{
	char name[COMM_SIZE], byte = 0;

	/* Close all other descriptors, including the gate of the recording. */
	for (int fd = 3; fd < 256; fd++)
		if (fd != done)
			close(fd);
	pin(cpu);
	become(user);
	for (unsigned int i = 1; i < count; i++) {
		snprintf(name, sizeof(name), "loop %u", i);
		prctl(PR_SET_NAME, name);
	}
	prctl(PR_SET_NAME, LAST_NAME);
	if (write(done, &byte, 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* Fork a child that renames itself @count times. Return: its id when it has done so, or -1. */
static pid_t renamer_run(uid_t user, int cpu, unsigned int count)
{
	int done[2];
	pid_t pid;
	ssize_t n;
	char byte;

	if (pipe2(done, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid < 0)
		return -1;
	if (!pid)
		rename_and_wait(user, cpu, count, done[1]);
	close(done[1]);
	n = read(done[0], &byte, 1);
	close(done[0]);
	return n == 1 ? pid : -1;
}

static int renamer_end(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) ? 0 : -1;
}

static size_t count_events(const struct trace *t, pid_t tid, uint16_t event)
{
	size_t count = 0;

	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++)
		count += n->type == FXT_OBJECT_THREAD && n->event == event &&
			 n->koid == (uint64_t)tid;
	return count;
}

static bool has_event(const struct trace *t, pid_t tid, uint16_t event, const char *name)
{
	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++)
		if (n->type == FXT_OBJECT_THREAD && n->event == event &&
		    n->koid == (uint64_t)tid && !strcmp(n->text, name))
			return true;
	return false;
}

static bool is_last(const struct trace *t, pid_t tid, const char *name)
{
	const struct trace_name *n = trace_find_name(t, FXT_OBJECT_THREAD, tid);

	return n && !strcmp(n->text, name);
}

/* Return: the omitted renames; the counts of the collector and of the archive have to agree. */
static uint64_t left_out(const struct collector *c, const struct trace *t)
{
	const char *said = strstr(c->text, "omitted "), *line;
	uintmax_t count = 0, stored = 0;

	if (said)
		sscanf(said, "omitted %ju renames", &count);
	line = strstr(t->session, "\nrenames_folded ");
	if (line)
		sscanf(line, "\nrenames_folded %ju", &stored);
	return count == stored ? count : UINT64_MAX;
}

/*
 * Return: the events that the kernel hid from BPF programs, as the source counts them: tracepoints
 * of some kernels leave preemption enabled.
 */
static uint64_t hidden(const struct collector *c)
{
	const char *said = strstr(c->text, "the kernel hid ");
	uintmax_t count = 0;

	if (said)
		sscanf(said, "the kernel hid %ju", &count);
	return count;
}

static int check_order(const struct trace *t, struct why *why)
{
	uint64_t last = 0;

	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++) {
		/* The end of the archive repeats forks. */
		if (!n->event || n->event == FXT_STR_FORK)
			continue;
		if (n->event_time < last)
			return complain(why, "byte %ju: thread %ju became '%s' before what stands before it",
					(uintmax_t)n->offset, (uintmax_t)n->koid, n->text);
		last = n->event_time;
	}
	return 0;
}

/* Return: the most renames that a rate allows: a burst, and the share for the elapsed time. */
static uint64_t most(uint64_t burst, unsigned int shift, uint64_t from)
{
	return burst + ((boottime_ns() - from) >> shift) + 1;
}

/* Run a child that gets a name from each of fork, exec and rename. */
static int live_usually(const char *dir, unsigned int n, struct child *c)
{
	char name[COMM_SIZE];

	snprintf(name, sizeof(name), "%s %u", CHILD_PREFIX, n);
	return child_start(c, dir, name);
}

SOURCE_TEST(renames, loop)
{
	unsigned int count = scaled(1000000) + 10000, i;
	struct child usual[8];
	pid_t looper;
	uint64_t from, limit, gone;
	size_t kept;

	ASSERT_BEGIN(NULL);
	from = boottime_ns();
	for (i = 0; i < 4; i++)
		ASSERT_EQ(0, live_usually(self->dir, i, &usual[i]));
	looper = renamer_run(FIRST_USER, ANY_CPU, count);
	ASSERT_LT(0, looper);
	limit = most(FXT_RENAME_THREAD_BURST, FXT_RENAME_THREAD_SHIFT, from);
	for (; i < 8; i++)
		ASSERT_EQ(0, live_usually(self->dir, i, &usual[i]));
	/* A child answers after its exec, which the recording has to see. */
	for (i = 0; i < 8; i++)
		ASSERT_EQ(0, child_counts(&usual[i]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, renamer_end(looper));
	for (i = 0; i < 8; i++)
		EXPECT_EQ(0, child_end(&usual[i]));

	EXPECT_EQ(hidden(&self->c), trace_lost(&self->t));
	if (!trace_lost(&self->t))
		EXPECT_FINE(trace_check_all(&self->t, &self->why));
	EXPECT_FINE(check_order(&self->t, &self->why));
	EXPECT_TRUE(is_last(&self->t, looper, LAST_NAME));
	/* The last name has a later time than the thread's other names. */
	EXPECT_TRUE(has_event(&self->t, looper, FXT_STR_FOLDED, LAST_NAME) ||
		    has_event(&self->t, looper, FXT_STR_RENAME, LAST_NAME));
	kept = count_events(&self->t, looper, FXT_STR_RENAME);
	gone = count - kept - left_out(&self->c, &self->t);
	EXPECT_LE(kept, limit);
	EXPECT_LE(FXT_RENAME_THREAD_BURST, kept);
	for (i = 0; i < 8; i++) {
		EXPECT_EQ(1U, count_events(&self->t, usual[i].pid, FXT_STR_FORK));
		gone += !has_event(&self->t, usual[i].pid, FXT_STR_EXEC, usual[i].name);
		gone += !has_event(&self->t, usual[i].pid, FXT_STR_RENAME, usual[i].name);
	}
	EXPECT_LE(gone, hidden(&self->c))
		TH_LOG("%ju are gone; of the looper's %u, %zu are kept; %s", (uintmax_t)gone, count,
		       kept, self->c.text);
}

/* A thread that has ended cannot be read any more, so its last name must be recorded. */
SOURCE_TEST(renames, last_name_of_the_dead)
{
	unsigned int count = 10 * FXT_RENAME_THREAD_BURST;
	pid_t looper;
	size_t kept;

	ASSERT_BEGIN(NULL);
	looper = renamer_run(FIRST_USER, ANY_CPU, count);
	ASSERT_LT(0, looper);
	ASSERT_EQ(0, renamer_end(looper));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	kept = count_events(&self->t, looper, FXT_STR_RENAME);
	EXPECT_EQ(count, kept + left_out(&self->c, &self->t)) TH_LOG("%s", self->c.text);
	EXPECT_TRUE(is_last(&self->t, looper, LAST_NAME));
	/*
	 * The archive has a plain rename if the renames took so long that the last was within the
	 * rate.
	 */
	EXPECT_TRUE(has_event(&self->t, looper, FXT_STR_FOLDED, LAST_NAME) ||
		    has_event(&self->t, looper, FXT_STR_RENAME, LAST_NAME));
}

/* Threads are cheap, so each user has a rate as well, independent of other users. */
SOURCE_TEST(renames, many_threads)
{
	const unsigned int each = FXT_RENAME_THREAD_BURST - 10;
	pid_t crowd[40], other;
	int cpus[MAX_CPUS];
	uint64_t from, limit, kept = 0;

	if (getuid())
		SKIP(return, "only root can be two users");
	ASSERT_LT(0U, allowed_cpus(cpus));
	ASSERT_NE(fxt_rename_user(FIRST_USER), fxt_rename_user(FIRST_USER + 1));
	ASSERT_BEGIN(NULL);
	from = boottime_ns();
	for (unsigned int i = 0; i < ARRAY_SIZE(crowd); i++)
		ASSERT_LT(0, crowd[i] = renamer_run(FIRST_USER, cpus[0], each));
	limit = most(FXT_RENAME_USER_BURST, FXT_RENAME_USER_SHIFT, from);
	ASSERT_LT(0, other = renamer_run(FIRST_USER + 1, cpus[0], each));
	for (unsigned int i = 0; i < ARRAY_SIZE(crowd); i++)
		ASSERT_EQ(0, renamer_end(crowd[i]));
	ASSERT_EQ(0, renamer_end(other));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_order(&self->t, &self->why));
	for (unsigned int i = 0; i < ARRAY_SIZE(crowd); i++) {
		kept += count_events(&self->t, crowd[i], FXT_STR_RENAME);
		EXPECT_EQ(1U, count_events(&self->t, crowd[i], FXT_STR_FORK));
		EXPECT_TRUE(is_last(&self->t, crowd[i], LAST_NAME));
	}
	EXPECT_EQ(ARRAY_SIZE(crowd) * each, kept + left_out(&self->c, &self->t))
		TH_LOG("%s", self->c.text);
	EXPECT_LE(kept, limit);
	EXPECT_EQ(each, count_events(&self->t, other, FXT_STR_RENAME));
}

/*
 * The number of CPUs whose buffers of names one CPU can fill: the module's are per CPU, BPF has one
 * for all, whose size is a power of two.
 */
static unsigned int fillable_cpus(const char *source)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_CONF), n = 1;

	while (!strcmp(source, "bpf") && n < cpus)
		n *= 2;
	return n;
}

SOURCE_TEST(renames, room_for_forks)
{
	const unsigned int each = FXT_RENAME_THREAD_BURST - 10;
	const unsigned int fillable = fillable_cpus(self->source);
	const unsigned int many = CROWD_PER_CPU * fillable;
	pid_t crowd[CROWD_PER_CPU * MAX_CPUS], born[60];
	const struct trace_stream *names;
	int cpus[MAX_CPUS];

	if (getuid())
		SKIP(return, "only root can be many users");
	/* With more threads, the rate per user would limit the renames first. */
	if (fillable > MAX_CPUS)
		SKIP(return, "needs at most %d CPUs", MAX_CPUS);
	ASSERT_LT(0U, allowed_cpus(cpus));
	ASSERT_BEGIN("-b", "64K");
	pin(cpus[0]);
	/* Nobody reads the buffers meanwhile. All renames together would fill them. */
	kill(self->c.pid, SIGSTOP);
	for (unsigned int i = 0; i < many; i++)
		ASSERT_LT(0, crowd[i] = renamer_run(FIRST_USER + i, cpus[0], each));
	for (unsigned int i = 0; i < ARRAY_SIZE(born); i++)
		ASSERT_LT(0, born[i] = renamer_run(FIRST_USER + i, cpus[0], 1));
	kill(self->c.pid, SIGCONT);
	for (unsigned int i = 0; i < many; i++)
		ASSERT_EQ(0, renamer_end(crowd[i]));
	for (unsigned int i = 0; i < ARRAY_SIZE(born); i++)
		ASSERT_EQ(0, renamer_end(born[i]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_FINE(check_order(&self->t, &self->why));
	names = trace_stream(&self->t, FXT_LEDGER_STREAM_NAMES);
	ASSERT_NE(NULL, names);
	EXPECT_EQ(0U, names->ledgers[names->ledger_count - 1].l.lost);
	EXPECT_LT(0U, left_out(&self->c, &self->t));
	for (unsigned int i = 0; i < many; i++)
		EXPECT_TRUE(is_last(&self->t, crowd[i], LAST_NAME));
	for (unsigned int i = 0; i < ARRAY_SIZE(born); i++) {
		EXPECT_EQ(1U, count_events(&self->t, born[i], FXT_STR_FORK));
		EXPECT_TRUE(is_last(&self->t, born[i], LAST_NAME));
	}
}

/* Names of a thread that migrates come from several CPUs and stay in order. */
SOURCE_TEST(renames, on_one_cpu_after_the_other)
{
	const struct trace_name *n;
	int cpus[MAX_CPUS], count = allowed_cpus(cpus);
	char name[COMM_SIZE];
	unsigned int i, next = 0;

	if (count < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_BEGIN(NULL);
	for (i = 0; i < FXT_RENAME_THREAD_BURST / 2; i++) {
		pin(cpus[i % count]);
		snprintf(name, sizeof(name), "wander %u", i);
		ASSERT_EQ(0, prctl(PR_SET_NAME, name));
	}
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_order(&self->t, &self->why));
	for (n = self->t.names; n < self->t.names + self->t.name_count; n++) {
		if (n->type != FXT_OBJECT_THREAD || n->koid != (uint64_t)getpid() ||
		    n->event != FXT_STR_RENAME)
			continue;
		snprintf(name, sizeof(name), "wander %u", next++);
		EXPECT_STREQ(name, n->text);
	}
	EXPECT_EQ(i, next);
	EXPECT_TRUE(is_last(&self->t, getpid(), name));
}
