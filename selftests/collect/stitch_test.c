// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The result does not depend on who counts the records of a chunk, also if the archive ends within
 * a sub-buffer; impossible counts are refused. A gap lasts until the next switch or wakeup, also
 * for the code that reads archives for the tests.
 */
#include "harness.h"

#include <fxt/fxt_sched_load.h>
#include <fxt/fxt_unknown.h>

#include "fxt-collect/archive/chunks.h"
#include "stitch_archive.h"
#include "trace.h"

FIXTURE(stitch)
{
	struct stitched s;
	struct chunk c;
	uint64_t now;
};

static int begin(FIXTURE_DATA(stitch) *self)
{
	stitch_close(self->s.st);
	self->now = 1000;
	return stitch_open(&self->s.st) ? -ENOMEM : stitched_begin(&self->s, self->now, false);
}

FIXTURE_SETUP(stitch)
{
	ASSERT_EQ(0, begin(self));
}

FIXTURE_TEARDOWN(stitch) { }

/* A chunk of @count records, after @before records of which @lost were lost. */
static void make(FIXTURE_DATA(stitch) *self, __u32 kind, __u32 sequence, unsigned int count,
		 uint64_t before, uint64_t lost)
{
	static const struct fxt_sched_state slept = { FXT_THREAD_BLOCKED, FXT_STR_STATE_D };
	struct fxt_ledger l = {
		.stream = CPU, .kind = kind, .sequence = sequence, .time = self->now + 1,
		.last = self->now, .written = before, .lost = lost,
	};
	size_t words = FXT_LEDGER_WORDS;

	fxt_sched_put_ledger(self->s.words, &l);
	while (count--) {
		self->now += 7;
		words += count % 3 ?
			 fxt_sched_put_switch(self->s.words + words, self->now, CPU, 11, 12,
					      1024, 1024, slept) :
			 fxt_sched_put_wakeup(self->s.words + words, self->now, CPU, 11, 1024, 12);
	}
	self->c = (struct chunk){ .data = self->s.words, .bytes = words * FXT_WORD };
}

static int give(FIXTURE_DATA(stitch) *self, __u32 kind, __u32 sequence, unsigned int count,
		uint64_t before, uint64_t lost)
{
	make(self, kind, sequence, count, before, lost);
	return stitch_chunk(self->s.st, &self->c);
}

static void tell(FIXTURE_DATA(stitch) *self, bool counted, uint64_t kept)
{
	self->c.kept = counted ? kept : 0;
	self->c.last = counted ? self->now : 0;
}

/* Write two sub-buffers with a loss between them, the second one in two chunks. */
static int tell_all(FIXTURE_DATA(stitch) *self, bool counted)
{
	int ret = begin(self);

	make(self, FXT_LEDGER_HEAD, 0, 20, 0, 0);
	tell(self, counted, 20);
	ret = ret ? ret : stitch_chunk(self->s.st, &self->c);
	ret = ret ? ret : give(self, FXT_LEDGER_HEAD, 1, 10, 25, 5);
	make(self, FXT_LEDGER_CONTINUED, 1, 15, 25, 5);
	tell(self, counted, 45);
	return ret ? ret : stitch_chunk(self->s.st, &self->c);
}

static struct fxt_ledger last_ledger(const FIXTURE_DATA(stitch) *self)
{
	struct fxt_ledger l = { .stream = -1 };
	__u64 rec[FXT_LEDGER_WORDS];

	memcpy(rec, self->s.a.bytes + self->s.a.length - sizeof(rec), sizeof(rec));
	fxt_sched_get_ledger(rec, &l);
	return l;
}

TEST_F(stitch, is_the_same_whoever_counts)
{
	struct archive walked;
	struct fxt_ledger l;

	ASSERT_EQ(0, tell_all(self, false));
	ASSERT_EQ(0, stitch_cut(self->s.st, self->now + 1));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	walked = self->s.a;
	l = last_ledger(self);
	EXPECT_EQ((__u32)FXT_LEDGER_CLOSING, l.kind);
	EXPECT_EQ(50U, l.written);
	EXPECT_EQ(5U, l.lost);
	EXPECT_EQ(self->now, l.last);
	EXPECT_EQ(50U, stitch_totals(self->s.st)->written);

	ASSERT_EQ(0, tell_all(self, true));
	ASSERT_EQ(0, stitch_cut(self->s.st, self->now + 1));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	ASSERT_EQ(walked.length, self->s.a.length);
	EXPECT_EQ(0, memcmp(walked.bytes, self->s.a.bytes, walked.length));
}

