// SPDX-License-Identifier: GPL-2.0-or-later
/* tables.c - see tables.h. */
#include <stdio.h>

#include "report/json/members.h"
#include "report/tables/lists.h"
#include "tables.h"

#define TITLE_BYTES	64
#define KEY_BYTES	64

/* The keys of TYPES in page/tables.js; NULL: no column of the page is of that type. */
static const char *type_name(enum column_type type)
{
	static const char *const names[] = {
		[COLUMN_COUNT] = "count", [COLUMN_TIME] = "time", [COLUMN_OF_WINDOW] = "time",
		[COLUMN_SECONDS] = "seconds", [COLUMN_ID] = "id", [COLUMN_CPU] = "id",
		[COLUMN_PRIORITY] = "number", [COLUMN_FLAG] = "flag", [COLUMN_SHARE] = "share",
		[COLUMN_RATE] = "number", [COLUMN_AVERAGE] = "average", [COLUMN_KHZ] = "mhz",
		[COLUMN_NAME] = "text", [COLUMN_PATH] = "text", [COLUMN_TEXT] = "text",
		[COLUMN_KIND] = "kind", [COLUMN_EVENT] = "event", [COLUMN_THREAD] = "thread",
		[COLUMN_THREAD_NTH] = "thread", [COLUMN_WAKERS] = "wakers",
		[COLUMN_CPUS] = "cpus", [COLUMN_WOKEN_BY] = "waker",
		[COLUMN_OCCUPANTS] = "occupants", [COLUMN_PARENT] = "parent",
		[COLUMN_MEAN] = "mean", [COLUMN_ENDING] = "ending",
	};

	return names[type];
}

static bool is_name(const struct column *c)
{
	return c->type == COLUMN_NAME || c->type == COLUMN_PATH;
}

static bool is_shown(const struct column *c, const struct report *r)
{
	return column_is_in(c, r) && (!c->is_shown || c->is_shown(r)) &&
	       (c->page || c->type == COLUMN_SAME);
}

static void put_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	out_json(j->o, text, strlen(text));
}

/* @of: the title of the object that the column is the first of, or "". */
static void put_column(struct json *j, const struct column *c, const char *path, const char *of)
{
	char title[TITLE_BYTES], key[KEY_BYTES];

	snprintf(title, sizeof(title), "%s%s%s", of, *of ? ": " : "", c->page);
	snprintf(key, sizeof(key), "%s%s", path, c->key);
	json_item(j);
	json_begin(j, '{');
	put_text(j, "key", key);
	put_text(j, "title", title);
	put_text(j, "type", type_name(c->type));
	json_end(j, '}');
}

/* Names come first, because people read a row from them on. */
static void put_columns(struct json *j, const struct report *r, const struct column *c,
			const char *path, const char *of, bool are_names)
{
	char key[KEY_BYTES];

	for (; !columns_is_end(c); c++) {
		if (!is_shown(c, r))
			continue;
		if (c->type == COLUMN_SAME) {
			put_columns(j, r, c->of, path, of, are_names);
		} else if (c->type == COLUMN_OBJECT) {
			snprintf(key, sizeof(key), "%s%s.", path, c->key);
			put_columns(j, r, c->of, key, c->page, are_names);
		} else if (is_name(c) == are_names) {
			put_column(j, c, path, of);
			of = "";
		}
	}
}

static void put_table(struct json *j, const struct report *r, const struct table *table)
{
	static const char *const links[] = {
		[TABLE_TO_THREAD] = "thread", [TABLE_TO_NAME] = "name", [TABLE_TO_WAIT] = "wait",
	};
	char path[KEY_BYTES];

	snprintf(path, sizeof(path), "%s%s%s", table->key, table->list ? "." : "",
		 table->list ? table->list : "");
	json_item(j);
	json_begin(j, '{');
	put_text(j, "key", table->key);
	put_text(j, "path", path);
	put_text(j, "title", table->page);
	json_text(j, "hint", table->hint);
	json_text(j, "link", links[table->link]);
	json_boolean(j, "always", table->is_always);
	json_key(j, "columns");
	json_begin(j, '[');
	put_columns(j, r, table->columns, "", "", true);
	put_columns(j, r, table->columns, "", "", false);
	json_end(j, ']');
	json_end(j, '}');
}

void html_print_tables(struct out *o, const struct report *r)
{
	struct json j = { .o = o };
	const struct table *const *table;

	json_begin(&j, '[');
	for (table = tables_in_page; *table; table++)
		if (!(*table)->is_in || (*table)->is_in(r))
			put_table(&j, r, *table);
	json_end(&j, ']');
}
