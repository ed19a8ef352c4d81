// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_print_test.c - fxt report as people run it: text, JSON, options, terminals.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../collector/tool/report_print.h"
#include "generate.h"
#include "report_story.h"
#include "tool.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"

#define COLUMNS	80
#define LINE	512

FIXTURE(print)
{
	struct story s;
	int fd;
	char path[64];
	struct tool t;
	struct json_object *j;
};

FIXTURE_SETUP(print)
{
	story_begin(&self->s);
	self->fd = memfd_create("report", MFD_CLOEXEC);
	ASSERT_LE(0, self->fd);
	snprintf(self->path, sizeof(self->path), "/proc/%d/fd/%d", getpid(), self->fd);
	setenv("LC_ALL", "C.UTF-8", 1);
}

FIXTURE_TEARDOWN(print)
{
	json_object_put(self->j);
	tool_free(&self->t);
	build_free(&self->s.b);
	close(self->fd);
}

static int store(FIXTURE_DATA(print) *self)
{
	size_t bytes = built_bytes(&self->s.b);

	return write(self->fd, self->s.b.words, bytes) == (ssize_t)bytes ? 0 : -1;
}

#define REPORT(...)								\
	(tool_free(&self->t),							\
	 tool_run(&self->t, (const char *[]){ "report", ##__VA_ARGS__, self->path, NULL }))

#define EXPECT_LINE(line)							\
	EXPECT_NE(NULL, strstr(self->t.out, "\n" line "\n")) TH_LOG("%s\n%s", line, self->t.out)

#define EXPECT_NO(text)								\
	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s\n%s", text, self->t.out)

/* --- text ------------------------------------------------------------------------- */

TEST_F(print, text)
{
	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("0.030 s on 2 CPUs, 9 switches, 3 wakeups, 0 records lost");
	EXPECT_LINE("4 threads of 2 processes, CPUs busy 51.17%, idle 34.17%");
	EXPECT_LINE("       0  31.67%  68.33%     0.00%        5      166.7  4.00ms  eleven/11");
	EXPECT_LINE("       1  70.67%   0.00%    29.33%        4      133.3  11.2ms  other/21");
	EXPECT_LINE("      21        1 17.2ms 28.67%        2       1      0       1  other");
	EXPECT_LINE("      11        3 13.5ms 22.50%        4       1      1       2  eleven");
	EXPECT_LINE("      11       12 5.00ms  8.33%        2       0      1       2  twelve");
	EXPECT_LINE("      12      2 1.02ms 3.00ms 3.00ms 3.00ms 3.00ms      ██       twelve");
	EXPECT_LINE("      21      1 4.00ms 4.00ms 4.00ms 4.00ms 4.00ms       █       other");
	EXPECT_LINE("      12  twelve            50% (idle)                 50% eleven/11");
	EXPECT_LINE("  4.00ms  preempted cpu 1     at 0.025000000 s  other/21\n"
		    "          twelve/12 ran 4.00ms (100%)");
	EXPECT_LINE("  3.00ms  woken     cpu 0     at 0.005000000 s  twelve/12\n"
		    "          eleven/11 ran 3.00ms (100%), woken by eleven/11");
	EXPECT_LINE("   800us  woken     cpu 1     at 0.009800000 s  other/21\n"
		    "          who ran is not known, woken by eleven/11");
	EXPECT_LINE("lost: 0 of 18 records");
	EXPECT_LINE("waits whose beginning is not known, and that count nowhere: 2");
	EXPECT_NO("of these");
	EXPECT_NO("the first");
	ASSERT_EQ(0, REPORT("--top", "4"));
	EXPECT_NO("the first");
	ASSERT_EQ(0, REPORT("--top", "3"));
	EXPECT_LINE("Threads: the first 3 of 4");
	EXPECT_NO("\033");
}

TEST_F(print, ascii)
{
	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, store(self));
	setenv("LC_ALL", "C", 1);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("      12      2 1.02ms 3.00ms 3.00ms 3.00ms 3.00ms      @@       twelve");
	EXPECT_EQ(NULL, strchr(self->t.out, '\xe2'));
}

TEST_F(print, filtered)
{
	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT("--cpu", "1", "--from", "+0.004", "--comm", "tw*"))
		TH_LOG("%s", self->t.err);
	EXPECT_LINE("of these 0.026 s on 1 CPU, from 0.005000000: 4 switches");
	EXPECT_LINE("      11       12 4.00ms 15.38%        1       0      1       1  twelve");
	EXPECT_NO("  other\n");
	EXPECT_LINE("0.030 s on 2 CPUs, 9 switches, 3 wakeups, 0 records lost");
}

TEST_F(print, losses)
{
	struct story *s = &self->s;

	story_names_of_report(s);
	story_lose(s, STORY_NAMES, 2, 1);
	story_chunk(s, 0, 1000);
	story_switch(s, 1000, 0, 11, FXT_THREAD_NEW);
	story_wake(s, 2000, 0, 12, 11);
	story_lose(s, 0, 7, 7000);
	story_switch(s, 7000, 11, 12, FXT_THREAD_NEW);
	story_end(s, 8000);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("lost: 9 of 18 records\n  cpu 0: 7, within 5.00us\n  names: 2");
}

/* An archive that nobody else's tool has counted. */
TEST_F(print, no_ledgers)
{
	struct story *s = &self->s;

	BUILD(&s->b, fxt_provider_event(FXT_SCHED_PROVIDER_ID, FXT_PROVIDER_EVENT_BUFFER_FULL));
	story_state(s, 1000, 0, 11, 12, (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	story_state(s, 3000, 0, 12, 11, (struct fxt_sched_state){ FXT_THREAD_NEW, 0 });
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("lost: not told; buffers were full 1 times");
	EXPECT_LINE("       ?        2 2.00us   100%        2       1      0       0  ?");
}

/* --- width -------------------------------------------------------------------------- */

/* Columns of a line, if no character of it is wide. */
static size_t width_of(const char *line, size_t bytes)
{
	size_t i, n = 0;

	for (i = 0; i < bytes; i++)
		n += (line[i] & 0xc0) != 0x80;
	return n;
}

static void expect_narrow(struct __test_metadata *_metadata, const char *text)
{
	const char *end;

	for (; (end = strchr(text, '\n')); text = end + 1)
		EXPECT_GE(COLUMNS, (int)width_of(text, end - text))
			TH_LOG("%.*s", (int)(end - text), text);
}

TEST_F(print, width)
{
	static const char *const names[] = {
		"a-name-of-fifteen-and-far-more-characters-than-that", "\xff\xfe\x01\x02\x03\x04\x05\x06",
		"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\",
		"\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc",
	};
	struct story *s = &self->s;
	uint64_t time = 4000000000000000000;
	uint32_t i;

	story_chunk(s, STORY_NAMES, 1);
	for (i = 0; i < 4; i++)
		story_name(s, 4000000000u + i, 4000000000u + i, names[i]);
	story_chunk(s, 0, 1000);
	story_switch(s, 1000, 0, 4000000000u, FXT_THREAD_NEW);
	story_wake(s, 2000, 0, 4000000001u, 4000000000u);
	story_wake(s, 3000, 0, 4000000002u, 4000000001u);
	for (i = 0; i < 20; i++, time += 300000000)
		story_switch(s, time, 4000000000u + i % 4, 4000000000u + (i + 1) % 4, FXT_THREAD_NEW);
	story_end(s, time);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	expect_narrow(_metadata, self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "  a-name-of-fift~\n")) TH_LOG("%s", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "~0000001 ")) TH_LOG("%s", self->t.out);
	EXPECT_NE(NULL, strstr(self->t.out, "  127y")) TH_LOG("%s", self->t.out);
}

TEST_F(print, width_of_many)
{
	ASSERT_EQ(0, generate_sched(self->fd, 50000, 4));
	ASSERT_EQ(0, REPORT("--top", "1000")) TH_LOG("%s", self->t.err);
	expect_narrow(_metadata, self->t.out);
}

TEST(labels)
{
	EXPECT_STREQ("0ns", report_time_label(0).text);
	EXPECT_STREQ("999ns", report_time_label(999).text);
	EXPECT_STREQ("1.00us", report_time_label(1000).text);
	EXPECT_STREQ("9.99us", report_time_label(9994).text);
	EXPECT_STREQ("10.0us", report_time_label(9996).text);
	EXPECT_STREQ("99.9us", report_time_label(99940).text);
	EXPECT_STREQ("100us", report_time_label(99960).text);
	EXPECT_STREQ("999us", report_time_label(999400).text);
	EXPECT_STREQ("1.00ms", report_time_label(999600).text);
	EXPECT_STREQ("1.00s", report_time_label(999600000).text);
	EXPECT_STREQ("99999s", report_time_label(99999000000000).text);
	EXPECT_STREQ("27.8h", report_time_label(100000000000000).text);
	EXPECT_STREQ("585y", report_time_label(UINT64_MAX).text);
	EXPECT_STREQ("999999", report_count_label(999999).text);
	EXPECT_STREQ("1.00M", report_count_label(1000000).text);
	EXPECT_STREQ("1.00G", report_count_label(999600000).text);
	EXPECT_STREQ("18.4E", report_count_label(UINT64_MAX).text);
	EXPECT_STREQ("0.00%", report_share_label(0).text);
	EXPECT_STREQ("99.99%", report_share_label(0.9999).text);
	EXPECT_STREQ("100%", report_share_label(1).text);
	EXPECT_STREQ("99999999", report_id_label(99999999).text);
	EXPECT_STREQ("~0000000", report_id_label(100000000).text);
}

/* Classes begin where the first value that is too long for the one before is. */
TEST(classes)
{
	struct report_hist h = { 0 };
	uint64_t counts[REPORT_CLASSES];

	ASSERT_EQ(0, report_hist_add(&h, 0));
	ASSERT_EQ(0, report_hist_add(&h, 4095));
	ASSERT_EQ(0, report_hist_add(&h, 4096));
	ASSERT_EQ(0, report_hist_add(&h, 16383));
	ASSERT_EQ(0, report_hist_add(&h, report_class_limit(REPORT_CLASSES - 2) - 1));
	ASSERT_EQ(0, report_hist_add(&h, report_class_limit(REPORT_CLASSES - 2)));
	ASSERT_EQ(0, report_hist_add(&h, UINT64_MAX));
	report_classes(&h, counts);
	EXPECT_EQ(2U, counts[0]);
	EXPECT_EQ(2U, counts[1]);
	EXPECT_EQ(0U, counts[2]);
	EXPECT_EQ(1U, counts[REPORT_CLASSES - 2]);
	EXPECT_EQ(2U, counts[REPORT_CLASSES - 1]);
	report_hist_free(&h);
}

/* --- JSON -------------------------------------------------------------------------------- */

static struct json_object *at(struct json_object *j, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(j, key, &v);
	return v;
}

static struct json_object *nth(struct json_object *j, const char *key, size_t i)
{
	return json_object_array_get_idx(at(j, key), i);
}

static int64_t number(struct json_object *j, const char *key)
{
	struct json_object *v = at(j, key);

	return v ? json_object_get_int64(v) : -1;
}

static const char *string(struct json_object *j, const char *key)
{
	struct json_object *v = at(j, key);

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
	ASSERT_EQ(0, store(self));
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
	EXPECT_EQ(1 / 32.0, json_object_get_double(at(j, "relative_error")));
	EXPECT_EQ(3, number(at(j, "woken"), "count"));
	EXPECT_EQ(4800, number(at(j, "woken"), "sum_ns"));
	EXPECT_EQ(9000, number(at(j, "preempted"), "sum_ns") + 4000);
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
	w = nth(j, "worst", 1);
	EXPECT_EQ(5000, number(w, "time_ns"));
	EXPECT_EQ(3000, number(w, "latency_ns"));
	EXPECT_STREQ("woken", string(w, "kind"));
	EXPECT_EQ(0, number(w, "cpu"));
	EXPECT_EQ(12, number(w, "tid"));
	EXPECT_STREQ("twelve", string(w, "name"));
	EXPECT_EQ(11, number(w, "waker_tid"));
	EXPECT_STREQ("eleven", string(w, "waker_name"));
	EXPECT_EQ(11, number(w, "instead_tid"));
	EXPECT_EQ(3000, number(w, "instead_ns"));
	EXPECT_FALSE(json_object_get_boolean(at(w, "instead_is_part")));
	EXPECT_EQ(NULL, at(nth(j, "worst", 4), "instead_ns"));
	EXPECT_EQ(NULL, at(nth(j, "worst", 0), "waker_tid"));
	w = at(j, "losses");
	EXPECT_TRUE(json_object_get_boolean(at(w, "told")));
	EXPECT_EQ(0, number(w, "lost"));
	EXPECT_EQ(18, number(w, "written"));
	EXPECT_EQ(2, number(w, "unknown_waits"));
	EXPECT_EQ(0, number(w, "violations"));
	EXPECT_EQ(NULL, at(w, "filtered"));
}

TEST_F(print, json_of_a_thread)
{
	struct json_object *t, *w, *bucket;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, REPORT("--json", "--sort", "pid")) TH_LOG("%s", self->t.err);
	PARSE();
	t = nth(self->j, "threads", 1);
	EXPECT_EQ(12, number(t, "tid"));
	EXPECT_EQ(11, number(t, "pid"));
	EXPECT_STREQ("twelve", string(t, "name"));
	EXPECT_EQ(5000, number(t, "run_ns"));
	EXPECT_EQ(5000 / 60000.0, json_object_get_double(at(t, "share")));
	EXPECT_EQ(2, number(t, "switches"));
	EXPECT_EQ(0, number(t, "preempted"));
	EXPECT_EQ(1, number(t, "migrations"));
	EXPECT_EQ(2, number(t, "wakeups"));
	EXPECT_EQ(0, number(t, "unknown_waits"));
	EXPECT_EQ(NULL, at(t, "preempted_waits"));
	w = at(t, "woken");
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
	ASSERT_EQ(2U, json_object_array_length(at(w, "histogram")));
	bucket = nth(w, "histogram", 0);
	EXPECT_EQ(992, json_object_get_int64(json_object_array_get_idx(bucket, 0)));
	EXPECT_EQ(1007, json_object_get_int64(json_object_array_get_idx(bucket, 1)));
	EXPECT_EQ(1, json_object_get_int64(json_object_array_get_idx(bucket, 2)));
	ASSERT_EQ(2U, json_object_array_length(at(t, "wakers")));
	EXPECT_EQ(0, number(nth(t, "wakers", 0), "tid"));
	EXPECT_STREQ("(idle)", string(nth(t, "wakers", 0), "name"));
	EXPECT_EQ(1, number(nth(t, "wakers", 1), "count"));
	EXPECT_EQ(0, number(nth(t, "wakers", 1), "over"));
}

