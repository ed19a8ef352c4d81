// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report --html without a browser: the blocks and columns of the page have the story's values;
 * failures. html.sh looks at it in a browser.
 */
#include <json-c/json.h>

#include "event_story.h"
#include "page_blocks.h"
#include "report_print_fixture.h"

#define COLUMN	4096

REPORT_FIXTURE(html);

/* See report/html/spool.h. Return: how many numbers; 0: the column is empty; -1: it is invalid. */
static long column(const struct tool *t, const char *id, uint64_t *to)
{
	unsigned char bytes[COLUMN], is_longer[COLUMN];
	long room = unpack(t->out, id, bytes, COLUMN), at = 2, count, left, i;
	unsigned int shift;

	if (room < 2)
		return room;
	count = left = bytes[0] | bytes[1] << 8;
	if (count > COLUMN)
		return -1;
	memset(to, 0, count * sizeof(*to));
	memset(is_longer, 1, count);
	for (shift = 0; left && shift < 64; shift += 7) {
		for (i = 0; i < count; i++) {
			if (!is_longer[i])
				continue;
			if (at == room)
				return -1;
			to[i] |= (uint64_t)(bytes[at] & 0x7f) << shift;
			is_longer[i] = bytes[at++] >> 7;
			left -= !is_longer[i];
		}
	}
	return at == room ? count : -1;
}

static bool timeline_has(const struct tool *t, const char *what)
{
	char *text = json_block(t->out, "fxt-timeline");
	bool has = text && strstr(text, what);

	return has;
}

