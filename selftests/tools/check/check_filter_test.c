// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives that have only a part of the events: segments, snapshots, filtered recordings. A
 * violation that a filter explains becomes a note, every other one stays a violation.
 */
#include "generate.h"
#include "check_fixture.h"

static int check_part(FIXTURE_DATA(check) *self, const struct generate_wishes *wishes)
{
	int fd = open(self->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || generate_part(fd, wishes) || close(fd))
		abort();
	tool_run(&self->t, ARGS("check", "--json", self->path));
	self->j = json_tokener_parse(self->t.out);
	return tool_run(&self->t, ARGS("check", self->path));
}

TEST_F(check, segment)
{
	EXPECT_EQ(0, check_part(self, &(struct generate_wishes){
		.records = 20000, .cpus = 3, .before = 10000 }));
	EXPECT_EQ(0U, times_in_text(self->t.out, "note"));
	EXPECT_EQ(20000, NUMBER("totals.switches") + NUMBER("totals.wakeups"));
	EXPECT_LE(10000, NUMBER("totals.before"));
	EXPECT_EQ(NUMBER("totals.written"), NUMBER("totals.stored"));
	EXPECT_TRUE(TEXT(" lost, 1"));
	EXPECT_TRUE(TEXT(" before this part\n"));
}

/* Segments, filtered or not, have the same wakeups; only one note is added. */
TEST_F(check, like_for_like)
{
	struct generate_wishes wishes = {
		.records = 20000, .cpus = 3, .before = 10000, .like_for_like = true,
	};

	EXPECT_EQ(0, check_part(self, &wishes));
	EXPECT_EQ(1U, times_in_text(self->t.out, "note"));
	EXPECT_EQ(1, NUMBER("note_counts.sched.wakings"));
	EXPECT_EQ(20000, NUMBER("totals.switches") + NUMBER("totals.wakeups"));
	wishes.only_processes = 2;
	EXPECT_EQ(0, check_part(self, &wishes));
	EXPECT_EQ(1, NUMBER("note_counts.sched.wakings"));
}

TEST_F(check, snapshot)
{
	EXPECT_EQ(0, check_part(self, &(struct generate_wishes){
		.records = 60000, .cpus = 3, .before = 50000, .snapshot = true }));
	EXPECT_LT(0, NUMBER("note_counts.sched.part"));
	EXPECT_EQ(1U, times_in_text(self->t.out, "note"));
	EXPECT_EQ(NUMBER("totals.written"), NUMBER("totals.stored"));
	EXPECT_TRUE(TEXT("not all CPUs are covered before "));
}

TEST_F(check, filtered)
{
	struct generate_wishes wishes = { .records = 20000, .cpus = 4, .only_cpus = 2 };

	EXPECT_EQ(0, check_part(self, &wishes));
	EXPECT_TRUE(TEXT("the recording was filtered (cpus 0-1) [sched filtered]\n"));
	EXPECT_EQ(1, NUMBER("note_counts.sched.filtered"));
	EXPECT_EQ(2, NUMBER("totals.cpus"));
	wishes.only_processes = 2;
	EXPECT_EQ(0, check_part(self, &wishes));
	EXPECT_TRUE(TEXT("the recording was filtered (cpus 0-1, pids 1000,1004) "
			 "[sched filtered]\n"));
	EXPECT_LT(100, NUMBER("note_counts.sched.filtered"));
	EXPECT_EQ(1U, times_in_text(self->t.out, "note"));
}

static void tell_five(struct story *s)
{
	STORY(s, "names@1; name 11 eleven; name 12/11 twelve; name 13/11 thirteen; "
		 "0@1000 0>11; 2000 11>12");
	story_wake(s, 2100, 0, 11, 12);				/* woken-runnable */
	STORY(s, "2200 12>11; 2300 11>12");
	story_wake(s, 2400, 0, 12, 0);				/* woken-running */
	story_switch(s, 3000, 12, 0, FXT_THREAD_BLOCKED);
	story_switch(s, 4000, 0, 12, FXT_THREAD_NEW);		/* not-woken */
	story_switch(s, 5000, 13, 0, FXT_THREAD_NEW);		/* chain */
	STORY(s, "6000 0>11; 1@7000");
	story_switch(s, 7000, 0, 11, FXT_THREAD_NEW);		/* two-cpus */
	story_end(s, 9000);
}

static int check_five(FIXTURE_DATA(check) *self, const char *session)
{
	story_restart(&self->s);
	story_session(&self->s, session);
	tell_five(&self->s);
	return check_json(self);
}

