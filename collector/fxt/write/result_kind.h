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

#endif /* FXT_WRITE_RESULT_KIND_H */
