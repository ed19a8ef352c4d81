// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_groups.c - see match_groups.h.
 *
 * Must hold: memory stays within the limits of match_data.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "libfxt/array.h"
#include "match_groups.h"

/* --- groups --------------------------------------------------------------------- */

static uint64_t hash_of(enum group_kind kind, uint64_t a, uint64_t b)
{
	return map_hash(map_hash(a, b), kind);
}

/* NULL if there is none. */
struct match_group *match_find(struct check_match *m, enum group_kind kind, uint64_t a,
				uint64_t b)
{
	uint64_t hash = hash_of(kind, a, b);
	struct match_group *g;
	struct map_node *n;

	for (n = map_first(&m->groups, hash); n; n = map_next(n, hash)) {
		g = map_entry(n, struct match_group, node);
		if (g->kind == kind && g->a == a && g->b == b)
			return g;
	}
	return NULL;
}

/* NULL if there are too many, or no memory. */
struct match_group *match_get(struct check_match *m, enum group_kind kind, uint64_t a,
			       uint64_t b)
{
	struct match_group *g = match_find(m, kind, a, b);

	if (g || m->groups.count + m->open >= MATCH_OPEN || map_reserve(&m->groups))
		return g;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	*g = (struct match_group){ .a = a, .b = b, .kind = kind };
	map_add(&m->groups, &g->node, hash_of(kind, a, b));
	return g;
}

void match_drop(struct check_match *m, struct match_group *g)
{
	map_remove(&m->groups, &g->node);
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
	struct match_open *o = to && m->groups.count + m->open < MATCH_OPEN ?
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
	if (m->finding_count == MATCH_FINDINGS || array_grow(m->findings, m->finding_count)) {
		add_more(&m->more[kind], offset, record);
		return;
	}
	m->findings[m->finding_count++] = (struct match_finding){ offset, record, time, kind };
}

void match_found(struct check_match *m, uint8_t kind, const struct match_event *e)
{
	match_add(m, kind, e->offset, e->record, e->time);
}
