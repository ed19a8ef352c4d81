// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do slices, asynchronous events and flows match? A broken requirement of the specification is a
 * violation, anything else that does not match is a note, and flows that Perfetto drops are of its
 * class. If the archive explains a mismatch, it is a note.
 */
#include "check_fixture.h"

enum { FOREIGN = 100, NAME, OTHER };

static void begin_foreign(FIXTURE_DATA(check) *self)
{
	struct built *b = &self->s.b;

	build_free(b);
	memset(b, 0, sizeof(*b));
	BUILD(b, FXT_MAGIC_RECORD, fxt_provider_info(7, 5));
	BUILD_TEXT(b, "other");
	BUILD(b, fxt_string(NAME, 1));
	BUILD_TEXT(b, "x");
	BUILD(b, fxt_string(OTHER, 1));
	BUILD_TEXT(b, "y");
}

/* @word: the last word of types that have one */
static void event(FIXTURE_DATA(check) *self, enum fxt_event_type type, uint64_t time,
		  uint64_t thread, uint16_t name, uint64_t word)
{
	bool has_word = type == FXT_EVENT_DURATION_COMPLETE || type >= FXT_EVENT_ASYNC_BEGIN;
	/* Threads 11 and 12 are of process 10, thread 21 is of 20, and so on. */
	const uint64_t words[] = {
		fxt_event(4 + has_word, type, 0, FXT_THREAD_REF_INLINE, NAME, name), time,
		thread / 10 * 10, thread, word,
	};

	build_words(&self->s.b, words, 4 + has_word);
}

#define BEGIN(time, thread, name)	event(self, FXT_EVENT_DURATION_BEGIN, time, thread, name, 0)
#define END(time, thread, name)		event(self, FXT_EVENT_DURATION_END, time, thread, name, 0)
#define SLICE(time, thread, end)	event(self, FXT_EVENT_DURATION_COMPLETE, time, thread, NAME, end)
#define ASYNC(what, time, thread, id)	event(self, FXT_EVENT_ASYNC_##what, time, thread, NAME, id)
#define FLOW(what, time, thread, id)	event(self, FXT_EVENT_FLOW_##what, time, thread, NAME, id)

/* Check one class. @violation, @note: the expected kind, or "" */
static void expect(struct __test_metadata *_metadata, FIXTURE_DATA(check) *self,
		   const char *class, const char *violation, const char *note)
{
	char kind[64];

	EXPECT_EQ(*violation ? 1 : 0, CHECK("--only", class, NULL)) TH_LOG("%s", self->t.out);
	EXPECT_EQ(!*violation, !strstr(self->t.out, ": violation: ")) TH_LOG("%s", self->t.out);
	EXPECT_EQ(!*note, !strstr(self->t.out, ": note: ")) TH_LOG("%s", self->t.out);
	snprintf(kind, sizeof(kind), "[%s %s]", class, *violation ? violation : note);
	if (*violation || *note)
		EXPECT_IN(self->t.out, kind);
	begin_foreign(self);
}

#define EXPECT_FOUND(class, violation, note)	expect(_metadata, self, class, violation, note)

/* A slice of 11 in which one flow begins, or begins twice. */
static void begin_flow(FIXTURE_DATA(check) *self, unsigned int times)
{
	SLICE(1, 11, 10);
	for (unsigned int time = 1; time <= times; time++)
		FLOW(BEGIN, time, 11, 5);
}

/* Slices of threads of three processes; flows of one id begin in the first two. */
static void begin_flows_of_two(FIXTURE_DATA(check) *self)
{
	SLICE(1, 11, 10);
	SLICE(1, 21, 10);
	SLICE(1, 31, 10);
	FLOW(BEGIN, 1, 11, 5);
	FLOW(BEGIN, 2, 21, 5);
}

TEST_F(check, slices_match)
{
	begin_foreign(self);
	END(9, 11, NAME);
	BEGIN(1, 11, NAME);
	BEGIN(2, 11, OTHER);
	SLICE(3, 11, 5);
	SLICE(5, 11, 8);
	END(8, 11, OTHER);
	BEGIN(2, 12, OTHER);
	END(10, 12, OTHER);
	EXPECT_FOUND("format", "", "");

	BEGIN(1, 11, NAME);
	EXPECT_FOUND("format", "begin-without-end", "");
	END(1, 11, NAME);
	EXPECT_FOUND("format", "", "end-without-begin");
	BEGIN(1, 11, NAME);
	END(2, 11, NAME);
	END(3, 12, NAME);
	EXPECT_FOUND("format", "", "end-without-begin");
	BEGIN(1, 11, NAME);
	END(2, 11, OTHER);
	EXPECT_FOUND("format", "", "end-other-name");
}

