// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segments and snapshots, whose streams begin with opening ledgers, each of them at another time:
 * records after an opening ledger continue from its counts; records before it are not reported as
 * missing.
 */
#include "sched_part.h"

static uint64_t notes_of(FIXTURE_DATA(model) *self, enum sched_anomaly_kind kind)
{
	uint64_t count = 0;

	for (size_t i = 0; i < self->found_count; i++)
		if (self->found[i].kind == kind && !self->found[i].violation)
			count += self->found[i].count;
	return count;
}

/* --- opening ledgers ------------------------------------------------------------ */

TEST_F(model, part)
{
	const struct sched_totals *t;

	tell_begin(&self->s);
	/* The sub-buffer continues, continues again, and is followed by another one. */
	tell_rest(&self->s, 0, 6, 80, 9);
	tell_switches(&self->s);
	tell_rest(&self->s, 0, 6, 80, 9);
	STORY(&self->s, "2500 11>12; 0@3000 12>11");
	/* This stream begins at the start of a sub-buffer. */
	tell_opening(&self->s, 1, 5, 50, 0, 800, 801);
	STORY(&self->s, "1@1500 wake 13");
	/* This stream has no records. */
	tell_opening(&self->s, 2, 3, 30, 2, 700, 700);
	/* This stream had no records before. */
	tell_opening(&self->s, 3, 0, 0, 0, 0, 850);
	STORY(&self->s, "3@1700 wake 14; names@1800; name 14/11 fourteen; end 9500");
	EXPECT_CLEAN();
	t = sched_model_totals(self->m);
	EXPECT_EQ(4U + 100 + 50 + 30, t->before);
	EXPECT_EQ(4U + 4 + 1 + 1 + 1, t->written);
	EXPECT_EQ(t->written, t->stored);
	EXPECT_EQ(0U, t->lost);
}

TEST_F(model, part_loses)
{
	tell_begin(&self->s);
	STORY_NOTE(SCHED_LOSS, "!lose 0 5 @3000; 3000 11>12; end 9500");
	EXPECT_EQ(1U, self->found_count);
	EXPECT_EQ(5U, sched_model_totals(self->m)->lost);
	EXPECT_EQ(104U, sched_model_totals(self->m)->before);
	EXPECT_EQ(4U + 5 + 1, sched_model_totals(self->m)->written);
}

TEST_F(model, opened_twice)
{
	tell_begin(&self->s);
	self->at = tell_opening(&self->s, 0, 7, 100, 10, 900, 900);
	story_chunk(&self->s, 0, 1000);
	tell_switches(&self->s);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_LEDGER, self->at, 0);
	EXPECT_EQ(104U, sched_model_totals(self->m)->before);
}

TEST_F(model, opened_in_the_middle)
{
	STORY(&self->s, "threads; 0@1000");
	tell_switches(&self->s);
	STORY_ONLY(SCHED_LEDGER, "!opening 0 #1 @2000; 0@3000 11>12; end 9500");
	EXPECT_EQ(0U, sched_model_totals(self->m)->before);
}

TEST_F(model, opened_at_the_end)
{
	STORY(&self->s, "threads; 0@1000");
	tell_switches(&self->s);
	STORY_ONLY(SCHED_LEDGER, "end 9500; opening 0 #1 @9600");
}

TEST_F(model, opened_with_more_lost_than_written)
{
	STORY(&self->s, "threads");
	self->at = tell_opening(&self->s, 0, 7, 10, 11, 900, 900);
	story_chunk(&self->s, 0, 1000);
	tell_switches(&self->s);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_LEDGER, self->at, 0);
}

TEST_F(model, opened_before_the_last_record)
{
	STORY(&self->s, "threads");
	self->at = tell_opening(&self->s, 0, 7, 10, 0, 900, 899);
	story_chunk(&self->s, 0, 1000);
	tell_switches(&self->s);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_LEDGER, self->at, 0);
}

TEST_F(model, opened_and_not_closed)
{
	uint64_t offset = tell_begin(&self->s);

	story_ledger(&self->s, STORY_NAMES, FXT_LEDGER_CLOSING, 2, 9500);
	EXPECT_ONLY(SCHED_LEDGER, offset, 0);
}

