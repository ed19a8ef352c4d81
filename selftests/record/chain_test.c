// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * No switch and no wakeup is missing or superfluous: every switch of a CPU continues the one before
 * it, and the events of every thread are a possible life. Both checks detect one missing or extra
 * record anywhere in the whole recording.
 */
#include <sys/ptrace.h>
#include <sys/resource.h>

#include "real_time.h"
#include "source_fixture.h"

static int make_load(unsigned int rounds)
{
	static unsigned int naps, preemptions = 3;
	struct worker naper[4] = { 0 }, spinner[2] = { 0 }, hardly;
	struct pair pairs[4] = { 0 };
	int cpus[MAX_CPUS], i, ret = 0;
	unsigned int count = allowed_cpus(cpus);

	naps = rounds / 4 + 1;
	hardly = (struct worker){
		.name = "hardly", .cpu = ANY_CPU, .run = worker_nap_hardly, .arg = &rounds,
	};
	ret |= worker_start(&hardly);
	for (i = 0; i < 4; i++) {
		naper[i] = (struct worker){
			.name = "nap", .cpu = ANY_CPU, .run = worker_nap, .arg = &naps,
		};
		pairs[i].rounds = rounds;
		pairs[i].ends[0].cpu = i < 2 ? cpus[i % count] : ANY_CPU;
		pairs[i].ends[1].cpu = i < 2 ? cpus[0] : ANY_CPU;
		ret |= worker_start(&naper[i]);
	}
	for (i = 0; i < 2; i++) {
		spinner[i] = (struct worker){
			.name = "spin", .cpu = cpus[0], .arg = &preemptions,
			.run = worker_spin_until_preempted,
		};
		ret |= worker_start(&spinner[i]);
	}
	ret |= pairs_run(pairs, 4);
	for (i = 0; i < 4; i++)
		ret |= worker_join(&naper[i]);
	for (i = 0; i < 2; i++)
		ret |= worker_join(&spinner[i]);
	return ret | worker_join(&hardly);
}

/* --- threads that are about to sleep and do not ------------------------------- */

#define VAIN_NAPS	20

static void yield_till_told(struct worker *w)
{
	const bool *over = w->arg;

	while (!__atomic_load_n(over, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* Nap with a low weight and with CPU time used, so that others run first. */
static void nap_traced(int cpu)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct timespec used = { 0 };

	pin(cpu);
	setpriority(PRIO_PROCESS, 0, 19);
	while (used.tv_nsec < 2000000 && !used.tv_sec)
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	for (int i = 0; i < VAIN_NAPS; i++)
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
	_exit(0);
}

/* Stop the child at the entry of a system call, send it a signal, and take the signal back. */
static int disturb_naps(pid_t pid)
{
	bool entry = true;
	int status;

	if (waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD))
		return -1;
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
			return -1;
		if (!WIFSTOPPED(status))
			return status ? -1 : 0;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		if (entry)
			kill(pid, SIGUSR1);
		entry = !entry;
	}
}

/*
 * With a signal pending, schedule() leaves a thread on its run queue although it was about to
 * sleep, and switches to another thread that comes before it. No wakeup is needed for
 * the first thread.
 */
static int make_vain_naps(void)
{
	int cpus[MAX_CPUS], ret;
	bool over = false;
	struct worker pusher = { .name = "pushes", .run = yield_till_told, .arg = &over };
	pid_t pid;

	allowed_cpus(cpus);
	pusher.cpu = cpus[0];
	if (worker_start(&pusher))
		return -1;
	pid = fork();
	if (!pid)
		nap_traced(cpus[0]);
	ret = disturb_naps(pid);
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	return ret | worker_join(&pusher);
}

static int make_births(const char *dir, unsigned int count)
{
	struct child child;
	int ret = 0;

	while (count-- && !ret) {
		ret = child_start(&child, dir, CHILD_PREFIX);
		ret |= child_end(&child);
	}
	return ret;
}

SOURCE_FIXTURE(chain);

