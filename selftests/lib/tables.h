/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes archives by hand, and compares CSV files with tables of a database. */
#ifndef SELFTESTS_TABLES_H
#define SELFTESTS_TABLES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fxt/fxt_sched.h"

static inline void put(FILE *f, uint64_t word)
{
	fwrite(&word, sizeof(word), 1, f);
}

static inline void put_stream(FILE *f, const char *bytes, size_t length)
{
	char padded[256] = { 0 };

	memcpy(padded, bytes, length);
	fwrite(padded, FXT_WORD, fxt_stream_words(length), f);
}

static inline void put_thread_name(FILE *f, uint64_t thread, uint64_t process,
				   const char *name, size_t length)
{
	uint64_t words = fxt_stream_words(length);

	put(f, fxt_kernel_object(4 + words, FXT_OBJECT_THREAD, fxt_string_ref_inline(length), 1));
	put(f, thread);
	put_stream(f, name, length);
	put(f, fxt_arg_koid(2, FXT_STR_PROCESS));
	put(f, process);
}

/*
 * Write an event of thread 7 of process 5, with its time as argument. @last is the last word, if
 * the type of event has one.
 */
static inline void put_event(FILE *f, enum fxt_event_type type, uint64_t time,
			     const char *name, uint64_t last)
{
	bool has_last = type != FXT_EVENT_INSTANT && type != FXT_EVENT_DURATION_BEGIN &&
			type != FXT_EVENT_DURATION_END;
	uint64_t length = strlen(name), words = fxt_stream_words(length);

	put(f, fxt_event(5 + words + has_last, type, 1, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY,
			 length ? fxt_string_ref_inline(length) : FXT_STRING_REF_EMPTY));
	put(f, time);
	put(f, 5);
	put(f, 7);
	put_stream(f, name, length);
	put(f, fxt_arg_uint32(1, FXT_STR_RECORDS, time));
	if (has_last)
		put(f, last);
}

/* Write an instant event of any thread. If the name is inline, the caller writes it next. */
static inline void put_instant(FILE *f, uint64_t time, uint64_t process,
			       uint64_t thread, uint64_t name_ref)
{
	put(f, fxt_event(4 + (name_ref & FXT_STRING_REF_INLINE ? 1 : 0), FXT_EVENT_INSTANT,
			 0, FXT_THREAD_REF_INLINE, FXT_STR_CATEGORY, name_ref));
	put(f, time);
	put(f, process);
	put(f, thread);
}

static inline void put_switch(FILE *f, uint64_t time, uint32_t cpu, uint32_t out,
			      uint32_t in, struct fxt_sched_state state)
{
	uint64_t rec[FXT_SCHED_SWITCH_WORDS];
	uint32_t words;

	words = fxt_sched_put_switch((__u64 *)rec, time, cpu, out, in,
				     fxt_sched_weight(out, 120, 1024),
				     fxt_sched_weight(in, 120, 1024), state);
	fwrite(rec, FXT_WORD, words, f);
}

static inline void put_wakeup(FILE *f, uint64_t time, uint32_t cpu, uint32_t tid, uint32_t waker)
{
	uint64_t rec[FXT_SCHED_WAKEUP_WORDS];
	uint32_t words = fxt_sched_put_wakeup((__u64 *)rec, time, cpu, tid, 1024, waker);

	fwrite(rec, FXT_WORD, words, f);
}

/* Write the head of an archive, with ticks of 1 ns, and the strings of fxt-sched. */
static inline void put_preamble(FILE *f)
{
	put(f, FXT_MAGIC_RECORD);
	put(f, fxt_provider_info(1, 4));
	put_stream(f, "test", 4);
	put(f, fxt_initialization());
	put(f, 1000000000);
#define PUT_STRING(index, text)						\
	put(f, fxt_string(index, sizeof(text) - 1));				\
	put_stream(f, text, sizeof(text) - 1);
	FXT_SCHED_STRINGS(PUT_STRING)
}

/*
 * Read one field of RFC 4180 text. *@null: it is empty and not quoted. Return: the character
 * after it, -1 at the end of the file, -2 if the text is invalid.
 */
