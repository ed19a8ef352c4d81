/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch.h - rows of one table of an SQLite database, many of them inserted by one statement.
 *
 * In: the rows of a table, one after the other.
 * Out: all of them in the database after table_batch_flush(); those of a table with a key in
 * any order.
 *
 * A statement for each row would search the table from its root for each of them, and begin and
 * end a transaction within that of all rows. So rows wait, and are copied from a virtual table
 * that consists of the waiting ones.
 */
#ifndef FXT_FORMATS_SQLITE_BATCH_H
#define FXT_FORMATS_SQLITE_BATCH_H

#include <sqlite3.h>

#include "formats/tables/tables.h"

/* Limits of what waits, for each table. */
#define TABLE_BATCH_ROWS	512
#define TABLE_BATCH_BYTES	(32U << 10)	/* of text and binary data */

/**
 * struct table_batch - the rows that wait; begins as zero, table_batch_free() takes it then, too
 * @schema: of their table
 * @insert: the statement that inserts them
 * @cells: @schema->columns for each row; text is in @bytes
 * @order: the rows in the order in which they are inserted
 * @rows: number of them
 * @bytes: for @used bytes of text
 */
struct table_batch {
	const struct table_schema *schema;
	sqlite3_stmt *insert;
	struct table_cell *cells;
	const struct table_cell **order;
	unsigned int rows;
	char *bytes;
	size_t used;
};

/**
 * table_batch_open() - begin
 * @b: the batch
 * @db: the database, which has the table
 * @schema: of the table
 *
 * Return: SQLITE_OK or an error of SQLite, as of the others.
 */
int table_batch_open(struct table_batch *b, sqlite3 *db, const struct table_schema *schema);

/** table_batch_row() - add a row, whose @cells are valid during the call */
int table_batch_row(struct table_batch *b, const struct table_cell *cells);

/** table_batch_flush() - insert all rows so far */
int table_batch_flush(struct table_batch *b);

/** table_batch_free() - drop the rows that wait; before the database is closed */
void table_batch_free(struct table_batch *b);

#endif /* FXT_FORMATS_SQLITE_BATCH_H */
