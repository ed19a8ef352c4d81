// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long threads slept, and who woke them: each sleep is counted once, by its state, with the
 * thread that ended it; time that may not be a sleep does not count. The sums are those of the
 * spans that the model reports.
 */
#include "event_story.h"
#include "report_fixture.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(print);

#define NOBODY	UINT64_MAX

static const struct fxt_sched_state uninterruptible = { FXT_THREAD_BLOCKED, FXT_STR_STATE_D };
static const struct fxt_sched_state idle = { FXT_THREAD_BLOCKED, FXT_STR_STATE_I };
static const struct fxt_sched_state traced = { FXT_THREAD_SUSPENDED, FXT_STR_STATE_T };
static const struct fxt_sched_state parked = { FXT_THREAD_SUSPENDED, FXT_STR_STATE_P };

/*
 * 11 sleeps three times, the last time until the end; 12 is stuck in D at the end; 13 and 15
 * are kernel threads. 16 is new, 17 was asleep before. "in" means switched in.
 *
 *  cpu 0   1000 11 in                         cpu 1   8500 12 in
 *          2000 12 in, 11 sleeps                      9500 13 in, 12 is stopped
 *          5000 12 wakes 11, after 3000              10000 13 is idle
 *          6000 11 in, 12 sleeps (D)                 12000 21 wakes 12, after 2500
 *          8000 a hard interrupt of 11               12500 a soft interrupt wakes 13, after 2500
 *               wakes 12, after 2000                 13000 12 in
 *          9000 11 sleeps                            14000 13 in, 12 sleeps (D)
 *         10000 the idle thread wakes 11,            15000 13 wakes 17
 *               after 1000                           15500 13 wakes 16
 *         11000 11 in                                20000 13 is parked
 *         12000 15 in, 11 is traced                  21000 14 in
 *         12100 21 wakes 11, after 100
 *         12300 11 in, 15 is idle
 *         13000 11 sleeps
 */
static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12 twelve; name 13 kernel; name 14 fourteen; "
		 "name 15 kernel; name 17 seventeen; name 21 waker; 0@1000 0>11; 2000 11>12 S; "
		 "5000 wake 11 by 12");
	story_state(s, 6000, 0, 12, 11, uninterruptible);
	STORY(s, "8000 wake 12 by % on 1; 9000 11>0 S; 10000 wake 11 by 0 on 0; 11000 0>11",
		 fxt_sched_waker(11, FXT_SCHED_IRQ_HARD));
	story_state(s, 12000, 0, 11, 15, traced);
	story_wake(s, 12100, 0, 11, 21);
	story_state(s, 12300, 0, 15, 11, idle);
	STORY(s, "13000 11>0 S; 1@8500 0>12; 9500 12>13 T");
	story_state(s, 10000, 1, 13, 0, idle);
	STORY(s, "12000 wake 12 by 21 on 1; 12500 wake 13 by softirq on 1; 13000 0>12");
	story_state(s, 14000, 1, 12, 13, uninterruptible);
	STORY(s, "15000 wake 17 by 13 on 1; 15500 wake 16 by 13 on 1");
	story_state(s, 20000, 1, 13, 0, parked);
	story_switch(s, 21000, 0, 14, FXT_THREAD_NEW);
	/* The name of a new thread may come after its first wakeup. */
	STORY(s, "names@15400 16/16 begins sixteen; end 21000");
}

static const struct report_sleeps *sleeps(const struct report_thread *t,
					  enum report_sleep_kind kind)
{
	static const struct report_sleeps none;

	return t->sleeps[kind] ? t->sleeps[kind] : &none;
}

#define EXPECT_SLEEPS(s_, count_, ns_, longest_, cut_count_, cut_ns_)		\
	do {									\
		const struct report_sleeps *seen = (s_);			\
										\
		EXPECT_EQ((uint64_t)(count_), seen->count);			\
		EXPECT_EQ((uint64_t)(ns_), seen->ns);				\
		EXPECT_EQ((uint64_t)(longest_), seen->longest.latency);		\
		EXPECT_EQ((uint64_t)(cut_count_), seen->cut_count);		\
		EXPECT_EQ((uint64_t)(cut_ns_), seen->cut_ns);			\
	} while (0)

