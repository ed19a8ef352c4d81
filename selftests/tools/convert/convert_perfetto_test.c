// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `fxt convert --to perfetto`: the packets have what the archive has, in Perfetto's fields, whose
 * numbers are written out in perfetto_lines.h by hand; slices come before those that they contain.
 */
#include <fxt/fxt_mark.h>
#include <fxt/fxt_sched_stack.h>

#include "convert_run.h"
#include "event_story.h"
#include "perfetto_lines.h"

FIXTURE(perfetto)
{
	struct memory m;
	struct fxt_writer *w;
	struct tool t;			/* after CONVERT() */
};

FIXTURE_SETUP(perfetto)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(perfetto) { }

#define CONVERT()								\
	ASSERT_EQ(0, convert(&self->t, "perfetto", "--strict", &self->m))	\
		TH_LOG("%s", self->t.err)

#define CONVERT_ARCHIVE() do {							\
	ASSERT_EQ(0, end_archive(&self->m, self->w));				\
	CONVERT();								\
} while (0)

#define CONVERT_JSON(json) do {							\
	ASSERT_EQ(0, hold(&self->m, json));					\
	CONVERT();								\
} while (0)

#define EXPECT_LINES(kind, expected) do {					\
	char *lines = lines_of(&self->t, kind);					\
										\
	EXPECT_STREQ(expected, lines);						\
	free(lines);								\
} while (0)

/* --- tests ---------------------------------------------------------------------------------- */

/* Wakeups by interrupts are in the compact form, unless the CPU has had no switch yet. */
TEST_F(perfetto, scheduling)
{
	static const char expected[] =
		"900 cpu 2 pid 0: waking /15 target 2 flags 64\n"
		"1000001000 cpu 3 pid 0: switch swapper/3/0 0 -> waker/11 prio 120\n"
		"1000002500 cpu 3 pid 11: waking woken/12 target 1 flags 0\n"
		"1000004000 cpu 3 pid 11: switch waker/11 2048 -> /13 prio -1\n"
		"1000005000 cpu 3 pid 13: switch /13 1 -> swapper/3/0 prio 120\n"
		"1000003000 cpu 3: waking woken/12 target 1 flags 8\n"
		"1000003700 cpu 3: waking /14 target 2 flags 16\n";

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	write_switch(self->w, 1000001000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_wakeup(self->w, 1000002500, 1, 12, 11);
	write_irq_wakeup(self->w, 900, 2, 15, "nmi", 0);
	write_irq_wakeup(self->w, 1000003000, 1, 12, "hard", 11);
	write_irq_wakeup(self->w, 1000003700, 2, 14, "soft", 11);
	write_switch(self->w, 1000004000, 3, 11, 13, FXT_THREAD_NEW, 15, INT32_MAX);
	write_switch(self->w, 1000005000, 3, 13, 0, FXT_THREAD_BLOCKED, 1000001, INT32_MIN);
	write_thread(self->w, 11, 10, TEXT("waker"));
	write_thread(self->w, 12, 10, TEXT("woken"));
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, expected);
	EXPECT_LINES(2, "at 1000005000: thread 11 of 10 waker\nat 1000005000: thread 12 of 10 woken\n");
}

static void write_stack(struct fxt_writer *w, uint64_t time, uint64_t thread, uint64_t innermost,
			uint64_t caller)
{
	struct fxt_content c = {
		.kind = FXT_KIND_BACKTRACE, .time = time, .thread = { 10, thread, 0 }, .frame_count = 2,
	};

	c.frames[0] = innermost;
	c.frames[1] = caller;
	fxt_writer_record(w, &c);
}

/*
 * 11 sleeps in pipe_read(), 12 for a page of a file; of 13 no function is known. The stack of 14 is
 * that of its waker.
 */
