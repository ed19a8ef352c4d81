/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - the file that an archive goes to.
 *
 * What flows in: the bytes of an archive, in order. What flows out: a file, plain,
 * or compressed by a thread of its own, that is never in a worse state than "the
 * archive up to its last whole record": also if the disk is full, or if this
 * process is killed.
 *
 * A compressed file is a sequence of frames (gzip: members), each of which ends at
 * a boundary that output_boundary() told of. So it can be read to the last flush
 * whatever happens, and cut back to any frame's end.
 */
#ifndef FXT_COLLECT_OUTPUT_H
#define FXT_COLLECT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "process/error.h"

struct output;

/**
 * output_open() - make the file
 * @o: set to it
 * @path: "-" is standard output, which for an archive must be no terminal
 * @options: copied
 * @e: filled in on error
 *
 * As place_open() does it; named pipes and devices are as they are.
 *
 * Return: 0 or a negative errno: with @part, -EEXIST if there is something at @path;
 * -EAGAIN if it is a pipe that nobody reads yet.
 */
int output_open(struct output **o, const char *path,
		const struct output_options *options, struct error *e);

/**
 * output_write() - add bytes
 * @o: the output; a void pointer so that this is a fxt_writer_sink
 * @data: copied if need be
 * @bytes: how many
 *
 * Blocks while the thread that compresses is that far behind.
 *
 * Return: 0 or a negative errno, which stays.
 */
int output_write(void *o, const void *data, size_t bytes);

/**
 * output_boundary() - all that was written so far are whole chunks
 * @o: the output
 *
 * Compressed bytes get into the file now or within a second or two; frames are
 * ended when they are large or old enough. Called at each hand-over and every some
 * MiB, after the writer was flushed.
 *
 * Return: as output_write().
 */
int output_boundary(struct output *o);

/**
 * output_end() - nothing more comes: get all of it into the file
 * @o: the output
 *
 * Blocks until it is there; output_bytes() is exact then.
 *
 * Return: as output_write().
 */
int output_end(struct output *o);

/**
 * output_close() - complete the file
 * @o: the output; freed in any case; NULL is ignored
 * @keep: give it its final name; else it stays PATH.part, if @part
 *
 * Return: 0 or the first error.
 */
int output_close(struct output *o, bool keep);

/** output_bytes() - length of the file by now, or as good as (what is queued is not in) */
uint64_t output_bytes(const struct output *o);

/**
 * output_cut() - after an error: go back, to make room for the archive's end
 * @o: the output, a regular file
 * @archive_bytes: how much of the archive may be kept at most, bytes as given to
 *	output_write()
 * @kept: set to how much was: the last boundary there that the file can be cut at
 *
 * The error is forgotten: the archive goes on at @kept. What follows is written
 * without a thread.
 *
 * Return: 0; -ESPIPE if it is no regular file; -ENODATA if nothing could be kept: the
 * file is as it was; a negative errno.
 */
int output_cut(struct output *o, uint64_t archive_bytes, uint64_t *kept);

/** output_safe() - bytes of the archive that the file holds for sure, after an error */
uint64_t output_safe(const struct output *o);

#endif /* FXT_COLLECT_OUTPUT_H */
