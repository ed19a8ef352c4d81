// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report describes in words what is wrong. A sentence names the culprit, with exact numbers;
 * the JSON object has the same sentence and numbers; a healthy archive has no findings, and neither
 * has one that only resembles a situation.
 */
#include "event_story.h"
#include "report_print_fixture.h"
#include "fxt/report/stats/report.h"
#include "sched/origins.h"

enum { GROUP = 4711 };	/* id of a cgroup */

/* A recording of a machine that only has cgroups of version 2. */
#define ALL_V2	"source bpf\nmoves runnable\n" FXT_SCHED_CGROUPS " " FXT_SCHED_CGROUPS_V2 "\n"

REPORT_FIXTURE(findings);

#define TELL(story, ...) do {							\
	story(&self->s, ##__VA_ARGS__);						\
	ASSERT_EQ(0, store(self));						\
	ASSERT_EQ(0, REPORT());							\
} while (0)

#define FINDINGS(story, ...) do {						\
	TELL(story, ##__VA_ARGS__);						\
	GOLDEN("Findings");							\
} while (0)

/* --- a latency spike ------------------------------------------------------------------------- */

static void name_threads(struct story *s, const char *cgroup)
{
	story_chunk(s, STORY_NAMES, 1);
	if (cgroup)
		event_process_in(s, 11, "audio", cgroup);
	else
		story_name(s, 11, 11, "audio");
	STORY(s, "name 12 other; name 13 hog");
}