/* After an opening ledger, a record is in no sub-buffer. */
TEST_F(model, opened_without_head)
{
	tell_begin(&self->s);
	self->at = story_state(&self->s, 1000, 0, 11, 12, (struct fxt_sched_state){ 0, 0 });
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_WRONG_STREAM, self->at, 0);
}

/* Names of existing threads come between an opening ledger and the first sub-buffer. */
TEST_F(model, opened_and_named)
{
	tell_opening(&self->s, STORY_NAMES, 1, 4, 1, 100, 100);
	story_chunk(&self->s, 0, 1000);
	tell_switches(&self->s);
	tell_opening(&self->s, 1, 2, 20, 0, 900, 900);
	self->s.now = &self->s.streams[2];	/* which is not in the archive */
	STORY(&self->s, "name 11 eleven; name 12/11 twelve; end 9500");
	EXPECT_CLEAN();
	EXPECT_EQ(2U, sched_model_totals(self->m)->stored);
}

/* --- records after opening ledgers ------------------------------------------------ */

/* The head of the next sub-buffer claims these counts for the stream before it. */
static uint64_t tell_next(struct story *s, struct story_stream what)
{
	uint64_t offset;

	tell_begin(s);
	s->streams[0] = what;
	offset = story_chunk(s, 0, 1000);
	tell_switches(s);
	story_end(s, 9500);
	return offset;
}

TEST_F(model, next_after_opening)
{
	tell_next(&self->s, (struct story_stream){ 900, 100, 10, 7 });
	EXPECT_CLEAN();
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 900, 99, 10, 7 }), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 900, 101, 10, 7 }), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 900, 100, 10, 8 }), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 900, 100, 10, 6 }), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 899, 100, 10, 7 }), 0);
	/* The number of lost records cannot become less. */
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_next(&self->s, (struct story_stream){ 900, 99, 9, 7 }), 0);
	EXPECT_IN(self->found[0].text, "lost records decreases");
}

/* A sub-buffer continues twice. The second time, it has @more additional records. */
static uint64_t tell_goes_on(struct story *s, uint32_t sequence, uint64_t written,
			     uint64_t lost, unsigned int more)
{
	uint64_t offset, second;

	tell_begin(s);
	offset = tell_rest(s, 0, sequence, written, lost);
	tell_switches(s);
	second = tell_rest(s, 0, 6, written + more, lost);
	STORY(s, "3000 11>12; end 9500");
	return more ? second : offset;
}

TEST_F(model, goes_on_after_opening)
{
	tell_goes_on(&self->s, 6, 100, 10, 0);
	EXPECT_CLEAN();
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_goes_on(&self->s, 6, 101, 10, 0), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_goes_on(&self->s, 6, 100, 11, 0), 0);
	again(self);
	EXPECT_ONLY(SCHED_LEDGER, tell_goes_on(&self->s, 6, 90, 8, 1), 0);
	/* Then the second part does not follow, either. */
	again(self);
	EXPECT_EQ(0, ({ tell_goes_on(&self->s, 5, 90, 8, 0); run(self); }));
	EXPECT_EQ(2U, count_of(self, true));
	EXPECT_TRUE(self->found[0].kind == SCHED_LEDGER);
}

TEST_F(model, records_before_opening)
{
	tell_begin(&self->s);
	tell_rest(&self->s, 0, 6, 80, 9);
	STORY_ONLY(SCHED_TIME_BACK, "!899 11>12; 1000 12>11; end 9500");
}

/* --- CPUs that begin later than others ----------------------------------------------- */

/*
 * Threads sleep on CPU 0 and run there again after CPU 1 has woken them. The archive has CPU 1 only
 * from @from on, and the ledger that shows that comes last.
 */
static void tell_uneven(struct story *s, unsigned int threads, uint64_t from)
{
	story_chunk(s, STORY_NAMES, 1);
	for (unsigned int i = 0; i < threads; i++)
		story_name(s, 11 + i, 11, "thread");
	tell_opening(s, 0, 2, 20, 0, 900, 900);
	story_chunk(s, 0, 2000);
	for (unsigned int i = 0; i < 2 * threads; i++) {
		story_switch(s, 2000 + i * 10, 0, 11 + i % threads, FXT_THREAD_NEW);
		story_switch(s, 2005 + i * 10, 11 + i % threads, 0, FXT_THREAD_BLOCKED);
	}
	tell_opening(s, 1, 6, 60, 0, 800, from);
	STORY(s, "1@100000 wake 11; end 1000000");
}

