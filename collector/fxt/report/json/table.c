// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - tables of the report as JSON. */
#include <stdio.h>
#include <string.h>

#include "sections.h"

#define KEY_BYTES	32

/* Print an id, a number and a name, whose keys begin with the key of the column. */
static void put_thread(struct json *j, const char *key, const struct report_thread *t,
		       bool has_nth)
{
	char id[KEY_BYTES], nth[KEY_BYTES], name[KEY_BYTES];

	snprintf(id, sizeof(id), "%stid", key);
	snprintf(nth, sizeof(nth), "%snth", key);
	snprintf(name, sizeof(name), "%sname", key);
	if (t)
		json_number(j, id, t->sched->koid);
	else
		json_null(j, id);
	if (has_nth && t)
		json_number(j, nth, t->sched->nth);
	else if (has_nth)
		json_null(j, nth);
	if (t)
		json_thread_name(j, name, t);
	else
		json_null(j, name);
}

static void put_list(struct json *j, const struct report *r, const struct column *c,
		     const void *row)
{
	const void *item;
	size_t at = 0;

	json_key(j, c->key);
	json_begin(j, '[');
	while ((item = c->next(r, row, &at))) {
		json_item(j);
		json_begin(j, '{');
		json_columns(j, r, c->of, item);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void put_column(struct json *j, const struct report *r, const struct column *c,
		       const void *row)
{
	struct value v = json_column_value(r, c, row);
	bool is_known = v.is == VALUE_KNOWN;

	switch (c->type) {
	case COLUMN_SAME:
		json_columns(j, r, c->of, v.pointer);
		return;
	case COLUMN_LIST:
		put_list(j, r, c, row);
		return;
	case COLUMN_THREAD:
	case COLUMN_THREAD_NTH:
		put_thread(j, c->key, is_known ? v.pointer : NULL, c->type == COLUMN_THREAD_NTH);
		return;
	default:
		break;
	}
	if (!is_known) {
		json_null(j, c->key);
	} else if (c->type == COLUMN_OBJECT) {
		json_key(j, c->key);
		json_begin(j, '{');
		json_columns(j, r, c->of, v.pointer);
		json_end(j, '}');
	} else {
		json_value(j, r, c->key, c->type, &v);
	}
}

void json_columns(struct json *j, const struct report *r, const struct column *columns,
		  const void *row)
{
	const struct column *c;

	for (c = columns; !columns_is_end(c); c++)
		if (json_has_column(r, c))
			put_column(j, r, c, row);
}

static void put_rows(struct json *j, const struct report *r, const struct table *table, size_t top)
{
	struct rows rows = table->rows(r);
	size_t i, shown = 0;
	struct activity room;
	const void *row;

	json_begin(j, '[');
	for (i = 0; i < rows.count && shown < top; i++) {
		row = report_row(table, r, &rows, i, &room);
		if (!row)
			continue;
		shown++;
		json_item(j);
		json_begin(j, '{');
		json_columns(j, r, table->columns, row);
		json_end(j, '}');
	}
	json_end(j, ']');
}

void json_table(struct json *j, const struct report *r, const struct table *table, size_t top)
{
	if (table->is_in && !table->is_in(r))
		return;
	json_key(j, table->key);
	if (table->list) {
		json_begin(j, '{');
		json_number(j, "count", table->total(r));
		json_key(j, table->list);
	}
	if (j->is_brief)
		json_rows_by_column(j, r, table, top);
	else
		put_rows(j, r, table, top);
	if (table->list)
		json_end(j, '}');
}
