// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.c - tables of the report as text.
 *
 * In: a table (report/tables/table.h), whose columns say where they are and how wide.
 * Out: lines. Numbers are aligned right, one blank apart; names left, two blanks apart. A heading
 * that is longer than its column moves the next heading, as far as there is room.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "labels.h"
#include "report/tables/tables.h"
#include "sections.h"

#define PLACES		12	/* columns of a part, at most */
#define PERCENT		5	/* columns */
#define NOTABLE_CALL	0.01	/* of the time in calls; a row names calls above */
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

/* --- which columns --------------------------------------------------------------------------- */

static bool is_left(const struct column *c)
{
	switch (c->type) {
	case COLUMN_NAME:
	case COLUMN_PATH:
	case COLUMN_TEXT:
	case COLUMN_BYTES:
	case COLUMN_THREAD:
	case COLUMN_THREAD_NTH:
	case COLUMN_HISTOGRAM:
	case COLUMN_SOURCE:
	case COLUMN_VICTIM:
	case COLUMN_WAKERS:
	case COLUMN_CALLS:
	case COLUMN_ENDING:
	case COLUMN_SENDER:
		return true;
	default:
		return false;
	}
}

static bool is_shown(const struct column *c, const struct report *r)
{
	return column_is_in(c, r) && (!c->is_shown || c->is_shown(r));
}

static const void *row_of(const struct column *c, const struct report *r, const void *row)
{
	return row && (c->get || c->size) ? column_value(c, r, row).pointer : row;
}

