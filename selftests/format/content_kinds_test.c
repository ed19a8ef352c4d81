// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decode valid blobs, objects, scheduling, log and profiler records, put together word by word.
 * Each field of the content must have the value that was written, in both byte orders, and a strict
 * reader must not report anything.
 */
#include "content_fixture.h"

TEST_F(content, blobs)
{
	struct built *b = &self->b;

	BUILD(b, fxt_blob(3, NAME, 16, FXT_BLOB_DATA));
	build_stream(b, "0123456789abcdef", 16);
	BUILD(b, fxt_blob(3, INLINE(2), 1, FXT_BLOB_PERFETTO));
	BUILD_TEXT(b, "ab");
	BUILD_TEXT(b, "c");
	BUILD(b, fxt_blob(1, 0, 0, FXT_BLOB_LAST_BRANCH));
	STEP(FXT_KIND_BLOB);
	EXPECT_FALSE(fxt_kind_has_time(self->c.kind));
	EXPECT_TEXT(self->c.name, "some name", NAME);
	EXPECT_BYTES(self->c.blob, "0123456789abcdef", 16);
	EXPECT_EQ(16UL, self->c.blob_held);
	EXPECT_EQ(FXT_BLOB_DATA, self->c.blob_type);
	STEP(FXT_KIND_BLOB);
	EXPECT_TEXT(self->c.name, "ab", 0x8002);
	EXPECT_BYTES(self->c.blob, "c", 1);
	EXPECT_EQ(1UL, self->c.blob_held);
	EXPECT_EQ(FXT_BLOB_PERFETTO, self->c.blob_type);
	STEP(FXT_KIND_BLOB);
	EXPECT_TEXT(self->c.name, "", 0);
	EXPECT_EQ(0UL, self->c.blob.bytes);
	EXPECT_EQ(NULL, self->c.blob.data);
	EXPECT_EQ(0UL, self->c.blob_held);
	EXPECT_EQ(FXT_BLOB_LAST_BRANCH, self->c.blob_type);
	END();
}

TEST_F(content, objects)
{
	struct built *b = &self->b;

	BUILD(b, fxt_userspace_object(2, KNOWN_THREAD, NAME, 0), 0x7ffd12345678,
	      fxt_userspace_object(4, 0, INLINE(1), 0), UINT64_MAX, 1234);
	BUILD_TEXT(b, "o");
	BUILD(b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, EMPTY, 0), PROCESS,
	      fxt_kernel_object(3, 255, INLINE(4), 0), THREAD);
	BUILD_TEXT(b, "bash");
	STEP(FXT_KIND_USERSPACE_OBJECT);
	EXPECT_EQ(0x7ffd12345678UL, self->c.object);
	EXPECT_EQ(PROCESS, self->c.thread.process);
	EXPECT_EQ(KNOWN_THREAD, self->c.thread.ref);
	EXPECT_TEXT(self->c.name, "some name", NAME);
	STEP(FXT_KIND_USERSPACE_OBJECT);
	EXPECT_EQ(UINT64_MAX, self->c.object);
	EXPECT_EQ(1234UL, self->c.thread.process);
	EXPECT_EQ(0, self->c.thread.ref);
	EXPECT_TEXT(self->c.name, "o", 0x8001);
	STEP(FXT_KIND_KERNEL_OBJECT);
	EXPECT_EQ(FXT_OBJECT_PROCESS, self->c.object_type);
	EXPECT_EQ(PROCESS, self->c.object);
	EXPECT_TEXT(self->c.name, "", EMPTY);
	STEP(FXT_KIND_KERNEL_OBJECT);
	EXPECT_EQ(255, self->c.object_type);
	EXPECT_EQ(THREAD, self->c.object);
	EXPECT_TEXT(self->c.name, "bash", 0x8004);
	END();
}

