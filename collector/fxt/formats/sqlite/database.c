// SPDX-License-Identifier: GPL-2.0-or-later
/* database.c - see database.h. */
#include <errno.h>
#include <stdio.h>

#include "terminal/memory.h"
#include "terminal/message.h"
#include "database.h"

/* --- the rows of a table ----------------------------------------------------------------- */

/*
 * One statement inserts many waiting rows from a virtual table. With a statement per row, SQLite
 * would search the table from its root, and begin and end a nested transaction, for each row.
 */

/* Limits of a table's waiting rows. */
#define TABLE_BATCH_ROWS	512
#define TABLE_BATCH_BYTES	(32U << 10)	/* of text and binary data */

struct waiting {
	sqlite3_vtab base;
	const struct batch *batch;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct batch *batch;
	unsigned int row;
};

static int connect_table(sqlite3 *db, void *arg, int argc, const char *const *argv,
			 sqlite3_vtab **table, char **error)
{
	const struct batch *b = arg;
	struct waiting *w = new_zero(struct waiting);
	char create[512];
	unsigned int i;
	int n;

	(void)argc, (void)argv, (void)error;
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

/* The only plan: read all rows in their order. */
static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table, (void)info;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct cursor *c = new_zero(struct cursor);

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

/* Without a result, SQLite takes the cell for NULL. */
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

/* Without xCreate, the table is named after the module and is not in the file. */
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

/* Returns SQLITE_OK or an error of SQLite, like the functions below. */
static int batch_open(struct batch *b, sqlite3 *db, const struct table_schema *schema)
{
	char name[64], insert[192];
	int ret;

	b->schema = schema;
	b->cells = must(calloc(TABLE_BATCH_ROWS * schema->columns, sizeof(*b->cells)));
	b->order = must(calloc(TABLE_BATCH_ROWS, sizeof(*b->order)));
	b->bytes = must(malloc(TABLE_BATCH_BYTES));
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

static int batch_flush(struct batch *b)
{
	int ret;

	if (!b->rows)
		return SQLITE_OK;
	/* Rows of states come when the states end, but get their ids when they begin. */
	if (b->schema->keyed)
		qsort(b->order, b->rows, sizeof(*b->order), by_id);
	sqlite3_step(b->insert);
	/* This also returns an error of sqlite3_step(). */
	ret = sqlite3_reset(b->insert);
	b->rows = 0;
	b->used = 0;
	return ret;
}

static bool is_text(const struct table_cell *cell)
{
	return (cell->type == TABLE_TEXT || cell->type == TABLE_BYTES) && cell->text.bytes;
}

/* @cells are valid during the call. */
static int batch_row(struct batch *b, const struct table_cell *cells)
{
	unsigned int i, columns = b->schema->columns;
	struct table_cell *row;
	size_t bytes = 0;
	int ret = SQLITE_OK;

	for (i = 0; i < columns; i++)
		bytes += is_text(&cells[i]) ? cells[i].text.length : 0;
	if (b->rows == TABLE_BATCH_ROWS || bytes > TABLE_BATCH_BYTES - b->used)
		ret = batch_flush(b);
	if (ret != SQLITE_OK)
		return ret;
	row = b->cells + b->rows * columns;
	memcpy(row, cells, columns * sizeof(*row));
	b->order[b->rows++] = row;
	/* A text that does not fit is valid during this call only, so insert the row now. */
	if (bytes > TABLE_BATCH_BYTES)
		return batch_flush(b);
	for (i = 0; i < columns; i++) {
		if (!is_text(&row[i]))
			continue;
		row[i].text.bytes = memcpy(b->bytes + b->used, row[i].text.bytes,
					   row[i].text.length);
		b->used += row[i].text.length;
	}
	return SQLITE_OK;
}

/* Drop the waiting rows. Called before the database is closed. */
static void batch_free(struct batch *b)
{
	sqlite3_finalize(b->insert);
	free(b->cells);
	free(b->order);
	free(b->bytes);
}

/* --- the database ------------------------------------------------------------------------ */

/*
 * Keep 512 KiB of pages in memory; the rest goes to the file. If SORT_PAGES allows, SQLite sorts an
 * index in pieces of about this size; larger ones do not fit CPU caches and take longer. Each page
 * is one write(2), so large pages take fewer; but an empty table or index takes a page, too.
 */
static const char settings[] =
	"PRAGMA page_size = 16384;"
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -512;"
	"BEGIN;";

/* The smallest piece that SQLite sorts, in pages; its default of 250 is 4 MiB here. */
#define SORT_PAGES	16

int database_fail(struct database *d)
{
	int err = d->db ? sqlite3_system_errno(d->db) : 0;

	if (!d->failed)
		message("fxt: cannot write %s: %s%s%s; %s\n",
			d->output, d->db ? sqlite3_errmsg(d->db) : "out of memory",
			err ? ": " : "", err ? strerror(err) : "", d->advice);
	d->failed = true;
	return -EIO;
}

static const char *type_name(enum table_type type)
{
	static const char * const names[] = {
		[TABLE_INT] = "INTEGER", [TABLE_REAL] = "REAL", [TABLE_TEXT] = "TEXT",
		[TABLE_BYTES] = "BLOB",
	};

	return names[type];
}

static int create_table(struct database *d, enum table table)
{
	const struct table_schema *schema = &table_schemas[table];
	char create[1024];
	int n, ret;

	n = snprintf(create, sizeof(create), "CREATE TABLE %s (", schema->name);
	for (unsigned int i = 0; i < schema->columns; i++)
		n += snprintf(create + n, sizeof(create) - n, "%s%s %s%s", i ? ", " : "",
			      schema->column[i].name, type_name(schema->column[i].type),
			      !i && schema->keyed ? " PRIMARY KEY" : "");
	snprintf(create + n, sizeof(create) - n, ")");
	ret = sqlite3_exec(d->db, create, NULL, NULL, NULL);
	return ret == SQLITE_OK ? batch_open(&d->batch[table], d->db, schema) : ret;
}

int database_row(void *arg, enum table table, const struct table_cell *cells)
{
	struct database *d = arg;

	return batch_row(&d->batch[table], cells) == SQLITE_OK ? 0 : database_fail(d);
}

int database_open(struct database *d)
{
	int ret;

	/* One thread uses SQLite. Otherwise it would take locks and count memory for each row. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_PMASZ, SORT_PAGES);
	ret = sqlite3_open_v2(d->path, &d->db, SQLITE_OPEN_READWRITE |
			      SQLITE_OPEN_NOMUTEX, NULL);
	if (ret == SQLITE_OK)
		ret = sqlite3_exec(d->db, settings, NULL, NULL, NULL);
	for (int i = 0; i < TABLE_COUNT && ret == SQLITE_OK; i++)
		ret = create_table(d, i);
	return ret == SQLITE_OK ? 0 : database_fail(d);
}

int database_finish(struct database *d, const char *sql, size_t bytes)
{
	char *text = must(strndup(sql, bytes));
	int ret = SQLITE_OK;

	for (int i = 0; i < TABLE_COUNT && ret == SQLITE_OK; i++)
		ret = batch_flush(&d->batch[i]);
	if (ret == SQLITE_OK)
		ret = sqlite3_exec(d->db, text, NULL, NULL, NULL);
	free(text);
	return ret == SQLITE_OK ? 0 : database_fail(d);
}

void database_close(struct database *d)
{
	for (int i = 0; i < TABLE_COUNT; i++)
		batch_free(&d->batch[i]);
	if (sqlite3_close(d->db) != SQLITE_OK)
		database_fail(d);
}
