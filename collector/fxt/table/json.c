// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - see json.h. */
#include <stdio.h>
#include <string.h>

#include "json.h"

#define KEY_BYTES	32

/* Print an id, a number and a name, whose keys begin with the key of the column. */
static void put_thread(struct json *j, const char *key, const struct sched_thread *t,
		       bool has_nth)
{
	char id[KEY_BYTES], nth[KEY_BYTES], name[KEY_BYTES];

	snprintf(id, sizeof(id), "%stid", key);
	snprintf(nth, sizeof(nth), "%snth", key);
	snprintf(name, sizeof(name), "%sname", key);
	if (t)
		json_number(j, id, t->koid);
	else
		json_null(j, id);
	if (has_nth && t)
		json_number(j, nth, t->nth);
	else if (has_nth)
		json_null(j, nth);
	if (t)
		json_thread_name(j, name, t);
	else
		json_null(j, name);
}

static void put_list(struct json *j, const void *all, const struct column *c,
		     const void *row)
{
	const void *item;
	size_t at = 0;

	json_array(j, c->key);
	while ((item = c->next(all, row, &at))) {
		json_item(j);
		json_begin(j, '{');
		json_columns(j, all, c->of, item);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_column(struct json *j, const void *all, const struct column *c,
		       const void *row)
{
	struct value v = column_value(c, all, row);
	bool is_known = v.is == VALUE_KNOWN;

	switch (c->type->kind) {
	case COLUMN_OF_SAME:
		json_columns(j, all, c->of, v.pointer);
		return;
	case COLUMN_OF_LIST:
		put_list(j, all, c, row);
		return;
	case COLUMN_OF_THREAD:
	case COLUMN_OF_THREAD_NTH:
		put_thread(j, c->key, is_known ? v.pointer : NULL,
			   c->type->kind == COLUMN_OF_THREAD_NTH);
		return;
	default:
		break;
	}
	if (!is_known) {
		json_null(j, c->key);
	} else if (c->type->kind == COLUMN_OF_OBJECT) {
		json_object(j, c->key);
		json_columns(j, all, c->of, v.pointer);
		json_end(j, '}');
	} else {
		c->type->json(j, c->key, all, &v);
	}
}

void json_columns(struct json *j, const void *all, const struct column *columns,
		  const void *row)
{
	const struct column *c;

	for (c = columns; !columns_is_end(c); c++)
		if (column_is_in_json(c, all))
			put_column(j, all, c, row);
}

static void put_rows(struct json *j, const void *all, const struct table *table, size_t top)
{
	struct rows rows = table->rows(all);
	size_t i, shown = 0;
	union row_room room;
	const void *row;

	json_begin(j, '[');
	for (i = 0; i < rows.count && shown < top; i++) {
		row = table_row_of(table, all, &rows, i, &room);
		if (!row)
			continue;
		shown++;
		json_item(j);
		json_begin(j, '{');
		json_columns(j, all, table->columns, row);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void json_table(struct json *j, const void *all, const struct table *table, size_t top)
{
	if (table->is_in && !table->is_in(all))
		return;
	json_key(j, table->key);
	if (table->list) {
		json_begin(j, '{');
		json_number(j, "count", table->total(all));
		json_key(j, table->list);
	}
	put_rows(j, all, table, top);
	if (table->list)
		json_end(j, '}');
}
