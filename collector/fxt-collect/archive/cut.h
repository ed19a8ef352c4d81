/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cut.h - end an archive at one instant on all CPUs, by dividing the chunks fetched when the next
 * archive is due.
 *
 * Streams are fetched one after the other. If each were cut at its current end, a wakeup could be
 * in one archive and the switch-in that it caused, on a CPU fetched later, in the previous one.
 */
#ifndef FXT_COLLECT_ARCHIVE_CUT_H
#define FXT_COLLECT_ARCHIVE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "chunks.h"

/* Records held back for the next archive; initialize with zeros. */
struct cut {
	bool is_on;			/* chunks are being cut */
	uint64_t at;			/* the instant, in ticks */
	struct chunks held;
};

/* Hold back records after @at, in ticks. */
void cut_begin(struct cut *cut, uint64_t at);

/**
 * cut_chunk() - shorten a chunk to the part for this archive, possibly to 0 bytes; hold back the
 * rest
 *
 * The stream of names is not divided, because its records have no time.
 *
 * Return: 0, -ENOMEM, or -EPROTO for a malformed chunk.
 */
int cut_chunk(struct cut *cut, struct chunk *c);

/*
 * Hand out the chunks held back, in order, and stop holding back. An error of @take ends the call
 * and is returned.
 */
int cut_end(struct cut *cut, int (*take)(void *arg, const struct chunk *c), void *arg);

void cut_free(struct cut *cut);

#endif /* FXT_COLLECT_ARCHIVE_CUT_H */