/*
 * audio waits nine times for 1 ms while other runs, then for 20 ms while hog and other run. It is
 * woken each time, or, with @is_preempted, preempted. With @cgroup, it is in that cgroup, and
 * /build is throttled during the last wait. cpu 1 is never idle. After that, audio has the CPU for
 * long, so its waits are a small part of its time.
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
	story_switch(s, at + last / 20, 12, 13, FXT_THREAD_BLOCKED);
	if (cgroup)
		event_throttle(s, at, at + last, GROUP, 0);
	STORY(s, "% 13>11 S; end %", at + last, at + last + 5000 * MS);
}

static void tell_spike(struct story *s, uint64_t last, bool is_preempted, const char *cgroup)
{
	name_threads(s, cgroup);
	tell_waits(s, last, is_preempted, cgroup);
}

TEST_F(findings, spike)
{
	FINDINGS(tell_spike, 20 * MS, false, NULL);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"spike\",\"text\":\"audio/11 was runnable for 20.0ms (usually 1.02ms) behind hog/13 on cpu 0\","
		   "\"name\":\"audio\",\"threads\":1,\"tid\":11,\"nth\":0,\"pid\":null,\"cgroup\":null,"
		   "\"source\":null,\"cpu\":0,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":20000000,"
		   "\"of_ns\":20000000,\"at_least\":false,\"direct_ns\":20000000,\"count\":1,"
		   "\"longest_ns\":20000000,\"longest_from_ns\":127000000,\"usual_ns\":1015807,\"open\":false,"
		   "\"culprits\":[{\"name\":\"hog\",\"threads\":1,\"tid\":13,\"ns\":19000000}],"
		   "\"through\":[],\"others\":[],\"sleepers\":[]}],\"unlooked\":0,");
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

	STORY(&self->s, "names@1; name 11 audio; name 12 other; 0@% 11>12 S", at);
	for (i = 0; i < 10; i++, at += 10 * MS) {
		story_wake(&self->s, at + 1 * MS, 0, 11, 12);
		story_switch(&self->s, at + (i < 9 ? 1 * MS + 10000 : 5 * MS), 12, 11, FXT_THREAD_NEW);
		story_switch(&self->s, at + 9 * MS, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, at);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	EXPECT_NO("was runnable");
}

TEST_F(findings, a_preempted_thread_may_wait_for_its_turn)
{
	TELL(tell_spike, 50 * MS, true, NULL);
	EXPECT_NO("Findings");
	story_restart(&self->s);
	FINDINGS(tell_spike, 200 * MS, true, NULL);
}

TEST_F(findings, a_spike_by_throttling)
{
	FINDINGS(tell_spike, 20 * MS, false, "/build");
}

TEST_F(findings, throttling_of_others_explains_no_spike)
{
	FINDINGS(tell_spike, 20 * MS, false, "/");
}

/* Many waits are as long as the longest one, so the usual wait is not the median. */
TEST_F(findings, usual_is_not_what_half_of_the_waits_exceed)
{
	uint64_t at = 100 * MS, wait;

	STORY(&self->s, "names@1; name 11 audio; name 12 hog; 0@% 11>12 S", at);
	for (uint32_t i = 0; i < 16; i++) {
		wait = i < 9 ? MS / 100 : 20 * MS;
		STORY(&self->s, "% wake 11 by 12 on 0; % 12>11", at + MS, at + MS + wait);
		at += 2 * MS + wait;
		story_switch(&self->s, at, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, at);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* audio waits nine times for 10 us, then for 20 ms, in which 40 threads run for 0.5 ms each. */
TEST_F(findings, crowd_of_short_runs)
{
	uint64_t at = 100 * MS;

	STORY(&self->s, "names@1; name 11 audio; name 12 other");
	for (uint32_t i = 0; i < 40; i++)
		story_name(&self->s, 100 + i, 100 + i, i < 30 ? "cc1" : "as");
	STORY(&self->s, "0@% 11>12 S", at);
	for (uint32_t i = 0; i < 9; i++, at += 3 * MS) {
		STORY(&self->s, "% wake 11 by 12 on 0; % 12>11; % 11>12 S", at + MS,
				at + MS + MS / 100, at + 3 * MS);
	}
	STORY(&self->s, "% wake 11 by 12 on 0; % 12>100 S", at, at);
	for (uint32_t i = 1; i < 40; i++)
		story_switch(&self->s, at + i * MS / 2, 99 + i, 100 + i, FXT_THREAD_BLOCKED);
	STORY(&self->s, "% 139>11 S; end %", at + 20 * MS, at + 21 * MS);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
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
	STORY(s, "1@100ms 14>0 S; 0@100ms 11>13 S; 110ms wake 11 by 13; 150ms 13>11; "
		 "1@151ms wake 14 by 11; 151ms 0>14; end 152ms");
}

TEST_F(findings, another_cpu_is_idle_meanwhile)
{
	TELL(tell_idle_beside, "0-1");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	ASSERT_EQ(0, FXT("report", self->path));
	EXPECT_HAS("  audio/11              hog/13 100%; cpu 1 was idle 100%\n");
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
	EXPECT_HAS(" behind hog/13 (real-time 50)\n    on cpu 0\n");
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
	FINDINGS(tell_class, 13, 15, NULL);
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
	STORY(s, "0@% 11>13 S", at);
	for (i = 0; i < 9; i++, at += 3 * MS) {
		STORY(s, "% wake 11 by 13 on 0; % 13>11; % 11>13 S", at + 1 * MS, at + 2 * MS,
			 at + 3 * MS);
	}
	STORY(s, "% wake 11 by 13 on 0; % 13>11 S; end %", at, at + 20 * MS, at + 5000 * MS);
}

/* Interrupts or non-preemptible code may delay it; without -e irq it is unknown which. */
TEST_F(findings, real_time_thread_behind_a_normal_one)
{
	FINDINGS(tell_kept);
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	story_restart(&self->s);
	STORY(&self->s, "1@99001us; 99ms-99001us irq 30 eth0");
	FINDINGS(tell_kept);
	EXPECT_NO("-e irq");
}

TEST_F(findings, real_time_throttling)
{
	FINDINGS(tell_class, 11, FXT_SCHED_WEIGHT_RT + 80, "kernel Linux 6.1.0 x86_64\n");
	GOLDEN("The longest waits, and who had the CPU meanwhile");
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
	STORY(s, "name 21 beside; name 22 before; 1@99ms 22>% S; 0@99ms 0>11", beside);
	for (i = 0, at = 109 * MS; at <= 399 * MS; at += 10 * MS, i++)
		story_switch(s, at, 11 + i % 3, 11 + (i + 1) % 3, FXT_THREAD_NEW);
	story_end(s, 399 * MS);
}

TEST_F(findings, crowd)
{
	FINDINGS(tell_crowd, "pinned", 0);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"behind\",");
	EXPECT_HAS("\"name\":\"pinned\",\"threads\":3,\"tid\":null,\"nth\":null,\"pid\":null,\"cgroup\":null,"
		   "\"source\":null,\"cpu\":0,\"idle_cpu\":1,\"idle_ns\":300000000,\"ns\":560000000,"
		   "\"of_ns\":900000000,");
}

TEST_F(findings, threads_may_wait_while_all_cpus_are_busy)
{
	FINDINGS(tell_crowd, "pinned", 21);
}

/* Threads with the number of the CPU in their names belong there. */
TEST_F(findings, threads_of_a_cpu_are_no_crowd)
{
	TELL(tell_crowd, "kworker/0:1", 0);
	EXPECT_NO("affinity");
	story_restart(&self->s);
	FINDINGS(tell_crowd, "kworker/1:0", 0);
}

/* victim waits once, for 200 ms, while hog runs and cpu 1 is idle. */
TEST_F(findings, one_wait_while_another_cpu_is_idle)
{
	STORY(&self->s, "names@1; name 11 victim; name 12 hog; 1@99ms 22>0 S; "
			"0@100ms 0>12; 101ms wake 11 by 12; 301ms 12>11 S; end 310ms");
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* The threads wait while cpu 1 is busy. It is only idle later, when nobody waits. */
TEST_F(findings, a_cpu_that_idles_at_another_time_is_no_help)
{
	STORY(&self->s, "names@1; name 11 one; name 12 two; name 21 beside; "
			"1@99ms 0>21; 200ms 21>0 S; 300ms wake 21 by irq; "
			"0@100ms 0>11; 101ms wake 12 by 11; 199ms 11>12 S; 200ms 12>0 S; "
			"end 300ms");
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

TEST_F(findings, selected_time)
{
	TELL(tell_crowd, "pinned", 0);
	ASSERT_EQ(0, REPORT("--from", "0.3", "--to", "0.35"));
	GOLDEN("Findings");
	ASSERT_EQ(0, REPORT("--cpu", "0"));
	EXPECT_NO("Findings");
}

/* --- a thread waits for its own CPU, and that is idle ---------------------------------------- */

/* loop runs for 10 of each 50 ms. In between it is runnable, but its CPU is idle. */
static void tell_held(struct story *s, uint32_t state)
{
	STORY(s, "names@1; name 11 loop; name 21 beside; 1@99ms 0>21; 0@99ms 0>11");
	for (uint64_t at = 109 * MS; at < 309 * MS; at += 50 * MS) {
		story_switch(s, at, 11, 0, state);
		if (state == FXT_THREAD_BLOCKED)
			story_wake(s, at + 40 * MS, 0, 11, 21);
		story_switch(s, at + 40 * MS, 0, 11, FXT_THREAD_NEW);
	}
	story_end(s, 299 * MS);
}

TEST_F(findings, held)
{
	FINDINGS(tell_held, FXT_THREAD_NEW);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"held\",");
	EXPECT_HAS("\"cpu\":0,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":160000000,\"of_ns\":200000000,");
}

/* A deadline thread that the scheduler does not run although it is runnable. */
TEST_F(findings, a_class_that_may_not_run)
{
	self->s.odd = 11;
	self->s.odd_weight = FXT_SCHED_WEIGHT_DL;
	FINDINGS(tell_held, FXT_THREAD_NEW);
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	EXPECT_NO("record with");
	ASSERT_EQ(0, FXT("report", self->path));
	EXPECT_HAS("  loop/11               not allowed: its deadline budget 100%\n");
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
	story_chunk(s, STORY_NAMES, 1);
	event_process_in(s, 11, "loop", of_threads);
	event_process_in(s, 12, "also", of_threads);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		if (path)
			event_cgroup(s, GROUP, cpu, path);
		STORY(s, "%@99ms; 99ms 0>%", cpu, 11 + cpu);
		for (uint64_t at = 109 * MS; at < 309 * MS; at += 50 * MS) {
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
	story_session(&self->s, ALL_V2);
	FINDINGS(tell_throttled, "/build", "/build", 40);
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"throttled\",");
	EXPECT_HAS("\"cgroup\":\"/build\",\"source\":null,\"cpu\":0,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":160000000,"
		   "\"of_ns\":200000000,");
	EXPECT_HAS("\"others\":[{\"name\":\"also\",\"threads\":1,\"tid\":12,\"ns\":160000000,\"of_ns\":200000000}]");
	ASSERT_EQ(0, REPORT("--comm", "loop"));
	GOLDEN("Findings");
}

/* Version 1 has another file of the quota. */
TEST_F(findings, throttled_by_a_cgroup_of_any_version)
{
	TELL(tell_throttled, "/build", "/build", 40);
	EXPECT_HAS("had used up its quota: raise it");
	EXPECT_NO("cpu.max");
}

/* Threads in a cgroup below the throttled one cannot run, either. */
TEST_F(findings, cgroups_below_the_throttled_one)
{
	FINDINGS(tell_throttled, "/build", "/build/one", 40);
}

TEST_F(findings, path_of_any_length)
{
	FINDINGS(tell_throttled, long_path, long_path, 40);
}

/* The throttled cgroup may be that of the threads, so no other reason is suggested. */
TEST_F(findings, throttled_without_a_path)
{
	FINDINGS(tell_throttled, NULL, "/build", 40);
}

/*
 * A path with the same beginning is another cgroup. But the threads may have moved since the
 * archive named it.
 */
TEST_F(findings, threads_of_another_cgroup_are_not_its_victims)
{
	FINDINGS(tell_throttled, "/build", "/builder", 40);
	EXPECT_NO("throttled: /build");
}

/* Throttling explains only 8 of 160 ms. */
TEST_F(findings, throttling_explains_no_more_than_its_time)
{
	FINDINGS(tell_throttled, "/build", "/build", 2);
}

TEST_F(findings, quota_without_records_of_throttling_is_a_guess)
{
	story_session(&self->s, ALL_V2);
	FINDINGS(tell_throttled, "/build", "/build", 0);
	GOLDEN("The longest waits, and who had the CPU meanwhile");
	/* The known cgroup may be that of another controller. */
	story_restart(&self->s);
	TELL(tell_throttled, "/build", "/build", 0);
	EXPECT_HAS("a quota of a cgroup, CPU hotplug");
	EXPECT_NO("quota of cgroup /build");
	story_restart(&self->s);
	story_session(&self->s, "quotas none\n");
	FINDINGS(tell_throttled, "/build", "/build", 0);
	EXPECT_NO("perhaps");
	EXPECT_NO("-e throttle");
}

/* cpu 1 is idle while threads of a throttled cgroup wait for cpu 0. Affinity is not the reason. */
static void tell_throttled_crowd(struct story *s, const char *cgroup)
{
	story_chunk(s, STORY_NAMES, 1);
	event_process_in(s, 11, "loop", cgroup);
	STORY(s, "name 12 beside; name 22 before");
	event_cgroup(s, GROUP, 0, "/build");
	STORY(s, "1@99ms 22>0 S; 0@99ms 0>11");
	for (uint64_t at = 109 * MS; at < 309 * MS; at += 50 * MS) {
		STORY(s, "% 11>12; %-% throttle % on 0; % 12>11 S; % wake 12 by 11 on 0", at, at,
			 at + 40 * MS, GROUP, at + 40 * MS, at + 49 * MS);
	}
	story_end(s, 309 * MS);
}

TEST_F(findings, throttled_threads_are_no_crowd)
{
	FINDINGS(tell_throttled_crowd, "/build");
	EXPECT_NO("affinity");
	EXPECT_NO("was runnable");
}

TEST_F(findings, threads_beside_a_throttled_cgroup_may_crowd)
{
	FINDINGS(tell_throttled_crowd, "/");
}

TEST_F(findings, short_throttling_is_no_finding)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_cgroup(&self->s, GROUP, 0, "/build");
	STORY(&self->s, "0@100ms 0>11; 200ms-219ms throttle %; 300ms 11>0 S; end 300ms", GROUP);
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
	EXPECT_HAS("  hog\n");
	EXPECT_NO("Findings");
	EXPECT_NO(" s  audio/11");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"command\":{\"pid\":12,\"name\":\"other\",\"threads\":2},");
	EXPECT_NO("\"kind\":\"spike\"");
	ASSERT_EQ(0, REPORT("--all"));
	GOLDEN("Findings");
	EXPECT_NO("it started");
	ASSERT_EQ(0, REPORT("--comm", "audio"));
	GOLDEN("Findings");
	EXPECT_NO("it started");
}

