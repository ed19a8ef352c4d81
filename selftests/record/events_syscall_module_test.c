// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's events of system calls: each call that returns is recorded once, with its return
 * value; no other call is.
 */
#include <pthread.h>

#include "io_uring_user.h"
#include "kmod_fixture.h"
#include "kmod_result.h"
#include "known_process.h"

KMOD_FIXTURE(events_syscall_module);

static pid_t children[4];
static struct other other;

static unsigned int count_calls(const struct result *r, pid_t tid, uint32_t nr)
{
	return result_count(r, tid, FXT_STR_SYSCALL_FIRST + nr);
}

#define CALLS		1000
#define NAPS		5
#define NAP_NS		2000000
#define NO_FD		-1

static int make_calls(void)
{
	struct timespec nap = { .tv_nsec = NAP_NS };

	for (unsigned int i = 0; i < CALLS; i++)
		if (syscall(SYS_getppid) != getppid())
			return -1;
	for (unsigned int i = 0; i < NAPS; i++)
		if (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL))
			return -1;
	if (syscall(SYS_fchdir, NO_FD) != -1 || errno != EBADF)
		return -1;
	return 0;
}

static int make_calls_here_and_there(void)
{
	return other_work(&other) ? -1 : make_calls();
}

static int check_calls(const struct result *r, uint32_t nr, uint64_t ret, uint64_t least_ns,
		       struct why *why)
{
	const uint32_t name = FXT_STR_SYSCALL_FIRST + nr;
	const struct kmod_event *e = result_find(r, gettid(), name, 0), *before = NULL;

	for (; e; before = e, e = result_find(r, gettid(), name, e->begin)) {
		if (before && e->begin < before->end)
			return complain(why, "call %u: from %ju, before the last one's end at %ju",
					nr, (uintmax_t)e->begin, (uintmax_t)before->end);
		if (e->args[0] != ret || e->end - e->begin < least_ns)
			return complain(why, "call %u: returned %jd after %ju ns", nr,
					(intmax_t)e->args[0], (uintmax_t)(e->end - e->begin));
	}
	return 0;
}

SOURCE_TEST(events_syscall_module, system_calls)
{
	struct fxt_sched_config c;
	const struct kmod_event *e;
	struct result r;
	__u32 pid;

	ASSERT_EQ(0, other_start(&other));
	c = result_config_of_this(FXT_SCHED_EVENTS_SYSCALL, &pid);
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_calls_here_and_there, &self->why));
	other_end(&other);
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_EQ(2U * CALLS, count_calls(&r, gettid(), SYS_getppid));
	EXPECT_FINE(check_calls(&r, SYS_getppid, getppid(), 0, &self->why));
	EXPECT_EQ((unsigned int)NAPS, count_calls(&r, gettid(), SYS_clock_nanosleep));
	EXPECT_FINE(check_calls(&r, SYS_clock_nanosleep, 0, NAP_NS, &self->why));
	EXPECT_EQ(1U, count_calls(&r, gettid(), SYS_fchdir));
	EXPECT_FINE(check_calls(&r, SYS_fchdir, -EBADF, 0, &self->why));
	kmod_for_each_event(&r.events, e)
		EXPECT_EQ((uint64_t)gettid(), e->thread);
}

static void handle(int number)
{
	(void)number;
}

/* Let a signal handler return by its system call. */
static void be_signalled(void)
{
	signal(SIGUSR1, handle);
	raise(SIGUSR1);
}

/* Another thread than the leader executes a program, and takes over the leader's id. */
static void *execute(void *unused)
{
	execl("/bin/true", "true", NULL);
	return unused;
}

static void execute_in_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, execute, NULL))
		pthread_join(thread, NULL);
}

static pid_t reuse_id(pid_t pid)
{
	return next_tid(pid) ? -1 : child_run(call_getppid);
}

/* children[0] is signalled, [1] executes a program, [2] and [3] have the same id. */
static int make_odd_calls(void)
{
	children[0] = child_run(be_signalled);
	children[1] = child_run(execute_in_thread);
	for (unsigned int i = 0; i < 100; i++) {
		children[2] = child_run(call_getppid);
		children[3] = reuse_id(children[2]);
		if (children[2] == children[3])
			break;
	}
	return children[0] < 0 || children[1] < 0 || children[2] != children[3] ? -1 : 0;
}

/* Calls that do not return to their caller, or that the thread did not make. */
SOURCE_TEST(events_syscall_module, odd_system_calls)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_SYSCALL);
	struct result r;

	NEEDS_NEXT_TID();
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_odd_calls, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_EQ(1U, count_calls(&r, children[0], SYS_tgkill));
	EXPECT_EQ(1U, count_calls(&r, children[1], SYS_execve));
	EXPECT_EQ(2U, count_calls(&r, children[2], SYS_getppid));
	for (unsigned int i = 0; i < 3; i++) {
		/* A return from a signal handler has no number. */
		EXPECT_EQ(0U, result_count(&r, children[i], FXT_STR_SYSCALL));
		EXPECT_EQ(0U, count_calls(&r, children[i], SYS_rt_sigreturn));
		EXPECT_EQ(0U, count_calls(&r, children[i], SYS_exit_group));
		/* The call that created the child returns in it, but does not count as its own. */
		EXPECT_EQ(i == 1 ? 1U : 0U, count_calls(&r, children[i], SYS_clone) +
					    count_calls(&r, children[i], SYS_clone3));
	}
}

#ifdef __x86_64__

#define I386_GETPID	20

/* A kernel that runs no 32-bit programs ends the child by a signal. */
static void call_as_32_bit(void)
{
	long pid;

	asm volatile("int $0x80" : "=a" (pid) : "0" (I386_GETPID) : "memory", "cc", "r8",
		     "r9", "r10", "r11");
	_exit(pid == getpid() ? 0 : CHILD_CODE);
}

static bool has_32_bit;

static int make_32_bit_call(void)
{
	int status;

	children[0] = fork();
	if (!children[0])
		call_as_32_bit();
	if (children[0] < 0 || waitpid(children[0], &status, 0) != children[0])
		return -1;
	has_32_bit = status == 0;
	return 0;
}

SOURCE_TEST(events_syscall_module, system_calls_of_32_bit)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_SYSCALL);
	const struct kmod_event *e;
	struct result r;

	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_32_bit_call, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	if (!has_32_bit)
		SKIP(return, "this kernel has no 32-bit system calls");
	e = result_find(&r, children[0], FXT_STR_SYSCALL, 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ((uint64_t)children[0], e->args[0]);
	EXPECT_EQ((uint64_t)I386_GETPID, e->args[1]);
	EXPECT_EQ(1U, result_count(&r, children[0], FXT_STR_SYSCALL));
	EXPECT_EQ(0U, count_calls(&r, children[0], I386_GETPID));
}

#endif
