/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * database.h - the tables of an archive in an SQLite database.
 *
 * In: the rows of formats/tables/tables.h.
 * Out: a database with all tables. No journal is needed, because nobody uses the database of a run
 * that fails.
 */
#ifndef FXT_FORMATS_SQLITE_DATABASE_H
#define FXT_FORMATS_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "formats/tables/tables.h"

/** struct batch - rows of a table that wait; initialize with zeros */
struct batch {
	const struct table_schema *schema;	/* of their table */
	sqlite3_stmt *insert;		/* the statement that inserts them */
	struct table_cell *cells;	/* of all columns of each row; texts are in @bytes */
	const struct table_cell **order;	/* the rows as they are inserted */
	unsigned int rows;
	char *bytes;
	size_t used;
};

/** struct database - initialize with zeros but the first three members */
struct database {
	const char *path;	/* of the file; "": a temporary one, which has no name */
	const char *output;	/* its name in messages */
	const char *advice;	/* what to do if it cannot be written */
	sqlite3 *db;
	struct batch batch[TABLE_COUNT];
	bool failed;		/* it cannot be written; already reported */
};

/** database_open() - create all tables. Return: 0 or -EIO, as below; database_close() follows */
int database_open(struct database *d);

/** database_ops - for table_convert(), with the struct database as the argument */
extern const struct table_ops database_ops;

/** database_finish() - insert the rows that wait, and run SQL statements, @bytes long */
int database_finish(struct database *d, const char *sql, size_t bytes);

/** database_fail() - report SQLite's last error, unless one was reported. Return: -EIO */
int database_fail(struct database *d);

void database_close(struct database *d);

#endif /* FXT_FORMATS_SQLITE_DATABASE_H */