/* An archive with two commands, as after a merge, counts as one without a command. */
TEST_F(findings, of_a_command_that_waited)
{
	TELL(tell_command, "command_pid 11\n");
	EXPECT_HAS("\nscope: command audio/11 and what it started: 1 thread (for all threads: --all)\n");
	GOLDEN("Findings");
	story_restart(&self->s);
	story_session(&self->s, "command_pid 13\n");
	TELL(tell_command, "command_pid 12\n");
	EXPECT_NO("it started");
	GOLDEN("Findings");
}

/* "-- sleep 10" means that the whole machine is of interest. */
TEST_F(findings, of_a_command_that_only_sleeps)
{
	story_session(&self->s, "command_pid 22\n");
	TELL(tell_crowd, "pinned", 0);
	EXPECT_HAS("\nscope: the command hardly ran: the whole machine: ");
	EXPECT_NO("it started");
	GOLDEN("Findings");
}

/* Two compilers of the command and two of others take turns of 5 ms. */
TEST_F(findings, others_of_the_same_name)
{
	uint32_t turns[] = { 11, 13, 12, 14 };
	uint64_t at = 100 * MS;

	story_session(&self->s, "command_pid 20\n");
	STORY(&self->s, "names@1; name 20 make");
	for (uint32_t i = 11; i <= 14; i++) {
		self->s.parent = i < 13 ? 20 : 0;
		story_object(&self->s, FXT_OBJECT_PROCESS, i, 0, "cc1");
		story_object(&self->s, FXT_OBJECT_THREAD, i, i, "cc1");
	}
	STORY(&self->s, "0@% 0>20; 100ms wake 11 by 20; 100ms wake 12 by 20; 100ms wake 13 by 20; "
			"100ms wake 14 by 20; 101ms 20>11 Z", at);
	for (uint32_t i = 1; i <= 80; i++)
		story_switch(&self->s, at + MS + i * 5 * MS, turns[(i - 1) % 4], turns[i % 4], FXT_THREAD_NEW);
	story_end(&self->s, at + MS + 400 * MS);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
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

	STORY(s, "names@1; name 30 req-server; name 31/30 stats-flush; name 32/30 cache-refill; "
		 "name 33 cruncher; 0@100ms 0>30");
	for (i = 0, at = 100 * MS; i < 6; i++, at += 70 * MS) {
		STORY(s, "% wake 32 by 30 on 0; % 30>32 S; % wake 31 by 32 on 1; % 32>0 S; "
			 "% 0>32; % wake 30 by 32 on 0; % 32>30 S", at + MS / 2, at + MS,
			 at + 2 * MS, at + 2 * MS, at + 65 * MS + MS / 2, at + 66 * MS,
			 at + 66 * MS);
	}
	STORY(s, "1@100ms 0>33");
	for (i = 0, at = 100 * MS; i < 6; i++, at += 70 * MS) {
		STORY(s, "% 33>31; % wake 32 by 31 on 0; % 31>33 S", at + 60 * MS, at + 65 * MS,
			 at + 65 * MS);
	}
	story_end(s, 100 * MS + 6 * 70 * MS);
}

TEST_F(findings, held_up_through_others)
{
	TELL(tell_hold);
	EXPECT_NO("meanwhile\n\n");
	ASSERT_EQ(0, REPORT("--pid", "30"));
	GOLDEN("Findings");
	ASSERT_EQ(0, REPORT("--pid", "30", "--json"));
	EXPECT_HAS("\"sleepers\":[{\"name\":\"cache-refill\",\"threads\":1,\"tid\":32,\"ns\":351000000,"
		   "\"of_ns\":420000000},{\"name\":\"req-server\",\"threads\":1,\"tid\":30,");
	ASSERT_EQ(0, REPORT("--comm", "cruncher"));
	EXPECT_NO("slept until");
}

/* parse always runs. Once in 10 ms it wakes gen and sink, which then run for 1 ms each. */
static void tell_pipeline(struct story *s)
{
	uint64_t at;
	uint32_t i;

	story_session(s, "command_pid 20\n");
	STORY(s, "names@1; name 20 gen; name 21/20 parse; name 22/20 sink; 0@100ms 0>21");
	for (i = 0, at = 100 * MS; i < 20; i++, at += 10 * MS)
		STORY(s, "% wake 20 by 21 on 1; % wake 22 by 21 on 1", at + 5 * MS, at + 8 * MS);
	STORY(s, "% 21>0 S; 1@100ms 0>20; 101ms 20>22 S; 102ms 22>0 S", at);
	for (i = 0, at = 100 * MS; i < 20; i++, at += 10 * MS) {
		STORY(s, "% 0>20; % 20>0 S; % 0>22; % 22>0 S", at + 5 * MS + 1000, at + 6 * MS,
			 at + 8 * MS + 1000, at + 9 * MS);
	}
	story_end(s, at);
}

