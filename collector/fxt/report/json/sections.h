/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sections.h - members of the JSON report that are no tables.
 */
#ifndef FXT_REPORT_JSON_SECTIONS_H
#define FXT_REPORT_JSON_SECTIONS_H

#include "members.h"

/** report_json_findings() - the member findings, an empty list without any */
void report_json_findings(struct json *j, const struct report *r);

/** report_json_stacks() - the member "stacks"; nothing if the archive has none */
void report_json_stacks(struct json *j, const struct report *r, size_t top);

/** report_json_slices() - "scheduling", and "slices" unless @s is NULL */
void report_json_slices(struct json *j, const struct slices *s, size_t top);

#endif /* FXT_REPORT_JSON_SECTIONS_H */
