/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buffer.h - bytes that grow.
 *
 * Must hold: when memory runs out, the buffer keeps what it has, ignores the rest and is
 * marked as failed, so that only the end of a page or footer needs a check.
 */
#ifndef FXT_FORMATS_PARQUET_BUFFER_H
#define FXT_FORMATS_PARQUET_BUFFER_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** struct parquet_buffer - all zero is an empty one */
struct parquet_buffer {
	unsigned char *data;
	size_t used;
	size_t room;
	bool failed;
};

/** parquet_buffer_grow() - make room for @bytes more. Return: is there room? */
bool parquet_buffer_grow(struct parquet_buffer *b, size_t bytes);

static inline bool parquet_buffer_reserve(struct parquet_buffer *b, size_t bytes)
{
	return bytes <= b->room - b->used || parquet_buffer_grow(b, bytes);
}

static inline void parquet_buffer_add(struct parquet_buffer *b, const void *data, size_t bytes)
{
	if (!bytes || !parquet_buffer_reserve(b, bytes))
		return;
	memcpy(b->data + b->used, data, bytes);
	b->used += bytes;
}

static inline void parquet_buffer_byte(struct parquet_buffer *b, unsigned char byte)
{
	parquet_buffer_add(b, &byte, 1);
}

static inline void parquet_buffer_le32(struct parquet_buffer *b, uint32_t value)
{
	value = htole32(value);
	parquet_buffer_add(b, &value, sizeof(value));
}

/** parquet_buffer_varint() - ULEB128 */
void parquet_buffer_varint(struct parquet_buffer *b, uint64_t value);

void parquet_buffer_free(struct parquet_buffer *b);

#endif /* FXT_FORMATS_PARQUET_BUFFER_H */