TEST_F(findings, slow_middle_of_a_pipeline)
{
	FINDINGS(tell_pipeline);
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

/* What journal waits for: a device, io, data that arrive from the network for the kernel */
enum waits { FOR_DEVICE, FOR_IO, FOR_DATA };

static void wake_journal(struct story *s, uint64_t at, enum waits for_what)
{
	const struct fxt_sched_socket of = {
		FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 700, 2049, 100,
	};

	if (for_what != FOR_DATA) {
		story_wake(s, at, 0, 13, for_what == FOR_IO ? 12 : fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
		return;
	}
	event_data(s, at - 1000, &of);
	story_wake(s, at, 0, 13, fxt_sched_waker(0, FXT_SCHED_IRQ_SOFT));
	STORY(s, "%-% softirq %", at - 5000, at + 5000, EVENT_NET_RX);
}

/* io sleeps until journal wakes it, once in 10 ms. */
static void tell_helper(struct story *s, enum waits for_what)
{
	uint64_t at;
	uint32_t i;
	const struct fxt_sched_state slept = {
		FXT_THREAD_BLOCKED, for_what == FOR_IO ? 0 : FXT_STR_STATE_D,
	};

	STORY(s, "names@1; name 12 io; name 13/12 journal; 0@100ms 0>12; 101ms 12>13 S");
	story_state(s, 102 * MS, 0, 13, 0, slept);
	for (i = 0, at = 102 * MS; i < 20; i++, at += 10 * MS) {
		wake_journal(s, at + 7 * MS, for_what);
		story_switch(s, at + 7 * MS + 6000, 0, 13, FXT_THREAD_NEW);
		event_stack(s, at + 9 * MS, 12, 12, in_fsync, 3);
		story_wake(s, at + 9 * MS, 0, 12, 13);
		story_state(s, at + 9 * MS, 0, 13, 12, slept);
		event_stack(s, at + 9 * MS, 12, 12, in_wait, 1);
		story_switch(s, at + 10 * MS, 12, 0, FXT_THREAD_BLOCKED);
	}
	story_end(s, at);
	event_symbols(s, functions);
}

TEST_F(findings, fsync_in_a_helper)
{
	TELL(tell_helper, FOR_DEVICE);
	ASSERT_EQ(0, REPORT("--pid", "12"));
	GOLDEN("Findings");
	ASSERT_EQ(0, REPORT("--comm", "journal"));
	EXPECT_NO(" slept ");
}

/* As of NFS: programs do not sleep in D for sockets. */
TEST_F(findings, fsync_over_a_network)
{
	TELL(tell_helper, FOR_DATA);
	ASSERT_EQ(0, REPORT("--pid", "12"));
	EXPECT_HAS("which waited for a device, in ext4_sync_file");
	ASSERT_EQ(0, REPORT("--table", "sockets", "--json"));
	EXPECT_HAS("TCP data");
}

/* Each one waits for the other, so neither is at fault. */
TEST_F(findings, a_dialogue_is_no_finding)
{
	TELL(tell_helper, FOR_IO);
	ASSERT_EQ(0, REPORT("--pid", "12"));
	EXPECT_NO(" slept ");
}

/* main waits for the end of a thread, which waits for a device most of the time. */
TEST_F(findings, a_join_of_one_that_waits_for_a_device_is_no_finding)
{
	const struct fxt_sched_state slept = { FXT_THREAD_BLOCKED, FXT_STR_STATE_D };
	uint64_t at = 102 * MS;

	story_session(&self->s, "command_pid 11\n");
	STORY(&self->s, "names@1; name 11 main; name 12/11 job; 0@100ms 0>11; 101ms 11>12 S");
	for (int i = 0; i < 20; i++, at += 10 * MS) {
		story_state(&self->s, at, 0, 12, 0, slept);
		STORY(&self->s, "% wake 12 by irq on 0; % 0>12", at + 8 * MS, at + 8 * MS + 1000);
	}
	STORY(&self->s, "% wake 11 by 12; % 12>11 Z; end %", at, at + 1000, at + MS);
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("waited for a device");
}

/* --- requests of block devices --------------------------------------------------------------- */

enum { DISK_ROUNDS = 20, DISK_ID = 0x1000 };

/*
 * In each round of 50 ms, db queues a write and sleeps in D, or each second time in @state. The
 * driver gets it after 26 ms, when it has completed a write of @who, and completes it after 39
 * ms; then an interrupt wakes db.
 */
static void tell_disk(struct story *s, uint32_t who, uint32_t state)
{
	uint64_t at = 100 * MS;

	STORY(s, "names@1; name 11 db; name 13 flood; 0@% 0>11", at);
	for (unsigned int i = 0; i < DISK_ROUNDS; i++, at += 50 * MS) {
		event_request(s, at + 1, who, DISK_ID, "vda", FXT_LINUX_OP_WRITE, 1 << 20);
		event_queued(s, at + MS, 11, DISK_ID + 1);
		story_state(s, at + MS, 0, 11, 0, (struct fxt_sched_state){
			FXT_THREAD_BLOCKED, i % 2 ? state : FXT_STR_STATE_D,
		});
		event_completion(s, at + 25 * MS, DISK_ID, "vda", 0);
		event_request(s, at + 26 * MS, 0, DISK_ID + 1, "vda", FXT_LINUX_OP_WRITE, 4096);
		event_completion(s, at + 39 * MS, DISK_ID + 1, "vda", 0);
		STORY(s, "% wake 11 by softirq; % 0>11", at + 39 * MS, at + 40 * MS);
	}
	story_end(s, at + MS);
}

TEST_F(findings, fsync_behind_a_flush)
{
	FINDINGS(tell_disk, 13, FXT_STR_STATE_D);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"kind\":\"request\",\"text\":\"db/11 slept 76% of its time (760ms in 20 sleeps, longest "
		   "38.0ms) for writes of vda, mostly in queues, behind requests of flood/13 (100%)\"");
	EXPECT_HAS("\"source\":\"vda\"");
	EXPECT_HAS("\"culprits\":[{\"name\":\"flood\",\"threads\":1,\"tid\":13,\"ns\":760000000}]");
	EXPECT_HAS("\"queued_ns\":500000000,\"in_device_ns\":759999980,");
	ASSERT_EQ(0, REPORT("--table", "requests"));
	GOLDEN("Requests of block devices");
}

TEST_F(findings, writes_behind_its_own)
{
	TELL(tell_disk, 11, FXT_STR_STATE_D);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("longest 38.0ms) for writes of vda, mostly in queues, behind its own requests\"");
}

/* db sleeps for 76% of its time behind its own writes; late waits for 60% of its time. */
TEST_F(findings, writes_behind_its_own_rank_by_half)
{
	STORY(&self->s, "names@1; name 21 busy; name 22 late; 1@100ms 0>21");
	for (uint64_t at = 100 * MS; at < (100 + 50 * DISK_ROUNDS) * MS; at += 50 * MS)
		STORY(&self->s, "% wake 22 by 21; % 21>22; % 22>21 S", at, at + 30 * MS, at + 31 * MS);
	TELL(tell_disk, 11, FXT_STR_STATE_D);
	GOLDEN("Findings");
}

/* Of a thread without work it is not known for what it sleeps, even if a write gives it some. */
TEST_F(findings, idle_workers_wait_for_no_disk)
{
	TELL(tell_disk, 13, FXT_STR_STATE_I);
	EXPECT_HAS("db/11 slept 38% of its time (380ms in 10 sleeps, longest 38.0ms)");
}

TEST_F(findings, sleeps_for_anything_are_for_no_disk)
{
	TELL(tell_disk, 13, 0);
	EXPECT_HAS("db/11 slept 38% of its time (380ms in 10 sleeps, longest 38.0ms)");
}

TEST_F(findings, of_a_name)
{
	TELL(tell_throttled_crowd, "/build");
	ASSERT_EQ(0, REPORT("--comm", "loop"));
	GOLDEN("Findings");
	ASSERT_EQ(0, REPORT("--comm", "beside"));
	EXPECT_NO("quota");
}

/* --- threads that take turns ----------------------------------------------------------------- */

/* What threads that take turns sleep for. */
enum turn_futex {
	TURN_UNKNOWN,
	TURN_LOCK,	/* that the one before has */
	TURN_FUTEX,	/* through which the one before wakes the next */
	TURN_OTHERS,	/* likewise, one of too many */
};

/*
 * @threads of process 11 run for 2 ms each, one after the other, on either CPU. Each wakes the next
 * one and sleeps. Before its turn, a thread sleeps @naps times, until an interrupt wakes it. With
 * @both, cpu 1 always runs another one of them.
 */
static void tell_turns(struct story *s, uint32_t threads, uint32_t naps, bool both,
		       enum turn_futex futex)
{
	uint64_t at = 100 * MS, nap, round = 2 * MS * (threads - 1);
	uint32_t i, j, now, next;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 0; i < threads; i++)
		story_name(s, 11 + i, 11, i ? "turn" : "convoy");
	STORY(s, "name 30/11 turn; 1@%", at);
	story_switch(s, at, 22, both ? 30 : 0, FXT_THREAD_BLOCKED);
	STORY(s, "0@% 0>11", at);
	for (i = 0; futex == TURN_OTHERS && i < SCHED_ORIGINS / 2; i++)
		event_futex(s, at + i, at + i + 1, 12, 11, 0x2000 + 4 * i, 0, 0);
	for (i = 0; i < 150; i++, at += 2 * MS) {
		now = 11 + i % threads;
		next = 11 + (i + 1) % threads;
		for (j = 0; j < naps; j++) {
			nap = at + (j + 1) * MS / 3;
			STORY(s, "% %>0 S; % wake % by irq on 0; % 0>%", nap, now, nap + 10000, now,
				 nap + 20000, now);
		}
		story_wake(s, at + 2 * MS, 0, next, now);
		story_switch(s, at + 2 * MS, now, next, FXT_THREAD_BLOCKED);
		if (futex && i >= threads)
			event_futex(s, at + 2 * MS - round, at + 2 * MS, next, 11, 0x1000,
				    futex == TURN_LOCK ? now : 0, now);
	}
	story_end(s, at);
}

