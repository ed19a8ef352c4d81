/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - the words of the archive that are in memory.
 */
#ifndef LIBFXT_READER_WINDOW_H
#define LIBFXT_READER_WINDOW_H

#include "state.h"

/**
 * fxt_window_fill() - get words into the window
 * @r: the reader
 * @keep: first word of the window that is still needed; becomes word 0, and
 *	at and last move along
 * @words: as many as are wanted from @keep on
 *
 * There are fewer if the archive ends before.
 */
void fxt_window_fill(struct fxt_reader *r, size_t keep, size_t words);

/** fxt_window_realign() - let the window begin at such a byte; the reader stands there */
void fxt_window_realign(struct fxt_reader *r, size_t from);

/**
 * fxt_window_failure() - tell if the stream ended before its own end
 * @r: the reader
 *
 * Return: 0; as fxt_deviate() if compressed data are damaged; a negative errno of read(2).
 */
int fxt_window_failure(struct fxt_reader *r);

/** fxt_window_left() - words of the archive behind the window's word @from, as far as is known */
uint64_t fxt_window_left(const struct fxt_reader *r, size_t from);

#endif /* LIBFXT_READER_WINDOW_H */
