// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's events in the lives of threads, and signals; groups that the module cannot record
 * are refused by name.
 */
#include <pthread.h>
#include <sys/time.h>

#include "kmod_fixture.h"
#include "kmod_result.h"
#include "known_process.h"

KMOD_FIXTURE(events_task_module);

#define CHILDREN	8

static pid_t children[CHILDREN];
static struct other other;

static void end_by_signal(void)
{
	raise(SIGKILL);
}

/* Create children; every second one is killed. */
static int make_children(void)
{
	for (unsigned int i = 0; i < CHILDREN; i++) {
		children[i] = child_run(i & 1 ? end_by_signal : do_nothing);
		if (children[i] < 0)
			return -1;
	}
	return 0;
}

SOURCE_TEST(events_task_module, forks_and_exits)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_TASK);
	const struct kmod_event *e = NULL, *end;
	struct result r;

	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_children, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_EQ((unsigned int)CHILDREN, result_count(&r, gettid(), FXT_STR_FORK));
	for (unsigned int i = 0; i < CHILDREN; i++) {
		e = result_find(&r, gettid(), FXT_STR_FORK, e ? e->begin : 0);
		end = result_find(&r, children[i], FXT_STR_EXIT, 0);
		ASSERT_NE(NULL, e);
		ASSERT_NE(NULL, end);
		EXPECT_EQ((uint64_t)children[i], e->args[0]);
		EXPECT_LT(e->begin, end->begin);
		EXPECT_EQ(i & 1 ? 0U : (unsigned int)CHILD_CODE, end->args[0]);
		EXPECT_EQ(i & 1 ? (unsigned int)SIGKILL : 0U, end->args[1]);
		EXPECT_EQ(1U, result_count(&r, children[i], FXT_STR_EXIT));
	}
}

static int make_children_here_and_there(void)
{
	return other_work(&other) ? -1 : make_children();
}

/* With a filter by process, the process's children are kept, too. */
SOURCE_TEST(events_task_module, forks_of_a_process)
{
	const struct kmod_event *e;
	struct fxt_sched_config c;
	unsigned int lives = 0;
	struct result r;
	__u32 pid;

	ASSERT_EQ(0, other_start(&other));
	c = result_config_of_this(FXT_SCHED_EVENTS_TASK, &pid);
	ASSERT_FINE(result_record(&r, &self->d[0], &c, make_children_here_and_there, &self->why));
	other_end(&other);
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_EQ((unsigned int)CHILDREN, result_count(&r, gettid(), FXT_STR_FORK));
	/* PREEMPT_RT lends priorities, too. */
	kmod_for_each_event(&r.events, e)
		lives += e->name != FXT_STR_PRIORITY;
	EXPECT_EQ(2U * CHILDREN, lives);
}

static void note_signal(int number)
{
	(void)number;
}

static int signal_this(void)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (signal(SIGUSR1, note_signal) == SIG_ERR || raise(SIGUSR1) ||
	    signal(SIGALRM, note_signal) == SIG_ERR || sigprocmask(SIG_BLOCK, &set, &old) ||
	    setitimer(ITIMER_REAL, &soon, NULL))
		return -1;
	sigdelset(&old, SIGALRM);
	sigsuspend(&old);
	return 0;
}