TEST_F(findings, convoy)
{
	FINDINGS(tell_turns, 4, 0, false, TURN_UNKNOWN);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"convoy\",");
	EXPECT_HAS("\"threads\":4,\"tid\":null,\"nth\":null,\"pid\":11,");
	EXPECT_HAS("\"ns\":894000000,\"of_ns\":1200000000,");
}

TEST_F(findings, convoy_behind_a_lock)
{
	FINDINGS(tell_turns, 4, 0, false, TURN_LOCK);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"source\":\"futex\",\"lock\":\"0x1000\",");
}

TEST_F(findings, convoy_through_a_futex)
{
	TELL(tell_turns, 4, 0, false, TURN_FUTEX);
	EXPECT_NO("one lock");
	GOLDEN("Findings");
}

/* Of futexes that are not told apart, nobody knows whether they are one. */
TEST_F(findings, convoy_through_one_of_too_many_futexes)
{
	story_session(&self->s, "events lock\n");
	TELL(tell_turns, 4, 0, false, TURN_OTHERS);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("take turns, and not behind one lock that is known");
	EXPECT_HAS("\"futexes\":[{\"process\":null,\"address\":\"(others)\",");
}

/* If locks were recorded, none is guessed. */
TEST_F(findings, convoy_without_a_lock)
{
	story_session(&self->s, "events lock\n");
	TELL(tell_turns, 4, 0, false, TURN_UNKNOWN);
	EXPECT_NO("as behind one lock");
	GOLDEN("Findings");
}

/* The holder of a lock may sleep with it, and do other things without it. */
TEST_F(findings, convoy_of_threads_that_sleep_as_well)
{
	FINDINGS(tell_turns, 4, 2, false, TURN_UNKNOWN);
}

/* Two threads are no convoy, but the program is serial. */
TEST_F(findings, two_threads_are_no_convoy)
{
	TELL(tell_turns, 2, 0, false, TURN_UNKNOWN);
	EXPECT_NO("take turns");
	GOLDEN("Findings");
}

TEST_F(findings, threads_that_run_at_once_are_no_convoy)
{
	TELL(tell_turns, 4, 0, true, TURN_UNKNOWN);
	EXPECT_NO("Findings");
}

/* --- a lock whose holder sleeps --------------------------------------------------------------- */

/*
 * In each 10 ms, keeper sleeps for 8 ms until an interrupt, and then wakes asker and late, which
 * wait for a futex: asker since it last ran, late for 3 ms. If the futex @is_lock, they saw keeper
 * in it.
 */
static void tell_keeper(struct story *s, bool is_lock)
{
	uint64_t at = 100 * MS, end, i;
	uint32_t seen = is_lock ? 11 : 0;

	STORY(s, "names@1; name 11 keeper; name 12/11 asker; name 13/11 late; 0@% 0>11", at);
	for (i = 0; i < 30; i++, at += 10 * MS) {
		end = at + 8 * MS;
		STORY(s, "% 11>0 S; % wake 11 by irq on 0; % 0>11; % wake 12 by 11; % wake 13 by 11; "
			 "% 11>12 S", at + 1000, end, end + 1000, end + 2000, end + 3000, end + 4000);
		if (i)
			event_futex(s, at - MS, end + 4000, 12, 11, 0x1000, seen, 11);
		STORY(s, "% 12>13 S", end + MS);
		if (i)
			event_futex(s, at + 5 * MS, end + MS, 13, 11, 0x1000, seen, 11);
		STORY(s, "% wake 11 by irq; % 13>11 S", end + MS + 1000, end + 2 * MS);
	}
	story_end(s, at);
}

TEST_F(findings, lock_of_a_thread_that_sleeps)
{
	FINDINGS(tell_keeper, true);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"lock\",");
	EXPECT_HAS("\"source\":\"futex\",\"lock\":\"0x1000\",");
}

TEST_F(findings, futex_of_a_thread_that_sleeps_is_no_lock)
{
	TELL(tell_keeper, false);
	EXPECT_NO(" lock ");
}

/* --- a wait for a lock that fired the trigger ------------------------------------------------- */

/* At 2.4 GHz a tick is not a whole number of ns, and each time is rounded. */
#define FAST		2400000000ULL
#define FAST_MS(ms)	((ms) * FAST / 1000)

enum lock_end { STILL_ASLEEP, WOKEN, RAN, ENDED };

/*
 * asker waits for a futex of keeper from 1 tick after 100 ms on, and is woken at 250 ms, up to
 * @end. Only if the wait ENDED it has a record. The trigger is at 200 ms.
 */
