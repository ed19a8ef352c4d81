/* SPDX-License-Identifier: GPL-2.0-or-later */
/* column.h - the columns of a Parquet file. */
#ifndef FXT_FORMATS_PARQUET_COLUMN_H
#define FXT_FORMATS_PARQUET_COLUMN_H

#include <stdbool.h>

enum parquet_type {
	PARQUET_INTEGER,	/* INT64 */
	PARQUET_REAL,		/* DOUBLE */
	PARQUET_TEXT,		/* BYTE_ARRAY, which is a STRING: UTF-8 */
	PARQUET_BYTES,		/* BYTE_ARRAY */
};

/** struct parquet_column - @is_required: it has no null; @is_unique: and no value twice */
struct parquet_column {
	const char *name;
	enum parquet_type type;
	bool is_required;
	bool is_unique;
};

#endif /* FXT_FORMATS_PARQUET_COLUMN_H */
