/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resync.h - find the next record after damage.
 *
 * In:  a place in the window where a record may not begin.
 * Out: the next place where records follow one another.
 */
#ifndef LIBFXT_READER_RESYNC_H
#define LIBFXT_READER_RESYNC_H

#include "state.h"

/**
 * fxt_resync() - find the next place where records follow one another
 * @r: the reader; its at is set to that place, or to the archive's end
 * @from: word of the window where the search begins
 */
void fxt_resync(struct fxt_reader *r, size_t from);

/**
 * fxt_begins() - does the archive begin with records, but without a magic number?
 * @r: the reader, at the archive's first word; sets its byte order
 */
bool fxt_begins(struct fxt_reader *r);

/** fxt_torn_at() - byte of the window in the current record where others begin, or 0 */
size_t fxt_torn_at(const struct fxt_reader *r);

/**
 * fxt_follows() - where to continue after an odd record
 * @r: the reader, which stands after it; the window must hold all of the record
 *
 * Return: the word of the window where other records begin within it, if any do; else
 * the word after it.
 */
size_t fxt_follows(struct fxt_reader *r);

#endif /* LIBFXT_READER_RESYNC_H */
