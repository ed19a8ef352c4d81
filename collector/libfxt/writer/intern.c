// SPDX-License-Identifier: GPL-2.0-or-later
/* intern.c - see intern.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libfxt/hash.h"
#include "intern.h"

#define PROVIDERS	16	/* with tables at the same time */
#define FIRST_ROOM	64	/* entries of a table; doubled when it is full */

/**
 * struct entry - the string or thread registered at one index
 * @key: its bytes
 * @length: of @key
 * @chain: next entry of the same bucket; here and below, 0 is none
 * @newer: the entry used next after this one
 * @older: the entry used last before this one
 */
struct entry {
	void *key;
	uint32_t hash;
	uint16_t length;
	uint16_t chain;
	uint16_t newer;
	uint16_t older;
};

/**
 * struct table - the strings or the threads of one provider
 * @capacity: the largest index
 * @count: indices 1 to @count are in use
 * @room: size of @entries and of @buckets, a power of two
 * @newest: the most recently used entry
 * @oldest: the least recently used entry, which the next one replaces in a full table
 */
struct table {
	uint16_t capacity;
	uint16_t count;
	uint16_t newest;
	uint16_t oldest;
	uint32_t room;
	struct entry *entries;
	uint16_t *buckets;
};

/**
 * struct provider - the tables of one provider
 * @id: valid if @named
 * @named: a record has named it; the beginning of an archive belongs to no provider
 * @used: value of now when it was last switched to
 */
struct provider {
	uint32_t id;
	bool named;
	uint64_t used;
	struct table strings;
	struct table threads;
};

struct writer_intern {
	uint64_t now;		/* counts switches between providers */
	struct provider *current;
	struct provider providers[PROVIDERS];
};

/* --- one table -------------------------------------------------------------------- */

static void table_clear(struct table *t)
{
	uint32_t i;

	for (i = 1; i <= t->count; i++)
		free(t->entries[i].key);
	free(t->entries);
	free(t->buckets);
	*t = (struct table){ .capacity = t->capacity };
}

static uint16_t *bucket_of(struct table *t, uint32_t hash)
{
	return &t->buckets[hash & (t->room - 1)];
}

static void bucket_add(struct table *t, uint16_t index)
{
	uint16_t *bucket = bucket_of(t, t->entries[index].hash);

	t->entries[index].chain = *bucket;
	*bucket = index;
}

static void bucket_remove(struct table *t, uint16_t index)
{
	uint16_t *link = bucket_of(t, t->entries[index].hash);

	while (*link != index)
		link = &t->entries[*link].chain;
	*link = t->entries[index].chain;
}

static void use_add(struct table *t, uint16_t index)
{
	struct entry *e = &t->entries[index];

	e->newer = 0;
	e->older = t->newest;
	if (t->newest)
		t->entries[t->newest].newer = index;
	else
		t->oldest = index;
	t->newest = index;
}

static void use_remove(struct table *t, uint16_t index)
{
	struct entry *e = &t->entries[index];

	if (e->newer)
		t->entries[e->newer].older = e->older;
	else
		t->newest = e->older;
	if (e->older)
		t->entries[e->older].newer = e->newer;
	else
		t->oldest = e->newer;
}