TEST_F(content, large_blobs)
{
	struct built *b = &self->b;

	BUILD(b, fxt_large_blob(14, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(INLINE(1), INLINE(9), 1, 0));
	BUILD_TEXT(b, "c");
	BUILD_TEXT(b, "nine char");
	BUILD(b, TIME, PROCESS, THREAD, fxt_arg_uint64(2, NAME), 7, 17);
	build_stream(b, "0123456789abcdefg", 17);
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_METADATA),
	      fxt_large_blob_metadata(CATEGORY, NAME, 0, KNOWN_THREAD), TIME, 0);
	BUILD(b, fxt_large_blob(4, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME), 8, TIME);
	STEP(FXT_KIND_LARGE_BLOB);
	EXPECT_TEXT(self->c.category, "c", 0x8001);
	EXPECT_TEXT(self->c.name, "nine char", 0x8009);
	EXPECT_EQ(TIME, self->c.time);
	EXPECT_THREAD(self->c.thread, 0);
	ASSERT_EQ(1U, self->c.arg_count);
	EXPECT_EQ(7UL, self->c.args[0].u64);
	EXPECT_BYTES(self->c.blob, "0123456789abcdefg", 17);
	EXPECT_EQ(17UL, self->c.blob_held);
	STEP(FXT_KIND_LARGE_BLOB);
	EXPECT_TEXT(self->c.category, "category", CATEGORY);
	EXPECT_THREAD(self->c.thread, KNOWN_THREAD);
	EXPECT_EQ(NULL, self->c.blob.data);
	EXPECT_EQ(0UL, self->c.blob.bytes);
	STEP(FXT_KIND_LARGE_BLOB_BARE);
	EXPECT_TEXT(self->c.name, "some name", NAME);
	EXPECT_EQ(8UL, self->c.blob.bytes);
	EXPECT_EQ(0UL, self->c.time);
	EXPECT_EQ(0UL, self->c.thread.thread);
	EXPECT_EQ(0U, self->c.arg_count);
	END();
}

TEST_F(content, scheduling)
{
	struct built *b = &self->b;

	BUILD(b, fxt_context_switch(5, 1, 0xffff, FXT_THREAD_DEAD), TIME, THREAD, PROCESS,
	      fxt_arg_int32(1, NAME, -7), fxt_thread_wakeup(3, 0, 0x1234), TIME + 1, THREAD);
	STEP(FXT_KIND_CONTEXT_SWITCH);
	EXPECT_EQ(TIME, self->c.time);
	EXPECT_EQ(TIME, self->c.sw.time);
	EXPECT_EQ(THREAD, self->c.sw.out);
	EXPECT_EQ(PROCESS, self->c.sw.in);
	EXPECT_EQ(0xffff, self->c.sw.cpu);
	EXPECT_EQ(FXT_THREAD_DEAD, self->c.sw.state);
	ASSERT_EQ(1U, self->c.arg_count);
	EXPECT_EQ(-7, self->c.args[0].i64);
	EXPECT_FALSE(self->c.sw.has_in_weight);
	EXPECT_FALSE(self->c.sw.has_out_weight);
	EXPECT_FALSE(self->c.sw.bad_weight);
	EXPECT_EQ(0, self->c.sw.letter);
	STEP(FXT_KIND_THREAD_WAKEUP);
	EXPECT_EQ(TIME + 1, self->c.time);
	EXPECT_EQ(TIME + 1, self->c.wakeup.time);
	EXPECT_EQ(THREAD, self->c.wakeup.thread);
	EXPECT_EQ(0x1234, self->c.wakeup.cpu);
	EXPECT_EQ(0UL, self->c.wakeup.waker);
	EXPECT_FALSE(self->c.wakeup.has_waker);
	EXPECT_FALSE(self->c.wakeup.has_weight);
	END();
}

TEST_F(content, legacy_switch)
{
	struct built *b = &self->b;

	BUILD(b, fxt_legacy_switch(4, 0xab, FXT_THREAD_DYING, KNOWN_THREAD, 0, 200, 255), TIME,
	      1, 2, fxt_legacy_switch(4, 1, FXT_THREAD_NEW, 0, KNOWN_THREAD, 1, 0), TIME, 3, 4,
	      fxt_legacy_switch(6, 2, FXT_THREAD_DEAD, 0, 0, 0, 1), TIME, 5, 6, 7, 8);
	STEP(FXT_KIND_LEGACY_SWITCH);
	EXPECT_EQ(TIME, self->c.time);
	EXPECT_THREAD(self->c.legacy.out, KNOWN_THREAD);
	EXPECT_EQ(1UL, self->c.legacy.in.process);
	EXPECT_EQ(2UL, self->c.legacy.in.thread);
	EXPECT_EQ(0, self->c.legacy.in.ref);
	EXPECT_EQ(0xab, self->c.legacy.cpu);
	EXPECT_EQ(FXT_THREAD_DYING, self->c.legacy.state);
	EXPECT_EQ(200, self->c.legacy.out_priority);
	EXPECT_EQ(255, self->c.legacy.in_priority);
	STEP(FXT_KIND_LEGACY_SWITCH);
	EXPECT_EQ(3UL, self->c.legacy.out.process);
	EXPECT_EQ(4UL, self->c.legacy.out.thread);
	EXPECT_THREAD(self->c.legacy.in, KNOWN_THREAD);
	STEP(FXT_KIND_LEGACY_SWITCH);
	EXPECT_EQ(6UL, self->c.legacy.out.thread);
	EXPECT_EQ(7UL, self->c.legacy.in.process);
	EXPECT_EQ(8UL, self->c.legacy.in.thread);
	END();
}

