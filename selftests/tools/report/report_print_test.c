// SPDX-License-Identifier: GPL-2.0-or-later
/* fxt report as people run it: the text has the known lines in their order, and fits the width. */
#include "cases.h"
#include "fxt/report/text/sections.h"
#include "fxt/report/text/text.h"
#include "report_print_fixture.h"
#include "terminal.h"

REPORT_FIXTURE(print);

#define COLUMNS	80

/* --- text ------------------------------------------------------------------------- */

/* By default, one screen says what was asked, what is missing, where the time went, who waited. */
TEST_F(print, one_screen)
{
	unsigned int i, lines = 0;
	char name[16];

	story_chunk(&self->s, STORY_NAMES, 1);
	for (i = 100; i < 200; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		story_name(&self->s, i, i, name);
	}
	STORY(&self->s, "0@1000000 0>100");
	for (i = 101; i < 200; i++) {
		story_wake(&self->s, i * 1000000, 0, i, 100);
		story_switch(&self->s, i * 1000000 + 1000 * i, i - 1, i, FXT_THREAD_BLOCKED);
	}
	story_end(&self->s, 200000000);
	ASSERT_EQ(0, FXT("report", self->path));
	for (i = 0; self->t.out[i]; i++)
		lines += self->t.out[i] == '\n';
	EXPECT_GT(60U, lines) TH_LOG("%s", self->t.out);
	EXPECT_HAS("\nscope: the whole machine: 100 threads\n\nUnknown / lost\nlost: 0 of ");
	GOLDEN("Where the time of these threads went, by name");
	GOLDEN("The longest waits for a CPU, and who had it for most of the time");
	EXPECT_NO("\nThreads");
	ASSERT_EQ(0, REPORT("--top", "20"));
	ASSERT_EQ(0, FXT("report", "--table", "cpus,names", self->path));
	EXPECT_HAS("\nCPUs\n");
	EXPECT_LINE("Names: the first 10 of 100");
	EXPECT_NO("runnable");
	EXPECT_NO("\nThreads");
}

/* Processes with one thread each are only shown as threads, unless their names differ. */
TEST_F(print, same_rows)
{
	STORY(&self->s, "names@1; name 11 eleven; name 12 twelve; name 21 other");
	story_object(&self->s, FXT_OBJECT_PROCESS, 21, 0, "other --with arguments");
	STORY(&self->s, "0@1000 0>11; 5000 11>12; 8000 12>21; 10000 21>0 S; end 10000");
	ASSERT_EQ(0, REPORT("--comm", "*e*e*")) TH_LOG("%s", self->t.err);
	EXPECT_NO("Processes");
	EXPECT_LINE("Threads");
	EXPECT_LINE("      11       11 4.00us 44.44% 5.00us        1       1      0  eleven");
	ASSERT_EQ(0, REPORT());
	EXPECT_LINE("Processes");
	EXPECT_LINE("      21        1 2.00us 22.22%    0ns        1       0      0  other --with a~");
	EXPECT_LINE("      21       21 2.00us 22.22%    0ns        1       0      0  other");
	ASSERT_EQ(0, REPORT("--top", "2"));
	EXPECT_NO("Processes");
	EXPECT_LINE("Threads: the first 2 of 3");
}

