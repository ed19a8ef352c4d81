// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * info_test.c - fxt info, and what fxt says of wrong usage, as people run it.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/fxt_sched.h>

#include "generate.h"
#include "record.h"
#include "tool.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "../kselftest_harness.h"

#define RECORDS	20000
#define CPUS	3

FIXTURE(info)
{
	char dir[RECORD_PATH];
	char path[RECORD_PATH + 16];
	struct tool t;
	struct json_object *j;
};

FIXTURE_SETUP(info)
{
	self->j = NULL;
	self->t = (struct tool){ 0 };
	ASSERT_EQ(0, dir_make(self->dir, sizeof(self->dir)));
	snprintf(self->path, sizeof(self->path), "%s/x.fxt", self->dir);
}

FIXTURE_TEARDOWN(info)
{
	json_object_put(self->j);
	tool_free(&self->t);
	dir_remove(self->dir);
}

static int make(const char *path, unsigned int flags, uint64_t records)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), ret;

	if (fd < 0)
		return -errno;
	ret = records ? generate_sched(fd, records, CPUS) : generate_all(fd, flags);
	close(fd);
	return ret;
}

static int64_t number(struct json_object *j, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(j, key, &v) ? json_object_get_int64(v) : -1;
}

static const char *string(struct json_object *j, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(j, key, &v) ? json_object_get_string(v) : "";
}

static struct json_object *member(struct json_object *j, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(j, key, &v);
	return v;
}

static int64_t sum_of_kinds(struct json_object *j, const char *what)
{
	int64_t sum = 0;

	json_object_object_foreach(member(j, "kinds"), key, value) {
		(void)key;
		sum += number(value, what);
	}
	return sum;
}

#define RUN(...)							\
	tool_run(&self->t, (const char *[]){ __VA_ARGS__, NULL })

/* What every JSON of an archive must hold. */
#define PARSE() do {							\
	self->j = json_tokener_parse(self->t.out);			\
	ASSERT_NE(NULL, self->j) TH_LOG("%.400s", self->t.out);		\
	EXPECT_EQ(number(self->j, "records"), sum_of_kinds(self->j, "records"));	\
	EXPECT_EQ(number(self->j, "bytes"), sum_of_kinds(self->j, "bytes"));	\
} while (0)

TEST_F(info, recording)
{
	struct json_object *streams, *s;
	struct stat st;
	int64_t written = 0;
	size_t i;

	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, stat(self->path, &st));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	EXPECT_STREQ(self->path, string(self->j, "file"));
	EXPECT_EQ(st.st_size, number(self->j, "bytes"));
	EXPECT_STREQ("none", string(self->j, "compression"));
	EXPECT_STREQ("native", string(self->j, "byte_order"));
	EXPECT_EQ(RECORDS, number(member(member(self->j, "kinds"), "context_switch"), "records") +
		  number(member(member(self->j, "kinds"), "thread_wakeup"), "records"));
	EXPECT_EQ(CPUS, (int)json_object_array_length(member(self->j, "cpus")));
	EXPECT_EQ(number(self->j, "last_ns") - number(self->j, "first_ns"),
		  number(self->j, "duration_ns"));
	EXPECT_LT(0, number(self->j, "duration_ns"));
	streams = member(self->j, "streams");
	ASSERT_EQ(CPUS + 1, (int)json_object_array_length(streams));
	for (i = 0; i <= CPUS; i++) {
		s = json_object_array_get_idx(streams, i);
		EXPECT_EQ(0, number(s, "lost"));
		if (number(s, "stream") != FXT_LEDGER_STREAM_NAMES)
			written += number(s, "written");
	}
	EXPECT_EQ(RECORDS, written);
	EXPECT_EQ(0, number(self->j, "skipped"));
	EXPECT_STREQ(FXT_SCHED_PROVIDER_NAME,
		     string(json_object_array_get_idx(member(self->j, "providers"), 0), "name"));
}

