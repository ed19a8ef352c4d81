/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables of a report as data: one list of columns, rendered as text, JSON and page.
 *
 * In: struct report.
 * Out: rows, and for each column its key in JSON, its titles and its values.
 * Must hold: renderers know types of columns, but no table; so a new table is shown by all of
 * them once lists.c has it.
 */
#ifndef FXT_REPORT_TABLES_TABLE_H
#define FXT_REPORT_TABLES_TABLE_H

#include <stddef.h>

#include "report/stats/report.h"

/**
 * enum column_type - what values are, and how they look
 *
 * Values are @number of struct value, unless a comment names another member.
 */
enum column_type {
	COLUMN_COUNT,
	COLUMN_TIME,		/* ns */
	COLUMN_OF_WINDOW,	/* ns; text shows the share of the selected time */
	COLUMN_SECONDS,		/* a time stamp, ns */
	COLUMN_ID,		/* of a thread, a process or an interrupt */
	COLUMN_CPU,
	COLUMN_PRIORITY,	/* @signed_number */
	COLUMN_FLAG,
	COLUMN_SHARE,		/* @fraction, of 1 */
	COLUMN_RATE,		/* @fraction, a number a second */
	COLUMN_AVERAGE,		/* @fraction */
	COLUMN_NUMBER,		/* @fraction, of any unit */
	COLUMN_KHZ,		/* @fraction, in JSON rounded; people read MHz */
	COLUMN_NAME,		/* @text; "" or NULL is unknown */
	COLUMN_PATH,		/* likewise; text truncates the front of a long path */
	COLUMN_TEXT,		/* likewise, but not a name from the archive */
	COLUMN_BYTES,		/* @text of @length bytes: a name from the archive, maybe empty */
	COLUMN_KIND,		/* @text, of a wait */
	COLUMN_EVENT,		/* likewise, of an event of the kernel */
	/* @pointer: struct report_thread; JSON has its id and name, with the key as prefix. */
	COLUMN_THREAD,
	COLUMN_THREAD_NTH,	/* likewise, plus the number of earlier threads with the id */
	/* @pointer: a row with the columns @of; if unknown, null in JSON and "?" in text. */
	COLUMN_OBJECT,
	COLUMN_SAME,		/* likewise, but JSON has @of inline; no @get: the row itself */
	COLUMN_LIST,		/* rows of the columns @of; see @next */
	COLUMN_HISTOGRAM,	/* @pointer: struct report_hist */
	COLUMN_FUNCTIONS,	/* @pointer: struct fxt_call_stack; in JSON names, innermost first */
	/* Types below are only in text or in the page; JSON has their parts. */
	COLUMN_SOURCE,		/* @pointer: struct report_origin, an interrupt */
	COLUMN_VICTIM,		/* likewise: the thread that it took most from */
	COLUMN_WAKERS,		/* @pointer: struct activity: who woke it most often */
	COLUMN_CALLS,		/* likewise: the system calls that took most of its time */
	COLUMN_CPUS,		/* CPUs where a wait or a sleep began and ended */
	COLUMN_WOKEN_BY,	/* who ended a sleep, or began a wait */
	COLUMN_OCCUPANTS,	/* who had the CPU during a wait */
	COLUMN_PARENT,		/* the process that created a process */
	COLUMN_MEAN,		/* @total_ns divided by @count; text shows it as a time */
	COLUMN_ENDING,		/* @pointer: struct report_origin: exit code or signal */
	COLUMN_SENDER,		/* @pointer: struct report_signal: a thread or an interrupt */
	COLUMN_LOST,		/* of a CPU: records lost, a column of table_losses */
	COLUMN_LOST_TIME,	/* likewise: the time in which they were lost */
	COLUMN_GAP,		/* a blank */
};

enum value_is { VALUE_KNOWN, VALUE_UNKNOWN, VALUE_ABSENT };

