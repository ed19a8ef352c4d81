// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Log-linear histograms: a bucket is no wider than a 32nd of its values; percentiles round the rank
 * up.
 */
#include "harness.h"
#include "fxt/report/stats/hist.h"

FIXTURE(hist)
{
	struct report_hist h;
	struct report_hist other;
};

FIXTURE_SETUP(hist)
{
}

FIXTURE_TEARDOWN(hist) { }

static struct report_bucket bucket_of(uint64_t value)
{
	struct report_hist h = { 0 };
	struct report_bucket b = { 0 };
	unsigned int at = 0;

	report_hist_add(&h, value);
	if (!report_hist_next(&h, &at, &b))
		abort();
	report_hist_free(&h);
	return b;
}

#define EXPECT_BUCKET(value, low_, high_)					\
	do {									\
		struct report_bucket b = bucket_of(value);			\
										\
		EXPECT_EQ((uint64_t)(low_), b.low);				\
		EXPECT_EQ((uint64_t)(high_), b.high);				\
		EXPECT_EQ(1U, b.count);						\
	} while (0)

TEST(edges)
{
	EXPECT_BUCKET(0, 0, 0);
	EXPECT_BUCKET(31, 31, 31);
	EXPECT_BUCKET(32, 32, 32);
	EXPECT_BUCKET(63, 63, 63);
	EXPECT_BUCKET(64, 64, 65);
	EXPECT_BUCKET(65, 64, 65);
	EXPECT_BUCKET(66, 66, 67);
	EXPECT_BUCKET(127, 126, 127);
	EXPECT_BUCKET(128, 128, 131);
	EXPECT_BUCKET(1000000, 999424, 1015807);
	EXPECT_BUCKET(1ULL << 63, 1ULL << 63, (1ULL << 63) + (1ULL << 58) - 1);
	EXPECT_BUCKET(UINT64_MAX, UINT64_MAX - (1ULL << 58) + 1, UINT64_MAX);
}

TEST(relative_error)
{
	uint64_t value = 1;

	for (int i = 0; i < 20000; i++) {
		uint64_t v = value >> (i % 64);
		struct report_bucket b = bucket_of(v);

		ASSERT_LE(b.low, v);
		ASSERT_GE(b.high, v);
		ASSERT_LE(b.high - b.low, b.low / 32);
		value = value * 6364136223846793005ULL + 1442695040888963407ULL;
	}
}

TEST_F(hist, empty)
{
	struct report_bucket b;
	unsigned int at = 0;

	EXPECT_FALSE(report_hist_next(&self->h, &at, &b));
	EXPECT_EQ(0U, report_hist_percentile(&self->h, 500));
	EXPECT_EQ(0U, self->h.count);
}

/* The rank is rounded up: at least that many values are not larger. */
TEST_F(hist, ranks)
{
	for (uint64_t v = 1; v <= 10; v++)
		report_hist_add(&self->h, v);
	EXPECT_EQ(1U, report_hist_percentile(&self->h, 1));
	EXPECT_EQ(5U, report_hist_percentile(&self->h, 500));
	EXPECT_EQ(6U, report_hist_percentile(&self->h, 501));
	EXPECT_EQ(9U, report_hist_percentile(&self->h, 900));
	EXPECT_EQ(10U, report_hist_percentile(&self->h, 901));
	EXPECT_EQ(10U, report_hist_percentile(&self->h, 999));
	EXPECT_EQ(10U, report_hist_percentile(&self->h, 1000));
	EXPECT_EQ(55U, self->h.sum);
	EXPECT_EQ(10U, self->h.max);
}

/* 999 of 1000 are short: p99.9 is still short, and one more long value makes it long. */
TEST_F(hist, tail)
{
	for (int i = 0; i < 999; i++)
		report_hist_add(&self->h, 20);
	report_hist_add(&self->h, 5000000);
	EXPECT_EQ(20U, report_hist_percentile(&self->h, 999));
	EXPECT_EQ(5000000U, report_hist_percentile(&self->h, 1000));
	report_hist_add(&self->h, 5000000);
	EXPECT_EQ(5000000U, report_hist_percentile(&self->h, 999));
}

