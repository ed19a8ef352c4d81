// SPDX-License-Identifier: GPL-2.0-or-later
/* nest.c - see nest.h. */
#include "nest.h"

static void set_end(struct nest *n, struct slice *s, uint64_t end)
{
	n->ended -= s->end != SLICE_OPEN;
	n->ended += end != SLICE_OPEN;
	s->end = end;
}

static void drop_top(struct nest *n, const struct nest_user *u)
{
	n->depth--;
	n->ended -= n->top->end != SLICE_OPEN;
	u->drop(u->arg, slice_remove(&n->top));
}

static bool is_over(const struct slice *s, uint64_t begin, uint64_t end)
{
	/* An instant at the same time as another one is inside it. */
	return s->end < begin || (s->end == begin && !(s->begin == s->end && begin == end));
}

/* Drop a slice that is over, and end those above with it. @depth: slices below it */
static void cut_above(struct nest *n, uint32_t depth, uint64_t end, const struct nest_user *u)
{
	while (n->depth > depth + 1) {
		set_end(n, n->top, end > n->top->begin ? end : n->top->begin);
		drop_top(n, u);
	}
	drop_top(n, u);
	n->misplaced++;
}

/*
 * Drop what is over when a slice begins or ends. Perfetto removes the topmost slice for each slice
 * that is over; usually that is the same one. At most as many are removed as were visited, so the
 * next one to visit is still there. Beyond the last ended one, only open slices are left.
 * @end: of the slice that begins, ns; SLICE_OPEN if one ends. Returns false if the slice begins
 * within one that ends before it.
 */
static bool close_over(struct nest *n, uint64_t begin, uint64_t end, const struct nest_user *u)
{
	uint32_t depth = n->depth, ended = n->ended;
	struct slice *s, *outer;
	bool is_in_open = false;

	for (s = n->top; ended; s = outer) {
		outer = s->outer;
		depth--;
		ended -= s->end != SLICE_OPEN;
		if (s->end == SLICE_OPEN) {
			is_in_open = true;
		} else if (is_in_open) {
			if (begin <= s->end)
				continue;
			cut_above(n, depth, s->end, u);
			is_in_open = false;
		} else if (is_over(s, begin, end)) {
			drop_top(n, u);
		} else if (end != SLICE_OPEN && begin < s->end && end > s->end) {
			return false;
		}
	}
	return true;
}

enum nest_fate nest_begin(struct nest *n, struct slice *s, const struct nest_user *u)
{
	enum nest_fate fate = !close_over(n, s->begin, s->end, u) ? NEST_OVERLAP :
			      n->depth >= NEST_MOST ? NEST_DEEP : NEST_DRAWN;

	if (fate == NEST_DRAWN) {
		slice_push(&n->top, s);
		n->depth++;
		n->ended += s->end != SLICE_OPEN;
	}
	return fate;
}

struct slice *nest_end(struct nest *n, uint64_t ns, uint64_t name, const struct nest_user *u)
{
	struct slice *s;

	close_over(n, ns, SLICE_OPEN, u);
	s = *slice_innermost(&n->top);
	while (s && name != NEST_ANY_NAME && s->name != name)
		s = *slice_innermost(&s->outer);
	if (s)
		set_end(n, s, ns > s->begin ? ns : s->begin);
	return s;
}

void nest_drop_ended(struct nest *n, const struct slice *s, const struct nest_user *u)
{
	if (s == n->top)
		drop_top(n, u);
}

void nest_drop_all(struct nest *n, const struct nest_user *u)
{
	while (n->top)
		drop_top(n, u);
}
