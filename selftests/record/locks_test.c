// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Waits for locks, recorded where it is known who holds the lock: the kernel makes a thread wait in
 * the middle of a system call, for memory that it reads or writes, with the mutex of a pipe, or
 * with the semaphore of a file or a folder, and a second thread wants the same. Also mutexes of a
 * program and of two processes, locks of readers and writers, and a condition variable. fxt why and
 * fxt report name lock and holder; they name no holder of a lock that has none they can know.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "groups_fixture.h"
#include "off_cpu.h"
#include "real_time.h"
#include "tool.h"

SOURCE_FIXTURE(locks);

#define FREE		20000U		/* times that a lock is taken which nobody else wants */
#define HOLD_MS		50U
#define HOLD_STEPS	3000U		/* of 10 ms */
#define TRIES		10		/* until a wait ends before a search finds it */

struct scene {
	char *page;		/* that is not there: who uses it waits until give_page() */
	int faults;		/* tells of who waits for @page */
	int pipe[2];
	int file;		/* or folder */
	const char *dir;
	struct worker holder;
	struct worker waiter;
	uint64_t seen;		/* ticks, when the waiter was seen to wait */
	unsigned int hold_ms;	/* with the waiter */
	const char *hold_until;	/* or until there is such a file; NULL: @hold_ms */
};

static int make_page(struct scene *s)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range.len = getpagesize(), .mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	s->faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	s->page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	range.range.start = (uintptr_t)s->page;
	return s->faults < 0 || ioctl(s->faults, UFFDIO_API, &api) ||
	       ioctl(s->faults, UFFDIO_REGISTER, &range) ? -1 : 0;
}

static int give_page(const struct scene *s)
{
	struct uffdio_zeropage zero = {
		.range = { .start = (uintptr_t)s->page, .len = getpagesize() },
	};

	return ioctl(s->faults, UFFDIO_ZEROPAGE, &zero);
}

static void write_pipe(struct worker *w)
{
	const struct scene *s = w->arg;
	bool holds = w == &s->holder;

	w->failed = write(s->pipe[1], holds ? s->page : "x", holds ? getpagesize() : 1) < 1;
}

static void write_file(struct worker *w)
{
	const struct scene *s = w->arg;
	bool holds = w == &s->holder;

	w->failed = pwrite(s->file, holds ? s->page : "x", holds ? getpagesize() : 1, 0) < 1;
}

static void use_folder(struct worker *w)
{
	const struct scene *s = w->arg;
	char path[RECORD_PATH];

	if (w == &s->holder) {
		w->failed = syscall(SYS_getdents64, s->file, s->page, getpagesize()) < 1;
		return;
	}
	snprintf(path, sizeof(path), "%s/new", s->dir);
	w->failed = mkdirat(AT_FDCWD, path, 0700);
}

/*
 * The holder waits with the lock, then the waiter for the lock, and then they go on. @call: of the
 * waiter
 */
static int play(struct scene *s, void (*run)(struct worker *w), long call)
{
	struct uffd_msg fault;

	s->holder = (struct worker){ .name = "holder", .cpu = ANY_CPU, .run = run, .arg = s };
	s->waiter = (struct worker){ .name = "waiter", .cpu = ANY_CPU, .run = run, .arg = s };
	if (worker_start(&s->holder) || read(s->faults, &fault, sizeof(fault)) < 1 ||
	    worker_start(&s->waiter))
		return -1;
	wait_until_in(&s->waiter.tid, call, NULL);
	s->seen = boottime_ns();
	for (size_t i = 0; s->hold_until && i < HOLD_STEPS && access(s->hold_until, F_OK); i++)
		sleep_ms(10);
	if (!s->hold_until)
		sleep_ms(s->hold_ms);
	return give_page(s) | worker_join(&s->holder) | worker_join(&s->waiter);
}

/* The wait of a thread at a time. It also waits at others, e.g. for the memory of its process. */
static const struct trace_group_event *wait_of(const struct trace *t, const struct worker *w,
					       uint64_t at)
{
	const struct trace_group_event *e;

	for_each_group_event(e, t)
		if (e->category == FXT_STR_LOCK && e->thread == (uint64_t)w->tid &&
		    e->begin <= at && e->time >= at)
			return e;
	return NULL;
}

/* The kind of a lock. PREEMPT_RT builds all of them on rt mutexes. */
static const char *kind_of(const char *usual, const char *real_time)
{
	return is_preempt_rt() ? real_time : usual;
}

/* Do both texts stand in another one, in this order? */
static bool says(const char *text, const char *first, const char *second)
{
	const char *at = strstr(text, first);

	return at && strstr(at, second);
}

