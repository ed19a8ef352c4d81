/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.h - the file, or the directory, that a command writes.
 *
 * In: a path, and the kind of the result.
 * Out: a place to write to, beside the path or standard output (liboutput/beside.h). A signal
 * that ends the process removes what is not complete.
 */
#ifndef FXT_WRITE_RESULT_H
#define FXT_WRITE_RESULT_H

#include <stdbool.h>

#include "liboutput/output_file.h"
#include "result_kind.h"

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
