// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunk.c - see chunk.h, and "Data Pages" in parquet-format's README.md.
 */
#include <errno.h>

#include "chunk.h"
#include "hybrid.h"

/* Level 3 does not make the files of a recording smaller; -5 makes them half as large again. */
#define ZSTD_LEVEL		1

/* PageHeader and its parts in parquet.thrift. */
#define PAGE_TYPE		1
#define PAGE_RAW_BYTES		2
#define PAGE_BYTES		3
#define PAGE_DATA		5
#define PAGE_DICTIONARY		7
#define DATA_VALUES		1
#define DATA_ENCODING		2
#define DATA_DEFINITION		3
#define DATA_REPETITION		4
#define DATA_STATISTICS		5
#define DICTIONARY_VALUES	1
#define DICTIONARY_ENCODING	2

enum page_type {
	DATA_PAGE	= 0,
	DICTIONARY_PAGE	= 2,
};

/** struct page - what the header of a page needs to know */
struct page {
	enum page_type type;
	uint32_t values;		/* with nulls */
	enum parquet_encoding encoding;
	const struct parquet_stats *stats;
	enum parquet_type of;
};

static void write_header(struct parquet_buffer *to, const struct page *p, size_t raw,
			 size_t bytes)
{
	struct thrift t = { .to = to };

	thrift_i32(&t, PAGE_TYPE, p->type);
	thrift_i32(&t, PAGE_RAW_BYTES, raw);
	thrift_i32(&t, PAGE_BYTES, bytes);
	if (p->type == DICTIONARY_PAGE) {
		thrift_begin(&t, PAGE_DICTIONARY);
		thrift_i32(&t, DICTIONARY_VALUES, p->values);
		thrift_i32(&t, DICTIONARY_ENCODING, p->encoding);
	} else {
		thrift_begin(&t, PAGE_DATA);
		thrift_i32(&t, DATA_VALUES, p->values);
		thrift_i32(&t, DATA_ENCODING, p->encoding);
		thrift_i32(&t, DATA_DEFINITION, PARQUET_RLE);
		thrift_i32(&t, DATA_REPETITION, PARQUET_RLE);
		parquet_stats_write(&t, DATA_STATISTICS, p->stats, p->of);
	}
	thrift_end(&t);
	thrift_end(&t);
}

/* Compress e->body, and append it to @to with its header. */
static int write_page(struct parquet_encoder *e, struct parquet_chunk *c,
		      struct parquet_buffer *to, const struct page *p)
{
	size_t raw = e->body.used, bound = ZSTD_compressBound(raw), from, bytes;

	if (e->body.failed || !parquet_buffer_reserve(&e->body, bound))
		return -ENOMEM;
	bytes = ZSTD_compressCCtx(e->zstd, e->body.data + raw, bound, e->body.data, raw,
				  ZSTD_LEVEL);
	if (ZSTD_isError(bytes))
		return -ENOMEM;
	from = to->used;
	write_header(to, p, raw, bytes);
	c->raw_bytes += to->used - from + raw;
	parquet_buffer_add(to, e->body.data + raw, bytes);
	return to->failed ? -ENOMEM : 0;
}

/* --- values -------------------------------------------------------------------- */

static bool is_text(const struct parquet_chunk *c)
{
	return c->column->type == PARQUET_TEXT || c->column->type == PARQUET_BYTES;
}

/* Replace the values by ids in e->numbers. False if they do not fit, or if that is no gain. */
static bool use_dictionary(struct parquet_encoder *e, struct parquet_chunk *c)
{
	uint32_t most = c->dictionary_pages ? UINT32_MAX : c->values / 2 + 1;
	uint32_t count = c->dictionary.count;

	if (!c->values || c->plain_pages || c->column->is_unique ||
	    c->column->type == PARQUET_BYTES)
		return false;
	if (parquet_dictionary_ids(&c->dictionary, c->plain.data, c->values, most, e->numbers))
		return true;
	parquet_dictionary_truncate(&c->dictionary, count);
	return false;
}

/* Texts of a page with ids are compared once each. */
static void take_texts(struct parquet_encoder *e, const struct parquet_chunk *c,
		       struct parquet_stats *s, bool has_ids)
{
	const unsigned char *plain = c->plain.data;
	size_t bytes;
	uint32_t i;

