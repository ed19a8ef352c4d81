/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compression.h - recognizes compressed data, and unpacks xz and bzip2.
 *
 * In:  compressed bytes, in pieces. Each library is optional.
 * Out: bytes. Several streams in a row are read as one. Memory is bounded, whatever the data
 *      contain.
 */
#ifndef LIBFXT_COMPRESSION_H
#define LIBFXT_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define FXT_COMPRESSION_HEAD	4	/* bytes that show the compression */

enum fxt_compression {
	FXT_PLAIN,
	FXT_GZIP,
	FXT_ZSTD,
	FXT_ZLIB,
	FXT_XZ,
	FXT_BZIP2,
};

/* Programs for which there are libraries. zlib's data have no program. */
#ifdef FXT_HAS_LZMA
#define FXT_UNPACKS_XZ	", xz"
#else
#define FXT_UNPACKS_XZ
#endif
#ifdef FXT_HAS_BZIP2
#define FXT_UNPACKS_BZIP2	", bzip2"
#else
#define FXT_UNPACKS_BZIP2
#endif
#define FXT_UNPACKS	"gzip, zstd" FXT_UNPACKS_XZ FXT_UNPACKS_BZIP2

/* The compression by the first @bytes; FXT_PLAIN for too few. */
enum fxt_compression fxt_compression_of(const void *data, size_t bytes);

struct fxt_codec;

/* @kind: FXT_XZ or FXT_BZIP2. Return: 0; -ENOMEM; -ENOTSUP without its library. */
int fxt_codec_open(struct fxt_codec **c, enum fxt_compression kind);

/*
 * Unpack some bytes. @in, @left: compressed; moved behind what was used. @within: set if a stream
 * is incomplete.
 *
 * Return: bytes at @to; 0 if more input is needed; -EBADMSG if the data are damaged, after all
 * bytes before the damage; -ENOMEM.
 */
ssize_t fxt_codec_read(struct fxt_codec *c, const unsigned char **in, size_t *left, void *to,
		       size_t bytes, bool *within);

/* NULL is allowed. */
void fxt_codec_close(struct fxt_codec *c);

#endif /* LIBFXT_COMPRESSION_H */
