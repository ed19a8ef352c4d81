/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * result_kind.h - recognizes the results of fxt by their content.
 */
#ifndef FXT_WRITE_RESULT_KIND_H
#define FXT_WRITE_RESULT_KIND_H

#include <stdbool.h>
#include <string.h>

/**
 * struct result_kind - a kind of results
 * @what: "an FXT archive", "a page of fxt report --html"
 * @is_directory: a directory of files with known names
 * @is_reopened: written by its path, which cannot be that of a pipe
 * @is_ours: does the content of a file show that fxt could have written it? Not called for
 *	directories
 */
struct result_kind {
	const char *what;
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

/**
 * result_is_ours() - could fxt have written a file?
 * @path: of a file or a directory
 * @kind: the kind that it must have
 * @files: of a directory, the names that its files may have, terminated by NULL
 */
bool result_is_ours(const char *path, const struct result_kind *kind, const char *const *files);

/** result_is_empty() - is it an empty file or directory? */
bool result_is_empty(const char *path);

/**
 * result_remove() - remove a file, or a directory with @files; safe in signal handlers
 * @path: of it
 * @files: as in result_is_ours(); NULL for a file
 * @keep_directory: remove only the files in it
 */
void result_remove(const char *path, const char *const *files, bool keep_directory);

#endif /* FXT_WRITE_RESULT_KIND_H */
