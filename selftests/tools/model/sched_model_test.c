// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Threads and CPUs over time: a valid recording gives no anomaly; spans, totals, names and states
 * are those of the story.
 */
#include "event_story.h"
#include "sched_fixture.h"

/*
 * Three threads on two CPUs. The second CPU's chunk is earlier, but comes later in the file. 11
 * runs on CPU 0 and is preempted by 12. 12 wakes 13 onto CPU 1 and sleeps in D. 13 wakes 12 and
 * still runs at the end.
 */
static void tell_story(struct story *s)
{
	STORY(s, "threads; 0@1000 0>11; 2000 wake 12 by 11; 3000 11>12; 4000 wake 13 by 12 on 1");
	story_state(s, 5000, 0, 12, 11, (struct fxt_sched_state){ FXT_THREAD_BLOCKED,
		    FXT_STR_STATE_D });
	STORY(s, "8000 11>12 S; 9000 12>0 Z; 1@500 13>0 S; 4500 0>13; 6000 wake 12 by 13 on 0; "
		 "8500 wake 11 by 13; end 9000");
}

TEST_F(model, clean)
{
	const struct sched_totals *t;
	const struct sched_thread *thread;
	size_t count;

	self->without_spans = true;
	tell_story(&self->s);
	EXPECT_CLEAN();
	t = sched_model_totals(self->m);
	EXPECT_EQ(500U, t->first);
	EXPECT_EQ(9000U, t->last);
	EXPECT_EQ(7U, t->switches);
	EXPECT_EQ(4U, t->wakeups);
	EXPECT_EQ(15U, t->written);
	EXPECT_EQ(15U, t->stored);
	EXPECT_EQ(0U, t->lost);
	EXPECT_EQ(6U, t->ledgers);
	EXPECT_EQ(0U, t->late);
	EXPECT_EQ(2U, t->cpus);

	thread = sched_model_thread(self->m, 11);
	ASSERT_NE(NULL, thread);
	EXPECT_STREQ("eleven", thread->name);
	EXPECT_EQ(11U, thread->process);
	EXPECT_EQ(2U, thread->switches);
	EXPECT_EQ(2U, sched_model_thread(self->m, 0)->switches);
	EXPECT_EQ(NULL, sched_model_thread(self->m, 99));
	EXPECT_EQ(NULL, sched_model_thread(self->m, 1ULL << 40));

	sched_model_threads(self->m, &count);
	EXPECT_EQ(4U, count);
	EXPECT_EQ(11U, sched_model_processes(self->m, &count)[0]->koid);
	EXPECT_EQ(1U, count);
	EXPECT_STREQ("eleven", sched_model_processes(self->m, &count)[0]->name);
}

TEST_F(model, times_of_threads)
{
	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(2000U + 3000, ran(self, 11));
	EXPECT_EQ(1U, times_in(self, 11, SCHED_RUNNING, '+'));
	EXPECT_EQ(1U, times_in(self, 11, 'R', 0));
	EXPECT_EQ(2000U + 1000, ran(self, 12));
	EXPECT_EQ(2U, times_in(self, 12, 'R', 0));
	EXPECT_EQ(4000U, ran(self, 0));
}

TEST_F(model, spans)
{
	const struct spanned expected[] = {
		span(11, 1000, 3000, 'O', '+', 0, -1, NONE),
		span(11, 3000, 5000, '+', '?', 0, -1, NONE),
		span(11, 5000, 8000, 'O', 'S', 0, -1, NONE),
		span(11, 8000, 8500, 'S', '?', NONE, -1, NONE),
		span(11, 8500, 9000, 'R', '?', 1, 13, 1),
		span(12, 2000, 3000, 'R', '?', 0, 11, 0),
		span(12, 3000, 5000, 'O', 'D', 0, -1, NONE),
		span(12, 5000, 6000, 'D', '?', NONE, -1, NONE),
		span(12, 6000, 8000, 'R', '?', 0, 13, 1),
		span(12, 8000, 9000, 'O', 'X', 0, -1, NONE),
		span(12, 9000, 9000, 'X', '?', NONE, -1, NONE),
		span(13, 500, 4000, 'S', '?', NONE, -1, NONE),
		span(13, 4000, 4500, 'R', '?', 1, 12, 0),
		span(13, 4500, 9000, 'O', '?', 1, -1, NONE),
		span(0, 500, 4500, 'O', '+', 1, -1, NONE),
		span(0, 9000, 9000, 'O', '?', 0, -1, NONE),
	};
	uint64_t before = 0;
	size_t i;

	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(ARRAY_SIZE(expected), self->span_count);
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		EXPECT_TRUE(has_span(self, &expected[i])) {
			TH_LOG("no span %zu", i);
		}
	for (i = 0; i < self->span_count; i++) {
		EXPECT_LE(before, self->spans[i].to);
		EXPECT_LE(self->spans[i].from, self->spans[i].to);
		before = self->spans[i].to;
	}
}

