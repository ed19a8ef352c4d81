// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Trace Event Format: each event becomes a record with the same time, names, ids and arguments;
 * values without a field in FXT become arguments; invalid input is reported with its place.
 */
#include <zlib.h>

#include "convert_json.h"

static int dump(struct tool *t, const struct memory *m)
{
	char path[64];

	return tool_run(t, ARGS("dump", "--json", memory_path(m, path)));
}

/* Without those of the archive's own metadata. */
static struct json_object *event_at(const struct json *j, size_t at)
{
	size_t i, length = json_object_array_length(j->events);

	for (i = 0; i < length; i++) {
		struct json_object *e = json_object_array_get_idx(j->events, i);
		const char *name = json_object_get_string(json_object_object_get(e, "name"));

		if ((!name || strncmp(name, "fxt_", 4)) && !at--)
			return e;
	}
	return NULL;
}

static const char *field(struct json_object *event, const char *name)
{
	struct json_object *value = json_object_object_get(event, name);

	return value ? json_object_get_string(value) : "";
}

TEST(times_are_exact)
{
	struct memory m;
	struct json j;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"i\",\"ts\":1234567890123.4567},"
			      "{\"ph\":\"i\",\"ts\":9007199254740993},"
			      "{\"ph\":\"X\",\"ts\":\"9007199254740993.001\",\"dur\":0.9995},"
			      "{\"ph\":\"i\",\"ts\":9.2e15}]"));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_STREQ("1234567890123.457", field(event_at(&j, 0), "ts"));
	EXPECT_STREQ("9007199254740993.000", field(event_at(&j, 1), "ts"));
	EXPECT_STREQ("9007199254740993.001", field(event_at(&j, 2), "ts"));
	EXPECT_STREQ("1.000", field(event_at(&j, 2), "dur"));
	EXPECT_STREQ("9200000000000000.000", field(event_at(&j, 3), "ts"));
}

TEST(every_phase)
{
	static const char phases[] = "BEXiICbnestfSTpFPNODVvRc()=";
	static const char *const kinds[] = {
		"duration_begin", "duration_end", "duration_complete", "instant", "instant",
		"counter", "async_begin", "async_instant", "async_end", "flow_begin",
		"flow_step", "flow_end", "async_begin", "async_instant", "async_instant",
		"async_end"
	};
	char text[4096] = "[", *end = text + 1, line[256];
	struct memory m;
	struct tool t;

	for (size_t i = 0; phases[i]; i++)
		end += sprintf(end, "%s{\"ph\":\"%c\",\"ts\":%zu,\"pid\":1,\"tid\":2,\"bp\":\"e\","
			       "\"id\":\"0x7\",\"name\":\"n%zu\",\"cat\":\"c\",\"args\":{\"k\":1}}",
			       i ? ",\n" : "", phases[i], i + 1, i);
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, dump(&t, &m)) TH_LOG("%s", t.err);
	for (size_t i = 0; phases[i]; i++) {
		const char *kind = i < ARRAY_SIZE(kinds) ? kinds[i] : "instant", *record;

		snprintf(line, sizeof(line), "\"ns\":%zu000,\"process\":1,\"thread\":2,"
			 "\"category\":\"c\",\"name\":\"n%zu\",", i + 1, i);
		record = strstr(t.out, line);
		ASSERT_NE(NULL, record) TH_LOG("%s", line);
		snprintf(line, sizeof(line), "\"kind\":\"%s\"", kind);
		while (*record != '\n')
			record--;
		EXPECT_EQ(strstr(record, "\"kind\":"), strstr(record, line)) TH_LOG("%s", line);
		snprintf(line, sizeof(line), "[{\"name\":\"json.ph\",\"type\":\"string\","
			 "\"value\":\"%c\"},", phases[i]);
		if (strchr("STpFPNODVvRc()=", phases[i]))
			EXPECT_NE(NULL, strstr(record, line)) TH_LOG("%s", line);
	}
}

