// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The archive has the switches that the kernel counted, and the wakers, states and names that the
 * threads had; fxt report finds the sleeps, and who ended them.
 */
#include <sys/ptrace.h>

#include "json_get.h"
#include "off_cpu.h"
#include "real_time.h"
#include "source_fixture.h"
#include "tool.h"

struct tally {
	unsigned long runnable;		/* switched out, still runnable */
	unsigned long blocked;		/* switched out in any other state */
	unsigned long letters[128];	/* those by letter; S has none */
	unsigned long states[16];
	struct fxt_switch last;
};

static struct tally tally(const struct trace *t, pid_t tid, uint64_t from, uint64_t to)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	struct tally n = { 0 };

	trace_for_each_event(t, s, e) {
		if (e->is_wakeup || e->sw.out != (uint64_t)tid || e->time < from || e->time > to)
			continue;
		if (e->sw.state == FXT_THREAD_NEW)
			n.runnable++;
		else
			n.blocked++;
		n.states[e->sw.state]++;
		n.letters[(int)e->sw.letter]++;
		if (e->time >= n.last.time)
			n.last = e->sw;
	}
	return n;
}

/*
 * The kernel counts in __schedule(), just before the tracepoint. A switch is voluntary if the
 * thread blocks, and involuntary otherwise. These threads get no signals, so a thread that calls
 * schedule() to sleep never stays runnable.
 */
static int check_counts(const struct trace *t, const char *name, pid_t tid,
			const struct counts *c, struct why *why)
{
	struct tally n = tally(t, tid, 0, c->at);

	if (n.blocked == c->voluntary && n.runnable == c->involuntary)
		return 0;
	return complain(why, "%s (%d): the archive has %lu switches to sleep and %lu others, the kernel counted %lu and %lu",
			name, tid, n.blocked, n.runnable, c->voluntary, c->involuntary);
}

static int check_name(const struct trace *t, uint8_t type, pid_t koid, pid_t process,
		      const char *expected, struct why *why)
{
	const struct trace_name *n = trace_find_name(t, type, koid);
	const char *kind = type == FXT_OBJECT_THREAD ? "thread" : "process";

	if (!n)
		return complain(why, "%s %d (%s) has no name", kind, koid, expected);
	if (strcmp(n->text, expected))
		return complain(why, "%s %d is named '%s', not '%s' (byte %ju)", kind,
				koid, n->text, expected, (uintmax_t)n->offset);
	if (type == FXT_OBJECT_THREAD && n->process != (uint64_t)process)
		return complain(why, "thread %d (%s) is of process %ju, not %d", koid,
				expected, (uintmax_t)n->process, process);
	return 0;
}

SOURCE_FIXTURE(truth);

/* --- counts and wakers ------------------------------------------------------ */

#define PAIRS	4

static void prepare_pairs(struct pair *pairs, unsigned int rounds)
{
	int cpus[MAX_CPUS], i, side;
	unsigned int count = allowed_cpus(cpus);

	for (i = 0; i < PAIRS; i++) {
		pairs[i].rounds = rounds;
		for (side = 0; side < 2; side++) {
			struct worker *w = &pairs[i].ends[side];

			snprintf(w->name, sizeof(w->name), "pair %d %c", i, 'a' + side);
			w->cpu = i >= 2 ? ANY_CPU : cpus[(i && side) % count];
			w->nice = i == 3 ? 5 * side : 0;
		}
	}
}