/* All rows: on a busy machine, waits for a CPU may come before those for a lock. */
#define RUN_ON_IT(t, ...)	\
	tool_run(t, ARGS(__VA_ARGS__, "--all", "--top", "1000", self->c.output))

#define WHY(t, tid)	RUN_ON_IT(t, "why", "--thread", tid_text(tid))

#define PLAY(run, call) do {							\
	ASSERT_EQ(0, make_page(&s));						\
	s.hold_ms = HOLD_MS;							\
	s.hold_until = NULL;							\
	BEGIN("-e", "lock");							\
	ASSERT_EQ(0, play(&s, run, call));					\
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));		\
} while (0)

TEST_F(locks, mutex)
{
	const char *kind = kind_of("mutex", "rt mutex");
	const struct trace_group_event *e;
	char held[64], lock[32];
	struct tool t;
	struct scene s;

	ASSERT_EQ(0, pipe(s.pipe));
	PLAY(write_pipe, SYS_write);
	e = wait_of(&self->t, &s.waiter, s.seen);
	ASSERT_NE(NULL, e);
	EXPECT_STREQ(kind, e->text);
	EXPECT_EQ((uint64_t)getpid(), e->process);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)s.holder.tid, e->args[1]);
	EXPECT_LE(HOLD_MS * 1000000ULL, e->time - e->begin);

	snprintf(held, sizeof(held), "waiting for a lock (%s) held by holder/%d", kind,
		 s.holder.tid);
	ASSERT_EQ(0, WHY(&t, s.waiter.tid));
	EXPECT_NE(NULL, strstr(t.out, held)) TH_LOG("%s", t.out);
	tool_free(&t);
	snprintf(lock, sizeof(lock), "0x%llx ", (unsigned long long)e->args[0]);
	snprintf(held, sizeof(held), "holder/%d\n", s.holder.tid);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--table", "locks"));
	EXPECT_TRUE(says(t.out, lock, held)) TH_LOG("%s", t.out);
	tool_free(&t);
}

TEST_F(locks, writer)
{
	const struct trace_group_event *e;
	struct scene s;

	s.file = memfd_create("file", MFD_CLOEXEC);
	ASSERT_LE(0, s.file);
	PLAY(write_file, SYS_pwrite64);
	e = wait_of(&self->t, &s.waiter, s.seen);
	ASSERT_NE(NULL, e);
	/* The writer that holds it has its rt mutex. */
	EXPECT_STREQ(kind_of("rwsem write", "rt mutex"), e->text);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)s.holder.tid, e->args[1]);
}

/* Both sleep in pwrite(), the holder until its memory is there. Read the report into @t. */
static void play_trigger(struct __test_metadata *_metadata, FIXTURE_DATA(locks) *self,
			 struct scene *s, struct tool *t, const char *trigger, const char *option)
{
	char snapshot[RECORD_PATH + 32];

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	unlink(snapshot);
	s->file = memfd_create("file", MFD_CLOEXEC);
	ASSERT_LE(0, s->file);
	ASSERT_EQ(0, make_page(s));
	ASSERT_BEGIN("-F", "--stacks=offcpu,wake,kernel", "--stacks-min=0", "--trigger", trigger,
		     option);
	ASSERT_EQ(0, play(s, write_file, SYS_pwrite64));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, tool_run(t, ARGS("check", snapshot))) TH_LOG("%s", t->out);
	ASSERT_EQ(0, tool_run(t, ARGS("report", snapshot))) TH_LOG("%s", t->err);
}

/* Does a text have these, in this order? */
static bool has_all(const char *at, const char *const *said, size_t count)
{
	for (size_t i = 0; i < count && at; i++)
		at = strstr(at, said[i]);
	return at;
}

/* A search may find the wait before it ends, or the waiter waits for another lock before. */
static void check_trigger(struct __test_metadata *_metadata, FIXTURE_DATA(locks) *self,
			  const char *wakeups)
{
	static const char *const said[] = {
		"\nTrigger\n", "slept in ", "pwrite64", "woken from ", "pwrite64",
		"held by holder/", "the holder slept in ", "handle_userfault",
	};
	struct scene s = { 0 };
	struct tool t = { 0 };

	for (int i = 0; i < TRIES && !has_all(t.out, said, ARRAY_SIZE(said)); i++)
		play_trigger(_metadata, self, &s, &t, "lock>1us:comm=waiter", wakeups);
	EXPECT_TRUE(has_all(t.out, said, ARRAY_SIZE(said))) TH_LOG("%s%s", self->c.text, t.out);
	tool_free(&t);
}

