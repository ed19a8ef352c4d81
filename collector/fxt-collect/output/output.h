/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - the file that an archive is written to, plain or compressed by a separate thread. It
 * always holds the archive up to some record boundary, even if the disk is full or this process is
 * killed.
 *
 * A compressed file is a sequence of frames (gzip: members). Each ends at a boundary given by
 * output_boundary(). So the file can always be read up to the last flush, and cut at the end of any
 * frame.
 *
 * Below it: compress.c compresses; file.c writes to files that broker.c opens
 * (liboutput/output_file.h).
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
 * output_open() - create the file, as direct_open() does; pipes and devices are used as they are
 * @path: "-" is standard output, which must not be a terminal for an archive; an address of
 *	address.h is a receiver
 * @options: copied
 *
 * Return: 0 or a negative errno: with @part, -EEXIST if @path exists; -EAGAIN if it is a pipe
 * without a reader.
 */
int output_open(struct output **o, const char *path,
		const struct output_options *options, struct error *e);

/**
 * output_write() - add bytes; blocks while the queue of the compressing thread is full
 * @o: a void pointer, as fxt_writer_sink requires
 *
 * Return: 0 or a negative errno, which persists.
 */
int output_write(void *o, const void *data, size_t bytes);

/**
 * output_boundary() - a chunk ends at the last byte written
 *
 * Compressed bytes reach the file now or within two seconds; frames end when they are large or old
 * enough. Call it after the writer was flushed, at each hand-over and at least every few MiB.
 *
 * Return: see output_write().
 */
int output_boundary(struct output *o);

/*
 * Write everything into the file; nothing more follows. Blocks until it is done; then
 * output_bytes() is exact. Return: see output_write()
 */
int output_end(struct output *o);

/**
 * output_close() - close the file, and free @o in any case; NULL is ignored
 * @keep: with @part, rename PATH.part to PATH; wait until a receiver has all of it
 *
 * Return: 0 or the first error.
 */
int output_close(struct output *o, bool keep);

/* Close the file, to which nothing was written, and remove @path if it is a file; frees @o. */
void output_discard(struct output *o, const char *path);

/* Current length of the file, without what is queued. */
uint64_t output_bytes(const struct output *o);

/**
 * output_cut() - after an error: truncate a regular file, to make room for the trailer
 * @archive_bytes: maximum of the archive to keep, in bytes as given to output_write()
 * @kept: set to how much was kept, up to the last mark
 *
 * Clears the error: the archive continues at @kept, and is written without a thread.
 *
 * Return: 0; -ESPIPE if it is not a regular file; -ENODATA if nothing could be kept and the file is
 * unchanged; another negative errno.
 */
int output_cut(struct output *o, uint64_t archive_bytes, uint64_t *kept);

/* Bytes of the archive that the file certainly holds, after an error. */
uint64_t output_safe(const struct output *o);

#endif /* FXT_COLLECT_OUTPUT_H */