TEST_F(perfetto, functions_of_sleeps)
{
	static const char symbols[] =
		"k ffffffff81000000 ffffffff81000100 schedule\n"
		"k ffffffff81000100 ffffffff81000200 pipe_read\n"
		"k ffffffff81000200 ffffffff81000300 folio_wait_bit_common\n";
	static const char expected[] =
		"1000 cpu 3 pid 0: switch swapper/3/0 0 -> /11 prio 120\n"
		"2000 cpu 3 pid 11: switch /11 1 -> /12 prio 120\n"
		"2999 cpu 3 pid 12: thread 11 blocked in 2, io 0\n"
		"3000 cpu 3 pid 12: switch /12 1 -> /11 prio 120\n"
		"3999 cpu 3 pid 11: thread 12 blocked in 3, io 1\n"
		"4000 cpu 3 pid 11: switch /11 1 -> /12 prio 120\n"
		"5000 cpu 3 pid 12: switch /12 1 -> /13 prio 120\n";
	const struct fxt_content blob = {
		.kind = FXT_KIND_BLOB, .blob_type = FXT_BLOB_DATA, .name = TEXT("fxt_sched.symbols"),
		.blob = { symbols, sizeof(symbols) - 1 }, .blob_held = sizeof(symbols) - 1,
	};

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	fxt_writer_provider(self->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(self->w, 1000000000);
	write_switch(self->w, 1000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(self->w, 2000, 3, 11, 12, FXT_THREAD_BLOCKED, 1024, 1024);
	write_switch(self->w, 3000, 3, 12, 11, FXT_THREAD_BLOCKED, 1024, 1024);
	write_stack(self->w, 3000, 11, 0xffffffff81000080, 0xffffffff81000180);
	write_stack(self->w, 3500, 14, 0xffffffff81000080, 0xffffffff81000180);
	write_switch(self->w, 4000, 3, 11, 12, FXT_THREAD_BLOCKED, 1024, 1024);
	write_stack(self->w, 4000, 12, 0xffffffff81000280, 0xffffffff81000180);
	write_switch(self->w, 5000, 3, 12, 13, FXT_THREAD_BLOCKED, 1024, 1024);
	write_stack(self->w, 5000, 13, 0xffffffff81000080, 0xffffffff82000000);
	fxt_writer_record(self->w, &blob);
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, expected);
	EXPECT_LINES(12, "symbol 2 pipe_read\nsymbol 3 folio_wait_bit_common\n");
}

static void write_sample(struct fxt_writer *w, uint64_t time, uint64_t thread, uint64_t innermost,
			 uint64_t caller)
{
	struct fxt_content c = {
		.kind = FXT_KIND_BACKTRACE, .time = time, .thread = { 10, thread, 0 },
		.frame_count = !!innermost + !!caller,
		.frame_flags = FXT_SCHED_SAMPLE | fxt_sched_sample_period(1000),
	};

	c.frames[0] = innermost;
	c.frames[1] = caller;
	fxt_writer_record(w, &c);
}

/* Equal stacks of functions have one number, wherever in them their frames are. */
TEST_F(perfetto, functions_that_ran)
{
	static const char symbols[] =
		"k ffffffff81000000 ffffffff81000100 clear_page\n"
		"k ffffffff81000100 ffffffff81000200 do_fault\n"
		"u 10 1000 2000 main [/bin/main]\n";
	struct fxt_content blob = {
		.kind = FXT_KIND_BLOB, .blob_type = FXT_BLOB_DATA, .name = TEXT("fxt_sched.symbols"),
		.blob = { symbols, sizeof(symbols) - 1 }, .blob_held = sizeof(symbols) - 1,
	};

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	fxt_writer_provider(self->w, FXT_SCHED_PROVIDER_ID, FXT_SCHED_PROVIDER_NAME);
	fxt_writer_initialization(self->w, 1000000000);
	write_sample(self->w, 2000, 11, 0xffffffff81000080, 0xffffffff81000180);
	write_sample(self->w, 3000, 12, 0xffffffff81000090, 0xffffffff81000170);
	write_sample(self->w, 4000, 12, 0x1800, 0);
	write_sample(self->w, 5000, 12, 0xffffffff82000000, 0);
	write_sample(self->w, 6000, 12, 0, 0);
	fxt_writer_record(self->w, &blob);
	blob.name = TEXT("fxt_sched.session");
	fxt_writer_record(self->w, &blob);
	CONVERT_ARCHIVE();
	EXPECT_LINES(135, "2000 11 of 10 stack 1 weight 1000000 of 1, profiler 5\n"
			  "3000 12 of 10 stack 1 weight 1000000 of 1, profiler 5\n"
			  "4000 12 of 10 stack 2 weight 1000000 of 1, profiler 5\n"
			  "5000 12 of 10 stack 3 weight 1000000 of 1, profiler 5\n");
	EXPECT_LINES(12, "counter 1 CPU time unit 1\n"
			 "function 1 do_fault\nframe 1 function 1 in 1 kind 2\n"
			 "function 2 clear_page\nframe 2 function 2 in 1 kind 2\nstack 1: 1 2\n"
			 "function 3 main [/bin/main]\nframe 3 function 3 in 1 kind 1\nstack 2: 3\n"
			 "function 4 0xffffffff82000000\nframe 4 function 4 in 1 kind 2\nstack 3: 4\n");
	EXPECT_IN(self->t.err, "are omitted: 1 of text about the recording, 1 of raw stacks\n");
}

/* Perfetto would refuse the whole trace because of CPUs from 1024 on. */
TEST_F(perfetto, cpus)
{
	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	write_switch(self->w, 1000, 1023, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(self->w, 2000, 1024, 0, 12, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_irq_wakeup(self->w, 3000, 1025, 13, "hard", 0);
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, "1000 cpu 1023 pid 0: switch swapper/1023/0 0 -> /11 prio 120\n");
	EXPECT_IN(self->t.err, "are omitted: 2 of events of CPUs from 1024 on\n");
}

static void write_unknown_switch(struct fxt_writer *w, uint64_t time, uint64_t out, uint64_t in,
				 const char *why)
{
	struct fxt_content c = { .kind = FXT_KIND_CONTEXT_SWITCH, .time = time, .arg_count = 3 };

	c.sw = (struct fxt_switch){ .cpu = 3, .out = out, .in = in, .state = FXT_SCHED_STATE_UNKNOWN };
	c.args[0] = (struct fxt_arg){
		.name = TEXT("outgoing_weight"), .type = FXT_ARG_INT32, .i64 = 1024,
	};
	c.args[1] = (struct fxt_arg){
		.name = TEXT("incoming_weight"), .type = FXT_ARG_INT32, .i64 = 1024,
	};
	c.args[2] = (struct fxt_arg){ .name = TEXT("unknown"), .type = FXT_ARG_STRING };
	c.args[2].text = (struct fxt_text){ .bytes = why, .length = strlen(why) };
	fxt_writer_record(w, &c);
}

/* A run ends even if the switch at its end is missing. */
TEST_F(perfetto, scheduling_with_holes)
{
	static const char expected[] =
		"1000 cpu 3 pid 0: switch swapper/3/0 0 -> a/11 prio 120\n"
		"2000 cpu 3 pid 11: switch a/11 1 -> b/12 prio 120\n"
		"2000 cpu 3 pid 12: switch b/12 1 -> a/11 prio 120\n"
		"3000 cpu 3 pid 11: switch a/11 1 -> /0 prio 120\n"
		"4000 cpu 3 pid 0: switch /0 0 -> a/11 prio 120\n"
		"5000 cpu 3 pid 11: switch a/11 1 -> swapper/3/0 prio 120\n";

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	write_thread(self->w, 11, 10, TEXT("a"));
	write_thread(self->w, 12, 10, TEXT("b"));
	write_switch(self->w, 1000, 3, 0, 11, FXT_THREAD_NEW, INT32_MIN, 1024);
	write_switch(self->w, 2000, 3, 12, 11, FXT_THREAD_BLOCKED, 1024, 1024);
	write_unknown_switch(self->w, 3000, 11, 0, "lost");
	write_unknown_switch(self->w, 4000, 12, 11, "filtered");
	write_switch(self->w, 5000, 3, 11, 0, FXT_THREAD_BLOCKED, 1024, INT32_MIN);
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, expected);
}

static void write_mark(struct fxt_writer *w, uint64_t time, uint32_t kind, uint32_t thread)
{
	__u64 mark[FXT_SCHED_SWITCH_WORDS];

	fxt_sched_put_mark(mark, time, 3, kind, thread, thread ? 1024 : FXT_SCHED_WEIGHT_IDLE);
	fxt_writer_put(w, mark, sizeof(mark));
}

/* A mark begins or ends a run, unless another part of the recording continues there. */
TEST_F(perfetto, marks)
{
	static const char expected[] =
		"1000 cpu 3 pid 0: switch /0 0 -> a/11 prio 120\n"
		"3000 cpu 3 pid 11: switch a/11 1 -> /0 prio 0\n";

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
#define WRITE_STRING(index, text) fxt_writer_string(self->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	write_thread(self->w, 11, 10, TEXT("a"));
	write_mark(self->w, 1000, FXT_STR_BEGIN, 11);
	write_mark(self->w, 2000, FXT_STR_END, 11);
	write_mark(self->w, 2000, FXT_STR_BEGIN, 11);
	write_mark(self->w, 3000, FXT_STR_END, 11);
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, expected);
}

