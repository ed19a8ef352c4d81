// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - see text.h. */
#include <stdio.h>
#include <string.h>

#include "text.h"

#define PLACES		12	/* limit of columns of a part */
#define HEADING_BYTES	512
#define BLANKS		2	/* blanks before a column that is aligned left */

/* A column, with the row or the part of a row that has its field. */
struct cell {
	const struct column *column;
	const void *row;
	const char *title;
};

struct line {
	struct cell cells[PLACES];
	size_t count;
};

/* --- colours and headings ---------------------------------------------------------------- */

void text_shade(const struct text *t, enum shade shade)
{
	static const char *const codes[] = {
		[SHADE_NONE] = "\033[0m",
		[SHADE_HEADING] = "\033[1m",
		[SHADE_BAR] = "\033[36m",
		[SHADE_BAD] = "\033[31m",
	};

	if (t->has_colours)
		out_str(t->o, codes[shade]);
}

void text_heading(const struct text *t, const char *text)
{
	text_shade(t, SHADE_HEADING);
	out_str(t->o, text);
	text_shade(t, SHADE_NONE);
	out_char(t->o, '\n');
}

void text_title(const struct text *t, const char *what, size_t count)
{
	size_t top = t->top;

	out_char(t->o, '\n');
	text_shade(t, SHADE_HEADING);
	out_str(t->o, what);
	text_shade(t, SHADE_NONE);
	if (count > top)
		out_printf(t->o, ": the first %zu of %zu", top, count);
	out_char(t->o, '\n');
}

/* --- names ------------------------------------------------------------------------------- */

unsigned int text_name(const struct text *t, const char *name, unsigned int width)
{
	return out_safe_fit(t->o, name, strlen(name), width);
}

unsigned int text_row_name(const struct text *t, const char *name, unsigned int width)
{
	const char *last = *name == '/' && strlen(name) > width ? strrchr(name, '/') + 1 : name;

	return text_name(t, *last ? last : name, width);
}

unsigned int text_thread(const struct text *t, const struct sched_thread *thread,
			 unsigned int width)
{
	struct label id = id_label(thread->koid);
	unsigned int taken = strlen(id.text) + 1;

	if (!thread->koid)
		return text_name(t, table_thread_name(thread), width);
	taken += text_name(t, table_thread_name(thread), width - taken);
	out_printf(t->o, "/%s", id.text);
	return taken;
}

void text_pad(const struct text *t, unsigned int taken, unsigned int width)
{
	out_printf(t->o, "%*s", taken < width ? (int)(width - taken) : 0, "");
}

/* --- which columns --------------------------------------------------------------------------- */

static bool is_left(const struct column *c)
{
	return c->type->print;
}

static bool is_shown(const struct column *c, const void *all)
{
	return column_is_in(c, all) && (!c->is_shown || c->is_shown(all));
}

/* The row of an object, which an unknown one may have, too. */
static const void *row_of(const struct column *c, const struct text *t, const void *row)
{
	return row ? column_value(c, t->all, row).pointer : NULL;
}

/* Find the column at a place. Columns of the same row have places, too. */
static bool find_column(const struct text *t, const struct column *c, unsigned int part,
			unsigned int place, const void *row, struct cell *cell)
{
	for (; !columns_is_end(c); c++) {
		if (!is_shown(c, t->all))
			continue;
		if (c->type->kind == COLUMN_OF_SAME) {
			if (find_column(t, c->of, part, place, row_of(c, t, row), cell))
				return true;
			continue;
		}
		if (!(c->text.parts & part) || c->text.place != place)
			continue;
		*cell = (struct cell){ c, row, c->text.title };
		return true;
	}
	return false;
}

/* @row: NULL for the heading; @title: of the first column, if that has none */
static void find_line(const struct text *t, const struct column *columns, unsigned int part,
		      const void *row, const char *title, struct line *line)
{
	const struct column *c;
	unsigned int place;
	struct cell cell;

	for (place = 1; place <= PLACES && line->count < PLACES; place++) {
		if (!find_column(t, columns, part, place, row, &cell))
			continue;
		c = cell.column;
		if (c->type->kind == COLUMN_OF_OBJECT) {
			find_line(t, c->of, part, row_of(c, t, cell.row), c->text.title, line);
			continue;
		}
		if (!cell.title)
			cell.title = title;
		line->cells[line->count++] = cell;
	}
}

static unsigned int width_of(const struct text *t, const struct column *c)
{
	return c->text.sharing ? text_width(t, c->text.width, c->text.sharing) : c->text.width;
}

