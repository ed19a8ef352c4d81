/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parquet.h - writes tables as Parquet files, with the parts of parquet-format 2.x that every
 * reader knows.
 *
 * In: the schema of a table; its rows.
 * Out: a file of row groups with data pages version 1 in PLAIN and RLE_DICTIONARY encoding,
 * compressed with zstd, with statistics for each page and each column of a row group.
 *
 * Memory per file: about PARQUET_GROUP_BYTES of pages; for each column one page
 * (PARQUET_PAGE_BYTES and one value) and a dictionary, together less than 1 MB; and the footer of
 * about 100 bytes for each column of each row group.
 */
#ifndef FXT_FORMATS_PARQUET_PARQUET_H
#define FXT_FORMATS_PARQUET_PARQUET_H

#include <endian.h>
#include <zstd.h>

#include "formats/tables/tables.h"
#include "liboutput/out.h"
#include "terminal/memory.h"

/* --- bytes that grow (encoding.c) -------------------------------------------------------- */

/* Growing bytes; initialize with zeros. */
struct parquet_buffer {
	unsigned char *data;
	size_t used;
	size_t room;
};

static inline void parquet_buffer_reserve(struct parquet_buffer *b, size_t bytes)
{
	if (bytes > b->room - b->used)
		array_hold(b->data, b->room, b->used + bytes);
}

static inline void parquet_buffer_add(struct parquet_buffer *b, const void *data, size_t bytes)
{
	if (!bytes)
		return;
	parquet_buffer_reserve(b, bytes);
	memcpy(b->data + b->used, data, bytes);
	b->used += bytes;
}

static inline void parquet_buffer_byte(struct parquet_buffer *b, unsigned char byte)
{
	parquet_buffer_add(b, &byte, 1);
}

static inline void parquet_buffer_le32(struct parquet_buffer *b, uint32_t value)
{
	value = htole32(value);
	parquet_buffer_add(b, &value, sizeof(value));
}

/* --- structures in Thrift's compact protocol (encoding.c) -------------------------------- */

/* See Thrift's doc/specs/thrift-compact-protocol.md. Fields come in the order of their ids. */

#define THRIFT_DEPTH	8	/* of nested structures */

/* Types of elements of lists. */
#define THRIFT_I32	5
#define THRIFT_BINARY	8
#define THRIFT_STRUCT	12

/* Initialize with zeros except for @to; begins in the outermost structure. */
struct thrift {
	struct parquet_buffer *to;
	unsigned int depth;
	int last[THRIFT_DEPTH];		/* id of the last field of each open structure */
};

void thrift_i32(struct thrift *t, int id, int32_t value);
void thrift_i64(struct thrift *t, int id, int64_t value);
void thrift_bool(struct thrift *t, int id, bool value);
void thrift_binary(struct thrift *t, int id, const void *data, size_t bytes);
void thrift_string(struct thrift *t, int id, const char *text);

/* Begin a field that is a list; the caller adds its @count elements. */
void thrift_list(struct thrift *t, int id, unsigned int type, size_t count);
void thrift_list_i32(struct thrift *t, int32_t value);
void thrift_list_string(struct thrift *t, const char *text);

/* Begin a field that is a structure; the caller adds fields, then calls thrift_end(). */
void thrift_begin(struct thrift *t, int id);

/* Likewise begin an element of a list. */
void thrift_list_begin(struct thrift *t);
void thrift_end(struct thrift *t);

/* Write a field that is a structure without fields, as in unions. */
void thrift_empty(struct thrift *t, int id);

/* --- the run-length and bit-packing hybrid (encoding.c) ---------------------------------- */

/* For definition levels and indices of a dictionary: see Encodings.md of parquet-format. */

/* Append a value of @width bits @count times. */
void parquet_hybrid_run(struct parquet_buffer *b, uint32_t value, size_t count,
			unsigned int width);

/* Append values, without their length. */
void parquet_hybrid(struct parquet_buffer *b, const uint32_t *values, size_t count,
		    unsigned int width);

/* --- a column of a row group (chunk.c) --------------------------------------------------- */

#define PARQUET_DICTIONARY_VALUES	32768U
#define PARQUET_DICTIONARY_BYTES	(256U << 10)

