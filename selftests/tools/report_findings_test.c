// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_findings_test.c - fxt report describes in words what is wrong.
 *
 * In:  stories of one situation each.
 * Must hold: a sentence names the culprit, with exact numbers; the JSON object has the same
 * sentence and numbers; a healthy archive has no findings, and neither has one that only
 * resembles a situation.
 */
#include "event_story.h"
#include "report_print_fixture.h"
#include "fxt/report/stats/report.h"

enum { GROUP = 4711 };	/* id of a cgroup */

REPORT_FIXTURE(findings);

#define TELL(story, ...) do {							\
	story(&self->s, ##__VA_ARGS__);						\
	ASSERT_EQ(0, store(self));						\
	ASSERT_EQ(0, REPORT());							\
} while (0)

/* --- a latency spike ------------------------------------------------------------------------- */

static void name_threads(struct story *s, const char *cgroup)
{
	story_chunk(s, STORY_NAMES, 1);
	if (cgroup)
		event_process_in(s, 11, "audio", cgroup);
	else
		story_name(s, 11, 11, "audio");
	story_name(s, 12, 12, "other");
	story_name(s, 13, 13, "hog");
}

/*
 * audio waits nine times for 1 ms while other runs, then for 20 ms while hog and other run. It is
 * woken each time, or, with @is_preempted, preempted. With @cgroup, it is in that cgroup, and
 * /build is throttled during the last wait. cpu 1 is never idle.
 */
static void tell_waits(struct story *s, uint64_t last, bool is_preempted, const char *cgroup)
{
	uint32_t state = is_preempted ? FXT_THREAD_NEW : FXT_THREAD_BLOCKED;
	uint64_t at = 100 * MS, i;

	event_cgroup(s, GROUP, 0, "/build");
	story_chunk(s, 0, at);
	story_switch(s, at, 11, 12, state);
	for (i = 0; i < 9; i++, at += 3 * MS) {
		if (!is_preempted)
			story_wake(s, at + 1 * MS, 0, 11, 12);
		story_switch(s, at + 2 * MS, 12, 11, FXT_THREAD_NEW);
		story_switch(s, at + 3 * MS, 11, 12, state);
	}
	if (!is_preempted)
		story_wake(s, at, 0, 11, 12);
	story_switch(s, at + last / 20, 12, 13, FXT_THREAD_NEW);
	if (cgroup)
		event_throttle(s, at, at + last, GROUP, 0);
	story_switch(s, at + last, 13, 11, FXT_THREAD_NEW);
	story_end(s, at + last + 1 * MS);
}

static void tell_spike(struct story *s, uint64_t last, bool is_preempted, const char *cgroup)
{
	name_threads(s, cgroup);
	tell_waits(s, last, is_preempted, cgroup);
}

