// SPDX-License-Identifier: GPL-2.0-or-later
/* fxt report --json: each field has its known value, and the JSON agrees with the text. */
#include "fxt/report/json/json.h"
#include "fxt/report/text/sections.h"
#include "fxt/report/text/text.h"
#include "json_get.h"
#include "report_print_fixture.h"

REPORT_FIXTURE(print);

#define LINE	512

static struct json_object *nth(struct json_object *j, const char *key, size_t i)
{
	return json_object_array_get_idx(member(j, key), i);
}

static const char *string(struct json_object *j, const char *key)
{
	struct json_object *v = member(j, key);

	return v ? json_object_get_string(v) : "(null)";
}

#define PARSE()									\
	do {									\
		json_object_put(self->j);					\
		self->j = json_tokener_parse(self->t.out);			\
		ASSERT_NE(NULL, self->j) TH_LOG("%.400s", self->t.out);		\
	} while (0)

TEST_F(print, json)
{
	struct json_object *j, *w;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	j = self->j;
	EXPECT_STREQ(self->path, string(j, "file"));
	EXPECT_EQ(1000, number(j, "first_ns"));
	EXPECT_EQ(31000, number(j, "last_ns"));
	EXPECT_EQ(9, number(j, "switches"));
	EXPECT_EQ(3, number(j, "wakeups"));
	EXPECT_EQ(1000, number(j, "from_ns"));
	EXPECT_EQ(31000, number(j, "to_ns"));
	EXPECT_EQ(2, number(j, "cpus_counted"));
	EXPECT_EQ(4, number(j, "threads_counted"));
	EXPECT_EQ(2, number(j, "processes_counted"));
	EXPECT_EQ(30700, number(j, "busy_ns"));
	EXPECT_EQ(20500, number(j, "idle_ns"));
	EXPECT_EQ(9, number(j, "switches_counted"));
	EXPECT_STREQ("run", string(j, "sort"));
	EXPECT_EQ(1 / 32.0, json_object_get_double(member(j, "relative_error")));
	EXPECT_EQ(3, number(member(j, "woken"), "count"));
	EXPECT_EQ(4800, number(member(j, "woken"), "sum_ns"));
	EXPECT_EQ(9000, number(member(j, "preempted"), "sum_ns") + 4000);
	w = nth(j, "cpus", 1);
	EXPECT_EQ(1, number(w, "cpu"));
	EXPECT_EQ(21200, number(w, "busy_ns"));
	EXPECT_EQ(0, number(w, "idle_ns"));
	EXPECT_EQ(8800, number(w, "unknown_ns"));
	EXPECT_EQ(4, number(w, "switches"));
	EXPECT_EQ(11200, number(w, "longest_ns"));
	EXPECT_EQ(9800, number(w, "longest_from_ns"));
	EXPECT_EQ(21, number(w, "longest_tid"));
	EXPECT_STREQ("other", string(w, "longest_name"));
	w = nth(j, "processes", 1);
	EXPECT_EQ(11, number(w, "pid"));
	EXPECT_EQ(3, number(w, "threads"));
	EXPECT_EQ(13500, number(w, "run_ns"));
	EXPECT_EQ(2, number(w, "unknown_waits"));
}

TEST_F(print, json_of_waits)
{
	struct json_object *j, *w;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	j = self->j;
	w = nth(j, "worst", 1);
	EXPECT_EQ(5000, number(w, "time_ns"));
	EXPECT_EQ(3000, number(w, "latency_ns"));
	EXPECT_STREQ("woken", string(w, "kind"));
	EXPECT_EQ(0, number(w, "cpu"));
	EXPECT_EQ(12, number(w, "tid"));
	EXPECT_STREQ("twelve", string(w, "name"));
	EXPECT_EQ(11, number(w, "waker_tid"));
	EXPECT_STREQ("eleven", string(w, "waker_name"));
	EXPECT_FALSE(json_object_get_boolean(member(w, "waker_idle")));
	EXPECT_EQ(NULL, member(w, "waker_irq"));
	EXPECT_EQ(NULL, member(w, "waker_irq_cpu"));
	EXPECT_EQ(0, number(w, "from_cpu"));
	EXPECT_FALSE(json_object_get_boolean(member(w, "occupants_are_part")));
	EXPECT_EQ(1U, json_object_array_length(member(w, "occupants")));
	EXPECT_EQ(11, number(nth(w, "occupants", 0), "tid"));
	EXPECT_STREQ("eleven", string(nth(w, "occupants", 0), "name"));
	EXPECT_EQ(3000, number(nth(w, "occupants", 0), "ns"));
	w = nth(j, "worst", 3);
	EXPECT_EQ(NULL, member(w, "waker_tid"));
	EXPECT_EQ(NULL, member(w, "waker_name"));
	EXPECT_STREQ("hard", string(w, "waker_irq"));
	EXPECT_EQ(1, number(w, "waker_irq_cpu"));
	EXPECT_EQ(0U, json_object_array_length(member(nth(j, "worst", 4), "occupants")));
	EXPECT_EQ(NULL, member(nth(j, "worst", 0), "waker_tid"));
	w = member(j, "losses");
	EXPECT_TRUE(json_object_get_boolean(member(w, "told")));
	EXPECT_EQ(0, number(w, "lost"));
	EXPECT_EQ(18, number(w, "written"));
	EXPECT_EQ(2, number(w, "unknown_waits"));
	EXPECT_EQ(0, number(w, "violations"));
	EXPECT_EQ(NULL, member(w, "filtered"));
}

