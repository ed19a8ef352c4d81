/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own.h - an archive that is about to be replaced: how it is known and kept.
 *
 * What the recorder and fxt share: both replace archives only, and keep the one before.
 */
#ifndef LIBFXT_OWN_H
#define LIBFXT_OWN_H

#include <stdbool.h>

/* Added to the name of what is replaced. */
#define FXT_OWN_OLD	".old"

/**
 * fxt_own_archive() - is it an archive?
 * @fd: a file, read from where it is; stays the caller's
 *
 * Return: true if its first record, also of a compressed file, is the magic number.
 */
bool fxt_own_archive(int fd);

/** fxt_own_descriptor() - does a path name what is open already, and not a file? */
bool fxt_own_descriptor(const char *path);

#endif /* LIBFXT_OWN_H */
