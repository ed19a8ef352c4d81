// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - rows, and the values of columns in them. */
#include <string.h>

#include "table.h"

const struct column columns_end[] = { { .of = columns_end } };

uint64_t column_number_at(const void *field, size_t size)
{
	uint64_t number;
	uint32_t half;
	uint16_t quarter;

	switch (size) {
	case sizeof(number):
		memcpy(&number, field, sizeof(number));
		return number;
	case sizeof(half):
		memcpy(&half, field, sizeof(half));
		return half;
	case sizeof(quarter):
		memcpy(&quarter, field, sizeof(quarter));
		return quarter;
	default:
		return *(const uint8_t *)field;
	}
}

struct value column_value(const struct column *c, const void *all, const void *row)
{
	const char *field = (const char *)row + c->offset;

	if (c->get)
		return c->get(all, row);
	if (!c->size)
		return value_pointer(row);
	return c->type->read ? c->type->read(field, c->size) : value_of(column_number_at(field, c->size));
}

const void *table_row_of(const struct table *table, const void *all, const struct rows *rows,
		      size_t i, union row_room *room)
{
	const void *element = rows->stride ? (const char *)rows->base + i * rows->stride :
					     ((const void *const *)rows->base)[i];

	return table->row ? table->row(all, element, room) : element;
}

const char *table_thread_name(const struct sched_thread *t)
{
	const char *name = table_thread_key(t);

	return *name ? name : "?";
}
