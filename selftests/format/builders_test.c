// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the words that fxt.h builds with the bit positions of the specification ("Fuchsia trace
 * format"), repeated here by hand as literals. No expected value is computed from the header. Each
 * field must be where the specification puts it, a value that does not fit must not change other
 * bits, and no reserved bit may be set.
 */
#include "words.h"
#include "fxt/fxt.h"

/* Whole words, so that a reader can compare the digits with the tables. */
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
		EXPECT_WORD(table[i].word, fxt_event(4, table[i].type, 2, 0x56, 0x0123, 0x8009),
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

/* The specification lists the bytes of a little endian machine. */
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

/* Builders that compute the record's size from the length of its stream. */
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
		/* Longer than a record: truncated, like every field. */
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
 * One word of each kind: the bits that the kind sets, and the fields in the order of the
 * builder's arguments. The tests below run for each kind.
 */
#define MAX_FIELDS 8

FIXTURE(word) {
	uint64_t v[MAX_FIELDS];		/* arguments of the builder, 0 at first */
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

	/* One more than the maximum of one field: the field becomes 0, the others stay. */
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