#define EXPECT_NO_SLEEPS(t_, kind_)						\
	EXPECT_EQ(NULL, (t_)->sleeps[kind_])

/* @waker_: UINT64_MAX if no thread ended the sleep; @cpu_: CPU on which it began */
#define EXPECT_SLEEP(s_, tid_, ns_, time_, cpu_, to_cpu_, waker_, irq_)		\
	do {									\
		const struct report_wait *one = (s_);				\
										\
		EXPECT_EQ((uint64_t)(tid_), koid_of(one->thread));		\
		EXPECT_EQ((uint64_t)(ns_), one->latency);			\
		EXPECT_EQ((uint64_t)(time_), one->time);			\
		EXPECT_EQ(cpu_, one->from_cpu);					\
		EXPECT_EQ(to_cpu_, one->cpu);					\
		EXPECT_EQ((uint64_t)(waker_), koid_of(one->waker));		\
		EXPECT_EQ(FXT_SCHED_IRQ_##irq_, one->irq);			\
	} while (0)

static const struct report_longest *longest(FIXTURE_DATA(report) *self, enum report_sleep_kind kind)
{
	return &self->r->longest_sleeps[kind];
}

TEST_F(report, each_state_has_its_sum)
{
	tell(&self->s);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, self->r->totals.violations);
	EXPECT_SLEEPS(sleeps(thread(self, 11), REPORT_SLEEP), 2, 4000, 3000, 1, 8000);
	EXPECT_SLEEPS(sleeps(thread(self, 11), REPORT_TRACED), 1, 100, 100, 0, 0);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE), 1, 2000, 2000, 1, 7000);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_STOPPED), 1, 2500, 2500, 0, 0);
	EXPECT_SLEEPS(sleeps(thread(self, 13), REPORT_IDLE), 1, 2500, 2500, 0, 0);
	EXPECT_SLEEPS(sleeps(thread(self, 13), REPORT_PARKED), 0, 0, 0, 1, 1000);
	EXPECT_SLEEPS(sleeps(thread(self, 15), REPORT_IDLE), 0, 0, 0, 1, 8700);
	EXPECT_NO_SLEEPS(thread(self, 11), REPORT_UNINTERRUPTIBLE);
	EXPECT_NO_SLEEPS(thread(self, 12), REPORT_SLEEP);
	EXPECT_NO_SLEEPS(thread(self, 13), REPORT_UNINTERRUPTIBLE);
	EXPECT_NO_SLEEPS(thread(self, 13), REPORT_SLEEP);
	EXPECT_SLEEPS(self->r->totals.sleeps[REPORT_IDLE], 1, 2500, 2500, 1, 8700);
	EXPECT_EQ(0U, self->r->totals.n.unknown_sleeps);
}

TEST_F(report, waker_is_who_ended_it)
{
	tell(&self->s);
	ASSERT_EQ(0, report(self));
	EXPECT_SLEEP(&sleeps(thread(self, 11), REPORT_SLEEP)->longest, 11, 3000, 5000, 0, 0, 12, NONE);
	EXPECT_SLEEP(&sleeps(thread(self, 11), REPORT_TRACED)->longest, 11, 100, 12100, 0, 0, 21, NONE);
	EXPECT_SLEEP(&sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE)->longest, 12, 2000, 8000, 0, 1,
		     NOBODY, HARD);
	EXPECT_EQ(0U, sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE)->longest.irq_cpu);
	EXPECT_SLEEP(&sleeps(thread(self, 13), REPORT_IDLE)->longest, 13, 2500, 12500, 1, 1, NOBODY, SOFT);
}

