// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lives of threads, signals and system calls, from situations whose events are known: exactly these
 * are recorded.
 */
#include <linux/sched.h>
#include <pthread.h>
#include <stdatomic.h>

#include "groups_fixture.h"

SOURCE_FIXTURE(groups);

/* --- lives of threads --------------------------------------------------------------------- */

#define CHILDREN	20U
#define EXIT_CODE	7

static int run_child(pid_t *child, bool is_killed)
{
	int status;

	*child = fork();
	if (!*child) {
		while (is_killed)
			pause();
		_exit(EXIT_CODE);
	}
	if (*child < 0 || (is_killed && kill(*child, SIGKILL)))
		return -1;
	return waitpid(*child, &status, 0) == *child ? 0 : -1;
}

static unsigned int forks_of(const struct trace *t, pid_t child)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for_each_group_event(e, t)
		count += e->name == FXT_STR_FORK && e->thread == (uint64_t)gettid() &&
			 e->process == (uint64_t)getpid() && e->args[0] == (uint64_t)child;
	return count;
}

static unsigned int exits_of(const struct trace *t, pid_t child, uint64_t code, uint64_t by)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for_each_group_event(e, t)
		count += e->name == FXT_STR_EXIT && e->thread == (uint64_t)child &&
			 e->args[0] == code && e->args[1] == by;
	return count;
}

TEST_F(groups, children)
{
	pid_t children[CHILDREN];

	BEGIN("-e", "task");
	for (unsigned int i = 0; i < CHILDREN; i++)
		ASSERT_EQ(0, run_child(&children[i], i % 2));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	for (unsigned int i = 0; i < CHILDREN; i++) {
		EXPECT_EQ(1U, forks_of(&self->t, children[i]));
		EXPECT_EQ(1U, exits_of(&self->t, children[i], i % 2 ? 0 : EXIT_CODE,
				       i % 2 ? SIGKILL : 0));
	}
}

/* Start a process that forks and counts children, one after the other, until its parent ends. */
static pid_t start_forker(atomic_uint *count)
{
	pid_t pid = fork(), child;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!run_child(&child, false)) {
		atomic_fetch_add(count, 1);
		sleep_ms(1);
	}
	_exit(1);
}

