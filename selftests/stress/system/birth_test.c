// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Many processes and threads with short lives: no record is lost. A thread that named itself has
 * that name in the archive, even if other threads had its id before and after it.
 */
#include <linux/sched.h>

#include "source_fixture.h"
#include "stress.h"

#define SAMPLES		64
#define REUSES		20

SOURCE_FIXTURE(birth);

struct sample {
	pid_t tid;
	char name[COMM_SIZE];
};

static void *end_at_once(void *arg)
{
	return arg;
}

static void live(unsigned int n, const char *name)
{
	pthread_t thread;

	if (name)
		prctl(PR_SET_NAME, name);
	if (n % 16 == 1 && !pthread_create(&thread, NULL, end_at_once, NULL))
		pthread_join(thread, NULL);
	if (n % 64 == 2)
		execl("/bin/true", "true", (char *)NULL);
	_exit(0);
}

static pid_t bear(unsigned int n, const char *name)
{
	pid_t pid;

	if (n % 4 == 3 && !name) {
		pid = vfork();
		if (!pid)
			_exit(0);
		return pid;
	}
	pid = fork();
	if (!pid)
		live(n, name);
	return pid;
}

/*
 * Fork several at a time, so that their lives overlap. The calling process has no other children.
 */
static int bear_each(unsigned int count, struct sample *samples)
{
	unsigned int every = count / SAMPLES ? count / SAMPLES : 1, n, s;
	const char *name;
	int status;
	pid_t pid;

	for (n = 0; n < count; n++) {
		s = n / every;
		name = n % every == 0 && s < SAMPLES ? samples[s].name : NULL;
		if (name)
			snprintf(samples[s].name, COMM_SIZE, "born %u", n);
		pid = bear(name ? 0 : n, name);
		if (pid < 0)
			return -1;
		if (name)
			samples[s].tid = pid;
		while (waitpid(-1, &status, n % 8 ? WNOHANG : 0) > 0)
			if (status)
				return -1;
	}
	while (waitpid(-1, &status, 0) > 0)
		if (status)
			return -1;
	return 0;
}

static int bear_all(unsigned int count, struct sample *samples)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(bear_each(count, samples) ? 1 : 0);
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -1;
}

static bool had_name(const struct trace *t, const struct sample *s)
{
	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++)
		if (n->type == FXT_OBJECT_THREAD && n->koid == (uint64_t)s->tid &&
		    !strcmp(n->text, s->name))
			return n->process == (uint64_t)s->tid;
	return false;
}

static size_t count_events(const struct trace *t)
{
	size_t count = 0, i;

	for (i = 0; i < t->stream_count; i++)
		count += t->streams[i].event_count;
	return count;
}

TEST_F_TIMEOUT(birth, crowd, STRESS_SECONDS)
{
	/*
	 * In the debug kernel, a life takes 40 ms whatever the child does, so most are for the
	 * module.
	 */
	unsigned int most = strcmp(self->source, "kmod") ? 5000 : 50000;
	unsigned int count = stress_rounds(most, 1000), i;
	unsigned int cpus = sysconf(_SC_NPROCESSORS_CONF);
	char buffer[16];
	const char *args[] = { "-b", buffer, NULL };
	struct sample *samples;
	struct kernel before;

	NEEDS_STRESS();
	kernel_look(&before);
	/* If there are more than two CPUs, divide the room that two need among all. */
	snprintf(buffer, sizeof(buffer), "%uK", cpus > 2 ? (128U << 10) / cpus : 64U << 10);
	samples = mmap(NULL, SAMPLES * sizeof(*samples), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, samples);
	ASSERT_FINE(record_begin(&self->c, self->dir, self->source, args, &self->why));
	ASSERT_EQ(0, bear_all(count, samples));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	for (i = 0; i < SAMPLES && samples[i].tid; i++)
		EXPECT_TRUE(had_name(&self->t, &samples[i]))
			TH_LOG("thread %d was never seen to be '%s'", samples[i].tid,
			       samples[i].name);
	/* Each is born, runs, and ends. */
	EXPECT_LE((size_t)count * 2, count_events(&self->t));
	EXPECT_LE((size_t)count, self->t.name_count);
	EXPECT_FINE(kernel_check(&before, &self->why));
	stress_note("%s: %u short lives, %zu events, %zu names, nothing lost", self->source,
		    count, count_events(&self->t), self->t.name_count);
}

/* Fork a process with a thread id of our choice, which only sets its name. */
static pid_t bear_as(pid_t tid, const char *name)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&tid, .set_tid_size = 1,
	};
	pid_t pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid) {
		prctl(PR_SET_NAME, name);
		_exit(0);
	}
	return pid;
}

/* Check that the names of a thread id are in the order of the threads that had it. */
static int check_owners(const struct trace *t, pid_t tid, struct why *why)
{
	char expected[COMM_SIZE];
	unsigned int owner = 0;

	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++) {
		if (n->type != FXT_OBJECT_THREAD || n->koid != (uint64_t)tid ||
		    strncmp(n->text, "owner ", 6))
			continue;
		snprintf(expected, sizeof(expected), "owner %u", owner);
		if (strcmp(n->text, expected))
			return complain(why, "byte %ju: thread %d is '%s' where it should be '%s'",
					(uintmax_t)n->offset, tid, n->text, expected);
		owner++;
	}
	return owner == REUSES ? 0 :
	       complain(why, "thread %d had %d owners, %u are named", tid, REUSES, owner);
}

TEST_F_TIMEOUT(birth, thread_ids_again, STRESS_SECONDS)
{
	char name[COMM_SIZE];
	struct kernel before;
	pid_t tid, pid;
	int status, i;

	NEEDS_STRESS();
	kernel_look(&before);
	tid = fork();
	if (!tid)
		_exit(0);
	ASSERT_EQ(tid, waitpid(tid, &status, 0));
	ASSERT_BEGIN(NULL);
	for (i = 0; i < REUSES; i++) {
		snprintf(name, sizeof(name), "owner %d", i);
		pid = bear_as(tid, name);
		ASSERT_EQ(tid, pid) TH_LOG("%s", strerror(errno));
		ASSERT_EQ(tid, waitpid(tid, &status, 0));
		/*
		 * The id is free now, though the thread may not have been switched out for the
		 * last time yet.
		 */
		sleep_ms(20);
	}
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_FINE(check_owners(&self->t, tid, &self->why));
	EXPECT_FINE(kernel_check(&before, &self->why));
}
