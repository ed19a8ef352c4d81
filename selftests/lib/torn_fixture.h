/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive with all kinds of records, which the test damages. */
#ifndef SELFTESTS_TORN_FIXTURE_H
#define SELFTESTS_TORN_FIXTURE_H

#include "harness.h"
#include "archive_builder.h"

/* Typical values after some hours of uptime. */
#define TIME(n)		(31415926535897ULL + (n) * 271828ULL)
#define PROCESS		2718
#define THREAD		3141
#define OTHER_THREAD	1618
#define INLINE(bytes)	fxt_string_ref_inline(bytes)

enum { CATEGORY = 1, NAME, WEIGHT_IN, WEIGHT_OUT, WEIGHT, WAKER };

FIXTURE(torn)
{
	struct built b;
	struct walk intact;	/* the records in @b */
	struct walk w;
	uint64_t *copy;		/* the damaged archive */
	size_t count;		/* words of @copy */
};

static inline void build_names(struct built *b)
{
	static const char * const names[] = {
		[CATEGORY] = "category", [NAME] = "name of it",
		[WEIGHT_IN] = "incoming_weight", [WEIGHT_OUT] = "outgoing_weight",
		[WEIGHT] = "weight", [WAKER] = "waker",
	};

	BUILD(b, fxt_magic(), fxt_provider_info(1, 9));
	BUILD_TEXT(b, "fxt_sched");
	BUILD(b, fxt_provider_section(1), fxt_initialization(), 1000000000);
	for (size_t i = CATEGORY; i <= WAKER; i++) {
		build_string(b, i, names[i]);
	}
	BUILD(b, fxt_thread(1), PROCESS, THREAD);
}

static inline void build_sched(struct built *b, int n)
{
	BUILD(b, fxt_context_switch(6, 2, n, FXT_THREAD_BLOCKED), TIME(n), THREAD,
	      OTHER_THREAD, fxt_arg_int32(1, WEIGHT_OUT, 1024), fxt_arg_int32(1, WEIGHT_IN, 335));
	BUILD(b, fxt_thread_wakeup(6, 2, n), TIME(n + 1), THREAD, fxt_arg_int32(1, WEIGHT, 1024),
	      fxt_arg_koid(2, WAKER), OTHER_THREAD);
}

static inline void build_events(struct built *b)
{
	BUILD(b, fxt_event(7, FXT_EVENT_COUNTER, 2, 1, CATEGORY, NAME), TIME(2),
	      fxt_arg_uint64(2, WEIGHT), 1ULL << 40, fxt_arg_double(2, WAKER),
	      0x3ff8000000000000, 7);
	BUILD(b, fxt_event(6, FXT_EVENT_DURATION_COMPLETE, 0, 0, CATEGORY, INLINE(5)), TIME(3),
	      PROCESS, THREAD);
	BUILD_TEXT(b, "wait!");
	BUILD(b, TIME(4));
	BUILD(b, fxt_event(7, FXT_EVENT_DURATION_BEGIN, 2, 1, CATEGORY, NAME), TIME(5),
	      fxt_arg_string(3, NAME, INLINE(11)));
	BUILD_TEXT(b, "hello world");
	BUILD(b, fxt_arg_pointer(2, NAME), 0xffff888012345678);
	BUILD(b, fxt_event(2, FXT_EVENT_DURATION_END, 0, 1, CATEGORY, NAME), TIME(6));
	BUILD(b, fxt_event(3, FXT_EVENT_ASYNC_BEGIN, 0, 1, CATEGORY, NAME), TIME(7), 42);
	BUILD(b, fxt_event(4, FXT_EVENT_ASYNC_END, 1, 1, CATEGORY, NAME), TIME(8),
	      fxt_arg_bool(1, NAME, 1), 42);
	BUILD(b, fxt_event(3, FXT_EVENT_FLOW_BEGIN, 0, 1, CATEGORY, NAME), TIME(9), 43);
	BUILD(b, fxt_event(3, FXT_EVENT_FLOW_END, 0, 1, CATEGORY, NAME), TIME(9), 43);
}

static inline void build_others(struct built *b)
{
	BUILD(b, fxt_blob(6, NAME, 37, FXT_BLOB_DATA));
	BUILD_TEXT(b, "some bytes of which nobody knows much");
	BUILD(b, fxt_userspace_object(4, 0, NAME, 1), 0x7ffe12345678, PROCESS,
	      fxt_arg_null(1, NAME));
	BUILD(b, fxt_kernel_object(5, FXT_OBJECT_THREAD, INLINE(4), 1), THREAD);
	BUILD_TEXT(b, "bash");
	BUILD(b, fxt_arg_koid(2, NAME), PROCESS);
	BUILD(b, fxt_legacy_switch(4, 3, FXT_THREAD_BLOCKED, 1, 0, 20, 20), TIME(10), PROCESS,
	      OTHER_THREAD);
	BUILD(b, fxt_log(4, 12, 1), TIME(11));
	BUILD_TEXT(b, "what is told");
	BUILD(b, fxt_profiler_module(6, 1, 5, 7, 20), TIME(12));
	BUILD_TEXT(b, "libc.so");
	build_stream(b, "\x8e\x9f\xd8\x27\x44\x6c\x24\x06\x75\x41\x10\x66\x90\xf0\x57\x7b\xd6"
		     "\x2a\x6e\x1c", 20);
	BUILD(b, fxt_profiler_mmap(5, 1, 5, 5), TIME(12), 0x7f0012340000, 0x21000, 0x1000);
	BUILD(b, fxt_profiler_backtrace(6, 1, 4), TIME(13), 0x7f0012341234, 0x7f0012342345,
	      0x7f0012343456, 0x55d012344567);
	BUILD(b, fxt_provider_event(1, FXT_PROVIDER_EVENT_BUFFER_FULL));
}

static inline void build_all(struct built *b)
{
	build_names(b);
	build_sched(b, 0);
	build_events(b);
	build_sched(b, 14);
	build_others(b);
	build_sched(b, 16);
	build_sched(b, 18);
}

FIXTURE_SETUP(torn)
{
	build_all(&self->b);
	ASSERT_EQ(0, walk_built(&self->intact, &self->b));
	ASSERT_EQ(0UL, self->intact.told_count) TH_LOG("%s", self->intact.told[0].text);
	self->copy = calloc(2 * self->b.count, sizeof(*self->copy));
	ASSERT_NE(NULL, self->copy);
}

FIXTURE_TEARDOWN(torn) { }

#endif /* SELFTESTS_TORN_FIXTURE_H */