	e->page++;
	for (i = 0; i < c->values; i++, plain += bytes) {
		bytes = parquet_text_bytes(plain);
		if (has_ids && e->seen[e->numbers[i]] == e->page)
			continue;
		if (has_ids)
			e->seen[e->numbers[i]] = e->page;
		parquet_stats_text(s, plain + sizeof(uint32_t), bytes - sizeof(uint32_t));
	}
}

static void take_stats(struct parquet_encoder *e, const struct parquet_chunk *c,
		       struct parquet_stats *s, bool has_ids)
{
	s->nulls = c->rows - c->values;
	if (c->column->type == PARQUET_INTEGER)
		parquet_stats_integers(s, c->plain.data, c->values);
	else if (c->column->type == PARQUET_REAL)
		parquet_stats_reals(s, c->plain.data, c->values);
	else if (c->column->type == PARQUET_TEXT)
		take_texts(e, c, s, has_ids);
}

/* --- pages ---------------------------------------------------------------------- */

/* The levels: 0 for null. They have their length before them. */
static void write_levels(struct parquet_encoder *e, const struct parquet_chunk *c)
{
	size_t at = e->body.used;
	uint32_t i;

	parquet_buffer_le32(&e->body, 0);
	if (!c->values || c->values == c->rows) {
		parquet_hybrid_run(&e->body, c->values > 0, c->rows, 1);
	} else {
		for (i = 0; i < c->rows; i++)
			e->numbers[i] = c->present[i];
		parquet_hybrid(&e->body, e->numbers, c->rows, 1);
	}
	if (!e->body.failed) {
		i = htole32(e->body.used - at - sizeof(i));
		memcpy(e->body.data + at, &i, sizeof(i));
	}
}

static void write_ids(struct parquet_encoder *e, const struct parquet_chunk *c)
{
	unsigned int width = parquet_hybrid_width(c->dictionary.count - 1);

	parquet_buffer_byte(&e->body, width);
	parquet_hybrid(&e->body, e->numbers, c->values, width);
}

static int end_page(struct parquet_encoder *e, struct parquet_chunk *c)
{
	struct parquet_stats stats = { .values = 0 };
	struct page page = {
		.type = DATA_PAGE, .values = c->rows, .stats = &stats, .of = c->column->type,
	};
	bool has_ids;

	if (c->plain.failed)
		return -ENOMEM;
	e->body.used = 0;
	if (!c->column->is_required)
		write_levels(e, c);
	has_ids = use_dictionary(e, c);
	take_stats(e, c, &stats, has_ids);
	if (has_ids)
		write_ids(e, c);
	else
		parquet_buffer_add(&e->body, c->plain.data, c->plain.used);
	page.encoding = has_ids ? PARQUET_RLE_DICTIONARY : PARQUET_PLAIN;
	parquet_stats_join(&c->stats, &stats, c->column->type);
	if (has_ids)
		c->dictionary_pages++;
	else if (c->values)
		c->plain_pages++;
	return write_page(e, c, &c->pages, &page);
}

int parquet_page_end(struct parquet_encoder *e, struct parquet_chunk *c)
{
	int ret = c->rows ? end_page(e, c) : 0;

	c->rows = 0;
	c->values = 0;
	c->plain.used = 0;
	return ret;
}

int parquet_chunk_dictionary(struct parquet_encoder *e, struct parquet_chunk *c,
			     struct parquet_buffer *to)
{
	const struct page page = {
		.type = DICTIONARY_PAGE, .values = c->dictionary.count,
		.encoding = PARQUET_PLAIN,
	};

	e->body.used = 0;
	parquet_buffer_add(&e->body, c->dictionary.plain.data, c->dictionary.plain.used);
	return write_page(e, c, to, &page);
}

void parquet_chunk_open(struct parquet_chunk *c, const struct parquet_column *column)
{
	c->column = column;
	c->dictionary.has_numbers = !is_text(c);
}

void parquet_chunk_clear(struct parquet_chunk *c)
{
	parquet_dictionary_clear(&c->dictionary);
	c->dictionary_pages = 0;
	c->plain_pages = 0;
	c->pages.used = 0;
	c->raw_bytes = 0;
	c->stats = (struct parquet_stats){ .values = 0 };
}

void parquet_chunk_free(struct parquet_chunk *c)
{
	parquet_buffer_free(&c->plain);
	parquet_buffer_free(&c->pages);
	parquet_dictionary_free(&c->dictionary);
}
