/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compress.h - an archive as a sequence of compressed frames. */
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

/* State of the frame being parsed. */
struct output_match {
	size_t at;		/* words of the frame before the block */
	size_t rest;		/* words at the next block's head that belong to the last record */
	size_t distance;	/* of the last copy, words; 0 if there is none */
	size_t before;		/* the distance before that one */
	bool is_alone;	/* no block refers to earlier ones: the frame is not of whole words */
	/* Hash of all words but the time -> 1 + position (words of the frame) of the last one. */
	uint32_t same[1 << OUTPUT_MATCH_BITS];
	uint32_t like[1 << OUTPUT_MATCH_BITS];	/* hash of kind, CPU and first thread -> the same */
	/* The last words of the frame; zstd passes each block without those before it. */
	uint64_t history[OUTPUT_MATCH_HISTORY];
};

/* The next byte begins a frame, and a record. */
void output_match_begin(struct output_match *m);

/**
 * output_match_parse() - parse a block; of the type that ZSTD_registerSequenceProducer() requires
 * @state: the struct output_match
 * @room: sequences that fit into @out: at least ZSTD_sequenceBound(@bytes)
 * @src: the block: any bytes, but only records compress well
 * @window: bytes that a copy may go back, never less than a block
 *
 * The other parameters are unused. Return: the number of sequences; the last one has only literals.
 */
size_t output_match_parse(void *state, ZSTD_Sequence *out, size_t room, const void *src,
			  size_t bytes, const void *dict, size_t dict_bytes, int level,
			  size_t window);

/*
 * Register the parser with zstd; @m must live as long as @zstd. Return: false if this zstd lacks
 * the interface; it then finds matches itself
 */
bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m);

/* --- the compressing thread ------------------------------------------------------------- */

/**
 * output_thread_open() - set up the compressor; the first block creates the thread
 * @level: 0 for the default
 * @file: the file below
 * @marks: receives the ends of frames
 *
 * Return: 0, -ENOMEM, -EINVAL for an unknown level.
 */
int output_thread_open(struct output_thread **t, enum compression compression, int level,
		       struct output_file *file, struct output_marks *marks);

/* Queue bytes. Return: 0 or the thread's error */
int output_thread_write(struct output_thread *t, const void *data, size_t bytes);

/* Queue a boundary and all bytes before it. Return: 0 or the thread's error */
int output_thread_boundary(struct output_thread *t);

/* Wait until everything is in the file. Return: 0 or the thread's error */
int output_thread_finish(struct output_thread *t);

/* End the thread, discard its queue and its error. */
void output_thread_stop(struct output_thread *t);

/* After that: continue at @archive, without a thread. */
void output_thread_restart(struct output_thread *t, uint64_t archive);

/* Bytes of the archive that the file certainly holds. */
uint64_t output_thread_safe(const struct output_thread *t);

void output_thread_close(struct output_thread *t);

#endif /* FXT_COLLECT_OUTPUT_COMPRESS_H */
