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
	build_string(b, NAME, "x");
	build_string(b, OTHER, "y");
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

/*
 * Events as text, with phases as in the Trace Event Format: "B1:11" at time 1 in thread 11;
 * "X1:11-3" ends at 3; "y" behind an event is the other name. The id is 5.
 */
static void events(FIXTURE_DATA(check) *self, const char *text)
{
	static const char phases[] = {
		[FXT_EVENT_INSTANT] = 'i', [FXT_EVENT_DURATION_BEGIN] = 'B',
		[FXT_EVENT_DURATION_END] = 'E', [FXT_EVENT_DURATION_COMPLETE] = 'X',
		[FXT_EVENT_ASYNC_BEGIN] = 'b', [FXT_EVENT_ASYNC_INSTANT] = 'n',
		[FXT_EVENT_ASYNC_END] = 'e', [FXT_EVENT_FLOW_BEGIN] = 's',
		[FXT_EVENT_FLOW_STEP] = 't', [FXT_EVENT_FLOW_END] = 'f',
	};
	unsigned int time, thread, word, bytes;
	const char *type;
	char phase;

	while (sscanf(text, " %c%u:%u%n", &phase, &time, &thread, &bytes) == 3) {
		text += bytes;
		word = 5;
		if (*text == '-')
			word = strtoul(text + 1, (char **)&text, 10);
		type = memchr(phases, phase, sizeof(phases));
		if (!type)
			abort();
		event(self, type - phases, time, thread, *text == 'y' ? OTHER : NAME, word);
		text += *text == 'y';
	}
	if (*text)
		abort();
}

/* Check one class after more events. @violation, @note: the expected kind, or "" */
static void expect(struct __test_metadata *_metadata, FIXTURE_DATA(check) *self, const char *text,
		   const char *class, const char *violation, const char *note)
{
	char kind[64];

	events(self, text);
	EXPECT_EQ(*violation ? 1 : 0, CHECK("--only", class, NULL)) TH_LOG("%s", self->t.out);
	EXPECT_EQ(!*violation, !strstr(self->t.out, ": violation: ")) TH_LOG("%s", self->t.out);
	EXPECT_EQ(!*note, !strstr(self->t.out, ": note: ")) TH_LOG("%s", self->t.out);
	snprintf(kind, sizeof(kind), "[%s %s]", class, *violation ? violation : note);
	if (*violation || *note)
		EXPECT_IN(self->t.out, kind);
	begin_foreign(self);
}

#define EXPECT_FOUND(...)	expect(_metadata, self, __VA_ARGS__)

TEST_F(check, slices_match)
{
	begin_foreign(self);
	EXPECT_FOUND("E9:11 B1:11 B2:11y X3:11-5 X5:11-8 E8:11y B2:12y E10:12y", "format", "", "");
	EXPECT_FOUND("B1:11", "format", "begin-without-end", "");
	EXPECT_FOUND("E1:11", "format", "", "end-without-begin");
	EXPECT_FOUND("B1:11 E2:11 E3:12", "format", "", "end-without-begin");
	EXPECT_FOUND("B1:11 E2:11y", "format", "", "end-other-name");
}

TEST_F(check, slices_nest)
{
	begin_foreign(self);
	EXPECT_FOUND("X1:11-3 X2:11-4", "format", "", "not-nested");
	EXPECT_FOUND("X1:11-3 B2:11 E4:11", "format", "", "not-nested");
	EXPECT_FOUND("B1:11 X2:11-4 E3:11", "format", "", "not-nested");
	EXPECT_FOUND("X1:11-3 X3:11-4 X2:12-4", "format", "", "");
}

