// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report describes in words what is wrong. A sentence names the culprit, with exact numbers;
 * the JSON object has the same sentence and numbers; a healthy archive has no findings, and neither
 * has one that only resembles a situation.
 */
#include "cases.h"
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

/* audio waits for cpu 0, and cpu 1 is idle meanwhile. */
static void tell_idle_beside(struct story *s, const char *cpus)
{
	name_threads(s, NULL);
	event_bound(s, 11, cpus, "audio");
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

/* Of futexes that are not told apart, nobody knows whether they are one. */
TEST_F(findings, convoy_through_one_of_too_many_futexes)
{
	story_session(&self->s, "events lock\n");
	TELL(tell_turns, 4, 0, false, TURN_OTHERS);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("take turns, and not behind one lock that is known");
	EXPECT_HAS("\"futexes\":[{\"process\":null,\"address\":\"(others)\",");
}

/* The holder of a lock may sleep with it, and do other things without it. */
TEST_F(findings, convoy_of_threads_that_sleep_as_well)
{
	FINDINGS(tell_turns, 4, 2, false, TURN_UNKNOWN);
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

CASES("findings", NULL)
