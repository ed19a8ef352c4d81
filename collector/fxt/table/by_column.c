// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * by_column.c - tables in JSON by column, for the page.
 *
 * In:  a table. Out: an object of rows (their number) and columns: by key, a list of the values in
 * all rows; or for
 *
 *  an object  known (a list: 1, or 0 where it is null) and columns (only of the rows that have it)
 *  a list     counts (a list: of items) and columns (of all items, one after the other)
 *
 * If rows may have twins in another table, the columns of struct twins are not there, but in an
 * object twins: of (the key of that table), rows (of each row 1 + the number of its twin; 0: none)
 * and columns (only of the rows that have none).
 *
 * Must hold: page/data.js makes the rows again as json.c prints them.
 *
 * What stands in one column is alike, so that a packed table of many short threads has half the
 * size. Each column walks over the rows again.
 */
#include <stdio.h>
#include <stdlib.h>

#include "json.h"

#define PATH_DEPTH	8
#define KEY_BYTES	48

/**
 * struct made - a row of a table that makes its rows
 * @row: NULL if an element has none
 * @is_twin: it has a twin
 */
struct made {
	const void *row;
	bool is_twin;
	union row_room room;
};

/**
 * struct path - from a table to a list of columns
 * @made: all rows; NULL if they are made again for each column, for want of memory
 * @top: rows at most
 * @is_unique: only rows without a twin
 * @of: the columns on the way, each an object, a list or columns of the same row
 */
struct path {
	const struct table *table;
	const void *all;
	struct made *made;
	size_t top;
	bool is_unique;
	const struct column *of[PATH_DEPTH];
	unsigned int depth;
};

/** struct printer - prints something of a column for each row */
struct printer {
	struct json *j;
	const struct path *path;
	const struct column *c;
	void (*print)(const struct printer *p, const void *all, const void *row);
};

/* Of a row, or of what it has at @depth of the path. */
static void print_below(const struct path *path, unsigned int depth, const void *row,
			const struct printer *p)
{
	const struct column *c = path->of[depth];
	const void *item;
	struct value v;
	size_t at = 0;

	if (depth == path->depth) {
		p->print(p, path->all, row);
	} else if (c->type->kind == COLUMN_OF_LIST) {
		while ((item = c->next(path->all, row, &at)))
			print_below(path, depth + 1, item, p);
	} else {
		v = column_value(c, path->all, row);
		if (v.is == VALUE_KNOWN || c->type->kind == COLUMN_OF_SAME)
			print_below(path, depth + 1, v.pointer, p);
	}
}

/* Return: 1 + the number of the row that is the twin of a row; 0: there is none. */
static size_t twin_of(const struct path *path, const void *row)
{
	size_t twin = path->table->twins->find(row);

	return twin < path->top ? twin + 1 : 0;
}

static struct made make_row(const struct path *path, const struct rows *rows, size_t i,
			    union row_room *room)
{
	const void *row = table_row_of(path->table, path->all, rows, i, room);

	return (struct made){
		.row = row, .is_twin = row && path->table->twins && twin_of(path, row),
	};
}

static struct made *make_rows(const struct path *path)
{
	struct rows rows = path->table->rows(path->all);
	struct made *made = path->table->row ? calloc(rows.count, sizeof(*made)) : NULL;
	union row_room room;
	size_t i;

	for (i = 0; made && i < rows.count; i++) {
		made[i] = make_row(path, &rows, i, &room);
		if (made[i].row != &room)
			continue;
		made[i].room = room;
		made[i].row = &made[i].room;
	}
	return made;
}

/* Return: the number of rows. */
static size_t print_rows(const struct path *path, const struct printer *p)
{
	struct rows rows = path->table->rows(path->all);
	size_t i, shown = 0;
	union row_room room;
	struct made new;
	const struct made *m;

	for (i = 0; i < rows.count && shown < path->top; i++) {
		if (!path->made)
			new = make_row(path, &rows, i, &room);
		m = path->made ? &path->made[i] : &new;
		if (!m->row)
			continue;
		shown++;
		if (p && !(path->is_unique && m->is_twin))
			print_below(path, 0, m->row, p);
	}
	return shown;
}

static void print_list(const struct path *path, struct json *j, const char *key,
		       const struct column *c,
		       void (*print)(const struct printer *, const void *, const void *))
{
	struct printer p = { .j = j, .path = path, .c = c, .print = print };

	json_array(j, key);
	print_rows(path, &p);
	json_end(j, ']');
}

/* --- of a row ------------------------------------------------------------------------------ */

static void print_value(const struct printer *p, const void *all, const void *row)
{
	struct value v = column_value(p->c, all, row);

	if (v.is == VALUE_KNOWN)
		p->c->type->json(p->j, NULL, all, &v);
	else
		json_null(p->j, NULL);
}