static void tell_trigger_lock(struct story *s, enum lock_end end)
{
	uint64_t begin = FAST_MS(100) + 1, woken = FAST_MS(250);

	BUILD(&s->b, fxt_initialization(), FAST);
	STORY(s, "names@1; name 11 keeper; name 12/11 asker; 0@% 0>11; % 11>12; % 12>11 S",
	      FAST_MS(40), FAST_MS(50), begin + 1000);
	if (end >= WOKEN)
		STORY(s, "% wake 12 by 11", woken);
	if (end >= RAN)
		STORY(s, "% 11>12", woken + 1000);
	if (end == ENDED)
		event_futex(s, begin, woken + 2400, 12, 11, 0x1000, 11, 11);
	if (end >= RAN)
		STORY(s, "% 12>11 S", FAST_MS(260));
}

static const char waited[] = "\"asker/12 waited for 100ms for a lock that keeper/11 held, which "
			     "fired the trigger";

TEST_F(findings, trigger_of_a_lock)
{
	tell_trigger_lock(&self->s, ENDED);
	story_end(&self->s, FAST_MS(300));
	story_trigger_lock(&self->s, FAST_MS(200), 12, 99999999, "futex", 0x1000, 11);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	EXPECT_NO("at the end");
	/* Without stacks, nobody expects one. */
	GOLDEN("Trigger: a wait that was not over");
	/* The trigger fired at the end of the wait, and does not name the holder. */
	story_restart(&self->s);
	tell_trigger_lock(&self->s, ENDED);
	story_end(&self->s, FAST_MS(300));
	story_trigger_of(&self->s, FXT_STR_LOCK, FAST_MS(250) + 2400, 12, 0, 150000999);
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("  asker/12 waited for 150ms for a lock that keeper/11 held, which fired");
}

/* Its end has no record. */
TEST_F(findings, trigger_of_a_lock_without_an_end)
{
	static const bool goes_on[] = { [STILL_ASLEEP] = true, [WOKEN] = true, [RAN] = false };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(goes_on); i++) {
		story_restart(&self->s);
		tell_trigger_lock(&self->s, i);
		story_end(&self->s, FAST_MS(300));
		story_trigger_lock(&self->s, FAST_MS(200), 12, 99999999, "futex", 0x1000, 11);
		ASSERT_EQ(0, REPORT("--json"));
		EXPECT_HAS(waited);
		EXPECT_EQ(goes_on[i], !!strstr(self->t.out, "trigger, still waiting at the end"))
			TH_LOG("%zu: %s", i, self->t.out);
		EXPECT_NO("still asleep");
	}
}

TEST_F(findings, holder_that_has_no_stack)
{
	static const uint64_t in_wait[] = { 0xffffffff81000010 };

	tell_trigger_lock(&self->s, STILL_ASLEEP);
	event_asleep(&self->s, FAST_MS(210), 12, 11, in_wait, 1);
	story_end(&self->s, FAST_MS(300));
	story_trigger_lock(&self->s, FAST_MS(200), 12, 99999999, "futex", 0x1000, 11);
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("held by keeper/11, which ran then, so it has no stack\n");
}

/* The trigger may fire while another CPU wakes the thread. */
TEST_F(findings, trigger_of_a_sleep_that_just_ended)
{
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; 0@1ms 0>11; 2ms 11>12 S");
	story_trigger_open_of(&self->s, FXT_STR_SLEEP, 59 * MS, 11, 0, 57 * MS);
	STORY(&self->s, "61ms wake 12 by irq; end 65ms");
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("still asleep at the end\n");
	story_restart(&self->s);
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; 0@1ms 0>11; 2ms 11>12 S; "
			"59ms wake 11 by irq; 60ms 12>11; end 65ms");
	story_trigger_open_of(&self->s, FXT_STR_SLEEP, 59 * MS + 5000, 11, 0, 57 * MS + 5000);
	ASSERT_EQ(0, REPORT());
	EXPECT_HAS("eleven/11 slept for 57.0ms, which fired the trigger, 5.00us of it mostly");
	EXPECT_NO("still asleep");
}

/* What one thread does limits the others; their lock is no other loss. */
TEST_F(findings, lock_of_a_thread_that_runs)
{
	uint64_t at = 100 * MS;

	story_session(&self->s, "command_pid 11\n");
	STORY(&self->s, "names@1; name 11 keeper; name 12/11 asker; 0@% 0>11; 1@% 0>12; % 12>0 S", at,
	      at, at + MS);
	for (int i = 0; i < 30; i++, at += 10 * MS) {
		STORY(&self->s, "% wake 12 by 11; % 0>12", at + 9 * MS, at + 9 * MS + 1000);
		event_futex(&self->s, at + MS, at + 9 * MS + 1000, 12, 11, 0x1000, 11, 11);
		STORY(&self->s, "% 12>0 S", at + 11 * MS);
	}
	STORY(&self->s, "end %", at + 2 * MS);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* --- one CPU is busy, and the other one idle -------------------------------------------------- */

/* step runs on cpu 0 for 300 ms; late is kept from cpu 1 for a part of that time. */
static void tell_serial(struct story *s, uint64_t held)
{
	STORY(s, "names@1; name 11 step; name 12 late; 1@100ms 22>0 S; 110ms wake 12 by irq; "
		 "% 0>12; % 12>0 S; 0@100ms 0>11; 400ms 11>0 S; end 400ms", 110 * MS + held,
		 111 * MS + held);
}

TEST_F(findings, serial_beside_a_thread_held_off)
{
	FINDINGS(tell_serial, 25 * MS);
}

TEST_F(findings, serial_because_a_thread_was_held_off)
{
	FINDINGS(tell_serial, 200 * MS);
	EXPECT_NO("only one of");
}

/* --- what a program loses all the time -------------------------------------------------------- */

/* On the only CPU, poller and parser take turns of 4 and 6 ms; both could always run. */
static uint64_t contend(struct story *s, const char *poller)
{
	uint64_t at;

	STORY(s, "names@1; name 11 parser");
	story_name(s, 12, 12, poller);
	STORY(s, "0@100ms 0>12; 100ms wake 11 by 12");
	for (at = 100 * MS; at < 500 * MS; at += 10 * MS)
		STORY(s, "% 12>11; % 11>12", at + 6 * MS, at + 10 * MS);
	return at;
}

static void tell_contention(struct story *s, const char *poller)
{
	story_end(s, contend(s, poller));
}

TEST_F(findings, sustained_contention)
{
	FINDINGS(tell_contention, "poller");
	ASSERT_EQ(0, REPORT("--comm", "poller"));
	GOLDEN("Findings");
}

/* The recorder's own time comes last, whatever it is. */
TEST_F(findings, the_recorder_comes_last)
{
	FINDINGS(tell_contention, "fxt-collect");
}

/* Soft interrupts that take long are served by ksoftirqd. */
TEST_F(findings, perhaps_soft_interrupts)
{
	FINDINGS(tell_contention, "ksoftirqd/0");
}

/* NET_RX takes 3 of each 10 ms while busy runs. */
TEST_F(findings, soft_interrupts)
{
	uint64_t at;

	STORY(&self->s, "names@1; name 11 busy; 0@100ms 0>11");
	for (at = 100 * MS; at < 500 * MS; at += 10 * MS)
		event_softirq(&self->s, at + 2 * MS, at + 5 * MS, 3);
	STORY(&self->s, "% 11>0 S; end %", at, at);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"kind\":\"interrupt\",");
	EXPECT_HAS("\"source\":\"NET_RX\",\"cpu\":0,");
}

