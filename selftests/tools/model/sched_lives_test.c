// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads that have the same id one after the other: each has its own name, process, spans and
 * counts, wherever in the archive the records of names are, and also if records of forks are lost.
 */
#include "sched_fixture.h"

/* 11 runs on CPU 0 from @from on, wakes 20, which runs and dies; then 11 runs again. */
static void live(struct story *s, uint64_t from)
{
	STORY(s, "% wake 20 by 11 on 0; % 11>20; % 20>11 Z", from, from + 100, from + 400);
}

static void begin(struct story *s)
{
	STORY(s, "names@1; name 11 parent; name 20 prog-aaa; 0@1000 0>11");
}

static void tell_second(struct story *s)
{
	STORY(s, "names@2000 20/20 begins parent");
	story_event(s, 20, 20, "prog-bbb", FXT_STR_EXEC, 2150);
}

/* Return: the life of 20 that comes after @nth others. */
static struct sched_thread *life(FIXTURE_DATA(model) *self, uint32_t nth)
{
	static struct sched_thread none;
	struct sched_thread *t = sched_model_thread(self->m, 20);

	while (t && t->nth != nth)
		t = t->before;
	return t ? t : &none;
}

#define EXPECT_LIFE(nth_, name_, process_, switches_, begin_)			\
	do {									\
		const struct sched_thread *l = life(self, nth_);		\
										\
		EXPECT_STREQ(name_, l->name);					\
		EXPECT_EQ((uint64_t)(process_), l->process);			\
		EXPECT_EQ((uint64_t)(switches_), l->switches);			\
		EXPECT_EQ((uint64_t)(begin_), l->begin);			\
	} while (0)

#define EXPECT_RAN(nth_, from_, to_, end_)					\
	do {									\
		struct spanned ran = { 20, from_, to_, SCHED_RUNNING, end_, 0,	\
				       UINT64_MAX, 0xffff, STORY_WEIGHT, nth_ };	\
										\
		EXPECT_TRUE(has_span(self, &ran));				\
	} while (0)

#define EXPECT_TWO_LIVES()							\
	do {									\
		EXPECT_EQ(1U, sched_model_thread(self->m, 20)->nth);		\
		EXPECT_LIFE(0, "prog-aaa", 20, 1, 1100);				\
		EXPECT_LIFE(1, "prog-bbb", 20, 1, 2000);				\
		EXPECT_RAN(0, 1200, 1500, 'X');					\
		EXPECT_RAN(1, 2200, 2500, 'X');					\
	} while (0)

TEST_F(model, names_before)
{
	begin(&self->s);
	live(&self->s, 1100);
	tell_second(&self->s);
	story_chunk(&self->s, 0, 2100);
	live(&self->s, 2100);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_TWO_LIVES();
	EXPECT_STREQ("prog-aaa", life(self, 0)->owner->name);
	EXPECT_STREQ("prog-bbb", life(self, 1)->owner->name);
	EXPECT_EQ(1U, life(self, 1)->owner->nth);
	EXPECT_EQ(life(self, 1), life(self, 1)->owner->leader);
}

/* All names come after the events, and the model still has the events in memory. */
TEST_F(model, names_behind)
{
	begin(&self->s);
	live(&self->s, 1100);
	live(&self->s, 2100);
	tell_second(&self->s);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_TWO_LIVES();
}

/* Names come after the events have left memory. */
TEST_F(model, names_late)
{
	self->stream_events = 4;
	begin(&self->s);
	live(&self->s, 1100);
	live(&self->s, 2100);
	for (uint64_t time = 3000; time < 9000; time += 1000)
		STORY(&self->s, "% 11>0; % 0>11", time, time + 500);
	tell_second(&self->s);
	story_end(&self->s, 9000);
	EXPECT_CLEAN();
	EXPECT_TWO_LIVES();
}

/* A name without a time, at the end, belongs to the last owner of the id. */
TEST_F(model, last_name_is_the_last_lifes)
{
	begin(&self->s);
	live(&self->s, 1100);
	STORY(&self->s, "names@2000 20/20 begins prog-bbb; 0@2100");
	live(&self->s, 2100);
	story_chunk(&self->s, STORY_NAMES, 2900);
	story_object(&self->s, FXT_OBJECT_PROCESS, 20, 0, "prog-bbb [web]");
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_TWO_LIVES();
	EXPECT_STREQ("prog-aaa", life(self, 0)->owner->name);
	EXPECT_STREQ("prog-bbb [web]", life(self, 1)->owner->name);
}

/* A thread that is found as the recording begins and whose fork is recorded as well. */
TEST_F(model, found_and_born)
{
	begin(&self->s);
	STORY(&self->s, "names@900 20/20 begins prog-aaa; 0@1100");
	live(&self->s, 1100);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_EQ(0U, sched_model_thread(self->m, 20)->nth);
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 900);
	EXPECT_EQ(0U, life(self, 0)->owner->nth);
}

