// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt convert on programs that run under one id: 20 is prog-aaa and runs for 2000 ns, then it is
 * prog-bbb, which runs for 1000 ns and renames itself meanwhile.
 */
#include <sqlite3.h>

#include "report_print_fixture.h"
#include "walk/lives.h"

REPORT_FIXTURE(print);

static void tell(struct story *s)
{
	STORY(s, "names@1; name 11 parent; name 20 prog-aaa; 10000 20/20 begins parent");
	story_event(s, 20, 20, "prog-bbb", FXT_STR_EXEC, 10500);
	/* The process's cgroup is called "lost". */
	BUILD(&s->b, fxt_kernel_object(4, FXT_OBJECT_PROCESS, fxt_string_ref_inline(8), 1), 20);
	BUILD_TEXT(&s->b, "prog-bbb");
	BUILD(&s->b, fxt_arg_string(1, FXT_STR_CGROUP, FXT_STR_LOST));
	s->now->written++;
	STORY(s, "0@1000 0>20; 3000 20>11 X; 10200 wake 20 by 11; 10300 11>20 S; 11300 20>0 X; "
		 "end 13000");
	story_instant(s, 10500, 20, 20, FXT_STR_EXEC);
}

static unsigned int lines_with(const char *text, const char *a, const char *b)
{
	unsigned int n = 0;
	const char *end;
	char line[1024];

	for (; *text; text = *end ? end + 1 : end) {
		end = strchrnul(text, '\n');
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		n += strstr(line, a) && strstr(line, b);
	}
	return n;
}

static int convert(FIXTURE_DATA(print) *self, const char *to, const char *output)
{
	tell(&self->s);
	if (store(self))
		return -1;
	return FXT("convert", "--to", to, "-o", output, self->path);
}

/* Tracks are keyed by thread ids, so later owners of an id get ids from 0x40000000 on. */
TEST_F(print, json_tracks)
{
	const char *o;

	ASSERT_EQ(0, convert(self, "json", "-")) TH_LOG("%s", self->t.err);
	o = self->t.out;
	EXPECT_EQ(1U, lines_with(o, "\"pid\":20,\"tid\":", "\"name\":\"Running\""));
	EXPECT_EQ(1U, lines_with(o, "\"tid\":107374", "\"name\":\"Running\""));
	EXPECT_EQ(1U, lines_with(o, "\"tid\":107374", "\"args\":{\"name\":\"prog-bbb\","
						       "\"fxt_args\":{\"process\":20"));
	EXPECT_EQ(1U, lines_with(o, "\"tid\":107374", "\"args\":{\"name\":\"prog-bbb\"}"));
	EXPECT_EQ(1U, lines_with(o, "\"pid\":107374", "\"exec\""));
	EXPECT_EQ(0U, lines_with(o, "\"pid\":20,\"tid\":", "prog-bbb"));
	EXPECT_EQ(1U, lines_with(o, "\"pid\":107374", "\"labels\":\"lost\""));
	EXPECT_EQ(0U, lines_with(o, "\"pid\":20,\"tid\":", "labels"));
	EXPECT_EQ(0U, lines_with(o, "\"tid\":107374", "prog-aaa"));
}

/* ftrace keeps the id; the line of the fork shows that it belongs to a new thread. */
TEST_F(print, ftrace_lines)
{
	const char *o;

	ASSERT_EQ(0, convert(self, "ftrace", "-")) TH_LOG("%s", self->t.err);
	o = self->t.out;
	EXPECT_EQ(1U, lines_with(o, "prev_comm=prog-aaa", "sched_switch"));
	EXPECT_EQ(1U, lines_with(o, "task_newtask: pid=20 comm=parent", "0.000010200"));
	EXPECT_EQ(1U, lines_with(o, "task_rename: pid=20 oldcomm=parent newcomm=prog-bbb",
				 "0.000010500"));
	EXPECT_EQ(1U, lines_with(o, "prev_comm=prog-bbb", "0.000011300"));
	EXPECT_EQ(1U, lines_with(o, "task_rename", "")) TH_LOG("%s", o);
}

