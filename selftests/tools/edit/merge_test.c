// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt merge: parts become the whole again; records of machines that have the same thread ids and
 * CPU numbers stay apart; and fxt check finds nothing wrong.
 */
#include "event_story.h"
#include "merge_fixture.h"

/* --- parts of one recording ------------------------------------------------------------ */

TEST_F(merge, parts_become_the_whole)
{
	static const char * const edges[] = { "0.011", "0.0125", "0.0145", "0.020" };
	char from[32] = "0";

	tell_machine(self, 0, "host one\nboot b\nepoch 5\nbuffer 1 x 2\n", 10);
	ASSERT_EQ(0, RUN(&self->t, "cut", "-o", self->out, self->in[0]));
	ASSERT_EQ(0, gather(&self->one, self->out));
	snprintf(self->in[1], sizeof(self->in[1]), "%s/whole", self->dir);
	ASSERT_EQ(0, rename(self->in[0], self->in[1]));
	for (unsigned int i = 0; i < 4; i++) {
		snprintf(self->out, sizeof(self->out), "%s/%c.fxt.zst", self->dir, "cabd"[i]);
		ASSERT_EQ(0, RUN(&self->t, "cut", "--from", from, "--to", edges[i], "-o",
				 self->out, self->in[1])) TH_LOG("%s", self->t.err);
		snprintf(from, sizeof(from), "%s%0*d", edges[i], 11 - (int)strlen(edges[i]), 1);
	}
	for (unsigned int i = 0; i < 4; i++)
		snprintf(self->in[i], sizeof(self->in[i]), "%s/%c.fxt.zst", self->dir, 'a' + i);
	snprintf(self->out, sizeof(self->out), "%s/all.fxt", self->dir);
	ASSERT_EQ(0, merge(self, 4, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(1U, self->g.provider_count);
	ASSERT_EQ(self->one.event_count, self->g.event_count);
	for (size_t k = 0; k < self->one.event_count; k++) {
		const struct gathered_event *e = &self->one.events[k];

		ASSERT_NE(NULL, find(&self->g, e->kind, e->time, 1));
		EXPECT_EQ(0, memcmp(e, find(&self->g, e->kind, e->time, 1), sizeof(*e)));
	}
	for (unsigned int i = 0; i < 2; i++) {
		EXPECT_EQ(gathered_ledger(&self->one, FXT_LEDGER_CLOSING, i, 0)->written,
			  gathered_ledger(&self->g, FXT_LEDGER_CLOSING, i, 0)->written);
		EXPECT_EQ(gathered_ledger(&self->one, FXT_LEDGER_CLOSING, i, 0)->sequence,
			  gathered_ledger(&self->g, FXT_LEDGER_CLOSING, i, 0)->sequence);
		EXPECT_EQ(NULL, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, i, 1));
		EXPECT_EQ(NULL, gathered_ledger(&self->g, FXT_LEDGER_OPENING, i, 0));
	}
	/* Names are unchanged, each of them once. */
	EXPECT_EQ(3U, self->g.name_count);
	EXPECT_STREQ("twelve", gathered_text(&self->g, FXT_OBJECT_THREAD, 12));
}

/*
 * Tell segment @n of a recording, as the collector writes it.
 * @called: ns when a system call began that ends in the last segment; 0 for none
 */
static void tell_segment(FIXTURE_DATA(merge) *self, unsigned int n, struct story_stream *at,
			 uint64_t called)
{
	uint64_t begin_ms = 10 * (n + 1);
	struct story *s = &self->s;
	char session[64];

	snprintf(session, sizeof(session), "host one\nsegment %u\nboot b\n", n + 1);
	begin(self, session);
	memcpy(s->streams, at, sizeof(s->streams));
	for (unsigned int i = 0; n && i <= STORY_CPUS; i++)
		if (s->streams[i].sequence)
			story_ledger(s, i, FXT_LEDGER_OPENING, s->streams[i].sequence,
				     begin_ms * MS);
	s->now = NULL;
	story_chunk(s, STORY_NAMES, begin_ms * MS);
	story_name(s, 11, 11, n == 2 ? "renamed" : "eleven");
	if (!n)
		story_event(s, 11, 11, "later", FXT_STR_RENAME, 11 * MS);
	event_syscall_name(s, EVENT_READ, "read");
	STORY(s, "0@% 0>11", begin_ms * MS + 1);
	if (n == 2 && called)
		event_syscall(s, called, begin_ms * MS + 2, 11, 11, EVENT_READ, 0);
	story_switch(s, begin_ms * MS + 2, 11, 0, FXT_THREAD_NEW);
	if (n == 1) {
		/* CPU 1 has no events before this segment. */
		STORY(s, "opening 1 @%; 1@% wake 12 on 0; lose 1 4 @%; % wake 13 on 0; "
			 "names@%; name 12/11 twelve; name 13/11 thirteen", begin_ms * MS,
			 begin_ms * MS + 5, begin_ms * MS + 6, begin_ms * MS + 6, begin_ms * MS);
	}
	story_end(s, (begin_ms + 10) * MS);
	memcpy(at, s->streams, sizeof(s->streams));
	save(self, n);
	build_free(&s->b);
}

TEST_F(merge, segments)
{
	struct story_stream at[STORY_CPUS + 1] = { 0 };

	for (unsigned int i = 0; i < 3; i++)
		tell_segment(self, i, at, 0);
	for (unsigned int i = 0; i < 3; i++)
		EXPECT_SOUND(self->in[i]);
	ASSERT_MERGE(3, NULL);
	EXPECT_EQ(9U, self->g.event_count);
	EXPECT_STREQ("renamed", gathered_text(&self->g, FXT_OBJECT_THREAD, 11));
	EXPECT_EQ(NULL, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 1, 0));
	EXPECT_EQ(6U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(4U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 1, 0)->lost);
	EXPECT_EQ(6U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 1, 0)->written);
	EXPECT_STREQ("host one\nboot b\n", self->g.session);
	EXPECT_EQ(1U, self->g.provider_count);

	/* The second segment repeats the thread's first name. */
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("later", gathered_text(&self->g, FXT_OBJECT_THREAD, 11));

	/* The last two segments are a part of the recording. */
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->out, self->in[1], self->in[2]))
		TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 0, 0)->written);
	EXPECT_EQ(6U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1U, self->g.provider_count);
}

