/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result_kind.h - recognizes the results of fxt by their content.
 */
#ifndef FXT_WRITE_RESULT_KIND_H
#define FXT_WRITE_RESULT_KIND_H

#include <stdbool.h>

/* The mark of SQLite databases of fxt (PRAGMA application_id). */
#define RESULT_SQLITE_ID	"fxts"

/* How a trace of Perfetto by fxt begins: a packet of this sequence (field 10), its first (13). */
#define RESULT_PERFETTO_SEQUENCE	0x667874
#define RESULT_PERFETTO_HEAD		"\x0a\x07\x50\xf4\xf0\x99\x03\x68\x01"

enum result_kind {
	RESULT_ARCHIVE,
	RESULT_JSON,		/* of fxt convert */
	RESULT_FTRACE,
	RESULT_PERFETTO,
	RESULT_SQLITE,
	RESULT_TABLES,		/* a directory of CSV or Parquet files */
	RESULT_PAGE,		/* of fxt report --html */
	RESULT_DUMP,		/* lines of fxt dump */
};

/**
 * result_is_ours() - does the content of a file show that fxt could have written it?
 * @path: of a file, or for RESULT_TABLES of a directory
 * @kind: the kind that it must have
 * @files: for RESULT_TABLES, the names that its files may have, terminated by NULL
 */
bool result_is_ours(const char *path, enum result_kind kind, const char *const *files);

/** result_is_empty() - is it an empty file or directory? */
bool result_is_empty(const char *path);

/** result_what() - "an archive", "a page of fxt report --html" */
const char *result_what(enum result_kind kind);

/**
 * result_remove() - remove a file, or a directory with @files; safe in signal handlers
 * @path: of it
 * @files: as in result_is_ours(); NULL for a file
 * @keep_directory: remove only the files in it
 */
void result_remove(const char *path, const char *const *files, bool keep_directory);

#endif /* FXT_WRITE_RESULT_KIND_H */
