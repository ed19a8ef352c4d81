/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - which tables a page has, and their columns.
 *
 * In: the tables of the report. Out: JSON, of which page/tables.js makes the sections of the page:
 * a list of key (of the table), path (where the report has its rows: keys with dots between),
 * title, hint (or null), link ("thread", "name", "wait" or null: what a click on a row shows),
 * always (it is there even without rows), columns: list of key (likewise, in a row), title and
 * type (in TYPES of page/tables.js).
 */
#ifndef FXT_REPORT_HTML_TABLES_H
#define FXT_REPORT_HTML_TABLES_H

#include "report/stats/report.h"
#include "write/out.h"

/** html_print_tables() - the list */
void html_print_tables(struct out *o, const struct report *r);

#endif /* FXT_REPORT_HTML_TABLES_H */
