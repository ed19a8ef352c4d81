/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunk.h - one column of a row group, page by page.
 *
 * In: values.
 * Out: compressed pages, in memory until the row group ends, because a chunk's pages are
 * contiguous in the file.
 *
 * Pages first use a dictionary. When it is full, or if more than half of the first page's
 * values are different, the following pages are PLAIN.
 */
#ifndef FXT_FORMATS_PARQUET_CHUNK_H
#define FXT_FORMATS_PARQUET_CHUNK_H

#include <zstd.h>

#include "column.h"
#include "dictionary.h"
#include "stats.h"

/* A page ends at either. One value may be longer. */
#define PARQUET_PAGE_ROWS	8192U
#define PARQUET_PAGE_BYTES	(256U << 10)

/** enum parquet_encoding - as in parquet.thrift */
enum parquet_encoding {
	PARQUET_PLAIN		= 0,
	PARQUET_RLE		= 3,
	PARQUET_RLE_DICTIONARY	= 8,
};

/** struct parquet_encoder - what chunks need only while they end a page */
struct parquet_encoder {
	ZSTD_CCtx *zstd;
	struct parquet_buffer body;
	uint32_t numbers[PARQUET_PAGE_ROWS];
	uint32_t seen[PARQUET_DICTIONARY_VALUES];	/* ids in the page's statistics */
	uint32_t page;				/* the mark in @seen */
};

/** struct parquet_chunk - one column */
struct parquet_chunk {
	const struct parquet_column *column;

	/* The current page. */
	struct parquet_buffer plain;		/* the values other than null */
	uint32_t rows;
	uint32_t values;
	unsigned char present[PARQUET_PAGE_ROWS];

	/* The pages before it. */
	struct parquet_dictionary dictionary;
	uint32_t dictionary_pages;
	uint32_t plain_pages;
	struct parquet_buffer pages;
	uint64_t raw_bytes;			/* as if they were not compressed */
	struct parquet_stats stats;
};

/** parquet_chunk_open() - begin the first chunk of a column; @c is all zero */
void parquet_chunk_open(struct parquet_chunk *c, const struct parquet_column *column);

/** parquet_page_is_full() - must parquet_page_end() come before the next value? */
static inline bool parquet_page_is_full(const struct parquet_chunk *c)
{
	return c->rows == PARQUET_PAGE_ROWS || c->plain.used >= PARQUET_PAGE_BYTES;
}

/** parquet_page_end() - encode the current page. Return: 0 or a negative errno */
int parquet_page_end(struct parquet_encoder *e, struct parquet_chunk *c);

/**
 * parquet_chunk_dictionary() - encode the dictionary's page
 * @e: the encoder
 * @c: all its pages have ended
 * @to: the page is appended here
 *
 * Return: 0 or a negative errno.
 */
int parquet_chunk_dictionary(struct parquet_encoder *e, struct parquet_chunk *c,
			     struct parquet_buffer *to);

/** parquet_chunk_clear() - begin the chunk of the next row group */
void parquet_chunk_clear(struct parquet_chunk *c);
void parquet_chunk_free(struct parquet_chunk *c);

#endif /* FXT_FORMATS_PARQUET_CHUNK_H */
