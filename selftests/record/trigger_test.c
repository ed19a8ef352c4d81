// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A trigger that never fired reports the longest wait, to the nanosecond that of the archive. A
 * trigger by interrupts names the interrupt, one by run queues the CPU, and it fires at the first
 * thread too many; a wait that does not end fires; the module looks for such waits in short
 * interrupts.
 */
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>

#include "json_get.h"
#include "source_fixture.h"
#include "cpu_owner.h"
#include "cpu_wait.h"
#include "ftrace.h"
#include "kmod.h"
#include "off_cpu.h"
#include "tool.h"

#define ROOM		64
#define STALL_SECONDS	30ULL	/* longest stall, if nothing ends it */
#define CROWD		40U	/* threads: more than wait for any other CPU of a test machine */

SOURCE_FIXTURE(trigger);
BPF_FIXTURE(crowd);
MODULE_FIXTURE(no_crowd);
MODULE_FIXTURE(many);

/* Until it runs, a new thread has its creator's name, but the report only has its last name. */
static bool is_first_wait(struct json_object *worst, struct json_object *wait)
{
	struct json_object *other;

	for (size_t i = 0; i < json_object_array_length(worst); i++) {
		other = json_object_array_get_idx(worst, i);
		if (number(other, "tid") == number(wait, "tid") &&
		    number(other, "time_ns") < number(wait, "time_ns"))
			return false;
	}
	return true;
}

/* The longest wait of a report that followed a wakeup, among threads whose names match @comm. */
static struct json_object *longest_of(struct json_object *report, const char *comm)
{
	struct json_object *worst, *wait, *longest = NULL;

	if (!json_object_object_get_ex(report, "worst", &worst))
		return NULL;
	for (size_t i = 0; i < json_object_array_length(worst); i++) {
		wait = json_object_array_get_idx(worst, i);
		if (strcmp(text_in(wait, "kind"), "woken") ||
		    strncmp(text_in(wait, "name"), comm, strlen(comm)) ||
		    (*comm && is_first_wait(worst, wait)))
			continue;
		if (!longest || number(wait, "latency_ns") > number(longest, "latency_ns"))
			longest = wait;
	}
	return longest;
}

static void compare(struct __test_metadata *_metadata, const char *stats, const char *snapshot,
		    const char *comm)
{
	struct json_object *d = json_object_from_file(stats), *said, *report, *wait, *open;
	struct tool t;

	ASSERT_NE(NULL, d);
	ASSERT_TRUE(json_object_object_get_ex(d, "trigger_longest_wait", &said));
	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--all", "--json", "--top", "1000000", snapshot)))
		TH_LOG("%s", t.err);
	report = json_tokener_parse(t.out);
	ASSERT_NE(NULL, report);
	wait = longest_of(report, comm);
	ASSERT_NE(NULL, wait);
	ASSERT_TRUE(json_object_object_get_ex(said, "open", &open));
	if (json_object_get_boolean(open)) {
		/* Another thread still waits at the end, for longer than all waits that ended. */
		EXPECT_LT(number(wait, "latency_ns"), number(said, "latency_ns"));
		return;
	}
	EXPECT_EQ(number(wait, "latency_ns"), number(said, "latency_ns"));
	EXPECT_EQ(number(wait, "time_ns"), number(said, "time_ns"));
	EXPECT_EQ(number(wait, "tid"), number(said, "thread"));
	EXPECT_EQ(number(wait, "cpu"), number(said, "cpu"));
}

static void check_longest(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self,
			  const char *trigger, const char *comm)
{
	char stats[RECORD_PATH + 16], snapshot[RECORD_PATH + 32], said[2 * ROOM];
	struct jam other, first, later, last;

	snprintf(stats, sizeof(stats), "%s/stats", self->dir);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_BEGIN("-F", "-b", "16M", "--trigger", trigger, "--stats-json", stats);
	ASSERT_EQ(0, make_jam(&first, 5, "later"));
	ASSERT_EQ(0, make_jam(&later, 20, "later"));
	ASSERT_EQ(0, make_jam(&other, 60, "other"));
	ASSERT_EQ(0, make_jam(&last, 5, "later"));
	ASSERT_FINE(record_end(&self->c, &self->why));
	snprintf(said, sizeof(said), "the trigger %s never fired; the longest wait was ", trigger);
	EXPECT_IN(self->c.text, said);
	if (*comm)
		EXPECT_IN(self->c.text, " (later) for cpu ");
	compare(_metadata, stats, snapshot, comm);
}