/* Every 50 ms, low, which has what high needs, waits for 40 ms while mid runs. @weight: of high. */
static void tell_inversion(struct story *s, int32_t weight)
{
	uint64_t at;

	s->odd = 13;
	s->odd_weight = weight;
	story_session(s, "command_pid 11\n");
	STORY(s, "names@1; name 11 low; name 12 mid; name 13/11 high; "
		 "0@100ms 0>13; 100ms wake 11 by 13");
	for (at = 100 * MS; at < 500 * MS; at += 50 * MS) {
		STORY(s, "% 13>11 S; % 11>12; % 12>11 S; % wake 12 by 11 on 0; "
			 "% wake 13 by 11 on 0; % 11>13", at + 2 * MS, at + 5 * MS, at + 45 * MS,
			 at + 49 * MS, at + 50 * MS, at + 50 * MS);
	}
	story_end(s, at);
}

TEST_F(findings, priority_inversion)
{
	FINDINGS(tell_inversion, FXT_SCHED_WEIGHT_RT + 50);
}

/* Without classes it is no inversion, and the thread that waits comes first. */
TEST_F(findings, one_holds_up_another)
{
	FINDINGS(tell_inversion, 1024);
}

/*
 * Of four workers, which dispatch wakes once in 10 ms for 1 ms, the last one sleeps @ms in its
 * work, until an interrupt wakes it, in which the timer @function expires, unless that is NULL.
 */
static void tell_pool(struct story *s, uint64_t ms, const char *function)
{
	static const char *const names[] = { "worker-0", "worker-1", "worker-2", "worker-3" };
	uint32_t i, hard = fxt_sched_waker(0, FXT_SCHED_IRQ_HARD);
	uint64_t at, woken;

	story_session(s, "command_pid 20\n");
	STORY(s, "names@1; name 20 dispatch");
	for (i = 0; i < 4; i++)
		story_name(s, 11 + i, 20, names[i]);
	STORY(s, "0@100ms 0>20");
	for (at = 100 * MS; at < 500 * MS; at += 10 * MS) {
		for (i = 0; i < 4; i++)
			story_wake(s, at + MS / 4, 0, 11 + i, 20);
		story_switch(s, at + MS / 2, 20, 11, FXT_THREAD_BLOCKED);
		for (i = 0; i < 3; i++)
			story_switch(s, at + MS / 2 + (i + 1) * MS / 4, 11 + i, 12 + i, FXT_THREAD_BLOCKED);
		story_switch(s, at + 3 * MS / 2, 14, 0, FXT_THREAD_BLOCKED);
		if (ms) {
			woken = at + 3 * MS / 2 + ms * MS;
			if (function)
				event_timer(s, woken, function,
					    strcmp(function, FXT_LINUX_SLEEPER) ? 0 : 14);
			story_wake(s, woken, 0, 14, hard);
			if (function)
				event_vector(s, woken - MS / 100, woken, FXT_STR_VECTOR_LOCAL_TIMER);
			STORY(s, "% 0>14; % 14>0 S", woken, at + 2 * MS + ms * MS);
		}
		STORY(s, "% wake 20 by % on 0; % 0>20", at + 10 * MS, hard, at + 10 * MS);
	}
	story_end(s, at);
}

TEST_F(findings, slow_worker)
{
	FINDINGS(tell_pool, 5, NULL);
}

/* Data end all sleeps but every fourth, or only every fourth one. */
static void tell_pool_of_clients(struct story *s, bool is_most)
{
	const struct fxt_sched_socket of = {
		FXT_LINUX_AF_INET, FXT_LINUX_SOCK_STREAM, FXT_LINUX_TCP, 1, 40000, 5432, 100,
	};
	uint32_t soft = fxt_sched_waker(0, FXT_SCHED_IRQ_SOFT), i;
	uint64_t at = 100 * MS, woken;

	story_session(s, "command_pid 20\n");
	STORY(s, "names@1; name 20 dispatch; name 11/20 worker-0; name 12/20 worker-1; "
		 "name 13/20 worker-2; name 14/20 worker-3; 0@100ms 0>14");
	for (i = 0; i < 40; i++, at += 10 * MS) {
		woken = at + 9 * MS;
		story_switch(s, at + MS, 14, 0, FXT_THREAD_BLOCKED);
		if (!(i % 4) != is_most)
			event_data(s, woken - 1000, &of);
		STORY(s, "% wake 14 by % on 0; %-% softirq %; % 0>14", woken, soft, woken - 5000,
			 woken + 5000, EVENT_NET_RX, woken + MS / 2);
	}
	for (i = 11; i < 14; i++, at += MS) {
		STORY(s, "% wake % by 14 on 0; % 14>%; % %>14 S", at, i, at + MS / 4, i,
			 at + MS / 2, i);
	}
	story_end(s, at);
}

TEST_F(findings, slow_worker_with_data)
{
	FINDINGS(tell_pool_of_clients, true);
}

TEST_F(findings, slow_worker_with_little_data)
{
	TELL(tell_pool_of_clients, false);
	EXPECT_NO("most of them with TCP data");
	EXPECT_HAS("slept 79% of its time");
}

/* A timer of the kernel is not the worker's decision. */
TEST_F(findings, slow_worker_with_timers)
{
	FINDINGS(tell_pool, 5, "timerfd_tmrproc");
}

TEST_F(findings, sleeps_by_choice_are_no_finding)
{
	TELL(tell_pool, 5, FXT_LINUX_SLEEPER);
	EXPECT_NO("slept");
}

TEST_F(findings, sleeps_until_timeouts_are_no_finding)
{
	TELL(tell_pool, 5, FXT_LINUX_TIMEOUT);
	EXPECT_NO("slept");
}

/* They sleep until there is work, and dispatch until its timer. */
TEST_F(findings, an_idle_pool_is_no_finding)
{
	TELL(tell_pool, 0, NULL);
	EXPECT_NO("slept");
	EXPECT_NO("limits");
	EXPECT_NO("take turns");
}

/* main waits for the end of a thread, which runs all the time. */
TEST_F(findings, a_join_is_no_finding)
{
	story_session(&self->s, "command_pid 11\n");
	STORY(&self->s, "names@1; name 11 main; name 12/11 job; 0@100ms 0>11; 101ms 11>12 S; "
			"399ms wake 11 by 12; 400ms 12>11 Z; end 401ms");
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("Findings");
}

