// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trigger by sleeps, by uninterruptible sleeps or by waits for locks fires for the thread that is
 * watched, and only for what it waits for. The time of a sleep that is over is, to the nanosecond,
 * that from the switch-out to the wakeup in the archive; of one that is not, the archive has no
 * end. If stacks are recorded, the snapshot has those of the sleep, of the waker and of the holder.
 * A futex is a lock only if a thread of the process is known to have it.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "json_get.h"
#include "off_cpu.h"
#include "source_fixture.h"
#include "tool.h"

#define ROOM		64
#define SECONDS		30U	/* longest sleep, if no snapshot ends it */
#define TRIES		10	/* until a sleep ends before a search finds it */

SOURCE_FIXTURE(trigger_sleep);

/* --- sleepers --------------------------------------------------------------------- */

struct sleeper {
	struct worker w;
	void (*run)(struct worker *w);
	int pipe[2];
	pthread_mutex_t mutex;
};

static void sleep_in_read(struct worker *w)
{
	struct sleeper *s = w->arg;
	char byte;

	w->failed = read(s->pipe[0], &byte, 1) != 1;
}

/* Its parent sleeps, even if the byte was there before. */
static int read_and_exit(void *arg)
{
	struct sleeper *s = arg;
	char byte;
	int ret = read(s->pipe[0], &byte, 1) != 1;

	wait_until_off_cpu(&s->w.tid);
	_exit(ret);
}

/* Its child sleeps in read(); meanwhile it waits uninterruptibly. */
static void sleep_in_vfork(struct worker *w)
{
	static char stack[16384] __attribute__((aligned(16)));
	int status = 0;
	pid_t pid = clone(read_and_exit, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD,
			  w->arg);

	w->failed = waitpid(pid, &status, 0) != pid || status;
}

static void sleep_in_lock(struct worker *w)
{
	struct sleeper *s = w->arg;

	pthread_mutex_lock(&s->mutex);
	pthread_mutex_unlock(&s->mutex);
}

/* It gets its name only now, because it has slept until its creator went on. */
static void be_sleeper(struct worker *w)
{
	const struct sleeper *s = w->arg;

	prctl(PR_SET_NAME, "sleeper");
	s->run(w);
}

/* A thread that has the lock of a sleeper until end_held(). */
struct holder {
	struct worker w;
	struct sleeper *of;
	atomic_bool has_lock;
	atomic_bool must_end;
	int pipe[2];
};

/* Not inlined, so that it is in the stack. */
static __attribute__((noinline)) int read_byte_with_lock(struct holder *h)
{
	char byte;
	int failed = read(h->pipe[0], &byte, 1) != 1;

	pthread_mutex_unlock(&h->of->mutex);
	return failed;
}

static void hold_asleep(struct worker *w)
{
	struct holder *h = w->arg;

	pthread_mutex_lock(&h->of->mutex);
	atomic_store(&h->has_lock, true);
	w->failed = read_byte_with_lock(h);
}

static void hold_running(struct worker *w)
{
	struct holder *h = w->arg;

	pthread_mutex_lock(&h->of->mutex);
	atomic_store(&h->has_lock, true);
	while (!atomic_load(&h->must_end))
		;
	pthread_mutex_unlock(&h->of->mutex);
}