SOURCE_TEST(events_task_module, signals)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_SIGNAL);
	const struct kmod_event *e, *taken;
	unsigned int by_timer = 0;
	struct result r;

	ASSERT_FINE(result_record(&r, &self->d[0], &c, signal_this, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	e = result_find(&r, gettid(), FXT_STR_SIGNAL, 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ((uint64_t)SIGUSR1, e->args[0]);
	EXPECT_EQ((uint64_t)gettid(), e->args[1]);
	EXPECT_EQ(0U, e->args[2]);
	EXPECT_EQ(0U, e->args[3]);
	taken = result_find(&r, gettid(), FXT_STR_DELIVERED, e->begin);
	ASSERT_NE(NULL, taken);
	EXPECT_EQ((uint64_t)SIGUSR1, taken->args[0]);
	EXPECT_EQ((uint32_t)SI_TKILL, taken->args[1]);
	EXPECT_EQ(1U, taken->args[2]);
	/* On PREEMPT_RT, a thread runs the timers. */
	kmod_for_each_event(&r.events, e)
		by_timer += e->name == FXT_STR_SIGNAL && e->args[0] == SIGALRM &&
			    e->args[1] == (uint64_t)gettid() &&
			    (e->args[3] || e->thread != (uint64_t)gettid());
	EXPECT_EQ(1U, by_timer);
}

#define RT_PRIORITY	10
#define RT_PRIO		(99 - RT_PRIORITY)	/* the kernel's number for that priority */
#define STAT_BASE	100			/* what /proc/PID/stat subtracts from it */

static pthread_mutex_t mutex;

static int read_prio(void)
{
	char text[512], *field;
	int fd = open("/proc/thread-self/stat", O_RDONLY), i;
	ssize_t got = read(fd, text, sizeof(text) - 1);

	close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	field = strrchr(text, ')');
	for (i = 2; field && i < 18; i++)
		field = strchr(field + 1, ' ');
	return field ? atoi(field) + STAT_BASE : -1;
}

static void wait_for_mutex(struct worker *w)
{
	struct sched_param param = { .sched_priority = RT_PRIORITY };

	w->failed = sched_setscheduler(0, SCHED_FIFO, &param) || pthread_mutex_lock(&mutex) ||
		    pthread_mutex_unlock(&mutex);
}

/* Hold a mutex until a thread that waits for it has passed its priority on. */
static int inherit(void)
{
	struct worker waiter = { .cpu = ANY_CPU, .run = wait_for_mutex };
	pthread_mutexattr_t attributes;

	if (pthread_mutexattr_init(&attributes) ||
	    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) ||
	    pthread_mutex_init(&mutex, &attributes) || pthread_mutex_lock(&mutex) ||
	    worker_start(&waiter))
		return -1;
	while (read_prio() != RT_PRIO)
		sleep_ms(1);
	if (pthread_mutex_unlock(&mutex))
		return -1;
	return worker_join(&waiter);
}

SOURCE_TEST(events_task_module, priorities)
{
	struct fxt_sched_config c = result_config(FXT_SCHED_EVENTS_TASK);
	const struct kmod_event *up, *down;
	uint64_t own = read_prio();
	struct result r;

	ASSERT_FINE(result_record(&r, &self->d[0], &c, inherit, &self->why));
	EXPECT_FINE(result_check_counters(&r, &self->d[0], &self->why));
	EXPECT_EQ(2U, result_count(&r, gettid(), FXT_STR_PRIORITY));
	up = result_find(&r, gettid(), FXT_STR_PRIORITY, 0);
	ASSERT_NE(NULL, up);
	EXPECT_EQ(own, up->args[0]);
	EXPECT_EQ((uint64_t)RT_PRIO, up->args[1]);
	down = result_find(&r, gettid(), FXT_STR_PRIORITY, up->begin);
	ASSERT_NE(NULL, down);
	EXPECT_EQ((uint64_t)RT_PRIO, down->args[0]);
	EXPECT_EQ(own, down->args[1]);
}

SOURCE_TEST(events_task_module, refused_groups)
{
	static const uint64_t groups[] = {
		FXT_SCHED_EVENTS_THROTTLE, FXT_SCHED_EVENTS_LOAD, FXT_SCHED_EVENTS_SCHED,
	};
	struct kmod_session *d = &self->d[0];
	struct fxt_sched_config c;
	char unknown[32];

	ASSERT_EQ(0, kmod_open(d));
	for (unsigned int i = 0; i < ARRAY_SIZE(groups); i++) {
		c = result_config(FXT_SCHED_EVENTS_TASK | groups[i]);
		snprintf(unknown, sizeof(unknown), "0x%jx", (uintmax_t)groups[i]);
		EXPECT_EQ(EINVAL, kmod_configure(d, &c));
		EXPECT_IN(d->reason, unknown);
	}
}