/* Uninterruptible sleeps that are not over are listed, others are not. */
TEST_F(report, longest_sleeps)
{
	const struct report_longest *l;

	tell(&self->s);
	ASSERT_EQ(0, report(self));
	l = longest(self, REPORT_UNINTERRUPTIBLE);
	ASSERT_EQ(2U, l->count);
	EXPECT_SLEEP(&l->list[0], 12, 7000, 21000, 1, REPORT_NO_CPU, NOBODY, NONE);
	EXPECT_TRUE(l->list[0].is_open);
	EXPECT_SLEEP(&l->list[1], 12, 2000, 8000, 0, 1, NOBODY, HARD);
	EXPECT_FALSE(l->list[1].is_open);
	l = longest(self, REPORT_SLEEP);
	ASSERT_EQ(2U, l->count);
	EXPECT_SLEEP(&l->list[0], 11, 3000, 5000, 0, 0, 12, NONE);
	EXPECT_SLEEP(&l->list[1], 11, 1000, 10000, 0, 0, NOBODY, NONE);
	self->o.worst = 1;
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(1U, longest(self, REPORT_SLEEP)->count);
	EXPECT_EQ(3000U, longest(self, REPORT_SLEEP)->list[0].latency);
}

/* 16 is new, 17 has slept since before the recording, 21 is only known as a waker. */
TEST_F(report, first_wakeup)
{
	tell(&self->s);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(1U, thread(self, 17)->n.early_sleeps);
	EXPECT_EQ(0U, thread(self, 16)->n.early_sleeps);
	EXPECT_EQ(0U, thread(self, 11)->n.early_sleeps);
	EXPECT_EQ(1U, self->r->totals.n.early_sleeps);
}

TEST_F(report, of_names)
{
	size_t i;

	tell(&self->s);
	ASSERT_EQ(0, report(self));
	for (i = 0; i < self->r->comm_count; i++)
		if (!strcmp(self->r->comms[i]->name, "kernel"))
			break;
	ASSERT_LT(i, self->r->comm_count);
	EXPECT_SLEEPS(self->r->comms[i]->sum.sleeps[REPORT_IDLE], 1, 2500, 2500, 1, 8700);
	EXPECT_SLEEPS(self->r->comms[i]->sum.sleeps[REPORT_PARKED], 0, 0, 0, 1, 1000);
}

/* Both the lists and the totals are those of the threads that are shown. */
TEST_F(report, of_selected_threads)
{
	tell(&self->s);
	filter_set_comm(&self->o.filter, "twelve");
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(0U, longest(self, REPORT_SLEEP)->count);
	EXPECT_EQ(2U, longest(self, REPORT_UNINTERRUPTIBLE)->count);
	EXPECT_EQ(NULL, self->r->totals.sleeps[REPORT_SLEEP]);
	filter_set_comm(&self->o.filter, "eleven");
	ASSERT_EQ(0, report(self));
	ASSERT_EQ(2U, longest(self, REPORT_SLEEP)->count);
	EXPECT_EQ(3000U, longest(self, REPORT_SLEEP)->list[0].latency);
	EXPECT_EQ(0U, longest(self, REPORT_UNINTERRUPTIBLE)->count);
	EXPECT_SLEEPS(self->r->totals.sleeps[REPORT_SLEEP], 2, 4000, 3000, 1, 8000);
}

TEST_F(report, order_of_sleeps)
{
	tell(&self->s);
	self->o.sort = REPORT_SORT_SLEEP;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(11U, koid_of(self->r->threads[0]));
	self->o.sort = REPORT_SORT_UNINTERRUPTIBLE;
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(12U, koid_of(self->r->threads[0]));
}

/* Sleeps outside the selected time do not count. 12 is in D all through the second one. */
TEST_F(report, in_a_selected_time)
{
	tell(&self->s);
	self->o.filter.from.set = self->o.filter.to.set = true;
	self->o.filter.from.ns = 4000;
	self->o.filter.to.ns = 9500;
	ASSERT_EQ(0, report(self));
	EXPECT_SLEEPS(sleeps(thread(self, 11), REPORT_SLEEP), 0, 0, 0, 2, 1500);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE), 1, 2000, 2000, 0, 0);
	EXPECT_EQ(0U, longest(self, REPORT_SLEEP)->count);
	self->o.filter.from.ns = 16000;
	self->o.filter.to.ns = 17000;
	ASSERT_EQ(0, report(self));
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE), 0, 0, 0, 1, 1000);
	ASSERT_EQ(1U, longest(self, REPORT_UNINTERRUPTIBLE)->count);
	EXPECT_SLEEP(&longest(self, REPORT_UNINTERRUPTIBLE)->list[0], 12, 1000, 17000, 1, REPORT_NO_CPU,
		     NOBODY, NONE);
	EXPECT_EQ(0U, self->r->totals.n.early_sleeps);
}