/* The distinct values of a chunk, with ids in the order of @plain. */
struct parquet_dictionary {
	bool has_numbers;		/* all values have 8 bytes; else they are texts */
	struct parquet_buffer plain;	/* the values in PLAIN encoding */
	struct parquet_buffer begins;	/* of each text there: uint32_t */
	uint32_t count;
	uint32_t *slots;		/* ids + 1 by hash; 0 if free */
	uint32_t slot_count;		/* a power of two, or 0 */
};

#define PARQUET_BOUND_BYTES	64	/* longer texts have no bounds */

struct parquet_bound {
	union {
		int64_t integer;
		double real;
		unsigned char bytes[PARQUET_BOUND_BYTES];
	};
	uint32_t length;		/* of a text */
};

/* Statistics of a page or chunk, by which readers skip it. */
struct parquet_stats {
	uint64_t values;		/* compared values */
	uint64_t nulls;
	uint64_t nans;
	bool is_long;			/* a text has more than PARQUET_BOUND_BYTES */
	struct parquet_bound min;
	struct parquet_bound max;
};

/* Write the field @id: a structure Statistics of parquet.thrift. */
void parquet_stats_write(struct thrift *t, int id, const struct parquet_stats *s,
			 enum table_type type);

/* A page ends at either limit. A single value may exceed the second. */
#define PARQUET_PAGE_ROWS	8192U
#define PARQUET_PAGE_BYTES	(256U << 10)

/* As in parquet.thrift. */
enum parquet_encoding {
	PARQUET_PLAIN		= 0,
	PARQUET_RLE		= 3,
	PARQUET_RLE_DICTIONARY	= 8,
};

/* Memory that chunks need only while they end a page. */
struct parquet_encoder {
	ZSTD_CCtx *zstd;
	struct parquet_buffer body;
	uint32_t numbers[PARQUET_PAGE_ROWS];
	uint32_t seen[PARQUET_DICTIONARY_VALUES];	/* the page that last had the id */
	uint32_t page;				/* number in @seen */
};

/*
 * One column of a row group. Its pages are contiguous in the file, so they stay in memory,
 * compressed, until the row group ends. They first use a dictionary. When it is full, or if more
 * than half of the first page's values differ, the following pages are PLAIN.
 */
struct parquet_chunk {
	const struct table_column *column;
	bool is_key;				/* it has no null, and no value twice */

	/* The current page. */
	struct parquet_buffer plain;		/* values other than null */
	uint32_t rows;
	uint32_t values;
	unsigned char present[PARQUET_PAGE_ROWS];

	/* The pages before it. */
	struct parquet_dictionary dictionary;
	uint32_t dictionary_pages;
	uint32_t plain_pages;
	struct parquet_buffer pages;
	uint64_t raw_bytes;			/* size of @pages before compression */
	struct parquet_stats stats;
};

void parquet_chunk_open(struct parquet_chunk *c, const struct table_column *column, bool is_key);
void parquet_page_end(struct parquet_encoder *e, struct parquet_chunk *c);

/* Append the dictionary's page, after all other pages have ended. */
void parquet_chunk_dictionary(struct parquet_encoder *e, struct parquet_chunk *c,
			      struct parquet_buffer *to);

/* Begin the chunk of the next row group. */
void parquet_chunk_clear(struct parquet_chunk *c);
void parquet_chunk_free(struct parquet_chunk *c);

/* --- files (file.c) ---------------------------------------------------------------------- */

/* A row group ends at either limit. A single row may exceed the second. */
#define PARQUET_GROUP_ROWS	122880U
#define PARQUET_GROUP_BYTES	(8U << 20)

struct parquet_file;

/* An encoder serves files one at a time. */
struct parquet_encoder *parquet_encoder_open(void);
void parquet_encoder_close(struct parquet_encoder *e);

/* The caller closes @o. */
struct parquet_file *parquet_open(struct parquet_encoder *e, struct out *o,
				  const struct table_schema *schema);

/* Returns 0 or a negative errno of the output. */
int parquet_row(struct parquet_file *f, const struct table_cell *cells);

/*
 * End the file and free it. @is_complete: write the remaining rows and the footer, without which
 * the file is invalid. Returns 0 or a negative errno of the output.
 */
int parquet_close(struct parquet_file *f, bool is_complete);

#endif /* FXT_FORMATS_PARQUET_PARQUET_H */
