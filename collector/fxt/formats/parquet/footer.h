/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * footer.h - what a Parquet file says about itself: FileMetaData of parquet.thrift.
 */
#ifndef FXT_FORMATS_PARQUET_FOOTER_H
#define FXT_FORMATS_PARQUET_FOOTER_H

#include "chunk.h"

/** struct parquet_place - where a chunk is in the file */
struct parquet_place {
	uint64_t begin;
	uint64_t data;			/* its first data page; after @begin: has a dictionary */
	uint64_t end;
};

/** struct parquet_groups - the row groups so far, as in the footer */
struct parquet_groups {
	struct parquet_buffer encoded;
	uint32_t count;
	uint64_t rows;
};

/**
 * parquet_group_add() - add a row group
 * @g: the row groups
 * @chunks: of all columns
 * @places: of each chunk
 * @columns: number of both
 * @rows: number of rows in it
 */
void parquet_group_add(struct parquet_groups *g, const struct parquet_chunk *chunks,
		       const struct parquet_place *places, unsigned int columns, uint64_t rows);

/** parquet_footer() - encode the footer, with its length and the magic after it */
void parquet_footer(struct parquet_buffer *to, const struct parquet_groups *g,
		    const struct parquet_column *columns, unsigned int count);

/* The first and the last bytes of a file. */
#define PARQUET_MAGIC	"PAR1"

#endif /* FXT_FORMATS_PARQUET_FOOTER_H */