/* The producer lost records while the sub-buffer was open, and has counted more since. */
TEST_F(stitch, is_the_same_where_it_breaks)
{
	struct stream_stats stats = {
		.stream = CPU, .switches = 70, .wakeups = 30, .lost = 8, .last = 9000,
		.subbufs = 4,
	};
	struct archive walked;
	struct fxt_ledger l;

	ASSERT_EQ(0, tell_all(self, false));
	ASSERT_EQ(0, stitch_stream_break(self->s.st, &stats, 10000));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	walked = self->s.a;
	l = last_ledger(self);
	EXPECT_EQ(100U, l.written);
	EXPECT_EQ(55U, l.lost);
	EXPECT_EQ(self->now, l.last);

	ASSERT_EQ(0, tell_all(self, true));
	ASSERT_EQ(0, stitch_stream_break(self->s.st, &stats, 10000));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	ASSERT_EQ(walked.length, self->s.a.length);
	EXPECT_EQ(0, memcmp(walked.bytes, self->s.a.bytes, walked.length));
}

/* Write one chunk, and perhaps a second one that is taken back. Then end the archive. */
static int end_after_first(FIXTURE_DATA(stitch) *self, bool takes_back)
{
	struct stream_stats stats = { .stream = CPU, .switches = 70, .wakeups = 30 };
	size_t kept;
	int ret = begin(self);

	ret = ret ? ret : give(self, FXT_LEDGER_HEAD, 0, 20, 0, 0);
	ret = ret ? ret : fxt_writer_flush(self->s.w);
	kept = self->s.a.length;
	if (!ret && takes_back) {
		make(self, FXT_LEDGER_HEAD, 1, 10, 25, 5);
		ret = stitch_chunk(self->s.st, &self->c);
		self->s.a.length = kept;
		ret = ret ? ret : fxt_writer_cut(self->s.w, kept);
		ret = ret ? ret : stitch_back(self->s.st, kept);
	}
	ret = ret ? ret : stitch_stream_break(self->s.st, &stats, 10000);
	return ret ? ret : fxt_writer_flush(self->s.w);
}

/* A chunk that was held back is written with the next one, and both are taken back. */
TEST_F(stitch, takes_back_what_was_held)
{
	uint64_t kept;

	stitch_edges(self->s.st, true, false);
	stitch_start(self->s.st);
	kept = stitch_bytes(self->s.st);
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 0, 1, 0, 0));
	EXPECT_EQ(kept, stitch_bytes(self->s.st));
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 1, 5, 1, 0));
	EXPECT_LT(kept, stitch_bytes(self->s.st));
	ASSERT_EQ(0, stitch_back(self->s.st, kept));
	EXPECT_EQ(0U, stitch_totals(self->s.st)->streams);
	/* The C library finds out if the chunk is freed twice. */
	stitch_close(self->s.st);
	self->s.st = NULL;
}

/* An archive that was truncated ends like one that never got further: with all losses. */
TEST_F(stitch, ends_as_well_where_it_was_cut_back)
{
	struct archive straight;

	ASSERT_EQ(0, end_after_first(self, false));
	straight = self->s.a;
	ASSERT_EQ(0, end_after_first(self, true));
	ASSERT_EQ(straight.length, self->s.a.length);
	EXPECT_EQ(0, memcmp(straight.bytes, self->s.a.bytes, straight.length));
	EXPECT_EQ(80U, stitch_totals(self->s.st)->lost);
}

