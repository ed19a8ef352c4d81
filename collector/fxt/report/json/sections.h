/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - members of the JSON report.
 */
#ifndef FXT_REPORT_JSON_SECTIONS_H
#define FXT_REPORT_JSON_SECTIONS_H

#include "report/stats/report.h"
#include "report/tables/tables.h"
#include "liboutput/json.h"

static inline void json_thread_name(struct json *j, const char *name, const struct report_thread *t)
{
	json_text(j, name, t->sched->koid ? t->sched->name : report_name(t));
}

/**
 * json_table() - print a table as a list of at most @top rows, or nothing if the report lacks
 * it
 */
void json_table(struct json *j, const struct report *r, const struct table *table, size_t top);

/** json_columns() - print the columns of a row as members of an object */
void json_columns(struct json *j, const struct report *r, const struct column *columns,
		  const void *row);

/** json_value() - the value of a column without a part of its own; @key: NULL in a list */
void json_value(struct json *j, const struct report *r, const char *key, enum column_type type,
		const struct value *v);

/** json_column_value() - of a column in a row */
struct value json_column_value(const struct report *r, const struct column *c, const void *row);

static inline bool json_has_column(const struct report *r, const struct column *c)
{
	return (c->key || c->type == COLUMN_SAME) && column_is_in_json(c) && column_is_in(c, r);
}

/** json_rows_by_column() - at most @top rows of a table, as columns.c describes them */
void json_rows_by_column(struct json *j, const struct report *r, const struct table *table,
			 size_t top);

/** json_histogram() - a list of [low, high, count] */
void json_histogram(struct json *j, const char *key, const struct report_hist *h);

#endif /* FXT_REPORT_JSON_SECTIONS_H */