TEST_F(findings, spike)
{
	TELL(tell_spike, 20 * MS, false, NULL);
	EXPECT_HAS("\nFindings\n"
		   "  audio/11 was runnable for 20.0ms on cpu 0 (usually 1.02ms): hog/13 ran there\n"
		   "    for 19.0ms of it\n\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"spike\",\"text\":\"audio/11 was runnable for 20.0ms on cpu 0 (usually 1.02ms): hog/13 ran there for 19.0ms of it\","
		   "\"name\":\"audio\",\"threads\":1,\"tid\":11,\"nth\":0,\"pid\":null,\"cgroup\":null,"
		   "\"source\":null,\"cpu\":0,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":20000000,");
	EXPECT_HAS("\"count\":0,\"part_ns\":0,\"culprit_tid\":13,\"culprit_name\":\"hog\",\"culprit_ns\":19000000,"
		   "\"open\":false,\"others\":[]}]");
}

TEST_F(findings, waits_that_are_usual_are_no_spike)
{
	TELL(tell_spike, 9 * MS, false, NULL);
	EXPECT_NO("Findings");
}

/* Such waits are unusual, but only as long as a slice of another thread. */
TEST_F(findings, waits_of_a_slice_are_no_spike)
{
	uint64_t at = 100 * MS, i;

	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "audio");
	story_name(&self->s, 12, 12, "other");
	story_chunk(&self->s, 0, at);
	story_switch(&self->s, at, 11, 12, FXT_THREAD_BLOCKED);
	for (i = 0; i < 10; i++, at += 10 * MS) {
		story_wake(&self->s, at + 1 * MS, 0, 11, 12);
		story_switch(&self->s, at + (i < 9 ? 1 * MS + 10000 : 5 * MS), 12, 11, FXT_THREAD_NEW);
		story_switch(&self->s, at + 9 * MS, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, at);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("Findings");
}

TEST_F(findings, a_preempted_thread_may_wait_for_its_turn)
{
	TELL(tell_spike, 50 * MS, true, NULL);
	EXPECT_NO("Findings");
	story_restart(&self->s);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	TELL(tell_spike, 200 * MS, true, NULL);
	EXPECT_HAS("audio/11 was runnable for 200ms on cpu 0 (usually 2.03ms): hog/13");
}

TEST_F(findings, throttling_is_no_spike)
{
	TELL(tell_spike, 20 * MS, false, "/build");
	EXPECT_HAS("  cgroup /build was throttled for 20.0ms in 1 period (");
	EXPECT_NO("was runnable");
}

TEST_F(findings, throttling_of_others_explains_no_spike)
{
	TELL(tell_spike, 20 * MS, false, "/");
	EXPECT_HAS("audio/11 was runnable for 20.0ms on cpu 0");
}

/* Many waits are as long as the longest one, so the usual wait is not the median. */
TEST_F(findings, usual_is_not_what_half_of_the_waits_exceed)
{
	uint64_t at = 100 * MS, wait;
	uint32_t i;

	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "audio");
	story_name(&self->s, 12, 12, "hog");
	story_chunk(&self->s, 0, at);
	story_switch(&self->s, at, 11, 12, FXT_THREAD_BLOCKED);
	for (i = 0; i < 16; i++) {
		wait = i < 9 ? MS / 100 : 20 * MS;
		story_wake(&self->s, at + MS, 0, 11, 12);
		story_switch(&self->s, at + MS + wait, 12, 11, FXT_THREAD_NEW);
		at += 2 * MS + wait;
		story_switch(&self->s, at, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, at);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0: hog/12 ran there for 20.0ms of it\n");
}

/* audio waits nine times for 10 us, then for 20 ms, in which 40 threads run for 0.5 ms each. */
TEST_F(findings, crowd_of_short_runs)
{
	struct story *s = &self->s;
	uint64_t at = 100 * MS;
	uint32_t i;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "audio");
	story_name(s, 12, 12, "other");
	for (i = 0; i < 40; i++)
		story_name(s, 100 + i, 100 + i, i < 30 ? "cc1" : "as");
	story_chunk(s, 0, at);
	story_switch(s, at, 11, 12, FXT_THREAD_BLOCKED);
	for (i = 0; i < 9; i++, at += 3 * MS) {
		story_wake(s, at + MS, 0, 11, 12);
		story_switch(s, at + MS + MS / 100, 12, 11, FXT_THREAD_NEW);
		story_switch(s, at + 3 * MS, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_wake(s, at, 0, 11, 12);
	story_switch(s, at, 12, 100, FXT_THREAD_BLOCKED);
	for (i = 1; i < 40; i++)
		story_switch(s, at + i * MS / 2, 99 + i, 100 + i, FXT_THREAD_BLOCKED);
	story_switch(s, at + 20 * MS, 139, 11, FXT_THREAD_BLOCKED);
	story_end(s, at + 21 * MS);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0 (usually 10.2us): 40 threads shared\n"
		   "    its CPU, each at most 2% of the time: 30 threads \"cc1\" ran there for 15.0ms\n"
		   "    of it, 10 threads \"as\" ran there for 5.00ms of it\n");
	EXPECT_HAS("shared by 40 threads; longest, 2% of it: cc1/100\n"
		   "          cc1, 30 threads, ran 15.0ms (75%)\n"
		   "          as, 10 threads, ran 5.00ms (25%)\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"sharers\":40,\"most_tid\":100,\"most_name\":\"cc1\",\"most_ns\":500000,");
	EXPECT_HAS("\"name\":\"cc1\",\"threads\":30,\"weight\":1024,\"ns\":15000000}");
}

/* Name audio again, with the CPUs that it may use: at most 8 characters. */
static void bind_audio(struct story *s, const char *cpus)
{
	BUILD(&s->b, fxt_kernel_object(7, FXT_OBJECT_THREAD, fxt_string_ref_inline(5), 2), 11);
	BUILD_TEXT(&s->b, "audio");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), 11);
	BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(strlen(cpus))));
	BUILD_TEXT(&s->b, cpus);
	s->now->written++;
}

/* audio waits for cpu 0, and cpu 1 is idle meanwhile. */
static void tell_idle_beside(struct story *s, const char *cpus)
{
	name_threads(s, NULL);
	bind_audio(s, cpus);
	story_chunk(s, 1, 100 * MS);
	story_switch(s, 100 * MS, 14, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 100 * MS);
	story_switch(s, 100 * MS, 11, 13, FXT_THREAD_BLOCKED);
	story_wake(s, 110 * MS, 0, 11, 13);
	story_switch(s, 150 * MS, 13, 11, FXT_THREAD_NEW);
	story_chunk(s, 1, 151 * MS);
	story_wake(s, 151 * MS, 1, 14, 11);
	story_switch(s, 151 * MS, 0, 14, FXT_THREAD_NEW);
	story_end(s, 152 * MS);
}

TEST_F(findings, another_cpu_is_idle_meanwhile)
{
	TELL(tell_idle_beside, "0-1");
	EXPECT_HAS("          hog/13 ran 40.0ms (100%)\n"
		   "          another CPU was idle meanwhile: cpu 1 for 40.0ms (100%)\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"idle_cpu\":1,\"idle_ns\":40000000,");
}

TEST_F(findings, an_idle_cpu_that_the_thread_may_not_use)
{
	TELL(tell_idle_beside, "0,2-3");
	EXPECT_HAS("          hog/13 ran 40.0ms (100%)\n          woken by hog/13\n");
	EXPECT_NO("idle meanwhile");
}

/* --- scheduling classes ---------------------------------------------------------------------- */

static void tell_class(struct story *s, uint32_t odd, int32_t weight, const char *session)
{
	s->odd = odd;
	s->odd_weight = weight;
	if (session)
		story_session(s, session);
	tell_spike(s, 20 * MS, false, NULL);
}

TEST_F(findings, starved_by_a_real_time_thread)
{
	TELL(tell_class, 13, FXT_SCHED_WEIGHT_RT + 50, NULL);
	EXPECT_HAS("hog/13 (real-time\n"
		   "    50) ran there for 19.0ms of it: a real-time thread keeps its CPU until it\n"
		   "    sleeps\n");
	EXPECT_HAS("          hog/13 (real-time 50) ran 19.0ms (95%)\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"name\":\"hog\",\"threads\":1,\"weight\":1000050,\"ns\":19000000}");
}

TEST_F(findings, priorities_as_weights)
{
	TELL(tell_class, 13, 49, "weight prio\n");
	EXPECT_HAS("hog/13 (real-time 50)");
}