/* --- without weights, and with the wakeups of sched_waking --------------------------- */

TEST_F(model, without_weights)
{
	story_session(&self->s, "clock boot\nweight none\nbuffer 1\n");
	self->s.weightless = true;
	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_TRUE(sched_model_totals(self->m)->lacks_weights);
	EXPECT_FALSE(sched_model_totals(self->m)->has_wakings);
	EXPECT_EQ(2000U + 3000, ran(self, 11));
	EXPECT_EQ(4000U, ran(self, 0));
}

/*
 * Our producers only omit weights if the description says so, so 7 switches and 4 wakeups are
 * wrong.
 */
TEST_F(model, without_weights_unsaid)
{
	self->s.weightless = true;
	tell_story(&self->s);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(7U + 4, count_of(self, true));
}

/* Those of idle threads are never omitted. */
TEST_F(model, without_weights_of_idle_threads)
{
	const __u64 rec[] = { fxt_sched_bare_switch_header(0, 0), 9000, 12, 0 };

	story_session(&self->s, "clock boot\nweight none\n");
	story_chunk(&self->s, 0, 9000);
	self->at = story_words(&self->s, rec, 4);
	EXPECT_EQ(0, run(self));
	EXPECT_TRUE(has(self, SCHED_RECORD, true, self->at));
}

TEST_F(model, wakings)
{
	story_session(&self->s, "clock boot\nwakeups waking\nbuffer 1\n");
	tell_story(&self->s);
	EXPECT_EQ(0, run(self));
	EXPECT_EQ(1U, self->found_count) log_found(_metadata, self);
	EXPECT_TRUE(self->found[0].kind == SCHED_WAKINGS);
	EXPECT_FALSE(self->found[0].violation);
	EXPECT_TRUE(sched_model_totals(self->m)->has_wakings);
	EXPECT_FALSE(sched_model_totals(self->m)->lacks_weights);
}

/*
 * --- which moves are recorded: the archive says so, whether there are any or not ---------------
 */

static const struct sched_totals *described(FIXTURE_DATA(model) *self, const char *first,
					    const char *second)
{
	story_session(&self->s, first);
	if (second)
		story_session(&self->s, second);
	tell_story(&self->s);
	return run(self) ? NULL : sched_model_totals(self->m);
}

TEST_F(model, moves_of_runnable_threads)
{
	const struct sched_totals *n = described(self, "source bpf\nmoves runnable\n", NULL);

	ASSERT_NE(NULL, n);
	EXPECT_TRUE(n->has_moves);
	EXPECT_FALSE(n->has_all_moves);
}

TEST_F(model, moves_of_all_threads)
{
	const struct sched_totals *n = described(self, "source kmod\nevents irq,migrate,work\n",
						 NULL);

	ASSERT_NE(NULL, n);
	EXPECT_TRUE(n->has_moves);
	EXPECT_TRUE(n->has_all_moves);
}

TEST_F(model, moves_in_one_of_two_recordings)
{
	const struct sched_totals *n = described(self, "source bpf\nmoves runnable\n",
						 "source bpf\nevents irq\n");

	ASSERT_NE(NULL, n);
	EXPECT_FALSE(n->has_moves);
	EXPECT_FALSE(n->has_all_moves);
}

/* --- the cgroup of a process ------------------------------------------------------------------ */