/**
 * struct value - the value of one column in one row
 * @is: known, unknown (null in JSON, "?" in text, empty in the page) or absent (nothing in text)
 * @mark: character before it in text; 0: a blank
 * @length: of @text, for COLUMN_BYTES
 */
struct value {
	enum value_is is;
	char mark;
	uint32_t length;
	union {
		uint64_t number;
		int64_t signed_number;
		double fraction;
		const char *text;
		const void *pointer;
	};
};

/**
 * struct column - a column of a table, for all renderers
 * @key: its key in JSON, by which the page finds its values, too; NULL: not in JSON
 * @offset, @size: of its field in the row (see COLUMN_FIELD); or
 * @get: function that gets the value from a row
 * @is_in: does the report have it? NULL: always
 * @is_shown: do text and page show it? NULL: always
 * @of: columns of an object or a list, ended by one without type and key
 * @next: returns the next item of a list and advances *@at; NULL at the end
 * @parts: bits of the parts of the text that show it
 * @place: its position in these parts, from 1
 * @title: heading in text; NULL in an object: that of the object
 * @width: minimum width in text; 0: a name in the last column, never truncated
 * @sharing: number of names that share the width beyond 80 columns; 0: this one gets none of it
 * @page: its title in the page; NULL: not there
 */
struct column {
	const char *key;
	enum column_type type;
	uint16_t offset;
	uint16_t size;
	struct value (*get)(const struct report *r, const void *row);
	bool (*is_in)(const struct report *r);
	bool (*is_shown)(const struct report *r);
	const struct column *of;
	const void *(*next)(const struct report *r, const void *row, size_t *at);
	struct {
		uint16_t parts;
		uint8_t place;
		uint8_t width;
		uint8_t sharing;
		const char *title;
	} text;
	const char *page;
};

#define COLUMN_FIELD(type, field)						\
	.offset = offsetof(type, field), .size = sizeof(((type *)0)->field)

/* Define a function for @get of a column: @result from @row, of type @type; @r is the report. */
#define COLUMN_VALUE(name, type, row, result)					\
	static struct value name(const struct report *r, const void *any)	\
	{									\
		const type *row = any;						\
										\
		(void)r;							\
		(void)row;							\
		return result;							\
	}

/* Ends a list of columns. */
#define COLUMNS_END	{ .of = columns_end }
extern const struct column columns_end[];

/** columns_is_end() - is this the end of a list of columns? */
static inline bool columns_is_end(const struct column *c)
{
	return c->of == columns_end;
}

/* Parts of the text of a table, each with lines of its own. */
enum { PART_1 = 1, PART_2 = 2, PART_3 = 4 };

/**
 * struct part - a part of a table's text, with its own heading
 * @bit: bit in @parts of its columns; 0 ends the list
 * @is_in: NULL: always
 * @has_row: NULL: it has all rows, and its heading is printed even without rows
 */
struct part {
	uint16_t bit;
	bool (*is_in)(const struct report *r);
	bool (*has_row)(const struct report *r, const void *row);
};

/* What a click on a row of the page shows. */
enum table_link { TABLE_NO_LINK, TABLE_TO_THREAD, TABLE_TO_NAME, TABLE_TO_WAIT };

struct activity;

/**
 * struct rows - @count elements of an array
 * @stride: size of an element in bytes; 0: elements are pointers to rows
 */
struct rows {
	const void *base;
	size_t count;
	size_t stride;
};

#define ROWS(array, n)	((struct rows){ .base = (array), .count = (n), .stride = sizeof(*(array)) })
#define ROWS_OF_POINTERS(array, n)	((struct rows){ .base = (array), .count = (n) })

/* Define a function for @rows of a table. */
#define TABLE_ROWS(name, result)						\
	static struct rows name(const struct report *r)				\
	{									\
		return result;							\
	}

struct table;

