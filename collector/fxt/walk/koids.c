// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * koids.c - see koids.h.
 *
 * It is used for each record, so it has linear probing instead of libfxt/map.h: setting or getting
 * one of 4,000 koids takes 18 ns instead of 21, one of 100,000 takes 90 instead of 195.
 */
#include <stdlib.h>
#include <string.h>

#include "libfxt/hash.h"
#include "terminal/memory.h"
#include "koids.h"

#define FIRST_ROOM	1024

struct koids_entry {
	bool used;
	uint64_t koid;
	uint64_t value;
};

/* The entry of a koid, or an unused one for it; there is always one. */
static struct koids_entry *find_entry(struct koids_entry *entries, size_t room, uint64_t koid)
{
	size_t i = fxt_hash(koid, 0) & (room - 1);

	while (entries[i].used && entries[i].koid != koid)
		i = (i + 1) & (room - 1);
	return &entries[i];
}

static void grow(struct koids *k)
{
	size_t room = k->room ? 2 * k->room : FIRST_ROOM, i;
	struct koids_entry *more = must(calloc(room, sizeof(*more)));

	for (i = 0; i < k->room; i++)
		if (k->entries[i].used)
			*find_entry(more, room, k->entries[i].koid) = k->entries[i];
	free(k->entries);
	k->entries = more;
	k->room = room;
}

void koids_set(struct koids *k, uint64_t koid, uint64_t value)
{
	struct koids_entry *entry;

	if (k->count >= k->room / 2)
		grow(k);
	entry = find_entry(k->entries, k->room, koid);
	k->count += !entry->used;
	*entry = (struct koids_entry){ true, koid, value };
}

bool koids_get(const struct koids *k, uint64_t koid, uint64_t *value)
{
	const struct koids_entry *entry;

	if (!k->room)
		return false;
	entry = find_entry(k->entries, k->room, koid);
	if (entry->used && value)
		*value = entry->value;
	return entry->used;
}

void koids_free(struct koids *k)
{
	free(k->entries);
	memset(k, 0, sizeof(*k));
}
