// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Snapshots of recordings whose buffers are smaller than the data of all events: each is an archive
 * on its own, in which every stream is complete from its start; older records are counted exactly;
 * and a trigger records the wait that made it fire.
 */
#include <glob.h>

#include <fxt/fxt_rename.h>
#include <fxt/fxt_trigger.h>
#include <linux/fxt_sched.h>

#include "source_fixture.h"
#include "cpu_wait.h"
#include "terminal.h"
#include "tool.h"

SOURCE_FIXTURE(flight);

static void snapshot_path(char *path, size_t room, const char *dir, unsigned int n)
{
	snprintf(path, room, "%s/sched-%04u.fxt", dir, n);
}

static size_t count_files(const char *dir)
{
	char pattern[RECORD_PATH + 16];
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/sched*", dir);
	return glob(pattern, 0, NULL, &g) ? 0 : g.gl_pathc;
}

/* Wait for a snapshot: the file gets its name when it is complete, and the recording continues. */
static int await_snapshot_for(int ms, const char *dir, unsigned int n, struct why *why)
{
	char path[RECORD_PATH + 32];

	snapshot_path(path, sizeof(path), dir, n);
	for (int waited = 0; waited < ms; waited += 20) {
		if (!access(path, F_OK))
			return 0;
		sleep_ms(20);
	}
	return complain(why, "%s does not come", path);
}

static int await_snapshot(const char *dir, unsigned int n, struct why *why)
{
	return await_snapshot_for(PATIENCE_MS, dir, n, why);
}

static int load_snapshot(struct trace *t, const char *dir, unsigned int n, struct why *why)
{
	char path[RECORD_PATH + 32], line[32];

	snapshot_path(path, sizeof(path), dir, n);
	if (trace_load(t, path, false, why) || trace_check_records(t, why) ||
	    trace_check_ledgers(t, why) || trace_check_edges(t, why) || trace_check_chain(t, why))
		return -1;
	snprintf(line, sizeof(line), "\nsnapshot %u\n", n);
	if (!strstr(t->session, "\nmode flight-recorder\n") || !strstr(t->session, line))
		return complain(why, "snapshot %u does not say that it is one: %.300s", n,
				t->session);
	if (trace_lost(t))
		return complain(why, "snapshot %u lost %ju records", n, (uintmax_t)trace_lost(t));
	return trace_find_mark(t, FXT_STR_COMPLETE) ? 0 :
	       complain(why, "snapshot %u does not say from where it is complete", n);
}

static uint64_t sum_before(const struct trace *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->stream_count; i++)
		sum += t->streams[i].opening.written;
	return sum;
}

static uint64_t sum_stored(const struct trace *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->stream_count; i++)
		sum += t->streams[i].event_count;
	return sum;
}

static uint64_t first_time(const struct trace *t)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < t->stream_count; i++)
		if (t->streams[i].event_count && t->streams[i].events[0].time < first)
			first = t->streams[i].events[0].time;
	return first;
}

static int make_load(unsigned int rounds)
{
	struct pair pairs[2] = { 0 };
	int cpus[MAX_CPUS], i;
	unsigned int count = allowed_cpus(cpus);

	for (i = 0; i < 4; i++)
		pairs[i / 2].ends[i % 2].cpu = cpus[i / 2 % count];
	pairs[1].rounds = rounds;
	pairs[0].rounds = pairs[1].rounds;
	return pairs_run(pairs, 2);
}

/* Two recorders end without their trigger; each prints the command that opens its own snapshot. */
SOURCE_TEST(flight, says_what_opens_it)
{
	const char * const args[] = {
		"-s", self->source, "-F", "--trigger", "latency>1h", "-d", "50ms", NULL
	};
	char path[RECORD_PATH + 32], *command, *end;
	struct tool tool;

	for (unsigned int n = 1; n <= 2; n++) {
		ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
		snapshot_path(path, sizeof(path), self->dir, n);
		command = strstr(self->c.text, "see fxt report ");
		ASSERT_NE(NULL, command) TH_LOG("%s", self->c.text);
		command += strlen("see fxt report ");
		end = strchr(command, '\n');
		ASSERT_NE(NULL, end);
		*end = '\0';
		EXPECT_STREQ(path, command);
		ASSERT_EQ(0, tool_run(&tool, ARGS("report", command)));
		EXPECT_EQ(0, tool.status) TH_LOG("%s", tool.err);
	}
}

