// SPDX-License-Identifier: GPL-2.0-or-later
/* rank.c - see rank.h. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "rank.h"

#define Z_95	1.959964	/* quantile of the normal distribution, two-sided */

/* A number, its side, and twice its rank, which is an integer even if numbers are equal. */
struct ranked {
	double value;
	bool of_a;
	size_t rank;
};

int rank_by_number(const void *a, const void *b)
{
	return array_order(*(const double *)a, *(const double *)b);
}

/*
 * Equal numbers share the mean of their ranks. Returns the sum of t^3 - t over groups of t equal
 * ones.
 */
static double give_ranks(struct ranked *all, size_t count)
{
	double ties = 0, t;
	size_t i, j, k;

	qsort(all, count, sizeof(*all), rank_by_number);
	for (i = 0; i < count; i = j) {
		for (j = i + 1; j < count && all[j].value == all[i].value; j++)
			;
		for (k = i; k < j; k++)
			all[k].rank = i + 1 + j;
		t = j - i;
		ties += t * t * t - t;
	}
	return ties;
}

/*
 * ways[k * width + s] is the number of subsets of k numbers whose ranks have the sum s. Returns the
 * share of subsets of @na numbers whose sum is at least as far from the middle as @sum.
 */
static double share_of(const struct ranked *all, size_t count, size_t na, size_t sum,
		       double *ways, size_t width)
{
	double most = na * (count + 1.0), far = fabs(2.0 * sum - 2 * most), total = 0, as_far = 0;
	size_t i, k, s;

	ways[0] = 1;
	for (i = 0; i < count; i++)
		for (k = i + 1 < na ? i + 1 : na; k; k--)
			for (s = width - 1; s >= all[i].rank; s--)
				ways[k * width + s] += ways[(k - 1) * width + s - all[i].rank];
	for (s = 0; s < width; s++) {
		total += ways[na * width + s];
		if (fabs(2.0 * s - 2 * most) >= far)
			as_far += ways[na * width + s];
	}
	return as_far / total;
}

static double exact(const struct ranked *all, size_t count, size_t na, size_t sum)
{
	size_t width = count * (count + 1) + 1;
	double *ways = must(calloc((na + 1) * width, sizeof(*ways)));
	double p = share_of(all, count, na, sum, ways, width);

	free(ways);
	return p;
}

static double approximate(size_t na, size_t nb, size_t sum, double ties)
{
	double n = na + nb, mean = na * (n + 1) / 2, far = fabs(sum / 2.0 - mean) - 0.5;
	double variance = na * nb / 12.0 * (n + 1 - ties / (n * (n - 1)));

	if (variance <= 0 || far <= 0)
		return 1;
	return erfc(far / sqrt(2 * variance));
}

double rank_test(const double *a, size_t na, const double *b, size_t nb)
{
	size_t count = na + nb, sum = 0, i;
	struct ranked *all = must(calloc(count, sizeof(*all)));
	double ties, p;

	for (i = 0; i < count; i++)
		all[i] = (struct ranked){ i < na ? a[i] : b[i - na], i < na, 0 };
	ties = give_ranks(all, count);
	for (i = 0; i < count; i++)
		sum += all[i].of_a ? all[i].rank : 0;
	p = count <= RANK_EXACT ? exact(all, count, na, sum) : approximate(na, nb, sum, ties);
	free(all);
	return p;
}

double rank_least(size_t na, size_t nb)
{
	double ways = 1;
	size_t i;

	for (i = 1; i <= na; i++)
		ways *= (double)(nb + i) / i;
	return ways > 2 ? 2 / ways : 1;
}

/*
 * How many differences at each end are outside of the limits. The number of differences below zero
 * is the test's statistic U.
 */
static size_t left_out(size_t na, size_t nb)
{
	double deviation = sqrt(na * nb * (na + nb + 1) / 12.0);
	double at = na * nb / 2.0 - Z_95 * deviation;

	return at > 0 ? (size_t)at : 0;
}

/* The confidence if that many are outside, by the same distribution; exact if none is. */
static double level_of(size_t na, size_t nb, size_t out)
{
	double deviation = sqrt(na * nb * (na + nb + 1) / 12.0);

	if (!out)
		return 1 - rank_least(na, nb);
	return erf((na * nb / 2.0 - out) / deviation / sqrt(2));
}

struct rank_shift rank_shift(const double *a, size_t na, const double *b, size_t nb)
{
	size_t count = na * nb, i, j, out = left_out(na, nb);
	double *all = must(calloc(count, sizeof(*all)));
	struct rank_shift s;

	for (i = 0; i < na; i++)
		for (j = 0; j < nb; j++)
			all[i * nb + j] = b[j] - a[i];
	qsort(all, count, sizeof(*all), rank_by_number);
	s = (struct rank_shift){
		.value = (all[(count - 1) / 2] + all[count / 2]) / 2,
		.low = all[out], .high = all[count - 1 - out],
		.level = level_of(na, nb, out),
	};
	free(all);
	return s;
}

void rank_correct(double *p, size_t count)
{
	double least = 1;
	size_t i;

	for (i = count; i--; ) {
		p[i] = p[i] * count / (i + 1);
		least = p[i] < least ? p[i] : least;
		p[i] = least;
	}
}
