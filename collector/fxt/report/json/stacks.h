/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - call stacks in the JSON report.
 */
#ifndef FXT_REPORT_JSON_STACKS_H
#define FXT_REPORT_JSON_STACKS_H

#include "members.h"

/** report_json_stacks() - the member "stacks"; nothing if the archive has none */
void report_json_stacks(struct json *j, const struct report *r, size_t top);

#endif /* FXT_REPORT_JSON_STACKS_H */
