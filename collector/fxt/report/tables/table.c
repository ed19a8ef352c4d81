// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - see table.h. */
#include <string.h>

#include "table.h"

const struct column columns_end[] = { { .of = columns_end } };

static uint64_t field_at(const void *row, const struct column *c)
{
	const char *at = (const char *)row + c->offset;
	uint64_t number = 0;
	uint32_t half;
	uint16_t quarter;

	switch (c->size) {
	case sizeof(uint64_t):
		memcpy(&number, at, sizeof(number));
		return number;
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		return half;
	case sizeof(quarter):
		memcpy(&quarter, at, sizeof(quarter));
		return quarter;
	default:
		return (uint8_t)*at;
	}
}

struct value column_value(const struct column *c, const struct report *r, const void *row)
{
	const char *at = (const char *)row + c->offset;

	if (c->get)
		return c->get(r, row);
	switch (c->type) {
	case COLUMN_NAME:
	case COLUMN_PATH:
	case COLUMN_TEXT:
	case COLUMN_THREAD:
	case COLUMN_THREAD_NTH:
	case COLUMN_FUNCTIONS:
		return value_pointer(*(const void *const *)at);
	case COLUMN_OBJECT:
	case COLUMN_HISTOGRAM:
		return value_pointer(at);
	case COLUMN_KHZ:
		return value_fraction(field_at(row, c));
	case COLUMN_CPU:
		if (field_at(row, c) == REPORT_NO_CPU)
			return value_unknown();
		return value_of(field_at(row, c));
	default:
		return c->size ? value_of(field_at(row, c)) : value_pointer(row);
	}
}

const void *report_row(const struct table *table, const struct report *r, const struct rows *rows,
		      size_t i, struct activity *room)
{
	const void *element = rows->stride ? (const char *)rows->base + i * rows->stride :
					     ((const void *const *)rows->base)[i];

	return table->row ? table->row(r, element, room) : element;
}