/* A slice is written when it ends, so it may have begun before the previous segment. */
TEST_F(merge, segments_with_a_call_from_before)
{
	struct story_stream at[STORY_CPUS + 1] = { 0 };

	for (unsigned int i = 0; i < 3; i++)
		tell_segment(self, i, at, 12 * MS);
	ASSERT_EQ(0, merge(self, 3, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	EXPECT_SOUND(self->out);
	EXPECT_EQ(7U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->written);
	EXPECT_EQ(1U, self->g.provider_count);
}

/* If a part is missing, nothing is joined, and that is reported. */
TEST_F(merge, segments_with_a_hole)
{
	struct story_stream at[STORY_CPUS + 1] = { 0 };

	for (unsigned int i = 0; i < 3; i++)
		tell_segment(self, i, at, 0);
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->out, self->in[0], self->in[2]))
		TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "c.fxt does not continue");
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.provider_count);
}

static void cut_part(FIXTURE_DATA(merge) *self, unsigned int from, unsigned int to,
		     const char *first, const char *last)
{
	struct tool t;

	if (RUN(&t, "cut", "--from", first, "--to", last, "-o", self->in[to], self->in[from]))
		abort();
}

TEST_F(merge, parts_with_a_hole)
{
	tell_machine(self, 3, "host one\nboot b\n", 10);
	cut_part(self, 3, 0, "0", "0.011");
	cut_part(self, 3, 1, "0.0145", "0.020");
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "b.fxt does not continue");
	EXPECT_SOUND(self->out);
	EXPECT_EQ(2U, self->g.provider_count);
}