/* Find the column at a place. Columns of a COLUMN_SAME have places, too. */
static bool find_column(const struct text *t, const struct column *c, unsigned int part,
			unsigned int place, const void *row, struct cell *cell)
{
	for (; !columns_is_end(c); c++) {
		if (!is_shown(c, t->r))
			continue;
		if (c->type == COLUMN_SAME) {
			if (find_column(t, c->of, part, place, row_of(c, t->r, row), cell))
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

/* @row: NULL for the heading. @title: of the first column, if that has none. */
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
		if (c->type == COLUMN_OBJECT) {
			find_line(t, c->of, part, row_of(c, t->r, cell.row), c->text.title, line);
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

static void print_heading(const struct text *t, const struct table *table, unsigned int part)
{
	char text[HEADING_BYTES] = "";
	struct line line = { .count = 0 };
	size_t at = 0, end = 0, i;

	find_line(t, table->columns, part, NULL, NULL, &line);
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

/* --- numbers --------------------------------------------------------------------------------- */

static struct label formatted(const char *format, double value)
{
	struct label l;

	snprintf(l.text, sizeof(l.text), format, value);
	return l;
}

static struct label signed_label(int64_t value)
{
	struct label l;

	snprintf(l.text, sizeof(l.text), "%" PRId64, value);
	return l;
}

static struct label seconds_label(uint64_t ns)
{
	struct label l;

	*out_seconds_at(l.text, ns) = '\0';
	return l;
}

static struct label number_label(const struct text *t, const struct column *c,
					const struct value *v)
{
	double window = report_window(t->r);

	switch (c->type) {
	case COLUMN_TIME:
	case COLUMN_MEAN:
		return time_label(v->number);
	case COLUMN_OF_WINDOW:
		return share_label(window > 0 ? v->number / window : 0);
	case COLUMN_SHARE:
		return share_label(v->fraction);
	case COLUMN_ID:
		return id_label(v->number);
	case COLUMN_PRIORITY:
		return signed_label(v->signed_number);
	case COLUMN_RATE:
		return formatted("%.1f", v->fraction);
	case COLUMN_AVERAGE:
		return formatted("%.2f", v->fraction);
	case COLUMN_KHZ:
		return formatted("%.0f", v->fraction / 1e3);
	case COLUMN_NUMBER:
		return formatted("%.6g", v->fraction);
	case COLUMN_SECONDS:
		return seconds_label(v->number);
	case COLUMN_GAP:
		return (struct label){ "" };
	default:
		return count_label(v->number);
	}
}

static void print_number(const struct text *t, const struct column *c, const struct value *v,
			 bool is_first)
{
	struct label l = { "?" };

	if (v->is == VALUE_ABSENT)
		return;
	if (c->type == COLUMN_EVENT)
		snprintf(l.text, sizeof(l.text), "%s", v->text);
	else if (v->is == VALUE_KNOWN)
		l = number_label(t, c, v);
	if (!is_first)
		out_char(t->o, v->mark ? v->mark : ' ');
	out_printf(t->o, "%*s", (int)c->text.width, l.text);
}

/*
 * --- names and other values that are aligned left
 * -------------------------------------------------------
 */

unsigned int text_origin(const struct text *t, const struct report_origin *s, unsigned int width)
{
	struct label number = count_label(s->of->number);
	unsigned int room = width > 16 ? width - 12 : width;

	if (s->of->what != KERNEL_IRQ)
		return text_name(t, s->of->name, width);
	room = text_name(t, s->of->name, room);
	out_printf(t->o, " (irq %s)", number.text);
	return room + 7 + strlen(number.text);
}

static unsigned int print_ending(const struct text *t, const struct report_origin *s)
{
	uint32_t signal = sched_exit_signal(s->of->number);
	const char *name = table_signal_name(signal);
	char text[32];

	if (signal)
		snprintf(text, sizeof(text), "signal %u%s%s%s", signal, name ? " (" : "",
			 name ? name : "", name ? ")" : "");
	else
		snprintf(text, sizeof(text), "code %u", sched_exit_code(s->of->number));
	out_str(t->o, text);
	return strlen(text);
}

static unsigned int print_sender(const struct text *t, const struct report_signal *s,
				 unsigned int width)
{
	if (s->sender)
		return text_thread(t, s->sender, width);
	return text_name(t, text_irq_name(FXT_SCHED_IRQ_HARD), width);
}

static void print_calls(const struct text *t, const struct activity *a, unsigned int room)
{
	const struct report_calls *calls = a->calls;
	unsigned int taken = 0, i;

	for (i = 0; i < calls->count; i++) {
		const struct report_call *call = &calls->list[i];
		size_t length = strlen(call->of->name);

		if (i && (taken + 2 + length + PERCENT > room ||
			  call->total < NOTABLE_CALL * a->n->in_calls))
			break;
		out_str(t->o, i ? ", " : "");
		taken += 2 + PERCENT + text_name(t, call->of->name, room - PERCENT);
		out_printf(t->o, " %.0f%%",
			   a->n->in_calls ? call->total * 100.0 / a->n->in_calls : 0.0);
	}
}

static unsigned int print_waker(const struct text *t, const struct activity *a,
				const struct report_waker *w, unsigned int width)
{
	if (!w->thread)
		return text_name(t, text_irq_name(w->irq), width);
	/* Wakers of a name are names, too. */
	return a->process || a->thread ? text_thread(t, w->thread, width) :
					 text_name(t, report_name(w->thread), width);
}

static void print_wakers(const struct text *t, const struct activity *a, unsigned int width)
{
	unsigned int i, taken = 0;

	for (i = 0; i < a->waker_count && i < 2; i++) {
		const struct report_waker *w = &a->wakers[i];

		/* Omit wakers that mainly took over the counters of others. */
		if (i && (w->count - w->over) * 100 < a->n->wakeups)
			break;
		if (i)
			text_pad(t, taken, width);
		out_printf(t->o, " %c%3.0f%% ", w->over ? '>' : ' ',
			   (w->count - w->over) * 100.0 / a->n->wakeups);
		taken = print_waker(t, a, w, width);
	}
}

static void print_victim(const struct text *t, const struct report_origin *s, unsigned int width)
{
	if (!s->most)
		return;
	out_str(t->o, "  ");
	text_thread(t, s->most, width);
	out_printf(t->o, " %s", time_label(s->most_ns).text);
}

/* Print one character for a count, with a height relative to the largest. */
static void print_level(const struct text *t, uint64_t count, uint64_t most)
{
	static const char *const blocks[] = {
		" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587",
		"\u2588",
	};
	unsigned int level = count ? 1 + (unsigned int)(7.0 * count / most) : 0;

	if (t->style->utf8)
		out_str(t->o, blocks[level]);
	else
		out_char(t->o, " .:-=+*#@"[level]);
}

/* A character for each class of latencies. */
static void print_small_hist(const struct text *t, const struct report_hist *h)
{
	uint64_t counts[REPORT_CLASSES], most = 1;
	unsigned int i;

	report_classes(h, counts);
	for (i = 0; i < REPORT_CLASSES; i++)
		most = counts[i] > most ? counts[i] : most;
	text_shade(t, SHADE_BAR);
	for (i = 0; i < REPORT_CLASSES; i++)
		print_level(t, counts[i], most);
	text_shade(t, SHADE_NONE);
}

/* Return: the number of columns printed. */
static unsigned int print_name(const struct text *t, const struct column *c,
			       const struct value *v, unsigned int width)
{
	const char *name = v->text && *v->text ? v->text : "?";

	switch (c->type) {
	case COLUMN_BYTES:
		return v->is == VALUE_KNOWN ? out_safe_fit(t->o, v->text, v->length, width) :
					      text_name(t, "?", width);
	case COLUMN_PATH:
		return text_row_name(t, name, width);
	case COLUMN_THREAD:
	case COLUMN_THREAD_NTH:
		return text_thread(t, v->pointer, width);
	case COLUMN_HISTOGRAM:
		print_small_hist(t, v->pointer);
		return width;
	case COLUMN_SOURCE:
		return text_origin(t, v->pointer, width);
	case COLUMN_ENDING:
		return print_ending(t, v->pointer);
	case COLUMN_SENDER:
		return print_sender(t, v->pointer, width);
	default:
		return text_name(t, name, width ? width : UINT_MAX);
	}
}

/*
 * Return: the number of columns printed, blanks before included; some types print their own blanks.
 */
static unsigned int print_left(const struct text *t, const struct column *c,
			       const struct value *v)
{
	unsigned int width = width_of(t, c);

	switch (c->type) {
	case COLUMN_VICTIM:
		print_victim(t, v->pointer, width);
		return width + BLANKS;
	case COLUMN_WAKERS:
		print_wakers(t, v->pointer, width);
		return width + BLANKS;
	default:
		break;
	}
	if (v->is == VALUE_ABSENT)
		return 0;
	out_printf(t->o, "%*s", BLANKS, "");
	if (c->type != COLUMN_CALLS)
		return BLANKS + print_name(t, c, v, width);
	print_calls(t, v->pointer, width);
	return BLANKS + width;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void print_row(const struct text *t, const struct table *table, unsigned int part,
		      const void *row)
{
	struct line line = { .count = 0 };
	unsigned int taken = 0, width = 0;
	struct value v;
	size_t i;

	find_line(t, table->columns, part, row, NULL, &line);
	for (i = 0; i < line.count; i++) {
		const struct cell *cell = &line.cells[i];

		/* The fields of an unknown object are unknown, too. */
		v = cell->row ? column_value(cell->column, t->r, cell->row) : value_unknown();
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
	struct activity room;
	size_t i, shown = 0;
	const void *row;

	if (part->is_in && !part->is_in(t->r))
		return;
	if (has_heading)
		print_heading(t, table, part->bit);
	if (table->rest)
		out_printf(t->o, "%8s  %s\n", count_label(table->rest(t->r)).text,
			   table->rest_title);
	for (i = 0; i < rows->count && (table->is_whole || shown < t->style->top); i++) {
		row = report_row(table, t->r, rows, i, &room);
		if (!row)
			continue;
		shown++;
		if (part->has_row && !part->has_row(t->r, row))
			continue;
		if (!has_heading)
			print_heading(t, table, part->bit);
		has_heading = true;
		print_row(t, table, part->bit, row);
	}
}

static size_t count_rows(const struct text *t, const struct table *table,
			 const struct rows *rows)
{
	struct activity room;
	size_t i, count = 0;

	for (i = 0; i < rows->count; i++)
		count += report_row(table, t->r, rows, i, &room) != NULL;
	return count;
}

void text_table(const struct text *t, const struct table *table)
{
	static const struct part all[] = { { .bit = PART_1 }, { .bit = 0 } };
	const struct part *part = table->parts ? table->parts : all;
	bool is_part = table->title_of_part && t->r->is_part;
	struct rows rows = table->rows(t->r);
	size_t count = count_rows(t, table, &rows);

	if (!count && !table->is_always && !(table->total && table->total(t->r)))
		return;
	text_title(t, is_part ? table->title_of_part : table->title,
		   table->is_whole ? 0 : count);
	for (; part->bit; part++)
		print_part(t, table, &rows, part);
}
