/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - the file that an archive is written to.
 *
 * In: the bytes of an archive, in order.
 * Out: a file, plain or compressed by a separate thread, that always holds the archive up to some
 * record boundary, even if the disk is full or this process is killed.
 *
 * A compressed file is a sequence of frames (gzip: members). Each ends at a boundary
 * given by output_boundary(). So the file can always be read up to the last flush, and
 * cut at the end of any frame.
 *
 * Below it: compress.c compresses, in a thread of its own; file.c writes to files that broker.c
 * opens (liboutput/output_file.h).
 */
#ifndef FXT_COLLECT_OUTPUT_H
#define FXT_COLLECT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file.h"
#include "process/error.h"

struct output;

/**
 * output_open() - create the file
 * @o: set to the output
 * @path: "-" is standard output, which must not be a terminal for an archive; an address
 *	of address.h is a receiver
 * @options: copied
 * @e: filled in on error
 *
 * Opens as direct_open() does; named pipes and devices are used as they are.
 *
 * Return: 0 or a negative errno: with @part, -EEXIST if @path exists; -EAGAIN if it is a
 * pipe without a reader.
 */
int output_open(struct output **o, const char *path,
		const struct output_options *options, struct error *e);

/**
 * output_write() - add bytes
 * @o: the output; a void pointer, as fxt_writer_sink requires
 * @data: the bytes; need not stay
 * @bytes: number of bytes
 *
 * Blocks while the queue of the compressing thread is full.
 *
 * Return: 0 or a negative errno, which persists.
 */
int output_write(void *o, const void *data, size_t bytes);

/**
 * output_boundary() - a chunk ends at the last byte written
 *
 * Compressed bytes reach the file now or within two seconds; frames end when they are
 * large or old enough. Called after the writer was flushed, at each hand-over and at
 * least every few MiB.
 *
 * Return: see output_write().
 */
int output_boundary(struct output *o);

/**
 * output_end() - write everything into the file; nothing more follows
 *
 * Blocks until it is done; then output_bytes() is exact.
 *
 * Return: see output_write().
 */
int output_end(struct output *o);

/**
 * output_close() - close the file
 * @o: the output; freed in any case; NULL is ignored
 * @keep: with @part, rename PATH.part to PATH; wait until a receiver has all of it
 *
 * Return: 0 or the first error.
 */
int output_close(struct output *o, bool keep);

/**
 * output_discard() - close the file, and remove it
 * @o: the output, to which nothing was written; freed; NULL is ignored
 * @path: as in output_open(); anything but a file of that name stays
 */
void output_discard(struct output *o, const char *path);

/** output_bytes() - current length of the file, without what is queued */
uint64_t output_bytes(const struct output *o);

/**
 * output_cut() - after an error: truncate the file, to make room for the trailer
 * @o: the output, a regular file
 * @archive_bytes: maximum of the archive to keep, in bytes as given to output_write()
 * @kept: set to how much was kept, up to the last mark
 *
 * Clears the error: the archive continues at @kept, and is written without a thread.
 *
 * Return: 0; -ESPIPE if it is not a regular file; -ENODATA if nothing could be kept and
 * the file is unchanged; another negative errno.
 */
int output_cut(struct output *o, uint64_t archive_bytes, uint64_t *kept);

/** output_safe() - bytes of the archive that the file certainly holds, after an error */
uint64_t output_safe(const struct output *o);

#endif /* FXT_COLLECT_OUTPUT_H */