SOURCE_TEST(groups, of_process)
{
	atomic_uint *count = mmap(NULL, sizeof(*count), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct trace_group_event *e;
	pid_t forker, child;
	unsigned int before;
	char pid[16];

	ASSERT_NE(MAP_FAILED, count);
	forker = start_forker(count);
	ASSERT_LT(0, forker);
	snprintf(pid, sizeof(pid), "%d", forker);
	BEGIN("-e", "task", "-p", pid);
	before = atomic_load(count);
	ASSERT_EQ(0, run_child(&child, false));
	while (atomic_load(count) < before + CHILDREN)
		sleep_ms(1);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	kill(forker, SIGKILL);
	waitpid(forker, NULL, 0);

	EXPECT_EQ(0U, forks_of(&self->t, child));
	EXPECT_EQ(0U, exits_of(&self->t, child, EXIT_CODE, 0));
	EXPECT_LE(CHILDREN, self->t.group_event_count);
	for_each_group_event(e, &self->t)
		EXPECT_TRUE(e->name != FXT_STR_FORK || e->process == (uint64_t)forker);
}

/* --- inherited priorities ------------------------------------------------------------------ */

#define WAITER_PRIO	40
#define KERNEL_PRIO(rt)	(99U - (rt))	/* as the kernel counts real-time priorities */
#define NICE_0_PRIO	120U

/** struct inheritance - a lock for which a thread of higher priority waits */
struct inheritance {
	pthread_mutex_t lock;	/* the lock */
	atomic_bool is_held;	/* the owner has it */
	atomic_int waiter;	/* the waiting thread's id; 0 until it is about to wait */
};

static void own(struct worker *w)
{
	struct inheritance *in = w->arg;

	pthread_mutex_lock(&in->lock);
	atomic_store(&in->is_held, true);
	while (!atomic_load(&in->waiter) || process_state(atomic_load(&in->waiter)) != 'S')
		sleep_ms(1);
	pthread_mutex_unlock(&in->lock);
}

static void await(struct worker *w)
{
	const struct sched_param param = { .sched_priority = WAITER_PRIO };
	struct inheritance *in = w->arg;

	if (sched_setscheduler(0, SCHED_FIFO, &param)) {
		w->failed = true;
		atomic_store(&in->waiter, gettid());
		return;
	}
	while (!atomic_load(&in->is_held))
		sleep_ms(1);
	atomic_store(&in->waiter, gettid());
	pthread_mutex_lock(&in->lock);
	pthread_mutex_unlock(&in->lock);
}

TEST_F(groups, inherited)
{
	struct inheritance in = { .is_held = false };
	struct worker owner = { .name = "owner", .cpu = ANY_CPU, .run = own, .arg = &in };
	struct worker waiter = { .name = "waiter", .cpu = ANY_CPU, .run = await, .arg = &in };
	const struct trace_group_event *e, *changes[2] = { NULL, NULL };
	pthread_mutexattr_t attr;
	unsigned int count = 0;

	ASSERT_EQ(0, pthread_mutexattr_init(&attr));
	ASSERT_EQ(0, pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT));
	ASSERT_EQ(0, pthread_mutex_init(&in.lock, &attr));
	BEGIN("-e", "task");
	ASSERT_EQ(0, worker_start(&owner));
	ASSERT_EQ(0, worker_start(&waiter));
	ASSERT_EQ(0, worker_join(&owner));
	if (worker_join(&waiter))
		SKIP(return, "real-time priorities are not allowed here");
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	for_each_group_event(e, &self->t)
		if (e->name == FXT_STR_PRIORITY && e->thread == (uint64_t)owner.tid &&
		    e->args[0] != e->args[1] && count++ < 2)
			changes[count - 1] = e;
	ASSERT_EQ(2U, count);
	if (changes[0]->time > changes[1]->time) {
		e = changes[0];
		changes[0] = changes[1];
		changes[1] = e;
	}
	EXPECT_EQ(NICE_0_PRIO, changes[0]->args[0]);
	EXPECT_EQ(KERNEL_PRIO(WAITER_PRIO), changes[0]->args[1]);
	EXPECT_EQ(KERNEL_PRIO(WAITER_PRIO), changes[1]->args[0]);
	EXPECT_EQ(NICE_0_PRIO, changes[1]->args[1]);
}

/* --- signals ------------------------------------------------------------------------------- */

/* The fate of a signal: see include/trace/events/signal.h */
enum result { SENT, IGNORED, PENDING };

static void ignore(int number)
{
	(void)number;
}

/* Send itself a signal with a handler, an ignored one, and a blocked one twice. */
static void signal_itself(struct worker *w)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	w->failed = signal(SIGUSR1, ignore) == SIG_ERR || raise(SIGUSR1) ||
		    signal(SIGUSR2, SIG_IGN) == SIG_ERR || raise(SIGUSR2) ||
		    signal(SIGURG, ignore) == SIG_ERR ||
		    pthread_sigmask(SIG_BLOCK, &set, NULL) || raise(SIGURG) || raise(SIGURG) ||
		    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static unsigned int signals_of(const struct trace *t, pid_t from, pid_t to, uint64_t number,
			       uint64_t result)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for_each_group_event(e, t)
		count += e->category == FXT_STR_CATEGORY && e->name == FXT_STR_SIGNAL &&
			 e->thread == (uint64_t)from && e->args[0] == number &&
			 e->args[1] == (uint64_t)to && e->args[2] == result && !e->args[3];
	return count;
}