/* A bucket counts as its largest value, but never as more than the maximum. */
TEST_F(hist, largest_of_a_bucket)
{
	report_hist_add(&self->h, 1000000);
	report_hist_add(&self->h, 1000001);
	EXPECT_EQ(1000001U, report_hist_percentile(&self->h, 500));
	report_hist_add(&self->h, 9000000);
	EXPECT_EQ(1015807U, report_hist_percentile(&self->h, 500));
	EXPECT_EQ(9000000U, report_hist_percentile(&self->h, 999));
}

TEST_F(hist, merged)
{
	struct report_bucket b;
	unsigned int at = 0;

	report_hist_add(&self->h, 7);
	report_hist_add(&self->h, 100);
	report_hist_add(&self->other, 7);
	report_hist_add(&self->other, 70000);
	report_hist_merge(&self->h, &self->other);
	EXPECT_EQ(4U, self->h.count);
	EXPECT_EQ(70114U, self->h.sum);
	EXPECT_EQ(70000U, self->h.max);
	ASSERT_TRUE(report_hist_next(&self->h, &at, &b));
	EXPECT_EQ(7U, b.low);
	EXPECT_EQ(2U, b.count);
	ASSERT_TRUE(report_hist_next(&self->h, &at, &b));
	EXPECT_EQ(100U, b.low);
	EXPECT_EQ(101U, b.high);
	EXPECT_EQ(1U, b.count);
	ASSERT_TRUE(report_hist_next(&self->h, &at, &b));
	EXPECT_LE(b.low, 70000U);
	EXPECT_FALSE(report_hist_next(&self->h, &at, &b));
}

/* Add each value from @from to below @to once, in a mixed order. */
static void add_shuffled(struct report_hist *h, unsigned int from, unsigned int to)
{
	for (unsigned int i = 0; i < to - from; i++)
		report_hist_add(h, from + i * 7 % (to - from));
}

/* Return: the counts of the values from 0 on, one digit each. */
static const char *counts_of(const struct report_hist *h)
{
	static char text[HIST_SUB + 1];
	struct report_bucket b;
	unsigned int at = 0, n;

	for (n = 0; report_hist_next(h, &at, &b) && b.low == n && n < HIST_SUB; n++)
		text[n] = '0' + b.count;
	text[n] = '\0';
	return text;
}

/* A few values need no more memory, and more values do not change the counts of these. */
TEST_F(hist, few)
{
	add_shuffled(&self->h, 0, HIST_FEW);
	EXPECT_EQ(NULL, self->h.rows);
	EXPECT_STREQ("111111111111111111111111111111", counts_of(&self->h));
	EXPECT_EQ(14U, report_hist_percentile(&self->h, 500));
	report_hist_add(&self->h, 14);
	EXPECT_NE(NULL, self->h.rows);
	EXPECT_STREQ("111111111111112111111111111111", counts_of(&self->h));
	EXPECT_EQ(14U, report_hist_percentile(&self->h, 500));
}

/* Two histograms of few values may have many values together. */
TEST_F(hist, merged_few)
{
	add_shuffled(&self->h, 0, 10);
	add_shuffled(&self->other, 5, 25);
	report_hist_merge(&self->h, &self->other);
	EXPECT_EQ(NULL, self->h.rows);
	EXPECT_STREQ("1111122222111111111111111", counts_of(&self->h));
	report_hist_merge(&self->other, &self->h);
	EXPECT_NE(NULL, self->other.rows);
	EXPECT_STREQ("1111133333222222222222222", counts_of(&self->other));
	report_hist_merge(&self->h, &self->other);
	EXPECT_STREQ("2222255555333333333333333", counts_of(&self->h));
	EXPECT_EQ(80U, self->h.count);
}

/* A counter that is full stays at its largest value. */
TEST_F(hist, full)
{
	for (unsigned int i = 0; i <= HIST_FEW; i++)
		report_hist_add(&self->h, 5);
	self->h.rows[self->h.row[0] - 1][5] = UINT32_MAX;
	report_hist_add(&self->h, 5);
	EXPECT_EQ(UINT32_MAX, self->h.rows[self->h.row[0] - 1][5]);
	report_hist_add(&self->other, 5);
	report_hist_merge(&self->h, &self->other);
	EXPECT_EQ(UINT32_MAX, self->h.rows[self->h.row[0] - 1][5]);
	report_hist_add(&self->h, UINT64_MAX);
	EXPECT_EQ(UINT64_MAX, self->h.sum);
	EXPECT_EQ(UINT64_MAX, self->h.max);
}