/* By chance, a part of another machine or another boot has the same counts. */
TEST_F(merge, parts_of_two)
{
	static const char * const others[] = { "host two\nboot b\n", "host one\nboot c\nepoch 5\n" };

	for (unsigned int i = 0; i < 2; i++) {
		tell_machine(self, 3, "host one\nboot b\nepoch 5\n", 10);
		cut_part(self, 3, 0, "0", "0.013");
		tell_machine(self, 3, others[i], 10);
		cut_part(self, 3, 1, "0.013000001", "0.020");
		ASSERT_MERGE(2, NULL);
		EXPECT_EQ(2U, self->g.provider_count);
	}
}

/* A stream that has just begun does not show that it belongs to the previous part. */
TEST_F(merge, part_that_has_counted_nothing)
{
	for (unsigned int n = 0; n < 2; n++) {
		begin(self, "host one\nboot b\n");
		if (n)
			story_ledger(&self->s, 1, FXT_LEDGER_OPENING, 0, 15 * MS);
		STORY(&self->s, "%@% wake 12 on 0", n, (6 + 10 * n) * MS);
		self->s.streams[STORY_NAMES].sequence = 0;
		STORY(&self->s, "names@1; name 12 twelve; end %", (10 + 10 * n) * MS);
		save(self, n);
	}
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(2U, self->g.provider_count);
}

/* The first archive on the command line is the first machine, whatever the times of its parts. */
TEST_F(merge, order_of_names)
{
	tell_machine(self, 3, "host one\nboot b\n", 10);
	cut_part(self, 3, 0, "0.013000001", "0.020");
	cut_part(self, 3, 2, "0", "0.013");
	tell_machine(self, 1, "host two\nboot b\n", 5);
	ASSERT_MERGE(3, NULL);
	EXPECT_EQ(2U, self->g.provider_count);
	EXPECT_STREQ("twelve [one]", gathered_text(&self->g, FXT_OBJECT_THREAD, 12));
}

/* --- machines ------------------------------------------------------------------------------ */

TEST_F(merge, machines)
{
	char option[RECORD_PATH + 64];
	const struct gathered_event *e;
	struct gathered *g = &self->g;
	const struct gathered_name *name;

	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_machine(self, 1, "host two\nboot c\n", 12);
	snprintf(option, sizeof(option), "%s=+0", self->in[1]);
	ASSERT_MERGE(2, "--offset", option);
	EXPECT_EQ(2U, g->provider_count);
	EXPECT_EQ(10U, g->event_count);

	e = find(g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 1);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(12U, e->thread);
	EXPECT_EQ(11U, e->other);
	EXPECT_EQ(1U, e->cpu);
	e = find(g, FXT_KIND_THREAD_WAKEUP, 14 * MS, 2);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(KOIDS + 12, e->thread);
	EXPECT_EQ(KOIDS + 11, e->other);
	EXPECT_EQ(3U, e->cpu);
	/* Idle threads belong to no machine. */
	e = find(g, FXT_KIND_CONTEXT_SWITCH, 13 * MS, 2);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(0U, e->other);
	EXPECT_EQ(KOIDS + 11, e->thread);
	EXPECT_EQ(2U, e->cpu);

	name = gathered_name(g, FXT_OBJECT_THREAD, 12);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("twelve [one]", name->name);
	EXPECT_EQ(11U, name->process);
	name = gathered_name(g, FXT_OBJECT_THREAD, KOIDS + 12);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("twelve [two:12]", name->name);
	EXPECT_EQ(KOIDS + 11, name->process);
	EXPECT_STREQ("eleven [two:11]", gathered_text(g, FXT_OBJECT_PROCESS, KOIDS + 11));
	EXPECT_EQ(3U, gathered_ledger(g, FXT_LEDGER_CLOSING, 2, 0)->written);
	EXPECT_IN(g->session, "host two\nboot c\nmerge of b.fxt\nmerge names of two\n"
			       "merge cpus 2-3\nmerge koids +4194304\n");
}

