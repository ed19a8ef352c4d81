// SPDX-License-Identifier: GPL-2.0-or-later
/* pieces.c - see pieces.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>

#include "pieces.h"

/* With its place in the array, and a part of the name of its file. */
static size_t bytes_of(const struct piece *p)
{
	return sizeof(*p) + sizeof(struct module) + p->m.module->length + 64;
}

/* A part of a mapping. */
static struct piece *part_of(const struct mapping *m, uint64_t start, uint64_t end, uint64_t until)
{
	struct piece *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	*p = (struct piece){ .m = *m, .until = until };
	p->m.start = start;
	p->m.end = end;
	p->m.offset += start - m->start;
	if (p->m.vaddr != FXT_SCHED_NO_VADDR)
		p->m.vaddr += start - m->start;
	p->m.module->uses++;
	return p;
}

static void free_piece(struct piece *p, pieces_drop drop, void *arg)
{
	drop(arg, p->m.module);
	free(p);
}

/* --- what is left of others --------------------------------------------------------------- */

/* The oldest make room. */
static int keep_old(struct pieces *e, struct piece *p, pieces_drop drop, void *arg, uint64_t *lost)
{
	struct piece **slot;

	if (!p)
		return -ENOMEM;
	if (!e->old)
		e->old = calloc(PIECES_OLD, sizeof(*e->old));
	if (!e->old) {
		free_piece(p, drop, arg);
		return -ENOMEM;
	}
	if (e->old_count < PIECES_OLD) {
		slot = &e->old[e->old_count++];
	} else {
		slot = &e->old[e->old_next];
		e->old_next = (e->old_next + 1) % PIECES_OLD;
		e->bytes -= bytes_of(*slot);
		free_piece(*slot, drop, arg);
		++*lost;
	}
	*slot = p;
	e->bytes += bytes_of(p);
	return 0;
}

static bool has(const struct piece *p, uint64_t time, uint64_t at)
{
	return at >= p->m.start && at < p->m.end && p->m.time <= time && time < p->until;
}

