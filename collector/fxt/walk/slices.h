/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - what has begun and may not have ended: the slices of a track, the innermost first.
 *
 * Users put struct slice at the head of structures of their own, which they allocate and free.
 */
#ifndef FXT_WALK_SLICES_H
#define FXT_WALK_SLICES_H

#include <stddef.h>
#include <stdint.h>

#define SLICE_OPEN	UINT64_MAX
#define SLICE_SEARCH	1024		/* slices among which one is searched */

struct slice {
	struct slice *outer;
	uint64_t begin;		/* ns */
	uint64_t end;		/* ns, or SLICE_OPEN */
	uint64_t name;		/* the same number for equal names */
};

static inline void slice_push(struct slice **top, struct slice *s)
{
	s->outer = *top;
	*top = s;
}

/** slice_remove() - remove a slice; @at: the pointer to it. Return: it */
static inline struct slice *slice_remove(struct slice **at)
{
	struct slice *s = *at;

	*at = s->outer;
	return s;
}

/** slice_innermost() - find the innermost open slice. Return: the pointer to it, maybe to NULL */
static inline struct slice **slice_innermost(struct slice **at)
{
	while (*at && (*at)->end != SLICE_OPEN)
		at = &(*at)->outer;
	return at;
}

#endif /* FXT_WALK_SLICES_H */