/* The same while the wait goes on. */
static void check_open_trigger(struct __test_metadata *_metadata, FIXTURE_DATA(locks) *self)
{
	static const char *const said[] = {
		"\nTrigger: a wait that was not over\n", "slept in ", "pwrite64", "held by holder/",
		"the holder slept in ", "handle_userfault",
	};
	char snapshot[RECORD_PATH + 32], held[128];
	struct scene s = { .hold_until = snapshot };
	struct tool t = { 0 };

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	play_trigger(_metadata, self, &s, &t, "lock>30ms:comm=waiter", "--after=1s");
	EXPECT_TRUE(has_all(t.out, said, ARRAY_SIZE(said))) TH_LOG("%s%s", self->c.text, t.out);
	tool_free(&t);
	snprintf(held, sizeof(held), " held by thread %d (holder)\n", s.holder.tid);
	EXPECT_NE(NULL, strstr(self->c.text, held)) TH_LOG("%s", self->c.text);
	ASSERT_EQ(0, tool_run(&t, ARGS("why", snapshot)));
	snprintf(held, sizeof(held), "waiting for a lock (%s) held by holder/%d, not woken until the end",
		 kind_of("rwsem write", "rt mutex"), s.holder.tid);
	EXPECT_NE(NULL, strstr(t.out, held)) TH_LOG("%s", t.out);
	tool_free(&t);
}

TEST_F(locks, stacks_of_a_trigger_while_it_lasts)
{
	NEEDS_STACKS();
	if (!kernel_is_since(5, 19))
		SKIP(return, "this kernel does not show waits for locks");
	check_open_trigger(_metadata, self);
}

TEST_F(locks, stacks_of_a_trigger)
{
	NEEDS_STACKS();
	if (!kernel_is_since(5, 19))
		SKIP(return, "this kernel does not show waits for locks");
	check_trigger(_metadata, self, NULL);
}

TEST_F(locks, stacks_of_a_trigger_with_wakings)
{
	NEEDS_STACKS();
	NEEDS_WAKINGS();
	if (!kernel_is_since(5, 19))
		SKIP(return, "this kernel does not show waits for locks");
	check_trigger(_metadata, self, "--wakeups=waking");
}

/* The kernel keeps at most one of several readers, and not reliably. */
TEST_F(locks, reader)
{
	const struct trace_group_event *e;
	char dir[RECORD_PATH];
	struct scene s = { .dir = dir };

	ASSERT_EQ(0, dir_make(dir, sizeof(dir)));
	s.file = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_LE(0, s.file);
	PLAY(use_folder, SYS_mkdirat);
	e = wait_of(&self->t, &s.waiter, s.seen);
	ASSERT_NE(NULL, e);
	EXPECT_STREQ(kind_of("rwsem write", "rt write"), e->text);
	EXPECT_EQ(1U, e->arg_count);
	dir_remove(dir);
}

static void write_alone(struct worker *w)
{
	const struct scene *s = w->arg;

	for (unsigned int i = 0; i < FREE && !w->failed; i++)
		w->failed = pwrite(s->file, "x", 1, 0) != 1;
}

TEST_F(locks, free)
{
	struct scene s = { .file = memfd_create("file", MFD_CLOEXEC) };
	const struct trace_group_event *e;
	unsigned int waits = 0;

	s.waiter = (struct worker){ .name = "alone", .cpu = ANY_CPU, .run = write_alone, .arg = &s };
	BEGIN("-e", "lock");
	ASSERT_EQ(0, worker_start(&s.waiter));
	ASSERT_EQ(0, worker_join(&s.waiter));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for_each_group_event(e, &self->t)
		waits += e->category == FXT_STR_LOCK && e->thread == (uint64_t)s.waiter.tid;
	/* Other locks may not be free in a slow kernel. */
	EXPECT_GT(FREE / 1000, waits);
}

/* --- locks of programs ---------------------------------------------------------------------- */

/** struct contended - a mutex, a lock of one word that has no owner, or a condition variable */
struct contended {
	pthread_mutex_t lock;
	atomic_uint word;	/* 0: free; 2: held, and a thread may sleep */
	pthread_cond_t changed;
	atomic_bool is_waiting;
	bool has_changed;
	atomic_bool has_given_up;	/* @waiter */
	pthread_barrier_t held;
	struct worker holder;
	struct worker waiter;
};

static void hold_mutex(struct worker *w)
{
	struct contended *m = w->arg;

	w->failed = pthread_mutex_lock(&m->lock);
	pthread_barrier_wait(&m->held);
	wait_until_in(&m->waiter.tid, SYS_futex, &m->lock);
	sleep_ms(HOLD_MS);
	pthread_mutex_unlock(&m->lock);
}

static void want_mutex(struct worker *w)
{
	struct contended *m = w->arg;

	w->failed = pthread_mutex_lock(&m->lock) || pthread_mutex_unlock(&m->lock);
}

