// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs that run under one process id, one after the other. Reports show each by its name, with
 * its own time and life; exports have two threads; and fxt check finds no inconsistency.
 */
#include <glob.h>
#include <linux/sched.h>
#include <sys/resource.h>

#include "database.h"
#include "json_get.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(reuse);

#define NS_PER_S	1000000000ULL
#define STILL_NS	10000000ULL	/* a little more than the longest one seen, below */
#define WRAP_CHILDREN	700
#define WRAP_PID_MAX	"500"	/* a little more than the kernel's minimum */

/* Of one life of an id; @unknown: time of CPUs, of whatever thread. */
struct life {
	uint64_t run;
	uint64_t unknown;
	uint64_t born;
	uint64_t died;
	uint64_t nth;
	bool found;
};

static void burn(unsigned int ms)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}

static uint64_t run_as(pid_t *pid, const char *name, unsigned int ms, struct why *why)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = *pid ? (uintptr_t)pid : 0,
		.set_tid_size = !!*pid,
	};
	struct rusage used;
	int status;
	pid_t child = syscall(SYS_clone3, &args, sizeof(args));

	if (!child) {
		prctl(PR_SET_NAME, name);
		burn(ms);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &used) != child || status) {
		complain(why, "%s did not run as %d: %s", name, *pid, strerror(errno));
		return 0;
	}
	*pid = child;
	return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS_PER_S +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ULL;
}

static int run_both(pid_t *pid, uint64_t used[2], struct why *why)
{
	used[0] = run_as(pid, "prog-aaa", 120, why);
	if (!used[0])
		return -1;
	used[1] = run_as(pid, "prog-bbb", 60, why);
	return used[1] ? 0 : -1;
}

static struct life life_of(const char *path, pid_t pid, const char *name)
{
	struct json_object *report, *threads, *t;
	struct life life = { .found = false };
	struct tool tool;

	if (tool_run(&tool, ARGS("report", "--all", "--json", path)))
		return life;
	report = json_tokener_parse(tool.out);
	json_object_object_get_ex(report, "threads", &threads);
	for (size_t i = 0; i < json_object_array_length(threads); i++) {
		t = json_object_array_get_idx(threads, i);
		if (amount(t, "tid") != (uint64_t)pid ||
		    strcmp(json_object_get_string(json_object_object_get(t, "name")) ?: "", name))
			continue;
		life = (struct life){ amount(t, "run_ns"), amount(report, "unknown_ns"),
				      amount(t, "born_ns"),
				      amount(t, "died_ns"), amount(t, "nth"), true };
	}
	return life;
}

/*
 * A dying thread may be switched out for the last time after its id has been reused. Where
 * threads are hidden, the thread that runs after them is unknown until its next switch: 25 of 60 ms
 * were known once, after a few hidden threads. The rest must be unknown time of CPUs, and none of
 * it that of another life. For the kernel, a thread runs from its look at the clock on, which an
 * emulated CPU may take long before the switch is recorded: 8 of 62 ms once.
 */
static bool has_time(const struct life *life, uint64_t used)
{
	uint64_t still = in_guest() ? STILL_NS : 0;

	return life->run + life->unknown + still >= used / 10 * 9;
}

static int check_lives(const char *path, pid_t pid, const uint64_t used[2],
		       struct life *aaa, struct life *bbb, struct why *why)
{
	*aaa = life_of(path, pid, "prog-aaa");
	*bbb = life_of(path, pid, "prog-bbb");
	if (!aaa->found || !bbb->found)
		return complain(why, "%s: %s is not in the report", path,
				aaa->found ? "prog-bbb" : "prog-aaa");
	if (!has_time(aaa, used[0]) || !has_time(bbb, used[1]))
		return complain(why, "prog-aaa ran %ju ns and prog-bbb %ju ns, but took %ju and %ju, and %ju ns are unknown",
				(uintmax_t)aaa->run, (uintmax_t)bbb->run, (uintmax_t)used[0],
				(uintmax_t)used[1], (uintmax_t)aaa->unknown);
	if (bbb->nth != aaa->nth + 1 || !aaa->born || aaa->born >= aaa->died ||
	    aaa->died > bbb->died || bbb->born >= bbb->died)
		return complain(why, "prog-aaa lives from %ju to %ju, prog-bbb from %ju to %ju",
				(uintmax_t)aaa->born, (uintmax_t)aaa->died,
				(uintmax_t)bbb->born, (uintmax_t)bbb->died);
	if (aaa->run > aaa->died - aaa->born || bbb->run > bbb->died - bbb->born)
		return complain(why, "one ran longer than it lived");
	return 0;
}

