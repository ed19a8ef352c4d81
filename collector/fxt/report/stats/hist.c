// SPDX-License-Identifier: GPL-2.0-or-later
/* hist.c - see hist.h. */
#include <stdlib.h>
#include <string.h>

#include "hist.h"
#include "terminal/memory.h"

#define HIST_BUCKETS	(HIST_ROWS * HIST_SUB)

static uint32_t *counter(struct report_hist *h, unsigned int bucket)
{
	unsigned int row = bucket / HIST_SUB;

	if (!h->row[row]) {
		h->rows = must(reallocarray(h->rows, h->used + 1, sizeof(*h->rows)));
		memset(h->rows[h->used], 0, sizeof(*h->rows));
		h->row[row] = ++h->used;
	}
	return &h->rows[h->row[row] - 1][bucket % HIST_SUB];
}

static void add_to_row(struct report_hist *h, unsigned int bucket, uint32_t count)
{
	uint32_t *to = counter(h, bucket);

	if (__builtin_add_overflow(*to, count, to))
		*to = UINT32_MAX;
}

static void add_to_few(struct report_hist *h, unsigned int bucket)
{
	unsigned int i = h->used++;

	for (; i && h->few[i - 1] > bucket; i--)
		h->few[i] = h->few[i - 1];
	h->few[i] = bucket;
}

static void move_to_rows(struct report_hist *h)
{
	unsigned int count = h->used, i;
	uint16_t few[HIST_FEW];

	memcpy(few, h->few, sizeof(few));
	memset(h->row, 0, sizeof(h->row));
	h->used = 0;
	for (i = 0; i < count; i++)
		add_to_row(h, few[i], 1);
}

static void add(struct report_hist *h, unsigned int bucket, uint32_t count)
{
	if (!h->rows && count <= (uint32_t)HIST_FEW - h->used) {
		while (count--)
			add_to_few(h, bucket);
		return;
	}
	if (!h->rows)
		move_to_rows(h);
	add_to_row(h, bucket, count);
}

void report_hist_new(struct report_hist *h, unsigned int bucket)
{
	add(h, bucket, 1);
}

/* The first bucket from @at on that is not empty, and its @count; HIST_BUCKETS at the end. */
static unsigned int find(const struct report_hist *h, unsigned int at, uint32_t *count)
{
	unsigned int i;

	if (!h->rows) {
		for (i = 0; i < h->used && h->few[i] < at; i++)
			;
		at = i < h->used ? h->few[i] : HIST_BUCKETS;
		for (*count = 0; i < h->used && h->few[i] == at; i++)
			++*count;
		return at;
	}
	for (; at < HIST_BUCKETS; at++) {
		if (!h->row[at / HIST_SUB]) {
			at |= HIST_SUB - 1;
			continue;
		}
		*count = h->rows[h->row[at / HIST_SUB] - 1][at % HIST_SUB];
		if (*count)
			break;
	}
	return at;
}

void report_hist_merge(struct report_hist *h, const struct report_hist *other)
{
	unsigned int at;
	uint32_t count;

	for (at = find(other, 0, &count); at < HIST_BUCKETS; at = find(other, at + 1, &count))
		add(h, at, count);
	h->count += other->count;
	if (__builtin_add_overflow(h->sum, other->sum, &h->sum))
		h->sum = UINT64_MAX;
	h->max = other->max > h->max ? other->max : h->max;
}

bool report_hist_next(const struct report_hist *h, unsigned int *at,
		      struct report_bucket *b)
{
	unsigned int row, sub;
	uint64_t width;
	uint32_t count;

	*at = find(h, *at, &count);
	if (*at == HIST_BUCKETS)
		return false;
	row = *at / HIST_SUB;
	sub = *at % HIST_SUB;
	width = row ? 1ULL << (row - 1) : 1;
	b->count = count;
	b->low = (row ? HIST_SUB + sub : sub) * width;
	b->high = b->low + (width - 1);
	++*at;
	return true;
}

uint64_t report_hist_percentile(const struct report_hist *h, unsigned int per_mille)
{
	unsigned __int128 rank = ((unsigned __int128)h->count * per_mille + 999) / 1000;
	struct report_bucket b;
	unsigned int at = 0;
	uint64_t seen = 0;

	while (report_hist_next(h, &at, &b)) {
		seen += b.count;
		if (seen >= rank)
			return b.high < h->max ? b.high : h->max;
	}
	return h->max;
}

void report_hist_free(struct report_hist *h)
{
	free(h->rows);
	memset(h, 0, sizeof(*h));
}

#define FIRST_CLASS_BITS	12	/* 4096 ns */

uint64_t report_class_limit(unsigned int class)
{
	return 1ULL << (FIRST_CLASS_BITS + 2 * class);
}

void report_classes(const struct report_hist *h, uint64_t counts[REPORT_CLASSES])
{
	struct report_bucket b;
	unsigned int at = 0, class = 0, i;

	for (i = 0; i < REPORT_CLASSES; i++)
		counts[i] = 0;
	while (report_hist_next(h, &at, &b)) {
		while (class < REPORT_CLASSES - 1 && b.low >= report_class_limit(class))
			class++;
		counts[class] += b.count;
	}
}
