// SPDX-License-Identifier: GPL-2.0-or-later
/* stats.c - see stats.h. */
#include <math.h>

#include "stats.h"

/* Fields of Statistics in parquet.thrift. */
#define STATS_NULL_COUNT	3
#define STATS_MAX_VALUE		5
#define STATS_MIN_VALUE		6
#define STATS_MAX_IS_EXACT	7
#define STATS_MIN_IS_EXACT	8
#define STATS_NAN_COUNT		9

static void take_integers(struct parquet_stats *s, int64_t min, int64_t max, uint64_t count)
{
	if (!s->values || min < s->integer.min)
		s->integer.min = min;
	if (!s->values || max > s->integer.max)
		s->integer.max = max;
	s->values += count;
}

void parquet_stats_integers(struct parquet_stats *s, const unsigned char *plain, size_t count)
{
	int64_t min = INT64_MAX, max = INT64_MIN, value;
	uint64_t bits;
	size_t i;

	for (i = 0; i < count; i++) {
		memcpy(&bits, plain + i * sizeof(bits), sizeof(bits));
		value = (int64_t)le64toh(bits);
		min = value < min ? value : min;
		max = value > max ? value : max;
	}
	if (count)
		take_integers(s, min, max, count);
}

static void take_reals(struct parquet_stats *s, double min, double max, uint64_t count)
{
	if (!s->values || min < s->real.min)
		s->real.min = min;
	if (!s->values || max > s->real.max)
		s->real.max = max;
	s->values += count;
}

void parquet_stats_reals(struct parquet_stats *s, const unsigned char *plain, size_t count)
{
	uint64_t bits;
	double value;
	size_t i;

	for (i = 0; i < count; i++) {
		memcpy(&bits, plain + i * sizeof(bits), sizeof(bits));
		bits = le64toh(bits);
		memcpy(&value, &bits, sizeof(value));
		if (isnan(value))
			s->nans++;
		else
			take_reals(s, value, value, 1);
	}
}

/* Bytewise and unsigned; a prefix comes first. */
static int compare(const unsigned char *bytes, size_t length, const struct parquet_bound *b)
{
	size_t common = length < b->length ? length : b->length;
	int order = common ? memcmp(bytes, b->bytes, common) : 0;

	if (order)
		return order;
	return length < b->length ? -1 : length > b->length;
}

static void set_bound(struct parquet_bound *b, const unsigned char *bytes, size_t length)
{
	b->length = length;
	if (length)
		memcpy(b->bytes, bytes, length);
}

void parquet_stats_text(struct parquet_stats *s, const unsigned char *bytes, size_t length)
{
	if (length > PARQUET_BOUND_BYTES) {
		s->is_long = true;
		return;
	}
	if (!s->values || compare(bytes, length, &s->text.min) < 0)
		set_bound(&s->text.min, bytes, length);
	if (!s->values || compare(bytes, length, &s->text.max) > 0)
		set_bound(&s->text.max, bytes, length);
	s->values++;
}

void parquet_stats_join(struct parquet_stats *s, const struct parquet_stats *from,
			enum parquet_type type)
{
	s->nulls += from->nulls;
	s->nans += from->nans;
	s->is_long |= from->is_long;
	if (!from->values)
		return;
	if (type == PARQUET_INTEGER) {
		take_integers(s, from->integer.min, from->integer.max, from->values);
	} else if (type == PARQUET_REAL) {
		take_reals(s, from->real.min, from->real.max, from->values);
	} else {
		parquet_stats_text(s, from->text.min.bytes, from->text.min.length);
		parquet_stats_text(s, from->text.max.bytes, from->text.max.length);
	}
}

static void write_integer(struct thrift *t, int id, uint64_t bits)
{
	bits = htole64(bits);
	thrift_binary(t, id, &bits, sizeof(bits));
}

/* A bound that is zero covers both zeros: see ColumnOrder in parquet.thrift. */
static void write_real(struct thrift *t, int id, double value, double zero)
{
	uint64_t bits;

	if (value == 0)
		value = zero;
	memcpy(&bits, &value, sizeof(bits));
	write_integer(t, id, bits);
}

void parquet_stats_write(struct thrift *t, int id, const struct parquet_stats *s,
			 enum parquet_type type)
{
	bool has_bounds = s->values && !s->is_long;

	thrift_begin(t, id);
	thrift_i64(t, STATS_NULL_COUNT, (int64_t)s->nulls);
	if (has_bounds && type == PARQUET_INTEGER) {
		write_integer(t, STATS_MAX_VALUE, (uint64_t)s->integer.max);
		write_integer(t, STATS_MIN_VALUE, (uint64_t)s->integer.min);
	} else if (has_bounds && type == PARQUET_REAL) {
		write_real(t, STATS_MAX_VALUE, s->real.max, 0.0);
		write_real(t, STATS_MIN_VALUE, s->real.min, -0.0);
	} else if (has_bounds) {
		thrift_binary(t, STATS_MAX_VALUE, s->text.max.bytes, s->text.max.length);
		thrift_binary(t, STATS_MIN_VALUE, s->text.min.bytes, s->text.min.length);
	}
	if (has_bounds && type != PARQUET_REAL) {
		thrift_bool(t, STATS_MAX_IS_EXACT, true);
		thrift_bool(t, STATS_MIN_IS_EXACT, true);
	}
	if (type == PARQUET_REAL)
		thrift_i64(t, STATS_NAN_COUNT, (int64_t)s->nans);
	thrift_end(t);
}