/* Their records are in the order of time, as far as chunks allow. */
TEST_F(merge, in_order)
{
	uint64_t last = 0, back = 0;

	for (unsigned int n = 0; n < 2; n++) {
		begin(self, "host same\nboot b\n");
		STORY(&self->s, "names@1; name 11 eleven");
		for (unsigned int i = 0; i < 100; i++) {
			story_chunk(&self->s, 0, (2 * i + n + 1) * MS);
			story_switch(&self->s, (2 * i + n + 1) * MS, i % 2 ? 11 : 0,
				     i % 2 ? 0 : 11, FXT_THREAD_NEW);
		}
		story_end(&self->s, 1000 * MS);
		save(self, n);
	}
	ASSERT_MERGE(2, NULL);
	ASSERT_EQ(200U, self->g.event_count);
	for (size_t k = 0; k < 200; k++) {
		if (self->g.events[k].time < last && last - self->g.events[k].time > back)
			back = last - self->g.events[k].time;
		last = self->g.events[k].time;
	}
	EXPECT_GE(2 * MS, back);
	/* Two machines of one name get different names. */
	EXPECT_STREQ("eleven [same#2:11]", gathered_text(&self->g, FXT_OBJECT_THREAD, KOIDS + 11));
}

TEST_F(merge, losses_of_machines)
{
	for (unsigned int n = 0; n < 2; n++) {
		begin(self, "host one\nboot b\n");
		STORY(&self->s, "names@1; name 11 eleven");
		story_lose(&self->s, STORY_NAMES, 2 + n, 2 * MS);
		STORY(&self->s, "name 12/11 twelve; 0@1ms 0>11; lose 0 % @3ms; 3ms 14>0; end 5ms",
				5 + n);
		save(self, n);
		EXPECT_SOUND(self->in[n]);
	}
	ASSERT_MERGE(2, NULL);
	EXPECT_EQ(5U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 0, 0)->lost);
	EXPECT_EQ(6U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, 1, 0)->lost);
	EXPECT_EQ(5U, gathered_ledger(&self->g, FXT_LEDGER_CLOSING,
				      FXT_LEDGER_STREAM_NAMES, 0)->lost);
	EXPECT_EQ(NULL, gathered_ledger(&self->g, FXT_LEDGER_CLOSING, FXT_LEDGER_STREAM_NAMES, 1));
	EXPECT_STREQ("lost on cpu 1", gathered_text(&self->g, FXT_OBJECT_THREAD,
						    fxt_sched_loss_koid(1)));
}

/*
 * In a tar for Perfetto, each machine keeps its own numbers, and has the times of the first.
 * Debian's tar reads it.
 */
