// SPDX-License-Identifier: GPL-2.0-or-later
/* `fxt convert --to json`, parsed by json-c, agrees with the archive's records. */
#include "convert_json.h"

static const struct {
	enum fxt_kind kind;
	const char *key;
	const char *value;
} counterparts[] = {
	{ FXT_KIND_DURATION_BEGIN,	"ph",	"B" },
	{ FXT_KIND_DURATION_END,	"ph",	"E" },
	{ FXT_KIND_COUNTER,		"ph",	"C" },
	{ FXT_KIND_ASYNC_BEGIN,		"ph",	"b" },
	{ FXT_KIND_ASYNC_INSTANT,	"ph",	"n" },
	{ FXT_KIND_ASYNC_END,		"ph",	"e" },
	{ FXT_KIND_FLOW_STEP,		"ph",	"t" },
	{ FXT_KIND_LOG,			"cat",	"log" },
	{ FXT_KIND_MODULE,		"cat",	"module" },
	{ FXT_KIND_MMAP,		"cat",	"mmap" },
	{ FXT_KIND_BACKTRACE,		"cat",	"backtrace" },
	{ FXT_KIND_BLOB,		"name",	"fxt_blob" },
	{ FXT_KIND_LARGE_BLOB_BARE,	"name",	"fxt_large_blob" },
	{ FXT_KIND_PROVIDER_INFO,	"name",	"fxt_provider_info" },
	{ FXT_KIND_PROVIDER_SECTION,	"name",	"fxt_provider_section" },
	{ FXT_KIND_PROVIDER_EVENT,	"name",	"fxt_provider_event" },
	{ FXT_KIND_INITIALIZATION,	"name",	"fxt_initialization" },
};

static int64_t in_category(const struct json *j, const char *phase, const char *category)
{
	int64_t n = 0;

	for (size_t i = 0; i < j->count; i++)
		n += is(event(j, i), "ph", phase) && is(event(j, i), "cat", category);
	return n;
}

static void every_kind(struct __test_metadata *_metadata, unsigned int flags)
{
	struct census census;
	struct json j;
	struct memory m;
	int64_t model, kinds[FXT_KIND_COUNT];
	char why[256];

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_all(m.fd, flags));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, census_take(&m, &census, why));
	for (size_t i = 0; i < FXT_KIND_COUNT; i++)
		kinds[i] = census.kinds[i];
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	for (size_t i = 0; i < ARRAY_SIZE(counterparts); i++) {
		EXPECT_EQ(kinds[counterparts[i].kind],
			  count(&j, counterparts[i].key, counterparts[i].value))
			TH_LOG("%s", fxt_kind_name(counterparts[i].kind));
	}
	model = in_category(&j, "X", "thread_state") + in_category(&j, "X", "sched");
	EXPECT_LT(0, model);
	EXPECT_EQ(kinds[FXT_KIND_DURATION_COMPLETE], count(&j, "ph", "X") - model);
	EXPECT_EQ(kinds[FXT_KIND_INSTANT] + kinds[FXT_KIND_LOG] +
		  kinds[FXT_KIND_MODULE] + kinds[FXT_KIND_MMAP] +
		  kinds[FXT_KIND_BACKTRACE] + kinds[FXT_KIND_LARGE_BLOB], count(&j, "ph", "i"));
	EXPECT_EQ(kinds[FXT_KIND_FLOW_BEGIN] + in_category(&j, "s", "sched"), count(&j, "ph", "s"));
	EXPECT_EQ(kinds[FXT_KIND_FLOW_END] + in_category(&j, "f", "sched"), count(&j, "ph", "f"));
	/* Kernel objects that are neither process nor thread are objects in JSON, too. */
	EXPECT_EQ(kinds[FXT_KIND_USERSPACE_OBJECT] + 1, count(&j, "ph", "O"));
}

TEST(json_has_every_kind)
{
	every_kind(_metadata, 0);
}

TEST(json_has_every_kind_swapped)
{
	every_kind(_metadata, GENERATE_SWAPPED);
}

TEST(json_keeps_blobs)
{
	struct json_object *e, *args;
	struct json j;
	struct memory m;
	int large = 0;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_all(m.fd, 0));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m));
	for (size_t i = 0; i < j.count; i++) {
		e = event(&j, i);
		args = member(e, "args");
		if (!args || !member(args, "size"))
			continue;
		EXPECT_EQ((number(args, "size") + 2) / 3 * 4, (int64_t)strlen(text(args, "data")));
		/* All payloads of this length are the ASCII characters in order, from space on. */
		if (number(args, "size") > 1000000) {
			EXPECT_EQ(0, strncmp("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9",
					     text(args, "data"), 40));
			/* The last byte, 'M', has a base64 group of its own. */
			EXPECT_STREQ("TQ==", text(args, "data") + 2000000);
			large++;
		}
	}
	EXPECT_EQ(2, large);
}