TEST_F(print, json_of_a_thread)
{
	struct json_object *t, *w, *bucket;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--json", "--sort", "pid")) TH_LOG("%s", self->t.err);
	PARSE();
	t = nth(self->j, "threads", 1);
	EXPECT_EQ(12, number(t, "tid"));
	EXPECT_EQ(11, number(t, "pid"));
	EXPECT_STREQ("twelve", string(t, "name"));
	EXPECT_EQ(5000, number(t, "run_ns"));
	EXPECT_EQ(5000 / 60000.0, json_object_get_double(member(t, "share")));
	EXPECT_EQ(2, number(t, "switches"));
	EXPECT_EQ(0, number(t, "preempted"));
	EXPECT_EQ(1, number(t, "migrations"));
	EXPECT_EQ(2, number(t, "wakeups"));
	EXPECT_EQ(0, number(t, "unknown_waits"));
	EXPECT_EQ(NULL, member(t, "preempted_waits"));
	w = member(t, "woken");
	EXPECT_EQ(2, number(w, "count"));
	EXPECT_EQ(4000, number(w, "sum_ns"));
	/* 1000 is in the bucket of 992 to 1007. */
	EXPECT_EQ(1007, number(w, "p50_ns"));
	EXPECT_EQ(3000, number(w, "p90_ns"));
	EXPECT_EQ(3000, number(w, "p99_ns"));
	EXPECT_EQ(3000, number(w, "p99_9_ns"));
	EXPECT_EQ(3000, number(w, "max_ns"));
	EXPECT_EQ(5000, number(w, "max_time_ns"));
	EXPECT_EQ(0, number(w, "max_cpu"));
	ASSERT_EQ(2U, json_object_array_length(member(w, "histogram")));
	bucket = nth(w, "histogram", 0);
	EXPECT_EQ(992, json_object_get_int64(json_object_array_get_idx(bucket, 0)));
	EXPECT_EQ(1007, json_object_get_int64(json_object_array_get_idx(bucket, 1)));
	EXPECT_EQ(1, json_object_get_int64(json_object_array_get_idx(bucket, 2)));
	ASSERT_EQ(2U, json_object_array_length(member(t, "wakers")));
	EXPECT_EQ(NULL, member(nth(t, "wakers", 0), "tid"));
	EXPECT_EQ(NULL, member(nth(t, "wakers", 0), "name"));
	EXPECT_STREQ("hard", string(nth(t, "wakers", 0), "irq"));
	EXPECT_EQ(11, number(nth(t, "wakers", 1), "tid"));
	EXPECT_EQ(NULL, member(nth(t, "wakers", 1), "irq"));
	EXPECT_EQ(1, number(nth(t, "wakers", 1), "count"));
	EXPECT_EQ(0, number(nth(t, "wakers", 1), "over"));
}

/* There are more wakers than counters, so only wakers that certainly have wakeups are listed. */
TEST_F(print, many_wakers)
{
	struct json_object *w;
	uint32_t i, waker;

	story_names_of_report(&self->s);
	story_chunk(&self->s, 0, 1000);
	for (i = 0; i < 600; i++) {
		waker = i % 2 && i > 100 ? 21 : 1000 + i;
		STORY(&self->s, "% 11>% S; % wake 11 by % on 0; % %>11", 1000 + 100 * i, waker,
				1020 + 100 * i, waker, 1050 + 100 * i, waker);
	}
	STORY(&self->s, "70000 wake 12 by 11 on 0; end 71000");
	ASSERT_EQ(0, REPORT("--comm", "eleven")) TH_LOG("%s", self->t.err);
	EXPECT_LINE("      11  eleven          > 42% other/21");
	ASSERT_EQ(0, REPORT("--json", "--comm", "eleven")) TH_LOG("%s", self->t.err);
	PARSE();
	w = nth(nth(self->j, "threads", 0), "wakers", 0);
	EXPECT_EQ(21, number(w, "tid"));
	EXPECT_LT(0, number(w, "over"));
	EXPECT_EQ(250, number(w, "count") - number(w, "over"));
	ASSERT_EQ(0, REPORT("--comm", "other")) TH_LOG("%s", self->t.err);
	EXPECT_NO("woken most often by");
}

