// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare.c - finds numbers that changed by more than the thresholds and more than chance, and how
 * much each change matters.
 *
 * A change matters by its time, in ns per second of wall time, times its factor (as a logarithm of
 * base 2, at most 3). So 20 % more of a thread that runs for a tenth of the time comes before 3 %
 * more of one that runs all the time, and before a daemon that ran twice instead of once.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "diff.h"

#define LEAST_NS	500000.0	/* threshold of a time, per second of wall time */
#define LEAST_COUNT	1.0		/* threshold of a count, likewise */
#define CHANCE		3		/* standard deviations of a count of random events */
#define OUTLIER_OF	8		/* one of so many runs may be an outlier */
#define FACTOR_MOST	3.0		/* a factor of eight or more */
#define ACCEPTED	0.05		/* false discovery rate */
#define NEEDED_MOST	1000
#define ALIKE		0.1		/* relative difference of threads that may be the same */
#define RENAMES_MOST	1000		/* rows to compare with each other to find these */

struct numbers {
	double *a;
	double *b;
	size_t na;
	size_t nb;
};

/* A single outlier does not change it. Sorts @v. */
static double median(double *v, size_t count)
{
	qsort(v, count, sizeof(*v), rank_by_number);
	return (v[(count - 1) / 2] + v[count / 2]) / 2;
}

/* --- thresholds ---------------------------------------------------------------------------- */

/* A smaller change does not matter, whatever its factor. */
static double floor_of(const struct diff *d, enum diff_metric metric)
{
	return (diff_metrics[metric].is_time ? LEAST_NS : LEAST_COUNT) * d->seconds;
}

/* Is a change of a count within the spread of random events, given all runs of a side? */
static double variance(const struct diff *d, const struct diff_row *row, unsigned int side,
		       enum diff_metric metric, double value)
{
	size_t i, from = side ? d->counts[0] : 0;
	double raw = 0;

	for (i = from; i < from + d->counts[side]; i++)
		raw += row->values[i * DIFF_METRIC_COUNT + metric];
	return raw > 0 ? value * value / raw : 0;
}

static bool is_notable(const struct diff *d, const struct diff_row *row, enum diff_metric metric,
		       const struct diff_change *c)
{
	double by = fabs(c->b - c->a), base = c->a > 0 ? c->a : c->b;

	if (by < floor_of(d, metric) || by < d->least * base)
		return false;
	if (diff_metrics[metric].is_time)
		return true;
	return by > CHANCE * sqrt(variance(d, row, 0, metric, c->a) +
				  variance(d, row, 1, metric, c->b));
}

static double effect(const struct diff *d, enum diff_metric metric, const struct diff_change *c)
{
	double least = floor_of(d, metric);
	double factor = fabs(log2((c->b + least) / (c->a + least)));

	return diff_metrics[metric].weight * fabs(c->b - c->a) / d->seconds *
	       fmin(factor, FACTOR_MOST);
}

/* --- chance -------------------------------------------------------------------------------- */

/*
 * The range of sorted numbers. Of each eight, the one farthest from the others may be an outlier.
 */
static void trimmed_range(const double *v, size_t count, double *least, double *most)
{
	size_t from = 0, to = count - 1, out;

	for (out = count / OUTLIER_OF; out; out--) {
		double middle = v[(from + to) / 2];

		if (v[to] - middle > middle - v[from])
			to--;
		else
			from++;
	}
	*least = v[from];
	*most = v[to];
}

/*
 * Is the distance of the sides larger than the spread within each? Two runs show less of the spread
 * than three. The numbers are sorted.
 */
static bool is_apart(const struct numbers *n)
{
	double a_least, a_most, b_least, b_most, gap, widest;

	trimmed_range(n->a, n->na, &a_least, &a_most);
	trimmed_range(n->b, n->nb, &b_least, &b_most);
	gap = fmax(b_least - a_most, a_least - b_most);
	widest = fmax(a_most - a_least, b_most - b_least);
	return gap > 0 && gap >= widest * (n->na < 3 || n->nb < 3 ? 3 : 1);
}

