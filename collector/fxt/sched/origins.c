// SPDX-License-Identifier: GPL-2.0-or-later
/* origins.c - see origins.h. */
#include <string.h>

#include "terminal/memory.h"

#include "origins.h"

/* @name is not terminated. */
struct key {
	uint8_t what;
	bool is_others;
	bool is_futex;
	bool is_lock;		/* of a futex; follows from @name */
	uint64_t process;	/* of a futex */
	uint64_t number;
	const char *name;
	size_t length;
};

/* May programs have any number of them? */
static bool are_many(uint8_t what)
{
	return what == KERNEL_LOCK || what == KERNEL_DATA;
}

static uint64_t hash_of(const struct key *k)
{
	return map_hash(map_hash(k->what, k->number),
			fxt_hash_bytes(k->name, k->length) + k->process);
}

static bool is_same(const struct sched_origin *s, const struct key *k)
{
	return s->what == k->what && s->number == k->number && s->is_futex == k->is_futex &&
	       s->is_others == k->is_others && s->process == k->process &&
	       !memcmp(s->name, k->name, k->length) && !s->name[k->length];
}

static struct sched_origin *find_origin(const struct sched_origins *s, const struct key *k)
{
	struct sched_origin *origin;

	return map_find(&s->map, hash_of(k), origin, is_same(origin, k));
}

static struct sched_origin *add_origin(struct sched_origins *s, const struct key *k)
{
	struct sched_origin *origin = new_zero(struct sched_origin);

	origin->what = k->what;
	origin->number = k->number;
	origin->is_others = k->is_others;
	origin->is_futex = k->is_futex;
	origin->process = k->process;
	origin->is_proven = k->is_lock;
	origin->places = 1;
	memcpy(origin->name, k->name, k->length);
	origin->id = s->count;
	array_more(s->list, s->count);
	s->list[s->count++] = origin;
	s->many += are_many(k->what);
	map_put(&s->map, &origin->node, hash_of(k));
	return origin;
}

static bool is_full(const struct sched_origins *s, uint8_t what)
{
	return s->count >= SCHED_ORIGINS - KERNEL_EVENTS - 1 ||
	       (are_many(what) && s->many >= SCHED_ORIGINS / 2);
}

static struct sched_origin *get_origin(struct sched_origins *s, struct key key,
				       const struct fxt_text *name)
{
	static const char others[] = "(others)";
	size_t length = name->length < SCHED_SOURCE_BYTES ? name->length : SCHED_SOURCE_BYTES - 1;
	struct sched_origin *origin;

	key.name = name->bytes;
	key.length = strnlen(name->bytes, length);
	origin = find_origin(s, &key);
	if (!origin && is_full(s, key.what)) {
		key = (struct key){
			.what = key.what, .is_others = true, .is_futex = key.is_futex,
			.name = others, .length = sizeof(others) - 1,
		};
		origin = find_origin(s, &key);
	}
	return origin ? origin : add_origin(s, &key);
}

struct sched_origin *sched_origin_get(struct sched_origins *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name)
{
	return get_origin(s, (struct key){ .what = what, .number = number }, name);
}

struct sched_origin *sched_origin_get_futex(struct sched_origins *s, uint64_t process,
					    uint64_t address, const struct fxt_text *name)
{
	return get_origin(s, (struct key){
		.what = KERNEL_LOCK, .is_futex = true, .process = process, .number = address,
		/* The kernel itself gives locks with priority inheritance to their owners. */
		.is_lock = fxt_text_is(name, "pi futex"),
	}, name);
}

struct sched_alias *sched_origin_alias(struct sched_origins *s, struct sched_origin *of,
				       uint64_t waker, uint64_t address, uint64_t ns)
{
	uint64_t hash = map_hash(map_hash(of->id, waker), address);
	struct sched_alias *a;

	/* Further ones count as one. */
	if (of->is_others)
		return NULL;
	of->is_shared = true;
	if (map_find(&s->aliases, hash, a, a->of == of && a->waker == waker &&
		     a->address == address)) {
		a->first = ns < a->first ? ns : a->first;
		a->last = ns > a->last ? ns : a->last;
		return a;
	}
	if (s->alias_count >= SCHED_ORIGINS)
		return NULL;
	must(map_new(&s->aliases, hash, a));
	a->of = of;
	a->waker = waker;
	a->address = address;
	a->first = ns;
	a->last = ns;
	a->id = s->alias_count;
	array_more(s->alias_list, s->alias_count);
	s->alias_list[s->alias_count++] = a;
	return a;
}

void sched_alias_used(struct sched_alias *a, const struct sched_thread *life, uint64_t ns)
{
	if (life == a->life)
		return;
	a->life = life;
	array_more(a->others, a->other_count);
	a->others[a->other_count++] = ns;
}

void sched_origin_join(struct sched_origin *a, struct sched_origin *b)
{
	struct sched_origin *first, *second;

	a = sched_origin_first(a);
	b = sched_origin_first(b);
	if (a == b || a->is_others || b->is_others)
		return;
	first = a->id < b->id ? a : b;
	second = first == a ? b : a;
	second->same = first;
	first->places += second->places;
	first->is_shared = true;
	first->was_held |= second->was_held;
	first->was_woken |= second->was_woken;
	first->is_proven |= second->is_proven;
}

void sched_origins_free(struct sched_origins *s)
{
	size_t i;

	for (i = 0; i < s->alias_count; i++)
		free(s->alias_list[i]->others);
	free(s->alias_list);
	map_free_all(&s->aliases, struct sched_alias);
	map_free_all(&s->map, struct sched_origin);
	free(s->list);
}