SOURCE_TEST(trigger, longest_wait_of_all)
{
	check_longest(_metadata, self, "latency>100s", "");
}

SOURCE_TEST(trigger, longest_wait_of_those_that_count)
{
	check_longest(_metadata, self, "latency>100s:comm=later*", "later");
}

SOURCE_TEST(trigger, longest_wait_of_a_process)
{
	char trigger[ROOM];

	snprintf(trigger, sizeof(trigger), "latency>100s:pid=%d:comm=later", getpid());
	check_longest(_metadata, self, trigger, "later");
}

SOURCE_TEST(trigger, no_wait_that_counts)
{
	struct jam jam;

	ASSERT_BEGIN("-F", "--trigger", "latency>100s:comm=nobody");
	ASSERT_EQ(0, make_jam(&jam, 20, "later"));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, "no wait matched it");
}

/* Every CPU has soft interrupts that last more than a microsecond. */
SOURCE_TEST(trigger, soft_interrupt)
{
	struct json_object *report, *hit;
	char snapshot[RECORD_PATH + 32];
	struct tool t;

	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_EQ(0, collector_spawn(&self->c, self->dir, ARGS("-s", self->source, "-F",
							       "--trigger", "softirq>1us"), -1));
	ASSERT_EQ(0, collector_wait(&self->c)) TH_LOG("%s", self->c.text);
	EXPECT_IN(self->c.text, "a soft interrupt took ");
	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--all", "--json", snapshot))) TH_LOG("%s", t.err);
	report = json_tokener_parse(t.out);
	ASSERT_NE(NULL, report);
	ASSERT_TRUE(json_object_object_get_ex(report, "trigger", &hit));
	ASSERT_NE(NULL, hit);
	EXPECT_STREQ("softirq", text_in(hit, "cause"));
	EXPECT_LT(1000, number(hit, "latency_ns"));
	ASSERT_EQ(0, tool_run(&t, ARGS("check", snapshot))) TH_LOG("%s", t.err);
}

SOURCE_TEST(trigger, no_long_interrupt)
{
	struct jam jam;

	ASSERT_BEGIN("-F", "--trigger", "irq>100s:softirq>100s");
	ASSERT_EQ(0, make_jam(&jam, 20, "later"));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, "irq>100s:softirq>100s never fired\n");
}

/* --- waits that go on ------------------------------------------------------------- */

/** struct stall - a thread that waits for its CPU until the stall is ended */
struct stall {
	struct worker hog;	/* real-time thread that wakes the victim and keeps its CPU */
	struct worker victim;	/* the waiting thread */
	int wake[2];	/* pipe on which the victim is woken */
};

static atomic_bool stalls;

static void be_stalled(struct worker *w)
{
	struct stall *stall = w->arg;
	char byte;

	w->failed = read(stall->wake[0], &byte, 1) != 1;
}

static void keep_cpu(struct worker *w)
{
	struct sched_param p = { .sched_priority = 50 };
	struct stall *stall = w->arg;
	uint64_t end = boottime_ns() + STALL_SECONDS * 1000 * NS_PER_MS;

	w->failed = sched_setscheduler(0, SCHED_FIFO, &p) || write(stall->wake[1], "", 1) != 1;
	while (atomic_load_explicit(&stalls, memory_order_relaxed) && boottime_ns() < end)
		;
}

/* Only the two threads use the stalled CPU. */
static int stall_begin(struct stall *stall, int cpu)
{
	*stall = (struct stall){
		.victim = { .name = "victim", .cpu = cpu, .run = be_stalled, .arg = stall },
		.hog = { .name = "hog", .cpu = cpu, .run = keep_cpu, .arg = stall },
	};
	atomic_store(&stalls, true);
	if (pipe2(stall->wake, O_CLOEXEC) || worker_start(&stall->victim))
		return -1;
	wait_until_in(&stall->victim.tid, SYS_read, (void *)(uintptr_t)stall->wake[0]);
	return worker_start(&stall->hog);
}

static int stall_end(struct stall *stall)
{
	int failed;

	atomic_store(&stalls, false);
	failed = worker_join(&stall->victim) | worker_join(&stall->hog);
	close(stall->wake[0]);
	close(stall->wake[1]);
	return failed;
}