/* More wakers than have counters: who has one for sure is told, and nobody else. */
TEST_F(print, many_wakers)
{
	struct story *s = &self->s;
	struct json_object *w;
	uint32_t i, waker;

	story_names_of_report(s);
	story_chunk(s, 0, 1000);
	for (i = 0; i < 600; i++) {
		waker = i % 2 && i > 100 ? 21 : 1000 + i;
		story_switch(s, 1000 + 100 * i, 11, waker, FXT_THREAD_BLOCKED);
		story_wake(s, 1020 + 100 * i, 0, 11, waker);
		story_switch(s, 1050 + 100 * i, waker, 11, FXT_THREAD_NEW);
	}
	story_wake(s, 70000, 0, 12, 11);
	story_end(s, 71000);
	ASSERT_EQ(0, store(self));
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

/* What the text must have in the line of a thread or process. */
static void line_of(char line[LINE], struct json_object *j, bool is_thread)
{
	snprintf(line, LINE, "%8s %8s %6s %6s %8s %7s %6s %7s  %s\n",
		 report_id_label(number(j, "pid")).text,
		 is_thread ? report_id_label(number(j, "tid")).text :
			     report_count_label(number(j, "threads")).text,
		 report_time_label(number(j, "run_ns")).text,
		 report_share_label(json_object_get_double(at(j, "share"))).text,
		 report_count_label(number(j, "switches")).text,
		 report_count_label(number(j, "preempted")).text,
		 report_count_label(number(j, "migrations")).text,
		 report_count_label(number(j, "wakeups")).text, string(j, "name"));
}

static void waits_of(char line[LINE], struct json_object *j, const char *kind, bool is_thread)
{
	struct json_object *w = at(j, kind);

	snprintf(line, LINE, "%8s %6s %6s %6s %6s %6s %6s  ",
		 report_id_label(number(j, is_thread ? "tid" : "pid")).text,
		 report_count_label(number(w, "count")).text,
		 report_time_label(number(w, "p50_ns")).text,
		 report_time_label(number(w, "p90_ns")).text,
		 report_time_label(number(w, "p99_ns")).text,
		 report_time_label(number(w, "p99_9_ns")).text,
		 report_time_label(number(w, "max_ns")).text);
}

/* Sums over all threads are those of all processes, and of the archive. */
TEST_F(print, json_is_text)
{
	static const char *const lists[] = { "processes", "threads" };
	static const char *const kinds[] = { "woken", "preempted_waits" };
	size_t list, i, kind;
	int64_t run[2] = { 0 }, waits[2] = { 0 };
	char line[LINE];

	ASSERT_EQ(0, generate_sched(self->fd, 100000, 4));
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	ASSERT_EQ(0, REPORT("--top", "100000")) TH_LOG("%s", self->t.err);
	for (list = 0; list < 2; list++) {
		ASSERT_LT(10U, json_object_array_length(at(self->j, lists[list])));
		for (i = 0; i < json_object_array_length(at(self->j, lists[list])); i++) {
			struct json_object *j = nth(self->j, lists[list], i);

			run[list] += number(j, "run_ns");
			line_of(line, j, list);
			ASSERT_NE(NULL, strstr(self->t.out, line)) TH_LOG("%s", line);
			for (kind = 0; kind < 2; kind++) {
				if (!at(j, kinds[kind]))
					continue;
				waits[list] += number(at(j, kinds[kind]), "sum_ns");
				waits_of(line, j, kinds[kind], list);
				ASSERT_NE(NULL, strstr(self->t.out, line)) TH_LOG("%s", line);
			}
		}
	}
	EXPECT_EQ(run[0], run[1]);
	EXPECT_EQ(run[0], number(self->j, "busy_ns"));
	EXPECT_EQ(waits[0], waits[1]);
	EXPECT_EQ(waits[0], number(at(self->j, "woken"), "sum_ns") +
			    number(at(self->j, "preempted"), "sum_ns"));
}

/* Without --top all threads; with it only so many, as in text. */
TEST_F(print, top)
{
	ASSERT_EQ(0, generate_sched(self->fd, 20000, 2));
	ASSERT_EQ(0, REPORT("--json")) TH_LOG("%s", self->t.err);
	PARSE();
	EXPECT_EQ((size_t)number(self->j, "threads_counted"),
		  json_object_array_length(at(self->j, "threads")));
	EXPECT_EQ(10U, json_object_array_length(at(self->j, "worst")));
	ASSERT_EQ(0, REPORT("--json", "--top", "3")) TH_LOG("%s", self->t.err);
	PARSE();
	EXPECT_EQ(3U, json_object_array_length(at(self->j, "threads")));
	EXPECT_EQ(3U, json_object_array_length(at(self->j, "processes")));
	EXPECT_EQ(3U, json_object_array_length(at(self->j, "worst")));
	ASSERT_EQ(0, REPORT("--top", "3")) TH_LOG("%s", self->t.err);
	EXPECT_NE(NULL, strstr(self->t.out, "\nThreads: the first 3 of ")) TH_LOG("%s", self->t.out);
}

/* --- terminals --------------------------------------------------------------------------- */

/* What fxt report writes to a terminal; what does not fit @room is read and dropped. */
static int on_terminal(char *text, size_t room, const char *path, const char *key,
		       const char *value)
{
	char rest[4096];
	int fd, status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	pid = forkpty(&fd, NULL, NULL, NULL);
	if (!pid) {
		setenv("TERM", "xterm", 1);
		unsetenv("NO_COLOR");
		if (key)
			setenv(key, value, 1);
		execl(tool_path(), "fxt", "report", path, NULL);
		_exit(99);
	}
	if (pid < 0)
		return -1;
	while ((got = read(fd, rest, sizeof(rest))) > 0) {
		size_t fits = (size_t)got < room - 1 - n ? (size_t)got : room - 1 - n;

		memcpy(text + n, rest, fits);
		n += fits;
	}
	text[n] = '\0';
	close(fd);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(print, colours)
{
	char text[16384];

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, on_terminal(text, sizeof(text), self->path, NULL, NULL));
	EXPECT_NE(NULL, strstr(text, "\033[1mThreads\033[0m")) TH_LOG("%s", text);
	ASSERT_EQ(0, on_terminal(text, sizeof(text), self->path, "NO_COLOR", ""));
	EXPECT_NE(NULL, strchr(text, '\033'));
	ASSERT_EQ(0, on_terminal(text, sizeof(text), self->path, "NO_COLOR", "1"));
	EXPECT_EQ(NULL, strchr(text, '\033')) TH_LOG("%s", text);
	EXPECT_NE(NULL, strstr(text, "Threads\r\n"));
	ASSERT_EQ(0, on_terminal(text, sizeof(text), self->path, "TERM", "dumb"));
	EXPECT_EQ(NULL, strchr(text, '\033')) TH_LOG("%s", text);
}

/* --- usage ------------------------------------------------------------------------------- */

TEST_F(print, usage)
{
	static const char *const wrong[][2] = {
		{ "--sort", "luck" }, { "--top", "0" }, { "--top", "5x" }, { "--top", "-1" },
		{ "--pid", "x" }, { "--comm", "[a" }, { "--cpu", "3-1" }, { "--from", "soon" },
		{ "--to", "+" }, { "--format", "2016" }, { "--what", "1" },
	};
	size_t i;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, store(self));
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_EQ(2, REPORT(wrong[i][0], wrong[i][1])) TH_LOG("%s", wrong[i][0]);
		EXPECT_EQ(self->t.err, strstr(self->t.err, "fxt: report: ")) TH_LOG("%s", self->t.err);
		EXPECT_EQ(0U, self->t.out_bytes);
	}
	EXPECT_EQ(2, REPORT("another.fxt"));
}

/* What is torn is told, and all before it counts. */
TEST_F(print, torn)
{
	story_of_report(&self->s, 1, false);
	self->s.b.count -= 3;
	ASSERT_EQ(0, store(self));
	EXPECT_EQ(1, REPORT());
	EXPECT_LINE("      11       11 7.50us 12.50%        2       1      0       0  eleven");
	EXPECT_NE(0U, self->t.err_bytes);
	EXPECT_EQ(1, REPORT("--strict"));
}

TEST_F(print, unreadable)
{
	snprintf(self->path, sizeof(self->path), "/does/not/exist");
	EXPECT_EQ(3, REPORT());
}

TEST_HARNESS_MAIN