TEST_F(content, log)
{
	struct built *b = &self->b;

	BUILD(b, fxt_log(3, 7, KNOWN_THREAD), TIME);
	BUILD_TEXT(b, "message");
	BUILD(b, fxt_log(4, 0, 0), TIME, PROCESS, THREAD);
	STEP(FXT_KIND_LOG);
	EXPECT_EQ(TIME, self->c.time);
	EXPECT_THREAD(self->c.thread, KNOWN_THREAD);
	EXPECT_TEXT(self->c.name, "message", 0);
	STEP(FXT_KIND_LOG);
	EXPECT_THREAD(self->c.thread, 0);
	EXPECT_TEXT(self->c.name, "", 0);
	END();
}

TEST_F(content, profiler)
{
	struct built *b = &self->b;

	BUILD(b, fxt_profiler_module(6, KNOWN_THREAD, 0xffff, 7, 20), TIME);
	BUILD_TEXT(b, "libc.so");
	build_stream(b, "abcdefghijklmnopqrst", 20);
	BUILD(b, fxt_profiler_module(4, 0, 1, 0, 0), TIME, PROCESS, THREAD,
	      fxt_profiler_mmap(5, KNOWN_THREAD, 0x1234, 7), TIME, 1, 2, 3,
	      fxt_profiler_backtrace(6, 0, 2), TIME, PROCESS, THREAD, UINT64_MAX, 5,
	      fxt_profiler_backtrace(2, KNOWN_THREAD, 0), TIME,
	      fxt_profiler_backtrace(2, KNOWN_THREAD, 0) | 1ULL << 36 | 1ULL << 63, TIME);
	STEP(FXT_KIND_MODULE);
	EXPECT_EQ(TIME, self->c.time);
	EXPECT_THREAD(self->c.thread, KNOWN_THREAD);
	EXPECT_EQ(0xffff, self->c.module_id);
	EXPECT_TEXT(self->c.name, "libc.so", 0);
	EXPECT_BYTES(self->c.build_id, "abcdefghijklmnopqrst", 20);
	STEP(FXT_KIND_MODULE);
	EXPECT_THREAD(self->c.thread, 0);
	EXPECT_TEXT(self->c.name, "", 0);
	EXPECT_EQ(NULL, self->c.build_id.data);
	EXPECT_EQ(0UL, self->c.build_id.bytes);
	STEP(FXT_KIND_MMAP);
	EXPECT_EQ(0x1234, self->c.module_id);
	EXPECT_EQ(7, self->c.flags);
	EXPECT_EQ(1UL, self->c.start);
	EXPECT_EQ(2UL, self->c.range);
	EXPECT_EQ(3UL, self->c.vaddr);
	STEP(FXT_KIND_BACKTRACE);
	EXPECT_THREAD(self->c.thread, 0);
	ASSERT_EQ(2, self->c.frame_count);
	EXPECT_EQ(UINT64_MAX, self->c.frames[0]);
	EXPECT_EQ(5UL, self->c.frames[1]);
	STEP(FXT_KIND_BACKTRACE);
	EXPECT_EQ(0, self->c.frame_count);
	EXPECT_EQ(0U, self->c.frame_flags);
	/* Bits that the format reserves are flags of Fuchsia's. */
	STEP(FXT_KIND_BACKTRACE);
	EXPECT_EQ(0x8000001U, self->c.frame_flags);
	END();
}
