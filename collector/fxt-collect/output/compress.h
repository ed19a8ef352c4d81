/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compress.h - an archive as a sequence of compressed frames.
 */
#ifndef FXT_COLLECT_OUTPUT_COMPRESS_H
#define FXT_COLLECT_OUTPUT_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY	/* for the sequence producer interface */
#include <zstd.h>

#include "file.h"

struct output_thread;

#define OUTPUT_MATCH_BITS	12
#define OUTPUT_MATCH_HISTORY	(1U << 17)	/* words; zstd's window for level 1 and a block */

/** struct output_match - state of the frame being parsed */
struct output_match {
	size_t at;		/* words of the frame before the block */
	/* Words at the beginning of the next block that belong to the last record of this one. */
	size_t rest;
	size_t distance;	/* of the last copy, words; 0 if there is none */
	size_t before;		/* the distance before that one */
	/* No block refers to one before it, because the frame is not of whole words. */
	bool is_alone;
	/*
	 * Hash of all words but the time -> last position of such a record: words from the
	 * beginning of the frame, plus 1.
	 */
	uint32_t same[1 << OUTPUT_MATCH_BITS];
	uint32_t like[1 << OUTPUT_MATCH_BITS];	/* hash of kind, CPU and first thread -> the same */
	/* The last words of the frame; zstd passes each block without those before it. */
	uint64_t history[OUTPUT_MATCH_HISTORY];
};

/** output_match_begin() - the next byte begins a frame, and a record */
void output_match_begin(struct output_match *m);

/**
 * output_match_parse() - parse a block
 * @state: the struct output_match
 * @out: the parse
 * @room: number of sequences that fit into @out: at least ZSTD_sequenceBound(@bytes)
 * @src: the block: any bytes, but only records compress well
 * @bytes: its length
 * @dict: unused, like all parameters after it
 * @dict_bytes: zstd passes none
 * @level: level of zstd
 * @window: bytes that a copy may go back, never less than a block
 *
 * Has the type required by ZSTD_registerSequenceProducer().
 *
 * Return: the number of sequences; the last one has only literals.
 */
size_t output_match_parse(void *state, ZSTD_Sequence *out, size_t room, const void *src,
			  size_t bytes, const void *dict, size_t dict_bytes, int level,
			  size_t window);

/**
 * output_match_use() - register the parser with zstd
 * @zstd: the compressor
 * @m: must live as long as @zstd
 *
 * Return: false if this zstd lacks the interface; it then finds matches itself.
 */
bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m);

/* --- the compressing thread ------------------------------------------------------------- */

/**
 * output_thread_open() - set up the compressor; the thread is created with the first
 * block
 * @t: set to the thread
 * @compression: which compressor
 * @level: its level; 0 for the default
 * @file: the file below
 * @marks: receives the ends of frames
 *
 * Return: 0, -ENOMEM, -EINVAL for an unknown level.
 */
int output_thread_open(struct output_thread **t, enum compression compression, int level,
		       struct output_file *file, struct output_marks *marks);

/** output_thread_write() - queue bytes; 0 or the thread's error */
int output_thread_write(struct output_thread *t, const void *data, size_t bytes);

/** output_thread_boundary() - queue a boundary and all bytes before it */
int output_thread_boundary(struct output_thread *t);

/** output_thread_finish() - wait until everything is in the file; 0 or the thread's error */
int output_thread_finish(struct output_thread *t);

/** output_thread_stop() - end the thread, discard its queue and its error */
void output_thread_stop(struct output_thread *t);

/** output_thread_restart() - after that: continue at @archive, without a thread */
void output_thread_restart(struct output_thread *t, uint64_t archive);

/** output_thread_safe() - bytes of the archive that the file certainly holds */
uint64_t output_thread_safe(const struct output_thread *t);

void output_thread_close(struct output_thread *t);

#endif /* FXT_COLLECT_OUTPUT_COMPRESS_H */