/* The collector inherits this thread's CPU. Return: a CPU to stall; 0 if there is only one. */
static int cpu_to_stall(void)
{
	int cpus[MAX_CPUS];
	unsigned int count = allowed_cpus(cpus);

	pin(cpus[0]);
	return count > 1 ? cpus[count - 1] : 0;
}

static void check_stall(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self,
			const char *condition, const char *filter)
{
	char trigger[ROOM], snapshot[RECORD_PATH + 32], said[2 * ROOM];
	struct json_object *report, *hit, *open;
	int cpu = cpu_to_stall();
	struct stall stall;
	const char *first;
	struct tool t;

	if (!cpu)
		SKIP(return, "there is only one CPU");
	snprintf(trigger, sizeof(trigger), "latency>50ms%s", condition);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	ASSERT_BEGIN("-F", "--trigger", trigger, filter);
	ASSERT_EQ(0, stall_begin(&stall, cpu));
	for (size_t i = 0; i < STALL_SECONDS * 100 && access(snapshot, F_OK); i++)
		sleep_ms(10);
	EXPECT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, stall_end(&stall));
	snprintf(said, sizeof(said), "thread %d (victim) has waited and still waits, ",
		 stall.victim.tid);
	first = strstr(self->c.text, said);
	ASSERT_NE(NULL, first) TH_LOG("%s: %s", said, self->c.text);
	/* The trigger does not fire again for the same wait. */
	EXPECT_EQ(NULL, strstr(first + strlen(said), "(victim)")) TH_LOG("%s", self->c.text);
	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--all", "--json", snapshot))) TH_LOG("%s", t.err);
	report = json_tokener_parse(t.out);
	ASSERT_NE(NULL, report);
	ASSERT_TRUE(json_object_object_get_ex(report, "trigger", &hit));
	ASSERT_NE(NULL, hit);
	EXPECT_STREQ("latency", text_in(hit, "cause"));
	EXPECT_EQ(stall.victim.tid, number(hit, "tid"));
	EXPECT_EQ(cpu, number(hit, "cpu"));
	EXPECT_LT(50 * (int64_t)NS_PER_MS, number(hit, "latency_ns"));
	EXPECT_TRUE(json_object_object_get_ex(hit, "open", &open) && json_object_get_boolean(open));
	ASSERT_EQ(0, tool_run(&t, ARGS("check", snapshot))) TH_LOG("%s", t.out);
}

SOURCE_TEST(trigger, wait_that_goes_on)
{
	check_stall(_metadata, self, ":comm=victim", NULL);
}

SOURCE_TEST(trigger, wait_of_a_process_that_goes_on)
{
	char condition[ROOM];

	snprintf(condition, sizeof(condition), ":pid=%d:comm=vic*", getpid());
	check_stall(_metadata, self, condition, "--comm=victim");
}

/* Threads that do not match may wait for any time. */
static void check_no_stall(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self,
			   const char *trigger, const char *filter, const char *says)
{
	int cpu = cpu_to_stall();
	struct stall stall;

	if (!cpu)
		SKIP(return, "there is only one CPU");
	ASSERT_BEGIN("-F", "--trigger", trigger, filter);
	ASSERT_EQ(0, stall_begin(&stall, cpu));
	sleep_ms(100);
	EXPECT_FINE(record_end(&self->c, &self->why));
	ASSERT_EQ(0, stall_end(&stall));
	EXPECT_IN(self->c.text, says);
}

SOURCE_TEST(trigger, wait_of_another_goes_on)
{
	check_no_stall(_metadata, self, "latency>20ms:comm=nobody", NULL, "no wait matched it");
}

SOURCE_TEST(trigger, wait_outside_the_filter_goes_on)
{
	check_no_stall(_metadata, self, "latency>20ms:comm=victim", "--comm=nobody",
		       "no wait matched it");
}

SOURCE_TEST(trigger, longest_wait_goes_on)
{
	check_no_stall(_metadata, self, "latency>100s:comm=victim", NULL,
		       " ms until the end, of thread ");
}

/* --- many waits that go on ------------------------------------------------------- */

/* Threads that wait. An interrupt of the module looks at 127 at most. */
#define MANY		600U
#define MANY_LOOKS	5

