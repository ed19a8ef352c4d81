/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables as data: one list of columns, printed as text, as JSON and in the page.
 *
 * A verb describes the members of its rows in an array of struct column, ended by COLUMNS_END:
 *
 *	static const struct column columns[] = {
 *		{ "name", &column_name, COLUMN_FIELD(struct party, name), TEXT_NAME(2, 30, 1, "name") },
 *		{ "run_ns", &column_time, COLUMN_FIELD(struct party, run), TEXT(1, 8, "run") },
 *		COLUMNS_END
 *	};
 *
 * and its rows in a struct table. text_table() of text.h prints the table as text, json_table() and
 * json_columns() of json.h print JSON. A function (COLUMN_VALUE()) computes a value that is not a
 * member of the row; it gets the object of all rows as @all. A kind of value that looks like no
 * other has its own struct column_type.
 *
 * Must hold: renderers know types, but no table.
 */
#ifndef FXT_TABLE_TABLE_H
#define FXT_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/types.h"
#include "write/labels.h"

struct json;
struct schema;
struct text;
struct value;

enum column_kind {
	COLUMN_OF_VALUE,
	COLUMN_OF_THREAD,	/* JSON has its id and name, with the key as prefix */
	COLUMN_OF_THREAD_NTH,	/* likewise, plus the number of earlier threads with the id */
	COLUMN_OF_OBJECT,	/* a row with the columns @of */
	COLUMN_OF_SAME,		/* likewise, but JSON has @of inline; no @get: the row itself */
	COLUMN_OF_LIST,		/* rows of the columns @of; see @next */
};

struct column_type {
	enum column_kind kind;
	const char *page;	/* a key of TYPES in page/tables.js */
	bool is_name;		/* the page has it first */
	/* Read a field; NULL: an unsigned number of 1, 2, 4 or 8 bytes. */
	struct value (*read)(const void *field, size_t size);
	/* JSON of a known value; NULL: not in JSON. @key: NULL in a list. */
	void (*json)(struct json *j, const char *key, const void *all, const struct value *v);
	const struct schema *schema;	/* of the JSON; see schema.h */
	/* Text, aligned right. */
	struct label (*number)(const struct text *t, const struct value *v);
	/* Text, aligned left, after two blanks. Returns how many columns it took. */
	unsigned int (*print)(const struct text *t, const struct value *v, unsigned int width);
	bool has_blanks;	/* @print prints these blanks, too */
};

extern const struct column_type
	column_count,
	column_time,		/* ns */
	column_of_window,	/* ns; text shows the share of the selected time */
	column_mean,		/* ns; only in text and page */
	column_seconds,		/* a time stamp, ns */
	column_id,		/* of a thread, a process or an interrupt */
	column_cpu,		/* COLUMN_NO_CPU is unknown */
	column_priority,	/* @signed_number */
	column_flag,
	column_share,		/* @fraction, of 1 */
	column_rate,		/* @fraction, a number a second */
	column_average,		/* @fraction */
	column_number,		/* @fraction, of any unit */
	column_khz,		/* @fraction, in JSON rounded; people read MHz */
	column_name,		/* @text; "" or NULL is unknown */
	column_path,		/* likewise; text truncates the front of a long path */
	column_text,		/* likewise, but not a name from the archive */
	column_bytes,		/* @text of @length bytes: a name from the archive, maybe empty */
	column_kind,		/* @text, of a wait */
	column_event,		/* likewise, of an event of the kernel */
	column_thread,		/* @pointer: struct sched_thread */
	column_object,		/* @pointer; if unknown, null in JSON and "?" in text */
	column_same,
	column_list,
	column_gap;		/* a blank */

#define COLUMN_NO_CPU	0xffff

enum value_is {
	VALUE_KNOWN,
	VALUE_UNKNOWN,		/* null in JSON, "?" in text, empty in the page */
	VALUE_ABSENT,		/* null in JSON, nothing in text */
};