TEST_F(merge, machines_apart)
{
	char command[4 * RECORD_PATH], text[512] = "", path[RECORD_PATH + 64];
	const struct gathered_event *e;
	FILE *pipe;

	tell_machine(self, 0, "host one\nepoch 5000000000\n", 10);
	tell_machine(self, 1, "host two/..\nepoch 5001000000\n", 10);
	ASSERT_EQ(0, RUN(&self->t, "merge", "--manifest", "-o", self->out, self->in[0], self->in[1]))
		TH_LOG("%s", self->t.err);
	snprintf(command, sizeof(command), "tar -C %s -xvf %s && cat %s/perfetto_manifest.json",
		 self->dir, self->out, self->dir);
	pipe = popen(command, "r");
	ASSERT_NE(NULL, pipe);
	ASSERT_NE(0UL, fread(text, 1, sizeof(text) - 1, pipe));
	EXPECT_EQ(0, pclose(pipe));
	EXPECT_STREQ("perfetto_manifest.json\n1-one.fxt\n2-two_...fxt\n"
		     "{\"perfetto_manifest\":{\"version\":1,\"files\":["
		     "{\"path\":\"1-one.fxt\",\"machine\":{\"name\":\"one\"}},"
		     "{\"path\":\"2-two_...fxt\",\"machine\":{\"name\":\"two/..\"},"
		     "\"clocks\":{\"sync_to\":{\"file\":\"1-one.fxt\"}}}]}}\n", text);

	snprintf(path, sizeof(path), "%s/2-two_...fxt", self->dir);
	EXPECT_SOUND(path);
	ASSERT_EQ(0, gather(&self->g, path));
	EXPECT_EQ(5U, self->g.event_count);
	e = find(&self->g, FXT_KIND_THREAD_WAKEUP, 13 * MS, 1);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(12U, e->thread);
	EXPECT_EQ(1U, e->cpu);
	EXPECT_STREQ("twelve", gathered_text(&self->g, FXT_OBJECT_THREAD, 12));
	EXPECT_IN(self->g.session, "epoch 5000000000\n");
	/* It replaces its like, but no archive. */
	EXPECT_EQ(0, RUN(&self->t, "merge", "--manifest", "-o", self->out, self->in[0]));
	EXPECT_EQ(4, RUN(&self->t, "merge", "--manifest", "-o", path, self->in[0]));
	EXPECT_IN(self->t.err, "is not a tar of fxt merge");
	EXPECT_EQ(4, RUN(&self->t, "merge", "--manifest", "-o", "/dev/full", self->in[0]));
	EXPECT_EQ(2, RUN(&self->t, "merge", "--manifest", "-o", "a.tar.zst", self->in[0]));
}

/* --- clocks ------------------------------------------------------------------------------- */

TEST_F(merge, same_boot)
{
	tell_machine(self, 0, "host one\nboot b\nepoch 5000000000\n", 10);
	tell_machine(self, 1, "host one\nboot b\nepoch 9000000000\n", 50);
	ASSERT_MERGE(2, NULL);
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 1));
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 52 * MS, 2));
	EXPECT_IN(self->g.session, "the same boot");
}

TEST_F(merge, time_of_day)
{
	tell_machine(self, 0, "host one\nboot b\nepoch 5000000000\n", 10);
	tell_machine(self, 1, "host two\nboot c\nepoch 5001000000\n", 10);
	ASSERT_MERGE(2, NULL);
	EXPECT_IN(self->t.err, "by the time of day of their machines (it is not known how far these are off)");
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 1));
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 13 * MS, 2));
	/* The epoch of the second machine is now that of the first machine's time 0. */
	EXPECT_IN(self->g.session, "host two\nboot c\nepoch 5000000000\n");
}

/* Kernels know how far their clocks are off at most. */
TEST_F(merge, time_of_day_with_errors)
{
	tell_machine(self, 0, "host one\nepoch 5000000000\nepoch_error 2500000\n", 10);
	tell_machine(self, 1, "host two\nepoch 5001000000\nepoch_error 1250000\n", 10);
	ASSERT_MERGE(2, NULL);
	EXPECT_IN(self->t.err, "machines (off by 3.750 ms at most, say their kernels); use");
	tell_machine(self, 1, "host two\nepoch 5001000000\n", 10);
	ASSERT_MERGE(2, NULL);
	EXPECT_IN(self->t.err, "it is not known how far");
}

TEST_F(merge, unknown_clocks)
{
	tell_machine(self, 0, "host one\n", 10);
	tell_machine(self, 1, "host two\n", 10);
	EXPECT_EQ(2, merge(self, 2, NULL, NULL));
	EXPECT_IN(self->t.err, "use --offset FILE=+TIME");
	EXPECT_NE(0, access(self->out, F_OK));
}