TEST_F(check, slices_nest)
{
	begin_foreign(self);
	SLICE(1, 11, 3);
	SLICE(2, 11, 4);
	EXPECT_FOUND("format", "", "not-nested");
	SLICE(1, 11, 3);
	BEGIN(2, 11, NAME);
	END(4, 11, NAME);
	EXPECT_FOUND("format", "", "not-nested");
	BEGIN(1, 11, NAME);
	SLICE(2, 11, 4);
	END(3, 11, NAME);
	EXPECT_FOUND("format", "", "not-nested");
	SLICE(1, 11, 3);
	SLICE(3, 11, 4);
	SLICE(2, 12, 4);
	EXPECT_FOUND("format", "", "");
}

/* Perfetto drops slices that end after the slice in which, or together with which, they begin. */
TEST_F(check, perfetto_slices)
{
	begin_foreign(self);
	SLICE(1, 11, 3);
	SLICE(2, 11, 4);
	/* A dropped slice does not drop others. */
	SLICE(3, 11, 5);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.slice_drop_overlapping_complete_event"));
	EXPECT_FOUND("perfetto", "", "slice");
	SLICE(1, 11, 3);
	BEGIN(2, 11, NAME);
	SLICE(5, 11, 6);
	EXPECT_EQ(1, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.misplaced_end_event"));
	EXPECT_FOUND("format", "begin-without-end", "");
	/* Each slice contains those before it in the file. */
	SLICE(1, 11, 3);
	SLICE(1, 11, 6);
	EXPECT_FOUND("perfetto", "", "slice");
	SLICE(1, 11, 3);
	SLICE(1, 11, 6);
	EXPECT_FOUND("format", "", "");
	SLICE(1, 11, 6);
	SLICE(1, 11, 3);
	SLICE(3, 11, 6);
	SLICE(4, 11, 6);
	SLICE(2, 12, 9);
	EXPECT_FOUND("perfetto", "", "");
}

TEST_F(check, async_events_match)
{
	begin_foreign(self);
	/* Parts match by id alone: across threads, nested, in any order of the file. */
	ASYNC(END, 9, 21, 5);
	ASYNC(BEGIN, 1, 11, 5);
	ASYNC(BEGIN, 2, 12, 5);
	ASYNC(END, 3, 12, 5);
	ASYNC(INSTANT, 4, 21, 5);
	ASYNC(INSTANT, 1, 12, 5);
	EXPECT_FOUND("format", "", "");

	ASYNC(BEGIN, 1, 11, 5);
	EXPECT_FOUND("format", "async-begin-without-end", "");
	ASYNC(END, 1, 11, 5);
	EXPECT_FOUND("format", "", "async-end-without-begin");
	ASYNC(INSTANT, 1, 11, 5);
	EXPECT_FOUND("format", "async-instant-outside", "");
	ASYNC(BEGIN, 1, 11, 5);
	ASYNC(END, 2, 11, 5);
	ASYNC(INSTANT, 3, 11, 5);
	EXPECT_FOUND("format", "async-instant-outside", "");
	ASYNC(BEGIN, 1, 11, 5);
	event(self, FXT_EVENT_ASYNC_END, 2, 11, OTHER, 5);
	EXPECT_FOUND("format", "", "async-end-other-name");
	ASYNC(BEGIN, 1, 11, 5);
	event(self, FXT_EVENT_ASYNC_END, 2, 11, OTHER, 5);
	EXPECT_FOUND("perfetto", "", "slice");
}

TEST_F(check, flows_match)
{
	begin_foreign(self);
	SLICE(1, 11, 10);
	SLICE(1, 12, 10);
	FLOW(BEGIN, 1, 11, 5);
	FLOW(STEP, 2, 12, 5);
	FLOW(END, 10, 12, 5);
	EXPECT_FOUND("format", "", "");

	begin_flow(self, 1);
	EXPECT_FOUND("format", "flow-begin-without-end", "");
	begin_flow(self, 2);
	FLOW(END, 3, 11, 5);
	EXPECT_FOUND("format", "flow-begin-without-end", "");
	SLICE(1, 11, 10);
	FLOW(STEP, 1, 11, 5);
	EXPECT_FOUND("format", "", "flow-without-begin");
	SLICE(1, 11, 10);
	FLOW(END, 1, 11, 5);
	EXPECT_FOUND("format", "", "flow-without-begin");
	FLOW(BEGIN, 1, 11, 5);
	FLOW(END, 2, 12, 5);
	EXPECT_FOUND("format", "", "flow-without-slice");
}

/* With two processes a step or end resolves only if exactly one of them began that id. */
TEST_F(check, flows_in_perfetto)
{
	begin_foreign(self);
	SLICE(1, 11, 10);
	SLICE(1, 21, 10);
	FLOW(BEGIN, 1, 11, 5);
	FLOW(STEP, 2, 21, 5);
	FLOW(END, 3, 21, 5);
	FLOW(BEGIN, 4, 21, 5);
	FLOW(END, 5, 11, 5);
	EXPECT_FOUND("perfetto", "", "");

	begin_flows_of_two(self);
	FLOW(END, 3, 11, 5);
	FLOW(END, 4, 21, 5);
	EXPECT_FOUND("perfetto", "", "");
	begin_flows_of_two(self);
	FLOW(STEP, 3, 31, 5);
	EXPECT_FOUND("perfetto", "flow", "");
	SLICE(1, 11, 10);
	FLOW(END, 3, 11, 5);
	EXPECT_FOUND("perfetto", "flow", "");
	FLOW(BEGIN, 1, 11, 5);
	FLOW(END, 2, 11, 5);
	EXPECT_FOUND("perfetto", "flow", "");
	begin_flow(self, 2);
	FLOW(END, 3, 11, 5);
	EXPECT_FOUND("perfetto", "flow", "");
}

/* At one time, the order of the file counts. An instant is like a slice until the next one. */
TEST_F(check, flows_at_one_time)
{
	begin_foreign(self);
	BEGIN(1, 11, NAME);
	FLOW(BEGIN, 2, 11, 5);
	END(2, 11, NAME);
	BEGIN(3, 11, NAME);
	FLOW(END, 3, 11, 5);
	END(3, 11, NAME);
	EXPECT_FOUND("perfetto", "", "");
	BEGIN(1, 11, NAME);
	END(2, 11, NAME);
	FLOW(BEGIN, 2, 11, 5);
	EXPECT_FOUND("perfetto", "flow", "");
	FLOW(BEGIN, 1, 11, 5);
	BEGIN(1, 11, NAME);
	END(2, 11, NAME);
	EXPECT_FOUND("perfetto", "flow", "");
	event(self, FXT_EVENT_INSTANT, 1, 11, NAME, 0);
	FLOW(BEGIN, 5, 11, 5);
	event(self, FXT_EVENT_INSTANT, 6, 12, NAME, 0);
	FLOW(END, 7, 12, 5);
	EXPECT_FOUND("perfetto", "", "");
}

TEST_F(check, deep_slices)
{
	begin_foreign(self);
	for (int i = 0; i < 513; i++)
		BEGIN(i, 11, NAME);
	for (int i = 0; i < 513; i++)
		END(1000 + i, 11, NAME);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.slice_max_depth_exceeded"));
	EXPECT_FOUND("perfetto", "", "slice");
}

/* If the archive reports losses, the matching event may be among them. */
TEST_F(check, matches_that_are_missing)
{
	static const char session[] = "host x\ncut of y.fxt\n";

	begin_foreign(self);
	BEGIN(1, 11, NAME);
	BUILD(&self->s.b, fxt_provider_event(7, FXT_PROVIDER_EVENT_BUFFER_FULL));
	EXPECT_FOUND("format", "", "begin-without-end");
	BUILD(&self->s.b, fxt_string(FOREIGN, 17));
	BUILD_TEXT(&self->s.b, "fxt_sched.session");
	BUILD(&self->s.b, fxt_blob(1 + fxt_stream_words(strlen(session)), FOREIGN,
				   strlen(session), FXT_BLOB_DATA));
	BUILD_TEXT(&self->s.b, session);
	ASYNC(INSTANT, 1, 11, 5);
	EXPECT_FOUND("format", "", "async-instant-outside");
}

/* If it is unknown which slices end, none is said to go on for ever. */
TEST_F(check, ends_below_many_slices)
{
	begin_foreign(self);
	BEGIN(1, 11, NAME);
	for (unsigned int i = 0; i < 2000; i++)
		SLICE(2, 11, 1000);
	END(10, 11, NAME);
	EXPECT_FOUND("format", "", "not-judged");
	EXPECT_NOT_IN(self->t.out, "never ends");
}

/* Far more events than are kept: half of them are nested, half of them never end. */
TEST_F(check, many_matches)
{
	begin_foreign(self);
	for (unsigned int i = 0; i < 300000; i++) {
		BEGIN(2 * i, 11, NAME);
		END(2 * i + 1, 11, NAME);
		ASYNC(BEGIN, 2 * i, 12, i);
	}
	EXPECT_EQ(1, CHECK("--only", "format", NULL));
	EXPECT_IN(self->t.out, ": 300000 violations (format 300000)");
	EXPECT_NOT_IN(self->t.out, "[format end-");
	EXPECT_NOT_IN(self->t.out, "[format begin-");
}