static inline int csv_field(FILE *f, char *field, size_t room, size_t *length, bool *null)
{
	int c = getc(f);
	bool quoted = c == '"';

	*length = 0;
	if (quoted)
		c = getc(f);
	for (; *length + 1 < room; c = getc(f)) {
		if (quoted && c == EOF)
			return -2;
		if (quoted && c == '"') {
			c = getc(f);
			if (c != '"')
				break;
		}
		if (!quoted && (c == EOF || c == ',' || c == '\n'))
			break;
		if (!quoted && (c == '"' || c == '\r'))
			return -2;
		field[(*length)++] = c;
	}
	field[*length] = 0;
	*null = !quoted && !*length;
	return c == EOF ? -1 : c == ',' || c == '\n' ? c : -2;
}

/* Is a field the hexadecimal form of binary data? */
static inline bool same_bytes(const unsigned char *bytes, size_t count, const char *field)
{
	char digits[3];

	for (size_t i = 0; i < count; i++) {
		snprintf(digits, sizeof(digits), "%02x", bytes[i]);
		if (memcmp(field + 2 * i, digits, 2))
			return false;
	}
	return true;
}

/* Is a field the CSV form of a text? A text that could be a formula gets a ' before it. */
static inline bool same_text(const char *text, size_t bytes, const char *field, size_t length)
{
	size_t guard = bytes && memchr("=+-@\t\r\n'", *text, 8);

	return length == bytes + guard && (!guard || *field == '\'') &&
	       !memcmp(field + guard, text, bytes);
}

static inline bool same_value(sqlite3_stmt *s, int column, const char *field,
			      size_t length, bool null)
{
	switch (sqlite3_column_type(s, column)) {
	case SQLITE_NULL:
		return null;
	case SQLITE_INTEGER:
		return !null && strtoll(field, NULL, 10) == sqlite3_column_int64(s, column);
	case SQLITE_FLOAT:
		return !null && strtod(field, NULL) == sqlite3_column_double(s, column);
	case SQLITE_BLOB:
		return length == 2 * (size_t)sqlite3_column_bytes(s, column) &&
		       same_bytes(sqlite3_column_blob(s, column), length / 2, field);
	default:
		return !null && same_text(sqlite3_column_blob(s, column),
					  sqlite3_column_bytes(s, column), field, length);
	}
}

/* Find the row of @s that has the id of this line, or go to the next row if not @keyed. */
static inline bool seek_row(sqlite3_stmt *s, bool keyed, const char *first)
{
	if (keyed) {
		sqlite3_reset(s);
		sqlite3_bind_int64(s, 1, strtoll(first, NULL, 10));
	}
	return sqlite3_step(s) == SQLITE_ROW;
}

/*
 * Compare a CSV file with its table. Return: the number of rows, if the table has all rows of
 * the file and they are the same there; else -1 - the number of the line that differs.
 */
static inline int64_t compare_table(sqlite3 *db, FILE *f, const char *table)
{
	static char field[1 << 18];
	bool null = false, keyed, same = true;
	int64_t line = 0;
	char query[256];
	sqlite3_stmt *s;
	size_t length;
	int end = 0;

	keyed = strcmp(table, "stats") && strcmp(table, "trace_bounds");
	snprintf(query, sizeof(query), "SELECT * FROM %s %s", table,
		 keyed ? "WHERE rowid = ?" : "ORDER BY rowid");
	if (sqlite3_prepare_v2(db, query, -1, &s, NULL) != SQLITE_OK)
		return INT64_MIN;
	for (; same; line += same) {
		for (int i = 0; same && i < sqlite3_column_count(s); i++) {
			end = csv_field(f, field, sizeof(field), &length, &null);
			if (end == -1 && !i && !length)
				break;
			if (!line)
				same = !strcmp(field, sqlite3_column_name(s, i));
			else
				same = (i || seek_row(s, keyed, field)) &&
				       same_value(s, i, field, length, null);
			same = same && end == (i + 1 < sqlite3_column_count(s) ? ',' : '\n');
		}
		if (end == -1)
			break;
	}
	sqlite3_finalize(s);
	return same ? line - 1 : -1 - line;
}

#endif /* SELFTESTS_TABLES_H */