/* Without threads, or if the only thread's process is unknown, both tables are shown. */
TEST_F(print, no_same_rows)
{
	story_state(&self->s, 1000, 0, 11, 0, (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	story_state(&self->s, 3000, 0, 0, 11, (struct fxt_sched_state){ FXT_THREAD_NEW, 0 });
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("Processes");
	EXPECT_IN(self->t.out, "\n       ?       11 ");
	ASSERT_EQ(1, REPORT("--comm", "nobody"));
	EXPECT_LINE("Processes");
}

TEST_F(print, ascii)
{
	story_of_report(&self->s, 1000, true);
	setenv("LC_ALL", "C", 1);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("      12      2 1.02ms 3.00ms 3.00ms 3.00ms 3.00ms      @@       twelve");
	EXPECT_EQ(NULL, strchr(self->t.out, '\xe2'));
}

/* An archive of another producer, without ledgers. */
TEST_F(print, no_ledgers)
{
	struct story *s = &self->s;

	BUILD(&s->b, fxt_provider_event(FXT_SCHED_PROVIDER_ID, FXT_PROVIDER_EVENT_BUFFER_FULL));
	story_state(s, 1000, 0, 11, 12, (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	story_state(s, 3000, 0, 12, 11, (struct fxt_sched_state){ FXT_THREAD_NEW, 0 });
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	EXPECT_LINE("lost: not reported; buffers were full 1 times");
	EXPECT_LINE("       ?        2 2.00us   100%    0ns        2       1      0  ?");
}

/* A malformed record comes before all, and takes the findings away: also one that was read. */
TEST_F(print, damaged)
{
	struct json_object *losses;
	uint64_t at = 0, time;
	unsigned int i;

	story_chunk(&self->s, STORY_NAMES, 1);
	for (i = 11; i <= 13; i++)
		story_name(&self->s, i, i, "pinned");
	STORY(&self->s, "1@1000000 13>0 S; 0@1000000");
	for (i = 0, time = 1000000; i < 40; i++, time += 10000000)
		at = story_switch(&self->s, time, 11 + i % 2, 12 - i % 2, FXT_THREAD_NEW);
	story_end(&self->s, time);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	GOLDEN("Findings");
	EXPECT_NO("DAMAGED");
	((unsigned char *)self->s.b.words)[at + 5] = 1;
	REPORT();
	EXPECT_EQ(self->t.out, strstr(self->t.out, self->path));
	EXPECT_HAS("\nDAMAGED: deviations from the format: 1, contradictions: 0\n"
		   "  0 records and 0 bytes cannot be read; run fxt check for details\n"
		   "  all below may be wrong, so there are no findings\n");
	EXPECT_NO("\nFindings\n");
	REPORT("--json");
	self->j = json_tokener_parse(self->t.out);
	losses = json_object_object_get(self->j, "losses");
	EXPECT_TRUE(json_object_get_boolean(json_object_object_get(losses, "damaged")));
	EXPECT_EQ(0U, json_object_array_length(json_object_object_get(self->j, "findings")));
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
		"a-name-of-fifteen-and-far-more-characters-than-that",
		"\xff\xfe\x01\x02\x03\x04\x05\x06",
		"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\",
		"\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc"
		"\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc",
	};
	uint64_t time = 4000000000000000000;

	story_chunk(&self->s, STORY_NAMES, 1);
	for (uint32_t i = 0; i < 4; i++)
		story_name(&self->s, 4000000000u + i, 4000000000u + i, names[i]);
	STORY(&self->s, "0@1000 0>%; 2000 wake % by %; 3000 wake % by %", 4000000000u, 4000000001u,
			4000000000u, 4000000002u, 4000000001u);
	for (uint32_t i = 0; i < 20; i++, time += 300000000)
		story_switch(&self->s, time, 4000000000u + i % 4, 4000000000u + (i + 1) % 4,
			     FXT_THREAD_NEW);
	story_end(&self->s, time);
	ASSERT_EQ(0, REPORT()) TH_LOG("%s", self->t.err);
	expect_narrow(_metadata, self->t.out);
	EXPECT_IN(self->t.out, "  a-name-of-fift~\n");
	EXPECT_IN(self->t.out, "~0000001 ");
	EXPECT_IN(self->t.out, "  127y");
}

TEST_F(print, width_of_many)
{
	ASSERT_EQ(0, generate_sched(self->fd, 50000, 4));
	ASSERT_EQ(0, REPORT("--top", "1000")) TH_LOG("%s", self->t.err);
	expect_narrow(_metadata, self->t.out);
}

TEST(labels)
{
	EXPECT_STREQ("0ns", time_label(0).text);
	EXPECT_STREQ("999ns", time_label(999).text);
	EXPECT_STREQ("1.00us", time_label(1000).text);
	EXPECT_STREQ("9.99us", time_label(9994).text);
	EXPECT_STREQ("10.0us", time_label(9996).text);
	EXPECT_STREQ("99.9us", time_label(99940).text);
	EXPECT_STREQ("100us", time_label(99960).text);
	EXPECT_STREQ("999us", time_label(999400).text);
	EXPECT_STREQ("1.00ms", time_label(999600).text);
	EXPECT_STREQ("1.00s", time_label(999600000).text);
	EXPECT_STREQ("99999s", time_label(99999000000000).text);
	EXPECT_STREQ("27.8h", time_label(100000000000000).text);
	EXPECT_STREQ("585y", time_label(UINT64_MAX).text);
	EXPECT_STREQ("999999", count_label(999999).text);
	EXPECT_STREQ("1.00M", count_label(1000000).text);
	EXPECT_STREQ("1.00G", count_label(999600000).text);
	EXPECT_STREQ("18.4E", count_label(UINT64_MAX).text);
	EXPECT_STREQ("0.00%", share_label(0).text);
	EXPECT_STREQ("99.99%", share_label(0.9999).text);
	EXPECT_STREQ("100%", share_label(1).text);
	EXPECT_STREQ("99999999", id_label(99999999).text);
	EXPECT_STREQ("~0000000", id_label(100000000).text);
}

/* A class begins at the first value that is too long for the class before it. */
TEST(classes)
{
	struct report_hist h = { 0 };
	uint64_t counts[REPORT_CLASSES];

	report_hist_add(&h, 0);
	report_hist_add(&h, 4095);
	report_hist_add(&h, 4096);
	report_hist_add(&h, 16383);
	report_hist_add(&h, report_class_limit(REPORT_CLASSES - 2) - 1);
	report_hist_add(&h, report_class_limit(REPORT_CLASSES - 2));
	report_hist_add(&h, UINT64_MAX);
	report_classes(&h, counts);
	EXPECT_EQ(2U, counts[0]);
	EXPECT_EQ(2U, counts[1]);
	EXPECT_EQ(0U, counts[2]);
	EXPECT_EQ(1U, counts[REPORT_CLASSES - 2]);
	EXPECT_EQ(2U, counts[REPORT_CLASSES - 1]);
	report_hist_free(&h);
}

/* --- terminals --------------------------------------------------------------------------- */

static int on_terminal(struct tool *t, const char *path, const char *setting)
{
	return terminal_run(t, &(struct terminal){
		.args = ARGS("report", "--tables", "--no-pager", path),
		.settings = ARGS(setting),
	});
}

TEST_F(print, colours)
{
	struct tool *t = &self->t;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, store(self));
	ASSERT_EQ(0, on_terminal(t, self->path, NULL));
	EXPECT_IN(t->out, "\033[1mThreads\033[0m");
	ASSERT_EQ(0, on_terminal(t, self->path, "NO_COLOR="));
	EXPECT_NE(NULL, strchr(t->out, '\033'));
	ASSERT_EQ(0, on_terminal(t, self->path, "NO_COLOR=1"));
	EXPECT_EQ(NULL, strchr(t->out, '\033')) TH_LOG("%s", t->out);
	EXPECT_IN(t->out, "Threads\r\n");
	ASSERT_EQ(0, on_terminal(t, self->path, "TERM=dumb"));
	EXPECT_EQ(NULL, strchr(t->out, '\033')) TH_LOG("%s", t->out);
	ASSERT_EQ(0, REPORT("--top", "2"));
	EXPECT_NO("\033");
}

/* --- usage ------------------------------------------------------------------------------- */

TEST_F(print, usage)
{
	static const char *const wrong[][2] = {
		{ "--sort", "luck" }, { "--top", "0" }, { "--top", "5x" }, { "--top", "-1" },
		{ "--pid", "x" }, { "--comm", "[a" }, { "--cpu", "3-1" }, { "--from", "soon" },
		{ "--to", "+" }, { "--format", "2016" }, { "--what", "1" },
	};

	story_of_report(&self->s, 1, false);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		EXPECT_EQ(2, REPORT(wrong[i][0], wrong[i][1])) TH_LOG("%s", wrong[i][0]);
		EXPECT_EQ(self->t.err, strstr(self->t.err, "fxt: report: "))
			TH_LOG("%s", self->t.err);
		EXPECT_EQ(0U, self->t.out_bytes);
	}
	EXPECT_EQ(2, REPORT("another.fxt"));
}

/* A truncated archive is reported, and all records before the end count. */
TEST_F(print, torn)
{
	story_of_report(&self->s, 1, false);
	self->s.b.count -= 3;
	EXPECT_EQ(1, REPORT());
	EXPECT_LINE("      11       11 7.50us 12.50% 1.00us        2       1      0  eleven");
	EXPECT_NE(0U, self->t.err_bytes);
	EXPECT_EQ(1, REPORT("--strict"));
}

TEST_F(print, unreadable)
{
	snprintf(self->path, sizeof(self->path), "/does/not/exist");
	EXPECT_EQ(3, REPORT());
}

CASES("report_print", NULL)
