// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slices_self.c - see slices_self.h.
 *
 * A trace may have the outer slice before or after the inner ones, so all are sorted first.
 */
#include <errno.h>
#include <stdlib.h>

#include "slices_self.h"

/* @track and @name: numbers */
struct slices_piece {
	uint64_t begin;
	uint64_t end;
	uint32_t track;
	uint32_t name;
};

int slices_keep(struct slices *s, const struct slices_track *track, uint32_t name,
		uint64_t begin, uint64_t end)
{
	struct slices_piece *pieces;
	size_t room;

	if (s->piece_count == SLICES_KEPT) {
		s->unkept++;
		return 0;
	}
	if (s->piece_count == s->piece_room) {
		room = s->piece_room ? 2 * s->piece_room : 1024;
		pieces = realloc(s->pieces, room * sizeof(*pieces));
		if (!pieces)
			return -ENOMEM;
		s->pieces = pieces;
		s->piece_room = room;
	}
	s->pieces[s->piece_count++] = (struct slices_piece){ begin, end, track->number, name };
	return 0;
}

/* By track and begin; the outer one first. */
static int compare(const void *one, const void *other)
{
	const struct slices_piece *a = one, *b = other;

	if (a->track != b->track)
		return a->track < b->track ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

/*
 * A piece takes its time from the innermost one that has begun. Pieces of one thread should not
 * overlap otherwise; of those that do, only the common part is taken.
 */
static void take(struct slices *s, const struct slices_piece *outer,
		 const struct slices_piece *p)
{
	uint64_t end = p->end < outer->end ? p->end : outer->end;

	s->names[outer->name]->self -= end - p->begin;
}

/* @open: room for the pieces that have begun; each one ends no later than the one below. */
static void nest(struct slices *s, const struct slices_piece **open)
{
	const struct slices_piece *p = s->pieces, *end = p + s->piece_count;
	uint64_t covered = 0;
	size_t depth = 0;

	for (; p < end; p++) {
		if (p == s->pieces || p->track != p[-1].track)
			depth = covered = 0;
		while (depth && open[depth - 1]->end <= p->begin)
			depth--;
		s->names[p->name]->self += p->end - p->begin;
		if (depth)
			take(s, open[depth - 1], p);
		if (p->end > covered) {
			s->tracks[p->track]->covered += p->end -
				(covered > p->begin ? covered : p->begin);
			covered = p->end;
		}
		open[depth++] = p;
	}
}

void slices_nest(struct slices *s)
{
	const struct slices_piece **open;

	if (!s->piece_count)
		return;
	open = calloc(s->piece_count, sizeof(*open));
	if (!open) {
		s->unkept += s->piece_count;
		return;
	}
	qsort(s->pieces, s->piece_count, sizeof(*s->pieces), compare);
	nest(s, open);
	free(open);
}
