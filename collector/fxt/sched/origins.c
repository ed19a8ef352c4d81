// SPDX-License-Identifier: GPL-2.0-or-later
/* origins.c - see origins.h. */
#include <string.h>

#include "terminal/memory.h"

#include "origins.h"

/* Key of an origin; @name is not terminated. */
struct key {
	uint8_t what;
	uint64_t number;
	const char *name;
	size_t length;
};

static uint64_t hash_of(const struct key *k)
{
	return map_hash(map_hash(k->what, k->number), fxt_hash_bytes(k->name, k->length));
}

static bool is_same(const struct sched_origin *s, const struct key *k)
{
	return s->what == k->what && s->number == k->number &&
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
	memcpy(origin->name, k->name, k->length);
	origin->id = s->count;
	array_more(s->list, s->count);
	s->list[s->count++] = origin;
	map_put(&s->map, &origin->node, hash_of(k));
	return origin;
}

struct sched_origin *sched_origin_get(struct sched_origins *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name)
{
	static const char others[] = "(others)";
	size_t length = name->length < SCHED_SOURCE_BYTES ? name->length : SCHED_SOURCE_BYTES - 1;
	struct key key = { what, number, name->bytes, strnlen(name->bytes, length) };
	struct sched_origin *origin = find_origin(s, &key);

	if (!origin && s->count >= SCHED_ORIGINS - KERNEL_EVENTS) {
		key = (struct key){ what, 0, others, sizeof(others) - 1 };
		origin = find_origin(s, &key);
	}
	return origin ? origin : add_origin(s, &key);
}

void sched_origins_free(struct sched_origins *s)
{
	map_free_all(&s->map, struct sched_origin);
	free(s->list);
}