/* Start one, which has the lock, and a sleeper that sleeps for it. */
static int begin_held(struct sleeper *s, struct holder *h, void (*hold)(struct worker *w))
{
	*s = (struct sleeper){
		.w = { .name = "no sleeper", .cpu = ANY_CPU, .run = be_sleeper, .arg = s },
		.run = sleep_in_lock,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
	*h = (struct holder){
		.w = { .name = "holder", .cpu = ANY_CPU, .run = hold, .arg = h }, .of = s,
	};
	if (pipe2(h->pipe, O_CLOEXEC) || worker_start(&h->w))
		return -1;
	while (!atomic_load(&h->has_lock))
		sleep_ms(1);
	return worker_start(&s->w);
}

static int end_held(struct sleeper *s, struct holder *h)
{
	int failed = write(h->pipe[1], "", 1) != 1;

	atomic_store(&h->must_end, true);
	failed |= worker_join(&h->w) | worker_join(&s->w);
	close(h->pipe[0]);
	close(h->pipe[1]);
	return failed;
}

static int start_sleeper(int cpu, struct sleeper *s, void (*run)(struct worker *w))
{
	*s = (struct sleeper){
		.w = { .name = "no sleeper", .cpu = cpu, .run = be_sleeper, .arg = s },
		.run = run,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
	return pipe2(s->pipe, O_CLOEXEC) || pthread_mutex_lock(&s->mutex) || worker_start(&s->w) ?
	       -1 : 0;
}

/* Start one on a CPU, and wait until it sleeps in the state @letter. */
static int begin_sleep_on(int cpu, struct sleeper *s, void (*run)(struct worker *w), char letter)
{
	if (start_sleeper(cpu, s, run))
		return -1;
	while (process_state(s->w.tid) != letter || !is_off_cpu(s->w.tid))
		sleep_ms(1);
	return 0;
}

static int begin_sleep(struct sleeper *s, void (*run)(struct worker *w), char letter)
{
	return begin_sleep_on(ANY_CPU, s, run, letter);
}

static int end_sleep(struct sleeper *s)
{
	int failed = write(s->pipe[1], "", 1) != 1 || pthread_mutex_unlock(&s->mutex);

	failed |= worker_join(&s->w);
	close(s->pipe[0]);
	close(s->pipe[1]);
	return failed;
}

/* --- what the snapshot has ---------------------------------------------------------- */

static void read_trigger(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
			 const char *cause, pid_t tid, struct json_object **hit)
{
	char snapshot[RECORD_PATH + 32];
	struct json_object *report, *said;
	struct tool t;

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_EQ(0, tool_run(&t, ARGS("check", snapshot))) TH_LOG("%s", t.out);
	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--all", "--json", "--top", "1000000", snapshot)))
		TH_LOG("%s", t.err);
	report = json_tokener_parse(t.out);
	ASSERT_NE(NULL, report);
	ASSERT_TRUE(json_object_object_get_ex(report, "trigger", hit));
	ASSERT_NE(NULL, *hit);
	json_object_get(*hit);
	ASSERT_TRUE(json_object_object_get_ex(*hit, "cause", &said));
	EXPECT_STREQ(cause, json_object_get_string(said));
	EXPECT_EQ(tid, number(*hit, "tid"));
}

static bool is_open(struct json_object *hit)
{
	struct json_object *open;

	return json_object_object_get_ex(hit, "open", &open) && json_object_get_boolean(open);
}

/*
 * The length of a thread's sleep that ended at a time, as the archive has it; or 0. Ticks are ns.
 */
static uint64_t length_of_sleep(const struct trace *t, uint64_t tid, uint64_t time)
{
	const struct trace_event *e;
	uint64_t since = 0;

	for (size_t i = 0; i < t->stream_count; i++)
		for (size_t j = 0; j < t->streams[i].event_count; j++) {
			e = &t->streams[i].events[j];
			if (!e->is_wakeup && e->sw.out == tid && e->time < time)
				since = e->time > since ? e->time : since;
		}
	return time - since;
}

/* --- sleeps that go on ---------------------------------------------------------------- */

static void check_open(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
		       const char *cause, void (*run)(struct worker *w), char letter,
		       const char *condition)
{
	char trigger[ROOM], snapshot[RECORD_PATH + 32], said[3 * ROOM];
	struct json_object *hit;
	struct sleeper s;
	struct tool t;

	snprintf(trigger, sizeof(trigger), "%s>50ms%s", cause, condition);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_BEGIN("-F", "--trigger", trigger);
	ASSERT_EQ(0, begin_sleep(&s, run, letter));
	for (size_t i = 0; i < SECONDS * 100 && access(snapshot, F_OK); i++)
		sleep_ms(10);
	/* Its child has the gate's descriptor, too. */
	ASSERT_EQ(0, end_sleep(&s));
	EXPECT_FINE(record_end(&self->c, &self->why));
	snprintf(said, sizeof(said), "thread %d (sleeper) has slept and still sleeps, ", s.w.tid);
	EXPECT_IN(self->c.text, said);
	read_trigger(_metadata, self, cause, s.w.tid, &hit);
	EXPECT_TRUE(is_open(hit));
	EXPECT_LT(50 * 1000000, number(hit, "latency_ns"));
	ASSERT_EQ(0, tool_run(&t, ARGS("report", snapshot))) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, letter == 'D' ? " in D, which fired the trigger, still" :
					 ", which fired the trigger, still");
	ASSERT_EQ(0, tool_run(&t, ARGS("why", snapshot))) TH_LOG("%s", t.err);
	snprintf(said, sizeof(said), "The sleep that fired the trigger: sleeper/%d", s.w.tid);
	EXPECT_IN(t.out, said);
}

SOURCE_TEST(trigger_sleep, blocked_goes_on)
{
	check_open(_metadata, self, "blocked", sleep_in_vfork, 'D', ":comm=sleeper");
}

SOURCE_TEST(trigger_sleep, sleep_goes_on)
{
	char condition[ROOM];

	snprintf(condition, sizeof(condition), ":pid=%d:comm=sleep*", getpid());
	check_open(_metadata, self, "sleep", sleep_in_read, 'S', condition);
}

/* --- sleeps that end ---------------------------------------------------------------- */

/*
 * A sleep of some ms ends before a search finds it, or after; the first one that fires counts. The
 * child of a vfork ends as soon as its parent sleeps, so that a search rarely finds it.
 */
static void check_end(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
		      const char *cause, void (*run)(struct worker *w), char letter)
{
	char trigger[ROOM], snapshot[RECORD_PATH + 32], said[2 * ROOM];
	struct json_object *hit = NULL;
	struct sleeper s;

	snprintf(trigger, sizeof(trigger), "%s>1us:comm=sleeper", cause);
	for (int i = 0; i < TRIES && (!hit || is_open(hit)); i++) {
		ASSERT_BEGIN("-F", "--trigger", trigger);
		ASSERT_EQ(0, letter == 'D' ? start_sleeper(ANY_CPU, &s, run) :
					     begin_sleep(&s, run, letter));
		ASSERT_EQ(0, end_sleep(&s));
		ASSERT_FINE(record_end(&self->c, &self->why));
		read_trigger(_metadata, self, cause, s.w.tid, &hit);
		snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
		trace_free(&self->t);
		ASSERT_FINE(trace_load(&self->t, snapshot, false, &self->why));
		ASSERT_EQ(0, unlink(snapshot));
	}
	ASSERT_FALSE(is_open(hit));
	EXPECT_EQ(length_of_sleep(&self->t, s.w.tid, number(hit, "time_ns")),
		  (uint64_t)number(hit, "latency_ns"));
	snprintf(said, sizeof(said), "thread %d (sleeper) slept ", s.w.tid);
	EXPECT_IN(self->c.text, said);
}

SOURCE_TEST(trigger_sleep, blocked_ends)
{
	check_end(_metadata, self, "blocked", sleep_in_vfork, 'D');
}

SOURCE_TEST(trigger_sleep, sleep_ends)
{
	check_end(_metadata, self, "sleep", sleep_in_read, 'S');
}

/* --- sleeps that do not count ---------------------------------------------------------- */

static void check_nothing(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
			  const char *trigger, const char *filter)
{
	char said[2 * ROOM];
	struct sleeper s;

	ASSERT_BEGIN("-F", "--trigger", trigger, filter);
	ASSERT_EQ(0, begin_sleep(&s, sleep_in_read, 'S'));
	sleep_ms(60);
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	snprintf(said, sizeof(said), "%s never fired", trigger);
	EXPECT_IN(self->c.text, said);
}

SOURCE_TEST(trigger_sleep, short_sleep)
{
	check_nothing(_metadata, self, "sleep>100s:comm=sleeper", NULL);
}

SOURCE_TEST(trigger_sleep, sleep_of_another)
{
	check_nothing(_metadata, self, "sleep>10ms:comm=nobody", NULL);
}

SOURCE_TEST(trigger_sleep, not_blocked)
{
	check_nothing(_metadata, self, "blocked>10ms:comm=sleeper", NULL);
}

SOURCE_TEST(trigger_sleep, sleep_outside_the_filter)
{
	check_nothing(_metadata, self, "sleep>10ms:comm=sleeper", "--comm=nobody");
}

/* A thread that slept before the recording began fires no trigger while it sleeps on. */
SOURCE_TEST(trigger_sleep, sleep_from_before)
{
	struct sleeper s;

	ASSERT_EQ(0, begin_sleep(&s, sleep_in_read, 'S'));
	ASSERT_BEGIN("-F", "--trigger", "sleep>10ms:comm=sleeper");
	sleep_ms(60);
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, " never fired");
}

