/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * direct.h - open an output that must have its name at once, also if its writer is killed.
 *
 * Works with the process's own privileges: fxt-collect calls it in its broker, which runs as
 * the invoking user.
 */
#ifndef LIBOUTPUT_DIRECT_H
#define LIBOUTPUT_DIRECT_H

#include "existing.h"

/* The end of the name of a file that is not complete. */
#define DIRECT_PART	".part"

/* How a file is opened, as bits. */
enum direct_how {
	DIRECT_PART_FIRST	= 1,	/* as PATH.part; -EEXIST if PATH exists */
	DIRECT_FORCE		= 2,	/* replace any existing file */
	DIRECT_LOOK		= 4,	/* change nothing, only check whether it would be refused */
};

/**
 * struct direct - an open file
 * @fd: descriptor, non-blocking
 * @dir: its directory, -1 unless the file will be renamed
 * @regular: a regular file, which can be cut
 * @linked: it had a name when it was opened
 * @name: the final name in @dir
 * @part: the name until then
 */
struct direct {
	int fd;
	int dir;
	bool regular;
	bool linked;
	char name[NAME_MAX + 1];
	char part[NAME_MAX + 1];
};

/**
 * direct_open() - open a file for writing from its beginning
 * @f: set to the file; on error needs no cleanup
 * @path: of the file
 * @how: of enum direct_how
 * @kind: what will be written
 * @e: filled in on error, except for -EEXIST
 *
 * The file is new, with mode 0600, or empty; anything but a regular file is used as it is.
 * An existing file is kept as PATH.old or overwritten, see struct output_kind, or refused,
 * see existing.h. No open blocks.
 *
 * Return: 0; -EAGAIN for a pipe without a reader; another negative errno. With DIRECT_LOOK,
 * @f holds no file.
 */
int direct_open(struct direct *f, const char *path, unsigned int how,
		const struct output_kind *kind, struct output_error *e);

/** direct_complete() - give it its final name; 0 or a negative errno */
int direct_complete(const struct direct *f);

/** direct_close() - close what direct_open() opened */
void direct_close(struct direct *f);

#endif /* LIBOUTPUT_DIRECT_H */