static int check_clean(const char *path, struct why *why)
{
	struct tool t;
	int ret = 0;

	if (tool_run(&t, ARGS("check", path)))
		ret = complain(why, "fxt check %s: %s", path, t.out);
	return ret;
}

SOURCE_TEST(reuse, two_programs)
{
	char db[RECORD_PATH + 16];
	struct life aaa, bbb;
	uint64_t used[2];
	struct tool t;
	pid_t pid = 0;

	ASSERT_BEGIN(NULL);
	ASSERT_FINE(run_both(&pid, used, &self->why));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_lives(self->c.output, pid, used, &aaa, &bbb, &self->why));
	EXPECT_FINE(check_clean(self->c.output, &self->why));
	snprintf(db, sizeof(db), "%s/sched.db", self->dir);
	EXPECT_EQ(0, tool_run(&t, ARGS("convert", "--to", "sqlite", "-o", db, self->c.output)))
		TH_LOG("%s", t.err);
	EXPECT_EQ((int64_t)bbb.run,
		  database_number(db, "select sum(dur) from sched join thread using (utid) where tid = %d and name = 'prog-bbb'",
			pid));
	EXPECT_EQ(1, database_number(db, "select count(*) from process where pid = %d and name = 'prog-aaa'",
				     pid));
	unlink(db);
}

/* Cut the recording into parts and merge the parts again. */
SOURCE_TEST(reuse, cut_and_merged)
{
	char first[RECORD_PATH + 16], second[RECORD_PATH + 16], both[RECORD_PATH + 16], at[32];
	struct life aaa, bbb, part;
	bool is_apart;	/* prog-aaa has left its CPU before prog-bbb is born */
	uint64_t used[2];
	struct tool t;
	pid_t pid = 0;

	ASSERT_BEGIN(NULL);
	ASSERT_FINE(run_both(&pid, used, &self->why));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(check_lives(self->c.output, pid, used, &aaa, &bbb, &self->why));
	is_apart = aaa.died <= bbb.born;
	snprintf(first, sizeof(first), "%s/first.fxt", self->dir);
	snprintf(second, sizeof(second), "%s/second.fxt", self->dir);
	snprintf(both, sizeof(both), "%s/both.fxt", self->dir);
	snprintf(at, sizeof(at), "%ju.%09ju", (uintmax_t)(bbb.born / NS_PER_S),
		 (uintmax_t)(bbb.born % NS_PER_S));
	EXPECT_EQ(0, tool_run(&t, ARGS("cut", "--to", at, "-o", first, self->c.output)));
	EXPECT_EQ(0, tool_run(&t, ARGS("cut", "--from", at, "-o", second, self->c.output)));
	part = life_of(first, pid, "prog-aaa");
	EXPECT_TRUE(is_apart ? part.run == aaa.run : part.run < aaa.run);
	EXPECT_FALSE(life_of(first, pid, "prog-bbb").found);
	part = life_of(second, pid, "prog-bbb");
	EXPECT_EQ(bbb.run, part.run);
	EXPECT_FALSE(is_apart && life_of(second, pid, "prog-aaa").found);
	EXPECT_FINE(check_clean(first, &self->why));
	EXPECT_FINE(check_clean(second, &self->why));
	EXPECT_EQ(0, tool_run(&t, ARGS("merge", "-o", both, first, second))) TH_LOG("%s", t.err);
	EXPECT_FINE(check_lives(both, pid, used, &aaa, &bbb, &self->why));
	unlink(first);
	unlink(second);
	unlink(both);
}

/*
 * In a preemptible kernel, the parent preempts its dying child and gives the id to the next one,
 * which then follows or precedes the dying one on the CPU, in one switch.
 */
SOURCE_TEST(reuse, at_once)
{
	struct sched_param param = { .sched_priority = 1 };
	struct life aaa, bbb;
	uint64_t used[2];
	cpu_set_t cpus;
	pid_t pid = 0;

	ASSERT_BEGIN(NULL);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpus), &cpus));
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param));
	ASSERT_FINE(run_both(&pid, used, &self->why));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_lives(self->c.output, pid, used, &aaa, &bbb, &self->why));
	EXPECT_FINE(check_clean(self->c.output, &self->why));
}

/* A snapshot has both programs, although the id belongs to the second one by then. */
SOURCE_TEST(reuse, snapshot)
{
	char path[RECORD_PATH + 32];
	struct life aaa, bbb;
	uint64_t used[2];
	pid_t pid = 0;

	ASSERT_BEGIN("-F");
	ASSERT_FINE(run_both(&pid, used, &self->why));
	ASSERT_FINE(record_end(&self->c, &self->why));
	snprintf(path, sizeof(path), "%s/sched-0001.fxt", self->dir);
	EXPECT_FINE(check_lives(path, pid, used, &aaa, &bbb, &self->why));
	EXPECT_FINE(check_clean(path, &self->why));
	unlink(path);
}