TEST(json_keeps_every_nanosecond)
{
	struct fxt_content c = an_event(FXT_KIND_DURATION_COMPLETE, 1234567890123456789, "x");
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	c.end = c.time + 1;
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	c = an_event(FXT_KIND_INSTANT, 999, "i");
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	/* This slice ends before it begins: a reader must not get a negative duration. */
	c = an_event(FXT_KIND_DURATION_COMPLETE, 2000, "back");
	c.end = 1000;
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_STREQ("1234567890123456.789", raw(find(&j, "X", "x", 0), "ts"));
	EXPECT_STREQ("0.001", raw(find(&j, "X", "x", 0), "dur"));
	EXPECT_STREQ("0.999", raw(find(&j, "i", "i", 0), "ts"));
	EXPECT_STREQ("t", text(find(&j, "i", "i", 0), "s"));
	EXPECT_STREQ("0.000", raw(find(&j, "X", "back", 0), "dur"));
	EXPECT_EQ(5, number(find(&j, "X", "x", 0), "pid"));
	EXPECT_EQ(7, number(find(&j, "X", "x", 0), "tid"));
	EXPECT_STREQ("ns", text(j.root, "displayTimeUnit"));
}

/* Some thread ids have the same low bits, and one id is in two processes. */
TEST(json_keeps_tracks_apart)
{
	static const uint64_t ids[][2] = {
		{ 5, 7 }, { 5, 7 }, { 6, 7 }, { 5, 7 + 0x100 }, { 5, 7 + 0x10000 }, { 5, 7 },
		{ 0, 0 },
	};
	struct fxt_content c;
	struct fxt_writer *w;
	struct memory m;
	struct json j;
	unsigned int i, found = 0;

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		c = an_event(FXT_KIND_INSTANT, 1000 * i, "x");
		c.thread.process = ids[i][0];
		c.thread.thread = ids[i][1];
		ASSERT_EQ(0, fxt_writer_record(w, &c));
	}
	ASSERT_EQ(0, json_of(&j, &m, w)) TH_LOG("%s", j.tool.err);
	for (i = 0; i < j.count; i++) {
		if (!is(event(&j, i), "name", "x"))
			continue;
		ASSERT_GT(ARRAY_SIZE(ids), found);
		EXPECT_EQ((int64_t)ids[found][0], number(event(&j, i), "pid"));
		EXPECT_EQ((int64_t)ids[found][1], number(event(&j, i), "tid"));
		found++;
	}
	EXPECT_EQ(ARRAY_SIZE(ids), found);
}

TEST(json_keeps_arguments)
{
	struct fxt_content c = an_event(FXT_KIND_INSTANT, 1, "x");
	struct json_object *args;
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	add(&c, TEXT("safe"), (struct fxt_arg){ .type = FXT_ARG_INT64, .i64 = 1LL << 53 });
	add(&c, TEXT("large"), (struct fxt_arg){ .type = FXT_ARG_INT64, .i64 = -(1LL << 53) - 1 });
	add(&c, TEXT("u"), (struct fxt_arg){ .type = FXT_ARG_UINT64, .u64 = UINT64_MAX });
	add(&c, TEXT("pointer"), (struct fxt_arg){ .type = FXT_ARG_POINTER, .u64 = 0xabc });
	add(&c, TEXT("koid"), (struct fxt_arg){ .type = FXT_ARG_KOID, .u64 = 77 });
	add(&c, TEXT("true"), (struct fxt_arg){ .type = FXT_ARG_BOOL, .u64 = 1 });
	add(&c, TEXT("false"), (struct fxt_arg){ .type = FXT_ARG_BOOL });
	add(&c, TEXT("null"), (struct fxt_arg){ .type = FXT_ARG_NULL });
	add(&c, TEXT("double"), (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = 0.1 });
	add(&c, TEXT("nan"), (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = __builtin_nan("") });
	add(&c, TEXT("blob"), (struct fxt_arg){ .type = FXT_ARG_BLOB, .blob = { "\xff\x00", 2 } });
	add(&c, TEXT("\"\\"), (struct fxt_arg){ .type = FXT_ARG_STRING, .text = TEXT("\n\x01") });
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	args = member(find(&j, "i", "x", 0), "args");
	EXPECT_EQ(12, json_object_object_length(args));
	EXPECT_STREQ("9007199254740992", raw(args, "safe"));
	EXPECT_STREQ("\"-9007199254740993\"", raw(args, "large"));
	EXPECT_STREQ("\"18446744073709551615\"", raw(args, "u"));
	EXPECT_STREQ("\"0xabc\"", raw(args, "pointer"));
	EXPECT_STREQ("77", raw(args, "koid"));
	EXPECT_STREQ("true", raw(args, "true"));
	EXPECT_STREQ("false", raw(args, "false"));
	EXPECT_TRUE(json_object_object_get_ex(args, "null", NULL) && !member(args, "null"));
	EXPECT_STREQ("0.1", raw(args, "double"));
	EXPECT_STREQ("\"NaN\"", raw(args, "nan"));
	EXPECT_STREQ("/wA=", text(args, "blob"));
	EXPECT_STREQ("\n\x01", text(args, "\"\\"));
}