/* Write a process, and its main thread of this name if it has a parent. */
static void write_family(struct fxt_writer *w, uint64_t koid, uint64_t parent, struct fxt_text name)
{
	struct fxt_content c = {
		.kind = FXT_KIND_KERNEL_OBJECT, .name = name, .object = koid,
		.object_type = FXT_OBJECT_PROCESS,
	};

	fxt_writer_record(w, &c);
	if (!parent)
		return;
	c.object_type = FXT_OBJECT_THREAD;
	c.args[c.arg_count++] = (struct fxt_arg){
		.name = TEXT("process"), .type = FXT_ARG_KOID, .u64 = koid,
	};
	c.args[c.arg_count++] = (struct fxt_arg){
		.name = TEXT("parent"), .type = FXT_ARG_KOID, .u64 = parent,
	};
	fxt_writer_record(w, &c);
}

/* Write a process and its main thread, which has that name from a time on. */
static void write_named(struct fxt_writer *w, uint64_t koid, struct fxt_text name, struct fxt_text what,
			uint64_t ns)
{
	struct fxt_content c = {
		.kind = FXT_KIND_KERNEL_OBJECT, .name = name, .object = koid,
		.object_type = FXT_OBJECT_THREAD, .arg_count = 2,
	};

	write_family(w, koid, 0, name);
	c.args[0] = (struct fxt_arg){
		.name = TEXT("process"), .type = FXT_ARG_KOID, .u64 = koid,
	};
	c.args[1] = (struct fxt_arg){ .name = what, .type = FXT_ARG_UINT64, .u64 = ns };
	fxt_writer_record(w, &c);
}

