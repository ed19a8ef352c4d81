/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resync.h - where records begin again after damage.
 */
#ifndef LIBFXT_READER_RESYNC_H
#define LIBFXT_READER_RESYNC_H

#include "state.h"

/**
 * fxt_resync() - find the next place where records follow one another
 * @r: the reader; its at is set to it, or to the end
 * @from: word of the window to begin at
 */
void fxt_resync(struct fxt_reader *r, size_t from);

/**
 * fxt_begins() - do records stand at the archive's first word, one after the other?
 * @r: the reader, which has not moved; it learns their byte order
 */
bool fxt_begins(struct fxt_reader *r);

/** fxt_torn_at() - the byte of the window in the last record at which others begin, or 0 */
size_t fxt_torn_at(const struct fxt_reader *r);

/**
 * fxt_follows() - where to go on behind a record that is odd
 * @r: the reader, which stands behind it; the window holds all of it
 *
 * Return: the word of the window at which records begin within it, if they do;
 * else where the reader stands.
 */
size_t fxt_follows(struct fxt_reader *r);

#endif /* LIBFXT_READER_RESYNC_H */
