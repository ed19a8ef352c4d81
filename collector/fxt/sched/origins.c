// SPDX-License-Identifier: GPL-2.0-or-later
/* origins.c - see origins.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "origins.h"

struct entry {
	struct map_node node;
	struct sched_origin origin;
};

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

static int add_to_list(struct sched_origins *s, struct sched_origin *origin)
{
	if (array_grow(s->list, s->count))
		return -ENOMEM;
	origin->id = s->count;
	s->list[s->count++] = origin;
	return 0;
}

static struct sched_origin *find_origin(const struct sched_origins *s, const struct key *k,
					uint64_t hash)
{
	struct sched_origin *origin;
	struct map_node *n;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		origin = &map_entry(n, struct entry, node)->origin;
		if (is_same(origin, k))
			return origin;
	}
	return NULL;
}

static struct sched_origin *add_origin(struct sched_origins *s, const struct key *k, uint64_t hash)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry || map_reserve(&s->map) || add_to_list(s, &entry->origin)) {
		free(entry);
		return NULL;
	}
	entry->origin.what = k->what;
	entry->origin.number = k->number;
	memcpy(entry->origin.name, k->name, k->length);
	map_add(&s->map, &entry->node, hash);
	return &entry->origin;
}

struct sched_origin *sched_origin_get(struct sched_origins *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name)
{
	static const char others[] = "(others)";
	size_t length = name->length < SCHED_SOURCE_BYTES ? name->length : SCHED_SOURCE_BYTES - 1;
	struct key key = { what, number, name->bytes, strnlen(name->bytes, length) };
	uint64_t hash = hash_of(&key);
	struct sched_origin *origin = find_origin(s, &key, hash);

	if (!origin && s->count >= SCHED_ORIGINS - KERNEL_EVENTS) {
		key = (struct key){ what, 0, others, sizeof(others) - 1 };
		hash = hash_of(&key);
		origin = find_origin(s, &key, hash);
	}
	return origin ? origin : add_origin(s, &key, hash);
}

void sched_origins_free(struct sched_origins *s)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&s->map, &from)))
		free(map_entry(n, struct entry, node));
	map_free(&s->map);
	free(s->list);
}