TEST_F(model, fork_told_again)
{
	begin(&self->s);
	live(&self->s, 1100);
	for (int i = 0; i < 2; i++)
		tell_second(&self->s);
	story_chunk(&self->s, 0, 2100);
	live(&self->s, 2100);
	STORY(&self->s, "names@2900; 2000 20/20 begins parent");
	story_event(&self->s, 20, 20, "prog-bbb", FXT_STR_EXEC, 2150);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_TWO_LIVES();
}

/* Each owner of the id is a thread of another process, which ends as well. */
TEST_F(model, process_of_each)
{
	STORY(&self->s, "names@1; name 11 parent; name 12 other; 1050 20/11 begins worker; "
			"2000 20/12 begins helper; 0@1000 0>11");
	live(&self->s, 1100);
	live(&self->s, 2100);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "worker", 11, 1, 1050);
	EXPECT_LIFE(1, "helper", 12, 1, 2000);
	EXPECT_STREQ("other", life(self, 1)->owner->name);
	EXPECT_EQ(life(self, 0), sched_model_thread_at(self->m, 20, 1500));
	EXPECT_EQ(life(self, 1), sched_model_thread_at(self->m, 20, 2000));
}

/* The fork was lost: the wakeup of a dead thread begins a life without a name. */
TEST_F(model, fork_lost)
{
	begin(&self->s);
	STORY(&self->s, "names@1050 30/11 begins somebody; 0@1100");
	live(&self->s, 1100);
	self->at = built_bytes(&self->s.b);
	live(&self->s, 2100);
	story_end(&self->s, 3000);
	EXPECT_NOTE(SCHED_UNNAMED, self->at);
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1100);
	EXPECT_LIFE(1, "", 0, 1, 2100);
	EXPECT_RAN(0, 1200, 1500, 'X');
	EXPECT_RAN(1, 2200, 2500, 'X');
}

/* The fork was lost, but an exec names the life. */
TEST_F(model, fork_lost_exec_kept)
{
	begin(&self->s);
	live(&self->s, 1100);
	story_chunk(&self->s, STORY_NAMES, 2150);
	story_event(&self->s, 20, 20, "prog-bbb", FXT_STR_EXEC, 2150);
	STORY(&self->s, "2900 30/11 begins somebody; 0@2100");
	live(&self->s, 2100);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1100);
	EXPECT_LIFE(1, "prog-bbb", 20, 1, 2100);
	EXPECT_STREQ("prog-aaa", life(self, 0)->owner->name);
	EXPECT_STREQ("prog-bbb", life(self, 1)->owner->name);
}

/* Without any fork in the archive, a name belongs to the id. */
TEST_F(model, no_forks_told)
{
	begin(&self->s);
	live(&self->s, 1100);
	live(&self->s, 2100);
	story_end(&self->s, 3000);
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1100);
	EXPECT_LIFE(1, "prog-aaa", 20, 1, 2100);
}

/*
 * 20 ends on CPU 1 after its id has gone to another thread, which is woken and runs on CPU 0. 20
 * may be preempted just before it ends.
 */
static void overlap(struct story *s, bool preempted)
{
	begin(s);
	STORY(s, "names@2000 20/20 begins prog-bbb; 1@1300 0>20");
	if (preempted)
		STORY(s, "1900 20>11; 2700 11>20");
	STORY(s, "2800 20>0 Z; 0@1600 11>0; 2100 wake 20 by 12; 2200 0>20; 2900 20>0 S; "
		 "2950 wake 20 by 12; names@2990; name 12 waker; end 3000");
}

TEST_F(model, old_owner_still_leaves)
{
	overlap(&self->s, false);
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1300);
	EXPECT_LIFE(1, "prog-bbb", 20, 1, 2000);
	EXPECT_EQ('X', life(self, 0)->state);
	EXPECT_EQ('R', life(self, 1)->state);
	EXPECT_RAN(1, 2200, 2900, 'S');
}

TEST_F(model, old_owner_preempted)
{
	overlap(&self->s, true);
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 2, 1300);
	EXPECT_LIFE(1, "prog-bbb", 20, 1, 2000);
	EXPECT_EQ('X', life(self, 0)->state);
}

/* Both owners are runnable on one CPU: the one that dies first is the old one. */
TEST_F(model, old_owner_beside_the_new_one)
{
	begin(&self->s);
	STORY(&self->s, "names@2000 20/20 begins prog-bbb; 0@1300 11>20; 1900 20>11; "
			"2100 wake 20 by 11; 2200 11>20; 2300 20>11 Z; 2400 11>20; 2900 20>11 S; "
			"end 3000");
	EXPECT_CLEAN();
	EXPECT_EQ('X', life(self, 0)->state);
	EXPECT_EQ('S', life(self, 1)->state);
	EXPECT_RAN(1, 2400, 2900, 'S');
}

/* The same, but the new owner runs first, and the old one follows it in one switch. */
TEST_F(model, old_owner_behind_the_new_one)
{
	begin(&self->s);
	STORY(&self->s, "names@2000 20/20 begins prog-bbb; 0@1300 11>20; 1900 20>11; "
			"2100 wake 20 by 11; 2200 11>20 S; 2300 wake 11 by 20; 2400 20>20; "
			"2500 20>20 Z; 2900 20>11 Z; end 3000");
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 2, 1300);
	EXPECT_LIFE(1, "prog-bbb", 20, 2, 2000);
	EXPECT_RAN(0, 2400, 2500, 'X');
	EXPECT_RAN(1, 2200, 2400, '+');
	EXPECT_RAN(1, 2500, 2900, 'X');
}

