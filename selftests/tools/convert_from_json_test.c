// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * convert_from_json_test.c - `fxt convert` of traces in the Trace Event Format.
 *
 * In:  JSON of every form that the format has, in memory.
 * Must hold: each event is a record with the same time, names, ids and arguments; what FXT
 *      has no place for is an argument; bad input is reported with its place.
 */
#include "convert_json.h"

static int hold(struct memory *m, const char *text)
{
	size_t bytes = strlen(text);

	if (memory_open(m) || write(m->fd, text, bytes) != (ssize_t)bytes)
		return -1;
	return memory_map(m);
}

/* All events but those of the archive's own metadata. */
static struct json_object *event_at(const struct json *j, size_t at)
{
	size_t i, length = json_object_array_length(j->events);

	for (i = 0; i < length; i++) {
		struct json_object *e = json_object_array_get_idx(j->events, i);
		const char *name = json_object_get_string(json_object_object_get(e, "name"));

		if (strncmp(name, "fxt_", 4) && !at--)
			return e;
	}
	return NULL;
}

static const char *field(struct json_object *event, const char *name)
{
	struct json_object *value = json_object_object_get(event, name);

	return value ? json_object_get_string(value) : "";
}

static const char *arg(struct json_object *event, const char *name)
{
	return field(json_object_object_get(event, "args"), name);
}

static size_t event_count(const struct json *j)
{
	size_t n = 0;

	while (event_at(j, n))
		n++;
	return n;
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
	json_close(&j);
	memory_close(&m);
}

TEST(every_phase)
{
	static const char phases[] = "BEXiICbnestfSTpFPNODVvRc()=";
	static const char expected[] = "BEXiiCbnestfbnneiiiiiiiiiii";
	char text[4096] = "[", *end = text + 1;
	struct memory m;
	struct json j;
	size_t i;

	for (i = 0; phases[i]; i++)
		end += sprintf(end, "%s{\"ph\":\"%c\",\"ts\":%zu,\"pid\":1,\"tid\":2,\"bp\":\"e\","
			       "\"id\":\"0x7\",\"name\":\"n\",\"cat\":\"c\",\"args\":{\"k\":1}}",
			       i ? ",\n" : "", phases[i], i + 1);
	/* The closing bracket may be missing. */
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	ASSERT_EQ(strlen(phases), event_count(&j));
	for (i = 0; phases[i]; i++) {
		char want[2] = { expected[i], '\0' }, was[2] = { phases[i], '\0' };
		struct json_object *e = event_at(&j, i);

		EXPECT_STREQ(want, field(e, "ph"));
		EXPECT_STREQ("1", arg(e, "k"));
		if (strchr("STpFPNODVvRc()=", phases[i])) {
			EXPECT_STREQ(was, arg(e, "json.ph"));
			EXPECT_STREQ("0x7", arg(e, "json.id"));
		}
	}
	json_close(&j);
	memory_close(&m);
}

TEST(fields_are_arguments)
{
	struct memory m;
	struct json j;

	ASSERT_EQ(0, hold(&m, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
		"{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"tts\":3.5,\"cname\":\"good\",\"sf\":\"9\","
		"\"pid\":\"one\",\"tid\":2,\"args\":{\"deep\":{\"a\":[1,{}]},\"null\":null}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4,\"tid\":5,\"args\":{\"name\":\"T\"}},\n"
		"{\"ph\":\"e\",\"ts\":5,\"id2\":{\"local\":\"0x1\"}}\n"
		"],\"stackFrames\":{\"9\":{\"name\":\"main\"}},\"samples\":[{\"ts\":7,\"sf\":9}]}"));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_NE(NULL, strstr(j.tool.out, "{\"ph\":\"M\",\"pid\":4,\"tid\":5,\"name\":\"thread_name\","
				       "\"args\":{\"name\":\"T\""));
	EXPECT_NE(NULL, strstr(j.tool.out, "\"name\":\"stackFrames\""));
	EXPECT_NE(NULL, strstr(j.tool.out, "\"json.id2\":\"{\\\"local\\\":\\\"0x1\\\"}\""));
	EXPECT_NE(NULL, strstr(j.tool.out, "\"json.ph\":\"P\",\"json.sf\":9"));
	EXPECT_NE(NULL, strstr(j.tool.out, "\"args\":{\"json.pid\":\"one\",\"json.ph\":\"X\","
				       "\"json.tts\":3.5,\"json.cname\":\"good\",\"json.sf\":\"9\","
				       "\"deep\":\"{\\\"a\\\":[1,{}]}\",\"null\":null}"));
	json_close(&j);
	memory_close(&m);
}

