// SPDX-License-Identifier: GPL-2.0-or-later
/* thrift.c - see thrift.h. */
#include "thrift.h"

/* The other types of fields. */
#define FIELD_TRUE	1
#define FIELD_FALSE	2
#define FIELD_I64	6
#define FIELD_LIST	9

#define SHORT_DELTA	15	/* ids that are that much larger at most fit the type's byte */
#define SHORT_LIST	14	/* lists of that many elements at most, too */

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
		parquet_buffer_varint(t->to, zigzag(id));
	}
	t->last[t->depth] = id;
}

void thrift_i32(struct thrift *t, int id, int32_t value)
{
	field(t, id, THRIFT_I32);
	parquet_buffer_varint(t->to, zigzag(value));
}

void thrift_i64(struct thrift *t, int id, int64_t value)
{
	field(t, id, FIELD_I64);
	parquet_buffer_varint(t->to, zigzag(value));
}

void thrift_bool(struct thrift *t, int id, bool value)
{
	field(t, id, value ? FIELD_TRUE : FIELD_FALSE);
}

static void binary(struct thrift *t, const void *data, size_t bytes)
{
	parquet_buffer_varint(t->to, bytes);
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
		parquet_buffer_varint(t->to, count);
	}
}

void thrift_list_i32(struct thrift *t, int32_t value)
{
	parquet_buffer_varint(t->to, zigzag(value));
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
