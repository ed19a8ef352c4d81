// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Filters, and threads that appear during a recording: without a fork event (workers of io_uring),
 * with the id of a dead thread, or with an id larger than was possible when recording began. Each
 * is filtered by its own properties.
 */
#include "source_fixture.h"
#include "io_uring_user.h"

#define PID_MAX_FILE	"/proc/sys/kernel/pid_max"
#define TRIES		20	/* attempts to get a thread id before another thread */

SOURCE_FIXTURE(filter_new);

/*
 * Count the switches away from a thread between two moments of its life. A dead thread that had its
 * id may be switched out for the last time as late as that, because its parent can reap it before.
 */
static unsigned long count_out(const struct trace *t, pid_t tid, uint64_t from, uint64_t to)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned long n = 0;

	trace_for_each_event(t, s, e)
		n += !e->is_wakeup && e->sw.out == (uint64_t)tid && e->time >= from &&
		     e->time <= to && e->sw.state <= FXT_THREAD_BLOCKED;
	return n;
}

static int check_worker(const struct trace *t, const struct ring_user *u, struct why *why)
{
	const struct counts *c = &u->made.counts;
	unsigned long n = count_out(t, u->made.tid, u->made.began, c->at);

	if (n == c->voluntary + c->involuntary)
		return 0;
	return complain(why, "worker %d: %lu switches, the kernel counted %lu", u->made.tid,
			n, c->voluntary + c->involuntary);
}

/* If several threads had the id, this is of the first. */
static uint64_t end_of(const struct trace *t, pid_t tid)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	uint64_t end = UINT64_MAX;

	trace_for_each_event(t, s, e)
		if (!e->is_wakeup && e->sw.out == (uint64_t)tid &&
		    e->sw.state > FXT_THREAD_BLOCKED && e->time < end)
			end = e->time;
	return end;
}

/*
 * Was a thread preempted on its last steps? If another thread gets its id meanwhile, the filter,
 * which goes by ids, does not keep the last switches.
 */
static bool was_preempted(const struct trace *t, pid_t tid, uint64_t before)
{
	const struct trace_event *e, *last = NULL;
	const struct trace_stream *s;

	trace_for_each_event(t, s, e)
		if (!e->is_wakeup && e->sw.out == (uint64_t)tid && e->time < before &&
		    (!last || e->time > last->time))
			last = e;
	return last && last->sw.state == FXT_THREAD_NEW;
}

/*
 * Check that the archive has nothing of a worker, except events that it shares with a thread that
 * matches. The dead thread that had its id may have been switched out late.
 */
static int check_no_worker(const struct trace *t, const struct ring_user *u, pid_t wanted,
			   struct why *why)
{
	uint64_t tid = u->made.tid, end = end_of(t, u->made.tid);
	const struct trace_stream *s;
	const struct trace_event *e;

	if (end == UINT64_MAX && !was_preempted(t, u->made.tid, u->made.began))
		return complain(why, "thread %d does not end", u->made.tid);
	if (end == UINT64_MAX)
		end = 0;
	trace_for_each_event(t, s, e) {
		uint64_t a = e->is_wakeup ? e->wakeup.thread : e->sw.out;
		uint64_t b = e->is_wakeup ? e->wakeup.waker : e->sw.in;

		/* This record only ends the run of a thread that does not match. */
		if (!e->is_wakeup && fxt_switch_hides_in(&e->sw))
			continue;
		if (e->time > end && e->time > u->made.began && (a == tid || b == tid) &&
		    a != (uint64_t)wanted && b != (uint64_t)wanted)
			return complain(why, "byte %ju: a %s of %ju and %ju, of whom nobody matches",
					(uintmax_t)e->offset, e->is_wakeup ? "wakeup" : "switch",
					(uintmax_t)a, (uintmax_t)b);
	}
	return 0;
}

static int load(struct collector *c, struct trace *t, struct why *why)
{
	if (record_load(c, t, why))
		return -1;
	return trace_check_records(t, why) || trace_check_ledgers(t, why) ? -1 : 0;
}