#define FEW		30
#define MANY		1500	/* more than the model keeps of one kind */

TEST_F(model, early)
{
	static const struct {
		unsigned int threads;
		size_t stream_events;
	} ways[] = { { FEW, 0 }, { MANY, 0 }, { FEW, 8 }, { MANY, 8 } };

	self->without_spans = true;
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		again(self);
		self->stream_events = ways[i].stream_events;
		tell_uneven(&self->s, ways[i].threads, 90000);
		EXPECT_NO_VIOLATION();
		EXPECT_EQ(ways[i].threads, notes_of(self, SCHED_PART));
		EXPECT_EQ(1U, self->found_count);
	}
}

/* All CPUs are recorded when they go to sleep: the missing wakeups are violations. */
TEST_F(model, not_early)
{
	self->without_spans = true;
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t count = 0;
		size_t k;

		again(self);
		self->stream_events = i & 1 ? 8 : 0;
		tell_uneven(&self->s, i & 2 ? MANY : FEW, 1000);
		EXPECT_EQ(0, run(self));
		for (k = 0; k < self->found_count; k++)
			count += self->found[k].violation ? self->found[k].count : 0;
		EXPECT_EQ(i & 2 ? MANY + 0U : FEW, count);
		EXPECT_EQ(0U, notes_of(self, SCHED_PART));
	}
}

/* The limit is exact to the ns: the tolerance between the clocks of two CPUs. */
TEST_F(model, early_or_not)
{
	for (unsigned int late = 0; late < 2; late++) {
		uint64_t offset;

		again(self);
		tell_begin(&self->s);
		offset = STORY(&self->s, "0@% 11>0 S; 7000 0>11", 5500 + late);
		tell_opening(&self->s, 1, 6, 60, 0, 800, 5000);
		tell_opening(&self->s, 2, 6, 60, 0, 800, 800);
		story_end(&self->s, 9500);
		if (late)
			EXPECT_ONLY(SCHED_NOT_WOKEN, offset, 0);
		else
			EXPECT_NOTE(SCHED_PART, offset);
	}
	/* In an archive that is not a part, the beginning excuses no missing wakeup. */
	again(self);
	STORY(&self->s, "threads; 0@100 11>0 S");
	EXPECT_ONLY(SCHED_NOT_WOKEN, ({
		uint64_t offset = story_switch(&self->s, 200, 0, 11, FXT_THREAD_NEW);

		story_end(&self->s, 9500);
		offset; }), 0);
}

/* A missing wakeup that is a violation comes after many that are excused. */
TEST_F(model, early_and_wrong)
{
	self->without_spans = true;
	self->stream_events = 8;
	tell_begin(&self->s);
	tell_opening(&self->s, 1, 6, 60, 0, 800, 300000);
	story_chunk(&self->s, 0, 2000);
	for (unsigned int i = 0; i < MANY; i++)
		STORY(&self->s, "% 0>11; % 11>0 S", 2000 + i * 10, 2005 + i * 10);
	EXPECT_ONLY(SCHED_NOT_WOKEN, STORY(&self->s, "400000 0>11; 400005 11>0 S; !500000 0>11; "
						     "end 900000"), 1);
	EXPECT_EQ(MANY + 0U, notes_of(self, SCHED_PART));
}

/*
 * If the opening ledger comes too late in the file, many missing wakeups are reported as the
 * violation that any of them may be.
 */
