// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names that fxt dump prints beside threads, also those that are named late or more than once,
 * and filters by those names.
 */
#include "harness.h"
#include "event_story.h"
#include "sched_story.h"
#include "tool.h"

FIXTURE(names)
{
	struct story s;
	int fd;
	char path[64];
	struct tool t;
};

/* 12 is only named after it has run, and is renamed later. */
FIXTURE_SETUP(names)
{
	struct story *s = &self->s;

	self->t = (struct tool){ 0 };
	story_begin(s);
	STORY(s, "names@1; name 11 server; 0@1000 0>11; 2000 wake 12 by 11; 3000 11>12; "
		 "names@3500; name 12 sh; name 12 cc1; 0@4000; 5000 12>21 S; 6000 21>11 S; "
		 "end 7000");
	self->fd = memfd_create("archive", 0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ((ssize_t)built_bytes(&s->b), write(self->fd, s->b.words, built_bytes(&s->b)));
	snprintf(self->path, sizeof(self->path), "/proc/self/fd/%d", self->fd);
}

FIXTURE_TEARDOWN(names) { }

#define DUMP(...)	tool_run(&self->t, ARGS("dump", ##__VA_ARGS__))
#define SHOWS(text)	EXPECT_NE(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)
#define SHOWS_NOT(text)	EXPECT_EQ(NULL, strstr(self->t.out, text)) TH_LOG("%s", self->t.out)

/* Names of functions come after the stacks in the file. */
TEST_F(names, beside_frames)
{
	static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000300 };
	struct story *s = &self->s;

	event_stack(s, 6000, 11, 11, frames, 2);
	event_symbols(s, "k ffffffff81000000 ffffffff81000100 pipe_read\n");
	ASSERT_EQ((ssize_t)built_bytes(&s->b), pwrite(self->fd, s->b.words, built_bytes(&s->b), 0));
	ASSERT_EQ(0, DUMP("--type", "backtrace", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("frames=0xffffffff81000010,0xffffffff81000300 functions=\"pipe_read,?\"\n");
	ASSERT_EQ(0, DUMP("--json", "--type", "backtrace", self->path));
	SHOWS("\"functions\":[\"pipe_read\",null]");
}

TEST_F(names, beside_threads)
{
	ASSERT_EQ(0, DUMP(self->path)) TH_LOG("%s", self->t.err);
	/* A thread that is still runnable is shown as preempted. */
	SHOWS("outgoing_state=preempted outgoing_thread=11 outgoing_name=\"server\" "
	      "incoming_thread=12 incoming_name=\"sh\"");
	SHOWS("waking_thread=12 waking_name=\"sh\" { weight=1024 waker=11:\"server\" }");
	SHOWS("outgoing_state=blocked outgoing_thread=12 outgoing_name=\"cc1\" incoming_thread=21 {");
	SHOWS_NOT("=new");
	ASSERT_EQ(0, DUMP("--json", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("\"outgoing_thread\":11,\"outgoing_name\":\"server\",\"incoming_thread\":12,"
	      "\"incoming_name\":\"sh\",");
}

/* In a pipe, only names before a record are known. */
TEST_F(names, of_a_pipe)
{
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ((ssize_t)built_bytes(&self->s.b),
		  write(ends[1], self->s.b.words, built_bytes(&self->s.b)));
	close(ends[1]);
	EXPECT_EQ(0, tool_run_from(&self->t, ARGS("dump", "-"), ends[0]));
	close(ends[0]);
	SHOWS("outgoing_name=\"server\" incoming_thread=12 {");
	SHOWS("outgoing_thread=12 outgoing_name=\"cc1\" incoming_thread=21 {");
}

static void refer(struct built *b, uint64_t time, uint64_t pointer, uint64_t koid)
{
	BUILD(b, fxt_event(8, FXT_EVENT_INSTANT, 2, 0, FXT_STR_CATEGORY, FXT_STR_CATEGORY),
	      time, 10, 11, fxt_arg_pointer(2, FXT_STR_THREAD), pointer,
	      fxt_arg_koid(2, FXT_STR_COMM), koid);
}

static void describe(struct built *b, uint64_t pointer, uint64_t process, const char *name)
{
	BUILD(b, fxt_userspace_object(4, 0, fxt_string_ref_inline(strlen(name)), 0), pointer, process);
	BUILD_TEXT(b, name);
}

/* Pointers and koids resolve to objects; a pointer only to one that was described before. */
TEST_F(names, of_objects)
{
	struct built *b = &self->s.b;
	size_t before = built_bytes(b);

	refer(b, 8000, 0x1000, 40);
	describe(b, 0x1000, 10, "stack");
	describe(b, 0x2000, 9, "queue");
	BUILD(b, fxt_kernel_object(3, 22, fxt_string_ref_inline(5), 0), 40);
	BUILD_TEXT(b, "timer");
	refer(b, 8001, 0x1000, 11);
	refer(b, 8002, 0x2000, 77);
	ASSERT_EQ((ssize_t)(built_bytes(b) - before),
		  write(self->fd, b->words + before / 8, built_bytes(b) - before));
	ASSERT_EQ(0, DUMP(self->path)) TH_LOG("%s", self->t.err);
	SHOWS("0.000008000 process=10 thread=11 thread_name=\"server\" category=\"fxt_sched\" "
	      "name=\"fxt_sched\" { thread=0x1000 comm=40:\"timer\" }");
	SHOWS("{ thread=0x1000:\"stack\" comm=11:\"server\" }");
	SHOWS("{ thread=0x2000 comm=77 }");
	ASSERT_EQ(0, DUMP("--type", "event", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("{ thread=0x1000:\"stack\" comm=11:\"server\" }");
	SHOWS_NOT("userspace_object");
	ASSERT_EQ(0, DUMP("--from", "0.000008001", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("{ thread=0x1000:\"stack\" comm=11:\"server\" }");
	SHOWS_NOT("_object");
	ASSERT_EQ(0, DUMP("--to", "0.000008001", self->path)) TH_LOG("%s", self->t.err);
	SHOWS_NOT("_object");
	ASSERT_EQ(0, DUMP("--json", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("{\"name\":\"thread\",\"type\":\"pointer\",\"value\":4096,\"object\":\"stack\"},"
	      "{\"name\":\"comm\",\"type\":\"koid\",\"value\":11,\"object\":\"server\"}");
	SHOWS("{\"name\":\"thread\",\"type\":\"pointer\",\"value\":8192},"
	      "{\"name\":\"comm\",\"type\":\"koid\",\"value\":77}");
}

TEST_F(names, comm)
{
	ASSERT_EQ(0, DUMP("--comm", "sh", self->path)) TH_LOG("%s", self->t.err);
	SHOWS("thread_wakeup 0.000002000");
	SHOWS("context_switch 0.000003000");
	SHOWS("kernel_object - koid=12 object_type=thread name=\"sh\"");
	SHOWS_NOT("context_switch 0.000001000");
	SHOWS_NOT("context_switch 0.000005000");
	SHOWS_NOT("name=\"cc1\"");
	ASSERT_EQ(0, DUMP("--comm", "c[a-d]*", "--type", "scheduling", self->path));
	SHOWS("context_switch 0.000005000");
	SHOWS_NOT("context_switch 0.000006000");
	ASSERT_EQ(1, DUMP("--comm", "nobody", self->path));
	EXPECT_STREQ("", self->t.out);
	EXPECT_EQ(2, DUMP("--comm", "[a", self->path));
	EXPECT_IN(self->t.err, "[a: invalid pattern; thread names");
}

/*
 * 12 was prog-aaa, and its id is reused at 5500 by a shell that becomes prog-bbb at 6500. All
 * names come early.
 */
static void reuse(FIXTURE_DATA(names) *self)
{
	struct story *s = &self->s;

	story_restart(s);
	STORY(s, "names@1; name 11 server; name 12 prog-aaa; 5500 12/12 begins sh");
	story_event(s, 12, 12, "prog-bbb", FXT_STR_EXEC, 6500);
	STORY(s, "0@1000 0>12; 2000 12>11 Z; 6000 wake 12 by 11; 6100 11>12 S");
	story_instant(s, 6500, 12, 12, FXT_STR_EXEC);
	STORY(s, "7000 12>0 Z; end 8000");
	if (ftruncate(self->fd, 0) ||
	    pwrite(self->fd, s->b.words, built_bytes(&s->b), 0) != (ssize_t)built_bytes(&s->b))
		abort();
}

TEST_F(names, of_the_moment)
{
	static const char *const json[] = { NULL, "--json" };

	reuse(self);
	ASSERT_EQ(0, DUMP(self->path)) TH_LOG("%s", self->t.err);
	SHOWS("0.000001000 cpu=0 outgoing_state=preempted outgoing_thread=0 incoming_thread=12 "
	      "incoming_name=\"prog-aaa\"");
	SHOWS("outgoing_thread=12 outgoing_name=\"prog-aaa\" incoming_thread=11");
	SHOWS("waking_thread=12 waking_name=\"sh\"");
	SHOWS("outgoing_name=\"server\" incoming_thread=12 incoming_name=\"sh\"");
	SHOWS("0.000006500 process=12 thread=12 thread_name=\"prog-bbb\"");
	SHOWS("outgoing_thread=12 outgoing_name=\"prog-bbb\"");
	for (size_t i = 0; i < 2; i++) {
		const char *path = self->path, *options = json[i] ? json[i] : path;

		ASSERT_EQ(0, DUMP("--comm", "prog-aaa", options, json[i] ? path : NULL));
		SHOWS("0.000001000" + (i ? 7 : 0));
		SHOWS_NOT("prog-bbb");
		SHOWS_NOT("\"sh\"");
	}
}

#define LONG_NAME	"a name that is much longer than any that a thread of Linux can have, in FXT"
#define LARGE_KOID	(1ULL << 60)

/* Records that end otherwise than usual ones: with a state, or without a waker. */
static void end_otherwise(struct built *b, uint64_t time, uint64_t thread, uint64_t other, int i)
{
	BUILD(b, fxt_context_switch(7, 3, 1, i % (FXT_THREAD_DEAD + 1)), time, thread, other,
	      fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, i),
	      fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, -i),
	      fxt_arg_string(1, FXT_STR_STATE, i % 2 ? FXT_STR_STATE_D : FXT_STR_HARD));
	BUILD(b, fxt_context_switch(7, 3, 1, 3), time, thread, other,
	      fxt_arg_string(1, FXT_STR_STATE, FXT_STR_STATE_D),
	      fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, i),
	      fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, -i));
	BUILD(b, fxt_thread_wakeup(4, 1, i), time, thread, fxt_arg_int32(1, FXT_STR_WEIGHT, i));
	BUILD(b, fxt_thread_wakeup(5, 2, i), time, thread, fxt_arg_int32(1, FXT_STR_WEIGHT, i),
	      fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_HARD + i % 3));
	BUILD(b, fxt_thread_wakeup(7, 3, i), time, thread, fxt_arg_int32(1, FXT_STR_WEIGHT, i),
	      fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_HARD + i % 3),
	      fxt_arg_koid(2, FXT_STR_INTERRUPTED), other);
	BUILD(b, fxt_thread_wakeup(4, 1, i), time, thread,
	      fxt_arg_string(1, FXT_STR_IRQ, FXT_STR_HARD + i % 3));
}

/* Threads with all kinds of names take part in usual records, both before and after a rename. */
static void take_part(struct story *s, uint64_t time)
{
	static const uint64_t threads[] = { 0, 11, 12, 11 + 256, 13, 14, 15, 16, 17, LARGE_KOID };
	size_t i, j, n = sizeof(threads) / sizeof(threads[0]);

	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++, time += 10) {
			if (i != j)
				BUILD(&s->b, fxt_context_switch(6, 2, i, j % (FXT_THREAD_DEAD + 1)),
				      time, threads[i], threads[j],
				      fxt_arg_int32(1, FXT_STR_OUTGOING_WEIGHT, 1024 * i),
				      fxt_arg_int32(1, FXT_STR_INCOMING_WEIGHT, INT32_MIN + (int)j));
			BUILD(&s->b, fxt_thread_wakeup(6, 2, j), time + 5, threads[i],
			      fxt_arg_int32(1, FXT_STR_WEIGHT, -1),
			      fxt_arg_koid(2, FXT_STR_WAKER), threads[j]);
			end_otherwise(&s->b, time + 5, threads[i], threads[j], i + j);
		}
	}
}

static char *scheduling_lines(const char *lines)
{
	char *of = calloc(1, strlen(lines) + 1), *to = of;
	const char *end, *kind;

	for (; of && (end = strchr(lines, '\n')); lines = end + 1) {
		kind = memmem(lines, end - lines, "context_switch", 14) ?:
		       memmem(lines, end - lines, "thread_wakeup", 13);
		if (kind)
			to = mempcpy(to, lines, end + 1 - lines);
	}
	return of;
}

static void expect_usual(struct __test_metadata *_metadata, FIXTURE_DATA(names) *self,
			 const char *option, const char *path)
{
	const char *all[] = { "dump", option, path, NULL };
	const char *some[] = { "dump", option, "--type", "scheduling", path, NULL };
	char *usual;

	lseek(self->fd, 0, SEEK_SET);
	ASSERT_EQ(0, tool_run_from(&self->t, all, self->fd)) TH_LOG("%s", self->t.err);
	usual = scheduling_lines(self->t.out);
	ASSERT_NE(NULL, usual);
	EXPECT_LT(90000U, strlen(usual));
	lseek(self->fd, 0, SEEK_SET);
	ASSERT_EQ(0, tool_run_from(&self->t, some, self->fd)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(self->t.out, usual);
}

/* With a filter, each record is decoded in full. Without one, usual records are written at once. */
TEST_F(names, of_usual_records)
{
	struct story *s = &self->s;
	size_t bytes;

	story_restart(s);
	STORY(s, "names@1; name 11 server; name %/11 as if in its place", 11 + 256);
	story_name(s, 13, 13, LONG_NAME);
	story_name(s, 14, 14, "\"quoted\" \\ \x01\x7f\xff<");
	story_object(s, FXT_OBJECT_PROCESS, 15, 0, "a process");
	story_name(s, 16, 16, "aaaaaaaaaaaaaaaa\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01");
	take_part(s, 1000);
	STORY(s, "name 17 late; 2500 12/12 begins sh");
	story_event(s, 12, 12, "cc1", FXT_STR_EXEC, 3001);
	take_part(s, 2000);
	take_part(s, 3000);
	bytes = built_bytes(&s->b);
	ASSERT_EQ(0, ftruncate(self->fd, 0));
	ASSERT_EQ((ssize_t)bytes, pwrite(self->fd, s->b.words, bytes, 0));
	expect_usual(_metadata, self, "--no-pager", self->path);
	expect_usual(_metadata, self, "--json", self->path);
	/* In a pipe, names are only known after their records. */
	expect_usual(_metadata, self, "--no-pager", "-");
	expect_usual(_metadata, self, "--json", "-");
}

/* The filter also finds a record that comes before its thread's kernel object. */
TEST_F(names, processes)
{
	ASSERT_EQ(0, DUMP("--pid", "12", "--type", "scheduling", self->path));
	SHOWS("thread_wakeup 0.000002000");
	SHOWS("context_switch 0.000003000");
	SHOWS("context_switch 0.000005000");
	SHOWS_NOT("context_switch 0.000006000");
}