/* --- locks ----------------------------------------------------------------------------- */

#define NEEDS_LOCKS() do {							\
	if (!kernel_is_since(5, 19))						\
		SKIP(return, "this kernel does not show waits for locks");	\
} while (0)

/*
 * The wait ends before a search finds it, or after; the first one that fires counts. In a slow
 * kernel, threads also wait for the memory of their process.
 */
static bool has_ended_futex(const struct tool *t)
{
	return t->out && strstr(t->out, "\nTrigger\n") && strstr(t->out, "for a lock (futex ");
}

SOURCE_TEST(trigger_sleep, lock)
{
	char said[2 * ROOM], snapshot[RECORD_PATH + 32];
	struct tool t = { 0 };
	struct json_object *hit;
	struct sleeper s;

	NEEDS_LOCKS();
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	for (int i = 0; i < TRIES && !has_ended_futex(&t); i++) {
		unlink(snapshot);
		ASSERT_BEGIN("-F", "--trigger", "lock>1us:comm=sleeper");
		ASSERT_EQ(0, begin_sleep(&s, sleep_in_lock, 'S'));
		ASSERT_EQ(0, end_sleep(&s));
		ASSERT_FINE(record_end(&self->c, &self->why));
		ASSERT_EQ(0, tool_run(&t, ARGS("report", snapshot))) TH_LOG("%s", t.err);
	}
	read_trigger(_metadata, self, "lock", s.w.tid, &hit);
	ASSERT_FALSE(is_open(hit));
	snprintf(said, sizeof(said), "thread %d (sleeper) waited ", s.w.tid);
	EXPECT_IN(self->c.text, said);
	snprintf(said, sizeof(said), " ms for a lock (futex 0x%lx) held by thread %d (trigger_sleep_",
		 (unsigned long)&s.mutex, getpid());
	EXPECT_IN(self->c.text, said);
	EXPECT_LT(1000, number(hit, "latency_ns"));
	EXPECT_EQ(getpid(), number(hit, "holder"));
	EXPECT_IN(t.out, " for a lock that ");
}

