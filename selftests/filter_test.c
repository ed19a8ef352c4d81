// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filter_test.c - what filters keep, and what they leave out.
 *
 * What flows in: recordings of threads whose every switch is known. What must hold:
 * of a thread that matches, the archive has all that the kernel counted; each record
 * has one that matches on one of its sides; nothing counts as lost; and the archive
 * says that it is filtered.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixture.h"

SOURCE_FIXTURE(filter);

/* Who matches, in one test. */
struct wanted {
	const uint64_t *tids;
	size_t count;
};

static bool is_wanted(const struct wanted *w, uint64_t tid)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		if (w->tids[i] == tid)
			return true;
	return false;
}

/* Each record has a side that matches. */
static int check_sides(const struct trace *t, const struct wanted *w, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		uint64_t a = e->is_wakeup ? e->wakeup.thread : e->sw.out;
		uint64_t b = e->is_wakeup ? e->wakeup.waker : e->sw.in;

		if (!is_wanted(w, a) && !is_wanted(w, b))
			return complain(why, "byte %ju: a %s of %ju and %ju, of whom nobody matches",
					(uintmax_t)e->offset,
					e->is_wakeup ? "wakeup" : "switch",
					(uintmax_t)a, (uintmax_t)b);
	}
	return 0;
}

/* What a thread may do before it has got to the CPU that it is pinned to. */
#define BEFORE	3

/* All switches away from a thread are there, as the kernel counted them. */
static int check_counts(const struct trace *t, pid_t tid, const struct counts *c,
			struct why *why)
{
	unsigned long blocked = 0, runnable = 0;
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		if (e->is_wakeup || e->sw.out != (uint64_t)tid || e->time > c->at)
			continue;
		if (e->sw.state == FXT_THREAD_NEW)
			runnable++;
		else
			blocked++;
	}
	if (blocked <= c->voluntary && runnable <= c->involuntary &&
	    blocked + runnable + BEFORE >= c->voluntary + c->involuntary)
		return 0;
	return complain(why, "thread %d: %lu switches to sleep and %lu others, the kernel counted %lu and %lu",
			tid, blocked, runnable, c->voluntary, c->involuntary);
}

static int load(struct collector *c, struct trace *t, const char *line, struct why *why)
{
	char text[600];

	if (record_load(c, t, why))
		return -1;
	snprintf(text, sizeof(text), "\n%s\n", line);
	if (!strstr(t->session, text))
		return complain(why, "the archive does not say '%s'", line);
	if (trace_lost(t))
		return complain(why, "%ju records count as lost", (uintmax_t)trace_lost(t));
	return trace_check_records(t, why) || trace_check_ledgers(t, why) ? -1 : 0;
}

/* --- CPUs ------------------------------------------------------------------------ */

/* The switches of these CPUs, and the wakeups that put a thread on one of them. */
static int check_cpu(const struct trace *t, uint32_t cpu, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long switches = 0;

	trace_for_each_event(t, s, e) {
		if ((e->is_wakeup ? e->wakeup.cpu : e->sw.cpu) != cpu)
			return complain(why, "byte %ju: a %s of cpu %u", (uintmax_t)e->offset,
					e->is_wakeup ? "wakeup" : "switch",
					e->is_wakeup ? e->wakeup.cpu : e->sw.cpu);
		switches += !e->is_wakeup;
	}
	return switches ? 0 : complain(why, "no switch of cpu %u", cpu);
}

TEST_F_TIMEOUT(filter, cpus, TEST_SECONDS)
{
	struct pair pairs[2] = { 0 };
	int cpus[MAX_CPUS], i;
	char number[16], line[64];
	const char * const args[] = { "-C", number, NULL };
	unsigned int count = allowed_cpus(cpus);

	NEEDS_SOURCE();
	snprintf(number, sizeof(number), "%d", cpus[count - 1]);
	snprintf(line, sizeof(line), "filter cpus %s", number);
	for (i = 0; i < 4; i++)
		pairs[i / 2].ends[i % 2].cpu = cpus[i / 2 ? count - 1 : 0];
	pairs[1].rounds = scaled(500);
	pairs[0].rounds = pairs[1].rounds;
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, pairs_run(pairs, 2));
	ASSERT_FINE(load(&self->c, &self->t, line, &self->why));
	EXPECT_FINE(check_cpu(&self->t, cpus[count - 1], &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));
	for (i = 2; i < 4; i++)
		EXPECT_FINE(check_counts(&self->t, pairs[1].ends[i % 2].tid,
					 &pairs[1].ends[i % 2].counts, &self->why));
}

