// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives with one fault, of each class: fxt check finds the fault at its byte, reports it as text
 * and JSON, and has the matching exit status.
 */
#include <fxt/fxt_sched.h>

#include "generate.h"
#include "check_fixture.h"
#include "undefined_records.h"
#include "event_story.h"

/* Numbers of records: of story_begin(), and of a whole story with tell_sound() and story_end(). */
enum {
#define COUNT_STRING(index, text) + 1
	PREAMBLE = 3 FXT_SCHED_STRINGS(COUNT_STRING),
#undef COUNT_STRING
	SOUND = PREAMBLE + 10,
};

/* --- valid archives ---------------------------------------------------------- */

TEST_F(check, clean)
{
	tell_sound(&self->s);
	story_end(&self->s, 2000);
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("clean: %u records, %zu bytes, 2 switches, 1 wakeup on 1 CPU in 0.000001000 s, 0 lost\n",
			 SOUND, built_bytes(&self->s.b)));
	EXPECT_EQ(1, self->t.out_bytes && strchr(self->t.out, '\n') ==
		  self->t.out + self->t.out_bytes - 1);
	EXPECT_EQ(0U, self->t.err_bytes);
}

TEST_F(check, clean_json)
{
	tell_sound(&self->s);
	story_end(&self->s, 2000);
	EXPECT_EQ(0, check_json(self));
	ASSERT_NE(NULL, self->j);
	EXPECT_STREQ(self->path, STRING("file"));
	EXPECT_STREQ("clean", STRING("verdict"));
	EXPECT_STREQ("none", STRING("compression"));
	EXPECT_EQ(NULL, at(self->j, "error"));
	EXPECT_EQ(SOUND, NUMBER("records"));
	EXPECT_EQ((int64_t)built_bytes(&self->s.b), NUMBER("bytes"));
	EXPECT_EQ(0U, COUNT("violations"));
	EXPECT_EQ(0U, COUNT("notes"));
	EXPECT_EQ(0, json_object_object_length(at(self->j, "counts")));
	EXPECT_EQ(0, json_object_object_length(at(self->j, "note_counts")));
	EXPECT_EQ(0, json_object_object_length(at(self->j, "perfetto")));
	EXPECT_EQ(6, NUMBER("totals.written"));
	EXPECT_EQ(6, NUMBER("totals.stored"));
	EXPECT_EQ(0, NUMBER("totals.lost"));
	EXPECT_EQ(4, NUMBER("totals.ledgers"));
	EXPECT_EQ(2, NUMBER("totals.switches"));
	EXPECT_EQ(1, NUMBER("totals.wakeups"));
	EXPECT_EQ(1, NUMBER("totals.cpus"));
	EXPECT_EQ(1000, NUMBER("totals.first_ns"));
	EXPECT_EQ(2000, NUMBER("totals.last_ns"));
}

TEST_F(check, events_are_counted)
{
	tell_sound(&self->s);
	STORY(&self->s, "3000-4000 softirq %; end 9000", EVENT_NET_RX);
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(TEXT(" 2 switches, 1 wakeup, 1 event on 1 CPU"));
	ASSERT_EQ(0, check_json(self));
	EXPECT_EQ(1, NUMBER("totals.events"));
}

TEST_F(check, events_that_cannot_be_are_violations)
{
	struct story *s = &self->s;
	uint64_t where;

	tell_sound(s);
	where = STORY(s, "3000-40000 softirq %; !20000-60000 irq 17 eth0; end 90000", EVENT_NET_RX);
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("violation: byte %ju: cpu 0: interrupt eth0 (20000 to 60000 ns) overlaps soft interrupt NET_RX",
			 (uintmax_t)where));
	EXPECT_TRUE(TEXT("[sched nesting]"));
}

TEST_F(check, generated)
{
	int fd = open(self->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, generate_sched(fd, 300000, 12));
	close(fd);
	EXPECT_EQ(0, tool_run(&self->t, ARGS("check", self->path)));
	EXPECT_TRUE(TEXT(": clean: "));
}

