// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt cut: a part has exactly the selected records, is readable on its own, and fxt check finds
 * nothing wrong with it: written = stored + lost.
 */
#include "cut_fixture.h"

TEST_F(cut, by_time)
{
	struct gathered *g = &self->g;
	const struct fxt_ledger *l;

	tell_two_cpus_to_end(&self->s);
	ASSERT_CUT("--from", "0.003", "--to", "+0.006");
	/* The limits, 3 and 7 ms, are included. The file's first time stamp is 1 ms. */
	EXPECT_EQ(5U, g->event_count);
	EXPECT_TRUE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 3 * MS, NULL));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 6 * MS, NULL));
	EXPECT_TRUE(gathered_has(g, FXT_KIND_THREAD_WAKEUP, 7 * MS, NULL));
	EXPECT_EQ(1U, g->provider_count);
	EXPECT_EQ(1000000000U, g->rate);

	l = gathered_ledger(g, FXT_LEDGER_OPENING, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(2U, l->written);
	EXPECT_EQ(3 * MS, l->time);
	EXPECT_EQ(2 * MS, l->last);
	EXPECT_EQ(1U, l->sequence);
	l = gathered_ledger(g, FXT_LEDGER_CONTINUED, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(0U, l->sequence);
	EXPECT_EQ(0U, l->written);
	l = gathered_ledger(g, FXT_LEDGER_HEAD, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(3U, l->written);
	EXPECT_EQ(6 * MS, l->time);
	l = gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(5U, l->written);
	EXPECT_EQ(7 * MS, l->time);
	EXPECT_EQ(NULL, gathered_ledger(g, FXT_LEDGER_HEAD, FXT_LEDGER_STREAM_NAMES, 0));
}

TEST_F(cut, names_of_those_that_occur)
{
	struct gathered *g = &self->g;

	tell_two_cpus_to_end(&self->s);
	ASSERT_CUT("--to", "0.003");
	EXPECT_NE(NULL, gathered_name(g, FXT_OBJECT_THREAD, 12));
	EXPECT_NE(NULL, gathered_name(g, FXT_OBJECT_PROCESS, 11));
	EXPECT_NE(NULL, gathered_name(g, FXT_OBJECT_THREAD, 21));
	EXPECT_EQ(NULL, gathered_name(g, FXT_OBJECT_THREAD, 31));
	EXPECT_EQ(NULL, gathered_name(g, FXT_OBJECT_PROCESS, 31));
	/* No record before the part is missing, so it needs no opening ledger. */
	EXPECT_EQ(NULL, gathered_ledger(g, FXT_LEDGER_OPENING, 0, 0));
	EXPECT_EQ(3U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
}

/* Names at the end of an archive count, and the last one wins. */
TEST_F(cut, names_that_come_late)
{
	const struct gathered_name *name;

	tell_two_cpus(&self->s);
	STORY(&self->s, "names@9ms; name 12/11 renamed; end 10ms");
	ASSERT_CUT("--to", "0.003");
	name = gathered_name(&self->g, FXT_OBJECT_THREAD, 12);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("renamed", name->name);
	EXPECT_EQ(11U, name->process);
}

TEST_F(cut, says_what_it_is)
{
	tell_two_cpus_to_end(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "+0.002", "--pid", "21")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("host here\nclock boot\ncut of in.fxt\ncut from 0.003000000\nfilter pids 21\n",
		     self->g.session);
	EXPECT_EQ(1U, self->g.session_count);
	EXPECT_EQ(0, RUN(&self->t, "info", self->out));
	EXPECT_IN(self->t.out, "cut         of in.fxt\n");
	EXPECT_IN(self->t.out, "part of a recording: 3 older records are not in it");
}

/* Two adjoining parts together have all records of the whole, and agree where they meet. */
TEST_F(cut, parts_adjoin)
{
	static struct gathered second;
	const struct fxt_ledger *end, *begin;

	tell_two_cpus_to_end(&self->s);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.004", NULL, NULL)) TH_LOG("%s", self->t.err);
	second = self->g;
	ASSERT_EQ(0, cut(self, "--to", "0.003999999", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(10U, second.event_count + self->g.event_count);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		end = gathered_ledger(&self->g, FXT_LEDGER_CLOSING, cpu, 0);
		begin = gathered_ledger(&second, FXT_LEDGER_OPENING, cpu, 0);
		ASSERT_NE(NULL, end);
		ASSERT_NE(NULL, begin);
		EXPECT_EQ(end->written, begin->written);
		EXPECT_EQ(end->last, begin->last);
		EXPECT_EQ(end->sequence, begin->sequence);
	}
}

TEST_F(cut, by_process)
{
	struct gathered *g = &self->g;

	tell_two_cpus_to_end(&self->s);
	ASSERT_CUT("--pid", "11");
	EXPECT_EQ(6U, g->event_count);
	EXPECT_FALSE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 4 * MS, NULL));
	EXPECT_EQ(6U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(0U, gathered_ledger(g, FXT_LEDGER_CLOSING, 1, 0)->written);
	EXPECT_EQ(NULL, gathered_name(g, FXT_OBJECT_THREAD, 21));
	EXPECT_EQ(0, RUN(&self->t, "check", self->out));
	EXPECT_IN(self->t.out, "filtered");
	ASSERT_CUT("--pid", "11", "--pid", "21");
	EXPECT_EQ(10U, g->event_count);
}

/* The record that names the thread's process comes after the thread's events. */
TEST_F(cut, process_is_told_late)
{
	STORY(&self->s, "0@1ms 0>11; names@2ms; name 11 eleven; end 10ms");
	ASSERT_CUT("--pid", "11");
	EXPECT_EQ(1U, self->g.event_count);
}

TEST_F(cut, by_cpu)
{
	struct gathered *g = &self->g;

	tell_two_cpus(&self->s);
	STORY(&self->s, "0@9ms; 9500000 wake 12 by 11 on 1; end 10ms");
	ASSERT_CUT("--cpu", "1");
	/* The part has the records of CPU 1, and the wakeup from CPU 0 onto it. */
	EXPECT_EQ(5U, g->event_count);
	EXPECT_TRUE(gathered_has(g, FXT_KIND_THREAD_WAKEUP, 9500000, NULL));
	EXPECT_EQ(1U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(4U, gathered_ledger(g, FXT_LEDGER_CLOSING, 1, 0)->written);
}

/* Dropped chunks leave no gap in the sequence numbers. */
TEST_F(cut, sub_buffers_of_others)
{
	struct gathered *g = &self->g;

	STORY(&self->s, "names@1; name 11 eleven; name 21 twenty-one");
	for (unsigned int i = 0; i < 6; i++) {
		story_chunk(&self->s, 0, (i + 1) * MS);
		story_switch(&self->s, (i + 1) * MS, i % 2 ? 11 : 0, i % 2 ? 0 : 11,
			     FXT_THREAD_NEW);
		STORY(&self->s, "0@% wake 21", (i + 1) * MS + 1);
	}
	story_end(&self->s, 10 * MS);
	ASSERT_CUT("--pid", "11");
	EXPECT_EQ(6U, gathered_events(g, FXT_KIND_CONTEXT_SWITCH));
	EXPECT_EQ(6U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->sequence);
}

/*
 * The result is like a recording of process 11: 21 is only in it from its switch-in to the next
 * switch, and everything else that it does is unknown.
 */
TEST_F(cut, others_beside_a_process)
{
	static const struct {
		uint64_t other, thread;
		uint8_t state, unknown;
	} expected[] = {
		{ 21, 11, FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED },
		{ 11, 21, FXT_THREAD_BLOCKED, 0 },
		{ 21, 0, FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED },
		{ 21, 11, 0, 0 },			/* wakes */
		{ 0, 11, FXT_THREAD_NEW, 0 },
		{ 11, 21, 0, FXT_STR_FILTERED },	/* wakes */
		{ 11, 0, FXT_THREAD_BLOCKED, 0 },
		{ 0, 0, FXT_THREAD_NEW, FXT_STR_FILTERED },
	};
	static const struct fxt_sched_state disk = { FXT_THREAD_BLOCKED, FXT_STR_STATE_D };
	struct gathered *g = &self->g;

	STORY(&self->s, "names@1; name 11 eleven; name 21 twenty-one; 0@1ms 21>11; 2ms 11>21 S");
	story_state(&self->s, 3 * MS, 0, 21, 0, disk);
	STORY(&self->s, "4ms wake 21 on 0; 4ms 0>21; 5ms wake 11 by 21 on 0; 5ms 21>0 S; "
			"6ms 0>11; 6ms wake 21 by 11 on 0; 7ms 11>0 S; 8ms 0>21; end 10ms");
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	ASSERT_EQ(ARRAY_SIZE(expected), g->event_count);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_EQ(expected[i].other, g->events[i].other);
		EXPECT_EQ(expected[i].thread, g->events[i].thread);
		EXPECT_EQ(expected[i].state, g->events[i].state);
		EXPECT_EQ(expected[i].unknown, g->events[i].unknown);
	}
	EXPECT_EQ(8U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
}

/* CPU 0 has lost 5 records between 2 and 4 ms, and 7 between 6 and 8. */
static void tell_losses(struct story *s)
{
	BUILD(&s->b, fxt_kernel_object(6, FXT_OBJECT_THREAD, fxt_string_ref_inline(13), 1),
	      fxt_sched_loss_koid(0));
	BUILD_TEXT(&s->b, "lost on cpu 0");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), FXT_SCHED_KOID_LOSS);
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; 0@1ms 0>11; 2ms 11>12; "
		 "lose 0 5 @4ms; 4ms 11>12; 6ms 12>11; lose 0 7 @8ms; 8ms 11>12; end 10ms");
}

struct loss_case {
	const char *from;
	const char *to;
	uint64_t before;	/* lost records before it, by the opening ledger */
	uint64_t lost;
	uint64_t events;	/* including slices of losses, and switches that end runs */
};

TEST_F(cut, losses)
{
	static const struct loss_case cases[] = {
		{ "0", "0.010", 0, 12, 9 },
		{ "0.001", "0.005", 0, 5, 5 },
		{ "0.003", "0.005", 0, 5, 2 },		/* the range begins within the gap */
		{ "0.001", "0.003", 0, 5, 4 },
		{ "0.003", "0.0035", 0, 5, 1 },		/* the range lies within the gap */
		{ "0.005", "0.0055", 5, 0, 0 },
		{ "0.004000001", "0.010", 5, 7, 4 },
	};
	struct gathered *g = &self->g;
	const struct fxt_ledger *opening, *closing;
	size_t i, k, tracks;

	tell_losses(&self->s);
	save(self);
	EXPECT_SOUND(self->in);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, cut(self, "--from", cases[i].from, "--to", cases[i].to))
			TH_LOG("%s", self->t.err);
		EXPECT_SOUND(self->out);
		opening = gathered_ledger(g, FXT_LEDGER_OPENING, 0, 0);
		closing = gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0);
		ASSERT_NE(NULL, closing);
		EXPECT_EQ(cases[i].before, opening ? opening->lost : 0);
		EXPECT_EQ(cases[i].before + cases[i].lost, closing->lost);
		EXPECT_EQ(cases[i].events, g->event_count)
			TH_LOG("from %s to %s", cases[i].from, cases[i].to);
		EXPECT_EQ(g->provider_events, gathered_events(g, FXT_KIND_DURATION_COMPLETE));
		/* The track of losses is named once. */
		for (k = tracks = 0; k < g->name_count; k++)
			tracks += g->names[k].koid == fxt_sched_loss_koid(0);
		EXPECT_EQ(cases[i].lost ? 1U : 0U, tracks);
	}
}

