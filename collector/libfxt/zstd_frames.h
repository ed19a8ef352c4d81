/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zstd_frames.h - decompress the frames of zstd, several at a time.
 *
 * In:  a source of frames, as fxt-collect writes them: one after another, of a few MiB at most.
 * Out: their contents in order.
 *
 * Memory is bounded: a frame that is too large, incomplete, or invalid is left to the caller, with
 * all that follows it.
 */
#ifndef LIBFXT_ZSTD_FRAMES_H
#define LIBFXT_ZSTD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <zstd.h>

#define FXT_ZSTD_DAMAGED	"zstd data are damaged"

/*
 * One step of decompression. @in: moved along. @within: set if a frame is incomplete. Return:
 * bytes, perhaps 0; -EBADMSG if the data are damaged. Then at most 4096 bytes before the damage are
 * missing.
 */
ssize_t fxt_unzstd(ZSTD_DStream *zstd, ZSTD_inBuffer *in, void *to, size_t bytes, bool *within);

/* Reads the next bytes of a source. Return: bytes; 0 at the end; a negative errno. */
typedef ssize_t (*fxt_source_fn)(void *source, void *to, size_t bytes);

struct fxt_frames;

/*
 * @read: called by several threads, but never by two at the same time. @source: its next byte
 * begins a frame. @threads: to create besides the caller, for when it has to wait; if they cannot
 * be created, the caller does all of the work. Return: NULL without memory.
 */
struct fxt_frames *fxt_frames_open(fxt_source_fn read, void *source, unsigned int threads);

/*
 * Return: bytes; 0 at the end of the source, or before a frame that is left to the caller; -EBADMSG
 * if a frame is damaged; a negative errno of the source.
 */
ssize_t fxt_frames_read(struct fxt_frames *f, void *to, size_t bytes);

/*
 * End the threads. Waits for the source if a thread reads it. Return: after 0 from
 * fxt_frames_read(), how many of the last bytes from the source are of frames left to the caller.
 */
size_t fxt_frames_close(struct fxt_frames *f);

#endif /* LIBFXT_ZSTD_FRAMES_H */