/* Start a recording, and wait until the wait for a lock that goes on has fired the trigger. */
static void fire_held(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
		      struct sleeper *s, struct holder *h, void (*hold)(struct worker *w),
		      const char *stacks)
{
	char snapshot[RECORD_PATH + 32];
	bool has_fired;

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_BEGIN("-F", "--after=1s", "--trigger", "lock>50ms:comm=sleeper", stacks);
	ASSERT_EQ(0, begin_held(s, h, hold));
	for (size_t i = 0; i < SECONDS * 100 && access(snapshot, F_OK); i++)
		sleep_ms(10);
	has_fired = !access(snapshot, F_OK);
	ASSERT_EQ(0, end_held(s, h));
	EXPECT_FINE(record_end(&self->c, &self->why));
	ASSERT_TRUE(has_fired) TH_LOG("%s", self->c.text);
}

SOURCE_TEST(trigger_sleep, lock_goes_on)
{
	char said[3 * ROOM], snapshot[RECORD_PATH + 32], address[ROOM];
	struct json_object *hit, *text;
	struct sleeper s;
	struct holder h;
	struct tool t;

	NEEDS_LOCKS();
	fire_held(_metadata, self, &s, &h, hold_asleep, NULL);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	snprintf(said, sizeof(said), "thread %d (sleeper) has waited and still waits, ", s.w.tid);
	EXPECT_IN(self->c.text, said);
	snprintf(address, sizeof(address), "0x%lx", (unsigned long)&s.mutex);
	snprintf(said, sizeof(said), " ms for a lock (futex %s) held by thread %d (holder)\n", address,
		 h.w.tid);
	EXPECT_IN(self->c.text, said);
	read_trigger(_metadata, self, "lock", s.w.tid, &hit);
	EXPECT_TRUE(is_open(hit));
	EXPECT_LT(50 * 1000000, number(hit, "latency_ns"));
	EXPECT_EQ(h.w.tid, number(hit, "holder"));
	ASSERT_TRUE(json_object_object_get_ex(hit, "lock", &text));
	EXPECT_STREQ("futex", json_object_get_string(text));
	ASSERT_TRUE(json_object_object_get_ex(hit, "lock_address", &text));
	EXPECT_STREQ(address, json_object_get_string(text));
	ASSERT_EQ(0, tool_run(&t, ARGS("report", snapshot))) TH_LOG("%s", t.err);
	snprintf(said, sizeof(said), "waiting for a lock (futex %s), and still so at ", address);
	EXPECT_IN(t.out, said);
	snprintf(said, sizeof(said), " for a lock that holder/%d held", h.w.tid);
	EXPECT_IN(t.out, said);
	snprintf(said, sizeof(said), "held by holder/%d\n", h.w.tid);
	EXPECT_IN(t.out, said);
	ASSERT_EQ(0, tool_run(&t, ARGS("why", snapshot))) TH_LOG("%s", t.err);
	snprintf(said, sizeof(said),
		 "waiting for a lock (futex) held by holder/%d, not woken until the end", h.w.tid);
	EXPECT_IN(t.out, said);
}

