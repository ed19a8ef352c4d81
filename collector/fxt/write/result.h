/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.h - the file, or the directory, that a command writes.
 *
 * In: a path, and the kind of the result.
 * Out: a place to write to, beside the path or standard output (liboutput/output_file.h). A signal
 * that ends the process removes what is not complete.
 */
#ifndef FXT_WRITE_RESULT_H
#define FXT_WRITE_RESULT_H

#include <stdbool.h>
#include <string.h>

#include "liboutput/output_file.h"

/* --------------------------------------------------------------------
 * Recognizes the results of fxt by their content.
 */

/**
 * struct result_kind - a kind of results
 * @option: the option that names its path, if that is not --output
 * @is_not: of a file that holds something else: "is not an FXT archive"
 * @is_directory: a directory of files with known names
 * @is_reopened: written by its path, which cannot be that of a pipe
 * @is_ours: does the content of a file show that fxt could have written it? NULL of
 *	directories and archives
 */
struct result_kind {
	const char *option;
	const char *is_not;
	bool is_directory;
	bool is_reopened;
	bool (*is_ours)(int fd);
};

extern const struct result_kind result_archive;

#define RESULT_END_BYTES	4096

/** struct result_ends - the first and the last bytes of a file, each terminated by a zero byte */
struct result_ends {
	char head[RESULT_END_BYTES + 1];
	char tail[RESULT_END_BYTES + 1];
};

/** result_read_ends() - read both ends; false if there are none */
bool result_read_ends(int fd, struct result_ends *ends);

static inline bool result_begins(const struct result_ends *ends, const char *with)
{
	return !strncmp(ends->head, with, strlen(with));
}

/* --- result.h */

/**
 * struct result - a result that is being written
 * @path: its final path; NULL or "-" for standard output
 * @fd: to write to; the caller closes it; -1 for a directory
 * @beside: @place in it is the path to open instead; for a directory, where to put its files
 * @kind: private to result.c
 */
struct result {
	const char *path;
	int fd;
	struct beside beside;
	struct output_kind kind;
};

/** result_force() - replace any existing file */
void result_force(void);

/**
 * result_open() - begin to write
 * @r: filled in; one at a time
 * @path: NULL or "-" is standard output; devices and pipes are written to as they are
 * @kind: kind of the result
 *
 * From now on a signal that ends the process removes what has been written.
 *
 * Return: VERB_DONE, or VERB_UNWRITABLE after reporting why.
 */
int result_open(struct result *r, const char *path, const struct result_kind *kind);

/**
 * result_open_directory() - the same, to write a directory of files
 * @r: filled in; one at a time
 * @path: of the directory
 * @kind: kind of the result
 * @root: see beside_open()
 * @files: the names that its files may have, terminated by NULL; the caller keeps it valid
 */
int result_open_directory(struct result *r, const char *path, const struct result_kind *kind,
			  const char *root, const char *const *files);

/**
 * result_end() - complete or remove the result; a second call does nothing
 * @r: the result, with all its files closed
 * @status: enum verb_exit so far
 * @is_complete: the result is complete; else it is removed
 *
 * Return: @status, or VERB_UNWRITABLE after reporting why it cannot be renamed.
 */
int result_end(struct result *r, int status, bool is_complete);

#endif /* FXT_WRITE_RESULT_H */