static const char *class_of(int32_t weight)
{
	static struct report_class class;

	class = report_class(weight);
	return class.text;
}

TEST_F(findings, classes_have_names)
{
	TELL(tell_class, 13, 15, NULL);
	EXPECT_HAS("hog/13 (nice 19)\n    ran there for 19.0ms of it\n");
	EXPECT_STREQ("deadline", class_of(FXT_SCHED_WEIGHT_DL));
	EXPECT_STREQ("SCHED_IDLE", class_of(3));
	EXPECT_STREQ("nice -20", class_of(88761));
	EXPECT_STREQ("", class_of(1024));
	EXPECT_STREQ("", class_of(0));
}

/* audio waits nine times for 1 ms and then for 20 ms, while hog keeps the CPU. */
static void tell_kept(struct story *s)
{
	uint64_t at = 100 * MS, i;

	s->odd = 11;
	s->odd_weight = FXT_SCHED_WEIGHT_RT + 80;
	name_threads(s, NULL);
	story_chunk(s, 0, at);
	story_switch(s, at, 11, 13, FXT_THREAD_BLOCKED);
	for (i = 0; i < 9; i++, at += 3 * MS) {
		story_wake(s, at + 1 * MS, 0, 11, 13);
		story_switch(s, at + 2 * MS, 13, 11, FXT_THREAD_NEW);
		story_switch(s, at + 3 * MS, 11, 13, FXT_THREAD_BLOCKED);
	}
	story_wake(s, at, 0, 11, 13);
	story_switch(s, at + 20 * MS, 13, 11, FXT_THREAD_NEW);
	story_end(s, at + 21 * MS);
}

/* Interrupts or non-preemptible code may delay it; without -e irq it is unknown which. */
TEST_F(findings, real_time_thread_behind_a_normal_one)
{
	TELL(tell_kept);
	EXPECT_HAS("  audio/11 (real-time 80) was runnable for 20.0ms on cpu 0 (usually 1.02ms):\n"
		   "    hog/13 ran there for 20.0ms of it: perhaps interrupts or non-preemptible\n"
		   "    code delayed it; record with -e irq to see which\n");
	EXPECT_HAS("          perhaps interrupts or non-preemptible code: record with -e irq\n");
	story_restart(&self->s);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	story_chunk(&self->s, 1, 99 * MS + 1000);
	event_irq(&self->s, 99 * MS, 99 * MS + 1000, 30, "eth0");
	TELL(tell_kept);
	EXPECT_HAS("  audio/11 (real-time 80) was runnable for 20.0ms on cpu 0");
	EXPECT_NO("-e irq");
}

/* The scheduler chooses hog, of a lower class, while audio is runnable. */
TEST_F(findings, real_time_throttling)
{
	TELL(tell_class, 11, FXT_SCHED_WEIGHT_RT + 80, "kernel Linux 6.1.0 x86_64\n");
	EXPECT_HAS("  audio/11 (real-time 80) was runnable for 20.0ms on cpu 0 (usually 1.02ms):\n"
		   "    kept from running by real-time throttling for 20.0ms of it\n");
	EXPECT_HAS("          its class: real-time 80\n"
		   "          kept from running by real-time throttling: 20.0ms (100%)\n");
	EXPECT_NO("delayed it");
}

/* --- one CPU idles, and threads wait for another --------------------------------------------- */

/* Three threads of a name share cpu 0, 10 ms each, for 300 ms; cpu 1 is idle or runs @beside. */
static void tell_crowd(struct story *s, const char *name, uint32_t beside)
{
	uint64_t at;
	uint32_t i = 0;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 11; i <= 13; i++)
		story_name(s, i, i, name);
	story_name(s, 21, 21, "beside");
	story_name(s, 22, 22, "before");
	story_chunk(s, 1, 99 * MS);
	story_switch(s, 99 * MS, 22, beside, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 99 * MS);
	story_switch(s, 99 * MS, 0, 11, FXT_THREAD_NEW);
	for (i = 0, at = 109 * MS; at <= 399 * MS; at += 10 * MS, i++)
		story_switch(s, at, 11 + i % 3, 11 + (i + 1) % 3, FXT_THREAD_NEW);
	story_end(s, 399 * MS);
}

TEST_F(findings, crowd)
{
	TELL(tell_crowd, "pinned", 0);
	EXPECT_HAS("\nFindings\n"
		   "  3 threads \"pinned\" waited for cpu 0 for 570ms in total while another CPU was\n"
		   "    idle (cpu 1 for 100% of the time): check their affinity\n\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"crowd\",");
	EXPECT_HAS("\"name\":\"pinned\",\"threads\":3,\"tid\":null,\"nth\":null,\"pid\":null,\"cgroup\":null,"
		   "\"source\":null,\"cpu\":0,\"idle_cpu\":1,\"idle_ns\":300000000,\"ns\":570000000,"
		   "\"of_ns\":300000000,");
}

TEST_F(findings, threads_may_wait_while_all_cpus_are_busy)
{
	TELL(tell_crowd, "pinned", 21);
	EXPECT_NO("Findings");
}

/* Threads with the number of the CPU in their names belong there. */
TEST_F(findings, threads_of_a_cpu_are_no_crowd)
{
	TELL(tell_crowd, "kworker/0:1", 0);
	EXPECT_NO("affinity");
	story_restart(&self->s);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	TELL(tell_crowd, "kworker/1:0", 0);
	EXPECT_HAS("3 threads \"kworker/1:0\" waited for cpu 0 for");
}

