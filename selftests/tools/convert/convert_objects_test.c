// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects, stacks, cgroups and clocks in `fxt convert --to json`: a pointer or koid refers to the
 * object that was described before, and to no other; a stack's chain of parents has the frames of
 * its backtrace.
 */
#include "convert_json.h"

#define SOCKET	14	/* Zircon's number of sockets */

TEST(objects_live)
{
	struct fxt_content c = an_event(FXT_KIND_USERSPACE_OBJECT, 0, "first");
	struct json_object *e;
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	c.object = 0x1000;
	add(&c, TEXT("size"), (struct fxt_arg){ .type = FXT_ARG_UINT32, .u64 = 9 });
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	c.thread.process = 6;		/* an object of another process is another object */
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	c.thread.process = 5;
	c.name = TEXT("second");
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_EQ(3, count(&j, "ph", "N"));
	EXPECT_EQ(4, count(&j, "ph", "O"));
	EXPECT_EQ(1, count(&j, "ph", "D"));
	EXPECT_STREQ("first", text(find(&j, "D", NULL, 0), "name"));
	EXPECT_STREQ("0x1000", text(find(&j, "D", NULL, 0), "id"));
	EXPECT_EQ(5, number(find(&j, "D", NULL, 0), "pid"));
	e = find(&j, "O", "second", 0);
	EXPECT_EQ(9, number(member(member(e, "args"), "snapshot"), "size"));
}

static int describe(struct fxt_writer *w, uint64_t process, uint64_t pointer, const char *name)
{
	struct fxt_content c = an_event(FXT_KIND_USERSPACE_OBJECT, 0, name);

	c.object = pointer;
	c.thread.process = process;
	return fxt_writer_record(w, &c);
}

static int describe_koid(struct fxt_writer *w, uint8_t type, uint64_t koid, const char *name)
{
	struct fxt_content c = an_event(FXT_KIND_KERNEL_OBJECT, 0, name);

	c.object = koid;
	c.object_type = type;
	return fxt_writer_record(w, &c);
}

static int refer(struct fxt_writer *w, uint64_t time, const char *name, uint64_t pointer,
		 uint64_t koid)
{
	struct fxt_content c = an_event(FXT_KIND_INSTANT, time, name);

	add(&c, TEXT("p"), (struct fxt_arg){ .type = FXT_ARG_POINTER, .u64 = pointer });
	add(&c, TEXT("k"), (struct fxt_arg){ .type = FXT_ARG_KOID, .u64 = koid });
	return fxt_writer_record(w, &c);
}

static const char *arg(const struct json *j, const char *event, const char *key)
{
	return raw(member(find(j, "i", event, 0), "args"), key);
}

/* Although events are sorted by time, references are resolved in the order of the file. */
TEST(arguments_refer_to_objects)
{
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, refer(w, 10, "before", 0x1000, 40));
	ASSERT_EQ(0, describe(w, 5, 0x1000, "queue"));
	ASSERT_EQ(0, describe(w, 6, 0x2000, "another's"));
	ASSERT_EQ(0, describe_koid(w, SOCKET, 40, "socket"));
	ASSERT_EQ(0, describe_koid(w, FXT_OBJECT_PROCESS, 5, "process"));
	ASSERT_EQ(0, refer(w, 20, "behind", 0x1000, 40));
	ASSERT_EQ(0, refer(w, 30, "others", 0x2000, 41));
	ASSERT_EQ(0, refer(w, 40, "process", 0, 5));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_STREQ("\"0x1000\"", arg(&j, "before", "p"));
	EXPECT_STREQ("40", arg(&j, "before", "k"));
	EXPECT_STREQ("{\"id_ref\":\"0x1000\"}", arg(&j, "behind", "p"));
	EXPECT_STREQ("{\"id_ref\":\"0x28\"}", arg(&j, "behind", "k"));
	EXPECT_STREQ("\"0x2000\"", arg(&j, "others", "p"));
	EXPECT_STREQ("41", arg(&j, "others", "k"));
	EXPECT_STREQ("5", arg(&j, "process", "k"));
	/* Objects that all processes may refer to have a global id. */
	EXPECT_STREQ("{\"global\":\"0x28\"}", raw(find(&j, "O", "socket", 0), "id2"));
	EXPECT_STREQ("0x1000", text(find(&j, "O", "queue", 0), "id"));
}

static int write_stack(struct fxt_writer *w, uint64_t time, const uint64_t *frames, uint8_t count)
{
	struct fxt_content c = an_event(FXT_KIND_BACKTRACE, time, "");

	c.frame_count = count;
	memcpy(c.frames, frames, count * sizeof(*frames));
	return fxt_writer_record(w, &c);
}