static void test_load(struct __test_metadata *_metadata, FIXTURE_DATA(chain) *self,
		      const char *wakeups, const char *weight)
{
	const struct trace_stream *s;
	size_t events = 0;
	unsigned int rounds = scaled(2000);

	if (!strcmp(wakeups, "waking"))
		NEEDS_WAKINGS();
	NEEDS_SOURCE();
	ASSERT_BEGIN("-b", "32M", "--wakeups", wakeups, "--weight", weight);
	EXPECT_EQ(0, make_load(rounds));
	EXPECT_EQ(0, make_vain_naps());
	EXPECT_EQ(0, make_births(self->dir, scaled(40)));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
	EXPECT_FINE(trace_check_chain(&self->t, &self->why));
	EXPECT_FINE(trace_check_threads(&self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	for (s = self->t.streams; s < self->t.streams + self->t.stream_count; s++)
		events += s->event_count;
	EXPECT_LE(4U * 2 * rounds, events);
}

TEST_F(chain, load)
{
	test_load(_metadata, self, "wakeup", "weight");
}

TEST_F(chain, load_of_wakings)
{
	test_load(_metadata, self, "waking", "weight");
}

TEST_F(chain, load_without_weights)
{
	test_load(_metadata, self, "wakeup", "none");
}

TEST_F(chain, load_of_bare_wakings)
{
	test_load(_metadata, self, "waking", "none");
}

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static bool times_within(const struct trace *t, double from, double to)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	double time;

	trace_for_each_event(t, s, e) {
		time = (double)e->time / t->ticks_per_second;
		if (time < from || time > to)
			return false;
	}
	return true;
}

static void test_clock(struct __test_metadata *_metadata, FIXTURE_DATA(chain) *self,
		       const char *name, clockid_t clock, double slack)
{
	double before = seconds_of(clock);

	ASSERT_BEGIN("-c", name);
	EXPECT_EQ(0, make_load(scaled(200)));
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	EXPECT_TRUE(times_within(&self->t, before - slack, seconds_of(clock) + slack));
	EXPECT_IN(self->t.session, name);
}

SOURCE_TEST(chain, clock_mono)
{
	test_clock(_metadata, self, "mono", CLOCK_MONOTONIC, 0);
}

#if defined(__x86_64__) || defined(__i386__)
#define HAS_TSC	true
#else
#define HAS_TSC	false
#endif

/*
 * The rate of the TSC is measured at boot, so this clock is a little off. Without a TSC, the
 * collector refuses it.
 */
SOURCE_TEST(chain, clock_tsc)
{
	const char *args[] = { "-q", "-s", self->source, "-c", "tsc", NULL };

	if (!HAS_TSC || strcmp(self->source, "kmod")) {
		EXPECT_EQ(2, collector_run(&self->c, self->dir, args));
		EXPECT_NE(NULL, strstr(collector_said(&self->c),
				       strcmp(self->source, "kmod") ? "--clock=tsc requires" :
				       "FXT_SCHED_TSC: this machine has no time-stamp counter"));
		return;
	}
	test_clock(_metadata, self, "tsc", CLOCK_BOOTTIME, seconds_of(CLOCK_BOOTTIME) / 100);
	EXPECT_NE(1000000000U, self->t.ticks_per_second);
}

/* Each of many short recordings begins and ends in the middle of a load. */
SOURCE_TEST(chain, begins_and_ends)
{
	/* The buffers hold all records: on a busy machine, the collector may not run meanwhile. */
	const char * const args[] = { "-q", "-s", self->source, "-d", "50ms", "-b", "16M", NULL };
	static unsigned int naps = ~0U;
	struct worker naper = { .cpu = ANY_CPU, .run = worker_nap, .arg = &naps };
	struct pair pair = {
		.rounds = ~0U,
		.ends = { { .cpu = ANY_CPU, .nice = 10 }, { .cpu = ANY_CPU, .nice = 10 } },
	};
	unsigned int i, runs = scaled(16);

	ASSERT_EQ(0, worker_start(&naper));
	ASSERT_EQ(0, pair_start(&pair));
	for (i = 0; i < runs; i++) {
		ASSERT_EQ(0, collector_run(&self->c, self->dir, args)) TH_LOG("%s", self->c.text);
		ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
		/* On a busy machine, records may still be lost. */
		EXPECT_FINE(trace_check_kept(&self->t, &self->why));
	}
}

struct class_attr {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime;	/* ns, like the other two */
	uint64_t deadline;
	uint64_t period;
};

static const struct class_attr attrs[] = {
	{ .policy = SCHED_OTHER },
	{ .policy = SCHED_OTHER, .nice = 5 },
	{ .policy = SCHED_OTHER, .nice = -3 },
	{ .policy = SCHED_FIFO, .priority = 10 },
	{ .policy = SCHED_IDLE },
	{ .policy = SCHED_DEADLINE, .runtime = 5000000, .deadline = 50000000,
	  .period = 50000000 },
};

#define CLASSES		ARRAY_SIZE(attrs)

/* Weights from the kernel's sched_prio_to_weight[], 1000000 + priority, and INT32_MAX. */
static const int32_t weights[CLASSES] = { 1024, 335, 1991, 1000010, 3, INT32_MAX };
static const int32_t prios[CLASSES] = { 120, 125, 117, 89, 120, -1 };

struct member {
	struct worker w;
	struct class_attr attr;
	uint64_t from;
};

static void nap_in_class(struct worker *w)
{
	struct member *m = w->arg;
	unsigned int naps = 20;

	m->attr.size = sizeof(m->attr);
	if (syscall(SYS_sched_setattr, 0, &m->attr, 0) || counts_read(&w->counts)) {
		w->failed = true;
		return;
	}
	m->from = w->counts.at;
	w->arg = &naps;
	worker_nap(w);
}

/*
 * With PREEMPT_RT, most locks of the kernel lend their holder the priority of a waiter. A higher
 * priority is a smaller number as a priority and a larger one as a weight.
 */
static bool may_be_lent(int32_t seen, int32_t own, bool is_prio)
{
	return is_preempt_rt() && (is_prio ? seen < own : seen > own);
}

/* Check the weights in one thread's switches (both sides) and wakeups after a moment. */
static int check_weight(const struct trace *t, const struct member *m,
			int32_t weight, bool is_prio, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	unsigned int seen[3] = { 0 };
	uint64_t tid = m->w.tid;
	int32_t wrong = weight;
	struct hidden h;
	bool hides;

	trace_for_each_event(t, s, e) {
		if (e->time < m->from)
			continue;
		if (e->is_wakeup && e->wakeup.thread == tid) {
			seen[0]++;
			wrong = e->wakeup.weight;
		} else if (!e->is_wakeup && e->sw.out == tid) {
			seen[1]++;
			wrong = e->sw.out_weight;
		} else if (!e->is_wakeup && e->sw.in == tid) {
			seen[2]++;
			wrong = e->sw.in_weight;
		}
		if (wrong != weight && !may_be_lent(wrong, weight, is_prio))
			return complain(why, "byte %ju: thread %d has weight %d, not %d",
					(uintmax_t)e->offset, m->w.tid, wrong, weight);
	}
	/* A timer may interrupt a hidden thread, which then leaves the CPU to this thread. */
	hidden_find(&h, t);
	hides = h.on;
	if (!seen[1] || (!hides && (!seen[0] || !seen[2])))
		return complain(why, "thread %d: woken %u, out %u, in %u times",
				m->w.tid, seen[0], seen[1], seen[2]);
	return 0;
}

static void test_weights(struct __test_metadata *_metadata,
			 FIXTURE_DATA(chain) *self, const char *what, const int32_t *expected)
{
	bool is_prio = !strcmp(what, "prio");
	struct member members[CLASSES] = { 0 }, *m;
	size_t i, good = 0;

	ASSERT_BEGIN("--weight", what);
	for (i = 0; i < CLASSES; i++) {
		m = &members[i];
		m->attr = attrs[i];
		m->w = (struct worker){ .cpu = ANY_CPU, .run = nap_in_class, .arg = m };
		ASSERT_EQ(0, worker_start(&m->w));
	}
	for (i = 0; i < CLASSES; i++)
		worker_join(&members[i].w);
	ASSERT_FINE(record_check(&self->c, &self->t, &self->why));
	for (i = 0; i < CLASSES; i++) {
		if (members[i].w.failed) {
			TH_LOG("class %zu cannot be had here", i);
			continue;
		}
		good++;
		EXPECT_FINE(check_weight(&self->t, &members[i], expected[i], is_prio, &self->why));
	}
	EXPECT_LE(2U, good);
}

SOURCE_TEST(chain, weights)
{
	test_weights(_metadata, self, "weight", weights);
}

SOURCE_TEST(chain, weights_as_prio)
{
	test_weights(_metadata, self, "prio", prios);
}

/* --- threads that become the leader of their process ---------------------------- */

#define EXEC_LOOPS	6

static void *exec_true(void *arg)
{
	execl("/bin/true", "true", (char *)NULL);
	return arg;
}

/* A leader exits because another thread of its process calls execve(). */
static void exec_in_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, exec_true, NULL))
		_exit(99);
	pthread_join(thread, NULL);
	_exit(98);
}

