// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged archives: truncated after each byte, with words removed at each place, and with words
 * overwritten at each place. The walk of a lenient reader ends without an error and returns every
 * record before the damage and every record after it, except for at most SLACK records, with its
 * offset and size.
 */
#include "torn_fixture.h"

/* The text for an archive that is truncated to @bytes, within record @n. */
static void end_text(char text[256], const struct met *m, size_t n, size_t bytes)
{
	size_t held = bytes - m->offset;

	if (held < 8)
		snprintf(text, 256, "byte %" PRIu64 ": record %zu: record header: "
			 "incomplete word of %zu bytes at the end", m->offset, n, held);
	else
		snprintf(text, 256, "byte %" PRIu64 ": record %zu: record size: record of %" PRIu64
			 " words, but the archive ends after %zu", m->offset, n, m->size, held / 8);
}

TEST_F(torn, cut_anywhere)
{
	const struct met *m = self->intact.met;
	size_t n = 0, bytes, i;
	char text[256];

	for (bytes = 8; bytes <= built_bytes(&self->b); bytes++) {
		while (n < self->intact.met_count && bytes >= m[n].offset + 8 * m[n].size)
			n++;
		ASSERT_EQ(0, walk_memory(&self->w, self->b.words, bytes));
		ASSERT_LE(n, self->w.met_count) TH_LOG("cut after %zu bytes", bytes);
		for (i = 0; i < n; i++)
			EXPECT_EQ(0, memcmp(&m[i], &self->w.met[i], sizeof(*m)));
		EXPECT_EQ(bytes, self->w.totals.bytes);
		if (n == self->intact.met_count || bytes == m[n].offset) {
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
	EXPECT_EQ(self->intact.met_count, n);
}

TEST_F(torn, cut_anywhere_strict)
{
	const struct met *m = self->intact.met;
	size_t n = 0, bytes;
	char text[256];

	self->w.o.strict = true;
	for (bytes = 8; bytes <= built_bytes(&self->b); bytes++) {
		while (n < self->intact.met_count && bytes >= m[n].offset + 8 * m[n].size)
			n++;
		walk_memory(&self->w, self->b.words, bytes);
		EXPECT_EQ(n, self->w.met_count);
		if (n == self->intact.met_count || bytes == m[n].offset) {
			EXPECT_EQ(0, self->w.ret);
			continue;
		}
		EXPECT_EQ(-EBADMSG, self->w.ret);
		end_text(text, &m[n], n, bytes);
		EXPECT_STREQ(text, self->w.error);
	}
}

/*
 * A record with missing words takes as many from the records after it. It looks valid if any
 * words are allowed there, as in a blob or a backtrace. So up to two small records after the
 * damage can become its content.
 */
#define SLACK		2
#define MOST_WORDS	12	/* of damage; the longest records have 7 */

static bool returned(const struct walk *w, const struct met *m, int64_t shift)
{
	for (size_t i = 0; i < w->met_count; i++)
		if (w->met[i].offset == m->offset + 8 * shift)
			return w->met[i].size == m->size && w->met[i].kind == m->kind;
	return false;
}

/*
 * The words from @first on, @count of them, are damaged; the words after them have moved by @shift.
 */
static void check_damaged(struct __test_metadata *_metadata, FIXTURE_DATA(torn) *self,
			  size_t first, size_t count, int64_t shift)
{
	const struct met *m = self->intact.met;
	size_t i, begin, end, behind = 0;

	ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
	for (i = 0; i < self->intact.met_count; i++, m++) {
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

/* Marsaglia's xorshift64; the same numbers in each run. */
static uint64_t random_word(void)
{
	static uint64_t x = 88172645463325252ULL;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Like thread ids and counters, these are headers of all types, some with size 0. */
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

/* Damage longer than the reader's lookahead, and longer than its window. */
TEST_F(torn, far)
{
	static const size_t zeros[] = { 5000, 17000, 70000, 140000, 300000 };
	size_t n = self->b.count, i, j;
	const struct met *m;

	for (i = 0; i < sizeof(zeros) / sizeof(*zeros); i++) {
		self->count = 2 * n + zeros[i];
		self->copy = calloc(self->count, sizeof(*self->copy));
		ASSERT_NE(NULL, self->copy);
		memcpy(self->copy, self->b.words, 8 * n);
		memcpy(self->copy + n + zeros[i], self->b.words, 8 * n);
		ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
		ASSERT_EQ(2 * self->intact.met_count, self->w.met_count);
		m = self->w.met + self->intact.met_count;
		for (j = 0; j < self->intact.met_count; j++, m++)
			EXPECT_EQ(self->intact.met[j].offset + 8 * (n + zeros[i]), m->offset);
		EXPECT_EQ(1UL, self->w.told_count);
		EXPECT_EQ(8 * zeros[i], self->w.totals.skipped_bytes);
		EXPECT_EQ(1UL, self->w.totals.skipped);
		EXPECT_EQ(2 * self->intact.met_count + 1, self->w.totals.records);
	}
}

/*
 * After a header of size 0, a word that could be a header except for its size, its reserved
 * bits or its type: the reader skips it and returns the records after it.
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
	size_t records = self->intact.met_count, n = self->b.count, i;

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

/* The last word of a full window is the header of 4095 words. */
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
}

/* A thread id in place of a header must not hide the records within its size. */
TEST_F(torn, number_for_a_header)
{
	static const uint64_t numbers[] = {
		0x642, 0x643, 0x645, 0x647, 0x648, 0x649, 0x64b, 0x64c, 0x64d, 0x64e, 0x64f,
	};
	size_t before = self->b.count, records, i, j, k;

	for (i = 0; i < 40; i++)
		build_sched(&self->b, i);
	ASSERT_EQ(0, walk_built(&self->intact, &self->b));
	records = self->intact.met_count;
	self->copy = reallocarray(self->copy, self->b.count + 1, 8);
	ASSERT_NE(NULL, self->copy);
	self->count = self->b.count + 1;
	memcpy(self->copy, self->b.words, 8 * before);
	memcpy(self->copy + before + 1, self->b.words + before, 8 * (self->b.count - before));
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		self->copy[before] = numbers[i];
		ASSERT_EQ(0, walk_memory(&self->w, self->copy, 8 * self->count));
		for (j = 0, k = 0; j < records; j++)
			k += returned(&self->w, &self->intact.met[j],
				      self->intact.met[j].offset / 8 >= before);
		EXPECT_EQ(records, k) TH_LOG("of 0x%" PRIx64, numbers[i]);
		EXPECT_LT(0UL, self->w.totals.skipped);
		EXPECT_EQ(8UL, self->w.totals.skipped_bytes) TH_LOG("of 0x%" PRIx64, numbers[i]);
		EXPECT_EQ(records + 1, self->w.totals.records);
	}
}

/* Additional or missing bytes: the records after them do not begin at a word. */
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
		/* Only the damaged record, and those within its size. */
		EXPECT_LE(OBJECTS - 3U, whole) TH_LOG("%zu more, %zu fewer: %zu", more, fewer, whole);
		EXPECT_EQ(bytes + more - fewer, self->w.totals.bytes);
	}
}