/* A sleep belongs to the CPU on which it began. */
TEST_F(report, on_selected_cpus)
{
	tell(&self->s);
	ASSERT_EQ(NULL, filter_add_cpus(&self->o.filter, "1"));
	ASSERT_EQ(0, report(self));
	EXPECT_NO_SLEEPS(thread(self, 11), REPORT_SLEEP);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_UNINTERRUPTIBLE), 0, 0, 0, 1, 7000);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_STOPPED), 1, 2500, 2500, 0, 0);
	EXPECT_EQ(1U, self->r->totals.n.early_sleeps);
}

/* CPU 1 loses records from 2500 to 4000, so it may have run any thread that slept then. */
TEST_F(report, sleep_across_a_loss_is_unknown)
{
	story_names_of_report(&self->s);
	REPORT_STORY("1@2000 0>21; 2500 21>0 S; lose 1 5 @4000; 4100 0>13; 4200 13>0 S; "
		     "0@1000 0>11; 2000 11>12 S; 6000 wake 11 by 12; 7000 12>11 S; "
		     "8000 wake 12 by 11; end 8000");
	EXPECT_NO_SLEEPS(thread(self, 11), REPORT_SLEEP);
	EXPECT_EQ(1U, thread(self, 11)->n.unknown_sleeps);
	/* A sleep that is open at the end may have begun before the loss or after it. */
	EXPECT_NO_SLEEPS(thread(self, 21), REPORT_SLEEP);
	EXPECT_EQ(1U, thread(self, 21)->n.unknown_sleeps);
	EXPECT_SLEEPS(sleeps(thread(self, 13), REPORT_SLEEP), 0, 0, 0, 1, 3800);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_SLEEP), 1, 1000, 1000, 0, 0);
	EXPECT_EQ(2U, self->r->totals.n.unknown_sleeps);
}

/* The wakeup of the second thread is not recorded, as if a kernel hides the waker. */
TEST_F(report, sleep_without_a_wakeup_is_unknown)
{
	story_names_of_report(&self->s);
	REPORT_STORY("0@1000 0>11; 2000 11>12 S; 3000 12>11; end 4000");
	EXPECT_NO_SLEEPS(thread(self, 11), REPORT_SLEEP);
	EXPECT_EQ(1U, thread(self, 11)->n.unknown_sleeps);
}

/* CPU 1 is covered from 5000 on only; it may have run 11 before. */
TEST_F(report, sleep_before_all_cpus_are_covered_is_unknown)
{
	self->s.streams[0] = (struct story_stream){ 900, 100, 0, 7 };
	story_ledger(&self->s, 0, FXT_LEDGER_OPENING, 7, 900);
	self->s.streams[1] = (struct story_stream){ 5000, 100, 0, 7 };
	REPORT_STORY("opening 1 #7 @5000; 0@1000 0>11; 2000 11>12 S; 6000 wake 11 by 12; "
		     "7000 12>11 S; 8000 wake 12 by 11; 1@5500 0>13; end 9000");
	EXPECT_NO_SLEEPS(thread(self, 11), REPORT_SLEEP);
	EXPECT_EQ(1U, thread(self, 11)->n.unknown_sleeps);
	EXPECT_SLEEPS(sleeps(thread(self, 12), REPORT_SLEEP), 1, 1000, 1000, 0, 0);
}

/* Threads may run on the CPUs that are not recorded. */
TEST_F(report, sleeps_are_unknown_if_only_some_cpus_are_recorded)
{
	story_session(&self->s, "filter cpus 0-1\n");
	tell(&self->s);
	ASSERT_EQ(0, report(self));
	EXPECT_EQ(NULL, self->r->totals.sleeps[REPORT_SLEEP]);
	EXPECT_EQ(NULL, self->r->totals.sleeps[REPORT_UNINTERRUPTIBLE]);
	EXPECT_EQ(10U, self->r->totals.n.unknown_sleeps);
}