/*
 * Perfetto truncates names of processes at a space, unless the command line continues, and names of
 * workers. Names have times, because an id may be reused.
 */
TEST_F(perfetto, processes)
{
	static const char expected[] =
		"process 10 of 1 Web Content, in one piece\nthread 10 of 10 Web Content\nthread 11 of 10 worker\n"
		"process 12 of 0 plain\nprocess 13 of 0 kworker/R-a\nthread 13 of 13 kworker/R-a\n"
		"process 14 of 2 kthread/0\nthread 14 of 14 kthread/0\n"
		"at 3000: process 15 of 0 first\nthread 15 of 15 first\n"
		"at 2000: process 15 of 0 second\nthread 15 of 15 second\nprocess 16 of 0 alone\n";

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	write_family(self->w, 10, 1, TEXT("Web Content"));
	write_thread(self->w, 11, 10, TEXT("worker"));
	write_family(self->w, 12, 0, TEXT("plain"));
	write_family(self->w, 13, 2, TEXT("kworker/R-a"));
	write_family(self->w, 14, 2, TEXT("kthread/0"));
	write_named(self->w, 15, TEXT("first"), TEXT("fork"), 3000);
	write_named(self->w, 15, TEXT("second"), TEXT("exec"), 2000);
	write_family(self->w, 16, 0, TEXT("alone"));
	CONVERT_ARCHIVE();
	EXPECT_LINES(2, expected);
}