/* A path that is too long is unknown. */
TEST_F(model, moves_between_cgroups)
{
	char path[FXT_SCHED_PATH_SIZE + 1];
	const struct sched_process *p;
	const struct sched_thread *t;
	size_t count;

	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[FXT_SCHED_PATH_SIZE] = '\0';
	tell_story(&self->s);
	event_attach(&self->s, 11, "/one/below", 2000);
	event_attach(&self->s, 11, path, 4000);
	event_attach(&self->s, 11, "/two", 6000);
	event_attach(&self->s, 11, "/two", 7000);
	ASSERT_EQ(0, run(self));
	p = sched_model_processes(self->m, &count)[0];
	ASSERT_EQ(11U, p->koid);
	t = p->leader;
	EXPECT_EQ(NULL, sched_cgroup_at(t, 1999));
	EXPECT_STREQ("/one/below", sched_cgroup_at(t, 2000));
	EXPECT_STREQ("/one/below", sched_cgroup_at(t, 3999));
	EXPECT_EQ(NULL, sched_cgroup_at(t, 4000));
	EXPECT_STREQ("/two", sched_cgroup_at(t, 6000));
	EXPECT_STREQ("/two", p->cgroup);
	EXPECT_EQ(SCHED_CGROUP_IN | SCHED_CGROUP_OUT | SCHED_CGROUP_UNKNOWN,
		  sched_cgroup_match(t, "/one"));
	EXPECT_EQ(SCHED_CGROUP_OUT | SCHED_CGROUP_UNKNOWN, sched_cgroup_match(t, "/three"));
}

/* 12 moves alone, comes back with its process, and stays where its main thread, 11, leaves it. */
TEST_F(model, threads_that_move_alone)
{
	const struct sched_thread *main, *other;

	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "eleven", "/one");
	STORY(&self->s, "name 12/11 twelve; 0@1000 0>11; 2000 11>12; 9000 12>0 S; end 9000");
	event_attach_alone(&self->s, 12, 11, "/two", 3000);
	event_attach(&self->s, 11, "/one", 4000);
	event_attach_alone(&self->s, 12, 11, "/two/below", 5000);
	event_attach(&self->s, 11, "/three", 6000);
	event_attach_alone(&self->s, 11, 11, "/four", 7000);
	ASSERT_EQ(0, run(self));
	main = sched_model_thread(self->m, 11);
	other = sched_model_thread(self->m, 12);
	EXPECT_STREQ("/one", sched_cgroup_at(main, 3500));
	EXPECT_STREQ("/two", sched_cgroup_at(other, 3500));
	EXPECT_STREQ("/one", sched_cgroup_at(other, 4500));
	EXPECT_STREQ("/two/below", sched_cgroup_at(other, 5500));
	EXPECT_STREQ("/three", sched_cgroup_at(other, 6500));
	EXPECT_STREQ("/four", sched_cgroup_at(main, 7500));
	EXPECT_STREQ("/three", sched_cgroup_at(other, 7500));
	EXPECT_EQ(SCHED_CGROUP_OUT, sched_cgroup_match(other, "/four"));
	EXPECT_EQ(SCHED_CGROUP_IN | SCHED_CGROUP_OUT, sched_cgroup_match(other, "/two"));
}

static void fork_child(struct story *s, uint32_t pid, uint64_t time)
{
	story_chunk(s, STORY_NAMES, time);
	s->parent = 11;
	story_fork(s, pid, pid, "child", time);
	s->parent = 0;
	s->now->last = time;
}

static const struct sched_thread *at(FIXTURE_DATA(model) *self, uint64_t tid)
{
	return sched_model_thread_at(self->m, tid, 8000);
}

/* A child is where its parent was then, unless it began elsewhere. */
TEST_F(model, cgroups_of_children)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "eleven", "/one");
	STORY(&self->s, "name 12/11 twelve; 0@1000 0>11; 9000 11>0 S; end 9000");
	fork_child(&self->s, 13, 2000);
	event_attach(&self->s, 11, "/two", 3000);
	fork_child(&self->s, 14, 4000);
	fork_child(&self->s, 15, 5000);
	event_attach(&self->s, 15, "", 5000);
	ASSERT_EQ(0, run(self));
	EXPECT_STREQ("/one", sched_cgroup_at(at(self, 13), 8000));
	EXPECT_STREQ("/two", sched_cgroup_at(at(self, 14), 8000));
	EXPECT_EQ(NULL, sched_cgroup_at(at(self, 15), 8000));
	EXPECT_EQ(SCHED_CGROUP_IN, sched_cgroup_match(at(self, 13), "/one"));
}

static void fork_apart(struct story *s, uint32_t tid, uint64_t time)
{
	event_attach_as(s, &(struct fxt_sched_attach){
		.tid = tid, .tgid = 11, .alone = 1, .event = { FXT_STR_FORK, time }, .path = "",
		.bytes = FXT_SCHED_PATH_SIZE });
}

