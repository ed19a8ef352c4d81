// SPDX-License-Identifier: GPL-2.0-or-later
/* hybrid.c - see hybrid.h. */
#include "hybrid.h"

#define GROUP	8	/* values that are packed together */

unsigned int parquet_hybrid_width(uint32_t largest)
{
	return largest ? 32 - __builtin_clz(largest) : 1;
}

void parquet_hybrid_run(struct parquet_buffer *b, uint32_t value, size_t count,
			unsigned int width)
{
	parquet_buffer_varint(b, (uint64_t)count << 1);
	value = htole32(value);
	parquet_buffer_add(b, &value, (width + 7) / 8);
}

/* The last group is filled up with zeros; readers know the number of values. */
static void pack(struct parquet_buffer *b, const uint32_t *values, size_t count,
		 unsigned int width)
{
	size_t groups = (count + GROUP - 1) / GROUP, bytes = groups * width, i;
	unsigned int filled = 0;
	unsigned char *to, *end;
	uint64_t bits = 0;

	parquet_buffer_varint(b, (uint64_t)groups << 1 | 1);
	if (!parquet_buffer_reserve(b, bytes))
		return;
	to = b->data + b->used;
	end = to + bytes;
	b->used += bytes;
	for (i = 0; i < count; i++) {
		bits |= (uint64_t)values[i] << filled;
		for (filled += width; filled >= 8; filled -= 8, bits >>= 8)
			*to++ = bits;
	}
	for (; to < end; bits >>= 8)
		*to++ = bits;
}

static size_t run_length(const uint32_t *values, size_t count)
{
	size_t n = 1;

	while (n < count && values[n] == values[0])
		n++;
	return n;
}

void parquet_hybrid(struct parquet_buffer *b, const uint32_t *values, size_t count,
		    unsigned int width)
{
	size_t packed = 0, i = 0, run, fill;	/* values before @packed are written */

	while (i < count) {
		run = run_length(values + i, count - i);
		/* The beginning of a run fills the last group before it. */
		fill = (GROUP - (i - packed) % GROUP) % GROUP;
		if (run < fill + GROUP) {
			i += run;
			continue;
		}
		if (i + fill > packed)
			pack(b, values + packed, i + fill - packed, width);
		parquet_hybrid_run(b, values[i], run - fill, width);
		i += run;
		packed = i;
	}
	if (packed < count)
		pack(b, values + packed, count - packed, width);
}