/* A slice is written when it ends, so an inner slice comes first. */
TEST_F(perfetto, slices_contain_one_another)
{
	static const char expected[] =
		"1000 begin outer\n1000 begin inner a=7\n1000 begin empty\n1000 end \n"
		"3000 end \n6000 end \n6000 begin next\n7000 end \n";

	CONVERT_JSON("[{\"ph\":\"X\",\"ts\":1,\"dur\":0,\"name\":\"empty\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"inner\",\"pid\":1,\"tid\":2,\"args\":{\"a\":7}},"
		"{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"name\":\"outer\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"X\",\"ts\":6,\"dur\":1,\"name\":\"next\",\"pid\":1,\"tid\":2}]");
	EXPECT_LINES(11, expected);
	EXPECT_LINES(60, "track of thread 2 of 1\n");
}

TEST_F(perfetto, other_events)
{
	static const char expected[] =
		"1000 instant i\n2000 counter  5\n2000 counter  0.5\n3000 begin op\n4000 end op\n"
		"5000 instant f flow 1\n6000 instant f flow 1 ends\n7000 begin b\n8000 end \n";

	CONVERT_JSON("["
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"P\"}},"
		"{\"ph\":\"i\",\"ts\":1,\"s\":\"t\",\"name\":\"i\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"C\",\"ts\":2,\"name\":\"c\",\"pid\":1,\"id\":\"0x3\",\"args\":{\"x\":5,\"y\":0.5}},"
		"{\"ph\":\"b\",\"ts\":3,\"name\":\"op\",\"pid\":1,\"tid\":2,\"id\":\"0x1\"},"
		"{\"ph\":\"e\",\"ts\":4,\"name\":\"op\",\"pid\":1,\"tid\":2,\"id\":\"0x1\"},"
		"{\"ph\":\"s\",\"ts\":5,\"name\":\"f\",\"pid\":1,\"tid\":2,\"id\":\"0x9\"},"
		"{\"ph\":\"f\",\"ts\":6,\"name\":\"f\",\"pid\":1,\"tid\":2,\"id\":\"0x9\",\"bp\":\"e\"},"
		"{\"ph\":\"B\",\"ts\":7,\"name\":\"b\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"E\",\"ts\":8,\"pid\":1,\"tid\":2}]");
	EXPECT_LINES(11, expected);
	EXPECT_LINES(60, "track of thread 2 of 1\ntrack of process 1\ntrack c:x:3, a counter\n"
		     "track c:y:3, a counter\ntrack op\n");
	EXPECT_LINES(2, "process 1 of 0 P\n");
}

/* The end of an empty slice comes after its beginning, and its arguments count, too. */
TEST_F(perfetto, empty_slices_with_ends)
{
	static const char expected[] =
		"1000 begin a\n2000 end \n2000 begin b\n2000 end  n=3\n2000 begin c\n3000 end \n";

	CONVERT_JSON("["
		"{\"ph\":\"B\",\"ts\":1,\"name\":\"a\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"E\",\"ts\":2,\"pid\":1,\"tid\":2},"
		"{\"ph\":\"B\",\"ts\":2,\"name\":\"b\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"E\",\"ts\":2,\"pid\":1,\"tid\":2,\"args\":{\"n\":3}},"
		"{\"ph\":\"B\",\"ts\":2,\"name\":\"c\",\"pid\":1,\"tid\":2},"
		"{\"ph\":\"E\",\"ts\":3,\"pid\":1,\"tid\":2}]");
	EXPECT_LINES(11, expected);
}