SOURCE_TEST(truth, counts)
{
	unsigned int naps = scaled(200), preemptions = 5;
	struct pair pairs[PAIRS] = { 0 };
	struct worker spin[2] = { 0 }, nap = { .name = "naps", .cpu = ANY_CPU };
	struct child child;
	unsigned long switches = 0;
	int i, cpus[MAX_CPUS];

	allowed_cpus(cpus);
	prepare_pairs(pairs, scaled(2000));
	ASSERT_BEGIN("-b", "32M");
	nap.run = worker_nap;
	nap.arg = &naps;
	ASSERT_EQ(0, worker_start(&nap));
	ASSERT_EQ(0, child_start(&child, self->dir, CHILD_PREFIX " counted"));
	for (i = 0; i < 2; i++) {
		spin[i] = (struct worker){ .name = "spins", .cpu = cpus[0],
			.run = worker_spin_until_preempted, .arg = &preemptions };
		ASSERT_EQ(0, worker_start(&spin[i]));
	}
	ASSERT_EQ(0, pairs_run(pairs, PAIRS));
	ASSERT_EQ(0, worker_join(&spin[0]) | worker_join(&spin[1]));
	ASSERT_EQ(0, worker_join(&nap));
	ASSERT_EQ(0, child_counts(&child));
	ASSERT_EQ(0, child_end(&child));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));

	for (i = 0; i < 2 * PAIRS; i++) {
		struct worker *w = &pairs[i / 2].ends[i % 2];

		switches += w->counts.voluntary + w->counts.involuntary;
		/* The first pair shares one CPU: each round needs two switches on it. */
		if (i == 1)
			EXPECT_LT(pairs[0].rounds, switches);
		EXPECT_FINE(check_counts(&self->t, w->name, w->tid, &w->counts, &self->why));
	}
	for (i = 0; i < 2; i++) {
		EXPECT_LE(preemptions, spin[i].counts.involuntary);
		EXPECT_FINE(check_counts(&self->t, "spins", spin[i].tid,
					 &spin[i].counts, &self->why));
	}
	EXPECT_LE(naps, nap.counts.voluntary);
	EXPECT_FINE(check_counts(&self->t, "naps", nap.tid, &nap.counts, &self->why));
	EXPECT_FINE(check_counts(&self->t, child.name, child.pid, &child.counts, &self->why));
}

static void count_wakers(const struct trace *t, const struct worker *w,
			 const struct worker *partner, unsigned long *right, unsigned long *all)
{
	const struct trace_stream *s;
	const struct trace_event *e;

	trace_for_each_event(t, s, e) {
		if (!e->is_wakeup || e->wakeup.thread != (uint64_t)w->tid)
			continue;
		++*all;
		*right += e->wakeup.has_waker &&
			  e->wakeup.waker == (uint64_t)partner->tid;
	}
}

static int check_birth(const struct trace *t, const struct worker *w, pid_t creator,
		       struct why *why)
{
	const struct trace_event *e, *first = NULL;
	const struct trace_stream *s;
	uint64_t tid = w->tid;

	trace_for_each_event(t, s, e) {
		/* At equal times the wakeup comes first. */
		if ((e->is_wakeup ? e->wakeup.thread == tid : e->sw.in == tid) &&
		    (!first || e->time < first->time || (e->time == first->time && e->is_wakeup)))
			first = e;
	}
	if (first && first->is_wakeup && first->wakeup.waker == (uint64_t)creator)
		return 0;
	if (first && first->is_wakeup)
		return complain(why, "thread %d (%s) is first woken by %ju, not by its creator %d",
				w->tid, w->name, (uintmax_t)first->wakeup.waker, creator);
	return complain(why, "thread %d (%s) runs without having been woken at its birth",
			w->tid, w->name);
}

SOURCE_TEST(truth, wakers)
{
	struct pair pairs[PAIRS] = { 0 };
	unsigned long right, all, of_first = 0;

	prepare_pairs(pairs, scaled(1500));
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, pairs_run(pairs, PAIRS));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0U, trace_lost(&self->t));
	for (int i = 0; i < 2 * PAIRS; i++) {
		struct worker *ends = pairs[i / 2].ends;

		all = 0;
		right = all;
		EXPECT_FINE(check_birth(&self->t, &ends[i % 2], gettid(), &self->why));
		count_wakers(&self->t, &ends[i % 2], &ends[!(i % 2)], &right, &all);
		of_first += i < 2 ? all : 0;
		/* Its creator and its barrier also wake it. */
		EXPECT_LE(all * 99, right * 100 + 400)
			TH_LOG("%s: woken %lu times, %lu times by its partner",
			       ends[i % 2].name, all, right);
	}
	/* On one CPU, at least one of the two has to wait in each round. */
	EXPECT_LT(pairs[0].rounds / 2, of_first);
}

/* --- states ----------------------------------------------------------------- */

/* A part of a thread's life, the state in which it must go to sleep, and who ends the sleep. */
struct stretch {
	const char *what;
	pid_t tid;
	uint64_t from;
	uint64_t to;
	uint8_t state;
	char letter;
	pid_t waker;
};

static char vfork_stack[16384] __attribute__((aligned(16)));

