// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c - an archive as a directory of CSV files, one per table.
 *
 * In: the rows of tables.h.
 * Out: one TABLE.csv for each table, with a header line, quoted according to RFC 4180, with
 * lines ended by LF. NULL is an empty field, an empty text is "", binary data is hexadecimal
 * digits.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "walk/io.h"
#include "write/out.h"
#include "csv.h"
#include "tables.h"

/** struct csv - the files in the temporary @directory; the first @opened are open */
struct csv {
	const char *directory;
	int opened;
	int error;		/* of writing: negative errno */
	enum table at;		/* table of @error */
	struct out out[TABLE_COUNT];
};

static const char *const file_names[] = {
#define TABLE_FILE(table, name, count, keyed) [table] = #name ".csv",
	TABLES(TABLE_FILE)
#undef TABLE_FILE
	[TABLE_COUNT] = NULL,
};

static void text(struct out *o, const char *bytes, size_t length)
{
	const char *quote, *end = bytes + length;
	bool plain = length > 0;

	for (const char *c = bytes; plain && c < end; c++)
		plain = *c != '"' && *c != ',' && *c != '\n' && *c != '\r';
	if (plain) {
		out_bytes(o, bytes, length);
		return;
	}
	out_char(o, '"');
	while ((quote = memchr(bytes, '"', end - bytes))) {
		out_bytes(o, bytes, quote + 1 - bytes);
		out_char(o, '"');
		bytes = quote + 1;
	}
	out_bytes(o, bytes, end - bytes);
	out_char(o, '"');
}

static void hex(struct out *o, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	for (const char *end = bytes + length; bytes < end; bytes++) {
		out_char(o, digits[(unsigned char)*bytes >> 4]);
		out_char(o, digits[*bytes & 15]);
	}
}

static void cell(struct out *o, const struct table_cell *c)
{
	switch (c->type) {
	case TABLE_INT:
		out_i64(o, c->integer);
		break;
	case TABLE_REAL:
		out_double(o, c->real);
		break;
	case TABLE_TEXT:
		text(o, c->text.bytes, c->text.length);
		break;
	case TABLE_BYTES:
		hex(o, c->text.bytes, c->text.length);
		break;
	case TABLE_NULL:
		break;
	}
}

static int row(void *arg, enum table table, const struct table_cell *cells)
{
	const struct table_schema *schema = &table_schemas[table];
	struct csv *csv = arg;
	struct out *o = &csv->out[table];

	for (unsigned int i = 0; i < schema->columns; i++) {
		if (i)
			out_char(o, ',');
		cell(o, &cells[i]);
	}
	out_char(o, '\n');
	if (o->error) {
		csv->error = o->error;
		csv->at = table;
	}
	return o->error;
}

static const struct table_ops csv_ops = { .row = row };

static void file_path(const struct csv *csv, enum table table, char *path)
{
	snprintf(path, PATH_MAX, "%s/%s", csv->directory, file_names[table]);
}

static int unwritable(const struct io *io, enum table table, int err)
{
	fprintf(stderr, "fxt: cannot write %s/%s: %s; make room or name another "
		"directory\n", io->output, file_names[table], strerror(-err));
	return VERB_UNWRITABLE;
}

static int open_file(struct csv *csv, enum table table)
{
	const struct table_schema *schema = &table_schemas[table];
	struct out *o = &csv->out[table];
	char path[PATH_MAX];
	int fd;

	file_path(csv, table, path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	out_open(o, fd);
	csv->opened++;
	for (unsigned int i = 0; i < schema->columns; i++) {
		if (i)
			out_char(o, ',');
		out_str(o, schema->column[i].name);
	}
	out_char(o, '\n');
	return 0;
}

static void close_files(struct csv *csv)
{
	int ret;

	for (int i = 0; i < csv->opened; i++) {
		ret = out_close(&csv->out[i]);
		if (ret && !csv->error) {
			csv->error = ret;
			csv->at = i;
		}
	}
}

static uint64_t written(void *arg)
{
	struct csv *csv = arg;
	uint64_t bytes = 0;

	for (int i = 0; i < csv->opened; i++)
		bytes += out_written(&csv->out[i]);
	return bytes;
}

static int convert(struct io *io, struct csv *csv)
{
	int ret = 0, status;

	for (int i = 0; i < TABLE_COUNT && !csv->error; i++) {
		csv->at = i;
		csv->error = open_file(csv, i);
	}
	progress_result(io->output, written, csv);
	if (!csv->error)
		ret = table_convert(io->a.r, io->a.options.strict, &csv_ops, csv);
	close_files(csv);
	if (csv->error) {
		archive_drop(&io->a);
		status = unwritable(io, csv->at, csv->error);
	} else {
		status = archive_close(&io->a, ret);
	}
	return result_end(&io->result, status, !ret && !csv->error);
}

int convert_csv(struct io *io)
{
	struct csv *csv;
	int ret;

	if (!io->output || !strcmp(io->output, "-"))
		return archive_usage("convert", NULL, "csv needs a directory to write to");
	ret = io_open(io);
	if (ret)
		return ret;
	csv = calloc(1, sizeof(*csv));
	if (!csv)
		return archive_close(&io->a, -ENOMEM);
	ret = io_create_directory(io, file_names);
	if (!ret) {
		csv->directory = io->result.place;
		ret = convert(io, csv);
	}
	free(csv);
	return ret;
}