TEST(json_repeats_no_key)
{
	/* The last three are invalid UTF-8: in JSON they look the same. */
	static const char * const names[] = { "a", "a", "a#2", "a", "b" };
	static const uint16_t refs[] = { 1, 2, 1 };
	uint64_t strings[] = { fxt_string(1, 1), 0, fxt_string(2, 1), 0 };
	struct fxt_content c = an_event(FXT_KIND_INSTANT, 1, "x");
	struct json_object *args;
	struct fxt_writer *w;
	struct memory m;
	struct json j;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		add(&c, text_of(names[i], strlen(names[i])),
		    (struct fxt_arg){ .type = FXT_ARG_UINT32, .u64 = i });
	for (; i < ARRAY_SIZE(names) + ARRAY_SIZE(refs); i++)
		add(&c, (struct fxt_text){ .bytes = "", .ref = refs[i - ARRAY_SIZE(names)] },
		    (struct fxt_arg){ .type = FXT_ARG_UINT32, .u64 = i });
	memset(&strings[1], 0xff, 1);
	memset(&strings[3], 0xfe, 1);
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_put(w, strings, sizeof(strings)));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, json_convert(&j, NULL, &m));
	args = member(find(&j, "i", "x", 0), "args");
	EXPECT_EQ(8, json_object_object_length(args));
	EXPECT_EQ(0, number(args, "a"));
	EXPECT_EQ(1, number(args, "a#3"));
	EXPECT_EQ(2, number(args, "a#2"));
	EXPECT_EQ(3, number(args, "a#4"));
	EXPECT_EQ(5, number(args, "\xef\xbf\xbd"));
	EXPECT_EQ(6, number(args, "\xef\xbf\xbd#2"));
	EXPECT_EQ(7, number(args, "\xef\xbf\xbd#3"));
}

TEST(json_counters_are_numbers)
{
	struct fxt_content c = an_event(FXT_KIND_COUNTER, 1, "x");
	struct json_object *e, *args;
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	c.id = 0xfedc;
	add(&c, TEXT("text"), (struct fxt_arg){ .type = FXT_ARG_STRING, .text = TEXT("5") });
	add(&c, TEXT("a"), (struct fxt_arg){ .type = FXT_ARG_INT32, .i64 = -5 });
	add(&c, TEXT("inf"), (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = __builtin_inf() });
	add(&c, TEXT("b"), (struct fxt_arg){ .type = FXT_ARG_UINT64, .u64 = UINT64_MAX });
	add(&c, TEXT("c"), (struct fxt_arg){ .type = FXT_ARG_DOUBLE, .f64 = 2.5 });
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	e = find(&j, "C", "x", 0);
	args = member(e, "args");
	EXPECT_STREQ("0xfedc", text(e, "id"));
	EXPECT_EQ(3, json_object_object_length(args));
	EXPECT_STREQ("-5", raw(args, "a"));
	EXPECT_STREQ("18446744073709551615", raw(args, "b"));
	EXPECT_STREQ("2.5", raw(args, "c"));
	EXPECT_EQ(2, number(member(j.root, "otherData"), "counter_args_without_number"));
}

