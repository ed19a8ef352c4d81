/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slices.h - the slices of a track that may not have ended, the innermost first.
 *
 * Users put struct slice at the head of structures of their own, which they allocate and free.
 */
#ifndef FXT_WALK_SLICES_H
#define FXT_WALK_SLICES_H

#include <stddef.h>
#include <stdint.h>

#define SLICE_OPEN	UINT64_MAX
#define SLICE_SEARCH	1024		/* slices to search */

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

/* Remove the slice that @at points to. Returns it. */
static inline struct slice *slice_remove(struct slice **at)
{
	struct slice *s = *at;

	*at = s->outer;
	return s;
}

/* Returns the pointer to the innermost open slice, or to NULL. */
static inline struct slice **slice_innermost(struct slice **at)
{
	while (*at && (*at)->end != SLICE_OPEN)
		at = &(*at)->outer;
	return at;
}

#endif /* FXT_WALK_SLICES_H */