static void wait_for_change(struct worker *w)
{
	struct contended *m = w->arg;

	pthread_mutex_lock(&m->lock);
	atomic_store(&m->is_waiting, true);
	while (!m->has_changed)
		pthread_cond_wait(&m->changed, &m->lock);
	pthread_mutex_unlock(&m->lock);
}

/* @protocol: PTHREAD_PRIO_* */
static int contend(struct contended *m, int protocol)
{
	pthread_mutexattr_t attributes;

	*m = (struct contended){
		.holder = { .name = "holder", .cpu = ANY_CPU, .run = hold_mutex, .arg = m },
		.waiter = { .name = "waiter", .cpu = ANY_CPU, .run = want_mutex, .arg = m },
	};
	if (pthread_mutexattr_init(&attributes) ||
	    pthread_mutexattr_setprotocol(&attributes, protocol) ||
	    pthread_mutex_init(&m->lock, &attributes) ||
	    pthread_barrier_init(&m->held, NULL, 2) || worker_start(&m->holder))
		return -1;
	pthread_barrier_wait(&m->held);
	return worker_start(&m->waiter) | worker_join(&m->waiter) | worker_join(&m->holder);
}

static const struct trace_group_event *futex_wait_of(const struct trace *t, const struct worker *w,
						     const void *futex)
{
	const struct trace_group_event *e;

	for_each_group_event(e, t)
		if (e->category == FXT_STR_LOCK && e->thread == (uint64_t)w->tid &&
		    e->args[0] == (uintptr_t)futex)
			return e;
	return NULL;
}

TEST_F(locks, mutex_of_a_program)
{
	const struct trace_group_event *e;
	struct contended m;
	struct tool t;
	char held[96];

	BEGIN("-e", "lock");
	ASSERT_EQ(0, contend(&m, PTHREAD_PRIO_NONE));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	e = futex_wait_of(&self->t, &m.waiter, &m.lock);
	ASSERT_NE(NULL, e);
	EXPECT_STREQ("futex", e->text);
	ASSERT_EQ(3U, e->arg_count);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[1]);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[2]);
	EXPECT_LE(HOLD_MS * 1000000ULL, e->time - e->begin);
	ASSERT_EQ(0, WHY(&t, m.waiter.tid));
	snprintf(held, sizeof(held), "waiting for a lock (futex) held by holder/%d", m.holder.tid);
	EXPECT_NE(NULL, strstr(t.out, held)) TH_LOG("%s", t.out);
	tool_free(&t);
}

TEST_F(locks, mutex_with_inheritance)
{
	const struct trace_group_event *e;
	struct contended m;

	BEGIN("-e", "lock");
	ASSERT_EQ(0, contend(&m, PTHREAD_PRIO_INHERIT));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	e = futex_wait_of(&self->t, &m.waiter, &m.lock);
	ASSERT_NE(NULL, e);
	EXPECT_STREQ("pi futex", e->text);
	ASSERT_EQ(3U, e->arg_count);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[1]);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[2]);
}

#define TIMEOUT_MS	20U

static void hold_for_timeout(struct worker *w)
{
	struct contended *m = w->arg;

	w->failed = pthread_mutex_lock(&m->lock);
	pthread_barrier_wait(&m->held);
	while (!atomic_load(&m->has_given_up))
		sleep_ms(1);
	pthread_mutex_unlock(&m->lock);
}

static void want_for_a_while(struct worker *w)
{
	struct contended *m = w->arg;
	long before = times_slept();
	struct timespec end;

	/* On a slow machine, the time may be over before the thread sleeps. */
	do {
		clock_gettime(CLOCK_REALTIME, &end);
		end.tv_nsec += TIMEOUT_MS * 1000000L;
		end.tv_sec += end.tv_nsec / 1000000000;
		end.tv_nsec %= 1000000000;
		w->failed |= pthread_mutex_timedlock(&m->lock, &end) != ETIMEDOUT;
	} while (times_slept() == before);
	atomic_store(&m->has_given_up, true);
}