static int keep_text(void *arg, int count, char **values, char **names)
{
	char *text = arg;

	for (int i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s ", values[i] ?: "-");
	return 0;
}

TEST_F(print, tables)
{
	char path[] = "/tmp/fxt_lives_XXXXXX", text[1024] = "";
	sqlite3 *db;

	close(mkstemp(path));
	unlink(path);
	ASSERT_EQ(0, convert(self, "sqlite", path)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(SQLITE_OK, sqlite3_open(path, &db));
	sqlite3_exec(db, "select t.name, t.start_ts, t.end_ts, p.name, p.pid, sum(dur) "
			 "from thread t join process p using (upid) join sched using (utid) "
			 "where tid = 20 group by utid order by sum(dur)", keep_text, text, NULL);
	EXPECT_STREQ("prog-bbb 10000 11300 prog-bbb 20 1000 prog-aaa - 3000 prog-aaa 20 2000 ",
		     text);
	text[0] = '\0';
	sqlite3_exec(db, "select count(*) from thread where tid = 20", keep_text, text, NULL);
	EXPECT_STREQ("2 ", text);
	text[0] = '\0';
	sqlite3_exec(db, "select t.name from slice s join thread_track k on s.track_id = k.id "
			 "join thread t using (utid) where s.name = 'exec'", keep_text, text, NULL);
	EXPECT_STREQ("prog-bbb ", text);
	sqlite3_close(db);
	unlink(path);
}

/* 21 is a thread of 20, and later of 11. Each event counts for the owner at its time. */
TEST_F(print, by_process)
{
	char path[] = "/tmp/fxt_lives_XXXXXX";

	STORY(&self->s, "names@1; name 11 parent; name 20 prog-aaa; name 21/20 thread-aaa; "
			"12000 21/11 begins thread-ccc; 0@1000 0>20; 3000 20>21 S; 4000 21>0 Z; "
			"12100 wake 21 by 11; 12200 0>21; 12700 21>0 S; end 13000");
	EXPECT_EQ(0, FXT("dump", "--type", "context_switch", "--pid", "11", self->path));
	EXPECT_EQ(2U, lines_with(self->t.out, "", "context_switch")) TH_LOG("%s", self->t.out);
	EXPECT_EQ(0, FXT("dump", "--type", "context_switch", "--pid", "20", self->path));
	EXPECT_EQ(3U, lines_with(self->t.out, "", "context_switch")) TH_LOG("%s", self->t.out);
	close(mkstemp(path));
	EXPECT_EQ(0, FXT("cut", "--pid", "20", "-o", path, self->path)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, FXT("dump", "--type", "context_switch", "--pid", "20", path));
	EXPECT_EQ(3U, lines_with(self->t.out, "", "context_switch")) TH_LOG("%s", self->t.out);
	unlink(path);
}

/* Learn a thread's record with the time of its fork, or without a fork; see lives_learn(). */
static void learn(struct lives *l, uint64_t process, uint64_t from)
{
	struct fxt_content c = {
		.kind = FXT_KIND_KERNEL_OBJECT, .object_type = FXT_OBJECT_THREAD, .object = 5,
		.arg_count = 1,
		.args[0] = { .type = FXT_ARG_KOID, .u64 = process,
			     .name = { .bytes = "process", .length = 7,
				       .known = FXT_STR_PROCESS } },
	};

	lives_learn(l, &c, from);
}

static uint64_t process_at(const struct lives *l, uint64_t time, uint64_t nth)
{
	uint64_t found = UINT64_MAX;
	const struct life *life = lives_find(l, 5, time, &found);

	return life && life->has_process && found == nth ? life->process : 0;
}

/* Parts of a recording repeat the records of forks, which may come in any order. */
TEST(lives_in_any_order)
{
	struct lives l = { .count = 0 };

	EXPECT_EQ(NULL, lives_find(&l, 5, 0, NULL));
	learn(&l, 103, 30);
	EXPECT_EQ(103U, process_at(&l, 0, 0));
	EXPECT_FALSE(l.is_reused);
	learn(&l, 101, 10);
	learn(&l, 102, 20);
	learn(&l, 101, 10);
	learn(&l, 102, 20);
	learn(&l, 103, 30);
	EXPECT_TRUE(l.is_reused);
	EXPECT_EQ(101U, process_at(&l, 0, 0));
	EXPECT_EQ(101U, process_at(&l, 19, 0));
	EXPECT_EQ(102U, process_at(&l, 20, 1));
	EXPECT_EQ(102U, process_at(&l, 29, 1));
	EXPECT_EQ(103U, process_at(&l, 30, 2));
	/* A record without a fork is of the newest thread. */
	learn(&l, 104, 0);
	EXPECT_EQ(104U, process_at(&l, 31, 2));
	EXPECT_EQ(102U, process_at(&l, 29, 1));
	lives_free(&l);
}