/* victim waits once, for 200 ms, while hog runs and cpu 1 is idle. */
TEST_F(findings, one_wait_is_no_crowd)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "victim");
	story_name(&self->s, 12, 12, "hog");
	story_chunk(&self->s, 1, 99 * MS);
	story_switch(&self->s, 99 * MS, 22, 0, FXT_THREAD_BLOCKED);
	story_chunk(&self->s, 0, 100 * MS);
	story_switch(&self->s, 100 * MS, 0, 12, FXT_THREAD_NEW);
	story_wake(&self->s, 101 * MS, 0, 11, 12);
	story_switch(&self->s, 301 * MS, 12, 11, FXT_THREAD_BLOCKED);
	story_end(&self->s, 310 * MS);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("affinity");
}

/* The threads wait while cpu 1 is busy. It is only idle later, when nobody waits. */
TEST_F(findings, a_cpu_that_idles_at_another_time_is_no_help)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "one");
	story_name(&self->s, 12, 12, "two");
	story_name(&self->s, 21, 21, "beside");
	story_chunk(&self->s, 1, 99 * MS);
	story_switch(&self->s, 99 * MS, 0, 21, FXT_THREAD_NEW);
	story_switch(&self->s, 200 * MS, 21, 0, FXT_THREAD_BLOCKED);
	story_wake(&self->s, 300 * MS, 1, 21, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_chunk(&self->s, 0, 100 * MS);
	story_switch(&self->s, 100 * MS, 0, 11, FXT_THREAD_NEW);
	story_wake(&self->s, 101 * MS, 0, 12, 11);
	story_switch(&self->s, 199 * MS, 11, 12, FXT_THREAD_BLOCKED);
	story_switch(&self->s, 200 * MS, 12, 0, FXT_THREAD_BLOCKED);
	story_end(&self->s, 300 * MS);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("Findings");
}

TEST_F(findings, selected_time)
{
	TELL(tell_crowd, "pinned", 0);
	ASSERT_EQ(0, REPORT("--from", "0.3", "--to", "0.35"));
	EXPECT_HAS("3 threads \"pinned\" waited for cpu 0 for");
	EXPECT_HAS("(cpu 1 for 100%");
	ASSERT_EQ(0, REPORT("--cpu", "0"));
	EXPECT_NO("Findings");
}

/* --- a thread waits for its own CPU, and that is idle ---------------------------------------- */

/* loop runs for 10 of each 50 ms. In between it is runnable, but its CPU is idle. */
static void tell_held(struct story *s, uint32_t state)
{
	uint64_t at;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "loop");
	story_name(s, 21, 21, "beside");
	story_chunk(s, 1, 99 * MS);
	story_switch(s, 99 * MS, 0, 21, FXT_THREAD_NEW);
	story_chunk(s, 0, 99 * MS);
	story_switch(s, 99 * MS, 0, 11, FXT_THREAD_NEW);
	for (at = 109 * MS; at < 309 * MS; at += 50 * MS) {
		story_switch(s, at, 11, 0, state);
		if (state == FXT_THREAD_BLOCKED)
			story_wake(s, at + 40 * MS, 0, 11, 21);
		story_switch(s, at + 40 * MS, 0, 11, FXT_THREAD_NEW);
	}
	story_end(s, 299 * MS);
}

TEST_F(findings, held)
{
	TELL(tell_held, FXT_THREAD_NEW);
	EXPECT_HAS("\nFindings\n"
		   "  loop/11 waited for 160ms in 4 waits while its CPU was idle: a quota of a\n"
		   "    cgroup, CPU hotplug or the host of a virtual machine may have kept it from\n"
		   "    running; record with -e throttle to see quotas\n\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"held\",");
	EXPECT_HAS("\"cpu\":null,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":160000000,\"of_ns\":200000000,\"count\":4,");
}

/* A deadline thread that the scheduler does not run although it is runnable. */
TEST_F(findings, a_class_that_may_not_run)
{
	self->s.odd = 11;
	self->s.odd_weight = FXT_SCHED_WEIGHT_DL;
	TELL(tell_held, FXT_THREAD_NEW);
	EXPECT_HAS("\nFindings\n"
		   "  loop/11 waited for 160ms in 4 waits while its CPU was idle: in the longest of\n"
		   "    these waits, its deadline budget kept it from running\n\n");
	EXPECT_HAS("          its class: deadline\n"
		   "          kept from running by its deadline budget: 40.0ms (100%)\n");
	EXPECT_NO("record with");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS(",\"limited_ns\":40000000,\"limit\":\"its deadline budget\",");
}

TEST_F(findings, a_sleeping_thread_is_not_held)
{
	TELL(tell_held, FXT_THREAD_BLOCKED);
	EXPECT_NO("held");
	EXPECT_NO("quota");
}

/* --- a cgroup uses up its quota --------------------------------------------------------------- */

static const char long_path[] = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0123.slice/cri-1.scope";

/*
 * loop, and on cpu 1 also, run for 10 of each 50 ms, although they are runnable in between. The
 * cgroup @path, or one without a path, is throttled on both CPUs for @ms of the other 40 ms.
 */
static void tell_throttled(struct story *s, const char *path, const char *of_threads, uint64_t ms)
{
	uint64_t at;
	uint32_t cpu;

	story_chunk(s, STORY_NAMES, 1);
	event_process_in(s, 11, "loop", of_threads);
	event_process_in(s, 12, "also", of_threads);
	for (cpu = 0; cpu < 2; cpu++) {
		if (path)
			event_cgroup(s, GROUP, cpu, path);
		story_chunk(s, cpu, 99 * MS);
		story_switch(s, 99 * MS, 0, 11 + cpu, FXT_THREAD_NEW);
		for (at = 109 * MS; at < 309 * MS; at += 50 * MS) {
			story_switch(s, at, 11 + cpu, 0, FXT_THREAD_NEW);
			if (ms)
				event_throttle(s, at, at + ms * MS, GROUP, cpu);
			story_switch(s, at + 40 * MS, 0, 11 + cpu, FXT_THREAD_NEW);
		}
	}
	story_end(s, 299 * MS);
}