/* Losses between kept and dropped records are still in the ledger. */
TEST_F(cut, losses_of_a_process)
{
	struct gathered *g = &self->g;

	tell_losses(&self->s);
	ASSERT_CUT("--pid", "99");
	EXPECT_EQ(12U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->lost);
	EXPECT_EQ(12U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1U, gathered_events(g, FXT_KIND_DURATION_COMPLETE));
}

TEST_F(cut, lost_names)
{
	struct gathered *g = &self->g;

	STORY(&self->s, "names@1; name 11 eleven");
	story_lose(&self->s, STORY_NAMES, 3, 2 * MS);
	STORY(&self->s, "name 12/11 twelve; 0@1ms 0>13; 5ms 13>0; end 10ms");
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, "--from", "0.004", NULL, NULL)) TH_LOG("%s", self->t.err);
	/* 13 has no name, because names were lost. */
	EXPECT_SOUND(self->out);
	EXPECT_EQ(3U, gathered_ledger(g, FXT_LEDGER_CLOSING, FXT_LEDGER_STREAM_NAMES, 0)->lost);
}

/* A record that the producer counted, but the archive lacks, is still missing in the part. */
TEST_F(cut, what_is_missing_is_missing)
{
	STORY(&self->s, "names@1; name 11 eleven; 0@1ms 0>11");
	self->s.streams[0].written++;
	STORY(&self->s, "0@2ms 11>0; end 10ms");
	save(self);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(3U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1, RUN(&self->t, "check", self->out));
	EXPECT_IN(self->t.out, "1 are missing");
}

