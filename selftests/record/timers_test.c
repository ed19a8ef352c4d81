// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each sleep of a thread that was to end at a time has the expiry of a timer with that thread; fxt
 * why says which timer ended a sleep, and says it of no other sleep. Ticks are no timers.
 */
#include <json-c/json.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>

#include <fxt/fxt_sched_timer.h>

#include "groups_fixture.h"
#include "off_cpu.h"
#include "real_time.h"
#include "tool.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id	_sigev_un._tid
#endif

SOURCE_FIXTURE(timers);

#define SLEEPS		20U
#define PERIOD_NS	5000000L
/* Of wakeups on another CPU, the interrupt may be over before they are recorded. */
#define KNOWN		(SLEEPS / 2)
#define HIDDEN		(SLEEPS / 4)	/* at most */

/*
 * Sleep SLEEPS times. On a slow machine a time may be over before the thread leaves its CPU, so it
 * counts in @arg how often it asked for a sleep.
 */
static void sleep_on_clock(struct worker *w)
{
	unsigned int *asked = w->arg;
	long before = times_slept();

	for (; times_slept() < before + SLEEPS; ++*asked)
		w->failed |= clock_nanosleep(CLOCK_MONOTONIC, 0,
					     &(struct timespec){ .tv_nsec = PERIOD_NS }, NULL);
}

static void poll_nothing(struct worker *w)
{
	unsigned int *asked = w->arg;
	long before = times_slept();

	for (; times_slept() < before + SLEEPS; ++*asked)
		w->failed |= poll(NULL, 0, PERIOD_NS / 1000000) != 0;
}

struct channel {
	int from;
	int to;
};

static void read_with_timeout(struct worker *w)
{
	const struct channel *c = w->arg;
	struct pollfd fd = { .fd = c->from, .events = POLLIN };
	char byte;

	for (unsigned int i = 0; i < SLEEPS; i++)
		w->failed |= poll(&fd, 1, 60000) != 1 || read(c->from, &byte, 1) != 1;
}

static void write_now_and_then(struct worker *w)
{
	const struct channel *c = w->arg;

	for (unsigned int i = 0; i < SLEEPS; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = PERIOD_NS }, NULL);
		w->failed |= write(c->to, "x", 1) != 1;
	}
}

static void read_timerfd(struct worker *w)
{
	const struct itimerspec period = {
		.it_value.tv_nsec = PERIOD_NS, .it_interval.tv_nsec = PERIOD_NS,
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	long before = times_slept();
	uint64_t times;

	w->failed |= timerfd_settime(fd, 0, &period, NULL) != 0;
	while (times_slept() < before + SLEEPS)
		w->failed |= read(fd, &times, sizeof(times)) != sizeof(times);
	close(fd);
}

/* The kernel's timer sends this thread a signal, for which it waits. */
static void wait_for_signals(struct worker *w)
{
	const struct itimerspec period = {
		.it_value.tv_nsec = PERIOD_NS, .it_interval.tv_nsec = PERIOD_NS,
	};
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
	long before = times_slept();
	timer_t timer;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	event.sigev_notify_thread_id = w->tid;
	w->failed |= timer_create(CLOCK_MONOTONIC, &event, &timer) ||
		     timer_settime(timer, 0, &period, NULL);
	while (times_slept() < before + SLEEPS)
		w->failed |= sigwaitinfo(&set, NULL) != SIGRTMIN;
	timer_delete(timer);
}

/* A pair of sockets over the loopback device. */
static int open_loopback(struct channel *c)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(at);

	c->from = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	c->to = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return bind(c->from, (struct sockaddr *)&at, sizeof(at)) ||
	       getsockname(c->from, (struct sockaddr *)&at, &bytes) ||
	       connect(c->to, (struct sockaddr *)&at, bytes);
}

static unsigned int expiries_of(const struct trace *t, pid_t tid)
{
	const struct trace_group_event *e;
	unsigned int n = 0;

	for_each_group_event(e, t)
		n += e->category == FXT_STR_TIMER && !strcmp(e->text, FXT_LINUX_SLEEPER) &&
		     e->args[0] == (uint64_t)tid;
	return n;
}

/*
 * A timer expired @times times for a thread. A host's kernel may hide an interrupt from tracers,
 * with the expiries in it, if it comes while process 1 runs.
 */
static void expect_expiries(struct __test_metadata *_metadata, const struct trace *t, pid_t tid,
			    unsigned int times)
{
	unsigned int n = expiries_of(t, tid);

	EXPECT_GE(times, n);
	EXPECT_LE(in_guest() ? times : times - HIDDEN, n);
}

static unsigned int ticks_in(const struct trace *t)
{
	const struct trace_group_event *e;
	unsigned int n = 0;

	for_each_group_event(e, t)
		n += e->category == FXT_STR_TIMER && !strncmp(e->text, "tick_", strlen("tick_"));
	return n;
}

