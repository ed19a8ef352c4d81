// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * torn_test.c - what a lenient reader still returns of an archive that is damaged.
 *
 * What flows in: an archive of all sorts of records, cut after each byte, with
 * words taken out at each place, and with words at each place overwritten.
 * What must hold: the walk ends well, and every record that lies wholly before
 * the damage or wholly behind it, but for SLACK of them, is returned from where
 * it lies and as long as it is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The harness itself has parameters that it does not use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "harness.h"

#include "archive_builder.h"

/* As a machine that runs for some hours has them. */
#define TIME(n)		(31415926535897ULL + (n) * 271828ULL)
#define PROCESS		2718
#define THREAD		3141
#define OTHER_THREAD	1618
#define INLINE(bytes)	fxt_string_ref_inline(bytes)

enum { CATEGORY = 1, NAME, WEIGHT_IN, WEIGHT_OUT, WEIGHT, WAKER };

FIXTURE(torn)
{
	struct built b;
	struct walk sound;	/* what there is in @b */
	struct walk w;
	uint64_t *copy;		/* what is damaged */
	size_t count;		/* words of it */
};

static void build_names(struct built *b)
{
	static const char * const names[] = {
		[CATEGORY] = "category", [NAME] = "name of it",
		[WEIGHT_IN] = "incoming_weight", [WEIGHT_OUT] = "outgoing_weight",
		[WEIGHT] = "weight", [WAKER] = "waker",
	};
	size_t i;

	BUILD(b, fxt_magic(), fxt_provider_info(1, 9));
	BUILD_TEXT(b, "fxt_sched");
	BUILD(b, fxt_provider_section(1), fxt_initialization(), 1000000000);
	for (i = CATEGORY; i <= WAKER; i++) {
		BUILD(b, fxt_string(i, strlen(names[i])));
		BUILD_TEXT(b, names[i]);
	}
	BUILD(b, fxt_thread(1), PROCESS, THREAD);
}

static void build_sched(struct built *b, int n)
{
	BUILD(b, fxt_context_switch(6, 2, n, FXT_THREAD_BLOCKED), TIME(n), THREAD,
	      OTHER_THREAD, fxt_arg_int32(1, WEIGHT_OUT, 1024), fxt_arg_int32(1, WEIGHT_IN, 335));
	BUILD(b, fxt_thread_wakeup(6, 2, n), TIME(n + 1), THREAD, fxt_arg_int32(1, WEIGHT, 1024),
	      fxt_arg_koid(2, WAKER), OTHER_THREAD);
}

static void build_events(struct built *b)
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

static void build_others(struct built *b)
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

static void build_all(struct built *b)
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
	ASSERT_EQ(0, walk_built(&self->sound, &self->b));
	ASSERT_EQ(0UL, self->sound.told_count) TH_LOG("%s", self->sound.told[0].text);
	self->copy = calloc(2 * self->b.count, sizeof(*self->copy));
	ASSERT_NE(NULL, self->copy);
}

FIXTURE_TEARDOWN(torn)
{
	free(self->copy);
	walk_free(&self->w);
	walk_free(&self->sound);
	build_free(&self->b);
}

/* --- archives that end early ------------------------------------------------------------- */

/* What is told of an archive that ends @bytes behind its begin, within record @n. */
static void end_text(char text[256], const struct met *m, size_t n, size_t bytes)
{
	size_t held = bytes - m->offset;

	if (held < 8)
		snprintf(text, 256, "byte %" PRIu64 ": record %zu: record header: "
			 "%zu bytes that are no whole word at the end", m->offset, n, held);
	else
		snprintf(text, 256, "byte %" PRIu64 ": record %zu: record size: record of %" PRIu64
			 " words, but the archive ends after %zu", m->offset, n, m->size, held / 8);
}