/* A condition variable, and its mutex, which nobody has. Its thread is named as in be_sleeper(). */
struct changed {
	struct worker w;
	pthread_cond_t change;
	pthread_mutex_t mutex;
	bool has_changed;
};

static void wait_for_change(struct worker *w)
{
	struct changed *c = w->arg;

	prctl(PR_SET_NAME, "sleeper");
	pthread_mutex_lock(&c->mutex);
	while (!c->has_changed)
		pthread_cond_wait(&c->change, &c->mutex);
	pthread_mutex_unlock(&c->mutex);
}

SOURCE_TEST(trigger_sleep, condition_variable)
{
	struct changed c = {
		.w = { .name = "no sleeper", .cpu = ANY_CPU, .run = wait_for_change, .arg = &c },
		.change = PTHREAD_COND_INITIALIZER, .mutex = PTHREAD_MUTEX_INITIALIZER,
	};

	NEEDS_LOCKS();
	ASSERT_BEGIN("-F", "--trigger", "lock>10ms:comm=sleeper");
	ASSERT_EQ(0, worker_start(&c.w));
	wait_until_off_cpu(&c.w.tid);
	sleep_ms(60);
	pthread_mutex_lock(&c.mutex);
	c.has_changed = true;
	pthread_mutex_unlock(&c.mutex);
	pthread_cond_signal(&c.change);
	ASSERT_EQ(0, worker_join(&c.w));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, "lock>10ms:comm=sleeper never fired");
}

/*
 * In the place of a mutex's owner is the id of a thread, but the futex has no value of a contended
 * mutex, and the id stays.
 */
struct flagged {
	struct worker w;
	uint32_t word;
	uint32_t unused;
	uint32_t thread;
};

static void wait_for_word(struct worker *w)
{
	struct flagged *f = w->arg;

	prctl(PR_SET_NAME, "sleeper");
	while (!__atomic_load_n(&f->word, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &f->word, FUTEX_WAIT_PRIVATE, 0, NULL);
}

SOURCE_TEST(trigger_sleep, futex_beside_a_thread_id)
{
	struct flagged f = {
		.w = { .name = "no sleeper", .cpu = ANY_CPU, .run = wait_for_word, .arg = &f },
		.thread = getpid(),
	};

	NEEDS_LOCKS();
	ASSERT_BEGIN("-F", "--trigger", "lock>10ms:comm=sleeper");
	ASSERT_EQ(0, worker_start(&f.w));
	wait_until_off_cpu(&f.w.tid);
	sleep_ms(60);
	__atomic_store_n(&f.word, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &f.word, FUTEX_WAKE_PRIVATE, 1);
	ASSERT_EQ(0, worker_join(&f.w));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, "lock>10ms:comm=sleeper never fired");
}

/* --- stacks ---------------------------------------------------------------------------- */

#define STACKS	"--stacks=offcpu,wake,kernel,user"

/* Read the report of the snapshot into @t. */
static void read_report(struct __test_metadata *_metadata, FIXTURE_DATA(trigger_sleep) *self,
			struct tool *t)
{
	char snapshot[RECORD_PATH + 32];

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_EQ(0, tool_run(t, ARGS("check", snapshot))) TH_LOG("%s", t->out);
	ASSERT_EQ(0, tool_run(t, ARGS("report", snapshot))) TH_LOG("%s", t->err);
}

