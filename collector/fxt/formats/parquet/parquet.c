// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * parquet.c - see parquet.h, and "File format" in parquet-format's README.md.
 */
#include <errno.h>
#include <stdlib.h>

#include "footer.h"
#include "parquet.h"

/** struct parquet_file - a file that is being written */
struct parquet_file {
	struct parquet_encoder *e;
	struct out *out;
	const struct parquet_column *columns;
	unsigned int count;
	int error;			/* negative errno */
	uint64_t offset;		/* of the next row group */
	uint32_t rows;			/* of the current one */
	uint64_t held;			/* bytes of its pages */
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

static void put(struct parquet_file *f, const struct parquet_buffer *b)
{
	if (b->failed)
		f->error = -ENOMEM;
	else if (b->used)
		out_bytes(f->out, b->data, b->used);
}

/* Write a chunk, at @at. Return: the offset after it. */
static uint64_t chunk_end(struct parquet_file *f, struct parquet_chunk *c,
			  struct parquet_place *p, uint64_t at)
{
	struct parquet_buffer dictionary = { .data = NULL };

	page_end(f, c);
	if (c->dictionary_pages && parquet_chunk_dictionary(f->e, c, &dictionary))
		f->error = -ENOMEM;
	put(f, &dictionary);
	put(f, &c->pages);
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
	put(f, &footer);
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
