/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * acts.h - members of the JSON report about system calls, ends of threads, throttled cgroups,
 * interrupts between CPUs and run queues.
 *
 * Each writes nothing if the archive has no such events.
 */
#ifndef FXT_REPORT_JSON_ACTS_H
#define FXT_REPORT_JSON_ACTS_H

#include "members.h"

/** report_json_acts() - of a thread or a sum of threads */
void report_json_acts(struct json *j, const struct report *r, const struct report_counts *n,
		      const struct report_calls *calls);

/** report_json_levels() - of a CPU: its run queue and load */
void report_json_levels(struct json *j, const struct report *r, const struct report_levels *l);

/** report_json_all_acts() - of the whole; @top: elements of each list */
void report_json_all_acts(struct json *j, const struct report *r, size_t top);

#endif /* FXT_REPORT_JSON_ACTS_H */
