/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - decompress an archive that comes piece by piece.
 *
 * In: the bytes of an archive, plain or compressed with gzip or zstd.
 * Out: the plain bytes, to a function.
 */
#ifndef FXT_RECEIVE_UNPACK_H
#define FXT_RECEIVE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>
#include <zstd.h>

#define UNPACK_MAGIC	8	/* bytes that tell the kind of an archive */

/**
 * struct unpack - a decompressor; begins as zero
 * @kind: of the compression
 * @zstd: state of zstd, or NULL
 * @gzip: state of gzip
 * @within: a frame or member is incomplete
 */
struct unpack {
	enum { UNPACK_PLAIN, UNPACK_GZIP, UNPACK_ZSTD } kind;
	ZSTD_DStream *zstd;
	z_stream gzip;
	bool within;
};

typedef int unpack_sink(void *arg, const void *data, size_t bytes);

/**
 * unpack_open() - choose by the first bytes
 * @u: the decompressor
 * @magic: the first UNPACK_MAGIC bytes
 *
 * Return: 0; -EBADMSG if this is no archive; -ENOMEM.
 */
int unpack_open(struct unpack *u, const unsigned char *magic);

/** unpack_close() - free it; also one that is still zero */
void unpack_close(struct unpack *u);

/** unpack_extension() - of a file that holds such an archive: ".fxt.zst" */
const char *unpack_extension(const struct unpack *u);

/**
 * unpack_add() - take the next piece
 * @u: the decompressor
 * @data: the piece
 * @bytes: its length
 * @sink: receives the plain bytes; not 0 ends the call
 * @arg: passed to @sink
 *
 * Return: 0, the result of @sink, -EBADMSG for damaged data, or -ENOMEM.
 */
int unpack_add(struct unpack *u, const void *data, size_t bytes, unpack_sink *sink,
	       void *arg);

#endif /* FXT_RECEIVE_UNPACK_H */