/* Threads were not where their process was before they began, or while they were apart. */
TEST_F(model, cgroups_of_threads_that_came_later)
{
	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "eleven", "/one");
	STORY(&self->s, "name 16/11 other; 0@1000 0>11; 9000 11>0 S; end 9000");
	event_attach(&self->s, 11, "/two", 3000);
	STORY(&self->s, "names@4000 12/11 begins later");
	self->s.now->last = 4000;
	fork_apart(&self->s, 13, 5000);
	event_attach(&self->s, 11, "/three", 6000);
	ASSERT_EQ(0, run(self));
	EXPECT_EQ(SCHED_CGROUP_OUT, sched_cgroup_match(at(self, 12), "/one"));
	EXPECT_EQ(SCHED_CGROUP_IN | SCHED_CGROUP_OUT, sched_cgroup_match(at(self, 12), "/two"));
	EXPECT_EQ(SCHED_CGROUP_OUT | SCHED_CGROUP_UNKNOWN,
		  sched_cgroup_match(at(self, 13), "/two"));
	EXPECT_STREQ("/three", sched_cgroup_at(at(self, 13), 7000));
}

/* The next part of a recording repeats the fork, with the cgroup of then. */
TEST_F(model, cgroup_beside_a_repeated_fork)
{
	const struct fxt_sched_attach again = {
		.tid = 13, .tgid = 13, .parent = 11, .event = { FXT_STR_FORK, 2000 },
		.path = "/later", .bytes = 6 };

	story_chunk(&self->s, STORY_NAMES, 1);
	event_process_in(&self->s, 11, "eleven", "/zero");
	STORY(&self->s, "name 16/11 other; 0@1000 0>11; 9000 11>0 S; end 9000");
	fork_child(&self->s, 13, 2000);
	event_attach(&self->s, 13, "/one", 3000);
	event_attach(&self->s, 13, "", 5000);
	event_attach_as(&self->s, &again);
	ASSERT_EQ(0, run(self));
	EXPECT_STREQ("/zero", sched_cgroup_at(at(self, 13), 2500));
	EXPECT_STREQ("/one", sched_cgroup_at(at(self, 13), 4000));
	EXPECT_STREQ("/later", sched_cgroup_at(at(self, 13), 8000));
}

TEST_F(model, span_ends_the_walk)
{
	self->span_error = -EPIPE;
	tell_story(&self->s);
	EXPECT_EQ(-EPIPE, run(self));
}

TEST_F(model, swapped)
{
	build_free(&self->s.b);
	self->s.b.swapped = true;
	story_begin(&self->s);
	BUILD(&self->s.b, fxt_initialization(), 500000000);
	tell_story(&self->s);
	EXPECT_CLEAN();
	EXPECT_EQ(1000U, sched_model_totals(self->m)->first);
	EXPECT_EQ(18000U, sched_model_totals(self->m)->last);
	EXPECT_EQ(10000U, ran(self, 11));
	EXPECT_EQ(15U, sched_model_totals(self->m)->stored);
}

/* --- archives of other producers --------------------------------------------------- */

TEST_F(model, without_ledgers)
{
	story_state(&self->s, 1000, 0, 0, 11, (struct fxt_sched_state){ 0, 0 });
	story_state(&self->s, 3000, 0, 11, 0, (struct fxt_sched_state){ 3, 0 });
	story_wake(&self->s, 4000, 0, 11, 0);
	story_state(&self->s, 5000, 1, 0, 11, (struct fxt_sched_state){ 0, 0 });
	/* These switches of a CPU are out of order. */
	story_state(&self->s, 2500, 0, 12, 11, (struct fxt_sched_state){ 0, 0 });
	story_state(&self->s, 2000, 0, 11, 12, (struct fxt_sched_state){ 0, 0 });
	EXPECT_NO_VIOLATION();
	ASSERT_EQ(1U, self->found_count);
	EXPECT_TRUE(self->found[0].kind == SCHED_UNNAMED);
	EXPECT_EQ(2U, self->found[0].count);
	EXPECT_EQ(1500U, ran(self, 11));
	EXPECT_EQ(500U, ran(self, 12));
	EXPECT_EQ(0U, sched_model_totals(self->m)->ledgers);
}

