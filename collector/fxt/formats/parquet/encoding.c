// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * encoding.c - encodings of Parquet: bytes, Thrift's compact protocol, runs of small numbers. See
 * parquet.h.
 */
#include "parquet.h"

/* ULEB128 */
static void varint(struct parquet_buffer *b, uint64_t value)
{
	for (; value > 127; value >>= 7)
		parquet_buffer_byte(b, 0x80 | (value & 127));
	parquet_buffer_byte(b, value);
}

/* --- structures in Thrift's compact protocol --------------------------------------------- */

/* The other types of fields. */
#define FIELD_TRUE	1
#define FIELD_FALSE	2
#define FIELD_I64	6
#define FIELD_LIST	9

#define SHORT_DELTA	15	/* an id up to this much above the last one fits the type's byte */
#define SHORT_LIST	14	/* and so does a list's length up to this */

static uint64_t zigzag(int64_t value)
{
	return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static void field(struct thrift *t, int id, unsigned int type)
{
	int delta = id - t->last[t->depth];

	if (delta > 0 && delta <= SHORT_DELTA) {
		parquet_buffer_byte(t->to, (unsigned int)delta << 4 | type);
	} else {
		parquet_buffer_byte(t->to, type);
		varint(t->to, zigzag(id));
	}
	t->last[t->depth] = id;
}

void thrift_i32(struct thrift *t, int id, int32_t value)
{
	field(t, id, THRIFT_I32);
	varint(t->to, zigzag(value));
}

void thrift_i64(struct thrift *t, int id, int64_t value)
{
	field(t, id, FIELD_I64);
	varint(t->to, zigzag(value));
}

void thrift_bool(struct thrift *t, int id, bool value)
{
	field(t, id, value ? FIELD_TRUE : FIELD_FALSE);
}

static void binary(struct thrift *t, const void *data, size_t bytes)
{
	varint(t->to, bytes);
	parquet_buffer_add(t->to, data, bytes);
}

void thrift_binary(struct thrift *t, int id, const void *data, size_t bytes)
{
	field(t, id, THRIFT_BINARY);
	binary(t, data, bytes);
}

void thrift_string(struct thrift *t, int id, const char *text)
{
	thrift_binary(t, id, text, strlen(text));
}

void thrift_list(struct thrift *t, int id, unsigned int type, size_t count)
{
	field(t, id, FIELD_LIST);
	if (count <= SHORT_LIST) {
		parquet_buffer_byte(t->to, (unsigned int)count << 4 | type);
	} else {
		parquet_buffer_byte(t->to, 0xf0 | type);
		varint(t->to, count);
	}
}

void thrift_list_i32(struct thrift *t, int32_t value)
{
	varint(t->to, zigzag(value));
}

void thrift_list_string(struct thrift *t, const char *text)
{
	binary(t, text, strlen(text));
}

void thrift_list_begin(struct thrift *t)
{
	t->last[++t->depth] = 0;
}

void thrift_begin(struct thrift *t, int id)
{
	field(t, id, THRIFT_STRUCT);
	thrift_list_begin(t);
}

void thrift_end(struct thrift *t)
{
	parquet_buffer_byte(t->to, 0);
	if (t->depth)
		t->depth--;
}

void thrift_empty(struct thrift *t, int id)
{
	thrift_begin(t, id);
	thrift_end(t);
}

/* --- Parquet's run-length and bit-packing hybrid ----------------------------------------- */

#define GROUP	8	/* values that are packed together */

void parquet_hybrid_run(struct parquet_buffer *b, uint32_t value, size_t count,
			unsigned int width)
{
	varint(b, (uint64_t)count << 1);
	value = htole32(value);
	parquet_buffer_add(b, &value, (width + 7) / 8);
}

/* Pad the last group with zeros; readers know the number of values. */
static void pack(struct parquet_buffer *b, const uint32_t *values, size_t count,
		 unsigned int width)
{
	size_t groups = (count + GROUP - 1) / GROUP, bytes = groups * width, i;
	unsigned int filled = 0;
	unsigned char *to, *end;
	uint64_t bits = 0;

	varint(b, (uint64_t)groups << 1 | 1);
	parquet_buffer_reserve(b, bytes);
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
		/* The first values of a run complete the group before it. */
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