/* Time that a filter of threads hides is not a sleep. What the filter keeps is known. */
TEST_F(report, filter_hides_sleeps)
{
	story_session(&self->s, "filter pids 11\n");
	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 21>11 hidden; 2000 11>21 S; 3000 21>0 hidden; 4000 wake 11 by 21; "
			"5000 21>11 hidden");
	story_wake_hidden(&self->s, 6000, 0, 21, 11);
	REPORT_STORY("end 7000");
	EXPECT_SLEEPS(sleeps(thread(self, 11), REPORT_SLEEP), 1, 2000, 2000, 0, 0);
	EXPECT_NO_SLEEPS(thread(self, 21), REPORT_SLEEP);
	EXPECT_EQ(0U, self->r->totals.n.unknown_sleeps);
	EXPECT_EQ(0U, self->r->totals.n.early_sleeps);
}

/* --- a long recording ------------------------------------------------------------------ */

static int add_span(void *arg, const struct sched_span *span)
{
	uint64_t *ns = arg;

	ns[(unsigned char)span->state] += span->to - span->from;
	return 0;
}

static int no_gap(void *arg, const struct sched_gap *gap)
{
	return 0;
}

static int no_slice(void *arg, const struct sched_slice *slice)
{
	return 0;
}

static uint64_t total(const struct report *r, enum report_sleep_kind kind)
{
	const struct report_sleeps *s = r->totals.sleeps[kind];

	return s ? s->ns + s->cut_ns : 0;
}

TEST_F(report, sums_are_those_of_the_spans)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	uint64_t ns[256] = { 0 };
	const struct report_watch watch = {
		.span = add_span, .gap = no_gap, .slice = no_slice, .arg = ns,
	};
	off_t bytes;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_sched(fd, 100000, 4));
	bytes = lseek(fd, 0, SEEK_END);
	build_free(&self->s.b);
	self->s.b.words = malloc(bytes);
	ASSERT_NE(NULL, self->s.b.words);
	ASSERT_EQ(bytes, pread(fd, self->s.b.words, bytes, 0));
	self->s.b.count = bytes / sizeof(uint64_t);
	close(fd);
	self->o.watch = &watch;
	ASSERT_EQ(0, report(self));
	EXPECT_LT(0U, ns['S']);
	EXPECT_EQ(ns['S'], total(self->r, REPORT_SLEEP));
	EXPECT_EQ(ns['D'], total(self->r, REPORT_UNINTERRUPTIBLE));
	EXPECT_EQ(ns['I'], total(self->r, REPORT_IDLE));
}

/* --- text and JSON --------------------------------------------------------------------- */

TEST_F(print, text)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	GOLDEN("Sleeps by state");
	GOLDEN("The longest uninterruptible sleeps, and who woke the threads");
	GOLDEN("The longest sleeps, and who woke the threads");
	GOLDEN("Names");
	GOLDEN("Threads");
	GOLDEN("Unknown / lost");
	EXPECT_NO("sleeps of unknown length");
	EXPECT_NO("Cgroups");
}

TEST_F(print, no_sleeps)
{
	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>11; 2000 11>12; end 3000");
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("sleep");
	EXPECT_NO("Sleep");
}

/* The second of two recordings in an archive lasts longer: 31 runs for 40000 ns. */
TEST_F(print, sleeps_end_with_their_recording)
{
	char one[] = "/tmp/report-sleeps-XXXXXX", two[sizeof(one) + 4], offset[80];
	int fd = mkstemp(one);

	ASSERT_LE(0, fd);
	close(fd);
	snprintf(two, sizeof(two), "%s.fxt", one);
	snprintf(offset, sizeof(offset), "%s=+0s", self->path);
	tell(&self->s);
	save_file(one, self->s.b.words, built_bytes(&self->s.b));
	story_restart(&self->s);
	STORY(&self->s, "0@1000 0>31; 41000 31>0 S; end 41000");
	ASSERT_EQ(0, FXT("merge", "--offset", offset, "-o", two, one,
					     self->path)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, FXT("report", "--tables", two));
	GOLDEN("Sleeps by state");
	unlink(one);
	unlink(two);
}