TEST(fields_are_arguments)
{
	static const char *const expected[] = {
		"\"kind\":\"kernel_object\",\"provider\":2,\"koid\":5,\"object_type\":2,\"name\":\"T\"",
		"\"kind\":\"blob\",\"provider\":2,\"name\":\"stackFrames\"",
		"{\"name\":\"json.id2\",\"type\":\"string\",\"value\":\"{\\\"local\\\":\\\"0x1\\\"}\"}",
		"{\"name\":\"json.ph\",\"type\":\"string\",\"value\":\"P\"},"
		"{\"name\":\"json.sf\",\"type\":\"int32\",\"value\":9}",
		"{\"name\":\"json.pid\",\"type\":\"string\",\"value\":\"one\"},"
		"{\"name\":\"json.ph\",\"type\":\"string\",\"value\":\"X\"},"
		"{\"name\":\"json.tts\",\"type\":\"double\",\"value\":3.5},"
		"{\"name\":\"json.cname\",\"type\":\"string\",\"value\":\"good\"},"
		"{\"name\":\"json.sf\",\"type\":\"string\",\"value\":\"9\"},"
		"{\"name\":\"deep\",\"type\":\"string\",\"value\":\"{\\\"a\\\":[1,{}]}\"},"
		"{\"name\":\"null\",\"type\":\"null\",\"value\":null}",
	};
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
		"{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"tts\":3.5,\"cname\":\"good\",\"sf\":\"9\","
		"\"pid\":\"one\",\"tid\":2,\"args\":{\"deep\":{\"a\":[1,{}]},\"null\":null}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4,\"tid\":5,\"args\":{\"name\":\"T\"}},\n"
		"{\"ph\":\"e\",\"ts\":5,\"id2\":{\"local\":\"0x1\"}}\n"
		"],\"stackFrames\":{\"9\":{\"name\":\"main\"}},\"samples\":[{\"ts\":7,\"sf\":9}]}"));
	ASSERT_EQ(0, dump(&t, &m)) TH_LOG("%s", t.err);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_TRUE(!!strstr(t.out, expected[i])) TH_LOG("%zu", i);
	}
}

/* Texts that look like values, and values that FXT cannot hold. */
TEST(values_return_as_they_were)
{
	static const char args[] =
		"{\"array\":[1,{\"a\":null}],\"text\":\"[1,{\\\"a\\\":null}]\",\"quoted\":\"\\\"x\\\"\","
		"\"begins\":\"[kworker/0]\",\"empty\":\"\",\"big\":18446744073709551615,"
		"\"least\":-9223372036854775808,\"true\":true,\"null\":null}";
	static const char *const others[] = { "[3]", "\"text\"", "\"{}\"", "7" };
	char text[1024], *end = text;
	struct memory m;
	struct json j;

	end += sprintf(end, "[{\"ph\":\"i\",\"ts\":0,\"args\":%s}", args);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		end += sprintf(end, ",{\"ph\":\"i\",\"ts\":%zu,\"args\":%s}", i + 1, others[i]);
	strcpy(end, "]");
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_STREQ(args, raw(event_at(&j, 0), "args"));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		EXPECT_STREQ(others[i], raw(event_at(&j, i + 1), "args"));
}

/* Flat events and others are parsed in two ways, which have to agree. */
TEST(flat_and_nested_events_agree)
{
	static const struct {
		const char *field;
		const char *wanted;
	} fields[] = {
		{ "\"a\":\"\\u00e9\\n\\/\\\"\\u0041\"", "{\"a\":\"\303\251\\n/\\\"A\"" },
		{ "\"a\":\"\\ud83d\\ude00\"", "{\"a\":\"\360\237\230\200\"" },
		{ "\"a\":1,\"b\":2,\"\\u0061\":3", "{\"a\":3,\"b\":2" },
		{ "\"a\" : 007 , \"b\"\n:\t-1", "{\"a\":7,\"b\":-1" },
		{ "\"a\":18446744073709551615,\"b\":-9223372036854775808",
		  "{\"a\":18446744073709551615,\"b\":-9223372036854775808" },
		{ "\"a\":1.5e3,\"b\":-0.25", "{\"a\":1500.0,\"b\":-0.25" },
		{ "\"a\":{\"x\" : [ \"\\/\", null ]}", "{\"a\":{\"x\":[\"/\",null]}" },
		{ "\"a\":[1.,{\"b\":1,\"c\":2,\"b\":3}]", "{\"a\":[1.0,{\"b\":3,\"c\":2}]" },
		{ "\"a\":\"\\ud800\",\"b\":\"\\u00e9\"", "{\"a\":\"\357\277\275\",\"b\":\"\303\251\"" },
		{ "'a':true", "{\"a\":true" },
	};
	char text[512], wanted[256];
	struct memory m;
	struct json j;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		for (size_t nested = 0; nested < 2; nested++) {
			snprintf(text, sizeof(text), "[{\"ph\":\"i\",\"ts\":0,\"args\":{%s%s}}]",
				 fields[i].field, nested ? ",\"n\":[]" : "");
			snprintf(wanted, sizeof(wanted), "%s%s}", fields[i].wanted,
				 nested ? ",\"n\":[]" : "");
			ASSERT_EQ(0, hold(&m, text));
			ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
			EXPECT_STREQ(wanted, raw(event_at(&j, 0), "args"));
		}
	}
}