TEST_F(findings, throttled)
{
	TELL(tell_throttled, "/build", "/build", 40);
	EXPECT_HAS("\nFindings\n"
		   "  cgroup /build was throttled for 160ms in 4 periods (80% of the time), which\n"
		   "    held off 2 threads for 320ms in total: raise its quota (cpu.max), or run\n"
		   "    less in it at once\n");
	EXPECT_HAS("its cgroup was throttled: /build (100%)\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"throttled\",");
	EXPECT_HAS("\"name\":null,\"threads\":2,\"tid\":null,\"nth\":null,\"pid\":null,\"cgroup\":\"/build\","
		   "\"source\":null,\"cpu\":null,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":160000000,"
		   "\"of_ns\":200000000,\"count\":4,\"part_ns\":320000000,");
	ASSERT_EQ(0, REPORT("--comm", "loop"));
	EXPECT_HAS("which\n    held off loop/11 for 160ms: raise");
}

/* Threads in a cgroup below the throttled one cannot run, either. */
TEST_F(findings, cgroups_below_the_throttled_one)
{
	TELL(tell_throttled, "/build", "/build/one", 40);
	EXPECT_HAS("  cgroup /build was throttled for 160ms in 4 periods (80% of the time), which\n");
	EXPECT_NO("waited for");
}

TEST_F(findings, path_of_any_length)
{
	TELL(tell_throttled, long_path, long_path, 40);
	EXPECT_HAS("  cgroup\n    /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0123.slice/c~\n");
	EXPECT_HAS("which held off 2\n    threads for 320ms in total");
	EXPECT_NO("waited for");
}

/* The throttled cgroup may be that of the threads, so no other reason is suggested. */
TEST_F(findings, throttled_without_a_path)
{
	TELL(tell_throttled, NULL, "/build", 40);
	EXPECT_HAS("\nFindings\n"
		   "  cgroup 4711 was throttled for 160ms in 4 periods (80% of the time): raise its\n"
		   "    quota (cpu.max), or run less in it at once\n\n");
}

/* A path with the same beginning is another cgroup, so something else kept its threads off. */
TEST_F(findings, threads_of_another_cgroup_are_not_its_victims)
{
	TELL(tell_throttled, "/build", "/builder", 40);
	EXPECT_HAS("  cgroup /build was throttled for 160ms in 4 periods (80% of the time): raise\n");
	EXPECT_HAS("  also/12 waited for 160ms in 4 waits while its CPU was idle: throttling does\n"
		   "    not explain it; CPU hotplug or the host of a virtual machine may have kept\n"
		   "    it from running\n");
	EXPECT_NO("cpu.max) of");
	EXPECT_NO("throttled: /build");
}

/* Throttling explains only 8 of 160 ms. */
TEST_F(findings, throttling_explains_no_more_than_its_time)
{
	TELL(tell_throttled, "/build", "/build", 2);
	EXPECT_NO("throttled for");
	EXPECT_HAS("  also/12 waited for 152ms in 4 waits while its CPU was idle: throttling does\n");
}

TEST_F(findings, quota_without_records_of_throttling_is_a_guess)
{
	TELL(tell_throttled, "/build", "/build", 0);
	EXPECT_HAS("\nFindings\n"
		   "  2 threads waited for 320ms in 8 waits while their CPU was idle: perhaps the\n"
		   "    quota of cgroup /build kept them from running; record with -e throttle to\n"
		   "    see that\n\n");
	EXPECT_HAS("held off, perhaps throttled: record with -e throttle\n");
	story_restart(&self->s);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	story_session(&self->s, "quotas none\n");
	TELL(tell_throttled, "/build", "/build", 0);
	EXPECT_HAS(" while their CPU was idle: CPU hotplug or\n"
		   "    the host of a virtual machine may have kept them from running\n");
	EXPECT_NO("perhaps");
	EXPECT_NO("-e throttle");
}

/* cpu 1 is idle while threads of a throttled cgroup wait for cpu 0. Affinity is not the reason. */
static void tell_throttled_crowd(struct story *s, const char *cgroup)
{
	uint64_t at;

	story_chunk(s, STORY_NAMES, 1);
	event_process_in(s, 11, "loop", cgroup);
	story_name(s, 12, 12, "beside");
	story_name(s, 22, 22, "before");
	event_cgroup(s, GROUP, 0, "/build");
	story_chunk(s, 1, 99 * MS);
	story_switch(s, 99 * MS, 22, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 99 * MS);
	story_switch(s, 99 * MS, 0, 11, FXT_THREAD_NEW);
	for (at = 109 * MS; at < 309 * MS; at += 50 * MS) {
		story_switch(s, at, 11, 12, FXT_THREAD_NEW);
		event_throttle(s, at, at + 40 * MS, GROUP, 0);
		story_switch(s, at + 40 * MS, 12, 11, FXT_THREAD_BLOCKED);
		story_wake(s, at + 49 * MS, 0, 12, 11);
	}
	story_end(s, 309 * MS);
}

TEST_F(findings, throttled_threads_are_no_crowd)
{
	TELL(tell_throttled_crowd, "/build");
	EXPECT_HAS("  cgroup /build was throttled for 160ms in 4 periods (76% of the time): raise\n");
	EXPECT_NO("affinity");
	EXPECT_NO("was runnable");
}

