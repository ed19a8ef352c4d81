// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report_html_test.c - fxt report --html without a browser: the content of the page, and failures.
 * html.sh looks at it in a browser.
 * In:  stories, also with losses, filters and harmful names.
 * Must hold: the blocks and columns of the page have the story's values.
 */
#include <json-c/json.h>

#include "event_story.h"
#include "page_blocks.h"
#include "report_print_fixture.h"

#define COLUMN	4096

REPORT_FIXTURE(html);

static long column(const struct tool *t, const char *id, unsigned char *to)
{
	return unpack(t->out, id, to, COLUMN);
}

/* Does the JSON of the timeline contain this? */
static bool timeline_has(const struct tool *t, const char *what)
{
	char *text = json_block(t->out, "fxt-timeline");
	bool has = text && strstr(text, what);

	free(text);
	return has;
}

/* --- content of the page --------------------------------------------------------------- */

/* Empty the histograms of rows, which a page lacks. Those of the totals come before "findings". */
static void strip_histograms(char *text)
{
	static const char begin[] = "\"histogram\":[";
	char *at = strstr(text, "\"findings\":"), *end;

	while (at && (at = strstr(at, begin))) {
		at += sizeof(begin) - 1;
		end = *at == '[' ? strstr(at, "]]") : NULL;
		if (end)
			memmove(at, end + 1, strlen(end + 1) + 1);
	}
}

TEST_F(html, json)
{
	char *inside;

	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	inside = json_block(self->t.out, "fxt-report");
	ASSERT_NE(NULL, inside);
	ASSERT_EQ(0, REPORT("--json"));
	strip_histograms(self->t.out);
	EXPECT_EQ(0, strcmp(self->t.out, inside)) TH_LOG("%s\n%s", self->t.out, inside);
	free(inside);
}

/* The timeline is limited in size; the tables are not. */
TEST_F(html, slices)
{
	char *whole, *part;

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--html", "-"));
	EXPECT_TRUE(timeline_has(&self->t, "\"cut_ns\":0,"));
	whole = json_block(self->t.out, "fxt-report");
	ASSERT_EQ(0, REPORT("--html", "-", "--slices", "2"));
	part = json_block(self->t.out, "fxt-report");
	/* At 5000, 11 has run and 12 has waited since 2000. Then 12 would run until 6000. */
	EXPECT_TRUE(timeline_has(&self->t, "\"cut_ns\":6000,\"spans\":2,"));
	/* 12 and 11 have waited until 5000 or before; 12 runs until 6000. */
	ASSERT_EQ(0, REPORT("--html", "-", "--slices", "2", "--slices-from", "+0.000004"));
	EXPECT_TRUE(timeline_has(&self->t, "\"begin_ns\":5000,\"most\":2,"));
	EXPECT_TRUE(timeline_has(&self->t, ",\"spans\":2,"));
	ASSERT_NE(NULL, whole);
	ASSERT_NE(NULL, part);
	EXPECT_EQ(0, strcmp(whole, part));
}

/* Does a column begin with these bytes? */
#define EXPECT_COLUMN(id, expected) do {					\
	unsigned char bytes_[COLUMN];						\
	long count_ = column(&self->t, "fxt-column-" id, bytes_);		\
										\
	ASSERT_LE((long)sizeof(expected) - 1, count_) TH_LOG(id);		\
	EXPECT_EQ(0, memcmp(bytes_, expected, sizeof(expected) - 1)) TH_LOG(id);	\
} while (0)

/* The first spans of the story: 11 runs until 5000; then 12 has waited since 2000 and runs. */
TEST_F(html, columns)
{
	unsigned char bytes[COLUMN];

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_COLUMN("state", "ORO+");
	EXPECT_COLUMN("cpu", "\1\1\1\1");
	/* 4000, 0, 1000, 0, each twice, because they are signed */
	EXPECT_COLUMN("end", "\xc0\x3e\0\xd0\x0f\0");
	/* 12 begins 1000 after the start of the page. */
	EXPECT_COLUMN("gap", "\0\xd0\x0f\0\0");
	/* 11 wakes 12. */
	ASSERT_LE(1, column(&self->t, "fxt-column-waker", bytes));
	EXPECT_LE(5, bytes[0]);
	EXPECT_EQ(0, column(&self->t, "fxt-column-losses", bytes));
}

