/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * payload.h - the part of a large record that the window has no room for.
 */
#ifndef LIBFXT_READER_PAYLOAD_H
#define LIBFXT_READER_PAYLOAD_H

#include "state.h"

/**
 * fxt_payload_skip() - the rest of a large record passes by; its padding is looked at
 * @r: the reader, whose last record is not in the window as a whole
 *
 * Return: as fxt_reader_next().
 */
int fxt_payload_skip(struct fxt_reader *r);

#endif /* LIBFXT_READER_PAYLOAD_H */
