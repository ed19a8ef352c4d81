/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json.h - struct report as JSON. */
#ifndef FXT_REPORT_JSON_JSON_H
#define FXT_REPORT_JSON_JSON_H

#include "report/stats/report.h"
#include "liboutput/out.h"
#include "table/schema.h"

/* One object on one line; @top: maximum length of each list. */
void report_print_json(struct out *o, const char *path, const struct report *r,
		       const struct report_options *options, size_t top);

extern const struct schema report_schema[];

#endif /* FXT_REPORT_JSON_JSON_H */