TEST_F(torn, cut_anywhere)
{
	const struct met *m = self->sound.met;
	size_t n = 0, bytes, i;
	char text[256];

	for (bytes = 8; bytes <= built_bytes(&self->b); bytes++) {
		while (n < self->sound.met_count && bytes >= m[n].offset + 8 * m[n].size)
			n++;
		ASSERT_EQ(0, walk_memory(&self->w, self->b.words, bytes));
		ASSERT_LE(n, self->w.met_count) TH_LOG("cut after %zu bytes", bytes);
		for (i = 0; i < n; i++)
			EXPECT_EQ(0, memcmp(&m[i], &self->w.met[i], sizeof(*m)));
		EXPECT_EQ(bytes, self->w.totals.bytes);
		if (n == self->sound.met_count || bytes == m[n].offset) {
			EXPECT_EQ(0UL, self->w.told_count);
			continue;
		}
		end_text(text, &m[n], n, bytes);
		ASSERT_LT(0UL, self->w.told_count) TH_LOG("cut after %zu bytes", bytes);
		EXPECT_STREQ(text, self->w.told[0].text);
		EXPECT_EQ((enum fxt_deviation_kind)FXT_DEV_PAST_END, self->w.told[0].kind);
		EXPECT_EQ(m[n].offset, self->w.told[0].offset);
		EXPECT_GE(bytes - m[n].offset, self->w.totals.skipped_bytes);
		EXPECT_LE(bytes % 8, self->w.totals.skipped_bytes);
	}
	EXPECT_EQ(self->sound.met_count, n);
}

TEST_F(torn, cut_anywhere_strict)
{
	const struct met *m = self->sound.met;
	size_t n = 0, bytes;
	char text[256];

	self->w.o.strict = true;
	for (bytes = 8; bytes <= built_bytes(&self->b); bytes++) {
		while (n < self->sound.met_count && bytes >= m[n].offset + 8 * m[n].size)
			n++;
		walk_memory(&self->w, self->b.words, bytes);
		EXPECT_EQ(n, self->w.met_count);
		if (n == self->sound.met_count || bytes == m[n].offset) {
			EXPECT_EQ(0, self->w.ret);
			continue;
		}
		EXPECT_EQ(-EBADMSG, self->w.ret);
		end_text(text, &m[n], n, bytes);
		EXPECT_STREQ(text, self->w.error);
	}
}

/* --- damage ------------------------------------------------------------------------------ */

/*
 * A record that lacks words takes as many from those behind it, and looks sound
 * if anything may stand there, as in a blob or a backtrace. So up to two small
 * ones behind the damage may be taken for its content.
 */
#define SLACK		2
#define MOST_WORDS	12	/* of damage; the longest records have 7 */

static bool returned(const struct walk *w, const struct met *m, int64_t shift)
{
	size_t i;

	for (i = 0; i < w->met_count; i++)
		if (w->met[i].offset == m->offset + 8 * shift)
			return w->met[i].size == m->size && w->met[i].kind == m->kind;
	return false;
}

/*
 * The words from @first of @count are damaged; those behind have moved by
 * @shift words.
 */
static void check_damaged(struct __test_metadata *_metadata, FIXTURE_DATA(torn) *self,
			  size_t first, size_t count, int64_t shift)
{
	const struct met *m = self->sound.met;
	size_t i, begin, end, behind = 0;

	ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
	for (i = 0; i < self->sound.met_count; i++, m++) {
		begin = m->offset / 8;
		end = begin + m->size;
		if (end <= first)
			EXPECT_TRUE(returned(&self->w, m, 0)) {
				TH_LOG("record %zu before words %zu + %zu", i, first, count);
			}
		if (begin >= first + count && behind++ >= SLACK)
			EXPECT_TRUE(returned(&self->w, m, shift)) {
				TH_LOG("record %zu behind words %zu + %zu", i, first, count);
			}
	}
	EXPECT_EQ(8 * self->count, self->w.totals.bytes);
	EXPECT_GE(8 * self->count, self->w.totals.skipped_bytes);
	EXPECT_GE(self->w.totals.records, self->w.met_count);
}

#define FOR_EACH_DAMAGE(self, first, words)				\
	for (first = 1; first < (self)->b.count; first++)		\
		for (words = 1; words <= MOST_WORDS && first + words <= (self)->b.count; \
		     words++)

TEST_F(torn, words_taken_out)
{
	size_t first, words;

	FOR_EACH_DAMAGE(self, first, words) {
		self->count = self->b.count - words;
		memcpy(self->copy, self->b.words, 8 * first);
		memcpy(self->copy + first, self->b.words + first + words,
		       8 * (self->count - first));
		check_damaged(_metadata, self, first, words, -(int64_t)words);
	}
}