static size_t count_files(const char *pattern)
{
	glob_t found;
	size_t count = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;

	globfree(&found);
	return count;
}

/* Segments end while the programs live; merged, they equal a whole recording. */
SOURCE_TEST(reuse, segments)
{
	static const char *const args[] = { "--rotate", "size=64K", NULL };
	char command[2 * RECORD_PATH + 64], both[RECORD_PATH + 16], pattern[RECORD_PATH + 16];
	struct life aaa, bbb;
	uint64_t used[2];
	struct tool t;
	pid_t pid = 0;

	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_FINE(run_both(&pid, used, &self->why));
	snprintf(pattern, sizeof(pattern), "%s/sched-*", self->dir);
	/* Until two segments have ended. */
	while (count_files(pattern) < 3)
		ASSERT_EQ(0, pairs_run(&(struct pair){
			.rounds = 500, .ends = { { .cpu = ANY_CPU }, { .cpu = ANY_CPU } } }, 1));
	ASSERT_FINE(record_end(&self->c, &self->why));
	snprintf(both, sizeof(both), "%s/both.fxt", self->dir);
	snprintf(command, sizeof(command), "exec %s merge -o %s %s", tool_path(), both, pattern);
	EXPECT_EQ(0, program_run(&t, "/bin/sh", ARGS("-c", command))) TH_LOG("%s", t.err);
	EXPECT_FINE(check_lives(both, pid, used, &aaa, &bbb, &self->why));
	EXPECT_FINE(check_clean(both, &self->why));
	snprintf(command, sizeof(command), "rm -f %s %s", both, pattern);
	EXPECT_EQ(0, system(command));
}

/* Each process lives, runs and ends under its own name, with an id that others may have had. */
static int run_many(struct why *why)
{
	char name[COMM_SIZE];
	int i, status;
	pid_t pid;

	for (i = 0; i < WRAP_CHILDREN; i++) {
		snprintf(name, sizeof(name), "wrap-%d", i);
		pid = fork();
		if (!pid) {
			prctl(PR_SET_NAME, name);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			return complain(why, "%s did not run: %s", name, strerror(errno));
	}
	return 0;
}

static int check_many(const char *path, struct why *why)
{
	bool seen[WRAP_CHILDREN] = { false };
	struct json_object *report, *threads, *t;
	unsigned int number, count = 0;
	struct tool tool;
	int ret = 0;

	if (tool_run(&tool, ARGS("report", "--all", "--json", path)))
		return complain(why, "no report: %s", tool.err);
	report = json_tokener_parse(tool.out);
	json_object_object_get_ex(report, "threads", &threads);
	for (size_t i = 0; i < json_object_array_length(threads) && !ret; i++) {
		t = json_object_array_get_idx(threads, i);
		if (sscanf(json_object_get_string(json_object_object_get(t, "name")) ?: "",
			   "wrap-%u", &number) != 1 || number >= WRAP_CHILDREN)
			continue;
		if (seen[number] || !amount(t, "run_ns"))
			ret = complain(why, "wrap-%u is there twice, or did not run", number);
		seen[number] = true;
		count++;
	}
	return ret || count == WRAP_CHILDREN ? ret :
	       complain(why, "%u of %u programs are in the report", count, WRAP_CHILDREN);
}

static int set_pid_max(const char *to, char *from, size_t room)
{
	FILE *f = fopen("/proc/sys/kernel/pid_max", "r+");
	int ret = 0;

	if (!f)
		return -1;
	if (from && !fgets(from, room, f))
		ret = -1;
	rewind(f);
	if (!ret && fputs(to, f) < 0)
		ret = -1;
	return fclose(f) || ret ? -1 : 0;
}

/* The kernel reuses all ids again and again. */
SOURCE_TEST(reuse, pid_max_wraps)
{
	char before[32];
	int ret;

	if (!in_guest())
		SKIP(return, "only where nobody else uses the machine (FXT_GUEST=1)");
	ASSERT_EQ(0, set_pid_max(WRAP_PID_MAX, before, sizeof(before)));
	ret = record_begin(&self->c, self->dir, self->source, NULL, &self->why);
	if (!ret)
		ret = run_many(&self->why);
	EXPECT_EQ(0, set_pid_max(before, NULL, 0));
	ASSERT_FINE(ret);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_many(self->c.output, &self->why));
	EXPECT_FINE(check_clean(self->c.output, &self->why));
}
