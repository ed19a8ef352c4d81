// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt merge of archives of other producers, of merged archives, and with wrong command lines:
 * records of two archives stay apart.
 */
#include "merge_fixture.h"
#include "foreign_events.h"
#include "undefined_records.h"

/* Write an application's archive, with a switch in it, whose koids are not Linux ids. */
static void write_foreign(const char *path, uint64_t koid)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct fxt_content c = { .kind = FXT_KIND_CONTEXT_SWITCH, .time = 13 * MS };
	struct fxt_writer *w;

	if (fd < 0 || fxt_writer_open(&w, fd) || fxt_writer_magic(w) ||
	    fxt_writer_provider(w, 1, "app"))
		abort();
	write_event(w, FXT_KIND_DURATION_BEGIN, 11 * MS, koid, koid + 1, "work", 0);
	write_event(w, FXT_KIND_FLOW_BEGIN, 12 * MS, koid, koid + 1, "flow", 3);
	write_event(w, FXT_KIND_FLOW_END, 12 * MS + 1, koid, koid + 1, "flow", 3);
	c.sw = (struct fxt_switch){ .out = koid + 1, .in = koid + 2, .cpu = 1,
				    .state = FXT_THREAD_BLOCKED };
	if (fxt_writer_record(w, &c) || fxt_writer_process(w, koid, "application"))
		abort();
	write_event(w, FXT_KIND_DURATION_END, 14 * MS, koid, koid + 1, "work", 0);
	fxt_writer_close(w);
	close(fd);
}

TEST_F(merge, with_others)
{
	char option[RECORD_PATH + 64];
	const struct gathered_event *e, *sw;
	const struct gathered_name *name;

	tell_machine(self, 0, "host one\nboot b\n", 10);
	write_foreign(self->in[1], 1ULL << 40);
	snprintf(option, sizeof(option), "%s=+0", self->in[1]);
	ASSERT_MERGE(2, "--offset", option);
	EXPECT_EQ(10U, self->g.event_count);
	e = find(&self->g, FXT_KIND_DURATION_BEGIN, 11 * MS, 2);
	ASSERT_NE(NULL, e);
	EXPECT_LE(KOIDS, e->thread);
	EXPECT_GT(2 * KOIDS, e->thread);
	EXPECT_NE(e->thread, e->other);
	sw = find(&self->g, FXT_KIND_CONTEXT_SWITCH, 13 * MS, 2);
	ASSERT_NE(NULL, sw);
	EXPECT_EQ(e->thread, sw->other);
	EXPECT_EQ(3U, sw->cpu);
	name = gathered_name(&self->g, FXT_OBJECT_PROCESS, e->other);
	ASSERT_NE(NULL, name);
	EXPECT_STREQ("application [b:1099511627776]", name->name);
}

/* Counters of CPUs get the number that their CPU has in the merged archive. */
TEST_F(merge, counters)
{
	tell_machine(self, 0, "host one\nboot b\n", 10);
	story_counter_names(&self->s);
	story_counter(&self->s, 11 * MS, 0, 1, 100);
	story_counter(&self->s, 12 * MS, 1, 2, 200);
	/* This CPU is known only from its counter. */
	story_counter(&self->s, 13 * MS, 2, 3, 300);
	save(self, 0);
	tell_machine(self, 1, "host two\nboot b\n", 12);
	story_counter_names(&self->s);
	story_counter(&self->s, 14 * MS, 0, 4, 400);
	story_counter(&self->s, 15 * MS, 1, 5, 500);
	save(self, 1);
	ASSERT_MERGE(2, NULL);
	EXPECT_STREQ("11 cpu 0: 1 100\n12 cpu 1: 2 200\n13 cpu 2: 3 300\n"
		     "14 cpu 3: 4 400\n15 cpu 4: 5 500\n", gathered_counters(&self->g));
	EXPECT_EQ(4U, find(&self->g, FXT_KIND_THREAD_WAKEUP, 14 * MS, 2)->cpu);
	EXPECT_STREQ("fxt_sched", gathered_text(&self->g, FXT_OBJECT_PROCESS, FXT_SCHED_KOID_LOSS));
}

static void tell_foreign_counter(FIXTURE_DATA(merge) *self, unsigned int n, uint64_t koid)
{
	begin(self, "host two\nboot b\n");
	BUILD(&self->s.b, fxt_event(7, FXT_EVENT_COUNTER, 2, FXT_THREAD_REF_INLINE,
				    FXT_STR_CATEGORY, FXT_STR_CPU), 12 * MS, koid, koid,
	      fxt_arg_uint32(1, FXT_STR_RUNNABLE, 1), fxt_arg_uint32(1, FXT_STR_SWITCHES, 2), 7);
	save(self, n);
}