TEST_F(merge, offsets)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {
		{ "+1", 1000 * MS }, { "+1.5s", 1500 * MS }, { "-2ms", -2 * (int64_t)MS },
		{ "-0.000000001", -1 }, { "+20us", 20000 }, { "+7ns", 7 },
		{ "+2m", 120000 * MS },
		{ "+1000000.000000001s", 1000000000000001 },
	};
	static const char * const bad[] = {
		"1", "+", "-", "+-1", "+1e999", "+x", "+1 s", "", "+inf", "-nan", "+0x10", "+1e2", "+10000000000",
	};
	char option[RECORD_PATH + 64];

	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_machine(self, 1, "host two\nboot c\n", 10);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		snprintf(option, sizeof(option), "%s=%s", self->in[1], good[i].text);
		ASSERT_MERGE(2, "--offset", option);
		EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 1));
		EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS + good[i].ns, 2))
			TH_LOG("%s", good[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		snprintf(option, sizeof(option), "%s=%s", self->in[1], bad[i]);
		EXPECT_EQ(2, merge(self, 2, "--offset", option)) TH_LOG("%s", bad[i]);
	}
	snprintf(option, sizeof(option), "%s=-12ms", self->in[1]);
	EXPECT_EQ(2, merge(self, 2, "--offset", option));
	EXPECT_IN(self->t.err, "before time 0");
	EXPECT_EQ(2, merge(self, 2, "--offset", "other.fxt=+1"));
	/* An offset of the first archive also applies to archives that are aligned with it. */
	tell_machine(self, 1, "host one\nboot b\n", 10);
	snprintf(option, sizeof(option), "%s=+1ms", self->in[0]);
	ASSERT_EQ(0, merge(self, 2, "--offset", option)) TH_LOG("%s", self->t.err);
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 13 * MS, 1));
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 13 * MS, 2));
}

TEST_F(merge, ticks)
{
	for (unsigned int n = 0; n < 2; n++) {
		begin(self, "host one\nboot b\n");
		STORY(&self->s, "names@1; name 11 eleven");
		BUILD(&self->s.b, fxt_initialization(), 3 + n);
		STORY(&self->s, "0@7 0>11; lose 0 3 @11; 11 0>11; end 13");
		save(self, n);
		EXPECT_SOUND(self->in[n]);
	}
	ASSERT_MERGE(2, NULL);
	EXPECT_EQ(1000000000U, self->g.rate);
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_CONTEXT_SWITCH, 2333333333, 1));
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_CONTEXT_SWITCH, 1750000000, 2));
	/* A rate that all recordings share stays. */
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", self->out, self->in[1]));
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_EQ(4U, self->g.rate);
	EXPECT_NE(NULL, find(&self->g, FXT_KIND_CONTEXT_SWITCH, 7, 1));
}

/* --- marks, CPUs that go offline, recordings of different length ----------------------------- */

/* Each snapshot is complete from a different moment on. */
TEST_F(merge, marks)
{
	char option[RECORD_PATH + 64];
	const struct gathered_event *e;

	for (unsigned int n = 0; n < 2; n++) {
		uint64_t at = 10 + 20 * n;

		begin(self, n ? "host two\n" : "host one\n");
		self->s.streams[0] = (struct story_stream){ (at - 1) * MS, 100, 10, 7 };
		story_ledger(&self->s, 0, FXT_LEDGER_OPENING, 7, at * MS);
		self->s.now = NULL;
		STORY(&self->s, "names@1; name 11 eleven; 0@% 0>11", (at + 1) * MS);
		BUILD(&self->s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
				       FXT_STR_CATEGORY, FXT_STR_COMPLETE),
		      at * MS, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS);
		BUILD(&self->s.b, fxt_event(9, FXT_EVENT_INSTANT, 3, FXT_THREAD_REF_INLINE,
				       FXT_STR_CATEGORY, FXT_STR_TRIGGER),
		      (at + 1) * MS, FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS,
		      fxt_arg_koid(2, FXT_STR_THREAD), 11, fxt_arg_uint32(1, FXT_STR_CPU, 0),
		      fxt_arg_uint64(2, FXT_STR_LATENCY), 5);
		story_end(&self->s, (at + 5) * MS);
		save(self, n);
		EXPECT_SOUND(self->in[n]);
	}
	snprintf(option, sizeof(option), "%s=-2ms", self->in[1]);
	ASSERT_MERGE(2, "--offset", option);
	ASSERT_NE(NULL, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 1, 0));
	EXPECT_EQ(28 * MS, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 1, 0)->time);
	EXPECT_EQ(27 * MS, gathered_ledger(&self->g, FXT_LEDGER_OPENING, 1, 0)->last);
	EXPECT_EQ(4U, gathered_events(&self->g, FXT_KIND_INSTANT));
	e = find(&self->g, FXT_KIND_INSTANT, 29 * MS, 2);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(FXT_SCHED_KOID_LOSS, e->thread);
	EXPECT_EQ(0, RUN(&self->t, "info", self->out));
	EXPECT_IN(self->t.out,
		  "trigger: thread 4194315 (eleven [two:11]) waited 0.000 ms on cpu 1");
}