/* Who held the mutex is known, although it never gave it to the waiter. */
TEST_F(locks, mutex_until_a_timeout)
{
	const struct trace_group_event *e;
	char lock[32], held[112];
	int cpus[MAX_CPUS];
	struct contended m;
	struct tool t;

	allowed_cpus(cpus);
	m = (struct contended){
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.holder = { .name = "holder", .cpu = cpus[0], .run = hold_for_timeout, .arg = &m },
		.waiter = { .name = "waiter", .cpu = cpus[0], .run = want_for_a_while, .arg = &m },
	};
	BEGIN("-e", "lock,timer");
	ASSERT_EQ(0, pthread_barrier_init(&m.held, NULL, 2));
	ASSERT_EQ(0, worker_start(&m.holder));
	pthread_barrier_wait(&m.held);
	ASSERT_EQ(0, worker_start(&m.waiter) | worker_join(&m.waiter) | worker_join(&m.holder));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	e = futex_wait_of(&self->t, &m.waiter, &m.lock);
	ASSERT_NE(NULL, e);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[1]);
	ASSERT_EQ(0, WHY(&t, m.waiter.tid));
	snprintf(held, sizeof(held),
		 "waiting for a lock (futex) held by holder/%d until its timeout", m.holder.tid);
	EXPECT_NE(NULL, strstr(t.out, held)) TH_LOG("%s", t.out);
	tool_free(&t);
	snprintf(lock, sizeof(lock), "0x%lx", (unsigned long)&m.lock);
	snprintf(held, sizeof(held), "holder/%d\n", m.holder.tid);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--comm", "waiter", "--table", "locks"));
	EXPECT_TRUE(says(t.out, lock, held)) TH_LOG("%s", t.out);
	tool_free(&t);
}

/* --- a mutex of two processes ----------------------------------------------------------------- */

/* In a file that two processes map at different addresses. */
struct across {
	pthread_mutex_t lock;
	atomic_int tids[2];	/* of the child, and of the parent's thread */
	atomic_bool is_held[2];	/* in this round */
	uint64_t at[2];		/* address of the mutex */
};

/* One of the two, which holds the mutex in round @number and wants it in the other one. */
struct member {
	int file;
	int number;
	int cpu;
	struct across *a;
	struct worker w;
};

static int map_across(struct member *m)
{
	m->a = mmap(NULL, sizeof(*m->a), PROT_READ | PROT_WRITE, MAP_SHARED, m->file, 0);
	if (m->a == MAP_FAILED)
		return -1;
	m->a->at[m->number] = (uintptr_t)&m->a->lock;
	return 0;
}

static void take_turns(struct member *m, pid_t tid)
{
	struct across *a = m->a;
	pid_t other;
	int round;

	atomic_store(&a->tids[m->number], tid);
	for (round = 0; round < 2; round++) {
		while (round != m->number && !atomic_load(&a->is_held[round]))
			sleep_ms(1);
		pthread_mutex_lock(&a->lock);
		atomic_store(&a->is_held[round], true);
		if (round == m->number) {
			while (!(other = atomic_load(&a->tids[!m->number])) ||
			       !sleeps_in(other, SYS_futex, NULL))
				sleep_ms(1);
			sleep_ms(HOLD_MS);
		}
		pthread_mutex_unlock(&a->lock);
	}
}

static void take_turns_in_parent(struct worker *w)
{
	take_turns(w->arg, w->tid);
}

/* Its addresses differ from the parent's, which has mapped the file already. */
static void be_child(struct member *m)
{
	pin(m->cpu);
	if (prctl(PR_SET_NAME, "child") || map_across(m))
		_exit(1);
	take_turns(m, getpid());
	_exit(0);
}

static int make_across(struct member *parent)
{
	pthread_mutexattr_t attributes;

	parent->file = memfd_create("across", MFD_CLOEXEC);
	return parent->file < 0 || ftruncate(parent->file, sizeof(*parent->a)) ||
	       map_across(parent) || pthread_mutexattr_init(&attributes) ||
	       pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) ||
	       pthread_mutex_init(&parent->a->lock, &attributes) ? -1 : 0;
}

/* Both processes wait for it, and each time the holder is a thread of the other one. */
TEST_F(locks, mutex_of_two_processes)
{
	struct member parent = { .number = 1 }, child;
	const struct trace_group_event *e;
	char first[32], second[32], held[96];
	int cpus[MAX_CPUS], status = 0;
	struct tool t;
	pid_t pid;

	allowed_cpus(cpus);
	parent.w = (struct worker){
		.name = "waiter", .cpu = cpus[0], .run = take_turns_in_parent, .arg = &parent,
	};
	ASSERT_EQ(0, make_across(&parent));
	BEGIN("-e", "lock");
	child = (struct member){ .file = parent.file, .cpu = cpus[0] };
	pid = fork();
	if (!pid)
		be_child(&child);
	ASSERT_LT(0, pid);
	EXPECT_EQ(0, worker_start(&parent.w) | worker_join(&parent.w));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_NE(parent.a->at[0], parent.a->at[1]);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_FINE(trace_check_all(&self->t, &self->why));
	e = futex_wait_of(&self->t, &parent.w, &parent.a->lock);
	ASSERT_NE(NULL, e);
	ASSERT_EQ(4U, e->arg_count);
	EXPECT_EQ((uint64_t)pid, e->args[1]);
	EXPECT_EQ((uint64_t)pid, e->args[2]);
	EXPECT_EQ(parent.a->at[0], e->args[3]);
	snprintf(held, sizeof(held), "waiting for a lock (futex) held by child/%d", pid);
	ASSERT_EQ(0, WHY(&t, parent.w.tid));
	EXPECT_NE(NULL, strstr(t.out, held)) TH_LOG("%s", t.out);
	tool_free(&t);
	snprintf(first, sizeof(first), "0x%lx", (unsigned long)parent.a->at[0]);
	snprintf(second, sizeof(second), "0x%lx", (unsigned long)parent.a->at[1]);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--table", "locks"));
	EXPECT_EQ(1, !!strstr(t.out, first) + !!strstr(t.out, second)) TH_LOG("%s", t.out);
	EXPECT_NE(NULL, strstr(t.out, " +1 ")) TH_LOG("%s", t.out);
	tool_free(&t);
	munmap(parent.a, sizeof(*parent.a));
	close(parent.file);
}

