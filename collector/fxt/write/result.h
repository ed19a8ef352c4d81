/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result.h - the file or directory that a command writes.
 *
 * In: a path, and the kind of the result.
 * Out: a file or directory to write to, beside the path, or standard output
 * (liboutput/output_file.h). A signal that ends the process removes incomplete results.
 */
#ifndef FXT_WRITE_RESULT_H
#define FXT_WRITE_RESULT_H

#include <stdbool.h>
#include <string.h>

#include "liboutput/output_file.h"

/* --------------------------------------------------------------------
 * Recognizes the results of fxt by their content.
 */

/** struct result_kind - a kind of result */
struct result_kind {
	const char *option;	/* that names its path, if that is not --output */
	const char *is_not;	/* about a file with other contents: "is not an FXT archive" */
	bool is_directory;	/* of files with known names */
	bool is_reopened;	/* it is opened by its path, which cannot be a pipe */
	/* Is it of fxt? If both are NULL, it is a directory or an archive. */
	const char *made_by;		/* the command whose page it is */
	bool (*is_ours)(int fd);
};

extern const struct result_kind result_archive;

#define RESULT_END_BYTES	4096

/** struct result_ends - the first and the last bytes of a file, both terminated */
struct result_ends {
	char head[RESULT_END_BYTES + 1];
	char tail[RESULT_END_BYTES + 1];
};

/** result_read_ends() - read both ends of a file. Return: false if it is empty or unreadable */
bool result_read_ends(int fd, struct result_ends *ends);

static inline bool result_begins(const struct result_ends *ends, const char *with)
{
	return !strncmp(ends->head, with, strlen(with));
}

/** struct result - a result that is being written */
struct result {
	const char *path;	/* the final one; NULL or "-" for standard output */
	int fd;			/* to write to; the caller closes it; -1 for a directory */
	struct beside beside;	/* its @place is the path to open; of a directory, for its files */
	struct output_kind kind;	/* private to result.c */
};

/** result_force() - replace any existing file */
void result_force(void);

/**
 * result_open() - begin a result
 * @r: set to the result; only one at a time
 * @path: NULL or "-" is standard output; devices and pipes are written directly
 *
 * From now on, a signal that ends the process removes the incomplete result.
 *
 * Return: VERB_DONE, or VERB_UNWRITABLE after reporting why.
 */
int result_open(struct result *r, const char *path, const struct result_kind *kind);

/**
 * result_open_directory() - like result_open(), for a directory of files
 * @root: see beside_open()
 * @files: names that its files may have, ended by NULL; the caller keeps the list
 */
int result_open_directory(struct result *r, const char *path, const struct result_kind *kind,
			  const char *root, const char *const *files);

/**
 * result_end() - complete or remove the result; a second call does nothing
 * @r: the result, with all its files closed
 * @status: enum verb_exit so far
 * @is_complete: the result is complete; otherwise it is removed
 *
 * Return: @status, or VERB_UNWRITABLE after reporting why it cannot be renamed.
 */
int result_end(struct result *r, int status, bool is_complete);

#endif /* FXT_WRITE_RESULT_H */