TEST_F(print, cgroups)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "eleven", "/system.slice/bank.service");
	event_process_in(&self->s, 12, "twelve", "/system.slice/bank.service");
	event_process_in(&self->s, 13, "kernel", "/");
	event_process_in(&self->s, 15, "kernel", "/");
	/* 14 is a child of 12, and has its cgroup. */
	self->s.parent = 12;
	story_name(&self->s, 14, 14, "fourteen");
	self->s.parent = 0;
	tell(&self->s);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	GOLDEN("Cgroups");
	ASSERT_EQ(0, REPORT("--top", "1"));
	EXPECT_LINE("Cgroups: the first 1 of 3");
	ASSERT_EQ(0, REPORT("--comm", "kernel", "--json"));
	EXPECT_HAS("\"cgroups\":[{\"name\":\"/\",\"processes\":2,\"threads\":2,\"run_ns\":6800,");
	ASSERT_EQ(0, REPORT("--sort", "sleep", "--json"));
	EXPECT_HAS("\"cgroups\":[{\"name\":\"/system.slice/bank.service\",");
	ASSERT_EQ(0, REPORT("--cgroup", "/system.slice"));
	EXPECT_NO("kernel\n");
	GOLDEN("Sleeps by state");
	GOLDEN("Threads");
	/* All threads are below the root, except those of unknown cgroups. */
	ASSERT_EQ(0, REPORT("--cgroup", "/"));
	GOLDEN("Names");
	EXPECT_NO("  seventeen\n");
	ASSERT_EQ(1, REPORT("--cgroup", "/system.slice/bank"));
	EXPECT_IN(self->t.err, "no thread in cgroup /system.slice/bank was active");
	EXPECT_EQ(2, REPORT("--cgroup", "system.slice"));
}

/* Only fxt-sched's own producers are known to record every waker. */
TEST_F(print, waker_in_archives_of_others)
{
	static const char own[] = FXT_SCHED_PROVIDER_NAME, other[] = "someone's";
	char *name;

	tell(&self->s);
	name = memmem(self->s.b.words, self->s.b.count * FXT_WORD, own, sizeof(own) - 1);
	ASSERT_NE(NULL, name);
	memcpy(name, other, sizeof(other) - 1);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_HAS("          woken by twelve/12\n");
	EXPECT_HAS("          woken by an unknown thread\n");
	EXPECT_NO("idle CPU");
}

TEST_F(print, json)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT("--json", "--sort", "uninterruptible")) TH_LOG("%s", self->t.err);
	EXPECT_HAS("\"sort\":\"uninterruptible\"");
	EXPECT_HAS("\"sleeps\":{\"sleep\":null,\"uninterruptible\":{\"count\":1,\"sum_ns\":2000,"
		   "\"cut_count\":1,\"cut_ns\":7000,\"longest\":{\"time_ns\":8000,\"sleep_ns\":2000,"
		   "\"open\":false,\"from_cpu\":0,\"cpu\":1,\"tid\":12,\"nth\":0,\"name\":\"twelve\","
		   "\"waker_tid\":null,\"waker_nth\":null,\"waker_name\":null,\"waker_idle\":false,"
		   "\"waker_irq\":\"hard\","
		   "\"waker_irq_cpu\":0}},\"idle\":null,\"stopped\":{\"count\":1,");
	EXPECT_HAS("\"traced\":null,\"parked\":null,\"unknown\":0,\"early\":0}");
	EXPECT_HAS("\"longest_sleeps\":[{\"time_ns\":5000,\"sleep_ns\":3000,\"open\":false,"
		   "\"from_cpu\":0,\"cpu\":0,\"tid\":11,\"nth\":0,\"name\":\"eleven\",\"waker_tid\":12,"
		   "\"waker_nth\":0,\"waker_name\":\"twelve\",\"waker_idle\":false,"
		   "\"waker_irq\":null,\"waker_irq_cpu\":null},");
	EXPECT_HAS("\"waker_name\":null,\"waker_idle\":true,\"waker_irq\":null,\"waker_irq_cpu\":null}");
	EXPECT_HAS("\"longest_uninterruptible\":[{\"time_ns\":21000,\"sleep_ns\":7000,\"open\":true,"
		   "\"from_cpu\":1,\"cpu\":null,\"tid\":12,");
	EXPECT_HAS("\"cgroups\":[]");
	self->j = json_tokener_parse(self->t.out);
	EXPECT_NE(NULL, self->j);
}
