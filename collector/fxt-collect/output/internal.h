/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internal.h - what the parts of the output share.
 *
 * What flows in: bytes of an archive, from output.c. What flows out: bytes in a
 * file (file.c), which came there straight, or by way of a thread
 * (thread.c) that makes frames of them (frames.c).
 */
#ifndef FXT_COLLECT_OUTPUT_INTERNAL_H
#define FXT_COLLECT_OUTPUT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "broker.h"
#include "output.h"
#include "match.h"

/* --- files: file.c ------------------------------------------------------ */

/**
 * struct output_file - an open file
 * @place: the file itself
 * @broker: who opened it
 * @end: see struct output_options
 * @base: where in the file it begins: standard output may hold something already
 * @bytes: in the file after @base; written by one thread, read by any
 */
struct output_file {
	struct place_file place;
	struct broker *broker;
	int end;
	uint64_t base;
	uint64_t bytes;
};

/** output_file_open() - as output_open(); @f holds nothing to be freed on error */
int output_file_open(struct output_file *f, const char *path,
		     const struct output_options *options, struct error *e);

/** output_file_write() - all of the bytes, or a negative errno and as many as fit */
int output_file_write(struct output_file *f, const void *data, size_t bytes);

/** output_file_cut() - go back to a length; 0, -ESPIPE or another negative errno */
int output_file_cut(struct output_file *f, uint64_t bytes);

/**
 * output_file_close() - close it
 * @f: the file
 * @keep: it is complete: if it has another name till then, rename it
 *
 * Return: 0 or a negative errno; -ENOENT if it has been removed meanwhile.
 */
int output_file_close(struct output_file *f, bool keep);

static inline uint64_t output_file_bytes(const struct output_file *f)
{
	return __atomic_load_n(&f->bytes, __ATOMIC_RELAXED);
}

/* --- where a file can be cut: output.c ------------------------------------------ */

#define OUTPUT_MARKS	4096

/**
 * struct output_mark - a place where the file can be cut
 * @archive: bytes of the archive before it
 * @file: bytes of the file before it
 */
struct output_mark {
	uint64_t archive;
	uint64_t file;
};

/**
 * struct output_marks - such places, in order
 *
 * When there are too many, every other one is forgotten. So they reach over all of
 * the file, and are the denser the nearer they are to its end.
 */
struct output_marks {
	size_t count;
	struct output_mark marks[OUTPUT_MARKS];
};

/** output_marks_add() - the file can be cut here, which is behind all others */
void output_marks_add(struct output_marks *m, uint64_t archive, uint64_t file);

/* --- frames: frames.c ----------------------------------------------------- */

/**
 * struct output_frames - a compressor, and what it has been given
 * @compression: which one
 * @zstd: its state, or
 * @match: what finds repetitions for it, NULL if it does so itself
 * @gzip: its state
 * @room: compressed bytes on their way
 * @file: where they go
 * @marks: where the ends of frames are noted
 * @archive: bytes of the archive given so far
 * @flushed: how many of them the file holds for sure; read by any thread
 * @held: how many are in the frame that is open; 0 if none is
 * @began: when the first of those came, ns
 * @flushed_at: when the file was last brought up to date, ns
 * @at_boundary: what was given ends with a whole chunk
 */
struct output_frames {
	enum compression compression;
	ZSTD_CCtx *zstd;
	struct output_match *match;
	z_stream gzip;
	unsigned char *room;
	struct output_file *file;
	struct output_marks *marks;
	uint64_t archive;
	uint64_t flushed;
	uint64_t held;
	uint64_t began;
	uint64_t flushed_at;
	bool at_boundary;
};

/** output_frames_open() - begin; 0, -ENOMEM, -EINVAL for an unknown level */
int output_frames_open(struct output_frames *f, enum compression compression,
		       int level);
void output_frames_close(struct output_frames *f);

/** output_frames_write() - compress; 0 or a negative errno */
int output_frames_write(struct output_frames *f, const void *data, size_t bytes);

/** output_frames_boundary() - whole chunks up to here: flush, or end the frame, if due */
int output_frames_boundary(struct output_frames *f);

/** output_frames_tend() - flush, or end the frame, if that has become due */
int output_frames_tend(struct output_frames *f);

/** output_frames_due() - when to call output_frames_tend(), ns; UINT64_MAX for never */
uint64_t output_frames_due(const struct output_frames *f);

/** output_frames_end() - end the frame that is open */
int output_frames_end(struct output_frames *f);

/** output_frames_restart() - the file was cut: no frame is open; @archive is in it */
void output_frames_restart(struct output_frames *f, uint64_t archive);

/** output_now() - CLOCK_MONOTONIC in ns */
uint64_t output_now(void);

/* --- the thread: thread.c -------------------------------------------------- */

struct output_thread;

/**
 * output_thread_open() - set up what compresses; the thread is made when it is needed
 * @t: set to it
 * @options: compression and level
 * @file: where to
 * @marks: where it notes the ends of frames
 *
 * Return: 0, -ENOMEM, -EINVAL for an unknown level.
 */
int output_thread_open(struct output_thread **t, const struct output_options *options,
		       struct output_file *file, struct output_marks *marks);

/** output_thread_write() - queue bytes; 0 or the thread's error */
int output_thread_write(struct output_thread *t, const void *data, size_t bytes);

/** output_thread_boundary() - queue a boundary, and all before it */
int output_thread_boundary(struct output_thread *t);

/** output_thread_finish() - wait until all is in the file; 0 or the thread's error */
int output_thread_finish(struct output_thread *t);

/** output_thread_stop() - end the thread, forget what is queued and its error */
void output_thread_stop(struct output_thread *t);

/** output_thread_restart() - after that: go on at @archive, without a thread */
void output_thread_restart(struct output_thread *t, uint64_t archive);

/** output_thread_safe() - bytes of the archive that are in the file for sure */
uint64_t output_thread_safe(const struct output_thread *t);

void output_thread_close(struct output_thread *t);

#endif /* FXT_COLLECT_OUTPUT_INTERNAL_H */