TEST_F(check, standard_input)
{
	int fd;

	tell_sound(&self->s);
	story_end(&self->s, 2000);
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
	fd = open(self->path, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, tool_run_from(&self->t, ARGS("check", "-"), fd));
	close(fd);
	EXPECT_TRUE(TEXT("-: clean: "));
}

/* A loss that is recorded is no violation. */
TEST_F(check, loss)
{
	uint64_t offset;

	tell_sound(&self->s);
	offset = STORY(&self->s, "!lose 0 9 @4000; 4000 12>0; end 5000");
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("note: byte %ju: cpu 0: 9 records are lost", (uintmax_t)offset));
	EXPECT_TRUE(TEXT(": clean: "));
	EXPECT_TRUE(TEXT(", 9 lost\n"));
	EXPECT_NOT_IN(self->t.out, "violation");
	EXPECT_EQ(0, check_json(self));
	EXPECT_STREQ("clean", STRING("verdict"));
	EXPECT_EQ(9, NUMBER("totals.lost"));
	EXPECT_EQ(NUMBER("totals.written"), NUMBER("totals.stored") + 9);
	EXPECT_EQ(1, NUMBER("note_counts.sched.loss"));
	EXPECT_STREQ("loss", STRING("notes.0.kind"));
	EXPECT_EQ((int64_t)offset, NUMBER("notes.0.offset"));
	EXPECT_EQ(4000, NUMBER("notes.0.time_ns"));
}

/* --- class format --------------------------------------------------------------- */

static uint64_t tell_reserved(struct story *s)
{
	uint64_t offset = built_bytes(&s->b);

	BUILD(&s->b, fxt_string(100, 0) | 1ULL << 63);
	return offset;
}

TEST_F(check, format)
{
	uint64_t offset = tell_reserved(&self->s);

	tell_sound(&self->s);
	story_end(&self->s, 2000);
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("violation: byte %ju: record %u: ", (uintmax_t)offset, PREAMBLE));
	EXPECT_TRUE(TEXT(" [format reserved-bits]\n"));
	EXPECT_TRUE(LINE("1 violation (format 1): %u records", SOUND + 1));
	EXPECT_EQ(1, check_json(self));
	EXPECT_STREQ("violations", STRING("verdict"));
	ASSERT_EQ(1U, COUNT("violations"));
	EXPECT_STREQ("format", STRING("violations.0.class"));
	EXPECT_STREQ("reserved-bits", STRING("violations.0.kind"));
	EXPECT_EQ((int64_t)offset, NUMBER("violations.0.offset"));
	EXPECT_EQ(PREAMBLE, NUMBER("violations.0.record"));
	EXPECT_EQ(1, NUMBER("violations.0.count"));
	EXPECT_TRUE(json_object_is_type(at(self->j, "violations.0.time_ns"), json_type_null));
	EXPECT_EQ(1, NUMBER("counts.format.reserved-bits"));
}

/* Truncated within a record: what is there is checked, what is missing is reported. */
TEST_F(check, torn)
{
	tell_sound(&self->s);
	story_end(&self->s, 2000);
	self->s.b.count -= FXT_LEDGER_WORDS + 2;
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(TEXT(" [format past-end]\n"));
	EXPECT_TRUE(TEXT("cpu 0: no closing ledger"));
	EXPECT_TRUE(TEXT("names: no closing ledger"));
	EXPECT_TRUE(TEXT(": 3 violations (format 1, sched 2): "));
}

TEST_F(check, strict)
{
	tell_sound(&self->s);
	tell_reserved(&self->s);
	tell_reserved(&self->s);
	story_end(&self->s, 2000);
	EXPECT_EQ(1, CHECK("--strict", NULL, NULL));
	/* A strict check ends early, so open ledgers are no violation. */
	EXPECT_TRUE(LINE("1 violation (format 1): "));
}