static void overwrite(struct __test_metadata *_metadata, FIXTURE_DATA(torn) *self,
		      uint64_t (*word)(void))
{
	size_t first, words, i;

	self->count = self->b.count;
	FOR_EACH_DAMAGE(self, first, words) {
		memcpy(self->copy, self->b.words, built_bytes(&self->b));
		for (i = 0; i < words; i++)
			self->copy[first + i] = word();
		check_damaged(_metadata, self, first, words, 0);
	}
}

static uint64_t zeros(void)
{
	return 0;
}

static uint64_t ones(void)
{
	return UINT64_MAX;
}

/* Marsaglia's xorshift64; the same in each run. */
static uint64_t random_word(void)
{
	static uint64_t x = 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* As threads' ids and counters are: headers of all types and of no size, or of some. */
static uint64_t small_number(void)
{
	return random_word() % 4096;
}

TEST_F(torn, zeros)
{
	overwrite(_metadata, self, zeros);
}

TEST_F(torn, ones)
{
	overwrite(_metadata, self, ones);
}

TEST_F(torn, random_words)
{
	overwrite(_metadata, self, random_word);
}

TEST_F(torn, small_numbers)
{
	overwrite(_metadata, self, small_number);
}

/* Damage that is longer than the reader looks ahead, and than its window. */
TEST_F(torn, far)
{
	static const size_t zeros[] = { 5000, 17000, 70000, 140000, 300000 };
	size_t n = self->b.count, i, j;
	const struct met *m;

	for (i = 0; i < sizeof(zeros) / sizeof(*zeros); i++) {
		free(self->copy);
		self->count = 2 * n + zeros[i];
		self->copy = calloc(self->count, sizeof(*self->copy));
		ASSERT_NE(NULL, self->copy);
		memcpy(self->copy, self->b.words, 8 * n);
		memcpy(self->copy + n + zeros[i], self->b.words, 8 * n);
		ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
		ASSERT_EQ(2 * self->sound.met_count, self->w.met_count);
		m = self->w.met + self->sound.met_count;
		for (j = 0; j < self->sound.met_count; j++, m++)
			EXPECT_EQ(self->sound.met[j].offset + 8 * (n + zeros[i]), m->offset);
		EXPECT_EQ(1UL, self->w.told_count);
		EXPECT_EQ(8 * zeros[i], self->w.totals.skipped_bytes);
		EXPECT_EQ(1UL, self->w.totals.skipped);
		EXPECT_EQ(2 * self->sound.met_count + 1, self->w.totals.records);
	}
}

/*
 * After what has no end, a word that might begin a record but for its size, its
 * reserved bits or its type: it is passed over, and what follows is returned.
 */
TEST_F(torn, no_headers)
{
	static const uint64_t words[] = {
		0, 0x0000000000000011, 0x0000000000000031, 0x0000000000010021,
		0x0000000000010023, 0x0000000000010043, 0x0000000001010033,
		0x0000000200010012, 0x0000000200010032, 0x0000000000010012, 0x0000000200000022,
		0x0000000280010022, 0x0001000200010022,
		0x0000000000010020, 0x0000000000020020, 0x0000000000030020, 0x0016547846040020,
		0x0016547946040010, 0x1000000000010010, 0x1000000000020010, 0x1000000000030010,
		0x0001000001000014, 0x0001000001000034, 0x0001000001010024, 0x0001000001100024,
		0x0001000000000034, 0x0001800101000024, 0x8001000101000024,
		0x0001000100010015, 0x0001000100010035, 0x0001000180010025, 0x0101000000010015,
		0x0001800000010015, 0x0000000000010016, 0x0000000000000026, 0x0000018000010026,
		0x0000100000010026, 0x0000000000000017, 0x0000008001010027, 0x0000010000010027,
		0x0000100000010027, 0x1000000000000038, 0x1000000000010048, 0x1000010000000048,
		0x2000000000000028, 0x2000000000010038, 0x2000001000000038, 0x0000001010000018,
		0x0000001010000038, 0x0000000010000038, 0x3000000000000048, 0x0000000100010029,
		0x0000000100000019, 0x0000000100000039, 0x0000000000000039, 0x0000010100000029,
		0x0000000180000029, 0x000000000010001a, 0x000010000010002a, 0x010000000010002a,
		0x100000000010002a, 0x000000000011004a, 0x000000000011006a, 0x000080000011005a,
		0x000000001012002a, 0x000000000012004a, 0x000000100012002a, 0x000000000013002a,
		0x000000000000001b, 0x000000000000001c, 0x000000000000001d, 0x000000000000001e,
		0x000001000000003f, 0x000000000010fff7, 0x100000000001fff8,
	};
	size_t records = self->sound.met_count, n = self->b.count, i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		self->b.count = n;
		BUILD(&self->b, 0, words[i]);
		build_sched(&self->b, 1);
		build_sched(&self->b, 2);
		ASSERT_EQ(0, walk_built(&self->w, &self->b));
		EXPECT_EQ(records + 4, self->w.met_count) TH_LOG("0x%016" PRIx64, words[i]);
		EXPECT_EQ(1UL, self->w.told_count) TH_LOG("0x%016" PRIx64, words[i]);
		EXPECT_EQ(16UL, self->w.totals.skipped_bytes) TH_LOG("0x%016" PRIx64, words[i]);
	}
}

