/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json.h - tables as JSON. Times are ns; unknown names are null. */
#ifndef FXT_TABLE_JSON_H
#define FXT_TABLE_JSON_H

#include "liboutput/json.h"
#include "table.h"

/*
 * A list of at most @top rows, or nothing if the table is not in.
 *
 * If @j is brief, an object: rows, each a list of values, and keys, a list of their names. For a
 * value that is such a list itself, keys has an object: key (null: its values are those of the
 * row), isList (it is a list of rows) and of (its keys).
 */
void json_table(struct json *j, const void *all, const struct table *table, size_t top);

/* The columns of a row as members of an object. */
void json_columns(struct json *j, const void *all, const struct column *columns,
		  const void *row);

#define JSON_KEY_BYTES	32

/* What JSON has of a thread. */
enum thread_key { THREAD_TID, THREAD_NTH, THREAD_NAME, THREAD_KEYS };

/* Write the key of one of these. Returns false if a column of threads does not have it. */
bool json_thread_key(const struct column *c, enum thread_key i, char key[JSON_KEY_BYTES]);

static inline void json_thread_name(struct json *j, const char *key, const struct sched_thread *t)
{
	json_text(j, key, table_thread_key(t));
}

#endif /* FXT_TABLE_JSON_H */
