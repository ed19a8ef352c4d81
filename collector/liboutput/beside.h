/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * beside.h - write a file, or a directory of files, beside the one that it replaces.
 *
 * In: a path. Out: a temporary place to write to, which is renamed to the path when it is
 * complete and removed otherwise. The existing file is kept as PATH.old. Only an older
 * PATH.old is lost, if the program could have written it, or with force.
 *
 * Must hold: the path names either the old file or the complete new one, and nothing else is
 * left behind unless SIGKILL ends the process.
 */
#ifndef LIBOUTPUT_BESIDE_H
#define LIBOUTPUT_BESIDE_H

#include "existing.h"

/**
 * struct beside - a file or directory that is being written
 * @fd: to write to; the caller closes it; -1 for a directory
 * @place: the path to open instead; for a directory, where to put its files
 *
 * The rest is private to beside.c.
 */
struct beside {
	int fd;
	char place[PATH_MAX + 32];
	const struct output_kind *kind;
	const char *root;
	char target[PATH_MAX];		/* where the path leads */
	bool is_pending;		/* to be renamed */
	bool is_new;			/* there was no such file */
	bool is_there;			/* an empty directory exists, and is kept */
	bool is_root_new;
	bool keeps_old;
};

/**
 * beside_open() - begin to write
 * @b: filled in
 * @path: devices, pipes and descriptors are written to as they are, if @direct
 * @root: NULL, or a directory of many directories, of which @path is one at any depth. It is
 *	the place of unfinished ones, missing directories are created, and an existing @path is
 *	replaced and not kept, because whoever reads all would read it, too
 * @kind: what will be written; the caller keeps it
 * @force: replace any existing file
 * @direct: see @path; otherwise they are refused
 * @e: filled in on error
 *
 * Return: 0 or a negative errno; @b needs no cleanup then.
 */
int beside_open(struct beside *b, const char *path, const char *root,
		const struct output_kind *kind, bool force, bool direct, struct output_error *e);

/**
 * beside_complete() - give it its name, or remove it if that fails
 * @b: with all its files closed
 *
 * Return: 0 or a negative errno.
 */
int beside_complete(struct beside *b);

/** beside_remove() - remove what has been written; safe in signal handlers */
void beside_remove(const struct beside *b);

#endif /* LIBOUTPUT_BESIDE_H */
