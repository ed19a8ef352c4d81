// SPDX-License-Identifier: GPL-2.0-or-later
/* dictionary.c - see dictionary.h. */
#include <stdlib.h>

#include "libfxt/hash.h"
#include "dictionary.h"

#define FIRST_SLOTS	64

static uint32_t begin_of(const struct parquet_dictionary *d, uint32_t id)
{
	uint32_t begin;

	if (d->has_numbers)
		return id * sizeof(uint64_t);
	if (id == d->count)
		return d->plain.used;
	memcpy(&begin, d->begins.data + id * sizeof(begin), sizeof(begin));
	return begin;
}

static uint32_t *slot_of_number(const struct parquet_dictionary *d, const void *plain)
{
	uint64_t value, other;
	uint32_t i;

	memcpy(&value, plain, sizeof(value));
	i = fxt_hash(value, 0) & (d->slot_count - 1);
	for (; d->slots[i]; i = (i + 1) & (d->slot_count - 1)) {
		memcpy(&other, d->plain.data + (d->slots[i] - 1) * sizeof(other),
		       sizeof(other));
		if (other == value)
			break;
	}
	return &d->slots[i];
}

static uint32_t *slot_of_text(const struct parquet_dictionary *d, const void *plain, size_t bytes)
{
	uint32_t i = fxt_hash_bytes(plain, bytes) & (d->slot_count - 1), begin, id;

	for (; d->slots[i]; i = (i + 1) & (d->slot_count - 1)) {
		id = d->slots[i] - 1;
		begin = begin_of(d, id);
		if (begin_of(d, id + 1) - begin == bytes &&
		    !memcmp(d->plain.data + begin, plain, bytes))
			break;
	}
	return &d->slots[i];
}

/* The slot of a value, or the free one where it belongs. */
static uint32_t *slot_of(const struct parquet_dictionary *d, const void *plain, size_t bytes)
{
	return d->has_numbers ? slot_of_number(d, plain) : slot_of_text(d, plain, bytes);
}

/* At most half of the slots are in use. Return: is there memory? */
static bool grow(struct parquet_dictionary *d)
{
	uint32_t *old = d->slots, old_count = d->slot_count, i, begin;

	d->slots = calloc(old_count ? old_count * 2 : FIRST_SLOTS, sizeof(*d->slots));
	if (!d->slots) {
		d->slots = old;
		return false;
	}
	d->slot_count = old_count ? old_count * 2 : FIRST_SLOTS;
	for (i = 0; i < d->count; i++) {
		begin = begin_of(d, i);
		*slot_of(d, d->plain.data + begin, begin_of(d, i + 1) - begin) = i + 1;
	}
	free(old);
	return true;
}

/* Out of line, because most values are not new. */
static __attribute__((noinline)) bool add(struct parquet_dictionary *d, uint32_t *slot,
					  const void *plain, size_t bytes)
{
	uint32_t begin = d->plain.used;

	if (d->count == PARQUET_DICTIONARY_VALUES ||
	    bytes > PARQUET_DICTIONARY_BYTES - d->plain.used ||
	    !parquet_buffer_reserve(&d->plain, bytes) ||
	    (!d->has_numbers && !parquet_buffer_reserve(&d->begins, sizeof(begin))))
		return false;
	parquet_buffer_add(&d->plain, plain, bytes);
	if (!d->has_numbers)
		parquet_buffer_add(&d->begins, &begin, sizeof(begin));
	*slot = ++d->count;
	return true;
}

bool parquet_dictionary_ids(struct parquet_dictionary *d, const unsigned char *plain,
			    size_t count, uint32_t most, uint32_t *ids)
{
	uint32_t *slot;
	size_t i, bytes;

	for (i = 0; i < count; i++, plain += bytes) {
		bytes = d->has_numbers ? sizeof(uint64_t) : parquet_text_bytes(plain);
		if (d->count >= d->slot_count / 2 && d->count < PARQUET_DICTIONARY_VALUES &&
		    !grow(d))
			return false;
		slot = slot_of(d, plain, bytes);
		if (!*slot && !add(d, slot, plain, bytes))
			return false;
		ids[i] = *slot - 1;
		if (d->count > most)
			return false;
	}
	return true;
}

void parquet_dictionary_truncate(struct parquet_dictionary *d, uint32_t count)
{
	d->plain.used = begin_of(d, count);
	d->count = count;
}

void parquet_dictionary_clear(struct parquet_dictionary *d)
{
	if (d->slots)
		memset(d->slots, 0, d->slot_count * sizeof(*d->slots));
	d->plain.used = 0;
	d->begins.used = 0;
	d->count = 0;
}

void parquet_dictionary_free(struct parquet_dictionary *d)
{
	parquet_buffer_free(&d->plain);
	parquet_buffer_free(&d->begins);
	free(d->slots);
}