/* The last word of a full window says that 4095 are to follow. */
TEST_F(torn, header_at_the_end)
{
	struct built b = { 0 };

	BUILD(&b, fxt_magic());
	while (b.count < (128 << 10) - 2)
		BUILD(&b, fxt_provider_event(1, 0));
	BUILD(&b, 0, fxt_kernel_object(4095, FXT_OBJECT_THREAD, 0, 1));
	EXPECT_EQ(0, walk_built(&self->w, &b));
	EXPECT_EQ((128UL << 10) - 2, self->w.met_count);
	EXPECT_EQ(1UL, self->w.told_count);
	EXPECT_EQ(16UL, self->w.totals.skipped_bytes);
	build_free(&b);
}

/* --- records that are odd, beside others that are ---------------------------------------- */

#define LOST_EVENT(b)	\
	BUILD(b, fxt_event(2, FXT_EVENT_INSTANT, 0, 1, CATEGORY, 999), TIME(0))

static void build_unknown(struct built *b)
{
	BUILD(b, fxt_header(13, 3), 0, ~0ULL);
}

static void build_large(struct built *b)
{
	BUILD(b, fxt_large_blob(5, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(CATEGORY, NAME), 16, TIME(0), TIME(1));
}

/* How many records @b has before the last walk and after it. */
static void expect_all(struct __test_metadata *_metadata, FIXTURE_DATA(torn) *self,
		       size_t more, size_t told)
{
	const struct met *m;
	size_t i;

	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	ASSERT_EQ(self->sound.met_count + more, self->w.met_count);
	for (i = 1, m = self->w.met + 1; i < self->w.met_count; i++, m++)
		EXPECT_EQ(m[-1].offset + 8 * m[-1].size, m->offset);
	EXPECT_EQ(told, self->w.told_count);
}

/* One makes no sense; that the others are not known is no reason to pass over them. */
TEST_F(torn, lost_among_unknown)
{
	LOST_EVENT(&self->b);
	build_sched(&self->b, 1);
	for (int i = 0; i < 4; i++)
		build_unknown(&self->b);
	LOST_EVENT(&self->b);
	build_unknown(&self->b);
	build_sched(&self->b, 1);
	expect_all(_metadata, self, 11, 2);
}

TEST_F(torn, lost_among_large)
{
	LOST_EVENT(&self->b);
	build_sched(&self->b, 1);
	build_large(&self->b);
	build_large(&self->b);
	LOST_EVENT(&self->b);
	build_large(&self->b);
	build_sched(&self->b, 1);
	expect_all(_metadata, self, 9, 2);
}

/* In a later version of the format all records may be longer, or not known at all. */
TEST_F(torn, all_extended)
{
	struct built *b = &self->b;
	uint64_t n;

	for (n = 0; n < 4096; n++) {
		BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 0, 1, CATEGORY, NAME), TIME(n), n, n);
		BUILD(b, fxt_thread_wakeup(5, 0, n), TIME(n), THREAD, 0, n);
		BUILD(b, fxt_header(12, 3), TIME(n), n);
		BUILD(b, fxt_kernel_object(4, FXT_OBJECT_THREAD, NAME, 0), THREAD, n, 0);
	}
	expect_all(_metadata, self, 4 * 4096, 3 * 4096);
	EXPECT_EQ(0UL, self->w.totals.deviations);
}

