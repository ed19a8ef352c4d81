// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives with one record that Perfetto loses or misdraws: fxt check reports the byte of the
 * record and the row of Perfetto's table stats that would count it; a record that is only unusual
 * is a note.
 */
#include "check_fixture.h"

/*
 * Expect a record that only Perfetto misreads. @stat: row of its table stats, NULL if there is none
 */
static void expect_perfetto(struct __test_metadata *_metadata, FIXTURE_DATA(check) *self,
			    const char *kind, const char *stat, uint64_t offset)
{
	char path[64], line[64];

	EXPECT_EQ(1, CHECK("--only", "perfetto", NULL));
	snprintf(line, sizeof(line), " [perfetto %s]\n", kind);
	EXPECT_TRUE(TEXT(line));
	EXPECT_TRUE(LINE("violation: byte %ju: ", (uintmax_t)offset));
	EXPECT_TRUE(LINE("1 violation (perfetto 1): "));
	if (stat)
		EXPECT_TRUE(LINE("Perfetto would count %s 1\n", stat));
	EXPECT_EQ(1, check_json(self));
	snprintf(path, sizeof(path), "counts.perfetto.%s", kind);
	EXPECT_EQ(1, NUMBER(path));
	EXPECT_EQ(!!stat, json_object_object_length(at(self->j, "perfetto")));
	snprintf(path, sizeof(path), "perfetto.%s", stat ? stat : "");
	if (stat)
		EXPECT_EQ(1, NUMBER(path));
}

#define EXPECT_PERFETTO(kind, stat, offset)					\
	expect_perfetto(_metadata, self, kind, stat, offset)

static uint64_t put_switch(struct story *s, uint32_t cpu, uint32_t out, uint32_t in,
			   uint64_t out_weight, uint64_t in_weight)
{
	uint64_t offset = built_bytes(&s->b);

	BUILD(&s->b, fxt_context_switch(6, 2, cpu, FXT_THREAD_NEW), 1000, out, in,
	      out_weight, in_weight);
	return offset;
}

#define WEIGHT(name, value)	fxt_arg_int32(1, FXT_STR_ ## name ## _WEIGHT, value)

TEST_F(check, perfetto_cpu)
{
	put_switch(&self->s, 4095, 1, 2, WEIGHT(OUTGOING, 1), WEIGHT(INCOMING, 1));
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_PERFETTO("cpu", NULL, put_switch(&self->s, 4096, 1, 2, WEIGHT(OUTGOING, 1),
				   WEIGHT(INCOMING, 1)));
}

TEST_F(check, perfetto_weight_type)
{
	EXPECT_PERFETTO("argument-type", "fuchsia_invalid_event_arg_type",
			put_switch(&self->s, 0, 1, 2, WEIGHT(OUTGOING, 1),
				   fxt_arg_uint32(1, FXT_STR_INCOMING_WEIGHT, 1)));
}

TEST_F(check, perfetto_waker_type)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_thread_wakeup(6, 2, 0), 1000, 5,
	      fxt_arg_int32(1, FXT_STR_WEIGHT, 1), fxt_arg_uint64(2, FXT_STR_WAKER), 6);
	EXPECT_PERFETTO("argument-type", "fuchsia_invalid_event_arg_type", offset);
}

TEST_F(check, perfetto_process_type)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_kernel_object(3, FXT_OBJECT_THREAD, 0, 1), 5,
	      fxt_arg_uint32(1, FXT_STR_PROCESS, 5));
	EXPECT_PERFETTO("argument-type", "fuchsia_invalid_event_arg_type", offset);
}

TEST_F(check, perfetto_idle)
{
	put_switch(&self->s, 0, 1, 0, WEIGHT(OUTGOING, 1), WEIGHT(INCOMING, FXT_SCHED_WEIGHT_IDLE));
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_PERFETTO("idle", NULL, put_switch(&self->s, 1, 0, 2, WEIGHT(OUTGOING, 0),
						 WEIGHT(INCOMING, 1)));
}

TEST_F(check, perfetto_string_ref)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_INSTANT, 1, 0, FXT_STR_CATEGORY, 900),
	      1000, 1, 2, fxt_arg_null(1, 901));
	EXPECT_PERFETTO("string-ref", "fuchsia_invalid_string_ref", offset);
	EXPECT_LE(1, NUMBER("counts.format.string-ref"));
}

/* Perfetto ignores names of blobs. */
TEST_F(check, perfetto_blob)
{
	BUILD(&self->s.b, fxt_blob(1, 900, 0, FXT_BLOB_DATA));
	EXPECT_EQ(0, CHECK("--only", "perfetto", NULL));
	EXPECT_EQ(1, CHECK("--only", "format", NULL));
}

TEST_F(check, perfetto_counter)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_event(7, FXT_EVENT_COUNTER, 2, 0, FXT_STR_CATEGORY, FXT_STR_RECORDS),
	      1000, 1, 2, fxt_arg_int32(1, FXT_STR_WEIGHT, 1),
	      fxt_arg_bool(1, FXT_STR_WAKER, 1), 77);
	EXPECT_PERFETTO("counter", "fuchsia_non_numeric_counters", offset);
}

