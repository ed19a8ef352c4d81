// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cut_verb_test.c - fxt cut: parts of archives.
 *
 * In:  stories of a few CPUs.
 * Must hold: a part has exactly the selected records, is readable on its own, and fxt check
 *      finds nothing wrong with it: written = stored + lost.
 */
#include "cut_fixture.h"

TEST_F(cut, by_time)
{
	struct gathered *g = &self->g;
	const struct fxt_ledger *l;

	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.003", "--to", "+0.006")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
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

	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--to", "0.003", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
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
	story_chunk(&self->s, STORY_NAMES, 9 * MS);
	story_name(&self->s, 12, 11, "renamed");
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--to", "0.003", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	name = gathered_name(&self->g, FXT_OBJECT_THREAD, 12);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("renamed", name->name);
	EXPECT_EQ(11U, name->process);
}

TEST_F(cut, says_what_it_is)
{
	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "+0.002", "--pid", "21")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("host here\nclock boot\ncut of in.fxt\ncut from 0.003000000\nfilter pids 21\n",
		     self->g.session);
	EXPECT_EQ(1U, self->g.session_count);
	EXPECT_EQ(0, RUN(&self->t, "info", self->out));
	EXPECT_NE(NULL, strstr(self->t.out, "cut         of in.fxt\n")) TH_LOG("%s", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "part of a recording: 3 older records are not in it"))
		TH_LOG("%s", self->t.out);
}

