// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as a directory of Parquet files, one per table.
 *
 * In: the rows of tables.h.
 * Out: one TABLE.parquet for each table: integers are INT64, reals DOUBLE, texts and binary
 * data BYTE_ARRAY. A key is required, all other columns may be null.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "formats/tables/files.h"
#include "terminal/message.h"
#include "format.h"
#include "parquet.h"
#include "partition.h"

/** struct directory - its files; those of tables that have not begun are NULL */
struct directory {
	struct parquet_encoder *encoder;
	struct parquet_file *file[TABLE_COUNT];
	struct parquet_column column[TABLE_COUNT][TABLE_MAX_COLUMNS];
};

static const char *const file_names[] = {
#define TABLE_FILE(table, name, count, keyed) [table] = #name ".parquet",
	TABLES(TABLE_FILE)
#undef TABLE_FILE
	[TABLE_COUNT] = NULL,
};

static int begin(void *arg, enum table table, struct out *o)
{
	static const enum parquet_type types[] = {
		[TABLE_INT] = PARQUET_INTEGER, [TABLE_REAL] = PARQUET_REAL,
		[TABLE_TEXT] = PARQUET_TEXT, [TABLE_BYTES] = PARQUET_BYTES,
	};
	const struct table_schema *schema = &table_schemas[table];
	struct directory *d = arg;
	unsigned int i;

	for (i = 0; i < schema->columns; i++)
		d->column[table][i] = (struct parquet_column){
			.name = schema->column[i].name,
			.type = types[schema->column[i].type],
			.is_required = schema->keyed && !i,
			.is_unique = schema->keyed && !i,
		};
	d->file[table] = parquet_open(d->encoder, o, d->column[table], schema->columns);
	return d->file[table] ? 0 : -ENOMEM;
}

static int row(void *arg, enum table table, struct out *o, const struct table_cell *cells)
{
	unsigned int columns = table_schemas[table].columns, i;
	struct directory *d = arg;
	struct parquet_file *f = d->file[table];

	(void)o;
	for (i = 0; i < columns; i++) {
		const struct table_cell *c = &cells[i];

		if (c->type == TABLE_NULL)
			parquet_null(f, i);
		else if (c->type == TABLE_INT)
			parquet_integer(f, i, c->integer);
		else if (c->type == TABLE_REAL)
			parquet_real(f, i, c->real);
		else
			parquet_text(f, i, c->text.bytes, c->text.length);
	}
	return parquet_row_end(f);
}

static int end(void *arg, enum table table, bool is_complete)
{
	struct directory *d = arg;
	struct parquet_file *f = d->file[table];

	return f ? parquet_close(f, is_complete) : 0;
}

static const struct table_format parquet = {
	.names = file_names, .begin = begin, .row = row, .end = end,
};

int parquet_write(struct io *io)
{
	struct directory *d = calloc(1, sizeof(*d));
	int ret;

	if (d)
		d->encoder = parquet_encoder_open();
	if (d && d->encoder) {
		ret = table_files_convert(io, &parquet, d);
	} else {
		message("fxt: convert: %s\n", strerror(ENOMEM));
		ret = VERB_UNWRITABLE;
	}
	if (d)
		parquet_encoder_close(d->encoder);
	free(d);
	return ret;
}

int parquet_write_partition(struct io *io)
{
	char path[PATH_MAX];
	int ret = partition_path(io, path);

	if (ret)
		return ret;
	io->root = io->output;
	io->output = path;
	return parquet_write(io);
}
