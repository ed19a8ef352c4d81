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

/** json_histogram() - print a histogram as a list of [low, high, count] */
void json_histogram(struct json *j, const char *key, const struct report_hist *h);

#endif /* FXT_REPORT_JSON_SECTIONS_H */