struct value {
	enum value_is is;
	char mark;		/* before it in text; 0: a blank */
	uint32_t length;	/* of @text, for column_bytes */
	union {
		uint64_t number;
		int64_t signed_number;
		double fraction;
		const char *text;
		const void *pointer;
	};
};

struct column {
	const char *key;	/* in JSON, by which the page finds its values, too; or NULL */
	const struct column_type *type;
	uint16_t offset;		/* of its field in the row: COLUMN_FIELD; or @get */
	uint16_t size;
	struct value (*get)(const void *all, const void *row);
	bool (*is_in)(const void *all);	/* is it there? NULL: always */
	bool (*is_shown)(const void *all);	/* do text and page show it? NULL: always */
	const struct column *of;	/* of an object or a list */
	/*
	 * For the page: 1 + the number of the row of another table that has the same in @of; 0: none.
	 * NULL: always 0.
	 */
	uint64_t (*twin)(const void *row);
	/* Returns the next item of a list, advancing *@at; NULL at the end. */
	const void *(*next)(const void *all, const void *row, size_t *at);
	struct {
		uint16_t parts;		/* bits of the parts of the text that show it */
		uint8_t place;		/* in these parts, from 1 */
		uint8_t width;	/* minimum; 0: a name in the last column, never truncated */
		uint8_t sharing;	/* how many names share the width beyond 80 columns */
		const char *title;	/* NULL in an object: that of the object */
	} text;
	const char *page;		/* its title in the page; NULL: not there */
	const char *about;		/* for the JSON Schema; NULL: obvious from the key */
};

#define COLUMN_FIELD(type, field)						\
	.offset = offsetof(type, field), .size = sizeof(((type *)0)->field)

/*
 * Define a function for @get of a column: @result from @row, of type @type; @r is the object of all
 * rows, of type @type_of_all.
 */
#define COLUMN_VALUE_OF(name, type_of_all, r, type, row, result)		\
	static struct value name(const void *any_all, const void *any_row)	\
	{									\
		const type_of_all *r = any_all;					\
		const type *row = any_row;					\
										\
		(void)r;							\
		(void)row;							\
		return result;							\
	}
#define COLUMN_VALUE(name, type, row, result)					\
	COLUMN_VALUE_OF(name, void, all, type, row, result)

#define COLUMNS_END	{ .of = columns_end }
extern const struct column columns_end[];

static inline bool columns_is_end(const struct column *c)
{
	return c->of == columns_end;
}

/* Parts of the text of a table, each with its own lines. */
enum { PART_1 = 1, PART_2 = 2, PART_3 = 4 };

/* A column of the text, in part 1; of a name, @sharing as in struct column. */
#define TEXT(place, width, title)		TEXT_NAME(place, width, 0, title)
#define TEXT_NAME(place, width, sharing, title)	.text = { PART_1, place, width, sharing, title }

/* Likewise, with the same title in the page. */
#define SHOWN(place, width, title)		SHOWN_NAME(place, width, 0, title)
#define SHOWN_NAME(place, width, sharing, title)	SHOWN_IN(PART_1, place, width, sharing, title)
#define SHOWN_IN(parts, place, width, sharing, title)				\
	.text = { parts, place, width, sharing, title }, .page = title

/* A part of a table's text, with its own heading. */
struct part {
	uint16_t bit;			/* in @parts of its columns; 0 ends the list */
	bool (*is_in)(const void *all);	/* NULL: always */
	/* NULL: it has all rows, and its heading is printed even without rows */
	bool (*has_row)(const void *all, const void *row);
};

/* What a click on a row of the page shows. */
enum table_link { TABLE_NO_LINK, TABLE_TO_THREAD, TABLE_TO_NAME, TABLE_TO_WAIT };

/* @count elements of an array. */
struct rows {
	const void *base;
	size_t count;
	size_t stride;	/* size of an element; 0: elements are pointers to rows */
};

