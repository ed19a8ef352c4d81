/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parquet.h - writes tables as Parquet files: the parts of parquet-format 2.x that every
 * reader knows.
 *
 * In: a schema of flat columns; rows, value by value.
 * Out: a file of row groups with data pages version 1 in PLAIN and RLE_DICTIONARY encoding,
 * compressed with zstd, with statistics for each page and each column of a row group.
 *
 * Memory, for each file: about PARQUET_GROUP_BYTES of pages; for each column one page
 * (PARQUET_PAGE_BYTES, and one value) and a dictionary, together less than 1 MB; and the
 * footer, of about 100 bytes for each column of each row group.
 */
#ifndef FXT_FORMATS_PARQUET_PARQUET_H
#define FXT_FORMATS_PARQUET_PARQUET_H

#include <stddef.h>
#include <stdint.h>

#include "write/out.h"
#include "column.h"

/* A row group ends at either; a row may exceed the second. */
#define PARQUET_GROUP_ROWS	122880U
#define PARQUET_GROUP_BYTES	(8U << 20)

struct parquet_encoder;
struct parquet_file;

/** parquet_encoder_open() - what files share, one at a time. Return: it, or NULL */
struct parquet_encoder *parquet_encoder_open(void);
void parquet_encoder_close(struct parquet_encoder *e);

/**
 * parquet_open() - begin a file
 * @e: the encoder
 * @o: where to write to; the caller closes it
 * @columns: the caller keeps them valid
 * @count: number of columns
 *
 * Return: the file, or NULL.
 */
struct parquet_file *parquet_open(struct parquet_encoder *e, struct out *o,
				  const struct parquet_column *columns, unsigned int count);

/*
 * One value, for each column of a row in any order, of the column's type. Only a column that
 * is not required can have a null.
 */
void parquet_null(struct parquet_file *f, unsigned int column);
void parquet_integer(struct parquet_file *f, unsigned int column, int64_t value);
void parquet_real(struct parquet_file *f, unsigned int column, double value);
void parquet_text(struct parquet_file *f, unsigned int column, const char *bytes,
		  size_t length);

/** parquet_row_end() - all columns have their value. Return: 0 or a negative errno */
int parquet_row_end(struct parquet_file *f);

/**
 * parquet_close() - end the file
 * @f: is freed
 * @is_complete: write the remaining rows and the footer, without which it is no valid file
 *
 * Return: 0 or the first error, a negative errno.
 */
int parquet_close(struct parquet_file *f, bool is_complete);

#endif /* FXT_FORMATS_PARQUET_PARQUET_H */