/* --- a mutex with several waiters, whose holder is preempted -------------------------------- */

#define CLERKS		3
#define HOG_MS		100U	/* the kernel stops real-time threads after 950 ms */
#define FREE_MUTEX	100000U

/** struct office - clerks want a mutex while a real-time thread has the CPU of its holder */
struct office {
	pthread_mutex_t lock;
	pthread_mutex_t free;	/* that only @alone takes */
	pthread_barrier_t held;
	atomic_bool has_run;	/* @hog */
	struct worker holder;
	struct worker hog;
	struct worker alone;
	struct worker clerks[CLERKS];
};

static void keep_cpu(struct worker *w)
{
	const struct sched_param first = { .sched_priority = 49 };
	struct office *o = w->arg;
	uint64_t end;

	w->failed = sched_setscheduler(0, SCHED_FIFO, &first);
	for (end = boottime_ns() + HOG_MS * 1000000ULL; boottime_ns() < end; )
		;
	atomic_store(&o->has_run, true);
}

static void hold_in_office(struct worker *w)
{
	struct office *o = w->arg;
	int i;

	pthread_mutex_lock(&o->lock);
	pthread_barrier_wait(&o->held);
	for (i = 0; i < CLERKS; i++)
		wait_until_in(&o->clerks[i].tid, SYS_futex, &o->lock);
	w->failed = worker_start(&o->hog);
	while (!w->failed && !atomic_load(&o->has_run))
		;
	pthread_mutex_unlock(&o->lock);
}

static void work_in_office(struct worker *w)
{
	struct office *o = w->arg;

	w->failed = pthread_mutex_lock(&o->lock) || pthread_mutex_unlock(&o->lock);
}

static void take_free_mutex(struct worker *w)
{
	struct office *o = w->arg;

	for (unsigned int i = 0; i < FREE_MUTEX && !w->failed; i++)
		w->failed = pthread_mutex_lock(&o->free) || pthread_mutex_unlock(&o->free);
}

static int run_office(struct office *o)
{
	int cpus[MAX_CPUS], i, failed;

	allowed_cpus(cpus);
	*o = (struct office){
		.lock = PTHREAD_MUTEX_INITIALIZER, .free = PTHREAD_MUTEX_INITIALIZER,
		.holder = { .name = "holder", .cpu = cpus[0], .run = hold_in_office, .arg = o },
		.hog = { .name = "hog", .cpu = cpus[0], .run = keep_cpu, .arg = o },
		.alone = { .name = "alone", .cpu = ANY_CPU, .run = take_free_mutex, .arg = o },
	};
	if (pthread_barrier_init(&o->held, NULL, 2) || worker_start(&o->holder))
		return -1;
	pthread_barrier_wait(&o->held);
	failed = worker_start(&o->alone);
	for (i = 0; i < CLERKS; i++) {
		o->clerks[i] = (struct worker){
			.name = "clerk", .cpu = ANY_CPU, .run = work_in_office, .arg = o,
		};
		failed |= worker_start(&o->clerks[i]);
	}
	for (i = 0; i < CLERKS; i++)
		failed |= worker_join(&o->clerks[i]);
	return failed | worker_join(&o->holder) | worker_join(&o->hog) | worker_join(&o->alone);
}