/*
 * Names of renames that were too many for the buffer are known, because the source names all tasks
 * once more. This has to work for each snapshot; BPF can do it for some only.
 */
SOURCE_TEST(flight, last_name_in_each_snapshot)
{
	const struct trace_name *found;
	char name[2 * COMM_SIZE];

	ASSERT_BEGIN("-F", "-b", "64K");
	for (unsigned int n = 1; n <= 20; n++) {
		for (unsigned int i = 2 * FXT_RENAME_THREAD_BURST; i--;) {
			snprintf(name, sizeof(name), "round %u %u", n, i);
			ASSERT_EQ(0, prctl(PR_SET_NAME, name));
		}
		ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
		ASSERT_FINE(await_snapshot(self->dir, n, &self->why));
	}
	ASSERT_FINE(record_end(&self->c, &self->why));
	for (unsigned int n = 1; n <= 20; n++) {
		ASSERT_FINE(load_snapshot(&self->t, self->dir, n, &self->why));
		snprintf(name, sizeof(name), "round %u 0", n);
		found = trace_find_name(&self->t, FXT_OBJECT_THREAD, getpid());
		ASSERT_NE(NULL, found);
		EXPECT_STREQ(name, found->text);
	}
}

/* Events that fill 64 KiB on each CPU more than three times. */
#define MANY	2200

SOURCE_TEST(flight, the_last_moments_when_asked)
{
	uint64_t before, stored;
	struct trace t;

	ASSERT_BEGIN("-F", "-b", "64K");
	ASSERT_EQ(0, make_load(MANY));
	EXPECT_EQ(0U, count_files(self->dir));
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	ASSERT_FINE(await_snapshot(self->dir, 1, &self->why));
	EXPECT_EQ(1U, count_files(self->dir));
	ASSERT_EQ(0, make_load(20));
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	ASSERT_FINE(await_snapshot(self->dir, 2, &self->why));
	ASSERT_EQ(0, make_load(MANY));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(3U, count_files(self->dir));

	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	before = sum_before(&self->t);
	stored = sum_stored(&self->t);
	EXPECT_LT(0U, before);
	EXPECT_LT(1000U, stored);
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 2, &self->why));
	/* There may be more records, if other threads did much. */
	EXPECT_LE(before + stored, sum_before(&self->t));
	EXPECT_LE(80U, sum_stored(&self->t));
	before = sum_before(&self->t) + sum_stored(&self->t);
	ASSERT_FINE(load_snapshot(&t, self->dir, 3, &self->why));
	EXPECT_LT(before, sum_before(&t));
	EXPECT_LE(first_time(&t), trace_find_mark(&t, FXT_STR_COMPLETE)->time);
}

/* What is reserved for a stack may be left free at the end of a sub-buffer. */
SOURCE_TEST(flight, all_sub_buffers_with_stacks)
{
	NEEDS_STACKS();
	ASSERT_BEGIN("-F", "-b", "64K", "--stacks=offcpu,kernel", "--stacks-min=0");
	ASSERT_EQ(0, make_load(MANY));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	EXPECT_LT(0U, sum_before(&self->t));
}

/*
 * Compare the counts of a thread that always runs, within the time that the snapshot covers
 * completely.
 */