static unsigned int taken_by(const struct trace *t, pid_t thread, uint64_t number, int code,
			     uint64_t is_handled)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for_each_group_event(e, t)
		count += e->name == FXT_STR_DELIVERED && e->thread == (uint64_t)thread &&
			 e->args[0] == number && (int32_t)e->args[1] == code &&
			 e->args[2] == is_handled;
	return count;
}

TEST_F(groups, signals)
{
	struct worker worker = { .name = "signals", .cpu = ANY_CPU, .run = signal_itself };
	pid_t child;

	BEGIN("-e", "signal");
	ASSERT_EQ(0, worker_start(&worker));
	ASSERT_EQ(0, worker_join(&worker));
	ASSERT_EQ(0, run_child(&child, true));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	EXPECT_EQ(1U, signals_of(&self->t, worker.tid, worker.tid, SIGUSR1, SENT));
	EXPECT_EQ(1U, signals_of(&self->t, worker.tid, worker.tid, SIGUSR2, IGNORED));
	EXPECT_EQ(1U, signals_of(&self->t, worker.tid, worker.tid, SIGURG, SENT));
	EXPECT_EQ(1U, signals_of(&self->t, worker.tid, worker.tid, SIGURG, PENDING));
	EXPECT_EQ(1U, signals_of(&self->t, gettid(), child, SIGKILL, SENT));
	EXPECT_EQ(1U, taken_by(&self->t, worker.tid, SIGUSR1, SI_TKILL, true));
	EXPECT_EQ(0U, taken_by(&self->t, worker.tid, SIGUSR2, SI_TKILL, false));
	EXPECT_EQ(1U, taken_by(&self->t, worker.tid, SIGURG, SI_TKILL, true));
	EXPECT_EQ(1U, taken_by(&self->t, child, SIGKILL, SI_USER, false));
}

/* Signals that a process gets are kept, too, but no others. */
SOURCE_TEST(groups, signals_of_process)
{
	struct worker other = { .name = "signals", .cpu = ANY_CPU, .run = signal_itself };
	const struct trace_group_event *e;
	pid_t child;
	char pid[16];
	int status;

	child = fork();
	ASSERT_LE(0, child);
	while (!child)
		pause();
	snprintf(pid, sizeof(pid), "%d", child);
	BEGIN("-e", "signal", "-p", pid);
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, worker_join(&other));
	ASSERT_EQ(0, kill(child, SIGTERM));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	EXPECT_EQ(1U, signals_of(&self->t, gettid(), child, SIGTERM, SENT));
	/* The kernel turns a signal that ends the process into SIGKILL. */
	EXPECT_EQ(1U, taken_by(&self->t, child, SIGKILL, SI_USER, false));
	for_each_group_event(e, &self->t)
		EXPECT_TRUE(e->thread == (uint64_t)child || e->args[1] == (uint64_t)child ||
			    e->args[0] == SIGCHLD);
}

/* --- system calls --------------------------------------------------------------------------- */

#define CALLS	1000U
#define UNKNOWN_CALL	507		/* no system call has that number */
#define NO_NAME_CALL	5000U		/* nor a string */

static unsigned int calls_of(const struct trace *t, pid_t tid, const char *name, uint64_t ret)
{
	const struct trace_group_event *e;
	unsigned int count = 0;

	for_each_group_event(e, t)
		count += e->category == FXT_STR_SYSCALL && e->thread == (uint64_t)tid &&
			 !strcmp(e->text, name) && e->args[0] == ret;
	return count;
}

static int check_calls(const struct trace *t, pid_t tid, struct why *why)
{
	const struct trace_group_event *e, *o;

	for_each_group_event(e, t) {
		if (e->category != FXT_STR_SYSCALL || e->thread != (uint64_t)tid)
			continue;
		for (o = t->group_events; o < e; o++)
			if (o->category == FXT_STR_SYSCALL && o->thread == e->thread &&
			    o->time > e->begin && o->begin < e->time)
				return complain(why, "%s at byte %llu overlaps %s", e->text,
						(unsigned long long)e->offset, o->text);
	}
	return 0;
}