/* The first slice to end began after another one; an idle CPU wakes 12. */
TEST_F(html, before_origin)
{
	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>11; 1040 11>0 S; 1@1010 0>21; 1020 21>0 S");
	BUILD(&self->s.b, fxt_thread_wakeup(3, 0, 0), 1030, 12);
	self->s.now->written++;
	self->s.now->last = 1030;
	story_end(&self->s, 2000);
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_COLUMN("state", "OO");
	/* 21 begins where the page does, 11 begins 10 before that. */
	EXPECT_COLUMN("gap", "\0\x13");
	EXPECT_COLUMN("waker", "\4");
}

TEST_F(html, losses)
{
	unsigned char bytes[COLUMN];

	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>11; lose 0 7 @1100; 1100 11>12; end 8000");
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	ASSERT_EQ(4, column(&self->t, "fxt-column-losses", bytes));
	EXPECT_EQ(0, memcmp(bytes, "\0\0\x64\7", 4));
}

/* Times count from 1010, the beginning of the first event that ends. */
TEST_F(html, events)
{
	unsigned char bytes[COLUMN];

	STORY(&self->s, "0@1000 0>11; 1010-1020 softirq %; 1030 queue 2; 1035 12/11 moves 1>0; "
			"1040 11/11 exits 9", EVENT_NET_RX);
	event_pelt_cpu(&self->s, 1045, 0, 100);
	event_frequency(&self->s, 1050, 0, 100, 0);
	STORY(&self->s, "1060 11>0 Z; end 2000");
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(timeline_has(&self->t, ",\"events\":6,"));
	EXPECT_TRUE(timeline_has(&self->t, "{\"kind\":\"softirq\",\"name\":\"NET_RX\",\"number\":3}"));
	/*
	 * A soft interrupt, a run queue of 2 threads, a move of 12 from CPU 1 to 0, an exit of 11 by
	 * signal 9, a utilization, a frequency. All but times and values are numbers of the page.
	 */
	EXPECT_COLUMN("eventEnd", "\x14\x14\x0a\x0a\x0a\x0a");
	EXPECT_COLUMN("eventTime", "\x0a\0\0\0\0\0");
	EXPECT_COLUMN("eventCpu", "\0\0\0\0\0\0");
	EXPECT_COLUMN("eventFirst", "\0\4\2\0\xc8\1\xc8\1");
	EXPECT_COLUMN("eventSecond", "\0\0\0\x12\0\0");
	ASSERT_EQ(6, column(&self->t, "fxt-column-eventThread", bytes));
	EXPECT_EQ(0, bytes[0] | bytes[1] | bytes[4] | bytes[5]);
	EXPECT_TRUE(bytes[2] && bytes[3] && bytes[2] != bytes[3]);
	/* Events outside a range of time are not in the page. */
	ASSERT_EQ(0, REPORT("--html", "-", "--from", "0.000001032", "--to", "0.000001047"));
	EXPECT_TRUE(timeline_has(&self->t, ",\"events\":3,"));
}

/* A page of printable ASCII is right with any charset that a server or a mail names. */
static bool is_ascii(const char *text)
{
	while (*text == '\n' || *text == '\t' || (*text >= ' ' && *text <= '~'))
		text++;
	return !*text;
}

