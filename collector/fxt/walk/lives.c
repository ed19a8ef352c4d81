// SPDX-License-Identifier: GPL-2.0-or-later
/* lives.c - see lives.h. */
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/objects.h"
#include "terminal/memory.h"
#include "lives.h"

uint64_t lives_fork(const struct fxt_content *c)
{
	uint64_t ticks;

	return c->object_type == FXT_OBJECT_THREAD && fxt_object_time(c, &ticks) == FXT_STR_FORK ?
		       ticks : 0;
}

/* The lives of one koid. The first @sorted are in the order of time and include the newest one. */
struct lives_of {
	struct life *all;
	size_t count;
	size_t sorted;
};

static struct lives_of *lives_of(struct lives *l, uint64_t koid)
{
	uint64_t at;

	if (koids_get(&l->lists, koid, &at))
		return &l->of[at];
	array_more(l->of, l->count);
	l->of[l->count] = (struct lives_of){ 0 };
	koids_set(&l->lists, koid, l->count);
	return &l->of[l->count++];
}

static int by_from(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	return array_order(x->from, y->from) ?: array_order(x->has_process, y->has_process) ?:
	       array_order(x->process, y->process);
}

#define FEW	16	/* lives to insert one by one */

static void insert_life(struct lives_of *of, const struct life *life)
{
	size_t i = array_front(of->sorted, k, of->all[k].from < life->from);

	if (of->all[i].from == life->from) {
		of->all[i] = life->has_process ? *life : of->all[i];
		return;
	}
	memmove(of->all + i + 1, of->all + i, (of->sorted - i) * sizeof(*of->all));
	of->all[i] = *life;
	of->sorted++;
}

/*
 * Parts of a recording may come in any order, each with the lives that have ended before it. A
 * lookup after each would take time that grows with the square of the lives of one id.
 */
static void sort_lives(struct lives_of *of)
{
	size_t count = of->count, i;
	struct life life;

	if (count - of->sorted > FEW) {
		qsort(of->all, count, sizeof(*of->all), by_from);
		of->sorted = 1;
	}
	for (i = of->sorted; i < count; i++) {
		life = of->all[i];
		if (life.from > of->all[of->sorted - 1].from)
			of->all[of->sorted++] = life;
		else
			insert_life(of, &life);
	}
	of->count = of->sorted;
}

/* Most koids have one life. */
static void grow(struct lives_of *of)
{
	if (!(of->count & (of->count - 1)))
		of->all = must(reallocarray(of->all, of->count ? 2 * of->count : 1,
					    sizeof(*of->all)));
}

/* A record without the time of a fork is about the newest life. */
static struct life *find_or_add(struct lives *l, uint64_t koid, uint64_t from)
{
	struct lives_of *of = lives_of(l, koid);
	struct life *newest = of->sorted ? &of->all[of->sorted - 1] : NULL;
	size_t i;

	if (newest && (!from || newest->from == from))
		return newest;
	i = array_front(of->sorted, k, of->all[k].from < from);
	if (i < of->sorted && of->all[i].from == from)
		return &of->all[i];
	l->is_reused |= of->count;
	grow(of);
	if (i == of->sorted) {
		of->all[of->count] = of->all[i];
		of->sorted++;
	} else {
		i = of->count;
	}
	of->count++;
	of->all[i] = (struct life){ .from = from };
	return &of->all[i];
}

void lives_learn(struct lives *l, const struct fxt_content *c, uint64_t from)
{
	struct life *life;
	uint64_t process;

	if (c->object_type != FXT_OBJECT_THREAD)
		return;
	life = find_or_add(l, c->object, from);
	if (fxt_object_process(c, &process)) {
		life->process = process;
		life->has_process = true;
	}
}

const struct life *lives_find(const struct lives *l, uint64_t koid, uint64_t time, uint64_t *nth)
{
	struct lives_of *of;
	uint64_t at;
	size_t n;

	if (!koids_get(&l->lists, koid, &at))
		return NULL;
	of = &l->of[at];
	if (of->sorted < of->count)
		sort_lives(of);
	n = array_front(of->count, i, of->all[i].from <= time);
	n -= !!n;
	if (nth)
		*nth = n;
	return &of->all[n];
}

void lives_free(struct lives *l)
{
	while (l->count)
		free(l->of[--l->count].all);
	free(l->of);
	koids_free(&l->lists);
	memset(l, 0, sizeof(*l));
}