/* html.sh compares all of it with fxt report --json. */
TEST_F(html, json)
{
	static const char *const expected[] = {
		"\"processes\":{\"keys\":[\"pid\",\"nth\",\"name\",",
		",\"threads\",{\"key\":null,\"isList\":false,\"of\":[{\"key\":null,\"isList\":false,"
		"\"of\":[\"run_ns\",\"share\",",
		"{\"key\":\"wakers\",\"isList\":true,\"of\":[\"tid\",{",
		/* "other" is the first of the threads, and the only one of its process. */
		",\"other\",null,null,null,1,1]",
	};
	char *inside, *totals;
	size_t i;

	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	inside = json_block(self->t.out, "fxt-report");
	ASSERT_NE(NULL, inside);
	for (i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		EXPECT_IN(inside, expected[i]);
	/* The totals are the same, with their histograms. */
	ASSERT_EQ(0, REPORT("--json"));
	totals = strstr(self->t.out, "\"findings\":");
	ASSERT_NE(NULL, totals);
	EXPECT_EQ(0, strncmp(self->t.out, inside, totals - self->t.out));
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

#define EXPECT_COLUMN(id, ...) do {						\
	static const uint64_t expected_[] = { __VA_ARGS__ };			\
	uint64_t numbers_[COLUMN];						\
	long count_ = column(&self->t, "fxt-column-" id, numbers_);		\
										\
	ASSERT_LE((long)(sizeof(expected_) / sizeof(expected_[0])), count_) TH_LOG(id);	\
	EXPECT_EQ(0, memcmp(numbers_, expected_, sizeof(expected_))) TH_LOG(id);	\
} while (0)

/* The first spans of the story: 11 runs until 5000; then 12 has waited since 2000 and runs. */
TEST_F(html, columns)
{
	uint64_t numbers[COLUMN];

	story_of_report(&self->s, 1, false);
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	/* O of the first thread, R at once, O of the next thread, + at once. All but R follow. */
	EXPECT_COLUMN("state", 0x60, 0x11, 0x60, 0x32);
	EXPECT_COLUMN("cpu", 1, 1);
	EXPECT_COLUMN("end", 2 * 4000, 2 * 1000);
	/* 12 begins 1000 after the start of the page. */
	EXPECT_COLUMN("gap", 2 * 1000);
	ASSERT_LE(1, column(&self->t, "fxt-column-waker", numbers));
	EXPECT_LE(5U, numbers[0]);
	EXPECT_EQ(0, column(&self->t, "fxt-column-losses", numbers));
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
	/* 21 begins where the page does, 11 (the first thread) begins 10 before that. */
	EXPECT_COLUMN("state", 0x20, 0x40);
	EXPECT_COLUMN("gap", 2 * 10 - 1);
	EXPECT_COLUMN("waker", 4);
}

TEST_F(html, losses)
{
	uint64_t numbers[COLUMN];

	story_names_of_report(&self->s);
	STORY(&self->s, "0@1000 0>11; lose 0 7 @1100; 1100 11>12; end 8000");
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	ASSERT_EQ(4, column(&self->t, "fxt-column-losses", numbers));
	EXPECT_COLUMN("losses", 0, 0, 100, 7);
}

/* Times count from 1010, the beginning of the first event that ends. */
TEST_F(html, events)
{
	uint64_t numbers[COLUMN];

	STORY(&self->s, "0@1000 0>11; 1010-1020 softirq %; 1030 queue 2; 1035 12/11 moves 1>0; "
			"1040 11/11 exits 9", EVENT_NET_RX);
	event_pelt_cpu(&self->s, 1045, 0, 100);
	event_frequency(&self->s, 1050, 0, 100, 0);
	STORY(&self->s, "1060 11>0 Z; end 2000");
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(timeline_has(&self->t, ",\"events\":6,"));
	EXPECT_TRUE(timeline_has(&self->t, "{\"kind\":\"softirq\",\"name\":\"NET_RX\",\"number\":3}"));
	/*
	 * A soft interrupt, a run queue of 2 threads, a move of 12 from CPU 1 to 0, an exit of 11
	 * by signal 9, a utilization, a frequency. All but times and values are numbers of the
	 * page.
	 */
	EXPECT_COLUMN("eventEnd", 20, 20, 10, 10, 10, 10);
	EXPECT_COLUMN("eventTime", 10, 0, 0, 0, 0, 0);
	EXPECT_COLUMN("eventCpu", 0, 0, 0, 0, 0, 0);
	EXPECT_COLUMN("eventFirst", 0, 2 * 2, 2 * 1, 0, 2 * 100, 2 * 100);
	EXPECT_COLUMN("eventSecond", 0, 0, 0, 2 * 9, 0, 0);
	ASSERT_EQ(6, column(&self->t, "fxt-column-eventThread", numbers));
	EXPECT_EQ(0U, numbers[0] | numbers[1] | numbers[4] | numbers[5]);
	EXPECT_TRUE(numbers[2] && numbers[3] && numbers[2] != numbers[3]);
	ASSERT_EQ(0, REPORT("--html", "-", "--from", "0.000001032", "--to", "0.000001047"));
	EXPECT_TRUE(timeline_has(&self->t, ",\"events\":3,"));
}

/* A sleep for a futex is in the page if it is known who holds it, or woke the thread through it. */
TEST_F(html, futexes)
{
	STORY(&self->s, "names@1; name 11 server; name 12/11 helper; 0@1000 0>11");
	event_lock(&self->s, 1010, 1020, 11, 11, FXT_LOCK_FUTEX, 0x1000, 12);
	event_lock(&self->s, 1020, 1040, 11, 11, FXT_LOCK_FUTEX, 0x2000, 0);
	event_lock(&self->s, 1040, 1050, 11, 11, FXT_LOCK_MUTEX, 0x10, 0);
	event_futex(&self->s, 1050, 1055, 11, 11, 0x3000, 0, 12);
	STORY(&self->s, "1060 11>0 S; end 2000");
	ASSERT_EQ(0, REPORT("--html", "-")) TH_LOG("%s", self->t.err);
	EXPECT_TRUE(timeline_has(&self->t, ",\"events\":3,"));
	EXPECT_COLUMN("eventTime", 10, 10, 5);
	EXPECT_TRUE(timeline_has(&self->t, "{\"kind\":\"lock\",\"name\":\"futex\",\"number\":4096}"));
	EXPECT_TRUE(timeline_has(&self->t, "{\"kind\":\"futex\",\"name\":\"futex\",\"number\":12288}"));
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
	STORY(&self->s, "names@1; name 11 </script><script>x(); name 12/11 <!--<script>");
	story_name(&self->s, 21, 21, "t\xc3\xaate");
	STORY(&self->s, "0@1000 0>11; 2000 11>12; 2500 12>21; end 3000");
	ASSERT_EQ(0, REPORT("--html", "-", "--comm", "*"));
	/* The report of all threads, and its tables, are two more. */
	EXPECT_EQ(scripts + 2, times_in_text(self->t.out, "<script"));
	EXPECT_EQ(scripts + 2, times_in_text(self->t.out, "</script"));
	EXPECT_TRUE(timeline_has(&self->t, "\"\\u003c/script>\\u003cscript>x()\""));
	EXPECT_TRUE(timeline_has(&self->t, "\"t\xc3\xaate\""));
	EXPECT_TRUE(is_ascii(self->t.out));
	text = json_block(self->t.out, "fxt-scripts");
	ASSERT_NE(NULL, text);
	EXPECT_IN(text, "start().then(");
	EXPECT_NOT_IN(text, "://");
	EXPECT_NOT_IN(self->t.out, "http://");
	EXPECT_NOT_IN(self->t.out, "https://");
}

TEST_F(html, filtered)
{
	uint64_t numbers[COLUMN];
	long all, some;

	story_of_report(&self->s, 1000, true);
	ASSERT_EQ(0, REPORT("--html", "-"));
	all = column(&self->t, "fxt-column-state", numbers);
	ASSERT_EQ(0, REPORT("--html", "-", "--to", "+0.004", "--cpu", "0", "--comm", "twelve"));
	some = column(&self->t, "fxt-column-state", numbers);
	EXPECT_LT(0, some);
	EXPECT_GT(all, some);
	EXPECT_TRUE(timeline_has(&self->t, "\"cpus\":[0],"));
	EXPECT_TRUE(timeline_has(&self->t, "{\"tid\":12,\"nth\":0,\"name\":\"twelve\",\"pid\":11,"
				 "\"process_nth\":0,\"owner\":0,\"cgroup\":\"\",\"isOfReport\":true}"));
	EXPECT_TRUE(timeline_has(&self->t, "\"name\":\"eleven\",\"pid\":11,\"process_nth\":0,"
				 "\"owner\":0,\"cgroup\":\"\",\"isOfReport\":false}"));
}

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
