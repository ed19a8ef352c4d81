/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - tables of the report as text.
 */
#ifndef FXT_REPORT_TEXT_TABLE_H
#define FXT_REPORT_TEXT_TABLE_H

#include "report/tables/tables.h"
#include "style.h"

/** text_table() - a title, and each part with a heading and its rows; nothing without rows */
void text_table(const struct text *t, const struct table *table);

/** text_source() - an interrupt, as "eth0 (irq 17)"; returns how many columns it took */
unsigned int text_source(const struct text *t, const struct report_source *s, unsigned int width);

#endif /* FXT_REPORT_TEXT_TABLE_H */