/* Each clerk waited for the holder, which waited behind the hog; nobody waited for a free mutex. */
TEST_F(locks, mutex_of_a_preempted_holder)
{
	char held[96], hog[96], lock[32];
	struct office o;
	struct tool t;

	BEGIN("-e", "lock");
	ASSERT_EQ(0, run_office(&o));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_EQ(NULL, futex_wait_of(&self->t, &o.alone, &o.free));
	for (int i = 0; i < CLERKS; i++)
		EXPECT_NE(NULL, futex_wait_of(&self->t, &o.clerks[i], &o.lock));

	snprintf(held, sizeof(held), "waiting for a lock (futex) held by holder/%d\n", o.holder.tid);
	snprintf(hog, sizeof(hog), "runnable behind hog/%d on cpu %d\n", o.hog.tid, o.hog.cpu);
	ASSERT_EQ(0, WHY(&t, o.clerks[0].tid));
	EXPECT_TRUE(says(t.out, held, hog)) TH_LOG("%s", t.out);
	tool_free(&t);

	snprintf(lock, sizeof(lock), "0x%lx", (unsigned long)&o.lock);
	snprintf(held, sizeof(held), "holder/%d\n", o.holder.tid);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--comm", "clerk", "--table", "locks"));
	EXPECT_TRUE(says(t.out, lock, held)) TH_LOG("%s", t.out);
	tool_free(&t);
}

/* --- locks without an owner ------------------------------------------------------------------ */

struct shared {
	pthread_rwlock_t lock;
	pthread_barrier_t held;
	bool is_read;		/* by @holder; @waiter wants the opposite */
	uint64_t seen;		/* as in struct scene */
	struct worker holder;
	struct worker waiter;
};

static void hold_shared(struct worker *w)
{
	struct shared *s = w->arg;

	w->failed = s->is_read ? pthread_rwlock_rdlock(&s->lock) : pthread_rwlock_wrlock(&s->lock);
	pthread_barrier_wait(&s->held);
	wait_until_in(&s->waiter.tid, SYS_futex, NULL);
	s->seen = boottime_ns();
	sleep_ms(HOLD_MS);
	pthread_rwlock_unlock(&s->lock);
}

static void want_shared(struct worker *w)
{
	struct shared *s = w->arg;

	w->failed = s->is_read ? pthread_rwlock_wrlock(&s->lock) : pthread_rwlock_rdlock(&s->lock);
	pthread_rwlock_unlock(&s->lock);
}

static void check_shared(struct __test_metadata *_metadata, FIXTURE_DATA(locks) *self, bool is_read)
{
	struct shared s = {
		.lock = PTHREAD_RWLOCK_INITIALIZER, .is_read = is_read,
		.holder = { .name = "holder", .cpu = ANY_CPU, .run = hold_shared, .arg = &s },
		.waiter = { .name = "waiter", .cpu = ANY_CPU, .run = want_shared, .arg = &s },
	};
	const struct trace_group_event *e;
	struct tool t;
	char woke[96];

	BEGIN("-e", "lock");
	ASSERT_EQ(0, pthread_barrier_init(&s.held, NULL, 2));
	ASSERT_EQ(0, worker_start(&s.holder));
	pthread_barrier_wait(&s.held);
	ASSERT_EQ(0, worker_start(&s.waiter) | worker_join(&s.waiter) | worker_join(&s.holder));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	e = wait_of(&self->t, &s.waiter, s.seen);
	ASSERT_NE(NULL, e);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)s.holder.tid, e->args[1]);
	ASSERT_EQ(0, WHY(&t, s.waiter.tid));
	snprintf(woke, sizeof(woke), "asleep until holder/%d woke it through a futex", s.holder.tid);
	EXPECT_NE(NULL, strstr(t.out, woke)) TH_LOG("%s", t.out);
	EXPECT_EQ(NULL, strstr(t.out, "for a lock")) TH_LOG("%s", t.out);
	tool_free(&t);
}

TEST_F(locks, shared_lock_that_a_writer_has)
{
	check_shared(_metadata, self, false);
}

TEST_F(locks, shared_lock_that_a_reader_has)
{
	check_shared(_metadata, self, true);
}

