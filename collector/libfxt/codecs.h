/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * codecs.h - unpacks xz and bzip2.
 *
 * In:  compressed bytes, in pieces.
 * Out: bytes. Several streams in a row are read as one.
 *
 * Must hold: memory is bounded, whatever the data contain.
 */
#ifndef LIBFXT_CODECS_H
#define LIBFXT_CODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "stream.h"

struct fxt_codec;

/** fxt_codec_open() - begin. @kind: FXT_XZ or FXT_BZIP2. Return: 0; -ENOMEM; -ENOTSUP without its library */
int fxt_codec_open(struct fxt_codec **c, enum fxt_compression kind);

/**
 * fxt_codec_read() - unpack some bytes
 * @in: compressed; moved behind what was used
 * @left: bytes at @in, likewise
 * @within: set to whether a stream is incomplete
 *
 * Return: bytes at @to; 0 if more input is needed; -EBADMSG if the data are damaged; -ENOMEM.
 */
ssize_t fxt_codec_read(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
		       size_t bytes, bool *within);

void fxt_codec_close(struct fxt_codec *c);

#endif /* LIBFXT_CODECS_H */