static uint32_t called;

static void be_one_of_many(struct worker *w)
{
	while (!__atomic_load_n(&called, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &called, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void call_all(struct worker *w)
{
	struct sched_param p = { .sched_priority = 50 };
	uint64_t end = boottime_ns() + STALL_SECONDS * 1000 * NS_PER_MS;

	w->failed = sched_setscheduler(0, SCHED_FIFO, &p);
	__atomic_store_n(&called, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &called, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	while (atomic_load_explicit(&stalls, memory_order_relaxed) && boottime_ns() < end)
		;
}

/* Return: how often the module looked for waits, as ftrace saw its timer; -1: unknown. */
static int count_looks(void)
{
	FILE *f = fopen(FTRACE_INSTANCE "/trace", "re");
	char line[256];
	int looks = 0;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		looks += !!strstr(line, "function=fxt_watch_tick");
	fclose(f);
	return looks;
}

/* The module begins to look every two seconds, because the limit is 16 s. */
static int look_at_many(struct worker *hog, struct why *why)
{
	struct fxt_sched_config c = kmod_config();
	struct owner owner = { .cpu = hog->cpu };
	struct kmod_session d;
	int ret;

	c.flags = FXT_SCHED_OVERWRITE;
	c.trigger_latency = 16000 * NS_PER_MS;
	/* "nobody": none is the longest, and each search looks at all */
	snprintf(c.trigger_comm, sizeof(c.trigger_comm), "nobody");
	if (kmod_start(&d, &c, why))
		return -1;
	atomic_store(&stalls, true);
	ret = suspend_reserves(&owner) || ftrace_begin("timer/hrtimer_expire_entry") ||
	      worker_start(hog);
	sleep_ms(4500);
	atomic_store(&stalls, false);
	resume_reserves(&owner);
	ret |= ftrace_end() || worker_join(hog);
	kmod_close(&d);
	return ret ? complain(why, "ftrace or the hog failed") : 0;
}

SOURCE_TEST(many, waits_take_many_interrupts)
{
	struct worker hog = { .name = "hog", .run = call_all }, *all;

	if (ftrace_missing())
		SKIP(return, "%s", ftrace_missing());
	hog.cpu = cpu_to_stall();
	if (!hog.cpu)
		SKIP(return, "there is only one CPU");
	all = calloc(MANY, sizeof(*all));
	ASSERT_NE(NULL, all);
	for (unsigned int i = 0; i < MANY; i++) {
		all[i] = (struct worker){ .name = "many", .cpu = hog.cpu, .run = be_one_of_many };
		ASSERT_EQ(0, worker_start(&all[i]));
	}
	EXPECT_FINE(look_at_many(&hog, &self->why));
	/* Otherwise two interrupts look at all of them. */
	EXPECT_LE(MANY_LOOKS, count_looks());
	EXPECT_EQ(0, ftrace_remove());
	for (unsigned int i = 0; i < MANY; i++)
		EXPECT_EQ(0, worker_join(&all[i]));
}

/* --- run queues ------------------------------------------------------------------- */

/* BPF can attach programs to this tracepoint from Linux 5.12 on. */
#define LACKS	"this kernel lacks the tracepoint sched_update_nr_running_tp"

#define BEGIN(args) do {							\
	int ret_ = record_begin(&self->c, self->dir, self->source, args, &self->why);	\
										\
	if (ret_ && strstr(self->why.text, LACKS))				\
		SKIP(return, "%s", self->why.text);				\
	ASSERT_EQ(0, ret_) TH_LOG("%s", self->why.text);			\
} while (0)

static atomic_bool spins;

static void spin(struct worker *w)
{
	(void)w;
	while (atomic_load_explicit(&spins, memory_order_relaxed))
		;
}

/* Run threads that want one CPU at the same time. They are nice, so that their creator can run. */
static int crowd_cpu(int cpu, unsigned int threads)
{
	struct worker *workers = calloc(threads, sizeof(*workers));
	unsigned int i, begun = 0;
	int failed = !workers;

	atomic_store(&spins, true);
	for (i = 0; i < threads && !failed; i++) {
		workers[i] = (struct worker){ .name = "crowd", .cpu = cpu, .nice = 19, .run = spin };
		failed = worker_start(&workers[i]);
		begun += !failed;
	}
	if (!failed)
		sleep_ms(20);
	atomic_store(&spins, false);
	for (i = 0; i < begun; i++)
		failed |= worker_join(&workers[i]);
	return failed;
}

/* -1: missing */
static void read_cause(struct __test_metadata *_metadata, const char *snapshot,
		       struct json_object **hit)
{
	struct json_object *report;
	struct tool t;

	ASSERT_EQ(0, tool_run(&t, ARGS("report", "--all", "--json", snapshot))) TH_LOG("%s", t.err);
	report = json_tokener_parse(t.out);
	ASSERT_NE(NULL, report);
	ASSERT_TRUE(json_object_object_get_ex(report, "trigger", hit));
	json_object_get(*hit);
	ASSERT_EQ(0, tool_run(&t, ARGS("check", snapshot))) TH_LOG("%s", t.err);
}

/* @filter: does not affect run queues; NULL for none */
static void check_crowd(struct __test_metadata *_metadata, FIXTURE_DATA(crowd) *self,
			const char *filter)
{
	char trigger[ROOM], snapshot[RECORD_PATH + 32], said[2 * ROOM];
	int cpu = last_cpu();
	struct json_object *hit;

	snprintf(trigger, sizeof(trigger), "runnable>%u", CROWD);
	snprintf(snapshot, sizeof(snapshot), "%s/sched-0001.fxt", self->dir);
	BEGIN(ARGS("-F", "--trigger", trigger, filter));
	ASSERT_EQ(0, crowd_cpu(cpu, CROWD + 2));
	ASSERT_FINE(record_end(&self->c, &self->why));
	snprintf(said, sizeof(said), ": %u threads were runnable on cpu %d, while ", CROWD + 1, cpu);
	EXPECT_IN(self->c.text, said);
	read_cause(_metadata, snapshot, &hit);
	ASSERT_NE(NULL, hit);
	EXPECT_STREQ("runnable", text_in(hit, "cause"));
	EXPECT_EQ(CROWD + 1, number(hit, "runnable"));
	EXPECT_EQ(cpu, number(hit, "cpu"));
}

SOURCE_TEST(crowd, one_too_many)
{
	check_crowd(_metadata, self, NULL);
}

SOURCE_TEST(crowd, one_too_many_for_any_filter)
{
	check_crowd(_metadata, self, "--comm=nobody");
}

SOURCE_TEST(crowd, few)
{
	char trigger[ROOM];

	snprintf(trigger, sizeof(trigger), "runnable>%u", CROWD);
	BEGIN(ARGS("-F", "--trigger", trigger));
	ASSERT_EQ(0, crowd_cpu(last_cpu(), CROWD / 2));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, " never fired\n");
	EXPECT_NOT_IN(self->c.text, "were runnable");
}

/* Events on CPUs that are not recorded do not fire the trigger. */
SOURCE_TEST(crowd, elsewhere)
{
	char trigger[ROOM], cpus[ROOM];
	int all[MAX_CPUS];

	if (allowed_cpus(all) < 2)
		SKIP(return, "there is only one CPU");
	snprintf(trigger, sizeof(trigger), "runnable>%u", CROWD);
	snprintf(cpus, sizeof(cpus), "%d", all[0]);
	BEGIN(ARGS("-F", "--trigger", trigger, "-C", cpus));
	ASSERT_EQ(0, crowd_cpu(last_cpu(), CROWD + 2));
	ASSERT_FINE(record_end(&self->c, &self->why));
	EXPECT_IN(self->c.text, " never fired\n");
}

SOURCE_TEST(crowd, refused_by_old_kernels)
{
	int status;

	status = collector_run(&self->c, self->dir, ARGS("-s", self->source, "-F", "-d", "1ms",
							 "--trigger", "runnable>8"));
	if (!status)
		SKIP(return, "this kernel is new enough");
	EXPECT_EQ(3, status);
	EXPECT_IN(self->c.text, "--trigger runnable>8: " LACKS
			       " for BPF (Linux 5.12 or later has it); use another trigger\n");
}

SOURCE_TEST(no_crowd, refused)
{
	EXPECT_EQ(3, collector_run(&self->c, self->dir, ARGS("-s", self->source, "-F", "--trigger",
							     "runnable>8")));
	EXPECT_IN(self->c.text,
		  "--trigger runnable>8: modules have no access to run queues; use --source=bpf\n");
}