/* The second thread with an id has a track of its own, from its fork on. */
TEST_F(perfetto, tracks_of_reused_ids)
{
	struct fxt_content c = {
		.kind = FXT_KIND_INSTANT, .name = TEXT("i"), .thread = { .process = 15, .thread = 15 },
	};
	static const uint64_t times[] = { 2999, 3000, 1000, 5000 };
	char *text;

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
	write_named(self->w, 15, TEXT("first"), TEXT("fork"), 500);
	write_named(self->w, 15, TEXT("renamed"), TEXT("rename"), 2000);
	write_named(self->w, 15, TEXT("second"), TEXT("fork"), 3000);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		c.time = times[i];
		fxt_writer_record(self->w, &c);
	}
	CONVERT_ARCHIVE();
	text = tracks_of(&self->t);
	EXPECT_STREQ("aabb", text);
	EXPECT_LINES(60, "track of thread 15 of 15\ntrack of thread 15 of 15\n");
}

/* Operations of two processes with one id: the second is within the first, as in Perfetto. */
TEST_F(perfetto, operations_of_two_processes)
{
	char *letters;

	CONVERT_JSON("["
		"{\"ph\":\"b\",\"ts\":1,\"name\":\"op\",\"pid\":1,\"tid\":2,\"id\":\"0x1\"},"
		"{\"ph\":\"b\",\"ts\":2,\"name\":\"op\",\"pid\":5,\"tid\":6,\"id\":\"0x1\"},"
		"{\"ph\":\"e\",\"ts\":3,\"name\":\"op\",\"pid\":1,\"tid\":2,\"id\":\"0x1\"},"
		"{\"ph\":\"n\",\"ts\":4,\"name\":\"in\",\"pid\":7,\"tid\":8,\"id\":\"0x1\"},"
		"{\"ph\":\"e\",\"ts\":5,\"name\":\"op\",\"pid\":5,\"tid\":6,\"id\":\"0x1\"}]");
	letters = tracks_of(&self->t);
	EXPECT_STREQ("aaaaa", letters);
	EXPECT_LINES(60, "track of process 1\ntrack op\n");
}

/* As archives of earlier versions have it: without the number of the device. */
static void add_request_without_device(struct story *s, uint64_t time, uint64_t id)
{
	const struct fxt_sched_request r = { .id = id, .sector = 8, .tid = 11, .bytes = 512 };
	struct fxt_sched_label label = event_label("vda");
	__u64 rec[FXT_SCHED_EVENT_WORDS];
	uint32_t words = fxt_sched_put_request(rec, time, 0, &r, &label) - 1;

	rec[0] = fxt_event(words, FXT_EVENT_ASYNC_BEGIN, 4, FXT_THREAD_REF_INLINE, FXT_STR_BLOCK,
			   fxt_string_ref_inline(label.bytes));
	rec[words - 1] = id;
	event_add(s, rec, words, time);
}

/*
 * Request 1 ends on another CPU after 2, which began later. The end of 3 is missing, and its id is
 * used again. 4 has no beginning, 5 no device, and 6 does not end.
 */
TEST_F(perfetto, requests)
{
	static const char expected[] =
		"2000000 cpu 0 pid 0: start of 1114924 sector 8 + 8, 4096 bytes\n"
		"4000000 cpu 0 pid 0: start of 1114924 sector 8 + 16, 8192 bytes\n"
		"5000000 cpu 0 pid 0: done of 1114924 sector 8 + 16, 8192 bytes\n"
		"8000000 cpu 0 pid 0: start of 1114924 sector 8 + 1, 512 bytes\n"
		"9000000 cpu 0 pid 0: done of 1114924 sector 8 + 1, 512 bytes\n"
		"9000000 cpu 0 pid 0: start of 1114924 sector 8 + 2, 1024 bytes\n"
		"11000000 cpu 0 pid 0: done of 1114924 sector 8 + 2, 1024 bytes\n"
		"13000000 cpu 0 pid 0: start of 1114924 sector 8 + 3, 1536 bytes\n"
		"6000000 cpu 1 pid 0: done of 1114924 sector 8 + 8, 4096 bytes\n";
	struct story s = { .parent = 0 };

	_Static_assert(1114924 == (259 << 8 | (300 & 0xff) | (300 >> 8) << 20), "see event_request()");
	story_begin(&s);
	STORY(&s, "0@1ms");
	event_request(&s, 2 * MS, 11, 1, "vda", 0, 4096);
	event_request(&s, 4 * MS, 11, 2, "vda", 0, 8192);
	event_completion(&s, 5 * MS, 2, "vda", 0);
	event_completion(&s, 7 * MS, 4, "vda", 0);
	event_request(&s, 8 * MS, 11, 3, "vda", 0, 512);
	event_request(&s, 9 * MS, 11, 3, "vda", 0, 1024);
	add_request_without_device(&s, 10 * MS, 5);
	event_completion(&s, 11 * MS, 3, "vda", 0);
	event_completion(&s, 12 * MS, 5, "vda", 0);
	event_request(&s, 13 * MS, 11, 6, "vda", 0, 1536);
	STORY(&s, "1@1ms");
	event_completion(&s, 6 * MS, 1, "vda", 0);
	story_end(&s, 20 * MS);
	ASSERT_EQ(0, hold_bytes(&self->m, s.b.words, built_bytes(&s.b)));
	CONVERT();
	EXPECT_LINES(1, expected);
	EXPECT_EQ(NULL, strstr(self->t.err, "omitted"));
}

