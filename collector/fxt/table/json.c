// SPDX-License-Identifier: GPL-2.0-or-later
/* json.c - see json.h. */
#include <stdio.h>
#include <string.h>

#include "json.h"

bool json_thread_key(const struct column *c, enum thread_key i, char key[JSON_KEY_BYTES])
{
	static const char *const keys[] = { "tid", "nth", "name" };

	snprintf(key, JSON_KEY_BYTES, "%s%s", c->key, keys[i]);
	return i != THREAD_NTH || c->type->kind == COLUMN_OF_THREAD_NTH;
}

static void put_thread(struct json *j, const struct column *c, const struct sched_thread *t)
{
	char text[JSON_KEY_BYTES], *key = j->is_keyless ? NULL : text;
	enum thread_key i;

	for (i = 0; i < THREAD_KEYS; i++) {
		if (!json_thread_key(c, i, text))
			continue;
		if (!t)
			json_null(j, key);
		else if (i == THREAD_NAME)
			json_thread_name(j, key, t);
		else
			json_number(j, key, i == THREAD_NTH ? t->nth : t->koid);
	}
}

static void put_row(struct json *j, const void *all, const struct column *columns,
		    const void *row)
{
	json_begin(j, j->is_keyless ? '[' : '{');
	json_columns(j, all, columns, row);
	json_end(j, j->is_keyless ? ']' : '}');
}

static void put_list(struct json *j, const void *all, const struct column *c,
		     const void *row)
{
	const void *item;
	size_t at = 0;

	json_array(j, j->is_keyless ? NULL : c->key);
	while ((item = c->next(all, row, &at))) {
		json_item(j);
		put_row(j, all, c->of, item);
	}
	json_end(j, ']');
}

static void put_same(struct json *j, const void *all, const struct column *c,
		     const void *row, const void *same)
{
	uint64_t twin = j->is_keyless && c->twin ? c->twin(row) : 0;

	if (!j->is_keyless) {
		json_columns(j, all, c->of, same);
	} else if (twin) {
		json_number(j, NULL, twin);
	} else {
		json_item(j);
		put_row(j, all, c->of, same);
	}
}

static void put_column(struct json *j, const void *all, const struct column *c,
		       const void *row)
{
	struct value v = column_value(c, all, row);
	const char *key = j->is_keyless ? NULL : c->key;
	bool is_known = v.is == VALUE_KNOWN;

	switch (c->type->kind) {
	case COLUMN_OF_SAME:
		put_same(j, all, c, row, v.pointer);
		return;
	case COLUMN_OF_LIST:
		put_list(j, all, c, row);
		return;
	case COLUMN_OF_THREAD:
	case COLUMN_OF_THREAD_NTH:
		put_thread(j, c, is_known ? v.pointer : NULL);
		return;
	default:
		break;
	}
	if (!is_known) {
		json_null(j, key);
	} else if (c->type->kind == COLUMN_OF_OBJECT) {
		json_key(j, key);
		put_row(j, all, c->of, v.pointer);
	} else {
		c->type->json(j, key, all, &v);
	}
}

void json_columns(struct json *j, const void *all, const struct column *columns,
		  const void *row)
{
	const struct column *c;

	for (c = columns; !columns_is_end(c); c++)
		if (column_has_json(c) && column_is_in(c, all))
			put_column(j, all, c, row);
}

/* The names of the values in rows without keys: see json.h. */
static void put_keys(struct json *j, const void *all, const struct column *c)
{
	char key[JSON_KEY_BYTES];
	enum thread_key i;

	json_begin(j, '[');
	for (; !columns_is_end(c); c++) {
		if (!column_has_json(c) || !column_is_in(c, all))
			continue;
		if (c->of) {
			json_object(j, NULL);
			json_text(j, "key", c->key);
			json_boolean(j, "isList", c->type->kind == COLUMN_OF_LIST);
			json_key(j, "of");
			put_keys(j, all, c->of);
			json_end(j, '}');
			continue;
		}
		if (c->type->kind == COLUMN_OF_VALUE)
			json_string(j, NULL, c->key);
		for (i = 0; i < THREAD_KEYS && c->type->kind != COLUMN_OF_VALUE; i++)
			if (json_thread_key(c, i, key))
				json_string(j, NULL, key);
	}
	json_end(j, ']');
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
		put_row(j, all, table->columns, row);
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
	if (j->is_brief) {
		json_begin(j, '{');
		json_key(j, "keys");
		put_keys(j, all, table->columns);
		json_key(j, "rows");
		j->is_keyless = true;
	}
	put_rows(j, all, table, top);
	if (j->is_brief) {
		j->is_keyless = false;
		json_end(j, '}');
	}
	if (table->list)
		json_end(j, '}');
}
