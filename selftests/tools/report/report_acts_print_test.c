// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls and the like in the text and JSON of fxt report; the report of an archive without
 * such events does not mention them.
 */
#include "cases.h"
#include "event_story.h"
#include "report_print_fixture.h"
#include "sched/origins.h"

enum { GROUP = 4711 };	/* id of a cgroup */

REPORT_FIXTURE(print);

/* 100 ms in which server runs on cpu 0, and make on cpu 1. */
static void tell(struct story *s)
{
	story_chunk(s, STORY_NAMES, 1);
	event_syscall_name(s, EVENT_READ, "read");
	STORY(s, "name 11 server; name 12 make");
	event_cgroup(s, GROUP, 0, "/build");
	STORY(s, "1@100ms 0>12; 101ms 12/12 forks 13; 190ms 13/12 exits 0; 191ms 12/12 exits 9; "
		 "0@100ms 0>11; 100ms queue 1");
	event_pelt_cpu(s, 100 * MS, 0, 512);
	STORY(s, "110ms-111ms 11/11 calls % = 100; 111ms-114ms 11/11 calls % = %; "
		 "114ms-115ms 11/11 calls 9999 = 0; 120ms-121ms throttle % on 0; "
		 "175ms queue 2 on 0; 175ms-178ms throttle % on 0", EVENT_READ, EVENT_READ, -EAGAIN,
		 GROUP, GROUP);
	event_quota(s, 179 * MS, GROUP, "/build", 10, 0, 0);
	event_quota(s, 179 * MS, GROUP, "/build", 18, 2, 4000);
	event_priority(s, 179 * MS, 11, 11, 120, -1);
	event_ipi(s, 180 * MS, 11, 11, 1, "flush");
	event_ipi_mask(s, 190 * MS, 11, 11, 3, 2, "flush");
	STORY(s, "200ms wake 14 by 11 on 0; end 200ms");
}

TEST_F(print, tables)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT());
	GOLDEN("CPUs");
	GOLDEN("Throttled cgroups");
	GOLDEN("Quotas of cgroups");
	GOLDEN("Interrupts that CPUs sent to others");
	GOLDEN("System calls");
	GOLDEN("Threads that ended");
	GOLDEN("Threads that inherited priorities");
	GOLDEN("Threads");
	GOLDEN("Processes");
}

/*
 * make sleeps for a mutex that helper holds and gives it, in unlock() called by work(); make wants
 * it in lock(), called by transfer(). And it sleeps for a futex through which helper wakes it.
 */
TEST_F(print, holders_and_functions)
{
	static const uint64_t waits[] = { 0x401008, 0x402008 }, gives[] = { 0x403008, 0x404008 };

	STORY(&self->s, "names@1; name 12 make; name 13/12 helper; 0@100ms 0>12; 110ms 12>13 S");
	event_stack(&self->s, 140 * MS, 12, 12, gives, 2);
	STORY(&self->s, "140ms wake 12 by 13 on 0; 141ms 13>12 S");
	event_stack(&self->s, 141 * MS, 12, 12, waits, 2);
	event_futex(&self->s, 110 * MS, 141 * MS, 12, 12, 0x1000, 13, 13);
	STORY(&self->s, "150ms 12>0 S; 160ms wake 13 by 12 on 0; 160ms 0>13; 170ms wake 12 by 13 on 0; "
			"172ms 13>12 S");
	event_futex(&self->s, 150 * MS, 172 * MS, 12, 12, 0x2000, 0, 13);
	STORY(&self->s, "200ms 12>0 S; end 200ms");
	event_symbols(&self->s, "u 12 401000 401100 pthread_mutex_lock\nu 12 402000 402100 transfer\n"
				"u 12 403000 403100 pthread_mutex_unlock\nu 12 404000 404100 work\n");
	ASSERT_EQ(0, REPORT());
	GOLDEN("Locks");
	GOLDEN("Futexes that are not known to be locks");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"waker_tid\":13,\"waker_nth\":0,\"waker_name\":\"helper\",\"waker_ns\":31000000,"
		   "\"waited_in\":\"transfer\",\"woken_from\":\"work\",\"longest_hold_ns\":30000000,"
		   "\"longest_hold_time_ns\":140000000,\"longest_hold_tid\":13,");
	EXPECT_HAS("\"futexes\":[{\"process\":12,\"address\":\"0x2000\","
		   "\"places\":1,\"count\":1,\"waiters\":1,");
}

/* All futexes from the 32768th on are one row. make wakes server through one of these. */
TEST_F(print, futexes_beyond_the_limit)
{
	uint64_t i, at = 100 * MS;

	STORY(&self->s, "names@1; name 11 server; name 12/11 make; 0@100ms 0>11");
	for (i = 1; i <= SCHED_ORIGINS / 2 + 3; i++, at += 1000)
		event_futex(&self->s, at, at + 1000, 11, 11, i << 12, 0, i < SCHED_ORIGINS / 2 ? 0 : 12);
	STORY(&self->s, "200ms wake 12 by 11 on 0; end 200ms");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"futexes\":[{\"process\":null,\"address\":\"(others)\","
		   "\"places\":null,\"count\":3,\"waiters\":1,");
}