static int exit_when_awaited(void *arg)
{
	const pid_t *parent = arg;

	wait_until_off_cpu(parent);
	_exit(0);
}

/* A parent waits uninterruptibly for its vfork child; only a kill ends that. */
static int wait_in_vfork(struct stretch *s)
{
	pid_t pid, parent = gettid();

	*s = (struct stretch){ "vfork", parent, boottime_ns(), 0,
			       FXT_THREAD_BLOCKED, 'D', 0 };
	pid = clone(exit_when_awaited, vfork_stack + sizeof(vfork_stack),
		    CLONE_VM | CLONE_VFORK | SIGCHLD, &parent);
	s->to = boottime_ns();
	s->waker = pid;
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

/* Stop a child, by a signal or by tracing it, and let it continue. */
static int stop_child(struct stretch *s, bool traced)
{
	uint64_t from = boottime_ns();
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (traced)
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return -1;
	/* Letting it continue wakes it only if it has left its CPU. */
	wait_until_off_cpu(&pid);
	*s = (struct stretch){ traced ? "traced" : "stopped", pid, from, boottime_ns(),
			       FXT_THREAD_SUSPENDED, traced ? 't' : 0, 0 };
	if (traced)
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	else
		kill(pid, SIGCONT);
	return waitpid(pid, &status, 0) == pid && !status ? 0 : -1;
}

static void nap_once(struct worker *w)
{
	(void)w;
	sleep_off_cpu(5000000);
}

#define NAPS	5	/* in a stretch: the kernel may hide what ends one of them */

static int nap(struct stretch *s, unsigned int ms)
{
	*s = (struct stretch){ "nanosleep", gettid(), boottime_ns(), 0,
			       FXT_THREAD_BLOCKED, 0, 0 };
	for (unsigned int i = 0; i < NAPS; i++)
		sleep_off_cpu(ms * 1000000ULL / NAPS);
	s->to = boottime_ns();
	return 0;
}

/*
 * Wait until the archive has the last switch of a thread, which is known to have ended before it
 * leaves its CPU.
 */
static void await_end(const struct collector *c, pid_t tid)
{
	bool has_ended = false;
	struct trace t;
	struct why why;

	for (int waited = 0; waited < PATIENCE_MS && !has_ended; waited += 20) {
		sleep_ms(20);
		trace_load(&t, c->output, true, &why);
		has_ended = tally(&t, tid, 0, UINT64_MAX).last.state >= FXT_THREAD_DYING;
		trace_free(&t);
	}
}

SOURCE_TEST(truth, states)
{
	struct stretch s[4];
	struct worker dead = { .name = "dies", .cpu = ANY_CPU, .run = nap_once };
	struct tally n;
	siginfo_t info;
	pid_t zombie;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, nap(&s[0], 5));
	ASSERT_EQ(0, wait_in_vfork(&s[1]));
	ASSERT_EQ(0, stop_child(&s[2], false));
	ASSERT_EQ(0, stop_child(&s[3], true));
	ASSERT_EQ(0, worker_start(&dead));
	ASSERT_EQ(0, worker_join(&dead));
	zombie = fork();
	if (!zombie)
		_exit(0);
	/* It stays a zombie until the recording is over. */
	ASSERT_EQ(0, waitid(P_PID, zombie, &info, WEXITED | WNOWAIT));
	await_end(&self->c, dead.tid);
	await_end(&self->c, zombie);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	ASSERT_EQ(zombie, waitpid(zombie, NULL, 0));

	for (size_t i = 0; i < ARRAY_SIZE(s); i++) {
		n = tally(&self->t, s[i].tid, s[i].from, s[i].to);
		EXPECT_LE(1U, n.states[s[i].state]) TH_LOG("%s", s[i].what);
		if (s[i].letter || s[i].state == FXT_THREAD_SUSPENDED)
			EXPECT_LE(1U, n.letters[(int)s[i].letter]) TH_LOG("%s", s[i].what);
	}
	/* The sleeping thread is never in D, and the stopped one is never traced. */
	n = tally(&self->t, s[0].tid, s[0].from, s[0].to);
	EXPECT_EQ(0U, n.letters['D']);
	n = tally(&self->t, s[2].tid, s[2].from, s[2].to);
	EXPECT_EQ(0U, n.letters['t']);
	n = tally(&self->t, dead.tid, 0, UINT64_MAX);
	EXPECT_EQ(FXT_THREAD_DEAD, n.last.state);
	n = tally(&self->t, zombie, 0, UINT64_MAX);
	EXPECT_EQ(FXT_THREAD_DYING, n.last.state);
}