/* Four threads that run 88 times are four. */
TEST_F(findings, threads_are_counted_not_runs)
{
	uint64_t at = 100 * MS;

	STORY(&self->s, "names@1; name 20 victim");
	for (uint32_t i = 11; i <= 14; i++)
		story_name(&self->s, i, 11, "clerk");
	STORY(&self->s, "0@% 0>20", at);
	for (uint32_t i = 0; i < 88; i++, at += 5 * MS) {
		STORY(&self->s, "% wake % by 20 on 0; % 20>%; % %>20 S", at, 11 + i % 4, at + MS,
				11 + i % 4, at + 5 * MS, 11 + i % 4);
	}
	story_end(&self->s, at);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* Of four compilers, one runs for 300 ms after the others have ended. */
TEST_F(findings, one_of_several_limits_a_build)
{
	uint64_t at;
	uint32_t i;

	story_chunk(&self->s, STORY_NAMES, 1);
	for (i = 11; i <= 14; i++)
		story_name(&self->s, i, i, "cc1");
	STORY(&self->s, "0@100ms 0>11; 450ms 11>0 Z; 1@100ms 0>12");
	for (at = 110 * MS, i = 12; i < 14; i++, at += 10 * MS)
		story_switch(&self->s, at, i, i + 1, FXT_THREAD_DEAD);
	STORY(&self->s, "% 14>0 Z; end 450ms", at + 20 * MS);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* --- a rare stall fired the trigger ----------------------------------------------------------- */

/*
 * parser always waits behind poller for a part of its time. victim waited once, for 12 ms, and was
 * seen after 10 ms.
 */
TEST_F(findings, the_trigger_comes_first)
{
	uint64_t at = contend(&self->s, "poller");

	STORY(&self->s, "names@2; name 21 victim; name 22 stall; 1@100ms 0>22; % wake 21 by 22; "
			"% 22>21 S; end %", at - 13 * MS, at - MS, at);
	story_trigger_open(&self->s, at - 3 * MS, 21, 1, 10 * MS);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
}

/* --- memory ----------------------------------------------------------------------------------- */

/*
 * For a second, db runs on cpu 0 for 80 of each 100 ms, @percent of which it is in reclaim or
 * compaction, as @name says; the thread of the kernel that compacts memory for others on cpu 1.
 */
static void tell_reclaim_in(struct story *s, const char *cgroup, uint64_t percent, uint32_t name)
{
	uint64_t at;

	STORY(s, "names@1; name 12 kcompactd0");
	event_process_in(s, 11, "db", cgroup);
	story_chunk(s, 0, 100 * MS);
	for (at = 100 * MS; at < 1100 * MS; at += 100 * MS) {
		STORY(s, "% wake 11 by irq on 0; % 0>11", at, at);
		event_memory(s, at + MS, at + (percent + 1) * MS, 11, 11, name, 32);
		story_switch(s, at + 80 * MS, 11, 0, FXT_THREAD_BLOCKED);
	}
	STORY(s, "1@100ms 0>12");
	event_memory(s, 110 * MS, 1000 * MS, 12, 12, FXT_STR_COMPACTION, 0);
	STORY(s, "1000ms 12>0 S; end 1100ms");
}

static void tell_reclaim(struct story *s, uint64_t percent, uint32_t name)
{
	tell_reclaim_in(s, "/tenant", percent, name);
}

TEST_F(findings, reclaim_of_a_cgroup)
{
	story_session(&self->s, ALL_V2);
	FINDINGS(tell_reclaim, 40, FXT_STR_CGROUP_RECLAIM);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"memory\",");
	EXPECT_HAS("\"cgroup\":\"/tenant\",\"source\":\"cgroup reclaim\",");
}

#define EXPECT_UNKNOWN_CGROUP() do {						\
	ASSERT_EQ(0, REPORT("--json"));						\
	EXPECT_HAS(": probably a memory cgroup reached its limit; its name is not known\"");	\
	EXPECT_HAS("\"cgroup\":null,\"source\":\"cgroup reclaim\",");		\
} while (0)

/* As for those of the kernel, which are in no cgroup that has a limit. */
TEST_F(findings, reclaim_of_an_unknown_cgroup)
{
	story_session(&self->s, ALL_V2);
	TELL(tell_reclaim_in, "/", 40, FXT_STR_CGROUP_RECLAIM);
	EXPECT_UNKNOWN_CGROUP();
}

/* The known cgroup may be that of another controller: in old archives, and with version 1. */
TEST_F(findings, reclaim_of_another_controller)
{
	TELL(tell_reclaim, 40, FXT_STR_CGROUP_RECLAIM);
	EXPECT_UNKNOWN_CGROUP();
	story_restart(&self->s);
	story_session(&self->s, ALL_V2);
	story_session(&self->s, "source bpf\n");
	TELL(tell_reclaim, 40, FXT_STR_CGROUP_RECLAIM);
	EXPECT_UNKNOWN_CGROUP();
}

TEST_F(findings, direct_reclaim)
{
	FINDINGS(tell_reclaim, 40, FXT_STR_DIRECT_RECLAIM);
}

TEST_F(findings, compaction)
{
	FINDINGS(tell_reclaim, 40, FXT_STR_COMPACTION);
}

TEST_F(findings, little_reclaim)
{
	TELL(tell_reclaim, 4, FXT_STR_CGROUP_RECLAIM);
	EXPECT_NO("reclaim of memory");
}

/* --- a virtual machine ----------------------------------------------------------------------- */

/*
 * For a second, step has cpu 0 for 80 of each 100 ms, and mix has cpu 1. The host takes @percent of
 * cpu 0, a quarter of that while it is idle, and half as much of cpu 1.
 */
static void tell_host(struct story *s, uint64_t percent)
{
	uint64_t taken = percent * MS, first = 5000 * MS, at;
	uint32_t cpu;

	STORY(s, "names@1; name 11 step; name 12 mix");
	for (cpu = 0; cpu < 2; cpu++, taken /= 2) {
		story_chunk(s, cpu, 100 * MS);
		event_steal(s, 100 * MS, cpu, first);
		for (at = 100 * MS; at < 1100 * MS; at += 100 * MS, first += taken) {
			story_wake(s, at, cpu, 11 + cpu, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
			story_switch(s, at, 0, 11 + cpu, FXT_THREAD_NEW);
			event_steal(s, at + 80 * MS, cpu, first + taken * 3 / 4);
			story_switch(s, at + 80 * MS, 11 + cpu, 0, FXT_THREAD_BLOCKED);
			event_steal(s, at + 100 * MS, cpu, first + taken);
		}
	}
	story_end(s, 1100 * MS);
}

TEST_F(findings, the_host_has_a_cpu)
{
	FINDINGS(tell_host, 20);
	GOLDEN("CPUs");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"findings\":[{\"kind\":\"steal\",");
	EXPECT_HAS("\"name\":\"step\",\"threads\":1,\"tid\":11,\"nth\":0,\"pid\":null,\"cgroup\":null,"
		   "\"source\":null,\"cpu\":0,\"idle_cpu\":null,\"idle_ns\":null,\"ns\":200000000,"
		   "\"of_ns\":1000000000,");
	EXPECT_HAS("\"host_ns\":200000000");
	EXPECT_HAS("\"host_ns\":100000000");
}

TEST_F(findings, what_a_host_usually_takes_is_no_finding)
{
	TELL(tell_host, 1);
	EXPECT_NO("Findings");
	story_restart(&self->s);
	TELL(tell_host, 4);
	EXPECT_NO("Findings");
}

/* --- nothing is wrong ------------------------------------------------------------------------ */

/*
 * On each of two CPUs, two threads take turns of 5 ms. Each is woken 10 us before its turn, while
 * the other one runs. After two turns, the CPU is idle for 1 ms.
 */
static void tell_healthy(struct story *s)
{
	uint32_t cpu, i;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 11; i <= 14; i++)
		story_name(s, i, i, "worker");
	for (cpu = 0; cpu < 2; cpu++) {
		i = 11 + 2 * cpu;
		story_chunk(s, cpu, 100 * MS);
		for (uint64_t at = 100 * MS; at < 400 * MS; at += 11 * MS) {
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
	EXPECT_HAS("\"findings\":[],\"unlooked\":0,\"cpus\":");
}
