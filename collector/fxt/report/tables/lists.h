/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lists.h - in which order each renderer shows the tables of a report.
 */
#ifndef FXT_REPORT_TABLES_LISTS_H
#define FXT_REPORT_TABLES_LISTS_H

#include "table.h"

/*
 * Lists of tables, each of which ends with NULL: text between the sleeps and the stacks, and JSON
 * between the longest waits and the stacks, in their order; all tables of the page.
 */
extern const struct table *const tables_in_text[], *const tables_in_json[],
	*const tables_in_page[];

#endif /* FXT_REPORT_TABLES_LISTS_H */