TEST(json_flows_bind)
{
	static const enum fxt_kind kinds[] = {
		FXT_KIND_FLOW_BEGIN, FXT_KIND_FLOW_STEP, FXT_KIND_FLOW_END,
	};
	static const char * const names[] = { "begin", "step", "end" };
	struct fxt_content c;
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (size_t i = 0; i < 3; i++) {
		c = an_event(kinds[i], i, names[i]);
		c.id = UINT64_MAX;
		ASSERT_EQ(0, fxt_writer_record(w, &c));
	}
	ASSERT_EQ(0, json_of(&j, &m, w));
	/* Readers pair parts of the same name, so all parts have it. */
	EXPECT_EQ(3, count(&j, "name", "begin"));
	EXPECT_EQ(3, count(&j, "id", "0x1"));
	EXPECT_EQ(3, count(&j, "fxt_id", "0xffffffffffffffff"));
	EXPECT_STREQ("step", text(find(&j, "t", NULL, 0), "fxt_name"));
	EXPECT_STREQ("end", text(find(&j, "f", NULL, 0), "fxt_name"));
	EXPECT_STREQ("e", text(find(&j, "f", NULL, 0), "bp"));
	EXPECT_STREQ("(none)", text(find(&j, "s", NULL, 0), "bp"));
}

static int damage(struct memory *m, const struct memory *whole, size_t bytes)
{
	char c = ((const char *)whole->data)[bytes / 2] ^ 0x40;

	if (memory_open(m) || write(m->fd, whole->data, bytes) != (ssize_t)bytes ||
	    pwrite(m->fd, &c, 1, bytes / 2) != 1)
		return -1;
	return memory_map(m);
}

TEST(json_is_valid_whatever_comes)
{
	struct memory whole, m;
	struct json j;

	ASSERT_EQ(0, memory_open(&whole));
	ASSERT_EQ(0, generate_all(whole.fd, 0));
	ASSERT_EQ(0, memory_map(&whole));
	for (size_t cut = 64; cut < whole.bytes; cut += 1 + whole.bytes / 23) {
		ASSERT_EQ(0, damage(&m, &whole, cut));
		EXPECT_EQ(EXIT_DEVIATES, json_convert(&j, NULL, &m)) TH_LOG("%zu bytes", cut);
		EXPECT_EQ(EXIT_DEVIATES, json_convert(&j, "--with-ftrace", &m));
	}
}

/* Write the same events of two threads, in the order of time or in reverse. */
static int put_ordered(struct memory *m, bool backwards)
{
	static const struct {
		enum fxt_event_type type;
		uint64_t time, thread, word;
		const char *name;
	} events[] = {
		{ FXT_EVENT_DURATION_BEGIN, 1, 11, 0, "outer" },
		{ FXT_EVENT_ASYNC_BEGIN, 2, 11, 5, "request" },
		{ FXT_EVENT_ASYNC_INSTANT, 3, 12, 5, "middle" },
		{ FXT_EVENT_ASYNC_END, 4, 12, 5, "done" },
		{ FXT_EVENT_DURATION_BEGIN, 5, 11, 0, "inner" },
		{ FXT_EVENT_DURATION_END, 6, 11, 0, "inner" },
		{ FXT_EVENT_DURATION_END, 7, 11, 0, "outer" },
	};
	const uint64_t magic = FXT_MAGIC_RECORD;
	size_t count = sizeof(events) / sizeof(events[0]), i, n;

	if (memory_open(m) || write(m->fd, &magic, 8) != 8)
		return -1;
	for (i = 0; i < count; i++) {
		uint64_t words[6] = { 0 };

		n = backwards ? count - 1 - i : i;
		words[0] = fxt_event(5 + !!events[n].word, events[n].type, 0,
				     FXT_THREAD_REF_INLINE, 0,
				     fxt_string_ref_inline(strlen(events[n].name)));
		words[1] = events[n].time;
		words[2] = 10;
		words[3] = events[n].thread;
		memcpy(&words[4], events[n].name, strlen(events[n].name));
		words[5] = events[n].word;
		if (write(m->fd, words, 40 + 8 * !!events[n].word) < 0)
			return -1;
	}
	return memory_map(m);
}

/*
 * Slices of a thread are in the order of time; events of operations have their own names and ids.
 */
TEST(json_sorts_events)
{
	struct memory m[2];
	struct tool t[2];

	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, put_ordered(&m[i], i));
		ASSERT_EQ(0, convert(&t[i], "json", NULL, &m[i])) TH_LOG("%s", t[i].err);
	}
	EXPECT_STREQ(t[0].out, t[1].out);
	EXPECT_IN(t[1].out, "\"ph\":\"e\",\"pid\":10,\"tid\":12,\"ts\":0.004,\"cat\":\"\",\"name\":\"done\",\"id\":\"0x5\"");
}
