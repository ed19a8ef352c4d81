// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings that start at a time of the wall clock, and metadata: the archive says when it was to
 * start and how late it was, and no record is older; all commands of fxt keep the metadata.
 */
#include <json-c/json.h>

#include "database.h"
#include "source_fixture.h"
#include "tool.h"

#define S	1000000000UL

SOURCE_FIXTURE(start);

static uint64_t value_of(const struct trace *t, const char *key)
{
	const char *line = strstr(t->session, key);

	return line ? strtoull(line + strlen(key), NULL, 10) : UINT64_MAX;
}

/* ns since 1970 of the first and last event. */
static void span_of(const struct trace *t, uint64_t *first, uint64_t *last)
{
	uint64_t epoch = value_of(t, "\nepoch ");
	const struct trace_stream *s;
	const struct trace_event *e;

	*first = UINT64_MAX;
	*last = 0;
	trace_for_each_event(t, s, e) {
		if (epoch + e->time < *first)
			*first = epoch + e->time;
		if (epoch + e->time > *last)
			*last = epoch + e->time;
	}
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * S + t.tv_nsec;
}

/*
 * COMMAND starts after tracing has. The wall clock may be adjusted between the lines of
 * the archive and this test's own reading, by far less than the slack.
 */
SOURCE_TEST(start, at_a_multiple)
{
	const uint64_t slack = S / 1000;
	char stamp[RECORD_PATH + 16], command[RECORD_PATH + 64], text[32] = "";
	uint64_t before = wall_ns(), at, late, first, last;
	int fd;

	snprintf(stamp, sizeof(stamp), "%s/stamp", self->dir);
	snprintf(command, sizeof(command), "date +%%s%%N >%s", stamp);
	ASSERT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "--start-at",
							     "/2s", "--", "/bin/sh", "-c",
							     command))) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, self->c.output, false, &self->why));
	at = value_of(&self->t, "\nstart_at ");
	late = value_of(&self->t, "\nstart_late ");
	ASSERT_NE(UINT64_MAX, late);
	EXPECT_EQ(0UL, at % (2 * S));
	EXPECT_LT(before, at);
	span_of(&self->t, &first, &last);
	EXPECT_LE(at, first + slack);
	fd = open(stamp, O_RDONLY | O_CLOEXEC);
	ASSERT_LT(0, read(fd, text, sizeof(text) - 1));
	close(fd);
	EXPECT_LE(at + late, strtoull(text, NULL, 10) + slack);
}

/* A flight recorder waits as well. A slow machine is late, and records COMMAND all the same. */
SOURCE_TEST(start, at_a_second)
{
	char value[32], output[RECORD_PATH + 16];
	uint64_t second, first, last;
	unsigned int ahead = 2;

	snprintf(output, sizeof(output), "%s/sched-0001.fxt", self->dir);
	/* A machine may be too slow even to begin by then. */
	do {
		ahead *= 2;
		second = wall_ns() / S + ahead;
		snprintf(value, sizeof(value), "@%" PRIu64, second);
		collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "-F",
							"--start-at", value, "--",
							"/bin/sleep", "0.3"));
	} while (strstr(self->c.text, "in the past") && ahead < 60);
	ASSERT_EQ(0, WEXITSTATUS(self->c.status)) TH_LOG("%s", self->c.text);
	ASSERT_FINE(trace_load(&self->t, output, false, &self->why));
	EXPECT_EQ(second * S, value_of(&self->t, "\nstart_at "));
	span_of(&self->t, &first, &last);
	EXPECT_LE(second * S, first + S / 1000);
}

/* The recording never began, so it leaves no files. */
SOURCE_TEST(start, ended_before)
{
	static const char * const kinds[][4] = {
		{ "-d", "1s" }, { "-F" }, { "-z", "zstd" }, { "--rotate", "time=1s" },
	};
	char value[32], path[RECORD_PATH + 16];
	struct tool tool;
	size_t i, k, n;

	snprintf(value, sizeof(value), "@%" PRIu64, wall_ns() / S + 3600);
	snprintf(path, sizeof(path), "%s/touched", self->dir);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		const char *args[16] = { "-s", self->source, "--start-at", value };

		for (n = 4, k = 0; k < 4 && kinds[i][k]; k++)
			args[n++] = kinds[i][k];
		args[n++] = "--";
		args[n++] = "/bin/touch";
		args[n++] = path;
		ASSERT_EQ(0, collector_spawn(&self->c, self->dir, args, -1));
		while (!strstr(self->c.text, "waiting until ")) {
			sleep_ms(20);
			collector_read(&self->c);
		}
		ASSERT_EQ(0, kill(self->c.pid, SIGTERM));
		EXPECT_EQ(1, collector_wait(&self->c));
		EXPECT_IN(self->c.text, "nothing is recorded");
		unlink(self->c.errors);
	}
	EXPECT_EQ(0, program_run(&tool, "/bin/ls", ARGS(self->dir)));
	EXPECT_STREQ("", tool.out);
}

#define LONG_KEY	"abcdefghijklmnopqrstuvwxyz.-_012"
#define NOTE		"two words = \xc3\xa9"

/* fxt info prints the metadata, as text and as JSON. */
static void expect_known(const char *path, const char *note, struct __test_metadata *_metadata)
{
	struct json_object *j, *session, *value;
	struct tool tool;

	EXPECT_EQ(0, tool_run(&tool, ARGS("info", path)));
	EXPECT_IN(tool.out, "\nmeta.role   db\n");
	EXPECT_EQ(0, tool_run(&tool, ARGS("info", "--json", path)));
	j = json_tokener_parse(tool.out);
	ASSERT_TRUE(json_object_object_get_ex(j, "session", &session));
	ASSERT_TRUE(json_object_object_get_ex(session, "meta." LONG_KEY, &value))
		TH_LOG("%s", tool.out);
	EXPECT_STREQ(note, json_object_get_string(value));
}

#define EXPECT_RUN(...)								\
	do {									\
		struct tool tool;						\
										\
		EXPECT_EQ(0, tool_run(&tool, ARGS(__VA_ARGS__)))	\
			TH_LOG("%s", tool.err);				\
	} while (0)

SOURCE_TEST(start, metadata)
{
	char cut[RECORD_PATH + 16], other[RECORD_PATH + 16], merged[RECORD_PATH + 16];
	const char *query = "SELECT count(*) FROM metadata WHERE name = '%s' AND str_value = '%s'";

	snprintf(cut, sizeof(cut), "%s/cut.fxt", self->dir);
	snprintf(other, sizeof(other), "%s/tables.db", self->dir);
	snprintf(merged, sizeof(merged), "%s/merged.fxt", self->dir);
	ASSERT_EQ(0, collector_run(&self->c, self->dir, ARGS("-q", "-s", self->source, "-d",
							     "100ms", "--without", "host", "-M",
							     "role=db", "--metadata",
							     LONG_KEY "=" NOTE)))
		TH_LOG("%s", self->c.text);
	expect_known(self->c.output, NOTE, _metadata);
	EXPECT_RUN("cut", "-o", cut, "--cpu", "0", self->c.output);
	expect_known(cut, NOTE, _metadata);
	/* Of two recordings, the result has the metadata of both. */
	EXPECT_RUN("merge", "-o", merged, self->c.output, cut);
	expect_known(merged, NOTE "\n" NOTE, _metadata);
	EXPECT_RUN("convert", "--to", "sqlite", "-o", other, self->c.output);
	EXPECT_EQ(1, database_number(other, query, "meta.role", "db"));
	EXPECT_EQ(1, database_number(other, query, "meta." LONG_KEY, NOTE));
}