static int loop_execs(unsigned int times)
{
	int status = 0;
	pid_t pid;

	while (times-- && !status) {
		pid = fork();
		if (!pid)
			exec_in_thread();
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return -1;
	}
	return status;
}

/*
 * Run more loops than there are CPUs, each pinned to one. In its last steps, a leader wakes the
 * thread that waits for its end, and that thread preempts it.
 */
SOURCE_TEST(chain, execs_by_threads)
{
	unsigned int times = scaled(100);
	int cpus[MAX_CPUS], status, i, ret = 0;
	unsigned int count = allowed_cpus(cpus);
	pid_t loops[EXEC_LOOPS];

	ASSERT_BEGIN(NULL);
	for (i = 0; i < EXEC_LOOPS; i++) {
		loops[i] = fork();
		if (!loops[i]) {
			pin(cpus[i % count]);
			_exit(loop_execs(times) ? 1 : 0);
		}
	}
	for (i = 0; i < EXEC_LOOPS; i++)
		ret |= waitpid(loops[i], &status, 0) != loops[i] || status;
	ASSERT_EQ(0, ret);
	/* Loading runs fxt check on it. */
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_FINE(trace_check_records(&self->t, &self->why));
	EXPECT_FINE(trace_check_ledgers(&self->t, &self->why));
}
