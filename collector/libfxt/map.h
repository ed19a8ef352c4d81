/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map.h - a hash table of nodes that are embedded in the caller's structures.
 *
 * The map compares only hashes, the caller compares keys:
 * for (n = map_first(m, h); n; n = map_next(n, h)) check whether n's key matches.
 * Hashes differ from process to process, so output must not depend on the order in buckets:
 * for (n = m->oldest; n; n = n->newer) visits all nodes in the order in which they were added.
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

/** struct map - a hash table; all zero is an empty one */
struct map {
	struct map_node **bucket;
	size_t buckets;			/* a power of two, or 0 */
	size_t count;
	struct map_node *oldest;
	struct map_node *newest;
};

#define map_entry(node, type, member) \
	((type *)(void *)((char *)(node) - offsetof(type, member)))

/** map_hash() - the hash of two numbers, which may be hashes */
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

/** map_reserve() - make room for one more node. Return: 0 or -ENOMEM */
static inline int map_reserve(struct map *m)
{
	size_t buckets = m->buckets ? m->buckets * 2 : 64, i;
	struct map_node **bucket, *n, *next;

	if (m->count < m->buckets)
		return 0;
	bucket = calloc(buckets, sizeof(*bucket));
	if (!bucket)
		return -ENOMEM;
	for (i = 0; i < m->buckets; i++) {
		for (n = m->bucket[i]; n; n = next) {
			next = n->next;
			n->next = bucket[n->hash & (buckets - 1)];
			bucket[n->hash & (buckets - 1)] = n;
		}
	}
	free(m->bucket);
	m->bucket = bucket;
	m->buckets = buckets;
	return 0;
}

/** map_add() - add a node, after map_reserve() */
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

/** map_take() - remove any node. @from: 0 at first. Return: NULL if the map is empty */
static inline struct map_node *map_take(struct map *m, size_t *from)
{
	struct map_node *n;

	for (; *from < m->buckets; ++*from) {
		n = m->bucket[*from];
		if (n) {
			m->bucket[*from] = n->next;
			map_unlink(m, n);
			return n;
		}
	}
	return NULL;
}

static inline void map_free(struct map *m)
{
	free(m->bucket);
	*m = (struct map){ 0 };
}

#endif /* LIBFXT_MAP_H */