TEST_F(model, early_or_wrong)
{
	self->without_spans = true;
	self->stream_events = 8;
	STORY(&self->s, "threads");
	tell_opening(&self->s, 0, 7, 100, 10, 900, 900);
	STORY(&self->s, "0@1500 12>0 S");
	for (unsigned int i = 0; i < MANY; i++)
		STORY(&self->s, "% 0>11; % 11>0 S", 2000 + i * 10, 2005 + i * 10);
	STORY(&self->s, "400000 0>11; 400005 11>0 S; 500000 0>11; 600000 11>12");
	/* Push all this out of memory. */
	for (unsigned int i = 0; i < 20; i++)
		story_wake(&self->s, 700000 + i, 0, 13 + i, 12);
	tell_opening(&self->s, 1, 6, 60, 0, 800, 300000);
	story_chunk(&self->s, STORY_NAMES, 2);
	self->s.streams[STORY_NAMES].last = 0;
	for (unsigned int i = 1; i < 20; i++)
		story_name(&self->s, 13 + i, 11, "woken");
	story_end(&self->s, 900000);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1U, count_of(self, true)) log_found(_metadata, self);
	EXPECT_LT(0U, notes_of(self, SCHED_PART));
	EXPECT_GT(MANY + 0U, notes_of(self, SCHED_PART));
}

TEST_F(model, not_early_many_on_one_cpu)
{
	uint64_t count = 0;

	self->without_spans = true;
	self->stream_events = 8;
	STORY(&self->s, "threads");
	tell_opening(&self->s, 0, 7, 100, 10, 900, 900);
	story_chunk(&self->s, 0, 1500);
	/* All of the threads are switched out, so that none is hidden. */
	story_switch(&self->s, 1500, 12, 11, FXT_THREAD_NEW);
	for (unsigned int i = 0; i < MANY; i++)
		story_switch(&self->s, 2000 + i, 11, 12, FXT_THREAD_NEW);
	tell_opening(&self->s, 1, 6, 60, 0, 800, 300000);
	story_end(&self->s, 900000);
	EXPECT_EQ(0, run(self));
	for (unsigned int i = 0; i < self->found_count; i++)
		count += self->found[i].kind == SCHED_CHAIN && self->found[i].violation ?
			 self->found[i].count : 0;
	EXPECT_EQ(MANY - 1U, count);
	EXPECT_EQ(0U, notes_of(self, SCHED_PART));
}

TEST_F(model, part_has_spans)
{
	const struct spanned before = span(11, 900, 1000, 'O', '+', 0, -1, NONE);
	const struct spanned first = span(12, 1000, 2000, 'O', '+', 0, -1, NONE);
	const struct spanned last = span(12, 2000, 9500, '+', '?', 0, -1, NONE);

	tell_begin(&self->s);
	tell_rest(&self->s, 0, 6, 80, 9);
	tell_switches(&self->s);
	story_end(&self->s, 9500);
	EXPECT_CLEAN();
	EXPECT_EQ(900U, sched_model_totals(self->m)->first);
	EXPECT_TRUE(has_span(self, &first));
	EXPECT_TRUE(has_span(self, &last));
	EXPECT_TRUE(has_span(self, &before));
	EXPECT_EQ(5U, self->span_count);
}

TEST_F(model, not_early_on_one_cpu)
{
	tell_begin(&self->s);
	self->at = STORY(&self->s, "0@1000 0>11; 1500 11>0; 2000 0>11; 3000 12>0");
	tell_opening(&self->s, 1, 6, 60, 0, 800, 9000);
	story_end(&self->s, 9500);
	EXPECT_ONLY(SCHED_CHAIN, self->at, 0);
}

/* The last cgroup named for a process counts; a record without one changes nothing. */
TEST_F(model, cgroups)
{
	struct sched_process * const *processes;
	struct built *b = &self->s.b;
	size_t count;

	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 0, 1), 5,
	      fxt_arg_string(1, FXT_STR_CGROUP, FXT_STR_LOST));
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 0, 1), 5,
	      fxt_arg_string(1, FXT_STR_CGROUP, FXT_STR_RECORDS));
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 0, 1), 5,
	      fxt_arg_string(1, FXT_STR_THREAD, FXT_STR_LOST));
	BUILD(b, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 0, 1), 6,
	      fxt_arg_uint32(1, FXT_STR_CGROUP, 7));
	EXPECT_CLEAN();
	processes = sched_model_processes(self->m, &count);
	ASSERT_EQ(2U, count);
	EXPECT_STREQ("records", processes[0]->cgroup);
	EXPECT_EQ(NULL, processes[1]->cgroup);
}
