// SPDX-License-Identifier: GPL-2.0-or-later
/* sources.c - see sources.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sources.h"

#define SCHED_SOURCES	65536U

struct entry {
	struct map_node node;
	struct sched_source source;
};

static uint64_t hash_of(const struct kernel_event *e, const char *name, size_t length)
{
	return map_hash(map_hash(e->what, e->number), fxt_hash_bytes(name, length));
}

static bool is_same(const struct sched_source *s, const struct kernel_event *e,
		    const char *name, size_t length)
{
	return s->what == e->what && s->number == e->number &&
	       !memcmp(s->name, name, length) && !s->name[length];
}

static int add_to_list(struct sched_sources *s, struct sched_source *source)
{
	size_t room = s->room ? 2 * s->room : 64;
	struct sched_source **more;

	if (s->count == s->room) {
		more = reallocarray(s->list, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		s->list = more;
		s->room = room;
	}
	source->id = s->count;
	s->list[s->count++] = source;
	return 0;
}

static struct sched_source *find(const struct sched_sources *s, const struct kernel_event *e,
				 const char *name, size_t length, uint64_t hash)
{
	struct sched_source *source;
	struct map_node *n;

	for (n = map_first(&s->map, hash); n; n = map_next(n, hash)) {
		source = &map_entry(n, struct entry, node)->source;
		if (is_same(source, e, name, length))
			return source;
	}
	return NULL;
}

static struct sched_source *add(struct sched_sources *s, const struct kernel_event *e,
				const char *name, size_t length, uint64_t hash)
{
	struct entry *entry = calloc(1, sizeof(*entry));

	if (!entry || map_reserve(&s->map) || add_to_list(s, &entry->source)) {
		free(entry);
		return NULL;
	}
	entry->source.what = e->what;
	entry->source.number = e->number;
	memcpy(entry->source.name, name, length);
	map_add(&s->map, &entry->node, hash);
	return &entry->source;
}

struct sched_source *sched_source_get(struct sched_sources *s, const struct kernel_event *e,
				      const struct fxt_text *name)
{
	static const char others[] = "(others)";
	const struct kernel_event any = { .what = e->what };
	size_t length = name->length < SCHED_SOURCE_BYTES ? name->length : SCHED_SOURCE_BYTES - 1;
	struct sched_source *source;
	const char *text = name->bytes;
	uint64_t hash;

	length = strnlen(text, length);
	hash = hash_of(e, text, length);
	source = find(s, e, text, length, hash);
	if (!source && s->count >= SCHED_SOURCES - KERNEL_EVENTS) {
		e = &any;
		text = others;
		length = sizeof(others) - 1;
		hash = hash_of(e, text, length);
		source = find(s, e, text, length, hash);
	}
	return source ? source : add(s, e, text, length, hash);
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
