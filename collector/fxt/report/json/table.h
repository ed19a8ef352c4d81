/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables of the report as JSON.
 */
#ifndef FXT_REPORT_JSON_TABLE_H
#define FXT_REPORT_JSON_TABLE_H

#include "report/tables/tables.h"
#include "members.h"

/** json_table() - a list of at most @top rows; nothing if the report does not have it */
void json_table(struct json *j, const struct report *r, const struct table *table, size_t top);

/** json_columns() - the members of an object: the columns of a row */
void json_columns(struct json *j, const struct report *r, const struct column *columns,
		  const void *row);

#endif /* FXT_REPORT_JSON_TABLE_H */