/* How many sleeps of a thread a timer ended, or with NULL no thread did; @own: one of its own */
static int count_sleeps(struct __test_metadata *_metadata, const char *archive, pid_t tid,
			const char *timer, bool own)
{
	struct json_object *why, *rows, *row, *by, *detail;
	struct tool tool;
	int n = 0;

	ASSERT_EQ(0, tool_run(&tool, ARGS("why", "--all", "--thread", tid_text(tid), "--json",
					  archive)))
		TH_LOG("%s", tool.err);
	why = json_tokener_parse(tool.out);
	ASSERT_NE(NULL, why);
	rows = json_object_object_get(why, "causes");
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		by = json_object_object_get(row, "by");
		detail = json_object_object_get(row, "detail");
		if (by && !json_object_object_get(row, "thread") &&
		    !strcmp(json_object_get_string(json_object_object_get(row, "cause")), "asleep") &&
		    (!timer ||
		     (!strcmp(json_object_get_string(json_object_object_get(by, "name")), timer) &&
		      own == (detail && !strcmp(json_object_get_string(detail), "its own timer")))))
			n += json_object_get_int(json_object_object_get(row, "count"));
	}
	json_object_put(why);
	tool_free(&tool);
	return n;
}

/* Its own timer ended each sleep of a thread, which may also sleep until the disk. */
static void expect_own_timer(struct __test_metadata *_metadata, const char *archive,
			     pid_t tid)
{
	int own = count_sleeps(_metadata, archive, tid, FXT_LINUX_SLEEPER, true);

	EXPECT_LE(KNOWN, (unsigned int)own);
	if ((unsigned int)own < SLEEPS)
		EXPECT_EQ(count_sleeps(_metadata, archive, tid, NULL, false), own);
}

/* A timer of the kernel ended sleeps of a thread; on PREEMPT_RT a thread serves such timers. */
static void expect_kernel_timer(struct __test_metadata *_metadata, const char *archive,
				pid_t tid, const char *timer)
{
	char served[64];
	struct tool tool;

	if (!is_preempt_rt()) {
		EXPECT_LE(KNOWN, (unsigned int)count_sleeps(_metadata, archive, tid, timer, false));
		return;
	}
	snprintf(served, sizeof(served), ", which served the timer %s\n", timer);
	ASSERT_EQ(0, tool_run(&tool, ARGS("why", "--all", "--top", "1000", "--thread",
					  tid_text(tid), archive)))
		TH_LOG("%s", tool.err);
	EXPECT_IN(tool.out, served);
	tool_free(&tool);
}

enum { CLOCK, POLL, DATA, WRITER, TIMERFD, SIGNALS, PACKETS, SENDER, WORKERS };

TEST_F(timers, what_ended_sleeps)
{
	unsigned int clock = 0, polls = 0;
	struct channel pipe_ends, loopback;
	struct worker all[WORKERS] = {
		[CLOCK] = { .name = "e-clock", .run = sleep_on_clock, .arg = &clock },
		[POLL] = { .name = "e-poll", .run = poll_nothing, .arg = &polls },
		[DATA] = { .name = "e-data", .run = read_with_timeout, .arg = &pipe_ends },
		[WRITER] = { .name = "e-writer", .run = write_now_and_then, .arg = &pipe_ends },
		[TIMERFD] = { .name = "e-timerfd", .run = read_timerfd },
		[SIGNALS] = { .name = "e-signals", .run = wait_for_signals },
		[PACKETS] = { .name = "e-packets", .run = read_with_timeout, .arg = &loopback },
		[SENDER] = { .name = "e-sender", .run = write_now_and_then, .arg = &loopback },
	};
	const char *archive;
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	pipe_ends = (struct channel){ ends[0], ends[1] };
	ASSERT_EQ(0, open_loopback(&loopback));
	BEGIN("-e", "timer,irq");
	for (struct worker *w = all; w < all + WORKERS; w++) {
		w->cpu = ANY_CPU;
		ASSERT_EQ(0, worker_start(w));
	}
	for (struct worker *w = all; w < all + WORKERS; w++) {
		ASSERT_EQ(0, worker_join(w));
		EXPECT_FALSE(w->failed) TH_LOG("%s", w->name);
	}
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	archive = self->c.output;
	expect_expiries(_metadata, &self->t, all[CLOCK].tid, clock);
	expect_expiries(_metadata, &self->t, all[POLL].tid, polls);
	expect_expiries(_metadata, &self->t, all[SENDER].tid, SLEEPS);
	EXPECT_EQ(0U, expiries_of(&self->t, all[DATA].tid));
	EXPECT_EQ(0U, expiries_of(&self->t, all[TIMERFD].tid));
	EXPECT_EQ(0U, ticks_in(&self->t));
#define COUNT(worker, timer, own)	\
	count_sleeps(_metadata, archive, all[worker].tid, timer, own)
	expect_own_timer(_metadata, archive, all[CLOCK].tid);
	expect_own_timer(_metadata, archive, all[POLL].tid);
	expect_kernel_timer(_metadata, archive, all[TIMERFD].tid, "timerfd_tmrproc");
	expect_kernel_timer(_metadata, archive, all[SIGNALS].tid, "posix_timer_fn");
	EXPECT_EQ(0, COUNT(DATA, FXT_LINUX_SLEEPER, true));
	EXPECT_EQ(0, COUNT(PACKETS, FXT_LINUX_SLEEPER, true));
}
