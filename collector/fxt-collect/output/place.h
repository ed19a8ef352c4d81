/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - open, rename and remove files by name, with the process's own privileges.
 *
 * Called in the broker, which runs as the invoking user (broker.h).
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_H
#define FXT_COLLECT_OUTPUT_PLACE_H

#include <limits.h>
#include <stdbool.h>

#include "place_how.h"
#include "process/error.h"

/* The end of the name of a file that is not complete. */
#define PLACE_PART	".part"

/**
 * struct place_file - an open file
 * @fd: descriptor, non-blocking
 * @dir: its directory, -1 unless the file will be renamed
 * @regular: a regular file, which can be cut
 * @relayed: a connection to a relay, which encrypts it (relay.h)
 * @linked: it had a name when it was opened
 * @name: the final name in @dir
 * @part: the name until then
 */
struct place_file {
	int fd;
	int dir;
	bool regular;
	bool relayed;
	bool linked;
	char name[NAME_MAX + 1];
	char part[NAME_MAX + 1];
};

/**
 * place_open() - open a file for writing from its beginning
 * @f: set to the file; on error needs no cleanup
 * @path: of the file
 * @how: of enum place_how
 * @e: filled in on error, except for -EEXIST
 *
 * The file is new, with mode 0600, or empty; anything but a regular file is used as it
 * is. An existing archive is kept as PATH.old, and existing statistics are overwritten;
 * any other file that is not empty is refused without PLACE_FORCE. In a directory where
 * another user can create names, symbolic links are not followed, and files of others and
 * files with a second name are refused.
 *
 * Return: 0; -EAGAIN for a pipe without a reader; another negative errno. With
 * PLACE_LOOK, @f holds no file.
 */
int place_open(struct place_file *f, const char *path, unsigned int how, struct error *e);

/** place_complete() - give it its final name; 0 or a negative errno */
int place_complete(const struct place_file *f);

/** place_remove() - remove a file; 0 or a negative errno */
int place_remove(const char *path);

/**
 * place_check() - check a directory
 * @directory: its path
 * @how: with PLACE_NEW, that a file can be created there; else that it exists
 *
 * Return: 0 or a negative errno.
 */
int place_check(const char *directory, unsigned int how);

/** place_close() - close what place_open() opened */
void place_close(struct place_file *f);

#endif /* FXT_COLLECT_OUTPUT_PLACE_H */
