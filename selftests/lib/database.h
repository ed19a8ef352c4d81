/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value from a database that fxt convert has written. */
#ifndef SELFTESTS_DATABASE_H
#define SELFTESTS_DATABASE_H

#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* The first value in the result of a query, which is a printf() format; -1 if there is none. */
static inline __attribute__((format(printf, 2, 3))) int64_t
database_number(const char *path, const char *format, ...)
{
	sqlite3_stmt *statement;
	int64_t value = -1;
	char sql[512];
	va_list args;
	sqlite3 *db;

	va_start(args, format);
	vsnprintf(sql, sizeof(sql), format, args);
	va_end(args);
	if (!sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) &&
	    !sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) {
		if (sqlite3_step(statement) == SQLITE_ROW)
			value = sqlite3_column_int64(statement, 0);
		sqlite3_finalize(statement);
	}
	sqlite3_close(db);
	return value;
}

static inline char *database_text(const char *path, char *text, size_t room, const char *sql)
{
	sqlite3_stmt *statement;
	sqlite3 *db;

	*text = '\0';
	if (!sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) &&
	    !sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) {
		if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
			snprintf(text, room, "%s", (const char *)sqlite3_column_text(statement, 0));
		sqlite3_finalize(statement);
	}
	sqlite3_close(db);
	return text;
}

#endif /* SELFTESTS_DATABASE_H */
