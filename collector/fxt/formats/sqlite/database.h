/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * database.h - the rows of formats/tables/tables.h in an SQLite database.
 *
 * There is no journal, because the database of a failed run is not used.
 */
#ifndef FXT_FORMATS_SQLITE_DATABASE_H
#define FXT_FORMATS_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "formats/tables/tables.h"

/* Waiting rows of a table; initialize with zeros. */
struct batch {
	const struct table_schema *schema;
	sqlite3_stmt *insert;		/* inserts the rows */
	struct table_cell *cells;	/* of all columns of each row; texts are in @bytes */
	const struct table_cell **order;	/* the rows in the order of insertion */
	unsigned int rows;
	char *bytes;
	size_t used;
};

/* Initialize with zeros, except for the first three members. */
struct database {
	const char *path;	/* of the file; "": a temporary one, which has no name */
	const char *output;	/* its name in messages */
	const char *advice;	/* for the error that it cannot be written */
	sqlite3 *db;
	struct batch batch[TABLE_COUNT];
	bool failed;		/* it cannot be written, which has been reported */
};

/* Create all tables. Returns 0 or -EIO. Call database_close() in both cases. */
int database_open(struct database *d);

/* For table_convert(); @arg is a struct database. */
int database_row(void *arg, enum table table, const struct table_cell *cells);

/* Insert the waiting rows, then run SQL statements of @bytes. Returns 0 or -EIO. */
int database_finish(struct database *d, const char *sql, size_t bytes);

/* Report SQLite's last error, unless one was reported. Returns -EIO. */
int database_fail(struct database *d);
void database_close(struct database *d);

#endif /* FXT_FORMATS_SQLITE_DATABASE_H */