TEST_F(findings, threads_beside_a_throttled_cgroup_may_crowd)
{
	TELL(tell_throttled_crowd, "/");
	EXPECT_HAS("loop/11 waited for cpu 0 for 160ms while another CPU was idle");
}

TEST_F(findings, short_throttling_is_no_finding)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_cgroup(&self->s, GROUP, 0, "/build");
	story_chunk(&self->s, 0, 100 * MS);
	story_switch(&self->s, 100 * MS, 0, 11, FXT_THREAD_NEW);
	event_throttle(&self->s, 200 * MS, 219 * MS, GROUP, 0);
	story_switch(&self->s, 300 * MS, 11, 0, FXT_THREAD_BLOCKED);
	story_end(&self->s, 300 * MS);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("Findings");
	EXPECT_HAS("Throttled cgroups");
}

/* --- what was asked -------------------------------------------------------------------------- */

/* The command is a process that has started hog. */
static void tell_command(struct story *s, const char *session)
{
	story_session(s, session);
	name_threads(s, NULL);
	s->parent = 12;
	story_object(s, FXT_OBJECT_PROCESS, 13, 0, "hog");
	story_object(s, FXT_OBJECT_THREAD, 13, 13, "hog");
	tell_waits(s, 20 * MS, false, NULL);
}

TEST_F(findings, of_the_command)
{
	TELL(tell_command, "command_pid 12\n");
	EXPECT_HAS("\nscope: command other/12 and what it started: 2 threads (for all threads: --all)\n");
	EXPECT_HAS("hog/13");
	EXPECT_NO("Findings");
	EXPECT_NO(" s  audio/11");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"command\":{\"pid\":12,\"name\":\"other\",\"threads\":2},");
	EXPECT_NO("\"kind\":\"spike\"");
	ASSERT_EQ(0, REPORT("--all"));
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0");
	EXPECT_NO("it started");
	ASSERT_EQ(0, REPORT("--comm", "audio"));
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0");
	EXPECT_NO("it started");
}

/* An archive with two commands, as after a merge, counts as one without a command. */
TEST_F(findings, of_a_command_that_waited)
{
	TELL(tell_command, "command_pid 11\n");
	EXPECT_HAS("\nscope: command audio/11 and what it started: 1 thread (for all threads: --all)\n");
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0");
	story_restart(&self->s);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ(0, lseek(self->fd, 0, SEEK_SET));
	story_session(&self->s, "command_pid 13\n");
	TELL(tell_command, "command_pid 12\n");
	EXPECT_NO("it started");
	EXPECT_HAS("  audio/11 was runnable for 20.0ms on cpu 0");
}

/* "-- sleep 10" means that the whole machine is of interest. */
TEST_F(findings, of_a_command_that_only_sleeps)
{
	story_session(&self->s, "command_pid 22\n");
	TELL(tell_crowd, "pinned", 0);
	EXPECT_HAS("\nscope: the command hardly ran: the whole machine: ");
	EXPECT_NO("it started");
	EXPECT_HAS("  3 threads \"pinned\" waited for cpu 0");
}

/* --- what limits a program ------------------------------------------------------------------- */

/*
 * Every 70 ms, req-server waits for cache-refill, which waits for stats-flush, which waits for its
 * CPU for 58 ms while cruncher, of another process, runs.
 */
static void tell_hold(struct story *s)
{
	uint64_t at;
	uint32_t i;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 30, 30, "req-server");
	story_name(s, 31, 30, "stats-flush");
	story_name(s, 32, 30, "cache-refill");
	story_name(s, 33, 33, "cruncher");
	story_chunk(s, 0, 100 * MS);
	story_switch(s, 100 * MS, 0, 30, FXT_THREAD_NEW);
	for (i = 0, at = 100 * MS; i < 6; i++, at += 70 * MS) {
		story_wake(s, at + MS / 2, 0, 32, 30);
		story_switch(s, at + MS, 30, 32, FXT_THREAD_BLOCKED);
		story_wake(s, at + 2 * MS, 1, 31, 32);
		story_switch(s, at + 2 * MS, 32, 0, FXT_THREAD_BLOCKED);
		story_switch(s, at + 65 * MS + MS / 2, 0, 32, FXT_THREAD_NEW);
		story_wake(s, at + 66 * MS, 0, 30, 32);
		story_switch(s, at + 66 * MS, 32, 30, FXT_THREAD_BLOCKED);
	}
	story_chunk(s, 1, 100 * MS);
	story_switch(s, 100 * MS, 0, 33, FXT_THREAD_NEW);
	for (i = 0, at = 100 * MS; i < 6; i++, at += 70 * MS) {
		story_switch(s, at + 60 * MS, 33, 31, FXT_THREAD_NEW);
		story_wake(s, at + 65 * MS, 0, 32, 31);
		story_switch(s, at + 65 * MS, 31, 33, FXT_THREAD_BLOCKED);
	}
	story_end(s, 100 * MS + 6 * 70 * MS);
}

TEST_F(findings, held_up_through_others)
{
	TELL(tell_hold);
	EXPECT_NO("holds up");
	ASSERT_EQ(0, REPORT("--pid", "30"));
	EXPECT_HAS("  stats-flush/31 holds up req-server/30 through cache-refill/32 for 348ms, 83%\n"
		   "    of the time, while cruncher/33 has its CPU\n");
	EXPECT_NO("was runnable");
	EXPECT_NO("holds up cache-refill");
	EXPECT_NO(" slept ");
	EXPECT_NO("limits this");
	ASSERT_EQ(0, REPORT("--pid", "30", "--json"));
	EXPECT_HAS("\"others\":[{\"name\":\"req-server\",\"threads\":1,\"tid\":30},"
		   "{\"name\":\"cache-refill\",\"threads\":1,\"tid\":32},"
		   "{\"name\":\"cruncher\",\"threads\":1,\"tid\":33}]}");
	ASSERT_EQ(0, REPORT("--comm", "cruncher"));
	EXPECT_NO("holds up");
}