TEST_F(check, perfetto_time)
{
	uint64_t offset;

	BUILD(&self->s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, FXT_STR_CATEGORY,
				    FXT_STR_LOST), INT64_MAX, 1, 2);
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	offset = built_bytes(&self->s.b);
	BUILD(&self->s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, 0, FXT_STR_CATEGORY,
				    FXT_STR_LOST), 1ULL << 63, 1, 2);
	EXPECT_PERFETTO("time", "fuchsia_timestamp_overflow", offset);
}

TEST_F(check, perfetto_duration)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_event(5, FXT_EVENT_DURATION_COMPLETE, 0, 0,
				    FXT_STR_CATEGORY, FXT_STR_STATE), 1000, 1, 2, 999);
	EXPECT_PERFETTO("time", "fuchsia_timestamp_overflow", offset);
}

/* Perfetto has 12 bits for the size of any record. */
TEST_F(check, perfetto_large)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_large_blob(FXT_MAX_RECORD_WORDS + 1, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(FXT_STR_CATEGORY, FXT_STR_LOST),
	      (FXT_MAX_RECORD_WORDS - 2) * FXT_WORD);
	for (unsigned int i = 0; i < FXT_MAX_RECORD_WORDS - 2; i++)
		BUILD(&self->s.b, 0);
	EXPECT_PERFETTO("large-record", NULL, offset);
}

TEST_F(check, perfetto_size_zero)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, 0);
	tell_sound(&self->s);
	story_end(&self->s, 3000);
	EXPECT_PERFETTO("size-zero", NULL, offset);
	EXPECT_EQ(1, NUMBER("counts.format.size-zero"));
}

TEST_F(check, perfetto_provider)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_provider_section(9));
	BUILD(&self->s.b, fxt_string(100, 0));
	EXPECT_PERFETTO("provider", "fuchsia_invalid_event", offset);
}

TEST_F(check, perfetto_loss_unseen)
{
	uint64_t offset = built_bytes(&self->s.b);

	BUILD(&self->s.b, fxt_provider_event(FXT_SCHED_PROVIDER_ID,
					     FXT_PROVIDER_EVENT_BUFFER_FULL));
	EXPECT_PERFETTO("loss-unseen", NULL, offset);
}

TEST_F(check, perfetto_woken_running)
{
	uint64_t offset;

	tell_sound(&self->s);
	offset = STORY(&self->s, "!2500 wake 12 by 11 on 0; 3000 12>0; end 5000");
	EXPECT_PERFETTO("woken-running", NULL, offset);
	EXPECT_EQ(1, NUMBER("counts.sched.woken-running"));
}

TEST_F(check, perfetto_byte_order)
{
	build_free(&self->s.b);
	self->s.b.swapped = true;
	story_begin(&self->s);
	EXPECT_PERFETTO("byte-order", NULL, 0);
}

TEST_F(check, perfetto_notes)
{
	tell_sound(&self->s);
	story_chunk(&self->s, STORY_NAMES, 2500);
	self->s.streams[STORY_NAMES].last = 0;
	STORY(&self->s, "name 12/11 renamed; end 3000");
	BUILD(&self->s.b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, 0, 0), 1ULL << 32);
	EXPECT_EQ(0, CHECK(NULL, NULL, NULL));
	EXPECT_TRUE(TEXT(" [perfetto renamed]\n"));
	EXPECT_TRUE(TEXT(" [perfetto koid]\n"));
	EXPECT_EQ(0, CHECK("--only=sched", NULL, NULL));
	EXPECT_EQ(0U, times_in_text(self->t.out, "note"));
}

/* Each instant reports one change of its thread's name. */
TEST_F(check, perfetto_renames_that_are_told)
{
	uint64_t offset;

	tell_sound(&self->s);
	story_chunk(&self->s, STORY_NAMES, 2500);
	self->s.streams[STORY_NAMES].last = 0;
	STORY(&self->s, "name 12/11 one; name 11 other");
	story_instant(&self->s, 2500, 11, 12, FXT_STR_RENAME);
	story_instant(&self->s, 2501, 11, 11, FXT_STR_RENAME);
	/* An instant without a change of name is ignored. */
	story_instant(&self->s, 2502, 11, 12, FXT_STR_RENAME);
	EXPECT_EQ(0, CHECK("--only=perfetto", NULL, NULL));
	EXPECT_EQ(0U, times_in_text(self->t.out, "renamed"));

	/* An exec is no rename; neither is an instant of another thread or another producer. */
	offset = story_name(&self->s, 12, 11, "two");
	story_instant(&self->s, 2600, 11, 12, FXT_STR_EXEC);
	story_instant(&self->s, 2600, 11, 11, FXT_STR_RENAME);
	BUILD(&self->s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE,
				    FXT_STR_RENAME, FXT_STR_RENAME), 2600, 11, 12);
	EXPECT_EQ(0, CHECK("--only=perfetto", NULL, NULL));
	EXPECT_TRUE(LINE("note: byte %ju: threads change their names without an instant (1): ",
			 (uintmax_t)offset));
	/* Several changes at once, followed by their instants. */
	STORY(&self->s, "name 12/11 three; name 12/11 four");
	story_instant(&self->s, 2700, 11, 12, FXT_STR_RENAME);
	story_instant(&self->s, 2701, 11, 12, FXT_STR_RENAME);
	EXPECT_EQ(0, CHECK("--only=perfetto", NULL, NULL));
	EXPECT_TRUE(TEXT(" without an instant (1): "));
}