TEST(counters_have_numbers_only)
{
	struct memory m;
	struct json j;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"C\",\"ts\":1,\"pid\":\"p\",\"id\":\"x\",\"tts\":3,"
			      "\"args\":{\"a\":1,\"b\":2.5,\"c\":\"3\"}}]"));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_STREQ("{ \"a\": 1, \"b\": 2.5 }", field(event_at(&j, 0), "args"));
	EXPECT_NE(NULL, strstr(j.tool.err, ": 4 fields and arguments of counters"))
		TH_LOG("%s", j.tool.err);
	json_close(&j);
	memory_close(&m);
}

TEST(vectors)
{
	static const char *const names[] = { "vectors/node.json", "vectors/phases.json" };
	char path[4096];
	struct tool t;
	size_t i;

	for (i = 0; i < 2; i++) {
		const char *const args[] = { "convert", "--to", "fxt", "--strict",
					     built_path(path, sizeof(path), names[i]), NULL };

		EXPECT_EQ(0, tool_run(&t, args)) TH_LOG("%s", t.err);
		EXPECT_LT(1000UL, t.out_bytes);
		tool_free(&t);
	}
}

TEST(more_arguments_than_fit)
{
	char text[1024] = "[{\"ph\":\"i\",\"ts\":1,\"args\":{\"json.x\":1", *end = text + strlen(text);
	struct memory m;
	struct json j;
	int i;

	for (i = 0; i < 20; i++)
		end += sprintf(end, ",\"a%d\":%d", i, i);
	sprintf(end, "}}]");
	ASSERT_EQ(0, hold(&m, text));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_STREQ("13", arg(event_at(&j, 0), "a13"));
	EXPECT_STREQ("{\"json.x\":1,\"a14\":14,\"a15\":15,\"a16\":16,\"a17\":17,\"a18\":18,\"a19\":19}",
		     arg(event_at(&j, 0), "json.args"));
	json_close(&j);
	memory_close(&m);
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
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_EQ(0, hold(&m, bad[i].text));
		EXPECT_EQ(bad[i].status, convert(&t, "json", "-q", &m));
		EXPECT_NE(NULL, strstr(t.err, bad[i].message)) TH_LOG("%zu: %s", i, t.err);
		tool_free(&t);
		EXPECT_NE(0, convert(&t, "json", "--strict", &m));
		tool_free(&t);
		memory_close(&m);
	}
}

TEST(formats_by_name)
{
	struct memory m;
	struct tool t;

	ASSERT_EQ(0, hold(&m, "[{\"ph\":\"X\",\"ts\":1,\"dur\":4,\"name\":\"here\"}]"));
	EXPECT_EQ(EXIT_UNREADABLE, convert(&t, "json", "--from=fxt", &m));
	tool_free(&t);
	EXPECT_EQ(0, convert(&t, "json", "--format=2017", &m));
	EXPECT_NE(NULL, strstr(t.out, "\"ph\":\"X\""));
	tool_free(&t);
	EXPECT_EQ(0, convert(&t, "json", "--with-ftrace", &m)) TH_LOG("%s", t.err);
	tool_free(&t);
	EXPECT_EQ(0, convert(&t, "ftrace", "-q", &m)) TH_LOG("%s", t.err);
	tool_free(&t);
	EXPECT_EQ(EXIT_USAGE, convert(&t, "json", "--from=text", &m));
	tool_free(&t);
	EXPECT_EQ(0, convert_piped(&t, "json", "--from=json", &m));
	EXPECT_NE(NULL, strstr(t.out, "\"name\":\"here\""));
	tool_free(&t);
	memory_close(&m);
}

TEST_HARNESS_MAIN
