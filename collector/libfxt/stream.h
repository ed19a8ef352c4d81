/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream.h - read the bytes of an archive from a file, a pipe or memory.
 *
 * They are decompressed if they begin as gzip, zlib, zstd, xz or bzip2 do; of the last two, those
 * whose library the build has. Several gzip members, zstd frames or other streams in a row are read
 * as one.
 */
#ifndef LIBFXT_STREAM_H
#define LIBFXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "compression.h"

#define FXT_SIZE_UNKNOWN	UINT64_MAX

struct fxt_stream;

/*
 * @fd: the caller still owns it; -1 to read from @data, which must outlive the stream. Return: 0,
 * or a negative errno of read(2) or malloc(3).
 */
int fxt_stream_open(struct fxt_stream **s, int fd, const void *data, size_t bytes);
void fxt_stream_close(struct fxt_stream *s);

/*
 * May block in read(2). Return: bytes; 0 at the end; -EBADMSG if compressed data are damaged or
 * truncated (fxt_stream_error()); a negative errno of read(2).
 */
ssize_t fxt_stream_read(struct fxt_stream *s, void *to, size_t bytes);

/* Decompressed length in bytes, or FXT_SIZE_UNKNOWN. */
uint64_t fxt_stream_size(const struct fxt_stream *s);

/* Bytes read from the source. @size: of the source, 0 if unknown */
uint64_t fxt_stream_source(const struct fxt_stream *s, uint64_t *size);

/* "none", "gzip", "zstd", "zlib", "xz" or "bzip2" */
const char *fxt_stream_compression(const struct fxt_stream *s);

/* What is wrong, after -EBADMSG; else NULL. */
const char *fxt_stream_error(const struct fxt_stream *s);

#endif /* LIBFXT_STREAM_H */