/* --- headings -------------------------------------------------------------------------------- */

static void print_columns(const struct text *t, const struct column *columns, unsigned int part)
{
	char text[HEADING_BYTES] = "";
	struct line line = { .count = 0 };
	size_t at = 0, end = 0, i;

	find_line(t, columns, part, NULL, NULL, &line);
	for (i = 0; i < line.count; i++) {
		const struct column *c = line.cells[i].column;
		const char *title = line.cells[i].title;
		size_t length = strlen(title), blanks = i > 0, begin;

		begin = end + (!i ? 0 : is_left(c) ? BLANKS : 1);
		end = begin + width_of(t, c);
		if (!is_left(c))
			begin = end > length ? end - length : 0;
		if (begin > at + blanks)
			blanks = begin - at;
		if (length && at + blanks + length < sizeof(text))
			at += sprintf(text + at, "%*s%s", (int)blanks, "", title);
	}
	text_heading(t, text);
}

/* --- rows -------------------------------------------------------------------------------- */

static void print_number(const struct text *t, const struct column *c, const struct value *v,
			 bool is_first)
{
	struct label l = { "?" };

	if (v->is == VALUE_ABSENT)
		return;
	if (v->is == VALUE_KNOWN)
		l = c->type->number(t, v);
	if (!is_first)
		out_char(t->o, v->mark ? v->mark : ' ');
	out_printf(t->o, "%*s", (int)c->text.width, l.text);
}

/* Returns the number of columns printed, with the blanks before. */
static unsigned int print_left(const struct text *t, const struct column *c,
			       const struct value *v)
{
	if (v->is == VALUE_ABSENT)
		return 0;
	if (!c->type->has_blanks)
		out_printf(t->o, "%*s", BLANKS, "");
	return BLANKS + c->type->print(t, v, width_of(t, c));
}

static void print_row(const struct text *t, const struct column *columns, unsigned int part,
		      const void *row)
{
	struct line line = { .count = 0 };
	unsigned int taken = 0, width = 0;
	struct value v;
	size_t i;

	find_line(t, columns, part, row, NULL, &line);
	for (i = 0; i < line.count; i++) {
		const struct cell *cell = &line.cells[i];

		/* The fields of an unknown object are unknown, too. */
		v = cell->row ? column_value(cell->column, t->all, cell->row) : value_unknown();
		text_pad(t, taken, width);
		taken = width = 0;
		if (!is_left(cell->column)) {
			print_number(t, cell->column, &v, !i);
			continue;
		}
		taken = print_left(t, cell->column, &v);
		width = width_of(t, cell->column) + BLANKS;
	}
	out_char(t->o, '\n');
}

static void print_part(const struct text *t, const struct table *table, const struct rows *rows,
		       const struct part *part)
{
	bool has_heading = !part->has_row;
	union row_room room;
	size_t i, shown = 0;
	const void *row;

	if (part->is_in && !part->is_in(t->all))
		return;
	if (has_heading)
		print_columns(t, table->columns, part->bit);
	if (table->rest)
		out_printf(t->o, "%8s  %s\n", count_label(table->rest(t->all)).text,
			   table->rest_title);
	for (i = 0; i < rows->count && (table->is_whole || shown < t->top); i++) {
		row = table_row_of(table, t->all, rows, i, &room);
		if (!row)
			continue;
		shown++;
		if (part->has_row && !part->has_row(t->all, row))
			continue;
		if (!has_heading)
			print_columns(t, table->columns, part->bit);
		has_heading = true;
		print_row(t, table->columns, part->bit, row);
	}
}

static size_t count_rows(const struct text *t, const struct table *table,
			 const struct rows *rows)
{
	union row_room room;
	size_t i, count = 0;

	for (i = 0; i < rows->count; i++)
		count += table_row_of(table, t->all, rows, i, &room) != NULL;
	return count;
}

void text_table(const struct text *t, const struct table *table)
{
	static const struct part all[] = { { .bit = PART_1 }, { .bit = 0 } };
	const struct part *part = table->parts ? table->parts : all;
	bool is_part = table->title_of_part && t->is_part;
	struct rows rows = table->rows(t->all);
	size_t count = count_rows(t, table, &rows);

	if (!count && !table->is_always && !(table->total && table->total(t->all)))
		return;
	text_title(t, is_part ? table->title_of_part : table->title,
		   table->is_whole ? 0 : count);
	for (; part->bit; part++)
		print_part(t, table, &rows, part);
}
