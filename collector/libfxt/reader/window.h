/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - the part of the archive that is in memory.
 *
 * In:  bytes of the stream.
 * Out: words at r->window. They move whenever the window is filled or realigned.
 */
#ifndef LIBFXT_READER_WINDOW_H
#define LIBFXT_READER_WINDOW_H

#include "state.h"

/**
 * fxt_window_fill() - read words into the window
 * @r: the reader
 * @keep: first word of the window that is still needed; it becomes word 0, and at and
 *	last move along
 * @words: wanted from @keep on; fewer if the archive ends before
 *
 * May block in read(2). An error ends the archive; fxt_window_failure() reports it.
 */
void fxt_window_fill(struct fxt_reader *r, size_t keep, size_t words);

/** fxt_window_realign() - make byte @from of the window its first, and the next record */
void fxt_window_realign(struct fxt_reader *r, size_t from);

/**
 * fxt_window_failure() - report why the stream ended early, if it did
 * @r: the reader
 *
 * Return: 0; as fxt_deviate() if compressed data are damaged; a negative errno of read(2).
 */
int fxt_window_failure(struct fxt_reader *r);

/**
 * fxt_window_left() - words of the archive from the window's word @from on
 *
 * Return: UINT64_MAX if the length is unknown.
 */
uint64_t fxt_window_left(const struct fxt_reader *r, size_t from);

#endif /* LIBFXT_READER_WINDOW_H */