/* parse always runs. Once in 10 ms it wakes gen and sink, which then run for 1 ms each. */
static void tell_pipeline(struct story *s)
{
	uint64_t at;
	uint32_t i;

	story_session(s, "command_pid 20\n");
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 20, 20, "gen");
	story_name(s, 21, 20, "parse");
	story_name(s, 22, 20, "sink");
	story_chunk(s, 0, 100 * MS);
	story_switch(s, 100 * MS, 0, 21, FXT_THREAD_NEW);
	for (i = 0, at = 100 * MS; i < 20; i++, at += 10 * MS) {
		story_wake(s, at + 5 * MS, 1, 20, 21);
		story_wake(s, at + 8 * MS, 1, 22, 21);
	}
	story_switch(s, at, 21, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 1, 100 * MS);
	story_switch(s, 100 * MS, 0, 20, FXT_THREAD_NEW);
	story_switch(s, 101 * MS, 20, 22, FXT_THREAD_BLOCKED);
	story_switch(s, 102 * MS, 22, 0, FXT_THREAD_BLOCKED);
	for (i = 0, at = 100 * MS; i < 20; i++, at += 10 * MS) {
		story_switch(s, at + 5 * MS + 1000, 0, 20, FXT_THREAD_NEW);
		story_switch(s, at + 6 * MS, 20, 0, FXT_THREAD_BLOCKED);
		story_switch(s, at + 8 * MS + 1000, 0, 22, FXT_THREAD_NEW);
		story_switch(s, at + 9 * MS, 22, 0, FXT_THREAD_BLOCKED);
	}
	story_end(s, at);
}

TEST_F(findings, slow_middle_of_a_pipeline)
{
	TELL(tell_pipeline);
	EXPECT_HAS("  parse/21 limits this program: it always runs, and gen/20, sink/22 wait for it\n");
	EXPECT_NO(" slept ");
	ASSERT_EQ(0, REPORT("--all"));
	EXPECT_NO("limits this");
}

static const uint64_t in_fsync[] = { 0xffffffff81000010, 0xffffffff81000110, 0xffffffff81000210 };
static const uint64_t in_wait[] = { 0xffffffff81000310 };
static const char functions[] =
	"k ffffffff81000000 ffffffff81000100 wake_up_process\n"
	"k ffffffff81000100 ffffffff81000200 ext4_sync_file\n"
	"k ffffffff81000200 ffffffff81000300 __x64_sys_fsync\n"
	"k ffffffff81000300 ffffffff81000400 io_wait\n";

/* io sleeps until journal wakes it, once in 10 ms. With @is_mutual, journal waits for io, too. */
static void tell_helper(struct story *s, bool is_mutual)
{
	uint64_t at;
	uint32_t i, hard = fxt_sched_waker(0, FXT_SCHED_IRQ_HARD);

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 12, 12, "io");
	story_name(s, 13, 12, "journal");
	story_chunk(s, 0, 100 * MS);
	story_switch(s, 100 * MS, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 101 * MS, 12, 13, FXT_THREAD_BLOCKED);
	story_switch(s, 102 * MS, 13, 0, FXT_THREAD_BLOCKED);
	for (i = 0, at = 102 * MS; i < 20; i++, at += 10 * MS) {
		story_wake(s, at + 7 * MS, 0, 13, is_mutual ? 12 : hard);
		story_switch(s, at + 7 * MS, 0, 13, FXT_THREAD_NEW);
		event_stack(s, at + 9 * MS, 12, 12, in_fsync, 3);
		story_wake(s, at + 9 * MS, 0, 12, 13);
		story_switch(s, at + 9 * MS, 13, 12, FXT_THREAD_BLOCKED);
		event_stack(s, at + 9 * MS, 12, 12, in_wait, 1);
		story_switch(s, at + 10 * MS, 12, 0, FXT_THREAD_BLOCKED);
	}
	story_end(s, at);
	event_symbols(s, functions);
}

TEST_F(findings, fsync_in_a_helper)
{
	TELL(tell_helper, false);
	ASSERT_EQ(0, REPORT("--pid", "12"));
	EXPECT_HAS("  io/12 slept 181ms, 90% of its time, for journal/13, which was in fsync\n"
		   "    (ext4_sync_file)\n");
	ASSERT_EQ(0, REPORT("--comm", "journal"));
	EXPECT_NO(" slept ");
}

/* Each one waits for the other, so neither is at fault. */
TEST_F(findings, a_dialogue_is_no_finding)
{
	TELL(tell_helper, true);
	ASSERT_EQ(0, REPORT("--pid", "12"));
	EXPECT_NO(" slept ");
}

TEST_F(findings, of_a_name)
{
	TELL(tell_throttled_crowd, "/build");
	ASSERT_EQ(0, REPORT("--comm", "loop"));
	EXPECT_HAS("  cgroup /build was throttled");
	ASSERT_EQ(0, REPORT("--comm", "beside"));
	EXPECT_NO("throttled");
}

/* --- threads that take turns ----------------------------------------------------------------- */

/*
 * @threads of process 11 run for 2 ms each, one after the other, on either CPU. Each wakes the next
 * one and sleeps. Before its turn, a thread sleeps @naps times, until an interrupt wakes it. With
 * @both, cpu 1 always runs another one of them.
 */