/* Does the report have a line that begins with @what, with @function in it or in the next ones? */
static bool has_function(const struct tool *t, const char *what, const char *function)
{
	const char *at = strstr(t->out, what), *end = at ? strstr(at, "\n\n") : NULL;
	const char *in = at ? strstr(at, function) : NULL;

	return in && (!end || in < end);
}

/*
 * The same for a function of the program. On a busy machine the recorder may read the unwind
 * information of files too late.
 */
static bool has_caller(const FIXTURE_DATA(trigger_sleep) *self, const struct tool *t,
		       const char *what, const char *function)
{
	return has_function(t, what, function) || strstr(self->c.text, " may lack frames: ");
}

static void check_stack_of_open(struct __test_metadata *_metadata,
				FIXTURE_DATA(trigger_sleep) *self, int cpu, const char *option)
{
	char snapshot[RECORD_PATH + 32];
	struct sleeper s;
	struct tool t;

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	/* The default may be too short for BPF on a busy machine. */
	ASSERT_BEGIN("-F", STACKS, "--after=1s", "--trigger", "sleep>50ms:comm=sleeper", option);
	ASSERT_EQ(0, begin_sleep_on(cpu, &s, sleep_in_read, 'S'));
	for (size_t i = 0; i < SECONDS * 100 && access(snapshot, F_OK); i++)
		sleep_ms(10);
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	ASSERT_FINE(trace_load(&self->t, snapshot, false, &self->why));
	EXPECT_EQ(-1, trace_session_number(&self->t, "sleep_stacks_dropped"));
	read_report(_metadata, self, &t);
	EXPECT_IN(t.out, "\nTrigger: a sleep that was not over\n");
	EXPECT_TRUE(has_function(&t, "slept in ", "pipe_read")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_caller(self, &t, "slept in ", "sleep_in_read [trigger_sleep")) TH_LOG("%s", t.out);
}

static void wait_for(const char *path)
{
	for (size_t i = 0; i < SECONDS * 100 && access(path, F_OK); i++)
		sleep_ms(10);
}

/*
 * The recording ends with the sleep's trigger, before its stack can be recorded. A second snapshot,
 * which a signal asks for, lacks none.
 */
SOURCE_TEST(trigger_sleep, stack_is_missing)
{
	char snapshot[RECORD_PATH + 32], second[RECORD_PATH + 32];
	struct sleeper s;

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	snprintf(second, sizeof(second), "%s/sched-0002.fxt", self->dir);
	ASSERT_BEGIN("-F", "--stacks=offcpu,user", "--after=1ns", "--snapshots=2", "--trigger",
		     "sleep>50ms:comm=sleeper");
	ASSERT_EQ(0, begin_sleep(&s, sleep_in_read, 'S'));
	wait_for(snapshot);
	ASSERT_EQ(0, kill(self->c.pid, SIGUSR1));
	wait_for(second);
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, " of 1 sleeps that fired the trigger, or of ");
	ASSERT_FINE(trace_load(&self->t, snapshot, false, &self->why));
	EXPECT_EQ(1, trace_session_number(&self->t, "sleep_stacks_dropped"));
	trace_free(&self->t);
	ASSERT_FINE(trace_load(&self->t, second, false, &self->why));
	EXPECT_EQ(-1, trace_session_number(&self->t, "sleep_stacks_dropped"));
}

SOURCE_TEST(trigger_sleep, stack_of_a_sleep_that_goes_on)
{
	NEEDS_STACKS();
	check_stack_of_open(_metadata, self, ANY_CPU, NULL);
}

/* The filter has neither the CPU of the recorder, where the recording starts, nor its switches. */
SOURCE_TEST(trigger_sleep, stack_of_a_sleep_on_a_recorded_cpu)
{
	int cpus[MAX_CPUS], count = allowed_cpus(cpus);
	char option[ROOM];
	cpu_set_t first;

	NEEDS_STACKS();
	if (count < 2)
		SKIP(return, "there is one CPU only");
	CPU_ZERO(&first);
	CPU_SET(cpus[0], &first);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(first), &first));
	snprintf(option, sizeof(option), "--cpus=%d", cpus[1]);
	check_stack_of_open(_metadata, self, cpus[1], option);
}