/*
 * The new owner preempts the old one a second time, and the old one does not die before that runs.
 */
TEST_F(model, old_owner_preempted_again)
{
	begin(&self->s);
	STORY(&self->s, "names@2000 20/20 begins prog-bbb; 0@1300 11>20; 1900 20>11; "
			"2100 wake 20 by 11; 2200 11>20; 2210 20>20; 2500 20>11; 2600 11>20; "
			"2700 20>20; 2710 20>20 Z; 2900 20>11 S; end 3000");
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 3, 1300);
	EXPECT_LIFE(1, "prog-bbb", 20, 3, 2000);
	EXPECT_RAN(0, 2200, 2210, '+');
	EXPECT_RAN(1, 2210, 2500, '+');
	EXPECT_RAN(1, 2600, 2700, '+');
	EXPECT_RAN(0, 2700, 2710, 'X');
	EXPECT_RAN(1, 2710, 2900, 'S');
}

/* The new owner follows the old one on its CPU, in one switch. */
TEST_F(model, old_owner_before_the_new_one)
{
	begin(&self->s);
	STORY(&self->s, "names@2000 20/20 begins prog-bbb; name 12 waker; "
			"0@1300 11>20; 2100 wake 20 by 12; 2200 20>20 Z; 2900 20>11 S; end 3000");
	EXPECT_CLEAN();
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1300);
	EXPECT_LIFE(1, "prog-bbb", 20, 1, 2000);
	EXPECT_RAN(0, 1300, 2200, 'X');
	EXPECT_RAN(1, 2200, 2900, 'S');
}

/* The same, but the fork and the wakeup of the new one were lost. */
TEST_F(model, new_owner_lost)
{
	begin(&self->s);
	STORY_NOTE(SCHED_UNNAMED, "names@1050 30/11 begins somebody; 1@1300 0>20; !2200 20>20 Z; "
				  "2900 20>0 S; end 3000");
	EXPECT_LIFE(0, "prog-aaa", 20, 1, 1300);
	EXPECT_LIFE(1, "", 0, 1, 2200);
}

/* Only a dying thread can be followed by a thread with its id. */
TEST_F(model, follows_itself)
{
	begin(&self->s);
	self->at = STORY(&self->s, "1100 wake 20 by 11 on 0; 1200 11>20; !2200 20>20; "
				   "2900 20>11 S; end 3000");
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_RECORD, true, self->at)) log_found(_metadata, self);
}

/*
 * A part of a recording begins as the id is reused. Only the last switch of the old owner is in it.
 */
TEST_F(model, old_owner_leaves_in_a_part)
{
	STORY(&self->s, "names@2000; name 12 waker; 1050 20/20 begins prog-aaa; "
			"2000 20/20 begins prog-bbb; 0@2100 wake 20 by 12; 2200 0>20; "
			"2900 20>0 S; 1@2300 20>0 Z; end 3000");
	EXPECT_CLEAN();
	EXPECT_LIFE(1, "prog-bbb", 20, 1, 2000);
	EXPECT_EQ('X', life(self, 0)->state);
	EXPECT_EQ('S', life(self, 1)->state);
	EXPECT_RAN(1, 2200, 2900, 'S');
}

TEST_F(model, dead_runs)
{
	begin(&self->s);
	live(&self->s, 1100);
	STORY_ONLY(SCHED_NOT_WOKEN, "!2000 11>20; 2100 20>11 S; end 3000");
	EXPECT_EQ(1U, sched_model_thread(self->m, 20)->nth);
}

/*
 * Many owners, all of them named before any event; with room for all of them, and with little room.
 */
TEST_F(model, many_lives)
{
	char name[FXT_SCHED_COMM_SIZE];

	for (uint64_t k = 0; k < 2; k++) {
		self->stream_events = k ? 8 : 0;
		again(self);
		begin(&self->s);
		live(&self->s, 1100);
		story_chunk(&self->s, STORY_NAMES, 2000);
		for (uint64_t i = 2; i < 300; i++) {
			snprintf(name, sizeof(name), "owner %ju", (uintmax_t)i);
			story_fork(&self->s, 20, 20, name, i * 1000);
		}
		story_chunk(&self->s, 0, 2100);
		for (uint64_t i = 2; i < 300; i++)
			live(&self->s, i * 1000 + 100);
		story_end(&self->s, 400000);
		EXPECT_CLEAN();
		EXPECT_EQ(298U, sched_model_thread(self->m, 20)->nth);
		EXPECT_LIFE(298, "owner 299", 20, 1, 299000);
		EXPECT_LIFE(17, "owner 18", 20, 1, 18000);
		EXPECT_LIFE(0, "prog-aaa", 20, 1, 1100);
	}
}