/* make gets a signal twice, server one from an interrupt, whose sender the kernel does not know. */
static void tell_signals(struct story *s)
{
	STORY(s, "names@1; name 11 server; name 12 make; 0@100ms 0>11");
	event_signal(s, 110 * MS, 11, 11, 15, 12, 0, false);
	event_signal(s, 120 * MS, 11, 11, 15, 12, 0, false);
	event_signal(s, 130 * MS, 11, 11, 15, 12, 2, false);
	event_signal(s, 140 * MS, 11, 11, 40, 11, 9, true);
	event_delivery(s, 141 * MS, 11, 11, 40, true);
	STORY(s, "200ms wake 12 by 11 on 0; end 200ms");
}

TEST_F(print, signals)
{
	tell_signals(&self->s);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Signals");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"signals\":[{\"sender_tid\":11,\"sender_nth\":0,\"sender_name\":\"server\",\"by_irq\":false,"
		   "\"target_tid\":12,\"target_nth\":0,\"target_name\":\"make\",\"signal\":15,\"signal_name\":\"TERM\","
		   "\"result\":\"sent\",\"count\":2},");
	EXPECT_HAS("{\"sender_tid\":null,\"sender_nth\":null,\"sender_name\":null,\"by_irq\":true,"
		   "\"target_tid\":11,\"target_nth\":0,\"target_name\":\"server\",\"signal\":40,\"signal_name\":null,"
		   "\"result\":null,\"count\":1}]");
	/* Signals to a thread that is shown are listed, too. */
	ASSERT_EQ(0, REPORT("--comm", "make"));
	EXPECT_LINE("Signals of the threads shown");
	EXPECT_HAS("server/11           make/12");
	EXPECT_NO("an interrupt");
	ASSERT_EQ(0, REPORT("--from", "+0.015", "--to", "+0.025"));
	EXPECT_HAS("       1     15  TERM    sent ");
	EXPECT_NO("pending");
}

TEST_F(print, system_calls_of_one_process)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT("--pid", "11"));
	EXPECT_LINE("System calls of the threads shown");
	ASSERT_EQ(0, REPORT("--comm", "make"));
	EXPECT_NO("System calls");
}

TEST_F(print, json)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"run_queue\":{\"average\":1.25,\"longest\":2,\"above_one_ns\":25000000,\"known_ns\":100000000},"
		   "\"utilization\":{\"average\":0.5,\"max\":0.5}}");
	EXPECT_HAS("\"run_queue\":null,\"utilization\":null}");
	EXPECT_HAS("\"calls\":3,\"failed_calls\":1,\"in_calls_ns\":5000000,\"system_calls\":["
		   "{\"name\":\"read\",\"count\":2,\"errors\":1,\"total_ns\":4000000,\"longest_ns\":3000000},"
		   "{\"name\":\"syscall 9999\",\"count\":1,\"errors\":0,\"total_ns\":1000000,\"longest_ns\":1000000}],"
		   "\"forks\":0,\"ipis\":4,");
	EXPECT_HAS("\"system_calls\":[{\"kind\":\"syscall\",\"name\":\"read\",\"number\":3,\"count\":2,\"errors\":1,"
		   "\"total_ns\":4000000,\"longest_ns\":3000000,\"longest_time_ns\":114000000,\"longest_cpu\":0}");
	EXPECT_HAS("\"throttled_cgroups\":[{\"kind\":\"throttled\",\"name\":\"/build\",\"number\":4711,\"count\":2,"
		   "\"total_ns\":4000000,\"longest_ns\":3000000,\"longest_time_ns\":178000000,\"longest_cpu\":0,"
		   "\"periods\":2,\"throttled_ns\":4000000,\"cpus\":[{\"cpu\":0,\"count\":2,\"total_ns\":4000000}]}],");
	EXPECT_HAS("\"cgroup_quotas\":[{\"name\":\"/build\",\"number\":4711,\"periods\":8,\"throttled_periods\":2,"
		   "\"throttled_ns\":4000000}],");
	EXPECT_HAS("\"ipis\":[{\"name\":\"flush\",\"from_cpu\":0,\"to_cpu\":1,\"count\":2},"
		   "{\"name\":\"flush\",\"from_cpu\":0,\"to_cpu\":null,\"count\":2}],");
	EXPECT_HAS("\"exits\":{\"count\":2,\"failed\":[{\"name\":\"make\",\"code\":0,\"signal\":9,\"signal_name\":\"KILL\",\"count\":1}]},");
	EXPECT_HAS("\"inherited_priorities\":[{\"tid\":11,\"nth\":0,\"name\":\"server\",\"count\":1,"
		   "\"own_prio\":120,\"best_prio\":-1}],");
	self->j = json_tokener_parse(self->t.out);
	EXPECT_NE(NULL, self->j);
}

CASES("report_acts_print", NULL)
