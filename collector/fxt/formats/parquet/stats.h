/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the statistics of a page or column chunk, by which readers skip it.
 *
 * In: values. Out: a structure Statistics of parquet.thrift.
 * Must hold: bounds are the smallest and largest value, in the order that ColumnOrder
 * TYPE_ORDER defines, or are missing.
 */
#ifndef FXT_FORMATS_PARQUET_STATS_H
#define FXT_FORMATS_PARQUET_STATS_H

#include "column.h"
#include "thrift.h"

/* Longer texts have no bounds. */
#define PARQUET_BOUND_BYTES	64

/** struct parquet_bound - a text; only the first @length bytes are valid */
struct parquet_bound {
	uint32_t length;
	unsigned char bytes[PARQUET_BOUND_BYTES];
};

/** struct parquet_stats - all zero is that of no values */
struct parquet_stats {
	uint64_t values;		/* that are compared */
	uint64_t nulls;
	uint64_t nans;
	bool is_long;			/* a text has more than PARQUET_BOUND_BYTES */
	union {
		struct {
			int64_t min;
			int64_t max;
		} integer;
		struct {
			double min;
			double max;
		} real;
		struct {
			struct parquet_bound min;
			struct parquet_bound max;
		} text;
	};
};

/** parquet_stats_integers() - take @count values in PLAIN encoding */
void parquet_stats_integers(struct parquet_stats *s, const unsigned char *plain, size_t count);
void parquet_stats_reals(struct parquet_stats *s, const unsigned char *plain, size_t count);

/** parquet_stats_text() - take one text */
void parquet_stats_text(struct parquet_stats *s, const unsigned char *bytes, size_t length);

/** parquet_stats_join() - take the values of @from, which has the same type */
void parquet_stats_join(struct parquet_stats *s, const struct parquet_stats *from,
			enum parquet_type type);

/** parquet_stats_write() - write them as the field @id */
void parquet_stats_write(struct thrift *t, int id, const struct parquet_stats *s,
			 enum parquet_type type);

#endif /* FXT_FORMATS_PARQUET_STATS_H */