/* Words behind the last field are no violation: the format may be extended that way. */
TEST_F(check, trailing_words)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_INSTANT, 0, 0, FXT_STR_CATEGORY,
				    FXT_STR_LOST), 1000, 1, 2, 0);
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("note: byte %ju: record %u: ", (uintmax_t)offset + 4 * FXT_WORD,
			 PREAMBLE));
	EXPECT_TRUE(TEXT(" [format trailing-words]\n"));
}

/* --- class sched ------------------------------------------------------------------ */

TEST_F(check, sched)
{
	uint64_t offset;

	tell_sound(&self->s);
	offset = STORY(&self->s, "!3000 12>11; end 4000");
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(LINE("violation: byte %ju: cpu 0: thread 11 (eleven) is switched in, but has been asleep since byte ",
			 (uintmax_t)offset));
	EXPECT_TRUE(TEXT(" [sched not-woken]\n"));
	EXPECT_TRUE(LINE("1 violation (sched 1): "));
	EXPECT_EQ(1, check_json(self));
	ASSERT_EQ(1U, COUNT("violations"));
	EXPECT_STREQ("sched", STRING("violations.0.class"));
	EXPECT_STREQ("not-woken", STRING("violations.0.kind"));
	EXPECT_EQ((int64_t)offset, NUMBER("violations.0.offset"));
	EXPECT_EQ(3000, NUMBER("violations.0.time_ns"));
	EXPECT_TRUE(json_object_is_type(at(self->j, "violations.0.record"), json_type_null));
	EXPECT_EQ(1, NUMBER("counts.sched.not-woken"));
}

/* A name with control characters is escaped in a finding. */
TEST_F(check, names_are_escaped)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 12, 12, "a\x1b[31m\"\\");
	STORY(&self->s, "0@1000 12>0 S; 2000 0>12; end 2000");
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_EQ(NULL, strchr(self->t.out, '\x1b'));
	EXPECT_TRUE(TEXT("thread 12 (a\\x1b[31m\"\\\\) is switched in"));
	EXPECT_EQ(1, check_json(self));
	ASSERT_NE(NULL, STRING("violations.0.text"));
	EXPECT_IN(STRING("violations.0.text"), "thread 12 (a\x1b[31m\"\\) is switched in");
}

/* Ten findings of each kind are printed, all are counted. */
static void tell_many(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; 0@1000");
	for (unsigned int i = 0; i < 25; i++)
		STORY(s, "% 11>12 S; % 12>11", 1000 + 2 * i, 1001 + 2 * i);
	story_end(s, 3000);
}

TEST_F(check, many)
{
	tell_many(&self->s);
	EXPECT_EQ(1, CHECK(NULL, NULL, NULL));
	EXPECT_EQ(10U, times_in_text(self->t.out, "is switched in, but"));
	EXPECT_TRUE(LINE("violation: 15 more of this kind [sched not-woken]"));
	EXPECT_TRUE(LINE("25 violations (sched 25): "));
	EXPECT_EQ(1, CHECK("--all", NULL, NULL));
	EXPECT_EQ(25U, times_in_text(self->t.out, "is switched in, but"));
	EXPECT_EQ(0U, times_in_text(self->t.out, "more of this kind"));
	EXPECT_EQ(1, check_json(self));
	EXPECT_EQ(10U, COUNT("violations"));
	EXPECT_EQ(25, NUMBER("counts.sched.not-woken"));
}

/* --- selection, output, and failures -------------------------------------------------- */