/* Events have many lengths, so that some of them cross the end of the reader's buffer. */
TEST(no_event_is_lost_between_two_reads)
{
	static char text[6 << 20];
	char *end = text, wanted[16];
	struct memory m;
	struct json j;

	for (size_t i = 0; i < 20000; i++)
		end += sprintf(end, "%c{\"ph\":\"i\",\"ts\":%zu,\"name\":\"\\u006e%zu\",\"cat\":\"%0*d\"}",
			       i ? ',' : '[', i, i, (int)(i % 197 + 1), 0);
	strcpy(end, "]");
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	for (size_t i = 0; i < 20000; i++) {
		snprintf(wanted, sizeof(wanted), "n%zu", i);
		ASSERT_STREQ(wanted, field(event_at(&j, 0), "name"));
		ASSERT_EQ(i % 197 + 1, strlen(field(event_at(&j, 0), "cat")));
		json_object_array_del_idx(j.events, 0, 1);
	}
}

TEST(counters_have_numbers_only)
{
	struct memory m;
	struct json j;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"C\",\"ts\":1,\"pid\":\"p\",\"id\":\"0x7\",\"tts\":3,"
			      "\"args\":{\"a\":1,\"b\":2.5,\"c\":\"3\"}}]"));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_STREQ("{ \"a\": 1, \"b\": 2.5 }", field(event_at(&j, 0), "args"));
	EXPECT_IN(j.tool.err, ": 3 fields and arguments of counters");
}

/* An id that is not a number becomes a part of the name; other ids become FXT's. */
TEST(counters_have_ids)
{
	static const char *const expected[][2] = {
		{ "n", "" }, { "n/x", "" }, { "n", "0x10" }, { "n", "0x10" }, { "n/loc", "" }, { "/y", "" },
	};
	struct memory m;
	struct json j;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"C\",\"ts\":1,\"name\":\"n\",\"args\":{\"a\":1}},"
		"{\"ph\":\"C\",\"ts\":2,\"name\":\"n\",\"id\":\"x\",\"args\":{\"a\":1}},"
		"{\"ph\":\"C\",\"ts\":3,\"name\":\"n\",\"id\":\"16\",\"args\":{\"a\":1}},"
		"{\"ph\":\"C\",\"ts\":4,\"name\":\"n\",\"id\":16,\"args\":{\"a\":1}},"
		"{\"ph\":\"C\",\"ts\":5,\"name\":\"n\",\"id2\":{\"local\":\"loc\"},\"args\":{\"a\":1}},"
		"{\"ph\":\"C\",\"ts\":6,\"id\":\"y\",\"args\":{\"a\":1}}]"));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_STREQ(expected[i][0], field(event_at(&j, i), "name"));
		EXPECT_STREQ(expected[i][1], field(event_at(&j, i), "id"));
	}
	EXPECT_NOT_IN(j.tool.err, "fields and arguments of counters");
}

#define LINE(time, prev, state, next) \
	" x-" prev " (10) [001] d... " time ": sched_switch: prev_comm=x prev_pid=" prev \
	" prev_prio=120 prev_state=" state " ==> next_comm=x next_pid=" next " next_prio=120\\n"

/* The member's place does not matter. If its text is not ftrace's, it stays a member. */
TEST(ftrace_text_inside)
{
	static const char *const expected[] = {
		"\"ns\":1000000500,\"process\":10,\"thread\":11,\"thread_name\":\"x\",\"category\":\"\",\"name\":\"work\"",
		"\"kind\":\"context_switch\",\"provider\":1,\"ticks\":1000000000,",
		"\"incoming_thread\":11", "\"outgoing_thread\":11",
		"\"kind\":\"blob\",\"provider\":2,\"name\":\"systemTraceEvents\"",
	};
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, "{\"systemTraceEvents\":\"# tracer: nop\\n"
		LINE("1.000000", "0", "R", "11") LINE("1.000500", "11", "S", "0")
		" x-11 [001] .... 1.0006: binder_lock: x\\nno line\\n\","
		"\"traceEvents\":[{\"name\":\"work\",\"ph\":\"X\",\"ts\":1000000.5,\"dur\":4,"
		"\"pid\":10,\"tid\":11}],\"systemTraceEvents\":\"none\"}"));
	ASSERT_EQ(1, dump(&t, &m)) TH_LOG("%s", t.err);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		EXPECT_NE(NULL, strstr(t.out, expected[i])) TH_LOG("%zu", i);
	}
	EXPECT_NOT_IN(strstr(t.out, "\"kind\":\"magic\"") + 1, "\"kind\":\"magic\"");
	EXPECT_IN(t.err, "systemTraceEvents: 1 lines not understood, first at line 5");
	EXPECT_IN(t.err, "systemTraceEvents: 1 events are of kinds");
}

