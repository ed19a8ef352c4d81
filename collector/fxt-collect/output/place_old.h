/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_old.h - an existing file where an archive or statistics are to be written.
 *
 * Called in the broker, which runs as the invoking user (broker.h).
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_OLD_H
#define FXT_COLLECT_OUTPUT_PLACE_OLD_H

#include <limits.h>
#include <sys/stat.h>

#include "place_how.h"
#include "process/error.h"

/**
 * struct place_old - an existing file
 * @path: as given
 * @how: of enum place_how
 * @fd: open for writing
 * @st: status of @fd, a regular file that is not empty
 * @dir: its directory, -1 before it is found; closed by the caller
 * @place: its path without symbolic links
 * @name: the last component of @place, in @dir
 */
struct place_old {
	const char *path;
	unsigned int how;
	int fd;
	const struct stat *st;
	int dir;
	char place[PATH_MAX];
	const char *name;
};

/**
 * place_old_check() - check that the file may be replaced
 * @o: the file; @dir, @place and @name are filled in if it will be kept
 * @e: filled in on error
 *
 * An archive may be replaced, and statistics by statistics; anything else only with
 * PLACE_FORCE. Examines the open file, whatever its name leads to by now.
 *
 * Return: 0 or a negative errno.
 */
int place_old_check(struct place_old *o, struct error *e);

/**
 * place_old_keep() - rename the file to PATH.old
 * @o: the file, checked by place_old_check()
 * @e: filled in on error
 *
 * Return: 1; 0 if it has no name of its own, or cannot be renamed but may be overwritten;
 * a negative errno.
 */
int place_old_keep(const struct place_old *o, struct error *e);

#endif /* FXT_COLLECT_OUTPUT_PLACE_OLD_H */
