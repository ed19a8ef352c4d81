/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own.h - rules for replacing an existing file, shared by the recorder and fxt.
 *
 * Both replace only archives, and keep the previous one under another name.
 */
#ifndef LIBFXT_OWN_H
#define LIBFXT_OWN_H

#include <stdbool.h>

/* Appended to the name of the previous archive. */
#define FXT_OWN_OLD	".old"

/**
 * fxt_own_archive() - is a file an archive?
 * @fd: the file, read from its current position; the caller still owns it
 *
 * Return: true if it begins with the magic number record, also if it is compressed.
 */
bool fxt_own_archive(int fd);

/** fxt_own_descriptor() - does a path refer to an open descriptor rather than a file? */
bool fxt_own_descriptor(const char *path);

#endif /* LIBFXT_OWN_H */
