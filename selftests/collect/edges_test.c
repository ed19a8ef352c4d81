// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which thread has a CPU when an archive begins and ends: marks at both ends of a stream, with the
 * thread that has the CPU; no mark if that is unknown.
 */
#include "harness.h"

#include <fxt/fxt_mark.h>
#include <fxt/fxt_sched_load.h>

#include "fxt-collect/archive/tracks.h"
#include "stitch_archive.h"

#define HOG		77
#define OTHER		88
#define WEIGHT		1024
#define START		1000

FIXTURE(edges)
{
	struct stitched s;
	size_t used;
	struct stream_stats stats;
};

FIXTURE_SETUP(edges)
{
	ASSERT_EQ(0, stitch_open(&self->s.st));
	self->stats.stream = CPU;
	stitch_start(self->s.st);
	ASSERT_EQ(0, stitched_begin(&self->s, START, false));
}

FIXTURE_TEARDOWN(edges) { }

/* Begin a chunk whose ledger has the counts of the producer so far. */
static void make(FIXTURE_DATA(edges) *self, __u32 kind, __u32 sequence, uint64_t time)
{
	struct fxt_ledger l = {
		.stream = CPU, .kind = kind, .sequence = sequence, .time = time,
		.last = self->stats.last, .written = stream_written(&self->stats),
		.lost = self->stats.lost,
	};

	fxt_sched_put_ledger(self->s.words, &l);
	self->used = FXT_LEDGER_WORDS;
}

static void add_switch(FIXTURE_DATA(edges) *self, uint64_t time, uint32_t out, uint32_t in)
{
	static const struct fxt_sched_state running = { FXT_THREAD_NEW, 0 };

	self->used += fxt_sched_put_switch(self->s.words + self->used, time, CPU, out, in,
					   out ? WEIGHT : FXT_SCHED_WEIGHT_IDLE,
					   in ? WEIGHT : FXT_SCHED_WEIGHT_IDLE, running);
	self->stats.switches++;
	self->stats.last = time;
}

static void add_wakeup(FIXTURE_DATA(edges) *self, uint64_t time)
{
	self->used += fxt_sched_put_wakeup(self->s.words + self->used, time, CPU, 11, WEIGHT, 12);
	self->stats.wakeups++;
	self->stats.last = time;
}

/* Hand over the chunk, with the producer's count of its records if @is_whole. */
static int give(FIXTURE_DATA(edges) *self, bool is_whole)
{
	struct chunk c = {
		.data = self->s.words, .bytes = self->used * FXT_WORD,
		.kept = is_whole ? stream_written(&self->stats) - self->stats.lost : 0,
		.last = self->stats.last,
	};

	return stitch_chunk(self->s.st, &c);
}

static void mark_steal(FIXTURE_DATA(edges) *self, uint64_t time, uint32_t thread, bool is_first,
		       uint64_t steal)
{
	struct source_mark m = {
		.time = time, .cpu = CPU, .thread = thread,
		.weight = thread ? WEIGHT : FXT_SCHED_WEIGHT_IDLE, .steal = steal,
	};

	stitch_count(self->s.st, &self->stats);
	stitch_mark(self->s.st, &m, is_first);
}

static int end(FIXTURE_DATA(edges) *self, uint64_t time)
{
	int ret = stitch_stream_end(self->s.st, &self->stats, time);

	return ret ? ret : fxt_writer_flush(self->s.w);
}

static int cut(FIXTURE_DATA(edges) *self, uint64_t time)
{
	int ret;

	stitch_count(self->s.st, &self->stats);
	ret = stitch_cut(self->s.st, time);
	return ret ? ret : fxt_writer_flush(self->s.w);
}

/* 0 if it is missing */
static size_t find(const FIXTURE_DATA(edges) *self, uint32_t kind, uint64_t time, uint32_t thread)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words = fxt_sched_put_mark(rec, time, CPU, kind, thread,
					    thread ? WEIGHT : FXT_SCHED_WEIGHT_IDLE);
	const unsigned char *at = memmem(self->s.a.bytes, self->s.a.length, rec, words * FXT_WORD);

	return at ? at - self->s.a.bytes : 0;
}

