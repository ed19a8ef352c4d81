// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's events of interrupts between CPUs. The streams stay valid while the module itself
 * interrupts its CPU; on kernels without the tracepoint, the module refuses the group by name.
 */
#include <linux/membarrier.h>

#include "kmod_fixture.h"
#include "kmod_result.h"
#include "known_process.h"

KMOD_FIXTURE(events_ipi_module);

#define BARRIERS	100
#define CALLS		20000
#define CALLS_PER_NAP	200
#define CPUS		8	/* that are interrupted, at most */

static volatile bool done;

static void spin(struct worker *w)
{
	(void)w;
	while (!done)
		;
}

/* Each barrier interrupts the CPUs on which the other threads spin: all but CPU 0. */
static int make_barriers(void)
{
	unsigned int spinners = sysconf(_SC_NPROCESSORS_ONLN) - 1, i;
	struct worker workers[CPUS] = { 0 };
	int ret = 0;

	if (spinners > CPUS)
		spinners = CPUS;
	pin(0);
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0))
		return -1;
	for (i = 0; i < spinners; i++) {
		workers[i] = (struct worker){ .cpu = i + 1, .run = spin };
		if (worker_start(&workers[i]))
			return -1;
	}
	for (i = 0; i < BARRIERS; i++)
		ret |= syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
	done = true;
	for (i = 0; i < spinners; i++)
		ret |= worker_join(&workers[i]);
	return ret ? -1 : 0;
}

static bool is_barrier(const struct kmod_event *e)
{
	return e->thread == (uint64_t)gettid() && strstr(e->label, "call_function") &&
	       (e->args[1] || e->args[0]);
}

/* Check the arguments: one CPU, or the number of CPUs and a mask. */
static void check_barriers(struct __test_metadata *_metadata, const struct result *r)
{
	const struct kmod_event *e;
	unsigned int sent = 0;

	kmod_for_each_event(&r->events, e) {
		if (!is_barrier(e))
			continue;
		sent++;
		if (e->args[1])
			EXPECT_EQ(e->args[0], (uint64_t)__builtin_popcountll(e->args[1]));
	}
	EXPECT_NE(0U, sent);
}

SOURCE_TEST(events_ipi_module, interrupts_of_other_cpus)
{
	static const char no_tracepoint[] =
		"group ipi: this kernel has no tracepoint ipi_send_cpu";
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_config c;
	struct result r;
	__u32 pid;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "there is only one CPU");
	c = result_config_of_this(FXT_SCHED_EVENTS_IPI, &pid);
	ASSERT_EQ(0, kmod_open(d));
	if (kmod_configure(d, &c)) {
		EXPECT_IN(d->reason, no_tracepoint);
		SKIP(return, "%s", d->reason);
	}
	kmod_close(d);
	ASSERT_FINE(result_record(&r, d, &c, make_barriers, &self->why));
	EXPECT_FINE(result_check_counters(&r, d, &self->why));
	check_barriers(_metadata, &r);
}

/* Start a process that waits for a byte, then makes calls; @go is where to write. */
static pid_t start_caller(int *go)
{
	int ends[2];
	pid_t pid = pipe(ends) ? -1 : fork();
	char c;

	*go = ends[1];
	if (pid)
		return pid;
	/* The caller ends if the test ends before it has written. */
	close(ends[1]);
	pin(1);
	if (read(ends[0], &c, 1) != 1)
		_exit(1);
	/* While the caller naps, the reader reads everything and goes to sleep. */
	for (unsigned int i = 0; i < CALLS; i++) {
		call_getppid();
		if (i % CALLS_PER_NAP == 0)
			sleep_ms(1);
	}
	_exit(0);
}

/* Sleep until there is something to read, and read it, until the process has ended. */
static int read_until_end(struct kmod_streams *streams, const struct kmod_session *d,
			  pid_t pid, struct why *why)
{
	struct pollfd poller = { .fd = d->fd, .events = POLLIN };
	siginfo_t end = { 0 };

	while (!end.si_pid) {
		poll(&poller, 1, 10);
		if (kmod_streams_read(streams, d, why))
			return -1;
		waitid(P_PID, pid, &end, WEXITED | WNOHANG);
	}
	return end.si_status ? complain(why, "the caller failed") : 0;
}

/*
 * To wake the reader, the module interrupts its own CPU between the other records. The streams are
 * complete nevertheless.
 */
SOURCE_TEST(events_ipi_module, interrupts_of_the_module)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_IPI | FXT_SCHED_EVENTS_SYSCALL);
	struct kmod_session *d = &self->d[0];
	struct result r = { 0 };
	__u32 pid;
	int go;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		SKIP(return, "there is only one CPU");
	pin(0);
	pid = start_caller(&go);
	c.filter_pids = (uintptr_t)&pid;
	c.filter_pid_count = 1;
	c.subbuf_size = 4 << 10;
	c.subbuf_count = 1024;
	ASSERT_EQ(0, kmod_open(d));
	if (kmod_configure(d, &c))
		SKIP(return, "%s", d->reason);
	kmod_close(d);
	ASSERT_FINE(kmod_start(d, &c, &self->why));
	kmod_streams_init(&r.streams, false);
	ASSERT_EQ(1, write(go, "", 1));
	ASSERT_FINE(read_until_end(&r.streams, d, pid, &self->why));
	ASSERT_EQ(0, kmod_request(d, FXT_SCHED_IOC_STOP));
	ASSERT_FINE(kmod_streams_finish(&r.streams, d, &self->why));
	ASSERT_FINE(kmod_events_take(&r.events, &r.streams, &self->why));
	EXPECT_FINE(result_check_counters(&r, d, &self->why));
	EXPECT_EQ((unsigned int)CALLS, result_count(&r, pid, FXT_STR_SYSCALL_FIRST + SYS_getppid));
}
