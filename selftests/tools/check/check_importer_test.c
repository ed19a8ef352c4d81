// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt check predicts which records Perfetto's importer drops. The counts follow the importer's
 * source: each record is dropped for the first reason in the order of its checks, and counted once.
 */
#include "check_fixture.h"

static const struct {
	const char *file;
	const char *stats;
} vectors[] = {
	/* The size of an argument only determines where the next one begins. */
	{ "arg_size_long_instant", "{}" },
	{ "arg_size_long_counter", "{\"fuchsia_record_read_error\":1}" },
	{ "arg_size_zero_instant", "{}" },
	{ "arg_size_short_record_right", "{}" },
	{ "arg_size_short_record_short", "{\"fuchsia_record_read_error\":1}" },
	/* Provider 0 needs no introduction. */
	{ "section_unintroduced_provider_0", "{}" },
	{ "section_unintroduced_provider_5", "{\"fuchsia_invalid_event\":1}" },
	{ "stat_provider_and_time", "{\"fuchsia_invalid_event\":1}" },
	{ "stat_string_ref_and_counter", "{\"fuchsia_invalid_string_ref\":1}" },
	{ "stat_string_ref_and_time", "{\"fuchsia_invalid_string_ref\":1}" },
	{ "ocaml_trace", "{}" },
	{ "simpleperf_etm", "{}" },
	{ "csharp_perf", "{}" },
	{ "fuchsia_builder", "{}" },
	{ "eio", "{\"fuchsia_invalid_event_arg_type\":1}" },
	{ "ftfrs_all", "{\"fuchsia_invalid_string_ref\":1}" },
};

static const char *stats_of(struct json_object *j)
{
	return json_object_to_json_string_ext(at(j, "perfetto"), JSON_C_TO_STRING_PLAIN);
}

TEST_F(check, vectors)
{
	char path[256], name[64];
	struct json_object *j;
	struct tool t;

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		const char * const args[] = { "check", "--json", path, NULL };

		snprintf(name, sizeof(name), "vectors/fxt/%s.fxt", vectors[i].file);
		built_path(path, sizeof(path), name);
		EXPECT_LE(0, tool_run(&t, args));
		j = json_tokener_parse(t.out);
		EXPECT_STREQ(vectors[i].stats, stats_of(j)) TH_LOG("%s", name);
	}
}

/* A backtrace of Fuchsia has a flag in bits that the format reserves, which is a note. */
TEST_F(check, flags_of_backtraces)
{
	char path[256];

	built_path(path, sizeof(path), "vectors/fxt/fuchsia_backtrace_flags.fxt");
	EXPECT_EQ(0, tool_run(&self->t, ARGS("check", path))) TH_LOG("%s", self->t.out);
	EXPECT_TRUE(TEXT("note: byte 8: record 1: flags: 0x2, in bits that the format reserves"));
}

static void expect(struct __test_metadata *_metadata, FIXTURE_DATA(check) *self, const char *stats,
		   const char *kind)
{
	struct json_object *counts;

	check_json(self);
	EXPECT_STREQ(stats, stats_of(self->j)) TH_LOG("%s", self->t.out);
	counts = at(self->j, "counts.perfetto");
	EXPECT_EQ(!*kind, !counts) TH_LOG("%s", self->t.out);
	if (counts)
		EXPECT_NE(NULL, at(counts, kind)) TH_LOG("%s", self->t.out);
	build_free(&self->s.b);
	memset(&self->s.b, 0, sizeof(self->s.b));
	BUILD(&self->s.b, FXT_MAGIC_RECORD, fxt_string(5, 1), 'x', fxt_string(6, 7));
	BUILD_TEXT(&self->s.b, "process");
}

#define EXPECT_STATS(stats, kind) expect(_metadata, self, stats, kind)
#define INSTANT(time)								\
	BUILD(&self->s.b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE, 5, 5), time, 1, 2)

