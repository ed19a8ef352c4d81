// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report of archives without scheduling says so, and has each slice, whatever the order of the
 * file. This does not hold for an archive of fxt-collect without any switch.
 */
#include <math.h>

#include "collector.h"
#include "page_blocks.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(slices);

/* Inner slices before and after the outer one; the begin of "all" comes after its end. */
static const char trace[] = "["
	"{\"ph\":\"M\",\"pid\":7,\"tid\":7,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},"
	"{\"ph\":\"M\",\"pid\":7,\"tid\":8,\"name\":\"thread_name\",\"args\":{\"name\":\"worker\"}},"
	"{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"name\":\"inner\",\"ts\":110,\"dur\":20},"
	"{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"name\":\"outer\",\"ts\":100,\"dur\":100},"
	"{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"name\":\"inner\",\"ts\":150,\"dur\":30},"
	"{\"ph\":\"B\",\"pid\":7,\"tid\":8,\"name\":\"step\",\"ts\":300},"
	"{\"ph\":\"B\",\"pid\":7,\"tid\":8,\"name\":\"inner\",\"ts\":310},"
	"{\"ph\":\"E\",\"pid\":7,\"tid\":8,\"ts\":320},"
	"{\"ph\":\"E\",\"pid\":7,\"tid\":8,\"ts\":340},"
	"{\"ph\":\"E\",\"pid\":7,\"tid\":8,\"ts\":350},"
	"{\"ph\":\"B\",\"pid\":7,\"tid\":8,\"name\":\"all\",\"ts\":290},"
	"{\"ph\":\"B\",\"pid\":7,\"tid\":9,\"name\":\"open\",\"ts\":300},"
	"{\"ph\":\"b\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":1,\"name\":\"request\",\"ts\":100},"
	"{\"ph\":\"b\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":2,\"name\":\"request\",\"ts\":120},"
	"{\"ph\":\"e\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":1,\"name\":\"request\",\"ts\":400},"
	"{\"ph\":\"e\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":2,\"name\":\"request\",\"ts\":130},"
	"{\"ph\":\"C\",\"pid\":7,\"name\":\"heap\",\"ts\":100,\"args\":{\"bytes\":5,\"free\":-1}},"
	"{\"ph\":\"C\",\"pid\":7,\"name\":\"heap\",\"ts\":200,\"args\":{\"bytes\":3.5}},"
	"{\"ph\":\"i\",\"pid\":7,\"tid\":7,\"name\":\"mark\",\"ts\":100},"
	"{\"ph\":\"s\",\"pid\":7,\"tid\":7,\"name\":\"f\",\"cat\":\"c\",\"id\":9,\"ts\":110},"
	"{\"ph\":\"f\",\"bp\":\"e\",\"pid\":7,\"tid\":8,\"name\":\"f\",\"cat\":\"c\",\"id\":9,\"ts\":310}]";

static int report_json(FIXTURE_DATA(slices) *self, const char *path)
{
	self->j = NULL;
	if (FXT("report", "--json", path))
		return -1;
	self->j = json_tokener_parse(self->t.out);
	return self->j ? 0 : -1;
}

static struct json_object *at(struct json_object *j, const char *key)
{
	return json_object_object_get(j, key);
}

static const char *text_of(struct json_object *j)
{
	return json_object_to_json_string_ext(j, JSON_C_TO_STRING_PLAIN);
}

static int64_t number(FIXTURE_DATA(slices) *self, const char *key)
{
	return json_object_get_int64(at(at(self->j, "slices"), key));
}

