/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - an archive as a directory of files, one per table.
 *
 * In: the rows of tables.h; a format.
 * Out: the files, or a message and an exit status.
 */
#ifndef FXT_FORMATS_TABLES_FILES_H
#define FXT_FORMATS_TABLES_FILES_H

#include "walk/io.h"
#include "tables.h"

/**
 * struct table_format - a format of files; each function returns 0 or a negative errno
 * @names: the file of each table, then NULL
 * @begin: begin a file
 * @row: a row, as of struct table_ops
 * @end: end a file for which @begin was called; may be NULL
 */
struct table_format {
	const char *const *names;
	int (*begin)(void *arg, enum table table, struct out *o);
	int (*row)(void *arg, enum table table, struct out *o, const struct table_cell *cells);
	int (*end)(void *arg, enum table table, bool is_complete);
};

/**
 * table_files_convert() - convert an archive
 * @io: its output is the directory
 * @format: of the files
 * @arg: passed to its functions
 *
 * Return: enum verb_exit.
 */
int table_files_convert(struct io *io, const struct table_format *format, void *arg);

#endif /* FXT_FORMATS_TABLES_FILES_H */