/* The frames of a stack, innermost first: "0x30 0x20 0x10". */
static void unwind(const struct json *j, size_t nth, char *to, size_t room)
{
	struct json_object *frames = member(j->root, "stackFrames"), *frame;
	char key[16];
	size_t used = 0;

	snprintf(key, sizeof(key), "%" PRId64, number(find(j, "i", "backtrace", nth), "sf"));
	for (*to = '\0'; (frame = member(frames, key)) && used < room; ) {
		used += snprintf(to + used, room - used, "%s%s", used ? " " : "",
				 text(frame, "name"));
		snprintf(key, sizeof(key), "%s", text(frame, "parent"));
	}
}

TEST(stacks_share_frames)
{
	static const uint64_t stacks[3][3] = {
		{ 0x30, 0x20, 0x10 }, { 0x40, 0x20, 0x10 }, { 0x30, 0x21, 0x10 },
	};
	struct fxt_writer *w;
	struct memory m;
	struct json j;
	char seen[64];

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (size_t i = 0; i < 4; i++)
		ASSERT_EQ(0, write_stack(w, i, stacks[i % 3], 3));
	ASSERT_EQ(0, write_stack(w, 4, stacks[0], 0));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_EQ(6, json_object_object_length(member(j.root, "stackFrames")));
	unwind(&j, 0, seen, sizeof(seen));
	EXPECT_STREQ("0x30 0x20 0x10", seen);
	unwind(&j, 1, seen, sizeof(seen));
	EXPECT_STREQ("0x40 0x20 0x10", seen);
	unwind(&j, 2, seen, sizeof(seen));
	EXPECT_STREQ("0x30 0x21 0x10", seen);
	EXPECT_EQ(number(find(&j, "i", "backtrace", 0), "sf"),
		  number(find(&j, "i", "backtrace", 3), "sf"));
	EXPECT_EQ(NULL, member(find(&j, "i", "backtrace", 4), "sf"));
}

/* A waker's stack has the waker's process, but its event is on the track of the woken thread. */
TEST(stacks_of_wakers)
{
	struct fxt_content c = an_event(FXT_KIND_BACKTRACE, 1, "");
	static const uint64_t threads[][2] = { { 11, 10 }, { 12, 12 }, { 13, 20 } };
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_string(w, 1, "fxt_sched.session"));
	ASSERT_EQ(0, fxt_writer_blob(w, 1, "x\n", 2));
	ASSERT_EQ(0, write_thread(w, 11, 10, TEXT("woken")));
	c.frame_count = 1;
	c.frames[0] = 0x30;
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		/* The last stack is the thread's own, because nobody wakes it. */
		ASSERT_EQ(0, i < 2 ? write_wakeup(w, 1, 0, threads[i][0], 21) :
			  write_switch(w, 1, 0, 0, 13, FXT_THREAD_NEW, INT32_MIN, 1024));
		c.thread = (struct fxt_thread_id){ .process = 20, .thread = threads[i][0] };
		ASSERT_EQ(0, fxt_writer_record(w, &c));
	}
	ASSERT_EQ(0, json_of(&j, &m, w)) TH_LOG("%s", j.tool.err);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		EXPECT_EQ((int64_t)threads[i][1], number(find(&j, "i", "backtrace", i), "pid"));
		EXPECT_EQ((int64_t)threads[i][0], number(find(&j, "i", "backtrace", i), "tid"));
	}
}

/* Each process has its own functions at an address; the kernel's functions are in all. */
TEST(stacks_have_functions)
{
	static const char lines[] =
		"k ffffffff81000000 ffffffff81000100 pipe_read\n"
		"u 5 1000 2000 main [prog]\nu 6 1000 2000 start [other]\n";
	static const uint64_t frames[] = { 0xffffffff81000100, 0x1010 };
	struct fxt_content c = an_event(FXT_KIND_BACKTRACE, 1, ""), blob = {
		.kind = FXT_KIND_BLOB, .blob_type = FXT_BLOB_DATA,
		.name = { .bytes = "fxt_sched.symbols", .length = 17 },
		.blob = { lines, sizeof(lines) - 1 }, .blob_held = sizeof(lines) - 1,
	};
	struct fxt_writer *w;
	struct memory m;
	struct json j;
	char seen[64];

	ASSERT_EQ(0, begin_archive(&m, &w));
	memcpy(c.frames, frames, sizeof(frames));
	c.frame_count = 2;
	for (size_t i = 5; i < 8; i++) {
		c.thread.process = c.thread.thread = i;
		ASSERT_EQ(0, fxt_writer_record(w, &c));
	}
	ASSERT_EQ(0, fxt_writer_record(w, &blob));
	ASSERT_EQ(0, json_of(&j, &m, w));
	unwind(&j, 0, seen, sizeof(seen));
	EXPECT_STREQ("pipe_read main [prog]", seen);
	unwind(&j, 1, seen, sizeof(seen));
	EXPECT_STREQ("pipe_read start [other]", seen);
	unwind(&j, 2, seen, sizeof(seen));
	EXPECT_STREQ("pipe_read 0x1010", seen);
}

