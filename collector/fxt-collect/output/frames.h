/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - an archive as a sequence of compressed frames.
 */
#ifndef FXT_COLLECT_OUTPUT_FRAMES_H
#define FXT_COLLECT_OUTPUT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "file.h"
#include "marks.h"
#include "match.h"
#include "options.h"

/**
 * struct output_frames - a compressor and its state
 * @compression: the kind
 * @zstd: state of zstd, or NULL
 * @match: finds matches for zstd; NULL: zstd does
 * @gzip: state of gzip
 * @room: buffer of compressed bytes
 * @file: the file below
 * @marks: receives the ends of frames
 * @archive: bytes of the archive given so far
 * @flushed: how many of them the file certainly holds; read by any thread
 * @held: how many are in the open frame; 0 if none is open
 * @began: arrival of the first of those, ns
 * @flushed_at: time of the last flush, ns
 * @at_boundary: the last byte given ends a chunk
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

/** output_frames_open() - initialize; 0, -ENOMEM, -EINVAL for an unknown level */
int output_frames_open(struct output_frames *f, enum compression compression,
		       int level);
void output_frames_close(struct output_frames *f);

/** output_frames_write() - compress; 0 or a negative errno */
int output_frames_write(struct output_frames *f, const void *data, size_t bytes);

/** output_frames_boundary() - a chunk ends here: flush, or end the frame, if due */
int output_frames_boundary(struct output_frames *f);

/** output_frames_tend() - flush, or end the frame, if due */
int output_frames_tend(struct output_frames *f);

/** output_frames_due() - when to call output_frames_tend(), ns; UINT64_MAX for never */
uint64_t output_frames_due(const struct output_frames *f);

/** output_frames_end() - end the open frame */
int output_frames_end(struct output_frames *f);

/**
 * output_frames_restart() - continue after the file was cut to @archive bytes of the
 * archive
 */
void output_frames_restart(struct output_frames *f, uint64_t archive);

/** output_now() - CLOCK_MONOTONIC in ns */
uint64_t output_now(void);

#endif /* FXT_COLLECT_OUTPUT_FRAMES_H */