/* All chunks of a part were taken back: what they had is lost, and not older than the part. */
TEST_F(stitch, counts_what_a_part_lost_when_it_was_cut_back)
{
	struct stream_stats stats = { .stream = CPU, .switches = 70, .wakeups = 30 };
	struct fxt_ledger l;
	uint64_t kept;

	stitch_close(self->s.st);
	ASSERT_EQ(0, stitch_open(&self->s.st));
	ASSERT_EQ(0, stitched_begin(&self->s, self->now, true));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	kept = self->s.a.length;
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 0, 20, 0, 0));
	self->s.a.length = kept;
	ASSERT_EQ(0, fxt_writer_cut(self->s.w, kept));
	ASSERT_EQ(0, stitch_back(self->s.st, kept));
	ASSERT_EQ(0, stitch_stream_break(self->s.st, &stats, 10000));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	l = last_ledger(self);
	EXPECT_EQ(100U, l.written);
	EXPECT_EQ(100U, l.lost);
	EXPECT_EQ(100U, stitch_totals(self->s.st)->lost);
	EXPECT_EQ(0U, stitch_totals(self->s.st)->before);
}

/* Return: how many switches end the thread's run at a loss; @at: the last one. */
static unsigned int ends(const FIXTURE_DATA(stitch) *self, uint64_t time, uint32_t tid,
			 const unsigned char **at)
{
	const unsigned char *from = self->s.a.bytes, *end = from + self->s.a.length;
	__u64 rec[FXT_SCHED_SWITCH_WORDS];
	unsigned int count = 0;

	fxt_sched_put_unknown_switch(rec, time, CPU, tid, 0, 1024, FXT_SCHED_WEIGHT_IDLE,
				     FXT_SCHED_STATE_UNKNOWN, FXT_STR_LOST);
	while ((from = memmem(from, end - from, rec, sizeof(rec)))) {
		*at = from;
		count++;
		from += sizeof(rec);
	}
	return count;
}

/*
 * The thread switched in last ran until the last record before a loss. The switch that
 * ends its run is before the ledger, which does not count it.
 */
TEST_F(stitch, ends_runs_where_records_are_lost)
{
	struct stream_stats stats = {
		.stream = CPU, .switches = 50, .wakeups = 10, .lost = 15, .subbufs = 2,
	};
	const unsigned char *at = NULL;
	struct fxt_ledger l = { 0 };
	__u64 rec[FXT_LEDGER_WORDS];
	uint64_t last = 1000 + 7 * 20;

	ASSERT_EQ(0, tell_all(self, true));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	EXPECT_EQ(1U, ends(self, last, 12, &at));
	ASSERT_NE(NULL, at);
	memcpy(rec, at + FXT_SCHED_SWITCH_WORDS * FXT_WORD, sizeof(rec));
	EXPECT_EQ(1, fxt_sched_get_ledger(rec, &l));
	EXPECT_EQ(25U, l.written);
	EXPECT_EQ(5U, l.lost);
	/* The run also ends at the end of the stream, where no record shows the switch-out. */
	stats.last = self->now;
	ASSERT_EQ(0, stitch_stream_end(self->s.st, &stats, 10000));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	EXPECT_EQ(1U, ends(self, self->now, 12, &at));
	EXPECT_EQ(45U, last_ledger(self).written - last_ledger(self).lost);
}

/* The chunk before the loss has only wakeups; the one before that has the switch-in. */
TEST_F(stitch, ends_the_run_of_who_came_in_earlier)
{
	const unsigned char *at;
	uint64_t last;

	ASSERT_EQ(0, begin(self));
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 0, 3, 0, 0));
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 1, 1, 3, 0));
	last = self->now;
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 2, 1, 9, 5));
	/* The running thread is unknown since then. */
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 3, 1, 11, 6));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	EXPECT_EQ(1U, ends(self, last, 12, &at));
	EXPECT_EQ(0U, ends(self, last + 7, 12, &at));
}

/* A switch without an incoming thread leaves no run to end. */
TEST_F(stitch, ends_no_run_of_nobody)
{
	const unsigned char *at;
	uint32_t words;

	ASSERT_EQ(0, begin(self));
	make(self, FXT_LEDGER_HEAD, 0, 2, 0, 0);
	words = fxt_sched_put_unknown_switch(self->s.words + self->c.bytes / FXT_WORD, ++self->now,
					     CPU, 12, 0, 1024, FXT_SCHED_WEIGHT_IDLE,
					     FXT_SCHED_STATE_UNKNOWN, FXT_STR_FILTERED);
	self->c.bytes += words * FXT_WORD;
	ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
	ASSERT_EQ(0, give(self, FXT_LEDGER_HEAD, 1, 1, 8, 5));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	EXPECT_EQ(0U, ends(self, 1000 + 7 * 2 + 1, 12, &at));
}

