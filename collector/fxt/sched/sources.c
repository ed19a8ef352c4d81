// SPDX-License-Identifier: GPL-2.0-or-later
/* sources.c - see sources.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/array.h"
#include "sources.h"

struct entry {
	struct map_node node;
	struct sched_source source;
};

/* What tells a source from all others; @name is not terminated. */
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

static bool is_same(const struct sched_source *s, const struct key *k)
{
	return s->what == k->what && s->number == k->number &&
	       !memcmp(s->name, k->name, k->length) && !s->name[k->length];
}

static int add_to_list(struct sched_sources *s, struct sched_source *source)
{
	if (array_grow(s->list, s->count))
		return -ENOMEM;
	source->id = s->count;
	s->list[s->count++] = source;
	return 0;
}

static struct sched_source *find_source(const struct sched_sources *s, const struct key *k,
					uint64_t hash)
{
	struct sched_source *source;
	struct map_node *n;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		source = &map_entry(n, struct entry, node)->source;
		if (is_same(source, k))
			return source;
	}
	return NULL;
}

static struct sched_source *add(struct sched_sources *s, const struct key *k, uint64_t hash)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry || map_reserve(&s->map) || add_to_list(s, &entry->source)) {
		free(entry);
		return NULL;
	}
	entry->source.what = k->what;
	entry->source.number = k->number;
	memcpy(entry->source.name, k->name, k->length);
	map_add(&s->map, &entry->node, hash);
	return &entry->source;
}

struct sched_source *sched_source_get(struct sched_sources *s, uint8_t what, uint64_t number,
				      const struct fxt_text *name)
{
	static const char others[] = "(others)";
	size_t length = name->length < SCHED_SOURCE_BYTES ? name->length : SCHED_SOURCE_BYTES - 1;
	struct key key = { what, number, name->bytes, strnlen(name->bytes, length) };
	uint64_t hash = hash_of(&key);
	struct sched_source *source = find_source(s, &key, hash);

	if (!source && s->count >= SCHED_SOURCES - KERNEL_EVENTS) {
		key = (struct key){ what, 0, others, sizeof(others) - 1 };
		hash = hash_of(&key);
		source = find_source(s, &key, hash);
	}
	return source ? source : add(s, &key, hash);
}

void sched_sources_free(struct sched_sources *s)
{
	struct map_node *n;
	size_t from = 0;

	while ((n = map_take(&s->map, &from)))
		free(map_entry(n, struct entry, node));
	map_free(&s->map);
	free(s->list);
}
