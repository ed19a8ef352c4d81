/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut.h - end an archive at one instant on all CPUs.
 *
 * What flows in: chunks that are fetched when the next archive is due. What flows out:
 * of each what happened up to that instant; the rest, later, for the next archive.
 *
 * Streams are fetched one after the other. Were they cut where each one stands, a
 * wakeup could be in one archive, and the switch-in that it led to, on a CPU that was
 * looked at later, in the one before.
 */
#ifndef FXT_COLLECT_ARCHIVE_CUT_H
#define FXT_COLLECT_ARCHIVE_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "source/source.h"

/**
 * struct cut - what is held back for the next archive; begins as zeros
 * @is_on: chunks are being cut
 * @at: ticks: the instant
 * @words: chunks that were held back, each behind a word that has its length in bytes
 * @used: words of them
 * @room: words that there is room for
 */
struct cut {
	bool is_on;
	uint64_t at;
	__u64 *words;
	size_t used;
	size_t room;
};

/** cut_begin() - hold back what happened after @at, in ticks */
void cut_begin(struct cut *cut, uint64_t at);

/**
 * cut_chunk() - divide a chunk
 * @cut: begun; holds back the later part, made into a chunk of its own
 * @c: the chunk; what is left of it for this archive, 0 bytes if nothing is
 *
 * The stream of names is not divided, for its records have no time.
 *
 * Return: 0, -ENOMEM, or -EPROTO if it is not as chunks are.
 */
int cut_chunk(struct cut *cut, struct chunk *c);

/**
 * cut_end() - hand out what was held back, in its order, and hold back no more
 * @cut: begun
 * @take: returns 0 or a negative errno that ends the call
 * @arg: for @take
 *
 * Return: 0 or what @take returned.
 */
int cut_end(struct cut *cut, int (*take)(void *arg, const struct chunk *c), void *arg);

/** cut_free() - forget all */
void cut_free(struct cut *cut);

#endif /* FXT_COLLECT_ARCHIVE_CUT_H */
