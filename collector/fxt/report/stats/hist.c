// SPDX-License-Identifier: GPL-2.0-or-later
/* hist.c - see hist.h. */
#include <stdlib.h>
#include <string.h>

#include "hist.h"

int report_hist_row(struct report_hist *h, unsigned int row)
{
	uint32_t (*more)[HIST_SUB] = reallocarray(h->rows, h->used + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	h->rows = more;
	memset(h->rows[h->used], 0, sizeof(*h->rows));
	h->row[row] = ++h->used;
	return 0;
}

int report_hist_merge(struct report_hist *h, const struct report_hist *other)
{
	unsigned int row, sub;
	uint32_t *to;

	for (row = 0; row < HIST_ROWS; row++) {
		if (!other->row[row])
			continue;
		if (!h->row[row] && report_hist_row(h, row))
			return -ENOMEM;
		to = h->rows[h->row[row] - 1];
		for (sub = 0; sub < HIST_SUB; sub++)
			if (__builtin_add_overflow(to[sub], other->rows[other->row[row] - 1][sub],
						   &to[sub]))
				to[sub] = UINT32_MAX;
	}
	h->count += other->count;
	if (__builtin_add_overflow(h->sum, other->sum, &h->sum))
		h->sum = UINT64_MAX;
	h->max = other->max > h->max ? other->max : h->max;
	return 0;
}

bool report_hist_next(const struct report_hist *h, unsigned int *at,
		      struct report_bucket *b)
{
	unsigned int row, sub;
	uint64_t width;

	for (; *at < HIST_ROWS * HIST_SUB; ++*at) {
		row = *at / HIST_SUB;
		sub = *at % HIST_SUB;
		if (!h->row[row]) {
			*at += HIST_SUB - 1 - sub;
			continue;
		}
		b->count = h->rows[h->row[row] - 1][sub];
		if (!b->count)
			continue;
		width = row ? 1ULL << (row - 1) : 1;
		b->low = (row ? HIST_SUB + sub : sub) * width;
		b->high = b->low + (width - 1);
		++*at;
		return true;
	}
	return false;
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

/* --- classes ------------------------------------------------------------------------------ */

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
