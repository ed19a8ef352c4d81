// SPDX-License-Identifier: GPL-2.0-or-later
/* batch.c - see batch.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"

/* --- the virtual table of the waiting rows --------------------------------------- */

/** struct waiting - the virtual table */
struct waiting {
	sqlite3_vtab base;
	const struct table_batch *batch;
};

/** struct cursor - in it, at a row */
struct cursor {
	sqlite3_vtab_cursor base;
	const struct table_batch *batch;
	unsigned int row;
};

static int connect_table(sqlite3 *db, void *arg, int argc, const char *const *argv,
			 sqlite3_vtab **table, char **error)
{
	const struct table_batch *b = arg;
	struct waiting *w = calloc(1, sizeof(*w));
	char create[512];
	unsigned int i;
	int n;

	(void)argc, (void)argv, (void)error;
	if (!w)
		return SQLITE_NOMEM;
	w->batch = b;
	*table = &w->base;
	n = snprintf(create, sizeof(create), "CREATE TABLE waiting (");
	for (i = 0; i < b->schema->columns; i++)
		n += snprintf(create + n, sizeof(create) - n, "%s%s", i ? ", " : "",
			      b->schema->column[i].name);
	snprintf(create + n, sizeof(create) - n, ")");
	return sqlite3_declare_vtab(db, create);
}

static int disconnect_table(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

/* All rows are read, in their order. */
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table, (void)info;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct cursor *c = calloc(1, sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	c->batch = ((struct waiting *)table)->batch;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static int first_row(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
		     sqlite3_value **argv)
{
	(void)number, (void)text, (void)argc, (void)argv;
	((struct cursor *)cursor)->row = 0;
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	((struct cursor *)cursor)->row++;
	return SQLITE_OK;
}

static int is_behind(sqlite3_vtab_cursor *cursor)
{
	const struct cursor *c = (struct cursor *)cursor;

	return c->row >= c->batch->rows;
}

/* What has no result is NULL. */
static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int i)
{
	const struct cursor *c = (struct cursor *)cursor;
	const struct table_cell *cell = &c->batch->order[c->row][i];

	switch (cell->type) {
	case TABLE_INT:
		sqlite3_result_int64(to, cell->integer);
		break;
	case TABLE_REAL:
		sqlite3_result_double(to, cell->real);
		break;
	case TABLE_TEXT:
		sqlite3_result_text(to, cell->text.bytes, (int)cell->text.length, SQLITE_STATIC);
		break;
	case TABLE_BYTES:
		sqlite3_result_blob(to, cell->text.bytes, (int)cell->text.length, SQLITE_STATIC);
		break;
	default:
		break;
	}
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((struct cursor *)cursor)->row;
	return SQLITE_OK;
}

/* Without xCreate, the table has the name of the module and is in no file. */
static const sqlite3_module module = {
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = first_row,
	.xNext = next_row,
	.xEof = is_behind,
	.xColumn = column,
	.xRowid = row_id,
};

/* --- rows ------------------------------------------------------------------------ */

int table_batch_open(struct table_batch *b, sqlite3 *db, const struct table_schema *schema)
{
	char name[64], insert[192];
	int ret;

	b->schema = schema;
	b->cells = calloc(TABLE_BATCH_ROWS * schema->columns, sizeof(*b->cells));
	b->order = calloc(TABLE_BATCH_ROWS, sizeof(*b->order));
	b->bytes = malloc(TABLE_BATCH_BYTES);
	if (!b->cells || !b->order || !b->bytes)
		return SQLITE_NOMEM;
	snprintf(name, sizeof(name), "waiting_%s", schema->name);
	snprintf(insert, sizeof(insert), "INSERT INTO %s SELECT * FROM %s", schema->name, name);
	ret = sqlite3_create_module(db, name, &module, b);
	if (ret != SQLITE_OK)
		return ret;
	return sqlite3_prepare_v3(db, insert, -1, SQLITE_PREPARE_PERSISTENT, &b->insert, NULL);
}

static int by_id(const void *a, const void *b)
{
	const struct table_cell *x = *(const struct table_cell *const *)a;
	const struct table_cell *y = *(const struct table_cell *const *)b;

	return x->integer < y->integer ? -1 : x->integer > y->integer;
}

int table_batch_flush(struct table_batch *b)
{
	int ret;

	if (!b->rows)
		return SQLITE_OK;
	/* Rows of states come when they end, but have their ids since they began. */
	if (b->schema->keyed)
		qsort(b->order, b->rows, sizeof(*b->order), by_id);
	sqlite3_step(b->insert);
	/* It returns what has failed. */
	ret = sqlite3_reset(b->insert);
	b->rows = 0;
	b->used = 0;
	return ret;
}

static bool is_text(const struct table_cell *cell)
{
	return (cell->type == TABLE_TEXT || cell->type == TABLE_BYTES) && cell->text.bytes;
}

int table_batch_row(struct table_batch *b, const struct table_cell *cells)
{
	unsigned int i, columns = b->schema->columns;
	struct table_cell *row;
	size_t bytes = 0;
	int ret = SQLITE_OK;

	for (i = 0; i < columns; i++)
		bytes += is_text(&cells[i]) ? cells[i].text.length : 0;
	if (b->rows == TABLE_BATCH_ROWS || bytes > TABLE_BATCH_BYTES - b->used)
		ret = table_batch_flush(b);
	if (ret != SQLITE_OK)
		return ret;
	row = b->cells + b->rows * columns;
	memcpy(row, cells, columns * sizeof(*row));
	b->order[b->rows++] = row;
	/* It is valid until this row is inserted. */
	if (bytes > TABLE_BATCH_BYTES)
		return table_batch_flush(b);
	for (i = 0; i < columns; i++) {
		if (!is_text(&row[i]))
			continue;
		row[i].text.bytes = memcpy(b->bytes + b->used, row[i].text.bytes,
					   row[i].text.length);
		b->used += row[i].text.length;
	}
	return SQLITE_OK;
}

void table_batch_free(struct table_batch *b)
{
	sqlite3_finalize(b->insert);
	free(b->cells);
	free(b->order);
	free(b->bytes);
}