TEST_F(check, filters)
{
	static const char * const threads[] = {
		"filter pids 12,34\n", "source bpf\nfilter comm kworker*\nhost x\n",
		"filter cgroup /a b", "filter cpus 0-1\nfilter comm x\n", "filter new 1\n",
	};
	static const char * const none[] = {
		"filtered cpus 0\n", "filter\x20\n", "", "x filter comm y\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		EXPECT_EQ(0, check_five(self, threads[i]));
		EXPECT_EQ(5, NUMBER("note_counts.sched.filtered"));
		EXPECT_EQ(1U, COUNT("notes"));
		EXPECT_EQ(2100, NUMBER("notes.0.time_ns"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		EXPECT_EQ(1, check_five(self, none[i]));
		EXPECT_EQ(1, NUMBER("counts.sched.chain"));
		EXPECT_EQ(1, NUMBER("counts.sched.two-cpus"));
		EXPECT_EQ(1, NUMBER("counts.sched.woken-running"));
		EXPECT_EQ(1, NUMBER("counts.sched.woken-runnable"));
		EXPECT_EQ(1, NUMBER("counts.sched.not-woken"));
		EXPECT_EQ(0, NUMBER("note_counts.sched.filtered"));
	}
	/* On the recorded CPUs it is known which thread runs. */
	EXPECT_EQ(1, check_five(self, "filter cpus 0-1\n"));
	EXPECT_EQ(1, NUMBER("counts.sched.chain"));
	EXPECT_EQ(1, NUMBER("counts.sched.two-cpus"));
	EXPECT_EQ(1, NUMBER("counts.sched.woken-running"));
	EXPECT_EQ(3, json_object_object_length(at(self->j, "counts.sched")));
	EXPECT_EQ(2, NUMBER("note_counts.sched.filtered"));
}

/* Many threads are switched in and out unseen; none of them hides a violation. */
TEST_F(check, filtered_many)
{
	story_session(&self->s, "filter pids 11\n");
	STORY(&self->s, "names@1; name 11 eleven; name 12/11 twelve; name 13/11 thirteen; 0@1000");
	for (unsigned int i = 0; i < 3000; i++)
		story_switch(&self->s, 1000 + i, 11, 12, FXT_THREAD_NEW);
	/* An execve() would look like this. */
	STORY(&self->s, "8000 12>11 Z; 8001 12>11 Z");
	/* Wakeups that are not recorded wake thread 13 again and again. */
	story_chunk(&self->s, 1, 1000);
	for (unsigned int i = 0; i < 1500; i++)
		STORY(&self->s, "% 0>13; % 13>0 S", 1000 + 2 * i, 1001 + 2 * i);
	story_end(&self->s, 9000);
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(1U, COUNT("notes"));
	/*
	 * 12 is switched in twice in a row; once it is switched out where 11 had been switched in.
	 */
	EXPECT_EQ(3000 + 1499, NUMBER("note_counts.sched.filtered"));
}

/* With a filter, a CPU's first switch may be left out, so nothing shows that it came online. */
TEST_F(check, filtered_and_coming)
{
	story_session(&self->s, "filter pids 21\n");
	STORY(&self->s, "names@1; name 21 migration/0; 0@1000 21>0 S; 2000 0>21; "
			"1@3000 0>21; end 4000");
	EXPECT_EQ(0, check_json(self));
	EXPECT_EQ(0, NUMBER("note_counts.sched.offline"));
	EXPECT_LT(0, NUMBER("note_counts.sched.filtered"));
}

TEST_F(check, filtered_and_wrong)
{
	static const char * const kinds[] = {
		"ledger", "time-back", "wrong-stream", "record", "unnamed", "loss-untold",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct story *s = &self->s;

		story_restart(s);
		story_session(s, "filter comm x\nfilter cpus 0\n");
		tell_sound(s);
		s->now->written += i == 0;
		story_wake(s, i == 1 ? 1999 : 2500, 0, i == 4 ? 14 : i == 3 ? 0 : 11, 12);
		s->now->last = i == 1 ? 1999 : 2500;
		story_state(s, 2600, i == 2, 12, 0, (struct fxt_sched_state){ 0, 0 });
		s->now->lost += i == 5;
		s->now->written += i == 5;
		story_end(s, 3000);
		EXPECT_EQ(1, check_json(self));
		EXPECT_EQ(1, json_object_object_length(at(self->j, "counts.sched")))
			TH_LOG("%s", self->t.out);
		EXPECT_LE(1, json_object_get_int(at(at(self->j, "counts.sched"), kinds[i])));
	}
}

/* A trigger without its wait is a violation only where the filter keeps that wait. */
TEST_F(check, filtered_trigger)
{
	static const struct {
		const char *session;
		uint32_t cpu;
		bool is_wrong;
	} ways[] = {
		{ "filter comm x\n", 0, false }, { "filter comm x\n", 1, false },
		{ "filter cpus 0\n", 0, true }, { "filter cpus 0\n", 1, false },
		{ "filter cpus 0\nfilter comm x\n", 0, false }, { "names cmdline\n", 1, true },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++) {

		story_restart(&self->s);
		story_session(&self->s, ways[i].session);
		tell_sound(&self->s);
		story_end(&self->s, 3000);
		BUILD(&self->s.b, fxt_event(9, FXT_EVENT_INSTANT, 3, FXT_THREAD_REF_INLINE,
				       FXT_STR_CATEGORY, FXT_STR_TRIGGER), 1700,
		      FXT_SCHED_KOID_LOSS, FXT_SCHED_KOID_LOSS, fxt_arg_koid(2, FXT_STR_THREAD), 12,
		      fxt_arg_uint32(1, FXT_STR_CPU, ways[i].cpu),
		      fxt_arg_uint64(2, FXT_STR_LATENCY), 200);
		EXPECT_EQ(ways[i].is_wrong, check_json(self));
		EXPECT_EQ(ways[i].is_wrong, NUMBER("counts.sched.mark"));
		EXPECT_EQ(i < 5, NUMBER("note_counts.sched.filtered"));
	}
}
