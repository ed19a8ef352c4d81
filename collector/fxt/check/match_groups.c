// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_groups.c - see match_groups.h.
 *
 * Must hold: memory stays within the limits of match_data.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "match_groups.h"

#define FIRST_ROOM	1024

/* --- groups --------------------------------------------------------------------- */

static size_t bucket_of(enum group_kind kind, uint64_t a, uint64_t b, size_t room)
{
	return (((a * 31 + b) * 8 + kind) * 0x9e3779b97f4a7c15ULL) >> 32 & (room - 1);
}

static int grow(struct check_match *m)
{
	size_t room = m->room ? 2 * m->room : FIRST_ROOM, i, to;
	struct match_group **more = calloc(room, sizeof(*more)), *g, *next;

	if (!more)
		return -ENOMEM;
	for (i = 0; i < m->room; i++) {
		for (g = m->groups[i]; g; g = next) {
			next = g->next;
			to = bucket_of(g->kind, g->a, g->b, room);
			g->next = more[to];
			more[to] = g;
		}
	}
	free(m->groups);
	m->groups = more;
	m->room = room;
	return 0;
}

/* NULL if there is none. */
struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
				uint64_t b)
{
	struct match_group *g = m->room ? m->groups[bucket_of(kind, a, b, m->room)] : NULL;

	while (g && (g->kind != kind || g->a != a || g->b != b))
		g = g->next;
	return g;
}

/* NULL if there are too many, or no memory. */
struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
			       uint64_t b)
{
	struct match_group *g = match_find(m, kind, a, b);
	size_t i;

	if (g || m->group_count + m->open >= MATCH_OPEN ||
	    (m->group_count >= m->room && grow(m)))
		return g;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	i = bucket_of(kind, a, b, m->room);
	*g = (struct match_group){ .next = m->groups[i], .a = a, .b = b, .kind = kind };
	m->groups[i] = g;
	m->group_count++;
	return g;
}

void match_drop(struct check_match *m, struct match_group *g)
{
	struct match_group **at = &m->groups[bucket_of(g->kind, g->a, g->b, m->room)];

	while (*at != g)
		at = &(*at)->next;
	*at = g->next;
	m->group_count--;
	free(g);
}

/* Beyond MATCH_FINDINGS, only count. */
static void add_more(struct check_sum *more, uint64_t offset, uint64_t record)
{
	if (!more->count++) {
		more->offset = offset;
		more->record = record;
	}
}

void match_not_judged(struct check_match *m, const struct match_event *e)
{
	/* The rules of the format and those of Perfetto have a stack each. */
	if (m->not_judged.count && m->last_not_judged == e->record)
		return;
	m->last_not_judged = e->record;
	add_more(&m->not_judged, e->offset, e->record);
}

void match_push(struct check_match *m, struct match_open **to, const struct match_event *e,
		uint64_t end)
{
	struct match_open *o = to && m->group_count + m->open < MATCH_OPEN ?
			       malloc(sizeof(*o)) : NULL;

	if (!o) {
		match_not_judged(m, e);
		return;
	}
	*o = (struct match_open){ *to, e->time, end, e->name, e->offset, e->record };
	*to = o;
	m->open++;
}

void match_pop(struct check_match *m, struct match_open **at)
{
	struct match_open *o = *at;

	*at = o->below;
	m->open--;
	free(o);
}

/* --- findings ------------------------------------------------------------------- */

void match_add(struct check_match *m, uint8_t kind, uint64_t offset, uint64_t record,
	       uint64_t time)
{
	size_t room = m->finding_room ? 2 * m->finding_room : FIRST_ROOM;
	struct match_finding *more;

	if (m->finding_count == m->finding_room) {
		more = room > MATCH_FINDINGS ? NULL :
		       reallocarray(m->findings, room, sizeof(*more));
		if (!more) {
			add_more(&m->more[kind], offset, record);
			return;
		}
		m->findings = more;
		m->finding_room = room;
	}
	m->findings[m->finding_count++] = (struct match_finding){ offset, record, time, kind };
}

void match_found(struct check_match *m, uint8_t kind, const struct match_event *e)
{
	match_add(m, kind, e->offset, e->record, e->time);
}
