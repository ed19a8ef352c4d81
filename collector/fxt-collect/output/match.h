/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - find matches for zstd by records instead of bytes.
 *
 * In: a block for zstd to compress. Out: a parse of it: literals, and copies of earlier
 * bytes.
 *
 * zstd searches for any bytes it has seen. Here more is known: a record resembles an
 * earlier one of the same kind with the same threads, except for the low bytes of its
 * time; and while events repeat, the distance to that record stays the same, which zstd
 * encodes in a fraction of a bit.
 */
#ifndef FXT_COLLECT_OUTPUT_MATCH_H
#define FXT_COLLECT_OUTPUT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define ZSTD_STATIC_LINKING_ONLY	/* for the sequence producer interface */
#include <zstd.h>

#define OUTPUT_MATCH_BITS	12

/**
 * struct output_match - state of the block being parsed
 * @rest: words at the beginning of the next block that belong to the last record of this
 *	one
 * @same: hash of all words but the time -> last position of such a record: words from the
 *	beginning of the block, plus 1
 * @like: hash of kind, CPU and first thread -> the same
 */
struct output_match {
	size_t rest;
	uint32_t same[1 << OUTPUT_MATCH_BITS];
	uint32_t like[1 << OUTPUT_MATCH_BITS];
};

/** output_match_begin() - the next byte begins a record */
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
 * @window: bytes, never less than a block
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

#endif /* FXT_COLLECT_OUTPUT_MATCH_H */
