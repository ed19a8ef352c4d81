/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members.h - JSON of what the report has of threads.
 */
#ifndef FXT_REPORT_JSON_MEMBERS_H
#define FXT_REPORT_JSON_MEMBERS_H

#include "report/stats/report.h"
#include "write/json.h"

static inline void json_thread_name(struct json *j, const char *name, const struct report_thread *t)
{
	json_text(j, name, t->sched->koid ? t->sched->name : report_name(t));
}

#endif /* FXT_REPORT_JSON_MEMBERS_H */
