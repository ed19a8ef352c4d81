/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place.h - files by name: open, rename, remove them, with the rights that we have.
 *
 * Called in the process that has become the user: broker.h.
 */
#ifndef FXT_COLLECT_OUTPUT_PLACE_H
#define FXT_COLLECT_OUTPUT_PLACE_H

#include <limits.h>
#include <stdbool.h>

#include "place_how.h"
#include "process/error.h"

/**
 * struct place_file - an open file
 * @fd: descriptor, which never blocks
 * @dir: its directory, -1 unless it is to be renamed
 * @regular: it can be cut
 * @linked: it had a name when it was opened
 * @name: the final name in @dir
 * @part: the name till then
 */
struct place_file {
	int fd;
	int dir;
	bool regular;
	bool linked;
	char name[NAME_MAX + 1];
	char part[NAME_MAX + 1];
};

/**
 * place_open() - open a file to be written from its beginning
 * @f: set to it; holds nothing to be closed on error
 * @path: of the file
 * @how: of enum place_how
 * @e: filled in on error, except for -EEXIST
 *
 * The file is new, and of mode 0600, or empty; what is no regular file is taken as it
 * is. An archive that is there is kept as PATH.old, and statistics are written over;
 * anything else that is not empty is refused without PLACE_FORCE. In a directory that
 * somebody else can put names into, no symbolic link is followed, and nothing is taken
 * that belongs to others or has a second name.
 *
 * Return: 0; -EAGAIN for a pipe that nobody reads yet; another negative errno. With
 * PLACE_LOOK, @f holds no file.
 */
int place_open(struct place_file *f, const char *path, unsigned int how, struct error *e);

/** place_complete() - give it its final name; 0 or a negative errno */
int place_complete(const struct place_file *f);

/** place_remove() - remove a file; 0 or a negative errno */
int place_remove(const char *path);

/**
 * place_check() - can there be a file in this directory?
 * @directory: its path
 * @how: with PLACE_NEW, can one be made; else, is the directory there
 *
 * Return: 0 or a negative errno.
 */
int place_check(const char *directory, unsigned int how);

/** place_close() - close what place_open() opened */
void place_close(struct place_file *f);

#endif /* FXT_COLLECT_OUTPUT_PLACE_H */