/* A name must neither end a block of the page nor begin one. */
TEST_F(html, names)
{
	size_t scripts;
	char *text;

	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, REPORT("--html", "-"));
	scripts = times_in_text(self->t.out, "<script");
	ASSERT_LT(5U, scripts);
	EXPECT_EQ(scripts, times_in_text(self->t.out, "</script>"));
	story_restart(&self->s);
	story_chunk(&self->s, STORY_NAMES, 1);
	story_name(&self->s, 11, 11, "</script><script>x()");
	story_name(&self->s, 12, 11, "<!--<script>");
	story_name(&self->s, 21, 21, "t\xc3\xaate");
	STORY(&self->s, "0@1000 0>11; 2000 11>12; 2500 12>21; end 3000");
	ASSERT_EQ(0, REPORT("--html", "-", "--comm", "*"));
	EXPECT_EQ(scripts, times_in_text(self->t.out, "<script"));
	EXPECT_EQ(scripts, times_in_text(self->t.out, "</script"));
	EXPECT_TRUE(timeline_has(&self->t, "\"\\u003c/script>\\u003cscript>x()\""));
	EXPECT_TRUE(timeline_has(&self->t, "\"t\xc3\xaate\""));
	EXPECT_TRUE(is_ascii(self->t.out));
	text = json_block(self->t.out, "fxt-scripts");
	ASSERT_NE(NULL, text);
	EXPECT_IN(text, "start().catch(");
	EXPECT_NOT_IN(text, "://");
	EXPECT_NOT_IN(self->t.out, "http://");
	EXPECT_NOT_IN(self->t.out, "https://");
}

/* With a time range, the page has only that range. */
TEST_F(html, filtered)
{
	unsigned char bytes[COLUMN];
	long all, some;

	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, REPORT("--html", "-"));
	all = column(&self->t, "fxt-column-state", bytes);
	ASSERT_EQ(0, REPORT("--html", "-", "--to", "+0.004", "--cpu", "0", "--comm", "twelve"));
	some = column(&self->t, "fxt-column-state", bytes);
	EXPECT_LT(0, some);
	EXPECT_GT(all, some);
	EXPECT_TRUE(timeline_has(&self->t, "\"cpus\":[0],"));
	EXPECT_TRUE(timeline_has(&self->t, "{\"tid\":12,\"nth\":0,\"name\":\"twelve\",\"pid\":11,"
				 "\"process_nth\":0,\"cgroup\":null,\"isOfReport\":true}"));
	EXPECT_TRUE(timeline_has(&self->t, "\"name\":\"eleven\",\"pid\":11,\"process_nth\":0,"
				 "\"isOfReport\":false}"));
}

/* --- failures ---------------------------------------------------------------------------- */

TEST_F(html, usage)
{
	struct stat st;

	story_of_report(&self->s, 1000, true);
	EXPECT_EQ(2, REPORT("--html", "-", "--json"));
	EXPECT_IN(self->t.err, "--html");
	EXPECT_EQ(2, REPORT("--slices", "2"));
	EXPECT_IN(self->t.err, "give --html, too");
	EXPECT_EQ(2, REPORT("--slices-from", "2"));
	EXPECT_IN(self->t.err, "give --html, too");
	EXPECT_EQ(2, REPORT("--html", "-", "--slices-from", "soon"));
	EXPECT_IN(self->t.err, "invalid time");
	EXPECT_EQ(2, REPORT("--html", self->path));
	EXPECT_IN(self->t.err, "is the archive itself");
	ASSERT_EQ(0, fstat(self->fd, &st));
	EXPECT_EQ((off_t)built_bytes(&self->s.b), st.st_size);
}

TEST_F(html, unwritable)
{
	story_of_report(&self->s, 1000, true);
	EXPECT_EQ(4, REPORT("--html", "/does/not/exist.html"));
	EXPECT_IN(self->t.err, "cannot write /does/not/exist.html");
	EXPECT_EQ(4, REPORT("--html", "/dev/full"));
	EXPECT_IN(self->t.err, "/dev/full: No space left");
}

/* A truncated archive is reported, and the page has all records before the end. */
TEST_F(html, torn)
{
	story_of_report(&self->s, 1, false);
	self->s.b.count -= 3;
	EXPECT_EQ(1, REPORT("--html", "-"));
	EXPECT_IN(self->t.out, "</html>");
}

TEST_F(html, empty)
{
	EXPECT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(timeline_has(&self->t, "\"spans\":0,"));
}
