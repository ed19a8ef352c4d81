/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pack.h - writes an archive, compressed according to its file extension.
 *
 * In: bytes.
 * Out: a file: .zst and .zstd are compressed by zstd, in frames of 4 MiB, .gz by gzip, all others
 * are plain.
 */
#ifndef FXT_WRITE_PACK_H
#define FXT_WRITE_PACK_H

#include <stdbool.h>
#include <stddef.h>

struct pack;

/** pack_compresses() - does the extension of @path select a compression? */
bool pack_compresses(const char *path);

/**
 * pack_open() - begin an archive
 * @path: of the file, whose extension selects the compression; NULL or "-" is standard
 *	output, uncompressed
 * @fd: to write to; pack_close() closes it unless it is standard output
 */
struct pack *pack_open(const char *path, int fd);

/** pack_write() - append bytes; a fxt_writer_sink with the struct pack as @arg */
int pack_write(void *p, const void *data, size_t bytes);

/**
 * pack_close() - write the remaining data, and free @p; NULL is ignored
 *
 * Return: 0, or the first error (negative errno).
 */
int pack_close(struct pack *p);

#endif /* FXT_WRITE_PACK_H */