/* Arguments of value 0 look like string records: but of strings that none needs. */
TEST_F(torn, lost_with_zeros)
{
	struct built *b = &self->b;

	BUILD(b, fxt_event(7, FXT_EVENT_COUNTER, 4, 1, CATEGORY, 999), TIME(0),
	      fxt_arg_uint32(1, NAME, 0), fxt_arg_uint32(1, WEIGHT, 0),
	      fxt_arg_uint32(1, WAKER, 0), fxt_arg_uint32(1, CATEGORY, 0), 5);
	build_sched(b, 1);
	build_sched(b, 2);
	expect_all(_metadata, self, 5, 1);
}

/* There may be an archive in a blob, which is not to be read as a part of this one. */
TEST_F(torn, archive_in_odd_blobs)
{
	struct built inner = { 0 };
	struct built *b = &self->b;
	size_t words;

	build_all(&inner);
	words = inner.count;
	BUILD(b, fxt_blob(1 + words, 999, 8 * words, FXT_BLOB_DATA));
	build_stream(b, inner.words, 8 * words);
	build_sched(b, 1);
	build_sched(b, 2);
	BUILD(b, fxt_large_blob(3 + words, FXT_LARGE_BLOB_NO_METADATA) | 1ULL << 63,
	      fxt_large_blob_no_metadata(CATEGORY, NAME), 8 * words);
	build_stream(b, inner.words, 8 * words);
	build_sched(b, 3);
	build_sched(b, 4);
	build_free(&inner);
	expect_all(_metadata, self, 10, 2);
}

/* Nor is there any doubt of a record that was sound, whatever comes behind it. */
TEST_F(torn, archive_before_damage)
{
	struct built inner = { 0 };
	struct built *b = &self->b;

	build_all(&inner);
	BUILD(b, fxt_event(3 + inner.count, FXT_EVENT_INSTANT, 1, 1, CATEGORY, NAME), TIME(0),
	      fxt_arg_blob(1 + inner.count, NAME, 8 * inner.count));
	build_stream(b, inner.words, 8 * inner.count);
	build_free(&inner);
	BUILD(b, 0);
	build_sched(b, 1);
	build_sched(b, 2);
	EXPECT_EQ(0, walk_built(&self->w, b));
	EXPECT_EQ(self->sound.met_count + 5, self->w.met_count);
	EXPECT_EQ(1UL, self->w.told_count);
	EXPECT_EQ(8UL, self->w.totals.skipped_bytes);
}

/* @words of archives, one behind the other. */
static void build_archives(struct built *b, const struct built *whole, size_t words)
{
	for (; words >= whole->count; words -= whole->count)
		build_words(b, whole->words, whole->count);
	build_words(b, whole->words, words);
}

/* Likewise wherever such a blob ends in what is read at once. */
TEST_F(torn, archive_in_odd_blobs_anywhere)
{
	struct built b = { 0 };
	size_t shift, i;

	for (shift = 0; shift < 4095; shift += 13) {
		build_free(&b);
		build_names(&b);
		for (i = 0; i < shift; i++)
			BUILD(&b, fxt_provider_section(1));
		for (i = 0; i < 8; i++) {
			BUILD(&b, fxt_blob(4095, 999, 32752, FXT_BLOB_DATA));
			build_archives(&b, &self->b, 4094);
			build_sched(&b, i);
			build_sched(&b, i);
		}
		EXPECT_EQ(0, walk_built(&self->w, &b));
		EXPECT_EQ(11 + shift + 40, self->w.met_count);
		EXPECT_EQ(8UL, self->w.told_count);
	}
	build_free(&b);
}