TEST_F(model, legacy)
{
	struct built *b = &self->s.b;

	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_NEW, 0, 0, 0, 5), 1000, 0, 0, 70, 71);
	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_SUSPENDED, 0, 0, 5, 6), 3000,
	      70, 71, 80, 1ULL << 40);
	BUILD(b, fxt_legacy_switch(6, 2, FXT_THREAD_DYING, 0, 0, 6, 0), 7000, 80, 1ULL << 40, 0, 0);
	EXPECT_NO_VIOLATION();
	EXPECT_EQ(3U, sched_model_totals(self->m)->switches);
	ASSERT_NE(NULL, sched_model_thread(self->m, 71));
	EXPECT_EQ(2000U, ran(self, 71));
	EXPECT_EQ(70U, sched_model_thread(self->m, 71)->process);
	ASSERT_NE(NULL, sched_model_thread(self->m, 1ULL << 40));
	EXPECT_EQ(4000U, ran(self, 1ULL << 40));
	EXPECT_EQ('T', sched_model_thread(self->m, 71)->state);
	EXPECT_EQ('Z', sched_model_thread(self->m, 1ULL << 40)->state);
}

/* --- threads, names, states ----------------------------------------------------------- */

/* Koids below and above 2^22, more than any table starts with. */
TEST_F(model, many_threads)
{
	struct sched_thread * const *list;
	size_t count, i;
	uint64_t koid;

	for (i = 0; i < 3000; i++) {
		koid = i % 2 ? i * 1000 : i << 40 | 5;
		BUILD(&self->s.b, fxt_kernel_object(2, FXT_OBJECT_THREAD, 0, 0), koid);
		BUILD(&self->s.b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, 0, 0), koid);
	}
	EXPECT_CLEAN();
	list = sched_model_threads(self->m, &count);
	ASSERT_EQ(3000U, count);
	for (i = 0; i < count; i++) {
		koid = i % 2 ? i * 1000 : i << 40 | 5;
		EXPECT_EQ(koid, list[i]->koid);
		EXPECT_EQ(i, list[i]->id);
		EXPECT_EQ(list[i], sched_model_thread(self->m, koid));
	}
	sched_model_processes(self->m, &count);
	EXPECT_EQ(3000U, count);
}

TEST_F(model, long_names)
{
	/* 62 bytes, then a character of three bytes. */
	static const char name[] =
		"0123456789012345678901234567890123456789012345678901234567890\xe2\x82\xac!";
	struct built *b = &self->s.b;

	BUILD(b, fxt_kernel_object(2 + fxt_stream_words(strlen(name)), FXT_OBJECT_THREAD,
				   fxt_string_ref_inline(strlen(name)), 0), 7);
	BUILD_TEXT(b, name);
	EXPECT_CLEAN();
	ASSERT_NE(NULL, sched_model_thread(self->m, 7));
	EXPECT_STREQ("0123456789012345678901234567890123456789012345678901234567890",
		     sched_model_thread(self->m, 7)->name);
}

TEST(states)
{
	EXPECT_EQ('+', sched_out_state(FXT_THREAD_NEW, 0));
	EXPECT_EQ('+', sched_out_state(FXT_THREAD_RUNNING, 0));
	EXPECT_EQ('T', sched_out_state(FXT_THREAD_SUSPENDED, 0));
	EXPECT_EQ('t', sched_out_state(FXT_THREAD_SUSPENDED, 't'));
	EXPECT_EQ('P', sched_out_state(FXT_THREAD_SUSPENDED, 'P'));
	EXPECT_EQ('T', sched_out_state(FXT_THREAD_SUSPENDED, 'D'));
	EXPECT_EQ('S', sched_out_state(FXT_THREAD_BLOCKED, 0));
	EXPECT_EQ('D', sched_out_state(FXT_THREAD_BLOCKED, 'D'));
	EXPECT_EQ('I', sched_out_state(FXT_THREAD_BLOCKED, 'I'));
	EXPECT_EQ('S', sched_out_state(FXT_THREAD_BLOCKED, 'P'));
	EXPECT_EQ('Z', sched_out_state(FXT_THREAD_DYING, 0));
	EXPECT_EQ('X', sched_out_state(FXT_THREAD_DEAD, 0));
	EXPECT_EQ(SCHED_UNKNOWN, sched_out_state(6, 0));
	EXPECT_EQ(SCHED_UNKNOWN, sched_out_state(255, 0));
	EXPECT_STREQ("Running", sched_state_name('O'));
	EXPECT_STREQ("R+", sched_state_name('+'));
	EXPECT_STREQ("D", sched_state_name('D'));
	EXPECT_STREQ("Unknown", sched_state_name('?'));
	EXPECT_STREQ("chain", sched_anomaly_name(SCHED_CHAIN));
	EXPECT_STREQ("late", sched_anomaly_name(SCHED_LATE));
}