SOURCE_TEST(flight, is_whole_from_the_mark_on)
{
	unsigned int rounds = 2 * MANY;
	struct pair pair = { .rounds = rounds };
	const struct trace_stream *s;
	const struct trace_event *e;
	int cpus[MAX_CPUS];
	uint64_t last = 0, from;
	unsigned long sleeps = 0, wakeups = 0;

	allowed_cpus(cpus);
	pair.ends[1].cpu = cpus[0];
	pair.ends[0].cpu = pair.ends[1].cpu;
	ASSERT_BEGIN("-F", "-b", "256K");
	ASSERT_EQ(0, pairs_run(&pair, 1));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	from = trace_find_mark(&self->t, FXT_STR_COMPLETE)->time;
	trace_for_each_event(&self->t, s, e) {
		if (e->time < from)
			continue;
		if (e->is_wakeup) {
			wakeups += e->wakeup.thread == (uint64_t)pair.ends[0].tid;
		} else if (e->sw.out == (uint64_t)pair.ends[0].tid) {
			sleeps += e->sw.state == FXT_THREAD_BLOCKED;
			last = e->time > last ? e->time : last;
		}
	}
	/* Each thread is woken once each time that it waits for the token. */
	EXPECT_LT(0U, sleeps);
	EXPECT_LE(sleeps, wakeups + 2);
	EXPECT_LE(wakeups, sleeps + 2);
	EXPECT_LT(from, last);
}

/* --- triggers ------------------------------------------------------------------------ */

static int check_trigger(const struct trace *t, const struct jam *jam, uint64_t least,
			 struct why *why)
{
	const struct trace_mark *m = trace_find_mark(t, FXT_STR_TRIGGER);
	const struct trace_stream *s;
	const struct trace_event *e;

	if (!m)
		return complain(why, "no mark of a trigger");
	if (m->thread != (uint64_t)jam->late.tid || m->cpu != (uint64_t)jam->cpu ||
	    m->latency < least)
		return complain(why, "the trigger was thread %ju on cpu %ju after %ju ns",
				(uintmax_t)m->thread, (uintmax_t)m->cpu, (uintmax_t)m->latency);
	trace_for_each_event(t, s, e) {
		if (e->is_wakeup || e->sw.in != m->thread)
			continue;
		if (e->time == m->time && !m->goes_on)
			return 0;
		if (e->time > m->time - m->latency && e->time < m->time)
			return complain(why, "the thread was switched in meanwhile");
	}
	return m->goes_on ? 0 : complain(why, "the switch that was too late is not there");
}

/*
 * Ticks from a CPU's look at the clock until all others see its store. An emulator may run all
 * other CPUs in between.
 */
static uint64_t time_to_tell(void)
{
	return NS_PER_MS * (in_guest() ? 10 * sysconf(_SC_NPROCESSORS_ONLN) : 1);
}

static bool file_says(const char *path, const char *text)
{
	char head[4096] = "";
	FILE *f = fopen(path, "re");

	if (!f)
		return false;
	head[fread(head, 1, sizeof(head) - 1, f)] = '\0';
	fclose(f);
	return strstr(head, text);
}

SOURCE_TEST(flight, trigger_freezes_at_once)
{
	char stats[RECORD_PATH + 16], said[64];
	const struct trace_mark *m;
	const struct trace_stream *s;
	const struct trace_event *e;
	struct jam other, soon, jam;
	bool was_late;

	snprintf(stats, sizeof(stats), "%s/stats", self->dir);
	ASSERT_BEGIN("-F", "-b", "1M", "--trigger", "latency>150ms:comm=later*", "--stats-json",
		     stats);
	/*
	 * The first one is late, but has another name; the next one matches, but is not late
	 * enough.
	 */
	ASSERT_EQ(0, make_jam(&other, 300, "other"));
	EXPECT_EQ(0U, count_files(self->dir));
	ASSERT_EQ(0, make_jam(&soon, 20, "later"));
	ASSERT_EQ(0, make_jam(&jam, 400, "later\33one"));
	ASSERT_FINE(await_snapshot(self->dir, 1, &self->why));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(1U, count_files(self->dir));
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	m = trace_find_mark(&self->t, FXT_STR_TRIGGER);
	/* On a busy machine, the wait of 20 ms may last longer than the trigger allows. */
	was_late = m && m->thread == (uint64_t)soon.late.tid;
	ASSERT_FINE(check_trigger(&self->t, was_late ? &soon : &jam, 150 * NS_PER_MS, &self->why));
	snprintf(said, sizeof(said), "thread %d (%s) %swaited ",
		 was_late ? soon.late.tid : jam.late.tid, was_late ? "later" : "later?one",
		 m->goes_on ? "has " : "");
	EXPECT_IN(self->c.text, said);
	EXPECT_NOT_IN(self->c.text, "never fired");
	EXPECT_TRUE(file_says(stats, "\"trigger_fired\":true"));
	/*
	 * Other CPUs see the trigger some microseconds later, or when this CPU runs again to
	 * publish it.
	 */
	trace_for_each_event(&self->t, s, e)
		EXPECT_LE(e->time, m->time + time_to_tell());
}