/**
 * struct twins - rows of a table that have the same values as rows of another one
 * @of: the other one
 * @columns: that both tables have, each as a COLUMN_SAME; they are equal in twins
 * @find: the number of the row of @of, from 0, that is the twin of a row; SIZE_MAX: it has none
 */
struct twins {
	const struct table *of;
	const struct column *columns;
	size_t (*find)(const void *row);
};

/**
 * struct table - a table
 * @within: key of the JSON object that contains @key; NULL: the report itself
 * @key: key of its list in JSON; NULL: not in JSON
 * @list: if not NULL, JSON has an object at @key, with the list at @list and @total at "count"
 * @objects: if not NULL, JSON has no list but these objects, of each of which the page makes a row,
 *	with the object's title at "key"; ended like columns
 * @rest: number of elements that no row has, which text prints in a line with @rest_title; or NULL
 * @title: heading in text; NULL: not in text
 * @title_of_part: heading if only some threads are shown; NULL: the same
 * @page: its title in the page; NULL: not in the page @hint: a sentence below that title, or NULL
 * @link: what a click on a row of the page does
 * @is_always: text prints it even without rows
 * @is_whole: text prints all rows
 * @is_in: do JSON and the page have it? NULL: always
 * @rows: the elements
 * @row: makes the row of an element, maybe in @room; returns NULL if it has no row. Without
 *	@row, each element is a row
 * @columns: from left to right
 * @twins: NULL: none of its rows is a twin
 * @parts: of its text; NULL: PART_1 with all rows
 */
struct table {
	const char *within;
	const char *key;
	const char *list;
	const struct column *objects;
	uint64_t (*total)(const struct report *r);
	uint64_t (*rest)(const struct report *r);
	const char *rest_title;
	const char *title;
	const char *title_of_part;
	const char *page;
	const char *hint;
	enum table_link link;
	bool is_always;
	bool is_whole;
	bool (*is_in)(const struct report *r);
	struct rows (*rows)(const struct report *r);
	const void *(*row)(const struct report *r, const void *element, struct activity *room);
	const struct column *columns;
	const struct twins *twins;
	const struct part *parts;
};

/** column_value() - get the value of a column in a row */
struct value column_value(const struct column *c, const struct report *r, const void *row);

/** column_is_in_json() - does JSON have this column? */
static inline bool column_is_in_json(const struct column *c)
{
	return c->type < COLUMN_SOURCE;
}

/** report_row() - get the row of an element, maybe made in @room; NULL if it has no row */
const void *report_row(const struct table *table, const struct report *r, const struct rows *rows,
		      size_t i, struct activity *room);

/** column_is_in() - does the report have this column? */
static inline bool column_is_in(const struct column *c, const struct report *r)
{
	return !c->is_in || c->is_in(r);
}

/* Define a function for @is_in: does the archive have such events? */
#define TABLE_HAS(name, event)							\
	static inline bool has_##name(const struct report *r)			\
	{									\
		return r->kernel.has[KERNEL_##event];				\
	}
TABLE_HAS(idle_states, IDLE)
TABLE_HAS(work_items, WORK)
TABLE_HAS(system_calls, SYSCALL)
TABLE_HAS(throttling, THROTTLE)
TABLE_HAS(moves, MIGRATE)
TABLE_HAS(forks, FORK)
TABLE_HAS(exits, EXIT)
TABLE_HAS(priorities, PRIORITY)
TABLE_HAS(ipis, IPI)
TABLE_HAS(signals, SIGNAL)
TABLE_HAS(frequencies, FREQUENCY)
TABLE_HAS(run_queues, RUN_QUEUE)
TABLE_HAS(utilization, PELT)
#undef TABLE_HAS

static inline bool has_interrupts(const struct report *r)
{
	return report_has_irqs(&r->kernel);
}

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

/* Make a value of a text; NULL is unknown. */
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

#endif /* FXT_REPORT_TABLES_TABLE_H */
