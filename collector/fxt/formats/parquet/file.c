// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - a Parquet file: rows become row groups, and a footer. */
#include "parquet.h"

#define MAGIC	"PAR1"		/* begins and ends a file */

struct place {
	uint64_t begin;
	uint64_t data;			/* first data page; @begin without a dictionary */
	uint64_t end;
};

struct parquet_file {
	struct parquet_encoder *e;
	struct out *out;
	const struct table_schema *schema;
	uint64_t offset;		/* of the next row group */
	uint64_t all_rows;		/* of the row groups so far */
	uint32_t groups;
	struct parquet_buffer encoded;	/* the row groups, as in the footer */
	uint32_t rows;			/* of the current row group */
	uint64_t held;			/* bytes of its pages */
	struct place places[TABLE_MAX_COLUMNS];
	struct parquet_chunk chunks[];
};

/* --- the footer -------------------------------------------------------------------------- */

/* Ids of fields and values of enums, from parquet.thrift. */

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

static int physical_type(enum table_type type)
{
	return type == TABLE_INT ? TYPE_INT64 : type == TABLE_REAL ? TYPE_DOUBLE : TYPE_BYTE_ARRAY;
}

static void write_encodings(struct thrift *t, const struct parquet_chunk *c)
{
	thrift_list(t, META_ENCODINGS, THRIFT_I32, c->dictionary_pages ? 3 : 2);
	thrift_list_i32(t, PARQUET_RLE);
	thrift_list_i32(t, PARQUET_PLAIN);
	if (c->dictionary_pages)
		thrift_list_i32(t, PARQUET_RLE_DICTIONARY);
}

static void write_chunk(struct thrift *t, const struct parquet_chunk *c,
			const struct place *p, uint64_t rows)
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

static void add_group(struct parquet_file *f)
{
	unsigned int columns = f->schema->columns, i;
	struct thrift t = { .to = &f->encoded };
	uint64_t raw = 0;

	thrift_list(&t, GROUP_COLUMNS, THRIFT_STRUCT, columns);
	for (i = 0; i < columns; i++) {
		write_chunk(&t, &f->chunks[i], &f->places[i], f->rows);
		raw += f->chunks[i].raw_bytes;
	}
	thrift_i64(&t, GROUP_RAW_BYTES, (int64_t)raw);
	thrift_i64(&t, GROUP_ROWS, (int64_t)f->rows);
	thrift_i64(&t, GROUP_OFFSET, (int64_t)f->places[0].begin);
	thrift_i64(&t, GROUP_BYTES, (int64_t)(f->places[columns - 1].end - f->places[0].begin));
	thrift_end(&t);
	f->groups++;
	f->all_rows += f->rows;
}

static void write_schema(struct thrift *t, const struct table_schema *schema)
{
	const struct table_column *column;
	unsigned int i;

	thrift_list(t, FILE_SCHEMA, THRIFT_STRUCT, schema->columns + 1);
	thrift_list_begin(t);
	thrift_string(t, SCHEMA_NAME, "schema");
	thrift_i32(t, SCHEMA_CHILDREN, (int32_t)schema->columns);
	thrift_end(t);
	for (i = 0; i < schema->columns; i++) {
		column = &schema->column[i];
		thrift_list_begin(t);
		thrift_i32(t, SCHEMA_TYPE, physical_type(column->type));
		thrift_i32(t, SCHEMA_REPETITION, schema->keyed && !i ? REQUIRED : OPTIONAL);
		thrift_string(t, SCHEMA_NAME, column->name);
		if (column->type == TABLE_TEXT) {
			thrift_i32(t, SCHEMA_CONVERTED, CONVERTED_UTF8);
			thrift_begin(t, SCHEMA_LOGICAL);
			thrift_empty(t, LOGICAL_STRING);
			thrift_end(t);
		}
		thrift_end(t);
	}
}

/* The footer, its length and the magic. */
static void write_footer(struct parquet_file *f)
{
	struct parquet_buffer footer = { .data = NULL };
	struct thrift t = { .to = &footer };
	unsigned int i;

	thrift_i32(&t, FILE_VERSION, 1);
	write_schema(&t, f->schema);
	thrift_i64(&t, FILE_ROWS, (int64_t)f->all_rows);
	thrift_list(&t, FILE_GROUPS, THRIFT_STRUCT, f->groups);
	parquet_buffer_add(&footer, f->encoded.data, f->encoded.used);
	thrift_string(&t, FILE_CREATOR, "fxt version " FXT_VERSION);
	thrift_list(&t, FILE_ORDERS, THRIFT_STRUCT, f->schema->columns);
	for (i = 0; i < f->schema->columns; i++) {
		thrift_list_begin(&t);
		thrift_empty(&t, ORDER_OF_TYPE);
		thrift_end(&t);
	}
	thrift_end(&t);
	parquet_buffer_le32(&footer, footer.used);
	parquet_buffer_add(&footer, MAGIC, strlen(MAGIC));
	out_bytes(f->out, footer.data, footer.used);
	free(footer.data);
}

