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

/* @at: 1 + index of a life. */
static struct life *life_at(const struct lives *l, size_t at)
{
	return &l->all[at - 1];
}

static void add_life(struct lives *l, uint64_t koid, uint64_t from, size_t before, size_t after)
{
	array_more(l->all, l->count);
	l->all[l->count++] = (struct life){ .from = from, .before = before };
	l->reused += before || after;
	if (after)
		life_at(l, after)->before = l->count;
	else
		koids_set(&l->newest, koid, l->count);
}

/* A record without the time of a fork is about the newest life. */
static struct life *find_or_add(struct lives *l, uint64_t koid, uint64_t from)
{
	uint64_t at = 0;
	size_t after = 0;

	koids_get(&l->newest, koid, &at);
	while (from && at && life_at(l, at)->from > from) {
		after = at;
		at = life_at(l, at)->before;
	}
	if (at && (!from || life_at(l, at)->from == from))
		return life_at(l, at);
	add_life(l, koid, from, at, after);
	return life_at(l, l->count);
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
	const struct life *found;
	uint64_t at, before = 0;

	if (!koids_get(&l->newest, koid, &at))
		return NULL;
	found = life_at(l, at);
	while (found->before && time < found->from)
		found = life_at(l, found->before);
	if (nth) {
		for (at = found->before; at; at = life_at(l, at)->before)
			before++;
		*nth = before;
	}
	return found;
}

void lives_free(struct lives *l)
{
	koids_free(&l->newest);
	free(l->all);
	memset(l, 0, sizeof(*l));
}