TEST_F(check, order_of_reasons)
{
	struct built *b = &self->s.b;

	EXPECT_STATS("{}", "");
	/* Unknown strings in a thread's arguments are counted, and drop no record. */
	BUILD(b, fxt_kernel_object(6, FXT_OBJECT_THREAD, 5, 3), 7, fxt_arg_null(1, 90),
	      fxt_arg_string(1, 91, 92), fxt_arg_koid(2, 6), 1);
	EXPECT_STATS("{\"fuchsia_invalid_string_ref\":3}", "string-ref");
	BUILD(b, fxt_kernel_object(5, FXT_OBJECT_THREAD, 5, 2), 7, fxt_arg_null(1, 90),
	      fxt_arg_uint64(2, 6), 1);
	EXPECT_STATS("{\"fuchsia_invalid_string_ref\":1,\"fuchsia_invalid_event_arg_type\":1}",
		     "argument-type");
	/* The arguments of a process are ignored. */
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 5, 1), 7, fxt_arg_null(1, 90));
	EXPECT_STATS("{}", "");
	/* The time is checked before everything else, strings before a missing word. */
	BUILD(b, fxt_event(4, FXT_EVENT_COUNTER, 0, FXT_THREAD_REF_INLINE, 90, 5), 1ULL << 63, 1, 2);
	EXPECT_STATS("{\"fuchsia_timestamp_overflow\":1}", "time");
	BUILD(b, fxt_event(4, FXT_EVENT_COUNTER, 0, FXT_THREAD_REF_INLINE, 90, 5), 1, 1, 2);
	EXPECT_STATS("{\"fuchsia_invalid_string_ref\":1}", "string-ref");
	BUILD(b, fxt_event(4, FXT_EVENT_COUNTER, 0, FXT_THREAD_REF_INLINE, 5, 5), 1, 1, 2);
	EXPECT_STATS("{\"fuchsia_record_read_error\":1}", "read-error");
	/* Events of an unknown type are read up to their arguments. */
	BUILD(b, fxt_event(4, 14, 0, FXT_THREAD_REF_INLINE, 90, 5), 1, 1, 2);
	EXPECT_STATS("{\"fuchsia_invalid_string_ref\":1}", "string-ref");
}

TEST_F(check, providers)
{
	struct built *b = &self->s.b;

	EXPECT_STATS("{}", "");
	/* A provider that is introduced again has no strings. */
	BUILD(b, fxt_provider_info(3, 1), 'a', fxt_string(5, 1), 'x');
	INSTANT(1);
	BUILD(b, fxt_provider_info(3, 1), 'a');
	INSTANT(2);
	EXPECT_STATS("{\"fuchsia_invalid_string_ref\":1}", "string-ref");
	/* Each provider has its own ticks. With 0 ticks per second, no time is valid. */
	BUILD(b, fxt_initialization(), 0);
	INSTANT(1);
	BUILD(b, fxt_provider_info(3, 1), 'a', fxt_string(5, 1), 'x');
	INSTANT(2);
	BUILD(b, fxt_provider_section(0));
	INSTANT(3);
	EXPECT_STATS("{\"fuchsia_timestamp_overflow\":2}", "time");
}

TEST_F(check, sizes)
{
	struct built *b = &self->s.b;

	EXPECT_STATS("{}", "");
	/* A large record of the size of an ordinary one is skipped like one of unknown type. */
	BUILD(b, fxt_large_blob(3, FXT_LARGE_BLOB_NO_METADATA), fxt_large_blob_no_metadata(5, 5), 0);
	INSTANT(1);
	EXPECT_STATS("{}", "");
	/* One string is too long for its record, the other one too short. */
	BUILD(b, fxt_string(9, 1) + fxt_put(FXT_STRING_LENGTH, 30), 'x');
	INSTANT(1);
	EXPECT_STATS("{\"fuchsia_record_read_error\":1}", "read-error");
	BUILD(b, fxt_string(9, 1) + fxt_put(FXT_SIZE, 4), 'x');
	for (int i = 0; i < 6; i++)
		INSTANT(i);
	EXPECT_STATS("{}", "");
	/*
	 * The record's size ends within a later record, so it is unknown what is read from there.
	 */
	BUILD(b, fxt_string(9, 1) + fxt_put(FXT_SIZE, 13), 'x');
	for (int i = 0; i < 8; i++)
		INSTANT(i);
	EXPECT_STATS("{}", "astray");
	/* The reader waits for the rest of the last record. */
	BUILD(b, fxt_event(100, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE, 90, 5));
	for (int i = 0; i < 6; i++)
		BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 0, FXT_THREAD_REF_INLINE, 91, 5), i, 1, 2);
	EXPECT_STATS("{}", "");
}