/* As Rust, Go and musl have them. */
static void lock_word(struct contended *m)
{
	while (atomic_exchange(&m->word, 2))
		syscall(SYS_futex, &m->word, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void unlock_word(struct contended *m)
{
	atomic_store(&m->word, 0);
	syscall(SYS_futex, &m->word, FUTEX_WAKE_PRIVATE, 1);
}

static void hold_word(struct worker *w)
{
	struct contended *m = w->arg;

	lock_word(m);
	pthread_barrier_wait(&m->held);
	wait_until_in(&m->waiter.tid, SYS_futex, &m->word);
	sleep_ms(HOLD_MS);
	unlock_word(m);
}

static void want_word(struct worker *w)
{
	lock_word(w->arg);
	unlock_word(w->arg);
}

TEST_F(locks, lock_without_owner)
{
	struct contended m = {
		.holder = { .name = "holder", .cpu = ANY_CPU, .run = hold_word, .arg = &m },
		.waiter = { .name = "waiter", .cpu = ANY_CPU, .run = want_word, .arg = &m },
	};
	const struct trace_group_event *e;
	struct tool t;
	char woke[96];

	BEGIN("-e", "lock");
	ASSERT_EQ(0, pthread_barrier_init(&m.held, NULL, 2));
	ASSERT_EQ(0, worker_start(&m.holder));
	pthread_barrier_wait(&m.held);
	ASSERT_EQ(0, worker_start(&m.waiter) | worker_join(&m.waiter) | worker_join(&m.holder));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	e = futex_wait_of(&self->t, &m.waiter, &m.word);
	ASSERT_NE(NULL, e);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)m.holder.tid, e->args[1]);
	ASSERT_EQ(0, WHY(&t, m.waiter.tid));
	snprintf(woke, sizeof(woke), "asleep until holder/%d woke it through a futex", m.holder.tid);
	EXPECT_NE(NULL, strstr(t.out, woke)) TH_LOG("%s", t.out);
	tool_free(&t);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--comm", "waiter", "--table", "locks"));
	EXPECT_EQ(NULL, strstr(t.out, "futex")) TH_LOG("%s", t.out);
	tool_free(&t);
}

/** struct signalled - a futex, and a number that stands where a mutex has its owner */
struct signalled {
	atomic_uint word;
	uint32_t unused;
	_Atomic uint32_t owner;
	struct worker signaller;
	struct worker waiter;
};

static void wait_for_signal(struct worker *w)
{
	struct signalled *s = w->arg;

	while (!atomic_load(&s->owner))
		sleep_ms(1);
	while (!atomic_load(&s->word))
		syscall(SYS_futex, &s->word, FUTEX_WAIT_PRIVATE, 0, NULL);
}

static void give_signal(struct worker *w)
{
	struct signalled *s = w->arg;

	atomic_store(&s->owner, w->tid);
	wait_until_in(&s->waiter.tid, SYS_futex, &s->word);
	atomic_store(&s->word, 1);
	syscall(SYS_futex, &s->word, FUTEX_WAKE_PRIVATE, 1);
}

/*
 * The id of the thread that gives the signal is no owner, because it stays when that wakes the
 * other.
 */
TEST_F(locks, owner_that_stays)
{
	struct signalled s = {
		.waiter = { .name = "waiter", .cpu = ANY_CPU, .run = wait_for_signal, .arg = &s },
		.signaller = { .name = "signaller", .cpu = ANY_CPU, .run = give_signal, .arg = &s },
	};
	const struct trace_group_event *e;

	BEGIN("-e", "lock");
	ASSERT_EQ(0, worker_start(&s.waiter) | worker_start(&s.signaller));
	ASSERT_EQ(0, worker_join(&s.signaller) | worker_join(&s.waiter));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	e = futex_wait_of(&self->t, &s.waiter, &s.word);
	ASSERT_NE(NULL, e);
	ASSERT_EQ(2U, e->arg_count);
	EXPECT_EQ((uint64_t)s.signaller.tid, e->args[1]);
}

TEST_F(locks, condition_variable)
{
	struct contended m = {
		.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER,
		.waiter = { .name = "waiter", .cpu = ANY_CPU, .run = wait_for_change, .arg = &m },
	};
	const struct trace_group_event *e;
	unsigned int waits = 0;
	struct tool t;

	BEGIN("-e", "lock");
	ASSERT_EQ(0, worker_start(&m.waiter));
	while (!atomic_load(&m.is_waiting))
		sleep_ms(1);
	/* The waiter has the mutex until it begins to wait, and wants it only after the change. */
	pthread_mutex_lock(&m.lock);
	pthread_mutex_unlock(&m.lock);
	wait_until_in(&m.waiter.tid, SYS_futex, NULL);
	pthread_mutex_lock(&m.lock);
	m.has_changed = true;
	pthread_mutex_unlock(&m.lock);
	pthread_cond_signal(&m.changed);
	ASSERT_EQ(0, worker_join(&m.waiter));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for_each_group_event(e, &self->t)
		waits += e->category == FXT_STR_LOCK && e->thread == (uint64_t)m.waiter.tid;
	EXPECT_LE(1U, waits);
	ASSERT_EQ(0, RUN_ON_IT(&t, "report", "--comm", "waiter", "--table", "locks"));
	EXPECT_EQ(NULL, strstr(t.out, "futex")) TH_LOG("%s", t.out);
	tool_free(&t);
	ASSERT_EQ(0, WHY(&t, m.waiter.tid));
	EXPECT_EQ(NULL, strstr(t.out, "for a lock")) TH_LOG("%s", t.out);
	tool_free(&t);
}