static void call(struct worker *w)
{
	/* The handler returns by a system call that does not return. */
	w->failed = signal(SIGUSR1, ignore) == SIG_ERR || raise(SIGUSR1);
	for (unsigned int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	syscall(UNKNOWN_CALL);
	syscall(NO_NAME_CALL);
	close(-1);
}

TEST_F(groups, calls)
{
	struct worker caller = { .name = "caller", .cpu = ANY_CPU, .run = call };
	struct worker other = { .name = "other", .cpu = ANY_CPU, .run = call };
	const struct trace_group_event *e;
	unsigned int others = 0, unnamed = 0;

	BEGIN("-e", "syscall", "--comm", "caller", "-b", "16M");
	ASSERT_EQ(0, worker_start(&caller));
	ASSERT_EQ(0, worker_start(&other));
	ASSERT_EQ(0, worker_join(&caller));
	ASSERT_EQ(0, worker_join(&other));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	EXPECT_EQ(CALLS, calls_of(&self->t, caller.tid, "getppid", getppid()));
	EXPECT_EQ(1U, calls_of(&self->t, caller.tid, "close", -EBADF));
	EXPECT_EQ(1U, calls_of(&self->t, caller.tid, "syscall 507", -ENOSYS));
	EXPECT_FINE(check_calls(&self->t, caller.tid, &self->why));
	for_each_group_event(e, &self->t) {
		others += e->thread != (uint64_t)caller.tid;
		if (e->name != FXT_STR_SYSCALL)
			continue;
		EXPECT_EQ(NO_NAME_CALL, e->args[1]);
		unnamed++;
	}
	EXPECT_EQ(0U, others);
	EXPECT_EQ(1U, unnamed);
}

static void execute(struct worker *w)
{
	(void)w;
	execl("/bin/true", "true", NULL);
	_exit(1);
}

/* Create a child with the id of an ended one. Return: 0 or -1. */
static int run_again(pid_t id)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&id, .set_tid_size = 1,
	};
	pid_t child = syscall(SYS_clone3, &args, sizeof(args));
	int status;

	if (!child)
		_exit(0);
	return child == id && waitpid(child, &status, 0) == child ? 0 : -1;
}

/*
 * From now on, no parent and no tick preempts an ending child. A thread frees its id before it
 * leaves its CPU, so if it were preempted in between, two threads would have that id.
 */
static int let_children_end(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };
	int cpus[MAX_CPUS];

	allowed_cpus(cpus);
	pin(cpus[0]);
	return sched_setscheduler(0, SCHED_FIFO, &lowest);
}

/* A new thread returns from the call that created it, without having entered it. */
TEST_F(groups, unreturned)
{
	const struct trace_group_event *e;
	unsigned int returns = 0;
	pid_t child;

	BEGIN("-e", "syscall", "-b", "64M");
	ASSERT_EQ(0, let_children_end());
	ASSERT_EQ(0, run_child(&child, false));
	if (run_again(child))
		SKIP(return, "the kernel does not let thread ids be chosen");
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));

	for_each_group_event(e, &self->t) {
		if (e->category != FXT_STR_SYSCALL)
			continue;
		EXPECT_STRNE("exit_group", e->text);
		EXPECT_STRNE("rt_sigreturn", e->text);
		EXPECT_TRUE(e->thread != (uint64_t)child || strncmp(e->text, "clone", 5))
			TH_LOG("%s", e->text);
		returns += e->thread == (uint64_t)gettid() && !strcmp(e->text, "clone3");
	}
	EXPECT_EQ(1U, returns);
}

/* The kernel gives the leader's id to a thread that executes a program; the call goes on. */
TEST_F(groups, exec_by_thread)
{
	pid_t child;
	int status;

	BEGIN("-e", "syscall", "-b", "64M");
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		struct worker w = { .cpu = ANY_CPU, .run = execute };

		worker_start(&w);
		for (;;)
			pause();
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	EXPECT_EQ(1U, calls_of(&self->t, child, "execve", 0));
}