/*
 * 12 waits for a futex, through which 11 wakes it; for a mutex, whose holder 21 wakes it; for one
 * whose holder is not the waker; for a futex with a waker whose wakeup is missing; and for a futex
 * without one, although the owner wakes 12 otherwise.
 */
TEST_F(perfetto, ends_of_waits)
{
	static const char expected[] =
		"1000000 begin futex lock=4096\n2000000 instant woke waiter flow 1\n"
		"2100000 end  flow 1 ends\n"
		"3000000 begin mutex lock=8192\n4000000 instant woke waiter flow 2\n"
		"4100000 end  flow 2 ends\n"
		"5000000 begin mutex lock=8192\n6100000 end  flow 3 ends\n"
		"7000000 begin futex lock=4096\n8100000 end  flow 4 ends\n"
		"9000000 begin futex lock=4096\n10100000 end \n";
	char *letters;
	struct story s;

	story_begin(&s);
	STORY(&s, "names@1; name 11/11 main; name 12/11 waiter; name 21/20 other; 0@1ms");
	story_wake(&s, 2 * MS, 0, 12, 11);
	event_futex(&s, 1 * MS, 2 * MS + 100000, 12, 11, 0x1000, 0, 11);
	event_lock(&s, 3 * MS, 4 * MS + 100000, 12, 11, FXT_LOCK_MUTEX, 0x2000, 21);
	event_lock(&s, 5 * MS, 6 * MS + 100000, 12, 11, FXT_LOCK_MUTEX, 0x2000, 21);
	event_futex(&s, 7 * MS, 8 * MS + 100000, 12, 11, 0x1000, 0, 11);
	event_futex(&s, 9 * MS, 10 * MS + 100000, 12, 11, 0x1000, 21, 0);
	STORY(&s, "1@1ms");
	story_wake(&s, 4 * MS, 0, 12, 21);
	story_wake(&s, 6 * MS, 0, 12, 11);
	story_wake(&s, 10 * MS, 0, 12, 21);
	story_end(&s, 20 * MS);
	ASSERT_EQ(0, hold_bytes(&self->m, s.b.words, built_bytes(&s.b)));
	CONVERT();
	EXPECT_LINES(11, expected);
	letters = tracks_of(&self->t);
	EXPECT_STREQ("abaacaaaaaaa", letters);
	free(letters);
}

