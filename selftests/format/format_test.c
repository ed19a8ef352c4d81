// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format_test.c - the words of fxt.h against the specification's bit numbers.
 *
 * What flows in: every mask, constant and builder of include/fxt/fxt.h. What
 * they are held against: the bit positions and numbers of the specification
 * ("Fuchsia trace format"), written out here once more by hand, as literals.
 * Nothing expected below is computed from the header. What must hold: each
 * field lies where the specification puts it, a value that does not fit
 * touches no other bit, and no reserved bit is ever set.
 */
#include <stdint.h>
#include <string.h>

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"
#include "fxt/fxt.h"

#define ARRAY_LENGTH(a)		(sizeof(a) / sizeof((a)[0]))
#define AT(value, lo)		((uint64_t)(value) << (lo))

/* EXPECT_EQ() that also tells the words in hexadecimal, and of what they are. */
#define EXPECT_WORD(expected, seen, what, at) \
	expect_word(_metadata, expected, seen, what, at)

static void expect_word(struct __test_metadata *_metadata, uint64_t expected,
			uint64_t seen, const char *what, int at)
{
	EXPECT_EQ(expected, seen) {
		TH_LOG("%s %d: expected 0x%016jx, seen 0x%016jx", what, at,
		       (uintmax_t)expected, (uintmax_t)seen);
	}
}

/* The bits lo..hi, one after the other. */
static uint64_t ones(int lo, int hi)
{
	uint64_t word = 0;

	for (; lo <= hi; lo++)
		word |= AT(1, lo);
	return word;
}

TEST(bits)
{
	EXPECT_EQ(0x0000000000000001ULL, FXT_BITS(0, 0));
	EXPECT_EQ(0x8000000000000000ULL, FXT_BITS(63, 63));
	EXPECT_EQ(0xffffffffffffffffULL, FXT_BITS(0, 63));
	EXPECT_EQ(0x000000000000fff0ULL, FXT_BITS(4, 15));
	for (int lo = 0; lo < 64; lo++)
		for (int hi = lo; hi < 64; hi++)
			EXPECT_WORD(ones(lo, hi), FXT_BITS(lo, hi), "bits", lo);
}

TEST(put_and_get)
{
	EXPECT_EQ(0x00000000000abc00ULL, fxt_put(0x00000000000fff00ULL, 0xabc));
	EXPECT_EQ(0x0000000000023400ULL, fxt_put(0x000000000003ff00ULL, 0x1234567890abc234ULL));
	EXPECT_EQ(0ULL, fxt_put(0x000000000000ff00ULL, 0x100));
	EXPECT_EQ(0ULL, fxt_put(0x000000000000ff00ULL, 0));
	EXPECT_EQ(0x8000000000000000ULL, fxt_put(0x8000000000000000ULL, 3));
	EXPECT_EQ(~0ULL, fxt_put(~0ULL, ~0ULL));
	EXPECT_EQ(0xabcULL, fxt_get(0x00000000000fff00ULL, 0xfffffffffffabcffULL));
	EXPECT_EQ(0ULL, fxt_get(0x00000000000fff00ULL, 0xfffffffffff000ffULL));
	EXPECT_EQ(1ULL, fxt_get(0x8000000000000000ULL, 0xf000000000000000ULL));
	EXPECT_EQ(~0ULL, fxt_get(~0ULL, ~0ULL));
	for (int lo = 0; lo < 64; lo++) {
		for (int hi = lo; hi < 64; hi++) {
			uint64_t mask = ones(lo, hi), max = ones(0, hi - lo);

			EXPECT_WORD(mask, fxt_put(mask, max), "put", lo);
			EXPECT_WORD(mask, fxt_put(mask, ~0ULL), "put all", lo);
			EXPECT_WORD(max, fxt_get(mask, mask), "get", lo);
			EXPECT_WORD(max, fxt_get(mask, ~0ULL), "get all", lo);
			EXPECT_WORD(0ULL, fxt_get(mask, ~mask), "get others", lo);
		}
	}
}

