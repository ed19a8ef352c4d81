// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Trace Event Format: each event becomes a record with the same time, names, ids and arguments;
 * values without a field in FXT become arguments; invalid input is reported with its place.
 */
#include <zlib.h>

#include "cases.h"
#include "convert_json.h"

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
		ASSERT_TRUE(is(event(&j, 0), "name", wanted)) TH_LOG("%s", wanted);
		ASSERT_EQ(i % 197 + 1, strlen(json_object_get_string(member(event(&j, 0), "cat"))));
		json_object_array_del_idx(j.events, 0, 1);
	}
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
	char *end = text, key[8], path[64];
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
	ASSERT_EQ(0, tool_run(&t, ARGS("dump", "--json", memory_path(&m, path))));
	EXPECT_NOT_IN(t.out, "large_blob");
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

CASES("from_json", NULL)