/* Room for a row that is made of an element. */
union row_room {
	uint64_t numbers[11];
	const void *pointers[11];
};

#define ROWS(array, n)	((struct rows){ .base = (array), .count = (n), .stride = sizeof(*(array)) })
#define ROWS_OF_POINTERS(array, n)	((struct rows){ .base = (array), .count = (n) })

struct table;

struct table {
	const char *within;	/* key of the JSON object that contains @key; NULL: the outermost */
	const char *key;		/* of its list in JSON; NULL: not in JSON */
	/* If set, JSON has an object at @key, with the list at @list and @total at "count". */
	const char *list;
	/*
	 * If set, JSON has no list but these objects. The page makes a row of each, with the
	 * object's title at "key".
	 */
	const struct column *objects;
	uint64_t (*total)(const void *all);
	/* The number of elements without a row; text prints it in a line with @rest_title. */
	uint64_t (*rest)(const void *all);
	const char *rest_title;
	const char *section;		/* of text, if it has one of another name than @key */
	const char *title;		/* in text; NULL: not in text */
	const char *title_of_part;	/* if only some threads are shown; NULL: @title */
	const char *page;		/* title in the page; NULL: @title */
	const char *hint;		/* a sentence below that title, or NULL */
	const char *about;		/* for the JSON Schema: its rows, or with @list its count; or NULL */
	enum table_link link;
	bool is_always;			/* text prints it even without rows */
	bool is_whole;			/* text prints all rows */
	bool (*is_in)(const void *all);	/* do JSON and the page have it? NULL: always */
	struct rows (*rows)(const void *all);
	/*
	 * The row of an element, perhaps made in @room, or NULL; without @row, each element is one.
	 */
	const void *(*row)(const void *all, const void *element, union row_room *room);
	const struct column *columns;	/* from left to right */
	const struct part *parts;	/* of its text; NULL: PART_1 with all rows */
};

struct value column_value(const struct column *c, const void *all, const void *row);

/* A field that is an unsigned number of @size bytes. */
uint64_t column_number_at(const void *field, size_t size);

static inline bool column_is_in(const struct column *c, const void *all)
{
	return !c->is_in || c->is_in(all);
}

/* The row of an element, perhaps made in @room; NULL if it has none. */
const void *table_row_of(const struct table *table, const void *all, const struct rows *rows,
		      size_t i, union row_room *room);

/* Is it in JSON, if the rows have it? */
static inline bool column_has_json(const struct column *c)
{
	return c->type->kind == COLUMN_OF_SAME ||
	       (c->key && (c->type->json || c->type->kind != COLUMN_OF_VALUE));
}

/* A thread's name for programs: "(idle)" for an idle one, may be "". */
static inline const char *table_thread_key(const struct sched_thread *t)
{
	return t->koid ? t->name : "(idle)";
}

/* A thread's name for people: "(idle)" for an idle one, "?" without a name. */
const char *table_thread_name(const struct sched_thread *t);

static inline struct value value_of(uint64_t number)
{
	return (struct value){ .number = number };
}

static inline struct value value_fraction(double fraction)
{
	return (struct value){ .fraction = fraction };
}

static inline struct value value_text(const char *text)
{
	return (struct value){ .text = text };
}

static inline struct value value_bytes(const char *text, uint32_t length)
{
	return (struct value){ .text = text, .length = length };
}

/* NULL is unknown. */
static inline struct value value_pointer(const void *pointer)
{
	return (struct value){ .is = pointer ? VALUE_KNOWN : VALUE_UNKNOWN, .pointer = pointer };
}

static inline struct value value_unknown(void)
{
	return (struct value){ .is = VALUE_UNKNOWN };
}

static inline struct value value_absent(void)
{
	return (struct value){ .is = VALUE_ABSENT };
}

#endif /* FXT_TABLE_TABLE_H */