/* --- sleeps, as fxt report has them ----------------------------------------- */

struct late {
	int pipe[2];
	pid_t reader;
};

static void write_late(struct worker *w)
{
	const struct late *l = w->arg;

	wait_until_in(&l->reader, SYS_read, NULL);
	w->failed = write(l->pipe[1], "x", 1) != 1;
}

/* Sleep until another thread writes to a pipe. */
static int read_late(struct stretch *s)
{
	struct late l = { .reader = gettid() };
	struct worker w = { .name = "writes late", .cpu = ANY_CPU, .run = write_late, .arg = &l };
	char byte;
	int ret;

	if (pipe2(l.pipe, O_CLOEXEC))
		return -1;
	ret = worker_start(&w);
	*s = (struct stretch){ "read", gettid(), boottime_ns(), 0, FXT_THREAD_BLOCKED, 0, 0 };
	ret |= read(l.pipe[0], &byte, 1) != 1;
	s->to = boottime_ns();
	s->waker = w.tid;
	ret |= worker_join(&w);
	close(l.pipe[0]);
	close(l.pipe[1]);
	return ret;
}

/* Did the stretch's waker end this sleep, or a timer if it has none? */
static bool is_ended_by(struct json_object *sleep, const struct stretch *s)
{
	const char *name = json_object_get_string(json_object_object_get(sleep, "waker_name"));
	bool is_irq = json_object_object_get(sleep, "waker_irq");

	if (!s->waker && is_preempt_rt())
		return !is_irq && name && !strncmp(name, TIMER_THREAD, strlen(TIMER_THREAD));
	return amount(sleep, "waker_tid") == (uint64_t)s->waker && is_irq == !s->waker;
}

static int check_sleep(struct json_object *report, const struct stretch *s, struct why *why)
{
	struct json_object *list = json_object_object_get(report, s->letter == 'D' ?
							  "longest_uninterruptible" :
							  "longest_sleeps");

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *j = json_object_array_get_idx(list, i);
		uint64_t to = number(j, "time_ns"), ns = number(j, "sleep_ns");

		if (number(j, "tid") == s->tid && to <= s->to && to - ns >= s->from && ns &&
		    is_ended_by(j, s))
			return 0;
	}
	return complain(why, "%s: no sleep of %d that %d ended: %.300s", s->what, s->tid, s->waker,
			json_object_to_json_string(list));
}

SOURCE_TEST(truth, sleeps)
{
	char pid[16];
	const char *const args[] = {
		"report", "--json", "--top", "1000", "--pid", pid, self->c.output, NULL,
	};
	struct json_object *report;
	struct stretch s[3];
	struct tool tool;

	snprintf(pid, sizeof(pid), "%d", getpid());
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, nap(&s[0], 50));
	ASSERT_EQ(0, wait_in_vfork(&s[1]));
	ASSERT_EQ(0, read_late(&s[2]));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, tool_run(&tool, args)) TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	ASSERT_NE(NULL, report);
	for (size_t i = 0; i < ARRAY_SIZE(s); i++)
		EXPECT_FINE(check_sleep(report, &s[i], &self->why));
}

/* --- names ------------------------------------------------------------------ */

#define BRIEF_THREADS	20

static void rename_twice(struct worker *w)
{
	prctl(PR_SET_NAME, "for a moment");
	sched_yield();
	prctl(PR_SET_NAME, (char *)w->arg);
}

static void do_nothing(struct worker *w)
{
	(void)w;
}

/*
 * A process renames itself and another one of its threads. Return: its id when it has ended, or -1.
 */
static pid_t run_renamed_leader(void)
{
	struct worker w = { .name = "not the leader", .cpu = ANY_CPU, .run = do_nothing };
	pid_t pid = fork();
	int status;

	if (pid)
		return waitpid(pid, &status, 0) == pid && !status ? pid : -1;
	prctl(PR_SET_NAME, "leader renamed");
	_exit(worker_start(&w) || worker_join(&w));
}

