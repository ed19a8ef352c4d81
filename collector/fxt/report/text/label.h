/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * label.h - numbers of a report in few columns, and latencies in few classes.
 */
#ifndef FXT_REPORT_TEXT_LABEL_H
#define FXT_REPORT_TEXT_LABEL_H

#include "report/stats/hist.h"

/** struct report_label - a number with its unit, at most 6 characters (ids 8) */
struct report_label {
	char text[24];
};

/** report_time_label() - ns with three digits, as 12.3us */
struct report_label report_time_label(uint64_t ns);

/** report_count_label() - all digits, or three of them, as 12.3M */
struct report_label report_count_label(uint64_t count);

/** report_share_label() - of 1, as 12.34% */
struct report_label report_share_label(double share);

/** report_id_label() - a koid; of those with more than 8 digits the last ones, as ~1234567 */
struct report_label report_id_label(uint64_t koid);

/** report_cpus_label() - a wait's CPU, or as "1 -> 0" where it began and ended */
struct report_label report_cpus_label(uint16_t from, uint16_t to);

/*
 * The classes that latencies are drawn in: each is four times as long as the one
 * before. They begin and end where buckets do.
 */
#define REPORT_CLASSES	11

/** report_class_limit() - ns, the least latency that is longer; the last has none */
uint64_t report_class_limit(unsigned int class);

/** report_classes() - how many latencies are of each class */
void report_classes(const struct report_hist *h, uint64_t counts[REPORT_CLASSES]);

#endif /* FXT_REPORT_TEXT_LABEL_H */