TEST_F(slices, as_json)
{
	struct json_object *s;

	save_file(self->path, trace, strlen(trace));
	ASSERT_EQ(0, report_json(self, self->path)) TH_LOG("%s", self->t.err);
	EXPECT_FALSE(json_object_get_boolean(at(self->j, "scheduling")));
	s = at(self->j, "slices");
	ASSERT_NE(NULL, s);
	EXPECT_EQ(6, number(self, "slices"));
	EXPECT_EQ(2, number(self, "async_slices"));
	EXPECT_EQ(1, number(self, "instants"));
	EXPECT_EQ(2, number(self, "flows"));
	EXPECT_EQ(1, number(self, "unended"));
	EXPECT_EQ(0, number(self, "unbegun"));
	EXPECT_EQ(100000, number(self, "first_ns"));
	EXPECT_EQ(400000, number(self, "last_ns"));
	EXPECT_STREQ("["
		"{\"name\":\"request\",\"async\":true,\"count\":2,\"total_ns\":310000,\"self_ns\":null,"
		"\"longest_ns\":300000,\"longest_at_ns\":100000},"
		"{\"name\":\"outer\",\"async\":false,\"count\":1,\"total_ns\":100000,\"self_ns\":50000,"
		"\"longest_ns\":100000,\"longest_at_ns\":100000},"
		"{\"name\":\"inner\",\"async\":false,\"count\":3,\"total_ns\":60000,\"self_ns\":60000,"
		"\"longest_ns\":30000,\"longest_at_ns\":150000},"
		"{\"name\":\"all\",\"async\":false,\"count\":1,\"total_ns\":60000,\"self_ns\":20000,"
		"\"longest_ns\":60000,\"longest_at_ns\":290000},"
		"{\"name\":\"step\",\"async\":false,\"count\":1,\"total_ns\":40000,\"self_ns\":30000,"
		"\"longest_ns\":40000,\"longest_at_ns\":300000}]", text_of(at(s, "names")));
	EXPECT_STREQ("["
		"{\"pid\":7,\"tid\":7,\"process_name\":\"app\",\"name\":null,\"slices\":3,\"covered_ns\":100000},"
		"{\"pid\":7,\"tid\":8,\"process_name\":\"app\",\"name\":\"worker\",\"slices\":3,\"covered_ns\":60000}]",
		text_of(at(s, "threads")));
	EXPECT_STREQ("["
		"{\"pid\":7,\"name\":\"heap bytes\",\"id\":0,\"values\":2,\"min\":3.5,\"max\":5.0,\"last\":3.5},"
		"{\"pid\":7,\"name\":\"heap free\",\"id\":0,\"values\":1,\"min\":-1.0,\"max\":-1.0,\"last\":-1.0}]",
		text_of(at(s, "counters")));
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* NaN is neither the least nor the most of what a counter had. */
TEST_F(slices, counters_that_are_no_numbers)
{
	static const double values[] = { NAN, 2.5, NAN, -INFINITY, NAN };
	struct built b = { 0 };

	BUILD(&b, fxt_magic(), fxt_provider_info(1, 4));
	BUILD_TEXT(&b, "this");
	build_string(&b, 1, "name");
	BUILD(&b, fxt_thread(1), 11, 12);
	for (uint64_t i = 0; i < 5; i++)
		BUILD(&b, fxt_event(5, FXT_EVENT_COUNTER, 1, 1, 1, 1), 1000 + i,
		      fxt_arg_double(2, 1), bits_of(values[i]), 1);
	save_file(self->path, b.words, built_bytes(&b));
	build_free(&b);
	ASSERT_EQ(0, report_json(self, self->path)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("[{\"pid\":11,\"name\":\"name name\",\"id\":1,\"values\":5,\"min\":\"-Infinity\","
		     "\"max\":2.5,\"last\":\"NaN\"}]", text_of(at(at(self->j, "slices"), "counters")));
}

TEST_F(slices, as_text)
{
	save_file(self->path, trace, strlen(trace));
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("NO SCHEDULING: no context switches and no wakeups, so run times and waits are unknown");
	EXPECT_LINE("0.000300 s from 0.000100000: 6 slices of 2 threads, 2 async slices,\n"
		    "2 counters, 1 instant, 2 records of flows");
	EXPECT_LINE("1 slice has no end, and is not counted");
	GOLDEN("Slices by name");
	GOLDEN("Async slices by name");
	GOLDEN("Threads that have slices");
	GOLDEN("Counters");
	EXPECT_NOT_IN(self->t.out, "0 switches");
}

/* Operations of two processes with one id: the second is within the first, as in Perfetto. */
TEST_F(slices, operations_of_two_processes)
{
	static const char two[] = "["
		"{\"ph\":\"b\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":1,\"name\":\"r\",\"ts\":0},"
		"{\"ph\":\"b\",\"pid\":8,\"tid\":8,\"cat\":\"c\",\"id\":1,\"name\":\"r\",\"ts\":10},"
		"{\"ph\":\"e\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":1,\"name\":\"r\",\"ts\":20},"
		"{\"ph\":\"e\",\"pid\":8,\"tid\":8,\"cat\":\"c\",\"id\":1,\"name\":\"r\",\"ts\":100}]";

	save_file(self->path, two, strlen(two));
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("       2  110us   100us        0.000000000  r");
}

/* Perfetto draws 512 slices within each other. */
TEST_F(slices, operations_too_deep)
{
	char text[65536], *p = text;

	*p++ = '[';
	for (int i = 0; i < 515; i++)
		p += sprintf(p, "{\"ph\":\"b\",\"pid\":7,\"tid\":7,\"cat\":\"c\",\"id\":1,\"name\":\"r\","
			     "\"ts\":%d},", i);
	p[-1] = ']';
	save_file(self->path, text, p - text);
	ASSERT_EQ(0, REPORT("--no-pager")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("512 slices have no end, and are not counted");
	EXPECT_LINE("3 async slices are not counted: too many at once");
}

/* The page finds its rows at a path in the JSON. */
TEST_F(slices, in_a_page)
{
	char *tables;

	save_file(self->path, trace, strlen(trace));
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_STREQ("", self->t.err);
	tables = json_block(self->t.out, "fxt-tables");
	ASSERT_NE(NULL, tables);
	EXPECT_NE(NULL, strstr(tables, "{\"key\":\"slices-names\",\"path\":\"slices.names\","
			       "\"title\":\"Slices by name\""));
	EXPECT_IN(tables, "\"path\":\"slices.threads\"");
	EXPECT_IN(tables, "\"path\":\"slices.counters\"");
}

/* Of the filters, those for time and processes select slices. */
TEST_F(slices, selected)
{
	save_file(self->path, trace, strlen(trace));
	ASSERT_EQ(0, REPORT("--no-pager", "--from", "0.00028")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("0.000110 s from 0.000290000: 3 slices of 1 thread, 0 async slices,");
	EXPECT_EQ(1, REPORT("--no-pager", "--from", "0.5")) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, REPORT("--no-pager", "--pid", "7")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("0.000300 s from 0.000100000: 6 slices of 2 threads, 2 async slices,");
}

TEST_F(slices, of_another_program)
{
	char path[RECORD_PATH];

	built_path(path, sizeof(path), "vectors/magic-trace.fxt.gz");
	ASSERT_EQ(0, report_json(self, path)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(17296, number(self, "slices"));
	EXPECT_EQ(0, number(self, "unended"));
	EXPECT_EQ(0, number(self, "unbegun"));
}

/* No switches were recorded, although they would have been. */
TEST_F(slices, not_of_a_quiet_recording)
{
	STORY(&self->s, "0@1000; end 2000");
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, report_json(self, self->path)) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(json_object_get_boolean(at(self->j, "scheduling")));
	EXPECT_EQ(NULL, at(self->j, "slices"));
}

TEST_F(slices, no_folded_stacks)
{
	save_file(self->path, trace, strlen(trace));
	ASSERT_EQ(0, REPORT("--folded")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "--folded applies to scheduling, and the archive has none");
}