static size_t find_weightless(const FIXTURE_DATA(edges) *self, uint32_t kind,
			      uint64_t time, uint32_t thread)
{
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words = fxt_sched_put_mark(rec, time, CPU, kind, thread, FXT_SCHED_WEIGHT_NONE);
	const unsigned char *at = memmem(self->s.a.bytes, self->s.a.length, rec, words * FXT_WORD);

	return at ? at - self->s.a.bytes : 0;
}

static bool has_steal(const FIXTURE_DATA(edges) *self, uint64_t time, uint64_t steal)
{
	__u64 rec[FXT_SCHED_STEAL_WORDS];

	fxt_sched_put_steal(rec, time, CPU, steal, FXT_STR_STEAL);
	return memmem(self->s.a.bytes, self->s.a.length, rec, sizeof(rec));
}

static unsigned int marks(const FIXTURE_DATA(edges) *self)
{
	unsigned int count = 0;
	__u64 word;

	for (size_t i = 0; i + FXT_WORD <= self->s.a.length; i += FXT_WORD) {
		memcpy(&word, self->s.a.bytes + i, FXT_WORD);
		count += word == fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_BEGIN) ||
			 word == fxt_arg_string(1, FXT_STR_UNKNOWN, FXT_STR_END);
	}
	return count;
}

#define EXPECT_MARKS(from, first, to, last) do {			\
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, from, first));		\
	EXPECT_NE(0UL, find(self, FXT_STR_END, to, last));		\
	EXPECT_EQ(2U, marks(self));					\
} while (0)

/* 0 if it is missing */
static size_t find_ledger(const FIXTURE_DATA(edges) *self, uint32_t kind)
{
	struct fxt_ledger l;

	for (size_t i = 0; i + FXT_LEDGER_WORDS * FXT_WORD <= self->s.a.length; i += FXT_WORD)
		if (fxt_sched_get_ledger((const __u64 *)(const void *)(self->s.a.bytes + i), &l) &&
		    l.stream == CPU && l.kind == kind)
			return i;
	return 0;
}

static uint32_t party(const char *name)
{
	if (!strcmp(name, "hog"))
		return HOG;
	if (!strcmp(name, "other"))
		return OTHER;
	if (strcmp(name, "idle"))
		abort();
	return 0;
}

/* Is the whole text a statement of this format, with so many values? */
#define IS(count, format, ...)						\
	(end_at = -1, sscanf(text, format "%n", __VA_ARGS__, &end_at) == (count) &&	\
	 end_at >= 0 && !text[end_at])

static int tell_statement(FIXTURE_DATA(edges) *self, const char *text)
{
	unsigned int time, number, steal = 0;
	char from[8], name[8];
	int end_at;

	if (IS(2, "head %u @%u", &number, &time))
		make(self, FXT_LEDGER_HEAD, number, time);
	else if (IS(2, "more %u @%u", &number, &time))
		make(self, FXT_LEDGER_CONTINUED, number, time);
	else if (IS(3, "%u %7[a-z]>%7[a-z]", &time, from, name))
		add_switch(self, time, party(from), party(name));
	else if (IS(2, "%u first %7[a-z]", &time, name) ||
		 IS(3, "%u first %7[a-z] steal %u", &time, name, &steal))
		mark_steal(self, time, party(name), true, steal);
	else if (IS(2, "%u mark %7[a-z]", &time, name) ||
		 IS(3, "%u mark %7[a-z] steal %u", &time, name, &steal))
		mark_steal(self, time, party(name), false, steal);
	else if (IS(1, "%u wake", &time))
		add_wakeup(self, time);
	else if (!strcmp(text, "give") || !strcmp(text, "give whole"))
		return give(self, !strcmp(text, "give whole"));
	else if (IS(1, "lose %u", &number))
		self->stats.switches += number, self->stats.lost += number;
	else if (IS(1, "offline %u", &time))
		return stitch_offline(self->s.st, CPU, time);
	else if (IS(1, "begin %u", &time))
		return stitched_begin(&self->s, time, true);
	else if (IS(1, "cut %u", &time))
		return cut(self, time);
	else if (IS(1, "end %u", &time))
		return end(self, time);
	else
		return -EBADMSG;
	return 0;
}

/*
 * Statements with "; " between them: "1005 first hog", "8000 mark hog steal 300": the marks of a
 * source; "head 0 @2000", "more 0 @2000": a chunk, with "2000 hog>other" and "2500 wake", and
 * "give" or "give whole" (with the producer's count) at its end; "lose 7"; "offline 3000"; "cut
 * 3000"; "begin 3000"; "end 9000".
 */
