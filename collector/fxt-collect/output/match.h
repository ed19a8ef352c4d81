/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - what zstd can repeat, found by records instead of bytes.
 *
 * What flows in: a block that zstd is to compress. What flows out: a parse of it, as
 * zstd would make one itself: bytes as they are, and copies of what came before.
 *
 * zstd looks for any bytes that it has seen. We know better: a record is like an
 * earlier one of the same kind with the same threads, but for the low bytes of its
 * time; and as long as events repeat, the distance to that one stays the same, which
 * zstd tells in a fraction of a bit.
 */
#ifndef FXT_COLLECT_OUTPUT_MATCH_H
#define FXT_COLLECT_OUTPUT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define ZSTD_STATIC_LINKING_ONLY	/* the interface to parses of others */
#include <zstd.h>

#define OUTPUT_MATCH_BITS	12

/**
 * struct output_match - what is known of the block that is being parsed
 * @rest: words of the block to come that belong to the last record of this one
 * @same: by all words but the time, where a record of those was last seen: words from
 *	the beginning of the block, plus 1
 * @like: by kind, CPU and first thread, likewise
 */
struct output_match {
	size_t rest;
	uint32_t same[1 << OUTPUT_MATCH_BITS];
	uint32_t like[1 << OUTPUT_MATCH_BITS];
};

/** output_match_begin() - a record begins with the next byte */
void output_match_begin(struct output_match *m);

/**
 * output_match_parse() - parse a block
 * @state: the struct output_match
 * @out: the parse
 * @room: sequences that fit into @out: at least ZSTD_sequenceBound(@bytes)
 * @src: the block: any bytes, though only records make it small
 * @bytes: its length
 * @dict: not used, like all after it
 * @dict_bytes: zstd gives none
 * @level: of zstd
 * @window: bytes, never less than a block
 *
 * It has the type that ZSTD_registerSequenceProducer() asks for.
 *
 * Return: the number of sequences; the last of them is literals only.
 */
size_t output_match_parse(void *state, ZSTD_Sequence *out, size_t room, const void *src,
			  size_t bytes, const void *dict, size_t dict_bytes, int level,
			  size_t window);

/**
 * output_match_use() - have zstd use it from now on
 * @zstd: the compressor
 * @m: must stay as long as @zstd
 *
 * Return: false if this zstd does not know how, which does no harm.
 */
bool output_match_use(ZSTD_CCtx *zstd, struct output_match *m);

#endif /* FXT_COLLECT_OUTPUT_MATCH_H */
