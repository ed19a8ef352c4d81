/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h - do two lists of numbers differ by more than chance?
 *
 * In: a number from each run, of two sides.
 * Out: the probability of such a difference by chance (Mann-Whitney U test), its size with
 * confidence limits (Hodges-Lehmann), and which of many tests are significant (Benjamini and
 * Hochberg). Nothing is assumed about the distribution of the numbers.
 */
#ifndef FXT_DIFF_RANK_H
#define FXT_DIFF_RANK_H

#include <stddef.h>

/* For qsort(3) of numbers, or of structs whose first member is one. */
int rank_by_number(const void *a, const void *b);

#define RANK_EXACT	20	/* the test is exact up to this number of values of both sides */

/*
 * Two-sided Mann-Whitney U test of at least one number on each side. Returns the probability of
 * such a difference of ranks by chance: exact for up to RANK_EXACT values, even with equal ones;
 * else by the normal distribution.
 */
double rank_test(const double *a, size_t na, const double *b, size_t nb);

/* The smallest probability that the test can return for these numbers of values. */
double rank_least(size_t na, size_t nb);

struct rank_shift {
	double value;	/* the median of all differences */
	double low;	/* with confidence @level (0 to 1), the shift is between @low and @high */
	double high;
	double level;	/* 0.95 or somewhat more; less if so few numbers cannot reach it */
};

/* Estimate by how much @b is larger than @a. */
struct rank_shift rank_shift(const double *a, size_t na, const double *b, size_t nb);

/*
 * Benjamini and Hochberg's correction for many tests. @p: probabilities of @count tests, the
 * smallest first; set to the false discovery rates of accepting each test and those before it
 */
void rank_correct(double *p, size_t count);

#endif /* FXT_DIFF_RANK_H */
