/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priorities.h - inherited priorities in the JSON report.
 */
#ifndef FXT_REPORT_JSON_PRIORITIES_H
#define FXT_REPORT_JSON_PRIORITIES_H

#include "members.h"

/** report_json_priorities() - of threads that are shown, @top of them; nothing without events */
void report_json_priorities(struct json *j, const struct report *r, size_t top);

#endif /* FXT_REPORT_JSON_PRIORITIES_H */