static void print_known(const struct printer *p, const void *all, const void *row)
{
	json_item(p->j);
	out_char(p->j->o, column_value(p->c, all, row).is == VALUE_KNOWN ? '1' : '0');
}

static void print_count(const struct printer *p, const void *all, const void *row)
{
	size_t at = 0, count = 0;

	while (p->c->next(all, row, &at))
		count++;
	json_number(p->j, NULL, count);
}

static void print_twin(const struct printer *p, const void *all, const void *row)
{
	(void)all;
	json_number(p->j, NULL, twin_of(p->path, row));
}

static const struct sched_thread *thread_at(const struct printer *p, const void *all,
					     const void *row)
{
	struct value v = column_value(p->c, all, row);

	return v.is == VALUE_KNOWN ? v.pointer : NULL;
}

static void print_tid(const struct printer *p, const void *all, const void *row)
{
	const struct sched_thread *t = thread_at(p, all, row);

	if (t)
		json_number(p->j, NULL, t->koid);
	else
		json_null(p->j, NULL);
}

static void print_nth(const struct printer *p, const void *all, const void *row)
{
	const struct sched_thread *t = thread_at(p, all, row);

	if (t)
		json_number(p->j, NULL, t->nth);
	else
		json_null(p->j, NULL);
}

static void print_name(const struct printer *p, const void *all, const void *row)
{
	const struct sched_thread *t = thread_at(p, all, row);

	if (t)
		json_thread_name(p->j, NULL, t);
	else
		json_null(p->j, NULL);
}

/* --- columns -------------------------------------------------------------------------------- */

/* The key of a column of threads begins those of an id, a number and a name. */
static void print_threads(const struct path *path, struct json *j, const struct column *c)
{
	char key[KEY_BYTES];

	snprintf(key, sizeof(key), "%stid", c->key);
	print_list(path, j, key, c, print_tid);
	if (c->type->kind == COLUMN_OF_THREAD_NTH) {
		snprintf(key, sizeof(key), "%snth", c->key);
		print_list(path, j, key, c, print_nth);
	}
	snprintf(key, sizeof(key), "%sname", c->key);
	print_list(path, j, key, c, print_name);
}

static void print_columns(struct path *path, struct json *j, const struct column *columns);

/* The columns of an object, of a list, or of the same row. */
static void print_part(struct path *path, struct json *j, const struct column *c)
{
	bool is_same = c->type->kind == COLUMN_OF_SAME;

	if (!is_same) {
		json_object(j, c->key);
		if (c->type->kind == COLUMN_OF_LIST)
			print_list(path, j, "counts", c, print_count);
		else
			print_list(path, j, "known", c, print_known);
		json_object(j, "columns");
	}
	path->of[path->depth++] = c;
	print_columns(path, j, c->of);
	path->depth--;
	if (!is_same) {
		json_end(j, '}');
		json_end(j, '}');
	}
}

static bool is_of_twins(const struct path *path, const struct column *c)
{
	const struct twins *twins = path->table->twins;

	return twins && c->type->kind == COLUMN_OF_SAME && c->of == twins->columns;
}

static void print_columns(struct path *path, struct json *j, const struct column *columns)
{
	const struct column *c;

	for (c = columns; !columns_is_end(c); c++) {
		if (!json_has_column(path->all, c) || is_of_twins(path, c))
			continue;
		switch (c->type->kind) {
		case COLUMN_OF_SAME:
		case COLUMN_OF_OBJECT:
		case COLUMN_OF_LIST:
			print_part(path, j, c);
			break;
		case COLUMN_OF_THREAD:
		case COLUMN_OF_THREAD_NTH:
			print_threads(path, j, c);
			break;
		default:
			print_list(path, j, c->key, c, print_value);
		}
	}
}

static void print_twins(struct path *path, struct json *j)
{
	json_object(j, "twins");
	json_text(j, "of", path->table->twins->of->key);
	print_list(path, j, "rows", NULL, print_twin);
	path->is_unique = true;
	json_object(j, "columns");
	print_columns(path, j, path->table->twins->columns);
	json_end(j, '}');
	json_end(j, '}');
}

void json_rows_by_column(struct json *j, const void *all, const struct table *table,
			 size_t top)
{
	struct path path = { .table = table, .all = all, .top = top };

	path.made = make_rows(&path);
	json_begin(j, '{');
	json_number(j, "rows", print_rows(&path, NULL));
	json_object(j, "columns");
	print_columns(&path, j, table->columns);
	json_end(j, '}');
	if (table->twins)
		print_twins(&path, j);
	json_end(j, '}');
	free(path.made);
}
