// SPDX-License-Identifier: GPL-2.0-or-later
/* buffer.c - see buffer.h. */
#include <stdlib.h>

#include "buffer.h"

#define BUFFER_FIRST	256

bool parquet_buffer_grow(struct parquet_buffer *b, size_t bytes)
{
	size_t room = b->room ? b->room : BUFFER_FIRST;
	unsigned char *data;

	while (room - b->used < bytes)
		room *= 2;
	data = realloc(b->data, room);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->room = room;
	return true;
}

void parquet_buffer_varint(struct parquet_buffer *b, uint64_t value)
{
	for (; value > 127; value >>= 7)
		parquet_buffer_byte(b, 0x80 | (value & 127));
	parquet_buffer_byte(b, value);
}

void parquet_buffer_free(struct parquet_buffer *b)
{
	free(b->data);
	*b = (struct parquet_buffer){ .data = NULL };
}