/* Check that all threads with events after @began have names. */
static int check_all_named(const struct trace *t, uint64_t began, struct why *why)
{
	const struct trace_stream *s;
	const struct trace_event *e;
	struct hidden h;
	int ret = 0;

	/* If the kernel hides a thread, it hides the births by that thread as well. */
	hidden_find(&h, t);
	if (h.on)
		began = UINT64_MAX;
	trace_for_each_event(t, s, e) {
		const struct trace_name *n;
		uint64_t tid = e->is_wakeup ? e->wakeup.thread : e->sw.in;

		/* A thread that ended before names were gathered has none. */
		if (ret || !tid || e->time < began)
			continue;
		n = trace_find_name(t, FXT_OBJECT_THREAD, tid);
		if (!n)
			ret = complain(why, "byte %ju: thread %ju has no name",
				       (uintmax_t)e->offset, (uintmax_t)tid);
		else if (!trace_find_name(t, FXT_OBJECT_PROCESS, n->process))
			ret = complain(why, "process %ju of thread %ju has no name",
				       (uintmax_t)n->process, (uintmax_t)tid);
	}
	return ret;
}

SOURCE_TEST(truth, thread_names)
{
	struct worker w[4] = {
		{ .name = "before", .arg = "after" },
		{ .name = "b", .arg = "fifteen letters" },
		{ .name = "", .arg = "" },
		{ .name = "l\303\244uft", .arg = "zwei W\303\266rter" },
	};
	struct worker brief[BRIEF_THREADS] = { 0 };
	pid_t leader;

	ASSERT_BEGIN(NULL);
	for (int i = 0; i < 4; i++) {
		w[i].cpu = ANY_CPU;
		w[i].run = rename_twice;
		ASSERT_EQ(0, worker_start(&w[i]));
		ASSERT_EQ(0, worker_join(&w[i]));
	}
	for (int i = 0; i < BRIEF_THREADS; i++) {
		snprintf(brief[i].name, sizeof(brief[i].name), "brief %d", i % 100);
		brief[i].cpu = ANY_CPU;
		brief[i].run = do_nothing;
		ASSERT_EQ(0, worker_start(&brief[i]));
		ASSERT_EQ(0, worker_join(&brief[i]));
	}
	leader = run_renamed_leader();
	ASSERT_LT(0, leader);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));

	for (int i = 0; i < 4; i++)
		EXPECT_FINE(check_name(&self->t, FXT_OBJECT_THREAD, w[i].tid, getpid(),
				       w[i].arg, &self->why));
	for (int i = 0; i < BRIEF_THREADS; i++)
		EXPECT_FINE(check_name(&self->t, FXT_OBJECT_THREAD, brief[i].tid,
				       getpid(), brief[i].name, &self->why));
	EXPECT_FINE(check_name(&self->t, FXT_OBJECT_THREAD, leader, leader,
			       "leader renamed", &self->why));
	EXPECT_FINE(check_name(&self->t, FXT_OBJECT_PROCESS, leader, leader,
			       "leader renamed", &self->why));
	EXPECT_FINE(check_all_named(&self->t, self->c.began, &self->why));
}

#define LONG_NAME	CHILD_PREFIX "-with-a-name-beyond-15"

SOURCE_TEST(truth, process_names)
{
	static const char * const names[] = {
		CHILD_PREFIX, CHILD_PREFIX "-15---", LONG_NAME, LONG_NAME,
	};
	struct child children[4];
	char comm[COMM_SIZE];

	ASSERT_BEGIN(NULL);
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, child_start(&children[i], self->dir, names[i]));
		/* The child has executed its program when it answers. */
		ASSERT_EQ(0, child_counts(&children[i]));
	}
	ASSERT_EQ(0, child_end(&children[3]));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, child_end(&children[i]));

	for (int i = 0; i < 4; i++) {
		pid_t pid = children[i].pid;

		snprintf(comm, sizeof(comm), "%s", names[i]);
		EXPECT_FINE(check_name(&self->t, FXT_OBJECT_THREAD, pid, pid, comm, &self->why));
		/* A process that still lives at the end has its whole name. */
		EXPECT_FINE(check_name(&self->t, FXT_OBJECT_PROCESS, pid, pid,
				       i < 3 ? names[i] : comm, &self->why));
	}
	EXPECT_FINE(check_all_named(&self->t, self->c.began, &self->why));
}