static int tell(FIXTURE_DATA(edges) *self, const char *text)
{
	char *copy = strdup(text), *save, *at;
	int ret = copy ? 0 : -ENOMEM;

	for (at = strtok_r(copy, ";", &save); at && !ret; at = strtok_r(NULL, ";", &save))
		ret = tell_statement(self, at + strspn(at, " "));
	free(copy);
	return ret;
}

#define TELL(text)	ASSERT_EQ(0, tell(self, text))

/* One thread owns the CPU, so there is no record at all. */
TEST_F(edges, without_a_record)
{
	size_t at;

	TELL("1005 first hog; 8000 mark hog; end 9000");
	EXPECT_MARKS(START, HOG, 9000, HOG);
	/* The marks directly follow the opening ledger and directly precede the closing ledger. */
	at = find_ledger(self, FXT_LEDGER_OPENING);
	EXPECT_EQ(at + FXT_LEDGER_WORDS * FXT_WORD, find(self, FXT_STR_BEGIN, START, HOG));
	at = find_ledger(self, FXT_LEDGER_CLOSING);
	EXPECT_EQ(at - FXT_SCHED_SWITCH_WORDS * FXT_WORD, find(self, FXT_STR_END, 9000, HOG));
	EXPECT_EQ(0UL, stitch_totals(self->s.st)->written);
}

TEST_F(edges, of_an_idle_cpu)
{
	TELL("1005 first idle; 8000 mark idle; end 9000");
	EXPECT_MARKS(START, 0, 9000, 0);
}

/*
 * The first switch is older than the mark, so it shows who had the CPU before it. The stream begins
 * before that.
 */
TEST_F(edges, of_switches_before_the_mark)
{
	TELL("1050 first other; head 0 @997; 997 wake; 1020 hog>other; give; 8000 mark other; "
	     "end 9000");
	EXPECT_MARKS(START - 3, HOG, 9000, OTHER);
	EXPECT_EQ(2UL, stitch_totals(self->s.st)->written);
}

/* The mark is older than the first switch; the last switch is newer than the last mark. */
TEST_F(edges, of_switches_after_the_mark)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give; 8000 mark other; more 0 @2000; "
	     "8500 other>idle; give; end 9000");
	EXPECT_MARKS(START, HOG, 9000, 0);
}

/*
 * When the stream is opened, later sub-buffers are unknown, and so is the switch in them that is
 * older than the mark.
 */
TEST_F(edges, is_unknown_before_the_mark)
{
	TELL("1050 first other; head 0 @1001; 1001 wake; give whole; head 1 @1020; 1020 hog>other; "
	     "give; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_END, 9000, OTHER));
	EXPECT_EQ(1U, marks(self));
}

/* Records were lost after the last record, so nothing is known of the time up to the end. */
TEST_F(edges, is_unknown_after_losses)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give whole; lose 7; 8000 mark hog; "
	     "end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, START, HOG));
	EXPECT_EQ(1U, marks(self));
}

/* Records were lost, but only before the last switch. */
TEST_F(edges, of_losses_before)
{
	TELL("1005 first hog; head 0 @2000; 2000 wake; give; lose 7; head 1 @3000; 3000 hog>other; "
	     "give; end 9000");
	EXPECT_MARKS(START, HOG, 9000, OTHER);
}

/* The kernel has hidden the switch away from a thread. */
TEST_F(edges, of_a_hidden_switch)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give whole; 8000 mark hog; end 9000");
	EXPECT_MARKS(START, HOG, 9000, HOG);
}

/* A stack or an argument may have the same words as a switch without weights. */
TEST_F(edges, of_switches_without_weights)
{
	const __u64 header = fxt_sched_bare_switch_header(CPU, FXT_THREAD_NEW);
	__u64 *rec = self->s.words;

	TELL("1005 first hog; head 0 @2000");
	rec[self->used + 1] = 2000;
	self->used += fxt_sched_put_bare_switch(rec + self->used, header, HOG, OTHER);
	rec += self->used;
	rec[0] = fxt_header(FXT_RECORD_USERSPACE_OBJECT, 9);
	rec[1] = 2001;
	rec[2] = rec[3] = header;
	rec[4] = rec[5] = HOG;
	rec[6] = rec[7] = rec[8] = 0;
	self->used += 9;
	self->stats.switches++;
	self->stats.events++;
	self->stats.last = 2001;
	TELL("give whole; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, START, HOG));
	EXPECT_NE(0UL, find_weightless(self, FXT_STR_END, 9000, OTHER));
	EXPECT_EQ(2U, marks(self));
}

/* Both archives have a mark of the same thread and time at the seam, with and without records. */
TEST_F(edges, of_segments)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give; cut 3000");
	EXPECT_MARKS(START, HOG, 3000, OTHER);
	TELL("begin 3000; cut 4000");
	EXPECT_MARKS(3000, OTHER, 4000, OTHER);
	TELL("begin 4000; more 0 @2000; 5000 other>hog; give; end 9000");
	EXPECT_MARKS(4000, OTHER, 9000, HOG);
}