/*
 * A worker of one process gets the id of a dead child of another process.
 * Return: 0; 1 if other threads got the id first each time.
 */
static int reuse(struct ring_user *first, struct ring_user *users, int *used)
{
	for (*used = 0; *used < TRIES; ++*used) {
		if (ring_user_child(first, 0) || ring_user_work(&users[*used], first->made.tid))
			return -1;
		if (users[*used].made.tid == first->made.tid)
			return 0;
	}
	return 1;
}

static const char *workers_missing(void)
{
	struct ring_user probe;
	int ret = ring_user_start(&probe, "probe") || ring_user_work(&probe, 0);

	ring_user_end(&probe);
	if (!ret)
		return NULL;
	if (probe.made.failure == EPERM)
		return "io_uring is disabled";
	return probe.made.failure == ENOSYS ? "this kernel's io_uring has no workers that are threads of the process" :
					      "io_uring failed";
}

#define NEEDS_WORKERS() do {							\
	const char *missing = workers_missing();				\
										\
	if (missing)								\
		SKIP(return, "%s", missing);					\
} while (0)

SOURCE_TEST(filter_new, worker_by_pid)
{
	char pid[16];
	struct ring_user u;

	NEEDS_WORKERS();
	ASSERT_EQ(0, ring_user_start(&u, "ring user"));
	snprintf(pid, sizeof(pid), "%d", u.pid);
	ASSERT_BEGIN("-p", pid);
	ASSERT_EQ(0, ring_user_work(&u, 0));
	EXPECT_EQ(0, ring_user_end(&u));
	ASSERT_FINE(load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	EXPECT_FINE(check_worker(&self->t, &u, &self->why));
}

/* The worker matches once it has its name, soon after its first steps. */
SOURCE_TEST(filter_new, worker_by_comm)
{
	unsigned long n, counted;
	struct ring_user u;

	NEEDS_WORKERS();
	ASSERT_EQ(0, ring_user_start(&u, "ring user"));
	ASSERT_BEGIN("--comm", "iou-wrk-*");
	ASSERT_EQ(0, ring_user_work(&u, 0));
	EXPECT_EQ(0, ring_user_end(&u));
	ASSERT_FINE(load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	n = count_out(&self->t, u.made.tid, u.made.began, u.made.counts.at);
	counted = u.made.counts.voluntary + u.made.counts.involuntary;
	EXPECT_LE(n, counted);
	EXPECT_GE(n + 2, counted);
}

struct reuse_case {
	struct ring_user first;
	struct ring_user users[TRIES];
	int used;	/* index of the user that reused the id */
	int ret;
};

static void end_all(struct reuse_case *r)
{
	ring_user_end(&r->first);
	for (int i = 0; i < TRIES; i++)
		ring_user_end(&r->users[i]);
}

static int start_all(struct reuse_case *r, const char *first_name)
{
	int i, ret = ring_user_start(&r->first, first_name);

	for (i = 0; i < TRIES && !ret; i++)
		ret = ring_user_start(&r->users[i], "ring user");
	return ret;
}

SOURCE_TEST(filter_new, worker_with_the_id_of_a_stranger)
{
	char pids[TRIES * 8] = "";
	struct reuse_case r;
	size_t n = 0;

	NEEDS_WORKERS();
	NEEDS_NEXT_TID();
	ASSERT_EQ(0, start_all(&r, "stranger"));
	for (int i = 0; i < TRIES; i++)
		n += snprintf(pids + n, sizeof(pids) - n, "%s%d", n ? "," : "", r.users[i].pid);
	ASSERT_BEGIN("-p", pids);
	r.ret = reuse(&r.first, r.users, &r.used);
	end_all(&r);
	ASSERT_LE(0, r.ret);
	ASSERT_FINE(load(&self->c, &self->t, &self->why));
	if (r.ret)
		SKIP(return, "others got the thread id each time");
	EXPECT_FINE(check_worker(&self->t, &r.users[r.used], &self->why));
}

static void run_heir(struct __test_metadata *_metadata, FIXTURE_DATA(filter_new) *self,
		     const char *option, const char *comm)
{
	const char *args[] = { option, comm, NULL };
	struct reuse_case r;
	char pid[16];

	ASSERT_EQ(0, start_all(&r, "wanted"));
	snprintf(pid, sizeof(pid), "%d", r.first.pid);
	if (!comm)
		args[1] = pid;
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	r.ret = reuse(&r.first, r.users, &r.used);
	end_all(&r);
	ASSERT_LE(0, r.ret);
	ASSERT_FINE(load(&self->c, &self->t, &self->why));
	if (r.ret)
		SKIP(return, "others got the thread id each time");
	/* The dead thread was recorded. */
	EXPECT_LE(1U, count_out(&self->t, r.first.made.tid, 0, UINT64_MAX));
	EXPECT_FINE(check_no_worker(&self->t, &r.users[r.used], r.first.pid, &self->why));
}

SOURCE_TEST(filter_new, worker_with_the_id_of_one_by_pid)
{
	NEEDS_WORKERS();
	NEEDS_NEXT_TID();
	run_heir(_metadata, self, "-p", NULL);
}

SOURCE_TEST(filter_new, worker_with_the_id_of_one_by_comm)
{
	NEEDS_WORKERS();
	NEEDS_NEXT_TID();
	run_heir(_metadata, self, "--comm", "wanted");
}

static int write_number(const char *path, unsigned int number)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", number);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written = fd < 0 ? -1 : write(fd, text, n);

	if (fd >= 0)
		close(fd);
	return written == n ? 0 : -1;
}

static unsigned int read_number(const char *path)
{
	unsigned int number = 0;
	FILE *f = fopen(path, "re");

	if (!f || fscanf(f, "%u", &number) != 1)
		number = 0;
	if (f)
		fclose(f);
	return number;
}

/*
 * These threads are not recorded, even if their ids share low bits with that of a recorded thread.
 */
SOURCE_TEST(filter_new, ids_beyond_the_table)
{
	unsigned int pid_max = read_number(PID_MAX_FILE);
	char pid[16];
	struct ring_user other;
	struct counts before;
	struct child wanted;
	unsigned long n;
	int i, ret = 0;

	if (!in_guest())
		SKIP(return, "pid_max is the machine's");
	NEEDS_NEXT_TID();
	ASSERT_EQ(0, ring_user_start(&other, "other"));
	ASSERT_EQ(0, next_tid(1001));
	ASSERT_EQ(0, child_start(&wanted, self->dir, CHILD_PREFIX " wanted"));
	snprintf(pid, sizeof(pid), "%d", wanted.pid);
	ASSERT_EQ(0, child_counts(&wanted));
	ASSERT_EQ(0, counts_read_asleep(wanted.pid, &before));
	ASSERT_BEGIN("-p", pid);
	ASSERT_EQ(0, write_number(PID_MAX_FILE, 4 * pid_max));
	for (i = 1; i < 4 && !ret; i++)
		ret = ring_user_child(&other, i * pid_max + wanted.pid);
	for (i = 0; i < 50 && !ret; i++)
		ret = child_counts(&wanted);
	EXPECT_EQ(0, write_number(PID_MAX_FILE, pid_max));
	ASSERT_EQ(0, ret);
	EXPECT_EQ(0, child_end(&wanted));
	EXPECT_EQ(0, ring_user_end(&other));
	ASSERT_FINE(load(&self->c, &self->t, &self->why));
	n = wanted.counts.voluntary - before.voluntary +
	    wanted.counts.involuntary - before.involuntary;
	EXPECT_EQ(n, count_out(&self->t, wanted.pid, 0, wanted.counts.at));
	/* A source that has no room for these ids counts their wakeups as lost. */
	EXPECT_EQ(!strcmp(self->source, "bpf"), trace_lost(&self->t) > 0);
}