/* If the dictionary is full, the event itself holds its frames, outermost first. */
TEST(stacks_without_room)
{
	struct json_object *stack;
	uint64_t frames[FXT_MAX_FRAMES], next = 0;
	struct fxt_writer *w;
	struct memory m;
	struct json j;
	char last[32];

	ASSERT_EQ(0, begin_archive(&m, &w));
	for (size_t i = 0; i < 2000; i++) {
		for (size_t k = 0; k < FXT_MAX_FRAMES; k++)
			frames[k] = ++next;
		ASSERT_EQ(0, write_stack(w, i, frames, FXT_MAX_FRAMES));
	}
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_NE(NULL, member(find(&j, "i", "backtrace", 0), "sf"));
	stack = member(find(&j, "i", "backtrace", 1999), "stack");
	ASSERT_NE(NULL, stack);
	ASSERT_EQ((size_t)FXT_MAX_FRAMES, json_object_array_length(stack));
	snprintf(last, sizeof(last), "0x%" PRIx64, next);
	EXPECT_STREQ(last, json_object_get_string(json_object_array_get_idx(stack, 0)));
	EXPECT_EQ(NULL, member(find(&j, "i", "backtrace", 1999), "sf"));
}

TEST(cgroups_are_labels)
{
	struct fxt_content c = an_event(FXT_KIND_KERNEL_OBJECT, 0, "nginx");
	struct json_object *e;
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	c.object = 20;
	c.object_type = FXT_OBJECT_PROCESS;
	add(&c, TEXT("cgroup"), (struct fxt_arg){ .type = FXT_ARG_STRING,
						  .text = TEXT("/system.slice/nginx.service") });
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, describe_koid(w, FXT_OBJECT_PROCESS, 21, "none"));
	/* "/" means that the process has no cgroup of its own. */
	c.object = 22;
	c.args[0].text = TEXT("/");
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_EQ(1, count(&j, "name", "process_labels"));
	e = find(&j, "M", "process_labels", 0);
	EXPECT_EQ(20, number(e, "pid"));
	EXPECT_STREQ("/system.slice/nginx.service", text(member(e, "args"), "labels"));
}

/* The sync ids in the JSON of an archive with these sessions, one after the other. */
static int sync_ids(struct json *j, const char *first, const char *second)
{
	struct fxt_writer *w;
	struct memory m;
	int ret = begin_archive(&m, &w);

	if (!ret)
		ret = fxt_writer_string(w, FXT_STR_SESSION, "fxt_sched.session");
	if (!ret)
		ret = fxt_writer_blob(w, FXT_STR_SESSION, first, strlen(first));
	if (!ret)
		ret = fxt_writer_blob(w, FXT_STR_SESSION, second, strlen(second));
	if (ret || end_archive(&m, w) || json_convert(j, "--strict", &m))
		return -1;
	return count(j, "ph", "c");
}

TEST(clocks_are_synchronized)
{
	struct json_object *e;
	struct json j;

	ASSERT_EQ(1, sync_ids(&j, "source bpf\nclock mono\nboot 1234-ab\n",
			      "clock boot\nboot 5678-cd\nmerge clock +0.100000000 (offset)\n"));
	e = find(&j, "c", "clock_sync", 0);
	EXPECT_EQ(0, ns(e, "ts"));
	EXPECT_STREQ("boot 1234-ab clock mono", text(member(e, "args"), "sync_id"));
	/* In a recording whose clock was moved, time 0 is another moment. */
	EXPECT_EQ(0, sync_ids(&j, "clock boot\nboot 5\nmerge clock -0.100000000 (offset)\n", ""));
	EXPECT_EQ(1, sync_ids(&j, "clock boot\nboot 5\nmerge clock +0.000000000 (as it was)\n", ""));
	EXPECT_EQ(0, sync_ids(&j, "clock boot\nsource bpf\n", "buffer 1\n"));
}

/* Large blobs have their time in another field than other records. */
TEST(large_blobs_have_their_time)
{
	struct fxt_content c = an_event(FXT_KIND_LARGE_BLOB, 1500, "large");
	struct fxt_writer *w;
	struct memory m;
	struct json j;

	c.blob = (struct fxt_bytes){ "abc", 3 };
	c.blob_held = 3;
	ASSERT_EQ(0, begin_archive(&m, &w));
	ASSERT_EQ(0, fxt_writer_record(w, &c));
	ASSERT_EQ(0, json_of(&j, &m, w));
	EXPECT_EQ(1500, ns(find(&j, "i", "large", 0), "ts"));
}