TEST_F(info, every_kind)
{
	ASSERT_EQ(0, make(self->path, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	/* All but the kind that nobody defined. */
	EXPECT_EQ(30, json_object_object_length(member(self->j, "kinds")));
	EXPECT_EQ(2, (int)json_object_array_length(member(self->j, "providers")));
}

TEST_F(info, other_byte_order)
{
	struct json_object *native;

	ASSERT_EQ(0, make(self->path, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	native = json_tokener_parse(self->t.out);
	tool_free(&self->t);
	ASSERT_EQ(0, make(self->path, GENERATE_SWAPPED, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path));
	PARSE();
	EXPECT_STREQ("swapped", string(self->j, "byte_order"));
	json_object_object_del(native, "byte_order");
	json_object_object_del(self->j, "byte_order");
	EXPECT_TRUE(json_object_equal(native, self->j))
		TH_LOG("%.600s", self->t.out);
	json_object_put(native);
}

TEST_F(info, text)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, RUN("info", self->path));
	EXPECT_NE(NULL, strstr(self->t.out, "\nCPUs        3 (0-2)\n"));
	EXPECT_NE(NULL, strstr(self->t.out, "\ncontext_switch "));
	EXPECT_NE(NULL, strstr(self->t.out, "losses: 0 of "));
	EXPECT_EQ(NULL, strstr(self->t.out, "malformed"));
	EXPECT_STREQ("", self->t.err);
}

TEST_F(info, several_archives)
{
	char other[RECORD_PATH + 16], *line;

	snprintf(other, sizeof(other), "%s/y.fxt", self->dir);
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, make(other, 0, 0));
	ASSERT_EQ(0, RUN("info", "--json", self->path, other));
	line = strchr(self->t.out, '\n');
	ASSERT_NE(NULL, line);
	self->j = json_tokener_parse(line + 1);
	EXPECT_STREQ(other, string(self->j, "file"));
	/* One that is not there does not hide the others. */
	tool_free(&self->t);
	EXPECT_EQ(3, RUN("info", "--json", "/nonexistent", self->path));
	EXPECT_NE(NULL, strstr(self->t.err, "cannot read /nonexistent: No such file"));
	EXPECT_NE(NULL, strstr(self->t.out, self->path));
}

TEST_F(info, torn)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, truncate(self->path, 100004));
	EXPECT_EQ(1, RUN("info", "--json", self->path));
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_LT(0, number(self->j, "skipped_bytes"));
	EXPECT_EQ(100004, number(self->j, "bytes"));
	EXPECT_NE(NULL, strstr(self->t.err, "were skipped, first byte "));
	tool_free(&self->t);
	EXPECT_EQ(1, RUN("info", "--strict", self->path));
	EXPECT_NE(NULL, strstr(self->t.err, "without --strict"));
}

TEST_F(info, unreadable)
{
	int fd = open(self->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ASSERT_EQ(10, write(fd, "not an fxt", 10));
	close(fd);
	EXPECT_EQ(3, RUN("info", self->path));
	EXPECT_NE(NULL, strstr(self->t.err, "so this is no FXT archive"));
	EXPECT_STREQ("", self->t.out);
	tool_free(&self->t);
	EXPECT_EQ(3, RUN("info", self->dir));
	EXPECT_NE(NULL, strstr(self->t.err, "Is a directory"));
}

TEST_F(info, usage)
{
	EXPECT_EQ(2, RUN("info"));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN("info", "--nonsense", "x"));
	EXPECT_NE(NULL, strstr(self->t.err, "--nonsense"));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN("info", "--format=2016", "x"));
	tool_free(&self->t);
	EXPECT_EQ(2, RUN("nonsense"));
	EXPECT_NE(NULL, strstr(self->t.err, "no such verb"));
	tool_free(&self->t);
	EXPECT_EQ(0, RUN("info", "--help"));
	tool_free(&self->t);
	EXPECT_EQ(0, RUN("--help"));
	EXPECT_NE(NULL, strstr(self->t.out, "exit status"));
}

TEST_F(info, standard_output_full)
{
	ASSERT_EQ(0, make(self->path, 0, RECORDS));
	ASSERT_EQ(0, setenv("ARCHIVE", self->path, 1));
	ASSERT_EQ(0, setenv("TOOL", tool_path(), 1));
	EXPECT_EQ(4, WEXITSTATUS(system("\"$TOOL\" info \"$ARCHIVE\" >/dev/full 2>/dev/null")));
}

TEST_HARNESS_MAIN
