/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * payload.h - the part of a large record that does not fit into the window.
 */
#ifndef LIBFXT_READER_PAYLOAD_H
#define LIBFXT_READER_PAYLOAD_H

#include "state.h"

/**
 * fxt_payload_skip() - skip the rest of a large record, and check its padding
 * @r: the reader, whose window does not hold all of the current record
 *
 * Return: as fxt_reader_next().
 */
int fxt_payload_skip(struct fxt_reader *r);

#endif /* LIBFXT_READER_PAYLOAD_H */