/* Make room for one more entry. Index 0 is unused but takes a place. */
static int table_grow(struct table *t)
{
	uint32_t room = t->room ? 2 * t->room : FIRST_ROOM, i;
	struct entry *entries;
	uint16_t *buckets;

	if (t->count + 1U < t->room)
		return 0;
	entries = realloc(t->entries, room * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	t->entries = entries;
	buckets = calloc(room, sizeof(*buckets));
	if (!buckets)
		return -ENOMEM;
	free(t->buckets);
	t->buckets = buckets;
	t->room = room;
	for (i = 1; i <= t->count; i++)
		bucket_add(t, i);
	return 0;
}

static uint16_t table_find(struct table *t, const void *key, size_t length,
			   uint32_t hash)
{
	const struct entry *e;
	uint16_t index;

	if (!t->room)
		return 0;
	for (index = *bucket_of(t, hash); index; index = e->chain) {
		e = &t->entries[index];
		if (e->hash == hash && e->length == length &&
		    !memcmp(e->key, key, length))
			return index;
	}
	return 0;
}

/* Add an entry; it replaces the oldest in a full table. Return: its index or -ENOMEM. */
static int table_add(struct table *t, const void *key, size_t length, uint32_t hash)
{
	void *copy = malloc(length);
	uint16_t index;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, key, length);
	if (t->count == t->capacity) {
		index = t->oldest;
		bucket_remove(t, index);
		use_remove(t, index);
		free(t->entries[index].key);
	} else {
		if (table_grow(t)) {
			free(copy);
			return -ENOMEM;
		}
		index = ++t->count;
	}
	t->entries[index] = (struct entry){ .key = copy, .hash = hash, .length = length };
	bucket_add(t, index);
	use_add(t, index);
	return index;
}

/* Find or add a key, and make it the newest. Return: its index or -ENOMEM. */
static int table_use(struct table *t, const void *key, size_t length, bool *added)
{
	uint32_t hash = fxt_hash_bytes(key, length);
	uint16_t index = table_find(t, key, length, hash);

	*added = !index;
	if (!index)
		return table_add(t, key, length, hash);
	use_remove(t, index);
	use_add(t, index);
	return index;
}

/* --- providers -------------------------------------------------------------------- */

int writer_intern_open(struct writer_intern **in)
{
	struct provider *p;

	*in = calloc(1, sizeof(**in));
	if (!*in)
		return -ENOMEM;
	for (p = (*in)->providers; p < (*in)->providers + PROVIDERS; p++) {
		p->strings.capacity = FXT_MAX_STRING_INDEX;
		p->threads.capacity = FXT_MAX_THREAD_INDEX;
	}
	(*in)->current = (*in)->providers;
	return 0;
}

static void provider_clear(struct provider *p)
{
	table_clear(&p->strings);
	table_clear(&p->threads);
}

void writer_intern_close(struct writer_intern *in)
{
	struct provider *p;

	if (!in)
		return;
	for (p = in->providers; p < in->providers + PROVIDERS; p++)
		provider_clear(p);
	free(in);
}

/* The provider's tables, or the least recently used ones, which it can take over. */
static struct provider *provider_find(struct writer_intern *in, uint32_t id)
{
	struct provider *p, *oldest = in->providers;

	for (p = in->providers; p < in->providers + PROVIDERS; p++) {
		if (p->id == id)
			return p;
		if (p->used < oldest->used)
			oldest = p;
	}
	return oldest;
}

void writer_intern_provider(struct writer_intern *in, uint32_t id, bool anew)
{
	struct provider *p = provider_find(in, id);

	if (anew || !p->named || p->id != id)
		provider_clear(p);
	p->id = id;
	p->named = true;
	p->used = ++in->now;
	in->current = p;
}

/* --- indices for records ---------------------------------------------------------- */

int writer_intern_string(struct fxt_writer *w, const struct fxt_text *text,
			 uint16_t *ref)
{
	bool added;
	int index = table_use(&w->intern->current->strings, text->bytes, text->length,
			      &added);

	if (index < 0)
		return index;
	*ref = index;
	if (!added)
		return 0;
	writer_word(w, fxt_string(index, text->length));
	return writer_stream(w, text->bytes, text->length);
}

int writer_intern_thread(struct fxt_writer *w, const struct fxt_thread_id *thread,
			 uint8_t *ref)
{
	const uint64_t key[] = { thread->process, thread->thread };
	bool added;
	int index = table_use(&w->intern->current->threads, key, sizeof(key), &added);

	if (index < 0)
		return index;
	*ref = index;
	if (!added)
		return 0;
	writer_word(w, fxt_thread(index));
	writer_word(w, thread->process);
	return writer_word(w, thread->thread);
}