TEST_F(check, only)
{
	tell_reserved(&self->s);
	tell_sound(&self->s);
	STORY(&self->s, "3000 12>11; end 4000");
	EXPECT_EQ(1, CHECK("--only", "format", NULL));
	EXPECT_TRUE(LINE("1 violation (format 1): "));
	EXPECT_EQ(1, CHECK("--only=sched", NULL, NULL));
	EXPECT_TRUE(LINE("1 violation (sched 1): "));
	EXPECT_EQ(0, CHECK("--only=perfetto", NULL, NULL));
	EXPECT_EQ(1, CHECK("--only=perfetto,sched", "--only=format", NULL));
	EXPECT_TRUE(LINE("2 violations (format 1, sched 1): "));
	EXPECT_EQ(2, CHECK("--only=sched,nonsense", NULL, NULL));
	EXPECT_IN(self->t.err, "fxt: check: ");
	EXPECT_EQ(2, CHECK("--only=", NULL, NULL));
}

TEST_F(check, quiet)
{
	tell_many(&self->s);
	EXPECT_EQ(1, CHECK("-q", NULL, NULL));
	EXPECT_EQ(0U, self->t.out_bytes);
	EXPECT_EQ(1, CHECK("--quiet", "--json", "--all"));
	EXPECT_EQ(0U, self->t.out_bytes);
	EXPECT_EQ(0U, self->t.err_bytes);
}

TEST_F(check, several)
{
	char missing[RECORD_PATH + 32], other[RECORD_PATH + 32];
	const char *args[] = { "check", self->path, other, NULL, NULL };

	snprintf(missing, sizeof(missing), "%s/missing", self->dir);
	snprintf(other, sizeof(other), "%s/other", self->dir);
	tell_sound(&self->s);
	story_end(&self->s, 2000);
	save_file(self->path, self->s.b.words, built_bytes(&self->s.b));
	save_file(other, self->s.b.words, built_bytes(&self->s.b));
	EXPECT_EQ(0, tool_run(&self->t, args));
	EXPECT_TRUE(TEXT("\n2 files: 2 clean, 0 with violations, 0 unreadable\n"));

	save_file(other, self->s.b.words, built_bytes(&self->s.b) - 48);
	EXPECT_EQ(1, tool_run(&self->t, args));
	EXPECT_TRUE(TEXT("\n2 files: 1 clean, 1 with violations, 0 unreadable\n"));

	args[1] = missing;
	args[3] = self->path;
	EXPECT_EQ(3, tool_run(&self->t, args));
	EXPECT_TRUE(TEXT("\n3 files: 1 clean, 1 with violations, 1 unreadable\n"));
	EXPECT_IN(self->t.err, "fxt: cannot read ");
	EXPECT_IN(self->t.err, missing);
}

TEST_F(check, no_archive)
{
	char missing[RECORD_PATH + 32];
	const char * const args[] = { "check", "--json", missing, NULL };

	snprintf(missing, sizeof(missing), "%s/missing", self->dir);
	EXPECT_EQ(3, tool_run(&self->t, args));
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_STREQ("unreadable", STRING("verdict"));
	EXPECT_NE(NULL, STRING("error"));
	save_file(missing, "#!/bin/sh\nexit 0\n", 17);
	EXPECT_EQ(3, tool_run(&self->t, args));
	save_file(missing, "", 0);
	EXPECT_EQ(3, tool_run(&self->t, args));
}

TEST_F(check, usage)
{
	EXPECT_EQ(2, tool_run(&self->t, ARGS("check", "--nonsense", "x")));
	EXPECT_EQ(0U, self->t.out_bytes);
	EXPECT_IN(self->t.err, "--nonsense");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("check", "--help")));
	EXPECT_TRUE(TEXT("usage: fxt check"));
}

/* Archives of other producers may have no wakeups: older formats have no record for them. */
TEST_F(check, no_wakeups)
{
	struct built *b = &self->s.b;

	build_free(b);
	memset(b, 0, sizeof(*b));
	BUILD(b, FXT_MAGIC_RECORD, fxt_thread(1), 10, 11, fxt_thread(2), 10, 12);
	for (uint64_t time = 1; time <= 100; time++)
		BUILD(b, fxt_legacy_switch(2, 0, FXT_THREAD_BLOCKED, 1 + time % 2,
					   2 - time % 2, 1, 1), time);
	EXPECT_EQ(0, CHECK("--only", "sched", NULL)) TH_LOG("%s", self->t.out);
	EXPECT_TRUE(TEXT("no wakeups were recorded: only waits after a preemption are known [sched not-woken]\n"));
	/* With one wakeup in the archive, the others are missing. */
	BUILD(b, fxt_thread_wakeup(3, 0, 0), 101, 11);
	EXPECT_EQ(1, CHECK("--only", "sched", NULL));
	EXPECT_TRUE(TEXT("98 violations"));
}

