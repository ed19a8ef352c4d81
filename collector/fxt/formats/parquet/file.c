// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - a Parquet file: rows come in, row groups and the footer go out. */
#include <errno.h>
#include <stdlib.h>

#include "parquet.h"

/* --------------------------------------------------------------------
 * The footer. The numbers are ids of fields and values of enums in
 * parquet.thrift.
 */

#define TYPE_INT64		2
#define TYPE_DOUBLE		5
#define TYPE_BYTE_ARRAY		6

#define REQUIRED		0
#define OPTIONAL		1

#define CONVERTED_UTF8		0
#define LOGICAL_STRING		1
#define CODEC_ZSTD		6
#define ORDER_OF_TYPE		1

#define SCHEMA_TYPE		1
#define SCHEMA_REPETITION	3
#define SCHEMA_NAME		4
#define SCHEMA_CHILDREN		5
#define SCHEMA_CONVERTED	6
#define SCHEMA_LOGICAL		10

#define META_TYPE		1
#define META_ENCODINGS		2
#define META_PATH		3
#define META_CODEC		4
#define META_VALUES		5
#define META_RAW_BYTES		6
#define META_BYTES		7
#define META_DATA_AT		9
#define META_DICTIONARY_AT	11
#define META_STATISTICS		12

#define CHUNK_OFFSET		2
#define CHUNK_META		3

#define GROUP_COLUMNS		1
#define GROUP_RAW_BYTES		2
#define GROUP_ROWS		3
#define GROUP_OFFSET		5
#define GROUP_BYTES		6

#define FILE_VERSION		1
#define FILE_SCHEMA		2
#define FILE_ROWS		3
#define FILE_GROUPS		4
#define FILE_CREATOR		6
#define FILE_ORDERS		7

static int physical_type(enum parquet_type type)
{
	switch (type) {
	case PARQUET_INTEGER:
		return TYPE_INT64;
	case PARQUET_REAL:
		return TYPE_DOUBLE;
	default:
		return TYPE_BYTE_ARRAY;
	}
}

/* --- row groups ------------------------------------------------------------------- */

static void write_encodings(struct thrift *t, const struct parquet_chunk *c)
{
	thrift_list(t, META_ENCODINGS, THRIFT_I32, c->dictionary_pages ? 3 : 2);
	thrift_list_i32(t, PARQUET_RLE);
	thrift_list_i32(t, PARQUET_PLAIN);
	if (c->dictionary_pages)
		thrift_list_i32(t, PARQUET_RLE_DICTIONARY);
}

static void write_chunk(struct thrift *t, const struct parquet_chunk *c,
			const struct parquet_place *p, uint64_t rows)
{
	thrift_list_begin(t);
	thrift_i64(t, CHUNK_OFFSET, 0);
	thrift_begin(t, CHUNK_META);
	thrift_i32(t, META_TYPE, physical_type(c->column->type));
	write_encodings(t, c);
	thrift_list(t, META_PATH, THRIFT_BINARY, 1);
	thrift_list_string(t, c->column->name);
	thrift_i32(t, META_CODEC, CODEC_ZSTD);
	thrift_i64(t, META_VALUES, (int64_t)rows);
	thrift_i64(t, META_RAW_BYTES, (int64_t)c->raw_bytes);
	thrift_i64(t, META_BYTES, (int64_t)(p->end - p->begin));
	thrift_i64(t, META_DATA_AT, (int64_t)p->data);
	if (p->data > p->begin)
		thrift_i64(t, META_DICTIONARY_AT, (int64_t)p->begin);
	parquet_stats_write(t, META_STATISTICS, &c->stats, c->column->type);
	thrift_end(t);
	thrift_end(t);
}

/**
 * parquet_group_add() - add a row group
 * @g: the row groups
 * @chunks: the chunks of all columns
 * @places: where each chunk is
 * @columns: number of both
 * @rows: number of rows in it
 */