SOURCE_TEST(trigger_sleep, stack_of_a_sleep_until_a_waking)
{
	NEEDS_STACKS();
	NEEDS_WAKINGS();
	check_stack_of_open(_metadata, self, ANY_CPU, "--wakeups=waking");
}

SOURCE_TEST(trigger_sleep, stacks_of_a_sleep_that_ends)
{
	struct sleeper s;
	struct tool t;

	NEEDS_STACKS();
	ASSERT_BEGIN("-F", STACKS, "--stacks-min=0", "--trigger", "sleep>1us:comm=sleeper");
	ASSERT_EQ(0, begin_sleep(&s, sleep_in_read, 'S'));
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	read_report(_metadata, self, &t);
	EXPECT_TRUE(has_caller(self, &t, "slept in ", "sleep_in_read [trigger_sleep")) TH_LOG("%s", t.out);
	/* A search may have found it before it ended. */
	if (!strstr(t.out, "Trigger: a sleep that was not over"))
		EXPECT_TRUE(has_caller(self, &t, "woken from ", "end_sleep [trigger_sleep"))
			TH_LOG("%s", t.out);
}

SOURCE_TEST(trigger_sleep, stacks_of_a_lock)
{
	char snapshot[RECORD_PATH + 32];
	struct sleeper s;
	struct tool t = { 0 };

	NEEDS_STACKS();
	NEEDS_LOCKS();
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	for (int i = 0; i < TRIES && !has_ended_futex(&t); i++) {
		unlink(snapshot);
		ASSERT_BEGIN("-F", STACKS, "--stacks-min=0", "--trigger", "lock>1us:comm=sleeper");
		ASSERT_EQ(0, begin_sleep(&s, sleep_in_lock, 'S'));
		ASSERT_EQ(0, end_sleep(&s));
		ASSERT_FINE(record_end(&self->c, &self->why));
		read_report(_metadata, self, &t);
	}
	EXPECT_TRUE(has_caller(self, &t, "slept in ", "sleep_in_lock [trigger_sleep")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_caller(self, &t, "woken from ", "end_sleep [trigger_sleep")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_caller(self, &t, "the holder slept in ", "sleep_ms [trigger_sleep"))
		TH_LOG("%s", t.out);
}

SOURCE_TEST(trigger_sleep, stacks_of_a_lock_that_is_held_on)
{
	char snapshot[RECORD_PATH + 32];
	struct sleeper s;
	struct holder h;
	struct tool t;

	NEEDS_STACKS();
	NEEDS_LOCKS();
	fire_held(_metadata, self, &s, &h, hold_asleep, STACKS);
	read_report(_metadata, self, &t);
	EXPECT_TRUE(has_function(&t, "slept in ", "futex_wait")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_caller(self, &t, "slept in ", "sleep_in_lock [trigger_sleep")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_function(&t, "the holder slept in ", "pipe_read")) TH_LOG("%s", t.out);
	EXPECT_TRUE(has_caller(self, &t, "the holder slept in ", "read_byte_with_lock [trigger_sleep"))
		TH_LOG("%s", t.out);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_FINE(trace_load(&self->t, snapshot, false, &self->why));
	EXPECT_EQ(-1, trace_session_number(&self->t, "sleep_stacks_dropped"));
}

/* A holder that does not sleep has no stack. It may wait for a CPU. */
SOURCE_TEST(trigger_sleep, holder_that_runs)
{
	struct sleeper s;
	struct holder h;
	struct tool t;
	char said[2 * ROOM];

	NEEDS_STACKS();
	NEEDS_LOCKS();
	fire_held(_metadata, self, &s, &h, hold_running, STACKS);
	read_report(_metadata, self, &t);
	snprintf(said, sizeof(said), "held by holder/%d, which ", h.w.tid);
	EXPECT_IN(t.out, said);
	EXPECT_IN(t.out, " then, so it has no stack\n");
	EXPECT_EQ(NULL, strstr(t.out, "the holder slept in"));
}

SOURCE_TEST(trigger_sleep, lock_is_free_soon)
{
	struct sleeper s;

	NEEDS_LOCKS();
	ASSERT_BEGIN("-F", "--trigger", "lock>100s:comm=sleeper");
	ASSERT_EQ(0, begin_sleep(&s, sleep_in_lock, 'S'));
	ASSERT_EQ(0, end_sleep(&s));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, " never fired");
}