/* A CPU that goes offline is recognized by the name of its last thread. */
TEST_F(merge, offline)
{
	for (unsigned int n = 0; n < 2; n++) {
		struct story *s = &self->s;

		begin(self, "host one\nboot b\n");
		STORY(s, "names@1; name 15 migration/0; 0@1ms 0>15; 2ms 15>0 T; 3ms wake 15; "
			 "4ms 0>15; 8ms wake 15; 9ms 0>15; 9000001 15>0 T; end 10ms");
		save(self, n);
		EXPECT_SOUND(self->in[n]);
	}
	ASSERT_MERGE(2, NULL);
}

/* Return: the number after this key in "fxt report --json", in the text from @at on. */
static double number_after(const struct tool *t, const char *at, const char *key)
{
	const char *p = strstr(t->out, at);

	p = p ? strstr(p, key) : NULL;
	return p ? strtod(p + strlen(key), NULL) : -1;
}

/*
 * One recording ends long before the other: after that, the state of its threads is unknown.
 * When it ends, a thread runs on each of its CPUs, and another one sleeps.
 */
TEST_F(merge, one_ends_earlier)
{
	double run[2], idle[2], gone;

	begin(self, "host one\nboot b\n");
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; 0@10ms 0>11; "
			"1@10ms 0>12; 13ms 12>0 S; end 14ms");
	save(self, 0);
	begin(self, "host two\nboot b\n");
	STORY(&self->s, "names@1; name 21 twenty-one; 0@11ms 0>21; 12ms 21>0 S; 2000ms wake 21; "
			"2003ms 0>21; end 2004ms");
	save(self, 1);
	ASSERT_MERGE(2, NULL);
	for (unsigned int n = 0; n < 2; n++) {
		ASSERT_EQ(0, RUN(&self->t, "report", "--json", n ? self->out : self->in[0]));
		run[n] = number_after(&self->t, n ? "\"eleven [one]\"" : "\"eleven\"",
				      "\"run_ns\":");
		idle[n] = number_after(&self->t, "\"cpus\":[", "\"idle_ns\":");
	}
	EXPECT_EQ(4.0 * MS, run[0]);
	EXPECT_EQ(run[0], run[1]);
	EXPECT_EQ(idle[0], idle[1]);
	gone = number_after(&self->t, "\"cpus\":[", "\"unknown_ns\":");
	EXPECT_EQ(2004.0 * MS - 14 * MS, gone);
	/* No slice of its threads is drawn there either. */
	ASSERT_EQ(0, RUN(&self->t, "convert", "--to", "json", self->out));
	EXPECT_IN(self->t.out, "\"dur\":3000");
	EXPECT_IN(self->t.out, "\"dur\":1988000");
	EXPECT_NOT_IN(self->t.out, "\"dur\":1993000");
	EXPECT_NOT_IN(self->t.out, "\"dur\":1990000");
}