TEST_F(cut, interleaved)
{
	struct story *s = &self->s;
	struct story_stream kept;

	STORY(s, "names@1; name 11 eleven; name 21 twenty-one; 0@1ms 0>11; 1@2ms 0>21");
	kept = s->streams[0];
	s->streams[0] = (struct story_stream){ .sequence = 1 };
	story_ledger(s, 0, FXT_LEDGER_CONTINUED, 0, 1 * MS);
	s->streams[0] = kept;
	STORY(s, "3ms 11>0 S; end 10ms");
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_NE(NULL, gathered_ledger(&self->g, FXT_LEDGER_CONTINUED, 0, 0));
	ASSERT_EQ(0, cut(self, "--from", "0.0015", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.event_count);
}

TEST_F(cut, part_of_a_part)
{
	const struct fxt_ledger *l;

	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve");
	self->s.streams[0] = (struct story_stream){ 900, 100, 10, 7 };
	story_ledger(&self->s, 0, FXT_LEDGER_OPENING, 7, 950);
	self->s.streams[0] = (struct story_stream){ 100, 90, 8, 7 };
	story_ledger(&self->s, 0, FXT_LEDGER_CONTINUED, 6, 200);
	self->s.streams[0] = (struct story_stream){ 900, 100, 10, 7 };
	STORY(&self->s, "1000 11>12; 2000 12>11; end 5000");
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, "--to", "0.0000015", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	l = gathered_ledger(&self->g, FXT_LEDGER_OPENING, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(100U, l->written);
	EXPECT_EQ(950U, l->time);
	/* The stream of this CPU begins after the limit. */
	EXPECT_EQ(1, cut(self, "--to", "0.0000009", NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, cut(self, "--from", "0.0000015", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	l = gathered_ledger(&self->g, FXT_LEDGER_OPENING, 0, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(101U, l->written);
	EXPECT_EQ(10U, l->lost);
	EXPECT_EQ(1500U, l->time);
	EXPECT_EQ(7U, l->sequence);
}

/* A CPU that did nothing in the range is present, with its counts from before. */
TEST_F(cut, quiet_cpu)
{
	const struct fxt_ledger *l;

	tell_two_cpus_to_end(&self->s);
	ASSERT_CUT("--from", "0.0055", "--to", "0.0065");
	l = gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 1, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(3U, l->written);
	EXPECT_EQ(6500000U, l->time);
}
