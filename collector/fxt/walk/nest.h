/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest.h - the slices of a track, as Perfetto nests them.
 *
 * In: begins, instants and ends of one track, in the order of time.
 * Out: which slice contains another one, which one an end belongs to, and when each leaves the
 * stack. Where slices do not nest, Perfetto's rules apply:
 *
 * - An ended slice stays on the stack until it is the topmost one, or until a slice, an instant or
 *   an end comes that is later than its end. Then it takes all slices above it with it, and they
 *   end when it ended.
 * - An instant is a slice without duration.
 *
 * Users put struct slice at the head of structures of their own, which they allocate. The end of an
 * instant is its begin, an unknown end is SLICE_OPEN.
 */
#ifndef FXT_WALK_NEST_H
#define FXT_WALK_NEST_H

#include <stdbool.h>

#include "slices.h"

#define NEST_MOST	512	/* slices on a stack */
#define NEST_ANY_NAME	0

struct nest {
	struct slice *top;
	uint32_t depth;		/* number of slices */
	uint32_t ended;		/* those of them that are not open */
	uint32_t misplaced;	/* times that a slice took others with it; users may reset it */
};

/* Takes the slices that leave the stack, and frees them. */
struct nest_user {
	void (*drop)(void *arg, struct slice *s);
	void *arg;
};

enum nest_fate {
	NEST_DRAWN,
	NEST_OVERLAP,		/* it begins within a slice that ends before it */
	NEST_DEEP,		/* the stack is full */
};

/* Add a slice or an instant. If Perfetto does not draw it, it is not on the stack. */
enum nest_fate nest_begin(struct nest *n, struct slice *s, const struct nest_user *u);

/*
 * End the innermost open slice of this name, or NEST_ANY_NAME. Returns it, for nest_drop_ended();
 * NULL if there is none.
 */
struct slice *nest_end(struct nest *n, uint64_t ns, uint64_t name, const struct nest_user *u);

/* Drop the slice that just ended, if it is the topmost one. */
void nest_drop_ended(struct nest *n, const struct slice *s, const struct nest_user *u);

void nest_drop_all(struct nest *n, const struct nest_user *u);

#endif /* FXT_WALK_NEST_H */
