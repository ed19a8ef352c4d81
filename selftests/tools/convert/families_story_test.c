// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parents of processes and the CPUs of threads, in what fxt writes. init has the children shell and
 * stray; shell has the child job, and ends; then another process gets its id and has the child
 * later. Records of renames name the process that has adopted job. The first parent known counts,
 * and the process that had its id then.
 */
#include <sqlite3.h>

#include "page_blocks.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(print);

/* Name thread 21 of shell, which can only run on some CPUs. */
static void tell_cpus(struct story *s)
{
	BUILD(&s->b, fxt_kernel_object(7, FXT_OBJECT_THREAD, fxt_string_ref_inline(6), 2), 21);
	BUILD_TEXT(&s->b, "helper");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), 20);
	BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(5)));
	BUILD_TEXT(&s->b, "0-3,8");
	s->now->written++;
}

static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 init");
	s->parent = 11;
	story_name(s, 20, 20, "shell");
	tell_cpus(s);
	s->parent = 99;
	story_name(s, 40, 40, "stray");
	s->parent = 20;
	story_fork(s, 30, 30, "shell", 2000);
	s->parent = 11;
	story_event(s, 30, 30, "job", FXT_STR_RENAME, 3500);
	story_fork(s, 20, 20, "other", 4000);
	s->parent = 20;
	STORY(s, "5000 50/50 begins later; 0@1000 0>20; 2100 wake 30 by 20; 3000 20>30 Z; "
		 "4000 30>11 S; 4100 wake 20 by 11; 4200 11>20 S; 5100 wake 50 by 20; "
		 "5200 20>50 S; 6000 50>21 S; 7000 21>0 S; end 8000");
}