/* A track that was forgotten is described again. */
TEST_F(perfetto, many_counters)
{
	enum { COUNT = 70000, OF_ONE = 160 };
	char *json = malloc(COUNT * OF_ONE + 2), *to = json;
	const unsigned char *at, *end;
	uint32_t i, processes = 0, tracks = 0;
	struct field packet, track, f;

	ASSERT_NE(NULL, json);
	for (i = 0; i < COUNT; i++)
		to += sprintf(to, "%c{\"ph\":\"C\",\"ts\":%u,\"name\":\"c\",\"pid\":1,\"id\":\"0x%x\","
			      "\"args\":{\"x\":1}}", i ? ',' : '[', i, i);
	strcpy(to, "]");
	CONVERT_JSON(json);
	at = (const unsigned char *)self->t.out;
	end = at + self->t.out_bytes;
	while (next_field(&at, end, &packet)) {
		if (!get(&packet, 60, &track))
			continue;
		processes += get(&track, 3, &f);
		tracks += get(&track, 2, &f);
	}
	EXPECT_EQ((uint32_t)COUNT, tracks);
	EXPECT_LT(1U, processes);
	EXPECT_GT(10U, processes);
}

/* A sample without a stack stays an instant. A cycle of frames ends. */
TEST_F(perfetto, samples)
{
	static const char expected[] =
		"4000 9 of 0 cycles unit 9 weight 2: main\n1000 2 of 1 cycles unit 9 weight 7: main f\n"
		"2000 2 of 1 samples unit 9 weight 1: a b\n3000 2 of 1 samples unit 9 weight 1: main g\n"
		"6000 2 of 1 circle unit 9 weight 1: o o o";
	char *lines;

	CONVERT_JSON("{"
		"\"samples\":[{\"cpu\":0,\"tid\":9,\"ts\":4.0,\"name\":\"cycles\",\"sf\":5,\"weight\":2}],"
		"\"traceEvents\":["
		"{\"ph\":\"P\",\"ts\":1,\"name\":\"cycles\",\"pid\":1,\"tid\":2,\"sf\":7,\"weight\":7},"
		"{\"ph\":\"P\",\"ts\":2,\"pid\":1,\"tid\":2,\"stack\":[\"a\",\"b\"]},"
		"{\"ph\":\"P\",\"ts\":3,\"pid\":1,\"tid\":2,\"sf\":\"x9\"},"
		"{\"ph\":\"P\",\"ts\":5,\"name\":\"none\",\"pid\":1,\"tid\":2,\"sf\":10},"
		"{\"ph\":\"P\",\"ts\":6,\"name\":\"circle\",\"pid\":1,\"tid\":2,\"sf\":11}],"
		"\"stackFrames\":{\"5\":{\"name\":\"main\"},\"7\":{\"parent\":5,\"name\":\"f\"},"
		"\"x9\":{\"parent\":\"5\",\"name\":\"g\"},\"11\":{\"parent\":11,\"name\":\"o\"}}}");
	lines = lines_of(&self->t, 135);
	EXPECT_EQ(0, strncmp(expected, lines, sizeof(expected) - 1)) TH_LOG("%s", lines);
	EXPECT_LINES(11, "5000 instant none json.ph=0\n");
}

/* With the host's packet, states are those of the host's kernel. Packets of archives are copied. */
TEST_F(perfetto, packets_of_the_archive)
{
	static const unsigned char host[] = { 0x0a, 0x02, 0x50, 0x01 }, other[] = { 0x0a, 0x02, 0x50, 0x02 };

	ASSERT_EQ(0, begin_archive(&self->m, &self->w));
#define WRITE_STRING(index, text) fxt_writer_string(self->w, index, text);
	FXT_SCHED_STRINGS(WRITE_STRING)
#undef WRITE_STRING
	write_switch(self->w, 4000, 3, 11, 13, FXT_THREAD_NEW, 15, INT32_MAX);
	fxt_writer_perfetto(self->w, FXT_STR_SAMPLES, other, sizeof(other));
	fxt_writer_perfetto(self->w, FXT_STR_CATEGORY, host, sizeof(host));
	CONVERT_ARCHIVE();
	EXPECT_LINES(1, "4000 cpu 3 pid 11: switch /11 256 -> /13 prio -1\n");
	/* The packet follows the one that begins the sequence. */
	EXPECT_EQ(0, memcmp(self->t.out + 9, host, sizeof(host)));
	EXPECT_EQ(0, memcmp(self->t.out + 13, other, sizeof(other)));
}