static int64_t waited(struct json_object *j)
{
	struct json_object *woken = member(j, "woken"), *preempted = member(j, "preempted_waits");

	return (woken ? number(woken, "sum_ns") : 0) +
	       (preempted ? number(preempted, "sum_ns") : 0);
}

/* Write the line that the text must have for a thread or process. */
static void line_of(char line[LINE], struct json_object *j, bool is_thread)
{
	snprintf(line, LINE, "%8s %8s %6s %6s %6s %8s %7s %6s  %s\n",
		 id_label(number(j, "pid")).text, is_thread ? id_label(number(j, "tid")).text :
			     count_label(number(j, "threads")).text,
		 time_label(number(j, "run_ns")).text,
		 share_label(json_object_get_double(member(j, "share"))).text,
		 time_label(waited(j)).text, count_label(number(j, "switches")).text,
		 count_label(number(j, "preempted")).text,
		 count_label(number(j, "migrations")).text, string(j, "name"));
}

static void waits_of(char line[LINE], struct json_object *j, const char *kind, bool is_thread)
{
	struct json_object *w = member(j, kind);

	snprintf(line, LINE, "%8s %6s %6s %6s %6s %6s %6s  ",
		 id_label(number(j, is_thread ? "tid" : "pid")).text,
		 count_label(number(w, "count")).text, time_label(number(w, "p50_ns")).text,
		 time_label(number(w, "p90_ns")).text, time_label(number(w, "p99_ns")).text,
		 time_label(number(w, "p99_9_ns")).text, time_label(number(w, "max_ns")).text);
}

/* Sums over all threads equal those over all processes, and the totals of the archive. */
TEST_F(print, json_is_text)
{
	static const char *const lists[] = { "processes", "threads" };
	static const char *const kinds[] = { "woken", "preempted_waits" };
	int64_t run[2] = { 0 }, waits[2] = { 0 };
	char line[LINE];

	ASSERT_EQ(0, generate_sched(self->fd, 100000, 4));
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	ASSERT_EQ(0, REPORT("--top", "100000")) TH_LOG("%s", self->t.err);
	for (size_t list = 0; list < 2; list++) {
		size_t count = json_object_array_length(member(self->j, lists[list]));

		ASSERT_LT(10U, count);
		for (size_t i = 0; i < count; i++) {
			struct json_object *j = nth(self->j, lists[list], i);

			run[list] += number(j, "run_ns");
			line_of(line, j, list);
			ASSERT_NE(NULL, strstr(self->t.out, line)) TH_LOG("%s", line);
			for (size_t kind = 0; kind < 2; kind++) {
				if (!member(j, kinds[kind]))
					continue;
				waits[list] += number(member(j, kinds[kind]), "sum_ns");
				waits_of(line, j, kinds[kind], list);
				ASSERT_NE(NULL, strstr(self->t.out, line)) TH_LOG("%s", line);
			}
		}
	}
	EXPECT_EQ(run[0], run[1]);
	EXPECT_EQ(run[0], number(self->j, "busy_ns"));
	EXPECT_EQ(waits[0], waits[1]);
	EXPECT_EQ(waits[0], number(member(self->j, "woken"), "sum_ns") +
			    number(member(self->j, "preempted"), "sum_ns"));
}

/* Without --top, all threads are listed; with it, only that many, as in text. */
TEST_F(print, top)
{
	ASSERT_EQ(0, generate_sched(self->fd, 20000, 2));
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	EXPECT_EQ((size_t)number(self->j, "threads_counted"),
		  json_object_array_length(member(self->j, "threads")));
	EXPECT_EQ(10U, json_object_array_length(member(self->j, "worst")));
	ASSERT_EQ(0, REPORT("--json", "--top", "3")) TH_LOG("%s", self->t.err);
	PARSE();
	EXPECT_EQ(3U, json_object_array_length(member(self->j, "threads")));
	EXPECT_EQ(3U, json_object_array_length(member(self->j, "processes")));
	EXPECT_EQ(3U, json_object_array_length(member(self->j, "names")));
	EXPECT_EQ(3U, json_object_array_length(member(self->j, "worst")));
	ASSERT_EQ(0, REPORT("--top", "3")) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.out, "\nThreads: the first 3 of ");
}
