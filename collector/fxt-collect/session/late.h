/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late.h - chunks whose stacks lack frames until files have been read.
 */
#ifndef FXT_COLLECT_SESSION_LATE_H
#define FXT_COLLECT_SESSION_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "state.h"

/**
 * typedef late_take - what is done with a chunk that is complete
 *
 * Return: 0 or a negative errno.
 */
typedef int (*late_take)(struct session *s, const struct chunk *c);

/**
 * late_put() - take a chunk of a CPU
 * @s: the session
 * @c: the chunk, with copies of stacks; a copy is kept if it has to wait
 * @take: gets it and those before it, in their order, now or later
 *
 * Return: 0 or a negative errno.
 */
int late_put(struct session *s, const struct chunk *c, late_take take);

/** late_is_empty() - does no chunk wait? */
static inline bool late_is_empty(const struct session *s)
{
	return chunks_are_none(&s->late_chunks.chunks);
}

/**
 * late_wait() - wait until all of them are complete
 * @s: the session
 * @until: ns, as session_now(): no longer than this
 * @take: gets those that are
 *
 * What has waited for too long is taken as it is; its stacks are counted as incomplete.
 *
 * Return: 0 or a negative errno.
 */
int late_wait(struct session *s, uint64_t until, late_take take);

/** late_end() - likewise, but none waits after @until any more */
int late_end(struct session *s, uint64_t until, late_take take);

#endif /* FXT_COLLECT_SESSION_LATE_H */
