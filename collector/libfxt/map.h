/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.h - a hash table of nodes that are embedded in the caller's structures.
 *
 * A structure with a member "struct map_node node" is an entry. The map compares only hashes, the
 * caller compares keys: see map_find(). Hashes differ from process to process, so output must not
 * depend on the order in buckets: map_each() visits entries in the order in which they were added.
 */
#ifndef LIBFXT_MAP_H
#define LIBFXT_MAP_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "hash.h"

struct map_node {
	struct map_node *next;
	struct map_node *newer;
	struct map_node *older;
	uint64_t hash;
};

/* All zero is an empty map. */
struct map {
	struct map_node **bucket;
	size_t buckets;			/* a power of two, or 0 */
	size_t count;
	struct map_node *oldest;
	struct map_node *newest;
};

#define map_entry(node, type, member) \
	((type *)(void *)((char *)(node) - offsetof(type, member)))

/* The entry of type typeof(*@e) with the node @n, which may be NULL. */
#define map_at(n, e) __extension__ ({						\
	struct map_node *at_ = (n);						\
										\
	at_ ? map_entry(at_, __typeof__(*(e)), node) : NULL;			\
})

static inline uint64_t map_hash(uint64_t a, uint64_t b)
{
	return fxt_hash(a, b);
}

static inline struct map_node *map_match(struct map_node *n, uint64_t hash)
{
	while (n && n->hash != hash)
		n = n->next;
	return n;
}

static inline struct map_node *map_first(const struct map *m, uint64_t hash)
{
	return m->buckets ? map_match(m->bucket[hash & (m->buckets - 1)], hash) : NULL;
}

static inline struct map_node *map_next(const struct map_node *n, uint64_t hash)
{
	return map_match(n->next, hash);
}

/*
 * Find an entry; of several with one key, the newest. @h: hash of the key. @e: a variable, pointer
 * to an entry; set, or NULL. @is_it: an expression with @e: is this the entry? Return: @e.
 */
#define map_find(map, h, e, is_it) __extension__ ({				\
	uint64_t hash_ = (h);							\
	struct map_node *node_ = map_first(map, hash_);				\
										\
	for (; ((e) = map_at(node_, e)) && !(is_it); node_ = map_next(node_, hash_))	\
		;								\
	(e);									\
})

/* A loop over all entries @e, the oldest first. None may be removed meanwhile. */
#define map_each(map, e) \
	for ((e) = map_at((map)->oldest, e); (e); (e) = map_at((e)->node.newer, e))

/* Make room for one more node. Return: 0 or -ENOMEM. */
static inline int map_reserve(struct map *m)
{
	size_t buckets = m->buckets ? m->buckets * 2 : 64;
	struct map_node **bucket, *n;

	if (m->count < m->buckets)
		return 0;
	bucket = calloc(buckets, sizeof(*bucket));
	if (!bucket)
		return -ENOMEM;
	for (n = m->oldest; n; n = n->newer) {
		n->next = bucket[n->hash & (buckets - 1)];
		bucket[n->hash & (buckets - 1)] = n;
	}
	free(m->bucket);
	m->bucket = bucket;
	m->buckets = buckets;
	return 0;
}

/* Add a node, after map_reserve(). */
static inline void map_add(struct map *m, struct map_node *n, uint64_t hash)
{
	struct map_node **head = &m->bucket[hash & (m->buckets - 1)];

	n->hash = hash;
	n->next = *head;
	*head = n;
	n->newer = NULL;
	n->older = m->newest;
	if (n->older)
		n->older->newer = n;
	else
		m->oldest = n;
	m->newest = n;
	m->count++;
}

/* Add an entry, all zero. Return: @e, which is set to it; NULL without memory. */
#define map_new(map, h, e) __extension__ ({					\
	(e) = map_reserve(map) ? NULL : calloc(1, sizeof(*(e)));		\
	if (e)									\
		map_add(map, &(e)->node, h);					\
	(e);									\
})

/* Remove a node from the list, but not from its bucket. */
static inline void map_unlink(struct map *m, struct map_node *n)
{
	if (n->older)
		n->older->newer = n->newer;
	else
		m->oldest = n->newer;
	if (n->newer)
		n->newer->older = n->older;
	else
		m->newest = n->older;
	m->count--;
}

static inline void map_remove(struct map *m, struct map_node *n)
{
	struct map_node **at = &m->bucket[n->hash & (m->buckets - 1)];

	while (*at != n)
		at = &(*at)->next;
	*at = n->next;
	map_unlink(m, n);
}

static inline void map_free(struct map *m)
{
	free(m->bucket);
	*m = (struct map){ 0 };
}

/* Remove the oldest node while the map is taken apart; without one, free the map. */
static inline struct map_node *map_drop(struct map *m)
{
	struct map_node *n = m->oldest;

	if (n)
		m->oldest = n->newer;
	else
		map_free(m);
	return n;
}

/* A loop that removes all entries @e, which it may free. The map is empty afterwards. */
#define map_drain(map, e) \
	while (((e) = map_at(map_drop(map), e)))

#define map_free_all(map, type) __extension__ ({				\
	type *entry_;								\
										\
	map_drain(map, entry_)							\
		free(entry_);							\
})

#endif /* LIBFXT_MAP_H */
