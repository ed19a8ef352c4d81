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

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

#include "liboutput/out.h"

/* --------------------------------------------------------------------
 * Bytes that grow.
 *
 * Must hold: when memory runs out, the buffer keeps what it has, ignores the rest and is
 * marked as failed, so that only the end of a page or footer needs a check.
 */

/** struct parquet_buffer - all zero is an empty one */
struct parquet_buffer {
	unsigned char *data;
	size_t used;
	size_t room;
	bool failed;
};

/** parquet_buffer_grow() - make room for @bytes more. Return: is there room? */
bool parquet_buffer_grow(struct parquet_buffer *b, size_t bytes);

static inline bool parquet_buffer_reserve(struct parquet_buffer *b, size_t bytes)
{
	return bytes <= b->room - b->used || parquet_buffer_grow(b, bytes);
}

static inline void parquet_buffer_add(struct parquet_buffer *b, const void *data, size_t bytes)
{
	if (!bytes || !parquet_buffer_reserve(b, bytes))
		return;
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

void parquet_buffer_free(struct parquet_buffer *b);

/* --------------------------------------------------------------------
 * Structures in Thrift's compact protocol.
 *
 * In: fields, in the order of their ids.
 * Out: bytes. See "Thrift Compact protocol encoding" in Thrift's
 * doc/specs/thrift-compact-protocol.md.
 */

#define THRIFT_DEPTH	8	/* of nested structures */

/* Types of elements of lists. */
#define THRIFT_I32	5
#define THRIFT_BINARY	8
#define THRIFT_STRUCT	12

/** struct thrift - initialize with zeros except for @to; begins in the outermost structure */
struct thrift {
	struct parquet_buffer *to;
	unsigned int depth;
	int last[THRIFT_DEPTH];		/* id of the last field of each structure */
};

void thrift_i32(struct thrift *t, int id, int32_t value);
void thrift_i64(struct thrift *t, int id, int64_t value);
void thrift_bool(struct thrift *t, int id, bool value);
void thrift_binary(struct thrift *t, int id, const void *data, size_t bytes);
void thrift_string(struct thrift *t, int id, const char *text);

/** thrift_list() - write a field that is a list; the caller adds its @count elements */
void thrift_list(struct thrift *t, int id, unsigned int type, size_t count);
void thrift_list_i32(struct thrift *t, int32_t value);
void thrift_list_string(struct thrift *t, const char *text);

/** thrift_begin() - begin a field that is a structure; the caller adds fields, then thrift_end() */
void thrift_begin(struct thrift *t, int id);

/** thrift_list_begin() - likewise begin a structure that is an element of a list */
void thrift_list_begin(struct thrift *t);

/** thrift_end() - end the innermost open structure */
void thrift_end(struct thrift *t);

/** thrift_empty() - write a field that is a structure without fields, as in unions */
void thrift_empty(struct thrift *t, int id);

/* --------------------------------------------------------------------
 * Parquet's run-length and bit-packing hybrid: definition levels, and indices into
 * a dictionary. See "Run Length Encoding / Bit-Packing Hybrid" in parquet-format's
 * Encodings.md.
 */

/** parquet_hybrid_width() - number of bits for values up to @largest, at least 1 */
unsigned int parquet_hybrid_width(uint32_t largest);

/** parquet_hybrid_run() - append a value @count times */
void parquet_hybrid_run(struct parquet_buffer *b, uint32_t value, size_t count,
			unsigned int width);

/** parquet_hybrid() - append values, without their length */
void parquet_hybrid(struct parquet_buffer *b, const uint32_t *values, size_t count,
		    unsigned int width);

/* --------------------------------------------------------------------
 * The columns of a Parquet file.
 */

enum parquet_type {
	PARQUET_INTEGER,	/* INT64 */
	PARQUET_REAL,		/* DOUBLE */
	PARQUET_TEXT,		/* BYTE_ARRAY, declared as a STRING: UTF-8 */
	PARQUET_BYTES,		/* BYTE_ARRAY */
};

/** struct parquet_column - @is_required: it has no null; @is_unique: no value occurs twice */
struct parquet_column {
	const char *name;
	enum parquet_type type;
	bool is_required;
	bool is_unique;
};

/* --------------------------------------------------------------------
 * The distinct values of a column chunk.
 *
 * In: values in PLAIN encoding.
 * Out: an id for each, and the values in the order of their ids. See "Dictionary Encoding"
 * in parquet-format's Encodings.md.
 */

#define PARQUET_DICTIONARY_VALUES	32768U
#define PARQUET_DICTIONARY_BYTES	(256U << 10)

/** struct parquet_dictionary - initialize with zeros, except for @has_numbers */
struct parquet_dictionary {
	bool has_numbers;		/* all values have 8 bytes; else they are texts */
	struct parquet_buffer plain;	/* the values */
	struct parquet_buffer begins;	/* where each text begins there: uint32_t */
	uint32_t count;
	uint32_t *slots;		/* ids + 1 by hash; 0 if free */
	uint32_t slot_count;		/* a power of two, or 0 */
};

/** parquet_text_bytes() - the length of a text in PLAIN encoding, with its own length */
static inline size_t parquet_text_bytes(const unsigned char *plain)
{
	uint32_t length;

	memcpy(&length, plain, sizeof(length));
	return sizeof(length) + le32toh(length);
}

/* --------------------------------------------------------------------
 * The statistics of a page or column chunk, which let readers skip it.
 *
 * In: values.
 * Out: a structure Statistics of parquet.thrift.
 * Must hold: bounds are the smallest and largest value, in the order that ColumnOrder
 * TYPE_ORDER defines, or are missing.
 */

/* Longer texts have no bounds. */
#define PARQUET_BOUND_BYTES	64

/** struct parquet_bound - a text of @length bytes */
struct parquet_bound {
	uint32_t length;
	unsigned char bytes[PARQUET_BOUND_BYTES];
};

/** struct parquet_stats - statistics; initialize with zeros */
struct parquet_stats {
	uint64_t values;		/* values that were compared */
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

/** parquet_stats_write() - write them as the field @id */
void parquet_stats_write(struct thrift *t, int id, const struct parquet_stats *s,
			 enum parquet_type type);

/* --------------------------------------------------------------------
 * One column of a row group, page by page.
 *
 * In: values.
 * Out: compressed pages, in memory until the row group ends, because a chunk's pages are
 * contiguous in the file.
 *
 * Pages first use a dictionary. When it is full, or if more than half of the first page's
 * values are different, the following pages are PLAIN.
 */

/* A page ends at either limit. A single value may exceed the second. */
#define PARQUET_PAGE_ROWS	8192U
#define PARQUET_PAGE_BYTES	(256U << 10)

/** enum parquet_encoding - as in parquet.thrift */
enum parquet_encoding {
	PARQUET_PLAIN		= 0,
	PARQUET_RLE		= 3,
	PARQUET_RLE_DICTIONARY	= 8,
};

/** struct parquet_encoder - memory that chunks need only while they end a page */
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
	uint64_t raw_bytes;			/* their size before compression */
	struct parquet_stats stats;
};

/** parquet_chunk_open() - begin the first chunk of a column; @c is zeros */
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

/* --------------------------------------------------------------------
 * The footer of a Parquet file: FileMetaData of parquet.thrift.
 */

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

/* The first and the last bytes of a file. */
#define PARQUET_MAGIC	"PAR1"

/* --- parquet.h */

/* A row group ends at either limit. A row may exceed the second. */
#define PARQUET_GROUP_ROWS	122880U
#define PARQUET_GROUP_BYTES	(8U << 20)

struct parquet_encoder;
struct parquet_file;

/** parquet_encoder_open() - create an encoder for files, one at a time. Return: it, or NULL */
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
 * Add a value of the column's type. A row needs one for each column, in any order. A required
 * column has no nulls.
 */
void parquet_null(struct parquet_file *f, unsigned int column);
void parquet_integer(struct parquet_file *f, unsigned int column, int64_t value);
void parquet_real(struct parquet_file *f, unsigned int column, double value);
void parquet_text(struct parquet_file *f, unsigned int column, const char *bytes,
		  size_t length);

/** parquet_row_end() - end a row, whose columns all have values. Return: 0 or a negative errno */
int parquet_row_end(struct parquet_file *f);

/**
 * parquet_close() - end the file
 * @f: is freed
 * @is_complete: write the remaining rows and the footer, without which the file is invalid
 *
 * Return: 0 or the first error, a negative errno.
 */
int parquet_close(struct parquet_file *f, bool is_complete);

#endif /* FXT_FORMATS_PARQUET_PARQUET_H */
