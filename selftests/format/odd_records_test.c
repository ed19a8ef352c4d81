// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records that make no sense, are unknown, are longer than their fields, or contain an archive,
 * among others: a lenient reader must distrust the size only of records that make no sense, and
 * return all others.
 */
#include "torn_fixture.h"

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

/* Walk over @b, which has @more records than self->intact; @told deviations and notes. */
static void expect_all(struct __test_metadata *_metadata, FIXTURE_DATA(torn) *self,
		       size_t more, size_t told)
{
	const struct met *m;
	size_t i;

	EXPECT_EQ(0, walk_built(&self->w, &self->b));
	ASSERT_EQ(self->intact.met_count + more, self->w.met_count);
	for (i = 1, m = self->w.met + 1; i < self->w.met_count; i++, m++)
		EXPECT_EQ(m[-1].offset + 8 * m[-1].size, m->offset);
	EXPECT_EQ(told, self->w.told_count);
}

/* One record makes no sense. The others are unknown, but must not be skipped. */
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

/* In a later version of the format, all records can be longer or unknown. */
TEST_F(torn, all_extended)
{
	struct built *b = &self->b;

	for (uint64_t n = 0; n < 4096; n++) {
		BUILD(b, fxt_event(4, FXT_EVENT_INSTANT, 0, 1, CATEGORY, NAME), TIME(n), n, n);
		BUILD(b, fxt_thread_wakeup(5, 0, n), TIME(n), THREAD, 0, n);
		BUILD(b, fxt_header(12, 3), TIME(n), n);
		BUILD(b, fxt_kernel_object(4, FXT_OBJECT_THREAD, NAME, 0), THREAD, n, 0);
	}
	expect_all(_metadata, self, 4 * 4096, 3 * 4096);
	EXPECT_EQ(0UL, self->w.totals.deviations);
}

/* Arguments of value 0 look like string records, but such strings would be of no use. */
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

/* A blob can contain an archive, which is not part of this one. */
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
	expect_all(_metadata, self, 10, 2);
}

/* A valid record stays valid, whatever follows it. */
TEST_F(torn, archive_before_damage)
{
	struct built inner = { 0 };
	struct built *b = &self->b;

	build_all(&inner);
	BUILD(b, fxt_event(3 + inner.count, FXT_EVENT_INSTANT, 1, 1, CATEGORY, NAME), TIME(0),
	      fxt_arg_blob(1 + inner.count, NAME, 8 * inner.count));
	build_stream(b, inner.words, 8 * inner.count);
	BUILD(b, 0);
	build_sched(b, 1);
	build_sched(b, 2);
	EXPECT_EQ(0, walk_built(&self->w, b));
	EXPECT_EQ(self->intact.met_count + 5, self->w.met_count);
	EXPECT_EQ(1UL, self->w.told_count);
	EXPECT_EQ(8UL, self->w.totals.skipped_bytes);
}

/* @words of archives, one after the other. */
static void build_archives(struct built *b, const struct built *whole, size_t words)
{
	for (; words >= whole->count; words -= whole->count)
		build_words(b, whole->words, whole->count);
	build_words(b, whole->words, words);
}

/* The same, with the end of such a blob anywhere in a read(2). */
TEST_F(torn, archive_in_odd_blobs_anywhere)
{
	struct built b = { 0 };

	for (size_t shift = 0; shift < 4095; shift += 13) {
		build_free(&b);
		build_names(&b);
		for (size_t i = 0; i < shift; i++)
			BUILD(&b, fxt_provider_section(1));
		for (size_t i = 0; i < 8; i++) {
			BUILD(&b, fxt_blob(4095, 999, 32752, FXT_BLOB_DATA));
			build_archives(&b, &self->b, 4094);
			build_sched(&b, i);
			build_sched(&b, i);
		}
		EXPECT_EQ(0, walk_built(&self->w, &b));
		EXPECT_EQ(11 + shift + 40, self->w.met_count);
		EXPECT_EQ(8UL, self->w.told_count);
	}
}

/* The same with blobs about as large as the window. */
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
	/* It makes no sense, and leaves no room to look at the records after it. */
	BUILD(&b, fxt_large_blob(130000, FXT_LARGE_BLOB_NO_METADATA),
	      fxt_large_blob_no_metadata(999, NAME), 8 * 129997);
	build_archives(&b, &self->b, 129997);
	build_sched(&b, i);
	build_sched(&b, i);
	EXPECT_EQ(0, walk_built(&self->w, &b));
	EXPECT_EQ(11UL + 21 * 5, self->w.met_count);
	EXPECT_EQ(21UL, self->w.told_count);
}
