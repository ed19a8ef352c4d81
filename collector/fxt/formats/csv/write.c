// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - an archive as a directory of CSV files, one per table.
 *
 * In: the rows of formats/tables/tables.h.
 * Out: one TABLE.csv per table, with a header line; lines end in LF. NULL is an empty field, texts
 * are written by out_csv(), binary data as hexadecimal digits.
 */
#include "formats/tables/tables.h"
#include "formats/formats.h"

static const char *const file_names[] = {
#define TABLE_FILE(table, name, count, keyed) [table] = #name ".csv",
	TABLES(TABLE_FILE)
#undef TABLE_FILE
	[TABLE_COUNT] = NULL,
};

static void hex(struct out *o, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	for (const char *end = bytes + length; bytes < end; bytes++) {
		out_char(o, digits[(unsigned char)*bytes >> 4]);
		out_char(o, digits[*bytes & 15]);
	}
}

static void cell(struct out *o, const struct table_cell *c, bool is_raw)
{
	switch (c->type) {
	case TABLE_INT:
		out_i64(o, c->integer);
		break;
	case TABLE_REAL:
		out_double(o, c->real);
		break;
	case TABLE_TEXT:
		out_csv(o, c->text.bytes, c->text.length, is_raw);
		break;
	case TABLE_BYTES:
		hex(o, c->text.bytes, c->text.length);
		break;
	case TABLE_NULL:
		break;
	}
}

static int row(void *arg, enum table table, struct out *o, const struct table_cell *cells)
{
	const struct table_schema *schema = &table_schemas[table];
	const bool *is_raw = arg;

	for (unsigned int i = 0; i < schema->columns; i++) {
		if (i)
			out_char(o, ',');
		cell(o, &cells[i], *is_raw);
	}
	out_char(o, '\n');
	return o->error;
}

static int header(void *arg, enum table table, struct out *o)
{
	const struct table_schema *schema = &table_schemas[table];

	(void)arg;
	for (unsigned int i = 0; i < schema->columns; i++) {
		if (i)
			out_char(o, ',');
		out_str(o, schema->column[i].name);
	}
	out_char(o, '\n');
	return o->error;
}

static const struct table_format csv = { .names = file_names, .begin = header, .row = row };

int csv_write(struct io *io)
{
	static bool is_raw;

	return table_files_convert(io, &csv, &is_raw);
}

int csv_write_raw(struct io *io)
{
	static bool is_raw = true;

	return table_files_convert(io, &csv, &is_raw);
}