/* A CPU without any record has its thread's marks in each segment. */
TEST_F(edges, of_segments_without_a_record)
{
	TELL("1005 first hog; cut 3000");
	EXPECT_MARKS(START, HOG, 3000, HOG);
	TELL("begin 3000; end 9000");
	EXPECT_MARKS(3000, HOG, 9000, HOG);
}

/* Each segment has the growth of the counter of a CPU without any record, but with a filter. */
TEST_F(edges, of_the_steal_of_segments)
{
	static const struct tracks tracks = { .groups = FXT_SCHED_EVENTS_STEAL };

	stitch_track(self->s.st, &tracks, 0);
	TELL("1005 first hog steal 0; 2990 mark hog steal 300; cut 3000");
	EXPECT_TRUE(has_steal(self, START, 0) && has_steal(self, 3000, 300));
	TELL("begin 3000; 3990 mark hog steal 500; cut 4000");
	EXPECT_TRUE(has_steal(self, 3000, 300) && has_steal(self, 4000, 500));
	TELL("begin 4000; 8990 mark hog steal 700; end 9000");
	EXPECT_TRUE(has_steal(self, 4000, 500) && has_steal(self, 9000, 700));
	stitch_edges(self->s.st, false, true);
	TELL("begin 9000; end 9900");
	EXPECT_FALSE(has_steal(self, 9000, 700) || has_steal(self, 9900, 700));
}

/*
 * A switch comes after the mark of the seam: it is counted, but its record is in the next archive.
 */
TEST_F(edges, of_a_switch_after_the_seam)
{
	TELL("1005 first hog; 2990 mark hog");
	self->stats.switches++;
	TELL("cut 3000");
	EXPECT_MARKS(START, HOG, 3000, HOG);
	TELL("begin 3000");
	self->stats.switches--;
	TELL("head 0 @3100; 3100 hog>other; give; end 9000");
	EXPECT_MARKS(3000, HOG, 9000, OTHER);
}

/* The producer lost records before the seam, which no ledger shows yet. */
TEST_F(edges, of_a_seam_in_a_loss)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give whole; lose 1; cut 3000");
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, START, HOG));
	EXPECT_EQ(1U, marks(self));
	TELL("begin 3000; head 1 @3500; 3500 hog>other; give; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_END, 9000, OTHER));
	EXPECT_EQ(1U, marks(self));
}

/* Hand over the four sub-buffers of a snapshot; the third one has the first switch. */
static int fly(FIXTURE_DATA(edges) *self, bool has_switch)
{
	int ret = 0;

	/* Older sub-buffers, and a switch in them, were overwritten. */
	self->stats.switches = 10;
	self->stats.last = 1990;
	for (uint32_t i = 4; i < 8 && !ret; i++) {
		make(self, FXT_LEDGER_HEAD, i, i * 500);
		add_wakeup(self, i * 500);
		if (has_switch && i == 6)
			add_switch(self, i * 500 + 1, HOG, OTHER);
		ret = give(self, true);
	}
	self->stats.subbufs = 8;
	return ret;
}

TEST_F(edges, of_a_snapshot)
{
	stitch_edges(self->s.st, true, false);
	TELL("1005 first idle; begin 1000");
	ASSERT_EQ(0, fly(self, true));
	TELL("end 9000");
	EXPECT_MARKS(2000, HOG, 9000, OTHER);
	EXPECT_EQ(5UL, stitch_totals(self->s.st)->written);
	EXPECT_EQ(10UL, stitch_totals(self->s.st)->before);
}