static bool counts(const struct diff *d, enum diff_metric metric, const struct diff_change *c)
{
	return diff_metrics[metric].weight > 0 && fmax(c->a, c->b) >= floor_of(d, metric);
}

/* The shift is a factor, so that no limit is below zero; the numbers of A are sorted. */
static void test(struct numbers *n, struct diff_change *c)
{
	size_t i;

	c->p = rank_test(n->a, n->na, n->b, n->nb);
	c->is_tested = true;
	c->q = c->p;
	c->has_shift = n->a[0] > 0;
	if (!c->has_shift)
		return;
	for (i = 0; i < n->na + n->nb; i++)
		n->a[i] = log(n->a[i]);
	c->shift = rank_shift(n->a, n->na, n->b, n->nb);
	c->shift.value = expm1(c->shift.value);
	c->shift.low = expm1(c->shift.low);
	c->shift.high = expm1(c->shift.high);
}

static void gather(const struct diff *d, const struct diff_row *row, enum diff_metric metric,
		   struct numbers *n)
{
	size_t i;

	for (i = 0; i < n->na; i++)
		n->a[i] = diff_value(d, row, i, metric);
	for (i = 0; i < n->nb; i++)
		n->b[i] = diff_value(d, row, n->na + i, metric);
}

/* Until the tests are corrected, list notable changes whose sides lie apart. */
static void compare_metric(struct diff *d, struct diff_row *row, enum diff_metric metric,
			   struct numbers *n)
{
	struct diff_change *c = &row->changes[metric];

	gather(d, row, metric, n);
	c->a = median(n->a, n->na);
	c->b = median(n->b, n->nb);
	c->is_apart = is_apart(n);
	c->is_listed = is_notable(d, row, metric, c) && c->is_apart;
	c->effect = effect(d, metric, c);
	if (n->na < 2 || n->nb < 2)
		return;
	d->tests[row->kind] += counts(d, metric, c);
	if (c->a != c->b)
		test(n, c);
}

static void compare_rows(struct diff *d)
{
	struct numbers n = { .na = d->counts[0], .nb = d->counts[1] };
	unsigned int metric;
	size_t i;

	n.a = must(calloc(n.na + n.nb, sizeof(*n.a)));
	n.b = n.a + n.na;
	for (i = 0; i < d->row_count; i++)
		for (metric = 0; metric < DIFF_METRIC_COUNT; metric++)
			compare_metric(d, d->rows[i], metric, &n);
	free(n.a);
}

/* --- correction for many tests ------------------------------------------------------------- */

struct tested {
	double p;
	struct diff_change *change;
};

static enum diff_judge judge_of(const struct diff *d, enum diff_kind kind)
{
	size_t na = d->counts[0], nb = d->counts[1];

	if (na == 1 && nb == 1)
		return DIFF_ONE_RUN;
	if (na < 2 || nb < 2 || rank_least(na, nb) * d->tests[kind] > ACCEPTED)
		return DIFF_APART;
	return DIFF_TESTED;
}

/* Numbers that are equal in all runs were not tested, but count as tests with the result 1. */
static void correct(struct diff *d, enum diff_kind kind, struct tested *all, double *p)
{
	size_t i, count = 0, metric;

	for (i = 0; i < d->row_count; i++) {
		for (metric = 0; metric < DIFF_METRIC_COUNT; metric++) {
			struct diff_change *c = &d->rows[i]->changes[metric];

			if (d->rows[i]->kind == kind && counts(d, metric, c))
				all[count++] = (struct tested){ c->is_tested ? c->p : 1, c };
		}
	}
	qsort(all, count, sizeof(*all), rank_by_number);
	for (i = 0; i < count; i++)
		p[i] = all[i].p;
	rank_correct(p, count);
	for (i = 0; i < count; i++)
		all[i].change->q = p[i];
}