SOURCE_TEST(flight, trigger_goes_on_and_is_armed_again)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int naps = 40, i, tries;
	uint64_t last, mark;
	struct jam jam;

	ASSERT_BEGIN("-F", "-b", "1M", "--trigger", "latency>150ms:comm=later*", "--after", "300ms",
		     "--snapshots", "2");
	for (i = 1; i <= 2; i++) {
		struct worker nap = { .name = "naps", .cpu = ANY_CPU, .run = worker_nap,
				      .arg = &naps };

		/* The trigger may not be armed again yet when the previous snapshot appears. */
		for (tries = 0; tries < 5; tries++) {
			ASSERT_EQ(0, make_jam(&jam, 400, "later"));
			ASSERT_EQ(0, worker_start(&nap));
			ASSERT_EQ(0, worker_join(&nap));
			if (!await_snapshot_for(PATIENCE_MS / 5, self->dir, i, &self->why))
				break;
		}
		ASSERT_GT(5U, tries) TH_LOG("%s", self->why.text);
		ASSERT_FINE(load_snapshot(&self->t, self->dir, i, &self->why));
		ASSERT_FINE(check_trigger(&self->t, &jam, 150 * NS_PER_MS, &self->why));
		mark = trace_find_mark(&self->t, FXT_STR_TRIGGER)->time;
		last = 0;
		trace_for_each_event(&self->t, s, e)
			last = e->time > last ? e->time : last;
		EXPECT_LT(mark, last);
		EXPECT_LE(last, mark + 301 * NS_PER_MS);
	}
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_EQ(2U, count_files(self->dir));
}

/* --- triggers that a user fires again and again -------------------------------------------- */

SOURCE_FIXTURE(standing);

#define NOBODY	65534

static bool was_too_long;

static int annoy(unsigned int ms, unsigned int times)
{
	struct jam jam;

	while (times--) {
		if (make_jam_of(&jam, ms, "later", NOBODY))
			return -1;
		was_too_long |= is_too_long(&jam);
		sleep_ms(200);
	}
	sleep_ms(500);
	return 0;
}

#define JAMS	10	/* waits, some of which may come while a snapshot is written */

static bool is_kept(FIXTURE_DATA(standing) *self, pid_t tid)
{
	const struct trace_mark *m;
	bool found = false;

	for (unsigned int n = 1; n < 20 && !found; n++) {
		if (load_snapshot(&self->t, self->dir, n, &self->why))
			continue;
		m = trace_find_mark(&self->t, FXT_STR_TRIGGER);
		found = m && m->thread == (uint64_t)tid;
	}
	return found;
}

static bool is_kept_soon(FIXTURE_DATA(standing) *self, pid_t tid)
{
	for (unsigned int waited = 0; waited < 5000; waited += 100) {
		if (is_kept(self, tid))
			return true;
		sleep_ms(100);
	}
	return false;
}

/*
 * A user makes threads wait for too long, more often than snapshots are kept. The recording goes
 * on, and keeps the snapshot of another user's wait.
 */
SOURCE_TEST(standing, outlives_who_fires_it)
{
	unsigned int jams;
	bool kept = false;
	struct jam jam;

	ASSERT_BEGIN("-F", "-b", "1M", "--trigger", "latency>100ms:comm=later", "--keep", "3");
	ASSERT_EQ(0, annoy(150, 8));
	for (jams = 0; jams < JAMS && !kept; jams++) {
		ASSERT_EQ(0, make_jam(&jam, 150, "later"));
		kept = is_kept_soon(self, jam.late.tid);
	}
	/* Waits that get longer are worth a snapshot each, but replace their user's own. */
	ASSERT_EQ(0, annoy(300, 2));
	ASSERT_EQ(0, annoy(600, 1));
	collector_read(&self->c);
	/* Longer waits on a slow machine are worth more snapshots. */
	EXPECT_TRUE(was_too_long || !strstr(self->c.text, "-0008.fxt")) TH_LOG("%s", self->c.text);
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_GE(3U, count_files(self->dir)) TH_LOG("%s", self->c.text);
	EXPECT_TRUE(is_kept(self, jam.late.tid)) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "ignored the trigger");
}

