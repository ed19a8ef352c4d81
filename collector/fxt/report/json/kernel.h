/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - members of the JSON report about interrupts, idle states and the like.
 *
 * Each writes nothing if the archive has no such events.
 */
#ifndef FXT_REPORT_JSON_KERNEL_H
#define FXT_REPORT_JSON_KERNEL_H

#include "members.h"

/** report_json_counts() - of a thread or a sum of threads */
void report_json_counts(struct json *j, const struct report *r, const struct report_counts *n);

void report_json_cpu(struct json *j, const struct report *r, const struct report_cpu *cpu);
void report_json_wait(struct json *j, const struct report *r, const struct report_wait *w);

/** report_json_kernel() - of the whole; @top: elements of each list */
void report_json_kernel(struct json *j, const struct report *r, size_t top);

#endif /* FXT_REPORT_JSON_KERNEL_H */