/* An application's counters are its own and do not describe CPUs. */
TEST_F(merge, counters_of_applications)
{
	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_foreign_counter(self, 1, 11);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_NE(NULL, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2));
	EXPECT_EQ(7U, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2)->cpu);
	EXPECT_EQ(KOIDS + 11, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2)->thread);
	/* This is not a Linux id, so the thread gets a new koid. */
	tell_foreign_counter(self, 1, 1ULL << 40);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_NE(NULL, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2));
	EXPECT_LE(KOIDS, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2)->thread);
	EXPECT_GT(2 * KOIDS, find(&self->g, FXT_KIND_COUNTER, 12 * MS, 2)->thread);
	/* If it is the first archive, it uses up no CPU number. */
	tell_foreign_counter(self, 0, 11);
	tell_machine(self, 1, "host one\nboot b\n", 10);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	ASSERT_NE(NULL, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 2));
	EXPECT_EQ(1U, find(&self->g, FXT_KIND_THREAD_WAKEUP, 12 * MS, 2)->cpu);
}

/* An archive's records about its providers refer to the same providers after a merge. */
TEST_F(merge, provider_events)
{
	char option[RECORD_PATH + 64];
	struct fxt_writer *w;
	int fd;

	for (unsigned int n = 0; n < 2; n++) {
		fd = open(self->in[n], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		ASSERT_EQ(0, fxt_writer_open(&w, fd));
		fxt_writer_magic(w);
		fxt_writer_provider(w, 7, "app");
		write_event(w, FXT_KIND_INSTANT, 5, 1, 1, "one", 0);
		if (n)
			fxt_writer_provider_event(w, 7);
		fxt_writer_close(w);
		close(fd);
	}
	snprintf(option, sizeof(option), "%s=+0", self->in[1]);
	ASSERT_EQ(0, merge(self, 2, "--offset", option)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, RUN(&self->t, "dump", "--type", "provider_event", self->out));
	EXPECT_IN(self->t.out, "provider_id=2 ");
}

/* The flow ids of both applications count from one. */
TEST_F(merge, flows_of_two)
{
	char option[RECORD_PATH + 64];
	struct walk w = { .o.strict = true };

	write_foreign(self->in[0], 100);
	write_foreign(self->in[1], 100);
	snprintf(option, sizeof(option), "%s=+1ms", self->in[1]);
	ASSERT_EQ(0, merge(self, 2, "--offset", option)) TH_LOG("%s", self->t.err);
	EXPECT_EQ(0, walk_path(&w, self->out));
	ASSERT_EQ(0, RUN(&self->t, "dump", "--type", "flow_begin", self->out));
	EXPECT_IN(self->t.out, "correlation_id=3\n");
	EXPECT_IN(strchr(self->t.out, '\n'), "correlation_id=");
	EXPECT_EQ(NULL, strstr(strchr(self->t.out, '\n'), "correlation_id=3\n"))
		TH_LOG("%s", self->t.out);
}

TEST_F(merge, vectors)
{
	char path[RECORD_PATH], option[RECORD_PATH + 64];

	snprintf(self->in[0], sizeof(self->in[0]), "%s",
		 built_path(path, sizeof(path), "vectors/go-writer.fxt"));
	snprintf(self->in[1], sizeof(self->in[1]), "%s",
		 built_path(path, sizeof(path), "vectors/magic-trace.fxt.gz"));
	snprintf(option, sizeof(option), "%s=+0", self->in[1]);
	/* A reference to an unregistered string is skipped, and reported. */
	EXPECT_EQ(1, merge(self, 2, "--offset", option));
	EXPECT_IN(self->t.err, "were skipped");
	EXPECT_EQ(0, RUN(&self->t, "check", "--only", "format", self->out))
		TH_LOG("%s", self->t.out);
}

TEST_F(merge, of_merged_ones)
{
	char third[RECORD_PATH + 32];
	uint64_t koid;

	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_machine(self, 1, "host two\nboot b\n", 12);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	tell_machine(self, 2, "host three\nboot b\n", 14);
	snprintf(third, sizeof(third), "%s/third.fxt.gz", self->dir);
	ASSERT_EQ(0, RUN(&self->t, "merge", "-o", third, self->out, self->in[2]))
		TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, gather(&self->g, third));
	EXPECT_SOUND(third);
	EXPECT_EQ(3U, self->g.provider_count);
	EXPECT_EQ(15U, self->g.event_count);
	/* A merged archive has koids larger than Linux ids: they are renumbered. */
	koid = find(&self->g, FXT_KIND_THREAD_WAKEUP, 14 * MS, 2)->thread;
	EXPECT_STREQ("twelve [two:12] [one:4194316]",
		     gathered_text(&self->g, FXT_OBJECT_THREAD, koid));
	ASSERT_EQ(0, RUN(&self->t, "cut", "--from", "0.0125", "--to", "0.0165", "-o", self->out,
			 third)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, gather(&self->g, self->out));
	EXPECT_SOUND(self->out);
	EXPECT_EQ(3U, self->g.provider_count);
	EXPECT_EQ(9U, self->g.event_count);
}

