/* SPDX-License-Identifier: GPL-2.0-or-later */
/* koids.h - a table from koids to values. */
#ifndef FXT_WALK_KOIDS_H
#define FXT_WALK_KOIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct koids_entry;

/* Initialize with zeros, end with koids_free(). */
struct koids {
	struct koids_entry *entries;
	size_t count;
	size_t room;		/* a power of two, or 0 */
};

void koids_set(struct koids *k, uint64_t koid, uint64_t value);

/* Is @koid in the table? @value: set to its value; may be NULL */
bool koids_get(const struct koids *k, uint64_t koid, uint64_t *value);

void koids_free(struct koids *k);

#endif /* FXT_WALK_KOIDS_H */