/* Perfetto drops slices that end after the slice in which, or together with which, they begin. */
TEST_F(check, perfetto_slices)
{
	begin_foreign(self);
	events(self, "X1:11-3 X2:11-4 X3:11-5");	/* a dropped slice does not drop others */
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.slice_drop_overlapping_complete_event"));
	EXPECT_FOUND("", "perfetto", "", "slice");
	events(self, "X1:11-3 B2:11 X5:11-6");
	EXPECT_EQ(1, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.misplaced_end_event"));
	EXPECT_FOUND("", "format", "begin-without-end", "");
	/* Each slice contains those before it in the file. */
	EXPECT_FOUND("X1:11-3 X1:11-6", "perfetto", "", "slice");
	EXPECT_FOUND("X1:11-3 X1:11-6", "format", "", "");
	EXPECT_FOUND("X1:11-6 X1:11-3 X3:11-6 X4:11-6 X2:12-9", "perfetto", "", "");
}

TEST_F(check, async_events_match)
{
	begin_foreign(self);
	/* Parts match by id alone: across threads, nested, in any order of the file. */
	EXPECT_FOUND("e9:21 b1:11 b2:12 e3:12 n4:21 n1:12", "format", "", "");
	EXPECT_FOUND("b1:11", "format", "async-begin-without-end", "");
	EXPECT_FOUND("e1:11", "format", "", "async-end-without-begin");
	EXPECT_FOUND("n1:11", "format", "async-instant-outside", "");
	EXPECT_FOUND("b1:11 e2:11 n3:11", "format", "async-instant-outside", "");
	EXPECT_FOUND("b1:11 e2:11y", "format", "", "async-end-other-name");
	EXPECT_FOUND("b1:11 e2:11y", "perfetto", "", "slice");
}

TEST_F(check, flows_match)
{
	begin_foreign(self);
	EXPECT_FOUND("X1:11-10 X1:12-10 s1:11 t2:12 f10:12", "format", "", "");
	EXPECT_FOUND("X1:11-10 s1:11", "format", "flow-begin-without-end", "");
	EXPECT_FOUND("X1:11-10 s1:11 s2:11 f3:11", "format", "flow-begin-without-end", "");
	EXPECT_FOUND("X1:11-10 t1:11", "format", "", "flow-without-begin");
	EXPECT_FOUND("X1:11-10 f1:11", "format", "", "flow-without-begin");
	EXPECT_FOUND("s1:11 f2:12", "format", "", "flow-without-slice");
}

/* With two processes a step or end resolves only if exactly one of them began that id. */
TEST_F(check, flows_in_perfetto)
{
	begin_foreign(self);
	EXPECT_FOUND("X1:11-10 X1:21-10 s1:11 t2:21 f3:21 s4:21 f5:11", "perfetto", "", "");
	EXPECT_FOUND("X1:11-10 X1:21-10 X1:31-10 s1:11 s2:21 f3:11 f4:21", "perfetto", "", "");
	EXPECT_FOUND("X1:11-10 X1:21-10 X1:31-10 s1:11 s2:21 t3:31", "perfetto", "flow", "");
	EXPECT_FOUND("X1:11-10 f3:11", "perfetto", "flow", "");
	EXPECT_FOUND("s1:11 f2:11", "perfetto", "flow", "");
	EXPECT_FOUND("X1:11-10 s1:11 s2:11 f3:11", "perfetto", "flow", "");
}

/* At one time, the order of the file counts. An instant is like a slice until the next one. */
TEST_F(check, flows_at_one_time)
{
	begin_foreign(self);
	EXPECT_FOUND("B1:11 s2:11 E2:11 B3:11 f3:11 E3:11", "perfetto", "", "");
	EXPECT_FOUND("B1:11 E2:11 s2:11", "perfetto", "flow", "");
	EXPECT_FOUND("s1:11 B1:11 E2:11", "perfetto", "flow", "");
	EXPECT_FOUND("i1:11 s5:11 i6:12 f7:12", "perfetto", "", "");
}

TEST_F(check, deep_slices)
{
	begin_foreign(self);
	for (int i = 0; i < 513; i++)
		event(self, FXT_EVENT_DURATION_BEGIN, i, 11, NAME, 0);
	for (int i = 0; i < 513; i++)
		event(self, FXT_EVENT_DURATION_END, 1000 + i, 11, NAME, 0);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("perfetto.slice_max_depth_exceeded"));
	EXPECT_FOUND("", "perfetto", "", "slice");
}

/* If the archive reports losses, the matching event may be among them. */
TEST_F(check, matches_that_are_missing)
{
	static const char session[] = "host x\ncut of y.fxt\n";

	begin_foreign(self);
	events(self, "B1:11");
	BUILD(&self->s.b, fxt_provider_event(7, FXT_PROVIDER_EVENT_BUFFER_FULL));
	EXPECT_FOUND("", "format", "", "begin-without-end");
	build_string(&self->s.b, FOREIGN, "fxt_sched.session");
	BUILD(&self->s.b, fxt_blob(1 + fxt_stream_words(strlen(session)), FOREIGN,
				   strlen(session), FXT_BLOB_DATA));
	BUILD_TEXT(&self->s.b, session);
	EXPECT_FOUND("n1:11", "format", "", "async-instant-outside");
}

/* If it is unknown which slices end, none is said to go on for ever. */
TEST_F(check, ends_below_many_slices)
{
	begin_foreign(self);
	events(self, "B1:11");
	for (unsigned int i = 0; i < 2000; i++)
		events(self, "X2:11-1000");
	EXPECT_FOUND("E10:11", "format", "", "not-judged");
	EXPECT_NOT_IN(self->t.out, "never ends");
}

/* Far more events than are kept: half of them are nested, half of them never end. */
TEST_F(check, many_matches)
{
	begin_foreign(self);
	for (unsigned int i = 0; i < 300000; i++) {
		event(self, FXT_EVENT_DURATION_BEGIN, 2 * i, 11, NAME, 0);
		event(self, FXT_EVENT_DURATION_END, 2 * i + 1, 11, NAME, 0);
		event(self, FXT_EVENT_ASYNC_BEGIN, 2 * i, 12, NAME, i);
	}
	EXPECT_EQ(1, CHECK("--only", "format", NULL));
	EXPECT_IN(self->t.out, ": 300000 violations (format 300000)");
	EXPECT_NOT_IN(self->t.out, "[format end-");
	EXPECT_NOT_IN(self->t.out, "[format begin-");
}