/* And of blobs about as large as the window. */
TEST_F(torn, archive_in_large_odd_blobs)
{
	static const size_t words[] = { 100000, 128 << 10, (128 << 10) - 3, 130000 };
	struct built b = { 0 };
	size_t i;

	build_names(&b);
	for (i = 0; i < 20; i++) {
		BUILD(&b, fxt_large_blob(3 + words[i % 4], FXT_LARGE_BLOB_NO_METADATA) | 1ULL << 63,
		      fxt_large_blob_no_metadata(CATEGORY, NAME), 8 * words[i % 4]);
		build_archives(&b, &self->b, words[i % 4]);
		build_sched(&b, i);
		build_sched(&b, i);
	}
	/* One that makes no sense, but leaves no room to look at what follows it. */
	BUILD(&b, fxt_large_blob(130000, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(999, NAME), 8 * 129997);
	build_archives(&b, &self->b, 129997);
	build_sched(&b, i);
	build_sched(&b, i);
	EXPECT_EQ(0, walk_built(&self->w, &b));
	EXPECT_EQ(11UL + 21 * 5, self->w.met_count);
	EXPECT_EQ(21UL, self->w.told_count);
	build_free(&b);
}

/* A thread id where a header should be: records that it would take for its own are kept. */
TEST_F(torn, number_for_a_header)
{
	static const uint64_t numbers[] = {
		0x642, 0x643, 0x645, 0x647, 0x648, 0x649, 0x64b, 0x64c, 0x64d, 0x64e, 0x64f,
	};
	size_t before = self->b.count, records, i, j, k;

	for (i = 0; i < 40; i++)
		build_sched(&self->b, i);
	ASSERT_EQ(0, walk_built(&self->sound, &self->b));
	records = self->sound.met_count;
	self->copy = reallocarray(self->copy, self->b.count + 1, 8);
	ASSERT_NE(NULL, self->copy);
	self->count = self->b.count + 1;
	memcpy(self->copy, self->b.words, 8 * before);
	memcpy(self->copy + before + 1, self->b.words + before, 8 * (self->b.count - before));
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		self->copy[before] = numbers[i];
		ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
		for (j = 0, k = 0; j < records; j++)
			k += returned(&self->w, &self->sound.met[j],
				      self->sound.met[j].offset / 8 >= before);
		EXPECT_EQ(records, k) TH_LOG("of 0x%" PRIx64, numbers[i]);
		EXPECT_LT(0UL, self->w.totals.skipped);
		EXPECT_EQ(8UL, self->w.totals.skipped_bytes) TH_LOG("of 0x%" PRIx64, numbers[i]);
		EXPECT_EQ(records + 1, self->w.totals.records);
	}
}

/* Bytes that are too many, or missing: what is behind them does not begin at a word. */
TEST_F(torn, bytes)
{
	enum { OBJECTS = 40, AT = 10 };
	struct built b = { 0 };
	unsigned char *torn;
	size_t n, bytes, i, whole;

	BUILD(&b, FXT_MAGIC_RECORD);
	for (i = 0; i < OBJECTS; i++)
		BUILD(&b, fxt_kernel_object(2, FXT_OBJECT_PROCESS, 0, 0), 1000 + i);
	bytes = built_bytes(&b);
	torn = malloc(bytes + 8);
	ASSERT_NE(NULL, torn);
	for (n = 1; n < 16; n++) {
		/* 1 to 7 more, or 1 to 7 fewer, in the middle of a record. */
		size_t more = n < 8 ? n : 0, fewer = n > 8 ? n - 8 : 0, at = 8 + 16 * AT + 4;

		memcpy(torn, b.words, at);
		memset(torn + at, 0xff, more);
		memcpy(torn + at + more, (char *)b.words + at + fewer, bytes - at - fewer);
		EXPECT_EQ(0, walk_memory(&self->w, torn, bytes + more - fewer));
		for (i = 0, whole = 0; i < self->w.met_count; i++)
			whole += self->w.met[i].kind == FXT_KIND_KERNEL_OBJECT &&
				 !self->w.met[i].content;
		/* The one that is damaged, and no more than what it takes for its own. */
		EXPECT_LE(OBJECTS - 3U, whole) TH_LOG("%zu more, %zu fewer: %zu", more, fewer, whole);
		EXPECT_EQ(bytes + more - fewer, self->w.totals.bytes);
	}
	free(torn);
	build_free(&b);
}

TEST_HARNESS_MAIN