static int hold_vector(struct memory *m, const char *name)
{
	static char text[256 << 10];
	char path[4096];
	gzFile gz = gzopen(built_path(path, sizeof(path), name), "r");
	int bytes = gz ? gzread(gz, text, sizeof(text) - 1) : -1;

	if (gz)
		gzclose(gz);
	if (bytes < 0)
		return -1;
	text[bytes] = '\0';
	return hold(m, text);
}

/* Replace one of two equivalent forms: add defaults for missing fields. */
static void normalise(struct json_object *e)
{
	static const char *const defaults[] = { "cat", "name", "args" };

	if (is(e, "ph", "I"))
		json_object_object_add(e, "ph", json_object_new_string("i"));
	if (is(e, "ph", "i") && is(e, "s", "t"))
		json_object_object_del(e, "s");
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		if (!strcmp(raw(e, defaults[i]), "\"\"") || !strcmp(raw(e, defaults[i]), "{}"))
			json_object_object_del(e, defaults[i]);
	for (size_t i = 0; i < 2; i++)
		if (!member(e, i ? "pid" : "tid"))
			json_object_object_add(e, i ? "pid" : "tid", json_object_new_int(0));
	/* The name of a process applies to all its threads. */
	if (is(e, "name", "process_name"))
		json_object_object_add(e, "tid", json_object_new_int(0));
}

static bool is_time(const char *key)
{
	return !strcmp(key, "ts") || !strcmp(key, "dur");
}

static bool names_something(const char *key)
{
	return strcmp(key, "cat") && strcmp(key, "tts") && strcmp(key, "tdur") && !is_time(key);
}

/* Compare times as numbers, because their digits differ. The time of a name does not matter. */
static bool same_event(struct json_object *a, struct json_object *b)
{
	bool is_name = is(a, "name", "process_name") || is(a, "name", "thread_name");

	json_object_object_foreach(a, key, value) {
		if (is_name && !names_something(key))
			continue;
		if (is_time(key) ? json_object_get_double(value) != json_object_get_double(member(b, key)) :
				   !json_object_equal(value, member(b, key)))
			return false;
	}
	return is_name || json_object_object_length(a) == json_object_object_length(b);
}

/* Return: the number of events of @a that @b lacks. Events that were found are removed from @b. */
static size_t missing_events(struct json_object *a, struct json_object *b)
{
	size_t i, k, n = 0, count = json_object_array_length(a);

	for (i = 0; i < count; i++) {
		struct json_object *e = json_object_array_get_idx(a, i);

		for (k = 0; k < json_object_array_length(b); k++)
			if (same_event(e, json_object_array_get_idx(b, k)))
				break;
		if (k < json_object_array_length(b)) {
			json_object_array_del_idx(b, k, 1);
		} else {
			n++;
			fprintf(stderr, "# missing: %s\n", json_object_to_json_string(e));
		}
	}
	return n;
}

TEST(round_trip)
{
	/* A counter's id that is not a number becomes a part of its name; samples become events. */
	static const struct {
		const char *name;
		size_t missing, more;
	} vectors[] = {
		{ "vectors/node.json", 0, 0 }, { "vectors/chromium.json.gz", 0, 0 },
		{ "vectors/phases.json", 1, 2 },
		{ "vectors/flows.json", 0, 0 },
	};
	struct json_object *root, *events;
	struct memory m;
	struct json j;

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		ASSERT_EQ(0, hold_vector(&m, vectors[i].name));
		ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
		root = json_tokener_parse(m.data);
		ASSERT_NE(NULL, root);
		events = json_object_is_type(root, json_type_array) ? root : member(root, "traceEvents");
		for (size_t k = 0; k < json_object_array_length(events); k++)
			normalise(json_object_array_get_idx(events, k));
		for (size_t k = 0; k < j.count; k++)
			normalise(event(&j, k));
		EXPECT_EQ(vectors[i].missing, missing_events(events, j.events))
			TH_LOG("%s", vectors[i].name);
		EXPECT_EQ(vectors[i].more, json_object_array_length(j.events));
		if (json_object_is_type(root, json_type_object)) {
			json_object_object_foreach(root, key, value)
				if (strcmp(key, "traceEvents") && strcmp(key, "samples"))
					EXPECT_EQ(1, json_object_equal(value, member(j.root, key)))
						TH_LOG("%s", key);
		}
	}
}