static void parquet_group_add(struct parquet_groups *g, const struct parquet_chunk *chunks,
			      const struct parquet_place *places, unsigned int columns,
			      uint64_t rows)
{
	struct thrift t = { .to = &g->encoded };
	uint64_t raw = 0;
	unsigned int i;

	thrift_list(&t, GROUP_COLUMNS, THRIFT_STRUCT, columns);
	for (i = 0; i < columns; i++) {
		write_chunk(&t, &chunks[i], &places[i], rows);
		raw += chunks[i].raw_bytes;
	}
	thrift_i64(&t, GROUP_RAW_BYTES, (int64_t)raw);
	thrift_i64(&t, GROUP_ROWS, (int64_t)rows);
	thrift_i64(&t, GROUP_OFFSET, (int64_t)places[0].begin);
	thrift_i64(&t, GROUP_BYTES, (int64_t)(places[columns - 1].end - places[0].begin));
	thrift_end(&t);
	g->count++;
	g->rows += rows;
}

/* --- the file ----------------------------------------------------------------------- */

static void write_schema(struct thrift *t, const struct parquet_column *columns,
			 unsigned int count)
{
	unsigned int i;

	thrift_list(t, FILE_SCHEMA, THRIFT_STRUCT, count + 1);
	thrift_list_begin(t);
	thrift_string(t, SCHEMA_NAME, "schema");
	thrift_i32(t, SCHEMA_CHILDREN, (int32_t)count);
	thrift_end(t);
	for (i = 0; i < count; i++) {
		thrift_list_begin(t);
		thrift_i32(t, SCHEMA_TYPE, physical_type(columns[i].type));
		thrift_i32(t, SCHEMA_REPETITION,
			   columns[i].is_required ? REQUIRED : OPTIONAL);
		thrift_string(t, SCHEMA_NAME, columns[i].name);
		if (columns[i].type == PARQUET_TEXT) {
			thrift_i32(t, SCHEMA_CONVERTED, CONVERTED_UTF8);
			thrift_begin(t, SCHEMA_LOGICAL);
			thrift_empty(t, LOGICAL_STRING);
			thrift_end(t);
		}
		thrift_end(t);
	}
}

/** parquet_footer() - encode the footer, with its length and the magic after it */
static void parquet_footer(struct parquet_buffer *to, const struct parquet_groups *g,
			   const struct parquet_column *columns, unsigned int count)
{
	struct thrift t = { .to = to };
	size_t from = to->used;
	unsigned int i;

	thrift_i32(&t, FILE_VERSION, 1);
	write_schema(&t, columns, count);
	thrift_i64(&t, FILE_ROWS, (int64_t)g->rows);
	thrift_list(&t, FILE_GROUPS, THRIFT_STRUCT, g->count);
	parquet_buffer_add(to, g->encoded.data, g->encoded.used);
	thrift_string(&t, FILE_CREATOR, "fxt version " FXT_VERSION);
	thrift_list(&t, FILE_ORDERS, THRIFT_STRUCT, count);
	for (i = 0; i < count; i++) {
		thrift_list_begin(&t);
		thrift_empty(&t, ORDER_OF_TYPE);
		thrift_end(&t);
	}
	thrift_end(&t);
	parquet_buffer_le32(to, to->used - from);
	parquet_buffer_add(to, PARQUET_MAGIC, strlen(PARQUET_MAGIC));
}

/* --------------------------------------------------------------------
 * Rows and row groups.
 */

/** struct parquet_file - a file that is being written */
struct parquet_file {
	struct parquet_encoder *e;
	struct out *out;
	const struct parquet_column *columns;
	unsigned int count;
	int error;			/* negative errno */
	uint64_t offset;		/* of the next row group */
	uint32_t rows;			/* of the current one */
	uint64_t held;			/* bytes of the current group's pages */
	struct parquet_groups groups;
	struct parquet_place *places;
	struct parquet_chunk *chunks;
};

struct parquet_encoder *parquet_encoder_open(void)
{
	struct parquet_encoder *e = calloc(1, sizeof(*e));

	if (e)
		e->zstd = ZSTD_createCCtx();
	if (!e || e->zstd)
		return e;
	free(e);
	return NULL;
}

void parquet_encoder_close(struct parquet_encoder *e)
{
	if (!e)
		return;
	ZSTD_freeCCtx(e->zstd);
	parquet_buffer_free(&e->body);
	free(e);
}

static void free_file(struct parquet_file *f)
{
	unsigned int i;

	for (i = 0; f->chunks && i < f->count; i++)
		parquet_chunk_free(&f->chunks[i]);
	parquet_buffer_free(&f->groups.encoded);
	free(f->chunks);
	free(f->places);
	free(f);
}