/* A string beyond the format's limit, and a module of a thread, are notes. */
TEST_F(check, limits)
{
	struct built *b = &self->s.b;
	static char text[32001];

	build_free(b);
	memset(b, 0, sizeof(*b));
	memset(text, 'x', sizeof(text));
	BUILD(b, FXT_MAGIC_RECORD, fxt_string(1, sizeof(text)));
	build_stream(b, text, sizeof(text));
	BUILD(b, fxt_profiler_module(4, FXT_THREAD_REF_INLINE, 1, 0, 0), 1, 2, 3,
	      fxt_profiler_module(4, FXT_THREAD_REF_INLINE, 1, 0, 0), 1, 2, 0);
	EXPECT_EQ(0, CHECK("--only", "format", NULL)) TH_LOG("%s", self->t.out);
	EXPECT_TRUE(TEXT("a string of 32001 bytes, more than 32000 [format limit]\n"));
	EXPECT_TRUE(TEXT("thread id: 3, but the format requires 0 [format value]\n"));
	EXPECT_EQ(1U, times_in_text(self->t.out, "thread id: "));
}

/* Today's readers skip these records, so each is reported and none is hidden behind "clean". */
TEST_F(check, undefined)
{
	static const char * const notes[] = {
		": record type 12 is not defined: 1 record [format undefined]",
		": metadata type 9 is not defined: 1 record [format undefined]",
		": event type 15 is not defined: 2 records [format undefined]",
		": scheduling record type 7 is not defined: 1 record [format undefined]",
		": profiler record type 5 is not defined: 1 record [format undefined]",
		": argument type 11 is not defined: 1 argument [format undefined]",
	};

	build_free(&self->s.b);
	memset(&self->s.b, 0, sizeof(self->s.b));
	build_undefined(&self->s.b);
	BUILD(&self->s.b, fxt_put(FXT_SIZE, 2) | FXT_RECORD_EVENT | 15 << 16, UNDEFINED_WORD);
	EXPECT_EQ(0, check(self, "--only=format", NULL, NULL)) TH_LOG("%s", self->t.out);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		EXPECT_IN(self->t.out, notes[i]);
	EXPECT_EQ(0, check(self, "--json", "--only=format", NULL));
	EXPECT_IN(self->t.out, "\"undefined\":7");
	EXPECT_EQ(0, check(self, "--only=sched", NULL, NULL));
	EXPECT_NOT_IN(self->t.out, "not defined");
}

/* An archive without magic number is read in today's format, in either byte order: a note. */
TEST_F(check, no_magic)
{
	struct built *b = &self->s.b;

	for (unsigned int swapped = 0; swapped < 2; swapped++) {
		build_free(b);
		memset(b, 0, sizeof(*b));
		b->swapped = swapped;
		BUILD(b, fxt_provider_info(1, 0), fxt_initialization(), 1000000000,
		      fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE, 0, 0), 1, 2, 3);
		EXPECT_EQ(0, CHECK("--only", "format", NULL)) TH_LOG("%s", self->t.out);
		EXPECT_TRUE(TEXT("missing; assuming the current event type numbers [format no-magic]\n"));
		EXPECT_TRUE(TEXT(": clean: 3 records"));
	}
	/* With fewer records it is not an archive. */
	build_free(b);
	memset(b, 0, sizeof(*b));
	BUILD(b, fxt_initialization(), 1000000000);
	EXPECT_EQ(3, CHECK(NULL, NULL, NULL));
}
