/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h - do two lists of numbers differ by more than chance?
 *
 * In: a number from each run, of two sides.
 * Out: how probable such a difference is if there is none (Mann-Whitney U test), how large it is,
 * and between which limits (Hodges-Lehmann); of many such tests, which to believe (Benjamini and
 * Hochberg). Nothing is assumed about the distribution of the numbers.
 */
#ifndef FXT_DIFF_RANK_H
#define FXT_DIFF_RANK_H

#include <stddef.h>

#define RANK_EXACT	20	/* numbers of both sides together, up to which nothing is approximated */

/**
 * rank_test() - two-sided Mann-Whitney U test
 * @a: @na numbers, at least one
 * @b: @nb numbers, likewise
 * @p: set to the probability of a difference of ranks as large as this one, if there is none.
 *	Exact up to RANK_EXACT numbers, equal ones included; else by the normal distribution
 *
 * Return: 0 or -ENOMEM.
 */
int rank_test(const double *a, size_t na, const double *b, size_t nb, double *p);

/** rank_least() - the least probability that this many numbers can reach */
double rank_least(size_t na, size_t nb);

/**
 * struct rank_shift - by how much @b is larger than @a
 * @value: the median of all differences
 * @low: with the confidence @level (of 1) it is between this one, and @high
 */
struct rank_shift {
	double value;
	double low;
	double high;
	double level;
};

/**
 * rank_shift() - estimate it
 *
 * @level is 0.95 or somewhat more; less if so few numbers cannot reach it.
 *
 * Return: 0 or -ENOMEM.
 */
int rank_shift(const double *a, size_t na, const double *b, size_t nb, struct rank_shift *s);

/**
 * rank_correct() - Benjamini and Hochberg's correction for many tests
 * @p: the probabilities of @count tests, the smallest first; become the false discovery rates
 *	that one accepts who believes a test and those before it
 */
void rank_correct(double *p, size_t count);

#endif /* FXT_DIFF_RANK_H */