struct parquet_file *parquet_open(struct parquet_encoder *e, struct out *o,
				  const struct parquet_column *columns, unsigned int count)
{
	struct parquet_file *f = calloc(1, sizeof(*f));
	unsigned int i;

	if (!f)
		return NULL;
	f->e = e;
	f->out = o;
	f->columns = columns;
	f->count = count;
	f->offset = strlen(PARQUET_MAGIC);
	f->places = calloc(count, sizeof(*f->places));
	f->chunks = calloc(count, sizeof(*f->chunks));
	if (!f->places || !f->chunks) {
		free_file(f);
		return NULL;
	}
	for (i = 0; i < count; i++)
		parquet_chunk_open(&f->chunks[i], &columns[i]);
	out_str(o, PARQUET_MAGIC);
	return f;
}

/* --- row groups ------------------------------------------------------------------- */

static void page_end(struct parquet_file *f, struct parquet_chunk *c)
{
	size_t before = c->pages.used;
	int ret = parquet_page_end(f->e, c);

	f->held += c->pages.used - before;
	if (ret && !f->error)
		f->error = ret;
}

static void put_buffer(struct parquet_file *f, const struct parquet_buffer *b)
{
	if (b->failed)
		f->error = -ENOMEM;
	else if (b->used)
		out_bytes(f->out, b->data, b->used);
}

/* Write a chunk at the offset @at. Return: the offset after it. */
static uint64_t chunk_end(struct parquet_file *f, struct parquet_chunk *c,
			  struct parquet_place *p, uint64_t at)
{
	struct parquet_buffer dictionary = { .data = NULL };

	page_end(f, c);
	if (c->dictionary_pages && parquet_chunk_dictionary(f->e, c, &dictionary))
		f->error = -ENOMEM;
	put_buffer(f, &dictionary);
	put_buffer(f, &c->pages);
	p->begin = at;
	p->data = at + dictionary.used;
	p->end = p->data + c->pages.used;
	parquet_buffer_free(&dictionary);
	return p->end;
}

static void group_end(struct parquet_file *f)
{
	unsigned int i;

	for (i = 0; i < f->count; i++)
		f->offset = chunk_end(f, &f->chunks[i], &f->places[i], f->offset);
	parquet_group_add(&f->groups, f->chunks, f->places, f->count, f->rows);
	for (i = 0; i < f->count; i++)
		parquet_chunk_clear(&f->chunks[i]);
	if (f->groups.encoded.failed)
		f->error = -ENOMEM;
	f->rows = 0;
	f->held = 0;
}

int parquet_row_end(struct parquet_file *f)
{
	if (++f->rows == PARQUET_GROUP_ROWS || f->held >= PARQUET_GROUP_BYTES)
		group_end(f);
	return f->error ? f->error : f->out->error;
}

/* --- values ------------------------------------------------------------------------ */

static void add_row(struct parquet_file *f, struct parquet_chunk *c, bool is_present)
{
	c->present[c->rows++] = is_present;
	c->values += is_present;
	if (parquet_page_is_full(c))
		page_end(f, c);
}

void parquet_null(struct parquet_file *f, unsigned int column)
{
	add_row(f, &f->chunks[column], false);
}

void parquet_integer(struct parquet_file *f, unsigned int column, int64_t value)
{
	struct parquet_chunk *c = &f->chunks[column];
	uint64_t bits = htole64((uint64_t)value);

	parquet_buffer_add(&c->plain, &bits, sizeof(bits));
	add_row(f, c, true);
}

void parquet_real(struct parquet_file *f, unsigned int column, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	parquet_integer(f, column, (int64_t)bits);
}

void parquet_text(struct parquet_file *f, unsigned int column, const char *bytes,
		  size_t length)
{
	struct parquet_chunk *c = &f->chunks[column];

	parquet_buffer_le32(&c->plain, length);
	parquet_buffer_add(&c->plain, bytes, length);
	add_row(f, c, true);
}

/* --- the end ------------------------------------------------------------------------ */

static void write_footer(struct parquet_file *f)
{
	struct parquet_buffer footer = { .data = NULL };

	parquet_footer(&footer, &f->groups, f->columns, f->count);
	put_buffer(f, &footer);
	parquet_buffer_free(&footer);
}

int parquet_close(struct parquet_file *f, bool is_complete)
{
	int ret;

	if (is_complete && f->rows)
		group_end(f);
	if (is_complete)
		write_footer(f);
	ret = f->error ? f->error : f->out->error;
	free_file(f);
	return ret;
}
