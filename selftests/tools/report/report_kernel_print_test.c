// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts and the like in the text and JSON of fxt report: a sentence names the culprit of an
 * interrupt flood and its victim; the report of an archive without such events does not mention
 * them.
 */
#include "event_story.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(print);

/*
 * ping runs on cpu 0 for 100 ms, of which NET_RX takes 40 and its interrupts 10; other waits for
 * it. cpu 1 is in an idle state.
 */
static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 ping; name 12 other; name 13 kworker/0:1; 1@99ms 13>0 S");
	event_frequency(s, 100 * MS, 1, 800000, 0);
	STORY(s, "100ms-190ms idle 1; 0@100ms 0>11; 100ms wake 12 by 11");
	for (uint64_t at = 100 * MS; at < 200 * MS; at += 10 * MS) {
		event_irq(s, at + 1 * MS, at + 2 * MS, 17, "eth0");
		event_softirq(s, at + 2 * MS, at + 6 * MS, EVENT_NET_RX);
	}
	STORY(s, "200ms 13/13 moves 1>0; 200ms 11>12 S; 200ms-201ms 13/13 works vmstat_update; "
		 "end 201ms");
}

TEST_F(print, sentence_names_culprit_and_victim)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT());
	GOLDEN("Findings");
	EXPECT_IN(self->t.out, "interrupts took 50.0ms of it (50%), most of that NET_RX\n");
}

TEST_F(print, tables)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT());
	GOLDEN("CPUs");
	GOLDEN("Interrupts");
	GOLDEN("Work items");
	GOLDEN("Threads");
}

TEST_F(print, json)
{
	tell(&self->s);
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_HAS("\"hard_irq_ns\":10000000,\"soft_irq_ns\":40000000,\"idle_state_ns\":0,\"frequency\":null}");
	EXPECT_HAS("\"frequency\":{\"min_khz\":800000,\"average_khz\":800000,\"max_khz\":800000}}");
	EXPECT_HAS("\"stolen_ns\":50000000,\"moves\":0,");
	EXPECT_HAS("\"interrupts_ns\":50000000,\"interrupt\":\"NET_RX\",\"interrupt_ns\":40000000}");
	EXPECT_HAS("{\"kind\":\"irq\",\"name\":\"eth0\",\"number\":17,\"count\":10,\"total_ns\":10000000,");
	EXPECT_HAS("\"most_tid\":11,\"most_nth\":0,\"most_name\":\"ping\",\"most_ns\":40000000,");
	EXPECT_HAS("\"idle_states\":[{\"kind\":\"idle\",\"name\":\"state 1\",\"number\":1,\"count\":1,");
	EXPECT_HAS("{\"kind\":\"work\",\"name\":\"vmstat_update\",\"number\":null,\"count\":1,");
	self->j = json_tokener_parse(self->t.out);
	EXPECT_NE(NULL, self->j);
}

TEST_F(print, archives_without_events_have_no_word_of_them)
{
	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT());
	EXPECT_NO("Interrupts");
	EXPECT_NO("hard irq");
	EXPECT_NO("Work items");
	EXPECT_NO("interrupts took");
	EXPECT_NO("moved");
	ASSERT_EQ(0, REPORT("--json"));
	EXPECT_NO("stolen_ns");
	EXPECT_NO("\"interrupt");
	EXPECT_NO("work_items");
	EXPECT_NO("frequency");
}
