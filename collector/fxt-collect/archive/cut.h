/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut.h - end an archive at one instant on all CPUs.
 *
 * In: chunks fetched when the next archive is due. Out: the part of each up to that
 * instant; later, the rest, for the next archive.
 *
 * Streams are fetched one after the other. If each were cut at its current end, a wakeup
 * could be in one archive and the switch-in that it caused, on a CPU fetched later, in
 * the previous one.
 */
#ifndef FXT_COLLECT_ARCHIVE_CUT_H
#define FXT_COLLECT_ARCHIVE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "chunks.h"

/** struct cut - records held back for the next archive; initialized with zeros */
struct cut {
	bool is_on;			/* chunks are being cut */
	uint64_t at;			/* the instant, in ticks */
	struct chunks held;		/* the chunks */
};

/** cut_begin() - hold back records after @at, in ticks */
void cut_begin(struct cut *cut, uint64_t at);

/**
 * cut_chunk() - divide a chunk
 * @cut: active; holds back the later part as a chunk of its own
 * @c: the chunk; shortened to the part for this archive, possibly to 0 bytes
 *
 * The stream of names is not divided, because its records have no time.
 *
 * Return: 0, -ENOMEM, or -EPROTO for a malformed chunk.
 */
int cut_chunk(struct cut *cut, struct chunk *c);

/**
 * cut_end() - hand out the chunks held back, in order, and stop holding back
 * @cut: active
 * @take: returns 0 or a negative errno that ends the call
 *
 * Return: 0 or what @take returned.
 */
int cut_end(struct cut *cut, int (*take)(void *arg, const struct chunk *c), void *arg);

/** cut_free() - discard everything */
void cut_free(struct cut *cut);

#endif /* FXT_COLLECT_ARCHIVE_CUT_H */