/*
 * The number of snapshots when no more is about to be made: a wait that goes on after a snapshot
 * may fire the trigger again.
 */
static size_t count_snapshots(FIXTURE_DATA(standing) *self)
{
	return wait_for_reads(&self->c) ? 0 : count_files(self->dir);
}

#define RAISED_MS	200	/* a limit of 100 ms after a wait that was worth a snapshot */
#define ATTEMPTS	5	/* until no wait is longer; fewer than snapshots are kept */

/* Let a thread of each of these users wait. Is no wait worth a snapshot? */
static bool wait_in_vain(struct __test_metadata *_metadata, uid_t first, unsigned int users)
{
	bool is_worth_one = false;
	struct jam jam;

	for (uid_t user = first; user < first + users; user++) {
		ASSERT_EQ(0, make_jam_of(&jam, 150, "later", user));
		is_worth_one |= jam.waited > RAISED_MS * NS_PER_MS;
	}
	/* Until the recorder has seen all of them. */
	sleep_ms(700);
	return !is_worth_one;
}

/* The last snapshot has what precedes the waits of these users, which are not worth one. */
static void expect_all(struct __test_metadata *_metadata, FIXTURE_DATA(standing) *self,
		       uid_t first, unsigned int users)
{
	size_t snapshots = 0;
	bool is_in_vain = false;
	uint64_t before = 0;

	/* On a slow machine, a wait may be so long that it is worth a snapshot. */
	for (size_t tries = 0; tries < ATTEMPTS && !is_in_vain; tries++) {
		snapshots = count_snapshots(self);
		ASSERT_NE(0U, snapshots);
		before = boottime_ns();
		is_in_vain = wait_in_vain(_metadata, first, users);
	}
	ASSERT_FINE(record_end(&self->c, &self->why));
	if (!is_in_vain)
		SKIP(return, "waits of 150 ms last longer than %d ms here", RAISED_MS);
	EXPECT_IN(self->c.text, "ignored the trigger");
	EXPECT_EQ(snapshots + 1, count_files(self->dir)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(load_snapshot(&self->t, self->dir, snapshots + 1, &self->why));
	EXPECT_GE(before, trace_find_mark(&self->t, FXT_STR_COMPLETE)->time)
		TH_LOG("%s", self->c.text);
}

/* A wait that is not worth a snapshot costs no records. */
SOURCE_TEST(standing, keeps_what_precedes_what_it_ignores)
{
	ASSERT_BEGIN("-F", "-b", "8M", "--trigger", "latency>100ms:comm=later", "--keep", "9");
	ASSERT_EQ(0, annoy(800, 1));
	ASSERT_FINE(await_snapshot(self->dir, 1, &self->why));
	expect_all(_metadata, self, NOBODY, 1);
}

/* Has the thread fired the trigger? It is reported once the recording continues. */
static bool has_fired(FIXTURE_DATA(standing) *self, pid_t tid)
{
	char said[32];

	snprintf(said, sizeof(said), "thread %d (later) ", tid);
	for (unsigned int waited = 0; waited < 1000; waited += 20) {
		collector_read(&self->c);
		if (strstr(self->c.text, said))
			return true;
		sleep_ms(20);
	}
	return false;
}

/* More users than have limits of their own: the others share one, which costs no records either. */
SOURCE_TEST(standing, outlives_many_users)
{
	const unsigned int own = FXT_SCHED_LIMITS_MAX - FXT_SCHED_CAUSES;
	struct jam jam;

	ASSERT_BEGIN("-F", "-b", "8M", "--trigger", "latency>100ms:comm=later", "--keep", "99");
	/* A wait while the snapshot before it is being written does not fire the trigger. */
	for (unsigned int i = 0, tries = 0; i <= own && tries < 50; tries++) {
		ASSERT_EQ(0, make_jam_of(&jam, 150, "later", 70000 + i));
		i += has_fired(self, jam.late.tid);
	}
	ASSERT_LT(own, count_snapshots(self));
	expect_all(_metadata, self, 80000, 3);
}

/*
 * A process that never waits does not fire the trigger, so the end of the recording makes the
 * snapshot.
 */
SOURCE_TEST(flight, trigger_of_another_process)
{
	char trigger[64], stats[RECORD_PATH + 16], said[128];
	struct child child;
	struct jam jam;

	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " quiet"));
	snprintf(trigger, sizeof(trigger), "latency>150ms:pid=%d", child.pid);
	snprintf(stats, sizeof(stats), "%s/stats", self->dir);
	ASSERT_BEGIN("-F", "-b", "1M", "--trigger", trigger, "--stats-json", stats);
	ASSERT_EQ(0, make_jam(&jam, 400, "later"));
	sleep_ms(500);
	EXPECT_EQ(0U, count_files(self->dir));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	EXPECT_EQ(NULL, trace_find_mark(&self->t, FXT_STR_TRIGGER));
	snprintf(said, sizeof(said), "the trigger %s never fired", trigger);
	EXPECT_IN(self->c.text, said);
	EXPECT_TRUE(file_says(stats, "\"trigger_fired\":false"));
}