static void tell_turns(struct story *s, uint32_t threads, uint32_t naps, bool both)
{
	uint64_t at = 100 * MS, nap;
	uint32_t i, j, now, next;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 0; i < threads; i++)
		story_name(s, 11 + i, 11, i ? "turn" : "convoy");
	story_name(s, 30, 11, "turn");
	story_chunk(s, 1, at);
	story_switch(s, at, 22, both ? 30 : 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, at);
	story_switch(s, at, 0, 11, FXT_THREAD_NEW);
	for (i = 0; i < 150; i++, at += 2 * MS) {
		now = 11 + i % threads;
		next = 11 + (i + 1) % threads;
		for (j = 0; j < naps; j++) {
			nap = at + (j + 1) * MS / 3;
			story_switch(s, nap, now, 0, FXT_THREAD_BLOCKED);
			story_wake(s, nap + 10000, 0, now, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
			story_switch(s, nap + 20000, 0, now, FXT_THREAD_NEW);
		}
		story_wake(s, at + 2 * MS, 0, next, now);
		story_switch(s, at + 2 * MS, now, next, FXT_THREAD_BLOCKED);
	}
	story_end(s, at);
}

TEST_F(findings, convoy)
{
	TELL(tell_turns, 4, 0, false);
	EXPECT_HAS("\nFindings\n"
		   "  4 threads of convoy/11 take turns, as behind one lock: at most one ran for\n"
		   "    100% of 300ms, and they woke each other 150 times\n\n");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"convoy\",");
	EXPECT_HAS("\"threads\":4,\"tid\":null,\"nth\":null,\"pid\":11,");
	EXPECT_HAS("\"ns\":300000000,\"of_ns\":300000000,\"count\":150,");
}

/* The holder of a lock may sleep with it, and do other things without it. */
TEST_F(findings, convoy_of_threads_that_sleep_as_well)
{
	TELL(tell_turns, 4, 2, false);
	EXPECT_HAS("  4 threads of convoy/11 take turns, as behind one lock: at most one ran for\n"
		   "    100% of 300ms, and they woke each other 150 times\n\n");
}

/* Most of their wakeups come from elsewhere: they serve others, who may ask one by one. */
TEST_F(findings, threads_that_others_wake_are_no_convoy)
{
	TELL(tell_turns, 4, 4, false);
	EXPECT_NO("take turns");
}

/* Two threads are no convoy, but the program is serial. */
TEST_F(findings, two_threads_are_no_convoy)
{
	TELL(tell_turns, 2, 0, false);
	EXPECT_NO("take turns");
	EXPECT_HAS("  only one of 2 CPUs was busy for 100% of 300ms: convoy/11 ran alone for 150ms\n"
		   "    of that and used one CPU at a time, while the other was idle\n\n");
}

TEST_F(findings, threads_that_run_at_once_are_no_convoy)
{
	TELL(tell_turns, 4, 0, true);
	EXPECT_NO("Findings");
}

/* --- one CPU is busy, and the other one idle -------------------------------------------------- */

/* step runs on cpu 0 for 300 ms; late is kept from cpu 1 for a part of that time. */
static void tell_serial(struct story *s, uint64_t held)
{
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "step");
	story_name(s, 12, 12, "late");
	story_chunk(s, 1, 100 * MS);
	story_switch(s, 100 * MS, 22, 0, FXT_THREAD_BLOCKED);
	story_wake(s, 110 * MS, 1, 12, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, 110 * MS + held, 0, 12, FXT_THREAD_NEW);
	story_switch(s, 111 * MS + held, 12, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 0, 100 * MS);
	story_switch(s, 100 * MS, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 400 * MS, 11, 0, FXT_THREAD_BLOCKED);
	story_end(s, 400 * MS);
}

TEST_F(findings, serial_beside_a_thread_held_off)
{
	TELL(tell_serial, 25 * MS);
	EXPECT_HAS("late/12 waited for 25.0ms in 1 wait while its CPU was idle");
	EXPECT_HAS("only one of 2 CPUs was busy for 100% of 300ms: step/11 ran alone for 299ms");
}

TEST_F(findings, serial_because_a_thread_was_held_off)
{
	TELL(tell_serial, 200 * MS);
	EXPECT_HAS("late/12 waited for 200ms in 1 wait while its CPU was idle");
	EXPECT_NO("only one of");
}

/* --- nothing is wrong ------------------------------------------------------------------------ */

/*
 * On each of two CPUs, two threads take turns of 5 ms. Each is woken 10 us before its turn, while
 * the other one runs. After two turns, the CPU is idle for 1 ms.
 */
static void tell_healthy(struct story *s)
{
	uint32_t cpu, i;
	uint64_t at;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 11; i <= 14; i++)
		story_name(s, i, i, "worker");
	for (cpu = 0; cpu < 2; cpu++) {
		i = 11 + 2 * cpu;
		story_chunk(s, cpu, 100 * MS);
		for (at = 100 * MS; at < 400 * MS; at += 11 * MS) {
			story_wake(s, at, cpu, i, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
			story_switch(s, at + 10000, 0, i, FXT_THREAD_NEW);
			story_wake(s, at + 5 * MS, cpu, i + 1, i);
			story_switch(s, at + 5 * MS + 10000, i, i + 1, FXT_THREAD_BLOCKED);
			story_switch(s, at + 10 * MS, i + 1, 0, FXT_THREAD_BLOCKED);
		}
	}
	story_end(s, 410 * MS);
}

TEST_F(findings, healthy)
{
	TELL(tell_healthy);
	EXPECT_NO("Findings");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[],\"cpus\":");
}

TEST_HARNESS_MAIN