TEST(stream_padding)
{
	static const struct {
		uint64_t bytes, words;
	} table[] = {
		{ 0, 0 }, { 1, 1 }, { 2, 1 }, { 7, 1 }, { 8, 1 }, { 9, 2 },
		{ 15, 2 }, { 16, 2 }, { 17, 3 }, { 255, 32 }, { 256, 32 },
		{ 257, 33 }, { 32000, 4000 }, { 32760, 4095 }, { 32767, 4096 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		EXPECT_WORD(table[i].words, fxt_stream_words(table[i].bytes), "bytes",
			    table[i].bytes);
}

TEST(string_refs)
{
	EXPECT_EQ(0, FXT_STRING_REF_EMPTY);
	EXPECT_EQ(0x0000ULL, fxt_string_ref_index(0));
	EXPECT_EQ(0x0001ULL, fxt_string_ref_index(1));
	EXPECT_EQ(0x1234ULL, fxt_string_ref_index(0x1234));
	EXPECT_EQ(0x7fffULL, fxt_string_ref_index(0x7fff));
	EXPECT_EQ(0x0000ULL, fxt_string_ref_index(0x8000));
	EXPECT_EQ(0x7fffULL, fxt_string_ref_index(~0ULL));
	EXPECT_EQ(0x8000ULL, fxt_string_ref_inline(0));
	EXPECT_EQ(0x8001ULL, fxt_string_ref_inline(1));
	EXPECT_EQ(0x9234ULL, fxt_string_ref_inline(0x1234));
	EXPECT_EQ(0xffffULL, fxt_string_ref_inline(0x7fff));
	EXPECT_EQ(0x8000ULL, fxt_string_ref_inline(0x8000));
	EXPECT_EQ(0xffffULL, fxt_string_ref_inline(~0ULL));
}

/* Every number that the specification gives, but for bit positions. */
TEST(numbers)
{
#define NUMBER(seen, expected) { #seen, seen, expected }
	static const struct {
		const char *name;
		uint64_t seen, expected;
	} table[] = {
		NUMBER(FXT_WORD, 8),
		NUMBER(FXT_MAX_RECORD_WORDS, 4095),
		NUMBER(FXT_MAX_STRING, 32000),
		NUMBER(FXT_MAX_STRING_FIELD, 32767),
		NUMBER(FXT_MAX_ARGS, 15),
		NUMBER(FXT_MAX_STRING_INDEX, 32767),
		NUMBER(FXT_MAX_THREAD_INDEX, 255),
		NUMBER(FXT_MAX_PROVIDER_NAME, 255),
		NUMBER(FXT_THREAD_REF_INLINE, 0),
		NUMBER(FXT_INITIALIZATION_WORDS, 2),
		NUMBER(FXT_THREAD_WORDS, 3),
		NUMBER(FXT_SWITCH_BASE_WORDS, 4),
		NUMBER(FXT_WAKEUP_BASE_WORDS, 3),
		NUMBER(FXT_RECORD_METADATA, 0),
		NUMBER(FXT_RECORD_INITIALIZATION, 1),
		NUMBER(FXT_RECORD_STRING, 2),
		NUMBER(FXT_RECORD_THREAD, 3),
		NUMBER(FXT_RECORD_EVENT, 4),
		NUMBER(FXT_RECORD_BLOB, 5),
		NUMBER(FXT_RECORD_USERSPACE_OBJECT, 6),
		NUMBER(FXT_RECORD_KERNEL_OBJECT, 7),
		NUMBER(FXT_RECORD_SCHEDULING, 8),
		NUMBER(FXT_RECORD_LOG, 9),
		NUMBER(FXT_RECORD_PROFILER, 10),
		NUMBER(FXT_RECORD_LARGE, 15),
		NUMBER(FXT_METADATA_PROVIDER_INFO, 1),
		NUMBER(FXT_METADATA_PROVIDER_SECTION, 2),
		NUMBER(FXT_METADATA_PROVIDER_EVENT, 3),
		NUMBER(FXT_METADATA_TRACE_INFO, 4),
		NUMBER(FXT_PROVIDER_EVENT_BUFFER_FULL, 0),
		NUMBER(FXT_TRACE_INFO_MAGIC, 0),
		NUMBER(FXT_MAGIC_NUMBER, 0x16547846),
		NUMBER(FXT_MAGIC_RECORD, 0x0016547846040010),
		NUMBER(FXT_EVENT_INSTANT, 0),
		NUMBER(FXT_EVENT_COUNTER, 1),
		NUMBER(FXT_EVENT_DURATION_BEGIN, 2),
		NUMBER(FXT_EVENT_DURATION_END, 3),
		NUMBER(FXT_EVENT_DURATION_COMPLETE, 4),
		NUMBER(FXT_EVENT_ASYNC_BEGIN, 5),
		NUMBER(FXT_EVENT_ASYNC_INSTANT, 6),
		NUMBER(FXT_EVENT_ASYNC_END, 7),
		NUMBER(FXT_EVENT_FLOW_BEGIN, 8),
		NUMBER(FXT_EVENT_FLOW_STEP, 9),
		NUMBER(FXT_EVENT_FLOW_END, 10),
		NUMBER(FXT_BLOB_DATA, 1),
		NUMBER(FXT_BLOB_LAST_BRANCH, 2),
		NUMBER(FXT_BLOB_PERFETTO, 3),
		NUMBER(FXT_OBJECT_PROCESS, 1),
		NUMBER(FXT_OBJECT_THREAD, 2),
		NUMBER(FXT_SCHEDULING_LEGACY_SWITCH, 0),
		NUMBER(FXT_SCHEDULING_CONTEXT_SWITCH, 1),
		NUMBER(FXT_SCHEDULING_THREAD_WAKEUP, 2),
		NUMBER(FXT_THREAD_NEW, 0),
		NUMBER(FXT_THREAD_RUNNING, 1),
		NUMBER(FXT_THREAD_SUSPENDED, 2),
		NUMBER(FXT_THREAD_BLOCKED, 3),
		NUMBER(FXT_THREAD_DYING, 4),
		NUMBER(FXT_THREAD_DEAD, 5),
		NUMBER(FXT_PROFILER_MODULE, 0),
		NUMBER(FXT_PROFILER_MMAP, 1),
		NUMBER(FXT_PROFILER_BACKTRACE, 2),
		NUMBER(FXT_LARGE_BLOB, 0),
		NUMBER(FXT_LARGE_BLOB_METADATA, 0),
		NUMBER(FXT_LARGE_BLOB_NO_METADATA, 1),
		NUMBER(FXT_ARG_NULL, 0),
		NUMBER(FXT_ARG_INT32, 1),
		NUMBER(FXT_ARG_UINT32, 2),
		NUMBER(FXT_ARG_INT64, 3),
		NUMBER(FXT_ARG_UINT64, 4),
		NUMBER(FXT_ARG_DOUBLE, 5),
		NUMBER(FXT_ARG_STRING, 6),
		NUMBER(FXT_ARG_POINTER, 7),
		NUMBER(FXT_ARG_KOID, 8),
		NUMBER(FXT_ARG_BOOL, 9),
		NUMBER(FXT_ARG_BLOB, 10),
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		EXPECT_WORD(table[i].expected, table[i].seen, table[i].name, 0);
}

/* Readers take words apart with the masks, so each is held by itself. */
TEST(masks)
{
#define MASK(mask, lo, hi) { #mask, mask, lo, hi }
	static const struct {
		const char *name;
		uint64_t mask;
		int lo, hi;
	} table[] = {
		MASK(FXT_TYPE, 0, 3),
		MASK(FXT_SIZE, 4, 15),
		MASK(FXT_STRING_REF_INLINE, 15, 15),
		MASK(FXT_STRING_REF_LENGTH, 0, 14),
		MASK(FXT_STRING_REF_INDEX, 0, 14),
		MASK(FXT_METADATA_TYPE, 16, 19),
		MASK(FXT_PROVIDER_ID, 20, 51),
		MASK(FXT_PROVIDER_NAME_LENGTH, 52, 59),
		MASK(FXT_PROVIDER_INFO_RESERVED, 60, 63),
		MASK(FXT_PROVIDER_SECTION_RESERVED, 52, 63),
		MASK(FXT_PROVIDER_EVENT_ID, 52, 55),
		MASK(FXT_PROVIDER_EVENT_RESERVED, 56, 63),
		MASK(FXT_TRACE_INFO_TYPE, 20, 23),
		MASK(FXT_TRACE_INFO_MAGIC_NUMBER, 24, 55),
		MASK(FXT_INITIALIZATION_RESERVED, 16, 63),
		MASK(FXT_STRING_INDEX, 16, 30),
		MASK(FXT_STRING_LENGTH, 32, 46),
		MASK(FXT_THREAD_INDEX, 16, 23),
		MASK(FXT_THREAD_RESERVED, 24, 63),
		MASK(FXT_EVENT_TYPE, 16, 19),
		MASK(FXT_EVENT_ARGS, 20, 23),
		MASK(FXT_EVENT_THREAD, 24, 31),
		MASK(FXT_EVENT_CATEGORY, 32, 47),
		MASK(FXT_EVENT_NAME, 48, 63),
		MASK(FXT_BLOB_NAME, 16, 31),
		MASK(FXT_BLOB_SIZE, 32, 46),
		MASK(FXT_BLOB_TYPE, 48, 55),
		MASK(FXT_USERSPACE_OBJECT_PROCESS, 16, 23),
		MASK(FXT_USERSPACE_OBJECT_NAME, 24, 39),
		MASK(FXT_USERSPACE_OBJECT_ARGS, 40, 43),
		MASK(FXT_USERSPACE_OBJECT_RESERVED, 44, 63),
		MASK(FXT_KERNEL_OBJECT_TYPE, 16, 23),
		MASK(FXT_KERNEL_OBJECT_NAME, 24, 39),
		MASK(FXT_KERNEL_OBJECT_ARGS, 40, 43),
		MASK(FXT_KERNEL_OBJECT_RESERVED, 44, 63),
		MASK(FXT_SCHEDULING_TYPE, 60, 63),
		MASK(FXT_SWITCH_ARGS, 16, 19),
		MASK(FXT_SWITCH_CPU, 20, 35),
		MASK(FXT_SWITCH_STATE, 36, 39),
		MASK(FXT_SWITCH_RESERVED, 40, 59),
		MASK(FXT_WAKEUP_ARGS, 16, 19),
		MASK(FXT_WAKEUP_CPU, 20, 35),
		MASK(FXT_WAKEUP_RESERVED, 36, 59),
		MASK(FXT_LEGACY_CPU, 16, 23),
		MASK(FXT_LEGACY_STATE, 24, 27),
		MASK(FXT_LEGACY_OUT_THREAD, 28, 35),
		MASK(FXT_LEGACY_IN_THREAD, 36, 43),
		MASK(FXT_LEGACY_OUT_PRIORITY, 44, 51),
		MASK(FXT_LEGACY_IN_PRIORITY, 52, 59),
		MASK(FXT_LOG_LENGTH, 16, 30),
		MASK(FXT_LOG_THREAD, 32, 39),
		MASK(FXT_PROFILER_TYPE, 16, 19),
		MASK(FXT_PROFILER_THREAD, 20, 27),
		MASK(FXT_MODULE_ID, 28, 43),
		MASK(FXT_MODULE_NAME_LENGTH, 44, 51),
		MASK(FXT_MODULE_BUILD_ID_LENGTH, 52, 59),
		MASK(FXT_MODULE_RESERVED, 60, 63),
		MASK(FXT_MMAP_FLAGS, 44, 46),
		MASK(FXT_MMAP_RESERVED, 47, 63),
		MASK(FXT_BACKTRACE_FRAMES, 28, 35),
		MASK(FXT_BACKTRACE_RESERVED, 36, 63),
		MASK(FXT_LARGE_SIZE, 4, 35),
		MASK(FXT_LARGE_TYPE, 36, 39),
		MASK(FXT_LARGE_BLOB_FORMAT, 40, 43),
		MASK(FXT_LARGE_BLOB_RESERVED, 44, 63),
		MASK(FXT_LARGE_CATEGORY, 0, 15),
		MASK(FXT_LARGE_NAME, 16, 31),
		MASK(FXT_LARGE_ARGS, 32, 35),
		MASK(FXT_LARGE_THREAD, 36, 43),
		MASK(FXT_LARGE_METADATA_RESERVED, 44, 63),
		MASK(FXT_LARGE_NO_METADATA_RESERVED, 32, 63),
		MASK(FXT_ARG_TYPE, 0, 3),
		MASK(FXT_ARG_SIZE, 4, 15),
		MASK(FXT_ARG_NAME, 16, 31),
		MASK(FXT_ARG_VALUE_32, 32, 63),
		MASK(FXT_ARG_VALUE_STRING, 32, 47),
		MASK(FXT_ARG_STRING_RESERVED, 48, 63),
		MASK(FXT_ARG_VALUE_BOOL, 32, 32),
		MASK(FXT_ARG_BOOL_RESERVED, 33, 63),
		MASK(FXT_ARG_BLOB_SIZE, 32, 63),
		MASK(FXT_ARG_RESERVED, 32, 63),
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		EXPECT_WORD(ones(table[i].lo, table[i].hi), table[i].mask,
			    table[i].name, table[i].lo);
	EXPECT_EQ(0xffff800080000000ULL, FXT_STRING_RESERVED);
	EXPECT_EQ(0xff00800000000000ULL, FXT_BLOB_RESERVED);
	EXPECT_EQ(0xffffff0080000000ULL, FXT_LOG_RESERVED);
}

/* The masks of one word: no bit in two of them, no bit in none. */
TEST(masks_cover_words)
{
#define HEADER		FXT_TYPE, FXT_SIZE
#define METADATA	HEADER, FXT_METADATA_TYPE
#define SCHEDULING	HEADER, FXT_SCHEDULING_TYPE
#define PROFILER	HEADER, FXT_PROFILER_TYPE, FXT_PROFILER_THREAD
#define ARG		FXT_ARG_TYPE, FXT_ARG_SIZE, FXT_ARG_NAME
	static const struct {
		const char *name;
		uint64_t masks[10];
	} table[] = {
		{ "provider info", { METADATA, FXT_PROVIDER_ID, FXT_PROVIDER_NAME_LENGTH,
				     FXT_PROVIDER_INFO_RESERVED } },
		{ "provider section", { METADATA, FXT_PROVIDER_ID,
					FXT_PROVIDER_SECTION_RESERVED } },
		{ "provider event", { METADATA, FXT_PROVIDER_ID, FXT_PROVIDER_EVENT_ID,
				      FXT_PROVIDER_EVENT_RESERVED } },
		{ "magic", { METADATA, FXT_TRACE_INFO_TYPE, FXT_TRACE_INFO_MAGIC_NUMBER,
			     0xff00000000000000ULL } },
		{ "initialization", { HEADER, FXT_INITIALIZATION_RESERVED } },
		{ "string", { HEADER, FXT_STRING_INDEX, FXT_STRING_LENGTH,
			      FXT_STRING_RESERVED } },
		{ "thread", { HEADER, FXT_THREAD_INDEX, FXT_THREAD_RESERVED } },
		{ "event", { HEADER, FXT_EVENT_TYPE, FXT_EVENT_ARGS, FXT_EVENT_THREAD,
			     FXT_EVENT_CATEGORY, FXT_EVENT_NAME } },
		{ "blob", { HEADER, FXT_BLOB_NAME, FXT_BLOB_SIZE, FXT_BLOB_TYPE,
			    FXT_BLOB_RESERVED } },
		{ "userspace object", { HEADER, FXT_USERSPACE_OBJECT_PROCESS,
					FXT_USERSPACE_OBJECT_NAME, FXT_USERSPACE_OBJECT_ARGS,
					FXT_USERSPACE_OBJECT_RESERVED } },
		{ "kernel object", { HEADER, FXT_KERNEL_OBJECT_TYPE, FXT_KERNEL_OBJECT_NAME,
				     FXT_KERNEL_OBJECT_ARGS, FXT_KERNEL_OBJECT_RESERVED } },
		{ "context switch", { SCHEDULING, FXT_SWITCH_ARGS, FXT_SWITCH_CPU,
				      FXT_SWITCH_STATE, FXT_SWITCH_RESERVED } },
		{ "thread wakeup", { SCHEDULING, FXT_WAKEUP_ARGS, FXT_WAKEUP_CPU,
				     FXT_WAKEUP_RESERVED } },
		{ "legacy switch", { SCHEDULING, FXT_LEGACY_CPU, FXT_LEGACY_STATE,
				     FXT_LEGACY_OUT_THREAD, FXT_LEGACY_IN_THREAD,
				     FXT_LEGACY_OUT_PRIORITY, FXT_LEGACY_IN_PRIORITY } },
		{ "log", { HEADER, FXT_LOG_LENGTH, FXT_LOG_THREAD, FXT_LOG_RESERVED } },
		{ "module", { PROFILER, FXT_MODULE_ID, FXT_MODULE_NAME_LENGTH,
			      FXT_MODULE_BUILD_ID_LENGTH, FXT_MODULE_RESERVED } },
		{ "mmap", { PROFILER, FXT_MODULE_ID, FXT_MMAP_FLAGS, FXT_MMAP_RESERVED } },
		{ "backtrace", { PROFILER, FXT_BACKTRACE_FRAMES, FXT_BACKTRACE_RESERVED } },
		{ "large blob", { FXT_TYPE, FXT_LARGE_SIZE, FXT_LARGE_TYPE,
				  FXT_LARGE_BLOB_FORMAT, FXT_LARGE_BLOB_RESERVED } },
		{ "large blob, metadata", { FXT_LARGE_CATEGORY, FXT_LARGE_NAME, FXT_LARGE_ARGS,
					    FXT_LARGE_THREAD, FXT_LARGE_METADATA_RESERVED } },
		{ "large blob, no metadata", { FXT_LARGE_CATEGORY, FXT_LARGE_NAME,
					       FXT_LARGE_NO_METADATA_RESERVED } },
		{ "32-bit argument", { ARG, FXT_ARG_VALUE_32 } },
		{ "string argument", { ARG, FXT_ARG_VALUE_STRING, FXT_ARG_STRING_RESERVED } },
		{ "bool argument", { ARG, FXT_ARG_VALUE_BOOL, FXT_ARG_BOOL_RESERVED } },
		{ "blob argument", { ARG, FXT_ARG_BLOB_SIZE } },
		{ "other arguments", { ARG, FXT_ARG_RESERVED } },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		uint64_t all = 0;

		for (size_t j = 0; j < ARRAY_LENGTH(table[i].masks); j++) {
			EXPECT_WORD(0ULL, all & table[i].masks[j], table[i].name, j);
			all |= table[i].masks[j];
		}
		EXPECT_WORD(~0ULL, all, table[i].name, 0);
	}
}

/* Whole words, so that the digits can be compared with the tables by eye. */
TEST(typical_words)
{
	EXPECT_EQ(0x000000000000abcfULL, fxt_header(15, 0xabc));
	EXPECT_EQ(0x0016547846040010ULL, fxt_magic());
	EXPECT_EQ(0x0091234567810030ULL, fxt_provider_info(0x12345678, 9));
	EXPECT_EQ(0x0001234567820010ULL, fxt_provider_section(0x12345678));
	EXPECT_EQ(0x0001234567830010ULL,
		  fxt_provider_event(0x12345678, FXT_PROVIDER_EVENT_BUFFER_FULL));
	EXPECT_EQ(0x0000000000000021ULL, fxt_initialization());
	EXPECT_EQ(0x0000000f12340032ULL, fxt_string(0x1234, 15));
	EXPECT_EQ(0x0000000000ab0033ULL, fxt_thread(0xab));
	EXPECT_EQ(0x0001002880040075ULL, fxt_blob(7, 0x8004, 40, FXT_BLOB_DATA));
	EXPECT_EQ(0x0002002880040075ULL, fxt_blob(7, 0x8004, 40, FXT_BLOB_LAST_BRANCH));
	EXPECT_EQ(0x0003002880040075ULL, fxt_blob(7, 0x8004, 40, FXT_BLOB_PERFETTO));
	EXPECT_EQ(0x0000038005ab0046ULL, fxt_userspace_object(4, 0xab, 0x8005, 3));
	EXPECT_EQ(0x0000008005010037ULL, fxt_kernel_object(3, FXT_OBJECT_PROCESS, 0x8005, 0));
	EXPECT_EQ(0x0000018005020057ULL, fxt_kernel_object(5, FXT_OBJECT_THREAD, 0x8005, 1));
	EXPECT_EQ(0x1000003123420068ULL, fxt_context_switch(6, 2, 0x1234, FXT_THREAD_BLOCKED));
	EXPECT_EQ(0x2000000123420068ULL, fxt_thread_wakeup(6, 2, 0x1234));
	EXPECT_EQ(0x0fed0bda93120048ULL,
		  fxt_legacy_switch(4, 0x12, FXT_THREAD_BLOCKED, 0xa9, 0xbd, 0xd0, 0xfe));
	EXPECT_EQ(0x000000cd01230289ULL, fxt_log(40, 0x123, 0xcd));
	EXPECT_EQ(0x0140b1234ab0007aULL, fxt_profiler_module(7, 0xab, 0x1234, 11, 20));
	EXPECT_EQ(0x000051234ab1008aULL, fxt_profiler_mmap(8, 0xab, 0x1234, 5));
	EXPECT_EQ(0x00000001fab2021aULL, fxt_profiler_backtrace(33, 0xab, 31));
	EXPECT_EQ(0x000000012345678fULL, fxt_large_blob(0x12345678, FXT_LARGE_BLOB_METADATA));
	EXPECT_EQ(0x000001012345678fULL, fxt_large_blob(0x12345678, FXT_LARGE_BLOB_NO_METADATA));
	EXPECT_EQ(0x00000ab380051234ULL, fxt_large_blob_metadata(0x1234, 0x8005, 3, 0xab));
	EXPECT_EQ(0x0000000080051234ULL, fxt_large_blob_no_metadata(0x1234, 0x8005));
}

TEST(typical_events)
{
	static const struct {
		uint64_t type, word;
	} table[] = {
		{ FXT_EVENT_INSTANT,		0x8009012356200044 },
		{ FXT_EVENT_COUNTER,		0x8009012356210044 },
		{ FXT_EVENT_DURATION_BEGIN,	0x8009012356220044 },
		{ FXT_EVENT_DURATION_END,	0x8009012356230044 },
		{ FXT_EVENT_DURATION_COMPLETE,	0x8009012356240044 },
		{ FXT_EVENT_ASYNC_BEGIN,	0x8009012356250044 },
		{ FXT_EVENT_ASYNC_INSTANT,	0x8009012356260044 },
		{ FXT_EVENT_ASYNC_END,		0x8009012356270044 },
		{ FXT_EVENT_FLOW_BEGIN,		0x8009012356280044 },
		{ FXT_EVENT_FLOW_STEP,		0x8009012356290044 },
		{ FXT_EVENT_FLOW_END,		0x80090123562a0044 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		EXPECT_WORD(table[i].word,
			    fxt_event(4, table[i].type, 2, 0x56, 0x0123, 0x8009),
			    "event", i);
}

TEST(typical_arguments)
{
	EXPECT_EQ(0x0000000080070020ULL, fxt_arg_null(2, 0x8007));
	EXPECT_EQ(0x1234567800010011ULL, fxt_arg_int32(1, 1, 0x12345678));
	EXPECT_EQ(0xffffffff00010011ULL, fxt_arg_int32(1, 1, -1));
	EXPECT_EQ(0xfffffffe80070021ULL, fxt_arg_int32(2, 0x8007, -2));
	EXPECT_EQ(0x8000000000010011ULL, fxt_arg_int32(1, 1, INT32_MIN));
	EXPECT_EQ(0x7fffffff00010011ULL, fxt_arg_int32(1, 1, INT32_MAX));
	EXPECT_EQ(0xdeadbeef00010012ULL, fxt_arg_uint32(1, 1, 0xdeadbeef));
	EXPECT_EQ(0x0000000080070033ULL, fxt_arg_int64(3, 0x8007));
	EXPECT_EQ(0x0000000080070034ULL, fxt_arg_uint64(3, 0x8007));
	EXPECT_EQ(0x0000000080070035ULL, fxt_arg_double(3, 0x8007));
	EXPECT_EQ(0x0000000700060016ULL, fxt_arg_string(1, 6, 7));
	EXPECT_EQ(0x0000800300060026ULL, fxt_arg_string(2, 6, 0x8003));
	EXPECT_EQ(0x0000000080070037ULL, fxt_arg_pointer(3, 0x8007));
	EXPECT_EQ(0x0000000080070038ULL, fxt_arg_koid(3, 0x8007));
	EXPECT_EQ(0x0000000000010019ULL, fxt_arg_bool(1, 1, 0));
	EXPECT_EQ(0x0000000100010019ULL, fxt_arg_bool(1, 1, 1));
	EXPECT_EQ(0x0000000c0001003aULL, fxt_arg_blob(3, 1, 12));
}

/* The specification gives the bytes of a little endian machine. */
TEST(magic_bytes)
{
	static const unsigned char little[] = {
		0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00
	};
	uint64_t word = fxt_magic();

	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		SKIP(return, "the machine is big endian");
	EXPECT_EQ(0, memcmp(little, &word, sizeof(word)));
}

/* Builders that know the record's size from the length of its stream. */
TEST(sizes_from_lengths)
{
	static const struct {
		uint64_t bytes, size, length;
	} provider[] = {
		{ 0, 1, 0 }, { 1, 2, 1 }, { 7, 2, 7 }, { 8, 2, 8 }, { 9, 3, 9 },
		{ 255, 33, 255 }, { 256, 33, 0 },
	}, string[] = {
		{ 0, 1, 0 }, { 1, 2, 1 }, { 7, 2, 7 }, { 8, 2, 8 }, { 9, 3, 9 },
		{ 32000, 4001, 32000 }, { 32752, 4095, 32752 },
		/* Beyond what a record holds: cut, as everything is. */
		{ 32767, 1, 32767 }, { 32768, 1, 0 },
	};
	uint64_t all = 0xffffffff;

	for (size_t i = 0; i < ARRAY_LENGTH(provider); i++) {
		uint64_t word = AT(provider[i].size, 4) | AT(1, 16) | AT(provider[i].length, 52);

		EXPECT_WORD(word, fxt_provider_info(0, provider[i].bytes), "length", i);
		EXPECT_WORD(word | AT(all, 20), fxt_provider_info(all, provider[i].bytes), "id", i);
		EXPECT_WORD(word, fxt_provider_info(all + 1, provider[i].bytes), "id cut", i);
		EXPECT_WORD(word | AT(all, 20), fxt_provider_info(~0ULL, provider[i].bytes),
			    "id cut", i);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(string); i++) {
		uint64_t word = 2 | AT(string[i].size, 4) | AT(string[i].length, 32);

		EXPECT_WORD(word, fxt_string(0, string[i].bytes), "length", i);
		EXPECT_WORD(word | AT(0x7fff, 16), fxt_string(0x7fff, string[i].bytes), "index", i);
		EXPECT_WORD(word, fxt_string(0x8000, string[i].bytes), "index cut", i);
		EXPECT_WORD(word | AT(0x7fff, 16), fxt_string(~0ULL, string[i].bytes),
			    "index cut", i);
	}
}

/*
 * One word of each kind: what the kind alone sets, and the fields in the order
 * of the builder's arguments. The tests below are run for each of them.
 */
#define MAX_FIELDS 8

FIXTURE(word) {
	uint64_t v[MAX_FIELDS];		/* what the builder is called with, 0 at first */
};

FIXTURE_VARIANT(word) {
	uint64_t (*build)(const uint64_t *v);
	uint64_t fixed;
	struct {
		int lo, hi;
	} fields[MAX_FIELDS];		/* ends with hi 0 */
};

FIXTURE_SETUP(word) {}
FIXTURE_TEARDOWN(word) {}

#define WORD(name, fixed_bits, call, ...)				\
	static uint64_t build_##name(const uint64_t *v)			\
	{								\
		return call;						\
	}								\
	FIXTURE_VARIANT_ADD(word, name) {				\
		.build = build_##name,					\
		.fixed = fixed_bits,					\
		.fields = { __VA_ARGS__ },				\
	}

WORD(header, 0, fxt_header(v[0], v[1]), { 0, 3 }, { 4, 15 });
WORD(metadata, 0, fxt_metadata_header(v[0], v[1]), { 16, 19 }, { 4, 15 });
WORD(provider_section, AT(1, 4) | AT(2, 16), fxt_provider_section(v[0]), { 20, 51 });
WORD(provider_event, AT(1, 4) | AT(3, 16), fxt_provider_event(v[0], v[1]),
     { 20, 51 }, { 52, 55 });
WORD(thread, 3 | AT(3, 4), fxt_thread(v[0]), { 16, 23 });
WORD(event, 4, fxt_event(v[0], v[1], v[2], v[3], v[4], v[5]),
     { 4, 15 }, { 16, 19 }, { 20, 23 }, { 24, 31 }, { 32, 47 }, { 48, 63 });
WORD(blob, 5, fxt_blob(v[0], v[1], v[2], v[3]), { 4, 15 }, { 16, 31 }, { 32, 46 }, { 48, 55 });
WORD(userspace_object, 6, fxt_userspace_object(v[0], v[1], v[2], v[3]),
     { 4, 15 }, { 16, 23 }, { 24, 39 }, { 40, 43 });
WORD(kernel_object, 7, fxt_kernel_object(v[0], v[1], v[2], v[3]),
     { 4, 15 }, { 16, 23 }, { 24, 39 }, { 40, 43 });
WORD(legacy_switch, 8, fxt_legacy_switch(v[0], v[1], v[2], v[3], v[4], v[5], v[6]),
     { 4, 15 }, { 16, 23 }, { 24, 27 }, { 28, 35 }, { 36, 43 }, { 44, 51 }, { 52, 59 });
WORD(context_switch, 8 | AT(1, 60), fxt_context_switch(v[0], v[1], v[2], v[3]),
     { 4, 15 }, { 16, 19 }, { 20, 35 }, { 36, 39 });
WORD(thread_wakeup, 8 | AT(2, 60), fxt_thread_wakeup(v[0], v[1], v[2]),
     { 4, 15 }, { 16, 19 }, { 20, 35 });
WORD(log, 9, fxt_log(v[0], v[1], v[2]), { 4, 15 }, { 16, 30 }, { 32, 39 });
WORD(profiler_module, 10, fxt_profiler_module(v[0], v[1], v[2], v[3], v[4]),
     { 4, 15 }, { 20, 27 }, { 28, 43 }, { 44, 51 }, { 52, 59 });
WORD(profiler_mmap, 10 | AT(1, 16), fxt_profiler_mmap(v[0], v[1], v[2], v[3]),
     { 4, 15 }, { 20, 27 }, { 28, 43 }, { 44, 46 });
WORD(profiler_backtrace, 10 | AT(2, 16), fxt_profiler_backtrace(v[0], v[1], v[2]),
     { 4, 15 }, { 20, 27 }, { 28, 35 });
WORD(large_blob, 15, fxt_large_blob(v[0], v[1]), { 4, 35 }, { 40, 43 });
WORD(large_blob_metadata, 0, fxt_large_blob_metadata(v[0], v[1], v[2], v[3]),
     { 0, 15 }, { 16, 31 }, { 32, 35 }, { 36, 43 });
WORD(large_blob_no_metadata, 0, fxt_large_blob_no_metadata(v[0], v[1]), { 0, 15 }, { 16, 31 });
WORD(arg, 0, fxt_arg_header(v[0], v[1], v[2]), { 0, 3 }, { 4, 15 }, { 16, 31 });
WORD(arg_null, 0, fxt_arg_null(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_int32, 1, fxt_arg_int32(v[0], v[1], (int32_t)(uint32_t)v[2]),
     { 4, 15 }, { 16, 31 }, { 32, 63 });
WORD(arg_uint32, 2, fxt_arg_uint32(v[0], v[1], (uint32_t)v[2]),
     { 4, 15 }, { 16, 31 }, { 32, 63 });
WORD(arg_int64, 3, fxt_arg_int64(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_uint64, 4, fxt_arg_uint64(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_double, 5, fxt_arg_double(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_string, 6, fxt_arg_string(v[0], v[1], v[2]), { 4, 15 }, { 16, 31 }, { 32, 47 });
WORD(arg_pointer, 7, fxt_arg_pointer(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_koid, 8, fxt_arg_koid(v[0], v[1]), { 4, 15 }, { 16, 31 });
WORD(arg_bool, 9, fxt_arg_bool(v[0], v[1], v[2]), { 4, 15 }, { 16, 31 }, { 32, 32 });
WORD(arg_blob, 10, fxt_arg_blob(v[0], v[1], v[2]), { 4, 15 }, { 16, 31 }, { 32, 63 });

#define FOR_EACH_FIELD(i) \
	for (int i = 0; i < MAX_FIELDS && variant->fields[i].hi; i++)
#define LO(i)		(variant->fields[i].lo)
#define MAXIMUM(i)	ones(0, variant->fields[i].hi - variant->fields[i].lo)

TEST_F(word, zero)
{
	EXPECT_WORD(variant->fixed, variant->build(self->v), "no field", 0);
}

TEST_F(word, each_bit_alone)
{
	FOR_EACH_FIELD(i) {
		for (int bit = LO(i); bit <= variant->fields[i].hi; bit++) {
			self->v[i] = AT(1, bit - LO(i));
			EXPECT_WORD(variant->fixed | AT(1, bit), variant->build(self->v),
				    "one bit", bit);
		}
		self->v[i] = 0;
	}
}

TEST_F(word, each_maximum_alone)
{
	FOR_EACH_FIELD(i) {
		self->v[i] = MAXIMUM(i);
		EXPECT_WORD(variant->fixed | AT(MAXIMUM(i), LO(i)), variant->build(self->v),
			    "maximum", LO(i));
		self->v[i] = 0;
	}
}

TEST_F(word, maximum_together)
{
	uint64_t all = variant->fixed;

	FOR_EACH_FIELD(i) {
		self->v[i] = MAXIMUM(i);
		all |= AT(MAXIMUM(i), LO(i));
	}
	EXPECT_WORD(all, variant->build(self->v), "all at maximum", 0);

	/* One more than that in one field: it becomes 0, the others stay. */
	FOR_EACH_FIELD(i) {
		self->v[i] = MAXIMUM(i) + 1;
		EXPECT_WORD(all & ~AT(MAXIMUM(i), LO(i)), variant->build(self->v),
			    "cut among others", LO(i));
		self->v[i] = MAXIMUM(i);
	}
}

TEST_F(word, cut)
{
	uint64_t all = variant->fixed;

	FOR_EACH_FIELD(i) {
		self->v[i] = MAXIMUM(i) + 1;
		EXPECT_WORD(variant->fixed, variant->build(self->v), "cut to 0", LO(i));
		self->v[i] = ~0ULL;
		EXPECT_WORD(variant->fixed | AT(MAXIMUM(i), LO(i)), variant->build(self->v),
			    "cut to the field", LO(i));
		self->v[i] = 0;
	}
	FOR_EACH_FIELD(i) {
		self->v[i] = ~0ULL;
		all |= AT(MAXIMUM(i), LO(i));
	}
	EXPECT_WORD(all, variant->build(self->v), "all cut", 0);
}

TEST_HARNESS_MAIN