/* --- processes ---------------------------------------------------------------------- */

/* A shell that sleeps, and has a child that sleeps. */
#define FAMILY	"read x; sleep 0.05; (sleep 0.05; sleep 0.05); echo"

struct family {
	pid_t pid;
	int in;
	int out;
};

static int family_start(struct family *f)
{
	int in[2], out[2];

	if (pipe(in) || pipe(out))
		return -1;
	f->pid = fork();
	if (!f->pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[0]), close(in[1]), close(out[0]), close(out[1]);
		execl("/bin/sh", "sh", "-c", FAMILY, NULL);
		_exit(99);
	}
	close(in[0]);
	close(out[1]);
	f->in = in[1];
	f->out = out[0];
	return f->pid < 0 ? -1 : 0;
}

/* Let it go on, and wait for its end. */
static int family_run(struct family *f)
{
	int status;
	char byte;

	if (write(f->in, "\n", 1) != 1 || read(f->out, &byte, 1) != 1)
		return -1;
	close(f->in);
	close(f->out);
	return waitpid(f->pid, &status, 0) == f->pid && !status ? 0 : -1;
}

/* All threads that the archive's names say to be "sleep" or of @pid. */
static size_t find_family(const struct trace *t, pid_t pid, uint64_t *tids, size_t most)
{
	struct wanted w = { tids, 0 };
	size_t i;

	for (i = 0; i < t->name_count && w.count < most; i++) {
		const struct trace_name *n = &t->names[i];

		if (n->type == FXT_OBJECT_THREAD && !is_wanted(&w, n->koid) &&
		    (n->process == (uint64_t)pid || !strcmp(n->text, "sleep") ||
		     (!strcmp(n->text, "sh") && n->koid > (uint64_t)pid)))
			tids[w.count++] = n->koid;
	}
	return w.count;
}

TEST_F_TIMEOUT(filter, pids_and_their_children, TEST_SECONDS)
{
	unsigned int naps = scaled(50);
	struct worker other = { .name = "other", .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct wanted w = { 0 };
	uint64_t tids[64];
	char pid[16], line[64];
	const char * const args[] = { "-p", pid, NULL };
	struct family f;
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long sleeps = 0;

	NEEDS_SOURCE();
	ASSERT_EQ(0, family_start(&f));
	snprintf(pid, sizeof(pid), "%d", f.pid);
	snprintf(line, sizeof(line), "filter pids %d", f.pid);
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, family_run(&f));
	ASSERT_EQ(0, worker_join(&other));
	ASSERT_FINE(load(&self->c, &self->t, line, &self->why));
	w.tids = tids;
	w.count = find_family(&self->t, f.pid, tids, ARRAY_SIZE(tids));
	ASSERT_LE(4U, w.count);
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	/* Three times somebody slept for a while, in three processes. */
	trace_for_each_event(&self->t, s, e)
		if (!e->is_wakeup && e->sw.out != (uint64_t)f.pid && is_wanted(&w, e->sw.out))
			sleeps += e->sw.state == FXT_THREAD_BLOCKED;
	EXPECT_LE(3U, sleeps);
}

static unsigned long count_sleeps(const struct trace *t, uint64_t tid)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long sleeps = 0;

	trace_for_each_event(t, s, e)
		sleeps += !e->is_wakeup && e->sw.out == tid &&
			  e->sw.state == FXT_THREAD_BLOCKED;
	return sleeps;
}

/* --- names -------------------------------------------------------------------------- */