/* The index of the first one that ends after @at. */
static size_t first_after(const struct pieces *e, uint64_t at)
{
	size_t low = 0, high = e->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (e->now[middle]->m.end > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

struct piece *pieces_find(const struct pieces *e, uint64_t time, uint64_t at)
{
	size_t i = first_after(e, at);

	if (i < e->count && has(e->now[i], time, at))
		return e->now[i];
	for (i = 0; i < e->old_count; i++)
		if (has(e->old[i], time, at))
			return e->old[i];
	return NULL;
}

/* --- add ------------------------------------------------------------------------------------ */

/**
 * struct change - of a range of pieces
 * @first: index of the first one that overlaps the new mapping; @end is the one after the last
 * @list: what takes their place, @count of them
 * @failed: no memory
 */
struct change {
	struct pieces *e;
	const struct mapping *m;
	pieces_drop drop;
	void *arg;
	uint64_t *lost;
	size_t first;
	size_t end;
	struct piece **list;
	size_t count;
	bool failed;
};

static void put(struct change *c, struct piece *p)
{
	if (p)
		c->list[c->count++] = p;
	else
		c->failed = true;
}

static void put_part(struct change *c, const struct mapping *m, uint64_t start, uint64_t end)
{
	if (start < end)
		put(c, part_of(m, start, end, UINT64_MAX));
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* One piece that overlaps. @from: what is new begins here; it is advanced. */
static void meet(struct change *c, struct piece *p, uint64_t *from)
{
	const struct mapping *m = c->m;
	uint64_t start = most(p->m.start, m->start), end = least(p->m.end, m->end);
	bool is_newer = p->m.time > m->time;
	struct piece *old;

	if (is_newer) {
		old = part_of(m, start, end, p->m.time);
		put_part(c, m, *from, start);
		put_part(c, &p->m, p->m.start, p->m.end);
		*from = end;
	} else {
		old = part_of(&p->m, start, end, m->time);
		put_part(c, &p->m, p->m.start, start);
		if (p->m.end > m->end) {
			put_part(c, m, *from, m->end);
			put_part(c, &p->m, m->end, p->m.end);
			*from = m->end;
		}
	}
	if (keep_old(c->e, old, c->drop, c->arg, c->lost))
		c->failed = true;
}

/* What was in the range is freed, the list takes its place. */
static int replace(struct change *c)
{
	struct pieces *e = c->e;
	size_t gone = c->end - c->first, behind = e->count - c->end, room = e->room, i;
	struct piece **more;

	if (e->count - gone + c->count > room) {
		room = room ? 2 * room : 8;
		if (room < e->count + c->count)
			room = e->count + c->count;
		more = reallocarray(e->now, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		e->now = more;
		e->room = room;
	}
	for (i = c->first; i < c->end; i++) {
		e->bytes -= bytes_of(e->now[i]);
		free_piece(e->now[i], c->drop, c->arg);
	}
	memmove(e->now + c->first + c->count, e->now + c->end, behind * sizeof(*e->now));
	memcpy(e->now + c->first, c->list, c->count * sizeof(*e->now));
	for (i = 0; i < c->count; i++)
		e->bytes += bytes_of(c->list[i]);
	e->count = e->count - gone + c->count;
	return 0;
}

/* /proc and an event can report the same mapping; some programs map the same again and again. */
static bool is_known(const struct pieces *e, const struct mapping *m)
{
	size_t i = first_after(e, m->start);
	const struct mapping *p = i < e->count ? &e->now[i]->m : NULL;

	return p && p->module == m->module && p->time <= m->time && p->start <= m->start &&
	       p->end >= m->end && p->start - p->offset == m->start - m->offset;
}

int pieces_add(struct pieces *e, const struct mapping *m, pieces_drop drop, void *arg,
	       uint64_t *lost)
{
	struct change c = { .e = e, .m = m, .drop = drop, .arg = arg, .lost = lost };
	uint64_t from = m->start;
	size_t i;

	if (m->start >= m->end || is_known(e, m))
		return 0;
	c.first = c.end = first_after(e, m->start);
	while (c.end < e->count && e->now[c.end]->m.start < m->end)
		c.end++;
	/* Each that overlaps becomes two, with a part of the new one between them. */
	c.list = calloc(3 * (c.end - c.first) + 1, sizeof(*c.list));
	if (!c.list)
		return -ENOMEM;
	for (i = c.first; i < c.end; i++)
		meet(&c, e->now[i], &from);
	put_part(&c, m, from, m->end);
	if (c.failed || replace(&c)) {
		c.failed = true;
		while (c.count)
			free_piece(c.list[--c.count], drop, arg);
	}
	free(c.list);
	if (m->time > e->latest)
		e->latest = m->time;
	return c.failed ? -ENOMEM : 0;
}

/* --- remove ----------------------------------------------------------------------------------- */

struct piece *pieces_take_later(struct pieces *e, uint64_t time)
{
	struct piece *list = NULL;
	size_t i, count = 0;

	for (i = 0; i < e->count; i++) {
		if (e->now[i]->m.time <= time) {
			e->now[count++] = e->now[i];
			continue;
		}
		e->bytes -= bytes_of(e->now[i]);
		e->now[i]->next = list;
		list = e->now[i];
	}
	e->count = count;
	e->latest = time;
	return list;
}

static int by_worth(const void *a, const void *b)
{
	const struct mapping *x = &(*(struct piece *const *)a)->m;
	const struct mapping *y = &(*(struct piece *const *)b)->m;

	if (!x->module->id.bytes != !y->module->id.bytes)
		return x->module->id.bytes ? 1 : -1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->start < y->start ? -1 : 1;
}

static int by_start(const void *a, const void *b)
{
	const struct mapping *x = &(*(struct piece *const *)a)->m;
	const struct mapping *y = &(*(struct piece *const *)b)->m;

	return x->start < y->start ? -1 : 1;
}

static void free_old(struct pieces *e, pieces_drop drop, void *arg)
{
	while (e->old_count) {
		e->bytes -= bytes_of(e->old[--e->old_count]);
		free_piece(e->old[e->old_count], drop, arg);
	}
	e->old_next = 0;
}

uint64_t pieces_halve(struct pieces *e, pieces_drop drop, void *arg)
{
	size_t gone = e->count / 2, i;
	uint64_t lost = gone + e->old_count;

	free_old(e, drop, arg);
	if (!gone)
		return lost;
	qsort(e->now, e->count, sizeof(*e->now), by_worth);
	for (i = 0; i < gone; i++) {
		e->bytes -= bytes_of(e->now[i]);
		free_piece(e->now[i], drop, arg);
	}
	e->count -= gone;
	memmove(e->now, e->now + gone, e->count * sizeof(*e->now));
	qsort(e->now, e->count, sizeof(*e->now), by_start);
	return lost;
}

static int visit_list(struct piece **list, size_t count, uint64_t process,
		      int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		if (!list[i]->m.is_used)
			continue;
		list[i]->m.is_used = false;
		ret = visit(arg, process, &list[i]->m);
	}
	return ret;
}

int pieces_each_used(struct pieces *e, uint64_t process,
		     int (*visit)(void *arg, uint64_t process, struct mapping *m), void *arg)
{
	int ret = visit_list(e->old, e->old_count, process, visit, arg);

	return ret ? ret : visit_list(e->now, e->count, process, visit, arg);
}

void pieces_free(struct pieces *e, pieces_drop drop, void *arg)
{
	size_t i;

	free_old(e, drop, arg);
	for (i = 0; i < e->count; i++)
		free_piece(e->now[i], drop, arg);
	free(e->now);
	free(e->old);
	*e = (struct pieces){ 0 };
}