/* --- rows and row groups ------------------------------------------------------------------ */

struct parquet_encoder *parquet_encoder_open(void)
{
	struct parquet_encoder *e = new_zero(struct parquet_encoder);

	e->zstd = must(ZSTD_createCCtx());
	return e;
}

void parquet_encoder_close(struct parquet_encoder *e)
{
	ZSTD_freeCCtx(e->zstd);
	free(e->body.data);
	free(e);
}

struct parquet_file *parquet_open(struct parquet_encoder *e, struct out *o,
				  const struct table_schema *schema)
{
	struct parquet_file *f = must(calloc(1, sizeof(*f) + schema->columns * sizeof(*f->chunks)));
	unsigned int i;

	f->e = e;
	f->out = o;
	f->schema = schema;
	f->offset = strlen(MAGIC);
	for (i = 0; i < schema->columns; i++)
		parquet_chunk_open(&f->chunks[i], &schema->column[i], schema->keyed && !i);
	out_str(o, MAGIC);
	return f;
}

static void page_end(struct parquet_file *f, struct parquet_chunk *c)
{
	size_t before = c->pages.used;

	parquet_page_end(f->e, c);
	f->held += c->pages.used - before;
}

static void chunk_end(struct parquet_file *f, struct parquet_chunk *c, struct place *p)
{
	struct parquet_buffer dictionary = { .data = NULL };

	page_end(f, c);
	if (c->dictionary_pages)
		parquet_chunk_dictionary(f->e, c, &dictionary);
	if (dictionary.used)
		out_bytes(f->out, dictionary.data, dictionary.used);
	if (c->pages.used)
		out_bytes(f->out, c->pages.data, c->pages.used);
	p->begin = f->offset;
	p->data = p->begin + dictionary.used;
	p->end = p->data + c->pages.used;
	f->offset = p->end;
	free(dictionary.data);
}

static void group_end(struct parquet_file *f)
{
	unsigned int i;

	for (i = 0; i < f->schema->columns; i++)
		chunk_end(f, &f->chunks[i], &f->places[i]);
	add_group(f);
	for (i = 0; i < f->schema->columns; i++)
		parquet_chunk_clear(&f->chunks[i]);
	f->rows = 0;
	f->held = 0;
}

static void add_cell(struct parquet_file *f, struct parquet_chunk *c, const struct table_cell *cell)
{
	uint64_t bits;

	if (cell->type == TABLE_INT || cell->type == TABLE_REAL) {
		memcpy(&bits, &cell->integer, sizeof(bits));	/* or cell->real */
		bits = htole64(bits);
		parquet_buffer_add(&c->plain, &bits, sizeof(bits));
	} else if (cell->type != TABLE_NULL) {
		parquet_buffer_le32(&c->plain, cell->text.length);
		parquet_buffer_add(&c->plain, cell->text.bytes, cell->text.length);
	}
	c->present[c->rows++] = cell->type != TABLE_NULL;
	c->values += cell->type != TABLE_NULL;
	if (c->rows == PARQUET_PAGE_ROWS || c->plain.used >= PARQUET_PAGE_BYTES)
		page_end(f, c);
}

int parquet_row(struct parquet_file *f, const struct table_cell *cells)
{
	unsigned int i;

	for (i = 0; i < f->schema->columns; i++)
		add_cell(f, &f->chunks[i], &cells[i]);
	if (++f->rows == PARQUET_GROUP_ROWS || f->held >= PARQUET_GROUP_BYTES)
		group_end(f);
	return f->out->error;
}

int parquet_close(struct parquet_file *f, bool is_complete)
{
	int ret;
	unsigned int i;

	if (is_complete && f->rows)
		group_end(f);
	if (is_complete)
		write_footer(f);
	ret = f->out->error;
	for (i = 0; i < f->schema->columns; i++)
		parquet_chunk_free(&f->chunks[i]);
	free(f->encoded.data);
	free(f);
	return ret;
}