/* The trigger fires, but the archive has no mark of it. */
SOURCE_TEST(flight, trigger_without_its_mark)
{
	struct jam jam;

	ASSERT_BEGIN("-F", "-b", "1M", "--trigger", "latency>150ms:comm=later", "--without",
		     "trigger");
	ASSERT_EQ(0, make_jam(&jam, 400, "later"));
	ASSERT_FINE(await_snapshot(self->dir, 1, &self->why));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	EXPECT_EQ(NULL, trace_find_mark(&self->t, FXT_STR_TRIGGER));
	EXPECT_IN(self->t.session, "\nwithout trigger\n");
}

/*
 * The end of the duration makes a snapshot, too, and it has the names of threads that have exited.
 */
SOURCE_TEST(flight, ends_with_its_time)
{
	const struct trace_name *name = NULL;
	unsigned int naps = 3, count = 0;
	siginfo_t ended = { 0 };
	pid_t tids[1000];

	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "-F", "-d",
							       "1s"), -1));
	/* The recording lasts a second from an unknown start; some of the threads live in it. */
	while (!ended.si_pid && count < ARRAY_SIZE(tids)) {
		struct worker gone = { .name = "gone by then", .cpu = ANY_CPU,
				       .run = worker_nap, .arg = &naps };

		ASSERT_EQ(0, worker_start(&gone));
		ASSERT_EQ(0, worker_join(&gone));
		tids[count++] = gone.tid;
		sleep_ms(50);
		waitid(P_PID, self->c.pid, &ended, WEXITED | WNOHANG | WNOWAIT);
	}
	EXPECT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(load_snapshot(&self->t, self->dir, 1, &self->why));
	/* The last thread may not have had its name in time. */
	while (count-- && !(name && !strcmp(name->text, "gone by then")))
		name = trace_find_name(&self->t, FXT_OBJECT_THREAD, tids[count]);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("gone by then", name->text);
}

/* On a terminal, messages do not follow the progress line on the same line. */
SOURCE_TEST(flight, live_line)
{
	static const char clear[] = "\r\033[K";
	char path[RECORD_PATH + 16];
	const char * const args[] = {
		"-s", self->source, "-F", "--snapshots", "1", "-o", path, NULL,
	};
	const char *line;
	struct tool t;

	snprintf(path, sizeof(path), "%s/sched.fxt", self->dir);
	EXPECT_EQ(0, terminal_run(&t, &(struct terminal){
		.program = collector_path(), .args = args, .columns = 80,
		.until = " snapshots, ", .signal = SIGUSR1 })) TH_LOG("%s", t.out);
	line = strstr(t.out, "fxt-collect: wrote ");
	ASSERT_NE(NULL, line) TH_LOG("%s", t.out);
	ASSERT_LT(t.out + strlen(clear), line);
	EXPECT_EQ(0, memcmp(line - strlen(clear), clear, strlen(clear))) TH_LOG("%s", t.out);
}
