/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * findings.h - what is wrong, in the JSON report.
 */
#ifndef FXT_REPORT_JSON_FINDINGS_H
#define FXT_REPORT_JSON_FINDINGS_H

#include "members.h"

/** report_json_findings() - the member findings, an empty list without any */
void report_json_findings(struct json *j, const struct report *r);

#endif /* FXT_REPORT_JSON_FINDINGS_H */
