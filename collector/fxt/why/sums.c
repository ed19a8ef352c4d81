// SPDX-License-Identifier: GPL-2.0-or-later
/* sums.c - see sums.h. */
#include <stdlib.h>
#include <string.h>

#include "terminal/memory.h"
#include "sums.h"

/* Threads of one name count together, as in reports. */
static uint64_t hash_thread(struct why_sums *s, const struct history *h, uint32_t thread)
{
	const char *name;

	if (!s->hashes[thread]) {
		name = history_name(h, thread);
		s->hashes[thread] = fxt_hash_bytes(name, strlen(name));
	}
	return s->hashes[thread];
}

static uint64_t hash_of(struct why_sums *s, const struct history *h, const struct why_row *r)
{
	uint64_t kind = r->cause | r->detail << 8 | r->is_other << 16 | (uint64_t)r->by.who << 24;
	uint64_t hash = map_hash(kind, r->is_other ? hash_thread(s, h, r->thread) : 0);

	return map_hash(hash, r->by.who == WHY_THREAD ? hash_thread(s, h, r->by.id) : r->by.id);
}

static bool is_same_name(const struct history *h, uint32_t a, uint32_t b)
{
	return a == b || !strcmp(history_name(h, a), history_name(h, b));
}

static bool is_same(const struct history *h, const struct why_row *a, const struct why_row *b)
{
	if (a->cause != b->cause || a->detail != b->detail || a->is_other != b->is_other ||
	    a->by.who != b->by.who)
		return false;
	if (a->is_other && !is_same_name(h, a->thread, b->thread))
		return false;
	return a->by.who == WHY_THREAD ? is_same_name(h, a->by.id, b->by.id) :
					 a->by.id == b->by.id;
}

static struct why_row *row_of(struct why_sums *s, const struct history *h,
			      const struct why_row *like)
{
	struct why_row *row;
	uint64_t hash;

	if (!s->hashes)
		s->hashes = must(calloc(h->thread_count + 1, sizeof(*s->hashes)));
	hash = hash_of(s, h, like);
	if (map_find(&s->map, hash, row, is_same(h, row, like)))
		return row;
	if (s->rest)
		return s->rest;
	row = new_zero(struct why_row);
	*row = s->count < WHY_ROWS ? *like : (struct why_row){ .is_rest = true };
	array_more(s->rows, s->count);
	s->rows[s->count++] = row;
	if (row->is_rest)
		s->rest = row;
	else
		map_put(&s->map, &row->node, hash);
	return row;
}

static void note_case(struct why_row *row, const struct why_case *c)
{
	struct why_case *at = row->longest + row->longest_count;

	if (row->longest_count == WHY_LONGEST) {
		if (at[-1].ns >= c->ns)
			return;
		at--;
	} else {
		row->longest_count++;
	}
	for (; at > row->longest && at[-1].ns < c->ns; at--)
		*at = at[-1];
	*at = *c;
}

static void add(struct why_sums *s, const struct why_walk *w, const struct why_part *p,
		struct why_by by, uint64_t ns, bool is_only)
{
	const struct why_row like = {
		.cause = p->cause, .detail = p->detail, .by = { .who = by.who, .id = by.id },
		.thread = p->thread, .is_other = p->link > 1,
	};
	struct why_row *row = row_of(s, why_history(w), &like);

	row->by.ns += ns;
	row->by.stolen += by.stolen;
	row->by.queued += by.queued;
	row->count++;
	if (is_only)
		history_memory_add(&row->memory, &p->memory);
	s->ns += ns;
	note_case(row, &(struct why_case){ p->from, ns, why_link(w, 1)->thread });
}

void why_sums_add(void *arg, const struct why_walk *w, const struct why_part *p,
		  const struct why_by *by, size_t count)
{
	struct why_by none = { .who = WHY_NOBODY, .stolen = p->stolen };
	size_t i;

	if (!count)
		add(arg, w, p, none, p->to - p->from, true);
	for (i = 0; i < count; i++)
		add(arg, w, p, by[i], by[i].ns, count == 1);
}

static int by_time(const void *a, const void *b)
{
	const struct why_row *x = *(struct why_row *const *)a, *y = *(struct why_row *const *)b;

	return array_order(y->by.ns, x->by.ns) ?: array_order(x->thread, y->thread);
}

void why_sums_sort(struct why_sums *s)
{
	if (s->count)
		qsort(s->rows, s->count, sizeof(*s->rows), by_time);
}

void why_sums_free(struct why_sums *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		free(s->rows[i]);
	free(s->rows);
	free(s->hashes);
	map_free(&s->map);
	*s = (struct why_sums){ 0 };
}
