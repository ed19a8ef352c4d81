/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dictionary.h - the distinct values of a column chunk.
 *
 * In: values in PLAIN encoding.
 * Out: an id for each, and the values in the order of their ids. See "Dictionary Encoding"
 * in parquet-format's Encodings.md.
 */
#ifndef FXT_FORMATS_PARQUET_DICTIONARY_H
#define FXT_FORMATS_PARQUET_DICTIONARY_H

#include "buffer.h"

#define PARQUET_DICTIONARY_VALUES	32768U
#define PARQUET_DICTIONARY_BYTES	(256U << 10)

/** struct parquet_dictionary - all zero but for @has_numbers is an empty one */
struct parquet_dictionary {
	bool has_numbers;		/* all values have 8 bytes; else they are texts */
	struct parquet_buffer plain;	/* the values */
	struct parquet_buffer begins;	/* where each text begins there: uint32_t */
	uint32_t count;
	uint32_t *slots;		/* ids + 1 by hash; 0 if free */
	uint32_t slot_count;		/* a power of two, or 0 */
};

/** parquet_text_bytes() - the length of a text in PLAIN encoding, with its own length */
static inline size_t parquet_text_bytes(const unsigned char *plain)
{
	uint32_t length;

	memcpy(&length, plain, sizeof(length));
	return sizeof(length) + le32toh(length);
}

/**
 * parquet_dictionary_ids() - the ids of values, of which new ones are added
 * @d: the dictionary
 * @plain: the values in PLAIN encoding
 * @count: their number
 * @most: number of values that the dictionary may have
 * @ids: set to the id of each
 *
 * Return: false if there is no room for a new value; some may have been added.
 */
bool parquet_dictionary_ids(struct parquet_dictionary *d, const unsigned char *plain,
			    size_t count, uint32_t most, uint32_t *ids);

/** parquet_dictionary_truncate() - keep only the first values; none may be added after that */
void parquet_dictionary_truncate(struct parquet_dictionary *d, uint32_t count);

/** parquet_dictionary_clear() - forget all values, and keep the memory */
void parquet_dictionary_clear(struct parquet_dictionary *d);
void parquet_dictionary_free(struct parquet_dictionary *d);

#endif /* FXT_FORMATS_PARQUET_DICTIONARY_H */
