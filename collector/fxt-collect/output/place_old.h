/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_old.h - the file that stands where an archive, or statistics, are to go.
 *
 * Called in the process that has become the user: broker.h.
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_OLD_H
#define FXT_COLLECT_OUTPUT_PLACE_OLD_H

#include <limits.h>
#include <sys/stat.h>

#include "place_how.h"
#include "process/error.h"

/**
 * struct place_old - such a file
 * @path: as it was given
 * @how: of enum place_how
 * @fd: open for writing
 * @st: of @fd, a regular file with something in it
 * @dir: the directory that it stands in, -1 before it is found; the caller's to close
 * @place: a path of it without symbolic links
 * @name: the end of that, in @dir
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
 * place_old_judge() - may it be replaced?
 * @o: the file; finds @dir, @place and @name if it is to be kept
 * @e: filled in on error
 *
 * An archive may, and statistics by others; anything else with PLACE_FORCE. What is
 * looked at is the open file, whatever its name leads to by now.
 *
 * Return: 0 or a negative errno.
 */
int place_old_judge(struct place_old *o, struct error *e);

/**
 * place_old_keep() - give it the name PATH.old
 * @o: the file, judged
 * @e: filled in on error
 *
 * Return: 1; 0 if it has no place of its own, or cannot be renamed, but may be written
 * over; a negative errno.
 */
int place_old_keep(const struct place_old *o, struct error *e);

#endif /* FXT_COLLECT_OUTPUT_PLACE_OLD_H */