/* No switch is left, so only a mark that was made just before the end shows the thread. */
TEST_F(edges, of_a_snapshot_without_a_switch)
{
	stitch_edges(self->s.st, true, false);
	TELL("1005 first idle; begin 1000");
	ASSERT_EQ(0, fly(self, false));
	TELL("8000 mark hog; end 9000");
	EXPECT_MARKS(2000, HOG, 9000, HOG);
	stitch_start(self->s.st);
	TELL("begin 20000; end 29000");
	EXPECT_EQ(0U, marks(self));
}

/* The trigger ended the recording before the mark was made. */
TEST_F(edges, is_unknown_after_a_trigger)
{
	stitch_edges(self->s.st, true, false);
	TELL("1005 first idle; begin 1000");
	ASSERT_EQ(0, fly(self, false));
	TELL("8000 mark hog; end 7000");
	EXPECT_EQ(0U, marks(self));
}

/* Before the first switch that the filter keeps, other threads may have had the CPU unseen. */
TEST_F(edges, of_a_filter)
{
	stitch_edges(self->s.st, false, true);
	TELL("head 0 @2000; 2000 idle>hog; give; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_END, 9000, HOG));
	EXPECT_EQ(1U, marks(self));
}

/* The filter hides the thread that follows one that matches. */
TEST_F(edges, of_a_hidden_thread)
{
	static const struct fxt_sched_state slept = { FXT_THREAD_BLOCKED, 0 };

	stitch_edges(self->s.st, false, true);
	TELL("1005 first hog; head 0 @2000");
	self->used += fxt_sched_put_kept_switch(self->s.words + self->used, 2000, CPU, HOG, 0,
						WEIGHT, FXT_SCHED_WEIGHT_IDLE, slept,
						FXT_SCHED_KEPT_OUT);
	self->stats.switches++;
	self->stats.last = 2000;
	TELL("give; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, START, HOG));
	EXPECT_EQ(1U, marks(self));
}

/* A CPU goes offline and comes online again, with its idle thread. */
TEST_F(edges, of_a_cpu_that_is_offline_for_a_while)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give; offline 3000; offline 4000; "
	     "more 0 @2000; 5000 wake; 5001 idle>hog; give; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_OFFLINE, 2000, OTHER));
	EXPECT_NE(0UL, find(self, FXT_STR_ONLINE, 5000, 0));
	EXPECT_MARKS(START, HOG, 9000, HOG);
}

/* A CPU goes offline in one archive and comes online in the next but one. */
TEST_F(edges, of_a_cpu_that_is_offline_at_seams)
{
	TELL("1005 first hog; head 0 @2000; 2000 hog>other; give; offline 2500; cut 3000");
	EXPECT_NE(0UL, find(self, FXT_STR_BEGIN, START, HOG));
	EXPECT_EQ(1U, marks(self));
	TELL("begin 3000; cut 4000");
	EXPECT_EQ(0UL, find_ledger(self, FXT_LEDGER_CLOSING));
	TELL("begin 4000; more 0 @2000; 5000 idle>hog; give; end 9000");
	EXPECT_NE(0UL, find_ledger(self, FXT_LEDGER_OPENING));
	EXPECT_NE(0UL, find(self, FXT_STR_ONLINE, 5000, 0));
	EXPECT_NE(0UL, find(self, FXT_STR_END, 9000, HOG));
	EXPECT_EQ(1U, marks(self));
}

/*
 * A CPU comes online while recording, and has records that are newer than the moment when it was
 * seen online.
 */
TEST_F(edges, of_a_cpu_that_comes_online)
{
	TELL("offline 1000; head 0 @2000; 2000 idle>hog; give; offline 1900; end 9000");
	EXPECT_NE(0UL, find(self, FXT_STR_ONLINE, 2000, 0));
	EXPECT_EQ(0UL, find(self, FXT_STR_OFFLINE, 2000, HOG));
	EXPECT_NE(0UL, find(self, FXT_STR_END, 9000, HOG));
	EXPECT_EQ(1U, marks(self));
}

TEST_F(edges, of_a_source_without_marks)
{
	stitch_close(self->s.st);
	ASSERT_EQ(0, stitch_open(&self->s.st));
	ASSERT_EQ(0, stitched_begin(&self->s, START, false));
	TELL("head 0 @2000; 2000 hog>other; give; end 9000");
	EXPECT_EQ(0U, marks(self));
	EXPECT_EQ(0UL, find_ledger(self, FXT_LEDGER_OPENING));
}
