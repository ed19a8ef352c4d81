/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist.h - counts of 64-bit values, with a constant relative error.
 *
 * Buckets are log-linear: each value below 32 has its own, and each power of two above is divided
 * into 32, so that a bucket is no wider than 1/32 of its values. A percentile is reported as the
 * largest value of its bucket, or the maximum if that is smaller: it is never too small, and too
 * large by less than 1/32. Count, sum and maximum are exact. Memory is 96 bytes, and beyond
 * HIST_FEW values 128 more for each power of two that occurs: most threads of a long recording live
 * for a few waits only.
 */
#ifndef FXT_REPORT_HIST_H
#define FXT_REPORT_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIST_BITS	5
#define HIST_SUB	(1U << HIST_BITS)	/* buckets of a power of two */
#define HIST_ROWS	(64 - HIST_BITS + 1)	/* row 0 has the values below HIST_SUB */
#define HIST_FEW	(HIST_ROWS / 2)		/* that need no rows */

/* Initialize with zeros. */
struct report_hist {
	uint64_t count;
	uint64_t sum;			/* of the values; saturates */
	uint64_t max;
	uint32_t (*rows)[HIST_SUB];	/* counts, which saturate; NULL: only few values so far */
	union {
		uint8_t row[HIST_ROWS];	/* 1 + index in @rows; 0: no value seen */
		uint16_t few[HIST_FEW];	/* without @rows, the bucket of each value, in order */
	};
	uint8_t used;			/* of @rows, or of @few */
};

/* Values from @low to @high, both included. */
struct report_bucket {
	uint64_t low;
	uint64_t high;
	uint64_t count;
};

static inline unsigned int hist_row(uint64_t value)
{
	return 63 - __builtin_clzll(value | (HIST_SUB - 1)) - HIST_BITS + 1;
}

static inline unsigned int hist_sub(uint64_t value, unsigned int row)
{
	return value >> (row - !!row) & (HIST_SUB - 1);
}

/* Count a value of a bucket that has no row yet. */
void report_hist_new(struct report_hist *h, unsigned int bucket);

/* Count and sum a value, but in no bucket so far. */
static inline void report_hist_sum(struct report_hist *h, uint64_t value)
{
	h->count++;
	if (__builtin_add_overflow(h->sum, value, &h->sum))
		h->sum = UINT64_MAX;
	h->max = value > h->max ? value : h->max;
}

/* Count it in its bucket. */
static inline void report_hist_count(struct report_hist *h, uint64_t value)
{
	unsigned int row = hist_row(value), sub = hist_sub(value, row);
	uint32_t *bucket;

	if (__builtin_expect(!h->rows || !h->row[row], 0)) {
		report_hist_new(h, row * HIST_SUB + sub);
	} else {
		bucket = &h->rows[h->row[row] - 1][sub];
		*bucket += *bucket != UINT32_MAX;
	}
}

static inline void report_hist_add(struct report_hist *h, uint64_t value)
{
	report_hist_sum(h, value);
	report_hist_count(h, value);
}

/* Get a value's bucket into the cache, to count it soon. */
static inline void report_hist_prefetch(const struct report_hist *h, uint64_t value)
{
	unsigned int row = hist_row(value);

	if (__builtin_expect(h->rows && h->row[row], 1))
		__builtin_prefetch(&h->rows[h->row[row] - 1][hist_sub(value, row)], 1);
}

/* Add all values of another histogram. */
void report_hist_merge(struct report_hist *h, const struct report_hist *other);

/* The next bucket that is not empty; *@at is 0 at first. Return: false at the end */
bool report_hist_next(const struct report_hist *h, unsigned int *at,
		      struct report_bucket *b);

/* The value that @per_mille of them do not exceed; 0 without values. */
uint64_t report_hist_percentile(const struct report_hist *h, unsigned int per_mille);

/* Empty it. */
void report_hist_free(struct report_hist *h);

/* Classes to draw latencies in; each limit is four times the previous one, and a bucket's edge. */
#define REPORT_CLASSES	11

/* The end of a class (ns), which is in the next one; the last has none. */
uint64_t report_class_limit(unsigned int class);

void report_classes(const struct report_hist *h, uint64_t counts[REPORT_CLASSES]);

#endif /* FXT_REPORT_HIST_H */
