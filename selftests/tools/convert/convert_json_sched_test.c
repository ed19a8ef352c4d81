// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How `fxt convert --to json` draws scheduling: slices of a track do not overlap, and each arrow
 * has two ends.
 */
#include "convert_json.h"

#define CPUS_PID	0x7ff00000LL

static int a_wakeup(struct memory *m, bool ours)
{
	struct fxt_writer *w;
	int ret = begin_archive(m, &w);

	if (!ret && ours) {
		ret = fxt_writer_string(w, FXT_STR_SESSION, "fxt_sched.session");
		if (!ret)
			ret = fxt_writer_blob(w, FXT_STR_SESSION, "weight weight\n", 14);
	}
	if (!ret)
		ret = write_thread(w, 11, 10, TEXT("waker"));
	if (!ret)
		ret = write_thread(w, 12, 10, TEXT("woken"));
	if (!ret)
		ret = write_switch(w, 1000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	if (!ret)
		ret = write_wakeup(w, 2500, 3, 12, 11);
	if (!ret)
		ret = write_switch(w, 4000, 3, 11, 12, FXT_THREAD_NEW, 1024, 1024);
	if (!ret)
		ret = write_switch(w, 9000, 3, 12, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	return ret ? ret : end_archive(m, w);
}

TEST(json_draws_scheduling)
{
	struct json_object *e;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, a_wakeup(&m, true));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	e = find(&j, "X", "waker", 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(CPUS_PID, number(e, "pid"));
	EXPECT_EQ(CPUS_PID + 1 + 3, number(e, "tid"));
	EXPECT_EQ(1000, ns(e, "ts"));
	EXPECT_EQ(3000, ns(e, "dur"));
	EXPECT_EQ(11, number(member(e, "args"), "tid"));
	EXPECT_EQ(10, number(member(e, "args"), "pid"));
	EXPECT_EQ(1024, number(member(e, "args"), "weight"));
	EXPECT_STREQ("R+", text(member(e, "args"), "end_state"));
	EXPECT_STREQ("S", text(member(find(&j, "X", "woken", 0), "args"), "end_state"));
	e = find(&j, "X", "Runnable", 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(10, number(e, "pid"));
	EXPECT_EQ(12, number(e, "tid"));
	EXPECT_EQ(2500, ns(e, "ts"));
	EXPECT_EQ(1500, ns(e, "dur"));
	/* The arrow starts in the slice of 11 on its own track, and ends in that of 12. */
	e = find(&j, "s", "wakeup", 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(11, number(e, "tid"));
	EXPECT_EQ(2500, ns(e, "ts"));
	e = find(&j, "f", "wakeup", 0);
	ASSERT_NE(NULL, e);
	EXPECT_EQ(12, number(e, "tid"));
	EXPECT_EQ(4000, ns(e, "ts"));
	EXPECT_STREQ("e", text(e, "bp"));
	EXPECT_STREQ("CPUs", text(member(find(&j, "M", "process_name", 0), "args"), "name"));
	EXPECT_EQ(2, count(&j, "name", "Running"));
}

/* An interrupt wakes 12 while 11 runs. 11 is not the waker, so there is no arrow. */
TEST(json_draws_no_arrow_of_interrupts)
{
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, begin_archive(&m, &w));
	write_thread(w, 11, 10, TEXT("bystander"));
	write_thread(w, 12, 10, TEXT("woken"));
	write_switch(w, 1000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_irq_wakeup(w, 2500, 3, 12, "hard", 11);
	write_switch(w, 4000, 3, 11, 12, FXT_THREAD_NEW, 1024, 1024);
	write_switch(w, 9000, 3, 12, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	write_irq_wakeup(w, 9500, 3, 12, "soft", 0);
	write_switch(w, 9600, 3, 0, 12, FXT_THREAD_NEW, INT32_MIN, 1024);
	ASSERT_EQ(0, end_archive(&m, w));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_EQ(2, count(&j, "name", "Runnable"));
	EXPECT_EQ(0, count(&j, "name", "wakeup"));
}

/* Threads of other producers may have slices that do not nest with their states. */
TEST(json_draws_states_apart)
{
	struct memory m;
	struct json j;

	ASSERT_EQ(0, a_wakeup(&m, false));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m));
	EXPECT_EQ(12 + 0x80000000LL, number(find(&j, "X", "Runnable", 0), "tid"));
	EXPECT_EQ(11 + 0x80000000LL, number(find(&j, "s", "wakeup", 0), "tid"));
	EXPECT_STREQ("waker (states)",
		     text(member(find(&j, "M", "thread_name", 1), "args"), "name"));
}

struct slice {
	int64_t tid;
	int64_t from;
	int64_t to;
};

static int by_track(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int64_t check_tracks(struct __test_metadata *_metadata, const struct json *j,
			    const char *category)
{
	struct slice *s = malloc(j->count * sizeof(*s));
	int overlaps = 0, negative = 0;
	size_t i, n = 0;

	for (i = 0; i < j->count; i++) {
		struct json_object *e = event(j, i);

		if (!is(e, "ph", "X") || !is(e, "cat", category))
			continue;
		s[n] = (struct slice){ number(e, "tid"), ns(e, "ts"), 0 };
		negative += ns(e, "dur") < 0 || s[n].from < 0;
		s[n].to = s[n].from + ns(e, "dur");
		n++;
	}
	qsort(s, n, sizeof(*s), by_track);
	for (i = 1; i < n; i++)
		overlaps += s[i].tid == s[i - 1].tid && s[i].from < s[i - 1].to;
	EXPECT_EQ(0, negative);
	EXPECT_EQ(0, overlaps);
	return n;
}

/* How often a thread other than idle is switched in. */
static int64_t count_runs(const struct memory *m)
{
	struct fxt_record rec;
	struct fxt_reader *r;
	struct fxt_switch sw;
	int64_t n = 0;

	if (fxt_reader_open_memory(&r, m->data, m->bytes, NULL))
		return 0;
	while (fxt_reader_next(r, &rec) > 0)
		if (rec.kind == FXT_KIND_CONTEXT_SWITCH && !fxt_reader_switch(r, &rec, &sw))
			n += sw.in != 0;
	fxt_reader_close(r);
	return n;
}

TEST(json_schedule_is_possible)
{
	int begins = 0, ends = 0, wrong = 0;
	struct memory m;
	struct json j;
	int64_t runs;

	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ(0, generate_sched(m.fd, 30000, 8));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, json_convert(&j, "--strict", &m)) TH_LOG("%s", j.tool.err);
	runs = check_tracks(_metadata, &j, "sched");
	EXPECT_EQ(count_runs(&m), runs);
	EXPECT_LT(runs, check_tracks(_metadata, &j, "thread_state"));
	EXPECT_EQ(runs, count(&j, "name", "Running"));
	/* Arrows are written in pairs, the begin first. */
	for (size_t i = 0; i + 1 < j.count; i++) {
		struct json_object *e = event(&j, i), *next = event(&j, i + 1);

		ends += is(e, "ph", "f");
		if (!is(e, "ph", "s"))
			continue;
		begins++;
		wrong += !is(next, "ph", "f") || !is(next, "id", text(e, "id")) ||
			 ns(e, "ts") > ns(next, "ts");
	}
	EXPECT_LT(1000, begins);
	EXPECT_EQ(begins, ends + is(event(&j, j.count - 1), "ph", "f"));
	EXPECT_EQ(0, wrong);
}

TEST(json_has_ftrace_inside)
{
	struct json_object *text_inside;
	struct tool plain, piped;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, a_wakeup(&m, true));
	ASSERT_EQ(0, json_convert(&j, "--with-ftrace", &m)) TH_LOG("%s", j.tool.err);
	EXPECT_EQ(0, count(&j, "ph", "X"));
	text_inside = member(j.root, "systemTraceEvents");
	ASSERT_EQ(0, convert(&plain, "ftrace", NULL, &m));
	EXPECT_STREQ(plain.out, json_object_get_string(text_inside));
	ASSERT_EQ(0, convert_piped(&piped, "json", "--with-ftrace", &m));
	EXPECT_STREQ(j.tool.out, piped.out);
}
