/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sleeps.h - members of the JSON report about sleeps.
 */
#ifndef FXT_REPORT_JSON_SLEEPS_H
#define FXT_REPORT_JSON_SLEEPS_H

#include "members.h"

/** report_json_sleeps() - of a thread or a sum of threads */
void report_json_sleeps(struct json *j, struct report_sleeps *const *sleeps,
			const struct report_counts *n);

/** report_json_longest_sleeps() - of the whole */
void report_json_longest_sleeps(struct json *j, const struct report *r);

#endif /* FXT_REPORT_JSON_SLEEPS_H */