/* Two adjoining parts together have all records of the whole, and agree where they meet. */
TEST_F(cut, parts_adjoin)
{
	static struct gathered second;
	const struct fxt_ledger *end, *begin;
	uint32_t cpu;

	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.004", NULL, NULL)) TH_LOG("%s", self->t.err);
	second = self->g;
	ASSERT_EQ(0, cut(self, "--to", "0.003999999", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(10U, second.event_count + self->g.event_count);
	for (cpu = 0; cpu < 2; cpu++) {
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

	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(6U, g->event_count);
	EXPECT_FALSE(gathered_has(g, FXT_KIND_CONTEXT_SWITCH, 4 * MS, NULL));
	EXPECT_EQ(6U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(0U, gathered_ledger(g, FXT_LEDGER_CLOSING, 1, 0)->written);
	EXPECT_EQ(NULL, gathered_name(g, FXT_OBJECT_THREAD, 21));
	EXPECT_EQ(0, RUN(&self->t, "check", self->out));
	EXPECT_NE(NULL, strstr(self->t.out, "filtered")) TH_LOG("%s", self->t.out);
	/* Several ids, given in both ways. */
	ASSERT_EQ(0, cut(self, "--pid", "11", "--pid", "21")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(10U, g->event_count);
}

/* The record that names the thread's process comes after the thread's events. */
TEST_F(cut, process_is_told_late)
{
	story_chunk(&self->s, 0, 1 * MS);
	story_switch(&self->s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	story_chunk(&self->s, STORY_NAMES, 2 * MS);
	story_name(&self->s, 11, 11, "eleven");
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(1U, self->g.event_count);
}

TEST_F(cut, by_cpu)
{
	struct gathered *g = &self->g;

	tell_two_cpus(&self->s);
	story_chunk(&self->s, 0, 9 * MS);
	story_wake(&self->s, 9500000, 1, 12, 11);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--cpu", "1", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
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
	unsigned int i;

	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "eleven");
	story_name(&self->s, 21, 21, "twenty-one");
	for (i = 0; i < 6; i++) {
		story_chunk(&self->s, 0, (i + 1) * MS);
		story_switch(&self->s, (i + 1) * MS, i % 2 ? 11 : 0, i % 2 ? 0 : 11,
			     FXT_THREAD_NEW);
		story_chunk(&self->s, 0, (i + 1) * MS + 1);
		story_wake(&self->s, (i + 1) * MS + 1, 0, 21, 0);
	}
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
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
	struct story *s = &self->s;
	size_t i;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 21, 21, "twenty-one");
	story_chunk(s, 0, 1 * MS);
	story_switch(s, 1 * MS, 21, 11, FXT_THREAD_NEW);
	story_switch(s, 2 * MS, 11, 21, FXT_THREAD_BLOCKED);
	story_state(s, 3 * MS, 0, 21, 0, disk);
	story_wake(s, 4 * MS, 0, 21, 0);
	story_switch(s, 4 * MS, 0, 21, FXT_THREAD_NEW);
	story_wake(s, 5 * MS, 0, 11, 21);
	story_switch(s, 5 * MS, 21, 0, FXT_THREAD_BLOCKED);
	story_switch(s, 6 * MS, 0, 11, FXT_THREAD_NEW);
	story_wake(s, 6 * MS, 0, 21, 11);
	story_switch(s, 7 * MS, 11, 0, FXT_THREAD_BLOCKED);
	story_switch(s, 8 * MS, 0, 21, FXT_THREAD_NEW);
	story_end(s, 10 * MS);
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, "--pid", "11", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	ASSERT_EQ(ARRAY_SIZE(expected), g->event_count);
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_EQ(expected[i].other, g->events[i].other);
		EXPECT_EQ(expected[i].thread, g->events[i].thread);
		EXPECT_EQ(expected[i].state, g->events[i].state);
		EXPECT_EQ(expected[i].unknown, g->events[i].unknown);
	}
	EXPECT_EQ(8U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
}

/* --- losses --------------------------------------------------------------------- */

/* CPU 0 has lost 5 records between 2 and 4 ms, and 7 between 6 and 8. */
static void tell_losses(struct story *s)
{
	BUILD(&s->b, fxt_kernel_object(6, FXT_OBJECT_THREAD, fxt_string_ref_inline(13), 1),
	      fxt_sched_loss_koid(0));
	BUILD_TEXT(&s->b, "lost on cpu 0");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), FXT_SCHED_KOID_LOSS);
	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	story_chunk(s, 0, 1 * MS);
	story_switch(s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	story_switch(s, 2 * MS, 11, 12, FXT_THREAD_NEW);
	story_lose(s, 0, 5, 4 * MS);
	story_switch(s, 4 * MS, 11, 12, FXT_THREAD_NEW);
	story_switch(s, 6 * MS, 12, 11, FXT_THREAD_NEW);
	story_lose(s, 0, 7, 8 * MS);
	story_switch(s, 8 * MS, 11, 12, FXT_THREAD_NEW);
	story_end(s, 10 * MS);
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
	save(self);
	ASSERT_EQ(0, cut(self, "--pid", "99", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(12U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->lost);
	EXPECT_EQ(12U, gathered_ledger(g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1U, gathered_events(g, FXT_KIND_DURATION_COMPLETE));
}

TEST_F(cut, lost_names)
{
	struct gathered *g = &self->g;

	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "eleven");
	story_lose(&self->s, STORY_NAMES, 3, 2 * MS);
	story_name(&self->s, 12, 11, "twelve");
	story_chunk(&self->s, 0, 1 * MS);
	story_switch(&self->s, 1 * MS, 0, 13, FXT_THREAD_NEW);
	story_switch(&self->s, 5 * MS, 13, 0, FXT_THREAD_NEW);
	story_end(&self->s, 10 * MS);
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
	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "eleven");
	story_chunk(&self->s, 0, 1 * MS);
	story_switch(&self->s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	self->s.streams[0].written++;
	story_chunk(&self->s, 0, 2 * MS);
	story_switch(&self->s, 2 * MS, 11, 0, FXT_THREAD_NEW);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(3U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1, RUN(&self->t, "check", self->out));
	EXPECT_NE(NULL, strstr(self->t.out, "1 are missing")) TH_LOG("%s", self->t.out);
}

/* Chunks of one CPU lie between the two halves of another CPU's chunks. */
TEST_F(cut, interleaved)
{
	struct story *s = &self->s;
	struct story_stream kept;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 21, 21, "twenty-one");
	story_chunk(s, 0, 1 * MS);
	story_switch(s, 1 * MS, 0, 11, FXT_THREAD_NEW);
	story_chunk(s, 1, 2 * MS);
	story_switch(s, 2 * MS, 0, 21, FXT_THREAD_NEW);
	kept = s->streams[0];
	s->streams[0] = (struct story_stream){ .sequence = 1 };
	story_ledger(s, 0, FXT_LEDGER_CONTINUED, 0, 1 * MS);
	s->streams[0] = kept;
	story_switch(s, 3 * MS, 11, 0, FXT_THREAD_BLOCKED);
	story_end(s, 10 * MS);
	save(self);
	EXPECT_SOUND(self->in);
	ASSERT_EQ(0, cut(self, NULL, NULL, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_NE(NULL, gathered_ledger(&self->g, FXT_LEDGER_CONTINUED, 0, 0));
	ASSERT_EQ(0, cut(self, "--from", "0.0015", NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.event_count);
}

/* --- parts of parts ---------------------------------------------------------------- */

TEST_F(cut, part_of_a_part)
{
	struct story *s = &self->s;
	const struct fxt_ledger *l;

	story_chunk(s, STORY_NAMES, 1);
	story_name(s, 11, 11, "eleven");
	story_name(s, 12, 11, "twelve");
	s->streams[0] = (struct story_stream){ 900, 100, 10, 7 };
	story_ledger(s, 0, FXT_LEDGER_OPENING, 7, 950);
	s->streams[0] = (struct story_stream){ 100, 90, 8, 7 };
	story_ledger(s, 0, FXT_LEDGER_CONTINUED, 6, 200);
	s->streams[0] = (struct story_stream){ 900, 100, 10, 7 };
	story_switch(s, 1000, 11, 12, FXT_THREAD_NEW);
	story_switch(s, 2000, 12, 11, FXT_THREAD_NEW);
	story_end(s, 5000);
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

	tell_two_cpus(&self->s);
	story_end(&self->s, 10 * MS);
	save(self);
	ASSERT_EQ(0, cut(self, "--from", "0.0055", "--to", "0.0065")) TH_LOG("%s", self->t.err);
	EXPECT_SOUND(self->out);
	l = gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 1, 0);
	ASSERT_NE(NULL, l);
	EXPECT_EQ(3U, l->written);
	EXPECT_EQ(6500000U, l->time);
}

TEST_HARNESS_MAIN