/* A count of more records than fit, of fewer than the words allow, and of none. */
TEST_F(stitch, refuses_a_count_that_cannot_be)
{
	size_t words;

	ASSERT_EQ(0, tell_all(self, true));
	make(self, FXT_LEDGER_HEAD, 2, 70, 50, 5);
	words = self->c.bytes / FXT_WORD - FXT_LEDGER_WORDS;
	tell(self, true, 45 + words + 1);
	EXPECT_EQ(-EPROTO, stitch_chunk(self->s.st, &self->c));

	ASSERT_EQ(0, tell_all(self, true));
	make(self, FXT_LEDGER_HEAD, 2, 70, 50, 5);
	tell(self, true, 45 + (words - 1) / FXT_SCHED_RECORD_WORDS);
	EXPECT_EQ(-EPROTO, stitch_chunk(self->s.st, &self->c));

	ASSERT_EQ(0, tell_all(self, true));
	make(self, FXT_LEDGER_HEAD, 2, 70, 50, 5);
	tell(self, true, 44);
	EXPECT_EQ(-EPROTO, stitch_chunk(self->s.st, &self->c));
}

/* The producer's count does not apply to a divided chunk. */
TEST_F(stitch, counts_again_what_was_cut)
{
	struct cut cut = { 0 };
	struct fxt_ledger l;

	make(self, FXT_LEDGER_HEAD, 0, 20, 0, 0);
	tell(self, true, 20);
	cut_begin(&cut, 1000 + 7 * 8);
	ASSERT_EQ(0, cut_chunk(&cut, &self->c));
	ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
	ASSERT_EQ(0, stitch_cut(self->s.st, 1000 + 7 * 8));
	ASSERT_EQ(0, fxt_writer_flush(self->s.w));
	l = last_ledger(self);
	EXPECT_EQ(8U, l.written);
	EXPECT_EQ(1000U + 7 * 8, l.last);
	cut_free(&cut);
}

static void make_events(FIXTURE_DATA(stitch) *self, __u32 sequence, uint64_t before, uint64_t lost)
{
	make(self, FXT_LEDGER_HEAD, sequence, 0, before, lost);
	self->now += 7;
	self->c.bytes += fxt_sched_put_run_queue(self->s.words + self->c.bytes / FXT_WORD, self->now,
						 CPU, 2) * FXT_WORD;
}

static int load_archive(FIXTURE_DATA(stitch) *self, struct trace *t, struct why *why)
{
	int fd = memfd_create("archive", MFD_CLOEXEC), ret = -1;
	char path[32];

	memset(t, 0, sizeof(*t));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, self->s.a.bytes, self->s.a.length) == (ssize_t)self->s.a.length)
		ret = trace_load(t, path, true, why);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* Sub-buffers of other events come between a loss, if there is one, and the next switch. */
TEST_F(stitch, has_a_gap_until_the_next_switch)
{
	struct why why = { "" };
	struct trace t;

	setenv("FXT_HIDDEN_PID1", "0", 1);
	for (uint64_t lost = 0; lost <= 5; lost += 5) {
		ASSERT_EQ(0, begin(self));
		/* A switch from 11 to 12 and a wakeup. */
		make(self, FXT_LEDGER_HEAD, 0, 2, 0, 0);
		ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
		make_events(self, 1, 2 + lost, lost);
		ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
		make_events(self, 2, 3 + lost, lost);
		ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
		make(self, FXT_LEDGER_HEAD, 3, 2, 4 + lost, lost);
		ASSERT_EQ(0, stitch_chunk(self->s.st, &self->c));
		ASSERT_EQ(0, stitch_cut(self->s.st, self->now + 1));
		ASSERT_EQ(0, fxt_writer_flush(self->s.w));
		ASSERT_EQ(0, load_archive(self, &t, &why)) TH_LOG("%s", why.text);
		EXPECT_EQ(lost ? 0 : -1, trace_check_chain(&t, &why)) TH_LOG("%s", why.text);
	}
}
