// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chunks of quiet CPUs are far behind those of others in the file: the model puts them in order as
 * far as its buffers reach, and reports records that came too late as a note.
 */
#include "sched_fixture.h"

/* CPU 1 has been quiet; its early chunk is behind many of CPU 0 in the file. */
static uint64_t tell_late(struct story *s, unsigned int switches)
{
	uint64_t offset;
	unsigned int i;

	STORY(s, "threads; 0@1000");
	for (i = 0; i < switches; i++)
		story_switch(s, 1000 + i * 1000, i & 1 ? 11 : 0, i & 1 ? 0 : 11, FXT_THREAD_NEW);
	offset = STORY(s, "% wake 12 on 0; 1@1500; !1500 12>0 S; 1700 wake 12 by 11; 1800 0>12; "
			  "2500 12>0 S; end 1000000", 1000 + i * 1000);
	return offset;
}

TEST_F(model, in_time)
{
	tell_late(&self->s, 100);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	EXPECT_EQ(700U, ran(self, 12));
}

TEST_F(model, late)
{
	uint64_t offset, before = 0;

	self->stream_events = 8;
	offset = tell_late(&self->s, 100);
	EXPECT_NOTE(SCHED_LATE, offset);
	EXPECT_EQ(4U, sched_model_totals(self->m)->late);
	EXPECT_EQ(1500U, sched_model_totals(self->m)->first + 500);
	/* The state at the later time counts. */
	EXPECT_EQ('R', sched_model_thread(self->m, 12)->state);
	/* The run time only depends on the order within a CPU. */
	EXPECT_EQ(700U, ran(self, 12));
	for (size_t i = 0; i < self->span_count; i++) {
		EXPECT_LE(self->spans[i].from, self->spans[i].to);
		EXPECT_LE(before, self->spans[i].to);
		before = self->spans[i].to;
	}
}

/* 12 moves to CPU 1, whose records come too late, and a wakeup ends its sleep there. */
TEST_F(model, late_excuses)
{
	self->stream_events = 8;
	STORY(&self->s, "threads; 0@1000 12>0");
	for (unsigned int i = 1; i < 100; i++)
		story_switch(&self->s, 1000 + i * 1000, i & 1 ? 0 : 11, i & 1 ? 11 : 0,
			     FXT_THREAD_NEW);
	story_wake(&self->s, 200000, 0, 12, 0);
	for (unsigned int i = 0; i < 100; i++)
		story_wake(&self->s, 300000 + i, 0, 13 + i, 0);
	STORY(&self->s, "1@1500 0>12; 1800 12>0 S; names@2");
	self->s.streams[STORY_NAMES].last = 0;
	for (unsigned int i = 0; i < 100; i++)
		story_name(&self->s, 13 + i, 11, "many");
	story_end(&self->s, 1000000);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(2U, sched_model_totals(self->m)->late);
	ASSERT_EQ(1U, self->found_count);
	EXPECT_IN(self->found[0].text, "explain other contradictions (1)");
	EXPECT_EQ('+', sched_model_thread(self->m, 12)->state);
}

TEST_F(model, quiet_cpu)
{
	uint64_t time = 1000;

	self->without_spans = true;
	STORY(&self->s, "threads");
	for (unsigned int chunk = 0; chunk < 4; chunk++) {
		story_chunk(&self->s, 0, time);
		for (unsigned int i = 0; i < 2000; i++, time += 1000)
			story_switch(&self->s, time, i & 1 ? 11 : 0, i & 1 ? 0 : 11,
				     FXT_THREAD_NEW);
	}
	STORY(&self->s, "1@5000 0>12; 5500 12>0; end %", time);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
}

TEST_F(model, small_buffers)
{
	self->stream_events = 8;
	STORY(&self->s, "threads");
	for (unsigned int i = 0; i < 1000; i++) {
		STORY(&self->s, "%@% wake 11; % 0>11; % 11>0 S", i & 1, 1000 + i * 1000,
				1100 + i * 1000, 1200 + i * 1000);
	}
	story_end(&self->s, 10000000);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	EXPECT_EQ(100000U, ran(self, 11));
}

TEST_F(model, many_streams)
{
	unsigned int i, cpu, cpus = 40;
	uint64_t before = 0;

	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < 20; i++)
			story_state(&self->s, 1000 + i * 100 + cpu * 7 % 100, cpu,
				    i & 1 ? cpu + 1 : 0, i & 1 ? 0 : cpu + 1,
				    (struct fxt_sched_state){ 0, 0 });
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(cpus, sched_model_totals(self->m)->cpus);
	EXPECT_EQ(0U, sched_model_totals(self->m)->late);
	for (size_t n = 0; n < self->span_count; n++) {
		EXPECT_LE(before, self->spans[n].to);
		before = self->spans[n].to;
	}
	for (cpu = 1; cpu <= cpus; cpu++)
		EXPECT_EQ(1000U, ran(self, cpu));
}

/*
 * There are no ledgers. 12, of which nothing is known, is woken and switched in at the same time.
 * Then it is switched out and woken again at the same time. With many CPUs, other code finds the
 * next event.
 */
static void tell_equal_times(struct story *s, unsigned int cpus)
{
	s->now = NULL;
	for (unsigned int cpu = 1; cpu < cpus; cpu++)
		story_state(s, 500, cpu, 0, 100 + cpu, (struct fxt_sched_state){ 0 });
	story_state(s, 1000, 0, 0, 11, (struct fxt_sched_state){ 0 });
	story_wake(s, 2000, 0, 12, 11);
	story_state(s, 2000, 0, 11, 12, (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	story_state(s, 3000, 0, 12, 0, (struct fxt_sched_state){ FXT_THREAD_BLOCKED, 0 });
	story_wake(s, 3000, 0, 12, 0);
	story_state(s, 4000, 0, 0, 12, (struct fxt_sched_state){ 0 });
}

static void check_equal_times(struct __test_metadata *_metadata, FIXTURE_DATA(model) *self,
			      unsigned int cpus)
{
	again(self);
	tell_equal_times(&self->s, cpus);
	EXPECT_EQ(0, run(self));
	for (size_t i = 0; i < self->found_count; i++)
		EXPECT_TRUE(self->found[i].kind == SCHED_UNNAMED) log_found(_metadata, self);
	EXPECT_EQ(2U, times_in(self, 12, 'R', 0));
	EXPECT_EQ(1U, times_in(self, 12, 'S', 0));
}

TEST_F(model, equal_times_keep_their_order)
{
	check_equal_times(_metadata, self, 1);
	check_equal_times(_metadata, self, 20);
}

/*
 * 12 leaves CPU 1 and is woken onto CPU 0 at the same time, without ledgers. Other CPUs, if any,
 * have later events.
 */
TEST_F(model, equal_times_of_two_cpus_keep_their_order)
{
	const struct fxt_sched_state ready = { 0 }, asleep = { FXT_THREAD_BLOCKED, 0 };

	for (unsigned int cpus = 2; cpus <= 20; cpus += 18) {
		again(self);
		story_state(&self->s, 1000, 1, 0, 12, ready);
		story_state(&self->s, 3000, 1, 12, 0, asleep);
		story_wake(&self->s, 3000, 0, 12, 0);
		story_state(&self->s, 4000, 0, 0, 12, ready);
		for (unsigned int cpu = 2; cpu < cpus; cpu++)
			story_state(&self->s, 5000, cpu, 0, 100 + cpu, ready);
		EXPECT_NO_VIOLATION();
		EXPECT_EQ(1U, times_in(self, 12, 'R', 0));
	}
}