TEST_F_TIMEOUT(filter, comm, TEST_SECONDS)
{
	static const char * const args[] = { "--comm", "want[a-c]*", NULL };
	unsigned int naps = scaled(50);
	struct worker threads[] = {
		{ .name = "wanta one" }, { .name = "wantc" }, { .name = "wantd" },
		{ .name = "unwanta" },
	};
	uint64_t tids[2];
	struct wanted w = { tids, 2 };
	size_t i;

	NEEDS_SOURCE();
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		threads[i].cpu = ANY_CPU;
		threads[i].run = worker_nap;
		threads[i].arg = &naps;
		ASSERT_EQ(0, worker_start(&threads[i]));
	}
	for (i = 0; i < ARRAY_SIZE(threads); i++)
		ASSERT_EQ(0, worker_join(&threads[i]));
	ASSERT_FINE(load(&self->c, &self->t, "filter comm want[a-c]*", &self->why));
	for (i = 0; i < 2; i++)
		tids[i] = threads[i].tid;
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	/* A nap that is over before it began is none. */
	for (i = 0; i < 2; i++) {
		unsigned long sleeps = threads[i].counts.voluntary - threads[i].begun.voluntary;

		EXPECT_LT(0U, sleeps);
		EXPECT_LE(sleeps, count_sleeps(&self->t, tids[i]));
	}
}

/* One that has its name from the start is caught as it is. */
TEST_F_TIMEOUT(filter, comm_of_old_threads, TEST_SECONDS)
{
	static const char * const args[] = { "--comm", "fxt-child?old", NULL };
	struct child child;
	uint64_t tid;
	struct wanted w = { &tid, 1 };
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long seen = 0;

	NEEDS_SOURCE();
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " old"));
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, child_counts(&child));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(load(&self->c, &self->t, "filter comm fxt-child?old", &self->why));
	tid = child.pid;
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	trace_for_each_event(&self->t, s, e)
		seen += !e->is_wakeup && e->sw.out == tid;
	EXPECT_LE(1U, seen);
}

/* --- cgroups -------------------------------------------------------------------------- */

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

/* A cgroup of ours in a hierarchy that is mounted, or that is mounted now. */
static int make_cgroup(char *path, size_t room, const char *dir)
{
	static const char * const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	char root[RECORD_PATH], test[600];
	size_t i;

	for (i = 0; i < 2; i++) {
		snprintf(path, room, "%s/fxt-test", roots[i]);
		snprintf(test, sizeof(test), "%s/cgroup.procs", roots[i]);
		if (!access(test, W_OK) && (!mkdir(path, 0755) || errno == EEXIST))
			return 0;
	}
	snprintf(root, sizeof(root), "%.480s/cgroup", dir);
	if (mkdir(root, 0755) || mount("none", root, "cgroup2", 0, NULL))
		return -1;
	snprintf(path, room, "%.490s/fxt-test", root);
	return mkdir(path, 0755) && errno != EEXIST ? -1 : 0;
}

static int move_to(const char *cgroup, pid_t pid)
{
	char path[600], text[16];

	snprintf(path, sizeof(path), "%.500s/cgroup.procs", cgroup);
	snprintf(text, sizeof(text), "%d", pid);
	return write_text(path, text);
}

TEST_F_TIMEOUT(filter, cgroup, TEST_SECONDS)
{
	char cgroup[RECORD_PATH], root[RECORD_PATH];
	const char * const args[] = { "--cgroup", cgroup, NULL };
	unsigned int naps = scaled(50);
	struct worker other = { .name = "other", .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct wanted w = { 0 };
	uint64_t tids[64];
	struct family f;

	NEEDS_SOURCE();
	if (make_cgroup(cgroup, sizeof(cgroup), self->dir))
		SKIP(return, "no cgroup v2 can be made here: %s", strerror(errno));
	ASSERT_EQ(0, family_start(&f));
	ASSERT_EQ(0, move_to(cgroup, f.pid));
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, family_run(&f));
	ASSERT_EQ(0, worker_join(&other));
	ASSERT_FINE(load(&self->c, &self->t, "filter cgroup /fxt-test", &self->why));
	w.tids = tids;
	w.count = find_family(&self->t, f.pid, tids, ARRAY_SIZE(tids));
	ASSERT_LE(4U, w.count);
	EXPECT_FINE(check_sides(&self->t, &w, &self->why));
	rmdir(cgroup);
	snprintf(root, sizeof(root), "%.480s/cgroup", self->dir);
	umount(root);
}

TEST_HARNESS_MAIN