static int keep_text(void *arg, int count, char **values, char **names)
{
	char *text = arg;

	for (int i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%c", values[i] ?: "-", i + 1 < count ? ' ' : '\n');
	return 0;
}

static int ask(FIXTURE_DATA(print) *self, const char *sql, char *text)
{
	char path[] = "/tmp/fxt_families_XXXXXX";
	sqlite3 *db;
	int ret;

	close(mkstemp(path));
	unlink(path);
	*text = '\0';
	if (FXT("convert", "--to", "sqlite", "-o", path, self->path))
		return -1;
	ret = sqlite3_open(path, &db);
	if (!ret)
		ret = sqlite3_exec(db, sql, keep_text, text, NULL);
	sqlite3_close(db);
	unlink(path);
	return ret;
}

static const char parents[] =
	"select p.name, p.pid, q.name, q.pid, (select t.start_ts from thread t where "
	"t.upid = q.upid and is_main_thread) from process p left join process q "
	"on p.parent_upid = q.upid where p.name != '' and p.name != 'swapper' "
	"and p.pid < 1000 order by p.pid, p.name";

/* The parent of "job" is the first process 20, that of "later" the one forked at 4000. */
#define EXPECTED_PARENTS(stray) \
	"init 11 - - -\nother 20 init 11 -\nshell 20 init 11 -\njob 30 shell 20 -\n" \
	stray "later 50 other 20 4000\n"

TEST_F(print, tables)
{
	char text[4096];

	tell(&self->s);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, ask(self, parents, text)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(EXPECTED_PARENTS("stray 40 - 99 -\n"), text);
	ASSERT_EQ(0, ask(self, "select name, cpus from thread where cpus is not null", text));
	EXPECT_STREQ("helper 0-3,8\n", text);
	ASSERT_EQ(0, ask(self, "select distinct o.name, o.type from args a join object o on "
			       "o.id = a.object_id where a.key = 'parent' and o.type > 0 "
			       "order by 1", text));
	EXPECT_STREQ("init 1\nother 1\nshell 1\n", text);
}

TEST_F(print, json)
{
	tell(&self->s);
	ASSERT_EQ(0, FXT("convert", "--to", "json", "-o", "-", self->path));
	EXPECT_IN(self->t.out,
		  "\"args\":{\"name\":\"stray\",\"fxt_args\":" "{\"process\":40,\"parent\":99}}");
	EXPECT_NE(NULL, strstr(self->t.out, "\"args\":{\"name\":\"helper\",\"fxt_args\":"
					    "{\"process\":20,\"cpus\":\"0-3,8\"}}"));
	/* A later thread with a reused id has a track of its own. */
	EXPECT_IN(self->t.out,
		  "\"args\":{\"name\":\"other\",\"fxt_args\":" "{\"process\":20,\"parent\":11}}");
}

#define PROCESS(pid, name, parent)						\
	EXPECT_NE(NULL, strstr(self->t.out, "{\"pid\":" pid ",\"nth\":" name ","	\
			       parent ",\"threads\":"))

TEST_F(print, report)
{
	char *timeline;

	tell(&self->s);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PROCESS("11", "0,\"name\":\"init\"",
		"\"parent_pid\":null,\"parent_nth\":null,\"parent_name\":null");
	PROCESS("20", "0,\"name\":\"shell\"",
		"\"parent_pid\":11,\"parent_nth\":0,\"parent_name\":\"init\"");
	PROCESS("30", "0,\"name\":\"job\"",
		"\"parent_pid\":20,\"parent_nth\":0,\"parent_name\":\"shell\"");
	PROCESS("50", "0,\"name\":\"later\"",
		"\"parent_pid\":20,\"parent_nth\":1,\"parent_name\":\"other\"");
	EXPECT_IN(self->t.out, "\"name\":\"helper\",\"cpus\":\"0-3,8\",");
	EXPECT_IN(self->t.out, "\"name\":\"job\",\"cpus\":null,");
	/*
	 * Numbers follow the order of records: 0 init, 1 shell, 2 stray, 3 job, 4 other, 5 later.
	 */
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	timeline = json_block(self->t.out, "fxt-timeline");
	ASSERT_NE(NULL, timeline);
	EXPECT_NE(NULL, strstr(timeline, "\"name\":\"helper\",\"pid\":20,\"process_nth\":0,"
			       "\"owner\":1,\"cpus\":\"0-3,8\","));
	EXPECT_NE(NULL, strstr(timeline, "\"processes\":[{\"pid\":11,\"name\":\"init\"},"
			       "{\"pid\":20,\"name\":\"shell\",\"parent\":0},null,"
			       "{\"pid\":30,\"name\":\"job\",\"parent\":1},"
			       "{\"pid\":20,\"name\":\"other\",\"parent\":0},"
			       "{\"pid\":50,\"name\":\"later\",\"parent\":4},null"))
		TH_LOG("%s", strstr(timeline, "\"processes\":["));
}

TEST_F(print, dump)
{
	tell(&self->s);
	ASSERT_EQ(0, FXT("dump", self->path));
	EXPECT_IN(self->t.out,
		  "name=\"shell\" { process=30:\"shell\" " "parent=20:\"shell\" fork=2000 }");
	EXPECT_IN(self->t.out, "{ process=20:\"shell\" cpus=\"0-3,8\" }");
}

/* A cut archive gives the same answers, except for a process that does nothing in it. */
TEST_F(print, cut)
{
	char path[] = "/tmp/fxt_families_XXXXXX", text[4096];

	tell(&self->s);
	close(mkstemp(path));
	ASSERT_EQ(0, FXT("cut", "--from", "0.000001", "-o", path, self->path))
		TH_LOG("%s", self->t.err);
	snprintf(self->path, sizeof(self->path), "%s", path);
	EXPECT_EQ(0, ask(self, parents, text)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(EXPECTED_PARENTS(""), text);
	EXPECT_EQ(0, ask(self, "select name, cpus from thread where cpus is not null", text));
	EXPECT_STREQ("helper 0-3,8\n", text);
	unlink(path);
}

/* Archives of older versions have no parents. */
TEST_F(print, no_parents)
{
	struct story *s = &self->s;
	char text[4096];

	STORY(s, "names@1; name 11 init; 500 20/20 begins child; 0@1000 0>20; end 2000");
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, ask(self, "select count(*) from process where parent_upid is not null", text));
	EXPECT_STREQ("0\n", text);
}