static void correct_all(struct diff *d)
{
	size_t room = d->row_count * DIFF_METRIC_COUNT + 1;
	struct tested *all = must(calloc(room, sizeof(*all)));
	double *p = must(calloc(room, sizeof(*p)));
	unsigned int kind;

	for (kind = 0; kind < DIFF_KIND_COUNT; kind++) {
		d->judges[kind] = judge_of(d, kind);
		if (d->tests[kind])
			correct(d, kind, all, p);
	}
	free(all);
	free(p);
	for (d->needed = 2; d->needed < NEEDED_MOST; d->needed++)
		if (rank_least(d->needed, d->needed) * d->tests[DIFF_NAME] <= ACCEPTED)
			break;
}

/* --- what is listed ------------------------------------------------------------------------ */

/* A change without weight is listed only beside one with a weight. */
static void judge_row(struct diff *d, struct diff_row *row)
{
	unsigned int metric;

	for (metric = 0; metric < DIFF_METRIC_COUNT; metric++) {
		struct diff_change *c = &row->changes[metric];

		if (d->judges[row->kind] == DIFF_TESTED)
			c->is_listed = is_notable(d, row, metric, c) &&
				       ((c->is_tested && c->q <= ACCEPTED) || c->is_apart);
		row->effect += c->is_listed ? c->effect : 0;
	}
	for (metric = 0; metric < DIFF_METRIC_COUNT; metric++)
		row->changes[metric].is_listed &= row->effect > 0;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= ALIKE * fmax(a, b);
}

/* Is a row that only one side has similar to a row that only the other side has? */
static bool is_alike(const struct diff_row *a, const struct diff_row *b)
{
	return a->kind == b->kind &&
	       is_near(a->changes[DIFF_RUN].a, b->changes[DIFF_RUN].b) &&
	       is_near(a->changes[DIFF_RUNS].a, b->changes[DIFF_RUNS].b) &&
	       is_near(a->changes[DIFF_WOKEN].a, b->changes[DIFF_WOKEN].b);
}

static bool is_only_in(const struct diff_row *row, unsigned int side)
{
	return row->effect > 0 && row->is_in[side] && !row->is_in[!side] && !row->other &&
	       (row->kind == DIFF_NAME || row->kind == DIFF_PROCESS);
}

/* A different name alone is not a change, so such rows come last. */
static void find_other(struct diff *d, struct diff_row *a)
{
	size_t i;

	for (i = 0; i < d->row_count && i < RENAMES_MOST; i++) {
		struct diff_row *b = d->rows[i];

		if (!is_only_in(b, 1) || !is_alike(a, b))
			continue;
		a->other = b;
		b->other = a;
		a->effect /= 1e9;
		b->effect /= 1e9;
		return;
	}
}

static int by_effect(const void *a, const void *b)
{
	const struct diff_row *x = *(struct diff_row *const *)a;
	const struct diff_row *y = *(struct diff_row *const *)b;

	return array_order(x->kind, y->kind) ?: array_order(y->effect, x->effect) ?:
	       strcmp(x->name, y->name);
}

static void sort(struct diff *d)
{
	qsort(d->rows, d->row_count, sizeof(*d->rows), by_effect);
}

static void set_basis(struct diff *d)
{
	double seconds = 0, divisors = 0, of_a = 0;
	size_t i;

	for (i = 0; i < diff_run_count(d); i++) {
		const struct diff_run *run = &d->runs[i];

		seconds += (run->to - run->from) / 1e9;
		divisors += run->divisor;
		of_a += run->side ? 0 : run->divisor;
	}
	d->basis = d->unit ? 1 : of_a / d->counts[0];
	d->seconds = seconds / divisors * d->basis;
}

void diff_compare(struct diff *d)
{
	struct diff_row *row;
	size_t i;

	d->rows = must(calloc(d->map.count + 1, sizeof(*d->rows)));
	map_each(&d->map, row)
		d->rows[d->row_count++] = row;
	set_basis(d);
	compare_rows(d);
	correct_all(d);
	for (i = 0; i < d->row_count; i++)
		judge_row(d, d->rows[i]);
	sort(d);
	for (i = 0; i < d->row_count && i < RENAMES_MOST; i++)
		if (is_only_in(d->rows[i], 0))
			find_other(d, d->rows[i]);
	sort(d);
}