/* Longer than a blob, and exactly as long as one or two. */
TEST(long_members_return)
{
	static const size_t lengths[] = { 31997, 31998, 31999, 63998, 100000 };
	static char text[400000];
	char *end = text, key[8];
	struct memory m;
	struct tool t;
	struct json j;

	end += sprintf(end, "{\"traceEvents\":[{\"ph\":\"i\",\"ts\":1,\"name\":\"n\"}]");
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		end += sprintf(end, ",\"m%zu\":\"", i);
		memset(end, 'a' + i, lengths[i]);
		end += lengths[i];
		*end++ = '"';
	}
	strcpy(end, "}");
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		sprintf(key, "m%zu", i);
		EXPECT_EQ((int)lengths[i], json_object_get_string_len(member(j.root, key)));
	}
	/* Perfetto reads no archive with a large blob. */
	ASSERT_EQ(0, dump(&t, &m));
	EXPECT_NOT_IN(t.out, "large_blob");
}

TEST(more_arguments_than_fit)
{
	char text[1024] = "[{\"ph\":\"i\",\"ts\":1,\"args\":{\"json.x\":1", *end = text + strlen(text);
	struct json_object *args;
	struct memory m;
	struct tool t;
	struct json j;

	for (int i = 0; i < 20; i++)
		end += sprintf(end, ",\"a%d\":%d", i, i);
	sprintf(end, "}}]");
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, dump(&t, &m)) TH_LOG("%s", t.err);
	EXPECT_IN(t.out, "{\"name\":\"a13\",\"type\":\"int32\",\"value\":13},"
		"{\"name\":\"json.args\",\"type\":\"string\",\"value\":\"{\\\"json.x\\\":1,"
		"\\\"a14\\\":14,\\\"a15\\\":15,\\\"a16\\\":16,\\\"a17\\\":17,\\\"a18\\\":18,"
		"\\\"a19\\\":19}\"}");
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	args = member(event_at(&j, 0), "args");
	EXPECT_EQ(21, json_object_object_length(args));
	EXPECT_EQ(1, number(args, "json.x"));
	EXPECT_EQ(19, number(args, "a19"));
}

TEST(bad_input)
{
	static const struct {
		const char *text;
		int status;
		const char *message;
	} bad[] = {
		{ "[{\"ph\":\"i\",\"ts\":1},\n{\"ph\" 3}]", EXIT_DEVIATES, "line 2, byte 26: " },
		{ "{\"traceEvents\":[{\"ph\":\"i\",\"ts\":1}", EXIT_DEVIATES, "within an array" },
		{ "[{\n\"ph\":\"i\",\n\"ts\":1},{\n;}]", EXIT_DEVIATES, "line 4, byte 23: " },
		{ "[{\"ph\":\"i\",\"ts\":1}] x", EXIT_DEVIATES, "more text follows" },
		{ "{\"traceEvents\" 1", EXIT_UNREADABLE, "a colon is missing" },
		{ "[{\"ph\":\"i\",\"ts\":-1},{\"ph\":\"i\"},7]", EXIT_DEVIATES, "1 events without a time" },
	};
	struct memory m;
	struct tool t;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_EQ(0, hold(&m, bad[i].text));
		EXPECT_EQ(bad[i].status, convert(&t, "json", "-q", &m));
		EXPECT_NE(NULL, strstr(t.err, bad[i].message)) TH_LOG("%zu: %s", i, t.err);
		EXPECT_NE(0, convert(&t, "json", "--strict", &m));
	}
}

TEST(formats_by_name)
{
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"X\",\"ts\":1,\"dur\":4,\"name\":\"here\"}]"));
	EXPECT_EQ(EXIT_UNREADABLE, convert(&t, "json", "--from=fxt", &m));
	EXPECT_EQ(0, convert(&t, "json", "--format=2017", &m));
	EXPECT_IN(t.out, "\"ph\":\"X\"");
	EXPECT_EQ(0, convert(&t, "json", "--with-ftrace", &m)) TH_LOG("%s", t.err);
	EXPECT_EQ(0, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	EXPECT_EQ(EXIT_USAGE, convert(&t, "json", "--from=text", &m));
	EXPECT_EQ(0, convert_piped(&t, "json", "--from=json", &m));
	EXPECT_IN(t.out, "\"name\":\"here\"");
}