/* One archive alone stays as it is. */
TEST_F(merge, of_one)
{
	tell_machine(self, 0, "host one\nsegment 1\n", 10);
	ASSERT_MERGE(1, NULL);
	EXPECT_STREQ("host one\nsegment 1\n", self->g.session);
	EXPECT_STREQ("twelve", gathered_text(&self->g, FXT_OBJECT_THREAD, 12));
}

/* If two archives of a machine overlap, they appear like two machines in the result. */
TEST_F(merge, what_is_there_twice)
{
	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_machine(self, 1, "host one\nboot b\n", 13);
	tell_machine(self, 2, "host one\nboot b\n", 30);
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "overlap in time");
	EXPECT_NOT_IN(self->t.err, "same file");
	ASSERT_EQ(0, merge(self, 1, self->in[2], NULL)) TH_LOG("%s", self->t.err);
	EXPECT_NOT_IN(self->t.err, "warning");
	ASSERT_EQ(0, merge(self, 1, self->in[0], NULL)) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, "same file");
}

TEST_F(merge, usage)
{
	tell_machine(self, 0, "host one\nboot b\n", 10);
	tell_machine(self, 1, "host two\nboot b\n", 10);
	EXPECT_EQ(2, RUN(&self->t, "merge", "-o", self->out));
	EXPECT_EQ(2, RUN(&self->t, "merge", self->in[0], self->in[1]));
	EXPECT_EQ(2, RUN(&self->t, "merge", "-o", self->in[1], self->in[0], self->in[1]));
	EXPECT_EQ(0, gather(&self->g, self->in[1]));
	EXPECT_EQ(2, RUN(&self->t, "merge", "--what", "-o", self->out, self->in[0]));
	EXPECT_EQ(3, RUN(&self->t, "merge", "-o", self->out, self->in[0], "/dev/null"));
	EXPECT_EQ(3, RUN(&self->t, "merge", "-o", self->out, self->in[0], "/nowhere"));
	EXPECT_NE(0, access(self->out, F_OK));
	EXPECT_EQ(4, RUN(&self->t, "merge", "-o", "/nowhere/out", self->in[0]));
	EXPECT_EQ(4, RUN(&self->t, "merge", "-o", "/dev/full", self->in[0], self->in[1]));
	ASSERT_NE(NULL, strstr(self->t.err, "fxt: cannot write")) TH_LOG("%s", self->t.err);
	EXPECT_EQ(1U, strlen(strstr(strstr(self->t.err, "fxt: cannot write"), "\n")));
	EXPECT_EQ(0, RUN(&self->t, "merge", "--help"));
}

/* Unknown records are copied unchanged. */
TEST_F(merge, what_is_not_defined)
{
	struct built b = { 0 };

	build_undefined(&b);
	save_file(self->in[0], b.words, built_bytes(&b));
	ASSERT_EQ(0, merge(self, 1, NULL, NULL)) TH_LOG("%s", self->t.err);
	EXPECT_IN(self->t.err, ": 5 records of undefined kinds");
	EXPECT_TRUE(undefined_is_whole(self->out));
}

/* 11 is the parent of 12, and 12 of 13. 13 may only run on CPU 0 and on CPUs 2 to 3. */
static void tell_family(FIXTURE_DATA(merge) *self, unsigned int n, const char *session)
{
	struct story *s = &self->s;

	begin(self, session);
	STORY(s, "names@9ms; name 11 eleven");
	s->parent = 11;
	story_name(s, 12, 12, "twelve");
	s->parent = 0;
	BUILD(&s->b, fxt_kernel_object(9, FXT_OBJECT_THREAD, fxt_string_ref_inline(8), 3), 13);
	BUILD_TEXT(&s->b, "thirteen");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), 13);
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PARENT), 12);
	BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(5)));
	BUILD_TEXT(&s->b, "0,2-3");
	s->now->written++;
	STORY(s, "0@10ms 0>11; 11ms 11>13 S; 12ms 13>12 S; 3@10ms 0>0; end 13ms");
	save(self, n);
}

/* Parents and CPUs stay within their machine. */
TEST_F(merge, families)
{
	const struct gathered_name *n;

	tell_family(self, 0, "host one\nboot a\nepoch 5\n");
	tell_family(self, 1, "host two\nboot b\nepoch 5\n");
	ASSERT_EQ(0, merge(self, 2, NULL, NULL)) TH_LOG("%s", self->t.err);
	n = gathered_name(&self->g, FXT_OBJECT_THREAD, 12);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(11U, n->parent);
	n = gathered_name(&self->g, FXT_OBJECT_THREAD, 13);
	ASSERT_NE(NULL, n);
	EXPECT_STREQ("0,2-3", n->cpus);
	n = gathered_name(&self->g, FXT_OBJECT_THREAD, KOIDS + 12);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(KOIDS + 11, n->parent);
	n = gathered_name(&self->g, FXT_OBJECT_THREAD, KOIDS + 13);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(KOIDS + 12, n->parent);
	EXPECT_STREQ("4,6-7", n->cpus);
	EXPECT_EQ(0U, gathered_name(&self->g, FXT_OBJECT_THREAD, KOIDS + 11)->parent);
}
